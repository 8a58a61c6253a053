"""Positions as text: defaults, ?n, round trips, and what is refused."""

import random
import tomllib
from pathlib import Path

import pytest

from sitoumus import Table
from sitoumus.errors import InvalidPositionError
from sitoumus.notation import card_code, cards_text, parse_cards
from sitoumus.position import KEYS, format_position, parse_position, position_toml, read_position
from sitoumus.rules import PRESETS, preset

SITOUMUSSAMBA = preset("sitoumussamba")
FINNISH = preset("finnish_canasta")
CASE_FILES = sorted((Path(__file__).parent / "cases").glob("*.toml"))
NINES = "9c 9d 9h"


def state_of(rules=SITOUMUSSAMBA, /, **position):
    return parse_position(position, rules)


def refusal(rules=SITOUMUSSAMBA, /, **position):
    with pytest.raises(InvalidPositionError) as caught:
        parse_position(position, rules)
    message = str(caught.value)
    assert "\n" not in message
    return message


# Defaults


def test_an_empty_position_is_a_draw_by_the_player_left_of_dealer_north():
    state = state_of()
    assert (state["dealer"], state["turn"], state["phase"]) == (0, 1, "draw")
    assert (state["contract"], state["calls"], state["ended"]) == (None, [], None)
    assert state["totals"] == state["penalties"] == [0, 0]
    assert [len(hand) for hand in state["hands"]] == [15] * 4
    assert len(state["pile"]) == 1
    assert len(state["stock"]) == 101


def test_before_play_no_card_is_turned():
    for position in ({"phase": "auction"}, {"phase": "opening", "contract": "1H by E"}):
        state = parse_position(position, SITOUMUSSAMBA)
        assert state["pile"] == []
        assert len(state["stock"]) == 102


def test_the_stock_is_empty_where_the_stock_ended_the_deal():
    assert state_of(phase="over", ended="stock")["stock"] == []
    assert len(state_of(phase="over", ended="out N")["stock"]) == 162 - 45 - 1


def test_other_games_deal_other_hands():
    assert [len(hand) for hand in state_of(FINNISH)["hands"]] == [11] * 4
    assert [len(hand) for hand in state_of(preset("finnish_canasta_2p"))["hands"]] == [15] * 2
    assert [len(hand) for hand in state_of(preset("finnish_canasta_3p"))["hands"]] == [13] * 3
    assert state_of(preset("tile_canasta"))["pile"] == []


def test_the_starter_of_a_game_that_begins_with_a_discard_holds_the_extra_card():
    tiles = preset("tile_canasta")
    assert [len(hand) for hand in state_of(tiles, phase="meld")["hands"]] == [14, 15, 14, 14]
    assert [len(hand) for hand in state_of(tiles, phase="meld", pile="5c")["hands"]] == [14] * 4


def test_the_turn_is_the_declarers_in_the_opening_and_follows_the_calls_in_the_auction():
    assert state_of(phase="opening", contract="2S by W")["turn"] == 3
    assert state_of(phase="auction", dealer="S", auction=["pass", "1C"])["turn"] == 1
    assert state_of(dealer="W")["turn"] == 0
    assert state_of(phase="over", ended="stock")["turn"] == 1
    assert state_of(phase="over", ended="out S")["turn"] == 2


def test_a_contract_without_an_auction_was_the_only_bid():
    state = state_of(phase="opening", contract="2S by S", dealer="N")
    assert state["calls"] == ["pass", "2S", "pass", "pass", "pass"]
    assert state["contract"] == (2, 3, 2, False)


def test_an_auction_alone_gives_the_contract():
    assert state_of(auction=["1H", "double"])["contract"] == (1, 2, 1, True)
    assert state_of(auction=["1H", "double"], contract="1H by E doubled")["contract"] == (1, 2, 1, True)
    assert state_of(phase="opening", auction=["1h", "pass", "pass", "pass"])["contract"] == (1, 2, 1, False)
    assert state_of(auction=["pass"] * 4)["contract"] is None


