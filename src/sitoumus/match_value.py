"""The chance to win a match from any totals: a table on a grid of 250 points, made by ``tools/make_value_table.py``.

The table holds for matches between players of the same kind, by Sitoumussamba's opening minima and target. It does not
know who deals next.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import StudyError
from .rules import SITOUMUSSAMBA

if TYPE_CHECKING:
    from .rules import RuleSet

__all__ = ["MatchValue", "bands_of"]

FILE = Path(__file__).parent / "data" / "match_values.npz"
#: Points between two totals of the table, its lowest total, and how chances are written in it.
STEP = 250
LEAST = -5000
UNITS = 50_000


@dataclass(frozen=True, eq=False)
class MatchValue:
    """The chance to win a match.

    Attributes
    ----------
    chance : array of shape (n, n)
        By own total and the other side's, from `LEAST` up in steps of `STEP`; a draw counts one half.
    target : int
    about : dict
        How the table was made.
    """

    chance: np.ndarray
    target: int
    about: dict[str, Any]

    @classmethod
    def load(cls, rules: RuleSet = SITOUMUSSAMBA) -> MatchValue:
        """The table that ships with the library.

        Raises
        ------
        StudyError
            If it does not hold for the rules.
        """
        found = _load()
        if rules.match.end != ("target", found.target) or bands_of(rules) != found.about["bands"]:
            raise StudyError(
                f"chances to win a match are known for Sitoumussamba's target and opening minima, not for {rules.name}"
            )
        return found

    def win(self, totals: Any, us: int = 0) -> np.ndarray:
        """The chance of a side to win.

        Parameters
        ----------
        totals : array of shape (..., 2)
            Totals of both sides after a deal.
        us : int
            Which of the two is asked about.

        Returns
        -------
        array
            Between the totals of the table linearly, below its lowest one as there; 1, 0 or one half once the target
            is reached.

        Examples
        --------
        >>> value = MatchValue.load()
        >>> value.win([[20_000, 0], [0, 0], [20_500, 20_500]])
        array([1. , 0.5, 0.5])
        """
        totals = np.asarray(totals, float)
        own, other = totals[..., us], totals[..., 1 - us]
        over = np.maximum(own, other) >= self.target
        ended = np.where(own == other, 0.5, (own > other).astype(float))
        last = len(self.chance) - 1
        at = [np.clip((each - LEAST) / STEP, 0, last) for each in (own, other)]
        (i, x), (j, y) = ((np.minimum(each.astype(int), last - 1), each) for each in at)
        x, y = x - i, y - j
        between = (
            (1 - x) * (1 - y) * self.chance[i, j]
            + x * (1 - y) * self.chance[i + 1, j]
            + (1 - x) * y * self.chance[i, j + 1]
            + x * y * self.chance[i + 1, j + 1]
        )
        return np.where(over, ended, between)


def bands_of(rules: RuleSet) -> list[list[int | None]]:
    """The opening minima of rules, as pairs of the total below which they hold and their points."""
    return [[below, points] for below, points, _ in rules.opening.bands]


@cache
def _load() -> MatchValue:
    with np.load(FILE) as found:
        about = json.loads(str(found["about"]))
        return MatchValue(found["units"].astype(float) / UNITS, about["target"], about)
