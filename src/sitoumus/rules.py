"""Rule sets: what a game of the family is, as data.

A `RuleSet` is a tree of frozen dataclasses. It is checked field by field when it is made, compared and hashed by
content, and written as a preset plus what differs from it. Nothing in the library asks for a game by name: the core
compiles the fields below into tables.

Card classes stand for card names: ``JK 2 3r 3b 4 5 6 7 8 9 T J Q K A`` (3r the red threes, 3b the black ones). All
points are multiples of 5. Sets of classes or ways are lists in TOML and JSON; None is ``none`` in TOML.

===================================  ==================================================================================
field                                values and meaning
===================================  ==================================================================================
pack.suits                           4: suits of 13 ranks
pack.copies                          2, 3: copies of every card but the jokers
pack.jokers                          0 to 6: jokers in the pack
table.seats                          2, 3, 4: players, numbered in the order of play
table.sides                          tuples of seats: who share melds, score and bonus cards
deal.hand                            cards dealt to each player
deal.first_extra                     0, 1: cards more for the player who starts
deal.turn_up                         none, after_deal, after_auction: when the discard pile gets its first card
deal.cover                           classes: turned cards that get another on top
deal.first_turn                      full, discard_only: the first turn of the deal
draw.stock                           cards drawn from the stock; a shorter stock still makes a full draw
draw.after_pile                      0, 1: cards that may be drawn after taking the pile
points                               points by class: value melded, for the opening, and in hand
hand_points                          points by class: lost in hand, where that is not points
bonus.cards                          3r, 3b or nothing: laid out at once and replaced from the stock, never discarded
bonus.table                          points for 0, 1, 2 ... of them
bonus.needs                          (melds or canastas, n): a side with fewer scores them as minus
bonus.laid                           at_deal, first_turn: when those of the dealt hand are laid and replaced
pile.freeze                          classes: freeze the pile while they are in it
pile.dead_top                        classes: never taken when on top
pile.run_only_top                    classes: on top taken onto a run only
pile.take.open                       ways to take an unfrozen pile, side open
pile.take.frozen                     ways to take a frozen pile, side open
pile.take.unopened                   ways for a side not open, those that the state of the pile allows as well; no
                                     fit_set or fit_full, since nothing lies that could take the top
pile.extent                          whole, to_freezer, to_next_freezer: down to the first freezing card, the top
                                     itself counting or not counting as that card; an unfrozen pile comes whole
pile.new_set_from                    cards or None: the hand cards start a new set if the old one has so many
pile.single_bar                      bool: a one-card hand may not take a one-card pile
pile.fit_new_run                     bool: the top may go onto a run laid or lengthened in the same turn
opening.bands                        rows (score below, minimum, needs) by the side's total; see `OpeningRules`
opening.top_counts                   bool: the taken top card counts
opening.pair_counts                  bool: the hand cards that take the pile count
opening.bonus_counts                 bool: bonuses of complete melds count, and a complete meld always opens
opening.waive                        never, concealed_from_stock: when no minimum is asked
melds.ID.shape                       set, run, wild: of one rank; of one suit, in order; of wild cards only
melds.ID.ranks                       classes, for a run ranks (A 2 3 ... K) in order: its natural cards
melds.ID.cyclic                      bool: the order of a run is a circle
melds.ID.size                        (3, most or None): cards
melds.ID.min_natural                 natural cards at least (0 where no wild card may stand in)
melds.ID.max_wild                    wild cards at most
melds.ID.wild_with                   classes that may stand in
melds.ID.majority                    bool: always more natural than wild cards
melds.ID.full                        7 or None: size of a complete meld (a canasta); None: never one
melds.ID.natural_closed              bool: a complete one without wild cards takes no more cards
melds.ID.add_full.natural / .wild    never, always, going_out: such cards onto a complete one
melds.ID.per_rank                    one, many, after_complete: how many of one rank a side may have
melds.ID.merge                       bool: two incomplete ones may be joined
melds.ID.when                        any, going_out: when it may be laid
melds.ID.open_min                    natural cards it must have in an opening
melds.ID.bonus.natural / .mixed      points for a complete one without / with wild cards
melds.ID.short                       (below, points) or None: points lost for each one that stays below so many cards
out.needs.canasta                    complete melds of any kind that going out needs
out.needs.run / .set / .natural_set  complete runs, complete sets, complete sets without wild cards
out.discard                          optional, required: the last card
out.bonus                            points for going out
out.concealed                        none, side, player: whose clean record makes going out concealed
out.concealed_total                  points for that instead of `out.bonus`
out.ask                              none, optional, required: the question to the partner
out.ask_when                         after_stock, any: when it may be put
out.yes_binds                        bool: after a yes the player must go out in this turn if he can
out.ask_fail                         points lost for a yes without going out
stock.last_bonus                     end_now: a bonus card laid from the last of the stock ends the deal
stock.empty                          end_after_turn, forced_fit, forced_fit_may_take, may_fit, may_take: turns after
                                     the last draw: none; a fitting top must be taken (or, besides, any lawful take be
                                     made), else the deal ends; may be taken; any lawful take may be made
match.end                            (target, points) or (deals, n)
match.tie                            draw, extra_deal: equal totals at the end
match.settle                         totals, difference, rounded_100: what the sheet shows at the end
buy                                  None, or buy.card (3r, 3b) and buy.price (points): laid to buy one card
contract                             None, or a `Contract`: auction, double and contract score
penalty                              the code of irregularities, a row a kind: see `sitoumus.director.penalties`
===================================  ==================================================================================

The ways to take: ``pair`` and ``triple`` (so many natural cards of the top's rank from hand), ``natural+wild`` (one
natural and one wild card), ``fit_set``, ``fit_full``, ``fit_run`` (the top goes onto an own incomplete set, complete
set, or incomplete run).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import MISSING, Field, dataclass, field
from functools import cached_property
from typing import Any

from . import checks
from .director.penalties import PenaltyCode, preset_code
from .errors import RuleSetError

__all__ = [
    "CLASSES",
    "RANKS",
    "WAYS",
    "RuleSet",
    "MeldKind",
    "Contract",
    "Points",
    "RuleSetError",
    "PRESETS",
    "preset",
    "SITOUMUSSAMBA",
    "FINNISH_CANASTA",
    "FINNISH_CANASTA_2P",
    "FINNISH_CANASTA_3P",
    "AMERICAN_CANASTA",
    "RUSSIAN_CANASTA",
    "TILE_CANASTA",
    "SAMBA",
    "BOLIVIA",
    "BRAZILIAN_CANASTA",
]

CLASSES = ("JK", "2", "3r", "3b", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
WAYS = ("pair", "triple", "natural+wild", "fit_set", "fit_full", "fit_run")

# --- Checks: each takes (value, where) and returns the value in its one stored form, or raises.

Check = Callable[[Any, str], Any]


def _wrong(where: str, value: Any, right: str) -> RuleSetError:
    return RuleSetError(f"{where} is {value!r}: {right}")


def _near(name: str, known: list[str], n: int) -> list[str]:
    import difflib  # slow to import, and only errors need it

    return difflib.get_close_matches(name, known, n)


def _one_of(where: str, name: Any, known: Iterable[str], what: str) -> RuleSetError:
    """An unknown word, with the nearest known one."""
    known = list(known)
    near = _near(name, known, 1) if isinstance(name, str) else []
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return RuleSetError(f"{where}: unknown {what} {checks.quoted(name)}{hint}; known are {', '.join(known)}")


def _int(low: int, high: int, step: int = 1) -> Check:
    def check(value: Any, where: str) -> int:
        number = checks.index(value)
        if number is None or not low <= number <= high or number % step:
            kind = "whole number" if step == 1 else f"multiple of {step}"
            raise _wrong(where, value, f"must be {low}" if low == high else f"must be a {kind} from {low} to {high}")
        return number

    return check


def _points(high: int = 30_000) -> Check:
    return _int(0, high, 5)


def _bool(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong(where, value, "must be true or false")
    return value


def _choice(*values: str) -> Check:
    def check(value: Any, where: str) -> str:
        if not isinstance(value, str) or value not in values:
            raise _wrong(where, value, f"must be {' or '.join(map(repr, values))}")
        return value

    return check


def _optional(check: Check) -> Check:
    def optional(value: Any, where: str) -> Any:
        return None if value is None or value == "none" else check(value, where)

    return optional


def _items(value: Any, where: str, form: str) -> tuple[Any, ...]:
    if isinstance(value, (str, Mapping)) or not isinstance(value, Iterable):
        raise _wrong(where, value, f"must be {form}")
    return tuple(value)


def _words(value: Any, where: str, known: tuple[str, ...], what: str) -> tuple[str, ...]:
    words = _items(value, where, f"a list, such as [{known[0]!r}, {known[1]!r}]")
    for word in words:
        if not isinstance(word, str) or word not in known:
            raise _one_of(where, word, known, what)
    return words


def _subset(known: tuple[str, ...], what: str) -> Check:
    def check(value: Any, where: str) -> frozenset[str]:
        return frozenset(_words(value, where, known, what))

    return check


_classes = _subset(CLASSES, "card class")
_ways = _subset(WAYS, "way to take")


def _pair(first: Check, second: Check, form: str) -> Check:
    def check(value: Any, where: str) -> tuple[Any, Any]:
        pair = _items(value, where, f"a pair {form}")
        if len(pair) != 2:
            raise _wrong(where, value, f"must be a pair {form}")
        return first(pair[0], where), second(pair[1], where)

    return check


def _group(cls: type) -> Check:
    def check(value: Any, where: str) -> Any:
        return value if isinstance(value, cls) else _build(cls, value, where)

    return check


def _fields(cls: Any) -> Iterable[Field[Any]]:
    return cls.__dataclass_fields__.values()  # what dataclasses.fields gives, without making a tuple


def _build(cls: Any, value: Any, where: str) -> Any:
    names = [f.name for f in _fields(cls)]
    if not isinstance(value, Mapping):
        raise _wrong(where, value, f"must be a table of {', '.join(names)}")
    for name in value:
        if name not in names:
            raise _one_of(where, name, names, "field")
    for f in _fields(cls):
        if f.name not in value and f.default is MISSING:
            raise RuleSetError(f"{where}.{f.name} is missing")
    return cls(**value)


class Points(Mapping[str, int]):
    """Points by card class, in the order of `CLASSES`; a mapping that cannot be changed."""

    def __init__(self, values: Mapping[str, int]) -> None:
        self._values = {name: values[name] for name in CLASSES if name in values}

    def __getitem__(self, name: str) -> int:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(tuple(self._values.items()))

    def __repr__(self) -> str:
        return f"Points({self._values})"


def _class_points(complete: bool) -> Check:
    points = _points(1000)

    def check(value: Any, where: str) -> Points:
        if not isinstance(value, Mapping):
            raise _wrong(where, value, "must be a table of card classes and points")
        for name in value:
            if name not in CLASSES:
                raise _one_of(where, name, CLASSES, "card class")
        if complete and len(value) < len(CLASSES):
            missing = ", ".join(name for name in CLASSES if name not in value)
            raise RuleSetError(f"{where} has no points for {missing}: every card class needs a value")
        return Points({name: points(item, f"{where}.{name}") for name, item in value.items()})

    return check


def _spec(check: Check, default: Any = MISSING) -> Any:
    return field(default=default, metadata={"check": check})


@dataclass(frozen=True)
class _Group:
    """A branch of the tree: runs the check of every field, in order, and stores what it returns."""

    _path = ""

    @property
    def _where(self) -> str:
        return self._path

    def __post_init__(self) -> None:
        prefix = f"{self._where}." if self._where else ""
        for f in _fields(type(self)):
            object.__setattr__(self, f.name, f.metadata["check"](getattr(self, f.name), prefix + f.name))

    def _plain(self) -> dict[str, Any]:
        return {f.name: _plain(getattr(self, f.name)) for f in _fields(type(self))}


# --- The tree.


@dataclass(frozen=True)
class Pack(_Group):
    _path = "pack"
    suits: int = _spec(_int(4, 4))
    copies: int = _spec(_int(2, 3))
    jokers: int = _spec(_int(0, 6))

    @property
    def cards(self) -> int:
        """Cards in the pack."""
        return self.suits * 13 * self.copies + self.jokers

    def count(self, classes: Iterable[str]) -> int:
        """Cards of some classes."""
        sizes = {"JK": self.jokers, "3r": self.copies * self.suits // 2, "3b": self.copies * self.suits // 2}
        return sum(sizes.get(name, self.copies * self.suits) for name in classes)


def _sides(value: Any, where: str) -> tuple[tuple[int, ...], ...]:
    form = "a list of sides, each a list of seat numbers, such as [[0, 2], [1, 3]]"
    sides = [_items(side, where, form) for side in _items(value, where, form)]
    if not all(isinstance(seat, int) and not isinstance(seat, bool) for side in sides for seat in side):
        raise _wrong(where, value, f"must be {form}")
    return tuple(sorted(tuple(sorted(side)) for side in sides))


@dataclass(frozen=True)
class TableRules(_Group):
    _path = "table"
    seats: int = _spec(_int(2, 4))
    sides: tuple[tuple[int, ...], ...] = _spec(_sides)


@dataclass(frozen=True)
class DealRules(_Group):
    _path = "deal"
    hand: int = _spec(_int(3, 30))
    first_extra: int = _spec(_int(0, 1))
    turn_up: str = _spec(_choice("none", "after_deal", "after_auction"))
    cover: frozenset[str] = _spec(_classes)
    first_turn: str = _spec(_choice("full", "discard_only"))


@dataclass(frozen=True)
class DrawRules(_Group):
    _path = "draw"
    stock: int = _spec(_int(1, 4))
    after_pile: int = _spec(_int(0, 1))


def _bonus_table(value: Any, where: str) -> tuple[int, ...]:
    table = _items(value, where, "a list of points for 0, 1, 2 ... bonus cards")
    return tuple(_points()(points, f"{where}[{i}]") for i, points in enumerate(table))


@dataclass(frozen=True)
class BonusRules(_Group):
    _path = "bonus"
    cards: frozenset[str] = _spec(_subset(("3r", "3b"), "class of bonus cards"))
    table: tuple[int, ...] = _spec(_bonus_table)
    needs: tuple[str, int] = _spec(_pair(_choice("melds", "canastas"), _int(0, 20), "[melds or canastas, number]"))
    laid: str = _spec(_choice("at_deal", "first_turn"))


@dataclass(frozen=True)
class TakeRules(_Group):
    _path = "pile.take"
    open: frozenset[str] = _spec(_ways)
    frozen: frozenset[str] = _spec(_ways)
    unopened: frozenset[str] = _spec(_ways)


@dataclass(frozen=True)
class PileRules(_Group):
    _path = "pile"
    freeze: frozenset[str] = _spec(_classes)
    dead_top: frozenset[str] = _spec(_classes)
    run_only_top: frozenset[str] = _spec(_classes)
    take: TakeRules = _spec(_group(TakeRules))
    extent: str = _spec(_choice("whole", "to_freezer", "to_next_freezer"))
    new_set_from: int | None = _spec(_optional(_int(4, 7)))
    single_bar: bool = _spec(_bool)
    fit_new_run: bool = _spec(_bool)


def _bands(value: Any, where: str) -> tuple[tuple[int | None, int, str], ...]:
    form = "rows [score below, minimum] or [score below, minimum, needs], the last score below being null or inf"
    bands = _items(value, where, form)
    if not 1 <= len(bands) <= 16:
        raise _wrong(where, value, "must have 1 to 16 rows")
    rows: list[tuple[int | None, int, str]] = []
    for i, band in enumerate(bands):
        at = f"{where}[{i}]"
        row = _items(band, at, form)
        if len(row) not in (2, 3):
            raise _wrong(at, band, f"must be one of the {form}")
        below, minimum, needs = (*row, "none")[:3]
        if below in (None, "none", "inf", float("inf")):
            below = None
        elif isinstance(below, bool) or not isinstance(below, int) or below % 5 or abs(below) > 1_000_000:
            raise _wrong(
                at, band, "its score below must be a multiple of 5 up to a million (null or inf in the last row)"
            )
        if (below is None) != (i == len(bands) - 1):
            raise _wrong(at, band, "the last row, and no other, has no upper bound (null or inf)")
        if below is not None and rows and below <= rows[-1][0]:
            raise _wrong(at, band, f"its score below must exceed {rows[-1][0]}, that of the row before")
        needs = _choice("none", "canasta", "natural_canasta")(needs, f"{at}, needs")
        rows.append((below, _points(5000)(minimum, f"{at}, minimum"), needs))
    return tuple(rows)


@dataclass(frozen=True)
class OpeningRules(_Group):
    """The first meld of a side.

    `bands` holds rows (score below, minimum, needs): the first row whose bound exceeds the side's total at the start
    of the deal counts. The last bound is None (null in JSON, inf in TOML). `needs` is ``none``, ``canasta`` (any
    complete meld) or ``natural_canasta`` (a complete run, or a complete set without wild cards); a row may leave it
    out. `bonus_counts` adds the bonuses of complete melds to the points, and a complete meld opens by itself (R13.3).
    """

    _path = "opening"
    bands: tuple[tuple[int | None, int, str], ...] = _spec(_bands)
    top_counts: bool = _spec(_bool)
    pair_counts: bool = _spec(_bool)
    bonus_counts: bool = _spec(_bool)
    waive: str = _spec(_choice("never", "concealed_from_stock"))

    def demand(self, total: int) -> tuple[int, str]:
        """Points that the opening of a side with this total needs, and what it must hold (`needs` of the band)."""
        return next((points, needs) for below, points, needs in self.bands if below is None or total < below)

    def _plain(self) -> dict[str, Any]:
        bands = [list(row[:2] if row[2] == "none" else row) for row in self.bands]
        return {**super()._plain(), "bands": bands}


@dataclass(frozen=True)
class AddFull(_Group):
    _path = "add_full"
    natural: str = _spec(_choice("never", "always", "going_out"), "never")
    wild: str = _spec(_choice("never", "always", "going_out"), "never")


@dataclass(frozen=True)
class KindBonus(_Group):
    _path = "bonus"
    natural: int = _spec(_points(), 0)
    mixed: int = _spec(_points(), 0)


def _kind_id(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value.isidentifier() or value != value.lower():
        raise _wrong("melds", value, "the id of a meld kind must be a lower-case word")
    return value


def _ranks(value: Any, where: str) -> tuple[str, ...]:
    ranks = _words(value, where, (*CLASSES, "3"), "card class")
    if not ranks:
        raise _wrong(where, value, "a meld kind needs natural cards")
    return ranks


_SHAPES = ("set", "run", "wild")


@dataclass(frozen=True)
class MeldKind(_Group):
    """One kind of meld.

    A card is natural in a kind if its class is in `ranks`; so deuces are natural in a set of deuces and wild in
    others. The ranks of a set or a wild meld are classes in the order of `CLASSES`. Those of a run are ranks
    (A 2 3 ... K, 3 for both colours) in the order of the run; a line may go over the ace and name ranks again
    (2 3 ... K A 2 3).
    """

    id: str = _spec(_kind_id)
    shape: str = _spec(_choice(*_SHAPES))
    ranks: tuple[str, ...] = _spec(_ranks)
    cyclic: bool = _spec(_bool, False)
    size: tuple[int, int | None] = _spec(_pair(_int(3, 3), _optional(_int(3, 30)), "[3, most or none]"), (3, None))
    min_natural: int = _spec(_int(0, 7), 0)
    max_wild: int = _spec(_int(0, 3), 0)
    wild_with: frozenset[str] = _spec(_classes, frozenset())
    majority: bool = _spec(_bool, False)
    full: int | None = _spec(_optional(_int(7, 7)), 7)
    natural_closed: bool = _spec(_bool, False)
    add_full: AddFull = _spec(_group(AddFull), AddFull())
    per_rank: str = _spec(_choice("one", "many", "after_complete"), "one")
    merge: bool = _spec(_bool, False)
    when: str = _spec(_choice("any", "going_out"), "any")
    open_min: int = _spec(_int(0, 7), 0)
    bonus: KindBonus = _spec(_group(KindBonus), KindBonus())
    short: tuple[int, int] | None = _spec(
        _optional(_pair(_int(4, 7), _points(), "[below so many cards, points lost]")), None
    )

    @property
    def _where(self) -> str:
        return f"melds.{self.id}"

    def _plain(self) -> dict[str, Any]:
        return {name: value for name, value in super()._plain().items() if name != "id"}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shape != "run":
            object.__setattr__(self, "ranks", tuple(sorted(self.ranks, key=(*CLASSES, "3").index)))
        for name, fault in _kind_faults(self):
            raise RuleSetError(f"{self._where}.{name}: {fault}")


@dataclass(frozen=True)
class OutNeeds(_Group):
    _path = "out.needs"
    canasta: int = _spec(_int(0, 20), 0)
    run: int = _spec(_int(0, 20), 0)
    set: int = _spec(_int(0, 20), 0)
    natural_set: int = _spec(_int(0, 20), 0)


@dataclass(frozen=True)
class OutRules(_Group):
    _path = "out"
    needs: OutNeeds = _spec(_group(OutNeeds))
    discard: str = _spec(_choice("optional", "required"))
    bonus: int = _spec(_points())
    concealed: str = _spec(_choice("none", "side", "player"))
    concealed_total: int = _spec(_points())
    ask: str = _spec(_choice("none", "optional", "required"))
    ask_when: str = _spec(_choice("after_stock", "any"))
    yes_binds: bool = _spec(_bool)
    ask_fail: int = _spec(_points())


@dataclass(frozen=True)
class StockRules(_Group):
    _path = "stock"
    last_bonus: str = _spec(_choice("end_now"))
    empty: str = _spec(_choice("end_after_turn", "forced_fit", "forced_fit_may_take", "may_fit", "may_take"))


@dataclass(frozen=True)
class MatchRules(_Group):
    _path = "match"
    end: tuple[str, int] = _spec(
        _pair(_choice("target", "deals"), _int(1, 1_000_000), "[target, points] or [deals, number]")
    )
    tie: str = _spec(_choice("draw", "extra_deal"))
    settle: str = _spec(_choice("totals", "difference", "rounded_100"))


@dataclass(frozen=True)
class Buy(_Group):
    _path = "buy"
    card: str = _spec(_choice("3r", "3b"))
    price: int = _spec(_points())


@dataclass(frozen=True)
class Contract(_Group):
    """Auction, double and contract score: what only a bidding game has.

    `open_min` takes the place of a meld kind's `open_min` in the declarer's opening before play (R14.3); the other
    fields are the options of the same name. `void_cost` are the percents of what the opponents would score had the
    contract failed, which they score when it ends void: undoubled, doubled (D26).
    """

    _path = "contract"
    max_level: int = _spec(_int(1, 20), 20)
    first_player: str = _spec(_choice("committer", "dealer_left"), "committer")
    open_min: int = _spec(_int(0, 7), 4)
    failed_open_next: str = _spec(_choice("next_bid", "next_player"), "next_bid")
    all_bluff_penalty: str = _spec(_choice("per_bid", "per_bidder"), "per_bid")
    strain_must_be_made: bool = _spec(_bool, False)
    out_bonus_in_gate: bool = _spec(_bool, False)
    out_bonus_in_result: bool = _spec(_bool, True)
    hand_minus_at_5plus: bool = _spec(_bool, True)
    void_rule: str = _spec(_choice("last_card_drawn", "deal_end"), "last_card_drawn")
    failed_side_keeps_card_points: bool = _spec(_bool, True)
    void_cost: tuple[int, int] = _spec(_pair(_int(0, 100), _int(0, 100), "of percents [undoubled, doubled]"), (0, 0))
    no_commitment_goout: str = _spec(_choice("defenders", "none"), "defenders")


def _melds(value: Any, where: str) -> tuple[MeldKind, ...]:
    if isinstance(value, Mapping):
        kinds = []
        for name, kind in value.items():
            if isinstance(kind, Mapping):
                kind = _build(MeldKind, {**kind, "id": name}, f"{where}.{name}")
            kinds.append(kind)
        value = kinds
    kinds = list(_items(value, where, "MeldKinds, or a table of them by id"))
    if not 1 <= len(kinds) <= 8 or not all(isinstance(kind, MeldKind) for kind in kinds):
        raise _wrong(where, value, "must be 1 to 8 MeldKinds, or a table of them by id")
    # One order, so that equal content is equal: sets, runs, wild melds; what is laid at the end last; the widest first.
    kinds.sort(key=lambda kind: (_SHAPES.index(kind.shape), kind.when != "any", -len(kind.ranks), kind.id))
    return tuple(kinds)


def _preset_name(value: Any, where: str) -> str:
    if value not in _PRESET_NAMES:
        raise _one_of("preset", value, _PRESET_NAMES, "preset")
    return str(value)


@dataclass(frozen=True, repr=False)
class RuleSet(_Group):
    """A game of the family: the preset it derives from, and every rule as data (fields: see the module).

    Made by `replace` from a preset rather than by hand. Equality and hashing go by content, the name apart.

    Raises
    ------
    RuleSetError
        If a value is impossible, or two values cannot be combined.

    Examples
    --------
    >>> house = SITOUMUSSAMBA.replace(target=10000, **{"draw.stock": 3})
    >>> house.options
    {'target': 10000, 'draw.stock': 3}
    >>> house.match.end, house.draw.stock, house.kind("set").max_wild
    (('target', 10000), 3, 2)
    """

    pack: Pack = _spec(_group(Pack))
    table: TableRules = _spec(_group(TableRules))
    deal: DealRules = _spec(_group(DealRules))
    draw: DrawRules = _spec(_group(DrawRules))
    points: Points = _spec(_class_points(complete=True))
    hand_points: Points = _spec(_class_points(complete=False))
    bonus: BonusRules = _spec(_group(BonusRules))
    pile: PileRules = _spec(_group(PileRules))
    opening: OpeningRules = _spec(_group(OpeningRules))
    melds: tuple[MeldKind, ...] = _spec(_melds)
    out: OutRules = _spec(_group(OutRules))
    stock: StockRules = _spec(_group(StockRules))
    match: MatchRules = _spec(_group(MatchRules))
    buy: Buy | None = _spec(_optional(_group(Buy)))
    contract: Contract | None = _spec(_optional(_group(Contract)))
    penalty: PenaltyCode = _spec(PenaltyCode.read)
    name: str = field(default="sitoumussamba", compare=False, metadata={"check": _preset_name})

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, fault in _faults(self):
            raise RuleSetError(f"{name}: {fault}")
        object.__setattr__(self, "penalty", self.penalty.within(self))

    def __repr__(self) -> str:
        return f"RuleSet({', '.join([repr(self.name), *(f'{k}={v!r}' for k, v in self.options.items())])})"

    def _plain(self) -> dict[str, Any]:
        tree = super()._plain()
        del tree["name"]
        tree["melds"] = {kind.id: kind._plain() for kind in self.melds}
        return tree

    def kind(self, name: str) -> MeldKind:
        """The meld kind of this id."""
        for kind in self.melds:
            if kind.id == name:
                return kind
        raise _one_of("melds", name, [kind.id for kind in self.melds], "meld kind")

    def replace(self, **changes: Any) -> RuleSet:
        """A rule set that differs from this one.

        Parameters
        ----------
        **changes
            Options by their public names (``target=10000``) and fields by dotted names
            (``**{"pile.take.open": ["pair"]}``). A table changes only the fields that it names. A meld kind set to
            None goes away; a table under a new id, or a `MeldKind`, is a new kind. Public names are applied first.

        Raises
        ------
        RuleSetError
            If a name is unknown, a value impossible, or the result cannot be combined.
        """
        tree = self._plain()
        for name, value in changes.items():
            if name in _OPTIONS:
                _OPTIONS[name].put(tree, value, name)
        for name, value in changes.items():
            if name not in _OPTIONS:
                _put(tree, name.split("."), value, name)
        return RuleSet(**tree, name=self.name)

    @property
    def options(self) -> dict[str, Any]:
        """What differs from the preset of this name, as plain values.

        ``preset(rules.name).replace(**rules.options) == rules``, always.
        """
        return deepcopy(self._options)

    @cached_property
    def _options(self) -> dict[str, Any]:
        mine, base = self._plain(), PRESETS[self.name]._plain()
        found: dict[str, Any] = {}
        for name, option in _OPTIONS.items():
            value, before = option.get(mine), option.get(base)
            if value is not None and before is not None and value != before:
                found[name] = value
                option.put(base, value, name)
        return found | _changes(base, mine)

    @cached_property
    def hash(self) -> str:
        """Twelve hexadecimal digits of the content, the same in every process; the name does not matter.

        The penalty code is left out, since no simulated row depends on it; it has a hash of its own. A field that came
        later is left out while it changes nothing, so that the hash of a rule set never moves.
        """
        import hashlib

        tree = self._plain()
        del tree["penalty"]
        for table, name, neutral in _CAME_LATER:
            if tree[table] is not None and tree[table][name] == neutral:
                del tree[table][name]
        return hashlib.sha256(json.dumps(tree, sort_keys=True).encode()).hexdigest()[:12]

    def diff(self, other: RuleSet) -> list[tuple[str, Any, Any]]:
        """Fields in which two rule sets differ: (dotted name, value here, value there), None where one has no such."""
        a, b = _flat(self._plain()), _flat(other._plain())
        order = [f.name for f in _fields(type(self))]
        names = sorted(dict.fromkeys((*a, *b)), key=lambda name: order.index(name.partition(".")[0]))
        return [(name, a.get(name), b.get(name)) for name in names if a.get(name) != b.get(name)]

    def describe(self) -> str:
        """The rules as text, made from the values of the fields."""
        from .rules_text import describe

        return describe(self)

    def to_dict(self, full: bool = False) -> dict[str, Any]:
        """The preset and the options that differ (as records have them); with ``full``, every field."""
        if not full:
            return {"preset": self.name, "options": self.options}
        tree = self._plain()
        base = PRESETS[self.name]._plain()
        for table in _OPEN_TABLES:  # what the preset has and these rules have not must be said
            tree[table] |= {name: None for name in base[table] if name not in tree[table]}
        return {"preset": self.name, **tree}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RuleSet:
        """A rule set from ``{"preset": ..., "options": {...}}``; options may stand beside ``preset`` as well."""
        if not isinstance(data, Mapping):
            raise _wrong("rules", data, 'must be a table such as {"preset": "samba", "options": {}}')
        changes = dict(data)
        base = preset(changes.pop("preset", "sitoumussamba"))
        options = changes.pop("options", {})
        if not isinstance(options, Mapping):
            raise _wrong("options", options, "must be a table of options")
        return base.replace(**{**changes, **options})

    def to_toml(self, full: bool = False) -> str:
        """`to_dict` as TOML."""
        import tomli_w

        return tomli_w.dumps(_toml(self.to_dict(full)))

    @classmethod
    def from_toml(cls, text: str) -> RuleSet:
        """A rule set from TOML text; see `from_dict`.

        Examples
        --------
        >>> RuleSet.from_toml('''
        ... preset = "samba"
        ... target = 5000
        ... pile.take.open = ["pair", "fit_run"]
        ... ''')
        RuleSet('samba', target=5000, pile.take.open=['pair', 'fit_run'])
        """
        import tomllib

        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise RuleSetError(f"not TOML: {error}") from None
        return cls.from_dict(data)


# --- What cannot be combined: (field, why), one line a rule.


def _kind_faults(kind: MeldKind) -> Iterator[tuple[str, str]]:
    """Faults inside a kind of meld."""
    shape, ranks, most, wilds = kind.shape, kind.ranks, kind.size[1], kind.max_wild
    never = kind.add_full.natural == kind.add_full.wild == "never"
    if shape == "run":
        following = [RANKS[(RANKS.index(rank) + 1) % 13] if rank in RANKS else "" for rank in ranks]
        if not set(ranks) <= set(RANKS):
            yield "ranks", f"a run goes by rank, 3 for both colours: known are {' '.join(RANKS)}"
        elif following[:-1] != list(ranks[1:]) or not 3 <= len(ranks) <= 19:
            yield "ranks", "the ranks of a run are 3 to 19 that follow each other in the circle A 2 3 ... K A"
        elif kind.cyclic and len(ranks) != 13:
            yield "cyclic", "a circle names each of the 13 ranks once"
        elif most is not None and most > 13:
            yield "size", "a run has at most 13 cards"
    else:
        if "3" in ranks or len(set(ranks)) < len(ranks):
            yield "ranks", "each card class once, and threes by colour (3r, 3b)"
        if kind.cyclic:
            yield "cyclic", "only a run has an order"
    if shape == "wild" and not set(ranks) <= {"JK", "2"}:
        yield "ranks", "a wild meld is made of jokers and deuces (JK, 2)"
    if shape == "set" and "JK" in ranks:
        yield "ranks", "jokers have no rank: they stand in (wild_with) or make a wild meld"
    if (shape == "set" and "3r" in ranks) or ("3b" in ranks and kind.when != "going_out"):
        yield "ranks", "of threes only black ones make a set, and only in going out (when = going_out)"
    if kind.when == "going_out" and (shape, ranks, wilds, kind.full) != ("set", ("3b",), 0, None):
        yield "when", "only black threes (a set of 3b, no wild cards, full none) wait for going out"
    if not kind.wild_with <= {"JK", "2"}:
        yield "wild_with", "only jokers and deuces (JK, 2) can stand in"
    if kind.wild_with & set(ranks):
        yield "wild_with", f"{' '.join(sorted(kind.wild_with & set(ranks)))} cannot be natural and wild in one meld"
    if shape != "set" and (wilds or kind.wild_with):
        yield "wild_with", f"no card stands in for another in a {shape if shape == 'run' else 'wild meld'}"
    if bool(wilds) != bool(kind.wild_with):
        yield "max_wild", "max_wild and wild_with go together: both, or 0 and no classes"
    if kind.min_natural not in ((2, 3) if wilds else (0,)):
        yield "min_natural", "2 or 3 where wild cards may stand in, else 0"
    for name in ("majority", "natural_closed"):
        if getattr(kind, name) and not wilds:
            yield name, "means something only where wild cards may stand in"
    if most is not None and kind.full is not None and most < kind.full:
        yield "size", f"at most {most} cards never make a complete meld of {kind.full}: set full to none or allow more"
    if not never and (kind.full is None or (most is not None and most <= kind.full)):
        yield "add_full", "a meld that ends at its full size, or has none, takes nothing: never"
    if (kind.add_full.natural == "going_out" and shape != "run") or kind.add_full.wild == "going_out":
        yield "add_full", "going_out is a choice for the natural cards of a run only"
    if shape == "wild" and not never:
        yield "add_full", "a wild meld is closed when it is complete: never"
    if kind.add_full.natural == "always" and shape == "run":
        yield "add_full", "a run is closed when it is complete: never, or going_out"
    if not wilds and kind.add_full.wild != "never":
        yield "add_full", "no wild card may stand in here: wild = never"
    if shape != "set" and kind.per_rank != "many":
        yield "per_rank", "a side may always have many runs and wild melds: many"
    if kind.when == "going_out" and kind.per_rank != "one":
        yield "per_rank", "black threes are laid as one set: one"
    if kind.merge and (shape != "set" or kind.per_rank == "one" or kind.when != "any"):
        yield "merge", "only where a side may have several sets of a rank"
    if kind.open_min and (shape != "set" or ranks != ("2",)):
        yield "open_min", "can be asked of a set of deuces only"
    if kind.full is None and (kind.bonus.natural or kind.bonus.mixed or kind.short):
        yield "bonus", "a meld that is never complete has no bonus and is never short of it"
    if kind.short and shape != "run":
        yield "short", "only runs lose points for being short"
    if kind.bonus.mixed and not wilds:
        yield "bonus", "no wild card may stand in here, so there is no mixed one: mixed = 0"


def _faults(rules: RuleSet) -> Iterator[tuple[str, str]]:
    """What the fields of a rule set say against each other."""
    pack, table, deal, pile, out, melds = rules.pack, rules.table, rules.deal, rules.pile, rules.out, rules.melds
    sets = [kind for kind in melds if kind.shape == "set" and kind.when == "any"]
    runs = [kind for kind in melds if kind.shape == "run"]
    complete = [kind for kind in melds if kind.full]
    used = frozenset[str]().union(*(kind.wild_with | set(kind.ranks) for kind in melds))
    used |= {"3r", "3b"} if "3" in used else set()
    ways = pile.take.open | pile.take.frozen | pile.take.unopened
    pairs = all(len(side) == 2 for side in table.sides)

    # table
    if sorted(seat for side in table.sides for seat in side) != list(range(table.seats)):
        yield "table.sides", f"every seat from 0 to {table.seats - 1} must belong to exactly one side"
    if table.seats < 4 and len(table.sides) < table.seats:
        yield "table.sides", f"{table.seats} players play each alone"
    if table.seats == 4 and table.sides != ((0, 2), (1, 3)):
        yield "table.sides", "four players sit in two pairs, partners opposite: [[0, 2], [1, 3]]"
    # deal
    dealt = table.seats * deal.hand + deal.first_extra
    spare = pack.count(rules.bonus.cards | deal.cover) + rules.draw.stock + 1
    if dealt + spare > pack.cards:
        yield (
            "deal.hand",
            f"{dealt} cards dealt of {pack.cards} leave too few: turning up, covering, replacing and a first draw "
            f"may take {spare}",
        )
    if deal.turn_up == "none" and deal.cover:
        yield "deal.cover", "no card is turned (deal.turn_up = none), so none can be covered"
    if deal.first_turn == "discard_only" and (deal.turn_up, deal.first_extra) != ("none", 1):
        yield "deal.first_turn", "a starter who only discards has a card more (first_extra = 1), and no pile lies there"
    # bonus cards
    if len(rules.bonus.table) != (pack.count(rules.bonus.cards) + 1 if rules.bonus.cards else 0):
        yield (
            "bonus.table",
            f"the pack has {pack.count(rules.bonus.cards)} bonus cards: the table needs points for each number from 0 "
            "to that, and is empty without bonus cards",
        )
    if len(rules.bonus.cards) > 1:
        yield "bonus.cards", "threes of one colour only: 3r or 3b"
    if rules.bonus.cards & used:
        yield "bonus.cards", f"{' '.join(sorted(rules.bonus.cards & used))} cannot be laid out at once and be melded"
    if rules.buy and rules.buy.card in rules.bonus.cards:
        yield "buy.card", f"{rules.buy.card} is a bonus card, laid out and replaced without being paid for"
    # melds
    for i, kind in enumerate(melds):
        for other in melds[:i]:
            if kind.id == other.id:
                yield "melds", f"two kinds have the id {kind.id!r}"
            if kind.shape == other.shape != "set":
                yield f"melds.{kind.id}", f"{other.id} is such a kind already: one kind of {kind.shape} in a game"
            common = set(kind.ranks) & set(other.ranks)
            if "run" not in (kind.shape, other.shape) and common:
                yield (
                    f"melds.{kind.id}.ranks",
                    f"{' '.join(sorted(common))} is natural in {other.id} too: the kind of such a meld would be open",
                )
    # pile
    if pile.dead_top & pile.run_only_top:
        both = " ".join(sorted(pile.dead_top & pile.run_only_top))
        yield "pile.run_only_top", f"{both} is in pile.dead_top too: it can be taken onto a run or never, not both"
    if "JK" in pile.run_only_top:
        yield "pile.run_only_top", "a joker has no place in a run: put it in pile.dead_top"
    if ("fit_run" in ways or pile.run_only_top or pile.fit_new_run) and not runs:
        yield "pile", "fit_run, run_only_top and fit_new_run need a kind of run among the melds"
    if (pile.run_only_top or pile.fit_new_run) and "fit_run" not in ways:
        yield "pile.take", "run_only_top and fit_new_run need fit_run among the ways to take"
    if ways - {"fit_run"} and not sets:
        yield "pile.take", "all ways but fit_run need a kind of set among the melds"
    if "natural+wild" in ways and not any(kind.max_wild for kind in sets):
        yield "pile.take", "natural+wild needs a set in which wild cards may stand in"
    if "fit_full" in ways and all(kind.add_full.natural == "never" for kind in sets):
        yield "pile.take", "fit_full needs a set that takes natural cards when complete (add_full.natural)"
    if pile.take.unopened & {"fit_set", "fit_full"}:
        without = ", ".join(way for way in ("fit_set", "fit_full") if way in pile.take.unopened)
        yield (
            "pile.take.unopened",
            f"{without} cannot be a way for a side that has not opened: it takes the pile with hand cards, which join the "
            "set (pair, triple, natural+wild)",
        )
    if pile.extent != "whole" and not pile.freeze:
        yield "pile.extent", "nothing freezes the pile (pile.freeze), so it can only be taken whole"
    if pile.new_set_from and all(kind.per_rank == "one" for kind in sets):
        yield "pile.new_set_from", "no rank may be melded twice (per_rank = one), so a pair can start no new set"
    # opening and going out
    if rules.opening.top_counts and not rules.opening.pair_counts:
        yield "opening.top_counts", "the top card is melded with hand cards: it cannot count without them (pair_counts)"
    if rules.opening.top_counts and pile.extent != "whole" and pile.take.unopened - {"fit_run"}:
        yield (
            "opening.top_counts",
            f"where the top card counts, an opening with the pile (pile.take.unopened) names every card of its set, and "
            f"the pile comes whole: pile.extent = whole, not {pile.extent}",
        )
    asks = rules.opening.bonus_counts or any(row[2] != "none" for row in rules.opening.bands)
    if rules.opening.top_counts and asks and pile.take.unopened:
        yield (
            "opening.top_counts",
            "where a complete meld opens (opening.bonus_counts, or a band that asks for one), the top card of an opening "
            "with the pile (pile.take.unopened) cannot count: it would have to complete one",
        )
    needs = [("bonus.needs", rules.bonus.needs[0] == "canastas" and rules.bonus.needs[1] > 0, complete)]
    needs.append(("opening.bands", any(row[2] != "none" for row in rules.opening.bands), complete))
    needs.append(("out.needs.canasta", out.needs.canasta > 0, complete))
    needs.append(("out.needs.run", out.needs.run > 0, [kind for kind in runs if kind.full]))
    needs.append(("out.needs.set", out.needs.set + out.needs.natural_set > 0, [kind for kind in sets if kind.full]))
    for name, asked, kinds in needs:
        if asked and not kinds:
            yield name, "no kind of meld can fulfil this"
    if out.ask != "none" and not pairs:
        yield "out.ask", "there is no partner to ask"
    # match
    if rules.match.settle != "totals" and len(table.sides) != 2:
        yield "match.settle", "a difference is settled between two sides"
    if rules.match.end[0] == "target" and rules.match.end[1] % 5:
        yield "match.end", f"a target must be a multiple of 5, as all scores are; {rules.match.end[1]} is not"
    if rules.match.end[0] == "deals" and rules.match.end[1] > 500:
        yield "match.end", "a match has at most 500 deals"
    # contract
    if rules.contract is None:
        if deal.turn_up == "after_auction":
            yield "deal.turn_up", "without a contract there is no auction: after_deal or none"
        return
    if table.seats != 4 or not pairs:
        yield "contract", "an auction needs four seats in two sides (table.seats, table.sides)"
    if deal.turn_up != "after_auction":
        yield "deal.turn_up", "with a contract the declarer opens before a card is turned: after_auction"
    if deal.first_extra:
        yield "deal.first_extra", "with a contract the declarer starts, who is not known at the deal: 0"
    if not runs or not {"2", "A"} <= {rank for kind in sets for rank in kind.ranks}:
        yield "melds", "the strains of an auction need a kind of run, sets, and a set of deuces"
    if rules.bonus.cards:
        yield "bonus.cards", "with a contract the hands that bid are the cards dealt: none are replaced"
    if rules.opening.waive != "never" or any(row[2] != "none" for row in rules.opening.bands):
        yield "opening", "with a contract the declarer opens before play: waive is never, and bands ask for points only"


# --- The tree as plain values.

_OPEN_TABLES = ("melds", "hand_points", "penalty")  # tables whose entries come and go

#: Fields that were added after the first hashes were written: table, name, the value that changes nothing.
_CAME_LATER = (("contract", "void_cost", [0, 0]),)


def _plain(value: Any) -> Any:
    """Groups and mappings as dicts, sets and tuples as lists in one order: what JSON and the hash see."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, (_Group, PenaltyCode)):
        return value._plain()
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, (frozenset, set)):
        known = (*CLASSES, *WAYS)
        return sorted(value, key=lambda word: (known.index(word) if word in known else len(known), str(word)))
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value


