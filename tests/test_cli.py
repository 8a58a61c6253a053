"""The command line: output, exit status, and one sentence for bad input."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sitoumus import cli

CASES = Path(__file__).parent / "cases"


@pytest.fixture
def sitoumus(capsys):
    """Run a command; its exit status, standard output and standard error."""

    def run(*arguments):
        status = cli.run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


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
    for command in ("cases", "rules", "score", "play", "replay", "odds", "simulate", "bench"):
        assert f"\n  {command} " in run.stdout


def test_it_runs_as_a_module():
    run = subprocess.run([sys.executable, "-m", "sitoumus"], capture_output=True, text=True, check=False)
    assert run.returncode == 0
    assert run.stdout.startswith("Usage: sitoumus ")


@pytest.mark.parametrize("command", ["cases", "rules", "score", "play", "replay", "odds", "simulate", "bench"])
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
    assert sitoumus("cases", "x.toml") == (130, "", "")


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
