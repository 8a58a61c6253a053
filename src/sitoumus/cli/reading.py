"""What the user wrote, as rules, policies, totals and known cards."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..errors import RuleSetError, StudyError

if TYPE_CHECKING:

    from ..rules import RuleSet

def whole(least: int) -> Callable[[str], int]:
    """Reader of a whole number that quotes what is none."""

    def whole(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise typer.BadParameter(f"{text!r} is no whole number from {least} up")
        return number

    return whole


def fraction(text: str) -> float:
    """A number, quoted if it is none."""
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no number") from None


def ask_line(question: str) -> str:
    """Ask at the prompt: the question goes to standard error, the answer is a line of standard input."""
    typer.echo(f"{question}: ", err=True, nl=False)
    line = sys.stdin.readline()
    if not line:
        raise StudyError(f"the input ended before it was said: {question}")
    return line.strip()


# Options that several commands share.


def complete_presets(incomplete: str) -> list[str]:
    """Names that complete what the user began."""
    from ..rules import PRESETS

    return [name for name in PRESETS if name.startswith(incomplete)]


def complete_policies(incomplete: str) -> list[str]:
    """The same of policies, after the last comma."""
    from ..policies import NAMED

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in (*NAMED, "rollout:64") if name.startswith(last)]


# What the user wrote, made into what the library takes.


def read_rules(name: str, option: Sequence[str] | None = None) -> RuleSet:
    """The rule set of a preset's name or a file, with options."""
    from ..rules import RuleSet, preset

    if name.endswith(".toml"):
        try:
            ruleset = RuleSet.from_toml(Path(name).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise RuleSetError(f"{name} cannot be read: {error}") from None
        except RuleSetError as error:
            raise RuleSetError(f"{name}: {error}") from None
    else:
        ruleset = preset(name)
    return ruleset.replace(**read_options(option))


def read_options(option: Sequence[str] | None) -> dict[str, Any]:
    """Rule-set fields from NAME=VALUE texts; a value is TOML, or else the word itself."""
    options: dict[str, Any] = {}
    for text in option or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise RuleSetError(f"option {text!r} must be NAME=VALUE, such as target=10000")
        try:
            options[name.strip()] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            options[name.strip()] = value.strip()
    return options


def read_policies(text: str) -> Any:
    """One policy for all, or one for each side or seat."""
    found = tuple(read_policy(each.strip()) for each in text.split(","))
    return found[0] if len(found) == 1 else found


def read_policy(text: str) -> Any:
    """A policy: a name, ``rollout[:WORLDS[:BASE]]``, or a JSON file of a ``to_dict()`` or of parameters alone."""
    if not text.endswith(".json"):
        return text
    from ..policies import policy

    return policy(text)


def read_named_policies(texts: Sequence[str]) -> dict[str, Any]:
    """Policies by what the user called them, files by their names without the directory."""
    return {Path(text.strip()).stem: read_policy(text.strip()) for text in texts}


def read_known(texts: Sequence[str] | None) -> dict[str, str] | None:
    """Known cards by seat from SEAT=CARDS texts."""
    known: dict[str, str] = {}
    for text in texts or ():
        seat, equals, cards = text.partition("=")
        if not equals or not cards.strip():
            raise StudyError(f'--known {text!r}: it must be SEAT=CARDS, such as "W=JK 2d"')
        if seat in known:
            raise StudyError(f"--known {text!r}: cards of {seat} are given twice")
        known[seat.strip()] = cards
    return known or None


def read_totals(text: str, ruleset: RuleSet) -> tuple[int, ...]:
    """Match totals of the sides, such as ``1500,0``."""
    from ..position import layout_of

    sides = layout_of(ruleset).sides
    words = text.replace(",", " ").split()
    if text == "0,0":
        return (0,) * len(sides)
    try:
        totals = tuple(map(int, words))
    except ValueError:
        totals = ()
    if len(totals) != len(sides):
        raise StudyError(f"--totals {text!r}: it must be whole numbers for {', '.join(sides)}, such as 1500,0")
    return totals
