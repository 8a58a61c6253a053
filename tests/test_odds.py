"""contract_odds: common deals, what is counted, intervals, what is shown and refused."""

import json
import os
import signal
import threading

import numpy as np
import pandas as pd
import pytest

import sitoumus as sit
from sitoumus.odds import More, _break_even
from sitoumus.stats import Sums, looks, mean_sequence, proportion_sequence, wilson

HAND = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"
COLUMNS = "contract deals opened made failed void points_us points_them points vs_pass turns".split()


def odds(hand=HAND, contracts=("2H", "3H", "4CAN doubled"), **keywords):
    usual = {"deals": 400, "seed": 7, "policies": "heuristic", "progress": False, "threads": 2}
    return sit.contract_odds(hand, contracts, **(usual | keywords))


@pytest.fixture(scope="module")
def result():
    return odds()


def test_the_frame_has_one_row_a_contract_in_the_order_asked(result):
    frame = result.frame
    assert [name for name in frame.columns if not name.endswith(("_low", "_high"))] == COLUMNS
    assert list(frame["contract"]) == ["2H", "3H", "4CAN doubled"]
    assert (frame["deals"] == 400).all()
    for name in COLUMNS[2:]:
        assert (frame[f"{name}_low"] <= frame[name]).all()
        assert (frame[name] <= frame[f"{name}_high"]).all()


def test_shares_are_of_all_deals_with_wilsons_intervals(result):
    frame = result.frame
    np.testing.assert_allclose(frame["opened"], frame["made"] + frame["failed"] + frame["void"], atol=1e-12)
    counts = (frame["void"] * frame["deals"]).round()
    low, high = wilson(counts, frame["deals"])
    np.testing.assert_allclose(frame["void_low"], low)
    np.testing.assert_allclose(frame["void_high"], high)


def test_odds_are_those_of_the_simulated_rows(result):
    for contract in result.contracts:
        forced = contract.replace("2H", "2H by E").replace("3H", "3H by E").replace("4CAN", "4CAN by E")
        rows = sit.simulate(400, seed=7, hands={"E": HAND}, contract=forced, policies="heuristic", progress=False)
        row = result.frame.set_index("contract").loc[contract]
        held = rows[(rows["declarer"] == "E") & (rows["level"] == int(contract[0]))]
        assert row["made"] == pytest.approx((held["result"] == "made").sum() / 400)
        assert row["void"] == pytest.approx((held["result"] == "void").sum() / 400)
        assert row["points_us"] == pytest.approx(rows["score_ew"].mean())
        assert row["points_them"] == pytest.approx(rows["score_ns"].mean())
        assert row["turns"] == pytest.approx(rows["turns"].mean())
        shown = result.rows(contract)
        pd.testing.assert_series_equal(shown["result"].astype(str), rows["result"].astype(str))
        pd.testing.assert_series_equal(shown["score_ns"], rows["score_ns"])


def test_passing_is_this_seat_passing_to_the_end_on_the_same_deals(result):
    passing = result.rows()
    assert (passing["declarer"] != "E").all()
    assert (result.rows("3H")["deal"] == passing["deal"]).all()
    points = passing["score_ew"] - passing["score_ns"]
    assert result.passing["points"] == pytest.approx(points.mean())
    better = (result.rows("3H")["score_ew"] - result.rows("3H")["score_ns"]) - points
    row = result.frame.set_index("contract").loc["3H"]
    assert row["vs_pass"] == pytest.approx(better.mean())
    half = 1.966 * better.std() / np.sqrt(400)
    assert (row["vs_pass_high"] - row["vs_pass_low"]) / 2 == pytest.approx(half, rel=0.001)


def test_a_doubled_contract_always_counts_as_opened(result):
    assert result.frame.set_index("contract").loc["4CAN doubled", "opened"] == 1


def test_threads_and_the_other_contracts_do_not_matter(result):
    pd.testing.assert_frame_equal(odds(threads=1).frame, result.frame, check_exact=True)
    alone = odds(contracts="3H").frame.reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, result.frame[1:2].reset_index(drop=True), check_exact=True)


