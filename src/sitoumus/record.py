"""Game records: one deal as JSON, with its cards and every action, and the check that it replays.

A record is one JSON object in the format ``sitoumus-game-1``; a ``.jsonl`` file holds one a line.
Reading a record plays it again: every action must be legal, and result, scores and components must be
those of the replay.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core, checks
from .errors import InvalidActionError, RecordError, SitoumusError
from .notation import (
    CARD_CODES,
    canonical_index,
    card_text,
    cards_text,
    contract_text,
    parse_cards,
    parse_contract,
)
from .position import Layout, layout_of
from .rules import RuleSet

if TYPE_CHECKING:
    from ._core import Deal, Table
    from .director.incidents import Ruling
    from .score import Score

__all__ = ["FORMAT", "Game", "load_game", "load_games", "save_games"]

FORMAT = "sitoumus-game-1"

#: The keys of a record, in the order in which they are written.
KEYS = (
    "format",
    "version",
    "rules",
    "seed",
    "number",
    "policy_seed",
    "dealer",
    "totals",
    "contract",
    "cards",
    "policies",
    "actions",
    "incidents",
    "result",
    "ended",
    "scores",
    "components",
)
#: Stands only in records of deals with irregularities.
OPTIONAL = ("incidents",)
OUTCOME = ("result", "ended", "scores", "components")


@dataclass(frozen=True, eq=False)
class Game:
    """One deal that was played, or played so far.

    Attributes
    ----------
    deal : Deal
        The cards as dealt.
    table : Table
        The table after the last action.
    actions : tuple of str
        Every action from the first call on.
    dealer : str
        The dealer's seat.
    totals : tuple of int
        Match totals of the sides at the start of the deal.
    contract : str or None
        The contract that was forced, such as ``"3H by E"``.
    policies : tuple
        Who played: by seat, by pair, or one for all, as text or (a policy with parameters) as a dict.
    policy_seed : int or None
        Seed of the policies' random numbers, where it is not that of the deal.
    incidents : tuple
        Rulings on irregular acts, each as (number of actions before it, Ruling).
    """

    deal: Deal
    table: Table
    actions: tuple[str, ...]
    dealer: str = "N"
    totals: tuple[int, ...] = (0, 0)
    contract: str | None = None
    policies: tuple[Any, ...] = ()
    policy_seed: int | None = None
    incidents: tuple[tuple[int, Ruling], ...] = ()

    @property
    def rules(self) -> RuleSet:
        """The rule set played by."""
        return self.table.rules

    @property
    def over(self) -> bool:
        """Whether the deal has ended, in play or by a ruling."""
        if not self.incidents:
            return self.table.phase == "over"
        from .director.records import closed

        return self.table.phase == "over" or closed(self.incidents) is not None

    @property
    def score(self) -> Score:
        """What the deal scored.

        Raises
        ------
        RecordError
            While the deal goes on (`over` tells).
        """
        if not self.over:
            raise RecordError(f"the deal is not over (phase {self.table.phase}), so it has no score yet")
        if not self.incidents:
            return self.table.score()
        from .director.records import score_of

        return score_of(self, self._start())

    def _start(self) -> Table:
        return _table(self.deal, self.rules, self.dealer, self.totals)

    def _course(self) -> Iterator[Table]:
        """The table before the first action and after each one, without regard to a forced contract."""
        if self.incidents:
            from .director.records import course

            yield from course(self, self._start())
            return
        table = self._start()
        yield table
        for action in self.actions:
            table.push(action)
            yield table

    def at(self, number: int) -> Table:
        """The table after so many actions; a new one, which can be played on.

        The actions are played again from the first: to step through a whole game take `tables`.

        Parameters
        ----------
        number : int
            0 is the table before the first call; negative numbers count from the end.
        """
        if not -len(self.actions) <= number <= len(self.actions):
            raise RecordError(f"there is no action {number}: the game has {len(self.actions)}")
        table = next(islice(self._course(), number if number >= 0 else len(self.actions) + number, None))
        if self.contract is not None:
            _core.call_by_force(table)
        return table

    def tables(self) -> Iterator[Table]:
        """The table before the first action and after each one: tables of their own, each action played once.

        Examples
        --------
        >>> from sitoumus import Deal, play
        >>> game = play(Deal(seed=7, number=42), policies="random")
        >>> tables = list(game.tables())
        >>> len(tables) == len(game.actions) + 1, tables[-1] == game.table
        (True, True)
        """
        for table in self._course():
            found = table.copy()
            if self.contract is not None:
                _core.call_by_force(found)
            yield found

    def steps(self) -> Iterator[tuple[int, str, str, str]]:
        """Every action in order: completed turns before it, phase, seat that acts, action."""
        turns = 0
        for table, action in zip(self._course(), self.actions, strict=False):
            yield turns, table.phase, table.turn, action
            turns += action.startswith("discard")

    def transcript(self) -> str:
        """The game as text, one line for the auction, one for each opening before play, one a turn."""
        lines: list[tuple[tuple[int, str], list[str]]] = []
        for turns, phase, seat, action in self.steps():
            if phase == "auction":
                key, text = (-1, "calls"), f"{seat} {action}"
            elif phase == "opening":
                key, text = (-1, f"{seat} opening"), action
            elif phase == "reply":
                key, text = lines[-1][0], f"({seat}: {action})"
            else:
                key, text = (turns, f"{turns + 1:>3} {seat}"), action
            if not lines or lines[-1][0] != key:
                lines.append((key, []))
            lines[-1][1].append(text)
        return "\n".join(f"{name}: {'; '.join(texts)}" for (_, name), texts in lines)

    def to_dict(self) -> dict[str, Any]:
        """The record as plain values, in the order of the format."""
        from . import __version__

        layout, score = layout_of(self.rules), self.score if self.over else None
        return {
            "format": FORMAT,
            "version": __version__,
            "rules": {"preset": self.rules.name, "options": self.rules.options},
            "seed": self.deal.seed,
            "number": self.deal.number,
            "policy_seed": self.policy_seed,
            "dealer": self.dealer,
            "totals": dict(zip(layout.sides, self.totals, strict=True)),
            "contract": self.contract,
            "cards": self._cards(),
            "policies": list(self.policies),
            "actions": list(self.actions),
            **self._incidents(),
            **_outcome(score, layout),
        }

    def _incidents(self) -> dict[str, Any]:
        if not self.incidents:
            return {}
        from .director.records import written_entries

        return {"incidents": written_entries(self.incidents)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Game:
        """Replay a record.

        Raises
        ------
        RecordError
            If it is written wrongly or does not replay; the message gives the number of the action
            that fails, from 1.
        """
        return _Reader(record).game()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file; a ``.jsonl`` file gets it as one more line."""
        path = Path(path)
        if path.suffix == ".jsonl":
            with path.open("a", encoding="utf-8") as file:
                file.write(_line(self))
        else:
            entries = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in self.to_dict().items())
            path.write_text("{\n" + ",\n".join(entries) + "\n}\n", encoding="utf-8")

    def __str__(self) -> str:
        number = "cards given" if self.deal.number is None else f"seed {self.deal.seed}, number {self.deal.number}"
        outcome = f"{self.score.result}, {_scores_text(self.score, self.rules)}" if self.over else "goes on"
        return f"{self.rules.name}, {number}: {self.table.contract}, {len(self.actions)} actions, {outcome}"

    def __repr__(self) -> str:
        return f"<Game {self}>"

    def to_html(
        self,
        path: str | os.PathLike[str] | None = None,
        view: str | None = None,
        start: int = 0,
        lang: str = "en",
        title: str | None = None,
    ) -> str:
        """The game as a page for a browser, to be stepped through; see `sitoumus.to_html`."""
        from .page import to_html

        return to_html(self, path, view, start, lang, title)

    def _repr_html_(self) -> str:
        from .page import game_frame

        return game_frame(self)

    def _cards(self) -> dict[str, Any]:
        """The cards as they are dealt: hands and stock.

        The player who starts is dealt more in some games; a Deal knows no dealer, so those cards lead its stock (F1).
        """
        layout = layout_of(self.rules)
        hands = {seat: hand.codes for seat, hand in self.deal.hands.items()}
        stock = parse_cards(self.deal.stock)
        extra, stock = stock[: layout.first_extra], stock[layout.first_extra :]
        hands[layout.starter(self.dealer)] += extra
        return {
            "hands": {seat: cards_text(codes) for seat, codes in hands.items()},
            "stock": " ".join(map(card_text, stock)),
        }

    def _key(self) -> tuple[Any, ...]:
        cards = self._cards()
        given = (self.rules, self.dealer, self.totals, self.contract)
        return (*cards["hands"].values(), cards["stock"], *given, self.actions)

    def __eq__(self, other: object) -> bool:
        """Whether all that a record holds is the same: cards, rules, actions, who played and what was given."""
        if not isinstance(other, Game):
            return NotImplemented
        mine, theirs = (
            (*each._key(), each.deal.seed, each.deal.number, each.policies, each.policy_seed, each.incidents)
            for each in (self, other)
        )
        return mine == theirs

    def __hash__(self) -> int:
        return hash(self._key())


