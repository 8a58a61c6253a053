"""The command line: output, exit status, and one sentence for bad input."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

CASES = Path(__file__).parent / "cases"
COMMANDS = ("cases", "rules", "score", "play", "replay", "odds", "best-bid", "thresholds")
COMMANDS += ("bidding-table", "condition", "run", "simulate", "compare", "ladder", "bench", "view", "hand")


def refused(result):
    """The complaint of a command that was given bad input: one line, exit status 2, nothing on standard output."""
    status, out, err = result
    assert (status, out) == (2, "")
    assert err.startswith("sitoumus: ")
    assert err.count("\n") == 1
    return err.removeprefix("sitoumus: ").rstrip("\n")


def test_help_lists_the_commands_without_loading_them():
    script = (
        "import sys; from sitoumus import cli; status = cli.run(['--help']);"
        "assert not {'numpy', 'pandas', 'sitoumus._core'} & set(sys.modules), 'loaded for help'; sys.exit(status)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    for command in COMMANDS:
        assert f"\n  {command} " in run.stdout


def test_it_runs_as_a_module():
    run = subprocess.run([sys.executable, "-m", "sitoumus"], capture_output=True, text=True, check=False)
    assert run.returncode == 0
    assert run.stdout.startswith("Usage: sitoumus ")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(sitoumus, command):
    status, out, err = sitoumus(command, "--help")
    assert (status, err) == (0, "")
    assert f"Usage: sitoumus {command}" in out
    assert "\n  Example" in out


def test_bad_arguments_are_one_sentence_and_status_2(sitoumus):
    assert refused(sitoumus("odds")) == "Missing argument 'HAND' (see sitoumus odds --help)"
    assert refused(sitoumus("fly")).startswith("No such command 'fly'")
    assert refused(sitoumus("simulate", "many")).startswith(
        "Invalid value for 'DEALS': 'many' is no whole number from 1 up"
    )
    assert "'--seed': '-1' is no whole number from 0 up" in refused(sitoumus("simulate", "5", "--seed", "-1"))
    assert "--fly" in refused(sitoumus("rules", "--fly"))


def test_ctrl_c_is_status_130(sitoumus, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("sitoumus.cases.check", interrupt)
    asked = "sitoumus: stopped by ctrl-C before anything was known of what was asked: sitoumus cases x.toml\n"
    assert sitoumus("cases", "x.toml") == (130, "", asked)


def test_a_closed_pipe_ends_without_complaint():
    script = "import sys, sitoumus.cli as cli; sys.exit(cli.run(['rules', '--diff', 'samba', 'bolivia']))"
    run = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    run.stdout.close()
    assert run.stderr.read() == ""
    run.stderr.close()
    assert run.wait() == 1


# rules


def test_rules_lists_the_presets(sitoumus):
    status, out, _ = sitoumus("rules")
    assert status == 0
    assert out.splitlines()[:2] == ["sitoumussamba", "finnish_canasta"]
    assert json.loads(sitoumus("rules", "--json")[1]) == out.split()


def test_rules_differ_field_by_field(sitoumus):
    status, out, _ = sitoumus("rules", "--diff", "finnish_canasta", "american_canasta")
    assert status == 0
    assert out.splitlines()[0].split() == ["field", "finnish_canasta", "american_canasta"]
    assert out.splitlines()[-1].split() == ["melds.set.add_full.wild", "never", "always"]
    assert sitoumus("rules", "--diff", "samba", "samba")[1] == "samba and samba have the same rules\n"
    rows = json.loads(sitoumus("rules", "--diff", "finnish_canasta", "american_canasta", "--json")[1])
    assert {"field": "melds.set.add_full.wild", "finnish_canasta": "never", "american_canasta": "always"} in rows


def test_rules_go_out_and_in_as_toml(sitoumus, tmp_path):
    status, out, _ = sitoumus("rules", "samba", "-o", "target=5000", "--toml")
    assert status == 0
    (tmp_path / "house.toml").write_text(out)
    shown = json.loads(sitoumus("rules", tmp_path / "house.toml", "--json")[1])
    assert shown["match"]["end"] == ["target", 5000]


def test_rules_in_words(sitoumus):
    status, out, err = sitoumus("rules", "sitoumussamba")
    assert (status, err) == (0, "")
    assert "20000" in out.replace(",", "").replace(" ", "")


def test_bad_rules_are_refused(sitoumus, tmp_path):
    assert refused(sitoumus("rules", "sambo")).startswith("preset: unknown preset 'sambo'")
    assert refused(sitoumus("rules", "samba", "-o", "target")).startswith("option 'target' must be NAME=VALUE")
    assert refused(sitoumus("rules", "samba", "-o", "target=high")).startswith("match.end is 'high'")
    assert "x.toml cannot be read: [Errno 2] No such file" in refused(sitoumus("rules", tmp_path / "x.toml"))
    (tmp_path / "x.toml").write_text("preset = ")
    assert "x.toml: not TOML" in refused(sitoumus("rules", tmp_path / "x.toml"))


# cases: the runner itself is tested in test_cases_runner.py


@pytest.fixture
def checked(monkeypatch):
    """The runner's answers, without a table: one case passes, one fails."""
    from sitoumus.cases import CaseResult, Failure

    def check(path):
        if "missing" in str(path):
            from sitoumus.errors import CaseFileError

            raise CaseFileError(f"{path} cannot be read")
        failure = Failure("turn", "'W'", "'E'")
        return [CaseResult("a", "R1"), *([CaseResult("b", "R2", (failure,))] if "wrong" in str(path) else [])]

    monkeypatch.setattr("sitoumus.cases.check", check)


