"""A curve that rises, or falls, with a value; its band; and the value at which it reaches zero.

The curve is fitted by isotonic regression. Its band comes from the means over all ranges of values, which bound a
curve that rises, at a width that holds for all ranges at once. The threshold is the first value at which the curve is
not below zero (of a falling curve: the last); its interval holds every value that the band does not exclude (test
inversion).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr, stdtrit

from .stats import LEVEL
from .study import plain

__all__ = ["GROUPS", "LEAST", "Fit", "fit_threshold", "groups_of"]

#: A feature of more values is shown in so many groups of about as many hands.
GROUPS = 12
#: Hands of a group, in the half on which a threshold is found; values of fewer join their neighbours.
LEAST = 30
#: Ranges begin and end at so many values at most.
ENDS = 64
#: A range bounds the curve if so many of its hands bring something other than zero: rare differences that have not
#: been seen would make the range look surer than it is.
LEAST_DIFFERENCES = 40
#: The part of the error rate that the draws of the width are given; the rest is for sums that are not quite normal.
CAUTION = 0.7
#: Purpose of the random numbers (engine/rng.pxd).
_PURPOSE = 4


@dataclass(frozen=True)
class Fit:
    """A curve that rises, or falls, fitted to what hands bring by the value of a feature.

    Attributes
    ----------
    values, last : array
        First and last value of each group of values.
    hands : array of int
    mean, fit, low, high : array
        By group: the mean, the mean of the isotonic curve, and its simultaneous band; without bound where too few
        hands bring something other than zero.
    rising : bool
    threshold : number or None
        The first value (if the curve falls: the last) at which the curve is not below zero; None if there is none, or
        if the curve is nowhere below zero.
    interval : (number or None, number or None)
        Thresholds that the band does not exclude; None where it leaves the end open.
    verdict : str
    monotone : bool
        False if the hands contradict, at the level of the band, every curve that rises (or falls).
    direction_known : bool
        Whether the hands exclude, at the level of the band, that the curve goes the other way; True if it was given.
        While they do not, the band holds the curves of both directions and the interval is open at both ends.
    """

    values: np.ndarray
    last: np.ndarray
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
    direction_known: bool = True

    def pays(self, values: np.ndarray) -> np.ndarray:
        """Whether the bid pays at these values of the feature, by the curve."""
        if self.threshold is None:
            return np.full(len(values), bool(self.fit.min() >= 0))
        return values >= self.threshold if self.rising else values <= self.threshold

    @property
    def loses_somewhere(self) -> bool:
        """Whether some hands are certain to lose: the band excludes that the bid always pays."""
        return bool((self.high < 0).any())


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
        Whether the curve rises; told by the slope of a straight line if left out, and by what the band excludes.
    seed : int
    draws : int
        Draws by which the width of the band is found; 0 leaves the band out.
    level : float

    Returns
    -------
    Fit

    Notes
    -----
    For a rising f the mean of f over any range of values up to x is at most f(x), and over any range from x on at least
    f(x). So f(x) is at least the highest lower bound of the means over ranges that end at x or before, and at most the
    lowest upper bound of those that begin at x or after. The bounds are mean -+ c se, se of independent hands. c is
    what the largest of the deviations of all ranges stays below with the chance `level`, drawn with normal numbers for
    the sums of each value; of a range it is raised from the normal distribution to Student's of as many degrees of
    freedom as hands in it bring something other than zero, less one (or as carry its variance, if that is fewer).
    Compare L. Dümbgen, Math. Methods Stat. 12 (2003), V. Chernozhukov et al., Ann. Stat. 41 (2013), and F. Yang and
    R. F. Barber, Electron. J. Stat. 13 (2019).

    The ranges bound a falling curve just as well, by the same event. So a direction that was not given costs nothing:
    one is excluded where its bounds cross, and where neither is, the band holds the curves of both. Where all bounds
    cross, no such curve fits; the band is widened to hold the isotonic curve always, so that the interval always holds
    the threshold.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> x = rng.integers(0, 8, 2000)
    >>> found = fit_threshold(x, 200 * (x - 3.5) + rng.normal(0, 500, 2000))
    >>> found.threshold, found.interval, found.verdict
    (4, (4, 5), 'pays from 4 on')
    """
    points = np.asarray(points, float)
    points = points.mean(axis=1) if points.ndim > 1 else points
    kinds, place, counts = np.unique(np.asarray(feature), return_inverse=True, return_counts=True)
    starts = groups_of(feature, ENDS, 1) if len(kinds) > ENDS else kinds
    ranges = _Ranges.of(np.searchsorted(starts, kinds, "right")[place] - 1, points, seed, draws, level)
    slope = bool((place_values := kinds[place]) @ points - place_values.mean() * points.sum() >= 0)
    possible = [way for way in (True, False) if ranges.fits(way)]
    known = rising is not None or len(possible) < 2
    rises = slope if rising is None else rising
    if rising is None and len(possible) == 1:
        rises = possible[0]
    curve = _isotonic(np.bincount(place, points) / counts, counts, rises)
    ways = [rises] if known else [True, False]
    at_each = [ranges.at_values(way, np.searchsorted(starts, kinds, "right") - 1) for way in ways]
    low = np.minimum(np.min([each[0] for each in at_each], axis=0), curve)
    high = np.maximum(np.max([each[1] for each in at_each], axis=0), curve)
    order = slice(None) if rises else slice(None, None, -1)
    told = _verdict(kinds[order], curve[order], low[order], high[order], rises, known)
    shown = _shown(ranges, ways, starts, kinds, place, points, curve)
    return Fit(**shown, rising=rises, **told, monotone=rises in possible, direction_known=known)


