"""Write deals.txt: 1,000 deals of the main game as hashes, `seed number sha256` (the first 16 digits) a line.

    python tests/golden/make_deals.py

The cards of a (seed, number) never change; if this script changes a line, every result of every user changes.
"""

from hashlib import sha256
from pathlib import Path

from sitoumus._core import Deal

FILE = Path(__file__).with_name("deals.txt")
ADDRESSES = [
    *((0, number) for number in range(400)),
    *((seed, number) for seed in (1, 7, 2024, 2**32, 2**64 - 1, 10**30) for number in range(80)),
    *((seed, number) for seed in (0, 7) for number in (10**6, 10**9, 2**32 - 1, 2**32, 10**12, 2**62, 2**63 - 1)),
    *((seed, 1) for seed in range(100, 206)),
]


def digest(seed: int, number: int) -> str:
    """The hands N E S W in canonical order, then the stock from its next card on; a line each."""
    deal = Deal(seed=seed, number=number)
    lines = [" ".join(deal.hands[seat]) for seat in "NESW"] + [" ".join(deal.stock)]
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


if __name__ == "__main__":
    FILE.write_text("".join(f"{seed} {number} {digest(seed, number)}\n" for seed, number in ADDRESSES))
    print(f"{FILE.name}: {len(ADDRESSES)} deals")
