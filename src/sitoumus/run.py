"""A run: everything that fixes the rows of a range of deals, and the pure function that plays them.

The rows of deals start .. stop - 1 depend on the run and on nothing else: neither on threads, chunks, processes nor
machines. `simulate`, datasets and the studies are loops over ranges of a run.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _compile, _core, checks
from .errors import DatasetError, SitoumusError, StudyError
from .play import finish, force, forced_bids, play
from .policies import DEFAULT, by_seat, compiled, policy_hash, specs
from .position import layout_of
from .rules import RuleSet, as_rules
from .schedule import Pace, completed, threads_executor
from .version import RESULT_VERSION, __version__

if TYPE_CHECKING:
    from ._core import Deal, Table
    from .conditions import Condition
    from .record import Game

__all__ = ["Run", "digest_of", "hashes_of", "names_of", "never", "play_runs"]

_NAMES = {
    "strain": ("C", "D", "H", "S", "CAN", "DEU", "none"),
    "result": ("made", "failed", "void", "none"),
    "ended": ("out", "stock"),
}
#: Kinds of columns that are numbers.
_NUMBERS = ("bool", "int8", "int16", "int32", "int64")


def names_of(kind: str, rules: RuleSet) -> tuple[str, ...] | None:
    """All values of a column that holds names, in the order of their places; None for numbers and texts."""
    return (*layout_of(rules).seats, "none") if kind == "seat" else _NAMES.get(kind)


def never(name: str) -> bool:
    """Whether a column is the turn of something that may not happen: the core writes -1, frames a missing value."""
    return name in ("reached_turn", "stock_out_turn") or name.startswith("opened_turn_")


def features_of(rules: RuleSet) -> tuple[str, ...]:
    """The features of a hand that say something under a rule set: of a declarer where there is a contract, of sequences
    where there are any, of the minima that are asked for.
    """
    minima = {f"can_open_{minimum}" for _, minimum, _ in rules.opening.bands}
    runs = any(kind.shape == "run" for kind in rules.melds)
    return tuple(
        name
        for name in _core.FEATURES
        if (rules.contract is not None or name != "best_opening_declarer")
        and (runs or "run" not in name.split("_"))
        and (name in minima or not name.startswith("can_open"))
    )


@dataclass(frozen=True)
class Run:
    """What fixes the rows of every deal number.

    Made by `Run.of`, which checks it.

    Attributes
    ----------
    rules : RuleSet
    seed : int
    policies : tuple
        By seat.
    dealer : str
        A seat, or ``"rotate"``: seat number deal % seats.
    totals : tuple of int
        By side, at the start of every deal.
    contract, below, auction
        A forced contract, bids beneath it, and the calls the auction begins with.
    hands : tuple of (seat, text)
        Known cards.
    where : Condition or None
        What the hands fulfil in every deal.
    features, cards : bool
        Whether rows have the features and the cards of the dealt hands.
    policy_seed : int or None
        Seed of the policies' random numbers; that of the cards if None.
    passes : tuple of str
        Seats that pass in the auction whatever they hold.
    """

    rules: RuleSet
    seed: int = 0
    policies: tuple[Any, ...] = ()
    dealer: str = "N"
    totals: tuple[int, ...] = (0, 0)
    contract: str | None = None
    below: tuple[str, ...] = ()
    auction: tuple[str, ...] = ()
    hands: tuple[tuple[str, str], ...] = ()
    where: Condition | None = None
    features: bool = False
    cards: bool = False
    policy_seed: int | None = None
    passes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        rules: RuleSet | str | None = None,
        seed: int = 0,
        policies: Any = DEFAULT,
        dealer: str = "N",
        totals: Sequence[int] | None = None,
        contract: str | None = None,
        hands: Mapping[str, Any] | None = None,
        below: Sequence[str] = (),
        auction: Sequence[str] = (),
        **more: Any,
    ) -> Run:
        """A run from what the user gave.

        Raises
        ------
        SitoumusError
            If something in it cannot be.
        """
        rules = as_rules(rules)
        seed = checks.whole("seed", seed, 0, _core.MOST_SEED)
        if more.get("policy_seed") is not None:
            more["policy_seed"] = checks.whole("policy_seed", more["policy_seed"], 0, _core.MOST_SEED)
        layout = layout_of(_compile.compiled(rules).source)
        below, auction = checks.texts("below", below), checks.texts("auction", auction)
        if not isinstance(dealer, str) or dealer not in (*layout.seats, "rotate"):
            seats = ", ".join(layout.seats)
            raise StudyError(f"dealer is {checks.quoted(dealer)}: it must be one of {seats}, or rotate")
        if more.get("where") is not None:
            from .conditions import prepare

            more["where"] = prepare(more["where"], hands, rules).condition
        seated = by_seat(policies, rules)
        for each in seated:
            if not getattr(each, "reproducible", True):
                raise StudyError(f"{each!r} decides by time, so that its deals cannot be repeated: give it worlds")
        held = _core.known_cards({} if hands is None else hands, rules)
        known = {seat: str(hand) for seat, hand in held.items() if len(hand)}
        run = cls(
            rules=rules,
            seed=seed,
            policies=seated,
            dealer=dealer,
            contract=contract,
            hands=tuple((seat, known[seat]) for seat in sorted(known)),
            below=tuple(below),
            auction=tuple(auction),
            **more,
        )
        if contract is None and below:
            raise StudyError(f"below is {run.below!r} without a contract: bids beneath go with a forced contract")
        # One table for each dealer: seed, cards, totals, calls and contract are checked where they are used.
        for number in range(len(layout.seats) if dealer == "rotate" else 1):
            table = _core.Table(run.deal(number), rules=rules, dealer=run.dealer_of(number), totals=totals)
            run.open(table)
            if contract is None:
                run.still_bidding(table)
        _core.Players(rules, [None] * len(layout.seats), seed if run.policy_seed is None else run.policy_seed)
        return replace(run, totals=tuple(table.totals.values()))

    # -- single deals

    def deal(self, number: int) -> Deal:
        """The cards of a deal."""
        return _core.Deal(self.seed, number, hands=dict(self.hands) or None, rules=self.rules, where=self.where)

    def dealer_of(self, number: int) -> str:
        """Seat that deals."""
        seats = layout_of(self.rules).seats
        return seats[number % len(seats)] if self.dealer == "rotate" else self.dealer

    def open(self, table: Table) -> None:
        """Make the calls that the run fixes."""
        for call in self.auction:
            try:
                table.push(call)
            except SitoumusError as error:
                raise StudyError(f"auction {' '.join(self.auction)!r}: {error}") from None
        if self.contract is not None:
            self.still_bidding(table)
            force(table, self.contract, self.below)

    def still_bidding(self, table: Table) -> None:
        """Refuse calls that end the auction."""
        if self.auction and table.phase != "auction":
            raise StudyError(f"auction {' '.join(self.auction)!r}: it is over with these calls (R9.5)")

    def game(self, number: int) -> Game:
        """The game behind a row."""
        if self.passes or self.auction:
            raise StudyError("a run with calls given or a seat that passes has no single games")
        return play(
            self.deal(number),
            policies=self.policies,
            dealer=self.dealer_of(number),
            totals=self.totals,
            contract=self.contract,
            policy_seed=self.policy_seed,
            below=self.below,
        )

    # -- rows

    @cached_property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Names and kinds of the columns, in order."""
        found = _compile.columns(self.rules)
        seats = [seat.lower() for seat in layout_of(self.rules).seats]
        if self.features:
            found += [
                (self._feature(name, seat), "bool" if name.startswith("can_open") else "int16")
                for seat in seats
                for name in features_of(self.rules)
            ]
        if self.cards:
            found += [(f"hand_{seat}", "text") for seat in seats]
        return tuple(found)

    @cached_property
    def plays_compiled(self) -> bool:
        """Whether the core plays all seats, without the GIL."""
        return all(compiled(policy) is not None for policy in self.policies)

    @cached_property
    def config(self) -> tuple[Any, ...]:
        """The run as `_core.play_range` takes it."""
        seats = layout_of(self.rules).seats
        bids, doubler = (None, -1) if self.contract is None else forced_bids(self.rules, self.contract, self.below)
        codes = [compiled(policy) or (0, ()) for policy in self.policies]
        return (
            self.rules,
            self.seed,
            self.seed if self.policy_seed is None else self.policy_seed,
            tuple((*code, int(seat in self.passes)) for code, seat in zip(codes, seats, strict=True)),
            -1 if self.dealer == "rotate" else seats.index(self.dealer),
            self.totals,
            bids,
            doubler,
            dict(self.hands) or None,
            self.auction,
            self.where,
        )

    def _feature(self, name: str, seat: str) -> str:
        """Column of a feature; where a player is a side, card points and hand minus are columns of the score too."""
        column = f"{name}_{seat}"
        return f"dealt_{column}" if column in dict(_compile.columns(self.rules)) else column

    def allocate(self, n: int) -> dict[str, np.ndarray]:
        """Arrays for so many rows; names are int8 places, texts are objects."""
        kinds = {"text": object} | {kind: kind for kind in _NUMBERS}
        try:
            return {name: np.empty(n, kinds.get(kind, np.int8)) for name, kind in self.columns}
        except MemoryError:
            raise StudyError(f"the rows of {n:,} deals do not fit into memory: write a dataset with out=") from None

    def fill(
        self,
        arrays: Mapping[str, np.ndarray],
        start: int,
        stop: int,
        offset: int = 0,
        numbers: np.ndarray | None = None,
    ) -> None:
        """Play deals start .. stop - 1, or those places of `numbers`, and write their rows from row `offset` on.

        Columns without an array are left out.
        """
        core = [arrays.get(name) for name, _ in _compile.columns(self.rules)]
        if self.plays_compiled:
            _core.play_range(self.config, start, stop, core, offset, numbers=numbers)
        else:
            for number in range(start, stop):
                deal = number if numbers is None else int(numbers[number])
                row = _core.row_of(self._played(deal), deal)
                for array, value in zip(core, row, strict=True):
                    if array is not None:
                        array[offset + number - start] = value
        if self.features or self.cards:
            self._fill_hands(arrays, start, stop, offset, numbers)

    def fill_each(
        self, arrays: Mapping[str, np.ndarray], numbers: np.ndarray, dealers: np.ndarray, totals: np.ndarray
    ) -> None:
        """Play deals of which each has a dealer, the place of a seat, and totals of its own."""
        if self.plays_compiled:
            core = [arrays.get(name) for name, _ in _compile.columns(self.rules)]
            _core.play_range(self.config, 0, len(numbers), core, numbers=numbers, dealers=dealers, totals=totals)
            return
        seats = layout_of(self.rules).seats
        each = zip(numbers.tolist(), dealers.tolist(), totals.tolist(), strict=True)
        for row, (number, dealer, sums) in enumerate(each):
            replace(self, dealer=seats[dealer], totals=tuple(sums)).fill(arrays, number, number + 1, row)

    def courses(self, numbers: np.ndarray, out: np.ndarray) -> None:
        """A number for the course of the auction in each of these deals; equal ones differ in low strains alone."""
        core = [None] * len(_compile.columns(self.rules))
        _core.play_range(self.config, 0, len(numbers), core, numbers=np.ascontiguousarray(numbers), courses=out)

    def _played(self, number: int) -> Table:
        table = _core.Table(self.deal(number), rules=self.rules, dealer=self.dealer_of(number), totals=self.totals)
        self.open(table)
        finish(table, self.policies, self.policy_seed, self.passes)
        return table

    def dealt(self, start: int, stop: int, numbers: np.ndarray | None = None) -> np.ndarray:
        """Copies of each card in the hands of deals start .. stop - 1, or those places of `numbers`: by deal, seat and
        card in canonical order.
        """
        counts = np.empty((stop - start, len(layout_of(self.rules).seats), 53), np.uint8)
        if numbers is None:
            _core.deal_range(self.config, start, stop, counts)
        else:
            for i, number in enumerate(numbers[start:stop].tolist()):
                _core.deal_range(self.config, number, number + 1, counts[i : i + 1])
        return counts

    def _fill_hands(
        self, arrays: Mapping[str, np.ndarray], start: int, stop: int, offset: int, numbers: np.ndarray | None
    ) -> None:
        seats = [seat.lower() for seat in layout_of(self.rules).seats]
        counts = self.dealt(start, stop, numbers)
        rows = slice(offset, offset + stop - start)
        for i, seat in enumerate(seats):
            hands = np.ascontiguousarray(counts[:, i])
            if self.features:
                found = _core.features(hands, self.rules)
                for name in features_of(self.rules):
                    arrays[self._feature(name, seat)][rows] = found[name]
            if self.cards:
                arrays[f"hand_{seat}"][rows] = _core.hand_texts(hands)

    def __dask_tokenize__(self) -> str:
        """What dask tells tasks apart by; it would look through all rules and policies for every task."""
        return self._token

    @cached_property
    def _token(self) -> str:
        return uuid.uuid4().hex

    # -- provenance

    def provenance(self, start: int | None = None, stop: int | None = None) -> dict[Any, Any]:
        """Where rows come from, as plain values; `from_provenance` makes the run again."""
        found = {
            "version": __version__,
            "result_version": RESULT_VERSION,
            "rules": self.rules.to_dict(),
            "rules_hash": self.rules.hash,
            "policies": specs(self.policies),
            "policy_hashes": [policy_hash(policy) for policy in self.policies],
            "seed": self.seed,
            "policy_seed": self.policy_seed,
            "dealer": self.dealer,
            "totals": list(self.totals),
            "contract": self.contract,
            "below": list(self.below),
            "auction": list(self.auction),
            "hands": dict(self.hands),
            "where": None if self.where is None else str(self.where),
            "features": self.features,
            "cards": self.cards,
        }
        return found if start is None else found | {"start": start, "stop": stop}

    @classmethod
    def from_provenance(cls, found: Mapping[str, Any], policies: Any = None) -> Run:
        """The run that `provenance` describes.

        Parameters
        ----------
        found : mapping
        policies : str, policy, or sequence of them, optional
            The policies, where their names do not tell which they are.

        Raises
        ------
        DatasetError
            If it comes from another version of the results, or its policies cannot be found or are others.
        """
        missing = [name for name in ("result_version", "rules", "policies", "seed") if name not in found]
        if missing:
            raise DatasetError(f"these rows do not tell where they come from: {', '.join(missing)} is missing")
        if found["result_version"] != RESULT_VERSION:
            raise DatasetError(
                f"these rows have result version {found['result_version']}, this library makes {RESULT_VERSION}"
            )
        try:
            run = cls.of(
                rules=RuleSet.from_dict(found["rules"]),
                policies=found["policies"] if policies is None else policies,
                **{
                    name: found[name]
                    for name in ("seed", "policy_seed", "dealer", "totals", "contract", "below", "auction", "hands")
                },
                features=found["features"],
                cards=found["cards"],
                where=found["where"],
            )
        except SitoumusError as error:
            raise DatasetError(f"the run behind these rows cannot be made again: {error}") from None
        if run.provenance()["policy_hashes"] != found["policy_hashes"]:
            raise DatasetError(f"these rows were played by other policies than {specs(run.policies)}")
        return run


