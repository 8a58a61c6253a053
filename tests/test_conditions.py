"""Conditions: what they say, that deals under them are exactly as likely as they should be, and what is refused."""

import itertools
import math
import pickle
import re
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, chisquare, multivariate_hypergeom

import sitoumus as sit
from sitoumus import _compile, _core, cli, conditions
from sitoumus.conditions import prepare
from sitoumus.errors import InvalidCardError, StudyError
from sitoumus.exact_dealing import CardSum, RankCount, SuitNumber, exact_tables
from sitoumus.notation import CARD_CODES

FIVE_HEARTS_TWO_JOKERS = (sit.east.run_h >= 5) & (sit.east.jokers == 2)
LONGEST, IN_RUNS = _compile.lane_features()
#: Below this the chi-square of a sound dealer falls once in a million runs; the seeds are fixed.
TAIL = 1e-6


# ---- exactness -------------------------------------------------------------------------------------------------------


def rows(mask):
    """Lengths of the rows of ranks on the circle, by the rank that they start at."""
    for start in range(13):
        n = 0
        while n < 13 and mask >> (start + n) % 13 & 1:
            n += 1
        yield n


def test_five_hearts_in_a_row_and_two_jokers_have_their_closed_form():
    """Found another way: the sets of ranks of the hearts, their copies counted by inclusion and exclusion."""
    ways = Counter()
    for mask in range(8192):
        if max(rows(mask)) >= 5:
            k = mask.bit_count()
            for n in range(k, 14):
                ways[n] += sum((-1) ** j * math.comb(k, j) * math.comb(3 * (k - j), n) for j in range(k + 1))
    count = math.comb(6, 2) * sum(w * math.comb(117, 13 - n) for n, w in ways.items())
    prepared = prepare(FIVE_HEARTS_TWO_JOKERS)
    assert prepared.exact
    assert prepared.chance == Fraction(count, math.comb(162, 15))
    assert f"{float(prepared.chance):.4e}" == "3.1072e-04"


def test_counts_of_cards_have_the_hypergeometric_law():
    law = multivariate_hypergeom(m=[6, 12, 12, 132], n=15)
    prepared = prepare("(north.jokers == 2) & (north.deuces == 1) & (north.aces == 3)")
    assert float(prepared.chance) == pytest.approx(law.pmf([2, 1, 3, 9]), rel=1e-12)


#: A small pack: three ranks that are a row over the king, two suits, two copies, two jokers.
SMALL = {**{16 * suit + rank: 2 for suit in (0, 2) for rank in (11, 12, 0)}, 64: 2}
#: Of some cards one or three copies are left, as where others are known to lie elsewhere.
UNEVEN = {11: 3, 12: 1, 0: 2, 32 + 11: 3, 32 + 12: 2, 32 + 0: 1, 64: 1}


def by_code(counts):
    return [counts.get(code, 0) for code in range(65)]


def small_hands(left, draw):
    """All hands of a small pack as {counts: ways}."""
    codes = sorted(left)
    for counts in itertools.product(*(range(left[code] + 1) for code in codes)):
        if sum(counts) == draw:
            yield dict(zip(codes, counts, strict=True)), math.prod(
                math.comb(left[code], n) for code, n in zip(codes, counts, strict=True)
            )


