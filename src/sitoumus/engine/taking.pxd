# Taking the pile: in which ways, with which cards and how deep (R23 to R26).
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from sitoumus.engine.cards cimport (
    card_bit, card_rank, CHand, ctz64, DEUCE, hand_add, hand_clear, hand_count, hand_has, hand_merge, hand_part,
    hand_remove, JOKER, rank_count, suit_multisets,
)
from sitoumus.engine.tables cimport (
    ALWAYS, CKind, CMeld, CRules, EMPTY_END_AFTER_TURN, EMPTY_FORCED_FIT, EMPTY_MAY_FIT, EXTENT_TO_NEXT_FREEZER,
    EXTENT_WHOLE, is_freezing, NONE, RANK_ONE, WAY_FIT_FULL, WAY_FIT_RUN, WAY_FIT_SET, WAY_NATURAL_WILD, WAY_PAIR,
    WAY_TRIPLE,
)
from sitoumus.engine.melds cimport (
    add_card, can_add, is_wild_for, meld_complete, meld_naturals, run_ends, set_place, start_meld, tally_complete,
    two_bit_sum,
)
from sitoumus.engine.goals cimport CNeed
from sitoumus.engine.state cimport CPublic
from sitoumus.engine.actions cimport (
    act_locks, act_suits, act_take, act_target, act_wilds, N_WILD_SETS, wild_count, WILD_SETS,
)
from sitoumus.engine.going_out cimport take_can_end
from sitoumus.engine.laying cimport lay_new, lay_on, play_card, set_of_three
from sitoumus.engine.first_melds cimport need_for, opening_suffices

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


cdef inline bint cards_join(const CRules* r, const CMeld* m, int naturals, int wilds) noexcept nogil:
    """So many naturals and wild cards can be added to a set one by one in some order (F7)."""
    cdef const CKind* k = &r.kind[m.kind]
    cdef int n = meld_naturals(m), w = m.wilds, i, j
    cdef uint32_t now = 1, then             # bit j: j of the wild cards lie, beside i of the naturals
    if n + naturals > 12 or w + wilds > 3:
        return False
    for i in range(naturals + 1):
        for j in range(wilds):
            if (now >> j) & 1 and k.add_wild[n + i][w + j] == ALWAYS:
                now |= <uint32_t>2 << j
        if i == naturals:
            break
        then = 0
        for j in range(wilds + 1):
            if (now >> j) & 1 and k.add_natural[n + i][w + j] == ALWAYS:
                then |= <uint32_t>1 << j
        now = then
    return (now >> wilds) & 1


cdef inline bint cards_start(const CRules* r, int kind, int naturals, int wilds) noexcept nogil:
    """So many naturals and wild cards make a new set: three of them start it, the others join in some order."""
    cdef CMeld m
    cdef int w
    m.kind = <uint8_t>kind
    m.size = 3
    for w in range(wilds + 1):
        if w > 2 or 3 - w > naturals or not r.kind[kind].ok[3 - w][w]:
            continue
        m.wilds = <uint8_t>w
        if cards_join(r, &m, naturals - 3 + w, wilds - w):
            return True
    return False


cdef inline int take_cards(uint32_t a, int top, uint8_t* cards) noexcept nogil:
    """The hand cards of a take, 14 at most, into an array that has room for 16; their number."""
    cdef int n = 0, suit, card, wilds = act_wilds(a)
    for suit in range(4):                    # without a branch: how many of a suit cannot be guessed
        card = 16 * suit + card_rank(top)
        cards[n] = <uint8_t>card
        cards[n + 1] = <uint8_t>card
        cards[n + 2] = <uint8_t>card
        n += (a >> (5 + 2 * suit)) & 3
    while wilds:
        suit = ctz64(<uint64_t>wilds) >> 1
        card = JOKER if suit == 4 else 16 * suit + DEUCE
        cards[n] = <uint8_t>card
        n += 1
        wilds -= 1 << (2 * suit)
    return n


cdef inline void take_top(const CRules* r, CPublic* p, CHand* h, uint32_t a) noexcept nogil:
    """The hand cards of a take and the top card make their meld."""
    cdef uint8_t cards[16]
    cdef CMeld m
    cdef int top = pile_top(p), side = r.side_of[p.player], i, n = take_cards(a, top, cards)
    p.pile_n -= 1
    p.freezers -= is_freezing(r, top)
    hand_remove(&p.in_pile, top)
    for i in range(n):
        play_card(p, h, p.player, cards[i])
    if act_target(a):
        take_joins(r, p, side, act_target(a) - 1, cards, n, top)
        return
    cards[n] = <uint8_t>top
    if n != 2 or not set_of_three(r, &m, cards):
        start_meld(r, &m, cards, n + 1)
    lay_new(r, p, side, &m)


