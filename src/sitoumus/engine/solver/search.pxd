# The search of the opening solver: which cards stand in runs, so that the rest loses least.
#
# A node is what may stand in runs and what must. All that can, does; the loss of the rest is a solution. The bound lets
# every card that may go either way go where it is wanted. Where they differ, one card whose rank is wanted elsewhere is
# kept out of the runs, or kept in. Laid runs are lengthened first, in every way the hand allows.
from libc.stdint cimport uint64_t
from sitoumus.engine.cards cimport (
    at_least_one, at_least_two, ctz64, DEUCE, next_rank, popcount64, prev_rank, rank_mask, THREE,
)
from sitoumus.engine.solver.tables cimport BLACK_NIBBLE, COpening, IMPOSSIBLE
from sitoumus.engine.solver.runs cimport cover, place_nibbles, run_cards_of, run_places, run_starts
from sitoumus.engine.solver.groups cimport CExtension, CSolve, CView, group_loss, least_loss, look_at

cdef inline uint64_t use_nibbles(const CSolve* s, const uint64_t* q) noexcept nogil:
    """Cards in runs, by rank."""
    cdef const COpening* o = s.o
    cdef uint64_t use = place_nibbles(o, q[0]), b, k
    if q[1]:
        use += place_nibbles(o, q[1])
        if q[2]:
            use += place_nibbles(o, q[2])
    if s.split:
        b = o.black
        if q[0] & b:
            k = popcount64(q[0] & b) + popcount64(q[1] & b) + popcount64(q[2] & b)
            use += (k << (4 * BLACK_NIBBLE)) - (k << (4 * THREE))
    return use


cdef inline uint64_t wanted_rank(const CSolve* s, uint64_t a, uint64_t f, const CView* v) noexcept nogil:
    """A rank, as the lowest bit of its nibble, of which a card that may stand in a run could be better elsewhere; the
    most promising first, 0 if there is none."""
    cdef uint64_t nf = at_least_one(f), m = v.single & nf, e
    cdef int i
    if v.wilds < v.n_pairs:
        if (nf >> (4 * DEUCE)) & 1:
            return <uint64_t>1 << (4 * DEUCE)
        m |= v.pairs & nf
    if m:
        for i in range(s.price.n_classes - 1, 0, -1):
            if m & s.price.class_ranks[i]:
                m &= s.price.class_ranks[i]
                break
        return m & (~m + 1)
    e = a + f
    if s.must_deuce and (nf >> (4 * DEUCE)) & 1:
        return <uint64_t>1 << (4 * DEUCE)
    if v.idle or s.by_table or s.must_deuce:
        m = ((at_least_two(e) & s.plain) | (s.o.set_ranks & ~s.plain)) & nf
        if m:
            return m & (~m + 1)
        if (nf >> (4 * DEUCE)) & 1:
            return <uint64_t>1 << (4 * DEUCE)
    if s.black_set and (nf >> (4 * BLACK_NIBBLE)) & 1 and ((e >> (4 * BLACK_NIBBLE)) & 15) >= 3:
        return <uint64_t>1 << (4 * BLACK_NIBBLE)
    return 0


cdef inline uint64_t places_of_rank(const CSolve* s, uint64_t rank) noexcept nogil:
    """Places of the cards that a nibble of CSolve.rc counts."""
    cdef int i = ctz64(rank) >> 2
    if i == BLACK_NIBBLE:
        return s.o.black
    if i == THREE and s.split:
        return run_places(s.o, rank_mask(THREE)) & ~s.o.black
    return run_places(s.o, rank_mask(i))


cdef inline void ban(uint64_t* a, const uint64_t* q, uint64_t bit) noexcept nogil:
    """One card less at this place than the runs would have."""
    if q[2] & bit:
        a[2] &= ~bit
    elif q[1] & bit:
        a[1] &= ~bit
        a[2] &= ~bit
    else:
        a[0] &= ~bit
        a[1] &= ~bit
        a[2] &= ~bit


