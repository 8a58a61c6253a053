"""Deals: the whole pack, known hands, the same cards for ever, each found in constant time."""

import pickle
import time
from collections import Counter

import numpy as np
import pytest
from golden.make_deals import ADDRESSES, FILE, digest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitoumus._core import Deal, Hand, Table
from sitoumus.errors import InvalidCardError
from sitoumus.rules import PRESETS, SITOUMUSSAMBA, preset

numbers = st.integers(0, 2**63 - 1)


def pack(rules):
    cards = {rank + suit: rules.pack.copies for rank in "A23456789TJQK" for suit in "cdhs"}
    return Counter({**cards, "JK": rules.pack.jokers})


def cards_of(deal):
    return Counter(deal.stock) + Counter(card for hand in deal.hands.values() for card in hand)


@pytest.mark.parametrize("name", PRESETS)
@settings(max_examples=20)
@given(seed=st.integers(0, 2**128), number=numbers)
def test_a_deal_is_the_whole_pack(name, seed, number):
    """R2.1, R6.1: every card of the pack lies in a hand or in the stock."""
    rules = preset(name)
    deal = Deal(seed=seed, number=number, rules=rules)
    assert cards_of(deal) == +pack(rules)
    assert [len(hand) for hand in deal.hands.values()] == [rules.deal.hand] * rules.table.seats


def test_rule_6_1_fifteen_cards_each_and_a_stock_of_102():
    deal = Deal()
    assert [len(deal.hands[seat]) for seat in "NESW"] == [15] * 4
    assert len(deal.stock) == 102


@pytest.mark.parametrize("name", PRESETS)
@settings(max_examples=20)
@given(data=st.data())
def test_known_cards_lie_in_their_hands(name, data):
    rules = preset(name)
    seats = list(Deal(rules=rules).hands)
    cards = data.draw(st.permutations(list(pack(rules).elements())))
    sizes = data.draw(st.lists(st.integers(0, rules.deal.hand), min_size=len(seats), max_size=len(seats)))
    known = {}
    for seat, size in zip(seats, sizes, strict=True):
        known[seat], cards = Hand(cards[:size]), cards[size:]
    deal = Deal(seed=3, number=data.draw(numbers), hands=known, rules=rules)
    assert cards_of(deal) == +pack(rules)
    for seat, hand in deal.hands.items():
        assert len(hand) == rules.deal.hand
        assert Counter(known[seat]) <= Counter(hand)


def test_known_cards_may_be_texts_and_few_or_none():
    deal = Deal(seed=7, number=42, hands={"E": "Ah Kh", "S": ""})
    assert {"Ah", "Kh"} <= set(deal.hands["E"])
    assert Deal(seed=7, number=42, hands={}) == Deal(seed=7, number=42)
    # nothing known of South changes nothing, whoever has known cards
    assert deal == Deal(seed=7, number=42, hands={"E": "Ah Kh"})


@pytest.mark.parametrize(
    ("hands", "words"),
    [
        ({"E": "9c 9c 9c 9c"}, ("hand of E", "9c", "4 times", "the pack has 3")),
        ({"E": "9c 9c", "W": "9c 9c"}, ("hand of W", "9c", "4 times")),
        ({"E": "JK JK JK JK", "N": "JK JK JK"}, ("JK", "7 times", "the pack has 6")),
        ({"E": " ".join(f"{rank}{suit}" for rank in "3456" for suit in "cdhs")}, ("hand of E", "16 cards", "15")),
        ({"X": "9c"}, ("'X'", "no seat", "N E S W")),
        ({"E": "9x"}, ("9x",)),
    ],
)
def test_impossible_known_cards_are_refused(hands, words):
    with pytest.raises(InvalidCardError) as caught:
        Deal(hands=hands)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("name", ["seed", "number"])
@pytest.mark.parametrize("value", [-1, 1.0, 1.5, True, "1", None])
def test_an_address_is_two_whole_numbers(name, value):
    Deal(seed=1, number=1)  # that equal values were used before changes nothing
    with pytest.raises(ValueError, match=f"{name} is {value!r}: it must be a whole number from 0 up"):
        Deal(**{name: value})
    with pytest.raises(ValueError, match=r"number is 9223372036854775808: it must be a whole number from 0 to 9223372"):
        Deal(number=2**63)


def test_an_address_may_come_from_an_array():
    deal = Deal(seed=np.uint32(7), number=np.int64(42))
    assert deal == Deal(seed=7, number=42)
    assert (type(deal.seed), type(deal.number)) == (int, int)


def test_golden_deals():
    """The cards of 1,000 addresses, pinned: no change of the library may change a line."""
    lines = [line.split() for line in FILE.read_text().splitlines()]
    assert [(int(seed), int(number)) for seed, number, _ in lines] == ADDRESSES
    assert len(set(ADDRESSES)) == 1000
    assert len({cards for _, _, cards in lines}) == 1000
    assert [cards for _, _, cards in lines] == [digest(seed, number) for seed, number in ADDRESSES]


@given(number=numbers)
def test_a_deal_does_not_depend_on_those_before_it(number):
    deal = Deal(seed=7, number=number)
    for other in (0, 1, number // 2, max(number - 1, 0)):
        Deal(seed=7, number=other)
    assert Deal(seed=7, number=number) == deal


def test_a_deal_far_out_is_found_as_fast_as_the_first():
    def cost(numbers):
        began = time.perf_counter()
        for number in numbers:
            Deal(seed=7, number=number)
        return time.perf_counter() - began

    near, far = zip(*((cost(range(300)), cost(range(2**62, 2**62 + 300))) for _ in range(5)), strict=True)
    assert min(far) < 5 * min(near)


@pytest.mark.parametrize("change", [{"seed": 8}, {"number": 43}])
def test_another_address_is_another_deal(change):
    assert Deal(**{"seed": 7, "number": 42, **change}) != Deal(seed=7, number=42)


@pytest.mark.parametrize("dealer", "NESW")
def test_cards_belong_to_seats_not_to_the_dealer(dealer):
    deal = Deal(seed=7, number=42)
    assert Table(deal, dealer=dealer).hands == deal.hands


def test_options_of_play_do_not_change_the_cards():
    other = SITOUMUSSAMBA.replace(stock_end="immediate", permission=False, max_level=3)
    assert Deal(seed=7, number=42, rules=other) == Deal(seed=7, number=42)


@pytest.mark.parametrize("name", PRESETS)
def test_a_deal_round_trips(name):
    rules = preset(name)
    deal = Deal(seed=7, number=42, rules=rules)
    again = Deal.from_cards(deal.hands, " ".join(deal.stock), rules=rules)
    assert again == deal
    assert hash(again) == hash(deal)
    stored = pickle.loads(pickle.dumps(deal))
    assert stored == deal
    assert (stored.seed, stored.number) == (7, 42)
    assert repr(stored) == repr(deal) == "Deal(seed=7, number=42)"


def test_a_deal_of_given_cards_has_the_whole_pack():
    deal = Deal(seed=7, number=42)
    hands, stock = {seat: str(hand) for seat, hand in deal.hands.items()}, deal.stock
    with pytest.raises(InvalidCardError, match="161 cards: the pack has 162"):
        Deal.from_cards(hands, " ".join(stock[1:]))
    with pytest.raises(InvalidCardError, match=r"stands 4 times|stands 7 times"):
        Deal.from_cards(hands, " ".join([stock[-1]] * 7 + stock))
    with pytest.raises(InvalidCardError, match="N has 14 cards: 15 are dealt"):
        Deal.from_cards({**hands, "N": " ".join(list(deal.hands["N"])[1:])}, " ".join(stock))
