"""Thresholds against known truth, by simulation: part of tools/check_statistics.py."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from sitoumus.isotonic import Fit, fit_threshold
from sitoumus.threshold_parts import LEAST_IN_MEAN, carrying, interval_of_differences

#: Hands with so many jokers, about as they are dealt.
JOKERS = (0.53, 0.38, 0.08, 0.01)


def rng_of(check: str) -> np.random.Generator:
    """Random numbers of one check."""
    return np.random.Generator(np.random.Philox(key=sum(map(ord, check))))


def slack(runs: int) -> float:
    """What a share of so many runs may be off by chance: three standard errors of .95."""
    return 3 * (0.05 * 0.95 / runs) ** 0.5


def runs_of(size: float) -> int:
    """How often each study is made."""
    return max(int(2_000 * size), 300)


def points_of_deals(rng: np.random.Generator, n: int) -> np.ndarray:
    """Errors as differences of two contracts have them: a third of a deal's points in long tails, lopsided."""
    skewed = rng.exponential(1_000, n) - 1_000
    return np.asarray(900 * rng.standard_t(5, n) + skewed)


def holds(fit: Fit, truth: float | None) -> bool:
    """Whether the interval holds the true threshold; None if there is none among the values."""
    if truth is None or fit.interval is None:
        return truth is None and (fit.interval is None or None in fit.interval)
    low, high = fit.interval
    return (low is None or low <= truth) and (high is None or truth <= high)


def inside(fit: Fit, feature: np.ndarray, curve: np.ndarray, kinds: np.ndarray) -> bool:
    """Whether the band holds the mean of the true curve in every group of values."""
    group = np.maximum(np.searchsorted(fit.values, feature, "right") - 1, 0)
    true = np.bincount(group, curve[np.searchsorted(kinds, feature)]) / np.bincount(group)
    return bool(((fit.low <= true + 1e-9) & (true - 1e-9 <= fit.high)).all())


def curves() -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray, float | None]]:
    """Values, their shares, what a bid brings at each, and the threshold: the first value that is not below zero, or
    of a falling curve the last.
    """
    ten, many = np.arange(10), np.arange(0, 200, 5)
    few = np.array([1, 9, 36, 84, 126, 126, 84, 36, 9, 1]) / 512
    even, deal = np.full(len(many), 1 / len(many)), np.array(JOKERS)
    return {
        "straight": (ten, few, 120.0 * (ten - 4.5), 5),
        "shallow": (ten, few, 30.0 * (ten - 4.5), 5),
        "a step": (ten, few, np.where(ten < 6, -200.0, 150.0), 6),
        "flat, then steep": (ten, few, np.where(ten < 7, -40.0, 400.0 * (ten - 6.5)), 7),
        "zero at a value": (ten, few, 100.0 * (ten - 3.0), 3),
        "never": (ten, few, 20.0 * ten - 400, None),
        "steep, many values": (many, even, 30.0 * (many - 97.0), 100),
        "a step, many values": (many, even, np.where(many < 50, 200.0, -900.0), 45),
        "of jokers": (np.arange(4), deal, np.array([-60.0, -20.0, 30.0, 80.0]), 2),
    }


def threshold_intervals(size: float = 1.0, names: Sequence[str] | None = None) -> pd.DataFrame:
    """Intervals of thresholds, and bands of curves, by test inversion."""
    rng, runs, found = rng_of("thresholds"), runs_of(size), []
    for name, (kinds, shares, curve, truth) in curves().items():
        if names is not None and name not in names:
            continue
        covered = banded = told = 0
        for run in range(runs):
            feature = rng.choice(kinds, 2_000, p=shares)
            points = curve[np.searchsorted(kinds, feature)] + points_of_deals(rng, 2_000)
            fit = fit_threshold(feature, points, rising=bool(curve[0] <= curve[-1]), seed=run, draws=300)
            covered += holds(fit, truth)
            banded += inside(fit, feature, curve, kinds)
            told += fit.threshold == truth
        row = {"curve": name, "truth": truth, "runs": runs, "interval covers": covered / runs}
        row |= {"band covers": banded / runs, "threshold right": told / runs, "promised": "both >= .95"}
        found.append(row | {"kept": min(covered, banded) / runs >= 0.95 - slack(runs)})
    return pd.DataFrame(found).astype({"truth": object})


