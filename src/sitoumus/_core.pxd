# What _core.pyx gives to the other compiled modules.
from libc.stdint cimport uint8_t, uint32_t, uint64_t, int32_t, int64_t
from sitoumus.engine.cards cimport CHand
from sitoumus.engine.tables cimport CMeld, CRules, MAX_PACK, MAX_SEATS
from sitoumus.engine.state cimport CPublic, CState
from sitoumus.engine.exact cimport CDealer
from sitoumus.engine.policies.mind cimport CMind, CPast, CPolicy
from sitoumus._compile cimport Rules

cdef class Hand:
    cdef CHand h


cdef class Meld:
    cdef CMeld m
    cdef readonly Rules rules


cdef class Deal:
    cdef CHand hand[MAX_SEATS]
    cdef uint8_t _stock[MAX_PACK]       # bottom first
    cdef int n_stock
    cdef readonly Rules rules
    cdef readonly object seed, number
    cdef _take(self, const CState* s)


cdef class Dealer:
    cdef CDealer d
    cdef readonly Rules rules
    cdef readonly str text
    cdef readonly object check
    cdef readonly int64_t tries
    cdef bint checks
    cdef list held
    cdef _take(self, tables)
    cdef const void* _pointer(self, array, size_t size) except? NULL
    cdef bint _checked(self, const CHand* hands) except -1


cdef class Parsed:
    cdef readonly str text, verb
    cdef readonly list cards
    cdef readonly int target, source, locks, bid


cdef class LegalActions:
    cdef CState s
    cdef Rules compiled
    cdef bytes held             # codes of the single steps
    cdef const uint32_t* codes
    cdef int n
    cdef dict by_text           # code by text, as far as texts were asked for
    cdef tuple texts            # all of them, once they were
    cdef str _text(self, int i)
    cdef tuple _all(self)
    cdef bint _has(self, uint32_t a) noexcept


cdef class Table:
    cdef CState s
    cdef readonly Rules compiled
    cdef list _undo             # (state before, codes): the state is in legal actions that were generated, or bytes
    cdef bytes begun            # a CPast: what had been done before the first of them; None for nothing that is known
    cdef readonly object seed, number
    cdef LegalActions _legal    # of the position as it is; None where not generated
    cdef readonly Deal deal     # the cards it began with; None for a table made from a position
    cdef dict _by_side(self, values)
    cdef list _score_lines(self)
    cdef LegalActions _generate(self)
    cdef object _find(self, text)
    cdef object _steps(self, Parsed parsed)
    cdef void _past(self, CPast* past)
    cdef int _do(self, tuple codes) except -1
    cdef int _step(self) except -1
    cdef dict _turn_state(self, state)
    cdef int _fill_state(self, state) except -1
    cdef _infer(self, state, int phase)


cdef class View:
    cdef CPublic p
    cdef CHand own
    cdef readonly Rules compiled
    cdef readonly str seat
    cdef readonly tuple key
    cdef readonly int step
    cdef Table _table(self)


cdef class Players:
    cdef CPolicy by_seat[MAX_SEATS]
    cdef CMind minds[MAX_SEATS]
    cdef bint here[MAX_SEATS]
    cdef uint64_t noise[2]


cdef Hand _hand(const CHand* h)
cdef int _key(seed, uint64_t* key) except -1
cdef int _policies(Rules rules, policies, CPolicy* out) except -1
cdef int _bases(Rules rules, policies, CPolicy* out) except -1
cdef int _seat(Rules rules, name) except -1
cdef int _side(Rules rules, name) except -1
cdef int _totals(Rules rules, totals, int32_t* out) except -1
cdef int _fill(CHand* h, codes, int copies, int jokers) except -1
cdef list _codes_of(const CHand* h)
cdef bint _start(const CRules* r, CMeld* m, codes) except -1
cdef list _meld_codes(const CRules* r, const CMeld* m)
cdef Meld _meld(Rules rules, const CMeld* m)
cdef Hand _hand_of_codes(codes)
cdef str _action_text(const CRules* r, const CPublic* p, uint32_t a)
