# The legal single steps of a position, phase by phase.
#
# Every step listed leaves a position from which the turn can still be ended lawfully (B19c, F4), so nobody ever gets
# stuck. Legality looks at the public part and at the hand of the player to act, never at hidden cards (D22).
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from sitoumus.engine.cards cimport (
    at_least_two, card_bit, card_suit, CHand, ctz64, DEUCE, hand_count, JOKER, next_rank, NO_CARD, prev_rank,
    rank_count, rank_mask, suit_multisets, THREE,
)
from sitoumus.engine.tables cimport (
    ASK_NONE, CKind, CMeld, CRules, EMPTY_FORCED_FIT, EMPTY_FORCED_MAY, NONE, RANK_MANY, RANK_ONE, SHAPE_RUN,
    SHAPE_WILD, WAY_FIT_RUN,
)
from sitoumus.engine.melds cimport meld_complete, starts_of_three
from sitoumus.engine.goals cimport CNeed
from sitoumus.engine.state cimport (
    ASKED_NOT, CPublic, MAX_LAYS, PHASE_AUCTION, PHASE_DRAW, PHASE_MELD, PHASE_OPENING, PHASE_REPLY,
    PHASE_TAKEN, V_ADD, V_ASK, V_BID, V_BUY, V_DISCARD, V_DONE, V_DOUBLE, V_DRAW, V_END, V_EXTRA, V_FAIL, V_NO,
    V_PASS, V_TAKE, V_YES,
)
from sitoumus.engine.actions cimport (
    act_add, act_black, act_card, act_meld, act_merge, act_suits, act_take, act_target, act_wilds, meld_action,
    verb_of,
)
from sitoumus.engine.auction cimport may_double
from sitoumus.engine.going_out cimport may_go_out, may_merge
from sitoumus.engine.laying cimport lay_step, step_can_end
from sitoumus.engine.first_melds cimport need_for, opening_goes_on, opening_suffices, opens_after
from sitoumus.engine.taking cimport freezers_in_a_row, least_locks, list_takes, pile_top, take_ends, ways_now
from sitoumus.engine.opening_takes cimport opening_can_take, opens_before_take, transfer_path

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
    cdef uint32_t steps[MAX_LAYS]
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
        if verb_of(takes[i]) == V_TAKE and act_suits(takes[i]) == 0 and act_wilds(takes[i]) == 0:
            return True
    return False


cdef inline int generate_draw(const CRules* r, const CPublic* p, const CHand* h, uint32_t* out) noexcept nogil:
    cdef uint32_t steps[MAX_LAYS]
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


cdef inline int generate_free(const CRules* r, const CPublic* p, const CHand* h, uint32_t* out) noexcept nogil:
    """List what the player to act, whose hand is h, may do, as far as no answer of his partner binds him; the number.

    At most MAX_ACTIONS, of which starts, additions and black threes are at most MAX_LAYS.

    Starts: of a rank 20 times three naturals and 10 pairs with one of 5 wild cards, over 11 ranks; 35 times three wild
    cards; 52 runs: 857. Additions: at most nine cards (four naturals, four deuces, a joker) to each of the 54 melds
    that 162 cards can make: 486. Black threes: 16 choices. Together 1,359 are below MAX_LAYS.

    Takes of a side that has opened, or whose take does not count: 10 pairs, 20 triples and 4 x 5 naturals with a wild
    card, each as a new set or onto one of at most 5 sets that leave a pair of the rank in hand, with up to 30 freezing
    cards: 9,000; and the top card alone onto 54 melds with up to 30: 1,620.

    Takes that name all that counts (F5) bring the pile whole. Of the top's suit at most two cards are in hand, of the
    other suits three: 3 x 4 x 4 x 4 = 192 choices of naturals, the empty one left out, and 56 of up to three wild
    cards; the four single naturals need a wild card: 191 x 56 - 4 = 10,692 as a new set. A set of the rank that lies
    already holds two of these naturals at least, and a wild card if it has no third: then 107 x (56 + 21) or
    80 x (56 + 56) choices at most, which is less, and still less with more sets.

    So phase draw has at most 10,692 takes, or 10,620, 1,359 melds and additions before the take, and three other
    steps: 12,054. In the phases taken and meld all starts, additions, black threes, at most 54 x 53 / 2 merges, 53
    discards, 2 cards to buy with, an extra card and the question are 2,847.
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
