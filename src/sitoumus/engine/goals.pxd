# What melds have to reach: an opening (CNeed), and going out (COut).
from libc.stdint cimport uint8_t, int32_t
from sitoumus.engine.tables cimport N_OUT, NONE, OUT_SET, STRAIN_CAN
from sitoumus.engine.melds cimport CTally

cdef struct COut:            # what a side must have to go out, this deal
    uint8_t need[N_OUT]      # complete melds by OUT_*
    int32_t sum              # contract sum to be reached, 0 without one (R28.2)
    uint8_t with_points      # card points count toward the sum (R29.3)
    uint8_t strain           # strain that must be made, NONE if any
    uint8_t forbidden        # asked and refused, or asking was required and not done


cdef inline bint strain_is_made(const CTally* t, int strain) noexcept nogil:
    """B27, D14: a complete sequence of the suit, a complete set, a complete deuce set."""
    if strain < STRAIN_CAN:
        return (t.runs >> strain) & 1
    if strain == STRAIN_CAN:
        return t.count[OUT_SET] != 0
    return t.deuce_sets != 0


cdef inline bint out_ok(const COut* o, const CTally* t) noexcept nogil:
    """The side may go out with these melds."""
    cdef int i
    if o.forbidden:
        return False
    if o.sum != 0:
        if t.bonus + (t.points if o.with_points else 0) < o.sum:
            return False
        return o.strain == NONE or strain_is_made(t, o.strain)
    for i in range(N_OUT):
        if t.count[i] < o.need[i]:
            return False
    return True


cdef struct CNeed:            # what an opening has to reach, cards laid in it so far included
    int minimum               # card points
    int needs                 # NEEDS_*
    bint complete_opens       # any complete meld suffices by itself (R13.3)
    int deuce_min             # least deuces of every deuce set of the opening at its end (0: no rule)
    int bid_suits             # bit s: a run in suit s suffices (R14.4)
    bint bid_four             # a set of at least four naturals suffices, deuces too (R14.5, B10)
    bint bid_deuces           # a deuce set of at least four deuces suffices (R14.6)
    int keep                  # cards that must stay in hand at the end
    int extra_points          # points that count toward the minimum beside the melds
