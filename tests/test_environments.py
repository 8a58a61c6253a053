"""The environments of others' libraries pass those libraries' own tests, and play the same deals as the library."""

import copy
import importlib
import pickle
import random
import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import sitoumus as sit
from sitoumus import actions, envs
from sitoumus.errors import IllegalActionError, SitoumusError

every_game = pytest.mark.parametrize("name", sit.PRESETS)

gymnasium = pytest.importorskip("gymnasium")
check_env = pytest.importorskip("gymnasium.utils.env_checker").check_env
suite = pytest.importorskip("pettingzoo.test")
single = importlib.import_module("sitoumus.envs.gymnasium")
zoo = importlib.import_module("sitoumus.envs.pettingzoo")

# ---- PettingZoo

#: What PettingZoo's test says of every observation that is a dict with a mask, and of the mask after the end.
TOLD = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action mask numpy array is all zeros (no legal actions).",
}


@every_game
def test_pettingzoo_api_test_and_seed_test_pass_with_the_warnings_of_every_dict(name, capsys):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        suite.api_test(zoo.env(name), num_cycles=300)
        suite.seed_test(lambda: zoo.env(name), num_cycles=50)
    assert {str(each.message) for each in told} <= TOLD


def test_pettingzoo_render_test_passes(capsys):
    suite.render_test(lambda render_mode: zoo.env("samba", render_mode=render_mode))
    table = zoo.env("samba", render_mode="html")
    table.reset(seed=1)
    assert table.render().startswith("<svg")


def test_pettingzoo_performance_benchmark_runs_to_its_end(capsys, monkeypatch):
    clock = iter(range(100))
    module = sys.modules["pettingzoo.test.performance_benchmark"]
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: next(clock)))
    suite.performance_benchmark(zoo.env("samba"))
    assert "turns per second" in capsys.readouterr().out


def last_of(mask):
    return int(mask.nonzero()[0][-1])


@every_game
def test_a_pettingzoo_episode_is_the_deal_of_its_number_and_its_score(name):
    table = zoo.env(name)
    table.reset(seed=4, options={"number": 6})
    rules = sit.rules.preset(name)
    deal = sit.Deal(seed=4, number=6, rules=rules)
    seats = deal.rules.seats
    shadow, chosen = sit.Table(deal, dealer=seats[6 % len(seats)]), ()
    rng = random.Random(name)
    rewards = {}
    for agent in table.agent_iter():
        seen, reward, ended, cut, info = table.last()
        if ended or cut:
            rewards[agent] = reward
            table.step(None)
            continue
        seat = seats[int(agent[-1])]
        assert seat == shadow.turn
        mask = actions.mask(shadow, chosen)
        assert (seen["action_mask"] == mask).all()
        assert info["action_mask"] is seen["action_mask"]
        assert (seen["observation"] == envs.observation(shadow, seat, chosen)).all()
        for other in table.agents:
            if other != agent:
                assert not table.observe(other)["action_mask"].any()
        chosen = (*chosen, rng.choice(mask.nonzero()[0].tolist()))
        table.step(chosen[-1])
        if not actions.mask(shadow, chosen).any():
            shadow.push(actions.decode(shadow, chosen))
            chosen = ()
    assert shadow.phase == "over"
    score = shadow.score()
    for place, seat in enumerate(seats):
        own = shadow.view(seat).side
        others = np.mean([score[side] for side in shadow.compiled.sides if side != own])
        assert rewards[f"player_{place}"] == pytest.approx((score[own] - others) / 1000, abs=1e-4)


def test_a_pettingzoo_environment_is_copied_and_pickled_in_mid_turn():
    table = zoo.env()
    table.reset(seed=3)
    for _ in range(60):
        table.step(last_of(table.last()[0]["action_mask"]))
    twins = [pickle.loads(pickle.dumps(table)), copy.deepcopy(table)]
    for _ in range(60):
        number = last_of(table.last()[0]["action_mask"])
        for each in (table, *twins):
            each.step(number)
    for each in twins:
        assert each.agent_selection == table.agent_selection
        assert (each.last()[0]["observation"] == table.last()[0]["observation"]).all()


def test_pettingzoo_resets_go_on_by_number_and_keep_the_settings():
    table = zoo.raw_env("samba", dealer="W", totals=[1500, 0], reward="raw")
    numbers = []
    for seed in (7, None, None, 7):
        table.reset(seed=seed)
        numbers.append(table.seats.desk.number)
        state = table.seats.desk.table()
        assert (state.dealer, state.totals["NS"]) == ("W", 1500)
    assert numbers == [0, 1, 2, 0]
    with pytest.raises(SitoumusError, match="begins from one of them"):
        table.reset(options={"deal": sit.Deal(rules="samba"), "position": {}})
    started = sit.Table(sit.Deal(seed=1, number=5, rules="samba")).after("draw")
    table.reset(options={"table": started})
    assert table.seats.desk.table() == started


