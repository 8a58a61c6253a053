# Melds: recognise, start, extend, list; what complete melds are worth.
#
# A meld is built one card at a time; CKind's tables say which card may join. Runs stand on a circle of 13 ranks:
# start and size name the places, CRules.run_len says which windows exist.
from libc.stdint cimport uint8_t, uint32_t, uint64_t, int32_t
from libc.string cimport memset
from sitoumus.engine.cards cimport (
    card_bit, card_rank, card_suit, carry_on, CHand, DEUCE, hand_add, hand_remove, JOKER, next_rank, prev_rank,
    remove_some, THREE, turn_down,
)
from sitoumus.engine.tables cimport (
    ALWAYS, CKind, CMeld, CRules, GOING_OUT, N_OUT, NEVER, NONE, OUT_CANASTA, OUT_MIXED_SET, OUT_NATURAL,
    OUT_NATURAL_SET, OUT_RUN, OUT_SET, OUT_WILD, SHAPE_RUN, SHAPE_SET, SHAPE_WILD,
)

cdef struct CTally:          # complete melds of a side, and what they are worth
    uint8_t count[N_OUT]     # by OUT_*
    uint8_t runs             # bit s: a complete run in suit s
    uint8_t deuce_sets       # complete deuce sets
    int32_t bonus
    int32_t points           # card points of all melds, complete or not


cdef inline int two_bit_count(uint8_t x, int suit) noexcept nogil:
    return (x >> (2 * suit)) & 3


cdef inline int two_bit_sum(uint8_t x) noexcept nogil:
    return (x & 3) + ((x >> 2) & 3) + ((x >> 4) & 3) + (x >> 6)


cdef inline int meld_naturals(const CMeld* m) noexcept nogil:
    return m.size - m.wilds


cdef inline int meld_points(const CRules* r, const CMeld* m) noexcept nogil:
    """Card points of a meld (R12.1, R12.2)."""
    cdef int i, _, rank, total
    if r.kind[m.kind].shape == SHAPE_RUN:
        total = 0
        rank = m.start
        for _ in range(m.size):
            total += r.points[16 * m.key + rank]
            rank = next_rank(rank)
        return total
    total = m.jokers * r.points[JOKER] + two_bit_sum(m.deuces) * r.points[DEUCE]
    rank = DEUCE if r.kind[m.kind].shape == SHAPE_WILD else m.key
    for i in range(4):
        total += two_bit_count(m.nat, i) * r.points[16 * i + rank]
    return total


cdef inline bint meld_complete(const CRules* r, const CMeld* m) noexcept nogil:
    return r.kind[m.kind].full != 0 and m.size >= r.kind[m.kind].full


cdef inline uint64_t set_place(const CRules* r, const CMeld* m) noexcept nogil:
    """One in the nibble of a set's rank, 0 for other melds."""
    return <uint64_t>(r.kind[m.kind].shape == SHAPE_SET) << (4 * m.key)


cdef inline int meld_bonus(const CRules* r, const CMeld* m) noexcept nogil:
    """Bonus points of a complete meld, 0 while it grows (R31)."""
    if not meld_complete(r, m):
        return 0
    if r.kind[m.kind].shape == SHAPE_RUN:
        return r.kind[m.kind].bonus[7][0]
    return r.kind[m.kind].bonus[m.size - m.wilds][m.wilds]


cdef inline bint is_wild_for(const CRules* r, int kind, int code) noexcept nogil:
    """The card may stand in as a wild card in melds of that kind."""
    if code == JOKER:
        return r.kind[kind].wild_jokers
    return card_rank(code) == DEUCE and r.kind[kind].wild_deuces


cdef inline int can_add(const CRules* r, const CMeld* m, int code) noexcept nogil:
    """NEVER, ALWAYS or GOING_OUT: may this card join the meld?"""
    cdef const CKind* k = &r.kind[m.kind]
    cdef int rank, ok
    if k.shape == SHAPE_SET:
        if code != JOKER and card_rank(code) == m.key:
            return k.add_natural[m.size - m.wilds][m.wilds] if two_bit_count(m.nat, card_suit(code)) < 3 else NEVER
        if is_wild_for(r, m.kind, code):
            return k.add_wild[m.size - m.wilds][m.wilds]
        return NEVER
    if k.shape == SHAPE_WILD:
        if code == JOKER or card_rank(code) == DEUCE:
            return k.add_natural[m.size][0]
        return NEVER
    if code == JOKER or card_suit(code) != m.key:
        return NEVER
    rank = card_rank(code)
    if rank == prev_rank(m.start):
        ok = (r.run_len[rank] >> (m.size + 1)) & 1
    elif rank == (m.start + m.size) % 13:
        ok = (r.run_len[m.start] >> (m.size + 1)) & 1
    else:
        return NEVER
    if not ok:
        return NEVER
    if m.size < k.full:
        return ALWAYS
    return GOING_OUT if k.grow_out else NEVER


