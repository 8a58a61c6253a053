"""Conditions: what they say, that deals under them are exactly as likely as they should be, and what is refused."""

import math
from collections import Counter
from fractions import Fraction

import sitoumus as sit
from sitoumus.conditions import prepare

FIVE_HEARTS_TWO_JOKERS = (sit.east.run_h >= 5) & (sit.east.jokers == 2)


def test_five_hearts_in_a_row_and_two_jokers_have_their_closed_form():
    """Found another way: the sets of ranks of the hearts, their copies counted by inclusion and exclusion."""
    runs = [max(_rows(mask)) for mask in range(8192)]
    ways = Counter()
    for mask, run in enumerate(runs):
        if run >= 5:
            k = mask.bit_count()
            for n in range(k, 14):
                # copies: choose n physical cards out of k ranks of three, every rank at least once
                ways[n] += sum((-1) ** j * math.comb(k, j) * math.comb(3 * (k - j), n) for j in range(k + 1))
    count = math.comb(6, 2) * sum(w * math.comb(117, 13 - n) for n, w in ways.items())
    prepared = prepare(FIVE_HEARTS_TWO_JOKERS)
    assert prepared.exact
    assert prepared.chance == Fraction(count, math.comb(162, 15))
    assert f"{float(prepared.chance):.4e}" == "3.1072e-04"


def _rows(mask):
    """Lengths of rows of ranks on the circle that start at each rank."""
    for start in range(13):
        n = 0
        while n < 13 and mask >> (start + n) % 13 & 1:
            n += 1
        yield n
