"""The form of a typed deal: a few lines of text, read with line and column, written, and asked at the prompt.

A line begins with its keyword; where two stand on one line, two blanks and the next keyword part them. ``#`` begins a
comment::

    rules  sitoumussamba        totals NS 3450, EW 1200
    contract 3H by E            ended  out E
    NS  7c-Kc | 4s-Ts | 2d 2d 2h 2s JK JK | Ad Ad JK
    EW  As-4s | 8c-Ac | 2c 2c 2c 2h 2h 2s JK
    left N 4s 5c 5c Qd, S 85, W 25
    bought EW 1                 penalty NS 100 failed question
    ruling W meld_out_of_turn
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import RulingError, SitoumusError, StudyError
from ..notation import cards_text, parse_contract
from ..position import Layout, layout_of
from ..rules import RuleSet, as_rules, preset
from .typed import TypedDeal, cards_of_meld

if TYPE_CHECKING:
    from ..record import Game

__all__ = ["ask_form", "form_of_game", "is_form", "read_form", "write_form"]

KEYWORDS = (
    *("rules", "option", "totals", "contract", "ended", "stock"),
    *("left", "bought", "bonus", "penalty", "ruling"),
)
SIDES = ("NS", "EW", "N", "E", "S", "W")
_START = re.compile(rf"({'|'.join((*KEYWORDS, *SIDES))})(?=\s|$)")
_NEXT = re.compile(rf"\s{{2,}}(?=(?:{'|'.join(KEYWORDS)})(?:\s|$))")


@dataclass(frozen=True)
class _Field:
    line: int
    column: int
    key: str
    value: str

    def wrong(self, message: str) -> StudyError:
        return StudyError(f"line {self.line}, column {self.column}: {message}")


def is_form(text: str) -> bool:
    """Whether a text looks like a form rather than a position in TOML."""
    for line in text.splitlines():
        words = line.split("#")[0].strip()
        if words:
            return bool(_START.match(words)) and not re.match(r"\w+\s*=", words)
    return False


def _fields(text: str) -> Iterator[_Field]:
    for number, line in enumerate(text.splitlines(), 1):
        content = line.split("#")[0].rstrip()
        place = len(content) - len(content.lstrip())
        while place < len(content):
            found = _NEXT.search(content, place)
            end = found.start() if found else len(content)
            part = content[place:end]
            key = _START.match(part)
            if key is None:
                raise StudyError(
                    f"line {number}, column {place + 1}: {part.split()[0]!r} is no keyword of a form: it begins with "
                    f"{', '.join(KEYWORDS)}, or with a side"
                )
            start = place + len(key[0])
            value = content[start:end]
            start += len(value) - len(value.lstrip())
            yield _Field(number, start + 1, key[0], value.strip())
            place = found.end() if found else len(content)


def read_form(source: str | os.PathLike[str], rules: RuleSet | str | None = None) -> TypedDeal:
    """Read a form.

    Parameters
    ----------
    source : str or path
        The text, or a path (not a str) of a file.
    rules : RuleSet or str, optional
        The rules where the form names none; Sitoumussamba if left out.

    Raises
    ------
    StudyError
        If something cannot be read; the message names line and column.
    """
    if isinstance(source, os.PathLike):
        try:
            source = Path(source).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise StudyError(f"{source} cannot be read: {error}") from None
    fields = list(_fields(source))
    found = as_rules(rules)
    for field in fields:
        if field.key == "rules":
            found = _reading(field, partial(preset, field.value))
    for field in fields:
        if field.key == "option":
            found = _reading(field, partial(_with_option, found, field))
    deal = TypedDeal(found)
    reader = _FormReader(deal, layout_of(found))
    for field in fields:
        _reading(field, partial(reader.read, field))
    if not reader.seen & {"ended"}:
        raise StudyError("the form does not say how the deal ended: add a line such as 'ended out E' or 'ended stock'")
    return deal


def _reading(field: _Field, read: Callable[[], Any]) -> Any:
    try:
        return read()
    except _Placed as error:
        raise StudyError(f"line {field.line}, column {field.column + error.offset}: {error}") from None
    except SitoumusError as error:
        if str(error).startswith("line "):
            raise
        raise field.wrong(str(error)) from None


class _Placed(StudyError):
    """An error some columns into a field."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def _with_option(rules: RuleSet, field: _Field) -> RuleSet:
    return rules.replace(**_option(field))


