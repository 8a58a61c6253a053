"""Find the figures by which `steady` estimates the chance to make a contract, and show how well they hold.

    python tools/fit_steady.py [--base tuned] [--deals 60000] [--rounds 3] [--seed 1] [--write]

In every round, players with different floors play among themselves; of each contract that was not doubled, what the
declarer knew when he bid it (his hand, the others' bids) and whether it was made are noted, and a logistic regression
gives the next figures. After the last round the levels alone are moved until the share made at the floor of `steady`
is what he expected. `--write` writes the parameters into the package.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import minimize

import sitoumus as sit
from sitoumus.notation import bid_number
from sitoumus.policies import HeuristicPolicy, policy

#: Floors of the players whose contracts are fitted, in percent: below that of `steady`, so that high levels occur too.
FLOORS = (15, 30, 45, 60, 70)
#: Parameters of hand and auction: the level's are `made_1` to `made_8`.
LEVELS = [f"made_{level}" for level in range(1, 9)]
MORE = [
    "made_run_card", "made_longest", "made_card_points", "made_joker", "made_ace", "made_triple",
    "made_partner", "made_partner_level", "made_against", "made_against_level",
]  # fmt: skip
#: Levels that these players hardly ever bid have the figures of forced contracts.
FORCED = {"made_1": 3000, "made_2": 1250}
#: How often the levels are moved.
MOVES = 4
FILE = Path(sit.__file__).parent / "data" / "steady.json"


def contracts(policies: Any, deals: range, seed: int) -> pd.DataFrame:
    """What the declarers of contracts that were not doubled knew when they bid them, and whether they made them."""
    found = []
    for number in deals:
        table = sit.play(sit.Deal(seed=seed, number=number), policies=policies).table
        if table.declarer is None or table.contract.endswith("doubled") or any(table.penalties.values()):
            continue
        bid, _, seat = table.contract.partition(" by ")
        hand, mine, theirs = sit.Deal(seed=seed, number=number).hands[seat].features(), 0, 0
        course = table.calls[: table.calls.index(bid)]
        caller = "ESWN"                                   # N deals
        for at, call in enumerate(course):
            if call not in ("pass", "double") and caller[at % 4] != seat:
                level = bid_number(call) // 6 + 1
                mine, theirs = (level, theirs) if (at - len(course)) % 2 == 0 else (mine, level)
        found.append(
            {
                "level": bid_number(bid) // 6 + 1,
                "made": table.score().result == "made",
                "made_run_card": hand["run_cards"],
                "made_longest": hand["longest_run"],
                "made_card_points": hand["card_points"] / 10,
                "made_joker": hand["jokers"],
                "made_ace": hand["aces"],
                "made_triple": hand["triples"],
                "made_partner": mine > 0,
                "made_partner_level": mine,
                "made_against": theirs > 0,
                "made_against_level": theirs,
            }
        )
    return pd.DataFrame(found)


def fitted(seen: pd.DataFrame, before: HeuristicPolicy, weight: float = 20.0) -> dict[str, int]:
    """Parameters by a logistic regression; what was rarely seen stays near what it was before."""
    columns = np.column_stack([seen.level == level for level in range(1, 9)] + [seen[name] for name in MORE])
    columns, made = columns.astype(float), seen.made.to_numpy(float)
    start = np.array([before.params[name] for name in LEVELS + MORE]) / 1000

    def loss(x: np.ndarray) -> tuple[float, np.ndarray]:
        logits = columns @ x
        chance = 1 / (1 + np.exp(-logits))
        off = x - start
        return (
            float(np.sum(np.logaddexp(0, logits) - made * logits) + weight * off @ off / 2),
            columns.T @ (chance - made) + weight * off,
        )

    found = minimize(loss, start, jac=True, method="L-BFGS-B").x
    return {name: round(1000 * value) for name, value in zip(LEVELS + MORE, found, strict=True)}


def expected(seen: pd.DataFrame, player: HeuristicPolicy) -> np.ndarray:
    """The chances that the player's figures give these contracts."""
    of = player.params
    logits = seen.level.map({level: of[f"made_{level}"] for level in range(1, 9)}) + sum(
        of[name] * seen[name].astype(float) for name in MORE
    )
    return 1 / (1 + np.exp(-np.asarray(logits, float) / 1000))


def table_of(seen: pd.DataFrame, player: HeuristicPolicy) -> pd.DataFrame:
    """By level: contracts, the share that was made, and what the player expected."""
    with_expected = seen.assign(expected=expected(seen, player))
    columns = {"contracts": ("made", "size"), "made": ("made", "mean"), "expected": ("expected", "mean")}
    return with_expected.groupby("level").agg(**columns)


def main() -> None:
    """Fit, show, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", default="tuned")
    parser.add_argument("--deals", type=int, default=60_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--floor", type=int, default=60)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    player = policy(given.base).replace(bid_floor=given.floor, bid_stop=8, double_level=8, **FORCED)
    for turn in range(given.rounds):
        each = given.deals // len(FLOORS) ** 2
        seen = pd.concat(
            contracts(
                (player.replace(bid_floor=first), player.replace(bid_floor=second)),
                range(each * at, each * (at + 1)),
                given.seed + turn,
            )
            for at, (first, second) in enumerate((a, b) for a in FLOORS for b in FLOORS)
        )
        player = player.replace(**fitted(seen, player))
        print(f"round {turn + 1}\n{table_of(seen, player).round(3)}", flush=True)
    for turn in range(MOVES):
        seen = contracts(player, range(given.deals // 2), given.seed + given.rounds + turn)
        off = seen.assign(expected=expected(seen, player)).groupby("level").filter(lambda rows: len(rows) >= 100)
        moved = {}
        for level, rows in off.groupby("level"):
            share = np.clip(rows.made.mean(), 0.01, 0.99)
            mean = np.clip(rows.expected.mean(), 0.01, 0.99)
            moved[f"made_{level}"] = player.params[f"made_{level}"] + round(
                1000 * float(np.log(share / (1 - share)) - np.log(mean / (1 - mean)))
            )
        player = player.replace(**moved)
        print(f"at the floor of {given.floor}\n{table_of(seen, player).round(3)}", flush=True)
    seen = contracts(player, range(given.deals), given.seed + 1000)
    print(f"fresh deals\n{table_of(seen, player).round(3)}")
    print(json.dumps({name: player.params[name] for name in LEVELS + MORE}))
    if given.write:
        own = ["bid_floor", "bid_stop", "double_level", *LEVELS, *MORE]
        FILE.write_text(json.dumps({name: player.params[name] for name in own}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
