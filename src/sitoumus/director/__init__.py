"""The director's layer: what happens when somebody errs at the table.

The core refuses illegal acts. This layer says what becomes of one that has happened: whether it stands, what it costs
and how the deal goes on. Nothing that simulates or plays imports it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

#: Where each name lives; each file is imported when one of its names is first used.
_HOMES = {
    "penalties": ("Article", "Duty", "Irregularity", "PenaltyCode", "Remedy"),
    "incidents": ("Incident", "Ruling"),
    "referee": ("Referee",),
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = list(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
