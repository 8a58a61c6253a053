# The heuristic policy: named integer parameters, one plan a turn.
#
# Values are points of the final score, as far as a parameter can say so. policies.py names the parameters, their
# meaning, unit and default, in the order of the enum below.
#
# In reading order: parameters; what a seat sees; bids; stock or pile; laying; discards; the turn.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t, int32_t, int64_t
from libc.string cimport memset, memcpy
from sitoumus._cards cimport *
from sitoumus._rules cimport *
from sitoumus._melds cimport *
from sitoumus._opening cimport *
from sitoumus._state cimport *
from sitoumus._auction cimport *
from sitoumus._moves cimport *
from sitoumus._plans cimport *

cdef extern from *:
    """
    /* 1024 * P(at least two), P(at least three) of a Poisson number of mean i / 8 */
    static const short sit_two[40] = {
        0, 7, 27, 56, 92, 133, 178, 224, 271, 317, 364, 409, 453, 495, 535, 573, 608, 642, 673, 702, 730, 755, 778, 799,
        819, 838, 854, 870, 884, 896, 908, 919, 928, 937, 945, 952, 958, 964, 969, 974};
    static const short sit_three[40] = {
        0, 0, 2, 7, 15, 26, 41, 60, 82, 108, 135, 166, 196, 228, 261, 296, 331, 366, 400, 434, 467, 499, 531, 561,
        591, 618, 645, 671, 695, 718, 740, 761, 780, 798, 815, 832, 847, 861, 874, 886};
    """
    const int16_t TWO "sit_two"[40]
    const int16_t THREE_OF "sit_three"[40]

cdef enum:
    # cards in hand
    P_KEEP_RUN3 = 0
    P_KEEP_RUN4
    P_KEEP_RUN5
    P_KEEP_RUN6
    P_KEEP_PAIR
    P_KEEP_TRIPLE
    P_KEEP_SET
    P_KEEP_JOKER
    P_KEEP_DEUCE
    P_SHED_RED_THREE
    P_SHED_BLACK_THREE
    P_LATE_MINUS
    # discards
    P_FEED_RUN
    P_PILE_CARD
    P_PAIR_RISK
    P_UNOPENED_RISK
    P_NEAR_RUN
    P_FREEZE_CARD
    # the pile
    P_TAKE_LEAST
    P_TAKE_CARD
    P_TAKE_WILD
    P_TAKE_RED_THREE
    # laying
    P_LATE_STOCK
    P_SET_LEAST
    P_ADD_LEAST
    P_DEUCES_LEAST
    # bids
    P_BID_BASE
    P_BID_RUN4
    P_BID_RUN5
    P_BID_RUN6
    P_BID_WILD
    P_BID_ACE
    P_BID_PARTNER
    P_BID_FIRST
    P_BID_STEP
    N_PARAMS


# ---- what a seat sees ------------------------------------------------------------------------------------------------

cdef struct CSight:
    uint64_t run3, run4, run5, run6   # own cards in a window of seven of which so many are in hand or on an own run
    uint64_t seen             # nibbles: cards of a rank in hand, on the table and in the pile
    uint64_t fits_them        # cards that continue a run of the opponents
    uint64_t near_them        # ... or would after one card more
    uint64_t fits_us
    uint64_t our_sets         # nibbles: rank of an own incomplete set
    int unseen                # cards in the stock and in other hands


cdef inline uint64_t turn_up_by(uint64_t p, int k) noexcept nogil:
    return turn_down(p, 13 - k)


cdef inline uint64_t spread7(uint64_t starts) noexcept nogil:
    """The cards of windows of seven from their lowest ranks."""
    starts |= turn_up_by(starts, 1)
    starts |= turn_up_by(starts, 2)
    return starts | turn_up_by(starts, 3)


