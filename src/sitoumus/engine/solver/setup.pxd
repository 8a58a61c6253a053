# A hand, and melds that lie already, as a question to the search.
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from sitoumus.engine.cards cimport (
    at_least_one, CHand, ctz64, DEUCE, nibble_sum, popcount64, prev_rank, THREE, top_bit,
)
from sitoumus.engine.tables cimport (
    CKind, CMeld, CRules, NONE, RANK_AFTER_COMPLETE, RANK_MANY, RANK_ONE, SHAPE_RUN, SHAPE_WILD,
)
from sitoumus.engine.solver.tables cimport (
    BLACK_NIBBLE, both, COpening, CPrices, IMPOSSIBLE, MAX_LAID, MAX_MINIMUM_DEUCES, ROW,
)
from sitoumus.engine.solver.groups cimport CExtension, cost_of_all, CSolve

cdef inline void solve_cards(CSolve* s, const CRules* r, const CHand* h, int deuce_min) noexcept nogil:
    """The hand, no meld laid, the least loss of points wanted."""
    cdef const COpening* o = <const COpening*>r.opening
    s.r = r
    s.o = o
    s.price = &o.points
    s.p1 = h.p1
    s.p2 = h.p2
    s.p3 = h.p3
    s.rc = h.rc
    s.jokers = h.jokers
    s.out = False
    s.split = o.split
    s.black_set = False
    if o.split:
        split_threes(s)
    s.plain = o.set_ranks
    s.special = 0
    s.dead_cards = o.dead_cards
    s.by_table = o.mixed_wild
    s.with_bonus = False
    if not o.all_plain:
        check_plain(s)
    s.deuce_rows = &o.deuce_rows[deuce_min if deuce_min < MAX_MINIMUM_DEUCES else MAX_MINIMUM_DEUCES - 1][0]
    s.deuce_bonus = &o.deuce_bonus[deuce_min if deuce_min < MAX_MINIMUM_DEUCES else MAX_MINIMUM_DEUCES - 1][0][0]
    s.wild_sizes = o.wild_sizes
    s.must_deuce = False
    s.least_deuces = 99 if r.deuce_kind == NONE else deuce_min if deuce_min > 1 else 1
    s.n_extensions = 0
    s.best = IMPOSSIBLE
    s.stop = 0
    s.done = False
    s.nodes = 0
    s.limit = 0
    s.black_max = 0


cdef inline void split_threes(CSolve* s) noexcept nogil:
    """Count the black threes apart."""
    cdef uint64_t b = (<uint64_t>1 << THREE) | (<uint64_t>1 << (48 + THREE))
    cdef uint64_t k = popcount64(s.p1 & b) + popcount64(s.p2 & b) + popcount64(s.p3 & b)
    s.split = True
    s.rc += (k << (4 * BLACK_NIBBLE)) - (k << (4 * THREE))


cdef inline void check_plain(CSolve* s) noexcept nogil:
    """Use the table where a rank has more cards than its closed form knows."""
    cdef uint64_t m = at_least_one(s.rc) & s.plain
    cdef int rank
    cdef const uint32_t* rows
    while m:
        rank = ctz64(m) >> 2
        m &= m - 1
        if s.out or ((s.rc >> (4 * rank)) & 15) > s.o.plain_upto[s.r.set_kind[rank]]:
            s.by_table = True
            rows = &s.o.rows[s.out][s.r.set_kind[rank]][0]
            if rows[1] or rows[2] & 1:
                s.plain &= ~(<uint64_t>1 << (4 * rank))     # the bound may not count on it


cdef inline void laid_rows(const CSolve* s, int kind, int rank, const CMeld* laid, int n_laid, int least,
                           uint64_t protect, uint32_t* rows) noexcept nogil:
    """Like set_rows, with laid melds of the kind (and rank, of a set) that may grow; each has `least` naturals in the
    end. Rows go as far as the hand has naturals. Bits of protect: laid melds that take no wild card."""
    cdef const COpening* o = s.o
    cdef const CKind* k = &s.r.kind[kind]
    cdef uint32_t sum_[13]          # the laid ones as they may become
    cdef uint32_t closed[13]        # ... all of them complete
    cdef uint32_t next_[13]
    cdef uint32_t next_closed[13]
    cdef const uint32_t* fresh = &o.rows[s.out][kind][0]
    cdef uint32_t mine, mine_closed
    cdef const uint8_t* grow
    cdef int i, n, d, w, naturals, wilds, most = <int>((s.rc >> (4 * rank)) & 15), reach_
    cdef bint after_complete = k.per_rank == RANK_AFTER_COMPLETE
    if kind == s.r.deuce_kind:
        fresh = s.deuce_rows
    for n in range(most + 1):
        sum_[n] = n == 0
        closed[n] = n == 0
    for i in range(n_laid):
        if laid[i].kind != kind or laid[i].key != rank:
            continue
        naturals = laid[i].size - laid[i].wilds
        wilds = laid[i].wilds
        grow = &o.grow[s.out][kind][naturals][wilds][0]
        for n in range(most + 1):
            next_[n] = 0
            next_closed[n] = 0
        reach_ = most if most < 12 - naturals else 12 - naturals
        for d in range(least - naturals if least > naturals else 0, reach_ + 1):
            mine = grow[d]
            if (protect >> i) & 1:
                mine &= 1
            if mine == 0:
                continue
            for n in range(most + 1 - d):
                next_[n + d] |= both(sum_[n], mine)
            if after_complete:
                mine_closed = 0
                for w in range(4):
                    if (mine >> w) & 1 and k.full and naturals + wilds + d + w >= k.full:
                        mine_closed |= <uint32_t>1 << w
                for n in range(most + 1 - d):
                    next_closed[n + d] |= both(closed[n], mine_closed)
        for n in range(most + 1):
            sum_[n] = next_[n]
            closed[n] = next_closed[n]
    for n in range(most + 1):
        rows[n] = 0 if k.per_rank == RANK_MANY else sum_[n]
    if k.per_rank == RANK_ONE:
        return
    for n in range(most + 1):
        mine = closed[n] if after_complete else sum_[n]
        if mine == 0:
            continue
        for d in range(most + 1 - n):
            rows[n + d] |= both(fresh[d], mine)
    for n in range(most + 1):
        rows[n] &= (<uint32_t>1 << ROW) - 1