def value(number, hand):
    """A number of a hand, told from its definition."""
    if isinstance(number, CardSum):
        return sum(n * number.worth[code] for code, n in hand.items())
    if isinstance(number, RankCount):
        ranks = Counter()
        for code, n in hand.items():
            if code != 64:
                ranks[code % 16] += n
        return sum(number.least <= ranks[rank] <= number.most for rank in range(13) if rank not in (1, 2))
    masks = [sum(1 << code % 16 for code, n in hand.items() if n and code // 16 == suit) for suit in number.suits]
    return (max if number.highest else sum)(int(number.worth[mask]) for mask in masks)


def card_sum(*codes, worth=1, limit=99):
    return CardSum([worth * (code in codes) for code in range(65)], limit)


NUMBERS = {
    "run_h": SuitNumber((2,), LONGEST, False, 99),
    "longest_run": SuitNumber((0, 1, 2, 3), LONGEST, True, 99),
    "run_cards": SuitNumber((0, 1, 2, 3), IN_RUNS, False, 99),
    "jokers": card_sum(64),
    "aces": card_sum(0, 16, 32, 48),
    "kings": card_sum(12, 28, 44, 60),
    "points": CardSum([code % 5 for code in range(65)], 99),
    "pairs": RankCount(2, 2, 99),
    "fours": RankCount(4, 12, 99),
}
CONDITIONS = {
    "a row of three hearts": (("run_h",), lambda run: run >= 3),
    "a row of three and a joker": (("longest_run", "jokers"), lambda run, jokers: run >= 3 and jokers >= 1),
    "cards in rows or two aces": (("run_cards", "aces"), lambda cards, aces: cards >= 3 or aces == 2),
    "rows, aces and kings": (("run_h", "aces", "kings"), lambda run, aces, kings: run >= 2 and aces + kings == 3),
    "an odd number of points": (("points",), lambda points: points % 2 == 1),
    "points in rows": (("points", "run_h"), lambda points, run: points >= 5 and run != 2),
    "two pairs": (("pairs",), lambda pairs: pairs == 2),
    "pairs and kings": (("pairs", "kings", "jokers"), lambda pairs, kings, jokers: pairs >= 1 and kings > jokers),
    "four of a rank or none": (("fours",), lambda fours: fours != 1),
}


@pytest.mark.parametrize("left", [SMALL, UNEVEN], ids=["even", "uneven"])
@pytest.mark.parametrize("own", [{}, {11: 1, 64: 1}], ids=["nothing known", "two cards known"])
@pytest.mark.parametrize("name", CONDITIONS)
def test_every_hand_of_a_small_pack_is_as_likely_as_it_should_be(name, left, own):
    names, test = CONDITIONS[name]
    numbers = [NUMBERS[number] for number in names]
    draw = 5
    law = {
        tuple(hand[code] for code in sorted(left)): ways
        for hand, ways in small_hands(left, draw)
        if test(*(value(n, {c: hand.get(c, 0) + own.get(c, 0) for c in {*hand, *own}}) for n in numbers))
    }
    tables = exact_tables(by_code(left), by_code(own), draw, numbers, lambda key: test(*key))
    assert (tables.count, tables.total) == (sum(law.values()), math.comb(sum(left.values()), draw))
    dealer = _core.Dealer("small", sit.SITOUMUSSAMBA, {}, [1, 0, 2, 3], 1, [], [], tables, None, 1)
    n = 20_000
    counts, tries = np.empty((n, 4, 53), np.uint8), np.empty(n, np.int64)
    dealer.sample(2024, 0, n, counts, tries)
    places = [CARD_CODES.index(code) for code in sorted(left)]
    found = Counter(map(tuple, counts[:, 1][:, places].tolist()))
    assert set(found) <= set(law)
    assert (tries == 1).all()
    total = sum(law.values())
    common = [hand for hand, ways in law.items() if n * ways / total >= 5]
    expected = [n * law[hand] / total for hand in common]
    seen = [found[hand] for hand in common]
    if len(common) < len(law):
        expected.append(n - sum(expected))
        seen.append(n - sum(seen))
    assert chisquare(seen, np.array(expected) * n / sum(expected)).pvalue > TAIL


#: Conditions on one hand that simulation meets often enough to be compared.
PLAIN = [
    "east.run_h >= 4",
    "east.longest_run >= 5",
    "east.run_cards == 3",
    "(east.run_h >= 3) | (east.run_s >= 3)",
    "(east.run_h >= 3) & ~(east.jokers == 0)",
    "(east.deuces >= 2) & (east.longest_run >= 4)",
    "east.pairs >= 5",
    "(east.triples == 1) & (east.fours == 0)",
    "east.card_points >= 180",
    "east.hand_minus < 400",
    '(east.count("9") >= 2) & (east.count("h") <= 3)',
    "east.black_threes + east.red_threes - east.jokers == 1",
    "east.run_h > east.run_s",
    'east.holds("Ah Ah")',
]


@pytest.fixture(scope="module")
def many_hands():
    hands = sit.random_hands(60_000, seed=99)
    return hands, sit.features(hands)


@pytest.mark.parametrize("text", PLAIN)
def test_exact_probabilities_agree_with_plain_simulation(text, many_hands):
    hands, table = many_hands
    prepared = prepare(text)
    assert prepared.exact
    condition = prepared.condition

    def column(q):
        if q.what < len(_core.FEATURES):
            return table[_core.FEATURES[q.what]].astype(int)
        codes = {32: [16 * s + q.of for s in range(4)], 33: [16 * q.of + r for r in range(13)], 34: [q.of]}[q.what]
        return hands[:, [CARD_CODES.index(code) for code in codes]].sum(axis=1).astype(int)

    columns = {q: column(q) for q in set(condition._quantities())}
    share = np.mean([condition._true(lambda q, i=i: int(columns[q][i]), {}) for i in range(len(hands))])
    p = float(prepared.chance)
    assert abs(share - p) < 5 * math.sqrt(p * (1 - p) / len(hands))


@pytest.mark.parametrize("text", [*PLAIN, "(east.run_h >= 4) & (west.jokers >= 1) & (east.best_opening >= 90)"])
def test_deals_under_a_condition_fulfil_it_and_are_whole(text):
    condition = sit.parse_condition(text)
    for number in range(20):
        deal = sit.Deal(3, number, where=condition)
        assert condition.holds(deal.hands)
        cards = Counter(deal.stock)
        for hand in deal.hands.values():
            assert len(hand) == 15
            cards.update(hand.cards)
        assert cards == {card: 6 if card == "JK" else 3 for card in cards}
        assert len(cards) == 53


def test_the_law_of_the_other_cards_of_an_exact_hand_is_the_plain_one_given_the_condition():
    """Jokers of the others, given that East has two: hypergeometric; and East's spades given his hearts."""
    counts, _ = prepare(FIVE_HEARTS_TWO_JOKERS).sample(20_000, seed=5)
    others = counts[:, 3, 52]
    law = multivariate_hypergeom(m=[4, 143], n=15)
    expected = [20_000 * law.pmf([k, 15 - k]) for k in range(3)]
    seen = [int((others == k).sum()) for k in range(3)]
    assert chisquare([*seen, 20_000 - sum(seen)], [*expected, 20_000 - sum(expected)]).pvalue > TAIL
    assert counts[:, 1, 2:52:4].sum(axis=1).mean() == pytest.approx(6.462, abs=0.04)


def test_known_cards_elsewhere_change_the_odds_exactly():
    """North holds two jokers, East one: he draws 13 cards out of 156, three jokers among them."""
    known = {"N": "JK JK 9c 9d", "E": "JK Ah"}
    prepared = prepare("east.jokers == 2", hands=known)
    chance = Fraction(3 * math.comb(153, 12), math.comb(156, 13))
    assert prepared.exact
    assert prepared.chance == chance
    counts, _ = prepared.sample(500, seed=1)
    assert (counts[:, 1, 52] == 2).all()
    assert (counts[:, 0, 52] >= 2).all()
    assert (counts[:, 1, 2] >= 1).all()
    assert (counts.sum(axis=(1))[:, 52] <= 6).all()
    whole = sit.Deal(1, 4, hands={"E": "JK Ah ?13"}, where="east.jokers == 2").hands["E"]
    assert whole.count("JK") == 2
    assert "Ah" in whole


# ---- rejection -------------------------------------------------------------------------------------------------------


def test_a_failure_restarts_the_whole_deal():
    """East has three jokers or one, North at least one. Were only North dealt anew, East would hold three jokers as
    often as among all his hands; dealt rightly, less often, because then North finds fewer.
    """
    condition = ((sit.east.jokers == 3) | (sit.east.jokers == 1)) & (sit.north.jokers >= 1)
    ways, wrong = {}, {}
    for east in (1, 3):
        some = math.comb(6, east) * math.comb(156, 15 - east)
        north = 1 - Fraction(math.comb(147 - (6 - east), 15), math.comb(147, 15))
        ways[east], wrong[east] = some * north, some
    right = float(ways[3] / sum(ways.values()))
    biased = wrong[3] / sum(wrong.values())
    n = 60_000
    prepared = prepare(condition)
    assert not prepared.exact
    assert str(prepared.exact_part) == "(east.jokers == 3) | (east.jokers == 1)"
    counts, tries = prepared.sample(n, seed=8)
    share = (counts[:, 1, 52] == 3).mean()
    error = math.sqrt(right * (1 - right) / n)
    assert abs(share - right) < 5 * error
    assert abs(share - biased) > 5 * error
    assert tries.mean() == pytest.approx(sum(wrong.values()) / float(sum(ways.values())), rel=0.03)
    assert tries.min() == 1


def test_trying_and_exact_dealing_have_the_same_law():
    """The same condition, once exact and once hidden from the tables by a part that speaks of two hands."""
    exact = prepare("east.run_h >= 3")
    tried = prepare("(east.run_h >= 3) & (north.jokers + east.jokers + south.jokers + west.jokers <= 6)")
    hidden = prepare("(east.run_h >= 3) | (east.jokers + north.jokers > 12)")
    assert exact.exact
    assert hidden.exact_part is None
    assert tried.exact_part is not None
    p, (low, high) = hidden.probability(40_000)
    assert low < float(exact.chance) < high
    assert low < p < high
    a, b = (p.sample(20_000, seed=4)[0][:, 1, 2:52:4].sum(axis=1) for p in (exact, hidden))
    values = range(3, 9)
    both = np.array([[(x == v).sum() for v in values] for x in (a, b)])
    assert chi2_contingency(both).pvalue > TAIL


def test_the_probability_of_a_part_that_is_tried_multiplies_the_exact_part():
    prepared = prepare((sit.east.run_h >= 4) & (sit.west.jokers >= 1))
    p, (low, high) = prepared.probability(20_000, seed=3)
    truth = float(prepare("(east.run_h >= 4)").chance) * (1 - float(prepare("west.jokers == 0").chance))
    assert low < p < high
    assert low * 0.98 < truth < high * 1.02
    assert high < float(prepare("east.run_h >= 4").chance)


def test_rows_are_the_same_for_any_split():
    prepared = prepare("(east.run_h >= 4) & (west.jokers >= 1)")
    whole, tries = prepared.sample(50, seed=6)
    for start, stop in ((0, 1), (1, 20), (20, 50)):
        part, part_tries = prepared.sample(stop - start, seed=6, start=start)
        assert (part == whole[start:stop]).all()
        assert (part_tries == tries[start:stop]).all()
    deal = sit.Deal(6, 33, where="(east.run_h >= 4) & (west.jokers >= 1)")
    for i, seat in enumerate("NESW"):
        assert sit.Hand(deal.hands[seat]) == sit.Hand(_core.hand_texts(whole[33, i : i + 1])[0])


def test_simulation_plays_the_deals_of_the_condition():
    where = sit.east.jokers >= 3
    df = sit.simulate(30, seed=2, policies="random", where=where, features=True, threads=2, chunk=7, progress=False)
    again = sit.simulate(20, seed=2, policies="random", where=str(where), start=10, threads=1, progress=False)
    assert (df["jokers_e"] >= 3).all()
    assert df.attrs["where"] == "east.jokers >= 3"
    shared = list(again.columns)
    assert df[shared][10:].reset_index(drop=True).equals(again)
    assert sit.replay(df, 4).score.ns == df["score_ns"][4]


def reference_hand(tables, words):
    """Draw from the tables in Python, word for word as engine/exact.pxd describes; `words` are the raw 64-bit words."""
    half = []

    def below64(n):
        x = next(words)
        while x * n % 2**64 < 2**64 % n:
            x = next(words)
        return x * n >> 64

    def below32(n):
        def draw():
            if not half:
                x = next(words)
                half.append(x >> 32)
                return x % 2**32
            return half.pop()

        x = draw()
        while x * n % 2**32 < 2**32 % n:
            x = draw()
        return x * n >> 32

    def below128(n):
        while True:
            high = next(words) % (1 << (n >> 64).bit_length())
            x = high << 64 | next(words)
            if x < n:
                return x

    def ways(cards, extra):
        k2 = sum(1 for c in cards if tables.left2 >> c & 1 and not tables.left3 >> c & 1)
        k3 = sum(1 for c in cards if tables.left3 >> c & 1)
        return int(tables.copies[k2, k3, extra]) if extra >= 0 else 0

    hand = Counter()
    node = tables.nodes[0]
    for shift in tables.shifts:
        options = tables.options[node["first"] : node["first"] + node["n"]]
        total = int(node["high"]) << 64 | int(node["low"])
        x = 0 if len(options) == 1 else below128(total) if total >> 64 else below64(total)
        option = next(o for o in options if x < (int(o["high"]) << 64 | int(o["low"])))
        node, klass = tables.nodes[option["node"]], tables.classes[option["klass"]]
        x = below64(int(klass["ways"])) if klass["ways"] > 1 else 0
        for cell in tables.cells[klass["first"] : klass["first"] + klass["n"]]:
            if x < int(cell["ways"]):
                break
            x -= int(cell["ways"])
        parts = tables.parts[cell["first"] : cell["first"] + cell["n"]]
        if not cell["n_masks"]:
            for part in parts:
                bag = tables.bags[part["bag"] : part["bag"] + part["size"]].tolist()
                for _ in range(part["take"]):
                    j = below32(len(bag))
                    hand[bag[j]] += 1
                    bag[j] = bag[-1]
                    bag.pop()
            continue
        which, x = divmod(x, int(cell["each"]))
        cards = [shift + r for r in range(13) if int(tables.masks[cell["mask"] + which]) >> r & 1]
        hand.update(cards)
        for part in parts:
            x, y = divmod(x, int(part["ways"]))
            mine, extra = [c for c in cards if int(part["cards"]) >> c & 1], int(part["take"])
            while extra:
                card, *mine = mine
                copies = 1 + (tables.left2 >> card & 1) + (tables.left3 >> card & 1)
                for n in range(1, copies + 1):
                    some = math.comb(copies, n) * ways(mine, extra - n + 1)
                    if y < some:
                        break
                    y -= some
                y //= math.comb(copies, n)
                hand[card] += n - 1
                extra -= n - 1
    return hand


@pytest.mark.parametrize("text", ["(east.run_h >= 5) & (east.jokers == 2)", "east.longest_run >= 5", "east.pairs >= 4"])
def test_the_documented_generator_gives_the_same_hands_word_for_word(text):
    prepared = prepare(text)
    left, size = _core.pack_left({})
    parts = tuple(conditions._conjuncts(prepared.condition))
    tables = next(t for _, _, t in conditions._exact_ways(parts, _core.known_cards({}), prepared.rules))
    counts, _ = prepared.sample(40, seed=11)
    key = np.random.SeedSequence(11).generate_state(2, np.uint64)
    for number in range(40):
        philox = np.random.Philox(key=key, counter=[0, 7, number, 0])
        words = (int(word) for word in iter(philox.random_raw, None))
        hand = reference_hand(tables, words)
        assert [hand[code] for code in CARD_CODES] == counts[number, 1].tolist()
        assert hand.total() == size
    assert sum(left) == 162


# ---- expressions -----------------------------------------------------------------------------------------------------


def number_texts():
    seats = st.sampled_from(["north", "east", "south", "west"])
    names = st.sampled_from([*_core.FEATURES, 'count("9")', 'count("9s")', 'count("h")', 'count("JK")'])
    one = st.builds(lambda seat, name: f"{seat}.{name}", seats, names)
    scaled = st.builds(lambda n, text: f"{n} * {text}", st.integers(2, 9), one)
    return st.one_of(one, scaled, st.builds(lambda a, b: f"{a} - {b}", one, one))


def condition_texts():
    signs = st.sampled_from(["<", "<=", "==", "!=", ">=", ">"])
    leaf = st.builds(lambda a, s, n: f"{a} {s} {n}", number_texts(), signs, st.integers(-3, 200))
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.builds(lambda a, b: f"({a}) & ({b})", inner, inner),
            st.builds(lambda a, b: f"({a}) | ({b})", inner, inner),
            st.builds(lambda a: f"~({a})", inner),
        ),
        max_leaves=6,
    )


