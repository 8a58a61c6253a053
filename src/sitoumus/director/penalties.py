"""The penalty code as data: one row a kind of irregularity, and what differs between the games.

A rule set holds its code as ``rules.penalty``, a mapping of rows. A row says what becomes of the act, until when, and
what it costs; the columns are the fields of `Article`. A row that is absent means that the code knows no such
irregularity. Rows that need partners, an auction or a duty to ask are absent where a rule set has none of these.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..errors import RuleSetError

if TYPE_CHECKING:
    from ..rules import RuleSet

__all__ = ["ACT_MOMENTS", "DEAL_MOMENTS", "Article", "Duty", "Irregularity", "PenaltyCode", "Remedy", "preset_code"]

#: When an irregularity was noticed, in the order of time: of the deal, and of an act.
DEAL_MOMENTS = ("deal", "before_play", "first_round", "later")
ACT_MOMENTS = ("at_once", "next_player", "deal_over", "next_deal")
ALWAYS = "always"


class Irregularity(StrEnum):
    """The kinds of irregularity, in the order of a deal."""

    DEAL_OUT_OF_TURN = "deal_out_of_turn"
    UNCUT_PACK = "uncut_pack"
    WRONG_HAND = "wrong_hand"
    FACED_CARD = "faced_card"
    FOREIGN_CARD = "foreign_card"
    INSUFFICIENT_BID = "insufficient_bid"
    CALL_OUT_OF_TURN = "call_out_of_turn"
    FALSE_FAIL = "false_fail"
    EXCESS_DRAW = "excess_draw"
    EXCESS_IN_HAND = "excess_in_hand"
    SHORT_DRAW = "short_draw"
    DRAW_OUT_OF_TURN = "draw_out_of_turn"
    ILLEGAL_TAKE = "illegal_take"
    SHORT_TAKE = "short_take"
    PILE_LOOK = "pile_look"
    ILLEGAL_MELD = "illegal_meld"
    EXCESS_WILD = "excess_wild"
    SHORT_OPENING = "short_opening"
    MELD_OUT_OF_TURN = "meld_out_of_turn"
    RETRACTION = "retraction"
    DOUBLE_DISCARD = "double_discard"
    ILLEGAL_DISCARD = "illegal_discard"
    DISCARD_OUT_OF_TURN = "discard_out_of_turn"
    MISSING_DISCARD = "missing_discard"
    EXPOSED_CARD = "exposed_card"
    DUTY_BREACH = "duty_breach"
    PENALTY_CARD_HELP = "penalty_card_help"
    FALSE_GOING_OUT = "false_going_out"
    FAILED_GOING_OUT = "failed_going_out"
    MELD_AFTER_NO = "meld_after_no"
    LATE_QUESTION = "late_question"
    QUESTION_BREACH = "question_breach"
    UNASKED_GOING_OUT = "unasked_going_out"
    HIDDEN_BONUS_CARD = "hidden_bonus_card"
    TALK = "talk"
    FORBIDDEN_REMINDER = "forbidden_reminder"
    FALSE_ANSWER = "false_answer"
    WRONG_SCORE = "wrong_score"
    PROCEDURE = "procedure"


class Remedy(StrEnum):
    """What becomes of the act."""

    STAND = "stand"
    TAKE_BACK = "take_back"
    CORRECT = "correct"
    REDEAL = "redeal"
    FORFEIT = "forfeit"


class Duty(StrEnum):
    """What binds the offender's next actions."""

    NONE = "none"
    #: For the rest of the deal: these cards lie open, and discards are from them while any is in the hand (I10.2).
    PENALTY_CARDS = "penalty_cards"
    #: Until it is paid: so many cards fewer in the next draws, and no meld, take, buy or question (I4.2, I4.3).
    OWE = "owe"
    #: In this turn: the pile is not taken (I5.1).
    STOCK_ONLY = "stock_only"
    #: In this turn: he goes out (I11.2, I11.4-11.6).
    GO_OUT = "go_out"
    #: In this turn: a card stays (I11.3).
    STAY_IN = "stay_in"


