"""Pictures of auctions: the calls seat by seat, as bridge writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .sheet import LINE, TEXT, Sheet, number

if TYPE_CHECKING:
    from .._core import Table, View

__all__ = ["auction"]

_CELL = (76, 30)


def auction(
    table: Table | View, *, size: int | None = None, suits: str = "two", style: str = "", lang: str = "en"
) -> str:
    """Draw the auction of a table as a grid: a column for each seat, from the first to call on.

    Parameters
    ----------
    table : Table or View
    size, suits, style, lang
        As for `sitoumus.svg.card`.

    Returns
    -------
    str
        The SVG.
    """
    seats = _seats(table)
    first = (seats.index(table.dealer) + 1) % len(seats)
    seats = seats[first:] + seats[:first]
    sheet, (wide, high) = Sheet(suits, lang), _CELL
    width, rows = wide * len(seats), max(1, -(-len(table.calls) // len(seats)))
    body = [sheet.paper(width, high * (rows + 1) + 26)]
    body += [sheet.text(seat, place * wide + 12, 21, 16, "seat", bold=True) for place, seat in enumerate(seats)]
    body.append(f'<path class="line" d="M8 {high}H{number(width - 8)}" stroke="{LINE}"/>')
    for place, call in enumerate(table.calls):
        row, column = divmod(place, len(seats))
        body.append(_call(sheet, call, column * wide + 12, high * (row + 1) + 21))
    contract = f"Contract {table.contract}" if table.phase != "auction" else f"{table.turn} to call"
    contract = contract if table.rules.contract else "No auction in this game"
    body.append(sheet.text(contract, 12, high * (rows + 1) + 16, 14, "contract"))
    words = f"First to call {seats[0]}: {' '.join(table.calls) or 'no call yet'}. {contract}"
    return sheet.finish(body, width, high * (rows + 1) + 26, "Auction", words, "auction", size, style)


def _seats(table: Table | View) -> list[str]:
    from ..position import layout_of

    return list(layout_of(table.rules).seats)


def _call(sheet: Sheet, call: str, x: float, y: float) -> str:
    """A call; a bid in a suit has the shape of the suit after its level."""
    level, strain = call[:-1], call[-1:].lower()
    if not (level.isdigit() and strain in "cdhs"):
        return sheet.text(call, x, y, 15, "call")
    return (
        f'<g class="call bid"><text x="{number(x)}" y="{number(y)}" font-size="17" fill="{TEXT}">{level}</text>'
        f"{sheet.suit(strain, x + 6 + 10 * len(level), y - 13, 14)}</g>"
    )
