"""Thresholds: fits with known truth, what a study reports, the bidding table."""

import importlib
import json
import sys

import numpy as np
import pandas as pd
import pytest

import sitoumus as sit
from sitoumus.hand_differences import Pairs, differences
from sitoumus.run import Run
from sitoumus.threshold_parts import Part, hands_in_words, holm, interval_of_differences
from sitoumus.thresholds import Logistic, fit_threshold, groups_of


def asked(contract="3H", feature="run_h", **keywords):
    usual = {"hands": 1000, "seed": 7, "draws": 200, "progress": False, "threads": 2}
    return sit.thresholds(contract, feature, **(usual | keywords))


@pytest.fixture(scope="module")
def result():
    return asked("4H", "best_opening_declarer")


# ---- fits ------------------------------------------------------------------------------------------------------------


def test_groups_hold_enough_hands():
    assert list(groups_of(np.repeat([0, 1, 2, 9], [40, 50, 60, 3]))) == [0, 1, 2]
    assert list(groups_of(np.repeat([0, 1, 2, 9], [10, 25, 60, 40]))) == [0, 2, 9]
    many = groups_of(np.arange(1200))
    assert len(many) == 12
    assert many[0] == 0
    assert list(groups_of(np.array([4, 4, 5]))) == [4]


def drawn(rng, truth, n=600, deals=1, between=300):
    """Hands of a feature 0 .. len(truth) - 1, with errors that a hand's deals share, and long tails."""
    x = rng.integers(0, len(truth), n)
    own = rng.normal(0, between, n)[:, None]
    return x, np.asarray(truth, float)[x][:, None] + own + 900 * rng.standard_t(5, (n, deals))


def test_the_band_holds_everywhere_and_the_interval_holds_the_threshold():
    rng = np.random.default_rng(3)
    truth = np.array([-900, -700, -300, -50, 150, 500, 500, 1200])
    inside, held, points = 0, 0, []
    for i in range(100):
        found = fit_threshold(*drawn(rng, truth, deals=1 + i % 2), rising=True, seed=i, draws=150)
        inside += np.all((found.low <= truth) & (truth <= found.high))
        low, high = found.interval
        held += (low is None or low <= 4) and (high is None or high >= 4)
        points.append(found.threshold)
    assert inside >= 91
    assert held >= 95
    assert set(points) <= {2, 3, 4, 5}


def test_a_falling_curve():
    rng = np.random.default_rng(4)
    found = fit_threshold(*drawn(rng, [1500, 900, 300, -800, -1500], n=3000))
    assert not found.rising
    assert (found.threshold, found.verdict) == (2, "pays up to 2")
    assert found.interval == (2, 2)
    assert list(found.pays(np.array([0, 2, 3, 9]))) == [True, True, False, False]
    assert np.all(np.diff(found.fit) <= 0)


def test_no_threshold_in_the_range():
    rng = np.random.default_rng(5)
    never = fit_threshold(*drawn(rng, [-2000, -1500, -1000], n=2000))
    assert (never.threshold, never.interval) == (None, None)
    assert never.verdict == "no threshold in the range: it never pays"
    assert not never.pays(np.array([0, 2])).any()
    always = fit_threshold(*drawn(rng, [1000, 1500, 2000], n=2000))
    assert (always.threshold, always.interval) == (None, None)
    assert always.verdict == "no threshold in the range: it always pays"
    assert always.pays(np.array([0, 2])).all()


def test_the_band_holds_the_curve_also_where_the_hands_contradict_every_rising_one():
    rng = np.random.default_rng(9)
    found = fit_threshold(*drawn(rng, [-900, -500, 900, -900, -700], n=4000), rising=True)
    assert not found.monotone
    assert np.all((found.low <= found.fit) & (found.fit <= found.high))
    rises = [fit_threshold(*drawn(rng, [-900, -500, -100, 100, 300], n=300), rising=True) for _ in range(20)]
    for each in rises:
        if each.threshold is not None:
            low, high = each.interval
            assert low is None or low <= each.threshold
            assert high is None or each.threshold <= high
    assert fit_threshold(*drawn(rng, [-900, -500, 900, 900, 1200]), rising=True).monotone


