# One deal from the auction to its end by compiled policies: the loop of the whole library.
from libc.stdint cimport uint32_t, uint64_t
from sitoumus.engine.cards cimport CHand
from sitoumus.engine.tables cimport CRules, MAX_SEATS, NONE
from sitoumus.engine.state cimport CPublic, CState, MAX_BIDS, PHASE_AUCTION, PHASE_OVER
from sitoumus.engine.auction cimport bid_level
from sitoumus.engine.apply cimport apply_checked
from sitoumus.engine.policies.mind cimport CMind, CPast, CPolicy, open_mind, POLICY_ROLLOUT
from sitoumus.engine.policies.dispatch cimport decide
from sitoumus.engine.policies.past cimport begin_past, note_past
from sitoumus.engine.policies.rollout cimport rollout_step

cdef inline uint32_t decide_any(const CRules* r, const CPolicy* policy, const CPublic* p, const CHand* own,
                                CMind* m) noexcept nogil:
    """The next single step of the seat to act, rollout policies included; open_mind was called before."""
    if policy.kind == POLICY_ROLLOUT:
        return rollout_step(r, policy, p, own, m)
    return decide(r, policy, p, own, m)


cdef inline void call_out(const CRules* r, CState* s, const CPolicy* policies, const uint64_t* key, uint64_t deal,
                          CMind* minds) noexcept nogil:
    """Call an auction to its end by policies that do not play out themselves."""
    cdef int seat
    for seat in range(MAX_SEATS):
        minds[seat].address = -1
    while s.p.phase == PHASE_AUCTION:
        seat = s.p.turn
        open_mind(&minds[seat], &s.p, key, deal, 0)
        apply_checked(r, s, decide(r, &policies[seat], &s.p, &s.h.hand[seat], &minds[seat]))


cdef inline uint64_t auction_course(const CPublic* p) noexcept nogil:
    """A number for the course of an auction that is over; the strains of bids at levels 1 to 3 do not change it."""
    cdef uint64_t course = <uint64_t>p.calls * 2 + p.doubled
    cdef int bid
    for bid in range(MAX_BIDS):
        if p.bidder[bid] != NONE:
            course ^= 1 + <uint64_t>(100 * (bid_level(bid) if bid < 18 else bid) + p.bidder[bid])
            course *= 0x9E3779B97F4A7C15ULL
            course ^= course >> 29
    return course


cdef inline void play_out(const CRules* r, CState* s, const CPolicy* policies, const uint64_t* key, uint64_t deal,
                          uint64_t world, CMind* minds) noexcept nogil:
    """Play a deal from where it stands to its end. policies and minds are by seat."""
    cdef int seat
    cdef bint follow = False
    cdef CPast past
    cdef CState before
    cdef uint32_t a
    for seat in range(MAX_SEATS):
        minds[seat].address = -1
        minds[seat].past = &past
    for seat in range(r.seats):
        follow |= policies[seat].kind == POLICY_ROLLOUT
    if follow:
        begin_past(&past, s.p.phase == PHASE_AUCTION)
    while s.p.phase != PHASE_OVER:
        seat = s.p.turn
        open_mind(&minds[seat], &s.p, key, deal, world)
        a = decide_any(r, &policies[seat], &s.p, &s.h.hand[seat], &minds[seat])
        if follow:
            before = s[0]
        apply_checked(r, s, a)
        if follow:
            note_past(&past, &before, s, a)
