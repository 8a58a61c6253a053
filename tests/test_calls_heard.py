"""Calls heard are weighed in one place: by a likelihood that depends on the calls alone, and that every study says."""

import numpy as np
import pandas as pd
import pytest

import sitoumus as sit
from sitoumus import _core
from sitoumus.run import Run
from sitoumus.worlds import WHOLE, AuctionWorlds, Heard

HAND = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"
CALLS = tuple(sit.Table().legal_actions)


def weights_of(run, seats, floor, n):
    """Weights of the first n deals, as shares of that of a deal that fits in every call, and the calls that differ."""
    weights, apart = np.empty(n, np.uint64), np.empty(n, np.int16)
    _core.auction_fits(run.config, seats, floor, 0, n, weights, apart)
    return weights / WHOLE, apart


def level_mates(call):
    """The first calls that say the same of the hand: the bids of a level up to 3 (R14.2)."""
    low = call not in ("pass", "double") and call[0] in "123" and not call[1].isdigit()
    return [each for each in CALLS if low and each[0] == call[0] and not each[1].isdigit()] or [call]


@pytest.mark.parametrize("policy", ["greedy", "heuristic", "tuned"])
def test_the_chances_of_all_calls_that_a_hand_could_make_sum_to_one(policy):
    n, floor, total = 40, 0.3, 0
    for call in CALLS:
        run = Run.of(seed=4, hands={"S": HAND}, auction=(call,), policies=policy)
        weights, _ = weights_of(run, "E", floor, n)
        total = total + weights * ((1 - floor) / len(level_mates(call)) + floor / len(CALLS))
    np.testing.assert_allclose(total, 1, rtol=1e-6)


def test_a_second_call_is_one_of_those_that_are_still_legal():
    """After 3C there are 5 bids of level 3, passes, higher bids and the double."""
    run, floor = Run.of(seed=4, hands={"W": HAND}, auction=("3C", "3S"), policies="random"), 0.3
    weights, apart = weights_of(run, "S", floor, 400)
    legal = len(sit.Table().after("3C").legal_actions)
    odd = (floor * 5 / legal) / (1 - floor + floor * 5 / legal)
    assert 40 < apart.sum() < 360
    np.testing.assert_allclose(weights, np.where(apart, odd, 1), rtol=1e-6)


def fours(run, numbers):
    """Fours at East in some deals of a run."""
    counts = run.dealt(0, len(numbers), np.asarray(numbers))[:, 1]
    return _core.features(np.ascontiguousarray(counts), run.rules)["fours"]


def test_kept_deals_have_the_mean_of_an_exact_enumeration_after_a_bid_of_canasta():
    """S1: of East's fours after 4CAN the enumeration of all deals by Bayes' rule is met; 1.01 where nothing but the
    policy's own call counts."""
    run, n = Run.of(seed=1, hands={"S": HAND}, auction=("4CAN",), policies="heuristic"), 262_144
    weights, apart = weights_of(run, "E", 0.02, n)
    agree = fours(run, np.flatnonzero(apart == 0)).astype(float)
    other = fours(run, np.flatnonzero(apart)[:4000]).astype(float)
    assert len(agree) > 100
    assert 1 <= agree.mean() < 1.05
    odd = float(weights[apart > 0][0])
    assert odd == pytest.approx((0.02 / 121) / (0.98 + 0.02 / 121), rel=1e-5)
    share = len(agree) / (len(agree) + odd * (n - len(agree)))
    exact = share * agree.mean() + (1 - share) * other.mean()
    worlds = AuctionWorlds(run, "S")
    while worlds.tried < n:
        worlds.numbers(worlds.kept + 1)
    kept = worlds.numbers(worlds.kept)
    assert worlds.tried == n
    found = fours(run, kept).astype(float)
    assert abs(found.mean() - exact) < 4 * found.std() / len(found) ** 0.5
    assert (apart[kept] == 0).mean() == pytest.approx(share, abs=4 * (share * (1 - share) / len(kept)) ** 0.5)
    assert exact > 0.6


def test_with_floor_0_an_auction_that_no_policy_makes_is_refused(monkeypatch):
    monkeypatch.setattr("sitoumus.worlds.TRIES", 65_536)
    with pytest.raises(sit.StudyError, match="auction '15DEU': 0 of 65,536 deals fit it"):
        sit.contract_odds(HAND, ["16DEU"], seat="S", auction=("15DEU",), floor=0, deals=200, progress=False)


def test_what_no_deal_tried_fits_is_said_with_the_weight_that_may_be_missed():
    odds = sit.contract_odds(HAND, ["16DEU"], seat="S", auction=("15DEU",), floor=0.5, deals=200, progress=False)
    heard = odds.to_dict()["heard"]
    assert 0 < heard["unseen"] <= 0.02
    assert heard["agreeing"] == 0
    assert "no deal tried fits in every call" in " ".join(str(odds).split())


