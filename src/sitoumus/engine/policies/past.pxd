# What the seats have done so far, and whether a hand agrees with it.
from libc.stdint cimport uint8_t, uint32_t, uint64_t, int32_t
from libc.string cimport memset
from sitoumus.engine.cards cimport (
    CHand, ctz64, hand_add, hand_clear, hand_count, hand_drop, hand_has, hand_merge, hand_part, hand_remove, JOKER,
    popcount64,
)
from sitoumus.engine.rng cimport bounded, Stream
from sitoumus.engine.tables cimport CRules, MAX_PACK, MAX_SEATS, NONE
from sitoumus.engine.state cimport (
    CPublic, CState, MAX_BIDS, MAX_CALLS, MAX_CHOICES, PHASE_AUCTION, V_BID, V_BUY, V_DISCARD, V_DOUBLE, V_PASS,
)
from sitoumus.engine.actions cimport act_card, act_first, verb_of
from sitoumus.engine.auction cimport bid_level, may_double
from sitoumus.engine.apply cimport apply
from sitoumus.engine.policies.mind cimport CChoice, CMind, CPast, CPolicy, open_mind
from sitoumus.engine.policies.dispatch cimport decide

cdef extern from *:
    """
    #define SIT_WHOLE (1ULL << 63)
    """
    const uint64_t WHOLE_WEIGHT "SIT_WHOLE"      # of a hand with which all was done as its policy does it


cdef inline void begin_past(CPast* past, bint from_deal) noexcept nogil:
    """Nothing is known of what came before."""
    memset(past, 0, sizeof(CPast))
    past.from_deal = from_deal


cdef inline void note_gone(CPast* past, int seat, int card) noexcept nogil:
    hand_add(&past.gone[seat], card)
    hand_add(&past.laid[seat], card)


cdef inline void note_past(CPast* past, const CState* before, const CState* after, uint32_t a) noexcept nogil:
    """Note what the seat to act has done: its discard, and cards it played that were not known to be in its hand."""
    cdef int seat = before.p.turn, code, n
    cdef const CHand* h = &before.h.hand[seat]
    cdef CChoice* c
    cdef uint64_t left = h.p1
    if verb_of(a) == V_BUY:                     # the card drawn for it may be another copy
        if not hand_has(&before.p.known[seat], act_first(a)):
            note_gone(past, seat, act_first(a))
        return
    while left:
        code = ctz64(left)
        left &= left - 1
        n = hand_count(h, code) - hand_count(&before.p.known[seat], code)
        n -= hand_count(&after.h.hand[seat], code) - hand_count(&after.p.known[seat], code)
        while n > 0:
            note_gone(past, seat, code)
            n -= 1
    n = h.jokers - before.p.known[seat].jokers - after.h.hand[seat].jokers + after.p.known[seat].jokers
    while n > 0:
        note_gone(past, seat, JOKER)
        n -= 1
    if verb_of(a) == V_DISCARD:
        c = &past.choices[seat][past.n_choices[seat] % MAX_CHOICES]
        past.n_choices[seat] += 1
        c.p = before.p
        c.card = <uint8_t>act_first(a)
        c.laid = past.laid[seat]
        if not hand_has(&before.p.known[seat], c.card):
            hand_remove(&c.laid, c.card)
        hand_clear(&past.laid[seat])


cdef inline const CChoice* choice_before(const CPast* past, int seat, int k) noexcept nogil:
    """The discard of a seat that was its last but k; NULL if it is not noted."""
    if k >= MAX_CHOICES or k >= past.n_choices[seat]:
        return NULL
    return &past.choices[seat][(past.n_choices[seat] - 1 - k) % MAX_CHOICES]


cdef inline bint some_of(const CHand* pool, int k, Stream* stream, CHand* some) noexcept nogil:
    """Any k of these cards, all equally likely; False if they are fewer."""
    cdef uint8_t cards[MAX_PACK]
    cdef uint64_t left = pool.p1
    cdef int n = 0, i, code
    while left:
        code = ctz64(left)
        left &= left - 1
        for i in range(hand_count(pool, code)):
            cards[n + i] = <uint8_t>code
        n += hand_count(pool, code)
    memset(cards + n, JOKER, pool.jokers)
    n += pool.jokers
    hand_clear(some)
    if k > n:
        return False
    for i in range(k):
        code = i + <int>bounded(stream, <uint32_t>(n - i))
        hand_add(some, cards[code])
        cards[code] = cards[i]
    return True


# ---- what agrees with the past ---------------------------------------------------------------------------------------

