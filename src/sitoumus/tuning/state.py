"""The state of a search as a file: what has been played, written whole after every step.

All that a search does follows from its settings and the gains that it measures. So its state is the list of these
gains; a search that goes on takes them from the file, in order, instead of playing, until it stands where it was broken
off.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from ..errors import StudyError
from ..version import RESULT_VERSION

__all__ = ["State", "write_whole"]

FORMAT = "sitoumus tuning 1"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is the old one or the new one, never a part.

    Raises
    ------
    StudyError
        If it cannot be written.
    """
    new = path.with_name(f".{path.name}.new")
    try:
        with new.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        raise StudyError(f"{path} cannot be written: {error}") from None


class State:
    """What a search has played.

    Parameters
    ----------
    settings : dict
        What the search is asked.
    path : Path or None
        The file; None for a search that keeps none.
    resume : bool
        Go on with what the file holds.

    Raises
    ------
    StudyError
        If the file is there and was not to go on, cannot be read, or is that of another search.
    """

    def __init__(self, settings: dict[str, Any], path: Path | None, resume: bool):
        self.path, self.settings = path, settings
        self.steps: list[dict[str, Any]] = []
        self._used = 0
        if path is None:
            return
        if not path.parent.is_dir():
            raise StudyError(f"{path} cannot be written: {path.parent} is no directory")
        if not path.exists():
            return
        if not resume:
            raise StudyError(f"{path} holds a search already: go on with it (resume), or name another file")
        found = self._read(path)
        for name, value in settings.items():
            if found["settings"].get(name) != value:
                raise StudyError(
                    f"{path} is the state of another search: its {name} is {json.dumps(found['settings'].get(name))}, "
                    f"not {json.dumps(value)}"
                )
        self.steps = found["steps"]

    @staticmethod
    def _read(path: Path) -> dict[str, Any]:
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise StudyError(f"{path} cannot be read as the state of a search: {error}") from None
        if not isinstance(found, dict) or found.get("format") != FORMAT or not isinstance(found.get("steps"), list):
            raise StudyError(f"{path} is no state of a search: its format must be {FORMAT!r}")
        if found.get("result_version") != RESULT_VERSION:
            raise StudyError(
                f"{path} was played with result version {found.get('result_version')}, this library plays "
                f"{RESULT_VERSION}: begin anew, in another file"
            )
        if not isinstance(found.get("settings"), dict):
            raise StudyError(f"{path} is no state of a search: it has no settings")
        return found

    @property
    def done(self) -> int:
        """Steps that need not be played again."""
        return len(self.steps)

    def known(self, what: dict[str, Any]) -> dict[str, Any] | None:
        """The next step as it was played, None if it has not been.

        Raises
        ------
        StudyError
            If another step was played there.
        """
        if self._used == len(self.steps):
            return None
        step = self.steps[self._used]
        if any(step.get(name) != value for name, value in what.items()):
            raise StudyError(
                f"{self.path}: step {self._used} was another one ({step.get('what')}, players {step.get('players')}), "
                "written by another version of cma or numpy, or changed since: begin anew, in another file"
            )
        self._used += 1
        return step

    def add(self, step: dict[str, Any]) -> None:
        """Keep a step that has been played."""
        self.steps.append(step)
        self._used += 1
        if self.path is not None:
            text = {
                "format": FORMAT,
                "result_version": RESULT_VERSION,
                "settings": self.settings,
                "steps": self.steps,
            }
            write_whole(self.path, json.dumps(text) + "\n")


def digest(what: Any) -> str:
    """Twelve hexadecimal digits of plain values."""
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:12]