def test_a_study_with_fewer_deals_than_asked_says_so(monkeypatch):
    monkeypatch.setattr("sitoumus.worlds.TRIES", 65_536)
    auction = ("pass", "2H")
    odds = sit.contract_odds(
        HAND, ["4H"], seat="W", auction=auction, policies="heuristic", deals=3000, progress=False
    )
    heard = odds.to_dict()["heard"]
    assert 100 <= odds.deals == heard["kept"] < heard["asked"] == 3000
    assert "fewer deals than the 3,000 asked" in " ".join(str(odds).split())


# ---- which calls are heard -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "dealer", "auction", "contracts", "calls"),
    [
        ("E", "N", (), ("3H by E",), ()),
        ("S", "N", (), ("3H by S",), ("pass",)),
        ("N", "N", ("pass",), ("3H by N",), ("pass", "pass", "pass")),
        ("N", "S", ("2H",), (), ("2H",)),
        ("E", "S", ("2H",), (), ("2H", "pass")),
        ("S", "N", (), ("3H by E",), ()),  # East bids it, and has not passed
        ("W", "N", (), ("3H by W", "3H by S"), ("pass",)),
        ("E", "N", ("2H",), ("3H by E",), ("2H",)),  # three passes more would end the auction
        ("E", "N", ("pass",), (), ("pass",)),
        ("S", "rotate", (), ("3H by S",), ()),
    ],
)
def test_passes_up_to_the_turn_of_the_seat_are_added(seat, dealer, auction, contracts, calls):
    heard = Heard.before(seat, dealer, sit.SITOUMUSSAMBA, auction, contracts)
    assert heard.calls == calls
    assert heard.named == len(auction)


def test_a_contract_that_an_earlier_seat_declares_can_be_asked_about():
    odds = sit.contract_odds(HAND, ["3H by E", "3H"], seat="S", deals=100, progress=False)
    assert odds.frame["contract"].tolist() == ["3H by E", "3H"]
    assert "weigh nothing, but for the passes before the first bid" in " ".join(str(odds).split())


class First:
    """A policy written in Python: the first legal action."""

    def act(self, view, legal):
        return legal[0]


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"dealer": "rotate"}, "the dealer changes from deal to deal"),
        ({"policies": First(), "deals": 2}, "passes of E weigh nothing: policies written in Python"),
        ({"floor": None}, "calls so far pass; they weigh nothing: floor None"),
        ({}, "calls so far pass:"),
    ],
)
def test_what_is_not_heard_is_said(keywords, words):
    odds = sit.contract_odds(HAND, ["3H"], **{"seat": "S", "deals": 50, "progress": False} | keywords)
    assert words in " ".join(str(odds).split())
    assert ("tried" in odds.to_dict()["heard"]) == (not keywords)


def test_readings_that_are_played_again_weigh_calls_by_their_own_rules():
    """S2: a reading that moves what policies call gives what asking under these rules gives."""
    keywords = {"seat": "S", "auction": ("2C",), "deals": 300, "seed": 5, "progress": False}
    other = {"out_bonus_in_gate": True, "cyclic_sequences": False}
    found = sit.contract_odds(HAND, ["4H"], rules_panel={"mine": other}, **keywords).readings
    alone = sit.contract_odds(HAND, ["4H"], rules=sit.SITOUMUSSAMBA.replace(**other), **keywords).frame
    mine = found[found["reading"] == "mine"].iloc[0]
    assert mine["how"] == "played"
    assert (mine["made"], mine["points"]) == (alone["made"][0], alone["points"][0])


def test_thresholds_and_tables_of_later_seats_weigh_the_calls_before():
    """S9: the hands are those of the deals that fit; naming the pass changes nothing."""
    keywords = {"seat": "S", "hands": 300, "draws": 100, "seed": 3, "progress": False, "contested": True}
    silent, told = (sit.thresholds("3H", auction=auction, **keywords) for auction in ((), ("pass",)))
    pd.testing.assert_frame_equal(silent.frame, told.frame)
    blind = sit.thresholds("3H", floor=None, **keywords)
    assert not silent.frame.equals(blind.frame)
    assert silent.to_dict()["heard"]["calls"] == ["pass"]
    assert "calls so far pass:" in str(silent)
    assert "they weigh nothing" in str(blind)
    table = sit.bidding_table([50], levels=[3], strains=["H"], auction=("2C",), **keywords)
    assert table.to_dict()["heard"]["50"]["calls"] == ["2C"]
    assert "minimum 50: calls so far 2C:" in str(table)


def test_deals_of_one_hand_are_weighed_too():
    """With some deals of each hand, East's hand is one with which it passes: its best opening is lower."""
    means = []
    for floor in (0.02, None):
        found = sit.thresholds("3H", seat="S", hands=200, repeats=4, floor=floor, draws=100, seed=3, progress=False)
        assert found.to_dict()["repeats"] == 4
        means.append(found.frame["points"].mean())
    assert means[0] != means[1]


def test_thresholds_after_calls_that_lead_elsewhere_are_refused():
    with pytest.raises(sit.StudyError, match="auction '2C': then it is the turn of S, not of E"):
        sit.thresholds("3H", auction=("2C",), contested=True, hands=200, progress=False)
