"""Contract odds: how often contracts are made with a hand, and what they are worth against passing.

All contracts, and passing, are played on the same deals: same cards, same random numbers of the policies. So the
differences between them are far sharper than the numbers themselves.

Three things leave odds open: the number of deals, who plays, and how open rules are read. Each is told apart, as a
sampling interval, a range over policies and a range over readings; they are never pooled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, checks
from .conditions import Number, number_of, prepare
from .errors import InvalidActionError, StudyError, StudyInterrupted
from .notation import contract_text, parse_contract
from .policies import DEFAULT, by_seat, specs
from .position import layout_of
from .rescore import READINGS, rescore
from .rules import SITOUMUSSAMBA, RuleSet, as_rules
from .run import Run, names_of, play_runs
from .schedule import progress_bar, thread_count
from .stats import (
    LEVEL,
    REACH,
    Sums,
    against_best,
    looks,
    mean_interval,
    mean_sequence,
    proportion_sequence,
    quantile_ranks,
    wilson,
    with_interval,
)
from .study import WIDTH, Study, asks, interval_of, plain, records, text_table
from .version import RESULT_VERSION, __version__
from .worlds import FLOOR, AuctionWorlds, Heard

if TYPE_CHECKING:
    import pandas as pd

    from .ladder import Panel

__all__ = ["OPEN_READINGS", "ContractOdds", "asked_contract", "contract_odds", "held", "known_cards", "points_of"]

#: Result columns by which odds go, besides the scores of the sides.
_NEEDED = ("deal", "declarer", "level", "strain", "doubled", "result", "turns")
#: What `rescore` asks for besides them; columns of the sides by their beginnings.
_SETTLED = ("ended", "out_seat", "stock_left")
_SETTLED_SIDES = ("bonus", "card_points", "hand_minus", "penalties", "contract_points")
#: Deals of the first look, and the most, of a study that stops by precision.
FIRST_LOOK = 1_000
MOST = 1_000_000
#: Quantiles that are shown unless others are named.
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

#: Options of `rescore` that each policy reads. A policy not listed is taken to read all of them. The heuristic reads of
#: `void_cost` only whether a void contract costs less than a failed one: see `_settles_alone`.
_LOOKS_AT: dict[str, tuple[str, ...]] = {"random": (), "greedy": (), "heuristic": ("out_bonus_in_result",)}

#: The open readings of the rules: of each option the rules it belongs to, and its values in words.
OPEN_READINGS: dict[str, tuple[tuple[str, ...], dict[Any, str]]] = {
    "out_bonus_in_gate": (
        ("B28",),
        {True: "the 300 counts for the right to go out", False: "the 300 does not count for the right to go out"},
    ),
    "out_bonus_in_result": (
        ("B28", "C35"),
        {True: "the 300 counts for the contract", False: "the 300 does not count for the contract"},
    ),
    "hand_minus_at_5plus": (
        ("B30", "C35"),
        {True: "hand minus from level 5 on too", False: "no hand minus from level 5 on"},
    ),
    "void_rule": (
        ("B33", "C35"),
        {"last_card_drawn": "void once the stock is gone", "deal_end": "void only if nobody went out"},
    ),
    "failed_side_keeps_card_points": (
        ("B34",),
        {True: "a failed side keeps its card points", False: "a failed side loses its card points"},
    ),
    "no_commitment_goout": (
        ("C36",),
        {"defenders": "without a contract R28.3 holds", "none": "without a contract anyone may go out"},
    ),
    "stock_end": (
        ("C37",),
        {"play_on": "play goes on without stock", "immediate": "the last stock card ends the deal"},
    ),
    "void_cost": (
        ("D26",),
        {
            (0, 0): "a void contract costs nothing",
            (0, 100): "void costs nothing, doubled all",
            (50, 100): "void costs half, doubled all",
            (100, 100): "void costs what failed costs",
        },
    ),
}
#: Readings that are asked by name alone: they move points, and who bids well, but no share under forced contracts.
_BY_NAME_ALONE = ("D26",)


class ContractOdds(Study):
    """The odds of contracts with a hand.

    Attributes
    ----------
    frame : DataFrame
        One row a contract, in the order asked: ``contract, deals, opened, made, failed, void, points_us, points_them,
        points, vs_pass, turns``, each number followed by its ``_low`` and ``_high``. Shares are fractions of all deals,
        with Wilson's intervals; opened = made + failed + void. ``points`` is us minus them, ``vs_pass`` what that is
        above passing on the same deals, with t intervals. With `precision` all intervals are confidence sequences. On
        request ``break_even``, ``vs_best``, ``points_sd``, ``points_q5`` ..., and the least and most of ``made`` and
        ``points`` over a panel (``made_policies_least`` ...) and over readings of the rules (``made_rules_least`` ...).
    passing : dict
        The points of passing: ``points_us``, ``points_them``, ``points``, ``turns`` with their intervals.
    hand : Hand
    seat : str
    contracts : tuple of str
    deals : int
    settled : bool or None
        Whether all shares are as precise as asked; None if no precision was asked.
    panel : Panel or None
        The same odds under every pair of other policies.
    readings : DataFrame or None
        The columns of `frame` for every reading of the rules: ``reading``, ``how`` (``as played``, ``rescored`` or
        ``played``).
    groups : DataFrame or None
        The columns of `frame` for the deals of each ``value`` of what the deals were told apart ``by``.
    """

    def __init__(
        self,
        hand: Any,
        seat: str,
        contracts: Sequence[str],
        runs: Sequence[Run],
        rows: Sequence[_Rows],
        worlds: AuctionWorlds,
        more: More | None = None,
        settled: bool | None = None,
    ):
        self.hand = hand
        self.seat = seat
        self.contracts = tuple(contracts)
        self.settled = settled
        self.more = more or More()
        self.panel: Panel | None = None
        self.readings: pd.DataFrame | None = None
        self._runs = tuple(runs)
        self._rows = tuple(rows)
        self._worlds = worlds
        self.deals = len(rows[-1]["deal"])
        self.frame, self.passing = _frame(self.contracts, runs, rows, seat, self.more)
        self.groups = None if self.more.by is None else self._groups(self.more.by)
        passing = runs[-1].provenance(0, self.deals)
        self.provenance = passing | {"seat": seat, "contracts": list(contracts)}
        if worlds.others:
            self.provenance |= {"floor": worlds.floor, "worlds": worlds.account}
        if self.more.precision is not None:
            self.provenance |= {"precision": self.more.precision, "settled": settled}
        self.frame.attrs = self.provenance

    def rows(self, contract: str | None = None) -> pd.DataFrame:
        """The deals of a contract, or of passing if None, in some columns of `simulate`."""
        if contract is not None and contract not in self.contracts:
            raise StudyError(f"contract {contract!r} was not asked: these are the odds of {', '.join(self.contracts)}")
        return self._deals(-1 if contract is None else self.contracts.index(contract))

    @property
    def numbers(self) -> np.ndarray:
        """Numbers of the deals."""
        return self._rows[-1]["deal"]

    def _deals(self, place: int) -> pd.DataFrame:
        import pandas as pd

        rules, kinds = self._runs[place].rules, dict(self._runs[place].columns)
        columns: dict[str, Any] = {}
        for name, values in self._rows[place].items():
            names = names_of(kinds[name], rules)
            columns[name] = values if names is None else pd.Categorical.from_codes(values, pd.Index(names))
        return pd.DataFrame(columns)

    def heading(self) -> list[str]:
        """What was asked."""
        run = self._runs[-1]
        totals = ", ".join(f"{side} {n}" for side, n in zip(layout_of(run.rules).sides, run.totals, strict=True))
        players = specs(run.policies)
        who = f"{players[0]} at all seats" if len(players) == 1 else " ".join(map(str, players))
        return [
            f"{self.hand}",
            f"at {self.seat}, dealer {run.dealer}, totals {totals}",
            *self._worlds.lines,
            f"{self.deals:,} deals, the same for each contract, seed {run.seed}; policies: {who}",
            *known_lines(run, self.seat, self.condition),
            *self._stopped(),
            "made, failed, void and open in % of all deals; ± is half of the 95 % interval",
        ]

    def _stopped(self) -> list[str]:
        """Why the study ended with so many deals, where it was asked to be precise."""
        precision = self.more.precision
        if precision is None:
            return []
        reached = "every share is" if self.settled else "not every share is"
        return [f"{reached} within {100 * precision:g} %; intervals are confidence sequences, which hold at every look"]

    @cached_property
    def condition(self) -> dict[str, Any] | None:
        """What the deals fulfil, its probability and the deals tried for it (`PreparedCondition.account`), or None."""
        return condition_of(self._runs[-1], self.deals)

    def table(self) -> str:
        """The odds for the terminal: the table, then what was asked besides."""
        head = ["contract", "open", "made", "failed", "void", "us", "them", "points", "vs pass", "turns"]
        rows = []
        row: Any
        for row in self.frame.to_dict("records"):
            shares = [_plus_minus(row, name, 100, 1) for name in ("made", "failed", "void")]
            points = [_plus_minus(row, name, 1, 0) for name in ("points", "vs_pass")]
            us, them = f"{row['points_us']:.0f}", f"{row['points_them']:.0f}"
            rows.append(
                [row["contract"], f"{100 * row['opened']:.1f}", *shares, us, them, *points, f"{row['turns']:.1f}"]
            )
        row = self.passing
        us, them = f"{row['points_us']:.0f}", f"{row['points_them']:.0f}"
        rows.append(["pass", *"----", us, them, _plus_minus(row, "points", 1, 0), "-", f"{row['turns']:.1f}"])
        parts = [text_table(head, rows, spare=("turns", "them", "us", "void", "open"))]
        parts += self._more_table() + self._ranges_table() + self._readings_table() + self._groups_table()
        if self.panel is not None:
            parts += ["rows: policy of the hand's side, columns: others", self.panel.table()]
        return "\n\n".join(parts)

    def _more_table(self) -> list[str]:
        """Spread, break-even share and difference to the best contract, as far as asked."""
        columns: dict[str, list[str]] = {}
        frame = records(self.frame)
        if self.more.quantiles:
            columns["sd"] = [f"{row['points_sd']:.0f}" for row in frame]
            for name in map(quantile_name, self.more.quantiles):
                columns[name.removeprefix("points_")] = [f"{row[name]:.0f}" for row in frame]
        if self.more.break_even:
            columns["break even %"] = [_interval(row, "break_even", 100, 1) for row in frame]
        if self.more.vs_best:
            columns["vs best"] = [_plus_minus(row, "vs_best", 1, 0) for row in frame]
        if not columns:
            return []
        cells = zip(self.contracts, *columns.values(), strict=True)
        return [text_table(["contract", *columns], [list(row) for row in cells])]

    def _ranges_table(self) -> list[str]:
        """Sampling interval, range over policies and range over readings, side by side."""
        asked = {"policies": self.panel is not None, "rules": self.readings is not None}
        kinds = [name for name, there in asked.items() if there]
        if not kinds:
            return []
        rows = []
        for row in records(self.frame):
            for name, scale, digits in (("made", 100, 1), ("points", 1, 0)):
                ends = [(row[f"{name}_low"], row[f"{name}_high"])]
                ends += [(row[f"{name}_{kind}_least"], row[f"{name}_{kind}_most"]) for kind in kinds]
                shown = [f"{scale * low:.{digits}f} to {scale * high:.{digits}f}" for low, high in ends]
                unit = "made %" if name == "made" else name
                rows.append([f"{row['contract']} {unit}", f"{scale * row[name]:.{digits}f}", *shown])
        head = f"{'two' if len(kinds) == 1 else 'three'} ranges, not one"
        return [text_table([head, "", "95 % sampling", *kinds], rows)]

    def _readings_table(self) -> list[str]:
        if self.readings is None:
            return []
        head = ["reading", "", *(f"{contract} {what}" for contract in self.contracts for what in ("made", "points"))]
        rows = []
        for name, part in self.readings.groupby("reading", sort=False):
            cells = [cell for row in records(part) for cell in (f"{100 * row['made']:.1f}", f"{row['points']:.0f}")]
            rows.append([str(name), str(part["how"].iloc[0]).removeprefix("as "), *cells])
        spare = [f"{contract} {what}" for contract in reversed(self.contracts[1:]) for what in ("points", "made")]
        return [text_table(head, rows, spare=spare)]

    def _groups_table(self) -> list[str]:
        if self.groups is None:
            return []
        head = [f"contract by {self.more.by}", "", "deals", "made", "failed", "void", "points", "vs pass"]
        rows = []
        for row in records(self.groups):
            shares = [_plus_minus(row, name, 100, 1) for name in ("made", "failed", "void")]
            points = [_plus_minus(row, name, 1, 0) for name in ("points", "vs_pass")]
            rows.append([row["contract"], str(row["value"]), f"{row['deals']:,}", *shares, *points])
        return [text_table(head, rows, spare=("void", "failed"))]

    def _draw(self, ax: Any) -> Any:
        """Shares of made, failed and void by contract, with their intervals; the axes."""
        from .plots import plot_odds

        return plot_odds(self, ax)

    def to_dict(self) -> dict[str, Any]:
        """Plain values: what was asked, where it comes from, and the rows of the frame."""
        run = self._runs[-1]
        given = {"auction": list(run.auction), "below": list(self._runs[0].below)}
        return {
            "hand": str(self.hand),
            "seat": self.seat,
            "dealer": run.dealer,
            "totals": list(run.totals),
            **{name: calls for name, calls in given.items() if calls},
            **self._worlds.values,
            **known_values(run, self.seat, self.condition),
            "deals": self.deals,
            "seed": run.seed,
            "policies": specs(run.policies),
            "rules_hash": run.rules.hash,
            "version": __version__,
            "result_version": RESULT_VERSION,
            **({} if self.more.precision is None else {"precision": self.more.precision, "settled": self.settled}),
            "rows": records(self.frame, plain),
            **({} if self.panel is None else {"panel": records(self.panel.frame, plain)}),
            **({} if self.readings is None else {"readings": records(self.readings, plain)}),
            **({} if self.groups is None else {"groups": records(self.groups, plain)}),
        }

    # -- what is asked besides

    def add_panel(self, panel: Panel) -> None:
        """Put the odds under other policies beside these."""
        self.panel = panel
        self._add_range("policies", panel.frame)

    def add_readings(self, found: Mapping[tuple[str, str], pd.DataFrame]) -> None:
        """Put the odds under other readings of the rules, by (reading, how), beside these."""
        import pandas as pd

        parts = []
        for (name, how), frame in found.items():
            part = frame.copy()
            part.insert(0, "how", how)
            part.insert(0, "reading", name)
            parts.append(part)
        self.readings = pd.concat(parts, ignore_index=True)
        self.readings.attrs = self.provenance
        self._add_range("rules", self.readings)

    def _add_range(self, kind: str, frame: pd.DataFrame) -> None:
        grouped = frame.groupby("contract", sort=False)
        for name in ("made", "points"):
            for end, values in (("least", grouped[name].min()), ("most", grouped[name].max())):
                self.frame[f"{name}_{kind}_{end}"] = values.loc[list(self.contracts)].to_numpy()

    def under(self, rules: RuleSet) -> pd.DataFrame:
        """The frame of the same deals scored under another reading, by `rescore`."""
        rows = []
        for place, each in enumerate(self._rows):
            deals = self._deals(place)
            deals.attrs = {"rules": self._runs[place].rules.to_dict(), "result_version": RESULT_VERSION}
            other = rescore(deals, rules)
            scores = {name: other[name].to_numpy() for name in each if name.startswith("score_")}
            rows.append(each | scores | {"result": other["result"].cat.codes.to_numpy()})
        return _frame(self.contracts, self._runs, rows, self.seat, self.more)[0]

    def _groups(self, by: str) -> pd.DataFrame:
        """The frame for each value of an outcome or of a number of the dealt hands."""
        import pandas as pd

        names: tuple[str, ...] | None = None
        kinds = dict(self._runs[-1].columns)
        if by in kinds:
            names = names_of(kinds[by], self._runs[-1].rules)
            told = [each[by] for each in self._rows[:-1]]
        else:
            told = [self._numbers(number_of(by, self.seat, self._runs[-1].rules))] * len(self.contracts)
        starts = _starts(np.concatenate(told) if by in kinds else told[0], names)
        parts = []
        for place, values in enumerate(told):
            at = np.searchsorted(starts, values, "right") - 1
            for i, start in enumerate(starts):
                those = at == i
                if those.any():
                    rows = [{name: each[those] for name, each in self._rows[k].items()} for k in (place, -1)]
                    runs = [self._runs[place], self._runs[-1]]
                    more = replace(self.more, vs_best=False)
                    part, _ = _frame([self.contracts[place]], runs, rows, self.seat, more)
                    part.insert(1, "value", plain(start) if names is None else names[start])
                    parts.append(part)
        found = pd.concat(parts, ignore_index=True)
        found.insert(1, "by", self.more.by)
        return found

    def _numbers(self, number: Number) -> np.ndarray:
        """A number of the dealt hands of every deal."""
        run, deals = self._runs[-1], self._rows[-1]["deal"]
        seats = layout_of(run.rules).seats
        found = np.empty(len(deals), np.int64)
        for first in range(0, int(deals.max()) + 1, _DEALT):
            there = (first <= deals) & (deals < first + _DEALT)
            if there.any():
                counts = np.empty((_DEALT, len(seats), 53), np.uint8)
                _core.deal_range(run.config, first, first + _DEALT, counts)
                counts = counts[deals[there] - first]
                hands = {seat: np.ascontiguousarray(counts[:, i]) for i, seat in enumerate(seats)}
                found[there] = number.of_hands(hands, run.rules)
        return found


#: Deals dealt at a time to know their hands.
_DEALT = 4096

_Rows = dict[str, np.ndarray]


@dataclass(frozen=True)
class More:
    """What is asked of contracts besides their odds.

    Attributes
    ----------
    precision : float or None
        Half of the width within which every share must be known; intervals are confidence sequences then.
    quantiles : tuple of float
        Of the points.
    break_even, vs_best : bool
    by : str or None
    """

    precision: float | None = None
    quantiles: tuple[float, ...] = ()
    break_even: bool = False
    vs_best: bool = False
    by: str | None = None

    def share(self, count: int, n: int) -> tuple[float, float]:
        """Interval of a share."""
        low, high = (wilson if self.precision is None else proportion_sequence)(count, n)
        return float(low), float(high)

    def mean(self, sums: Sums, level: float = LEVEL, reach: float = 0.0) -> tuple[float, float]:
        """Interval of a mean; `reach` as for `stats.mean_interval`."""
        return (mean_interval if self.precision is None else mean_sequence)(sums, level, reach=reach)


@asks
def contract_odds(
    hand: Any,
    contracts: Sequence[str] | str,
    seat: str = "E",
    dealer: str = "N",
    totals: Sequence[int] | None = None,
    auction: Sequence[str] = (),
    deals: int | None = None,
    seed: int = 0,
    policies: Any = DEFAULT,
    rules: RuleSet | str = SITOUMUSSAMBA,
    below: Sequence[str] = (),
    policy_seed: int | None = None,
    hands: Mapping[str, Any] | None = None,
    where: Any = None,
    floor: float | None = FLOOR,
    precision: float | None = None,
    panel: Sequence[Any] | Mapping[str, Any] | None = None,
    rules_panel: bool | Sequence[str] | Mapping[str, Mapping[str, Any]] = False,
    spread: bool | Sequence[float] = False,
    break_even: bool = False,
    vs_best: bool = False,
    by: Any = None,
    threads: int | None = None,
    progress: bool = True,
) -> ContractOdds:
    """How often contracts are made with a hand, and what they are worth against passing.

    Parameters
    ----------
    hand : Hand or str
        The cards at the seat; the other cards are dealt anew in every deal.
    contracts : sequence of str
        Such as ``["2H", "3H", "4CAN doubled"]``; the seat declares, unless the text names another (``"3H by W"``).
        Each is forced, as for `play`.
    seat : str
        Who holds the hand.
    dealer : str
    totals : sequence of int, optional
        Match totals of the sides, 0 if left out; they set the opening minimum (R13.1).
    auction : sequence of str
        Calls so far, from the dealer's left; passes up to the turn of the seat are added. They weigh the deals, as for
        `best_bid`.
    deals : int, optional
        The same deals for every contract and for passing: numbers 0, 1, 2 ... of the seed with this hand, those that
        fit the auction. 20,000 if left out; with `precision` it is the most, and 1,000,000 if left out.
    seed : int
    policies : str, policy, or sequence of them
        One for all, one for each side, or one for each seat.
    rules : RuleSet
    below : sequence of str
        Bids made beneath the contracts, as for `play`.
    policy_seed : int, optional
        Seed of the policies' random numbers; that of the cards if left out.
    hands : mapping of seat to Hand or str, optional
        Cards known to lie at the other seats.
    where : condition, optional
        Only deals of which it holds, such as ``sit.partner.jokers >= 1``; ``me``, ``lho``, ``partner`` and ``rho`` are
        counted from the seat.
    floor : float or None
        Chance that a seat makes any legal call, and not that of its policy: see `sitoumus.worlds`. None takes all deals
        as equally likely.
    precision : float, optional
        Stop as soon as every share of every contract is known to within so much either way, such as 0.01. The study
        looks after 1,000, 1,500, 2,250 ... deals and nowhere else; all its intervals are confidence sequences.
    panel : sequence, or mapping of name to policy, optional
        Play every one of these policies, at the side of the hand, against every other, on as many of the same deals.
    rules_panel : bool, sequence of str, or mapping
        Settle the same deals under other readings of open rules, where these do not touch play, and play them again
        where they do: all of `OPEN_READINGS` (True), those of some rules (``["B33", "C37"]``), or readings of one's
        own, as options by name: ``{"no circles": {"cyclic_sequences": False}}``.
    spread : bool or sequence of float
        Add the standard deviation and quantiles of the points: 5, 25, 50, 75 and 95 %, or those given as fractions.
    break_even : bool
        Add the share of made at which bidding brings as much as passing: see Notes.
    vs_best : bool
        Add the difference to the contract with the highest mean, on the same deals: see Notes.
    by : str, optional
        Add the odds of the deals of each value of a column of `simulate` (``"ended"``, ``"opened_turn_ew"``) or of a
        number of the dealt hands (``"partner.jokers"``, ``"run_h_w"``, ``sit.lho.deuces + sit.rho.deuces``).
    threads : int, optional
        All cores if left out.
    progress : bool
        Show a bar on standard error.

    Returns
    -------
    ContractOdds

    Raises
    ------
    StudyInterrupted
        On ctrl-C; its `result` holds the odds of the deals played so far.

    Notes
    -----
    Passing means: the seat passes now and for the rest of the auction, the others call by their policies. So
    ``vs_pass`` compares a contract that nobody contests with an auction in which the others go on: it says what the
    contract is worth, and not whether to bid it, which is what `best_bid` says. The odds are odds under these policies:
    another policy can move them further than the width of their interval.

    The break-even share is the s of ``s a + (1 - s) b = 0``, where a is what bidding brings above passing on the same
    deals in which the contract is made, and b that in the other deals: how often the contract would have to be made
    for bidding to pay, if each outcome brought what it brings now. It is 0 where bidding pays even if the contract is
    never made, 1 where it does not even if it always is. Its interval comes from those of a and b (Bonferroni).

    The intervals of ``vs_best`` hold for all contracts at once, though the best one was chosen by the same deals; that
    of the best one says how much another may be better (`stats.against_best`). All intervals of points allow for large
    values that are so rare that none came up (`stats.unseen`).

    Examples
    --------
    >>> odds = contract_odds("Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s", ["2H", "3H"], deals=50, policies="random",
    ...                      progress=False)
    >>> list(odds.frame["contract"]), odds.deals
    (['2H', '3H'], 50)
    """
    rules = as_rules(rules)
    hand = held(hand, seat, rules)
    contracts = [contracts] if isinstance(contracts, str) else list(checks.texts("contracts", contracts))
    if not contracts:
        raise StudyError("contracts is empty: ask for at least one, such as '3H'")
    if deals is None:
        deals = 20_000 if precision is None else MOST
    if auction and dealer == "rotate":
        raise StudyError("dealer is 'rotate': calls so far are made with one dealer")
    deals = checks.whole("deals", deals, 1, checks.MOST_DEALS)
    more = _more(precision, spread, break_even, vs_best, by)
    given: dict[str, Any] = {
        "rules": rules,
        "seed": seed,
        "policies": by_seat(policies, rules),
        "dealer": dealer,
        "totals": totals,
        "auction": auction,
        "policy_seed": policy_seed,
        **known_cards(hand, seat, hands, where, rules),
    }
    asked = [asked_contract(contract, seat) for contract in contracts]
    if auction:
        Run.of(**given)  # a wrong call is told before passes are added
    heard = Heard.before(seat, dealer, rules, auction, asked, below)
    given["auction"] = heard.calls
    question = _Question(hand, seat, asked, below, given, floor, more, thread_count(threads), progress, heard)
    if more.by is not None and more.by not in dict(question.runs()[-1].columns):
        number_of(more.by, seat, rules)
    readings = _readings(rules_panel, rules)
    question.keeps_all = bool(readings)
    pairs = {} if panel is None else _pairs(panel, seat, rules)
    odds = question.answer(int(deals), more)
    try:
        if readings:
            _read(question, odds, readings)
        if pairs:
            _play_panel(question, odds, pairs)
    except (KeyboardInterrupt, StudyInterrupted):
        raise StudyInterrupted(odds) from None
    return odds


def _more(precision: Any, spread: Any, break_even: bool, vs_best: bool, by: Any) -> More:
    """What is asked besides, checked."""
    if precision is not None and not (isinstance(precision, int | float) and 0 < precision < 1):
        raise StudyError(f"precision is {precision!r}: it must be between 0 and 1, such as 0.01 for one per cent")
    quantiles = QUANTILES if spread is True else tuple(spread or ())
    for q in quantiles:
        if not (isinstance(q, int | float) and 0 < q < 1):
            raise StudyError(f"spread: {q!r} is no quantile: quantiles are between 0 and 1, such as 0.5")
    by = None if by is None else str(by)
    return More(precision, tuple(dict.fromkeys(map(float, quantiles))), break_even, vs_best, by)


@dataclass
class _Question:
    """Contracts with a hand, to be played under several rules and policies."""

    hand: Any
    seat: str
    contracts: Sequence[str]
    below: Sequence[str]
    given: dict[str, Any]
    floor: float | None
    more: More
    threads: int
    progress: bool
    heard: Heard
    keeps_all: bool = False

    def runs(self, **other: Any) -> list[Run]:
        """A run for each contract, and one in which the seat passes."""
        given = self.given | other
        return [
            *(Run.of(**given, contract=contract, below=self.below) for contract in self.contracts),
            Run.of(**given, passes=(self.seat,)),
        ]

    def answer(self, deals: int, more: More, fixed: bool = False, **other: Any) -> ContractOdds:
        """The odds, of as many deals as it takes, or of just so many where that is `fixed`.

        The deals are weighed by the calls heard under the policies and rules that play them.
        """
        runs = self.runs(**other)
        worlds = AuctionWorlds(runs[-1], self.seat, self.floor, self.threads, self.heard)
        rounds = [deals] if more.precision is None or fixed else looks(deals, FIRST_LOOK)
        shown = [contract.replace(f" by {self.seat}", "") for contract in self.contracts]
        names = self._columns(runs[-1])
        rows: list[_Rows] = [{} for _ in runs]

        def odds(settled: bool | None) -> ContractOdds:
            return ContractOdds(self.hand, self.seat, shown, runs, rows, worlds, more, settled)

        played, settled = 0, None if more.precision is None else False
        with progress_bar(rounds[0] * len(runs), "deals", self.progress) as bar:
            for stop in rounds:
                at = None
                if worlds.others:
                    at = worlds.numbers(stop)
                    stop = min(stop, len(at))
                if stop <= played:
                    break
                bar.total = stop * len(runs)
                new = [
                    {name: values for name, values in run.allocate(stop - played).items() if name in names}
                    for run in runs
                ]
                done = np.zeros((len(runs), stop - played), bool)

                def filled(place: int, first: int, last: int, done: Any = done, played: int = played) -> None:
                    done[place, first - played : last - played] = True
                    bar.update(last - first)

                try:
                    play_runs(runs, new, played, stop, self.threads, filled, at)
                except KeyboardInterrupt:
                    known = np.asarray(done.all(axis=0))
                    rows = [_joined(*both, known) for both in zip(rows, new, strict=True)]
                    if not len(rows[-1]["deal"]):
                        raise
                    raise StudyInterrupted(odds(settled)) from None
                rows = [_joined(*both) for both in zip(rows, new, strict=True)]
                played = stop
                if more.precision is not None and _precise(runs, rows, more):
                    settled = True
                    break
        return odds(settled)

    def _columns(self, run: Run) -> set[str]:
        """Columns that are kept."""
        sides = [side.lower() for side in layout_of(run.rules).sides]
        names = {*_NEEDED, *(f"score_{side}" for side in sides)}
        if self.more.by in dict(run.columns):
            names.add(str(self.more.by))
        if self.keeps_all:
            names |= {*_SETTLED, *(f"{name}_{side}" for name in _SETTLED_SIDES for side in sides)}
        return names


def _joined(rows: _Rows, new: _Rows, known: np.ndarray | None = None) -> _Rows:
    """Rows and those known of new ones, one after the other."""
    if known is not None:
        new = {name: values[known] for name, values in new.items()}
    return {name: np.concatenate([rows[name], values]) for name, values in new.items()} if rows else new


def _precise(runs: Sequence[Run], rows: Sequence[_Rows], more: More) -> bool:
    """Whether every share is known as well as asked."""
    assert more.precision is not None
    for run, each in zip(runs[:-1], rows[:-1], strict=True):
        for marks in _outcomes(run, each).values():
            low, high = more.share(int(marks.sum()), len(marks))
            if (high - low) / 2 > more.precision:
                return False
    return True


def _readings(asked: Any, rules: RuleSet) -> dict[str, RuleSet]:
    """The rules of every reading that is not that of the rules themselves, by what it says."""
    if not asked:
        return {}
    if isinstance(asked, Mapping):
        return {str(name): rules.replace(**options) for name, options in asked.items()}
    known = sorted({number for numbers, _ in OPEN_READINGS.values() for number in numbers})
    open_ones = [name for name in known if name not in _BY_NAME_ALONE]
    wanted = open_ones if asked is True else [asked] if isinstance(asked, str) else list(asked)
    for name in wanted:
        if name not in known and name not in OPEN_READINGS:
            raise StudyError(
                f"rules_panel: {name!r} is no open reading: they are {', '.join(known)}, or the options "
                f"{', '.join(OPEN_READINGS)}; readings of your own are a mapping of names to options"
            )
    found = {}
    for option, (numbers, values) in OPEN_READINGS.items():
        if option in wanted or not set(numbers).isdisjoint(wanted):
            for value, words in values.items():
                other = rules.replace(**{option: value})
                if other != rules:
                    found[f"{numbers[0]} {words}"] = other
    return found


def _read(question: _Question, odds: ContractOdds, readings: Mapping[str, RuleSet]) -> None:
    """Put the odds under every reading beside the odds."""
    rules = question.given["rules"]
    found = {("as the rules stand", "as played"): odds.frame}
    more = replace(odds.more, by=None)
    try:
        for name, other in readings.items():
            if _settles_alone(rules, other, question.given["policies"]):
                found[name, "rescored"] = odds.under(other)
            else:
                found[name, "played"] = question.answer(odds.deals, more, True, rules=other).frame
    finally:
        odds.add_readings(found)


def _settles_alone(rules: RuleSet, other: RuleSet, policies: Sequence[Any]) -> bool:
    """Whether two rule sets differ only in how played deals are settled, which no policy looks at and rows can tell."""
    assert rules.contract is not None
    if other.contract is None or not all(getattr(policy, "name", None) in _LOOKS_AT for policy in policies):
        return False
    seen = {option for policy in policies for option in _LOOKS_AT[policy.name]}
    pairs = zip(rules.contract.void_cost, other.contract.void_cost, strict=True)
    if any((old < 100) != (new < 100) for old, new in pairs) and any(policy.name == "heuristic" for policy in policies):
        seen.add("void_cost")
    same = {name: getattr(rules.contract, name) for name in READINGS if name not in seen}
    told = rules.contract.failed_side_keeps_card_points or not other.contract.failed_side_keeps_card_points
    return other.replace(**same) == rules and told and not rules.contract.strain_must_be_made


def _pairs(panel: Any, seat: str, rules: RuleSet) -> dict[tuple[str, str], tuple[Any, Any]]:
    """The policies of the sides, by the name of the hand's side and of the other."""
    from .ladder import named

    given, layout = named(panel), layout_of(rules)
    if len(layout.sides) != 2:
        raise StudyError(f"policies play against each other between two sides, not {len(layout.sides)}")
    second = layout.side_of[layout.seats.index(seat)] == 1
    return {
        (name, other): (theirs, own) if second else (own, theirs)
        for name, own in given.items()
        for other, theirs in given.items()
    }


