"""compare and ladder: duplicate pairs, the sides of a contract, sequential tests, what is shown and refused."""

import json
import os
import signal
import sys
import threading

import numpy as np
import pytest

import sitoumus as sit
from sitoumus.policies import policy_hash


def compared(a="heuristic", b="greedy", **keywords):
    usual = {"pairs": 200, "seed": 7, "progress": False, "threads": 2}
    return sit.compare(a, b, **(usual | keywords))


@pytest.fixture(scope="module")
def whole():
    return compared()


@pytest.fixture(scope="module")
def forced():
    return compared(contract="3H")


def margin(rows):
    return (rows["score_ns"].astype(int) - rows["score_ew"]).to_numpy()


def seated(ns, ew, n=200, **keywords):
    return sit.simulate(n, seed=7, policies=(ns, ew), progress=False, **keywords)


def component(result, name="score", side="both", contract=None):
    frame = result.frame
    found = frame[(frame["component"] == name) & (frame["side"] == side)]
    return (found if contract is None else found[found["contract"] == contract]).iloc[-1]


def test_a_pair_is_the_same_deal_twice_with_the_sides_changed(whole):
    first, second = margin(seated("heuristic", "greedy")), -margin(seated("greedy", "heuristic"))
    rows = whole.rows()
    assert rows["deal"].tolist() == list(range(200))
    assert (rows["first"] == first).all()
    assert (rows["second"] == second).all()
    assert whole.points == pytest.approx((first + second).mean() / 2)
    half = 1.97196 * ((first + second) / 2).std(ddof=1) / np.sqrt(200)
    assert whole.interval == pytest.approx((whole.points - half, whole.points + half), rel=1e-4)


def test_pairs_won_and_the_gain_of_pairing(whole):
    rows = whole.rows()
    assert whole.won == (rows["points"] > 0).mean()
    assert whole.tied == (rows["points"] == 0).mean()
    assert whole.won_interval[0] < whole.won < whole.won_interval[1]
    assert whole.sd == pytest.approx(rows["points"].std())
    apart = (rows["first"].var() + rows["second"].var()) / 4
    assert whole.variance_ratio == pytest.approx(rows["points"].var() / apart)


def test_the_components_are_those_of_the_rows_and_sum_to_the_score(whole):
    one, two = seated("heuristic", "greedy"), seated("greedy", "heuristic")
    for name in ("bonus", "hand_minus", "contract_points", "score"):
        row = component(whole, name)
        assert row["a"] == pytest.approx((one[f"{name}_ns"].mean() + two[f"{name}_ew"].mean()) / 2)
        assert row["b"] == pytest.approx((one[f"{name}_ew"].mean() + two[f"{name}_ns"].mean()) / 2)
        assert row["points"] == pytest.approx(row["a"] - row["b"])
    points = {row["component"]: row["points"] for row in whole.frame.to_dict("records")}
    gains = points["bonus"] + points["card_points"] + points["contract_points"]
    assert points["score"] == pytest.approx(gains - points["hand_minus"] - points["penalties"])


def test_the_other_way_round_it_is_the_negative(whole):
    other = compared("greedy", "heuristic")
    assert other.points == -whole.points
    assert other.interval == pytest.approx((-whole.interval[1], -whole.interval[0]))
    assert (other.won, other.tied) == pytest.approx((1 - whole.won - whole.tied, whole.tied))


@pytest.mark.parametrize("contract", [None, "3H"])
def test_a_policy_against_itself_is_always_even(contract):
    result = compared("heuristic", sit.HeuristicPolicy(), pairs=60, contract=contract)
    assert result.points == 0
    assert result.tied == 1
    assert (result.frame["points"] == 0).all()


