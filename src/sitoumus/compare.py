"""Which policy plays better: duplicate deals, sequential tests.

The unit is the pair: the same cards and the same random numbers played twice, the policies changing sides. What the
cards are worth to a side falls out of the mean of the two deals. Of three players, each alone, a pair has six tables:
each policy once at every seat, against the other at both other seats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, checks
from .errors import InvalidActionError, StudyError, StudyInterrupted
from .notation import contract_text, parse_contract
from .policies import compiled, in_game, policy_hash, spec
from .position import layout_of
from .rules import SITOUMUSSAMBA, RuleSet, as_rules
from .run import Run
from .schedule import chunks, completed, progress_bar, thread_count, threads_executor
from .simulate import simulate_matches
from .stats import REACH, Sums, mean_interval, mean_sequence, shares_interval, wilson, with_interval
from .study import Study, asks, interval_of, plain, records, text_table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Comparison", "SequentialTest", "compare"]

#: Pairs of a task; of one where a policy is slow, being written in Python or playing deals out itself.
CHUNK = 500
#: Pairs in a row with the same declarer, where the declarer of a forced contract rotates.
BLOCK = 25

#: What the score of a side is made of; a hand minus and penalties count against it.
COMPONENTS = (
    "bonus",
    "bonus_cards",
    "card_points",
    "hand_minus",
    "penalties",
    "contract_points",
    "score",
)


@dataclass(frozen=True)
class SequentialTest:
    """A test that stops as soon as the pairs played decide between two effects (GSPRT on pairs).

    The effect is the mean of a pair over its standard deviation. After every `every` pairs, and only there, so that the
    stop does not depend on threads, the statistic ``n (h1 - h0) (mean / sd - (h0 + h1) / 2)`` is compared with Wald's
    bounds ``log(beta / (1 - alpha))`` and ``log((1 - beta) / alpha)``.

    Parameters
    ----------
    h0, h1 : float
        The effects to tell apart, in standard deviations of a pair; h0 < h1.
    alpha : float
        Chance of deciding for `h1` although the effect is `h0`, at most.
    beta : float
        Chance of deciding for `h0` although the effect is `h1`, at most.
    every : int
        Pairs between two looks.

    Notes
    -----
    X. Li, J. Liu and Z. Ying, Sequential Analysis 33 (2014), 203-231; for normal values with the estimated deviation in
    place of the true one, as in tests of chess programs.

    Examples
    --------
    >>> test = SequentialTest()
    >>> test.decide([3, -2, 1, 0] * 5000)
    (1000, 'h1')
    """

    h0: float = 0.0
    h1: float = 0.02
    alpha: float = 0.05
    beta: float = 0.05
    every: int = 1000

    def __post_init__(self) -> None:
        for name in ("h0", "h1", "alpha", "beta"):
            checks.number(name, getattr(self, name))
        if not self.h0 < self.h1:
            raise StudyError(f"h0 is {self.h0!r} and h1 is {self.h1!r}: h0 must be less than h1")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise StudyError(f"{name} is {getattr(self, name)!r}: it must be between 0 and 0.5")
        checks.whole("every", self.every, 2)

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds of the statistic: at or below the first it is `h0`, at or above the second `h1`."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def statistic(self, sums: Sums) -> float:
        """The generalised log-likelihood ratio of the pairs so far; the unit of their values does not matter."""
        return float(self._statistic(sums.n, sums.mean, sums.sd))

    def _statistic(self, n: Any, mean: Any, sd: Any) -> Any:
        # All pairs equal: no effect if they are 0, as of a policy against itself, else one without bound.
        with np.errstate(divide="ignore", invalid="ignore"):
            effect = np.where(np.equal(mean, 0), 0.0, np.divide(mean, sd))
            return n * (self.h1 - self.h0) * (effect - (self.h0 + self.h1) / 2)

    def verdict(self, sums: Sums) -> str:
        """What the pairs so far decide: ``h0``, ``h1`` or ``open``."""
        low, high = self.bounds
        statistic = self.statistic(sums)
        return "h1" if statistic >= high else "h0" if statistic <= low else "open"

    def decide(self, values: Any) -> tuple[int, str]:
        """Run the test over whole numbers in order.

        Returns
        -------
        pairs : int
            How many were looked at.
        verdict : str
        """
        sums = Sums()
        verdict = "open"
        for first, stop in chunks(0, len(values), self.every):
            sums = sums + Sums.of(values[first:stop])
            verdict = self.verdict(sums)
            if verdict != "open":
                break
        return sums.n, verdict

    def simulate(
        self, effect: float, pairs: int = 100_000, tests: int = 1000, seed: int = 0, values: Any = None
    ) -> Any:
        """What the test does at a true effect, by simulation: the shares of its verdicts and how long it takes.

        Parameters
        ----------
        effect : float
            In standard deviations of a pair.
        pairs : int
            The most that a test may look at.
        tests : int
        seed : int
        values : array, optional
            Pairs whose distribution is taken, around its mean; normal if left out.

        Returns
        -------
        dict
            ``h0``, ``h1``, ``open``: shares of the tests; ``pairs``: the mean number looked at.

        Examples
        --------
        >>> found = SequentialTest(h1=0.5, every=50).simulate(0.5, pairs=1000, tests=200)
        >>> found["h1"] > 0.95
        True
        """
        rng = np.random.Generator(np.random.Philox(seed))
        if values is not None:
            values = np.asarray(values, float)
            values = (values - values.mean()) / values.std()
        low, high = self.bounds
        n, total, squares = 0, np.zeros(tests), np.zeros(tests)
        verdict, looked = np.full(tests, "open"), np.full(tests, pairs)
        going = np.arange(tests)
        for first, stop in chunks(0, pairs, self.every):
            size = (len(going), stop - first)
            drawn = rng.standard_normal(size) if values is None else rng.choice(values, size)
            drawn += effect
            total[going] += drawn.sum(axis=1)
            squares[going] += (drawn**2).sum(axis=1)
            n = stop
            mean = total[going] / n
            statistic = self._statistic(n, mean, np.sqrt((squares[going] - n * mean**2) / (n - 1)))
            for name, ends in (("h1", statistic >= high), ("h0", statistic <= low)):
                verdict[going[ends]] = name
                looked[going[ends]] = n
            going = going[(statistic < high) & (statistic > low)]
            if not len(going):
                break
        return {name: float((verdict == name).mean()) for name in ("h0", "h1", "open")} | {
            "pairs": looked.mean().item()
        }


class Comparison(Study):
    """One policy, `a`, against another, `b`.

    Attributes
    ----------
    points : float
        Points a deal, own minus opponents', a over b: the mean over pairs of the mean of the two deals. Of three
        players, each alone, the mean of the six tables, at each the mean score of a's seats less that of b's.
    interval : tuple of float
        The 95 % interval of ``points``: Student's t over pairs; a confidence sequence where a sequential test could
        stop.
    frame : DataFrame
        One row for each ``contract`` (``auction`` for whole deals; after several contracts their ``mean``), ``side``
        (``both``; with forced contracts also ``declaring`` and ``defending``) and ``component`` of the score. ``a`` and
        ``b`` are the means of their own component against each other, ``points`` the difference own minus opponents', a
        over b, with ``points_low`` and ``points_high``. Hand minus and penalties count against their side.
    pairs : int
    won, tied : float
        Shares of the pairs; `won_interval` is Wilson's.
    sd : float
        Standard deviation of a pair.
    variance_ratio : float
        Variance of a pair over that of the mean of two deals with different cards; of six, where three play.
    matches : dict or None
        ``matches`` (pairs of them), ``won`` (share won by a, a draw is half), ``won_low``, ``won_high``, ``deals`` (a
        match); the interval is Wilson's for pairs of matches (`stats.shares_interval`). Where three play, a match won
        with one seat counts two, one won with two seats counts one, and ``won`` is a half and half of what a wins less
        what b wins, over the most it can win: 0.5 if they are equal, 1 if a wins all.
    verdict : str or None
        Of the sequential test: ``h0``, ``h1`` or ``open``.
    """

    def __init__(
        self,
        games: _Games,
        pairs: int,
        until: SequentialTest | None = None,
        verdict: str | None = None,
        matches: dict[str, Any] | None = None,
    ):
        self._games = games
        self.a, self.b = (label(each) for each in games.policies)
        self.pairs = pairs
        self.until, self.verdict = until, verdict
        self.matches = matches
        self.frame = games.frame(pairs, mean_interval if until is None else mean_sequence)
        score = self.frame[(self.frame["side"] == "both") & (self.frame["component"] == "score")].iloc[-1]
        self.points = float(score["points"])
        self.interval = (float(score["points_low"]), float(score["points_high"]))
        tables = games.by_table(0, pairs)
        points = np.sum(tables, axis=0)
        sums = Sums.of(points)
        self.sd = sums.sd / (games.scale * len(games.contracts))
        self.statistic = None if until is None else until.statistic(sums)
        apart = math.fsum(Sums.of(table).sd ** 2 for table in tables)
        self.variance_ratio = sums.sd**2 / apart if apart else float("nan")
        won = int((points > 0).sum())
        self.won, self.tied = won / pairs, float((points == 0).mean())
        low, high = wilson(won, pairs)
        self.won_interval = (float(low), float(high))
        self.provenance = games.provenance(pairs) | {"until": None if until is None else asdict(until)}
        self.frame.attrs = self.provenance

    def rows(self) -> pd.DataFrame:
        """One row a pair: ``deal, declarer, first, second, points``.

        ``first`` is own minus opponents' score of a where it has the first side (NS), ``second`` where it has the
        other, ``points`` their mean; of several contracts the mean. Of three players ``first`` is the mean of the three
        tables where a has one seat, ``second`` of those where b has.
        """
        import pandas as pd

        games = self._games
        shown: dict[str, Any] = {"deal": np.arange(games.start, games.start + self.pairs)}
        if len(games.contracts) == 1 and games.forced(0):
            seats = layout_of(games.rules).seats
            names = [seats[place] for place in games.declarers(0, self.pairs)]
            shown["declarer"] = pd.Categorical(names, list(seats))
        tables = games.by_table(0, self.pairs)
        half = len(tables) // 2
        first, second = (
            np.sum(part, axis=0) / (games.scale // 2 * len(games.contracts)) for part in (tables[:half], tables[half:])
        )
        return pd.DataFrame(shown | {"first": first, "second": second, "points": (first + second) / 2})

    def heading(self) -> list[str]:
        """What was compared, and the answer."""
        games = self._games
        run = games.runs[0][0]
        totals = ", ".join(f"{side} {n}" for side, n in zip(layout_of(games.rules).sides, games.totals, strict=True))
        lines = [
            f"a = {self.a} against b = {self.b}",
            f"{games.units(self.pairs, 'deals')} from number {games.start:,}, seed {run.seed}; dealer {run.dealer},"
            f" totals {totals}",
        ]
        if games.unit != "pair":
            lines.append("each alone at every seat against the other at all others; points are means over their seats")
        if games.contracts != ["auction"]:
            lines.append(f"forced: {', '.join(games.contracts)}; {games.rotation}")
        low, high = self.interval
        kind = "95 %" if self.until is None else "95 % at every look"
        return [
            *lines,
            f"a over b: {self.points:+.1f} points a deal, own minus opponents'",
            f"{kind}: {low:+.1f} to {high:+.1f}; ± is half of such an interval",
        ]

    def table(self) -> str:
        """The numbers for the terminal."""
        sides = list(dict.fromkeys(self.frame["side"]))
        head = [f"a over b, {side}" for side in sides] if len(sides) > 1 else ["a over b"]
        last = self.frame["contract"].iloc[-1]
        rows = []
        for component, some in self.frame[self.frame["contract"] == last].groupby("component", sort=False):
            found = {row["side"]: row for row in records(some)}
            both = found["both"]
            rows.append([str(component), f"{both['a']:.1f}", f"{both['b']:.1f}", *_cells(found, sides)])
        parts = [text_table(["points a deal", "a", "b", *head], rows)]
        if len(self._games.contracts) > 1:
            rows = []
            for contract, some in self.frame[self.frame["component"] == "score"].groupby("contract", sort=False):
                found = {row["side"]: row for row in records(some)}
                rows.append([str(contract), *_cells(found, sides)])
            parts.append(text_table(["score", *head], rows))
        low, high = self.won_interval
        unit, others = self._games.unit, {2: "two", 6: "six"}[len(self._games.seatings)]
        parts.append(
            f"{unit}s won by a: {100 * self.won:.1f} % ({100 * low:.1f} to {100 * high:.1f}),"
            f" tied {100 * self.tied:.1f} %\n"
            f"sd of a {unit} {self.sd:.0f} points; its variance is {self.variance_ratio:.2f} of that of {others} other"
            " deals"
        )
        if self.matches is not None:
            found = {name: 100 * self.matches[name] for name in ("won", "won_low", "won_high")}
            parts.append(
                f"matches won by a: {found['won']:.1f} % ({found['won_low']:.1f} to {found['won_high']:.1f}) of"
                f" {self._games.units(self.matches['matches'], 'matches')}, {self.matches['deals']:.1f} deals each"
            )
        if self.until is not None:
            test = self.until
            effect = {"h0": test.h0, "h1": test.h1}.get(self.verdict or "")
            said = "not decided" if effect is None else f"decided for {self.verdict}, an effect of {effect:g} sd"
            parts.append(
                f"sequential test of {test.h0:g} against {test.h1:g} sd, error rates {test.alpha:g} and {test.beta:g}:"
                f" {said}"
            )
        return "\n\n".join(parts)

    def _draw(self, ax: Any) -> Any:
        """The difference by component, with intervals; the axes."""
        from .plots import plot_comparison

        return plot_comparison(self, ax)

    def to_dict(self) -> dict[str, Any]:
        """Plain values: what was compared, the answer, and the rows of the frame."""
        found: dict[str, Any] = {
            "a": spec(self._games.policies[0]),
            "b": spec(self._games.policies[1]),
            "pairs": self.pairs,
            "points": self.points,
            "interval": list(self.interval),
            "won": self.won,
            "won_interval": list(self.won_interval),
            "tied": self.tied,
            "sd": self.sd,
            "variance_ratio": self.variance_ratio,
            "matches": self.matches,
        }
        if self.until is not None:
            found |= {"until": asdict(self.until), "verdict": self.verdict, "statistic": self.statistic}
        found = {name: plain(value) for name, value in found.items()}
        return found | {"provenance": self.provenance, "rows": records(self.frame, plain)}


class _Games:
    """The deals of a comparison: for each contract and each seating of the policies, rows by number of the pair.

    Seatings tell which sides a has. Of two sides they are (a, b), (b, a) and, for forced contracts, (a, a) and (b, b),
    each (NS, EW).
    """

    def __init__(
        self,
        a: Any,
        b: Any,
        pairs: int,
        contract: str | Sequence[str] | None,
        start: int,
        **given: Any,
    ):
        self.rules: RuleSet = given["rules"]
        self.policies = (in_game(a, self.rules), in_game(b, self.rules))
        self.start = start
        self._layout = layout_of(self.rules)
        everyone = len(self._layout.sides)
        self.seatings = _seatings(everyone)
        #: What the whole numbers of ``points`` are to be divided by, for one contract.
        self.scale = len(self.seatings) * (everyone - 1)
        if contract is not None and not isinstance(contract, str):
            contract = tuple(contract)
            if not contract:
                raise StudyError("contract is empty: give at least one, such as '3H', or None for whole deals")
        asked = [self._turns(each) for each in contract] if isinstance(contract, tuple) else [self._turns(contract)]
        #: Texts of the contracts, and the forced contracts that take turns, one for each declarer.
        self.contracts = [text for text, _ in asked]
        self._taking_turns = [turns for _, turns in asked]
        if len(set(self.contracts)) < len(self.contracts):
            raise StudyError(f"contract {', '.join(self.contracts)}: each can stand there only once")
        same = [(True,) * everyone, (False,) * everyone]
        #: Contract and seating of each table, and its runs, which take turns.
        self.tables = [
            (place, seating)
            for place in range(len(asked))
            for seating in self.seatings + (same if self.forced(place) else [])
        ]
        self.runs = [
            [
                Run.of(**given, policies=_seated(self.policies, seating), contract=turn)
                for turn in self._taking_turns[place]
            ]
            for place, seating in self.tables
        ]
        self.totals = self.runs[0][0].totals
        self.compiled = all(compiled(each) is not None for each in self.policies)
        columns = [name for name, _ in self.runs[0][0].columns]
        sides = [side.lower() for side in self._layout.sides]
        self.components = [name for name in COMPONENTS if f"{name}_{sides[0]}" in columns]
        needed = [f"{name}_{side}" for name in self.components for side in sides]
        self.rows = [
            {name: values for name, values in runs[0].allocate(pairs).items() if name in needed} for runs in self.runs
        ]
        self.done = np.zeros((len(self.runs), pairs), bool)

    def _turns(self, contract: str | None) -> tuple[str, list[str | None]]:
        if contract is None:
            return "auction", [None]
        try:
            found = [parse_contract(contract, seat) for seat in self._layout.seats]
        except InvalidActionError as error:
            raise StudyError(f"{error}; 3H is declared by all seats in turn") from None
        texts = ["none" if each is None else contract_text(each) for each in found]
        if len(set(texts)) == 1:
            return texts[0], [texts[0]]
        return texts[0].replace(f" by {self._layout.seats[0]}", ""), list(texts)

    def forced(self, place: int) -> bool:
        """Whether a contract is forced, so that declaring and defending are told apart."""
        return self.contracts[place] not in ("auction", "none")

    @property
    def unit(self) -> str:
        """What all tables of the same cards are called."""
        return "pair" if len(self.seatings) == 2 else "deal"

    def units(self, n: int, of: str) -> str:
        """So many deals or matches, each at all its tables."""
        return f"{n:,} pairs of {of}" if self.unit == "pair" else f"{n:,} {of} at {len(self.seatings)} tables each"

    @property
    def rotation(self) -> str:
        """Who declares."""
        rotates = any(len(turns) > 1 for turns in self._taking_turns)
        return f"the seats declare in turn, {BLOCK} pairs each" if rotates else "the same seat always declares"

    def declarers(self, place: int, pairs: int) -> np.ndarray:
        """Seat that declares a forced contract in each pair."""
        seats = [parse_contract(turn)[2] for turn in self._taking_turns[place]]  # type: ignore[index, arg-type]
        return np.asarray(seats)[np.arange(self.start, self.start + pairs) // BLOCK % len(seats)]

    def play(self, first: int, stop: int, threads: int, update: Any) -> None:
        """Play pairs first .. stop - 1, in threads where the core can."""
        slow = not self.compiled or any(hasattr(each, "worlds") for each in self.policies)
        size = 1 if slow else CHUNK
        tasks = ((each, *part) for part in chunks(first, stop, size) for each in range(len(self.runs)))
        if threads == 1 or not self.compiled:
            for task in tasks:
                self._fill(*task)
                update(task[2] - task[1])
            return
        with threads_executor(threads) as executor:
            for (_, begin, end), future in completed(executor, self._fill, tasks, 2 * threads):
                future.result()
                update(end - begin)

    def _fill(self, each: int, first: int, stop: int) -> None:
        runs = self.runs[each]
        while first < stop:
            number = self.start + first
            upto = stop if len(runs) == 1 else min(stop, first + BLOCK - number % BLOCK)
            run = runs[number // BLOCK % len(runs)]
            run.fill(self.rows[each], number, self.start + upto, first)
            self.done[each, first:upto] = True
            first = upto

    def known(self) -> int:
        """Pairs that have been played without a gap."""
        done = np.logical_and.reduce(self.done)
        return len(done) if done.all() else int(done.argmin())

    def _values(self, place: int, component: str, first: int, stop: int) -> list[list[np.ndarray]]:
        """A component of all sides at each table of a contract."""
        names = [f"{component}_{side.lower()}" for side in self._layout.sides]
        return [
            [rows[name][first:stop].astype(np.int64) for name in names]
            for rows, table in zip(self.rows, self.tables, strict=True)
            if table[0] == place
        ]

    def by_table(self, first: int, stop: int) -> list[np.ndarray]:
        """Own minus opponents' score of a at each table, times the sides but one, summed over contracts."""
        tables = [np.zeros(stop - first, np.int64) for _ in self.seatings]
        for place in range(len(self.contracts)):
            values = self._values(place, "score", first, stop)
            for total, table, seating in zip(tables, values, self.seatings, strict=False):
                total += _a_over_b(table, seating)
        return tables

    def points(self, first: int, stop: int) -> np.ndarray:
        """Points of each pair, a over b, times `scale`, summed over contracts."""
        return np.sum(self.by_table(first, stop), axis=0)

    def frame(self, pairs: int, interval: Callable[..., tuple[float, float]]) -> pd.DataFrame:
        """The components by contract and side, and their mean over several contracts."""
        import pandas as pd

        parts: dict[tuple[str, str], list[dict[str, Any]]] = {}
        records = []
        for place, contract in enumerate(self.contracts):
            ours = np.asarray(self._layout.side_of)[self.declarers(place, pairs)] == 0 if self.forced(place) else None
            for component in self.components:
                for side, part in _by_side(self._values(place, component, 0, pairs), self.seatings, ours).items():
                    records.append(_record(contract, side, component, [part], self.scale, interval))
                    parts.setdefault((side, component), []).append(part)
        if len(self.contracts) > 1:
            for (side, component), found in parts.items():
                if len(found) == len(self.contracts):
                    records.append(_record("mean", side, component, found, self.scale, interval))
        return pd.DataFrame(records)

    def provenance(self, pairs: int) -> dict[str, Any]:
        """What it takes to play the deals again."""
        found = self.runs[0][0].provenance(self.start, self.start + pairs)
        return found | {
            "policies": [spec(each) for each in self.policies],
            "policy_hashes": [policy_hash(each) for each in self.policies],
            "contract": None if self.contracts == ["auction"] else self.contracts,
        }


