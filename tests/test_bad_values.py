"""Bad values at every door: each parameter of each public callable in turn.

The only outcomes allowed are an answer and a `SitoumusError` of one sentence. A small seeded part runs always; all of
it with SITOUMUS_BAD_VALUES=all in the environment.
"""

import inspect
import os
import random
import warnings

import numpy as np
import pandas as pd
import pytest

import sitoumus as sit

HAND = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"
QUIET = {"progress": False}

ROWS = sit.simulate(2, seed=1, policies="random", progress=False)
GAME = sit.play(sit.Deal(3), policies="random")

#: One valid call of every public callable: its arguments by name.
CALLS = {
    "Hand": {"cards": "9c 9d"},
    "Meld": {"cards": "9c 9d 9h", "rules": None},
    "Deal": {"seed": 3, "number": 1, "hands": {"N": "9c"}, "rules": None, "where": None},
    "Table": {"deal": sit.Deal(3), "rules": None, "dealer": "N", "totals": [0, 0]},
    "features": {"hands": [HAND], "rules": None},
    "random_hands": {"n": 3, "seed": 1, "cards": 15, "rules": None},
    "preset": {"name": "samba"},
    "play": {
        "deal": sit.Deal(3), "policies": "random", "rules": None, "dealer": "N", "totals": [0, 0],
        "contract": "3H by E", "policy_seed": 1, "below": [],
    },
    "play_match": {"seed": 3, "number": 0, "policies": "random", "rules": sit.SITOUMUSSAMBA.replace(target=500)},
    "simulate": {
        "n": 2, "seed": 1, "rules": "samba", "policies": "random", "dealer": "N", "totals": [0, 0], "contract": None,
        "hands": {"N": "9c"}, "where": None, "start": 0, "threads": 1, "chunk": 1, "below": [], "policy_seed": 1,
        **QUIET,
    },
    "simulate_matches": {
        "n": 1, "seed": 1, "rules": sit.SITOUMUSSAMBA.replace(target=500), "policies": "random", "start": 0,
        "threads": 1, "policy_seed": 1, "totals": [0, 0], **QUIET,
    },
    "compare": {"a": "greedy", "b": "random", "pairs": 2, "seed": 1, "start": 0, "threads": 1, **QUIET},
    "contract_odds": {
        "hand": HAND, "contracts": ["3H"], "seat": "E", "dealer": "N", "totals": [0, 0], "deals": 4, "seed": 1,
        "policies": "random", "rules": None, "threads": 1, **QUIET,
    },
    "best_opening": {"hands": [HAND], "deuces": 4, "rules": None},
    "best_bid": {
        "hand": HAND, "seat": "E", "dealer": "N", "totals": [0, 0], "auction": (), "max_level": 1, "eps": 25.0,
        "deals": 4, "seed": 1, "policies": "random", "utility": "points", "calls": ["pass", "1C"], "floor": 0.5,
        "rules": None, "policy_seed": 1, "hands": {"W": "9c"}, "where": None, "threads": 1, **QUIET,
    },
    "thresholds": {
        "contract": "1H", "feature": "run_h", "hands": 200, "repeats": 1, "seat": "E", "dealer": "N", "totals": [0, 0],
        "rising": None, "seed": 1, "policies": "random", "rules": None, "draws": 100, "policy_seed": 1, "where": None,
        "against": "pass", "contested": False, "auction": (), "floor": 0.5, "threads": 1, **QUIET,
    },
    "bidding_table": {
        "minima": [50], "levels": [1], "strains": ["H"], "features": None, "hands": 200, "seat": "E", "dealer": "N",
        "seed": 1, "policies": "random", "draws": 100, "policy_seed": 1, "against": "pass", "contested": False,
        "auction": (), "floor": 0.5, "threads": 1, **QUIET,
    },
    "ladder": {"policies": ["random", "greedy"], "pairs": 2, "seed": 1, "start": 0, **QUIET},
    "policy_panel": {"hands": [HAND], "contracts": ["1H"], "policies": ["random", "greedy"], "deals": 4, **QUIET},
    "rescore": {"df": ROWS, "rules": "sitoumussamba"},
    "replay": {"source": ROWS, "number": 1, "policies": None, "seed": None, "rules": None},
    "concat": {"frames": [ROWS]},
    "show_condition": {
        "where": "north.jokers >= 1", "seed": 1, "hands": {"N": "9c"}, "rules": "samba", "seat": None, "deals": 10,
        "tries": 1_000,
    },
    "SequentialTest": {"h0": 0.0, "h1": 0.02, "alpha": 0.05, "beta": 0.05, "every": 1_000},
    "to_html": {"games": GAME, "path": None, "view": None, "start": 0, "lang": "en", "title": None},
    "Session": {
        "deal": sit.Deal(3), "people": ["S"], "policies": "random", "rules": None, "dealer": "N", "totals": [0, 0],
    },
    "Referee": {"table": sit.Table(sit.Deal(3))},
    "policy": {"given": "rollout:8:greedy"},
    "perft": {"table": sit.Table(sit.Deal(3)), "depth": 1},
    "HeuristicPolicy": {"bid_first": 2000},
    "RolloutPolicy": {"worlds": 8, "base": "greedy", "caution": 0},
    "parse_condition": {"text": "east.jokers >= 1"},
    "open_dataset": {"path": "nowhere"},
    "load_game": {"path": "nowhere"},
    "load_games": {"path": "nowhere"},
    "run_study": {"source": {"study": "contract_odds", "hand": HAND, "contracts": ["3H"], "deals": 4}, **QUIET},
}  # fmt: skip

