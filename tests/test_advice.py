"""best_bid: common deals, paired elimination, auctions so far, what is shown and refused."""

import json

import numpy as np
import pandas as pd
import pytest

import sitoumus as sit
import sitoumus.run
from sitoumus import _core
from sitoumus.advice import PairedRace
from sitoumus.run import Run, _blind_to_strains, play_runs
from sitoumus.stats import looks
from sitoumus.worlds import AuctionWorlds

HAND = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"


def bid(hand=HAND, **keywords):
    usual = {"deals": 300, "seed": 7, "max_level": 2, "policies": "heuristic", "progress": False, "threads": 2}
    return sit.best_bid(hand, **(usual | keywords))


@pytest.mark.parametrize("policies", ["heuristic", "greedy", "random", "tuned"])
def test_calls_that_differ_in_low_strains_alone_are_played_once_and_worth_the_same(policies, monkeypatch):
    asked = {"max_level": 4, "deals": 300, "eps": 0, "policies": policies, "auction": ("pass", "1S"), "seat": "W"}
    shared = bid(**asked)
    monkeypatch.setattr(sitoumus.run, "_blind_to_strains", lambda *_: False)
    pd.testing.assert_frame_equal(bid(**asked).frame, shared.frame, check_exact=True)


def test_deals_are_not_shared_where_strains_matter_or_are_told():
    run = Run.of(contract="1H by E")
    other = Run.of(contract="1S by E")
    rows = [{"score_ns": np.empty(5)}] * 2
    assert _blind_to_strains([run, other], rows)
    assert not _blind_to_strains([run, other], [{"strain": np.empty(5)}] * 2)
    rules = sit.SITOUMUSSAMBA.replace(strain_must_be_made=True)
    assert not _blind_to_strains([Run.of(contract="1H by E", rules=rules)] * 2, rows)
    assert not _blind_to_strains([Run.of(policies=sit.RolloutPolicy(worlds=8))] * 2, rows)
    assert not _blind_to_strains([run, Run.of(contract="1S by E", rules=rules)], rows)


@pytest.fixture(scope="module")
def result():
    return bid()


# ---- the race --------------------------------------------------------------------------------------------------------


def test_rounds_are_fixed_in_advance():
    assert looks(50) == [50]
    assert looks(1000) == [200, 300, 450, 675, 1000]


def scores(rng, means, n):
    """Correlated values with long tails, in steps of 5, as deals have them."""
    common = rng.standard_t(4, n) * 1500
    own = rng.exponential(900, (len(means), n)) - 900
    return (np.rint((common + own + np.array(means)[:, None]) / 5) * 5).astype(np.int64)


def race(rng, means, eps=100, most=3000):
    drawn = scores(rng, means, most)
    found = PairedRace(len(means), eps, reach=10_000)
    found.run(lambda live, start, stop: [drawn[arm, start:stop] for arm in live], looks(most))
    return found


def test_the_best_candidate_is_kept_in_at_least_95_percent_of_races():
    rng = np.random.default_rng(1)
    races = [race(rng, [0, 30, 60, 90, -500, -1000]) for _ in range(300)]
    assert np.mean([3 in found.live for found in races]) >= 0.95
    within = [found.best in (0, 1, 2, 3) for found in races if found.settled]
    assert np.mean(within) >= 0.95
    assert np.mean([5 in found.live for found in races]) < 0.05


def test_a_race_ends_when_nothing_left_can_be_better_by_eps():
    found = race(np.random.default_rng(2), [0, 0], eps=10_000)
    assert found.settled
    assert found.n == 200
    assert not race(np.random.default_rng(2), [0, 0], eps=0).settled


def test_equal_candidates_are_never_dropped_and_settle_once_a_rare_difference_would_have_come_up():
    values = np.arange(20_000)
    for most, settled, n in ((1_000, False, 1_000), (20_000, True, 7_683)):
        found = PairedRace(3, 25)
        found.run(lambda live, start, stop: [values[start:stop] for _ in live], looks(most))
        assert (found.best, found.live, found.settled, found.n) == (0, [0, 1, 2], settled, n)


def test_candidates_that_can_be_hardly_better_wait_and_catch_up_if_the_leader_changes():
    rng = np.random.default_rng(3)
    n = 10_000
    common = rng.normal(0, 2000, n)
    leader = common + np.where(np.arange(n) < 1000, 60.0, -40.0)  # leads at first
    later = common + rng.normal(0, 900, n)  # stays open for long, and leads in the end
    near = common + rng.normal(0, 20, n)
    arms = np.rint([leader, near, later]).astype(np.int64)
    calls = []

    def play(some, start, stop):
        calls.append((tuple(some), start, stop))
        return [arms[arm, start:stop] for arm in some]

    found = PairedRace(3, eps=10, reach=5_000)
    found.run(play, looks(n))
    assert any(1 not in some for some, _, _ in calls)  # it has waited
    for arm in range(3):
        own = [(start, stop) for some, start, stop in calls if arm in some]
        assert [start for start, _ in own] == [0, *(stop for _, stop in own[:-1])]  # no world is left out
        np.testing.assert_array_equal(found.values[arm], arms[arm, : own[-1][1]])
    assert len(found.values[found.best]) == found.n


