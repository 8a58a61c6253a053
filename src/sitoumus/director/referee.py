"""The referee of a table: rulings are asked for, applied, and the deal goes on under them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from .. import _core, checks
from ..errors import IllegalActionError, InvalidPositionError, RulingError, SitoumusError
from ..notation import canonical_index, cards_text, parse_cards
from ..position import layout_of
from ..score import Score
from .applying import apply_ruling
from .editing import Edit, side_of
from .incidents import Incident, Ruling, kind_named, parse_step
from .judging import first_moment, go_out_table, judge, judge_freely, may_still_draw
from .penalties import Duty, Irregularity

if TYPE_CHECKING:
    from .._core import Table
    from ..rules import RuleSet

__all__ = ["DutyActions", "Referee"]

#: The keys of the table ``referee`` in a position.
REFEREE_KEYS = ("penalty_cards", "owes", "duty", "warned", "rulings")


class DutyActions(Sequence[str]):
    """The legal actions of a table, less those that a duty forbids."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        actions = tuple(referee.table.legal_actions)
        bound = tuple(action for action in actions if not referee.forbidden(action))
        #: Where a duty would leave nothing it is void.
        self._void = not bound
        self._actions = bound or actions

    def __getitem__(self, index: Any) -> Any:
        return self._actions[index]

    def __len__(self) -> int:
        return len(self._actions)

    def __contains__(self, text: object) -> bool:
        if text not in self._referee.table.legal_actions:
            return False
        return self._void or not self._referee.forbidden(str(text))

    def __iter__(self) -> Iterator[str]:
        return iter(self._actions)

    def __repr__(self) -> str:
        return f"<{len(self)} legal actions: {', '.join(self._actions[:8])}{' ...' if len(self) > 8 else ''}>"