def load_game(path: str | os.PathLike[str], number: int | None = None) -> Game:
    """Read a game record and play it again.

    Parameters
    ----------
    path : str or path
        A ``.json`` file, or a ``.jsonl`` file with one record a line.
    number : int, optional
        Which record of a ``.jsonl`` file, from 0; needed where it holds several.

    Raises
    ------
    RecordError
        If the file cannot be read or a record does not replay.
    """
    where, record = _record(Path(checks.file_path("path", path, RecordError)), number)
    return _replayed(where, record)


def records_of(path: str | os.PathLike[str], number: int | None = None) -> Any:
    """One record of a file as plain values, not yet replayed; parameters and errors as for `load_game`."""
    return _record(Path(checks.file_path("path", path, RecordError)), number)[1]


def read_start(record: Any) -> tuple[Game, Sequence[str]]:
    """A record before its first action, and its actions, which nobody has checked; what came of them is not asked.

    Raises
    ------
    RecordError
        If it is written wrongly.
    """
    reader = _Reader(record, asked=False)
    return reader.start(), reader.texts("actions")


def _record(path: Path, number: int | None) -> tuple[str, Any]:
    records = list(_records(path))
    if number is None and len(records) > 1:
        raise RecordError(f"{path} holds {len(records)} games: say which, from 0 to {len(records) - 1}")
    number = 0 if number is None else number
    if not 0 <= number < len(records):
        raise RecordError(f"{path} has no game {number}: it holds {len(records)}, counted from 0")
    return records[number]


