# What a seat may know, as a vector of bytes of the same length in all games.
#
# It is made of the public part of the table and the seat's own hand alone, so that nothing hidden can get into it.
# Seats stand in the order of play from the own one: me, left, partner, right. Of two players the other is left, of
# three the others are left and right. Sides: ours, left's, right's (of two: ours, theirs).
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset
from sitoumus.engine.cards cimport (
    canonical, CHand, ctz64, hand_add, hand_clear, hand_part, N_TYPES, suits_of_rank,
)
from sitoumus.engine.tables cimport CKind, CMeld, CRules, N_OUT, NONE
from sitoumus.engine.state cimport (
    ASKED_NO, ASKED_YES, CPublic, MAX_BIDS, MAX_MELDS, PHASE_AUCTION, side_minimum,
)
from sitoumus.engine.auction cimport bid_level, bid_strain
from sitoumus.engine.taking cimport freezers_in_a_row
from sitoumus.engine.numbering cimport CPrefix, ID_CARD, ID_MERGE, ID_SLOT, ID_TAKE

cdef enum:
    SEATS_SEEN = 4
    SIDES_SEEN = 3
    N_PHASES = 7
    MELD_FIELDS = 8           # as many as a CMeld has bytes
    SIDE_FIELDS = 18
    FLAGS = 16
    # where each part begins; the names, shapes and meanings of the parts stand in _envs.pyx
    O_HAND = 0
    O_KNOWN = O_HAND + N_TYPES
    O_UNSEEN = O_KNOWN + 3 * N_TYPES
    O_PILE = O_UNSEEN + N_TYPES
    O_TOP = O_PILE + N_TYPES
    O_BROUGHT = O_TOP + N_TYPES
    O_PREFIX_CARDS = O_BROUGHT + N_TYPES
    O_PREFIX = O_PREFIX_CARDS + N_TYPES
    O_PHASE = O_PREFIX + 5
    O_ACTING = O_PHASE + N_PHASES
    O_PLAYER = O_ACTING + SEATS_SEEN
    O_DEALER = O_PLAYER + SEATS_SEEN
    O_CONTRACT = O_DEALER + SEATS_SEEN
    O_DECLARER = O_CONTRACT + 8
    O_SIZES = O_DECLARER + SEATS_SEEN
    O_COUNTS = O_SIZES + SEATS_SEEN
    O_FLAGS = O_COUNTS + 4
    O_SIDES = O_FLAGS + FLAGS
    O_BIDS = O_SIDES + SIDES_SEEN * SIDE_FIELDS
    O_MELDS = O_BIDS + MAX_BIDS * SEATS_SEEN
    OBSERVATION = O_MELDS + SIDES_SEEN * MAX_MELDS * MELD_FIELDS


cdef inline uint8_t byte_of(int x) noexcept nogil:
    """A number as a byte, cut off at 0 and 255."""
    return <uint8_t>(0 if x < 0 else 255 if x > 255 else x)


cdef inline int seat_place(const CRules* r, int seat, int own) noexcept nogil:
    """Where a seat stands: 0 me, 1 left, 2 partner, 3 right."""
    cdef int place = seat - own + (r.seats if seat < own else 0)
    return 3 if r.seats == 3 and place == 2 else place


cdef inline int side_place(const CRules* r, int side, int own) noexcept nogil:
    """Where a side stands: 0 ours, 1 that of the next seat, 2 the third."""
    cdef int place = side - r.side_of[own]
    return place + r.sides if place < 0 else place


cdef inline void write_few(uint64_t plane, uint8_t* out) noexcept nogil:
    cdef int card
    while plane:
        card = ctz64(plane)
        plane &= plane - 1
        out[4 * (card & 15) + (card >> 4)] += 1


cdef inline void write_cards(const CHand* h, uint8_t* out) noexcept nogil:
    """A hand as 53 counts in canonical order, where zeros stand: card by card, or of many the four suits at a time."""
    cdef uint32_t four
    cdef int rank
    out[52] = h.jokers
    if h.n < 40:
        write_few(h.p1, out)
        write_few(h.p2, out)
        write_few(h.p3, out)
        return
    for rank in range(13):
        four = (((<uint32_t>suits_of_rank(h.p1, rank) * 0x00204081) & 0x01010101)
                + ((<uint32_t>suits_of_rank(h.p2, rank) * 0x00204081) & 0x01010101)
                + ((<uint32_t>suits_of_rank(h.p3, rank) * 0x00204081) & 0x01010101))
        out[4 * rank] = <uint8_t>four
        out[4 * rank + 1] = <uint8_t>(four >> 8)
        out[4 * rank + 2] = <uint8_t>(four >> 16)
        out[4 * rank + 3] = <uint8_t>(four >> 24)


