"""One other call on the true deal: what the local best response in the auction finds, and what it may not find."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sitoumus as sit
from sitoumus.policies import by_seat, policy
from sitoumus.tuning import Settings, best_response, deviations, one_other_call


def test_a_kind_that_always_gains_in_one_context_is_made_there_alone():
    gains = np.zeros((80, 5), np.int64)
    context_of = np.arange(80) % 2
    gains[:, 2] = np.where(context_of == 1, 300, -300) + np.arange(80) // 40
    found = deviations._response(gains, np.ones((80, 5), bool), context_of)
    assert (found[context_of == 0] == 0).all()
    assert (found[context_of == 1] == gains[context_of == 1, 2]).all()


def test_luck_in_the_choice_of_a_kind_is_not_counted_as_gain():
    stream = np.random.default_rng(5)
    gains = stream.integers(-3000, 3001, (4000, 5))
    found = deviations._response(gains, np.ones((4000, 5), bool), stream.integers(0, 40, 4000))
    best_afterwards = gains.max(axis=1).mean()
    assert abs(found.mean()) < 4 * 3000 / np.sqrt(3 * 4000) < best_afterwards


def test_a_kind_that_is_not_legal_leaves_the_call_as_it_is():
    gains = np.full((80, 5), 100)
    tried = np.zeros((80, 5), bool)
    tried[::2, 1] = True
    found = deviations._response(gains, tried, np.zeros(80, int))
    assert (found == np.where(tried[:, 1], 100, 0)).all()


def test_the_other_calls_are_those_that_their_kinds_say():
    table = sit.Table(sit.Deal(seed=1, number=1)).after("2H", "3S")
    bids = {kind: call for kind, call in deviations._others(table, "5D").items() if kind not in ("pass", "double")}
    assert bids == {"less": "4D", "more": "6D", "two more": "7D"}
    after_own_bid = deviations._others(table.after("4C"), "pass")  # 3S was this side's
    assert {kind: after_own_bid[kind] for kind in ("more", "two more")} == {"more": "4S", "two more": "5S"}
    assert deviations._context(table, "pass") == [0, 3, 0, 0]
    assert deviations._context(table, "4C") == [2, 3, 0, 0]


def test_the_gain_of_another_call_is_that_of_the_deal_played_out_with_it(monkeypatch):
    numbers = range(12)
    seated = by_seat("tuned@14", sit.SITOUMUSSAMBA)
    tried = [deviations._tried(seated, sit.SITOUMUSSAMBA, 3, number)[1] for number in numbers]
    assert any(gain for found in tried for gain in found.values())
    monkeypatch.setattr(deviations, "_others", lambda table, own: {"more": own})
    own = [deviations._tried(seated, sit.SITOUMUSSAMBA, 3, number)[1] for number in numbers]
    assert own == [{"more": 0}] * len(numbers)


def test_the_measure_follows_from_its_arguments_and_gains_on_a_player_that_bids_too_high():
    first = one_other_call("tuned@14", 400, seed=2)
    assert first == one_other_call("tuned@14", 400, seed=2) != one_other_call("tuned@14", 400, seed=3)
    assert first.response.n == 400
    assert first.interval[0] > 0


def test_a_game_without_an_auction_and_too_few_decisions_are_refused():
    with pytest.raises(sit.StudyError, match="no auction"):
        one_other_call("tuned", rules="samba")
    with pytest.raises(sit.StudyError, match="decisions"):
        one_other_call("tuned", 3)


def test_a_best_response_gains_on_a_player_who_stops_at_level_4():
    start = policy("racer@15").replace(bid_stop=4)
    settings = Settings(start=start, generations=1, population=4, pairs=40, test_pairs=400, seed=5)
    found, gain, low, high = best_response(settings, threads=1)
    assert low < gain < high
    measured = sit.compare(found, start, pairs=2000, seed=6, progress=False)
    assert measured.interval[0] > 0
    assert low < measured.interval[1]
    assert high > measured.interval[0]


def test_the_command_prints_a_line_for_each_search_with_its_budget():
    path = Path(__file__).parents[1] / "tools/exploitability.py"
    budget = "--decisions 40 --generations 1 --population 4 --pairs 4 --test-pairs 20 --worlds 8 --rollout-pairs 2"
    call = [sys.executable, path, "tuned@14", *budget.split()]
    lines = subprocess.run(call, check=True, capture_output=True, text=True).stdout.splitlines()
    assert [line.split("  ")[1] for line in lines[2:]] == ["one other call", "CMA", "rollout"]
    assert [line.partition("; ")[2] for line in lines[2:]] == [
        "40 decisions",
        "1 generations of 4, 4 pairs each; 20 to test",
        "8 worlds, 2 pairs",
    ]