cdef inline void add_card(const CRules* r, CMeld* m, int code) noexcept nogil:
    """Add a card that can_add allows."""
    cdef int shape = r.kind[m.kind].shape
    m.size += 1
    if shape == SHAPE_RUN:
        if card_rank(code) == prev_rank(m.start):
            m.start = <uint8_t>card_rank(code)
    elif code == JOKER:
        m.jokers += 1
        m.wilds += shape == SHAPE_SET
    elif card_rank(code) == m.key or shape == SHAPE_WILD:
        m.nat += <uint8_t>(1 << (2 * card_suit(code)))
    else:
        m.deuces += <uint8_t>(1 << (2 * card_suit(code)))
        m.wilds += 1


cdef inline uint64_t run_ends(const CRules* r, const CMeld* m) noexcept nogil:
    """Cards that continue an incomplete run."""
    return <uint64_t>r.run_ends[m.start][m.size] << (16 * m.key)


cdef inline uint64_t starts_of_three(const CRules* r, uint64_t p) noexcept nogil:
    """Lowest cards of runs of three among cards p."""
    cdef uint64_t on = carry_on(p)
    return p & on >> 1 & on >> 2 & r.run3


cdef inline uint64_t in_rows(const CRules* r, uint64_t p, int least) noexcept nogil:
    """Cards p that lie in a row of at least so many (3 or more) that runs can be made of."""
    cdef uint64_t starts = starts_of_three(r, p), rows = starts
    cdef int _
    for _ in range(3, least):
        rows = starts & turn_down(rows, 1)
    for _ in range(1, least):
        rows |= turn_down(rows, 12)
    return rows


cdef inline void start_run(const CRules* r, CMeld* m, int suit, int start, int size) noexcept nogil:
    m.kind = r.run_kind
    m.key = <uint8_t>suit
    m.start = <uint8_t>start
    m.size = <uint8_t>size
    m.nat = 0
    m.deuces = 0
    m.jokers = 0
    m.wilds = 0


cdef inline bint start_meld(const CRules* r, CMeld* m, const uint8_t* cards, int n) noexcept nogil:
    """Make the meld that these n >= 3 cards are, whole; False if they are none.

    Runs and sets cannot be confused: a set has two cards of a rank (or is wild), a run has none.
    """
    cdef int i, _, j, rank = -1, suit, naturals = 0, wilds = 0, kind, low
    cdef uint32_t ranks = 0
    cdef bint one_suit = True
    memset(m, 0, sizeof(CMeld))
    if n < 3 or n > 15:
        return False
    # a run: one suit, all ranks different, in a row
    if r.run_kind != NONE and n <= 13:
        suit = card_suit(cards[0])
        for i in range(n):
            if cards[i] == JOKER or card_suit(cards[i]) != suit or (ranks >> card_rank(cards[i])) & 1:
                one_suit = False
                break
            ranks |= <uint32_t>1 << card_rank(cards[i])
        if one_suit:
            for low in range(13):
                if not (r.run_len[low] >> n) & 1:
                    continue
                j = low
                for _ in range(n):
                    if not (ranks >> j) & 1:
                        break
                    j = next_rank(j)
                else:
                    if n <= r.kind[r.run_kind].full or r.kind[r.run_kind].grow_out:
                        start_run(r, m, suit, low, n)
                        return True
            return False
    # a set: one rank beside the wild cards; deuces are naturals only where nothing else is
    for i in range(n):
        if cards[i] != JOKER and card_rank(cards[i]) != DEUCE:
            if rank >= 0 and rank != card_rank(cards[i]):
                return False
            rank = card_rank(cards[i])
    if rank < 0:
        kind = r.deuce_kind if r.deuce_kind != NONE else r.wild_kind
        rank = DEUCE
    elif rank == THREE and r.black_kind != NONE:
        kind = r.black_kind
    else:
        kind = r.set_kind[rank]
    if kind == NONE:
        return False
    m.kind = <uint8_t>kind
    m.key = <uint8_t>rank if r.kind[kind].shape == SHAPE_SET else 0
    m.size = <uint8_t>n
    for i in range(n):
        if cards[i] == JOKER:
            m.jokers += 1
            if r.kind[kind].shape == SHAPE_WILD:
                naturals += 1
            else:
                wilds += 1
        elif card_rank(cards[i]) == rank:
            if two_bit_count(m.nat, card_suit(cards[i])) == 3:
                return False
            if kind == r.black_kind and not (r.black_cards & card_bit(cards[i])):
                return False
            if rank == THREE and kind != r.black_kind:
                return False
            m.nat += <uint8_t>(1 << (2 * card_suit(cards[i])))
            naturals += 1
        else:
            if two_bit_count(m.deuces, card_suit(cards[i])) == 3:
                return False
            m.deuces += <uint8_t>(1 << (2 * card_suit(cards[i])))
            wilds += 1
    if wilds and m.jokers and not r.kind[kind].wild_jokers and r.kind[kind].shape == SHAPE_SET:
        return False
    if m.deuces and not r.kind[kind].wild_deuces:
        return False
    if naturals > 12 or wilds > 3 or not r.kind[kind].ok[naturals][wilds]:
        return False
    m.wilds = <uint8_t>wilds
    return True


