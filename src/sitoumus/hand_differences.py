"""What a contract, or a bid, brings more than another on the same deals: many random hands of one seat."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from . import _core, checks
from .errors import StudyError
from .notation import contract_text, parse_contract
from .odds import asked_contract, points_of
from .position import layout_of
from .run import Run, play_runs
from .worlds import FLOOR, WHOLE, AuctionWorlds, Heard, checked_floor

#: Hands played at a time, and the fewest that are asked.
BATCH = 2_000
FEWEST = 200
#: Deal numbers set apart for each hand, of which those are kept that fit the calls heard.
SPAN = 1 << 24


@dataclass(frozen=True)
class Pairs:
    """Contracts, or bids, and what each is compared with."""

    runs: list[Run]
    pairs: list[tuple[int, int]]
    words: str
    worlds: AuctionWorlds | None = None

    @classmethod
    def of(
        cls,
        given: Mapping[str, Any],
        contracts: Sequence[str],
        seat: str,
        against: str,
        contested: bool,
        auction: Sequence[str] = (),
        floor: float | None = FLOOR,
        threads: int | None = None,
    ) -> Pairs:
        """A run for each of them, once, after the calls that are heard before the seat."""
        checks.an("against", against, str, "'pass', 'below' or a contract")
        checks.an("contested", contested, (bool, np.bool_), "True or False")
        auction = checks.texts("auction", auction)
        checked_floor(floor)
        rivals = [_rival(each, seat, against) for each in contracts]
        names = list(dict.fromkeys([*contracts, *rivals]))
        pairs = [(names.index(own), names.index(rival)) for own, rival in zip(contracts, rivals, strict=True)]
        what = "bid" if contested else "contract"
        words = f"{what} against {'one level lower' if against == 'below' else against}"
        rules = given["rules"]
        if auction and given["dealer"] == "rotate":
            raise StudyError("dealer is 'rotate': calls so far are made with one dealer")
        if auction:
            Run.of(**given, auction=tuple(auction))  # a wrong call is told before passes are added
        if not contested:
            asked = {each: asked_contract(each, seat) for each in names if each != "pass"}
            heard = Heard.before(seat, given["dealer"], rules, auction, list(asked.values()))
            given = {**given, "auction": heard.calls}
            runs = [
                Run.of(**given, contract=asked[each]) if each in asked else Run.of(**given, passes=(seat,))
                for each in names
            ]
            return cls(runs, pairs, words, AuctionWorlds(Run.of(**given), seat, floor, threads, heard))
        if given["dealer"] not in layout_of(rules).seats:
            raise StudyError(f"dealer is {given['dealer']!r}: a call is made with one dealer")
        heard = Heard.before(seat, given["dealer"], rules, auction)
        for each in names:
            if each != "pass" and asked_contract(each, seat) != f"{each} by {seat}":
                raise StudyError(f"contract {each!r}: a contested bid is one of {seat}, undoubled, such as '3H'")
        runs = [Run.of(**given, auction=(*heard.calls, each)) for each in names]
        before = Run.of(**given, auction=heard.calls)
        _seat_is_to_call(before, seat)
        return cls(runs, pairs, words, AuctionWorlds(before, seat, floor, threads, heard))

    @property
    def lines(self) -> list[str]:
        """How the calls before the seat weigh the deals, for the terminal; nothing where it calls first."""
        return [] if self.worlds is None else self.worlds.lines

    @property
    def heard(self) -> dict[str, Any]:
        """The same as plain values."""
        return {} if self.worlds is None else self.worlds.values


def _seat_is_to_call(run: Run, seat: str) -> None:
    table = _core.Table(run.deal(0), rules=run.rules, dealer=run.dealer, totals=run.totals)
    run.open(table)
    if table.turn != seat:
        raise StudyError(f"auction {' '.join(run.auction)!r}: then it is the turn of {table.turn}, not of {seat}")


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
        checks.whole(name, value, least[name], checks.MOST_DEALS)


def check_feature(name: str) -> None:
    """Refuse what is no feature of a hand."""
    if name not in _core.FEATURES:
        near = difflib.get_close_matches(name, _core.FEATURES, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"features are {', '.join(_core.FEATURES)}"
        raise StudyError(f"{checks.quoted(name)} is no feature of a hand: {hint}")


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
    worlds = asked.worlds if asked.worlds is not None and asked.worlds.others else None
    numbers = None if worlds is None else worlds.numbers(hands, FEWEST)
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
        # deals of the same seed, with the hand at the seat: the same for every run
        for hand, text in enumerate(_core.hand_texts(own[start:stop]), start):
            there = np.arange(hand * repeats, (hand + 1) * repeats)
            if worlds is not None:
                fixed = replace(worlds.run, hands=(*worlds.run.hands, (seat, text)))
                # weights are measured as among all hands: deals of one hand may all be far from the calls
                there = AuctionWorlds(
                    fixed, seat, worlds.floor, 1, worlds.heard, hand * SPAN, max(repeats, 64), worlds.whole or WHOLE
                ).numbers(repeats)
            for run, found in zip(runs, points, strict=True):
                played = kept(run, repeats)
                at = replace(run, hands=(*run.hands, (seat, text)))
                at.fill(played, 0, repeats, numbers=there)
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
