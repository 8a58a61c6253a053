"""Conditions on the hands of a deal: written as expressions, dealt exactly where they decompose.

``sit.east.run_h >= 4`` is a condition; conditions are joined with ``&``, ``|`` and ``~`` and written back as the text
that `parse_condition` reads. A function of the hands (a mapping of seat to `Hand`) serves as a condition too, more
slowly.

What a condition asks of one hand is dealt from tables, without rejection, where it decomposes by suit, by rank or by
card (see `exact_dealing`); if it does so for several hands, the rarest is taken. All the rest is dealt by trying whole
deals until the condition holds. Either way every deal that fulfils the condition is equally likely.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

from . import _compile, _core
from ._names import COUNTS, STEPS
from .checks import quoted
from .errors import SitoumusError, StudyError
from .exact_dealing import CardSum, ExactTables, HandNumber, RankCount, SuitNumber, exact_tables
from .notation import CARD_CODES, RANKS, SUITS, card_code, card_text
from .rules import SITOUMUSSAMBA, RuleSet, as_rules

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "Condition",
    "Number",
    "PreparedCondition",
    "Seat",
    "as_condition",
    "east",
    "lho",
    "me",
    "north",
    "number_of",
    "parse_condition",
    "partner",
    "prepare",
    "rho",
    "south",
    "west",
]

#: A condition as the keywords ``where=`` take it.
Where: TypeAlias = "Condition | str | Callable[[dict[str, _core.Hand]], bool]"

#: Whole deals tried for one deal before a condition counts as empty; fewer if a Python function is asked.
TRIES = 10_000_000
PYTHON_TRIES = 200_000

_SEAT_OF = {"north": "N", "east": "E", "south": "S", "west": "W"}
_NAME_OF = {seat: name for name, seat in _SEAT_OF.items()}
#: Places in the order of play, counted from a study's seat.
_RELATIVE = {"me": 0, "lho": 1, "partner": 2, "rho": 3}

_COUNT_RANK, _COUNT_SUIT, _COUNT_CARD = COUNTS["rank"], COUNTS["suit"], COUNTS["card"]
_SOLVED = ("best_opening", "best_opening_declarer", "bonus_potential")


# ---- numbers ---------------------------------------------------------------------------------------------------------


class Quantity(NamedTuple):
    """One number of one hand: a feature, or how many of some cards it holds."""

    seat: str
    what: int
    of: int = 0

    def __str__(self) -> str:
        if self.what < len(_core.FEATURES):
            return f"{self.seat}.{_core.FEATURES[self.what]}"
        cards = {
            _COUNT_RANK: lambda: RANKS[self.of],
            _COUNT_SUIT: lambda: SUITS[self.of],
            _COUNT_CARD: lambda: card_text(self.of),
        }
        return f'{self.seat}.count("{cards[self.what]()}")'

    @property
    def columns(self) -> list[int]:
        """Of a count of cards, the places of these cards in the canonical order."""
        if self.what == _COUNT_RANK:
            return [4 * self.of + suit for suit in range(4)]
        if self.what == _COUNT_SUIT:
            return [4 * rank + self.of for rank in range(13)]
        return [52] if self.of == card_code("JK") else [4 * (self.of % 16) + self.of // 16]

    @property
    def is_dear(self) -> bool:
        """Whether the openings of the hand have to be searched."""
        return self.what < len(_core.FEATURES) and _core.FEATURES[self.what].startswith((*_SOLVED, "can_open"))


class Number:
    """A whole number that depends on the hands: a feature, a count of cards, or a sum of these.

    Comparing it makes a condition. Numbers are added, subtracted, and multiplied by whole numbers.
    """

    __slots__ = ("constant", "terms")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, terms: Iterable[tuple[int, Quantity]], constant: int = 0) -> None:
        self.terms = tuple(terms)
        self.constant = constant

    @staticmethod
    def of(value: Any) -> Number:
        """A number as it is, or a whole number as one that is always the same."""
        if isinstance(value, Number):
            return value
        try:
            whole = int(value.__index__())
        except AttributeError:
            raise StudyError(
                f"{value!r} cannot be compared with a number of a hand: whole numbers and such numbers can"
            ) from None
        if abs(whole) >= 2**31:
            raise StudyError(f"{whole} is too large for a condition: numbers stay below 2147483648")
        return Number((), whole)

    def __str__(self) -> str:
        text = ""
        for coefficient, quantity in self.terms:
            sign = "-" if coefficient < 0 else "+"
            factor = "" if abs(coefficient) == 1 else f"{abs(coefficient)} * "
            text += f" {sign} {factor}{quantity}" if text else f"{'-' if sign == '-' else ''}{factor}{quantity}"
        if self.constant or not text:
            sign = "-" if self.constant < 0 else "+"
            text += f" {sign} {abs(self.constant)}" if text else str(self.constant)
        return text

    __repr__ = __str__

    def __bool__(self) -> NoReturn:
        raise StudyError(f"{self} is not known before the cards are dealt: compare it, as in {self} >= 1")

    def __add__(self, other: Any) -> Number:
        other = Number.of(other)
        total: dict[Quantity, int] = {}
        for coefficient, quantity in (*self.terms, *other.terms):
            total[quantity] = total.get(quantity, 0) + coefficient
        return Number(((c, quantity) for quantity, c in total.items() if c), self.constant + other.constant)

    __radd__ = __add__

    def __neg__(self) -> Number:
        return self * -1

    def __sub__(self, other: Any) -> Number:
        return self + -Number.of(other)

    def __rsub__(self, other: Any) -> Number:
        return Number.of(other) + -self

    def __mul__(self, other: Any) -> Number:
        number, factor = (self, Number.of(other)) if self.terms else (Number.of(other), self)
        if factor.terms:
            raise StudyError(f"({self}) * ({other}): numbers of hands are multiplied by whole numbers only")
        f = factor.constant
        return Number(((c * f, quantity) for c, quantity in number.terms if f), number.constant * f)

    __rmul__ = __mul__

    def of_hands(self, hands: Mapping[str, np.ndarray], rules: RuleSet | None = None) -> np.ndarray:
        """Its value in every deal, from the hands by seat as arrays of counts, a row a deal.

        Examples
        --------
        >>> (north.aces + 1).of_hands({"N": _core.random_hands(3, 7)})
        array([2, 1, 3])
        """
        import numpy as np

        features = {seat: _core.features(counts, rules) for seat, counts in hands.items()}
        found = np.full(len(next(iter(hands.values()))), self.constant, np.int64)
        for coefficient, q in self.terms:
            seat = _SEAT_OF[q.seat]
            if q.what < len(_core.FEATURES):
                values = features[seat][_core.FEATURES[q.what]]
            else:
                values = hands[seat][:, q.columns].sum(axis=1, dtype=np.int64)
            found += coefficient * np.asarray(values, np.int64)
        return found

    def __lt__(self, other: Any) -> Condition:
        return _Comparison(self, "<", Number.of(other))

    def __le__(self, other: Any) -> Condition:
        return _Comparison(self, "<=", Number.of(other))

    def __gt__(self, other: Any) -> Condition:
        return _Comparison(self, ">", Number.of(other))

    def __ge__(self, other: Any) -> Condition:
        return _Comparison(self, ">=", Number.of(other))

    def __eq__(self, other: Any) -> Condition:  # type: ignore[override]
        return _Comparison(self, "==", Number.of(other))

    def __ne__(self, other: Any) -> Condition:  # type: ignore[override]
        return _Comparison(self, "!=", Number.of(other))


class Seat:
    """The numbers of one hand, as attributes: the features, `count` and `holds`.

    ``sit.north``, ``sit.east``, ``sit.south`` and ``sit.west`` are seats of the table; in studies that have a seat,
    ``sit.me``, ``sit.lho``, ``sit.partner`` and ``sit.rho`` are the player himself, the player to his left, his partner
    and the player to his right.

    Examples
    --------
    >>> east.run_h >= 4
    east.run_h >= 4
    >>> (east.count("9") >= 3) & (partner.jokers + me.jokers == 2)
    (east.count("9") >= 3) & (partner.jokers + me.jokers == 2)
    """

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Number:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in _core.FEATURES:
            near = difflib.get_close_matches(name, (*_core.FEATURES, "count", "holds"), 1)
            hint = f": did you mean {near[0]}?" if near else f": features are {', '.join(_core.FEATURES)}"
            raise AttributeError(f"{self._name}.{name}: a hand has no feature {name!r}{hint}")
        return Number([(1, Quantity(self._name, _core.FEATURES.index(name)))])

    def __dir__(self) -> list[str]:
        return [*_core.FEATURES, "count", "holds"]

    def __repr__(self) -> str:
        return self._name

    def __reduce__(self) -> tuple[Any, ...]:
        return Seat, (self._name,)

    def count(self, cards: str) -> Number:
        """How many cards of a kind ("9s", "JK"), of a rank ("9") or of a suit ("s") it holds.

        Raises
        ------
        InvalidCardError
            If the text names no card, rank or suit.
        """
        text = cards.strip() if isinstance(cards, str) else cards
        if isinstance(text, str):
            rank = "T" if text == "10" else text.upper()
            if len(rank) == 1 and rank in RANKS:
                return self._counted(_COUNT_RANK, RANKS.index(rank))
            if len(text) == 1 and text.lower() in SUITS:
                return self._counted(_COUNT_SUIT, SUITS.index(text.lower()))
        return self._counted(_COUNT_CARD, card_code(text))

    def _counted(self, what: int, of: int) -> Number:
        return Number([(1, Quantity(self._name, what, of))])

    def holds(self, cards: Any) -> Condition:
        """Whether it holds all of these cards, as often as they are named.

        Examples
        --------
        >>> south.holds("Ah Ah JK")
        (south.count("Ah") >= 2) & (south.count("JK") >= 1)
        """
        hand = _core.Hand(cards)
        if not len(hand):
            raise StudyError("holds: no cards are named")
        return _all_of(self.count(card) >= hand.count(card) for card in dict.fromkeys(hand.cards))


north, east, south, west = (Seat(name) for name in _SEAT_OF)
me, lho, partner, rho = (Seat(name) for name in _RELATIVE)
_SEATS = {seat._name: seat for seat in (north, east, south, west, me, lho, partner, rho)}


# ---- conditions ------------------------------------------------------------------------------------------------------


class Condition:
    """Something that is true or false of the hands of a deal.

    Made by comparing numbers, joined with ``&``, ``|`` and ``~``.

    The text of a condition is read back by `parse_condition`; conditions of equal text are equal.
    """

    __slots__ = ("_text",)
    _text: str

    def _write(self) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        try:
            return self._text
        except AttributeError:
            self._text = self._write()
            return self._text

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Condition) and str(self) == str(other) and self._functions() == other._functions()

    def __hash__(self) -> int:
        return hash(str(self))

    def __bool__(self) -> NoReturn:
        raise StudyError(
            f"{self} has no truth value before the cards are dealt: join conditions with & | ~ and put each "
            f"comparison in parentheses, instead of and, or, not and comparisons in a row"
        )

    def __and__(self, other: Any) -> Condition:
        return _All((self, as_condition(other)))

    def __rand__(self, other: Any) -> Condition:
        return _All((as_condition(other), self))

    def __or__(self, other: Any) -> Condition:
        return _Any((self, as_condition(other)))

    def __ror__(self, other: Any) -> Condition:
        return _Any((as_condition(other), self))

    def __invert__(self) -> Condition:
        return _Not(self)

    @property
    def hash(self) -> str:
        """Twelve hexadecimal digits of the text, the same in every process."""
        import hashlib

        return hashlib.sha256(str(self).encode()).hexdigest()[:12]

    @property
    def seats(self) -> tuple[str, ...]:
        """Seats it speaks of, as letters; seats counted from a study's seat by their names."""
        found = {_SEAT_OF.get(q.seat, q.seat) for q in self._quantities()}
        return tuple(seat for seat in (*"NESW", *_RELATIVE) if seat in found)

    @property
    def is_text(self) -> bool:
        """Whether it can be written down: no Python function is part of it."""
        return not self._functions()

    def at(self, seat: str, rules: RuleSet | None = None) -> Condition:
        """The same condition with ``me``, ``lho``, ``partner`` and ``rho`` as seen from a seat.

        Raises
        ------
        StudyError
            If the game has no such seat.

        Examples
        --------
        >>> (partner.run_h >= 4).at("E")
        west.run_h >= 4
        """
        seats = _compile.compiled(rules or SITOUMUSSAMBA).seats
        if seat not in seats:
            raise StudyError(f"{seat!r} is no seat: seats are {' '.join(seats)}")
        place = seats.index(seat)

        def turned(q: Quantity) -> Quantity:
            if q.seat not in _RELATIVE:
                return q
            steps = _RELATIVE[q.seat] if len(seats) == 4 else {"me": 0, "lho": 1, "rho": len(seats) - 1}.get(q.seat, -1)
            if steps < 0:
                raise StudyError(f"{self} speaks of a partner: a game of {len(seats)} has none")
            return q._replace(seat=_NAME_OF[seats[(place + steps) % len(seats)]])

        return self._map(turned)

    def holds(self, hands: Mapping[str, Any], rules: RuleSet | None = None) -> bool:
        """Whether it is true of these hands, by seat.

        Examples
        --------
        >>> (north.aces >= 2).holds({"N": "Ah As 9c"})
        True
        """
        held = {seat: _core.Hand(cards) for seat, cards in hands.items()}

        def value(q: Quantity) -> int:
            seat = _seat_letter(q.seat, self)
            if seat not in held:
                raise StudyError(f"{self} speaks of {q.seat}: no hand is given for it")
            return int(_core.quantity(held[seat], q.what, q.of, rules))

        return self._true(value, held)

    # What each kind of condition answers.

    def _parts(self) -> tuple[Condition, ...]:
        return ()

    def _walk(self) -> Iterator[Condition]:
        yield self
        for part in self._parts():
            yield from part._walk()

    def _functions(self) -> list[Any]:
        return [part.function for part in self._walk() if isinstance(part, _Check)]

    def _quantities(self) -> Iterator[Quantity]:
        for part in self._parts():
            yield from part._quantities()

    def _map(self, change: Callable[[Quantity], Quantity]) -> Condition:
        raise NotImplementedError

    def _true(self, value: Callable[[Quantity], int], hands: Mapping[str, Any]) -> bool:
        raise NotImplementedError

    def _compile(self, program: _Program) -> None:
        raise NotImplementedError


