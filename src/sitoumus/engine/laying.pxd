# Laying cards: a meld, an addition, a merge, each as one step, and whether the turn can end after it.
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from sitoumus.engine.cards cimport (
    ACE, at_least_two, card_rank, card_suit, CHand, DEUCE, hand_add, hand_drop, hand_remove, JOKER, THREE,
    without_bit,
)
from sitoumus.engine.tables cimport ALWAYS, CMeld, CRules, GOING_OUT, NONE, SHAPE_RUN
from sitoumus.engine.melds cimport (
    add_card, CTally, hand_add_meld, meld_complete, meld_points, set_place, start_meld, start_run, tally_complete,
    tally_grown, tally_meld,
)
from sitoumus.engine.goals cimport COut, out_ok
from sitoumus.engine.state cimport CPublic, V_ADD, V_MELD, V_MERGE
from sitoumus.engine.actions cimport act_first, act_source, act_target, verb_of
from sitoumus.engine.going_out cimport merge_into, out_terms, turn_can_end

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
