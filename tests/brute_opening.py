"""Openings and lay-outs by brute force: an oracle for the solver of the core, written from the rules alone.

Every meld that a hand can form is written down card by card (53 types of cards); then every way to divide the hand into
such melds, additions to laid melds and cards that stay is looked at, states remembered. Nothing here is clever: 15
cards take milliseconds, 28 cards a tenth of a second.

Hands are 53 counts in the order A 2 ... K, suits c d h s inside, jokers last. A laid meld is ``(kind id, key, cards)``:
the key is the rank of a set (0 = ace), the suit of a run, 0 for a wild meld; cards are indices of types, those of a run
in order.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from types import SimpleNamespace

JOKER, DEUCE, THREE = 52, 1, 2
RANKS = "A23456789TJQK"
# the order in which cards are dealt with: wild cards last, so that melds are found by a natural card
ORDER = [4 * rank + suit for rank in (*range(2, 13), 0, 1) for suit in range(4)] + [JOKER]
PLACE = {card: i for i, card in enumerate(ORDER)}
GUARD = sum(8 << 4 * i for i in range(53))
NEVER, ALWAYS, GOING_OUT = "never", "always", "going_out"


def packed(cards):
    return sum(1 << 4 * PLACE[card] for card in cards)


def hand_cards(counts):
    return [card for card in range(53) for _ in range(int(counts[card]))]


def card_class(card):
    if card == JOKER:
        return "JK"
    return {DEUCE: "2", THREE: "3b" if card % 4 in (0, 3) else "3r"}.get(card // 4, RANKS[card // 4])


def card_points(rules, card):
    return rules.points[card_class(card)]


# ---- kinds of melds --------------------------------------------------------------------------------------------------


def set_allowed(kind, n, w):
    """A set (or wild meld) of n natural and w wild cards keeps the limits of its kind."""
    return (n >= kind.min_natural and w <= min(kind.max_wild, 3) and (kind.size[1] is None or n + w <= kind.size[1])
            and (not kind.majority or n > w))


def set_step(kind, n, w, wild):
    """When a natural (or wild) card may join a set of n naturals and w wild cards."""
    if not set_allowed(kind, n + (not wild), w + wild):
        return NEVER
    if kind.full is None or n + w < kind.full:
        return ALWAYS
    if w == 0 and kind.natural_closed:
        return NEVER
    return kind.add_full.wild if wild else kind.add_full.natural


@cache
def set_states(kind, n, w, out):
    """All (naturals, wild cards) that a set can become."""
    seen, todo = {(n, w)}, [(n, w)]
    while todo:
        n, w = todo.pop()
        for wild in (0, 1):
            if n < 12 and set_step(kind, n, w, wild) in ((ALWAYS, GOING_OUT) if out else (ALWAYS,)):
                new = (n + 1 - wild, w + wild)
                if new not in seen:
                    seen.add(new)
                    todo.append(new)
    return frozenset(seen)


@cache
def new_sets(kind, out):
    least = max(kind.size[0], 3)
    return frozenset(state for w in range(4) if set_allowed(kind, least - w, w)
                     for state in set_states(kind, least - w, w, out))


def run_windows(kind, longest):
    """(ranks) of every run: 3 or more in a row on the line or circle of the kind."""
    line = [RANKS.index(name) for name in kind.ranks]
    found = set()
    for at in range(len(line)):
        for size in range(3, min(longest, len(line), 13) + 1):
            if kind.cyclic:
                found.add(tuple(line[(at + i) % len(line)] for i in range(size)))
            elif at + size <= len(line):
                found.add(tuple(line[at:at + size]))
    return found


def meld_full(kind, size):
    return kind.full is not None and size >= kind.full


def sub_multisets(cards, size):
    return sorted({tuple(choice) for choice in _choose(tuple(sorted(cards)), size)})


@lru_cache(maxsize=100_000)
def _choose(cards, size):
    if size == 0:
        return ((),)
    out = set()
    for i in range(len(cards)):
        for rest in _choose(cards[i + 1:], size - 1):
            out.add((cards[i], *rest))
    return tuple(out)


class Game:
    """What the search asks of a rule set."""

    def __init__(self, rules):
        self.rules = rules
        self.points = [card_points(rules, card) for card in range(53)]
        self.kinds = {kind.id: kind for kind in rules.melds}
        self.sets, self.run, self.wild, self.black, self.deuce = {}, None, None, None, None
        for kind in rules.melds:
            if kind.shape == "run":
                self.run = kind
            elif kind.shape == "wild":
                self.wild = kind
            elif kind.when == GOING_OUT:
                self.black = kind
            else:
                for name in kind.ranks:
                    if name == "2":
                        self.deuce = kind
                    elif name[0] != "3":
                        self.sets[RANKS.index(name)] = kind

    def wilds_for(self, kind, cards):
        return [card for card in cards if (card == JOKER and "JK" in kind.wild_with)
                or (card // 4 == DEUCE and "2" in kind.wild_with)]

    def closed_by(self, kind, size):
        """What others of its rank a meld of this size bars: "all", "growing" (the incomplete ones) or "" (none)."""
        if kind.per_rank == "one":
            return "all"
        if kind.per_rank == "after_complete" and not meld_full(kind, size):
            return "growing"
        return ""

    def bonus(self, kind, naturals, wilds):
        if kind is self.black or not meld_full(kind, naturals + wilds):
            return 0
        return kind.bonus.mixed if wilds else kind.bonus.natural

    def describe(self, kind, key, naturals, wilds):
        """What a finished meld contributes beside its points."""
        full = kind is not self.black and meld_full(kind, naturals + wilds)
        return SimpleNamespace(
            kind=kind, key=key, naturals=naturals, wilds=wilds, full=full,
            natural=full and kind.shape != "wild" and wilds == 0, bonus=self.bonus(kind, naturals, wilds))

    # -- melds that a hand can form ---------------------------------------------------------------

    def new_melds(self, cards, deuce_min=0, out=False):
        """(cards, rank of a set or None, description) of every new meld."""
        found = []
        held = set(cards)
        if self.run is not None:
            longest = 13 if out and self.run.add_full.natural == GOING_OUT else self.run.full
            for suit in range(4):
                for ranks in run_windows(self.run, longest):
                    meld = [4 * rank + suit for rank in ranks]
                    if held.issuperset(meld):
                        found.append((meld, None, self.describe(self.run, suit, len(meld), 0)))
        for rank, kind in self.sets.items():
            found += self._sets_of(rank, kind, cards, 0, out)
        if self.deuce is not None:
            found += self._sets_of(DEUCE, self.deuce, cards, deuce_min, out)
        elif self.wild is not None:
            wilds = [card for card in cards if card == JOKER or card // 4 == DEUCE]
            for size in range(3, min(len(wilds), self.wild.size[1] or 12, 12) + 1):
                for choice in sub_multisets(wilds, size):
                    found.append((list(choice), None, self.describe(self.wild, 0, size, 0)))
        if out and self.black is not None:
            blacks = [card for card in cards if card in (4 * THREE, 4 * THREE + 3)]
            for size in range(3, min(len(blacks), self.black.size[1] or 12) + 1):
                for choice in sub_multisets(blacks, size):
                    found.append((list(choice), THREE, self.describe(self.black, THREE, size, 0)))
        return found

    def _sets_of(self, rank, kind, cards, least, out):
        naturals = [card for card in cards if card != JOKER and card // 4 == rank]
        wilds = self.wilds_for(kind, cards)
        for n, w in new_sets(kind, out):
            if n < least or n > len(naturals) or w > len(wilds):
                continue
            for some, others in product(sub_multisets(naturals, n), sub_multisets(wilds, w)):
                yield [*some, *others], rank, self.describe(kind, rank, n, w)

    # -- what a laid meld can become ---------------------------------------------------------------

    def growths(self, meld, cards, deuce_min=0, out=False):
        """(cards added, description) of everything a laid meld can become, itself included."""
        kind_id, key, laid = meld
        kind = self.kinds[kind_id]
        if kind is self.black:
            return [([], self.describe(kind, key, len(laid), 0))]
        if kind.shape == "run":
            return self._run_growths(kind, key, laid, cards, out)
        if kind.shape == "wild":
            wilds = [card for card in cards if card == JOKER or card // 4 == DEUCE]
            most = (kind.size[1] or 12) - len(laid)
            return [(list(choice), self.describe(kind, 0, len(laid) + k, 0)) for k in range(min(most, len(wilds)) + 1)
                    for choice in sub_multisets(wilds, k)]
        n = sum(card != JOKER and card // 4 == key for card in laid)
        w = len(laid) - n
        least = deuce_min if kind is self.deuce else 0
        naturals = [card for card in cards if card != JOKER and card // 4 == key]
        wilds = self.wilds_for(kind, cards)
        return [([*some, *others], self.describe(kind, key, n2, w2)) for n2, w2 in set_states(kind, n, w, out)
                if n2 >= least and n2 - n <= len(naturals) and w2 - w <= len(wilds)
                for some, others in product(sub_multisets(naturals, n2 - n), sub_multisets(wilds, w2 - w))]

    def _run_growths(self, kind, suit, laid, cards, out):
        longest = 13 if out and kind.add_full.natural == GOING_OUT else kind.full
        windows = run_windows(kind, max(longest, len(laid)))
        ranks = tuple(card // 4 for card in laid)
        found = []
        for window in windows:
            for at in range(len(window) - len(ranks) + 1):
                if window[at:at + len(ranks)] == ranks and len(window) <= max(longest, len(ranks)):
                    added = [4 * rank + suit for rank in (*window[:at], *window[at + len(ranks):])]
                    if set(added) <= set(cards):
                        found.append((added, self.describe(kind, suit, len(window), 0)))
        return found


# ---- division of a hand ----------------------------------------------------------------------------------------------


def divide(rules, counts, laid, deuce_min, out, start, join, leave, better):
    """The search itself: what `better` makes of every way to lay cards.

    `start` is the empty result; `join(value, cards, description)` puts a finished meld in front of a result (cards are
    those laid from the hand); `leave(value)` leaves a card in hand; `better(values)` combines all choices.
    """
    game = Game(rules)
    cards = hand_cards(counts)
    melds = {}
    for meld, rank, about in game.new_melds(cards, deuce_min, out):
        code = packed(meld)
        melds.setdefault((code & -code).bit_length() - 1 >> 2, []).append((code, rank, meld, about))

    @cache
    def part(state, barred):
        """New melds from the cards of state; barred has (rank, "all" or "growing")."""
        if not state:
            return start
        first = (state & -state).bit_length() - 1 >> 2
        values = [leave(part(state - (1 << 4 * first), barred))]
        for code, rank, meld, about in melds.get(first, ()):
            if ((state | GUARD) - code) & GUARD != GUARD:
                continue
            then = barred
            if rank is not None:
                if (rank, "all") in barred or ((rank, "growing") in barred and not about.full):
                    continue
                effect = "all" if about.kind is game.black else game.closed_by(about.kind, len(meld))
                if effect:
                    then = barred | {(rank, effect)}
            values.append(join(part(state - code, then), meld, about))
        return better(values)

    def grow(i, state, barred):
        """Laid melds from i on, then new ones."""
        if i == len(laid):
            return part(state, barred)
        kind = game.kinds[laid[i][0]]
        values = []
        for added, about in game.growths(laid[i], cards, deuce_min, out):
            code = packed(added)
            if ((state | GUARD) - code) & GUARD != GUARD:
                continue
            then = barred
            if kind.shape == "set" and kind is not game.black:
                if kind.per_rank == "one" or (kind.per_rank == "after_complete" and not about.full):
                    then = barred | {(laid[i][1], "all")}
            values.append(join(grow(i + 1, state - code, then), added, about))
        return better(values) if values else None

    value = grow(0, packed(cards), frozenset())
    part.cache_clear()
    return value


def brute_best_points(counts, deuce_min, rules, laid=(), keep=0):
    """Most card points that can be laid from a hand, in new melds or onto laid ones, while at least `keep` cards stay.

    None if the laid deuce sets cannot reach `deuce_min` deuces, or so many cards cannot stay.
    """
    points = [card_points(rules, card) for card in range(53)]

    def join(value, cards, about):
        if value is None:
            return None
        gain = sum(points[card] for card in cards)
        return tuple(None if v is None else v + gain for v in value)

    def leave(value):
        # value[k]: at least k cards stay; one stays here
        return (value[0], *value[:-1]) if value is not None else None

    def better(values):
        values = [value for value in values if value is not None]
        if not values:
            return None
        return tuple(max((v for v in column if v is not None), default=None) for column in zip(*values, strict=True))

    value = divide(rules, counts, laid, deuce_min, False, (0, *[None] * keep), join, leave, better)
    return None if value is None else value[keep]


def brute_best_score(counts, deuce_min, rules):
    """Most card points and bonus points of a division of the hand into new melds."""
    points = [card_points(rules, card) for card in range(53)]
    return divide(rules, counts, (), deuce_min, False, 0,
                  lambda v, cards, about: v + sum(points[card] for card in cards) + about.bonus, lambda v: v, max)


def brute_can_open(counts, laid, rules, need):
    """The question of the core's can_open.

    `need` has minimum, needs ("none", "canasta", "natural_canasta"), complete_opens, deuce_min, bid_suits, bid_four,
    bid_deuces, keep and extra_points.
    """
    points = [card_points(rules, card) for card in range(53)]
    game = Game(rules)
    base = sum(points[card] for _, _, cards in laid for card in cards) + need.extra_points

    def flags(about):
        kind = about.kind
        if kind.shape == "run":
            bid = need.bid_suits >> about.key & 1
        else:
            bid = kind.shape == "set" and about.naturals >= 4 and (
                need.bid_four or (need.bid_deuces and kind is game.deuce))
        return bool(about.full), bool(about.natural), bool(bid)

    # a result: {flags: (best points with at least 0, 1, .. keep cards left)}
    def join(value, cards, about):
        if value is None:
            return None
        gain = sum(points[card] for card in cards)
        new = flags(about)
        out = {}
        for old, best in value.items():
            key = (*(a or b for a, b in zip(old[:3], new, strict=True)), True)
            best = tuple(None if v is None else v + gain for v in best)
            out[key] = _more(out.get(key), best)
        return out

    def leave(value):
        return {key: (best[0], *best[:-1]) for key, best in value.items()} if value is not None else None

    def better(values):
        out = {}
        for value in values:
            for key, best in (value or {}).items():
                out[key] = _more(out.get(key), best)
        return out or None

    start = {(False, False, False, False): (0, *[None] * need.keep)}
    value = divide(rules, counts, laid, need.deuce_min, False, start, join, leave, better)
    for (full, natural, bid, some), best in (value or {}).items():
        got = best[need.keep]
        if got is None or not (some or need.extra_points):
            continue
        if bid or (need.complete_opens and full):
            return True
        if (need.needs == "canasta" and not full) or (need.needs == "natural_canasta" and not natural):
            continue
        if base + got >= need.minimum:
            return True
    return False


def _more(a, b):
    if a is None:
        return b
    return tuple(y if x is None else x if y is None else max(x, y) for x, y in zip(a, b, strict=True))


def brute_lay_outs(counts, laid, rules):
    """All ends of laying the hand out but for at most one card, going-out steps and black threes included.

    A set of (cards left, points laid, bonus, complete melds, runs, sets, natural sets, mixed sets, wild melds, suits of
    complete runs as bits, complete deuce sets) over all melds of the side.
    """
    points = [card_points(rules, card) for card in range(53)]
    game = Game(rules)

    def join(value, cards, about):
        gain = sum(points[card] for card in cards)
        shape, full = about.kind.shape, about.full
        is_run, is_set, is_wild = full and shape == "run", full and shape == "set", full and shape == "wild"
        more = (0, gain, about.bonus, full, is_run, is_set, is_set and about.wilds == 0, is_set and about.wilds > 0,
                is_wild)
        suit = 1 << about.key if is_run else 0
        deuces = int(full and about.kind is game.deuce)
        return frozenset((*(a + int(b) for a, b in zip(old[:9], more, strict=True)), old[9] | suit, old[10] + deuces)
                         for old in value or ())

    def leave(value):
        return frozenset((old[0] + 1, *old[1:]) for old in value if old[0] == 0)

    def better(values):
        return frozenset().union(*(value for value in values if value))

    start = frozenset({(0,) * 11})
    return divide(rules, counts, laid, 0, True, start, join, leave, better) or frozenset()
