"""Every legal action has one path of numbers and back, in every game; observations tell nothing hidden."""

import hashlib
import random

import numpy as np
import pytest
from oracle.options import pick_options
from test_docs import DOCS, rows
from test_hidden import without_cards_of_others
from walks import RULES, choose, some_table, states, walk

import sitoumus as sit
from sitoumus import actions, envs
from sitoumus.errors import IllegalActionError, RuleSetError

every_game = pytest.mark.parametrize("name", sit.PRESETS)
every_rule = pytest.mark.parametrize("name", RULES)


def paths(table, prefix=()):
    """Every way to choose on: paths of numbers that are whole actions."""
    open_now = actions.ids(table, prefix)
    if not open_now:
        yield prefix
    for number in open_now:
        yield from paths(table, (*prefix, number))


@every_rule
def test_every_legal_action_has_one_path_of_numbers_and_every_path_is_a_legal_action(name):
    can_occur = actions.used(RULES[name])
    longest = 0
    for table in states(name, "numbers", 60):
        if table.phase == "over":
            assert not actions.mask(table).any()
            continue
        legal = list(table.legal_actions)
        coded = {actions.encode(table, text): text for text in legal}
        assert len(coded) == len(legal)
        assert coded == {path: actions.decode(table, path) for path in paths(table)}
        assert can_occur[[number for path in coded for number in path]].all()
        longest = max(longest, *map(len, coded))
    assert 1 <= longest <= 18


def test_house_rules_drawn_at_random_keep_the_numbering_and_use_no_number_that_they_should_not():
    rng = random.Random(11)
    several = 0
    for house in range(80):
        name = list(sit.PRESETS)[house % len(sit.PRESETS)]
        rules = sit.rules.preset(name).replace(**pick_options(rng, rng.randrange(10**6), name))
        can_occur = actions.used(rules)
        for table in walk(some_table(rules, rng), rng):
            if table.phase == "over" or rng.random() < 0.6:
                continue
            coded = [actions.encode(table, text) for text in table.legal_actions]
            assert len(set(coded)) == len(coded)
            assert {path[0] for path in coded} == set(actions.ids(table))
            assert can_occur[[number for path in coded for number in path]].all()
            several += sum(len(path) > 1 for path in coded)
    assert several > 300


@every_game
def test_the_mask_is_the_set_of_first_numbers_of_the_legal_actions(name):
    rng = random.Random(f"masks {name}")
    table = sit.Table(sit.Deal(seed=5, number=9, rules=name))
    while table.phase != "over":
        mask = actions.mask(table)
        assert mask.shape == (actions.N,)
        assert mask.dtype == bool
        first = {actions.encode(table, text)[0] for text in table.legal_actions}
        assert set(mask.nonzero()[0]) == first
        table.push(choose(table, list(table.legal_actions), rng, "eager"))


def test_numbers_keep_their_meaning():
    """The hash changes only together with VERSION."""
    names = "\n".join(actions.name(number) for number in range(actions.N))
    assert (actions.N, actions.VERSION) == (1246, 1)
    assert len(set(names.split("\n"))) == actions.N
    assert hashlib.sha256(names.encode()).hexdigest()[:16] == "0ae2d70e83c56cb1"


def test_the_name_of_a_number_is_the_text_of_the_action_where_it_stands_alone():
    alone = 0
    for name in sit.PRESETS:
        for table in states(name, "names", 30):
            for text in table.legal_actions:
                path = actions.encode(table, text)
                told = actions.name(path[0])
                if told.split()[0] in ("take", "card", "merge"):
                    assert text.split()[0] == told.split()[0].replace("card", "add")
                else:
                    alone += 1
                    assert (told, len(path)) == (text, 1)
    assert alone > 1000


def test_a_take_with_a_choice_of_melds_and_locks_is_chosen_in_steps():
    position = {"turn": "E", "hands": {"E": "9c 9d 9h 4h 5s"}, "pile": "9s 4s 2c 2d Jc", "melds": {"EW": ["Kc Kd Kh"]}}
    table = sit.Table.from_position(position)
    path = actions.encode(table, "take 9c 9d 9h locks=2")
    assert [actions.name(number) for number in path] == ["take with c d h", "locks 2"]
    assert [actions.name(number) for number in actions.ids(table, path[:1])] == ["locks 1", "locks 2"]
    assert actions.decode(table, path) == "take 9c 9d 9h locks=2"
    with pytest.raises(IllegalActionError, match="not a whole action"):
        actions.decode(table, path[:1])
    with pytest.raises(IllegalActionError, match="choice 2"):
        actions.mask(table, [path[0], 4])
    with pytest.raises(IllegalActionError, match="choice 3"):
        actions.decode(table, (*path, 4))


def test_a_longer_lay_is_encoded_as_its_single_steps():
    position = {"turn": "E", "phase": "meld", "hands": {"E": "9c 9d 9h 9s 5s 6s"}, "melds": {"EW": ["Kc Kd Kh"]}}
    table = sit.Table.from_position(position)
    path = actions.encode(table, "meld 9c 9d 9h 9s")
    assert len(path) == 2
    for number in path:
        table.push(actions.decode(table, [number]))
    assert str(table.melds("EW")[1]) == "9c 9d 9h 9s"


