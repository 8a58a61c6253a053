"""Pictures of melds, laid as the rules want it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .sheet import CARD, Sheet

if TYPE_CHECKING:
    from .._core import Hand, Meld
    from ..rules import RuleSet

__all__ = ["draw_meld", "meld"]


def meld(
    meld: Meld | Hand | str | Iterable[str],
    *,
    rules: RuleSet | str | None = None,
    size: int | None = None,
    suits: str = "two",
    style: str = "",
    lang: str = "en",
) -> str:
    """Draw a meld: the sixth card crosswise (R11.14), a complete one squared up with its kind and bonus below.

    Parameters
    ----------
    meld : Meld, Hand, str or iterable of str
    rules : RuleSet or str, optional
        Of a meld that is given as cards; Sitoumussamba if left out.
    size, suits, style, lang
        As for `sitoumus.svg.card`.

    Returns
    -------
    str
        The SVG.

    Raises
    ------
    InvalidMeldError
        If the cards are no meld.
    """
    from .._core import Meld
    from ..show import meld_words

    laid = meld if isinstance(meld, Meld) else Meld(meld, rules)
    sheet = Sheet(suits, lang)
    drawn, width, height = draw_meld(sheet, laid.cards, meld_words(laid), 0, 0, CARD[0])
    title = f"Meld of {len(laid)} cards" + (f", complete: {meld_words(laid)}" if laid.complete else "")
    return sheet.finish([drawn], width, height, title, str(laid), "meld", size, style)


def draw_meld(sheet: Sheet, cards: list[str], words: str, x: float, y: float, width: float) -> tuple[str, float, float]:
    """A meld with its upper left corner at (x, y): the drawing, its width and its height.

    Parameters
    ----------
    sheet : Sheet
    cards : list of str
    words : str
        Kind and bonus of a complete meld, empty for another.
    x, y, width : float
        Place, and width of a card.
    """
    height = width * CARD[1] / CARD[0]
    if words:
        lift = width / 16
        under = [sheet.card("?", x + place * lift, y + place * lift, width) for place in (2, 1)]
        size, foot = width * 0.27, y + height + lift * 2
        lines = (f"{len(cards)} cards,", *words.split(", "))
        names = (sheet.text(line, x, foot + size * (1.1 + 1.15 * row), size, "bonus") for row, line in enumerate(lines))
        body = "".join((*under, sheet.card(cards[0], x, y, width), *names))
        wide = max(width + 2 * lift, max(map(len, lines)) * size * 0.6)
        return f'<g class="meld complete">{body}</g>', wide, height + 2 * lift + size * (0.4 + 1.15 * len(lines))
    step, drawn = width / 2, []
    for place, card in enumerate(cards):
        drawn.append(sheet.card(card, x + place * step, y, width, across=place == 5))
    wide = (len(cards) - 1) * step + (height if len(cards) == 6 else width)
    return f'<g class="meld">{"".join(drawn)}</g>', wide, height
