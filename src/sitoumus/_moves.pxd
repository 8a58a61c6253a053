# Play: what may be done at the table, and doing it.
#
# generate() lists the legal single steps of a position, apply() carries one out. Every step that generate() lists
# leaves a position from which the turn can still be ended lawfully (B19c, F4), so nobody ever gets stuck. Legality
# looks at the public part and at the hand of the player to act, never at hidden cards (D22).
#
# In reading order: going out and the end of a turn; openings; laying cards; taking the pile; generate; apply.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t, int32_t, int64_t
from libc.string cimport memset, memcpy
from sitoumus._cards cimport *
from sitoumus._rules cimport *
from sitoumus._melds cimport *
from sitoumus._state cimport *
from sitoumus._auction cimport *
from sitoumus._opening cimport CNeed, can_open, can_lay_all, can_lay_out


# ---- going out and the end of a turn ---------------------------------------------------------------------------------

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


# ---- laying cards ----------------------------------------------------------------------------------------------------

cdef inline void play_card(CPublic* p, CHand* h, int seat, int card) noexcept nogil:
    """A card leaves a hand, face up."""
    hand_remove(h, card)
    p.hand_n[seat] -= 1
    if p.known[seat].n:
        hand_drop(&p.known[seat], card)


cdef inline void place_meld(const CRules* r, CPublic* p, int side, const CMeld* m, int points) noexcept nogil:
    """A new meld worth so many points; its cards are in in_melds already."""
    cdef uint64_t bit = <uint64_t>1 << p.n_melds[side]
    p.melds[side][p.n_melds[side]] = m[0]
    p.n_melds[side] += 1
    p.tally[side].points += points
    p.laid = 1
    if meld_complete(r, m):
        tally_complete(r, &p.tally[side], m, 1)
        p.old[side] += set_place(r, m)
        return
    p.growing[side] |= bit
    if m.kind == r.run_kind:
        p.running[side] |= bit
    p.young[side] += set_place(r, m)


cdef inline void lay_new(const CRules* r, CPublic* p, int side, const CMeld* m) noexcept nogil:
    place_meld(r, p, side, m, meld_points(r, m))
    hand_add_meld(r, &p.in_melds, m)


cdef inline void lay_on(const CRules* r, CPublic* p, int side, int index, int card) noexcept nogil:
    """A card joins own meld `index` (from 0); it has left its hand or pile already."""
    cdef CMeld* m = &p.melds[side][index]
    cdef CMeld before
    if (p.growing[side] >> index) & 1:
        add_card(r, m, card)
        if meld_complete(r, m):
            tally_complete(r, &p.tally[side], m, 1)
            p.growing[side] &= ~(<uint64_t>1 << index)
            p.running[side] &= p.growing[side]
            p.young[side] -= set_place(r, m)
            p.old[side] += set_place(r, m)
    else:
        if r.kind[m.kind].shape == SHAPE_RUN:
            p.must_out = 1        # only a run that may grow when going out gets here (F17)
        before = m[0]
        add_card(r, m, card)
        tally_grown(r, &p.tally[side], &before, m)
    p.tally[side].points += r.points[card]
    hand_add(&p.in_melds, card)
    p.laid = 1
    if index < p.start_melds:
        p.touched = 1


cdef inline int run_of_three(const CRules* r, int a, int b, int c) noexcept nogil:
    """Lowest rank of the run that three cards in canonical order are, -1 if they are none."""
    cdef int low
    if r.run_kind == NONE or a == JOKER or (a ^ b) >> 4 or (a ^ c) >> 4 or a == b:
        return -1
    if c == b + 1:
        low = a & 15 if b == a + 1 else 11 if a & 15 == 0 and c & 15 == 12 else -1
    else:
        low = 12 if b == a + 1 and a & 15 == 0 and c & 15 == 12 else -1
    return low if low >= 0 and (r.run_len[low] >> 3) & 1 else -1


cdef inline bint set_of_three(const CRules* r, CMeld* m, const uint8_t* cards) noexcept nogil:
    """Make the set of an ordinary rank, deuces and threes apart, that three cards in canonical order are. False if
    they are none, or a rarer meld."""
    cdef int last = cards[2] if cards[2] != JOKER else cards[1] if cards[1] != JOKER else <int>cards[0]
    cdef int rank = card_rank(last), kind, i, card, naturals = 0, jokers = 0, deuces = 0, suit
    cdef uint32_t nat = 0, wild = 0, joker, natural, deuce
    rank = ACE if rank == DEUCE and card_rank(cards[0]) == ACE else rank
    if rank == DEUCE or rank == THREE or last == JOKER or r.set_kind[rank] == NONE:
        return False
    kind = r.set_kind[rank]
    for i in range(3):                 # without a branch: which of the cards are wild cannot be guessed
        card = cards[i]
        suit = card_suit(card)
        joker = card == JOKER
        natural = (card_rank(card) == rank) & ~joker & 1
        deuce = (card_rank(card) == DEUCE) & ~joker & 1
        naturals += natural
        deuces += deuce
        jokers += joker
        nat += natural << (2 * suit)
        wild += deuce << (2 * suit)
    if naturals + deuces + jokers != 3 or not r.kind[kind].ok[naturals][3 - naturals] or (
            jokers and not r.kind[kind].wild_jokers) or (deuces and not r.kind[kind].wild_deuces):
        return False
    m.kind = <uint8_t>kind
    m.key = <uint8_t>rank
    m.start = 0
    m.size = 3
    m.nat = <uint8_t>nat
    m.deuces = <uint8_t>wild
    m.jokers = <uint8_t>jokers
    m.wilds = <uint8_t>(3 - naturals)
    return True


cdef inline int meld_of_action(const CRules* r, uint32_t a, uint8_t* cards, CMeld* m) noexcept nogil:
    """The new meld of a meld action and its cards; their number, 0 if they are no meld."""
    cdef int suit, i, n = 0
    if a >> 31:
        for suit in range(4):
            for i in range((a >> (5 + 2 * suit)) & 3):  # no-cython-lint
                cards[n] = <uint8_t>(16 * suit + THREE)
                n += 1
    else:
        cards[0] = (a >> 5) & 127
        cards[1] = (a >> 12) & 127
        cards[2] = (a >> 19) & 127
        n = run_of_three(r, cards[0], cards[1], cards[2])
        if n >= 0:
            start_run(r, m, card_suit(cards[0]), n, 3)
            return 3
        if set_of_three(r, m, cards):
            return 3
        n = 3
    return n if start_meld(r, m, cards, n) else 0


cdef inline void lay_step(const CRules* r, CPublic* p, CHand* h, uint32_t a) noexcept nogil:
    """Carry out a meld, add or merge action on the table; the opening is settled by the caller."""
    cdef uint8_t cards[8]
    cdef CMeld m
    cdef int i, n, side = r.side_of[p.player], verb = verb_of(a), points = 0
    if verb == V_MELD:
        n = meld_of_action(r, a, cards, &m)
        for i in range(n):
            play_card(p, h, p.player, cards[i])
            hand_add(&p.in_melds, cards[i])
            points += r.points[cards[i]]
        place_meld(r, p, side, &m, points)
        if r.kind[m.kind].when == GOING_OUT:
            p.must_out = 1
    elif verb == V_ADD:
        play_card(p, h, p.player, act_first(a))
        lay_on(r, p, side, act_target(a) - 1, act_first(a))
    else:
        i = act_target(a) - 1
        n = act_source(a) - 1
        m = p.melds[side][i]
        tally_complete(r, &p.tally[side], &m, -1)
        merge_into(&m, &p.melds[side][n])
        tally_complete(r, &p.tally[side], &m, 1)
        p.melds[side][i] = m
        p.young[side] -= set_place(r, &m)
        if meld_complete(r, &m):
            p.young[side] -= set_place(r, &m)
            p.old[side] += set_place(r, &m)
            p.growing[side] &= ~(<uint64_t>1 << i)
        p.growing[side] &= ~(<uint64_t>1 << n)
        p.n_melds[side] -= 1
        for i in range(n, p.n_melds[side]):
            p.melds[side][i] = p.melds[side][i + 1]
        p.growing[side] = without_bit(p.growing[side], n)
        p.running[side] = without_bit(p.running[side], n)
        if n < p.start_melds:
            p.start_melds -= 1
            p.touched = 1
        elif act_target(a) <= p.start_melds:
            p.touched = 1
        p.laid = 1


