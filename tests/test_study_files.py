"""Study files: a result writes its question as TOML, which is asked again from Python and the command line."""

import json
import tomllib

import pandas as pd
import pytest

import sitoumus as sit
from sitoumus import cli
from sitoumus.study import STUDIES

HAND = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"


def asked(name):
    """A result of a study, small."""
    more = {"progress": False, "seed": 5}
    if name == "contract_odds":
        return sit.contract_odds(
            HAND, ["2H", "3H by W"], deals=40, where=sit.partner.jokers >= 1, totals=(1500, 0), **more
        )
    if name == "best_bid":
        players = ("greedy", sit.HeuristicPolicy(bid_first=900))
        rules = sit.SITOUMUSSAMBA.replace(second_set="after_complete")
        return sit.best_bid(
            HAND, seat="S", auction=("1C",), max_level=1, deals=120, policies=players, rules=rules, **more
        )
    if name == "thresholds":
        return sit.thresholds(["2H", "3H"], "run_h", hands=200, draws=100, **more)
    if name == "bidding_table":
        return sit.bidding_table(50, levels=[2], strains=["H"], hands=200, draws=100, **more)
    if name == "compare":
        return sit.compare("greedy", sit.RolloutPolicy(worlds=8, base="greedy"), pairs=4, **more)
    if name == "show_condition":
        where = (sit.partner.run_h >= 3) & (sit.me.jokers >= 1)
        return sit.show_condition(where, seat="S", hands={"W": "JK"}, deals=60, tries=400, seed=5)
    return sit.policy_panel(HAND, ["3H"], policies=["random", "greedy"], deals=20, **more)


