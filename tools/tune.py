"""Tune the heuristic's parameters in self-play, by CMA-ES.

    python tools/tune.py tools/tuned [--out src/sitoumus/data/tuned.json] [--threads 1]

The folder holds settings.toml; log.csv (a row a generation) is written there, and the parameters found into --out,
parameters.json of the folder if left out. The same settings give the same parameters, with any number of threads.

In a generation all candidates play the same duplicate deals against every policy of the pool, and every generation has
fresh deals; a candidate's value is its mean gain, less a cost where the deals that it plays with itself lack variety.
Each stage starts from the champion, searches some of its parameters, and puts what it finds into the pool if that beats
the champion on fresh deals.
"""

import argparse
import csv
import fnmatch
import json
import time
import tomllib
from pathlib import Path
from typing import Any

import cma
import numpy as np

import sitoumus as sit
from sitoumus.policies import PARAMETERS, HeuristicPolicy, policy

#: Least and most of parameters that count something; all others are at least 0.
BOUNDS = {
    "late_stock": (0, 40),
    "hold_run": (4, 6),
    "set_least": (3, 7),
    "deuces_least": (3, 6),
    "stop_stock": (0, 101),
    "stop_set": (3, 7),
    "open_turn": (0, 264),
    "bid_compete": (0, 8),
    "take_time": (-500, 500),
    "bid_partner": (-1000, 1000),
}
#: Sizes of a step, where 0.6 of the default, and at least what follows for its unit, would not do.
SCALES = {"hold_run": 1, "set_least": 1, "deuces_least": 1, "stop_set": 2, "stop_stock": 30, "bid_compete": 1.5}
LEAST_SCALE = {"points": 20, "percent": 20, "cards": 4, "turns": 10, "tenths": 10, "levels": 1}
SHARES = ("level 1", "level 2", "level 3", "level 4", "doubled", "made", "failed", "void", "out", "stock")


def chosen(patterns: list[str]) -> list[str]:
    """Names of parameters that match a pattern, and none that begins with a minus."""
    names = [parameter.name for parameter in PARAMETERS]
    without = [pattern[1:] for pattern in patterns if pattern.startswith("-")]
    return [
        name
        for name in names
        if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)
        and not any(fnmatch.fnmatch(name, pattern) for pattern in without)
    ]


def scale(name: str) -> float:
    """The size of a step of one parameter."""
    parameter = next(each for each in PARAMETERS if each.name == name)
    if name in SCALES:
        return SCALES[name]
    return max(abs(parameter.default) * 0.6, LEAST_SCALE[parameter.unit])


def shares(candidate: HeuristicPolicy, deals: int, seed: int, start: int, threads: int) -> dict[str, float]:
    """What happens in how many percent of the deals that a policy plays with itself."""
    frame = sit.simulate(deals, seed=seed, start=start, policies=candidate, threads=threads, progress=False)
    found = {f"level {level}": float((frame["level"] == level).mean()) for level in range(1, 5)}
    found["doubled"] = float(frame["doubled"].mean())
    found |= {result: float((frame["result"] == result).mean()) for result in ("made", "failed", "void")}
    found |= {ended: float((frame["ended"] == ended).mean()) for ended in ("out", "stock")}
    return {name: 100 * found[name] for name in SHARES}


