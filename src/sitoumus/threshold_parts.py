"""A contract by a feature: the fit on one half of the hands, what it brings on the other, and both in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import stdtr, stdtrit

from .isotonic import Fit, fit_threshold, pays_words
from .logistic import Logistic
from .stats import LEVEL
from .study import plain

if TYPE_CHECKING:
    import pandas as pd

#: A mean of differences has an interval if so many values carry its variance.
LEAST_IN_MEAN = 30

#: What the values of a feature count, for sentences.
NOUNS = {
    "card_points": "card point(s) in hand",
    "jokers": "joker(s)",
    "deuces": "deuce(s)",
    "aces": "ace(s)",
    "black_threes": "black three(s)",
    "red_threes": "red three(s)",
    "run_c": "club(s) in a row",
    "run_d": "diamond(s) in a row",
    "run_h": "heart(s) in a row",
    "run_s": "spade(s) in a row",
    "longest_run": "card(s) in a row",
    "run_cards": "card(s) in runs",
    "pairs": "pair(s)",
    "triples": "triple(s)",
    "fours": "four(s)",
    "best_opening": "point(s) of best opening",
    "best_opening_declarer": "point(s) of best opening as declarer",
    "bonus_potential": "point(s) of possible bonus",
    "hand_minus": "minus point(s) in hand",
}


@dataclass(frozen=True)
class Part:
    """One contract by one feature: the fit on the half that selects, and the other half.

    A part that was not split reports a threshold only if some hands are certain to lose. Otherwise the bid pays always
    or never, by the mean of all hands.
    """

    contract: str
    feature: str
    fit: Fit
    logistic: Logistic | None
    values: np.ndarray
    points: np.ndarray
    plain: bool = False

    @classmethod
    def of(
        cls,
        contract: str,
        feature: str,
        values: np.ndarray,
        points: np.ndarray,
        rising: bool | None,
        seed: int,
        draws: int,
        plain: bool = False,
        level: float = LEVEL,
    ) -> Part:
        """Found on the hands with even numbers, told by the others."""
        select, report = slice(0, None, 2), slice(1, None, 2)
        fit = fit_threshold(values[select], points[select], rising, seed, draws, level)
        logistic = Logistic.of(values[select], points[select])
        return cls(contract, feature, fit, logistic, values[report], points[report].mean(axis=1), plain)

    @classmethod
    def best(
        cls,
        contract: str,
        features: Sequence[str],
        values: np.ndarray,
        points: np.ndarray,
        seed: int,
        draws: int,
    ) -> Part:
        """The plain part of the feature by whose threshold bidding brings most on the half that selects."""
        select = slice(0, None, 2)
        best, most = features[0], -np.inf
        for name in features if len(features) > 1 else ():
            fit = fit_threshold(values[name][select], points[select], seed=seed, draws=0)
            brings = float((points[select].mean(axis=1) * fit.pays(values[name][select])).sum())
            if brings > most:
                best, most = name, brings
        # the band is of the hands by which the feature was chosen: it holds for all of them at once
        level = 1 - (1 - LEVEL) / len(features)
        return cls.of(contract, best, values[best], points, None, seed, draws, plain=True, level=level)

    @property
    def threshold(self) -> Any:
        """The threshold that is told; None if the bid pays always or never."""
        return None if self.plain and not self.fit.loses_somewhere else self.fit.threshold

    def pays(self, values: np.ndarray) -> np.ndarray:
        """Whether the bid pays at these values of the feature."""
        if self.threshold is None and self.plain:
            return np.full(len(values), bool(self.fit.hands @ self.fit.mean >= 0))
        return self.fit.pays(values)

    @property
    def text(self) -> str:
        """The threshold in few words."""
        if self.threshold is None:
            return "always" if self.pays(self.fit.values).all() else "never"
        return f"{'from' if self.fit.rising else 'up to'} {self.threshold:g}"

    @property
    def verdict(self) -> str:
        """The threshold in whole words: which hands are meant, and of what."""
        if self.fit.threshold is None:
            return self.fit.verdict
        return f"pays {hands_in_words(self.feature, self.fit.threshold, self.fit.rising)}"

    @property
    def gain(self) -> Gain:
        """What the bid brings where it pays, on the half that reports."""
        there = self.pays(self.values)
        found = self.points[there]
        low, high = interval_of_differences(found)
        p, carry = float("nan"), carrying(found)
        if carry >= LEAST_IN_MEAN:
            p = float(stdtr(carry - 1, -found.mean() / (found.std(ddof=1) / np.sqrt(len(found)))))
        mean = float(found.mean()) if len(found) else float("nan")
        return Gain(mean, low, high, float(there.mean()), p)


@dataclass(frozen=True)
class Gain:
    """What a bid brings where it pays: its mean with interval, the share of the hands, and p of no gain.

    Ends and p are nan where too few of these hands bring something other than zero.
    """

    mean: float
    low: float
    high: float
    share: float
    p: float


def carrying(points: np.ndarray) -> float:
    """How many values carry the variance of a mean: those other than zero, fewer where a few of them are far larger.

    Of normal values the fourth powers say a third of their number.
    """
    squares, fourth = float((points.astype(float) ** 2).sum()), float((points.astype(float) ** 4).sum())
    return min(float(np.count_nonzero(points)), 3 * squares**2 / fourth) if fourth else 0.0


def interval_of_differences(points: np.ndarray, level: float = LEVEL) -> tuple[float, float]:
    """Student's interval of a mean of differences that may be rare; nan while too few carry it.

    The degrees of freedom are those of the values that carry the variance. Below `LEAST_IN_MEAN` of them the interval
    would be too narrow wherever a rare difference has not been seen.
    """
    carry = carrying(points)
    if carry < LEAST_IN_MEAN:
        return float("nan"), float("nan")
    half = float(stdtrit(carry - 1, (1 + level) / 2)) * float(points.std(ddof=1)) / np.sqrt(len(points))
    return float(points.mean() - half), float(points.mean() + half)


def hands_in_words(feature: str, value: float, rising: bool) -> str:
    """Which hands a threshold means, such as ``from 4 hearts in a row on`` or ``up to 45 points``."""
    what = NOUNS.get(feature, f"({feature})").replace("(s)", "" if value == 1 else "s")
    return pays_words(value, rising, what)


def frames_of(parts: Sequence[Part]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows of all groups, and the summary, of parts."""
    import pandas as pd

    found = pd.DataFrame([_summary(part) for part in parts])
    found["p_holm"] = holm(found["p"].to_numpy())
    return pd.DataFrame([row for part in parts for row in _rows(part)]), found


