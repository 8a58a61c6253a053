"""From which hand on a bid pays: against passing, or another bid, on the same deals, by a feature of the hand.

Many random hands, few deals each. What a bid brings more than passing is taken to rise, or to fall, with the feature.
The curve is fitted by isotonic regression; its band comes from the means over all ranges of values, which bound a
rising curve, at a width that a cluster bootstrap over hands makes hold for all ranges at once. The threshold is where
the curve reaches zero; its interval holds every value that the band does not exclude as threshold (test inversion).
Thresholds are found on one half of the hands, and what they bring is told by the other half.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit, ndtri, stdtr

from . import _core
from ._names import PURPOSES
from .conditions import prepare
from .errors import StudyError, StudyInterrupted
from .notation import STRAINS, contract_text, parse_contract
from .odds import asked_contract, condition_of, known_lines, known_values, points_of
from .policies import by_seat, specs
from .position import layout_of
from .rules import SITOUMUSSAMBA, RuleSet, as_rules
from .run import Run, play_runs
from .schedule import progress_bar, thread_count
from .stats import LEVEL, Sums, mean_interval
from .study import Study, asks, plain, records, text_table
from .version import RESULT_VERSION, __version__
from .worlds import AuctionWorlds, passes_before

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["BiddingTable", "Thresholds", "bidding_table", "fit_threshold", "thresholds"]

#: A feature of more values is cut into so many groups of about as many hands.
GROUPS = 12
#: Hands of a value, in the half on which a threshold is found; values of fewer join their neighbours.
LEAST = 30
#: Hands played at a time, and the fewest that are asked.
BATCH = 2_000
FEWEST = 200
#: Purpose of the bootstrap's random numbers.
_PURPOSE = PURPOSES["bootstrap"]


def missing(name: str) -> StudyError:
    """The error of an extra that is not there."""
    return StudyError(f"thresholds need {name}: pip install 'sitoumus[studies]'")


# ---- fits ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fit:
    """A curve that rises, or falls, fitted to what hands bring by the value of a feature.

    Attributes
    ----------
    values : array
        Lower ends of the groups of values.
    hands : array of int
    mean, fit, low, high : array
        By group: the mean, the isotonic curve, and its simultaneous band.
    rising : bool
    threshold : number or None
        The first value (if the curve falls: the last) at which the curve is not below zero; None if there is none, or
        if the curve is nowhere below zero.
    interval : (number or None, number or None)
        Thresholds that the band does not exclude; None where it leaves the end open.
    verdict : str
    monotone : bool
        False if the hands contradict, at the level of the band, every curve that rises (or falls).
    """

    values: np.ndarray
    hands: np.ndarray
    mean: np.ndarray
    fit: np.ndarray
    low: np.ndarray
    high: np.ndarray
    rising: bool
    threshold: Any
    interval: tuple[Any, Any] | None
    verdict: str
    monotone: bool

    def pays(self, values: np.ndarray) -> np.ndarray:
        """Whether the bid pays at these values of the feature, by the curve."""
        if self.threshold is None:
            return np.full(len(values), bool(self.fit.min() >= 0))
        return values >= self.threshold if self.rising else values < self._end(self.threshold)

    @property
    def loses_somewhere(self) -> bool:
        """Whether some hands are certain to lose: the band excludes that the bid always pays."""
        return bool((self.high < 0).any())

    def _end(self, value: Any) -> float:
        """Where the group that begins with a value ends."""
        after = self.values[self.values > value]
        return float(after.min()) if len(after) else np.inf


def groups_of(values: np.ndarray, most: int = GROUPS, least: int = LEAST) -> np.ndarray:
    """Lower ends of groups of values: every value its own group, or about `most` groups of equal size.

    Examples
    --------
    >>> groups_of(np.repeat([0, 1, 2, 9], [40, 50, 60, 3]))
    array([0, 1, 2])
    """
    kinds, counts = np.unique(values, return_counts=True)
    if len(kinds) > most:
        least = max(least, len(values) // most)
    starts, held = [], 0
    for kind, count in zip(kinds, counts, strict=True):
        if held == 0:
            starts.append(kind)
        held += count
        if held >= least:
            held = 0
    if held and len(starts) > 1:
        starts.pop()
    return np.array(starts)


def fit_threshold(
    feature: np.ndarray,
    points: np.ndarray,
    rising: bool | None = None,
    seed: int = 0,
    draws: int = 1000,
    level: float = LEVEL,
) -> Fit:
    """Fit a rising (or falling) curve to points by a feature, with its band and the threshold at zero.

    Parameters
    ----------
    feature : array of shape (n,)
        Of n hands.
    points : array of shape (n,) or (n, k)
        What each hand brings in each of its k deals; hands are independent of each other.
    rising : bool, optional
        Whether the curve rises; told by the slope of a straight line if left out.
    seed : int
    draws : int
        Draws of the bootstrap; 0 leaves the band out.
    level : float

    Returns
    -------
    Fit

    Notes
    -----
    For a rising f the mean of f over any range of values up to x is at most f(x), and over any range from x on at least
    f(x). So f(x) is at least the highest lower bound of the means over ranges that end at x or before, and at most the
    lowest upper bound of those that begin at x or after. The bounds are mean -+ c se, se clustered by hand, with the c
    that the largest of all deviations, each over the standard error of its own draw, stays below in 95 % of the
    bootstrap's draws. Compare L. Dümbgen, Math. Methods Stat. 12 (2003), and F. Yang and R. F. Barber, Electron. J.
    Stat. 13 (2019). Nothing is bootstrapped at a point of the isotonic curve itself, where the bootstrap is not
    consistent. Where bounds cross, no rising curve fits; the band is widened to hold the isotonic curve always, so that
    the interval always holds the threshold.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> x = rng.integers(0, 8, 2000)
    >>> found = fit_threshold(x, 200 * (x - 3.5) + rng.normal(0, 500, 2000))
    >>> found.threshold, found.interval, found.verdict
    (4, (4, 5), 'pays from 4')
    """
    try:
        from sklearn.isotonic import IsotonicRegression
    except ImportError:
        raise missing("scikit-learn") from None
    points = np.asarray(points, float)
    points = points[:, None] if points.ndim == 1 else points
    feature = np.asarray(feature)
    if rising is None:
        centred = feature - feature.mean()
        rising = bool(centred @ points.mean(axis=1) >= 0)
    starts = groups_of(feature)
    cell = np.searchsorted(starts, feature, "right") - 1
    cell = np.maximum(cell, 0)
    sums = points.sum(axis=1)
    each = points.shape[1]
    hands = np.bincount(cell, minlength=len(starts))
    total = np.bincount(cell, sums, len(starts))
    order = slice(None) if rising else slice(None, None, -1)
    low, high = _band(cell, sums, each, len(starts), order, seed, draws, level)
    mean = total / (each * hands)
    model = IsotonicRegression(increasing=rising)
    fit = model.fit(np.arange(len(starts)), mean, sample_weight=hands).predict(np.arange(len(starts)))
    monotone = bool((low <= high).all())
    low, high = np.minimum(low, fit), np.maximum(high, fit)
    verdict = _verdict(starts[order], fit[order], low[order], high[order], rising)
    return Fit(starts, hands, mean, fit, low, high, rising, *verdict, monotone)


def _band(
    cell: np.ndarray, sums: np.ndarray, each: int, cells: int, order: slice, seed: int, draws: int, level: float
) -> tuple[np.ndarray, np.ndarray]:
    """The simultaneous band of a monotone curve, by group; `order` turns a falling curve into a rising one."""
    key = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    rng = np.random.Generator(np.random.Philox(key=key, counter=[0, _PURPOSE, 0, 0]))
    place = np.arange(cells)[order]
    cell = place[cell] if place[0] else cell
    by_cell = np.argsort(cell, kind="stable")
    cell, sums = cell[by_cell], sums[by_cell]
    edges = np.searchsorted(cell, np.arange(cells))
    count, total, squares = (np.add.reduceat(x, edges) for x in (np.full(len(sums), each), sums, sums * sums))

    def ranges(x: np.ndarray) -> np.ndarray:
        """Sums over all ranges a <= b of groups, at [..., a, b]."""
        up = np.concatenate([np.zeros((*x.shape[:-1], 1)), np.cumsum(x, axis=-1)], axis=-1)
        return up[..., None, 1:] - up[..., :-1, None]

    def means(n: np.ndarray, s: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Means over all ranges, and standard errors: of a ratio of sums over hands, residuals sum - mean * deals."""
        n, s, q = ranges(n.astype(float)), ranges(s), ranges(q)
        mean, hands = s / n, n / each
        variance = np.maximum(q - 2 * mean * each * s + mean**2 * each * n, 0)
        return mean, np.sqrt(variance / (hands - 1).clip(1) * hands) / n

    upper = np.triu(np.ones((cells, cells), bool))
    with np.errstate(divide="ignore", invalid="ignore"):
        mean, se = means(count, total, squares)
    largest = np.full(max(draws, 1), np.inf)
    step = max(1, 2_000_000 // len(sums))
    for at in range(0, draws, step):
        weights = rng.poisson(1.0, (min(step, draws - at), len(sums)))
        drawn = (np.add.reduceat(weights * x, edges, axis=1) for x in (each, sums, sums * sums))
        with np.errstate(divide="ignore", invalid="ignore"):
            drawn_mean, drawn_se = means(*drawn)
            apart = np.abs(drawn_mean - mean) / drawn_se
        apart[~np.isfinite(apart) | ~upper] = 0
        largest[at : at + len(weights)] = apart.max(axis=(1, 2))
    width = np.quantile(largest, level) * se if draws else np.full_like(se, np.inf)
    lower = np.where(upper, mean - width, -np.inf).max(axis=0)
    higher = np.where(upper, mean + width, np.inf).min(axis=1)
    lower = np.maximum.accumulate(lower)
    higher = np.minimum.accumulate(higher[::-1])[::-1]
    return lower[order], higher[order]


def _verdict(
    values: np.ndarray, fit: np.ndarray, low: np.ndarray, high: np.ndarray, rising: bool
) -> tuple[Any, tuple[Any, Any] | None, str]:
    """Threshold, interval and words of a curve that rises along the values as they stand."""
    word = "from" if rising else "up to"

    def first(marks: np.ndarray) -> Any:
        return plain(values[int(marks.argmax())]) if marks.any() else None

    point, earliest, latest = first(fit >= 0), first(high >= 0), first(low >= 0)
    if earliest is None:
        return None, None, "no threshold in the range: it never pays"
    if low[0] >= 0:
        return None, None, "no threshold in the range: it always pays"
    interval = (None if high[0] >= 0 else earliest, latest)
    if not rising:
        interval = interval[::-1]
    if point is None:
        return None, interval, f"no threshold in the range; it may pay {word} {earliest}"
    if fit[0] >= 0:
        return None, interval, "no threshold in the range; it pays on the whole at every value"
    return point, interval, f"pays {word} {point}"


@dataclass(frozen=True)
class Logistic:
    """How often the bid brings more than passing, by the feature: a logistic curve, errors clustered by hand."""

    intercept: float
    slope: float
    covariance: np.ndarray

    @classmethod
    def of(cls, feature: np.ndarray, points: np.ndarray) -> Logistic | None:
        """Fitted to the deals in which the two differ; None if the feature tells them apart, or nothing does."""
        try:
            import statsmodels.api as sm
        except ImportError:
            raise missing("statsmodels") from None
        points = points[:, None] if points.ndim == 1 else points
        hand = np.repeat(np.arange(len(points)), points.shape[1])
        x, better = np.repeat(feature.astype(float), points.shape[1]), points.ravel()
        differ = better != 0
        hand, x, better = hand[differ], x[differ], better[differ] > 0
        if better.all() or not better.any() or len(np.unique(x)) < 2:
            return None
        won, lost = x[better], x[~better]
        if lost.max() <= won.min() or won.max() <= lost.min():
            return None  # separated: the steeper, the better, without end
        scale = x.std()
        model = sm.GLM(better.astype(float), sm.add_constant(x / scale), family=sm.families.Binomial())
        found = model.fit(cov_type="cluster", cov_kwds={"groups": hand})
        turn = np.diag([1, 1 / scale])
        intercept, slope = turn @ np.asarray(found.params)
        return cls(float(intercept), float(slope), turn @ np.asarray(found.cov_params()) @ turn)

    def share(self, values: Any) -> np.ndarray:
        """Share of the deals that differ in which the bid brings more."""
        return expit(self.intercept + self.slope * np.asarray(values, float))

    @property
    def even(self) -> tuple[float, float, float]:
        """The value at which that share is one half, with its interval (delta method)."""
        at = -self.intercept / self.slope
        gradient = np.array([-1 / self.slope, self.intercept / self.slope**2])
        half = ndtri((1 + LEVEL) / 2) * np.sqrt(gradient @ self.covariance @ gradient)
        return at, float(at - half), float(at + half)


# ---- the study -------------------------------------------------------------------------------------------------------


class Thresholds(Study):
    """From which value of a feature on a bid pays.

    Attributes
    ----------
    frame : DataFrame
        One row a value (the lower end of a group of values): ``contract, feature, value, hands, points`` (bid less
        pass, on the half that reports) with ``points_low`` and ``points_high``, ``fit, fit_low, fit_high`` (the curve
        and its simultaneous band, on the half that selects), ``better`` (the logistic curve: share of the deals that
        differ in which the bid brings more).
    summary : DataFrame
        One row for each contract and feature: ``threshold, low, high, verdict``; ``monotone`` (False if the hands
        contradict a curve that rises, or falls); ``even`` (where the logistic curve is one half); ``gain`` (bid less
        pass for the hands at which it pays, on the half that reports) with its interval, ``share`` of the hands at
        which it pays, and ``p``, ``p_holm``: of the hypothesis that this gain is not above 0.
    threshold : number or None
        Of the only contract and feature asked.
    interval : tuple or None
        Thresholds that are not excluded at 95 %; an end is None where the range of values ends first.
    """

    def __init__(self, parts: Sequence[Part], run: Run, asked: dict[str, Any], shown: Sequence[str]):
        self.parts = tuple(parts)
        self._run = run
        self._asked = asked
        self._shown = list(shown)
        self.frame, self.summary = _frames(parts)
        self.provenance = run.provenance(0, asked["hands"]) | asked
        self.frame.attrs = self.summary.attrs = self.provenance

    @property
    def threshold(self) -> Any:
        """The threshold."""
        return self._only.fit.threshold

    @property
    def interval(self) -> tuple[Any, Any] | None:
        """The thresholds that are not excluded."""
        return self._only.fit.interval

    @property
    def _only(self) -> Part:
        if len(self.parts) > 1:
            raise StudyError(f"these are {len(self.parts)} thresholds: see summary")
        return self.parts[0]

    def heading(self) -> list[str]:
        """What was asked."""
        return self._shown

    def table(self) -> str:
        """The thresholds, and the curve if there is only one, for the terminal."""
        head = ["contract", "feature", "threshold", "not excluded", "even", "pays for", "gain there", "p (Holm)"]
        rows = []
        for row, part in zip(records(self.summary), self.parts, strict=True):
            half = (row["gain_high"] - row["gain_low"]) / 2
            rows.append(
                [
                    part.contract,
                    part.feature,
                    part.text,
                    _ends(part.fit),
                    f"{row['even']:.1f}" if part.values.min() <= row["even"] <= part.values.max() else "-",
                    f"{100 * row['share']:.1f}%",
                    "-" if row["gain"] != row["gain"] else f"{row['gain']:.0f}±{half:.0f}",
                    "-" if row["p_holm"] != row["p_holm"] else f"{row['p_holm']:.3f}",
                ]
            )
        lines = text_table(head, rows, spare=("even",))
        if len(self.parts) > 1:
            return lines
        head = [self.parts[0].feature, "hands", "points", "fit", "band", "better"]
        rows = [
            [
                f"{row['value']:g}{'+' if i == len(self.frame) - 1 else ''}",
                f"{row['hands']:,}",
                f"{row['points']:.0f}±{(row['points_high'] - row['points_low']) / 2:.0f}",
                f"{row['fit']:.0f}",
                f"{row['fit_low']:.0f} .. {row['fit_high']:.0f}",
                f"{100 * row['better']:.0f}%",
            ]
            for i, row in enumerate(records(self.frame))
        ]
        fit = self.parts[0].fit
        words = [fit.verdict]
        if not fit.monotone:
            bends = "rises" if fit.rising else "falls"
            words.append(f"these hands contradict every curve that {bends}: this is the nearest one")
        return "\n".join([lines, *words, "", text_table(head, rows)])

    def plot(self, ax: Any = None, path: Any = None) -> Any:
        """As for all studies; a list of axes where there are several features."""
        return super().plot(ax, path)

    def _draw(self, ax: Any) -> Any:
        """The curve with its band, the means and the threshold; the axes, one for each feature."""
        from .plots import plot_thresholds

        return plot_thresholds(self, ax)

    def to_dict(self) -> dict[str, Any]:
        """Plain values: what was asked, the summary, and the rows of the frame."""
        return {
            **self._asked,
            "version": __version__,
            "result_version": RESULT_VERSION,
            "summary": records(self.summary, plain),
            "rows": records(self.frame, plain),
        }


def _ends(fit: Fit) -> str:
    """The thresholds that are not excluded, as text."""
    if fit.interval is None:
        return "-"
    low, high = fit.interval
    return f"{'..' if low is None else f'{low:g}'} to {'..' if high is None else f'{high:g}'}"


@dataclass(frozen=True)
class Part:
    """One contract by one feature: the fit on the half that selects, and the other half.

    Of a plain part a threshold is told only where some hands are certain to lose; else it pays always or never, by the
    mean of all hands.
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
    ) -> Part:
        """Found on the hands with even numbers, told by the others."""
        select, report = slice(0, None, 2), slice(1, None, 2)
        fit = fit_threshold(values[select], points[select], rising, seed, draws)
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
        return cls.of(contract, best, values[best], points, None, seed, draws, plain=True)

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
    def gain(self) -> tuple[Sums, float, float]:
        """Sums of what the bid brings where it pays, on the half that reports; their share; p of no gain."""
        there = self.pays(self.values)
        # means over a hand's deals are whole only in units of 1 / deals; thousandths keep the sums exact
        sums = Sums.of(np.rint(1000 * self.points[there]).astype(np.int64))
        if sums.n < 2 or sums.sd == 0:
            return sums, float(there.mean()), float("nan")
        t = sums.mean / (sums.sd / np.sqrt(sums.n))
        return sums, float(there.mean()), float(stdtr(sums.n - 1, -t))


def _frames(parts: Sequence[Part]) -> tuple[pd.DataFrame, pd.DataFrame]:
    import pandas as pd

    rows, summary = [], []
    for part in parts:
        fit = part.fit
        cell = np.maximum(np.searchsorted(fit.values, part.values, "right") - 1, 0)
        for i, value in enumerate(fit.values):
            there = np.rint(1000 * part.points[cell == i]).astype(np.int64)
            sums = Sums.of(there)
            low, high = mean_interval(sums)
            rows.append(
                {
                    "contract": part.contract,
                    "feature": part.feature,
                    "value": plain(value),
                    "hands": sums.n,
                    "points": sums.mean / 1000,
                    "points_low": low / 1000,
                    "points_high": high / 1000,
                    "fit": fit.fit[i],
                    "fit_low": fit.low[i],
                    "fit_high": fit.high[i],
                    "better": float("nan") if part.logistic is None else float(part.logistic.share(value)),
                }
            )
        sums, share, p = part.gain
        low, high = mean_interval(sums)
        even = (float("nan"),) * 3 if part.logistic is None else part.logistic.even
        summary.append(
            {
                "contract": part.contract,
                "feature": part.feature,
                "rising": fit.rising,
                "threshold": float("nan") if part.threshold is None else part.threshold,
                "low": float("nan") if fit.interval is None or fit.interval[0] is None else fit.interval[0],
                "high": float("nan") if fit.interval is None or fit.interval[1] is None else fit.interval[1],
                "verdict": fit.verdict,
                "monotone": fit.monotone,
                "even": even[0],
                "even_low": even[1],
                "even_high": even[2],
                "share": share,
                "gain": sums.mean / 1000,
                "gain_low": low / 1000,
                "gain_high": high / 1000,
                "p": p,
            }
        )
    found = pd.DataFrame(summary)
    found["p_holm"] = holm(found["p"].to_numpy())
    return pd.DataFrame(rows), found


def holm(p: np.ndarray) -> np.ndarray:
    """P-values adjusted by Holm for being asked together; nan stays nan and does not count."""
    try:
        from statsmodels.stats.multitest import multipletests
    except ImportError:
        raise missing("statsmodels") from None
    adjusted = p.copy()
    known = ~np.isnan(p)
    if known.any():
        adjusted[known] = multipletests(p[known], method="holm")[1]
    return adjusted


@asks
def thresholds(
    contract: Sequence[str] | str,
    feature: Sequence[str] | str = "run_h",
    hands: int = 20_000,
    repeats: int = 1,
    seat: str = "E",
    dealer: str = "N",
    totals: Sequence[int] | None = None,
    rising: bool | None = None,
    seed: int = 0,
    policies: Any = "heuristic",
    rules: RuleSet | str = SITOUMUSSAMBA,
    draws: int = 1000,
    policy_seed: int | None = None,
    where: Any = None,
    against: str = "pass",
    contested: bool = False,
    threads: int | None = None,
    progress: bool = True,
) -> Thresholds:
    """From which value of a feature on a bid brings more than passing.

    Parameters
    ----------
    contract : str or sequence of str
        Contracts such as ``"3H"``, forced as for `contract_odds`; the seat declares.
    feature : str or sequence of str
        Features of the hand (`Hand.features`); every contract is asked by every feature.
    hands : int
        Random hands of the seat.
    repeats : int
        Deals of each hand.
    seat, dealer, totals, policies, rules, policy_seed
        As for `contract_odds`; passing means the same there.
    rising : bool, optional
        Whether the bid is worth more the higher the feature is; told by the deals if left out.
    seed : int
        Hand i is that of deal i.
    draws : int
        Draws of the bootstrap.
    where : condition, optional
        Only deals of which it holds, as for `contract_odds`; with one deal of each hand.
    against : str
        What each contract is compared with, on the same deals: ``"pass"``, a contract such as ``"3H"``, or ``"below"``,
        the same strain one level lower.
    contested : bool
        Ask of bids, not of contracts: those before the seat pass, the seat bids or passes, and the auction goes on by
        the policies, as for `best_bid`. Otherwise the contract is forced, and a seat that passes does so to the end.
    threads : int, optional
        All cores if left out.
    progress : bool
        Show a bar on standard error.

    Returns
    -------
    Thresholds

    Raises
    ------
    StudyError
        If there is no such feature, or an extra is missing (``pip install 'sitoumus[studies]'``).
    StudyInterrupted
        On ctrl-C; its `result` holds what the hands played so far say.

    Examples
    --------
    >>> found = thresholds("2H", "best_opening_declarer", hands=400, progress=False)
    >>> list(found.frame.columns[:5])
    ['contract', 'feature', 'value', 'hands', 'points']
    """
    rules = as_rules(rules)
    contracts = [contract] if isinstance(contract, str) else list(contract)
    features = [feature] if isinstance(feature, str) else list(feature)
    _ready(hands=hands, draws=draws, repeats=repeats)
    if where is not None and repeats > 1:
        raise StudyError(f"repeats is {repeats} with a condition: conditions hold of deals, so ask one of each hand")
    if not contracts or not features:
        raise StudyError("ask for at least one contract, such as '3H', and one feature, such as 'run_h'")
    for name in features:
        _check_feature(name)
    layout = layout_of(rules)
    if seat not in layout.seats:
        raise StudyError(f"{seat!r} is no seat: seats are {', '.join(layout.seats)}")
    given: dict[str, Any] = {
        "rules": rules,
        "seed": seed,
        "policies": by_seat(policies, rules),
        "dealer": dealer,
        "totals": totals,
        "policy_seed": policy_seed,
        "where": None if where is None else prepare(where, None, rules, seat).condition,
    }
    asked_pairs = Pairs.of(given, contracts, seat, against, contested)
    runs = asked_pairs.runs
    with progress_bar(hands * repeats * len(runs), "deals", progress) as bar:
        values, points, complete = differences(asked_pairs, seat, hands, repeats, thread_count(threads), bar.update)
    hands = len(values)
    shown = [each.replace(f" by {seat}", "") for each in contracts]
    parts = [
        Part.of(name, each, values[each], points[i], rising, seed, draws)
        for i, name in enumerate(shown)
        for each in features
    ]
    asked = {
        "contract": shown,
        "feature": features,
        "hands": hands,
        "repeats": repeats,
        "seat": seat,
        "dealer": dealer,
        "against": against,
        "contested": contested,
        "totals": list(runs[-1].totals),
        **known_values(runs[-1], seat, condition_of(runs[-1], hands)),
        "seed": runs[-1].seed,
        "policies": specs(runs[-1].policies),
        "rules_hash": rules.hash,
    }
    found = Thresholds(parts, runs[-1], asked, _heading(runs[-1], seat, hands, repeats, asked_pairs))
    if not complete:
        raise StudyInterrupted(found)
    return found


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


def _ready(**numbers: int) -> None:
    """Refuse numbers that are too small, and to begin where an extra is missing."""
    least = {"hands": FEWEST, "draws": 100, "repeats": 1}
    for name, value in numbers.items():
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least[name]:
            raise StudyError(f"{name} is {value!r}: it must be a whole number from {least[name]} up")
    for module, package in (("sklearn", "scikit-learn"), ("statsmodels", "statsmodels")):
        if find_spec(module) is None:
            raise missing(package)


def _heading(run: Run, seat: str, hands: int, repeats: int, asked: Pairs) -> list[str]:
    totals = ", ".join(f"{side} {n}" for side, n in zip(layout_of(run.rules).sides, run.totals, strict=True))
    players = specs(run.policies)
    who = f"{players[0]} at all seats" if len(players) == 1 else " ".join(map(str, players))
    deals = "a deal" if repeats == 1 else f"{repeats} deals"
    return [
        f"{asked.words} on the same deals, at {seat}, dealer {run.dealer}, totals {totals}",
        f"{hands:,} random hands, {deals} each, seed {run.seed}; policies: {who}",
        *asked.heard_lines(repeats),
        *known_lines(run, seat, condition_of(run, hands)),
        "found on one half of the hands; hands, points and gain are those of the other half",
    ]


def _check_feature(name: str) -> None:
    if name not in _core.FEATURES:
        import difflib

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


# ---- the bidding table -----------------------------------------------------------------------------------------------

#: What the hands of a strain are told apart by in the bidding table: of these the one that serves best is taken.
TABLE_FEATURES: dict[str, tuple[str, ...]] = {
    "C": ("run_c", "run_cards", "best_opening_declarer"),
    "D": ("run_d", "run_cards", "best_opening_declarer"),
    "H": ("run_h", "run_cards", "best_opening_declarer"),
    "S": ("run_s", "run_cards", "best_opening_declarer"),
    "CAN": ("triples", "run_cards", "best_opening_declarer"),
    "DEU": ("deuces", "run_cards", "best_opening_declarer"),
}

#: Short names of features, for the sheet.
SHORT = {
    "best_opening_declarer": "opening",
    "best_opening": "opening",
    "run_cards": "in runs",
    "longest_run": "run",
    "run_c": "run",
    "run_d": "run",
    "run_h": "run",
    "run_s": "run",
    "bonus_potential": "bonus",
}


class BiddingTable(Study):
    """The hand from which every bid pays, at each opening minimum.

    Attributes
    ----------
    frame : DataFrame
        One row for each minimum and contract: ``minimum, total, contract, level, strain``, and the columns of
        `Thresholds.summary` for the feature chosen; ``p_holm`` is adjusted over the whole table.
    sheet : DataFrame
        The player's sheet: a row a contract, a column a minimum, such as ``opening 50+`` (pays from 50 on), ``run 2-``
        (up to 2), ``always``, ``never``. A hand is named only where bidding with the others is certain to lose; a
        question mark stands where the gain is not certain at 95 % on the half that reports.
    """

    def __init__(
        self,
        parts: Mapping[int, Sequence[Part]],
        totals: Mapping[int, int],
        provenance: dict[Any, Any],
        asked: dict[str, Any],
        shown: Sequence[str],
    ):
        import pandas as pd

        self._asked = asked
        self._shown = list(shown)
        self._parts = dict(parts)
        frames = []
        for minimum, found in parts.items():
            _, summary = _frames(found)
            head = pd.DataFrame(
                {
                    "minimum": minimum,
                    "total": totals[minimum],
                    "contract": summary["contract"],
                    "level": [int(part.contract.split()[0][: -len(_strain(part.contract))]) for part in found],
                    "strain": [_strain(part.contract) for part in found],
                }
            )
            frames.append(pd.concat([head, summary.drop(columns=["contract", "p_holm"])], axis=1))
        self.frame = pd.concat(frames, ignore_index=True)
        self.frame["p_holm"] = holm(self.frame["p"].to_numpy())
        words = [_cell(row) for row in records(self.frame)]
        cells = self.frame.assign(cell=words).pivot(index="contract", columns="minimum", values="cell")
        order = list(dict.fromkeys(self.frame["contract"]))
        self.sheet = cells.loc[order, list(parts)]
        self.sheet.columns.name = "minimum"
        self.provenance = provenance | {"totals": {str(minimum): totals[minimum] for minimum in parts}}
        self.frame.attrs = self.provenance

    def heading(self) -> list[str]:
        """What was asked."""
        return self._shown

    def table(self) -> str:
        """The sheet for the terminal, some minima beside each other."""
        blocks = []
        for start in range(0, len(self.sheet.columns), 4):
            part = self.sheet.iloc[:, start : start + 4]
            rows = [[str(name), *row] for name, row in zip(part.index, part.to_numpy(), strict=True)]
            blocks.append(text_table(["minimum", *map(str, part.columns)], rows))
        return "\n\n".join(blocks)

    def _draw(self, ax: Any) -> Any:
        """The sheet as a picture: what the bid brings where it pays, and from where on; the axes."""
        from .plots import plot_bidding_table

        return plot_bidding_table(self, ax)

    def to_dict(self) -> dict[str, Any]:
        """Plain values: what was asked, the sheet, and the rows of the frame."""
        return {
            **self._asked,
            "version": __version__,
            "result_version": RESULT_VERSION,
            "sheet": {str(minimum): self.sheet[minimum].to_dict() for minimum in self.sheet.columns},
            "rows": records(self.frame, plain),
        }


def _strain(contract: str) -> str:
    _, strain, _, _ = parse_contract(contract, "N")  # type: ignore[misc]
    return STRAINS[strain]


def _cell(row: Mapping[str, Any]) -> str:
    """A place of the sheet."""
    if row["threshold"] != row["threshold"]:
        word = "always" if row["share"] == 1 else "never"
    else:
        word = f"{SHORT.get(row['feature'], row['feature'])} {row['threshold']:g}{'+' if row['rising'] else '-'}"
    return word if word == "never" or row["p_holm"] < 1 - LEVEL else f"{word} ?"


@asks
def bidding_table(
    minima: Sequence[int] | int | None = None,
    levels: Sequence[int] = (1, 2, 3, 4, 5),
    strains: Sequence[str] = STRAINS,
    features: Mapping[str, Sequence[str]] | Sequence[str] | None = None,
    hands: int = 20_000,
    seat: str = "E",
    dealer: str = "N",
    seed: int = 0,
    policies: Any = "heuristic",
    rules: RuleSet | str = SITOUMUSSAMBA,
    draws: int = 500,
    policy_seed: int | None = None,
    against: str = "pass",
    contested: bool = False,
    threads: int | None = None,
    progress: bool = True,
) -> BiddingTable:
    """The club player's sheet: for each strain and level the hand from which the bid pays, at each opening minimum.

    Parameters
    ----------
    minima : int or sequence of int, optional
        Opening minima (R13.1); all of the rules if left out. Both sides' totals are the least that have the minimum.
    levels, strains : sequences
        Which bids.
    features : mapping or sequence of str, optional
        Features, by strain or for all; for each bid the one is taken by which hands are told apart best, on the half
        of the hands that selects. See `TABLE_FEATURES`.
    hands, seat, dealer, seed, policies, rules, draws, policy_seed, against, contested, threads, progress
        As for `thresholds`.

    Returns
    -------
    BiddingTable

    Raises
    ------
    StudyInterrupted
        On ctrl-C; its `result` holds the minima played so far.

    Examples
    --------
    >>> table = bidding_table(50, levels=[2], strains=["H"], hands=400, progress=False)
    >>> table.sheet.index.tolist(), table.sheet.columns.tolist()
    (['2H'], [50])
    """
    rules = as_rules(rules)
    layout = layout_of(rules)
    if not layout.max_level:
        raise StudyError(f"{rules.name} has no auction")
    if seat not in layout.seats:
        raise StudyError(f"{seat!r} is no seat: seats are {', '.join(layout.seats)}")
    bands = {points: below for below, points, _ in rules.opening.bands}
    chosen = list(bands) if minima is None else [minima] if isinstance(minima, int) else list(minima)
    for minimum in chosen:
        if minimum not in bands:
            known = ", ".join(map(str, bands))
            raise StudyError(f"{minimum!r} is no opening minimum of {rules.name}: they are {known}")
    levels = [levels] if isinstance(levels, int) else list(levels)
    strains = [strains] if isinstance(strains, str) else list(strains)
    given = TABLE_FEATURES if features is None else features
    by_strain = dict(given) if isinstance(given, Mapping) else dict.fromkeys(strains, tuple(given))
    for strain in strains:
        if strain not in STRAINS:
            raise StudyError(f"{strain!r} is no strain: strains are {', '.join(STRAINS)}")
        for name in by_strain.get(strain, ()):
            _check_feature(name)
        if not by_strain.get(strain):
            raise StudyError(f"there are no features for strain {strain!r}")
    _ready(hands=hands, draws=draws)
    contracts = [f"{level}{strain}" for level in levels for strain in strains]
    ends = [below for below in bands.values() if below is not None]
    least = dict(zip(bands, [ends[0] - 5, *ends], strict=True))
    parts: dict[int, list[Part]] = {}
    with progress_bar(0, "deals", progress) as bar:
        for minimum in chosen:
            common: dict[str, Any] = {
                "rules": rules,
                "seed": seed,
                "policies": by_seat(policies, rules),
                "dealer": dealer,
                "totals": (least[minimum],) * len(layout.sides),
                "policy_seed": policy_seed,
            }
            playing = Pairs.of(common, contracts, seat, against, contested)
            bar.total = hands * len(playing.runs) * len(chosen)
            try:
                values, points, complete = differences(playing, seat, hands, 1, thread_count(threads), bar.update)
            except KeyboardInterrupt:
                if not parts:
                    raise
                complete = False
                break
            if not complete and parts:
                break
            hands = len(values)
            parts[minimum] = [
                Part.best(contract, by_strain[_strain(contract)], values, points[i], seed, draws)
                for i, contract in enumerate(contracts)
            ]
            if not complete:
                break
    run = playing.runs[-1]
    players = specs(run.policies)
    who = f"{players[0]} at all seats" if len(players) == 1 else " ".join(map(str, players))
    shown = [
        f"from which hand on it pays: {playing.words}, at {seat}, dealer {dealer}",
        f"policies: {who}; {hands:,} random hands for each minimum, a deal each, seed {run.seed}",
        "run: longest run of the suit; in runs: cards in runs of three or more; opening: best opening",
        "as declarer; 3+: from 3 on, 3-: up to 3, told where the other hands are certain to lose;",
        "?: on the other half of the hands the gain is not certain (Holm, 95 %)",
    ]
    asked = {
        "minima": list(parts),
        "levels": levels,
        "strains": strains,
        "hands": hands,
        "seat": seat,
        "dealer": dealer,
        "against": against,
        "contested": contested,
        "seed": run.seed,
        "policies": players,
        "rules_hash": rules.hash,
    }
    found = BiddingTable(parts, least, run.provenance() | asked, asked, shown)
    if not complete:
        raise StudyInterrupted(found)
    return found
