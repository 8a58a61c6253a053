# Openings and partitions: can this hand open, can it be laid out, how does it fall into melds. Exact, never capped.
#
# What is decided is how the cards divide between runs and the rest. For the rest (sets, deuce sets, wild melds) closed
# forms or a small table by rank give the best there is. The search looks at what stays in hand, the LOSS, in points:
#
#   - Cards of one suit, u[k] of rank k, can all stand in runs if and only if u[k] <= u[k+1] + u[k-1],
#     u[k] <= u[k+2] + u[k-1] and u[k] <= u[k+1] + u[k-2] for every k. (A run has at least three cards; six is 3 + 3, so
#     lengths above five add nothing.) Vectors that satisfy this are closed under the larger of each, so every stock of
#     cards has ONE largest part that runs can cover: cover(), a few shifts for all four suits.
#   - A node of the search is what may stand in runs and what must. All that can, does; the loss of the rest is a
#     solution. The bound lets every card that may go either way go where it is wanted. Where they differ, one card
#     whose rank is wanted elsewhere is kept out of the runs, or kept in. Most hands need one node.
#   - A decision ("is the loss at most so much?") stops at the first solution and prunes by the bound.
#
# Laid runs are lengthened first, in every way the hand allows; laid sets change the tables of their rank.
# Tables that depend on the rule set alone stand in COpening (CRules.opening points to it; opening_prepare fills it).
#
# In reading order: tables and opening_prepare; nibbles and lanes; CSolve and what cards outside runs lose; search;
# setting up; complete melds and bids; can_open, open_points, mark_starts; writing melds down; best_opening,
# best_partition, bonus_potential; can_lay_out.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t, int32_t, int64_t
from libc.string cimport memset, memcpy, memcmp
from sitoumus._cards cimport *
from sitoumus._rules cimport *
from sitoumus._melds cimport *

cdef extern from *:
    """
    #define SIT_NIBBLES 0x1111111111111111ULL
    #define SIT_BYTES   0x0101010101010101ULL
    #define SIT_LOW4    0x0F0F0F0F0F0F0F0FULL
    """
    const uint64_t NIBBLES "SIT_NIBBLES"
    const uint64_t BYTES "SIT_BYTES"
    const uint64_t LOW4 "SIT_LOW4"

cdef enum:
    MAX_WILDS = 18            # jokers and deuces of a pack
    ROW = MAX_WILDS + 1
    BLACK_NIBBLE = 13         # black threes, where they differ from the red ones; nibbles 0..12 are ranks
    IMPOSSIBLE = 1 << 20      # a loss that no hand has
    MAX_LAID = 64             # melds of a side
    MAX_MINIMUM_DEUCES = 13
    MAX_PARTITION = 24        # melds of a hand

cdef struct CPrices:          # what a card left in hand costs
    uint64_t weight           # nibbles: cost in units
    int32_t unit              # 0: the costs do not fit nibbles
    int32_t joker, deuce
    int32_t cost[14]
    int32_t n_classes         # ranks of equal cost, cheapest first
    int32_t class_cost[13]
    uint64_t class_ranks[13]  # lowest bits of their nibbles

cdef struct COpening:
    # runs: place p of a lane is rank (low + p) % 13; a line may name up to three ranks twice
    uint8_t runs              # there are runs
    uint8_t circle
    uint8_t low, places       # of a line
    uint8_t twice             # ranks with two places (p and p + 13)
    uint64_t places_mask, starts_mask, twice_mask
    uint64_t black            # places of black threes
    uint32_t spread[128]      # bit i to bit 4 i
    # sets
    uint64_t set_ranks        # lowest bits of the nibbles of ranks that form sets (never deuces and threes)
    uint64_t dead_cards       # all bits of the nibbles of the other ranks but deuces
    uint8_t mixed_wild        # not every kind takes both jokers and deuces as wild cards
    uint8_t all_plain         # every kind is plain up to twelve naturals
    uint8_t pairs_hold        # wild capacity of n naturals is 2 * (n // 2) in every kind
    uint8_t split             # black threes count apart
    uint8_t plain_upto[MAX_KINDS]
    uint32_t rows[2][MAX_KINDS][13]             # [going out] new sets: bit w, n naturals with w wild cards can lie
    uint8_t hold[MAX_KINDS][13]                 # most wild cards with n naturals
    uint8_t complete_with[MAX_KINDS][13]        # least wild cards that make a complete set with up to n naturals
    int32_t bonus[MAX_KINDS][13][ROW]           # most bonus of new sets of n naturals and w wild cards
    int32_t most_bonus[MAX_KINDS][13][ROW]      # ... of up to so many
    uint8_t grow[2][MAX_KINDS][13][4][13]       # [going out][..][naturals][wilds][more naturals]: bits of more wilds
    uint32_t deuce_rows[MAX_MINIMUM_DEUCES][13]  # deuce sets of at least so many deuces each: bit y, x deuces, y jokers
    uint32_t deuce_rows_out[13]                 # ... of any number, when going out
    uint8_t out_differs                         # some sets grow otherwise when going out
    int32_t deuce_bonus[MAX_MINIMUM_DEUCES][13][ROW]
    int32_t most_deuce_bonus[13][ROW]
    uint32_t wild_sizes                         # bit t: t wild cards can lie in wild melds
    int32_t wild_bonus[ROW]
    int32_t most_wild_bonus[ROW]
    uint64_t full_starts      # lowest places of complete runs
    uint8_t complete_least    # least naturals of a complete set, of any kind
    CPrices points, cards     # points; every card costs 1

cdef struct CNeed:            # what an opening has to reach, cards laid in it so far included
    int minimum               # card points
    int needs                 # NEEDS_*
    bint complete_opens       # any complete meld suffices by itself (R13.3)
    int deuce_min             # least deuces of every deuce set of the opening at its end (0: no rule)
    int bid_suits             # bit s: a run in suit s suffices (R14.4)
    bint bid_four             # a set of at least four naturals suffices, deuces too (R14.5, B10)
    bint bid_deuces           # a deuce set of at least four deuces suffices (R14.6)
    int keep                  # cards that must stay in hand at the end
    int extra_points          # points that count toward the minimum beside the melds


# ---- tables ----------------------------------------------------------------------------------------------------------

cdef inline uint32_t both(uint32_t a, uint32_t b) noexcept nogil:
    """Sums of a number of a and one of b, numbers as bits."""
    cdef uint32_t out = 0
    while a:
        out |= b << ctz64(a)
        a &= a - 1
    return out


cdef inline void reach(const CRules* r, int kind, int n, int w, int how, uint8_t* out) noexcept nogil:
    """From a meld of n naturals and w wild cards: out[k] has bit v if k naturals and v wild cards can be added, one at
    a time. how = ALWAYS: ordinary steps; GOING_OUT: those too that only going out allows."""
    cdef const CKind* k = &r.kind[kind]
    cdef int i, v
    memset(out, 0, 13)
    out[0] = 1
    if k.shape == SHAPE_WILD:
        for i in range(12 - n):
            if out[i] and k.add_natural[n + i][0] != NEVER and k.add_natural[n + i][0] <= how:
                out[i + 1] = 1
        return
    for i in range(13 - n):
        for v in range(4 - w):
            if not (out[i] >> v) & 1:
                continue
            if n + i < 12 and k.add_natural[n + i][w + v] != NEVER and k.add_natural[n + i][w + v] <= how:
                out[i + 1] |= <uint8_t>(1 << v)
            if w + v < 3 and k.add_wild[n + i][w + v] != NEVER and k.add_wild[n + i][w + v] <= how:
                out[i] |= <uint8_t>(1 << (v + 1))


cdef inline void one_set(const CRules* r, const COpening* o, int kind, int least, bint out, uint32_t* whole,
                         uint32_t* complete) noexcept nogil:
    """Rows of a single new set, and of a single complete one, with at least `least` naturals."""
    cdef const CKind* k = &r.kind[kind]
    cdef int n, w, i
    memset(whole, 0, 13 * sizeof(uint32_t))
    memset(complete, 0, 13 * sizeof(uint32_t))
    for w in range(4):
        n = (k.min_size if k.min_size > 3 else 3) - w
        if n > 12 or not k.ok[n][w]:
            continue
        for i in range(13 - n):
            whole[n + i] |= <uint32_t>o.grow[out][kind][n][w][i] << w
    for n in range(13):
        if n < least:
            whole[n] = 0
        for w in range(4):
            if (whole[n] >> w) & 1 and k.full and n + w >= k.full:
                complete[n] |= <uint32_t>1 << w


cdef inline void many_rows(uint32_t* rows, const uint32_t* one) noexcept nogil:
    """From rows[0] on: every sum of any number of sets."""
    cdef int n, i
    for n in range(1, 13):
        for i in range(1, n + 1):
            rows[n] |= both(rows[n - i], one[i]) & ((<uint32_t>1 << ROW) - 1)


cdef inline void set_rows(const CRules* r, const COpening* o, int kind, int least, bint out,
                          uint32_t* rows) noexcept nogil:
    """rows[n] has bit w if exactly n naturals and w wild cards can lie in new melds of the kind and one rank."""
    cdef uint32_t one[13]
    cdef uint32_t complete[13]
    cdef uint32_t closed[13]
    cdef int n, i, how = r.kind[kind].per_rank
    one_set(r, o, kind, least, out, one, complete)
    memset(rows, 0, 13 * sizeof(uint32_t))
    rows[0] = 1
    if how == RANK_ONE:
        for n in range(1, 13):
            rows[n] = one[n]
    elif how == RANK_MANY:
        many_rows(rows, one)
    else:
        many_rows(rows, complete)          # complete sets, and at most one that still grows
        memcpy(closed, rows, sizeof(closed))
        for n in range(13):
            for i in range(1, n + 1):
                rows[n] |= both(closed[n - i], one[i]) & ((<uint32_t>1 << ROW) - 1)


cdef inline void set_bonuses(const CRules* r, const COpening* o, int kind, int least,
                             int32_t* best) noexcept nogil:
    """best[n * ROW + w]: most bonus of n naturals and w wild cards laid in new sets of one rank."""
    cdef const CKind* k = &r.kind[kind]
    cdef uint32_t one[13]
    cdef uint32_t complete[13]
    cdef uint32_t rows[13]
    cdef int n, w, i, v, gain, how = k.per_rank
    one_set(r, o, kind, least, False, one, complete)
    set_rows(r, o, kind, least, False, rows)
    # first the sums of complete sets alone, -1 where there is none
    for n in range(13):
        for w in range(ROW):
            best[n * ROW + w] = 0 if n == 0 and w == 0 else -1
    for n in range(1, 13):
        for w in range(ROW):
            for i in range(1, n + 1):
                for v in range(4):
                    if v > w or not (complete[i] >> v) & 1 or best[(n - i) * ROW + w - v] < 0:
                        continue
                    if how == RANK_ONE and (n != i or w != v):
                        continue
                    gain = best[(n - i) * ROW + w - v] + k.bonus[i][v]
                    if gain > best[n * ROW + w]:
                        best[n * ROW + w] = gain
    # then with the rest in sets that still grow: any number of them, or one, or none beside a complete one
    for n in range(12, -1, -1):
        for w in range(MAX_WILDS, -1, -1):
            if not (rows[n] >> w) & 1:
                best[n * ROW + w] = 0
                continue
            for i in range(n + 1):
                for v in range(w + 1):
                    if (i == n and v == w) or best[i * ROW + v] <= best[n * ROW + w]:
                        continue
                    if how == RANK_ONE or (
                            how == RANK_AFTER_COMPLETE and (w - v > 3 or not (one[n - i] >> (w - v)) & 1)):
                        continue
                    if how == RANK_MANY and not (rows[n - i] >> (w - v)) & 1:
                        continue
                    best[n * ROW + w] = best[i * ROW + v]
            if best[n * ROW + w] < 0:
                best[n * ROW + w] = 0


