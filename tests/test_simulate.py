"""simulate: the columns and their dtypes, provenance, replay of rows, matches."""

import os
import signal
import threading
import time
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from walks import RULES

import sitoumus as sit
from sitoumus.policies import NAMED, compiled
from sitoumus.position import layout_of
from sitoumus.run import Run, never
from sitoumus.simulate import frame_of

COLUMNS = """
deal dealer declarer level strain doubled calls failed_bids result ended out_seat turns actions reached_turn
stock_out_turn opened_turn_ns opening_points_ns takes_ns buys_ns sequences_ns natural_ns mixed_ns ace_natural_ns
ace_mixed_ns deuce_natural_ns deuce_mixed_ns bonus_ns card_points_ns hand_minus_ns penalties_ns contract_points_ns
score_ns opened_turn_ew opening_points_ew takes_ew buys_ew sequences_ew natural_ew mixed_ew ace_natural_ew ace_mixed_ew
deuce_natural_ew deuce_mixed_ew bonus_ew card_points_ew hand_minus_ew penalties_ew contract_points_ew score_ew
stock_left""".split()


def simulate(n=60, **keywords):
    return sit.simulate(n, **({"seed": 7, "policies": "random", "progress": False} | keywords))


class Chance(sit.Policy):
    """A random single step, that is not far from the compiled policy."""

    def act(self, view, legal):
        if view.phase == "auction":
            return "pass"
        return legal[int(self.rng(view).integers(len(legal)))]


@pytest.fixture(scope="module")
def frame():
    return simulate(300)


def test_columns_and_dtypes_are_fixed(frame):
    assert list(frame.columns) == COLUMNS
    dtypes = frame.dtypes
    assert dtypes["deal"] == np.int64
    assert dtypes["level"] == dtypes["failed_bids"] == dtypes["calls"] == dtypes["turns"] == np.int32
    assert dtypes["reached_turn"] == dtypes["stock_out_turn"] == dtypes["opened_turn_ew"] == "Int32"
    assert dtypes["score_ns"] == dtypes["bonus_ew"] == np.int32
    assert dtypes["doubled"] == np.bool_


def test_names_are_categoricals_with_all_values_declared(frame):
    for column in ("dealer", "declarer", "out_seat"):
        assert list(frame[column].cat.categories) == ["N", "E", "S", "W", "none"]
    assert list(frame["strain"].cat.categories) == ["C", "D", "H", "S", "CAN", "DEU", "none"]
    assert list(frame["result"].cat.categories) == ["made", "failed", "void", "none"]
    assert list(frame["ended"].cat.categories) == ["out", "stock"]
    missing = frame.isna().any()
    assert {name for name in frame if missing[name]} <= {name for name in frame if never(name)}
    assert ((frame["declarer"] == "none") == (frame["level"] == 0)).all()
    assert ((frame["declarer"] == "none") == (frame["result"] == "none")).all()
    assert ((frame["out_seat"] == "none") == (frame["ended"] == "stock")).all()


def test_what_never_happened_is_missing_and_no_part_of_a_mean(frame):
    run = Run.from_provenance(frame.attrs)
    arrays = run.allocate(len(frame))
    run.fill(arrays, 0, len(frame))
    for name in ("reached_turn", "stock_out_turn", "opened_turn_ns", "opened_turn_ew"):
        there = arrays[name] >= 0
        assert (frame[name].isna().to_numpy() == ~there).all()
        assert frame[name].mean() == pytest.approx(arrays[name][there].mean())
    assert frame["reached_turn"].isna().any()


def test_ordinary_arithmetic_of_columns_does_not_wrap(frame):
    """The sum of a contract is 1000 times its level: the first thing that one computes."""
    wide = frame.astype({name: "int64" for name in frame if frame[name].dtype.kind == "i" and not never(name)})
    for name in (name for name in frame if frame[name].dtype.kind == "i" and name != "deal"):
        bare, sure = frame[name], wide[name]
        if not name.startswith(("score", "bonus", "card_points", "hand_minus", "penalties", "contract_points")):
            assert (1000 * bare == 1000 * sure).all(), name
        assert (bare - bare.max() == sure - sure.max()).all(), name
        assert bare.sum() == sure.sum()


@pytest.mark.parametrize("side", ["ns", "ew"])
def test_the_score_is_made_of_its_components(frame, side):
    part = {name: frame[f"{name}_{side}"] for name in ("bonus", "card_points", "hand_minus", "penalties")}
    total = part["bonus"] + part["card_points"] - part["hand_minus"] - part["penalties"]
    assert (total + frame[f"contract_points_{side}"] == frame[f"score_{side}"]).all()


