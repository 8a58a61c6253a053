"""The compiled core against the oracle that was written from the rules alone: state by state, both must agree."""

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from oracle.__main__ import batch, needed
from oracle.best_openings import check

from sitoumus.rules import PRESETS

SEED = 1
FAMILY = [name for name in PRESETS if name != "sitoumussamba"]


def compare(rules, deals, late):
    """Compare on two processes; what occurred, and the differences."""
    jobs = [(rules, SEED, start, min(start + 5, deals), late) for start in range(0, deals, 5)]
    seen, differences = Counter(), []
    with ProcessPoolExecutor(min(2, os.cpu_count() or 1), mp_context=get_context("spawn")) as pool:
        for part, found in pool.map(batch, jobs):
            seen += part
            differences += found
    return seen, differences


@pytest.fixture(scope="module")
def main_game():
    """300 whole deals of the main game, options varied, and two late positions beside each."""
    return compare("sitoumussamba", 300, 2)


def test_300_deals_of_the_main_game_agree_state_by_state(main_game):
    seen, differences = main_game
    assert not differences, differences[0]
    assert seen["deals"] == 300
    assert seen["refusals"] > 20_000


@pytest.mark.parametrize("what", needed())
def test_the_comparison_covers(main_game, what):
    # twenty times in the full run (python -m oracle, 5,000 deals), five times in this one
    assert main_game[0][what] >= 5


@pytest.mark.parametrize("rules", FAMILY)
def test_40_deals_of_every_other_game_agree_state_by_state(rules):
    seen, differences = compare(rules, 40, 2)
    assert not differences, differences[0]
    assert seen["deals"] == 40
    assert seen["ended out"]


def test_best_openings_of_1000_hands_are_those_of_brute_force():
    assert check(1000, seed=2) == []