# ---- best_bid --------------------------------------------------------------------------------------------------------


def test_every_sensible_call_is_tried(result):
    bids = [f"{level}{strain}" for level in (1, 2) for strain in ("C", "D", "H", "S", "CAN", "DEU")]
    assert sorted(result.frame["call"]) == sorted(["pass", *bids])
    after = bid(seat="S", auction=("2H",), deals=200)
    assert sorted(after.frame["call"]) == sorted(["pass", "double", "2S", "2CAN", "2DEU"])


def test_the_frame(result):
    frame = result.frame
    names = [name for name in frame.columns if not name.endswith(("_low", "_high"))]
    assert names == ["call", "deals", "points", "vs_best", "declared", "made", "excluded"]
    assert frame["call"][0] == result.best
    assert frame["vs_best"][0] == 0
    assert result.not_excluded == list(frame.loc[~frame["excluded"], "call"])
    assert (frame["points_low"] <= frame["points"]).all()
    assert (frame["vs_best"] <= frame["vs_best_high"]).all()
    assert frame["excluded"].is_monotonic_increasing


def test_points_are_those_of_the_calls_played_on(result):
    for call in ("pass", "2C"):
        run = Run.of(seed=7, hands={"E": HAND}, auction=(), policies="heuristic")
        points = []
        for number in range(20):
            table = sit.Table(run.deal(number))
            table.push(call)
            _core.play_actions(table, [(2, sit.HeuristicPolicy().weights, 0)] * 4, 7)
            points.append(table.score()["EW"] - table.score()["NS"])
        few = bid(calls=["pass", "2C"], deals=20)
        assert few.frame.set_index("call").loc[call, "points"] == pytest.approx(np.mean(points))


def test_threads_do_not_matter_and_a_longer_study_begins_with_a_shorter_one(result):
    pd.testing.assert_frame_equal(bid(threads=1).frame, result.frame, check_exact=True)


def test_the_last_call_may_end_the_auction():
    found = bid(seat="N", auction=("1C", "pass", "pass"), deals=200)
    assert {"pass", "double", "1D"} <= set(found.frame["call"])


def test_a_hopeless_bid_is_excluded():
    found = bid("Ac 3d 4h 5s 6c 8d 9h Ts Jc Kd 3h 5d 7h 9c Ks", calls=["pass", "9C"], policies="greedy", deals=2000)
    assert (found.best, found.not_excluded, found.settled) == ("pass", ["pass"], True)
    assert found.frame["excluded"].tolist() == [False, True]


def test_json_and_print(result):
    found = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert found["best"] == result.best
    assert len(found["rows"]) == 13
    text = str(bid(seat="S", auction=("2H",), deals=200))
    assert max(map(len, text.splitlines())) <= 100
    assert "calls so far 2H" in text
    assert "deals fit" in text
    assert repr(result).startswith("<Advice: ")
    assert result.provenance["plays"] == result.frame["deals"].sum()


def test_a_picture(result, tmp_path):
    pytest.importorskip("matplotlib")
    result.plot().figure.savefig(tmp_path / "bids.png")
    assert (tmp_path / "bids.png").stat().st_size > 1000


# ---- the auction so far ----------------------------------------------------------------------------------------------


def opens(run, number):
    """Whether the first to call bids at level 1 in a deal, as greedy does whenever it can open."""
    table = sit.Table(run.deal(number), dealer=run.dealer, totals=run.totals)
    _core.play_actions(table, [(1, (), 0)] * 4, run.seed)
    return table.calls[0] == "1C"


def test_deals_kept_are_those_in_which_the_others_call_so():
    run = Run.of(seed=3, hands={"S": HAND}, auction=("1H",), policies="greedy")
    worlds = AuctionWorlds(run, "S", floor=0)
    numbers = worlds.numbers(200)
    brute = [number for number in range(int(numbers[-1]) + 1) if opens(run, number)]
    assert brute == list(numbers)
    assert numbers[-1] > 210


def odd_weight(floor, choices):
    """The likelihood of a call that the policy does not make, over that of one that it makes."""
    return (floor / choices) / (1 - floor + floor / choices)


def test_deals_that_do_not_fit_are_kept_as_often_as_the_floor_shared_by_all_calls_says():
    run = Run.of(seed=3, hands={"S": HAND}, auction=("pass",), policies="greedy")
    worlds = AuctionWorlds(run, "S", floor=0.9)
    worlds.numbers(3000)
    others = worlds.tried - worlds.agreeing
    kept = worlds.kept - worlds.agreeing
    expected = odd_weight(0.9, len(sit.Table().legal_actions))
    assert kept / others == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / others))