def test_forced_contracts_are_declared_by_the_seats_in_turn(forced):
    declarers = forced.rows()["declarer"].tolist()
    assert declarers == (["N"] * 25 + ["E"] * 25 + ["S"] * 25 + ["W"] * 25) * 2
    rows = seated("heuristic", "greedy", n=25, start=50, contract="3H by S")
    assert (forced.rows()["first"][50:75] == margin(rows)).all()
    assert "declarer" not in compared(pairs=2, contract="none").rows()


def test_declaring_and_defending_are_told_apart_by_changing_one_side_only():
    result = compared(pairs=100, contract="3H by E")
    x = {
        (declares, defends): -margin(seated(defends, declares, n=100, contract="3H by E"))
        for declares in ("heuristic", "greedy")
        for defends in ("heuristic", "greedy")
    }
    a, b = "heuristic", "greedy"
    declaring = (x[a, b] - x[b, b] + x[a, a] - x[b, a]) / 2
    defending = (x[b, b] - x[b, a] + x[a, b] - x[a, a]) / 2
    assert component(result, side="declaring")["points"] == pytest.approx(declaring.mean())
    assert component(result, side="defending")["points"] == pytest.approx(defending.mean())
    assert component(result, side="both")["points"] == pytest.approx((x[a, b] - x[b, a]).mean() / 2)


def test_both_sides_of_a_contract_are_the_mean_of_declaring_and_defending(forced):
    for name in forced.frame["component"].unique():
        parts = {side: component(forced, name, side) for side in ("declaring", "defending", "both")}
        for column in ("a", "b", "points"):
            mean = (parts["declaring"][column] + parts["defending"][column]) / 2
            assert parts["both"][column] == pytest.approx(mean)


def test_several_contracts_are_played_on_the_same_deals_and_averaged(forced):
    result = compared(contract=["3H", "1CAN doubled"])
    assert result.frame["contract"].unique().tolist() == ["3H", "1CAN doubled", "mean"]
    assert component(result, contract="3H")["points"] == forced.points
    points = [component(result, contract=contract)["points"] for contract in ("3H", "1CAN doubled")]
    assert result.points == component(result, contract="mean")["points"] == pytest.approx(sum(points) / 2)
    assert result.rows()["points"].mean() == pytest.approx(result.points)


def test_pairs_do_not_depend_on_threads_nor_on_how_many_are_played(forced):
    one = compared(contract="3H", threads=1)
    assert one.frame.equals(forced.frame)
    assert compared(contract="3H", pairs=120).rows().equals(forced.rows()[:120])
    late = compared(contract="3H", pairs=70, start=130)
    assert late.rows()["first"].tolist() == forced.rows()["first"][130:].tolist()
    assert late.rows()["declarer"].tolist() == forced.rows()["declarer"][130:].tolist()


class Named(sit.Policy):
    """A policy in Python that plays like the compiled `random` would if it only looked at the list."""

    def act(self, view, legal):
        return "pass" if view.phase == "auction" else legal[self.rng(view).integers(len(legal))]


def test_policies_in_python_are_compared_too():
    result = compared("greedy", Named(), pairs=6)
    again = compared("greedy", Named(), pairs=6)
    assert result.points > 0
    assert result.frame.equals(again.frame)
    assert result.b == "Named"
    assert json.loads(json.dumps(result.to_dict()))["b"].endswith("Named")


def test_a_policy_that_plays_out_its_plans_is_played_pair_by_pair_in_threads():
    result = compared(sit.RolloutPolicy(worlds=8), "greedy", pairs=4)
    assert result.frame.equals(compared(sit.RolloutPolicy(worlds=8), "greedy", pairs=4, threads=1).frame)


def test_matches_are_played_twice_with_the_sides_changed():
    rules = sit.SITOUMUSSAMBA.replace(target=3000)
    found = compared(pairs=4, matches=5, rules=rules).matches
    keywords = {"seed": 7, "rules": rules, "progress": False}
    first = sit.simulate_matches(5, policies=("heuristic", "greedy"), **keywords)
    second = sit.simulate_matches(5, policies=("greedy", "heuristic"), **keywords)
    won = (first["winner"] == "NS").sum() + (second["winner"] == "EW").sum()
    assert found["matches"] == 5
    assert found["won"] == pytest.approx(won / 10)
    assert 0 <= found["won_low"] <= found["won"] <= found["won_high"] <= 1


