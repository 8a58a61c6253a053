"""Melds and how they grow, one card at a time, under the compiled fields of a rule set."""

import json
from collections import namedtuple
from functools import cache, lru_cache

from . import cards as C
from .presets import build

# kind: position in rules.kinds; key: rank of a set, (suit, position, length) of a run,
# None for wild melds; n, w: natural and wild cards (a run and a wild meld are all natural)
Meld = namedtuple("Meld", "kind key n w cards")


class Kind:
    def __init__(self, index, fields):
        self.index = index
        for name, value in fields.items():
            setattr(self, name, value)
        self.classes = frozenset(fields["ranks"])
        self.wild_cards = [i for i in range(C.NUM) if C.CLASS[i] in fields["wild_with"]]
        self.black = self.when == "going_out"

    def is_full(self, n, w):
        return bool(self.full) and n + w >= self.full

    def starts(self):
        """(naturals, wilds) of the smallest melds of this kind."""
        return [
            (n, self.min - n) for n in range(self.min, 0, -1) if n >= self.min_natural and self.stands(n, self.min - n)
        ]

    def stands(self, n, w):
        return w <= self.max_wild and (not self.majority or n > w)

    def takes_natural(self, n, w, going_out=False):
        if self.black or (self.max and n + w >= self.max):
            return False
        if self.is_full(n, w):
            if self.closed_natural and w == 0:
                return False  # R18.5, B22
            rule = self.add_full["natural"]
            return rule == "always" or (rule == "going_out" and going_out)
        return True

    def takes_wild(self, n, w):
        if self.black or self.shape != "set" or not self.stands(n, w + 1):
            return False
        if self.max and n + w >= self.max:
            return False
        if self.is_full(n, w):
            return not (self.closed_natural and w == 0) and self.add_full["wild"] == "always"
        return True

    def may_start(self, others):
        """Whether a new meld may be laid by hand beside own melds (n, w) of the rank."""
        if self.per_rank == "one":
            return not others
        if self.per_rank == "after_complete":
            return all(self.is_full(n, w) for n, w in others)  # B23, D16
        return True


