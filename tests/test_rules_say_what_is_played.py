"""Sentences of the rules text, each played in a position: what it allows is legal, what it forbids is refused."""

import pytest

from sitoumus import FINNISH_CANASTA, PRESETS, RUSSIAN_CANASTA, SAMBA, SITOUMUSSAMBA, Table
from sitoumus.errors import IllegalActionError, RuleSetError

FIVE_HEARTS = ["5h 6h 7h", "Kc Kd Kh"]


def text(rules):
    return " ".join(rules.describe().split())


def at(rules, **position):
    others = {"N": "4c 9d", "S": "4d 9h", "W": "4s 9s"}
    position["hands"] = {seat: hand for seat, hand in others.items() if seat in rules_seats(rules)} | position["hands"]
    return Table.from_position({"turn": "E", "stock": "?20", **position}, rules=rules)


def rules_seats(rules):
    return "NESW" if rules.table.seats == 4 else "NES" if rules.table.seats == 3 else "NS"


def refused(table, action, reason="is not legal"):
    with pytest.raises(IllegalActionError, match=reason):
        table.copy().push(action)
    return True


def test_an_undoubled_declarer_takes_the_pile_in_his_first_turn_only_onto_a_run():
    first = "In his first turn an undoubled declarer takes the pile only by putting the top card onto a run of his"
    assert f"{first} opening;" in text(SITOUMUSSAMBA)
    begin = {"hands": {"E": "8c 8d Qs Qh 2c"}, "melds": {"EW": FIVE_HEARTS}, "pile": "8h", "contract": "1C by E"}
    table = at(SITOUMUSSAMBA, first_turn=True, **begin)
    assert "take > 1" in table.legal_actions
    assert refused(table, "take 8c 8d", "B18")
    assert "take 8c 8d" in at(SITOUMUSSAMBA, first_turn=False, **begin).legal_actions
    doubled = at(SITOUMUSSAMBA, **begin | {"contract": "1C by E doubled"})
    assert "take 8c 8d" in doubled.legal_actions


def test_first_turns_are_like_any_other_where_no_declarer_begins():
    like = "The first turn is like any other."
    assert like in text(FINNISH_CANASTA)
    assert like in text(SITOUMUSSAMBA.replace(first_player="dealer_left"))
    assert like not in text(SITOUMUSSAMBA)


def test_the_top_card_goes_only_onto_a_run_as_it_lay_when_the_turn_began():
    words = "goes only onto a run that lay there, so long as it is, when the turn began"
    assert f"{words}, in a declarer's first turn onto one of his opening." in text(SITOUMUSSAMBA)
    assert "declarer" not in text(SAMBA)
    begin = {"hands": {"E": "8h Qs Qh 2c"}, "melds": {"EW": ["5h 6h 7h"]}, "pile": "9h 4c"}
    assert refused(at(SITOUMUSSAMBA, **begin), "add 8h > 1", "B19")
    other = SITOUMUSSAMBA.replace(transfer_to_new_sequence=True)
    assert "also onto a run laid or lengthened in the same turn" in text(other)
    table = at(other, **begin)
    table.push("add 8h > 1")
    assert "take > 1" in table.legal_actions


def test_each_red_three_may_buy_a_card_in_one_turn():
    assert "Each of the red threes in hand may be laid in a turn" in text(SITOUMUSSAMBA)
    table = at(SITOUMUSSAMBA, phase="meld", hands={"E": "3h 3h 3d 8c 9d"}, pile="6h")
    for _ in range(2):
        table.push("buy 3h")
    table.push("buy 3d")
    assert len(table.bought("EW")) == 3


def test_a_side_that_has_not_opened_puts_no_top_card_onto_a_run():
    has_only = "of the ways that the state of the pile allows has only these: "
    pair = "two natural cards of the top card's rank from hand; or three natural cards of the top card's rank from hand"
    assert f"{has_only}{pair}." in text(SITOUMUSSAMBA)
    assert "pile.take.unopened = fit_run." in text(SITOUMUSSAMBA)
    begin = {"hands": {"E": "5h 6h 7h Ac Ad As Qs Qh 2c"}, "pile": "8h 4c"}
    assert refused(at(SITOUMUSSAMBA, **begin), "meld 5h 6h 7h")
    other = SITOUMUSSAMBA.replace(transfer_to_new_sequence=True)
    assert f"{has_only}{pair}; or putting the top card onto an own incomplete run." in text(other)
    table = at(other, **begin)
    table.push("meld 5h 6h 7h")
    table.push("meld Ac Ad As")
    assert "take > 1" in table.legal_actions


