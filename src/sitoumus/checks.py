"""Checks of arguments: each returns the value in its plain form, or raises an error of one pattern.

The pattern is ``{what} is {value!r}: it must be ...``. A whole number is whatever `operator.index` takes (``int``,
NumPy's integers, an array of integers with no dimension) except a truth value; a fraction is never cut.
"""

import difflib
import math
import operator
from collections.abc import Iterable
from typing import Any

from sitoumus.errors import SitoumusError, StudyError

__all__ = ["choice", "quoted", "share", "whole"]


def quoted(value: object) -> str:
    """``repr`` of a value on one line of at most 60 characters; a value that has none is named by its type."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an int of too many digits, or an object whose repr fails
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


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
    try:
        number = None if type(value).__name__ in ("bool", "bool_") else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < least or (most is not None and number > most):
        bounds = f"from {least} up" if most is None else f"from {least} to {most}"
        raise error(f"{what} is {quoted(value)}: it must be a whole number {bounds}")
    return number


def share(what: str, value: Any, error: type[SitoumusError] = StudyError) -> float:
    """A number that lies between 0 and 1, as a ``float``; the ends are excluded."""
    try:
        number = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 < number < 1:
        raise error(f"{what} is {quoted(value)}: it must be a number above 0 and below 1")
    return number


def choice(what: str, value: Any, known: Iterable[str], error: type[SitoumusError] = StudyError) -> str:
    """One of the texts `known`; the error lists them and names the nearest."""
    names = list(known)
    if isinstance(value, str) and value in names:
        return value
    near = difflib.get_close_matches(value, names, 1) if isinstance(value, str) else []
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise error(f"{what} is {quoted(value)}: it must be one of {', '.join(names)}{hint}")
