"""What a contract, or a bid, brings more than another on the same deals: many random hands of one seat."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from . import _core
from .errors import StudyError
from .notation import contract_text, parse_contract
from .odds import asked_contract, points_of
from .position import layout_of
from .run import Run, play_runs
from .worlds import AuctionWorlds, passes_before

#: Hands played at a time, and the fewest that are asked.
BATCH = 2_000
FEWEST = 200


@dataclass(frozen=True)
class Pairs:
    """Contracts, or bids, and what each is compared with."""

    runs: list[Run]
    pairs: list[tuple[int, int]]
    words: str
    worlds: AuctionWorlds | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any], contracts: Sequence[str], seat: str, against: str, contested: bool) -> Pairs:
        """A run for each of them, once."""
        rivals = [_rival(each, seat, against) for each in contracts]
        names = list(dict.fromkeys([*contracts, *rivals]))
        pairs = [(names.index(own), names.index(rival)) for own, rival in zip(contracts, rivals, strict=True)]
        what = "bid" if contested else "contract"
        before = passes_before(seat, given["dealer"], given["policies"], given["rules"])
        heard = AuctionWorlds(Run.of(**given, auction=before), seat) if before else None
        words = f"{what} against {'one level lower' if against == 'below' else against}"
        if not contested:
            runs = [
                Run.of(**given, passes=(seat,))
                if each == "pass"
                else Run.of(**given, contract=asked_contract(each, seat))
                for each in names
            ]
            return cls(runs, pairs, words, heard)
        seats = layout_of(given["rules"]).seats
        if given["dealer"] not in seats:
            raise StudyError(f"dealer is {given['dealer']!r}: a call is made with one dealer")
        before = ("pass",) * ((seats.index(seat) - seats.index(given["dealer"]) - 1) % len(seats))
        for each in names:
            if each != "pass" and asked_contract(each, seat) != f"{each} by {seat}":
                raise StudyError(f"contract {each!r}: a contested bid is one of {seat}, undoubled, such as '3H'")
        return cls([Run.of(**given, auction=(*before, each)) for each in names], pairs, words, heard)

    def heard_lines(self, repeats: int) -> list[str]:
        """How the calls before the seat were weighed; nothing where it calls first."""
        if self.worlds is None:
            return []
        if repeats > 1:
            return ["the passes before the seat are made but not weighed: that needs repeats=1"]
        return self.worlds.lines


def _rival(contract: str, seat: str, against: str) -> str:
    """What a contract is compared with: passing, a contract, or the same one level lower (level 1 with passing)."""
    if against == "pass":
        return against
    level, strain, declarer, doubled = parse_contract(asked_contract(contract, seat))  # type: ignore[misc]
    if against != "below":
        asked_contract(against, seat)
        return against
    if level == 1:
        return "pass"
    return contract_text((level - 1, strain, declarer, doubled)).replace(f" by {seat}", "")


def check_numbers(**numbers: int) -> None:
    """Refuse numbers that are too small, and what is no whole number."""
    least = {"hands": FEWEST, "draws": 100, "repeats": 1}
    for name, value in numbers.items():
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least[name]:
            raise StudyError(f"{name} is {value!r}: it must be a whole number from {least[name]} up")


def check_feature(name: str) -> None:
    """Refuse what is no feature of a hand."""
    if name not in _core.FEATURES:
        near = difflib.get_close_matches(name, _core.FEATURES, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"features are {', '.join(_core.FEATURES)}"
        raise StudyError(f"{name!r} is no feature of a hand: {hint}")


def differences(
    asked: Pairs, seat: str, hands: int, repeats: int, threads: int, update: Callable[[int], Any]
) -> tuple[np.ndarray, list[np.ndarray], bool]:
    """The features of random hands of a seat, what each contract brings more than its rival, by hand and deal, and
    whether all hands were played: ctrl-C leaves those played so far, unless they are too few to ask.
    """
    runs = asked.runs
    layout = layout_of(runs[-1].rules)
    place = layout.seats.index(seat)
    us = layout.side_of[place]
    scores = [f"score_{side.lower()}" for side in layout.sides]
    numbers = asked.worlds.numbers(hands) if asked.worlds and repeats == 1 else None
    hands = hands if numbers is None else len(numbers)
    own = np.empty((hands, 53), np.uint8)
    points = [np.empty((hands, repeats), np.int64) for _ in runs]

    def kept(run: Run, n: int) -> dict[str, np.ndarray]:
        return {name: values for name, values in run.allocate(n).items() if name in scores}

    def worth(rows: Mapping[str, np.ndarray]) -> np.ndarray:
        return points_of(np.stack([rows[name].astype(np.int64) for name in scores], axis=1), us)["points"]

    def play(start: int, stop: int) -> None:
        own[start:stop] = runs[-1].dealt(start, stop, numbers)[:, place]
        if repeats == 1:
            rows = [kept(run, stop - start) for run in runs]
            play_runs(runs, rows, start, stop, threads, lambda _, first, last: update(last - first), numbers)
            for values, each in zip(points, rows, strict=True):
                values[start:stop, 0] = worth(each)
            return
        # deals hand * repeats .. of the same seed, with the hand at the seat: the same for every run
        for hand, text in enumerate(_core.hand_texts(own[start:stop]), start):
            for run, found in zip(runs, points, strict=True):
                played = kept(run, repeats)
                at = replace(run, hands=(*run.hands, (seat, text)))
                at.fill(played, hand * repeats, (hand + 1) * repeats)
                found[hand] = worth(played)
                update(repeats)

    played = 0
    try:
        while played < hands:
            stop = min(played + BATCH, hands)
            play(played, stop)
            played = stop
    except KeyboardInterrupt:
        if played < FEWEST:
            raise
    features = _core.features(own[:played], runs[-1].rules)
    return features, [(points[own] - points[rival])[:played] for own, rival in asked.pairs], played == hands
