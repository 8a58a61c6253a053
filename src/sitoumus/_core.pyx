"""The compiled core: Hand, Meld, Deal, Table and View over the rooms of the engine, and the loops over deals."""
cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t, int32_t, int64_t
from libc.string cimport memset, memcpy, memcmp
from cpython.bytes cimport PyBytes_FromStringAndSize, PyBytes_AS_STRING
from sitoumus.engine.cards cimport (
    canonical, card_rank, card_suit, CHand, DEUCE, hand_add, hand_clear, hand_count, hand_equal, hand_has,
    hand_merge, hand_of_counts, hand_remove, JOKER, N_CODES, rank_count, THREE, write_counts,
)
from sitoumus.engine.rng cimport (
    bounded, next64, PURPOSE_CONDITION, PURPOSE_HANDS, PURPOSE_START, PURPOSE_WORLD, shuffle, Stream, stream_open,
    swap_bytes,
)
from sitoumus.engine.tables cimport (
    CMeld, CRules, hand_total, MAX_PACK, MAX_SEATS, MAX_SIDES, NONE, RANK_ONE, SHAPE_RUN, SHAPE_SET,
    SHAPE_WILD,
)
from sitoumus.engine.melds cimport meld_bonus, meld_complete, meld_points, start_meld, two_bit_count
from sitoumus.engine.goals cimport CNeed
from sitoumus.engine.state cimport (
    ASKED_NO, CPublic, CState, ENDED_OUT, ENDED_STOCK, MAX_ACTIONS, MAX_BIDS, MAX_CALLS, MAX_CHOICES,
    MAX_MELDS, PHASE_AUCTION, PHASE_DRAW, PHASE_MELD, PHASE_OPENING, PHASE_OVER, PHASE_REPLY, PHASE_TAKEN,
    side_minimum, V_ADD, V_ASK, V_BID, V_BUY, V_DISCARD, V_DONE, V_DOUBLE, V_DRAW, V_END, V_EXTRA, V_FAIL, V_MELD,
    V_MERGE, V_NO, V_PASS, V_TAKE, V_YES,
)
from sitoumus.engine.actions cimport (
    act_add, act_black, act_card, act_first, act_locks, act_meld, act_merge, act_source, act_suits, act_take,
    act_target, act_wilds, verb_of, wild_place,
)
from sitoumus.engine.auction cimport auction_call, bid_level, bid_strain, may_double
from sitoumus.engine.solver.tables cimport CPart
from sitoumus.engine.opening cimport best_opening, best_partition, can_open, open_points
from sitoumus.engine.laying cimport lay_new
from sitoumus.engine.taking cimport least_locks, pile_top
from sitoumus.engine.binding cimport bind, generate, is_legal
from sitoumus.engine.apply cimport apply, pile_push, SITOUMUS_CHECKED
from sitoumus.engine.dealing cimport begin_deal, clear_state, deal_cards, new_pack, set_contract, start_extra
from sitoumus.engine.scoring cimport (
    bonus_in_hands, CScore, hand_minus, match_winner, out_points, score_deal, WINNER_DRAW, WINNER_NONE,
)
from sitoumus.engine.features cimport F_BONUS_POTENTIAL, F_CAN_OPEN, hand_features, N_FEATURES
from sitoumus.engine.conditions cimport CQuantity, MAX_PROGRAM_STEPS, MAX_QUANTITIES, quantity_value
from sitoumus.engine.exact cimport CCell, CClass, CNode, COption, CTables, CTake, finish_deal, try_deal
from sitoumus.engine.row cimport CColumn, MAX_COLUMNS, row_values, write_row
from sitoumus.engine.policies.mind cimport (
    CMind, CPast, CPolicy, MAX_PARAMS, open_mind, POLICY_RANDOM, POLICY_ROLLOUT, seat_address, turn_address,
)
from sitoumus.engine.policies.heuristic.chances cimport made_log_odds as chances_of
from sitoumus.engine.policies.past cimport begin_fit, begin_past, calls_weight, CFit, note_past, WHOLE_WEIGHT
from sitoumus.engine.policies.worlds cimport CUnseen, sample_world, see_unseen
from sitoumus.engine.play cimport auction_course, call_out, decide_any, play_out
from sitoumus._compile cimport _rules, Rules

import re
import warnings
from collections import namedtuple
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from sitoumus import checks, notation
from sitoumus._names import FEATURES, LAYOUT, PHASES, RESULTS, VERBS, YES_NO_FEATURES
from sitoumus.errors import (
    IllegalActionError, InvalidActionError, InvalidCardError, InvalidMeldError, InvalidPositionError, RuleSetError,
    SitoumusError, StudyError,
)
from sitoumus.notation import bid_number, bid_text, card_text, cards_text, parse_cards

#: Whether every step of a compiled policy is looked up among the legal ones; one that is not there stops the program.
CHECKED = bool(SITOUMUS_CHECKED)


# ---- Hand ------------------------------------------------------------------------------------------------------------

#: Opening of a hand: card points, bonus points, melds.
Opening = namedtuple("Opening", "points bonus melds", module="sitoumus._core")

#: Features of a hand, in the order of their columns.


cdef list _codes_of(const CHand* h):
    """Codes of a hand in canonical order."""
    cdef int rank, suit, _
    cdef list codes = []
    for rank in range(13):
        if rank_count(h, rank):
            for suit in range(4):
                for _ in range(hand_count(h, 16 * suit + rank)):
                    codes.append(16 * suit + rank)
    codes.extend([JOKER] * h.jokers)
    return codes


cdef int _fill(CHand* h, codes, int copies, int jokers) except -1:
    """Put cards into an empty hand; no card more often than the pack has it."""
    cdef int code
    hand_clear(h)
    for code in codes:
        if hand_count(h, code) >= (jokers if code == JOKER else copies):
            raise InvalidCardError(f"{card_text(code)} stands {hand_count(h, code) + 1} times: the pack has "
                                   f"{jokers if code == JOKER else copies}")
        hand_add(h, code)
    return 0


cdef Hand _hand(const CHand* h):
    cdef Hand hand = Hand.__new__(Hand)
    hand.h = h[0]
    return hand


@cython.final
cdef class Hand:
    """Cards as a value: a multiset with at most three copies of each card and six jokers.

    Parameters
    ----------
    cards : str, Hand or iterable of str
        ``"Ah Kh 10d JK"``; case does not matter, commas may separate, suits may be symbols.

    Raises
    ------
    InvalidCardError
        If a text is no card, or a card stands more often than a pack has it.

    Examples
    --------
    >>> hand = Hand("Kh Ah jk 2c")
    >>> str(hand), hand.points, len(hand)
    ('Ah 2c Kh JK', 100, 4)
    >>> hand - "JK" + "Kd"
    Hand('Ah 2c Kd Kh')
    """

    def __init__(self, cards=""):
        if isinstance(cards, Hand):
            self.h = (<Hand>cards).h
        else:
            _fill(&self.h, parse_cards(cards), 3, 6)

    @property
    def codes(self):
        """Card codes in canonical order."""
        return _codes_of(&self.h)

    @property
    def cards(self):
        """Card texts in canonical order."""
        return [card_text(code) for code in _codes_of(&self.h)]

    @property
    def points(self):
        """Card points at melded values (R12.1)."""
        return hand_total(&_rules(None).r, &self.h)

    def count(self, card):
        """How many copies of a card, or of a rank ("9"), the hand holds."""
        if isinstance(card, str) and card.upper() in notation.RANKS:
            return rank_count(&self.h, notation.RANKS.index(card.upper()))
        return hand_count(&self.h, notation.card_code(card))

    def melds(self, rules=None):
        """The division of the hand into melds that is worth most, bonus and card points together.

        Cards may be left over. Ties are broken in a fixed way. A search that is too long is cut off, with a
        ``RuntimeWarning`` that what was found may not be the best; no hand that is dealt needs so many steps.
        """
        cdef Rules c = _rules(rules)
        cdef CPart part
        cdef CHand h = self.h
        best_partition(&c.r, &h, 0, MOST_NODES, &part)
        _say_inexact(&part)
        return _part_melds(c, &part)

    def best_opening(self, minimum=None, deuces=5, rules=None):
        """The opening with the most card points that the hand can lay, a card being kept (R13, R15).

        Parameters
        ----------
        minimum : int, optional
            Points that it must reach; where bonuses count, a complete meld does (R13.3). Left out, the best there is.
        deuces : int
            Least deuces of a set of deuces: 4 for the declarer, 5 for others (R14.3, R15.2).

        Returns
        -------
        Opening or None
            ``points``, ``bonus`` and ``melds``; None if the minimum cannot be met.
        """
        cdef Rules c = _rules(rules)
        cdef CPart part
        cdef CNeed need
        cdef CHand h = self.h
        # R14.3, R15.2: the tables hold no other number
        deuces = checks.whole("deuces", deuces, 4 if c.r.deuce_kind != NONE else 0, 5)
        if minimum is not None:
            minimum = checks.whole("minimum", minimum, 0, 2**31 - 1)
            memset(&need, 0, sizeof(CNeed))
            need.minimum = minimum
            need.complete_opens = c.r.bonus_counts
            need.deuce_min = deuces if c.r.deuce_kind != NONE else 0
            need.keep = 1
            if not can_open(&c.r, &h, NULL, 0, &need):
                return None
        best_opening(&c.r, &h, deuces if c.r.deuce_kind != NONE else 0, 1, &part)
        if minimum is not None and part.points < minimum:
            best_partition(&c.r, &h, deuces if c.r.deuce_kind != NONE else 0, MOST_NODES, &part)
            _say_inexact(&part)
        melds = _part_melds(c, &part)
        return Opening(part.points, part.bonus, melds) if melds else None

    def features(self, rules=None):
        """The named features of the hand, as a dict; see `features` for arrays of hands."""
        cdef Rules c = _rules(rules)
        cdef int32_t values[N_FEATURES]
        cdef CHand h = self.h
        cdef int i
        hand_features(&c.r, &h, values)
        return {name: bool(values[i]) if name in YES_NO_FEATURES else values[i]
                for i, name in enumerate(FEATURES)}

    def __len__(self):
        return self.h.n

    def __iter__(self):
        return iter(self.cards)

    def __contains__(self, card):
        return hand_count(&self.h, notation.card_code(card)) > 0

    def __str__(self):
        return cards_text(_codes_of(&self.h))

    def __repr__(self):
        return f"Hand({str(self)!r})"

    def _repr_html_(self):
        from sitoumus.svg import hand
        return hand(self)

    def __eq__(self, other):
        if not isinstance(other, Hand):
            return NotImplemented
        return hand_equal(&self.h, &(<Hand>other).h)

    def __hash__(self):
        return hash((self.h.p1, self.h.p2, self.h.p3, self.h.jokers))

    def __add__(self, cards):
        return _hand_of_codes(self.codes + (cards if isinstance(cards, Hand) else Hand(cards)).codes)

    def __sub__(self, cards):
        cdef Hand less = cards if isinstance(cards, Hand) else Hand(cards)
        cdef Hand result = _hand(&self.h)
        cdef int code
        for code in less.codes:
            if not hand_has(&result.h, code):
                raise InvalidCardError(f"{card_text(code)} cannot be taken from {str(self)!r}: it is not there"
                                       f"{' so often' if hand_has(&self.h, code) else ''}")
            hand_remove(&result.h, code)
        return result

    def __reduce__(self):
        return Hand, (str(self),)


#: Steps after which the search for a division of a hand is cut off.
cdef enum:
    MOST_NODES = 10_000_000


cdef int _say_inexact(const CPart* part) except -1:
    if not part.exact:
        warnings.warn(f"the search for the best division of this hand was cut off after {MOST_NODES:,} steps: a better "
                      "one may exist", RuntimeWarning, stacklevel=2)
    return 0


cdef tuple _part_melds(Rules rules, const CPart* part):
    cdef int i
    return tuple([_meld(rules, &part.melds[i]) for i in range(part.n)])


cdef Hand _hand_of_codes(codes):
    cdef Hand hand = Hand.__new__(Hand)
    _fill(&hand.h, codes, 3, 6)
    return hand


# ---- Meld ------------------------------------------------------------------------------------------------------------

cdef list _meld_codes(const CRules* r, const CMeld* m):
    """Cards of a meld in canonical order; a run from its lowest place."""
    cdef int i, suit, rank
    cdef list codes = []
    if r.kind[m.kind].shape == SHAPE_RUN:
        for i in range(m.size):
            codes.append(16 * m.key + (m.start + i) % 13)
        return codes
    rank = DEUCE if r.kind[m.kind].shape == SHAPE_WILD else m.key
    for suit in range(4):
        codes.extend([16 * suit + rank] * two_bit_count(m.nat, suit))
    for suit in range(4):
        codes.extend([16 * suit + DEUCE] * two_bit_count(m.deuces, suit))
    codes.extend([JOKER] * m.jokers)
    return codes


cdef Meld _meld(Rules rules, const CMeld* m):
    cdef Meld meld = Meld.__new__(Meld)
    meld.m = m[0]
    meld.rules = rules
    return meld


cdef bint _start(const CRules* r, CMeld* m, codes) except -1:
    cdef uint8_t cards[16]
    cdef int i
    if not 3 <= len(codes) <= 15:
        return False
    for i in range(len(codes)):
        cards[i] = codes[i]
    return start_meld(r, m, cards, len(codes))


