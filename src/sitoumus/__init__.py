"""Sitoumussamba and the Canasta family, simulated exactly and fast.

Everything public is found here, in the order of the documentation: cards, the table, rule sets, single deals and
matches, many deals, studies, policies, counts for testers, errors. What a name needs is imported when the name is first
used, so that importing the library costs next to nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from .version import RESULT_VERSION, __version__

#: Where each name lives; __init__.pyi says the same to type checkers.
_HOMES = {
    "_core": ("Hand", "Meld", "Deal", "Table", "LegalActions", "View"),
    "hands": ("features", "best_opening", "random_hands"),
    "score": ("Score",),
    "rules": (
        "RuleSet",
        "PRESETS",
        "preset",
        "SITOUMUSSAMBA",
        "FINNISH_CANASTA",
        "FINNISH_CANASTA_2P",
        "FINNISH_CANASTA_3P",
        "AMERICAN_CANASTA",
        "RUSSIAN_CANASTA",
        "TILE_CANASTA",
        "SAMBA",
        "BOLIVIA",
        "BRAZILIAN_CANASTA",
    ),
    "director": ("Referee", "Incident", "Ruling", "Irregularity", "Remedy", "Duty", "PenaltyCode"),
    "director.checking": ("referee", "RefereeReport"),
    "club.typed": ("score_deal",),
    "club.sheet": ("MatchSheet",),
    "club.evening": ("ranking",),
    "play": ("play", "play_match", "Match"),
    "simulate": ("simulate", "replay", "concat", "simulate_matches"),
    "dataset": ("open_dataset", "Dataset"),
    "rescore": ("rescore",),
    "record": ("Game", "load_game", "load_games", "save_games"),
    "page": ("to_html",),
    "session": ("Session",),
    "odds": ("contract_odds", "ContractOdds"),
    "compare": ("compare", "Comparison", "SequentialTest"),
    "ladder": ("ladder", "Ladder", "policy_panel", "Panel"),
    "conditions": ("north", "east", "south", "west", "me", "lho", "partner", "rho", "Condition", "parse_condition"),
    "show_condition": ("show_condition", "ConditionView"),
    "advice": ("best_bid", "Advice"),
    "thresholds": ("thresholds", "Thresholds"),
    "bidding_table": ("bidding_table", "BiddingTable"),
    "study": ("run_study",),
    "policies": ("policy", "Policy", "HeuristicPolicy", "RolloutPolicy"),
    "tuning": ("tune", "Tuned"),
    "_testing": ("perft",),
    "bench": ("bench", "speeds", "Speeds"),
    "errors": (
        "SitoumusError",
        "InvalidCardError",
        "InvalidMeldError",
        "InvalidActionError",
        "IllegalActionError",
        "InvalidPositionError",
        "RuleSetError",
        "PolicyError",
        "RecordError",
        "RulingError",
        "CaseFileError",
        "DatasetError",
        "StudyError",
        "StudyInterrupted",
    ),
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}
#: Files that are reached whole, as ``sit.cases.check``.
_FILES = ("actions", "cases", "envs", "svg")

__all__ = [*_MODULE_OF, *_FILES, "RESULT_VERSION", "__version__"]


def __getattr__(name: str) -> Any:
    if name in _FILES:
        return import_module(f"{__name__}.{name}")
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Desk(ModuleType):
    """The class of this module: a function goes before the file of the same name (`play`, `simulate`).

    The import system sets a submodule as an attribute of its package; without this, ``sit.play`` would be the function
    or the file, depending on what has been imported before.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and name in _MODULE_OF):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Desk