def test_other_declarers_calls_so_far_and_bids_beneath():
    found = odds(contracts=["3H by W", "2S"], auction=("1C", "pass"), seat="S", deals=50, below=("2C by N",))
    assert list(found.contracts) == ["3H by W", "2S"]
    assert found.to_dict()["auction"] == ["1C", "pass"]
    assert found.to_dict()["below"] == ["2C by N"]
    assert "calls so far 1C pass" in str(found)


def test_totals_set_the_opening_minimum():
    low, high = (odds(contracts=["2H"], totals=totals, policies="greedy") for totals in ((0, -500), (0, 12000)))
    assert low.frame["opened"][0] >= high.frame["opened"][0]
    assert high.to_dict()["totals"] == [0, 12000]


def test_json_has_the_fixed_keys(result):
    found = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert list(found) == [
        *"hand seat dealer totals deals seed policies rules_hash version result_version rows".split()
    ]
    assert found["hand"] == str(sit.Hand(HAND))
    assert found["rules_hash"] == sit.SITOUMUSSAMBA.hash
    assert [row["contract"] for row in found["rows"]] == ["2H", "3H", "4CAN doubled"]
    assert list(found["rows"][0]) == list(result.frame.columns)
    alone = odds(contracts=["2H"], deals=1)
    assert json.loads(json.dumps(alone.to_dict(), allow_nan=False))["rows"][0]["points_low"] is None


def test_what_is_printed_fits_100_columns(result):
    many = odds(contracts=["10CAN doubled", "20DEU doubled", "1C", "3H by W doubled"], deals=3, dealer="W")
    for shown in (result, many):
        lines = str(shown).splitlines()
        assert max(map(len, lines)) <= 100
        assert lines[-1].startswith("pass")
        assert "heuristic at all seats" in str(shown)
    assert '<th scope="col">contract</th>' in result._repr_html_()
    assert repr(result).startswith("<ContractOdds: Ah 2c 3s ")


def test_provenance_goes_with_the_result(result):
    assert result.frame.attrs == result.provenance
    assert result.provenance["hands"] == {"E": str(sit.Hand(HAND))}
    assert (result.provenance["start"], result.provenance["stop"]) == (0, 400)
    assert result.provenance["contracts"] == ["2H", "3H", "4CAN doubled"]


def test_a_picture(result, tmp_path):
    pytest.importorskip("matplotlib")
    axes = result.plot()
    axes.figure.savefig(tmp_path / "odds.png")
    assert (tmp_path / "odds.png").stat().st_size > 1000
    assert [text.get_text() for text in axes.get_xticklabels()] == list(result.contracts)