def _option(field: _Field) -> dict[str, Any]:
    import json

    name, _, value = field.value.partition("=")
    if not value:
        raise field.wrong(f"option {field.value!r}: write a field and its value, such as target = 5000")
    try:
        return {name.strip(): json.loads(value)}
    except json.JSONDecodeError:
        return {name.strip(): value.strip()}


class _FormReader:
    def __init__(self, deal: TypedDeal, layout: Layout) -> None:
        self.deal, self.layout = deal, layout
        self.seen: set[str] = set()

    def read(self, field: _Field) -> None:
        key, value = field.key, field.value
        once = key not in ("penalty", "ruling", "option")
        if once and key in self.seen:
            raise field.wrong(f"{key} stands twice in the form")
        self.seen.add(key)
        if key in ("rules", "option"):
            return
        if key in SIDES and key not in KEYWORDS:
            self.side(key, value)
        else:
            getattr(self, f"read_{key}")(value)

    def side(self, side: str, value: str) -> None:
        if side not in self.layout.sides:
            raise StudyError(f"{side} is no side of this game: sides are {', '.join(self.layout.sides)}")
        self.deal.melds[side] = []
        for offset, text in _split(value, "|"):
            if text:
                self.deal.melds[side].append(_at(offset, partial(cards_of_meld, text)))

    def read_contract(self, value: str) -> None:
        parse_contract(value)
        if value != "none" and not self.layout.max_level:
            raise StudyError(f"contract {value!r}: this game has no auction")
        self.deal.contract = value

    def read_ended(self, value: str) -> None:
        words = value.split()
        fits = words == ["stock"] or (
            words[:1] == ["out"] and words[1:2] and words[1] in self.layout.seats and words[2:] in ([], ["concealed"])
        )
        if not fits:
            raise StudyError(f"ended {value!r}: it must be stock, or such as 'out E', or 'out E concealed'")
        self.deal.ended = " ".join(words)

    def read_stock(self, value: str) -> None:
        if value not in ("empty", "0", "left"):
            raise StudyError(f"stock {value!r}: it must be empty or left")
        self.deal.stock_empty = value != "left"

    def read_totals(self, value: str) -> None:
        for offset, name, text in self.named(value, self.layout.sides):
            self.deal.totals[name] = _whole(text, offset)

    def read_bought(self, value: str) -> None:
        for offset, name, text in self.named(value, self.layout.sides):
            self.deal.bought[name] = _whole(text, offset)

    def read_bonus(self, value: str) -> None:
        for offset, name, text in self.named(value, self.layout.sides):
            self.deal.bonus[name] = _at(offset, partial(cards_of_meld, text))

    def read_left(self, value: str) -> None:
        for offset, name, text in self.named(value, self.layout.seats):
            if re.fullmatch(r"[0-9]+", text):
                self.deal.left[name] = int(text)
            else:
                self.deal.left[name] = _at(offset, partial(cards_of_meld, text))

    def read_penalty(self, value: str) -> None:
        words = value.split(None, 2)
        if len(words) < 2 or words[0] not in self.layout.sides or not words[1].isdigit():
            raise StudyError(f"penalty {value!r}: write the side, the points and what for, as NS 100 failed question")
        self.deal.penalties.setdefault(words[0], []).append((int(words[1]), words[2] if words[2:] else ""))

    def read_ruling(self, value: str) -> None:
        from ..director.incidents import kind_named

        words = value.split()
        if len(words) < 2 or words[0] not in self.layout.seats:
            raise StudyError(f"ruling {value!r}: write the seat and what happened, as W meld_out_of_turn")
        what = kind_named(words[1])
        self.deal.rulings.append({"what": str(what), "seat": words[0], **_ruling_words(words[2:])})

    def named(self, value: str, names: tuple[str, ...]) -> Iterator[tuple[int, str, str]]:
        """(offset, name, text) of a list such as ``NS 3450, EW 1200``."""
        for offset, part in _split(value, ","):
            if not part:
                continue
            name, _, text = part.partition(" ")
            if name not in names:
                raise _Placed(f"{name!r} must be one of {', '.join(names)}", offset)
            yield offset + len(name) + 1, name, text.strip()


