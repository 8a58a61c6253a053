# Compiled policies: what a seat does, from the public part of the table and its own hand alone.
#
# A policy decides with integers and is deterministic given (seed, deal, turn): its random numbers come from a stream
# addressed by the turn and the seat, so one number more or less in a turn never shifts a later one.
# decide() returns the next single step. A policy may plan the whole turn at once: it fills the plan of its seat's
# CMind, whose steps are given out one by one. Plans last for one phase row of one turn; they are dropped with it.
#
# In reading order: CPolicy, CMind, the address of a turn, random, decide.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t, int32_t, int64_t
from libc.string cimport memset, memcpy
from sitoumus._cards cimport *
from sitoumus._rng cimport *
from sitoumus._rules cimport *
from sitoumus._melds cimport *
from sitoumus._opening cimport *
from sitoumus._state cimport *
from sitoumus._auction cimport *
from sitoumus._moves cimport *

cdef enum:
    POLICY_RANDOM = 0
    POLICY_GREEDY = 1
    POLICY_HEURISTIC = 2
    MAX_PARAMS = 64
    MAX_PLAN = 64

cdef struct CPolicy:
    int32_t kind              # POLICY_*
    int32_t passes            # passes in every auction, whatever it holds
    int32_t w[MAX_PARAMS]     # parameters of the heuristic

cdef struct CMind:            # a seat's thoughts within one turn
    int64_t address           # of the turn they belong to, -1 none
    Stream stream
    uint32_t plan[MAX_PLAN]
    int32_t n_plan
    int32_t at                # next step of the plan


cdef inline int64_t turn_address(const CPublic* p) noexcept nogil:
    """Number of the decision's turn: calls of the auction, then openings before play, then turns."""
    if p.phase == PHASE_AUCTION:
        return p.calls
    if p.phase == PHASE_OPENING:
        return 1024 + p.failed_bids
    return 2048 + p.turns


cdef inline void open_mind(CMind* m, const CPublic* p, const uint64_t* key, uint64_t deal, uint64_t world) noexcept nogil:
    """Start the thoughts of the seat to act if its turn is a new one."""
    cdef int64_t address = turn_address(p) * 4 + p.turn
    if m.address == address:
        return
    m.address = address
    m.n_plan = 0
    m.at = 0
    stream_open(&m.stream, key, <uint64_t>address << 32, PURPOSE_POLICY, deal, world)


cdef inline uint32_t random_call(const CRules* r, const CPublic* p, Stream* s) noexcept nogil:
    """Pass 1/2, double 1/8 where legal, else the k-th next higher bid with weight 2^-k."""
    cdef uint32_t x = bounded(s, 8)
    cdef int bid = 0 if p.last_bid == NONE else p.last_bid + 1, top = 6 * r.max_level - 1
    if x < 4 or bid > top:
        return V_PASS
    if x == 4 and may_double(r, p):
        return V_DOUBLE
    while bid < top and next32(s) & 1:
        bid += 1
    return act_card(V_BID, bid)


cdef inline uint32_t random_step(const CRules* r, const CPublic* p, const CHand* h, Stream* s) noexcept nogil:
    """A verb uniformly among those with a legal action, then uniformly among its actions."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef int count[N_VERBS]
    cdef int n, i, verb, verbs = 0, k
    n = generate(r, p, h, steps)
    if n == 1:
        return steps[0]
    memset(count, 0, sizeof(count))
    for i in range(n):
        verb = verb_of(steps[i])
        verbs += count[verb] == 0
        count[verb] += 1
    k = <int>bounded(s, <uint32_t>verbs)
    for verb in range(N_VERBS):
        if count[verb]:
            if k == 0:
                break
            k -= 1
    k = <int>bounded(s, <uint32_t>count[verb])
    for i in range(n):
        if verb_of(steps[i]) == verb:
            if k == 0:
                return steps[i]
            k -= 1
    return steps[0]


cdef inline uint32_t decide(const CRules* r, const CPolicy* policy, const CPublic* p, const CHand* own,
                            CMind* m) noexcept nogil:
    """The next single step of the seat to act. own is the hand of p.turn; open_mind was called before."""
    if m.at < m.n_plan:
        m.at += 1
        return m.plan[m.at - 1]
    if p.phase == PHASE_AUCTION:
        if policy.passes:
            return V_PASS
        return random_call(r, p, &m.stream)
    return random_step(r, p, own, &m.stream)