@cython.final
cdef class Meld:
    """A meld: a set, a sequence, or (in some games) a meld of wild cards.

    Parameters
    ----------
    cards : str, Hand or iterable of str
    rules : RuleSet, optional
        Sitoumussamba if left out.

    Raises
    ------
    InvalidMeldError
        If the cards are no meld of that game; the message says why.

    Examples
    --------
    >>> meld = Meld("7h 7s JK")
    >>> meld.kind, meld.points, meld.complete, meld.natural
    ('set', 60, False, False)
    >>> Meld("Th Jh Qh Kh Ah 2h 3h").bonus
    1500
    """

    def __init__(self, cards, rules=None):
        self.rules = _rules(rules)
        codes = parse_cards(cards) if not isinstance(cards, Hand) else cards.codes
        if not _start(&self.rules.r, &self.m, codes):
            raise InvalidMeldError(f"{cards_text(codes)!r} is no meld: {_why_no_meld(self.rules, codes)}")

    @property
    def kind(self):
        """The kind's id in the rule set: set, ace, deuce, run, black, wild."""
        return self.rules.source.melds[self.m.kind].id

    @property
    def cards(self):
        """Card texts; a sequence from its lowest place."""
        return [card_text(code) for code in _meld_codes(&self.rules.r, &self.m)]

    @property
    def complete(self):
        """Whether it has the seven cards that earn a bonus (R31.2)."""
        return bool(meld_complete(&self.rules.r, &self.m))

    @property
    def natural(self):
        """Whether it holds no wild card (R18.5)."""
        return self.m.wilds == 0

    @property
    def points(self):
        """Card points (R12.1)."""
        return meld_points(&self.rules.r, &self.m)

    @property
    def bonus(self):
        """Bonus points, 0 while it is not complete (R31.1)."""
        return meld_bonus(&self.rules.r, &self.m)

    def __len__(self):
        return self.m.size

    def __iter__(self):
        return iter(self.cards)

    def __str__(self):
        return " ".join(self.cards)

    def __repr__(self):
        return f"Meld({str(self)!r})"

    def _repr_html_(self):
        from sitoumus.svg import meld
        return meld(self)

    def __eq__(self, other):
        if not isinstance(other, Meld):
            return NotImplemented
        return sorted(self.cards) == sorted(other.cards) and self.kind == other.kind

    def __hash__(self):
        return hash(tuple(sorted(self.cards)))

    def __reduce__(self):
        return Meld, (self.cards, self.rules.source)


cdef _why_no_meld(Rules rules, codes):
    """The reason in words."""
    cdef const CRules* r = &rules.r
    naturals = [code for code in codes if code != JOKER and (code & 15) != DEUCE]
    ranks = sorted({code & 15 for code in naturals})
    wilds = len(codes) - len(naturals)
    if len(codes) < 3:
        return f"a meld has at least three cards, not {len(codes)} (R11.1, R11.3)"
    if len({code >> 4 for code in codes if code != JOKER}) == 1 and len({code & 15 for code in codes}) == len(codes) \
            and r.run_kind != NONE and len(ranks) > 1:
        if JOKER in codes:
            return "no joker may stand in a sequence (R11.2)"
        longest = r.kind[r.run_kind].full
        if len(codes) > longest:
            return f"a sequence has at most {longest} cards, not {len(codes)} (R11.1)"
        return "the cards of a sequence follow one another in rank, a deuce only in its own place (R11.1, R18.3)"
    if len(ranks) > 1:
        if r.run_kind == NONE:
            return "all natural cards of a set have one rank, and this game has no sequences"
        return "the natural cards have neither one rank (a set) nor one suit in a row (a sequence) (R11.1, R11.3)"
    if ranks == [THREE]:
        return ("threes make no set, except black threes without wild cards when going out (R20.2, R21.5)"
                if r.black_kind != NONE else "threes are never melded")
    if not ranks:
        if r.deuce_kind != NONE:
            return "a set of deuces has at least two deuces and at most two jokers (R18.6)"
        return "wild cards alone make no meld in this game" if r.wild_kind == NONE else "such a wild meld cannot be"
    kind = rules.source.melds[r.set_kind[ranks[0]]] if r.set_kind[ranks[0]] != NONE else None
    if kind is None:
        return "no set of this rank exists in this game"
    if len(naturals) < kind.min_natural:
        return f"a set has at least {kind.min_natural} natural cards, not {len(naturals)} (R11.4)"
    if wilds > kind.max_wild:
        return f"a set has at most {kind.max_wild} wild cards, not {wilds} (R11.4)"
    if kind.majority and wilds >= len(naturals):
        return "a set has more natural than wild cards"
    return "a complete meld of that kind takes no such card (R18.5, B21, B22)"


# ---- Deal ------------------------------------------------------------------------------------------------------------

#: Seeds are numbers of at most 256 bits, numbers of deals and matches of at most 63.
MOST_SEED = 2**256 - 1
MOST_NUMBER = 2**63 - 1
#: Totals of a match and points lost are smaller than this, so that no sum of them and a score runs over.
MOST_TOTAL = 10**8 - 1


cdef int _key(seed, uint64_t* key) except -1:
    """The two words of a stream's key (docs/reproducibility.md): SeedSequence(seed).generate_state(2)."""
    cdef object words
    seed = checks.whole("seed", seed, 0, MOST_SEED, SitoumusError)
    words = _KEYS.get(seed)
    if words is None:
        from numpy.random import SeedSequence
        words = tuple(int(word) for word in SeedSequence(seed).generate_state(2, "uint64"))
        if len(_KEYS) > 1000:
            _KEYS.clear()
        _KEYS[seed] = words
    key[0] = words[0]
    key[1] = words[1]
    return 0

cdef dict _KEYS = {}


@cython.final
cdef class Deal:
    """The cards of one deal: a hand for each seat and the stock. Cards belong to seats, not to the dealer.

    Parameters
    ----------
    seed : int
    number : int
        Deal number, from 0 up; every number of a seed is a deal of its own, found in constant time.
    hands : mapping of seat to Hand or str, optional
        Cards known to lie in a hand, as in ``{"N": "JK JK ?13"}`` or without the ``?13``; the rest is dealt from what
        is left.
    rules : RuleSet, optional
    where : condition or str, optional
        What the hands have to fulfil, such as ``sit.east.jokers >= 1``: the deal is one of all that do, each equally
        likely. Another condition has other deals.

    Raises
    ------
    InvalidCardError
        If a hand is no hand, has too many cards, or a card stands more often than the pack has it.
    StudyError
        If no deal fulfils the condition.

    Examples
    --------
    >>> deal = Deal(seed=7, number=42)
    >>> [len(deal.hands[seat]) for seat in "NESW"], len(deal.stock)
    ([15, 15, 15, 15], 102)
    >>> Deal(seed=7, number=42) == deal
    True
    >>> Deal(seed=7, number=42, where="(east.run_h >= 5) & (east.jokers == 2)").hands["E"]
    Hand('Ac Ad Ah 2h 3h 4h 4s 5c 5h 8d 8h 9d Th JK JK')
    """

    def __init__(self, seed=0, number=0, hands=None, rules=None, where=None):
        cdef CState s
        cdef CHand fixed[MAX_SEATS]
        cdef uint64_t key[2]
        self.rules = _rules(rules)
        self.seed = checks.whole("seed", seed, 0, MOST_SEED, SitoumusError)
        self.number = number = checks.whole("number", number, 0, MOST_NUMBER, SitoumusError)
        _key(seed, key)
        if where is not None:
            deal_where(_dealer(where, self.rules, hands), &s, key, number)
        elif hands is not None and not (isinstance(hands, Mapping) and not hands):    # an empty one says nothing
            _fixed_hands(self.rules, hands, fixed)
            deal_cards(&self.rules.r, &s, key, number, fixed)
        else:
            deal_cards(&self.rules.r, &s, key, number, NULL)
        self._take(&s)

    cdef _take(self, const CState* s):
        cdef int seat
        for seat in range(MAX_SEATS):
            if seat < self.rules.r.seats:
                self.hand[seat] = s.h.hand[seat]
            else:
                hand_clear(&self.hand[seat])
        memset(self._stock, 0, MAX_PACK)
        memcpy(self._stock, s.h.stock, s.p.stock_n)
        self.n_stock = s.p.stock_n

    @staticmethod
    def from_cards(hands, stock, rules=None, seed=None, number=None):
        """A deal of given cards: hands by seat, the stock with its next card first.

        A seed and a number say which deal these cards are, and address the random numbers of the policies; a seed alone
        means number 0.

        Raises
        ------
        SitoumusError
            If the seed or the number cannot be, or a number stands without a seed.
        InvalidCardError
            If cards are missing or stand more often than the pack has them.
        """
        cdef Deal deal = Deal.__new__(Deal)
        cdef CHand fixed[MAX_SEATS]
        cdef CHand all_cards
        cdef int i, code
        deal.rules = _rules(rules)
        if seed is None and number is not None:
            raise SitoumusError(f"number is {checks.quoted(number)} without a seed: a deal has both or neither")
        deal.seed = None if seed is None else checks.whole("seed", seed, 0, MOST_SEED, SitoumusError)
        deal.number = None if seed is None else checks.whole("number", 0 if number is None else number, 0, MOST_NUMBER,
                                                             SitoumusError)
        _fixed_hands(deal.rules, hands, fixed, deal.rules.r.first_extra)
        codes = parse_cards(stock)
        hand_clear(&all_cards)
        for i in range(deal.rules.r.seats):
            deal.hand[i] = fixed[i]
            if fixed[i].n < deal.rules.r.hand_size:
                raise InvalidCardError(f"{deal.rules.seats[i]} has {fixed[i].n} cards: "
                                       f"{deal.rules.r.hand_size} are dealt")
        everything = [code for i in range(deal.rules.r.seats) for code in _codes_of(&fixed[i])] + codes
        _fill(&all_cards, everything, deal.rules.r.copies, deal.rules.r.jokers)
        if all_cards.n != deal.rules.r.n_cards:
            raise InvalidCardError(f"hands and stock hold {all_cards.n} cards: the pack has {deal.rules.r.n_cards}")
        memset(deal._stock, 0, MAX_PACK)
        deal.n_stock = len(codes)
        for i, code in enumerate(reversed(codes)):
            deal._stock[i] = code
        return deal

    @property
    def hands(self):
        """Hand by seat name."""
        return {self.rules.seats[i]: _hand(&self.hand[i]) for i in range(self.rules.r.seats)}

    @property
    def stock(self):
        """Card texts of the stock, its next card first."""
        return [card_text(self._stock[i]) for i in range(self.n_stock - 1, -1, -1)]

    def __eq__(self, other):
        if not isinstance(other, Deal):
            return NotImplemented
        return self.hands == other.hands and self.stock == other.stock

    def __hash__(self):
        return hash((tuple(self.hands.values()), tuple(self.stock)))

    def __repr__(self):
        return (f"Deal(seed={self.seed!r}, number={self.number!r})" if self.seed is not None else
                "Deal.from_cards(...)")

    def __str__(self):
        return "\n".join([*(f"{seat}: {hand}" for seat, hand in self.hands.items()), f"stock: {' '.join(self.stock)}"])

    def _repr_html_(self):
        from sitoumus.svg import deal
        return deal(self)

    def __reduce__(self):
        return _restore_deal, ({seat: str(hand) for seat, hand in self.hands.items()}, " ".join(self.stock),
                               self.rules.source, self.seed, self.number)


def _restore_deal(hands, stock, rules, seed, number):
    return Deal.from_cards(hands, stock, rules, seed, number)


cdef object _UNKNOWN = re.compile(r"(?:^|[\s,])\s*\?([0-9]+)\s*$")


cdef list _known_codes(cards, int size):
    """The codes of known cards; "?14" at the end of a text says that 14 more are dealt."""
    cdef object found = _UNKNOWN.search(cards) if isinstance(cards, str) else None
    if found is None:
        return parse_cards(cards)
    codes = parse_cards(cards[:found.start()])
    if len(codes) + int(found[1]) != size:
        raise InvalidCardError(f"{cards!r}: {len(codes)} cards and {found[0].strip(' ,')} are not {size}, as many as "
                               f"are dealt")
    return codes


cdef int _fixed_hands(Rules rules, hands, CHand* fixed, int extra=0) except -1:
    """Known cards by seat; checked against the pack and the size of a hand."""
    cdef int i
    cdef CHand all_cards
    for i in range(MAX_SEATS):
        hand_clear(&fixed[i])
    if not isinstance(hands, Mapping):
        raise InvalidCardError(f"hands is {checks.quoted(hands)}: it must be a mapping such as {{'N': '9c 9d'}}")
    for seat in hands:
        if not isinstance(seat, str) or seat not in rules.seats:
            raise InvalidCardError(f"{checks.quoted(seat)} is no seat: seats are {' '.join(rules.seats)}")
    codes = []
    for i in range(rules.r.seats):
        cards = hands.get(rules.seats[i])
        if cards is None:
            continue
        mine = cards.codes if isinstance(cards, Hand) else _known_codes(cards, rules.r.hand_size)
        try:
            _fill(&fixed[i], mine, rules.r.copies, rules.r.jokers)
            codes += mine
            _fill(&all_cards, codes, rules.r.copies, rules.r.jokers)
        except InvalidCardError as error:
            raise InvalidCardError(f"hand of {rules.seats[i]}: {error}") from None
        if fixed[i].n > rules.r.hand_size + extra:
            raise InvalidCardError(f"hand of {rules.seats[i]} has {fixed[i].n} cards: {rules.r.hand_size} are dealt")
    return 0


# ---- deals under conditions ------------------------------------------------------------------------------------------