def test_a_threshold_is_a_value_not_the_lower_end_of_a_group_and_its_words_are_what_pays():
    rng = np.random.default_rng(11)
    x = rng.choice(np.arange(0, 200, 5), 8000)
    found = fit_threshold(x, np.where(x <= 45, 200, -900) + rng.normal(0, 900, 8000))
    assert not found.rising
    assert (found.threshold, found.verdict) == (45, "pays up to 45")
    low, high = found.interval
    assert 35 <= low <= 45 <= high <= 50
    assert list(found.pays(np.array([40, 45, 46, 50]))) == [True, True, False, False]
    # groups are shown with both ends, and one may hold the threshold inside
    assert (found.values[0], found.last[-1], len(found.values) <= 14) == (0, 195, True)
    assert (found.values[1:] > found.last[:-1]).all()
    assert 45 not in found.values


@pytest.mark.slow
def test_seven_hearts_pay_more_than_three_up_to_45_points():
    found = asked("7H", "best_opening_declarer", against="3H", hands=20_000)
    assert found.threshold == 45
    low, high = found.interval
    assert low <= 45 <= high <= 50
    assert "pays up to 45 points of best opening as declarer" in str(found)
    assert found.summary["share"][0] == pytest.approx((found.parts[0].values <= 45).mean())
    assert found.summary["gain_low"][0] > 100


def test_a_mean_or_band_of_rare_differences_has_no_bounds_until_enough_are_seen():
    rng = np.random.default_rng(12)
    x = rng.integers(0, 3, 500)
    few = np.where(rng.random(500) < 0.02, 3000, 0)
    found = fit_threshold(x, few)
    assert np.isneginf(found.low).all()
    assert np.isposinf(found.high).all()
    assert found.interval == (None, None)
    assert np.isnan(interval_of_differences(few)).all()
    # a hundred that differ are no rare difference, unless a few of them are far larger than all others
    many = np.where(rng.random(500) < 0.2, rng.normal(3000, 500, 500), 0)
    low, high = interval_of_differences(many)
    assert low < 600 < high
    assert np.isfinite(fit_threshold(x, many).low).any()
    assert np.isnan(interval_of_differences(np.append(rng.normal(0, 300, 500), [25_000, 25_000]))).all()


def test_a_bid_that_seldom_matters_has_a_question_mark_instead_of_an_interval():
    found = asked("1C", "jokers", contested=True, policies="tuned")
    assert np.count_nonzero(found.parts[0].points) < 30
    assert found.frame["points_low"].isna().all()
    assert np.isneginf(found.frame["fit_low"]).all()
    assert "±?" in str(found)
    assert "? .. ?" in str(found)
    assert "nan" not in str(found)
    json.dumps(found.to_dict(), allow_nan=False)


def test_the_interval_of_a_mean_is_students_where_all_hands_differ():
    import scipy.stats

    values = np.random.default_rng(13).uniform(-5_000_000, 5_000_000, 420_000).round()
    expected = scipy.stats.ttest_1samp(values, 0).confidence_interval(0.95)
    np.testing.assert_allclose(interval_of_differences(values), expected, rtol=1e-6)


def test_a_direction_that_the_hands_leave_open_leaves_the_interval_open():
    rng = np.random.default_rng(14)
    x = rng.integers(0, 4, 400)
    weak = fit_threshold(x, 20 * (x - 1.5) + rng.normal(0, 2000, 400))
    assert (weak.direction_known, weak.interval) == (False, (None, None))
    given = fit_threshold(x, 20 * (x - 1.5) + rng.normal(0, 2000, 400), rising=True)
    assert given.direction_known
    assert (weak.high - weak.low >= given.high - given.low - 1e-9).mean() >= 0.5
    clear = fit_threshold(x, 900 * (1.5 - x) + rng.normal(0, 500, 400))
    assert (clear.direction_known, clear.rising, clear.threshold) == (True, False, 1)