def test_ctrl_c_leaves_what_is_known():
    timer = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(sit.StudyInterrupted) as caught:
            odds(contracts=["2H", "3H"], deals=10_000_000)
    finally:
        timer.cancel()
    known = caught.value.result
    assert 0 < known.deals < 10_000_000
    assert (known.frame["deals"] == known.deals).all()


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"hand": HAND[:-3]}, "has 14 cards: 15 are dealt"),
        ({"hand": "Ah Ah Ah Ah"}, "Ah stands 4 times"),
        ({"hand": "Xh"}, "'Xh' .card 1. is no card"),
        ({"contracts": []}, "contracts is empty"),
        ({"contracts": ["3X"]}, "'3X' is no contract"),
        ({"contracts": ["none"]}, "odds are of contracts such as '3H'"),
        ({"contracts": ["21H"]}, "the highest level is 20"),
        ({"contracts": [5]}, r"contracts is .5.: it must be a list of texts"),
        ({"seat": "X"}, "'X' is no seat: seats are N, E, S, W"),
        ({"dealer": "X"}, "dealer is 'X'"),
        ({"deals": 0}, "deals is 0: it must be a whole number from 1 up"),
        ({"totals": (1, 2, 3)}, "totals is"),
        ({"auction": ("3S",)}, "E cannot call 2H after 3S"),
        ({"auction": ("pass", "fly")}, "auction 'pass fly': 'fly' is no action"),
        ({"auction": ("pass",) * 4}, "it is over with these calls"),
        ({"policies": "wise"}, "unknown policy 'wise'"),
        ({"threads": 0}, "threads is 0"),
        ({"precision": 0}, "precision is 0: it must be between 0 and 1"),
        ({"precision": "fine"}, "precision is 'fine'"),
        ({"spread": (0.5, 1)}, "spread: 1 is no quantile"),
        ({"rules_panel": ["circles"]}, "'circles' is no open reading: they are B28, B30, B33, B34, C35, C36, C37, D26"),
        ({"rules_panel": {"mine": {"circles": 1}}}, "circles"),
        ({"by": "jokers_x"}, "'jokers_x' is neither a column of the rows nor a number of the hands"),
        ({"by": "partner.jokers >= 1"}, "is a condition, where a number of the hands is expected"),
        ({"by": "partner.joker"}, "is neither a column of the rows nor a number of the hands: .* is unknown"),
        ({"panel": ["wise"]}, "unknown policy 'wise'"),
        ({"rules": sit.SAMBA}, "samba has no auction"),
    ],
)
def test_bad_input_is_one_sentence(keywords, message):
    with pytest.raises(ValueError, match=message):
        odds(**keywords)


# ---- precision


def test_precision_stops_at_the_first_look_that_is_precise_enough():
    found = odds(precision=0.03, deals=None)
    shares = ("opened", "made", "failed", "void")

    def half(n):
        rows = odds(deals=n)
        counts = np.array([[round(n * row[name]) for name in shares] for row in rows.frame.to_dict("records")])
        low, high = proportion_sequence(counts, n)
        return ((high - low) / 2).max()

    looked = looks(10**6, 1000)
    assert found.deals in looked
    assert found.settled
    assert half(found.deals) <= 0.03
    assert found.deals == 1000 or half(looked[looked.index(found.deals) - 1]) > 0.03
    frame = found.frame
    for name in shares:
        low, high = proportion_sequence((frame[name] * found.deals).round(), found.deals)
        np.testing.assert_allclose(frame[f"{name}_low"], low, atol=1e-12)
        np.testing.assert_allclose(frame[f"{name}_high"], high, atol=1e-12)
    points = found.rows("3H")["score_ew"].to_numpy().astype(int) - found.rows("3H")["score_ns"].to_numpy()
    assert tuple(frame.loc[1, ["points_low", "points_high"]]) == mean_sequence(Sums.of(points))
    assert "every share is within 3 %; intervals are confidence sequences, which hold at every look" in str(found)
    assert (found.to_dict()["precision"], found.to_dict()["settled"]) == (0.03, True)


def test_threads_do_not_move_the_stop():
    one, two = (odds(precision=0.04, deals=None, threads=threads, contracts="3H") for threads in (1, 2))
    pd.testing.assert_frame_equal(one.frame, two.frame, check_exact=True)


def test_the_most_deals_end_it_too():
    found = odds(precision=0.001, deals=1200, contracts="3H")
    assert (found.deals, found.settled) == (1200, False)
    assert "not every share is within 0.1 %" in str(found)


# ---- what is asked besides


