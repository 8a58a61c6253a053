"""Compare many deals: ``python -m oracle [DEALS] [PRESET ...]``; a table of what occurred follows."""

from __future__ import annotations

import argparse
import time

from .batches import report
from .compare import compare_deals, needed


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
        seen, differences = compare_deals(rules, options.deals, options.late, options.seed, options.processes)
        what = f"{rules}: {seen['deals']} of {options.deals} deals equal"
        report(what, seen, differences, time.perf_counter() - began)
        if rules == "sitoumussamba" and options.deals >= 1000:
            missing = [name for name in needed() if seen[name] < 20]
            print("fewer than 20 times:", ", ".join(missing) or "nothing")
            status |= bool(missing)
        status |= bool(differences)
    return status


if __name__ == "__main__":
    raise SystemExit(main())
