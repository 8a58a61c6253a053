"""Bad input is refused with one sentence that quotes it, says where it stands and what would be right.

Each row is a call, the error and what its message says. More positions are in test_position.py, more records in
test_record.py, what the command line makes of it in test_cli.py.
"""

import copy
import json
import re

import pytest

pytest.importorskip("sitoumus._core")

import sitoumus as sit
from sitoumus.errors import (
    IllegalActionError,
    InvalidActionError,
    InvalidCardError,
    InvalidMeldError,
    InvalidPositionError,
    RecordError,
    RuleSetError,
)
from sitoumus.record import Game

CARD = "is no card: a card is a rank A 2 3 4 5 6 7 8 9 T J Q K and a suit c d h s, such as Th, or JK"
SAMBA = sit.preset("samba")
FINNISH = sit.preset("finnish_canasta")

HANDS = [
    ("1h", InvalidCardError, f"'1h' (card 1) {CARD}"),
    ("Ah Kx", InvalidCardError, f"'Kx' (card 2) {CARD}"),
    ("Ah, 9♥, 10", InvalidCardError, f"'10' (card 3) {CARD}"),
    ("AhKh", InvalidCardError, f"'AhKh' (card 1) {CARD}"),
    (["9c", 5], InvalidCardError, f"5 (card 2) {CARD}"),
    (15, InvalidCardError, "cards are a text such as 'Th 9c JK', not 15"),
    (None, InvalidCardError, "cards are a text such as 'Th 9c JK', not None"),
    ("9c 9d 9c 9c 9c", InvalidCardError, "9c stands 4 times: the pack has 3"),
    ("JK " * 7, InvalidCardError, "JK stands 7 times: the pack has 6"),
]

MELDS = [
    ("9c 9d", "'9c 9d' is no meld: a meld has at least three cards, not 2 (R11.1, R11.3)"),
    ("9c Td Jh", "is no meld: the natural cards have neither one rank (a set) nor one suit in a row (a sequence)"),
    ("9c JK JK", "a set has at least 2 natural cards, not 1 (R11.4)"),
    ("9c 9d JK JK 2c", "a set has at most 2 wild cards, not 3 (R11.4)"),
    ("9h Jh Qh", "the cards of a sequence follow one another in rank, a deuce only in its own place (R11.1, R18.3)"),
    ("9h Th JK", "is no meld: "),
    ("9h 2h Jh", "a deuce only in its own place (R11.1, R18.3)"),
    ("4h 5h 6h 7h 8h 9h Th Jh", "a sequence has at most 7 cards, not 8 (R11.1)"),
    ("3h 3d 3h", "threes make no set, except black threes without wild cards when going out (R20.2, R21.5)"),
    ("3c 3s 2c", "threes make no set, except black threes without wild cards when going out (R20.2, R21.5)"),
    ("2c JK JK", "a set of deuces has at least two deuces and at most two jokers (R18.6)"),
    ("JK JK JK", "a set of deuces has at least two deuces and at most two jokers (R18.6)"),
    ("Kc Kd Kh Ks Kc Kd Kh Ks", "a complete meld of that kind takes no such card (R18.5, B21, B22)"),
]

RULES = [
    ({"tarket": 10000}, "unknown option 'tarket'"),
    ({"target": "high"}, "match.end is 'high': must be a whole number from 1 to 1000000"),
    ({"target": True}, "match.end is True: must be a whole number"),
    ({"permission": 1}, "option permission is 1: must be True or False"),
    ({"lock_top_take": "next"}, "option lock_top_take is 'next': must be 'itself' or 'next_lock'"),
    ({"max_level": 21}, "contract.max_level is 21: must be a whole number from 1 to 20"),
    ({"draw.stock": 0}, "draw.stock is 0: must be a whole number from 1 to 4"),
    ({"draw.stok": 2}, "draw.stok: unknown field of draw 'stok'"),
    ({"opening_bands": [[0, 15]]}, "opening.bands[0] is [0, 15]: the last row, and no other, has no upper bound"),
    ({"opening_bands": [[0, 7], [None, 50]]}, "opening.bands[0], minimum is 7: must be a multiple of 5"),
    ({"pile.take.open": ["steal"]}, "pile.take.open: unknown way to take 'steal'"),
    ({"points.9": 12}, "points.9 is 12: must be a multiple of 5"),
]