@pytest.mark.usefixtures("checked")
def test_cases_end_with_a_count_and_the_status_tells(sitoumus):
    assert sitoumus("cases", "x.toml", "y.toml") == (0, "2 passed, 0 failed\n", "")
    status, out, err = sitoumus("cases", "wrong.toml", "y.toml")
    assert (status, err) == (1, "")
    assert out == "b (R2): turn: expected 'W', got 'E'\n2 passed, 1 failed\n"
    status, out, err = sitoumus("cases", "missing.toml", "wrong.toml")
    assert (status, err) == (2, "sitoumus: missing.toml cannot be read\n")
    assert out.endswith("\n1 passed, 1 failed\n")


@pytest.mark.usefixtures("checked")
def test_cases_as_json(sitoumus):
    status, out, _ = sitoumus("cases", "wrong.toml", "--json")
    assert status == 1
    shown = json.loads(out)
    assert (shown["passed"], shown["failed"]) == (1, 1)
    assert shown["cases"][0]["failures"] == [{"what": "turn", "expected": "'W'", "got": "'E'"}]


# score and replay, on the real table

FINISHED = """
phase = "over"
contract = "1C by N"
ended = "out N"
hands = { N = "", E = "JK 3h", S = "9h 5d 2s", W = "3s Kd" }
melds = { NS = ["4c 5c 6c 7c 8c 9c Tc", "Ks Kh Kd Kc Ks 2d 2h"], EW = ["As Ah Ad"] }
"""


@pytest.fixture
def finished(tmp_path):
    path = tmp_path / "finished.toml"
    path.write_text(FINISHED)
    return path


@pytest.fixture
def recorded(tmp_path):
    """A deal that was passed out, drawn to the end of the stock and saved."""
    import sitoumus as sit
    from sitoumus.record import Game

    table = sit.Table(sit.Deal(seed=7, number=42), dealer="W")
    while table.phase != "over":
        legal = list(table.legal_actions)
        table.push("pass" if "pass" in legal else "draw" if "draw" in legal else legal[-1])
    path = tmp_path / "42.json"
    Game(table.deal, table, tuple(table.actions), dealer="W").save(path)
    return path


def test_the_score_of_a_position_is_explained(sitoumus, finished):
    status, out, err = sitoumus("score", finished)
    assert (status, err) == (0, "")
    assert out.startswith("Contract 1C by N: made\nThe deal ended: out N\nside  rule")
    assert [line.split() for line in out.splitlines()[-2:]] == [["NS", "score", "2705"], ["EW", "score", "-600"]]
    shown = json.loads(sitoumus("score", finished, "--json")[1])
    assert (shown["result"], shown["scores"]) == ("made", {"NS": 2705, "EW": -600})
    assert sum(line["points"] for line in shown["explain"] if line["side"] == "NS") == 2705
    assert sitoumus("score", finished, "--csv")[1].startswith("side,rule,what,points\nNS,")


def test_the_score_under_house_rules(sitoumus, finished):
    option = "out_bonus_in_result=false"
    assert json.loads(sitoumus("score", finished, "-o", option, "--json")[1])["scores"]["NS"] == 2705
    assert json.loads(sitoumus("score", finished, "-o", "out.bonus=0", "--json")[1])["scores"]["NS"] == 2405