def test_spread_break_even_and_the_difference_to_the_best():
    found = odds(spread=(0.1, 0.5), break_even=True, vs_best=True)
    passing = found.rows()["score_ew"] - found.rows()["score_ns"]
    best = found.frame["points"].idxmax()
    for row in found.frame.to_dict("records"):
        deals = found.rows(row["contract"])
        points = deals["score_ew"] - deals["score_ns"]
        assert row["points_sd"] == pytest.approx(points.std())
        assert row["points_q50"] == np.quantile(points, 0.5, method="inverted_cdf")
        assert row["points_q10_low"] <= row["points_q10"] <= row["points_q10_high"]
        forced = found._runs[list(found.contracts).index(row["contract"])]
        made = (deals["result"] == "made") & (deals["declarer"] == "E") & (deals["level"] == int(forced.contract[0]))
        above = points - passing
        share = row["break_even"]
        if not np.isnan(share) and 0 < share < 1:
            assert share * above[made].mean() + (1 - share) * above[~made].mean() == pytest.approx(0, abs=1e-6)
            assert row["break_even_low"] <= share <= row["break_even_high"]
            # the contract pays just where it is made more often than that
            assert (row["made"] > share) == (row["vs_pass"] > 0)
    assert found.frame.loc[best, "vs_best"] == 0
    assert (found.frame["vs_best"] <= 0).all()
    assert "break even" in str(found)
    assert max(map(len, str(found).splitlines())) <= 100
    json.dumps(found.to_dict(), allow_nan=False)


def test_break_even_at_its_ends():
    more = More(break_even=True)
    above, made = np.repeat([500, 100], 50), np.repeat([True, False], 50)
    assert _break_even(above, made, more)["break_even"] == 0  # pays even if never made
    assert _break_even(-above, made, more)["break_even"] == 1  # does not pay even if always made
    assert _break_even(np.repeat([300, -100], 50), made, more)["break_even"] == 0.25
    assert np.isnan(_break_even(above, np.ones(100, bool), more)["break_even"])


def test_odds_by_an_outcome():
    found = odds(by="ended")
    groups = found.groups
    assert list(groups.columns[:4]) == ["contract", "by", "value", "deals"]
    assert list(groups["value"].unique()) == ["out", "stock"]
    assert (groups.groupby("contract")["deals"].sum() == 400).all()
    row = groups[(groups["contract"] == "3H") & (groups["value"] == "stock")].iloc[0]
    deals = found.rows("3H")
    those = deals[deals["ended"] == "stock"]
    assert row["deals"] == len(those)
    assert row["points_us"] == pytest.approx(those["score_ew"].mean())
    assert "contract by ended" in str(found)


@pytest.mark.parametrize("by", ["partner.jokers", "jokers_w", sit.partner.jokers, 'west.count("JK")'])
def test_odds_by_a_number_of_the_hands(by):
    found = odds(by=by, contracts=["3H"], deals=300)
    hands = sit.simulate(
        300, seed=7, hands={"E": HAND}, features=True, contract="3H by E", policies="heuristic", progress=False
    )
    groups = found.groups
    counts = hands["jokers_w"].value_counts().sort_index()
    assert list(groups["value"]) == list(counts.index)
    assert list(groups["deals"]) == list(counts)
    for value, those in hands.groupby("jokers_w"):
        row = groups[groups["value"] == value].iloc[0]
        assert row["points_them"] == pytest.approx(those["score_ns"].mean())


def test_numbers_of_many_values_are_cut_into_groups():
    groups = odds(by="sit.lho.card_points + sit.rho.card_points", contracts=["3H"]).groups
    assert 5 < len(groups) <= 13
    assert groups["deals"].sum() == 400
    assert groups["value"].is_monotonic_increasing


def test_by_a_number_of_deals_that_fit_a_condition_and_an_auction():
    fitting = {"where": sit.partner.jokers >= 1, "auction": ("1H",), "seat": "S"}
    found = odds(by="partner.jokers", contracts=["2S"], deals=150, **fitting)
    assert found.groups["value"].min() == 1
    assert found.groups["deals"].sum() == 150


# ---- other policies and other readings


