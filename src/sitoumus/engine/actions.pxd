# Actions as 32-bit codes: how each is built and read.
from libc.stdint cimport uint16_t, uint32_t
from sitoumus.engine.cards cimport canonical, card_at
from sitoumus.engine.state cimport V_ADD, V_MELD, V_MERGE, V_TAKE

# Codes of actions: verb in bits 0-4, then
#   bid                 5-11 bid number
#   discard, buy        5-11 card
#   add                 5-11 card, 20-25 number of the meld (from 1)
#   merge               14-19 number of the meld that goes, 20-25 of the one it joins
#   meld                5-11, 12-18, 19-25 the three cards in canonical order; or bit 31 and
#                       5-12 the copies by suit (two bits each) of a set of black threes
#   take                5-12 hand cards of the top's rank by suit, 13-18 wild cards (place in WILD_SETS: 0 none, 1-4 a
#                       deuce by suit, 5 a joker, then two and three of them),
#                       20-25 number of the meld joined (0: a new set), 26-30 freezing cards that come along (0: the whole pile)  # no-cython-lint
cdef extern from *:
    """
    /* Multisets of at most three wild cards, in order of size: deuces by suit and jokers, two bits each. */
    static const unsigned short WILD_SETS[56] = {
    0, 1, 4, 16, 64, 256, 2, 5, 17, 65, 257, 8, 20, 68, 260, 32, 80, 272, 128, 320, 512, 3, 6, 18, 66, 258, 9,
    21, 69, 261, 33, 81, 273, 129, 321, 513, 12, 24, 72, 264, 36, 84, 276, 132, 324, 516, 48, 96, 288, 144, 336,
    528, 192, 384, 576, 768
    };
    """
    const uint16_t WILD_SETS[56]

cdef enum:
    N_WILD_SETS = 56

cdef inline int verb_of(uint32_t a) noexcept nogil:
    return a & 31

cdef inline uint32_t act_card(int verb, int card) noexcept nogil:
    return <uint32_t>verb | (<uint32_t>card << 5)

cdef inline uint32_t act_add(int card, int target) noexcept nogil:
    return <uint32_t>V_ADD | (<uint32_t>card << 5) | (<uint32_t>target << 20)

cdef inline uint32_t act_merge(int source, int target) noexcept nogil:
    return <uint32_t>V_MERGE | (<uint32_t>source << 14) | (<uint32_t>target << 20)

cdef inline uint32_t act_meld(int a, int b, int c) noexcept nogil:
    return <uint32_t>V_MELD | (<uint32_t>a << 5) | (<uint32_t>b << 12) | (<uint32_t>c << 19)

cdef inline uint32_t act_black(int suits) noexcept nogil:
    return <uint32_t>V_MELD | (<uint32_t>suits << 5) | (<uint32_t>1 << 31)

cdef inline uint32_t act_take(int suits, int wilds, int target, int locks) noexcept nogil:
    """wilds: place in WILD_SETS."""
    return (<uint32_t>V_TAKE | (<uint32_t>suits << 5) | (<uint32_t>wilds << 13) | (<uint32_t>target << 20)
            | (<uint32_t>locks << 26))

cdef inline int act_first(uint32_t a) noexcept nogil:
    """Bid number or card of an action that has one."""
    return (a >> 5) & 127

cdef inline int act_target(uint32_t a) noexcept nogil:
    return (a >> 20) & 63

cdef inline int act_source(uint32_t a) noexcept nogil:
    return (a >> 14) & 63

cdef inline int act_suits(uint32_t a) noexcept nogil:
    return (a >> 5) & 255

cdef inline int act_wilds(uint32_t a) noexcept nogil:
    """Wild cards of a take: deuces by suit and jokers, two bits each."""
    return WILD_SETS[(a >> 13) & 63]

cdef inline int wild_place(int wilds) noexcept nogil:
    """Place of these wild cards in WILD_SETS, -1 if they are more than three."""
    cdef int i
    for i in range(N_WILD_SETS):
        if WILD_SETS[i] == wilds:
            return i
    return -1

cdef inline int wild_count(int wilds) noexcept nogil:
    """How many these wild cards are."""
    return (wilds & 3) + ((wilds >> 2) & 3) + ((wilds >> 4) & 3) + ((wilds >> 6) & 3) + (wilds >> 8)

cdef inline int act_locks(uint32_t a) noexcept nogil:
    return (a >> 26) & 31


cdef inline uint32_t meld_action(int a, int b, int c) noexcept nogil:
    """The meld action of three cards, put into canonical order."""
    cdef int x = canonical(a), y = canonical(b), z = canonical(c), low, high, least, most
    low = x if x < y else y
    high = y if x < y else x
    least = low if low < z else z
    most = z if high < z else high
    return act_meld(card_at(least), card_at(x + y + z - least - most), card_at(most))
