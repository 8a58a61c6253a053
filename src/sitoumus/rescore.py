"""Scores and results of played deals under another reading of the scoring rules, without playing them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import checks
from .errors import DatasetError, StudyError
from .position import layout_of
from .rules import RuleSet, as_rules
from .version import RESULT_VERSION

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["READINGS", "rescore"]

#: The options by which a deal that has been played can be settled: B28 and C35, B30, B33, B34, D26.
READINGS = ("out_bonus_in_result", "hand_minus_at_5plus", "void_rule", "failed_side_keeps_card_points", "void_cost")


def rescore(df: pd.DataFrame, rules: RuleSet | str) -> pd.DataFrame:
    """The same deals scored under another reading of the scoring rules.

    Play is taken as it was. Where the reading could have changed a decision of a policy, playing again under it gives
    other rows. ``random`` and ``greedy`` look at none of these options. `HeuristicPolicy` looks at
    ``out_bonus_in_result``, and of ``void_cost`` only at whether a void contract costs less than a failed one (a
    percent below 100 or not, for a doubled and for an undoubled contract); at nothing of it with ``take_time=0``.
    `RolloutPolicy` looks at all of them. The name ``tuned`` stands for other parameters under some values of
    ``void_cost``: then the policies of the two runs differ, not only the score.

    Parameters
    ----------
    df : DataFrame
        Rows of `simulate` or of a dataset, with their provenance.
    rules : RuleSet
        The rules of these rows, except for ``out_bonus_in_result``, ``hand_minus_at_5plus``, ``void_rule``,
        ``failed_side_keeps_card_points`` and ``void_cost``.

    Returns
    -------
    DataFrame
        The rows with new ``result``, ``card_points``, ``contract_points`` and ``score``.

    Raises
    ------
    StudyError
        If the rules differ in what changes play, or the rows do not hold what the reading asks for.
    DatasetError
        If the rows do not tell which rules they were played by.

    Examples
    --------
    >>> from sitoumus import SITOUMUSSAMBA, simulate
    >>> df = simulate(100, seed=7, policies="random", contract="1C by E", progress=False)
    >>> other = rescore(df, SITOUMUSSAMBA.replace(void_rule="deal_end"))
    >>> list(other.columns) == list(df.columns), other.attrs["rules"]["options"]
    (True, {'void_rule': 'deal_end'})
    """
    import pandas as pd

    checks.an("df", df, pd.DataFrame, "a frame of simulate", DatasetError)
    if "rules" not in df.attrs:
        raise DatasetError("these rows do not tell where they come from: rules is missing")
    if df.attrs.get("result_version") != RESULT_VERSION:
        raise DatasetError(
            f"these rows have result version {df.attrs.get('result_version')}, this library makes {RESULT_VERSION}"
        )
    played = RuleSet.from_dict(df.attrs["rules"])
    rules = as_rules(rules)
    _check(played, rules)
    new, old = rules.contract, played.contract
    if new is None or old is None:
        return df.copy()
    layout = layout_of(rules)
    code = {name: df[name].cat.codes.to_numpy() for name in ("declarer", "out_seat", "result", "ended")}
    results = list(df["result"].cat.categories)
    level = df["level"].to_numpy().astype(np.int64)
    bid = level > 0
    out = code["ended"] == list(df["ended"].cat.categories).index("out")
    side_of = np.array([*layout.side_of, -1])
    declaring, going = side_of[code["declarer"]], np.where(out, side_of[code["out_seat"]], -1)
    part = {
        name: np.stack([df[f"{name}_{side.lower()}"].to_numpy() for side in layout.sides]).astype(np.int64)
        for name in ("bonus", "card_points", "hand_minus", "penalties", "contract_points")
    }
    rows = np.arange(len(df))
    mine = np.where(bid, declaring, 0)

    # What the declaring side has reached (C35): bonus without the 300, then what the reading adds to it.
    attained = part["bonus"][mine, rows] - np.where(going == mine, rules.out.bonus, 0)
    attained += np.where((going == mine) & new.out_bonus_in_result, rules.out.bonus, 0)
    attained += np.where(level >= 5, part["card_points"][mine, rows], 0)
    attained -= np.where((level <= 4) | new.hand_minus_at_5plus, part["hand_minus"][mine, rows], 0)
    made = bid & (attained >= 1000 * level)
    failed = bid & ~made & out & ((new.void_rule == "deal_end") | (df["stock_left"].to_numpy() > 0))
    result = np.select([made, failed, bid], [results.index(name) for name in ("made", "failed", "void")])
    result = np.where(bid, result, results.index("none"))

    lost = (code["result"] == results.index("failed")) & (level <= 4)
    if not old.failed_side_keeps_card_points and (lost & (new.failed_side_keeps_card_points | ~failed)).any():
        raise StudyError(
            "failed_side_keeps_card_points=False has dropped the card points of failed contracts: "
            "play these deals under the other rules"
        )
    if not new.failed_side_keeps_card_points:
        part["card_points"][mine, rows] *= ~(failed & (level <= 4))
    doubled = df["doubled"].to_numpy()
    part["contract_points"][:] = 0
    part["contract_points"][mine, rows] = np.where(made, np.where(doubled, 1000, 500) * level, 0)
    sum_lost = np.where(doubled, 2000, 1000) * level
    percent = np.where(doubled, new.void_cost[1], new.void_cost[0])  # D26
    void = bid & ~made & ~failed
    part["contract_points"][1 - mine, rows] += np.where(failed, sum_lost, np.where(void, sum_lost * percent // 100, 0))

    found = df.copy()
    found["result"] = type(df["result"].array).from_codes(result.astype(np.int8), dtype=df["result"].dtype)
    for place, side in enumerate(layout.sides):
        side = side.lower()
        for name in ("card_points", "contract_points"):
            found[f"{name}_{side}"] = part[name][place].astype(np.int32)
        score = part["bonus"] + part["card_points"] - part["hand_minus"] - part["penalties"] + part["contract_points"]
        found[f"score_{side}"] = score[place].astype(np.int32)
    found.attrs = df.attrs | {"rules": rules.to_dict(), "rules_hash": rules.hash, "rescored_from": df.attrs["rules"]}
    return found


def _check(played: RuleSet, rules: RuleSet) -> None:
    """Refuse what rows cannot tell."""
    same = {name: getattr(played.contract, name) for name in READINGS} if played.contract is not None else {}
    if rules.replace(**same) != played if rules.contract is not None else rules != played:
        names = ", ".join(field for field, _, _ in rules.diff(played))
        raise StudyError(f"these rules differ in {names}: only {', '.join(READINGS)} can be read from played deals")
    if rules.contract is not None and (rules.contract.strain_must_be_made or rules.out.concealed != "none"):
        raise StudyError("rows do not tell the melds of a strain or a concealed going out: play these deals again")
