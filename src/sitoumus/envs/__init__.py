"""Environments for learning programs: observations as arrays, and the tables of others' libraries.

`layout` says what an observation holds, `observation` writes one for a table; `sitoumus.actions` numbers the actions.
`VectorTable` steps many tables at once, `as_policy` makes a policy of a function that chooses numbers. The tables of
others' libraries stand in `sitoumus.envs.pettingzoo`, `.gymnasium` and `.openspiel`, which import those libraries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import _envs

if TYPE_CHECKING:
    import numpy as np

    from .._core import Table
    from ..rules import RuleSet

__all__ = ["LENGTH", "Part", "VectorTable", "as_policy", "layout", "observation"]

#: Length of an observation, in bytes: the same in all games.
LENGTH = _envs.LENGTH


class Part(NamedTuple):
    """A part of an observation: its name, where it begins, its shape, what it means."""

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str

    @property
    def slice(self) -> slice:
        """Where it stands in an observation.

        Examples
        --------
        >>> layout()[0].slice
        slice(0, 53, None)
        """
        size = 1
        for length in self.shape:
            size *= length
        return slice(self.start, self.start + size)


def layout(rules: RuleSet | str | None = None) -> tuple[Part, ...]:
    """The parts of an observation, in order; they fill it without a gap.

    Parameters
    ----------
    rules : RuleSet or str, optional
        Checked only: all games have the same parts.

    Raises
    ------
    RuleSetError
        If some action of the game would have no number.

    Examples
    --------
    >>> [part.name for part in layout()][:4]
    ['hand', 'known', 'unseen', 'pile']
    """
    _envs.check(rules)
    return tuple(Part(*row) for row in _envs.LAYOUT)


def observation(table: Table, seat: str | None = None, prefix: Sequence[int] = ()) -> np.ndarray:
    """What a seat knows of a table, as bytes.

    Parameters
    ----------
    table : Table
    seat : str, optional
        The one to act if left out.
    prefix : sequence of int
        What it has chosen of an action already: see `sitoumus.actions`. Shown to the seat to act alone.

    Returns
    -------
    array of uint8, shape (LENGTH,)

    Raises
    ------
    IllegalActionError
        If the prefix is not legal.

    Examples
    --------
    >>> from sitoumus import Deal, Table
    >>> seen = observation(Table(Deal(seed=7, number=42)))
    >>> int(seen[:53].sum())
    15
    """
    import numpy as np

    out = np.zeros(LENGTH, np.uint8)
    _envs.observe(table, table.turn if seat is None else seat, tuple(prefix), out)
    return out


def __getattr__(name: str) -> Any:
    if name == "VectorTable":
        from .vector import VectorTable

        return VectorTable
    if name == "as_policy":
        from .policy import as_policy

        return as_policy
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