# Texts that are no action in any position.
NO_ACTIONS = [
    ("fly", "'fly' is no action: actions are a bid, pass, double"),
    ("", "'' is no action"),
    (7, "7 is no action: actions are texts such as 'draw' or 'discard 9c'"),
    ("discard", "'discard' is no action: discard names one card"),
    ("discard 9c 9d", "'discard 9c 9d' is no action: discard names one card"),
    ("discard 9x", f"'discard 9x' is no action: '9x' (card 1) {CARD}"),
    ("meld 9c 9d", "'meld 9c 9d' is no action: a meld has at least three cards"),
    ("meld 9c 9d 9h > 1", "'> n' names an own meld (from 1) after add or take"),
    ("add 9c", "an addition is written 'add 7s 7h > 1'"),
    ("add 9c > 0", "'> n' names an own meld (from 1) after add or take"),
    ("take", "a take names hand cards, or an own meld ('take > 1')"),
    ("take 9c 9d locks=0", "'locks=n' (from 1) belongs to take"),
    ("merge 1", "a merge is written 'merge 3 > 1'"),
    ("0H", "'0H' is no bid: a bid is a level from 1 up and a strain C D H S CAN DEU, such as 3H or 2CAN"),
    ("3N", "'3N' is no bid: a bid is a level from 1 up and a strain C D H S CAN DEU, such as 3H or 2CAN"),
]

OPENED = {
    "phase": "draw",
    "turn": "E",
    "hands": {"E": "9c 9d 2h 4h 5s"},
    "melds": {"EW": ["Kc Kd Kh"]},
    "pile": "9h 4s Jc",
    "stock": "?40",
}
# Position, action, words of the reason.
NOT_NOW = [
    ({"phase": "auction", "auction": ["2C"]}, "1S", "R9.3"),
    ({"phase": "auction", "auction": ["2C", "pass"]}, "double", "R9.6"),
    ({"phase": "auction"}, "draw", "auction"),
    ({"phase": "auction"}, "21C", "20"),
    (OPENED, "1C", "auction"),
    (OPENED, "take 9c 2h", "R24.2"),
    (OPENED, "take 9c 9d > 1", "R24"),
    (OPENED, "take > 2", "2"),
    (OPENED, "discard 4h", "draw"),
    (OPENED, "end", "C37"),
    (OPENED | {"phase": "meld"}, "draw", "R10.1"),
    (OPENED | {"phase": "meld"}, "discard 8c", "8c"),
    (OPENED | {"phase": "meld"}, "add 9c > 1", "9c"),
    (OPENED | {"phase": "meld"}, "meld 9c 9d 4h", "R11"),
    (OPENED | {"phase": "meld"}, "buy 3h", "3h"),
    (OPENED | {"phase": "meld"}, "merge 2 > 1", "B24"),
    (OPENED | {"phase": "meld", "rules": "samba"}, "merge 2 > 1", "EW has 1 meld"),
    (OPENED | {"phase": "meld", "melds": {}}, "meld 9c 9d 2h", "R13.1"),
]

POSITIONS = [
    ({"hands": {"E": "9x"}}, InvalidPositionError, f"hands.E: '9x' (place 1) {CARD}"),
    ({"hands": {"E": "9c 9c 9c 9c"}}, InvalidPositionError, "surplus 9c: it stands 4 times in the position (hands.E)"),
    ({"melds": {"EW": ["9c 9d JK JK JK"]}}, InvalidPositionError, "a set has at most 2 wild cards, not 3 (R11.4)"),
    ({"melds": {"EW": ["9c 9d"]}}, InvalidPositionError, "a meld has at least three cards, not 2"),
    ({"turn_state": {"drawn": 1}}, InvalidPositionError, "turn_state.drawn = 1: known keys are"),
    ({"turn_state": {"drew": "yes"}}, InvalidPositionError, "turn_state.drew is 'yes': it must be a whole number from"),
    ("phase = draw", InvalidPositionError, "a position is a mapping or TOML text, and this is no TOML"),
    ({"rules": "whist"}, RuleSetError, "preset: unknown preset 'whist'"),
    ({"options": {"whist": 1}}, RuleSetError, "unknown option 'whist'"),
    (
        {"rules": "finnish_canasta", "melds": {"EW": ["9c 9d 9h", "9s 9c 9d"]}},
        InvalidPositionError,
        "a side has one meld of a rank in this game (F18)",
    ),
]