def test_games_without_an_auction_and_for_two_players():
    assert "contract_points" not in set(compared(pairs=10, rules=sit.SAMBA).frame["component"])
    assert compared(pairs=10, rules=sit.FINNISH_CANASTA_2P).pairs == 10


# ---- three players, each alone

THREE = sit.FINNISH_CANASTA_3P
#: Who sits at N, E, S at the six tables of a deal: a alone at each seat, then b.
TABLES = ("abb", "bab", "bba", "baa", "aba", "aab")


@pytest.fixture(scope="module")
def three():
    return compared("greedy", "random", pairs=60, rules=THREE, matches=4)


def at_six_tables(play):
    """What is played at each table, the names of a's seats and of b's."""
    for table in TABLES:
        rows = play(tuple({"a": "greedy", "b": "random"}[each] for each in table))
        yield rows, *([seat for seat, each in zip("nes", table, strict=True) if each == who] for who in "ab")


def test_of_three_players_the_points_are_the_mean_of_six_tables(three):
    tables = list(at_six_tables(lambda seats: sit.simulate(60, seed=7, policies=seats, rules=THREE, progress=False)))
    for name in ("bonus", "bonus_cards", "card_points", "hand_minus", "score"):
        mine, theirs = (
            [rows[[f"{name}_{seat}" for seat in has[who]]].mean(axis=1) for rows, *has in tables] for who in (0, 1)
        )
        row = component(three, name)
        assert row["a"] == pytest.approx(np.mean(mine))
        assert row["b"] == pytest.approx(np.mean(theirs))
        assert row["points"] == pytest.approx(row["a"] - row["b"])
    points = np.mean(mine, axis=0) - np.mean(theirs, axis=0)
    rows = three.rows()
    assert rows["points"].to_numpy() == pytest.approx(points)
    assert rows["first"].to_numpy() == pytest.approx(np.mean(mine[:3], axis=0) - np.mean(theirs[:3], axis=0))
    assert rows["second"].to_numpy() == pytest.approx(np.mean(mine[3:], axis=0) - np.mean(theirs[3:], axis=0))
    half = 2.000995 * points.std(ddof=1) / np.sqrt(60)
    assert three.interval == pytest.approx((points.mean() - half, points.mean() + half), rel=1e-5)
    assert three.sd == pytest.approx(points.std(ddof=1))
    assert (three.won, three.tied) == ((points > 0).mean(), (points == 0).mean())
    apart = sum(np.var(own - their, ddof=1) for own, their in zip(mine, theirs, strict=True)) / 36
    assert three.variance_ratio == pytest.approx(points.var(ddof=1) / apart)


def test_of_three_players_greedy_beats_random(three):
    assert three.interval[0] > 0
    assert three.matches["won"] > 0.5


def test_of_three_players_the_other_way_round_it_is_the_negative(three):
    other = compared("random", "greedy", pairs=60, rules=THREE, matches=4)
    assert other.points == -three.points
    assert other.interval == (-three.interval[1], -three.interval[0])
    assert (other.frame["points"] == -three.frame["points"]).all()
    assert (other.frame["a"] == three.frame["b"]).all()
    assert (other.rows()["first"] == -three.rows()["second"]).all()
    assert (other.sd, other.tied) == (three.sd, three.tied)
    assert other.won == pytest.approx(1 - three.won - three.tied)
    assert other.matches["won"] == pytest.approx(1 - three.matches["won"])
    assert other.matches["deals"] == three.matches["deals"]