@given(condition_texts(), st.integers(0, 10**6))
@settings(max_examples=60)
def test_text_round_trips_and_the_core_says_the_same_as_python(text, number):
    condition = sit.parse_condition(text)
    assert sit.parse_condition(repr(condition)) == condition
    assert repr(sit.parse_condition(repr(condition))) == repr(condition)
    assert pickle.loads(pickle.dumps(condition)) == condition
    assert hash(pickle.loads(pickle.dumps(condition))) == hash(condition)
    # A part that speaks of all hands, and is true, keeps the tables out: the core asks its program of the same deal.
    everywhere = sit.north.jokers + sit.south.jokers + sit.east.jokers + sit.west.jokers
    kept = prepare((condition | (everywhere > 6)) & (everywhere <= 6)).dealer.kept(number, 0, 1)
    assert condition.holds(sit.Deal(number, 0, where=everywhere <= 6).hands) == bool(kept)


def test_precedence_and_words_are_read_as_in_python():
    read = sit.parse_condition
    assert read("sit.east.jokers >= 1 and not north.aces == 2 or west.run_h > 3") == (
        ((sit.east.jokers >= 1) & ~(sit.north.aces == 2)) | (sit.west.run_h > 3)
    )
    assert str(read("90 <= east.best_opening < 120")) == "(90 <= east.best_opening) & (east.best_opening < 120)"
    assert str(3 <= sit.east.run_h) == "east.run_h >= 3"
    assert str(2 * sit.east.jokers - sit.west.jokers + 1 >= 4) == "2 * east.jokers - west.jokers + 1 >= 4"


