"""Many tables at a step: equal to the table's own interface, repeatable, and nothing hidden in the arrays."""

import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

import sitoumus as sit
from sitoumus import _envs, actions, envs
from sitoumus.envs import VectorTable
from sitoumus.errors import IllegalActionError, PolicyError, SitoumusError

every_game = pytest.mark.parametrize("name", sit.PRESETS)


def run(steps, *, wanted=("observations", "masks", "rewards", "terminals", "seat", "deal"), **given):
    """The arrays of all steps of uniformly random play."""
    tables = VectorTable(7, **given)
    rows = []
    for _ in range(steps):
        rows.append({name: getattr(tables, name).copy() for name in wanted})
        tables.step(tables.sample())
    tables.close()
    return rows


@every_game
@pytest.mark.parametrize("skip", [False, True])
def test_every_step_equals_that_of_the_table(name, skip):
    tables = VectorTable(5, rules=name, seed=3, skip_forced=skip)
    shadow, prefix = [None] * 5, [()] * 5
    ended = 0
    for step in range(500):
        for k in range(5):
            if shadow[k] is None or tables.deal[k] != shadow[k].number:
                deal = sit.Deal(seed=3, number=int(tables.deal[k]), rules=name)
                seats = deal.rules.seats
                shadow[k], prefix[k] = sit.Table(deal, dealer=seats[deal.number % len(seats)]), ()
            table = shadow[k]
            while skip and not prefix[k] and len(table.legal_actions) == 1:
                table.push(table.legal_actions[0])
            seat = seats[tables.seat[k]]
            assert (tables.masks[k] == actions.mask(table, prefix[k])).all()
            assert (tables.observations[k] == envs.observation(table, seat, prefix[k])).all()
            assert bool(tables.terminals[k]) == (table.phase == "over" and step > 0)
            if table.phase == "over":
                ended += 1
                score, sides = table.score(), table.compiled.sides
                for place, name_ in enumerate(seats):
                    own = table.view(name_).side
                    others = [score[side] for side in sides if side != own]
                    assert tables.rewards[k, place] == pytest.approx((score[own] - np.mean(others)) / 1000, abs=1e-5)
            else:
                assert table.turn == seat
                assert not tables.rewards[k].any()
        ids = tables.sample().copy()
        for k in range(5):
            if shadow[k].phase == "over":
                continue
            prefix[k] = (*prefix[k], int(ids[k]))
            if not actions.mask(shadow[k], prefix[k]).any():
                shadow[k].push(actions.decode(shadow[k], prefix[k]))
                prefix[k] = ()
        tables.step(ids)
    assert ended >= 3


def test_other_seats_play_as_their_policies_do_and_deals_replay_by_number():
    tables = VectorTable(3, seed=11, policies="heuristic", learners=["S"], start=20)
    seen = {}
    while len(seen) < 6:
        tables.step(tables.masks.argmax(axis=1))
        for k in tables.terminals.nonzero()[0]:
            seen[int(tables.deal[k])] = float(tables.rewards[k, 2])
    assert sorted(seen)[:3] == [20, 21, 22]
    lowest = envs.as_policy(lambda observation, mask: mask.argmax())
    for number, reward in seen.items():
        who = ("heuristic", "heuristic", lowest, "heuristic")
        game = sit.play(sit.Deal(seed=11, number=number), policies=who, dealer="NESW"[number % 4])
        totals = game.score
        assert reward == pytest.approx((totals["NS"] - totals["EW"]) / 1000, abs=1e-5)


def test_rows_do_not_depend_on_the_number_of_threads():
    one = run(400, seed=5, policies="greedy", learners=["N", "S"])
    assert sum(row["terminals"].sum() for row in one) > 5
    for threads in (2, 7):
        other = run(400, seed=5, policies="greedy", learners=["N", "S"], threads=threads)
        for a, b in zip(one, other, strict=True):
            assert all((a[name] == b[name]).all() for name in a)