cdef inline void see_windows(const CRules* r, uint64_t p, CSight* s) noexcept nogil:
    """Count cards p in all windows of seven at once, bit by bit, and mark the cards of good windows."""
    cdef uint64_t a1 = turn_down(p, 1), a2 = turn_down(p, 2), a3 = turn_down(p, 3), a4 = turn_down(p, 4)
    cdef uint64_t a5 = turn_down(p, 5), a6 = turn_down(p, 6)
    cdef uint64_t x, one, c1, c2, c3, two, four, windows = r.run3 & turn_down(r.run3, 4)
    x = p ^ a1
    c1 = (p & a1) | (x & a2)
    x ^= a2
    one = a3 ^ a4
    c2 = (a3 & a4) | (one & a5)
    one ^= a5
    c3 = (x & one) | ((x ^ one) & a6)
    one ^= x ^ a6
    two = c1 ^ c2 ^ c3
    four = (c1 & c2) | (c1 & c3) | (c2 & c3)
    s.run3 = p & spread7((four | (two & one)) & windows)
    s.run4 = p & spread7(four & windows)
    s.run5 = p & spread7(four & (one | two) & windows)
    s.run6 = p & spread7(four & two & windows)


cdef inline uint64_t run_mask(int start, int size) noexcept nogil:
    """Ranks of a run, 13 bits."""
    cdef uint64_t m = ((<uint64_t>1 << size) - 1) << start
    return (m | (m >> 13)) & 0x1FFF


cdef inline void see_own_run(const CRules* r, const CMeld* m, uint64_t p, CSight* s) noexcept nogil:
    """Mark the own cards in the windows around an own incomplete run."""
    cdef uint64_t lane = (p >> (16 * m.key)) & 0x1FFF, run = run_mask(m.start, m.size), w
    cdef int j, low, have
    for j in range(8 - m.size):
        low = (m.start - j + 13) % 13
        if not (r.run_len[low] >> 7) & 1:
            continue
        w = run_mask(low, 7)
        have = m.size + popcount64(lane & w & ~run)
        w = (lane & w & ~run) << (16 * m.key)
        if have >= 3:
            s.run3 |= w
        if have >= 4:
            s.run4 |= w
        if have >= 5:
            s.run5 |= w
        if have >= 6:
            s.run6 |= w


cdef inline void run_ends(const CRules* r, const CMeld* m, uint64_t* fits, uint64_t* near) noexcept nogil:
    """Cards that continue an incomplete run, and those one further."""
    cdef int low = prev_rank(m.start), high = (m.start + m.size) % 13
    if (r.run_len[low] >> (m.size + 1)) & 1:
        fits[0] |= card_bit(16 * m.key + low)
        near[0] |= card_bit(16 * m.key + prev_rank(low))
    if (r.run_len[m.start] >> (m.size + 1)) & 1:
        fits[0] |= card_bit(16 * m.key + high)
        near[0] |= card_bit(16 * m.key + next_rank(high))


cdef inline void look(const CRules* r, const CPublic* p, const CHand* h, CSight* s) noexcept nogil:
    """See the table as the player to act."""
    cdef int side, i, own = r.side_of[p.player]
    cdef const CMeld* m
    cdef uint64_t none = 0, at
    see_windows(r, h.p1, s)
    s.seen = h.rc
    s.fits_them = 0
    s.near_them = 0
    s.fits_us = 0
    s.our_sets = 0
    for side in range(r.sides):
        for i in range(p.n_melds[side]):
            m = &p.melds[side][i]
            if r.kind[m.kind].shape == SHAPE_RUN:
                at = run_mask(m.start, m.size)
                while at:
                    s.seen += <uint64_t>1 << (4 * ctz64(at))
                    at &= at - 1
                if m.size < r.kind[m.kind].full:
                    if side == own:
                        see_own_run(r, m, h.p1, s)
                        run_ends(r, m, &s.fits_us, &none)
                    else:
                        run_ends(r, m, &s.fits_them, &s.near_them)
            elif r.kind[m.kind].shape == SHAPE_SET:
                s.seen += <uint64_t>(m.size - m.wilds) << (4 * m.key)
                s.seen += <uint64_t>two_bit_sum(m.deuces) << (4 * DEUCE)
                if side == own and not meld_complete(r, m):
                    s.our_sets |= <uint64_t>1 << (4 * m.key)
    for i in range(p.pile_n):
        if p.pile[i] != JOKER:
            s.seen += <uint64_t>1 << (4 * (p.pile[i] & 15))
    s.unseen = p.stock_n
    for i in range(r.seats):
        s.unseen += p.hand_n[i]
    s.unseen -= h.n


