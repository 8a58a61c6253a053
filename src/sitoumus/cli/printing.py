"""What a command prints: tables, scores, games, studies."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import StudyError, StudyInterrupted

if TYPE_CHECKING:
    import pandas as pd

    from .._core import Table
    from ..club.typed import TypedDeal
    from ..record import Game
from .complaints import Part, say_stopped


def save_game(game: Game, path: str) -> None:
    """Write the record of a game."""
    try:
        game.save(path)
    except OSError as error:
        raise StudyError(f"{path} cannot be written: {error}") from None


def write_text(text: str, path: str, option: str) -> None:
    """Write a page or a picture."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise StudyError(f"{option} {path}: {error}") from None


def draw_table(table: Table, path: str) -> None:
    """Write the picture of a table."""
    from .. import svg

    write_text(svg.table(table) + "\n", path, "--svg")


# What the library gave, made into text.


def print_json(value: Any) -> None:
    """Print a value as one JSON text."""
    print(json.dumps(value, ensure_ascii=False))


def print_table(head: list[str], rows: list[list[str]]) -> None:
    """Columns side by side, numbers to the right; as wide as they need."""
    columns = list(zip(head, *rows, strict=True))
    for row in (head, *rows):
        cells = []
        for cell, column in zip(row, columns, strict=True):
            number = all(is_number(value) for value in column[1:])
            cells.append((cell.rjust if number else cell.ljust)(max(map(len, column))))
        print("  ".join(cells).rstrip())


def is_number(text: str) -> bool:
    """Whether a cell of a table is a number, to stand on the right."""
    return text.lstrip("-").replace(".", "", 1).isdigit()


def plain_text(value: Any) -> str:
    """A value of a frame as text."""
    if value is None:
        return "-"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)


def print_score(score: Any, table: Any, as_json: bool = False, as_csv: bool = False) -> None:
    """Print how a deal was scored, line by line."""
    explained: pd.DataFrame = score.explain()
    if as_json:
        from ..position import layout_of

        sides = layout_of(table.rules).sides
        print_json(
            {
                "contract": table.contract,
                "result": score.result,
                "ended": score.ended,
                "scores": {side: score[side] for side in sides},
                "explain": explained.to_dict("records"),
            }
        )
    elif as_csv:
        explained.to_csv(sys.stdout, index=False)
    else:
        if table.rules.contract:
            print(f"Contract {table.contract}: {score.result}")
        print(f"The deal ended: {score.ended}")
        rows = [[str(value) for value in row] for row in explained.itertuples(index=False)]
        rows += [[side, "", "score", str(points)] for side, points in score.sides.items()]
        print_table(list(explained.columns), rows)


def print_typed(deal: TypedDeal, strict: bool, as_json: bool = False, as_csv: bool = False) -> None:
    """Print how a typed deal was scored, and what is doubtful in it."""
    score = deal.score(strict)
    if as_json:
        print_json(
            {
                "contract": deal.contract,
                **score.to_dict(),
                "doubts": list(score.doubts),
                "explain": score.explain().to_dict("records"),
            }
        )
    elif as_csv:
        score.explain().to_csv(sys.stdout, index=False)
    else:
        print_score(score, deal)
        for doubt in score.doubts:
            print(f"doubtful: {doubt}")


def print_game(game: Game) -> None:
    """Print a game: the cards, the calls, the turns, the score."""
    print(game)
    print(f"Dealer {game.dealer}, dealt:")
    for seat, hand in game.deal.hands.items():
        print(f"  {seat}: {hand}")
    print()
    print(game.transcript())
    print()
    if not game.over:
        print(f"The deal goes on: {game.table.turn} is to act in phase {game.table.phase}")
    else:
        print_score(game.score, game.table)


def show_study(ask: Callable[[], Any], as_json: bool, as_csv: bool, plot: str | None, save: str | None = None) -> None:
    """Print a study; after ctrl-C what is known so far, with status 130."""
    ready_to_write(as_json, as_csv, plot)
    status = 0
    try:
        result = ask()
    except StudyInterrupted as stopped:
        result, status = stopped.result, 130
        say_stopped(*asked_and_came(result))
    if save is not None:
        try:
            Path(save).write_text(result.to_toml(), encoding="utf-8")
        except OSError as error:
            raise StudyError(f"--save {save}: {error}") from None
    print_study(result, as_json, as_csv, plot)
    if status:
        raise Part


def asked_and_came(result: Any) -> tuple[str, str]:
    """Of a study that was stopped, how much was asked for and how much it is the answer of."""
    question = getattr(result, "question", None) or {}
    for name in ("pairs", "hands", "deals"):
        asked, came = question.get(name), getattr(result, name, None)
        if isinstance(asked, int):
            return f"{asked:,} {name}", f"the answer of {came:,} of them" if isinstance(came, int) else "a part of it"
    came = getattr(result, "deals", None)
    return "all deals of the study", f"the answer of {came:,} of them" if isinstance(came, int) else "a part of it"


def ready_to_write(as_json: bool, as_csv: bool, plot: str | None = None) -> None:
    """Refuse output that cannot be written, before anything is played for it."""
    if as_json and as_csv:
        raise StudyError("--json and --csv both write to standard output: give one of the two")
    if plot is not None:
        from ..plots import check_file

        check_file(plot)


def draw_plot(axes: Any, plot: str) -> None:
    """Save a picture."""
    from ..plots import save

    save(axes, plot)


def print_study(result: Any, as_json: bool, as_csv: bool, plot: str | None) -> None:
    """Print what a study found, as text, JSON or CSV, and draw it where that is asked."""
    if plot is not None:
        draw_plot(result.plot(), plot)
    if as_json:
        print_json(result.to_dict())
    elif as_csv:
        result.frame.to_csv(sys.stdout, index=False)
    else:
        print(result)


def print_summary(frame: pd.DataFrame) -> str:
    """The rows of a run in a few lines: how deals ended, and the mean of every number."""
    lines = [f"{len(frame)} deals"]
    for column in ("result", "ended"):
        if column not in frame:
            continue  # games without contracts have no result
        shares = frame[column].value_counts(normalize=True, sort=False)
        lines.append(f"{column}: " + ", ".join(f"{name} {share:.4f}" for name, share in shares.items() if share))
    numbers = frame.drop(columns="deal").select_dtypes("number")
    described = numbers.agg(["mean", "std", "min", "max"]).T
    lines.append(described.to_string(float_format=lambda value: f"{value:.2f}"))
    return "\n".join(lines)
