"""The score of a deal typed in from paper: what lies on the table, counted by the core, with what is doubtful told.

Nothing is filled in. What the core cannot hold as it was typed (a fourth nine of clubs, a meld that cannot lie) is
counted by its face, and a doubt says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import _core
from ..director.finding import card_class
from ..errors import InvalidCardError, InvalidMeldError, InvalidPositionError, StudyError
from ..notation import CARD_CODES, JOKER, RANKS, card_code, card_text, cards_text, parse_cards
from ..position import Layout, layout_of
from ..rules import RuleSet, as_rules
from ..score import Score

__all__ = ["TypedDeal", "cards_of_meld", "score_deal"]

_RUN = re.compile(r"(\S{2,3})\s*-\s*(\S{2,3})")


def cards_of_meld(text: str | Iterable[str]) -> list[int]:
    """Card codes of a meld as typed; a sequence may be written by its ends, ``7c-Kc``.

    Raises
    ------
    InvalidCardError
        If a card cannot be read, or the ends are no sequence.
    """
    if not isinstance(text, str):
        text = " ".join(map(str, text))
    codes: list[int] = []
    place = 0
    for found in _RUN.finditer(text):
        first, last = card_code(found[1]), card_code(found[2])
        if JOKER in (first, last) or first >> 4 != last >> 4:
            raise InvalidCardError(f"{found[0]!r} is no sequence: both ends are cards of one suit, such as 7c-Kc")
        codes += parse_cards(text[place : found.start()])
        length = ((last & 15) - (first & 15)) % len(RANKS) + 1
        codes += [(first & ~15) | ((first & 15) + step) % len(RANKS) for step in range(length)]
        place = found.end()
    return codes + parse_cards(text[place:])


@dataclass
class TypedDeal:
    """A deal as it was typed in; `score` counts it.

    Attributes
    ----------
    rules : RuleSet
    melds : dict of list of list of int
        Card codes by side.
    left : dict
        By seat: card codes, or points (int).
    ended : str
        ``"stock"`` or ``"out E"``; ``"out E concealed"`` where that counts.
    contract : str
    bought : dict of int
        Cards laid to buy, by side.
    bonus : dict of list of int
        Bonus cards laid, by side.
    penalties : dict of list of tuple
        By side (points, what for): what the rules of play charge.
    totals : dict of int
    stock_empty : bool
        Whether the stock had run out when somebody went out: a contract may be void then (R9.13).
    rulings : list of dict
        Incidents, each as the words of `Referee.report` with ``what``.
    """

    rules: RuleSet
    melds: dict[str, list[list[int]]] = field(default_factory=dict)
    left: dict[str, list[int] | int] = field(default_factory=dict)
    ended: str = "stock"
    contract: str = "none"
    bought: dict[str, int] = field(default_factory=dict)
    bonus: dict[str, list[int]] = field(default_factory=dict)
    penalties: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    stock_empty: bool = False
    rulings: list[dict[str, Any]] = field(default_factory=list)

    def score(self, strict: bool = False) -> Score:
        """The score, with `Score.doubts`.

        Raises
        ------
        StudyError
            With `strict`, if anything is doubtful.
        """
        return _Counting(self).score(strict)


def score_deal(
    melds: Mapping[str, Sequence[Any]],
    left: Mapping[str, Any] | None = None,
    ended: str = "stock",
    contract: str = "none",
    bought: Mapping[str, int] | None = None,
    bonus: Mapping[str, Any] | None = None,
    penalties: Mapping[str, Sequence[tuple[int, str]]] | None = None,
    totals: Mapping[str, int] | None = None,
    rules: RuleSet | str | None = None,
    rulings: Sequence[Mapping[str, Any]] = (),
    stock_empty: bool = False,
    strict: bool = False,
) -> Score:
    """Score a deal from what lies on the table, as people have it on paper.

    Parameters
    ----------
    melds : mapping of side to list
        The melds of each side; a sequence may be written ``"7c-Kc"``.
    left : mapping of seat to str or int, optional
        What was left in the hands: ``"4s 5c 5c Qd"``, or the points that it costs. A seat that is left out counts 0 and
        is a doubt, save the one that went out.
    ended : str
        ``"out E"``, ``"out E concealed"`` or ``"stock"``.
    contract : str
        Such as ``"3H by E"``, ``"3H by E doubled"`` or ``"none"``.
    bought : mapping of side to int, optional
        Cards laid to buy.
    bonus : mapping of side to cards, optional
        Bonus cards laid out.
    penalties : mapping of side to list of tuple, optional
        By side (points, what for): failed bids, failed questions. Irregularities are rulings.
    totals : mapping of side to int, optional
        Totals of the match before this deal.
    rules : RuleSet or str, optional
        Sitoumussamba if left out.
    rulings : sequence of mapping
        Incidents as for `Referee.report`: ``{"what": "meld_out_of_turn", "seat": "W"}``.
    stock_empty : bool
        Whether the stock had run out when somebody went out (R9.13).
    strict : bool
        Refuse a deal with doubts.

    Returns
    -------
    Score
        ``score.doubts`` lists what is doubtful, in sentences with rule numbers.

    Raises
    ------
    SitoumusError
        If something cannot be read, or cannot be counted at all.

    Examples
    --------
    >>> score = score_deal({"NS": ["7c-Kc"], "EW": ["Kd Kd Ks"]}, left={"E": "4c", "S": "4d", "W": 85},
    ...                    ended="out N", contract="1H by S")
    >>> score["NS"], score["EW"], score.result
    (2360, -60, 'made')
    """
    found = as_rules(rules)
    layout = layout_of(found)
    deal = TypedDeal(found, ended=ended, contract=contract, stock_empty=stock_empty)
    for side, of_side in _named("melds", melds, layout.sides):
        deal.melds[side] = [cards_of_meld(meld) for meld in of_side]
    for seat, value in _named("left", left or {}, layout.seats):
        whole = isinstance(value, int) and not isinstance(value, bool)
        deal.left[seat] = value if whole else cards_of_meld(value)
    for side, value in _named("bonus", bonus or {}, layout.sides):
        deal.bonus[side] = cards_of_meld(value)
    deal.bought = dict(_named("bought", bought or {}, layout.sides))
    deal.totals = dict(_named("totals", totals or {}, layout.sides))
    deal.penalties = {
        side: [(points, str(why)) for points, why in lines]
        for side, lines in _named("penalties", penalties or {}, layout.sides)
    }
    deal.rulings = [dict(ruling) for ruling in rulings]
    return deal.score(strict)


def _named(key: str, table: Mapping[str, Any], names: Sequence[str]) -> Iterable[tuple[str, Any]]:
    for name, value in table.items():
        if name not in names:
            raise StudyError(f"{key} names {name!r}: in this game there are {', '.join(names)}")
        yield name, value


class _Counting:
    """One count of one typed deal."""

    def __init__(self, deal: TypedDeal) -> None:
        self.deal, self.rules = deal, deal.rules
        self.layout: Layout = layout_of(deal.rules)
        self.doubts: list[str] = []
        #: By side: (component, rule, what, points) of what the core cannot hold.
        self.beside: dict[str, list[tuple[str, str, str, int]]] = {side: [] for side in self.layout.sides}
        self.used: Counter[int] = Counter()
        self.points_of_hand: dict[str, int] = {}

    def score(self, strict: bool) -> Score:
        self.count_cards()
        melds = {side: self.melds(side) for side in self.layout.sides}
        position: dict[str, Any] = {
            "phase": "over",
            "ended": " ".join(self.deal.ended.split()[:2]),
            "contract": self.deal.contract,
            "melds": melds,
            "bonus": {side: self.bonus(side) for side in self.layout.sides},
            "totals": self.deal.totals,
            "penalties": {side: sum(points for points, _ in lines) for side, lines in self.deal.penalties.items()},
            "pile": "",
        }
        if not self.layout.bonus:
            del position["bonus"]
        if not self.layout.max_level and self.deal.contract == "none":
            del position["contract"]
        position["hands"] = {seat: self.hand(seat) for seat in self.layout.seats}
        position["bought"] = self.bought()
        if not self.layout.buy:
            del position["bought"]
        position["stock"] = "" if self.deal.stock_empty or self.deal.ended == "stock" else self.one_card()
        if self.deal.ended.split()[2:] == ["concealed"]:
            position["turn_state"] = {"concealed": 1}
        table = _core.Table.from_position(position, rules=self.rules)
        self.doubt_the_end(table)
        self.doubt_numbers()
        if strict and self.doubts:
            raise StudyError("the deal is doubtful: " + "; ".join(self.doubts))
        return self.with_words(table)

    # -- what was typed, as far as the core can hold it

    def count_cards(self) -> None:
        """Cards that occur more often than the pack holds them (R5.1)."""
        deal, typed = self.deal, Counter[int]()
        for melds in deal.melds.values():
            for codes in melds:
                typed.update(codes)
        for cards in (*deal.bonus.values(), *(left for left in deal.left.values() if not isinstance(left, int))):
            typed.update(cards)
        for code in CARD_CODES:
            if typed[code] > self.layout.in_pack(code):
                self.doubts.append(
                    f"{card_text(code)} occurs {typed[code]} times, and the pack has {self.layout.in_pack(code)} (R5.1)"
                )

    def free(self, code: int) -> bool:
        return self.used[code] < self.layout.in_pack(code)

    def melds(self, side: str) -> list[str]:
        """Melds for the core; what cannot lie is counted by its cards."""
        texts: list[str] = []
        ranks: set[tuple[str, str]] = set()
        for number, codes in enumerate(self.deal.melds.get(side, []), 1):
            text = cards_text(codes)
            try:
                meld = _core.Meld(text, self.rules) if codes else None
            except (InvalidMeldError, InvalidCardError) as error:
                meld = None
                why = str(error).split(": ", 1)[-1]
                self.doubts.append(f"meld {number} of {side}, {text}, cannot lie: {why}")
            else:
                if meld is None:
                    self.doubts.append(f"meld {number} of {side} holds no cards")
            if meld is not None:
                kind = self.rules.kind(meld.kind)
                key = (meld.kind, meld.cards[0][0])
                if kind.per_rank == "one" and key in ranks:
                    self.doubts.append(f"{side} has two melds of one rank, {text} is the second one (F23)")
                ranks.add(key)
            held = None if meld is None else self.held(codes, meld.kind)
            if held is not None and not (kind.per_rank == "one" and self.repeats(texts, text)):
                texts.append(cards_text(held))
                self.used.update(held)
            elif codes:
                self.beside_meld(side, codes, text, meld)
        return texts

    def repeats(self, texts: list[str], text: str) -> bool:
        """Whether the side has a meld of the same kind and rank already."""
        new = _core.Meld(text, self.rules)
        others = [_core.Meld(other, self.rules) for other in texts]
        return any(other.kind == new.kind and other.cards[0][0] == new.cards[0][0] for other in others)

    def held(self, codes: list[int], kind: str) -> list[int] | None:
        """The cards, or cards of other suits that count the same where the pack has no more of these."""
        want = Counter(codes)
        if all(self.used[code] + n <= self.layout.in_pack(code) for code, n in want.items()):
            return codes
        if self.rules.kind(kind).shape == "run":
            for suit in range(4):
                moved = [suit * 16 + (code & 15) for code in codes]
                if all(map(self.free, moved)):
                    return moved
            return None
        room, other = Counter(self.used), []
        for code in codes:
            choices = [code] if code == JOKER else [code, *(suit * 16 + (code & 15) for suit in range(4))]
            found = next((choice for choice in choices if room[choice] < self.layout.in_pack(choice)), None)
            if found is None:
                return None
            room[found] += 1
            other.append(found)
        return other

    def beside_meld(self, side: str, codes: list[int], text: str, meld: Any) -> None:
        points = sum(self.points(code) for code in codes)
        self.beside[side].append(("card_points", "R12.2", f"cards: {text}", points))
        if meld is not None and meld.bonus:
            self.beside[side].append(("bonus", "R31.1", f"bonus: {text}", meld.bonus))

    def points(self, code: int) -> int:
        return int(self.rules.points[card_class(code)])

    def hand_points(self, code: int) -> int:
        name = card_class(code)
        return int(self.rules.hand_points.get(name, self.rules.points[name]))

    def bonus(self, side: str) -> str:
        codes = []
        for code in self.deal.bonus.get(side, []):
            if code not in self.layout.bonus:
                raise StudyError(f"bonus of {side}: {card_text(code)} is no bonus card of this game")
            if self.free(code):
                self.used[code] += 1
                codes.append(code)
            else:
                raise StudyError(f"bonus of {side}: the pack has no more {card_text(code)}")
        return cards_text(codes)

    def bought(self) -> dict[str, int]:
        found = {}
        for side, number in self.deal.bought.items():
            if number and not self.layout.buy:
                raise StudyError(f"bought of {side} is {number}: in this game no card is bought")
            room = sum(self.layout.in_pack(code) - self.used[code] for code in self.layout.buy)
            if number > room:
                raise StudyError(f"bought of {side} is {number}: {room} cards to buy with are left in the pack")
            found[side] = number
        return found

    def hand(self, seat: str) -> str:
        """Cards for the core that cost what was typed; the words of the score show what was typed."""
        out = self.deal.ended.split()[1:2] == [seat]
        left = self.deal.left.get(seat)
        if left is None:
            if not out:
                self.doubts.append(f"nothing is said about the hand of {seat}, so it counts 0 (R12.3)")
            return ""
        if out and left:
            self.doubts.append(f"{seat} went out and has cards left: they are not counted (R28.1)")
            return ""
        if isinstance(left, int):
            self.points_of_hand[seat] = left
            return self.cards_worth(seat, left)
        side = self.layout.sides[self.layout.side_of[self.layout.seats.index(seat)]]
        cards = []
        for code in left:
            hidden = code in self.layout.bonus and not self.layout.bonus_waits
            if hidden or not self.free(code):
                if hidden:
                    self.doubts.append(f"{seat} has {card_text(code)} left: bonus cards are laid out (F18, I12.1)")
                minus = -self.hand_points(code)
                self.beside[side].append(("hand_minus", "R12.3", f"hand of {seat}: {card_text(code)}", minus))
                continue
            self.used[code] += 1
            cards.append(code)
        return cards_text(cards)

    def cards_worth(self, seat: str, points: int) -> str:
        """Cards that nobody has typed and that cost so many points; what no cards make is counted beside them."""
        side = self.layout.sides[self.layout.side_of[self.layout.seats.index(seat)]]
        cards, rest = [], points
        order = sorted(self.fillers(), key=self.hand_points)
        for code in reversed(order):
            while self.free(code) and 0 < self.hand_points(code) <= rest:
                self.used[code] += 1
                cards.append(code)
                rest -= self.hand_points(code)
        if rest:
            self.beside[side].append(("hand_minus", "R12.3", f"hand of {seat}: {points} points", -rest))
            if points % 5:
                self.doubts.append(f"{seat} has {points} points left: points are multiples of 5 (R12.1)")
        return cards_text(cards)

    def one_card(self) -> str:
        """A card for the stock, so that it is not empty; none of those that were laid to buy."""
        return next((card_text(code) for code in self.fillers() if self.free(code)), "")

    def fillers(self) -> list[int]:
        """Cards that may stand for what nobody has typed."""
        return [code for code in CARD_CODES if code not in self.layout.bonus | self.layout.buy]

    # -- doubts about the whole

    def doubt_the_end(self, table: Any) -> None:
        """Whether the player who went out had the right, asked of the core with one card in his hand."""
        words = self.deal.ended.split()
        if words[:1] != ["out"]:
            return
        seat, card = words[1], self.one_card()
        position = dict(table.to_position())
        position.pop("ended", None)
        position |= {"phase": "meld", "turn": seat, "hands": {**position["hands"], seat: card}, "stock": ""}
        position["turn_state"] = {"asked": 1, "laid": 1}
        if any(self.beside.values()):
            return  # the core does not see all that lies on the table
        try:
            before = _core.Table.from_position(position, rules=self.rules)
        except InvalidPositionError:
            return
        if f"discard {card}" not in before.legal_actions:
            rule = "R28.2, R28.3" if self.layout.max_level else "F12"
            self.doubts.append(f"{seat} could not go out: what {self._side(seat)} has melded does not suffice ({rule})")

    def _side(self, seat: str) -> str:
        return self.layout.sides[self.layout.side_of[self.layout.seats.index(seat)]]

    def doubt_numbers(self) -> None:
        deal = self.deal
        for side, total in deal.totals.items():
            if total % 5:
                self.doubts.append(f"the total of {side} is {total}: points are multiples of 5 (R12.1)")
        for side, lines in deal.penalties.items():
            for points, why in lines:
                if points % 5:
                    self.doubts.append(f"the penalty of {side} is {points} ({why}): points are multiples of 5 (R12.1)")
        words = deal.contract.split()
        if len(words) >= 3 and "doubled" not in words:
            side = self._side(words[2])
            if not deal.melds.get(side):
                self.doubts.append(
                    f"contract {deal.contract}: {side} has no meld, but the declarer of an undoubled contract opens "
                    "before play (R14.1)"
                )

    # -- the score in words

    def with_words(self, table: Any) -> Score:
        score = table.score()
        components = {side: dict(parts) for side, parts in score.components.items()}
        lines = [line for line in score._lines if not self.replaced(line)]
        for side in self.layout.sides:
            for part, rule, what, points in self.beside[side]:
                components[side][part] += -points if part == "hand_minus" else points
                score.sides[side] += points
                if not what.endswith(" points"):
                    lines.append((side, rule, what, points))
            for seat, points in self.points_of_hand.items():
                if self._side(seat) == side and points:
                    lines.append((side, "R12.3", f"hand of {seat}: {points} points", -points))
            number = self.deal.bought.get(side, 0)
            if number and self.rules.buy is not None:
                lines.append((side, "R21.3", f"bought {number}", -number * self.rules.buy.price))
            for points, why in self.deal.penalties.get(side, []):
                lines.append((side, "C33", why or "penalty", -points))
        counted = Score(score.result, score.ended, components, dict(score.sides), lines, tuple(self.doubts))
        return self.ruled(table, counted) if self.deal.rulings else counted

    def replaced(self, line: tuple[str, str, str, int]) -> bool:
        """Whether a line of the core is said in other words: points of a hand, penalties one by one."""
        seats = [f"hand of {seat}: " for seat in self.points_of_hand]
        return line[2] == "penalties" or line[1] == "R21.3" or any(line[2].startswith(seat) for seat in seats)

    def ruled(self, table: Any, counted: Score) -> Score:
        from ..director.referee import Referee
        from ..director.scoring import add_rulings, ruling_lines

        referee = Referee(table)
        for words in self.deal.rulings:
            said = dict(words)
            referee.report(said.pop("what", None), **said)
        sides_of = {seat: self._side(seat) for seat in self.layout.seats}
        ruled = add_rulings(counted, referee.points, ruling_lines(referee.rulings, self.layout.sides, sides_of))
        return Score(ruled.result, ruled.ended, ruled.components, ruled.sides, ruled._lines, counted.doubts)
