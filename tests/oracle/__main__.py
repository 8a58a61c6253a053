"""Compare many deals: ``python -m oracle [N] [PRESET ...]``; two processes, a coverage table at the end."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from .compare import OPTIONS, Difference, late_position, whole_deal


def batch(job: tuple[str, int, int, int, int]) -> tuple[Counter, list[str]]:
    """Deals start .. stop - 1 from the first call, and `late` late positions beside each."""
    rules, seed, start, stop, beside = job
    seen: Counter = Counter()
    differences = []
    options = None if rules == "sitoumussamba" else {}
    for number in range(start, stop):
        try:
            whole_deal(number, seed, seen, rules, options)
            for late in range(beside * number, beside * (number + 1)):
                late_position(late, seed, seen, rules, options)
            seen["deals"] += 1
        except Difference as error:
            differences.append(f"{rules} seed {seed} number {number}: {error}")
    return seen, differences


def needed() -> list[str]:
    """What must have occurred in a run of the main game."""
    verbs = "pass bid double fail done draw take extra meld add buy ask yes no discard end".split()
    return [
        *(f"verb {verb}" for verb in verbs),
        *(f"phase {phase}" for phase in "auction opening draw taken meld reply over".split()),
        *(f"result {result}" for result in "made failed void none".split()),
        "ended out",
        "ended stock",
        "out by the declaring side",
        "out by the defenders",
        "set of black threes",
        *(f"option {name}={value}" for name, values in OPTIONS.items() for value in values),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m oracle")
    parser.add_argument("deals", nargs="?", type=int, default=300)
    parser.add_argument("presets", nargs="*", default=["sitoumussamba"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--late", type=int, default=4, help="late positions beside each deal")
    options = parser.parse_args()
    status = 0
    for rules in options.presets or ["sitoumussamba"]:
        began = time.perf_counter()
        jobs = [(rules, options.seed, i, min(i + 5, options.deals), options.late) for i in range(0, options.deals, 5)]
        seen: Counter = Counter()
        differences: list[str] = []
        with ProcessPoolExecutor(options.processes) as pool:
            for part, found in pool.map(batch, jobs):
                seen += part
                differences += found
        print(
            f"{rules}: {seen['deals']} of {options.deals} deals equal, {len(differences)} differ, "
            f"{time.perf_counter() - began:.0f} s"
        )
        for name in sorted(seen):
            print(f"  {name:<48}{seen[name]:>9}")
        for difference in differences[:5]:
            print(difference, "\n")
        if rules == "sitoumussamba" and options.deals >= 1000:
            missing = [name for name in needed() if seen[name] < 20]
            print("fewer than 20 times:", ", ".join(missing) or "nothing")
            status |= bool(missing)
        status |= bool(differences)
    return status


if __name__ == "__main__":
    raise SystemExit(main())
