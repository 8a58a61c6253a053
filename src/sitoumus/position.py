"""Positions: a table as text, and the state that the core plays on from.

A position is a mapping (as TOML: a small document) with the keys of `KEYS`; everything left out
takes its obvious default, ``?n`` stands for n cards that do not matter, piles and stock are written
top card first. `parse_position` turns it into a state, a dict of plain numbers and lists, or refuses
it with an `InvalidPositionError` that names the key and the fault. `format_position` writes a state
back with nothing left out, so that reading it again gives the same state.

Cards that stand nowhere in a position are out of the game: never drawn, unknown to all.
"""

from __future__ import annotations

import os
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._names import PHASES
from .checks import index
from .errors import InvalidActionError, InvalidCardError, InvalidPositionError
from .notation import (
    CARD_CODES,
    JOKER,
    SEATS,
    SUITS,
    bid_text,
    canonical_index,
    card_code,
    card_text,
    cards_text,
    contract_text,
    parse_bid,
    parse_cards,
    parse_contract,
)

if TYPE_CHECKING:
    from .rules import RuleSet

__all__ = [
    "KEYS",
    "PHASES",
    "format_position",
    "layout_of",
    "mapping_of",
    "parse_position",
    "position_toml",
    "read_position",
]

#: The preset of a position that names none.
USUAL_RULES = "sitoumussamba"

#: Totals and points lost are smaller than this (_core.MOST_TOTAL).
MOST = 10**8

#: The keys of a position, in the order in which they are written.
KEYS = (
    "dealer",
    "phase",
    "turn",
    "contract",
    "auction",
    "ended",
    "first_turn",
    "pile",
    "stock",
    "totals",
    "penalties",
    "minimum_raise",
    "bought",
    "bonus",
    "hands",
    "melds",
    "turn_state",
)

Contract = tuple[int, int, int, bool]


@dataclass(frozen=True)
class Layout:
    """What a rule set fixes about every position: who sits there and what the pack holds."""

    seats: tuple[str, ...]
    sides: tuple[str, ...]
    side_of: tuple[int, ...]
    copies: int
    jokers: int
    hand: int
    first_extra: int
    turn_up: str
    bonus: frozenset[int]
    bonus_waits: bool
    buy: frozenset[int]
    max_level: int  # 0 in games without an auction
    asks: bool

    def starter(self, dealer: str) -> str:
        """The seat that plays first after a dealer where there is no auction."""
        return self.seats[(self.seats.index(dealer) + 1) % len(self.seats)]

    def in_pack(self, code: int) -> int:
        """Copies of a card in the pack."""
        return self.jokers if code == JOKER else self.copies


def layout_of(rules: RuleSet) -> Layout:
    """The layout of a rule set's positions."""
    seats = {2: ("N", "S"), 3: ("N", "E", "S"), 4: SEATS}[rules.table.seats]
    sides = tuple(tuple(side) for side in rules.table.sides)
    return Layout(
        seats=seats,
        sides=tuple("".join(seats[seat] for seat in side) for side in sides),
        side_of=tuple(next(s for s, side in enumerate(sides) if seat in side) for seat in range(len(seats))),
        copies=rules.pack.copies,
        jokers=rules.pack.jokers,
        hand=rules.deal.hand,
        first_extra=rules.deal.first_extra,
        turn_up=rules.deal.turn_up,
        bonus=_codes_of(rules.bonus.cards),
        bonus_waits=rules.bonus.laid == "first_turn",
        buy=_codes_of([rules.buy.card] if rules.buy else []),
        max_level=rules.contract.max_level if rules.contract else 0,
        asks=rules.out.ask != "none",
    )


def _codes_of(classes: Iterable[str]) -> frozenset[int]:
    """Cards of card classes (JK 2 3r 3b 4 ... K A)."""
    suits = {"3r": "dh", "3b": "cs"}
    return frozenset(
        card_code(name if name == "JK" else name[0] + suit) for name in classes for suit in suits.get(name, SUITS)
    )