@pytest.mark.parametrize("name", STUDIES)
def test_a_question_is_asked_again(name, tmp_path, capsys):
    result = asked(name)
    text = result.to_toml()
    assert tomllib.loads(text)["study"] == name
    file = tmp_path / "study.toml"
    file.write_text(text, encoding="utf-8")
    again = sit.run_study(file, progress=False, threads=1)
    pd.testing.assert_frame_equal(again.frame, result.frame)
    assert again.to_toml() == text
    assert cli.run(["run", str(file), "--json", "--no-progress"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(result.to_dict()))


def test_a_file_by_hand(tmp_path):
    file = tmp_path / "study.toml"
    file.write_text(f'study = "contract_odds"\nhand = "{HAND}"\ncontracts = ["3H"]\ndeals = 20\n', encoding="utf-8")
    pd.testing.assert_frame_equal(
        sit.run_study(file, progress=False).frame, sit.contract_odds(HAND, ["3H"], deals=20, progress=False).frame
    )


def test_advice_at_a_table_has_no_file():
    table = sit.Table(sit.Deal(seed=7, number=42)).after("2H", "pass", "pass", "pass")
    found = table.advise(deals=10, progress=False)
    with pytest.raises(ValueError, match="only a study goes into a file"):
        found.to_toml()


def test_none_stays_none_where_something_else_is_usual(tmp_path):
    asked = {"auction": ("pass", "1C", "pass"), "seat": "N", "deals": 40, "progress": False}
    all_deals = sit.contract_odds(HAND, ["2H"], floor=None, **asked)
    (tmp_path / "study.toml").write_text(all_deals.to_toml(), encoding="utf-8")
    again = sit.run_study(tmp_path / "study.toml", progress=False)
    pd.testing.assert_frame_equal(again.frame, all_deals.frame)
    assert not again.frame.equals(sit.contract_odds(HAND, ["2H"], **asked).frame)


def test_a_policy_whose_worlds_are_all_equally_likely_goes_into_a_file(tmp_path):
    blind = sit.RolloutPolicy(worlds=8, base="greedy", floor=None)
    found = sit.compare(blind, "greedy", pairs=2, progress=False)
    (tmp_path / "study.toml").write_text(found.to_toml(), encoding="utf-8")
    again = sit.run_study(tmp_path / "study.toml", progress=False)
    pd.testing.assert_frame_equal(again.frame, found.frame)
    assert again.provenance["policies"][0] == blind.to_dict()


class First(sit.Policy):
    def act(self, view, legal):
        return legal[0]


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"where": lambda hands: hands["N"].count("JK") > 0}, "where is .*: what is written in Python"),
        ({"where": (sit.north.jokers >= 0) & (lambda hands: True)}, "where is .*: what is written in Python"),
        ({"policies": First()}, "policies is .*First: what is written in Python"),
        ({"policies": ("greedy", First())}, "policies is .*First'.*: what is written in Python"),
        ({"panel": {"mine": First()}}, "panel is .*First'.*: what is written in Python"),
    ],
)
def test_what_is_written_in_python_does_not_go_into_a_file(keywords, message):
    found = sit.contract_odds(HAND, ["3H"], deals=2, progress=False, **keywords)
    with pytest.raises(ValueError, match=message):
        found.to_toml()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "study is None, and must be one of contract_odds"),
        ('study = "fame"', "study is 'fame'"),
        ("study =", "cannot be read"),
        ('study = "best_bid"', "hand is missing, which best_bid asks for"),
        (f'study = "best_bid"\nhand = "{HAND}"\ndeal = 3', "best_bid has no keyword 'deal'"),
        (f'study = "best_bid"\nhand = "{HAND}"\nresult_version = 0', "was written with result version 0"),
        (f'study = "best_bid"\nhand = "{HAND}"\ndeals = 0', "deals is 0"),
        (f'study = "best_bid"\nhand = "{HAND}"\nrules = "fame"', "fame"),
        (f'study = "best_bid"\nhand = "{HAND}"\nfloor = "low"', "floor is 'low'"),
        ('study = "compare"\na = "greedy"\nb = "random"\nuntil.h2 = 1', "until has no parameter 'h2': it has h0, h1"),
        ('study = "compare"\na = "greedy"\nb = "random"\nuntil.h1 = "big"', "h1 is 'big': it must be a number"),
        ('study = "compare"\na = "greedy"\nb = {policy = ["random"]}', "is no policy"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(text, message, tmp_path, capsys):
    file = tmp_path / "study.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        sit.run_study(file, progress=False)
    assert cli.run(["run", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match="cannot be read"):
        sit.run_study(tmp_path / "none.toml")


# ---- the commands ----------------------------------------------------------------------------------------------------


def test_best_bid_at_the_command_line(tmp_path, capsys):
    picture = tmp_path / "bids.png"
    usual = ["best-bid", HAND, "--max-level", "1", "--deals", "100", "--no-progress"]
    pytest.importorskip("matplotlib")
    assert cli.run([*usual, "--plot", str(picture)]) == 0
    assert "best call: " in capsys.readouterr().out
    assert picture.stat().st_size > 1000
    assert cli.run([*usual, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["best"]
    assert cli.run([*usual, "--csv", "--utility", "match", "--totals", "15000,12000"]) == 0
    assert capsys.readouterr().out.startswith("call,deals,points,")
    assert cli.run(["best-bid", HAND, "--seat", "S"]) == 2
    assert "S is not to call" in capsys.readouterr().err
    assert cli.run(["best-bid", HAND, "--auction", "3C pass", "--seat", "W", "--dealer", "W"]) == 2


def test_thresholds_at_the_command_line(capsys):
    usual = ["thresholds", "-c", "2H", "-f", "run_h", "--hands", "200", "--no-progress"]
    assert cli.run(usual) == 0
    assert "contract against pass" in capsys.readouterr().out
    assert cli.run([*usual, "--csv"]) == 0
    assert capsys.readouterr().out.startswith("contract,feature,value,")
    assert cli.run(["thresholds", "-c", "2H", "-f", "fame"]) == 2
    assert "'fame' is no feature" in capsys.readouterr().err


def test_the_bidding_table_at_the_command_line(capsys):
    usual = ["bidding-table", "--minimum", "50", "--level", "2", "--strain", "h", "--hands", "200", "--no-progress"]
    assert cli.run(usual) == 0
    assert "\n2H" in capsys.readouterr().out
    assert cli.run([*usual, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sheet"]["50"].keys() == {"2H"}
    assert cli.run(["bidding-table", "--minimum", "7"]) == 2
    assert "7 is no opening minimum" in capsys.readouterr().err
