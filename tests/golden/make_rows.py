"""Write rows.json: 10,000 rows of `simulate` as the hashes of their columns, by block.

    python tests/golden/make_rows.py

When a block changes, a row has changed that users may have: raise RESULT_VERSION and say why in its history.
"""

import json
from pathlib import Path

import sitoumus as sit
from sitoumus.run import Run, hashes_of

FILE = Path(__file__).with_name("rows.json")
BLOCKS = {
    "random": (1_000, {"policies": "random"}),
    "greedy": (2_000, {"policies": "greedy"}),
    "heuristic": (3_000, {"policies": "heuristic"}),
    "heuristic at all totals": (1_000, {"policies": "heuristic", "dealer": "rotate", "totals": (7000, -5)}),
    "greedy against heuristic": (1_000, {"policies": ("greedy", "heuristic"), "dealer": "S"}),
    "3H by E": (500, {"policies": "heuristic", "contract": "3H by E"}),
    "5CAN by S doubled": (500, {"policies": "heuristic", "contract": "5CAN by S doubled"}),
    "7S by N over 6H by W": (200, {"policies": "greedy", "contract": "7S by N", "below": ("6H by W",)}),
    "no contract": (300, {"policies": "heuristic", "contract": "none"}),
    "a known hand": (500, {"policies": "heuristic", "hands": {"E": "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"}}),
}


def hashes(n, options):
    """Hash by column of deals 0 .. n - 1 of seed 7."""
    run = Run.of(seed=7, **options)
    arrays = run.allocate(n)
    run.fill(arrays, 0, n)
    return {name: f"{value:016x}" for name, value in hashes_of(arrays, 0).items()}


if __name__ == "__main__":
    blocks = {name: hashes(*block) for name, block in BLOCKS.items()}
    FILE.write_text(json.dumps({"result_version": sit.RESULT_VERSION, "blocks": blocks}, indent=0) + "\n")
    print(f"{FILE.name}: {sum(n for n, _ in BLOCKS.values())} rows, result version {sit.RESULT_VERSION}")