def test_a_panel_stands_beside_the_odds_and_is_not_pooled_with_them():
    plain = odds(contracts=["2H", "3H"], deals=150)
    found = odds(contracts=["2H", "3H"], deals=150, panel=["random", "greedy"])
    panel = sit.policy_panel(HAND, ["2H", "3H"], ["random", "greedy"], deals=150, seed=7, progress=False)
    pd.testing.assert_frame_equal(found.panel.frame, panel.frame, check_exact=True)
    pd.testing.assert_frame_equal(found.frame[list(plain.frame)], plain.frame, check_exact=True)
    ranges = panel.ranges.set_index("contract")
    assert list(found.frame["made_policies_most"]) == list(ranges["made_most"])
    assert list(found.frame["points_policies_least"]) == list(ranges["points_least"])
    assert panel.table() in str(found)
    assert max(map(len, str(found).splitlines())) <= 100
    assert len(found.to_dict()["panel"]) == 8


@pytest.mark.parametrize("policies", ["heuristic", "greedy"])
def test_readings_equal_playing_under_them(policies):
    contracts = ["2H", "4H", "5H doubled"]
    asked = {"contracts": contracts, "policies": policies, "spread": True, "break_even": True}
    found = odds(rules_panel=True, **asked)
    readings = found.readings
    how = dict(zip(readings["reading"], readings["how"], strict=True))
    assert [name.split()[0] for name in how] == ["as", "B28", "B28", "B30", "B33", "B34", "C36", "C37"]
    looks_at = "played" if policies == "heuristic" else "rescored"
    assert list(how.values()) == ["as played", "played", looks_at, *["rescored"] * 3, "played", "played"]
    options = [
        {"out_bonus_in_gate": True},
        {"out_bonus_in_result": False},
        {"hand_minus_at_5plus": False},
        {"void_rule": "deal_end"},
        {"failed_side_keeps_card_points": False},
        {"no_commitment_goout": "none"},
        {"stock_end": "immediate"},
    ]
    for name, option in zip(list(how)[1:], options, strict=True):
        rules = sit.SITOUMUSSAMBA.replace(**option)
        again = odds(rules=rules, **asked).frame
        part = readings[readings["reading"] == name].reset_index(drop=True)
        pd.testing.assert_frame_equal(part[list(again)], again, check_exact=True)
    made = readings.groupby("contract", sort=False)["made"]
    assert list(found.frame["made_rules_least"]) == list(made.min())
    assert list(found.frame["made_rules_most"]) == list(made.max())
    assert max(map(len, str(found).splitlines())) <= 100


def test_readings_of_some_rules_of_ones_own_and_from_the_other_side():
    some = odds(contracts="3H", deals=40, rules_panel=["B33", "C37"])
    assert list(some.readings["reading"].str[:3]) == ["as ", "B33", "C37"]
    own = odds(contracts="3H", deals=40, rules_panel={"no circles": {"cyclic_sequences": False}})
    assert list(own.readings["how"]) == ["as played", "played"]
    rules = sit.SITOUMUSSAMBA.replace(void_rule="deal_end")
    back = odds(contracts="3H", deals=40, rules=rules, rules_panel=["void_rule"])
    assert list(back.readings["reading"])[1] == "B33 void once the stock is gone"


@pytest.mark.parametrize(
    ("policies", "how"),
    [("greedy", ["rescored"] * 3), ("heuristic", ["played"] * 3), (sit.HeuristicPolicy(take_time=0), ["played"] * 3)],
)
def test_what_a_void_contract_costs_is_asked_by_name_and_moves_points_alone(policies, how):
    asked = {"contracts": ["3H", "5H doubled"], "deals": 400, "policies": policies}
    found = odds(rules_panel=["D26"], **asked).readings
    names = list(found["reading"].unique())
    assert list(found.groupby("reading", sort=False)["how"].first()) == ["as played", *how]
    for name, cost in zip(names[1:], [(0, 100), (50, 100), (100, 100)], strict=True):
        again = odds(rules=sit.SITOUMUSSAMBA.replace(void_cost=cost), **asked).frame
        part = found[found["reading"] == name].reset_index(drop=True)
        pd.testing.assert_frame_equal(part[list(again)], again, check_exact=True)
    for contract, different in (("3H", 3), ("5H doubled", 2)):
        theirs = found.loc[found["contract"] == contract, "points_them"]
        assert theirs.is_monotonic_increasing
        assert theirs.nunique() == different


