"""What holds at every state of random play, in every game and under every option of the main game."""

import copy
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from walks import RULES, all_cards, cards_by_place, choose, fresh_table, late_table, states, walk

from sitoumus._core import Hand, Table
from sitoumus._testing import perft
from sitoumus.notation import parse_cards
from sitoumus.position import position_toml

every_game = pytest.mark.parametrize("name", RULES)


def expected_change(table, text, before, after):
    """How the numbers of cards by place have to change with a step, from the words of the rules."""
    rules, verb = table.rules, text.split()[0]
    named = len(parse_cards(text.split(">")[0].split("locks")[0].split()[1:])) if verb not in ("merge",) else 0
    change = dict.fromkeys(before, 0)
    bonus = after["bonus"] - before["bonus"]
    turned = after["pile"] - before["pile"]
    if verb in ("draw", "extra"):  # R10.1, R10.2, C37; bonus cards are laid and replaced (F1)
        wanted = rules.draw.stock if verb == "draw" else rules.draw.after_pile
        drawn = min(wanted, before["stock"] - bonus)
        change |= {"hands": drawn, "bonus": bonus, "stock": -drawn - bonus}
        assert bonus == 0 or rules.bonus.cards
    elif verb == "take":  # R10.4: the hand gets all but the top card, which is melded with the named ones
        taken = -turned
        assert taken >= 1
        assert taken == before["pile"] or table.frozen  # R24.7
        change |= {"hands": taken - 1 - named, "melds": named + 1, "pile": -taken}
    elif verb in ("meld", "add"):
        change |= {"hands": -named, "melds": named}
        assert named == 1 or verb == "meld"
    elif verb == "buy":  # R21.3
        change |= {"bought": 1, "stock": -1}
    elif verb == "discard":
        change |= {"hands": -1, "pile": 1}
    elif verb in ("pass", "double", "done", "fail") and turned:  # R6.2: after the auction and the declarer's opening
        change |= {"pile": 1, "stock": -1}
        assert table.phase in ("auction", "opening")
        assert before["pile"] == 0
    return change


def kind_of(meld, rules):
    return next(kind for kind in rules.melds if kind.id == meld.kind)


def rank_of_set(meld, rules):
    """The rank of a set, from 0; None for other melds."""
    if kind_of(meld, rules).shape != "set":
        return None
    ranks = {card[0] for card in meld.cards if card != "JK"}
    return "A23456789TJQK".index((ranks - {"2"} or ranks).pop())


def check_melds(table):
    """What is kept of the melds, counted again from the melds."""
    for side in table.compiled.sides:
        melds = dict(enumerate(table.melds(side), 1))
        growing = [i for i, meld in melds.items() if not meld.complete]
        running = [i for i in growing if kind_of(melds[i], table.rules).shape == "run"]
        young, old = [0] * 13, [0] * 13
        for i, meld in melds.items():
            rank = rank_of_set(meld, table.rules)
            if rank is not None:
                (young if i in growing else old)[rank] += 1
        assert table._known_of_melds(side) == (growing, running, young, old)
    laid = [card for side in table.compiled.sides for meld in table.melds(side) for card in meld.cards]
    assert table._face_up() == (Hand(laid), Hand(table.pile))


def check_step(table, text):
    """Push one step, look at what it did, take it back."""
    places = cards_by_place(table)
    size = {place: len(cards) for place, cards in places.items()}
    who, turns, melds = table.turn, table.turns, sum(len(table.melds(side)) for side in table.compiled.sides)
    before = table.copy()
    table.push(text)
    try:
        check_melds(table)
        after = cards_by_place(table)
        assert all_cards(after) == all_cards(places), "R2.1: cards are conserved"
        now = {place: len(cards) for place, cards in after.items()}
        assert {place: now[place] - size[place] for place in size} == expected_change(before, text, size, now)
        assert table.actions[-1] == text
        new = sum(len(table.melds(side)) for side in table.compiled.sides) - melds
        verb = text.split()[0]
        assert new == {"meld": 1, "merge": -1, "take": 0 if ">" in text else 1}.get(verb, 0)
        if verb == "discard":  # R19.1, R9.14
            assert table.turns == turns + 1
            assert table.phase in ("draw", "over")
            seats = table.compiled.seats
            assert table.phase == "over" or table.turn == seats[(seats.index(who) + 1) % len(seats)]
            assert table.phase == "over" or len(table.hand(who)) >= 1
    finally:
        table.pop()
    assert table == before
    assert hash(table) == hash(before)


def spelled_otherwise(text, rng):
    """The same action with its cards in another order, in lower case, with more blanks."""
    head, *tail = text.split(" > ")
    words, locks = head.split(), []
    if "locks" in words[-1]:
        locks = [words.pop()]
    verb, *cards = words
    rng.shuffle(cards)
    return "  ".join([verb, *cards, *([">", *tail] if tail else []), *locks]).lower()


def check_state(table, rng):
    """All that a state by itself has to fulfil."""
    legal = list(table.legal_actions)
    assert bool(legal) == (table.phase != "over")
    assert (table.ended is None) == (table.phase != "over")
    assert len(set(legal)) == len(legal) == len(table.legal_actions) == perft(table, 1)
    assert legal == list(table.view(table.turn).legal_actions)
    for text in legal:
        assert text in table.legal_actions
    position = table.to_position()
    for text in legal if len(legal) < 12 else rng.sample(legal, 12):
        check_step(table, text)
        if "merge" not in text:
            assert table.after(spelled_otherwise(text, rng)) == table.after(text)
    assert table.to_position() == position
    assert list(table.legal_actions) == legal
    check_position(table)


