# A turn of the heuristic: what is laid, what is held, when to go out.
from libc.stdint cimport uint8_t, uint32_t, uint64_t, int32_t
from libc.string cimport memcpy
from sitoumus.engine.cards cimport (
    at_least_three, at_least_two, card_bit, card_rank, CHand, ctz64, DEUCE, hand_add, hand_count, hand_remove,
    JOKER, popcount64, rank_count, rank_mask, THREE,
)
from sitoumus.engine.tables cimport CRules, NONE, OUT_NATURAL_SET, WAY_PAIR, WAY_TRIPLE
from sitoumus.engine.melds cimport CTally, starts_of_three
from sitoumus.engine.goals cimport CNeed, COut, out_ok
from sitoumus.engine.state cimport (
    ASKED_NOT, ASKED_YES, CPublic, PHASE_AUCTION, PHASE_DRAW, PHASE_MELD, PHASE_OPENING, PHASE_REPLY, PHASE_TAKEN,
    V_ASK, V_BUY, V_DISCARD, V_DONE, V_DRAW, V_EXTRA, V_NO, V_YES,
)
from sitoumus.engine.actions cimport act_card
from sitoumus.engine.auction cimport bid_level
from sitoumus.engine.going_out cimport may_go_out, out_terms
from sitoumus.engine.first_melds cimport need_for
from sitoumus.engine.taking cimport keep_for_take, pile_top, take_depth_most, take_in_sight, ways_now
from sitoumus.engine.generate cimport may_ask
from sitoumus.engine.scoring cimport reached
from sitoumus.engine.policies.mind cimport CMind
from sitoumus.engine.policies.drafts cimport (
    add_naturals, add_to_deuces, add_wild, build_opening, CDraft, complete_sets, draft_begin, extend_runs, free_of_rank,
    is_plain_set, lay_all, lay_deuces, lay_runs, lay_sets, note_step, plan_out,
)
from sitoumus.engine.policies.heuristic.sight cimport (
    CSight, judge, look, look_at_own, no_contract, P_BID_FLOOR, P_DEUCES_LEAST, P_HOLD_RUN, P_LATE_STOCK, P_OPEN_TURN,
    P_OUT_CARD, P_RACE_OPEN, P_RACE_SET, P_RACE_WILD, P_SET_LEAST, P_SHED_STOCK, P_STOP_SET, P_STOP_STOCK,
    P_TAKE_CARD, P_TAKE_LEAST, races,
)
from sitoumus.engine.policies.heuristic.bids cimport heuristic_call
from sitoumus.engine.policies.heuristic.chances cimport call_by_chance
from sitoumus.engine.policies.heuristic.pile cimport choose_take
from sitoumus.engine.policies.heuristic.discards cimport cards_in_reach, choose_discard

cdef inline uint64_t held_runs(const int32_t* w, const CSight* s) noexcept nogil:
    """Cards that wait in hand for a gap before an own run to close, rather than start a run of their own."""
    return s.own4 if w[P_HOLD_RUN] <= 4 else s.own5 if w[P_HOLD_RUN] == 5 else 0


cdef inline uint64_t ranks_of(uint64_t rc, int least) noexcept nogil:
    """Lowest bits of the nibbles of at least `least`; some more where that is below 7."""
    return at_least_three(rc) if least < 7 else ((rc + 0x1111111111111ULL) >> 3) & 0x1111111111111ULL


cdef inline bint stops(const CRules* r, const int32_t* w, const CPublic* p) noexcept nogil:
    """The opponents have a contract that their melds do not reach yet, and the deal is far enough for ending it."""
    return (p.stock_n <= w[P_STOP_STOCK] and p.contract != NONE and r.side_of[p.declarer] != r.side_of[p.player]
            and not reached(p, &p.tally[r.side_of[p.declarer]]))


cdef inline bint lays_something(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h, CSight* s,
                                int set_least) noexcept nogil:
    """lay_wanted would lay a card."""
    if s.fits_us & h.p1 or no_contract(r):                # wild cards may complete a set
        return True
    if starts_of_three(r, h.p1):
        judge(r, p, h, s)
        if starts_of_three(r, h.p1) & ~held_runs(w, s):
            return True
    if h.jokers or (h.rc >> (4 * DEUCE)) & 15:
        if s.wild_set >= 0 or h.jokers + rank_count(h, DEUCE) >= w[P_DEUCES_LEAST]:
            return True
    return ranks_of(h.rc, set_least) or at_least_two(h.rc << 1) & s.our_sets


