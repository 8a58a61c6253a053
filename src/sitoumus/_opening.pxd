# stub
from libc.stdint cimport uint8_t
from sitoumus._cards cimport *
from sitoumus._rules cimport *
from sitoumus._melds cimport *

cdef struct CNeed:
    int minimum
    int needs
    bint complete_opens
    int deuce_min
    int bid_suits
    bint bid_four
    bint bid_deuces
    int keep
    int extra_points

cdef inline bint can_open(const CRules* r, const CHand* h, const CMeld* laid, int n, const CNeed* need) noexcept nogil:
    return False

cdef inline bint can_lay_out(const CRules* r, const CHand* h, const CMeld* laid, int n, const COut* out, int minimum, int needs) noexcept nogil:
    return False
