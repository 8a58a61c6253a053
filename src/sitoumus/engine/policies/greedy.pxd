# The greedy policy: opens when it can, lays all it can, discards the most isolated card.
from libc.stdint cimport uint32_t, uint64_t
from sitoumus.engine.cards cimport card_rank, CHand, ctz64, DEUCE, JOKER, rank_count, THREE, turn_down
from sitoumus.engine.tables cimport ASK_REQUIRED, CRules, NONE
from sitoumus.engine.goals cimport CNeed, COut, out_ok
from sitoumus.engine.state cimport (
    CPublic, MAX_ACTIONS, PHASE_DRAW, PHASE_MELD, PHASE_OPENING, PHASE_TAKEN, V_ASK, V_BID, V_DISCARD, V_DONE,
    V_DRAW, V_EXTRA, V_PASS,
)
from sitoumus.engine.actions cimport act_card, act_locks
from sitoumus.engine.going_out cimport out_terms
from sitoumus.engine.first_melds cimport need_for
from sitoumus.engine.taking cimport list_takes, ways_now
from sitoumus.engine.generate cimport may_ask
from sitoumus.engine.policies.mind cimport CMind
from sitoumus.engine.policies.drafts cimport build_opening, CDraft, draft_begin, lay_all, note_step, plan_out
from sitoumus.engine.policies.heuristic.bids cimport opens_as_declarer

cdef inline uint32_t greedy_call(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """Level 1 where it can open on it and its side has not bid, else pass."""
    cdef int bid = 0 if p.last_bid == NONE else p.last_bid + 1
    if bid >= 6 or (bid > 0 and r.side_of[p.bidder[p.last_bid]] == r.side_of[p.turn]):
        return V_PASS
    return act_card(V_BID, bid) if opens_as_declarer(r, p, h, bid) else V_PASS


cdef inline uint32_t widest_take(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """The take that brings most cards, 0 if there is none."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef int n = list_takes(r, p, h, ways_now(r, p), steps), i, best = 0
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
    """Open as soon as it can, lay all, go out when it can (and ask first where that is required)."""
    cdef CDraft d
    cdef CNeed need
    cdef COut o
    cdef int side = r.side_of[p.player]
    cdef uint32_t a
    cdef bint ask
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
            ask = r.ask == ASK_REQUIRED and may_ask(r, p, h)
            if ask:
                o.forbidden = 0
            if p.opened[side] and out_ok(&o, &d.p.tally[side]):
                m.n_plan = 0
                if plan_out(r, &d, p, h, m, ask):
                    if ask:
                        m.n_plan = 0
                        note_step(m, V_ASK)
                    return
                m.n_plan = 0
                draft_begin(r, &d, p, h, m, 2)
                lay_all(r, &d)
    note_step(m, act_card(V_DISCARD, most_isolated(r, &d.h)))