class _Comparison(Condition):
    __slots__ = ("left", "operator", "right")

    def __init__(self, left: Number, operator: str, right: Number) -> None:
        self.left, self.operator, self.right = left, operator, right

    def __reduce__(self) -> tuple[Any, ...]:
        return parse_condition, (str(self),)

    def _write(self) -> str:
        return f"{self.left} {self.operator} {self.right}"

    @property
    def difference(self) -> Number:
        """The number that is compared with 0."""
        return self.left - self.right

    def _quantities(self) -> Iterator[Quantity]:
        for _, quantity in self.difference.terms:
            yield quantity

    def _map(self, change: Callable[[Quantity], Quantity]) -> Condition:
        left, right = (
            sum((Number([(c, change(q))]) for c, q in number.terms), Number((), number.constant))
            for number in (self.left, self.right)
        )
        return _Comparison(left, self.operator, right)

    def _true(self, value: Callable[[Quantity], int], hands: Mapping[str, Any]) -> bool:
        number = self.difference
        return _COMPARE[self.operator](sum(c * value(q) for c, q in number.terms), -number.constant)

    def _compile(self, program: _Program) -> None:
        number = self.difference
        for i, (coefficient, quantity) in enumerate(number.terms):
            program.quantity(quantity)
            if coefficient != 1:
                program.step(_TIMES, coefficient)
            if i:
                program.step(_PLUS)
        if not number.terms:
            program.step(_CONSTANT)
        program.step(_STEP_OF[self.operator], -number.constant)