def test_wide_columns_are_not_copied():
    run = Run.of(policies="random")
    arrays = run.allocate(50)
    run.fill(arrays, 0, 50)
    frame = frame_of(run, arrays, 0, 50)
    for name in ("deal", "score_ns", "doubled"):
        assert np.shares_memory(frame[name].to_numpy(), arrays[name])
    assert np.shares_memory(frame["result"].array.codes, arrays["result"])


def test_the_core_plays_without_the_lock_of_the_interpreter():
    run = Run.of(policies="greedy")
    arrays = run.allocate(5000)
    begun, counted = threading.Event(), []

    def count():
        begun.set()
        while not counted or counted[-1] is not None:
            counted.append(1)
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    begun.wait()
    before = len(counted)
    run.fill(arrays, 0, 5000)
    after = len(counted)
    counted.append(None)
    counter.join()
    assert after - before > 10


def test_provenance_goes_with_the_rows(frame):
    attrs = frame.attrs
    assert attrs["version"] == sit.__version__
    assert attrs["result_version"] == sit.RESULT_VERSION
    assert attrs["rules_hash"] == sit.SITOUMUSSAMBA.hash
    assert (attrs["seed"], attrs["start"], attrs["stop"]) == (7, 0, 300)
    assert attrs["policies"] == ["random"]
    assert len(attrs["policy_hashes"]) == 4
    assert frame.query("turns > 0").attrs == attrs


@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"dealer": "rotate", "start": 1000},
        {"dealer": "S", "totals": (1500, -5)},
        {"contract": "3H by E"},
        {"contract": "5CAN by S doubled", "dealer": "rotate"},
        {"contract": "3H by E", "below": ("1C by N", "2S by S")},
        {"contract": "none", "rules": sit.SITOUMUSSAMBA.replace(stock_end="immediate", void_rule="deal_end")},
        {"hands": {"E": "Ah Kh Qh Jh 7s 7d 7c 2c JK", "S": "JK JK"}},
        {"policies": ("random", "greedy"), "policy_seed": 3},
        {"policies": "heuristic", "totals": (7000, 3000)},
        {"policies": (Chance(), "random")},
        {"policies": "random", "rules": sit.SAMBA},
        {"policies": "random", "rules": sit.FINNISH_CANASTA_3P, "dealer": "rotate"},
        {"policies": "random", "rules": sit.TILE_CANASTA},
    ],
    ids=lambda keywords: " ".join(keywords) or "plain",
)
def test_every_row_replays(keywords):
    n = 8 if "policies" in keywords and not isinstance(keywords["policies"], str) else 25
    assert replays(simulate(n, **keywords), keywords.get("policies")) == n


def replays(frame, policies=None):
    """Play every row again and compare every column; how many there were."""
    run = Run.from_provenance(frame.attrs, policies)
    columns = [frame[name].cat.codes if frame[name].dtype == "category" else frame[name] for name in frame.columns]
    rows = zip(*(column.fillna(-1).tolist() for column in columns), strict=True)
    for row, codes in zip(frame.itertuples(), rows, strict=True):
        game = sit.replay(frame, row.deal, policies)
        score = game.score
        assert sit._core.row_of(game.table, row.deal) == list(codes)
        for side in score.sides:
            assert score[side] == getattr(row, f"score_{side.lower()}")
            for name, points in score.components[side].items():
                assert points == getattr(row, f"{name}_{side.lower()}")
        assert game.dealer == row.dealer
        assert score.ended.startswith(row.ended)
        assert run.deal(row.deal).hands == game.deal.hands
    return len(frame)


CONTRACTS = [
    {},
    {"contract": "3H by E"},
    {"contract": "4S by N doubled", "dealer": "rotate"},
    {"contract": "5CAN by S", "below": ("1C by N", "2DEU by W")},
    {"contract": "6D by W doubled", "below": ("2S by N",)},
    {"contract": "none"},
]


@pytest.mark.slow
def test_thousands_of_rows_replay_under_all_policies_options_and_contracts():
    """Every preset and every option value, each under every policy; over them each policy meets each contract."""
    policies = [name for name, policy in NAMED.items() if compiled(policy) is not None]
    rows, met = 0, Counter()
    for place, rules in enumerate(RULES.values()):
        layout = layout_of(rules)
        totals = [1500 * ((place + side) % 6) for side in range(len(layout.sides))]
        for turn, policy in enumerate(policies):
            choice = (place + turn) % len(CONTRACTS)
            keywords = CONTRACTS[choice]
            if int(keywords.get("contract", "none")[0].replace("n", "1")) > layout.max_level:  # 0: without an auction
                keywords = {"dealer": "rotate"}
            met[policy, str(keywords)] += 1
            start = 1000 * place + turn
            rows += replays(simulate(15, rules=rules, policies=policy, totals=totals, start=start, **keywords))
        mixed = [policies[(place + seat) % len(policies)] for seat in range(len(layout.seats))]
        rows += replays(simulate(15, rules=rules, policies=mixed, policy_seed=place, dealer="rotate"))
    assert all(met[policy, str(keywords)] for policy in policies for keywords in CONTRACTS)
    assert rows > 2_500