cdef inline void apply_take(const CRules* r, CPublic* p, CHand* h, uint32_t a) noexcept nogil:
    """The pile changes hands; opening and phase are the caller's."""
    cdef CHand got
    cdef int seat = p.player, side = r.side_of[p.player], i, card, depth
    freezers_in_a_row(r, p, &depth)
    if act_locks(a):
        depth += act_locks(a) - least_locks(r, p)
    take_top(r, p, h, a)
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
    """Hand cards and top card join an own meld; in which order the meld takes them does not show in it (F7)."""
    cdef CMeld* m = &p.melds[side][index]
    cdef uint64_t bit = <uint64_t>1 << index
    cdef int i
    if n <= 0:                          # 0, most often: the top card alone
        lay_on(r, p, side, index, top)
        return
    tally_complete(r, &p.tally[side], m, -1)
    for i in range(n + 1):
        add_card(r, m, cards[i] if i < n else top)
        p.tally[side].points += r.points[cards[i] if i < n else top]
        hand_add(&p.in_melds, cards[i] if i < n else top)
    tally_complete(r, &p.tally[side], m, 1)
    if p.growing[side] & bit and meld_complete(r, m):
        p.growing[side] &= ~bit
        p.young[side] -= set_place(r, m)
        p.old[side] += set_place(r, m)
    p.laid = 1
    if index < p.start_melds:
        p.touched = 1


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
    cdef int depth, used = two_bit_sum(<uint8_t>act_suits(a)) + wild_count(act_wilds(a))
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
    cdef int points = 0, suit, rank = card_rank(pile_top(p)), wilds = act_wilds(a)
    if r.top_counts or r.pair_counts:
        for suit in range(4):
            points += ((a >> (5 + 2 * suit)) & 3) * r.points[16 * suit + rank]
        points += wild_count(wilds & 255) * r.points[DEUCE] + (wilds >> 8) * r.points[JOKER]
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
    cdef int side = r.side_of[p.player], kind = r.set_kind[card_rank(pile_top(p))], i, least = 0
    cdef int naturals = two_bit_sum(<uint8_t>suits) + 1, wilds = wild_count(WILD_SETS[wild])
    cdef bint new_set = cards_start(r, kind, naturals, wilds) and not (sets and r.kind[kind].per_rank == RANK_ONE)
    cdef const CMeld* m
    cdef uint32_t a
    if not p.opened[side] and r.top_counts and kind == r.deuce_kind:
        least = need.deuce_min                               # R15.2: the set belongs to the opening
    while sets:
        i = ctz64(sets)
        sets &= sets - 1
        m = &p.melds[side][i]
        if (r.new_set_from and m.size >= r.new_set_from) or not cards_join(r, m, naturals, wilds):
            continue
        a = act_take(suits, wild, i + 1, 0)
        if p.opened[side] or (naturals + meld_naturals(m) >= least and take_opens(r, p, a, need)):
            n = with_locks(r, p, h, a, out, n)
    if new_set:
        a = act_take(suits, wild, 0, 0)
        if p.opened[side] or (naturals >= least and take_opens(r, p, a, need)):
            n = with_locks(r, p, h, a, out, n)
    return n


cdef inline int wilds_held(const CRules* r, const CHand* h, int kind, int most) noexcept nogil:
    """Wild cards of a hand for sets of a kind: deuces by suit and jokers, two bits each, `most` of each at most."""
    cdef int held = 0, suit, count
    if r.kind[kind].wild_deuces:
        for suit in range(4):
            count = hand_count(h, 16 * suit + DEUCE)
            held |= (count if count < most else most) << (2 * suit)
    if r.kind[kind].wild_jokers:
        held |= (h.jokers if h.jokers < most else most) << 8
    return held


cdef inline bint wilds_within(int some, int all_) noexcept nogil:
    """These wild cards, deuces by suit and jokers, are among those."""
    return ((some & 3) <= (all_ & 3) and (some & 12) <= (all_ & 12) and (some & 48) <= (all_ & 48)
            and (some & 192) <= (all_ & 192) and (some & 768) <= (all_ & 768))


cdef inline bint names_enough(int ways, int naturals, int wilds) noexcept nogil:
    """So many hand cards hold those that the pile needs in one of these ways (F5)."""
    return (ways & (WAY_PAIR * (naturals >= 2) | WAY_TRIPLE * (naturals >= 3)
                    | WAY_NATURAL_WILD * (naturals >= 1 and wilds >= 1))) != 0


cdef inline int list_named_takes(const CRules* r, const CPublic* p, const CHand* h, int ways, uint64_t sets,
                                 uint32_t* out, int n, CNeed* need) noexcept nogil:
    """Append the takes with hand cards of a side that has not opened, where the take counts: they name all cards of
    the set that are to count, so every choice that holds what the pile needs (F5)."""
    cdef int rank = card_rank(pile_top(p)), a, b, c, d, suit, i, held = wilds_held(r, h, r.set_kind[rank], 3)
    cdef int have[4]
    for suit in range(4):
        have[suit] = hand_count(h, 16 * suit + rank)
    for a in range(have[0] + 1):
        for b in range(have[1] + 1):
            for c in range(have[2] + 1):
                for d in range(have[3] + 1):
                    for i in range(N_WILD_SETS if held else 1):
                        if wilds_within(WILD_SETS[i], held) and names_enough(ways, a + b + c + d,
                                                                             wild_count(WILD_SETS[i])):
                            n = add_take(r, p, h, a | (b << 2) | (c << 4) | (d << 6), i, sets, out, n, need)
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
    if r.top_counts and not p.opened[side]:
        return list_named_takes(r, p, h, ways, sets, out, n, &need)
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


cdef inline int take_depth_most(const CRules* r, const CPublic* p) noexcept nogil:
    """Cards of the longest lawful take."""
    cdef int depth, most = freezers_in_a_row(r, p, &depth)
    return depth + most - least_locks(r, p) if most else depth
