"""The payoff matrix of a pool of players and its Nash mixture.

    python tools/pool.py heuristic@14 tuned@14 player.json [--pairs 2000] [--seed 1] [--rules sitoumussamba]

A player is the name of a policy, or a JSON file of parameters of the heuristic. Every two of them play the same
duplicate deals; a figure of the matrix is the mean gain of its row over its column in points a deal, with half the
width of its 95 % interval. The mixture is that of the zero-sum game with these figures, as they were measured: chances
that differ by little are not certain.
"""

import argparse
import datetime
import json
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linprog

import sitoumus as sit
from sitoumus.policies import HeuristicPolicy, policy


def player(text: str) -> Any:
    """The policy that a name or a file of parameters stands for."""
    return HeuristicPolicy(**json.loads(Path(text).read_text())) if text.endswith(".json") else policy(text)


def payoffs(players: list[Any], pairs: int, seed: int, rules: str) -> tuple[np.ndarray, np.ndarray]:
    """Mean gains of rows over columns in points a deal, and half the widths of their 95 % intervals; shape (n, n)."""
    mean, half = np.zeros((2, len(players), len(players)))
    for i in range(len(players)):
        for j in range(i):
            found = sit.compare(players[i], players[j], pairs=pairs, seed=seed, rules=rules, progress=False)
            mean[i, j], mean[j, i] = found.points, -found.points
            half[i, j] = half[j, i] = (found.interval[1] - found.interval[0]) / 2
    return mean, half


def nash(gains: np.ndarray) -> tuple[np.ndarray, float]:
    """Chances with which the row player mixes its rows so that its least gain is greatest, and that gain."""
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


def main() -> None:
    """Print the matrix and the mixture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="+")
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", default="sitoumussamba")
    given = parser.parse_args()
    mean, half = payoffs([player(text) for text in given.players], given.pairs, given.seed, given.rules)
    mixture, _ = nash(mean)
    print(f"{given.rules}, {given.pairs} pairs, seed {given.seed}, {datetime.datetime.now(datetime.UTC):%Y-%m-%d}")
    for i, name in enumerate(given.players):
        cells = " ".join(f"{mean[i, j]:+7.0f}±{half[i, j]:<4.0f}" for j in range(len(given.players)))
        print(f"{100 * mixture[i]:3.0f} %  {Path(name).stem:16} {cells}")


if __name__ == "__main__":
    main()
