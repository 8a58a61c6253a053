"""Which irregularity an act is: it is played on a copy, with the core and the duties as judges."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .. import _core
from ..errors import InvalidMeldError, RulingError
from ..notation import JOKER, card_text, cards_text
from ..position import layout_of
from .editing import NO, YES, Edit, allowed, side_of
from .incidents import Step
from .penalties import ACT_MOMENTS, Irregularity

if TYPE_CHECKING:
    from .._core import Table
    from ..rules import MeldKind
    from .referee import Referee

__all__ = ["Finding", "find", "opening_points"]

_I = Irregularity
_DEUCE = 1

#: What may be done in each phase, as far as the order of a turn goes.
_PHASES = {
    "auction": {"call"},
    "opening": {"meld", "add", "done", "fail"},
    "draw": {"draw", "take", "end", "meld", "add", "ask"},
    "taken": {"extra", "meld", "add", "merge", "buy", "discard"},
    "meld": {"meld", "add", "merge", "buy", "ask", "discard"},
    "reply": {"yes", "no"},
}


@dataclass
class Finding:
    """What was found: the kind (None: all lawful), and what the words need."""

    what: Irregularity | None
    facts: dict[str, Any] = field(default_factory=dict)


def card_class(code: int) -> str:
    """The card class of a code, as rule sets have it."""
    text = card_text(code)
    if code == JOKER:
        return text
    return text[0] if text[0] != "3" else "3r" if text[1] in "dh" else "3b"


def opening_points(referee: Referee, seat: str, steps: list[Step]) -> tuple[int, int]:
    """Points of all that is laid toward an opening in this turn, and the minimum."""
    table = referee.table
    rules, side = table.rules, side_of(table, seat)
    cards = [code for step in steps if step.verb in ("meld", "add") for code in step.cards]
    for step in steps:
        if step.verb == "take" and rules.opening.top_counts and table.pile:
            cards += [*step.cards, *_core.Hand(table.pile[0]).codes]
    points = sum(rules.points[card_class(code)] for code in cards)
    return points + sum(meld.points for meld in table.melds(side)), table.minimum(side)


def find(referee: Referee, seat: str, steps: list[Step], noticed: str) -> Finding:
    """The kind of irregularity, by the first step that the core or a duty refuses.

    Raises
    ------
    RulingError
        If a step speaks of cards that the player does not hold.
    """
    trial = referee.copy()
    late = noticed in ACT_MOMENTS[1:]
    for place, step in enumerate(steps):
        found = _refused(trial, seat, step, steps[place:], late)
        if found is not None:
            if found.what == _I.SHORT_OPENING:
                found.facts["points"], found.facts["minimum"] = opening_points(referee, seat, steps)
            return found
    table = trial.table
    if _opening_unfinished(table, seat):
        points, minimum = opening_points(referee, seat, steps)
        return Finding(_I.SHORT_OPENING, {"points": points, "minimum": minimum})
    return Finding(None)


def _opening_unfinished(table: Table, seat: str) -> bool:
    side = side_of(table, seat)
    if table.phase == "opening" and table.turn == seat:
        return bool(table.melds(side)) and "done" not in table.legal_actions
    return bool(table.melds(side)) and not table.opened(side) and table.phase in ("draw", "taken", "meld")


def _refused(trial: Referee, seat: str, step: Step, rest: list[Step], late: bool) -> Finding | None:
    """What a step is; None where it is lawful, and then the trial has played it."""
    table = trial.table
    if table.phase == "over":
        raise RulingError(f"act {step.text!r}: the deal is over, so nothing can be done in it any more")
    if step.verb == "discard" and any(code in layout_of(table.rules).bonus for code in step.cards):
        return Finding(_I.ILLEGAL_DISCARD)
    _held(table, seat, step)
    if seat != table.turn:
        return _out_of_turn(table, seat, step, late)
    if step.verb == "draw" and step.number:
        return _draws(trial, step)
    if step.verb == "discard" and len(step.cards) > 1:
        return Finding(_I.DOUBLE_DISCARD)
    after = allowed(table, step.text)
    if after is not None and not trial.forbidden(step.text):
        trial.push(step.text)
        return None
    if after is not None:  # the core allows it, a duty does not
        what = {"discard": _I.DUTY_BREACH, "meld": _I.ILLEGAL_MELD, "add": _I.ILLEGAL_MELD, "merge": _I.ILLEGAL_MELD}
        return Finding(what.get(step.verb, _I.ILLEGAL_TAKE if step.verb == "take" else _I.PROCEDURE), {"duty": True})
    return _by_verb(trial, seat, step, rest, late)


def _held(table: Table, seat: str, step: Step) -> None:
    if step.verb in ("meld", "add", "take", "discard", "buy"):
        missing = Counter(step.cards) - Counter(table.hand(seat).codes)
        if missing:
            raise RulingError(f"act {step.text!r}: {seat} does not hold {cards_text(missing.elements())}")


def _draws(trial: Referee, step: Step) -> Finding | None:
    """``draw n``: against what is due."""
    table = trial.table
    due = trial.due(table.turn) if table.phase == "draw" else 0
    if step.number > due:
        return Finding(_I.EXCESS_DRAW, {"count": step.number - due})
    if step.number < due:
        return Finding(_I.SHORT_DRAW, {"count": due - step.number})
    if allowed(table, "draw") is None:
        return Finding(_I.PROCEDURE)
    trial.push("draw")
    return None


def _out_of_turn(table: Table, seat: str, step: Step, late: bool) -> Finding:
    if step.verb == "call":
        return Finding(_I.CALL_OUT_OF_TURN if table.phase == "auction" else _I.PROCEDURE)
    if step.verb in ("meld", "add"):
        if late and not _is_meld(table, seat, step):
            return Finding(_I.ILLEGAL_MELD)
        return Finding(_I.MELD_OUT_OF_TURN)
    kinds = {"draw": _I.DRAW_OUT_OF_TURN, "take": _I.ILLEGAL_TAKE, "discard": _I.DISCARD_OUT_OF_TURN}
    return Finding(kinds.get(step.verb, _I.PROCEDURE), {"out_of_turn": True})


def _by_verb(trial: Referee, seat: str, step: Step, rest: list[Step], late: bool) -> Finding:
    """What a step in turn is that the core refuses."""
    table, verb = trial.table, step.verb
    if verb == "call":
        return Finding(_I.INSUFFICIENT_BID if table.phase == "auction" else _I.PROCEDURE)
    if verb == "fail":
        return Finding(_I.FALSE_FAIL if table.phase == "opening" else _I.PROCEDURE)
    if verb == "draw":
        again = table.phase in ("taken", "meld")
        return Finding(_I.EXCESS_DRAW if again else _I.PROCEDURE, {"count": trial.table.rules.draw.stock})
    if verb == "take":
        return Finding(_I.ILLEGAL_TAKE if table.phase in ("draw", "taken", "meld") else _I.PROCEDURE)
    if verb == "ask":
        turn = table._turn_fields()
        late_one = table.rules.out.ask != "none" and (turn["laid"] or turn["took"] or turn["opening"] or turn["asked"])
        return Finding(_I.LATE_QUESTION if late_one else _I.PROCEDURE)
    if verb == "done" and table.phase == "opening":
        return Finding(_I.SHORT_OPENING)
    if verb not in ("meld", "add", "discard") or verb not in _PHASES.get(table.phase, ()):
        return Finding(_I.PROCEDURE)
    if verb == "discard":
        return _discard(table, seat)
    return _meld(trial, seat, step, rest, late)


def _discard(table: Table, seat: str) -> Finding:
    if _opening_unfinished(table, seat):
        return Finding(_I.SHORT_OPENING)
    turn = table._turn_fields()
    if len(table.hand(seat)) > 1 and (turn["asked"] == YES or turn["must_out"]):
        return Finding(_I.DUTY_BREACH, {"must_go_out": True})
    return _goes_out(table, f"discard {table.hand(seat).cards[0]}", 0)


def _meld(trial: Referee, seat: str, step: Step, rest: list[Step], late: bool) -> Finding:
    table, side = trial.table, side_of(trial.table, seat)
    if not _is_meld(table, seat, step):
        surplus = _surplus(table, step) if late and _I.EXCESS_WILD in table.rules.penalty else []
        if surplus:
            return Finding(_I.EXCESS_WILD, {"surplus": surplus})
        return Finding(_I.ILLEGAL_MELD)
    if not table.opened(side):
        laid = [other for other in rest if other.verb in ("meld", "add", "take")]
        if _is_too_little(trial, seat, laid):
            return Finding(_I.SHORT_OPENING)
    elif table.phase == "draw":
        return Finding(_I.PROCEDURE)
    return _goes_out(table, step.text, len(table.hand(seat)) - len(step.cards))


def _is_too_little(trial: Referee, seat: str, steps: list[Step]) -> bool:
    """Whether all that is laid in this turn by a side that has not opened is no opening yet."""
    table = trial.table
    rules, side = table.rules, side_of(table, seat)
    points, minimum = opening_points(trial, seat, steps)
    melds = [meld.cards for meld in table.melds(side)]
    for step in steps:
        cards = [card_text(code) for code in step.cards]
        if step.verb == "meld":
            melds.append(cards)
        elif step.verb == "add" and 0 < step.target <= len(melds):
            melds[step.target - 1] = [*melds[step.target - 1], *cards]
    complete = [meld for meld in (_as_meld(table, cards) for cards in melds) if meld is not None and meld.complete]
    if complete and rules.opening.bonus_counts:
        return False
    needs = rules.opening.demand(table.totals[side])[1]
    if needs == "natural_canasta":
        complete = [meld for meld in complete if meld.natural and rules.kind(meld.kind).shape != "wild"]
    if needs != "none" and not complete:
        return True
    short_sets = any(
        sum(card_class(code) in rules.kind(meld.kind).ranks for code in _core.Hand(meld.cards).codes)
        < rules.kind(meld.kind).open_min
        for meld in (_as_meld(table, cards) for cards in melds)
        if meld is not None
    )
    return points < minimum or short_sets


def _as_meld(table: Table, cards: list[str]) -> Any:
    try:
        return _core.Meld(cards, table.rules)
    except InvalidMeldError:
        return None


def _kind(table: Table, meld: Any) -> MeldKind:
    return table.rules.kind(meld.kind)


def _is_meld(table: Table, seat: str, step: Step) -> bool:
    """Whether the cards of a meld or an addition make a meld that the side may have beside its others."""
    melds = table.melds(side_of(table, seat))
    if step.verb == "add":
        if not 0 < step.target <= len(melds):
            return False
        meld = melds[step.target - 1]
        kind = _kind(table, meld)
        cards = [*meld.cards, *map(card_text, step.cards)]
        if _as_meld(table, cards) is None:
            return False
        grown = {kind.add_full.wild if card_class(c) in kind.wild_with else kind.add_full.natural for c in step.cards}
        return not (meld.complete and ("never" in grown or (kind.natural_closed and meld.natural)))
    new = _as_meld(table, [card_text(code) for code in step.cards])
    if new is None:
        return False
    kind = _kind(table, new)
    if kind.when == "going_out":
        return len(table.hand(seat)) - len(step.cards) < 2  # laid last or not at all
    same = [meld for meld in melds if meld.kind == new.kind and meld.cards[0][0] == new.cards[0][0]]
    open_ones = any(not meld.complete for meld in same)
    return not (same and (kind.per_rank == "one" or (kind.per_rank == "after_complete" and open_ones)))


def _surplus(table: Table, step: Step) -> list[int]:
    """The last wild cards without which a meld is lawful, in the order laid; empty if it is not even then."""
    cards, surplus = list(step.cards), list[int]()
    for place in range(len(cards) - 1, -1, -1):
        if card_class(cards[place]) not in ("JK", "2"):
            continue
        surplus.insert(0, cards.pop(place))
        if not cards or allowed(table, with_cards(step, cards)) is not None:
            return surplus if cards else []
    return []


def with_cards(step: Step, cards: list[int]) -> str:
    """The text of a meld or an addition with other cards."""
    target = f" > {step.target}" if step.target else ""
    return f"{step.verb} {' '.join(map(card_text, cards))}{target}"


def _goes_out(table: Table, text: str, left: int) -> Finding:
    """A step that would go out, or leave no way to end the turn; `left` cards stay after it."""
    turn = table._turn_fields()
    if turn["asked"] == YES and left > 1:
        return Finding(_I.DUTY_BREACH, {"must_go_out": True})
    if turn["asked"] == NO:
        return Finding(_I.MELD_AFTER_NO)
    if table.rules.out.ask == "required" and turn["asked"] != YES:
        edit = Edit(table)
        edit.turn["asked"] = YES
        if allowed(edit.done(), text) is not None:
            return Finding(_I.UNASKED_GOING_OUT)
    return Finding(_I.FALSE_GOING_OUT)
