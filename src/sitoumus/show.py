"""A table as a player sees it: text for the terminal, HTML for notebooks.

Melds are shown as the rules want them laid: from the sixth card on a card lies crosswise, ``[9h]`` (R11.14), a complete
meld is squared up and shows its kind and bonus. Lock cards in the pile lie crosswise too (R16.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .notation import card_code
from .notebook import html_table
from .rules_text import OPENING_NEEDS

if TYPE_CHECKING:
    from ._core import Deal, Hand, Meld, Table
    from .rules import RuleSet

__all__ = ["deal_html", "hand_html", "table_html", "table_text"]

_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def meld_text(meld: Meld, rules: RuleSet) -> str:
    """A meld in one line."""
    cards = meld.cards
    if meld.complete:
        other = {"run": "sequence", "wild": "wild meld"}
        nature = other.get(rules.kind(meld.kind).shape, "natural" if meld.natural else "mixed")
        return f"{' '.join(cards)}  = {nature}, {meld.bonus}"
    if len(cards) == 6:
        cards[5] = f"[{cards[5]}]"
    return " ".join(cards)


def _pile(table: Table) -> str:
    freeze = table.rules.pile.freeze
    shown = []
    for card in table.pile:
        code = card_code(card)
        name = "JK" if code == 64 else "2" if card[0] == "2" else {"h": "3r", "d": "3r"}.get(card[1], "3b")
        locks = (code == 64 or card[0] in "23") and name in freeze
        shown.append(f"[{card}]" if locks else card)
    return " ".join(shown) or "empty"


def _minimum(table: Table, side: str) -> str:
    """The opening minimum of a side with what its band demands besides."""
    minimum, needs = table.rules.opening.demand(table.totals[side])
    return f"minimum {minimum}" + (f" and {OPENING_NEEDS[needs]}" if needs in OPENING_NEEDS else "")


def table_text(table: Table) -> str:
    """The whole table, hands open, at most 100 columns."""
    return "\n".join(part for line in _table_lines(table) for part in _wrap(line))


def _table_lines(table: Table) -> list[str]:
    lines = [
        f"{table.rules.name}: {table.phase}, {table.turn} to act, dealer {table.dealer}, contract {table.contract}"
        if table.rules.contract
        else f"{table.rules.name}: {table.phase}, {table.turn} to act, dealer {table.dealer}"
    ]
    if table.phase == "auction" and table.calls:
        lines.append(f"calls   {' '.join(table.calls)}")
    lines += [f"{seat:<7} {hand}" for seat, hand in table.hands.items()]
    for side, total in table.totals.items():
        state = "open" if table.opened(side) else _minimum(table, side)
        extra = [f"total {total}", state]
        if table.penalties[side]:
            extra.append(f"lost {table.penalties[side]}")
        if table.bought(side):
            extra.append(f"bought with {' '.join(table.bought(side))}")
        if table.bonus(side):
            extra.append(f"bonus cards {' '.join(table.bonus(side))}")
        lines.append(f"{side:<7} {', '.join(extra)}")
        lines += [f"  {number:>3}   {meld_text(meld, table.rules)}" for number, meld in enumerate(table.melds(side), 1)]
    lines.append(f"pile    {_pile(table)}{'  (frozen)' if table.frozen else ''}")
    lines.append(f"stock   {table.stock_size}")
    if table.phase == "over":
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


def table_html(table: Table) -> str:
    """The same as an HTML table, suits as symbols and red suits in red."""
    first, *lines = _table_lines(table)
    rows = [[line[:8].strip(), line[8:]] for line in lines]
    return html_table(["what", "how it stands"], rows, [first])


def hand_html(hand: Hand) -> str:
    """A hand as an HTML table: its cards suit by suit, its points."""
    by_suit: dict[str, list[str]] = {}
    for card in hand.cards:
        by_suit.setdefault("joker" if card == "JK" else _SUITS[card[-1]], []).append(card)
    names = [*_SUITS.values(), "joker"]
    rows = [[name, " ".join(by_suit[name]), str(len(by_suit[name]))] for name in names if name in by_suit]
    return html_table(["suit", "hand", "number"], rows, [f"{len(hand)} cards, {hand.points} points"])


def deal_html(deal: Deal) -> str:
    """A deal as an HTML table: the hand of each seat, and the stock."""
    rows = [[seat, str(hand), str(len(hand))] for seat, hand in deal.hands.items()]
    rows.append(["stock", " ".join(deal.stock[:12]) + (" ..." if len(deal.stock) > 12 else ""), str(len(deal.stock))])
    number = "cards given" if deal.seed is None else f"seed {deal.seed}, number {deal.number}"
    return html_table(["place", "cards", "number"], rows, [f"Deal: {number}"])
