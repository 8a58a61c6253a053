"""Tables by which one hand under a condition is dealt exactly, with nothing rejected.

A condition decomposes when it speaks of numbers that come about card by card (jokers, deuces, card points, how many
nines), suit by suit (the longest sequence in hearts) or rank by rank (pairs). The cards still to be dealt then fall
into *blocks*: a suit whose sequences matter, a rank, a bag of cards that count alike, and the rest. What a block adds
to each number, and in how many ways, follows from closed forms:

- In a suit only the set of ranks held matters for sequences: 8,192 masks. How many copies of each rank are held gives
  the number of ways only: with three copies of a card left, one of them can be taken in 3 ways, two in 3, three in 1,
  so n cards of k ranks can be taken in [x^n] ((1 + x)^3 - 1)^k ways. Ranks of which fewer copies are left (a card is
  known to lie elsewhere) have a factor of their own.
- n cards out of a bag of size b can be taken in C(b, n) ways.

A *node* is what has been added up after some blocks, with the number of hands that lead on from there to a hand that
fulfils the condition: whole numbers, found backwards from the last block. Drawing, block by block, a class of the block
in proportion to its number of hands, and inside it a member uniformly, makes all hands equally likely. Nodes, and
classes of a block, that cannot be told apart by what follows are one.

`engine/exact.pxd` draws from the tables; the layout of the arrays is that of its structs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from math import comb, prod
from typing import Any, TypeAlias

import numpy as np

from ._names import layouts
from .notation import CARD_CODES

__all__ = ["CardSum", "ExactTables", "HandNumber", "RankCount", "SuitNumber", "exact_tables"]

#: Tables with more steps than this between nodes are not built.
LIMIT = 1_000_000

def _dtype(struct: str) -> np.dtype[Any]:
    """The dtype of a struct of the core, by the core's own offsets and sizes; all its numbers are unsigned."""
    *fields, (_, _, size) = layouts()[struct]
    layout: Any = {
        "names": [name for name, _, _ in fields],
        "formats": [f"u{each}" for _, _, each in fields],
        "offsets": [offset for _, offset, _ in fields],
        "itemsize": size,
    }
    return np.dtype(layout)


NODE, OPTION, CLASS, CELL, PART = map(_dtype, ("CNode", "COption", "CClass", "CCell", "CTake"))


@dataclass(frozen=True)
class CardSum:
    """A number of a hand to which each card adds its worth.

    Attributes
    ----------
    worth : sequence of 65 int
        By card code.
    limit : int
        All values from here on mean the same to the condition.
    """

    worth: Sequence[int]
    limit: int


@dataclass(frozen=True)
class SuitNumber:
    """A number that follows from the set of ranks held in each of some suits.

    Attributes
    ----------
    suits : tuple of int
    worth : ndarray of int, shape (8192,)
        By set of ranks.
    highest : bool
        The number of the hand is the highest of the suits, not their sum.
    limit : int
    """

    suits: tuple[int, ...]
    worth: np.ndarray
    highest: bool
    limit: int


@dataclass(frozen=True)
class RankCount:
    """In how many ranks, deuces and threes apart, a hand has `least` to `most` cards."""

    least: int
    most: int
    limit: int


HandNumber: TypeAlias = CardSum | SuitNumber | RankCount
Key: TypeAlias = tuple[int, ...]


@cache
def copy_ways() -> np.ndarray:
    """[k2, k3, e]: ways to hold e copies beyond the first of each of k2 cards of which two are left and k3 of which
    three are: the coefficient of x^e in (2 + x)^k2 (3 + 3x + x^2)^k3.
    """
    ways = np.zeros((14, 14, 32), np.uint64)
    for k2, k3 in product(range(14), repeat=2):
        if k2 + k3 <= 13:
            coefficients = [1]
            for factor in [[2, 1]] * k2 + [[3, 3, 1]] * k3:
                coefficients = [
                    sum(coefficients[i - j] * w for j, w in enumerate(factor) if 0 <= i - j < len(coefficients))
                    for i in range(len(coefficients) + len(factor) - 1)
                ]
            ways[k2, k3, : len(coefficients)] = coefficients
    return ways


@dataclass(frozen=True)
class _Part:
    """Copies beyond the first of some cards of a suit (`cards`, a plane mask), or cards out of a bag."""

    take: int
    ways: int
    cards: int = 0
    bag: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Cell:
    """Ways to take cards of a block that differ in nothing but the mask and the choice of copies."""

    each: int
    parts: tuple[_Part, ...]
    masks: np.ndarray | None = None

    @property
    def ways(self) -> int:
        return self.each * (1 if self.masks is None else len(self.masks))


@dataclass
class _Block:
    """Classes of cells by what they add to the numbers and how many cards they take."""

    shift: int = 0
    classes: dict[tuple[Key, int], list[_Cell]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True)