@cython.final
cdef class Dealer:
    """Deals under a condition, in the form in which the core does it; made and explained by `conditions.prepare`.

    Parameters
    ----------
    text : str
        The condition, for messages.
    rules : RuleSet
    hands : mapping of seat to Hand or str
        Known cards.
    order : sequence of int
        Seats in the order in which they are dealt.
    looked : int
        How many of them are dealt before the condition is asked.
    steps, quantities : sequences of tuples
        The program: see engine/conditions.pxd.
    tables : ExactTables, optional
        By which the first seat of the order is dealt.
    check : callable, optional
        What remains to be asked in Python: a function of the hands by seat.
    tries : int
        Deals tried before the condition counts as empty.
    """

    def __init__(self, text, rules, hands, order, looked, steps, quantities, tables, check, tries):
        cdef int i, _, code
        cdef CHand known
        self.text = text
        self.rules = _rules(rules)
        self.check = check
        self.checks = check is not None
        self.tries = tries
        self.held = []
        _fixed_hands(self.rules, hands, self.d.fixed)
        self.d.seats = self.rules.r.seats
        self.d.looked = looked
        for i in range(self.d.seats):
            self.d.order[i] = order[i]
        hand_clear(&known)
        for i in range(self.d.seats):
            hand_merge(&known, &self.d.fixed[i])
        self.d.n_pack = 0
        for code in range(N_CODES):
            if code != JOKER and card_rank(code) > 12:
                continue
            self.d.place[code] = <uint8_t>self.d.n_pack
            for _ in range((self.rules.r.jokers if code == JOKER else self.rules.r.copies) - hand_count(&known, code)):
                self.d.pack[self.d.n_pack] = <uint8_t>code
                self.d.n_pack += 1
        if len(steps) > MAX_PROGRAM_STEPS or len(quantities) > MAX_QUANTITIES:
            raise StudyError(f"the condition {text} is too long: at most {MAX_QUANTITIES} different numbers, "
                             f"{MAX_PROGRAM_STEPS} steps")
        self.d.program.n_steps = len(steps)
        for i, step in enumerate(steps):
            self.d.program.step[i].what, self.d.program.step[i].value = step
        self.d.program.n_quantities = len(quantities)
        for i, quantity in enumerate(quantities):
            (self.d.program.quantity[i].seat, self.d.program.quantity[i].what,
             self.d.program.quantity[i].of) = quantity
        self.d.exact = NONE
        if tables is not None:
            self.d.exact = order[0]
            self._take(tables)

    cdef _take(self, tables):
        cdef CTables* t = &self.d.tables
        cdef int i
        t.n_blocks = len(tables.shifts)
        for i in range(t.n_blocks):
            t.shift[i] = tables.shifts[i]
        t.left2 = tables.left2
        t.left3 = tables.left3
        t.node = <const CNode*>self._pointer(tables.nodes, sizeof(CNode))
        t.option = <const COption*>self._pointer(tables.options, sizeof(COption))
        t.klass = <const CClass*>self._pointer(tables.classes, sizeof(CClass))
        t.cell = <const CCell*>self._pointer(tables.cells, sizeof(CCell))
        t.part = <const CTake*>self._pointer(tables.parts, sizeof(CTake))
        t.mask = <const uint16_t*>self._pointer(tables.masks, sizeof(uint16_t))
        t.bag = <const uint8_t*>self._pointer(tables.bags, sizeof(uint8_t))
        t.copies = <const uint64_t*>self._pointer(tables.copies, sizeof(uint64_t))

    cdef const void* _pointer(self, array, size_t size) except? NULL:
        """The data of an array, which is kept alive."""
        cdef const unsigned char[::1] view = memoryview(array).cast("B")
        if array.dtype.itemsize != size:
            raise SitoumusError(f"an exact table has rows of {array.dtype.itemsize} bytes: the core's have {size}")
        self.held.append(view)
        return &view[0] if view.shape[0] else NULL

    def sample(self, seed, int64_t start, int64_t stop, uint8_t[:, :, ::1] counts, int64_t[::1] tries):
        """The hands of deals start .. stop - 1 as counts by deal, seat and card in canonical order; the deals tried."""
        cdef CState s
        cdef uint64_t key[2]
        cdef int64_t i
        cdef int seat
        _key(seed, key)
        with nogil:
            for i in range(stop - start):
                tries[i] = deal_where(self, &s, key, <uint64_t>(start + i))
                for seat in range(self.d.seats):
                    write_counts(&s.h.hand[seat], &counts[i, seat, 0])

    def kept(self, seed, int64_t start, int64_t stop):
        """How many of deals start .. stop - 1 fulfil the condition at the first try."""
        cdef CState s
        cdef Stream stream
        cdef uint64_t key[2]
        cdef uint8_t pack[MAX_PACK]
        cdef int n
        cdef int64_t number, total = 0
        _key(seed, key)
        with nogil:
            for number in range(start, stop):
                stream_open(&stream, key, 0, PURPOSE_CONDITION, <uint64_t>number, 0)
                if try_deal(&self.d, &self.rules.r, &stream, pack, &n, s.h.hand):
                    if self.checks:
                        with gil:
                            total += self._checked(s.h.hand)
                    else:
                        total += 1
        return total

    cdef bint _checked(self, const CHand* hands) except -1:
        cdef int i
        return bool(self.check({self.rules.seats[i]: _hand(&hands[i]) for i in range(self.d.seats)}))


cdef int64_t deal_where(Dealer dealer, CState* s, const uint64_t* key, uint64_t number) except -1 nogil:
    """Deal under a condition; how many deals were tried for it, the one that is kept included."""
    cdef Stream stream
    cdef uint8_t pack[MAX_PACK]
    cdef int n
    cdef int64_t i
    for i in range(dealer.tries):
        stream_open(&stream, key, 0, PURPOSE_CONDITION, number, <uint64_t>i)
        if not try_deal(&dealer.d, &dealer.rules.r, &stream, pack, &n, s.h.hand):
            continue
        if dealer.checks:
            with gil:
                if not dealer._checked(s.h.hand):
                    continue
        finish_deal(&dealer.d, &dealer.rules.r, &stream, pack, n, s)
        return i + 1
    with gil:
        raise StudyError(f"empty condition: none of {dealer.tries:,} deals fulfils {dealer.text}; it cannot be "
                         f"fulfilled, or is too rare to be found by trying")


cdef Dealer _dealer(where, Rules rules, hands):
    from sitoumus.conditions import prepare
    return prepare(where, hands=hands, rules=rules.source).dealer


def known_cards(hands, rules=None):
    """Known cards by seat, checked: every seat of the game, empty hands where nothing is known."""
    cdef Rules c = _rules(rules)
    cdef CHand fixed[MAX_SEATS]
    _fixed_hands(c, hands, fixed)
    return {c.seats[i]: _hand(&fixed[i]) for i in range(c.r.seats)}


def pack_left(hands, rules=None):
    """By card code, the copies that are in no known hand; and the number of cards dealt to a hand."""
    cdef Rules c = _rules(rules)
    known = [code for hand in known_cards(hands, rules).values() for code in hand.codes]
    left = [0] * N_CODES
    for code in notation.CARD_CODES:
        left[code] = (c.r.jokers if code == JOKER else c.r.copies) - known.count(code)
    return left, c.r.hand_size


def quantity(Hand hand, int what, int of=0, rules=None):
    """A feature by its place in FEATURES, or a count of cards (see engine/conditions.pxd), of a hand."""
    cdef CQuantity q
    q.seat = 0
    q.what = what
    q.of = of
    return quantity_value(&_rules(rules).r, &hand.h, &q)


# ---- the text of actions ---------------------------------------------------------------------------------------------

cdef list _suit_codes(int suits, int rank):
    cdef int suit
    cdef list codes = []
    for suit in range(4):
        codes.extend([16 * suit + rank] * ((suits >> (2 * suit)) & 3))
    return codes


cdef list _action_cards(const CPublic* p, uint32_t a):
    """Hand cards that an action names."""
    cdef int verb = verb_of(a)
    if verb == V_TAKE:
        codes = _suit_codes(act_suits(a), card_rank(pile_top(p)))
        codes.extend(_suit_codes(act_wilds(a) & 255, DEUCE))
        codes.extend([JOKER] * (act_wilds(a) >> 8))
        return codes
    if verb == V_MELD:
        if a >> 31:
            return _suit_codes(act_suits(a), THREE)
        return [(a >> 5) & 127, (a >> 12) & 127, (a >> 19) & 127]
    if verb == V_ADD or verb == V_DISCARD or verb == V_BUY:
        return [act_first(a)]
    return []


cdef str _action_text(const CRules* r, const CPublic* p, uint32_t a):
    """Text of an action in the position before it."""
    cdef int verb = verb_of(a)
    if verb == V_BID:
        return bid_text(act_first(a))
    text = VERBS[verb]
    cards = _action_cards(p, a)
    if cards:
        text += " " + cards_text(cards)
    if verb == V_MERGE:
        text += f" {act_source(a)}"
    if act_target(a) and (verb == V_TAKE or verb == V_ADD or verb == V_MERGE):
        text += f" > {act_target(a)}"
    if verb == V_TAKE and act_locks(a) > least_locks(r, p):
        text += f" locks={act_locks(a)}"
    return text


cdef object _TEXT = re.compile(r"\s*([a-z]+)((?:\s+[^\s>=]+)*?)\s*(?:>\s*([0-9]+))?\s*(?:locks\s*=\s*([0-9]+))?\s*", re.IGNORECASE)  # no-cython-lint
cdef object _LONG = re.compile(r"[0-9]{10}")
cdef dict _PLAIN = {VERBS[verb]: verb for verb in (V_PASS, V_DOUBLE, V_FAIL, V_DONE, V_DRAW, V_EXTRA, V_ASK, V_YES,
                                                     V_NO, V_END)}  # no-cython-lint
cdef set _CARD_VERBS = {"meld", "add", "take", "buy", "discard"}


@cython.final
cdef class Parsed:
    """An action text taken apart; cards are codes in canonical order."""


cdef Parsed _parse(text):
    """Take an action text apart.

    Raises InvalidActionError where the text is no action in any position.
    """
    cdef Parsed parsed = Parsed.__new__(Parsed)
    if not isinstance(text, str):
        raise InvalidActionError(f"{checks.quoted(text)} is no action: actions are texts such as 'draw' or "
                                 "'discard 9c'")
    if _LONG.search(text):
        raise InvalidActionError(f"{checks.quoted(text)} is no action: a number in it has more than nine digits")
    parsed.text = text
    parsed.cards = []
    parsed.bid = -1
    word = text.strip()
    lower = word.lower()
    if lower in _PLAIN:
        parsed.verb = lower
        return parsed
    if word[:1].isdigit():
        parsed.bid = bid_number(word)
        parsed.verb = "bid"
        return parsed
    match = _TEXT.fullmatch(text)
    verb = match[1].lower() if match else None
    if verb == "merge":
        rest = match[2].split()
        if len(rest) != 1 or not (rest[0].isascii() and rest[0].isdigit()) or match[3] is None:
            raise InvalidActionError(f"{text!r} is no action: a merge is written 'merge 3 > 1'")
        parsed.verb = verb
        parsed.source = int(rest[0])
        parsed.target = int(match[3])
        return parsed
    if verb not in _CARD_VERBS:
        raise InvalidActionError(f"{text!r} is no action: actions are a bid, {', '.join(_PLAIN)}, take, meld, add, "
                                 "merge, buy or discard")
    try:
        parsed.cards = sorted(parse_cards(match[2]), key=notation.canonical_index)
    except InvalidCardError as error:
        raise InvalidActionError(f"{text!r} is no action: {error}") from None
    parsed.verb = verb
    parsed.target = int(match[3]) if match[3] is not None else 0
    parsed.locks = int(match[4]) if match[4] is not None else 0
    if match[3] is not None and (parsed.target == 0 or verb not in ("add", "take")):
        raise InvalidActionError(f"{text!r} is no action: '> n' names an own meld (from 1) after add or take")
    if match[4] is not None and (parsed.locks == 0 or verb != "take"):
        raise InvalidActionError(f"{text!r} is no action: 'locks=n' (from 1) belongs to take")
    if verb in ("buy", "discard") and len(parsed.cards) != 1:
        raise InvalidActionError(f"{text!r} is no action: {verb} names one card")
    if verb == "add" and (not parsed.cards or not parsed.target):
        raise InvalidActionError(f"{text!r} is no action: an addition is written 'add 7s 7h > 1'")
    if verb == "meld" and len(parsed.cards) < 3:
        raise InvalidActionError(f"{text!r} is no action: a meld has at least three cards (R11.1, R11.3)")
    if verb == "take" and not parsed.cards and not parsed.target:
        raise InvalidActionError(f"{text!r} is no action: a take names hand cards, or an own meld ('take > 1')")
    return parsed


# ---- the table -------------------------------------------------------------------------------------------------------

@cython.final
cdef class LegalActions:
    """The legal actions of a position: a collection of texts.

    Iteration, ``len`` and ``list`` give the single steps; ``in`` also accepts longer meld and add texts, which stand
    for steps in a row. It stays as it is when the table goes on.
    """

    cdef str _text(self, int i):
        cdef str text = _action_text(&self.compiled.r, &self.s.p, self.codes[i])
        self.by_text[text] = self.codes[i]
        return text

    cdef tuple _all(self):
        cdef int i
        if self.texts is None:
            self.texts = tuple([self._text(i) for i in range(self.n)])
        return self.texts

    cdef bint _has(self, uint32_t a) noexcept:
        cdef int i
        for i in range(self.n):
            if self.codes[i] == a:
                return True
        return False

    def __iter__(self):
        return iter(self._all())

    def __len__(self):
        return self.n

    def __bool__(self):
        return self.n > 0

    def __getitem__(self, index):
        cdef Py_ssize_t i
        if self.texts is None and not isinstance(index, slice):
            i = index
            i = i + self.n if i < 0 else i
            if 0 <= i < self.n:
                return self._text(<int>i)
        return self._all()[index]

    def __contains__(self, text):
        cdef Table table
        if isinstance(text, str) and text in self.by_text:
            return True
        table = Table.__new__(Table)
        table.s = self.s
        table.compiled = self.compiled
        table._undo = []
        try:
            return table._find(text) is not None
        except InvalidActionError:
            return False

    def __eq__(self, other):
        if isinstance(other, LegalActions):
            return sorted(self) == sorted(other)
        return NotImplemented

    def __reduce__(self):
        cdef Table table = Table.__new__(Table)
        table.s = self.s
        table.compiled = self.compiled
        table._undo = []
        return _legal_actions_of, (table,)

    def count(self, verb=None):
        """How many single steps there are, of one verb or of all."""
        if verb is None:
            return self.n
        if verb == "bid":
            return sum(text[0].isdigit() for text in self)
        return sum(text.split()[0] == verb for text in self)

    def __repr__(self):
        shown = ", ".join(self[:12]) + (", ..." if self.n > 12 else "")
        return f"<LegalActions {self.n}: {shown}>"