cdef inline void whole_pack(const CRules* r, CHand* h) noexcept nogil:
    """All cards of the game."""
    cdef int i
    hand_clear(h)
    for i in range(r.n_cards):
        hand_add(h, r.pack[i])


cdef inline void write_prefix(const CPrefix* x, uint8_t* out) noexcept nogil:
    """An action chosen in part: the cards named so far; what it is (addition, merge, take); its slot, and one more."""
    cdef int i, chosen, first
    cdef uint8_t* kind = out + O_PREFIX
    if x.n == 0:
        return
    first = x.ids[0]
    kind[0] = ID_CARD <= first < ID_MERGE
    kind[1] = first == ID_MERGE
    kind[2] = ID_TAKE <= first < ID_SLOT
    kind[4] = <uint8_t>(first - ID_TAKE) if kind[2] else 0     # suits; which rank they have the top card says
    for i in range(x.n):
        chosen = x.ids[i]
        if ID_CARD <= chosen < ID_MERGE:
            out[O_PREFIX_CARDS + chosen - ID_CARD] += 1
        elif chosen >= ID_SLOT:
            kind[3] = byte_of(chosen - ID_SLOT + 1)


cdef inline void write_melds(const CRules* r, const CPublic* p, int side, uint8_t* out) noexcept nogil:
    """The melds of a side, one row each, in the order of their numbers; those of an older observation are cleared.

    56 rows have room for one more than any side can have, so the last is always empty.
    """
    cdef const CMeld* m
    cdef const CKind* k
    cdef int i
    for i in range(p.n_melds[side]):
        m = &p.melds[side][i]
        k = &r.kind[m.kind]
        memcpy(out, m, sizeof(CMeld))        # start, size, jokers and wild cards stay as they are
        out[0] = <uint8_t>(k.shape + 1)
        out[1] = <uint8_t>(m.key + 1)
        out[4] = k.full
        out[5] = (k.full != 0) & (m.size >= k.full)
        out += MELD_FIELDS
    while out[0]:                            # what was written there before
        memset(out, 0, MELD_FIELDS)
        out += MELD_FIELDS