cdef inline bint step_can_end(const CRules* r, const CPublic* p, const CHand* h, uint32_t a) noexcept nogil:
    """After this meld, add or merge the turn can be ended."""
    cdef uint8_t cards[8]
    cdef CPublic q
    cdef CHand g
    cdef CMeld m
    cdef CTally t
    cdef COut o
    cdef int left, side = r.side_of[p.player]
    cdef bint goes
    if verb_of(a) != V_MERGE and not p.must_out:
        # the terms look at what the step completes, nothing else
        t = p.tally[side]
        if verb_of(a) == V_MELD:
            left = h.n - meld_of_action(r, a, cards, &m)
            tally_meld(r, &t, &m)
        else:
            left = h.n - 1
            m = p.melds[side][act_target(a) - 1]
            tally_complete(r, &t, &m, -1)
            add_card(r, &m, act_first(a))
            tally_complete(r, &t, &m, 1)
            t.points += r.points[act_first(a)]
        if left < 2:
            out_terms(r, p, p.player, &o)
            goes = out_ok(&o, &t)
            if goes or left == 0 or o.forbidden or (r.out_discard and not (
                    r.merges and at_least_two(p.young[side] + set_place(r, &m)))):
                return goes and (left == 1 or not r.out_discard)
        elif r.kind[m.kind].when == ALWAYS and (r.kind[m.kind].shape != SHAPE_RUN or m.size <= r.kind[m.kind].full):
            return True
    q = p[0]
    g = h[0]
    lay_step(r, &q, &g, a)
    return turn_can_end(r, &q, &g)


# ---- openings --------------------------------------------------------------------------------------------------------

cdef inline void need_for(const CRules* r, const CPublic* p, CNeed* need) noexcept nogil:
    """What the opening of the player to act has to reach (R13, R14, R15)."""
    cdef uint8_t needs
    memset(need, 0, sizeof(CNeed))
    need.minimum = minimum_for(r, p.totals[r.side_of[p.player]], &needs)
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


# ---- taking the pile -------------------------------------------------------------------------------------------------

cdef inline int pile_top(const CPublic* p) noexcept nogil:
    return p.pile[p.pile_n - 1]


cdef inline int freezers_in_a_row(const CRules* r, const CPublic* p, int* depth) noexcept nogil:
    """How many freezing cards could come along (they lie directly one upon another); depth is that of the first of
    them that must come, in cards from the top (R25.1, B16, B17). 0 when the pile comes whole."""
    cdef int i = p.pile_n - 1, n = 0
    depth[0] = p.pile_n
    if r.extent == EXTENT_WHOLE or p.freezers == 0:
        return 0
    if r.extent == EXTENT_TO_NEXT_FREEZER and is_freezing(r, p.pile[i]):
        i -= 1
        while i >= 0 and not is_freezing(r, p.pile[i]):
            i -= 1
        if i < 0:
            return 0                  # no further one: the whole pile comes (D18)
        n = 1
    else:
        while not is_freezing(r, p.pile[i]):
            i -= 1
    depth[0] = p.pile_n - i
    while i >= 0 and is_freezing(r, p.pile[i]):
        n += 1
        i -= 1
    return n


cdef inline int least_locks(const CRules* r, const CPublic* p) noexcept nogil:
    """Freezing cards that come with the shortest lawful take; 0 when the pile comes whole."""
    cdef int depth
    if freezers_in_a_row(r, p, &depth) == 0:
        return 0
    return 2 if r.extent == EXTENT_TO_NEXT_FREEZER and is_freezing(r, pile_top(p)) else 1


cdef inline bint set_lies(const CPublic* p, int side, int rank, bint full) noexcept nogil:
    """There is a set of that rank, perhaps a complete one."""
    return ((p.young[side] | (p.old[side] if full else 0)) >> (4 * rank)) & 15 != 0


cdef inline int ways_now(const CRules* r, const CPublic* p) noexcept nogil:
    """WAY_* bits that the rules leave the player to act, before looking at hand and melds."""
    cdef int ways, top
    if p.pile_n == 0:
        return 0
    top = pile_top(p)
    if (top == JOKER and r.dead_top_joker) or (r.dead_top & card_bit(top)):
        return 0
    if p.hand_n[p.player] == 1 and p.pile_n == 1 and r.single_bar:
        return 0                                              # R17.4
    ways = r.ways_frozen if p.freezers else r.ways_open
    if not p.opened[r.side_of[p.player]]:
        ways &= r.ways_unopened & ~(WAY_FIT_SET | WAY_FIT_FULL)
        if not r.transfer_new:
            ways &= ~WAY_FIT_RUN                              # B19: only onto what lay there before the turn
    if r.run_only_top & card_bit(top):
        ways &= WAY_FIT_RUN
    if p.first_turn:
        ways &= WAY_FIT_RUN                                   # B18
    if p.stock_n == 0:
        if r.stock_empty == EMPTY_END_AFTER_TURN:
            return 0
        if r.stock_empty == EMPTY_FORCED_FIT or r.stock_empty == EMPTY_MAY_FIT:
            ways &= WAY_FIT_SET | WAY_FIT_FULL | WAY_FIT_RUN
    return ways


cdef inline bint naturals_join(const CRules* r, const CMeld* m, int naturals, int wilds) noexcept nogil:
    """So many naturals and wild cards can be added one by one in some order (F7)."""
    cdef int n = meld_naturals(m), w = m.wilds
    if naturals == 0 and wilds == 0:
        return True
    # try each place for the (at most one) wild card
    cdef int at, i, a, b
    cdef bint good
    for at in range(naturals + 1 if wilds else 1):
        a = n
        b = w
        good = True
        for i in range(naturals + 1):
            if wilds and i == at:
                if b > 2 or r.kind[m.kind].add_wild[a][b] != ALWAYS:
                    good = False
                    break
                b += 1
            if i < naturals:
                if a > 11 or r.kind[m.kind].add_natural[a][b] != ALWAYS:
                    good = False
                    break
                a += 1
        if good:
            return True
    return False


cdef inline void apply_take(const CRules* r, CPublic* p, CHand* h, uint32_t a) noexcept nogil:
    """The pile changes hands; opening and phase are the caller's."""
    cdef uint8_t cards[8]
    cdef CMeld m
    cdef CHand got
    cdef int top = pile_top(p), seat = p.player, side = r.side_of[p.player], n = 0, suit, i, card, depth, locks, extra
    for suit in range(4):              # at most three in all; without a branch: how many of a suit cannot be guessed
        card = 16 * suit + card_rank(top)
        cards[n] = <uint8_t>card
        cards[n + 1] = <uint8_t>card
        cards[n + 2] = <uint8_t>card
        n += (a >> (5 + 2 * suit)) & 3
    if act_wild(a) != NO_CARD:
        cards[n] = <uint8_t>act_wild(a)
        n += 1
    freezers_in_a_row(r, p, &depth)
    locks = act_locks(a)
    if locks:
        extra = locks - least_locks(r, p)
        depth += extra
    p.pile_n -= 1
    p.freezers -= is_freezing(r, top)
    hand_remove(&p.in_pile, top)
    for i in range(n):
        play_card(p, h, seat, cards[i])
    if act_target(a):
        i = act_target(a) - 1
        take_joins(r, p, side, i, cards, n, top)
    else:
        cards[n] = <uint8_t>top
        if n != 2 or not set_of_three(r, &m, cards):
            start_meld(r, &m, cards, n + 1)
        lay_new(r, p, side, &m)
    if depth > p.pile_n:                      # the pile comes whole
        got = p.in_pile
        hand_clear(&p.in_pile)
        p.pile_n = 0
        p.freezers = 0
    else:
        hand_clear(&got)
        for i in range(depth - 1):  # no-cython-lint
            p.pile_n -= 1
            hand_add(&got, p.pile[p.pile_n])
            p.freezers -= is_freezing(r, p.pile[p.pile_n])
        hand_part(&p.in_pile, &got)
    while got.p1 & r.bonus_cards:
        card = ctz64(got.p1 & r.bonus_cards)
        hand_remove(&got, card)
        hand_add(&p.bonus[side], card)
    hand_merge(h, &got)
    hand_merge(&p.known[seat], &got)
    p.hand_n[seat] += got.n
    p.took = 1
    p.takes[side] += 1


