"""Policies: who decides for a seat, and how a ``policies=`` argument is read.

A policy is a name (`NAMED`), a compiled policy, or any Python object with ``act(view, legal) -> action``. A compiled
policy has the attributes ``kind`` and ``weights``, by which the core plays it, and ``to_dict()``, by which
records and provenance show it.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from . import checks
from ._names import POLICIES, PURPOSES
from .errors import PolicyError
from .notation import bid_number
from .position import layout_of

if TYPE_CHECKING:
    import numpy as np

    from ._core import LegalActions, Table, View
    from .rules import RuleSet

__all__ = [
    "NAMED",
    "PARAMETERS",
    "HeuristicPolicy",
    "Parameter",
    "Policy",
    "RolloutPolicy",
    "by_seat",
    "compiled",
    "in_game",
    "policy",
    "policy_hash",
    "spec",
    "specs",
]

T = TypeVar("T")

#: Weight of what a policy would not have done, in worlds that agree with what others have done.
FLOOR = 0.02


def is_floor(given: Any) -> bool:
    """Whether it can be such a weight."""
    try:
        return isinstance(given, Real) and not isinstance(given, bool) and 0 <= float(given) < 1
    except OverflowError:
        return False


class Policy:
    """Base class of policies written in Python; nothing needs it but `rng` and `pick`."""

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

        key = np.array(view.key, np.uint64)
        return np.random.Generator(np.random.Philox(key=key, counter=_counter(view)))

    def pick(self, view: View, options: Sequence[T]) -> T:
        """One of some options, each with the same chance: as repeatable as `rng`, and much faster for a single draw.

        Examples
        --------
        >>> from sitoumus import Deal, Table
        >>> table = Table(Deal(seed=7, number=42))
        >>> Policy().pick(table.view("E"), table.legal_actions) in table.legal_actions
        True
        """
        from ._core import bounded_draws

        return options[bounded_draws(view.key, _counter(view), len(options), 1)[0]]


def _counter(view: View) -> tuple[int, int, int, int]:
    return view.address << 32 | view.step << 20, PURPOSES["policy"], 0, 0


@dataclass(frozen=True)
class Named:
    """A compiled policy without parameters of its own."""

    name: str
    kind: int
    weights: tuple[int, ...] = ()


class Parameter(NamedTuple):
    """A parameter of the heuristic policy."""

    name: str
    default: int
    unit: str
    meaning: str


#: The parameters of `HeuristicPolicy`, in the order in which the core has them.
PARAMETERS: tuple[Parameter, ...] = tuple(
    Parameter(name, default, unit, meaning)
    for name, default, unit, meaning in (
        ("keep_run3", 10, "points", "a card in a window of seven of a suit, three of which are in hand"),
        ("keep_run4", 25, "points", "... four of which are"),
        ("keep_run5", 60, "points", "... five or more of which are"),
        (
            "keep_own4",
            25,
            "points",
            "a card in a window around an own sequence, four cards of which are there or in hand",
        ),
        ("keep_own5", 90, "points", "... five or more of which are"),
        ("keep_triple", 20, "points", "a card of three or more of a rank"),
        (
            "keep_for_pile",
            20,
            "tenths",
            "... more for each card in the pile, where the pair (three, if frozen) could take it",
        ),
        ("keep_set", 20, "points", "a card that fits an own incomplete set"),
        ("keep_joker", 60, "points", "a joker"),
        ("keep_deuce", 90, "points", "a deuce"),
        ("shed_red_three", 60, "points", "readiness to discard a red three"),
        ("shed_black_three", 20, "points", "readiness to discard a black three"),
        ("feed_run", 200, "points", "danger of a discard that continues a sequence of the opponents, besides the pile"),
        ("pile_card", 20, "points", "worth of each card in the pile to the opponent who takes it"),
        (
            "unopened_risk",
            30,
            "percent",
            "share of the chance that the next player can take the pile, while his side is not open",
        ),
        ("freeze_card", 3, "points", "worth of freezing the pile against an open side, for each card in it"),
        ("take_least", 30, "points", "least worth of the pile for which it is taken"),
        (
            "take_card",
            25,
            "points",
            "worth of a card of the pile to the taker; without a contract four times as much is what each card of the "
            "stock beyond the first is worth that he gives up",
        ),
        ("take_wild", 60, "points", "worth of a joker or deuce of the pile to the taker"),
        ("take_red_three", 60, "points", "cost of a red three of the pile to the taker"),
        (
            "take_time",
            0,
            "points",
            "worth of a take, which leaves the stock, while the own contract is not reached; its cost where void is "
            "better than failed",
        ),
        (
            "open_turn",
            30,
            "turns",
            "turn of the deal until which a side opens with sequences alone, or to take the pile; without a contract "
            "with sets too, but without wild cards",
        ),
        ("late_stock", 6, "cards", "stock with which a turn counts as the last one: all is laid"),
        (
            "hold_run",
            4,
            "cards",
            "cards of a window around an own sequence that wait for the gap to close (6: none wait)",
        ),
        ("set_least", 7, "cards", "naturals with which a new set is laid"),
        ("deuces_least", 3, "cards", "deuces and jokers with which a deuce set is laid"),
        (
            "stop_stock",
            0,
            "cards",
            "stock from which a side lays sets to stop a contract that the opponents have not reached",
        ),
        ("stop_set", 3, "cards", "naturals with which it then lays a new set"),
        (
            "out_card",
            12,
            "points",
            "expected minus of a card in partner's hand, when going out could cost the contract",
        ),
        ("bid_run5", 110, "points", "worth for bidding of a suit with five cards in a window of seven"),
        ("bid_run6", 300, "points", "... with six or more"),
        ("bid_three", 400, "points", "... of a sequence in hand"),
        ("bid_wild", 50, "points", "... of a joker or deuce"),
        ("bid_first", 50, "points", "worth with which level 1 is bid"),
        ("bid_gap", 70, "points", "more worth for level 2, and again for level 3"),
        ("bid_fourth", 220, "points", "worth with which level 4 is bid"),
        ("bid_step", 260, "points", "more worth for every further level"),
        ("bid_partner", 20, "points", "more worth once partner has bid"),
        ("bid_compete", 1, "levels", "how much higher than it hopes a hand worth level 4 bids against the opponents"),
        (
            "bid_double",
            7300,
            "points",
            "own worth and 1000 a level of the opponents' bid together with which it is doubled",
        ),
        ("bid_stop", 20, "levels", "highest level that is bid"),
        ("double_level", 21, "levels", "level of an opponents' bid from which it is doubled with any hand"),
        (
            "lock_depth",
            0,
            "percent",
            "share of the pile beneath its uppermost lock that is left out of what a discard gives and a pair could "
            "take: 100 where a take brings the cards down to that lock alone",
        ),
        ("shed_stock", 0, "cards", "stock below which discards count what a card costs in hand at the end"),
        (
            "race_level",
            21,
            "levels",
            "level of the opponents' contract from which the side races: it plays to go out before that is made",
        ),
        ("race_open", 30, "turns", "turn of the deal from which a racing side opens with sets and wild cards too"),
        ("race_set", 3, "cards", "naturals with which a racing side lays a new set"),
        ("race_wild", 5, "cards", "size of a set which a racing side completes with wild cards (7: none)"),
        ("race_keep", 0, "points", "more worth of a card that fits an own incomplete set, in a race"),
        ("race_pair", 0, "points", "worth of a card of which two or more of a rank are in hand, in a race"),
        ("race_take", 0, "points", "more worth of a take, in a race"),
        (
            "bid_floor",
            0,
            "percent",
            "least chance to be made with which a contract is bid, by the estimate below; 0: bids by worth instead",
        ),
        ("made_1", 3000, "log-odds/1000", "estimate that a contract is made: of level 1"),
        ("made_2", 1250, "log-odds/1000", "... of level 2"),
        ("made_3", 188, "log-odds/1000", "... of level 3"),
        ("made_4", -928, "log-odds/1000", "... of level 4"),
        ("made_5", -916, "log-odds/1000", "... of level 5"),
        ("made_6", -2496, "log-odds/1000", "... of level 6"),
        ("made_7", -2847, "log-odds/1000", "... of level 7"),
        ("made_8", -3800, "log-odds/1000", "... of level 8; higher ones are not bid so"),
        ("made_run_card", 144, "log-odds/1000", "... more for each card that stands in a sequence of three or more"),
        ("made_longest", 60, "log-odds/1000", "... for each card of the longest sequence"),
        ("made_card_points", 69, "log-odds/1000", "... for each 10 card points of the hand"),
        ("made_joker", -267, "log-odds/1000", "... for each joker"),
        ("made_ace", -34, "log-odds/1000", "... for each ace"),
        ("made_triple", -30, "log-odds/1000", "... for each rank held exactly three times"),
        ("made_partner", 88, "log-odds/1000", "... once partner has bid"),
        ("made_partner_level", -11, "log-odds/1000", "... and for each level of partner's highest bid"),
        ("made_against", 162, "log-odds/1000", "... once the opponents have bid"),
        ("made_against_level", -61, "log-odds/1000", "... and for each level of their highest bid"),
    )
)


class HeuristicPolicy:
    """The compiled heuristic: bids, plans each turn and discards by named whole numbers. Frozen and hashable.

    Parameters
    ----------
    **params : int
        Values of `PARAMETERS`; those not given have their defaults.

    Raises
    ------
    PolicyError
        If there is no such parameter, or a value is no whole number of at most 32 bits.

    Examples
    --------
    >>> from sitoumus import HeuristicPolicy
    >>> bold = HeuristicPolicy(bid_first=2000)
    >>> bold.params["bid_first"], bold == HeuristicPolicy().replace(bid_first=2000)
    (2000, True)
    >>> bold
    HeuristicPolicy(bid_first=2000)
    """

    __slots__ = ("weights",)

    kind = POLICIES["heuristic"]
    name = "heuristic"
    weights: tuple[int, ...]

    def __init__(self, **params: int) -> None:
        known = [parameter.name for parameter in PARAMETERS]
        for name, value in params.items():
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                raise PolicyError(
                    f"{name!r} is no parameter of the heuristic policy"
                    + (f": did you mean {near[0]!r}?" if near else f"; they are {', '.join(known)}")
                )
            params[name] = checks.whole(name, value, 1 - 2**31, 2**31 - 1, PolicyError)
        weights = tuple(params.get(parameter.name, parameter.default) for parameter in PARAMETERS)
        object.__setattr__(self, "weights", weights)

    @property
    def params(self) -> dict[str, int]:
        """All parameters by name."""
        return {parameter.name: value for parameter, value in zip(PARAMETERS, self.weights, strict=True)}

    def replace(self, **params: int) -> HeuristicPolicy:
        """The policy with other values for some parameters."""
        return type(self)(**(self.params | params))

    def chance(self, table: Table, bid: str) -> float:
        """The chance to make a contract, as the seat to call sees it: what ``bid_floor`` is compared with.

        Parameters
        ----------
        table : Table
            A table whose auction goes on.
        bid : str
            The contract, as ``"5H"``; levels 9 and higher are not estimated and have 0.

        Returns
        -------
        float
            The logistic function of the ``made_*`` parameters that hand and calls speak for.

        Raises
        ------
        PolicyError
            If the table has no auction that goes on.
        InvalidActionError
            If it is no bid.

        Examples
        --------
        >>> from sitoumus import Deal, Table
        >>> round(policy("steady").chance(Table(Deal(seed=7, number=42)), "5H"), 2)
        0.63
        """
        from ._core import made_log_odds

        if table.phase != "auction":
            raise PolicyError(f"the table is in phase {table.phase}: a chance is estimated in the auction alone")
        return 1 / (1 + math.exp(-made_log_odds(table, self.weights, bid_number(bid) // 6 + 1) / 1000))

    def to_dict(self) -> dict[str, Any]:
        """As a plain mapping, all parameters written out."""
        return {"policy": self.name, "params": self.params}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> HeuristicPolicy:
        """The policy that `to_dict` wrote.

        Raises
        ------
        PolicyError
            If it is no such mapping.
        """
        if (
            set(given) != {"policy", "params"}
            or given["policy"] != cls.name
            or not isinstance(given["params"], Mapping)
        ):
            raise PolicyError(f"{given!r} is no heuristic policy: it has 'policy': {cls.name!r} and 'params'")
        return cls(**given["params"])

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a policy is frozen: use replace({name}=...)")

    __delattr__ = __setattr__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return self.weights == other.weights if isinstance(other, HeuristicPolicy) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.name, self.weights))

    def __repr__(self) -> str:
        changed = [f"{p.name}={value}" for p, value in zip(PARAMETERS, self.weights, strict=True) if value != p.default]
        return f"HeuristicPolicy({', '.join(changed)})"

    def __reduce__(self) -> Any:
        return type(self).from_dict, (self.to_dict(),)


@dataclass(frozen=True)
class RolloutPolicy:
    """The compiled policy that tries its plans: each is played out to the end of the deal on the same worlds.

    A world is the table with the hidden cards dealt anew, as the view allows (D22) and so that it agrees with what the
    others have done (`floor`). The plans are what the base policy would do, and: in the auction, pass, the
    double, and the lowest bid of the next three levels; before the draw, every way to draw or to take the pile; then
    the base's melds with every other discard, nothing laid, everything laid, and buying. After an eighth, a quarter and
    a half of the worlds the worse half of the plans is dropped. The base's plan is left only for one whose mean gain is
    above `caution` hundredths of its standard error. Frozen and hashable.

    Parameters
    ----------
    worlds : int, optional
        Worlds on which the last plans are compared, 64 if left out; as many as the time allows with `milliseconds`.
    base : str or compiled policy
        Plays out, at all seats, and decides where there is only one plan (openings before play, answers).
    caution : int
        Hundredths of a standard error.
    milliseconds : int
        Time for a decision, 0 for none set: it stops at the first of the two budgets, after 8 worlds at least. What it
        does then depends on the machine: `play` and `Table.advise` take such a policy, runs of many deals refuse it.
    floor : float or None
        Worlds are dealt so that they agree with what the other seats have called and last discarded: chance that a
        seat makes any legal call or discard, and not that of the base, in steps of a millionth. None: all worlds of
        the view are equally likely.

    Raises
    ------
    PolicyError
        If the base is not a compiled policy, or a number is out of range.

    Examples
    --------
    >>> from sitoumus import Deal, RolloutPolicy, play
    >>> game = play(Deal(seed=7, number=42), policies=(RolloutPolicy(worlds=8), "heuristic"))
    >>> game.table.phase
    'over'
    """

    worlds: int = None  # type: ignore[assignment]
    base: Any = "heuristic"
    caution: int = 100
    milliseconds: int = 0
    floor: float | None = FLOOR

    kind = POLICIES["rollout"]
    name = "rollout"

    def __post_init__(self) -> None:
        base = policy(self.base)
        if compiled(base) is None or isinstance(base, RolloutPolicy):
            raise PolicyError(f"base is {self.base!r}: it must be a compiled policy that does not play out itself")
        object.__setattr__(self, "base", base)
        if self.worlds is None:
            object.__setattr__(self, "worlds", 1_000_000 if self.milliseconds else 64)
        for name, least, most in (("worlds", 8, 1_000_000), ("caution", 0, 10_000), ("milliseconds", 0, 1_000_000)):
            value = getattr(self, name)
            object.__setattr__(self, name, checks.whole(name, value, least, most, PolicyError))
        if self.floor is not None:
            if not is_floor(self.floor):
                raise PolicyError(f"floor is {self.floor!r}: must be None, or a number from 0 to less than 1")
            object.__setattr__(self, "floor", float(self.floor))

    @property
    def weights(self) -> tuple[int, ...]:
        """As the core has them."""
        floor = -1 if self.floor is None else min(round(1e6 * self.floor), 999_999)
        return (self.worlds, self.caution, self.milliseconds, floor, self.base.kind, *self.base.weights)

    @property
    def reproducible(self) -> bool:
        """Whether it decides the same on every machine."""
        return self.milliseconds == 0

    def to_dict(self) -> dict[str, Any]:
        """As a plain mapping."""
        found = {name: getattr(self, name) for name in ("worlds", "base", "caution", "floor")}
        found = {"policy": self.name, **found, "base": spec(self.base)}
        return found | ({"milliseconds": self.milliseconds} if self.milliseconds else {})

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> RolloutPolicy:
        """The policy that `to_dict` wrote.

        Raises
        ------
        PolicyError
            If it is no such mapping.
        """
        known = {"policy", "worlds", "base", "caution", "floor"}
        if set(given) - {"milliseconds"} != known or given["policy"] != cls.name:
            raise PolicyError(
                f"{given!r} is no rollout policy: it has 'policy': 'rollout', worlds, base, caution, floor, and "
                "milliseconds where a time is set"
            )
        given = {name: value for name, value in given.items() if name != "policy"}
        return cls(**given | ({"floor": None} if given["floor"] == "none" else {}))  # as TOML has it


#: The parameters that were found in self-play.
TUNED_FILE = Path(__file__).parent / "data" / "tuned.json"


def _in_file(name: str) -> HeuristicPolicy:
    return HeuristicPolicy(**json.loads(TUNED_FILE.with_name(f"{name}.json").read_text(encoding="utf-8")))


#: Policies whose parameters never change, so that studies can be repeated. The number is the result version in which
#: they came to be, or the last one in which their name alone meant them.
VERSIONED: dict[str, Any] = {
    name: _in_file(name)
    for name in (
        "heuristic@14",
        "tuned@14",
        "racer@15",
        "tuned@15-void-0-100",
        "tuned@15-void-50-100",
        "tuned@15-void-100-100",
    )
}

#: Who is `tuned` where a void contract costs something (D26), by `void_cost`; found by `sitoumus tune`.
TUNED_BY_VOID_COST: dict[tuple[int, int], str] = {
    (0, 100): "tuned@15-void-0-100",
    (50, 100): "tuned@15-void-50-100",
    (100, 100): "tuned@15-void-100-100",
}

#: The figures by which `steady` bids, found by `tools/fit_steady.py`; he plays as `racer@15`.
STEADY_FILE = TUNED_FILE.with_name("steady.json")

#: The policies that go by a name.
NAMED: dict[str, Any] = {
    "random": Named("random", POLICIES["random"]),
    "greedy": Named("greedy", POLICIES["greedy"]),
    "heuristic": HeuristicPolicy(),
    "tuned": _in_file("tuned"),
    "steady": VERSIONED["racer@15"].replace(**json.loads(STEADY_FILE.read_text(encoding="utf-8"))),
}

#: Who plays where no policy is named.
DEFAULT = "steady"


def policy(given: Any) -> Any:
    """The policy of a name (``tuned``, ``rollout:64``), of a file, or of what ``to_dict`` wrote; an object as it is.

    A file ends with ``.json`` and holds what ``to_dict`` wrote, or parameters of the heuristic alone; ``sitoumus tune``
    writes such files.

    Raises
    ------
    PolicyError
        If there is none.

    Examples
    --------
    >>> policy("rollout:64:tuned").worlds
    64
    """
    if isinstance(given, str):
        if given.partition(":")[0] == "rollout":
            return _rollout(given)
        if given.endswith(".json"):
            return _in_json(given)
        if given in VERSIONED:
            return VERSIONED[given]
        if given not in NAMED:
            known = ", ".join(NAMED)
            raise PolicyError(f"unknown policy {checks.quoted(given)}: known names are {known}, and rollout:64")
        return NAMED[given]
    if isinstance(given, Mapping):
        kinds = {found.name: found for found in (HeuristicPolicy, RolloutPolicy)}
        if not isinstance(given.get("policy"), str) or given["policy"] not in kinds:
            raise PolicyError(f"{checks.quoted(given)} is no policy: 'policy' must be one of {', '.join(kinds)}")
        return kinds[given["policy"]].from_dict(given)
    if not hasattr(given, "kind") and not callable(getattr(given, "act", None)):
        known = ", ".join(NAMED)
        raise PolicyError(f"{checks.quoted(given)} is no policy: a policy is one of {known}, or an object with act()")
    return given


def _in_json(path: str) -> Any:
    """The policy of a file."""
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PolicyError(f"{path} cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise PolicyError(f"{path} holds no policy: it must be an object of parameters")
    try:
        return policy(found if "policy" in found else {"policy": "heuristic", "params": found})
    except PolicyError as error:
        raise PolicyError(f"{path}: {error}") from None


def _rollout(text: str) -> RolloutPolicy:
    """The policy that ``rollout``, ``rollout:64`` or ``rollout:64:tuned`` names."""
    _, *more = text.split(":")
    if len(more) > 2 or (more and not (more[0].isascii() and more[0].isdigit())):
        raise PolicyError(
            f"{text!r}: after the colon stands a whole number of worlds, after another the base policy, as in "
            "rollout:64 or rollout:64:tuned"
        )
    if not more:
        return RolloutPolicy()
    return RolloutPolicy(worlds=int(more[0]), base=more[1] if len(more) == 2 else "heuristic")


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
        return (in_game(policies, rules),) * len(layout.seats)
    found = [in_game(each, rules) for each in policies]
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


def in_game(given: Any, rules: RuleSet) -> Any:
    """The policy that plays these rules: `steady` is `tuned` where there is no auction, `tuned` that of the rules.

    Examples
    --------
    >>> from sitoumus import SITOUMUSSAMBA
    >>> spec(in_game("tuned", SITOUMUSSAMBA.replace(void_cost=(0, 100))))
    'tuned@15-void-0-100'
    """
    found = policy(given)
    if isinstance(found, RolloutPolicy):
        return replace(found, base=in_game(found.base, rules))
    if rules.contract is None:
        return NAMED["tuned"] if found is NAMED["steady"] else found
    name = TUNED_BY_VOID_COST.get(rules.contract.void_cost)
    return VERSIONED[name] if found is NAMED["tuned"] and name is not None else found


def compiled(policy: Any) -> tuple[int, tuple[int, ...]] | None:
    """Kind and weights of a compiled policy, None for one that is played from Python."""
    return (policy.kind, tuple(policy.weights)) if hasattr(policy, "kind") else None


def spec(policy: Any) -> Any:
    """A policy as records and provenance have it: its name, or its ``to_dict()``; a Python policy by its class."""
    for name, known in (NAMED | VERSIONED).items():
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
