"""Edits of a table that a ruling needs and no legal action makes: cards moved, a turn passed, a flag set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .. import _core
from ..errors import InvalidPositionError, RulingError
from ..notation import canonical_index, card_text
from ..position import layout_of
from .incidents import Step

if TYPE_CHECKING:
    from .._core import Table

__all__ = ["Edit", "allowed", "force", "side_of"]

#: Answers to the question as the core keeps them.
YES, NO = 1, 2


def side_of(table: Table, seat: str) -> str:
    """The side that a seat plays for."""
    layout = layout_of(table.rules)
    return layout.sides[layout.side_of[layout.seats.index(seat)]]


def allowed(table: Table, text: str) -> Table | None:
    """The table after an action that the core allows; None if it refuses it. The table given stays as it is."""
    if text not in table.legal_actions:
        return None
    after = table.copy()
    after.push(text)
    return after


class Edit:
    """A position being edited; `done` gives the table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.layout = layout_of(table.rules)
        self.state: dict[str, Any] = table._to_state()
        self.turn: dict[str, int] = table._turn_fields()
        self.known: dict[int, list[int]] = {}

    def seat(self, seat: str) -> int:
        """Number of a seat."""
        return self.layout.seats.index(seat)

    def side(self, seat: str) -> int:
        """Number of a seat's side."""
        return self.layout.side_of[self.seat(seat)]

    def hand(self, seat: str) -> list[int]:
        """Card codes of a hand; changing the list changes the hand."""
        hand: list[int] = self.state["hands"][self.seat(seat)]
        return hand

    def leaves_hand(self, seat: str, cards: Iterable[int]) -> list[int]:
        """Take cards out of a hand."""
        hand, taken = self.hand(seat), list(cards)
        for code in taken:
            if code not in hand:
                raise RulingError(f"{seat} does not hold {card_text(code)}")
            hand.remove(code)
        return taken

    def from_stock(self, seat: str, number: int) -> int:
        """Draw cards; bonus cards are laid out and replaced (F18). How many came into the hand."""
        if self.state["phase"] in ("auction", "opening", "over"):
            raise RulingError(f"no card of the stock is drawn in phase {self.state['phase']}")
        stock, drawn = self.state["stock"], 0
        while stock and drawn < number:
            code = stock.pop(0)
            if code in self.layout.bonus:
                self.state["bonus"][self.side(seat)].append(code)
                if not stock and self.table.rules.stock.last_bonus == "end_now":
                    self.over("stock")
                    break
            else:
                self.hand(seat).append(code)
                drawn += 1
        return drawn

    def into_hand(self, seat: str, cards: Iterable[int]) -> None:
        """Put cards into a hand; bonus cards are laid out."""
        if self.state["phase"] == "over":
            raise RulingError("the deal is over: no card comes into a hand any more")
        for code in cards:
            if code in self.layout.bonus:
                self.state["bonus"][self.side(seat)].append(code)
            else:
                self.hand(seat).append(code)

    def lay(self, seat: str, cards: Iterable[int], target: int = 0) -> None:
        """Lay cards as a new meld of the side or onto meld `target`; the side has opened then."""
        melds, codes = self.state["melds"][self.side(seat)], list(cards)
        if target > len(melds):
            raise RulingError(f"the side of {seat} has no meld {target}")
        if target:
            melds[target - 1] = sorted([*melds[target - 1], *codes], key=canonical_index)
        else:
            melds.append(sorted(codes, key=canonical_index))
        self.turn["opened"] |= 1 << self.side(seat)
        if self.seat(seat) == self.turn["player"]:
            self.turn["laid"], self.turn["opening"] = 1, 0

    def phase(self, name: str) -> None:
        """Set the phase."""
        self.state["phase"] = name

    def over(self, ended: str | tuple[str, int]) -> None:
        """End the deal."""
        self.state["phase"], self.state["ended"] = "over", ended

    def pass_turn(self) -> None:
        """The player's turn is over without the core having seen its end."""
        after = (self.turn["player"] + 1) % len(self.layout.seats)
        keep = ("clean", "concealed", "failed_bids", "failed_seats", "opened", "ask_phase")
        melds = len(self.state["melds"][self.layout.side_of[after]])
        self.turn = {name: value if name in keep else 0 for name, value in self.turn.items()}
        self.turn |= {"player": after, "start_melds": melds}
        self.state |= {"phase": "draw", "turn": after}
        self.declare(after)

    def declare(self, seat: int) -> None:
        """Bonus cards that wait in a hand for its first turn are laid and replaced (F24)."""
        hand = self.state["hands"][seat]
        for code in [code for code in hand if code in self.layout.bonus]:
            hand.remove(code)
            self.state["bonus"][self.layout.side_of[seat]].append(code)
            self.from_stock(self.layout.seats[seat], 1)

    def done(self) -> Table:
        """The table with the edits, its counters and its history kept."""
        state = {**self.state, "turn_state": self.turn, "known": self.known}
        try:
            return self.table._revise(state)
        except InvalidPositionError as error:
            raise RulingError(f"the act cannot stand, since the core cannot play such a deal on: {error}") from None