def test_the_band_of_a_feature_chosen_among_several_is_wider_than_that_of_one_asked_alone():
    rng = np.random.default_rng(15)
    values = {name: rng.integers(0, 4, 4000) for name in ("run_h", "jokers", "aces")}
    points = 300 * (values["jokers"] - 1.5) + rng.normal(0, 1500, 4000)
    points = points[:, None]
    chosen = Part.best("3H", list(values), values, points, seed=0, draws=1000)
    alone = Part.of("3H", "jokers", values["jokers"], points, None, 0, 1000)
    assert chosen.feature == "jokers"
    assert (chosen.fit.high - chosen.fit.low).sum() > (alone.fit.high - alone.fit.low).sum()


@pytest.mark.parametrize(
    ("feature", "value", "rising", "words"),
    [
        ("run_h", 4, True, "from 4 hearts in a row on"),
        ("best_opening", 45, False, "up to 45 points of best opening"),
        ("jokers", 1, True, "from 1 joker on"),
        ("can_open_50", 1, True, "from 1 (can_open_50) on"),
    ],
)
def test_a_threshold_says_in_words_which_hands_it_means(feature, value, rising, words):
    assert hands_in_words(feature, value, rising) == words


def test_an_open_end_is_none():
    rng = np.random.default_rng(6)
    found = fit_threshold(*drawn(rng, [-1000, -500, -100, 20], n=800), rising=True)
    assert found.interval is not None
    assert found.interval[1] is None


def test_the_curve_is_the_isotonic_regression_of_all_hands():
    from scipy.optimize import isotonic_regression

    x, y = drawn(np.random.default_rng(7), [-900, 100, -300, 400, 300])
    found = fit_threshold(x, y, rising=True)
    # of the points of single hands in the order of the feature, those of one value at their mean
    means = np.array([y[x == value].mean() for value in range(5)])
    own = isotonic_regression(means[np.sort(x)]).x
    np.testing.assert_allclose(found.fit, [own[np.sort(x) == value][0] for value in range(5)])


def test_the_logistic_curve_has_errors_clustered_by_hand():
    rng = np.random.default_rng(8)
    x = rng.integers(0, 9, 4000)
    better = rng.random(4000) < 1 / (1 + np.exp(-(x - 4.0)))
    once = Logistic.of(x, np.where(better, 100, -100))
    assert once.slope == pytest.approx(1, abs=0.1)
    at, low, high = once.even
    assert low < 4 < high
    assert at == pytest.approx(4, abs=0.1)
    assert once.share(4) == pytest.approx(0.5, abs=0.05)
    # the same deals ten times over tell no more
    again = Logistic.of(x, np.repeat(np.where(better, 100, -100)[:, None], 10, axis=1))
    np.testing.assert_allclose(again.covariance, once.covariance, rtol=0.01)
    assert Logistic.of(x, np.full(4000, 5)) is None
    level = Logistic.of(np.array([0, 0, 1, 1]), np.array([5, -5, 5, -5]))
    assert np.isnan(level.even).all()


def test_the_logistic_curve_of_two_values_is_their_shares_and_its_errors_those_of_clusters():
    better = np.array([[1, 1], [1, -1], [-1, -1], [1, 1], [-1, -1], [1, -1], [-1, 0], [1, 1]])
    x = np.array([0, 0, 0, 0, 5, 5, 5, 5])
    found = Logistic.of(x, better)
    # deals that differ: 5 of 8 better at 0, 3 of 7 at 5
    assert found.share([0, 5]) == pytest.approx([5 / 8, 3 / 7], abs=1e-9)
    # at 0: the sums of better - share by hand, over the information 8 * 5/8 * 3/8
    sums = np.array([2 - 10 / 8, 1 - 10 / 8, -10 / 8, 2 - 10 / 8])
    variance = (sums @ sums) / (15 / 8) ** 2 * 8 / 7 * 14 / 13
    assert found.covariance[0, 0] == pytest.approx(variance, rel=1e-8)