def test_features_alone_are_what_they_are_together():
    for cards in _core.hand_texts(sit.random_hands(200, seed=3)):
        hand = sit.Hand(cards)
        assert {name: _core.quantity(hand, i) for i, name in enumerate(_core.FEATURES)} == hand.features()


def test_relative_seats_are_turned_to_the_seat_of_the_study():
    condition = (sit.partner.run_h >= 4) & (sit.lho.jokers == 0) & (sit.rho.jokers == 0) & (sit.me.aces > 1)
    assert str(condition.at("E")) == (
        "(west.run_h >= 4) & (south.jokers == 0) & (north.jokers == 0) & (east.aces > 1)"
    )
    with pytest.raises(StudyError, match="a game of 3 has none"):
        condition.at("N", sit.FINNISH_CANASTA_3P)
    with pytest.raises(StudyError, match="needs a study with a seat"):
        sit.Deal(0, 0, where=condition)


def test_python_functions_serve_as_conditions():
    def same_jokers(hands):
        return hands["N"].count("JK") == hands["S"].count("JK")

    deal = sit.Deal(1, 1, where=(sit.east.run_h >= 4) & same_jokers)
    assert same_jokers(deal.hands)
    assert deal.hands["E"].features()["run_h"] >= 4
    assert sit.Deal(1, 1, where=lambda hands: hands["N"].count("JK") == 3).hands["N"].count("JK") == 3
    assert sit.Deal(1, 1, where=lambda hands: hands["N"].count("JK") == 2).hands["N"].count("JK") == 2

    def fails(hands):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        sit.Deal(1, 1, where=fails)