def test_a_contract_may_have_passed_down_to_a_lower_bid_or_to_none():
    calls = ["1H", "2S", "pass", "pass", "pass"]
    assert state_of(auction=calls, contract="1H by E")["contract"] == (1, 2, 1, False)
    assert state_of(auction=calls, contract="none")["contract"] is None


# Cards


def test_unnamed_cards_are_filled_in_a_fixed_order():
    state = state_of(hands={"N": "?2 JK", "E": "?2", "S": "", "W": "?1"}, pile="?1 Kc", stock="5d ?2")
    assert [cards_text(hand) for hand in state["hands"]] == ["Ac Ac JK", "Ac Ad", "", "Ad"]
    assert state["pile"] == parse_cards("Ad Kc")
    assert state["stock"] == parse_cards("5d Ah Ah")


def test_unnamed_cards_leave_the_named_ones_alone():
    state = state_of(hands={"N": "?1", "E": "Ac Ac Ac Ad", "S": "?1", "W": "?1"})
    assert [cards_text(state["hands"][seat]) for seat in (0, 2, 3)] == ["Ad", "Ad", "Ah"]


def test_bonus_cards_are_not_filled_into_hands_but_into_the_stock():
    state = state_of(FINNISH, hands={"N": "?20", "E": "?20", "S": "?20", "W": "?20"}, pile="")
    red = {card_code("3d"), card_code("3h")}
    assert not any(red & set(hand) for hand in state["hands"])
    assert sum(code in red for code in state["stock"]) == 4


def test_cards_named_nowhere_are_out_of_the_game():
    state = state_of(hands=dict.fromkeys("NESW", ""), pile="5d", stock="6d 7d")
    assert (state["pile"], state["stock"]) == (parse_cards("5d"), parse_cards("6d 7d"))


def test_hands_and_melds_stand_in_canonical_order_pile_and_stock_as_written():
    state = state_of(hands={"N": "Kh 9c, 10D jk A♥"}, melds={"NS": ["Kd Ks Kc"]}, pile="Kh 2d", stock="9d Ac")
    assert cards_text(state["hands"][0]) == "Ah 9c Td Kh JK"
    assert state["hands"][0] == parse_cards("Ah 9c Td Kh JK")
    assert state["melds"][0] == [parse_cards("Kc Kd Ks")]
    assert state["pile"] == parse_cards("Kh 2d")
    assert state["stock"] == parse_cards("9d Ac")


def test_a_hand_may_be_a_list_of_cards():
    assert state_of(hands={"E": ["9c", "9d"]})["hands"][1] == parse_cards("9c 9d")


def test_bought_threes_are_real_cards_diamonds_first():
    state = state_of(bought={"NS": 2, "EW": 2})
    assert [cards_text(codes) for codes in state["bought"]] == ["3d 3d", "3d 3h"]
    assert sum(code in parse_cards("3d 3h") for hand in (*state["hands"], state["stock"]) for code in hand) == 2
    state = state_of(bought={"NS": 1}, hands={"E": "3d 3d 3d"})
    assert cards_text(state["bought"][0]) == "3h"


def test_which_threes_were_bought_survives_the_round_trip():
    state = state_of(bought={"EW": "3h"}, hands=dict.fromkeys("NESW", ""), pile="5c", stock="")
    position = format_position(state, SITOUMUSSAMBA)
    assert position["bought"] == {"NS": 0, "EW": "3h"}
    assert parse_position(position, SITOUMUSSAMBA) == state
    assert format_position(state_of(bought={"EW": 1}), SITOUMUSSAMBA)["bought"] == {"NS": 0, "EW": 1}


# Round trips


@pytest.mark.parametrize("path", CASE_FILES, ids=lambda path: path.stem)
def test_every_case_position_round_trips_through_toml(path):
    for case in tomllib.loads(path.read_text())["case"]:
        if "error" in case["expect"]:
            continue
        rules = preset(case.get("rules", "sitoumussamba")).replace(**case.get("options", {}))
        state = parse_position(case["position"], rules)
        position = format_position(state, rules)
        assert read_position(position_toml(position)) == (state, rules), case["id"]
        assert format_position(state, rules) == position