@cython.final
cdef class Table:
    """One deal in progress.

    Parameters
    ----------
    deal : Deal, optional
        Deal 0 of seed 0 if left out.
    rules : RuleSet, optional
        Those of the deal if left out.
    dealer : str
        Seat name.
    totals : sequence of int
        Match totals of the sides when the deal begins; they set the opening minimum (R13.1).

    Examples
    --------
    >>> table = Table(Deal(seed=7, number=42))
    >>> table.turn, table.phase, "1C" in table.legal_actions, "double" in table.legal_actions
    ('E', 'auction', True, False)
    >>> table.after("1C").after("double").contract
    '1C by E doubled'
    """

    def __init__(self, deal=None, rules=None, dealer="N", totals=None):
        if deal is not None and not isinstance(deal, Deal):
            raise SitoumusError(f"deal is {checks.quoted(deal)}: it must be a Deal")
        cdef Deal cards = Deal(rules=rules) if deal is None else deal
        cdef int seat
        cdef int32_t sums[MAX_SIDES]
        self.compiled = cards.rules if rules is None else _rules(rules)
        if cards.rules.r.n_cards != self.compiled.r.n_cards or cards.rules.r.seats != self.compiled.r.seats or \
                cards.rules.r.hand_size != self.compiled.r.hand_size:
            raise RuleSetError("the deal was made for another pack or another number of cards or players")
        _totals(self.compiled, totals, sums)
        memset(&self.s, 0, sizeof(CState))
        clear_state(&self.compiled.r, &self.s, _seat(self.compiled, dealer), sums)
        for seat in range(MAX_SEATS):
            self.s.h.hand[seat] = cards.hand[seat]
        memcpy(self.s.h.stock, cards._stock, MAX_PACK)
        self.s.p.stock_n = <uint8_t>cards.n_stock
        if self.s.h.hand[(self.s.p.dealer + 1) % self.compiled.r.seats].n == self.compiled.r.hand_size:
            start_extra(&self.compiled.r, &self.s)
        self.deal = cards
        begin_deal(&self.compiled.r, &self.s)
        self.seed = cards.seed
        self.number = cards.number
        self._undo = []

    # -- reading

    @property
    def rules(self):
        """The RuleSet."""
        return self.compiled.source

    @property
    def phase(self):
        """auction, opening, draw, taken, meld, reply or over."""
        return PHASES[self.s.p.phase]

    @property
    def turn(self):
        """Seat to act."""
        return self.compiled.seats[self.s.p.turn]

    @property
    def dealer(self):
        """Seat that dealt."""
        return self.compiled.seats[self.s.p.dealer]

    @property
    def contract(self):
        """``"4H by S"``, ``"4H by S doubled"`` or ``"none"``; in the auction the last bid."""
        cdef int bid = self.s.p.last_bid if self.s.p.phase == PHASE_AUCTION else self.s.p.contract
        if bid == NONE:
            return "none"
        return (f"{bid_text(bid)} by {self.compiled.seats[self.s.p.bidder[bid]]}"
                f"{' doubled' if self.s.p.doubled else ''}")

    @property
    def declarer(self):
        """Seat of the declarer, or None."""
        return None if self.s.p.declarer == NONE else self.compiled.seats[self.s.p.declarer]

    @property
    def calls(self):
        """Calls of the auction so far, from the dealer's left; they can be read off the bids and who made them."""
        cdef int b, seat = (self.s.p.dealer + 1) % self.compiled.r.seats
        cdef list calls = []
        for b in range(MAX_BIDS):
            if self.s.p.bidder[b] == NONE:
                continue
            while seat != self.s.p.bidder[b]:
                calls.append("pass")
                seat = (seat + 1) % self.compiled.r.seats
            calls.append(bid_text(b))
            seat = (seat + 1) % self.compiled.r.seats
        while len(calls) < self.s.p.calls - self.s.p.doubled:
            calls.append("pass")
        if self.s.p.doubled:
            calls.append("double")
        return tuple(calls)

    def hand(self, seat):
        """The hand of a seat."""
        return _hand(&self.s.h.hand[_seat(self.compiled, seat)])

    @property
    def hands(self):
        """Hand by seat."""
        return {name: _hand(&self.s.h.hand[i]) for i, name in enumerate(self.compiled.seats)}

    def melds(self, side):
        """Melds of a side in the order laid; their numbers in actions count from 1."""
        cdef int i, s = _side(self.compiled, side)
        return tuple([_meld(self.compiled, &self.s.p.melds[s][i]) for i in range(self.s.p.n_melds[s])])

    def opened(self, side):
        """Whether a side has made its opening."""
        return bool(self.s.p.opened[_side(self.compiled, side)])

    @property
    def pile(self):
        """Card texts of the discard pile, top first."""
        return tuple([card_text(self.s.p.pile[i]) for i in range(self.s.p.pile_n - 1, -1, -1)])

    @property
    def stock_size(self):
        """Cards in the stock."""
        return self.s.p.stock_n

    @property
    def frozen(self):
        """Whether the pile is frozen (R17.2)."""
        return self.s.p.freezers > 0

    def minimum(self, side):
        """Opening minimum of a side in card points, by its total (R13.1) and as far as rulings have raised it."""
        cdef uint8_t needs
        return side_minimum(&self.compiled.r, &self.s.p, _side(self.compiled, side), &needs)

    @property
    def totals(self):
        """Match totals by side when the deal began."""
        return self._by_side([self.s.p.totals[i] for i in range(self.compiled.r.sides)])

    @property
    def penalties(self):
        """Points lost so far by side, bought threes apart (D21)."""
        return self._by_side([self.s.p.penalties[i] for i in range(self.compiled.r.sides)])

    def bought(self, side):
        """Card texts that a side has laid to buy."""
        return tuple(_hand(&self.s.p.bought[_side(self.compiled, side)]).cards)

    def bonus(self, side):
        """Bonus cards that a side has laid."""
        return tuple(_hand(&self.s.p.bonus[_side(self.compiled, side)]).cards)

    @property
    def turns(self):
        """Completed turns."""
        return self.s.p.turns

    @property
    def opened_turn(self):
        """Turn of the opening by side; 0 before play, -1 never."""
        return self._by_side([self.s.p.opened_turn[i] for i in range(self.compiled.r.sides)])

    @property
    def ended(self):
        """``None`` while the deal goes on, ``"stock"`` or ``"out N"``."""
        if self.s.p.phase != PHASE_OVER:
            return None
        return "stock" if self.s.p.ended == ENDED_STOCK else f"out {self.compiled.seats[self.s.p.out_seat]}"

    cdef dict _by_side(self, values):
        return dict(zip(self.compiled.sides, values))

    def score(self):
        """The score of a deal that is over.

        Raises
        ------
        IllegalActionError
            While the deal goes on.
        """
        from sitoumus.score import Score
        cdef CScore c
        if self.s.p.phase != PHASE_OVER:
            raise IllegalActionError(f"the deal is not over: {self.turn} is to act in phase {self.phase}")
        score_deal(&self.compiled.r, &self.s.p, self.s.h.hand, &c)
        components = {}
        for i, side in enumerate(self.compiled.sides):
            part = {"bonus": c.bonus[i], "card_points": c.card_points[i], "hand_minus": c.hand_minus[i],
                    "penalties": c.penalties[i]}
            if self.compiled.r.bonus_cards:
                part["bonus_cards"] = c.bonus_cards[i]
            if self.compiled.r.contract:
                part["contract_points"] = c.contract[i]
            components[side] = part
        return Score(RESULTS[c.result], self.ended, components,
                     self._by_side([c.score[i] for i in range(self.compiled.r.sides)]), self._score_lines())

    cdef list _score_lines(self):
        """(side, rule, what, points) of everything that makes up the score, for Score.explain()."""
        from sitoumus.score import CONTRACT_RULES
        cdef CScore c
        cdef int i, side, points
        cdef const CRules* r = &self.compiled.r
        cdef CMeld* m
        cdef list lines = []
        score_deal(r, &self.s.p, self.s.h.hand, &c)
        for side in range(r.sides):
            name = self.compiled.sides[side]
            for i in range(self.s.p.n_melds[side]):
                m = &self.s.p.melds[side][i]
                meld = _meld(self.compiled, m)
                if meld.bonus:
                    nature = "" if r.kind[m.kind].shape == SHAPE_WILD else "natural " if meld.natural else "mixed "
                    lines.append((name, "R31.1", f"bonus: {nature}{meld.kind} {meld}", meld.bonus))
                lines.append((name, "R12.2", f"cards: {meld}", meld.points))
                if m.kind == r.run_kind and m.size < r.kind[m.kind].short_below:
                    lines.append((name, "F21", f"short sequence: {meld}", -r.kind[m.kind].short_points))
            if self.s.p.ended == ENDED_OUT and r.side_of[self.s.p.out_seat] == side:
                lines.append((name, "R31.1", f"going out{' concealed' if self.s.p.concealed else ''}",
                              out_points(r, &self.s.p)))
            points = bonus_in_hands(r, &self.s.p, self.s.h.hand, side)
            if self.s.p.bonus[side].n:
                what = f"bonus cards: {_hand(&self.s.p.bonus[side])}"
                lines.append((name, "F21", what, c.bonus_cards[side] - points))
            if points:
                lines.append((name, "F24", "bonus cards in the hands of players who had no turn", points))
            for i in range(r.seats):
                if r.side_of[i] == side and self.s.h.hand[i].n:
                    lines.append((name, "R12.3", f"hand of {self.compiled.seats[i]}: {_hand(&self.s.h.hand[i])}",
                                  -hand_minus(r, &self.s.h.hand[i])))
            if self.s.p.bought[side].n:
                lines.append((name, "R21.3", f"bought with {_hand(&self.s.p.bought[side])}",
                              -self.s.p.bought[side].n * r.buy_price))
            if self.s.p.penalties[side]:
                lines.append((name, "C33", "penalties", -self.s.p.penalties[side]))
            if c.contract[side]:
                lines.append((name, CONTRACT_RULES[RESULTS[c.result]][self.s.p.doubled],
                              f"contract {self.contract} {RESULTS[c.result]}", c.contract[side]))
            points = self.s.p.tally[side].points - c.card_points[side]
            if points:
                lines.append((name, "B34", "card points of a failed contract", -points))
        return lines

    @property
    def winner(self):
        """Side that has won the match with this deal, ``"draw"``, or ``"none"`` while it goes on (R1, F22)."""
        cdef int32_t sums[MAX_SIDES]
        cdef CScore c
        cdef int i, who
        if self.s.p.phase != PHASE_OVER:
            return "none"
        score_deal(&self.compiled.r, &self.s.p, self.s.h.hand, &c)
        for i in range(self.compiled.r.sides):
            sums[i] = self.s.p.totals[i] + c.score[i]
        who = match_winner(&self.compiled.r, sums, 1)
        return "none" if who == WINNER_NONE else "draw" if who == WINNER_DRAW else self.compiled.sides[who]

    # -- actions

    cdef LegalActions _generate(self):
        cdef LegalActions legal = self._legal
        cdef uint32_t codes[MAX_ACTIONS]
        if legal is None:
            legal = LegalActions.__new__(LegalActions)
            legal.n = generate(&self.compiled.r, &self.s.p, &self.s.h.hand[self.s.p.player], codes)
            legal.held = PyBytes_FromStringAndSize(<char*>codes, legal.n * sizeof(uint32_t))
            legal.codes = <const uint32_t*>PyBytes_AS_STRING(legal.held)
            legal.s = self.s
            legal.compiled = self.compiled
            legal.by_text = {}
            self._legal = legal
        return legal

    @property
    def legal_actions(self):
        """The legal actions, as a collection of texts."""
        return self._generate()

    cdef object _find(self, text):
        """Codes of the single steps that a text stands for, as a tuple; None if it is not legal now.

        Raises InvalidActionError where it is no action at all.
        """
        cdef Parsed parsed
        cdef uint32_t a
        cdef int suits = 0, wild = 0, wilds = 0, code, i
        cdef LegalActions legal = self._generate()
        known = legal.by_text.get(text) if isinstance(text, str) else None
        if known is not None:
            return (known,)
        parsed = _parse(text)
        cards = parsed.cards
        if parsed.verb in _PLAIN:
            a = _PLAIN[parsed.verb]
        elif parsed.verb == "bid":
            if parsed.bid >= 6 * self.compiled.r.max_level:
                return None
            a = act_card(V_BID, parsed.bid)
        elif parsed.verb in ("discard", "buy"):
            a = act_card(V_DISCARD if parsed.verb == "discard" else V_BUY, cards[0])
        elif parsed.verb == "merge":
            if parsed.source > MAX_MELDS or parsed.target > MAX_MELDS:
                return None
            a = act_merge(parsed.source, parsed.target)
        elif parsed.verb == "take":
            if self.s.p.phase != PHASE_DRAW or self.s.p.pile_n == 0 or parsed.target > MAX_MELDS:
                return None
            for code in cards:
                if code != JOKER and card_rank(code) == card_rank(pile_top(&self.s.p)):
                    if (suits >> (2 * card_suit(code))) & 3 == 3:
                        return None
                    suits += 1 << (2 * card_suit(code))
                elif code != JOKER and card_rank(code) != DEUCE:
                    return None
                else:
                    wilds += 1
                    wild += 1 << (8 if code == JOKER else 2 * card_suit(code))
            if wilds > 3:
                return None
            i = least_locks(&self.compiled.r, &self.s.p)
            if parsed.locks and parsed.locks < i or parsed.locks > 31 or (i == 0 and parsed.locks > 1):
                return None
            a = act_take(suits, wild_place(wild), parsed.target, max(parsed.locks, i) if i else 0)
        elif parsed.target > MAX_MELDS:
            return None
        elif parsed.verb == "add" and len(cards) == 1:
            a = act_add(cards[0], parsed.target)
        elif parsed.verb == "meld" and len(cards) == 3 and not all(code & 15 == THREE for code in cards):
            a = act_meld(cards[0], cards[1], cards[2])
        else:
            return self._steps(parsed)
        return (a,) if legal._has(a) else None

    cdef object _steps(self, Parsed parsed):
        """Single steps, in some legal order, that lay all the cards of a longer meld or add text."""
        cdef CMeld m
        cdef int suits = 0, code, target = parsed.target
        cards = parsed.cards
        if parsed.verb == "meld":
            if not _start(&self.compiled.r, &m, cards):
                return None
            if self.compiled.r.black_kind != NONE and m.kind == self.compiled.r.black_kind:
                for code in cards:
                    suits += 1 << (2 * card_suit(code))
                return (act_black(suits),) if self._generate()._has(act_black(suits)) else None
            target = self.s.p.n_melds[self.compiled.r.side_of[self.s.p.player]] + 1
        if len(cards) > self.s.p.hand_n[self.s.p.player]:
            return None
        return _order(self.copy(), tuple(cards), target, parsed.verb == "meld", set())

    def push(self, text):
        """Carry out an action.

        Parameters
        ----------
        text : str
            A single step, or a longer ``meld`` or ``add`` that stands for steps in a row; it is done whole.

        Raises
        ------
        InvalidActionError
            If the text is no action.
        IllegalActionError
            If it may not be done now; the message says why. The table stays as it was.
        """
        cdef object codes = self._find(text)
        if codes is None:
            raise IllegalActionError(self._why_not(text))
        self._do(codes)

    cdef void _past(self, CPast* past):
        """What the seats have done, as far as the history of the table goes."""
        cdef CState before, s
        cdef object state, a
        s = _state_in(self._undo[0][0])[0] if self._undo else self.s
        begin_past(past, s.p.phase == PHASE_AUCTION)
        if self.begun is not None:
            memcpy(past, PyBytes_AS_STRING(self.begun), sizeof(CPast))
        for state, codes in self._undo:
            s = _state_in(state)[0]
            for a in codes:
                before = s
                apply(&self.compiled.r, &s, <uint32_t>a)
                note_past(past, &before, &s, <uint32_t>a)

    cdef int _do(self, tuple codes) except -1:
        cdef object a
        cdef object state = self._legal
        if state is None:
            state = PyBytes_FromStringAndSize(<char*>&self.s, sizeof(CState))
        self._undo.append((state, codes))
        for a in codes:
            apply(&self.compiled.r, &self.s, <uint32_t>a)
        self._legal = None
        return 0

    def pop(self):
        """Take back the last push.

        Raises
        ------
        IllegalActionError
            If nothing has been pushed.
        """
        if not self._undo:
            raise IllegalActionError("nothing to take back: no action has been pushed on this table")
        state, _ = self._undo.pop()
        self.s = _state_in(state)[0]
        self._legal = state if isinstance(state, LegalActions) else None

    def after(self, *texts):
        """A copy of the table after some actions; this one stays as it is."""
        table = self.copy()
        for text in texts:
            table.push(text)
        return table

    def copy(self):
        """An independent table in the same position, with its history."""
        cdef Table table = Table.__new__(Table)
        table.s = self.s
        table.compiled = self.compiled
        table.seed = self.seed
        table.number = self.number
        table._undo = list(self._undo)
        table._legal = self._legal
        table.begun = self.begun
        table.deal = self.deal
        return table

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    @property
    def actions(self):
        """Single steps pushed on this table so far."""
        cdef CState s
        cdef list texts = []
        for state, codes in self._undo:
            s = _state_in(state)[0]
            for a in codes:
                texts.append(_action_text(&self.compiled.r, &s.p, a))
                if len(codes) > 1:
                    apply(&self.compiled.r, &s, a)
        return texts

    def view(self, seat):
        """What a seat may know: a View, equal for tables that differ in hidden cards only (D22)."""
        cdef View view = View.__new__(View)
        cdef int i = _seat(self.compiled, seat)
        view.compiled = self.compiled
        view.seat = self.compiled.seats[i]
        view.own = self.s.h.hand[i]
        view.p = self.s.p
        _tidy_public(&view.p)
        view.p.bound &= i == view.p.player      # it tells of the hand of the player to act
        view.key = view_key(self.seed or 0, self.number or 0)
        view.step = self._step()
        return view

    cdef int _step(self) except -1:
        """Single steps so far in this turn, as far as the history tells."""
        cdef int n = 0
        cdef int64_t address = turn_address(&self.s.p)
        for state, codes in reversed(self._undo):
            if turn_address(&_state_in(state).p) != address:
                break
            n += len(codes)
        return n

    def advise(self, **keywords):
        """What the seat to act should do: its legal actions tried on common worlds; see `sitoumus.advice.advise`."""
        from sitoumus.advice import advise
        return advise(self, **keywords)

    def _bound(self):
        """Whether the partner has said yes and the player to act can go out in this turn, so that he must."""
        return bool(self.s.p.bound)

    def _why_not(self, text):
        """Why an action is not legal now, with rule and position; see `reasons`."""
        from sitoumus.reasons import why_not
        return why_not(self, _parse(text))

    # -- positions

    def _to_state(self):
        """The position as plain data; see position.py for the keys."""
        cdef const CPublic* p = &self.s.p
        cdef const CRules* r = &self.compiled.r
        cdef int i, j
        state = {
            "dealer": p.dealer, "turn": p.turn, "phase": self.phase,
            "contract": None if p.contract == NONE else (bid_level(p.contract), bid_strain(p.contract), p.declarer,
                                                         bool(p.doubled)),
            "calls": list(self.calls),
            "totals": [p.totals[i] for i in range(r.sides)],
            "penalties": [p.penalties[i] for i in range(r.sides)],
            "minimum_raise": [p.raised[i] for i in range(r.sides)],
            "bought": [_codes_of(&p.bought[i]) for i in range(r.sides)],
            "bonus": [_codes_of(&p.bonus[i]) for i in range(r.sides)],
            "hands": [_codes_of(&self.s.h.hand[i]) for i in range(r.seats)],
            "melds": [[_meld_codes(r, &p.melds[i][j]) for j in range(p.n_melds[i])] for i in range(r.sides)],
            "pile": [p.pile[i] for i in range(p.pile_n - 1, -1, -1)],
            "stock": [self.s.h.stock[i] for i in range(p.stock_n - 1, -1, -1)],
            "ended": None, "first_turn": None, "turn_state": {},
        }
        if p.phase == PHASE_OVER:
            state["ended"] = "stock" if p.ended == ENDED_STOCK else ("out", p.out_seat)
        state["turn_state"] = self._turn_state(state)
        return state

    def _turn_fields(self):
        """What is kept of the turn under way and of those before it."""
        cdef const CPublic* p = &self.s.p
        return {"player": p.player, "drew": p.drew, "took": p.took, "asked": p.asked, "ask_phase": p.ask_phase,
                "laid": p.laid, "opening": p.opening, "first_turn": p.first_turn, "discard_only": p.discard_only,
                "must_out": p.must_out, "start_melds": p.start_melds, "touched": p.touched,
                "transfer_to": p.transfer_to, "clean": p.clean, "waiting": p.waiting, "concealed": p.concealed,
                "failed_bids": p.failed_bids, "failed_seats": p.failed_seats,
                "opened": sum(1 << i for i in range(self.compiled.r.sides) if p.opened[i])}

    cdef dict _turn_state(self, state):
        """What a reader could not infer from the rest: the fields that differ from those of a fresh position."""
        cdef Table fresh = Table.__new__(Table)
        fresh.compiled = self.compiled
        fresh._undo = []
        fresh._fill_state(state)
        mine, inferred = self._turn_fields(), fresh._turn_fields()
        return {name: value for name, value in mine.items() if value != inferred[name]}

    cdef int _fill_state(self, state) except -1:
        cdef CPublic* p = &self.s.p
        cdef const CRules* r = &self.compiled.r
        cdef int32_t sums[MAX_SIDES]
        cdef CMeld m
        cdef int i, bid, seat, side, code
        cdef CHand everything
        for i in range(MAX_SIDES):
            sums[i] = state["totals"][i] if i < r.sides else 0
        memset(&self.s, 0, sizeof(CState))
        clear_state(r, &self.s, state["dealer"], sums)
        self.seed = self.number = None
        self._legal = None
        everything_codes = [code for part in (state["hands"], state["bought"], state["bonus"]) for cards in part
                            for code in cards]
        everything_codes += [code for melds in state["melds"] for cards in melds for code in cards]
        everything_codes += list(state["pile"]) + list(state["stock"])
        try:
            _fill(&everything, everything_codes, r.copies, r.jokers)
        except InvalidCardError as error:
            raise InvalidPositionError(f"surplus card: {error}") from None
        # auction
        phase = PHASES.index(state["phase"])
        p.phase = phase
        seat = p.turn
        for call in state["calls"]:
            p.turn = seat
            if r.contract and call not in ("pass", "double"):
                bid = bid_number(call)
                if bid >= 6 * r.max_level or (p.last_bid != NONE and bid <= p.last_bid):
                    raise InvalidPositionError(f"auction: {call} by {self.compiled.seats[seat]} does not outbid "
                                               f"{bid_text(p.last_bid) if p.last_bid != NONE else 'max_level'} (R9.3)")
                auction_call(r, p, act_card(V_BID, bid))
            elif call == "double":
                if not may_double(r, p):
                    raise InvalidPositionError(f"auction: {self.compiled.seats[seat]} may not double (R9.6, B5)")
                auction_call(r, p, V_DOUBLE)
            else:
                auction_call(r, p, V_PASS)
            seat = (seat + 1) % r.seats
        if phase == PHASE_AUCTION:
            if not r.contract:
                raise InvalidPositionError("phase auction: this game has no auction")
            if p.doubled or p.passes >= (r.seats if p.last_bid == NONE else r.seats - 1):
                raise InvalidPositionError("auction: it is over with these calls (R9.5), phase auction cannot be")
            p.turn = <uint8_t>seat
        else:
            p.turn = state["turn"]
        if state["turn"] != p.turn:
            raise InvalidPositionError(f"turn is {self.compiled.seats[state['turn']]}: after these calls "
                                       f"{self.compiled.seats[p.turn]} is to act")
        p.player = p.turn
        if state["contract"] is not None and phase != PHASE_AUCTION:
            level, strain, seat, doubled = state["contract"]
            bid = 6 * (level - 1) + strain
            if not r.contract:
                raise InvalidPositionError("contract: this game has none")
            if bid >= 6 * r.max_level:
                raise InvalidPositionError(f"contract {bid_text(bid)}: the highest level is {r.max_level} (B2)")
            if state["calls"] and p.bidder[bid] != seat:
                raise InvalidPositionError(f"contract {bid_text(bid)} by {self.compiled.seats[seat]}: "
                                           "the auction has no such bid")
            p.bidder[bid] = <uint8_t>seat
            if not state["calls"]:
                p.last_bid = <uint8_t>bid
                p.passes = 0 if doubled else r.seats - 1
                p.calls = <int16_t>((seat + r.seats - p.dealer - 1) % r.seats + 1 + (1 if doubled else r.seats - 1))
            p.contract = <uint8_t>bid
            p.declarer = <uint8_t>seat
            if doubled and p.last_bid != bid:
                raise InvalidPositionError("contract: only the last bid can be doubled (B5)")
            p.doubled = doubled
            for i in range(bid + 1, MAX_BIDS):
                if p.bidder[i] != NONE:
                    p.failed_seats |= <uint8_t>(1 << p.bidder[i])
                    p.failed_bids += 1
        if phase == PHASE_OPENING:
            if p.contract == NONE or p.doubled:
                raise InvalidPositionError("phase opening: it needs an undoubled contract (R14.1, R14.10)")
            if p.turn != p.declarer:
                raise InvalidPositionError(f"phase opening: turn is {self.compiled.seats[p.turn]}, but the declarer "
                                           f"{self.compiled.seats[p.declarer]} opens (R14.1)")
        # cards
        for seat in range(r.seats):
            _fill(&self.s.h.hand[seat], state["hands"][seat], 3, 6)
            p.hand_n[seat] = self.s.h.hand[seat].n
            if self.s.h.hand[seat].p1 & r.bonus_cards:
                if not r.bonus_first_turn or seat == (r.partner[p.turn] if phase == PHASE_REPLY else p.turn):
                    raise InvalidPositionError(
                        f"hand of {self.compiled.seats[seat]}: "
                        "a bonus card does not lie in a hand (F18), but in that of "
                        "a player who has had no turn yet (F24)" if r.bonus_first_turn else
                        f"hand of {self.compiled.seats[seat]}: "
                        "a bonus card does not lie in a hand (F18), it is laid at once")
                p.waiting |= <uint8_t>(1 << seat)
        for side in range(r.sides):
            p.penalties[side] = state["penalties"][side]
            p.raised[side] = state["minimum_raise"][side]
            _fill(&p.bought[side], state["bought"][side], 3, 6)
            _fill(&p.bonus[side], state["bonus"][side], 3, 6)
            for i, cards in enumerate(state["melds"][side]):
                if not _start(r, &m, list(cards)):
                    raise InvalidPositionError(f"meld {i + 1} of {self.compiled.sides[side]}, {cards_text(cards)!r}, "
                                               f"is no meld: {_why_no_meld(self.compiled, list(cards))}")
                if r.kind[m.kind].shape == SHAPE_SET and r.kind[m.kind].per_rank == RANK_ONE:
                    for j in range(p.n_melds[side]):
                        if p.melds[side][j].kind == m.kind and p.melds[side][j].key == m.key:
                            raise InvalidPositionError(
                                f"meld {i + 1} of {self.compiled.sides[side]}, {cards_text(cards)!r}: a side has one "
                                "meld of a rank in this game (F18)")
                lay_new(r, p, side, &m)
        p.laid = 0
        for code in reversed(state["pile"]):
            pile_push(r, p, code)
        for i, code in enumerate(reversed(state["stock"])):
            self.s.h.stock[i] = code
        p.stock_n = <uint8_t>len(state["stock"])
        self._infer(state, phase)
        return 0

    cdef _infer(self, state, int phase):
        """Fields of the turn that the position does not write out."""
        cdef CPublic* p = &self.s.p
        cdef const CRules* r = &self.compiled.r
        cdef int side
        for side in range(r.sides):
            p.opened[side] = p.n_melds[side] > 0
        side = r.side_of[p.turn]
        if phase == PHASE_OPENING:
            p.opened[side] = 0
        elif phase == PHASE_DRAW:
            p.first_turn = (p.contract != NONE and not p.doubled and not r.first_left and p.turn == p.declarer
                            and p.pile_n == 1 and p.stock_n == r.n_cards - r.seats * r.hand_size - 1)
            if state["first_turn"] is not None:
                p.first_turn = state["first_turn"]
        elif phase == PHASE_TAKEN:
            p.took = 1
        elif phase == PHASE_MELD:
            p.drew = 1
            if r.discard_only_first:
                p.discard_only = (p.turn == (p.dealer + 1) % r.seats and p.pile_n == 0 and p.n_melds[side] == 0)
                if state["first_turn"] is not None:
                    p.discard_only = state["first_turn"]
                p.drew = not p.discard_only
        elif phase == PHASE_REPLY:
            if r.partner[p.turn] == NONE:
                raise InvalidPositionError("phase reply: there is no partner to answer")
            p.player = r.partner[p.turn]
            p.drew = 1
            p.ask_phase = PHASE_MELD
        elif phase == PHASE_OVER:
            ended = state["ended"]
            p.ended = ENDED_STOCK if ended == "stock" else ENDED_OUT
            if ended != "stock":
                p.out_seat = ended[1]
        p.start_melds = p.n_melds[r.side_of[p.player]] if phase != PHASE_OPENING else 0

    @staticmethod
    def _from_state(state, rules=None):
        """A table from plain data; see position.py for the keys."""
        cdef Table table = Table.__new__(Table)
        cdef CPublic* p
        cdef int i
        table.compiled = _rules(rules)
        table._undo = []
        table._fill_state(state)
        p = &table.s.p
        known = table._turn_fields()
        flags = ("drew", "took", "laid", "opening", "first_turn", "discard_only", "must_out", "touched", "concealed")
        most = {"player": table.compiled.r.seats - 1, "asked": ASKED_NO, "ask_phase": PHASE_MELD,
                "start_melds": MAX_MELDS, "transfer_to": MAX_MELDS, "failed_bids": MAX_BIDS,
                "clean": 255, "failed_seats": 2**table.compiled.r.seats - 1,
                "opened": 2**table.compiled.r.sides - 1, **dict.fromkeys(flags, 1)}
        given = {}
        for name, value in state["turn_state"].items():
            if name not in known:
                raise InvalidPositionError(f"turn_state.{name} = {checks.quoted(value)}: known keys are "
                                           f"{', '.join(known)}, each a number from 0 to 255")
            given[name] = checks.whole(f"turn_state.{name}", value, 0, most.get(name, 255), InvalidPositionError)
        turn = {**known, **given}
        p.player = turn["player"]
        p.drew = turn["drew"]
        p.took = turn["took"]
        p.asked = turn["asked"]
        p.ask_phase = turn["ask_phase"]
        p.laid = turn["laid"]
        p.opening = turn["opening"]
        p.first_turn = turn["first_turn"]
        p.discard_only = turn["discard_only"]
        p.must_out = turn["must_out"]
        p.start_melds = turn["start_melds"]
        p.touched = turn["touched"]
        p.transfer_to = turn["transfer_to"]
        p.clean = turn["clean"]
        p.waiting = turn["waiting"]
        p.concealed = turn["concealed"]
        p.failed_bids = turn["failed_bids"]
        p.failed_seats = turn["failed_seats"]
        for i in range(table.compiled.r.sides):
            p.opened[i] = (turn["opened"] >> i) & 1
        if p.player >= table.compiled.r.seats or p.start_melds > p.n_melds[table.compiled.r.side_of[p.player]] or \
                p.asked > ASKED_NO or p.transfer_to > p.n_melds[table.compiled.r.side_of[p.player]]:
            raise InvalidPositionError("turn_state: a seat, a number of melds or an answer in it cannot be")
        if p.ask_phase > PHASE_MELD or (p.phase == PHASE_REPLY and p.ask_phase < PHASE_DRAW):
            raise InvalidPositionError(f"turn_state.ask_phase is {p.ask_phase}: it must be a phase in which a player "
                                       f"asks, from {PHASE_DRAW} (draw) to {PHASE_MELD} (meld) (B3)")
        if p.phase == PHASE_REPLY and p.turn != table.compiled.r.partner[p.player]:
            raise InvalidPositionError(f"turn_state.player is {p.player}: it must be the partner of the seat that "
                                       "answers in phase reply (B3)")
        bind(&table.compiled.r, p, &table.s.h.hand[p.player])
        return table

    def _revise(self, state):
        """This table with its position edited, for rulings: history, counters and what all know of a hand are kept.

        `state` is that of `_to_state` with changes, `turn_state` whole; `known`, by seat, has codes seen besides.
        """
        cdef Table table = Table._from_state(state, self.rules)
        cdef CPublic* p = &table.s.p
        cdef const CPublic* old = &self.s.p
        cdef int i, code
        for i in range(self.compiled.r.sides):
            p.opened_turn[i] = <int16_t>(old.turns + 1 if p.opened[i] and not old.opened[i] else old.opened_turn[i])
            p.opening_points[i], p.takes[i], p.buys[i] = old.opening_points[i], old.takes[i], old.buys[i]
        p.turns, p.actions, p.forced = old.turns, old.actions, old.forced
        p.reached_turn, p.stock_out_turn = old.reached_turn, old.stock_out_turn
        for i in range(self.compiled.r.seats):
            for code in [*_codes_of(&old.known[i]), *state.get("known", {}).get(i, ())]:
                if hand_count(&p.known[i], code) < hand_count(&table.s.h.hand[i], code):
                    hand_add(&p.known[i], code)
        table.compiled, table.deal, table.begun = self.compiled, self.deal, self.begun
        table.seed, table.number, table._undo = self.seed, self.number, list(self._undo)
        return table

    @staticmethod
    def from_position(position, rules=None, options=None):
        """A table from a position: a mapping, TOML text, or the path of a TOML file.

        Parameters
        ----------
        position : mapping, str or path
        rules : RuleSet or str, optional
            A rule set or a preset's name; if left out, that of the position, else Sitoumussamba.
        options : mapping, optional
            Rule-set options that differ.

        Raises
        ------
        InvalidPositionError
            If the position cannot be; the message names the fault.
        """
        from sitoumus.position import read_position
        return Table._from_state(*read_position(position, rules, options))

    def to_position(self):
        """The position as a mapping; `from_position` reads it back, also in mid-turn."""
        from sitoumus.position import format_position
        return format_position(self._to_state(), self.rules)

    # -- values

    def _bytes(self):
        """The state with everything cleared that is not in play; equal for equal tables."""
        cdef CState s = self.s
        _tidy(&s)
        return PyBytes_FromStringAndSize(<char*>&s, sizeof(CState))

    def _known_of_melds(self, side):
        """What is kept of the melds of a side beside them: numbers of the incomplete ones, and of the sequences among
        them; incomplete and complete sets by rank."""
        cdef const CPublic* p = &self.s.p
        cdef int i, s = _side(self.compiled, side)
        numbers = [[i + 1 for i in range(64) if (bits >> i) & 1] for bits in (p.growing[s], p.running[s])]
        return *numbers, *([(sets >> (4 * i)) & 15 for i in range(13)] for sets in (p.young[s], p.old[s]))

    def _face_up(self):
        """What is kept of the cards that lie face up beside the lists of them: in melds, and in the pile."""
        return _hand(&self.s.p.in_melds), _hand(&self.s.p.in_pile)

    def __eq__(self, other):
        if not isinstance(other, Table):
            return NotImplemented
        return self.compiled is (<Table>other).compiled and self._bytes() == other._bytes()

    def __hash__(self):
        return hash(self._bytes())

    def __reduce__(self):
        undo = [(PyBytes_FromStringAndSize(<char*>_state_in(state), sizeof(CState)), codes)
                for state, codes in self._undo]
        return _restore_table, (self.rules, self._bytes(), undo, self.begun, self.seed, self.number, self.deal,
                                LAYOUT)

    def __str__(self):
        from sitoumus.show import table_text
        return table_text(self)

    def _repr_html_(self):
        from sitoumus.svg import table
        return table(self)

    def __repr__(self):
        where = f"deal {self.number} of seed {self.seed}" if self.seed is not None else "from a position"
        return f"<Table {where}: {self.phase}, {self.turn} to act, contract {self.contract}>"


