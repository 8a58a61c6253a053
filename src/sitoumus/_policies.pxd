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
from sitoumus._heuristic cimport heuristic_plan, may_take, opens_as_declarer


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


cdef inline uint32_t random_listed(const CRules* r, const CPublic* p, const CHand* h, Stream* s) noexcept nogil:
    """A verb uniformly among those with a legal action, then uniformly among its actions: by listing them all."""
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


cdef inline int four_sum(uint64_t p) noexcept nogil:
    """Number of the bits of p, which are at most 0, 16, 32 and 48."""
    return <int>((p * ONES) >> 48)


cdef inline int count_set_starts(const CRules* r, const CHand* h, int kind, int rank) noexcept nogil:
    """Number of what list_set_starts lists."""
    cdef int a = four_sum((h.p1 >> rank) & ONES), b = four_sum((h.p2 >> rank) & ONES), n = 0, w = 0
    if r.kind[kind].ok[3][0]:
        n = a * (a - 1) * (a - 2) // 6 + b * (a - 1) + four_sum((h.p3 >> rank) & ONES)
    if r.kind[kind].ok[2][1]:
        if r.kind[kind].wild_deuces:
            w = four_sum((h.p1 >> DEUCE) & ONES)
        w += r.kind[kind].wild_jokers != 0 and h.jokers != 0
        n += w * (a * (a - 1) // 2 + b)
    return n


cdef inline int count_starts(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """Number of what list_starts lists, where there are no wild melds."""
    cdef uint64_t ranks = at_least_two(h.rc) if h.jokers or h.p1 & r.wild_deuces else at_least_three(h.rc)
    cdef int n = 0, rank
    while ranks:
        rank = ctz64(ranks) >> 2
        ranks &= ranks - 1
        if r.set_kind[rank] != NONE and rank_is_free(r, p, r.side_of[p.player], r.set_kind[rank], rank):
            n += count_set_starts(r, h, r.set_kind[rank], rank)
    ranks = starts_of_three(r, h.p1)
    while ranks:
        n += 1
        ranks &= ranks - 1
    return n


cdef inline uint32_t nth_start(const CRules* r, const CPublic* p, const CHand* h, int k) noexcept nogil:
    """The k-th of what list_starts lists."""
    cdef uint32_t steps[128]
    cdef uint64_t ranks = at_least_two(h.rc)
    cdef int n, rank, low, suit
    while ranks:
        rank = ctz64(ranks) >> 2
        ranks &= ranks - 1
        if r.set_kind[rank] != NONE and rank_is_free(r, p, r.side_of[p.player], r.set_kind[rank], rank):
            n = count_set_starts(r, h, r.set_kind[rank], rank)
            if k < n:
                list_set_starts(r, h, r.set_kind[rank], rank, steps)
                return steps[k]
            k -= n
    ranks = starts_of_three(r, h.p1)
    while k > 0:
        ranks &= ranks - 1
        k -= 1
    low = ctz64(ranks)
    suit = low & 48
    rank = low & 15
    return meld_action(low, suit + next_rank(rank), suit + next_rank(next_rank(rank)))


cdef inline int nth_card(const CHand* h, int k) noexcept nogil:
    """The k-th different card of a hand in canonical order."""
    cdef int rank, n
    cdef uint64_t suits
    for rank in range(13):
        suits = (h.p1 >> rank) & ONES
        n = four_sum(suits)
        if k < n:
            while k:
                suits &= suits - 1
                k -= 1
            return ctz64(suits) + rank
        k -= n
    return JOKER


cdef inline uint32_t first_legal(const CRules* r, const CPublic* p, const CHand* h, uint32_t* steps, int n,
                                 Stream* s) noexcept nogil:
    """One of the steps after which the opening can still be completed, each with equal chance; 0 if there is none."""
    cdef CPublic q
    cdef CHand g
    cdef uint32_t a
    cdef int k
    while n:
        k = <int>bounded(s, <uint32_t>n)
        a = steps[k]
        n -= 1
        steps[k] = steps[n]
        if verb_of(a) == V_ADD:
            a &= 0x7FFFFFFF
        if p.phase == PHASE_DRAW:
            if opens_before_take(r, p, h, a):
                return a
            continue
        q = p[0]
        g = h[0]
        lay_step(r, &q, &g, a)
        if opening_goes_on(r, &q, &g):
            return a
    return 0


cdef inline uint32_t random_opening(const CRules* r, const CPublic* p, const CHand* h, Stream* s, bint done) noexcept nogil:
    """A step of an opening that has begun: meld or add, or done where it suffices before play."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef uint32_t found[3]
    cdef uint32_t a
    cdef int n = 0
    if done:
        found[0] = V_DONE
        n = 1
    a = first_legal(r, p, h, steps, list_starts(r, p, h, steps), s)
    if a:
        found[n] = a
        n += 1
    a = first_legal(r, p, h, steps, list_adds(r, p, h, steps), s)
    if a:
        found[n] = a
        n += 1
    if n == 0:
        return random_listed(r, p, h, s)
    return found[bounded(s, <uint32_t>n)] if n > 1 else found[0]


cdef inline uint32_t random_meld(const CRules* r, const CPublic* p, const CHand* h, Stream* s) noexcept nogil:
    """random_listed in phases taken and meld, by counting where all steps of a kind are legal."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef uint32_t verbs[8]
    cdef int counts[8]
    cdef int n = 0, k, card, side = r.side_of[p.player], suit
    cdef bint opened = p.opened[side]
    cdef uint64_t left
    if opened:
        if p.phase == PHASE_TAKEN and r.draw_after and p.stock_n:
            verbs[n] = V_EXTRA
            counts[n] = 1
            n += 1
        k = count_starts(r, p, h)
    else:
        k = opening_goes_on(r, p, h)            # their number is not needed
    if k:
        verbs[n] = V_MELD
        counts[n] = k
        n += 1
    if opened:
        k = list_adds(r, p, h, steps)
        if k:
            verbs[n] = V_ADD
            counts[n] = k
            n += 1
    left = h.p1 & r.buy if p.stock_n else 0
    if left:
        verbs[n] = V_BUY
        counts[n] = four_sum(left >> THREE)
        n += 1
    if may_ask(r, p, h):
        verbs[n] = V_ASK
        counts[n] = 1
        n += 1
    verbs[n] = V_DISCARD
    counts[n] = popcount64(h.p1) + (h.jokers > 0)
    n += 1
    if n == 1 and counts[0] == 1:
        return act_card(V_DISCARD, nth_card(h, 0))
    n = <int>bounded(s, <uint32_t>n)
    if verbs[n] == V_MELD and not opened:
        return first_legal(r, p, h, steps, list_starts(r, p, h, steps), s)
    k = <int>bounded(s, <uint32_t>counts[n])
    if verbs[n] == V_DISCARD:
        return act_card(V_DISCARD, nth_card(h, k))
    if verbs[n] == V_MELD:
        return nth_start(r, p, h, k)
    if verbs[n] == V_ADD:
        return steps[k]
    if verbs[n] == V_BUY:
        while k:
            left &= left - 1
            k -= 1
        return act_card(V_BUY, ctz64(left))
    return verbs[n]


cdef inline bint counts_apply(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """Phases taken and meld: every start, addition and discard that the hand holds is legal."""
    cdef int k
    if h.n < 5 or p.must_out or p.discard_only or r.wild_kind != NONE or r.waive:
        return False
    if r.run_kind != NONE and r.kind[r.run_kind].grow_out:
        return False
    for k in range(r.n_kinds):
        if r.kind[k].merge:
            return False
    return r.black_kind == NONE or h.n > r.black_max + 1 or rank_count(h, THREE) < 3


cdef inline bint draw_alone(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """Phase draw: a quick look says that drawing from the stock is all there is."""
    cdef int ways, top, held
    if p.stock_n == 0 or r.ask_any or p.opening or p.transfer_to or r.transfer_new:
        return False
    if p.opened[r.side_of[p.player]]:
        return not may_take(r, p, h)
    ways = ways_now(r, p)
    if ways == 0:
        return True
    top = pile_top(p)
    held = rank_count(h, card_rank(top)) if top != JOKER else 0
    return not (held >= 2 and ways & WAY_PAIR or held >= 3 and ways & WAY_TRIPLE or held and ways & WAY_NATURAL_WILD)


cdef inline uint32_t random_step(const CRules* r, const CPublic* p, const CHand* h, Stream* s) noexcept nogil:
    """A verb uniformly among those with a legal action, then uniformly among its actions.

    Listed are the steps only where little is to list. An opening's steps are tried in random order until one is
    legal, which gives each legal one the same chance."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef CNeed need
    cdef int side = r.side_of[p.player]
    if p.phase == PHASE_DRAW:
        if draw_alone(r, p, h):
            return V_DRAW
        need_for(r, p, &need)
        if (p.opened[side] or p.opening or r.ask_any or p.stock_n == 0 or r.top_counts or r.pair_counts
                or need.minimum < 1):
            return random_listed(r, p, h, s)
        if not opening_can_take(r, p, h):
            return V_DRAW
        return first_legal(r, p, h, steps, list_starts(r, p, h, steps), s) if bounded(s, 2) else <uint32_t>V_DRAW
    if p.phase == PHASE_OPENING:
        if p.n_melds[side] == 0:
            if not opening_goes_on(r, p, h):
                return V_FAIL
            return first_legal(r, p, h, steps, list_starts(r, p, h, steps), s)
        need_for(r, p, &need)
        return random_opening(r, p, h, s, h.n >= 1 and opening_suffices(r, p.melds[side], p.n_melds[side], &need, 0))
    if (p.phase == PHASE_MELD or p.phase == PHASE_TAKEN) and counts_apply(r, p, h):
        if p.opening and not p.opened[side]:
            return random_opening(r, p, h, s, False)
        return random_meld(r, p, h, s)
    return random_listed(r, p, h, s)


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
