"""Run a comparison in batches on a few processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context


def in_batches(
    batch: Callable[..., tuple[Counter, list[str]]], n: int, size: int, processes: int, *given: object
) -> tuple[Counter, list[str]]:
    """What occurred in ``batch(numbers, *given)`` over the numbers below n, and the differences found, in order."""
    seen: Counter = Counter()
    differences: list[str] = []
    numbers = [range(start, min(start + size, n)) for start in range(0, n, size)]
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for part, found in pool.map(batch, numbers, *map(repeat, given)):
            seen += part
            differences += found
    return seen, differences


def report(what: str, seen: Counter, differences: list[str], seconds: float) -> None:
    """Print the figures of a run."""
    print(f"{what}, {len(differences)} differ, {seconds:.0f} s")
    for name in sorted(seen):
        print(f"  {name:<48}{seen[name]:>9}")
    for difference in differences[:5]:
        print(difference, "\n")