def test_p_values_are_adjusted_by_holm():
    p = np.array([0.01, np.nan, 0.04, 0.03, 0.9])
    np.testing.assert_allclose(holm(p), [0.04, np.nan, 0.09, 0.09, 0.9])


def test_there_is_no_logistic_curve_where_the_feature_tells_all():
    x = np.repeat([0, 1, 2], 20)
    assert Logistic.of(x, np.where(x >= 1, 100, -100)) is None
    assert Logistic.of(x, np.where((x == 1) & (np.arange(60) % 2 == 0) | (x == 2), 100, -100)) is None
    assert Logistic.of(x, np.where((x == 1) & (np.arange(60) % 2 == 0) | (x == 0), 100, -100)) is None
    assert Logistic.of(x, np.where(np.arange(60) % 3 == 0, 100, -100)) is not None


# ---- the study -------------------------------------------------------------------------------------------------------


def test_hands_are_those_of_the_deals_and_points_those_of_bid_and_pass(result):
    n = 60
    rows = sit.simulate(n, seed=7, contract="4H by E", features=True, progress=False)
    points = rows["score_ew"] - rows["score_ns"]
    passing = Run.of(seed=7, passes=("E",))
    bid = Run.of(seed=7, contract="4H by E")
    pairs = Pairs([bid, passing], [(0, 1)], "")
    values, (found,), complete = differences(pairs, "E", n, 1, 1, lambda n: None)
    arrays = passing.allocate(n)
    passing.fill(arrays, 0, n)
    np.testing.assert_array_equal(found[:, 0], points - (arrays["score_ew"] - arrays["score_ns"]))
    np.testing.assert_array_equal(values["run_h"], rows["run_h_e"])
    assert complete


def points_of(rows):
    return np.asarray(rows["score_ew"] - rows["score_ns"])


def study_points(**asked):
    """The means by value, weighed together again."""
    found = sit.thresholds(feature="jokers", hands=400, draws=100, seed=7, progress=False, **asked)
    half = found.parts[0].points
    return found, half


def test_a_contract_is_compared_with_another_or_with_the_level_below():
    rows = {c: points_of(sit.simulate(400, seed=7, contract=f"{c} by E", progress=False)) for c in ("3H", "4H")}
    for against in ("3H", "below"):
        found, half = study_points(contract="4H", against=against)
        np.testing.assert_array_equal(half, (rows["4H"] - rows["3H"])[1::2])
        assert "one level lower" in str(found) if against == "below" else "contract against 3H" in str(found)
    _, half = study_points(contract="1H", against="below")
    _, other = study_points(contract="1H", against="pass")
    np.testing.assert_array_equal(half, other)


def test_contested_bids_go_on_by_the_policies_as_in_best_bid():
    found, half = study_points(contract="2H", contested=True)
    after = {call: Run.of(seed=7, auction=(call,)) for call in ("2H", "pass")}
    points = {}
    for call, run in after.items():
        arrays = run.allocate(400)
        run.fill(arrays, 0, 400)
        points[call] = points_of(arrays)
    np.testing.assert_array_equal(half, (points["2H"] - points["pass"])[1::2])
    assert "bid against pass" in str(found)
    third = sit.thresholds("2H", "jokers", seat="S", hands=200, draws=100, contested=True, progress=False)
    assert third.provenance["auction"] == ["pass", "pass"]


def test_the_frame_and_the_summary(result):
    assert list(result.frame.columns[:5]) == ["contract", "feature", "value", "hands", "points"]
    assert result.frame["hands"].sum() == 500
    assert (result.frame["fit_low"] <= result.frame["fit"] + 1e-9).all()
    assert (result.frame["fit"] <= result.frame["fit_high"] + 1e-9).all()
    assert len(result.summary) == 1
    row = result.summary.iloc[0]
    assert row["p_holm"] == row["p"]
    assert result.threshold is None or result.threshold == row["threshold"]
    text = str(result)
    assert max(map(len, text.splitlines())) <= 100
    found = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert found["summary"][0]["contract"] == "4H"
    assert len(found["rows"]) == len(result.frame)