class ExactTables:
    """The tables as arrays, and what they count.

    Attributes
    ----------
    count : int
        Hands that fulfil the condition, the copies of a card told apart.
    total : int
        All hands.
    nodes, options, classes, cells, parts, masks, bags, copies : ndarray
    shifts : list of int
        By block: first bit of the lane of a suit.
    left2, left3 : int
        Plane masks of the cards of which at least two, three are left.
    """

    count: int
    total: int
    nodes: np.ndarray
    options: np.ndarray
    classes: np.ndarray
    cells: np.ndarray
    parts: np.ndarray
    masks: np.ndarray
    bags: np.ndarray
    shifts: list[int]
    left2: int
    left3: int
    copies: np.ndarray = field(default_factory=copy_ways, repr=False)


def exact_tables(
    left: Sequence[int],
    own: Sequence[int],
    draw: int,
    numbers: Sequence[HandNumber],
    accept: Callable[[Key], bool],
) -> ExactTables | None:
    """Tables for drawing `draw` cards to a hand so that the condition holds.

    Parameters
    ----------
    left : sequence of 65 int
        By card code, how many copies can be drawn, at most three of a natural card.
    own : sequence of 65 int
        By card code, how many copies the hand holds already.
    draw : int
    numbers : sequence of CardSum, SuitNumber or RankCount
        What the condition speaks of.
    accept : callable
        Whether the condition holds, from the values of `numbers`, each cut off at its limit.

    Returns
    -------
    ExactTables or None
        None if the numbers do not decompose together, or only into very large tables.
    """
    blocks = _blocks(left, own, draw, numbers)
    if blocks is None:
        return None
    first = tuple(
        min(n.limit, sum(c * w for c, w in zip(own, n.worth, strict=True))) if isinstance(n, CardSum) else 0
        for n in numbers
    )
    levels = _levels(blocks, first, draw, numbers)
    return None if levels is None else _Writer(left).write(blocks, levels, accept, draw)


# ---- blocks ----------------------------------------------------------------------------------------------------------


def _blocks(
    left: Sequence[int], own: Sequence[int], draw: int, numbers: Sequence[HandNumber]
) -> list[_Block] | None:
    """The blocks of all cards that are left, those that add nothing to any number last; None if too many ways."""
    suits = sorted({suit for n in numbers if isinstance(n, SuitNumber) for suit in n.suits})
    by_rank = any(isinstance(n, RankCount) for n in numbers)
    if suits and by_rank:
        return None
    blocks = []
    for suit in suits:
        block = _suit_block(suit, left, own, draw, numbers)
        if block is None:
            return None
        blocks.append(block)
    groups: dict[tuple[int | None, Key], list[int]] = defaultdict(list)
    for code in CARD_CODES:
        rank = code % 16
        if code == 64 or code // 16 not in suits:
            alone = by_rank and code != 64 and rank not in (1, 2)
            groups[(rank if alone else None, _worth(code, numbers))].append(code)
    ranks: dict[int, list[tuple[Key, list[int]]]] = defaultdict(list)
    rest: list[int] = []
    for (place, worth), codes in groups.items():
        if place is None and not any(worth):
            rest = codes
        elif place is None:
            blocks.append(_bag_block([(worth, codes)], left, own, draw, numbers, False))
        else:
            ranks[place].append((worth, codes))
    blocks += [_bag_block(bags, left, own, draw, numbers, True) for bags in ranks.values()]
    blocks.sort(key=lambda block: len(block.classes))
    return [*blocks, _bag_block([((0,) * len(numbers), rest)], left, own, draw, numbers, False)]


def _worth(code: int, numbers: Sequence[HandNumber]) -> Key:
    return tuple(n.worth[code] if isinstance(n, CardSum) else 0 for n in numbers)


def _times(worth: Key, n: int) -> Key:
    return tuple(w * n for w in worth)


def _plus(a: Iterable[int], b: Iterable[int]) -> Key:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _bag_block(
    bags: list[tuple[Key, list[int]]],
    left: Sequence[int],
    own: Sequence[int],
    draw: int,
    numbers: Sequence[HandNumber],
    is_rank: bool,
) -> _Block:
    """Cards that count alike, or one rank: bags of cards that count alike."""
    block = _Block()
    cards = [tuple(code for code in codes for _ in range(left[code])) for _, codes in bags]
    held = sum(own[code] for _, codes in bags for code in codes)
    for takes in product(*(range(min(draw, len(bag)) + 1) for bag in cards)):
        if sum(takes) > draw:
            continue
        key: Key = (0,) * len(numbers)
        for (worth, _codes), n in zip(bags, takes, strict=True):
            key = _plus(key, _times(worth, n))
        if is_rank:
            n = held + sum(takes)
            key = _plus(key, (isinstance(f, RankCount) and f.least <= n <= f.most for f in numbers))
        parts = [_Part(n, comb(len(bag), n), bag=bag) for bag, n in zip(cards, takes, strict=True)]
        block.classes[key, sum(takes)].append(_Cell(prod(p.ways for p in parts), tuple(p for p in parts if p.take)))
    return block


