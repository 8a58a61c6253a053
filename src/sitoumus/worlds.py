"""Deals that fit an auction so far: the one place where the calls heard are weighed.

Each of the other seats is taken to call as its policy does with the chance 1 - floor, and otherwise to make any of the
m calls that it could make, each with the same chance. So a call that the policy makes with a hand has the likelihood
1 - floor + floor / m, and a call that it does not make has floor / m. A deal weighs the product over the calls heard
(Bayes' rule: before them all deals are equally likely). Deals are kept or dropped with these chances, so that those
kept all weigh the same and any study can play them: their number is the effective sample size. At levels 1 to 3 a bid
of another strain agrees: there the strain says nothing of the hand (R14.2).

Odds, panels, best bids, thresholds and bidding tables ask this. In play the core deals worlds that agree with what the
others have done, by the same likelihood (engine/policies/worlds.pxd).
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._names import PURPOSES
from .errors import StudyError
from .policies import FLOOR, compiled, is_floor
from .position import layout_of
from .schedule import completed, thread_count, threads_executor
from .study import WIDTH

if TYPE_CHECKING:
    from .rules import RuleSet
    from .run import Run

__all__ = ["FLOOR", "LEAST", "AuctionWorlds", "checked_floor", "passes_before"]

#: Fewer deals than these are refused.
LEAST = 100
#: Deals tried at a time.
BATCH = 4096
#: Batches tried at once.
GROUP = 8
#: Where no deal among so many fits in every call, the others are weighed against the one that fits best.
SEARCH = 500_000
#: Deals tried in all.
TRIES = 4_000_000
#: Purpose of the random numbers that keep or drop a deal.
_PURPOSE = PURPOSES["auction"]


def checked_floor(floor: float | None) -> float | None:
    """The floor, if it can be one."""
    if floor is not None and not is_floor(floor):
        raise StudyError(f"floor is {floor!r}: the chance of any call must be a number from 0 to less than 1")
    return None if floor is None else float(floor)


def _callers(dealer: str, calls: Sequence[str], seat: str, rules: RuleSet) -> set[str]:
    """The seats other than `seat` that have called."""
    if not calls:
        return set()
    seats = layout_of(rules).seats
    first = seats.index(dealer) + 1
    return {seats[(first + i) % len(seats)] for i in range(len(calls))} - {seat}


def passes_before(seat: str, dealer: str, policies: Sequence[Any], rules: RuleSet) -> tuple[str, ...]:
    """The passes of the seats that call before this one, where a study names no calls: they are heard like any calls.

    None where the dealer changes, and where one of those seats plays by a policy written in Python, whose calls cannot
    be weighed.
    """
    seats = layout_of(rules).seats
    if dealer not in seats or rules.contract is None:
        return ()
    before = [(seats.index(dealer) + 1 + i) % len(seats) for i in range(len(seats))]
    before = before[: before.index(seats.index(seat))]
    if any(compiled(policies[i]) is None for i in before):
        return ()
    return ("pass",) * len(before)


class AuctionWorlds:
    """The deals of a run that fit the calls its auction begins with, found as they are asked for.

    Parameters
    ----------
    run : Run
    seat : str
        Who looks: its own calls say nothing about the others' cards.
    floor : float or None
        Chance that a seat makes any call, not that of its policy; None: every deal fits.
    threads : int, optional
        All cores if left out.

    Attributes
    ----------
    others : set of str
        Seats whose calls weigh deals.
    tried : int
        Deals tried so far.
    agreeing : int
        Deals among those kept in which every call is the policy's own.
    apart : int
        Calls of the auction that are not the policies' own in any of the deals tried.
    """

    def __init__(self, run: Run, seat: str, floor: float | None = FLOOR, threads: int | None = None):
        self.run, self.seat, self.floor = run, seat, checked_floor(floor)
        self.threads = thread_count(threads)
        self.others = set() if floor is None else _callers(run.dealer, run.auction, seat, run.rules)
        self.tried = self.agreeing = self.apart = 0
        self._kept: list[np.ndarray] = []
        self._waiting: list[tuple[int, np.ndarray, np.ndarray]] = []
        self._whole = 0
        seats = layout_of(run.rules).seats
        for other in self.others:
            if compiled(run.policies[seats.index(other)]) is None:
                raise StudyError(
                    f"auction {' '.join(run.auction)!r}: {other} has called and plays by a policy written in "
                    f"Python; calls are weighed by compiled policies, or not at all (floor=None)"
                )

    @property
    def kept(self) -> int:
        """Deals kept so far: they weigh the same, so this is the effective sample size."""
        return sum(map(len, self._kept))

    @property
    def acceptance(self) -> float:
        """Share of the deals tried that were kept."""
        return self.kept / self.tried if self.tried else 1.0

    @property
    def account(self) -> dict[str, int]:
        """What was tried and kept, as plain values."""
        return {"tried": self.tried, "kept": self.kept, "agreeing": self.agreeing, "apart": self.apart}

    def __str__(self) -> str:
        calls = f"calls so far {' '.join(self.run.auction)}"
        if not self.tried:
            return calls
        fit = f"{self.kept:,} of {self.tried:,} deals fit"
        return f"{calls}: {fit}, {self.agreeing:,} of them in every call; floor {self.floor:g}"

    @property
    def lines(self) -> list[str]:
        """The same for the terminal; nothing if there are no calls."""
        return wrap(str(self), WIDTH, subsequent_indent="  ") if self.run.auction else []

    def numbers(self, n: int) -> np.ndarray:
        """Numbers of the first n deals that fit; fewer if so many are not found among the deals tried.

        Raises
        ------
        StudyError
            If fewer than `LEAST` (or n) are found: the auction hardly happens with these policies.
        """
        if not self.others:
            return np.arange(n)
        while self.kept < n and self.tried < TRIES:
            self._try_more()
        if self.kept < min(n, LEAST):
            raise StudyError(
                f"auction {' '.join(self.run.auction)!r}: {self.kept} of {self.tried:,} deals fit it under these "
                f"policies, and {min(n, LEAST)} are needed: raise floor ({self.floor:g}), or ask other policies"
            )
        return np.concatenate(self._kept)[:n]

    def _try_more(self) -> None:
        """Weigh more deals, and keep each with a chance as great as its weight.

        What a weight is measured against is that of a deal in which every call is the policy's own. It is looked for
        among `SEARCH` deals before any is kept, so that no deal is kept or dropped by what came before it.
        """
        self._waiting += self._weighed(self.tried, self.tried + GROUP * BATCH)
        self.tried += GROUP * BATCH
        if not self._whole:
            agree = any((apart == 0).any() for _, _, apart in self._waiting)
            if not agree and self.tried < SEARCH:
                return
            self._whole = max(int(weights.max()) for _, weights, _ in self._waiting)
            self.apart = min(int(apart.min()) for _, _, apart in self._waiting)
        for start, weights, apart in self._waiting:
            self._keep(start, weights, apart)
        self._waiting.clear()

    def _weighed(self, start: int, stop: int) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """Weights of deals, in batches: number of the first deal, weights, calls that are not the policies' own."""
        found = {at: (np.empty(BATCH, np.uint64), np.empty(BATCH, np.int16)) for at in range(start, stop, BATCH)}
        config, floor = self.run.config, self.floor or 0.0

        def task(at: int) -> None:
            _core.auction_fits(config, self.seat, floor, at, at + BATCH, *found[at])

        with threads_executor(self.threads) as executor:
            for _, future in completed(executor, task, ((at,) for at in found), 2 * self.threads):
                future.result()
        return [(at, *found[at]) for at in found]

    def _keep(self, start: int, weights: np.ndarray, apart: np.ndarray) -> None:
        key = np.random.SeedSequence(self.run.seed).generate_state(2, np.uint64)
        chance = np.random.Philox(key=key, counter=[0, _PURPOSE, start, 0]).random_raw(BATCH)
        if self._whole:
            different, which = np.unique(weights, return_inverse=True)
            bars = [min((int(weight) << 64) // self._whole, 2**64 - 1) for weight in different]
            keep = (chance < np.array(bars, np.uint64)[which]) | (weights >= self._whole)
        else:  # weights too small to be told: those with the fewest other calls
            keep = apart <= self.apart
        self._kept.append(start + np.flatnonzero(keep))
        self.agreeing += int((apart[keep] == 0).sum())