cdef void _tidy_public(CPublic* p) noexcept:
    """Clear what lies beyond the ends of arrays."""
    cdef int side
    memset(&p.pile[p.pile_n], 0, MAX_PACK - p.pile_n)
    for side in range(MAX_SIDES):
        memset(&p.melds[side][p.n_melds[side]], 0, (MAX_MELDS - p.n_melds[side]) * sizeof(CMeld))


cdef void _tidy(CState* s) noexcept:
    _tidy_public(&s.p)
    memset(&s.h.stock[s.p.stock_n], 0, MAX_PACK - s.p.stock_n)


cdef const CState* _state_in(object kept) noexcept:
    """The state that an entry of a history keeps."""
    if isinstance(kept, LegalActions):
        return &(<LegalActions>kept).s
    return <const CState*>PyBytes_AS_STRING(kept)


def _restore_table(rules, state, undo, begun, seed, number, deal, layout=None):
    cdef Table table = Table.__new__(Table)
    table.compiled = _rules(rules)
    _same_layout(layout, "table")
    for kept, size in [(state, sizeof(CState)), (begun, sizeof(CPast)), *((each, sizeof(CState)) for each, _ in undo)]:
        if kept is not None and len(kept) != size:
            raise SitoumusError("this pickle of a table is damaged: make it again")
    memcpy(&table.s, PyBytes_AS_STRING(state), sizeof(CState))
    table.begun = begun
    table._undo = list(undo)
    table.seed = seed
    table.number = number
    table.deal = deal
    return table


