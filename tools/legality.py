"""Play deals on the checked build, which stops the program at any step that is not legal.

    make legality          (a quarter of an hour on two cores)
    python tools/legality.py [--deals 1000000] [--rollout 200] [--rules NAME] [--seed 77]

Every step of every policy, `rollout` included, is looked up among the legal actions before it is carried out, also in
the deals that `rollout` plays out in thought.
"""

import argparse
import time
from typing import Any

import sitoumus as sit
from sitoumus import _core
from sitoumus.policies import NAMED


def main() -> None:
    """Print a line for each policy."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--rollout", type=int, default=200)
    parser.add_argument("--rules", default="sitoumussamba")
    parser.add_argument("--seed", type=int, default=77)
    given = parser.parse_args()
    if not _core.CHECKED:
        parser.error("this is not the checked build, which looks up every step: run make legality")
    rules = sit.preset(given.rules)
    each: dict[str, tuple[Any, int]] = {name: (name, given.deals) for name in NAMED}
    each["rollout"] = (sit.RolloutPolicy(worlds=16), given.rollout)
    print(f"{rules.name}, seed {given.seed}, result version {sit.RESULT_VERSION}")
    for name, (policy, deals) in each.items():
        if not deals:
            continue
        began = time.monotonic()
        df = sit.simulate(deals, given.seed, rules, policy, dealer="rotate", progress=False)
        seconds = time.monotonic() - began
        counts = f"{deals:>9,} deals {df['turns'].sum():>11,} turns {df['actions'].sum():>12,} steps"
        print(f"{name:10} {counts}, longest {df['turns'].max()} turns, {seconds:.0f} s", flush=True)
    print("every step was legal")


if __name__ == "__main__":
    main()
