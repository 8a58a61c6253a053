"""What all results of studies have: a tidy frame, provenance, a table for the terminal, HTML for notebooks."""

from __future__ import annotations

import functools
import inspect
import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import asdict, is_dataclass
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from . import checks
from .errors import StudyError, StudyInterrupted
from .version import RESULT_VERSION, __version__

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["STUDIES", "WIDTH", "Study", "asks", "interval_of", "plain", "records", "run_study", "text_table"]

#: Where `text_table` notes what it makes a table of while a result is shown as HTML.
_MADE: ContextVar[list[tuple[str, list[str], list[list[str]]]] | None] = ContextVar("made", default=None)

#: Columns that a printed result may take.
WIDTH = 100


class Study:
    """A result.

    Attributes
    ----------
    frame : DataFrame
        Tidy numbers; intervals are columns ``x_low`` and ``x_high``.
    provenance : dict
        Version, rules, policies, seed, deals: what it takes to do it again.
    question : dict or None
        The study and the keywords it was asked with, as plain values.
    """

    frame: pd.DataFrame
    provenance: dict[Any, Any]
    question: dict[str, Any] | None = None

    def heading(self) -> list[str]:
        """What was asked, in a line or two."""
        raise NotImplementedError

    def table(self) -> str:
        """The numbers for the terminal."""
        raise NotImplementedError

    def plot(self, ax: Axes | None = None, path: str | PathLike[str] | None = None) -> Axes:
        """Draw it with matplotlib: a notebook shows the picture, `path` saves it.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; a new figure if left out.
        path : str or path, optional
            A file to write, whose ending says the format, such as ``odds.png`` or ``odds.svg``.

        Returns
        -------
        Axes
            What was drawn on; a list of them for thresholds of several features.

        Raises
        ------
        StudyError
            If matplotlib is not installed, or the picture cannot be written.
        """
        from .plots import check_file, save

        if path is not None:
            check_file(fspath(path))
        drawn = self._draw(ax)
        if path is not None:
            save(drawn, fspath(path))
        return drawn

    def _draw(self, ax: Any) -> Any:
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values, as ``--json`` writes it."""
        raise NotImplementedError

    def to_toml(self) -> str:
        """The question as TOML: `run_study` and ``sitoumus run`` ask it again.

        Raises
        ------
        StudyError
            If it was not asked of a study alone, but of a table, or with a condition or policy written in Python.
        """
        if self.question is None:
            raise StudyError("this result was not asked of a study: only a study goes into a file")
        for name, value in self.question.items():
            if _in_python(value):
                raise StudyError(f"{name} is {value}: what is written in Python does not go into a file")
        import tomli_w

        head = {"study": self.question["study"], "version": __version__, "result_version": RESULT_VERSION}
        return tomli_w.dumps(head | self.question)

    def __str__(self) -> str:
        return "\n".join([*self.heading(), "", self.table()])

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {'; '.join(self.heading())}>"

    def _repr_html_(self) -> str:
        from .notebook import html_table

        made: list[tuple[str, list[str], list[list[str]]]] = []
        token = _MADE.set(made)
        try:
            rest = self.table()
        finally:
            _MADE.reset(token)
        blocks, caption = [], self.heading()
        for text, head, rows in made:
            before, _, rest = rest.partition(text) if text in rest else ("", "", rest)
            caption += [line for line in before.splitlines() if line.strip()]
            blocks.append(html_table(head, rows, caption))
            caption = []
        after = [line for line in rest.splitlines() if line.strip()]
        if after or not blocks:
            blocks.append(html_table(["more"], [[line] for line in after], caption))
        return "\n".join(blocks)


#: The studies that a file can ask, and where they live.
STUDIES = {
    "contract_odds": "odds",
    "best_bid": "advice",
    "thresholds": "thresholds",
    "bidding_table": "bidding_table",
    "compare": "compare",
    "policy_panel": "ladder",
    "show_condition": "show_condition",
}
#: Keywords that do not belong to a question.
_ASIDE = ("threads", "progress")
#: None, of a keyword that is something else if left out.
_NONE = "none"

_P = ParamSpec("_P")
_S = TypeVar("_S")


def asks(function: Callable[_P, _S]) -> Callable[_P, _S]:
    """Let a study's results know how they were asked: decorator of the function that makes them."""
    signature = inspect.signature(function)

    def question(*args: Any, **keywords: Any) -> dict[str, Any]:
        bound = signature.bind(*args, **keywords)
        bound.apply_defaults()
        given: dict[str, Any] = {}
        for name, value in bound.arguments.items():
            if signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
                given |= value
            else:
                given[name] = value
        usual = {name: each.default for name, each in signature.parameters.items()}
        kept = {
            name: _NONE if value is None else _asked(value)
            for name, value in given.items()
            if name not in _ASIDE and not (value is None and usual.get(name) is None)
        }
        return {"study": function.__name__, **kept}

    @functools.wraps(function)
    def study(*args: _P.args, **keywords: _P.kwargs) -> _S:
        try:
            result = function(*args, **keywords)
        except StudyInterrupted as stopped:
            stopped.result.question = question(*args, **keywords)  # type: ignore[attr-defined]
            raise
        result.question = question(*args, **keywords)  # type: ignore[attr-defined]
        return result

    return study


