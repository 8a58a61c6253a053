"""The tutorials run, at a small size, and show output that is there."""

import importlib.util
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("make_docs_output", ROOT / "tools" / "make_docs_output.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.slow
def test_a_tutorial_runs(tool, page, tmp_path):
    for name in ("matplotlib",):
        pytest.importorskip(name)
    written = tool.make(page, tmp_path, small=True)
    asked = [name for kind, _, name in tool.blocks(page) if name is not None and kind == "python"]
    assert [path.name for path in written] == asked
    for path in written:
        text = path.read_text(encoding="utf-8")
        assert text.count("\n") > 5
        assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_tutorial_shows_is_made_and_is_there(tool, page):
    text = page.read_text(encoding="utf-8")
    shown = re.findall(r"^```\{literalinclude\} \.\./output/(\S+)$", text, re.MULTILINE)
    assert shown == [name for _, _, name in tool.blocks(page) if name is not None]
    pictures = re.findall(r"^```\{image\} \.\./output/(\S+)$", text, re.MULTILINE)
    assert all(f'savefig("{name}"' in text or f"--plot docs/output/{name}" in text for name in pictures)
    for name in shown + pictures:
        assert (ROOT / "docs" / "output" / name).stat().st_size > 200


@pytest.mark.slow
def test_commands_that_tutorials_show_are_there(tool):
    commands = [text for page in PAGES for kind, text, _ in tool.blocks(page) if kind == "console"]
    assert commands
    for text in commands:
        program, *arguments = text.removeprefix("$ ").split()
        assert (ROOT / program).exists() or program == "sitoumus"
        assert tool.command_of(text)[-len(arguments) :] == arguments
        done = subprocess.run([*tool.command_of(text), "--help"], cwd=ROOT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert arguments[0] in done.stdout


@pytest.mark.slow
def test_the_odds_that_the_tutorial_shows_are_those_of_this_version(tool):
    _, text, name = next(tool.blocks(ROOT / "docs" / "tutorials" / "odds.md"))
    assert tool.ran("python", text, {}) == (ROOT / "docs" / "output" / name).read_text(encoding="utf-8")