def test_equal_texts_are_equal_conditions():
    a, b = sit.east.jokers >= 1, sit.parse_condition("east.jokers >= 1")
    assert a == b
    assert a.hash == b.hash
    assert len({a, b}) == 1
    assert re.fullmatch("[0-9a-f]{12}", a.hash)
    assert a != (sit.east.jokers >= 2)
    assert (a & (lambda hands: True)) != (a & (lambda hands: False))


# ---- shown -----------------------------------------------------------------------------------------------------------


def test_a_condition_is_shown_with_its_exact_probability_and_hands():
    shown = sit.show_condition(FIVE_HEARTS_TWO_JOKERS, deals=200)
    assert shown.exact
    assert shown.probability == float(shown.fraction)
    assert shown.interval == (shown.probability, shown.probability)
    assert (shown.tried, shown.kept, shown.seat) == (200, 200, "E")
    assert len(shown.hands) == 20
    assert [deal.hands["E"] for deal in shown.deals] == shown.hands
    assert all(hand.count("JK") == 2 and hand.features()["run_h"] >= 5 for hand in shown.hands)
    assert (shown.frame["run_h_e"] >= 5).all()
    assert [hand.features()["best_opening"] for hand in shown.hands] == shown.frame["best_opening_e"][:20].tolist()
    text = str(shown)
    assert text.splitlines()[0] == "condition: (east.run_h >= 5) & (east.jokers == 2)"
    assert "1 deal in 3,218" in text
    assert max(map(len, text.splitlines())) <= 100
    assert shown.to_dict()["where"] == str(FIVE_HEARTS_TWO_JOKERS)
    assert sit.parse_condition(shown.provenance["where"]).hash == shown.provenance["where_hash"]