def _one_of(*words: str) -> Callable[[Any, str], Any]:
    def check(value: Any, where: str) -> Any:
        if value not in words:
            raise RuleSetError(f"{where} is {value!r}: it must be one of {', '.join(words)}")
        return str(value)

    return check


def _points(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 30_000 or value % 5:
        raise RuleSetError(f"{where} is {value!r}: it must be points from 0 to 30000, a multiple of 5")
    return value


def _flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise RuleSetError(f"{where} is {value!r}: it must be true or false")
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise RuleSetError(f"{where} is {value!r}: it must be a text")
    return value


def _words(*known: str) -> Callable[[Any, str], Any]:
    def check(value: Any, where: str) -> tuple[str, ...]:
        if isinstance(value, str) or not isinstance(value, list | tuple) or any(word not in known for word in value):
            raise RuleSetError(f"{where} is {value!r}: it must be a list of {', '.join(known)}")
        return tuple(map(str, value))

    return check


def _texts(value: Any, where: str) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, list | tuple) or not all(isinstance(t, str) for t in value):
        raise RuleSetError(f"{where} is {value!r}: it must be a list of texts")
    return tuple(value)


_MOMENT = _one_of(*DEAL_MOMENTS, *ACT_MOMENTS, ALWAYS)
_REMEDY = _one_of(*Remedy)
_DUTY = _one_of(*Duty)

_CHECKS: dict[str, Callable[[Any, str], Any]] = {
    "remedy": _REMEDY,
    "until": _MOMENT,
    "late": _REMEDY,
    "points": _points,
    "late_points": _points,
    "award": _points,
    "per": _one_of("act", "card", "value"),
    "minimum_raise": _points,
    "duty": _DUTY,
    "late_duty": _DUTY,
    "choice": _words("correct", "rearrange", "take_back", "go_out", "stay_in"),
    "rearrange_points": _points,
    "unable": _points,
    "if_possible": _one_of("none", *Remedy),
    "warn": _one_of("no", "first", "always"),
    "counts_as": _one_of("none", *Irregularity),
    "excuse": _points,
    "by": _one_of("any", "opponents"),
    "needs": _one_of("none", "partners", "auction", "duty_to_ask"),
    "rule": _text,
    "late_rule": _text,
    "choice_rules": _texts,
    "possible_rule": _text,
}


@dataclass(frozen=True)
class Article:
    """One row of the code: what an irregularity leads to.

    Attributes
    ----------
    remedy, late : str
        What becomes of the act: in time, and after `until`.
    until : str
        The last moment in time: of `DEAL_MOMENTS` or `ACT_MOMENTS`, or ``always``.
    points, late_points : int
        Lost by the offender's side, in time and late.
    award : int
        Gained by the other side.
    per : {"act", "card", "value"}
        What ``points`` are counted for: the act, each card, or (``value``) the card value where the card is known and
        ``points`` for each card where it is not.
    minimum_raise : int
        Added to the opening minimum of the side for this deal, in time only.
    duty, late_duty : str
        What binds the offender's next actions, in time and late.
    choice : tuple of str
        What else may be chosen, in time.
    rearrange_points : int
        Lost where the choice is to take shown cards back.
    unable : int
        Lost if a duty to go out cannot be done.
    if_possible : str
        This remedy instead, where the core finds a lawful act of the kind.
    warn : {"no", "first", "always"}
        Whether the first offence of a side in a match, or every one, is a warning.
    counts_as : str
        The row whose warning, points and award this one shares.
    excuse : int
        Points a card of a player who never had a turn and whose side has no meld (I12.2).
    by : {"any", "opponents"}
        Who may claim.
    needs : {"none", "partners", "auction", "duty_to_ask"}
        What a game must have for the row to count.
    rule, late_rule, possible_rule : str
        The statement: in time, late, and where `if_possible` applies.
    choice_rules : tuple of str
        The statement of each choice, in the order of `choice`.
    """

    remedy: str = "stand"
    until: str = "at_once"
    late: str = "stand"
    points: int = 0
    late_points: int = 0
    award: int = 0
    per: str = "act"
    minimum_raise: int = 0
    duty: str = "none"
    late_duty: str = "none"
    choice: tuple[str, ...] = ()
    rearrange_points: int = 0
    unable: int = 0
    if_possible: str = "none"
    warn: str = "no"
    counts_as: str = "none"
    excuse: int = 0
    by: str = "any"
    needs: str = "none"
    rule: str = ""
    late_rule: str = ""
    choice_rules: tuple[str, ...] = ()
    possible_rule: str = ""

    def _plain(self) -> dict[str, Any]:
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @classmethod
    def read(cls, value: Any, where: str) -> Article:
        """An article from a table of its fields; what is left out has the default."""
        if isinstance(value, Article):
            return value
        if not isinstance(value, Mapping):
            raise RuleSetError(f"{where} is {value!r}: it must be a table of {', '.join(_CHECKS)}, or none")
        for name in value:
            if name not in _CHECKS:
                raise RuleSetError(f"{where}.{name}: there is no such field; a row has {', '.join(_CHECKS)}")
        article = cls(**{name: _CHECKS[name](item, f"{where}.{name}") for name, item in value.items()})
        if article.choice_rules and len(article.choice_rules) != len(article.choice):
            raise RuleSetError(f"{where}.choice_rules must hold one statement for each of {list(article.choice)}")
        return article


