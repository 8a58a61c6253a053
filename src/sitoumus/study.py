"""What all results of studies have: a tidy frame, provenance, a table for the terminal, HTML for notebooks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["WIDTH", "Study", "plain", "records", "text_table"]

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
    """

    frame: pd.DataFrame
    provenance: dict[Any, Any]

    def heading(self) -> list[str]:
        """What was asked, in a line or two."""
        raise NotImplementedError

    def table(self) -> str:
        """The numbers for the terminal."""
        raise NotImplementedError

    def plot(self, ax: Any = None) -> Any:
        """Draw it with matplotlib; the axes."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values, as ``--json`` writes it."""
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n".join([*self.heading(), "", self.table()])

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {'; '.join(self.heading())}>"

    def _repr_html_(self) -> str:
        from html import escape

        heading = "<br>".join(escape(line) for line in self.heading())
        return f"<p>{heading}</p>\n<pre>{escape(self.table())}</pre>"


def plain(value: Any) -> Any:
    """A value of a frame as JSON has it: Python numbers, None for what is not a number."""
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def records(frame: pd.DataFrame, each: Callable[[Any], Any] = lambda value: value) -> list[dict[str, Any]]:
    """The rows of a frame as mappings."""
    return [{str(name): each(value) for name, value in row.items()} for row in frame.to_dict("records")]


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
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
