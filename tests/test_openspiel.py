"""The game in OpenSpiel passes OpenSpiel's own tests; its states tell a player no more than it knows."""

import random

import numpy as np
import pytest

import sitoumus as sit
from sitoumus import envs

pyspiel = pytest.importorskip("pyspiel")

import sitoumus.envs.openspiel as spiel  # noqa: E402

every_game = pytest.mark.parametrize("name", sit.PRESETS)


def load(name="sitoumussamba", **given):
    return pyspiel.load_game("python_sitoumus", {"rules": name} | given)


def some_state(game, rng, steps):
    """A state some random steps after the deal."""
    state = game.new_initial_state()
    state.apply_action(rng.randrange(game.deals))
    for _ in range(steps):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@every_game
def test_openspiel_random_sim_test_passes(name):
    pyspiel.random_sim_test(load(name, deals=20), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", ["finnish_canasta_2p", "finnish_canasta_3p", "tile_canasta"])
def test_openspiel_random_sim_test_passes_with_states_written_and_read(name):
    pyspiel.random_sim_test(load(name, deals=20), num_sims=1, serialize=True, verbose=False)


@every_game
def test_returns_are_the_score_of_the_deal_and_within_the_bounds(name):
    rng = random.Random(name)
    game = load(name, seed=5, deals=30)
    for _ in range(2):
        state = some_state(game, rng, 10**6)
        table = state.desk.table()
        score = table.score()
        assert len(state.history()) <= game.max_game_length()
        for seat, value in zip(table.compiled.seats, state.returns(), strict=True):
            own = table.view(seat).side
            others = np.mean([score[side] for side in table.compiled.sides if side != own])
            assert value == pytest.approx((score[own] - others) / 1000, abs=1e-4)
            assert game.min_utility() < value < game.max_utility()
        assert sum(state.returns()) == pytest.approx(0, abs=1e-4)


def test_the_root_draws_one_of_the_deals_of_the_seed():
    game = load(seed=9, deals=7)
    root = game.new_initial_state()
    assert root.is_chance_node()
    assert [number for number, _ in root.chance_outcomes()] == list(range(7))
    assert sum(chance for _, chance in root.chance_outcomes()) == pytest.approx(1)
    root.apply_action(3)
    assert root.desk.table().hands == sit.Table(sit.Deal(seed=9, number=3)).hands


def test_the_tensor_is_the_observation_of_the_library():
    game = load("samba")
    observer = game.make_py_observer()
    state = some_state(game, random.Random(1), 80)
    for player, seat in enumerate("NESW"):
        observer.set_from(state, player)
        assert (observer.tensor == envs.observation(state.desk.table(), seat, state.desk.prefix)).all()
        assert observer.dict["hand"].sum() == len(state.desk.table().hand(seat))


def test_a_resampled_state_tells_the_player_the_same():
    rng = random.Random(3)
    game = load("samba", deals=50)
    changed = in_part = 0
    for _ in range(25):
        state = some_state(game, rng, rng.randrange(150))
        if state.is_terminal():
            continue
        player = state.current_player()
        world = state.resample_from_infostate(player, rng.random)
        in_part += bool(state.desk.prefix)
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.observation_string(player) == state.observation_string(player)
        assert world.legal_actions() == state.legal_actions()
        assert world.observation_tensor(player) == state.observation_tensor(player)
        changed += world.desk.table() != state.desk.table()
        for _ in range(3):
            if not world.is_terminal():
                world.apply_action(rng.choice(world.legal_actions()))
    assert changed > 15


def test_two_histories_differ_in_the_information_state_and_two_parts_of_an_action_too():
    game = load("samba")
    state = game.new_initial_state()
    state.apply_action(2)
    states = set()
    rng = random.Random(8)
    while not state.is_terminal():
        told = state.information_state_string(state.current_player())
        assert told not in states
        states.add(told)
        state.apply_action(rng.choice(state.legal_actions()))
    assert len(states) > 100


def test_the_python_search_of_openspiel_plays():
    from open_spiel.python.algorithms import ismcts, mcts

    game = load("samba", deals=20)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game=game, evaluator=evaluator, uct_c=1.0, max_simulations=3, random_state=np.random.RandomState(2)
    )
    state = some_state(game, random.Random(5), 12)
    assert bot.step(state) in state.legal_actions()


def test_the_environment_of_openspiel_runs_a_deal():
    from open_spiel.python import rl_environment

    env = rl_environment.Environment(load("finnish_canasta_2p", deals=20), seed=1)
    step = env.reset()
    assert len(step.observations["info_state"][0]) == envs.LENGTH
    rng = random.Random(1)
    for _ in range(3000):
        if step.last():
            break
        player = step.observations["current_player"]
        step = env.step([rng.choice(step.observations["legal_actions"][player])])
    assert step.last()
    assert sum(step.rewards) == pytest.approx(0, abs=1e-4)


@every_game
def test_the_bounds_of_a_game_are_finite_and_count_the_whole_pack(name):
    rules = sit.rules.preset(name)
    assert 5 < spiel.most_utility(rules) < 1000
    assert 500 < spiel.most_steps(rules) < 10_000
