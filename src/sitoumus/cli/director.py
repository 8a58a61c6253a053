"""Commands of the director: a ruling on a case at the table, and the check of a record."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import CaseFileError, RulingError, SitoumusError, StudyError
from .options import CsvOption, JsonOption, OptionOption
from .printing import print_json, ready_to_write, save_game
from .program import app
from .reading import ask_line, complete_presets, read_rules, whole

if TYPE_CHECKING:
    from ..director.incidents import Ruling
    from ..director.referee import Referee


def _kinds(incomplete: str) -> list[str]:
    from ..director.penalties import Irregularity

    return [str(kind) for kind in Irregularity if kind.startswith(incomplete)]


@app.command(
    epilog="Examples: sitoumus ruling short_opening --seat E --rules finnish_canasta; sitoumus ruling case.toml; "
    "without arguments it asks"
)
def ruling(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[WHAT]",
            help="What happened, such as short_opening, or a TOML file of a case; left out, it is asked.",
            autocompletion=_kinds,
        ),
    ] = None,
    seat: Annotated[str | None, typer.Option("--seat", metavar="SEAT", help="Who did it.")] = None,
    rules: Annotated[
        str, typer.Option("--rules", metavar="PRESET", help="Preset or TOML file.", autocompletion=complete_presets)
    ] = "sitoumussamba",
    option: OptionOption = None,
    position: Annotated[
        str | None, typer.Option("--position", metavar="FILE", help="The table before the act, as TOML.")
    ] = None,
    act: Annotated[
        list[str] | None,
        typer.Option("--act", metavar="TEXT", help='What was done, such as "meld 4h 5h 6h"; may repeat.'),
    ] = None,
    cards: Annotated[str, typer.Option("--cards", metavar="CARDS", help="The cards concerned.")] = "",
    noticed: Annotated[
        str | None, typer.Option("--noticed", metavar="WHEN", help="at_once, next_player, deal_over, next_deal ...")
    ] = None,
    by: Annotated[str | None, typer.Option("--by", metavar="SEAT", help="Who claimed; or director.")] = None,
    choice: Annotated[
        str | None, typer.Option("--choice", metavar="WORD", help="What was chosen: correct, rearrange ...")
    ] = None,
    detail: Annotated[
        list[str] | None,
        typer.Option("--detail", "-d", metavar="NAME=VALUE", help="count, keep, known, had_turn, where, points ..."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say the ruling on an irregularity at the table, with its statement's number."""
    if what is not None and what.endswith(".toml"):
        found = _rulings_of_file(what)
    else:
        words: dict[str, Any] = {"act": act or [], "cards": cards, "noticed": noticed, "by": by, "choice": choice}
        words |= _details(detail)
        if what is None and seat is None and not words["act"]:
            what, seat, rules, words = _asked(rules)
        from .. import Table
        from ..director.referee import Referee

        table = {"phase": "draw"} if position is None else Path(position)
        chosen = read_rules(rules, option)
        referee = Referee(Table.from_position(table, rules=chosen)) if position is None else _of_file(table, chosen)
        found = [referee.judge(what, seat=seat, **words)]
    if as_json:
        print_json([each.to_dict() for each in found])
    else:
        for each in found:
            print(each)


def _of_file(path: Any, rules: Any) -> Referee:
    from ..director.referee import Referee

    return Referee.from_position(path, rules=rules)


def _details(texts: list[str] | None) -> dict[str, Any]:
    details: dict[str, Any] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise RulingError(f"--detail {text!r}: it must be NAME=VALUE, such as points=500")
        try:
            details[name.strip()] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            details[name.strip()] = value.strip()
    return details


def _rulings_of_file(file: str) -> list[Ruling]:
    """The rulings of every case of a file, in order."""
    from ..cases import read_cases
    from ..director.cases import played
    from ..rules import preset

    found = []
    for number, case in enumerate(read_cases(Path(file)), 1):
        try:
            rules = preset(case.get("rules", "sitoumussamba")).replace(**case.get("options", {}))
            found += played(case, rules)[1]
        except SitoumusError as error:
            raise CaseFileError(f"{file}, case {case.get('id', number)}: {error}") from None
    return found


def _asked(rules: str) -> tuple[str, str, str, dict[str, Any]]:
    """What happened, asked at the prompt."""
    from ..director.incidents import kind_named
    from ..director.penalties import Irregularity

    ask = ask_line
    rules = ask(f"rules (empty: {rules})") or rules
    while True:
        answer = ask("what happened (? lists the kinds)")
        if answer == "?":
            typer.echo(", ".join(Irregularity), err=True)
            continue
        try:
            what = str(kind_named(answer))
            break
        except RulingError as error:
            typer.echo(str(error), err=True)
    seat = ask("who did it (N, E, S, W)").upper()
    words: dict[str, Any] = {"cards": ask("cards concerned (empty: none)"), "act": []}
    noticed, by = ask("noticed (empty: at once)"), ask("who claims (empty: not known)")
    words |= {"noticed": noticed.replace(" ", "_") or None, "by": by.upper() or None}
    return what, seat, rules, words


@app.command("referee", epilog="Example: sitoumus referee game.json --save judged.json")
def referee_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A game record (.json, .jsonl); acts may be illegal.")],
    number: Annotated[
        int | None, typer.Option("--number", metavar="N", parser=whole(0), help="Game of a .jsonl file, from 0.")
    ] = None,
    noticed: Annotated[
        str | None,
        typer.Option("--noticed", metavar="WHEN", help="When everything counts as noticed, such as at_once."),
    ] = None,
    save: Annotated[str | None, typer.Option("--save", metavar="FILE", help="Write the judged record here.")] = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Check a record: every infraction with its ruling, and the score after them.

    Exit status 0 if the record is clean, 1 if infractions were found, 2 for bad input.
    """
    from ..director.checking import referee

    ready_to_write(as_json, as_csv)
    if Path(file).suffix not in (".json", ".jsonl"):
        raise StudyError(f"{file}: a game record ends in .json or .jsonl")
    report = referee(file, number, noticed)
    if save is not None:
        save_game(report.game, save)
    if as_csv:
        report.frame.to_csv(sys.stdout, index=False)
    elif as_json:
        score = report.game.score.to_dict() if report.game.over else None
        rows = [{"after": after, **each.to_dict()} for after, each in report.game.incidents]
        print_json({"clean": report.clean, "infractions": rows, "score": score})
    else:
        print(report)
    if not report.clean:
        raise typer.Exit(1)
