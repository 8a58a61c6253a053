"""void_cost (D26): what a void contract gives the opponents, in scores, rows, texts and rescored rows."""

import pandas as pd
import pytest
from oracle import Oracle

import sitoumus as sit
from sitoumus import _core
from sitoumus.odds import _settles_alone
from sitoumus.policies import TUNED_BY_VOID_COST, VERSIONED, by_seat, compiled, policy_hash
from sitoumus.policies import policy as named

COSTS = [(0, 0), (0, 100), (50, 100), (100, 100), (37, 81)]
USUAL = {"seed": 7, "progress": False}


def under(*cost):
    return sit.SITOUMUSSAMBA.replace(void_cost=cost)


@pytest.fixture(scope="module")
def ended():
    """Positions of deals that are over, contracts of all levels and doubled ones."""
    contracts = ["3H by E", "5CAN by S doubled", "6H by W", "9DEU by N doubled"]
    games = [
        sit.play(sit.Deal(seed=7, number=number), policies=policies, contract=contract)
        for number in range(6)
        for contract in contracts
        for policies in ("greedy", "heuristic")
    ]
    positions = [game.table.to_position() for game in games]
    return [
        {name: value for name, value in position.items() if name != "turn_state"}  # of the turn that is over
        for position in positions
        if position["contract"] != "none"
    ]


@pytest.mark.parametrize("cost", COSTS)
def test_scores_agree_with_the_oracle_whatever_the_cost(ended, cost):
    results = set()
    for position in ended:
        table = sit.Table.from_position(position, rules=under(*cost))
        oracle = Oracle(position, "sitoumussamba", {"void_cost": list(cost)})
        score = table.score()
        assert (score.result, score.sides) == (oracle.result, oracle.scores), position
        assert score.components == oracle.components
        lines = score.explain()
        assert lines.groupby("side")["points"].sum().reindex(list(score.sides), fill_value=0).to_dict() == score.sides
        results.add((score.result, "doubled" in position["contract"]))
    assert {("void", False), ("void", True), ("made", False), ("made", True)} <= results


def test_the_line_of_the_score_names_the_rule_of_the_contract_points(ended):
    rules = {}
    for position in ended:
        score = sit.Table.from_position(position, rules=under(50, 100)).score()
        lines = score.explain()
        line = lines[lines["what"].str.startswith("contract ")]
        rules.setdefault((score.result, "doubled" in position["contract"]), set()).update(line["rule"])
    expected = {
        ("made", False): {"R9.9"},
        ("made", True): {"R9.10"},
        ("failed", False): {"R9.11"},
        ("failed", True): {"R9.12"},
        ("void", False): {"D26"},
        ("void", True): {"D26"},
    }
    assert rules == {key: expected[key] for key in rules}
    assert len(rules) >= 4


def test_without_a_cost_hash_rows_and_text_are_those_of_rules_without_the_field():
    assert sit.SITOUMUSSAMBA.contract.void_cost == (0, 0)
    assert sit.SITOUMUSSAMBA.hash == under(0, 0).hash == "761a95abbbf1"
    assert len({under(*cost).hash for cost in COSTS}) == len(COSTS)
    assert "Void, with neither, when the sum is not reached" in " ".join(under(0, 0).describe().split())


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        ((0, 100), "get nothing when it ends void undoubled, and 100 % when it ends void doubled."),
        ((37, 0), "get 37 % when it ends void undoubled, and nothing when it ends void doubled."),
    ],
)
def test_the_text_says_what_a_void_contract_gives(cost, words):
    text = " ".join(under(*cost).describe().split())
    assert f"Of what they would score had the contract failed, the opponents {words}" in text
    assert "Void, with neither" not in text


@pytest.mark.parametrize(
    "value", [(101, 0), (0, -1), (50,), (1, 2, 3), (0.5, 1), (True, 0), 50, "50", None, {"undoubled": 50}]
)
def test_what_is_no_pair_of_percents_is_refused(value):
    with pytest.raises(sit.RuleSetError, match=r"contract\.void_cost is .*: must be a (pair of percents|whole number)"):
        sit.SITOUMUSSAMBA.replace(void_cost=value)


def test_games_without_a_contract_have_no_such_choice():
    with pytest.raises(sit.RuleSetError, match="option void_cost: these rules have nothing to choose there"):
        sit.SAMBA.replace(void_cost=(0, 100))


def test_rows_written_before_the_field_are_rescored_and_replayed():
    df = sit.simulate(40, contract="6H by W", policies="greedy", **USUAL)
    assert df.attrs["rules"] == {"preset": "sitoumussamba", "options": {}}
    costly = sit.rescore(df, under(50, 0))
    gained = costly["contract_points_ns"] - df["contract_points_ns"]
    assert set(gained[df["result"] == "void"]) == {3000}
    assert set(gained[df["result"] != "void"]) <= {0}
    assert (costly["score_ns"] - df["score_ns"] == gained).all()
    assert (costly["result"] == df["result"]).all()