def test_the_score_of_a_record(sitoumus, recorded):
    status, out, err = sitoumus("score", recorded)
    assert (status, err) == (0, "")
    assert out.startswith("Contract none: none\nThe deal ended: stock\n")
    assert "names its own rules" in refused(sitoumus("score", recorded, "--rules", "samba"))


def test_what_has_no_score_is_refused(sitoumus, tmp_path):
    path = tmp_path / "x.toml"
    assert "x.toml cannot be read" in refused(sitoumus("score", path))
    path.write_text('phase = "draw"\n')
    assert refused(sitoumus("score", path)).endswith("the deal is not over (phase draw), so it has no score yet")
    path.write_text('phase = "over"\nended = "out Q"\n')
    assert refused(sitoumus("score", path)).endswith("x.toml: ended = 'out Q': it must be 'stock' or such as 'out N'")
    path.write_text("phase: over\n")
    assert "x.toml: a position is a mapping or TOML text, and this is no TOML" in refused(sitoumus("score", path))


def test_a_record_is_replayed(sitoumus, recorded, tmp_path):
    status, out, err = sitoumus("replay", recorded)
    assert (status, err) == (0, "")
    assert out.startswith("sitoumussamba, seed 7, number 42: none, ")
    assert "\ncalls: N pass; E pass; S pass; W pass\n  1 N: draw; discard " in out
    assert "\nThe deal ended: stock\n" in out
    assert "auction, N to act, dealer W" in sitoumus("replay", recorded, "--at", "0")[1]
    assert json.loads(sitoumus("replay", recorded, "--at", "2", "--json")[1])["auction"] == ["pass", "pass"]
    assert json.loads(sitoumus("replay", recorded, "--json")[1])["format"] == "sitoumus-game-1"
    assert sitoumus("replay", recorded, "--save", tmp_path / "again.json")[0] == 0
    assert (tmp_path / "again.json").read_text() == recorded.read_text()


def test_a_record_that_does_not_replay_is_refused(sitoumus, recorded, tmp_path):
    record = json.loads(recorded.read_text())
    record["actions"][5] = "end"
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(record))
    assert "wrong.json: action 6 ('end') fails: 'end' is not legal" in refused(sitoumus("replay", path))
    path.write_text("{")
    assert "wrong.json is no JSON" in refused(sitoumus("replay", path))
    assert "there is no action 999" in refused(sitoumus("replay", recorded, "--at", "999"))
    assert refused(sitoumus("replay", "deals/")).startswith("deals/ is a dataset: say which deal")


# play, odds, simulate and bench hand what was written to the library; what it makes of it is tested there


class Study:
    """What a study returns, as far as the command line looks at it."""

    def __init__(self, **asked):
        self.asked = asked

    def __str__(self):
        return "a table of odds"

    @property
    def frame(self):
        import pandas as pd

        return pd.DataFrame({"contract": ["3H"], "deals": [100]})

    def to_dict(self):
        return {"hand": str(self.asked["hand"]), "rows": self.frame.to_dict("records")}


@pytest.fixture
def studied(monkeypatch):
    """The arguments that reached the library."""
    import sitoumus as sit

    asked = {}

    def contract_odds(hand, **arguments):
        asked.update(arguments, hand=hand)
        return Study(**asked)

    def simulate(deals, **arguments):
        import pandas as pd

        asked.update(arguments, deals=deals)
        row = {"deal": 0, "result": "none", "ended": "out", "score_ns": 100}
        frame = pd.DataFrame([row | {"deal": 0}, row | {"deal": 1, "ended": "stock", "score_ns": 300}])
        return frame if arguments["out"] is None else "a dataset of 2 deals"

    monkeypatch.setattr(sit, "contract_odds", contract_odds, raising=False)
    monkeypatch.setattr(sit, "simulate", simulate, raising=False)
    return asked


HAND = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"