def _seatings(sides: int) -> list[tuple[bool, ...]]:
    """Which sides a has at the tables of a pair: one of them, each in turn, and then all but one, each in turn.

    Of two sides that is the same twice: (a, b), (b, a). Each half of the list is the other with a and b exchanged.
    """
    alone = [tuple(side == own for side in range(sides)) for own in range(sides)]
    return list(dict.fromkeys(alone + [tuple(not has for has in seating) for seating in alone]))


def _seated(policies: Sequence[Any], seating: Sequence[bool]) -> tuple[Any, ...]:
    """The policy of each side."""
    a, b = policies
    return tuple(a if has else b for has in seating)


def _a_over_b(values: Sequence[np.ndarray], seating: Sequence[bool]) -> np.ndarray:
    """Mean of a's sides less that of b's, times the sides but one: whole numbers, as one of them has one side."""
    own, them = sum(seating), len(seating) - sum(seating)
    parts = [(own if not has else them) * (each if has else -each) for each, has in zip(values, seating, strict=True)]
    return np.sum(parts, axis=0)


def _by_side(
    values: list[list[np.ndarray]], seatings: Sequence[Sequence[bool]], ours: np.ndarray | None
) -> dict[str, dict[str, Any]]:
    """By side of the contract: means of the policies' own component, and the points of each pair in whole numbers.

    `values` are a component of all sides at the tables of `seatings` and, where contracts are forced, with the policies
    seated (a, a), (b, b); `ours` tells where the first side declares.
    """
    tables = list(zip(values, seatings, strict=False))
    both: dict[str, Any] = {"scaled": np.sum([_a_over_b(*table) for table in tables], axis=0)}
    for name, wanted in (("a", True), ("b", False)):
        means = [
            float(np.mean([each.mean() for each, has in zip(*table, strict=True) if has == wanted])) for table in tables
        ]
        both[name] = math.fsum(means) / len(means)
    if ours is None:
        return {"both": both}
    # Components of the declaring side and of the other, by the policies that declare and defend.
    own, them = {}, {}
    for name, one, other in (("ab", 0, 1), ("ba", 1, 0), ("aa", 2, 2), ("bb", 3, 3)):
        own[name] = np.where(ours, values[one][0], values[other][1])
        them[name] = np.where(ours, values[one][1], values[other][0])
    x = {name: own[name] - them[name] for name in own}
    # One side's policy changes, the other's stays: against both of them. Together they are twice `both`.
    declaring = {"a": own["ab"].mean(), "b": own["ba"].mean(), "scaled": x["ab"] - x["bb"] + x["aa"] - x["ba"]}
    defending = {"a": them["ba"].mean(), "b": them["ab"].mean(), "scaled": x["bb"] - x["ba"] + x["ab"] - x["aa"]}
    return {"declaring": declaring, "defending": defending, "both": both}