class _Joined(Condition):
    """Conditions joined by the same sign; joined ones inside it of the same sign are taken apart."""

    __slots__ = ("parts",)
    sign = ""
    decides = 0

    def __init__(self, parts: Iterable[Condition]) -> None:
        self.parts: tuple[Condition, ...] = tuple(
            inner for part in parts for inner in (part._parts() if type(part) is type(self) else (part,))
        )

    def _write(self) -> str:
        return f" {self.sign} ".join(_inside(part) for part in self.parts)

    def _parts(self) -> tuple[Condition, ...]:
        return self.parts

    def _map(self, change: Callable[[Quantity], Quantity]) -> Condition:
        return type(self)(part._map(change) for part in self.parts)

    def _compile(self, program: _Program) -> None:
        jumps = []
        for i, part in enumerate(sorted(self.parts, key=lambda part: any(q.is_dear for q in part._quantities()))):
            if i:
                jumps.append(program.step(self.decides))
            part._compile(program)
        for jump in jumps:
            program.steps[jump] = (self.decides, len(program.steps))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.parts,)


class _All(_Joined):
    __slots__ = ()
    sign = "&"
    decides = STEPS["and"]

    def _true(self, value: Callable[[Quantity], int], hands: Mapping[str, Any]) -> bool:
        return all(part._true(value, hands) for part in self.parts)