def force(table: Table, seat: str, step: Step) -> Table:
    """The table after a step that stands though the core refuses it."""
    edit = Edit(table)
    mine = edit.seat(seat) == edit.turn["player"]
    if table.phase in ("auction", "opening") and step.verb in ("draw", "take", "discard"):
        raise RulingError(f"{step.text!r} cannot stand in phase {table.phase}: no play has begun")
    if step.verb in ("meld", "add"):
        edit.lay(seat, edit.leaves_hand(seat, step.cards), step.target)
    elif step.verb == "take":
        _force_take(edit, seat, step, mine)
    elif step.verb == "draw":
        edit.from_stock(seat, step.number or table.rules.draw.stock)
        if mine and edit.state["phase"] == "draw":
            edit.phase("meld")
            edit.turn["drew"] = 1
    elif step.verb == "discard":
        for code in edit.leaves_hand(seat, step.cards):
            edit.state["pile"].insert(0, code)
        if mine and not edit.hand(seat):
            edit.over(("out", edit.seat(seat)))
        elif mine:
            edit.pass_turn()
    elif step.verb == "fail":
        return _force_fail(table, seat)
    elif step.verb == "done":
        _force_done(edit, seat)
    else:  # a call, a question, an answer, procedure: what stands leaves nothing on the table
        return table
    return edit.done()


def _force_take(edit: Edit, seat: str, step: Step, mine: bool) -> None:
    """The top card and the named cards make a meld, the rest of the pile joins the hand; where they make none the
    whole pile joins it.
    """
    from ..errors import InvalidMeldError

    pile, rules = edit.state["pile"], edit.table.rules
    if not pile:
        raise RulingError("the pile is empty, so no take of it can stand")
    melds = edit.state["melds"][edit.side(seat)]
    below = melds[step.target - 1] if 0 < step.target <= len(melds) else []
    cards = [*step.cards, pile[0]]
    try:
        _core.Meld([card_text(code) for code in (*below, *cards)], rules)
    except InvalidMeldError:
        edit.into_hand(seat, pile)
    else:
        edit.leaves_hand(seat, step.cards)
        edit.lay(seat, cards, step.target)
        edit.into_hand(seat, pile[1:])
    pile.clear()
    if mine:
        edit.phase("meld")
        edit.turn |= {"took": 1, "transfer_to": 0}


def _force_fail(table: Table, seat: str) -> Table:
    """The hand is set aside, the core plays ``fail``, the hand comes back."""
    edit = Edit(table)
    hand = list(edit.hand(seat))
    edit.hand(seat).clear()
    aside = edit.done()
    aside.push("fail")
    edit = Edit(aside)
    edit.hand(seat).extend(hand)
    return edit.done()


def _force_done(edit: Edit, seat: str) -> None:
    """The opening before play counts as made: a card is turned and the first turn begins (R14.9)."""
    first = edit.seat(seat)
    rules = edit.table.rules
    assert rules.contract is not None
    if rules.contract.first_player == "dealer_left":
        first = (edit.state["dealer"] + 1) % len(edit.layout.seats)
    if edit.state["stock"]:
        edit.state["pile"].insert(0, edit.state["stock"].pop(0))
    edit.turn["opened"] |= 1 << edit.side(seat)
    edit.turn["player"] = (first - 1) % len(edit.layout.seats)
    edit.pass_turn()
    edit.turn["first_turn"] = int(rules.contract.first_player != "dealer_left")
