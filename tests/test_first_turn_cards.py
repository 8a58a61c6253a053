"""Bonus cards that wait in hands for the first turn of their owner (F24), beside the rule cases."""

from collections import Counter

import pytest

from sitoumus import FINNISH_CANASTA, RUSSIAN_CANASTA, Deal, Table
from sitoumus._core import sample_tables
from sitoumus.errors import InvalidPositionError

RED = {"3d", "3h"}


def red_threes(table):
    return {seat: [card for card in hand.cards if card in RED] for seat, hand in table.hands.items()}


def deal_with_red_threes():
    """A table of Russian Canasta in which a player who has had no turn holds a red three."""
    for number in range(50):
        table = Table(Deal(seed=3, number=number, rules=RUSSIAN_CANASTA), rules=RUSSIAN_CANASTA)
        if any(cards for seat, cards in red_threes(table).items() if seat != table.turn):
            return table
    raise AssertionError("one deal in two has one")


def test_a_player_lays_what_he_was_dealt_when_his_turn_begins_and_not_before():
    table = deal_with_red_threes()
    for _ in range(4):
        held = red_threes(table)
        assert held[table.turn] == []
        laid = sum(len(table.bonus(side)) for side in ("NS", "EW"))
        table.push("draw")
        while table.phase == "draw":
            table.push("draw")
        following = "NESW"["NESW".index(table.turn) - 3]
        table.push(next(action for action in table.legal_actions if action.startswith("discard")))
        assert red_threes(table)[following] == []
        assert sum(len(table.bonus(side)) for side in ("NS", "EW")) >= laid + len(held[following])
    assert not any(red_threes(table).values())


def test_a_table_with_red_threes_in_hands_is_written_and_read_back():
    table = deal_with_red_threes()
    again = Table.from_position(table.to_position(), rules=RUSSIAN_CANASTA)
    assert again.to_position() == table.to_position()
    assert red_threes(again) == red_threes(table)
    assert again._turn_fields()["waiting"] == table._turn_fields()["waiting"] != 0
    with pytest.raises(InvalidPositionError, match="bonus card"):
        Table.from_position(table.to_position(), rules=FINNISH_CANASTA)


def test_worlds_give_red_threes_to_players_without_a_turn_as_often_as_the_cards_say():
    table = deal_with_red_threes()
    seen, n = Counter(), 4000
    for world in sample_tables(table, table.turn, n, seed=1):
        for seat, cards in red_threes(world).items():
            seen[seat] += len(cards)
    unseen = 4 - len(table.bonus("NS")) - len(table.bonus("EW"))
    hidden = sum(len(hand) for seat, hand in table.hands.items() if seat != table.turn) + table.stock_size
    expected = n * unseen * 11 / hidden
    assert seen[table.turn] == 0
    for seat in set("NESW") - {table.turn}:
        assert abs(seen[seat] - expected) < 5 * expected**0.5