cdef inline void take_joins(const CRules* r, CPublic* p, int side, int index, const uint8_t* cards, int n,
                            int top) noexcept nogil:
    """Hand cards and top card join an own meld, in whatever order the meld takes them (F7)."""
    cdef CMeld* m = &p.melds[side][index]
    cdef uint8_t left[8]
    cdef int i, k = n + 1, round_
    if n <= 0:                          # 0, most often: the top card alone
        lay_on(r, p, side, index, top)
        return
    memcpy(left, cards, n)
    left[n] = <uint8_t>top
    # a wild card must go in before the meld is complete, naturals can wait
    for round_ in range(k):  # no-cython-lint
        for i in range(k):
            if left[i] != NO_CARD and is_wild_for(r, m.kind, left[i]) and can_add(r, m, left[i]) == ALWAYS and (
                    card_rank(left[i]) != m.key or left[i] == JOKER):
                lay_on(r, p, side, index, left[i])
                left[i] = NO_CARD
        for i in range(k):
            if left[i] != NO_CARD and can_add(r, m, left[i]) == ALWAYS:
                lay_on(r, p, side, index, left[i])
                left[i] = NO_CARD
                break


cdef inline int cards_below(const CRules* r, const CPublic* p, int depth) noexcept nogil:
    """Cards that a take of `depth` cards brings into the hand: those below the top, bonus cards apart."""
    cdef int i, n = depth - 1
    if r.bonus_cards:
        for i in range(depth - 1):
            n -= (r.bonus_cards & card_bit(p.pile[p.pile_n - 2 - i])) != 0
    return n


cdef inline bint take_ends(const CRules* r, const CPublic* p, const CHand* h, uint32_t a) noexcept nogil:
    """After this take the turn can be ended, extra card included."""
    cdef CPublic q
    cdef CHand g
    cdef int depth, used = two_bit_sum(<uint8_t>act_suits(a)) + (act_wild(a) != NO_CARD)
    if h.n - used >= 2:
        return True
    freezers_in_a_row(r, p, &depth)
    if act_locks(a):
        depth += act_locks(a) - least_locks(r, p)
    if h.n - used + cards_below(r, p, depth) >= 2:
        return True
    q = p[0]
    g = h[0]
    apply_take(r, &q, &g, a)
    if g.n >= 2:
        return True
    if not p.opened[r.side_of[p.player]]:
        q.opened[r.side_of[p.player]] = 1
    return take_can_end(r, &q, &g)


cdef inline bint take_opens(const CRules* r, const CPublic* p, uint32_t a, CNeed* need) noexcept nogil:
    """An unopened side: what it has laid, and what of the take counts, is an opening (R23.2, B14, F5)."""
    cdef int side = r.side_of[p.player]
    return opening_suffices(r, p.melds[side], p.n_melds[side], need, take_points(r, p, a))


cdef inline int take_points(const CRules* r, const CPublic* p, uint32_t a) noexcept nogil:
    """Points of a take that count toward an opening."""
    cdef int points = 0, suit, rank = card_rank(pile_top(p))
    if r.top_counts or r.pair_counts:
        for suit in range(4):
            points += ((a >> (5 + 2 * suit)) & 3) * r.points[16 * suit + rank]
        if act_wild(a) != NO_CARD:
            points += r.points[act_wild(a)]
    if r.top_counts:
        points += r.points[pile_top(p)]
    return points


cdef inline int with_locks(const CRules* r, const CPublic* p, const CHand* h, uint32_t a, uint32_t* out,
                           int n) noexcept nogil:
    """Append the take once for every lawful number of freezing cards that may come along."""
    cdef int depth, most = freezers_in_a_row(r, p, &depth), k
    cdef uint32_t b
    if most == 0:
        if take_ends(r, p, h, a):
            out[n] = a
            n += 1
        return n
    for k in range(least_locks(r, p), most + 1):
        b = a | (<uint32_t>k << 26)
        if take_ends(r, p, h, b):
            out[n] = b
            n += 1
    return n


cdef inline int add_take(const CRules* r, const CPublic* p, const CHand* h, int suits, int wild, uint64_t sets,
                         uint32_t* out, int n, CNeed* need) noexcept nogil:
    """Append the takes with these hand cards: as a new set, and onto each own set of the rank that they may join."""
    cdef int side = r.side_of[p.player], kind = r.set_kind[card_rank(pile_top(p))], i
    cdef int naturals = two_bit_sum(<uint8_t>suits) + 1, wilds = wild != 0
    cdef bint new_set = r.kind[kind].ok[naturals][wilds] and not (sets and r.kind[kind].per_rank == RANK_ONE)
    cdef const CMeld* m
    cdef uint32_t a
    while sets:
        i = ctz64(sets)
        sets &= sets - 1
        m = &p.melds[side][i]
        if (r.new_set_from and m.size >= r.new_set_from) or not naturals_join(r, m, naturals, wilds):
            continue
        a = act_take(suits, wild, i + 1, 0)
        if p.opened[side] or take_opens(r, p, a, need):
            n = with_locks(r, p, h, a, out, n)
    if new_set:
        a = act_take(suits, wild, 0, 0)
        if p.opened[side] or take_opens(r, p, a, need):
            n = with_locks(r, p, h, a, out, n)
    return n


cdef inline int suit_multisets(const CHand* h, int rank, int size, uint8_t* out) noexcept nogil:
    """All multisets of `size` (1, 2 or 3) cards of a rank in hand, as two bits a suit; their number."""
    cdef int one = suits_of_rank(h.p1, rank), two = suits_of_rank(h.p2, rank), three = suits_of_rank(h.p3, rank)
    cdef int as_ = one, bs, ds, a, b, d, n = 0
    while as_:
        a = ctz64(as_)
        as_ &= as_ - 1
        if size == 1:
            out[n] = <uint8_t>(1 << (2 * a))
            n += 1
            continue
        bs = as_ | (two & (1 << a))           # from suit a on
        while bs:
            b = ctz64(bs)
            bs &= bs - 1
            if size == 2:
                out[n] = <uint8_t>((1 << (2 * a)) + (1 << (2 * b)))
                n += 1
                continue
            ds = (one & (0xE << b)) | ((three if a == b else two) & (1 << b))
            while ds:
                d = ctz64(ds)
                ds &= ds - 1
                out[n] = <uint8_t>((1 << (2 * a)) + (1 << (2 * b)) + (1 << (2 * d)))
                n += 1
    return n


cdef inline bint run_goes_on(const CRules* r, const CPublic* p, int card) noexcept nogil:
    """The card continues an own incomplete sequence."""
    cdef int side = r.side_of[p.player]
    cdef uint64_t left = p.running[side], ends = 0
    while left:
        ends |= run_ends(r, &p.melds[side][ctz64(left)])
        left &= left - 1
    return (ends & card_bit(card)) != 0


cdef inline bint take_in_sight(const CRules* r, const CPublic* p, const CHand* h, int ways) noexcept nogil:
    """A quick look does not rule out a take by these ways."""
    cdef int top, held, fits
    if ways == 0:
        return False
    top = pile_top(p)
    held = rank_count(h, card_rank(top)) if top != JOKER else 0
    fits = top != JOKER and set_lies(p, r.side_of[p.player], card_rank(top), (ways & WAY_FIT_FULL) != 0)
    if ways & ((held >= 2) * WAY_PAIR | (held >= 3) * WAY_TRIPLE | (held > 0) * WAY_NATURAL_WILD
               | fits * (WAY_FIT_SET | WAY_FIT_FULL)):
        return True
    return ways & WAY_FIT_RUN and run_goes_on(r, p, top)


cdef inline uint64_t sets_of_rank(const CRules* r, const CPublic* p, int rank) noexcept nogil:
    """Own sets of a rank, as bits. They are set without a branch: which melds they are cannot be guessed."""
    cdef int side = r.side_of[p.player], kind = r.set_kind[rank], i
    cdef uint64_t sets = 0, left = ((<uint64_t>1 << p.n_melds[side]) - 1) & ~p.running[side]
    if not set_lies(p, side, rank, True):
        return 0
    while left:
        i = ctz64(left)
        left &= left - 1
        sets |= <uint64_t>((p.melds[side][i].key == rank) & (p.melds[side][i].kind == kind)) << i
    return sets