cdef inline void complete_for_race(const CRules* r, const int32_t* w, CDraft* d) noexcept nogil:
    """Wild cards complete a set that is large enough, and is not the only one that could become the natural set without
    which the side may not go out."""
    cdef int i, growing = 0
    cdef bint natural = d.p.tally[d.side].count[OUT_NATURAL_SET] >= r.out_need[OUT_NATURAL_SET]
    if d.h.jokers == 0 and not d.h.p1 & rank_mask(DEUCE):
        return
    for i in range(d.p.n_melds[d.side]):
        if is_plain_set(r, &d.p.melds[d.side][i]) and d.p.melds[d.side][i].size < 7:
            growing += 1
    for i in range(d.p.n_melds[d.side]):
        if (is_plain_set(r, &d.p.melds[d.side][i]) and w[P_RACE_WILD] <= d.p.melds[d.side][i].size < 7
                and (natural or growing > 1 or d.p.melds[d.side][i].wilds)):
            add_wild(r, d, i, True)
            growing -= 1


cdef inline void lay_wanted(const CRules* r, const int32_t* w, CDraft* d, CSight* s, int set_least,
                            bint racing) noexcept nogil:
    """Lay what helps: runs, deuces, sets; without a contract also wild cards that complete sets, unless they have melds
    of their own. What still has use in hand stays there. s is renewed."""
    cdef int i, n = d.h.n
    if s.fits_us & d.h.p1:
        extend_runs(r, d)
        look_at_own(r, &d.p, s)
        n = d.h.n
    if starts_of_three(r, d.h.p1):
        judge(r, &d.p, &d.h, s)
        if starts_of_three(r, d.h.p1) & ~held_runs(w, s):
            lay_runs(r, d, held_runs(w, s))
            look_at_own(r, &d.p, s)
            n = d.h.n
    if d.h.jokers or d.h.p1 & rank_mask(DEUCE):
        if s.wild_set >= 0 or d.h.jokers + rank_count(&d.h, DEUCE) >= w[P_DEUCES_LEAST]:
            judge(r, &d.p, &d.h, s)
            d.keep = (s.own5 | s.run5) & rank_mask(DEUCE)
            if s.wild_set >= 0:
                add_to_deuces(r, d)
            else:
                lay_deuces(r, d, w[P_DEUCES_LEAST])
    if s.our_sets & at_least_two(d.h.rc << 1) or ranks_of(d.h.rc, set_least):
        judge(r, &d.p, &d.h, s)
        d.keep = s.run5
        for i in range(d.p.n_melds[d.side]):
            if is_plain_set(r, &d.p.melds[d.side][i]):
                add_naturals(r, d, i, 7 - d.p.melds[d.side][i].size if set_least > 6 else 1)
        lay_sets(r, d, set_least)
    if no_contract(r) and r.wild_kind == NONE:
        complete_sets(r, d)
    if racing:
        complete_for_race(r, w, d)
    if d.h.n != n:
        look_at_own(r, &d.p, s)


cdef inline bint plan_opens(const CRules* r, const int32_t* w, const CPublic* p, CDraft* d,
                            bint racing) noexcept nogil:
    """Plan the opening of a side in its turn; early in the deal with runs alone, without a contract with sets too."""
    cdef CNeed need
    cdef bint all_ = p.turns >= (w[P_RACE_OPEN] if racing else w[P_OPEN_TURN])
    need_for(r, p, &need)
    if not build_opening(r, d, &need, all_, all_ or no_contract(r)):
        return False
    d.p.opened[d.side] = 1
    d.floor = 2
    return True


cdef inline bint out_pays(const CRules* r, const int32_t* w, const CPublic* p, const CTally* t) noexcept nogil:
    """With these melds the contract is reached although partner's cards count against it (R29.2, B29), or there is
    none to reach."""
    cdef COut o
    cdef int partner = r.partner[p.player], points
    out_terms(r, p, p.player, &o)
    if o.sum == 0 or partner == NONE or p.asked == ASKED_YES:
        return True
    points = t.bonus + (t.points if o.with_points else 0) + (r.out_bonus if r.result_bonus else 0)
    return points - w[P_OUT_CARD] * p.hand_n[partner] >= 1000 * bid_level(p.contract)