def test_a_position_names_its_rules_where_they_are_not_the_usual_ones():
    assert "rules" not in format_position(state_of(), SITOUMUSSAMBA)
    rules = SITOUMUSSAMBA.replace(target=10000, opening_bands=[[0, 15], [None, 50]])
    position = format_position(state_of(rules), rules)
    assert position["options"]["target"] == 10000
    assert read_position(position_toml(position))[1] == rules
    assert format_position(state_of(FINNISH), FINNISH)["rules"] == "finnish_canasta"


def test_rules_given_beside_a_position_count_more_than_those_in_it():
    position = format_position(state_of(FINNISH), FINNISH)
    assert read_position(position, rules="american_canasta")[1] == preset("american_canasta")
    assert read_position({}, options={"target": 10000})[1].match.end == ("target", 10000)
    assert read_position({}, rules=SITOUMUSSAMBA, options={"target": 10000})[1].match.end == ("target", 10000)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("brazilian_canasta", {"opening_bands": [[0, 0], [None, 90]], "opening.waive": "never"}),
        ("finnish_canasta", {"melds.black": None, "target": 3000}),
        ("samba", {"pile.new_set_from": None, "target": 5000}),
    ],
)
def test_a_position_says_options_that_are_none_in_toml(name, options):
    rules = preset(name).replace(**options)
    position = Table(rules=rules).to_position()
    again = Table.from_position(tomllib.loads(position_toml(position)))
    assert again.rules == rules
    assert again.to_position() == position


def test_the_state_of_a_turn_passes_through():
    state = state_of(phase="meld", first_turn=True, turn_state={"drew": 1, "laid": [1, 2]})
    assert state["turn_state"] == {"drew": 1, "laid": [1, 2]}
    assert state["first_turn"] is True
    assert parse_position(format_position(state, SITOUMUSSAMBA), SITOUMUSSAMBA) == state


def test_a_position_is_read_from_a_file(tmp_path):
    path = tmp_path / "position.toml"
    path.write_text('phase = "draw"\nturn = "W"\n')
    assert read_position(path)[0]["turn"] == 3
    with pytest.raises(InvalidPositionError, match=r"missing\.toml cannot be read"):
        read_position(tmp_path / "missing.toml")


@pytest.mark.parametrize("game", PRESETS)
def test_every_position_of_a_game_round_trips_also_in_mid_turn(game):
    core = pytest.importorskip("sitoumus._core")
    rules = preset(game)
    table = core.Table(core.Deal(seed=1, rules=rules))
    chance = random.Random(1)
    phases = set()
    while table.phase != "over":
        position = table.to_position()
        again = core.Table.from_position(position_toml(position))
        assert again.to_position() == position
        assert list(again.legal_actions) == list(table.legal_actions)
        assert again.rules == rules
        phases.add(table.phase)
        legal = list(table.legal_actions)
        verb = chance.choice(sorted({action.split()[0] for action in legal}))
        action = chance.choice([action for action in legal if action.split()[0] == verb])
        table.push(action)
        again.push(action)
        assert again.to_position() == table.to_position()
    assert core.Table.from_position(table.to_position()).score() == table.score()
    assert {"draw", "meld"} <= phases


# Refusals: what is wrong is quoted, where it stands is named, what is right is said


def test_unknown_keys_are_refused():
    assert refusal(pille="") == f"unknown key 'pille': a position has the keys {', '.join(KEYS)}"
    assert refusal(hands={"X": ""}) == "hands.X: there is no X in this game, only N, E, S, W"
    assert refusal(totals={"N": 5}) == "totals.N: there is no N in this game, only NS, EW"
    assert "hands.E: there is no E in this game, only N, S" in refusal(preset("finnish_canasta_2p"), hands={"E": ""})


