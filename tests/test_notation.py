"""Cards, bids and contracts as text."""

import pytest

from sitoumus.errors import InvalidActionError, InvalidCardError
from sitoumus.notation import (
    CARD_CODES,
    JOKER,
    bid_number,
    bid_text,
    canonical_index,
    card_code,
    card_text,
    cards_text,
    contract_text,
    parse_bid,
    parse_cards,
    parse_contract,
)


def test_a_code_is_suit_times_16_plus_rank():
    assert card_code("Ac") == 0
    assert card_code("Kc") == 12
    assert card_code("Ad") == 16
    assert card_code("Th") == 41
    assert card_code("Ks") == 60
    assert card_code("JK") == JOKER == 64


def test_every_card_text_round_trips_and_canonical_order_is_rank_major():
    assert len(set(CARD_CODES)) == 53
    for place, code in enumerate(CARD_CODES):
        assert card_code(card_text(code)) == code
        assert canonical_index(code) == place
    assert cards_text(reversed(CARD_CODES)).startswith("Ac Ad Ah As 2c")
    assert cards_text(reversed(CARD_CODES)).endswith("Kh Ks JK")


@pytest.mark.parametrize(
    "text",
    ["Th", "th", "TH", "10h", "10H", "T♥", "10♥", "t♡", "10♥\ufe0f"],
)
def test_spellings_of_the_ten_of_hearts(text):
    assert card_text(card_code(text)) == "Th"


@pytest.mark.parametrize("text", ["JK", "jk", "Jk", "joker", "Joker"])
def test_spellings_of_the_joker(text):
    assert card_code(text) == JOKER


def test_cards_are_separated_by_blanks_or_commas():
    assert parse_cards("9c 9d,JK ,\tAh\n") == [8, 24, 64, 32]
    assert parse_cards(["9c", "JK"]) == [8, 64]
    assert parse_cards("  ") == []


def test_cards_text_is_canonical_and_keeps_copies():
    assert cards_text(parse_cards("JK Kh 9d 9c 9d Ah")) == "Ah 9c 9d 9d Kh JK"


@pytest.mark.parametrize("bad", ["1h", "Tx", "11c", "9cc", "", "J", "kj", "h9", None, 9])
def test_what_is_no_card(bad):
    with pytest.raises(InvalidCardError, match="is no card: a card is a rank A 2 3"):
        card_code(bad)


def test_the_bad_card_of_a_list_is_named_with_its_place():
    with pytest.raises(InvalidCardError, match=r"'1h' \(card 3\) is no card"):
        parse_cards("9c 9d 1h JK")
    with pytest.raises(InvalidCardError, match=r"5 \(card 1\) is no card"):
        parse_cards([5])
    with pytest.raises(InvalidCardError, match="not 5"):
        parse_cards(5)


def test_codes_between_the_suits_are_no_cards():
    for code in (13, 15, 63, 65, -1, None):
        with pytest.raises(InvalidCardError, match="is no card code"):
            card_text(code)


def test_bids_are_numbered_in_the_order_of_outbidding():
    in_order = ["1C", "1D", "1H", "1S", "1CAN", "1DEU", "2C"]
    assert [bid_number(bid) for bid in in_order] == list(range(7))
    for number in range(120):
        assert bid_number(bid_text(number)) == number
    assert parse_bid("20deu") == (20, 5)


@pytest.mark.parametrize("bad", ["0S", "H", "3", "3N", "3 H", "-1C", "CAN2", "", None, 3])
def test_what_is_no_bid(bad):
    with pytest.raises(InvalidActionError, match="is no bid: a bid is a level from 1 up"):
        parse_bid(bad)


def test_contracts_round_trip():
    for text in ("none", "3H by E", "4CAN by S doubled", "20DEU by N"):
        assert contract_text(parse_contract(text)) == text
    assert parse_contract("3h BY e Doubled") == (3, 2, 1, True)


def test_a_contract_without_a_declarer_needs_a_seat():
    assert parse_contract("4CAN doubled", seat="W") == (4, 4, 3, True)
    with pytest.raises(InvalidActionError, match="'4CAN doubled' is no contract"):
        parse_contract("4CAN doubled")


@pytest.mark.parametrize("bad", ["", "3H by X", "3H E", "3H by E redoubled", "0H by E", "by E", None])
def test_what_is_no_contract(bad):
    with pytest.raises(InvalidActionError, match="is no contract: "):
        parse_contract(bad)
