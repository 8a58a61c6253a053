"""Commands that show: a game in the browser, a hand as text and as a picture."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import SitoumusError, StudyError
from .options import JsonOption
from .printing import print_json, write_text
from .program import app
from .reading import whole

if TYPE_CHECKING:
    from ..record import Game


def read_games(source: str, number: int | None) -> list[Game]:
    """The games of a record, of a ``.jsonl`` file, or a deal of a dataset."""
    if Path(source).suffix in (".json", ".jsonl"):
        from ..record import load_game, load_games

        return [load_game(source, number)] if number is not None else list(load_games(source))
    import sitoumus as sit

    if number is None:
        raise StudyError(f"{source} is a dataset: say which deal, as in sitoumus view {source} --deal 42")
    return [sit.replay(sit.open_dataset(source), number)]


@app.command(epilog="Examples: sitoumus view 42.json; sitoumus view match.jsonl --seat E -o page.html")
def view(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="A game record (.json, .jsonl) or a dataset.")],
    deal: Annotated[
        int | None,
        typer.Option("--deal", metavar="N", parser=whole(0), help="Game of a .jsonl file (from 0), deal of a dataset."),
    ] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="SEAT", help="Show what this seat knows; otherwise all hands.")
    ] = None,
    at: Annotated[int, typer.Option("--at", metavar="K", parser=whole(0), help="Begin after K actions.")] = 0,
    out: Annotated[str | None, typer.Option("--out", "-o", metavar="FILE", help="Write the page here.")] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Write the page, and open no browser.")] = False,
) -> None:
    """Show games in the browser, step by step: one page that needs no network."""
    from ..page import to_html

    page = to_html(read_games(source, deal), view=seat, start=at)
    if out is not None:
        write_text(page, out, "--out")
        print(out)
        return
    handle, path = tempfile.mkstemp(prefix="sitoumus-", suffix=".html")
    os.close(handle)
    write_text(page, path, "--out")
    print(path)
    if not no_open:
        import webbrowser

        if not webbrowser.open(Path(path).as_uri()):
            raise SitoumusError(f"no browser was found: open {path} yourself")


@app.command(epilog="Example: sitoumus hand Ah Kh Qh 7s 7d 7c JK --svg hand.svg")
def hand(
    cards: Annotated[list[str], typer.Argument(metavar="CARDS", help="The cards, such as Ah Kh Qh JK.")],
    svg: Annotated[str | None, typer.Option("--svg", metavar="FILE", help="Draw the hand into this file.")] = None,
    sort: Annotated[str, typer.Option("--sort", metavar="ORDER", help="Draw by suit or by rank.")] = "suit",
    suits: Annotated[str, typer.Option("--suits", metavar="N", help="Draw in two colours or in four.")] = "two",
    as_json: JsonOption = False,
) -> None:
    """Print a hand in order with its points, and draw it."""
    import sitoumus as sit

    held = sit.Hand(" ".join(cards))
    if svg is not None:
        write_text(sit.svg.hand(held, sort=sort, suits=suits) + "\n", svg, "--svg")
    if as_json:
        print_json({"cards": str(held), "number": len(held), "points": held.points})
    else:
        print(held)
        print(f"{len(held)} cards, {held.points} points")