cdef inline uint64_t melds_to_join(const CRules* r, const CPublic* p, int ways, int top, uint64_t sets) noexcept nogil:
    """Own melds that the top card joins by these ways, as bits: sequences that it continues (R24.5, R25.2), and those
    among the sets of its rank that take it."""
    cdef int side = r.side_of[p.player], i
    cdef uint64_t melds = 0, left = p.running[side] if ways & WAY_FIT_RUN else 0
    while left:
        i = ctz64(left)
        left &= left - 1
        melds |= <uint64_t>((run_ends(r, &p.melds[side][i]) & card_bit(top)) != 0) << i
    sets &= (p.growing[side] if ways & WAY_FIT_SET else 0) | (~p.growing[side] if ways & WAY_FIT_FULL else 0)
    while sets:
        i = ctz64(sets)
        sets &= sets - 1
        if can_add(r, &p.melds[side][i], top) == ALWAYS:
            melds |= <uint64_t>1 << i
    return melds


cdef inline int list_takes(const CRules* r, const CPublic* p, const CHand* h, int ways, uint32_t* out) noexcept nogil:
    """Every lawful take of the player to act, in phase draw, by these ways."""
    cdef uint8_t hand[40]
    cdef int n = 0, side = r.side_of[p.player], top, rank, i, k, wild
    cdef uint64_t left, sets = 0
    cdef CNeed need
    if ways == 0:
        return 0
    top = pile_top(p)
    rank = card_rank(top)
    if not p.opened[side]:
        need_for(r, p, &need)
    if p.transfer_to:
        ways &= WAY_FIT_RUN
    if top != JOKER and r.set_kind[rank] != NONE:
        sets = sets_of_rank(r, p, rank)
    left = melds_to_join(r, p, ways, top, sets)
    if p.transfer_to:
        left &= <uint64_t>1 << (p.transfer_to - 1)
    while left:
        i = ctz64(left)
        left &= left - 1
        if p.opened[side] or take_opens(r, p, act_take(0, 0, i + 1, 0), &need):
            n = with_locks(r, p, h, act_take(0, 0, i + 1, 0), out, n)
    if top == JOKER or r.set_kind[rank] == NONE or not (r.set_cards & card_bit(top)):
        return n
    if ways & WAY_PAIR and rank_count(h, rank) >= 2:
        k = suit_multisets(h, rank, 2, hand)
        for i in range(k):
            n = add_take(r, p, h, hand[i], 0, sets, out, n, &need)
    if ways & WAY_TRIPLE and rank_count(h, rank) >= 3:
        k = suit_multisets(h, rank, 3, hand)
        for i in range(k):
            n = add_take(r, p, h, hand[i], 0, sets, out, n, &need)
    if ways & WAY_NATURAL_WILD and rank_count(h, rank) >= 1:
        k = suit_multisets(h, rank, 1, hand)
        for i in range(k):
            for wild in range(1, 6):
                if hand_has(h, JOKER if wild == 5 else 16 * (wild - 1) + DEUCE) and is_wild_for(
                        r, r.set_kind[rank], JOKER if wild == 5 else 16 * (wild - 1) + DEUCE):
                    n = add_take(r, p, h, hand[i], wild, sets, out, n, &need)
    return n


cdef inline int keep_for_take(const CRules* r, const CPublic* p, int depth) noexcept nogil:
    """Cards that must stay in hand before a take of `depth` cards so that the turn can be ended after it whatever
    the melds (D6)."""
    cdef int below = cards_below(r, p, depth), least = 1 if r.draw_after and p.stock_n else 2
    return least - below if least > below else 0


