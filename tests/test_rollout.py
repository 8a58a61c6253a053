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


# ---- worlds that agree with what the others have done ----------------------------------------------------------------

PLAYERS = HEURISTIC * 4
EVERY = 1 - 1e-9  # the floor at which worlds are kept whatever does not agree


def played_tables(turn, games, seed=5, contract=None):
    """A table at about a turn of deals that were played by the heuristic; others have called and discarded."""
    for number in range(games):
        game = sit.play(sit.Deal(seed=seed, number=number), policies="heuristic", contract=contract)
        for k in range(len(game.actions)):
            table = game.at(k)
            if table.phase == "draw" and table.turns >= turn:
                yield game, table
                break


def apart_of(table, n, floor):
    """Of n worlds, the calls and discards that do not agree."""
    scores, apart = np.empty((1, n, 2), np.int32), np.empty(n, np.int16)
    _core.rollouts(table, [next(iter(table.legal_actions))], PLAYERS, 3, 0, n, scores, floor, apart)
    return apart


def choice(table, seat):
    """What the heuristic does at a seat that is to act."""
    at = len(table.actions)
    _core.Players(table.rules, [PLAYERS[0] if other == seat else None for other in "NESW"], 0).play(table)
    return table.actions[at]


def with_hand(table, seat, hand):
    """The table with another hand at a seat; the other hidden cards lie in some order."""
    state = table.to_position()
    hidden = [card for held in (*table.hands.values(), state["stock"].split()) for card in held]
    for card in hand:
        hidden.remove(card)
    hands = {}
    for other, held in table.hands.items():
        hands[other] = " ".join(hand if other == seat else [hidden.pop() for _ in held])
    return sit.Table.from_position(state | {"hands": hands, "stock": " ".join(hidden)})


def test_what_a_seat_holds_and_has_played_contains_the_hand_it_was_dealt():
    for policies in ("heuristic", "random"):
        game = sit.play(sit.Deal(seed=8, number=1), policies=policies)
        for k in range(0, len(game.actions), 5):
            table = game.at(k)
            played = _core.played(table)
            for seat, dealt in game.deal.hands.items():
                pool = table.hand(seat) - table.view(seat).known(seat) + played[seat]
                for card in set(dealt):
                    assert pool.count(card) >= dealt.count(card)


def test_worlds_before_the_first_play_are_asked_what_they_would_have_called():
    checked = 0
    for game in (sit.play(sit.Deal(seed=5, number=n)) for n in range(12)):
        calls = game.table.calls
        table = game.at(len(calls))
        if table.phase == "opening" or not table.contract:
            table = sit.Table(game.deal).after(*calls)
        seat, worlds = table.turn, _core.sample_tables(table, table.turn, 10, 3, PLAYERS, EVERY)
        assert _core.told(table) == sum("ESWN"[i % 4] != seat for i in range(len(calls)))
        for world, found in zip(worlds, apart_of(table, 10, EVERY), strict=True):
            asked = sit.Table(sit.Deal(seed=5, number=0, hands={s: world.hand(s) for s in "NESW"}))
            wrong = 0
            for call in calls:
                if asked.turn != seat:
                    made = choice(asked.copy(), asked.turn)
                    level = made[0] == call[0] and call[0] in "123" and made[0].isdigit()
                    wrong += not (made == call or level)
                asked.push(call)
            assert wrong == found
            checked += wrong > 0
    assert checked > 20


def test_worlds_are_asked_what_they_would_have_discarded():
    """Of a forced contract only discards tell. What a hand holds is what its last discard has left."""
    checked = agreeing = 0
    for game, table in played_tables(turn=2, games=25, contract="3H by E"):
        seat = table.turn
        at = [k for k, action in enumerate(game.actions[: len(table.actions)]) if action.startswith("discard")]
        if len({game.at(k).turn for k in at}) < len(at) or any(len(table.view(seat).known(s)) for s in "NESW"):
            continue
        assert _core.told(table) == len(at)
        worlds = _core.sample_tables(table, seat, 20, 3, PLAYERS, EVERY)
        for world, found in zip(worlds, apart_of(table, 20, EVERY), strict=True):
            wrong = 0
            for k in at:
                before = game.at(k)
                hand = [*world.hand(before.turn), game.actions[k].split()[1]]
                wrong += choice(with_hand(before, before.turn, hand), before.turn) != game.actions[k]
            assert wrong == found
            checked += wrong > 0
            agreeing += wrong < len(at)
    assert checked > 100
    assert agreeing > 20