def test_odds(sitoumus, studied):
    assert sitoumus("odds", HAND, "-c", "2H", "--contract", "4CAN doubled") == (0, "a table of odds\n", "")
    assert len(studied["hand"]) == 15
    assert studied["contracts"] == ["2H", "4CAN doubled"]
    assert (studied["seat"], studied["dealer"], studied["totals"], studied["auction"]) == ("E", "N", (0, 0), ())
    assert (studied["deals"], studied["precision"]) == (None, None)
    assert (studied["seed"], studied["policies"], studied["panel"], studied["by"]) == (0, "steady", None, None)
    arguments = ["--totals=-5,1500", "--auction", "pass 1H", "--policies", "heuristic,greedy"]
    sitoumus("odds", *HAND.split(), "-c", "2H", *arguments)
    assert (studied["totals"], studied["auction"]) == ((-5, 1500), ("pass", "1H"))
    assert studied["policies"] == ("heuristic", "greedy")
    assert str(studied["hand"]) == "Ah 2c 3s 4c 4d 5h 7c 7d 7s 9d 9s Jh Qh Kh JK"


@pytest.mark.usefixtures("studied")
def test_odds_as_json_and_csv_are_all_of_standard_output(sitoumus):
    status, out, err = sitoumus("odds", HAND, "-c", "3H", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["rows"] == [{"contract": "3H", "deals": 100}]
    assert sitoumus("odds", HAND, "-c", "3H", "--csv") == (0, "contract,deals\n3H,100\n", "")


@pytest.mark.usefixtures("studied")
def test_bad_questions_are_refused(sitoumus):
    assert refused(sitoumus("odds", "Ah Kx", "-c", "3H")).startswith("'Kx' (card 2) is no card: a card is a rank")
    assert refused(sitoumus("odds", HAND)).startswith("Missing option '--contract'")
    assert "'0' is no whole number from 1 up" in refused(sitoumus("odds", HAND, "-c", "3H", "--deals", "0"))
    assert refused(sitoumus("odds", HAND, "-c", "3H", "--totals", "5")).startswith("--totals '5': it must be whole")
    assert "unknown preset 'whist'" in refused(sitoumus("odds", HAND, "-c", "3H", "--rules", "whist"))


def test_simulate(sitoumus, studied):
    arguments = ["--seed", "7", "--dealer", "rotate", "--contract", "3H by E", "--features"]
    status, out, err = sitoumus("simulate", "2", *arguments)
    assert (status, err) == (0, "")
    assert out.startswith("2 deals\nresult: none 1.0000\nended: out 0.5000, stock 0.5000\n")
    assert "score_ns" in out
    assert "200.00" in out
    assert (studied["deals"], studied["seed"], studied["dealer"]) == (2, 7, "rotate")
    assert (studied["contract"], studied["features"], studied["cards"]) == ("3H by E", True, False)
    assert sitoumus("simulate", "2", "--csv")[1].splitlines() == [
        "deal,result,ended,score_ns",
        "0,none,out,100",
        "1,none,stock,300",
    ]
    rows = [json.loads(line) for line in sitoumus("simulate", "2", "--json")[1].splitlines()]
    assert [row["score_ns"] for row in rows] == [100, 300]
    assert sitoumus("simulate", "2", "--out", "deals/", "--resume") == (0, "a dataset of 2 deals\n", "")
    assert (studied["out"], studied["resume"]) == ("deals/", True)
    assert "give one of the two" in refused(sitoumus("simulate", "2", "--out", "deals/", "--csv"))


def test_play(sitoumus, tmp_path):
    arguments = ["--seed", "7", "--number", "42", "--policies", "random", "--dealer", "S"]
    arguments += ["--contract", "3H by E doubled"]
    path = tmp_path / "42.json"
    status, out, err = sitoumus("play", *arguments, "--save", path)
    assert (status, err) == (0, "")
    assert out.startswith("sitoumussamba, seed 7, number 42: 3H by E doubled, ")
    assert "\nDealer S, dealt:\n  N: " in out
    assert "\ncalls: W pass; N pass; E 3H; S double\n  1 E: " in out
    assert json.loads(path.read_text()) == json.loads(sitoumus("play", *arguments, "--json")[1])
    assert sitoumus("replay", path)[1] == out
    assert refused(sitoumus("play", "--policies", "oracle")).startswith("unknown policy 'oracle'")
    assert refused(sitoumus("play", "--policies", "random", "--dealer", "Q")) == "'Q' is no seat: seats are N E S W"
    assert "is no contract" in refused(sitoumus("play", "--policies", "random", "--contract", "3H"))
    missing = tmp_path / "none" / "42.json"
    assert "42.json cannot be written" in refused(sitoumus("play", "--policies", "random", "--save", missing))