def test_a_take_that_opens_names_all_that_counts():
    words = "The take names all the hand cards of its set that are to count"
    said = {name for name, rules in PRESETS.items() if words in text(rules)}
    assert said == set(PRESETS) - {"sitoumussamba", "brazilian_canasta"}
    begin = {"hands": {"E": "Kc Kd Kh Ks 4h 5d"}, "pile": "Kc 6h"}
    assert [a for a in at(FINNISH_CANASTA, **begin).legal_actions if a.startswith("take")] == ["take Kc Kd Kh Ks"]
    opened = at(FINNISH_CANASTA, melds={"EW": ["9c 9d 9h"]}, **begin)
    assert "take Kc Kd" in opened.legal_actions
    assert refused(opened, "take Kc Kd Kh")


def test_after_a_yes_he_must_go_out_if_he_can():
    begin = {
        "phase": "meld",
        "hands": {"E": "Kc Kd Kh 5d"},
        "melds": {"EW": ["7c 7d 7h 7s 7c 7d 7h"]},
        "pile": "6c",
    }
    for rules in (FINNISH_CANASTA, RUSSIAN_CANASTA):
        bound = "After a yes he must go out in this turn if he can" in text(rules)
        assert bound is rules.out.yes_binds
        assert bound is not ("After a yes nothing is forced." in text(rules))
        table = at(rules, **begin)
        table.push("ask")
        table.push("yes")
        assert ("discard 5d" in table.legal_actions) is not bound
        if bound:
            assert refused(table, "discard 5d", "partner has said yes and E can go out in this turn")


def test_dealt_red_threes_wait_for_the_first_turn_of_their_owner():
    words = "Red threes that are dealt stay in hand until their owner's first turn begins"
    assert {name for name, rules in PRESETS.items() if words in text(rules)} == {"russian_canasta"}
    lost = "One in the hand of a player who had no turn costs 100 points if his side has fewer than one meld"
    assert lost in text(RUSSIAN_CANASTA)
    table = at(RUSSIAN_CANASTA, phase="meld", hands={"E": "9c 9d 5s", "S": "3h Qd"}, pile="6c", stock="Jc ?10")
    assert table.bonus("NS") == ()
    table.push("discard 5s")
    assert table.bonus("NS") == ("3h",)
    assert set(table.hand("S").cards) == {"Qd", "Jc"}


@pytest.mark.parametrize("way", ["fit_set", "fit_full"])
def test_a_side_without_melds_has_no_way_onto_a_set(way):
    with pytest.raises(RuleSetError, match=rf"pile.take.unopened: {way} cannot be a way for a side"):
        SAMBA.replace(**{"pile.take.unopened": ["pair", way], "pile.take.open": ["pair", way]})


def test_ways_that_no_state_of_the_pile_allows_are_listed_as_without_effect():
    rules = SAMBA.replace(**{"pile.take.unopened": ["pair", "triple"]})
    assert "pile.take.unopened = triple." in text(rules)
    assert "pile.take.unopened" not in text(SAMBA).rpartition("Fields without effect")[2]
    begin = {"hands": {"E": "Kc Kd Kh 4h 5d Ac"}, "pile": "Ks 6h", "totals": {"NS": 0, "EW": -5}}
    assert list(at(rules, **begin).legal_actions) == list(at(SAMBA, **begin).legal_actions)


def test_a_counted_top_card_and_a_pile_taken_in_part_do_not_go_together():
    with pytest.raises(RuleSetError, match=r"opening.top_counts: .* pile.extent = whole, not to_freezer"):
        FINNISH_CANASTA.replace(**{"pile.extent": "to_freezer"})
    assert FINNISH_CANASTA.replace(**{"pile.extent": "to_freezer", "opening.top_counts": False})
