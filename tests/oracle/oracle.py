"""A slow, literal referee: one deal of any game of the family, from the rule files alone."""

import re
from itertools import product

from . import cards as C
from . import search as S
from .after_yes import AfterYes
from .lays import Meld, get_rules
from .position import read_position, write_position

STRAINS = ["C", "D", "H", "S", "CAN", "DEU"]
FITS = {"fit_set", "fit_full", "fit_run"}
NEEDS = {"none": 0, "canasta": S.CANASTA, "natural canasta": S.NATURAL}
_searches = {}


def bid_text(bid):
    return f"{bid[0]}{STRAINS[bid[1]]}"


def read_bid(text):
    found = re.fullmatch(r"([1-9]\d*)(CAN|DEU|C|D|H|S)", text)
    return (int(found[1]), STRAINS.index(found[2])) if found else None


def read_contract(text):
    """(level, strain, seat, doubled) or None."""
    if text == "none":
        return None
    parts = text.split()
    if len(parts) in (3, 4) and parts[1] == "by" and parts[3:] in ([], ["doubled"]):
        bid = read_bid(parts[0])
        if bid:
            return (*bid, parts[2], len(parts) == 4)
    raise ValueError(f"no such contract: {text}")


class Oracle(AfterYes):
    """One deal.

    Read: phase, turn, contract, hands, melds, pile, stock_size, frozen, minimum, penalties,
    bonus, bought, result, ended, scores, components, winner, opened, turns.
    """

    FIELDS = """dealer phase seat contract calls bids totals hands_ melds_ opened_ laid_bonus
        laid_bought penalties_ pile_ stock_ ended_ out_seat turns opened_turn drew laid asked
        start_melds touched started must_out first discard_only prelay ask_phase laid_before
        concealed rulings""".split()

    def __init__(self, position=None, rules="sitoumussamba", options=None):
        self.rules = get_rules(rules, options)
        if self.rules not in _searches:
            if len(_searches) >= 8:
                _searches.clear()
            _searches[self.rules] = S.Search(self.rules)
        self.search = _searches[self.rules]
        self._legal = self._binds = None
        self._blank()
        if position is not None:
            read_position(self, position)

    def _blank(self):
        rules = self.rules
        self.dealer = rules.seats[0]
        self.phase, self.seat = "draw", None
        self.contract = None  # (level, strain, seat, doubled)
        self.calls, self.bids = [], []  # bids: (level, strain, seat), rising
        self.totals = dict.fromkeys(rules.sides, 0)
        self.hands_ = dict.fromkeys(rules.seats, C.EMPTY)
        self.melds_ = dict.fromkeys(rules.sides, ())
        self.opened_ = dict.fromkeys(rules.sides, False)
        self.laid_bonus = dict.fromkeys(rules.sides, ())
        self.laid_bought = dict.fromkeys(rules.sides, ())
        self.penalties_ = dict.fromkeys(rules.sides, 0)
        self.pile_, self.stock_ = (), ()
        self.ended_ = self.out_seat = None
        self.turns = 0
        self.opened_turn = dict.fromkeys(rules.sides, -1)
        self.laid_before = dict.fromkeys(rules.seats, False)
        self.concealed = False
        self.rulings = {}  # points of a director by side, signed (I1.3)
        self.first = self.discard_only = False
        self._fresh_turn()

    def _fresh_turn(self):
        self.drew = None  # "stock" or "pile"
        self.laid = False  # anything laid, taken or merged in this turn
        self.asked = None  # "yes" or "no"
        self.ask_phase = None
        self.start_melds = len(self.melds_[self.rules.side_of[self.seat]]) if self.seat else 0
        self.touched, self.started = False, ()  # for a concealed going out of the player
        self.must_out = False  # F12, F17
        self.prelay = None  # number of the run that the transfer aims at (D18)

    def copy(self):
        other = object.__new__(type(self))
        for name, value in self.__dict__.items():
            other.__dict__[name] = value.copy() if isinstance(value, (dict, list)) else value
        return other

    @classmethod
    def deal(cls, hands, stock, rules="sitoumussamba", options=None, dealer="N", totals=None):
        """A deal from the start; cards as texts ("9c") or one text with blanks."""
        self = cls(None, rules, options)
        r = self.rules

        def read(x):
            return C.cards(x) if isinstance(x, str) else [C.card(t) for t in x]

        self.dealer = dealer
        self.totals = {s: (totals or {}).get(s, 0) for s in r.sides}
        self.hands_ = {s: C.counts(read(hands[s])) for s in r.seats}
        self.stock_ = tuple(read(stock))
        every = [sum(h[i] for h in self.hands_.values()) for i in range(C.NUM)]
        for i in self.stock_:
            every[i] += 1
        if tuple(every) != r.pack:
            raise ValueError("surplus: hands and stock are not the pack")
        starter = r.next_seat[dealer]
        self.seat = starter
        deal = r.data["deal"]
        if deal["turn_up"] == "after_auction":
            self.phase = "auction"
        else:
            if deal["turn_up"] == "after_deal":
                self._turn_up()
            seat = starter
            for _ in r.seats:  # F1
                if seat == starter or not r.bonus_waits:  # F24
                    self._replace_bonus_cards(seat)
                seat = r.next_seat[seat]
            self.phase = "draw"
            if deal["first_turn"] == "discard_only":
                self.phase, self.discard_only = "meld", True
        self._fresh_turn()
        return self

    def _turn_up(self):
        cover = self.rules.data["deal"]["cover"]
        self.pile_, self.stock_ = self.stock_[:1] + self.pile_, self.stock_[1:]
        while C.CLASS[self.pile_[0]] in cover and self.stock_:
            self.pile_, self.stock_ = self.stock_[:1] + self.pile_, self.stock_[1:]

    def _replace_bonus_cards(self, seat):
        side = self.rules.side_of[seat]
        while True:
            found = [i for i in self.rules.bonus_cards if self.hands_[seat][i]]
            if not found:
                return
            self.hands_[seat] = C.minus(self.hands_[seat], found[:1])
            self.laid_bonus[side] += (found[0],)
            if self.stock_:
                self.hands_[seat] = C.plus(self.hands_[seat], self.stock_[:1])
                self.stock_ = self.stock_[1:]

    def to_position(self):
        return write_position(self)

    # ---- reading

    @property
    def turn(self):
        return self.rules.partner[self.seat] if self.phase == "reply" else self.seat

    @property
    def contract_text(self):
        if self.contract is None:
            return "none"
        level, strain, seat, doubled = self.contract
        return f"{level}{STRAINS[strain]} by {seat}" + " doubled" * doubled

    @property
    def hands(self):
        return {s: C.show(C.listed(h)) for s, h in self.hands_.items()}

    @property
    def melds(self):
        return {s: [C.show(m.cards) for m in ms] for s, ms in self.melds_.items()}

    @property
    def pile(self):
        return " ".join(C.TEXT[i] for i in self.pile_)

    @property
    def stock(self):
        return " ".join(C.TEXT[i] for i in self.stock_)

    @property
    def stock_size(self):
        return len(self.stock_)

    @property
    def frozen(self):
        return any(i in self.rules.freezers for i in self.pile_)

    @property
    def minimum(self):
        return {s: self._band(s)[0] for s in self.rules.sides}

    @property
    def penalties(self):
        return dict(self.penalties_)

    @property
    def bonus(self):
        return {s: C.show(b) for s, b in self.laid_bonus.items()}

    @property
    def bought(self):
        return {s: len(b) for s, b in self.laid_bought.items()}

    @property
    def opened(self):
        """Turn in which a side opened: 0 before play, -1 never."""
        return dict(self.opened_turn)

    @property
    def ended(self):
        return f"out {self.out_seat}" if self.ended_ == "out" else self.ended_

    # ---- the opening

    def _side(self, seat=None):
        return self.rules.side_of[seat or self.seat]

    def _band(self, side):
        for row in self.rules.data["opening"]["bands"]:
            if row[0] in (None, "inf") or self.totals[side] < row[0]:
                return row[1], (row[2] if len(row) > 2 else "none")
        return row[1], (row[2] if len(row) > 2 else "none")

    def _req(self, must=0):
        """What the opening of the side to act needs."""
        rules, side = self.rules, self._side()
        points, needs = self._band(side)
        sufficient = S.CANASTA if rules.data["opening"]["bonus_counts"] else 0  # R13.3
        suit, declarer = None, self.phase == "opening"
        if declarer and self.contract[0] >= 4:  # R14.4-14.6
            strain = self.contract[1]
            if strain < 4:
                sufficient, suit = sufficient | S.RUN, strain
            else:
                sufficient |= S.FOUR if strain == 4 else S.DEUCES
        deuces = 0
        if rules.special and rules.special.open_min:
            deuces = rules.special.open_min[0 if declarer else 1]
        return S.Req(max(points, 1), sufficient, NEEDS[needs], must, deuces, suit)

    def _points(self, melds):
        return sum(self.rules.card_points(m.cards) for m in melds)

    def _suffices(self, melds, points=None):
        """Whether melds (without black threes) are an opening."""
        melds = [m for m in melds if not self.rules.kinds[m.kind].black]
        if points is None:
            points = self._points(melds)
        req = self._req()
        return bool(melds) and self.search.enough(req, points, self.search.bits(melds, req))

    def _suffices_with_take(self, melds, points, cards, top, after):
        """The same at the moment of a take: melds before it, hand cards of the take, top card."""
        opening, req = self.rules.data["opening"], self._req()
        counted = after if opening["top_counts"] else melds
        if opening["pair_counts"]:
            points += self.rules.card_points(cards)
        if opening["top_counts"]:
            points += self.rules.points[top]
        return self.search.enough(req, points, self.search.bits(counted, req))

    # ---- going out

    def _declaring(self, side):
        return self.contract is not None and self._side(self.contract[2]) == side

    def _strain_made(self, done):
        strain = self.contract[1]  # D14
        return bool(done.runs[strain] if strain < 4 else done.sets if strain == 4 else done.deuces)

    def _right(self, side, done, points):
        """The right to go out with this profile on the table (R28, B28; out.needs)."""
        rules, c = self.rules, self.rules.contract
        if self.asked == "no" or (rules.ask == "required" and self.asked != "yes"):
            return False
        if rules.data["out"]["role"]:
            if self.contract is None and c["no_commitment_goout"] == "none":
                return True
            if self._declaring(side):
                got = done.bonus + rules.data["out"]["bonus"] * c["out_bonus_in_gate"]
                if self.contract[0] >= 5:
                    got += points
                if c["strain_must_be_made"] and not self._strain_made(done):
                    return False
                return got >= 1000 * self.contract[0]
        runs = sum(done.runs)
        have = {
            "canasta": runs + done.sets + done.wild,
            "natural canasta": runs + done.natural,
            "run": runs,
            "set": done.sets,
            "natural set": done.natural,
            "wild": done.wild,
        }
        return all(have[name] >= n for name, n in rules.data["out"]["needs"])

    def _right_with(self, side, melds, points=None):
        return self._right(side, self.search.profile(melds), self._points(melds) if points is None else points)

    def _merges(self, melds):
        """(i, j, melds) for each pair of melds that may become one; j joins i (F14)."""
        if self.rules.merging:
            for j in range(len(melds)):
                for i in range(j):
                    one = self.rules.merged(melds[i], melds[j])
                    if one:
                        yield i, j, (*melds[:i], one, *melds[i + 1 : j], *melds[j + 1 :])

    def _endable(self, hand, melds, opened=True, points=None, must_out=False):
        """Whether the turn can be ended from here, in phase meld (R19.1, B19c, F4)."""
        side, rules, n = self._side(), self.rules, sum(hand)
        melds = tuple(melds)
        if points is None:
            points = self._points(melds)
        if n >= 2:
            return not must_out or self._laid_out(hand, melds, points)
        if self._right_with(side, melds, points):
            return n == 1 or not rules.discard_required
        if n == 0 or (rules.discard_required and not rules.merging):
            return False
        card = C.listed(hand)[0]
        seen, todo = {melds}, [melds]
        while todo:
            ms = todo.pop()
            if self._right_with(side, ms, points):
                return True
            if not rules.discard_required:
                for i, m in enumerate(ms):
                    more = rules.grow(m, card, going_out=True)
                    if more and self._right_with(side, (*ms[:i], more, *ms[i + 1 :]), points + rules.points[card]):
                        return True
            for _, _, after in self._merges(ms) if opened else ():
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
        return False

    def _laid_out(self, hand, melds, points):
        """Whether the hand of an opened side can be laid out, merging sets too (F17)."""
        if sum(hand) <= 1:
            return self._endable(hand, melds, True, points)
        side, least = self._side(), 1 if self.rules.discard_required else 0
        total = points + self.rules.card_points(C.listed(hand))

        def good(done, rest):
            return self._right(side, done, total - self.rules.card_points(rest))

        if self.search.can_lay_out(hand, melds, least, 1, good):
            return True
        if not self.rules.merging or not self.search.can_lay_out(hand, melds, least, 1, good, True):
            return False
        key = ("laid out", hand, tuple(sorted(melds)), self.asked)
        cache = self.search.cache
        if key not in cache:
            cache[key] = False
            steps = sorted(self._steps(hand, melds, True), key=lambda x: x[0][0] != "merge")
            cache[key] = any(self._laid_out(h, ms, self._points(ms)) for _, h, ms in steps)
        return cache[key]

    # ---- steps

    def _steps(self, hand, melds, opened, only_adds=False):
        """Every single step (action, hand, melds) by the shape of the melds alone."""
        rules, n = self.rules, sum(hand)
        if not only_adds:
            for cards in self._small_melds(hand):
                meld = rules.start(cards)
                kind = rules.kinds[meld.kind]
                if kind.black:
                    if n - len(cards) > 1 or any(m.kind == meld.kind for m in melds):
                        continue
                elif kind.shape == "set" and not kind.may_start(
                    [(m.n, m.w) for m in melds if m.kind == meld.kind and m.key == meld.key]
                ):
                    continue
                yield ("meld", cards), C.minus(hand, cards), (*melds, meld)
        for i, m in enumerate(melds):
            for card in range(C.NUM):
                if hand[card]:
                    more = rules.grow(m, card, going_out=True)
                    if more:
                        yield (
                            ("add", (card,), i),
                            C.minus(hand, (card,)),
                            (*melds[:i], more, *melds[i + 1 :]),
                        )
        if opened and n:
            for i, j, after in self._merges(melds):
                yield ("merge", j, i), hand, after

    def _small_melds(self, hand):
        """The cards of each smallest meld; black threes whole."""
        rules = self.rules
        for rank, kind in rules.set_kind.items():
            own = range(4 * rank, 4 * rank + 4)
            for a, b in kind.starts():
                wild = [i for i in kind.wild_cards if i not in own]
                for x, y in product(C.choose(hand, own, a), C.choose(hand, wild, b)):
                    yield tuple(sorted(x + y))
        if rules.wild:
            wild = [i for i in range(C.NUM) if C.CLASS[i] in rules.wild.classes]
            yield from C.choose(hand, wild, 3)
        if rules.run:
            for (p, n), suit in product(rules.window.values(), range(4)):
                if n == rules.run.min:
                    cards = tuple(sorted(4 * r + suit for r in rules.ranks_of(p, n)))
                    if all(hand[i] for i in cards):
                        yield cards
        if rules.black:
            left = sum(hand)
            for n in range(rules.black.min, rules.black.max + 1):
                if left - n in (0, 1):
                    yield from C.choose(hand, (8, 11), n)

    def _grows_full_run(self, melds, action):
        """Whether the step is an addition that only going out allows (F17)."""
        if action[0] != "add":
            return False
        m = melds[action[2]]
        return self.rules.grow(m, action[1][0]) is None

    def _waiver(self):
        """Whether the minimum is waived for going out in this turn (F11)."""
        return (
            self.rules.data["opening"]["waive"] != "never" and self.drew == "stock" and not self.opened_[self._side()]
        )

    def _why_not_lay(self, action, hand, melds):
        """Why a step that leads to this hand and these melds is refused, or None."""
        side, rules = self._side(), self.rules
        before = self.melds_[side]
        black = action[0] == "meld" and rules.start(action[1]).kind == getattr(rules.black, "index", None)
        full_run = self._grows_full_run(before, action)
        opened = self.opened_[side]
        if action[0] == "merge" and not opened:
            return "sets are merged only after the opening"
        if self.phase == "opening":
            if black or full_run or not self.search.can_open(hand, melds, self._req(), 1, self._points(melds)):
                return "the opening could not be completed after it"
            return None
        if self.phase == "draw":
            if opened:
                return self._why_not_prelay(action, hand, melds)
            if black or full_run or action[0] == "merge" or not self._can_take_opening(hand, melds):
                return "no opening with the pile could be completed after it"
            return None
        if opened:
            must = self.must_out or black or full_run
            if black and sum(hand) > 1:
                return "black threes are the last meld"
            if self._endable(hand, melds, True, must_out=must):
                return None
            return "the turn could not be ended after it"
        if self.drew != "stock":
            return "the side has not opened"
        if black and sum(hand) > 1:
            return "black threes are the last meld"
        points = self._points(melds)
        if not (black or full_run):
            if self._suffices(melds) and self._endable(hand, melds):
                return None
            if self.search.can_open(hand, melds, self._req(), 2, points):
                return None
        least = 1 if rules.discard_required else 0
        total = points + rules.card_points(C.listed(hand))
        if self._waiver():
            if sum(hand) <= 1:
                good = self._endable(hand, melds, False)
            else:
                good = self.search.can_lay_out(
                    hand,
                    melds,
                    least,
                    1,
                    lambda done, rest: self._right(side, done, total - rules.card_points(rest)),
                )
        else:
            good = not (black or full_run) and self._opens_going_out(hand, melds, total, least)
        return None if good else "the opening could not be completed after it"

    def _opens_going_out(self, hand, melds, total, least):
        """Whether an opening that leaves at most one card can be completed (the rare end)."""
        if self.asked == "no" or (self.rules.ask == "required" and self.asked != "yes"):
            return False
        side, req = self._side(), self._req()
        if not self.rules.discard_required:
            # the last card may be laid, or sets merged, after the opening has become complete

            def shown(ms, rest):
                points = total - self.rules.card_points(rest)
                if any(self.rules.kinds[m.kind].black for m in ms):
                    return False  # the opening is complete before them, with more cards in hand
                return self._suffices(ms, points) and self._endable(C.counts(rest), ms, True, points)

            return self.search.can_lay_out_literally(hand, melds, least, 1, shown)

        def good(done, rest):
            bits = S.CANASTA * bool(sum(done.runs) + done.sets + done.wild)
            bits |= S.NATURAL * bool(sum(done.runs) + done.natural)
            points = total - self.rules.card_points(rest)
            return self._right(side, done, points) and self.search.enough(req, points, bits)

        return self.search.can_lay_out(hand, melds, least, 1, good, False, req.deuces)

    # ---- the pile

    def _ways(self):
        """The ways in which the pile may be taken by the player to act."""
        data, side = self.rules.data, self._side()
        if not self.pile_:
            return set()
        take = data["pile"]["take"]
        ways = set(take["frozen" if self.frozen else "open"])
        if not self.opened_[side]:
            ways &= set(take["unopened"])
        top = C.CLASS[self.pile_[0]]
        if top in data["pile"]["dead_top"]:
            return set()
        if top in data["pile"]["run_only_top"]:
            ways &= {"fit_run"}
        if self.first or self.prelay is not None:
            ways &= {"fit_run"}
        if not self.stock_:
            rule = data["stock"]["empty"]
            if rule == "end_after_turn":
                return set()
            if rule in ("forced_fit", "may_fit"):
                ways &= FITS
        return ways

    def _extents(self):
        """[(locks, cards)] that may be taken; the first is the text without locks= (D18)."""
        extent = self.rules.data["pile"]["extent"]
        if extent == "whole" or not self.frozen:
            return [(1, len(self.pile_))]
        locks = [i for i, c in enumerate(self.pile_) if c in self.rules.freezers]
        start = 0
        if extent == "to_next_freezer" and locks[0] == 0:
            if len(locks) == 1:
                return [(1, len(self.pile_))]
            start = 1
        out = [(start + 1, locks[start] + 1)]
        for k in range(start + 1, len(locks)):
            if locks[k] != locks[k - 1] + 1:
                break
            out.append((k + 1, locks[k] + 1))
        return out

    def _ways_of(self, cards, target):
        """The ways that a take with these hand cards is."""
        top = self.pile_[0]
        rank = top >> 2
        n = sum(i != C.JOKER and i >> 2 == rank for i in cards)
        if not cards:
            if target is None:
                return set()
            m = self.melds_[self._side()][target]
            if self.rules.kinds[m.kind].shape == "run":
                return {"fit_run"}
            return {"fit_full" if self.rules.complete(m) else "fit_set"}
        kind, w = self.rules.set_kind.get(rank), len(cards) - n
        if w and not (kind and all(i in kind.wild_cards for i in cards if i == C.JOKER or i >> 2 != rank)):
            return set()
        shapes = {"pair": (2, 0), "triple": (3, 0), "natural+wild": (1, 1)}
        if self._names_all():  # F5: at least what the pile needs
            return {way for way, (a, b) in shapes.items() if n >= a and w >= b}
        return {way for way, shape in shapes.items() if shape == (n, w)}

    def _names_all(self):
        """Whether a take names every card of its set that is to count (F5)."""
        return self.rules.data["opening"]["top_counts"] and not self.opened_[self._side()]

    def _after_take(self, cards, target, count):
        """(hand, melds, bonus cards) after a take, or None if the cards do not fit."""
        rules, side, top = self.rules, self._side(), self.pile_[0]
        melds = self.melds_[side]
        if target is None:
            start = None
            items = tuple(sorted((*cards, top)))
            kind = rules.set_kind.get(top >> 2)
            if kind is None or top == C.JOKER:
                return None
            for three in C.choose(C.counts(items), sorted(set(items)), 3):
                start = rules.start(three)
                if start and start.kind == kind.index and start.key == top >> 2:
                    start = rules.grow_all(start, tuple(C.listed(C.minus(C.counts(items), three))))
                    if start:
                        break
            if not start or start.kind != kind.index or start.key != top >> 2:
                return None
            if kind.per_rank == "one" and any(m.kind == kind.index and m.key == top >> 2 for m in melds):
                return None
            melds = (*melds, start)
        else:
            m = melds[target]
            kind = rules.kinds[m.kind]
            if cards and (kind.shape != "set" or m.key != top >> 2 or kind.black):
                return None
            limit = rules.data["pile"]["new_set_from"]
            if cards and limit and m.n + m.w >= limit:
                return None  # R24.6, R25.3
            if not cards and kind.shape == "set" and m.key != top >> 2:
                return None
            if kind.shape == "wild":
                return None
            more = rules.grow_all(m, (*cards, top))
            if not more:
                return None
            melds = (*melds[:target], more, *melds[target + 1 :])
        below = self.pile_[1:count]
        bonus = tuple(i for i in below if i in rules.bonus_cards)
        hand = C.minus(self.hands_[self.seat], cards)
        hand = C.plus(hand, [i for i in below if i not in rules.bonus_cards])
        return hand, melds, bonus

    def _take_endable(self, hand, melds, points=None):
        """Whether the turn can be ended after a take; the extra card may save it (D6)."""
        if self.rules.data["draw"]["after_pile"] and self.stock_:
            if points is None:
                points = self._points(melds)
            return sum(hand) >= 1 or self._right_with(self._side(), melds, points)
        return self._endable(hand, melds, True, points)

    def _why_not_take(self, cards, target, locks):
        if self.phase != "draw":
            return "the pile is taken before anything else, instead of the draw"
        if not self.pile_:
            return "there is no pile"
        side, rules = self._side(), self.rules
        melds, hand = self.melds_[side], self.hands_[self.seat]
        if target is not None and not 0 <= target < len(melds):
            return "there is no such meld"
        if not C.has(hand, cards):
            return "the cards are not in hand"
        if not self._ways_of(cards, target) & self._ways():
            return "the pile cannot be taken in this way"
        counts = dict(self._extents())
        if locks not in counts:
            return "so many lock cards cannot be taken"
        if self.prelay is not None and target != self.prelay:
            return "the transfer must go to the sequence that was laid for it"
        if rules.data["pile"]["single_bar"] and sum(hand) == 1 and len(self.pile_) == 1:
            return "one card in hand does not take a pile of one card"
        after = self._after_take(cards, target, counts[locks])
        if after is None:
            return "the cards and the top card do not go there"
        if not self.opened_[side] and not self._suffices_with_take(
            melds, self._points(melds), cards, self.pile_[0], after[1]
        ):
            return "the opening does not suffice"
        if not self._take_endable(after[0], after[1]):
            return "the turn could not be ended after it"
        return None

    def _takes(self):
        """Every take that is shaped like one."""
        top, side, ways = self.pile_[0] if self.pile_ else None, self._side(), self._ways()
        hand, melds = self.hands_[self.seat], self.melds_[side]
        if not ways:
            return
        rank = top >> 2
        found = []
        for cards in self._choices(hand, rank, ways - FITS):
            found += [(cards, None)] + [(cards, i) for i, m in enumerate(melds) if m.key == rank]
        if ways & FITS:
            found += [((), i) for i in range(len(melds))]
        for cards, target in found:
            for locks, _ in self._extents():
                yield ("take", cards, target, locks)

    def _choices(self, hand, rank, ways):
        """The hand cards with which the pile can be taken in these ways."""
        kind, found = self.rules.set_kind.get(rank), []
        if self._names_all() and kind and ways:
            wild = [i for i in kind.wild_cards if i >> 2 != rank]
            for n in range(1, sum(hand[4 * rank : 4 * rank + 4]) + 1):
                for w in range(kind.max_wild + 1):
                    for a, b in product(S.multisets(hand, rank, n), C.choose(hand, wild, w)):
                        if self._ways_of(tuple(sorted(a + b)), None) & ways:
                            found.append(tuple(sorted(a + b)))
            return found
        for way in sorted(ways):
            if way != "natural+wild":
                found += S.multisets(hand, rank, 2 if way == "pair" else 3)
            elif kind:
                wild = [i for i in kind.wild_cards if i >> 2 != rank]
                pairs = product(S.multisets(hand, rank, 1), C.choose(hand, wild, 1))
                found += [tuple(sorted(a + b)) for a, b in pairs]
        return found

    def _can_take_opening(self, hand, melds):
        """Whether an opening laid before the take can be completed by a take (D3, F5)."""
        rules, opening = self.rules, self.rules.data["opening"]
        ways = self._ways()
        if not ways:
            return False
        top = self.pile_[0]
        base = self._points(melds)
        extra = rules.data["draw"]["after_pile"] and self.stock_
        belows = sorted(
            {tuple(i for i in self.pile_[1:count] if i not in rules.bonus_cards) for _, count in self._extents()},
            key=len,
        )
        by_hand = [] if top >> 2 not in rules.set_kind else self._choices(hand, top >> 2, ways - FITS)
        for way, sets in [("set", by_hand), *((way, [()]) for way in sorted(ways & FITS))]:
            for cards in sets:
                left = C.minus(hand, cards)
                points = base
                points += rules.card_points(cards) * opening["pair_counts"]
                points += rules.points[top] * opening["top_counts"]
                n = sum(i != C.JOKER and i >> 2 == top >> 2 for i in cards)
                take = S.Take("run" if way == "fit_run" else "set", top >> 2, top & 3, n, len(cards) - n)
                keep = max(0, (1 if extra else 2) - len(belows[-1]))
                if way in FITS and rules.data["pile"]["single_bar"] and len(self.pile_) == 1:
                    keep = max(keep, 2)
                req = self._req(S.FIT if way == "fit_run" else 0)
                if self.search.can_open(left, melds, req, keep, points, take):
                    return True
                if any(
                    self._opens_out_with_take(left, melds, cards, way, below) for below in belows if len(below) <= 1
                ):
                    return True
        return False

    def _opens_out_with_take(self, left, melds, cards, way, below):
        """The rare end: an opening with the pile that leaves at most one card in all."""
        rules, top = self.rules, self.pile_[0]
        total = self._points(melds) + rules.card_points(C.listed(left))

        def good(ms, rest):
            if any(rules.kinds[m.kind].black for m in ms):
                return False
            if way in FITS and rules.data["pile"]["single_bar"]:
                if len(rest) == 1 and len(self.pile_) == 1:
                    return False
            points = total - rules.card_points(rest)
            for after in self._abstract_takes(tuple(ms), cards, way):
                if self._suffices_with_take(ms, points, cards, top, after):
                    hand = C.counts(rest + below)
                    whole = points + rules.card_points((*cards, top))
                    if self._take_endable(hand, after, whole):
                        return True
            return False

        return self.search.can_lay_out_literally(left, melds, 0, 1 - len(below), good)

    def _abstract_takes(self, melds, cards, way):
        """Melds after a take of the given way, new or joined."""
        rules, top = self.rules, self.pile_[0]
        data = rules.data["pile"]
        if way not in FITS:
            kind = rules.set_kind[top >> 2]
            n = 1 + sum(i >> 2 == top >> 2 for i in cards)
            w = len(cards) + 1 - n
            same = [m for m in melds if m.kind == kind.index and m.key == top >> 2]
            if not (kind.per_rank == "one" and same) and kind.stands(n, w):
                yield (*melds, Meld(kind.index, top >> 2, n, w, ()))
        for i, m in enumerate(melds):
            kind = rules.kinds[m.kind]
            if kind.shape == "wild" or kind.black:
                continue
            if way == "fit_run" and kind.shape != "run":
                continue
            if way != "fit_run" and (kind.shape != "set" or m.key != top >> 2):
                continue
            if way in ("fit_set", "fit_full") and rules.complete(m) != (way == "fit_full"):
                continue
            if cards and data["new_set_from"] and m.n + m.w >= data["new_set_from"]:
                continue
            more = rules.grow_all(m, (*cards, top))
            if more:
                yield (*melds[:i], more, *melds[i + 1 :])

    # ---- laying a sequence for the transfer (option transfer_to_new_sequence, D18)

    def _gap(self, key):
        """Ranks to add to a run, in order, until the top card fits; None if it never does."""
        rules, top = self.rules, self.pile_[0]
        for end in (0, 1):
            ranks, k = [], key
            while k[2] < rules.run.full:
                low_high = rules.extensions(k)
                step = [x for x in low_high if (x[1][1] != k[1]) == (end == 0)]
                if not step:
                    break
                rank, k = step[0]
                if rank == top >> 2:
                    return ranks
                ranks.append(rank)
        return None

    def _why_not_prelay(self, action, hand, melds):
        rules = self.rules
        reason = "the side has opened: cards are laid after the draw"
        c = rules.contract
        if not c or not c["transfer_to_new_sequence"] or "fit_run" not in self._ways():
            return reason
        top = self.pile_[0]
        if top == C.JOKER:
            return reason
        if action[0] == "meld":
            if self.prelay is not None or rules.kinds[melds[-1].kind].shape != "run":
                return "only what the transfer needs is laid before it"
            target = len(melds) - 1
        elif action[0] == "add":
            target = action[2]
            old = self.melds_[self._side()][target]
            if self.prelay not in (None, target) or rules.kinds[old.kind].shape != "run":
                return "only what the transfer needs is laid before it"
            if old.key[0] != top & 3:
                return "only what the transfer needs is laid before it"
            gap = self._gap(old.key)
            if not gap or action[1][0] >> 2 != gap[0]:
                return "only what the transfer needs is laid before it"
        else:
            return reason
        key = melds[target].key
        if key[0] != top & 3:
            return "the top card does not fit there"
        gap = self._gap(key)
        if gap is None or not all(hand[4 * r + key[0]] for r in gap):
            return "the top card cannot be transferred onto it"
        rest = C.minus(hand, [4 * r + key[0] for r in gap])
        if sum(rest) == 1 and len(self.pile_) == 1:
            return "one card in hand does not take a pile of one card"
        final = melds[target]
        for r in [*gap, top >> 2]:
            final = rules.grow(final, 4 * r + key[0])
        after = (*melds[:target], final, *melds[target + 1 :])
        for _, count in self._extents():
            if self._take_endable(C.plus(rest, self.pile_[1:count]), after):
                return None
        return "the turn could not be ended after it"

    # ---- which actions are legal

    def legal(self):
        """The full list of generated single steps, as texts."""
        if self._legal is None:
            self._legal = frozenset(self._text(a) for a in self._candidates() if self._why_not(a) is None)
        return set(self._legal)

    def _candidates(self):
        phase = self.phase
        if phase == "auction":
            yield from [("pass",), ("double",)]
            top = self.bids[-1][:2] if self.bids else (0, 5)
            for level in range(1, self.rules.contract["max_level"] + 1):
                for strain in range(6):
                    if (level, strain) > top:
                        yield ("bid", level, strain)
        elif phase == "reply":
            yield from [("yes",), ("no",)]
        elif phase == "opening":
            yield from [("fail",), ("done",)]
            yield from self._lays()
        elif phase == "draw":
            yield from [("draw",), ("end",), ("ask",)]
            yield from self._takes()
            if self._ways():
                side = self._side()
                c = self.rules.contract
                if not self.opened_[side] or (c and c["transfer_to_new_sequence"]):
                    yield from self._lays()
        elif phase in ("taken", "meld"):
            yield from [("extra",), ("ask",)]
            hand = self.hands_[self.seat]
            for i in range(C.NUM):
                if hand[i]:
                    yield ("discard", i)
                    yield ("buy", i)
            if not self.discard_only:
                yield from self._lays()

    def _lays(self):
        side = self._side()
        for action, _, _ in self._steps(self.hands_[self.seat], self.melds_[side], self.opened_[side]):
            yield action

    def _begun(self):
        """Whether an opening or a transfer's sequence has been begun and is not complete."""
        side = self._side()
        return self.prelay is not None or (not self.opened_[side] and bool(self.melds_[side]))

    def _forced(self):
        """Whether the top card must be taken, the stock being empty (C37, D11, F19)."""
        rule = self.rules.data["stock"]["empty"]
        if rule not in ("forced_fit", "forced_fit_may_take"):
            return False
        if rule == "forced_fit_may_take" and self.frozen:
            return False
        return any(not a[1] and self._why_not_free(a) is None for a in self._takes())

    def _why_not(self, a):
        """Why a single step is refused, or None."""
        reason = self._why_not_free(a)
        if reason is None and self.asked == "yes":
            if self._binds is None:
                self._binds = self._bound()
            if self._binds and not self._goes_on(a):
                return "partner has said yes, and the player can go out"
        return reason

    def _why_not_free(self, a):
        """The same, as far as no answer of the partner binds."""
        phase, verb, rules = self.phase, a[0], self.rules
        if phase == "over":
            return "the deal is over"
        side = self._side()
        hand = self.hands_[self.seat]
        if verb in ("pass", "bid", "double"):
            if phase != "auction":
                return "there is no auction now"
            if verb == "bid":
                if a[1] > rules.contract["max_level"]:
                    return "the level is too high"
                if self.bids and a[1:] <= self.bids[-1][:2]:
                    return "the bid is not higher"
            if verb == "double" and (not self.bids or self._side(self.bids[-1][2]) == side):
                return "there is no bid of the opponents to double"
            return None
        if verb in ("yes", "no"):
            return None if phase == "reply" else "nothing has been asked"
        if phase == "auction" or phase == "reply":
            return "not in this phase"
        if verb == "fail":
            if phase != "opening" or self.melds_[side]:
                return "only a declarer who has laid nothing can fail"
            if self.search.can_open(hand, (), self._req(), 1, 0):
                return "an opening exists"
            return None
        if verb == "done":
            if phase != "opening":
                return "there is no opening before play"
            return None if self._suffices(self.melds_[side]) else "the opening does not suffice"
        if phase == "opening" and verb not in ("meld", "add"):
            return "the declarer must open first"
        if verb == "draw":
            if phase != "draw" or not self.stock_:
                return "there is nothing to draw now"
            return "the opening must end with a take" if self._begun() else None
        if verb == "take":
            return self._why_not_take(*a[1:])
        if verb == "end":
            if phase != "draw" or self.stock_:
                return "the stock is not empty"
            if self._begun():
                return "what has been begun must end with a take"
            return "the top card must be taken" if self._forced() else None
        if verb == "ask":
            return self._why_not_ask()
        if verb == "extra":
            if phase != "taken" or not rules.data["draw"]["after_pile"] or not self.stock_:
                return "an extra card comes only directly after a take"
            return None
        if verb == "discard":
            return self._why_not_discard(a[1])
        if verb == "buy":
            return self._why_not_buy(a[1])
        if verb in ("meld", "add", "merge"):
            if self.discard_only:
                return "the first turn only discards"
            if phase == "draw" and (verb == "merge" or not self._ways()):
                return "nothing is laid before the draw"
            return self._why_not_step(a)
        raise ValueError(f"no such action: {a}")

    def _why_not_step(self, a):
        side, rules = self._side(), self.rules
        hand, melds = self.hands_[self.seat], self.melds_[side]
        if a[0] == "merge":
            if not hand or not sum(hand):
                return "the hand is empty"
            for i, j, after in self._merges(melds):
                if (j, i) == a[1:]:
                    return self._why_not_lay(a, hand, after)
            return "these melds cannot be merged"
        if not C.has(hand, a[1]):
            return "the cards are not in hand"
        rest = C.minus(hand, a[1])
        if a[0] == "meld":
            meld = rules.start(a[1])
            if meld is None:
                return "the cards are no meld"
            kind = rules.kinds[meld.kind]
            same = [(m.n, m.w) for m in melds if m.kind == meld.kind and m.key == meld.key]
            if kind.shape == "set" and not kind.may_start(same):
                return "the side has a meld of this rank"
            return self._why_not_lay(a, rest, (*melds, meld))
        if not 0 <= a[2] < len(melds):
            return "there is no such meld"
        more = rules.grow(melds[a[2]], a[1][0], going_out=True)
        if more is None:
            return "the card does not go onto this meld"
        return self._why_not_lay(a, rest, (*melds[: a[2]], more, *melds[a[2] + 1 :]))

    def _why_not_ask(self):
        rules = self.rules
        if rules.ask == "none" or not rules.partner[self.seat]:
            return "nobody is asked in this game"
        if self.asked or self.laid or self.discard_only or self._begun():
            return "one question a turn, before anything is laid"
        if self.phase == "meld" and self.drew == "stock":
            return None
        if self.phase == "draw" and rules.data["out"]["ask_when"] == "any":
            return None
        return "the question is asked after a stock draw"

    def _why_not_discard(self, card):
        hand = self.hands_[self.seat]
        if self.phase not in ("taken", "meld"):
            return "draw first"
        if not hand[card]:
            return "the card is not in hand"
        side, n = self._side(), sum(hand)
        melds = self.melds_[side]
        if self._begun() and not (n == 1 and self._waiver()):
            return "the opening must be completed"
        if n == 1:
            return None if self._right_with(side, melds, self._points(melds)) else "the side may not go out"
        return "the player must go out" if self.must_out else None

    def _why_not_buy(self, card):
        buy, hand = self.rules.data["buy"], self.hands_[self.seat]
        if not buy or C.CLASS[card] != buy["class"] or not hand[card]:
            return "only a red three buys a card"
        if self.phase not in ("taken", "meld") or self.discard_only:
            return "cards are bought after the draw"
        if self._begun():
            return "the opening must be completed first"
        if not self.stock_:
            return "the stock is empty"
        side = self._side()
        melds = self.melds_[side]
        if sum(hand) == 1 and not self._right_with(side, melds, self._points(melds)):
            return "the turn could not be ended after it"
        return None

    # ---- texts

    def _text(self, a):
        verb = a[0]
        if verb == "bid":
            return bid_text(a[1:])
        if verb in ("discard", "buy"):
            return f"{verb} {C.TEXT[a[1]]}"
        if verb == "meld":
            return "meld " + C.show(a[1])
        if verb == "add":
            return f"add {C.show(a[1])} > {a[2] + 1}"
        if verb == "merge":
            return f"merge {a[1] + 1} > {a[2] + 1}"
        if verb == "take":
            text = " ".join(["take"] + [C.show(a[1])] * bool(a[1]))
            if a[2] is not None:
                text += f" > {a[2] + 1}"
            if a[3] != self._extents()[0][0]:
                text += f" locks={a[3]}"
            return text
        return verb

    def _read(self, text):
        parts = text.split()
        fault = ValueError(f"no such action: {text!r}")
        if not parts:
            raise fault
        verb, rest = parts[0], parts[1:]
        simple = "pass double fail done draw extra ask yes no end".split()
        if verb in simple and not rest:
            return (verb,)
        bid = read_bid(verb)
        if bid and not rest:
            if not self.rules.contract:
                raise fault
            return ("bid", *bid)
        if verb in ("discard", "buy") and len(rest) == 1:
            return (verb, C.card(rest[0]))
        target, locks = None, None
        if verb == "take" and rest and rest[-1].startswith("locks="):
            if not rest[-1][6:].isdigit():
                raise fault
            locks = int(rest[-1][6:])
            rest = rest[:-1]
        if ">" in rest:
            k = rest.index(">")
            if len(rest) != k + 2 or not rest[k + 1].isdigit():
                raise fault
            target = int(rest[k + 1]) - 1
            rest = rest[:k]
        if verb == "merge" and len(rest) == 1 and rest[0].isdigit() and target is not None:
            return ("merge", int(rest[0]) - 1, target)
        cards = tuple(sorted(C.cards(" ".join(rest))))
        if verb == "meld" and target is None and len(cards) >= 3:
            return ("meld", cards)
        if verb == "add" and target is not None and cards:
            return ("add", cards, target)
        if verb == "take":
            if locks is None:
                locks = self._extents()[0][0] if self.pile_ else 1
            return ("take", cards, target, locks)
        raise fault

    # ---- pushing

    def push(self, text):
        """Apply an action; a ValueError leaves the state as it was."""
        a = self._read(text)
        steps = self._single(a)
        if steps:
            # a listed action needs no second look
            listed = self._legal is not None and self._text(a) in self._legal
            reason = None if listed else self._why_not(a)
            if reason:
                raise ValueError(f"{text!r} is not legal: {reason}")
            self._apply(a)
        else:
            done = self._row(a)
            if done is None:
                raise ValueError(f"{text!r} is not legal: its cards cannot be laid one by one")
            self.__dict__.update(done.__dict__)
        self._legal = self._binds = None
        return self

    def _single(self, a):
        if a[0] == "add":
            return len(a[1]) == 1
        if a[0] == "meld":
            return len(a[1]) == 3 or all(C.CLASS[i] == "3b" for i in a[1])
        return True

    def _row(self, a):
        """The deal after the steps of a longer text in some order, or None."""
        if self.phase not in ("opening", "draw", "taken", "meld"):
            return None
        side, rules = self._side(), self.rules
        if not C.has(self.hands_[self.seat], a[1]):
            return None
        seen = set()

        def add_all(state, left, target):
            if not left:
                return state
            key = tuple(left)
            if key in seen or state.phase == "over":
                return None
            seen.add(key)
            for card in sorted(set(left)):
                step = ("add", (card,), target)
                if state._why_not(step) is None:
                    after = state.copy()
                    after._apply(step)
                    rest = list(left)
                    rest.remove(card)
                    done = add_all(after, rest, target)
                    if done:
                        return done
            return None

        if a[0] == "add":
            return add_all(self, list(a[1]), a[2])
        for three in C.choose(C.counts(a[1]), sorted(set(a[1])), 3):
            if rules.start(three) and self._why_not(("meld", three)) is None:
                after = self.copy()
                after._apply(("meld", three))
                rest = C.listed(C.minus(C.counts(a[1]), three))
                done = add_all(after, rest, len(self.melds_[side]))
                if done:
                    return done
        return None

    def _apply(self, a):
        self._legal = self._binds = None
        verb = a[0]
        if verb in ("pass", "bid", "double"):
            self._call(a)
        elif verb == "fail":
            self._fail()
        elif verb == "done":
            side = self._side()
            self.opened_[side] = True
            self.opened_turn[side] = 0
            self._start_play()
        elif verb == "draw":
            self._draw()
        elif verb == "take":
            self._take(*a[1:])
        elif verb == "extra":
            self.phase = "meld"
            self._get(1)
        elif verb == "buy":
            self.hands_[self.seat] = C.minus(self.hands_[self.seat], (a[1],))
            self.laid_bought[self._side()] += (a[1],)
            self.phase = "meld"
            self._get(1)
        elif verb == "ask":
            self.ask_phase, self.phase = self.phase, "reply"
        elif verb in ("yes", "no"):
            self.asked, self.phase = verb, self.ask_phase
        elif verb == "end":
            self._charge_yes()
            self._over("stock")
        elif verb == "discard":
            self._discard(a[1])
        else:
            self._lay(a)

    def _get(self, n):
        """Cards from the stock, bonus cards laid and replaced one by one (F3)."""
        for _ in range(n):
            if not self.stock_:
                return
            while True:
                card, self.stock_ = self.stock_[0], self.stock_[1:]
                if card not in self.rules.bonus_cards:
                    break
                self.laid_bonus[self._side()] += (card,)
                if not self.stock_:
                    self._over("stock")
                    return
            self.hands_[self.seat] = C.plus(self.hands_[self.seat], (card,))

    def _call(self, a):
        self.calls.append(self._text(a))
        if a[0] == "bid":
            self.bids.append((*a[1:], self.seat))
        elif a[0] == "double":
            self.contract = (*self.bids[-1], True)
            self._start_play()
            return
        passes = 0
        while passes < len(self.calls) and self.calls[-1 - passes] == "pass":
            passes += 1
        if not self.bids and passes == 4:
            self._start_play()
        elif self.bids and passes == 3:
            self.contract = (*self.bids[-1], False)
            self.phase, self.seat = "opening", self.contract[2]
            self._fresh_turn()
        else:
            self.seat = self.rules.next_seat[self.seat]

    def _start_play(self):
        """One card is turned and the first turn begins."""
        c = self.rules.contract
        self._turn_up()
        self.seat = self.rules.next_seat[self.dealer]
        if self.contract:
            doubled = self.contract[3]
            if doubled or c["first_player"] == "committer":
                self.seat = self.contract[2]
                self.first = not doubled
        self.phase = "draw"
        self._fresh_turn()

    def _fail(self):
        """R14.8-14.9, B7, B8, D17."""
        c, side_of = self.rules.contract, self.rules.side_of
        level, strain, seat, _ = self.contract
        k = self.bids.index((level, strain, seat))
        self.penalties_[side_of[seat]] += 1000
        failed = {b[2] for b in self.bids[k:]}
        lower = self.bids[:k]
        if c["failed_open_next"] == "next_player":
            lower = [b for b in lower if b[2] not in failed]
        if lower:
            self.contract = (*lower[-1], False)
            self.seat = self.contract[2]
            self._fresh_turn()
            return
        # all have bluffed: what was charged on the way, and what is due
        if c["failed_open_next"] == "next_bid":
            charged = [b[2] for b in self.bids]
        else:
            charged = sorted(failed)
        due = [b[2] for b in self.bids]
        if c["all_bluff_penalty"] == "per_bidder":
            due = sorted(set(due))
        for s in charged:
            self.penalties_[side_of[s]] -= 1000
        for s in due:
            self.penalties_[side_of[s]] += 1000
        self.contract = None
        self._start_play()

    def _draw(self):
        self.drew = "stock"
        self.phase = "meld"
        self._get(self.rules.data["draw"]["stock"])

    def _open(self):
        side = self._side()
        if not self.opened_[side]:
            self.opened_[side] = True
            self.opened_turn[side] = self.turns + 1

    def _take(self, cards, target, locks):
        side = self._side()
        count = dict(self._extents())[locks]
        hand, melds, bonus = self._after_take(cards, target, count)
        if target is None:
            self.started += (len(melds) - 1,)
        elif target < self.start_melds:
            self.touched = True
        self.hands_[self.seat], self.melds_[side] = hand, melds
        self.laid_bonus[side] += bonus
        self.pile_ = self.pile_[count:]
        self.drew, self.phase, self.laid, self.prelay = "pile", "taken", True, None
        self._open()
        self._check_empty()

    def _lay(self, a):
        side, rules = self._side(), self.rules
        hand, melds = self.hands_[self.seat], self.melds_[side]
        if a[0] == "meld":
            meld = rules.start(a[1])
            melds, hand = (*melds, meld), C.minus(hand, a[1])
            self.started += (len(melds) - 1,)
            if rules.black and meld.kind == rules.black.index:
                self.must_out = True
        elif a[0] == "add":
            if self._grows_full_run(melds, a):
                self.must_out = True
            more = rules.grow(melds[a[2]], a[1][0], going_out=True)
            melds, hand = (*melds[: a[2]], more, *melds[a[2] + 1 :]), C.minus(hand, a[1])
            if a[2] < self.start_melds:
                self.touched = True
        else:
            j, i = a[1:]
            one = rules.merged(melds[i], melds[j])
            melds = (*melds[:i], one, *melds[i + 1 : j], *melds[j + 1 :])
            self.started = tuple(k - (k > j) for k in self.started if k != j)
            self.start_melds -= j < self.start_melds
        self.hands_[self.seat], self.melds_[side] = hand, melds
        self.laid = True
        if self.phase in ("taken", "meld"):
            self.phase = "meld"
            if (
                not self.opened_[side]
                and self._suffices(melds)
                and self._endable(hand, melds, True, must_out=self.must_out)
            ):
                self._open()  # D2
            self._check_empty()
        elif self.phase == "draw" and self.opened_[side]:
            self.prelay = len(melds) - 1 if a[0] == "meld" else a[2]

    def _check_empty(self):
        if not self.rules.discard_required and not sum(self.hands_[self.seat]):
            self._go_out()

    def _charge_yes(self):
        if self.asked == "yes":
            self.penalties_[self._side()] += self.rules.data["out"]["ask_fail"]

    def _go_out(self):
        rules, side = self.rules, self._side()
        self._open()  # under the waiver (F11) the minimum is lifted: what is laid is the opening
        rule = rules.data["out"]["concealed"]
        if rule == "side":
            self.concealed = self.start_melds == 0
        elif rule == "player":
            self.concealed = (
                not self.laid_before[self.seat]
                and not self.touched
                and any(rules.complete(self.melds_[side][i]) for i in self.started)
            )
        self.turns += 1
        self.out_seat = self.seat
        self._over("out")

    def _over(self, ended):
        self.ended_, self.phase = ended, "over"

    def _discard(self, card):
        self.hands_[self.seat] = C.minus(self.hands_[self.seat], (card,))
        self.pile_ = (card, *self.pile_)
        if not sum(self.hands_[self.seat]):
            self._go_out()
            return
        self._charge_yes()
        self.turns += 1
        self.laid_before[self.seat] |= self.laid
        if not self.stock_ and self.rules.data["stock"]["empty"] == "end_after_turn":
            self._over("stock")
            return
        self.first = self.discard_only = False
        self.seat = self.rules.next_seat[self.seat]
        self.phase = "draw"
        self._fresh_turn()
        if self.rules.bonus_waits:
            self._declare()

    def _declare(self):
        """The bonus cards dealt to a player are laid when his first turn begins, and replaced one by one (F24, F3)."""
        for i in sorted(self.rules.bonus_cards):
            while self.hands_[self.seat][i] and self.phase != "over":
                self.hands_[self.seat] = C.minus(self.hands_[self.seat], (i,))
                self.laid_bonus[self._side()] += (i,)
                self._get(1)

    # ---- scores

    @property
    def components(self):
        parts = self._parts()
        if self.phase == "over" and self.contract:
            self._settle(parts)
        if self.rulings:
            for side, part in parts.items():
                part["rulings"] = self.rulings.get(side, 0)
        return parts

    def _parts(self):
        """The components before the contract is settled."""
        rules, data = self.rules, self.rules.data
        out = {}
        for side in rules.sides:
            melds = self.melds_[side]
            went_out = self.ended_ == "out" and self._side(self.out_seat) == side
            bonus = sum(rules.bonus(m) for m in melds)
            if went_out:
                bonus += data["out"]["concealed_total" if self.concealed else "bonus"]
            hands = [self.hands_[s] for s in rules.seats if rules.side_of[s] == side]
            part = {
                "bonus": bonus,
                "card_points": self._points(melds),
                "hand_minus": sum(
                    n * rules.hand_points[i] for h in hands for i, n in enumerate(h) if i not in rules.bonus_cards
                ),
                "penalties": self.penalties_[side],
            }
            if rules.contract:
                part["penalties"] += data["buy"]["points"] * len(self.laid_bought[side])
                part["contract_points"] = 0
            else:
                short = [k.short[1] for m in melds for k in [rules.kinds[m.kind]] if k.short and m.n + m.w < k.short[0]]
                part["penalties"] += sum(short)
                what, n = data["bonus"]["needs"]
                have = len(melds) if what == "melds" else sum(map(rules.complete, melds))
                value = data["bonus"]["table"][len(self.laid_bonus[side])]
                part["bonus_cards"] = value if have >= n else -value
                if have < n:  # F24: those of players who had no turn
                    held = sum(h[i] for h in hands for i in rules.bonus_cards)
                    part["bonus_cards"] -= held * (data["bonus"]["table"][1] if held else 0)
            out[side] = part
        return out

    def _attained(self, part, side):
        c, level = self.rules.contract, self.contract[0]
        got = part["bonus"]
        if self.ended_ == "out" and self._side(self.out_seat) == side:
            got -= self.rules.data["out"]["bonus"] * (not c["out_bonus_in_result"])
        if level >= 5:
            got += part["card_points"]
        if level < 5 or c["hand_minus_at_5plus"]:
            got -= part["hand_minus"]
        if c["strain_must_be_made"] and not self._strain_made(self.search.profile(self.melds_[side])):
            return False
        return got >= 1000 * level

    def _outcome(self, part, side):
        if self._attained(part, side):
            return "made"
        if self.ended_ != "out":
            return "void"
        if self.rules.contract["void_rule"] == "last_card_drawn" and not self.stock_:
            return "void"
        return "failed"

    def _settle(self, parts):
        level, _, seat, doubled = self.contract
        side = self._side(seat)
        total = 1000 * level
        outcome = self._outcome(parts[side], side)
        if outcome == "made":
            parts[side]["contract_points"] = total if doubled else total // 2
        elif outcome == "failed":
            for other in parts:
                if other != side:
                    parts[other]["contract_points"] = 2 * total if doubled else total
            if not self.rules.contract["failed_side_keeps_card_points"] and level <= 4:
                parts[side]["card_points"] = 0
        elif outcome == "void":  # D26
            undoubled, twice = self.rules.contract["void_cost"]
            for other in parts:
                if other != side:
                    parts[other]["contract_points"] = 2 * total * twice // 100 if doubled else total * undoubled // 100

    @property
    def result(self):
        """made, failed, void or none."""
        if self.phase != "over" or not self.rules.contract or not self.contract:
            return "none"
        side = self._side(self.contract[2])
        return self._outcome(self._parts()[side], side)

    @property
    def scores(self):
        if self.phase != "over":
            return None
        sign = {"hand_minus": -1, "penalties": -1}
        return {
            side: sum(sign.get(name, 1) * value for name, value in part.items())
            for side, part in self.components.items()
        }

    @property
    def winner(self):
        """Of the match, from the totals and this deal; none while it goes on."""
        if self.phase != "over":
            return "none"
        data = self.rules.data["match"]
        totals = {s: self.totals[s] + p for s, p in self.scores.items()}
        best = max(totals.values())
        if best < data["end"]:
            return "none"
        first = [s for s in totals if totals[s] == best]
        if len(first) == 1:
            return first[0]
        return "draw" if data["tie"] == "draw" else "none"
