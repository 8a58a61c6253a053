"""The slow oracle, which shares no code with the core, scores deals with rulings the same."""

import random
import tomllib
from pathlib import Path

import pytest
from oracle import Oracle

import sitoumus as sit
from sitoumus.director.cases import played

CASES = Path(__file__).parent / "cases" / "director"


def position_of(table):
    """A finished position with the keys that the oracle reads."""
    position = table.to_position()
    position = {key: value for key, value in position.items() if key not in ("rules", "options", "minimum_raise")}
    if "concealed" in position.pop("turn_state", {}):
        position["turn_state"] = {"concealed": 1}
    return position


def scored_cases():
    for path in sorted(CASES.glob("*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            if case.get("position", {}).get("phase") == "over":
                yield pytest.param(case, id=case["id"])


@pytest.mark.parametrize("case", list(scored_cases()))
def test_the_oracle_scores_every_finished_case_with_its_rulings(case):
    name = case.get("rules", "sitoumussamba")
    referee, _ = played(case, sit.preset(name))
    oracle = Oracle(position_of(referee.table), name)
    oracle.rulings = referee.points
    for side, points in case["expect"].get("scores", {}).items():
        assert oracle.scores[side] == points
    assert oracle.scores == referee.score().sides
    assert oracle.winner == referee.winner


@pytest.mark.parametrize("name", sit.PRESETS)
def test_the_oracle_scores_played_deals_with_rulings(name):
    rules, rng = sit.PRESETS[name], random.Random(name)
    for number in range(4):
        deal = sit.Deal(seed=3, number=number, rules=rules)
        game = sit.play(deal, policies="greedy", totals=(0,) * len(rules.table.sides))
        referee = sit.Referee(game.table)
        for _ in range(6):
            what = rng.choice(list(rules.penalty))
            try:
                referee.report(what, seat=rng.choice(referee.seats), cards="9c")
            except sit.RulingError:
                continue
            if referee.state != "play":
                referee.pop()
        oracle = Oracle(position_of(game.table), name)
        oracle.rulings = referee.points
        assert oracle.scores == referee.score().sides
        assert oracle.winner == referee.winner
        for side, parts in oracle.components.items():
            assert parts["rulings"] == referee.score().components[side].get("rulings", 0)
