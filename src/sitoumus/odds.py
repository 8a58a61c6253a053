"""Contract odds: how often contracts are made with a hand, and what they are worth against passing.

All contracts, and passing, are played on the same deals: same cards, same random numbers of the policies. So the
differences between them are far sharper than the numbers themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .conditions import prepare
from .errors import InvalidActionError, StudyError, StudyInterrupted
from .notation import contract_text, parse_contract
from .policies import by_seat, specs
from .position import layout_of
from .rules import SITOUMUSSAMBA, RuleSet
from .run import Run, names_of, play_runs
from .schedule import progress_bar, thread_count
from .stats import Sums, mean_interval, wilson
from .study import WIDTH, Study, asks, plain, text_table
from .version import RESULT_VERSION, __version__
from .worlds import FLOOR, AuctionWorlds

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ContractOdds", "asked_contract", "contract_odds", "held", "known_cards", "points_of"]

#: Result columns by which odds go, besides the scores of the sides.
_NEEDED = ("deal", "declarer", "level", "strain", "doubled", "result", "turns")


class ContractOdds(Study):
    """The odds of contracts with a hand.

    Attributes
    ----------
    frame : DataFrame
        One row a contract, in the order asked: ``contract, deals, opened, made, failed, void, points_us, points_them,
        points, vs_pass, turns``, each number followed by its ``_low`` and ``_high``. Shares are fractions of all deals,
        with Wilson's intervals; opened = made + failed + void. ``points`` is us minus them, ``vs_pass`` what that is
        above passing on the same deals, with t intervals.
    passing : dict
        The points of passing: ``points_us``, ``points_them``, ``points``, ``turns`` with their intervals.
    hand : Hand
    seat : str
    contracts : tuple of str
    deals : int
    """

    def __init__(
        self,
        hand: Any,
        seat: str,
        contracts: Sequence[str],
        runs: Sequence[Run],
        rows: Sequence[_Rows],
        worlds: AuctionWorlds,
    ):
        self.hand = hand
        self.seat = seat
        self.contracts = tuple(contracts)
        self._runs = tuple(runs)
        self._rows = tuple(rows)
        self._worlds = worlds
        self.deals = len(rows[-1]["deal"])
        self.frame, self.passing = _frame(self.contracts, runs, rows, seat)
        passing = runs[-1].provenance(0, self.deals)
        self.provenance = passing | {"seat": seat, "contracts": list(contracts)}
        if worlds.others:
            self.provenance |= {"floor": worlds.floor, "worlds": worlds.account}
        self.frame.attrs = self.provenance

    def rows(self, contract: str | None = None) -> pd.DataFrame:
        """The deals of a contract, or of passing if None, in some columns of `simulate`."""
        import pandas as pd

        if contract is not None and contract not in self.contracts:
            raise StudyError(f"contract {contract!r} was not asked: these are the odds of {', '.join(self.contracts)}")
        place = -1 if contract is None else self.contracts.index(contract)
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
            *([str(self._worlds)] if run.auction else []),
            f"{self.deals:,} deals, the same for each contract, seed {run.seed}; policies: {who}",
            *self._known_lines(),
            "made, failed, void and open in % of all deals; ± is half of the 95 % interval",
        ]

    @cached_property
    def condition(self) -> dict[str, Any] | None:
        """What the deals fulfil, its probability and the deals tried for it (`PreparedCondition.account`), or None."""
        run = self._runs[-1]
        if run.where is None:
            return None
        return prepare(run.where, dict(run.hands), run.rules).account(self.deals, run.seed)

    def _known_lines(self) -> list[str]:
        lines = [f"{seat} holds {cards}" for seat, cards in self._runs[-1].hands if seat != self.seat]
        found = self.condition
        if found is not None:
            share = f"{found['probability']:.4g}"
            if not found["exact"]:
                share += f" ({found['probability_low']:.4g} to {found['probability_high']:.4g})"
            lines.append(
                f"where {found['where']}: {share} of all deals; {found['tried']:,} tried, {found['kept']:,} kept"
            )
        return [part for line in lines for part in wrap(line, WIDTH, subsequent_indent="  ")]

    def table(self) -> str:
        """The odds for the terminal."""
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
        return text_table(head, rows, spare=("turns", "them", "us"))

    def plot(self, ax: Any = None) -> Any:
        """Shares and points by contract, with their intervals; the axes."""
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
            **({} if self.condition is None else {"condition": self.condition}),
            "deals": self.deals,
            "seed": run.seed,
            "policies": specs(run.policies),
            "rules_hash": run.rules.hash,
            "version": __version__,
            "result_version": RESULT_VERSION,
            "rows": [{name: plain(value) for name, value in row.items()} for row in self.frame.to_dict("records")],
        }


_Rows = dict[str, np.ndarray]


@asks
def contract_odds(
    hand: Any,
    contracts: Sequence[str] | str,
    seat: str = "E",
    dealer: str = "N",
    totals: Sequence[int] | None = None,
    auction: Sequence[str] = (),
    deals: int = 20_000,
    seed: int = 0,
    policies: Any = "heuristic",
    rules: RuleSet = SITOUMUSSAMBA,
    below: Sequence[str] = (),
    policy_seed: int | None = None,
    hands: Mapping[str, Any] | None = None,
    where: Any = None,
    floor: float | None = FLOOR,
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
        Calls so far, from the dealer's left. They weigh the deals, as for `best_bid`.
    deals : int
        The same deals for every contract and for passing: numbers 0, 1, 2 ... of the seed with this hand, those that
        fit the auction.
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
        Weight of a deal for each call so far in which a policy would have called otherwise; None to take all deals.
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
    Passing means: the seat passes now and for the rest of the auction, the others call by their policies. The odds are
    odds under these policies: another policy can move them further than the width of their interval.

    Examples
    --------
    >>> odds = contract_odds("Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s", ["2H", "3H"], deals=50, policies="random",
    ...                      progress=False)
    >>> list(odds.frame["contract"]), odds.deals
    (['2H', '3H'], 50)
    """
    hand = held(hand, seat, rules)
    contracts = [contracts] if isinstance(contracts, str) else list(contracts)
    if not contracts:
        raise StudyError("contracts is empty: ask for at least one, such as '3H'")
    if isinstance(deals, bool) or not isinstance(deals, int | np.integer) or deals < 1:
        raise StudyError(f"deals is {deals!r}: it must be a whole number from 1 up")
    layout = layout_of(rules)
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
    runs = [Run.of(**given, contract=contract, below=below) for contract in asked]
    runs.append(Run.of(**given, passes=(seat,)))
    shown = [contract.replace(f" by {seat}", "") for contract in asked]
    worlds = AuctionWorlds(runs[-1], seat, floor)
    numbers = worlds.numbers(deals) if worlds.others else None
    deals = deals if numbers is None else len(numbers)
    names = [*_NEEDED, *(f"score_{side.lower()}" for side in layout.sides)]
    rows = [{name: values for name, values in run.allocate(deals).items() if name in names} for run in runs]
    done = [np.zeros(deals, bool) for _ in runs]
    try:
        with progress_bar(deals * len(runs), "deals", progress) as bar:

            def filled(place: int, first: int, stop: int) -> None:
                done[place][first:stop] = True
                bar.update(stop - first)

            play_runs(runs, rows, 0, deals, thread_count(threads), filled, numbers)
    except KeyboardInterrupt:
        known = np.logical_and.reduce(done)
        if not known.any():
            raise
        rows = [{name: values[known] for name, values in each.items()} for each in rows]
        raise StudyInterrupted(ContractOdds(hand, seat, shown, runs, rows, worlds)) from None
    return ContractOdds(hand, seat, shown, runs, rows, worlds)