class Referee:
    """A table with a director beside it.

    Parameters
    ----------
    table : Table
        The table; the referee plays on a copy.

    Attributes
    ----------
    table : Table
        The table as it is after all actions and rulings.
    state : {"play", "redeal", "forfeit"}
        Whether the deal goes on.
    next_dealer : str
        The seat that deals next.

    Examples
    --------
    >>> from sitoumus import Table
    >>> position = {"rules": "finnish_canasta", "phase": "meld", "turn": "E", "totals": {"EW": 1600},
    ...             "hands": {"E": "Ac Ad 2h 4c 4d 4h 4s 4c 9d 9s Kc Qd"}}
    >>> referee = Referee(Table.from_position(position))
    >>> print(referee.judge(act=["meld Ac Ad 2h", "meld 4c 4d 4h 4s 4c"], seat="E", by="S"))
    East's opening makes 85 of 90: all cards go back, and the minimum of EW is 100 for this deal (I7.1).
    """

    def __init__(self, table: Table) -> None:
        self.table = checks.an("table", table, _core.Table, "a Table", SitoumusError).copy()
        layout = layout_of(table.rules)
        self.seats, self.sides = layout.seats, layout.sides
        self.penalty_codes: dict[str, list[int]] = {}
        self.owes: dict[str, int] = {}
        self.turn_duty: dict[str, Duty] = {}
        self.warned: dict[str, int] = {}
        self.before: dict[str, int] = {}
        self.entries: list[tuple[int, Ruling]] = []
        self.actions: list[str] = []
        self.state = "play"
        self.loser: str | None = None
        self.next_dealer = self.seats[(self.seats.index(table.dealer) + 1) % len(self.seats)]
        self._undo: list[dict[str, Any]] = []

    @classmethod
    def from_position(
        cls,
        position: Mapping[str, Any] | str | os.PathLike[str],
        rules: RuleSet | str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Referee:
        """A referee from a position, which may hold a table ``referee`` with the duties, warnings and rulings.

        Raises
        ------
        InvalidPositionError
            If the position cannot be.
        """
        from ..position import mapping_of

        plain = mapping_of(position)
        facts = plain.pop("referee", {})
        referee = cls(_core.Table.from_position(plain, rules, options))
        referee._read(facts)
        return referee

    def to_position(self) -> dict[str, Any]:
        """The position with a table ``referee`` where there is something to say."""
        position = self.table.to_position()
        facts = {
            "penalty_cards": self.penalty_cards,
            "owes": dict(self.owes),
            "duty": {seat: str(duty) for seat, duty in self.turn_duty.items()},
            "warned": {side: times for side, times in self.warned.items() if times},
            "rulings": {side: points for side, points in self.points.items() if points},
        }
        facts = {name: value for name, value in facts.items() if value}
        return {**position, "referee": facts} if facts else position

    def _read(self, facts: Any) -> None:
        if not isinstance(facts, Mapping):
            raise InvalidPositionError(f"referee = {facts!r}: it must be a table of {', '.join(REFEREE_KEYS)}")
        for key, table in facts.items():
            names = self.sides if key in ("warned", "rulings") else self.seats
            if key not in REFEREE_KEYS:
                raise InvalidPositionError(f"referee.{key}: there is no such key, only {', '.join(REFEREE_KEYS)}")
            if not isinstance(table, Mapping) or not set(table) <= set(names):
                raise InvalidPositionError(f"referee.{key} = {table!r}: it must be a table by {', '.join(names)}")
            for name, value in table.items():
                self._read_fact(key, name, value)

    def _read_fact(self, key: str, name: str, value: Any) -> None:
        where = f"referee.{key}.{name} = {value!r}"
        if key == "penalty_cards":
            codes = sorted(parse_cards(value), key=canonical_index)
            held = self.table.hand(name).codes
            if any(codes.count(code) > held.count(code) for code in codes):
                raise InvalidPositionError(f"{where}: penalty cards lie in the hand of {name}")
            self.penalty_codes[name] = codes
        elif key == "duty":
            if value not in (Duty.STOCK_ONLY, Duty.OWE, Duty.GO_OUT):
                raise InvalidPositionError(f"{where}: it must be stock_only, owe or go_out")
            self.turn_duty[name] = Duty(value)
        elif isinstance(value, bool) or not isinstance(value, int) or (value < 0 and key != "rulings"):
            raise InvalidPositionError(f"{where}: it must be a whole number")
        elif value:
            {"owes": self.owes, "warned": self.warned, "rulings": self.before}[key][name] = value

    # -- reading

    def __getattr__(self, name: str) -> Any:
        """What a table can be asked (phase, turn, hand, melds ...), of the table as it is now."""
        if name.startswith("_") or "table" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.table, name)

    def side_of(self, seat: str) -> str:
        """The side of a seat."""
        return side_of(self.table, seat)

    @property
    def player(self) -> str:
        """The seat whose turn it is, also while the partner answers."""
        return self.seats[self.table._turn_fields()["player"]]

    @property
    def penalty_cards(self) -> dict[str, str]:
        """Penalty cards by seat, as text; seats without any are left out."""
        return {seat: cards_text(codes) for seat, codes in self.penalty_codes.items() if codes}

    @property
    def rulings(self) -> list[Ruling]:
        """The rulings applied, in order."""
        return [ruling for _, ruling in self.entries]

    @property
    def points(self) -> dict[str, int]:
        """Points of all rulings by side, signed."""
        points = {side: self.before.get(side, 0) for side in self.sides}
        for ruling in self.rulings:
            for side, more in ruling.points.items():
                points[side] += more
        return points

    @property
    def legal_actions(self) -> DutyActions:
        """What may be done: the core's actions less what a duty forbids."""
        return DutyActions(self)

    def due(self, seat: str) -> int:
        """Cards that a draw from the stock gives a seat: the usual number less its debt."""
        return max(self.table.rules.draw.stock - self.owes.get(seat, 0), 0)

    def forbidden(self, text: str) -> str:
        """Why a duty forbids an action of the player in turn; empty if none does."""
        step, seat = parse_step(text), self.player
        if self.table.phase in ("auction", "opening", "reply"):
            return ""
        in_debt = self.owes.get(seat) or self.turn_duty.get(seat) == Duty.OWE
        if in_debt and step.verb in ("meld", "add", "merge", "take", "buy", "ask"):
            return f"{seat} has drawn too many cards and lays and takes nothing before the hand is right (I4.2, I4.3)"
        if step.verb == "take" and self.turn_duty.get(seat) == Duty.STOCK_ONLY:
            return f"{seat} draws from the stock in this turn (I5.1)"
        lie = self.penalty_codes.get(seat)
        if step.verb == "discard" and lie and step.cards[0] not in lie:
            return f"{seat} discards a penalty card first: {cards_text(lie)} (I10.2)"
        return ""

    # -- playing

    def push(self, text: str) -> None:
        """Carry out an action, after the duties have had their say.

        Raises
        ------
        IllegalActionError
            If the core or a duty forbids it; nothing has changed then.
        """
        if self.state != "play":
            raise IllegalActionError(f"{text!r} is not legal: the deal is over by a ruling ({self.state})")
        seat = self.player
        if text not in self.table.legal_actions:
            self.table.copy().push(text)  # raises with the reason
        why = self.forbidden(text)
        if why and text not in self.legal_actions:
            raise IllegalActionError(f"{text!r} is not legal: {why}")
        self._remember()
        step = parse_step(text)
        if step.verb == "draw" and self.owes.get(seat):
            self.draw()
            self.actions.append("draw")
            return
        several = (step.verb == "meld" and len(step.cards) > 3) or (step.verb == "add" and len(step.cards) > 1)
        done = len(self.table.actions) if several else 0
        self.table.push(text)
        self.actions += self.table.actions[done:] if several else [text]
        self.parted(seat, step.cards if step.verb in ("meld", "add", "take", "discard", "buy") else ())
        self.after_step()

    def draw(self) -> None:
        """The draw of the player in turn, shorter by a debt."""
        seat, due = self.player, self.table.rules.draw.stock
        debt = self.owes.get(seat, 0)
        if not debt:
            self.table.push("draw")
            return
        before = self.table
        for number in range(max(due - debt, 0), due + 1):  # a card more where the turn could not end
            edit = Edit(before)
            edit.phase("meld")
            edit.turn["drew"] = 1
            edit.from_stock(seat, number)
            self.table = edit.done()
            if self.table.phase == "over" or self.table.legal_actions:
                break
        self.turn_duty[seat] = Duty.OWE
        self.owes.pop(seat)
        if debt > due - number:
            self.owes[seat] = debt - (due - number)

    def parted(self, seat: str, cards: Sequence[int]) -> None:
        """Cards have left a hand: those that were penalty cards are free."""
        lie = self.penalty_codes.get(seat)
        for code in cards if lie else ():
            if lie and code in lie:
                lie.remove(code)

    def after_step(self) -> None:
        """Duties of a turn end with it; one to go out binds as soon as it shows that he can."""
        player = self.player
        if self.turn_duty.get(player) == Duty.GO_OUT and self.table.phase in ("taken", "meld"):
            bound = go_out_table(self.table)
            if bound is not None:
                self.table = bound
            if bound is not None or not may_still_draw(self.table):
                del self.turn_duty[player]
        for seat in [seat for seat in self.turn_duty if seat != player or self.table.phase == "over"]:
            del self.turn_duty[seat]

    def _remember(self) -> None:
        names = ("table", "owes", "turn_duty", "warned", "state", "loser", "next_dealer")
        kept = {name: copy(getattr(self, name)) for name in names}
        kept |= {"entries": list(self.entries), "actions": list(self.actions)}
        kept["penalty_codes"] = {seat: list(codes) for seat, codes in self.penalty_codes.items()}
        self._undo.append(kept)

    def pop(self) -> None:
        """Take back the last push or ruling.

        Raises
        ------
        IllegalActionError
            If there is none.
        """
        if not self._undo:
            raise IllegalActionError("nothing to take back: nothing has been pushed or ruled on")
        for name, value in self._undo.pop().items():
            setattr(self, name, value)

    def copy(self) -> Referee:
        """An independent referee in the same position, without the history for `pop`."""
        other = copy(self)
        self._remember()
        for name, value in self._undo.pop().items():
            setattr(other, name, value)
        other.before = dict(self.before)
        other._undo = []
        return other

    # -- rulings

    def judge(
        self,
        what: Incident | str | None = None,
        *,
        seat: str | None = None,
        act: Sequence[str] = (),
        cards: str = "",
        noticed: str | None = None,
        by: str | None = None,
        choice: str | None = None,
        discretionary: bool = False,
        **details: Any,
    ) -> Ruling:
        """The ruling on an incident; nothing is changed.

        Parameters
        ----------
        what : Incident or str, optional
            The incident, or its kind; left out, the referee finds the kind from `act`.
        seat, act, cards, noticed, by, choice
            As in `Incident`. `noticed` left out is the first moment.
        discretionary : bool
            Whether ``points`` may be more than the code has (I1.8).
        **details
            As in `Incident.details`: count, keep, known, had_turn, where, right_dealer, written, points.

        Raises
        ------
        RulingError
            If it cannot be asked: an unknown kind, a missing detail, a choice that is not open, points out of range.
        """
        if self.state != "play":
            raise RulingError(f"the deal is over by a ruling ({self.state}), so nothing in it is ruled on any more")
        if isinstance(what, Incident):
            return judge(self, what, discretionary)
        kind: Irregularity | None = None if what is None or what == "none" else kind_named(what)
        if not isinstance(seat, str):
            raise RulingError(f"seat is {seat!r}: name the seat of the offender, one of {', '.join(self.seats)}")
        if isinstance(act, str):
            act = [act]
        moment = first_moment(kind) if noticed is None else noticed
        incident = Incident(kind, seat, tuple(act), cards, moment, by, choice, details)
        return judge(self, incident, discretionary)

    def apply(self, ruling: Ruling) -> None:
        """Carry out a ruling of this table.

        Raises
        ------
        RulingError
            If it was made for another table, or the core cannot play such a deal on.
        """
        if self.state != "play":
            raise RulingError(f"the deal is over by a ruling ({self.state}), so nothing in it is ruled on any more")
        if not ruling.discretionary and judge(self, ruling.incident) != ruling:
            raise RulingError(f"this ruling on {ruling.what or 'a lawful act'} was made for another table: judge again")
        if ruling.what is None:
            for text in ruling.incident.act:
                self.push(text)
            return
        if not ruling.upheld:
            return
        self._remember()
        try:
            apply_ruling(self, ruling)
        except SitoumusError as error:
            self.pop()
            raise RulingError(str(error)) from None
        self.entries.append((len(self.actions), ruling))
        self.after_step()

    def report(self, what: Incident | str | None = None, **words: Any) -> Ruling:
        """Judge and apply; parameters as in `judge`."""
        ruling = self.judge(what, **words)
        self.apply(ruling)
        return ruling

    def overrule(self, ruling: Ruling, *, text: str | None = None, **changes: Any) -> Ruling:
        """Apply a ruling with the consequences that the director names instead; it is marked as discretionary.

        Parameters
        ----------
        ruling : Ruling
        text : str, optional
            The director's words.
        **changes
            ``remedy``, ``points`` (lost by the offender's side, or signed by side), ``minimum_raise``, ``duty``,
            ``warning``.
        """
        known = ("remedy", "points", "minimum_raise", "duty", "warning")
        for name in changes:
            if name not in known:
                raise RulingError(f"{name} cannot be overruled: a director names {', '.join(known)}")
        free = judge_freely(self, ruling, changes, text)
        self.apply(free)
        return free

    def end(self, state: str, loser: str | None = None) -> None:
        """The deal is over by a ruling; its raises, penalty cards and debts end (I2.9)."""
        self.state, self.loser = state, loser
        self.penalty_codes, self.owes, self.turn_duty = {}, {}, {}
        edit = Edit(self.table)
        edit.state["minimum_raise"] = [0] * len(self.sides)
        self.table = edit.done()
        if state == "redeal":
            self.next_dealer = self.table.dealer

    # -- the end

    @property
    def over(self) -> bool:
        """Whether the deal has ended, in play or by a ruling."""
        return self.state != "play" or self.table.phase == "over"

    @property
    def ended(self) -> str | None:
        """As for a table; ``"redeal"`` and ``"forfeit EW"`` after such a ruling."""
        if self.state == "play":
            return self.table.ended
        return f"forfeit {self.loser}" if self.loser else self.state

    def score(self) -> Score:
        """The score of the deal with its rulings; after a forfeit or a new deal the rulings alone.

        Raises
        ------
        IllegalActionError
            While the deal goes on.
        """
        from .scoring import score_with_rulings

        return score_with_rulings(self)

    @property
    def winner(self) -> str:
        """Side that has won the match with this deal and its rulings, ``"draw"``, or ``"none"`` (I14.3)."""
        if self.state == "forfeit":
            return next(side for side in self.sides if side != self.loser)
        if not self.over:
            return "none"
        score = self.score()
        sums = [total + score[side] for side, total in self.table.totals.items()]
        return _core.match_won(self.table.rules, sums, 1)

    def __repr__(self) -> str:
        return f"<Referee of {self.table!r}: {len(self.entries)} rulings, {self.state}>"