def _play_panel(question: _Question, odds: ContractOdds, pairs: Mapping[tuple[str, str], tuple[Any, Any]]) -> None:
    """Put the odds under every pair of policies beside the odds."""
    from .ladder import Panel

    rules, more = question.given["rules"], replace(odds.more, by=None)
    found: dict[tuple[str, str, str], ContractOdds] = {}
    try:
        for (name, other), seated in pairs.items():
            policies = by_seat(seated, rules)
            found[str(odds.hand), name, other] = question.answer(odds.deals, more, True, policies=policies)
    finally:
        if found:
            odds.add_panel(Panel(list(dict.fromkeys(name for name, _ in pairs)), found))


def held(hand: Any, seat: str, rules: RuleSet) -> _core.Hand:
    """The hand of a seat, which must be as many cards as are dealt."""
    hand, layout = _core.Hand(hand), layout_of(rules)
    if not isinstance(seat, str) or seat not in layout.seats:
        raise StudyError(f"{checks.quoted(seat)} is no seat: seats are {', '.join(layout.seats)}")
    if len(hand) != layout.hand:
        raise StudyError(f"the hand {str(hand)!r} has {len(hand)} cards: {layout.hand} are dealt")
    return hand


def known_cards(
    hand: _core.Hand, seat: str, hands: Mapping[str, Any] | None, where: Any, rules: RuleSet
) -> dict[str, Any]:
    """The keywords of a run that say what is known of the cards."""
    if hands is not None:
        checks.an("hands", hands, Mapping, "a mapping such as {'N': '9c 9d'}")
    if hands and seat in hands:
        raise StudyError(f"hands names {seat}, who holds the hand that is asked about")
    known = {**(hands or {}), seat: hand}
    return {"hands": known, "where": None if where is None else prepare(where, known, rules, seat).condition}


