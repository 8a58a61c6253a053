from collections.abc import Sequence
from typing import Any, Final

from ._compile import Rules
from ._core import Table
from .rules import RuleSet

N: Final[int]
LENGTH: Final[int]
FIRST: Final[dict[str, int]]
LAYOUT: Final[tuple[tuple[str, int, tuple[int, ...], str], ...]]

def check(rules: RuleSet | str | None = None) -> Rules: ...
def mask(table: Table, prefix: Sequence[int] = (), out: Any = None) -> None: ...
def decode(table: Table, ids: Sequence[int]) -> str: ...
def encode(table: Table, text: str) -> tuple[int, ...]: ...
def observe(table: Table, seat: str, prefix: Sequence[int] = (), out: Any = None) -> None: ...