def hands_with(seat, cards):
    return {name: str(hand) for name, hand in sit.Deal(seed=7).hands.items()} | {seat: cards}


DEALS = [
    (lambda: sit.Deal(seed=-1), "seed is -1: it must be a whole number from 0 up"),
    (lambda: sit.Deal(seed=7, number="x"), "number is 'x': it must be a whole number from 0 up"),
    (lambda: sit.Deal(hands={"X": "9c"}), "'X' is no seat: seats are N E S W"),
    (lambda: sit.Deal(hands={"N": "9c 9c 9c", "S": "9c"}), "hand of S: 9c stands 4 times: the pack has 3"),
    (lambda: sit.Deal(hands={"N": "9c 9c 9c"}, rules=FINNISH), "hand of N: 9c stands 3 times: the pack has 2"),
    (
        lambda: sit.Deal(hands={"N": "4c 5c 6c 7c 8c 9c Tc Jc Qc Kc 4d 5d 6d 7d 8d 9d"}),
        "hand of N has 16 cards: 15 are dealt",
    ),
    (lambda: sit.Deal.from_cards(hands_with("N", "9c"), ""), "N has 1 cards: 15 are dealt"),
    (lambda: sit.Deal.from_cards(hands_with("N", hands_with("N", "")["E"]), ""), "hand"),
    (lambda: sit.Table(sit.Deal(), dealer="X"), "'X' is no seat: seats are N E S W"),
    (lambda: sit.Table(sit.Deal(), totals=(1,)), "totals is (1,): it must be a whole number for each of NS EW"),
    (lambda: sit.Table(sit.Deal(), rules=FINNISH), "the deal was made for another pack"),
    (lambda: sit.Table().hand("X"), "'X' is no seat: seats are N E S W"),
    (lambda: sit.Table().melds("N"), "'N' is no side: sides are NS EW"),
    (lambda: sit.Table().score(), "the deal is not over: E is to act in phase auction"),
    (lambda: sit.Table().pop(), "nothing to take back"),
]

RECORDS = [
    (lambda record: [], "a record is a JSON object, not list"),
    (lambda record: record | {"format": "chess"}, "format is 'chess': this library reads 'sitoumus-game-1'"),
    (lambda record: record | {"colour": "red"}, "unknown key 'colour': a record has the keys format, version"),
    (lambda record: {key: record[key] for key in record if key != "dealer"}, "dealer is missing"),
    (lambda record: record | {"rules": {"preset": "whist"}}, "rules: preset: unknown preset 'whist'"),
    (lambda record: record | {"rules": 5}, "rules: rules is 5"),
    (lambda record: record | {"dealer": "X"}, "dealer is 'X': it must be one of N, E, S, W"),
    (lambda record: record | {"totals": {"NS": 0}}, "totals is {'NS': 0}: it must be whole numbers for NS, EW"),
    (lambda record: record | {"contract": "3H"}, "contract: '3H' is no contract"),
    (lambda record: record | {"contract": "none"}, "contract is 'none': it must be null or"),
    (lambda record: record | {"seed": "7"}, "seed is '7': it must be a whole number from 0 up, or null"),
    (lambda record: record | {"seed": None}, "seed and number must be both whole numbers or both null"),
    (lambda record: record | {"actions": "pass"}, "actions is 'pass': it must be a list"),
    (lambda record: record | {"actions": ["pass", 1]}, "actions 2 is 1: it must be a text"),
    (lambda record: record | {"actions": ["pass", "fly"]}, "action 2 ('fly') fails: 'fly' is no action"),
    (lambda record: record | {"actions": ["pass", "draw"]}, "action 2 ('draw') fails: "),
    (lambda record: record | {"result": "won"}, "result is 'won', but the replay gives None"),
    (lambda record: record | {"cards": {}}, "cards must hold hands and stock"),
    (lambda record: changed(record, "hands", {}), "cards.hands must hold N, E, S, W"),
    (lambda record: changed(record, "stock", 5), "cards.stock is 5: it must be a text"),
    (lambda record: changed(record, "stock", "9x"), f"cards.stock: '9x' (card 1) {CARD}"),
    (lambda record: changed(record, "stock", ""), "cards: "),
    (
        lambda record: changed(record, "hands", record["cards"]["hands"] | {"S": "9c"}),
        "cards.hands.S holds 1 cards: 15 are dealt",
    ),
]