class _Any(_Joined):
    __slots__ = ()
    sign = "|"
    decides = STEPS["or"]

    def _true(self, value: Callable[[Quantity], int], hands: Mapping[str, Any]) -> bool:
        return any(part._true(value, hands) for part in self.parts)


class _Not(Condition):
    __slots__ = ("part",)

    def __init__(self, part: Condition) -> None:
        self.part = part

    def _write(self) -> str:
        return f"~{_inside(self.part)}"

    def _parts(self) -> tuple[Condition, ...]:
        return (self.part,)

    def _map(self, change: Callable[[Quantity], Quantity]) -> Condition:
        return _Not(self.part._map(change))

    def _true(self, value: Callable[[Quantity], int], hands: Mapping[str, Any]) -> bool:
        return not self.part._true(value, hands)

    def _compile(self, program: _Program) -> None:
        self.part._compile(program)
        program.step(_NOT)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Not, (self.part,)


class _Check(Condition):
    """A Python function of the hands."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[[dict[str, _core.Hand]], bool]) -> None:
        self.function = function

    def _write(self) -> str:
        name = getattr(self.function, "__qualname__", type(self.function).__qualname__)
        return f"<Python function {name}>"

    def _map(self, change: Callable[[Quantity], Quantity]) -> Condition:
        return self

    def _true(self, value: Callable[[Quantity], int], hands: Mapping[str, Any]) -> bool:
        return bool(self.function(dict(hands)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _Check, (self.function,)


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": int.__lt__,
    "<=": int.__le__,
    "==": int.__eq__,
    "!=": int.__ne__,
    ">=": int.__ge__,
    ">": int.__gt__,
}
_CONSTANT, _QUANTITY, _TIMES, _PLUS, _NOT = (STEPS[name] for name in ("constant", "quantity", "times", "plus", "not"))
_STEP_OF = {operator: STEPS[operator] for operator in _COMPARE}


class _Program:
    """A condition as steps of the core's stack machine."""

    def __init__(self, condition: Condition | None, seats: tuple[str, ...]) -> None:
        self.seats = seats
        self.steps: list[tuple[int, int]] = []
        self.quantities: list[tuple[int, int, int]] = []
        if condition is not None:
            condition._compile(self)

    def step(self, what: int, value: int = 0) -> int:
        self.steps.append((what, value))
        return len(self.steps) - 1

    def quantity(self, q: Quantity) -> None:
        entry = (self.seats.index(_SEAT_OF[q.seat]), q.what, q.of)
        if entry not in self.quantities:
            self.quantities.append(entry)
        self.step(_QUANTITY, self.quantities.index(entry))


