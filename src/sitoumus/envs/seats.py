"""What the environments of others' libraries share: one table by numbers, with players in Python where wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core, _envs, checks
from ..errors import IllegalActionError, SitoumusError
from ..play import LONGEST_MATCH, still_going
from ..policies import DEFAULT, by_seat, compiled
from ..position import layout_of

if TYPE_CHECKING:
    from .._core import Deal, Table
    from ..rules import RuleSet

__all__ = ["REWARDS", "Seats", "one_of"]

REWARDS = ("points", "win", "raw")


def one_of(name: str, value: Any, known: Sequence[Any]) -> Any:
    """The value, if it is among those known."""
    if value not in known:
        raise SitoumusError(f"{name} is {value!r}: must be one of {', '.join(map(repr, known))}")
    return value


class Seats:
    """One table, some of whose seats are played by numbers.

    Parameters
    ----------
    rules, seed, learners, skip_forced, dealer, totals
        As for `sitoumus.envs.VectorTable`.
    policies : optional
        Who plays the other seats; here policies in Python may too.
    match : bool
        Episodes are matches: deal k of match m is number 1000 m + k, as in `sitoumus.play_match`.
    """

    def __init__(
        self,
        rules: RuleSet | str | None,
        seed: int,
        learners: Sequence[str] | None,
        policies: Any = None,
        skip_forced: bool = False,
        dealer: str | None = None,
        totals: Sequence[int] | Mapping[str, int] | None = None,
        match: bool = False,
    ) -> None:
        made = _envs.check(rules)
        self.rules: RuleSet = made.source
        self.names: tuple[str, ...] = made.seats
        self.learners = self.names if learners is None else tuple(learners)
        for name in self.learners:
            one_of("a learner's seat", name, self.names)
        self.given = (policies, skip_forced, dealer, totals)
        self.match = match
        self.sums: list[int] = []
        self.deals = 0
        self.sit(seed)
        self.begun = False

    def sit(self, seed: int) -> None:
        """Take the deals of a seed."""
        policies, skip_forced, dealer, totals = self.given
        seated = by_seat(DEFAULT if policies is None else policies, self.rules)
        codes: list[Any] = []
        by_number = list(self.learners)
        self.python: dict[int, Any] = {}
        for place, (name, policy) in enumerate(zip(self.names, seated, strict=True)):
            code = compiled(policy)
            if name in self.learners:
                codes.append(None)
            elif code is None:
                self.python[place] = policy
                by_number.append(name)
                codes.append(None)
            else:
                codes.append((*code, 0))
        self.seed = seed
        self.next = 0
        self.desk = _envs.Desk(self.rules, seed, codes, by_number, skip_forced, dealer, totals, seed)

    def reset(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """Begin an episode: the next number; number 0 of a new seed; or what the options say.

        Options: ``number``; ``table``, ``deal`` or ``position``, from which the episode begins. Others are passed over,
        as PettingZoo's tests ask.
        """
        wanted = dict(options or {})
        if seed is not None:
            self.sit(seed)
        number = checks.whole("option number", wanted.get("number", self.next), 0, 2**62)
        starts = {name: wanted[name] for name in ("table", "deal", "position") if name in wanted}
        if len(starts) > 1:
            raise SitoumusError(f"options of a reset are {', '.join(starts)}: an episode begins from one of them")
        if self.match:
            if starts:
                raise SitoumusError(
                    f"option {next(iter(starts))}: an episode that is a match begins with its first deal"
                )
            self.sums = list(_core.Table(_core.Deal(rules=self.rules), totals=self.given[3]).totals.values())
            still_going(self.rules, self.sums)
            self.deals = 0
            self.next = number + 1
            self.desk.deal_of_match(1000 * number, self.names[0], self.sums)
        elif starts:
            ((kind, value),) = starts.items()
            self.desk.begin(self.table_from(kind, value))
        else:
            self.desk.deal(number)
            self.next = number + 1
        self.begun = True
        self.wait()

    def table_from(self, kind: str, value: Any) -> Table:
        """The table that an option of a reset stands for."""
        if kind == "position":
            return _core.Table.from_position(value, rules=self.rules)
        if kind == "deal":
            deal: Deal = value
            return _core.Table(deal, rules=self.rules, dealer=self.given[2] or "N", totals=self.given[3])
        table: Table = value
        return table

    def wait(self) -> None:
        """Let policies in Python play until a learner is to act or the deal is over."""
        while self.python and not self.desk.over and self.desk.seat in self.python:
            table = self.desk.table()
            action = self.python[self.desk.seat].act(_core.policy_view(table, self.seed), table.legal_actions)
            for number in _envs.encode(table, action):
                self.desk.step(number)

    def step(self, number: Any) -> bool:
        """Choose a number for the seat to act; whether it was legal."""
        if not self.begun:
            raise IllegalActionError("step before reset: an environment is first reset")
        legal = self.desk.step(number)
        if legal:
            self.wait()
        return legal

    def goes_on(self) -> bool:
        """After a deal that is over: add it to the match, and deal the next unless somebody has won."""
        if not self.match:
            return False
        number = self.desk.number // 1000
        scores = self.desk.table().score().sides.values()
        self.sums = [total + score for total, score in zip(self.sums, scores, strict=True)]
        self.deals += 1
        if self.winner() != "none" or self.deals == LONGEST_MATCH:
            return False
        self.desk.deal_of_match(1000 * number + self.deals, self.names[self.deals % len(self.names)], self.sums)
        self.wait()
        return True

    def winner(self) -> str:
        """Side that has won the match, ``draw``, or ``none`` while it goes on."""
        return _core.match_won(self.rules, self.sums, self.deals)

    def won(self) -> list[float]:
        """By seat: 1 if its side has won the match, 0 for a draw or none, else -1."""
        winner, sides = self.winner(), self.desk.rules.sides
        if winner not in sides:
            return [0.0] * len(self.names)
        layout = layout_of(self.rules)
        return [1.0 if sides[side] == winner else -1.0 for side in layout.side_of]

    def mask(self) -> np.ndarray:
        """The numbers that may be chosen, as int8."""
        out = np.empty(_envs.N, np.uint8)
        self.desk.mask(out)
        return out.view(np.int8)

    def observation(self, place: int) -> np.ndarray:
        """What a seat knows."""
        out = np.empty(_envs.LENGTH, np.uint8)
        self.desk.observe(place, out)
        return out

    def returns(self, reward: str) -> list[float]:
        """Rewards by seat at the end of a deal."""
        points = self.desk.returns()
        if reward == "win":
            return [float((value > 0) - (value < 0)) for value in points]
        return points if reward == "points" else [1000 * value for value in points]
