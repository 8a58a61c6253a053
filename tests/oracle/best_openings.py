"""Best openings of the core against brute force: ``python -m oracle.best_openings [N] [SEED]``.

Three hands in four are random, one in four is drawn from a skewed pack (two suits, six ranks, or many deuces). Most
have 15 cards, the rest up to 28. Each is asked with sets of deuces from four and from five.
"""

from __future__ import annotations

import random
import sys
import time

import numpy as np
from brute_opening import brute_best_points

import sitoumus as sit
from sitoumus.rules import SITOUMUSSAMBA


def hand(rng: random.Random, size: int) -> np.ndarray:
    """Counts of a hand by card, in canonical order."""
    pack = [card for card in range(52) for _ in range(3)] + [52] * 6
    if rng.random() < 0.25:
        skew = rng.choice(["suits", "ranks", "deuces"])
        suits, ranks = rng.sample(range(4), 2), rng.sample(range(13), 6)
        if skew == "suits":
            pack = [card for card in pack if card == 52 or card % 4 in suits]
        elif skew == "ranks":
            pack = [card for card in pack if card == 52 or card // 4 in ranks]
        else:
            pack = [card for card in pack if card == 52 or card // 4 == 1 or rng.random() < 0.25]
    counts = np.zeros(53, np.uint8)
    for card in rng.sample(pack, min(size, len(pack))):
        counts[card] += 1
    return counts


def check(hands: int, seed: int) -> list[str]:
    """Differences, as texts."""
    rng = random.Random(seed)
    rows = [hand(rng, 15 if i % 20 else rng.choice([16, 17, 18, 19, 20, 20, 21, 22, 24, 28])) for i in range(hands)]
    counts = np.array(rows)
    best = {deuces: sit.best_opening(counts, deuces) for deuces in (4, 5)}
    differences = []
    for i, row in enumerate(rows):
        for deuces in (4, 5):
            right = brute_best_points(tuple(map(int, row)), deuces, SITOUMUSSAMBA)
            if right != best[deuces][i]:
                differences.append(f"hand {i}, deuces {deuces}: core {best[deuces][i]}, brute force {right}: {row}")
    return differences


def main() -> int:
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    began = time.perf_counter()
    differences = check(hands, seed)
    print(f"{hands} hands, {2 * hands} answers, {len(differences)} differ, {time.perf_counter() - began:.0f} s")
    for difference in differences[:5]:
        print(difference)
    return bool(differences)


if __name__ == "__main__":
    raise SystemExit(main())
