"""Deals typed in by hand, match sheets, the ranking of an evening, dealing sheets."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pandas as pd
import pytest

import sitoumus as sit
from sitoumus.cli import run
from sitoumus.club.evening import dealing_sheet
from sitoumus.club.form import ask_form, form_of_game, form_of_table, is_form, read_form, write_form

CASES = Path(__file__).parent / "cases"
FORM = """\
rules  sitoumussamba        totals NS 3450, EW 1200
contract 3H by E            ended  out E
NS  7c-Kc | 4s-Ts | 2d 2d 2h 2s JK JK | Ad Ad JK
EW  As-4s | 8c-Ac | 2c 2c 2c 2h 2h 2s JK
left N 4s 5c 5c Qd, S 85, W 25
bought EW 1                 penalty NS 100 failed question
ruling W meld_out_of_turn
"""


@pytest.mark.parametrize("name", sit.PRESETS)
def test_the_form_written_from_the_end_of_a_deal_scores_the_same_to_the_point(name):
    rules = sit.PRESETS[name]
    sides = len(rules.table.sides)
    for number in range(int(os.environ.get("SITOUMUS_FORMS", "6"))):
        policies, total = ("random", "greedy", "heuristic")[number % 3], (0, 1500, 3000)[number // 3 % 3]
        deal = sit.Deal(seed=11, number=number, rules=rules)
        game = sit.play(deal, policies=policies, totals=(total,) * sides)
        text = write_form(form_of_game(game))
        assert is_form(text)
        score = read_form(text).score(strict=True)
        assert score == game.score
        explained = score.explain()
        assert {side: explained[explained.side == side].points.sum() for side in score.sides} == score.sides


@pytest.mark.parametrize(("number", "total"), [(459, 3000), (1800, 1500)])
def test_cards_laid_to_buy_are_not_taken_for_the_stock_of_a_form(number, total):
    game = sit.play(sit.Deal(seed=11, number=number), policies="random", totals=(total, total))
    assert read_form(write_form(form_of_game(game))).score(strict=True) == game.score


def scoring_cases():
    for path in sorted(CASES.rglob("*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            expect = case["expect"]
            if case.get("position", {}).get("phase") == "over" and "scores" in expect and "play" not in expect:
                if "incident" not in case:
                    yield pytest.param(case, id=f"{path.stem}-{case['id']}")


@pytest.mark.parametrize("case", list(scoring_cases()))
def test_every_scoring_case_scores_the_same_as_a_form(case):
    rules = sit.preset(case.get("rules", "sitoumussamba")).replace(**case.get("options", {}))
    table = sit.Table.from_position(case["position"], rules=rules)
    score = read_form(write_form(form_of_table(table))).score()
    assert score == table.score()
    for side, points in case["expect"]["scores"].items():
        assert score[side] == points


def test_a_form_is_read_as_people_write_it():
    deal = read_form(FORM)
    assert deal.totals == {"NS": 3450, "EW": 1200}
    assert deal.left["S"] == 85
    score = deal.score()
    assert (score["NS"], score["EW"], score.result) == (3175, 5175, "made")
    lines = {(side, what): points for side, _, what, points in score.explain().itertuples(index=False)}
    assert lines["NS", "hand of S: 85 points"] == -85
    assert lines["NS", "failed question"] == -100
    assert lines["EW", "bought 1"] == -300
    assert lines["EW", "meld out of turn"] == -100
    assert score.components["EW"]["rulings"] == -100
    assert score.doubts == ()
    assert read_form(write_form(deal)).score() == score


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("ended out E\nNS 7c-Kc | 4x 5c", r"line 2, column 12: '4x'"),
        ("ended out E\nfoo 3", "line 2, column 1: 'foo' is no keyword"),
        ("ended out E\nleft X 3", "line 2, column 6: 'X' must be one of"),
        ("ended out E  totals NS 12a", "line 1, column 24: '12a' must be a whole number"),
        ("rules whist", "line 1, column 7: "),
        ("ended maybe", "line 1, column 7: ended 'maybe'"),
        ("NS 7c-Kc", "does not say how the deal ended"),
        ("ended out E\nNS 7c-Kd", "is no sequence"),
        ("ended out E\nruling W meld_out_of_tun", "did you mean meld_out_of_turn"),
        ("ended out E\nended out W", "line 2, column 7: ended stands twice"),
        ("rules samba\nended out E\ncontract 3H by E", "this game has no auction"),
    ],
)
def test_what_cannot_be_read_is_told_with_line_and_column(form, message):
    with pytest.raises(sit.StudyError, match=message):
        read_form(form)


def doubts(**changes):
    given = {
        "melds": {"NS": ["7c-Kc"], "EW": ["Kd Kd Ks"]},
        "left": {"E": "4c", "S": "4d", "W": "5d"},
        "ended": "out N",
        "contract": "1H by S",
    }
    return sit.score_deal(**{**given, **changes})


@pytest.mark.parametrize(
    ("changes", "doubt"),
    [
        ({"left": {"E": "4c", "S": "4d"}}, "nothing is said about the hand of W"),
        ({"left": {"E": "9c 9c 9c", "S": "4d", "W": "5d"}}, "9c occurs 4 times, and the pack has 3 (R5.1)"),
        ({"melds": {"NS": ["7c-Kc", "4c 5d 9h"], "EW": []}}, "meld 2 of NS, 4c 5d 9h, cannot lie"),
        ({"ended": "out E", "left": {"N": "4c", "S": "4d", "W": "5d"}}, "E could not go out"),
        ({"totals": {"NS": 1201}}, "the total of NS is 1201: points are multiples of 5"),
        ({"contract": "1H by E", "melds": {"NS": ["7c-Kc"]}}, "contract 1H by E: EW has no meld, but the declarer"),
        ({"left": {"E": 83, "S": "4d", "W": "5d"}}, "E has 83 points left"),
        ({"penalties": {"NS": [(7, "?")]}}, "the penalty of NS is 7"),
    ],
)
def test_what_is_doubtful_is_told_with_its_rule_and_scored_all_the_same(changes, doubt):
    assert doubts().doubts == ()
    score = doubts(**changes)
    assert any(text.startswith(doubt) for text in score.doubts), score.doubts
    explained = score.explain()
    assert {side: explained[explained.side == side].points.sum() for side in score.sides} == score.sides
    with pytest.raises(sit.StudyError, match="doubtful"):
        doubts(**changes, strict=True)


def test_what_the_core_cannot_hold_is_counted_by_its_face():
    assert doubts(left={"E": "9c 9c 9c", "S": "4d", "W": "5d"})["EW"] == doubts(left={"E": 30, "S": 5, "W": 5})["EW"]
    plain, more = doubts(), doubts(melds={"NS": ["7c-Kc", "4c 5d 9h"], "EW": ["Kd Kd Ks"]})
    assert more["NS"] - plain["NS"] == 20
    assert doubts(left={"E": 83, "S": 5, "W": 5})["EW"] == plain["EW"] + 5 - 83


def test_the_questions_at_the_prompt_make_the_same_form_and_ask_again_after_a_wrong_answer():
    melds = ["7c-Kc | 4s-Ts | 2d 2d 2h 2s JK JK | Ad Ad JK", "As-4s | 8c-Ax", "As-4s | 8c-Ac | 2c 2c 2c 2h 2h 2s JK"]
    rest = ["N 4s 5c 5c Qd, S 85, W 25", "EW 1", "NS 100 failed question", "", "W meld_out_of_turn", ""]
    answers = iter(["whist", "", "NS 3450, EW 1200", "3H by E", "", "out E", *melds, *rest])
    said = []
    text = ask_form(lambda question: next(answers), said.append)
    assert next(answers, None) is None
    assert read_form(text).score() == read_form(FORM).score()
    assert len(said) == 3


# --- Match sheets.


def test_a_sheet_adds_up_with_rulings_and_keeps_corrected_lines(tmp_path):
    sheet = sit.MatchSheet(names={"NS": "Aino & Eero", "EW": "Helmi & Otto"}, date="1.12.2026", place="Club")
    assert sheet.add(read_form(FORM).score(), note="first") == 1
    assert sheet.add({"NS": 500, "EW": 1000}) == 2
    sheet.correct(2, {"NS": 600, "EW": 1000})
    frame = sheet.frame
    assert frame.loc[(1, "rulings")].to_dict() == {"NS": 0, "EW": -100}
    assert frame.loc[(1, "score")].to_dict() == {"NS": 3175, "EW": 5275}
    assert frame.loc[(2, "total")].to_dict() == sheet.totals == {"NS": 3775, "EW": 6175}
    assert [line for deal, line in frame.index if deal == 2] == ["score", "total"]
    page = sheet.to_html()
    assert "<s>500</s>" in page
    assert "Aino &amp; Eero" in page
    path = tmp_path / "match.toml"
    sheet.save(path)
    assert sit.MatchSheet.load(path).to_dict() == sheet.to_dict()
    assert "struck" in str(sheet)
    with pytest.raises(sit.StudyError, match="deal 3 cannot be corrected"):
        sheet.correct(3, {"NS": 0, "EW": 0})
    with pytest.raises(sit.StudyError, match="give a whole number for each of NS, EW"):
        sheet.add({"NS": 0})


def test_rulings_decide_end_and_winner_and_the_settlement_is_that_of_the_rules():
    sheet = sit.MatchSheet("russian_canasta", totals={"NS": 4900, "EW": 3150})
    sheet.add({"NS": 95, "EW": 0})
    assert sheet.winner == "none"
    sheet.correct(1, {"NS": 345, "EW": 0})
    assert (sheet.winner, sheet.settlement()) == ("NS", {"NS": 2000, "EW": -2000})
    with pytest.raises(sit.StudyError, match="the match is over"):
        sheet.add({"NS": 0, "EW": 0})
    lost = sit.MatchSheet(totals={"NS": 0, "EW": 15000})
    referee = sit.Referee(sit.Table.from_position({"phase": "draw"}))
    referee.report("talk", seat="E", by="N")
    referee.report("talk", seat="E", by="N")
    lost.add(referee.score())
    assert (lost.totals, lost.winner) == ({"NS": 8000, "EW": 15000}, "NS")


def test_the_sheet_command_reads_forms_scores_and_corrections(tmp_path, capsys):
    path = tmp_path / "match.toml"
    deals = [f"[[deals]]\nform = '''\n{FORM}'''", "[[deals]]\nscores = { NS = 10, EW = 20 }"]
    path.write_text("\n".join(['rules = "sitoumussamba"', *deals, "[[deals]]\ndeal = 2\nscores = {NS = 15, EW = 20}"]))
    assert run(["sheet", str(path), "--html", str(tmp_path / "sheet.html")]) == 0
    out = capsys.readouterr().out
    assert "rulings" in out
    assert "3190" in out
    assert "<table>" in (tmp_path / "sheet.html").read_text()
    path.write_text("[[deals]]\nscores = { NS = 10 }")
    assert run(["sheet", str(path)]) == 2
    assert "deals 1: score is" in capsys.readouterr().err


# --- An evening.


def test_pairs_are_ranked_by_points_rank_and_percent_and_ties_share_the_place():
    columns = ["deal", "table", "NS", "EW", "score"]
    rows = [[1, 1, "A", "B", 500], [1, 2, "C", "D", 300], [2, 1, "A", "D", -200], [2, 2, "C", "B", -200]]
    results = pd.DataFrame(rows, columns=columns)
    points = sit.ranking(results)
    assert points[["place", "pair", "points"]].values.tolist() == [
        [1, "A", 300],
        [2, "C", 100],
        [3, "D", -100],
        [4, "B", -300],
    ]
    ranks = sit.ranking(results, by="rank")
    assert ranks[["place", "pair", "rank"]].values.tolist() == [[1, "A", 3], [1, "D", 3], [3, "B", 1], [3, "C", 1]]
    assert sit.ranking(results, by="percent")["percent"].tolist() == [75, 75, 25, 25]
    with pytest.raises(sit.StudyError, match="by is 'imps'"):
        sit.ranking(results, by="imps")
    with pytest.raises(sit.StudyError, match="no column score"):
        sit.ranking(results[["deal", "table", "NS", "EW"]])
    with pytest.raises(sit.StudyError, match="A plays deal 1 twice"):
        sit.ranking(pd.DataFrame([*rows[:2], [1, 3, "A", "E", 0]], columns=columns))


def test_dealing_sheets_hold_the_cards_of_the_deals(capsys):
    assert run(["deal", "--seed", "7", "--number", "41-42", "--stock"]) == 0
    out = capsys.readouterr().out
    deal = sit.Deal(seed=7, number=42)
    assert all(f"  {seat}  {hand}" in out for seat, hand in deal.hands.items())
    assert " ".join(deal.stock[:24]) in out
    assert "deal 41 of seed 7" in out
    tile = dealing_sheet(7, [1], "tile_canasta", stock=True)
    assert "card more" in tile if sit.TILE_CANASTA.deal.first_extra else "card more" not in tile
    assert run(["deal", "--number", "9-3"]) == 2
    assert "--number '9-3'" in capsys.readouterr().err


def test_score_reads_a_form_from_a_file_and_asks_for_it(tmp_path, capsys):
    path = tmp_path / "deal.txt"
    path.write_text(FORM)
    assert run(["score", str(path)]) == 0
    assert "meld out of turn" in capsys.readouterr().out
    path.write_text(FORM.replace("W 25", "E 25"))
    assert run(["score", str(path)]) == 0
    assert "doubtful: nothing is said about the hand of W" in capsys.readouterr().out
    assert run(["score", str(path), "--strict"]) == 2
    assert run(["score"]) == 2
    assert run(["score", str(path), "--ask"]) == 2
    path.write_text(FORM.replace("7c-Kc", "7c-Kx"))
    assert run(["score", str(path)]) == 2
    assert "line 3, column 5" in capsys.readouterr().err
    answers = "\n".join(["", "", "", "stock", "", "", "N 5, E 5, S 5, W 5", "", "", ""]) + "\n"
    command = [sys.executable, "-m", "sitoumus", "score", "--ask"]
    asked = subprocess.run(command, input=answers, capture_output=True, text=True, check=True)
    assert "hand of N: 5 points" in asked.stdout
