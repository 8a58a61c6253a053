# Openings that end with a take: what can be laid before it, and whether some take then follows (R24.1, D3, F5).
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy
from sitoumus.engine.cards cimport (
    card_bit, card_rank, card_suit, CHand, ctz64, hand_add, hand_count, hand_has, hand_remove, JOKER, next_rank,
    NO_CARD, prev_rank, rank_count, suit_multisets,
)
from sitoumus.engine.tables cimport (
    CMeld, CRules, NONE, RANK_AFTER_COMPLETE, RANK_ONE, SHAPE_RUN, WAY_FIT_RUN, WAY_NATURAL_WILD, WAY_PAIR,
    WAY_TRIPLE,
)
from sitoumus.engine.melds cimport meld_points, start_run, tally_clear, tally_meld, two_bit_sum
from sitoumus.engine.goals cimport CNeed, COut
from sitoumus.engine.state cimport CPublic, MAX_MELDS
from sitoumus.engine.actions cimport act_take, act_target, N_WILD_SETS, wild_count, WILD_SETS
from sitoumus.engine.opening cimport can_open
from sitoumus.engine.going_out cimport out_terms
from sitoumus.engine.laying cimport lay_step
from sitoumus.engine.first_melds cimport need_for, opening_goes_out
from sitoumus.engine.taking cimport (
    apply_take, cards_join, cards_start, freezers_in_a_row, keep_for_take, least_locks, names_enough, pile_top,
    sets_of_rank, take_cards, take_depth_most, take_points, take_top, ways_now, wilds_held, wilds_within,
)

cdef inline bint named_take_opens(const CRules* r, const CPublic* p, const CHand* g, uint32_t a,
                                  CNeed* need) noexcept nogil:
    """Where the take counts (F5): an opening with these hand cards and more of its set can be completed. The set lies
    already for this look, so that cards added to it are cards that the take names. g is the hand without the cards
    of the take."""
    cdef CPublic q = p[0]
    cdef CHand h = g[0]
    cdef uint8_t cards[16]
    cdef int i, n = take_cards(a, pile_top(p), cards), side = r.side_of[p.player]
    for i in range(n):                          # take_top() plays them
        hand_add(&h, cards[i])
    take_top(r, &q, &h, a)
    need.extra_points = 0
    if can_open(r, g, q.melds[side], q.n_melds[side], need):
        return True
    need.extra_points = take_points(r, p, a)
    return take_lays_out(r, p, g, a, need)


cdef inline bint set_take_opens(const CRules* r, const CPublic* p, const CHand* h, int suits, int wild,
                                CNeed* need) noexcept nogil:
    """Phase draw, side not open: an opening with a take of these hand cards can be completed."""
    cdef uint8_t cards[16]
    cdef CHand g = h[0]
    cdef uint64_t sets
    cdef int side = r.side_of[p.player], kind = r.set_kind[card_rank(pile_top(p))], i, n
    cdef int naturals = two_bit_sum(<uint8_t>suits) + 1, wilds = wild_count(WILD_SETS[wild])
    cdef uint32_t a = act_take(suits, wild, 0, 0)
    n = take_cards(a, pile_top(p), cards)
    for i in range(n):
        hand_remove(&g, cards[i])
    if r.top_counts:
        sets = sets_of_rank(r, p, card_rank(pile_top(p)))
        if not (sets and r.kind[kind].per_rank == RANK_ONE) and cards_start(r, kind, naturals, wilds):
            if named_take_opens(r, p, &g, a, need):
                return True
        while sets:
            i = ctz64(sets)
            sets &= sets - 1
            if (r.new_set_from and p.melds[side][i].size >= r.new_set_from) or not cards_join(
                    r, &p.melds[side][i], naturals, wilds):
                continue
            if named_take_opens(r, p, &g, act_take(suits, wild, i + 1, 0), need):
                return True
        if r.kind[kind].per_rank != RANK_AFTER_COMPLETE:
            return False
    need.extra_points = take_points(r, p, a)
    return can_open(r, &g, p.melds[side], p.n_melds[side], need) or take_lays_out(r, p, &g, a, need)