def _ruling_words(words: list[str]) -> dict[str, Any]:
    """Details of a ruling: a word and what belongs to it (``points 500``, ``cards 3d 3h``, ``noticed deal_over``)."""
    from ..director.incidents import DETAILS

    known = {"cards", "noticed", "by", "choice"} | (set(DETAILS) - {"written"})
    found: dict[str, Any] = {}
    key = ""
    for word in words:
        if word in known:
            key = word
            found[key] = ""
        elif not key:
            raise RulingError(f"{word!r} is no detail of a ruling: known are {', '.join(sorted(known))}")
        else:
            found[key] = f"{found[key]} {word}".strip()
    for key, value in found.items():
        if DETAILS.get(key, (str,))[0] is int:
            found[key] = _whole(value, 0)
        elif DETAILS.get(key, (str,))[0] is bool:
            if value not in ("yes", "no"):
                raise RulingError(f"{key} is {value!r}: it must be yes or no")
            found[key] = value == "yes"
    return found


def _split(value: str, separator: str) -> Iterator[tuple[int, str]]:
    """The parts of a value, each with its offset."""
    place = 0
    for part in value.split(separator):
        yield place + len(part) - len(part.lstrip()), part.strip()
        place += len(part) + 1


def _at(offset: int, read: Callable[[], Any]) -> Any:
    try:
        return read()
    except SitoumusError as error:
        raise _Placed(str(error), offset) from None


def _whole(text: str, offset: int) -> int:
    if not re.fullmatch(r"-?[0-9]+", text):
        raise _Placed(f"{text!r} must be a whole number", offset)
    return int(text)


def write_form(deal: TypedDeal) -> str:
    """The form of a typed deal; `read_form` gives the same deal."""
    import json

    layout = layout_of(deal.rules)
    lines = [f"rules {deal.rules.name}"]
    lines += [f"option {name} = {json.dumps(value)}" for name, value in deal.rules.options.items()]
    if deal.totals:
        lines.append("totals " + ", ".join(f"{side} {total}" for side, total in deal.totals.items()))
    if layout.max_level:
        lines.append(f"contract {deal.contract}")
    lines.append(f"ended {deal.ended}")
    if deal.stock_empty:
        lines.append("stock empty")
    for side in layout.sides:
        if deal.melds.get(side):
            lines.append(f"{side} " + " | ".join(map(cards_text, deal.melds[side])))
    if deal.left:
        shown = [f"{seat} {left if isinstance(left, int) else cards_text(left)}" for seat, left in deal.left.items()]
        lines.append("left " + ", ".join(shown))
    if any(deal.bought.values()):
        lines.append("bought " + ", ".join(f"{side} {n}" for side, n in deal.bought.items() if n))
    if any(deal.bonus.values()):
        lines.append("bonus " + ", ".join(f"{side} {cards_text(c)}" for side, c in deal.bonus.items() if c))
    for side, penalties in deal.penalties.items():
        lines += [f"penalty {side} {points} {why}".rstrip() for points, why in penalties]
    for ruling in deal.rulings:
        details = [
            f"{key} {value if not isinstance(value, bool) else 'yes' if value else 'no'}"
            for key, value in ruling.items()
            if key not in ("what", "seat")
        ]
        lines.append(" ".join(["ruling", ruling["seat"], ruling["what"], *details]))
    return "\n".join(lines) + "\n"


