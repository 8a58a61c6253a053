"""Compiled policies: every step legal under every rule set, determinism, the face of the heuristic's parameters."""

import json
import pickle
import re
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

import sitoumus as sit
from sitoumus import _core, _testing, policies
from sitoumus.policies import NAMED, PARAMETERS, TUNED_FILE, compiled
from sitoumus.position import layout_of

HEURISTIC_ROOM = Path(sit.__file__).with_name("engine") / "policies/heuristic/sight.pxd"


def play_checked(policies, number, rules=sit.SITOUMUSSAMBA, calls=(), totals=None, seed=5):
    """Play a deal with every step looked up among the legal actions."""
    seats = layout_of(rules).seats
    table = sit.Table(
        sit.Deal(seed=seed, number=number, rules=rules), rules=rules, dealer=seats[number % len(seats)], totals=totals
    )
    for call in calls:
        table.push(call)
    seated = [(*compiled(NAMED[name]), 0) for name in policies]
    _core.Players(rules, seated, seed).play(table, checked=True)
    return table


@pytest.mark.parametrize("name", ["random", "greedy", "heuristic", "tuned"])
def test_every_step_is_legal(name):
    for number in range(150):
        assert play_checked([name] * 4, number).phase == "over"


@pytest.mark.parametrize("rules", sit.PRESETS.values(), ids=lambda rules: rules.name)
@pytest.mark.parametrize("name", ["random", "greedy", "heuristic", "tuned"])
def test_every_step_is_legal_in_the_family(name, rules):
    layout = layout_of(rules)
    for number in range(25):
        totals = [(0, 1600, -500, 4500, 8500)[(number + i) % 5] for i in range(len(layout.sides))]
        assert play_checked([name] * len(layout.seats), number, rules, totals=totals).phase == "over"


def positions(rules, numbers):
    """A position of each kind of each deal, played at random: by phase, small hand or not, side open or not."""
    layout = layout_of(rules)
    for number in numbers:
        totals = [(0, 1600, 4500)[(number + i) % 3] for i in range(len(layout.sides))]
        done = play_checked(["random"] * len(layout.seats), number, rules, totals=totals)
        table = sit.Table(done.deal, rules=rules, dealer=done.dealer, totals=totals)
        seen = set()
        for action in done.actions:
            size = len(table.hand(table.turn))
            side = next(side for side in layout.sides if table.turn in side)
            kind = (table.phase, size if size < 6 else 6, table.opened(side), len(table.melds(side)) > 0)
            if table.phase != "auction" and len(table.legal_actions) > 1 and kind not in seen:
                seen.add(kind)
                yield table
            table.push(action)


@pytest.mark.parametrize("rules", sit.PRESETS.values(), ids=lambda rules: rules.name)
def test_random_draws_a_verb_among_those_with_an_action_then_one_of_its_actions(rules):
    draws, squares, freedom = 600, 0.0, 0
    for table in positions(rules, range(40 if rules is sit.SITOUMUSSAMBA else 8)):
        legal = list(table.legal_actions)
        verbs = Counter(action.split()[0] for action in legal)
        chosen = _testing.choices(table, compiled(NAMED["random"]), draws, table.number)
        assert set(chosen) <= set(legal)
        for action in legal:
            expected = draws / len(verbs) / verbs[action.split()[0]]
            squares += (chosen.get(action, 0) - expected) ** 2 / expected
        freedom += len(legal) - 1
    assert abs(squares - freedom) < 6 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("name", ["greedy", "heuristic", "tuned"])
@pytest.mark.parametrize("bid", ["1C", "3S", "4H", "4CAN", "4DEU", "6D"])
@pytest.mark.parametrize("double", [False, True])
def test_every_step_is_legal_under_forced_contracts(name, bid, double):
    calls = (bid, "double") if double else (bid, "pass", "pass", "pass")
    for number in range(12):
        assert play_checked([name] * 4, number, calls=calls, totals=(0, 3500)).phase == "over"


