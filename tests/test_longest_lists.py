"""The longest list of legal steps: hands made so that they come near the bounds that the core has room for."""

from itertools import product
from math import comb

from sitoumus import SAMBA, Table
from sitoumus._testing import LONGEST_LIST

#: Three wild cards of any kind in a set, no minimum, and every way to take: the most that a take can name (F5).
WIDE = SAMBA.replace(
    **{
        "melds.set.max_wild": 3,
        "opening.bands": [[None, 0]],
        "pile.take.open": ["pair", "triple", "natural+wild"],
        "pile.take.unopened": ["pair", "triple", "natural+wild"],
    }
)
KINGS = "Kc Kc Kd Kd Kd Kh Kh Kh Ks Ks Ks"
WILD = "2c 2c 2c 2d 2d 2d 2h 2h 2h 2s 2s 2s JK JK JK"


def takes_of(hand, melds=()):
    position = {"turn": "E", "hands": {"N": "4c", "E": hand, "S": "5c", "W": "6c"}, "pile": "Kc 6h", "stock": "?20"}
    table = Table.from_position(position, rules=WIDE)
    for meld in melds:
        table.push(f"meld {meld}")
    found = list(table.legal_actions)
    assert len(set(found)) == len(found) <= LONGEST_LIST
    return table, [action for action in found if action.startswith("take")]


def choices(naturals, most_wild):
    """Choices of naturals (so many of each suit) and of at most so many wild cards of five kinds that can take."""
    wild = [comb(5 + n - 1, n) for n in range(most_wild + 1)]
    some = [sum(chosen) for chosen in product(*(range(n + 1) for n in naturals))]
    return sum(wild[w] for n in some for w in range(most_wild + 1) if n >= 2 or (n == 1 and w))


def test_a_take_that_opens_has_at_most_10692_choices():
    table, takes = takes_of(f"{KINGS} {WILD} 4d 5d")
    assert len(takes) == choices((2, 3, 3, 3), 3) == 10_692
    assert max(len(take.split()) for take in takes) == 1 + 11 + 3
    longest = max(takes, key=len)
    table.push(longest)
    assert len(table.melds("EW")[0]) == 15


def test_the_whole_list_of_phase_draw_comes_near_its_bound():
    pairs = " ".join(f"{rank}{suit}" for rank in "A456789TJQ" for suit in "cdhs" for _ in range(2))
    table, takes = takes_of(f"{KINGS} {WILD} {pairs}")
    others = [action for action in table.legal_actions if not action.startswith("take")]
    assert len(takes) == 10_692
    assert len(others) > 700
    assert 0.9 * LONGEST_LIST > len(takes) + len(others) > 0.85 * LONGEST_LIST


def test_sets_laid_before_the_take_leave_fewer_choices():
    _, takes = takes_of(f"{KINGS} {WILD} JK 4d 5d", ["Kd Kh JK"])
    new = [take for take in takes if ">" not in take]
    assert len(new) == choices((2, 2, 2, 3), 3)
    assert len(takes) - len(new) == choices((2, 2, 2, 3), 2)
    _, takes = takes_of(f"{KINGS} {WILD} 4d 5d", ["Kd Kh Ks"])
    assert len(takes) == 2 * choices((2, 2, 2, 2), 3) < 10_692
