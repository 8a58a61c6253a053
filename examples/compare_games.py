"""The ten games side by side: how long they are, how they end, what they score, what the first seat is worth.

python examples/compare_games.py [--deals 20000] [--matches 400] [--policy heuristic] [--plot games.png] [--csv]
"""

import argparse
import sys

import numpy as np
import pandas as pd

import sitoumus as sit
from sitoumus.stats import Sums, mean_interval


def scores_by_side(df):
    return df.filter(regex="^score_").to_numpy()


def first_seat(df):
    """Mean points of the side of the seat after the dealer over the mean of the others, with its 95 % interval."""
    scores = scores_by_side(df)
    seats = len(df["dealer"].cat.categories.drop("none", errors="ignore"))
    side = (df["dealer"].cat.codes.to_numpy() + 1) % seats % scores.shape[1]
    own = scores[np.arange(len(df)), side]
    others = scores.shape[1] - 1
    edge = own * others - (scores.sum(axis=1) - own)
    low, high = mean_interval(Sums.of(edge.astype(np.int64)))
    return edge.mean() / others, low / others, high / others


def row_of(name, rules, given):
    options = {"rules": rules, "policies": given.policy, "progress": False}
    df = sit.simulate(given.deals, seed=5, dealer="rotate", **options)
    matches = sit.simulate_matches(given.matches, seed=6, **options)
    scores = scores_by_side(df)
    edge, low, high = first_seat(df)
    return {
        "game": name,
        "turns": df["turns"].mean(),
        "out": (df["ended"] == "out").mean(),
        "mean": scores.mean(),
        "sd": scores.std(),
        "deals": matches["deals"].mean(),
        "first": edge,
        "low": low,
        "high": high,
    }


def draw(table, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    panels = (
        ("turns", "turns a deal"),
        ("out", "share ended by going out"),
        ("mean", "points a side, with spread"),
        ("deals", "deals a match"),
        ("first", "worth of the first seat"),
    )
    figure, axes = plt.subplots(1, len(panels), figsize=(15, 4), sharey=True, layout="constrained")
    y = np.arange(len(table))
    for ax, (column, title) in zip(axes, panels, strict=True):
        error = None
        if column == "mean":
            error = table["sd"]
        elif column == "first":
            error = np.abs(table[["low", "high"]].to_numpy() - table[["first"]].to_numpy()).T
        ax.barh(y, table[column], xerr=error, color="#0072B2", ecolor="#444444", capsize=2)
        ax.axvline(0, color="black", linewidth=0.8)
        ax.set_title(title, fontsize=9)
    axes[0].set_yticks(y, table.index)
    axes[0].invert_yaxis()
    figure.savefig(path, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--policy", default="heuristic", help="random, greedy, heuristic or tuned, at all seats")
    parser.add_argument("--plot", metavar="FILE", help="draw the table")
    parser.add_argument("--csv", action="store_true", help="write the table as CSV")
    given = parser.parse_args()

    table = pd.DataFrame([row_of(name, rules, given) for name, rules in sit.PRESETS.items()]).set_index("game")
    if given.plot:
        draw(table, given.plot)
    if given.csv:
        table.round(3).to_csv(sys.stdout)
        return
    shown = table.round({"turns": 1, "out": 3, "mean": 0, "sd": 0, "deals": 1, "first": 0, "low": 0, "high": 0})
    whole = ["mean", "sd", "first", "low", "high"]
    print(f"{given.deals:,} deals, {given.matches:,} matches a game; {given.policy} at all seats, dealer in rotation")
    print(shown.astype(dict.fromkeys(whole, int)).to_string(index_names=False))
    print(
        "\nturns: from draw to discard, a deal. out: share of deals that end by going out. mean, sd: points of a side"
    )
    print(
        "in a deal. deals: a match. first: points of the side of the seat after the dealer (which plays first, or bids"
    )
    print("first) over those of the others; low to high: its 95 % interval.")


if __name__ == "__main__":
    main()
