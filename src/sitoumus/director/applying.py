"""What an upheld ruling does to the table: the act stands, is taken back or corrected; duties and raises follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import RulingError
from ..notation import canonical_index, card_text, parse_cards
from .editing import Edit, allowed, force
from .finding import find, with_cards
from .incidents import Incident, Ruling, Step
from .judging import go_out_table, may_still_draw, stay_in_table
from .penalties import Duty, Irregularity, Remedy

if TYPE_CHECKING:
    from .referee import Referee

__all__ = ["apply_ruling"]

_I = Irregularity


def apply_ruling(referee: Referee, ruling: Ruling) -> None:
    """Carry out an upheld ruling on the referee's table and facts."""
    incident, side = ruling.incident, referee.side_of(ruling.incident.seat)
    if ruling.remedy == Remedy.FORFEIT:
        referee.end("forfeit", side)
        return
    if ruling.remedy == Remedy.REDEAL:
        referee.end("redeal")
        return
    before = len(referee.table.hand(incident.seat))
    shown = _shown(referee, incident)
    _act(referee, ruling)
    for raised, more in ruling.minimum_raise.items():
        edit = Edit(referee.table)
        edit.state["minimum_raise"][referee.sides.index(raised)] += more
        referee.table = edit.done()
    _bind(referee, ruling, shown, len(referee.table.hand(incident.seat)) - before)
    _not_stuck(referee, incident.seat)
    if ruling.warning and ruling.what != _I.PILE_LOOK:
        referee.warned[side] = referee.warned.get(side, 0) + 1


def _not_stuck(referee: Referee, seat: str) -> None:
    """A duty to go out that cannot be done any more, since cards have moved, is void; else the deal goes on."""
    if referee.table.phase == "over":
        return
    if not referee.table.hand(seat) and seat != referee.player:
        raise RulingError(f"{seat} would have no card left before his turn, and the core cannot play such a deal on")
    if referee.table.legal_actions:
        return
    edit = Edit(referee.table)
    edit.turn |= {"asked": 0, "must_out": 0}
    referee.table = edit.done()
    if not referee.table.legal_actions:
        raise RulingError("nothing could be done after this ruling, so the core cannot play such a deal on")


def _act(referee: Referee, ruling: Ruling) -> None:
    incident, seat, what = ruling.incident, ruling.incident.seat, ruling.what
    correct = ruling.remedy == Remedy.CORRECT
    if what == _I.DEAL_OUT_OF_TURN:
        _right_dealer(referee, incident, correct)
    elif what == _I.SHORT_DRAW and correct:
        _rest_of_the_draw(referee, incident)
    elif what == _I.SHORT_TAKE and correct:
        _rest_of_the_pile(referee, incident)
    elif what == _I.EXCESS_DRAW and correct:
        if referee.table.phase == "draw" and referee.table.turn == seat and incident.act:
            referee.draw()
    elif what == _I.FOREIGN_CARD and correct:
        if incident.details.get("where") == "hand":
            edit = Edit(referee.table)
            edit.from_stock(seat, 1)
            referee.table = edit.done()
    elif what == _I.DOUBLE_DISCARD and correct:
        stays = _kept(incident)
        _play(referee, seat, Step(f"discard {card_text(stays)}", "discard", (stays,)))
    elif ruling.remedy == Remedy.STAND:
        for step in _standing_steps(referee, ruling):
            _play(referee, seat, step)
        if what == _I.SHORT_OPENING and incident.act:
            _counts_as_opening(referee, seat)


def _counts_as_opening(referee: Referee, seat: str) -> None:
    """What was laid stands as sufficient, though the core would have let it grow."""
    table, side = referee.table, referee.side_of(seat)
    if not table.melds(side) or table.opened(side):
        return
    if table.phase == "opening":
        referee.table = force(table, seat, Step("done", "done"))
        return
    edit = Edit(table)
    edit.turn |= {"opened": edit.turn["opened"] | 1 << edit.side(seat), "opening": 0, "laid": 1}
    referee.table = edit.done()


def _play(referee: Referee, seat: str, step: Step) -> None:
    """A step that is in the game: by the core where it allows it, whatever the duties say, else by hand."""
    if step.verb == "discard" and len(step.cards) > 1:
        *others, last = step.cards
        edit = Edit(referee.table)
        for code in edit.leaves_hand(seat, others):
            edit.state["pile"].insert(0, code)
        referee.parted(seat, others)
        referee.table = edit.done()
        step = Step(f"discard {card_text(last)}", "discard", (last,))
    after = None
    if referee.table.turn == seat and not step.number:
        after = allowed(referee.table, step.text)
    referee.table = force(referee.table, seat, step) if after is None else after
    referee.parted(seat, step.cards)
    referee.after_step()


