"""The payoff matrix of a pool of players, and the Nash mixture of such a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..compare import compare
from ..rules import RuleSet

__all__ = ["nash", "payoffs"]


def payoffs(
    players: Sequence[Any], pairs: int, seed: int, rules: RuleSet | str = "sitoumussamba", threads: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """What every player gains on every other, all on the same duplicate deals.

    Parameters
    ----------
    players : sequence of policies
    pairs : int
        Pairs of deals, for each two players.
    seed : int
    rules : RuleSet or str
    threads : int, optional

    Returns
    -------
    mean : ndarray of float, shape (n, n)
        Mean gains of rows over columns, in points a deal.
    half : ndarray of float, shape (n, n)
        Half the widths of their 95 % intervals.
    """
    mean, half = np.zeros((2, len(players), len(players)))
    for i in range(len(players)):
        for j in range(i):
            found = compare(
                players[i], players[j], pairs=pairs, seed=seed, rules=rules, threads=threads, progress=False
            )
            mean[i, j], mean[j, i] = found.points, -found.points
            half[i, j] = half[j, i] = (found.interval[1] - found.interval[0]) / 2
    return mean, half


def nash(gains: np.ndarray) -> tuple[np.ndarray, float]:
    """The mixture of rows whose least mean gain over the columns is greatest, by linear programming.

    Parameters
    ----------
    gains : ndarray of float, shape (rows, columns)
        Of a zero-sum game, to the player of the rows.

    Returns
    -------
    mixture : ndarray of float, shape (rows,)
        Chances of the rows.
    gain : float
        Its least mean gain.

    Raises
    ------
    ValueError
        If no mixture is found, as where a gain is not finite.
    """
    from scipy.optimize import linprog  # slow to import

    rows, columns = gains.shape
    found = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.column_stack([-gains.T, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, 1)] * rows + [(None, None)],
    )
    if not found.success or found.x is None:
        raise ValueError(f"no mixture was found for these gains: {found.message}")
    return found.x[:rows], float(found.x[rows])