def test_whether_the_first_deals_fit_every_call_decides_nothing():
    """S1: the same share of kept deals agrees in every call, whichever deals come first."""
    shares = []
    for seed in range(6):
        run = Run.of(seed=seed, hands={"N": HAND}, auction=("pass", "pass", "4H"), policies="heuristic")
        worlds = AuctionWorlds(run, "N")
        worlds.numbers(60)
        shares.append(worlds.agreeing / worlds.kept)
    assert min(shares) > 0.8


def test_a_call_of_many_that_could_be_made_is_believed():
    """S1: after 4CAN the caller holds four of a rank far more often than before."""
    run = Run.of(seed=1, hands={"S": HAND}, auction=("4CAN",), features=True, policies="heuristic")
    worlds = AuctionWorlds(run, "S")
    numbers = worlds.numbers(400)
    rows = run.allocate(len(numbers))
    play_runs([run], [rows], 0, len(numbers), 1, numbers=numbers)
    assert rows["fours_e"].mean() > 0.6
    assert worlds.agreeing / worlds.kept == pytest.approx(0.8, abs=0.1)


def test_kept_deals_give_the_odds_of_brute_conditioning():
    """Opener's best opening, a coarse feature: among deals kept against the weighted mean over all deals."""
    run = Run.of(seed=5, hands={"S": HAND}, auction=("pass",), policies="greedy", features=True)
    worlds = AuctionWorlds(run, "S", floor=0.9)
    numbers = worlds.numbers(3000)
    n = 4096
    rows = run.allocate(n)
    run.fill(rows, 0, n)
    feature = (rows["best_opening_e"] >= 90).astype(float)
    odd = odd_weight(0.9, len(sit.Table().legal_actions))
    weight = np.array([odd if opens(run, i) else 1.0 for i in range(1000)])
    brute = (weight * feature[:1000]).sum() / weight.sum()
    kept = feature[numbers[numbers < n]]
    ess = weight.sum() ** 2 / (weight**2).sum()
    assert brute < 0.9 * feature.mean()
    assert abs(kept.mean() - brute) < 4 * np.sqrt(brute * (1 - brute) * (1 / len(kept) + 1 / ess)) + 1e-9


def test_an_auction_that_no_policy_makes_leaves_the_nearest_deals():
    run = Run.of(seed=5, hands={"S": HAND}, auction=("15DEU",))
    worlds = AuctionWorlds(run, "S")
    assert len(worlds.numbers(200)) == 200
    assert worlds.apart == 1
    assert worlds.agreeing == 0


def test_too_few_fitting_deals_are_refused(monkeypatch):
    monkeypatch.setattr("sitoumus.worlds.TRIES", 32_768)
    run = Run.of(seed=5, hands={"W": HAND}, auction=("3C", "4S"), policies="random")
    with pytest.raises(ValueError, match=r"auction '3C 4S': \d+ of 32,768 deals fit it"):
        AuctionWorlds(run, "W", floor=0).numbers(4000)


def test_own_calls_say_nothing_and_no_calls_leave_all_deals():
    assert list(AuctionWorlds(Run.of(hands={"E": HAND}), "E").numbers(3)) == [0, 1, 2]
    run = Run.of(hands={"E": HAND}, auction=("pass", "pass", "pass", "1C"))
    assert AuctionWorlds(run, "E").others == {"S", "W", "N"}


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"hand": HAND[:-3]}, "has 14 cards: 15 are dealt"),
        ({"deals": 0}, "deals is 0"),
        ({"seat": "S"}, "S is not to call: dealer N, with no calls so far, it is the turn of E"),
        ({"auction": ("1C", "1C")}, "auction '1C 1C'"),
        ({"auction": ("pass",) * 4}, "it is over with these calls"),
        ({"dealer": "rotate"}, "a call is made with one dealer"),
        ({"max_level": -1}, "max_level is -1"),
        ({"eps": -1}, "eps is -1"),
        ({"utility": "fame"}, "utility is 'fame'"),
        ({"utility": "match", "totals": (20_000, 0)}, r"totals are \(20000, 0\): with these the match is over"),
        ({"calls": ["pass"]}, "give at least two"),
        ({"calls": ["pass", "double"]}, "call 'double': E cannot call it"),
        ({"floor": 1}, "floor is 1"),
        ({"rules": sit.SAMBA}, "samba has no auction"),
    ],
)
def test_bad_input_is_one_sentence(keywords, message):
    with pytest.raises(ValueError, match=message):
        bid(**keywords)


def test_few_deals_have_no_intervals_and_one_call_no_rival():
    few = str(bid(max_level=1, deals=20))
    assert "inf" not in few
    assert "nan" not in few
    assert "best call: pass; no other was tried" in str(bid(max_level=0, deals=20))
