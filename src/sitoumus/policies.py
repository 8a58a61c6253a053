"""Policies: who decides for a seat, and how a ``policies=`` argument is read.

A policy is a name (`NAMED`), a compiled policy, or any Python object with ``act(view, legal) -> action``. A compiled
policy has the attributes ``kind`` and ``params``, by which the core plays it, and ``to_dict()``, by which
records and provenance show it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import PolicyError
from .position import layout_of

if TYPE_CHECKING:
    import numpy as np

    from ._core import LegalActions, View
    from .rules import RuleSet

__all__ = ["NAMED", "Policy", "by_seat", "compiled", "policy", "policy_hash", "spec", "specs"]


class Policy:
    """Base class of policies written in Python; nothing needs it but `rng`."""

    def act(self, view: View, legal: LegalActions) -> str:
        """Decide.

        Parameters
        ----------
        view : View
            What the seat may know (D22).
        legal : LegalActions
            The legal single steps.

        Returns
        -------
        str
            One of them, or a longer ``meld`` or ``add`` text.
        """
        raise NotImplementedError

    def rng(self, view: View) -> np.random.Generator:
        """Random numbers for this decision: always the same for the same seed, deal, turn, seat and step of the turn.

        Examples
        --------
        >>> from sitoumus import Deal, Table
        >>> view = Table(Deal(seed=7, number=42)).view("E")
        >>> Policy().rng(view).integers(100) == Policy().rng(view).integers(100)
        np.True_
        """
        import numpy as np

        key = np.random.SeedSequence(view.seed or 0).generate_state(2, np.uint64)
        counter = [view.address << 32 | view.step << 20, 1, view.number or 0, 0]
        return np.random.Generator(np.random.Philox(key=key, counter=counter))


@dataclass(frozen=True)
class Named:
    """A compiled policy without parameters of its own."""

    name: str
    kind: int
    params: tuple[int, ...] = ()


#: The policies that go by a name.
NAMED: dict[str, Any] = {
    "random": Named("random", 0),
    "greedy": Named("greedy", 1),
    "heuristic": Named("heuristic", 2),
}


def policy(given: Any) -> Any:
    """The policy of a name; a policy object as it is.

    Raises
    ------
    PolicyError
        If there is none.
    """
    if isinstance(given, str):
        if given not in NAMED:
            raise PolicyError(f"unknown policy {given!r}: known names are {', '.join(NAMED)}")
        return NAMED[given]
    if not hasattr(given, "kind") and not callable(getattr(given, "act", None)):
        raise PolicyError(f"{given!r} is no policy: a policy is one of {', '.join(NAMED)}, or an object with act()")
    return given


def by_seat(policies: Any, rules: RuleSet) -> tuple[Any, ...]:
    """The policy of each seat: one for all, one for each side, or one for each seat.

    Examples
    --------
    >>> from sitoumus import SITOUMUSSAMBA
    >>> [found.name for found in by_seat(("greedy", "random"), SITOUMUSSAMBA)]
    ['greedy', 'random', 'greedy', 'random']
    """
    layout = layout_of(rules)
    if isinstance(policies, str | Mapping) or not isinstance(policies, Sequence):
        return (policy(policies),) * len(layout.seats)
    found = [policy(each) for each in policies]
    if len(found) == 1:
        return tuple(found * len(layout.seats))
    if len(found) == len(layout.seats):
        return tuple(found)
    if len(found) == len(layout.sides):
        return tuple(found[side] for side in layout.side_of)
    raise PolicyError(
        f"policies are {len(found)}: give one for all, one for each of {', '.join(layout.sides)}, "
        f"or one for each of {', '.join(layout.seats)}"
    )


def compiled(policy: Any) -> tuple[int, tuple[int, ...]] | None:
    """Kind and parameters of a compiled policy, None for one that is played from Python."""
    return (policy.kind, tuple(policy.params)) if hasattr(policy, "kind") else None


def spec(policy: Any) -> Any:
    """A policy as records and provenance have it: its name, or its ``to_dict()``; a Python policy by its class."""
    for name, known in NAMED.items():
        if policy is known or (hasattr(policy, "kind") and policy == known):
            return name
    if hasattr(policy, "to_dict"):
        return policy.to_dict()
    return getattr(policy, "name", None) or f"{type(policy).__module__}.{type(policy).__qualname__}"


def specs(seated: Sequence[Any]) -> list[Any]:
    """The policies of the seats as plain values; one stands for all where all are equal."""
    found = [spec(each) for each in seated]
    return found[:1] if all(each == found[0] for each in found) else found


def policy_hash(policy: Any) -> str | None:
    """Twelve hexadecimal digits of what the core plays; of a Python policy its attribute ``hash``, if it has one."""
    code = compiled(policy)
    if code is None:
        return getattr(policy, "hash", None)
    return hashlib.sha256(json.dumps(code).encode()).hexdigest()[:12]
