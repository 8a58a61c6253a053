"""Intervals, eliminations, thresholds and weights of the studies against known truth, by simulation.

    python tools/check_statistics.py [--size 0.1] [--only shares,weights]

Each table states what it was promised. The values are drawn from deals that were played: differences of a contract
and passing, points of all calls of a hand. The truth is then the mean over all of them. `--size 1` is what the docs
show; the tests run the same functions at a small size.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import betaln, xlog1py, xlogy
from scipy.stats import binom

import sitoumus as sit
from sitoumus import _core
from sitoumus.advice import PairedRace
from sitoumus.conditions import number_of
from sitoumus.stats import FIRST_LOOK, Sums, looks, mean_interval, proportion_sequence, sequence_half, wilson

sys.path.insert(0, str(Path(__file__).parent))
from check_thresholds import THRESHOLD_CHECKS

HAND = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"


def rng_of(check: str) -> np.random.Generator:
    """Random numbers of one check."""
    return np.random.Generator(np.random.Philox(key=sum(map(ord, check))))


def worth(rows: pd.DataFrame) -> np.ndarray:
    """East and West's points less the others', as whole numbers."""
    return (rows["score_ew"].astype(np.int64) - rows["score_ns"]).to_numpy()


def slack(size: float, runs: int) -> float:
    """What a share of so many runs may be off by chance; nothing at full size."""
    return 0 if size >= 1 else 3 * (0.05 * 0.95 / runs) ** 0.5


def points_above_passing(deals: int) -> np.ndarray:
    """Points of three hearts above passing in so many deals of one hand: the values that means are made of."""
    odds = sit.contract_odds(HAND, ["3H"], deals=deals, seed=11, progress=False)
    return worth(odds.rows("3H")) - worth(odds.rows())


def shares(size: float = 1.0) -> pd.DataFrame:
    """Wilson's intervals of a fixed number of deals: mean coverage over p in [.05, .95]; exactly, and simulated."""
    rng, ps = rng_of("shares"), np.linspace(0.05, 0.95, 91)
    found = []
    for n in (1_000, 2_000, 20_000):
        counts = np.arange(n + 1)
        low, high = wilson(counts, n)
        exact = [binom.pmf(counts[(low <= p) & (p <= high)], n, p).sum() for p in ps]
        drawn = rng.binomial(n, ps[:, None], (len(ps), max(int(2_000 * size), 50)))
        simulated = ((low[drawn] <= ps[:, None]) & (ps[:, None] <= high[drawn])).mean()
        row = {"deals": n, "exact": np.mean(exact), "simulated": simulated, "least": np.min(exact)}
        found.append(row | {"promised": "mean .94 to .96", "kept": 0.94 <= np.mean(exact) <= 0.96})
    return pd.DataFrame(found)


def means(size: float = 1.0) -> pd.DataFrame:
    """Student's intervals of points, of a fixed number of deals."""
    rng, values = rng_of("means"), points_above_passing(int(20_000 * size) + 1_000)
    runs, found = max(int(4_000 * size), 400), []
    for n in (100, 1_000, 10_000):
        covered = 0
        for _ in range(runs):
            low, high = mean_interval(Sums.of(rng.choice(values, n)))
            covered += low <= values.mean() <= high
        found.append({"deals": n, "runs": runs, "covered": covered / runs})
    error = 3 * (0.95 * 0.05 / runs) ** 0.5
    table = pd.DataFrame(found)
    return table.assign(promised=".95", kept=(table["covered"] - 0.95).abs() < 0.01 + error)