def test_of_three_players_a_policy_against_itself_is_always_even():
    result = compared("greedy", "greedy", pairs=30, rules=THREE, matches=3, dealer="rotate")
    assert (result.points, result.tied, result.matches["won"]) == (0, 1, 0.5)
    assert (result.frame["points"] == 0).all()
    assert (result.frame["a"] == result.frame["b"]).all()


def test_of_three_players_a_match_won_alone_counts_twice(three):
    won = {1: [0, 0], 2: [0, 0]}
    for rows, *has in at_six_tables(
        lambda seats: sit.simulate_matches(4, seed=7, policies=seats, rules=THREE, progress=False)
    ):
        for who in (0, 1):
            won[len(has[who])][who] += rows["winner"].isin([seat.upper() for seat in has[who]]).sum()
    assert sum(map(sum, won.values())) == 24
    a, b = (2 * won[1][who] + won[2][who] for who in (0, 1))
    assert three.matches["matches"] == 4
    assert three.matches["won"] == pytest.approx(0.5 + (a - b) / (2 * 4 * 3 * (2 + 1)))
    assert 0 <= three.matches["won_low"] <= three.matches["won"] <= three.matches["won_high"] <= 1


def test_of_three_players_a_policy_that_never_loses_a_match_has_won_all(monkeypatch):
    import pandas as pd

    def wins(n, policies, **_):
        winner = ["NES"[[each.name for each in policies].index("greedy")]] * n
        return pd.DataFrame({"winner": winner, "deals": 1})

    monkeypatch.setattr(sys.modules["sitoumus.compare"], "simulate_matches", wins)
    assert compared("greedy", "random", pairs=2, rules=THREE, matches=3).matches["won"] == 1
    assert compared("random", "greedy", pairs=2, rules=THREE, matches=3).matches["won"] == 0


def test_of_three_players_nothing_depends_on_threads(three):
    one = compared("greedy", "random", pairs=60, rules=THREE, matches=4, threads=1)
    assert one.frame.equals(three.frame)
    assert one.rows().equals(three.rows())
    assert one.matches == three.matches
    assert compared("greedy", "random", pairs=20, start=40, rules=THREE).rows()["points"].tolist() == (
        three.rows()["points"][40:].tolist()
    )


def test_of_three_players_a_sequential_test_stops_between_rounds():
    test = sit.SequentialTest(h1=0.5, every=30)
    results = [compared("greedy", "random", pairs=90, until=test, rules=THREE, threads=each) for each in (1, 2)]
    assert [(result.verdict, result.pairs) for result in results] == [("h1", 30), ("h1", 30)]
    assert results[0].frame.equals(results[1].frame)
    even = compared("greedy", "greedy", pairs=90, until=test, rules=THREE)
    assert (even.verdict, even.pairs) == ("h0", 30)


def test_of_three_players_what_is_printed_tells_of_six_tables(three):
    text = str(three)
    assert "60 deals at 6 tables each from number 0, seed 7; dealer N, totals N 0, E 0, S 0" in text
    assert "of that of six other deals" in text
    assert "of 4 matches at 6 tables each" in text
    assert "pair" not in text
    assert max(map(len, text.splitlines())) <= 100
    found = json.loads(json.dumps(three.to_dict(), allow_nan=False))
    assert found["provenance"]["rules"] == THREE.to_dict()
    assert found["provenance"]["policies"] == ["greedy", "random"]


def test_three_players_have_no_contracts():
    with pytest.raises(sit.StudyError, match="finnish_canasta_3p has no auction"):
        compared(rules=THREE, contract="3H")


# ---- the sequential test


def test_a_sequential_test_stops_between_rounds_whatever_the_threads():
    test = sit.SequentialTest(h1=0.5, every=30)
    results = [compared(pairs=150, until=test, threads=threads) for threads in (1, 2)]
    assert [result.pairs for result in results] == [30, 30]
    assert results[0].frame.equals(results[1].frame)
    assert results[0].verdict == "h1"
    assert "decided for h1" in str(results[0])


