# The random policy: a verb uniformly among those with a legal action, then uniformly among its actions.
#
# It draws one action without listing them all; its chances are those of the list.
from libc.stdint cimport uint8_t, uint32_t, uint64_t, int16_t, int32_t
from libc.string cimport memset
from sitoumus.engine.cards cimport (
    at_least_two, card_bit, CHand, ctz64, DEUCE, JOKER, next_rank, ONES, popcount64, prev_rank, rank_count,
    rank_mask, suits_of_rank, THREE,
)
from sitoumus.engine.rng cimport bounded, next32, small, Stream
from sitoumus.engine.tables cimport CMeld, CRules, JOINS_NATURAL, JOINS_SOME_WILD, JOINS_WILD, NONE, OUT_RUN
from sitoumus.engine.melds cimport run_ends, starts_of_three
from sitoumus.engine.goals cimport CNeed
from sitoumus.engine.state cimport (
    CPublic, MAX_ACTIONS, MAX_LAYS, MAX_MELDS, N_VERBS, PHASE_DRAW, PHASE_MELD, PHASE_OPENING,
    PHASE_TAKEN, V_ADD, V_ASK,
    V_BID, V_BUY, V_DISCARD, V_DONE, V_DOUBLE, V_DRAW, V_EXTRA, V_FAIL, V_MELD, V_MERGE, V_PASS, V_TAKE, V_YES,
)
from sitoumus.engine.actions cimport act_add, act_card, act_meld, meld_action, verb_of
from sitoumus.engine.auction cimport may_double
from sitoumus.engine.going_out cimport may_go_out
from sitoumus.engine.laying cimport step_can_end
from sitoumus.engine.first_melds cimport need_for, opening_goes_on, opening_suffices, opens_after
from sitoumus.engine.taking cimport list_takes, take_in_sight, ways_now
from sitoumus.engine.opening_takes cimport opening_can_take, opens_before_take
from sitoumus.engine.generate cimport (
    list_adds, list_black, list_merges, list_starts, list_wild_starts, may_ask, rank_is_free,
)
from sitoumus.engine.binding cimport generate

cdef extern from *:
    """
    static const unsigned char sit_suits_of[16] = {   /* the suits in a mask of four, two bits each, lowest first */
        0, 0, 1, 4, 2, 8, 9, 36, 3, 12, 13, 52, 14, 56, 57, 228};
    """
    const uint8_t* SUITS_OF "sit_suits_of"

cdef enum:
    TRIES = 6             # random melds tried before all are listed
    MAX_WILD_STARTS = 35  # multisets of three of five kinds of wild cards


# ---- random ----------------------------------------------------------------------------------------------------------

cdef inline uint32_t random_call(const CRules* r, const CPublic* p, Stream* s) noexcept nogil:
    """Pass 1/2, double 1/8 where legal, else the k-th next higher bid with weight 2^-k."""
    cdef uint32_t x = bounded(s, 8)
    cdef int bid = 0 if p.last_bid == NONE else p.last_bid + 1, top = 6 * r.max_level - 1
    if x < 4 or bid > top:
        return V_PASS
    if x == 4 and may_double(r, p):
        return V_DOUBLE
    while bid < top and next32(s) & 1:
        bid += 1
    return act_card(V_BID, bid)


