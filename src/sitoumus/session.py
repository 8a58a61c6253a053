"""A deal between people and the computer: text in, lines out. It knows no terminal."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core, checks
from .errors import SitoumusError, StudyError
from .policies import by_seat, compiled, policy, spec
from .position import layout_of
from .record import Game

if TYPE_CHECKING:
    from ._core import Deal
    from .rules import RuleSet

__all__ = ["HUMAN", "Session"]

#: What a record has as the policy of a seat that a person plays.
HUMAN = "human"
#: Worlds on which a hint tries each action.
HINT_WORLDS = 200
#: Short forms of the verbs.
SHORT = {"a": "add", "d": "discard", "m": "meld", "t": "take"}
HELP = (
    "Type an action, its number in the list, or one of these words:",
    "  legal [VERB]   what you may do, numbered",
    "  why ACTION     why an action is not legal",
    "  hint           what the computer would do with your cards",
    "  board          the table as you see it; hand and pile show these alone",
    "  history        what was done so far",
    "  save FILE      write the record",
    "  quit           stop; a saved game goes on with --resume",
    "Short forms: d 4c (discard), m 7c 7d 2s (meld), t 9c 9d (take), a 7s 1 (add).",
)


class Session:
    """One deal played by one to four people against compiled policies.

    Parameters
    ----------
    deal : Deal
    people : sequence of str
        The seats that people play.
    policies : str, policy, or sequence of them
        Who plays the other seats: one for all, one for each side, or one for each seat.
    rules : RuleSet or str, optional
    dealer : str
    totals : sequence of int, optional
    save : path, optional
        The record is written here, whole, after every action of a person.

    Raises
    ------
    StudyError
        If there is no such seat, or a policy of another seat is not compiled.

    Examples
    --------
    >>> import sitoumus as sit
    >>> session = Session(sit.Deal(seed=1, number=3), people=["S"], policies="greedy")
    >>> session.start()[0]
    'E 1C'
    >>> session.say("discard Ac")[0]
    "'discard Ac' is not legal: ..."
    """

    def __init__(
        self,
        deal: Deal,
        people: Sequence[str] = ("S",),
        policies: Any = "tuned",
        rules: RuleSet | str | None = None,
        dealer: str = "N",
        totals: Sequence[int] | None = None,
        save: str | os.PathLike[str] | None = None,
    ) -> None:
        checks.an("deal", deal, _core.Deal, "a Deal")
        self.table = _core.Table(deal, rules=rules, dealer=dealer, totals=totals)
        self.deal, self.dealer, self.path = deal, dealer, save
        self.totals = tuple(self.table.totals.values())
        seats = layout_of(self.table.rules).seats
        self.people = checks.one_or_more("people", people)
        for seat in self.people:
            checks.choice("a seat for a person", seat, seats)
        if not self.people:
            raise StudyError("nobody plays: name at least one seat for a person, such as S")
        seated = by_seat(policies, self.table.rules)
        codes = [None if seat in self.people else compiled(each) for seat, each in zip(seats, seated, strict=True)]
        for seat, code in zip(seats, codes, strict=True):
            if code is None and seat not in self.people:
                raise StudyError(f"the policy of {seat} is written in Python: take a compiled one, such as tuned")
        self.policies = tuple(HUMAN if s in self.people else spec(p) for s, p in zip(seats, seated, strict=True))
        self._players = _core.Players(self.table.rules, [code and (*code, 0) for code in codes], deal.seed or 0)
        self._seen = self.people[0] if len(self.people) == 1 else ""
        self.left = False

    @classmethod
    def resume(cls, game: Game, save: str | os.PathLike[str] | None = None) -> Session:
        """Go on with a record of a session; what was played stays as it was.

        Raises
        ------
        StudyError
            If no person plays in the record, or its deal is over.
        """
        seats = layout_of(game.rules).seats
        people = [seat for seat, each in zip(seats, game.policies, strict=False) if each == HUMAN]
        if not people:
            raise StudyError("no seat of this record is played by a person: it was not written by a session")
        if game.over:
            raise StudyError("the deal of this record is over: there is nothing to go on with")
        others = [policy("tuned" if each == HUMAN else each) for each in game.policies]
        session = cls(game.deal, people, others, game.rules, game.dealer, game.totals, save)
        for action in game.actions:
            session.table.push(action)
        return session

    @property
    def game(self) -> Game:
        """The record so far."""
        actions = tuple(self.table.actions)
        return Game(self.deal, self.table, actions, self.dealer, self.totals, policies=self.policies)

    @property
    def over(self) -> bool:
        """Whether there is nothing more to type: the deal is over, or a person has left."""
        return self.left or self.table.phase == "over"

    @property
    def covered(self) -> bool:
        """Whether the board is hidden until the next person has sat down."""
        return not self.over and self.table.turn != self._seen

    def start(self) -> list[str]:
        """Let the computer play up to the first person; the lines to show."""
        return self._go_on(len(self.table.actions))

    def say(self, text: str) -> list[str]:
        """Carry out what a person typed; the lines to show. Nothing that is typed raises or harms the table.

        Parameters
        ----------
        text : str
            An action, its number in the list of legal ones, or a word that ``help`` explains.
        """
        if self.over:
            return ["The game is over."]
        if self.covered and text.strip() != "quit":
            self._seen = self.table.turn
            return self.board()
        if not text.strip():
            return [f"{self.table.turn} is to act in phase {self.table.phase}: type an action, legal, or help."]
        word, _, rest = text.strip().partition(" ")
        answer = getattr(self, f"_say_{word}", None) if word.isascii() and word.isalpha() else None
        if answer is not None:
            return list(answer(rest.strip()))
        try:
            action = self._action(text)
            before = len(self.table.actions)
            self.table.push(action)
        except SitoumusError as error:
            return [str(error).partition(" Position: ")[0]]
        try:
            return self._go_on(before)
        except StudyError as error:  # the disk is full, or the folder has gone: the game goes on without a record
            self.path = None
            return [f"{error}; the record is no longer written (save FILE writes it)", *self._go_on(before)]

    def completions(self, text: str) -> list[str]:
        """What may be typed now and begins so: words and legal actions; nothing of a hand that is covered."""
        if self.over or self.covered:
            return []
        words = [name.removeprefix("_say_") for name in dir(self) if name.startswith("_say_")]
        return [each for each in (*words, *self.table.legal_actions) if each.startswith(text)]

    def board(self) -> list[str]:
        """The table as the person to act sees it."""
        return str(self.table.view(self.table.turn)).splitlines()

    def _action(self, text: str) -> str:
        words = text.split()
        if len(words) == 1 and words[0].isascii() and words[0].isdigit():
            legal, number = list(self.table.legal_actions), words[0].lstrip("0") or "0"
            if len(number) > 4 or not 1 <= int(number) <= len(legal):
                raise StudyError(f"there is no choice {number}: they are numbered from 1 to {len(legal)} (see legal)")
            return str(legal[int(number) - 1])
        if words and words[0] in SHORT:
            words[0] = SHORT[words[0]]
        return " ".join(words)

    def _go_on(self, before: int) -> list[str]:
        self._write()
        if self.table.phase != "over" and self.table.turn not in self.people:
            self._players.play(self.table)
            self._write()
        done = list(self.game.steps())[before:]
        lines = [f"{seat} {action}" for _, _, seat, action in done]
        if self.table.phase == "over":
            return [*lines, "", *str(self.table.score().explain()).splitlines()]
        if self.covered:
            return [*lines, f"It is the turn of {self.table.turn}. Press Enter when {self.table.turn} sits here alone."]
        return [*lines, "", *self.board()]

    def _write(self) -> None:
        if self.path is not None:
            self._write_to(Path(self.path))

    def _write_to(self, path: Path) -> None:
        new = path.with_name(f".{path.stem}.new.json")
        try:
            self.game.save(new)
            new.replace(path)
        except OSError as error:
            raise StudyError(f"{path} cannot be written: {error}") from None

    def _say_help(self, rest: str) -> Sequence[str]:
        return HELP

    def _say_legal(self, rest: str) -> Sequence[str]:
        listed = [(n, a) for n, a in enumerate(self.table.legal_actions, 1) if not rest or a.split()[0] == rest]
        if len(listed) > 12:  # many calls or takes: several in a row
            width = max(len(action) for _, action in listed) + 6
            rows = max(1, 80 // width)
            texts = [f"{n:>3} {action}".ljust(width) for n, action in listed]
            return ["".join(texts[at : at + rows]).rstrip() for at in range(0, len(texts), rows)]
        return [f"{n:>3} {action}" for n, action in listed] or [f"Nothing that begins with {rest!r} is legal now."]

    def _say_why(self, rest: str) -> Sequence[str]:
        try:
            action = self._action(rest)
            self.table.after(action)
        except SitoumusError as error:
            return [str(error).partition(" Position: ")[0]]
        return [f"{action!r} is legal."]

    def _say_hint(self, rest: str) -> Sequence[str]:
        advice = self.table.advise(deals=HINT_WORLDS, seed=self.deal.seed or 0, progress=False)
        others = len(advice.not_excluded) - 1
        sure = "surely the best" if others <= 0 else f"{others} others may be as good"
        return [f"{advice.best} ({sure}; {advice.deals} worlds tried)"]

    def _say_board(self, rest: str) -> Sequence[str]:
        return self.board()

    def _say_hand(self, rest: str) -> Sequence[str]:
        hand = self.table.hand(self.table.turn)
        return [str(hand), f"{len(hand)} cards, {hand.points} points"]

    def _say_pile(self, rest: str) -> Sequence[str]:
        return [next(line for line in self.board() if line.startswith("pile")), f"stock   {self.table.stock_size}"]

    def _say_history(self, rest: str) -> Sequence[str]:
        return self.game.transcript().splitlines() or ["Nothing was done yet."]

    def _say_save(self, rest: str) -> Sequence[str]:
        if not rest and self.path is None:
            return ["Name a file, as in save game.json"]
        path = Path(rest or self.path or "")
        try:
            self._write_to(path)
        except (SitoumusError, ValueError) as error:
            return [str(error)]
        return [f"Written: {path}"]

    def _say_quit(self, rest: str) -> Sequence[str]:
        self.left = True
        return ["You have left the table."]
