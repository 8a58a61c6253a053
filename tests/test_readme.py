"""The code blocks of the README and of the documentation do what their readers will do with them.

``python`` blocks of a document run in order in one namespace (with ``>>>``: the output shown is compared), ``console``
blocks run what stands after ``$`` and compare what is printed, ``sh`` blocks name targets of the Makefile.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^(`{3,})(.*)\n((?:.*\n)*?)\1$", re.MULTILINE)
DATA = {"text", "toml", "json"}
#: Libraries that the blocks of a document need besides the required ones; all are in the extra ``dev``.
NEEDED = {"environments.md": ("gymnasium", "pettingzoo", "pyspiel")}

# What a reader sees at a terminal of 100 columns, without colours; no flags of a make that runs these tests.
TERMINAL = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")} | {
    "COLUMNS": "100",
    "NO_COLOR": "1",
    "TERM": "dumb",
    "PYTHONIOENCODING": "utf-8",
}


def blocks(document, kind):
    """The blocks of one kind, each with the number of its first line."""
    text = document.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, match.start(3)), match[3]) for match in BLOCK.finditer(text) if match[2].strip() == kind
    ]


def output_of(command):
    """What the command prints to standard output; sitoumus is the one under test."""
    program, *arguments = shlex.split(command)
    assert Path(program).name == "sitoumus", f"a console block runs sitoumus or make, not {program!r}"
    run = subprocess.run(
        [sys.executable, "-m", "sitoumus", *arguments], env=TERMINAL, capture_output=True, encoding="utf-8"
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def last_command_of(target):
    """The command with which a target of the Makefile ends, as make prints it before running it."""
    make = ["make", "--directory", str(ROOT), "--no-print-directory", "--dry-run", target]
    return subprocess.run(make, env=TERMINAL, capture_output=True, text=True, check=True).stdout.splitlines()[-1]


def lines(text):
    return [line.rstrip() for line in text.strip().splitlines()]


def name(document):
    return str(document.relative_to(ROOT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_every_block_is_of_a_kind_that_is_tested(document):
    kinds = {match[2].strip() for match in BLOCK.finditer(document.read_text(encoding="utf-8"))}
    assert {kind for kind in kinds if not kind.startswith("{")} <= {"python", "console", "sh"} | DATA


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
@pytest.mark.slow
def test_python_blocks_run_in_order(document, tmp_path, monkeypatch):
    for library in NEEDED.get(document.name, ()):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    for line, code in blocks(document, "python"):
        if ">>> " in code:
            example = doctest.DocTestParser().get_doctest(code, namespace, name(document), str(document), line)
            output = []
            flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
            doctest.DocTestRunner(verbose=False, optionflags=flags).run(example, out=output.append, clear_globs=False)
            assert not output, "".join(output)
            namespace = example.globs
        else:
            exec(compile("\n" * line + code, str(document), "exec"), namespace)


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
@pytest.mark.slow
def test_console_blocks_print_what_they_show(document, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _, text in blocks(document, "console"):
        before, *sessions = re.split(r"^\$ ", text, flags=re.MULTILINE)
        assert not before, "a console block begins with a command after '$ '"
        for session in sessions:
            command, _, shown = session.partition("\n")
            if command.startswith("make "):
                command = last_command_of(command.removeprefix("make "))
                printed = f"{command}\n{output_of(command)}"
            else:
                printed = output_of(command)
            assert lines(printed) == lines(shown)


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_shell_blocks_name_targets_of_the_makefile(document):
    for _, text in blocks(document, "sh"):
        for command in lines(text):
            program, target, *_ = shlex.split(command, comments=True)
            assert program == "make"
            assert last_command_of(target)
