"""Exact answers to "can this opening still be completed" and "can this hand be laid out".

Both questions are about the melds that can lie on the table at the end, so the order of the
steps does not matter: every set (n, w) that counts here is built up by single legal steps in a
breadth-first search over literal sets, every run by steps at its ends.

1. In each suit all sets of cards that runs can use are listed (new windows and extensions).
2. The suits are joined; what counts afterwards is how many cards of each rank are left.
3. In each rank all states of its sets are listed; ranks are joined by the number of wild cards
   used. The most natural points for each number of wild cards decide.

Nothing is capped: where the number of cards that may be laid is limited, the number of
natural cards used is carried along too.
"""

from collections import namedtuple
from itertools import combinations_with_replacement

from . import cards as C
from .lays import Meld

CANASTA, NATURAL, RUN, FIT, FOUR, DEUCES = 1, 2, 4, 8, 16, 32

# An opening suffices if one of the bits `any` is there, or else the points are reached and all
# bits of `need` are there. `must` is needed in any case (a run that takes the top card).
# Every deuce set must hold `deuces` deuces.
Req = namedtuple("Req", "points any need must deuces suit")
# What counts for going out: complete runs by suit, complete sets, natural ones, deuce sets and
# wild melds among the complete melds, and their bonuses
Profile = namedtuple("Profile", "runs sets natural deuces wild bonus")
COUNT = "count"  # instead of a mask: how many runs are complete

# The take that ends an opening: "set" or "run", the top card's rank and suit, and the natural
# and wild hand cards that go with it
Take = namedtuple("Take", "way rank suit n w")