# ---- bids ------------------------------------------------------------------------------------------------------------

cdef inline int hand_worth(const CRules* r, const int32_t* w, const CHand* h) noexcept nogil:
    """Bonus points that a side can hope for with this hand."""
    cdef CSight s
    cdef int suit, worth = w[P_BID_BASE]
    see_windows(r, h.p1, &s)
    for suit in range(4):
        if (s.run6 >> (16 * suit)) & 0x1FFF:
            worth += w[P_BID_RUN6]
        elif (s.run5 >> (16 * suit)) & 0x1FFF:
            worth += w[P_BID_RUN5]
        elif (s.run4 >> (16 * suit)) & 0x1FFF:
            worth += w[P_BID_RUN4]
    worth += w[P_BID_WILD] * (h.jokers + rank_count(h, DEUCE)) + w[P_BID_ACE] * rank_count(h, ACE)
    return worth


cdef inline bint opens_as_declarer(const CRules* r, const CPublic* p, const CHand* h, int bid) noexcept nogil:
    """The player to call could open on this bid."""
    cdef CNeed need
    cdef uint8_t needs
    memset(&need, 0, sizeof(CNeed))
    need.minimum = minimum_for(r, p.totals[r.side_of[p.turn]], &needs)
    need.needs = needs
    need.complete_opens = r.bonus_counts
    need.deuce_min = r.deuces_declarer
    need.keep = 1
    if bid_level(bid) >= 4:
        if bid_strain(bid) < STRAIN_CAN:
            need.bid_suits = 1 << bid_strain(bid)
        elif bid_strain(bid) == STRAIN_CAN:
            need.bid_four = 1
        else:
            need.bid_deuces = 1
    return can_open(r, h, NULL, 0, &need)


cdef inline uint32_t heuristic_call(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h) noexcept nogil:
    cdef int worth = hand_worth(r, w, h), level, bid, seat, partner = r.partner[p.turn], least
    cdef bint ours = p.last_bid != NONE and r.side_of[p.bidder[p.last_bid]] == r.side_of[p.turn]
    if ours:
        return V_PASS
    least = 0 if p.last_bid == NONE else p.last_bid + 1
    if least >= 6 * r.max_level:
        return V_PASS
    if partner != NONE:
        for bid in range(least):
            if p.bidder[bid] == partner:
                worth += w[P_BID_PARTNER]
                break
    level = 0 if worth < w[P_BID_FIRST] else 1 + (worth - w[P_BID_FIRST]) // w[P_BID_STEP]
    if level > 4:
        level = 4
    bid = 6 * (level - 1)
    if bid < least:
        bid = least
    if level < 1 or bid_level(bid) > level:
        return V_PASS
    if not opens_as_declarer(r, p, h, bid):
        return V_PASS
    return act_card(V_BID, bid)


# ---- stock or pile ---------------------------------------------------------------------------------------------------

cdef inline int pile_card_worth(const CRules* r, const int32_t* w, const CSight* s, uint64_t windows, int card) noexcept nogil:
    """What a card of the pile is worth in hand."""
    if card == JOKER:
        return w[P_TAKE_WILD]
    if r.buy & card_bit(card):
        return -w[P_TAKE_RED_THREE]
    if card_rank(card) == DEUCE:
        return w[P_TAKE_WILD]
    return w[P_TAKE_CARD] + (w[P_KEEP_RUN4] if windows & card_bit(card) else 0)


