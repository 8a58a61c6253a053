"""Many tables that are stepped together, without Python in the loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _envs, checks
from ..errors import IllegalActionError, PolicyError, SitoumusError
from ..policies import DEFAULT, by_seat, compiled
from ..position import layout_of

if TYPE_CHECKING:
    from .._core import Table
    from ..rules import RuleSet

__all__ = ["VectorTable", "seating"]

#: What an illegal number costs where it ends the deal, in the unit of rewards.
PENALTY = 1.0


def seating(rules: RuleSet, policies: Any, learners: Sequence[str] | None) -> tuple[list[Any], tuple[str, ...]]:
    """Compiled policies by seat, None for learners, and the seats of the learners: all of them if left out."""
    seats = layout_of(rules).seats
    chosen = seats if learners is None else tuple(learners)
    for seat in chosen:
        if seat not in seats:
            raise SitoumusError(f"learner {seat!r} is no seat: seats are {' '.join(seats)}")
    if not chosen:
        raise SitoumusError("learners are none: at least one seat is played by numbers")
    others = by_seat(DEFAULT if policies is None else policies, rules)
    codes: list[Any] = []
    for seat, policy in zip(seats, others, strict=True):
        code = None if seat in chosen else compiled(policy)
        if seat not in chosen and code is None:
            raise PolicyError(f"{policy!r} of seat {seat} is a Python policy: other seats play in the core here")
        codes.append(None if code is None else (*code, 0))
    return codes, chosen


class VectorTable:
    """Many tables stepped together in compiled code, their arrays written in place.

    Table k plays the deals number ``start + k``, ``start + k + num_tables`` and so on of a seed, whatever the number of
    threads, so every episode can be dealt again by ``sit.Deal(seed, number)``. Seats that are no learners are played by
    compiled policies; a table stands still only where a learner has to choose.

    Parameters
    ----------
    num_tables : int
    rules : RuleSet or str, optional
        Sitoumussamba if left out.
    seed : int
        Of the deals; also of the policies and of `sample`.
    policies : as in `sitoumus.simulate`, optional
        Who plays the seats that are no learners, as in `sitoumus.play`. Compiled policies that do not play out.
    learners : sequence of str, optional
        Seats that are played by numbers; all if left out.
    skip_forced : bool
        A learner's only legal action is played for it.
    autoreset : {"next_step", "same_step"}
        When the next deal follows: in the step after the one that ended the last (its number is then not looked at), or
        in the same step, `final_observations` holding what was seen at the end.
    reward : {"points", "win"}
        At the end of a deal, by seat: own points less the mean of the other sides', in thousands; or its sign.
    illegal : {"raise", "end"}
        An illegal number raises, and no table has changed; or it ends that deal, at a reward of -1 for its seat.
    dealer : str, optional
        Seat that deals; the number modulo the seats if left out.
    totals : sequence or dict of int, optional
        Match totals with which deals begin.
    start : int
        Number of the first deal.
    threads : int
        Among which the tables are divided.
    buffers : dict of arrays, optional
        Arrays to write into in place of new ones, by the names of the attributes.

    Attributes
    ----------
    observations : array of uint8, shape (num_tables, LENGTH)
        What the learner to act knows: see `sitoumus.envs.layout`.
    masks : array of uint8, shape (num_tables, N)
        1 for every number that it may choose; all 0 when the deal is over.
    rewards : array of float32, shape (num_tables, seats)
    terminals, truncations : array of uint8, shape (num_tables,)
        Whether the deal has ended in this step; no deal is cut short.
    seat : array of uint8, shape (num_tables,)
        Place of the learner to act, or of the last that did.
    deal : array of int64, shape (num_tables,)
        Number of the deal.
    final_observations : array of uint8, shape (num_tables, LENGTH), or None
        With ``same_step``: what the last learner knew at the end, where `terminals` is 1.

    Raises
    ------
    SitoumusError
        If an argument cannot be; PolicyError for a policy that cannot play in the core.

    Examples
    --------
    >>> tables = VectorTable(4, seed=7, learners=["S"])
    >>> tables.observations.shape[0], tables.masks.shape, tables.rewards.shape
    (4, (4, 1246), (4, 4))
    >>> for _ in range(300):
    ...     tables.step(tables.sample())
    >>> bool(tables.deal.max() > 3)
    True
    """

    def __init__(
        self,
        num_tables: int,
        rules: RuleSet | str | None = None,
        seed: int = 0,
        policies: Any = None,
        learners: Sequence[str] | None = None,
        *,
        skip_forced: bool = True,
        autoreset: str = "next_step",
        reward: str = "points",
        illegal: str = "raise",
        dealer: str | None = None,
        totals: Sequence[int] | Mapping[str, int] | None = None,
        start: int = 0,
        threads: int = 1,
        buffers: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        self.num_tables = checks.whole("num_tables", num_tables, 1, 2**20)
        self.threads = min(checks.whole("threads", threads, 1, 1024), self.num_tables)
        for name, value, known in (
            ("autoreset", autoreset, ("next_step", "same_step")),
            ("reward", reward, ("points", "win")),
            ("illegal", illegal, ("raise", "end")),
        ):
            if value not in known:
                raise SitoumusError(f"{name} is {value!r}: must be one of {', '.join(known)}")
        made = _envs.check(rules)
        self.rules: RuleSet = made.source
        self.seed, self.reward, self._raises = seed, reward, illegal == "raise"
        codes, self.learners = seating(self.rules, policies, learners)
        self.learners_places = [made.seats.index(name) for name in self.learners]
        self._arrays = self._allocate(len(made.seats), autoreset == "same_step", buffers)
        self.observations, self.masks = self._arrays["observations"], self._arrays["masks"]
        self.rewards, self.seat, self.deal = (self._arrays[name] for name in ("rewards", "seat", "deal"))
        self.terminals, self.truncations = self._arrays["terminals"], self._arrays["truncations"]
        self.final_observations: np.ndarray | None = self._arrays.get("final_observations")
        self._desks = _envs.Desks(
            num_tables,
            self.rules,
            seed,
            codes,
            self.learners,
            skip_forced,
            dealer,
            totals,
            seed,
            start,
            autoreset == "same_step",
            self._arrays,
        )
        self._ids = np.zeros(num_tables, np.int64)
        self._sampled = np.zeros(num_tables, np.int64)
        cuts = [num_tables * k // self.threads for k in range(self.threads + 1)]
        self._ranges = list(pairwise(cuts))
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
        self.reset(start)

    def _allocate(self, seats: int, finals: bool, buffers: Mapping[str, np.ndarray] | None) -> dict[str, np.ndarray]:
        n = self.num_tables
        wanted: dict[str, tuple[tuple[int, ...], Any]] = {
            "observations": ((n, _envs.LENGTH), np.uint8),
            "masks": ((n, _envs.N), np.uint8),
            "rewards": ((n, seats), np.float32),
            "terminals": ((n,), np.uint8),
            "truncations": ((n,), np.uint8),
            "seat": ((n,), np.uint8),
            "deal": ((n,), np.int64),
        }
        if finals:
            wanted["final_observations"] = ((n, _envs.LENGTH), np.uint8)
        given = dict(buffers or {})
        arrays = {}
        for name, (shape, dtype) in wanted.items():
            array = given.pop(name, None)
            if array is None:
                array = np.zeros(shape, dtype)
            elif array.shape != shape or array.dtype != dtype or not array.flags.c_contiguous:
                raise SitoumusError(
                    f"buffer {name} is {array.dtype} of shape {array.shape}: must be {np.dtype(dtype)} of shape "
                    f"{shape}, contiguous"
                )
            arrays[name] = array
        if given:
            raise SitoumusError(f"there is no buffer {next(iter(given))!r}: known are {', '.join(wanted)}")
        return arrays

    def _each(self, do: Any, *arguments: Any, after: tuple[Any, ...] = ()) -> None:
        """Call for every range of tables: the first here, the others on the threads."""
        low, high = self._ranges[0]
        if self._pool is None:
            do(*arguments, low, high, *after)
            return
        others = [self._pool.submit(do, *arguments, *span, *after) for span in self._ranges[1:]]
        do(*arguments, low, high, *after)
        for done in others:
            done.result()

    def reset(self, start: int | None = None) -> None:
        """Deal all tables anew, from number `start` on: that of the beginning if left out."""
        first = self._desks.start if start is None else checks.whole("start", start, 0, 2**62)
        self._each(lambda low, high: self._desks.reset(low, high, first))

    def step(self, ids: Any) -> None:
        """Choose a number at every table.

        Parameters
        ----------
        ids : array of int, shape (num_tables,)
            What stands there for a table whose deal is over is not looked at.

        Raises
        ------
        IllegalActionError
            With ``illegal="raise"``: if a number is not legal, or `ids` has another shape.
        """
        np.copyto(self._ids, ids, casting="same_kind")
        if self._raises:
            wrong = self._desks.illegal(self._ids)
            if wrong >= 0:
                raise IllegalActionError(
                    f"number {self._ids[wrong]} is not legal at table {wrong}, deal {self.deal[wrong]}: masks[{wrong}] "
                    "says which are; no table has been stepped"
                )
        self._each(self._desks.step, self._ids, after=(PENALTY,))
        if self.reward == "win":
            np.sign(self.rewards, out=self.rewards)

    def sample(self) -> np.ndarray:
        """A legal number for each table, each with the same chance, as an array that the next call writes anew."""
        self._each(self._desks.sample, self._sampled)
        return self._sampled

    def hidden_hands(self, out: np.ndarray | None = None) -> np.ndarray:
        """All hands, for a critic in training, never for a player.

        Returns
        -------
        array of uint8, shape (num_tables, 4, 53)
            Copies of each card in canonical order, by seat from the one to act on, in the order of play.
        """
        hands = np.zeros((self.num_tables, 4, 53), np.uint8) if out is None else out
        self._desks.hidden(hands)
        return hands

    def table(self, k: int) -> Table:
        """Table number k as a `sitoumus.Table`, without its history."""
        return self._desks.table(k)

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def __len__(self) -> int:
        return self.num_tables

    def __repr__(self) -> str:
        learners = " ".join(self.learners)
        return f"<VectorTable of {self.num_tables} tables, {self.rules.name}, learners {learners}, seed {self.seed}>"