def test_many_are_adjusted_together():
    found = asked(["2H", "4CAN"], ["run_h", "hand_minus"], hands=400)
    assert len(found.summary) == 4
    p = found.summary["p"].dropna()
    assert (found.summary["p_holm"].dropna() >= p - 1e-12).all()
    with pytest.raises(ValueError, match="these are 4 thresholds: see summary"):
        _ = found.threshold
    assert len(str(found).splitlines()) == 4 + 5


def test_several_deals_of_each_hand():
    found = asked("2H", hands=200, repeats=3)
    assert found.frame["hands"].sum() == 100
    assert "3 deals each" in str(found)


def test_a_condition_holds_of_all_deals():
    found = asked("2H", "jokers", hands=300, where=(sit.me.jokers >= 1) & (sit.partner.aces >= 1))
    assert found.frame["value"].min() == 1
    assert "where " in str(found)
    rows = sit.simulate(300, seed=7, where=(sit.east.jokers >= 1) & (sit.west.aces >= 1), features=True, progress=False)
    assert found.frame["hands"].sum() == 150
    assert (rows["jokers_e"][1::2] == 1).sum() == found.frame["hands"][0]
    with pytest.raises(ValueError, match="repeats is 2 with a condition"):
        asked("2H", where=sit.me.jokers >= 1, repeats=2)


@pytest.mark.parametrize("study", [asked, sit.bidding_table])
def test_ctrl_c_leaves_what_is_known(study, monkeypatch):
    """Interrupted in the second batch of hands."""
    module = importlib.import_module("sitoumus.hand_differences")
    play_runs = module.play_runs
    calls = []

    def interrupted(*given):
        if calls:
            raise KeyboardInterrupt
        calls.append(1)
        play_runs(*given)

    monkeypatch.setattr(module, "BATCH", 300)
    monkeypatch.setattr(module, "play_runs", interrupted)
    given = {"minima": 50, "levels": 2, "strains": "H", "draws": 100, "progress": False}
    with pytest.raises(sit.StudyInterrupted) as caught:
        study(hands=900) if study is asked else study(hands=900, **given)
    result = caught.value.result
    assert "300 random hands" in str(result)


def test_threads_do_not_matter(result):
    again = asked("4H", "best_opening_declarer", threads=1)
    pd.testing.assert_frame_equal(again.frame, result.frame)
    pd.testing.assert_frame_equal(again.summary, result.summary)


def test_a_picture(result, tmp_path):
    pytest.importorskip("matplotlib")
    result.plot().figure.savefig(tmp_path / "thresholds.png")
    assert (tmp_path / "thresholds.png").stat().st_size > 1000


def test_every_feature_has_axes_of_its_own():
    pytest.importorskip("matplotlib")
    found = asked(["2H", "4H"], ["run_h", "jokers"], hands=400)
    first, second = found.plot()
    assert (first.get_xlabel(), second.get_xlabel()) == ("run_h", "jokers")
    assert len(first.get_legend().get_texts()) == 2
    with pytest.raises(ValueError, match="each has axes of its own: leave ax out"):
        found.plot(first)


def test_no_extra_is_needed(monkeypatch):
    for name in ("matplotlib", "pyarrow", "sklearn", "statsmodels"):
        monkeypatch.setitem(sys.modules, name, None)  # its import is an error
    assert "not excluded" in str(asked("2H", hands=400))


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"feature": "run_x"}, "'run_x' is no feature of a hand: did you mean 'run_s'|'run_x' is no feature"),
        ({"feature": []}, "ask for at least one contract"),
        ({"contract": "3X"}, "'3X' is no contract"),
        ({"hands": 10}, "hands is 10: it must be a whole number from 200 up"),
        ({"repeats": 0}, "repeats is 0"),
        ({"seat": "X"}, "seat is 'X'"),
        ({"rules": sit.SAMBA}, "samba has no auction"),
    ],
)
def test_bad_input_is_one_sentence(keywords, message):
    with pytest.raises(ValueError, match=message):
        asked(**keywords)


