# Compiled policies: what a seat does, from the public part of the table and its own hand alone.
#
# A policy decides with integers and is deterministic given (seed, deal, turn): its random numbers come from a stream
# addressed by the turn and the seat, so one number more or less in a turn never shifts a later one.
# decide() returns the next single step. A policy may plan the whole turn at once: it fills the plan of its seat's
# CMind, whose steps are given out one by one. Plans last for one phase row of one turn; they are dropped with it.
#
# In reading order: random, greedy, decide.
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
from sitoumus._plans cimport *
from sitoumus._heuristic cimport heuristic_plan, opens_as_declarer


# ---- random ----------------------------------------------------------------------------------------------------------

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


# ---- greedy ----------------------------------------------------------------------------------------------------------

cdef inline uint32_t greedy_call(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """Level 1 where it can open on it and its side has not bid, else pass."""
    cdef int bid = 0 if p.last_bid == NONE else p.last_bid + 1
    if bid >= 6 or (bid > 0 and r.side_of[p.bidder[p.last_bid]] == r.side_of[p.turn]):
        return V_PASS
    return act_card(V_BID, bid) if opens_as_declarer(r, p, h, bid) else V_PASS


cdef inline uint32_t widest_take(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """The take that brings most cards, 0 if there is none."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef int n = list_takes(r, p, h, steps), i, best = 0
    for i in range(1, n):
        if act_locks(steps[i]) > act_locks(steps[best]):
            best = i
    return steps[best] if n else 0


cdef inline int most_isolated(const CRules* r, const CHand* h) noexcept nogil:
    """The card with the fewest mates of its rank and neighbours in its suit; the dearest of them."""
    cdef uint64_t left = h.p1, near, far, b
    cdef int card, value, best = 1 << 30, choice = JOKER
    near = (turn_down(h.p1, 1) | turn_down(h.p1, 12)) & r.run_cards
    far = (turn_down(h.p1, 2) | turn_down(h.p1, 11)) & r.run_cards
    while left:
        b = left & (0 - left)
        card = ctz64(left)
        left &= left - 1
        value = 100 * (rank_count(h, card & 15) - 1) if card_rank(card) != THREE else 0
        if r.run_kind != NONE:
            value += (80 if near & b else 0) + (40 if far & b else 0)
        if r.wild_deuces & b or card_rank(card) == DEUCE:
            value += 300
        value -= r.hand_points[card] // 5
        if value < best:
            best = value
            choice = card
    return choice


cdef inline void greedy_plan(const CRules* r, const CPublic* p, const CHand* h, CMind* m) noexcept nogil:
    """Open as soon as it can, lay all, go out when it can."""
    cdef CDraft d
    cdef CNeed need
    cdef COut o
    cdef int side = r.side_of[p.player]
    cdef uint32_t a
    m.n_plan = 0
    m.at = 0
    if p.phase == PHASE_OPENING:
        need_for(r, p, &need)
        draft_begin(r, &d, p, h, m, 1)
        if build_opening(r, &d, &need, True, True):
            note_step(m, V_DONE)
        else:
            m.n_plan = 0
        return
    if p.phase == PHASE_DRAW:
        a = widest_take(r, p, h) if p.opened[side] and not p.transfer_to else 0
        if a:
            note_step(m, a)
        elif p.stock_n and not p.opening and not p.transfer_to:
            note_step(m, V_DRAW)
        return
    if p.phase != PHASE_MELD and p.phase != PHASE_TAKEN:
        return
    if p.phase == PHASE_TAKEN and p.stock_n and r.draw_after:
        note_step(m, V_EXTRA)
        return
    if h.n == 1 or p.must_out:
        return
    draft_begin(r, &d, p, h, m, 2)
    if not p.discard_only:
        if not p.opened[side]:
            need_for(r, p, &need)
            if build_opening(r, &d, &need, True, True):
                d.p.opened[side] = 1
                d.floor = 2
            else:
                m.n_plan = 0
                if p.opening:
                    return
                draft_begin(r, &d, p, h, m, 2)
        if d.p.opened[side]:
            lay_all(r, &d)
            out_terms(r, p, p.player, &o)
            if p.opened[side] and out_ok(&o, &d.p.tally[side]):
                m.n_plan = 0
                if plan_out(r, &d, p, h, m):
                    return
                m.n_plan = 0
                draft_begin(r, &d, p, h, m, 2)
                lay_all(r, &d)
    note_step(m, act_card(V_DISCARD, most_isolated(r, &d.h)))


# ---- the next step ---------------------------------------------------------------------------------------------------

cdef inline uint32_t decide(const CRules* r, const CPolicy* policy, const CPublic* p, const CHand* own,
                            CMind* m) noexcept nogil:
    """The next single step of the seat to act. own is the hand of p.turn; open_mind was called before."""
    if m.at < m.n_plan:
        m.at += 1
        return m.plan[m.at - 1]
    if p.phase == PHASE_AUCTION:
        if policy.passes:
            return V_PASS
        if policy.kind == POLICY_RANDOM:
            return random_call(r, p, &m.stream)
        if policy.kind == POLICY_GREEDY:
            return greedy_call(r, p, own)
    elif policy.kind == POLICY_RANDOM:
        return random_step(r, p, own, &m.stream)
    if policy.kind == POLICY_GREEDY:
        greedy_plan(r, p, own, m)
    else:
        heuristic_plan(r, policy.w, p, own, m)
    if m.n_plan == 0:
        return any_step(r, p, own)
    m.at = 1
    return m.plan[0]