cdef inline bint opening_can_take(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """Phase draw, side not open: from these melds and this hand an opening with a take can be completed (R24.1, D3,
    F5): some take exists whose hand cards are left over by an opening that suffices."""
    cdef uint8_t sets[40]
    cdef int ways = ways_now(r, p), side = r.side_of[p.player], top, rank, i, j, k, size, wild, suit, depth, wcard
    cdef CHand g
    cdef CNeed need
    cdef uint32_t a
    if ways == 0:
        return False
    top = pile_top(p)
    rank = card_rank(top)
    need_for(r, p, &need)
    depth = take_depth_most(r, p)
    need.keep = keep_for_take(r, p, depth)
    if ways & WAY_FIT_RUN and transfer_opens(r, p, h, &need):
        return True
    if top == JOKER or r.set_kind[rank] == NONE or not (r.set_cards & card_bit(top)):
        return False
    for size in range(1, 4):
        if not (ways & (WAY_NATURAL_WILD if size == 1 else WAY_PAIR if size == 2 else WAY_TRIPLE)):
            continue
        if rank_count(h, rank) < size:
            continue
        k = suit_multisets(h, rank, size, sets)
        for i in range(k):
            for wild in range(1 if size == 1 else 0, 6 if size == 1 else 1):
                wcard = NO_CARD if wild == 0 else (JOKER if wild == 5 else 16 * (wild - 1) + DEUCE)
                if wild and not (hand_has(h, wcard) and is_wild_for(r, r.set_kind[rank], wcard)):
                    continue
                a = act_take(sets[i], wild, 0, 0)
                g = h[0]
                for suit in range(4):
                    for j in range((sets[i] >> (2 * suit)) & 3):  # no-cython-lint
                        hand_remove(&g, 16 * suit + rank)
                if wild:
                    hand_remove(&g, wcard)
                need.extra_points = take_points(r, p, a)
                if can_open(r, &g, p.melds[side], p.n_melds[side], &need):
                    return True
                if take_lays_out(r, p, &g, a, &need):
                    return True
    return False


cdef inline int take_depth_most(const CRules* r, const CPublic* p) noexcept nogil:
    """Cards of the longest lawful take."""
    cdef int depth, most = freezers_in_a_row(r, p, &depth)
    return depth + most - least_locks(r, p) if most else depth


cdef inline bint take_lays_out(const CRules* r, const CPublic* p, const CHand* g, uint32_t a,
                               const CNeed* need) noexcept nogil:
    """The opening with this take leaves so few cards that the player goes out in the turn: the rare case that the
    count of cards alone does not decide. g is the hand without the cards of the take."""
    cdef CPublic q
    cdef CHand h
    cdef COut o
    cdef CNeed loose
    cdef int side = r.side_of[p.player], i, kind, rank = card_rank(pile_top(p))
    loose = need[0]
    loose.keep = 0
    if not can_open(r, g, p.melds[side], p.n_melds[side], &loose):
        return False
    out_terms(r, p, p.player, &o)
    if o.forbidden:
        return False
    q = p[0]
    h = g[0]
    # give the cards of the take back and let apply_take lay them
    for i in range(4):
        for kind in range((a >> (5 + 2 * i)) & 3):  # no-cython-lint
            hand_add(&h, 16 * i + rank)
    if act_wild(a) != NO_CARD:
        hand_add(&h, act_wild(a))
    kind = r.set_kind[rank]
    for i in range(q.n_melds[side]):
        if q.melds[side][i].kind == kind and q.melds[side][i].key == rank and (
                r.new_set_from == 0 or q.melds[side][i].size < r.new_set_from):
            a |= <uint32_t>(i + 1) << 20
            break
    apply_take(r, &q, &h, a)
    return opening_goes_out(r, &q, &h, &o, need, p.tally[side].points)


cdef inline bint transfer_path(const CRules* r, const CHand* h, int suit, int start, int size, int top,
                               int* add, int* used) noexcept nogil:
    """A run start .. of `size` in a suit can be lengthened with hand cards until the top card continues it: add gets
    the next card for it above ([0]) and below ([1]), NO_CARD where that way is closed or nothing is needed, used the
    cards of the shorter open way; True if a way is open (D18). No cards needed counts as open with used 0."""
    cdef int rank = card_rank(top), way, k, at, low
    cdef bint found = False
    used[0] = 99
    add[0] = NO_CARD
    add[1] = NO_CARD
    if card_suit(top) != suit:
        return False
    for way in range(2):
        k = 0
        at = (start + size) % 13 if way == 0 else prev_rank(start)
        low = start
        while at != rank and size + k < 6 and hand_has(h, 16 * suit + at):
            if way == 1:
                low = at
            if not (r.run_len[low] >> (size + k + 1)) & 1:
                break
            k += 1
            at = next_rank(at) if way == 0 else prev_rank(at)
        if at != rank or size + k > 6:
            continue
        if way == 1:
            low = rank
        if not (r.run_len[low] >> (size + k + 1)) & 1:
            continue
        found = True
        if k:
            add[way] = 16 * suit + ((start + size) % 13 if way == 0 else prev_rank(start))
        if k < used[0]:
            used[0] = k
    if used[0] == 0:
        add[0] = NO_CARD
        add[1] = NO_CARD
    return found


cdef inline bint transfer_lays_out(const CRules* r, const CPublic* p, const CHand* g, const CMeld* rest, int n,
                                   const CMeld* run, const CNeed* need) noexcept nogil:
    """take_lays_out for an opening with a transfer onto this run, beside the other own melds. g is the hand without
    the cards of the run."""
    cdef CPublic q
    cdef CHand h
    cdef COut o
    cdef CNeed loose
    cdef int side = r.side_of[p.player], i, locks, depth, most, before
    loose = need[0]
    loose.keep = 0
    # a pile of one card is not taken with one card in hand (R17.4); two that stay were looked for before
    if (r.single_bar and p.pile_n == 1 and g.n > 0) or not can_open(r, g, rest, n, &loose):
        return False
    out_terms(r, p, p.player, &o)
    if o.forbidden:
        return False
    most = freezers_in_a_row(r, p, &depth)
    for locks in range(least_locks(r, p), most + 1):
        q = p[0]
        h = g[0]
        memcpy(q.melds[side], rest, n * sizeof(CMeld))
        q.melds[side][n] = run[0]
        q.n_melds[side] = <uint8_t>(n + 1)
        q.growing[side] |= <uint64_t>1 << n
        tally_clear(&q.tally[side])
        for i in range(n + 1):
            tally_meld(r, &q.tally[side], &q.melds[side][i])
        before = q.tally[side].points - meld_points(r, run)
        apply_take(r, &q, &h, act_take(0, 0, n + 1, locks))
        if opening_goes_out(r, &q, &h, &o, need, before):
            return True
    return False


cdef inline bint transfer_opens(const CRules* r, const CPublic* p, const CHand* h, CNeed* need) noexcept nogil:
    """Option B19: an opening before the take holds a sequence that the top card continues. The sequence is set aside
    with its points, so that nothing else is put on it."""
    cdef CMeld rest[MAX_MELDS]
    cdef CMeld w
    cdef CHand g
    cdef CNeed nd
    cdef int top = pile_top(p), side = r.side_of[p.player], n = p.n_melds[side], i, size, start, j, at, way, rank, suit
    cdef bint good
    if top == JOKER or r.run_kind == NONE or not r.transfer_new:
        return False
    rank = card_rank(top)
    suit = card_suit(top)
    nd = need[0]
    for size in range(3, 7):
        for way in range(2):
            # the cards directly below the top card, or directly above it
            start = (rank - size + 13) % 13 if way == 0 else next_rank(rank)
            if not (r.run_len[start] >> size) & 1:
                continue
            if not (r.run_len[start if way == 0 else rank] >> (size + 1)) & 1:
                continue
            start_run(r, &w, suit, start, size)
            # laid ones inside it (at most one), the rest from the hand
            for i in range(-1, n):
                if i >= 0 and not (r.kind[p.melds[side][i].kind].shape == SHAPE_RUN and p.melds[side][i].key == suit):
                    continue
                g = h[0]
                good = True
                at = start
                if i >= 0:
                    if (p.melds[side][i].start - start + 13) % 13 + p.melds[side][i].size > size:
                        continue
                for j in range(size):  # no-cython-lint
                    if i < 0 or (at - p.melds[side][i].start + 13) % 13 >= p.melds[side][i].size:
                        if not hand_has(&g, 16 * suit + at):
                            good = False
                            break
                        hand_remove(&g, 16 * suit + at)
                    at = next_rank(at)
                if not good:
                    continue
                memcpy(rest, p.melds[side], n * sizeof(CMeld))
                if i >= 0:
                    rest[i] = rest[n - 1]
                nd.extra_points = meld_points(r, &w)
                if can_open(r, &g, rest, n - (i >= 0), &nd):
                    return True
                if transfer_lays_out(r, p, &g, rest, n - (i >= 0), &w, &nd):
                    return True
    return False


cdef inline bint opens_before_take(const CRules* r, const CPublic* p, const CHand* h, uint32_t a) noexcept nogil:
    """Phase draw, side not open: this meld or add leaves an opening with a take possible."""
    cdef CPublic q
    cdef CHand g
    q = p[0]
    g = h[0]
    lay_step(r, &q, &g, a)
    return opening_can_take(r, &q, &g)


# ---- generate --------------------------------------------------------------------------------------------------------

cdef inline int canonical(int card) noexcept nogil:
    """Place of a card in the order A 2 ... K, suits c d h s, jokers last."""
    return 52 if card == JOKER else 4 * (card & 15) + (card >> 4)


cdef inline int card_at(int place) noexcept nogil:
    """The card at a place of that order."""
    return JOKER if place == 52 else 16 * (place & 3) + (place >> 2)


cdef inline uint32_t meld_action(int a, int b, int c) noexcept nogil:
    """The meld action of three cards, put into canonical order."""
    cdef int x = canonical(a), y = canonical(b), z = canonical(c), low, high, least, most
    low = x if x < y else y
    high = y if x < y else x
    least = low if low < z else z
    most = z if high < z else high
    return act_meld(card_at(least), card_at(x + y + z - least - most), card_at(most))


cdef inline bint rank_is_free(const CRules* r, const CPublic* p, int side, int kind, int rank) noexcept nogil:
    """A new set of that rank may be laid beside the own ones (B23, F23)."""
    cdef int i
    if r.kind[kind].per_rank == RANK_MANY:
        return True
    for i in range(p.n_melds[side]):
        if p.melds[side][i].kind == kind and p.melds[side][i].key == rank:
            if r.kind[kind].per_rank == RANK_ONE or not meld_complete(r, &p.melds[side][i]):
                return False
    return True


cdef inline int list_set_starts(const CRules* r, const CHand* h, int kind, int rank, uint32_t* out) noexcept nogil:
    """Smallest sets of one rank: three naturals, or two and a wild card."""
    cdef uint8_t sets[40]
    cdef uint8_t wild[5]
    cdef int n = 0, k, i, j, w = 0, suit
    cdef int c[3]
    cdef int held = rank_count(h, rank)
    if held < 2:
        return 0
    if held >= 3 and r.kind[kind].ok[3][0]:
        k = suit_multisets(h, rank, 3, sets)
        for i in range(k):
            j = 0
            for suit in range(4):
                if (sets[i] >> (2 * suit)) & 3 >= 1:
                    c[j] = 16 * suit + rank
                    j += 1
                if (sets[i] >> (2 * suit)) & 3 >= 2:
                    c[j] = 16 * suit + rank
                    j += 1
                if (sets[i] >> (2 * suit)) & 3 >= 3:
                    c[j] = 16 * suit + rank
                    j += 1
            out[n] = act_meld(c[0], c[1], c[2])
            n += 1
    if not r.kind[kind].ok[2][1]:
        return n
    if r.kind[kind].wild_deuces:
        for suit in range(4):
            if h.p1 & card_bit(16 * suit + DEUCE):
                wild[w] = <uint8_t>(16 * suit + DEUCE)
                w += 1
    if r.kind[kind].wild_jokers and h.jokers:
        wild[w] = JOKER
        w += 1
    if w == 0:
        return n
    k = suit_multisets(h, rank, 2, sets)
    for i in range(k):
        j = 0
        for suit in range(4):
            if (sets[i] >> (2 * suit)) & 3 >= 1:
                c[j] = 16 * suit + rank
                j += 1
            if (sets[i] >> (2 * suit)) & 3 >= 2:
                c[j] = 16 * suit + rank
                j += 1
        for j in range(w):
            out[n] = meld_action(c[0], c[1], wild[j])
            n += 1
    return n


cdef inline int list_wild_starts(const CRules* r, const CHand* h, uint32_t* out) noexcept nogil:
    """Smallest melds of wild cards alone: multisets of three."""
    cdef int n = 0, a, b, c, w = 0, suit
    cdef uint8_t wild[18]
    if r.wild_kind == NONE or rank_count(h, DEUCE) + h.jokers < 3:
        return 0
    # places in a list that holds each card up to three times
    for suit in range(4):
        for a in range(min_int(3, hand_count(h, 16 * suit + DEUCE))):  # no-cython-lint
            wild[w] = <uint8_t>(16 * suit + DEUCE)
            w += 1
    for a in range(min_int(3, h.jokers)):  # no-cython-lint
        wild[w] = JOKER
        w += 1
    for a in range(w):
        if a > 0 and wild[a] == wild[a - 1]:
            continue
        for b in range(a + 1, w):
            if b > a + 1 and wild[b] == wild[b - 1]:
                continue
            for c in range(b + 1, w):
                if c > b + 1 and wild[c] == wild[c - 1]:
                    continue
                out[n] = meld_action(wild[a], wild[b], wild[c])
                n += 1
    return n


cdef inline int list_starts(const CRules* r, const CPublic* p, const CHand* h, uint32_t* out) noexcept nogil:
    """All smallest melds that lie in a hand and whose kind and rank may be started, black threes apart."""
    cdef int n = 0, rank, side = r.side_of[p.player], low, suit
    cdef uint64_t starts
    for rank in range(13):
        if r.set_kind[rank] != NONE and rank_count(h, rank) >= 2:
            if rank_is_free(r, p, side, r.set_kind[rank], rank):
                n += list_set_starts(r, h, r.set_kind[rank], rank, out + n)
    n += list_wild_starts(r, h, out + n)
    if r.run_kind != NONE:
        starts = starts_of_three(r, h.p1)
        while starts:
            low = ctz64(starts)
            starts &= starts - 1
            suit = low & 48
            rank = low & 15
            out[n] = meld_action(low, suit + next_rank(rank), suit + next_rank(next_rank(rank)))
            n += 1
    return n


cdef inline int min_int(int a, int b) noexcept nogil:
    return a if a < b else b


cdef inline int list_adds(const CRules* r, const CPublic* p, const CHand* h, uint32_t* out) noexcept nogil:
    """All cards of a hand that join an own meld, steps that only going out allows included (flagged in bit 31)."""
    cdef int n = 0, side = r.side_of[p.player], i, low, high, size, naturals
    cdef bint below
    cdef const CMeld* m
    cdef const CKind* k
    cdef uint32_t target
    cdef uint64_t two = h.p1 & rank_mask(DEUCE), cards
    for i in range(p.n_melds[side]):
        m = &p.melds[side][i]
        k = &r.kind[m.kind]
        target = <uint32_t>V_ADD | (<uint32_t>(i + 1) << 20)
        size = m.size
        if k.shape == SHAPE_RUN:
            if size >= k.full:
                if not k.grow_out:
                    continue
                target |= <uint32_t>1 << 31
            cards = h.p1 >> (16 * m.key)
            low = prev_rank(m.start)
            high = m.start + size
            high = high - 13 if high > 12 else high
            below = (cards >> low) & 1 and (r.run_len[low] >> (size + 1)) & 1
            if below:
                out[n] = target | (<uint32_t>(16 * m.key + low) << 5)
                n += 1
            if (cards >> high) & 1 and (r.run_len[m.start] >> (size + 1)) & 1 and not (below and high == low):
                out[n] = target | (<uint32_t>(16 * m.key + high) << 5)
                n += 1
            continue
        naturals = size - m.wilds
        if k.shape == SHAPE_WILD:
            if not k.add_natural[naturals][0]:
                continue
            cards = two
        else:
            if k.add_natural[naturals][m.wilds]:      # a card whose copies all lie in the meld is in no hand
                cards = h.p1 & rank_mask(m.key)
                while cards:
                    out[n] = target | (<uint32_t>ctz64(cards) << 5)
                    n += 1
                    cards &= cards - 1
            if not k.add_wild[naturals][m.wilds]:
                continue
            cards = two if k.wild_deuces else 0
        while cards:
            out[n] = target | (<uint32_t>ctz64(cards) << 5)
            n += 1
            cards &= cards - 1
        if h.jokers and (k.wild_jokers or k.shape == SHAPE_WILD):
            out[n] = target | (<uint32_t>JOKER << 5)
            n += 1
    return n


cdef inline int list_black(const CRules* r, const CPublic* p, const CHand* h, uint32_t* out) noexcept nogil:
    """Sets of black threes, whole: as many as leave the last card (R20.2, D8, F12)."""
    cdef int n = 0, a, b, c, d, size, left, side = r.side_of[p.player]
    cdef int have[4]
    if r.black_kind == NONE:
        return 0
    for a in range(4):
        have[a] = hand_count(h, 16 * a + THREE) if r.black_cards & card_bit(16 * a + THREE) else 0
    if have[0] + have[1] + have[2] + have[3] < 3 or not rank_is_free(r, p, side, r.black_kind, THREE):
        return 0
    for a in range(have[0] + 1):
        for b in range(have[1] + 1):
            for c in range(have[2] + 1):
                for d in range(have[3] + 1):
                    size = a + b + c + d
                    left = h.n - size
                    if size < 3 or size > r.black_max or left > 1 or (left == 0 and r.out_discard):
                        continue
                    out[n] = act_black(a | (b << 2) | (c << 4) | (d << 6))
                    n += 1
    return n


cdef inline int list_discards(const CRules* r, const CPublic* p, const CHand* h, uint32_t* out) noexcept nogil:
    """Every different card, if the turn may end with one card less in hand (R19.1)."""
    cdef int n = 0, rank, suit
    if h.n == 1:
        if not may_go_out(r, p, p.player):
            return 0
    elif p.must_out or h.n == 0:
        return 0
    for rank in range(13):
        for suit in range(4):
            if h.p1 & card_bit(16 * suit + rank):
                out[n] = act_card(V_DISCARD, 16 * suit + rank)
                n += 1
    if h.jokers:
        out[n] = act_card(V_DISCARD, JOKER)
        n += 1
    return n


cdef inline bint may_ask(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """The question "may I go out?" (R27.1, D20, F9)."""
    cdef bint early
    if r.ask == ASK_NONE or r.partner[p.player] == NONE:
        return False
    early = (p.asked == ASKED_NOT) & (p.laid | p.took | p.opening == 0)
    if p.phase == PHASE_DRAW:
        return early and r.ask_any and not p.transfer_to
    return early & (p.phase == PHASE_MELD) & (p.drew | r.ask_any) & (h.n >= 2)


cdef inline int list_openings(const CRules* r, const CPublic* p, const CHand* h, uint32_t* out) noexcept nogil:
    """Steps of an opening, begun or not, in phases opening and meld: those after which it can be completed."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef int n = 0, k, i
    cdef uint32_t a
    if not opening_goes_on(r, p, h):
        return 0
    k = list_starts(r, p, h, steps)
    k += list_adds(r, p, h, steps + k)
    if r.waive:
        k += list_black(r, p, h, steps + k)
    for i in range(k):
        a = steps[i] & 0x7FFFFFFF if verb_of(steps[i]) == V_ADD else steps[i]
        if opens_after(r, p, h, a):
            out[n] = a
            n += 1
    return n


cdef inline bint transfer_follows(const CRules* r, const CPublic* p, const CHand* h, uint32_t a) noexcept nogil:
    """After this meld or addition before the draw the transfer that it is laid for can be completed (D18)."""
    cdef CPublic q = p[0]
    cdef CHand g = h[0]
    cdef int side = r.side_of[p.player], top = pile_top(p), used, depth, most, k
    cdef int index = act_target(a) - 1 if verb_of(a) == V_ADD else p.n_melds[side]
    cdef int add[2]
    lay_step(r, &q, &g, a)
    while True:
        if not transfer_path(r, &g, q.melds[side][index].key, q.melds[side][index].start, q.melds[side][index].size,
                             top, add, &used):
            return False
        if used == 0:
            break
        lay_step(r, &q, &g, act_add(add[0] if add[0] != NO_CARD else add[1], index + 1))
    if not (ways_now(r, &q) & WAY_FIT_RUN):
        return False
    most = freezers_in_a_row(r, &q, &depth)
    for k in range(least_locks(r, &q), most + 1):
        if take_ends(r, &q, &g, act_take(0, 0, index + 1, k)):
            return True
    return False


cdef inline int list_transfer_steps(const CRules* r, const CPublic* p, const CHand* h, uint32_t* out) noexcept nogil:
    """Option B19, side open, phase draw: melds and additions that a transfer needs (D18)."""
    cdef int n = 0, side = r.side_of[p.player], i, way, used, top, suit, low
    cdef int add[2]
    cdef uint64_t starts
    cdef const CMeld* m
    if not (ways_now(r, p) & WAY_FIT_RUN):
        return 0
    top = pile_top(p)
    if top == JOKER:
        return 0
    for i in range(p.n_melds[side]):
        m = &p.melds[side][i]
        if r.kind[m.kind].shape != SHAPE_RUN or (p.transfer_to and p.transfer_to != i + 1):
            continue
        if m.size >= r.kind[m.kind].full or not transfer_path(r, h, m.key, m.start, m.size, top, add, &used):
            continue
        for way in range(2):
            if add[way] != NO_CARD and transfer_follows(r, p, h, act_add(add[way], i + 1)):
                out[n] = act_add(add[way], i + 1)
                n += 1
    if p.transfer_to:
        return n
    suit = card_suit(top) * 16
    starts = starts_of_three(r, h.p1) & (<uint64_t>0x1FFF << suit)
    while starts:
        low = ctz64(starts)
        starts &= starts - 1
        out[n] = meld_action(low, suit + next_rank(low & 15), suit + next_rank(next_rank(low & 15)))
        n += transfer_follows(r, p, h, out[n])
    return n


cdef inline bint must_transfer(const CRules* r, const CPublic* p, const uint32_t* takes, int n) noexcept nogil:
    """The stock is empty and a fitting top card has to be taken (C37, D11, F19)."""
    cdef int i
    if r.stock_empty != EMPTY_FORCED_FIT and (r.stock_empty != EMPTY_FORCED_MAY or p.freezers):
        return False
    for i in range(n):
        if verb_of(takes[i]) == V_TAKE and act_suits(takes[i]) == 0 and act_wild(takes[i]) == NO_CARD:
            return True
    return False


cdef inline int generate_draw(const CRules* r, const CPublic* p, const CHand* h, uint32_t* out) noexcept nogil:
    cdef uint32_t steps[MAX_ACTIONS]
    cdef int n, k, i, side = r.side_of[p.player], ways = ways_now(r, p)
    cdef bint begun = p.opening or p.transfer_to
    n = list_takes(r, p, h, ways, out)
    k = n
    if not p.opened[side]:
        if ways and opening_can_take(r, p, h):
            i = list_starts(r, p, h, steps)
            i += list_adds(r, p, h, steps + i)
            for k in range(i):
                if not (verb_of(steps[k]) == V_ADD and steps[k] >> 31) and opens_before_take(r, p, h, steps[k]):
                    out[n] = steps[k]
                    n += 1
    elif r.transfer_new:
        n += list_transfer_steps(r, p, h, out + n)
    if begun:
        return n
    if p.stock_n:
        out[n] = V_DRAW
        n += 1
    elif not must_transfer(r, p, out, n):
        out[n] = V_END
        n += 1
    if may_ask(r, p, h):
        out[n] = V_ASK
        n += 1
    return n


cdef inline int list_merges(const CRules* r, const CPublic* p, const CHand* h, uint32_t* out) noexcept nogil:
    """Pairs of own sets that may be joined (F14)."""
    cdef int n = 0, i, j, side = r.side_of[p.player]
    cdef uint64_t twice = at_least_two(p.young[side]), left = p.growing[side] & ~p.running[side], sets = 0, others
    if not r.merges or h.n == 0 or twice == 0:
        return 0
    while left:                                # those whose rank lies twice: without a branch, it cannot be guessed
        i = ctz64(left)
        left &= left - 1
        sets |= (twice >> (4 * p.melds[side][i].key) & 1) << i
    while sets:
        i = ctz64(sets)
        sets &= sets - 1
        others = sets
        while others:
            j = ctz64(others)
            others &= others - 1
            if may_merge(r, &p.melds[side][i], &p.melds[side][j]):
                out[n] = act_merge(j + 1, i + 1)
                n += (h.n >= 2 and not p.must_out) or step_can_end(r, p, h, out[n])
    return n


cdef inline int generate_meld(const CRules* r, const CPublic* p, const CHand* h, uint32_t* out) noexcept nogil:
    """Phases taken and meld."""
    cdef int n = 0, k, i, side = r.side_of[p.player], suit, card
    cdef uint32_t a
    if p.discard_only:
        return list_discards(r, p, h, out)
    if not p.opened[side] and (p.opening or not p.took):
        n = list_openings(r, p, h, out)
        if p.opening:
            # the last card of a going out under the waiver (F11); an opening that counts is complete by then
            return n + list_discards(r, p, h, out + n) if r.waive and h.n == 1 else n
    else:
        if p.phase == PHASE_TAKEN and r.draw_after and p.stock_n:
            out[n] = V_EXTRA
            n += 1
        if h.n >= 3:
            k = n + list_starts(r, p, h, out + n)
            if h.n - 3 >= 2 and not p.must_out:
                n = k
            else:
                for i in range(n, k):
                    if step_can_end(r, p, h, out[i]):
                        out[n] = out[i]
                        n += 1
            k = n + list_black(r, p, h, out + n)
            for i in range(n, k):
                if step_can_end(r, p, h, out[i]):
                    out[n] = out[i]
                    n += 1
        k = n + list_adds(r, p, h, out + n)
        for i in range(n, k):
            a = out[i] & 0x7FFFFFFF
            if (h.n >= 3 and not p.must_out and not (out[i] >> 31)) or step_can_end(r, p, h, a):
                out[n] = a
                n += 1
        n += list_merges(r, p, h, out + n)
    if r.buy and p.stock_n and (h.p1 & r.buy):
        if (h.n >= 2 and not p.must_out) or (h.n == 1 and may_go_out(r, p, p.player)):
            for suit in range(4):
                card = 16 * suit + THREE
                if h.p1 & r.buy & card_bit(card):
                    out[n] = act_card(V_BUY, card)
                    n += 1
    if may_ask(r, p, h):
        out[n] = V_ASK
        n += 1
    return n + list_discards(r, p, h, out + n)


cdef inline int generate_auction(const CRules* r, const CPublic* p, uint32_t* out) noexcept nogil:
    cdef int n = 1, bid
    out[0] = V_PASS
    if may_double(r, p):
        out[n] = V_DOUBLE
        n += 1
    for bid in range(0 if p.last_bid == NONE else p.last_bid + 1, 6 * r.max_level):
        out[n] = act_card(V_BID, bid)
        n += 1
    return n


cdef inline int generate_opening(const CRules* r, const CPublic* p, const CHand* h, uint32_t* out) noexcept nogil:
    """The declarer's opening before play (R14, D1)."""
    cdef int n = 0, side = r.side_of[p.player]
    cdef CNeed need
    need_for(r, p, &need)
    if p.n_melds[side] and h.n >= 1 and opening_suffices(r, p.melds[side], p.n_melds[side], &need, 0):
        out[n] = V_DONE
        n += 1
    n += list_openings(r, p, h, out + n)
    if n == 0 and p.n_melds[side] == 0:
        out[n] = V_FAIL
        n += 1
    return n


cdef inline int generate(const CRules* r, const CPublic* p, const CHand* h, uint32_t* out) noexcept nogil:
    """List the legal single steps of the player to act, whose hand is h; their number.

    At most MAX_ACTIONS: sets of a rank 20 (three naturals) + 10 x 5 (a pair and a wild card) over 11 ranks, 30 deuce
    sets, 52 runs, 53 discards, and at most nine additions to each of the (162 - 53) / 3 melds that can lie there while
    a hand holds one card of each kind: 1,231 in all; takes are bounded by 20 x 4 targets x 18 locks.
    """
    if p.phase == PHASE_MELD or p.phase == PHASE_TAKEN:
        return generate_meld(r, p, h, out)
    if p.phase == PHASE_DRAW:
        return generate_draw(r, p, h, out)
    if p.phase == PHASE_AUCTION:
        return generate_auction(r, p, out)
    if p.phase == PHASE_OPENING:
        return generate_opening(r, p, h, out)
    if p.phase == PHASE_REPLY:
        out[0] = V_YES
        out[1] = V_NO
        return 2
    return 0


cdef inline bint is_legal(const CRules* r, const CState* s, uint32_t a) noexcept nogil:
    """The step is among those that generate() lists."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef int n = generate(r, &s.p, &s.h.hand[s.p.turn], steps), i
    for i in range(n):
        if steps[i] == a:
            return True
    return False


# ---- apply -----------------------------------------------------------------------------------------------------------

cdef inline void pile_push(const CRules* r, CPublic* p, int card) noexcept nogil:
    p.pile[p.pile_n] = <uint8_t>card
    p.pile_n += 1
    hand_add(&p.in_pile, card)
    p.freezers += is_freezing(r, card)


cdef inline int stock_pop(CState* s) noexcept nogil:
    s.p.stock_n -= 1
    if s.p.stock_n == 0:
        s.p.stock_out_turn = s.p.turns + 1
    return s.h.stock[s.p.stock_n]


cdef inline void turn_up(const CRules* r, CState* s) noexcept nogil:
    """Turn the first card of the pile, and cover it where the rules say so."""
    cdef int card
    while s.p.stock_n:
        card = stock_pop(s)
        pile_push(r, &s.p, card)
        if card == JOKER:
            if not r.cover_joker:
                return
        elif not (r.cover & card_bit(card)):
            return


cdef inline void deal_ends(CState* s, int how, int seat) noexcept nogil:
    s.p.phase = PHASE_OVER
    s.p.ended = <uint8_t>how
    s.p.out_seat = <uint8_t>seat
    s.p.turn = s.p.player


cdef inline void draw_one(const CRules* r, CState* s, int seat) noexcept nogil:
    """One stock card into a hand; bonus cards are laid and replaced; the deal may end (F3)."""
    cdef int card, side = r.side_of[seat]
    while s.p.stock_n:
        card = stock_pop(s)
        if r.bonus_cards & card_bit(card):
            hand_add(&s.p.bonus[side], card)
            if s.p.stock_n == 0 and r.stock_end_now:
                deal_ends(s, ENDED_STOCK, NONE)
                return
            continue
        hand_add(&s.h.hand[seat], card)
        s.p.hand_n[seat] += 1
        return


cdef inline void begin_turn(const CRules* r, CPublic* p, int seat) noexcept nogil:
    p.phase = PHASE_DRAW
    p.turn = <uint8_t>seat
    p.player = <uint8_t>seat
    p.drew = 0
    p.took = 0
    p.asked = ASKED_NOT
    p.laid = 0
    p.opening = 0
    p.first_turn = 0
    p.discard_only = 0
    p.must_out = 0
    p.touched = 0
    p.transfer_to = 0
    p.start_melds = p.n_melds[r.side_of[seat]]


cdef inline void begin_play(const CRules* r, CState* s) noexcept nogil:
    """The auction and the opening before play are over: the first card is turned, the first turn begins (R6.2, R9.7,
    R14.9, B3)."""
    cdef int seat = (s.p.dealer + 1) % r.seats
    if s.p.contract != NONE and (s.p.doubled or not r.first_left):
        seat = s.p.declarer
    turn_up(r, s)
    begin_turn(r, &s.p, seat)
    s.p.first_turn = s.p.contract != NONE and not s.p.doubled and not r.first_left


cdef inline void contract_for(const CRules* r, CState* s, int bid) noexcept nogil:
    """The maker of `bid` must open, or nobody declares."""
    s.p.contract = <uint8_t>bid
    if bid == NONE:
        s.p.declarer = NONE
        begin_play(r, s)
        return
    s.p.declarer = s.p.bidder[bid]
    if s.p.doubled:
        begin_play(r, s)
        return
    s.p.phase = PHASE_OPENING
    s.p.turn = s.p.declarer
    s.p.player = s.p.declarer
    s.p.start_melds = 0


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


cdef inline bint went_out_concealed(const CRules* r, const CPublic* p) noexcept nogil:
    """F13."""
    cdef int i, side = r.side_of[p.player]
    if r.out_concealed == CONCEALED_SIDE:
        return p.start_melds == 0 and not p.touched
    if r.out_concealed == CONCEALED_PLAYER:
        if not (p.clean >> p.player) & 1 or p.touched:
            return False
        for i in range(p.start_melds, p.n_melds[side]):
            if meld_complete(r, &p.melds[side][i]):
                return True
    return False


cdef inline void goes_out(const CRules* r, CState* s) noexcept nogil:
    if not s.p.opened[r.side_of[s.p.player]]:
        note_opened(r, &s.p, r.side_of[s.p.player], s.p.turns + 1, 0)     # by the waiver
    s.p.turns += 1
    s.p.concealed = went_out_concealed(r, &s.p)
    deal_ends(s, ENDED_OUT, s.p.player)
    note_reached(r, &s.p)


cdef inline void note_reached(const CRules* r, CPublic* p) noexcept nogil:
    """Remember the turn after which the declaring side's melds were worth the contract, hands apart."""
    cdef const CTally* t
    if p.contract == NONE or p.reached_turn >= 0:
        return
    t = &p.tally[r.side_of[p.declarer]]
    if t.bonus + (t.points if bid_level(p.contract) >= 5 else 0) >= 1000 * bid_level(p.contract):
        p.reached_turn = p.turns


cdef inline void end_turn(const CRules* r, CState* s) noexcept nogil:
    s.p.turns += 1
    if s.p.laid:
        s.p.clean &= <uint8_t>~(1 << s.p.player)
    if s.p.asked == ASKED_YES:
        s.p.penalties[r.side_of[s.p.player]] += r.ask_fail         # R27.2, F10
    note_reached(r, &s.p)
    if s.p.stock_n == 0 and r.stock_empty == EMPTY_END_AFTER_TURN:
        deal_ends(s, ENDED_STOCK, NONE)
        return
    begin_turn(r, &s.p, (s.p.player + 1) % r.seats)


cdef inline void apply(const CRules* r, CState* s, uint32_t a) noexcept nogil:
    """Carry out a legal single step. Nothing is checked."""
    cdef CPublic* p = &s.p
    cdef int verb = verb_of(a), seat = p.player, side, i, phase, bid
    cdef CHand* h
    p.actions += 1
    if verb <= V_DOUBLE:
        if auction_call(r, p, a):
            contract_for(r, s, p.last_bid)
        else:
            p.player = p.turn
        return
    side = r.side_of[seat]
    h = &s.h.hand[seat]
    if verb == V_DISCARD:
        play_card(p, h, seat, act_first(a))
        pile_push(r, p, act_first(a))
        if h.n == 0:
            goes_out(r, s)
        else:
            end_turn(r, s)
    elif verb == V_DRAW:
        p.drew = 1
        p.phase = PHASE_MELD
        for i in range(r.draw_stock):  # no-cython-lint
            if p.stock_n == 0 or p.phase == PHASE_OVER:
                break
            draw_one(r, s, seat)
    elif verb == V_MELD or verb == V_ADD or verb == V_MERGE:
        phase = p.phase
        lay_step(r, p, h, a)
        if phase == PHASE_OPENING:
            return
        if phase == PHASE_DRAW:
            if p.opened[side]:
                p.transfer_to = <uint8_t>(act_target(a) if verb == V_ADD else p.n_melds[side])
            else:
                p.opening = 1
            return
        p.phase = PHASE_MELD
        if not p.opened[side]:
            settle_opening(r, p, h)
        if h.n == 0:
            goes_out(r, s)
    elif verb == V_TAKE:
        if not p.opened[side]:
            note_opened(r, p, side, p.turns + 1, take_points(r, p, a))
        apply_take(r, p, h, a)
        p.transfer_to = 0
        p.phase = PHASE_TAKEN
        if h.n == 0 and not r.out_discard:
            goes_out(r, s)
    elif verb == V_EXTRA:
        p.phase = PHASE_MELD
        for i in range(r.draw_after):  # no-cython-lint
            if p.stock_n and p.phase != PHASE_OVER:
                draw_one(r, s, seat)
    elif verb == V_BUY:
        play_card(p, h, seat, act_first(a))
        hand_add(&p.bought[side], act_first(a))
        p.buys[side] += 1
        p.phase = PHASE_MELD
        draw_one(r, s, seat)
    elif verb == V_ASK:
        p.ask_phase = p.phase
        p.phase = PHASE_REPLY
        p.turn = r.partner[seat]
    elif verb == V_YES or verb == V_NO:
        p.asked = ASKED_YES if verb == V_YES else ASKED_NO
        p.phase = p.ask_phase
        p.turn = p.player
    elif verb == V_END:
        if p.asked == ASKED_YES:
            p.penalties[side] += r.ask_fail
        deal_ends(s, ENDED_STOCK, NONE)
    elif verb == V_DONE:
        note_opened(r, p, side, 0, 0)
        begin_play(r, s)
    elif verb == V_FAIL:
        bid = p.contract
        p.failed_bids += 1
        p.failed_seats |= <uint8_t>(1 << seat)
        p.penalties[side] += 1000                                     # R14.8, B42
        bid = next_declarer(r, p, bid)
        if bid == NONE:
            charge_bluffs(r, p)
        contract_for(r, s, bid)
