"""Conditions on rows, read without running anything: which columns they name, and which rows they keep."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import checks
from ..errors import DatasetError

if TYPE_CHECKING:
    import pandas as pd

_WORDS = (
    ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.Invert, ast.USub, ast.BinOp, ast.BitAnd,
    ast.BitOr, ast.Add, ast.Sub, ast.Mult, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In,
    ast.NotIn, ast.List, ast.Tuple, ast.Load, ast.Name, ast.Constant,
)  # fmt: skip
_LONGEST_WHERE = 2_000  # characters: a longer expression could exhaust the parser's stack


def names_in(where: str, columns: Sequence[str]) -> set[str]:
    """The columns that an expression names; an error where it holds anything that could run code."""
    may = "it must compare columns with numbers and texts, joined by and, or, not"
    if len(where) > _LONGEST_WHERE:
        raise DatasetError(f"where has {len(where)} characters: it must have at most {_LONGEST_WHERE}")
    try:
        tree = ast.parse(where.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise DatasetError(f"where is {checks.quoted(where)}: {may}") from None
    names = set()
    for node in ast.walk(tree):
        plain = not isinstance(node, ast.Constant) or type(node.value) in (bool, int, float, str)
        if not isinstance(node, _WORDS) or not plain:
            raise DatasetError(f"where is {checks.quoted(where)}: {may}, and {type(node).__name__} is none of these")
        if isinstance(node, ast.Name):
            names.add(checks.choice("a name in where", node.id, columns, DatasetError))
    return names


def mask_of(frame: pd.DataFrame, where: str) -> Any:
    """Which rows an expression that `names_in` has read keeps."""
    try:
        mask = frame.eval(where.strip())
    except Exception as error:  # whatever pandas raises for operands that do not go together
        raise DatasetError(f"where is {checks.quoted(where)}: it cannot be worked out ({error})") from None
    if str(getattr(mask, "dtype", "")) not in ("bool", "boolean"):
        raise DatasetError(f"where is {checks.quoted(where)}: it must be true or false in each row")
    return mask
