"""Cards, seats, bids and contracts as text.

A card is its rank and its suit, ``9c``, ``Th``; the joker is ``JK``. Inside the library a card is
a code: ``suit * 16 + rank`` with suits c d h s = 0 .. 3 and ranks A 2 ... K = 0 .. 12; the joker
is 64. Cards are written back in canonical order: by rank A 2 ... K, within a rank by suit
c d h s, jokers last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .checks import quoted
from .errors import InvalidActionError, InvalidCardError

__all__ = [
    "CARD_CODES",
    "JOKER",
    "RANKS",
    "SEATS",
    "STRAINS",
    "SUITS",
    "bid_number",
    "bid_text",
    "canonical_index",
    "card_code",
    "card_text",
    "cards_text",
    "contract_text",
    "parse_bid",
    "parse_cards",
    "parse_contract",
]

RANKS = "A23456789TJQK"
SUITS = "cdhs"
SEATS = ("N", "E", "S", "W")
#: In the order in which they outbid one another (R9.2).
STRAINS = ("C", "D", "H", "S", "CAN", "DEU")
JOKER = 64

#: The 53 kinds of card in canonical order.
CARD_CODES = (*(suit * 16 + rank for rank in range(13) for suit in range(4)), JOKER)

_SUIT_SPELLINGS = ("c♣♧", "d♦♢", "h♥♡", "s♠♤")
_CODE_OF = {"jk": JOKER, "joker": JOKER} | {
    spelling + suit_spelling: suit * 16 + rank
    for rank, name in enumerate(RANKS)
    for spelling in ({"t", "10"} if name == "T" else {name.lower()})
    for suit, spellings in enumerate(_SUIT_SPELLINGS)
    for suit_spelling in spellings
}
_TEXT_OF = {JOKER: "JK"} | {
    suit * 16 + rank: RANKS[rank] + SUITS[suit] for rank in range(13) for suit in range(4)
}
_RIGHT_CARD = f"a card is a rank {' '.join(RANKS)} and a suit {' '.join(SUITS)}, such as Th, or JK"
# Emoji presentation: a phone keyboard writes the hearts symbol as U+2665 U+FE0F.
_VARIATION = "\ufe0f"
_SEPARATORS = re.compile(r"[\s,]+")
_BID = re.compile(r"([0-9]+)(CAN|DEU|[CDHS])", re.IGNORECASE)


def card_code(text: str) -> int:
    """The code of a card written as text.

    Case does not matter, ``10h`` is the ten of hearts too, and suits may be symbols.

    Raises
    ------
    InvalidCardError
        If the text is no card.

    Examples
    --------
    >>> card_code("Th"), card_code("10♥"), card_code("jk")
    (41, 41, 64)
    """
    code = _lookup(text)
    if code is None:
        raise InvalidCardError(f"{text!r} is no card: {_RIGHT_CARD}")
    return code


def card_text(code: int) -> str:
    """The text of a card's code.

    Examples
    --------
    >>> card_text(41), card_text(64)
    ('Th', 'JK')
    """
    try:
        return _TEXT_OF[code]
    except (KeyError, TypeError):
        raise InvalidCardError(f"{code!r} is no card code: codes are suit * 16 + rank, joker 64") from None


def canonical_index(code: int) -> int:
    """Place of a card in canonical order, 0 to 52: ``rank * 4 + suit``, the joker last."""
    return 52 if code == JOKER else (code & 15) * 4 + (code >> 4)


def parse_cards(text: str | Iterable[str]) -> list[int]:
    """The codes of a list of cards, in the order written.

    Parameters
    ----------
    text : str or iterable of str
        Cards separated by blanks or commas, or one text for each card.

    Raises
    ------
    InvalidCardError
        If something in it is no card; the message names it and its place in the list.

    Examples
    --------
    >>> parse_cards("9c, 9D JK")
    [8, 24, 64]
    """
    if isinstance(text, str):
        tokens = [token for token in _SEPARATORS.split(text) if token]
    else:
        try:
            tokens = list(text)
        except TypeError:
            raise InvalidCardError(f"cards are a text such as 'Th 9c JK', not {quoted(text)}") from None
    codes = []
    for place, token in enumerate(tokens, 1):
        code = _lookup(token)
        if code is None:
            raise InvalidCardError(f"{quoted(token)} (card {place}) is no card: {_RIGHT_CARD}")
        codes.append(code)
    return codes


def cards_text(codes: Iterable[int]) -> str:
    """Cards as text in canonical order.

    Examples
    --------
    >>> cards_text(parse_cards("JK Kh 9d 9c Ah"))
    'Ah 9c 9d Kh JK'
    """
    return " ".join(card_text(code) for code in sorted(codes, key=canonical_index))


def parse_bid(text: str) -> tuple[int, int]:
    """Level and strain (0 to 5 for C D H S CAN DEU) of a bid.

    Raises
    ------
    InvalidActionError
        If the text is no bid.

    Examples
    --------
    >>> parse_bid("4CAN")
    (4, 4)
    """
    match = _BID.fullmatch(text) if isinstance(text, str) else None
    if match is None or len(match[1]) > 6 or int(match[1]) < 1:
        raise InvalidActionError(
            f"{quoted(text)} is no bid: a bid is a level from 1 up and a strain {' '.join(STRAINS)}, such as 3H or 2CAN"
        )
    return int(match[1]), STRAINS.index(match[2].upper())


def bid_number(text: str) -> int:
    """Rank of a bid among all bids: ``(level - 1) * 6 + strain``, so a higher number outbids (B1).

    Examples
    --------
    >>> bid_number("1C"), bid_number("3H")
    (0, 14)
    """
    level, strain = parse_bid(text)
    return (level - 1) * 6 + strain


def bid_text(number: int) -> str:
    """The bid of a number.

    Examples
    --------
    >>> bid_text(14)
    '3H'
    """
    return f"{number // 6 + 1}{STRAINS[number % 6]}"


def parse_contract(text: str, seat: str | None = None) -> tuple[int, int, int, bool] | None:
    """Read a contract: ``3H by E``, ``3H by E doubled``, or ``none``.

    Parameters
    ----------
    text : str
    seat : {"N", "E", "S", "W"}, optional
        The declarer where the text names none, as in ``4CAN doubled``.

    Returns
    -------
    tuple or None
        Level, strain (0 to 5), declarer's seat (0 to 3), doubled; None for ``none``.

    Raises
    ------
    InvalidActionError
        If the text is no contract.

    Examples
    --------
    >>> parse_contract("3H by E doubled")
    (3, 2, 1, True)
    >>> parse_contract("3H", seat="S")
    (3, 2, 2, False)
    """
    right = "a contract is 'none' or such as '3H by E' or '3H by E doubled'"
    if not isinstance(text, str):
        raise InvalidActionError(f"{quoted(text)} is no contract: {right}")
    words = text.split()
    if [word.lower() for word in words] == ["none"]:
        return None
    doubled = bool(words) and words[-1].lower() == "doubled"
    if doubled:
        words.pop()
    if len(words) == 3 and words[1].lower() == "by" and words[2].upper() in SEATS:
        declarer = words[2].upper()
    elif len(words) == 1 and seat is not None:
        declarer = seat
    else:
        raise InvalidActionError(f"{quoted(text)} is no contract: {right}")
    try:
        level, strain = parse_bid(words[0])
    except InvalidActionError as error:
        raise InvalidActionError(f"{quoted(text)} is no contract: {error}") from None
    return level, strain, SEATS.index(declarer), doubled


def contract_text(contract: tuple[int, int, int, bool] | None) -> str:
    """A contract as text, the inverse of `parse_contract`.

    Examples
    --------
    >>> contract_text((4, 4, 2, False)), contract_text(None)
    ('4CAN by S', 'none')
    """
    if contract is None:
        return "none"
    level, strain, seat, doubled = contract
    return f"{level}{STRAINS[strain]} by {SEATS[seat]}{' doubled' if doubled else ''}"


def _lookup(token: object) -> int | None:
    if not isinstance(token, str):
        return None
    return _CODE_OF.get(token.lower().replace(_VARIATION, ""))
