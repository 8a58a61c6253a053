"""Every case of the director's layer passes, and rulings keep their forms."""

from pathlib import Path

import pytest

import sitoumus as sit
from sitoumus.cases import check

CASE_FILES = sorted((Path(__file__).parent / "cases" / "director").glob("*.toml"))
#: Cases of the core's own question (a yes that binds), which rule sets without that field cannot pass.
WAITING = () if hasattr(sit.SITOUMUSSAMBA.out, "yes_binds") else ("fi-yes-binds",)


@pytest.mark.parametrize("path", CASE_FILES, ids=lambda path: path.stem)
def test_every_case_of_the_director_passes(path):
    failed = [str(result) for result in check(path) if not result.passed and result.id not in WAITING]
    assert not failed, "\n".join(failed)


def referee_of(position, **more):
    return sit.Referee(sit.Table.from_position({"rules": "finnish_canasta", **position}, **more))


OPENING = {
    "phase": "meld",
    "turn": "E",
    "totals": {"EW": 1600},
    "hands": {"E": "Ac Ad 2h 4c 4d 4h 4s 4c 9d 9s Kc Qd"},
}
ACT = ["meld Ac Ad 2h", "meld 4c 4d 4h 4s 4c"]


def test_a_ruling_is_judged_without_changing_anything_then_applied_and_taken_back():
    referee = referee_of(OPENING)
    before = referee.to_position()
    ruling = referee.judge(act=ACT, seat="E", by="S")
    assert (ruling.what, ruling.remedy, ruling.minimum_raise) == ("short_opening", "take_back", {"EW": 10})
    assert str(ruling) == (
        "East's opening makes 85 of 90: all cards go back, and the minimum of EW is 100 for this deal (I7.1)."
    )
    assert referee.to_position() == before
    referee.apply(ruling)
    assert referee.table.minimum("EW") == 100
    referee.pop()
    assert referee.to_position() == before


def test_a_penalty_card_is_discarded_first_and_the_refusal_says_why():
    referee = referee_of(OPENING)
    referee.report("exposed_card", seat="E", cards="9d", by="N")
    assert "discard Qd" not in referee.legal_actions
    assert "discard 9d" in referee.legal_actions
    with pytest.raises(sit.IllegalActionError, match=r"I10\.2"):
        referee.push("discard Qd")
    referee.push("discard 9d")
    assert referee.turn == "S"
    assert referee.penalty_cards == {}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"what": "short_openin", "seat": "E"}, "did you mean short_opening"),
        ({"what": "talk", "seat": "X"}, "seat is 'X'"),
        ({"what": "talk", "seat": "N", "points": 2005}, "up to 2000"),
        ({"what": "short_opening", "seat": "E", "act": ACT, "choice": "correct"}, "no choice is open"),
        ({"what": "hidden_bonus_card", "seat": "E", "noticed": "deal_over"}, "cards is missing"),
        ({"what": "talk", "seat": "E", "by": "Z"}, "by is 'Z'"),
        ({"what": "wrong_hand", "seat": "E", "noticed": "at_once"}, "noticed is 'at_once'"),
        ({"what": "talk", "seat": "E", "loud": True}, "unknown detail 'loud'"),
        ({"seat": "E"}, "needs its act"),
        ({"seat": "E", "act": ["meld Ah As Jc"]}, "does not hold"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_would_be_right(words, message):
    words = dict(words)
    with pytest.raises(sit.RulingError, match=message):
        referee_of(OPENING).judge(words.pop("what", None), **words)


def test_a_house_rule_changes_one_number_and_the_code_has_a_hash_of_its_own():
    house = sit.FINNISH_CANASTA.replace(**{"penalty.short_opening.minimum_raise": 20, "penalty.talk": None})
    assert house != sit.FINNISH_CANASTA
    assert house.hash == sit.FINNISH_CANASTA.hash
    assert house.penalty.hash != sit.FINNISH_CANASTA.penalty.hash
    assert "talk" not in house.penalty
    assert house.options == {"penalty.short_opening.minimum_raise": 20, "penalty.talk": None}
    assert sit.RuleSet.from_toml(house.to_toml(full=True)) == house
    position = {key: value for key, value in OPENING.items() if key != "rules"}
    table = sit.Table.from_position(position, rules=house)
    assert sit.Referee(table).judge(act=ACT, seat="E").minimum_raise == {"EW": 20}


def test_rulings_and_incidents_read_back_as_written():
    ruling = referee_of(OPENING).judge(act=ACT, seat="E", by="S")
    assert sit.Ruling.from_dict(ruling.to_dict()) == ruling
    assert sit.Incident.from_dict(ruling.incident.to_dict()) == ruling.incident
