"""The table of chances to win a match, and best bids by it."""

import runpy
from pathlib import Path

import numpy as np
import pytest

import sitoumus as sit
from sitoumus.match_value import LEAST, STEP, UNITS, MatchValue

TARGET = 20_000


@pytest.fixture(scope="module")
def value():
    return MatchValue.load()


def test_sides_are_alike(value):
    units = np.rint(value.chance * UNITS)
    np.testing.assert_array_equal(units + units.T, UNITS)
    assert (np.diag(value.chance) == 0.5).all()
    assert ((value.chance >= 0) & (value.chance <= 1)).all()


def test_more_points_are_better_except_where_the_minimum_rises(value):
    rise = {below for below, _, _ in sit.SITOUMUSSAMBA.opening.bands}
    totals = np.arange(LEAST, TARGET, STEP)
    assert len(value.chance) == len(totals)
    steps = np.diff(value.chance, axis=0)
    for step, total in zip(steps, totals[1:], strict=True):
        assert total in rise or (step >= -0.002).all(), total
    for edge in (0, 1500, 3000, 7000, 10_000):  # what is lost there is little
        assert steps[list(totals[1:]).index(edge)].min() > -0.03


def test_at_the_target_the_higher_total_has_won(value):
    won = value.win([[20_000, 19_995], [19_995, 20_000], [25_000, 21_000], [20_005, 20_005], [21_000, -3000]])
    assert list(won) == [1, 0, 1, 0.5, 1]
    assert list(value.win([[20_000, 19_995]], us=1)) == [0]


def test_between_the_totals_of_the_table_and_below_them(value):
    i = (1000 - LEAST) // STEP
    assert value.win([1000, 1000]) == 0.5
    assert value.win([1000, 2000]) == value.chance[i, i + 4]
    middle = (value.chance[i, i] + value.chance[i + 1, i]) / 2
    assert value.win([1125, 1000]) == pytest.approx(middle)
    assert value.win([-9000, 0]) == value.win([LEAST, 0])
    assert value.win([19_995, 19_995]) == 0.5


def test_the_chance_is_that_of_matches_played(value):
    matches = sit.simulate_matches(600, seed=11, deals=True, progress=False)
    ends = sit.simulate_matches(600, seed=11, progress=False).set_index("match")["winner"]
    rows = matches[matches["total_ns"] != matches["total_ew"]]
    rows = rows.groupby("match").nth(1).dropna()
    won = (ends.loc[rows["match"]] == "NS").to_numpy()
    chance = value.win(rows[["total_ns", "total_ew"]].to_numpy())
    n = len(won)
    assert n > 200
    assert abs(won.mean() - chance.mean()) < 4 * 0.5 / np.sqrt(n)
    assert won[chance > 0.6].mean() > won[chance < 0.4].mean() + 0.15


def test_the_script_solves_a_match_that_is_known():
    """One side of two wins 20,000 points in every deal with even chances: one half, from everywhere."""
    tool = runpy.run_path(str(Path(__file__).parents[1] / "tools/make_value_table.py"))
    rng = np.random.default_rng(1)
    scores = np.where(rng.random((1000, 1)) < 0.5, [[30_000, 0]], [[0, 30_000]])
    kernel = tool["counted"](np.concatenate([scores, scores[:, ::-1]]))
    chance = tool["solve"]({(0, 0): kernel}, [TARGET], TARGET)
    np.testing.assert_allclose(chance, 0.5, atol=1e-6)
    # 5,000 points a deal for a side that is drawn: 20,000 are four deals won, as in a race to four points
    scores = np.array([[5000, 0], [0, 5000]])
    chance = tool["solve"]({(0, 0): tool["counted"](scores)}, [TARGET], TARGET)
    at = [(total - LEAST) // STEP for total in (15_000, 10_000, 0)]
    assert chance[at[0], at[0]] == pytest.approx(0.5, abs=1e-5)
    assert chance[at[0], at[1]] == pytest.approx(0.75, abs=1e-5)
    assert chance[at[1], at[2]] == pytest.approx(26 / 32, abs=1e-5)  # two heads in five tosses


def test_another_match_has_no_table():
    with pytest.raises(ValueError, match="not for sitoumussamba"):
        MatchValue.load(sit.SITOUMUSSAMBA.replace(target=10_000))
    with pytest.raises(ValueError, match="not for samba"):
        MatchValue.load(sit.SAMBA)


def test_best_bid_by_the_chance_to_win():
    hand = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"
    usual = {"deals": 200, "seed": 3, "max_level": 2, "calls": ["pass", "1C", "2C"], "progress": False}
    found = sit.best_bid(hand, totals=(18_000, 17_000), utility="match", **usual)
    assert {"win", "win_low", "win_high"} <= set(found.frame.columns)
    assert found.frame["win"].between(0, 1).all()
    points = sit.best_bid(hand, totals=(18_000, 17_000), **usual)
    a, b = (each.frame.set_index("call")["points"] for each in (found, points))
    assert (a.loc[b.index] == b).all()
    lead = found.frame.set_index("call")["win"]
    np.testing.assert_allclose(found.frame["vs_best"], lead.to_numpy() - lead[found.best], atol=1e-9)
    assert "win" in str(found).splitlines()[-4]
    with pytest.raises(ValueError, match="chances to win a match are known for"):
        sit.best_bid(hand, utility="match", rules=sit.SITOUMUSSAMBA.replace(target=5000), **usual)