def _standing_steps(referee: Referee, ruling: Ruling) -> list[Step]:
    steps = ruling.incident.steps
    if ruling.what != _I.EXCESS_WILD or not steps:
        return steps
    facts = find(referee, ruling.incident.seat, steps, ruling.incident.noticed).facts
    surplus = list(facts.get("surplus", ()))
    standing = []
    for step in steps:
        cards = list(step.cards)
        for code in reversed(cards) if surplus and step.verb in ("meld", "add") else ():
            if code in surplus:
                surplus.remove(code)
                del cards[len(cards) - 1 - cards[::-1].index(code)]
                _out_of_the_game(referee, ruling.incident.seat, code)
        text = with_cards(step, cards) if len(cards) < len(step.cards) else step.text
        standing.append(Step(text, step.verb, tuple(cards), step.target, step.number))
    return standing


def _out_of_the_game(referee: Referee, seat: str, code: int) -> None:
    edit = Edit(referee.table)
    edit.leaves_hand(seat, [code])
    referee.parted(seat, [code])
    referee.table = edit.done()


def _right_dealer(referee: Referee, incident: Incident, correct: bool) -> None:
    seats = referee.seats
    if not correct:
        referee.next_dealer = seats[(seats.index(incident.seat) + 1) % len(seats)]
        return
    dealer = incident.details.get("right_dealer")
    if dealer not in seats:
        raise RulingError(f"right_dealer is {dealer!r}: name the seat that should have dealt, of {', '.join(seats)}")
    edit = Edit(referee.table)
    first = (seats.index(dealer) + 1) % len(seats)
    edit.state |= {"dealer": seats.index(dealer), "turn": first, "calls": []}
    edit.turn["player"] = first
    if referee.table.phase == "draw":
        edit.declare(first)
    referee.table = edit.done()
    referee.next_dealer = seats[first]


def _rest_of_the_draw(referee: Referee, incident: Incident) -> None:
    if incident.act and referee.table.phase == "draw" and referee.table.turn == incident.seat:
        referee.draw()
        return
    edit = Edit(referee.table)
    edit.from_stock(incident.seat, int(incident.details.get("count", 1)))
    referee.table = edit.done()


def _rest_of_the_pile(referee: Referee, incident: Incident) -> None:
    edit = Edit(referee.table)
    pile, cards = edit.state["pile"], parse_cards(incident.cards)
    if not cards:
        raise RulingError("cards is missing: name the cards of the pile that were forgotten")
    for code in cards:
        if code not in pile:
            raise RulingError(f"cards: {card_text(code)} does not lie in the pile")
        pile.remove(code)
    edit.into_hand(incident.seat, cards)
    referee.table = edit.done()


def _kept(incident: Incident) -> int:
    """The card that stays of several discarded: the one named, else the first."""
    cards = [code for step in incident.steps if step.verb == "discard" for code in step.cards]
    named = parse_cards(str(incident.details.get("keep", "")))
    if not cards or (named and named[0] not in cards):
        raise RulingError(f"keep is {incident.details.get('keep')!r}: it must be one of the cards discarded")
    return named[0] if named else cards[0]


def _shown(referee: Referee, incident: Incident) -> list[int]:
    """The cards that become penalty cards where the row says so: those named, else those that the act showed."""
    if incident.cards:
        return parse_cards(incident.cards)
    steps = incident.steps
    cards = [c for step in steps if step.verb in ("meld", "add", "take", "discard") for c in step.cards]
    if incident.what == _I.DOUBLE_DISCARD and cards:
        cards.remove(_kept(incident))
    return cards


def _bind(referee: Referee, ruling: Ruling, shown: list[int], drawn: int) -> None:
    incident, seat = ruling.incident, ruling.incident.seat
    if ruling.duty == Duty.PENALTY_CARDS:
        held = list(referee.table.hand(seat).codes)
        lie = referee.penalty_codes.setdefault(seat, [])
        for code in [*lie, *shown]:
            if code in held:
                held.remove(code)
        room = list(referee.table.hand(seat).codes)
        cards = []
        for code in [*lie, *shown]:
            if code in room:
                room.remove(code)
                cards.append(code)
        referee.penalty_codes[seat] = sorted(cards, key=canonical_index)
        edit = Edit(referee.table)
        edit.known = {edit.seat(seat): cards}
        referee.table = edit.done()
    elif ruling.duty == Duty.OWE:
        surplus = drawn if incident.what == _I.DRAW_OUT_OF_TURN and incident.act else 1
        if incident.what == _I.EXCESS_DRAW and incident.act:
            surplus = max(drawn - referee.table.rules.draw.stock, 1) if _first_draw(incident) else drawn
        owed = referee.owes.get(seat, 0) + int(incident.details.get("count", surplus))
        if owed:
            referee.owes[seat] = owed
    elif ruling.duty == Duty.STOCK_ONLY:
        referee.turn_duty[seat] = Duty.STOCK_ONLY
    elif ruling.duty == Duty.GO_OUT:
        bound = go_out_table(referee.table)
        if bound is not None:
            referee.table = bound
        elif may_still_draw(referee.table):
            referee.turn_duty[seat] = Duty.GO_OUT
        else:
            raise RulingError(f"{seat} cannot go out, so no duty binds him to it")
    elif ruling.duty == Duty.STAY_IN:
        referee.table = stay_in_table(referee.table)


def _first_draw(incident: Incident) -> bool:
    """Whether the surplus came with the first draw of the turn (``draw 3``), not with a second one."""
    return any(step.number for step in incident.steps)
