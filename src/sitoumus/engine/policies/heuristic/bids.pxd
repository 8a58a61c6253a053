# Bids of the heuristic: what a hand is worth, and how high it goes.
from libc.stdint cimport uint8_t, uint32_t, uint64_t, int32_t
from libc.string cimport memset
from sitoumus.engine.cards cimport CHand, ctz64, DEUCE, rank_count
from sitoumus.engine.tables cimport CRules, NONE, STRAIN_CAN, STRAIN_DEU
from sitoumus.engine.melds cimport starts_of_three
from sitoumus.engine.goals cimport CNeed
from sitoumus.engine.state cimport CPublic, side_minimum, V_BID, V_DOUBLE, V_PASS
from sitoumus.engine.actions cimport act_card
from sitoumus.engine.auction cimport bid_level, bid_strain, may_double
from sitoumus.engine.opening cimport can_open
from sitoumus.engine.policies.heuristic.sight cimport (
    CCounts, count_windows, P_BID_COMPETE, P_BID_DOUBLE, P_BID_FIRST, P_BID_FOURTH, P_BID_GAP, P_BID_PARTNER,
    P_BID_RUN5, P_BID_RUN6, P_BID_STEP, P_BID_STOP, P_BID_THREE, P_BID_WILD, P_DOUBLE_LEVEL,
)

cdef inline int hand_worth(const CRules* r, const int32_t* w, const CHand* h) noexcept nogil:
    """What the hand adds to the bonus points that a side can hope for."""
    cdef CCounts c
    cdef int suit, worth = w[P_BID_WILD] * (h.jokers + rank_count(h, DEUCE))
    if r.run_kind == NONE:
        return worth
    count_windows(h.p1, &c)
    for suit in range(0, 64, 16):
        if (c.six >> suit) & 0x1FFF:
            worth += w[P_BID_RUN6]
        elif (c.five >> suit) & 0x1FFF:
            worth += w[P_BID_RUN5]
    if starts_of_three(r, h.p1):
        worth += w[P_BID_THREE]
    return worth


cdef inline int level_for(const int32_t* w, int worth) noexcept nogil:
    """The level that a hand of that worth bids."""
    if worth < w[P_BID_FIRST]:
        return 0
    if worth < w[P_BID_FOURTH]:
        worth = 1 + (worth - w[P_BID_FIRST]) // (w[P_BID_GAP] if w[P_BID_GAP] > 0 else 1)
        return worth if worth < 3 else 3
    return 4 + (worth - w[P_BID_FOURTH]) // (w[P_BID_STEP] if w[P_BID_STEP] > 0 else 1)


cdef inline bint opens_as_declarer(const CRules* r, const CPublic* p, const CHand* h, int bid) noexcept nogil:
    """The player to call could open on this bid."""
    cdef CNeed need
    cdef uint8_t needs
    memset(&need, 0, sizeof(CNeed))
    need.minimum = side_minimum(r, p, r.side_of[p.turn], &needs)
    need.needs = needs
    need.complete_opens = r.bonus_counts
    need.deuce_min = r.deuces_declarer
    need.keep = 1
    if bid_level(bid) >= 4:
        if bid_strain(bid) < STRAIN_CAN:
            need.bid_suits = 1 << bid_strain(bid)
        elif bid_strain(bid) == STRAIN_CAN:
            need.bid_four = 1
        else:
            need.bid_deuces = 1
    return can_open(r, h, NULL, 0, &need)


cdef inline int own_strain(const CRules* r, const CHand* h) noexcept nogil:
    """The strain that the hand speaks for: four deuces, else the suit of its best run, else four of a rank."""
    cdef CCounts c
    cdef uint64_t good, four = (h.rc >> 2) | (h.rc >> 3)
    if rank_count(h, DEUCE) >= 4:
        return STRAIN_DEU
    count_windows(h.p1, &c)
    good = starts_of_three(r, h.p1)
    good = good & c.five if good & c.five else good
    if good:
        return ctz64(good) >> 4
    if four & 0x1111111111011ULL:
        return STRAIN_CAN
    good = c.five if c.five else c.four if c.four else 1
    return ctz64(good) >> 4


cdef inline int with_partner(const CRules* r, const int32_t* w, const CPublic* p, int worth) noexcept nogil:
    """The worth of a hand, and of what partner has bid."""
    cdef int bid
    if p.last_bid != NONE and r.partner[p.turn] != NONE:
        for bid in range(p.last_bid + 1):
            if p.bidder[bid] == r.partner[p.turn]:
                return worth + w[P_BID_PARTNER]
    return worth


cdef inline bint doubles(const CRules* r, const int32_t* w, const CPublic* p, int worth) noexcept nogil:
    """The last bid is the opponents', and more than they can make against a hand of this worth."""
    return may_double(r, p) and (worth + 1000 * bid_level(p.last_bid) >= w[P_BID_DOUBLE]
                                 or bid_level(p.last_bid) >= w[P_DOUBLE_LEVEL])


cdef inline uint32_t heuristic_call(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h) noexcept nogil:
    """Bid what the side can hope to make and the hand can open; double what the opponents can hardly make."""
    cdef int worth = with_partner(r, w, p, hand_worth(r, w, h)), level, bid, strain, least = 0
    cdef bint theirs = may_double(r, p)
    if p.last_bid != NONE:
        least = p.last_bid + 1
    if doubles(r, w, p, worth):
        return V_DOUBLE
    level = level_for(w, worth)
    if theirs and 4 <= level < bid_level(least) <= level + w[P_BID_COMPETE]:
        level = bid_level(least)                    # higher than it hopes, no higher than it takes
    if level > w[P_BID_STOP]:
        level = w[P_BID_STOP]
    if level > r.max_level:
        level = r.max_level
    if least >= 6 * level or (p.last_bid != NONE and not theirs and level <= bid_level(p.last_bid)):
        return V_PASS
    strain = own_strain(r, h)
    bid = 6 * (level - 1) + strain
    if bid < least:
        bid = least
    while bid_level(bid) == level:
        if opens_as_declarer(r, p, h, bid):
            return act_card(V_BID, bid)
        if level < 4:
            return V_PASS
        bid += 1
    return V_PASS