def condition_of(run: Run, deals: int) -> dict[str, Any] | None:
    """What deals of a run fulfil, its probability and the deals tried for so many, or None."""
    if run.where is None:
        return None
    return prepare(run.where, dict(run.hands), run.rules).account(deals, run.seed)


def known_lines(run: Run, seat: str, condition: Mapping[str, Any] | None) -> list[str]:
    """What is known of the cards besides the hand of a seat, for the terminal."""
    lines = [f"{other} holds {cards}" for other, cards in run.hands if other != seat]
    if condition is not None:
        share = f"{condition['probability']:.4g}"
        if not condition["exact"]:
            share += f" ({condition['probability_low']:.4g} to {condition['probability_high']:.4g})"
        tried = f"{condition['tried']:,} tried, {condition['kept']:,} kept"
        lines.append(f"where {condition['where']}: {share} of all deals; {tried}")
    return [part for line in lines for part in wrap(line, WIDTH, subsequent_indent="  ")]


def known_values(run: Run, seat: str, condition: Mapping[str, Any] | None) -> dict[str, Any]:
    """The same as plain values."""
    known = {other: cards for other, cards in run.hands if other != seat}
    found: dict[str, Any] = {"hands": known, "condition": condition}
    return {name: value for name, value in found.items() if value}


