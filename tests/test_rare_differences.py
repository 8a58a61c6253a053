"""Intervals keep their promise where differences are rare and large, contracts chosen, and shares 0 or 1; as text."""

import numpy as np
import pytest
import scipy.stats

import sitoumus as sit
from sitoumus.advice import PairedRace
from sitoumus.compare import SequentialTest
from sitoumus.stats import (
    REACH,
    Sums,
    against_best,
    looks,
    mean_interval,
    mean_sequence,
    planned_boundary,
    planned_interval,
    shares_interval,
    unseen,
    wilson,
    with_interval,
)

HAND = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"


def raced(differences, most=5_000):
    arms = np.stack([np.zeros_like(differences), differences])
    race = PairedRace(2, 25)
    race.run(lambda live, start, stop: [arms[arm, start:stop] for arm in live], looks(most))
    return race


def test_a_race_does_not_settle_on_the_arm_that_lacks_a_rare_large_gain():
    rng = np.random.default_rng(1)
    races = [raced(25_000 * (rng.random(20_000) < 0.002).astype(np.int64), 20_000) for _ in range(100)]
    assert sum(race.settled and race.best == 0 for race in races) <= 5


def test_the_interval_of_a_race_covers_a_rare_difference_at_every_look():
    rng, missed = np.random.default_rng(2), 0
    for _ in range(200):
        arms = np.stack([np.zeros(3_000, np.int64), -3_000 * (rng.random(3_000) < 0.003)])
        race, out = PairedRace(2, 0, planned=tuple(looks(3_000))), False
        for stop in looks(3_000):
            race.run(lambda live, start, stop, arms=arms: [arms[arm, start:stop] for arm in live], [stop])
            low, high = race.interval(1, 0)
            out |= not low <= -9 <= high
        missed += out
    assert missed <= 10


@pytest.mark.parametrize("interval", [mean_interval, mean_sequence])
def test_an_interval_of_differences_that_are_all_0_has_the_width_of_what_is_unseen(interval):
    nothing = Sums.of(np.zeros(1_000, np.int64))
    low, high = interval(nothing, reach=REACH)
    assert high == -low == unseen(1_000, REACH) == pytest.approx(REACH * np.log(40) / 1_000)
    assert interval(nothing) == (0, 0)


def test_what_is_unseen_hardly_widens_the_interval_of_values_that_vary():
    values = np.random.default_rng(3).normal(0, 2_500, 20_000).round().astype(np.int64)
    sums = Sums.of(values)
    (low, high), (wide_low, wide_high) = planned_interval(sums, [20_000]), planned_interval(sums, [20_000], reach=REACH)
    assert 1 < (wide_high - wide_low) / (high - low) < 1.03
    assert mean_interval(sums, reach=REACH) == mean_interval(sums)
    few = Sums.of(values * (np.arange(20_000) % 100 == 0))
    assert mean_interval(few, reach=REACH)[1] > mean_interval(few)[1] + 0.5


def test_zeros_are_counted_and_add_up():
    parts = [Sums.of([0, 5, 0]), Sums.of([0]), Sums.of([7])]
    assert [sums.zeros for sums in parts] == [2, 1, 0]
    assert (parts[0] + parts[1] + parts[2]).zeros == 3


def test_calls_that_differ_in_no_deal_are_told_with_what_rare_deals_may_bring():
    asked = {"calls": ["1C", "1D"], "deals": 400, "seed": 3, "threads": 2, "progress": False}
    advice = sit.best_bid(HAND, **asked)
    other = advice.frame.iloc[1]
    assert other["vs_best"] == 0
    assert other["vs_best_high"] == pytest.approx(unseen(400, REACH))
    assert not advice.settled
    by_chance = sit.best_bid(HAND, utility="match", **asked)
    assert by_chance.frame["vs_best_high"][1] == pytest.approx(unseen(400, 1))


def test_a_policy_against_itself_does_not_end_without_width():
    found = sit.compare("greedy", "greedy", pairs=200, progress=False)
    assert found.points == 0
    assert found.interval[1] == -found.interval[0] == pytest.approx(unseen(200, REACH / 2))
    looked = sit.compare("greedy", "greedy", pairs=200, until=SequentialTest(every=100), progress=False)
    assert looked.interval[1] == pytest.approx(unseen(200, REACH / 2))


# ---- planned looks


def test_the_boundary_of_planned_looks_is_pococks():
    # C. Jennison and B. W. Turnbull, Group Sequential Methods (2000), table 2.1, alpha = .05
    for many, z in {1: 1.960, 2: 2.178, 3: 2.289, 5: 2.413, 10: 2.555, 20: 2.672}.items():
        assert planned_boundary(tuple(range(1, many + 1))) == pytest.approx(z, abs=0.001)