BLIND = ["random", "greedy", sit.HeuristicPolicy(take_time=0)]


@pytest.mark.parametrize("policies", [*BLIND, sit.RolloutPolicy(worlds=8)])
def test_rescored_rows_are_those_of_play_under_a_full_cost_for_players_that_do_not_look_at_it(policies):
    deals = 3 if isinstance(policies, sit.RolloutPolicy) else 300
    played = sit.simulate(deals, contract="6H by W doubled", policies=policies, **USUAL)
    again = sit.simulate(deals, contract="6H by W doubled", policies=policies, rules=under(100, 100), **USUAL)
    if isinstance(policies, sit.RolloutPolicy):  # it plays out to the score, so it plays otherwise
        assert (again["actions"] != played["actions"]).any()
    else:
        pd.testing.assert_frame_equal(sit.rescore(played, under(100, 100)), again, check_exact=True)


def test_rescored_rows_are_those_of_play_with_an_auction_while_void_costs_less_than_failed():
    hasty = sit.HeuristicPolicy(take_time=-200)
    played = sit.simulate(400, policies=hasty, **USUAL)
    again = sit.simulate(400, policies=hasty, rules=under(99, 99), **USUAL)
    pd.testing.assert_frame_equal(sit.rescore(played, under(99, 99)), again, check_exact=True)


def test_a_player_who_prefers_void_to_failed_stops_doing_so_where_both_cost_the_same():
    hasty = sit.HeuristicPolicy(take_time=-200)
    free, costly = (
        sit.simulate(600, contract="5H by N doubled", policies=hasty, rules=rules, **USUAL)
        for rules in (under(0, 99), under(0, 100))
    )
    assert (free["turns"] != costly["turns"]).any()
    undoubled = [
        sit.simulate(600, contract="5H by N", policies=hasty, rules=rules, **USUAL)["turns"]
        for rules in (under(0, 99), under(0, 100))
    ]
    assert (undoubled[0] == undoubled[1]).all()


@pytest.mark.parametrize(
    ("policy", "old", "new", "alone"),
    [
        ("greedy", (0, 0), (100, 100), True),
        ("heuristic", (0, 0), (50, 99), True),
        ("heuristic", (0, 0), (0, 100), False),
        ("heuristic", (100, 100), (100, 50), False),
        ("rollout:8", (0, 0), (50, 0), False),
    ],
)
def test_odds_are_read_from_played_deals_only_where_no_player_looks_at_the_cost(policy, old, new, alone):
    assert _settles_alone(under(*old), under(*new), [named(policy)]) is alone


@pytest.mark.parametrize("cost", TUNED_BY_VOID_COST)
def test_tuned_is_the_player_of_the_void_cost_that_is_played(cost):
    rules = sit.SITOUMUSSAMBA.replace(void_cost=cost, target=10_000)
    name = TUNED_BY_VOID_COST[cost]
    assert by_seat("tuned", rules) == (VERSIONED[name],) * 4
    assert VERSIONED[name] != named("tuned")
    df = sit.simulate(40, policies="tuned", rules=rules, **USUAL)
    assert df.attrs["policies"] == [name]
    pd.testing.assert_frame_equal(df, sit.simulate(40, policies=name, rules=rules, **USUAL), check_exact=True)
    (rollout, *_) = by_seat("rollout:8:tuned", rules)
    assert rollout.base == VERSIONED[name]
    found = sit.compare("tuned", "greedy", pairs=20, rules=rules, **USUAL).provenance
    assert found["policies"] == [name, "greedy"]
    assert found["policy_hashes"][0] == policy_hash(VERSIONED[name])


@pytest.mark.parametrize("cost", TUNED_BY_VOID_COST)
@pytest.mark.parametrize("name", ["tuned", "steady", "heuristic"])
def test_every_step_is_legal_whatever_a_void_contract_costs(cost, name):
    rules = under(*cost)
    seated = [(*compiled(each), 0) for each in by_seat(name, rules)]
    for number in range(40):
        table = sit.Table(sit.Deal(seed=5, number=number), rules=rules, dealer="NESW"[number % 4], totals=(0, 3500))
        _core.Players(rules, seated, 5).play(table, checked=True)
        assert table.phase == "over"


@pytest.mark.parametrize("cost", [(0, 0), (0, 99), (50, 50), (100, 0)])
def test_tuned_is_that_of_the_default_where_the_void_cost_has_none_of_its_own(cost):
    assert by_seat("tuned", under(*cost)) == (named("tuned"),) * 4
    assert by_seat(["tuned@14", "steady"], under(*cost))[:2] == (VERSIONED["tuned@14"], named("steady"))


@pytest.mark.parametrize("cost", TUNED_BY_VOID_COST)
def test_tuned_gains_on_the_player_from_which_its_search_set_out(cost):
    found = sit.compare("tuned", "racer@15", pairs=600, rules=under(*cost), **USUAL)
    assert found.interval[0] > 0
