"""Actions as numbers, for learning programs: 1,246 numbers that mean the same in all games.

One action is one to three small choices, each a number; nearly all actions are one. A choice that has only one answer
is not asked. A number means nothing without its position: one that takes the pile does not name the rank, which is that
of the top card. (A take that names more cards to open with goes on with one number for each further card.)

=========  ========  ==================================================================================================
numbers    how many  choice
=========  ========  ==================================================================================================
0-9        10        pass double fail done draw extra ask yes no end
10-129     120       bid: 6 x (level - 1) + strain (C D H S CAN DEU), levels to 20
130-182    53        discard a card (A 2 ... K by c d h s, joker last)
183-186    4         buy with a three, by suit
187-239    53        add this card (then: slot); or one more card of a take
240        1         merge (then: slot that stays, slot that goes)
241-292    52        meld a sequence of three: lowest rank by suit
293-1062   770       meld a set: 11 ranks (no 2, 3), each 20 choices of three suits, then 10 of two by 5 wild cards
1063-1097  35        meld three of deuces and jokers
1098-1107  10        meld black threes, whole
1108-1158  51        take with cards of the top's rank: none; 10 pairs; 20 triples; 4 by 5, one and a wild card
1159-1215  57        slot 0 (a new set), 1-56: own meld as numbered in the text
1216-1245  30        locks: so many freezing cards come along
=========  ========  ==================================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from . import _envs
from .errors import IllegalActionError
from .notation import bid_text, card_text

if TYPE_CHECKING:
    import numpy as np

    from ._core import Table
    from .rules import RuleSet

__all__ = ["N", "VERSION", "decode", "encode", "ids", "mask", "name", "used"]

#: How many numbers there are.
N = _envs.N
#: Rises whenever a number changes its meaning.
VERSION = 1

_PLAIN = ("pass", "double", "fail", "done", "draw", "extra", "ask", "yes", "no", "end")
_SUITS = "cdhs"
_RANKS = "A23456789TJQK"
_WILD = ("2c", "2d", "2h", "2s", "JK")


def _card(place: int) -> str:
    return "JK" if place == 52 else card_text(16 * (place % 4) + place // 4)


def _suits(size: int) -> list[tuple[str, ...]]:
    return list(combinations_with_replacement(_SUITS, size))


@cache
def _names() -> tuple[str, ...]:
    names = [*_PLAIN, *(bid_text(bid) for bid in range(120)), *(f"discard {_card(place)}" for place in range(53))]
    names += [f"buy 3{suit}" for suit in _SUITS] + [f"card {_card(place)}" for place in range(53)] + ["merge"]
    for low in range(13):
        ranks = sorted((low + step) % 13 for step in range(3))
        names += ["meld " + " ".join(_RANKS[rank] + suit for rank in ranks) for suit in _SUITS]
    for rank in "A456789TJQK":
        names += ["meld " + " ".join(rank + suit for suit in suits) for suits in _suits(3)]
        for a, b in _suits(2):
            names += [
                f"meld {wild} {rank}{a} {rank}{b}"
                if rank != "A" and wild != "JK"
                else f"meld {rank}{a} {rank}{b} {wild}"
                for wild in _WILD
            ]
    names += ["meld " + " ".join(cards) for cards in combinations_with_replacement(_WILD, 3)]
    black = [(clubs, spades) for clubs in range(4) for spades in range(4) if clubs + spades >= 3]
    names += ["meld " + " ".join(["3c"] * clubs + ["3s"] * spades) for clubs, spades in black]
    names += ["take", *("take with " + " ".join(suits) for size in (2, 3) for suits in _suits(size))]
    names += [f"take with {suit} {wild}" for suit in _SUITS for wild in _WILD]
    return (*names, "new set", *(f"slot {slot}" for slot in range(1, 57)), *(f"locks {n}" for n in range(1, 31)))


def name(number: int) -> str:
    """What a number means, whatever the position.

    Parameters
    ----------
    number : int
        From 0 to `N` - 1.

    Raises
    ------
    IllegalActionError
        If there is no such number.

    Examples
    --------
    >>> name(4), name(22), name(182), name(1108), name(1160)
    ('draw', '3C', 'discard JK', 'take', 'slot 1')
    """
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < N:
        raise IllegalActionError(f"{number!r} is no number of an action: they go from 0 to {N - 1}")
    return _names()[number]


def mask(table: Table, prefix: Sequence[int] = ()) -> np.ndarray:
    """The numbers that may be chosen next.

    Parameters
    ----------
    table : Table
    prefix : sequence of int
        Choices made already, of an action chosen in part.

    Returns
    -------
    array of bool, shape (N,)
        All False when the deal is over, and when the prefix is a whole action.

    Raises
    ------
    IllegalActionError
        If the prefix is not legal.
    """
    import numpy as np

    out = np.zeros(N, np.uint8)
    _envs.mask(table, tuple(prefix), out)
    return out.view(bool)


def ids(table: Table, prefix: Sequence[int] = ()) -> list[int]:
    """The same as a list of numbers, in ascending order.

    Examples
    --------
    >>> from sitoumus import Deal, Table
    >>> table = Table(Deal(seed=7, number=42)).after("pass", "pass", "pass", "pass")
    >>> [name(number) for number in ids(table)]
    ['draw']
    """
    return [int(number) for number in mask(table, prefix).nonzero()[0]]


def encode(table: Table, text: str) -> tuple[int, ...]:
    """The numbers that stand for an action.

    Parameters
    ----------
    table : Table
    text : str
        A legal action; a longer ``meld`` or ``add`` gives the numbers of its single steps one after another.

    Returns
    -------
    tuple of int

    Raises
    ------
    InvalidActionError
        If the text is no action.
    IllegalActionError
        If it may not be done now.

    Examples
    --------
    >>> from sitoumus import Deal, Table
    >>> encode(Table(Deal(seed=7, number=42)), "3C")
    (22,)
    """
    return _envs.encode(table, text)


def decode(table: Table, numbers: Sequence[int]) -> str:
    """The action that numbers stand for: the reverse of `encode` for a single step.

    Raises
    ------
    IllegalActionError
        If they stand for no legal action, for a part of one, or for more than one.

    Examples
    --------
    >>> from sitoumus import Deal, Table
    >>> decode(Table(Deal(seed=7, number=42)), [22])
    '3C'
    """
    return _envs.decode(table, tuple(numbers))


def used(rules: RuleSet | str | None = None) -> np.ndarray:
    """The numbers that can occur in a game, whatever the position.

    Returns
    -------
    array of bool, shape (N,)
        False where no position of the game has that number; True need not occur.
    """
    import numpy as np

    source = _envs.check(rules).source
    return np.array([_may_occur(source, text) for text in _names()], bool)


def _may_occur(rules: Any, text: str) -> bool:
    verb, *cards = text.split()
    if cards.count("JK") > rules.pack.jokers or any(cards.count(card) > rules.pack.copies for card in cards):
        return False
    if verb in ("double", "fail", "done") or verb[0].isdigit():
        level = int(verb.rstrip("CDHSANEU")) if verb[0].isdigit() else 1
        return rules.contract is not None and level <= rules.contract.max_level
    if verb in ("ask", "yes", "no"):
        return rules.out.ask != "none"
    if verb == "buy":
        return rules.buy is not None and cards[0][1] in ("dh" if rules.buy.card == "3r" else "cs")
    if verb == "meld":
        return any(_may_begin(kind, cards) for kind in rules.melds)
    ways = rules.pile.take.open | rules.pile.take.frozen | rules.pile.take.unopened
    always = {
        "extra": rules.draw.after_pile > 0,
        "merge": any(kind.merge for kind in rules.melds),
        "locks": rules.pile.extent != "whole",
        "take": len(cards) == 0 or bool(ways - {"fit_set", "fit_full", "fit_run"}),
    }
    return always.get(verb, True)


def _may_begin(kind: Any, cards: list[str]) -> bool:
    """A meld of that kind may begin with these cards, for all that its ranks and wild cards say."""
    ranks = ["JK" if card == "JK" else card[0] for card in cards]
    if kind.when == "going_out":
        return set(ranks) == {"3"}
    if kind.shape == "run":
        return len(set(ranks)) == 3 and len({card[-1] for card in cards}) == 1 and "JK" not in ranks
    wild = {rank for rank in ranks if rank in kind.wild_with}
    natural = set(ranks) - wild
    return natural <= set(kind.ranks) and (kind.shape == "wild" or len(natural) == 1)