cdef inline bint same_call(uint32_t a, uint32_t b) noexcept nogil:
    """Whether two calls say the same of the hand: at levels 1 to 3 the strain of a bid says nothing (R14.2)."""
    if a == b:
        return True
    return (verb_of(a) == V_BID and verb_of(b) == V_BID and act_first(a) < 18
            and bid_level(act_first(a)) == bid_level(act_first(b)))


cdef inline int calls_open(const CRules* r, const CPublic* p) noexcept nogil:
    """How many calls the seat to call could make."""
    return 1 + may_double(r, p) + 6 * r.max_level - (0 if p.last_bid == NONE else p.last_bid + 1)


cdef inline int calls_alike(const CRules* r, const CPublic* p, uint32_t call) noexcept nogil:
    """How many of them say the same of the hand as this one: the bids of its level at levels 1 to 3."""
    cdef int last, bid
    if verb_of(call) != V_BID or act_first(call) >= 18:
        return 1
    last = 6 * bid_level(act_first(call))
    bid = 0 if p.last_bid == NONE else p.last_bid + 1
    return last - (bid if bid > last - 6 else last - 6)


cdef inline uint64_t odd_call(uint64_t floor, int choices, int alike) noexcept nogil:
    """Weight of a hand with which the policy would have called otherwise, against one with which it would have made one
    of the calls that say the same, in 2^-32.

    The seat is taken to call as its policy does with the chance 1 - floor, and otherwise to make any call that it
    could make, each with the same chance. So one of `alike` calls of `choices` is heard with the chance
    alike * floor / choices, or 1 - floor more if the policy makes it."""
    cdef uint64_t odd = <uint64_t>alike * floor
    return (odd << 28) // ((<uint64_t>choices * ((<uint64_t>1 << 32) - floor) + odd) >> 4)