def test_a_condition_that_is_tried_is_shown_with_an_interval():
    where = (sit.partner.run_h >= 4) & (sit.me.best_opening >= 90)
    shown = sit.show_condition(where, seat="N", deals=100, tries=5_000, hands={"N": "JK ?14"})
    low, high = shown.interval
    assert not shown.exact
    assert shown.fraction is None
    assert 0 < low < shown.probability < high < 1
    assert shown.tried > shown.kept == 100
    assert all("JK" in hand for hand in shown.hands)
    assert {"run_h_s", "best_opening_n"} <= set(shown.shown)
    assert max(map(len, str(shown).splitlines())) <= 100
    for bad in ({"deals": 0}, {"tries": 0}):
        with pytest.raises(StudyError, match=r"is 0: it must be a whole number from 1 up"):
            sit.show_condition(where, seat="N", **bad)


def test_a_condition_is_drawn():
    pytest.importorskip("matplotlib")
    shown = sit.show_condition(sit.east.jokers >= 2, deals=50)
    assert len(shown.plot()) == len(shown.shown) == 6
    assert shown.plot(feature="pairs_e").get_title() == "pairs_e"
    with pytest.raises(StudyError, match="feature is 'fun'"):
        shown.plot(feature="fun")


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("east.jokers", "is a number: compare it"),
        ("east.joker >= 1", "did you mean jokers"),
        ("up.jokers >= 1", "'up' at place 1 is no seat"),
        ("east.jokers >=", "cannot be read at place"),
        ("east.jokers >= 1 & east.aces >= 1", "put each comparison in parentheses"),
        ("east.jokers in (1, 2)", "cannot be read"),
        ('east.count("1x") >= 1', "is no card"),
        ("east.jokers >= 1.5", "'1.5' at place 16"),
        ("__import__('os')", "is neither a number"),
        ("east.jokers >= 99999999999", "too large"),
        ("", "cannot be read at place 1"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text, words):
    with pytest.raises(StudyError, match=re.escape(words)):
        sit.parse_condition(text)