cdef inline uint32_t choose_take(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h) noexcept nogil:
    """The best take, or 0 (which is no take) if the stock is better."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef CSight s
    cdef int n, i, k, value, best = 0, depth, at, top = pile_top(p), suit, need
    cdef uint32_t choice = 0
    cdef uint64_t windows
    need = 3 if p.freezers else 2
    # what cannot be a take is seen without listing
    n = list_takes(r, p, h, steps)
    if n == 0:
        return 0
    look(r, p, h, &s)
    windows = s.run3 | s.fits_us
    for i in range(n):
        freezers_in_a_row(r, p, &depth)
        if act_locks(steps[i]):
            depth += act_locks(steps[i]) - least_locks(r, p)
        value = 0
        for k in range(1, depth):
            value += pile_card_worth(r, w, &s, windows, p.pile[p.pile_n - 1 - k])
        for suit in range(4):
            at = (steps[i] >> (5 + 2 * suit)) & 3
            if at:
                value -= at * w[P_KEEP_PAIR]
                if s.run5 & card_bit(16 * suit + card_rank(top)):
                    value -= w[P_KEEP_RUN5] * (hand_count(h, 16 * suit + card_rank(top)) == at)
        if act_suits(steps[i]) == 0:
            value += w[P_KEEP_RUN5]
        if act_wild(steps[i]) != NO_CARD:
            value -= w[P_TAKE_WILD]
        if value > best or choice == 0:
            best = value
            choice = steps[i]
    if best < w[P_TAKE_LEAST] and p.stock_n:
        return 0
    return choice


# ---- discards --------------------------------------------------------------------------------------------------------

cdef inline int choose_discard(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h, bint late) noexcept nogil:
    """The card whose loss and danger are least."""
    cdef CSight s
    cdef uint64_t left = h.p1, b
    cdef int card, best = 1 << 30, choice = JOKER, value, n, next_ = (p.player + 1) % r.seats, rank, lam, pile, risk
    cdef bint theirs = p.opened[r.side_of[next_]], ours = p.opened[r.side_of[p.player]]
    look(r, p, h, &s)
    pile = w[P_PILE_CARD] * (p.pile_n + 1)
    if h.jokers:
        best = w[P_KEEP_JOKER] - (w[P_FREEZE_CARD] * p.pile_n if theirs and p.freezers == 0 else 0)
        if late:
            best -= w[P_LATE_MINUS] * r.hand_points[JOKER] // 100
    while left:
        card = ctz64(left)
        b = left & (0 - left)
        left &= left - 1
        rank = card & 15
        value = 0
        if not h.p2 & b:
            if s.run6 & b:
                value = w[P_KEEP_RUN6]
            elif s.run5 & b:
                value = w[P_KEEP_RUN5]
            elif s.run4 & b:
                value = w[P_KEEP_RUN4]
            elif s.run3 & b:
                value = w[P_KEEP_RUN3]
        if r.buy & b:
            value -= w[P_SHED_RED_THREE]
        elif rank == THREE:
            value -= w[P_SHED_BLACK_THREE]
        elif rank == DEUCE:
            value += w[P_KEEP_DEUCE]
        else:
            n = rank_count(h, rank)
            if n == 2:
                value += w[P_KEEP_PAIR]
            elif n > 2:
                value += w[P_KEEP_TRIPLE]
            if (s.our_sets >> (4 * rank)) & 1:
                value += w[P_KEEP_SET]
        if late:
            value -= w[P_LATE_MINUS] * r.hand_points[card] // 100
        # what the next player can do with it
        if s.fits_them & b:
            value += w[P_FEED_RUN] + pile
        elif not ((r.run_only_top | r.dead_top) & b):
            n = r.copies * 4 - <int>((s.seen >> (4 * rank)) & 15)
            lam = 8 * n * p.hand_n[next_] // (s.unseen if s.unseen > 0 else 1)
            if lam > 39:
                lam = 39
            risk = THREE_OF[lam] if p.freezers else TWO[lam]
            if not theirs:
                risk = risk * w[P_UNOPENED_RISK] // 100
            value += (pile * risk // 1024) * w[P_PAIR_RISK] // 100
        elif r.freeze & b and theirs and p.freezers == 0:
            value -= w[P_FREEZE_CARD] * p.pile_n
        if s.near_them & b:
            value += w[P_NEAR_RUN]
        if value < best:
            best = value
            choice = card
    return choice


# ---- the turn --------------------------------------------------------------------------------------------------------

cdef inline bint is_late(const CRules* r, const int32_t* w, const CPublic* p) noexcept nogil:
    """The deal may end before this hand plays again, or soon after."""
    return p.stock_n <= w[P_LATE_STOCK]


cdef inline void lay_wanted(const CRules* r, const int32_t* w, CDraft* d) noexcept nogil:
    """Lay what helps: runs, deuces, sets; what still has use in hand stays there."""
    cdef int i
    cdef CSight s
    extend_runs(r, d)
    lay_runs(r, d, 0)
    add_to_deuces(r, d)
    if d.h.jokers + rank_count(&d.h, DEUCE) >= 3:
        lay_deuces(r, d, w[P_DEUCES_LEAST])
    see_windows(r, d.h.p1, &s)
    d.keep = s.run5
    for i in range(d.p.n_melds[d.side]):
        if is_plain_set(r, &d.p.melds[d.side][i]):
            add_naturals(r, d, i, w[P_ADD_LEAST])
    lay_sets(r, d, w[P_SET_LEAST])


cdef inline void plan_turn(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h, CMind* m) noexcept nogil:
    """The phases taken and meld."""
    cdef CDraft d
    cdef CNeed need
    cdef COut o
    cdef bint late = is_late(r, w, p)
    cdef int side = r.side_of[p.player], n
    if p.phase == PHASE_TAKEN and p.stock_n and r.draw_after:
        note_step(m, V_EXTRA)
        return
    if h.n == 1 or p.must_out:
        return
    draft_begin(r, &d, p, h, m, 2)
    if not p.discard_only:
        if not p.opened[side]:
            need_for(r, p, &need)
            if not build_opening(r, &d, &need):
                if p.opening:
                    m.n_plan = 0
                    return
                m.n_plan = 0
                draft_begin(r, &d, p, h, m, 2)
            else:
                d.p.opened[side] = 1
                d.floor = 2
        if d.p.opened[side]:
            if late:
                lay_all(r, &d)
            else:
                lay_wanted(r, w, &d)
            out_terms(r, p, p.player, &o)
            if out_ok(&o, &d.p.tally[side]) and p.opened[side]:
                n = m.n_plan
                m.n_plan = 0
                if plan_out(r, &d, p, h, m):
                    return
                m.n_plan = 0
                draft_begin(r, &d, p, h, m, 2)
                if late:
                    lay_all(r, &d)
                else:
                    lay_wanted(r, w, &d)
    note_step(m, act_card(V_DISCARD, choose_discard(r, w, &d.p, &d.h, late)))


cdef inline void plan_opening(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h, CMind* m) noexcept nogil:
    """The declarer's opening before play."""
    cdef CDraft d
    cdef CNeed need
    need_for(r, p, &need)
    draft_begin(r, &d, p, h, m, 1)
    if build_opening(r, &d, &need):
        note_step(m, V_DONE)
    else:
        m.n_plan = 0


cdef inline void heuristic_plan(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h, CMind* m) noexcept nogil:
    """Fill the plan of the seat to act; an empty plan means that no special plan applies."""
    cdef uint32_t a
    m.n_plan = 0
    m.at = 0
    if p.phase == PHASE_MELD or p.phase == PHASE_TAKEN:
        plan_turn(r, w, p, h, m)
    elif p.phase == PHASE_DRAW:
        if p.opening or p.transfer_to:
            return
        a = choose_take(r, w, p, h) if p.opened[r.side_of[p.player]] else 0
        if a:
            note_step(m, a)
        elif p.stock_n:
            note_step(m, V_DRAW)
    elif p.phase == PHASE_OPENING:
        plan_opening(r, w, p, h, m)
    elif p.phase == PHASE_AUCTION:
        note_step(m, heuristic_call(r, w, p, h))
