"""Translate the core once more and fail on what Cython only hints at but what costs the hot path dearly.

A function without ``noexcept`` or an error value takes the GIL after each call (45 to 85 ns); an inline function
whose body is not in the .pxd is not inlined.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

FATAL = ("performance hint", "should not be declared inline")

TRANSLATE = """
import runpy, sys
runpy.run_path("setup.py")["extensions"](force=True, build_dir=sys.argv[1])
"""


def main() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        run = subprocess.run(
            [sys.executable, "-c", TRANSLATE, scratch],
            cwd=Path(__file__).parents[1],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    hints = [line for line in run.stdout.splitlines() if any(text in line.lower() for text in FATAL)]
    if run.returncode or hints:
        print(run.stdout)
        print(f"build hints: {len(hints)} must go" if hints else "build hints: the core does not translate")
        return 1
    print("build hints: none")
    return 0


if __name__ == "__main__":
    sys.exit(main())