def test_a_condition_has_no_truth_value():
    with pytest.raises(StudyError, match="join conditions with & | ~".replace("|", r"\|")):
        bool(sit.east.jokers >= 1)
    with pytest.raises(StudyError, match="compare it"):
        bool(sit.east.jokers)
    with pytest.raises(StudyError, match="no truth value"):
        _ = 1 <= sit.east.jokers <= 3


@pytest.mark.parametrize("where", ["east.jokers >= 7", "east.run_h >= 14", "(east.jokers == 2) & (east.jokers == 3)"])
def test_an_empty_condition_is_refused_by_name(where):
    with pytest.raises(StudyError, match=f"^empty condition: no hand of E fulfils {re.escape(where)}$"):
        prepare(where)


def test_known_cards_may_make_a_condition_empty():
    with pytest.raises(StudyError, match="together with the cards given"):
        prepare("east.jokers == 0", hands={"E": "JK"})
    with pytest.raises(StudyError, match=r"no hand of W fulfils west.jokers >= 1"):
        prepare("west.jokers >= 1", hands={"E": "JK JK JK JK JK JK"})
    with pytest.raises(InvalidCardError, match=r"2 cards and \?14 are not 15"):
        sit.Deal(1, 1, hands={"E": "JK Ah ?14"})


def test_trying_ends_with_an_error_that_names_the_condition(monkeypatch):
    monkeypatch.setattr("sitoumus.conditions.TRIES", 1_000)
    with pytest.raises(StudyError, match=r"none of 1,000 deals fulfils north.jokers \+ south.jokers >= 7"):
        sit.Deal(1, 1, where=sit.north.jokers + sit.south.jokers >= 7)


