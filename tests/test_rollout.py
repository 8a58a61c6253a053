"""Worlds that agree with a view, Table.advise, and the policy that plays out."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare, hypergeom

import sitoumus as sit
from sitoumus import _core
from sitoumus.notation import card_text
from sitoumus.policies import policy

HEURISTIC = [(2, sit.HeuristicPolicy().weights, 0)]


def tables(rules=None, number=0, every=25, seed=3):
    """Tables along a deal."""
    rules = rules or sit.SITOUMUSSAMBA
    game = sit.play(sit.Deal(seed=seed, number=number, rules=rules), policies="greedy", rules=rules)
    return [game.at(k) for k in range(0, len(game.actions), every)]


def pack_of(table):
    """Every card of a table, wherever it lies."""
    cards = [card for hand in table.hands.values() for card in hand]
    for side in table.totals:
        cards += [card for meld in table.melds(side) for card in meld.cards]
        cards += [*table.bought(side), *table.bonus(side)]
    return sorted([*cards, *table.pile, *_stock(table)])


def _stock(table):
    return [card_text(code) for code in table._to_state()["stock"]]


@pytest.mark.parametrize("rules", sit.PRESETS.values(), ids=lambda rules: rules.name)
def test_worlds_agree_with_the_view(rules):
    for table in tables(rules):
        seat = table.turn
        view = table.view(seat)
        worlds = _core.sample_tables(table, seat, 3, seed=1)
        assert all(_same_view(world.view(seat), view) for world in worlds)
        assert all(pack_of(world) == pack_of(table) for world in worlds)


def _same_view(a, b):
    return (
        a.hand == b.hand
        and a.hand_sizes == b.hand_sizes
        and a.pile == b.pile
        and a.stock_size == b.stock_size
        and all(a.melds(side) == b.melds(side) for side in a.totals)
        and all(a.known(seat) == b.known(seat) for seat in a.hand_sizes)
    )


def test_known_cards_stay_where_they_are():
    found = 0
    for table in tables(number=5, every=7):
        view = table.view(table.turn)
        for seat in view.hand_sizes:
            if seat != table.turn and len(view.known(seat)):
                found += 1
                for world in _core.sample_tables(table, table.turn, 5):
                    held = list(world.hand(seat))
                    for card in view.known(seat):
                        held.remove(card)
    assert found


def test_every_division_of_the_unseen_cards_is_equally_likely():
    table = tables(number=2)[3]
    seat = table.turn
    view = table.view(seat)
    partner = {"N": "S", "S": "N", "E": "W", "W": "E"}[seat]
    own = list(view.hand)
    public = [*view.pile, *own, *(card for s in view.hand_sizes if s != seat for card in view.known(s))]
    for side in view.totals:
        public += [card for meld in view.melds(side) for card in meld.cards] + list(view.bought(side))
    unseen = 6 - public.count("JK")
    n = 4000
    size = view.hand_sizes[partner] - len(view.known(partner))
    total = 162 - len(public)
    counts = np.bincount(
        [w.hand(partner).count("JK") - view.known(partner).count("JK") for w in _core.sample_tables(table, seat, n)],
        minlength=7,
    )
    expected = n * hypergeom(total, unseen, size).pmf(np.arange(7))
    many = expected > 20
    assert chisquare(counts[many], expected[many] * counts[many].sum() / expected[many].sum()).pvalue > 1e-3
    others = [s for s in view.hand_sizes if s != seat]
    assert view.stock_size + sum(view.hand_sizes[s] - len(view.known(s)) for s in others) == total


def test_advice_is_the_same_for_tables_that_differ_in_hidden_cards_only():
    for table in tables(number=0, every=40)[1:-1]:
        world = _core.sample_tables(table, table.turn, 1, seed=9)[0]
        a, b = (each.advise(deals=20, progress=False, seed=4) for each in (table, world))
        pd.testing.assert_frame_equal(a.frame, b.frame)


def test_advice_in_play():
    table = next(table for table in tables(number=1, every=1) if table.phase == "meld" and table.turns > 12)
    found = table.advise(deals=300, progress=False, threads=2)
    assert sorted(found.frame["action"]) == sorted(table.legal_actions)
    assert found.frame["action"][0] == found.best
    again = table.advise(deals=300, progress=False, threads=1)
    pd.testing.assert_frame_equal(found.frame, again.frame, check_exact=True)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["best"] == found.best
    assert max(map(len, str(found).splitlines())) <= 100
    few = table.advise(actions=list(table.legal_actions)[:2], deals=20, progress=False)
    assert len(few.frame) == 2


def test_advice_keeps_to_what_is_certain():
    """A joker is not thrown away where another card is of no use."""
    among = (table for table in tables(number=4, every=1) if table.phase == "meld")
    table = next(table for table in among if "discard JK" in table.legal_actions)
    discards = [action for action in table.legal_actions if action.startswith("discard")]
    found = table.advise(actions=discards, deals=400, progress=False, threads=2)
    assert found.best != "discard JK"


def test_advice_in_the_auction_is_best_bid():
    table = sit.Table(sit.Deal(seed=1, number=2)).after("1C")
    found = table.advise(deals=100, max_level=1, progress=False)
    own = sit.best_bid(table.hand("S"), seat="S", auction=("1C",), deals=100, max_level=1, progress=False)
    pd.testing.assert_frame_equal(found.frame, own.frame)


def test_nothing_is_advised_when_the_deal_is_over_or_policies_are_python():
    table = sit.play(sit.Deal(seed=1, number=2)).table
    with pytest.raises(ValueError, match="the deal is over"):
        table.advise()

    class Mine(sit.Policy):
        def act(self, view, legal):
            return legal[0]

    with pytest.raises(ValueError, match="compiled policies"):
        tables()[1].advise(policies=Mine())
    with pytest.raises(ValueError, match="'fly' is no action"):
        tables()[2].advise(actions=["fly"], deals=5, progress=False)


# ---- the policy ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", sit.PRESETS.values(), ids=lambda rules: rules.name)
def test_every_action_is_legal_in_every_game(rules):
    deal = sit.Deal(seed=2, number=1, rules=rules)
    game = sit.play(deal, policies=sit.RolloutPolicy(worlds=8, base="greedy", caution=0), rules=rules)
    table = sit.Table(deal, rules=rules)
    for action in game.actions:
        table.push(action)
    assert table.phase == "over"


def test_decisions_do_not_depend_on_hidden_cards():
    rollout = sit.RolloutPolicy(worlds=16, caution=0)
    players = [(rollout.kind, rollout.weights, 0)]
    for table in tables(number=6, every=30):
        table = table.copy()
        worlds = _core.sample_tables(table, table.turn, 2, seed=5)
        made = []
        for each in worlds:
            at = len(each.actions)
            seat = each.turn
            playing = [players[0] if name == seat else None for name in ("N", "E", "S", "W")]
            _core.Players(sit.SITOUMUSSAMBA, playing, 1).play(each)
            made.append(each.actions[at])
        assert made[0] == made[1]


def test_rows_do_not_depend_on_threads_and_play_makes_them():
    rollout = sit.RolloutPolicy(worlds=8)
    a, b = (sit.simulate(4, policies=(rollout, "heuristic"), threads=t, chunk=1, progress=False) for t in (1, 2))
    pd.testing.assert_frame_equal(a, b)
    assert sit.replay(a, 2).score.ns == a["score_ns"][2]
    assert a.attrs["policies"][0] == rollout.to_dict()


def test_it_is_frozen_hashable_and_goes_through_dict_and_pickle():
    rollout = sit.RolloutPolicy(worlds=32, base=sit.HeuristicPolicy(bid_first=900))
    assert rollout == sit.RolloutPolicy.from_dict(json.loads(json.dumps(rollout.to_dict())))
    assert policy(rollout.to_dict()) == rollout
    assert hash(pickle.loads(pickle.dumps(rollout))) == hash(rollout)
    assert policy(sit.HeuristicPolicy(bid_first=900).to_dict()) == sit.HeuristicPolicy(bid_first=900)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"worlds": 0}, "worlds is 0: must be a whole number from 8"),
        ({"worlds": True}, "worlds is True"),
        ({"caution": -1}, "caution is -1"),
        ({"base": "wise"}, "unknown policy 'wise'"),
        ({"base": sit.RolloutPolicy()}, "that does not play out itself"),
    ],
)
def test_bad_parameters_are_one_sentence(keywords, message):
    with pytest.raises(ValueError, match=message):
        sit.RolloutPolicy(**keywords)