cdef inline void write_side(const CRules* r, const CPublic* p, int side, uint8_t* out) noexcept nogil:
    cdef uint8_t needs
    cdef int i
    out[0] = byte_of(p.totals[side] // 50)
    out[1] = byte_of(-p.totals[side] // 50)
    out[2] = byte_of(side_minimum(r, p, side, &needs) // 5)
    out[3] = needs
    out[4] = p.opened[side]
    out[5] = p.n_melds[side]
    out[6] = byte_of(p.tally[side].points // 50)
    out[7] = byte_of(p.tally[side].bonus // 100)
    out[8] = p.bonus[side].n
    out[9] = p.bought[side].n
    out[10] = byte_of(p.penalties[side] // 100)
    for i in range(N_OUT):
        out[11 + i] = p.tally[side].count[i]


cdef extern from *:
    """
    /* The first byte of a word that is not zero, in the order of memory, and the word without it. */
    #if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define sit_first_byte(x) (sit_clz64(x) >> 3)
    #define sit_without_byte(x, k) ((x) & ~(0xFF00000000000000ULL >> (8 * (k))))
    #else
    #define sit_first_byte(x) (sit_ctz64(x) >> 3)
    #define sit_without_byte(x, k) ((x) & ~(0xFFULL << (8 * (k))))
    #endif
    """
    int first_byte "sit_first_byte"(uint64_t x) noexcept nogil
    uint64_t without_byte "sit_without_byte"(uint64_t x, int k) noexcept nogil


cdef inline void write_bids(const CRules* r, const CPublic* p, int seat, uint8_t* out) noexcept nogil:
    """Who has made each bid, eight at a time: where nobody has made one, the bits of NONE are all set."""
    cdef uint64_t made
    cdef int i, k
    for i in range(0, MAX_BIDS, 8):
        memcpy(&made, &p.bidder[i], 8)
        made = ~made
        while made:
            k = first_byte(made)
            made = without_byte(made, k)
            out[(i + k) * SEATS_SEEN + seat_place(r, p.bidder[i + k], seat)] = 1


cdef inline void write_flags(const CRules* r, const CPublic* p, int seat, uint8_t* out) noexcept nogil:
    out[0] = p.drew
    out[1] = p.took
    out[2] = p.asked == ASKED_YES
    out[3] = p.asked == ASKED_NO
    out[4] = p.bound if seat == p.player else 0           # he alone knows whether he can go out
    out[5] = p.laid
    out[6] = p.opening
    out[7] = p.first_turn
    out[8] = p.discard_only
    out[9] = p.must_out
    out[10] = p.touched
    out[11] = p.transfer_to
    out[12] = p.passes
    out[13] = p.failed_bids
    out[14] = p.start_melds
    out[15] = (p.clean >> seat) & 1


cdef inline void write_observation(const CRules* r, const CPublic* p, const CHand* own, int seat, const CHand* pack,
                                   const CPrefix* x, uint8_t* out) noexcept nogil:
    """All that a seat knows; own is its hand, pack all cards of the game, x what it has chosen of its action.

    out holds zeros or an older observation of the same game.
    """
    cdef CHand unseen = pack[0], brought
    cdef int i, place, depth, bid = p.last_bid if p.phase == PHASE_AUCTION else p.contract
    memset(out, 0, O_MELDS)
    write_cards(own, out + O_HAND)
    hand_part(&unseen, own)
    hand_part(&unseen, &p.in_melds)
    hand_part(&unseen, &p.in_pile)
    for i in range(r.sides):
        if p.bonus[i].n:
            hand_part(&unseen, &p.bonus[i])
        if p.bought[i].n:
            hand_part(&unseen, &p.bought[i])
        place = side_place(r, i, seat)
        write_side(r, p, i, out + O_SIDES + place * SIDE_FIELDS)
        write_melds(r, p, i, out + O_MELDS + place * MAX_MELDS * MELD_FIELDS)
    for i in range(r.seats):
        place = seat_place(r, i, seat)
        out[O_SIZES + place] = p.hand_n[i]
        if i != seat and p.known[i].n:
            hand_part(&unseen, &p.known[i])
            write_cards(&p.known[i], out + O_KNOWN + (place - 1) * N_TYPES)
    write_cards(&unseen, out + O_UNSEEN)
    write_cards(&p.in_pile, out + O_PILE)
    if p.pile_n:
        out[O_TOP + canonical(p.pile[p.pile_n - 1])] = 1
        freezers_in_a_row(r, p, &depth)
        if depth >= p.pile_n:
            memcpy(out + O_BROUGHT, out + O_PILE, N_TYPES)
            out[O_BROUGHT + canonical(p.pile[p.pile_n - 1])] -= 1
        else:
            hand_clear(&brought)
            for i in range(1, depth):
                hand_add(&brought, p.pile[p.pile_n - 1 - i])
            write_cards(&brought, out + O_BROUGHT)
    if seat == p.turn:
        write_prefix(x, out)
    out[O_PHASE + p.phase] = 1
    out[O_ACTING + seat_place(r, p.turn, seat)] = 1
    out[O_PLAYER + seat_place(r, p.player, seat)] = 1
    out[O_DEALER + seat_place(r, p.dealer, seat)] = 1
    if bid != NONE:
        out[O_CONTRACT] = <uint8_t>bid_level(bid)
        out[O_CONTRACT + 1 + bid_strain(bid)] = 1
        out[O_CONTRACT + 7] = p.doubled
        out[O_DECLARER + seat_place(r, p.bidder[bid], seat)] = 1
        write_bids(r, p, seat, out + O_BIDS)
    out[O_COUNTS] = p.stock_n
    out[O_COUNTS + 1] = p.pile_n
    out[O_COUNTS + 2] = p.freezers
    out[O_COUNTS + 3] = byte_of(p.turns)
    write_flags(r, p, seat, out + O_FLAGS)
