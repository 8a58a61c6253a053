"""Rulings in game records: a deal with incidents replays, each ruling in its place, and is checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import RecordError, RulingError, SitoumusError
from .incidents import Incident, Ruling
from .judging import judge, judge_freely
from .penalties import Remedy
from .referee import Referee

if TYPE_CHECKING:
    from .._core import Table
    from ..record import Game
    from ..score import Score

__all__ = ["Entries", "closed", "course", "read_entries", "replayed", "score_of", "written_entries"]

#: Rulings with the number of legal actions before each.
Entries = tuple[tuple[int, Ruling], ...]


def closed(entries: Entries) -> str | None:
    """How a ruling has ended the deal: ``redeal``, ``forfeit``, None if none has."""
    last = entries[-1][1] if entries else None
    if last is not None and last.remedy in (Remedy.REDEAL, Remedy.FORFEIT):
        return str(last.remedy)
    return None


def written_entries(entries: Entries) -> list[dict[str, Any]]:
    """The key ``incidents`` of a record."""
    written = []
    for after, ruling in entries:
        consequences = ruling.consequences()
        if ruling.discretionary:
            consequences["text"] = ruling.text
        written.append({"after": after, **ruling.incident.to_dict(), "ruling": consequences})
    return written


def read_entries(value: Any) -> list[tuple[int, Incident, Mapping[str, Any]]]:
    """Read the key ``incidents``.

    Raises
    ------
    RecordError
        If it is written wrongly; the message gives the number of the incident, from 1.
    """
    if not isinstance(value, list):
        raise RecordError(f"incidents is {value!r}: it must be a list")
    entries = []
    for place, item in enumerate(value, 1):
        if not isinstance(item, Mapping) or not isinstance(item.get("ruling"), Mapping):
            raise RecordError(f"incident {place} is {item!r}: it must be a table with its ruling")
        plain = dict(item)
        after, ruling = plain.pop("after", None), plain.pop("ruling")
        if isinstance(after, bool) or not isinstance(after, int) or after < 0:
            raise RecordError(f"incident {place}: after is {after!r}: it must be a number of actions")
        try:
            entries.append((after, Incident.from_dict(plain), ruling))
        except RulingError as error:
            raise RecordError(f"incident {place}: {error}") from None
    return entries


def replayed(
    table: Table, actions: Sequence[str], entries: Sequence[tuple[int, Incident, Mapping[str, Any]]]
) -> Referee:
    """A referee after all actions, each ruling in its place and checked.

    Raises
    ------
    RecordError
        If an action or an incident does not replay; the message gives its number, from 1.
    """
    referee = Referee(table)
    place = 0
    for done in range(len(actions) + 1):
        while place < len(entries) and entries[place][0] == done:
            place += 1
            _rule(referee, place, *entries[place - 1][1:])
        if done < len(actions):
            try:
                referee.push(actions[done])
            except SitoumusError as error:
                raise RecordError(f"action {done + 1} ({actions[done]!r}) fails: {error}") from None
    if place < len(entries):
        raise RecordError(
            f"incident {place + 1} stands after action {entries[place][0]}: the record has {len(actions)} actions, "
            "and incidents stand in the order of time"
        )
    return referee


def _rule(referee: Referee, place: int, incident: Incident, written: Mapping[str, Any]) -> None:
    try:
        ruling = judge(referee, incident, bool(written.get("discretionary")))
        if written.get("discretionary"):
            changes = {name: written.get(name) for name in ("remedy", "points", "minimum_raise", "duty", "warning")}
            ruling = judge_freely(referee, ruling, changes, written.get("text"))
            ruling = replace(ruling, points=dict(changes["points"] or {}))
        wanted = {name: value for name, value in written.items() if name != "text"}
        if ruling.consequences() != wanted:
            raise RulingError(f"the ruling is {wanted!r}, but the code gives {ruling.consequences()!r}")
        referee.apply(ruling)
    except SitoumusError as error:
        raise RecordError(f"incident {place}: {error}") from None


def course(game: Game, start: Table) -> Iterator[Table]:
    """The table before the first action and after each one, rulings of each place applied; tables of their own."""
    referee = Referee(start)
    place = 0
    for done in range(len(game.actions) + 1):
        if done:
            referee.push(game.actions[done - 1])
        while place < len(game.incidents) and game.incidents[place][0] == done:
            referee.apply(game.incidents[place][1])
            place += 1
        yield referee.table.copy()


def score_of(game: Game, start: Table) -> Score:
    """The score of a game with incidents."""
    referee = Referee(start)
    referee.table = game.table
    referee.entries = list(game.incidents)
    ended = closed(game.incidents)
    if ended is not None:
        last = game.incidents[-1][1]
        referee.state = ended
        referee.loser = referee.side_of(last.incident.seat) if ended == "forfeit" else None
    return referee.score()