def test_after_a_sequential_test_the_interval_holds_at_every_look():
    stopped = compared(pairs=400, until=sit.SequentialTest(h1=0.1, every=200))
    fixed = compared(pairs=stopped.pairs)
    assert stopped.points == fixed.points
    assert stopped.interval[0] < fixed.interval[0] < fixed.interval[1] < stopped.interval[1]


def test_a_policy_against_itself_is_decided_for_no_effect():
    result = compared("greedy", "greedy", pairs=200, until=sit.SequentialTest(h1=0.5, every=40))
    assert result.verdict == "h0"
    assert result.pairs == 40


def test_what_is_not_decided_stays_open():
    result = compared("greedy", "greedy", pairs=50, until="decided")
    assert (result.verdict, result.pairs) == ("open", 50)
    assert "not decided" in str(result)
    assert result.until == sit.SequentialTest(h0=0.0, h1=0.02, alpha=0.05, beta=0.05)


def test_the_statistic_is_the_log_likelihood_ratio_of_known_deviations():
    values = np.random.default_rng(1).integers(-2000, 2100, 5000)
    test = sit.SequentialTest(h0=-0.01, h1=0.03)
    from sitoumus.stats import Sums

    mean, sd = values.mean(), values.std(ddof=1)
    ratio = ((values - test.h0 * sd) ** 2 - (values - test.h1 * sd) ** 2).sum() / (2 * sd**2)
    assert test.statistic(Sums.of(values)) == pytest.approx(ratio)
    assert test.statistic(Sums.of(10 * values)) == pytest.approx(ratio)
    assert mean != 0


@pytest.mark.parametrize(("effect", "wrong"), [(0.0, "h1"), (0.02, "h0"), (-0.02, "h1"), (0.04, "h0")])
def test_error_rates_of_the_default_test_are_below_five_per_cent(effect, wrong):
    found = sit.SequentialTest().simulate(effect, pairs=100_000, tests=600, seed=3)
    # 600 tests at 5 %: 45 wrong verdicts or more have a chance of 0.6 %; beyond the hypotheses nearly none is wrong.
    assert found[wrong] < (0.075 if effect in (0.0, 0.02) else 0.01)
    assert found["open"] < 0.01
    assert found["pairs"] < 20_000


def test_error_rates_hold_for_the_points_of_real_deals():
    """No effect by construction: the difference of two deals that the same policy plays on all seats."""
    points = margin(sit.simulate(20_000, seed=7, policies="greedy", progress=False))
    pairs = points[::2] - points[1::2]
    test = sit.SequentialTest(h1=0.1, every=100)
    even = test.simulate(0.0, pairs=5000, tests=1000, values=pairs)
    better = test.simulate(0.1, pairs=5000, tests=1000, values=pairs)
    assert even["h1"] < 0.065
    assert better["h0"] < 0.065
    # The same on the deals themselves, in order, without drawing any again.
    verdicts = [test.decide(part) for part in np.split(pairs, 5)]
    assert {verdict for _, verdict in verdicts} <= {"h0", "open"}


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"h0": 0.02}, "h0 must be less than h1"),
        ({"h1": float("nan")}, "h1 is nan: it must be a number"),
        ({"alpha": 0}, "alpha is 0"),
        ({"beta": 0.5}, "beta is 0.5"),
        ({"every": 1}, "every is 1"),
    ],
)
def test_a_sequential_test_that_cannot_be(given, complaint):
    with pytest.raises(sit.StudyError, match=complaint):
        sit.SequentialTest(**given)


# ---- what is shown


def texts(result):
    return [str(result), repr(result).replace("; ", "\n"), result._repr_html_()]