def test_words_out_of_place_are_refused():
    assert refusal(phase="bidding").startswith("phase = 'bidding': it must be one of auction, opening, draw")
    assert refusal(dealer="X") == "dealer = 'X': it must be one of N, E, S, W"
    assert refusal(turn=1) == "turn = 1: it must be one of N, E, S, W"
    assert refusal(first_turn="yes") == "first_turn = 'yes': it must be true or false"
    assert refusal(melds={"NS": NINES}) == "melds.NS = '9c 9d 9h': it must be a list such as ['9c 9d 9h']"
    assert refusal(hands="15") == "hands = '15': it must be a table such as hands = { ... }"
    assert refusal(hands={"N": 15}) == "hands.N = 15: it must be a text such as '9c 9d ?13'"
    assert refusal(totals={"NS": 1.5}) == "totals.NS = 1.5: it must be a whole number"
    assert refusal(penalties={"NS": -5}) == "penalties.NS = -5: it must be a whole number, positive for points lost"


def test_text_that_is_no_toml_is_refused():
    with pytest.raises(InvalidPositionError, match=r"this is no TOML: .* line 1"):
        read_position("phase: draw")
    with pytest.raises(InvalidPositionError, match="a position is a mapping or a TOML text, not 5"):
        read_position(5)


def test_bad_cards_are_named_with_their_place():
    message = refusal(hands={"E": "9c ?2 1h"})
    assert message.startswith("hands.E: '1h' (place 3) is no card: a card is a rank")
    assert refusal(pile="?x") == "pile: '?x' (place 1) must be ? and a number, as in ?13"
    assert refusal(melds={"NS": ["9c ?2"]}) == "melds.NS 1 = '9c ?2': cards that lie open are named, not left to ?n"
    assert refusal(melds={"NS": [NINES, ""]}) == "melds.NS 2: a meld of no cards"


def test_a_fourth_copy_is_a_surplus():
    assert refusal(hands={"N": "9c 9c"}, pile="9c", melds={"EW": ["9c 9d 9h"]}) == (
        "surplus 9c: it stands 4 times in the position (melds.EW 1, hands.N, pile) and 3 times in the pack"
    )
    assert "surplus JK: it stands 7 times" in refusal(hands={"N": "JK JK JK JK JK JK JK"})
    assert "surplus 9c: it stands 3 times" in refusal(FINNISH, hands={"N": "9c 9c 9c"})


def test_more_cards_than_the_pack_are_a_surplus():
    assert refusal(pile="?150") == "surplus cards: pile asks for ?150 and 102 are left over"
    assert refusal(bought={"NS": 7}) == "bought.NS = 7: surplus red threes, 6 left to buy with"
    assert refusal(bought={"NS": "3h"}, pile="3h 3h 3h") == "bought.NS: surplus 3h, 0 left to buy with"


def test_bonus_cards_lie_open_and_only_where_the_game_has_them():
    assert "hands.E holds the bonus card 3h" in refusal(FINNISH, hands={"E": "3h 4c"})
    assert refusal(FINNISH, bonus={"NS": "3c"}) == "bonus.NS: 3c is no bonus card of this game (3d 3h)"
    assert refusal(bonus={"NS": "3h"}) == "bonus.NS: 3h is no bonus card of this game (it has none)"
    assert refusal(FINNISH, bought={"NS": 1}) == "bought.NS = 1: in this game no card is bought"


def test_impossible_auctions_are_refused():
    def auction(*calls, **position):
        return refusal(phase="auction", auction=list(calls), **position)

    assert auction("2C", "1S") == "auction call 2 ('1S') does not outbid 2C (R9.3, B1)"
    assert auction("2C", "2C") == "auction call 2 ('2C') does not outbid 2C (R9.3, B1)"
    assert auction("bid") == "auction call 1 ('bid') is no call: a call is pass, double or a bid such as 3H"
    assert auction("21C") == "auction call 1 ('21C'): the highest level of these rules is 20"
    assert auction("double") == "auction call 1 ('double'): only a bid of the opponents can be doubled (R9.6, B5)"
    assert auction("1C", "pass", "double").startswith("auction call 3 ('double'): only a bid of the opponents")
    assert auction("1C", "pass", "pass", "pass", "1D") == (
        "auction call 5 ('1D'): the auction was over before it (R9.5, R9.6)"
    )
    assert auction("1C", "double") == "auction: over with call 2, but phase is auction"
    assert auction("1C", turn="N") == "turn = 'N': after 1 calls it is the turn of S"
    assert auction("1C", contract="1C by E").startswith("contract = '1C by E': in phase auction there is none yet")
    assert refusal(phase="auction", auction="pass").startswith("auction = 'pass': it must be a list of calls")
    assert refusal(phase="auction", melds={"NS": [NINES]}) == "melds.NS: nobody has melded in phase auction"


