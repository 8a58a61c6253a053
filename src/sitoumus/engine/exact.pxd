# Deals under a condition: one hand dealt exactly from tables, the rest by trying whole deals until the condition holds.
#
# CTables is one hand under a condition that decomposes. The cards still to be dealt fall into blocks (a suit, a bag of
# equal cards, the rest). A node says: so many cards are drawn so far, and this is what they are worth to the condition.
# Its options are the classes of the next block, each with the exact number of hands that it leads to; a class has
# cells. A cell lists the rank masks of a suit and says how many copies lie beyond the first of each rank, or how many
# cards come out of which bag. An option is drawn by its number of hands, a cell by its number of ways, a member of it
# uniformly: every hand that fulfils the condition has the same chance, no other hand any, and nothing is rejected.
#
# A deal is tried as a whole: when the rest of the condition fails, the exact hand is drawn again too. Re-dealing one
# hand under another that stays would favour hands that leave the other few ways, as dealers of bridge hands warn.
#
# Random numbers of try t of deal i: the stream (key; 0, PURPOSE_CONDITION, i, t). In order: block by block the option,
# the cell with its member, the cards of bags; then card by card the seats the program looks at, and, once the condition
# holds, the other seats and the stock. Where there is but one choice no number is drawn.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy
from sitoumus.engine.cards cimport (
    CHand, clz64, ctz64, hand_add, hand_clear, hand_count, hand_merge, N_CODES, popcount64,
)
from sitoumus.engine.rng cimport below128, below64, bounded, shuffle, Stream
from sitoumus.engine.tables cimport CRules, MAX_PACK, MAX_SEATS
from sitoumus.engine.state cimport CState
from sitoumus.engine.conditions cimport CProgram, holds

cdef struct CNode:
    uint64_t high, low    # number of hands from here on, 128 bits
    uint32_t first        # of its options, the likeliest first
    uint32_t n

cdef struct COption:
    uint64_t high, low    # hands of this option and of those before it
    uint32_t klass
    uint32_t node         # where it leads

cdef struct CClass:
    uint64_t ways         # of all its cells; 1 where one cell leaves nothing to choose but cards of bags
    uint32_t first        # of its cells
    uint32_t n

cdef struct CCell:
    uint64_t ways         # n_masks * each
    uint64_t each         # ways of one mask
    uint32_t mask         # first of its rank masks; they are equally likely
    uint32_t n_masks      # 0: cards come out of bags
    uint32_t first        # of its parts
    uint32_t n

cdef struct CTake:
    uint64_t cards        # lanes: the cards of a suit that this part speaks of (masks only)
    uint64_t ways         # in which their copies can be chosen
    uint32_t bag          # first card of a bag (bags only)
    uint16_t size         # cards in the bag
    uint16_t take         # copies beyond the first of each rank; or cards out of the bag

cdef struct CTables:
    int n_blocks
    uint8_t shift[64]     # by block: bit of the lane of a suit
    const CNode* node
    const COption* option
    const CClass* klass
    const CCell* cell
    const CTake* part
    const uint16_t* mask
    const uint8_t* bag
    const uint64_t* copies    # [k2][k3][e]: exact_dealing.copy_ways
    uint64_t left2, left3     # cards of which at least two, three copies are left


cdef inline const uint64_t* copy_ways(const CTables* t, int k2, int k3) noexcept nogil:
    return &t.copies[(k2 * 14 + k3) * 32]


cdef inline const COption* draw_option(const CTables* t, Stream* s, const CNode* node) noexcept nogil:
    cdef const COption* o = &t.option[node.first]
    cdef uint64_t x[2]
    if node.n == 1:
        return o
    if node.high:
        below128(s, node.high, node.low, x)
        while o.high < x[0] or (o.high == x[0] and o.low <= x[1]):
            o += 1
        return o
    x[1] = below64(s, node.low)
    while o.low <= x[1]:
        o += 1
    return o


cdef inline void draw_bag(Stream* s, CHand* h, const uint8_t* cards, int size, int take) noexcept nogil:
    """`take` cards out of a bag, each set of cards equally likely."""
    cdef uint8_t bag[MAX_PACK]
    cdef int j
    memcpy(bag, cards, size)
    while take:
        j = <int>bounded(s, <uint32_t>size)
        hand_add(h, bag[j])
        size -= 1
        take -= 1
        bag[j] = bag[size]


