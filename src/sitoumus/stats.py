"""Intervals: for shares and means of a number of deals fixed in advance, and sequences that hold at every look.

All are two-sided; `level` is the chance that the interval holds the truth, 0.95 unless given. Sums are whole numbers,
so the intervals do not depend on the order in which deals came in.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betaln, ndtri, stdtrit, xlog1py, xlogy

from . import checks
from .errors import StudyError

__all__ = [
    "LEVEL",
    "Sums",
    "looks",
    "mean_interval",
    "mean_sequence",
    "proportion_sequence",
    "quantile_ranks",
    "sequence_half",
    "wilson",
]

LEVEL = 0.95


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

    Sums of disjoint sets of deals add up.
    """

    n: int = 0
    total: int = 0
    squares: int = 0

    @classmethod
    def of(cls, values: Any) -> Sums:
        """The sums of an array of whole numbers."""
        values = np.asarray(values)
        if values.dtype.kind not in "iub":
            raise StudyError(f"sums are of whole numbers, not {values.dtype}")
        return cls(values.size, *exact_sums(values.ravel()))

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.n + other.n, self.total + other.total, self.squares + other.squares)

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


def mean_interval(sums: Sums, level: float = LEVEL) -> tuple[float, float]:
    """Student's t interval of a mean of independent values; nan below two of them.

    Examples
    --------
    >>> mean_interval(Sums.of([0, 100, 200]))
    (-148.4..., 348.4...)
    """
    if sums.n < 2:
        return float("nan"), float("nan")
    half = float(stdtrit(sums.n - 1, (1 + level) / 2)) * sums.sd / np.sqrt(sums.n)
    return float(sums.mean - half), float(sums.mean + half)


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


def mean_sequence(sums: Sums, level: float = LEVEL, best_at: int = 2_000) -> tuple[float, float]:
    """Asymptotic confidence sequence of a mean of independent values: holds at all looks after the first hundred.

    Parameters
    ----------
    sums : Sums
    level : float
    best_at : int
        Number of values at which the sequence is narrowest against the fixed interval.

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
    half = sequence_half(sums.n, sums.sd, level, best_at)
    return float(sums.mean - half), float(sums.mean + half)


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
