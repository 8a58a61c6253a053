from collections.abc import Iterable, Sequence
from typing import Any

from ._core import Hand, Meld, Table
from .rules import RuleSet

# Counts and streams for testers.

def gain_stands_out(total: int, squares: float, caution: int) -> bool: ...
def perft(table: Table, depth: int) -> int: ...
def opening_exists(hand: Hand, laid: Iterable[Meld], need: Any, rules: RuleSet | str | None = None) -> bool: ...
def lay_out_exists(hand: Hand, laid: Iterable[Meld], terms: Any, rules: RuleSet | str | None = None) -> bool: ...
def choices(table: Table, policy: tuple[int, tuple[int, ...]], n: int, seed: int = 0) -> dict[str, int]: ...

LONGEST_LIST: int
OPERATIONS: tuple[str, ...]

def repeat(
    operation: str,
    n: int,
    hands: Any = None,
    tables: Sequence[Table] | None = None,
    policy: tuple[int, Sequence[int]] | None = None,
    minimum: int = 90,
    rules: RuleSet | str | None = None,
) -> int: ...
