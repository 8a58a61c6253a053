"""Deals that fit an auction so far: those in which the others would have called as they did.

A deal counts fully if the policies of the other seats would have made every call they made, and `floor` times as much
for each call they would not have made. Deals are kept or dropped with these chances, so that those kept all weigh the
same and any study can play them: their number is the effective sample size. At levels 1 to 3 a bid of another strain
agrees: there the strain says nothing of the hand (R14.2).

In play the core deals worlds that agree with what the others have done (engine/policies/worlds.pxd).
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np

from . import _core
from ._names import PURPOSES
from .errors import StudyError
from .policies import FLOOR, compiled, is_floor
from .position import layout_of
from .study import WIDTH

if TYPE_CHECKING:
    from .rules import RuleSet
    from .run import Run

__all__ = ["FLOOR", "LEAST", "AuctionWorlds", "checked_floor"]

#: Fewer deals than these are refused.
LEAST = 100
#: Deals tried at a time; the first so many tell how far from the auction the nearest deals are.
BATCH = 4096
#: Deals tried in all.
TRIES = 2_000_000
#: Purpose of the random numbers that keep or drop a deal.
_PURPOSE = PURPOSES["auction"]


def checked_floor(floor: float | None) -> float | None:
    """The floor, if it can be one."""
    if floor is not None and not is_floor(floor):
        raise StudyError(f"floor is {floor!r}: the weight of a call must be a number from 0 to less than 1")
    return None if floor is None else float(floor)


def _callers(dealer: str, calls: Sequence[str], seat: str, rules: RuleSet) -> set[str]:
    """The seats other than `seat` that have called."""
    if not calls:
        return set()
    seats = layout_of(rules).seats
    first = seats.index(dealer) + 1
    return {seats[(first + i) % len(seats)] for i in range(len(calls))} - {seat}


class AuctionWorlds:
    """The deals of a run that fit the calls its auction begins with, found as they are asked for.

    Parameters
    ----------
    run : Run
    seat : str
        Who looks: its own calls say nothing about the others' cards.
    floor : float or None
        None: every deal fits.

    Attributes
    ----------
    others : set of str
        Seats whose calls weigh deals.
    tried : int
        Deals tried so far.
    agreeing : int
        Deals among those kept in which every call is the policy's own.
    apart : int
        Calls of the auction that no policy made in any of the first deals tried; they weigh no deal.
    """

    def __init__(self, run: Run, seat: str, floor: float | None = FLOOR):
        self.run, self.seat, self.floor = run, seat, checked_floor(floor)
        self.others = set() if floor is None else _callers(run.dealer, run.auction, seat, run.rules)
        self.tried = self.agreeing = self.apart = 0
        self._kept: list[np.ndarray] = []
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
        start, stop = self.tried, self.tried + BATCH
        apart = np.empty(BATCH, np.int16)
        _core.auction_fits(self.run.config, self.seat, start, stop, apart)
        if start == 0:
            self.apart = int(apart.min())
        key = np.random.SeedSequence(self.run.seed).generate_state(2, np.uint64)
        chance = np.random.Philox(key=key, counter=[0, _PURPOSE, start, 0]).random_raw(BATCH)
        excess = np.maximum(apart - self.apart, 0)
        floor = self.floor or 0.0
        bars = np.array([min(int(floor**k * 2**64), 2**64 - 1) for k in range(int(excess.max()) + 1)], np.uint64)
        keep = (excess == 0) | (chance < bars[excess])
        self._kept.append(start + np.flatnonzero(keep))
        self.agreeing += int((apart[keep] == 0).sum())
        self.tried = stop
