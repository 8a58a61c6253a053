"""The parameters that are searched: their bounds, the sizes of their steps, and points as policies."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence

import numpy as np

from ..errors import StudyError
from ..policies import PARAMETERS, HeuristicPolicy
from ..rules import RuleSet

__all__ = ["Space", "chosen"]

#: Least and most of parameters that count something; all others go from 0 to 20,000.
BOUNDS = {
    "late_stock": (0, 40),
    "hold_run": (4, 6),
    "set_least": (3, 7),
    "deuces_least": (3, 6),
    "stop_stock": (0, 101),
    "stop_set": (3, 7),
    "open_turn": (0, 264),
    "shed_stock": (0, 101),
    "lock_depth": (0, 100),
    "unopened_risk": (0, 100),
    "bid_compete": (0, 8),
    "bid_stop": (0, 20),
    "double_level": (1, 21),
    "race_level": (1, 21),
    "race_open": (0, 264),
    "race_set": (3, 7),
    "race_wild": (3, 7),
    "take_time": (-500, 500),
    "bid_partner": (-1000, 1000),
    "bid_floor": (1, 100),
}
#: Sizes of a step, where 0.6 of the default, and at least what follows for its unit, would not do.
SCALES = {
    "hold_run": 1,
    "set_least": 1,
    "deuces_least": 1,
    "stop_set": 2,
    "stop_stock": 30,
    "bid_compete": 1.5,
    "bid_stop": 2,
    "double_level": 2,
    "race_level": 2,
    "race_set": 1,
    "race_wild": 1,
    "bid_floor": 10,
}
LEAST_SCALE = {"points": 20, "percent": 20, "cards": 4, "turns": 10, "tenths": 10, "levels": 1, "log-odds/1000": 200}
_BY_NAME = {parameter.name: parameter for parameter in PARAMETERS}


def chosen(patterns: Sequence[str], start: HeuristicPolicy, rules: RuleSet) -> list[str]:
    """Names of the parameters that match a pattern, and none that begins with a minus.

    What cannot change a step is left out: the auction where there is none, the estimate of a contract
    (``made_*``, ``bid_floor``) where the player bids by worth.

    Raises
    ------
    StudyError
        If a pattern fits no parameter, or none is left.
    """
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(name, pattern.removeprefix("-")) for name in _BY_NAME):
            raise StudyError(f"parameters: {pattern!r} fits no parameter of the heuristic; try 'bid_*' or '-race_*'")
    idle = [] if start.params["bid_floor"] else ["made_*", "bid_floor"]
    if rules.contract is None:
        idle += ["bid_*", "made_*", "double_level", "race_*", "stop_*", "take_time", "out_card"]

    def fits(name: str, these: Sequence[str]) -> bool:
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in these)

    without = [pattern[1:] for pattern in patterns if pattern.startswith("-")] + idle
    wanted = [pattern for pattern in patterns if not pattern.startswith("-")] or ["*"]
    names = [name for name in _BY_NAME if fits(name, wanted) and not fits(name, without)]
    if not names:
        raise StudyError(f"parameters: {' '.join(patterns)} leave none that counts under these rules")
    return names


class Space:
    """Some parameters around those of a player, in units of their steps.

    Attributes
    ----------
    names : list of str
    low, high : ndarray of float, shape (n,)
        The bounds, in units of steps from the player.
    """

    def __init__(self, names: list[str], centre: HeuristicPolicy):
        self.names, self.centre = names, centre
        self._middle = np.array([centre.params[name] for name in names], float)
        self._scale = np.array([self.scale(name) for name in names])
        bounds = np.array([BOUNDS.get(name, _free(name)) for name in names], float)
        # Where the player himself lies outside, the bound is where he lies.
        self._low, self._high = np.minimum(bounds[:, 0], self._middle), np.maximum(bounds[:, 1], self._middle)
        self.low = (self._low - self._middle) / self._scale - 1e-9
        self.high = (self._high - self._middle) / self._scale + 1e-9

    @staticmethod
    def scale(name: str) -> float:
        """The size of a step of one parameter, in its unit."""
        parameter = _BY_NAME[name]
        return SCALES.get(name) or max(abs(parameter.default) * 0.6, LEAST_SCALE[parameter.unit])

    def player(self, x: np.ndarray) -> HeuristicPolicy:
        """The policy at a point: whole numbers within the bounds."""
        values = np.clip(np.rint(self._middle + x * self._scale), self._low, self._high).astype(int)
        return self.centre.replace(**{name: int(value) for name, value in zip(self.names, values, strict=True)})


def _free(name: str) -> tuple[int, int]:
    return (-20_000, 20_000) if name.startswith("made_") else (0, 20_000)
