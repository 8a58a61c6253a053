# Cards and hands: the encoding, and every operation on it that is a few instructions long.
#
# A card code is suit*16 + rank (suits c d h s = 0..3, ranks A 2 ... K = 0..12); the joker is 64.
#
#        bit 63            48               32               16            0
#   plane  |---- spades ----|---- hearts ----|--- diamonds ---|---- clubs ----|
#   lane     . . . K Q J T 9 8 7 6 5 4 3 2 A     (13 of 16 bits; bit = rank)
#
# A hand has three unary planes: a card's bit in plane k says "at least k copies", so p3 is inside p2 inside p1.
# rc holds 13 nibbles: the copies of each rank over all suits (at most 12).
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

cdef enum:
    JOKER = 64        # code of the joker
    N_CODES = 65      # codes run below this
    NO_CARD = 255
    ACE = 0
    DEUCE = 1
    THREE = 2
    N_RANKS = 13
    N_TYPES = 53      # different cards, joker included

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define sit_ctz64(x) __builtin_ctzll(x)
    #define sit_clz64(x) __builtin_clzll(x)
    #else
    #include <intrin.h>
    static __inline int sit_ctz64(unsigned long long x) {
        unsigned long i; _BitScanForward64(&i, x); return (int)i; }
    static __inline int sit_clz64(unsigned long long x) {
        unsigned long i; _BitScanReverse64(&i, x); return 63 - (int)i; }
    #endif
    #if defined(__POPCNT__) || defined(__aarch64__)
    #define sit_popcount64(x) __builtin_popcountll(x)
    #else
    static inline int sit_popcount64(unsigned long long x) {   /* the compiler would call a function */
        x -= (x >> 1) & 0x5555555555555555ULL;
        x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
        x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (int)((x * 0x0101010101010101ULL) >> 56); }
    #endif
    #define SIT_LANES 0x1FFF1FFF1FFF1FFFULL
    #define SIT_ONES  0x0001000100010001ULL
    """
    int popcount64 "sit_popcount64"(uint64_t x) noexcept nogil
    int ctz64 "sit_ctz64"(uint64_t x) noexcept nogil
    int clz64 "sit_clz64"(uint64_t x) noexcept nogil
    const uint64_t LANES "SIT_LANES"   # the 52 natural cards
    const uint64_t ONES "SIT_ONES"     # the four aces; times a 13-bit mask gives it in every lane

cdef struct CHand:
    uint64_t p1      # cards held at least once
    uint64_t p2      # at least twice
    uint64_t p3      # three times
    uint64_t rc      # nibble r: copies of rank r, all suits
    uint8_t jokers
    uint8_t n        # cards in all, jokers included


cdef inline uint64_t card_bit(int code) noexcept nogil:
    """The plane bit of a natural card, 0 for the joker."""
    return (<uint64_t>1 << (code & 63)) & ((<uint64_t>(code >> 6)) - 1)


cdef inline int card_rank(int code) noexcept nogil:
    return code & 15


cdef inline int card_suit(int code) noexcept nogil:
    return code >> 4


cdef inline void hand_clear(CHand* h) noexcept nogil:
    memset(h, 0, sizeof(CHand))


cdef inline void hand_add(CHand* h, int code) noexcept nogil:
    cdef uint64_t b = card_bit(code)
    cdef uint64_t joker = <uint64_t>(code >> 6)
    h.p3 |= h.p2 & b
    h.p2 |= h.p1 & b
    h.p1 |= b
    h.rc += (1 - joker) << (4 * (code & 15))
    h.jokers += <uint8_t>joker
    h.n += 1


cdef inline void hand_remove(CHand* h, int code) noexcept nogil:
    """Take out one copy; the card must be there."""
    cdef uint64_t b = card_bit(code)
    cdef uint64_t joker = <uint64_t>(code >> 6)
    h.p1 &= ~(b & ~h.p2)
    h.p2 &= ~(b & ~h.p3)
    h.p3 &= ~b
    h.rc -= (1 - joker) << (4 * (code & 15))
    h.jokers -= <uint8_t>joker
    h.n -= 1


cdef inline void hand_drop(CHand* h, int code) noexcept nogil:
    """Take out one copy if there is one, without a branch."""
    cdef uint64_t b = card_bit(code) & h.p1
    cdef uint64_t joker = <uint64_t>(code >> 6) & (h.jokers != 0)
    h.p1 &= ~(b & ~h.p2)
    h.p2 &= ~(b & ~h.p3)
    h.p3 &= ~b
    h.rc -= <uint64_t>(b != 0) << (4 * (code & 15))
    h.jokers -= <uint8_t>joker
    h.n -= <uint8_t>((b != 0) | joker)


cdef inline int hand_count(const CHand* h, int code) noexcept nogil:
    cdef uint64_t b
    if code == JOKER:
        return h.jokers
    b = card_bit(code)
    return ((h.p1 & b) != 0) + ((h.p2 & b) != 0) + ((h.p3 & b) != 0)


cdef inline bint hand_has(const CHand* h, int code) noexcept nogil:
    if code == JOKER:
        return h.jokers != 0
    return (h.p1 & card_bit(code)) != 0


cdef inline int rank_count(const CHand* h, int rank) noexcept nogil:
    return <int>((h.rc >> (4 * rank)) & 15)


cdef inline void hand_merge(CHand* a, const CHand* b) noexcept nogil:
    """Put the cards of b into a: planes count in unary."""
    cdef uint64_t one = a.p1, two = a.p2
    a.p1 = one | b.p1
    a.p2 = two | b.p2 | (one & b.p1)
    a.p3 = a.p3 | b.p3 | (two & b.p1) | (one & b.p2)
    a.rc += b.rc
    a.jokers += b.jokers
    a.n += b.n


cdef inline void hand_part(CHand* a, const CHand* b) noexcept nogil:
    """Take the cards of b, which must be there, out of a."""
    a.p1 = (a.p1 & ~b.p1) | (a.p2 & ~b.p2) | (a.p3 & ~b.p3)
    a.p2 = (a.p2 & ~b.p1) | (a.p3 & ~b.p2)
    a.p3 = a.p3 & ~b.p1
    a.rc -= b.rc
    a.jokers -= b.jokers
    a.n -= b.n


cdef inline bint hand_equal(const CHand* a, const CHand* b) noexcept nogil:
    return a.p1 == b.p1 and a.p2 == b.p2 and a.p3 == b.p3 and a.jokers == b.jokers


cdef inline int suits_of_rank(uint64_t plane, int rank) noexcept nogil:
    """The suits in which a plane has the rank, as four bits."""
    return <int>((((plane >> rank) & ONES) * 0x0001000200040008ULL) >> 48) & 15


cdef inline uint64_t rank_mask(int rank) noexcept nogil:
    """The four cards of a rank."""
    return ONES << rank


cdef inline uint64_t turn_down(uint64_t p, int k) noexcept nogil:
    """Turn every lane by k ranks: bit r of the result is bit r + k (mod 13) of p, for 1 <= k <= 12."""
    return ((p >> k) & (ONES * <uint64_t>((1 << (13 - k)) - 1))) | ((p & (ONES * <uint64_t>((1 << k) - 1))) << (13 - k))


cdef inline uint64_t carry_on(uint64_t p) noexcept nogil:
    """Lanes with their ranks 0, 1 and 2 once more in the three bits above: shifted down by one, two or three places
    they are turned by as many ranks, what is in those three bits then apart."""
    return p | ((p & (ONES * <uint64_t>7)) << 13)


cdef inline uint64_t carry_back(uint64_t p) noexcept nogil:
    """Lanes in which what lies in the three bits above counts as ranks 0, 1 and 2."""
    return (p & LANES) | ((p >> 13) & (ONES * <uint64_t>7))


cdef inline uint64_t without_bit(uint64_t bits, int k) noexcept nogil:
    """Bits with the k-th taken out, those above moved down."""
    cdef uint64_t below = (<uint64_t>1 << k) - 1
    return (bits & below) | ((bits >> 1) & ~below)


cdef inline int next_rank(int rank) noexcept nogil:
    return rank + 1 if rank < 12 else 0


cdef inline int prev_rank(int rank) noexcept nogil:
    return rank - 1 if rank > 0 else 12


cdef extern from *:
    """
    #define SIT_NIBBLES 0x1111111111111111ULL
    #define SIT_BYTES   0x0101010101010101ULL
    #define SIT_LOW4    0x0F0F0F0F0F0F0F0FULL
    """
    const uint64_t NIBBLES "SIT_NIBBLES"
    const uint64_t BYTES "SIT_BYTES"
    const uint64_t LOW4 "SIT_LOW4"


cdef inline int top_bit(uint32_t x) noexcept nogil:
    return 63 - clz64(x) if x else 0


# ---- nibbles and lanes -----------------------------------------------------------------------------------------------

cdef inline uint64_t at_least_one(uint64_t x) noexcept nogil:
    """Lowest bit of every nibble that is at least 1."""
    return (x | (x >> 1) | (x >> 2) | (x >> 3)) & NIBBLES


cdef inline uint64_t at_least_two(uint64_t x) noexcept nogil:
    return ((x >> 1) | (x >> 2) | (x >> 3)) & NIBBLES


cdef inline uint64_t at_least_three(uint64_t x) noexcept nogil:
    return ((x & (x >> 1)) | (x >> 2) | (x >> 3)) & NIBBLES


cdef inline int nibble_bits(uint64_t x) noexcept nogil:
    """How many of the lowest bits of nibbles are set, up to 15."""
    return <int>((x * NIBBLES) >> 60)


cdef inline int nibble_sum(uint64_t x) noexcept nogil:
    return <int>((((x & LOW4) + ((x >> 4) & LOW4)) * BYTES) >> 56)


cdef inline void remove_some(CHand* h, int code, int n) noexcept nogil:
    while n:
        hand_remove(h, code)
        n -= 1


cdef inline int suit_multisets(const CHand* h, int rank, int size, uint8_t* out) noexcept nogil:
    """All multisets of `size` (1, 2 or 3) cards of a rank in hand, as two bits a suit; their number."""
    cdef int one = suits_of_rank(h.p1, rank), two = suits_of_rank(h.p2, rank), three = suits_of_rank(h.p3, rank)
    cdef int as_ = one, bs, ds, a, b, d, n = 0
    while as_:
        a = ctz64(as_)
        as_ &= as_ - 1
        if size == 1:
            out[n] = <uint8_t>(1 << (2 * a))
            n += 1
            continue
        bs = as_ | (two & (1 << a))           # from suit a on
        while bs:
            b = ctz64(bs)
            bs &= bs - 1
            if size == 2:
                out[n] = <uint8_t>((1 << (2 * a)) + (1 << (2 * b)))
                n += 1
                continue
            ds = (one & (0xE << b)) | ((three if a == b else two) & (1 << b))
            while ds:
                d = ctz64(ds)
                ds &= ds - 1
                out[n] = <uint8_t>((1 << (2 * a)) + (1 << (2 * b)) + (1 << (2 * d)))
                n += 1
    return n


# ---- generate --------------------------------------------------------------------------------------------------------

cdef inline int canonical(int card) noexcept nogil:
    """Place of a card in the order A 2 ... K, suits c d h s, jokers last."""
    return 52 if card == JOKER else 4 * (card & 15) + (card >> 4)


cdef inline int card_at(int place) noexcept nogil:
    """The card at a place of that order."""
    return JOKER if place == 52 else 16 * (place & 3) + (place >> 2)


cdef inline void write_counts(const CHand* h, uint8_t* out) noexcept nogil:
    """A hand as 53 counts in canonical order."""
    cdef int rank, suit
    for rank in range(13):
        for suit in range(4):
            out[4 * rank + suit] = <uint8_t>hand_count(h, 16 * suit + rank)
    out[52] = h.jokers


# ---- arrays of hands -------------------------------------------------------------------------------------------------

cdef inline uint64_t lanes_of(uint32_t marks) noexcept nogil:
    """Four bytes as four lanes of 16 bits."""
    cdef uint64_t x = marks
    x = (x | (x << 16)) & 0x0000FFFF0000FFFFULL
    return (x | (x << 8)) & 0x00FF00FF00FF00FFULL


cdef inline void hand_of_counts(CHand* h, const uint8_t* counts) noexcept nogil:
    """A hand from 53 counts, 0 to 3 of each natural card, in canonical order: the four suits of a rank at a time."""
    cdef uint32_t four, ones = 0x01010101
    cdef const uint8_t* at
    cdef int rank, n
    hand_clear(h)
    for rank in range(13):
        at = &counts[4 * rank]
        four = at[0] | (<uint32_t>at[1] << 8) | (<uint32_t>at[2] << 16) | (<uint32_t>at[3] << 24)
        n = (four * ones) >> 24
        h.rc |= <uint64_t>n << (4 * rank)
        h.n += n
        h.p1 |= lanes_of((four | (four >> 1)) & ones) << rank
        h.p2 |= lanes_of((four >> 1) & ones) << rank
        h.p3 |= lanes_of(four & (four >> 1) & ones) << rank
    h.jokers = counts[52]
    h.n += counts[52]