@pytest.mark.parametrize("name", ["whole", "forced"])
def test_what_is_printed_fits_in_100_columns(name, request):
    result = request.getfixturevalue(name)
    assert max(map(len, str(result).splitlines())) <= 100
    long = compared(
        sit.HeuristicPolicy().replace(**dict.fromkeys(list(sit.HeuristicPolicy().params)[:20], 77)),
        pairs=10,
        contract=["3H", "4CAN doubled"],
        until=sit.SequentialTest(every=5),
        matches=1,
        rules=sit.SITOUMUSSAMBA.replace(target=500),
    )
    assert max(map(len, str(long).splitlines())) <= 100


def test_results_are_plain_values_with_their_provenance(whole, forced):
    for result in (whole, forced):
        found = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert found["a"] == "heuristic"
        assert found["provenance"]["seed"] == 7
        assert found["provenance"]["policy_hashes"][0] == policy_hash(sit.HeuristicPolicy())
        assert len(found["rows"]) == len(result.frame)
    assert whole.frame.attrs["start"] == 0
    assert whole.frame.attrs["stop"] == 200
    assert "heuristic" in whole._repr_html_()


def test_a_picture_is_drawn(whole, forced, three):
    pytest.importorskip("matplotlib")
    for result in (whole, forced, three, sit.ladder(["random", "greedy"], pairs=10, progress=False)):
        axes = result.plot()
        assert axes.get_ylabel().startswith("points a deal")


@pytest.mark.parametrize(
    ("given", "error", "complaint"),
    [
        ({"a": "clever"}, sit.PolicyError, "clever"),
        ({"pairs": 1}, sit.StudyError, "pairs is 1"),
        ({"pairs": 2.5}, sit.StudyError, "pairs is 2.5"),
        ({"matches": -1}, sit.StudyError, "matches is -1"),
        ({"start": -1}, sit.StudyError, "start is -1"),
        ({"contract": "3X"}, sit.StudyError, "'3X'"),
        ({"contract": "99H"}, sit.StudyError, "99H"),
        ({"contract": []}, sit.StudyError, "contract is empty"),
        ({"contract": ["3H", "3h"]}, sit.StudyError, "only once"),
        ({"until": "never"}, sit.StudyError, "until is 'never'"),
        ({"dealer": "Q"}, sit.StudyError, "dealer is 'Q'"),
        ({"rules": sit.SAMBA, "contract": "3H"}, sit.StudyError, "no auction"),
        ({"threads": 0}, sit.StudyError, "threads is 0"),
    ],
)
def test_questions_that_cannot_be_answered(given, error, complaint):
    with pytest.raises(error, match=complaint):
        compared(**given)


def test_ctrl_c_keeps_what_is_known():
    def interrupt():
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, interrupt)
    timer.start()
    with pytest.raises(sit.StudyInterrupted) as stopped:
        sit.compare("heuristic", "greedy", pairs=500_000, seed=7, progress=False)
    known = stopped.value.result
    assert 2 <= known.pairs < 500_000
    few = min(known.pairs, 50)
    assert known.rows()[:few].equals(compared(pairs=few).rows())


# ---- the ladder


def test_a_ladder_compares_every_two_policies_on_the_same_deals(whole):
    result = sit.ladder(["random", "greedy", "heuristic"], pairs=200, seed=7, progress=False)
    cells = result.frame.set_index(["policy", "against"])
    assert cells.loc[("heuristic", "greedy"), "points"] == whole.points
    assert cells.loc[("greedy", "heuristic"), "points"] == -whole.points
    assert cells.loc[("greedy", "heuristic"), "points_low"] == pytest.approx(-whole.interval[1])
    assert len(cells) == 6
    lines = str(result).splitlines()
    assert max(map(len, lines)) <= 100
    assert "mean" in str(result)
    assert json.dumps(result.to_dict(), allow_nan=False)


def test_a_ladder_of_many_policies_fits_in_100_columns():
    policies = {f"bid_first_{base}": sit.HeuristicPolicy(bid_first=base) for base in range(100, 900, 100)}
    result = sit.ladder(policies, pairs=4, progress=False)
    assert max(map(len, str(result).splitlines())) <= 100
    assert result.names == tuple(policies)