def test_planned_intervals_hold_at_every_look_and_are_narrower_than_sequences():
    rng, rounds, missed = np.random.default_rng(5), looks(10_000), 0
    for _ in range(600):
        values = rng.exponential(2_000, 10_000).round().astype(np.int64)
        parts = [Sums.of(values[:stop]) for stop in rounds]
        ends = [planned_interval(sums, rounds) for sums in parts]
        missed += any(not low <= 2_000 <= high for low, high in ends)
        assert all(high - low < np.diff(mean_sequence(sums))[0] for sums, (low, high) in zip(parts, ends, strict=True))
    assert 0.02 < missed / 600 < 0.07
    assert planned_interval(Sums.of(range(50)), rounds) == (-np.inf, np.inf)


# ---- the contract that looks best


def test_intervals_against_the_contract_that_looks_best_hold_at_once_for_ten_equal_ones():
    rng, missed, single = np.random.default_rng(6), 0, 0
    for _ in range(300):
        drawn = (rng.normal(0, 2_000, 500) + rng.normal(0, 1_500, (10, 500))).round().astype(np.int64)

        def between(i, j, level, drawn=drawn):
            return mean_interval(Sums.of(drawn[i] - drawn[j]), level)

        best, ends = against_best(drawn.sum(axis=1), between)
        missed += any(not low <= 0 <= high for low, high in ends)
        single += any(between(i, best, 0.95)[1] < 0 for i in range(10) if i != best)
    assert missed <= 15
    assert single > 100


def test_the_odds_tell_against_the_best_with_intervals_of_all_pairs():
    odds = sit.contract_odds(HAND, ["2H", "3H", "4H"], deals=300, seed=4, vs_best=True, progress=False)
    frame, best = odds.frame, int(odds.frame["points"].argmax())
    values = [(rows["score_ew"] - rows["score_ns"]).to_numpy(np.int64) for rows in map(odds.rows, odds.contracts)]
    for place, row in frame.iterrows():
        each = mean_interval(Sums.of(values[place] - values[best]), 1 - 0.05 / 3, REACH)
        if place == best:
            assert row["vs_best_low"] <= 0 == row["vs_best_high"]
        else:
            assert row["vs_best_high"] == pytest.approx(each[1])
            assert row["vs_best_low"] <= each[0]


# ---- shares


def test_a_share_of_matches_that_are_all_won_has_wilsons_end():
    low, high = shares_interval(np.full(20, 2), 2)
    assert high == 1
    assert low == pytest.approx(scipy.stats.binomtest(20, 20).proportion_ci(method="wilson").low, abs=1e-6)
    found = sit.compare("heuristic", "random", pairs=2, matches=3, progress=False)
    assert found.matches["won"] == 1
    assert found.matches["won_low"] == pytest.approx(wilson(3, 3)[0])
    assert f"matches won by a: 100.0 % ({100 * wilson(3, 3)[0]:.1f} to 100.0)" in str(found)


def test_shares_of_matches_cover_where_nearly_all_are_won():
    rng = np.random.default_rng(8)
    for p in (0.9, 0.97):
        ends = np.array([shares_interval(rng.binomial(2, p, 20), 2) for _ in range(1_000)])
        assert ((ends[:, 0] <= p) & (p <= ends[:, 1])).mean() > 0.93


def test_pairs_of_matches_one_won_and_one_lost_are_known_better_than_single_ones():
    low, high = shares_interval(np.ones(100, np.int64), 2)
    alone = wilson(50, 100)
    assert high - low < 0.5 * (alone[1] - alone[0])


# ---- as text


def test_a_lopsided_interval_is_shown_by_its_ends():
    low, high = wilson(0, 300)
    assert with_interval(0.0, low, high, 1, 100) == "0.0 (0.0 to 1.3)"
    low, high = wilson(300, 300)
    assert with_interval(1.0, low, high, 1, 100) == "100.0 (98.7 to 100.0)"
    assert with_interval(12.0, 2.0, 22.0, signed=True) == "+12±10"
    assert with_interval(-12.0, -42.0, 0.0, signed=True) == "-12 (-42 to +0)"
    assert with_interval(5.0, -np.inf, np.inf) == "5"
    assert with_interval(np.nan, np.nan, np.nan) == "-"


def test_a_contract_that_is_never_made_is_shown_with_both_ends_in_odds_and_panels():
    asked = {"deals": 60, "seed": 5, "policies": "random", "progress": False}
    odds = sit.contract_odds(HAND, ["9H"], **asked)
    row = odds.frame.iloc[0]
    assert row["made"] == 0
    shown = f"0.0 (0.0 to {100 * row['made_high']:.1f})"
    assert shown in str(odds)
    asked.pop("policies")
    panel = sit.policy_panel(HAND, "9H", ["random", "greedy"], **asked)
    assert shown in panel.table()
