"""What happens in deals between equal policies, as Markdown: contracts, results, melds, turns, ends, speeds.

    python tools/distribution.py [tuned] [--deals 100000] [--seed 1]

docs/tutorials/strength.md shows what it prints for `tuned`.
"""

import argparse
import time
from typing import Any

import pandas as pd

import sitoumus as sit
from sitoumus.policies import NAMED

MELDS = ("sequences", "natural", "mixed", "ace_natural", "ace_mixed", "deuce_natural", "deuce_mixed")


def table(frame: pd.DataFrame) -> str:
    """A frame as Markdown."""
    lines = [[str(frame.index.name or ""), *map(str, frame.columns)], ["---"] * (1 + len(frame.columns))]
    lines += [[str(index), *map(str, row)] for index, row in zip(frame.index, frame.to_numpy(), strict=True)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def percent(values: pd.Series) -> pd.Series:
    """Shares in percent."""
    return (100 * values).round(2)


def contracts(frame: pd.DataFrame) -> str:
    """Contracts by level, and what became of them."""
    bid = frame[frame["level"] > 0]
    by_level = bid.groupby("level")
    found = pd.DataFrame(
        {"% of deals": percent(by_level.size() / len(frame)), "doubled": percent(by_level["doubled"].mean())}
    )
    for result in ("made", "failed", "void"):
        found[result] = percent((bid["result"] == result).groupby(bid["level"]).mean())
    return table(found)


def shares(frame: pd.DataFrame) -> str:
    """Shares of all deals."""
    found = {"passed out": frame["level"] == 0, "first declarer could not open": frame["failed_bids"] > 0}
    found["doubled"] = frame["doubled"]
    found |= {result: frame["result"] == result for result in ("made", "failed", "void")}
    found |= {"ended by going out": frame["ended"] == "out", "ended with the stock": frame["ended"] == "stock"}
    for strain in frame["strain"].cat.categories.drop("none", errors="ignore"):
        found[f"strain {strain}"] = frame["strain"] == strain
    return table(
        pd.DataFrame({"%": [round(100 * float(each.mean()), 2) for each in found.values()]}, index=list(found))
    )


def means(frame: pd.DataFrame) -> str:
    """Complete melds of a side by kind, and other counts of a deal."""
    found: dict[str, Any] = {
        f"complete melds of a side: {name}": (frame[f"{name}_ns"] + frame[f"{name}_ew"]).mean() / 2 for name in MELDS
    }
    found["takes of the pile"] = (frame["takes_ns"] + frame["takes_ew"]).mean()
    found |= {name: frame[name].mean() for name in ("calls", "turns", "actions")}
    for quantile in (0.05, 0.5, 0.95):
        found[f"turns, {quantile:.0%} quantile"] = frame["turns"].quantile(quantile)
    return table(pd.DataFrame({"mean": [round(float(each), 3) for each in found.values()]}, index=list(found)))


def speeds(deals: int, seed: int) -> str:
    """Decisions (single steps) a second of processor time."""
    found = {}
    each: dict[str, tuple[Any, int]] = {name: (name, deals) for name in NAMED}
    each["rollout, 64 worlds, base tuned"] = (sit.RolloutPolicy(worlds=64, base="tuned"), max(deals // 1000, 1))
    for name, (policy, n) in each.items():
        sit.simulate(min(n, 200), policies=policy, threads=1, progress=False)
        began = time.process_time()
        actions = sit.simulate(n, seed=seed, policies=policy, threads=1, progress=False)["actions"].sum()
        found[name] = f"{actions / (time.process_time() - began):,.0f}"
    return table(pd.DataFrame({"decisions a second": found}))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policy", nargs="?", default="tuned")
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    frame = sit.simulate(given.deals, seed=given.seed, policies=given.policy, dealer="rotate", progress=False)
    print(contracts(frame), shares(frame), means(frame), speeds(min(given.deals, 10_000), given.seed), sep="\n\n")


if __name__ == "__main__":
    main()