def _legal_actions_of(table):
    return table.legal_actions


cdef object _order(Table table, tuple cards, int target, bint start, set seen):
    """An order of single steps that lays the cards, as codes; None if there is none."""
    cdef Table after
    cdef uint32_t a
    cdef int i
    if not cards:
        return ()
    if (cards, start) in seen:
        return None
    seen.add((cards, start))
    cdef LegalActions legal = table._generate()
    for i in range(legal.n):
        a = legal.codes[i]
        if verb_of(a) == V_MELD and start and not a >> 31:
            used = _action_cards(&table.s.p, a)
        elif verb_of(a) == V_ADD and not start and act_target(a) == target:
            used = [act_first(a)]
        else:
            continue
        rest = list(cards)
        for code in used:
            if code not in rest:
                break
            rest.remove(code)
        else:
            after = table.copy()
            after._do((a,))
            more = _order(after, tuple(rest), target, False, seen)
            if more is not None:
                return (a, *more)
    return None


cdef int _seat(Rules rules, name) except -1:
    if not isinstance(name, str) or name not in rules.seats:
        raise SitoumusError(f"{checks.quoted(name)} is no seat: seats are {' '.join(rules.seats)}")
    return rules.seats.index(name)


cdef int _side(Rules rules, name) except -1:
    if not isinstance(name, str) or name not in rules.sides:
        raise SitoumusError(f"{checks.quoted(name)} is no side: sides are {' '.join(rules.sides)}")
    return rules.sides.index(name)


cdef int _totals(Rules rules, totals, int32_t* out) except -1:
    """Match totals by side from a sequence or a mapping; 0 if None."""
    cdef int i
    for i in range(MAX_SIDES):
        out[i] = 0
    if totals is None:
        return 0
    values = None
    if isinstance(totals, Mapping) or hasattr(totals, "keys") and set(totals.keys()) & set(rules.sides):
        for side in totals.keys():                          # a Series whose index has other names is taken in order
            _side(rules, side)
        values = [totals.get(side, 0) for side in rules.sides]
    elif isinstance(totals, Iterable) and not isinstance(totals, (str, bytes)):
        values = list(totals) if getattr(totals, "ndim", 1) else None
    if values is None or len(values) != rules.r.sides:
        raise SitoumusError(f"totals is {checks.quoted(totals)}: it must be a whole number for each of "
                            f"{' '.join(rules.sides)}")
    for i in range(rules.r.sides):
        out[i] = checks.whole(f"totals of {rules.sides[i]}", values[i], -MOST_TOTAL, MOST_TOTAL, SitoumusError)
    return 0


# ---- random numbers, for testers -------------------------------------------------------------------------------------

cdef int _stream(Stream* s, key, counter) except -1:
    cdef uint64_t k[2]
    k[0], k[1] = key
    stream_open(s, k, counter[0], counter[1], counter[2], counter[3])
    return 0


def philox_words(key, counter, int n):
    """The first n words of a stream: those of ``numpy.random.Philox(key=key, counter=counter).random_raw(n)``.

    Examples
    --------
    >>> philox_words((1, 2), (0, 0, 42, 0), 1)
    [14688690933635115405]
    """
    cdef Stream s
    _stream(&s, key, counter)
    return [next64(&s) for _ in range(n)]


def bounded_draws(key, counter, uint32_t bound, int n):
    """The first n whole numbers below a bound of a stream (Lemire's method on half words, the low half first)."""
    cdef Stream s
    _stream(&s, key, counter)
    if bound == 0:
        raise SitoumusError("bound is 0: must be 1 or more")
    return [bounded(&s, bound) for _ in range(n)]


# ---- what a seat may know --------------------------------------------------------------------------------------------

@lru_cache(maxsize=1024)
def view_key(seed, number):
    """Two words that do not tell what they are made of: BLAKE2b of both numbers as text."""
    digest = blake2b(f"{seed} {number}".encode(), digest_size=16).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")


@cython.final
cdef class View:
    """What a seat may know of a table (R26.3, D22): its own hand and everything public. Nothing else is in it.

    Attributes
    ----------
    seat, side : str
        Whose view it is.
    hand : Hand
        Own cards.
    turn, phase, dealer, contract, declarer, doubled, calls, pile, stock_size, frozen, totals, penalties, turns
        As at the table.
    hand_sizes : dict of int
        Cards in each hand.
    key, step : tuple of int, int
        Where the random numbers of a policy come from, with the address of the turn: see `Policy.rng`. The key is made
        of the policies' seed and the deal's number and does not tell them: the cards could be dealt from them. Steps
        count the actions of the turn.
    """

    @property
    def rules(self):
        """The RuleSet."""
        return self.compiled.source

    @property
    def address(self):
        """Number of the decision's turn and seat in a deal: part of the address of random numbers."""
        return seat_address(&self.p, self.compiled.seats.index(self.seat))

    @property
    def side(self):
        """Own side."""
        return self.compiled.sides[self.compiled.r.side_of[self.compiled.seats.index(self.seat)]]

    @property
    def hand(self):
        """Own cards."""
        return _hand(&self.own)

    @property
    def hand_sizes(self):
        """Cards in each hand, by seat."""
        return {name: self.p.hand_n[i] for i, name in enumerate(self.compiled.seats)}

    def known(self, seat):
        """Cards all know to be in a hand: taken from the pile and not yet played."""
        return _hand(&self.p.known[_seat(self.compiled, seat)])

    cdef Table _table(self):
        """A table without hidden cards, to read the public part by the table's own words."""
        cdef Table table = Table.__new__(Table)
        table.compiled = self.compiled
        memset(&table.s, 0, sizeof(CState))
        table.s.p = self.p
        table._undo = []
        return table

    @property
    def phase(self):
        """Phase of the deal."""
        return PHASES[self.p.phase]

    @property
    def turn(self):
        """Seat to act."""
        return self.compiled.seats[self.p.turn]

    @property
    def dealer(self):
        """Seat that dealt."""
        return self.compiled.seats[self.p.dealer]

    @property
    def turns(self):
        """Completed turns."""
        return self.p.turns

    @property
    def contract(self):
        """As `Table.contract`."""
        return self._table().contract

    @property
    def declarer(self):
        """Seat of the declarer, or None."""
        return self._table().declarer

    @property
    def calls(self):
        """Calls of the auction."""
        return self._table().calls

    @property
    def pile(self):
        """The discard pile, top first; all of it is public (D22)."""
        return self._table().pile

    @property
    def stock_size(self):
        """Cards in the stock."""
        return self.p.stock_n

    @property
    def frozen(self):
        """Whether the pile is frozen."""
        return self.p.freezers > 0

    @property
    def totals(self):
        """Match totals when the deal began."""
        return self._table().totals

    @property
    def penalties(self):
        """Points lost so far by side."""
        return self._table().penalties

    def melds(self, side):
        """Melds of a side, in the order laid."""
        return self._table().melds(side)

    def opened(self, side):
        """Whether a side has opened."""
        return self._table().opened(side)

    def minimum(self, side):
        """Opening minimum of a side."""
        return self._table().minimum(side)

    def bought(self, side):
        """Cards that a side has laid to buy."""
        return self._table().bought(side)

    def bonus(self, side):
        """Bonus cards that a side has laid."""
        return self._table().bonus(side)

    @property
    def legal_actions(self):
        """The legal single steps, as texts; empty when another seat is to act."""
        cdef uint32_t codes[MAX_ACTIONS]
        cdef int i, n
        if self.seat != self.turn:
            return ()
        n = generate(&self.compiled.r, &self.p, &self.own, codes)
        return tuple([_action_text(&self.compiled.r, &self.p, codes[i]) for i in range(n)])

    def __eq__(self, other):
        cdef View view
        if not isinstance(other, View):
            return NotImplemented
        view = other
        return (self.seat == view.seat and self.compiled is view.compiled and self.key == view.key
                and hand_equal(&self.own, &view.own)
                and memcmp(&self.p, &view.p, sizeof(CPublic)) == 0)

    def __hash__(self):
        return hash((self.seat, PyBytes_FromStringAndSize(<char*>&self.p, sizeof(CPublic)), str(self.hand)))

    def __str__(self):
        from sitoumus.show import table_text
        return table_text(self)

    def _repr_html_(self):
        from sitoumus.svg import table
        return table(self)

    def __repr__(self):
        return f"<View of {self.seat}: {self.phase}, {self.turn} to act, hand {self.hand}>"

    def __reduce__(self):
        return _restore_view, (self.rules, self.seat, str(self.hand),
                               PyBytes_FromStringAndSize(<char*>&self.p, sizeof(CPublic)), self.key, self.step, LAYOUT)


