# The auction: bids that rise, passes, a double; who declares; what happens when a declarer cannot open.
from libc.stdint cimport uint8_t, uint32_t
from sitoumus.engine.tables cimport CRules, NONE
from sitoumus.engine.state cimport CPublic, MAX_BIDS, V_DOUBLE, V_PASS
from sitoumus.engine.actions cimport act_first, verb_of

cdef inline int bid_level(int bid) noexcept nogil:
    return bid // 6 + 1


cdef inline int bid_strain(int bid) noexcept nogil:
    return bid % 6


cdef inline bint may_double(const CRules* r, const CPublic* p) noexcept nogil:
    """The last bid is the opponents' (R9.6, B5)."""
    return p.last_bid != NONE and r.side_of[p.bidder[p.last_bid]] != r.side_of[p.turn]


cdef inline bint auction_call(const CRules* r, CPublic* p, uint32_t a) noexcept nogil:
    """Make a call; True when it ended the auction (R9.5, R9.6)."""
    cdef int verb = verb_of(a)
    p.calls += 1
    if verb == V_PASS:
        p.passes += 1
        p.turn = <uint8_t>((p.turn + 1) % r.seats)
        return p.passes == (r.seats if p.last_bid == NONE else r.seats - 1)
    if verb == V_DOUBLE:
        p.doubled = 1
        return True
    p.last_bid = <uint8_t>act_first(a)
    p.bidder[p.last_bid] = p.turn
    p.passes = 0
    p.turn = <uint8_t>((p.turn + 1) % r.seats)
    return False


cdef inline int next_declarer(const CRules* r, const CPublic* p, int bid) noexcept nogil:
    """The bid that the contract falls to when the maker of `bid` cannot open, NONE if none is left (B7, D17)."""
    cdef int b
    for b in range(bid - 1, -1, -1):
        if p.bidder[b] == NONE:
            continue
        if r.next_player and (p.failed_seats >> p.bidder[b]) & 1:
            continue
        return b
    return NONE


cdef inline void charge_bluffs(const CRules* r, CPublic* p) noexcept nogil:
    """All have bluffed: penalties by bid or by bidder replace what was charged on the way (B8, D17)."""
    cdef int b, seat, side
    cdef uint32_t seen = 0
    if not r.per_bidder and not r.next_player:
        return                    # the walk down every bid has charged each of them
    for side in range(r.sides):
        p.penalties[side] = 0
    for b in range(MAX_BIDS):
        seat = p.bidder[b]
        if seat == NONE or (r.per_bidder and (seen >> seat) & 1):
            continue
        seen |= <uint32_t>1 << seat
        p.penalties[r.side_of[seat]] += 1000
