"""D22: what a seat may do and may see never depends on cards that it may not know.

Two ways to make tables that differ in hidden cards only: a position with the hidden cards exchanged, and a whole deal
played again with other cards dealt, where the history is the same too.
"""

import pickle
import random
from collections import Counter

import pytest
from walks import RULES, fresh_table, states, walk

from sitoumus._core import Deal, Players, Table, played, policy_view, told
from sitoumus.errors import IllegalActionError
from sitoumus.policies import RolloutPolicy

every_game = pytest.mark.parametrize("name", RULES)


def without_cards_of_others(table, seat, rng):
    """The same position with the other hands and the stock dealt anew from their own cards."""
    position = table.to_position()
    hands = {name: cards.split() for name, cards in position["hands"].items()}
    hidden = [card for name, cards in hands.items() if name != seat for card in cards] + position["stock"].split()
    rng.shuffle(hidden)
    bonus = {"3d", "3h"} if table.rules.bonus.cards else set()
    hidden.sort(key=bonus.__contains__)  # bonus cards lie in the stock: in a hand they would have been laid
    for name, cards in hands.items():
        if name != seat:
            hands[name], hidden = hidden[: len(cards)], hidden[len(cards) :]
    rng.shuffle(hidden)
    position |= {"hands": {name: " ".join(cards) for name, cards in hands.items()}, "stock": " ".join(hidden)}
    return Table.from_position(position, rules=table.rules)


def same_view(a, b):
    """All that a view shows, stores and can be asked for is the same."""
    assert a == b
    assert hash(a) == hash(b)
    assert repr(a) == repr(b)
    assert pickle.dumps(a) == pickle.dumps(b)
    assert a.legal_actions == b.legal_actions
    for name in ("hand", "hand_sizes", "phase", "turn", "contract", "calls", "pile", "stock_size", "frozen", "totals"):
        assert getattr(a, name) == getattr(b, name)
    for seat in a.compiled.seats:
        assert a.known(seat) == b.known(seat)


def test_a_view_does_not_tell_from_which_numbers_the_cards_could_be_dealt():
    seed, number = 0x5EED5EED5EED, 0x0DEA1DEA1
    view = Table(Deal(seed=seed, number=number)).view("E")
    for told_by in (view, policy_view(Table(Deal(seed=seed, number=number)), seed)):
        reached = [getattr(told_by, name) for name in dir(told_by) if not name.startswith("__")]
        assert not {"seed", "number", "deal"} & set(dir(told_by))
        assert seed not in reached
        assert number not in reached
        stored = pickle.dumps(told_by)
        for each in (seed, number):
            assert each.to_bytes(6, "little") not in stored
            assert str(each).encode() not in stored
            assert str(each) not in repr(told_by)
    assert view.key != Table(Deal(seed=seed, number=number + 1)).view("E").key


@every_game
def test_exchanged_hidden_cards_leave_the_view_and_the_legal_actions(name):
    rng = random.Random(f"hidden {name}")
    differ = 0
    for table in states(name, "hidden", 120):
        table = Table.from_position(table.to_position(), rules=table.rules)
        for seat in {table.turn, rng.choice(table.compiled.seats)}:
            other = without_cards_of_others(table, seat, rng)
            differ += other != table
            same_view(table.view(seat), other.view(seat))
            if seat == table.turn and table.phase != "reply":
                assert list(table.legal_actions) == list(other.legal_actions)
                for text in table.legal_actions[:10]:
                    assert text in other.legal_actions
    assert differ > 60


def same_decision(a, b):
    """The seat to act, playing out on worlds that agree with what the others have done, does the same."""
    rollout = RolloutPolicy(worlds=8, base="greedy", caution=0, floor=0.3)
    made = []
    for table in (a.copy(), b.copy()):
        code = (rollout.kind, rollout.weights, 0)
        seats = table.compiled.seats
        Players(table.rules, [code if seat == a.turn else None for seat in seats], 1).play(table)
        made.append(table.actions[len(a.actions)])
    assert made[0] == made[1]
    assert told(a) == told(b)
    assert played(a) == played(b)
    if a.phase != "auction":
        a, b = (table.advise(deals=5, policies="greedy", floor=0.3, progress=False) for table in (a, b))
        assert a.to_dict() == b.to_dict()