def test_a_ladder_of_three_players(three):
    result = sit.ladder(["random", "greedy"], pairs=60, seed=7, rules=THREE, progress=False)
    cells = result.frame.set_index(["policy", "against"])
    assert cells.loc[("greedy", "random"), "points"] == three.points
    assert cells.loc[("random", "greedy"), "points"] == -three.points
    assert result.heading()[1] == three.heading()[2]
    assert max(map(len, str(result).splitlines())) <= 100


def test_ladders_that_cannot_be():
    with pytest.raises(sit.StudyError, match="at least two"):
        sit.ladder(["greedy"], progress=False)
    with pytest.raises(sit.StudyError, match="only once"):
        sit.ladder(["greedy", "greedy"], progress=False)
    with pytest.raises(sit.PolicyError, match="sequence"):
        sit.ladder("greedy", progress=False)
    with pytest.raises(sit.PolicyError, match="clever"):
        sit.ladder(["greedy", "clever"], progress=False)


# ---- the panel of policies

HAND = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"


@pytest.fixture(scope="module")
def panel():
    return sit.policy_panel(HAND, ["2H", "3H"], ["random", "greedy"], deals=50, seed=7, progress=False)


def test_the_panel_holds_the_odds_of_every_pair_of_policies(panel):
    cells = panel.frame.set_index(["contract", "policy", "against"]).sort_index()
    assert len(cells) == 8
    for policies, pair in ((("random", "greedy"), ("greedy", "random")), (("greedy", "greedy"), ("greedy", "greedy"))):
        odds = sit.contract_odds(HAND, ["2H", "3H"], deals=50, seed=7, policies=policies, progress=False)
        for row in odds.frame.to_dict("records"):
            assert cells.loc[(row["contract"], *pair), "points"] == row["points"]
            assert cells.loc[(row["contract"], *pair), "made"] == row["made"]
    ranges = panel.ranges.set_index("contract")
    assert ranges.loc["2H", "points_most"] == cells.loc["2H", "points"].max()
    assert ranges.loc["2H", "made_least"] == cells.loc["2H", "made"].min()


def test_the_panel_is_of_the_side_that_holds_the_hand(panel):
    north = sit.policy_panel(HAND, ["2H"], ["random", "greedy"], deals=50, seed=7, seat="S", progress=False)
    odds = sit.contract_odds(HAND, ["2H"], deals=50, seed=7, seat="S", policies=("random", "greedy"), progress=False)
    row = north.frame.set_index(["policy", "against"]).loc[("random", "greedy")]
    assert row["points"] == odds.frame["points"][0]


def test_the_panel_shows_its_range_in_100_columns(panel):
    several = sit.policy_panel(
        {"mine": HAND, "as dealt": HAND.replace("3s", "3h")}, "2H", ["random", "greedy"], deals=5, progress=False
    )
    for result in (panel, several):
        assert max(map(len, str(result).splitlines())) <= 100
        assert "over these policies: made " in str(result)
        assert json.dumps(result.to_dict(), allow_nan=False)
    pytest.importorskip("matplotlib")
    assert several.plot().get_ylabel() == "share made of all deals"


def test_panels_that_cannot_be():
    for given, complaint in (({"hands": []}, "hands is empty"), ({"rules": sit.FINNISH_CANASTA_3P}, "two sides")):
        with pytest.raises(sit.StudyError, match=complaint):
            sit.policy_panel(**({"hands": HAND, "contracts": "2H"} | given), progress=False)


# ---- the command line


def test_the_compare_command_prints_what_the_library_finds(sitoumus, whole):
    few = ("--pairs", "200", "--seed", "7", "--no-progress")
    assert sitoumus("compare", "heuristic", "greedy", *few) == (0, f"{whole}\n", "")
    found = json.loads(sitoumus("compare", "heuristic", "greedy", *few, "--json")[1])
    assert found == json.loads(json.dumps(whole.to_dict()))
    lines = sitoumus("compare", "heuristic", "greedy", *few, "--csv", "-c", "3H", "-c", "4S by E")[1].splitlines()
    assert lines[0].startswith("contract,side,component,a,b,points")
    assert len(lines) == 1 + 3 * 3 * 6