def test_policies_that_play_out_play_every_reading():
    found = odds(contracts="3H", deals=2, rules_panel=["B30"], policies=sit.RolloutPolicy(worlds=8))
    assert list(found.readings["how"]) == ["as played", "played"]


def test_panels_of_a_precise_study_play_as_many_deals():
    found = odds(contracts="3H", deals=None, precision=0.04, rules_panel=["B33", "C37"], panel=["greedy"])
    assert (found.readings["deals"] == found.deals).all()
    assert (found.panel.frame["deals"] == found.deals).all()


def test_all_of_it_in_a_study_file(tmp_path):
    found = odds(
        contracts=["3H"],
        deals=120,
        panel=["greedy"],
        rules_panel=["B33"],
        spread=True,
        by=sit.partner.jokers,
        break_even=True,
        vs_best=True,
    )
    (tmp_path / "study.toml").write_text(found.to_toml(), encoding="utf-8")
    again = sit.run_study(tmp_path / "study.toml", progress=False)
    assert str(again) == str(found)
    pd.testing.assert_frame_equal(again.groups, found.groups, check_exact=True)


def test_the_picture_shows_the_ranges():
    pytest.importorskip("matplotlib")
    axes = odds(contracts=["3H"], deals=60, panel=["greedy"], rules_panel=["B33"]).plot()
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert "made, range over policies" in labels
    assert "made, range over rules" in labels


def test_ctrl_c_in_the_panel_leaves_the_odds(monkeypatch):
    import sitoumus.odds

    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(sitoumus.odds, "_play_panel", stopped)
    with pytest.raises(sit.StudyInterrupted) as caught:
        odds(contracts="3H", deals=30, rules_panel=["B33"], panel=["greedy"])
    assert caught.value.result.deals == 30
    assert caught.value.result.readings is not None
    assert caught.value.result.panel is None


def test_the_command_line_asks_all_of_it(capsys):
    from sitoumus.cli import run

    few = ["odds", HAND, "-c", "3H", "--deals", "60", "--seed", "7", "--no-progress"]
    more = ["--reading", "B33", "--spread", "--break-even", "--vs-best", "--by", "ended", "--precision", "0.5"]
    assert run([*few, *more, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["precision"] == 0.5
    assert {"break_even", "vs_best", "points_q5", "made_rules_least"} <= set(found["rows"][0])
    assert [row["value"] for row in found["groups"]] == ["out", "stock"]
    assert run([*few, "--rules-panel", "--panel", "greedy"]) == 0
    assert "three ranges, not one" in capsys.readouterr().out


def test_passes_before_the_seat_are_heard_unless_calls_are_given():
    """S9: the odds of a later seat are those after the passes that its contract begins with."""
    keywords = {"seat": "S", "deals": 600, "seed": 3, "progress": False}
    silent = sit.contract_odds(HAND, ["3H"], **keywords)
    told = sit.contract_odds(HAND, ["3H"], auction=("pass",), **keywords)
    pd.testing.assert_frame_equal(silent.frame, told.frame)
    assert "calls so far pass:" in str(silent)
    first = sit.contract_odds(HAND, ["3H"], seat="E", deals=100, progress=False)
    assert "calls so far" not in str(first)


def test_each_cell_of_a_panel_is_played_in_deals_that_fit_its_own_policies_calls():
    """S2: the cell of greedy against greedy is what asking for greedy gives."""
    keywords = {"seat": "S", "auction": ("1C",), "deals": 400, "seed": 5, "progress": False}
    panel = sit.contract_odds(HAND, ["4H"], panel=["greedy", "tuned"], policies="tuned", **keywords).panel
    alone = sit.contract_odds(HAND, ["4H"], policies="greedy", **keywords).frame.iloc[0]
    cell = panel.odds[next(key for key in panel.odds if key[1:] == ("greedy", "greedy"))].frame.iloc[0]
    assert (cell["points"], cell["made"]) == (alone["points"], alone["made"])