def another_deal(deal, table, seat, rng):
    """A deal that may have led to the same table as far as the seat can tell.

    Cards that two other players were dealt, or one of them and the stock not drawn yet, change places. None of them is
    known by the public to lie where it lies.
    """
    hands = {name: list(hand) for name, hand in deal.hands.items()}
    stock = list(deal.stock)
    spare = {
        name: list((Counter(hand) & Counter(table.hand(name)) - Counter(table.view(name).known(name))).elements())
        for name, hand in hands.items()
        if name != seat
    }
    for _ in range(6):
        here = rng.choice(list(spare))
        there = rng.choice([name for name in spare if name != here] + ["stock"])
        if not spare[here]:
            continue
        card = rng.choice(spare[here])
        if there == "stock":
            if not table.stock_size:
                continue
            at = rng.randrange(len(stock) - table.stock_size, len(stock))
            if table.rules.bonus.cards and stock[at] in ("3d", "3h"):
                continue  # in a hand it would have been laid for all to see
            found, stock[at] = stock[at], card
        elif spare[there]:
            found = rng.choice(spare[there])
            hands[there].remove(found)
            hands[there].append(card)
            spare[there].remove(found)
        else:
            continue
        hands[here].remove(card)
        hands[here].append(found)
        spare[here].remove(card)
    return Deal.from_cards(hands, " ".join(stock), rules=table.rules)


@pytest.mark.parametrize("name", [name for name in RULES if name != "tile_canasta"])
def test_a_history_with_other_hidden_cards_gives_the_same_view(name):
    """Known cards, counters and the auction included: nothing of the hidden cards is left in a view, and nothing in
    decisions that go by what the others have done.

    Not all exchanged deals can be played so: another hand might not have had its choices. (A deal of the tile game
    has a card more in the starter's hand.)
    """
    rng = random.Random(f"history {name}")
    same = decided = 0
    while same < 25:
        table = fresh_table(RULES[name], rng)
        deal, played = Deal.from_cards(table.deal.hands, " ".join(table.deal.stock), rules=table.rules), table.actions
        table = Table(deal, dealer=table.dealer, totals=table.totals).after(*played)
        for state in walk(table, rng, "eager"):
            if rng.random() < 0.85:
                continue
            seat = rng.choice(state.compiled.seats)
            other = Table(another_deal(deal, state, seat, rng), dealer=state.dealer, totals=state.totals)
            try:
                other = other.after(*state.actions)
            except IllegalActionError:
                continue
            same += other != state
            same_view(state.view(seat), other.view(seat))
            if seat == state.turn and state.phase != "over":
                decided += 1
                same_decision(state, other)
    assert decided > 3


def test_a_view_of_another_hand_or_another_pile_differs():
    table = Table(Deal(seed=7, number=42)).after("pass", "pass", "pass", "pass")
    drawn = table.after("draw")
    assert table.view("E") != drawn.view("E")
    assert table.view("N") != drawn.view("N")  # the stock is smaller
    assert table.view("N") != table.view("S")
    assert len({table.view(seat) for seat in "NESW"}) == 4
    hand = drawn.hand("E").cards
    a, b = drawn.after(f"discard {hand[0]}"), drawn.after(f"discard {hand[-1]}")
    assert a.view("N") != b.view("N")


def test_rule_d22_cards_taken_from_the_pile_are_known_to_all():
    table = Table.from_position(
        {
            "turn": "E",
            "hands": {"E": "9c 9d 4h 5s"},
            "melds": {"EW": ["Kc Kd Kh"]},
            "pile": "9h 4s Jc",
        }
    ).after("take 9c 9d")
    assert all(str(table.view(seat).known("E")) == "4s Jc" for seat in "NESW")
    later = table.after("discard 4s")
    assert str(later.view("N").known("E")) == "Jc"
    assert str(table.after("extra").view("S").known("E")) == "4s Jc"  # the stock card is not


def test_no_view_shows_a_hand_or_the_stock_of_others():
    view = Table(Deal(seed=7, number=42)).view("E")
    with pytest.raises(TypeError):
        view.hand("N")
    assert not any(hasattr(view, name) for name in ("hands", "stock", "deal", "to_position", "score"))
    assert view.hand_sizes == {"N": 15, "E": 15, "S": 15, "W": 15}
    assert view.legal_actions[0] == "pass"
    assert Table(Deal(seed=7, number=42)).view("S").legal_actions == ()
