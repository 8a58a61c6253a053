"""Steps a second of the environments, each beside something measured in the same run; needs envs and openspiel.

`python benchmarks/environments.py`; with rlcard installed, PettingZoo's Texas hold'em and RLCard's gin rummy too.
"""

import importlib.util
import random
import statistics
import time

import numpy as np

import sitoumus as sit
from sitoumus import _envs
from sitoumus.envs import VectorTable


def seconds(do):
    begin = time.perf_counter()
    do()
    return time.perf_counter() - begin


def stepped(tables, n, sampled=True):
    """Steps a second, choosing numbers at random included or not."""
    spent = 0.0
    begin = time.perf_counter()
    for _ in range(n):
        ids = tables.sample()
        at = time.perf_counter()
        tables.step(ids)
        spent += time.perf_counter() - at
    return n * tables.num_tables / (time.perf_counter() - begin if sampled else spent)


def paired(one, other, times=15):
    """Medians of two rates taken in turns, and of their ratio."""
    pairs = [(one(), other()) for _ in range(times)]
    return (
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
        statistics.median(a / b for a, b in pairs),
    )


def show(what, found, beside):
    a, b, ratio = found
    print(f"{what}: {a:,.0f}/s; {beside}: {b:,.0f}/s; ratio {ratio:.2f}", flush=True)


def vector():
    tables = VectorTable(256, seed=1, skip_forced=False)
    two = VectorTable(256, seed=1, skip_forced=False, threads=2)
    for each in (tables, two):
        stepped(each, 100)

    def walk():
        return 40_000 / seconds(lambda: _envs.walk(None, 1, 40_000))

    show("steps of 256 tables", paired(lambda: stepped(tables, 100, False), walk), "listing and carrying out alone")
    show("steps, choosing at random included", paired(lambda: stepped(tables, 100), walk), "the same")
    show(
        "steps on two threads", paired(lambda: stepped(two, 100, False), lambda: stepped(tables, 100, False)), "on one"
    )


def against_heuristic():
    tables = VectorTable(256, seed=1, learners=["S"], policies="heuristic")
    alone = VectorTable(64, seed=1, learners=["S"], policies="heuristic")
    steps = deals = 0
    while deals < 200:
        alone.step(alone.sample())
        steps, deals = steps + 64, deals + int(alone.terminals.sum())
    policies = ("heuristic", "heuristic", "random", "heuristic")

    def rows():
        return 400 / seconds(lambda: sit.simulate(400, policies=policies, threads=1, progress=False))

    show(
        f"steps of one learner against heuristic, {steps / deals:.0f} a deal",
        paired(lambda: stepped(tables, 30, False), lambda: rows() * steps / deals, 7),
        "deals of simulate with a random player, times steps a deal",
    )


def turns(env, n):
    """Turns a second of a PettingZoo environment, as its own benchmark takes them."""
    rng = random.Random(1)
    env.reset(seed=1)
    done = 0
    begin = time.perf_counter()
    while done < n:
        for _ in env.agent_iter(env.num_agents):
            seen, _, ended, cut, _ = env.last()
            number = None if ended or cut else rng.choice(np.flatnonzero(seen["action_mask"]).tolist())
            env.step(number)
            done += 1
            if all(env.terminations.values()):
                env.reset()
    return n / (time.perf_counter() - begin)


def pettingzoo():
    from sitoumus.envs.pettingzoo import env, raw_env

    ours, raw = env(), raw_env()
    print(f"PettingZoo turns: {turns(ours, 5_000):,.0f}/s in the wrappers, {turns(raw, 5_000):,.0f}/s without")
    if importlib.util.find_spec("rlcard") is None or importlib.util.find_spec("pygame") is None:
        print("rlcard and pygame are not installed: no Texas hold'em, no gin rummy of RLCard")
        return
    import rlcard
    from pettingzoo.classic import texas_holdem_v4

    other = texas_holdem_v4.env()
    show("PettingZoo turns", paired(lambda: turns(ours, 3_000), lambda: turns(other, 3_000), 5), "Texas hold'em")
    gin = rlcard.make("gin-rummy", config={"seed": 1})

    def gin_steps():
        rng, done, begin = random.Random(1), 0, time.perf_counter()
        while done < 1_000:
            state, _ = gin.reset()
            while not gin.is_over():
                state, _ = gin.step(rng.choice(list(state["legal_actions"])))
                done += 1
        return done / (time.perf_counter() - begin)

    show("PettingZoo turns", paired(lambda: turns(ours, 3_000), gin_steps, 5), "gin rummy of RLCard")


def openspiel():
    import pyspiel

    import sitoumus.envs.openspiel

    assert sitoumus.envs.openspiel

    def steps(game):
        rng, done, begin = random.Random(1), 0, time.perf_counter()
        while done < 5_000:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    if game.get_type().short_name == "python_sitoumus":
                        state.apply_action(rng.randrange(game.max_chance_outcomes()))
                        continue
                    state.apply_action(rng.choice(state.chance_outcomes())[0])
                    continue
                state.apply_action(rng.choice(state.legal_actions()))
                done += 1
        return done / (time.perf_counter() - begin)

    ours, gin = pyspiel.load_game("python_sitoumus"), pyspiel.load_game("gin_rummy")
    show("OpenSpiel steps", paired(lambda: steps(ours), lambda: steps(gin), 5), "gin rummy (C++) from Python")


if __name__ == "__main__":
    vector()
    against_heuristic()
    pettingzoo()
    openspiel()
