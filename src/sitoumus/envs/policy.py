"""A policy of a function that chooses numbers, so that what was trained can play anywhere in the library."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _envs
from ..errors import PolicyError
from ..policies import Policy

if TYPE_CHECKING:
    from .._core import LegalActions, View

__all__ = ["NumberPolicy", "as_policy"]


class NumberPolicy(Policy):
    """A policy whose actions a function chooses as numbers; made by `as_policy`."""

    def __init__(self, choose: Callable[[np.ndarray, np.ndarray], int], name: str) -> None:
        self.choose = choose
        self.name = name

    def act(self, view: View, legal: LegalActions) -> str:
        """The action that stands for the numbers chosen, one choice after another."""
        table = _envs.table_of(view)
        seen = np.zeros(_envs.LENGTH, np.uint8)
        mask = np.zeros(_envs.N, np.uint8)
        chosen: tuple[int, ...] = ()
        _envs.mask(table, chosen, mask)
        while mask.any():
            _envs.observe(table, view.seat, chosen, seen)
            number: Any = self.choose(seen, mask.view(bool))
            if not (isinstance(number, int | np.integer) and 0 <= number < _envs.N and mask[number]):
                raise PolicyError(f"{self.name} chose {number!r}: it must be a number that the mask allows")
            chosen = (*chosen, int(number))
            _envs.mask(table, chosen, mask)
        return _envs.decode(table, chosen)


def as_policy(choose: Callable[[np.ndarray, np.ndarray], int], name: str | None = None) -> NumberPolicy:
    """A policy that plays by numbers, for `sitoumus.play`, `sitoumus.compare` and whatever else takes policies.

    Parameters
    ----------
    choose : callable
        Called with an observation (uint8, shape (LENGTH,)) and a mask (bool, shape (N,)); returns a number that the
        mask allows. The arrays are written anew for the next choice.
    name : str, optional
        What records call it.

    Returns
    -------
    Policy

    Examples
    --------
    >>> import sitoumus as sit
    >>> last = as_policy(lambda observation, mask: mask.nonzero()[0][-1], name="last")
    >>> sit.play(sit.Deal(seed=7, number=42), policies=(last, "greedy")).score is not None
    True
    """
    return NumberPolicy(choose, name or str(getattr(choose, "__qualname__", type(choose).__qualname__)))
