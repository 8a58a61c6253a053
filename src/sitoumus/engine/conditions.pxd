# A condition on a deal as steps of a small stack machine over quantities (features and counts of cards of one seat).
#
# Each quantity is computed when a step first asks for it; "and" and "or" jump over what cannot matter any more. The
# program is made by the package's own conditions and used here without the GIL.
from libc.stdint cimport uint64_t, int32_t
from sitoumus.engine.cards cimport CHand, hand_count, popcount64, rank_count
from sitoumus.engine.tables cimport CRules
from sitoumus.engine.features cimport feature_value, N_FEATURES

cdef enum:
    COUNT_RANK = 32       # quantities beyond the features: cards of a rank, of a suit, of one kind
    COUNT_SUIT = 33
    COUNT_CARD = 34
    MAX_PROGRAM_STEPS = 512
    MAX_QUANTITIES = 32
    MAX_STACK = 64
    # steps of a program
    STEP_CONSTANT = 0
    STEP_QUANTITY = 1     # push quantity number `value`
    STEP_TIMES = 2        # top *= value
    STEP_PLUS = 3         # pop, add to top
    STEP_LT = 4           # top = top < value, and so on
    STEP_LE = 5
    STEP_EQ = 6
    STEP_NE = 7
    STEP_GE = 8
    STEP_GT = 9
    STEP_NOT = 10
    STEP_AND = 11         # top is false: go to `value`; else pop and go on
    STEP_OR = 12          # top is true: go to `value`; else pop and go on

cdef struct CStep:
    int32_t what          # STEP_*
    int32_t value

cdef struct CQuantity:
    int32_t seat
    int32_t what          # F_* or COUNT_*
    int32_t of            # rank, suit or card code

cdef struct CProgram:
    int n_steps           # 0: always true
    int n_quantities
    CStep step[MAX_PROGRAM_STEPS]
    CQuantity quantity[MAX_QUANTITIES]


cdef inline int32_t quantity_value(const CRules* r, const CHand* h, const CQuantity* q) noexcept nogil:
    cdef uint64_t lane
    if q.what < N_FEATURES:
        return feature_value(r, h, q.what)
    if q.what == COUNT_RANK:
        return rank_count(h, q.of)
    if q.what == COUNT_CARD:
        return hand_count(h, q.of)
    lane = <uint64_t>0x1FFF << (16 * q.of)
    return popcount64(h.p1 & lane) + popcount64(h.p2 & lane) + popcount64(h.p3 & lane)


cdef inline bint holds(const CProgram* c, const CRules* r, const CHand* hands) noexcept nogil:
    """The condition is true of these hands (by seat)."""
    cdef int32_t stack[MAX_STACK]
    cdef int32_t known[MAX_QUANTITIES]
    cdef uint64_t have = 0
    cdef int at = 0, top = -1, what, value
    cdef const CQuantity* q
    while at < c.n_steps:
        what = c.step[at].what
        value = c.step[at].value
        at += 1
        if what == STEP_QUANTITY:
            if not (have >> value) & 1:
                q = &c.quantity[value]
                known[value] = quantity_value(r, &hands[q.seat], q)
                have |= <uint64_t>1 << value
            top += 1
            stack[top] = known[value]
        elif what == STEP_CONSTANT:
            top += 1
            stack[top] = value
        elif what == STEP_TIMES:
            stack[top] *= value
        elif what == STEP_PLUS:
            top -= 1
            stack[top] += stack[top + 1]
        elif what == STEP_LT:
            stack[top] = stack[top] < value
        elif what == STEP_LE:
            stack[top] = stack[top] <= value
        elif what == STEP_EQ:
            stack[top] = stack[top] == value
        elif what == STEP_NE:
            stack[top] = stack[top] != value
        elif what == STEP_GE:
            stack[top] = stack[top] >= value
        elif what == STEP_GT:
            stack[top] = stack[top] > value
        elif what == STEP_NOT:
            stack[top] = not stack[top]
        elif (what == STEP_AND) == (stack[top] != 0):
            top -= 1                    # this side does not decide: the other side takes its place
        else:
            at = value
    return top < 0 or stack[top] != 0