def share_sequences(size: float = 1.0) -> pd.DataFrame:
    """Confidence sequences of shares, looked at after every single deal: runs that miss at any look."""
    rng, n, runs, found = rng_of("sequences"), 10_000, max(int(2_000 * size), 200), []
    upto = np.arange(1, n + 1)
    for p in (0.02, 0.1, 0.3, 0.5, 0.9):
        missed = fixed = 0
        for _ in range(runs):
            counts = np.cumsum(rng.random(n) < p)
            # p lies outside of `proportion_sequence` just where its evidence reaches the bound; the ends are searched
            # for this, which takes long, and tried at some looks
            evidence = betaln(counts + 1, upto - counts + 1) - xlogy(counts, p) - xlog1py(upto - counts, -p)
            out = evidence >= -np.log(0.05)
            some = rng.integers(0, n, 5)
            low, high = proportion_sequence(counts[some], upto[some])
            assert ((p < low) | (high < p)).tolist() == out[some].tolist()
            missed += out.any()
            low, high = wilson(counts[999:], upto[999:])
            fixed += ((p < low) | (high < p)).any()
        found.append({"p": p, "runs": runs, "missed": missed / runs, "fixed intervals miss": fixed / runs})
    table = pd.DataFrame(found)
    return table.assign(promised="missed <= .05", kept=table["missed"] <= 0.05 + slack(size, runs))


def mean_sequences(size: float = 1.0) -> pd.DataFrame:
    """Confidence sequences of points, looked at after every deal from the hundredth on: runs that miss at any look."""
    rng, values = rng_of("means of sequences"), points_above_passing(int(20_000 * size) + 1_000)
    n, runs = 10_000, max(int(4_000 * size), 200)
    upto = np.arange(FIRST_LOOK, n + 1)
    missed = 0
    for _ in range(runs):
        drawn = rng.choice(values, n)
        total, squares = (np.cumsum(x)[FIRST_LOOK - 1 :].astype(float) for x in (drawn, drawn * drawn))
        mean = total / upto
        sd = np.sqrt(np.maximum(squares - total * mean, 0) / (upto - 1))
        missed += (np.abs(mean - values.mean()) > sequence_half(upto, sd)).any()
    found = {"deals": n, "runs": runs, "missed": missed / runs}
    return pd.DataFrame([found | {"promised": "missed <= .05", "kept": missed / runs <= 0.05 + slack(size, runs)}])


def drawn_values(drawn: np.ndarray, live: Sequence[int], start: int, stop: int) -> list[np.ndarray]:
    """Values of the candidates left on more worlds."""
    return [drawn[arm, start:stop] for arm in live]


def elimination(size: float = 1.0) -> pd.DataFrame:
    """Paired elimination of `best_bid`: how often the best call is among those not excluded."""
    rng, calls = rng_of("elimination"), ["pass", "1C", "2C", "2H", "3H", "4H", "5H"]
    contracts = [call for call in calls if call != "pass"]
    odds = sit.contract_odds(HAND, contracts, deals=int(19_000 * size) + 1_000, seed=12, progress=False)
    values = np.stack([worth(odds.rows(None if call == "pass" else call)) for call in calls])
    close = np.stack([values[4], values[4] + rng.integers(-500, 490, values.shape[1]), values[3], values[3] - 5])
    runs, found = max(int(1_000 * size), 100), []
    for name, arms in (("calls of a hand", values), ("calls that are close", close)):
        truth = arms.mean(axis=1)
        for eps in (0, 25):
            kept = chosen = regret = plays = 0
            for _ in range(runs):
                drawn = arms[:, rng.integers(0, arms.shape[1], 5_000)]
                race = PairedRace(len(arms), eps)
                race.run(partial(drawn_values, drawn), looks(5_000))
                kept += int(truth.argmax()) in race.live
                chosen += truth[race.best] >= truth.max() - max(eps, 25)
                regret += truth.max() - truth[race.best]
                plays += sum(map(len, race.values))
            row = {"arms": name, "eps": eps, "runs": runs, "best kept": kept / runs, "within 25": chosen / runs}
            row |= {"regret": regret / runs, "plays": plays / runs}
            found.append(row | {"promised": "best kept >= .95", "kept": kept / runs >= 0.95 - slack(size, runs)})
    return pd.DataFrame(found)