cdef inline uint64_t cheapest_ban(const CSolve* s, const uint64_t* a, const uint64_t* q, uint64_t bits) noexcept nogil:
    """Of these places the one that takes fewest other cards out of the runs."""
    cdef uint64_t bit, best = 0
    cdef uint64_t b[3]
    cdef uint64_t c[3]
    cdef int kept, most = -1
    if bits & (bits - 1) == 0:
        return bits
    while bits:
        bit = bits & (~bits + 1)
        bits ^= bit
        b[0] = a[0]
        b[1] = a[1]
        b[2] = a[2]
        ban(b, q, bit)
        cover(s.o, b[0], b[1], b[2], c)
        kept = popcount64(c[0]) + popcount64(c[1]) + popcount64(c[2])
        if kept > most:
            most = kept
            best = bit
    return best


cdef inline void keep_best(CSolve* s, const uint64_t* q, uint64_t rest, int loss) noexcept nogil:
    s.best = loss
    s.best_runs[0] = q[0]
    s.best_runs[1] = q[1]
    s.best_runs[2] = q[2]
    s.best_rc = rest
    s.done = loss <= s.stop


cdef inline uint64_t twice_used(const CSolve* s, const uint64_t* q) noexcept nogil:
    """A card of a rank with two places that stands in runs more often than it is there: its lower place."""
    cdef const COpening* o = s.o
    cdef uint64_t p = 0, m = o.twice_mask, low, bit
    cdef int have, used
    m &= (q[0] & (q[0] >> 13))
    while m:
        bit = m & (~m + 1)
        m ^= bit
        low = run_cards_of(o, bit)
        have = ((s.p1 & low) != 0) + ((s.p2 & low) != 0) + ((s.p3 & low) != 0)
        used = (2 + ((q[1] & bit) != 0) + ((q[2] & bit) != 0) + ((q[1] & (bit << 13)) != 0)
                + ((q[2] & (bit << 13)) != 0))
        if used > have:
            return bit
    return p


cdef inline void search(CSolve* s, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t l1, uint64_t l2, uint64_t l3,
                        uint64_t forced) noexcept nogil:
    """Cards a may stand in runs, cards l must (unary planes of places; `forced` counts l by rank)."""
    cdef uint64_t a[3]
    cdef uint64_t b[3]
    cdef uint64_t q[3]
    cdef uint64_t use, rest, f, rank, bit, top
    cdef int loss, k
    cdef CView v
    s.nodes += 1
    if s.limit and s.nodes > s.limit:
        s.done = True
        return
    cover(s.o, a1, a2, a3, q)
    if (l1 & ~q[0]) | (l2 & ~q[1]) | (l3 & ~q[2]):
        return
    a[0] = a1
    a[1] = a2
    a[2] = a3
    if s.o.twice:
        bit = twice_used(s, q)
        if bit:
            # k copies at the lower place at most, the others at the upper one
            top = bit << 13
            rank = run_cards_of(s.o, bit)
            loss = ((s.p1 & rank) != 0) + ((s.p2 & rank) != 0) + ((s.p3 & rank) != 0)
            for k in range(loss + 1):
                b[0] = a1 & ~((bit if k < 1 else 0) | (top if loss - k < 1 else 0))
                b[1] = a2 & ~((bit if k < 2 else 0) | (top if loss - k < 2 else 0))
                b[2] = a3 & ~((bit if k < 3 else 0) | (top if loss - k < 3 else 0))
                search(s, b[0], b[1], b[2], l1, l2, l3, forced)
                if s.done:
                    return
            return
    use = use_nibbles(s, q)
    rest = s.rc - use
    f = use - forced
    look_at(s, rest, &v)
    if s.best < IMPOSSIBLE and least_loss(s, rest, f, &v) >= s.best:
        return
    loss = group_loss(s, rest, &v)
    if loss < s.best:
        keep_best(s, q, rest, loss)
        if s.done:
            return
    while f:
        rank = wanted_rank(s, rest, f, &v)
        if rank == 0 or least_loss(s, rest, f, &v) >= s.best:
            return
        bit = cheapest_ban(s, a, q, ((q[0] & ~l1) | (q[1] & ~l2) | (q[2] & ~l3)) & places_of_rank(s, rank))
        b[0] = a[0]
        b[1] = a[1]
        b[2] = a[2]
        ban(b, q, bit)
        search(s, b[0], b[1], b[2], l1, l2, l3, forced)
        if s.done:
            return
        # or all copies of the card that stand there stay in runs
        if bit & q[2] & ~l3:
            f -= rank
            forced += rank
            l3 |= bit
        if bit & q[1] & ~l2:
            f -= rank
            forced += rank
            l2 |= bit
        if bit & q[0] & ~l1:
            f -= rank
            forced += rank
            l1 |= bit