def _suit_block(
    suit: int, left: Sequence[int], own: Sequence[int], draw: int, numbers: Sequence[HandNumber]
) -> _Block | None:
    """A suit: its sets of ranks, told apart by what they add and by how many copies of their ranks are left."""
    base = 16 * suit
    here = [rank for rank in range(13) if left[base + rank]]
    held = sum(1 << rank for rank in range(13) if own[base + rank])
    masks = np.arange(8192, dtype=np.uint16)
    sizes = np.bitwise_count(masks)
    masks = masks[(masks & ~np.uint16(sum(1 << rank for rank in here)) == 0) & (sizes <= draw)]
    groups: dict[Key, list[int]] = defaultdict(list)
    for rank in here:
        groups[_worth(base + rank, numbers)].append(rank)

    # A row for each set of ranks: what it adds to each number, and for each group of ranks that count alike how many of
    # them it has in all, with two copies left, with three.
    rows = [
        np.minimum(n.worth[masks | held], n.limit) if isinstance(n, SuitNumber) and suit in n.suits else 0 * masks
        for n in numbers
    ]
    for ranks in groups.values():
        for least in (1, 2, 3):
            some = sum(1 << r for r in ranks if (left[base + r] == least if least > 1 else True))
            rows.append(np.bitwise_count(masks & np.uint16(some)))
    kinds, which = np.unique(np.array(rows, np.int64), axis=1, return_inverse=True)
    which = which.reshape(-1)
    order = np.argsort(which, kind="stable")
    bounds = np.searchsorted(which[order], np.arange(kinds.shape[1] + 1))

    block, ways = _Block(base), copy_ways()
    n_cells = 0
    for i, kind in enumerate(kinds.T.tolist()):
        added, counts = tuple(kind[: len(numbers)]), kind[len(numbers) :]
        members = masks[order[bounds[i] : bounds[i + 1]]]
        shapes = [(worth, *counts[3 * j : 3 * j + 3], ranks) for j, (worth, ranks) in enumerate(groups.items())]
        for extras in product(*(range(k2 + 2 * k3 + 1) for _, _, k2, k3, _ in shapes)):
            size = sum(k for _, k, _, _, _ in shapes) + sum(extras)
            if size > draw:
                continue
            key, parts = added, []
            for (worth, k, k2, k3, ranks), extra in zip(shapes, extras, strict=True):
                key = _plus(key, _times(worth, k + extra))
                lane = sum(1 << (base + rank) for rank in ranks)
                parts.append(_Part(extra, int(ways[k2, k3, extra]), cards=lane))
            cell = _Cell(prod(p.ways for p in parts), tuple(p for p in parts if p.take), members)
            block.classes[key, size].append(cell)
            n_cells += 1
            if n_cells > LIMIT // 20:
                return None
    return block


# ---- nodes -----------------------------------------------------------------------------------------------------------

#: After each number of blocks: the nodes (values of the numbers, cards taken), each with the node behind each class.
_Level: TypeAlias = dict[tuple[Key, int], list[tuple[Key, int] | None]]


def _levels(blocks: list[_Block], first: Key, draw: int, numbers: Sequence[HandNumber]) -> list[_Level] | None:
    """All that can have been added up, block by block; None if too much."""
    limits = [n.limit for n in numbers]
    highest = [isinstance(n, SuitNumber) and n.highest for n in numbers]
    levels: list[_Level] = [{(first, 0): []}]
    steps = 0
    for i, block in enumerate(blocks):
        last = i == len(blocks) - 1
        steps += len(levels[-1]) * len(block.classes)
        if steps > LIMIT:
            return None
        behind: _Level = {}
        for (key, taken), row in levels[-1].items():
            for added, size in block.classes:
                n = taken + size
                if n > draw or (last and n < draw):
                    row.append(None)
                    continue
                values = tuple(
                    min(limit, max(a, b) if high else a + b)
                    for a, b, limit, high in zip(key, added, limits, highest, strict=True)
                )
                node = (values, n)
                behind.setdefault(node, [])
                row.append(node)
        levels.append(behind)
    return levels


