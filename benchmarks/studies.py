"""Time of the studies beside their bars: odds, best bids of ten fixed hands, a bidding table.

    python benchmarks/studies.py [--threads 2] [--only odds,best-bid,bidding-table]

Times are of the clock, for which the machine must be idle; beside them stands the time of the processor divided by the
threads, which other work on the machine changes little.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable

import sitoumus as sit

HANDS = [
    "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s",
    "4c 5c 6c 7c Th Jh 9s 9s Qd Qc Ad 3d 8h 2s Ks",
    "As Ad Ac 2h 2d 2c JK 5s 6s 8d 8c Th Jd Kc 3h",
    "3c 4d 5h 6s 8c 9d Th Qs Kc Ad 7h 7s Jd 4s 9h",
    "JK JK 2s Ah Kh Qh Jh Th 5c 5d 5s 9c 9d 3s 8d",
    "7h 8h 9h Th Jh 4s 5s 6s 7s Kd Kc Ac 3c 2d 8c",
    "Qc Qd Qh Qs Jc Jd Js 6h 6d 9s Ts 4c 3d 2h Kh",
    "4h 4d 4s 5c 5d 8s 8c 8h Ts Td Kc Kd Ah 3h 3s",
    "2c 2d 2h 2s JK Ac Ad 5h 6h 8s 9s Jc Qd Kh 7c",
    "5d 6d 7d 8d 9d Td Jd 3c 4s 9h Qs Kh Ac 2s 6c",
]


def odds(threads: int) -> None:
    sit.contract_odds(HANDS[0], ["2H", "3H", "4H", "3CAN"], deals=20_000, threads=threads, progress=False)


def best_bid(hand: str, threads: int) -> None:
    sit.best_bid(hand, max_level=5, eps=25, threads=threads, progress=False)


def bidding_table(threads: int) -> None:
    sit.bidding_table(50, threads=threads, progress=False)


def timed(task: Callable[[], None], threads: int) -> tuple[float, float]:
    """Seconds of the clock, and of the processor divided by the threads."""
    clock, processor = time.perf_counter(), time.process_time()
    task()
    return time.perf_counter() - clock, (time.process_time() - processor) / threads


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="odds,best-bid,bidding-table")
    given = parser.parse_args()
    asked, threads = given.only.split(","), given.threads
    odds(threads)  # what is imported and made ready once is not counted
    rows = []
    if "odds" in asked:
        rows.append(("odds: 20,000 deals x 4 contracts and passing", *timed(lambda: odds(threads), threads), 4))
    if "best-bid" in asked:
        found = []
        for hand in HANDS:
            found.append(timed(lambda hand=hand: best_bid(hand, threads), threads))  # type: ignore[misc]
            print(f"  {hand}: {found[-1][0]:.1f} s", file=sys.stderr)
        clock, processor = zip(*found, strict=True)
        rows.append(("best bid, eps 25, levels to 5: median of ten", *map(statistics.median, (clock, processor)), 5))
        rows.append(("best bid, the longest of the ten", max(clock), max(processor), float("nan")))
    if "bidding-table" in asked:
        rows.append(("bidding table of one minimum", *timed(lambda: bidding_table(threads), threads), 600))
    print(f"{threads} threads, policies: heuristic{'clock s':>26}{'cpu s / threads':>18}{'bar s':>8}")
    for name, clock, processor, bar in rows:
        print(
            f"{name:48} {clock:10.1f} {processor:17.1f} {bar:7.0f}"
            if bar == bar
            else f"{name:48} {clock:10.1f} {processor:17.1f}"
        )


if __name__ == "__main__":
    main()
