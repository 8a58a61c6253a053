"""Intervals: against scipy, and by simulation with known truth."""

import numpy as np
import pytest
import scipy.stats

import sitoumus as sit
from sitoumus._testing import gain_stands_out
from sitoumus.stats import (
    FIRST_LOOK,
    Sums,
    mean_interval,
    mean_sequence,
    proportion_sequence,
    quantile_ranks,
    wilson,
)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("count", "n"), [(0, 1), (1, 1), (0, 50), (50, 50), (3, 10), (347, 1000), (99_999, 100_000)])
def test_wilson_is_scipys(count, n, level):
    expected = scipy.stats.binomtest(count, n).proportion_ci(level, method="wilson")
    np.testing.assert_allclose(wilson(count, n, level), expected, atol=1e-12)


def test_wilson_takes_arrays():
    low, high = wilson(np.array([0, 5, 10]), 10)
    assert low[0] == 0
    assert high[2] == 1
    assert (low <= high).all()


def test_fixed_intervals_of_shares_cover_in_95_percent():
    rng = np.random.default_rng(1)
    covered = []
    for p in np.linspace(0.05, 0.95, 19):
        low, high = wilson(rng.binomial(1000, p, 4000), 1000)
        covered.append(((low <= p) & (p <= high)).mean())
    assert 0.94 < np.mean(covered) < 0.96


def test_mean_interval_is_scipys():
    values = np.random.default_rng(2).integers(-3000, 5000, 77)
    expected = scipy.stats.ttest_1samp(values, 0).confidence_interval(0.95)
    np.testing.assert_allclose(mean_interval(Sums.of(values)), expected, rtol=1e-12)
    assert np.isnan(mean_interval(Sums.of([5]))).all()


@pytest.mark.parametrize(
    "values",
    [
        np.full(420_000, 5_000_000),
        np.array([-(2**63), 2**63 - 1, 2**63 - 1, -1]),
        np.array([2**64 - 1, 2**63, 5], np.uint64),
        np.array([-128, 127], np.int8),
        np.array([True, False, True]),
        np.array([[2**40, -(2**40)], [3, -(2**62)]]),
    ],
    ids=["thousandths of 420,000 hands", "int64", "uint64", "int8", "bool", "of two axes"],
)
def test_sums_of_squares_are_those_of_pythons_own_numbers(values):
    own = [int(value) for value in values.ravel()]
    assert Sums.of(values) == Sums(len(own), sum(own), sum(value * value for value in own))


def test_sums_by_limbs_are_right_over_several_parts():
    values = np.random.default_rng(4).integers(-(2**50), 2**50, (1 << 20) + 17)
    assert Sums.of(values) == Sums(len(values), int(values.sum()), sum(value * value for value in values.tolist()))


def test_a_mean_over_more_rows_than_fit_into_memory_has_its_standard_deviation():
    part = Sums.of(np.array([-5_000_000, 5_000_000]))
    sums = Sums(part.n * 5 * 10**9, part.total * 5 * 10**9, part.squares * 5 * 10**9)
    assert (sums.n, sums.mean) == (10**10, 0)
    assert sums.sd == pytest.approx(5_000_000, rel=1e-9)
    assert mean_interval(sums) == pytest.approx((-98, 98), abs=0.01)


def test_a_rollout_compares_gains_whose_products_take_more_than_64_bits():
    exactly = [
        (total, squares, caution)
        for total in (1, 10**6, 2**34, 2**36, 2**52)
        for squares in (10**9, 2**53, 10**16, 10**24)
        for caution in (0, 150, 10_000)
    ]
    for total, squares, caution in exactly:
        left, right = total * total * 10**4, caution * caution * squares
        if not 0.9 < left / max(right, 1) < 1.1 and left > 10**8:
            assert gain_stands_out(total, float(squares), caution) == (left > right), (total, squares, caution)
    assert not gain_stands_out(-(2**52), 1.0, 0)


def test_fixed_intervals_of_means_cover_in_95_percent():
    values = np.random.default_rng(3).exponential(1000, (2000, 200)).round().astype(np.int64)
    intervals = np.array([mean_interval(Sums.of(row)) for row in values])
    assert 0.93 < ((intervals[:, 0] <= 1000) & (1000 <= intervals[:, 1])).mean() < 0.96


