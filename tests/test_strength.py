"""Small versions of what the page on strength says."""

import subprocess
import sys
from pathlib import Path

import sitoumus as sit
from sitoumus.tuning import nash, one_other_call, payoffs

PLAYERS = ["heuristic@14", "tuned@14", "steady", "racer@15"]


def test_racer_is_alone_the_nash_mixture_of_the_named_players():
    mean, half = payoffs(PLAYERS, 400, 15, threads=1)
    assert (mean[3, :3] - half[3, :3] > 300).all()
    mixture, _ = nash(mean)
    assert mixture[3] == 1


def test_tuned_gains_on_heuristic_and_both_gain_on_steady():
    mean, half = payoffs(PLAYERS[:3], 600, 15, threads=1)
    assert mean[1, 0] - half[1, 0] > 300
    assert mean[0, 2] - half[0, 2] > 100
    assert mean[1, 2] - half[1, 2] > 300


def test_one_other_call_gains_far_less_on_racer_than_on_steady():
    racer = one_other_call("racer@15", 800, seed=2)
    steady = one_other_call("steady", 800, seed=2)
    assert racer.interval[1] < 200 < steady.interval[0]


def test_steady_makes_most_of_his_contracts_and_racer_leaves_most_of_his_void():
    steady, racer = (sit.simulate(2000, seed=99, policies=name, threads=1) for name in ("steady", "racer@15"))
    assert (steady["result"] == "made").mean() > 0.62
    assert (racer["result"] == "void").mean() > 0.78
    assert (racer["level"] == 8).mean() > 0.95
    assert (steady["level"] <= 5).mean() > 0.99


def test_the_pool_takes_players_with_other_values_and_racer_is_best_among_those_who_stop_lower():
    kin = [
        "racer@15",
        "racer@15,bid_stop=6,double_level=7,race_level=6",
        "racer@15,bid_stop=5,double_level=6,race_level=5",
    ]
    call = [sys.executable, Path(__file__).parents[1] / "tools/pool.py", *kin, "--pairs", "300", "--seed", "77"]
    lines = subprocess.run(call, check=True, capture_output=True, text=True).stdout.splitlines()[1:]
    assert [line.split()[2] for line in lines] == kin
    assert [int(line.split()[0]) for line in lines] == [100, 0, 0]