cdef inline bint goes_out_now(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h, const CDraft* laid,
                              CMind* m, bint late) noexcept nogil:
    """Plan to go out, or to ask for it first, if what this turn lays gives the right to; else the plan stays."""
    cdef CDraft d
    cdef CMind out
    cdef COut o
    cdef bint ask
    out_terms(r, p, p.player, &o)
    ask = o.forbidden and p.asked == ASKED_NOT and may_ask(r, p, h)
    if ask:
        o.forbidden = 0
    if not p.opened[laid.side] or not out_ok(&o, &laid.p.tally[laid.side]):
        return False
    if late and laid.h.n > 2 + (rank_count(&laid.h, THREE) if r.black_kind != NONE else 0):
        return False                                # all that can be laid is
    out.n_plan = 0
    if not plan_out(r, &d, p, h, &out, ask):
        return False
    if not ask and not out_pays(r, w, p, &d.p.tally[d.side]):
        if not may_ask(r, p, h):
            return False
        ask = True
    if ask:
        out.n_plan = 0
        note_step(&out, V_ASK)
    m.n_plan = out.n_plan
    memcpy(m.plan, out.plan, out.n_plan * sizeof(uint32_t))
    return True


cdef inline bint buys(const CRules* r, const CPublic* p, const CHand* h, bint late) noexcept nogil:
    """Late in the deal all red threes but the one to be discarded are better sold (R21.3, R21.4)."""
    cdef uint64_t red = h.p1 & r.buy
    return (late and red and p.stock_n and h.n >= 3 and popcount64(red) + popcount64(h.p2 & r.buy) >= 2
            and r.buy_price < r.hand_points[ctz64(red)])


cdef inline bint ends_soon(const CRules* r, const CPublic* p) noexcept nogil:
    """An opponent with few cards has the melds to go out."""
    cdef int seat
    cdef COut o
    for seat in range(r.seats):
        if r.side_of[seat] != r.side_of[p.player] and p.hand_n[seat] <= 4:
            out_terms(r, p, seat, &o)
            o.forbidden = 0             # partner may say yes
            if out_ok(&o, &p.tally[r.side_of[seat]]):
                return True
    return False


cdef inline void draft_turn(const CRules* r, CDraft* d, const CPublic* p, const CHand* h, CMind* m) noexcept nogil:
    """A draft for the turn; without a contract no sequence is begun that would cost points as it is."""
    draft_begin(r, d, p, h, m, 2)
    if no_contract(r) and r.run_kind != NONE and r.kind[r.run_kind].short_below > 3:
        d.run_least = r.kind[r.run_kind].short_below


cdef inline void plan_turn(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h,
                           CMind* m) noexcept nogil:
    """The phases taken and meld."""
    cdef CDraft d
    cdef CSight s
    cdef int side = r.side_of[p.player], set_least
    cdef int reach = cards_in_reach(r, w, p)
    cdef bint racing = races(r, w, p), shed, lays = False, draft = False
    cdef bint late = (p.stock_n <= w[P_LATE_STOCK] or (no_contract(r) and ends_soon(r, p))
                      or (racing and may_go_out(r, p, p.player)))
    if p.phase == PHASE_TAKEN and p.stock_n and r.draw_after:
        note_step(m, V_EXTRA)
        return
    if h.n == 1 or p.must_out:
        return
    shed = late or p.stock_n < w[P_SHED_STOCK]
    look(r, p, &s)
    if not p.discard_only:
        if r.buy and buys(r, p, h, late):
            note_step(m, act_card(V_BUY, ctz64(h.p1 & r.buy)))
            return
        set_least = w[P_RACE_SET] if racing else w[P_STOP_SET] if stops(r, w, p) else w[P_SET_LEAST]
        if not p.opened[side]:
            if (p.turns >= w[P_OPEN_TURN] or p.opening or no_contract(r) or starts_of_three(r, h.p1)
                    or (racing and p.turns >= w[P_RACE_OPEN])):
                draft_turn(r, &d, p, h, m)
                draft = plan_opens(r, w, p, &d, racing)
            if draft:
                look_at_own(r, &d.p, &s)
                lays = not late and lays_something(r, w, &d.p, &d.h, &s, set_least)
            else:
                m.n_plan = 0
                if p.opening:
                    return
        else:
            lays = not late and lays_something(r, w, p, h, &s, set_least)
            if late or lays or may_go_out(r, p, p.player) or p.asked == ASKED_YES:
                draft_turn(r, &d, p, h, m)
                draft = True
        if draft:
            if late:
                lay_all(r, &d)
                look_at_own(r, &d.p, &s)
            elif lays:
                lay_wanted(r, w, &d, &s, set_least, racing)
            if goes_out_now(r, w, p, h, &d, m, late):
                return
            judge(r, &d.p, &d.h, &s)
            note_step(m, act_card(V_DISCARD, choose_discard(r, w, &d.p, &d.h, &s, reach, racing, shed)))
            return
    judge(r, p, h, &s)
    note_step(m, act_card(V_DISCARD, choose_discard(r, w, p, h, &s, reach, racing, shed)))