@pytest.mark.parametrize("name", ["samba", "finnish_canasta_3p"])
@pytest.mark.parametrize("reward", ["raw", "win"])
def test_a_pettingzoo_match_is_that_of_play_match(name, reward):
    rules = sit.rules.preset(name).replace(target=2500)
    table = zoo.env(rules, episode="match", reward=reward, skip_forced=True)
    table.reset(seed=6, options={"number": 2})
    found = dict.fromkeys(table.agents, 0.0)
    for agent in table.agent_iter():
        seen, got, ended, _, _ = table.last()
        found[agent] += got
        table.step(None if ended else last_of(seen["action_mask"]))
    mine = envs.as_policy(lambda observation, mask: last_of(mask))
    match = sit.play_match(seed=6, number=2, policies=mine, rules=rules)
    sides = [match.games[0].table.view(seat).side for seat in match.games[0].table.compiled.seats]
    for agent, side in zip(found, sides, strict=True):
        others = [points for other, points in match.totals.items() if other != side]
        wanted = match.totals[side] - np.mean(others)
        if reward == "win":
            wanted = 1 if match.winner == side else -1
        assert found[agent] == pytest.approx(wanted, abs=0.5)
    assert table.unwrapped.seats.deals == len(match.games) > 1
    with pytest.raises(SitoumusError, match="begins with its first deal"):
        table.reset(options={"deal": sit.Deal(rules=rules)})


def test_an_illegal_number_in_pettingzoo_raises_raw_and_else_ends_as_in_its_wrapper():
    raw = zoo.raw_env()
    raw.reset(seed=1)
    before = raw.observe(raw.agent_selection)["observation"]
    with pytest.raises(IllegalActionError, match="number 4 is not legal for player_1"):
        raw.step(4)
    assert (raw.observe(raw.agent_selection)["observation"] == before).all()
    wrapped = importlib.import_module("pettingzoo.utils.wrappers").TerminateIllegalWrapper(zoo.raw_env(), -1)
    for table in (zoo.env(), wrapped):
        table.reset(seed=1)
        agent = table.agent_selection
        table.step(4)
        rewards = {}
        for each in table.agent_iter():
            rewards[each] = table.last()[1]
            table.step(None)
        assert rewards == {f"player_{place}": -1.0 if place == 1 else 0.0 for place in range(4)}
        assert agent == "player_1"
    with pytest.raises(IllegalActionError, match="step before reset"):
        zoo.env().step(0)
    cut = zoo.raw_env(max_steps=3)
    cut.reset(seed=1)
    for _ in range(3):
        cut.step(last_of(cut.last()[0]["action_mask"]))
    assert all(cut.truncations.values())


# ---- Gymnasium


@every_game
@pytest.mark.parametrize("flat", [False, True])
def test_gymnasium_check_env_passes(name, flat):
    check_env(single.SeatEnv(name, seat="N", policies="greedy", flat=flat), skip_render_check=True)


@pytest.mark.filterwarnings("ignore:.*render_fps:UserWarning")
def test_gymnasium_makes_the_registered_environment():
    env = gymnasium.make(
        "sitoumus.envs.gymnasium:sitoumus/Seat-v0", rules="samba", policies="greedy", render_mode="ansi"
    )
    env.reset(seed=1)
    assert "samba" in env.render()
    check_env(env.unwrapped, skip_render_check=True)
    many = gymnasium.make_vec("sitoumus/Seat-v0", num_envs=3, policies="greedy")
    seen, infos = many.reset(seed=1)
    assert many.observation_space.contains(seen)
    assert infos["deal"].tolist() == [0, 1, 2]
    many.close()


@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
def test_single_and_vector_environments_give_the_same_episodes(autoreset):
    given = {"rules": "samba", "seat": "S", "policies": "greedy"}
    many = single.SeatVectorEnv(3, autoreset=autoreset, **given)
    seen, infos = many.reset(seed=8)
    found = {}
    while len(found) < 6:
        numbers = [last_of(mask) if mask.any() else 0 for mask in seen["action_mask"]]
        deals = infos["deal"].copy()
        seen, rewards, ended, _, infos = many.step(numbers)
        found |= {int(deals[k]): float(rewards[k]) for k in ended.nonzero()[0]}
        if autoreset == "same_step" and ended.any():
            assert infos["_final_obs"].tolist() == ended.tolist()
    one = single.SeatEnv(**given)
    one.reset(seed=8)
    for number, wanted in found.items():
        seen, info = one.reset(options={"number": number})
        assert info["deal"] == number
        over = False
        while not over:
            assert (one.action_masks() == seen["action_mask"]).all()
            seen, reward, over, _, _ = one.step(last_of(seen["action_mask"]))
        assert reward == pytest.approx(wanted, abs=1e-6)


def test_policies_in_python_may_play_the_other_seats_of_the_single_environment():
    lowest = envs.as_policy(lambda observation, mask: mask.argmax())
    env = single.SeatEnv("samba", seat="S", policies=(lowest, "greedy"))
    seen, _ = env.reset(seed=2)
    over = False
    while not over:
        seen, reward, over, _, _ = env.step(last_of(seen["action_mask"]))
    mine = envs.as_policy(lambda observation, mask: last_of(mask))
    deal = sit.Deal(seed=2, number=0, rules="samba")
    score = sit.play(deal, policies=(lowest, "greedy", mine, "greedy"), dealer="N").score
    assert reward == pytest.approx((score["NS"] - score["EW"]) / 1000, abs=1e-4)


def test_an_illegal_number_in_gymnasium_ends_or_raises():
    env = single.SeatEnv(policies="greedy")
    seen, _ = env.reset(seed=1)
    wrong = int((seen["action_mask"] == 0).argmax())
    _, reward, over, _, info = env.step(wrong)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(IllegalActionError, match="is to be reset first"):
        env.step(wrong)
    env = single.SeatEnv(policies="greedy", illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match="is not legal"):
        env.step(wrong)
