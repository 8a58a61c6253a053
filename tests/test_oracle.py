"""The compiled core against the oracle that was written from the rules alone: state by state, both must agree."""

import os
import re

import pytest
from oracle.compare import compare_deals, needed
from oracle.openings import compare_hands
from oracle.options import FIELDS

from sitoumus.rules import PRESETS

PROCESSES = min(2, os.cpu_count() or 1)
FAMILY = [name for name in PRESETS if name != "sitoumussamba"]


@pytest.fixture(scope="module")
def main_game():
    """300 whole deals of the main game, options varied, and two late positions beside each."""
    return compare_deals("sitoumussamba", 300, 2, processes=PROCESSES)


@pytest.mark.slow
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
@pytest.mark.slow
def test_40_deals_of_every_other_game_agree_state_by_state(rules):
    seen, differences = compare_deals(rules, 40, 2, processes=PROCESSES)
    assert not differences, differences[0]
    assert seen["deals"] == 40
    assert seen["ended out"]


def leaves(table, prefix=""):
    """Dotted names of the fields of a rule set; those of all meld kinds alike."""
    for name, value in table.items():
        full = prefix + name
        if isinstance(value, dict) and full not in FIELDS:
            yield from leaves(value, "melds.*." if prefix == "melds." else f"{full}.")
        else:
            yield full


def test_the_comparison_varies_every_field():
    varied = {re.sub(r"^melds\.\w+\.", "melds.*.", name) for name in FIELDS}
    # one value only, or what makes a game another game
    fixed = {"pack.suits", "table.seats", "table.sides", "stock.last_bonus"}
    fixed |= {f"melds.*.{name}" for name in ("shape", "full", "when")}
    main_game = ("contract", "buy", "pile.fit_new_run")  # by the options of the main game
    referee = ("penalty.",)  # no part of play: tests/cases/director
    names = {name for rules in PRESETS.values() for name in leaves(rules.to_dict(full=True))} - {"preset"}
    assert not {name for name in names - varied - fixed if not name.startswith(main_game + referee)}


@pytest.mark.slow
def test_300_hands_open_and_lay_out_as_brute_force_says():
    # 20,000 in the full run: python -m oracle.openings
    seen, differences = compare_hands(300, seed=2, processes=PROCESSES)
    assert not differences, differences[0]
    for answer in ("opening exists True", "opening exists False", "lay-out exists True", "lay-out exists False"):
        assert seen[answer] >= 50