def read_position(
    source: str | os.PathLike[str] | Mapping[str, Any],
    rules: RuleSet | str | None = None,
    options: Mapping[str, Any] | None = None,
) -> tuple[dict[str, Any], RuleSet]:
    """Read a position and the rule set that it is played by.

    Parameters
    ----------
    source : str, path or mapping
        TOML text, the path of a TOML file, or the mapping itself. Besides the keys of a position it
        may hold ``rules`` (the name of a preset) and ``options``; they count where the arguments are
        left out.
    rules : RuleSet or str, optional
        Sitoumussamba where nothing names another.
    options : mapping, optional
        Rule-set fields that differ.

    Returns
    -------
    state : dict
        See `parse_position`.
    rules : RuleSet
    """
    from .rules import preset

    position = mapping_of(source)
    own_rules, own_options = position.pop("rules", None), position.pop("options", None)
    if rules is None:
        rules = USUAL_RULES if own_rules is None else own_rules
        options = own_options if options is None else options
    ruleset = preset(rules) if isinstance(rules, str) else rules
    if options:
        ruleset = ruleset.replace(**options)
    return parse_position(position, ruleset), ruleset


def parse_position(position: Mapping[str, Any], rules: RuleSet) -> dict[str, Any]:
    """Turn a position into the state that the core plays on from.

    Parameters
    ----------
    position : mapping
        The keys of `KEYS`, each of which may be left out.
    rules : RuleSet

    Returns
    -------
    dict
        ``dealer``, ``turn`` (seat numbers), ``phase``, ``contract`` (None or level, strain, seat,
        doubled), ``calls``, ``totals``, ``penalties`` (by side), ``bought``, ``bonus`` (by side, card
        codes), ``hands`` (by seat), ``melds`` (by side, in the order laid), ``pile``, ``stock`` (top
        card first), ``ended`` (None, ``"stock"`` or ``("out", seat)``), ``first_turn`` (None or bool),
        ``turn_state`` (as given). Cards without an order of their own stand in canonical order.

    Raises
    ------
    InvalidPositionError
        If it is no position of this game; the message says where and why.
    """
    return _Reader(position, layout_of(rules)).state()


def format_position(state: Mapping[str, Any], rules: RuleSet) -> dict[str, Any]:
    """Write a state as a position that reads back as the same state.

    Rule sets other than plain Sitoumussamba are named in it (``rules``, ``options``).
    """
    from .rules import _toml

    layout = layout_of(rules)
    position: dict[str, Any] = {}
    if rules.name != USUAL_RULES:
        position["rules"] = rules.name
    if rules.options:
        position["options"] = _toml(rules.options, last_bound="none")      # null is no TOML, inf no JSON
    position["dealer"] = layout.seats[state["dealer"]]
    position["phase"] = state["phase"]
    position["turn"] = layout.seats[state["turn"]]
    if layout.max_level:
        if state["phase"] != "auction":
            position["contract"] = contract_text(state["contract"])
        if state["calls"] or state["phase"] == "auction":
            position["auction"] = list(state["calls"])
    if state["ended"] is not None:
        ended = state["ended"]
        position["ended"] = ended if isinstance(ended, str) else f"out {layout.seats[ended[1]]}"
    if state["first_turn"] is not None:
        position["first_turn"] = bool(state["first_turn"])
    position["pile"] = _in_order(state["pile"])
    position["stock"] = _in_order(state["stock"])
    position["totals"] = dict(zip(layout.sides, state["totals"], strict=True))
    position["penalties"] = dict(zip(layout.sides, state["penalties"], strict=True))
    if any(state["minimum_raise"]):
        position["minimum_raise"] = dict(zip(layout.sides, state["minimum_raise"], strict=True))
    if layout.buy:
        position["bought"] = dict(zip(layout.sides, _bought_values(state, layout), strict=True))
    if layout.bonus:
        position["bonus"] = dict(zip(layout.sides, map(cards_text, state["bonus"]), strict=True))
    position["hands"] = dict(zip(layout.seats, map(cards_text, state["hands"]), strict=True))
    position["melds"] = {
        side: [cards_text(meld) for meld in melds] for side, melds in zip(layout.sides, state["melds"], strict=True)
    }
    if state["turn_state"]:
        position["turn_state"] = dict(state["turn_state"])
    return position


