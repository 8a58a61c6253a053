"""rescore: equal to playing under the other reading, as the compiled policies do not look at these options."""

import pandas as pd
import pytest

import sitoumus as sit

READINGS = {
    "B28 the 300 does not count": {"out_bonus_in_result": False},
    "B30 no hand minus from level 5 on": {"hand_minus_at_5plus": False},
    "B33 void only if nobody went out": {"void_rule": "deal_end"},
    "B34 card points of a failed side are lost": {"failed_side_keeps_card_points": False},
    "D26 a void contract costs half": {"void_cost": [50, 0]},
    "D26 a doubled one somewhat less than a failed one": {"void_cost": [0, 99]},
    "all": {
        "out_bonus_in_result": False,
        "hand_minus_at_5plus": False,
        "void_rule": "deal_end",
        "failed_side_keeps_card_points": False,
        "void_cost": [37, 80],
    },
}
USUAL = {"seed": 7, "progress": False, "policies": "greedy"}
CONTRACTS = ["3H by E", "4S by N doubled", "5CAN by S", "6H by W doubled", None, "none"]


@pytest.fixture(scope="module", params=CONTRACTS, ids=str)
def played(request):
    return sit.simulate(800, contract=request.param, **USUAL)


@pytest.mark.parametrize("options", READINGS.values(), ids=READINGS)
def test_it_equals_playing_under_the_reading(played, options):
    rules = sit.SITOUMUSSAMBA.replace(**options)
    again = sit.simulate(800, contract=played.attrs["contract"], rules=rules, **USUAL)
    found = sit.rescore(played, rules)
    pd.testing.assert_frame_equal(found, again, check_exact=True)
    assert found.attrs["rules_hash"] == rules.hash
    assert found.attrs["rescored_from"] == {"preset": "sitoumussamba", "options": {}}


@pytest.mark.parametrize("contract", [None, "3H by E", "6H by W doubled"])
def test_it_equals_what_the_stronger_policies_play_under_the_reading(contract):
    usual = USUAL | {"policies": ("heuristic", "tuned"), "contract": contract, "totals": (2500, 8000)}
    played = sit.simulate(400, **usual)
    for options in READINGS.values():
        rules = sit.SITOUMUSSAMBA.replace(**options)
        again = sit.simulate(400, rules=rules, **usual)
        pd.testing.assert_frame_equal(sit.rescore(played, rules), again, check_exact=True)


def test_the_readings_move_something():
    frames = [sit.simulate(800, contract=contract, **USUAL) for contract in CONTRACTS]
    for options in READINGS.values():
        rules = sit.SITOUMUSSAMBA.replace(**options)
        assert any((sit.rescore(df, rules)["score_ns"] != df["score_ns"]).any() for df in frames), options


def test_the_rows_given_stay_as_they_are(played):
    before = played.copy()
    sit.rescore(played, sit.SITOUMUSSAMBA.replace(**READINGS["all"]))
    pd.testing.assert_frame_equal(played, before)


def test_dropped_card_points_cannot_come_back():
    rules = sit.SITOUMUSSAMBA.replace(failed_side_keeps_card_points=False)
    df = sit.simulate(800, contract="4H by E", rules=rules, **USUAL)
    with pytest.raises(sit.StudyError, match="has dropped the card points of failed contracts"):
        sit.rescore(df, sit.SITOUMUSSAMBA)
    back = sit.rescore(df[df["result"] != "failed"], sit.SITOUMUSSAMBA)
    plain = sit.simulate(800, contract="4H by E", **USUAL)
    assert (back["score_ew"] == plain.loc[back.index, "score_ew"]).all()


def test_rules_that_change_play_are_refused(played):
    with pytest.raises(sit.StudyError, match=r"these rules differ in contract.out_bonus_in_gate: only out_bonus"):
        sit.rescore(played, sit.SITOUMUSSAMBA.replace(out_bonus_in_gate=True))
    with pytest.raises(sit.StudyError, match="can be read from played deals"):
        sit.rescore(played, sit.SAMBA)
    with pytest.raises(sit.DatasetError, match="do not tell where they come from"):
        sit.rescore(pd.DataFrame({"deal": [1]}), sit.SITOUMUSSAMBA)