cdef inline uint32_t random_listed(const CRules* r, const CPublic* p, const CHand* h, Stream* s) noexcept nogil:
    """A verb uniformly among those with a legal action, then uniformly among its actions: by listing them all."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef int count[N_VERBS]
    cdef int n, i, verb, verbs = 0, k
    n = generate(r, p, h, steps)
    if n == 1:
        return steps[0]
    memset(count, 0, sizeof(count))
    for i in range(n):
        verb = verb_of(steps[i])
        verbs += count[verb] == 0
        count[verb] += 1
    k = <int>small(s, <uint32_t>verbs)
    for verb in range(N_VERBS):
        if count[verb]:
            if k == 0:
                break
            k -= 1
    k = <int>small(s, <uint32_t>count[verb])
    for i in range(n):
        if verb_of(steps[i]) == verb:
            if k == 0:
                return steps[i]
            k -= 1
    return steps[0]


cdef inline int four_sum(uint64_t p) noexcept nogil:
    """Number of the bits of p, which are at most 0, 16, 32 and 48."""
    return <int>((p * ONES) >> 48)


cdef inline uint64_t nth_bit(uint64_t bits, int k) noexcept nogil:
    """The bits from the k-th on, 0 if there are no more."""
    while k and bits:
        bits &= bits - 1
        k -= 1
    return bits


cdef inline int twos(int n) noexcept nogil:
    """Pairs of n things."""
    return n * (n - 1) // 2


cdef inline int place_of(int suits, int k) noexcept nogil:
    """The k-th suit in a mask, times 16."""
    return (SUITS_OF[suits] >> (2 * k) & 3) << 4


cdef struct CStarts:          # the smallest sets of a rank in a hand: suits with one, two, three of it, their numbers
    int32_t one, two, three
    int32_t n_one, n_two
    int32_t threes            # sets of three naturals: 0 where none may be laid
    int32_t deuces, wilds     # different deuces, wild cards, that may join two


cdef inline int set_starts(const CRules* r, const CHand* h, int kind, int rank, CStarts* c) noexcept nogil:
    """Count what list_set_starts lists."""
    c.one = suits_of_rank(h.p1, rank)
    c.two = suits_of_rank(h.p2, rank)
    c.n_one = four_sum((h.p1 >> rank) & ONES)
    c.n_two = four_sum((h.p2 >> rank) & ONES)
    c.threes = 0
    if r.kind[kind].ok[3][0]:
        c.three = suits_of_rank(h.p3, rank)
        c.threes = c.n_one * twos(c.n_one - 1) // 3 + c.n_two * (c.n_one - 1) + four_sum((h.p3 >> rank) & ONES)
    c.deuces = 0
    c.wilds = 0
    if r.kind[kind].ok[2][1]:
        if r.kind[kind].wild_deuces:
            c.deuces = four_sum((h.p1 >> DEUCE) & ONES)
        c.wilds = c.deuces + ((r.kind[kind].wild_jokers != 0) & (h.jokers != 0))
    return c.threes + c.wilds * (twos(c.n_one) + c.n_two)


cdef inline uint32_t nth_set_start(const CHand* h, int rank, const CStarts* c, int k) noexcept nogil:
    """The k-th of them."""
    cdef int i, j, n
    if k < c.threes:
        n = c.n_one * twos(c.n_one - 1) // 3               # of three suits: all of four but one
        if k < n:
            i = 3 - k
            return act_meld(place_of(c.one, i == 0) + rank, place_of(c.one, 1 + (i <= 1)) + rank,
                            place_of(c.one, 2 + (i <= 2)) + rank)
        k -= n
        if k < c.n_two * (c.n_one - 1):                    # two of a suit, one of another
            n = k // (c.n_one - 1)
            i = place_of(c.two, n) + rank
            n = k - n * (c.n_one - 1)
            j = place_of(c.one, n) + rank
            if j >= i:
                return act_meld(i, i, place_of(c.one, n + 1) + rank)
            return act_meld(j, i, i)
        i = place_of(c.three, k - c.n_two * (c.n_one - 1)) + rank
        return act_meld(i, i, i)
    k -= c.threes
    n = k // c.wilds
    k -= n * c.wilds
    if n < c.n_two:
        i = place_of(c.two, n)
        j = i
    else:
        n -= c.n_two                                       # pairs of places: 01 02 12 03 13 23
        j = 1 + (n > 0) + (n > 2)
        i = place_of(c.one, n - twos(j))
        j = place_of(c.one, j)
    return meld_action(i + rank, j + rank,
                       place_of(suits_of_rank(h.p1, DEUCE), k) + DEUCE if k < c.deuces else JOKER)


cdef inline int wild_starts(const CHand* h) noexcept nogil:
    """Count what list_wild_starts lists: multisets of three."""
    cdef int one = four_sum((h.p1 >> DEUCE) & ONES) + (h.jokers >= 1)
    cdef int two = four_sum((h.p2 >> DEUCE) & ONES) + (h.jokers >= 2)
    return one * twos(one - 1) // 3 + two * (one - 1) + four_sum((h.p3 >> DEUCE) & ONES) + (h.jokers >= 3)


cdef inline uint64_t two_or_three(const CRules* r, const CHand* h) noexcept nogil:
    """Lowest bits of the nibbles of ranks with three cards, or with two where a wild card is in hand."""
    cdef uint64_t wild = 0 - <uint64_t>((h.jokers | (h.p1 & r.wild_deuces)) != 0)
    return (((h.rc >> 1) & (h.rc | wild)) | (h.rc >> 2) | (h.rc >> 3)) & 0x1111111111111ULL


cdef inline uint32_t random_start(const CRules* r, const CPublic* p, const CHand* h, Stream* s) noexcept nogil:
    """One of what list_starts lists, 0 if it is nothing."""
    cdef uint32_t wild[MAX_WILD_STARTS]
    cdef CStarts c[13]
    cdef uint8_t rank_at[13]
    cdef int16_t count[13]
    cdef uint64_t ranks = two_or_three(r, h)
    cdef uint64_t runs = starts_of_three(r, h.p1)
    cdef int n = popcount64(runs), at = 0, rank, low, k, wilds = 0
    while ranks:
        rank = ctz64(ranks) >> 2
        ranks &= ranks - 1
        if r.set_kind[rank] != NONE and rank_is_free(r, p, r.side_of[p.player], r.set_kind[rank], rank):
            rank_at[at] = <uint8_t>rank
            count[at] = <int16_t>set_starts(r, h, r.set_kind[rank], rank, &c[at])
            n += count[at]
            at += 1
    if r.wild_kind != NONE:
        wilds = wild_starts(h)
        n += wilds
    if n == 0:
        return 0
    k = <int>small(s, <uint32_t>n) if n > 1 else 0
    if k < wilds:
        list_wild_starts(r, h, wild)
        return wild[k]
    k -= wilds
    for n in range(at):
        if k < count[n]:
            return nth_set_start(h, rank_at[n], &c[n], k)
        k -= count[n]
    low = ctz64(nth_bit(runs, k))
    rank = low & 15
    n = low & 48
    return meld_action(low, n + next_rank(rank), n + next_rank(next_rank(rank)))


cdef inline uint32_t random_fit(const CRules* r, const CPublic* p, const CHand* h, Stream* s) noexcept nogil:
    """One of what list_adds lists where no step is for going out only, 0 if it is nothing."""
    cdef uint32_t steps[MAX_LAYS]
    cdef uint32_t takers[MAX_MELDS]       # sets that take every wild card
    cdef int side = r.side_of[p.player], i, n = 0, n_takers = 0, deuces = four_sum((h.p1 >> DEUCE) & ONES), wilds, k
    cdef int joins
    cdef const CMeld* m
    cdef uint64_t left = p.running[side], fits, last = <uint64_t>1 << 63
    # the first card that fits is noted without a branch: whether there is one cannot be guessed
    while left:
        i = ctz64(left)
        left &= left - 1
        m = &p.melds[side][i]
        fits = run_ends(r, m) & h.p1
        steps[n] = act_add(ctz64(fits | last), i + 1)
        n += fits != 0
        fits &= fits - 1
        steps[n] = act_add(ctz64(fits | last), i + 1)
        n += fits != 0
    left = ((<uint64_t>1 << p.n_melds[side]) - 1) & ~p.running[side]
    while left:
        i = ctz64(left)
        left &= left - 1
        m = &p.melds[side][i]
        joins = r.kind[m.kind].joins[m.size - m.wilds][m.wilds]
        fits = h.p1 & rank_mask(m.key) & (0 - <uint64_t>(joins & JOINS_NATURAL))
        steps[n] = act_add(ctz64(fits | last), i + 1)
        n += fits != 0
        fits &= fits - 1
        while fits:
            steps[n] = act_add(ctz64(fits), i + 1)
            n += 1
            fits &= fits - 1
        takers[n_takers] = act_add(0, i + 1)
        n_takers += (joins & JOINS_WILD) >> 1
        if joins & JOINS_SOME_WILD:
            fits = h.p1 & rank_mask(DEUCE) if r.kind[m.kind].wild_deuces else 0
            while fits:
                steps[n] = act_add(ctz64(fits), i + 1)
                n += 1
                fits &= fits - 1
            if r.kind[m.kind].wild_jokers and h.jokers:
                steps[n] = act_add(JOKER, i + 1)
                n += 1
    wilds = deuces + (h.jokers != 0)
    k = n + n_takers * wilds
    if k == 0:
        return 0
    k = <int>small(s, <uint32_t>k) if k > 1 else 0
    if k < n:
        return steps[k]
    k -= n
    i = k // wilds
    k -= i * wilds
    return takers[i] | <uint32_t>(place_of(suits_of_rank(h.p1, DEUCE), k) + DEUCE if k < deuces else JOKER) << 5


cdef inline bint step_is_legal(const CRules* r, const CPublic* p, const CHand* h, uint32_t a) noexcept nogil:
    """A meld or add that the hand allows is legal."""
    if p.opened[r.side_of[p.player]]:
        return step_can_end(r, p, h, a)
    if p.phase == PHASE_DRAW:
        return opens_before_take(r, p, h, a)
    return opens_after(r, p, h, a)


cdef inline uint32_t draw_legal(const CRules* r, const CPublic* p, const CHand* h, uint32_t* steps, int n,
                                Stream* s) noexcept nogil:
    """One of the legal ones among these melds and adds, each with equal chance; 0 if there is none. They are drawn
    and tried until one is legal."""
    cdef uint32_t a
    cdef int k
    while n:
        k = <int>small(s, <uint32_t>n) if n > 1 else 0
        a = steps[k]
        n -= 1
        steps[k] = steps[n]
        if verb_of(a) == V_ADD:
            a &= 0x7FFFFFFF
        if step_is_legal(r, p, h, a):
            return a
    return 0


cdef inline uint32_t random_meld(const CRules* r, const CPublic* p, const CHand* h, Stream* s) noexcept nogil:
    """One of the legal melds, 0 if there is none."""
    cdef uint32_t steps[MAX_LAYS]
    cdef uint32_t a
    cdef int n
    cdef bint begun = p.n_melds[r.side_of[p.player]] > 0, opened = p.opened[r.side_of[p.player]]
    cdef bint black = h.n <= r.black_max + 1 and rank_count(h, THREE) >= 3 and (
        opened or (r.waive and p.phase == PHASE_MELD))
    if not black:
        if opened and h.n >= 5:                        # all starts are legal, and no others
            return random_start(r, p, h, s)
        for n in range(0 if opened else TRIES):        # most starts open, or none does
            if n == 1 and not begun and not (opening_can_take(r, p, h) if p.phase == PHASE_DRAW
                                             else opening_goes_on(r, p, h)):
                return 0
            a = random_start(r, p, h, s)
            if a == 0 or step_is_legal(r, p, h, a):
                return a
    n = list_starts(r, p, h, steps)
    if black:
        n += list_black(r, p, h, steps + n)
    return draw_legal(r, p, h, steps, n, s)


cdef inline bint full_run_grows(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """A card of the hand lies at an end of an own complete sequence, which may grow when going out."""
    cdef uint64_t left = ~p.growing[r.side_of[p.player]] & (((<uint64_t>1) << p.n_melds[r.side_of[p.player]]) - 1)
    cdef const CMeld* m
    if p.tally[r.side_of[p.player]].count[OUT_RUN] == 0:
        return False
    while left:
        m = &p.melds[r.side_of[p.player]][ctz64(left)]
        left &= left - 1
        if r.kind[m.kind].grow_out and h.p1 & (card_bit(16 * m.key + prev_rank(m.start))
                                               | card_bit(16 * m.key + (m.start + m.size) % 13)):
            return True
    return False


cdef inline uint32_t random_add(const CRules* r, const CPublic* p, const CHand* h, Stream* s) noexcept nogil:
    """One of the legal additions, 0 if there is none."""
    cdef uint32_t steps[MAX_LAYS]
    if p.opened[r.side_of[p.player]] and h.n >= 3 and not (r.runs_grow and full_run_grows(r, p, h)):
        return random_fit(r, p, h, s)
    return draw_legal(r, p, h, steps, list_adds(r, p, h, steps), s)


cdef inline uint32_t random_take(const CRules* r, const CPublic* p, const CHand* h, int ways,
                                 Stream* s) noexcept nogil:
    """One of the lawful takes by these ways, 0 if there is none."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef int n = list_takes(r, p, h, ways, steps)
    return steps[small(s, <uint32_t>n)] if n else 0