cdef inline void running_most(const int32_t* best, int32_t* most) noexcept nogil:
    """most[n][w] of two such tables: the greatest of best up to there."""
    cdef int n, w, at
    for n in range(13):
        for w in range(ROW):
            at = n * ROW + w
            most[at] = best[at]
            if n and most[at - ROW] > most[at]:
                most[at] = most[at - ROW]
            if w and most[at - 1] > most[at]:
                most[at] = most[at - 1]


cdef inline void price_classes(CPrices* p, uint64_t ranks) noexcept nogil:
    """Weights by nibble and the classes of equal cost among `ranks`."""
    cdef int i, j, cost, least, unit = 0, a, b
    p.n_classes = 0
    least = -1
    while True:
        cost = IMPOSSIBLE
        for i in range(13):
            if (ranks >> (4 * i)) & 1 and p.cost[i] > least and p.cost[i] < cost:
                cost = p.cost[i]
        if cost == IMPOSSIBLE:
            break
        p.class_cost[p.n_classes] = cost
        p.class_ranks[p.n_classes] = 0
        for i in range(13):
            if (ranks >> (4 * i)) & 1 and p.cost[i] == cost:
                p.class_ranks[p.n_classes] |= <uint64_t>1 << (4 * i)
        p.n_classes += 1
        least = cost
    for i in range(13):
        a = p.cost[i] if (ranks >> (4 * i)) & 1 else 0
        b = unit
        while b:
            j = a % b
            a = b
            b = j
        unit = a
    p.unit = unit if unit else 1
    p.weight = 0
    for i in range(13):
        if not (ranks >> (4 * i)) & 1:
            continue
        if p.cost[i] // p.unit > 15:
            p.unit = 0
            return
        p.weight |= <uint64_t>(p.cost[i] // p.unit) << (4 * i)


cdef inline bint prepare_runs(COpening* o, const CRules* r) noexcept nogil:
    """Find the circle or line that run_len describes; False if it is neither, or runs cannot have five cards."""
    cdef uint16_t expect[13]
    cdef int low, places, longest = 0, at, size, i
    o.runs = r.run_kind != NONE and r.kind[r.run_kind].when == ALWAYS
    if not o.runs:
        return True
    for at in range(13):
        for size in range(3, 14):
            if (r.run_len[at] >> size) & 1 and size > longest:
                longest = size
    if longest == 0:
        o.runs = 0
        return True
    for places in range(17):                # 0: the circle
        if 0 < places < 3:
            continue
        for low in range(13):
            memset(expect, 0, sizeof(expect))
            for at in range(places if places else 13):
                for size in range(3, longest + 1):
                    if places == 0 or at + size <= places:
                        expect[(low + at) % 13] |= <uint16_t>(1 << size)
            for i in range(13):
                if expect[i] != r.run_len[i]:
                    break
            else:
                if longest < 5 and (places == 0 or places > longest):
                    return False
                o.circle = places == 0
                o.low = <uint8_t>(low if places else 0)
                o.places = <uint8_t>(places if places else 13)
                o.twice = <uint8_t>(places - 13 if places > 13 else 0)
                o.places_mask = ONES * ((<uint64_t>1 << o.places) - 1)
                o.starts_mask = o.places_mask if o.circle else ONES * ((<uint64_t>1 << (o.places - 2)) - 1)
                o.twice_mask = ONES * ((<uint64_t>1 << o.twice) - 1)
                return True
    return False


cdef inline bint opening_prepare(COpening* o, const CRules* r) noexcept nogil:
    """Fill the tables. False if the runs of the rule set stand neither on a circle nor on one line of ranks (of at most
    16 places), or if their greatest length is 4 or less on a longer line: no opening can be judged then."""
    cdef int i, n, w, v, rank, kind, top
    cdef uint32_t one[13]
    cdef uint32_t complete[13]
    cdef const CKind* k
    memset(o, 0, sizeof(COpening))
    for i in range(128):
        for n in range(7):
            if (i >> n) & 1:
                o.spread[i] |= <uint32_t>1 << (4 * n)
    if not prepare_runs(o, r):
        return False
    o.black = run_places(o, ((<uint64_t>1 << THREE) | (<uint64_t>1 << (48 + THREE))) & r.run_cards)
    o.split = r.points[THREE] != r.points[16 + THREE]
    for kind in range(r.n_kinds):
        if r.kind[kind].shape == SHAPE_RUN:
            continue
        for n in range(13):
            for w in range(4):
                reach(r, kind, n, w, ALWAYS, o.grow[0][kind][n][w])
                reach(r, kind, n, w, GOING_OUT, o.grow[1][kind][n][w])
    # sets
    o.all_plain = 1
    o.pairs_hold = 1
    o.complete_least = 99
    for rank in range(13):
        kind = r.set_kind[rank]
        if rank == DEUCE or rank == THREE or kind == NONE or r.kind[kind].when != ALWAYS:
            continue
        k = &r.kind[kind]
        o.set_ranks |= <uint64_t>1 << (4 * rank)
        if not (k.wild_jokers and k.wild_deuces):
            o.mixed_wild = 1
        set_rows(r, o, kind, 0, False, o.rows[0][kind])
        set_rows(r, o, kind, 0, True, o.rows[1][kind])
        if memcmp(o.rows[0][kind], o.rows[1][kind], sizeof(o.rows[0][kind])) != 0:
            o.out_differs = 1
        set_bonuses(r, o, kind, 0, &o.bonus[kind][0][0])
        running_most(&o.bonus[kind][0][0], &o.most_bonus[kind][0][0])
        # plain: one natural lies never, two with a wild card, three and more with any number up to the hold
        o.plain_upto[kind] = 12
        top = 0
        for n in range(13):
            w = 0 if n == 1 else top_bit(o.rows[0][kind][n])
            o.hold[kind][n] = <uint8_t>w
            if o.plain_upto[kind] == 12 and (
                    w < top or (o.rows[0][kind][n] != 0 if n == 1 else
                                o.rows[0][kind][n] != ((<uint32_t>2 << w) - 1) - (n == 2) or (n == 2 and w == 0))):
                o.plain_upto[kind] = <uint8_t>(n - 1)
            top = w
            if w != 2 * (n // 2):
                o.pairs_hold = 0
        if o.plain_upto[kind] < 12:
            o.all_plain = 0
        one_set(r, o, kind, 0, False, one, complete)
        for n in range(13):
            o.complete_with[kind][n] = o.complete_with[kind][n - 1] if n else 99
            for w in range(4):
                if (complete[n] >> w) & 1 and n + w == k.full and w < o.complete_with[kind][n]:
                    o.complete_with[kind][n] = <uint8_t>w
            if o.complete_with[kind][n] < 99 and n < o.complete_least:
                o.complete_least = <uint8_t>n
    o.dead_cards = (~o.set_ranks & (NIBBLES >> 8) & ~(<uint64_t>1 << (4 * DEUCE))) * 15
    # deuces and jokers
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
    if o.runs and r.kind[r.run_kind].full:
        for i in range(o.places):
            if (r.run_len[(o.low + i) % 13] >> r.kind[r.run_kind].full) & 1 and (
                    o.circle or i + r.kind[r.run_kind].full <= o.places):
                o.full_starts |= ONES << i
    # prices
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
    return True


cdef inline int top_bit(uint32_t x) noexcept nogil:
    return 63 - clz64(x) if x else 0


# ---- nibbles and lanes -----------------------------------------------------------------------------------------------

cdef inline uint64_t nibbles_1(uint64_t x) noexcept nogil:
    """Lowest bit of every nibble that is at least 1."""
    return (x | (x >> 1) | (x >> 2) | (x >> 3)) & NIBBLES


cdef inline uint64_t nibbles_2(uint64_t x) noexcept nogil:
    return ((x >> 1) | (x >> 2) | (x >> 3)) & NIBBLES


cdef inline uint64_t nibbles_3(uint64_t x) noexcept nogil:
    return ((x & (x >> 1)) | (x >> 2) | (x >> 3)) & NIBBLES


cdef inline int nibble_bits(uint64_t x) noexcept nogil:
    """How many of the lowest bits of nibbles are set, up to 15."""
    return <int>((x * NIBBLES) >> 60)


cdef inline int nibble_sum(uint64_t x) noexcept nogil:
    return <int>((((x & LOW4) + ((x >> 4) & LOW4)) * BYTES) >> 56)


cdef inline uint64_t run_places(const COpening* o, uint64_t p) noexcept nogil:
    """Cards by rank to places in runs."""
    if o.circle:
        return p
    if not o.runs:
        return 0
    if o.low:
        p = turn_down(p, o.low)
    return (p | ((p & o.twice_mask) << 13)) & o.places_mask


cdef inline uint64_t run_cards_of(const COpening* o, uint64_t p) noexcept nogil:
    """Places in runs to cards by rank."""
    if o.circle:
        return p
    p = (p & LANES) | ((p >> 13) & o.twice_mask)
    return turn_down(p, 13 - o.low) if o.low else p


cdef inline uint64_t after(const COpening* o, uint64_t p, int k) noexcept nogil:
    """Bit i of the result is bit i + k of p: on the circle, or on the line."""
    if o.circle:
        return turn_down(p, k)
    return (p >> k) & (ONES * ((<uint64_t>1 << (16 - k)) - 1))


cdef inline uint64_t before(const COpening* o, uint64_t p, int k) noexcept nogil:
    """Bit i of the result is bit i - k of p."""
    if o.circle:
        return turn_down(p, 13 - k)
    return (p << k) & (ONES * ((<uint64_t>0xFFFF << k) & 0xFFFF))


cdef inline uint64_t run_starts(const COpening* o, uint64_t p) noexcept nogil:
    """Lowest places of three in a row."""
    if o.circle:
        p |= (p & (3 * ONES)) << 13
    return p & (p >> 1) & (p >> 2) & o.starts_mask


cdef inline uint64_t covered(const COpening* o, uint64_t starts) noexcept nogil:
    """The places of those threes."""
    cdef uint64_t c = starts | (starts << 1) | (starts << 2)
    if o.circle:
        c = (c | ((c >> 13) & (3 * ONES))) & LANES
    return c


cdef inline void cover(const COpening* o, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t* q) noexcept nogil:
    """The largest part of these cards (unary planes, by place) that can all stand in runs."""
    cdef uint64_t q1, q2, q3, x1, y1, z1, w1, x2, y2, z2, w2, n, x, y, z, w
    q1 = run_starts(o, a1)
    if q1:
        q1 = covered(o, q1)
    q[0] = q1
    q[1] = 0
    q[2] = 0
    q2 = a2 & q1
    if q2 == 0:
        return
    x1 = after(o, q1, 1)
    y1 = after(o, q1, 2)
    z1 = before(o, q1, 1)
    w1 = before(o, q1, 2)
    while True:
        x2 = after(o, q2, 1)
        y2 = after(o, q2, 2)
        z2 = before(o, q2, 1)
        w2 = before(o, q2, 2)
        n = q2 & (x2 | z2 | (x1 & z1)) & (y2 | z2 | (y1 & z1)) & (x2 | w2 | (x1 & w1))
        if n == q2:
            break
        q2 = n
    q[1] = q2
    q3 = a3 & q2
    while q3:
        x = after(o, q3, 1)
        y = after(o, q3, 2)
        z = before(o, q3, 1)
        w = before(o, q3, 2)
        n = (q3 & (x | z | (x2 & z1) | (x1 & z2)) & (y | z | (y2 & z1) | (y1 & z2))
             & (x | w | (x2 & w1) | (x1 & w2)))
        if n == q3:
            break
        q3 = n
    q[2] = q3


cdef inline uint64_t spread_lane(const COpening* o, uint32_t lane) noexcept nogil:
    return <uint64_t>o.spread[lane & 127] | (<uint64_t>o.spread[(lane >> 7) & 63] << 28)


cdef inline uint64_t lane_nibbles(const COpening* o, uint64_t q) noexcept nogil:
    """Cards of a plane by rank: the sum of the lanes, bit i to nibble i, for 13 places."""
    cdef uint32_t low = <uint32_t>q, high = <uint32_t>(q >> 32), s = low ^ high, c = low & high, k, t
    cdef uint64_t out
    k = s & (s >> 16) & 0x1FFF
    out = spread_lane(o, (s ^ (s >> 16)) & 0x1FFF)
    if c | k:
        t = c ^ (c >> 16)
        out += spread_lane(o, (t ^ k) & 0x1FFF) << 1
        out += spread_lane(o, ((c & (c >> 16)) | (k & t)) & 0x1FFF) << 2
    return out


cdef inline uint64_t place_nibbles(const COpening* o, uint64_t q) noexcept nogil:
    """Cards of a plane of places, by rank."""
    cdef uint64_t out
    if q == 0:
        return 0
    out = lane_nibbles(o, q & LANES)
    if o.circle:
        return out
    if o.twice:
        out += lane_nibbles(o, (q >> 13) & o.twice_mask)
    if o.low:
        out = ((out << (4 * o.low)) | (out >> (52 - 4 * o.low))) & (((<uint64_t>1) << 52) - 1)
    return out


# ---- cards outside runs ----------------------------------------------------------------------------------------------

cdef struct CGroups:          # how the cards outside runs are laid, by rank
    uint8_t naturals[13]
    uint8_t jokers[13]
    uint8_t deuces[13]
    uint8_t set_deuces, set_jokers      # in deuce sets
    uint8_t wild_deuces, wild_jokers    # in wild melds

cdef struct CExtension:       # a laid run that the hand can lengthen
    uint8_t suit, start, size, most
    uint8_t below, above      # cards added, in the solution

cdef struct CSolve:
    const CRules* r
    const COpening* o
    const CPrices* price
    # free cards
    uint64_t p1, p2, p3       # by rank
    uint64_t rc               # nibbles by rank; black threes apart where `split`
    int jokers
    bint out                  # going out
    bint split
    bint black_set            # going out: three and more black threes form a set
    # ranks
    uint64_t plain            # one natural is lost, two need a wild card, and so on
    uint64_t special          # ranks with laid sets: any number may lie, up to hold wild cards
    uint64_t dead_cards       # all bits of the nibbles of ranks without sets
    bint by_table             # some rank is neither: use group_table
    bint with_bonus
    uint32_t rows[13][13]     # of the special ranks
    uint8_t hold[13][13]
    # deuce sets and wild melds
    const uint32_t* deuce_rows
    uint32_t own_deuce_rows[13]
    const int32_t* deuce_bonus
    uint32_t wild_sizes
    bint must_deuce           # laid deuce sets need more deuces
    int least_deuces          # a deuce set can take deuces or jokers once so many deuces are free
    # laid runs
    int n_extensions
    CExtension extension[MAX_LAID]
    # the search
    int best                  # loss to be beaten; at the end the least one found
    int stop                  # a loss that is good enough
    bint done
    int nodes
    int limit                 # nodes, 0: as many as it takes
    uint64_t best_runs[3]     # places in runs, of the best solution
    uint64_t best_rc          # cards outside runs
    int black_max


cdef inline int cost_of(const CPrices* p, uint64_t ranks) noexcept nogil:
    """One card of each of these ranks (lowest bits of nibbles)."""
    cdef uint64_t y
    cdef int total = 0
    if p.unit:
        y = (ranks * 15) & p.weight
        return p.unit * <int>((((y & LOW4) + ((y >> 4) & LOW4)) * BYTES) >> 56)
    while ranks:
        total += p.cost[ctz64(ranks) >> 2]
        ranks &= ranks - 1
    return total


cdef inline int cost_of_all(const CPrices* p, uint64_t n) noexcept nogil:
    """All cards of nibbles n."""
    cdef int total = 0, i
    while n:
        i = ctz64(n) >> 2
        total += <int>((n >> (4 * i)) & 15) * p.cost[i]
        n &= ~(<uint64_t>15 << (4 * i))
    return total


cdef inline int pairs_cost(const CPrices* p, uint64_t pairs, int k) noexcept nogil:
    """The k cheapest of these pairs."""
    cdef int i, n, total = 0
    for i in range(p.n_classes):
        n = nibble_bits(pairs & p.class_ranks[i])
        if n >= k:
            return total + 2 * k * p.class_cost[i]
        total += 2 * n * p.class_cost[i]
        k -= n
    return total


cdef inline int drop_cost(const CPrices* p, int k, int jokers, int deuces) noexcept nogil:
    """The k cheapest of these wild cards."""
    cdef int first = jokers if p.joker < p.deuce else deuces
    cdef int cost = p.joker if p.joker < p.deuce else p.deuce
    if k <= first:
        return k * cost
    return first * cost + (k - first) * (p.deuce if p.joker < p.deuce else p.joker)


cdef inline int capacity(const CSolve* s, uint64_t n) noexcept nogil:
    """Wild cards that the sets of n (nibbles, set ranks) can hold."""
    cdef const COpening* o = s.o
    cdef uint64_t m
    cdef int cap = 0, rank
    m = n & (s.plain * 15)
    if o.pairs_hold:
        cap = 2 * nibble_sum((m >> 1) & (7 * NIBBLES))
    else:
        while m:
            rank = ctz64(m) >> 2
            cap += o.hold[s.r.set_kind[rank]][(m >> (4 * rank)) & 15]
            m &= ~(<uint64_t>15 << (4 * rank))
    m = s.special
    while m:
        rank = ctz64(m) >> 2
        cap += s.hold[rank][(n >> (4 * rank)) & 15]
        m &= m - 1
    return cap


cdef inline int wilds_loss(const CSolve* s, uint64_t pairs, int np, int cap, int deuces) noexcept nogil:
    """Least loss of pairs and wild cards when deuce sets and wild melds take part. Wild cards go where points do not
    differ, so only how many stay in hand counts."""
    cdef int x, y, t, j, d, w, loss, best = IMPOSSIBLE
    cdef uint32_t ys, ts
    for x in range(deuces + 1):
        ys = s.deuce_rows[x]
        while ys:
            y = ctz64(ys)
            ys &= ys - 1
            if y > s.jokers:
                break
            j = s.jokers - y
            d = deuces - x
            ts = s.wild_sizes
            while ts:
                t = ctz64(ts)
                ts &= ts - 1
                w = j + d - t
                if w < 0:
                    break
                loss = pairs_cost(s.price, pairs, np - w) if w < np else 0
                if w > cap:
                    loss += drop_cost(s.price, w - cap, j, d)
                if loss < best:
                    best = loss
    return best


cdef inline int black_loss(const CSolve* s, int n) noexcept nogil:
    if n < 3:
        return n
    return n - s.black_max if n > s.black_max else 0


cdef struct CView:            # cards outside runs, by what ranks of the plain kind have
    uint64_t one              # one or more
    uint64_t single           # one
    uint64_t pairs            # two
    int n_pairs
    int wilds                 # jokers and deuces outside runs
    bint idle                 # some wild card found no place


cdef inline void look_at(const CSolve* s, uint64_t a, CView* v) noexcept nogil:
    """View of cards a (nibbles; deuces are nibble 1) and the jokers."""
    cdef uint64_t n = a & (s.plain * 15), two = nibbles_2(n)
    v.one = nibbles_1(n)
    v.single = v.one & ~two
    v.pairs = two & ~nibbles_3(n)
    v.n_pairs = nibble_bits(v.pairs)
    v.wilds = s.jokers + <int>((a >> (4 * DEUCE)) & 15)
    v.idle = False


cdef inline int group_loss(const CSolve* s, uint64_t a, CView* v) noexcept nogil:
    """Least loss of the cards outside runs and the jokers."""
    cdef uint64_t m
    cdef int loss, cap, d
    if s.by_table:
        return group_table(s, a, NULL)
    loss = cost_of(s.price, v.single)
    m = a & s.dead_cards
    if m:
        loss += cost_of_all(s.price, m)
    if s.black_set:
        loss += black_loss(s, <int>((a >> (4 * BLACK_NIBBLE)) & 15))
    d = v.wilds - s.jokers
    if s.must_deuce:
        return loss + wilds_loss(s, v.pairs, v.n_pairs, capacity(s, a), d)
    if v.wilds <= v.n_pairs:
        return loss + (pairs_cost(s.price, v.pairs, v.n_pairs - v.wilds) if v.wilds < v.n_pairs else 0)
    cap = capacity(s, a)
    if v.wilds > cap:
        v.idle = True
        loss += wilds_loss(s, v.pairs, v.n_pairs, cap, d)
    return loss


cdef inline int group_table(const CSolve* s, uint64_t a, CGroups* out) noexcept nogil:
    """The same for any tables, by going through the ranks: what is lost (less what bonus is earned) when exactly so
    many wild cards are in sets. With `out`, also how it is done. Where every kind takes both jokers and deuces as wild
    cards they need not be told apart until the end."""
    cdef int lost[14][ROW][13]
    cdef uint8_t how[13][ROW][13][3]      # naturals, jokers (or all wild cards), deuces of this rank
    cdef const COpening* o = s.o
    cdef const CRules* r = s.r
    cdef const uint32_t* rows
    cdef int rank, n, i, w, j, d, vj, vd, kind, price, loss, step = 0, best = IMPOSSIBLE, x, y, t, rest, k
    cdef int jokers = s.jokers, deuces = <int>((a >> (4 * DEUCE)) & 15), most = jokers + deuces
    cdef int top_j = jokers, top_d = deuces           # bounds of the table
    cdef int cost[ROW]
    cdef int take[ROW]
    cdef int ranks[13]
    cdef int base = cost_of_all(s.price, a & s.dead_cards)
    cdef int chosen[5]                                # jokers and deuces in sets, deuces and jokers in deuce sets,
    cdef uint32_t ys, ts                              # wild cards in wild melds
    if s.black_set:
        base += black_loss(s, <int>((a >> (4 * BLACK_NIBBLE)) & 15))
    if most > MAX_WILDS:
        most = MAX_WILDS
    if not o.mixed_wild:
        top_j = most
        top_d = 0
    for j in range(top_j + 1):
        for d in range(top_d + 1):
            lost[0][j][d] = IMPOSSIBLE
    lost[0][0][0] = 0
    for rank in range(13):
        if not (o.set_ranks >> (4 * rank)) & 1:
            continue
        n = <int>((a >> (4 * rank)) & 15)
        if n == 0 and not (s.special >> (4 * rank)) & 1:
            continue
        kind = r.set_kind[rank]
        rows = &o.rows[s.out][kind][0]
        if (s.special >> (4 * rank)) & 1:
            rows = &s.rows[rank][0]
        price = s.price.cost[rank]
        for w in range(most + 1):
            cost[w] = IMPOSSIBLE
            for i in range(n + 1):
                if (rows[i] >> w) & 1:
                    loss = (n - i) * price - (o.bonus[kind][i][w] if s.with_bonus else 0)
                    if loss < cost[w]:
                        cost[w] = loss
                        take[w] = i
        for j in range(top_j + 1):
            for d in range(top_d + 1):
                lost[step + 1][j][d] = IMPOSSIBLE
        for w in range(most + 1):
            if cost[w] == IMPOSSIBLE:
                continue
            for vj in range(w if not o.mixed_wild else 0, w + 1):
                vd = w - vj
                if o.mixed_wild and ((vj and not r.kind[kind].wild_jokers) or (vd and not r.kind[kind].wild_deuces)):
                    continue
                for j in range(top_j - vj + 1):
                    for d in range(top_d - vd + 1):
                        if lost[step][j][d] == IMPOSSIBLE:
                            continue
                        loss = lost[step][j][d] + cost[w]
                        if loss < lost[step + 1][j + vj][d + vd]:
                            lost[step + 1][j + vj][d + vd] = loss
                            how[step][j + vj][d + vd][0] = <uint8_t>take[w]
                            how[step][j + vj][d + vd][1] = <uint8_t>vj
                            how[step][j + vj][d + vd][2] = <uint8_t>vd
        ranks[step] = rank
        step += 1
    for x in range(deuces + 1):
        ys = s.deuce_rows[x]
        while ys:
            y = ctz64(ys)
            ys &= ys - 1
            if y > jokers:
                break
            for j in range(top_j + 1):
                for d in range(top_d + 1):
                    rest = jokers + deuces - x - y - j - d
                    if lost[step][j][d] == IMPOSSIBLE or rest < 0 or (
                            o.mixed_wild and (j + y > jokers or d + x > deuces)):
                        continue
                    ts = s.wild_sizes
                    while ts:
                        t = ctz64(ts)
                        ts &= ts - 1
                        if t > rest:
                            break
                        loss = lost[step][j][d]
                        if o.mixed_wild:
                            loss += drop_cost(s.price, rest - t, jokers - j - y, deuces - d - x)
                        else:
                            loss += drop_cost(s.price, rest - t, jokers - y, deuces - x)
                        if s.with_bonus:
                            loss -= s.deuce_bonus[x * ROW + y] + o.wild_bonus[t]
                        if loss < best:
                            best = loss
                            chosen[0] = j
                            chosen[1] = d
                            chosen[2] = x
                            chosen[3] = y
                            chosen[4] = t
    if out == NULL or best >= IMPOSSIBLE:
        return base + best if best < IMPOSSIBLE else IMPOSSIBLE
    memset(out, 0, sizeof(CGroups))
    out.set_deuces = <uint8_t>chosen[2]
    out.set_jokers = <uint8_t>chosen[3]
    j = chosen[0]
    d = chosen[1]
    # jokers and deuces that are neither in deuce sets nor, told apart, in sets
    jokers -= chosen[3]
    deuces -= chosen[2]
    if o.mixed_wild:
        jokers -= j
        deuces -= d
    # those that stay: the cheaper first; then the wild melds, deuces first
    k = jokers + deuces - chosen[4] - (0 if o.mixed_wild else j)
    if s.price.joker < s.price.deuce:
        i = k if k < jokers else jokers
        jokers -= i
        deuces -= k - i
    else:
        i = k if k < deuces else deuces
        deuces -= i
        jokers -= k - i
    out.wild_deuces = <uint8_t>(chosen[4] if chosen[4] < deuces else deuces)
    out.wild_jokers = <uint8_t>(chosen[4] - out.wild_deuces)
    jokers -= out.wild_jokers
    while step:
        step -= 1
        rank = ranks[step]
        out.naturals[rank] = how[step][j][d][0]
        vj = how[step][j][d][1]
        vd = how[step][j][d][2]
        j -= vj
        d -= vd
        if not o.mixed_wild:
            vd = vj
            vj = vd if vd < jokers else jokers
            vd -= vj
            jokers -= vj
        out.jokers[rank] = <uint8_t>vj
        out.deuces[rank] = <uint8_t>vd
    return base + best


cdef inline int most_bonus(const CSolve* s, uint64_t e) noexcept nogil:
    """No more bonus than this from sets of these cards, all wild cards shared out at their best."""
    cdef const COpening* o = s.o
    cdef const int32_t* rank_bonus
    cdef uint64_t m = nibbles_3(e) & o.set_ranks
    cdef int most[ROW]                  # with up to so many wild cards
    cdef int rank, i, v, best, d = <int>((e >> (4 * DEUCE)) & 15), w = s.jokers + d
    if w > MAX_WILDS:
        w = MAX_WILDS
    for i in range(w + 1):
        most[i] = o.most_deuce_bonus[i if i < d else d][i if i < s.jokers else s.jokers] + o.most_wild_bonus[i]
    while m:
        rank = ctz64(m) >> 2
        m &= m - 1
        rank_bonus = &o.most_bonus[s.r.set_kind[rank]][(e >> (4 * rank)) & 15][0]
        if rank_bonus[w] == 0:
            continue
        for i in range(w, -1, -1):
            best = most[i] + rank_bonus[0]
            for v in range(1, i + 1):
                if most[i - v] + rank_bonus[v] > best:
                    best = most[i - v] + rank_bonus[v]
            most[i] = best
    return most[w]


cdef inline int least_loss(const CSolve* s, uint64_t a, uint64_t f, const CView* v) noexcept nogil:
    """No solution loses less: cards a (seen as v) are outside runs, each card of f goes where it is wanted."""
    cdef uint64_t e = a + f, n = e & (s.plain * 15), two = nibbles_2(n), pairs, m
    cdef int loss, np, fd, k, cap, b
    pairs = two & ~nibbles_3(n) & v.one
    loss = cost_of(s.price, v.one & ~two)
    m = a & s.dead_cards
    if m:
        loss += cost_of_all(s.price, m)
    if s.black_set:
        k = <int>((a >> (4 * BLACK_NIBBLE)) & 15)
        b = <int>((e >> (4 * BLACK_NIBBLE)) & 15)
        if k:
            loss += black_loss(s, k if b < 3 or k > 3 else 3)
    fd = <int>((f >> (4 * DEUCE)) & 15)
    np = nibble_bits(pairs)
    if np > v.wilds + fd:
        k = pairs_cost(s.price, pairs, np - v.wilds - fd)
        loss += k if (pairs & nibbles_1(f)) == 0 else k // 2    # one of such a pair could stay in a run
    elif v.wilds > np and not s.by_table and v.wilds - s.jokers + fd < s.least_deuces and s.wild_sizes == 1:
        cap = capacity(s, e)
        if v.wilds > cap:
            loss += drop_cost(s.price, v.wilds - cap, s.jokers, v.wilds - s.jokers)
    if s.with_bonus:
        loss -= most_bonus(s, e)
    return loss


# ---- the search ------------------------------------------------------------------------------------------------------

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
    cdef uint64_t nf = nibbles_1(f), m = v.single & nf, e
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
        m = ((nibbles_2(e) & s.plain) | (s.o.set_ranks & ~s.plain)) & nf
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


# ---- setting up ------------------------------------------------------------------------------------------------------

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
    cdef uint64_t m = nibbles_1(s.rc) & s.plain
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


cdef inline int open_points(const CRules* r, const CHand* h, int deuce_min) noexcept nogil:
    """Most card points that can be laid from a hand, with deuce sets of at least deuce_min deuces."""
    cdef CSolve s
    solve_cards(&s, r, h, deuce_min)
    search_hand(&s)
    return all_points(r, h) - s.best


# ---- complete melds and bids -----------------------------------------------------------------------------------------

cdef inline uint64_t hand_runs(const COpening* o, uint64_t p, int size) noexcept nogil:
    """Lowest places of runs of `size` cards among cards p (by rank)."""
    cdef uint64_t a, w
    cdef int k
    if not o.runs:
        return 0
    a = run_places(o, p)
    w = run_starts(o, a)
    for k in range(3, size):
        if w == 0:
            break
        w &= after(o, a, k)
    return w


cdef inline bint may_start(const CRules* r, int kind, int key, const CMeld* laid, int n_laid) noexcept nogil:
    """A new set of the kind and rank may be laid beside the laid ones (R11.6, B23)."""
    cdef int i
    if r.kind[kind].per_rank == RANK_MANY:
        return True
    for i in range(n_laid):
        if laid[i].kind == kind and laid[i].key == key and (
                r.kind[kind].per_rank == RANK_ONE or not meld_complete(r, &laid[i])):
            return False
    return True


cdef inline int deuces_owed(const CRules* r, const CMeld* laid, int n_laid, int deuce_min) noexcept nogil:
    """Deuces that the laid deuce sets still need; more than there are if one can never have enough."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef int i, owed = 0, short
    if r.deuce_kind == NONE:
        return 0
    for i in range(n_laid):
        if laid[i].kind != r.deuce_kind:
            continue
        short = deuce_min - meld_naturals(&laid[i])
        if short <= 0:
            continue
        if short > 12 or not o.grow[0][laid[i].kind][meld_naturals(&laid[i])][laid[i].wilds][short] & 1:
            return 99
        owed += short
    return owed


cdef inline bint complete_meld(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, const CNeed* need,
                               int owed) noexcept nogil:
    """Some meld of the opening is complete, or can be made so from the hand while the deuces owed are paid and enough
    cards stay."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CKind* k
    cdef const CMeld* m
    cdef int deuces = rank_count(h, DEUCE), spare = deuces - owed, room = h.n - need.keep - owed
    cdef int i, d, w, n, kind, rank, wilds, short, owes, low, at, used
    cdef uint64_t q
    cdef bint fits
    if room < 0 or spare < 0:
        return False
    for i in range(n_laid):
        m = &laid[i]
        k = &r.kind[m.kind]
        if k.full == 0:
            continue
        short = k.full - m.size
        if k.shape == SHAPE_RUN:
            if short <= 0:
                return True
            for d in range(short + 1):             # d cards below, the others above
                low = (m.start - d + 13) % 13
                if not (r.run_len[low] >> k.full) & 1:
                    continue
                fits = room >= short
                used = 0
                at = low
                for w in range(k.full):
                    if w < d or w >= d + m.size:
                        if not (h.p1 >> (16 * m.key + at)) & 1:
                            fits = False
                            break
                        used += at == DEUCE
                    at = next_rank(at)
                if fits and used <= spare:
                    return True
            continue
        if k.shape == SHAPE_WILD:
            if short <= 0 or (room >= short and spare + h.jokers >= short
                              and o.grow[0][m.kind][m.size][0][short] & 1):
                return True
            continue
        owes = need.deuce_min - meld_naturals(m) if m.kind == r.deuce_kind else 0
        if short <= 0:
            if owes <= 0:
                return True
            short = 0                              # complete, but of too few deuces: they are owed
        if owes < 0:
            owes = 0
        rank = m.key
        n = rank_count(h, rank) if rank != DEUCE else spare + owes
        for d in range(owes, n + 1):
            w = short - d
            if w < 0:
                w = 0
                if d > owes:
                    break
            if w > 3 or d > 12 or not (o.grow[0][m.kind][meld_naturals(m)][m.wilds][d] >> w) & 1:
                continue
            if d + w - owes > room:
                continue
            wilds = (h.jokers if k.wild_jokers else 0) + (spare if k.wild_deuces else 0)
            if w <= wilds:
                return True
    if o.runs and r.kind[r.run_kind].full and room >= r.kind[r.run_kind].full:
        if hand_runs(o, h.p1 if spare else h.p1 & ~rank_mask(DEUCE), r.kind[r.run_kind].full):
            return True
    q = nibbles_2(h.rc) & o.set_ranks
    if o.complete_least >= 4:
        q &= (h.rc >> 2) | (h.rc >> 3)
    while q:
        rank = ctz64(q) >> 2
        q &= q - 1
        kind = r.set_kind[rank]
        k = &r.kind[kind]
        wilds = (h.jokers if k.wild_jokers else 0) + (spare if k.wild_deuces else 0)
        if o.complete_with[kind][rank_count(h, rank)] <= wilds and room >= k.full and may_start(
                r, kind, rank, laid, n_laid):
            return True
    if r.deuce_kind != NONE:
        k = &r.kind[r.deuce_kind]
        if k.full and spare + h.jokers >= k.full and room >= k.full and may_start(
                r, r.deuce_kind, DEUCE, laid, n_laid):
            for d in range(need.deuce_min if need.deuce_min > 1 else 1, spare + 1):
                w = k.full - d
                if 0 <= w <= 3 and w <= h.jokers and k.ok[d][w]:
                    return True
    elif r.wild_kind != NONE:
        k = &r.kind[r.wild_kind]
        if k.full and k.ok[k.full][0] and deuces + h.jokers >= k.full and room >= k.full:
            return True
    return False


cdef inline bint bid_meld(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, const CNeed* need,
                          int owed) noexcept nogil:
    """A meld that the bid lets open (R14.4-14.6) lies there or can be made from the hand."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CMeld* m
    cdef int spare = rank_count(h, DEUCE) - owed, room = h.n - need.keep - owed, i, n, short, suit, owes, kind, rank
    cdef uint64_t q
    if room < 0 or spare < 0:
        return False
    if need.bid_suits:
        for i in range(n_laid):
            if r.kind[laid[i].kind].shape == SHAPE_RUN and (need.bid_suits >> laid[i].key) & 1:
                return True
        if room >= 3:
            q = hand_runs(o, h.p1 if spare else h.p1 & ~rank_mask(DEUCE), 3)
            for suit in range(4):
                if (need.bid_suits >> suit) & 1 and (q >> (16 * suit)) & 0xFFFF:
                    return True
    if not (need.bid_four or need.bid_deuces):
        return False
    for i in range(n_laid):
        m = &laid[i]
        if r.kind[m.kind].shape != SHAPE_SET or r.kind[m.kind].when != ALWAYS:
            continue
        if m.kind != r.deuce_kind and not need.bid_four:
            continue
        n = meld_naturals(m)
        owes = need.deuce_min - n if m.kind == r.deuce_kind and need.deuce_min > n else 0
        short = 4 - n if n + owes < 4 else owes
        if short <= 0:
            return True
        if short - owes > room or not o.grow[0][m.kind][n][m.wilds][short] & 1:
            continue
        if short <= (spare + owes if m.kind == r.deuce_kind else rank_count(h, m.key)):
            return True
    if need.bid_four and room >= 4:
        q = nibbles_2(h.rc) & ((h.rc >> 2) | (h.rc >> 3)) & o.set_ranks
        while q:
            rank = ctz64(q) >> 2
            q &= q - 1
            kind = r.set_kind[rank]
            if r.kind[kind].ok[4][0] and may_start(r, kind, rank, laid, n_laid):
                return True
    if r.deuce_kind != NONE and may_start(r, r.deuce_kind, DEUCE, laid, n_laid):
        n = need.deuce_min if need.deuce_min > 4 else 4
        if n <= 12 and spare >= n and room >= n and r.kind[r.deuce_kind].ok[n][0]:
            return True
    return False


# ---- points ----------------------------------------------------------------------------------------------------------

cdef inline int surely_left(const CSolve* s) noexcept nogil:
    """Cards that stay in hand in the best solution (or fewer, where that is quicker to see and two or more)."""
    cdef uint64_t a = s.best_rc, n = a & (s.plain * 15), two = nibbles_2(n), pairs = two & ~nibbles_3(n)
    cdef CGroups g
    cdef int left = 0, w = s.jokers + <int>((a >> (4 * DEUCE)) & 15), np = nibble_bits(pairs), i
    if not s.by_table and not s.black_set:
        left = nibble_bits(nibbles_1(n) & ~two) + nibble_sum(a & s.dead_cards)
        if np > w:
            left += 2 * (np - w)
        if left >= 2:
            return left
    if group_table(s, a, &g) >= IMPOSSIBLE:
        return 0
    left = nibble_sum(a) + s.jokers - g.set_deuces - g.set_jokers - g.wild_deuces - g.wild_jokers
    for i in range(13):
        left -= g.naturals[i] + g.jokers[i] + g.deuces[i]
    return left


cdef inline bint points_reach(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, const CNeed* need,
                              int keep, int first, uint64_t protect) noexcept nogil:
    """Melds and additions from the hand bring the laid melds to the minimum, and `keep` cards stay. Cards that stay
    are tried from code `first` on; protect as in laid_rows."""
    cdef CSolve s
    cdef CHand g
    cdef int i, allowed, minimum = need.minimum, have = need.extra_points
    if h.n < keep:
        return False
    if n_laid == 0 and have == 0 and minimum < 1:
        minimum = 1                    # an opening is a meld at least
    for i in range(n_laid):
        have += meld_points(r, &laid[i])
    allowed = have + all_points(r, h) - minimum
    if allowed < 0:
        return False
    solve_cards(&s, r, h, need.deuce_min)
    if n_laid and not solve_laid(&s, laid, n_laid, need.deuce_min, protect):
        return False
    if have >= minimum and not s.must_deuce:
        return True
    s.best = allowed + 1
    s.stop = allowed
    search_extensions(&s, 0)
    if not s.done:
        return False
    if keep == 0 or surely_left(&s) >= keep:
        return True
    # too few stay: try every card that could
    for i in range(first, N_CODES):
        if (i & 15) > 12 or not hand_has(h, i):
            continue
        g = h[0]
        hand_remove(&g, i)
        if points_reach(r, &g, laid, n_laid, need, keep - 1, i, protect):
            return True
    return False


cdef inline void hand_less(const CRules* r, CHand* h, const CMeld* m) noexcept nogil:
    """Take the cards of a meld out of the hand."""
    cdef int i, rank
    if r.kind[m.kind].shape == SHAPE_RUN:
        for i in range(m.size):
            hand_remove(h, 16 * m.key + (m.start + i) % 13)
        return
    rank = DEUCE if r.kind[m.kind].shape == SHAPE_WILD else m.key
    for i in range(4):
        remove_some(h, 16 * i + rank, two_bit_count(m.nat, i))
        remove_some(h, 16 * i + DEUCE, two_bit_count(m.deuces, i))
    remove_some(h, JOKER, m.jokers)


cdef inline void remove_some(CHand* h, int code, int n) noexcept nogil:
    while n:
        hand_remove(h, code)
        n -= 1


cdef inline int suit_counts(const CHand* h, int rank) noexcept nogil:
    """Cards of a rank by suit, two bits each."""
    cdef int suit, out = 0
    for suit in range(4):
        out |= hand_count(h, 16 * suit + rank) << (2 * suit)
    return out


cdef inline bint suits_within(int some, int all_) noexcept nogil:
    return ((some & 3) <= (all_ & 3) and (some & 12) <= (all_ & 12) and (some & 48) <= (all_ & 48)
            and (some & 192) <= (all_ & 192))


# ---- plans: complete melds first, the rest after ---------------------------------------------------------------------

cdef struct CPlan:            # some complete melds are wanted: they are laid card by card, then the rest is judged
    const CRules* r
    const CNeed* need         # an opening, or NULL
    const COut* out           # ... or going out
    int minimum, needs        # what the melds of a going out have to reach as an opening
    int left                  # cards that may stay in hand when going out


cdef inline bint natural_spoils(const CRules* r, const CMeld* m) noexcept nogil:
    """A complete set without wild cards that may still take one."""
    return (r.kind[m.kind].shape == SHAPE_SET and m.wilds == 0 and meld_complete(r, m)
            and r.kind[m.kind].add_wild[m.size][0] != NEVER)


cdef inline bint needs_met(const CRules* r, const CMeld* laid, int n_laid, int needs) noexcept nogil:
    cdef int i
    if needs == NEEDS_NONE:
        return True
    for i in range(n_laid):
        if meld_complete(r, &laid[i]) and (needs == NEEDS_CANASTA or (
                r.kind[laid[i].kind].shape != SHAPE_WILD and laid[i].wilds == 0)):
            return True
    return False


cdef inline bint all_lies(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, uint64_t protect,
                          int left) noexcept nogil:
    """Every card of the hand but `left` can be laid when going out."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef CSolve s
    cdef int i
    if h.n <= left:
        return True
    solve_cards(&s, r, h, 0)
    s.price = &o.cards
    s.out = True
    s.deuce_rows = &o.deuce_rows_out[0]
    if o.out_differs:
        s.by_table = True
        check_plain(&s)
    if r.black_kind != NONE:
        s.black_set = True
        s.black_max = r.black_max
        for i in range(n_laid):
            if laid[i].kind == r.black_kind:
                s.black_max = 0
        if s.black_max == 0:
            s.black_set = False
        elif not s.split:
            split_threes(&s)
        if s.black_set:
            s.dead_cards &= ~(<uint64_t>15 << (4 * BLACK_NIBBLE))
    if n_laid and not solve_laid(&s, laid, n_laid, 0, protect):
        return False
    s.best = left + 1
    s.stop = left
    search_extensions(&s, 0)
    return s.done


cdef enum:                    # what the next complete meld of a plan must be
    WANT_NOTHING = 0
    WANT_RUN = 1
    WANT_WILD = 2
    WANT_NATURAL_SET = 3
    WANT_NATURAL = 4          # a set without wild cards, or a run
    WANT_MIXED_SET = 5
    WANT_SET = 6
    WANT_ANY = 7


cdef inline int wanted_meld(const COut* o, const CTally* t, int needs) noexcept nogil:
    """What is missing; every plan that succeeds has such a meld more."""
    if o != NULL and o.sum == 0:
        if t.count[OUT_RUN] < o.need[OUT_RUN]:
            return WANT_RUN
        if t.count[OUT_WILD] < o.need[OUT_WILD]:
            return WANT_WILD
        if t.count[OUT_NATURAL_SET] < o.need[OUT_NATURAL_SET]:
            return WANT_NATURAL_SET
        if t.count[OUT_NATURAL] < o.need[OUT_NATURAL]:
            return WANT_NATURAL
        if t.count[OUT_MIXED_SET] < o.need[OUT_MIXED_SET]:
            return WANT_MIXED_SET
        if t.count[OUT_SET] < o.need[OUT_SET]:
            return WANT_SET
    if needs == NEEDS_NATURAL and t.count[OUT_NATURAL] == 0:
        return WANT_NATURAL
    return WANT_ANY


cdef inline bint run_completes(const CRules* r, const CMeld* m, int below, CHand* h) noexcept nogil:
    """Complete an incomplete run with cards of the hand, `below` of them at its lower end; False (and some cards gone)
    if they are not there."""
    cdef int full = r.kind[m.kind].full, low = (m.start - below + 13) % 13, at = low, w
    if not (r.run_len[low] >> full) & 1:
        return False
    for w in range(full):
        if w < below or w >= below + m.size:
            if not hand_has(h, 16 * m.key + at):
                return False
            hand_remove(h, 16 * m.key + at)
        at = next_rank(at)
    return True


cdef inline void most_of_rank(const CRules* r, CTally* t, int kind, int n, int w) noexcept nogil:
    """Add what n naturals of a rank and w wild cards could become at most."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CKind* k = &r.kind[kind]
    cdef int sets
    if k.full == 0:
        return
    if w > MAX_WILDS:
        w = MAX_WILDS
    sets = (n + w) // k.full
    if sets > n // (k.full - 3):
        sets = n // (k.full - 3)
    t.count[OUT_SET] += <uint8_t>sets
    t.count[OUT_NATURAL_SET] += <uint8_t>(n // k.full)
    t.bonus += o.most_deuce_bonus[n][w] if kind == r.deuce_kind else o.most_bonus[kind][n][w]
    if kind == r.deuce_kind:
        t.deuce_sets += <uint8_t>sets


cdef inline void most_tally(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, CTally* t) noexcept nogil:
    """No side has more than this after laying cards of the hand, whatever it lays."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CKind* k
    cdef const CMeld* m
    cdef uint64_t a = h.p1, starts
    cdef CHand g
    cdef int i, d, n, w, suit, full, wilds = h.jokers + rank_count(h, DEUCE), rank, gain
    tally_clear(t)
    for i in range(n_laid):
        m = &laid[i]
        k = &r.kind[m.kind]
        tally_meld(r, t, m)
        if k.full == 0 or m.size >= k.full:
            continue
        if k.shape == SHAPE_RUN:
            for d in range(k.full - m.size + 1):
                g = h[0]
                if run_completes(r, m, d, &g):
                    t.count[OUT_RUN] += 1
                    t.runs |= <uint8_t>(1 << m.key)
                    t.bonus += k.bonus[7][0]
                    break
        elif k.shape == SHAPE_WILD:
            if m.size + wilds >= k.full:
                t.count[OUT_WILD] += 1
                t.bonus += k.bonus[k.full][0]
        else:
            n = rank_count(h, m.key)
            if m.size + n + wilds >= k.full:
                t.count[OUT_SET] += 1
                t.deuce_sets += m.key == DEUCE
                gain = 0
                for d in range(13):
                    for w in range(4):
                        if k.bonus[d][w] > gain:
                            gain = k.bonus[d][w]
                t.bonus += gain
                if m.wilds == 0 and m.size + n >= k.full:
                    t.count[OUT_NATURAL_SET] += 1
    if o.full_starts:
        k = &r.kind[r.run_kind]
        full = k.full
        starts = hand_runs(o, a, full) & o.full_starts
        for suit in range(4):
            if starts and (starts >> (16 * suit)) & 0xFFFF:
                n = (popcount64((a >> (16 * suit)) & 0x1FFF) + popcount64((h.p2 >> (16 * suit)) & 0x1FFF)
                     + popcount64((h.p3 >> (16 * suit)) & 0x1FFF)) // full
                t.count[OUT_RUN] += <uint8_t>n
                t.runs |= <uint8_t>(1 << suit)
                t.bonus += n * k.bonus[7][0]
    for rank in range(13):
        if (o.set_ranks >> (4 * rank)) & 1:
            most_of_rank(r, t, r.set_kind[rank], rank_count(h, rank), wilds)
    if r.deuce_kind != NONE:
        most_of_rank(r, t, r.deuce_kind, rank_count(h, DEUCE), h.jokers)
    elif r.wild_kind != NONE and r.kind[r.wild_kind].full:
        k = &r.kind[r.wild_kind]
        t.count[OUT_WILD] += <uint8_t>(wilds // k.full)
        t.bonus += o.most_wild_bonus[wilds if wilds < MAX_WILDS else MAX_WILDS]
    t.count[OUT_MIXED_SET] = t.count[OUT_SET]
    t.count[OUT_NATURAL] = t.count[OUT_NATURAL_SET] + t.count[OUT_RUN]
    t.count[OUT_CANASTA] = t.count[OUT_SET] + t.count[OUT_RUN] + t.count[OUT_WILD]
    t.points += all_points(r, h)


cdef inline bint plan_judged(const CPlan* p, const CHand* h, const CMeld* laid, int n_laid, int* want) noexcept nogil:
    """The plan succeeds as it stands. want: what complete meld could change the answer, if any."""
    cdef const CRules* r = p.r
    cdef CTally t, u
    cdef uint64_t spoil = 0, protect
    cdef int i, needs = p.needs if p.need == NULL else p.need.needs
    cdef CMeld m
    want[0] = WANT_NOTHING
    if p.need != NULL and not points_reach(r, h, laid, n_laid, p.need, p.need.keep, 0, 0):
        return False
    most_tally(r, h, laid, n_laid, &u)
    if (needs != NEEDS_NONE and u.count[OUT_CANASTA if needs == NEEDS_CANASTA else OUT_NATURAL] == 0) or (
            p.need == NULL and not out_ok(p.out, &u)):
        return False
    tally_clear(&t)
    for i in range(n_laid):
        tally_meld(r, &t, &laid[i])
        if natural_spoils(r, &laid[i]):
            spoil |= <uint64_t>1 << i
    if p.need != NULL:
        want[0] = wanted_meld(NULL, &t, needs)
        if not needs_met(r, laid, n_laid, needs):
            return False
        if needs != NEEDS_NATURAL:
            return True
        for i in range(n_laid):
            if not needs_met(r, &laid[i], 1, NEEDS_NATURAL):
                continue
            protect = <uint64_t>1 << i if natural_spoils(r, &laid[i]) else 0
            if points_reach(r, h, laid, n_laid, p.need, p.need.keep, 0, protect):
                return True
        return False
    t.points += all_points(r, h)
    if t.points < p.minimum or not all_lies(r, h, laid, n_laid, 0, p.left):
        return False
    want[0] = wanted_meld(p.out, &t, needs)
    if not needs_met(r, laid, n_laid, p.needs) or not out_ok(p.out, &t):
        return False
    # sets without wild cards that might have to take one: those that must stay natural are protected
    protect = spoil
    while True:
        u = t
        for i in range(n_laid):
            if ((spoil & ~protect) >> i) & 1:
                m = laid[i]
                tally_complete(r, &u, &m, -1)
                m.wilds = 1
                m.size += 1
                tally_complete(r, &u, &m, 1)
        if out_ok(p.out, &u) and (p.needs != NEEDS_NATURAL or u.count[OUT_NATURAL]) and all_lies(
                r, h, laid, n_laid, protect, p.left):
            return True
        if protect == 0:
            return False
        protect = (protect - 1) & spoil


cdef inline bint plan_complete(const CPlan* p, const CHand* h, const CMeld* laid, int n_laid, int from_,
                               int wanted) noexcept nogil:
    """The plan succeeds, perhaps after more melds have been completed. The next one is of the sort that is missing;
    melds of one sort are completed in order: laid ones by index, runs (64 + place), sets (128 + rank), wild melds
    (141), and from_ says where to go on if `wanted` is still missing."""
    cdef const CRules* r = p.r
    cdef const COpening* o = <const COpening*>r.opening
    cdef CMeld melds[MAX_LAID + 1]
    cdef CHand g
    cdef const CKind* k
    cdef uint64_t starts
    cdef int i, d, kind, rank, want
    cdef bint runs, sets
    if plan_judged(p, h, laid, n_laid, &want):
        return True
    if want == WANT_NOTHING or n_laid >= MAX_LAID:
        return False
    if want != wanted:
        from_ = 0
    runs = want == WANT_RUN or want == WANT_NATURAL or want == WANT_ANY
    sets = want != WANT_RUN and want != WANT_WILD
    memcpy(melds, laid, n_laid * sizeof(CMeld))
    for i in range(from_, n_laid):
        k = &r.kind[laid[i].kind]
        if k.full == 0 or laid[i].size >= k.full or h.n < k.full - laid[i].size:
            continue
        if k.shape != SHAPE_RUN:
            if (sets if k.shape == SHAPE_SET else want == WANT_WILD or want == WANT_ANY) and plan_set(
                    p, h, melds, n_laid, i, laid[i].kind, laid[i].key, i + 1, want):
                return True
            continue
        if not runs:
            continue
        for d in range(k.full - laid[i].size + 1):
            g = h[0]
            if run_completes(r, &laid[i], d, &g):
                start_run(r, &melds[i], laid[i].key, (laid[i].start - d + 13) % 13, k.full)
                if plan_complete(p, &g, melds, n_laid, i + 1, want):
                    return True
                melds[i] = laid[i]
    if runs and o.full_starts:
        k = &r.kind[r.run_kind]
        starts = hand_runs(o, h.p1, k.full) & o.full_starts
        for i in range(from_ - 64 if from_ > 64 else 0, 64):
            if not (starts >> i) & 1:
                continue
            start_run(r, &melds[n_laid], i >> 4, (o.low + (i & 15)) % 13, k.full)
            g = h[0]
            hand_less(r, &g, &melds[n_laid])
            if plan_complete(p, &g, melds, n_laid + 1, 64 + i, want):
                return True
    for rank in range(from_ - 128 if from_ > 128 else 0, 14):
        if rank < 13:
            kind = r.deuce_kind if rank == DEUCE else r.set_kind[rank]
            if not sets or rank == THREE or kind == NONE or r.kind[kind].when != ALWAYS or not may_start(
                    r, kind, rank, laid, n_laid):
                continue
        else:
            kind = r.wild_kind
            if kind == NONE or r.deuce_kind != NONE or (want != WANT_WILD and want != WANT_ANY):
                continue
        if r.kind[kind].full == 0 or h.n < r.kind[kind].full:
            continue
        memset(&melds[n_laid], 0, sizeof(CMeld))
        melds[n_laid].kind = <uint8_t>kind
        melds[n_laid].key = <uint8_t>(rank if rank < 13 else 0)
        if plan_set(p, h, melds, n_laid + 1, n_laid, kind, rank, 128 + rank, want):
            return True
    return False


cdef inline int loose_suits(const CRules* r, const CHand* h, const CMeld* melds, int n, int rank) noexcept nogil:
    """Cards of a rank that no run can take, by suit, two bits each (some of them, at least)."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef uint64_t q[3]
    cdef uint64_t some, runs
    cdef int i, out = suit_counts(h, rank)
    if not o.runs:
        return out
    for i in range(n):
        if r.kind[melds[i].kind].shape == SHAPE_RUN:
            out &= ~(3 << (2 * melds[i].key))       # a laid run of the suit could
    cover(o, run_places(o, h.p1), run_places(o, h.p2), run_places(o, h.p3), q)
    runs = run_cards_of(o, q[0])
    for i in range(4):
        some = (runs >> (16 * i + rank)) & 1
        if some:
            out &= ~(3 << (2 * i))
    return out


cdef inline bint plan_set(const CPlan* p, const CHand* h, CMeld* melds, int n, int i, int kind, int rank,
                          int from_, int want) noexcept nogil:
    """Complete melds[i], a set (or wild meld) that may be empty, in every way that matters; put it back in the end.
    Cards that no run can take go first: another card of the rank can do whatever they can."""
    cdef const CRules* r = p.r
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CKind* k = &r.kind[kind]
    cdef CMeld was = melds[i]
    cdef CHand g
    cdef CMeld add
    cdef bint wild_meld = k.shape == SHAPE_WILD
    cdef int naturals = was.size - was.wilds, short = k.full - was.size
    cdef int held, loose, deuces = suit_counts(h, DEUCE), loose_deuces = loose_suits(r, h, melds, n, DEUCE)
    cdef int d, w, some, others, jokers
    held = deuces if wild_meld else suit_counts(h, rank)
    loose = loose_deuces if wild_meld else loose_suits(r, h, melds, n, rank)
    for d in range(short + 1):
        w = short - d
        if wild_meld:
            # d deuces and w jokers, all of them natural
            if w > h.jokers or (was.size and not o.grow[1][kind][was.size][0][short] & 1) or not k.ok[k.full][0]:
                continue
        elif w > 3 or naturals + d > 12:
            continue
        elif was.size and not (o.grow[1][kind][naturals][was.wilds][d] >> w) & 1:
            continue
        elif was.size == 0 and not k.ok[d][w]:
            continue
        if (want == WANT_NATURAL_SET or want == WANT_NATURAL) and was.wilds + w:
            continue
        if want == WANT_MIXED_SET and was.wilds + w == 0:
            continue
        for some in range(256):
            if two_bit_sum(some) != d or not suits_within(some, held) or not loose_first(some, d, loose):
                continue
            for jokers in range(w, -1, -1):
                if jokers > h.jokers or (jokers and not wild_meld and not k.wild_jokers):
                    continue
                if jokers < w and (wild_meld or not k.wild_deuces):
                    break
                for others in range(256):
                    if two_bit_sum(others) != w - jokers or not suits_within(others, deuces) or not loose_first(
                            others, w - jokers, loose_deuces):
                        continue
                    memset(&add, 0, sizeof(CMeld))
                    add.kind = <uint8_t>kind
                    add.key = was.key
                    add.nat = <uint8_t>some
                    add.jokers = <uint8_t>jokers
                    add.deuces = <uint8_t>others
                    g = h[0]
                    hand_less(r, &g, &add)
                    melds[i] = was
                    melds[i].size += <uint8_t>short
                    melds[i].wilds += <uint8_t>(0 if wild_meld else w)
                    melds[i].jokers += <uint8_t>jokers
                    # copies of a card in a meld fit its two bits: there are three of each at most
                    melds[i].nat += <uint8_t>some
                    melds[i].deuces += <uint8_t>others
                    if plan_complete(p, &g, melds, n, from_, want):
                        melds[i] = was
                        return True
    melds[i] = was
    return False


cdef inline bint loose_first(int some, int n, int loose) noexcept nogil:
    """Of n cards, chosen by suit, the loose ones come first, in the order of suits."""
    cdef int suit, have, k
    for suit in range(4):
        have = two_bit_count(<uint8_t>loose, suit)
        k = n if n < have else have
        if k > two_bit_count(<uint8_t>some, suit) or (have and k == n and two_bit_count(<uint8_t>some, suit) > k):
            return False
        n -= k
    return True


# ---- can this hand open? ---------------------------------------------------------------------------------------------

cdef inline bint can_open(const CRules* r, const CHand* h, const CMeld* laid, int n_laid,
                          const CNeed* need) noexcept nogil:
    """The opening that these laid melds began (none: that could begin) can be completed from the hand: new melds,
    additions to the laid ones, `need.keep` cards staying in hand (R13-R15, D1-D3). Steps that only going out allows
    do not count."""
    cdef CPlan p
    cdef int owed = deuces_owed(r, laid, n_laid, need.deuce_min) if n_laid else 0, have = need.extra_points, i
    if owed > rank_count(h, DEUCE) or h.n < need.keep + owed:
        return False
    if n_laid and owed == 0 and need.needs == NEEDS_NONE:
        for i in range(n_laid):
            have += meld_points(r, &laid[i])
        if have >= need.minimum:
            return True
    if need.complete_opens and complete_meld(r, h, laid, n_laid, need, owed):
        return True
    if (need.bid_suits or need.bid_four or need.bid_deuces) and bid_meld(r, h, laid, n_laid, need, owed):
        return True
    if need.needs == NEEDS_NONE:
        return points_reach(r, h, laid, n_laid, need, need.keep, 0, 0)
    p.r = r
    p.need = need
    p.out = NULL
    p.left = 0
    return plan_complete(&p, h, laid, n_laid, 0, WANT_NOTHING)


cdef inline void mark_starts(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, const CNeed* need,
                             const CMeld* starts, int n_starts, uint8_t* flags) noexcept nogil:
    """flags[i] is 1 if the opening can still be completed after starts[i], a meld of hand cards, has been laid."""
    cdef CMeld melds[MAX_LAID + 1]
    cdef CHand g
    cdef int i
    memcpy(melds, laid, n_laid * sizeof(CMeld))
    for i in range(n_starts):
        g = h[0]
        hand_less(r, &g, &starts[i])
        melds[n_laid] = starts[i]
        flags[i] = can_open(r, &g, melds, n_laid + 1, need)


# ---- going out -------------------------------------------------------------------------------------------------------

cdef inline bint can_lay_all(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, const COut* out,
                             int minimum, int needs, int left) noexcept nogil:
    """The whole hand but `left` cards (whose points are not looked at) can be laid so that the side may go out (F4,
    F11, F17): steps that only going out allows and a set of black threes included. laid: all melds of the side; all
    of them together must have `minimum` card points and meet `needs` (0 and NEEDS_NONE: the side is open, or nothing
    is asked). Merging sets is not considered, see can_lay_out_merging."""
    cdef CPlan p
    p.r = r
    p.need = NULL
    p.out = out
    p.minimum = minimum
    p.needs = needs
    p.left = left
    return not out.forbidden and plan_complete(&p, h, laid, n_laid, 0, WANT_NOTHING)


cdef inline bint can_lay_out(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, const COut* out,
                             int minimum, int needs) noexcept nogil:
    """can_lay_all, one card left to be discarded (or none, where no discard is needed)."""
    cdef CHand g
    cdef int i
    if not can_lay_all(r, h, laid, n_laid, out, minimum, needs, 1):
        return False
    # with some card left; which one decides about points, and a discard may have to be left
    if not r.out_discard and can_lay_all(r, h, laid, n_laid, out, minimum, needs, 0):
        return True
    for i in range(N_CODES):
        if (i & 15) > 12 or not hand_has(h, i):
            continue
        g = h[0]
        hand_remove(&g, i)
        if can_lay_all(r, &g, laid, n_laid, out, minimum, needs, 0):
            return True
    return False


cdef inline bint can_lay_out_merging(const CRules* r, const CHand* h, const CMeld* laid, int n_laid,
                                     const COut* out) noexcept nogil:
    """The same for a side that is open: incomplete sets of one rank that lie there may be joined first (F14)."""
    cdef CMeld melds[MAX_LAID]
    cdef int i, j, n, w
    if can_lay_out(r, h, laid, n_laid, out, 0, NEEDS_NONE):
        return True
    for i in range(n_laid):
        if not r.kind[laid[i].kind].merge or meld_complete(r, &laid[i]):
            continue
        for j in range(i + 1, n_laid):
            if laid[j].kind != laid[i].kind or laid[j].key != laid[i].key or meld_complete(r, &laid[j]):
                continue
            n = meld_naturals(&laid[i]) + meld_naturals(&laid[j])
            w = laid[i].wilds + laid[j].wilds
            if n > 12 or w > 3 or not r.kind[laid[i].kind].ok[n][w]:
                continue
            memcpy(melds, laid, n_laid * sizeof(CMeld))
            melds[i].size += laid[j].size
            melds[i].nat += laid[j].nat
            melds[i].deuces += laid[j].deuces
            melds[i].jokers += laid[j].jokers
            melds[i].wilds += laid[j].wilds
            melds[j] = melds[n_laid - 1]
            if can_lay_out_merging(r, h, melds, n_laid - 1, out):
                return True
    return False


# ---- how a hand falls into melds -------------------------------------------------------------------------------------

cdef struct CPart:            # melds made of a hand
    CMeld melds[MAX_PARTITION]
    int n
    int points                # card points of the melds
    int bonus
    bint exact                # nothing better was left unseen
    int nodes                 # of the search


cdef inline bint complete_opens(const CRules* r, const CHand* h) noexcept nogil:
    """A complete meld can be made from the hand alone, and opens by itself (R13.3)."""
    cdef CNeed need
    memset(&need, 0, sizeof(CNeed))
    return r.bonus_counts and complete_meld(r, h, NULL, 0, &need, 0)


cdef inline void write_meld(const CRules* r, CPart* out, CHand* h, const CMeld* m) noexcept nogil:
    """Put a meld down and take its cards from the hand."""
    out.melds[out.n] = m[0]
    out.n += 1
    out.points += meld_points(r, m)
    out.bonus += meld_bonus(r, m)
    hand_less(r, h, m)


cdef inline void write_runs(const CRules* r, CPart* out, CHand* h, const uint64_t* runs) noexcept nogil:
    """Cut cards that can all stand in runs (planes of places) into runs, long ones where that works."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef uint64_t q[3]
    cdef uint64_t b[3]
    cdef uint64_t c[3]
    cdef uint64_t starts, bit
    cdef int size, i, at, full = r.kind[r.run_kind].full if o.runs else 0
    cdef bint fits
    cdef CMeld m
    q[0] = runs[0]
    q[1] = runs[1]
    q[2] = runs[2]
    while q[0]:
        # a place with more cards than the one before it: a run starts there; on a full circle anywhere
        starts = (q[0] & ~before(o, q[0], 1)) | (q[1] & ~before(o, q[1], 1)) | (q[2] & ~before(o, q[2], 1))
        if starts == 0:
            starts = q[0]
        at = ctz64(starts)
        for size in range(full if full else 13, 2, -1):
            b[0] = q[0]
            b[1] = q[1]
            b[2] = q[2]
            fits = True
            for i in range(size):
                if o.circle:
                    bit = <uint64_t>1 << ((at & 48) + ((at & 15) + i) % 13)
                elif (at & 15) + i < o.places:
                    bit = <uint64_t>1 << (at + i)
                else:
                    bit = 0
                if not (b[0] & bit):
                    fits = False
                    break
                if b[2] & bit:
                    b[2] ^= bit
                elif b[1] & bit:
                    b[1] ^= bit
                else:
                    b[0] ^= bit
            if not fits or not (r.run_len[(o.low + (at & 15)) % 13] >> size) & 1:
                continue
            cover(o, b[0], b[1], b[2], c)
            if c[0] == b[0] and c[1] == b[1] and c[2] == b[2]:
                break
        else:
            return                             # cannot be: the cards could all stand in runs
        start_run(r, &m, at >> 4, (o.low + (at & 15)) % 13, size)
        write_meld(r, out, h, &m)
        q[0] = b[0]
        q[1] = b[1]
        q[2] = b[2]


cdef inline int take_by_suit(CHand* g, int rank, int n) noexcept nogil:
    """Take n cards of a rank from a hand; returns them by suit."""
    cdef int suit, out = 0
    for suit in range(4):
        while n and hand_has(g, 16 * suit + rank):
            hand_remove(g, 16 * suit + rank)
            out += 1 << (2 * suit)
            n -= 1
    return out


cdef inline void write_sets(const CRules* r, CPart* out, CHand* h, int kind, int rank, int n, int jokers, int deuces,
                            int least) noexcept nogil:
    """Cut n naturals and so many wild cards into sets, for the most bonus."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CKind* k = &r.kind[kind]
    cdef const uint32_t* rows = &o.rows[0][kind][0]
    cdef const int32_t* best = &o.bonus[kind][0][0]
    cdef int w = jokers + deuces, i, v
    cdef CMeld m
    cdef CHand g
    cdef bint found
    if rank == DEUCE:
        rows = &o.deuce_rows[least][0]
        best = &o.deuce_bonus[least][0][0]
    while n:
        found = False
        for i in range(n, 0, -1):
            for v in range(3 if w > 3 else w, -1, -1):
                if not k.ok[i][v] or i < least or not (rows[n - i] >> (w - v)) & 1:
                    continue
                if i + v < n + w and (k.per_rank == RANK_ONE or (
                        k.per_rank == RANK_AFTER_COMPLETE and not (k.full and i + v >= k.full))):
                    continue
                if k.bonus[i][v] + best[(n - i) * ROW + w - v] < best[n * ROW + w]:
                    continue
                found = True
                break
            if found:
                break
        if not found:
            return
        memset(&m, 0, sizeof(CMeld))
        m.kind = <uint8_t>kind
        m.key = <uint8_t>rank
        m.size = <uint8_t>(i + v)
        m.wilds = <uint8_t>v
        g = h[0]
        m.nat = <uint8_t>take_by_suit(&g, rank, i)
        m.jokers = <uint8_t>(v if v < jokers else jokers)
        m.deuces = <uint8_t>take_by_suit(&g, DEUCE, v - m.jokers)
        jokers -= m.jokers
        deuces -= v - m.jokers
        write_meld(r, out, h, &m)
        n -= i
        w -= v


cdef inline void write_wilds(const CRules* r, CPart* out, CHand* h, int deuces, int jokers) noexcept nogil:
    """Cut wild cards into wild melds, for the most bonus."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CKind* k
    cdef int t = deuces + jokers, i
    cdef CMeld m
    cdef CHand g
    while t:
        k = &r.kind[r.wild_kind]
        for i in range(12 if t > 12 else t, 2, -1):
            if k.ok[i][0] and (o.wild_sizes >> (t - i)) & 1 and o.wild_bonus[t - i] + k.bonus[i][0] >= o.wild_bonus[t]:
                break
        else:
            return
        memset(&m, 0, sizeof(CMeld))
        m.kind = r.wild_kind
        m.size = <uint8_t>i
        m.jokers = <uint8_t>(i if i < jokers else jokers)
        g = h[0]
        m.nat = <uint8_t>take_by_suit(&g, DEUCE, i - m.jokers)
        deuces -= i - m.jokers
        jokers -= m.jokers
        write_meld(r, out, h, &m)
        t -= i


cdef inline void write_solution(CSolve* s, CHand* h, int deuce_min, CPart* out) noexcept nogil:
    """Put the best solution of a search (of hand h, nothing laid) down meld by meld; h keeps the cards left."""
    cdef CGroups g
    cdef int rank
    write_runs(s.r, out, h, s.best_runs)
    group_table(s, s.best_rc, &g)
    if g.set_deuces:
        write_sets(s.r, out, h, s.r.deuce_kind, DEUCE, g.set_deuces, g.set_jokers, 0, deuce_min)
    for rank in range(13):
        if g.naturals[rank]:
            write_sets(s.r, out, h, s.r.set_kind[rank], rank, g.naturals[rank], g.jokers[rank], g.deuces[rank], 0)
    write_wilds(s.r, out, h, g.wild_deuces, g.wild_jokers)


cdef inline void best_opening(const CRules* r, const CHand* h, int deuce_min, int keep, CPart* out) noexcept nogil:
    """Melds with the most card points that the hand can lay while `keep` cards stay; deuce sets have at least deuce_min
    deuces. No melds if so few cards cannot stay."""
    cdef CSolve s
    cdef CHand g
    cdef CPart other
    cdef int i
    memset(out, 0, sizeof(CPart))
    out.exact = True
    if h.n < keep:
        return
    solve_cards(&s, r, h, deuce_min)
    search_hand(&s)
    g = h[0]
    write_solution(&s, &g, deuce_min, out)
    if g.n >= keep:
        return
    memset(out, 0, sizeof(CPart))
    out.exact = True
    for i in range(N_CODES):
        if (i & 15) > 12 or not hand_has(h, i):
            continue
        g = h[0]
        hand_remove(&g, i)
        if all_points(r, &g) <= out.points:
            continue
        best_opening(r, &g, deuce_min, keep - 1, &other)
        if other.points > out.points:
            out[0] = other


cdef struct CPartSearch:
    const CRules* r
    int deuce_min
    int best                  # points and bonus of the best division so far
    int nodes, limit
    CMeld runs[MAX_PARTITION]
    int n_runs
    CPart* out


cdef inline void part_hand(CPartSearch* p, const CHand* h, int from_, int gained) noexcept nogil:
    """Every choice of complete runs from (suit, start) number from_ on, the rest of the hand divided for the most
    points and bonus of sets; gained is what the runs chosen so far are worth."""
    cdef const CRules* r = p.r
    cdef const COpening* o = <const COpening*>r.opening
    cdef CSolve s
    cdef CHand g
    cdef CMeld m
    cdef uint64_t starts
    cdef int i, suit, full, most, all_ = all_points(r, h), bonus
    solve_cards(&s, r, h, p.deuce_min)
    most = most_bonus(&s, s.rc)
    if o.full_starts:
        full = r.kind[r.run_kind].full
        bonus = r.kind[r.run_kind].bonus[7][0]
        starts = hand_runs(o, h.p1, full) & o.full_starts
        if starts:
            i = 0
            for suit in range(4):
                if (starts >> (16 * suit)) & 0xFFFF:
                    i += (popcount64((h.p1 >> (16 * suit)) & 0x1FFF) + popcount64((h.p2 >> (16 * suit)) & 0x1FFF)
                          + popcount64((h.p3 >> (16 * suit)) & 0x1FFF)) // full
            if gained + all_ + most + bonus * i <= p.best:
                return
            for i in range(from_, 64):
                if not (starts >> i) & 1:
                    continue
                start_run(r, &m, i >> 4, (o.low + (i & 15)) % 13, full)
                g = h[0]
                hand_less(r, &g, &m)
                p.runs[p.n_runs] = m
                p.n_runs += 1
                part_hand(p, &g, i, gained + meld_points(r, &m) + bonus)
                p.n_runs -= 1
    if gained + all_ + most <= p.best or (p.limit and p.nodes >= p.limit):
        return
    s.with_bonus = most > 0
    s.by_table |= s.with_bonus
    s.best = gained + all_ - p.best
    s.stop = -most
    if p.limit:
        s.limit = p.limit - p.nodes
    search_hand(&s)
    p.nodes += s.nodes
    if s.best < gained + all_ - p.best:
        p.best = gained + all_ - s.best
        p.out.n = 0
        p.out.points = 0
        p.out.bonus = 0
        g = h[0]
        for i in range(p.n_runs):
            # its cards are gone from the hand already
            p.out.melds[i] = p.runs[i]
            p.out.n += 1
            p.out.points += meld_points(r, &p.runs[i])
            p.out.bonus += meld_bonus(r, &p.runs[i])
        write_solution(&s, &g, p.deuce_min, p.out)


cdef inline void best_partition(const CRules* r, const CHand* h, int deuce_min, int limit, CPart* out) noexcept nogil:
    """Melds of the hand with the most card points and bonus points together, keeping nothing back. limit: nodes of the
    search (0: none); out.exact is False where it was reached."""
    cdef CPartSearch p
    memset(out, 0, sizeof(CPart))
    p.r = r
    p.deuce_min = deuce_min if deuce_min < MAX_MINIMUM_DEUCES else MAX_MINIMUM_DEUCES - 1
    p.best = -1
    p.nodes = 0
    p.limit = limit
    p.n_runs = 0
    p.out = out
    part_hand(&p, h, 0, 0)
    out.exact = limit == 0 or p.nodes < limit
    out.nodes = p.nodes


cdef inline int square_share(int bonus, int n, int full) noexcept nogil:
    """A bonus times the square of n / full, without a division by a variable in the usual case."""
    return bonus * n * n // 49 if full == 7 else bonus * n * n // (full * full)


cdef inline int bonus_potential(const CRules* r, const CHand* h) noexcept nogil:
    """How far the hand is on the way to bonuses, in points: for every rank with three or more naturals and for the best
    place of a complete run in every suit, if it holds three or more of its cards, the bonus (of a natural meld) times
    the square of the share of its cards that are there. Wild cards do not count but for wild melds."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef uint64_t m = nibbles_3(h.rc), a, x, s0, s1, s2, c, d, t, u
    cdef const CKind* k
    cdef int rank, kind, n, full, total = 0, suit, i
    while m:
        rank = ctz64(m) >> 2
        m &= m - 1
        kind = r.deuce_kind if rank == DEUCE else r.set_kind[rank]
        if rank == THREE or kind == NONE or r.kind[kind].full == 0:
            continue
        k = &r.kind[kind]
        n = rank_count(h, rank)
        if n > k.full:
            n = k.full
        total += square_share(k.bonus[k.full][0], n, k.full)
    if r.deuce_kind == NONE and r.wild_kind != NONE and r.kind[r.wild_kind].full:
        k = &r.kind[r.wild_kind]
        n = h.jokers + rank_count(h, DEUCE)
        if n > k.full:
            n = k.full
        if n >= 3:
            total += square_share(k.bonus[k.full][0], n, k.full)
    if o.full_starts:
        full = r.kind[r.run_kind].full
        a = run_places(o, h.p1)
        s0 = a                                  # cards within `full` places from here, as three bits; more than 7 do
        s1 = 0                                  # not occur, complete runs have seven cards
        s2 = 0
        for i in range(1, full):
            x = after(o, a, i)
            c = s0 & x
            s0 ^= x
            d = s1 & c
            s1 ^= c
            s2 |= d
        s0 &= o.full_starts
        s1 &= o.full_starts
        s2 &= o.full_starts
        for suit in range(4):
            t = s2 >> (16 * suit) & 0xFFFF
            n = 0
            u = 0xFFFF
            if t:
                n = 4
                u = t
            t = (s1 >> (16 * suit)) & u
            if t:
                n += 2
                u = t
            if (s0 >> (16 * suit)) & u:
                n += 1
            if n >= 3:
                total += square_share(r.kind[r.run_kind].bonus[7][0], n, full)
    return total