class _Writer:
    """Writes nodes backwards, from the end to the root; nodes are numbered in that order and turned round at last."""

    def __init__(self, left: Sequence[int]) -> None:
        self.left = left
        self.nodes: list[tuple[int, int, int]] = [(1, 0, 0)]  # hands, first option, options; number 0 is the end
        self.options: list[tuple[int, int, int]] = []  # hands of this and those before, class, node
        self.classes: list[tuple[int, int, int]] = []
        self.cells: list[tuple[int, ...]] = []
        self.parts: list[tuple[int, ...]] = []
        self.masks: list[np.ndarray] = []
        self.n_masks = 0
        self.bags = bytearray()
        self.places: dict[Hashable, int] = {}

    def write(
        self, blocks: list[_Block], levels: list[_Level], accept: Callable[[Key], bool], draw: int
    ) -> ExactTables:
        number: dict[tuple[Key, int], int] = {node: 0 for node in levels[-1] if accept(node[0])}
        for block, level in zip(reversed(blocks), reversed(levels[:-1]), strict=True):
            number = self._write_block(block, level, number)
        root = number.get(next(iter(levels[0])))
        top = len(self.nodes) - 1
        count = 0 if root is None else self.nodes[root][0]
        return ExactTables(
            count=count,
            total=comb(sum(self.left), draw),
            nodes=np.array([(n >> 64, n & _LOW, first, some) for n, first, some in reversed(self.nodes)], NODE),
            options=np.array([(n >> 64, n & _LOW, klass, top - node) for n, klass, node in self.options], OPTION),
            classes=np.array(self.classes, CLASS),
            cells=np.array(self.cells, CELL),
            parts=np.array(self.parts, PART),
            masks=np.concatenate(self.masks) if self.masks else np.zeros(0, np.uint16),
            bags=np.frombuffer(bytes(self.bags), np.uint8),
            shifts=[block.shift for block in blocks],
            left2=sum(1 << code for code in range(64) if self.left[code] >= 2),
            left3=sum(1 << code for code in range(64) if self.left[code] >= 3),
        )

    def _write_block(
        self, block: _Block, level: _Level, number: dict[tuple[Key, int], int]
    ) -> dict[tuple[Key, int], int]:
        """Write one level; the numbers of its nodes that lead anywhere."""
        rows = {node: [None if b is None else number.get(b) for b in behind] for node, behind in level.items()}
        columns: dict[tuple[int | None, ...], list[_Cell]] = defaultdict(list)
        ahead: list[tuple[int | None, ...]] = []
        for cells, column in zip(block.classes.values(), zip(*rows.values(), strict=True), strict=True):
            ahead.append(column)
            if any(node is not None for node in column):
                columns[column] += cells
        written = {column: self._write_class(cells) for column, cells in columns.items()}
        found: dict[tuple[tuple[int, int, int], ...], int] = {}
        numbers = {}
        for i, node in enumerate(rows):
            options = tuple(
                (ways * self.nodes[behind][0], klass, behind)
                for column, (klass, ways) in written.items()
                if (behind := column[i]) is not None
            )
            if not options:
                continue
            if options not in found:
                found[options] = len(self.nodes)
                first, hands = len(self.options), 0
                for n, klass, after in sorted(options, key=lambda option: -option[0]):
                    hands += n
                    self.options.append((hands, klass, after))
                self.nodes.append((hands, first, len(options)))
            numbers[node] = found[options]
        return numbers

    def _write_class(self, cells: list[_Cell]) -> tuple[int, int]:
        """Number of the class and its ways."""
        ways = sum(cell.ways for cell in cells)
        first = len(self.cells)
        for cell in sorted(cells, key=lambda cell: -cell.ways):
            at = len(self.parts)
            for part in cell.parts:
                ways_of_copies = part.ways if part.cards else 0
                self.parts.append((part.cards, ways_of_copies, self._bag(part), len(part.bag), part.take))
            place, n = self._mask_list(cell)
            # One cell of bags alone leaves nothing to choose here: its cards are drawn one by one.
            sole = len(cells) == 1 and n == 0
            self.cells.append((1 if sole else cell.ways, 1 if n == 0 else cell.each, place, n, at, len(cell.parts)))
        sole = len(cells) == 1 and cells[0].masks is None
        self.classes.append((1 if sole else ways, first, len(cells)))
        return len(self.classes) - 1, ways

    def _bag(self, part: _Part) -> int:
        if not part.bag:
            return 0
        place = self.places.setdefault(part.bag, len(self.bags))
        if place == len(self.bags):
            self.bags += bytes(part.bag)
        return place

    def _mask_list(self, cell: _Cell) -> tuple[int, int]:
        if cell.masks is None:
            return 0, 0
        key = cell.masks.tobytes()
        place = self.places.setdefault(key, self.n_masks)
        if place == self.n_masks:
            self.masks.append(cell.masks)
            self.n_masks += len(cell.masks)
        return place, len(cell.masks)


_LOW = 2**64 - 1
