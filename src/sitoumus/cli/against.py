"""The command that seats people at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .options import DealerOption, OptionOption, RulesOption, SeedOption, TotalsOption
from .program import app
from .reading import complete_policies, read_policies, read_rules, read_totals, whole

if TYPE_CHECKING:
    from rich.console import Console

    from ..session import Session


@app.command("play-against", epilog="Examples: sitoumus play-against tuned; sitoumus play-against --resume game.json")
def play_against(
    policies: Annotated[
        str,
        typer.Argument(
            metavar="[POLICIES]",
            help="Who plays the other seats: one for all, two (NS,EW) or one a seat.",
            autocompletion=complete_policies,
        ),
    ] = "tuned",
    seat: Annotated[
        str, typer.Option("--seat", metavar="SEATS", help="The seats of people at this keyboard, such as S or N,S.")
    ] = "S",
    seed: SeedOption = 0,
    number: Annotated[int, typer.Option("--number", metavar="N", parser=whole(0), help="Number of the deal.")] = 0,
    dealer: DealerOption = "N",
    totals: TotalsOption = "0,0",
    rules: RulesOption = "sitoumussamba",
    option: OptionOption = None,
    save: Annotated[
        str | None, typer.Option("--save", metavar="FILE", help="Write the record here after every action.")
    ] = None,
    resume: Annotated[str | None, typer.Option("--resume", metavar="FILE", help="Go on with this record.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="No colours.")] = False,
) -> None:
    """Play a deal yourself against the computer; type help at the prompt.

    One to four people share the keyboard. A hand is hidden until the next person has pressed Enter.
    """
    from rich.console import Console

    import sitoumus as sit

    from ..session import Session

    if resume is not None:
        session = Session.resume(sit.load_game(resume), save or resume)
    else:
        ruleset = read_rules(rules, option)
        deal = sit.Deal(seed=seed, number=number, rules=ruleset)
        people = seat.replace(",", " ").split()
        totals_read = read_totals(totals, ruleset)
        session = Session(deal, people, read_policies(policies), ruleset, dealer, totals_read, save)
    _converse(session, Console(no_color=plain or None, highlight=False, soft_wrap=True))


def _converse(session: Session, console: Console) -> None:
    """Ask and answer until the deal is over, or the input ends."""
    _complete(session)
    _show(console, session.start())
    while not session.over:
        try:
            text = input(f"{session.table.turn}> ")
        except EOFError:
            text = "quit"
        lines = session.say(text)
        if session.covered:
            console.clear()
        _show(console, lines)


def _complete(session: Session) -> None:
    """Tab completes what may be typed, where Python has readline."""
    try:
        import readline
    except ImportError:  # Windows
        return

    def complete(text: str, state: int) -> str | None:
        found = session.completions(text)
        return found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims("")
    readline.parse_and_bind("tab: complete")


def _show(console: Console, lines: list[str]) -> None:
    from rich.text import Text

    for line in lines:
        text = Text(line)
        text.highlight_regex(r"\b[2-9TJQKA][hd]\b", "red")
        text.highlight_regex(r"\bJK\b", "bold magenta")
        console.print(text)