def _inside(part: Condition) -> str:
    return str(part) if isinstance(part, (_Not, _Check)) else f"({part})"


def _all_of(parts: Iterable[Condition]) -> Condition:
    parts = tuple(parts)
    return parts[0] if len(parts) == 1 else _All(parts)


def as_condition(where: Any) -> Condition:
    """The condition that a text, or a Python function of the hands, stands for."""
    if isinstance(where, Condition):
        return where
    if isinstance(where, str):
        return parse_condition(where)
    if callable(where) and not isinstance(where, type):
        return _Check(where)
    if isinstance(where, Number):
        raise StudyError(f"{where} is a number, not a condition: compare it, as in {where} >= 1")
    raise StudyError(
        f"{quoted(where)} is no condition: a condition is such as sit.east.jokers >= 1, its text, or a "
        "function of the hands"
    )


def _seat_letter(name: str, condition: Condition) -> str:
    if name in _SEAT_OF:
        return _SEAT_OF[name]
    raise StudyError(f"{condition} speaks of {name}: that needs a study with a seat; name a seat such as south instead")


# ---- text ------------------------------------------------------------------------------------------------------------

_AST_COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Eq: "==", ast.NotEq: "!=", ast.GtE: ">=", ast.Gt: ">"}


def parse_condition(text: str) -> Condition:
    """Read a condition written as text.

    Parameters
    ----------
    text : str
        As in Python, with or without ``sit.``; besides ``&``, ``|`` and ``~``, also ``and``, ``or``, ``not`` and
        comparisons in a row.

    Raises
    ------
    StudyError
        If it cannot be read; the message says what and where.

    Examples
    --------
    >>> parse_condition("90 <= east.best_opening < 120 and not east.jokers == 0")
    (90 <= east.best_opening) & (east.best_opening < 120) & ~(east.jokers == 0)
    """
    if not isinstance(text, str):
        raise StudyError(f"a condition is a text such as 'east.jokers >= 1', not {quoted(text)}")
    if len(text) > 2000:
        raise StudyError(f"the condition {quoted(text)} has {len(text)} letters: it must have at most 2000")
    return _parsed(text)


@lru_cache(maxsize=256)
def _parsed(text: str) -> Condition:
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        at = getattr(error, "offset", None) or 1
        why = getattr(error, "msg", error)
        raise StudyError(f"the condition {text!r} cannot be read at place {at}: {why}") from None
    except (RecursionError, MemoryError):
        raise StudyError("the condition is nested too deeply") from None
    found = _Reader(text).read(tree)
    if isinstance(found, Number):
        raise StudyError(f"the condition {text!r} is a number: compare it, as in {text.strip()} >= 1")
    return found