class PenaltyCode(Mapping[str, Article]):
    """The code of a rule set: a mapping from the kind of irregularity to its row.

    Attributes
    ----------
    enforcement : {"table", "software"}
        ``software``: a program holds the table, so an illegal act is refused and has not happened (I1.5); no row counts
        then but that of a wrong score.

    Examples
    --------
    >>> from sitoumus import FINNISH_CANASTA
    >>> FINNISH_CANASTA.penalty["short_opening"].minimum_raise
    10
    """

    __slots__ = ("__dict__", "_in_force", "_rows", "enforcement")

    def __init__(self, rows: Mapping[str, Article], enforcement: str = "table") -> None:
        self._rows = dict(rows)
        self.enforcement = enforcement
        self._in_force = self._rows

    @classmethod
    def read(cls, value: Any, where: str = "penalty") -> PenaltyCode:
        """A code from plain values: ``enforcement`` and a table for each row; a row that is None is absent."""
        if isinstance(value, PenaltyCode):
            return value
        if not isinstance(value, Mapping):
            raise RuleSetError(f"{where} is {value!r}: it must be a table of irregularities")
        rows = {}
        for name, row in value.items():
            if name == "enforcement" or row is None or row == "none":
                continue
            if name not in set(Irregularity):
                raise RuleSetError(f"{where}.{name}: no such irregularity; known are {', '.join(Irregularity)}")
            rows[str(name)] = Article.read(row, f"{where}.{name}")
        enforcement = _one_of("table", "software")(value.get("enforcement", "table"), f"{where}.enforcement")
        return cls({str(what): rows[what] for what in Irregularity if what in rows}, enforcement)

    def within(self, rules: RuleSet) -> PenaltyCode:
        """The same code with the rows in force under a rule set: what it has decides, not its name."""
        has = {
            "none": True,
            "partners": any(len(side) > 1 for side in rules.table.sides),
            "auction": rules.contract is not None,
            "duty_to_ask": rules.out.ask == "required",
        }
        code = PenaltyCode(self._rows, self.enforcement)
        code._in_force = {
            what: article
            for what, article in self._rows.items()
            if has[article.needs] and (self.enforcement == "table" or what == Irregularity.WRONG_SCORE)
        }
        return code

    def __getitem__(self, what: str) -> Article:
        return self._in_force[what]

    def __iter__(self) -> Iterator[str]:
        return iter(self._in_force)

    def __len__(self) -> int:
        return len(self._in_force)

    def _plain(self) -> dict[str, Any]:
        return {"enforcement": self.enforcement, **{what: row._plain() for what, row in self._rows.items()}}

    @cached_property
    def hash(self) -> str:
        """Twelve hexadecimal digits of the content, the same in every process."""
        import hashlib

        return hashlib.sha256(json.dumps(self._plain(), sort_keys=True).encode()).hexdigest()[:12]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PenaltyCode):
            return NotImplemented
        return self.enforcement == other.enforcement and self._rows == other._rows

    def __hash__(self) -> int:
        return hash((self.enforcement, tuple(self._rows.items())))

    def __repr__(self) -> str:
        return f"<PenaltyCode of {len(self)} irregularities, enforcement {self.enforcement}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._rows, self.enforcement, self._in_force)


