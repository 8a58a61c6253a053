"""Instructions a turn, counted by valgrind: ``python benchmarks/instructions.py [WHAT ...]``.

WHAT is a compiled policy, which plays fixed deals, or an operation on fixed tables where a turn begins (``turn``,
``generate``, ``apply``, ``copy``) or where its laying begins (``generate:meld``, ``apply:meld``).

Each is run twice under callgrind, once without the work: the difference is the work's own. Counts are the same in
every run, so that two builds can be compared exactly.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys

from sitoumus import _core

WHAT = "random greedy heuristic turn generate generate:meld apply apply:meld copy".split()
WORK = """
import sys
from sitoumus import _core, _testing, preset
from sitoumus.bench import sample_tables
from sitoumus.run import Run

what, n, most, rules = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
operation, _, phase = what.partition(":")
if operation in _testing.OPERATIONS:
    tables = [table for table in sample_tables(500, begun=True) if table.phase == (phase or "draw")]
    _testing.repeat(operation, n * 20, tables=tables)
    print(n * 20)
else:
    run = Run.of(rules=preset(rules), policies=what)
    rows = run.allocate(most)
    if n:
        run.fill(rows, 0, n)
    print(int(rows["turns"][:n].sum()))
"""


def toggles() -> list[str]:
    """Counting starts and stops with the functions of the core that do the work, under the names of this build."""
    symbols = subprocess.run(["nm", _core.__file__], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"__pyx_pw_8sitoumus_5_core_\d+(?:play_range|repeat)\b", symbols)
    return [f"--toggle-collect={name}" for name in names]


def count(what: str, deals: int, most: int, rules: str) -> tuple[int, int]:
    """Instructions of a process that does so much of the work, and the turns or repetitions that it did."""
    work = (sys.executable, "-c", WORK, what, str(deals), str(most), rules)
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *toggles(), *work],
        env=os.environ | {"PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(re.search(r"Collected : (\d+)", run.stderr)[1]), int(run.stdout)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", nargs="*", default=WHAT)
    parser.add_argument(
        "--deals", type=int, default=1000, help="deals to play; 20 times as many repetitions of an operation"
    )
    parser.add_argument("--rules", default="sitoumussamba")
    options = parser.parse_args()
    for what in options.what:
        nothing, _ = count(what, 0, options.deals, options.rules)
        whole, turns = count(what, options.deals, options.deals, options.rules)
        print(f"{what:<16}{(whole - nothing) / turns:>12,.1f} instructions   {turns:>9,} times", flush=True)


if __name__ == "__main__":
    main()