def number_of(text: str, seat: str | None = None, rules: RuleSet | None = None) -> Number:
    """Read a number of the hands: an expression, or a column of `simulate` such as ``run_h_n``.

    Parameters
    ----------
    text : str
    seat : str, optional
        From which ``me``, ``lho``, ``partner`` and ``rho`` are counted.
    rules : RuleSet, optional

    Raises
    ------
    StudyError
        If it is none.

    Examples
    --------
    >>> number_of("partner.jokers + 2 * lho.deuces", "E"), number_of("run_h_n")
    (west.jokers + 2 * south.deuces, north.run_h)
    """
    feature, _, letter = text.strip().rpartition("_")
    if feature in _core.FEATURES and letter.upper() in _NAME_OF:
        text = f"{_NAME_OF[letter.upper()]}.{feature}"
    try:
        found = parse_condition(f"{text} >= 0")
    except StudyError as error:
        why = str(error).replace(f"{text} >= 0", text)
        raise StudyError(f"{text!r} is neither a column of the rows nor a number of the hands: {why}") from None
    if not isinstance(found, _Comparison):
        raise StudyError(f"{text!r} is a condition, where a number of the hands is expected, such as partner.jokers")
    placed = found if seat is None else found.at(seat, rules)
    assert isinstance(placed, _Comparison)
    seats = _compile.compiled(rules or SITOUMUSSAMBA).seats
    for q in placed._quantities():
        if _seat_letter(q.seat, placed) not in seats:
            raise StudyError(f"{text!r} speaks of {q.seat}: there is no such seat in this game")
    return placed.left


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def fail(self, node: ast.AST, why: str) -> NoReturn:
        source = ast.unparse(node)
        place = len(self.text) - len(self.text.lstrip()) + getattr(node, "col_offset", 0) + 1
        raise StudyError(f"the condition {self.text!r} cannot be read: {source!r} at place {place} {why}")

    def read(self, node: ast.AST) -> Number | Condition:
        match node:
            case ast.BoolOp(op, values):
                parts = [self.condition(value) for value in values]
                return _All(parts) if isinstance(op, ast.And) else _Any(parts)
            case ast.BinOp(left, ast.BitAnd(), right):
                return _All((self.condition(left), self.condition(right)))
            case ast.BinOp(left, ast.BitOr(), right):
                return _Any((self.condition(left), self.condition(right)))
            case ast.BinOp(left, ast.Add(), right):
                return self.number(left) + self.number(right)
            case ast.BinOp(left, ast.Sub(), right):
                return self.number(left) - self.number(right)
            case ast.BinOp(left, ast.Mult(), right):
                return self.number(left) * self.number(right)
            case ast.UnaryOp(ast.Not() | ast.Invert(), operand):
                return _Not(self.condition(operand))
            case ast.UnaryOp(ast.USub(), operand):
                return -self.number(operand)
            case ast.Compare():
                return self.comparison(node)
            case ast.Constant(bool()):
                pass
            case ast.Constant(int() as value):
                return Number.of(value)
            case ast.Attribute(value, name):
                try:
                    return self.seat(value).__getattr__(name)
                except AttributeError as error:
                    self.fail(node, f"is unknown: {str(error).partition(': ')[2]}")
            case ast.Call(ast.Attribute(value, ("count" | "holds") as name), [ast.Constant(str() as cards)], []):
                try:
                    found: Number | Condition = getattr(self.seat(value), name)(cards)
                except SitoumusError as error:
                    self.fail(node, f"is wrong: {error}")
                return found
        self.fail(node, 'is neither a number such as east.run_h or east.count("9s") nor a condition: east.jokers >= 1')

    def seat(self, node: ast.AST) -> Seat:
        name = ast.unparse(node).removeprefix("sit.")
        if name not in _SEATS:
            self.fail(node, f"is no seat: seats are {', '.join(_SEATS)}")
        return _SEATS[name]

    def comparison(self, node: ast.Compare) -> Condition:
        numbers = [self.number(operand) for operand in (node.left, *node.comparators)]
        parts: list[Condition] = []
        for left, sign, right in zip(numbers, node.ops, numbers[1:], strict=False):
            if type(sign) not in _AST_COMPARE:
                self.fail(node, f"compares otherwise than with {' '.join(_COMPARE)}")
            parts.append(_Comparison(left, _AST_COMPARE[type(sign)], right))
        return _all_of(parts)

    def number(self, node: ast.AST) -> Number:
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
            sign = "&" if isinstance(node.op, ast.BitAnd) else "|"
            self.fail(node, f"is no number: put each comparison in parentheses, as in (a >= 1) {sign} (b >= 1)")
        found = self.read(node)
        if isinstance(found, Condition):
            self.fail(node, "is a condition, where a number is expected")
        return found

    def condition(self, node: ast.AST) -> Condition:
        found = self.read(node)
        if isinstance(found, Number):
            self.fail(node, "is a number, where a condition is expected: put each comparison in parentheses")
        return found


