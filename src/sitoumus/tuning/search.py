"""The search: best responses by CMA-ES to the Nash mixture of a pool that they join."""

from __future__ import annotations

import csv
import io
import json
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..compare import compare
from ..errors import StudyError
from ..policies import HeuristicPolicy, spec
from ..schedule import progress_bar
from .mixture import nash
from .settings import Settings
from .space import Space, chosen
from .state import State, digest, write_whole

__all__ = ["Tuned", "best_response", "tune"]

#: No opponent with a smaller part of the mixture is played.
LEAST_PART = 0.01
#: Players of other levels than the start with at least such a part of their mixture begin in the pool.
LEAST_IN_GRID = 0.05
COLUMNS = ("round", "what", "generation", "players", "pairs", "first_deal", "mean", "best", "low", "high", "sigma")


@dataclass(frozen=True)
class Tuned:
    """What a search has found.

    Attributes
    ----------
    policy : HeuristicPolicy
        The player of the pool whose worst mean gain over another of them is best.
    name : str
        Its name in the pool: ``start``, its levels, or the round in which it was found.
    pool : dict of str to policy
        All players: those of the beginning, and the responses that gained something.
    gains : ndarray of float, shape (n, n)
        Mean gains of rows over columns of the pool, in points a deal.
    mixture : ndarray of float, shape (n,)
        Its Nash mixture.
    gain, low, high : float
        Gain of `policy` over the start in points a deal on fresh deals, with its 95 % interval; 0 for the start itself.
    settings : Settings
    """

    policy: HeuristicPolicy
    name: str
    pool: dict[str, Any]
    gains: np.ndarray
    mixture: np.ndarray
    gain: float
    low: float
    high: float
    settings: Settings

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the player as a policy file: JSON, which every ``policies`` argument and option reads."""
        write_whole(Path(path), json.dumps(self.policy.to_dict(), indent=1) + "\n")

    def __str__(self) -> str:
        lines = [f"{'':>12}  {'part':>6}  gain over the others, points a deal"]
        for i, name in enumerate(self.pool):
            cells = " ".join(f"{gain:+7.0f}" for gain in self.gains[i])
            lines.append(f"{name:>12}  {100 * abs(self.mixture[i]):4.0f} %  {cells}")
        gain = f"{self.gain:+.0f} points a deal over the start ({self.low:+.0f} to {self.high:+.0f})"
        return "\n".join([*lines, "", f"{self.name}: {gain}" if self.name != "start" else "start: nothing beats it"])


def tune(
    rules: Any = "sitoumussamba",
    *,
    start: Any = "tuned",
    against: Sequence[Any] = (),
    parameters: Sequence[str] = ("*",),
    rounds: int = 4,
    generations: int = 60,
    population: int = 16,
    pairs: int = 400,
    test_pairs: int = 4000,
    sigma: float = 0.2,
    seed: int = 0,
    state: str | os.PathLike[str] | None = None,
    resume: bool = False,
    log: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: bool = True,
) -> Tuned:
    """Tune the parameters of the heuristic for a rule set.

    The pool begins with the start, and with those of its kin who stop, double and race at other levels that belong to
    the Nash mixture of all of them (named by these levels, as 5/6/21). A round looks for the best response to the pool:
    to the Nash mixture of what its players gain on each other. It tries other levels at which bidding stops and doubles
    begin, sets out from the best of these with CMA-ES, all candidates of a generation on the same fresh duplicate
    deals, and tests what it finds on fresh deals. A response that gains joins the pool; a round without one is the
    last. The same arguments give the same players, with any number of threads.

    Parameters
    ----------
    rules : RuleSet or str
        The game.
    start, against, parameters, rounds, generations, population, pairs, test_pairs, sigma, seed
        See `sitoumus.tuning.Settings`.
    state : str or path, optional
        A file that is written whole after every generation, so that the search can go on where it was broken off.
    resume : bool
        Go on with `state`, which may also not be there yet.
    log : str or path, optional
        A CSV file with a row for every step, written whole after each.
    threads : int, optional
        Threads, all cores if left out.
    progress : bool
        Show a bar.

    Returns
    -------
    Tuned

    Raises
    ------
    StudyError
        If an argument cannot be, a file cannot be written, the state is that of another search, or the package ``cma``
        is missing.
    PolicyError, RuleSetError
        If a policy or rule set cannot be.
    """
    settings = Settings(
        rules, start, against, parameters, rounds, generations, population, pairs, test_pairs, sigma, seed
    )
    kept = State(settings.to_dict(), None if state is None else Path(state), resume)
    total = settings.rounds * (settings.generations + 3)
    with progress_bar(total, "steps", progress) as bar:
        return _Search(settings, kept, None if log is None else Path(log), threads, bar.update).run()


class _Search:
    """A search: the pool, and the deals used so far."""

    def __init__(
        self, settings: Settings, state: State, log: Path | None, threads: int | None, tell: Callable[[int], Any]
    ):
        self.settings, self.state, self.log, self.threads, self.tell = settings, state, log, threads, tell
        self.rules = settings.rules
        self.names = chosen(settings.parameters, settings.start, self.rules)
        self.next_deal = 0
        self.round = 0
        self.pool: dict[str, Any] = {}
        self.gains = np.zeros((0, 0))

    def run(self) -> Tuned:
        cma = _cma()
        for name, each in self._beginners():
            self._join(name, each)
        for name, each in self._grid():
            self._join(name, each)
        for number in range(1, self.settings.rounds + 1):
            self.round = number
            if not self._respond(cma):
                break
        mixture, _ = nash(self.gains)
        own = [i for i, each in enumerate(self.pool.values()) if isinstance(each, HeuristicPolicy)]
        names = list(self.pool)
        best = max(own, key=lambda i: min([self.gains[i, j] for j in range(len(names)) if j != i], default=0.0))
        found = self.pool[names[best]]
        gain, low, high = 0.0, 0.0, 0.0
        if found != self.settings.start:
            step = self._play("end", [found], [self.settings.start], np.ones(1), self.settings.test_pairs)
            gain, low, high = step["values"][0], step["low"], step["high"]
        return Tuned(found, names[best], self.pool, self.gains, mixture, gain, low, high, self.settings)

    def _beginners(self) -> Iterator[tuple[str, Any]]:
        yield "start", self.settings.start
        for i, each in enumerate(self.settings.against):
            known = spec(each)
            yield known if isinstance(known, str) else f"against {i + 1}", each

    def _grid(self) -> Iterator[tuple[str, HeuristicPolicy]]:
        """The start with those other levels that belong to the Nash mixture of all of them."""
        players = list(_other_levels(self.settings.start, self.names).values())
        if len(players) == 1:
            return
        gains = np.zeros((len(players), len(players)))
        for i in range(1, len(players)):
            step = self._play("grid", players[:i], [players[i]], np.ones(1), self.settings.pairs)
            gains[:i, i] = step["values"]
            gains[i, :i] = -gains[:i, i]
        mixture, _ = nash(gains)
        for i, (name, player) in enumerate(_other_levels(self.settings.start, self.names).items()):
            if mixture[i] >= LEAST_IN_GRID and player not in self.pool.values():
                yield name, player

    def _join(self, name: str, player: Any) -> None:
        """Put a player into the pool and play him against all others."""
        n = len(self.pool)
        others = list(self.pool.values())
        row = []
        for other in others:
            row += self._play("payoff", [player], [other], np.ones(1), self.settings.test_pairs)["values"]
        gains = np.zeros((n + 1, n + 1))
        gains[:n, :n] = self.gains
        gains[n, :n] = row
        gains[:n, n] = -gains[n, :n]
        self.gains = gains
        self.pool[name] = player

    def _respond(self, cma: Any) -> bool:
        """Look for a player who gains on the pool; whether one joins it."""
        settings = self.settings
        mixture, _ = nash(self.gains)
        parts = np.where(mixture >= LEAST_PART, mixture, 0.0)
        parts = np.round(parts / parts.sum(), 6)
        players = list(self.pool.values())
        opponents = [player for player, part in zip(players, parts, strict=True) if part > 0]
        weights = parts[parts > 0]
        own = [i for i, player in enumerate(players) if isinstance(player, HeuristicPolicy)]
        centre: HeuristicPolicy = players[max(own, key=lambda i: (parts[i], -i))]
        others = list(_other_levels(centre, self.names).values())
        step = self._play("levels", others, opponents, weights, settings.pairs)
        centre = others[int(np.argmax(step["values"]))]
        found = self._evolve(cma, centre, opponents, weights)
        candidates = [each for each in dict.fromkeys((found, centre)) if each not in players] or [found]
        step = self._play("test", candidates, opponents, weights, settings.test_pairs)
        best = int(np.argmax(step["values"]))
        if step["lows"][best] <= 0 or candidates[best] in players:
            return False
        self._join(f"round {self.round}", candidates[best])
        return True

    def _evolve(self, cma: Any, centre: HeuristicPolicy, opponents: list[Any], weights: np.ndarray) -> HeuristicPolicy:
        """The candidate to which CMA-ES comes from a player."""
        settings = self.settings
        space = Space(self.names, centre)
        draws = np.random.default_rng([settings.seed, self.round])
        options = {
            "popsize": settings.population,
            "bounds": [list(space.low), list(space.high)],
            "randn": lambda *shape: draws.standard_normal(shape),  # a stream of its own, not that of the process
            "seed": float("nan"),
            "verbose": -9,
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # cma's own, on options and boundaries
            search = cma.CMAEvolutionStrategy(np.zeros(len(self.names)), settings.sigma, options)
            for generation in range(settings.generations):
                points = search.ask()
                candidates = [space.player(x) for x in points]
                sigma = float(search.sigma)
                step = self._play("generation", candidates, opponents, weights, settings.pairs, generation, sigma)
                search.tell(points, [-value for value in step["values"]])
            return space.player(search.result.xfavorite)

    def _play(
        self,
        what: str,
        candidates: list[HeuristicPolicy],
        opponents: list[Any],
        weights: np.ndarray,
        pairs: int,
        generation: int | None = None,
        sigma: float | None = None,
    ) -> dict[str, Any]:
        """Gains of candidates over a mixture of opponents on common fresh deals, played or known."""
        shares = [max(2, round(pairs * float(weight))) for weight in weights]
        first = self.next_deal
        self.next_deal += sum(shares)
        head = {"round": self.round, "what": what, "generation": generation, "pairs": sum(shares), "first_deal": first}
        head["players"] = digest([[each.weights for each in (*candidates, *opponents)], weights.tolist()])
        step = self.state.known(head)
        if step is None:
            values, halves = [], []
            for candidate in candidates:
                value, variance, at = 0.0, 0.0, first
                for opponent, weight, share in zip(opponents, weights, shares, strict=True):
                    gain, half = self._gain(candidate, opponent, share, at)
                    value += float(weight) * gain
                    variance += (float(weight) * half) ** 2
                    at += share
                values.append(value)
                halves.append(variance**0.5)
            best = int(np.argmax(values))
            step = {**head, "mean": float(np.mean(values)), "best": values[best], "values": values}
            step["lows"] = [value - half for value, half in zip(values, halves, strict=True)]
            step |= {"low": values[best] - halves[best], "high": values[best] + halves[best], "sigma": sigma}
            self.state.add(step)
            self._write_log()
        self.tell(1)
        return step

    def _gain(self, candidate: HeuristicPolicy, opponent: Any, pairs: int, start: int) -> tuple[float, float]:
        """Mean gain in points a deal, and half the width of its interval."""
        if candidate == opponent:
            return 0.0, 0.0
        found = compare(
            candidate,
            opponent,
            pairs=pairs,
            seed=self.settings.seed,
            start=start,
            rules=self.rules,
            threads=self.threads,
            progress=False,
        )
        low, high = found.interval
        return float(found.points), float(high - low) / 2

    def _write_log(self) -> None:
        if self.log is None:
            return
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        for step in self.state.steps:
            cells = [step[name] for name in COLUMNS]
            writer.writerow(["" if x is None else f"{x:.4g}" if isinstance(x, float) else x for x in cells])
        write_whole(self.log, text.getvalue())


def best_response(settings: Settings, threads: int | None = None) -> tuple[HeuristicPolicy, float, float, float]:
    """The best response to one player that a search of one round finds, the player alone being its pool.

    Parameters
    ----------
    settings : Settings
        `start` is the player; `against` and `rounds` say nothing here.
    threads : int, optional
        Threads, all cores if left out.

    Returns
    -------
    player : HeuristicPolicy
    gain, low, high : float
        Its mean gain on the start in points a deal, on `test_pairs` fresh pairs, with its 95 % interval. Of the two
        players that are tested, what CMA-ES found and what it set out from, the better one is told, so the gain of
        players that gain nothing is a little too high.

    Raises
    ------
    StudyError
        If the package ``cma`` is missing.
    """
    cma = _cma()
    search = _Search(settings, State(settings.to_dict(), None, False), None, threads, lambda _: None)
    search.round = 1
    against, alone = [settings.start], np.ones(1)
    others = list(_other_levels(settings.start, search.names).values())
    levels = search._play("levels", others, against, alone, settings.pairs)
    centre = others[int(np.argmax(levels["values"]))]
    found = search._evolve(cma, centre, against, alone)
    tested = [each for each in dict.fromkeys((found, centre)) if each != settings.start] or [found]
    step = search._play("test", tested, against, alone, settings.test_pairs)
    return tested[int(np.argmax(step["values"]))], step["best"], step["low"], step["high"]


def _other_levels(player: HeuristicPolicy, names: list[str]) -> dict[str, HeuristicPolicy]:
    """The player, and others who stop, double and race at other levels, by name: what small steps do not reach."""
    found = {"as he is": player}
    for stop in range(3, 11):
        for double in (stop + 1, stop + 2):
            for race in (double, 21):
                levels = {"bid_stop": stop, "double_level": double, "race_level": race}
                tried = {name: level for name, level in levels.items() if name in names}
                other = player.replace(**tried)
                if other not in found.values():
                    found["/".join(map(str, tried.values()))] = other
    return found


def _cma() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it tells of packages that it could use
            import cma
    except ImportError:
        raise StudyError("tuning needs the package cma: pip install 'sitoumus[tune]'") from None
    return cma
