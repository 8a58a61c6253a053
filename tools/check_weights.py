"""Deals weighed by the calls heard, against all deals by Bayes' rule: part of tools/check_statistics.py."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from scipy.stats import norm

import sitoumus as sit
from sitoumus import _core
from sitoumus.conditions import number_of
from sitoumus.run import Run
from sitoumus.stats import Sums, mean_interval, wilson
from sitoumus.worlds import WHOLE, AuctionWorlds, Heard

HAND = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"


def weights(size: float = 1.0) -> pd.DataFrame:
    """Odds after calls so far: worlds kept with a floor, against all deals weighed by brute force.

    By brute force the policies of the seats call in every deal of other numbers, and each call that they would not have
    made makes the deal as much less likely as the floor, shared by all calls that could be made, says: to one of those
    that say the same of the hand belongs its part of it.
    """
    deals, found = max(int(40_000 * size), 3_000), []
    for calls, seat in ((("1C",), "S"), (("pass", "2H"), "W"), (("2S", "pass", "3D"), "N")):
        for floor in (0.2, 0.8):
            odds = sit.contract_odds(
                HAND, ["4H"], seat=seat, auction=calls, policies="heuristic", deals=deals // 10, seed=13, floor=floor,
                progress=False,
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
        legal = sit.Table(sit.Deal()).after(*calls[:i]).legal_actions
        odd = floor * sum(same_call(call, each) for each in legal) / len(legal)
        weight[~agrees] *= odd / (1 - floor + odd)
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


#: Calls named, the seat that hears them, the floor, and who plays: a pass that no study names, a cell of a panel by the
#: calls of its own policies, rare calls, and a floor that counts.
CASES = {
    "no call": ((), "S", 0.02, "heuristic"),
    "a bid": (("1C",), "S", 0.02, "heuristic"),
    "of greedy": (("1C",), "S", 0.02, "greedy"),
    "two calls": (("pass", "2H"), "W", 0.02, "heuristic"),
    "loose": (("pass", "pass", "4H"), "N", 0.9, "heuristic"),
}


def weighed_intervals(size: float = 1.0, names: Sequence[str] = tuple(CASES)) -> pd.DataFrame:
    """Intervals of studies of deals that fit calls heard: how often they hold the mean of all deals, weighed.

    A study is so many deals kept, one after the other; shares have Wilson's intervals and means Student's. The truth is
    the weighed mean of all deals of another seed. Its own error is added to that of a study in what is promised.
    """
    runs, n, every, found = max(int(2_000 * size), 100), 100, max(int(1_000_000 * size), 50_000), []
    for calls, seat, floor, players in map(CASES.__getitem__, names):
        heard = Heard.before(seat, "N", sit.SITOUMUSSAMBA, calls)
        run = Run.of(seed=21, hands={seat: HAND}, auction=heard.calls, policies=players)
        kept = AuctionWorlds(run, seat, floor, heard=heard).numbers(runs * n)
        values = caller_values(run, heard, run.dealt(0, len(kept), kept))
        other = Run.of(seed=22, hands={seat: HAND}, auction=heard.calls, policies=players)
        weight, apart = np.empty(every, np.uint64), np.empty(every, np.int16)
        _core.auction_fits(other.config, "ESWN"[: len(heard.calls)], floor, 0, every, weight, apart)
        share = weight / WHOLE
        those = np.flatnonzero(share > 1e-12)
        truth = caller_values(other, heard, other.dealt(0, every)[those])
        share = share[those] / share[those].sum()
        mean = (share * truth).sum()
        over = share[truth >= 90].sum()
        studies = values[: len(values) // n * n].reshape(-1, n)
        low, high = np.array([mean_interval(Sums.of(each)) for each in studies]).T
        least, most = wilson((studies >= 90).sum(axis=1), n)
        # how much wider the error of the truth makes the differences that intervals are to hold
        wider = (1 + n * (share**2).sum()) ** 0.5
        promised = 2 * norm.cdf(1.96 / wider) - 1
        means, shares = ((low <= mean) & (mean <= high)).mean(), ((least <= over) & (over <= most)).mean()
        row = {"calls": " ".join(calls) or "none", "seat": seat, "floor": floor, "policies": players}
        row |= {"studies": len(studies), "mean covered": means, "share covered": shares}
        room = 0.01 + 3 * (0.05 * 0.95 / len(studies)) ** 0.5
        found.append(row | {"promised": f"near {promised:.3f}", "kept": min(means, shares) > promised - room})
    return pd.DataFrame(found)


def caller_values(run: Run, heard: Heard, dealt: np.ndarray) -> np.ndarray:
    """Best opening of the seat that called last, by deal."""
    hands = np.ascontiguousarray(dealt[:, "NESW".index("ESWN"[len(heard.calls) - 1])])
    return _core.features(hands, run.rules)["best_opening"].astype(np.int64)


WEIGHT_CHECKS: dict[str, Callable[[float], pd.DataFrame]] = {"weights": weights, "weighed-intervals": weighed_intervals}
