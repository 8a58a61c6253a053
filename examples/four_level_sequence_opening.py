"""When does a four-level bid with a sequence opening pay? By the longest run in hearts, at a low and a high minimum.

From level 4 on a declarer may open with three cards in a row of the suit he bid, whatever the minimum (R14.4).

python examples/four_level_sequence_opening.py [--hands 4000] [--plot curve.png]
"""

import argparse

import sitoumus as sit


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=4000)
    parser.add_argument("--plot", metavar="FILE")
    given = parser.parse_args()
    for total, minimum in ((0, 50), (10_000, 200)):
        print(f"Opening minimum {minimum}\n")
        for against in ("3H", "pass"):
            found = sit.thresholds(
                "4H",
                "run_h",
                against=against,
                hands=given.hands,
                totals=(total, total),
                rising=True,
                seed=3,
                progress=False,
            )
            print(f"{found}\n")
            if given.plot and minimum == 200 and against == "3H":
                found.plot().figure.savefig(given.plot)


if __name__ == "__main__":
    main()
