# The opening solver's table of contents; opening.pyx has the bodies.
from sitoumus.engine.cards cimport CHand
from sitoumus.engine.tables cimport CMeld, CRules
from sitoumus.engine.goals cimport CNeed, COut
from sitoumus.engine.solver.tables cimport COpening, CPart

cdef bint opening_prepare(COpening* o, const CRules* r) noexcept nogil
cdef int open_points(const CRules* r, const CHand* h, int deuce_min) noexcept nogil
cdef bint can_open(const CRules* r, const CHand* h, const CMeld* laid, int n_laid,
                   const CNeed* need) noexcept nogil
cdef bint can_lay_all(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, const COut* out,
                      int minimum, int needs, int left) noexcept nogil
cdef bint can_lay_out(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, const COut* out,
                      int minimum, int needs) noexcept nogil
cdef bint complete_opens(const CRules* r, const CHand* h) noexcept nogil
cdef void best_opening(const CRules* r, const CHand* h, int deuce_min, int keep, CPart* out) noexcept nogil
cdef void best_partition(const CRules* r, const CHand* h, int deuce_min, int limit, CPart* out) noexcept nogil
cdef int bonus_potential(const CRules* r, const CHand* h) noexcept nogil
