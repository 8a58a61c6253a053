"""Rule sets: what a game of the family is, as data.

A `RuleSet` is a tree of frozen dataclasses. It is checked field by field when it is made, compared and hashed by content, and written as a preset
plus what differs from it. Nothing in the library asks for a game by name: the core compiles the fields below into tables.

Card classes replace card names: ``JK 2 3r 3b 4 5 6 7 8 9 T J Q K A`` (3r the red threes, 3b the black ones). All points are multiples of 5.
A set of classes or ways is written as a list in TOML and JSON; "or None" is written ``none`` in TOML.

=========================  =====================================================  ============================================================
field                      type or values                                         meaning
=========================  =====================================================  ============================================================
pack.suits                 4                                                      suits of 13 ranks
pack.copies                2, 3                                                   copies of every card but the jokers
pack.jokers                0 to 6                                                 jokers in the pack
table.seats                2, 3, 4                                                players, numbered in the order of play
table.sides                tuples of seats                                        who share melds, score and bonus cards
deal.hand                  cards                                                  dealt to each player
deal.first_extra           0, 1                                                   more for the player who starts
deal.turn_up               none, after_deal, after_auction                        when the first card of the discard pile is turned
deal.cover                 classes                                                turned cards that get another on top
deal.first_turn            full, discard_only                                     the first turn of the deal
draw.stock                 cards                                                  drawn from the stock; a shorter stock still makes a full draw
draw.after_pile            0, 1                                                   cards that may be drawn after taking the pile
points                     class to points                                        value melded, for the opening, and in hand
hand_points                class to points                                        lost in hand, where it is not `points`
bonus.cards                classes                                                laid out at once and replaced from the stock, never discarded
bonus.table                points for 0, 1, 2 ... of them                         their score
bonus.needs                (melds or canastas, n)                                 the score is negative for a side that has fewer
pile.freeze                classes                                                freeze the pile while they are in it
pile.dead_top              classes                                                never taken when on top
pile.run_only_top          classes                                                on top taken onto a run only
pile.take.open             ways                                                   ways to take an unfrozen pile, side open
pile.take.frozen           ways                                                   ways to take a frozen pile, side open
pile.take.unopened         ways                                                   ways for a side not open, where the pile's state allows them too
pile.extent                whole, to_freezer, to_next_freezer                     how much comes; to_freezer: down to the first freezing card,
                                                                                  to_next_freezer: to the next one if the top itself freezes
pile.new_set_from          cards or None                                          hand cards must start a new set if the old one has so many
pile.single_bar            bool                                                   a one-card hand may not take a one-card pile
pile.fit_new_run           bool                                                   the top may go onto a run laid or lengthened in the same turn
opening.bands              rows (score below, minimum, needs)                     minimum by the side's total; see `OpeningRules`
opening.top_counts         bool                                                   the taken top card counts
opening.pair_counts        bool                                                   the hand cards that take the pile count
opening.bonus_counts       bool                                                   bonuses of complete melds count; a complete meld always opens
opening.waive              never, concealed_from_stock                            when no minimum is asked
melds.ID.shape             set, run, wild                                         one rank; one suit in order; wild cards only
melds.ID.ranks             classes; for a run ranks A 2 ... K in order            the natural cards
melds.ID.cyclic            bool                                                   the order of a run is a circle
melds.ID.size              (least, most or None)                                  cards
melds.ID.min_natural       cards                                                  natural cards at least (0 where no wild card may stand in)
melds.ID.max_wild          cards                                                  wild cards at most
melds.ID.wild_with         classes                                                may stand in
melds.ID.majority          bool                                                   always more natural than wild cards
melds.ID.full              7 or None                                              size of a complete meld (canasta); None: never one
melds.ID.natural_closed    bool                                                   a complete meld without wild cards takes no more cards
melds.ID.add_full.natural  never, always, going_out                               natural cards onto a complete meld
melds.ID.add_full.wild     never, always, going_out                               wild cards onto a complete meld
melds.ID.per_rank          one, many, after_complete                              melds of one rank a side may have
melds.ID.merge             bool                                                   two incomplete ones may be joined
melds.ID.when              any, going_out                                         when it may be laid
melds.ID.open_min          cards                                                  natural cards it must have in an opening
melds.ID.bonus.natural     points                                                 for a complete one without wild cards
melds.ID.bonus.mixed       points                                                 for a complete one with wild cards
melds.ID.short             (below, points) or None                                points lost for each one that stays below so many cards
out.needs.canasta          number                                                 complete melds of any kind that going out needs
out.needs.run              number                                                 complete runs
out.needs.set              number                                                 complete sets
out.needs.natural_set      number                                                 complete sets without wild cards
out.discard                optional, required                                     the last card
out.bonus                  points                                                 for going out
out.concealed              none, side, player                                     whose clean record makes going out concealed
out.concealed_total        points                                                 instead of `out.bonus`
out.ask                    none, optional, required                               the question to the partner
out.ask_when               after_stock, any                                       when it may be put
out.ask_fail               points                                                 lost for a yes without going out
stock.last_bonus           end_now                                                a bonus card laid from the last of the stock ends the deal
stock.empty                end_after_turn, forced_fit, forced_fit_may_take,       turns with an empty stock
                           may_fit, may_take
match.end                  (target, points) or (deals, n)                         when the match ends
match.tie                  draw, extra_deal                                       equal totals then
match.settle               totals, difference, rounded_100                        what the sheet shows at the end
buy.card, buy.price        class, points; `buy` may be None                       laid to buy one card from the stock
contract                   `Contract` or None                                     auction, double and contract score
=========================  =====================================================  ============================================================

The ways to take: ``pair`` and ``triple`` (so many natural cards of the top's rank from hand), ``natural+wild`` (one natural and one wild card),
``fit_set``, ``fit_full``, ``fit_run`` (the top goes onto an own incomplete set, complete set, or incomplete run).
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from typing import Any

from .errors import RuleSetError

__all__ = [
    "AMERICAN_CANASTA", "BOLIVIA", "BRAZILIAN_CANASTA", "CLASSES", "FINNISH_CANASTA", "FINNISH_CANASTA_2P", "FINNISH_CANASTA_3P", "PRESETS",
    "RANKS", "RUSSIAN_CANASTA", "SAMBA", "SITOUMUSSAMBA", "TILE_CANASTA", "WAYS", "Contract", "MeldKind", "RuleSet", "RuleSetError", "preset",
]

CLASSES = ("JK", "2", "3r", "3b", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
WAYS = ("pair", "triple", "natural+wild", "fit_set", "fit_full", "fit_run")


# ---------------------------------------------------------------- checks: each takes (value, where) and returns the value in its one stored form


def _wrong(where: str, value: Any, right: str) -> RuleSetError:
    return RuleSetError(f"{where} is {value!r}: {right}")


def _one_of(where: str, name: Any, known: Iterable[str], what: str) -> RuleSetError:
    """An unknown word, with the nearest known one."""
    known = list(known)
    near = difflib.get_close_matches(str(name), known, 1)
    return RuleSetError(f"{where}: unknown {what} {name!r}" + (f", did you mean {near[0]!r}?" if near else "") + f" Known: {', '.join(known)}.")


def _int(low: int, high: int, step: int = 1):
    def check(value, where):
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high or value % step:
            kind = "whole number" if step == 1 else f"multiple of {step}"
            raise _wrong(where, value, f"must be {low}" if low == high else f"must be a {kind} from {low} to {high}")
        return value
    return check


def _points(high: int = 100_000):
    return _int(0, high, 5)


def _bool(value, where):
    if not isinstance(value, bool):
        raise _wrong(where, value, "must be true or false")
    return value


def _choice(*values: str):
    def check(value, where):
        if value not in values:
            raise _wrong(where, value, "must be " + (" or ".join(map(repr, values)) if len(values) < 3 else "one of " + ", ".join(map(repr, values))))
        return value
    return check


def _optional(check):
    def optional(value, where):
        return None if value is None or value == "none" else check(value, where)
    return optional


def _words(value, where, known, what) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise _wrong(where, value, f"must be a list, such as [{known[0]!r}, {known[1]!r}]")
    value = tuple(value)
    for word in value:
        if word not in known:
            raise _one_of(where, word, known, what)
    return value


def _subset(known: tuple[str, ...], what: str):
    def check(value, where):
        return frozenset(_words(value, where, known, what))
    return check


_classes = _subset(CLASSES, "card class")


def _pair(first, second, form: str):
    def check(value, where):
        if isinstance(value, str) or not isinstance(value, Iterable) or len(value := tuple(value)) != 2:
            raise _wrong(where, value, f"must be a pair {form}")
        return first(value[0], where), second(value[1], where)
    return check


def _group(cls):
    def check(value, where):
        return value if isinstance(value, cls) else _build(cls, value, where)
    return check


def _build(cls, value, where: str):
    if not isinstance(value, Mapping):
        raise _wrong(where, value, f"must be a table of {', '.join(f.name for f in fields(cls))}")
    known = [f.name for f in fields(cls)]
    for name in value:
        if name not in known:
            raise _one_of(where, name, known, "field")
    for f in fields(cls):
        if f.name not in value and f.default is MISSING and f.default_factory is MISSING:
            raise RuleSetError(f"{where}.{f.name} is missing")
    return cls(**value)


class Points(Mapping):
    """Points by card class, in the order of `CLASSES`; a mapping that cannot be changed."""

    def __init__(self, values: Mapping[str, int]):
        self._values = {name: values[name] for name in CLASSES if name in values}

    def __getitem__(self, name: str) -> int:
        return self._values[name]

    def __iter__(self):
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(tuple(self._values.items()))

    def __repr__(self) -> str:
        return f"Points({self._values})"


def _class_points(complete: bool):
    value_check = _points(1000)

    def check(value, where):
        if not isinstance(value, Mapping):
            raise _wrong(where, value, "must be a table of card classes and points")
        for name in value:
            if name not in CLASSES:
                raise _one_of(where, name, CLASSES, "card class")
        if complete and len(value) < len(CLASSES):
            raise RuleSetError(f"{where} has no points for {', '.join(c for c in CLASSES if c not in value)}: every card class needs a value")
        return Points({name: value_check(points, f"{where}.{name}") for name, points in value.items()})
    return check


def _spec(check, default=MISSING):
    return field(metadata={"check": check}) if default is MISSING else field(default=default, metadata={"check": check})


class _Group:
    """A branch of the tree: runs the check of every field, in order, and stores what it returns."""

    @property
    def _where(self) -> str:
        return self._path

    def __post_init__(self):
        for f in fields(self):
            where = f"{self._where}.{f.name}".lstrip(".")
            object.__setattr__(self, f.name, f.metadata["check"](getattr(self, f.name), where))


# ---------------------------------------------------------------- the tree


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

    def count(self, name: str) -> int:
        """Cards of one class."""
        return self.jokers if name == "JK" else self.copies * (self.suits // 2 if name in ("3r", "3b") else self.suits)


def _sides(value, where):
    form = "must be a list of sides, each a list of seat numbers, such as [[0, 2], [1, 3]]"
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise _wrong(where, value, form)
    value = tuple(value)
    if any(isinstance(side, str) or not isinstance(side, Iterable) for side in value):
        raise _wrong(where, value, form)
    sides = tuple(tuple(side) for side in value)
    if any(isinstance(seat, bool) or not isinstance(seat, int) for side in sides for seat in side):
        raise _wrong(where, value, form)
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


def _bonus_table(value, where):
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise _wrong(where, value, "must be a list of points for 0, 1, 2 ... bonus cards")
    check = _points()
    return tuple(check(points, f"{where}[{i}]") for i, points in enumerate(value))


@dataclass(frozen=True)
class BonusRules(_Group):
    _path = "bonus"
    cards: frozenset[str] = _spec(_classes)
    table: tuple[int, ...] = _spec(_bonus_table)
    needs: tuple[str, int] = _spec(_pair(_choice("melds", "canastas"), _int(0, 20), "[melds or canastas, number]"))


@dataclass(frozen=True)
class TakeRules(_Group):
    _path = "pile.take"
    open: frozenset[str] = _spec(_subset(WAYS, "way to take"))
    frozen: frozenset[str] = _spec(_subset(WAYS, "way to take"))
    unopened: frozenset[str] = _spec(_subset(WAYS, "way to take"))


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


_BAND_NEEDS = ("none", "canasta", "natural_canasta")


def _bands(value, where):
    form = "must be rows [score below, minimum] or [score below, minimum, needs], the last score below being null or inf"
    if isinstance(value, str) or not isinstance(value, Iterable) or not (value := tuple(value)):
        raise _wrong(where, value, form)
    rows, last = [], None
    for i, row in enumerate(value):
        at = f"{where}[{i}]"
        if isinstance(row, str) or not isinstance(row, Iterable) or len(row := tuple(row)) not in (2, 3):
            raise _wrong(at, row, form)
        below, minimum, needs = (*row, "none")[:3]
        if below in (None, "none", "inf", float("inf")):
            below = None
        elif isinstance(below, bool) or not isinstance(below, int) or below % 5:
            raise _wrong(at, row, "its score below must be a multiple of 5, or null or inf in the last row")
        if (below is None) != (i == len(value) - 1):
            raise _wrong(at, row, "the last row, and no other, has no upper bound (null or inf)")
        if below is not None and last is not None and below <= last:
            raise _wrong(at, row, f"its score below must exceed {last}, that of the row before")
        last = below
        rows.append((below, _points(5000)(minimum, f"{at}, minimum"), _choice(*_BAND_NEEDS)(needs, f"{at}, needs")))
    return tuple(rows)


@dataclass(frozen=True)
class OpeningRules(_Group):
    """`bands` holds rows (score below, minimum, needs): the first row whose bound exceeds the side's total at the start of the deal counts. The last
    bound is None (null in JSON, inf in TOML); `needs` is ``none``, ``canasta`` or ``natural_canasta`` and may be left out when given.
    """

    _path = "opening"
    bands: tuple[tuple[int | None, int, str], ...] = _spec(_bands)
    top_counts: bool = _spec(_bool)
    pair_counts: bool = _spec(_bool)
    bonus_counts: bool = _spec(_bool)
    waive: str = _spec(_choice("never", "concealed_from_stock"))


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


def _kind_id(value, where):
    if not isinstance(value, str) or not value.isidentifier() or value != value.lower():
        raise _wrong("melds", value, "a meld kind's id must be a lower-case word")
    return value


def _ranks(value, where):
    return _words(value, where, (*CLASSES, "3"), "card class")


@dataclass(frozen=True)
class MeldKind(_Group):
    """One kind of meld. A card is natural in it if its class is in `ranks`; so deuces are natural in a set of deuces and wild in others.

    `ranks` of a set or a wild meld are classes in the order of `CLASSES`; those of a run are ranks (A 2 3 ... K, 3 meaning both colours) in the order
    of the run, and a line may name a rank again (2 3 ... K A 2 3).
    """

    id: str = _spec(_kind_id)
    shape: str = _spec(_choice("set", "run", "wild"))
    ranks: tuple[str, ...] = _spec(_ranks)
    cyclic: bool = _spec(_bool, False)
    size: tuple[int, int | None] = _spec(_pair(_int(3, 13), _optional(_int(3, 30)), "[least, most or none]"), (3, None))
    min_natural: int = _spec(_int(0, 7), 0)
    max_wild: int = _spec(_int(0, 7), 0)
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
    short: tuple[int, int] | None = _spec(_optional(_pair(_int(1, 7), _points(), "[below so many cards, points lost]")), None)

    @property
    def _where(self) -> str:
        return f"melds.{self.id}"

    def __post_init__(self):
        super().__post_init__()
        if self.shape != "run":
            object.__setattr__(self, "ranks", tuple(sorted(self.ranks, key=(*CLASSES, "3").index)))


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
    ask_fail: int = _spec(_points())


@dataclass(frozen=True)
class StockRules(_Group):
    _path = "stock"
    last_bonus: str = _spec(_choice("end_now"))
    empty: str = _spec(_choice("end_after_turn", "forced_fit", "forced_fit_may_take", "may_fit", "may_take"))


@dataclass(frozen=True)
class MatchRules(_Group):
    _path = "match"
    end: tuple[str, int] = _spec(_pair(_choice("target", "deals"), _int(1, 1_000_000), "[target, points] or [deals, number]"))
    tie: str = _spec(_choice("draw", "extra_deal"))
    settle: str = _spec(_choice("totals", "difference", "rounded_100"))


@dataclass(frozen=True)
class Buy(_Group):
    _path = "buy"
    card: str = _spec(_choice(*CLASSES))
    price: int = _spec(_points())


@dataclass(frozen=True)
class Contract(_Group):
    """Auction, double and contract score: what only a bidding game has. The fields but `open_min` (R14.3) are the options of the same name."""

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
    no_commitment_goout: str = _spec(_choice("defenders", "none"), "defenders")


def _melds(value, where):
    if isinstance(value, Mapping):
        value = [kind if isinstance(kind, MeldKind) else _build(MeldKind, {**kind, "id": name}, f"{where}.{name}") for name, kind in value.items()]
    if isinstance(value, str) or not isinstance(value, Iterable) or not (value := tuple(value)) or not all(isinstance(k, MeldKind) for k in value):
        raise _wrong(where, value, "must be at least one MeldKind, or a table of them by id")
    ids = [kind.id for kind in value]
    for name in ids:
        if ids.count(name) > 1:
            raise RuleSetError(f"{where}: two kinds have the id {name!r}")
    # one order, so that equal content is equal: sets, runs, wild melds; what is laid at the end last; the widest first
    return tuple(sorted(value, key=lambda k: (("set", "run", "wild").index(k.shape), k.when != "any", -len(k.ranks), k.id)))


def _preset_name(value, where):
    if value not in _PRESET_NAMES:
        raise _one_of("preset", value, _PRESET_NAMES, "preset")
    return value


@dataclass(frozen=True, repr=False)
class RuleSet(_Group):
    """A game of the family: the preset it derives from, and every rule as data (fields: see the module).

    Made by `replace` from a preset rather than by hand. Equality and hashing go by content, the name apart.

    Raises
    ------
    RuleSetError
        If a value is impossible or two values cannot be combined.

    Examples
    --------
    >>> house = SITOUMUSSAMBA.replace(target=10000, **{"draw.stock": 3})
    >>> house.options
    {'target': 10000, 'draw.stock': 3}
    >>> house.match.end, house.draw.stock, house.kind("set").max_wild
    (('target', 10000), 3, 2)
    """

    _path = ""
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
    name: str = field(default="sitoumussamba", compare=False, metadata={"check": _preset_name})

    def __repr__(self) -> str:
        return f"RuleSet({', '.join([repr(self.name), *(f'{k}={v!r}' for k, v in self.options.items())])})"

    def kind(self, name: str) -> MeldKind:
        """The meld kind of this id."""
        for kind in self.melds:
            if kind.id == name:
                return kind
        raise _one_of("melds", name, [kind.id for kind in self.melds], "meld kind")

    def replace(self, **changes: Any) -> RuleSet:
        """A rule set that differs from this one in some options.

        Parameters
        ----------
        **changes
            Options by their public names (``target=10000``) or fields by dotted names (``**{"pile.take.open": ["pair"]}``); a table changes only the
            fields it names. A meld kind set to None goes away, a table under a new id is a new kind.
        """
        tree = _plain(self)
        public = {name: value for name, value in changes.items() if name in _OPTIONS}
        for name, value in public.items():
            _OPTIONS[name].put(tree, value)
        for name, value in changes.items():
            if name not in public:
                _put(tree, name.split("."), value, name)
        return RuleSet(**tree, name=self.name)

    @property
    def options(self) -> dict[str, Any]:
        """What differs from the preset of this name, as plain values: ``preset(rules.name).replace(**rules.options) == rules``."""
        mine, base = _plain(self), _plain(PRESETS[self.name])
        found = {}
        for name, option in _OPTIONS.items():
            value = option.get(mine)
            if value is not None and value != option.get(base):
                found[name] = value
                option.put(base, value)
        return found | _changes(base, mine)

    @cached_property
    def hash(self) -> str:
        """Twelve hexadecimal digits of the content, the same in every process."""
        return hashlib.sha256(json.dumps(_plain(self), sort_keys=True).encode()).hexdigest()[:12]

    def diff(self, other: RuleSet) -> list[tuple[str, Any, Any]]:
        """Fields in which two rule sets differ, as (dotted name, value here, value there); a value that one does not have is None."""
        a, b = _flat(_plain(self)), _flat(_plain(other))
        return [(name, a.get(name), b.get(name)) for name in dict.fromkeys((*a, *b)) if a.get(name) != b.get(name)]

    def to_dict(self, full: bool = False) -> dict[str, Any]:
        """The preset and the options that differ; with ``full``, every field."""
        if not full:
            return {"preset": self.name, "options": self.options}
        tree = _plain(self)
        missing = _plain(PRESETS[self.name])["melds"].keys() - tree["melds"].keys()
        tree["melds"] |= dict.fromkeys(sorted(missing))
        return {"preset": self.name, **tree}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RuleSet:
        """A rule set from ``{"preset": ..., "options": {...}}``; options and fields may stand beside ``preset`` as well."""
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
        """A rule set from TOML text; see `from_dict`."""
        import tomllib

        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise RuleSetError(f"not TOML: {error}") from None
        return cls.from_dict(data)


# ---------------------------------------------------------------- the tree as plain values


def _plain(value: Any) -> Any:
    """Dataclasses and mappings as dicts, melds by id, sets and tuples as lists in one order: what JSON and the hash see."""
    if isinstance(value, RuleSet):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value) if f.name != "name"}
    if isinstance(value, _Group):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value) if f.name != "id"}
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, (frozenset, set)):
        return sorted(value, key=(*CLASSES, *WAYS).index)
    if isinstance(value, tuple) and value and isinstance(value[0], MeldKind):
        return {kind.id: _plain(kind) for kind in value}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value


def _flat(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Leaves by dotted name."""
    leaves = {}
    for name, value in tree.items():
        leaves |= _flat(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {prefix + name: value}
    return leaves


def _changes(old: Mapping[str, Any], new: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """What `replace` must be told to make `new` of `old`; whole tables where one has none."""
    found = {}
    for name in dict.fromkeys((*old, *new)):
        a, b = old.get(name), new.get(name)
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            found |= _changes(a, b, f"{prefix}{name}.")
        elif a != b:
            found[prefix + name] = b
    return found


def _toml(value: Any, bands: bool = False) -> Any:
    if isinstance(value, Mapping):
        return {name: _toml(item, name in ("bands", "opening_bands", "opening.bands")) for name, item in value.items()}
    if bands and isinstance(value, list):
        return [[float("inf") if item is None else item for item in row] for row in value]
    if isinstance(value, list):
        return [_toml(item) for item in value]
    return "none" if value is None else value


_OPEN_TABLES = ("melds", "hand_points")  # tables whose entries come and go


def _put(tree: dict[str, Any], path: list[str], value: Any, full: str) -> None:
    """Set one dotted name in a plain tree; a table given for a table changes only what it names."""
    *parents, last = path
    node, where = tree, ""
    for name in parents:
        if name not in node:
            raise _unknown(tree, full, where, node)
        where, node = f"{where}.{name}".lstrip("."), node[name]
        if not isinstance(node, Mapping):
            raise RuleSetError(f"{full}: {where} is {node!r} here and has no field of its own" + (", give it whole" if node is None else ""))
    if last not in node and where not in _OPEN_TABLES:
        raise _unknown(tree, full, where, node)
    if where in _OPEN_TABLES and (value is None or value == "none"):
        node.pop(last, None)
    elif isinstance(value, Mapping) and isinstance(node.get(last), Mapping):
        for name, item in value.items():
            _put(tree, [*path, *str(name).split(".")], item, f"{full}.{name}")
    else:
        node[last] = _plain(value)


def _unknown(tree, full: str, where: str, node: Mapping[str, Any]) -> RuleSetError:
    if where:
        return _one_of(full, full.rsplit(".", 1)[-1], node, f"field of {where}")
    near = difflib.get_close_matches(full, [*_OPTIONS, *tree, *_flat(tree)], 3)
    return RuleSetError(f"unknown option {full!r}" + (f", did you mean {' or '.join(map(repr, near))}?" if near else "")
                        + f" Options: {', '.join(_OPTIONS)}; other fields by dotted names, such as 'draw.stock'.")


# ---------------------------------------------------------------- public options: each has one home in the tree


class _Option:
    """A public name for one dotted field, its values perhaps under other words. `get` gives None where the tree has no such choice."""

    def __init__(self, path: str, words: Mapping[Any, Any] | None = None):
        self.path, self.words = path, words

    def homes(self, tree):
        """(holder, key) of every place that the option writes, all at once."""
        *parents, last = self.path.split(".")
        for name in parents:
            tree = tree.get(name)
            if tree is None:
                return []
        return [(tree, last)]

    def read(self, holder, key):
        return holder[key]

    def write(self, holder, key, value):
        holder[key] = value

    def get(self, tree):
        values = [self.read(*home) for home in self.homes(tree)]
        if not values or any(value != values[0] for value in values):
            return None
        if self.words is None:
            return values[0]
        return next((word for word, value in self.words.items() if value == values[0]), None)

    def put(self, tree, value):
        name = next(name for name, option in _OPTIONS.items() if option is self)
        homes = self.homes(tree)
        if not homes:
            raise RuleSetError(f"option {name}: these rules have no {self.path}")
        if self.words is not None:
            if not any(value == word and type(value) is type(word) for word in self.words):
                raise _wrong(f"option {name}", value, f"must be {' or '.join(map(repr, self.words))}")
            value = self.words[value]
        for home in homes:
            self.write(*home, _plain(value))


class _KindsOption(_Option):
    """An option that several kinds of meld share: those for which `where` holds."""

    def __init__(self, path, where, words):
        super().__init__(path, words)
        self.where = where

    def homes(self, tree):
        return [(kind, self.path.rsplit(".", 1)[-1]) for kind in tree["melds"].values() if self.where(kind)]


class _Target(_Option):
    def read(self, holder, key):
        return holder[key][1] if holder[key][0] == "target" else None

    def write(self, holder, key, value):
        holder[key] = ["target", value]


class _TakeCards(_Option):
    """pair or triple among the ways to take an unfrozen pile."""

    def read(self, holder, key):
        found = [way for way in ("pair", "triple") if way in holder[key]]
        return found[0] if len(found) == 1 else None

    def write(self, holder, key, value):
        holder[key] = _plain(frozenset(holder[key]) - {"pair", "triple"} | {value})


class _Cyclic(_KindsOption):
    """B20: a circle, or the line 2 ... A with 2 and 3 once more above the ace."""

    _FORMS = {True: list(RANKS), False: [*RANKS[1:], "A", "2", "3"]}

    def read(self, holder, key):
        return holder["cyclic"] if holder["ranks"] == self._FORMS[holder["cyclic"]] else None

    def write(self, holder, key, value):
        holder["cyclic"], holder["ranks"] = value, list(self._FORMS[value])


_OPTIONS: dict[str, _Option] = {
    "opening_bands": _Option("opening.bands"),
    "target": _Target("match.end"),
    "max_level": _Option("contract.max_level"),
    "cyclic_sequences": _Cyclic("melds.run.cyclic", lambda kind: kind["shape"] == "run" and "3" in kind["ranks"], {True: True, False: False}),
    "mixed_growth": _KindsOption("melds.set.add_full", lambda kind: kind["natural_closed"], {
        "natural": {"natural": "always", "wild": "never"}, "natural_and_wild": {"natural": "always", "wild": "always"},
        "none": {"natural": "never", "wild": "never"}}),
    "second_set": _KindsOption("melds.set.per_rank", lambda kind: kind["shape"] == "set" and kind["when"] == "any" and kind["per_rank"] != "one",
                               {"always": "many", "after_complete": "after_complete"}),
    "deuce_set_min_after_open": _Option("melds.deuce.min_natural"),
    "pair_counts_for_opening": _Option("opening.pair_counts"),
    "unlocked_take_cards": _TakeCards("pile.take.open", {2: "pair", 3: "triple"}),
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
    "no_commitment_goout": _Option("contract.no_commitment_goout"),
    "stock_end": _Option("stock.empty", {"play_on": "forced_fit_may_take", "immediate": "end_after_turn"}),
    "permission": _Option("out.ask", {True: "optional", False: "none"}),
}


# ---------------------------------------------------------------- presets: two games in full, the others as differences

_PRESET_NAMES = ("sitoumussamba", "finnish_canasta", "finnish_canasta_2p", "finnish_canasta_3p", "american_canasta", "russian_canasta", "tile_canasta",
                 "samba", "bolivia", "brazilian_canasta")

PRESETS: dict[str, RuleSet] = {}


def _preset(name: str, rules: RuleSet, changes: Mapping[str, Any] | None = None) -> RuleSet:
    tree = _plain(rules)
    for path, value in (changes or {}).items():
        _put(tree, path.split("."), value, path)
    PRESETS[name] = RuleSet(**tree, name=name)
    return PRESETS[name]


def preset(name: str) -> RuleSet:
    """The preset of this name (``sitoumussamba``, ``samba``, ...; capitals and hyphens do not matter).

    Examples
    --------
    >>> preset("samba").pack.jokers
    6
    """
    if not isinstance(name, str):
        raise _wrong("preset", name, "must be the name of a preset")
    found = PRESETS.get(name.strip().lower().replace("-", "_"))
    if found is None:
        raise _one_of("preset", name, PRESETS, "preset")
    return found


_CARD_POINTS = {"JK": 50, "2": 20, "3r": 0, "3b": 5, "4": 5, "5": 5, "6": 5, "7": 5, "8": 10, "9": 10, "T": 10, "J": 10, "Q": 10, "K": 10, "A": 20}
_ORDINARY = ("4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
_WILD = frozenset({"JK", "2"})
_BLACK = MeldKind("black", "set", ("3b",), size=(3, 6), full=None, when="going_out")
_RUN_BONUS = KindBonus(natural=1500)


def _committed_set(name, ranks, natural, mixed, wild=_WILD, open_min=0):
    return MeldKind(name, "set", ranks, min_natural=2, max_wild=2, wild_with=wild, natural_closed=True, add_full=AddFull(natural="always"),
                    per_rank="many", open_min=open_min, bonus=KindBonus(natural, mixed))


SITOUMUSSAMBA = _preset("sitoumussamba", RuleSet(
    pack=Pack(suits=4, copies=3, jokers=6),
    table=TableRules(seats=4, sides=((0, 2), (1, 3))),
    deal=DealRules(hand=15, first_extra=0, turn_up="after_auction", cover=(), first_turn="full"),
    draw=DrawRules(stock=2, after_pile=1),
    points=_CARD_POINTS | {"3r": 5},
    hand_points={"3b": 100, "3r": 500},
    bonus=BonusRules(cards=(), table=(), needs=("melds", 0)),
    pile=PileRules(
        freeze=("JK", "2", "3r"), dead_top=("JK",), run_only_top=("2", "3r", "3b"),
        # a side that is not open has no run of an earlier turn, so fit_run lets it transfer only where fit_new_run does
        take=TakeRules(open=("pair", "fit_run"), frozen=("triple", "fit_run"), unopened=("pair", "triple", "fit_run")),
        extent="to_freezer", new_set_from=4, single_bar=True, fit_new_run=False),
    opening=OpeningRules(bands=((0, 15), (1500, 50), (3000, 90), (7000, 120), (10000, 150), (None, 200)), top_counts=False, pair_counts=False,
                         bonus_counts=True, waive="never"),
    melds=(
        _committed_set("set", _ORDINARY, 500, 300),
        _committed_set("ace", ("A",), 1000, 500),
        _committed_set("deuce", ("2",), 3000, 2000, wild=frozenset({"JK"}), open_min=5),
        MeldKind("run", "run", RANKS, cyclic=True, size=(3, 7), per_rank="many", bonus=_RUN_BONUS),
        _BLACK,
    ),
    out=OutRules(needs=OutNeeds(run=1, set=2, natural_set=1), discard="required", bonus=300, concealed="none", concealed_total=300, ask="optional",
                 ask_when="after_stock", ask_fail=100),
    stock=StockRules(last_bonus="end_now", empty="forced_fit_may_take"),
    match=MatchRules(end=("target", 20000), tie="draw", settle="totals"),
    buy=Buy(card="3r", price=300),
    contract=Contract(),
))

FINNISH_CANASTA = _preset("finnish_canasta", RuleSet(
    pack=Pack(suits=4, copies=2, jokers=4),
    table=TableRules(seats=4, sides=((0, 2), (1, 3))),
    deal=DealRules(hand=11, first_extra=0, turn_up="after_deal", cover=("JK", "2", "3r", "3b"), first_turn="full"),
    draw=DrawRules(stock=1, after_pile=0),
    points=_CARD_POINTS,
    hand_points={},
    bonus=BonusRules(cards=("3r",), table=(0, 100, 200, 300, 400), needs=("melds", 1)),
    pile=PileRules(
        freeze=("JK", "2", "3r"), dead_top=("JK", "2", "3r", "3b"), run_only_top=(),
        take=TakeRules(open=("pair", "natural+wild", "fit_set", "fit_full"), frozen=("pair",), unopened=("pair",)),
        extent="whole", new_set_from=None, single_bar=True, fit_new_run=False),
    opening=OpeningRules(bands=((0, 15), (1500, 50), (3000, 90), (None, 120)), top_counts=True, pair_counts=True, bonus_counts=False,
                         waive="concealed_from_stock"),
    melds=(
        MeldKind("set", "set", (*_ORDINARY, "A"), min_natural=2, max_wild=3, wild_with=_WILD, add_full=AddFull(natural="always"),
                 bonus=KindBonus(natural=500, mixed=300)),
        MeldKind("black", "set", ("3b",), size=(3, 4), full=None, when="going_out"),
    ),
    out=OutRules(needs=OutNeeds(canasta=1), discard="optional", bonus=100, concealed="side", concealed_total=200, ask="optional",
                 ask_when="after_stock", ask_fail=100),
    stock=StockRules(last_bonus="end_now", empty="forced_fit"),
    match=MatchRules(end=("target", 5000), tie="draw", settle="totals"),
    buy=None,
    contract=None,
))

FINNISH_CANASTA_2P = _preset("finnish_canasta_2p", FINNISH_CANASTA, {
    "table.seats": 2, "table.sides": [[0], [1]], "deal.hand": 15, "draw.stock": 2, "out.needs.canasta": 2, "out.ask": "none"})

FINNISH_CANASTA_3P = _preset("finnish_canasta_3p", FINNISH_CANASTA, {
    "table.seats": 3, "table.sides": [[0], [1], [2]], "deal.hand": 13, "out.ask": "none"})

AMERICAN_CANASTA = _preset("american_canasta", FINNISH_CANASTA, {"melds.set.add_full.wild": "always", "bonus.table": [0, 100, 200, 300, 800]})

RUSSIAN_CANASTA = _preset("russian_canasta", FINNISH_CANASTA, {
    "melds.set.add_full.wild": "always", "out.concealed": "player", "out.ask": "required", "out.ask_when": "any", "stock.empty": "may_fit",
    "match.settle": "rounded_100"})

TILE_CANASTA = _preset("tile_canasta", FINNISH_CANASTA, {
    "pack.jokers": 2,
    "deal": {"hand": 14, "first_extra": 1, "turn_up": "none", "cover": [], "first_turn": "discard_only"},
    "points": {"A": 25, "8": 5, "9": 5, "3b": 0}, "hand_points.3b": 100,
    "pile": {"freeze": [], "dead_top": ["JK", "2", "3b"], "take": {"open": ["pair"], "frozen": ["pair"], "unopened": ["pair"]}, "single_bar": False},
    "opening.bands": [[0, 15], [1500, 50], [3000, 90], [7000, 120], [None, 150]], "opening.waive": "never",
    "melds.set.majority": True, "melds.set.add_full.wild": "always",
    "melds.deuce": MeldKind("deuce", "set", ("2",), min_natural=2, max_wild=2, wild_with=frozenset({"JK"}), majority=True,
                            add_full=AddFull("always", "always"), bonus=KindBonus(natural=1000, mixed=700)),
    "melds.black": None,
    "out": {"discard": "required", "concealed": "none", "concealed_total": 100, "ask": "none"},
    "stock.empty": "end_after_turn", "match": {"end": ["target", 10000], "tie": "extra_deal"}})

SAMBA = _preset("samba", FINNISH_CANASTA, {
    "pack": {"copies": 3, "jokers": 6}, "deal.hand": 15, "draw.stock": 2,
    "bonus": {"table": [0, 100, 200, 300, 400, 500, 1000], "needs": ["canastas", 2]},
    "pile.take.open": ["pair", "fit_set", "fit_run"],
    "opening.bands": [[0, 15], [1500, 50], [3000, 90], [7000, 120], [None, 150]],
    "melds.set": {"max_wild": 2, "per_rank": "many", "merge": True},
    "melds.run": MeldKind("run", "run", (*RANKS[3:], "A"), size=(3, 7), per_rank="many", bonus=_RUN_BONUS),
    "melds.black": _BLACK,
    "out": {"needs": {"canasta": 2}, "bonus": 200, "concealed": "none", "concealed_total": 200},
    "match.end": ["target", 10000]})

BOLIVIA = _preset("bolivia", SAMBA, {
    "melds.wild": MeldKind("wild", "wild", ("JK", "2"), size=(3, 7), per_rank="many", bonus=KindBonus(natural=2500)),
    "out.needs.run": 1, "hand_points.3b": 100, "match.end": ["target", 15000]})

BRAZILIAN_CANASTA = _preset("brazilian_canasta", BOLIVIA, {
    "out.needs.run": 0, "pile.take.unopened": [],
    "opening.bands": [[0, 15], [1500, 50], [3000, 90], [7000, 120], [8000, 0, "canasta"], [9000, 200, "canasta"], [None, 0, "natural_canasta"]],
    "melds.run": {"size": [3, None], "add_full": {"natural": "going_out"}, "short": [5, 1000]}, "melds.wild.bonus.natural": 2000,
    "bonus": {"table": [0, 100, 200, 300, 400, 1000, 1200], "needs": ["canastas", 1]},
    "out.ask": "required", "match.end": ["target", 10000]})