def _flat(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Leaves by dotted name."""
    leaves: dict[str, Any] = {}
    for name, value in tree.items():
        leaves |= _flat(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {prefix + name: value}
    return leaves


def _changes(old: Mapping[str, Any], new: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """What `replace` must be told to make `new` of `old`; whole tables where one has none."""
    found: dict[str, Any] = {}
    for name in dict.fromkeys((*old, *new)):
        a, b = old.get(name), new.get(name)
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            found |= _changes(a, b, f"{prefix}{name}.")
        elif a != b:
            found[prefix + name] = b
    return found


def _toml(value: Any, bands: bool = False, last_bound: Any = float("inf")) -> Any:
    """Plain values as TOML can say them: none for None, inf (or another word) for the last bound of the bands."""
    if isinstance(value, Mapping):
        return {
            name: _toml(item, name in ("bands", "opening_bands", "opening.bands"), last_bound)
            for name, item in value.items()
        }
    if bands:
        return [[last_bound if item is None else item for item in row] for row in value]
    if isinstance(value, list):
        return [_toml(item, False, last_bound) for item in value]
    return "none" if value is None else value


def _put(tree: dict[str, Any], path: list[str], value: Any, full: str) -> None:
    """Set one dotted name in a plain tree; a table given for a table changes only what it names."""
    *parents, last = path
    node: Any = tree
    where = ""
    for name in parents:
        if name not in node:
            raise _unknown(tree, full, name, where, node)
        where, node = f"{where}.{name}".lstrip("."), node[name]
        if not isinstance(node, dict):
            hint = ", so give the whole table" if node is None else ", which has no fields"
            raise RuleSetError(f"{full}: {where} is {'none' if node is None else repr(node)} here{hint}")
    if last not in node and where not in _OPEN_TABLES:
        raise _unknown(tree, full, last, where, node)
    if where in _OPEN_TABLES and (value is None or value == "none"):
        node.pop(last, None)
    elif isinstance(value, Mapping) and isinstance(node.get(last), dict):
        for name, item in value.items():
            _put(tree, [*path, *str(name).split(".")], item, f"{full}.{name}")
    elif isinstance(value, MeldKind) and where == "melds" and value.id != last:
        raise RuleSetError(f"{full}: the kind given here has the id {value.id!r}")
    elif full == "melds":
        node[last] = {kind.id: kind._plain() for kind in _melds(value, full)}
    else:
        node[last] = _plain(value)


def _unknown(tree: Mapping[str, Any], full: str, name: str, where: str, node: Mapping[str, Any]) -> RuleSetError:
    if where:
        return _one_of(full, name, node, f"field of {where}")
    near = _near(full, [*_OPTIONS, *tree, *_flat(tree)], 3)
    hint = f" (did you mean {' or '.join(map(repr, near))}?)" if near else ""
    return RuleSetError(
        f"unknown option {full!r}{hint}; options are {', '.join(_OPTIONS)}; other fields go by dotted names, such as "
        "'draw.stock'"
    )


# --- Public options (the table in docs/rules.md): each has one home in the tree, its values perhaps under other words.


class _Option:
    """An option at one dotted field. `get` gives None where a tree has no such choice."""

    def __init__(self, path: str, words: Mapping[Any, Any] | None = None) -> None:
        self.path, self.words = path, words

    def homes(self, tree: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
        """(table, key) of every place that the option writes, all at once."""
        *parents, last = self.path.split(".")
        node: Any = tree
        for name in parents:
            node = node.get(name)
            if node is None:
                return []
        return [(node, last)]

    def read(self, table: dict[str, Any], key: str) -> Any:
        return table[key]

    def write(self, table: dict[str, Any], key: str, value: Any) -> None:
        table[key] = value

    def get(self, tree: dict[str, Any]) -> Any:
        values = [self.read(*home) for home in self.homes(tree)]
        if not values or any(value != values[0] for value in values):
            return None
        if self.words is None:
            return values[0]
        return next((word for word, value in self.words.items() if value == values[0]), None)

    def put(self, tree: dict[str, Any], value: Any, name: str) -> None:
        homes = self.homes(tree)
        if not homes:
            raise RuleSetError(f"option {name}: these rules have nothing to choose there ({self.path})")
        if self.words is not None:
            if not any(value == word and type(value) is type(word) for word in self.words):
                raise _wrong(f"option {name}", value, f"must be {' or '.join(map(repr, self.words))}")
            value = self.words[value]
        for table, key in homes:
            self.write(table, key, _plain(value))


class _KindsOption(_Option):
    """An option shared by the kinds of meld for which `where` holds."""

    def __init__(self, path: str, where: Callable[[dict[str, Any]], bool], words: Mapping[Any, Any]) -> None:
        super().__init__(path, words)
        self.where = where

    def homes(self, tree: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
        return [(kind, self.path.rsplit(".", 1)[1]) for kind in tree["melds"].values() if self.where(kind)]


class _CyclicOption(_KindsOption):
    """B20: a circle, or the line 2 ... A with 2 and 3 once more above the ace."""

    FORMS: Mapping[bool, list[str]] = {True: list(RANKS), False: [*RANKS[1:], "A", "2", "3"]}

    def read(self, table: dict[str, Any], key: str) -> Any:
        return table["cyclic"] if table["ranks"] == self.FORMS[table["cyclic"]] else None

    def write(self, table: dict[str, Any], key: str, value: Any) -> None:
        table["cyclic"], table["ranks"] = value, list(self.FORMS[value])


class _TargetOption(_Option):
    def read(self, table: dict[str, Any], key: str) -> Any:
        return table[key][1] if table[key][0] == "target" else None

    def write(self, table: dict[str, Any], key: str, value: Any) -> None:
        table[key] = ["target", value]


class _TakeCardsOption(_Option):
    """B15: pair or triple among the ways to take an unfrozen pile."""

    def read(self, table: dict[str, Any], key: str) -> Any:
        found = [way for way in ("pair", "triple") if way in table[key]]
        return found[0] if len(found) == 1 else None

    def write(self, table: dict[str, Any], key: str, value: Any) -> None:
        table[key] = _plain(frozenset(table[key]) - {"pair", "triple"} | {value})


_GROWTH = {
    "natural": {"natural": "always", "wild": "never"},
    "natural_and_wild": {"natural": "always", "wild": "always"},
    "none": {"natural": "never", "wild": "never"},
}

_OPTIONS: dict[str, _Option] = {
    "opening_bands": _Option("opening.bands"),
    "target": _TargetOption("match.end"),
    "max_level": _Option("contract.max_level"),
    "cyclic_sequences": _CyclicOption(
        "melds.run.cyclic", lambda kind: "3" in kind["ranks"], {True: True, False: False}
    ),
    "mixed_growth": _KindsOption("melds.set.add_full", lambda kind: kind["natural_closed"], _GROWTH),
    "second_set": _KindsOption(
        "melds.set.per_rank",
        lambda kind: kind["shape"] == "set" and kind["per_rank"] != "one",
        {"always": "many", "after_complete": "after_complete"},
    ),
    "deuce_set_min_after_open": _Option("melds.deuce.min_natural", {2: 2, 3: 3}),
    "pair_counts_for_opening": _Option("opening.pair_counts"),
    "unlocked_take_cards": _TakeCardsOption("pile.take.open", {2: "pair", 3: "triple"}),
    "lock_top_take": _Option("pile.extent", {"itself": "to_freezer", "next_lock": "to_next_freezer"}),
    "transfer_to_new_sequence": _Option("pile.fit_new_run"),
    "first_player": _Option("contract.first_player"),
    "failed_open_next": _Option("contract.failed_open_next"),
    "all_bluff_penalty": _Option("contract.all_bluff_penalty"),
    "strain_must_be_made": _Option("contract.strain_must_be_made"),
    "out_bonus_in_gate": _Option("contract.out_bonus_in_gate"),
    "out_bonus_in_result": _Option("contract.out_bonus_in_result"),
    "hand_minus_at_5plus": _Option("contract.hand_minus_at_5plus"),
    "void_rule": _Option("contract.void_rule"),
    "failed_side_keeps_card_points": _Option("contract.failed_side_keeps_card_points"),
    "void_cost": _Option("contract.void_cost"),
    "no_commitment_goout": _Option("contract.no_commitment_goout"),
    "stock_end": _Option("stock.empty", {"play_on": "forced_fit_may_take", "immediate": "end_after_turn"}),
    "permission": _Option("out.ask", {True: "optional", False: "none"}),
    "yes_binds": _Option("out.yes_binds", {True: True, False: False}),
}


# --- Presets: two games in full, the others as differences.

_PRESET_NAMES = (
    "sitoumussamba",
    "finnish_canasta",
    "finnish_canasta_2p",
    "finnish_canasta_3p",
    "american_canasta",
    "russian_canasta",
    "tile_canasta",
    "samba",
    "bolivia",
    "brazilian_canasta",
)

PRESETS: dict[str, RuleSet] = {}


def _preset(name: str, base: RuleSet | None, changes: Mapping[str, Any]) -> RuleSet:
    tree = base._plain() if base else dict(changes)
    tree["penalty"] = preset_code(name)._plain()
    for path, value in changes.items() if base else ():
        _put(tree, path.split("."), value, path)
    PRESETS[name] = RuleSet(**tree, name=name)
    return PRESETS[name]


def preset(name: str) -> RuleSet:
    """The preset of this name (``sitoumussamba``, ``samba``, ...; capitals, blanks and hyphens do not matter).

    Examples
    --------
    >>> preset("samba").pack.jokers
    6
    """
    found = PRESETS.get(re.sub(r"[\s-]+", "_", name.strip().lower())) if isinstance(name, str) else None
    if found is None:
        raise _one_of("preset", name, PRESETS, "preset")
    return found


def as_rules(given: RuleSet | str | None) -> RuleSet:
    """A rule set as it is, that of a preset's name, or Sitoumussamba for None.

    Raises
    ------
    RuleSetError
        If it is none of these.
    """
    if given is None:
        return SITOUMUSSAMBA
    if isinstance(given, str):
        return preset(given)
    if not isinstance(given, RuleSet):
        raise RuleSetError(f"rules must be a RuleSet such as SITOUMUSSAMBA, or a preset's name, not {checks.quoted(given)}")
    return given


_CARD_POINTS = (
    {"JK": 50, "2": 20, "A": 20, "3r": 0, "3b": 5}
    | dict.fromkeys(("4", "5", "6", "7"), 5)
    | dict.fromkeys(("8", "9", "T", "J", "Q", "K"), 10)
)
_ORDINARY = ["4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
_BLACK = {"shape": "set", "ranks": ["3b"], "size": [3, 6], "full": None, "when": "going_out"}
_RUN = {"shape": "run", "size": [3, 7], "per_rank": "many", "bonus": {"natural": 1500}}
_FIVE_BANDS = [[0, 15], [1500, 50], [3000, 90], [7000, 120], [None, 150]]


def _set(ranks: Iterable[str], natural: int, mixed: int, **more: Any) -> dict[str, Any]:
    kind = {"shape": "set", "ranks": ranks, "min_natural": 2, "max_wild": 2, "wild_with": ["JK", "2"]}
    return kind | {"add_full": {"natural": "always"}, "bonus": {"natural": natural, "mixed": mixed}} | more


SITOUMUSSAMBA = _preset(
    "sitoumussamba",
    None,
    {
        "pack": {"suits": 4, "copies": 3, "jokers": 6},
        "table": {"seats": 4, "sides": [[0, 2], [1, 3]]},
        "deal": {"hand": 15, "first_extra": 0, "turn_up": "after_auction", "cover": [], "first_turn": "full"},
        "draw": {"stock": 2, "after_pile": 1},
        "points": _CARD_POINTS | {"3r": 5},
        "hand_points": {"3b": 100, "3r": 500},
        "bonus": {"cards": [], "table": [], "needs": ["melds", 0], "laid": "at_deal"},
        "pile": {
            "freeze": ["JK", "2", "3r"],
            "dead_top": ["JK"],
            "run_only_top": ["2", "3r", "3b"],
            # A side that is not open has no run of an earlier turn: it can transfer only where fit_new_run allows it.
            "take": {
                "open": ["pair", "fit_run"],
                "frozen": ["triple", "fit_run"],
                "unopened": ["pair", "triple", "fit_run"],
            },
            "extent": "to_freezer",
            "new_set_from": 4,
            "single_bar": True,
            "fit_new_run": False,
        },
        "opening": {
            "bands": [[0, 15], [1500, 50], [3000, 90], [7000, 120], [10000, 150], [None, 200]],
            "top_counts": False,
            "pair_counts": False,
            "bonus_counts": True,
            "waive": "never",
        },
        "melds": {
            "set": _set(_ORDINARY, 500, 300, natural_closed=True, per_rank="many"),
            "ace": _set(["A"], 1000, 500, natural_closed=True, per_rank="many"),
            "deuce": _set(["2"], 3000, 2000, natural_closed=True, per_rank="many", wild_with=["JK"], open_min=5),
            "run": _RUN | {"ranks": RANKS, "cyclic": True},
            "black": _BLACK,
        },
        "out": {
            "needs": {"run": 1, "set": 2, "natural_set": 1},
            "discard": "required",
            "bonus": 300,
            "concealed": "none",
            "concealed_total": 300,
            "ask": "optional",
            "ask_when": "after_stock",
            "yes_binds": True,
            "ask_fail": 100,
        },
        "stock": {"last_bonus": "end_now", "empty": "forced_fit_may_take"},
        "match": {"end": ["target", 20000], "tie": "draw", "settle": "totals"},
        "buy": {"card": "3r", "price": 300},
        "contract": {},
    },
)

FINNISH_CANASTA = _preset(
    "finnish_canasta",
    None,
    {
        "pack": {"suits": 4, "copies": 2, "jokers": 4},
        "table": {"seats": 4, "sides": [[0, 2], [1, 3]]},
        "deal": {
            "hand": 11,
            "first_extra": 0,
            "turn_up": "after_deal",
            "cover": ["JK", "2", "3r", "3b"],
            "first_turn": "full",
        },
        "draw": {"stock": 1, "after_pile": 0},
        "points": _CARD_POINTS,
        "hand_points": {},
        "bonus": {"cards": ["3r"], "table": [0, 100, 200, 300, 400], "needs": ["melds", 1], "laid": "at_deal"},
        "pile": {
            "freeze": ["JK", "2", "3r"],
            "dead_top": ["JK", "2", "3r", "3b"],
            "run_only_top": [],
            "take": {"open": ["pair", "natural+wild", "fit_set", "fit_full"], "frozen": ["pair"], "unopened": ["pair"]},
            "extent": "whole",
            "new_set_from": None,
            "single_bar": True,
            "fit_new_run": False,
        },
        "opening": {
            "bands": [[0, 15], [1500, 50], [3000, 90], [None, 120]],
            "top_counts": True,
            "pair_counts": True,
            "bonus_counts": False,
            "waive": "concealed_from_stock",
        },
        "melds": {
            "set": _set([*_ORDINARY, "A"], 500, 300, max_wild=3),
            "black": _BLACK | {"size": [3, 4]},
        },
        "out": {
            "needs": {"canasta": 1},
            "discard": "optional",
            "bonus": 100,
            "concealed": "side",
            "concealed_total": 200,
            "ask": "optional",
            "ask_when": "after_stock",
            "yes_binds": True,
            "ask_fail": 100,
        },
        "stock": {"last_bonus": "end_now", "empty": "forced_fit"},
        "match": {"end": ["target", 5000], "tie": "draw", "settle": "totals"},
        "buy": None,
        "contract": None,
    },
)

FINNISH_CANASTA_2P = _preset(
    "finnish_canasta_2p",
    FINNISH_CANASTA,
    {
        "table": {"seats": 2, "sides": [[0], [1]]},
        "deal.hand": 15,
        "draw.stock": 2,
        "out.needs.canasta": 2,
        "out.ask": "none",
    },
)

FINNISH_CANASTA_3P = _preset(
    "finnish_canasta_3p",
    FINNISH_CANASTA,
    {
        "table": {"seats": 3, "sides": [[0], [1], [2]]},
        "deal.hand": 13,
        "out.ask": "none",
    },
)

AMERICAN_CANASTA = _preset(
    "american_canasta",
    FINNISH_CANASTA,
    {
        "melds.set.add_full.wild": "always",
        "bonus.table": [0, 100, 200, 300, 800],
    },
)

RUSSIAN_CANASTA = _preset(
    "russian_canasta",
    FINNISH_CANASTA,
    {
        "melds.set.add_full.wild": "always",
        "bonus.laid": "first_turn",
        "out": {"concealed": "player", "ask": "required", "ask_when": "any", "yes_binds": False},
        "stock.empty": "may_fit",
        "match.settle": "rounded_100",
    },
)

TILE_CANASTA = _preset(
    "tile_canasta",
    FINNISH_CANASTA,
    {
        "pack.jokers": 2,
        "deal": {"hand": 14, "first_extra": 1, "turn_up": "none", "cover": [], "first_turn": "discard_only"},
        "points": {"A": 25, "8": 5, "9": 5, "3b": 0},
        "hand_points.3b": 100,
        "pile.freeze": [],
        "pile.dead_top": ["JK", "2", "3b"],
        "pile.take": {"open": ["pair"], "frozen": ["pair"], "unopened": ["pair"]},
        "pile.single_bar": False,
        "opening": {"bands": _FIVE_BANDS, "waive": "never"},
        "melds.set": {"majority": True, "add_full": {"wild": "always"}},
        "melds.deuce": _set(
            ["2"], 1000, 700, wild_with=["JK"], majority=True, add_full={"natural": "always", "wild": "always"}
        ),
        "melds.black": None,
        "out": {"discard": "required", "concealed": "none", "concealed_total": 100, "ask": "none"},
        "stock.empty": "end_after_turn",
        "match": {"end": ["target", 10000], "tie": "extra_deal"},
    },
)

SAMBA = _preset(
    "samba",
    FINNISH_CANASTA,
    {
        "pack": {"copies": 3, "jokers": 6},
        "deal.hand": 15,
        "draw.stock": 2,
        "bonus": {"table": [0, 100, 200, 300, 400, 500, 1000], "needs": ["canastas", 2]},
        "pile.take.open": ["pair", "fit_set", "fit_run"],
        "opening.bands": _FIVE_BANDS,
        "melds.set": {"max_wild": 2, "per_rank": "many", "merge": True},
        "melds.run": _RUN | {"ranks": [*_ORDINARY, "A"]},
        "melds.black": {"size": [3, 6]},
        "out": {"needs": {"canasta": 2}, "bonus": 200, "concealed": "none", "concealed_total": 200},
        "match.end": ["target", 10000],
    },
)

BOLIVIA = _preset(
    "bolivia",
    SAMBA,
    {
        "melds.wild": {
            "shape": "wild",
            "ranks": ["JK", "2"],
            "size": [3, 7],
            "per_rank": "many",
            "bonus": {"natural": 2500},
        },
        "out.needs.run": 1,
        "hand_points.3b": 100,
        "match.end": ["target", 15000],
    },
)

BRAZILIAN_CANASTA = _preset(
    "brazilian_canasta",
    BOLIVIA,
    {
        "bonus": {"table": [0, 100, 200, 300, 400, 1000, 1200], "needs": ["canastas", 1]},
        "pile.take.unopened": [],
        "opening.bands": [
            *_FIVE_BANDS[:4],
            [8000, 0, "canasta"],
            [9000, 200, "canasta"],
            [None, 0, "natural_canasta"],
        ],
        "melds.run": {"size": [3, None], "add_full": {"natural": "going_out"}, "short": [5, 1000]},
        "melds.wild.bonus.natural": 2000,
        "out": {"needs": {"run": 0}, "ask": "required"},
        "match.end": ["target", 10000],
    },
)