@pytest.mark.parametrize("where", [3, sit.east.jokers, ["east.jokers >= 1"]])
def test_what_is_no_condition_is_refused(where):
    with pytest.raises(StudyError, match=r"is no condition|is a number, not a condition"):
        prepare(where)


def test_a_game_without_the_seat_refuses():
    with pytest.raises(StudyError, match="speaks of west: seats of this game are N S"):
        prepare("west.jokers >= 1", rules=sit.FINNISH_CANASTA_2P)


def test_odds_are_asked_under_conditions():
    hand = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"
    odds = sit.contract_odds(
        hand,
        ["2H"],
        deals=20,
        policies="random",
        where=(sit.partner.run_h >= 3) & (sit.lho.jokers + sit.rho.jokers >= 1),
        hands={"N": "2d ?14"},
        progress=False,
    )
    assert odds.condition["where"] == "(west.run_h >= 3) & (south.jokers + north.jokers >= 1)"
    assert odds.condition["tried"] >= odds.condition["kept"] == 20
    assert not odds.condition["exact"]
    assert odds.to_dict()["condition"] == odds.condition
    assert any(line.startswith("where (west.run_h >= 3)") for line in odds.heading())
    assert "N holds 2d" in odds.heading()
    assert max(map(len, str(odds).splitlines())) <= 100
    plain = sit.contract_odds(hand, ["2H"], deals=20, policies="random", progress=False)
    assert plain.condition is None
    assert "condition" not in plain.to_dict()
    with pytest.raises(StudyError, match="hands names E, who holds the hand"):
        sit.contract_odds(hand, ["2H"], deals=20, hands={"E": "JK"}, progress=False)


def test_the_command_line_takes_conditions(capsys):
    common = ["simulate", "20", "--policies", "random", "--no-progress", "--where"]
    assert cli.run([*common, "north.jokers >= 4", "--features", "--csv"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    place = head.split(",").index("jokers_n")
    assert len(lines) == 20
    assert all(int(line.split(",")[place]) >= 4 for line in lines)
    assert cli.run([*common, "north.jokers >= 7"]) == 2
    assert capsys.readouterr().err == "sitoumus: empty condition: no hand of N fulfils north.jokers >= 7\n"
