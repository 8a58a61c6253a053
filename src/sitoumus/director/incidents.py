"""Incidents and rulings: what was done, and what a director says to it; frozen values that read back as written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import InvalidActionError, InvalidCardError, RulingError
from ..notation import parse_bid, parse_cards
from .penalties import Duty, Irregularity, Remedy

__all__ = ["DETAILS", "Incident", "Ruling", "Step", "kind_named", "parse_step"]

#: The details that some kinds know, with the form of each.
DETAILS: dict[str, tuple[type, str]] = {
    "count": (int, "a number of cards, surplus or missing"),
    "keep": (str, "the card that stays, such as 4c"),
    "known": (bool, "whether it is known which wild card was the surplus one"),
    "had_turn": (bool, "whether the player has had a turn"),
    "where": (str, "hand or stock: where the foreign card was"),
    "right_dealer": (str, "the seat that should have dealt"),
    "written": (Mapping, "the written score by side"),
    "points": (int, "the points that the director names"),
}
_STEP = re.compile(r"([a-z]+)((?:\s+[^\s>=]+)*?)\s*(?:>\s*([0-9]+))?\s*(?:locks\s*=\s*([0-9]+))?", re.IGNORECASE)
_VERBS = (
    *("fail", "done", "draw", "take", "extra", "meld", "add", "merge"),
    *("buy", "ask", "yes", "no", "discard", "end"),
)


@dataclass(frozen=True)
class Step:
    """One step of an act, taken apart; it need not be legal.

    Attributes
    ----------
    text : str
        As it was written.
    verb : str
        As in actions; ``call`` for pass, double and bids.
    cards : tuple of int
        Codes in the order written.
    target : int
        Number of an own meld, 0 if none.
    number : int
        Of cards drawn (``draw 3``), 0 if not said.
    """

    text: str
    verb: str
    cards: tuple[int, ...] = ()
    target: int = 0
    number: int = 0


def parse_step(text: str) -> Step:
    """A step of an act from its text.

    Raises
    ------
    RulingError
        If it is no action text.
    """
    words = " ".join(text.split()) if isinstance(text, str) else ""
    if words in ("pass", "double"):
        return Step(words, "call")
    try:
        parse_bid(words)
        return Step(words, "call")
    except InvalidActionError:
        pass
    found = _STEP.fullmatch(words)
    verb = found[1].lower() if found else ""
    if found is None or verb not in _VERBS:
        raise RulingError(f"act {text!r}: it must be written as an action, such as 'meld 7c 7d 2s' or 'discard 4c'")
    cards, number = found[2].strip(), 0
    if verb == "draw" and cards.isdigit():
        cards, number = "", int(cards)
    if verb == "merge":
        return Step(words, verb, (), int(found[3] or 0), int(cards) if cards.isdigit() else 0)
    try:
        codes = tuple(parse_cards(cards))
    except InvalidCardError as error:
        raise RulingError(f"act {text!r}: {error}") from None
    return Step(words, verb, codes, int(found[3] or 0), number)


def kind_named(what: object) -> Irregularity:
    """The irregularity of this name; blanks and hyphens do for underscores."""
    name = re.sub(r"[\s-]+", "_", what.strip().lower()) if isinstance(what, str) else what
    try:
        return Irregularity(name)  # type: ignore[arg-type]
    except ValueError:
        import difflib

        near = difflib.get_close_matches(str(name), list(Irregularity), 3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(Irregularity)}"
        raise RulingError(f"{what!r} is no irregularity: {hint}") from None


@dataclass(frozen=True)
class Incident:
    """What was done, by whom, and when it was noticed.

    Attributes
    ----------
    what : Irregularity or None
        The kind; None: the referee finds it from `act`, and nothing irregular stays None.
    seat : str
        The offender.
    act : tuple of str
        All that he did, in action text; it need not be legal. ``draw 3`` and ``discard 4c 9d`` are understood too.
    cards : str
        The cards concerned, where no act names them.
    noticed : str
        ``at_once``, ``next_player``, ``deal_over``, ``next_deal``; of the deal ``deal``, ``before_play``,
        ``first_round``, ``later``.
    by : str or None
        Who claimed: a seat, ``"director"``, or None if it is not known.
    choice : str or None
        What was chosen: ``correct``, ``rearrange``, ``take_back``, ``go_out`` or ``stay_in``.
    details : mapping
        What some kinds need besides: see `DETAILS`.
    """

    what: Irregularity | None
    seat: str
    act: tuple[str, ...] = ()
    cards: str = ""
    noticed: str = "at_once"
    by: str | None = None
    choice: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.what is not None:
            object.__setattr__(self, "what", kind_named(self.what))
        if isinstance(self.act, str) or not isinstance(self.act, Sequence):
            raise RulingError(f"act is {self.act!r}: it must be a list of actions such as ['meld 7c 7d 2s']")
        object.__setattr__(self, "act", tuple(self.act))
        for step in self.act:
            parse_step(step)
        try:
            parse_cards(self.cards)
        except InvalidCardError as error:
            raise RulingError(f"cards: {error}") from None
        for name, value in self.details.items():
            if name not in DETAILS:
                raise RulingError(f"unknown detail {name!r}: an incident knows {', '.join(DETAILS)}")
            right, words = DETAILS[name]
            whole = not isinstance(value, bool) and isinstance(value, int) and value >= 0
            if not isinstance(value, right) or (right is int and not whole):
                raise RulingError(f"{name} is {value!r}: it must be {words}")
        object.__setattr__(self, "details", dict(self.details))

    @property
    def steps(self) -> list[Step]:
        """The act, taken apart."""
        return [parse_step(text) for text in self.act]

    def to_dict(self) -> dict[str, Any]:
        """As plain values, what is empty left out."""
        plain: dict[str, Any] = {"what": None if self.what is None else str(self.what), "seat": self.seat}
        if self.act:
            plain["act"] = list(self.act)
        if self.cards:
            plain["cards"] = self.cards
        plain["noticed"] = self.noticed
        for name, value in (("by", self.by), ("choice", self.choice)):
            if value is not None:
                plain[name] = value
        return plain | {name: dict(v) if isinstance(v, Mapping) else v for name, v in self.details.items()}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Incident:
        """Read what `to_dict` wrote.

        Raises
        ------
        RulingError
            If a key is unknown or a value impossible.
        """
        if not isinstance(plain, Mapping):
            raise RulingError(f"an incident is a table, not {plain!r}")
        known = {"what", "seat", "act", "cards", "noticed", "by", "choice"}
        details = {name: value for name, value in plain.items() if name not in known}
        if not isinstance(plain.get("seat"), str):
            raise RulingError(f"seat is {plain.get('seat')!r}: an incident names the seat of the offender")
        values = {name: plain[name] for name in known & set(plain)}
        for name in ("cards", "noticed"):
            if not isinstance(values.get(name, ""), str):
                raise RulingError(f"{name} is {values[name]!r}: it must be a text")
        values.setdefault("what", None)
        return cls(**values, details=details)


@dataclass(frozen=True)
class Ruling:
    """What a director says to an incident; ``print(ruling)`` gives the sentence for the players.

    Attributes
    ----------
    incident : Incident
        With its kind filled in.
    upheld : bool
        False: no irregularity, or a claim by somebody who may not make it; nothing is applied.
    remedy : Remedy
        What becomes of the act.
    points : mapping of str to int
        By side, signed; sides with nothing are left out.
    minimum_raise : mapping of str to int
        The same of what opening minima are raised by.
    duty : Duty
        What binds the offender's next actions.
    warning : bool
        Whether the side is warned.
    discretionary : bool
        The director departed from the code.
    rule : str
        Number of the statement, such as ``I7.1``.
    text : str
        One sentence for the players.
    brief : str
        A few words for the score sheet.
    """

    incident: Incident
    upheld: bool
    remedy: Remedy = Remedy.STAND
    points: Mapping[str, int] = field(default_factory=dict)
    minimum_raise: Mapping[str, int] = field(default_factory=dict)
    duty: Duty = Duty.NONE
    warning: bool = False
    discretionary: bool = False
    rule: str = ""
    text: str = ""
    brief: str = ""

    @property
    def what(self) -> Irregularity | None:
        """The kind of irregularity; None if there is none."""
        return self.incident.what

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})."

    def consequences(self) -> dict[str, Any]:
        """Everything but the incident and the words, as plain values: what a record keeps."""
        return {
            "remedy": str(self.remedy),
            "points": dict(self.points),
            "minimum_raise": dict(self.minimum_raise),
            "duty": str(self.duty),
            "warning": self.warning,
            "discretionary": self.discretionary,
            "rule": self.rule,
        }

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "incident": self.incident.to_dict(),
            "upheld": self.upheld,
            **self.consequences(),
            "text": self.text,
            "brief": self.brief,
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Ruling:
        """Read what `to_dict` wrote."""
        values = dict(plain)
        try:
            values["incident"] = Incident.from_dict(values["incident"])
            values["remedy"], values["duty"] = Remedy(values["remedy"]), Duty(values["duty"])
            return cls(**values)
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, RulingError):
                raise
            raise RulingError(f"this is no ruling: {error}") from None