# ---- getting ready to deal -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PreparedCondition:
    """A condition together with known cards, ready to be dealt; made by `prepare`.

    Attributes
    ----------
    condition : Condition
        With the seats of the table.
    rules : RuleSet
    exact_seat : str or None
        The hand that is dealt from tables.
    exact_part, rest : Condition or None
        What the tables take care of, and what is found by trying; both together are the condition.
    chance : Fraction
        Probability of the exact part, exactly; 1 without one.
    dealer : _core.Dealer
    """

    condition: Condition
    rules: RuleSet
    exact_seat: str | None
    exact_part: Condition | None
    rest: Condition | None
    chance: Fraction
    dealer: Any

    @property
    def exact(self) -> bool:
        """Whether the whole condition is dealt exactly: nothing is tried in vain, and its probability is known."""
        return self.rest is None

    def probability(self, deals: int = 100_000, seed: int = 0) -> tuple[float, tuple[float, float]]:
        """Probability of the condition with its 95 % interval; the interval is the point itself if it is exact.

        Parameters
        ----------
        deals : int
            Deals tried where it has to be estimated: Wilson's interval of the share that is kept, times `chance`.
        seed : int

        Raises
        ------
        StudyError
            If deals is less than 1.
        """
        if self.exact:
            return float(self.chance), (float(self.chance), float(self.chance))
        if deals < 1:
            raise StudyError(f"deals is {deals}: at least one deal must be tried")
        return self.estimate(self.dealer.kept(seed, 0, deals), deals)

    def estimate(self, kept: int, tried: int) -> tuple[float, tuple[float, float]]:
        """The same from counts of deals tried and kept, when their number was fixed beforehand."""
        from scipy.stats import binomtest

        interval = binomtest(kept, tried).proportion_ci(method="wilson")
        chance = float(self.chance)
        return chance * kept / tried, (chance * float(interval.low), chance * float(interval.high))

    def account(self, n: int, seed: int = 0) -> dict[str, Any]:
        """What a study of deals 0 .. n - 1 says of its condition, as plain values.

        Returns
        -------
        dict
            ``where``, its ``probability`` with ``probability_low`` and ``probability_high``, whether that is ``exact``,
            and the deals ``tried`` and ``kept``.
        """
        p, (low, high) = self.probability(seed=seed)
        tried = n if self.exact else int(self.sample(n, seed)[1].sum())
        return {
            "where": str(self.condition),
            "probability": p,
            "probability_low": low,
            "probability_high": high,
            "exact": self.exact,
            "tried": tried,
            "kept": n,
        }

    def sample(self, n: int, seed: int = 0, start: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """The hands of deals start .. start + n - 1.

        Returns
        -------
        counts : ndarray of uint8, shape (n, seats, 53)
            Copies of each card in canonical order.
        tries : ndarray of int64, shape (n,)
            Deals tried for each.
        """
        import numpy as np

        counts = np.empty((n, len(self.dealer.rules.seats), 53), np.uint8)
        tries = np.empty(n, np.int64)
        self.dealer.sample(seed, start, start + n, counts, tries)
        return counts, tries


def prepare(
    where: Where,
    hands: Mapping[str, Any] | None = None,
    rules: RuleSet | None = None,
    seat: str | None = None,
) -> PreparedCondition:
    """Make a condition ready to deal under; the tables are made once and kept.

    Parameters
    ----------
    where : Condition, str or callable
    hands : mapping of seat to Hand or str, optional
        Known cards.
    rules : RuleSet, optional
    seat : str, optional
        Seat that ``me`` and ``partner`` are counted from.

    Raises
    ------
    StudyError
        If it is no condition, speaks of seats that the game has not, or is certainly empty.
    """
    rules = as_rules(rules)
    condition = as_condition(where)
    if seat is not None:
        condition = condition.at(seat, rules)
    known = _core.known_cards(hands or {}, rules)
    return _prepared(condition, tuple((name, str(hand)) for name, hand in known.items()), _Game(rules))


@dataclass(frozen=True)
class _Game:
    """Rules as a key: rule sets of equal hash deal alike."""

    rules: RuleSet

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Game) and self.rules.hash == other.rules.hash

    def __hash__(self) -> int:
        return hash(self.rules.hash)


@lru_cache(maxsize=64)
def _prepared(condition: Condition, hands: tuple[tuple[str, str], ...], game: _Game) -> PreparedCondition:
    rules = game.rules
    seats: tuple[str, ...] = _compile.compiled(rules).seats
    for q in condition._quantities():
        if _seat_letter(q.seat, condition) not in seats:
            raise StudyError(f"{condition} speaks of {q.seat}: seats of this game are {' '.join(seats)}")
    known = {seat: _core.Hand(cards) for seat, cards in hands}
    conjuncts = tuple(_conjuncts(condition))
    best = min(_exact_ways(conjuncts, known, rules), key=lambda way: Fraction(way[2].count, way[2].total), default=None)
    exact: tuple[Condition, ...] = ()
    exact_seat, tables, chance = None, None, Fraction(1)
    if best is not None:
        exact_seat, exact, tables = best
        chance = Fraction(tables.count, tables.total)
        if not chance:
            given = f" together with the cards given ({known[exact_seat]})" if len(known[exact_seat]) else ""
            raise StudyError(f"empty condition: no hand of {exact_seat} fulfils {_all_of(exact)}{given}")
    rest = [part for part in conjuncts if part not in exact]
    asked = [part for part in rest if not part.is_text]
    asked_of_core = [part for part in rest if part.is_text]
    program = _Program(_all_of(asked_of_core) if asked_of_core else None, seats)
    looked = {_SEAT_OF[q.seat] for part in asked_of_core for q in part._quantities()}
    if asked:
        looked = set(seats)
    order = sorted(seats, key=lambda seat: (seat != exact_seat, seat not in looked, seats.index(seat)))
    check = _all_of(asked) if asked else None
    dealer = _core.Dealer(
        str(condition),
        rules,
        dict(hands),
        [seats.index(seat) for seat in order],
        len(looked | {exact_seat}) if exact_seat else len(looked),
        program.steps,
        program.quantities,
        tables,
        None if check is None else (lambda hands: check.holds(hands, rules)),
        PYTHON_TRIES if asked else TRIES,
    )
    return PreparedCondition(
        condition,
        rules,
        exact_seat,
        _all_of(exact) if exact else None,
        _all_of(rest) if rest else None,
        chance,
        dealer,
    )