def test_whole_matches_to_the_target_are_those_of_play_match():
    for policies, draw in (("heuristic", False), (("greedy", "tuned"), True)):
        given = {"seed": 7, "policies": policies, "draw_for_dealer": draw}
        frame = sit.simulate_matches(3, progress=False, **given)
        deals = sit.simulate_matches(3, progress=False, deals=True, **given)
        for row in frame.itertuples():
            match = sit.play_match(number=row.match, **given)
            assert match.totals == {"NS": row.total_ns, "EW": row.total_ew}
            assert (row.winner, row.deals) == (match.winner, len(match.games))
            assert max(match.totals.values()) >= sit.SITOUMUSSAMBA.match.end[1]
            mine = deals[deals["match"] == row.match]
            for game, deal in zip(match.games, mine.itertuples(), strict=True):
                assert (game.score.ns, game.score.ew) == (deal.score_ns, deal.score_ew)
                assert game.totals == (deal.total_ns, deal.total_ew)
                assert sit.replay(deals, deal.deal).score.ns == deal.score_ns


@pytest.mark.parametrize("rules", sit.PRESETS.values(), ids=lambda rules: rules.name)
def test_odds_of_winning_a_match_from_given_totals(rules):
    """R1: a match goes on from any totals; who is ahead wins more often, and who has reached the target has won."""
    target = rules.match.end[1]
    sides = list(sit.Table(sit.Deal(rules=rules), rules=rules).totals)
    behind = [0] * (len(sides) - 1)
    given = {"rules": rules, "policies": "heuristic", "seed": 7, "totals": [target - 5, *behind]}
    ends = sit.simulate_matches(40, progress=False, **given)
    assert (ends["winner"] == sides[0]).mean() > 0.6
    deals = sit.simulate_matches(3, progress=False, deals=True, **given)
    for number, mine in deals.groupby("match"):
        match = sit.play_match(number=number, **given)
        assert match.totals == {side: ends[f"total_{side.lower()}"][number] for side in sides}
        assert match.games[0].totals == tuple(given["totals"])
        assert match.winner == ends["winner"][number]
        last = mine["deal"].iloc[-1]
        assert sit.replay(deals, last).totals == match.games[-1].totals
    for play in (sit.play_match, lambda **over: sit.simulate_matches(2, progress=False, **over)):
        with pytest.raises(sit.StudyError, match="with these the match is over"):
            play(**given | {"totals": [target, *behind]})
        with pytest.raises(sit.SitoumusError, match="a whole number for each of"):
            play(**given | {"totals": [5]})


def test_a_match_that_does_not_end_has_no_winner():
    """D24: it ends after 500 deals."""
    rules = sit.SITOUMUSSAMBA.replace(target=1_000_000)
    frame = sit.simulate_matches(2, seed=7, policies="random", rules=rules, draw_for_dealer=True, progress=False)
    match = sit.play_match(7, 1, policies="random", rules=rules, draw_for_dealer=True)
    row = frame.loc[1]
    assert (row["deals"], row["winner"], match.winner) == (500, "none", "none")
    assert match.totals == {"NS": row["total_ns"], "EW": row["total_ew"]}


@pytest.mark.parametrize("deals", [False, True])
@pytest.mark.slow
def test_ctrl_c_leaves_the_matches_that_are_known(deals):
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(sit.StudyInterrupted) as caught:
            sit.simulate_matches(1_000_000, seed=7, policies="greedy", deals=deals, progress=False)
    finally:
        timer.cancel()
    known = caught.value.result
    n = known.attrs["stop"] // 1000
    assert 0 < n < 1_000_000
    whole = sit.simulate_matches(n, seed=7, policies="greedy", deals=deals, progress=False)
    pd.testing.assert_frame_equal(known, whole, check_exact=True)
    assert known.attrs == whole.attrs


def test_rows_of_rollouts_replay():
    for contract in (None, "3H by E", "2DEU by S doubled"):
        assert replays(simulate(2, policies=("greedy", sit.RolloutPolicy(worlds=8)), contract=contract)) == 2


