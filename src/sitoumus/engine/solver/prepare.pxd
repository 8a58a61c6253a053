# What the opening solver knows of a rule set before it sees a hand: COpening is filled here, part by part.
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memset
from sitoumus.engine.cards cimport DEUCE, JOKER, NIBBLES, ONES, THREE, top_bit
from sitoumus.engine.tables cimport ALWAYS, CKind, CRules, GOING_OUT, NONE, SHAPE_RUN
from sitoumus.engine.solver.tables cimport (
    BLACK_NIBBLE, COpening, MAX_MINIMUM_DEUCES, MAX_WILDS, one_set, prepare_runs, price_classes, reach, ROW,
    running_most, set_bonuses, set_rows,
)
from sitoumus.engine.solver.runs cimport run_places

cdef inline void prepare_growth(COpening* o, const CRules* r) noexcept nogil:
    """What each set or wild meld can grow to."""
    cdef int kind, n, w
    for kind in range(r.n_kinds):
        if r.kind[kind].shape == SHAPE_RUN:
            continue
        for n in range(13):
            for w in range(4):
                reach(r, kind, n, w, ALWAYS, o.grow[0][kind][n][w])
                reach(r, kind, n, w, GOING_OUT, o.grow[1][kind][n][w])


cdef inline void prepare_hold(COpening* o, int kind) noexcept nogil:
    """The wild cards that sets of so many naturals hold, and up to which number the kind is plain: one natural lies
    never, two with a wild card, three and more with any number up to the hold."""
    cdef int n, w, top = 0
    cdef uint32_t row
    o.plain_upto[kind] = 12
    for n in range(13):
        row = o.rows[0][kind][n]
        w = 0 if n == 1 else top_bit(row)
        o.hold[kind][n] = <uint8_t>w
        if o.plain_upto[kind] == 12 and (
                w < top or (row != 0 if n == 1 else row != ((<uint32_t>2 << w) - 1) - (n == 2) or (n == 2 and w == 0))):
            o.plain_upto[kind] = <uint8_t>(n - 1)
        top = w
        if w != 2 * (n // 2):
            o.pairs_hold = 0
    if o.plain_upto[kind] < 12:
        o.all_plain = 0


cdef inline void prepare_complete(COpening* o, const CRules* r, int kind) noexcept nogil:
    """With how few wild cards so many naturals make a complete set."""
    cdef uint32_t one[13]
    cdef uint32_t complete[13]
    cdef int n, w
    one_set(r, o, kind, 0, False, one, complete)
    for n in range(13):
        o.complete_with[kind][n] = o.complete_with[kind][n - 1] if n else 99
        for w in range(4):
            if (complete[n] >> w) & 1 and n + w == r.kind[kind].full and w < o.complete_with[kind][n]:
                o.complete_with[kind][n] = <uint8_t>w
        if o.complete_with[kind][n] < 99 and n < o.complete_least:
            o.complete_least = <uint8_t>n


cdef inline void prepare_sets(COpening* o, const CRules* r) noexcept nogil:
    """Sets of a rank, kind by kind."""
    cdef int rank, kind
    o.all_plain = 1
    o.pairs_hold = 1
    o.complete_least = 99
    for rank in range(13):
        kind = r.set_kind[rank]
        if rank == DEUCE or rank == THREE or kind == NONE or r.kind[kind].when != ALWAYS:
            continue
        o.set_ranks |= <uint64_t>1 << (4 * rank)
        if not (r.kind[kind].wild_jokers and r.kind[kind].wild_deuces):
            o.mixed_wild = 1
        set_rows(r, o, kind, 0, False, o.rows[0][kind])
        set_rows(r, o, kind, 0, True, o.rows[1][kind])
        if memcmp(o.rows[0][kind], o.rows[1][kind], sizeof(o.rows[0][kind])) != 0:
            o.out_differs = 1
        set_bonuses(r, o, kind, 0, &o.bonus[kind][0][0])
        running_most(&o.bonus[kind][0][0], &o.most_bonus[kind][0][0])
        prepare_hold(o, kind)
        prepare_complete(o, r, kind)
    o.dead_cards = (~o.set_ranks & (NIBBLES >> 8) & ~(<uint64_t>1 << (4 * DEUCE))) * 15


cdef inline void prepare_wilds(COpening* o, const CRules* r) noexcept nogil:
    """Deuce sets and wild melds."""
    cdef const CKind* k
    cdef int i, n, v
    for i in range(MAX_MINIMUM_DEUCES):
        o.deuce_rows[i][0] = 1
        if r.deuce_kind != NONE:
            set_rows(r, o, r.deuce_kind, i, False, o.deuce_rows[i])
            set_bonuses(r, o, r.deuce_kind, i, &o.deuce_bonus[i][0][0])
    o.deuce_rows_out[0] = 1
    if r.deuce_kind != NONE:
        set_rows(r, o, r.deuce_kind, 0, True, o.deuce_rows_out)
        running_most(&o.deuce_bonus[0][0][0], &o.most_deuce_bonus[0][0])
    o.wild_sizes = 1
    if r.wild_kind != NONE and r.deuce_kind == NONE:
        k = &r.kind[r.wild_kind]
        for i in range(1, MAX_WILDS + 1):
            o.wild_bonus[i] = -1
            for n in range(3, 13 if i > 12 else i + 1):
                if k.ok[n][0] and (o.wild_sizes >> (i - n)) & 1:
                    o.wild_sizes |= <uint32_t>1 << i
                    v = o.wild_bonus[i - n] + (k.bonus[n][0] if k.full and n >= k.full else 0)
                    if v > o.wild_bonus[i]:
                        o.wild_bonus[i] = v
    for i in range(1, ROW):
        o.most_wild_bonus[i] = o.most_wild_bonus[i - 1]
        if o.wild_bonus[i] > o.most_wild_bonus[i]:
            o.most_wild_bonus[i] = o.wild_bonus[i]


cdef inline void prepare_full_runs(COpening* o, const CRules* r) noexcept nogil:
    """Where complete runs can start."""
    cdef int i
    if not (o.runs and r.kind[r.run_kind].full):
        return
    for i in range(o.places):
        if (r.run_len[(o.low + i) % 13] >> r.kind[r.run_kind].full) & 1 and (
                o.circle or i + r.kind[r.run_kind].full <= o.places):
            o.full_starts |= ONES << i


cdef inline void prepare_prices(COpening* o, const CRules* r) noexcept nogil:
    """What a card left in hand costs: its points, or one."""
    cdef int i
    for i in range(13):
        o.points.cost[i] = r.points[i]
        o.cards.cost[i] = 1
    o.points.cost[THREE] = r.points[16 + THREE]
    o.points.cost[BLACK_NIBBLE] = r.points[THREE]
    o.cards.cost[BLACK_NIBBLE] = 1
    o.points.joker = r.points[JOKER]
    o.points.deuce = r.points[DEUCE]
    o.cards.joker = 1
    o.cards.deuce = 1
    price_classes(&o.points, o.set_ranks)
    price_classes(&o.cards, o.set_ranks)


cdef inline bint prepare_all(COpening* o, const CRules* r) noexcept nogil:
    """Fill the tables; see opening_prepare."""
    cdef int i, n
    memset(o, 0, sizeof(COpening))
    for i in range(128):
        for n in range(7):
            if (i >> n) & 1:
                o.spread[i] |= <uint32_t>1 << (4 * n)
    if not prepare_runs(o, r):
        return False
    o.black = run_places(o, ((<uint64_t>1 << THREE) | (<uint64_t>1 << (48 + THREE))) & r.run_cards)
    o.split = r.points[THREE] != r.points[16 + THREE]
    prepare_growth(o, r)
    prepare_sets(o, r)
    prepare_wilds(o, r)
    prepare_full_runs(o, r)
    prepare_prices(o, r)
    return True
