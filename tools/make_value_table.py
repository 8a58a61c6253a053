"""Make the table of the chances to win a match, src/sitoumus/data/match_values.npz.

    python tools/make_value_table.py [--deals 4000] [--seed 0] [--policies heuristic] [--out FILE]

For each pair of opening minima (the only way in which totals change the play of the compiled policies) deals are played
with the dealer going round, and their scores counted on a grid of 250 points, linearly split between neighbours. The
chance to win from every pair of totals is then the mean over the deals from there, repeated until it stands still; at
20,000 and more the higher total has won, equal ones are half a win. Sides are alike: the table is made symmetric.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from scipy.signal import fftconvolve

import sitoumus as sit
from sitoumus.match_value import FILE, LEAST, STEP, UNITS, bands_of
from sitoumus.policies import by_seat, policy_hash, specs

#: The distribution of the scores of a deal, and its lowest corner, by the bands of the two sides.
Kernels = dict[tuple[int, int], tuple[np.ndarray, np.ndarray]]


def counted(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distribution of the scores of two sides on the grid; its lowest corner."""
    places = scores / STEP
    low = np.floor(places.min(axis=0)).astype(int)
    size = np.ceil(places.max(axis=0)).astype(int) - low + 2
    found = np.zeros(size)
    floor = np.floor(places).astype(int)
    rest = places - floor
    for i in (0, 1):
        for j in (0, 1):
            weight = np.abs(1 - i - rest[:, 0]) * np.abs(1 - j - rest[:, 1])
            np.add.at(found, (floor[:, 0] - low[0] + i, floor[:, 1] - low[1] + j), weight)
    return found / len(scores), low


def kernels(deals: int, seed: int, policies: str) -> tuple[Kernels, list[int]]:
    """The distributions by the bands of the two sides, and the band of every total on the grid."""
    rules = sit.SITOUMUSSAMBA
    ends = [below for below, _, _ in rules.opening.bands if below is not None]
    totals = [ends[0] - STEP, *ends]
    found: Kernels = {}
    for i, ns in enumerate(totals):
        for j, ew in enumerate(totals[: i + 1]):
            frame = sit.simulate(deals, seed=seed, totals=(ns, ew), policies=policies, dealer="rotate", progress=False)
            scores = frame[["score_ns", "score_ew"]].to_numpy(float)
            if i == j:
                scores = np.concatenate([scores, scores[:, ::-1]])
            found[i, j] = counted(scores)
            found[j, i] = counted(scores[:, ::-1])
            print(f"totals {ns} and {ew}: mean scores {scores[:, 0].mean():.0f} and {scores[:, 1].mean():.0f}")
    return found, ends


def solve(found: Kernels, ends: list[int], target: int) -> np.ndarray:
    """The chance of the first side, by totals on the grid from LEAST up to the last below the target."""
    own = np.arange(LEAST, target, STEP)
    band = np.searchsorted(ends, own, "right")
    pad = max(max(kernel.shape) + int(np.abs(low).max()) for kernel, low in found.values())
    n = len(own)
    place = np.clip(np.arange(-pad, n + pad), 0, None) * STEP + LEAST
    a, b = place[:, None], place[None, :]
    over = np.maximum(a, b) >= target
    won = np.where(over, np.where(a == b, 0.5, (a > b).astype(float)), 0.5)
    inner = slice(pad, pad + n)
    inside = np.clip(np.arange(len(won)), pad, None)
    while True:
        before = won[inner, inner].copy()
        # totals below the table count as its lowest
        won = np.where(over, won, won[np.ix_(inside, inside)])
        after = before.copy()
        for (i, j), (kernel, low) in found.items():
            rows, columns = np.flatnonzero(band == i), np.flatnonzero(band == j)
            part = won[
                pad + rows[0] + low[0] : pad + rows[-1] + low[0] + kernel.shape[0],
                pad + columns[0] + low[1] : pad + columns[-1] + low[1] + kernel.shape[1],
            ]
            after[np.ix_(rows, columns)] = fftconvolve(part, kernel[::-1, ::-1], "valid")
        after = (after + 1 - after.T) / 2
        won[inner, inner] = after
        if np.abs(after - before).max() < 1e-6:
            return np.clip(after, 0, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=4000, help="deals for each pair of opening minima")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--policies", default="heuristic")
    parser.add_argument("--out", default=str(FILE))
    given = parser.parse_args()
    rules = sit.SITOUMUSSAMBA
    found, ends = kernels(given.deals, given.seed, given.policies)
    target = rules.match.end[1]
    chance = solve(found, ends, target)
    units = np.rint(chance * UNITS).astype(np.int64)
    units = np.triu(units, 1) + np.tril(UNITS - units.T, -1) + np.diag(np.full(len(units), UNITS // 2))
    seated = by_seat(given.policies, rules)
    about = {
        "deals": given.deals,
        "seed": given.seed,
        "policies": specs(seated),
        "policy_hash": policy_hash(seated[0]),
        "result_version": sit.RESULT_VERSION,
        "bands": bands_of(rules),
        "target": target,
    }
    Path(given.out).parent.mkdir(exist_ok=True)
    np.savez_compressed(given.out, units=units.astype(np.uint16), about=np.array(json.dumps(about)))
    level = chance[-LEAST // STEP, (5000 - LEAST) // STEP]
    print(f"{given.out}: {len(units)} totals from {LEAST} on; 0 has {level:.3f} against 5000")


if __name__ == "__main__":
    main()