def _restore_view(rules, seat, hand, public, key, step, layout=None):
    cdef View view = View.__new__(View)
    _same_layout(layout, "view")
    if len(public) != sizeof(CPublic):
        raise SitoumusError("this pickle of a view is damaged: make it again")
    view.compiled = _rules(rules)
    view.seat = seat
    view.own = Hand(hand).h
    memcpy(&view.p, PyBytes_AS_STRING(public), sizeof(CPublic))
    view.key = key
    view.step = step
    return view


cdef int _same_layout(layout, str what) except -1:
    if layout != LAYOUT:
        raise SitoumusError(f"this pickle of a {what} was made by another version of the library: its layout is "
                            f"{checks.quoted(layout)}, and must be {LAYOUT!r}")
    return 0


# ---- ranges of deals -------------------------------------------------------------------------------------------------

cdef int _policies(Rules rules, policies, CPolicy* out) except -1:
    """Compiled policies by seat from (kind, parameters, passes) by seat."""
    cdef int seat, i
    memset(out, 0, MAX_SEATS * sizeof(CPolicy))
    for seat in range(rules.r.seats):
        kind, params, passes = policies[seat]
        if kind == POLICY_ROLLOUT:
            (out[seat].worlds, out[seat].caution, out[seat].milliseconds, out[seat].floor,
             out[seat].base) = params[:5]
            params = params[5:]
        if len(params) > MAX_PARAMS:
            raise ValueError(f"a policy has at most {MAX_PARAMS} parameters, not {len(params)}")
        out[seat].kind = kind
        out[seat].passes = passes
        for i in range(len(params)):
            out[seat].w[i] = params[i]
    return 0


cdef int _bases(Rules rules, policies, CPolicy* out) except -1:
    """The same, with its base in place of a policy that plays out."""
    cdef int seat
    _policies(rules, policies, out)
    for seat in range(rules.r.seats):
        if out[seat].kind == POLICY_ROLLOUT:
            out[seat].kind = out[seat].base
    return 0


def play_range(config, int64_t start, int64_t stop, arrays, int64_t offset=0, int64_t[::1] tries=None,
               const int64_t[::1] numbers=None, uint64_t[::1] courses=None, const int8_t[::1] dealers=None,
               const int32_t[:, ::1] totals=None):
    """Play deals start .. stop - 1 and write one row each into the arrays, from row `offset` on, without the GIL.

    Parameters
    ----------
    config : tuple
        (rules, seed, policy seed, policies by seat as (kind, parameters, passes), dealer seat or -1 for deal % seats,
        totals, forced bids as (bid, seat) pairs that rise or None, doubler's seat or -1, fixed hands by seat as texts
        or None, calls the auction begins with[, condition on the hands or None]). With forced bids the auction is
        passes, these bids, then passes or the double; a policy that `passes` passes in every auction.
    arrays : list of 1-D arrays
        One for each of `columns`, contiguous, of the dtype's size; None leaves a column out.
    tries : 1-D array of int64, optional
        Gets the number of deals tried for each deal that fulfils the condition.
    numbers : 1-D array of int64, optional
        Play deals numbers[start] .. numbers[stop - 1] instead.
    courses : 1-D array of uint64, optional
        Only call the auctions, by policies that do not play out: gets a number for the course of each. Deals whose
        numbers are equal go on alike, where nothing in the rules asks what strain was bid at levels 1 to 3 (R14.2).
    dealers, totals : 1-D array of int8 and 2-D array of int32, optional
        The dealer's seat, and the totals by side, of each deal of `numbers`, in place of those of the config.
    """
    cdef Rules rules
    cdef CPolicy policies[MAX_SEATS]
    cdef CMind minds[MAX_SEATS]
    cdef CColumn cols[MAX_COLUMNS]
    cdef int64_t values[MAX_COLUMNS]
    cdef uint64_t key[2]
    cdef uint64_t noise[2]
    cdef int32_t sums[MAX_SIDES]
    cdef uint8_t bids[2 * MAX_BIDS]
    cdef CHand fixed[MAX_SEATS]
    cdef CState s
    cdef uint32_t first_calls[MAX_CALLS]
    cdef int i, n = 0, n_bids = -1, n_calls = 0, doubler, dealer, seats
    cdef int64_t deal, row, tried
    cdef char[::1] view
    cdef bint known, listed = numbers is not None, each = dealers is not None
    cdef Dealer conditional = None
    source, seed, policy_seed, by_seat, dealer, usual, forced, doubler, hands, calls, *where = config
    rules = _rules(source)
    _policies(rules, by_seat, policies)
    _key(seed, key)
    _key(policy_seed, noise)
    _totals(rules, usual, sums)
    if forced is not None:
        n_bids = len(forced)
        for i in range(n_bids):
            bids[2 * i] = forced[i][0]
            bids[2 * i + 1] = forced[i][1]
    for call in calls:
        first_calls[n_calls] = _PLAIN[call] if call in _PLAIN else act_card(V_BID, bid_number(call))
        n_calls += 1
    known = hands is not None
    if known:
        _fixed_hands(rules, hands, fixed)
    if where and where[0] is not None:
        conditional = _dealer(where[0], rules, hands)
    held = []
    for array in arrays:
        if array is None:
            cols[n].size = 0
            n += 1
            continue
        view = memoryview(array).cast("B").cast("b")
        held.append(view)
        cols[n].data = &view[0] if view.shape[0] else NULL
        cols[n].size = array.dtype.itemsize
        n += 1
    seats = rules.r.seats
    memset(&s, 0, sizeof(CState))
    with nogil:
        for row in range(start, stop):
            deal = numbers[row] if listed else row
            if each:
                dealer = dealers[row]
                for i in range(rules.r.sides):
                    sums[i] = totals[row, i]
            clear_state(&rules.r, &s, <int>(deal % seats) if dealer < 0 else dealer, sums)
            if conditional is None:
                tried = 1
                deal_cards(&rules.r, &s, key, <uint64_t>deal, fixed if known else NULL)
            else:
                tried = deal_where(conditional, &s, key, <uint64_t>deal)
            if tries is not None:
                tries[offset + row - start] = tried
            start_extra(&rules.r, &s)
            begin_deal(&rules.r, &s)
            for i in range(n_calls):
                apply(&rules.r, &s, first_calls[i])
            if n_bids >= 0:
                set_contract(&rules.r, &s, bids, n_bids, doubler if doubler >= 0 else NONE)
            if courses is not None:
                call_out(&rules.r, &s, policies, noise, <uint64_t>deal, minds)
                courses[offset + row - start] = auction_course(&s.p)
                continue
            play_out(&rules.r, &s, policies, noise, <uint64_t>deal, 0, minds)
            row_values(&rules.r, &s, deal, values)
            write_row(cols, n, offset + row - start, values)


@cython.final
cdef class Players:
    """The compiled policies at a table. They think within a turn: one object plays one deal.

    Parameters
    ----------
    rules : RuleSet
    policies : sequence
        (kind, parameters, passes) by seat, None for a seat that is played from Python.
    policy_seed : int
        Addresses their noise, together with the deal's number.
    """

    def __init__(self, rules, policies, policy_seed):
        cdef int seat
        cdef Rules c = _rules(rules)
        _policies(c, [policy or (POLICY_RANDOM, (), 0) for policy in policies], self.by_seat)
        _key(policy_seed, self.noise)
        for seat in range(MAX_SEATS):
            self.here[seat] = seat < c.r.seats and policies[seat] is not None
            self.minds[seat].address = -1

    def play(self, Table table, bint checked=False):
        """Push their actions until the deal is over or a seat is to act that is played from Python.

        If `checked`, every step is first looked up among the legal actions; one that is not there raises.
        """
        cdef int seat
        cdef uint32_t a
        cdef uint64_t deal = table.number or 0
        cdef CPast past
        while table.s.p.phase != PHASE_OVER:
            seat = table.s.p.turn
            if not self.here[seat]:
                return
            if self.by_seat[seat].kind == POLICY_ROLLOUT:
                table._past(&past)
                self.minds[seat].past = &past
            open_mind(&self.minds[seat], &table.s.p, self.noise, deal, 0)
            a = decide_any(&table.compiled.r, &self.by_seat[seat], &table.s.p, &table.s.h.hand[seat], &self.minds[seat])
            if checked and not is_legal(&table.compiled.r, &table.s, a):
                raise AssertionError(f"illegal step {_action_text(&table.compiled.r, &table.s.p, a)} in\n{table}")
            table._do((a,))


def play_actions(Table table, policies, policy_seed=None):
    """Play a table on to its end by compiled policies, given as for `Players`; every step is pushed."""
    Players(table.rules, policies, table.seed or 0 if policy_seed is None else policy_seed).play(table)


def row_of(Table table, int64_t deal):
    """The row of a deal that is over, as a list in the order of `columns`; names as their places."""
    cdef int64_t values[MAX_COLUMNS]
    cdef int i, n
    if table.s.p.phase != PHASE_OVER:
        raise ValueError("the deal is not over")
    n = row_values(&table.compiled.r, &table.s, deal, values)
    return [values[i] for i in range(n)]


def deal_range(config, int64_t start, int64_t stop, uint8_t[:, :, ::1] counts):
    """The dealt hands of deals start .. stop - 1 as counts by deal, seat and card in canonical order, without the GIL.

    The config is that of `play_range`.
    """
    cdef Rules rules = _rules(config[0])
    cdef uint64_t key[2]
    cdef CHand fixed[MAX_SEATS]
    cdef CState s
    cdef int seat, dealer = config[4]
    cdef int64_t deal
    cdef int32_t sums[MAX_SIDES]
    cdef bint known = config[8] is not None
    cdef Dealer conditional = None
    _key(config[1], key)
    _totals(rules, None, sums)
    if known:
        _fixed_hands(rules, config[8], fixed)
    if len(config) > 10 and config[10] is not None:
        conditional = _dealer(config[10], rules, config[8])
    with nogil:
        for deal in range(start, stop):
            clear_state(&rules.r, &s, <int>(deal % rules.r.seats) if dealer < 0 else dealer, sums)
            if conditional is None:
                deal_cards(&rules.r, &s, key, <uint64_t>deal, fixed if known else NULL)
            else:
                deal_where(conditional, &s, key, <uint64_t>deal)
            start_extra(&rules.r, &s)
            for seat in range(rules.r.seats):
                write_counts(&s.h.hand[seat], &counts[deal - start, seat, 0])


def hand_texts(const uint8_t[:, ::1] counts):
    """Texts of hands given as counts by card in canonical order."""
    cdef int64_t i
    cdef int card
    cdef list texts = [], names = [card_text(code) for code in notation.CARD_CODES], words
    for i in range(counts.shape[0]):
        words = []
        for card in range(53):
            if counts[i, card]:
                words += [names[card]] * counts[i, card]
        texts.append(" ".join(words))
    return texts


cdef inline uint64_t mix64(uint64_t x) noexcept nogil:
    """The finaliser of SplitMix64 (S. Vigna): a bijection that spreads every bit."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL
    return x ^ (x >> 31)


def column_hash(array, int64_t first):
    """Hash of a column whose first row is deal number `first`: hashes of ranges add up modulo 2**64.

    It depends on the numbers of the deals and on their values, not on how they lie in memory or how they are cut.
    """
    cdef int64_t i, n = array.shape[0], value
    cdef int size = array.dtype.itemsize
    cdef uint64_t total = 0
    cdef const char[::1] view = memoryview(array).cast("B").cast("b")
    cdef const char* data = &view[0] if n else NULL
    with nogil:
        for i in range(n):
            if size == 1:
                value = (<const int8_t*>data)[i]
            elif size == 2:
                value = (<const int16_t*>data)[i]
            elif size == 4:
                value = (<const int32_t*>data)[i]
            else:
                value = (<const int64_t*>data)[i]
            total += mix64(mix64(<uint64_t>(first + i) + 0x9E3779B97F4A7C15ULL) ^ <uint64_t>value)
    return total


def policy_view(Table table, policy_seed=None):
    """What the seat to act may know, with the policies' seed in place of the cards'."""
    cdef View view = table.view(table.turn)
    if policy_seed is not None:
        view.key = view_key(policy_seed, table.number or 0)
    return view


def match_won(rules, totals, int deals):
    """Side that has won a match with these totals after so many deals, "draw", or "none" while it goes on (R1, F22)."""
    cdef Rules c = _rules(rules)
    cdef int32_t sums[MAX_SIDES]
    cdef int who
    _totals(c, totals, sums)
    who = match_winner(&c.r, sums, deals)
    return "none" if who == WINNER_NONE else "draw" if who == WINNER_DRAW else c.sides[who]


def draw_for_start(rules, seed, uint64_t match):
    """Seat that starts a match's first deal: each draws a card from the shuffled pack, the highest starts (R3)."""
    cdef Rules c = _rules(rules)
    cdef Stream stream
    cdef uint64_t key[2]
    cdef uint8_t pack[MAX_PACK]
    cdef CHand none
    cdef int at = 0, n, rank
    _key(seed, key)
    hand_clear(&none)
    n = new_pack(&c.r, &none, pack)
    stream_open(&stream, key, 0, PURPOSE_START, match, 0)
    shuffle(&stream, pack, n)
    drawing = list(range(c.r.seats))
    while len(drawing) > 1:
        drawn = []
        for _ in drawing:
            while pack[at] == JOKER:                        # a joker is drawn again (R3.3)
                at += 1
            rank = card_rank(pack[at])
            drawn.append((13 if rank == 0 else rank, card_suit(pack[at])))     # suits c d h s rise already (R3.2)
            at += 1
        drawing = [seat for seat, card in zip(drawing, drawn) if card == max(drawn)]
    return c.seats[drawing[0]]


