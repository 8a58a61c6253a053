"""What goes wrong on the command line, in one sentence on standard error."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from typing import Any

import typer

# Typer carries its own copy of Click since 0.22, so its exceptions are found through what Typer shows.
UsageError: Any = typer.BadParameter.__mro__[1]
ClickException: Any = typer.BadParameter.__mro__[2]


class Part(Exception):
    """Ctrl-C after which a part of the answer was printed."""


def nothing_known(arguments: Sequence[str]) -> int:
    """What is said of a command that ctrl-C stopped before it printed anything: Typer makes it a status of 130."""
    asked = shlex.join(["sitoumus", *arguments])
    complain(f"stopped by ctrl-C before anything was known of what was asked: {asked}")
    return 130


def give_up_output() -> None:
    """Let what is still to be written go nowhere; without this Python complains when it closes standard output."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        pass  # it is no file


def complain(message: str) -> int:
    """Say on standard error what went wrong; the exit status for it."""
    if sys.stderr is not None:
        text = f"sitoumus: {' '.join(message.split())}"
        encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
        print(text.encode(encoding, "backslashreplace").decode(encoding), file=sys.stderr)
    return 2


def say_stopped(asked: str, came: str) -> None:
    """Say on standard error that what was printed is a part, and of what."""
    complain(f"stopped by ctrl-C: {asked} were asked for, this is {came}")