class _InPython(str):
    """What stands for a condition or a policy that no file can hold."""


def _in_python(value: Any) -> bool:
    """Whether such a thing is in an argument."""
    if isinstance(value, Mapping):
        value = list(value.values())
    return isinstance(value, _InPython) or (isinstance(value, list) and any(map(_in_python, value)))


def _asked(value: Any) -> Any:
    """An argument of a study as TOML has it."""
    if isinstance(value, bool | int | float | str):
        return value
    if hasattr(value, "weights") or hasattr(value, "act"):
        from .policies import spec

        found = spec(value)
        if isinstance(found, Mapping):
            return {name: _NONE if each is None else each for name, each in found.items()}
        return found if hasattr(value, "to_dict") else _InPython(found)
    if callable(value) or not getattr(value, "is_text", True):
        return _InPython(value)
    if hasattr(value, "to_toml"):
        return tomllib.loads(value.to_toml())  # of a rule set: what is nothing or without end has a word there
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if hasattr(value, "tolist"):
        return value.tolist()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Mapping):
        return {str(name): _asked(each) for name, each in value.items() if each is not None}
    if isinstance(value, Sequence):
        return [_asked(each) for each in value]
    return str(value)


def run_study(source: str | PathLike[str] | Mapping[str, Any], **keywords: Any) -> Study:
    """Ask the question of a study file again.

    Parameters
    ----------
    source : path or mapping
        TOML as `Study.to_toml` writes it: ``study = "best_bid"`` and the keywords of that function. ``version`` and
        ``result_version`` may be left out.
    **keywords
        In place of those of the file, or besides them (``threads``, ``progress``).

    Raises
    ------
    StudyError
        If the file cannot be read, asks for no study, or was written with another version of the results.

    Examples
    --------
    >>> question = {"study": "contract_odds", "hand": "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s",
    ...             "contracts": ["3H"], "deals": 20}
    >>> run_study(question, progress=False).deals
    20
    """
    where = "the question" if isinstance(source, Mapping) else checks.file_path("source", source)
    if isinstance(source, Mapping):
        question = dict(source)
    else:
        try:
            question = tomllib.loads(Path(checks.file_path("the question", source)).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) and len(where) > 300 else error
            where = checks.quoted(where) if len(where) > 300 else where
            raise StudyError(f"{where} cannot be read: {reason}") from None
    name = question.pop("study", None)
    if name not in STUDIES:
        raise StudyError(f"{where}: study is {name!r}, and must be one of {', '.join(STUDIES)}")
    question.pop("version", None)
    made = question.pop("result_version", RESULT_VERSION)
    if made != RESULT_VERSION:
        raise StudyError(
            f"{where} was written with result version {made}, this library makes {RESULT_VERSION}: take the line out "
            "to ask again with this one"
        )
    function = getattr(import_module(f".{STUDIES[name]}", __package__), name)
    parameters = inspect.signature(function).parameters
    free = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())
    for key in question:
        if key not in parameters and not free:
            raise StudyError(f"{where}: {name} has no keyword {key!r}: it has {', '.join(parameters)}")
        if question[key] == _NONE and key in parameters and isinstance(parameters[key].default, float):
            question[key] = None
    if isinstance(question.get("rules"), Mapping | str):
        from .rules import RuleSet

        rules = question["rules"]
        question["rules"] = RuleSet.from_dict({"preset": rules} if isinstance(rules, str) else rules)
    for key, each in parameters.items():
        missing = each.default is inspect.Parameter.empty and each.kind is not inspect.Parameter.VAR_KEYWORD
        if missing and key not in question | keywords:
            raise StudyError(f"{where}: {key} is missing, which {name} asks for")
    aside = {key: value for key, value in keywords.items() if key in parameters or free or key not in _ASIDE}
    return function(**question | aside)


def plain(value: Any) -> Any:
    """A value of a frame as JSON has it: Python numbers, None for what is not a number."""
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def records(frame: pd.DataFrame, each: Callable[[Any], Any] = lambda value: value) -> list[dict[str, Any]]:
    """The rows of a frame as mappings."""
    return [{str(name): each(value) for name, value in row.items()} for row in frame.to_dict("records")]


def interval_of(row: Mapping[Any, Any], name: str) -> tuple[float, float, float]:
    """A number of a row, and the ends of its interval."""
    return row[name], row[f"{name}_low"], row[f"{name}_high"]


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]], spare: Sequence[str] = ()) -> str:
    """Columns side by side, the first to the left, the others to the right.

    Parameters
    ----------
    head, rows : sequences of str
    spare : sequence of str
        Columns that may be left out, the least needed first, where the table would be wider than `WIDTH`.
    """
    columns = [list(column) for column in zip(head, *rows, strict=True)]
    spare = list(spare)
    while True:
        widths = [max(map(len, column)) for column in columns]
        if sum(widths) + 2 * (len(widths) - 1) <= WIDTH or not spare:
            break
        name = spare.pop(0)
        columns = [column for column in columns if column[0] != name]
    lines = zip(*columns, strict=True)
    text = "\n".join(
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
    made = _MADE.get()
    if made is not None:
        made.append((text, list(head), [list(row) for row in rows]))
    return text
