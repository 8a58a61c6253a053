"""A table as a player sees it: text for the terminal, HTML for notebooks.

Melds are shown as the rules want them laid: from the sixth card on a card lies crosswise, ``[9h]`` (R11.14), a complete
meld is squared up and shows its kind and bonus. Lock cards in the pile lie crosswise too (R16.1).
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from .notation import card_code
from .rules_text import OPENING_NEEDS

if TYPE_CHECKING:
    from ._core import Meld, Table
    from .rules import RuleSet

__all__ = ["table_html", "table_text"]

_SYMBOLS = str.maketrans({"c": "♣", "d": "♦", "h": "♥", "s": "♠"})


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
    return "\n".join(part for line in lines for part in _wrap(line))


def _wrap(line: str, width: int = 100) -> list[str]:
    parts = []
    while len(line) > width:
        cut = line.rfind(" ", 0, width)
        parts.append(line[:cut])
        line = " " * 8 + line[cut + 1 :]
    return [*parts, line]


def table_html(table: Table) -> str:
    """The same as an HTML table, suits as symbols and red suits in red."""
    rows = []
    for line in table_text(table).splitlines():
        cells = []
        for word in line.split(" "):
            core = word.strip("[]")
            if len(core) == 2 and core[0] in "A23456789TJQK" and core[1] in "cdhs":
                colour = "#b00020" if core[1] in "dh" else "inherit"
                cells.append(f'<span style="color:{colour}">{html.escape(word).translate(_SYMBOLS)}</span>')
            else:
                cells.append(html.escape(word))
        rows.append(" ".join(cells))
    return '<pre class="sitoumus-table">' + "\n".join(rows) + "</pre>"
