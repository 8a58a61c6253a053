"""One other call on the true deal: what the local best response in the auction finds, and what it may not find."""

import numpy as np
import pytest

import sitoumus as sit
from sitoumus.policies import by_seat
from sitoumus.tuning import deviations, one_other_call


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
