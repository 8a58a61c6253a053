"""Worlds that fit an auction so far: deals in which the others would have called as they did.

A deal counts fully if the policies of the other seats would have made every call they made, and `floor` times as much
for each call they would not have made. Deals are kept or dropped with these chances, so that those kept all weigh the
same and any study can play them. At levels 1 to 3 a bid of another strain agrees: there the strain says nothing of the
hand (R14.2).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from . import _core
from .errors import StudyError
from .policies import compiled
from .position import layout_of
from .run import Run

__all__ = ["FLOOR", "LEAST", "AuctionWorlds"]

#: Weight of a call that the policy would not have made.
FLOOR = 0.02
#: Fewer worlds than these are refused.
LEAST = 100
#: Deals tried at a time; the first so many tell how far from the auction the nearest deals are.
BATCH = 4096
#: Deals tried in all.
TRIES = 2_000_000
#: Purpose of the random numbers that keep or drop a deal (_rng.pxd).
_PURPOSE = 8


@dataclass
class AuctionWorlds:
    """The deals of a run that fit the calls its auction begins with, found as they are asked for.

    Attributes
    ----------
    run : Run
    seat : str
        Who looks: its own calls say nothing about the others' cards.
    floor : float or None
        None: every deal fits.
    others : set of str
        Seats whose calls weigh deals.
    tried : int
        Deals tried so far.
    agreeing : int
        Deals among those kept in which every call is the policy's own.
    apart : int
        Calls of the auction that no policy made in any of the first deals tried; they weigh no deal.
    """

    run: Run
    seat: str
    floor: float | None = FLOOR
    tried: int = 0
    agreeing: int = 0
    apart: int = 0
    others: set[str] = field(default_factory=set)
    _kept: list[np.ndarray] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.floor is None:
            self.others = set()
            return
        if not 0 <= self.floor < 1:
            raise StudyError(f"floor is {self.floor!r}: the weight of a call must be from 0 to less than 1")
        seats = layout_of(self.run.rules).seats
        first = seats.index(self.run.dealer) + 1
        self.others = {seats[(first + i) % len(seats)] for i in range(len(self.run.auction))} - {self.seat}
        for seat in self.others:
            if compiled(self.run.policies[seats.index(seat)]) is None:
                raise StudyError(
                    f"auction {' '.join(self.run.auction)!r}: {seat} has called and plays by a policy written in "
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
        return f"{calls}: {self.kept:,} of {self.tried:,} deals fit, {self.agreeing:,} of them in every call"

    def numbers(self, n: int) -> np.ndarray:
        """Numbers of the first n deals that fit; fewer if so many are not found among the deals tried.

        Raises
        ------
        StudyError
            If fewer than `LEAST` (or n) are found: the auction hardly happens with these policies.
        """
        if self.floor is None or not self.others:
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
