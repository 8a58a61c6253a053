"""The pool of players: its Nash mixture, and its payoff matrix on common deals."""

import numpy as np
import pytest

import sitoumus as sit
from sitoumus.tuning import nash, payoffs


def test_the_mixture_of_rock_paper_scissors_is_even_and_gains_nothing():
    mixture, gain = nash(np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], float))
    assert mixture == pytest.approx([1 / 3] * 3)
    assert gain == pytest.approx(0)


def test_a_player_that_gains_on_all_others_is_played_alone():
    mixture, gain = nash(np.array([[0, 5, 7], [-5, 0, 90], [-7, -90, 0]], float))
    assert mixture == pytest.approx([1, 0, 0])
    assert gain == pytest.approx(0)


def test_no_column_gains_on_the_mixture():
    gains = np.random.default_rng(3).normal(size=(6, 6))
    gains -= gains.T
    mixture, gain = nash(gains)
    assert mixture.sum() == pytest.approx(1)
    assert (mixture @ gains).min() == pytest.approx(gain)
    assert gain == pytest.approx(0, abs=1e-9)


def test_the_payoff_matrix_has_the_gains_that_compare_finds_and_their_negatives():
    players = ["greedy", "heuristic@14", "tuned@14"]
    mean, half = payoffs(players, 50, 4, "sitoumussamba")
    found = sit.compare("tuned@14", "greedy", pairs=50, seed=4, progress=False)
    assert mean[2, 0] == found.points == -mean[0, 2]
    assert half[2, 0] == pytest.approx((found.interval[1] - found.interval[0]) / 2)
    assert (mean.diagonal() == 0).all()