def changed(record, key, value):
    record["cards"][key] = value
    return record


@pytest.fixture(scope="module")
def record():
    deal = sit.Deal(seed=7, number=42)
    return json.loads(json.dumps(Game(deal, sit.Table(deal).after("pass"), ("pass",)).to_dict()))


def message_of(error, call):
    """The message of a refusal: a ValueError, one line, not empty."""
    with pytest.raises(error) as caught:
        call()
    assert isinstance(caught.value, ValueError)
    message = str(caught.value)
    assert message
    assert "\n" not in message
    return message


@pytest.mark.parametrize(("cards", "error", "words"), HANDS)
def test_hands(cards, error, words):
    assert words in message_of(error, lambda: sit.Hand(cards))


def test_cards_that_are_not_in_a_hand_cannot_be_taken_from_it():
    message = message_of(InvalidCardError, lambda: sit.Hand("Ah") - "Kh")
    assert "Kh cannot be taken from 'Ah': it is not there" in message
    assert "it is not there so often" in message_of(InvalidCardError, lambda: sit.Hand("9c 9c") - "9c 9c 9c")
    assert "9c stands 4 times" in message_of(InvalidCardError, lambda: sit.Hand("9c 9c") + "9c 9c")


@pytest.mark.parametrize(("cards", "words"), MELDS)
def test_melds(cards, words):
    assert words in message_of(InvalidMeldError, lambda: sit.Meld(cards))


def test_melds_of_other_games():
    message = message_of(InvalidMeldError, lambda: sit.Meld("9h Th Jh", rules=FINNISH))
    assert "all natural cards of a set have one rank, and this game has no sequences" in message
    message = message_of(InvalidMeldError, lambda: sit.Meld("Kh Ah 2h", rules=SAMBA))
    assert "'Ah 2h Kh' is no meld" in message


@pytest.mark.parametrize(("changes", "words"), RULES, ids=lambda value: str(value)[:30])
def test_rule_sets(changes, words):
    assert words in message_of(RuleSetError, lambda: sit.SITOUMUSSAMBA.replace(**changes))


@pytest.mark.parametrize(("text", "words"), NO_ACTIONS)
def test_texts_that_are_no_action(text, words):
    table = sit.Table.from_position(OPENED)
    before = table.to_position()
    assert words in message_of(InvalidActionError, lambda: table.push(text))
    assert table.to_position() == before
    assert text not in table.legal_actions


@pytest.mark.parametrize(("position", "action", "words"), NOT_NOW, ids=lambda value: str(value)[:30])
def test_actions_that_are_not_legal_now(position, action, words):
    table = sit.Table.from_position(position)
    before = table.to_position()
    with pytest.raises(IllegalActionError) as caught:
        table.push(action)
    assert words in str(caught.value)
    assert action in str(caught.value)
    assert table.to_position() == before
    assert action not in table.legal_actions


@pytest.mark.parametrize(("position", "error", "words"), POSITIONS, ids=lambda value: str(value)[:30])
def test_positions(position, error, words):
    assert words in message_of(error, lambda: sit.Table.from_position(position))


@pytest.mark.parametrize(("call", "words"), DEALS, ids=[words[:30] for _, words in DEALS])
def test_deals_and_tables(call, words):
    assert words in message_of(sit.SitoumusError, call)


@pytest.mark.parametrize(("change", "words"), RECORDS, ids=[words[:30] for _, words in RECORDS])
def test_records(record, change, words):
    assert words in message_of(RecordError, lambda: Game.from_dict(change(copy.deepcopy(record))))


def test_enough_kinds_of_bad_input_are_tried():
    tried = [HANDS, MELDS, RULES, NO_ACTIONS, NOT_NOW, POSITIONS, DEALS, RECORDS]
    assert sum(map(len, tried)) >= 100
    assert all(re.search(r"\w", row[-1]) for rows in tried for row in rows)