def _counts(hands):
    """Hands as a contiguous (n, 53) array of counts: an array of counts, or hands and texts."""
    import numpy as np
    if isinstance(hands, (str, Hand)):
        hands = [hands]
    if not isinstance(hands, (np.ndarray, Sequence)):
        raise InvalidCardError(f"hands is {checks.quoted(hands)}: it must be hands, texts or an array of counts")
    if not isinstance(hands, np.ndarray):
        rows = np.zeros((len(hands), 53), np.uint8)
        for i, hand in enumerate(hands):
            for code in (hand if isinstance(hand, Hand) else Hand(hand)).codes:
                rows[i, notation.canonical_index(code)] += 1
        return rows
    if hands.ndim != 2 or hands.shape[1] != 53 or hands.dtype.kind not in "ui":
        raise InvalidCardError(f"hands are an array of shape {hands.shape} and dtype {hands.dtype}: they must be whole "
                               "counts of shape (n, 53), cards in the order A 2 ... K, suits c d h s, jokers last")
    if hands.size and ((hands.dtype.kind == "i" and hands.min() < 0) or hands[:, :52].max() > 3
                       or hands[:, 52].max() > 6):
        raise InvalidCardError("hands hold a card more than 3 times, or more than 6 jokers, or a negative count")
    return np.ascontiguousarray(hands, np.uint8)


def features(hands, rules=None):
    """The features of many hands.

    Parameters
    ----------
    hands : array of shape (n, 53), or sequence of Hand or str
        Counts by card, in the order A 2 ... K, suits c d h s within a rank, jokers last.
    rules : RuleSet, optional

    Returns
    -------
    structured array of shape (n,)
        A field for each name in ``FEATURES``; ``can_open_*`` are bools, the others int16.

    Examples
    --------
    >>> table = features(random_hands(1000, seed=1))
    >>> int(table["run_h"].max()), table.dtype.names[:3]
    (6, ('card_points', 'jokers', 'deuces'))
    """
    import numpy as np
    cdef Rules c = _rules(rules)
    rows = _counts(hands)
    cdef const uint8_t[:, ::1] view = rows
    table = np.empty(len(rows), [(name, bool if name in YES_NO_FEATURES else np.int16) for name in FEATURES])
    cdef uint8_t[:, ::1] out = table.view(np.uint8).reshape(len(rows), table.dtype.itemsize)
    cdef int64_t i, n = len(rows)
    cdef int32_t values[N_FEATURES]
    cdef int16_t value
    cdef uint8_t* at
    cdef int k
    cdef CHand h
    with nogil:
        for i in range(n):
            hand_of_counts(&h, &view[i, 0])
            hand_features(&c.r, &h, values)
            at = &out[i, 0]
            for k in range(N_FEATURES):
                if F_CAN_OPEN <= k < F_BONUS_POTENTIAL:
                    at[0] = values[k] != 0
                    at += 1
                else:
                    value = <int16_t>values[k]
                    memcpy(at, &value, 2)
                    at += 2
    return table


def best_openings(hands, deuces=5, rules=None):
    """Card points of the best opening of each of many hands, no card kept back; 0 where nothing can be laid.

    Parameters
    ----------
    hands : array of shape (n, 53), or sequence of Hand or str
    deuces : int
        Least deuces of a set of deuces: 4 for the declarer, 5 for others.

    Returns
    -------
    array of int32, shape (n,)
    """
    import numpy as np
    cdef Rules c = _rules(rules)
    rows = _counts(hands)
    cdef const uint8_t[:, ::1] view = rows
    points = np.empty(len(rows), np.int32)
    cdef int32_t[::1] out = points
    cdef int64_t i, n = len(rows)
    cdef CHand h
    cdef int least = 0                      # 0: sets of deuces do not count
    if c.r.deuce_kind != NONE and not (type(deuces) is int and deuces == 0):
        least = checks.whole("deuces", deuces, 4, 5)
    with nogil:
        for i in range(n):
            hand_of_counts(&h, &view[i, 0])
            out[i] = open_points(&c.r, &h, least)
    return points


def random_hands(n, seed=0, cards=15, rules=None):
    """Random hands, hand i of a seed always the same.

    Parameters
    ----------
    n : int
    seed : int
    cards : int
        Cards in each hand.

    Returns
    -------
    array of uint8, shape (n, 53)
        Counts by card in canonical order.
    """
    import numpy as np
    cdef Rules c = _rules(rules)
    cdef uint64_t key[2]
    cdef uint8_t full[MAX_PACK]
    cdef uint8_t pack[MAX_PACK]
    cdef CHand none
    cdef Stream stream
    cdef int64_t i, n_hands = checks.whole("n", n, 0, 10**9, InvalidCardError)
    cdef int k, size, n_cards = checks.whole("cards", cards, 0, c.r.n_cards, InvalidCardError)
    _key(seed, key)
    hand_clear(&none)
    size = new_pack(&c.r, &none, full)
    rows = np.zeros((n_hands, 53), np.uint8)
    cdef uint8_t[:, ::1] out = rows
    with nogil:
        for i in range(n_hands):
            memcpy(pack, full, size)
            stream_open(&stream, key, 0, PURPOSE_HANDS, <uint64_t>i, 0)
            for k in range(n_cards):
                swap_bytes(pack, k, k + <int>bounded(&stream, <uint32_t>(size - k)))
                out[i, canonical(pack[k])] += 1
    return rows


# ---- worlds ----------------------------------------------------------------------------------------------------------

def auction_fits(config, heard, double floor, int64_t start, int64_t stop, uint64_t[::1] weights, int16_t[::1] apart):
    """How likely the auction that the config begins with is in deals start .. stop - 1, without the GIL.

    For each deal its weight by the calls of the seats that are heard, in 2^-63 of that of a deal in which their
    policies
    make all of them, and the number of those that their policies would not have made (a bid of the same level agrees at
    levels 1 to 3, where the strain says nothing of the hand: R14.2).
    """
    cdef Rules rules = _rules(config[0])
    cdef CPolicy policies[MAX_SEATS]
    cdef CMind minds[MAX_SEATS]
    cdef uint64_t key[2]
    cdef uint64_t noise[2]
    cdef int32_t sums[MAX_SIDES]
    cdef uint32_t calls[MAX_CALLS]
    cdef CHand fixed[MAX_SEATS]
    cdef CState s
    cdef uint64_t loose = <uint64_t>(floor * 2.0**32)
    cdef int odd, n = 0, who = 0, dealer = config[4]
    cdef int64_t deal
    cdef bint known = config[8] is not None
    cdef Dealer conditional = None
    _bases(rules, config[3], policies)
    _key(config[1], key)
    _key(config[2], noise)
    _totals(rules, config[5], sums)
    if known:
        _fixed_hands(rules, config[8], fixed)
    if len(config) > 10 and config[10] is not None:
        conditional = _dealer(config[10], rules, config[8])
    for seat in heard:
        who |= 1 << _seat(rules, seat)
    for call in config[9]:
        calls[n] = _PLAIN[call] if call in _PLAIN else act_card(V_BID, bid_number(call))
        n += 1
    memset(&s, 0, sizeof(CState))
    with nogil:
        for deal in range(start, stop):
            clear_state(&rules.r, &s, <int>(deal % rules.r.seats) if dealer < 0 else dealer, sums)
            if conditional is None:
                deal_cards(&rules.r, &s, key, <uint64_t>deal, fixed if known else NULL)
            else:
                deal_where(conditional, &s, key, <uint64_t>deal)
            begin_deal(&rules.r, &s)
            odd = 0
            weights[deal - start] = calls_weight(&rules.r, &s, policies, calls, n, who, loose, WHOLE_WEIGHT, noise,
                                                 <uint64_t>deal, 0, minds, &odd)
            apart[deal - start] = <int16_t>odd


def call_by_force(Table table):
    """Note that the calls of a table are forced ones: policies that play out do not read hands from them."""
    table.s.p.forced = 1


def played(Table table):
    """Of each seat the cards that it has played and that were not known to be in its hand: dealt to it, or drawn."""
    cdef CPast past
    cdef int seat
    table._past(&past)
    return {name: _hand(&past.gone[seat]) for seat, name in enumerate(table.compiled.seats)}


def told(Table table):
    """How many calls and last discards of the others than the seat to act tell of their hands."""
    cdef CPast past
    cdef CFit f
    cdef const CRules* r = &table.compiled.r
    cdef const CPublic* p = &table.s.p
    cdef int i, n = 0
    table._past(&past)
    begin_fit(r, p, &past, 0, &f)
    for i in range(f.n_calls):
        n += (p.dealer + 1 + i) % r.seats != p.turn
    for i in range(r.seats):
        if i != p.turn and i != p.player:
            n += min(past.n_choices[i], MAX_CHOICES)
    return n


def made_log_odds(Table table, params, int level):
    """Thousandths of the log-odds with which these parameters expect the seat to call to make a contract of a level."""
    cdef CPolicy each[MAX_SEATS]
    _policies(table.compiled, [(0, params, 0)] * table.compiled.r.seats, each)
    return chances_of(&table.compiled.r, each[0].w, &table.s.p, &table.s.h.hand[table.s.p.turn], level)


def sample_tables(Table table, str seat, int n, seed=0, policies=None, floor=0):
    """Tables that agree with what a seat may know, hidden cards dealt anew: worlds 1 .. n of the view.

    With policies they agree with what the other seats have done, as for `rollouts`.
    """
    cdef CUnseen u
    cdef Stream stream
    cdef CMind minds[MAX_SEATS]
    cdef CPast past
    cdef CFit f
    cdef uint64_t key[2]
    cdef uint64_t deal = table.number or 0
    cdef const CRules* r = &table.compiled.r
    cdef int who = _seat(table.compiled, seat), w
    cdef Table world
    cdef list found = []
    table._past(&past)
    begun = PyBytes_FromStringAndSize(<char*>&past, sizeof(CPast))
    _key(seed, key)
    see_unseen(r, &table.s.p, &table.s.h.hand[who], who, &u)
    if policies is not None:
        begin_fit(r, &table.s.p, &past, <uint64_t>(floor * 2.0**32), &f)
        _bases(table.compiled, policies, f.policies)
    for w in range(1, n + 1):
        stream_open(&stream, key, <uint64_t>seat_address(&table.s.p, who) << 32, PURPOSE_WORLD, deal, w)
        world = Table.__new__(Table)
        world.compiled = table.compiled
        world.seed = table.seed
        world.number = table.number
        world._undo = []
        world.begun = begun
        sample_world(r, &table.s.p, &table.s.h.hand[who], &u, &f if policies is not None else NULL, &stream, key, deal,
                     w, minds, &world.s)
        found.append(world)
    return found


def rollouts(Table table, actions, policies, seed, int64_t start, int64_t stop, int32_t[:, :, ::1] scores, floor=None,
             int16_t[::1] apart=None):
    """Play actions of the seat to act out on worlds start + 1 .. stop of its view, without the GIL.

    The worlds are the same for all actions, and so are the random numbers of the policies.

    Parameters
    ----------
    table : Table
        Of which only the view of the seat to act is used.
    actions : sequence of str
        Legal texts.
    policies : sequence
        As for `Players`, none of them None.
    seed : int
    scores : array of shape (actions, stop - start, sides)
        The scores of the sides.
    floor : float, optional
        Worlds are dealt so that they agree with what the other seats have done: weight of a call or last discard that
        its policy would not have made. None: all worlds of the view are equally likely.
    apart : array of shape (stop - start)
        With a floor: how many of these calls and discards do not agree.
    """
    cdef Rules rules = table.compiled
    cdef CPolicy by_seat[MAX_SEATS]
    cdef CMind minds[MAX_SEATS]
    cdef CUnseen u
    cdef Stream stream
    cdef uint64_t key[2]
    cdef uint64_t deal = table.number or 0
    cdef bint weighed = floor is not None
    cdef CPast past
    cdef CFit f
    cdef CState seen, world, s
    cdef CScore score
    cdef CHand own
    cdef uint32_t codes[512]
    cdef int first[512]
    cdef int n = 0, at = 0, i, k, side, who = table.s.p.turn
    cdef uint64_t block
    cdef int64_t w
    if len(actions) > 500:
        raise ValueError(f"at most 500 actions are played out, not {len(actions)}")
    for text in actions:
        found = table._find(text)
        if found is None:
            raise IllegalActionError(table._why_not(text))
        first[n] = at
        n += 1
        for code in found:
            if at == 512:
                raise ValueError("these actions have too many steps")
            codes[at] = code
            at += 1
    first[n] = at
    _policies(rules, policies, by_seat)
    _key(seed, key)
    seen = table.s
    own = table.s.h.hand[who]
    block = <uint64_t>seat_address(&seen.p, who) << 32
    if weighed:
        table._past(&past)
        begin_fit(&rules.r, &seen.p, &past, <uint64_t>(floor * 2.0**32), &f)
        _bases(rules, policies, f.policies)
    with nogil:
        see_unseen(&rules.r, &seen.p, &own, who, &u)
        for w in range(start, stop):
            stream_open(&stream, key, block, PURPOSE_WORLD, deal, <uint64_t>w + 1)
            k = sample_world(&rules.r, &seen.p, &own, &u, &f if weighed else NULL, &stream, key, deal, <uint64_t>w + 1,
                             minds, &world)
            if weighed:
                apart[w - start] = <int16_t>k
            for i in range(n):
                s = world
                for k in range(first[i], first[i + 1]):
                    apply(&rules.r, &s, codes[k])
                play_out(&rules.r, &s, by_seat, key, deal, <uint64_t>w + 1, minds)
                score_deal(&rules.r, &s.p, s.h.hand, &score)
                for side in range(rules.r.sides):
                    scores[i, w - start, side] = score.score[side]
