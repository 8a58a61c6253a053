# Actions as 32-bit codes: how each is built and read.
from libc.stdint cimport uint32_t
from sitoumus.engine.cards cimport canonical, card_at
from sitoumus.engine.state cimport V_ADD, V_MELD, V_MERGE, V_TAKE

# Codes of actions: verb in bits 0-4, then
#   bid                 5-11 bid number
#   discard, buy        5-11 card
#   add                 5-11 card, 20-25 number of the meld (from 1)
#   merge               14-19 number of the meld that goes, 20-25 of the one it joins
#   meld                5-11, 12-18, 19-25 the three cards in canonical order; or bit 31 and
#                       5-12 the copies by suit (two bits each) of a set of black threes
#   take                5-12 hand cards of the top's rank by suit, 13-15 wild card (0 none, 1-4 deuce by suit, 5 joker),
#                       20-25 number of the meld joined (0: a new set), 26-30 freezing cards that come along (0: the whole pile)  # no-cython-lint
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

cdef inline uint32_t act_take(int suits, int wild, int target, int locks) noexcept nogil:
    return (<uint32_t>V_TAKE | (<uint32_t>suits << 5) | (<uint32_t>wild << 13) | (<uint32_t>target << 20)
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

cdef inline int act_wild(uint32_t a) noexcept nogil:
    """Card code of the wild card in a take, 255 if none."""
    cdef int w = (a >> 13) & 7
    if w == 0:
        return 255
    return 64 if w == 5 else 16 * (w - 1) + 1

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