def _isotonic(means: np.ndarray, weights: np.ndarray, rises: bool) -> np.ndarray:
    """The isotonic regression of means."""
    from scipy.optimize import isotonic_regression

    return np.asarray(isotonic_regression(means, weights=weights, increasing=rises).x)


def _shown(
    ranges: _Ranges,
    ways: list[bool],
    starts: np.ndarray,
    kinds: np.ndarray,
    place: np.ndarray,
    points: np.ndarray,
    curve: np.ndarray,
) -> dict[str, Any]:
    """First and last values, hands, means, curve and band of the groups that are shown."""
    cell = np.searchsorted(starts, kinds, "right") - 1
    values = groups_of(starts[cell[place]])
    group = np.maximum(np.searchsorted(values, kinds, "right") - 1, 0)
    last = kinds[np.searchsorted(group, np.arange(len(values)), "right") - 1]
    of_hand = group[place]
    hands = np.bincount(of_hand)
    mean, fit = np.bincount(of_hand, points) / hands, np.bincount(of_hand, curve[place]) / hands
    first = np.searchsorted(group, np.arange(len(values)))
    end = np.searchsorted(group, np.arange(len(values)), "right") - 1
    bands = [ranges.of_blocks(way, cell[first], cell[end]) for way in ways]
    low = np.minimum(np.min([low for low, _ in bands], axis=0), fit)
    high = np.maximum(np.max([high for _, high in bands], axis=0), fit)
    return {"values": values, "last": last, "hands": hands, "mean": mean, "fit": fit, "low": low, "high": high}


