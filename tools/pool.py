"""The payoff matrix of a pool of players and its Nash mixture.

    python tools/pool.py heuristic@14 tuned@14 player.json [--pairs 2000] [--seed 1] [--rules sitoumussamba]

A player is the name of a policy, or a JSON file; racer@15,bid_stop=7,double_level=8 is that player with other values of
some parameters. Every two of them play the same
duplicate deals; a figure of the matrix is the mean gain of its row over its column in points a deal, with half the
width of its 95 % interval. The mixture is that of the zero-sum game with these figures, as they were measured: chances
that differ by little are not certain.
"""

import argparse
import datetime
from pathlib import Path
from typing import Any

from sitoumus.policies import policy
from sitoumus.tuning import nash, payoffs


def player(text: str) -> Any:
    """The policy of a name or file, with the values that stand after it."""
    name, *values = text.split(",")
    found = policy(name)
    pairs = (value.split("=") for value in values)
    return found.replace(**{parameter: int(value) for parameter, value in pairs}) if values else found


def shown(text: str) -> str:
    """A player as the table has it: of a file its name without folder and ending."""
    return Path(text).stem if text.endswith(".json") else text


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
    width = max(16, *(len(shown(text)) for text in given.players))
    for i, name in enumerate(given.players):
        cells = " ".join(f"{mean[i, j]:+7.0f}±{half[i, j]:<4.0f}" for j in range(len(given.players)))
        print(f"{100 * mixture[i]:3.0f} %  {shown(name):{width}} {cells}")


if __name__ == "__main__":
    main()