def load_games(path: str | os.PathLike[str]) -> Iterator[Game]:
    """Read the games of a file one after the other."""
    for where, record in _records(Path(checks.file_path("path", path, RecordError))):
        yield _replayed(where, record)


def save_games(games: Iterable[Game], path: str | os.PathLike[str]) -> None:
    """Write games to a ``.jsonl`` file, one a line; what it held before is lost."""
    with Path(path).open("w", encoding="utf-8") as file:
        file.writelines(map(_line, games))


def _line(game: Game) -> str:
    return json.dumps(game.to_dict(), separators=(",", ":")) + "\n"


def _records(path: Path) -> Iterator[tuple[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and len(str(path)) > 300 else error
        name = checks.quoted(str(path)) if len(str(path)) > 300 else str(path)
        raise RecordError(f"{name} cannot be read: {reason}") from None
    if path.suffix == ".jsonl":
        documents = [(f"{path} line {n}", line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    else:
        documents = [(str(path), text)]
    for where, document in documents:
        try:
            yield where, json.loads(document)
        except json.JSONDecodeError as error:
            raise RecordError(f"{where} is no JSON: {error}") from None


def _replayed(where: str, record: Any) -> Game:
    try:
        return Game.from_dict(record)
    except RecordError as error:
        raise RecordError(f"{where}: {error}") from None


def _table(deal: Deal, rules: RuleSet, dealer: str, totals: Sequence[int]) -> Table:
    return _core.Table(deal, rules=rules, dealer=dealer, totals=tuple(totals))


def _outcome(score: Score | None, layout: Layout) -> dict[str, Any]:
    """The keys of a record that the replay must give again."""
    if score is None:
        return {"result": None, "ended": None, "scores": None, "components": None}
    by_ruling = score.ended.split()[0] in ("redeal", "forfeit")
    return {
        "result": None if by_ruling else score.result,
        "ended": score.ended,
        "scores": {side: score[side] for side in layout.sides},
        "components": {side: dict(score.components[side]) for side in layout.sides},
    }


def _scores_text(score: Score, rules: RuleSet) -> str:
    return ", ".join(f"{side} {score[side]:+d}" for side in layout_of(rules).sides)


class _Reader:
    """One reading of one record: each key is checked, then the game is played again."""

    def __init__(self, record: Any, asked: bool = True) -> None:
        if not isinstance(record, Mapping):
            raise RecordError(f"a record is a JSON object, not {type(record).__name__}")
        found = record.get("format")
        if found != FORMAT:
            raise RecordError(f"format is {found!r}: this library reads {FORMAT!r}")
        for key in record:
            if key not in KEYS:
                raise RecordError(f"unknown key {key!r}: a record has the keys {', '.join(KEYS)}")
        for key in KEYS:
            if key not in record and key not in OPTIONAL and (asked or key not in OUTCOME):
                raise RecordError(f"{key} is missing")
        self.record = record

    def start(self) -> Game:
        """The game before its first action."""
        record = self.record
        try:
            rules = RuleSet.from_dict(record["rules"])
        except SitoumusError as error:
            raise RecordError(f"rules: {error}") from None
        layout = layout_of(rules)
        dealer = record["dealer"]
        if dealer not in layout.seats:
            raise self.wrong("dealer", f"one of {', '.join(layout.seats)}")
        totals = self.totals(layout)
        contract = self.contract(layout)
        hands, stock = self.cards(layout, dealer)
        seed, number = self.whole("seed"), self.whole("number")
        if (seed is None) != (number is None):
            raise RecordError("seed and number must be both whole numbers or both null")
        try:
            deal = _core.Deal.from_cards(hands, stock, rules, seed=seed, number=number)
            table = _table(deal, rules, dealer, totals)
        except SitoumusError as error:
            raise RecordError(f"cards: {error}") from None
        return Game(
            deal,
            table,
            (),
            dealer=dealer,
            totals=totals,
            contract=contract,
            policies=tuple(self.list("policies")),
            policy_seed=self.whole("policy_seed"),
        )

    def game(self) -> Game:
        record, game, actions = self.record, self.start(), self.texts("actions")
        layout, table = layout_of(game.rules), game.table
        if "incidents" in record:
            from .director.records import read_entries, replayed

            referee = replayed(table, actions, read_entries(record["incidents"]))
            game = replace(game, table=referee.table, actions=tuple(actions), incidents=tuple(referee.entries))
        else:
            for place, action in enumerate(actions, 1):
                try:
                    table.push(action)
                except SitoumusError as error:
                    raise RecordError(f"action {place} ({action!r}) fails: {error}") from None
            game = replace(game, actions=tuple(actions))
        for key, played in _outcome(game.score if game.over else None, layout).items():
            if record[key] != played:
                raise RecordError(f"{key} is {record[key]!r}, but the replay gives {played!r}")
        return game

    def wrong(self, key: str, right: str) -> RecordError:
        return RecordError(f"{key} is {self.record[key]!r}: it must be {right}")

    def whole(self, key: str) -> int | None:
        value = self.record[key]
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
            raise self.wrong(key, "a whole number from 0 up, or null")
        return value

    def list(self, key: str) -> Sequence[Any]:
        value = self.record[key]
        if not isinstance(value, list | tuple):
            raise self.wrong(key, "a list")
        return value

    def texts(self, key: str) -> Sequence[str]:
        value = self.list(key)
        for place, text in enumerate(value, 1):
            if not isinstance(text, str):
                raise RecordError(f"{key} {place} is {text!r}: it must be a text")
        return value

    def totals(self, layout: Layout) -> tuple[int, ...]:
        value = self.record["totals"]
        right = f"whole numbers for {', '.join(layout.sides)}"
        if not isinstance(value, Mapping) or set(value) != set(layout.sides):
            raise self.wrong("totals", right)
        if any(isinstance(total, bool) or not isinstance(total, int) for total in value.values()):
            raise self.wrong("totals", right)
        return tuple(value[side] for side in layout.sides)

    def contract(self, layout: Layout) -> str | None:
        value = self.record["contract"]
        if value is None:
            return None
        try:
            contract = parse_contract(value)
        except InvalidActionError as error:
            raise RecordError(f"contract: {error}") from None
        if contract is None or not layout.max_level:
            raise self.wrong("contract", "null or, where the game has an auction, such as '3H by E'")
        return contract_text(contract)

    def cards(self, layout: Layout, dealer: str) -> tuple[dict[str, str], str]:
        """Hands and stock of a Deal: together the pack, each hand as large as it is dealt (F1)."""
        given = self.record["cards"]
        if not isinstance(given, Mapping) or set(given) != {"hands", "stock"}:
            raise RecordError("cards must hold hands and stock")
        hands, stock = given["hands"], given["stock"]
        if not isinstance(hands, Mapping) or set(hands) != set(layout.seats):
            raise RecordError(f"cards.hands must hold {', '.join(layout.seats)}")
        starter = layout.starter(dealer)
        read: dict[str, list[int]] = {}
        for where, text in [*((f"hands.{seat}", hands[seat]) for seat in layout.seats), ("stock", stock)]:
            if not isinstance(text, str):
                raise RecordError(f"cards.{where} is {text!r}: it must be a text")
            try:
                codes = parse_cards(text)
            except SitoumusError as error:
                raise RecordError(f"cards.{where}: {error}") from None
            size = layout.hand + (layout.first_extra if where == f"hands.{starter}" else 0)
            if where != "stock" and len(codes) != size:
                raise RecordError(f"cards.{where} holds {len(codes)} cards: {size} are dealt")
            read[where] = codes
        count = Counter(code for codes in read.values() for code in codes)
        for code in CARD_CODES:
            have, pack = count[code], layout.in_pack(code)
            if have != pack:
                raise RecordError(f"cards: {card_text(code)} occurs {have} times, and {pack} times in the pack")
        starters, cards = read[f"hands.{starter}"], read["stock"]
        starters.sort(key=canonical_index)
        cards[:0] = starters[layout.hand :]
        del starters[layout.hand :]
        return {seat: cards_text(read[f"hands.{seat}"]) for seat in layout.seats}, " ".join(map(card_text, cards))
