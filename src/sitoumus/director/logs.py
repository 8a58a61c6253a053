"""A log of what happened at a table, judged: every act in order, each irregular one ruled on where it happened.

An entry is an action text, perhaps with its seat (``"W: draw"``), or a claim (``"claim N"``). An irregularity is
noticed at the first claim after it that may be made; where nobody claims, when the deal is over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import RulingError, SitoumusError
from .finding import find
from .incidents import Ruling, Step, parse_step
from .penalties import Irregularity, Remedy

if TYPE_CHECKING:
    from .referee import Referee

__all__ = ["Entry", "judge_log", "read_log"]

_ENTRY = re.compile(r"\s*(?:([NESW])\s*:)?\s*(.*)", re.DOTALL)
_CLAIM = re.compile(r"claim(?:\s+([NESW]))?", re.IGNORECASE)


@dataclass(frozen=True)
class Entry:
    """One entry of a log: an act of a seat (None: of the player to act), or a claim by a seat (None: by somebody)."""

    text: str
    seat: str | None
    claim: bool = False

    @property
    def step(self) -> Step:
        """The act, taken apart."""
        return parse_step(self.text)


def read_log(log: Sequence[str], seats: Sequence[str]) -> list[Entry]:
    """The entries of a log.

    Raises
    ------
    RulingError
        If an entry cannot be read; the message gives its number, from 1.
    """
    entries = []
    for place, text in enumerate(log, 1):
        if not isinstance(text, str):
            raise RulingError(f"log entry {place} is {text!r}: it must be a text such as 'E: draw' or 'claim S'")
        claim = _CLAIM.fullmatch(text.strip())
        if claim:
            entry = Entry("claim", None if claim[1] is None else claim[1].upper(), claim=True)
        else:
            found = _ENTRY.fullmatch(text)
            assert found is not None
            entry = Entry(found[2].strip(), found[1])
            try:
                parse_step(entry.text)
            except RulingError as error:
                raise RulingError(f"log entry {place}: {error}") from None
        if entry.seat is not None and entry.seat not in seats:
            raise RulingError(f"log entry {place} ({text!r}): seats are {', '.join(seats)}")
        entries.append(entry)
    return entries


def judge_log(referee: Referee, log: Sequence[str], noticed: str | None = None) -> list[Ruling]:
    """Play a log on a referee's table, with a ruling on every irregular act.

    Parameters
    ----------
    referee : Referee
        The table before the first entry; it is played on.
    log : sequence of str
    noticed : str, optional
        When every irregularity counts as noticed, instead of what the claims say.

    Returns
    -------
    list of Ruling
        Those of irregular acts in order, dismissed ones too.
    """
    return _Log(referee, read_log(log, referee.seats), noticed).judged()


class _Log:
    def __init__(self, referee: Referee, entries: list[Entry], noticed: str | None) -> None:
        self.referee, self.entries, self.noticed = referee, entries, noticed
        self.rulings: list[Ruling] = []
        #: Melds and additions of an opening under way: what a discard may show to be too little.
        self.laid: list[str] = []
        self.layer: str | None = None

    def judged(self) -> list[Ruling]:
        for place, entry in enumerate(self.entries):
            if entry.claim:
                continue
            if self.referee.state != "play":
                break
            try:
                self.act(place, entry)
            except SitoumusError as error:
                raise RulingError(f"log entry {place + 1} ({entry.text!r}): {error}") from None
        if self.laid and self.referee.state == "play" and self.referee.table.phase == "over":
            self.laid.clear()
        return self.rulings

    def act(self, place: int, entry: Entry) -> None:
        referee = self.referee
        seat = referee.table.turn if entry.seat is None else entry.seat
        found = find_one(referee, seat, entry)
        if found == Irregularity.SHORT_OPENING and self.laid and self.layer == seat and entry.step.verb == "discard":
            run = list(self.laid)
            for _ in run:
                referee.pop()
            self.laid.clear()
            ruling = self.rule(place, seat, run, Irregularity.SHORT_OPENING)
            if ruling.remedy != Remedy.CORRECT or not self.goes_on(place, seat):
                self.act(place, entry)
            return
        if found is None:
            self.play(seat, entry)
            return
        self.laid.clear()
        self.rule(place, seat, [entry.text])

    def play(self, seat: str, entry: Entry) -> None:
        step, referee = entry.step, self.referee
        referee.push("draw" if step.verb == "draw" else entry.text)
        unfinished = not referee.table.opened(referee.side_of(seat)) and step.verb in ("meld", "add")
        if not unfinished:
            self.laid.clear()
            return
        if self.layer != seat:
            self.laid.clear()
        self.layer = seat
        self.laid.append(entry.text)

    def goes_on(self, place: int, seat: str) -> bool:
        """Whether the next act is the same player's: then it takes the place of what was corrected."""
        after = next((entry for entry in self.entries[place + 1 :] if not entry.claim), None)
        return after is not None and after.seat in (None, seat)

    def rule(self, place: int, seat: str, act: list[str], what: Irregularity | None = None) -> Ruling:
        """The ruling at the first claim that is heard; at the end of the deal if there is none."""
        referee = self.referee
        ruling: Ruling | None = None
        if self.noticed is not None:
            ruling = referee.judge(what, seat=seat, act=act, noticed=self.noticed)
        else:
            for later in range(place + 1, len(self.entries)):
                claim = self.entries[later]
                if not claim.claim:
                    continue
                ruling = referee.judge(what, seat=seat, act=act, noticed=self.moment(place, later, seat), by=claim.seat)
                if ruling.upheld or ruling.what not in referee.table.rules.penalty:
                    break
                ruling = None
            if ruling is None:
                ruling = referee.judge(what, seat=seat, act=act, noticed="deal_over")
        referee.apply(ruling)
        self.rulings.append(ruling)
        return ruling

    def moment(self, place: int, claim: int, seat: str) -> str:
        """When a claim comes: at once, or after another player has drawn, taken or called."""
        turn: str | None = seat
        for entry in self.entries[place + 1 : claim]:
            if entry.claim:
                continue
            turn = entry.seat if entry.seat is not None else turn
            if turn != seat and entry.step.verb in ("draw", "take", "call"):
                return "next_player"
            if entry.step.verb in ("discard", "call") and entry.seat in (None, seat):
                turn = None  # another player acts from here on
        return "at_once"


def find_one(referee: Referee, seat: str, entry: Entry) -> Irregularity | None:
    """The kind of irregularity that one act is; an opening that still may grow is none (I7.9)."""
    step = entry.step
    if step.verb in ("meld", "add") and seat == referee.table.turn and entry.text in referee.legal_actions:
        return None
    return find(referee, seat, [step], "at_once").what