cdef inline uint32_t random_verb(const CRules* r, const CPublic* p, const CHand* h, uint8_t* verbs, int n,
                                 Stream* s) noexcept nogil:
    """A verb uniformly among those of these with a legal action, then uniformly among its actions; 0 if none has one.
    Verbs are drawn and tried until one has an action, which gives all that have one the same chance."""
    cdef uint32_t steps[MAX_LAYS]
    cdef uint32_t a
    cdef uint64_t cards
    cdef int k, verb, listed
    while n:
        k = <int>small(s, <uint32_t>n) if n > 1 else 0
        verb = verbs[k]
        if verb == V_DISCARD:
            k = popcount64(h.p1) + (h.jokers != 0)
            cards = nth_bit(h.p1, <int>small(s, <uint32_t>k) if k > 1 else 0)
            return act_card(V_DISCARD, ctz64(cards) if cards else JOKER)
        if verb == V_MELD:
            a = random_meld(r, p, h, s)
        elif verb == V_ADD:
            a = random_add(r, p, h, s)
        elif verb == V_TAKE:
            a = random_take(r, p, h, ways_now(r, p), s)
        elif verb == V_MERGE:
            listed = list_merges(r, p, h, steps)
            a = steps[small(s, <uint32_t>listed)] if listed else 0
        elif verb == V_BUY:
            cards = h.p1 & r.buy
            if cards & (cards - 1):
                cards = nth_bit(cards, <int>small(s, <uint32_t>popcount64(cards)))
            return act_card(V_BUY, ctz64(cards))
        else:
            return <uint32_t>verb
        if a:
            return a
        n -= 1
        verbs[k] = verbs[n]
    return 0


