# Going out: who may, what the side still lacks, and whether a turn can end at all (B19c, R27, R28).
from libc.stdint cimport uint8_t
from libc.string cimport memset, memcpy
from sitoumus.engine.cards cimport CHand, ctz64, JOKER
from sitoumus.engine.tables cimport ASK_REQUIRED, CMeld, CRules, N_OUT, NEEDS_NONE, NEVER, NONE, OUT_RUN, OUT_WILD
from sitoumus.engine.melds cimport add_card, can_add, CTally, meld_complete, meld_naturals, tally_complete
from sitoumus.engine.goals cimport COut, out_ok
from sitoumus.engine.state cimport ASKED_NO, ASKED_YES, CPublic, MAX_MELDS
from sitoumus.engine.auction cimport bid_level, bid_strain
from sitoumus.engine.opening cimport can_lay_out

cdef inline void out_terms(const CRules* r, const CPublic* p, int seat, COut* o) noexcept nogil:
    """What the seat's side must have to go out now: by contract and role (R28.2, R28.3, C36), and by the question."""
    cdef int i
    memset(o, 0, sizeof(COut))
    o.strain = NONE
    o.forbidden = p.asked == ASKED_NO or (r.ask == ASK_REQUIRED and p.asked != ASKED_YES)
    if r.contract:
        if p.contract != NONE and r.side_of[p.declarer] == r.side_of[seat]:
            o.sum = 1000 * bid_level(p.contract) - (r.out_bonus if r.gate_bonus else 0)
            o.with_points = bid_level(p.contract) >= 5
            if r.strain_made:
                o.strain = <uint8_t>bid_strain(p.contract)
            return
        if p.contract == NONE and r.free_out:
            return
    for i in range(N_OUT):
        o.need[i] = r.out_need[i]


cdef inline bint may_go_out(const CRules* r, const CPublic* p, int seat) noexcept nogil:
    cdef COut o
    out_terms(r, p, seat, &o)
    return out_ok(&o, &p.tally[r.side_of[seat]])


cdef inline bint may_merge(const CRules* r, const CMeld* a, const CMeld* b) noexcept nogil:
    """Two incomplete sets of a rank, within the wild cap (F14)."""
    cdef int naturals = meld_naturals(a) + meld_naturals(b), wilds = a.wilds + b.wilds
    return (a.key == b.key and a.kind == b.kind and r.kind[a.kind].merge and not meld_complete(r, a)
            and not meld_complete(r, b) and naturals <= 12 and wilds <= 3 and r.kind[a.kind].ok[naturals][wilds])


cdef inline void merge_into(CMeld* a, const CMeld* b) noexcept nogil:
    a.size += b.size
    a.nat += b.nat
    a.deuces += b.deuces
    a.jokers += b.jokers
    a.wilds += b.wilds


cdef inline bint merging_helps(const COut* o, const CTally* t) noexcept nogil:
    """What these terms ask for besides may come from merging sets: no sequence, no meld of wild cards does."""
    return t.count[OUT_RUN] >= o.need[OUT_RUN] and t.count[OUT_WILD] >= o.need[OUT_WILD]


cdef inline bint last_card_goes(const CRules* r, const CMeld* melds, int n, const CTally* tally, int card,
                                const COut* o) noexcept nogil:
    """One card in hand, no right to go out yet: merging own sets, or laying the card where no discard is needed,
    gives the right (F4, F14)."""
    cdef CMeld copy[MAX_MELDS]
    cdef CMeld m
    cdef CTally t
    cdef int i, j
    cdef bint helps = merging_helps(o, tally)
    if not r.out_discard:
        for i in range(n):
            if can_add(r, &melds[i], card) == NEVER:
                continue
            t = tally[0]
            m = melds[i]
            tally_complete(r, &t, &m, -1)
            add_card(r, &m, card)
            tally_complete(r, &t, &m, 1)
            t.points += r.points[card]
            if out_ok(o, &t):
                return True
            helps |= merging_helps(o, &t)
    if not (helps and r.merges):
        return False
    for i in range(n):
        if not r.kind[melds[i].kind].merge or meld_complete(r, &melds[i]):
            continue
        for j in range(i + 1, n):
            if not may_merge(r, &melds[i], &melds[j]):
                continue
            t = tally[0]
            memcpy(copy, melds, n * sizeof(CMeld))
            merge_into(&copy[i], &copy[j])
            tally_complete(r, &t, &copy[i], 1)
            copy[j] = copy[n - 1]
            if out_ok(o, &t) or last_card_goes(r, copy, n - 1, &t, card, o):
                return True
    return False


cdef inline int only_card(const CHand* h) noexcept nogil:
    """The card of a hand of one."""
    return JOKER if h.jokers else ctz64(h.p1)


cdef inline bint turn_can_end(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """The player to act can end the turn lawfully from here with this hand (R19.1, B19c, F4)."""
    cdef COut o
    cdef int side
    if h.n >= 2 and not p.must_out:
        return True
    side = r.side_of[p.player]
    out_terms(r, p, p.player, &o)
    if h.n >= 2:
        return can_lay_out(r, h, p.melds[side], p.n_melds[side], &o, 0, NEEDS_NONE)
    if h.n == 0:
        return not r.out_discard and out_ok(&o, &p.tally[side])
    if out_ok(&o, &p.tally[side]):
        return True
    if o.forbidden:
        return False
    return last_card_goes(r, p.melds[side], p.n_melds[side], &p.tally[side], only_card(h), &o)


cdef inline bint take_can_end(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """The same in phase taken, where an extra card may be the only way (D6)."""
    cdef int extra
    if turn_can_end(r, p, h):
        return True
    extra = r.draw_after if p.stock_n >= r.draw_after else p.stock_n
    if extra == 0:
        return False
    return h.n + extra >= 2 or may_go_out(r, p, p.player)