cdef inline void search_hand(CSolve* s) noexcept nogil:
    """All divisions of the free cards; laid runs are as long as they are."""
    cdef const COpening* o = s.o
    cdef uint64_t a = run_places(o, s.p1) if o.runs else 0
    cdef uint64_t q[3]
    cdef int loss
    cdef CView v
    if a == 0 or run_starts(o, a) == 0:
        s.nodes += 1
        look_at(s, s.rc, &v)
        loss = group_loss(s, s.rc, &v)
        if loss < s.best:
            q[0] = 0
            q[1] = 0
            q[2] = 0
            keep_best(s, q, s.rc, loss)
        return
    search(s, a, run_places(o, s.p2), run_places(o, s.p3), 0, 0, 0, 0)


cdef inline uint64_t nibble_of(const CSolve* s, int suit, int rank) noexcept nogil:
    """The unit of CSolve.rc that a card counts in."""
    if rank == THREE and s.split and (suit == 0 or suit == 3):
        return <uint64_t>1 << (4 * BLACK_NIBBLE)
    return <uint64_t>1 << (4 * rank)


cdef inline void take_card(CSolve* s, int suit, int rank) noexcept nogil:
    cdef uint64_t bit = <uint64_t>1 << (16 * suit + rank)
    if s.p3 & bit:
        s.p3 ^= bit
    elif s.p2 & bit:
        s.p2 ^= bit
    else:
        s.p1 ^= bit
    s.rc -= nibble_of(s, suit, rank)


cdef inline void search_extensions(CSolve* s, int i) noexcept nogil:
    """Every way to lengthen the laid runs from i on, the longest first, and the rest of the hand."""
    cdef CExtension* e
    cdef uint64_t p1, p2, p3, rc
    cdef int below = 0, above = 0, total, k, j, rank, low
    if i == s.n_extensions:
        search_hand(s)
        return
    e = &s.extension[i]
    rank = prev_rank(e.start)
    while below < e.most and (s.p1 >> (16 * e.suit + rank)) & 1:
        below += 1
        rank = prev_rank(rank)
    rank = (e.start + e.size) % 13
    while above < e.most and (s.p1 >> (16 * e.suit + rank)) & 1:
        above += 1
        rank = next_rank(rank)
    p1 = s.p1
    p2 = s.p2
    p3 = s.p3
    rc = s.rc
    for total in range(e.most if e.most < below + above else below + above, -1, -1):
        for k in range(below + 1):
            if total - k < 0 or total - k > above:
                continue
            low = (e.start - k + 13) % 13
            if total and not (s.r.run_len[low] >> (e.size + total)) & 1:
                continue
            rank = low
            for j in range(e.size + total):
                if j < k or j >= k + e.size:
                    take_card(s, e.suit, rank)
                rank = next_rank(rank)
            search_extensions(s, i + 1)
            if s.done:
                return
            s.p1 = p1
            s.p2 = p2
            s.p3 = p3
            s.rc = rc
