"""From which hand on a bid pays: against passing, or another bid, on the same deals, by a feature of the hand.

Many random hands, few deals each. What a bid brings more than passing is taken to rise, or to fall, with the feature:
see `sitoumus.isotonic`. Thresholds are found on one half of the hands, and what they bring is told by the other half.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _core, checks
from .bidding_table import BiddingTable, bidding_table
from .conditions import prepare
from .errors import StudyError, StudyInterrupted
from .hand_differences import Pairs, check_feature, check_numbers, differences
from .isotonic import GROUPS, Fit, fit_threshold, groups_of
from .logistic import Logistic
from .odds import condition_of, known_lines, known_values
from .policies import DEFAULT, by_seat, specs
from .position import layout_of
from .rules import SITOUMUSSAMBA, RuleSet, as_rules
from .run import Run
from .schedule import progress_bar, thread_count
from .study import Study, asks, plain, records, text_table
from .threshold_parts import Part, frames_of
from .version import RESULT_VERSION, __version__
from .worlds import FLOOR

__all__ = [
    "GROUPS",
    "BiddingTable",
    "Fit",
    "Logistic",
    "Part",
    "Thresholds",
    "bidding_table",
    "fit_threshold",
    "groups_of",
    "thresholds",
]


class Thresholds(Study):
    """From which value of a feature on a bid pays.

    Attributes
    ----------
    frame : DataFrame
        One row for each group of values: ``contract, feature, value`` (the lowest of the group), ``hands, points``
        (bid less pass, on the half that reports) with ``points_low`` and ``points_high`` (missing where too few of
        these hands bring something other than zero), ``fit, fit_low, fit_high`` (the curve and its simultaneous band,
        on the half that selects; infinite where nothing bounds it), ``last`` (the highest value of the group),
        ``better`` (the logistic curve: share of the deals that differ in which the bid brings more).
    summary : DataFrame
        One row for each contract and feature: ``threshold`` (the first value at which the bid pays, or the last where
        the curve falls) with ``low, high`` and, in words, ``verdict``; ``monotone`` (False if the hands contradict a
        curve that rises, or falls); ``direction_known`` (False if they leave open which of the two it does); ``even``
        (where the logistic curve is one half); ``gain`` (bid less pass for the hands at which it pays, on the half that
        reports) with its interval, ``share`` of the hands at which it pays, and ``p``, ``p_holm``: of the hypothesis
        that this gain is not above 0. Interval and p are missing where too few of these hands bring something other
        than zero.
    threshold : number or None
        Of the only contract and feature asked.
    interval : tuple or None
        Thresholds that are not excluded at 95 %; an end is None where the range of values ends first.
    """

    def __init__(self, parts: Sequence[Part], run: Run, asked: dict[str, Any], shown: Sequence[str]):
        self.parts = tuple(parts)
        self._run = run
        self._asked = asked
        self._shown = list(shown)
        self.frame, self.summary = frames_of(parts)
        self.provenance = run.provenance(0, asked["hands"]) | asked
        self.frame.attrs = self.summary.attrs = self.provenance

    @property
    def threshold(self) -> Any:
        """The threshold."""
        return self._only.fit.threshold

    @property
    def interval(self) -> tuple[Any, Any] | None:
        """The thresholds that are not excluded."""
        return self._only.fit.interval

    @property
    def _only(self) -> Part:
        if len(self.parts) > 1:
            raise StudyError(f"these are {len(self.parts)} thresholds: see summary")
        return self.parts[0]

    def heading(self) -> list[str]:
        """What was asked."""
        return self._shown

    def table(self) -> str:
        """The thresholds, and the curve if there is only one, for the terminal."""
        head = ["contract", "feature", "threshold", "not excluded", "even", "pays for", "gain there", "p (Holm)"]
        rows = []
        for row, part in zip(records(self.summary), self.parts, strict=True):
            rows.append(
                [
                    part.contract,
                    part.feature,
                    part.text,
                    _ends(part.fit),
                    f"{row['even']:.1f}" if part.values.min() <= row["even"] <= part.values.max() else "-",
                    f"{100 * row['share']:.1f}%",
                    _plus_minus(row, "gain"),
                    "-" if row["p_holm"] != row["p_holm"] else f"{row['p_holm']:.3f}",
                ]
            )
        lines = text_table(head, rows, spare=("even",))
        if len(self.parts) > 1:
            return lines
        head = [self.parts[0].feature, "hands", "points", "fit", "band", "better"]
        rows = [
            [
                _group(row, i == len(self.frame) - 1),
                f"{row['hands']:,}",
                _plus_minus(row, "points"),
                f"{row['fit']:.0f}",
                " .. ".join(f"{end:.0f}" if np.isfinite(end) else "?" for end in (row["fit_low"], row["fit_high"])),
                f"{100 * row['better']:.0f}%",
            ]
            for i, row in enumerate(records(self.frame))
        ]
        fit = self.parts[0].fit
        words = [self.parts[0].verdict]
        if not fit.direction_known:
            words.append("these hands do not tell whether it rises or falls: the band holds the curves of both")
        if not fit.monotone:
            bends = "rises" if fit.rising else "falls"
            words.append(f"these hands contradict every curve that {bends}: this is the nearest one")
        return "\n".join([lines, *words, "", text_table(head, rows)])

    def plot(self, ax: Any = None, path: Any = None) -> Any:
        """As for all studies; a list of axes where there are several features."""
        return super().plot(ax, path)

    def _draw(self, ax: Any) -> Any:
        """The curve with its band, the means and the threshold; the axes, one for each feature."""
        from .plots import plot_thresholds

        return plot_thresholds(self, ax)

    def to_dict(self) -> dict[str, Any]:
        """Plain values: what was asked, the summary, and the rows of the frame."""
        return {
            **self._asked,
            "version": __version__,
            "result_version": RESULT_VERSION,
            "summary": records(self.summary, plain),
            "rows": records(self.frame, plain),
        }


def _group(row: Mapping[str, Any], final: bool) -> str:
    """A group of values, as text; the final one holds what lies above, too."""
    if final:
        return f"{row['value']:g}+"
    return f"{row['value']:g}" if row["last"] == row["value"] else f"{row['value']:g} to {row['last']:g}"


def _plus_minus(row: Mapping[str, Any], name: str) -> str:
    """A mean with half its interval, which is missing where too few of the differences have been seen."""
    if row[name] != row[name]:
        return "-"
    half = (row[f"{name}_high"] - row[f"{name}_low"]) / 2
    return f"{row[name]:.0f}" + (f"±{half:.0f}" if np.isfinite(half) else "±?")


def _ends(fit: Fit) -> str:
    """The thresholds that are not excluded, as text."""
    if fit.interval is None:
        return "-"
    low, high = fit.interval
    return f"{'..' if low is None else f'{low:g}'} to {'..' if high is None else f'{high:g}'}"


@asks
def thresholds(
    contract: Sequence[str] | str,
    feature: Sequence[str] | str = "run_h",
    hands: int = 20_000,
    repeats: int = 1,
    seat: str = "E",
    dealer: str = "N",
    totals: Sequence[int] | None = None,
    rising: bool | None = None,
    seed: int = 0,
    policies: Any = DEFAULT,
    rules: RuleSet | str = SITOUMUSSAMBA,
    draws: int = 1000,
    policy_seed: int | None = None,
    where: Any = None,
    against: str = "pass",
    contested: bool = False,
    auction: Sequence[str] = (),
    floor: float | None = FLOOR,
    threads: int | None = None,
    progress: bool = True,
) -> Thresholds:
    """From which value of a feature on a bid brings more than passing.

    Parameters
    ----------
    contract : str or sequence of str
        Contracts such as ``"3H"``, forced as for `contract_odds`; the seat declares.
    feature : str or sequence of str
        Features of the hand (`Hand.features`); every contract is asked by every feature.
    hands : int
        Random hands of the seat.
    repeats : int
        Deals of each hand.
    seat, dealer, totals, policies, rules, policy_seed
        As for `contract_odds`; passing means the same there.
    rising : bool, optional
        Whether the bid is worth more the higher the feature is; told by the deals if left out. Where they leave it
        open, the band holds the curves of both directions.
    seed : int
        Hand i is that of deal i, or of the i-th deal that fits the calls so far.
    draws : int
        Draws by which the width of the bands is found.
    where : condition, optional
        Only deals of which it holds, as for `contract_odds`; with one deal of each hand.
    against : str
        What each contract is compared with, on the same deals: ``"pass"``, a contract such as ``"3H"``, or ``"below"``,
        the same strain one level lower.
    contested : bool
        Ask of bids, not of contracts: the seat bids or passes, and the auction goes on by the policies, as for
        `best_bid`. Otherwise the contract is forced, and a seat that passes does so to the end.
    auction : sequence of str
        Calls so far, from the dealer's left; passes up to the turn of the seat are added. They weigh the deals, hand of
        the seat included, as for `best_bid`.
    floor : float or None
        As for `best_bid`.
    threads : int, optional
        All cores if left out.
    progress : bool
        Show a bar on standard error.

    Returns
    -------
    Thresholds

    Raises
    ------
    StudyError
        If there is no such feature, contract or seat.
    StudyInterrupted
        On ctrl-C; its `result` holds what the hands played so far say.

    Examples
    --------
    >>> found = thresholds("2H", "best_opening_declarer", hands=400, progress=False)
    >>> list(found.frame.columns[:5])
    ['contract', 'feature', 'value', 'hands', 'points']
    """
    rules = as_rules(rules)
    contracts = list(checks.one_or_more("contract", contract))
    features = list(checks.one_or_more("feature", feature))
    check_numbers(hands=hands, draws=draws, repeats=repeats)
    if where is not None and repeats > 1:
        raise StudyError(f"repeats is {repeats} with a condition: conditions hold of deals, so ask one of each hand")
    if not contracts or not features:
        raise StudyError("ask for at least one contract, such as '3H', and one feature, such as 'run_h'")
    for name in features:
        check_feature(name)
    layout = layout_of(rules)
    checks.choice("seat", seat, layout.seats)
    if rising is not None:
        checks.an("rising", rising, (bool, np.bool_), "True, False or None")
    seed = checks.whole("seed", seed, 0, _core.MOST_SEED)
    given: dict[str, Any] = {
        "rules": rules,
        "seed": seed,
        "policies": by_seat(policies, rules),
        "dealer": dealer,
        "totals": totals,
        "policy_seed": policy_seed,
        "where": None if where is None else prepare(where, None, rules, seat).condition,
    }
    asked_pairs = Pairs.of(given, contracts, seat, against, contested, auction, floor, threads)
    runs = asked_pairs.runs
    with progress_bar(hands * repeats * len(runs), "deals", progress) as bar:
        values, points, complete = differences(asked_pairs, seat, hands, repeats, thread_count(threads), bar.update)
    hands = len(values)
    shown = [each.replace(f" by {seat}", "") for each in contracts]
    parts = [
        Part.of(name, each, values[each], points[i], rising, seed, draws)
        for i, name in enumerate(shown)
        for each in features
    ]
    asked = {
        "contract": shown,
        "feature": features,
        "hands": hands,
        "repeats": repeats,
        "seat": seat,
        "dealer": dealer,
        "against": against,
        "contested": contested,
        **asked_pairs.heard,
        "totals": list(runs[-1].totals),
        **known_values(runs[-1], seat, condition_of(runs[-1], hands)),
        "seed": runs[-1].seed,
        "policies": specs(runs[-1].policies),
        "rules_hash": rules.hash,
    }
    found = Thresholds(parts, runs[-1], asked, _heading(runs[-1], seat, hands, repeats, asked_pairs))
    if not complete:
        raise StudyInterrupted(found)
    return found


def _heading(run: Run, seat: str, hands: int, repeats: int, asked: Pairs) -> list[str]:
    totals = ", ".join(f"{side} {n}" for side, n in zip(layout_of(run.rules).sides, run.totals, strict=True))
    players = specs(run.policies)
    who = f"{players[0]} at all seats" if len(players) == 1 else " ".join(map(str, players))
    deals = "a deal" if repeats == 1 else f"{repeats} deals"
    return [
        f"{asked.words} on the same deals, at {seat}, dealer {run.dealer}, totals {totals}",
        f"{hands:,} random hands, {deals} each, seed {run.seed}; policies: {who}",
        *asked.lines,
        *known_lines(run, seat, condition_of(run, hands)),
        "found on one half of the hands; hands, points and gain are those of the other half",
    ]
