"""What a user meets first: versions, completion, output that cannot be written, names for objects, pickles, errors."""

import os
import pickle
import subprocess
import sys

import pytest

import sitoumus as sit
from sitoumus.version import RESULT_VERSION, __version__

HAND = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs /dev/full and a shell")


def shell(command, **environment):
    """A command line in a shell, ``$S`` for the program."""
    command = command.replace("$S", f"'{sys.executable}' -m sitoumus")
    return subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, check=False, env=os.environ | environment, timeout=60
    )


def test_the_version_is_told_with_that_of_the_results(sitoumus):
    assert sitoumus("--version") == (0, f"sitoumus {__version__}, result version {RESULT_VERSION}\n", "")


@pytest.mark.parametrize("name", ["bash", "zsh", "fish", "powershell"])
def test_completion_is_shown_for_every_shell(name):
    run = subprocess.run(
        [sys.executable, "-c", "import sys; from sitoumus.cli import run; sys.exit(run([]))"],
        env=os.environ | {"_SITOUMUS_COMPLETE": f"source_{name}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "sitoumus" in run.stdout, run.stderr


def test_completion_knows_the_presets():
    given = {"_SITOUMUS_COMPLETE": "complete_bash", "COMP_WORDS": "sitoumus rules boli", "COMP_CWORD": "2"}
    run = subprocess.run(
        [sys.executable, "-c", "import sys; from sitoumus.cli import run; sys.exit(run([]))"],
        env=os.environ | given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout.split() == ["bolivia"], run.stderr


@POSIX
@pytest.mark.parametrize(
    ("command", "words", "environment"),
    [
        ("$S rules samba > /dev/full", "the output cannot be written", {}),
        ("$S simulate 20 --csv > /dev/full", "the output cannot be written", {}),
        ("$S rules samba >&-", "standard output is closed", {}),
        (f"$S odds '{HAND}' -c 3H --deals 20", "PYTHONIOENCODING=utf-8", {"PYTHONIOENCODING": "ascii"}),
    ],
)
def test_output_that_cannot_be_written_is_one_sentence_and_status_2(command, words, environment):
    run = shell(command, **environment)
    assert run.returncode == 2, run.stderr
    assert run.stderr.startswith("sitoumus: ")
    assert run.stderr.count("\n") == 1
    assert words in run.stderr


def test_no_bar_is_written_to_a_log():
    script = (
        "import sitoumus.schedule as s, time\nwith s.progress_bar(3, 'deals', True) as bar:\n"
        "    for _ in range(3): time.sleep(.5); bar.update(1)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stderr == ""


# names where objects are taken


@pytest.mark.parametrize(
    "ask",
    [
        lambda: sit.simulate(2, rules="samba", progress=False).attrs["rules"]["preset"],
        lambda: sit.Deal(seed=1, rules="samba").rules.source.name,
        lambda: sit.Table(rules="samba").rules.name,
        lambda: sit.play_match(1, rules="samba", policies="random").games[0].rules.name,
        lambda: sit.compare("random", "greedy", pairs=5, rules="samba", progress=False).provenance["rules"]["preset"],
        lambda: sit.simulate_matches(1, rules="samba", policies="random", progress=False).attrs["rules"]["preset"],
    ],
)
def test_the_name_of_a_preset_is_taken_as_its_rules(ask):
    assert ask() == "samba"


def test_studies_take_the_name_of_a_preset():
    named = sit.contract_odds(HAND, ["2H"], deals=20, progress=False, rules="sitoumussamba")
    assert named.frame.equals(sit.contract_odds(HAND, ["2H"], deals=20, progress=False).frame)


def test_a_rollout_is_named_in_python_as_at_the_command_line():
    game = sit.play(sit.Deal(seed=3), policies=("rollout:8", "greedy"))
    again = sit.play(sit.Deal(seed=3), policies=(sit.RolloutPolicy(worlds=8), "greedy"))
    assert game.actions == again.actions
    with pytest.raises(sit.PolicyError, match="whole number of worlds"):
        sit.play(sit.Deal(seed=3), policies="rollout:many")


# pickles, equality, errors of policies, tables of a game


def test_openings_and_legal_actions_pickle():
    opening = sit.Hand(HAND).best_opening()
    assert pickle.loads(pickle.dumps(opening)) == opening
    table = sit.Table(sit.Deal(seed=7, number=42))
    legal = pickle.loads(pickle.dumps(table.legal_actions))
    assert list(legal) == list(table.legal_actions)
    assert "1C" in legal


def test_games_are_equal_when_their_records_are():
    one, same = (sit.play(sit.Deal(seed=7, number=42), policies="random") for _ in range(2))
    assert one == same == sit.Game.from_dict(one.to_dict())
    assert hash(one) == hash(same)
    assert one != sit.play(sit.Deal(seed=7, number=43), policies="random")
    assert one != sit.play(sit.Deal(seed=7, number=42), policies="random", policy_seed=1)


def test_an_exception_in_a_policy_tells_deal_and_seat():
    class Broken(sit.Policy):
        """Passes, then divides by nothing."""

        def act(self, view, legal):
            if view.phase == "auction" and not view.calls:
                return "pass"
            return 1 // 0

    with pytest.raises(sit.PolicyError, match=r"Broken raised ZeroDivisionError: .*seed 7, number 42, S") as caught:
        sit.play(sit.Deal(seed=7, number=42), policies=Broken())
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert "after 1 actions: pass" in str(caught.value)


def test_the_tables_of_a_game_are_those_of_at():
    game = sit.play(sit.Deal(seed=7, number=42), policies="random", contract="3H by E")
    tables = list(game.tables())
    assert len(tables) == len(game.actions) + 1
    for number in (0, 1, 7, len(game.actions)):
        assert tables[number] == game.at(number)
    assert tables[-1].score() == game.score


def test_the_tables_of_a_game_play_every_action_once():
    game = sit.play(sit.Deal(seed=7, number=42), policies="random")
    table = next(game.tables())
    table.push("pass")  # a table of its own: the others do not change
    assert next(game.tables()).actions == []