#: Public callables without a call of their own yet; the list may only shrink.
WITHOUT = {
    "LegalActions", "View", "Score", "RuleSet", "Match", "Dataset",
    "Game", "save_games", "ContractOdds", "Comparison", "Ladder", "Panel",
    "Condition", "ConditionView", "Advice", "Thresholds",
    "BiddingTable", "Policy", "bench", "speeds", "Speeds", "Tuned", "tune", "MatchSheet",
    "RefereeReport", "ranking", "referee", "score_deal",
    "Duty", "Incident", "Irregularity", "PenaltyCode", "Remedy", "Ruling",
}  # fmt: skip

BAD = [
    True, 1.5, -1, 2**31, 2**63 - 1, 2**63, -(2**70), 10**5000, float("nan"), float("inf"), None, "", "x", "١", b"9c",
    [], {}, (), set(), [1], [None], ["x", "x"], {"x": 1}, {1: 2}, object, np.int8(-1), np.int64(3),
    np.uint64(2**64 - 1), np.float64(1.5), np.float32("nan"), np.bool_(True), np.str_("N"), np.datetime64("2020"),
    np.array([1, 2]), np.array(3), np.zeros((2, 2)), pd.Series([1, 2]), pd.Series([], dtype=float), pd.NA,
    1j, range(2), "9" * 5000, "\0",
]  # fmt: skip

#: Values that are right, but too much to ask here.
COSTLY = {("n", 2**31), ("deals", 2**31), ("pairs", 2**31), ("hands", 2**31), ("tries", 2**31), ("repeats", 2**31),
          ("draws", 2**31)}  # fmt: skip


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some of the values are names of files


def ask(name, given):
    answer = getattr(sit, name)(**given)
    return list(answer) if name == "load_games" else answer  # it reads when asked for the first game


def all_trials():
    for name, given in CALLS.items():
        for parameter in given:
            for place, value in enumerate(BAD):
                if not (isinstance(value, int) and (parameter, value) in COSTLY):
                    yield name, parameter, place


def trials():
    found = list(all_trials())
    return found if os.environ.get("SITOUMUS_BAD_VALUES") == "all" else random.Random(15).sample(found, 500)


def test_every_public_callable_has_a_call_or_is_listed_as_without_one():
    found = {name: getattr(sit, name) for name in sit.__all__}
    public = {name for name, thing in found.items() if callable(thing)}
    errors = {name for name in public if inspect.isclass(found[name]) and issubclass(found[name], BaseException)}
    conditions = {"north", "east", "south", "west", "me", "lho", "partner", "rho"}
    assert public - errors - conditions == set(CALLS) | WITHOUT
    assert not set(CALLS) & WITHOUT


@pytest.mark.parametrize("name", CALLS)
def test_the_valid_call_is_valid(name):
    if name in ("open_dataset", "load_game", "load_games"):
        with pytest.raises(sit.SitoumusError, match="nowhere"):
            ask(name, CALLS[name])
    else:
        assert ask(name, CALLS[name]) is not None


@pytest.mark.parametrize(("name", "parameter", "place"), trials())
def test_a_bad_value_is_answered_or_refused_in_one_sentence(name, parameter, place):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ask(name, CALLS[name] | {parameter: BAD[place]})
    except sit.SitoumusError as error:
        text = str(error)
        assert text.strip()
        assert "\n" not in text
        assert len(text) < 1500
