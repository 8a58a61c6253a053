"""Worlds that fit an auction so far: deals in which the others would have called as they did.

A deal counts fully if the policies of the other seats would have made every call they made, and `floor` times as much
for each call they would not have made. Deals are kept or dropped with these chances, so that those kept all weigh the
same and any study can play them: their number is the effective sample size. At levels 1 to 3 a bid of another strain
agrees: there the strain says nothing of the hand (R14.2).

In play a world is the table with the hidden cards dealt anew, and the hands that called are those that were dealt. Of
the cards that a seat holds and has played, those from the pile are known; of the others any as many as were dealt are
taken as equally likely to be its dealt hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from . import _core
from .errors import StudyError
from .policies import compiled
from .position import layout_of
from .study import WIDTH

if TYPE_CHECKING:
    from .rules import RuleSet
    from .run import Run

__all__ = ["FLOOR", "LEAST", "AuctionWorlds", "TableWorlds", "Worlds"]

#: Weight of a call that the policy would not have made.
FLOOR = 0.02
#: Fewer worlds than these are refused.
LEAST = 100
#: In play the floor is raised, to one of these, if fewer than this share of the worlds fit.
LEAST_SHARE = 0.01
RAISED = (0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85)
#: Deals tried at a time; the first so many tell how far from the auction the nearest deals are.
BATCH = 4096
#: Deals tried in all.
TRIES = 2_000_000
#: Purpose of the random numbers that keep or drop a deal (_rng.pxd).
_PURPOSE = 8


@dataclass
class Worlds:
    """Numbered deals of which those that fit an auction are found as they are asked for.

    Attributes
    ----------
    seed : int
        Of the random numbers that keep or drop a deal.
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

    seed: int
    floor: float | None
    calls: tuple[str, ...]
    others: set[str]
    tried: int = 0
    agreeing: int = 0
    apart: int = 0
    _kept: list[np.ndarray] = field(default_factory=list)

    what: ClassVar[str] = "deals"

    def _calls_apart(self, start: int, stop: int) -> np.ndarray:
        """For each deal the number of calls by others that their policies would not have made."""
        raise NotImplementedError

    def _look(self, excess: np.ndarray) -> None:
        """Hear how many more calls than `apart` the policies would not have made in the first deals tried."""

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
        calls = f"calls so far {' '.join(self.calls)}"
        if not self.tried:
            return calls
        fit = f"{self.kept:,} of {self.tried:,} {self.what} fit"
        return f"{calls}: {fit}, {self.agreeing:,} of them in every call; floor {self.floor:g}"

    @property
    def lines(self) -> list[str]:
        """The same for the terminal; nothing if there are no calls."""
        return wrap(str(self), WIDTH, subsequent_indent="  ") if self.calls else []

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
                f"auction {' '.join(self.calls)!r}: {self.kept} of {self.tried:,} {self.what} fit it under these "
                f"policies, and {min(n, LEAST)} are needed: raise floor ({self.floor:g}), or ask other policies"
            )
        return np.concatenate(self._kept)[:n]

    def _try_more(self) -> None:
        start, stop = self.tried, self.tried + BATCH
        apart = self._calls_apart(start, stop)
        if start == 0:
            self.apart = int(apart.min())
            self._look(np.maximum(apart - self.apart, 0))
        key = np.random.SeedSequence(self.seed).generate_state(2, np.uint64)
        chance = np.random.Philox(key=key, counter=[0, _PURPOSE, start, 0]).random_raw(BATCH)
        excess = np.maximum(apart - self.apart, 0)
        floor = self.floor or 0.0
        bars = np.array([min(int(floor**k * 2**64), 2**64 - 1) for k in range(int(excess.max()) + 1)], np.uint64)
        keep = (excess == 0) | (chance < bars[excess])
        self._kept.append(start + np.flatnonzero(keep))
        self.agreeing += int((apart[keep] == 0).sum())
        self.tried = stop


def _callers(dealer: str, calls: Sequence[str], seat: str, floor: float | None, rules: RuleSet) -> set[str]:
    """The seats other than `seat` that have called, none if calls are not to weigh."""
    if floor is None:
        return set()
    if not 0 <= floor < 1:
        raise StudyError(f"floor is {floor!r}: the weight of a call must be from 0 to less than 1")
    if not calls:
        return set()
    seats = layout_of(rules).seats
    first = seats.index(dealer) + 1
    return {seats[(first + i) % len(seats)] for i in range(len(calls))} - {seat}


class AuctionWorlds(Worlds):
    """The deals of a run that fit the calls its auction begins with.

    Parameters
    ----------
    run : Run
    seat : str
        Who looks: its own calls say nothing about the others' cards.
    floor : float or None
    """

    def __init__(self, run: Run, seat: str, floor: float | None = FLOOR):
        super().__init__(run.seed, floor, run.auction, _callers(run.dealer, run.auction, seat, floor, run.rules))
        self.run, self.seat = run, seat
        seats = layout_of(run.rules).seats
        for other in self.others:
            if compiled(run.policies[seats.index(other)]) is None:
                raise StudyError(
                    f"auction {' '.join(run.auction)!r}: {other} has called and plays by a policy written in "
                    f"Python; calls are weighed by compiled policies, or not at all (floor=None)"
                )

    def _calls_apart(self, start: int, stop: int) -> np.ndarray:
        apart = np.empty(stop - start, np.int16)
        _core.auction_fits(self.run.config, self.seat, start, stop, apart)
        return apart


class TableWorlds(Worlds):
    """The worlds of the seat to act at a table, in play, that fit the auction.

    Parameters
    ----------
    table : Table
        Set up in mid-play it does not tell what was dealt: its calls weigh nothing then.
    players : sequence of (kind, parameters, passes)
        Compiled policies by seat.
    seed : int
    floor : float or None
        Raised, unless it is 0, as far as it takes that `LEAST_SHARE` of the worlds fit.
    """

    what = "worlds"

    def __init__(self, table: _core.Table, players: Sequence[Any], seed: int, floor: float | None = FLOOR):
        calls = tuple(table.calls) if table.rules.contract else ()
        super().__init__(seed, floor, calls, _callers(table.dealer, calls, table.turn, floor, table.rules))
        self.table, self.players = table, players
        if self.others and (self._calls_apart(0, 1) < 0).any():
            self.others = set()

    def _look(self, excess: np.ndarray) -> None:
        # At a table players are not these policies: if hardly a world fits, their calls say less.
        if self.floor:
            for floor in (self.floor, *RAISED):
                if floor >= self.floor and (floor**excess).mean() >= LEAST_SHARE:
                    self.floor = floor
                    break

    def _calls_apart(self, start: int, stop: int) -> np.ndarray:
        apart = np.empty(stop - start, np.int16)
        _core.world_fits(self.table, self.players, self.seed, start, stop, apart)
        return apart
