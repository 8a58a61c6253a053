"""The examples run, at small size."""

import importlib
import runpy
import sys
from pathlib import Path

import pytest

import sitoumus as sit

EXAMPLES = Path(__file__).parents[1] / "examples"

SMALL = {
    "three_hearts_or_four.py": ["--deals", "100"],
    "what_is_a_joker_worth.py": ["--deals", "400"],
    "four_level_sequence_opening.py": ["--hands", "300"],
    "open_rule_questions.py": ["--deals", "60"],
    "six_tips.py": ["--pairs", "40"],
    "own_policy.py": ["--pairs", "5"],
    "train_a_policy.py": ["--generations", "1", "--candidates", "4", "--pairs", "2"],
    "compare_games.py": ["--deals", "40", "--matches", "2"],
}


@pytest.mark.parametrize("name", SMALL)
def test_an_example_runs(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [name, *SMALL[name]])
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    out, err = capsys.readouterr()
    assert len(out.splitlines()) > 10
    assert err == ""


def test_the_games_are_drawn_and_written_as_csv(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "games.png"
    given = ["--deals", "20", "--matches", "1", "--csv", "--plot", str(picture)]
    monkeypatch.setattr(sys, "argv", ["compare_games.py", *given])
    runpy.run_path(str(EXAMPLES / "compare_games.py"), run_name="__main__")
    head, *rows = capsys.readouterr().out.splitlines()
    assert head == "game,turns,out,mean,sd,deals,first,low,high"
    assert [row.split(",")[0] for row in rows] == list(sit.PRESETS)
    assert picture.stat().st_size > 10_000


def test_the_example_of_an_own_policy_is_short_and_beats_greedy(monkeypatch):
    path = EXAMPLES / "own_policy.py"
    assert len(path.read_text().splitlines()) < 60
    policy = runpy.run_path(str(path))["RunBuilder"]()
    assert sit.compare(policy, "greedy", pairs=150, seed=11, progress=False).interval[0] > 0


def test_the_training_example_learns_in_a_few_generations_and_beats_random(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    example = importlib.import_module("train_a_policy")
    said = []
    weights = example.train(generations=3, candidates=16, deals=6, say=said.append)
    assert len(said) == 3
    before = example.margin(0 * weights, 50_000, 16)
    assert example.margin(weights, 50_000, 16) > before + 2  # thousands of points a deal
    assert sit.compare(example.policy(weights), "random", pairs=8, seed=3, progress=False).interval[0] > 0
