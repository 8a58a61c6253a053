"""An evening at the club: the ranking of pairs over common deals, and dealing sheets.

Movements, registration and live scoring are not here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .. import _core
from ..errors import StudyError
from ..position import layout_of
from ..rules import RuleSet, as_rules

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["dealing_sheet", "ranking"]

COLUMNS = ("deal", "table", "NS", "EW", "score")


def ranking(frame: pd.DataFrame, by: str = "points") -> pd.DataFrame:
    """Rank the pairs of an evening in which the same deals were played at several tables.

    Parameters
    ----------
    frame : DataFrame
        A row a result: ``deal``, ``table``, ``NS`` and ``EW`` (names of the pairs), ``score`` (points of NS minus those
        of EW).
    by : {"points", "rank", "percent"}
        ``points``: sum of the points of the pair minus those of its opponents. ``rank``: on each deal two for every
        table of the same direction that did worse, one for every equal one. ``percent``: the same as a share of what
        could be reached, in percent, the mean over the deals played.

    Returns
    -------
    DataFrame
        A row a pair, best first: ``place`` (ties share the better place), ``pair``, ``deals``, and the column `by`.

    Raises
    ------
    StudyError
        If a column is missing, a pair plays twice at one deal, or `by` is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> columns = ["deal", "table", "NS", "EW", "score"]
    >>> results = pd.DataFrame([[1, 1, "A", "B", 500], [1, 2, "C", "D", 300]], columns=columns)
    >>> ranking(results, by="rank").values.tolist()
    [[1, 'A', 1, 2.0], [1, 'D', 1, 2.0], [3, 'B', 1, 0.0], [3, 'C', 1, 0.0]]
    """
    import pandas as pd

    if by not in ("points", "rank", "percent"):
        raise StudyError(f"by is {by!r}: it must be points, rank or percent")
    missing = [column for column in COLUMNS if column not in frame.columns]
    if missing:
        raise StudyError(f"the table of results has no column {', '.join(missing)}: it has {', '.join(COLUMNS)}")
    north = frame[["deal", "NS", "score"]].rename(columns={"NS": "pair"}).assign(way="NS")
    east = frame[["deal", "EW", "score"]].rename(columns={"EW": "pair"}).assign(way="EW", score=-frame["score"])
    results = pd.concat([north, east], ignore_index=True)
    twice = results[results.duplicated(["deal", "pair"])]
    if len(twice):
        row = twice.iloc[0]
        raise StudyError(f"{row['pair']} plays deal {row['deal']} twice")
    if by == "points":
        results["got"] = results["score"]
    else:
        of_deal = results.groupby(["deal", "way"])["score"]
        # Twice the mean rank counts two for a worse result and one for an equal one, itself included.
        results["got"] = 2 * of_deal.rank(method="average") - 2
        if by == "percent":
            most = 2 * of_deal.transform("size") - 2
            results["got"] = (100 * results["got"] / most).where(most > 0, 50.0)
    pairs = results.groupby("pair")["got"].agg(["size", "mean" if by == "percent" else "sum"])
    pairs.columns = pd.Index(["deals", by])
    pairs = pairs.reset_index().sort_values([by, "pair"], ascending=[False, True], ignore_index=True)
    pairs.insert(0, "place", pairs[by].rank(method="min", ascending=False).astype("int64"))
    return pairs


def dealing_sheet(
    seed: int, numbers: Iterable[int], rules: RuleSet | str | None = None, hands: bool = True, stock: bool = False
) -> str:
    """Deals as text, to lay out the same cards at every table.

    Parameters
    ----------
    seed : int
    numbers : iterable of int
        Numbers of the deals.
    rules : RuleSet or str, optional
        Sitoumussamba if left out.
    hands : bool
        Write the hands.
    stock : bool
        Write the stock, top first.
    """
    found = as_rules(rules)
    return "\n\n".join(_deal_text(seed, number, found, hands, stock) for number in numbers)


def _deal_text(seed: int, number: int, rules: RuleSet, hands: bool, stock: bool) -> str:
    deal: Any = _core.Deal(seed=seed, number=number, rules=rules)
    lines = [f"deal {number} of seed {seed}, {rules.name.replace('_', ' ')}"]
    if hands:
        lines += [f"  {seat}  {hand}" for seat, hand in deal.hands.items()]
    first = layout_of(rules).first_extra
    if hands and first:
        lines.append(f"  the player who starts is dealt {first} card more: {' '.join(deal.stock[:first])}")
    if stock:
        cards = deal.stock[first:]
        lines.append("  stock, top first")
        lines += ["    " + " ".join(cards[place : place + 24]) for place in range(0, len(cards), 24)]
    return "\n".join(lines)
