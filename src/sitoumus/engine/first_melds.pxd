# The first melds of a side: what it needs, and which steps still lead to an opening (R13 to R15).
from libc.stdint cimport uint8_t, uint32_t, int16_t
from libc.string cimport memset, memcpy
from sitoumus.engine.cards cimport CHand, hand_remove
from sitoumus.engine.tables cimport (
    ALWAYS, CMeld, CRules, GOING_OUT, N_OUT, NEEDS_CANASTA, NEEDS_NATURAL, NEEDS_NONE, NONE,
    OUT_CANASTA, OUT_NATURAL, SHAPE_RUN, STRAIN_CAN,
)
from sitoumus.engine.melds cimport add_card, CTally, meld_complete, meld_naturals, tally_clear, tally_meld
from sitoumus.engine.goals cimport CNeed, COut
from sitoumus.engine.state cimport CPublic, MAX_MELDS, PHASE_OPENING, side_minimum, V_MELD
from sitoumus.engine.actions cimport act_first, act_target, verb_of
from sitoumus.engine.auction cimport bid_level, bid_strain
from sitoumus.engine.opening cimport can_lay_all, can_lay_out, can_open
from sitoumus.engine.going_out cimport out_terms, turn_can_end
from sitoumus.engine.laying cimport meld_of_action

cdef inline void need_for(const CRules* r, const CPublic* p, CNeed* need) noexcept nogil:
    """What the opening of the player to act has to reach (R13, R14, R15)."""
    cdef uint8_t needs
    memset(need, 0, sizeof(CNeed))
    need.minimum = side_minimum(r, p, r.side_of[p.player], &needs)
    need.needs = needs
    need.complete_opens = r.bonus_counts
    if p.phase == PHASE_OPENING:
        need.deuce_min = r.deuces_declarer
        need.keep = 1                                    # D1
        if bid_level(p.contract) >= 4:
            if bid_strain(p.contract) < STRAIN_CAN:
                need.bid_suits = 1 << bid_strain(p.contract)   # R14.4
            elif bid_strain(p.contract) == STRAIN_CAN:
                need.bid_four = 1                        # R14.5, B10
            else:
                need.bid_deuces = 1                      # R14.6
    else:
        need.deuce_min = r.deuces_others
        need.keep = 2


cdef inline bint opening_suffices(const CRules* r, const CMeld* melds, int n, const CNeed* need,
                                  int extra) noexcept nogil:
    """These melds are an opening, with `extra` points counted besides."""
    cdef CTally t
    cdef int i, naturals
    cdef bint by_bid = False
    tally_clear(&t)
    t.points = extra
    for i in range(n):
        tally_meld(r, &t, &melds[i])
        if melds[i].kind == r.deuce_kind and r.deuce_kind != NONE:
            naturals = meld_naturals(&melds[i])
            if naturals < need.deuce_min:
                return False
            by_bid |= (need.bid_deuces or need.bid_four) and naturals >= 4
        elif r.kind[melds[i].kind].shape == SHAPE_RUN:
            by_bid |= (need.bid_suits >> melds[i].key) & 1
        elif need.bid_four and r.kind[melds[i].kind].when == ALWAYS:
            by_bid |= meld_naturals(&melds[i]) >= 4
    if by_bid or (need.complete_opens and t.count[OUT_CANASTA]):
        return True
    if need.needs == NEEDS_CANASTA and t.count[OUT_CANASTA] == 0:
        return False
    if need.needs == NEEDS_NATURAL and t.count[OUT_NATURAL] == 0:
        return False
    return t.points >= need.minimum


cdef inline bint out_needs_complete(const COut* o) noexcept nogil:
    """Nobody goes out under these terms without a complete meld."""
    cdef int i
    if o.sum > 0 and not o.with_points:
        return True
    for i in range(N_OUT):
        if o.need[i]:
            return True
    return False


cdef inline bint lays_out_opening(const CRules* r, const CHand* h, const CMeld* laid, int n, const COut* o,
                                  const CNeed* need, int minimum, bint whole) noexcept nogil:
    """The hand (whole, or but for the discard) can be laid to go out with melds that are, all together, an opening:
    worth so many points, or with a complete meld where that opens (R13.3)."""
    if need.complete_opens and out_needs_complete(o):
        return lays_out(r, h, laid, n, o, 0, NEEDS_NONE, whole)
    return lays_out(r, h, laid, n, o, minimum, need.needs, whole) or (
        need.complete_opens and lays_out(r, h, laid, n, o, 0, NEEDS_CANASTA, whole))