def test_contracts_must_come_from_the_auction():
    assert refusal(auction=["1C"]) == "auction: in phase draw it must be over, and these calls do not end it"
    calls = ["1H", "pass", "pass", "pass"]
    assert refusal(auction=calls, contract="2H by E").startswith("contract = '2H by E' was never bid in the auction")
    assert refusal(auction=calls, contract="1H by W").startswith("contract = '1H by W' was never bid in the auction")
    assert refusal(auction=["1H", "double"], contract="none").startswith("contract = 'none', but the auction ends in a")
    assert refusal(contract="3H").startswith("contract: '3H' is no contract: a contract is 'none' or such as '3H by E'")
    assert refusal(contract="21H by E") == "contract = '21H by E': the highest level of these rules is 20"


def test_the_opening_before_play_is_the_declarers():
    assert refusal(phase="opening") == "phase opening needs a contract such as '3H by E'"
    assert "doubled contract opens in play (R14.10)" in refusal(phase="opening", contract="1H by E doubled")
    assert refusal(phase="opening", contract="1H by E", turn="N") == (
        "turn = 'N': the opening is laid by the declarer, E"
    )
    assert refusal(phase="opening", contract="1H by E", melds={"NS": [NINES]}) == (
        "melds.NS: in phase opening only the declarer's side has melds"
    )
    assert refusal(phase="opening", contract="1H by E", pile="5c") == (
        "pile: in phase opening no card has been turned yet (R6.2)"
    )
    assert refusal(phase="opening", contract="1H by E", hands={"E": "?13"}, melds={"EW": [NINES]}) == (
        "hands.E and its melds hold 16 cards: the opening is laid from 15 (R14.1)"
    )
    assert "nobody has bought in phase opening" in refusal(phase="opening", contract="1H by E", bought={"NS": 1})


def test_wrong_sizes_are_refused():
    assert refusal(phase="auction", hands={"S": "?16"}) == (
        "hands.S holds 16 cards: in phase auction it is at most 15 (R6.1)"
    )
    assert refusal(phase="meld", hands={"E": ""}) == "hands.E is empty, but E is to end the turn in phase meld"
    assert refusal(phase="over", ended="out N", hands={"N": "9c"}) == "hands.N is not empty, but ended = 'out N'"


def test_the_end_belongs_to_phase_over():
    assert refusal(phase="over") == "phase over needs ended: it must be 'stock' or such as 'out N'"
    assert refusal(ended="stock") == "ended = 'stock' belongs to phase over, not to phase draw"
    assert refusal(phase="over", ended="out X") == "ended = 'out X': it must be 'stock' or such as 'out N'"
    assert refusal(phase="over", ended="out N", first_turn=True).startswith("first_turn = true: in phase over")


def test_phases_that_a_game_does_not_have_are_refused():
    assert refusal(FINNISH, phase="auction") == "phase = 'auction': this game has no auction"
    assert refusal(FINNISH, auction=["pass"]) == "auction: this game has none"
    assert refusal(FINNISH, contract="1H by E") == "contract = '1H by E': this game has no contract"
    assert "nobody asks for permission" in refusal(preset("tile_canasta"), phase="reply")


@pytest.mark.parametrize("dealer", "NESW")
@pytest.mark.parametrize("declarer", "NESW")
@pytest.mark.parametrize("doubled", ["", " doubled"])
def test_a_table_with_a_contract_and_no_calls_has_the_shortest_auction_to_it(dealer, declarer, doubled):
    table = Table.from_position({"dealer": dealer, "contract": f"3H by {declarer}{doubled}"})
    before = ["pass"] * (("NESW".index(declarer) - "NESW".index(dealer) - 1) % 4)
    assert table.calls == (*before, "3H", *(["double"] if doubled else ["pass"] * 3))
    assert Table.from_position(table.to_position()) == table