cdef inline uint64_t card_weight(const CRules* r, uint64_t floor, const CHand* h, bint agrees) noexcept nogil:
    """Weight of a hand by a discard from it, any of its different cards, in 2^-32: as for calls. Hands have other
    numbers of different cards, so it is taken against the discard of its policy from a hand that has as few of them as
    so many cards can be."""
    cdef uint64_t whole = <uint64_t>1 << 32
    cdef int choices = popcount64(h.p1) + (h.jokers > 0), fewest = (h.n - r.jokers + r.copies - 1) // r.copies
    if fewest < 1 or h.n <= r.jokers:
        fewest = 1
    return ((floor // choices + (whole - floor if agrees else 0)) << 31) // (floor // fewest + whole - floor) << 1


cdef inline uint64_t weighed(uint64_t weight, uint64_t factor) noexcept nogil:
    """A weight in 2^-63 times one in 2^-32."""
    cdef uint64_t high = weight >> 32, low = <uint32_t>weight
    return high * factor + ((low * factor) >> 32)


cdef inline uint64_t calls_weight(const CRules* r, CState* s, const CPolicy* policies, const uint32_t* calls, int n,
                                  int seats, uint64_t floor, uint64_t weight, const uint64_t* key, uint64_t deal,
                                  uint64_t world, CMind* minds, int* apart) noexcept nogil:
    """Make the calls but the last; the weight (in 2^-63) times that of the calls by some seats (bit by seat). apart
    grows by the number of those that their policies would not have made."""
    cdef int i, turn
    for i in range(MAX_SEATS):
        minds[i].address = -1
    for i in range(n):
        turn = s.p.turn
        if seats >> turn & 1:
            open_mind(&minds[turn], &s.p, key, deal, world)
            if not same_call(calls[i], decide(r, &policies[turn], &s.p, &s.h.hand[turn], &minds[turn])):
                weight = weighed(weight, odd_call(floor, calls_open(r, &s.p), calls_alike(r, &s.p, calls[i])))
                apart[0] += 1
        if i + 1 < n:
            apply(r, s, calls[i])
    return weight


cdef struct CFit:             # what worlds shall agree with
    const CPast* past
    CPolicy policies[MAX_SEATS]            # by which the seats are taken to play
    uint64_t floor            # chance that a seat does anything that it could do, not what its policy does, in 2^-32
    int32_t n_calls           # that tell of the hands
    uint32_t calls[MAX_CALLS]
    CPublic begun             # the table before the first of them


cdef inline void begin_fit(const CRules* r, const CPublic* p, const CPast* past, uint64_t floor,
                           CFit* f) noexcept nogil:
    """Find what worlds shall agree with; the policies are filled in by the caller.

    Forced calls tell nothing, and calls tell nothing where it is not known what was played since the deal."""
    cdef int n = 0, bid, seat = (p.dealer + 1) % r.seats
    f.past = past
    f.floor = floor
    f.n_calls = 0
    if p.forced or not past.from_deal:
        return
    for bid in range(MAX_BIDS):
        if p.bidder[bid] == NONE:
            continue
        while seat != p.bidder[bid]:
            f.calls[n] = V_PASS
            n += 1
            seat = (seat + 1) % r.seats
        f.calls[n] = act_card(V_BID, bid)
        n += 1
        seat = (seat + 1) % r.seats
    while n < p.calls:
        f.calls[n] = V_PASS
        n += 1
    if p.doubled:
        f.calls[n - 1] = V_DOUBLE
    f.n_calls = n
    f.begun = p[0]
    memset(f.begun.bidder, NONE, MAX_BIDS)
    f.begun.last_bid = NONE
    f.begun.contract = NONE
    f.begun.declarer = NONE
    f.begun.calls = 0
    f.begun.passes = 0
    f.begun.doubled = 0
    f.begun.phase = PHASE_AUCTION
    f.begun.turn = <uint8_t>((p.dealer + 1) % r.seats)
    memset(f.begun.hand_n, r.hand_size, MAX_SEATS)


cdef inline uint64_t discards_weight(const CRules* r, const CFit* f, const CHand* hand, int seat, uint64_t bar,
                                     int least, Stream* stream, const uint64_t* key, uint64_t deal, uint64_t world,
                                     CMind* m, int* apart) noexcept nogil:
    """Weight of a hand by the last discards of its seat, in 2^-63, told only as long as it is above `bar` or fewer than
    `least` are not its policy's.

    What it holds after a discard it holds until it is to play again. Before, of the cards that it held then and has
    played since, without those known to be from the pile, any as many as it had are equally likely to be those it had.
    """
    cdef const CChoice* c = choice_before(f.past, seat, 0)
    cdef CHand h = hand[0], pool, known
    cdef uint64_t weight = WHOLE_WEIGHT
    cdef int k = 0
    cdef bint agrees
    while c != NULL:
        hand_add(&h, c.card)
        m.address = -1
        open_mind(m, &c.p, key, deal, world)
        agrees = decide(r, &f.policies[seat], &c.p, &h, m) == act_card(V_DISCARD, c.card)
        weight = weighed(weight, card_weight(r, f.floor, &h, agrees))
        apart[0] += not agrees
        if weight <= bar and apart[0] >= least:
            return weight
        pool = h
        hand_part(&pool, &c.p.known[seat])
        hand_merge(&pool, &c.laid)
        k += 1
        c = choice_before(f.past, seat, k)
        if c != NULL:
            known = c.p.known[seat]
            hand_drop(&known, c.card)
            if not some_of(&pool, c.p.hand_n[seat] - 1 - known.n, stream, &h):
                return weight
            hand_merge(&h, &known)
    return weight


cdef inline uint64_t seat_weight(const CRules* r, const CFit* f, const CPublic* p, const CHand* hand, int seat,
                                 uint64_t bar, int least, Stream* stream, const uint64_t* key, uint64_t deal,
                                 uint64_t world, CMind* minds, int* apart) noexcept nogil:
    """Weight of a hand by what its seat has done, calls and last discards, in 2^-63, told only as long as it is above
    `bar` or fewer than `least` are not its policy's; apart is the number of those, as far as it was looked at.

    The hand it was dealt: of the cards that it holds and has played, without those known to be from the pile, any as
    many as were dealt are equally likely. A seat that has asked is in mid-turn, and its discards are not looked at.
    """
    cdef CState s
    cdef CHand pool
    cdef uint64_t weight = WHOLE_WEIGHT
    apart[0] = 0
    if seat != p.player:
        weight = discards_weight(r, f, hand, seat, bar, least, stream, key, deal, world, &minds[seat], apart)
    if (weight > bar or apart[0] < least) and (seat + r.seats - 1 - p.dealer) % r.seats < f.n_calls:   # it has called
        pool = hand[0]
        hand_part(&pool, &p.known[seat])
        hand_merge(&pool, &f.past.gone[seat])
        s.p = f.begun
        if some_of(&pool, r.hand_size, stream, &s.h.hand[seat]):
            weight = calls_weight(r, &s, f.policies, f.calls, f.n_calls, 1 << seat, f.floor, weight, key, deal, world,
                                  minds, apart)
    return weight
