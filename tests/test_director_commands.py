"""The commands of the director: ``sitoumus ruling``, ``sitoumus referee``, ``sitoumus rules --penalties``."""

import json
import subprocess
import sys

import sitoumus as sit
from sitoumus.cli import run


def test_ruling_says_a_case_in_a_few_words(capsys):
    assert run(["ruling", "short_opening", "--seat", "E", "--rules", "finnish_canasta"]) == 0
    said = (
        "East's opening makes too little of its minimum: all cards go back, and the minimum of EW is 60 for this deal"
    )
    assert capsys.readouterr().out == f"{said} (I7.1).\n"
    told = ["hidden bonus card", "--seat", "S", "--cards", "3d 3h", "--noticed", "deal_over"]
    assert run(["ruling", *told, "--rules", "samba", "--json"]) == 0
    (ruling,) = json.loads(capsys.readouterr().out)
    assert (ruling["points"], ruling["rule"]) == ({"NS": -1000}, "I12.1")
    assert run(["ruling", "talk", "--seat", "N", "--rules", "samba", "-d", "points=500"]) == 0
    assert "NS loses 500 points" in capsys.readouterr().out


def test_ruling_reads_a_case_and_a_position(tmp_path, capsys):
    position = tmp_path / "table.toml"
    position.write_text(
        'phase = "meld"\nturn = "N"\nhands = { N = "4h 5h 6h 9c Jd Qs" }\nmelds = { NS = ["Kc Kd Kh"] }'
    )
    told = ["--seat", "N", "--act", "meld 4h 5h 6h", "--rules", "finnish_canasta", "--position", str(position)]
    assert run(["ruling", *told]) == 0
    out = capsys.readouterr().out
    assert "NS loses 100 points (I6.3)" in out
    case = tmp_path / "case.toml"
    case.write_text(
        '[[case]]\nrules = "finnish_canasta"\n[case.position]\nphase = "draw"\n'
        '[[case.incident]]\nwhat = "exposed_card"\nseat = "S"\ncards = "9c"\n'
    )
    assert run(["ruling", str(case)]) == 0
    assert "penalty cards" in capsys.readouterr().out


def test_what_cannot_be_ruled_on_is_one_sentence_and_status_two(capsys):
    assert run(["ruling", "talc", "--seat", "N"]) == 2
    assert "did you mean talk" in capsys.readouterr().err
    assert run(["ruling", "talk"]) == 2
    assert "name the seat" in capsys.readouterr().err
    assert run(["referee", "no.json"]) == 2
    assert run(["referee", "no.txt"]) == 2


def test_ruling_without_arguments_asks():
    answers = "samba\n?\nexposed crd\nexposed_card\nE\n9c\n\nS\n"
    command = [sys.executable, "-m", "sitoumus", "ruling"]
    asked = subprocess.run(command, input=answers, capture_output=True, text=True, check=True)
    assert asked.stdout.startswith("East showed 9c: the card stays in the hand, and the shown cards lie open")
    assert "did you mean exposed_card" in asked.stderr


def test_referee_checks_a_record_and_writes_the_judged_one(tmp_path, capsys):
    rules = sit.FINNISH_CANASTA
    game = sit.play(sit.Deal(seed=5, number=1, rules=rules), policies="greedy")
    path, judged = tmp_path / "game.json", tmp_path / "judged.json"
    game.save(path)
    assert run(["referee", str(path)]) == 0
    assert capsys.readouterr().out.startswith("no infractions; ")
    record = game.to_dict()
    record["actions"] = ["W: draw", "claim N", *record["actions"]]
    path.write_text(json.dumps(record))
    assert run(["referee", str(path), "--save", str(judged)]) == 1
    out = capsys.readouterr().out
    assert "draw out of turn" in out
    assert "1 infraction; " in out
    assert run(["referee", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["infractions"][0]["rule"] == "I4.5"
    assert run(["referee", str(path), "--csv"]) == 1
    assert capsys.readouterr().out.splitlines()[0] == "deal,after,seat,what,noticed,remedy,side,points,rule,text"
    loaded = sit.load_game(judged)
    assert len(loaded.incidents) == 1
    assert run(["referee", str(judged)]) == 1
    assert run(["score", str(judged)]) == 0
    assert "draw out of turn" in capsys.readouterr().out


def test_the_code_is_printed_as_a_table_and_differs_between_games(capsys):
    assert run(["rules", "finnish_canasta", "--penalties"]) == 0
    out = capsys.readouterr().out
    assert "short_opening" in out
    assert "insufficient_bid" not in out
    assert run(["rules", "tile_canasta", "--penalties", "--json"]) == 0
    assert [row["irregularity"] for row in json.loads(capsys.readouterr().out)] == ["wrong_score"]
    assert run(["rules", "--diff", "finnish_canasta", "finnish_canasta_2p"]) == 0
    assert "penalty.short_opening.minimum_raise" in capsys.readouterr().out
