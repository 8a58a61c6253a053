"""contract_odds: common deals, what is counted, intervals, what is shown and refused."""

import json
import os
import signal
import threading

import numpy as np
import pandas as pd
import pytest

import sitoumus as sit
from sitoumus.stats import wilson

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
        rows = sit.simulate(400, seed=7, hands={"E": HAND}, contract=forced, progress=False)
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
    assert "<pre>contract" in result._repr_html_()
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
        ({"contracts": [5]}, "5 is no contract"),
        ({"seat": "X"}, "'X' is no seat: seats are N, E, S, W"),
        ({"dealer": "X"}, "dealer is 'X'"),
        ({"deals": 0}, "deals is 0: it must be a whole number from 1 up"),
        ({"totals": (1, 2, 3)}, "totals are"),
        ({"auction": ("3S",)}, "E cannot call 2H after 3S"),
        ({"auction": ("pass", "fly")}, "auction 'pass fly': 'fly' is no action"),
        ({"auction": ("pass",) * 4}, "it is over with these calls"),
        ({"policies": "wise"}, "unknown policy 'wise'"),
        ({"threads": 0}, "threads is 0"),
        ({"rules": sit.SAMBA}, "samba has no auction"),
    ],
)
def test_bad_input_is_one_sentence(keywords, message):
    with pytest.raises(ValueError, match=message):
        odds(**keywords)