def weights(size: float = 1.0) -> pd.DataFrame:
    """Odds after calls so far: worlds kept with a floor, against all deals weighed by brute force.

    By brute force the policies of the seats call in every deal of other numbers, and each call that they would not have
    made makes the deal as much less likely as the floor, shared by all calls that could be made, says.
    """
    deals, found = max(int(40_000 * size), 3_000), []
    for calls, seat in ((("1C",), "S"), (("pass", "2H"), "W"), (("2S", "pass", "3D"), "N")):
        for floor in (0.2, 0.8):
            odds = sit.contract_odds(
                HAND, ["4H"], seat=seat, auction=calls, deals=deals // 10, seed=13, floor=floor, progress=False
            )
            brute, marks = brute_force(seat, calls, floor, deals)
            for name, values in marks.items():
                mean = (brute * values).sum() / brute.sum()
                own = kept_mean(odds, seat, name)
                # both have sampling errors: of the kept worlds, and of the weighed ones by their residuals
                error = (brute**2 * (values - mean) ** 2).sum() ** 0.5 / brute.sum()
                both = (error**2 + own[1] ** 2) ** 0.5
                row = {"calls": " ".join(calls), "floor": floor, "what": name, "kept": own[0], "brute": mean}
                row |= {"z": (own[0] - mean) / both, "ess": brute.sum() ** 2 / (brute**2).sum(), "n": odds.deals}
                found.append(row | {"promised": "|z| < 3.5", "ok": abs(own[0] - mean) < 3.5 * both})
    return pd.DataFrame(found).rename(columns={"kept": "worlds kept", "ok": "kept"})


def brute_force(seat: str, calls: Sequence[str], floor: float, deals: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The weight of each of so many deals, and what is asked about it."""
    hands = sit.simulate(deals, seed=14, hands={seat: HAND}, features=True, progress=False)
    partner = {"N": "s", "S": "n", "E": "w", "W": "e"}[seat]
    weight = np.ones(deals)
    for i, call in enumerate(calls):
        who = "ESWN"[i]
        if who == seat:
            continue
        made = call_of_each(who, calls[:i], {seat: HAND}, deals)
        agrees = np.array([same_call(call, each) for each in made])
        choices = len(sit.Table(sit.Deal()).after(*calls[:i]).legal_actions)
        weight[~agrees] *= (floor / choices) / (1 - floor + floor / choices)
    return weight, {
        "partner's jokers": hands[f"jokers_{partner}"].to_numpy(float),
        "partner's longest run": hands[f"longest_run_{partner}"].to_numpy(float),
    }


def call_of_each(who: str, before: Sequence[str], known: dict[str, str], deals: int) -> list[str]:
    """What the heuristic at a seat calls after some calls, deal by deal."""
    policy = sit.HeuristicPolicy()
    playing = [(policy.kind, policy.weights, 0) if seat == who else None for seat in "NESW"]
    made = []
    for number in range(deals):
        table = sit.Table(sit.Deal(seed=14, number=number, hands=known)).after(*before)
        _core.Players(table.rules, playing, 14).play(table)
        made.append(table.calls[len(before)])
    return made


def same_call(a: str, b: str) -> bool:
    """At levels 1 to 3 the strain of a bid says nothing (R14.2)."""
    return a == b or (a[0] == b[0] and a[0] in "123" and a[1].isalpha() and b[1].isalpha())


def kept_mean(odds: sit.ContractOdds, seat: str, name: str) -> tuple[float, float]:
    """Mean, and its standard error, of a feature of partner's hand over the worlds kept."""
    feature = {"partner's jokers": "partner.jokers", "partner's longest run": "partner.longest_run"}[name]
    values = odds._numbers(number_of(feature, seat))
    return float(values.mean()), float(values.std(ddof=1) / len(values) ** 0.5)


CHECKS: dict[str, Callable[[float], pd.DataFrame]] = {
    "shares": shares,
    "means": means,
    "share-sequences": share_sequences,
    "mean-sequences": mean_sequences,
    "elimination": elimination,
    **THRESHOLD_CHECKS,
    "weights": weights,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=float, default=0.1)
    parser.add_argument("--only", default=",".join(CHECKS))
    given = parser.parse_args()
    for name in given.only.split(","):
        start = time.perf_counter()
        table = CHECKS[name](given.size)
        print(str(CHECKS[name].__doc__).split("\n")[0])
        print(table.to_string(index=False, float_format=lambda value: f"{value:.3f}"))
        print(flush=True)
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
