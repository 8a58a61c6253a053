"""Are the tips true? Six tips that go with the Finnish federation's Canasta, each followed against not followed.

Both policies are the heuristic; they differ in the parameters by which it follows the tip, and play duplicate deals:
the same cards twice, changing sides. So a tip is tested for players who do all else alike. The heuristic was made for
Sitoumussamba; its Canasta is simple, above all with wild cards.

python examples/six_tips.py [--pairs 4000]
"""

import argparse
import textwrap

import sitoumus as sit

#: Each tip, the parameters that follow it, those that do not, and what that means.
TIPS = [
    (
        "The pile is the greatest prize: keep pairs to take it",
        {},
        {"take_card": 5, "take_wild": 0, "keep_for_pile": 0},
        "hardly ever takes it for its cards, keeps no pairs for it",
    ),
    (
        "Discard safely: each discard is an offer",
        {},
        {"pile_card": 0, "feed_run": 0},
        "does not ask who could use a discard",
    ),
    (
        "Freeze the pile when it is big",
        {"freeze_card": 6},
        {"freeze_card": 0},
        "never freezes it on purpose",
    ),
    (
        "Do not waste wild cards early",
        {},
        {"keep_joker": 0, "keep_deuce": 0},
        "discards a wild card like any other",
    ),
    (
        "Go for the natural canasta where the cards allow",
        {"set_least": 7},
        {"set_least": 3},
        "lays sets from three naturals on, instead of waiting for seven",
    ),
    (
        "Time the going out by the partner's hand",
        {"out_card": 500},
        {"out_card": -500},
        "goes out as soon as it can, instead of asking first where a full hand of partner's could cost the contract",
    ),
]
#: The games, and what the heuristic does otherwise there; a contract is forced where a tip is about contracts.
GAMES = {"Sitoumussamba": (sit.SITOUMUSSAMBA, {}), "Canasta": (sit.FINNISH_CANASTA, {"set_least": 3})}
CONTRACT = "3H"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=4000)
    given = parser.parse_args()

    print(f"Points a deal that following a tip wins over not following it, own minus opponents': {given.pairs} pairs")
    print("of duplicate deals, 95 % intervals. These are 12 tests: one or other interval may miss by chance.\n")
    for i, (tip, follows, ignores, words) in enumerate(TIPS, 1):
        print(f"{i}. {tip}")
        print(textwrap.fill(f"not following it: {words}", 98, initial_indent="   ", subsequent_indent="   "))
        for name, (rules, usual) in GAMES.items():
            contract = CONTRACT if "out_card" in follows and rules.contract else None
            a, b = (sit.HeuristicPolicy(**(usual | own)) for own in (follows, ignores))
            found = sit.compare(a, b, pairs=given.pairs, seed=6, rules=rules, contract=contract, progress=False)
            low, high = found.interval
            verdict = "pays" if low > 0 else "costs" if high < 0 else "no difference" if low == high else "not certain"
            name += f" {contract}" if contract else ""
            print(f"   {name:16} {found.points:+7.0f} ({low:+.0f} to {high:+.0f})  {verdict}")
    print("\nWhat the partner of the player who goes out still holds, when the side goes out:")
    for name, (rules, _) in GAMES.items():
        df = sit.simulate(given.pairs, seed=6, rules=rules, progress=False)
        out = df[df["ended"] == "out"]
        north_south = out["out_seat"].isin(["N", "S"])
        minus = out["hand_minus_ns"].where(north_south, out["hand_minus_ew"])
        print(f"   {name:16} {minus.mean():.0f} points in the mean, nothing in {100 * (minus == 0).mean():.0f} %")


if __name__ == "__main__":
    main()
