"""Rule cases: positions and their right answers as data, and the check that a game answers so.

A case file is TOML with ``[[case]]`` tables: ``id``, ``rule``, ``position`` (see `sitoumus.position`),
``expect``, and if wanted ``rules`` (a preset), ``options`` (fields that differ) and ``note``.
The product checks its own rules with them, and users their house rules: ``sitoumus cases FILE...``.
"""

from __future__ import annotations

import os
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._names import VERBS
from .errors import CaseFileError, IllegalActionError, InvalidActionError, SitoumusError
from .notation import card_text, cards_text, contract_text, parse_cards, parse_contract

if TYPE_CHECKING:
    from ._core import Table

__all__ = ["CaseResult", "Failure", "check"]

CASE_KEYS = ("id", "rule", "note", "rules", "options", "position", "incident", "log", "expect")

@dataclass(frozen=True)
class Failure:
    """One answer that was not the expected one."""

    what: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.what}: expected {self.expected}, got {self.got}"


@dataclass(frozen=True)
class CaseResult:
    """What came of one case; as text one line, with what was expected and what came."""

    id: str
    rule: str
    failures: tuple[Failure, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every answer was as expected."""
        return not self.failures

    def __str__(self) -> str:
        rule = f" ({self.rule})" if self.rule else ""
        return f"{self.id}{rule}: " + ("; ".join(map(str, self.failures)) or "passed")


def check(path: str | os.PathLike[str]) -> list[CaseResult]:
    """Check every case of a file.

    Parameters
    ----------
    path : str or path
        A TOML file of cases.

    Returns
    -------
    list of CaseResult
        In the order of the file. A case that is written wrongly has failed; the others run.

    Raises
    ------
    CaseFileError
        If the file cannot be read or holds no cases.
    """
    return [check_case(case, number) for number, case in enumerate(read_cases(Path(path)), 1)]


def check_case(case: Mapping[str, Any], number: int = 1) -> CaseResult:
    """Check one case; `number` stands in for a missing id."""
    failures = []
    try:  # what failed before a miswritten key is kept
        for failure in _failures(case):
            failures.append(failure)
    except _Miswritten as error:
        failures.append(error.failure)
    return CaseResult(str(case.get("id", f"case {number}")), str(case.get("rule", "")), tuple(failures))


def read_cases(path: Path) -> list[Mapping[str, Any]]:
    """The cases of a file as plain tables, not yet checked."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CaseFileError(f"{path} cannot be read: {error}") from None
    for key in document:
        if key != "case":
            raise CaseFileError(f"{path}: unknown key {key!r}: a case file holds [[case]] tables and nothing else")
    cases = document.get("case")
    if not isinstance(cases, list) or not cases or not all(isinstance(case, dict) for case in cases):
        raise CaseFileError(f"{path} holds no [[case]] tables")
    return cases


class _Miswritten(Exception):
    """A case that asks for something that cannot be checked; becomes its last failure."""

    def __init__(self, what: str, right: str, got: object) -> None:
        super().__init__(what)
        self.failure = Failure(what, right, repr(got))


def _failures(case: Mapping[str, Any]) -> Iterator[Failure]:
    from ._core import Table
    from .rules import preset

    _known(case, CASE_KEYS, "case")
    position = _table(case.get("position", {}), "position")
    for key in ("rules", "options"):
        if key in position:
            raise _Miswritten("position", f"{key} beside the position, not in it", key)
    expect = _table(case.get("expect", {}), "expect")
    _known(expect, ("play", *CHECKS, *RULING_KEYS, "error"), "expect")
    if not expect or ("error" in expect and len(expect) > 1):
        raise _Miswritten("expect", "at least one key, and error only alone", list(expect))
    try:
        rules = preset(_text(case.get("rules", "sitoumussamba"), "rules"))
        rules = rules.replace(**_table(case.get("options", {}), "options"))
    except SitoumusError as error:
        yield Failure("rules", "a rule set", _refusal(error))
        return
    word = _text(expect.get("error", ""), "error")
    table: Any
    rulings: list[Any] = []
    directed = any(key in case for key in ("incident", "log")) or "referee" in position or {*RULING_KEYS} & {*expect}
    try:
        if directed:
            from .director.cases import differences, played

            table, rulings = played(case, rules)
        else:
            table = Table.from_position(position, rules=rules)
    except SitoumusError as error:
        if "error" not in expect or word not in str(error):
            yield Failure("position", f"an error with {word!r}" if word else "a position", _refusal(error))
        return
    if "error" in expect:
        yield Failure("position", f"an error with {word!r}", "a position")
    for step, action in enumerate(_texts(expect.get("play", []), "play"), 1):
        try:
            table.push(action)
        except SitoumusError as error:
            yield Failure(f"play {step}", f"{action!r} to be legal", _refusal(error))
            return
    if directed:
        yield from (Failure(*found) for found in differences(table, rulings, expect))
    for key, compare in CHECKS.items():
        if key in expect:
            try:
                yield from compare(table, expect[key])
            except SitoumusError as error:
                yield Failure(key, repr(expect[key]), _refusal(error))


# The checks, one for each key of expect: they yield what is not as expected.


def _legal(table: Table, actions: Any) -> Iterator[Failure]:
    for action in _texts(actions, "legal"):
        try:
            table.push(action)
        except SitoumusError as error:
            yield Failure("legal", f"{action!r} to be legal", _refusal(error))
        else:
            table.pop()
            if action not in table.legal_actions:
                yield Failure("legal", f"{action!r} in the legal actions", "a table that plays it all the same")


def _illegal(table: Table, actions: Any) -> Iterator[Failure]:
    before = table.to_position()
    for action in _texts(actions, "illegal"):
        if action in table.legal_actions:
            yield Failure("illegal", f"{action!r} to be refused", "a legal action")
            continue
        try:
            table.push(action)
        except (InvalidActionError, IllegalActionError) as error:
            if not str(error):
                yield Failure("illegal", f"a reason for refusing {action!r}", "an error without words")
        else:
            yield Failure("illegal", f"{action!r} to be refused", "a table that plays it")
            table.pop()
        if table.to_position() != before:
            yield Failure("illegal", f"{action!r} to change nothing", repr(table.to_position()))
            return


def _count(table: Table, counts: Any) -> Iterator[Failure]:
    have = Counter(_verb(str(action)) for action in table.legal_actions)
    for verb, expected in _table(counts, "count", VERBS).items():
        yield from _same(f"count.{verb}", expected, have[verb])


def _verb(action: str) -> str:
    verb = action.split()[0]
    return verb if verb in VERBS else "bid"


def _hands(table: Table, hands: Any) -> Iterator[Failure]:
    for seat, expected in _table(hands, "hands", table.to_position()["hands"]).items():
        yield from _same(f"hands.{seat}", _multiset(expected, "hands"), cards_text(parse_cards(table.hand(seat).cards)))


def _pile(table: Table, expected: Any) -> Iterator[Failure]:
    top_first = map(card_text, parse_cards(_text(expected, "pile")))
    yield from _same("pile", " ".join(top_first), " ".join(table.pile))


def _melds(table: Table, melds: Any) -> Iterator[Failure]:
    for side, texts in _table(melds, "melds", table.penalties).items():
        expected = [_multiset(text, "melds") for text in _texts(texts, "melds")]
        yield from _same(f"melds.{side}", expected, [cards_text(parse_cards(meld.cards)) for meld in table.melds(side)])


def _bonus(table: Table, bonus: Any) -> Iterator[Failure]:
    for side, expected in _table(bonus, "bonus", table.penalties).items():
        yield from _same(f"bonus.{side}", _multiset(expected, "bonus"), cards_text(parse_cards(table.bonus(side))))


def _contract(table: Table, expected: Any) -> Iterator[Failure]:
    yield from _same("contract", contract_text(parse_contract(_text(expected, "contract"))), table.contract)


def _by_side(key: str, value: Callable[[Table, str], Any]) -> Check:
    def compare(table: Table, expected: Any) -> Iterator[Failure]:
        for side, number in _table(expected, key, table.penalties).items():
            yield from _same(f"{key}.{side}", number, value(table, side))

    return compare


def _plain(key: str, value: Callable[[Table], Any]) -> Check:
    return lambda table, expected: _same(key, expected, value(table))


Check = Callable[["Table", Any], Iterator[Failure]]

#: Keys of expect that speak of irregularities; a case with one of them runs on a referee.
RULING_KEYS = ("ruling", "found", "rulings", "penalty_cards", "owes", "state", "next_dealer", "hand_sizes")

CHECKS: dict[str, Check] = {
    "phase": _plain("phase", lambda table: table.phase),
    "turn": _plain("turn", lambda table: table.turn),
    "contract": _contract,
    "hands": _hands,
    "melds": _melds,
    "bonus": _bonus,
    "pile": _pile,
    "stock": _plain("stock", lambda table: table.stock_size),
    "frozen": _plain("frozen", lambda table: table.frozen),
    "minimum": _by_side("minimum", lambda table, side: table.minimum(side)),
    "penalties": _by_side("penalties", lambda table, side: table.penalties[side]),
    "result": _plain("result", lambda table: table.score().result),
    "scores": _by_side("scores", lambda table, side: table.score()[side]),
    "winner": _plain("winner", lambda table: table.winner),
    "legal": _legal,
    "illegal": _illegal,
    "count": _count,
}


# Reading what a case says: what is written wrongly is a failure of its own.


def _known(table: Mapping[str, Any], keys: Collection[str], where: str) -> None:
    for key in table:
        if key not in keys:
            raise _Miswritten(where, f"keys out of {', '.join(keys)}", key)


def _table(value: Any, where: str, keys: Collection[str] | None = None) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _Miswritten(where, "a table", value)
    if keys is not None:
        _known(value, keys, where)
    return value


def _texts(value: Any, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise _Miswritten(where, "a list of texts", value)
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise _Miswritten(where, "a text", value)
    return value


def _multiset(value: Any, where: str) -> str:
    return cards_text(parse_cards(_text(value, where)))


def _same(what: str, expected: Any, got: Any) -> Iterator[Failure]:
    # 1 is not true and 0 is not false here.
    if expected != got or isinstance(expected, bool) is not isinstance(got, bool):
        yield Failure(what, repr(expected), repr(got))


def _refusal(error: SitoumusError) -> str:
    return "the refusal: " + " ".join(str(error).split())
