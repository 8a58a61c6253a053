"""The parts of the core: dealing, melds and openings by the size of the hand, actions, scores, decisions."""

import pytest

import sitoumus as sit
from sitoumus.bench import sample_tables
from sitoumus.policies import NAMED, compiled

POLICIES = [name for name, policy in NAMED.items() if compiled(policy) is not None]


@pytest.mark.parametrize("operation", ["shuffle", "deal"])
def test_dealing(repeat, operation):
    repeat(operation)


@pytest.mark.parametrize("cards", [15, 20, 25, 28])
@pytest.mark.parametrize("operation", ["starts", "can_open", "points", "opening", "divide", "features"])
def test_hands(repeat, operation, cards):
    """``starts`` lists melds, ``can_open`` tests for 90 points, ``points`` and ``opening`` find the best opening."""
    repeat(operation, hands=sit.random_hands(1000, seed=1, cards=cards))


@pytest.mark.parametrize("operation", ["copy", "generate", "apply"])
def test_tables(repeat, tables, operation):
    repeat(operation, tables=tables)


@pytest.mark.parametrize("phase", ["draw", "meld"])
@pytest.mark.parametrize("operation", ["copy", "generate", "apply", "turn"])
def test_turns(repeat, operation, phase):
    """From where a turn, or its laying, begins: one cycle of drawing, laying and discarding, and what it is made of."""
    repeat(operation, tables=[table for table in sample_tables(2000, begun=True) if table.phase == phase])


def test_score(repeat, finished):
    repeat("score", tables=finished)


@pytest.mark.parametrize("policy", POLICIES)
def test_decision(repeat, policy):
    """The first step where a turn, or its laying, begins: the plan of the rest is part of it."""
    repeat("decide", tables=sample_tables(500, policy, begun=True), policy=compiled(NAMED[policy]))
