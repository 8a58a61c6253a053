"""Time a turn of every game over that of Sitoumussamba: ``python benchmarks/games.py [POLICY] [--rounds 200]``.

A piece of deals of each game stands between two of Sitoumussamba, so that the moods of the machine meet both. Shown are
the nanoseconds of the tenth part of the pieces that was fastest, and the median of the ratios to the mean of the two
pieces beside, with its 95 % interval.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.stats import bootstrap

from sitoumus import PRESETS
from sitoumus.run import Run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("policy", nargs="?", default="random", help="compiled policy (default: random)")
    parser.add_argument("--rounds", type=int, default=200, help="default: 200")
    parser.add_argument("--deals", type=int, default=400, help="deals a piece (default: 400)")
    given = parser.parse_args()
    names = ["sitoumussamba", *(name for name in PRESETS if name != "sitoumussamba")]
    runs = [Run.of(rules=PRESETS[name], policies=given.policy, seed=3) for name in names]
    rows = [run.allocate(given.deals) for run in runs]

    def piece(game: int) -> float:
        begin = time.thread_time()
        runs[game].fill(rows[game], 0, given.deals)
        return (time.thread_time() - begin) / rows[game]["turns"].sum() * 1e9

    found, ratios = ([[] for _ in names] for _ in range(2))
    for game in range(len(names)):                     # warms up
        piece(game)
    before = piece(0)
    for _ in range(given.rounds):
        for game in range(1, len(names)):
            now, after = piece(game), piece(0)
            found[game].append(now)
            found[0].append(after)
            ratios[game].append(2 * now / (before + after))
            before = after
    table = Table(title=f"{given.policy}: time a turn")
    for heading in ("game", "ns", "ratio", "95 % interval"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    table.add_row(names[0], f"{np.quantile(found[0], 0.1):.0f}", "1", "")
    for name, times, ratio in zip(names[1:], found[1:], ratios[1:], strict=True):
        interval = bootstrap((ratio,), np.median, n_resamples=2000, method="percentile", rng=1).confidence_interval
        table.add_row(name, f"{np.quantile(times, 0.1):.0f}", f"{np.median(ratio):.3f}",
                      f"{interval.low:.3f} to {interval.high:.3f}")
    Console().print(table)


if __name__ == "__main__":
    main()