def rare(share: float, large: float = 0.0) -> Callable[[np.random.Generator, int], np.ndarray]:
    """Differences that few hands have: 680 in the mean as in real auctions, or a few of 25,000 among small ones."""

    def drawn(rng: np.random.Generator, n: int) -> np.ndarray:
        differ = rng.random(n) < share
        if large:
            return np.asarray(rng.normal(-20, 300, n).round() + np.where(differ, large, 0))
        return np.where(differ, rng.normal(680, 2_776, n).round(), 0)

    return drawn


def rare_differences(size: float = 1.0) -> pd.DataFrame:
    """Bands and means of differences of which few hands have one, or few a large one: flat truth, the hardest."""
    rng, runs, found = rng_of("rare differences"), runs_of(size), []
    kinds = np.arange(len(JOKERS))
    cases: list[tuple[str, int, float, Any]] = [
        (f"{share:.0%} of {n} hands", n, 680 * share, rare(share))
        for n, share in ((500, 0.02), (500, 0.1), (2_000, 0.02), (2_000, 0.05), (10_000, 0.02))
    ]
    cases += [("0.2% of 5000 large", 5_000, 30, rare(0.002, 25_000))]
    for name, n, truth, draw in cases:
        banded = bounded = covered = means = 0
        for run in range(runs):
            feature, points = rng.choice(kinds, n, p=JOKERS), draw(rng, n)
            fit = fit_threshold(feature, points, rising=True, seed=run, draws=200)
            banded += inside(fit, feature, np.full(len(kinds), float(truth)), kinds)
            bounded += bool(np.isfinite(fit.low).any())
            low, high = interval_of_differences(points)
            means += carrying(points) >= LEAST_IN_MEAN
            covered += not (truth < low or high < truth)
        row = {"differences": name, "runs": runs, "band covers": banded / runs, "band has bounds": bounded / runs}
        row |= {"mean covers": covered / runs, "mean has interval": means / runs, "promised": "both >= .95"}
        found.append(row | {"kept": min(banded, covered) / runs >= 0.95 - slack(runs)})
    return pd.DataFrame(found)


def chosen_directions(size: float = 1.0) -> pd.DataFrame:
    """Bands and intervals where the direction is chosen by the same hands, and the truth is weak, or clear."""
    rng, runs, found = rng_of("directions"), runs_of(size), []
    kinds = np.arange(len(JOKERS))
    for name, curve, truth in (
        ("flat", np.full(4, 30.0), None),
        ("weak, falls", np.array([40.0, 0.0, -60.0, -90.0]), 1),
        ("weak, rises", np.array([-40.0, -15.0, 40.0, 90.0]), 2),
        ("clear, falls", np.array([500.0, -500.0, -900.0, -900.0]), 0),
    ):
        banded = covered = known = 0
        for run in range(runs):
            feature = rng.choice(kinds, 1_000, p=JOKERS)
            fit = fit_threshold(feature, curve[feature] + points_of_deals(rng, 1_000), seed=run, draws=200)
            banded += inside(fit, feature, curve, kinds)
            covered += holds(fit, truth)
            known += fit.direction_known
        row = {"truth": name, "runs": runs, "band covers": banded / runs, "interval covers": covered / runs}
        row |= {"direction told": known / runs, "promised": "both >= .95"}
        kept = banded / runs if truth is None else min(banded, covered) / runs
        found.append(row | {"kept": kept >= 0.95 - slack(runs)})
    return pd.DataFrame(found)


THRESHOLD_CHECKS: dict[str, Callable[[float], pd.DataFrame]] = {
    "thresholds": threshold_intervals,
    "rare-differences": rare_differences,
    "directions": chosen_directions,
}