def check_position(table):
    """The position as text is the whole position, also in mid-turn."""
    position = table.to_position()
    again = Table.from_position(position, rules=table.rules)
    check_melds(again)
    assert again.to_position() == position
    assert list(again.legal_actions) == list(table.legal_actions)
    assert again._to_state() == table._to_state()
    assert [again.opened(side) for side in again.compiled.sides] == [
        table.opened(side) for side in again.compiled.sides
    ]
    assert str(again) == str(table)
    if table.phase == "over":
        assert again.score() == table.score()


@every_game
def test_every_state_of_a_deal(name):
    rng = random.Random(f"deals {name}")
    rules = RULES[name]
    bound = 2 * (52 * rules.pack.copies + rules.pack.jokers) - rules.table.seats * rules.deal.hand
    for make in (fresh_table, late_table, late_table, late_table):
        table = make(rules, rng)
        start, pushed = table.copy(), 0
        for state in walk(table, rng):
            check_melds(state)
            if rng.random() < 0.25 or state.phase in ("opening", "taken", "reply", "over"):
                check_state(state, rng)
            pushed += 1
        assert table.turns <= bound, "D25: a turn draws a stock card or melds a pile card"
        assert len(table.actions) - len(start.actions) == pushed - 1
        for _ in range(pushed - 1):
            table.pop()
        assert table == start


def test_rule_d25_a_deal_of_the_main_game_has_at_most_264_turns():
    rules = RULES["sitoumussamba"]
    assert 2 * (52 * rules.pack.copies + rules.pack.jokers) - rules.table.seats * rules.deal.hand == 264


@pytest.mark.parametrize("doubled", ["", " doubled"])
@pytest.mark.parametrize("declarer", "NESW")
@pytest.mark.parametrize("dealer", "NESW")
def test_a_contract_without_its_auction_is_the_only_bid(dealer, declarer, doubled):
    table = Table.from_position({"dealer": dealer, "contract": f"2H by {declarer}{doubled}"})
    before = ("NESW".index(declarer) - "NESW".index(dealer) - 1) % 4
    assert table.calls == (*["pass"] * before, "2H", *(["double"] if doubled else ["pass"] * 3))
    check_position(table)


@every_game
def test_a_position_as_toml_is_the_position(name):
    for table in states(name, "toml", 6):
        again = Table.from_position(position_toml(table.to_position()), rules=table.rules)
        assert again.to_position() == table.to_position()
        assert list(again.legal_actions) == list(table.legal_actions)


def play_both(table, other, rng):
    """Play two tables to the end by the same actions; they must not part."""
    while True:
        legal = list(table.legal_actions)
        assert (other.phase, other.turn) == (table.phase, table.turn)
        assert list(other.legal_actions) == legal
        assert other._to_state() == table._to_state()
        if table.phase == "over":
            assert other.score() == table.score()
            assert other.winner == table.winner
            return
        text = choose(table, legal, rng, "eager")
        table.push(text)
        other.push(text)


@every_game
def test_a_position_plays_on_as_the_table_does(name):
    for number, table in enumerate(states(name, "play on", 6)):
        again = Table.from_position(table.to_position(), rules=table.rules)
        play_both(table, again, random.Random(number))


@every_game
def test_a_pickle_plays_on_as_the_table_does(name):
    for number, table in enumerate(states(name, "pickle", 6)):
        again = pickle.loads(pickle.dumps(table))
        assert again == table
        assert hash(again) == hash(table)
        assert again.actions == table.actions
        assert again.deal == table.deal
        assert (again.seed, again.number, again.rules) == (table.seed, table.number, table.rules)
        play_both(table, again, random.Random(number))
        assert again == table
        for _ in range(len(again.actions)):
            again.pop()
        assert again.actions == []


@every_game
@pytest.mark.parametrize("how", [Table.copy, copy.copy, copy.deepcopy])
def test_a_copy_is_independent(name, how):
    for number, table in enumerate(states(name, "copy", 4)):
        before, position = pickle.dumps(table), table.to_position()
        other = how(table)
        assert other == table
        assert other is not table
        assert other.actions == table.actions
        for state in walk(other, random.Random(number)):
            assert state is other
        while other.actions:
            other.pop()
        assert table.to_position() == position
        assert pickle.dumps(table) == before


@given(
    name=st.sampled_from(list(RULES)),
    seed=st.integers(0, 2**32),
    late=st.booleans(),
    choices=st.lists(st.integers(0, 2**16), max_size=60),
)
def test_any_row_of_legal_actions_can_be_played_and_taken_back(name, seed, late, choices):
    """Here hypothesis chooses each action, so that a row that fails is shown at its shortest."""
    table = (late_table if late else fresh_table)(RULES[name], random.Random(seed))
    cards = all_cards(cards_by_place(table))
    trail = [table.copy()]
    for choice in choices:
        legal = table.legal_actions
        if table.phase == "over":
            break
        table.push(legal[choice % len(legal)])
        trail.append(table.copy())
        check_position(table)
        assert all_cards(cards_by_place(table)) == cards
    for before in reversed(trail):
        assert table == before
        if before is not trail[0]:
            table.pop()
