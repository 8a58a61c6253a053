"""Pictures of a table: hands around it, the melds of each side, pile and stock between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import SitoumusError
from ..position import layout_of
from ..show import head_line, is_lock, meld_words, shown_hands, side_line, table_text
from .cards import in_order
from .melds import draw_meld
from .sheet import CARD, Sheet

if TYPE_CHECKING:
    from .._core import Table, View

__all__ = ["table"]

#: Width of the picture, its margin, the columns of the seats on the left and right, and cards in hands and melds.
WIDE, EDGE, COLUMN, HELD, LAID = 760, 14, 132, 40, 32


def table(
    table: Table | View,
    view: str | None = None,
    orientation: str = "S",
    lastaction: str | None = None,
    *,
    size: int | None = None,
    suits: str = "two",
    style: str = "",
    lang: str = "en",
) -> str:
    """Draw a table.

    Parameters
    ----------
    table : Table or View
        A view is drawn with what its seat knows.
    view : str, optional
        The seat whose knowledge is drawn; all hands lie open if left out. What the seat does not know is not in the
        picture at all.
    orientation : str
        The seat at the bottom.
    lastaction : str, optional
        A line about the last action, such as ``"E discard 4c"``.
    size, suits, style, lang
        As for `sitoumus.svg.card`.

    Returns
    -------
    str
        The SVG.
    """
    seats = list(layout_of(table.rules).seats)
    for name, seat in (("view", view), ("orientation", orientation)):
        if seat is not None and seat not in seats:
            raise SitoumusError(f"{name} is {seat!r}: the seats of this table are {' '.join(seats)}")
    if view is not None:
        if not hasattr(table, "view"):
            raise SitoumusError("view is for tables: what is given is a view already")
        table = table.view(view)
    sheet = Sheet(suits, lang)
    drawing = _Drawing(sheet, table, seats, orientation)
    body, height = drawing.whole(lastaction)
    body.insert(0, sheet.paper(WIDE, height))
    return sheet.finish(body, WIDE, height, head_line(table), table_text(table), "table", size, style)


class _Drawing:
    """The parts of one picture of a table."""

    def __init__(self, sheet: Sheet, table: Table | View, seats: list[str], bottom: str) -> None:
        self.sheet, self.table = sheet, table
        self.hands = shown_hands(table)
        start = seats.index(bottom)
        order = seats[start:] + seats[:start]
        places = {2: ("bottom", "top"), 3: ("bottom", "left", "right"), 4: ("bottom", "left", "top", "right")}
        self.seat_at = dict(zip(places[len(seats)], order, strict=True))

    def whole(self, lastaction: str | None) -> tuple[list[str], float]:
        sheet, y = self.sheet, 26.0
        body = [sheet.text(head_line(self.table), EDGE, y, 15, "head", bold=True)]
        if lastaction:
            y += 20
            body.append(sheet.text(lastaction, EDGE, y, 14, "lastaction"))
        y += 12
        for place, row in (("top", True), ("middle", False), ("bottom", True)):
            drawn, height = self.hand(place, EDGE, y, 36) if row else self.middle(y)
            body += drawn
            y += height + 12 if height else 0
        return body, y

    def hand(self, place: str, x: float, y: float, row: int) -> tuple[list[str], float]:
        """The hand of the seat at a place, with so many cards in a row."""
        if place not in self.seat_at:
            return [], 0
        seat, sheet = self.seat_at[place], self.sheet
        cards = in_order(self.hands[seat])
        wide, step = (HELD, 19.0) if row > 10 else (30, 14.0)
        mark = " ◂" if seat == self.table.turn and self.table.phase != "over" else ""
        dealer = ", dealer" if seat == self.table.dealer else ""
        name = sheet.text(f"{seat}{mark}  {len(cards)} cards{dealer}", x, y + 14, 14, "seat", bold=True)
        drawn, _, height = sheet.fan(cards, x, y + 20, wide, step, row)
        return [f'<g class="hand {seat}">{name}{drawn}</g>'], 20 + height

    def middle(self, y: float) -> tuple[list[str], float]:
        """The hands at the sides; between them the melds of the sides with pile and stock."""
        left, left_height = self.hand("left", EDGE, y, 8)
        right, right_height = self.hand("right", WIDE - EDGE - COLUMN, y, 8)
        start = EDGE + COLUMN + 14 if left_height else EDGE
        room = WIDE - start - (EDGE + COLUMN + 14 if right_height else EDGE)
        own = next(side for side in self.table.totals if self.seat_at["bottom"] in side)
        body, height = [*left, *right], 0.0
        for side in (*(side for side in self.table.totals if side != own), None, own):
            place = (start, y + height, room)
            drawn, deep = self.pile(*place) if side is None else self.side(side, *place)
            body += drawn
            height += deep + 10
        return body, max(height, left_height, right_height)

    def side(self, side: str, x: float, y: float, room: float) -> tuple[list[str], float]:
        """What a side has laid, in as many rows as it takes."""
        sheet, table = self.sheet, self.table
        lines = _wrapped(f"{side}: {side_line(table, side)}", int(room / 6.6))
        body = [sheet.text(line, x, y + 14 + 16 * row, 13, "side", bold=not row) for row, line in enumerate(lines)]
        top, left, deep = y + 6 + 16 * len(lines), 0.0, 0.0
        for meld in table.melds(side):
            words = meld_words(meld)
            _, wide, high = draw_meld(sheet, meld.cards, words, 0, 0, LAID)
            if left and left + wide > room:
                top, left, deep = top + deep + 6, 0.0, 0.0
            body.append(draw_meld(sheet, meld.cards, words, x + left, top, LAID)[0])
            left, deep = left + wide + 12, max(deep, high)
        return [f'<g class="side {side}">{"".join(body)}</g>'], top + deep - y

    def pile(self, x: float, y: float, room: float) -> tuple[list[str], float]:
        """The pile, top card first and marked, lock cards crosswise; the stock as a number."""
        sheet, table = self.sheet, self.table
        frozen = ", frozen" if table.frozen else ""
        number = len(table.pile)
        words = f"Pile {number} cards{frozen}" if number else "Pile empty"
        body = [sheet.text(f"Stock {table.stock_size}  {words}", x, y + 14, 13, "pile", bold=True)]
        high = LAID * CARD[1] / CARD[0]
        step, left, top = LAID / 2, 0.0, y + 22
        for place, card in enumerate(table.pile):
            across = is_lock(card, table.rules)
            wide = high if across else LAID
            if left + wide > room:
                left, top = 0.0, top + high * 0.7
            body.append(sheet.card(card, x + left, top, LAID, across))
            if not place:
                body.append(sheet.text("top", x + left + 2, top + high + 13, 12, "top"))
                left += wide + 8
            else:
                left += LAID * 0.8 if across else step
        return [f'<g class="pile">{"".join(body)}</g>'], (top + high + 16 - y) if number else 22


def _wrapped(text: str, width: int) -> Sequence[str]:
    """A line in parts of so many letters."""
    import textwrap

    return textwrap.wrap(text, width) or [text]
