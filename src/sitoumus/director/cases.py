"""Rule cases with irregularities: ``[[case.incident]]`` tables, a ``log``, and what is expected of the rulings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import RulingError
from ..notation import cards_text, parse_cards
from .incidents import Ruling
from .logs import judge_log
from .referee import Referee

if TYPE_CHECKING:
    from ..rules import RuleSet

__all__ = ["differences", "played"]

RULING_KEYS = ("what", "upheld", "remedy", "points", "minimum_raise", "duty", "warning")

Difference = tuple[str, str, str]


def played(case: Mapping[str, Any], rules: RuleSet) -> tuple[Referee, list[Ruling]]:
    """The referee of a case after its incidents and its log, and the rulings.

    Raises
    ------
    SitoumusError
        If the position cannot be, an incident cannot be asked, or an action that follows is not legal.
    """
    referee = Referee.from_position(case.get("position", {}), rules=rules)
    rulings = []
    incidents = case.get("incident", [])
    if not isinstance(incidents, list):
        raise RulingError(f"incident is {incidents!r}: a case has [[case.incident]] tables")
    for incident in incidents:
        words = dict(incident)
        then = words.pop("then", [])
        rulings.append(referee.report(words.pop("what", None), **words))
        for action in then:
            referee.push(action)
    rulings += judge_log(referee, case.get("log", []))
    return referee, rulings


def differences(referee: Referee, rulings: list[Ruling], expect: Mapping[str, Any]) -> Iterator[Difference]:
    """What is not as expected: (key, expected, got)."""
    if "ruling" in expect:
        wanted = expect["ruling"] if isinstance(expect["ruling"], list) else [expect["ruling"]]
        if len(wanted) != len(rulings):
            yield "ruling", f"{len(wanted)} rulings", f"{len(rulings)}: {'; '.join(map(str, rulings))}"
        for place, (ruling, right) in enumerate(zip(rulings, wanted, strict=False), 1):
            yield from _of_ruling(referee, ruling, right, f"ruling {place}")
    plain = {
        "found": [str(ruling.what) for ruling in rulings],
        "state": referee.state,
        "next_dealer": referee.next_dealer,
        "penalty_cards": {seat: cards_text(parse_cards(text)) for seat, text in referee.penalty_cards.items()},
        "owes": {seat: owed for seat, owed in referee.owes.items() if owed},
    }
    for key, have in plain.items():
        if key in expect:
            right = expect[key]
            if key == "penalty_cards" and isinstance(right, Mapping):
                right = {seat: cards_text(parse_cards(text)) for seat, text in right.items()}
            if right != have:
                yield key, repr(right), repr(have)
    for key, of_name in (("rulings", referee.points.get), ("hand_sizes", lambda seat: len(referee.table.hand(seat)))):
        for name, right in expect.get(key, {}).items():
            have_one = of_name(name)
            if have_one != right:
                yield f"{key}.{name}", repr(right), repr(have_one)


def _of_ruling(referee: Referee, ruling: Ruling, right: Mapping[str, Any], where: str) -> Iterator[Difference]:
    for key in right:
        if key not in RULING_KEYS:
            yield where, f"keys out of {', '.join(RULING_KEYS)}", repr(key)
    what = "none" if ruling.what is None else str(ruling.what)
    if "what" in right and right["what"] != what:
        yield f"{where}.what", repr(right["what"]), repr(what)
    if right.get("what") == "none":
        return
    have: dict[str, Any] = {
        "upheld": ruling.upheld,
        "remedy": str(ruling.remedy),
        "duty": str(ruling.duty),
        "warning": ruling.warning,
    }
    left_out = {"upheld": True, "remedy": str(ruling.remedy), "duty": "none", "warning": False}
    for key, value in have.items():
        wanted = right.get(key, left_out[key])
        if wanted != value:
            yield f"{where}.{key}", repr(wanted), repr(value)
    for key, by_side in (("points", ruling.points), ("minimum_raise", ruling.minimum_raise)):
        wanted = right.get(key, {})
        for side in dict.fromkeys((*referee.sides, *wanted)):
            if wanted.get(side, 0) != by_side.get(side, 0):
                yield f"{where}.{key}.{side}", repr(wanted.get(side, 0)), repr(by_side.get(side, 0))
