"""Commands of the club: match sheets and dealing sheets."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..errors import StudyError
from .options import CsvOption, JsonOption, OptionOption, RulesOption, SeedOption
from .printing import print_json, ready_to_write
from .program import app
from .reading import read_rules


@app.command(epilog="Example: sitoumus sheet match.toml --html sheet.html")
def sheet(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A match sheet (TOML): scores, forms or game records.")],
    page: Annotated[str | None, typer.Option("--html", metavar="FILE", help="Write a page to print on A4.")] = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Add up a match: every deal with its rulings, the totals, the winner and what is settled."""
    from ..club.sheet import MatchSheet

    ready_to_write(as_json, as_csv)
    found = MatchSheet.load(file)
    if page is not None:
        try:
            Path(page).write_text(found.to_html(), encoding="utf-8")
        except OSError as error:
            raise StudyError(f"--html {page}: {error}") from None
    if as_json:
        print_json({**found.to_dict(), "sums": found.totals, "winner": found.winner, "settlement": found.settlement()})
    elif as_csv:
        found.frame.to_csv(sys.stdout)
    else:
        print(found)


@app.command(epilog="Example: sitoumus deal --seed 7 --number 1-24")
def deal(
    seed: SeedOption = 0,
    number: Annotated[
        str, typer.Option("--number", metavar="N-M", help="Numbers of the deals, such as 42 or 1-24.")
    ] = "0",
    rules: RulesOption = "sitoumussamba",
    option: OptionOption = None,
    hands: Annotated[bool, typer.Option("--hands/--no-hands", help="Print the hands.")] = True,
    stock: Annotated[bool, typer.Option("--stock", help="Print the stock, top first.")] = False,
) -> None:
    """Print dealing sheets: the same cards for every table."""
    from ..club.evening import dealing_sheet

    first, dash, last = number.partition("-")
    if not first.isdigit() or (dash and not last.isdigit()) or (dash and int(last) < int(first)):
        raise StudyError(f"--number {number!r}: it must be a number or a range, such as 42 or 1-24")
    numbers = range(int(first), int(last if dash else first) + 1)
    print(dealing_sheet(seed, numbers, read_rules(rules, option), hands, stock))