cdef inline bint lays_out(const CRules* r, const CHand* h, const CMeld* laid, int n, const COut* o, int minimum,
                          int needs, bint whole) noexcept nogil:
    if whole:
        return can_lay_all(r, h, laid, n, o, minimum, needs, 0)
    return can_lay_out(r, h, laid, n, o, minimum, needs)


cdef inline bint opening_goes_out(const CRules* r, const CPublic* q, const CHand* h, const COut* o, const CNeed* need,
                                  int before) noexcept nogil:
    """After a take for which an opening is laid that leaves too few cards, the player can go out. before: card points
    of the melds without those of the take; of these the opening counts need.extra_points. An extra card will be the
    discard: with another one left, the turn could be ended without going out (D6)."""
    cdef int side = r.side_of[q.player]
    return lays_out_opening(r, h, q.melds[side], q.n_melds[side], o, need,
                            need.minimum - need.extra_points + q.tally[side].points - before,
                            r.draw_after and q.stock_n)


cdef inline bint lay_out_opens(const CRules* r, const CPublic* p, const CHand* h, const CMeld* laid, int n,
                               CNeed* need) noexcept nogil:
    """The hand can be laid out to go out in this turn, opening included (F11), where two cards cannot stay."""
    cdef COut o
    out_terms(r, p, p.player, &o)
    if o.forbidden:
        return False
    if r.waive and p.drew and not p.took:
        return can_lay_out(r, h, laid, n, &o, 0, NEEDS_NONE)
    need.keep = 0
    if not can_open(r, h, laid, n, need):
        return False
    return lays_out_opening(r, h, laid, n, &o, need, need.minimum, False)


cdef inline bint opens_with(const CRules* r, const CPublic* p, const CHand* h, const CMeld* laid, int n,
                            bint must_out) noexcept nogil:
    """The opening of the player to act, who has laid these melds and holds this hand, can be completed."""
    cdef CNeed need
    need_for(r, p, &need)
    if not must_out and can_open(r, h, laid, n, &need):
        return True
    return p.phase != PHASE_OPENING and lay_out_opens(r, p, h, laid, n, &need)


cdef inline bint opening_goes_on(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """In phases opening and meld: the opening of the player to act can (still) be completed from this hand."""
    return opens_with(r, p, h, p.melds[r.side_of[p.player]], p.n_melds[r.side_of[p.player]], p.must_out)


cdef inline bint opens_after(const CRules* r, const CPublic* p, const CHand* h, uint32_t a) noexcept nogil:
    """The same after this meld or add."""
    cdef uint8_t cards[8]
    cdef CMeld melds[MAX_MELDS]
    cdef CHand g = h[0]
    cdef int side = r.side_of[p.player], n = p.n_melds[side], i, k
    cdef bint must_out = p.must_out
    memcpy(melds, p.melds[side], n * sizeof(CMeld))
    if verb_of(a) == V_MELD:
        k = meld_of_action(r, a, cards, &melds[n])
        for i in range(k):
            hand_remove(&g, cards[i])
        must_out |= r.kind[melds[n].kind].when == GOING_OUT
        n += 1
    else:
        i = act_target(a) - 1
        hand_remove(&g, act_first(a))
        must_out |= r.kind[melds[i].kind].shape == SHAPE_RUN and meld_complete(r, &melds[i])
        add_card(r, &melds[i], act_first(a))
    return opens_with(r, p, &g, melds, n, must_out)


cdef inline void note_opened(const CRules* r, CPublic* p, int side, int turn, int extra) noexcept nogil:
    p.opened[side] = 1
    p.opening = 0
    p.opened_turn[side] = <int16_t>turn
    p.opening_points[side] = <int16_t>(p.tally[side].points + extra)


cdef inline void settle_opening(const CRules* r, CPublic* p, const CHand* h) noexcept nogil:
    """After a step of an opening in phase meld: it is complete with the first step after which it suffices and the
    turn can be ended (D2)."""
    cdef CNeed need
    cdef int side = r.side_of[p.player]
    need_for(r, p, &need)
    p.opening = 1
    if opening_suffices(r, p.melds[side], p.n_melds[side], &need, 0) and turn_can_end(r, p, h):
        note_opened(r, p, side, p.turns + 1, 0)