def _restore(rows: dict[str, Article], enforcement: str, in_force: dict[str, Article]) -> PenaltyCode:
    code = PenaltyCode(rows, enforcement)
    code._in_force = in_force
    return code


def _row(rule: str, late_rule: str = "", **values: Any) -> Article:
    return Article(rule=rule, late_rule=late_rule or rule, **values)


_I = Irregularity
_ASKING: dict[str, Any] = {"needs": "partners"}

#: The base code.
BASE: dict[str, Article] = {
    _I.DEAL_OUT_OF_TURN: _row("I2.1", "I2.2", remedy="correct", until="before_play"),
    _I.UNCUT_PACK: _row("I2.3", remedy="redeal", until="deal"),
    _I.WRONG_HAND: _row("I2.4", "I2.7", remedy="redeal", until="first_round"),
    _I.FACED_CARD: _row("I2.5", "I2.7", remedy="redeal", until="first_round"),
    _I.FOREIGN_CARD: _row("I2.6", "I2.7", remedy="redeal", until="first_round"),
    _I.INSUFFICIENT_BID: _row("I3.1", remedy="take_back", until="next_player", needs="auction"),
    _I.CALL_OUT_OF_TURN: _row("I3.2", remedy="take_back", until="next_player", needs="auction"),
    _I.FALSE_FAIL: _row("I3.3", remedy="take_back", by="opponents", needs="auction"),
    _I.EXCESS_DRAW: _row("I4.1", "I4.2", remedy="correct", late_duty="owe"),
    _I.EXCESS_IN_HAND: _row("I4.2", until="always", duty="owe"),
    _I.SHORT_DRAW: _row("I4.4", remedy="correct"),
    _I.DRAW_OUT_OF_TURN: _row("I4.5", remedy="take_back", late_duty="owe"),
    _I.ILLEGAL_TAKE: _row("I5.1", "I5.2", remedy="take_back", points=100, duty="stock_only"),
    _I.SHORT_TAKE: _row("I5.3", "I5.4", remedy="correct"),
    _I.PILE_LOOK: _row("I5.5", until="always", warn="always"),
    _I.ILLEGAL_MELD: _row("I6.3", "I6.4", remedy="take_back", late="take_back", points=100),
    _I.EXCESS_WILD: _row("I6.5", until="always", points=50, per="value"),
    _I.SHORT_OPENING: _row("I7.1", "I7.2", remedy="take_back", minimum_raise=10),
    _I.MELD_OUT_OF_TURN: _row("I8.1", "I8.2", remedy="take_back", points=100),
    _I.RETRACTION: _row("I6.7, I9.1", remedy="correct", until="always", late="correct"),
    _I.DOUBLE_DISCARD: _row("I9.2", remedy="correct", duty="penalty_cards"),
    _I.ILLEGAL_DISCARD: _row("I9.3", remedy="take_back"),
    _I.DISCARD_OUT_OF_TURN: _row("I9.4", remedy="take_back", duty="penalty_cards"),
    _I.MISSING_DISCARD: _row("I9.5", remedy="correct"),
    _I.EXPOSED_CARD: _row("I10.1", until="always", duty="penalty_cards"),
    _I.DUTY_BREACH: _row("I10.3", remedy="take_back"),
    _I.PENALTY_CARD_HELP: _row("I10.5", until="always", points=300, per="card", **_ASKING),
    _I.FALSE_GOING_OUT: _row("I11.1", remedy="take_back", late="take_back", points=100, late_points=100),
    _I.FAILED_GOING_OUT: _row("I11.2", until="always", points=100, **_ASKING),
    _I.MELD_AFTER_NO: _row("I11.3", remedy="take_back", points=100, late_points=100, duty="stay_in", **_ASKING),
    _I.LATE_QUESTION: _row("I11.4", duty="go_out", **_ASKING),
    _I.QUESTION_BREACH: _row(
        "I11.5",
        choice=("go_out", "stay_in"),
        choice_rules=("I11.5", "I11.5"),
        unable=100,
        by="opponents",
        **_ASKING,
    ),
    _I.UNASKED_GOING_OUT: _row("I11.7", remedy="take_back", duty="stay_in", needs="duty_to_ask"),
    _I.HIDDEN_BONUS_CARD: _row("I12.1", remedy="correct", until="next_player", late_points=500, per="card", excuse=100),
    _I.TALK: _row("I13.2", until="always", points=2000, warn="first", by="opponents", **_ASKING),
    _I.FORBIDDEN_REMINDER: _row("I13.4", until="always", by="opponents", counts_as="talk", **_ASKING),
    _I.FALSE_ANSWER: _row("I13.5", remedy="correct", until="always", late="correct", counts_as="talk", **_ASKING),
    _I.WRONG_SCORE: _row("I14.1", remedy="correct", until="deal_over"),
    _I.PROCEDURE: _row("I1.6", remedy="correct", until="always", late="correct"),
}