def test_true_hands_agree_with_discards_and_calls():
    """Where all play by the policy that is asked, nothing is apart in the world that is true."""
    true = every = 0
    for game, table in played_tables(turn=10, games=12):
        told = _core.told(table)
        for seat in "NESW":
            if seat == table.turn:
                continue
            last = max(k for k, a in enumerate(game.actions[: len(table.actions)]) if a[:4] == "disc"
                       and game.at(k).turn == seat)
            true += choice(game.at(last), seat) == game.actions[last]
            every += 1
        assert told >= 3 * 2
    assert true >= 0.97 * every


def test_worlds_are_kept_by_the_weight_of_what_does_not_agree():
    """The mean of a feature over worlds dealt to agree, against the weighted mean over all worlds."""
    game, table = next(found for found in played_tables(turn=1, games=20, contract="3H by E")
                       if _core.told(found[1]) == 1)
    discarder = next(game.at(k).turn for k, a in enumerate(game.actions) if a.startswith("discard"))
    n, floor = 4000, 0.7

    def pairs(worlds):
        return np.array([sum(world.hand(discarder).count(card) == 2 for card in set(world.hand(discarder)))
                         + world.hand(discarder).features()["run_cards"] for world in worlds])

    worlds = _core.sample_tables(table, table.turn, n, 3, PLAYERS, EVERY)
    blind = pairs(worlds)
    # the cards that could have been discarded: those that the seat holds, and the one that it discarded
    discarded = next(a.split()[1] for a in game.actions if a.startswith("discard"))
    choices = np.array([len({*world.hand(discarder), discarded}) for world in worlds])
    odd = apart_of(table, n, EVERY) > 0
    # with the floor of 1 a hand is dealt with the likelihood 1 / choices, here with floor / choices + (1 - floor)
    weight = floor + (1 - floor) * choices * ~odd
    mean = (weight * blind).sum() / weight.sum()
    spread = np.sqrt((weight**2 * (blind - mean) ** 2).sum()) / weight.sum()
    kept = pairs(_core.sample_tables(table, table.turn, n, 3, PLAYERS, floor))
    z = (kept.mean() - mean) / np.hypot(spread, kept.std() / n**0.5)
    assert abs(z) < 3.5
    assert abs(blind.mean() - mean) > 3.5 * spread          # what they tell is seen
    share = weight[odd].sum() / weight.sum()
    assert abs((apart_of(table, n, floor) > 0).mean() - share) < 0.03


def test_of_worlds_that_do_not_agree_the_nearest_are_taken_even_where_none_has_a_weight():
    """With floor 0 every hand that differs in a discard weighs nothing."""
    apart = {0: [], EVERY: []}
    for _, table in played_tables(turn=20, games=6):
        for floor, found in apart.items():
            found.append(apart_of(table, 40, floor).mean())
    assert np.mean(apart[0]) < 0.7 * np.mean(apart[EVERY])


def test_worlds_that_agree_tell_more_of_the_hands_than_all_worlds():
    agreeing, every = [], []
    for _, table in played_tables(turn=20, games=40):
        for policies, found in ((PLAYERS, agreeing), (None, every)):
            worlds = _core.sample_tables(table, table.turn, 40, 1, policies, 0.02)
            for seat in "NESW":
                if seat != table.turn:
                    true = table.hand(seat) - table.view(seat).known(seat)
                    same = [(world.hand(seat) - table.view(seat).known(seat)) for world in worlds]
                    found.append(np.mean([sum(min(true.count(c), w.count(c)) for c in set(true)) for w in same]))
    assert len(agreeing) > 80
    assert np.mean(agreeing) > 1.05 * np.mean(every)


def test_advice_in_play_deals_worlds_that_agree_and_says_how_far():
    _, table = next(found for found in played_tables(turn=3, games=5))
    found = table.advise(deals=200, progress=False)
    account = found.provenance["worlds"]
    assert account["told"] == _core.told(table) > 4
    assert 0.5 < account["agreeing"] < 1
    assert f"of {account['told']} calls and last discards of the others" in str(found)
    plain = table.advise(deals=200, progress=False, floor=None)
    assert "worlds" not in plain.provenance
    assert plain.to_dict()["floor"] is None
    assert not plain.frame.equals(found.frame)
    with pytest.raises(sit.StudyError, match="floor is 1"):
        table.advise(floor=1)


def test_what_came_before_a_table_that_was_set_up_in_mid_play_tells_nothing():
    _, table = next(found for found in played_tables(turn=20, games=5))
    again = sit.Table.from_position(table.to_position())
    assert _core.told(table) > 0
    assert _core.told(again) == 0
    assert "worlds" not in again.advise(deals=20, progress=False).provenance
    while _core.told(again) == 0:                            # but its discards do
        again.push(choice(again.copy(), again.turn))
    assert again.actions[-1].startswith("discard") or again.actions[-2].startswith("discard")