cdef inline bint opens_with_take(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h,
                                 CMind* m) noexcept nogil:
    """Plan an opening together with a take of the pile, the pair (three) kept out of it (R23.2, R23.3, D3)."""
    cdef CDraft d
    cdef CNeed need
    cdef uint8_t cards[16]
    cdef int ways = ways_now(r, p), top, held, k, n, depth
    cdef uint32_t a
    if not ways & (WAY_PAIR | WAY_TRIPLE):
        return False
    top = pile_top(p)
    held = rank_count(h, card_rank(top))
    k = 2 if ways & WAY_PAIR else 3
    if top == JOKER or held < k or r.set_kind[card_rank(top)] == NONE or not (r.set_cards & card_bit(top)):
        return False
    depth = take_depth_most(r, p)
    if (depth - 1) * w[P_TAKE_CARD] < w[P_TAKE_LEAST]:
        return False
    draft_begin(r, &d, p, h, m, 2)
    n = free_of_rank(&d, card_rank(top), cards)
    for n in range(k):
        hand_remove(&d.h, cards[n])
    need_for(r, p, &need)
    need.keep = keep_for_take(r, p, depth)
    if r.pair_counts or r.top_counts:
        for n in range(k):
            need.extra_points += r.points[cards[n]]
        if r.top_counts:
            need.extra_points += r.points[top]
    if build_opening(r, &d, &need, True, True):
        for n in range(k):
            hand_add(&d.h, cards[n])
        memcpy(d.p.pile, p.pile, p.pile_n)
        a = choose_take(r, w, &d.p, &d.h, ways_now(r, &d.p))
        if a and note_step(m, a):
            return True
    m.n_plan = 0
    return False


cdef inline void plan_opening(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h,
                              CMind* m) noexcept nogil:
    """The declarer's opening before play."""
    cdef CDraft d
    cdef CNeed need
    need_for(r, p, &need)
    draft_begin(r, &d, p, h, m, 1)
    if build_opening(r, &d, &need, True, True):
        note_step(m, V_DONE)
    else:
        m.n_plan = 0


cdef inline int hand_minus_of(const CRules* r, const CHand* h) noexcept nogil:
    """Points that the cards of a hand cost at the end."""
    cdef int total = h.jokers * r.hand_points[JOKER], card
    cdef uint64_t left = h.p1
    while left:
        card = ctz64(left)
        left &= left - 1
        total += hand_count(h, card) * r.hand_points[card]
    return total


cdef inline bint says_yes(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """Partner may go out unless the own cards would cost the contract, or more than going out brings."""
    cdef COut o
    cdef int minus = hand_minus_of(r, h)
    out_terms(r, p, p.player, &o)
    if o.sum:
        return minus <= (r.out_bonus if r.result_bonus else 0) + (
            p.tally[r.side_of[p.player]].bonus - o.sum if p.tally[r.side_of[p.player]].bonus > o.sum else 0)
    return minus <= 500 or p.contract != NONE


cdef inline void heuristic_plan(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h,
                                CMind* m) noexcept nogil:
    """Fill the plan of the seat to act; an empty plan means that no special plan applies."""
    cdef uint32_t a = 0
    cdef int ways
    m.n_plan = 0
    m.at = 0
    if p.phase == PHASE_MELD or p.phase == PHASE_TAKEN:
        plan_turn(r, w, p, h, m)
    elif p.phase == PHASE_DRAW:
        if p.opening or p.transfer_to:
            return
        if not p.opened[r.side_of[p.player]]:
            if opens_with_take(r, w, p, h, m):
                return
        else:
            ways = ways_now(r, p)
            if take_in_sight(r, p, h, ways):
                a = choose_take(r, w, p, h, ways)
        if a:
            note_step(m, a)
        elif p.stock_n:
            note_step(m, V_DRAW)
    elif p.phase == PHASE_OPENING:
        plan_opening(r, w, p, h, m)
    elif p.phase == PHASE_AUCTION:
        note_step(m, call_by_chance(r, w, p, h) if w[P_BID_FLOOR] > 0 else heuristic_call(r, w, p, h))
    elif p.phase == PHASE_REPLY:
        note_step(m, V_YES if says_yes(r, p, h) else V_NO)