def test_a_row_that_is_not_there_is_refused(frame):
    for number in (300, -1, "5", True):
        with pytest.raises(sit.DatasetError, match=r"there is no row of deal .*: these are deals 0 to 299"):
            sit.replay(frame, number)
    with pytest.raises(sit.DatasetError, match="do not tell where they come from"):
        sit.replay(pd.DataFrame({"deal": [0]}), 0)


def test_rows_of_other_versions_or_policies_are_not_replayed(frame):
    other = frame.copy()
    other.attrs = frame.attrs | {"result_version": 0}
    with pytest.raises(sit.DatasetError, match=f"result version 0, this library makes {sit.RESULT_VERSION}"):
        sit.replay(other, 0)
    with pytest.raises(sit.DatasetError, match="were played by other policies"):
        sit.replay(frame, 0, policies="greedy")
    by_hand = simulate(2, policies=Chance())
    with pytest.raises(sit.DatasetError, match="the run behind these rows cannot be made again: unknown policy"):
        sit.replay(by_hand, 0)
    assert sit.replay(by_hand, 1, policies=Chance()).score.ns == by_hand["score_ns"][1]


def test_cards_are_the_dealt_hands():
    frame = simulate(5, cards=True, hands={"E": "JK JK 2c"})
    for row in frame.itertuples():
        hands = sit.replay(frame, row.deal).deal.hands
        assert [row.hand_n, row.hand_e, row.hand_s, row.hand_w] == [str(hand) for hand in hands.values()]


def test_features_are_those_of_the_dealt_hands():
    frame = simulate(20, features=True, hands={"E": "JK JK 2c"})
    assert list(frame.columns[:50]) == COLUMNS
    assert frame["can_open_50_n"].dtype == np.bool_
    assert frame["run_h_w"].dtype == np.int32
    for row in frame.itertuples():
        for seat, hand in sit.replay(frame, row.deal).deal.hands.items():
            for name, value in hand.features().items():
                assert getattr(row, f"{name}_{seat.lower()}") == value
    pd.testing.assert_frame_equal(simulate(20, features=True, hands={"E": "JK JK 2c"}, chunk=3, threads=2), frame)


def test_features_that_say_nothing_in_a_game_are_left_out():
    def of_north(rules):
        frame = simulate(2, features=True, rules=rules)
        return [name[:-2] for name in frame.columns if name.endswith("_n") and name[:-2] in sit.hands.FEATURES]

    everything = list(sit.hands.FEATURES)
    assert of_north(sit.SITOUMUSSAMBA) == everything
    runs = ["run_c", "run_d", "run_h", "run_s", "longest_run", "run_cards"]
    without = {"best_opening_declarer", "can_open_150", "can_open_200"}
    assert of_north(sit.SAMBA) == [name for name in everything if name not in without - {"can_open_150"}]
    assert of_north(sit.FINNISH_CANASTA) == [name for name in everything if name not in without.union(runs)]


def test_features_where_a_player_is_a_side():
    frame = simulate(5, features=True, rules=sit.FINNISH_CANASTA_3P)
    assert frame.columns.is_unique
    hand = sit.replay(frame, 4).deal.hands["E"]
    assert frame["dealt_card_points_e"][4] == hand.features()["card_points"]
    assert frame["aces_e"][4] == hand.features()["aces"]


def test_the_dealer_rotates_with_the_number_of_the_deal():
    frame = simulate(9, dealer="rotate", start=2)
    assert "".join(frame["dealer"]) == "SWNESWNES"


def test_games_without_pairs_have_a_column_for_each_player():
    frame = simulate(5, rules=sit.FINNISH_CANASTA_3P)
    assert {"score_n", "score_e", "score_s"} <= set(frame.columns)
    assert not {"declarer", "score_ns", "score_w"} & set(frame.columns)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"n": 0}, "n is 0: it must be a whole number from 1 up"),
        ({"n": 2.5}, "n is 2.5"),
        ({"start": -1}, "start is -1"),
        ({"chunk": 0}, "chunk is 0"),
        ({"threads": 0}, "threads is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"dealer": "X"}, "dealer is 'X': it must be one of N, E, S, W, or rotate"),
        ({"totals": (1,)}, "totals is"),
        ({"contract": "3H"}, "'3H' is no contract"),
        ({"contract": "3H by E", "below": ("4H by S",)}, "does not outbid"),
        ({"hands": {"E": "Ah Ah Ah Ah"}}, "Ah stands 4 times"),
        ({"hands": {"X": "Ah"}}, "'X' is no seat"),
        ({"policies": "wise"}, "unknown policy 'wise'"),
        ({"resume": True}, "resume=True goes with out="),
        ({"rules": 5}, "rules must be a RuleSet"),
        ({"policy_seed": -1}, "seed is -1"),
    ],
)
def test_bad_input_is_one_sentence(keywords, message):
    with pytest.raises(ValueError, match=message):
        simulate(**keywords)