#: What differs from the base code, by preset: fields of rows, a row that is None is absent, and the enforcement.
DIFFERENCES: dict[str, dict[str, Any]] = {
    "sitoumussamba": {
        _I.ILLEGAL_MELD: {
            "choice": ("correct",),
            "choice_rules": ("I6.1",),
            "duty": "penalty_cards",
            "points": 0,
            "rule": "I6.2",
        },
        _I.SHORT_OPENING: {
            "if_possible": "correct",
            "by": "opponents",
            "rule": "I7.4",
            "possible_rule": "I7.3",
        },
        _I.TALK: {"remedy": "forfeit", "award": 8000, "points": 0, "rule": "I13.1", "late_rule": "I13.1"},
        _I.HIDDEN_BONUS_CARD: None,
        _I.UNASKED_GOING_OUT: None,
    },
    "russian_canasta": {
        _I.FACED_CARD: {"late": "correct", "late_rule": "I2.8"},
        _I.FOREIGN_CARD: {"late": "correct", "late_rule": "I2.8"},
        _I.SHORT_OPENING: {
            "choice": ("correct", "rearrange"),
            "choice_rules": ("I7.5", "I7.6"),
            "rearrange_points": 100,
            "rule": "I7.5",
        },
        _I.TALK: {"points": 0, "rule": "I13.3", "late_rule": "I13.3"},
        _I.FALSE_GOING_OUT: {"points": 0, "late_points": 0, "rule": "I11.8", "late_rule": "I11.8"},
        _I.LATE_QUESTION: {"unable": 100, "rule": "I11.6", "late_rule": "I11.6"},
        _I.QUESTION_BREACH: {
            "choice": (),
            "choice_rules": (),
            "duty": "go_out",
            "by": "any",
            "rule": "I11.6",
            "late_rule": "I11.6",
        },
        _I.FORBIDDEN_REMINDER: None,
        _I.PENALTY_CARD_HELP: None,
    },
    "finnish_canasta_2p": {
        _I.HIDDEN_BONUS_CARD: {"late_points": 0, "late_rule": "I12.3"},
        _I.SHORT_OPENING: {"minimum_raise": 0, "rule": "I7.7"},
    },
    "tile_canasta": {"enforcement": "software"},
}


def preset_code(name: str) -> PenaltyCode:
    """The code of a preset: the base code with what differs."""
    rows = dict(BASE)
    changes = dict(DIFFERENCES.get(name, {}))
    enforcement = changes.pop("enforcement", "table")
    for what, change in changes.items():
        if change is None:
            del rows[what]
        else:
            rows[what] = replace(rows[what], **change)
    return PenaltyCode({str(what): rows[what] for what in Irregularity if what in rows}, enforcement)
