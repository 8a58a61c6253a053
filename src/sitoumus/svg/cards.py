"""Pictures of a card, of a hand, and of the hands of a deal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..errors import InvalidCardError, SitoumusError
from ..notation import card_text, parse_cards
from .sheet import CARD, Sheet

if TYPE_CHECKING:
    from .._core import Deal, Hand

__all__ = ["card", "deal", "hand", "in_order"]

#: In a hand by suits black and red take turns.
_SUITS = "cdsh"
_RANKS = "A23456789TJQK"


def card(text: str, *, size: int | None = None, suits: str = "two", style: str = "", lang: str = "en") -> str:
    """Draw one card.

    Parameters
    ----------
    text : str
        The card, such as ``"7h"`` or ``"JK"``.
    size : int, optional
        Width in pixels; without it the picture has a viewBox alone and takes the room it gets.
    suits : {"two", "four"}
        Colours: red and black, or green clubs, blue diamonds, red hearts and black spades.
    style : str
        CSS that is put into the picture; every part has a class.
    lang : str
        Language of title and words; ``"en"`` so far.

    Returns
    -------
    str
        The SVG.

    Examples
    --------
    >>> card("7h").startswith("<svg"), "<title" in card("7h")
    (True, True)
    """
    codes = parse_cards(text)
    if len(codes) != 1:
        raise InvalidCardError(f"{text!r} holds {len(codes)} cards: a picture of a card shows one")
    sheet, name = Sheet(suits, lang), card_text(codes[0])
    return sheet.finish([sheet.card(name, 0, 0)], *CARD, name, name, "card", size, style)


def in_order(cards: Iterable[str], sort: str = "suit") -> list[str]:
    """Cards in the order of a hand: by suit (jokers last), or by rank.

    Raises
    ------
    SitoumusError
        If `sort` is neither ``"suit"`` nor ``"rank"``.

    Examples
    --------
    >>> in_order(["JK", "Kd", "2h", "3c", "Kc"])
    ['3c', 'Kc', 'Kd', '2h', 'JK']
    """
    if sort not in ("suit", "rank"):
        raise SitoumusError(f"sort is {sort!r}: it must be 'suit' or 'rank'")

    def place(name: str) -> tuple[int, int]:
        if name == "JK":
            return (99, 99)
        if name == "?":
            return (100, 100)
        rank, suit = _RANKS.index(name[0]), _SUITS.index(name[1])
        return (suit, rank) if sort == "suit" else (rank, suit)

    return sorted(cards, key=place)


def hand(
    hand: Hand | str | Iterable[str],
    *,
    sort: str = "suit",
    overlap: float = 0.5,
    size: int | None = None,
    suits: str = "two",
    style: str = "",
    lang: str = "en",
) -> str:
    """Draw a hand, fanned.

    Parameters
    ----------
    hand : Hand, str or iterable of str
    sort : {"suit", "rank"}
    overlap : float
        Which part of a card the next one covers, from 0 to 0.75; at 0.5 a card shows 24 of its 48 units.
    size, suits, style, lang
        As for `card`.

    Returns
    -------
    str
        The SVG.
    """
    from .._core import Hand

    held = hand if isinstance(hand, Hand) else Hand(hand)
    if not 0 <= overlap <= 0.75:
        raise SitoumusError(f"overlap is {overlap!r}: it must be from 0 to 0.75")
    sheet = Sheet(suits, lang)
    drawn, width, height = sheet.fan(in_order(held.cards, sort), 0, 0, CARD[0], CARD[0] * (1 - overlap))
    title = f"Hand of {len(held)} cards, {held.points} points"
    return sheet.finish([drawn], width or CARD[0], height or CARD[1], title, str(held), "hand", size, style)


def deal(deal: Deal, *, size: int | None = None, suits: str = "two", style: str = "", lang: str = "en") -> str:
    """Draw a deal: the hand of each seat, and how many cards are in the stock.

    Parameters
    ----------
    deal : Deal
    size, suits, style, lang
        As for `card`.

    Returns
    -------
    str
        The SVG.
    """
    sheet = Sheet(suits, lang)
    body, y, wide = [], 10.0, 300.0
    for seat, held in deal.hands.items():
        drawn, width, height = sheet.fan(in_order(held.cards), 44, y, CARD[0], CARD[0] / 2)
        body.append(f'<g class="hand {seat}">{sheet.text(seat, 14, y + 26, 20, "seat", bold=True)}{drawn}</g>')
        y, wide = y + height + 10, max(wide, 44 + width + 12)
    number = "cards given" if deal.seed is None else f"seed {deal.seed}, number {deal.number}"
    body.append(sheet.text(f"Stock {len(deal.stock)} cards", 14, y + 14, 15, "stock"))
    y += 28
    body.insert(0, sheet.paper(wide, y))
    return sheet.finish(body, wide, y, f"Deal: {number}", str(deal), "deal", size, style)