def test_matches_are_those_of_play_match():
    rules = sit.SITOUMUSSAMBA.replace(**{"match.end": ["deals", 3]})
    frame = sit.simulate_matches(
        6, seed=7, policies="random", rules=rules, draw_for_dealer=True, start=2, progress=False
    )
    deals = sit.simulate_matches(
        6, seed=7, policies="random", rules=rules, draw_for_dealer=True, start=2, progress=False, deals=True
    )
    assert list(frame.columns) == ["match", "deals", "dealer", "winner", "total_ns", "total_ew"]
    assert list(deals.columns) == ["match", "total_ns", "total_ew", *COLUMNS]
    assert set(frame["winner"].cat.categories) == {"NS", "EW", "draw", "none"}
    for row in frame.itertuples():
        match = sit.play_match(7, row.match, policies="random", rules=rules, draw_for_dealer=True)
        assert (row.deals, row.winner, row.dealer) == (len(match.games), match.winner, match.games[0].dealer)
        assert {"NS": row.total_ns, "EW": row.total_ew} == match.totals
        mine = deals[deals["match"] == row.match]
        assert list(mine["score_ns"]) == [game.score.ns for game in match.games]
        assert list(zip(mine["total_ns"], mine["total_ew"], strict=True)) == [game.totals for game in match.games]
    assert sit.replay(deals, 3001).score.ew == deals.set_index("deal")["score_ew"][3001]
    with pytest.raises(sit.DatasetError, match="match 3 has 3 deals"):
        sit.replay(deals, 3003)


def test_progress_goes_to_standard_error_and_nothing_else_is_printed(capsys):
    simulate(10, progress=True)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.slow
def test_ctrl_c_is_heard_while_slow_policies_play(threads):
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            simulate(100_000, policies=sit.RolloutPolicy(worlds=64), threads=threads)
    finally:
        timer.cancel()
    assert time.monotonic() - begin < 3


def test_ctrl_c_leaves_the_rows_that_are_known():
    timer = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(sit.StudyInterrupted) as caught:
            simulate(10_000_000, threads=2)
    finally:
        timer.cancel()
    known = caught.value.result
    assert 0 < len(known) < 10_000_000
    assert known.attrs["stop"] == len(known)
    last = min(100, len(known))  # a busy machine may have come to a few rows only
    pd.testing.assert_frame_equal(known[-last:].reset_index(drop=True), simulate(last, start=len(known) - last))


# frames of one run put together


def test_frames_of_one_run_are_put_together_with_their_provenance():
    whole = simulate(30, policies="random")
    parts = [simulate(10, start=start, policies="random") for start in (20, 0, 10)]
    joined = sit.concat(parts)
    pd.testing.assert_frame_equal(joined, whole)
    assert joined.attrs == whole.attrs
    assert sit.replay(joined, 23) == sit.replay(whole, 23)


def test_frames_that_do_not_belong_together_are_refused():
    first = simulate(10, policies="random")
    with pytest.raises(sit.DatasetError, match="not of one run: seed is"):
        sit.concat([first, simulate(10, seed=8, start=10, policies="random")])
    with pytest.raises(sit.DatasetError, match="deal 5 is in two frames"):
        sit.concat([first, simulate(10, start=5, policies="random")])
    with pytest.raises(sit.DatasetError, match="does not tell where its rows come from"):
        sit.concat([pd.DataFrame({"deal": [1]})])
    with pytest.raises(sit.DatasetError, match="at least one"):
        sit.concat([])


def test_rows_without_provenance_replay_when_told_who_played():
    frame = simulate(20, policies="random", dealer="rotate")
    known = sit.replay(frame, 7)
    bare = frame.copy()
    bare.attrs = {}
    with pytest.raises(sit.DatasetError, match=r"sit\.concat keeps what pandas\.concat drops"):
        sit.replay(bare, 7)
    again = sit.replay(bare, 7, seed=frame.attrs["seed"], policies="random")
    assert (again.actions, again.dealer) == (known.actions, known.dealer)
    with pytest.raises(sit.DatasetError, match="these rows come from another seed"):
        sit.replay(bare, 7, seed=frame.attrs["seed"] + 1, policies="random")
