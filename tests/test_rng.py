"""Random numbers: Philox4x64-10 word for word as NumPy has it, bounded whole numbers, the shuffle as it is written."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from sitoumus._core import Deal, bounded_draws, philox_words
from sitoumus.rules import PRESETS, preset

words = st.integers(0, 2**64 - 1)
KEY, COUNTER = (11, 2**63 + 5), (0, 1, 42, 0)


class PaperStream:
    """The streams as the documentation writes them, on NumPy's words."""

    def __init__(self, key, counter):
        self.source = np.random.Philox(key=np.array(key, np.uint64), counter=np.array(counter, np.uint64))
        self.half = None

    def next32(self):
        """Half a word, the low half first."""
        if self.half is not None:
            high, self.half = self.half, None
            return high
        word = int(self.source.random_raw())
        self.half = word >> 32
        return word & (2**32 - 1)

    def bounded(self, n):
        """Lemire: multiply by n, take the high word; redraw while the low one is below 2**32 mod n."""
        while True:
            product = self.next32() * n
            if product & (2**32 - 1) >= 2**32 % n:
                return product >> 32

    def shuffle(self, cards):
        """Fisher and Yates from the top: for i = n - 1 .. 1 swap card i with card bounded(i + 1)."""
        for i in range(len(cards) - 1, 0, -1):
            j = self.bounded(i + 1)
            cards[i], cards[j] = cards[j], cards[i]


@given(key=st.tuples(words, words), counter=st.tuples(words, words, words, words), n=st.integers(0, 40))
def test_words_are_those_of_numpy(key, counter, n):
    theirs = np.random.Philox(key=np.array(key, np.uint64), counter=np.array(counter, np.uint64)).random_raw(n)
    assert philox_words(key, counter, n) == theirs.tolist()


@pytest.mark.parametrize("full", range(1, 5))
def test_the_counter_carries_into_the_next_word(full):
    counter = (2**64 - 1,) * full + (7,) * (4 - full)
    theirs = np.random.Philox(key=np.array(KEY, np.uint64), counter=np.array(counter, np.uint64)).random_raw(12)
    assert philox_words(KEY, counter, 12) == theirs.tolist()


@given(
    key=st.tuples(words, words),
    bound=st.one_of(st.integers(1, 200), st.integers(1, 2**32 - 1), st.sampled_from([2**31, 2**31 + 1, 3 * 2**30])),
)
def test_bounded_numbers_are_those_of_the_written_method(key, bound):
    stream = PaperStream(key, COUNTER)
    assert bounded_draws(key, COUNTER, bound, 50) == [stream.bounded(bound) for _ in range(50)]


@pytest.mark.parametrize("bound", [2, 3, 5, 6, 13, 53, 162])
def test_bounded_numbers_are_even(bound):
    counts = np.bincount(bounded_draws(KEY, COUNTER, bound, 400_000), minlength=bound)
    assert len(counts) == bound
    assert chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize("bound", [3 * 2**30, 2**31 + 1, 5 * 2**29])
def test_a_bound_near_the_word_is_even_too(bound):
    """Without the rejection the remainders modulo 3 of 3 * 2**30 would stand 2 : 1 : 1."""
    draws = np.array(bounded_draws(KEY, COUNTER, bound, 200_000))
    assert draws.max() < bound
    for parts in (2, 3, 7):
        assert chisquare(np.bincount(draws % parts)).pvalue > 1e-4
        assert chisquare(np.histogram(draws, parts, (0, bound))[0]).pvalue > 1e-4


def test_a_bound_of_one_draws_zero_and_zero_is_refused():
    assert bounded_draws(KEY, COUNTER, 1, 5) == [0] * 5
    with pytest.raises(ValueError, match="bound is 0"):
        bounded_draws(KEY, COUNTER, 0, 1)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("number", [0, 42, 2**62 + 1])
def test_a_deal_is_the_written_shuffle_of_the_pack(name, number):
    """Purpose 0, the deal's number in the third word; hands from the front, seat by seat, then the stock."""
    rules = preset(name)
    pack = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs" for _ in range(rules.pack.copies)]
    pack += ["JK"] * rules.pack.jokers
    PaperStream(np.random.SeedSequence(7).generate_state(2, np.uint64), (0, 0, number, 0)).shuffle(pack)
    deal, size = Deal(seed=7, number=number, rules=rules), rules.deal.hand
    for i, hand in enumerate(deal.hands.values()):
        assert sorted(hand) == sorted(pack[i * size : (i + 1) * size])
    assert deal.stock == pack[rules.table.seats * size :]


def test_the_rest_of_a_deal_with_known_cards_is_a_stream_of_its_own():
    """Purpose 2; the known cards lie in their hand, the rest of the pack is shuffled and dealt on."""
    known = "Ah Kh Qh JK JK"
    pack = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs" for _ in range(3)] + ["JK"] * 6
    for card in known.split():
        pack.remove(card)
    PaperStream(np.random.SeedSequence(7).generate_state(2, np.uint64), (0, 2, 42, 0)).shuffle(pack)
    deal = Deal(seed=7, number=42, hands={"E": known})
    assert sorted(deal.hands["N"]) == sorted(pack[:15])
    assert sorted(deal.hands["E"]) == sorted(known.split() + pack[15:25])
    assert deal.stock == pack[55:]


def test_every_card_comes_to_every_place_equally_often():
    """The first stock card over many deals: 53 different cards, jokers twice as often as three copies."""
    first = [Deal(seed=1, number=number).stock[0] for number in range(20_000)]
    cards, counts = np.unique(first, return_counts=True)
    expected = [20_000 * (6 if card == "JK" else 3) / 162 for card in cards]
    assert len(cards) == 53
    assert chisquare(counts, expected).pvalue > 1e-4