class Rules:
    def __init__(self, name, options):
        self.name = name
        d = self.data = build(name, options)
        pack = d["pack"]
        self.copies, self.jokers = pack["copies"], pack["jokers"]
        self.pack = tuple([self.copies] * 52 + [self.jokers])
        self.size = sum(self.pack)
        self.seats = d["table"]["seats"]
        self.sides = ["".join(s) for s in d["table"]["sides"]]
        self.side_of = {s: "".join(g) for g in d["table"]["sides"] for s in g}
        self.partner = {}
        for group in d["table"]["sides"]:
            for s in group:
                self.partner[s] = next(p for p in group if p != s) if len(group) > 1 else None
        self.points = tuple(d["points"][c] for c in C.CLASS)
        self.hand_points = tuple(d["hand_points"].get(c, d["points"][c]) for c in C.CLASS)
        self.bonus_cards = {i for i in range(C.NUM) if C.CLASS[i] in d["bonus"]["cards"]}
        self.bonus_waits = d["bonus"]["laid"] == "first_turn"
        self.freezers = {i for i in range(C.NUM) if C.CLASS[i] in d["pile"]["freeze"]}
        self.kinds = [Kind(i, k) for i, k in enumerate(d["melds"])]
        self.set_kind = {}  # rank -> kind of its sets; the deuce set is the kind of rank 1
        self.run = self.black = self.wild = None
        for k in self.kinds:
            if k.shape == "run":
                self.run = k
            elif k.shape == "wild":
                self.wild = k
            elif k.black:
                self.black = k
            else:
                for c in k.classes:
                    self.set_kind[C.RANKS.index(c)] = k
        # the meld kind that has the deuces as natural cards
        self.special = self.set_kind.get(C.DEUCE) or self.wild
        if self.run:
            self.line = [C.RANKS.index(r) for r in self.run.ranks]
            self.window = {
                frozenset(self.ranks_of(p, n)): (p, n)
                for n in range(3, len(set(self.line)))
                for p in range(len(self.line))
                if self.fits_line(p, n)
            }
        self.merging = any(k.merge for k in self.kinds)
        self.next_seat = {s: self.seats[(i + 1) % len(self.seats)] for i, s in enumerate(self.seats)}
        self.contract = d["contract"]
        self.discard_required = d["out"]["discard"] == "required"
        self.ask = d["out"]["ask"]

    # ---- runs

    def fits_line(self, p, n):
        return self.run.cyclic or p + n <= len(self.line)

    @cache  # noqa: B019
    def ranks_of(self, p, n):
        return [self.line[(p + i) % len(self.line)] for i in range(n)]

    def extensions(self, key):
        """[(rank, key of the run with that card)] at both ends of a run."""
        s, p, n = key
        m, out = len(self.line), []
        if self.run.cyclic:
            if n < m - 1:
                out.append((self.line[(p - 1) % m], (s, (p - 1) % m, n + 1)))
                out.append((self.line[(p + n) % m], (s, p, n + 1)))
        else:
            if p > 0:
                out.append((self.line[p - 1], (s, p - 1, n + 1)))
            if p + n < m:
                out.append((self.line[p + n], (s, p, n + 1)))
        return out

    # ---- melds

    @lru_cache(maxsize=100_000)  # noqa: B019
    def start(self, items):
        """The smallest meld of these cards (the black threes: any number), or None."""
        items = tuple(sorted(items))
        if C.JOKER not in items and self.run and len(items) == self.run.min:
            suits = {i & 3 for i in items}
            key = self.window.get(frozenset(i >> 2 for i in items))
            if len(suits) == 1 and key and key[1] == len(items):
                return Meld(self.run.index, (suits.pop(), *key), len(items), 0, items)
        if self.black and all(C.CLASS[i] == "3b" for i in items):
            if self.black.min <= len(items) <= self.black.max:
                return Meld(self.black.index, C.THREE, len(items), 0, items)
        if self.wild and len(items) == 3 and all(C.CLASS[i] in self.wild.classes for i in items):
            return Meld(self.wild.index, None, 3, 0, items)
        for rank in {i >> 2 for i in items}:
            kind = self.set_kind.get(rank)
            if not kind or len(items) != kind.min:
                continue
            n = sum(i >> 2 == rank for i in items)
            others = [i for i in items if i >> 2 != rank]
            if all(i in kind.wild_cards for i in others) and (n, len(others)) in kind.starts():
                return Meld(kind.index, rank, n, len(others), items)
        return None

    def grow(self, meld, card, going_out=False):
        """The meld with one more card, or None."""
        kind = self.kinds[meld.kind]
        items = tuple(sorted((*meld.cards, card)))
        n, w = meld.n, meld.w
        if kind.shape == "run":
            if card == C.JOKER or card & 3 != meld.key[0]:
                return None
            if not kind.takes_natural(n, w, going_out):
                return None
            for rank, key in self.extensions(meld.key):
                if rank == card >> 2:
                    return Meld(meld.kind, key, n + 1, 0, items)
            return None
        if kind.shape == "wild":
            if C.CLASS[card] in kind.classes and kind.takes_natural(n, w):
                return Meld(meld.kind, None, n + 1, 0, items)
            return None
        if card != C.JOKER and card >> 2 == meld.key:
            return Meld(meld.kind, meld.key, n + 1, w, items) if kind.takes_natural(n, w) else None
        if card in kind.wild_cards and kind.takes_wild(n, w):
            return Meld(meld.kind, meld.key, n, w + 1, items)
        return None

    @lru_cache(maxsize=100_000)  # noqa: B019
    def grow_all(self, meld, items):
        """The meld with all the cards laid on in some order, or None."""
        if not items:
            return meld
        for card in sorted(set(items)):
            step = self.grow(meld, card)
            if step:
                rest = list(items)
                rest.remove(card)
                done = self.grow_all(step, tuple(rest))
                if done:
                    return done
        return None

    def merged(self, a, b):
        """Two incomplete sets of one rank as one (F14), or None."""
        kind = self.kinds[a.kind]
        if a.kind != b.kind or a.key != b.key or not kind.merge or kind.shape != "set":
            return None
        if kind.is_full(a.n, a.w) or kind.is_full(b.n, b.w):
            return None
        if not kind.stands(a.n + b.n, a.w + b.w):
            return None
        return Meld(a.kind, a.key, a.n + b.n, a.w + b.w, tuple(sorted(a.cards + b.cards)))

    def complete(self, meld):
        return self.kinds[meld.kind].is_full(meld.n, meld.w)

    def natural(self, meld):
        return meld.w == 0

    def bonus(self, meld):
        if not self.complete(meld):
            return 0
        return self.kinds[meld.kind].bonus["natural" if meld.w == 0 else "mixed"]

    def card_points(self, items):
        return sum(self.points[i] for i in items)

    @cache  # noqa: B019
    def reachable(self, index):
        """(n, w) of all sets of a kind that legal lays can make."""
        kind = self.kinds[index]
        seen, todo = set(), list(kind.starts())
        while todo:
            n, w = todo.pop()
            if (n, w) in seen or n > 4 * self.copies:
                continue
            seen.add((n, w))
            if kind.takes_natural(n, w, True):
                todo.append((n + 1, w))
            if kind.takes_wild(n, w):
                todo.append((n, w + 1))
            if kind.merge:
                todo += [
                    (n + a, w + b)
                    for a, b in seen
                    if kind.stands(n + a, w + b) and not kind.is_full(n, w) and not kind.is_full(a, b)
                ]
        return frozenset(seen)

    def read_meld(self, text):
        """A meld of a position; ValueError if no legal lays could make it."""
        items = tuple(sorted(C.cards(text)))
        fault = ValueError(f"not a meld of {self.name} that legal lays could make: {text}")
        if len(items) < 3:
            raise fault
        if all(C.CLASS[i] == "3b" for i in items) and self.black:
            if self.black.min <= len(items) <= self.black.max:
                return Meld(self.black.index, C.THREE, len(items), 0, items)
            raise fault
        if self.wild and all(C.CLASS[i] in self.wild.classes for i in items):
            if len(items) <= self.wild.max:
                return Meld(self.wild.index, None, len(items), 0, items)
            raise fault
        if self.run and C.JOKER not in items and len({i & 3 for i in items}) == 1:
            key = self.window.get(frozenset(i >> 2 for i in items))
            if key and len(set(items)) == len(items) and len(items) <= self.longest(True):
                return Meld(self.run.index, (items[0] & 3, *key), len(items), 0, items)
        ranks = [i >> 2 for i in items if i != C.JOKER]
        for rank in sorted(set(ranks), key=lambda r: r == C.DEUCE):
            kind = self.set_kind.get(rank)
            if not kind:
                continue
            n = ranks.count(rank)
            others = [i for i in items if i == C.JOKER or i >> 2 != rank]
            if all(i in kind.wild_cards for i in others):
                if (n, len(others)) in self.reachable(kind.index):
                    return Meld(kind.index, rank, n, len(others), items)
        raise fault

    def longest(self, going_out):
        """The greatest length of a run."""
        if self.run.add_full["natural"] == "always" or (going_out and self.run.add_full["natural"] == "going_out"):
            return len(set(self.line)) - (1 if self.run.cyclic else 0)
        return self.run.full


@cache
def _rules(name, text):
    return Rules(name, json.loads(text))


def get_rules(name="sitoumussamba", options=None):
    return _rules(name, json.dumps(options or {}, sort_keys=True))
