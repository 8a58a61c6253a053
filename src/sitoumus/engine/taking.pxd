# Taking the pile: in which ways, with which cards, how deep, and what must follow (R23 to R26).
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy
from sitoumus.engine.cards cimport (
    card_bit, card_rank, card_suit, CHand, ctz64, DEUCE, hand_add, hand_clear, hand_has, hand_merge, hand_part,
    hand_remove, JOKER, next_rank, NO_CARD, prev_rank, rank_count, suit_multisets,
)
from sitoumus.engine.tables cimport (
    ALWAYS, CMeld, CRules, EMPTY_END_AFTER_TURN, EMPTY_FORCED_FIT, EMPTY_MAY_FIT, EXTENT_TO_NEXT_FREEZER,
    EXTENT_WHOLE, is_freezing, NONE, RANK_ONE, SHAPE_RUN, WAY_FIT_FULL, WAY_FIT_RUN, WAY_FIT_SET, WAY_NATURAL_WILD,
    WAY_PAIR, WAY_TRIPLE,
)
from sitoumus.engine.melds cimport (
    can_add, is_wild_for, meld_naturals, meld_points, run_ends, start_meld, start_run, tally_clear, tally_meld,
    two_bit_sum,
)
from sitoumus.engine.goals cimport CNeed, COut
from sitoumus.engine.state cimport CPublic, MAX_MELDS
from sitoumus.engine.actions cimport act_locks, act_suits, act_take, act_target, act_wild
from sitoumus.engine.opening cimport can_open
from sitoumus.engine.going_out cimport out_terms, take_can_end
from sitoumus.engine.laying cimport lay_new, lay_on, lay_step, play_card, set_of_three
from sitoumus.engine.first_melds cimport need_for, opening_goes_out, opening_suffices

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
