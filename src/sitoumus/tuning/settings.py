"""What a search is asked: one frozen value on which, with the version of the results, all that it finds depends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .. import checks
from ..errors import PolicyError, StudyError
from ..policies import HeuristicPolicy, by_seat, spec
from ..rules import RuleSet, as_rules
from .space import chosen

__all__ = ["Settings"]


@dataclass(frozen=True)
class Settings:
    """What a search is asked.

    Parameters
    ----------
    rules : RuleSet or str
        The game for which the players are tuned.
    start : str or HeuristicPolicy
        From where the search sets out.
    against : sequence of policies
        Players that are in the pool from the beginning, besides `start`.
    parameters : sequence of str
        Which parameters are searched: names with ``*`` and ``?``; a minus before one leaves out what it fits.
    rounds : int
        Best responses that are searched for, at most.
    generations, population : int
        Of each response: generations of the search, and candidates in each.
    pairs : int
        Pairs of deals that each candidate plays.
    test_pairs : int
        Fresh pairs of deals of each test, and of each figure of the payoff matrix.
    sigma : float
        First step of the search, in units of a parameter's step.
    seed : int
        Of the cards and of the search.

    Raises
    ------
    StudyError, PolicyError, RuleSetError
        If one of these cannot be.
    """

    rules: Any = "sitoumussamba"
    start: Any = "tuned"
    against: Sequence[Any] = ()
    parameters: Sequence[str] = ("*",)
    rounds: int = 4
    generations: int = 60
    population: int = 16
    pairs: int = 400
    test_pairs: int = 4000
    sigma: float = 0.2
    seed: int = 0

    def __post_init__(self) -> None:
        def put(name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

        put("rules", as_rules(self.rules))
        put("start", by_seat(self.start, self.rules)[0])
        if not isinstance(self.start, HeuristicPolicy):
            raise PolicyError(f"start is {spec(self.start)!r}: it must be a heuristic policy, to have parameters")
        against = (self.against,) if isinstance(self.against, str) else tuple(self.against)
        put("against", tuple(by_seat(each, self.rules)[0] for each in against))
        for each in self.against:
            if not hasattr(each, "kind"):
                raise PolicyError(f"against has {spec(each)!r}: opponents of a search are compiled policies")
        parameters = (self.parameters,) if isinstance(self.parameters, str) else tuple(self.parameters)
        put("parameters", parameters)
        for name, least, most in (
            ("rounds", 1, 100),
            ("generations", 1, 100_000),
            ("population", 4, 1000),
            ("pairs", 2, 10_000_000),
            ("test_pairs", 2, 100_000_000),
            ("seed", 0, None),
        ):
            put(name, checks.whole(name, getattr(self, name), least, most))
        sigma = self.sigma
        if isinstance(sigma, bool) or not isinstance(sigma, int | float) or not (math.isfinite(sigma) and sigma > 0):
            raise StudyError(f"sigma is {checks.quoted(sigma)}: it must be a number above 0")
        put("sigma", float(sigma))
        chosen(parameters, self.start, self.rules)

    def to_dict(self) -> dict[str, Any]:
        """As plain values, parameters of the players written out."""
        rules: RuleSet = self.rules
        return {
            "rules": rules.to_dict(),
            "start": self.start.to_dict(),
            "against": [each.to_dict() if hasattr(each, "to_dict") else spec(each) for each in self.against],
            "parameters": list(self.parameters),
            "rounds": self.rounds,
            "generations": self.generations,
            "population": self.population,
            "pairs": self.pairs,
            "test_pairs": self.test_pairs,
            "sigma": self.sigma,
            "seed": self.seed,
        }
