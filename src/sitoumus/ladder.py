"""Cross tables of policies: the ladder, each against each, and the panel, odds under every pair of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import checks
from ._core import Hand
from .compare import Comparison, compare, label, plus_minus
from .errors import PolicyError, StudyError, StudyInterrupted
from .odds import ContractOdds, contract_odds
from .policies import NAMED, compiled, policy
from .position import layout_of
from .rules import as_rules
from .stats import with_interval
from .study import WIDTH, Study, asks, interval_of, plain, records, text_table

if TYPE_CHECKING:
    pass

__all__ = ["Ladder", "Panel", "ladder", "named", "policy_panel"]


class Ladder(Study):
    """The cross table of policies.

    Attributes
    ----------
    frame : DataFrame
        One row for each policy against each other: ``policy, against, pairs, points, points_low, points_high, won,
        sd``.
    names : tuple of str
    comparisons : dict of (str, str) to Comparison
    """

    def __init__(self, names: Sequence[str], comparisons: Mapping[tuple[str, str], Comparison]):
        import pandas as pd

        self.names = tuple(names)
        self.comparisons = dict(comparisons)
        records = []
        for name in names:
            for other in names:
                found = self.comparisons.get((name, other)) or self.comparisons.get((other, name))
                if found is None or name == other:
                    continue
                low, high = found.interval
                points, won = found.points, found.won
                if (name, other) not in self.comparisons:
                    points, low, high, won = -points, -high, -low, 1 - found.won - found.tied
                records.append(
                    {
                        "policy": name,
                        "against": other,
                        "pairs": found.pairs,
                        "points": points,
                        "points_low": low,
                        "points_high": high,
                        "won": won,
                        "sd": found.sd,
                    }
                )
        self.frame = pd.DataFrame(records)
        first = next(iter(self.comparisons.values()))
        self.provenance = first.provenance | {
            "policies": list(names),
            "policy_hashes": None,
            "comparisons": [found.provenance for found in self.comparisons.values()],
        }
        self.frame.attrs = self.provenance

    def heading(self) -> list[str]:
        """What was compared."""
        found = list(self.comparisons.values())
        most = max(found, key=lambda comparison: comparison.pairs)
        upto = "up to " if min(comparison.pairs for comparison in found) < most.pairs else ""
        looked = ", at every look" if most.until is not None else ""
        return [
            f"each against each: {upto}{most.heading()[1]}",
            *most.heading()[2:-2],
            f"points a deal, own minus opponents', row over column; ± is half of the 95 % interval{looked}",
        ]

    def table(self) -> str:
        """The cross table; the last column is the mean over the others."""
        cells = {(row["policy"], row["against"]): plus_minus(row, 0) for row in records(self.frame)}
        means = self.frame.groupby("policy")["points"].mean()
        return _cross("", self.names, cells, {name: f"{mean:+.0f}" for name, mean in means.items()})

    def _draw(self, ax: Any) -> Any:
        """Points of every policy against every other, with intervals; the axes."""
        from .plots import plot_ladder

        return plot_ladder(self, ax)

    def to_dict(self) -> dict[str, Any]:
        """Plain values: the policies and the rows of the frame."""
        rows = records(self.frame, plain)
        return {"policies": list(self.names), "provenance": self.provenance, "rows": rows}


def ladder(
    policies: Sequence[Any] | Mapping[str, Any] | None = None,
    pairs: int = 20_000,
    progress: bool = True,
    **keywords: Any,
) -> Ladder:
    """Compare every policy with every other, on the same deals.

    Parameters
    ----------
    policies : sequence, or mapping of name to policy, optional
        At least two; all compiled policies with a name if left out.
    pairs : int
        For each two policies.
    progress : bool
    **keywords
        As for `compare`.

    Returns
    -------
    Ladder

    Raises
    ------
    StudyInterrupted
        On ctrl-C; its `result` holds the cells that were ready.

    Examples
    --------
    >>> found = ladder(["random", "greedy"], pairs=100, progress=False)
    >>> list(found.frame["against"])
    ['greedy', 'random']
    """
    given = named(policies)
    names = list(given)
    if len(names) < 2:
        raise StudyError(f"policies are {', '.join(names) or 'none'}: a ladder has at least two")
    found: dict[tuple[str, str], Comparison] = {}
    try:
        for i, name in enumerate(names):
            for other in names[:i]:
                found[name, other] = compare(given[name], given[other], pairs=pairs, progress=progress, **keywords)
    except KeyboardInterrupt:
        if not found:
            raise
        raise StudyInterrupted(Ladder(names, found)) from None
    return Ladder(names, found)


class Panel(Study):
    """Odds of contracts under every pair of policies: how far they depend on who plays.

    Attributes
    ----------
    frame : DataFrame
        One row for each ``hand``, ``contract``, ``policy`` (of the side that holds the hand) and ``against`` (of the
        other side), with the columns of `ContractOdds`.
    ranges : DataFrame
        For each hand and contract ``made_least, made_most, points_least, points_most`` over all pairs of policies. It
        is no interval: the sampling error is another thing.
    odds : dict of (hand, policy, against) to ContractOdds
    """

    def __init__(self, names: Sequence[str], odds: Mapping[tuple[str, str, str], ContractOdds]):
        import pandas as pd

        self.names = tuple(names)
        self.odds = dict(odds)
        parts = []
        for (hand, name, against), each in self.odds.items():
            part = each.frame.copy()
            part.insert(1, "against", against)
            part.insert(1, "policy", name)
            part.insert(0, "hand", hand)
            parts.append(part)
        self.frame = pd.concat(parts, ignore_index=True)
        grouped = self.frame.groupby(["hand", "contract"], sort=False)
        self.ranges = grouped.agg(
            made_least=("made", "min"),
            made_most=("made", "max"),
            points_least=("points", "min"),
            points_most=("points", "max"),
        ).reset_index()
        last = next(reversed(self.odds.values()))
        self.provenance = last.provenance | {"policies": list(names), "policy_hashes": None, "hands": None}
        self.frame.attrs = self.provenance

    def heading(self) -> list[str]:
        """What was asked."""
        found = next(iter(self.odds.values()))
        run = found.provenance
        hands = list(dict.fromkeys(hand for hand, _, _ in self.odds))
        return [
            *(f"{hand}: {self._hand(hand)}" if hand != str(self._hand(hand)) else hand for hand in hands),
            f"at {found.seat}, dealer {run['dealer']}, {found.deals:,} deals, seed {run['seed']}, {self._which(found)}",
            "made in % of all deals and points, us minus them; rows: policy of the hand's side, columns: others",
        ]

    @staticmethod
    def _which(found: ContractOdds) -> str:
        """Which deals the pairs of policies play."""
        if "worlds" not in found.provenance:
            return "the same for all"
        return "those that fit the calls so far by each pair"

    def _hand(self, name: str) -> Any:
        return next(found.hand for (hand, _, _), found in self.odds.items() if hand == name)

    def table(self) -> str:
        """A cross table for every hand and contract."""
        parts = []
        for (hand, contract), frame in self.frame.groupby(["hand", "contract"], sort=False):
            cells = {(row["policy"], row["against"]): row for row in records(frame)}
            made = {place: _percent(row, "made") for place, row in cells.items()}
            points = {place: plus_minus(row, 0) for place, row in cells.items()}
            parts += [_cross(f"{contract} made", self.names, made), _cross(f"{contract} points", self.names, points)]
            row = self.ranges[(self.ranges["hand"] == hand) & (self.ranges["contract"] == contract)].iloc[0]
            parts[-1] += (
                f"\nover these policies: made {100 * row['made_least']:.1f} to {100 * row['made_most']:.1f} %,"
                f" points {row['points_least']:+.0f} to {row['points_most']:+.0f}"
            )
            if self.frame["hand"].nunique() > 1:
                parts[-2] = f"{hand}\n{parts[-2]}"
        return "\n\n".join(parts)

    def _draw(self, ax: Any) -> Any:
        """Shares made under every pair of policies, with their intervals; the axes."""
        from .plots import plot_panel

        return plot_panel(self, ax)

    def to_dict(self) -> dict[str, Any]:
        """Plain values: the policies, the ranges, and the rows of the frame."""
        return {
            "policies": list(self.names),
            "provenance": self.provenance,
            "ranges": records(self.ranges, plain),
            "rows": records(self.frame, plain),
        }


@asks
def policy_panel(
    hands: Any, contracts: Sequence[str] | str, policies: Any = None, progress: bool = True, **keywords: Any
) -> Panel:
    """Odds of contracts under every pair of policies, on the same deals.

    Parameters
    ----------
    hands : Hand, str, sequence or mapping of them
        A mapping names them.
    contracts : sequence of str
    policies : sequence, or mapping of name to policy, optional
        All compiled policies with a name if left out.
    progress : bool
    **keywords
        As for `contract_odds`.

    Returns
    -------
    Panel

    Raises
    ------
    StudyInterrupted
        On ctrl-C; its `result` holds the pairs of policies that were ready.

    Examples
    --------
    >>> panel = policy_panel("Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s", "2H", ["random", "greedy"], deals=20,
    ...                      progress=False)
    >>> len(panel.frame)
    4
    """
    if "policies" in keywords:
        raise StudyError("policies are given once: they play each against each")
    given = named(policies)
    if not isinstance(hands, Mapping):
        hands = [hands] if isinstance(hands, str | Hand) else checks.listed("hands", hands, "hands")
        hands = {str(Hand(hand)): hand for hand in hands}
    if not hands:
        raise StudyError("hands is empty: give at least one")
    layout = layout_of(as_rules(keywords.get("rules")))
    if len(layout.sides) != 2:
        raise StudyError(f"policies play against each other between two sides, not {len(layout.sides)}")
    seat = keywords.get("seat", "E")
    second = seat in layout.seats and layout.side_of[layout.seats.index(seat)] == 1
    found: dict[tuple[str, str, str], ContractOdds] = {}
    try:
        for hand, cards in hands.items():
            for name, own in given.items():
                for other, theirs in given.items():
                    seated = (theirs, own) if second else (own, theirs)
                    found[hand, name, other] = contract_odds(
                        cards, contracts, policies=seated, progress=progress, **keywords
                    )
    except KeyboardInterrupt:
        if not found:
            raise
        raise StudyInterrupted(Panel(tuple(given), found)) from None
    return Panel(tuple(given), found)


def named(policies: Any) -> dict[str, Any]:
    """Policies by name; all compiled ones with a name if None."""
    if policies is None:
        policies = [name for name, each in NAMED.items() if compiled(each) is not None]
    if isinstance(policies, str) or not isinstance(policies, Sequence | Mapping):
        given = checks.quoted(policies)
        raise PolicyError(f"policies is {given}: it must be a sequence, or a mapping of names, of policies")
    if not policies:
        raise PolicyError("policies is empty: give at least one")
    if isinstance(policies, Mapping):
        return {str(name): policy(each) for name, each in policies.items()}
    found = [policy(each) for each in policies]
    names = [label(each) for each in found]
    if len(set(names)) < len(names):
        raise StudyError(f"policies are {', '.join(names)}: each may be there only once; a mapping names them")
    return dict(zip(names, found, strict=True))


def _cross(
    head: str, names: Sequence[str], cells: Mapping[tuple[str, str], str], means: Mapping[Any, str] | None = None
) -> str:
    """A cross table, in as many parts as it takes to fit."""
    columns = [[name, *(cells.get((each, name), "-") for each in names)] for name in names]
    if means is not None:
        columns.append(["mean", *(means.get(name, "-") for name in names)])
    parts: list[list[list[str]]] = []
    room = 0
    for column in columns:
        wide = 2 + max(map(len, column))
        if wide > room:
            parts.append([[head, *names]])
            room = WIDTH - max(map(len, (head, *names)))
        parts[-1].append(column)
        room -= wide
    tables = [[list(line) for line in zip(*part, strict=True)] for part in parts]
    return "\n\n".join(text_table(lines[0], lines[1:]) for lines in tables)


def _percent(row: Mapping[str, Any], name: str) -> str:
    return with_interval(*interval_of(row, name), 1, 100)
