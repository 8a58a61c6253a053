# Worlds: tables in which the hidden cards are dealt anew among the places that a view leaves them.
#
# Own hand, public cards and the cards known to lie in other hands stay; all divisions of the rest are equally likely.
# What the other seats have done weighs worlds: the hands as dealt are asked what they would have called, the hands that
# the last discards have left are asked what they would have discarded.
from libc.stdint cimport uint8_t, uint32_t, uint64_t, int32_t
from libc.string cimport memcpy
from sitoumus.engine.cards cimport card_bit, CHand, hand_add, hand_merge
from sitoumus.engine.rng cimport bounded, next32, shuffle, Stream, swap_bytes
from sitoumus.engine.tables cimport CRules, MAX_PACK
from sitoumus.engine.state cimport CPublic, CState, MAX_CALLS, MAX_CHOICES
from sitoumus.engine.dealing cimport new_pack
from sitoumus.engine.policies.mind cimport CMind, MAX_PLAN
from sitoumus.engine.policies.past cimport CFit, seat_weight

cdef enum:
    MAX_TRIED = 32        # candidates of a decision of the rollout policy
    MAX_PLAN_STEPS = MAX_PLAN  # steps of a candidate
    LEAST_WORLDS = 8      # however short the time
    TRIES_TO_FIT = 64     # hands dealt for one that agrees with what its seat has done

cdef struct CUnseen:          # what a view leaves open
    int32_t seat
    int32_t n
    int32_t n_free            # the first so many may lie in hands; cards laid as soon as they are drawn (F18) may not
    uint8_t pack[MAX_PACK]    # cards whose place the seat does not know


cdef inline void see_unseen(const CRules* r, const CPublic* p, const CHand* own, int seat, CUnseen* u) noexcept nogil:
    """Find the cards whose place the seat does not know."""
    cdef CHand seen = own[0]
    cdef int i
    hand_merge(&seen, &p.in_melds)
    hand_merge(&seen, &p.in_pile)
    for i in range(r.sides):
        hand_merge(&seen, &p.bought[i])
        hand_merge(&seen, &p.bonus[i])
    for i in range(r.seats):
        if i != seat:
            hand_merge(&seen, &p.known[i])
    u.seat = seat
    u.n = new_pack(r, &seen, u.pack)
    u.n_free = 0
    for i in range(u.n):
        if not r.bonus_cards & card_bit(u.pack[i]):
            swap_bytes(u.pack, i, u.n_free)
            u.n_free += 1


cdef inline int sample_world(const CRules* r, const CPublic* p, const CHand* own, const CUnseen* u, const CFit* f,
                             Stream* stream, const uint64_t* key, uint64_t deal, uint64_t world, CMind* minds,
                             CState* s) noexcept nogil:
    """A table that agrees with the view; every division of the unseen cards is equally likely.

    With a fit, the hand of each of the other seats is dealt again, from what the seats before it have left, until its
    weight by all that the seat has done keeps it; after some times the one of the greatest weight is taken, and of
    equal ones that with the fewest calls and discards that do not agree. Returns how many do not agree.
    """
    cdef uint8_t pack[MAX_PACK]
    cdef uint8_t nearest[MAX_PACK]
    cdef CHand hand
    cdef int i, j, k, _, at = 0, free, need, apart, odd, total = 0
    cdef uint64_t drawn, weight, best
    cdef bint found
    memcpy(pack, u.pack, MAX_PACK)
    s.p = p[0]
    # seats that have had no turn come last: they alone may hold bonus cards (F24)
    for j in range(1, 2 * r.seats if p.waiting else r.seats):
        i = (u.seat + j) % r.seats
        if p.waiting and (i == u.seat or (p.waiting >> i & 1) != (j > r.seats)):
            continue
        free = u.n if p.waiting >> i & 1 else u.n_free
        need = p.hand_n[i] - p.known[i].n
        if need > free - at:
            need = free - at
        found = False
        best = 0
        odd = MAX_CHOICES + MAX_CALLS
        for _ in range(1 if f == NULL else TRIES_TO_FIT):
            s.h.hand[i] = p.known[i]
            for k in range(at, at + need):
                swap_bytes(pack, k, k + <int>bounded(stream, <uint32_t>(free - k)))
                hand_add(&s.h.hand[i], pack[k])
            if f == NULL:
                break
            drawn = <uint64_t>next32(stream) << 31      # it is kept if its weight is above this
            weight = seat_weight(r, f, p, &s.h.hand[i], i, drawn if drawn < best else best, odd, stream, key, deal,
                                 world, minds, &apart)
            if weight > drawn or weight > best or not found or (weight == best and apart < odd):
                found = True
                best = weight
                odd = apart
                hand = s.h.hand[i]
                memcpy(nearest, pack, MAX_PACK)
            if weight > drawn:
                break
        if f != NULL:
            total += odd
            s.h.hand[i] = hand
            memcpy(pack, nearest, MAX_PACK)
        at += need
    s.h.hand[u.seat] = own[0]
    memcpy(s.h.stock, pack + at, p.stock_n)
    shuffle(stream, s.h.stock, p.stock_n)
    return total