cdef inline void add_special(CSolve* s, int rank, int kind) noexcept nogil:
    """The rank has the rows that were just made: note what the closed form needs, or that it does not fit."""
    cdef uint64_t bit = <uint64_t>1 << (4 * rank)
    cdef const uint32_t* rows = s.rows[rank]
    cdef int n, w, top = 0, most = <int>((s.rc >> (4 * rank)) & 15)
    cdef bint as_new = True, regular = True
    for n in range(most + 1):
        if rows[n] != s.o.rows[s.out][kind][n]:
            as_new = False
        w = top_bit(rows[n])
        s.hold[rank][n] = <uint8_t>w
        if rows[n] != (<uint32_t>2 << w) - 1 or w < top:
            regular = False
        top = w
    if as_new:
        return                      # closed sets: as if none lay there
    s.plain &= ~bit
    s.special |= bit
    if not regular:
        s.by_table = True


cdef inline bint solve_laid(CSolve* s, const CMeld* laid, int n_laid, int deuce_min,
                            uint64_t protect) noexcept nogil:
    """Take laid melds into account. False if a laid deuce set can never have the deuces it needs."""
    cdef const CRules* r = s.r
    cdef const COpening* o = s.o
    cdef const CKind* k
    cdef CExtension* e
    cdef uint64_t seen = 0
    cdef bint deuces = False, wilds = False
    cdef uint32_t mine, sizes
    cdef int i, rank, n, limit, d
    for i in range(n_laid):
        k = &r.kind[laid[i].kind]
        rank = laid[i].key
        if k.shape == SHAPE_RUN:
            limit = 13 if s.out and k.grow_out else k.full
            if limit > laid[i].size and s.n_extensions < MAX_LAID and (
                    (s.p1 >> (16 * rank + prev_rank(laid[i].start))) & 1
                    or (s.p1 >> (16 * rank + (laid[i].start + laid[i].size) % 13)) & 1):
                e = &s.extension[s.n_extensions]
                e.suit = <uint8_t>rank
                e.start = laid[i].start
                e.size = laid[i].size
                e.most = <uint8_t>(limit - laid[i].size)
                s.n_extensions += 1
        elif k.shape == SHAPE_WILD:
            wilds = True
        elif laid[i].kind == r.deuce_kind:
            deuces = True
        elif laid[i].kind != r.black_kind and not (seen >> (4 * rank)) & 1:
            seen |= <uint64_t>1 << (4 * rank)
            laid_rows(s, laid[i].kind, rank, laid, n_laid, 0, protect, s.rows[rank])
            add_special(s, rank, laid[i].kind)
    if deuces:
        laid_rows(s, r.deuce_kind, DEUCE, laid, n_laid, deuce_min, protect, s.own_deuce_rows)
        s.deuce_rows = s.own_deuce_rows
        s.must_deuce = not s.deuce_rows[0] & 1
        s.least_deuces = 0
        for n in range(<int>((s.rc >> (4 * DEUCE)) & 15) + 1):
            if s.deuce_rows[n]:
                break
        else:
            return False
    if wilds:
        # all cards are natural: lengths of growth, summed
        sizes = o.wild_sizes
        for i in range(n_laid):
            if r.kind[laid[i].kind].shape == SHAPE_WILD:
                mine = 0
                for d in range(13 - laid[i].size):
                    mine |= <uint32_t>(o.grow[s.out][laid[i].kind][laid[i].size][0][d] & 1) << d
                sizes = both(sizes, mine) & ((<uint32_t>1 << ROW) - 1)
        s.wild_sizes = sizes
    return True


cdef inline int all_points(const CRules* r, const CHand* h) noexcept nogil:
    """Card points of a hand at melded values; the same as hand_total, by classes of ranks."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CPrices* p = &o.points
    cdef uint64_t b = (<uint64_t>1 << THREE) | (<uint64_t>1 << (48 + THREE)), rest
    cdef int i, total = h.jokers * p.joker + <int>((h.rc >> (4 * DEUCE)) & 15) * p.deuce, black
    for i in range(p.n_classes):
        total += p.class_cost[i] * nibble_sum(h.rc & (p.class_ranks[i] * 15))
    rest = h.rc & ~(o.set_ranks * 15) & ~(<uint64_t>15 << (4 * DEUCE))
    if rest:
        total += cost_of_all(p, rest)
        if o.split:
            black = popcount64(h.p1 & b) + popcount64(h.p2 & b) + popcount64(h.p3 & b)
            total += black * (p.cost[BLACK_NIBBLE] - p.cost[THREE])
    return total
