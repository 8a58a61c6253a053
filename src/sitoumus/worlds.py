"""Deals that fit an auction so far: the one place where the calls heard are weighed.

Each of the other seats is taken to call as its policy does with the chance 1 - floor, and otherwise to make any of the
n calls that it could make, each with the same chance. At levels 1 to 3 the strain of a bid says nothing of the hand
(R14.2), so what is heard there is the level: one of the m bids of it that could be made (elsewhere m is 1). With a hand
with which the policy makes one of them this is heard with the chance 1 - floor + floor m / n, with any other hand with
the chance floor m / n. A deal weighs the product over the calls heard (Bayes' rule: before them all deals are equally
likely). It depends on these calls and on nothing else.

Deals are kept or dropped with chances in proportion to their weights, so that those kept all weigh the same and any
study can play them: their number is the effective sample size.

Odds, panels, best bids, thresholds and bidding tables ask this. In play the core deals worlds that agree with what the
others have done, by the same likelihood (engine/policies/worlds.pxd).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, checks
from ._names import PURPOSES
from .errors import StudyError
from .notation import parse_contract
from .policies import FLOOR, compiled, is_floor
from .position import layout_of
from .schedule import completed, thread_count, threads_executor
from .study import WIDTH

if TYPE_CHECKING:
    from .rules import RuleSet
    from .run import Run

__all__ = ["FLOOR", "LEAST", "AuctionWorlds", "Heard", "checked_floor"]

#: Fewer deals than these are refused.
LEAST = 100
#: Deals tried at a time.
BATCH = 4096
#: Batches tried at once.
GROUP = 8
#: Weight of a deal in which every call is its policy's own (engine/policies/past.pxd).
WHOLE = 1 << 63
#: Where no deal fits in every call, the others are weighed against the one that fits best as soon as deals that fit in
#: every call have, at 95 %, no more than this share of all weight, or after so many deals tried.
UNSEEN = 0.02
SEARCH = 2_000_000
#: Deals tried in all.
TRIES = 4_000_000
#: Purpose of the random numbers that keep or drop a deal.
_PURPOSE = PURPOSES["auction"]


def checked_floor(floor: float | None) -> float | None:
    """The floor, if it can be one."""
    if floor is not None and not is_floor(floor):
        given = checks.quoted(floor)
        raise StudyError(f"floor is {given}: the chance of any call must be a number from 0 to less than 1")
    return None if floor is None else float(floor)


@dataclass(frozen=True)
class Heard:
    """The calls made before a seat calls: those that a study names, and passes up to the turn of the seat.

    Attributes
    ----------
    calls : tuple of str
    named : int
        So many of them were named.
    note : str
        Which calls are not heard, and why.
    """

    calls: tuple[str, ...] = ()
    named: int = 0
    note: str = ""

    @classmethod
    def before(
        cls,
        seat: str,
        dealer: str,
        rules: RuleSet,
        auction: Sequence[str] = (),
        contracts: Sequence[str] = (),
        below: Sequence[str] = (),
    ) -> Heard:
        """The calls before a seat; with contracts that are forced, and bids beneath them, not beyond the first bid."""
        seats, named = layout_of(rules).seats, tuple(auction)
        if rules.contract is None or not isinstance(seat, str) or seat not in seats:
            return cls(named, len(named))
        if not isinstance(dealer, str) or dealer not in seats:
            note = "the dealer changes from deal to deal: the passes before the seat weigh nothing"
            return cls(named, len(named), note)
        turn = seats.index(dealer) + 1 + len(named)
        passes = (seats.index(seat) - turn) % len(seats)
        # of each forced auction, the seat of the first bid
        first = [parse_contract(text) for text in (below[:1] or contracts)]
        bidders = [found[2] for found in first if found is not None]
        there = min([passes, *((bidder - turn) % len(seats) for bidder in bidders)])
        silent = len(named) - next((i + 1 for i in range(len(named) - 1, -1, -1) if named[i] != "pass"), 0)
        if silent + passes >= len(seats) - (silent < len(named)):  # the seat has called, and these would be the last
            return cls(named, len(named))
        note = "calls forced before the seat weigh nothing, but for the passes before the first bid"
        return cls((*named, *["pass"] * there), len(named), note if there < passes else "")


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
    heard : Heard, optional
        What the calls of the run are; all are named if left out.
    first : int
        Number of the first deal that is tried.
    batch : int
        Deals tried at a time.
    whole : int
        What weights are measured against, in 2^-63; 0 if it is to be looked for.

    Attributes
    ----------
    others : set of str
        Seats whose calls weigh deals.
    asked : int
        Deals asked for so far.
    tried : int
        Deals tried so far.
    agreeing : int
        Deals among those kept in which every call is the policy's own.
    apart : int
        Calls of the auction that are not the policies' own in any of the deals tried.
    unseen : float
        If none of the deals tried fits in every call: the share of all weight that such deals have at most, at 95 %.

    Raises
    ------
    StudyError
        If a call is named of a seat whose policy is written in Python. Passes that are not named are made there, and
        weigh nothing.
    """

    def __init__(
        self,
        run: Run,
        seat: str,
        floor: float | None = FLOOR,
        threads: int | None = None,
        heard: Heard | None = None,
        first: int = 0,
        batch: int = BATCH,
        whole: int = 0,
    ):
        self.run, self.seat, self.floor = run, seat, checked_floor(floor)
        self.threads = thread_count(threads)
        self.heard = heard or Heard(run.auction, len(run.auction))
        self.first, self.batch = first, batch
        self.others, self.mute = self._callers() if floor is not None else (set(), set())
        self.tried = self.agreeing = self.apart = self.asked = 0
        self.unseen = 0.0
        self._kept: list[np.ndarray] = []
        self._waiting: list[tuple[int, np.ndarray, np.ndarray]] = []
        # without a floor nothing but the policies' own calls is heard
        self.whole = whole or (0 if self.floor else WHOLE)

    def _callers(self) -> tuple[set[str], set[str]]:
        """The other seats that have called: those whose calls can be weighed, and those whose passes cannot."""
        seats, dealer = layout_of(self.run.rules).seats, self.run.dealer
        others: set[str] = set()
        mute: set[str] = set()
        for i in range(len(self.heard.calls)):
            place = (seats.index(dealer) + 1 + i) % len(seats)
            if seats[place] == self.seat:
                continue
            if compiled(self.run.policies[place]) is not None:
                others.add(seats[place])
                continue
            if i < self.heard.named:
                raise StudyError(
                    f"auction {' '.join(self.run.auction)!r}: {seats[place]} has called and plays by a policy written "
                    f"in Python; calls are weighed by compiled policies, or not at all (floor=None)"
                )
            mute.add(seats[place])
        return others, mute

    @property
    def kept(self) -> int:
        """Deals kept so far: they weigh the same, so this is the effective sample size."""
        return sum(map(len, self._kept))

    @property
    def acceptance(self) -> float:
        """Share of the deals tried that were kept."""
        return self.kept / self.tried if self.tried else 1.0

    @property
    def account(self) -> dict[str, Any]:
        """What was tried and kept, as plain values."""
        found = {"tried": self.tried, "kept": self.kept, "agreeing": self.agreeing, "apart": self.apart}
        return found | ({"unseen": self.unseen} if self.unseen else {})

    @property
    def values(self) -> dict[str, Any]:
        """What was heard, and how it weighed the deals, as plain values; nothing if there is nothing to tell."""
        calls = list(self.heard.calls)
        found: dict[str, Any] = {"calls": calls, "named": self.heard.named, "floor": self.floor} if calls else {}
        if self.others:
            found |= {"seats": [s for s in layout_of(self.run.rules).seats if s in self.others], "asked": self.asked}
            found |= self.account
        if self._notes():
            found["notes"] = self._notes()
        return {"heard": found} if found else {}

    def _notes(self) -> list[str]:
        """What was not heard, and what is to be known of the deals."""
        notes = [self.heard.note] if self.heard.note else []
        if self.mute:
            notes.append(f"passes of {' '.join(sorted(self.mute))} weigh nothing: policies written in Python")
        if self.heard.calls and self.floor is None:
            notes.append("they weigh nothing: floor None")
        if self.unseen:
            share = f"at most {100 * self.unseen:.2g} %" if self.unseen < 0.5 else "an unknown share"
            notes.append(f"no deal tried fits in every call, and such deals have {share} of all weight")
        if self.tried and self.kept < self.asked:
            notes.append(f"fewer deals than the {self.asked:,} asked: intervals are those of so few")
        return notes

    def __str__(self) -> str:
        parts = []
        if self.heard.calls:
            calls = f"calls so far {' '.join(self.heard.calls)}"
            fit = f"{self.kept:,} of {self.tried:,} deals fit, {self.agreeing:,} of them in every call"
            parts.append(f"{calls}: {fit}; floor {self.floor:g}" if self.tried else calls)
        return "; ".join([*parts, *self._notes()])

    @property
    def lines(self) -> list[str]:
        """The same for the terminal; nothing if there are no calls."""
        return wrap(str(self), WIDTH, subsequent_indent="  ")

    def numbers(self, n: int, least: int = LEAST) -> np.ndarray:
        """Numbers of the first n deals that fit; fewer if so many are not found among the deals tried.

        Raises
        ------
        StudyError
            If fewer than `least` (or n) are found: the auction hardly happens with these policies.
        """
        if not self.others:
            return np.arange(self.first, self.first + n)
        self.asked = max(self.asked, n)
        while self.kept < n and self.tried < TRIES:
            self._try_more()
        if self.kept < min(n, least):
            raise StudyError(
                f"auction {' '.join(self.heard.calls)!r}: {self.kept} of {self.tried:,} deals fit it under these "
                f"policies, and {min(n, least)} are needed: raise floor ({self.floor:g}), or ask other policies"
            )
        return np.concatenate(self._kept)[:n]

    def _try_more(self) -> None:
        """Weigh more deals, and keep each with a chance as great as its weight.

        Weights are measured against a deal in which every call is the policy's own. Where none is found, they are
        measured against the deal that fits best, as soon as it is known how little weight is missed by that; all deals
        wait so long, so that none is kept or dropped by what came before it.
        """
        self._waiting += self._weighed(self.tried, self.tried + GROUP * self.batch)
        self.tried += GROUP * self.batch
        if not self.whole:
            self.whole = self._found_whole()
            if not self.whole and self.tried < min(SEARCH, TRIES):
                return
        for start, weights, apart in self._waiting:
            self._keep(start, weights, apart)
        self._waiting.clear()

    def _found_whole(self) -> int:
        """The weight that others are measured against, if it is known; 0 also where all are too small to be told."""
        if any((apart == 0).any() for _, _, apart in self._waiting):
            return WHOLE
        self.apart = min(int(apart.min()) for _, _, apart in self._waiting)
        # with the chance 95 % deals that have not been seen once are less than 3 of those tried
        unseen = 3 / self.tried
        mean = sum(float(weights.sum(dtype=float)) for _, weights, _ in self._waiting) / self.tried / WHOLE
        self.unseen = unseen / (unseen + mean)
        if self.unseen > UNSEEN and self.tried < min(SEARCH, TRIES):
            return 0
        return max(int(weights.max()) for _, weights, _ in self._waiting)

    def _weighed(self, start: int, stop: int) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """Weights of deals, in batches: number of the first deal, weights, calls that are not the policies' own."""
        batch, config, floor, heard = self.batch, self.run.config, self.floor or 0.0, sorted(self.others)
        starts = range(self.first + start, self.first + stop, batch)
        found = {at: (np.empty(batch, np.uint64), np.empty(batch, np.int16)) for at in starts}

        def task(at: int) -> None:
            _core.auction_fits(config, heard, floor, at, at + batch, *found[at])

        if self.threads == 1:
            for at in found:
                task(at)
            return [(at, *found[at]) for at in found]
        with threads_executor(self.threads) as executor:
            for _, future in completed(executor, task, ((at,) for at in found), 2 * self.threads):
                future.result()
        return [(at, *found[at]) for at in found]

    def _keep(self, start: int, weights: np.ndarray, apart: np.ndarray) -> None:
        key = np.random.SeedSequence(self.run.seed).generate_state(2, np.uint64)
        chance = np.random.Philox(key=key, counter=[0, _PURPOSE, start, 0]).random_raw(len(weights))
        if self.whole:
            different, which = np.unique(weights, return_inverse=True)
            bars = [min((int(weight) << 64) // self.whole, 2**64 - 1) for weight in different]
            keep = (chance < np.array(bars, np.uint64)[which]) | (weights >= self.whole)
        else:  # weights too small to be told: those with the fewest other calls
            keep = apart <= self.apart
        self._kept.append(start + np.flatnonzero(keep))
        self.agreeing += int((apart[keep] == 0).sum())