def position_toml(position: Mapping[str, Any]) -> str:
    """A position as TOML text."""
    import tomli_w

    from .rules import _toml

    return tomli_w.dumps(_toml(position))


class _Reader:
    """One reading of one position: the methods take its keys in turn and leave what they found."""

    def __init__(self, position: Mapping[str, Any], layout: Layout) -> None:
        if not isinstance(position, Mapping):
            raise InvalidPositionError(f"a position is a mapping or a TOML text, not {_quote(position)}")
        unknown = [key for key in position if key not in KEYS]
        if unknown:
            raise InvalidPositionError(f"unknown key {_quote(unknown[0])}: a position has the keys {', '.join(KEYS)}")
        self.position = position
        self.layout = layout
        #: Every named card with the place where it stands, for the message about a surplus.
        self.named: list[tuple[int, str]] = []
        self.rest: list[int] = []

    def state(self) -> dict[str, Any]:
        """The state, read in the order in which one thing needs another."""
        layout = self.layout
        self.phase = self.one_of("phase", PHASES, "draw")
        if self.phase in ("auction", "opening") and not layout.max_level:
            raise InvalidPositionError(f"phase = {self.phase!r}: this game has no auction")
        if self.phase == "reply" and not layout.asks:
            raise InvalidPositionError("phase = 'reply': in this game nobody asks for permission to go out")
        self.dealer = self.seat("dealer", 0)
        self.ended = self.read_ended()
        given = self.read_contract()
        self.calls = self.read_auction()
        self.contract = self.settle_contract(given)
        self.turn = self.read_turn()
        state = {
            "dealer": self.dealer,
            "turn": self.turn,
            "phase": self.phase,
            "contract": self.contract,
            "calls": self.calls,
            "totals": self.numbers("totals"),
            "penalties": self.numbers("penalties", least=0),
            "minimum_raise": self.numbers("minimum_raise", least=0, below=10_000),
            "ended": self.ended,
            "first_turn": self.read_first_turn(),
            "turn_state": dict(self.table("turn_state")),
        }
        state |= self.read_cards()
        self.check_sizes(state)
        return state

    # Small readers: one value of a known form.

    def one_of(self, key: str, values: Sequence[str], default: str) -> str:
        value = self.position.get(key, default)
        if value not in values:
            raise InvalidPositionError(f"{key} = {_quote(value)}: it must be one of {', '.join(values)}")
        return value

    def seat(self, key: str, default: int) -> int:
        seats = self.layout.seats
        return seats.index(self.one_of(key, seats, seats[default]))

    def table(self, key: str, names: Sequence[str] | None = None) -> Mapping[str, Any]:
        value = self.position.get(key, {})
        if not isinstance(value, Mapping):
            raise InvalidPositionError(f"{key} = {_quote(value)}: it must be a table such as {key} = {{ ... }}")
        for name in value:
            if names is not None and name not in names:
                raise InvalidPositionError(f"{key}.{name}: there is no {name} in this game, only {', '.join(names)}")
        return value

    def numbers(self, key: str, least: int | None = None, below: int = MOST) -> list[int]:
        table = self.table(key, self.layout.sides)
        for side, value in table.items():
            number = index(value)
            if number is None or abs(number) >= below or (least is not None and number < least):
                right = "a whole number" if least is None else "a whole number, positive for points lost"
                size = "" if number is None or abs(number) < below else f", smaller than {below}"
                raise InvalidPositionError(f"{key}.{side} = {_quote(value)}: it must be {right}{size}")
        return [index(table.get(side, 0)) or 0 for side in self.layout.sides]

    # Who, when and what is at stake.

    def read_ended(self) -> str | tuple[str, int] | None:
        value = self.position.get("ended")
        right = "it must be 'stock' or such as 'out N'"
        if self.phase != "over":
            if value is not None:
                raise InvalidPositionError(f"ended = {_quote(value)} belongs to phase over, not to phase {self.phase}")
            return None
        if value is None:
            raise InvalidPositionError(f"phase over needs ended: {right}")
        if value == "stock":
            return "stock"
        words = value.split() if isinstance(value, str) else []
        if len(words) != 2 or words[0] != "out" or words[1] not in self.layout.seats:
            raise InvalidPositionError(f"ended = {_quote(value)}: {right}")
        return "out", self.layout.seats.index(words[1])

    def read_contract(self) -> Contract | None:
        value = self.position.get("contract", "none")
        try:
            contract = parse_contract(value)
        except InvalidActionError as error:
            raise InvalidPositionError(f"contract: {error}") from None
        if contract is None:
            return None
        if not self.layout.max_level:
            raise InvalidPositionError(f"contract = {value!r}: this game has no contract")
        self.check_level(contract[0], f"contract = {value!r}")
        if self.phase == "auction":
            raise InvalidPositionError(f"contract = {value!r}: in phase auction there is none yet")
        return contract

    def check_level(self, level: int, where: str) -> None:
        if level > self.layout.max_level:
            raise InvalidPositionError(f"{where}: the highest level of these rules is {self.layout.max_level}")

    def read_auction(self) -> list[str]:
        """The calls so far, checked as they would have been made (R9.1-9.6); sets what they led to."""
        calls = self.position.get("auction", [])
        if isinstance(calls, str) or not isinstance(calls, Sequence):
            raise InvalidPositionError(f"auction = {_quote(calls)}: it must be a list of calls such as ['pass', '1H']")
        if calls and not self.layout.max_level:
            raise InvalidPositionError("auction: this game has none")
        self.bids: list[Contract] = []
        self.auction_over = False
        passes = 0
        written = []
        for place, call in enumerate(calls, 1):
            where = f"auction call {place} ({_quote(call)})"
            seat = (self.dealer + place) % 4
            if self.auction_over:
                raise InvalidPositionError(f"{where}: the auction was over before it (R9.5, R9.6)")
            last = self.bids[-1] if self.bids else None
            if call == "pass":
                passes += 1
                self.auction_over = passes == (3 if last else 4)
            elif call == "double":
                if last is None or (seat - last[2]) % 2 == 0:
                    raise InvalidPositionError(f"{where}: only a bid of the opponents can be doubled (R9.6, B5)")
                self.bids[-1] = (*last[:3], True)
                self.auction_over = True
            else:
                try:
                    level, strain = parse_bid(call)
                except InvalidActionError:
                    right = "a call is pass, double or a bid such as 3H"
                    raise InvalidPositionError(f"{where} is no call: {right}") from None
                self.check_level(level, where)
                if last is not None and (level, strain) <= last[:2]:
                    raise InvalidPositionError(f"{where} does not outbid {_bid_of(last)} (R9.3, B1)")
                self.bids.append((level, strain, seat, False))
                passes = 0
                call = _bid_of(self.bids[-1])
            written.append(call)
        return written

    def settle_contract(self, given: Contract | None) -> Contract | None:
        """The contract, made to agree with the auction where both are given."""
        if self.phase == "auction":
            if self.auction_over:
                raise InvalidPositionError(f"auction: over with call {len(self.calls)}, but phase is auction")
            return None
        if self.calls and not self.auction_over:
            raise InvalidPositionError(f"auction: in phase {self.phase} it must be over, and these calls do not end it")
        contract = given
        if self.calls:
            last = self.bids[-1] if self.bids else None
            if "contract" not in self.position:
                contract = last
            elif given is None and last is not None and last[3]:
                raise InvalidPositionError("contract = 'none', but the auction ends in a double, which settles it")
            elif given is not None and given not in self.bids:
                raise InvalidPositionError(
                    f"contract = {contract_text(given)!r} was never bid in the auction (declarer and double included)"
                )
        if self.phase == "opening":
            if contract is None:
                raise InvalidPositionError("phase opening needs a contract such as '3H by E'")
            if contract[3]:
                raise InvalidPositionError("phase opening: the declarer of a doubled contract opens in play (R14.10)")
            if not self.calls:
                # The contract's bid is then the only bid.
                before = (contract[2] - self.dealer - 1) % 4
                self.calls = ["pass"] * before + [_bid_of(contract)] + ["pass"] * 3
        return contract

    def read_turn(self) -> int:
        left = (self.dealer + 1) % len(self.layout.seats)
        if self.phase == "over":
            return self.seat("turn", self.ended[1] if isinstance(self.ended, tuple) else left)
        if self.phase == "auction":
            due, why = (left + len(self.calls)) % 4, f"after {len(self.calls)} calls it is the turn of"
        elif self.phase == "opening":
            assert self.contract is not None
            due, why = self.contract[2], "the opening is laid by the declarer,"
        else:
            return self.seat("turn", left)
        turn = self.seat("turn", due)
        if turn != due:
            raise InvalidPositionError(f"turn = {self.layout.seats[turn]!r}: {why} {self.layout.seats[due]}")
        return turn

    def read_first_turn(self) -> bool | None:
        value = self.position.get("first_turn")
        if value is not None and not isinstance(value, bool):
            raise InvalidPositionError(f"first_turn = {_quote(value)}: it must be true or false")
        if value and self.phase in ("auction", "opening", "over"):
            raise InvalidPositionError(f"first_turn = true: in phase {self.phase} nobody has his first turn")
        return value

    # The cards: first the named ones, then ?n from what is left over.

    def read_cards(self) -> dict[str, Any]:
        layout = self.layout
        hands = self.table("hands", layout.seats)
        piles = {
            f"hands.{seat}": self.cards(f"hands.{seat}", hands.get(seat, self.default_hand(number)))
            for number, seat in enumerate(layout.seats)
        }
        for pile in ("pile", "stock"):
            if pile in self.position or pile == "pile":
                piles[pile] = self.cards(pile, self.position.get(pile, self.default_pile()))
        melds = self.read_melds()
        bonus = self.read_bonus()
        for where, entries in piles.items():
            self.named += [(code, where) for kind, code in entries if kind == "card"]
            if where.startswith("hands."):
                for kind, code in entries:
                    if kind == "card" and code in layout.bonus and not layout.bonus_waits:
                        raise InvalidPositionError(
                            f"{where} holds the bonus card {card_text(code)}: bonus cards are laid out "
                            "at once, name it in bonus (F18)"
                        )
        count = Counter(code for code, _ in self.named)
        for code, places in count.items():
            if places > layout.in_pack(code):
                where = ", ".join(dict.fromkeys(place for c, place in self.named if c == code))
                raise InvalidPositionError(
                    f"surplus {card_text(code)}: it stands {places} times in the position ({where}) "
                    f"and {layout.in_pack(code)} times in the pack"
                )
        self.rest = [code for code in CARD_CODES for _ in range(layout.in_pack(code) - count[code])]
        bought = self.read_bought()
        filled = {where: self.fill(where, entries) for where, entries in piles.items()}
        if "stock" not in filled:
            filled["stock"] = [] if self.ended == "stock" else self.rest
        return {
            "bought": bought,
            "bonus": bonus,
            "hands": [sorted(filled[f"hands.{seat}"], key=canonical_index) for seat in layout.seats],
            "melds": melds,
            "pile": filled["pile"],
            "stock": filled["stock"],
        }

    def cards(self, where: str, value: Any) -> list[tuple[str, int]]:
        """Entries ("card", code) and ("fill", n) of a card text with ?n in it."""
        if not isinstance(value, str):
            value = getattr(value, "cards", value)
            if not isinstance(value, str):
                if not isinstance(value, Iterable) or isinstance(value, Mapping):
                    raise InvalidPositionError(f"{where} = {_quote(value)}: it must be a text such as '9c 9d ?13'")
                value = " ".join(map(str, value))
        entries = []
        words = value.replace(",", " ").split()
        for place, word in enumerate(words, 1):
            if word.startswith("?"):
                if not word[1:].isascii() or not word[1:].isdigit() or len(word) > 10:
                    raise InvalidPositionError(f"{where}: {word!r} (place {place}) must be ? and a number, as in ?13")
                entries.append(("fill", int(word[1:])))
            else:
                try:
                    entries.append(("card", parse_cards(word)[0]))
                except InvalidCardError as error:
                    message = str(error).replace("(card 1)", f"(place {place})")
                    raise InvalidPositionError(f"{where}: {message}") from None
        return entries

    def named_cards(self, where: str, value: Any) -> list[int]:
        entries = self.cards(where, value)
        if any(kind == "fill" for kind, _ in entries):
            raise InvalidPositionError(f"{where} = {value!r}: cards that lie open are named, not left to ?n")
        return [code for _, code in entries]

    def read_melds(self) -> list[list[list[int]]]:
        table = self.table("melds", self.layout.sides)
        melds = []
        for side in self.layout.sides:
            texts = table.get(side, [])
            if isinstance(texts, str) or not isinstance(texts, Sequence):
                raise InvalidPositionError(f"melds.{side} = {_quote(texts)}: it must be a list such as ['9c 9d 9h']")
            if texts and self.phase == "auction":
                raise InvalidPositionError(f"melds.{side}: nobody has melded in phase auction")
            if texts and self.phase == "opening" and side != self.declaring_side():
                raise InvalidPositionError(f"melds.{side}: in phase opening only the declarer's side has melds")
            of_side = []
            for number, text in enumerate(texts, 1):
                where = f"melds.{side} {number}"
                codes = self.named_cards(where, text)
                if not codes:
                    raise InvalidPositionError(f"{where}: a meld of no cards")
                of_side.append(sorted(codes, key=canonical_index))
                self.named += [(code, where) for code in codes]
            melds.append(of_side)
        return melds

    def declaring_side(self) -> str | None:
        return None if self.contract is None else self.layout.sides[self.layout.side_of[self.contract[2]]]

    def read_bonus(self) -> list[list[int]]:
        table = self.table("bonus", self.layout.sides)
        bonus = []
        for side in self.layout.sides:
            where = f"bonus.{side}"
            codes = self.named_cards(where, table.get(side, ""))
            for code in codes:
                if code not in self.layout.bonus:
                    known = cards_text(self.layout.bonus) or "it has none"
                    raise InvalidPositionError(f"{where}: {card_text(code)} is no bonus card of this game ({known})")
            bonus.append(sorted(codes, key=canonical_index))
            self.named += [(code, where) for code in codes]
        return bonus

    def read_bought(self) -> list[list[int]]:
        """Red threes laid to buy (R21.3): real cards, taken from those named nowhere, 3d first."""
        table = self.table("bought", self.layout.sides)
        bought = []
        for side in self.layout.sides:
            value, where = table.get(side, 0), f"bought.{side}"
            if isinstance(value, bool) or not isinstance(value, int | str) or (isinstance(value, int) and value < 0):
                raise InvalidPositionError(f"{where} = {_quote(value)}: it must be a number of red threes")
            if value and not self.layout.buy:
                raise InvalidPositionError(f"{where} = {_quote(value)}: in this game no card is bought")
            if value and self.phase in ("auction", "opening"):
                raise InvalidPositionError(f"{where} = {_quote(value)}: nobody has bought in phase {self.phase} (B19d)")
            left = [code for code in self.rest if code in self.layout.buy]
            if isinstance(value, str):
                codes = self.named_cards(where, value)
                for code, wanted in Counter(codes).items():
                    if wanted > left.count(code):
                        have = left.count(code)
                        raise InvalidPositionError(f"{where}: surplus {card_text(code)}, {have} left to buy with")
            else:
                if value > len(left):
                    raise InvalidPositionError(f"{where} = {value}: surplus red threes, {len(left)} left to buy with")
                codes = left[:value]
            for code in codes:
                self.rest.remove(code)
            bought.append(sorted(codes, key=canonical_index))
        return bought

    def default_hand(self, seat: int) -> str:
        if self.ended == ("out", seat):
            return ""
        starter = (self.dealer + 1) % len(self.layout.seats)
        # The starter of a deal that begins with a discard holds the extra card until then (F1, F20).
        first = seat == starter == self.turn and self.phase == "meld" and not self.position.get("pile")
        return f"?{self.layout.hand + (self.layout.first_extra if first else 0)}"

    def default_pile(self) -> str:
        turned = {
            "none": False,
            "after_deal": True,
            "after_auction": self.phase not in ("auction", "opening"),
        }[self.layout.turn_up]
        return "?1" if turned and self.phase != "taken" else ""

    def fill(self, where: str, entries: list[tuple[str, int]]) -> list[int]:
        """The cards of a pile with each ?n filled from what is left over, bonus cards not into hands (F18)."""
        codes: list[int] = []
        skip = self.layout.bonus if where.startswith("hands.") else frozenset()
        for kind, value in entries:
            if kind == "card":
                codes.append(value)
                continue
            chosen = [place for place, code in enumerate(self.rest) if code not in skip][:value]
            if len(chosen) < value:
                raise InvalidPositionError(f"surplus cards: {where} asks for ?{value} and {len(chosen)} are left over")
            codes += [self.rest[place] for place in chosen]
            for place in reversed(chosen):
                del self.rest[place]
        return codes

    def check_sizes(self, state: Mapping[str, Any]) -> None:
        """Sizes that no play can lead to."""
        layout = self.layout
        before_play = self.phase in ("auction", "opening")
        if before_play and state["pile"]:
            raise InvalidPositionError(f"pile: in phase {self.phase} no card has been turned yet (R6.2)")
        for seat, hand in zip(layout.seats, state["hands"], strict=True):
            if before_play and len(hand) > layout.hand:
                raise InvalidPositionError(
                    f"hands.{seat} holds {len(hand)} cards: in phase {self.phase} it is at most {layout.hand} (R6.1)"
                )
        if self.phase == "opening":
            laid = sum(map(len, state["melds"][layout.side_of[self.turn]]))
            if len(state["hands"][self.turn]) + laid > layout.hand:
                raise InvalidPositionError(
                    f"hands.{layout.seats[self.turn]} and its melds hold "
                    f"{len(state['hands'][self.turn]) + laid} cards: the opening is laid from {layout.hand} (R14.1)"
                )
        if isinstance(self.ended, tuple) and state["hands"][self.ended[1]]:
            seat = layout.seats[self.ended[1]]
            raise InvalidPositionError(f"hands.{seat} is not empty, but ended = 'out {seat}'")
        if self.phase == "meld" and not state["hands"][self.turn]:
            seat = layout.seats[self.turn]
            raise InvalidPositionError(f"hands.{seat} is empty, but {seat} is to end the turn in phase meld")