def asked_contract(contract: str, seat: str) -> str:
    """A contract with its declarer."""
    try:
        found = parse_contract(contract, seat)
    except InvalidActionError as error:
        raise StudyError(str(error)) from None
    if found is None:
        raise StudyError(f"contract {contract!r}: odds are of contracts such as '3H'; passing is played beside them")
    return contract_text(found)


def _frame(
    contracts: Sequence[str], runs: Sequence[Run], rows: Sequence[_Rows], seat: str, more: More
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """The frame of all contracts, and the points of passing."""
    import pandas as pd

    layout = layout_of(runs[-1].rules)
    us = layout.side_of[layout.seats.index(seat)]
    passing, *worth = (_points(each, layout.sides, us) for each in (rows[-1], *rows[:-1]))
    below = _below_best([points["points"] for points in worth], more) if more.vs_best else []
    found: list[dict[str, Any]] = []
    for contract, run, each, points in zip(contracts, runs[:-1], rows[:-1], worth, strict=True):
        masks = _outcomes(run, each)
        record: dict[str, Any] = {"contract": contract, "deals": len(each["deal"])}
        for name, those in masks.items():
            low, high = more.share(int(those.sum()), len(those))
            record |= {name: float(those.mean()), f"{name}_low": low, f"{name}_high": high}
        record |= _means({name: points[name] for name in ("points_us", "points_them", "points")}, more, REACH / 2)
        above = points["points"] - passing["points"]
        record |= _means({"vs_pass": above}, more, REACH) | _means({"turns": each["turns"]}, more)
        if more.break_even:
            record |= _break_even(above, masks["made"], more)
        if more.vs_best:
            record |= below[len(found)]
        if more.quantiles:
            record |= _spread(points["points"], more)
        found.append(record)
    return pd.DataFrame(found), _means(passing, more, REACH / 2) | _means({"turns": rows[-1]["turns"]}, more)


def _below_best(worth: Sequence[np.ndarray], more: More) -> list[dict[str, float]]:
    """What each contract brings less the one that looks best, with intervals that hold at once."""

    def between(i: int, j: int, level: float) -> tuple[float, float]:
        return more.mean(Sums.of(worth[i] - worth[j]), level, REACH)

    best, ends = against_best([int(points.sum()) for points in worth], between)
    return [
        {"vs_best": Sums.of(points - worth[best]).mean, "vs_best_low": low, "vs_best_high": high}
        for points, (low, high) in zip(worth, ends, strict=True)
    ]


def _outcomes(run: Run, rows: _Rows) -> dict[str, np.ndarray]:
    """Marks of the deals in which the contract of the run was opened, made, failed and void."""
    assert run.contract is not None
    level, strain, declarer, doubled = parse_contract(run.contract)  # type: ignore[misc]
    it = (rows["level"] == level) & (rows["strain"] == strain) & (rows["declarer"] == declarer)
    it &= rows["doubled"] == doubled
    results = names_of("result", run.rules) or ()
    marks = {name: it & (rows["result"] == results.index(name)) for name in ("made", "failed", "void")}
    return {"opened": marks["made"] | marks["failed"] | marks["void"], **marks}


def _break_even(above: np.ndarray, made: np.ndarray, more: More) -> dict[str, float]:
    """The share of made at which bidding brings as much as passing.

    With a what bidding brings above passing in the deals in which the contract is made, and b in the others, that is
    the s of s a + (1 - s) b = 0. It rises as a and as b fall, so that its ends are those of the intervals of a and b,
    each at a level that makes them hold together.
    """
    name, each = "break_even", 1 - (1 - LEVEL) / 2
    nothing = dict.fromkeys((name, f"{name}_low", f"{name}_high"), float("nan"))
    if not made.any() or made.all():
        return nothing
    gain, loss = Sums.of(above[made]), Sums.of(above[~made])

    def even(a: float, b: float) -> float:
        if not (np.isfinite(a) and np.isfinite(b)):
            return float("nan")
        return 0.0 if b >= 0 else 1.0 if a <= 0 else b / (b - a)

    (a_low, a_high), (b_low, b_high) = (more.mean(sums, each, REACH) for sums in (gain, loss))
    return {
        name: even(gain.mean, loss.mean),
        f"{name}_low": even(a_high, b_high),
        f"{name}_high": even(a_low, b_low),
    }


def quantile_name(q: float) -> str:
    """Column of a quantile of the points.

    Examples
    --------
    >>> quantile_name(0.05), quantile_name(0.975)
    ('points_q5', 'points_q97.5')
    """
    return f"points_q{100 * q:.10g}"


def _spread(points: np.ndarray, more: More) -> dict[str, float]:
    """Standard deviation and quantiles of points; a quantile is the first value that so many do not exceed."""
    ordered, n = np.sort(points), len(points)
    ends = np.concatenate([[-np.inf], ordered, [np.inf]])
    found = {"points_sd": Sums.of(points).sd}
    for q in more.quantiles:
        name = quantile_name(q)
        low, high = quantile_ranks(q, n, sequence=more.precision is not None)
        value = float(ordered[max(int(np.ceil(q * n)), 1) - 1])
        found |= {name: value, f"{name}_low": float(ends[low]), f"{name}_high": float(ends[high])}
    return found


def _starts(values: np.ndarray, names: Sequence[str] | None) -> np.ndarray:
    """Lower ends of the groups into which values fall; every name is its own."""
    from .isotonic import GROUPS, groups_of

    kinds = np.unique(values)
    return kinds if names is not None or len(kinds) <= GROUPS else groups_of(values)


def points_of(scores: np.ndarray, us: int) -> dict[str, np.ndarray]:
    """Points of the own side and of the others, the best of them where there are several; scores by deal and side."""
    them = np.delete(scores, us, axis=1).max(axis=1)
    return {"points_us": scores[:, us], "points_them": them, "points": scores[:, us] - them}


def _points(rows: _Rows, sides: Sequence[str], us: int) -> dict[str, np.ndarray]:
    return points_of(np.stack([rows[f"score_{side.lower()}"].astype(np.int64) for side in sides], axis=1), us)


def _means(columns: Mapping[str, np.ndarray], more: More, reach: float = 0.0) -> dict[str, float]:
    """Means with their intervals."""
    found: dict[str, float] = {}
    for name, values in columns.items():
        sums = Sums.of(values)
        low, high = more.mean(sums, reach=reach)
        found |= {name: sums.mean, f"{name}_low": low, f"{name}_high": high}
    return found


def _plus_minus(row: Mapping[Any, Any], name: str, scale: float, digits: int) -> str:
    return with_interval(*interval_of(row, name), digits, scale)


def _interval(row: Mapping[Any, Any], name: str, scale: float, digits: int) -> str:
    if row[name] != row[name]:
        return "-"
    low, high = (f"{scale * row[f'{name}_{end}']:.{digits}f}" for end in ("low", "high"))
    return f"{scale * row[name]:.{digits}f} ({low} to {high})"