cdef inline bint start_in_sight(const CRules* r, const CHand* h) noexcept nogil:
    """A quick look does not rule out that a meld can be started."""
    cdef bint found = (two_or_three(r, h) | starts_of_three(r, h.p1)) != 0
    if r.wild_kind != NONE:
        found |= h.jokers + rank_count(h, DEUCE) >= 3
    return found


cdef inline bint draw_alone(const CRules* r, const CPublic* p, const CHand* h, int ways) noexcept nogil:
    """Phase draw: a quick look says that drawing from the stock is all there is. ways: those that are open."""
    if p.stock_n == 0 or r.ask_any or p.opening or p.transfer_to or r.transfer_new:
        return False
    return not take_in_sight(r, p, h, ways)


cdef inline uint32_t random_step(const CRules* r, const CPublic* p, const CHand* h, Stream* s) noexcept nogil:
    """A verb uniformly among those with a legal action, then uniformly among its actions.

    Where it can be told which verbs may have an action, they are drawn and tried; all steps are listed only where
    that is not plain."""
    cdef uint8_t verbs[8]
    cdef CNeed need
    cdef uint32_t a = 0
    cdef int n = 0, side = r.side_of[p.player], ways
    cdef bint opened = p.opened[side]
    if p.bound:
        return random_listed(r, p, h, s)
    if p.phase == PHASE_DRAW:
        ways = ways_now(r, p)
        if draw_alone(r, p, h, ways):
            return V_DRAW
        if p.stock_n == 0 or p.transfer_to or r.transfer_new:
            return random_listed(r, p, h, s)
        if opened and not r.ask_any:                   # the two verbs that are left, drawn as random_verb does
            a = random_take(r, p, h, ways, s) if small(s, 2) == 0 else 0
            return a if a else V_DRAW
        if not opened:
            need_for(r, p, &need)
            verbs[n] = V_MELD                          # it melds before it takes (R23.2, D3)
            n += 1
        if opened or p.opening or r.top_counts or r.pair_counts or need.minimum < 1:
            verbs[n] = V_TAKE
            n += 1
        verbs[n] = V_ADD if p.opening else V_DRAW
        n += 1
        verbs[n] = V_ASK
        if r.ask_any and not p.opening and may_ask(r, p, h):
            n += 1
        return random_verb(r, p, h, verbs, n, s)
    if p.phase == PHASE_MELD or p.phase == PHASE_TAKEN:
        if p.must_out | p.discard_only | ((r.waive != 0) & (h.n == 1)):
            return random_listed(r, p, h, s)
        if p.opening and not opened:
            verbs[0] = V_MELD
            verbs[1] = V_ADD
            a = random_verb(r, p, h, verbs, 2, s)
            return a if a else random_listed(r, p, h, s)
        verbs[n] = V_MELD
        n += (h.n >= 3) & start_in_sight(r, h)
        verbs[n] = V_EXTRA
        n += (p.phase == PHASE_TAKEN) & (r.draw_after != 0) & (p.stock_n != 0) & opened
        verbs[n] = V_ADD
        n += opened
        verbs[n] = V_MERGE
        n += opened & r.merges & (at_least_two(p.young[side]) != 0)
        if h.n >= 2 or (h.n == 1 and may_go_out(r, p, p.player)):
            verbs[n] = V_BUY
            n += (p.stock_n != 0) & ((h.p1 & r.buy) != 0)
            verbs[n] = V_DISCARD
            n += 1
        verbs[n] = V_ASK
        n += may_ask(r, p, h)
        return random_verb(r, p, h, verbs, n, s)
    if p.phase == PHASE_OPENING:
        if p.n_melds[side]:
            need_for(r, p, &need)
            if h.n >= 1 and opening_suffices(r, p.melds[side], p.n_melds[side], &need, 0):
                verbs[0] = V_DONE
                n = 1
            verbs[n] = V_ADD
            n += 1
        verbs[n] = V_MELD
        a = random_verb(r, p, h, verbs, n + 1, s)
        return a if a else <uint32_t>V_FAIL
    return V_YES + small(s, 2)