def _bid_of(contract: Contract) -> str:
    level, strain, _, _ = contract
    return bid_text((level - 1) * 6 + strain)


def mapping_of(source: str | os.PathLike[str] | Mapping[str, Any]) -> dict[str, Any]:
    """A position as a mapping: TOML text, the path of a TOML file, or the mapping itself, copied."""
    if isinstance(source, os.PathLike):
        path = Path(source)
        try:
            source = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidPositionError(f"{path} cannot be read: {error}") from None
    if isinstance(source, str):
        try:
            return tomllib.loads(source)
        except tomllib.TOMLDecodeError as error:
            raise InvalidPositionError(f"a position is a mapping or TOML text, and this is no TOML: {error}") from None
    if not isinstance(source, Mapping):
        raise InvalidPositionError(f"a position is a mapping or a TOML text, not {_quote(source)}")
    return dict(source)


def _bought_values(state: Mapping[str, Any], layout: Layout) -> list[int | str]:
    """By side: the number where reading it back gives the same cards, else the cards."""
    elsewhere = Counter(state["pile"]) + Counter(state["stock"])
    for group in (state["hands"], state["bonus"], *state["melds"]):
        for codes in group:
            elsewhere += Counter(codes)
    values: list[int | str] = []
    for codes in state["bought"]:
        buying = [code for code in CARD_CODES if code in layout.buy]
        left = [code for code in buying for _ in range(layout.in_pack(code) - elsewhere[code])]
        values.append(len(codes) if sorted(codes) == left[: len(codes)] else cards_text(codes))
        elsewhere += Counter(codes)
    return values


def _in_order(codes: Iterable[int]) -> str:
    return " ".join(map(card_text, codes))


def _quote(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