class Tuner:
    """The deals used so far, the pool, the champion and the log."""

    def __init__(self, settings: dict[str, Any], threads: int):
        self.settings = settings
        self.threads = threads
        self.next_deal = 0
        self.pool = [policy(each) for each in settings["pool"]]
        self.champion: HeuristicPolicy = self.pool[-1]
        self.log: list[dict[str, Any]] = []

    def fresh(self, n: int) -> int:
        """First of n deals that nobody has played."""
        self.next_deal += n
        return self.next_deal - n

    def gain(self, candidate: HeuristicPolicy, opponent: Any, pairs: int, start: int) -> Any:
        """The comparison of a candidate with an opponent."""
        return sit.compare(
            candidate,
            opponent,
            pairs=pairs,
            seed=self.settings["seed"],
            start=start,
            threads=self.threads,
            progress=False,
        )

    def value(self, candidate: HeuristicPolicy, pairs: int, start: int) -> tuple[float, float]:
        """Mean gain over the pool, and the cost of what is missing."""
        each = pairs // len(self.pool)
        gains = [self.gain(candidate, other, each, start).points for other in self.pool]
        asked = self.settings["shares"]
        found = shares(candidate, asked["deals"], self.settings["seed"], start, self.threads)
        missing = sum(max(0.0, asked["least"] - share) for share in found.values())
        return float(np.mean(gains)), asked["cost"] * missing

    def stage(self, stage: dict[str, Any], number: int) -> None:
        """Search some parameters."""
        names = chosen(stage["parameters"])
        begin = self.champion.params
        scales = np.array([scale(name) for name in names])
        bounds = [BOUNDS.get(name, (0, 20_000)) for name in names]
        low, high = (np.array([bound[side] for bound in bounds]) for side in (0, 1))
        centre = np.array([begin[name] for name in names], float)

        def candidate(x: np.ndarray) -> HeuristicPolicy:
            values = np.clip(np.rint(centre + x * scales), low, high).astype(int)
            return self.champion.replace(**{name: int(value) for name, value in zip(names, values, strict=True)})

        options = {
            "seed": self.settings["seed"] + number,
            "popsize": stage["population"],
            "bounds": [list((low - centre) / scales - 1e-9), list((high - centre) / scales + 1e-9)],
            "verbose": -9,
        }
        search = cma.CMAEvolutionStrategy(np.zeros(len(names)), stage["sigma"], options)
        for generation in range(stage["generations"]):
            began = time.monotonic()
            start = self.fresh(max(stage["pairs"], self.settings["shares"]["deals"]))
            xs = search.ask()
            found = [self.value(candidate(x), stage["pairs"], start) for x in xs]
            values = np.array([gain - cost for gain, cost in found])
            search.tell(xs, list(-values))
            best = int(values.argmax())
            self.log.append(
                {
                    "stage": stage["name"],
                    "generation": generation,
                    "pool": len(self.pool),
                    "pairs": stage["pairs"],
                    "first_deal": start,
                    "mean_gain": round(float(np.mean([gain for gain, _ in found])), 1),
                    "best_gain": round(found[best][0], 1),
                    "best_cost": round(found[best][1], 1),
                    "sigma": round(search.sigma, 4),
                }
            )
            print(*self.log[-1].values(), f"{time.monotonic() - began:.1f} s", flush=True)
        result = candidate(search.result.xfavorite)
        pairs = self.settings["test_pairs"]
        start = self.fresh(pairs)
        test = self.gain(result, self.champion, pairs, start)
        better = test.interval[0] > 0
        low_, high_ = test.interval
        print(f"{stage['name']}: {test.points:.0f} ({low_:.0f} to {high_:.0f}) against the champion before", flush=True)
        row = {
            "stage": stage["name"],
            "generation": "test",
            "pool": len(self.pool),
            "pairs": pairs,
            "first_deal": start,
        }
        row |= {"test": round(test.points, 1), "test_low": round(low_, 1), "test_high": round(high_, 1)}
        self.log.append(row)
        if better:
            self.champion = result
            self.pool.append(result)


def main() -> None:
    """Run the stages of a folder's settings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    tuner = Tuner(tomllib.loads((given.folder / "settings.toml").read_text()), given.threads)
    for number, stage in enumerate(tuner.settings["stages"]):
        tuner.stage(stage, number)
        with (given.folder / "log.csv").open("w", newline="") as file:
            columns = list(dict.fromkeys(name for row in tuner.log for name in row))
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(tuner.log)
        (given.out or given.folder / "parameters.json").write_text(json.dumps(tuner.champion.params, indent=1) + "\n")


if __name__ == "__main__":
    main()