def _record(
    contract: str,
    side: str,
    component: str,
    parts: list[dict[str, Any]],
    scale: int,
    interval: Callable[..., tuple[float, float]],
) -> dict[str, Any]:
    """A row of the frame: the mean of its parts."""
    sums = Sums.of(sum(part["scaled"] for part in parts))
    # a pair is half of a difference of two plays, in units of 1 / scale and summed over the contracts
    reach = REACH / 2 * scale * len(parts)
    points = [each / (scale * len(parts)) for each in (sums.mean, *interval(sums, reach=reach))]
    return {
        "contract": contract,
        "side": side,
        "component": component,
        **{name: sum(part[name] for part in parts) / len(parts) for name in "ab"},
        **dict(zip(("points", "points_low", "points_high"), points, strict=True)),
    }


@asks
def compare(
    a: Any,
    b: Any,
    pairs: int = 20_000,
    seed: int = 0,
    rules: RuleSet | str = SITOUMUSSAMBA,
    dealer: str = "N",
    totals: Sequence[int] | None = None,
    contract: str | Sequence[str] | None = None,
    matches: int = 0,
    until: SequentialTest | Mapping[str, Any] | str | None = None,
    start: int = 0,
    policy_seed: int | None = None,
    threads: int | None = None,
    progress: bool = True,
) -> Comparison:
    """Compare two policies on duplicate deals: the same cards, the policies changing sides.

    Three players, each alone, play the same cards six times, and all six are what is called a pair: each policy has
    every seat once while the other has both others. They have no contracts to force.

    Parameters
    ----------
    a, b : str or policy
        Each plays all seats of a side. Compiled policies play on all cores, those written in Python one deal after the
        other.
    pairs : int
        Pairs of deals, numbers start .. start + pairs - 1; the most, where `until` is given.
    seed : int
    rules : RuleSet
    dealer : str
        A seat, or ``"rotate"``.
    totals : sequence of int, optional
        Match totals of the sides, 0 if left out.
    contract : str or sequence of str, optional
        A forced contract, or several, each on the same deals: what is compared is then play without bidding. ``"3H"``
        is declared by the seats in turn, ``"3H by E"`` by one. Declaring and defending are told apart, for which each
        deal is played four times, with each policy on each side of the contract.
    matches : int
        Also play so many pairs of matches to the target, number start .. start + matches - 1.
    until : SequentialTest, mapping of its parameters, or "decided", optional
        Stop when the test decides; ``"decided"`` is ``SequentialTest()``.
    start : int
        Number of the first pair.
    policy_seed : int, optional
        Seed of the policies' random numbers; that of the cards if left out.
    threads : int, optional
        All cores if left out.
    progress : bool
        Show a bar on standard error.

    Returns
    -------
    Comparison

    Raises
    ------
    StudyInterrupted
        On ctrl-C; its `result` holds what the pairs played so far say.

    Notes
    -----
    With ``x(d, e)`` for own minus opponents' points of the declaring side when policy d declares and e defends,
    declaring is the mean of ``x(a, b) - x(b, b)`` and ``x(a, a) - x(b, a)``, defending that of ``x(b, b) - x(b, a)``
    and ``x(a, b) - x(a, a)``. The mean of declaring and defending is the difference on both sides together.

    Examples
    --------
    >>> found = compare("greedy", "random", pairs=200, progress=False)
    >>> found.points > 0, found.pairs
    (True, 200)
    >>> list(compare("greedy", "random", pairs=50, contract="1H", progress=False).frame["side"].unique())
    ['declaring', 'defending', 'both']
    """
    rules = as_rules(rules)
    pairs = checks.whole("pairs", pairs, 2, checks.MOST_DEALS)
    matches = checks.whole("matches", matches, 0, checks.MOST_DEALS)
    start = checks.whole("start", start, 0, _core.MOST_NUMBER // 1000 - pairs - matches)
    if until == "decided":
        until = SequentialTest()
    elif isinstance(until, Mapping):
        parameters = [each.name for each in fields(SequentialTest)]
        for name in until:
            if name not in parameters:
                raise StudyError(f"until has no parameter {name!r}: it has {', '.join(parameters)}")
        until = SequentialTest(**until)
    elif until is not None and not isinstance(until, SequentialTest):
        raise StudyError(f"until is {until!r}: it must be 'decided' or a SequentialTest")
    given: dict[str, Any] = {"rules": rules, "seed": seed, "policy_seed": policy_seed}
    games = _Games(a, b, pairs, contract, start, dealer=dealer, totals=totals, **given)
    threads = thread_count(threads)
    played, verdict = 0, None if until is None else "open"
    try:
        with progress_bar(pairs * len(games.runs), "deals", progress) as bar:
            for first, stop in chunks(0, pairs, pairs if until is None else until.every):
                games.play(first, stop, threads, bar.update)
                played = stop
                if until is not None:
                    verdict = until.verdict(Sums.of(games.points(0, stop)))
                    if verdict != "open":
                        break
        won = _matches(games.policies, matches, start, threads, progress, **given) if matches else None
    except KeyboardInterrupt:
        known = games.known()
        if known < 2:
            raise
        raise StudyInterrupted(Comparison(games, known, until, verdict)) from None
    return Comparison(games, played, until, verdict, won)


def _matches(policies: Sequence[Any], n: int, start: int, threads: int, progress: bool, **given: Any) -> dict[str, Any]:
    """Share of matches won by the first policy, each match played at all tables.

    A match counts for the policy that wins it as many as the other has sides, so that equal policies win the same.
    """
    sides = layout_of(given["rules"]).sides
    seatings = _seatings(len(sides))
    most = sum(len(sides) - sum(seating) for seating in seatings)
    won, deals = np.full(n, most, np.int64), []
    for seating in seatings:
        seated = _seated(policies, seating)
        found = simulate_matches(n, policies=seated, start=start, threads=threads, progress=progress, **given)
        winner = found["winner"].astype(str)
        won += _a_over_b([(winner == side).to_numpy(np.int64) for side in sides], seating)
        deals.append(float(found["deals"].mean()))
    low, high = shares_interval(won, 2 * most)
    return {
        "matches": n,
        "won": Sums.of(won).mean / (2 * most),
        "won_low": low,
        "won_high": high,
        "deals": math.fsum(deals) / len(deals),
    }


def label(given: Any) -> str:
    """A policy in at most 40 characters."""
    found = spec(given)
    if not isinstance(found, str):
        found = repr(given)
    elif "." in found:
        found = type(given).__qualname__.rpartition(".")[2]
    return found if len(found) <= 40 else f"{type(given).__name__} {policy_hash(given)}"[:40]


def plus_minus(row: Mapping[str, Any], digits: int = 1) -> str:
    """Points with their interval."""
    return with_interval(*interval_of(row, "points"), digits, signed=True)


def _cells(found: Mapping[str, Mapping[str, Any]], sides: Sequence[str]) -> list[str]:
    return [plus_minus(found[side]) if side in found else "-" for side in sides]
