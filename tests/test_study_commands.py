"""The commands of the studies as a user types them: what is refused, what is written where, ctrl-C."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

import sitoumus as sit

HAND = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"
ODDS = ("odds", HAND, "-c", "3H")
BEST = ("best-bid", HAND)
THRESHOLDS = ("thresholds", "-c", "3H", "-f", "run_h")
TABLE = ("bidding-table",)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("odds", HAND + " Ah", "-c", "3H"), "has 16 cards: 15 are dealt"),
        (("odds", HAND.removesuffix(" 3s"), "-c", "3H"), "has 14 cards: 15 are dealt"),
        (("odds", HAND.replace("7s 7d 7c", "Ah Ah Ah"), "-c", "3H"), "Ah stands 4 times: the pack has 3"),
        (("odds", "", "-c", "3H"), "the hand '' has 0 cards"),
        (("odds", HAND, "-c", "3X"), "'3X' is no contract"),
        (("odds", HAND, "-c", "0H"), "'0H' is no contract"),
        (("odds", HAND, "-c", "21H"), "the highest level is 20"),
        (("odds", HAND, "-c", "3H by Q"), "'3H by Q' is no contract"),
        ((*ODDS, "--auction", "2H 1H"), "auction '2H 1H': '1H' is not legal: 1H does not outbid 2H"),
        ((*ODDS, "--auction", "double"), "there is no bid to double"),
        ((*ODDS, "--auction", "pass pass pass pass"), "it is over with these calls"),
        ((*ODDS, "--auction", "4H"), "E cannot call 3H after 4H"),
        ((*ODDS, "--auction", "pass 1C pass", "--seat", "N", "--dealer", "rotate"), "are made with one dealer"),
        ((*ODDS, "--where", "west.jokers >= 7"), "empty condition: no hand of W fulfils west.jokers >= 7"),
        ((*ODDS, "--where", ""), "the condition '' cannot be read"),
        ((*ODDS, "--where", "west.jokers"), "is a number: compare it"),
        ((*ODDS, "--deals", "0"), "'0' is no whole number from 1 up"),
        ((*ODDS, "--precision", "fine"), "'--precision': 'fine' is no number"),
        ((*ODDS, "--precision", "2"), "precision is 2.0"),
        ((*ODDS, "--known", "WJK"), "--known 'WJK': it must be SEAT=CARDS"),
        ((*ODDS, "--known", "W=JK", "--known", "W=2d"), "cards of W are given twice"),
        ((*ODDS, "--known", "W=Ah Ah Ah"), "hand of W: Ah stands 4 times"),
        ((*ODDS, "--below", "4S by S"), "'3H by E' does not outbid 4S"),
        ((*ODDS, "--panel", "greedy,wise"), "unknown policy 'wise'"),
        ((*ODDS, "--reading", "circles"), "'circles' is no open reading"),
        ((*ODDS, "--by", "nothing"), "'nothing' is neither a column of the rows nor a number"),
        ((*ODDS, "--json", "--csv"), "--json and --csv both write to standard output"),
        ((*ODDS, "--save", "nowhere/q.toml", "--deals", "5", "--no-progress"), "--save nowhere/q.toml: "),
        ((*BEST, "--seat", "S"), "S is not to call"),
        ((*THRESHOLDS, "--contested", "--auction", "2C"), "then it is the turn of S, not of E"),
        ((*TABLE, "--auction", "2C fly"), "auction '2C fly': 'fly' is no action"),
        ((*BEST, "--deals", "0"), "'0' is no whole number from 1 up"),
        ((*BEST, "--eps", "-3"), "eps is -3.0"),
        ((*BEST, "--eps", "few"), "'--eps': 'few' is no number"),
        ((*BEST, "--utility", "fame"), "utility is 'fame'"),
        ((*BEST, "--utility", "match", "--totals", "20000,0"), "with these the match is over"),
        ((*BEST, "--call", "pass"), "give at least two to choose from"),
        ((*BEST, "--call", "pass", "--call", "double"), "call 'double': E cannot call it"),
        ((*BEST, "--auction", "3H 2H"), "2H does not outbid 3H"),
        ((*BEST, "--rules", "samba"), "samba has no auction"),
        ((*THRESHOLDS, "--hands", "0"), "'0' is no whole number from 200 up"),
        ((*THRESHOLDS, "--against", "3Z"), "'3Z' is no contract"),
        ((*THRESHOLDS, "--where", "east.jokers >= 7"), "empty condition"),
        ((*THRESHOLDS, "-f", "fame"), "'fame' is no feature"),
        ((*TABLE, "--level", "x"), "'--level': 'x' is no whole number from 1 up"),
        ((*TABLE, "--level", "21"), "a level is 21: it must be a whole number from 1 to 20"),
        ((*TABLE, "--strain", "X"), "a strain is 'X': it must be one of C, D, H, S, CAN, DEU"),
        ((*TABLE, "--minimum", "7"), "7 is no opening minimum"),
        ((*TABLE, "--seat", "Q"), "seat is 'Q': it must be one of N, E, S, W"),
        (("condition", "partner.run_h >= 3"), "say from which seat, as in seat='S' or at the command line --seat S"),
        (("condition", "east.jokers >= 7"), "empty condition"),
        (("simulate", "0"), "'0' is no whole number from 1 up"),
        (("simulate", "10", "--contract", "3H"), "'3H' is no contract"),
        (("simulate", "10", "--where", "east.jokers >= 7"), "empty condition"),
        (("simulate", "10", "--json", "--csv"), "--json and --csv both write to standard output"),
        (("run", "nothing.toml"), "nothing.toml cannot be read"),
    ],
    ids=lambda value: " ".join(value[-2:])[:40] if isinstance(value, tuple) else "",
)
def test_bad_input_is_one_sentence_and_status_2(sitoumus, arguments, words):
    status, out, err = sitoumus(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("sitoumus: ")
    assert err.count("\n") == 1
    assert words in err


@pytest.mark.parametrize(
    "command", [ODDS, BEST, THRESHOLDS, TABLE, ("condition", "east.jokers >= 1"), ("run", "q.toml")]
)
def test_a_picture_that_cannot_be_written_is_refused_before_anything_is_played(sitoumus, command, tmp_path):
    pytest.importorskip("matplotlib")
    for path, words in (
        (tmp_path / "none" / "x.png", "there is no directory"),
        ("x.txt", "its name must end in one of"),
    ):
        status, out, err = sitoumus(*command, "--plot", path)
        assert (status, out) == (2, "")
        assert words in err
        assert "deals/s" not in err


@pytest.mark.parametrize("rules", sit.PRESETS)
def test_a_run_of_any_game_is_summed_up(sitoumus, rules):
    status, out, err = sitoumus("simulate", "20", "--rules", rules, "--policies", "greedy", "--no-progress")
    assert (status, err) == (0, "")
    assert out.startswith("20 deals\n")
    assert ("\nresult: " in out) == (sit.preset(rules).contract is not None)
    assert "\nended: " in out


@pytest.mark.parametrize("rules", ["sitoumussamba", "samba", "finnish_canasta_3p"])
def test_the_rows_of_a_run_are_drawn(sitoumus, rules, tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("pyarrow")
    asked = ["simulate", "60", "--rules", rules, "--no-progress", "--plot"]
    assert sitoumus(*asked, tmp_path / "rows.png")[0] == 0
    assert sitoumus(*asked, tmp_path / "parts.png", "--out", tmp_path / "deals")[0] == 0
    assert (tmp_path / "rows.png").read_bytes() == (tmp_path / "parts.png").read_bytes()


def test_a_question_is_written_and_asked_again(sitoumus, tmp_path):
    path = tmp_path / "question.toml"
    asked = [*ODDS, "--deals", "30", "--known", "W=JK 2d", "--below", "2S by S", "--no-progress", "--json"]
    status, out, err = sitoumus(*asked, "--save", path)
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["below"] == ["2S by S"]
    assert sitoumus("run", path, "--json", "--no-progress") == (0, out, "")


def test_best_bid_of_some_calls_under_a_condition(sitoumus):
    asked = ["--call", "pass", "--call", "2H", "--where", "partner.run_h >= 3", "--known", "S=JK", "--deals", "100"]
    status, out, err = sitoumus(*BEST, *asked, "--no-progress", "--csv")
    assert (status, err) == (0, "")
    assert sorted(line.split(",")[0] for line in out.splitlines()[1:]) == ["2H", "pass"]
    found = json.loads(sitoumus(*BEST, *asked, "--no-progress", "--json")[1])
    assert found["hands"] == {"S": "JK"}
    assert found["condition"]["where"] == "west.run_h >= 3"
    assert "\nS holds JK\nwhere west.run_h >= 3: 0." in sitoumus(*BEST, *asked, "--no-progress")[1]


def test_a_condition_is_shown(sitoumus, tmp_path):
    pytest.importorskip("matplotlib")
    picture, path = tmp_path / "condition.png", tmp_path / "condition.toml"
    asked = ["condition", "partner.run_h >= 3", "--seat", "E", "--deals", "50"]
    status, out, err = sitoumus(*asked, "--plot", picture, "--save", path)
    assert (status, err) == (0, "")
    assert out.startswith("condition: west.run_h >= 3\nprobability 0.1401 exactly")
    assert "\nhands of W\n" in out  # those the condition speaks of
    assert picture.stat().st_size > 10_000
    assert sitoumus("run", path) == (0, out, "")
    assert json.loads(sitoumus(*asked, "--json")[1])["exact"] is True


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_before_anything_is_known_says_what_was_asked():
    script = (
        "import os, signal, sys, sitoumus.odds as odds, sitoumus.cli as cli\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "odds.play_runs = lambda *given, **more: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.exit(cli.run(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", script, *ODDS, "--json"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stdout) == (130, "")
    assert "before anything was known of what was asked: sitoumus odds" in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        ([*ODDS, "--deals", "50000000"], r"^Ah 2c 3s.*\n.*\n[\d,]+ deals, the same for each contract"),
        (
            [*BEST, "--policies", "heuristic", "--deals", "50000000", "--eps", "0"],
            r"^Ah 2c 3s.*\n.*\n[\d,]+ deals, the same for each call",
        ),
        ([*THRESHOLDS, "--hands", "50000000"], r"^contract against pass"),
        (["simulate", "50000000"], r"^\d+ deals\n"),
        (["simulate", "50000000", "--csv"], r"^deal,dealer,"),
    ],
    ids=["odds", "best-bid", "thresholds", "simulate", "simulate --csv"],
)
@pytest.mark.slow
def test_ctrl_c_prints_what_is_known_so_far(arguments, first):
    import pty
    import termios

    command = [sys.executable, "-m", "sitoumus", *arguments]
    terminal, theirs = pty.openpty()  # the bar, which tells how far it is, is shown on terminals alone
    termios.tcsetwinsize(theirs, (24, 100))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True) as run:
        os.close(theirs)
        shown = ""
        while not re.search(r"\b([6-9]\d{3}|\d{5,}|\d+\.?\d*k)/|\b[4-9]/\d+ .*rounds", shown):  # enough for any of them
            shown += os.read(terminal, 4096).decode(errors="replace")
        time.sleep(0.2)
        run.send_signal(signal.SIGINT)
        out, _ = run.communicate(timeout=120)
        err = os.read(terminal, 65536).decode(errors="replace")
    os.close(terminal)
    assert run.returncode == 130
    assert re.search(first, out)
    assert re.search(r"sitoumus: stopped by ctrl-C: .* were asked for, this is ", err)
    assert "Traceback" not in err
