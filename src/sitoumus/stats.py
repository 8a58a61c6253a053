"""Intervals: for shares and means of a number of deals fixed in advance, and sequences that hold at every look.

All are two-sided; `level` is the chance that the interval holds the truth, 0.95 unless given. Sums are whole numbers,
so the intervals do not depend on the order in which deals came in.

Differences of two plays of the same deals are often 0, and rarely large. While no large one has come up, their standard
deviation says nothing about them; so intervals of means take a `reach`, the largest value reckoned with, and leave room
for values of that size that have not come up yet (`unseen`). Where candidates are dropped and studies end by what they
say (`planned_interval`) they always do; elsewhere as far as most values are 0, for values that vary show how they vary.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import betaln, ndtr, ndtri, stdtrit, xlog1py, xlogy

from . import checks
from .errors import StudyError

__all__ = [
    "LEVEL",
    "REACH",
    "Sums",
    "against_best",
    "looks",
    "mean_interval",
    "mean_sequence",
    "planned_boundary",
    "planned_interval",
    "proportion_sequence",
    "quantile_ranks",
    "sequence_half",
    "shares_interval",
    "unseen",
    "wilson",
    "with_interval",
]

LEVEL = 0.95

#: Largest difference, in points, of two plays of a deal that intervals reckon with while none has come up; the points
#: of one play are reckoned with to the half of it. The largest difference to the best call, of 31 calls in 20,000 deals
#: of each of ten hands, was 22,710 under the heuristic.
REACH = 40_000


def looks(most: int, first: int = 200) -> list[int]:
    """Numbers of deals after which a study looks at what it knows: `first`, then half as many again, up to `most`.

    They are fixed in advance, so that when a study stops does not depend on threads or on how often one looks.

    Examples
    --------
    >>> looks(1000)
    [200, 300, 450, 675, 1000]
    """
    found = [min(first, most)]
    while found[-1] < most:
        found.append(min(found[-1] * 3 // 2, most))
    return found


def _check_counts(count: Any, n: Any) -> None:
    if not np.all((count >= 0) & (count <= n)):
        raise StudyError(f"count is {checks.quoted(count)} of {checks.quoted(n)}: it must be from 0 to n")


def wilson(count: Any, n: Any, level: float = LEVEL) -> tuple[Any, Any]:
    """Wilson's score interval of a share.

    Parameters
    ----------
    count, n : int or array of int
        How often it happened among how many; n >= 1.
    level : float

    Returns
    -------
    low, high : float or array of float

    Notes
    -----
    E. B. Wilson, JASA 22 (1927), 209-212; equal to ``scipy.stats.binomtest(count, n).proportion_ci(method="wilson")``.

    Examples
    --------
    >>> low, high = wilson(3, 10)
    >>> round(float(low), 4), round(float(high), 4)
    (0.1078, 0.6032)
    """
    z = ndtri((1 + level) / 2)
    count, n = np.asarray(count, float), np.asarray(n, float)
    _check_counts(count, n)
    middle = (count + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * np.sqrt(count * (n - count) / n + z * z / 4)
    return np.where(count == 0, 0.0, middle - half), np.where(count == n, 1.0, middle + half)


#: Values whose limbs are summed at a time: 2^20 products of 2^42 fit into 63 bits.
_AT_ONCE = 1 << 20


def exact_sums(values: np.ndarray) -> tuple[int, int]:
    """Sum and sum of squares of whole numbers of any width, exactly, however many there are.

    Parameters
    ----------
    values : array of int of shape (n,)

    Notes
    -----
    Sums that fit into 63 bits are taken as they are. Otherwise each size is cut into limbs of 21 bits; the sums
    of products of limbs, of so many values at a time that they fit, add up as Python's own numbers.

    Examples
    --------
    >>> exact_sums(np.array([2**40, -(2**40), 1]))
    (1, 2417851639229258349412353)
    """
    if not len(values):
        return 0, 0
    least, most = int(values.min()), int(values.max())
    widest = max(-least, most)
    if widest * widest * len(values) < 1 << 63:
        values = values.astype(np.int64, copy=False)
        return int(values.sum()), int(values @ values)
    total = squares = 0
    for start in range(0, len(values), _AT_ONCE):
        part = values[start : start + _AT_ONCE]
        # the size of the least of 64 bits fits only without a sign
        size = np.where(part < 0, ~part.astype(np.uint64) + np.uint64(1), part.astype(np.uint64))
        limbs = [((size >> np.uint64(at)) & np.uint64((1 << 21) - 1)).astype(np.int64) for at in (0, 21, 42)]
        limbs.append((size >> np.uint64(63)).astype(np.int64))
        sign = np.where(part < 0, -1, 1)
        for i, one in enumerate(limbs):
            total += int(one @ sign) << 21 * i
            for k, other in enumerate(limbs):
                squares += int(one @ other) << 21 * (i + k)
    return total, squares


@dataclass(frozen=True)
class Sums:
    """What a mean and its interval are made of: number, sum and sum of squares of whole numbers, exactly.

    Sums of disjoint sets of deals add up. `zeros` are the values that are 0.
    """

    n: int = 0
    total: int = 0
    squares: int = 0
    zeros: int = field(default=0, compare=False)

    @classmethod
    def of(cls, values: Any) -> Sums:
        """The sums of an array of whole numbers."""
        values = np.asarray(values)
        if values.dtype.kind not in "iub":
            raise StudyError(f"sums are of whole numbers, not {values.dtype}")
        return cls(values.size, *exact_sums(values.ravel()), values.size - int(np.count_nonzero(values)))

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.n + other.n, self.total + other.total, self.squares + other.squares, self.zeros + other.zeros)

    @property
    def mean(self) -> float:
        """The mean; nan of nothing."""
        return self.total / self.n if self.n else float("nan")

    @property
    def sd(self) -> float:
        """Standard deviation (n - 1); nan below two values."""
        if self.n < 2:
            return float("nan")
        return math.sqrt((self.n * self.squares - self.total**2) / (self.n * (self.n - 1)))


def shares_interval(values: Any, most: int, level: float = LEVEL) -> tuple[float, float]:
    """Interval of the mean of shares, such as that of a match won in pairs of matches.

    Parameters
    ----------
    values : array of int of shape (n,)
        Independent, each from 0 to `most`.
    most : int
    level : float

    Returns
    -------
    low, high : float
        Between 0 and 1.

    Notes
    -----
    Wilson's interval with as many values as have the variance seen, as in surveys (E. L. Korn and B. I. Graubard,
    Survey Methodology 24 (1998), 193-201): never fewer than n, as no share varies more than one that is 0 or 1. Two
    values of 0 and two of `most` are added for the variance alone, so that equal values are not taken for certain.
    """
    sums = Sums.of(values)
    if not sums.n:
        return 0.0, 1.0
    n, share = sums.n + 4, (sums.total / most + 2) / (sums.n + 4)
    variance = (sums.squares / most**2 + 2) / n - share**2
    worth = sums.n * max(share * (1 - share) / variance, 1.0)
    low, high = wilson(min(sums.total / (most * sums.n), 1.0) * worth, worth, level)
    return float(low), float(high)


def unseen(n: Any, reach: float, level: float = LEVEL) -> Any:
    """How far values of up to `reach` either way, none of which came up in n, may move a mean at this level.

    Where a value has the chance p, none comes up in n with the chance exp(-n p), at all looks at once: the mean moves
    by up to p times the value, and p is beyond log(2 / (1 - level)) / n in less than half of 1 - level.

    Examples
    --------
    >>> round(float(unseen(20_000, 40_000)), 1)
    7.4
    """
    return reach * np.log(2 / (1 - level)) / n


def _around(sums: Sums, half: float, reach: float, level: float) -> tuple[float, float]:
    """The interval of a mean with half a width by the standard deviation, and what is unseen, as variances add up."""
    half = math.hypot(half, float(unseen(sums.n, reach, level)))
    return float(sums.mean - half), float(sums.mean + half)


def _if_rare(sums: Sums, reach: float) -> float:
    """The reach as far as most values are 0: all of it where all are, none where at least half are not."""
    return reach * max(0.0, 2 * sums.zeros / sums.n - 1)


def mean_interval(sums: Sums, level: float = LEVEL, reach: float = 0.0) -> tuple[float, float]:
    """Student's t interval of a mean of independent values; nan below two of them.

    Parameters
    ----------
    sums : Sums
    level : float
    reach : float
        Largest size of a value reckoned with though none came up, such as `REACH`, where most values are 0: see
        `unseen`. With 0, values that are all equal have an interval without width.

    Examples
    --------
    >>> mean_interval(Sums.of([0, 100, 200]))
    (-148.4..., 348.4...)
    >>> mean_interval(Sums(10_000, zeros=10_000), reach=10_000)
    (-3.688..., 3.688...)
    """
    if sums.n < 2:
        return float("nan"), float("nan")
    half = float(stdtrit(sums.n - 1, (1 + level) / 2)) * sums.sd / math.sqrt(sums.n)
    return _around(sums, half, _if_rare(sums, reach), level)


def against_best(
    means: Sequence[float], interval: Callable[[int, int, float], tuple[float, float]], level: float = LEVEL
) -> tuple[int, list[tuple[float, float]]]:
    """How far each of several lies below the best of them: intervals that hold at once, whichever looks best.

    Parameters
    ----------
    means : sequence of float
    interval : callable
        ``interval(i, j, level)`` is that of the mean of i less the mean of j.
    level : float
        Chance that all intervals hold.

    Returns
    -------
    best : int
        The one with the highest mean, the first of equal ones.
    intervals : list of (low, high)
        Each holds what the mean is less that of `best`, and what it is less the highest true mean. That of `best`
        itself ends at 0, and says how much another may be better.

    Notes
    -----
    Multiple comparisons with the best: D. G. Edwards and J. C. Hsu, JASA 78 (1983), 965-971, with all pairs compared at
    once (Bonferroni), so that the differences to the one that looks best hold too, though it was chosen by the values.

    Examples
    --------
    >>> means = [10, 30, 29]
    >>> against_best(means, lambda i, j, level: (means[i] - means[j] - 5, means[i] - means[j] + 5))
    (1, [(-25, -15), (-4, 0.0), (-6, 4)])
    """
    arms = range(len(means))
    best = max(arms, key=lambda arm: means[arm])
    each = 1 - (1 - level) / max(len(arms) * (len(arms) - 1) // 2, 1)
    ends: dict[tuple[int, int], tuple[float, float]] = {}
    for i in arms:
        for j in range(i):
            low, high = interval(i, j, each)
            ends[i, j], ends[j, i] = (low, high), (-high, -low)
    # which may be the best; without bounds, of few values, all may
    might = [j for j in arms if not any(ends[j, other][1] < 0 for other in arms if other != j)]
    found = []
    for i in arms:
        low = min([ends[i, j][0] for j in might if j != i], default=0.0)
        found.append((min(low, 0.0), 0.0) if i == best else (min(low, ends[i, best][0]), ends[i, best][1]))
    return best, found


@cache
def planned_boundary(rounds: tuple[int, ...], level: float = LEVEL) -> float:
    """How many standard errors a mean is from the truth at no look of some planned ones, with the chance `level`.

    Parameters
    ----------
    rounds : tuple of int
        Numbers of values at the looks, rising.
    level : float

    Notes
    -----
    The same at each look (S. J. Pocock, Biometrika 64 (1977), 191-199), by recursive integration over the looks
    (P. Armitage et al., J. R. Stat. Soc. A 132 (1969), 235-244).

    Examples
    --------
    >>> round(planned_boundary((1000,)), 3), round(planned_boundary((1000, 2000, 3000, 4000, 5000)), 3)
    (1.96, 2.413)
    """
    alpha = 1 - level
    x, weight = np.polynomial.legendre.leggauss(161)

    def crossed(z: float) -> float:
        at, density = z * x, np.exp(-np.square(z * x) / 2) / math.sqrt(2 * math.pi)
        for before, after in pairwise(rounds):
            kept, new = math.sqrt(before / after), math.sqrt(1 - before / after)
            step = np.exp(-np.square((at[:, None] - kept * at) / new) / 2) / (new * math.sqrt(2 * math.pi))
            density = step @ (z * weight * density)
        return 1 - float((z * weight * density).sum())

    if len(rounds) == 1:
        return float(ndtri((1 + level) / 2))
    least, most = float(ndtri(1 - alpha / 2)), float(ndtri(1 - alpha / 2 / len(rounds)))
    return float(brentq(lambda z: crossed(z) / alpha - 1, least, most + 0.01))


def planned_interval(
    sums: Sums, rounds: Sequence[int], level: float = LEVEL, reach: float = 0.0
) -> tuple[float, float]:
    """Interval of a mean that holds at all planned looks at once: about a third narrower than `mean_sequence`.

    Parameters
    ----------
    sums : Sums
    rounds : sequence of int
        Numbers of values at the looks that were planned, of which this is one.
    level : float
    reach : float
        Largest size of a value reckoned with though none came up, whatever the others are.

    Returns
    -------
    low, high : float
        Without bounds before `FIRST_LOOK` values.
    """
    if sums.n < FIRST_LOOK:
        return -float("inf"), float("inf")
    z = planned_boundary(tuple(rounds), level)
    wider = float(stdtrit(sums.n - 1, float(ndtr(z))))  # the standard deviation is estimated
    return _around(sums, wider * sums.sd / math.sqrt(sums.n), reach, level)


def proportion_sequence(count: Any, n: Any, level: float = LEVEL) -> tuple[Any, Any]:
    """Confidence sequence of a share: holds at all looks at once, with the chance `level`.

    The shares that a mixture of binomial likelihoods over the uniform prior does not exclude by Ville's inequality.

    Parameters
    ----------
    count, n : int or array of int
        How often it has happened among how many so far.
    level : float

    Returns
    -------
    low, high : float or array of float

    Notes
    -----
    H. Robbins, Ann. Math. Stat. 41 (1970), 1397-1409; S. R. Howard et al., Ann. Stat. 49 (2021), 1055-1080.
    """
    count, n = (np.asarray(each, float) for each in np.broadcast_arrays(count, n))
    _check_counts(count, n)
    bound = -np.log1p(-level)
    evidence = betaln(count + 1, n - count + 1)  # of the mixture; betaln(1, 1) is 0

    def excluded(p: Any) -> Any:
        return evidence - xlogy(count, p) - xlog1py(n - count, -p) >= bound

    share = np.divide(count, n, out=np.full(count.shape, 0.5), where=n > 0)
    ends = []
    for end in (0.0, 1.0):
        outside, inside = np.full(count.shape, end), share
        for _ in range(60):
            middle = (outside + inside) / 2
            out = excluded(middle)
            outside, inside = np.where(out, middle, outside), np.where(out, inside, middle)
        ends.append(np.where(share == end, end, outside))
    return ends[0], ends[1]


#: Looks before so many values are refused: the sequence of a mean is asymptotic.
FIRST_LOOK = 100


def mean_sequence(sums: Sums, level: float = LEVEL, best_at: int = 2_000, reach: float = 0.0) -> tuple[float, float]:
    """Asymptotic confidence sequence of a mean of independent values: holds at all looks after the first hundred.

    Parameters
    ----------
    sums : Sums
    level : float
    best_at : int
        Number of values at which the sequence is narrowest against the fixed interval.
    reach : float
        As for `mean_interval`.

    Returns
    -------
    low, high : float
        Without bounds before `FIRST_LOOK` values.

    Notes
    -----
    I. Waudby-Smith et al., arXiv 2103.06476, theorem 2.2, with their choice of the parameter.
    """
    if sums.n < FIRST_LOOK:
        return -float("inf"), float("inf")
    return _around(sums, float(sequence_half(sums.n, sums.sd, level, best_at)), _if_rare(sums, reach), level)


def sequence_half(n: Any, sd: Any, level: float = LEVEL, best_at: int = 2_000) -> Any:
    """Half of the width of `mean_sequence` after n values of standard deviation sd; both may be arrays."""
    alpha = 1 - level
    rho2 = (-2 * np.log(alpha) + np.log(1 - 2 * np.log(alpha))) / best_at
    weight = n * rho2 + 1
    return sd * np.sqrt(2 * weight / (np.square(n, dtype=float) * rho2) * np.log(np.sqrt(weight) / alpha))


def quantile_ranks(q: float, n: int, sequence: bool = False, level: float = LEVEL) -> tuple[int, int]:
    """Ranks, from 1, of the sorted values between which a quantile lies; 0 and n + 1 where there is no bound.

    Parameters
    ----------
    q : float
        Between 0 and 1.
    n : int
        Number of values.
    sequence : bool
        Whether it must hold at every look: the shares of values below it come from `proportion_sequence` then, and
        from the binomial distribution otherwise.
    level : float

    Examples
    --------
    >>> quantile_ranks(0.5, 100)
    (40, 61)
    """
    if not sequence:
        from scipy.stats import binom

        low, high = (int(binom.ppf(at, n, q)) for at in ((1 - level) / 2, (1 + level) / 2))
        return low, min(high + 1, n + 1)
    # how many values may lie below the quantile: the counts whose sequence does not exclude its share
    counts = range(n + 1)
    least = bisect_left(counts, True, key=lambda count: bool(proportion_sequence(count, n, level)[1] >= q))
    above = bisect_left(counts, True, key=lambda count: bool(proportion_sequence(count, n, level)[0] > q))
    return least, above


def with_interval(
    value: float, low: float, high: float, digits: int = 0, scale: float = 1.0, signed: bool = False
) -> str:
    """A value with its interval as text: ``value±half``, or ``value (low to high)`` where the value is not amid it.

    Parameters
    ----------
    value, low, high : float
        Of an interval without bounds only the value is shown; of what is not a number, ``-``.
    digits : int
        After the point.
    scale : float
        What all three are multiplied with, such as 100 for per cent.
    signed : bool
        Whether a value above 0 begins with ``+``.

    Examples
    --------
    >>> with_interval(0.347, 0.337, 0.357, 1, 100), with_interval(0, 0, 0.0126, 1, 100), with_interval(12, -9, 33)
    ('34.7±1.0', '0.0 (0.0 to 1.3)', '12±21')
    """
    value, low, high = scale * value, scale * low, scale * high
    if value != value:
        return "-"
    sign = "+" if signed else ""
    shown = f"{value:{sign}.{digits}f}"
    if not (math.isfinite(low) and math.isfinite(high)):
        return shown
    # in units of the last digit that is shown, of which rounding takes up to a half
    less, more = sorted((10**digits * (value - low), 10**digits * (high - value)))
    if more - less > 0.75 and more > 1.2 * less:
        return f"{shown} ({low:{sign}.{digits}f} to {high:{sign}.{digits}f})"
    return f"{shown}±{(high - low) / 2:.{digits}f}"
