"""The examples run, at small size."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"

SMALL = {
    "three_hearts_or_four.py": ["--deals", "100"],
    "what_is_a_joker_worth.py": ["--deals", "400"],
    "four_level_sequence_opening.py": ["--hands", "300"],
    "open_rule_questions.py": ["--deals", "60"],
}


@pytest.mark.parametrize("name", SMALL)
def test_an_example_runs(name, monkeypatch, capsys):
    if name == "four_level_sequence_opening.py":
        pytest.importorskip("sklearn")
        pytest.importorskip("statsmodels")
    monkeypatch.setattr(sys, "argv", [name, *SMALL[name]])
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    out, err = capsys.readouterr()
    assert len(out.splitlines()) > 10
    assert err == ""