def _rows(part: Part) -> list[dict[str, Any]]:
    """One row for each group of values."""
    rows = []
    fit = part.fit
    cell = np.maximum(np.searchsorted(fit.values, part.values, "right") - 1, 0)
    for i, value in enumerate(fit.values):
        there = part.points[cell == i]
        low, high = interval_of_differences(there)
        rows.append(
            {
                "contract": part.contract,
                "feature": part.feature,
                "value": plain(value),
                "hands": len(there),
                "points": float(there.mean()) if len(there) else float("nan"),
                "points_low": low,
                "points_high": high,
                "fit": fit.fit[i],
                "fit_low": fit.low[i],
                "fit_high": fit.high[i],
                "last": plain(fit.last[i]),
                "better": float("nan") if part.logistic is None else float(part.logistic.share(value)),
            }
        )
    return rows


def _summary(part: Part) -> dict[str, Any]:
    """The row of a contract and a feature."""
    fit = part.fit
    gain = part.gain
    even = (float("nan"),) * 3 if part.logistic is None else part.logistic.even
    return {
        "contract": part.contract,
        "feature": part.feature,
        "rising": fit.rising,
        "threshold": float("nan") if part.threshold is None else part.threshold,
        "low": float("nan") if fit.interval is None or fit.interval[0] is None else fit.interval[0],
        "high": float("nan") if fit.interval is None or fit.interval[1] is None else fit.interval[1],
        "verdict": part.verdict,
        "monotone": fit.monotone,
        "direction_known": fit.direction_known,
        "even": even[0],
        "even_low": even[1],
        "even_high": even[2],
        "share": gain.share,
        "gain": gain.mean,
        "gain_low": gain.low,
        "gain_high": gain.high,
        "p": gain.p,
    }


def holm(p: np.ndarray) -> np.ndarray:
    """P-values adjusted by Holm for being asked together; nan stays nan and does not count.

    Examples
    --------
    >>> holm(np.array([0.04, float("nan"), 0.01, 0.03]))
    array([0.06, nan, 0.03, 0.06])
    """
    adjusted = p.copy()
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    steps = p[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted
