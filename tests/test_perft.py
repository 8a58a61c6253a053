"""Perft: the core counts rows of steps as the oracle does, and auctions as a closed formula does."""

import os
from functools import cache
from math import comb

import pytest
from perft import FILES, count, divided, read

from sitoumus._core import Deal, Table
from sitoumus._testing import perft as core_perft
from sitoumus.rules import PRESETS, SITOUMUSSAMBA

#: The oracle counts again where that takes fewer steps; all of it with PERFT_MAX_NODES=1000000.
MAX_NODES = int(os.environ.get("PERFT_MAX_NODES", "150"))

ENTRIES = [pytest.param(entry, id=f"{path.stem}: {entry.id}") for path in FILES for entry in read(path)]


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_core_counts_as_the_file(entry):
    table = entry.table()
    for depth, right in entry.counts.items():
        if core_perft(table, depth) != right:
            count = core_perft(table, depth)
            pytest.fail(f"perft {depth} is {count}, not {right}\n{divided(entry, depth)}\n{table}")


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_oracle_counts_as_the_file(entry):
    oracle, nodes = entry.oracle(), 1
    for depth, right in entry.counts.items():
        if nodes <= MAX_NODES:
            assert count(oracle, depth) == right
        nodes = right


def test_the_files_hold_every_game_and_every_phase():
    entries = [entry.values[0] for entry in ENTRIES]
    assert {entry.rules for entry in entries} == set(PRESETS)
    phases = {"auction", "opening", "draw", "taken", "meld", "reply"}
    assert {entry.table().phase for entry in entries if entry.rules == "sitoumussamba"} == phases
    for name in PRESETS:
        assert {entry.table().phase for entry in entries if entry.rules == name} >= {"draw", "taken", "meld"}
    assert len({entry.id for entry in entries}) == len(entries)


# Auctions. With n bids above the last one, a row of calls is a choice of k of them, which rise (R9.3), passes between
# them, and an end: up to three passes at the start, none to two between bids (R9.5); after the last bid up to two
# passes while the auction goes on, three passes (R9.5), or a double by either opponent, at once or after two passes
# (R9.6).

START, BETWEEN = [1, 1, 1, 1], [1, 1, 1]  # ways by number of calls; the fourth pass of all is counted apart
GOES_ON, ENDS = [1, 1, 1], [0, 1, 0, 2]


def times(a, b):
    out = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return out


def plus(a, b):
    return [sum(pair) for pair in zip(a + [0] * len(b), b + [0] * len(a), strict=True)]


@cache
def rows(bids, length, ended, begun=False):
    """Rows of so many calls that end the auction, or that do not, with so many bids left; `begun`: after a bid."""
    tail = ENDS if ended else GOES_ON
    total = tail[length] if begun and length < len(tail) else 0
    if not begun:
        total += length == 4 if ended else length < 4
    ways = [1] if begun else START
    for k in range(1, min(bids, length) + 1):
        ways = times(ways, BETWEEN) if k > 1 or begun else ways
        spread = times(ways, tail)
        if length - k < len(spread):
            total += comb(bids, k) * spread[length - k]
    return total


def auctions(table, length):
    """(rows of calls that ended the auction, that did not) of a length, as the table has them."""
    if length == 0:
        return (0, 1) if table.phase == "auction" else (1, 0)
    if table.phase != "auction":
        return 0, 0
    found = [auctions(table.after(call), length - 1) for call in table.legal_actions]
    return sum(a for a, _ in found), sum(b for _, b in found)


def test_all_auctions_of_n_bids_are_1_plus_4_times_4_to_the_n_less_1():
    """Three ends after the last bid, three gaps before each later one, four before the first; or four passes."""
    for n in (1, 6, 12, 18):
        assert sum(rows(n, length, True) for length in range(4 * n + 5)) == 1 + 4 * (4**n - 1)
    table = Table(Deal(), rules=SITOUMUSSAMBA.replace(max_level=1)).after("1D")

    def ends(table):
        return 1 if table.phase != "auction" else sum(ends(table.after(call)) for call in table.legal_actions)

    assert ends(table) == 3 * 4**4


@pytest.mark.parametrize(("levels", "longest"), [(1, 6), (2, 4), (20, 2)])
def test_auctions_by_length_are_the_closed_formula(levels, longest):
    table = Table(Deal(), rules=SITOUMUSSAMBA.replace(max_level=levels), dealer="W")
    for length in range(longest + 1):
        assert auctions(table, length) == (rows(6 * levels, length, True), rows(6 * levels, length, False))


@pytest.mark.parametrize("bid", ["1C", "1CAN", "2H", "2DEU"])
def test_auctions_after_a_bid_are_the_closed_formula(bid):
    table = Table(Deal(), rules=SITOUMUSSAMBA.replace(max_level=2)).after("pass", bid)
    left = table.legal_actions.count("bid")
    for length in range(5):
        assert auctions(table, length) == (rows(left, length, True, True), rows(left, length, False, True))


@pytest.mark.parametrize("levels", [1, 3, 20])
def test_perft_of_auctions_is_the_closed_formula(levels):
    """Up to the third call: a doubled first bid has ended the auction after two, and its play follows."""
    rules = SITOUMUSSAMBA.replace(max_level=levels)
    table, n = Table(Deal(seed=7, number=42), rules=rules), 6 * levels
    for depth in (1, 2):
        assert core_perft(table, depth) == rows(n, depth, True) + rows(n, depth, False)
    play = sum(len(table.after(bid, "double").legal_actions) for bid in table.legal_actions if bid != "pass")
    assert core_perft(table, 3) == rows(n, 3, True) + rows(n, 3, False) + play


def test_perft_of_nothing():
    table = Table(Deal(seed=7, number=42))
    assert core_perft(table, 0) == 1
    with pytest.raises(ValueError, match="depth is -1: it must be a whole number from 0 to 100"):
        core_perft(table, -1)
    over = Table.from_position({"phase": "over", "ended": "stock"})
    assert core_perft(over, 1) == core_perft(over, 3) == 0


def test_perft_leaves_the_table():
    table = Table(Deal(seed=7, number=42))
    before = table.copy()
    core_perft(table, 3)
    assert table == before


def test_a_wrong_count_would_be_shown_by_root_action():
    entry = next(entry.values[0] for entry in ENTRIES if entry.values[0].id == "taken, one card in hand")
    assert divided(entry, 2).splitlines() == [
        "taken, one card in hand, depth 2, core and oracle:",
        f"  {'extra':<32}{2:>10}{2:>10}",
    ]