def test_sums_add_up_exactly():
    values = np.random.default_rng(4).integers(-30_000, 30_000, 1000)
    assert Sums.of(values[:400]) + Sums.of(values[400:]) == Sums.of(values[::-1])
    assert Sums.of(values).mean == pytest.approx(values.mean(), rel=1e-12)
    assert Sums.of(values).sd == pytest.approx(values.std(ddof=1), rel=1e-12)
    assert np.isnan(Sums().mean)
    with pytest.raises(sit.StudyError, match="whole numbers, not float64"):
        Sums.of([0.5])


def test_the_sequence_of_a_share_holds_at_every_look():
    rng = np.random.default_rng(5)
    looks = np.unique(np.geomspace(10, 5000, 60).astype(int))
    missed = []
    for p in (0.05, 0.3, 0.5, 0.9):
        counts = np.cumsum(rng.random((500, 5000)) < p, axis=1)[:, looks - 1]
        low, high = proportion_sequence(counts, looks)
        missed.append(((p < low) | (high < p)).any(axis=1).mean())
        fixed = wilson(counts, looks)
        assert ((p < fixed[0]) | (fixed[1] < p)).any(axis=1).mean() > 0.2
    assert max(missed) <= 0.05


@pytest.mark.parametrize(("count", "n"), [(1, 10), (37, 100), (880, 1000), (49_000, 100_000)])
def test_the_sequence_of_a_share_ends_where_scipys_likelihood_ratio_is_20(count, n):
    from scipy.stats import betabinom, binom

    for end in proportion_sequence(count, n):
        ratio = betabinom.logpmf(count, n, 1, 1) - binom.logpmf(count, n, float(end))
        assert ratio == pytest.approx(np.log(20), rel=1e-6)


def test_the_sequence_of_a_share_costs_about_twice_the_width():
    for n, price in [(100, 1.68), (1000, 1.86), (10_000, 2.02), (100_000, 2.16)]:
        count = int(0.35 * n)
        low, high = proportion_sequence(count, n)
        fixed = wilson(count, n)
        assert (high - low) / (fixed[1] - fixed[0]) == pytest.approx(price, abs=0.12)
        assert low < count / n < high


def test_the_sequence_of_a_share_at_its_ends():
    assert proportion_sequence(0, 0) == (0, 1)
    low, high = proportion_sequence([0, 20], 20)
    assert low[0] == 0
    assert high[1] == 1
    assert 0.2 < high[0] < 0.4
    assert low[1] == pytest.approx(1 - high[0])


def test_the_sequence_of_a_mean_holds_at_every_look():
    rng = np.random.default_rng(6)
    looks = np.unique(np.geomspace(FIRST_LOOK, 5000, 40).astype(int))
    missed = 0
    for _ in range(400):
        values = rng.exponential(2000, 5000).round().astype(np.int64)
        totals, squares = np.cumsum(values), np.cumsum(values * values)
        for n in looks:
            low, high = mean_sequence(Sums(int(n), int(totals[n - 1]), int(squares[n - 1])))
            if not low <= 2000 <= high:
                missed += 1
                break
    assert missed <= 0.05 * 400


def test_the_sequence_of_a_mean_waits_for_a_hundred_values():
    assert mean_sequence(Sums.of(range(FIRST_LOOK - 1))) == (-np.inf, np.inf)
    low, high = mean_sequence(Sums.of(range(FIRST_LOOK)))
    assert low < 49.5 < high


def test_the_ranks_of_a_quantile_hold_it_in_95_percent():
    rng = np.random.default_rng(7)
    for q in (0.05, 0.5, 0.9):
        low, high = quantile_ranks(q, 400)
        below = rng.binomial(400, q, 20_000)  # values below the quantile: it lies between ranks `below` and `below` + 1
        assert 0.95 <= ((low <= below) & (below < high)).mean() < 0.97
        wide = quantile_ranks(q, 400, sequence=True)
        assert wide[0] < low < high < wide[1]


@pytest.mark.parametrize("q", [0.02, 0.5])
def test_the_ranks_of_a_quantile_at_every_look_are_those_of_the_sequence_of_a_share(q):
    lows, highs = proportion_sequence(np.arange(301), 300)
    fits = np.flatnonzero((lows <= q) & (q <= highs))
    assert quantile_ranks(q, 300, sequence=True) == (fits[0], fits[-1] + 1)
    assert quantile_ranks(0.01, 20) == (0, 2)
    assert quantile_ranks(0.99, 20) == (19, 21)