def test_calls_that_no_policy_makes_do_not_hinder():
    odd = sit.Table(sit.Deal(seed=5, number=3)).after("12DEU", "pass", "pass", "pass")
    players = [(sit.RolloutPolicy(worlds=8).kind, sit.RolloutPolicy(worlds=8).weights, 0)] * 4
    _core.Players(sit.SITOUMUSSAMBA, players, 0).play(odd)
    assert odd.phase == "over"


def test_a_table_that_is_pickled_or_dealt_anew_keeps_what_was_done():
    _, table = next(found for found in played_tables(turn=12, games=5))
    world = _core.sample_tables(table, table.turn, 1)[0]
    for other in (table.copy(), pickle.loads(pickle.dumps(table)), world, pickle.loads(pickle.dumps(world))):
        assert _core.told(other) == _core.told(table)
        assert _core.played(other) == _core.played(table)
    assert list(apart_of(table, 20, 0.02)) == list(apart_of(world, 20, 0.02))


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
    # calls that are forced say nothing of the hands, in rows and at a table alike
    a = sit.simulate(4, policies=rollout, contract="2H by E", progress=False)
    assert [sit.replay(a, i).score.ns for i in range(4)] == list(a["score_ns"])


def test_it_is_frozen_hashable_and_goes_through_dict_and_pickle():
    rollout = sit.RolloutPolicy(worlds=32, base=sit.HeuristicPolicy(bid_first=900))
    assert rollout == sit.RolloutPolicy.from_dict(json.loads(json.dumps(rollout.to_dict())))
    assert policy(rollout.to_dict()) == rollout
    assert hash(pickle.loads(pickle.dumps(rollout))) == hash(rollout)
    assert policy(sit.HeuristicPolicy(bid_first=900).to_dict()) == sit.HeuristicPolicy(bid_first=900)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"worlds": 0}, "worlds is 0: it must be a whole number from 8"),
        ({"worlds": True}, "worlds is True"),
        ({"caution": -1}, "caution is -1"),
        ({"floor": 1}, "floor is 1: must be None, or a number from 0 to less than 1"),
        ({"floor": True}, "floor is True"),
        ({"floor": float("nan")}, "floor is nan"),
        ({"floor": "low"}, "floor is 'low'"),
        ({"base": "wise"}, "unknown policy 'wise'"),
        ({"base": sit.RolloutPolicy()}, "that does not play out itself"),
    ],
)
def test_bad_parameters_are_one_sentence(keywords, message):
    with pytest.raises(ValueError, match=message):
        sit.RolloutPolicy(**keywords)


def test_a_floor_below_one_is_never_taken_for_one():
    """In the core a weight of 1 has no place: the next lower one is taken."""
    weights = [sit.RolloutPolicy(floor=floor).weights[3] for floor in (None, 0, 1e-12, 0.02, 0.999999, 1 - 1e-9)]
    assert weights == [-1, 0, 0, 20_000, 999_999, 999_999]
    for floor in (None, np.float32(0.5), 0):
        rollout = sit.RolloutPolicy(floor=floor)
        assert sit.RolloutPolicy.from_dict(json.loads(json.dumps(rollout.to_dict()))) == rollout


def test_a_budget_in_time_is_kept_marked_and_refused_by_runs_of_many_deals():
    timed = sit.RolloutPolicy(milliseconds=20)
    assert (timed.reproducible, sit.RolloutPolicy(worlds=8).reproducible) == (False, True)
    assert sit.RolloutPolicy.from_dict(timed.to_dict()) == timed
    assert "milliseconds" not in sit.RolloutPolicy(worlds=8).to_dict()
    assert sit.play(sit.Deal(seed=7, number=42), policies=(timed, "greedy")).table.phase == "over"
    for many in (
        lambda: sit.simulate(2, policies=timed, progress=False),
        lambda: sit.compare(timed, "greedy", pairs=2, progress=False),
        lambda: sit.contract_odds("Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s", ["2H"], deals=2, policies=timed),
    ):
        with pytest.raises(ValueError, match="decides by time, so that its deals cannot be repeated"):
            many()


def test_a_pickled_world_remembers_what_was_played_before_it():
    table = tables(every=40)[2]
    world = _core.sample_tables(table, table.turn, 1)[0]
    assert any(len(hand) for hand in _core.played(world).values())
    assert _core.played(pickle.loads(pickle.dumps(world))) == _core.played(world)