cdef inline void hand_add_meld(const CRules* r, CHand* h, const CMeld* m) noexcept nogil:
    """Add the cards of a meld."""
    cdef int i, _, rank
    if r.kind[m.kind].shape == SHAPE_RUN:
        rank = m.start
        for _ in range(m.size):
            hand_add(h, 16 * m.key + rank)
            rank = next_rank(rank)
        return
    rank = DEUCE if r.kind[m.kind].shape == SHAPE_WILD else m.key
    for i in range(4):
        for _ in range(two_bit_count(m.nat, i)):
            hand_add(h, 16 * i + rank)
        for _ in range(two_bit_count(m.deuces, i)):
            hand_add(h, 16 * i + DEUCE)
    for _ in range(m.jokers):
        hand_add(h, JOKER)


cdef inline void tally_clear(CTally* t) noexcept nogil:
    memset(t, 0, sizeof(CTally))


cdef inline void tally_complete(const CRules* r, CTally* t, const CMeld* m, int sign) noexcept nogil:
    """Count (sign 1) or discount (-1) a meld among the complete ones; nothing if it is not complete."""
    cdef int shape = r.kind[m.kind].shape
    if not meld_complete(r, m):
        return
    t.bonus += sign * meld_bonus(r, m)
    t.count[OUT_CANASTA] += <uint8_t>sign
    if shape == SHAPE_RUN:
        t.count[OUT_RUN] += <uint8_t>sign
        t.count[OUT_NATURAL] += <uint8_t>sign
        t.runs |= <uint8_t>(1 << m.key)      # runs never shrink, so the bit is never taken back
    elif shape == SHAPE_WILD:
        t.count[OUT_WILD] += <uint8_t>sign
    else:
        t.count[OUT_SET] += <uint8_t>sign
        t.deuce_sets += <uint8_t>(sign * (m.key == DEUCE))
        if m.wilds == 0:
            t.count[OUT_NATURAL_SET] += <uint8_t>sign
            t.count[OUT_NATURAL] += <uint8_t>sign
        else:
            t.count[OUT_MIXED_SET] += <uint8_t>sign


cdef inline void tally_grown(const CRules* r, CTally* t, const CMeld* before, const CMeld* m) noexcept nogil:
    """A complete meld has grown."""
    t.bonus += meld_bonus(r, m) - meld_bonus(r, before)
    if m.wilds and before.wilds == 0:
        t.count[OUT_NATURAL_SET] -= 1
        t.count[OUT_NATURAL] -= 1
        t.count[OUT_MIXED_SET] += 1


cdef inline void tally_meld(const CRules* r, CTally* t, const CMeld* m) noexcept nogil:
    t.points += meld_points(r, m)
    tally_complete(r, t, m, 1)


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
