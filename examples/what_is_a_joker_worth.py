"""What is a joker worth? By the hands that are dealt, and by one hand in which a joker takes the place of a card.

python examples/what_is_a_joker_worth.py [--deals 4000]
"""

import argparse

import numpy as np
import pandas as pd

import sitoumus as sit
from sitoumus.stats import Sums, mean_interval

HAND = "Ah Kh Qh Jh 7s 7d 7c 2c 8d 9s 9d 4c 4d 5h 3s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=4000)
    given = parser.parse_args()

    # East's jokers in free deals: every seat bids and plays by the heuristic.
    df = sit.simulate(given.deals, seed=2, dealer="rotate", features=True, progress=False)
    points = df["score_ew"] - df["score_ns"]
    rows = []
    for jokers, those in points.groupby(df["jokers_e"].clip(upper=3)):
        low, high = mean_interval(Sums.of(those.to_numpy()))
        rows.append({"jokers": jokers, "deals": len(those), "points": those.mean(), "low": low, "high": high})
    print("East-West's points by East's jokers (3: three and more):")
    print(pd.DataFrame(rows).round(0).to_string(index=False))

    # The slope, other features of the hand held equal.
    names = ["jokers_e", "deuces_e", "aces_e", "run_cards_e", "triples_e", "red_threes_e"]
    x = np.column_stack([np.ones(len(df)), df[names].to_numpy(float)])
    slope, *_ = np.linalg.lstsq(x, points.to_numpy(float), rcond=None)
    rest = points - x @ slope
    # errors that hold whatever the spread of the points (White)
    bread = np.linalg.inv(x.T @ x)
    se = np.sqrt(np.diag(bread @ (x.T * rest.to_numpy() ** 2) @ x @ bread))
    print("\nOne more of each, the others held equal, with 95 % intervals:")
    for name, value, error in zip(names, slope[1:], se[1:], strict=True):
        print(f"  {name.removesuffix('_e'):11} {value:6.0f} ({value - 1.96 * error:.0f} to {value + 1.96 * error:.0f})")

    # One hand: the eight of diamonds replaced by a joker.
    print("\nThe same hand with the eight of diamonds, and with a joker in its place:")
    for cards in (HAND, HAND.replace("8d", "JK")):
        odds = sit.contract_odds(cards, ["2H", "3H"], deals=given.deals // 2, seed=2, progress=False)
        shown = odds.frame[["contract", "opened", "made", "points", "points_low", "points_high"]].round(2)
        print(f"{cards}\n{shown.to_string(index=False)}")


if __name__ == "__main__":
    main()