cdef inline bint opening_can_take(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """Phase draw, side not open: from these melds and this hand an opening with a take can be completed (R24.1, D3,
    F5): some take exists whose hand cards are left over by an opening that suffices."""
    cdef uint8_t sets[40]
    cdef int ways = ways_now(r, p), top, rank, i, k, size, wild, held
    cdef CNeed need
    if ways == 0:
        return False
    top = pile_top(p)
    rank = card_rank(top)
    need_for(r, p, &need)
    need.keep = keep_for_take(r, p, take_depth_most(r, p))
    if ways & WAY_FIT_RUN and transfer_opens(r, p, h, &need):
        return True
    if top == JOKER or r.set_kind[rank] == NONE or not (r.set_cards & card_bit(top)):
        return False
    held = wilds_held(r, h, r.set_kind[rank], 1)
    for size in range(1, 4):
        if not (ways & (WAY_NATURAL_WILD if size == 1 else WAY_PAIR if size == 2 else WAY_TRIPLE)):
            continue
        if rank_count(h, rank) < size:
            continue
        k = suit_multisets(h, rank, size, sets)
        for i in range(k):
            for wild in range(1 if size == 1 else 0, 6 if size == 1 else 1):
                if wilds_within(WILD_SETS[wild], held) and set_take_opens(r, p, h, sets[i], wild, &need):
                    return True
    return r.top_counts and more_named_opens(r, p, h, ways, &need)


cdef inline bint more_named_opens(const CRules* r, const CPublic* p, const CHand* h, int ways,
                                  CNeed* need) noexcept nogil:
    """The same for takes that name more, where a second set of the rank must wait until the first is complete: another
    set of the rank may be laid before the take's own, which for the other looks lies first."""
    cdef uint8_t cards[16]
    cdef int rank = card_rank(pile_top(p)), kind = r.set_kind[rank], suits, suit, i, k, n, naturals, held, wilds
    cdef int side = r.side_of[p.player]
    cdef uint32_t a
    cdef CHand g
    if r.kind[kind].per_rank != RANK_AFTER_COMPLETE:
        return False
    held = wilds_held(r, h, kind, 3)
    for suits in range(1, 256):
        naturals = two_bit_sum(<uint8_t>suits)
        for i in range(N_WILD_SETS if held else 1):
            wilds = wild_count(WILD_SETS[i])
            if not (wilds_within(WILD_SETS[i], held) and names_enough(ways, naturals, wilds)
                    and cards_start(r, kind, naturals + 1, wilds)):
                continue
            for suit in range(4):
                if (suits >> (2 * suit)) & 3 > hand_count(h, 16 * suit + rank):
                    break
            else:
                a = act_take(suits, i, 0, 0)
                g = h[0]
                n = take_cards(a, pile_top(p), cards)
                for k in range(n):
                    hand_remove(&g, cards[k])
                need.extra_points = take_points(r, p, a)
                if can_open(r, &g, p.melds[side], p.n_melds[side], need):
                    return True
    return False


cdef inline bint take_lays_out(const CRules* r, const CPublic* p, const CHand* g, uint32_t a,
                               const CNeed* need) noexcept nogil:
    """The opening with this take leaves so few cards that the player goes out in the turn: the rare case that the
    count of cards alone does not decide. g is the hand without the cards of the take."""
    cdef uint8_t cards[16]
    cdef CPublic q
    cdef CHand h
    cdef COut o
    cdef CNeed loose
    cdef int side = r.side_of[p.player], i, kind, rank = card_rank(pile_top(p)), n
    q = p[0]
    h = g[0]
    # give the cards of the take back and let apply_take lay them
    n = take_cards(a, pile_top(p), cards)
    for i in range(n):
        hand_add(&h, cards[i])
    loose = need[0]
    loose.keep = 0
    if r.top_counts:                            # more cards may join its set before the opening is judged (F5)
        loose.extra_points = 0
        take_top(r, &q, &h, a)
        if not can_open(r, g, q.melds[side], q.n_melds[side], &loose):
            return False
        q = p[0]
        h = g[0]
        for i in range(n):
            hand_add(&h, cards[i])
    elif not can_open(r, g, p.melds[side], p.n_melds[side], &loose):
        return False
    out_terms(r, p, p.player, &o)
    if o.forbidden:
        return False
    kind = r.set_kind[rank]
    for i in range(q.n_melds[side] if act_target(a) == 0 and not r.top_counts else 0):
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
                nd.extra_points = meld_points(r, &w) + (r.points[top] if r.top_counts else 0)
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