# ---- the bidding table -----------------------------------------------------------------------------------------------


def test_a_sheet_of_levels_against_the_level_below():
    sheet = sit.bidding_table(
        50, levels=[4], strains=["H", "S"], hands=400, draws=100, seed=7, progress=False, against="below"
    )
    alone = sit.thresholds("4H", "run_h", hands=400, draws=100, seed=7, progress=False, against="3H")
    assert list(sheet.sheet.index) == ["4H", "4S"]
    assert sheet.to_dict()["against"] == "below"
    part = next(part for part in sheet._parts[50] if part.contract == "4H")
    np.testing.assert_array_equal(part.points, alone.parts[0].points)
    assert "contract against one level lower" in str(sheet)


@pytest.fixture(scope="module")
def table():
    return sit.bidding_table(
        [50, 120], levels=[2, 5], strains=["H", "DEU"], hands=400, draws=100, seed=7, progress=False
    )


def test_the_sheet_has_a_row_a_bid_and_a_column_a_minimum(table):
    assert list(table.sheet.index) == ["2H", "2DEU", "5H", "5DEU"]
    assert list(table.sheet.columns) == [50, 120]
    assert len(table.frame) == 8
    assert set(table.frame["total"]) == {0, 3000}
    assert (table.frame["p_holm"].dropna() >= table.frame["p"].dropna()).all()
    text = str(table)
    assert max(map(len, text.splitlines())) <= 100
    found = json.loads(json.dumps(table.to_dict(), allow_nan=False))
    assert found["sheet"]["50"].keys() == {"2H", "2DEU", "5H", "5DEU"}


@pytest.mark.slow
def test_all_minima_fit_the_terminal():
    every = sit.bidding_table(levels=2, strains="H", features=["run_h"], hands=200, draws=100, progress=False)
    assert list(every.sheet.columns) == [15, 50, 90, 120, 150, 200]
    assert list(every.frame["total"]) == [-5, 0, 1500, 3000, 7000, 10000]
    assert max(map(len, str(every).splitlines())) <= 100


def test_the_sheet_names_a_hand_only_where_the_others_are_certain_to_lose():
    rng = np.random.default_rng(10)
    cells = {}
    for name, truth in {
        "steep": [-900, -900, 900, 900],
        "flat": [100, 100, 130, 130],
        "hardly": [-40, -40, -30, 20],
    }.items():
        x, y = drawn(rng, truth, n=3000)
        part = Part.best("3H", ["run_h"], {"run_h": x}, y, seed=0, draws=200)
        share = part.gain.share
        cells[name] = (part.threshold, part.text, bool(share == part.pays(part.values).mean()))
    assert cells == {"steep": (2, "from 2", True), "flat": (None, "always", True), "hardly": (None, "never", True)}


def test_a_picture_of_the_sheet(table, tmp_path):
    pytest.importorskip("matplotlib")
    table.plot().figure.savefig(tmp_path / "sheet.png")
    assert (tmp_path / "sheet.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"minima": 60}, "60 is no opening minimum of sitoumussamba: they are 15, 50"),
        ({"strains": ["X"]}, "a strain is 'X': it must be one of C, D, H, S, CAN, DEU"),
        ({"features": ["fame"]}, "'fame' is no feature"),
        ({"hands": 1}, "hands is 1"),
        ({"levels": [21]}, "a level is 21: it must be a whole number from 1 to 20"),
        ({"rules": sit.SAMBA}, "samba has no auction"),
    ],
)
def test_a_table_that_cannot_be_is_one_sentence(keywords, message):
    with pytest.raises(ValueError, match=message):
        sit.bidding_table(**({"minima": 50, "levels": 2, "hands": 200, "progress": False} | keywords))