cdef inline void draw_copies(const CTables* t, CHand* h, uint64_t cards, int extra, uint64_t x) noexcept nogil:
    """One of the ways, number x, to take `extra` copies beyond the first of each of these cards."""
    cdef int k2 = popcount64(cards & t.left2 & ~t.left3), k3 = popcount64(cards & t.left3), code
    cdef uint64_t ways
    while extra:
        code = ctz64(cards)
        cards &= cards - 1
        if (t.left3 >> code) & 1:       # three copies left: one in 3 ways, two in 3, three in 1
            k3 -= 1
            ways = 3 * copy_ways(t, k2, k3)[extra]
            if x < ways:
                x //= 3
                continue
            x -= ways
            hand_add(h, code)
            extra -= 1
            ways = 3 * copy_ways(t, k2, k3)[extra]
            if x < ways:
                x //= 3
                continue
            x -= ways
            hand_add(h, code)
            extra -= 1
        elif (t.left2 >> code) & 1:     # two copies left: one in 2 ways, two in 1
            k2 -= 1
            ways = 2 * copy_ways(t, k2, k3)[extra]
            if x < ways:
                x >>= 1
                continue
            x -= ways
            hand_add(h, code)
            extra -= 1


cdef inline void draw_hand(const CTables* t, Stream* s, CHand* h) noexcept nogil:
    """Add cards to a hand by the tables."""
    cdef const CNode* node = t.node
    cdef const COption* option
    cdef const CClass* klass
    cdef const CCell* cell
    cdef const CTake* part
    cdef uint64_t x, cards, rest
    cdef int block, i
    for block in range(t.n_blocks):
        option = draw_option(t, s, node)
        node = &t.node[option.node]
        klass = &t.klass[option.klass]
        cell = &t.cell[klass.first]
        x = below64(s, klass.ways) if klass.ways > 1 else 0
        while x >= cell.ways:
            x -= cell.ways
            cell += 1
        if cell.n_masks == 0:
            for i in range(<int>cell.n):
                part = &t.part[cell.first + i]
                draw_bag(s, h, t.bag + part.bag, part.size, part.take)
            continue
        rest = x // cell.each
        x -= rest * cell.each
        cards = <uint64_t>t.mask[cell.mask + rest] << t.shift[block]
        rest = cards
        while rest:
            hand_add(h, ctz64(rest))
            rest &= rest - 1
        for i in range(<int>cell.n):
            part = &t.part[cell.first + i]
            draw_copies(t, h, cards & part.cards, part.take, x % part.ways)
            x //= part.ways


# ---- whole deals -----------------------------------------------------------------------------------------------------

cdef struct CDealer:
    CProgram program
    CTables tables
    int exact             # seat that is dealt from the tables, NONE without one
    int seats             # all of them
    int looked            # seats dealt before the program is asked
    uint8_t order[MAX_SEATS]   # the exact seat, if any, then those the program looks at, then the others
    CHand fixed[MAX_SEATS]     # known cards
    int n_pack
    uint8_t pack[MAX_PACK]     # all other cards in the order of their codes
    uint8_t place[N_CODES]     # of the first copy in the pack
    uint8_t left[N_CODES]      # copies in the pack


cdef inline void deal_one(Stream* s, uint8_t* pack, int* n, CHand* h) noexcept nogil:
    cdef int j = <int>bounded(s, <uint32_t>n[0])
    hand_add(h, pack[j])
    n[0] -= 1
    pack[j] = pack[n[0]]


cdef inline int take_out(const CDealer* d, uint8_t* pack, const CHand* h) noexcept nogil:
    """Take cards out of a fresh pack, from the highest place down: the last card fills the gap. How many are left."""
    cdef int n = d.n_pack - h.jokers, i, code       # jokers stand last
    cdef uint64_t p = h.p1
    while p:
        code = 63 - clz64(p)
        p ^= <uint64_t>1 << code
        for i in range(d.place[code] + hand_count(h, code) - 1, d.place[code] - 1, -1):
            n -= 1
            pack[i] = pack[n]
    return n


cdef inline bint try_deal(const CDealer* d, const CRules* r, Stream* s, uint8_t* pack, int* n,
                          CHand* hands) noexcept nogil:
    """Deal the seats that matter from an open stream; whether the condition holds. pack keeps n cards that are left."""
    cdef int i, seat
    cdef CHand drawn
    memcpy(pack, d.pack, d.n_pack)
    n[0] = d.n_pack
    for i in range(d.looked):
        seat = d.order[i]
        hands[seat] = d.fixed[seat]
        if seat == d.exact:
            hand_clear(&drawn)
            draw_hand(&d.tables, s, &drawn)
            n[0] = take_out(d, pack, &drawn)
            hand_merge(&hands[seat], &drawn)
        else:
            while hands[seat].n < r.hand_size:
                deal_one(s, pack, n, &hands[seat])
    return holds(&d.program, r, hands)


cdef inline void finish_deal(const CDealer* d, const CRules* r, Stream* s, uint8_t* pack, int n,
                             CState* state) noexcept nogil:
    """Deal the other seats, then the stock, its next card first."""
    cdef int i, seat
    for i in range(d.looked, d.seats):
        seat = d.order[i]
        state.h.hand[seat] = d.fixed[seat]
        while state.h.hand[seat].n < r.hand_size:
            deal_one(s, pack, &n, &state.h.hand[seat])
    shuffle(s, pack, n)
    state.p.stock_n = <uint8_t>n
    memcpy(state.h.stock, pack, n)
