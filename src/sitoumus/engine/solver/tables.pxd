# Tables of the opening solver that depend on the rule set alone: COpening, and how its rows are made.
#
# For each rank and each number of natural cards: which sets can be made, what wild cards they hold, what they bring.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t, int32_t
from libc.string cimport memset, memcpy
from sitoumus.engine.cards cimport ctz64, ONES
from sitoumus.engine.tables cimport (
    ALWAYS, CKind, CMeld, CRules, MAX_KINDS, NEVER, NONE, RANK_AFTER_COMPLETE, RANK_MANY, RANK_ONE, SHAPE_WILD,
)

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


# ---- tables ----------------------------------------------------------------------------------------------------------

cdef struct CPart:            # melds made of a hand
    CMeld melds[MAX_PARTITION]
    int n
    int points                # card points of the melds
    int bonus
    bint exact                # nothing better was left unseen
    int nodes                 # of the search


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