def held(hand: Any, seat: str, rules: RuleSet) -> _core.Hand:
    """The hand of a seat, which must be as many cards as are dealt."""
    hand, layout = _core.Hand(hand), layout_of(rules)
    if seat not in layout.seats:
        raise StudyError(f"{seat!r} is no seat: seats are {', '.join(layout.seats)}")
    if len(hand) != layout.hand:
        raise StudyError(f"the hand {str(hand)!r} has {len(hand)} cards: {layout.hand} are dealt")
    return hand


def known_cards(
    hand: _core.Hand, seat: str, hands: Mapping[str, Any] | None, where: Any, rules: RuleSet
) -> dict[str, Any]:
    """The keywords of a run that say what is known of the cards."""
    if hands and seat in hands:
        raise StudyError(f"hands names {seat}, who holds the hand that is asked about")
    known = {**(hands or {}), seat: hand}
    return {"hands": known, "where": None if where is None else prepare(where, known, rules, seat).condition}


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
    contracts: Sequence[str], runs: Sequence[Run], rows: Sequence[_Rows], seat: str
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """The frame of all contracts, and the points of passing."""
    import pandas as pd

    layout = layout_of(runs[-1].rules)
    us = layout.side_of[layout.seats.index(seat)]
    passing = _points(rows[-1], layout.sides, us)
    records = []
    for contract, run, each in zip(contracts, runs[:-1], rows[:-1], strict=True):
        assert run.contract is not None
        level, strain, declarer, doubled = parse_contract(run.contract)  # type: ignore[misc]
        it = (each["level"] == level) & (each["strain"] == strain) & (each["declarer"] == declarer)
        it &= each["doubled"] == doubled
        results = names_of("result", run.rules) or ()
        shares = {name: it & (each["result"] == results.index(name)) for name in ("made", "failed", "void")}
        shares = {"opened": shares["made"] | shares["failed"] | shares["void"], **shares}
        record: dict[str, Any] = {"contract": contract, "deals": len(it)}
        for name, those in shares.items():
            low, high = wilson(int(those.sum()), len(it))
            record |= {name: float(those.mean()), f"{name}_low": float(low), f"{name}_high": float(high)}
        points = _points(each, layout.sides, us)
        record |= _means({name: points[name] for name in ("points_us", "points_them", "points")})
        record |= _means({"vs_pass": points["points"] - passing["points"], "turns": each["turns"]})
        records.append(record)
    return pd.DataFrame(records), _means(passing | {"turns": rows[-1]["turns"]})


def points_of(scores: np.ndarray, us: int) -> dict[str, np.ndarray]:
    """Points of the own side and of the others, the best of them where there are several; scores by deal and side."""
    them = np.delete(scores, us, axis=1).max(axis=1)
    return {"points_us": scores[:, us], "points_them": them, "points": scores[:, us] - them}


def _points(rows: _Rows, sides: Sequence[str], us: int) -> dict[str, np.ndarray]:
    return points_of(np.stack([rows[f"score_{side.lower()}"].astype(np.int64) for side in sides], axis=1), us)


def _means(columns: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Means with their intervals."""
    found: dict[str, float] = {}
    for name, values in columns.items():
        sums = Sums.of(values)
        low, high = mean_interval(sums)
        found |= {name: sums.mean, f"{name}_low": low, f"{name}_high": high}
    return found


def _plus_minus(row: Mapping[Any, Any], name: str, scale: float, digits: int) -> str:
    half = scale * (row[f"{name}_high"] - row[f"{name}_low"]) / 2
    return f"{scale * row[name]:.{digits}f}" + ("" if half != half else f"±{half:.{digits}f}")