def _conjuncts(condition: Condition) -> Iterator[Condition]:
    """Conditions that must all be true."""
    match condition:
        case _All():
            for part in condition.parts:
                yield from _conjuncts(part)
        case _Not(part=_Any() as some):
            for part in some.parts:
                yield from _conjuncts(_Not(part))
        case _Not(part=_Not() as inner):
            yield from _conjuncts(inner.part)
        case _:
            yield condition


def _exact_ways(
    conjuncts: tuple[Condition, ...], known: Mapping[str, _core.Hand], rules: RuleSet
) -> Iterator[tuple[str, tuple[Condition, ...], ExactTables]]:
    """Hands that can be dealt exactly: the seat, what of the condition that fulfils, the tables."""
    left, size = _core.pack_left(known, rules)
    for seat, hand in known.items():
        own = [0] * 65
        for code in hand.codes:
            own[code] += 1
        mine = [
            part
            for part in conjuncts
            if part.is_text and part.seats == (seat,) and not any(q.is_dear for q in part._quantities())
        ]
        suited = tuple(part for part in mine if not any(_kind(q) == "rank" for q in part._quantities()))
        ranked = tuple(part for part in mine if not any(_kind(q) == "suit" for q in part._quantities()))
        for parts in dict.fromkeys((suited, ranked)):
            # What is too much together may be dealt in part.
            for some in (parts, *((part,) for part in parts)) if len(parts) > 1 else (parts,):
                tables = _tables(some, left, own, size - len(hand), rules) if some else None
                if tables is not None:
                    yield seat, some, tables
                    if some is parts:
                        break


def _kind(q: Quantity) -> str:
    """How the number comes about: by suit, by rank, or by card."""
    name = _core.FEATURES[q.what] if q.what < len(_core.FEATURES) else ""
    if name in ("pairs", "triples", "fours"):
        return "rank"
    return "suit" if "run" in name else "card"


def _tables(
    parts: tuple[Condition, ...], left: list[int], own: list[int], draw: int, rules: RuleSet
) -> ExactTables | None:
    condition = _all_of(parts)
    limits = _limits(condition)
    place = {q: i for i, q in enumerate(limits)}
    numbers = [_number(q, limit, rules) for q, limit in limits.items()]
    return exact_tables(left, own, draw, numbers, lambda key: condition._true(lambda q: key[place[q]], {}))


def _limits(condition: Condition) -> dict[Quantity, int]:
    """Smallest value of each quantity above which the condition no longer depends on it."""
    limits: dict[Quantity, int] = {}
    for part in condition._walk():
        if isinstance(part, _Comparison):
            number = part.difference
            for coefficient, quantity in number.terms:
                limit = abs(number.constant) // abs(coefficient) + 1 if len(number.terms) == 1 else _NO_LIMIT
                limits[quantity] = max(limit, limits.get(quantity, 1))
    return limits


def _number(q: Quantity, limit: int, rules: RuleSet) -> HandNumber:
    """The quantity as `exact_dealing` takes it."""
    kind, name = _kind(q), str(q).partition(".")[2]
    if kind == "rank":
        return RankCount(*{"pairs": (2, 2), "triples": (3, 3), "fours": (4, 12)}[name], limit)
    if kind == "suit":
        longest, in_runs = _compile.lane_features(rules)
        suits = tuple(range(4)) if name in ("longest_run", "run_cards") else (SUITS.index(name[-1]),)
        return SuitNumber(suits, in_runs if name == "run_cards" else longest, name == "longest_run", limit)
    # Each card adds what it is worth alone.
    worth = [0] * 65
    for code in CARD_CODES:
        worth[code] = _core.quantity(_core.Hand([card_text(code)]), q.what, q.of, rules)
    return CardSum(worth, limit if min(worth) >= 0 else _NO_LIMIT)


_NO_LIMIT = 1_000_000
