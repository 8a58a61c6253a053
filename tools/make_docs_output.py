"""Write the output that the tutorials show, docs/output/, by running what they show.

    python tools/make_docs_output.py [PAGE ...] [--into docs/output]

Pages are those of docs/tutorials, by name; all if left out, which takes about an hour. The ``python`` blocks of
a page run in order in one namespace, a ``console`` block runs the command after ``$``. What a block prints goes into
the file that a ``literalinclude`` right after it names; pictures it saves lie there too. Run it whenever rows change.
"""

import argparse
import contextlib
import io
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "tutorials"
OUTPUT = ROOT / "docs" / "output"
BLOCK = re.compile(
    r"^```(python|console)\n(.*?)^```\n(?:\n```\{literalinclude\} \.\./output/(\S+)\n```\n)?", re.M | re.S
)


def blocks(page: Path) -> Iterator[tuple[str, str, str | None]]:
    """Kind, text and output file of each block of a page."""
    for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
        yield match[1], match[2], match[3]


def smaller(text: str) -> str:
    """A block that asks for few deals: what the tests run."""
    text = re.sub(r"\b(deals|pairs|n)=[\d_]+", r"\1=120", text)
    text = re.sub(r"\bhands=[\d_]+", "hands=300", text)
    text = re.sub(r"\bprecision=[\d.]+", "precision=0.1", text)
    return re.sub(r"\bdraws=[\d_]+", "draws=100", text)


def command_of(text: str) -> list[str]:
    """The command of a console block as this Python runs it."""
    program, *arguments = text.removeprefix("$ ").split()
    return [sys.executable, *(["-m", "sitoumus"] if program == "sitoumus" else [program]), *arguments]


def ran(kind: str, text: str, namespace: dict[str, object]) -> str:
    """What a block prints."""
    if kind == "python":
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(text, "a tutorial", "exec"), namespace)
        return printed.getvalue()
    command = command_of(text)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise SystemExit(f"{text.strip()}: {done.stderr}")
    return done.stdout


def make(page: Path, into: Path, small: bool = False) -> list[Path]:
    """Run the blocks of a page; the files that were written."""
    written = []
    namespace: dict[str, object] = {"__name__": "__main__"}
    into.mkdir(exist_ok=True)
    with contextlib.chdir(into):
        for kind, text, name in blocks(page):
            if small and kind == "console":
                continue
            printed = ran(kind, smaller(text) if small else text, namespace)
            if name is not None:
                (into / name).write_text(printed, encoding="utf-8")
                written.append(into / name)
    return written


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", metavar="PAGE")
    parser.add_argument("--into", type=Path, default=OUTPUT)
    given = parser.parse_args(arguments)
    os.environ["COLUMNS"] = "100"
    known = {page.stem: page for page in sorted(PAGES.glob("*.md"))}
    for name in given.pages or known:
        if name not in known:
            parser.error(f"{name} is no page: they are {', '.join(known)}")
        start = time.perf_counter()
        written = make(known[name], given.into.resolve())
        print(f"{name}: {', '.join(path.name for path in written)} ({time.perf_counter() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
