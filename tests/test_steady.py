"""`steady` bids what he holds: his estimate is calibrated, and he bids nothing that he expects to make too seldom."""

import importlib.util
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import sitoumus as sit
from sitoumus.policies import policy

STEADY = policy("steady")
TOOL = Path(__file__).parents[1] / "tools" / "fit_steady.py"


def auctions(policies, deals, seed):
    """Of each deal the end of the game and its auction once more, call by call: table before the call, call."""
    for number in deals:
        deal = sit.Deal(seed=seed, number=number)
        end = sit.play(deal, policies=policies).table
        table, course = sit.Table(deal), []
        for call in end.calls:
            course.append((table.copy(), call))
            table.push(call)
        yield end, course


@pytest.fixture(scope="module")
def played():
    return list(auctions("steady", range(2_400), 31))


def test_contracts_are_made_as_often_as_steady_expects(played):
    made = defaultdict(list)
    for end, course in played:
        if end.declarer is None or end.contract.endswith("doubled"):
            continue
        bid = end.contract.partition(" ")[0]
        before = next(table for table, call in course if call == bid)
        made[bid[0]].append((end.score().result == "made", STEADY.chance(before, bid)))
    often = {level: np.mean(pairs, axis=0) for level, pairs in made.items() if len(pairs) >= 1_000}
    assert "5" in often
    assert all(abs(share - expected) < 0.05 for share, expected in often.values())


def test_no_bid_is_below_the_floor(played):
    bids = [(table, call) for _, course in played[:600] for table, call in course if call not in ("pass", "double")]
    assert len(bids) > 600
    assert min(STEADY.chance(table, bid) for table, bid in bids) >= 0.6


def test_a_higher_floor_bids_lower():
    careful = sit.simulate(1_000, seed=3, policies=STEADY.replace(bid_floor=75), progress=False).level.mean()
    assert careful < sit.simulate(1_000, seed=3, policies="steady", progress=False).level.mean()


def test_the_tool_estimates_as_the_core_does():
    spec = importlib.util.spec_from_file_location("fit_steady", TOOL)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    seen = tool.contracts("steady", range(150), 8)
    expected = []
    for end, course in auctions("steady", range(150), 8):
        if end.declarer is not None and not end.contract.endswith("doubled") and not any(end.penalties.values()):
            bid = end.contract.partition(" ")[0]
            expected.append(STEADY.chance(next(table for table, call in course if call == bid), bid))
    assert len(expected) > 100
    assert tool.expected(seen, STEADY) == pytest.approx(expected, abs=0.003)  # the core leaves out fractions


def test_a_chance_is_estimated_in_an_auction_alone():
    with pytest.raises(sit.PolicyError, match="phase draw"):
        STEADY.chance(sit.Table(rules=sit.SAMBA), "5H")