def test_the_commands_compare_three_players(sitoumus):
    few = ("--pairs", "20", "--seed", "7", "--no-progress", "--rules", "finnish_canasta_3p")
    keywords = {"pairs": 20, "seed": 7, "rules": THREE, "progress": False}
    found = compared("greedy", "random", matches=1, **keywords)
    assert sitoumus("compare", "greedy", "random", "--matches", "1", *few) == (0, f"{found}\n", "")
    status, out, err = sitoumus("ladder", "random", "greedy", *few)
    assert (status, err) == (0, "")
    assert out == f"{sit.ladder(['random', 'greedy'], **keywords)}\n"
    status, out, err = sitoumus("compare", "greedy", "random", "-c", "3H", *few)
    assert (status, out) == (2, "")
    assert "finnish_canasta_3p has no auction" in err


def test_compare_stops_when_it_is_decided(sitoumus):
    few = ("--pairs", "2000", "--until-decided", "--effect", "0.1", "--no-progress", "--json")
    found = json.loads(sitoumus("compare", "heuristic", "greedy", *few)[1])
    assert (found["verdict"], found["pairs"], found["until"]["h1"]) == ("h1", 1000, 0.1)


def test_policies_come_from_files_of_parameters(sitoumus, tmp_path):
    for name, held in (("mine", {"bid_first": 500}), ("whole", sit.HeuristicPolicy(bid_first=500).to_dict())):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(held))
        found = json.loads(sitoumus("compare", path, "greedy", "--pairs", "2", "--no-progress", "--json")[1])
        assert found["a"] == sit.HeuristicPolicy(bid_first=500).to_dict()
    status, out, _ = sitoumus("ladder", path, "greedy", "--pairs", "10", "--no-progress")
    assert status == 0
    assert "whole" in out
    path.write_text('{"bid": 5}')
    status, out, err = sitoumus("compare", path, "greedy")
    assert (status, out) == (2, "")
    assert "whole.json: 'bid' is no parameter" in err
    assert sitoumus("compare", tmp_path / "none.json", "greedy")[0] == 2
    path.write_text("[1]")
    assert "whole.json holds no policy" in sitoumus("compare", path, "greedy")[2]
    path.write_text(json.dumps(sit.RolloutPolicy(worlds=8).to_dict()))
    for given in (path, "rollout:8", "rollout:8:heuristic"):
        status, out, _ = sitoumus("compare", given, "greedy", "--pairs", "2", "--no-progress", "--json")
        assert status == 0
        assert json.loads(out)["a"] == sit.RolloutPolicy(worlds=8).to_dict()
    for given in ("rollout:many", "rollout:", "rollout:8:greedy:1"):
        assert "whole number of worlds" in sitoumus("compare", given, "greedy")[2]
    assert "unknown policy 'nobody'" in sitoumus("compare", "rollout:8:nobody", "greedy")[2]


def test_the_ladder_command_prints_the_cross_table(sitoumus):
    status, out, err = sitoumus("ladder", "random", "greedy", "--pairs", "20", "--seed", "7", "--no-progress")
    assert (status, err) == (0, "")
    assert out == f"{sit.ladder(['random', 'greedy'], pairs=20, seed=7, progress=False)}\n"


def test_odds_with_a_panel(sitoumus):
    few = ("-c", "2H", "--deals", "20", "--seed", "7", "--no-progress", "--panel", "random,greedy")
    status, out, _ = sitoumus("odds", HAND, *few)
    assert status == 0
    panel = sit.policy_panel(HAND, "2H", ["random", "greedy"], deals=20, seed=7, progress=False)
    assert out.endswith(f"{panel.table()}\n")
