"""The tables of tools/check_statistics.py at a small size: intervals, eliminations and weights keep their promises."""

import importlib.util
from pathlib import Path

import pandas as pd
import pytest

PATH = Path(__file__).parents[1] / "tools" / "check_statistics.py"
SMALL = {
    "shares": 0.1,
    "means": 0.05,
    "share-sequences": 0.05,
    "mean-sequences": 0.05,
    "elimination": 0.05,
    "rare-races": 0.1,
    "rare-calls": 0.1,
    "best-of-several": 0.1,
    "match-shares": 0.1,
}


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("check_statistics", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("name", "size"), SMALL.items())
def test_what_a_table_promises_is_kept(tool, name, size):
    table = tool.CHECKS[name](size)
    assert table["kept"].all(), f"\n{table.to_string()}"


def test_intervals_of_thresholds_and_bands_of_curves_cover(tool):
    table = tool.CHECKS["thresholds"](0.05, ["shallow", "steep, many values", "a step, many values"])
    assert table["kept"].all(), f"\n{table.to_string()}"


@pytest.mark.parametrize("name", ["rare-differences", "directions"])
def test_bands_hold_where_differences_are_rare_and_where_the_direction_is_chosen(tool, name):
    table = tool.CHECKS[name](0.05)
    assert table["kept"].all(), f"\n{table.to_string()}"


def test_worlds_that_are_kept_give_the_odds_of_weighed_deals(tool):
    table = tool.CHECKS["weights"](0.05)
    assert table["kept"].all(), f"\n{table.to_string()}"
    assert (table["z"].abs() > 1e-6).all()


def test_intervals_of_deals_that_fit_calls_heard_cover(tool):
    table = tool.CHECKS["weighed-intervals"](0.05, ["no call", "of greedy"])
    assert table["kept"].all(), f"\n{table.to_string()}"


def test_the_fixed_intervals_fail_where_the_sequences_hold(tool):
    assert (tool.share_sequences(0.05)["fixed intervals miss"] > 0.2).all()


def test_the_intervals_without_reach_and_single_ones_fail_where_the_promise_is_kept(tool):
    assert tool.rare_races(0.1)["without reach"].max() > 0.5
    assert tool.rare_calls(0.1)["without reach"].max() > 0.1
    assert tool.best_of_several(0.1).set_index("arms")["t intervals"]["10 equal"] > 0.4


def test_a_promise_that_is_not_kept_ends_the_tool_with_1(tool, monkeypatch, capsys):
    table = pd.DataFrame([{"promised": ".95", "kept": False}])
    monkeypatch.setattr(tool, "CHECKS", {"broken": lambda size: table})
    monkeypatch.setattr("sys.argv", ["check_statistics.py"])
    with pytest.raises(SystemExit, match="not kept: broken"):
        tool.main()


def test_no_check_hides_another_of_the_same_name(tool):
    assert not {"rare-races", "rare-calls", "best-of-several", "match-shares", "weights"} & set(tool.THRESHOLD_CHECKS)
    assert tool.CHECKS["rare-races"] is tool.rare_races
    assert tool.rare_calls(0.1)["deals"].tolist() == [10_000]