def test_the_next_deal_in_the_same_step_skips_the_step_between():
    at_once, later = VectorTable(1, seed=9, autoreset="same_step"), VectorTable(1, seed=9)
    ended = 0
    while ended < 4:
        ids = later.masks.argmax(axis=1)
        for tables in (at_once, later):
            tables.step(ids)
        assert at_once.terminals == later.terminals
        assert (at_once.rewards == later.rewards).all()
        if later.terminals[0]:
            ended += 1
            assert not later.masks.any()
            assert (at_once.final_observations == later.observations).all()
            later.step([0])
            assert not later.terminals.any()
        for name in ("observations", "masks", "seat", "deal"):
            assert (getattr(at_once, name) == getattr(later, name)).all()
    assert later.deal[0] == 4


def test_an_illegal_number_raises_and_no_table_moves():
    tables = VectorTable(4, seed=1)
    before = tables.observations.copy()
    ids = tables.sample().copy()
    ids[2] = 4  # draw, in the auction
    with pytest.raises(IllegalActionError, match="number 4 is not legal at table 2, deal 2"):
        tables.step(ids)
    assert (tables.observations == before).all()
    assert not tables.terminals.any()
    with pytest.raises(IllegalActionError, match="number -1 is not legal at table 0"):
        tables.step(np.full(4, -1))


def test_an_illegal_number_ends_the_deal_where_it_is_to():
    tables = VectorTable(2, seed=1, illegal="end")
    ids = tables.sample().copy()
    ids[1] = 99999
    seat = int(tables.seat[1])
    tables.step(ids)
    assert tables.terminals.tolist() == [0, 1]
    assert tables.rewards[1].tolist() == [-1.0 if place == seat else 0.0 for place in range(4)]
    assert not tables.masks[1].any()
    tables.step(tables.sample())
    assert tables.deal.tolist() == [0, 3]
    assert tables.terminals.tolist() == [0, 0]


def test_a_step_allocates_nothing():
    tables = VectorTable(64, seed=2, policies="greedy", learners=["S"])
    for _ in range(20):
        tables.step(tables.sample())
    tracemalloc.start()
    for _ in range(5):
        tables.step(tables.sample())
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    for _ in range(50):
        tables.step(tables.sample())
    after, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 2_000
    assert peak - before < 20_000  # arguments of calls, no arrays of 64 rows


def test_arrays_that_are_handed_in_are_written():
    buffers = {"observations": np.full((3, envs.LENGTH), 7, np.uint8), "rewards": np.ones((3, 4), np.float32)}
    tables = VectorTable(3, seed=1, buffers=buffers)
    assert tables.observations is buffers["observations"]
    assert (tables.observations == VectorTable(3, seed=1).observations).all()
    assert not buffers["rewards"].any()


def test_hidden_hands_are_all_hands_from_the_one_to_act_on():
    tables = VectorTable(6, seed=4)
    for _ in range(30):
        tables.step(tables.sample())
    hands = tables.hidden_hands()
    for k in range(6):
        table = tables.table(k)
        for step in range(4):
            hand = table.hand("NESW"[(tables.seat[k] + step) % 4])
            assert int(hands[k, step].sum()) == len(hand)
        assert (hands[k, 0] == tables.observations[k, :53]).all()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"num_tables": 0}, "num_tables is 0"),
        ({"autoreset": "never"}, "autoreset is 'never'"),
        ({"learners": ["X"]}, "learner 'X' is no seat"),
        ({"learners": []}, "learners are none"),
        ({"learners": ["S"], "policies": "rollout:8"}, "does not play out"),
        ({"learners": ["S"], "policies": sit.Policy()}, "a Python policy"),
        ({"buffers": {"masks": np.zeros((2, 5), np.uint8)}}, "buffer masks is uint8 of shape"),
        ({"buffers": {"mask": np.zeros(2)}}, "no buffer 'mask'"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(given, message):
    with pytest.raises((SitoumusError, PolicyError), match=message):
        VectorTable(**({"num_tables": 2} | given))


def test_a_function_that_chooses_what_the_mask_forbids_is_named():
    wrong = envs.as_policy(lambda observation, mask: 4, name="wrong one")
    with pytest.raises(PolicyError, match="wrong one chose 4"):
        sit.play(sit.Deal(seed=1), policies=wrong)


def test_an_environment_of_many_tables_imports_no_library_of_others():
    assert _envs.N == actions.N
    code = (
        "import sys, sitoumus; assert 'sitoumus.envs' not in sys.modules; import sitoumus.envs.vector;"
        "assert not {'gymnasium', 'pettingzoo', 'pyspiel', 'open_spiel'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