def form_of_game(game: Game) -> TypedDeal:
    """What lies on the table at the end of a game, as somebody would type it."""
    return form_of_table(game.table)


def form_of_table(table: Any) -> TypedDeal:
    """What lies on the table of a deal that is over, as somebody would type it."""
    layout = layout_of(table.rules)
    if table.phase != "over":
        raise StudyError(f"the deal is not over (phase {table.phase}), so there is no form of it yet")
    deal = TypedDeal(table.rules, ended=table.ended, contract=table.contract, stock_empty=table.stock_size == 0)
    deal.stock_empty = deal.stock_empty and deal.ended != "stock"
    if table._turn_fields()["concealed"]:
        deal.ended += " concealed"
    for side in layout.sides:
        deal.melds[side] = [cards_of_meld(meld.cards) for meld in table.melds(side)]
        if table.bought(side):
            deal.bought[side] = len(table.bought(side))
        if table.bonus(side):
            deal.bonus[side] = cards_of_meld(table.bonus(side))
        if table.penalties[side]:
            deal.penalties[side] = [(table.penalties[side], "charged in play")]
    out = deal.ended.split()[1:2]
    deal.left = {seat: cards_of_meld(hand.cards) for seat, hand in table.hands.items() if [seat] != out}
    deal.totals = dict(table.totals)
    return deal


def ask_form(ask: Callable[[str], str], say: Callable[[str], None], rules: RuleSet | str | None = None) -> str:
    """Ask for a deal field by field; a wrong answer is told and asked again. The text of the form.

    Parameters
    ----------
    ask : callable
        Shows a question and returns the answer.
    say : callable
        Shows a sentence.
    rules : RuleSet or str, optional
        Left out, the first question is for them.
    """
    lines: list[str] = []
    layout = None if rules is None else layout_of(as_rules(rules))
    if rules is not None:
        lines.append(f"rules {as_rules(rules).name}")
    while layout is None:
        name = ask("rules (empty: sitoumussamba)").strip() or "sitoumussamba"
        try:
            layout = layout_of(preset(name))
        except SitoumusError as error:
            say(str(error))
        else:
            lines.append(f"rules {preset(name).name}")
    example = ", ".join(f"{side} 0" for side in layout.sides)
    questions = [("totals", f"totals before the deal, such as {example} (empty: 0)", True)]
    if layout.max_level:
        questions.append(("contract", "contract, such as 3H by E (empty: none)", True))
    questions.append(("ended", "how it ended: out E, or stock", False))
    questions += [(side, f"melds of {side}, with | between them (7c-Kc for a sequence)", True) for side in layout.sides]
    questions.append(("left", f"cards or points left, such as {layout.seats[0]} 4s 5c, {layout.seats[1]} 85", True))
    if layout.buy:
        questions.append(("bought", "red threes laid to buy, such as EW 1 (empty: none)", True))
    if layout.bonus:
        questions.append(("bonus", "bonus cards laid out, such as NS 3h 3d (empty: none)", True))
    questions.append(("penalty", "points that the rules charged, such as NS 100 failed question (empty: none)", True))
    questions.append(("ruling", "rulings, such as W meld_out_of_turn (empty: none)", True))
    for key, words, may_be_empty in questions:
        while True:
            answer = ask(words).strip()
            if not answer and may_be_empty:
                break
            if not answer:
                say("this has to be said")
                continue
            try:
                rest = [] if key == "ended" else ["ended stock"]
                read_form(
                    "\n".join([line for line in lines if not line.startswith("ended")] + [f"{key} {answer}", *rest])
                )
            except SitoumusError as error:
                say(re.sub(r"^line \d+, ", "", str(error)))
                continue
            lines.append(f"{key} {answer}")
            if key not in ("penalty", "ruling"):
                break
    return "\n".join(lines) + "\n"
