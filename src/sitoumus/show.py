"""A table as a player sees it, as text for the terminal; pictures are drawn by `sitoumus.svg`.

Melds are shown as the rules want them laid: from the sixth card on a card lies crosswise, ``[9h]`` (R11.14), a complete
meld is squared up and shows its kind and bonus. Lock cards in the pile lie crosswise too (R16.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .reasons import opening_demand
from .rules_text import OPENING_NEEDS

if TYPE_CHECKING:
    from ._core import Meld, Table, View
    from .rules import RuleSet

__all__ = ["head_line", "is_lock", "meld_text", "meld_words", "shown_hand", "shown_hands", "side_line", "table_text"]


def meld_words(meld: Meld) -> str:
    """Kind and bonus of a complete meld, as ``natural, 500``; nothing for a meld that is not complete."""
    if not meld.complete:
        return ""
    other = {"run": "sequence", "wild": "wild meld"}
    shape = meld.rules.source.kind(meld.kind).shape
    return f"{other.get(shape, 'natural' if meld.natural else 'mixed')}, {meld.bonus}"


def meld_text(meld: Meld) -> str:
    """A meld in one line."""
    cards = meld.cards
    if meld.complete:
        return f"{' '.join(cards)}  = {meld_words(meld)}"
    if len(cards) == 6:
        cards[5] = f"[{cards[5]}]"
    return " ".join(cards)


def is_lock(card: str, rules: RuleSet) -> bool:
    """Whether a card in the pile is a lock card, which lies crosswise (R16.1)."""
    if card != "JK" and card[0] not in "23":
        return False
    name = card if card == "JK" else "2" if card[0] == "2" else {"h": "3r", "d": "3r"}.get(card[1], "3b")
    return name in rules.pile.freeze


def _pile(table: Table | View) -> str:
    return " ".join(f"[{card}]" if is_lock(card, table.rules) else card for card in table.pile) or "empty"


def shown_hands(table: Table | View) -> dict[str, list[str]]:
    """Cards of each hand; of a view ``?`` stands for each card that the seat does not know."""
    seats = getattr(table, "hand_sizes", None) or table.hands  # type: ignore[union-attr]
    return {seat: shown_hand(table, seat) for seat in seats}


def shown_hand(table: Table | View, seat: str) -> list[str]:
    """Cards of one hand, those that are not known as ``?`` behind the others."""
    sizes = getattr(table, "hand_sizes", None)
    if sizes is None:
        return table.hand(seat).cards  # type: ignore[operator]
    known = (table.hand if seat == table.seat else table.known(seat)).cards  # type: ignore[union-attr]
    return known + ["?"] * (sizes[seat] - len(known))


def head_line(table: Table | View) -> str:
    """Game, phase, whose turn it is, dealer and contract."""
    line = f"{table.rules.name}: {table.phase}, {table.turn} to act, dealer {table.dealer}"
    return f"{line}, contract {table.contract}" if table.rules.contract else line


def side_line(table: Table | View, side: str) -> str:
    """How a side stands: total, opening or minimum, what it has lost, bought and laid out."""
    extra = [f"total {table.totals[side]}", "open" if table.opened(side) else _minimum(table, side)]
    if table.penalties[side]:
        extra.append(f"lost {table.penalties[side]}")
    if table.bought(side):
        extra.append(f"bought with {' '.join(table.bought(side))}")
    if table.bonus(side):
        extra.append(f"bonus cards {' '.join(table.bonus(side))}")
    return ", ".join(extra)


def _minimum(table: Table | View, side: str) -> str:
    """The opening minimum of a side with what its band demands besides."""
    minimum, needs = opening_demand(table, side)
    return f"minimum {minimum}" + (f" and {OPENING_NEEDS[needs]}" if needs in OPENING_NEEDS else "")


def table_text(table: Table | View) -> str:
    """The whole table, hands open (those that a view knows), at most 100 columns."""
    return "\n".join(part for line in _table_lines(table) for part in _wrap(line))


def _table_lines(table: Table | View) -> list[str]:
    lines = [head_line(table)]
    if table.phase == "auction" and table.calls:
        lines.append(f"calls   {' '.join(table.calls)}")
    for seat, cards in shown_hands(table).items():
        known = [card for card in cards if card != "?"]
        hidden = len(cards) - len(known)
        words = [*known, f"?{hidden}"] if hidden else known
        lines.append(f"{seat:<7} {' '.join(words)}")
    for side in table.totals:
        lines.append(f"{side:<7} {side_line(table, side)}")
        lines += [f"  {number:>3}   {meld_text(meld)}" for number, meld in enumerate(table.melds(side), 1)]
    lines.append(f"pile    {_pile(table)}{'  (frozen)' if table.frozen else ''}")
    lines.append(f"stock   {table.stock_size}")
    if table.phase == "over" and hasattr(table, "score"):
        score = table.score()
        scores = ", ".join(f"{side} {points:+d}" for side, points in score.sides.items())
        lines.append(f"score   {scores} ({score.result}, ended by {score.ended})")
    return lines


def _wrap(line: str, width: int = 100) -> list[str]:
    parts = []
    while len(line) > width:
        cut = line.rfind(" ", 0, width)
        parts.append(line[:cut])
        line = " " * 8 + line[cut + 1 :]
    return [*parts, line]