def test_play_is_determined_by_seed_and_number():
    first = [play_checked(["heuristic", "random"] * 2, number).actions for number in range(10)]
    assert first == [play_checked(["heuristic", "random"] * 2, number).actions for number in range(10)]


def test_parameters_stand_in_the_order_of_the_core():
    enum = re.search(r"cdef enum:\n(.*?)N_PARAMS", HEURISTIC_ROOM.read_text(), re.DOTALL).group(1)
    assert [name.lower() for name in re.findall(r"\bP_(\w+)", enum)] == [parameter.name for parameter in PARAMETERS]
    assert 20 <= len(PARAMETERS) <= 80


def test_heuristic_policy_is_a_frozen_value():
    policy = sit.HeuristicPolicy(bid_first=5)
    assert policy == sit.HeuristicPolicy().replace(bid_first=5)
    assert hash(policy) == hash(policy.replace())
    assert policy != sit.HeuristicPolicy()
    assert policy.params["bid_first"] == 5
    assert sit.HeuristicPolicy.from_dict(policy.to_dict()) == policy == pickle.loads(pickle.dumps(policy))
    with pytest.raises(AttributeError, match=r"use replace\(bid_first"):
        policy.bid_first = 6


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"bid_firs": 1}, "did you mean 'bid_first'"),
        ({"bid_first": 1.5}, "whole"),
        ({"bid_first": True}, "whole"),
        ({"bid_first": 1 << 31}, "from -2147483647 to 2147483647"),
    ],
)
def test_wrong_parameters_are_refused(params, says):
    with pytest.raises(sit.PolicyError, match=says):
        sit.HeuristicPolicy(**params)


def test_tuned_has_all_parameters_written_out():
    assert json.loads(TUNED_FILE.read_text()) == NAMED["tuned"].params
    assert policies.spec(NAMED["tuned"]) == "tuned"
    assert NAMED["tuned"] != NAMED["heuristic"]


def rows(n=200, **keywords):
    return sit.simulate(n, **({"seed": 11, "threads": 1, "progress": False} | keywords))


@pytest.mark.parametrize("name", ["heuristic@14", "tuned@14", "racer@15"])
def test_a_policy_of_a_version_is_read_by_its_name_and_written_by_it(name):
    old = sit.HeuristicPolicy(**json.loads(TUNED_FILE.with_name(f"{name}.json").read_text()))
    assert policies.policy(name) == old
    assert policies.policy(policies.spec(old)) == old


def test_no_bid_is_higher_than_the_level_at_which_a_policy_stops():
    assert rows(policies="tuned@14")["level"].max() > 6
    assert rows(policies=policies.policy("tuned@14").replace(bid_stop=6))["level"].max() == 6


def test_the_first_bid_of_the_level_from_which_a_policy_doubles_is_doubled():
    frame = rows(policies=policies.policy("tuned@14").replace(double_level=5))
    high = frame["level"] >= 5
    assert high.mean() > 0.5
    assert frame.loc[high, "doubled"].all()


def test_cards_beneath_the_uppermost_lock_count_only_where_a_take_brings_them():
    deep = sit.HeuristicPolicy(lock_depth=100)
    assert not rows(policies=deep).equals(rows(policies="heuristic"))
    for rules in ("finnish_canasta", "american_canasta"):
        assert rules_take_whole_piles(rules)
        found, expected = rows(policies=deep, rules=rules), rows(policies="heuristic", rules=rules)
        pd.testing.assert_frame_equal(found, expected)


def rules_take_whole_piles(name):
    return sit.PRESETS[name].pile.extent == "whole"


def test_defenders_who_race_make_more_of_the_high_contracts_fail():
    old = policies.policy("tuned@14")
    frames = [rows(3_000, policies=(old, side), contract="9DEU by N") for side in (old, old.replace(race_level=9))]
    calm, racing = ((frame["result"] == "failed").mean() for frame in frames)
    assert racing > calm + 0.015


def test_the_racer_beats_the_tuned_policy_of_version_14():
    found = sit.compare("racer@15", "tuned@14", pairs=1_500, seed=77, progress=False)
    assert found.interval[0] > 400
