"""Three hearts or four? One hand, the odds of both, and the best call among all.

python examples/three_hearts_or_four.py [--deals 2000] [--plot odds.png]
"""

import argparse

import sitoumus as sit
from sitoumus.stats import Sums, mean_interval

HAND = "Ah Kh Qh Jh Th 7s 7d 7c 2c JK 9s 9d 4c 4d 3s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--plot", metavar="FILE")
    given = parser.parse_args()

    odds = sit.contract_odds(HAND, ["3H", "4H"], deals=given.deals, seed=1, progress=False)
    print(odds)
    if given.plot:
        odds.plot().figure.savefig(given.plot)

    # The same deals lie under both contracts, so their difference is known better than either.
    three, four = odds.rows("3H"), odds.rows("4H")
    more = (four["score_ew"] - four["score_ns"]) - (three["score_ew"] - three["score_ns"])
    low, high = mean_interval(Sums.of(more.to_numpy()))
    print(f"\nFour hearts bring {more.mean():.0f} points more than three ({low:.0f} to {high:.0f})\n")

    # Here nobody is silenced: the others bid, double and pass as they like.
    print(sit.best_bid(HAND, calls=["pass", "2H", "3H", "4H"], deals=given.deals, seed=1, progress=False))


if __name__ == "__main__":
    main()