class Search:
    def __init__(self, rules):
        self.rules = rules
        # which cards stand in; the same in all sets but those of deuces
        stand_in = {frozenset(kind.wild_with) for kind in rules.set_kind.values() if kind is not rules.special}
        (only,) = stand_in
        self.wild_deuces, self.wild_jokers = "2" in only, "JK" in only
        self.cache = {}
        self.lists = []  # interned lists of run options

    def tidy(self):
        """Forget everything once in a while, between two questions."""
        if len(self.cache) > 100_000:
            self.cache.clear()
            self.lists.clear()

    def intern(self, options):
        key = ("list", options)
        if key not in self.cache:
            self.cache[key] = len(self.lists)
            self.lists.append(options)
        return self.cache[key]

    def once(self, key, make):
        if key not in self.cache:
            self.cache[key] = make()
        return self.cache[key]

    # ---- what lies on the table

    def bits(self, melds, req):
        """The bits of melds that lie on the table, or None if a deuce set is too small."""
        rules, bits = self.rules, 0
        for m in melds:
            kind = rules.kinds[m.kind]
            if kind.shape == "run":
                if m.key[0] == req.suit:
                    bits |= RUN
                if rules.complete(m):
                    bits |= CANASTA | NATURAL
            else:
                bits |= self.set_bits(kind, m.n, m.w)
                if kind.open_min and m.n < req.deuces:
                    return None
        return bits

    def set_bits(self, kind, n, w):
        bits = 0
        if kind.is_full(n, w):
            bits |= CANASTA
            if w == 0 and kind.shape == "set":
                bits |= NATURAL  # F16: never a wild meld
        if n >= 4 and kind.shape == "set" and not kind.black:
            bits |= FOUR  # R14.5
        if kind.open_min:
            bits |= DEUCES
        return bits

    @staticmethod
    def enough(req, points, bits):
        if bits is None or bits & req.must != req.must:
            return False
        return bool(bits & req.any) or (points >= req.points and bits & req.need == req.need)

    # ---- runs

    def run_options(self, vec, existing, suit, longest, top, mask):
        """All (cards used by rank, bits) of the runs of one suit, as a number in self.lists.

        Existing runs may grow.
        """

        def make():
            rules, have = self.rules, vec
            seen = set()
            join = int.__add__ if mask == COUNT else int.__or__

            def bits_of(key):
                if mask == COUNT:
                    return int(key[2] >= rules.run.full)
                bits = RUN | (CANASTA | NATURAL if key[2] >= rules.run.full else 0)
                if top is not None and key[2] < rules.run.full:
                    bits |= FIT * any(r == top for r, _ in rules.extensions(key))
                return bits & mask

            def old(runs, used, bits):
                if not runs:
                    new(used, bits)
                    return
                todo, met = [(runs[0], used)], set()
                while todo:
                    key, u = todo.pop()
                    if (key, u) in met:
                        continue
                    met.add((key, u))
                    old(runs[1:], u, join(bits, bits_of(key)))
                    if key[2] < longest:
                        for r, bigger in rules.extensions(key):
                            if u[r] < have[r]:
                                todo.append((bigger, (*u[:r], u[r] + 1, *u[r + 1 :])))

            windows = []
            for p in range(len(rules.line)):
                for n in range(rules.run.min, longest + 1):
                    if rules.fits_line(p, n) and n != 6:  # six are three and three
                        ranks = rules.ranks_of(p, n)
                        if all(have[r] for r in ranks):
                            windows.append((ranks, bits_of((suit, p, n))))

            def new(used, bits):
                todo = [(used, bits)]
                while todo:
                    used, bits = todo.pop()
                    if (used, bits) in seen:
                        continue
                    seen.add((used, bits))
                    for ranks, b in windows:
                        if all(used[r] < have[r] for r in ranks):
                            u = list(used)
                            for r in ranks:
                                u[r] += 1
                            todo.append((tuple(u), join(bits, b)))

            old(existing, (0,) * 13, 0)
            if mask == COUNT:  # more complete runs are never worse
                best = {}
                for used, n in seen:
                    best[used] = max(n, best.get(used, 0))
                return self.intern(tuple(sorted(best.items())))
            return self.intern(tuple(sorted(seen)))

        return self.once(("runs", vec, existing, longest, top, mask), make)

    def join_suits(self, options):
        """All (cards used by rank, bits) of the runs of all suits, most points first."""

        def make():
            states = {((0,) * 13, 0)}
            for opts in map(self.lists.__getitem__, options):
                if opts == (((0,) * 13, 0),):
                    continue
                states = {(tuple(map(int.__add__, u, v)), b | c) for u, b in states for v, c in opts}
            value = [self.rules.points[4 * r] for r in range(13)]

            def points(state):
                return -sum(map(int.__mul__, state[0], value))

            return sorted(states, key=points)

        return self.once(("suits", options), make)

    # ---- sets

    def set_states(self, kind, n, wilds, existing, merge=False):
        """All (naturals used, wilds used, sets) that steps can make of one rank's sets."""

        def make():
            start = (0, 0, tuple(sorted(existing)))
            seen, todo = {start}, [start]
            starts = kind.starts()
            while todo:
                u, x, sets = todo.pop()
                steps = []
                for i, (a, b) in enumerate(sets):
                    rest = sets[:i] + sets[i + 1 :]
                    if u < n and kind.takes_natural(a, b):
                        steps.append((u + 1, x, (*rest, (a + 1, b))))
                    if x < wilds and kind.takes_wild(a, b):
                        steps.append((u, x + 1, (*rest, (a, b + 1))))
                if merge and kind.merge:
                    steps += [(u, x, merged) for merged in self.merges(kind, sets)]
                if kind.may_start(sets):
                    for a, b in starts:
                        if u + a <= n and x + b <= wilds:
                            steps.append((u + a, x + b, (*sets, (a, b))))
                for u2, x2, s2 in steps:
                    state = (u2, x2, tuple(sorted(s2)))
                    if state not in seen:
                        seen.add(state)
                        todo.append(state)
            return tuple(seen)

        return self.once(("sets", kind.index, n, wilds, existing, merge), make)

    def merges(self, kind, sets):
        """The sets after two incomplete ones have become one (F14)."""
        for j in range(len(sets)):
            for i in range(j):
                (a, b), (c, d) = sets[i], sets[j]
                if not kind.is_full(a, b) and not kind.is_full(c, d) and kind.stands(a + c, b + d):
                    yield (*sets[:i], (a + c, b + d), *sets[i + 1 : j], *sets[j + 1 :])

    def takes_on(self, kind, sets, take):
        """The sets after the take: as a new set, or joined to one of the sets (B19b, F5-F7)."""
        limit = self.rules.data["pile"]["new_set_from"]
        out = []
        n, w = take.n + 1, take.w
        if n + w >= 3 and (kind.per_rank != "one" or not sets):
            if n >= kind.min_natural and kind.stands(n, w):
                out.append((*sets, (n, w)))
        for i, (a, b) in enumerate(sets):
            if n + w >= 3 and limit and a + b >= limit:
                continue
            if self.may_join(kind, a, b, n, w, fit=n + w == 1):
                out.append(sets[:i] + sets[i + 1 :] + ((a + n, b + w),))
        return out

    def may_join(self, kind, a, b, n, w, fit=False):
        if fit:
            way = "fit_full" if kind.is_full(a, b) else "fit_set"
            if way not in self.rules.data["pile"]["take"]["unopened"]:
                return False
        if n == 0 and w == 0:
            return True
        return bool(
            (n and kind.takes_natural(a, b) and self.may_join(kind, a + 1, b, n - 1, w))
            or (w and kind.takes_wild(a, b) and self.may_join(kind, a, b + 1, n, w - 1))
        )

    def set_outcomes(self, kind, n, wilds, existing, take, mask):
        """All (naturals used, wilds used, bits) of one rank."""

        def make():
            out = set()
            counts_top = self.rules.data["opening"]["top_counts"]
            for u, x, sets in self.set_states(kind, n, wilds, existing):
                finals = [sets]
                if take:
                    after = self.takes_on(kind, sets, take)
                    finals = after if counts_top else [sets] * bool(after)
                for final in finals:
                    bits = 0
                    for a, b in final:
                        bits |= self.set_bits(kind, a, b)
                    out.add((u, x, bits & mask))
            return tuple(out)

        return self.once(("outcomes", kind.index, n, wilds, existing, take, mask), make)

    def best(self, keys, wilds, mask):
        """(bits, wilds used) -> (most natural points, naturals used), over the ranks in keys."""

        def make():
            if not keys:
                return {(0, 0): (0, 0)}
            before = self.best(keys[:-1], wilds, mask)
            value, index, n, existing, take = keys[-1]
            outcomes = {}
            for u, x, bits in self.set_outcomes(self.rules.kinds[index], n, wilds, existing, take, mask):
                if outcomes.get((bits, x), -1) < u:
                    outcomes[bits, x] = u
            table = {}
            for (bits, w), (points, used) in before.items():
                for (more, x), u in outcomes.items():
                    if w + x <= wilds:
                        key, entry = (bits | more, w + x), (points + u * value, -used - u)
                        if key not in table or entry > table[key]:
                            table[key] = entry
            return {k: (p, -u) for k, (p, u) in table.items()}

        return self.once(("best", keys, wilds, mask), make)

    def best_limited(self, keys, wilds, mask):
        """(bits, wilds used, naturals used) -> most natural points."""

        def make():
            if not keys:
                return {(0, 0, 0): 0}
            before = self.best_limited(keys[:-1], wilds, mask)
            value, index, n, existing, take = keys[-1]
            outcomes = self.set_outcomes(self.rules.kinds[index], n, wilds, existing, take, mask)
            table = {}
            for (bits, w, used), points in before.items():
                for u, x, more in outcomes:
                    if w + x <= wilds:
                        key = (bits | more, w + x, used + u)
                        if table.get(key, -1) < points + u * value:
                            table[key] = points + u * value
            return table

        return self.once(("limited", keys, wilds, mask), make)

    # ---- deuce sets and wild melds

    def special_states(self, deuces, jokers, existing):
        """All (deuces used, jokers used, melds (n, w)) of the kind in which deuces are natural."""
        kind = self.rules.special
        if not kind:
            return ((0, 0, ()),)
        if kind.shape == "set":
            return self.set_states(kind, deuces, jokers, existing)

        def make():  # wild melds: any deuces and jokers, so only the sizes matter
            out = set()
            for total, _, melds in self.set_states(kind, deuces + jokers, 0, existing):
                for x in range(max(0, total - jokers), min(total, deuces) + 1):
                    out.add((x, total - x, melds))
            return tuple(out)

        return self.once(("wild", deuces, jokers, existing), make)

    def special_outcomes(self, deuces, jokers, existing, req, mask):
        def make():
            kind, out = self.rules.special, set()
            for x, y, melds in self.special_states(deuces, jokers, existing):
                if kind and kind.open_min and any(n < req.deuces for n, _ in melds):
                    continue
                bits = 0
                for n, w in melds:
                    bits |= self.set_bits(kind, n, w)
                out.add((x, y, bits & mask))
            return tuple(sorted(out))

        return self.once(("special", deuces, jokers, existing, req.deuces, mask), make)

    # ---- can the opening be completed

    def split(self, melds):
        """Existing runs by suit, sets by rank, melds of the special kind."""
        runs = [[], [], [], []]
        sets = [[] for _ in range(13)]
        special = []
        for m in melds:
            kind = self.rules.kinds[m.kind]
            if kind.shape == "run":
                runs[m.key[0]].append(m.key)
            elif kind is self.rules.special:
                special.append((m.n, m.w))
            elif not kind.black:
                sets[m.key].append((m.n, m.w))
        return (
            tuple(tuple(sorted(r)) for r in runs),
            tuple(tuple(sorted(s)) for s in sets),
            tuple(sorted(special)),
        )

    def can_open(self, hand, melds, req, keep, base, take=None):
        """Whether melds and additions from the hand can make the opening suffice.

        At least `keep` cards stay in hand. `base` is what counts already. The hand is without
        the cards of the take, and `take` says that the pile must be takeable at the end.
        """
        self.tidy()
        limit = sum(hand) - keep
        if limit < 0:
            return False
        rules = self.rules
        runs, sets, special = self.split(melds)
        mask = req.any | req.need | req.must
        options = ()
        if rules.run:
            options = tuple(
                self.run_options(
                    hand[s:52:4],
                    runs[s],
                    s,
                    rules.run.full,
                    take.rank if take and take.way == "run" and take.suit == s else None,
                    mask & (CANASTA | NATURAL | FIT | (RUN if req.suit == s else 0)),
                )
                for s in range(4)
            )
        totals = tuple(sum(hand[4 * r : 4 * r + 4]) for r in range(13))
        key = ("open", options, totals, hand[52], sets, special, req, limit, base, take)
        return self.once(key, lambda: self.decide(options, totals, hand[52], sets, special, req, limit, base, take))

    def decide(self, options, totals, jokers, sets, special, req, limit, base, take):
        rules = self.rules
        mask = req.any | req.need | req.must
        for used, bits in self.join_suits(options):
            cards = sum(used)
            if cards > limit:
                continue
            points = base + sum(used[r] * rules.points[4 * r] for r in range(13))
            left = [totals[r] - used[r] for r in range(13)]
            keys = self.rank_keys(left, sets, take)
            for x, y, more in self.special_outcomes(left[C.DEUCE], jokers, special, req, mask):
                if cards + x + y > limit:
                    continue
                if self.reaches(
                    keys,
                    left[C.DEUCE] - x,
                    jokers - y,
                    req,
                    limit - cards - x - y,
                    points + x * rules.points[4] + y * rules.points[C.JOKER],
                    bits | more,
                    mask,
                ):
                    return True
        return False

    def rank_keys(self, left, sets, take):
        rules, keys = self.rules, []
        for r in range(13):
            kind = rules.set_kind.get(r)
            if kind is None or kind is rules.special:
                continue
            mine = take if take and take.way == "set" and take.rank == r else ()
            if left[r] >= 2 or sets[r] or mine:
                keys.append((rules.points[4 * r], kind.index, left[r], sets[r], mine))
        return tuple(sorted(keys))

    def reaches(self, keys, deuces, jokers, req, limit, points, bits, mask):
        deuces, jokers = deuces * self.wild_deuces, jokers * self.wild_jokers
        wilds = deuces + jokers
        value = [
            min(w, jokers) * self.rules.points[C.JOKER] + max(0, w - jokers) * self.rules.points[4]
            for w in range(wilds + 1)
        ]
        late = False
        for (more, w), (p, used) in self.best(keys, wilds, mask).items():
            if self.enough(req, points + p + value[w], bits | more):
                if used + w <= limit:
                    return True
                late = True
        if not late:
            return False
        return any(
            used + w <= limit and self.enough(req, points + p + value[w], bits | more)
            for (more, w, used), p in self.best_limited(keys, wilds, mask).items()
        )

    # ---- can the hand be laid out

    def layable(self, hand, runs, sets, going_out):
        """An upper bound: the natural cards that may lie in some meld at the end."""
        rules = self.rules
        inrun = [0] * 52
        if rules.run:
            for s in range(4):
                vec = hand[s:52:4]
                number = self.run_options(vec, runs[s], s, rules.longest(going_out), None, 0)
                most = self.once(
                    ("most", number),
                    lambda n=number: tuple(map(max, zip(*(u for u, _ in self.lists[n]), strict=True))),
                )
                inrun[s:52:4] = most
        wilds = hand[C.JOKER] + sum(hand[4:8])
        total = 0
        for r in range(13):
            if r == C.DEUCE:
                continue
            four = hand[4 * r : 4 * r + 4]
            n = sum(four)
            kind = rules.set_kind.get(r)
            if kind and (sets[r] or n + min(wilds, kind.max_wild) >= 3) and (sets[r] or n >= 2):
                total += n
            elif r == C.THREE and rules.black and four[0] + four[3] >= 3:
                total += four[0] + four[3] + inrun[4 * r + 1] + inrun[4 * r + 2]
            else:
                total += sum(inrun[4 * r + s] for s in range(4))
        return total + wilds

    def run_layouts(self, vec, existing, suit, longest):
        """All (cards used by rank, runs at the end) of one suit."""

        def make():
            rules, seen = self.rules, set()
            start = ((0,) * 13, tuple(sorted(existing)))
            todo = [start]
            while todo:
                used, runs = todo.pop()
                if (used, runs) in seen:
                    continue
                seen.add((used, runs))
                for i, key in enumerate(runs):
                    if key[2] < longest:
                        for r, bigger in rules.extensions(key):
                            if used[r] < vec[r]:
                                todo.append(
                                    (
                                        (*used[:r], used[r] + 1, *used[r + 1 :]),
                                        tuple(sorted(runs[:i] + runs[i + 1 :] + (bigger,))),
                                    )
                                )
                for p in range(len(rules.line)):
                    if not rules.fits_line(p, rules.run.min):
                        continue
                    ranks = rules.ranks_of(p, rules.run.min)
                    if all(used[r] < vec[r] for r in ranks):
                        u = list(used)
                        for r in ranks:
                            u[r] += 1
                        new = (suit, p, rules.run.min)
                        todo.append((tuple(u), tuple(sorted((*runs, new)))))
            return tuple(seen)

        return self.once(("layouts", vec, existing, suit, longest), make)

    def profile(self, melds):
        """The profile of melds that lie on the table."""
        rules, runs = self.rules, [0, 0, 0, 0]
        sets = natural = deuces = wild = 0
        for m in melds:
            if rules.complete(m):
                shape = rules.kinds[m.kind].shape
                if shape == "run":
                    runs[m.key[0]] += 1
                elif shape == "wild":
                    wild += 1
                else:
                    sets += 1
                    natural += m.w == 0
                    deuces += m.key == C.DEUCE
        return Profile(tuple(runs), sets, natural, deuces, wild, sum(map(rules.bonus, melds)))

    def tally(self, kind, melds):
        """(complete, natural ones, bonus) of melds (n, w) of one kind."""
        done = [(n, w) for n, w in melds if kind.is_full(n, w)]
        natural = sum(w == 0 for _, w in done)
        bonus = natural * kind.bonus["natural"] + (len(done) - natural) * kind.bonus["mixed"]
        return len(done), natural, bonus

    def profiles(self, hand, melds, merge=False, deuces=0):
        """The profiles of all tables on which the whole hand has been laid.

        With `merge` sets are merged too, even where no card would be left for it. Every deuce
        set must hold `deuces` deuces.
        """
        rules = self.rules
        runs, sets, special = self.split(melds)
        black_laid = any(rules.kinds[m.kind].black for m in melds)
        if sum(hand) > self.layable(hand, runs, sets, True):
            return frozenset()
        key = ("profiles", hand, runs, sets, special, black_laid, merge, deuces)
        return self.once(key, lambda: self.find_profiles(hand, runs, sets, special, black_laid, merge, deuces))

    def find_profiles(self, hand, runs, sets, special, black_laid, merge, deuces):
        rules, found = self.rules, set()
        totals = tuple(sum(hand[4 * r : 4 * r + 4]) for r in range(13))
        states = {((0,) * 13, 0, 0, ())}  # used by rank, red and black threes used, complete runs
        for s in range(4):
            options = (((0,) * 13, 0),)
            if rules.run:
                options = self.lists[self.run_options(hand[s:52:4], runs[s], s, rules.longest(True), None, COUNT)]
            red = s in (1, 2)
            states = {
                (tuple(map(int.__add__, u, v)), x + v[2] * red, y + v[2] * (not red), (*c, n))
                for u, x, y, c in states
                for v, n in options
            }
        for used, red, black, complete in states:
            red, black = hand[9] + hand[10] - red, hand[8] + hand[11] - black
            if red or black > (rules.black.max if rules.black else 0):
                continue
            if black and (black_laid or black < 3):
                continue
            left = [totals[r] - used[r] for r in range(13)]
            keys = []
            for r in range(13):
                kind = rules.set_kind.get(r)
                if kind is None or kind is rules.special:
                    if left[r] and r not in (C.DEUCE, C.THREE):
                        break
                elif left[r] or sets[r]:
                    keys.append((kind.index, left[r], sets[r]))
            else:
                found |= self.with_sets(
                    complete, tuple(sorted(keys)), left[C.DEUCE], hand[C.JOKER], special, merge, deuces
                )
        return frozenset(found)

    def with_sets(self, runs, keys, deuces, jokers, special, merge, least):
        kind, found = self.rules.special, set()
        run_bonus = sum(runs) * self.rules.run.bonus["natural"] if self.rules.run else 0
        table = self.whole_sets(keys, deuces + jokers, merge)
        for x, y, melds in self.special_states(deuces, jokers, special):
            if kind and kind.open_min and any(n < least for n, _ in melds):
                continue
            done, pure, extra = self.tally(kind, melds) if kind else (0, 0, 0)
            if self.stranded(deuces - x, jokers - y):
                continue
            wild = done if kind and kind.shape == "wild" else 0
            done, pure = (0, 0) if wild else (done, pure)
            for w, sets, natural, bonus in table:
                if w == deuces - x + jokers - y:
                    found.add(Profile(runs, sets + done, natural + pure, done, wild, bonus + extra + run_bonus))
        return found

    def stranded(self, deuces, jokers):
        """Whether cards are left that stand in nowhere."""
        return (deuces and not self.wild_deuces) or (jokers and not self.wild_jokers)

    def whole_sets(self, keys, wilds, merge):
        """All (wilds used, complete sets, natural ones, bonus) that use up every natural card."""

        def make():
            if not keys:
                return frozenset({(0, 0, 0, 0)})
            before = self.whole_sets(keys[:-1], wilds, merge)
            index, n, existing = keys[-1]
            kind = self.rules.kinds[index]
            mine = {
                (x, *self.tally(kind, sets))
                for u, x, sets in self.set_states(kind, n, wilds, existing, merge)
                if u == n
            }
            return frozenset(
                (w + x, a + d, b + e, c + f) for w, a, b, c in before for x, d, e, f in mine if w + x <= wilds
            )

        return self.once(("whole", keys, wilds, merge), make)

    def can_lay_out(self, hand, melds, least, most, good, merge=False, deuces=0):
        """Whether all of the hand but `least` to `most` (0 or 1) cards can be laid.

        `good(profile, rest)` judges what then lies on the table and the cards that stay.
        """
        return any(
            good(profile, rest)
            for rest, left in self.rests(hand, melds, least, most)
            for profile in self.profiles(left, melds, merge, deuces)
        )

    def rests(self, hand, melds, least, most):
        """(cards that stay, the others) where the others might all be laid."""
        self.tidy()
        runs, sets, _ = self.split(melds)
        if sum(hand) - self.layable(hand, runs, sets, True) <= most:
            for rest in [()] * (least == 0) + [(i,) for i in range(C.NUM) if hand[i] and most]:
                yield rest, C.minus(hand, rest)

    def can_lay_out_literally(self, hand, melds, least, most, good):
        """The same with `good(melds, rest)`: every table is shown, the melds without cards."""
        runs, sets, special = self.split(melds)
        blacks = [m for m in melds if self.rules.kinds[m.kind].black]
        return any(
            self.lay_all(left, runs, sets, special, blacks, lambda m, rest=rest: good(m, rest))
            for rest, left in self.rests(hand, melds, least, most)
            if self.profiles(left, melds)
        )

    def lay_all(self, hand, runs, sets, special, blacks, good):
        rules = self.rules
        options = [(((0,) * 13, ()),)] * 4
        if rules.run:
            options = [self.run_layouts(hand[s:52:4], runs[s], s, rules.longest(True)) for s in range(4)]

        def suits(s, left, laid):
            if s == 4:
                return threes(left, laid)
            for used, keys in options[s]:
                rest = list(left)
                for r in range(13):
                    rest[4 * r + s] -= used[r]
                new = [Meld(rules.run.index, k, k[2], 0, ()) for k in keys] if keys else []
                if suits(s + 1, rest, laid + new):
                    return True
            return False

        def threes(left, laid):
            red, black = left[9] + left[10], left[8] + left[11]
            if red or black > (rules.black.max if rules.black else 0) or 0 < black < 3:
                return False
            if black:
                if blacks:
                    return False
                laid = [*laid, Meld(rules.black.index, C.THREE, black, 0, ())]
            n = [sum(left[4 * r : 4 * r + 4]) for r in range(13)]
            for x, y, done in self.special_states(n[C.DEUCE], left[C.JOKER], special):
                new = [Meld(rules.special.index, self.special_key(), a, b, ()) for a, b in done]
                deuces, jokers = n[C.DEUCE] - x, left[C.JOKER] - y
                if not self.stranded(deuces, jokers) and ranks(0, n, deuces + jokers, laid + new):
                    return True
            return False

        def ranks(r, n, wilds, laid):
            if r == 13:
                return wilds == 0 and good(laid + list(blacks))
            kind = rules.set_kind.get(r)
            if kind is None or kind is rules.special:
                return (n[r] == 0 or r in (C.DEUCE, C.THREE)) and ranks(r + 1, n, wilds, laid)
            if not n[r] and not sets[r]:
                return ranks(r + 1, n, wilds, laid)
            for u, x, done in self.set_states(kind, n[r], wilds, sets[r]):
                if u == n[r]:
                    new = [Meld(kind.index, r, a, b, ()) for a, b in done]
                    if ranks(r + 1, n, wilds - x, laid + new):
                        return True
            return False

        return suits(0, list(hand), [])

    def special_key(self):
        return C.DEUCE if self.rules.special.shape == "set" else None


def multisets(hand, rank, n):
    """Distinct multisets of n natural cards of a rank."""
    return [
        c
        for c in combinations_with_replacement([i for i in range(4 * rank, 4 * rank + 4) if hand[i]], n)
        if all(hand[i] >= c.count(i) for i in c)
    ]
