# After a yes: while the player to act can still go out in this turn, he must (R27.1, D20, F10).
#
# What the cards of others and of the stock are is never looked at: a card that comes unseen can only be the discard.
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset
from sitoumus.engine.cards cimport CHand, clz64, ctz64, DEUCE, hand_remove, JOKER, rank_count
from sitoumus.engine.tables cimport (
    CKind, CMeld, CRules, hand_total, N_OUT, NEEDS_NONE, NEVER, NONE, OUT_CANASTA, OUT_MIXED_SET, OUT_NATURAL_SET,
    OUT_RUN, OUT_SET, OUT_WILD, SHAPE_RUN, SHAPE_WILD,
)
from sitoumus.engine.melds cimport add_card, can_add, CTally, run_ends, tally_complete
from sitoumus.engine.goals cimport CNeed, COut, out_ok
from sitoumus.engine.state cimport (
    ASKED_YES, CPublic, CState, MAX_ACTIONS, MAX_LAYS, PHASE_DRAW, PHASE_MELD, PHASE_TAKEN, V_ADD, V_BUY, V_DISCARD,
    V_DRAW, V_END, V_EXTRA, V_TAKE,
)
from sitoumus.engine.actions cimport act_first, act_merge, act_target, verb_of
from sitoumus.engine.opening cimport can_lay_all, can_lay_out
from sitoumus.engine.going_out cimport may_merge, only_card, out_terms
from sitoumus.engine.laying cimport lay_step, meld_of_action
from sitoumus.engine.first_melds cimport lays_out_opening, need_for, note_opened, settle_opening
from sitoumus.engine.taking cimport apply_take, list_takes, take_points, ways_now
from sitoumus.engine.generate cimport generate_free, list_adds, list_openings, list_starts

cdef enum:
    MERGES_ONLY = 31      # no verb: no more cards are laid
    MAX_REACH = 32        # of hands with so many cards no quick look is taken


cdef inline int cheapest(const uint8_t* found, int n) noexcept nogil:
    """Cards that the n cheapest of these melds need, found[k] of which need k; 99 if they are fewer."""
    cdef int k, cards = 0
    for k in range(1, 8):
        if n <= found[k]:
            return cards + n * k
        cards += found[k] * k
        n -= found[k]
    return 99 if n > 0 else cards