def hashes_of(arrays: Mapping[str, np.ndarray], start: int) -> dict[str, int]:
    """Hashes of columns whose first row is deal `start`; those of ranges add up modulo 2**64."""
    found = {}
    for name, values in arrays.items():
        if values.dtype == object:
            texts = (hashlib.blake2b(text.encode(), digest_size=8).digest() for text in values)
            values = np.frombuffer(b"".join(texts), "<i8")
        found[name] = _core.column_hash(np.ascontiguousarray(values), start)
    return found


def digest_of(start: int, stop: int, hashes: Mapping[str, int]) -> str:
    """One number for a range of deals and the hashes of its columns."""
    return hashlib.blake2b(json.dumps([start, stop, list(hashes.values())]).encode(), digest_size=8).hexdigest()


#: Deals of a task of a study, over all of its runs, and how many of each it may always have.
CHUNK = 1000
LEAST = 25


def play_runs(
    runs: Sequence[Run],
    rows: Sequence[Mapping[str, np.ndarray]],
    start: int,
    stop: int,
    threads: int,
    filled: Callable[[int, int, int], None] | None = None,
    numbers: np.ndarray | None = None,
) -> None:
    """Play deals start .. stop - 1, or those places of `numbers`, by several runs, chunk by chunk, in threads.

    The rows of each run are filled from their first on; ``filled(run, first, stop)`` is called with every chunk.

    A deal is played once for two runs if their auctions differ in nothing but the strains of bids at levels 1 to 3
    (R14.2). This is done only if no policy looks at these strains and no wanted column tells them.
    """
    shared = _blind_to_strains(runs, rows)

    compiled = all(run.plays_compiled for run in runs)
    pace = Pace(max(CHUNK // len(runs), LEAST) if compiled else 1)

    def task(first: int, last: int) -> None:
        with pace.timed(last - first):
            if shared:
                _fill_shared(runs, rows, first, last, first - start, numbers)
                return
            for run, each in zip(runs, rows, strict=True):
                run.fill(each, first, last, first - start, numbers)

    def hear(first: int, last: int) -> None:
        if filled is not None:
            for place in range(len(runs)):
                filled(place, first, last)

    if threads == 1 or not compiled:
        for part in pace.ranges(start, stop):
            task(*part)
            hear(*part)
        return
    with threads_executor(threads) as executor:
        for part, future in completed(executor, task, pace.ranges(start, stop), 2 * threads):
            future.result()
            hear(*part)


def _blind_to_strains(runs: Sequence[Run], rows: Sequence[Mapping[str, np.ndarray]]) -> bool:
    """Whether deals of several runs may be played once for all where their auctions differ in low strains alone."""
    rules = runs[0].rules
    policies = {policy for run in runs for policy in run.policies if hasattr(policy, "kind")}
    return (
        len(runs) > 1
        and rules.contract is not None
        and not rules.contract.strain_must_be_made
        and all(run.plays_compiled and run.rules == rules for run in runs)
        and not any(hasattr(policy, "worlds") for policy in policies)
        and not any(
            "strain" in each or any(kind == "text" for _, kind in run.columns)
            for run, each in zip(runs, rows, strict=True)
        )
    )


def _fill_shared(
    runs: Sequence[Run],
    rows: Sequence[Mapping[str, np.ndarray]],
    first: int,
    last: int,
    offset: int,
    numbers: np.ndarray | None,
) -> None:
    """Fill the rows of a chunk; deals whose auctions go alike are played by the first run in which they do."""
    deals = np.arange(first, last) if numbers is None else numbers[first:last]
    here = slice(offset, offset + last - first)
    courses = np.empty((len(runs), len(deals)), np.uint64)
    for place, run in enumerate(runs):
        run.courses(deals, courses[place])
        new = np.ones(len(deals), bool)
        for other in range(place):
            like = new & (courses[other] == courses[place])
            if like.any():
                for name, values in rows[place].items():
                    values[here][like] = rows[other][name][here][like]
                new &= ~like
        if new.any():
            played = {name: np.empty(int(new.sum()), values.dtype) for name, values in rows[place].items()}
            run.fill(played, 0, len(deals[new]), 0, np.ascontiguousarray(deals[new]))
            for name, values in rows[place].items():
                values[here][new] = played[name]