@pytest.mark.parametrize("wrong", [-1, 1246, True, "draw", 4.0])
def test_a_number_that_is_none_is_refused_with_a_sentence(wrong):
    with pytest.raises(IllegalActionError, match="no number of an action: they go from 0 to 1245"):
        actions.name(wrong)
    with pytest.raises(IllegalActionError, match="not legal as choice 1"):
        actions.decode(sit.Table(), [wrong])


def test_a_game_with_more_freezing_cards_than_numbers_is_refused():
    rules = sit.SITOUMUSSAMBA.replace(**{"pile.freeze": ["JK", "2", "3r", "3b", "4"]})
    with pytest.raises(RuleSetError, match="numbered actions know 30 at most"):
        actions.used(rules)


# ---- observations


def test_the_parts_of_an_observation_fill_it_without_a_gap():
    at = 0
    for part in envs.layout():
        assert part.slice.start == at
        assert part.slice.stop == at + np.prod(part.shape)
        at = part.slice.stop
    assert at == envs.LENGTH


def test_the_parts_of_an_observation_and_its_length_are_documented():
    text = (DOCS / "environments.md").read_text(encoding="utf-8")
    shown = [[part.name, str(part.start), " × ".join(map(str, part.shape)), part.meaning] for part in envs.layout()]
    assert rows("environments.md", "What a seat knows") == shown
    assert f"(({envs.LENGTH},), dtype('uint8'))" in text


def read(seen):
    return {part.name: seen[part.slice].reshape(part.shape) for part in envs.layout()}


def counts(cards):
    hand = sit.Hand(cards)
    order = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"] + ["JK"]
    return [hand.count(card) for card in order]


def total(hands):
    return np.sum([counts(hand) for hand in hands], axis=0)


@every_game
def test_an_observation_says_what_the_view_says(name):
    for table in states(name, "seen", 25):
        seats, sides = table.compiled.seats, table.compiled.sides
        for own, seat in enumerate(seats):
            view, seen = table.view(seat), read(envs.observation(table, seat))
            places = {2: [0, 1], 3: [0, 1, 3], 4: [0, 1, 2, 3]}[len(seats)]
            around = [seats[(own + step) % len(seats)] for step in range(len(seats))]
            mine = sides.index(view.side)
            ours = [sides[(mine + step) % len(sides)] for step in range(len(sides))]
            assert seen["hand"].tolist() == counts(view.hand)
            assert seen["sizes"][places].tolist() == [view.hand_sizes[each] for each in around]
            for place, other in list(zip(places, around, strict=True))[1:]:
                assert seen["known"][place - 1].tolist() == counts(view.known(other))
            assert seen["pile"].tolist() == total([[card] for card in view.pile] or [""]).tolist()
            assert seen["top"].tolist() == counts(view.pile[:1])
            assert seen["counts"][:2].tolist() == [view.stock_size, len(view.pile)]
            assert bool(seen["counts"][2]) == view.frozen
            if table.deal:  # else it is a made-up position in which not all cards lie somewhere
                hidden = [table.hand(other) - view.known(other) for other in around[1:]]
                stock = table.to_position()["stock"].split()
                assert seen["unseen"].tolist() == total([*hidden, *([card] for card in stock)]).tolist()
            assert places[around.index(view.turn)] == seen["acting"].argmax()
            assert places[around.index(view.dealer)] == seen["dealer"].argmax()
            for side, row, melds in zip(ours, seen["sides"], seen["melds"], strict=False):
                assert row[[4, 5]].tolist() == [view.opened(side), len(view.melds(side))]
                assert row[2] == min(max(view.minimum(side) // 5, 0), 255)
                shown = [[len(meld), meld.complete, meld.cards.count("JK")] for meld in view.melds(side)]
                assert melds[: len(shown), [3, 5, 6]].tolist() == shown
                assert not melds[len(shown) :].any()
            if view.contract != "none":
                level, strain = seen["contract"][0], seen["contract"][1:7].argmax()
                assert view.contract.split()[0] == f"{level}{['C', 'D', 'H', 'S', 'CAN', 'DEU'][strain]}"
                assert view.contract.split()[2] == around[places.index(seen["declarer"].argmax())]


@every_game
def test_exchanged_hidden_cards_change_no_byte_of_observation_or_mask(name):
    rng = random.Random(f"hidden bytes {name}")
    differ = 0
    for table in states(name, "hidden bytes", 60):
        table = sit.Table.from_position(table.to_position(), rules=table.rules)
        for seat in table.compiled.seats:
            other = without_cards_of_others(table, seat, rng)
            differ += other != table
            assert (envs.observation(table, seat) == envs.observation(other, seat)).all()
            if seat == table.turn and table.phase != "reply":
                assert (actions.mask(table) == actions.mask(other)).all()
                for number in actions.ids(table):
                    assert (actions.mask(table, [number]) == actions.mask(other, [number])).all()
    assert differ > 60


def test_what_has_been_chosen_of_an_action_is_seen_by_the_one_who_acts_alone():
    position = {"turn": "E", "hands": {"E": "9c 9d 9h 4h 5s"}, "pile": "9s 4s 2c 2d Jc", "melds": {"EW": ["Kc Kd Kh"]}}
    table = sit.Table.from_position(position)
    path = actions.encode(table, "take 9c 9d 9h locks=2")
    before, after = envs.observation(table), envs.observation(table, prefix=path[:1])
    assert read(before)["chosen"].tolist() == [0] * 5
    assert read(after)["chosen"].tolist() == [0, 0, 1, 1, path[0] - 1108]
    assert (envs.observation(table, "N") == envs.observation(table, "N", prefix=path[:1])).all()