@dataclass(frozen=True)
class _Ranges:
    """Bounds of the means over all ranges a <= b of cells, at [a, b], that hold together; none below the diagonal."""

    lower: np.ndarray
    upper: np.ndarray

    @classmethod
    def of(cls, cell: np.ndarray, points: np.ndarray, seed: int, draws: int, level: float) -> _Ranges:
        """The bounds for what hands bring, by the cell of each hand."""
        cells = int(cell.max()) + 1
        centre = points.mean()  # sums of squares around it lose no digits
        around = points - centre
        n, differ = (sums_of_ranges(np.bincount(cell, x, cells)) for x in (None, points != 0))
        s, q, fourth, second = (
            sums_of_ranges(np.bincount(cell, x, cells)) for x in (around, around**2, points**4, points**2)
        )
        upper = np.triu(np.ones((cells, cells), bool))
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = s / n
            se = np.sqrt(np.maximum(q - mean * s, 0) / (n - 1) / n)
            # of normal values three times as many carry the variance as the fourth powers say
            carry = np.minimum(differ, 3 * second**2 / fourth)
            # and a range that has seen no large difference is held to its share of those that all hands have seen
            seen = np.minimum(carry, carry[0, -1] * n / n[0, -1])
        usable = upper & (seen >= LEAST_DIFFERENCES) & (se > 0)
        half = np.full(mean.shape, np.inf)
        if draws and usable.any():
            width = _width(_own_variances(cell, around, cells), usable, seed, draws, 1 - CAUTION * (1 - level))
            half[usable] = stdtrit(carry[usable] - 1, ndtr(width)) * se[usable]
        with np.errstate(invalid="ignore"):
            lower, higher = mean + centre - half, mean + centre + half
        return cls(np.where(usable, lower, -np.inf), np.where(usable, higher, np.inf))

    def of_blocks(self, rises: bool, first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Bounds of the mean of a monotone curve over blocks of cells: by ranges that lie no higher, or no lower."""
        if rises:
            low, high = self.lower, self.upper
        else:  # the cells in the opposite order
            low, high = self.lower[::-1, ::-1].T, self.upper[::-1, ::-1].T
            first, last = len(low) - 1 - last, len(low) - 1 - first
        below = np.maximum.accumulate(np.maximum.accumulate(low, axis=0), axis=1)
        above = np.minimum.accumulate(np.minimum.accumulate(high[::-1, ::-1], axis=0), axis=1)[::-1, ::-1]
        return below[first, last], above[first, last]

    def at_values(self, rises: bool, cell: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Bounds of a monotone curve at single values, given the cell of each in ascending order.

        A cell of several values bounds from below only the last of them, in the direction in which the curve rises,
        and from above only the first.
        """
        every = np.arange(len(self.lower))
        low, high = self.of_blocks(rises, every, every)
        step = 1 if rises else -1
        low, high, cell = low[::step], high[::step], cell if rises else len(every) - 1 - cell[::-1]
        starts = np.append(True, cell[1:] != cell[:-1])
        ends = np.append(starts[1:], True)
        low = np.append(low, -np.inf)[np.where(ends, cell, cell - 1)]
        high = np.append(high, np.inf)[np.where(starts, cell, cell + 1)]
        return low[::step], high[::step]

    def fits(self, rises: bool) -> bool:
        """Whether some curve of this direction keeps all bounds."""
        every = np.arange(len(self.lower))
        low, high = self.of_blocks(rises, every, every)
        return bool((low <= high).all())


def sums_of_ranges(x: np.ndarray) -> np.ndarray:
    """Sums over all ranges a <= b of cells, at [..., a, b]; the rest is of no use."""
    up = np.concatenate([np.zeros((*x.shape[:-1], 1)), np.cumsum(x, axis=-1)], axis=-1)
    return np.asarray(up[..., None, 1:] - up[..., :-1, None])


def _own_variances(cell: np.ndarray, around: np.ndarray, cells: int) -> np.ndarray:
    """Sums of squares of each cell around its own mean; of a cell with few hands around the mean of all."""
    n, s, q = (np.bincount(cell, x, cells) for x in (None, around, around**2))
    return np.asarray(np.where(n >= LEAST, np.maximum(q - s * s / np.maximum(n, 1), 0), q))


def _width(variances: np.ndarray, usable: np.ndarray, seed: int, draws: int, level: float) -> float:
    """Standard errors within which the means over all usable ranges lie together, of normal sums of cells."""
    key = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    rng = np.random.Generator(np.random.Philox(key=key, counter=[0, _PURPOSE, 0, 0]))
    total = sums_of_ranges(variances)
    usable = usable & (total > 0)
    spread = np.sqrt(total[usable])
    largest = np.zeros(draws)
    step = max(1, 4_000_000 // usable.size)
    for at in range(0, draws, step):
        drawn = sums_of_ranges(rng.standard_normal((min(step, draws - at), len(variances))) * np.sqrt(variances))
        if len(spread):
            largest[at : at + step] = np.abs(drawn[:, usable] / spread).max(axis=1)
    return float(np.quantile(largest, level, method="higher"))


def _verdict(
    values: np.ndarray, fit: np.ndarray, low: np.ndarray, high: np.ndarray, rising: bool, known: bool
) -> dict[str, Any]:
    """Threshold, interval and words of a curve that rises along the values as they stand."""

    def first(marks: np.ndarray) -> Any:
        return plain(values[int(marks.argmax())]) if marks.any() else None

    point, earliest, latest = first(fit >= 0), first(high >= 0), first(low >= 0)
    found: dict[str, Any] = {"threshold": None, "interval": None}
    if earliest is None:
        return found | {"verdict": "no threshold in the range: it never pays"}
    if (low >= 0).all():
        return found | {"verdict": "no threshold in the range: it always pays"}
    interval: tuple[Any, Any] = (None if high[0] >= 0 else earliest, latest) if known else (None, None)
    found["interval"] = interval if rising else interval[::-1]
    if point is None:
        return found | {"verdict": f"no threshold in the range; it may pay {pays_words(earliest, rising)}"}
    if fit[0] >= 0:
        return found | {"verdict": "no threshold in the range; it pays on the whole at every value"}
    return found | {"threshold": point, "verdict": f"pays {pays_words(point, rising)}"}


def pays_words(value: Any, rising: bool, what: str = "") -> str:
    """Which hands a threshold means: ``from 4 on``, ``up to 45 points``."""
    said = f"{value:g} {what}".rstrip()
    return f"from {said} on" if rising else f"up to {said}"