cdef inline bint right_in_reach(const CRules* r, const CPublic* p, const CHand* h, const COut* o) noexcept nogil:
    """A quick look at how many cards complete melds would need does not rule out the right to go out."""
    cdef uint8_t runs[8]
    cdef uint8_t sets[8]
    cdef uint8_t wild[8]
    cdef const CMeld* m
    cdef const CKind* k
    cdef const CTally* t = &p.tally[r.side_of[p.player]]
    cdef int side = r.side_of[p.player], i, j, n, w, short, most = 0, value, want_runs, want_sets, want_wild, more
    cdef int gain[MAX_REACH]
    cdef int wilds = h.jokers + rank_count(h, DEUCE)
    cdef uint64_t left = p.growing[side]
    if out_ok(o, t):
        return True
    memset(runs, 0, 8)
    memset(sets, 0, 8)
    memset(wild, 0, 8)
    while left:
        i = ctz64(left)
        left &= left - 1
        m = &p.melds[side][i]
        k = &r.kind[m.kind]
        short = k.full - m.size
        if k.full == 0 or short > h.n:
            continue
        if k.shape == SHAPE_RUN:
            runs[short] += (run_ends(r, m) & h.p1) != 0
        elif k.shape == SHAPE_WILD:
            wild[short] += short <= wilds
        else:
            w = wilds if wilds < 3 - m.wilds else 3 - m.wilds
            sets[short] += short <= rank_count(h, m.key) + w
    if h.n >= 7:                                # new ones
        runs[7] += <uint8_t>(h.n // 7)
        sets[7] += <uint8_t>(h.n // 7)
        wild[7] += <uint8_t>(wilds // 7)
    if o.sum == 0:
        want_runs = o.need[OUT_RUN] - t.count[OUT_RUN]
        want_wild = o.need[OUT_WILD] - t.count[OUT_WILD]
        want_sets = o.need[OUT_SET] - t.count[OUT_SET]
        n = o.need[OUT_NATURAL_SET] - t.count[OUT_NATURAL_SET]
        if n > want_sets:
            want_sets = n
        n = o.need[OUT_MIXED_SET] - t.count[OUT_MIXED_SET]
        if n > want_sets:
            want_sets = n
        want_runs = want_runs if want_runs > 0 else 0
        want_sets = want_sets if want_sets > 0 else 0
        want_wild = want_wild if want_wild > 0 else 0
        more = o.need[OUT_CANASTA] - t.count[OUT_CANASTA] - want_runs - want_sets - want_wild
        n = cheapest(runs, want_runs) + cheapest(sets, want_sets) + cheapest(wild, want_wild)
        for i in range(8):
            runs[i] += sets[i] + wild[i]
        if more > 0 and cheapest(runs, more) > h.n:
            return False
        return n <= h.n
    # the dearest melds that so many cards can complete
    if h.n >= MAX_REACH:
        return True
    memset(gain, 0, sizeof(gain))
    left = p.growing[side]
    while left:
        i = ctz64(left)
        left &= left - 1
        m = &p.melds[side][i]
        k = &r.kind[m.kind]
        short = k.full - m.size
        if k.full == 0 or short > h.n:
            continue
        value = k.bonus[7][0]
        if k.shape == SHAPE_RUN:
            if not run_ends(r, m) & h.p1:
                continue
        elif k.shape == SHAPE_WILD:
            if short > wilds:
                continue
        else:
            n = rank_count(h, m.key)
            if short > n + (wilds if wilds < 3 - m.wilds else 3 - m.wilds):
                continue
            if m.wilds or short > n:
                value = k.bonus[6][1] if k.bonus[6][1] > k.bonus[5][2] else k.bonus[5][2]
        for j in range(h.n, short - 1, -1):
            if gain[j - short] + value > gain[j]:
                gain[j] = gain[j - short] + value
    if h.n >= 7:
        for i in range(r.n_kinds):
            for j in range(13):
                for w in range(4):
                    if r.kind[i].bonus[j][w] > most:
                        most = r.kind[i].bonus[j][w]
    n = t.bonus + gain[h.n] + most * (h.n // 7)
    if o.with_points:
        n += t.points + hand_total(r, h)
    return n >= o.sum


cdef inline bint one_goes_on(const CRules* r, const CPublic* p, const CHand* h, const COut* o) noexcept nogil:
    """One of two cards joins an own meld so that the side may go out with the other."""
    cdef CTally t
    cdef CMeld m
    cdef int side = r.side_of[p.player], i, k, card
    for i in range(p.n_melds[side]):
        for k in range(2):
            card = only_card(h) if k == 0 else 63 - clz64(h.p1) if h.p1 else JOKER
            if can_add(r, &p.melds[side][i], card) == NEVER:
                continue
            t = p.tally[side]
            m = p.melds[side][i]
            tally_complete(r, &t, &m, -1)
            add_card(r, &m, card)
            tally_complete(r, &t, &m, 1)
            t.points += r.points[card]
            if out_ok(o, &t):
                return True
    return False


cdef inline bint lays_plainly(const CRules* r, const CPublic* p, const CHand* h, const COut* o,
                              bint whole) noexcept nogil:
    """The hand of a side that is open can be laid, whole or but for one card, so that the side may go out; no set is
    merged."""
    cdef int side = r.side_of[p.player]
    if not right_in_reach(r, p, h, o):
        return False
    if h.n <= 2 and not whole and r.out_discard:
        return h.n != 0 and (one_goes_on(r, p, h, o) if h.n == 2 else out_ok(o, &p.tally[side]))
    if whole:
        return can_lay_all(r, h, p.melds[side], p.n_melds[side], o, 0, NEEDS_NONE, 0)
    return can_lay_out(r, h, p.melds[side], p.n_melds[side], o, 0, NEEDS_NONE)


cdef inline bint lays_hand(const CRules* r, const CPublic* p, const CHand* h, const COut* o, bint whole) noexcept nogil:
    """The same, merging sets where that is allowed."""
    return lays_plainly(r, p, h, o, whole) or (
        r.merges and merging_may_help(r, p, h, o, whole) and lays_merging(r, p, h, o, whole, 0, 0))


cdef inline int merged_sets(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """No more sets than these become complete by being merged."""
    cdef int side = r.side_of[p.player], rank, i, cards, sets, found = 0, wilds = h.jokers + rank_count(h, DEUCE)
    for rank in range(13):
        if r.set_kind[rank] == NONE or not r.kind[r.set_kind[rank]].merge or (p.young[side] >> (4 * rank)) & 15 == 0:
            continue
        cards = rank_count(h, rank)
        sets = cards >= 2
        for i in range(p.n_melds[side]):
            if ((p.growing[side] >> i) & 1 and p.melds[side][i].kind == r.set_kind[rank]
                    and p.melds[side][i].key == rank):
                cards += p.melds[side][i].size
                sets += 1
        if sets >= 2:
            found += (cards + wilds) // 7
    return found


cdef inline bint merging_may_help(const CRules* r, const CPublic* p, const CHand* h, const COut* o,
                                  bint whole) noexcept nogil:
    """A quick look does not rule out that merging sets gives the right to go out."""
    cdef COut loose = o[0]
    cdef int side = r.side_of[p.player], more = merged_sets(r, p, h), i
    if o.forbidden or more == 0:
        return False
    loose.sum = 0
    for i in range(N_OUT):
        if i != OUT_RUN and i != OUT_WILD:
            loose.need[i] = <uint8_t>(o.need[i] - more) if o.need[i] > more else 0
    return can_lay_all(r, h, p.melds[side], p.n_melds[side], &loose, 0, NEEDS_NONE, 0 if whole else 1)


cdef inline bint lays_merging(const CRules* r, const CPublic* p, const CHand* h, const COut* o, bint whole,
                              uint32_t after, int rank) noexcept nogil:
    """The same where sets must be merged for it, perhaps after cards were laid on them that a complete set would not
    take. Such cards are laid in the order of their codes, from `after` on, then sets are merged, from `rank` on."""
    cdef uint32_t steps[MAX_LAYS]
    cdef CPublic q
    cdef CHand g
    cdef int side = r.side_of[p.player], n = p.n_melds[side], i, j, k
    for i in range(n):
        for j in range(i + 1, n):
            if p.melds[side][i].key >= rank and may_merge(r, &p.melds[side][i], &p.melds[side][j]):
                q = p[0]
                g = h[0]
                lay_step(r, &q, &g, act_merge(j + 1, i + 1))
                if lays_plainly(r, &q, h, o, whole) or (merging_may_help(r, &q, h, o, whole) and lays_merging(
                        r, &q, h, o, whole, MERGES_ONLY, p.melds[side][i].key)):
                    return True
    if after == MERGES_ONLY:
        return False
    k = list_starts(r, p, h, steps) if verb_of(after) != V_ADD else 0
    k += list_adds(r, p, h, steps + k)
    for i in range(k):
        if steps[i] >> 31 or (verb_of(steps[i]) == verb_of(after) and steps[i] < after):
            continue
        if may_merge_after(r, p, steps[i]):
            q = p[0]
            g = h[0]
            lay_step(r, &q, &g, steps[i])
            if merging_may_help(r, &q, &g, o, whole) and lays_merging(r, &q, &g, o, whole, steps[i], 0):
                return True
    return False


cdef inline bint may_merge_after(const CRules* r, const CPublic* p, uint32_t a) noexcept nogil:
    """After this meld or addition the set that it makes lies beside another incomplete one of its rank."""
    cdef uint8_t cards[8]
    cdef CMeld m
    cdef int side = r.side_of[p.player], i
    if verb_of(a) == V_ADD:
        i = act_target(a) - 1
        return (r.kind[p.melds[side][i].kind].merge and (p.growing[side] >> i) & 1
                and (p.young[side] >> (4 * p.melds[side][i].key)) & 15 >= 2)
    if not meld_of_action(r, a, cards, &m):
        return False
    return r.kind[m.kind].merge and (p.young[side] >> (4 * m.key)) & 15 != 0


cdef inline bint lays_whole(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """All these cards can be laid in this turn so that the side may go out: a card that comes will be the discard."""
    cdef COut o
    cdef CNeed need
    cdef int side = r.side_of[p.player]
    out_terms(r, p, p.player, &o)
    if o.forbidden:
        return False
    if p.opened[side]:
        return lays_hand(r, p, h, &o, True)
    if r.waive and p.drew and not p.took and can_lay_all(r, h, p.melds[side], p.n_melds[side], &o, 0, NEEDS_NONE, 0):
        return True
    need_for(r, p, &need)
    return lays_out_opening(r, h, p.melds[side], p.n_melds[side], &o, &need, need.minimum, True)


cdef inline bint one_card_comes(const CPublic* p, int drawn) noexcept nogil:
    return (drawn if drawn < p.stock_n else p.stock_n) == 1


cdef inline void lay(const CRules* r, CPublic* p, CHand* h, uint32_t a) noexcept nogil:
    """Carry out a meld, addition or merge in phases taken and meld, the opening settled."""
    lay_step(r, p, h, a)
    p.phase = PHASE_MELD
    if not p.opened[r.side_of[p.player]]:
        settle_opening(r, p, h)


cdef inline void take(const CRules* r, CPublic* p, CHand* h, uint32_t a) noexcept nogil:
    """Carry out a take, the opening settled."""
    if not p.opened[r.side_of[p.player]]:
        note_opened(r, p, r.side_of[p.player], p.turns + 1, take_points(r, p, a))
    apply_take(r, p, h, a)
    p.transfer_to = 0
    p.phase = PHASE_TAKEN


cdef inline bint can_go_out(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """The player to act can go out in this turn for certain, the opening included."""
    cdef uint32_t steps[MAX_LAYS]
    cdef CPublic q
    cdef CHand g
    cdef COut o
    cdef int n, i, side = r.side_of[p.player]
    out_terms(r, p, p.player, &o)
    if o.forbidden:
        return False
    if p.phase == PHASE_DRAW:
        return can_go_out_drawing(r, p, h, 0)
    if not p.opened[side] and r.waive and p.drew and not p.took and lays_plainly(r, p, h, &o, False):
        return True
    if p.opened[side]:
        return lays_hand(r, p, h, &o, False) or (
            p.phase == PHASE_TAKEN and one_card_comes(p, r.draw_after) and lays_whole(r, p, h))
    if not lays_hand(r, p, h, &o, False):
        return False
    # the side has not opened: by the steps of an opening, until it is complete
    n = list_openings(r, p, h, steps)
    for i in range(n):
        q = p[0]
        g = h[0]
        lay(r, &q, &g, steps[i])
        if can_go_out(r, &q, &g):
            return True
    return False


cdef inline bint can_go_out_drawing(const CRules* r, const CPublic* p, const CHand* h, uint32_t after) noexcept nogil:
    """The same in phase draw. Melds before the take are tried in the order of their codes, from `after` on, then
    additions to them."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef CPublic q = p[0]
    cdef CHand g
    cdef int n, i
    if p.stock_n and not p.opening and not p.transfer_to and one_card_comes(p, r.draw_stock):
        q.drew = 1
        q.phase = PHASE_MELD
        if lays_whole(r, &q, h):
            return True
    n = list_takes(r, p, h, ways_now(r, p), steps)
    for i in range(n):
        q = p[0]
        g = h[0]
        take(r, &q, &g, steps[i])
        if can_go_out(r, &q, &g):
            return True
    if p.opened[r.side_of[p.player]] or ways_now(r, p) == 0:
        return False
    n = 0
    if verb_of(after) != V_ADD:
        n = list_starts(r, p, h, steps)
    n += list_adds(r, p, h, steps + n)
    for i in range(n):
        if steps[i] >> 31 or (verb_of(steps[i]) == verb_of(after) and steps[i] < after):
            continue
        q = p[0]
        g = h[0]
        lay_step(r, &q, &g, steps[i])
        q.opening = 1
        if can_go_out_drawing(r, &q, &g, steps[i]):
            return True
    return False


cdef inline void bind(const CRules* r, CPublic* p, const CHand* h) noexcept nogil:
    """At a yes, and after each card that has come since: does it bind? No step in between makes it so, and if it binds
    all legal steps leave it so."""
    p.bound = p.asked == ASKED_YES and r.yes_binds and (
        p.phase == PHASE_DRAW or p.phase == PHASE_TAKEN or p.phase == PHASE_MELD) and can_go_out(r, p, h)


cdef inline bint goes_on_out(const CRules* r, const CPublic* p, const CHand* h, uint32_t a) noexcept nogil:
    """After this legal step the player to act can still go out in this turn, or has gone out."""
    cdef CPublic q = p[0]
    cdef CHand g = h[0]
    cdef int verb = verb_of(a)
    if verb == V_DISCARD:
        return h.n == 1
    if verb == V_END:
        return False
    if verb == V_DRAW:
        q.drew = 1
        q.phase = PHASE_MELD
        return one_card_comes(p, r.draw_stock) and lays_whole(r, &q, h)
    if verb == V_EXTRA:
        return one_card_comes(p, r.draw_after) and lays_whole(r, p, h)
    if verb == V_BUY:
        hand_remove(&g, act_first(a))
        return lays_whole(r, p, &g)
    if verb == V_TAKE:
        take(r, &q, &g, a)
        return (g.n == 0 and not r.out_discard) or can_go_out(r, &q, &g)
    if p.phase == PHASE_DRAW:
        lay_step(r, &q, &g, a)
        if p.opened[r.side_of[p.player]]:
            q.transfer_to = <uint8_t>(act_target(a) if verb == V_ADD else q.n_melds[r.side_of[p.player]])
        else:
            q.opening = 1
        return can_go_out(r, &q, &g)
    lay(r, &q, &g, a)
    return g.n == 0 or can_go_out(r, &q, &g)


cdef inline int generate(const CRules* r, const CPublic* p, const CHand* h, uint32_t* out) noexcept nogil:
    """List the legal single steps of the player to act, whose hand is h; their number, at most MAX_ACTIONS: those of
    generate_free(), and after a yes only those that keep going out possible as long as it is."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef int n = generate_free(r, p, h, out), i, k = 0
    if not p.bound or n == 1:                   # the only step is legal whatever it leaves
        return n
    for i in range(n):
        steps[k] = out[i]
        k += goes_on_out(r, p, h, out[i])
    for i in range(k):
        out[i] = steps[i]
    return k if k else n


cdef inline bint is_legal(const CRules* r, const CState* s, uint32_t a) noexcept nogil:
    """The step is among those that generate() lists."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef int n = generate(r, &s.p, &s.h.hand[s.p.turn], steps), i
    for i in range(n):
        if steps[i] == a:
            return True
    return False
