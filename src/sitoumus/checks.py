"""Checks of arguments: each returns the value in its plain form, or raises an error of one pattern.

The pattern is ``{what} is {value!r}: it must be ...``. A whole number is whatever `operator.index` takes (``int``,
NumPy's integers, an array of integers with no dimension) except a truth value; a fraction is never cut.
"""

import math
import operator
import os
from collections.abc import Iterable, Mapping
from typing import Any

from sitoumus.errors import SitoumusError, StudyError

#: Deals of one call: sums over so many rows are exact.
MOST_DEALS = 10**10

__all__ = [
    "MOST_DEALS", "an", "choice", "file_path", "index", "listed", "number", "one_or_more", "quoted", "share", "texts",
    "whole",
]  # fmt: skip


def quoted(value: object) -> str:
    """``repr`` of a value on one line of at most 60 characters; a value that has none is named by its type."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an int of too many digits, or an object whose repr fails
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def index(value: Any) -> int | None:
    """The number that a whole number of any kind stands for; None for all else, truth values among it."""
    try:
        return None if type(value).__name__ in ("bool", "bool_") else operator.index(value)
    except TypeError:
        return None


def whole(
    what: str, value: Any, least: int = 0, most: int | None = None, error: type[SitoumusError] = StudyError
) -> int:
    """A whole number from `least` to `most`, as an ``int``.

    Examples
    --------
    >>> import numpy as np
    >>> whole("pairs", np.int64(3), 2)
    3
    """
    number = index(value)
    if number is None or number < least or (most is not None and number > most):
        far = most is None or (most >= MOST_DEALS and (number is None or number < least))
        bounds = f"from {least} up" if far else f"from {least} to {most}"
        raise error(f"{what} is {quoted(value)}: it must be a whole number {bounds}")
    return number


def share(what: str, value: Any, error: type[SitoumusError] = StudyError) -> float:
    """A number that lies between 0 and 1, as a ``float``; the ends are excluded."""
    try:
        found = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not 0 < found < 1:
        raise error(f"{what} is {quoted(value)}: it must be a number above 0 and below 1")
    return found


def number(what: str, value: Any, least: float = -math.inf, error: type[SitoumusError] = StudyError) -> float:
    """A finite number from `least` up, as a ``float``.

    Examples
    --------
    >>> number("eps", 25)
    25.0
    """
    try:
        no_number = isinstance(value, bool | str | bytes) or getattr(value, "ndim", 0) != 0
        found = math.nan if no_number else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not (math.isfinite(found) and found >= least):
        bounds = "" if least == -math.inf else f" from {least:g} up"
        raise error(f"{what} is {quoted(value)}: it must be a number{bounds}")
    return found


def one_or_more(what: str, value: Any, error: type[SitoumusError] = StudyError) -> tuple[str, ...]:
    """A text, or texts in the order given: always as a tuple."""
    return (value,) if isinstance(value, str) else texts(what, value, error)


def listed(what: str, value: Any, of: str, error: type[SitoumusError] = StudyError) -> list[Any]:
    """The members of a list or another sequence, of something that is named; a text or a mapping is none."""
    try:
        if isinstance(value, str | bytes | Mapping):
            raise TypeError
        return list(value)
    except TypeError:
        raise error(f"{what} is {quoted(value)}: it must be a list of {of}") from None


def an(what: str, value: Any, kind: type | tuple[type, ...], of: str, error: type[SitoumusError] = StudyError) -> Any:
    """The value, where it is of a type."""
    if not isinstance(value, kind):
        raise error(f"{what} is {quoted(value)}: it must be {of}")
    return value


def texts(what: str, value: Any, error: type[SitoumusError] = StudyError) -> tuple[str, ...]:
    """Texts in the order given, as a tuple; one text alone is no list of its letters."""
    try:
        found = None if isinstance(value, str | bytes | Mapping) else tuple(value)
    except TypeError:
        found = None
    if found is None or not all(isinstance(each, str) for each in found):
        raise error(f"{what} is {quoted(value)}: it must be a list of texts")
    return found


def file_path(what: str, value: Any, error: type[SitoumusError] = StudyError) -> str:
    """The name of a file or folder, as a text."""
    try:
        name = os.fspath(value)
    except TypeError:
        name = None
    if not isinstance(name, str) or not name.strip() or "\0" in name or len(name) > 4096:
        raise error(f"{what} is {quoted(value)}: it must be the name or path of a file or folder")
    return name


def choice(what: str, value: Any, known: Iterable[str], error: type[SitoumusError] = StudyError) -> str:
    """One of the texts `known`; the error lists them and names the nearest."""
    names = list(known)
    if isinstance(value, str) and value in names:
        return value
    import difflib  # only errors need it, and it takes long to import

    near = difflib.get_close_matches(value, names, 1) if isinstance(value, str) else []
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise error(f"{what} is {quoted(value)}: it must be one of {', '.join(names)}{hint}")
