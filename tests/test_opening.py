"""Openings and divisions of a hand, against brute force (tests/brute_opening.py)."""

from types import SimpleNamespace

import numpy as np
import pytest
from brute_opening import brute_best_points, brute_best_score, brute_can_open

from sitoumus import Hand, best_opening
from sitoumus.hands import features, random_hands
from sitoumus.rules import (
    BOLIVIA,
    BRAZILIAN_CANASTA,
    FINNISH_CANASTA,
    PRESETS,
    SAMBA,
    SITOUMUSSAMBA,
    TILE_CANASTA,
)

RULES = {
    "sitoumussamba": SITOUMUSSAMBA,
    "line": SITOUMUSSAMBA.replace(cyclic_sequences=False),
    "after_complete": SITOUMUSSAMBA.replace(second_set="after_complete", mixed_growth="none"),
    "finnish": FINNISH_CANASTA, "tile": TILE_CANASTA, "samba": SAMBA, "bolivia": BOLIVIA,
    "brazilian": BRAZILIAN_CANASTA,
}


def hands(rules, n, cards, seed):
    """Random hands; one in seven of few ranks, of two suits, of many deuces, or of five ranks in a row."""
    pack = np.repeat(np.arange(53), [rules.pack.copies] * 52 + [rules.pack.jokers])
    rng = np.random.default_rng(seed)
    out = np.zeros((n, 53), np.uint8)
    for i in range(n):
        among = pack
        if i % 7 == 6:
            some = [pack[np.isin(pack // 4, rng.choice(13, 6, replace=False))],
                    pack[np.isin(pack % 4, rng.choice(4, 2, replace=False)) & (pack < 52)],
                    np.concatenate([pack[(pack == 52) | (pack // 4 == 1)], rng.choice(pack, 20, replace=False)]),
                    pack[np.isin(pack // 4, (rng.integers(13) + np.arange(5)) % 13)]][i // 7 % 4]
            if len(some) >= cards:
                among = some
        chosen = np.bincount(rng.choice(among, cards, replace=False), minlength=53)
        limit = np.append(np.full(52, rules.pack.copies), rules.pack.jokers)
        out[i] = np.minimum(chosen, limit)
    return out


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(("cards", "n"), [(15, 140), (21, 28)])
def test_the_best_opening_is_the_best_of_all(name, cards, n):
    rules = RULES[name]
    some = hands(rules, n, cards, seed=cards)
    for deuces in (4, 5) if name in ("sitoumussamba", "line", "after_complete") else (0,):
        found = best_opening(some, deuces=deuces, rules=rules)
        assert found.tolist() == [brute_best_points(hand, deuces, rules) for hand in some]


def test_r11_a_card_may_stand_in_two_sequences_of_a_suit():
    """3 4 5 and 5 6 7: both fives are used though no second sequence of equal cards exists."""
    assert best_opening([Hand("3c 4c 5c 5c 6c 7c")]).tolist() == [30]
    assert best_opening([Hand("3c 4c 5c 5c 6c")]).tolist() == [20]


@pytest.mark.parametrize("name", ["sitoumussamba", "line", "after_complete"])
def test_r13_a_hand_opens_when_some_division_reaches_the_minimum(name):
    rules = RULES[name]
    for hand in hands(rules, 200, 14, seed=5):
        cards = Hand(" ".join(_text(card) for card in range(53) for _ in range(hand[card])))
        for minimum in (50, 90, 120, 150, 200):
            need = SimpleNamespace(minimum=minimum, needs="none", complete_opens=True, deuce_min=5, bid_suits=0,
                                   bid_four=False, bid_deuces=False, keep=1, extra_points=0)
            opening = cards.best_opening(minimum, rules=rules)
            assert (opening is not None) == brute_can_open(hand, (), rules, need)


@pytest.mark.parametrize("name", RULES)
def test_r31_melds_of_a_hand_are_worth_most(name):
    rules = RULES[name]
    for hand in hands(rules, 70, 15, seed=3):
        cards = Hand(" ".join(_text(card) for card in range(53) for _ in range(hand[card])))
        melds = cards.melds(rules)
        assert sum(meld.points + meld.bonus for meld in melds) == brute_best_score(hand, 0, rules)


def _text(card):
    return "JK" if card == 52 else "A23456789TJQK"[card // 4] + "cdhs"[card % 4]


@pytest.mark.parametrize("rules", PRESETS.values(), ids=lambda rules: rules.name)
def test_a_complete_meld_opens_in_the_features_only_where_bonuses_count(rules):
    """R13.3; FI4-O7: 35 points are no opening of 50, the 500 of the canasta does not count."""
    hand = Hand("4c 4d 4h 4s 4c 4d 4h 9c 8d Kc Jd")
    assert hand.features(rules)["best_opening"] == 35
    assert hand.features(rules)["can_open_50"] == rules.opening.bonus_counts
    assert (hand.best_opening(50, rules=rules) is not None) == rules.opening.bonus_counts
    table = features(random_hands(3000, seed=8, rules=rules), rules)
    above = 0
    for minimum in (15, 50, 90, 120, 150, 200):
        by_points = table["best_opening"] >= minimum
        assert (table[f"can_open_{minimum}"] >= by_points).all()
        above += (table[f"can_open_{minimum}"] > by_points).sum()
    assert (above > 0) == rules.opening.bonus_counts
