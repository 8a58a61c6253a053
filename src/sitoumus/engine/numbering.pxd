# Actions as numbers: one to three small choices from 1,246 ids that mean the same in all games.
#
# Every action is a path of ids, and no path begins another. Where all legal actions that begin as chosen go on alike,
# that choice is not asked, so nearly all actions are a single id. A take that names more cards than its first id can
# say (F5) goes on with each further card in the order of its text: naturals by suit, deuces by suit, jokers.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t, int32_t
from libc.string cimport memset
from sitoumus.engine.cards cimport canonical, card_rank, card_suit, ctz64, DEUCE, JOKER, next_rank
from sitoumus.engine.melds cimport two_bit_sum
from sitoumus.engine.state cimport (
    V_ADD, V_ASK, V_BID, V_BUY, V_DISCARD, V_DONE, V_DOUBLE, V_DRAW, V_END, V_EXTRA, V_FAIL, V_MELD, V_MERGE, V_NO,
    V_TAKE, V_YES,
)
from sitoumus.engine.actions cimport (
    act_first, act_locks, act_source, act_suits, act_target, act_wilds, verb_of, wild_place,
)

cdef extern from *:
    """
    /* By the multiset of at most three suits, two bits a suit: its place among those of its size, 255 for none. */
    static const unsigned char SUITS_PLACE[256] = {
    0, 0, 0, 0, 1, 1, 1, 255, 4, 4, 255, 255, 10, 255, 255, 255, 2, 2, 2, 255, 5, 5, 255, 255, 11, 255, 255,
    255, 255, 255, 255, 255, 7, 7, 255, 255, 13, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 16,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 3, 3, 3, 255, 6, 6, 255, 255,
    12, 255, 255, 255, 255, 255, 255, 255, 8, 8, 255, 255, 14, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 17, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 9, 9, 255, 255, 15, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 18, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 19, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255
    };
    /* Ids of the verbs that stand alone, by verb. */
    static const unsigned char PLAIN_IDS[17] = {0, 0, 1, 2, 3, 4, 0, 5, 0, 0, 0, 0, 6, 7, 8, 0, 9};
    """
    const uint8_t SUITS_PLACE[256]
    const uint8_t PLAIN_IDS[17]

cdef enum:
    N_IDS = 1246
    ID_BID = 10           # and bid number
    ID_DISCARD = 130      # and place of the card in canonical order
    ID_BUY = 183          # and suit of the three
    ID_CARD = 187         # an addition, or one more card of a take: and place of the card
    ID_MERGE = 240
    ID_RUN = 241          # and 4 times the lowest rank, and suit
    ID_SET = 293          # 70 a rank: 20 choices of three suits, 10 of two with one of 5 wild cards
    ID_WILD = 1063        # 35: three deuces and jokers
    ID_BLACK = 1098       # 10: black threes
    ID_TAKE = 1108        # the top card alone
    ID_PAIR = 1109        # 10: two of its rank
    ID_TRIPLE = 1119      # 20: three
    ID_ONE_WILD = 1139    # 20: one and a wild card
    ID_SLOT = 1159        # and number of the own meld, 0 for a new one
    ID_LOCKS = 1215       # and number of freezing cards that come along
    MAX_PATH = 18         # 12 naturals and three wild cards, slot, locks

cdef struct CPrefix:          # an action chosen in part
    int32_t n                 # choices so far, those that were not asked included; 0 none
    uint16_t ids[MAX_PATH]


cdef inline int wild_id(int wilds) noexcept nogil:
    """Which wild card comes first: a deuce by suit, or 4 for a joker."""
    return ctz64(<uint64_t>wilds) >> 1


cdef inline int meld_id(uint32_t a) noexcept nogil:
    """Id of a meld of three cards, or of black threes."""
    cdef int x = (a >> 5) & 127, y = (a >> 12) & 127, z = (a >> 19) & 127, low, wild, rank, suits, n_wild
    if a >> 31:
        low, rank = act_suits(a) & 3, (act_suits(a) >> 6) & 3    # clubs and spades: 10 pairs of numbers, 3 at least
        return ID_BLACK + (rank - 3 if low == 0 else 1 + rank - 2 if low == 1 else 3 + rank - 1 if low == 2
                           else 6 + rank)
    n_wild = ((x == JOKER or card_rank(x) == DEUCE) + (y == JOKER or card_rank(y) == DEUCE)
              + (z == JOKER or card_rank(z) == DEUCE))
    if n_wild == 3:
        suits = (1 << (8 if x == JOKER else 2 * card_suit(x))) + (1 << (8 if y == JOKER else 2 * card_suit(y)))
        return ID_WILD + wild_place(suits + (1 << (8 if z == JOKER else 2 * card_suit(z)))) - 21
    if x != JOKER and y != JOKER and z != JOKER and card_rank(x) != card_rank(y) and card_rank(y) != card_rank(z):
        low = card_rank(x)                  # three ranks in ascending order: the lowest of the circle comes after a gap
        if next_rank(low) != card_rank(y):
            low = card_rank(y)
        elif next_rank(card_rank(y)) != card_rank(z):
            low = card_rank(z)
        return ID_RUN + 4 * low + card_suit(x)
    wild = -1
    suits = 0
    rank = 0
    if x == JOKER or card_rank(x) == DEUCE:
        wild = x
    else:
        rank = card_rank(x)
        suits += 1 << (2 * card_suit(x))
    if y == JOKER or card_rank(y) == DEUCE:
        wild = y
    else:
        rank = card_rank(y)
        suits += 1 << (2 * card_suit(y))
    if z == JOKER or card_rank(z) == DEUCE:
        wild = z
    else:
        rank = card_rank(z)
        suits += 1 << (2 * card_suit(z))
    low = ID_SET + 70 * (rank - 2 if rank else 0)
    if wild < 0:
        return low + SUITS_PLACE[suits]
    return low + 20 + 5 * SUITS_PLACE[suits] + (4 if wild == JOKER else card_suit(wild))


cdef inline int first_two(int suits) noexcept nogil:
    """The first two of at least two naturals, two bits a suit."""
    cdef int found = 0, n = 0, suit, count
    for suit in range(4):
        count = (suits >> (2 * suit)) & 3
        if count > 2 - n:
            count = 2 - n
        found |= count << (2 * suit)
        n += count
    return found


cdef inline int take_id(uint32_t a) noexcept nogil:
    """The first id of a take."""
    cdef int suits = act_suits(a), wilds = act_wilds(a), n = two_bit_sum(<uint8_t>suits)
    if n == 0:
        return ID_TAKE
    if n == 1:
        return ID_ONE_WILD + 5 * SUITS_PLACE[suits] + wild_id(wilds)
    if n == 3 and wilds == 0:
        return ID_TRIPLE + SUITS_PLACE[suits]
    return ID_PAIR + SUITS_PLACE[first_two(suits)]


cdef inline int first_id(uint32_t a) noexcept nogil:
    """The first id of an action's path."""
    cdef int verb = verb_of(a)
    if verb == V_DISCARD:
        return ID_DISCARD + canonical(act_first(a))
    if verb == V_ADD:
        return ID_CARD + canonical(act_first(a))
    if verb == V_MELD:
        return meld_id(a)
    if verb == V_BID:
        return ID_BID + act_first(a)
    if verb == V_TAKE:
        return take_id(a)
    if verb == V_MERGE:
        return ID_MERGE
    if verb == V_BUY:
        return ID_BUY + card_suit(act_first(a))
    return PLAIN_IDS[verb]


cdef inline int take_path(uint32_t a, int rank, uint16_t* path) noexcept nogil:
    """The path of a take of a top card of that rank."""
    cdef int suits = act_suits(a), wilds = act_wilds(a), n = two_bit_sum(<uint8_t>suits), k = 1, suit
    path[0] = <uint16_t>take_id(a)
    if n == 1:
        wilds -= 1 << (2 * wild_id(wilds))
    elif n == 3 and wilds == 0:
        suits = 0
    elif n:
        suits -= first_two(suits)
    if n != 1:
        for suit in range(4):
            n = (suits >> (2 * suit)) & 3
            while n:
                path[k] = <uint16_t>(ID_CARD + 4 * rank + suit)
                k += 1
                n -= 1
    while wilds:
        suit = wild_id(wilds)
        wilds -= 1 << (2 * suit)
        path[k] = <uint16_t>(ID_CARD + canonical(JOKER if suit == 4 else 16 * suit + DEUCE))
        k += 1
    path[k] = <uint16_t>(ID_SLOT + act_target(a))
    k += 1
    if act_locks(a):
        path[k] = <uint16_t>(ID_LOCKS + act_locks(a))
        k += 1
    return k


cdef inline int path_of(uint32_t a, int rank, uint16_t* path) noexcept nogil:
    """All ids of an action's path; rank is that of the pile's top card. Their number."""
    cdef int verb = verb_of(a)
    if verb == V_TAKE:
        return take_path(a, rank, path)
    path[0] = <uint16_t>first_id(a)
    if verb == V_ADD:
        path[1] = <uint16_t>(ID_SLOT + act_target(a))
        return 2
    if verb == V_MERGE:
        path[1] = <uint16_t>(ID_SLOT + act_target(a))
        path[2] = <uint16_t>(ID_SLOT + act_source(a))
        return 3
    return 1


cdef inline int id_after(const CPrefix* x, uint32_t a, int rank) noexcept nogil:
    """The id with which an action goes on after a prefix, -1 if it begins otherwise."""
    cdef uint16_t path[MAX_PATH]
    cdef int i
    if x.n == 0:
        return first_id(a)
    if first_id(a) != x.ids[0]:
        return -1
    path_of(a, rank, path)
    for i in range(1, x.n):
        if path[i] != x.ids[i]:
            return -1
    return path[x.n]


cdef inline int follow(CPrefix* x, const uint32_t* steps, int n, int rank, int chosen, uint32_t* found) noexcept nogil:
    """Choose an id after a prefix: how many of the n legal steps go on so.

    0: none, and the prefix stays as it was. 1: found is the step, and the prefix is empty again. Else the prefix has
    the id, and those that all these steps share.
    """
    cdef int i, left = 0, next, common
    for i in range(n):
        if id_after(x, steps[i], rank) == chosen:
            left += 1
            found[0] = steps[i]
    if left == 0:
        return 0
    if left == 1:
        x.n = 0
        return 1
    x.ids[x.n] = <uint16_t>chosen
    x.n += 1
    while True:
        common = -1
        for i in range(n):
            next = id_after(x, steps[i], rank)
            if next < 0 or next == common:
                continue
            if common >= 0:
                return left
            common = next
        x.ids[x.n] = <uint16_t>common
        x.n += 1


cdef inline void write_mask(const CPrefix* x, const uint32_t* steps, int n, int rank, uint8_t* mask) noexcept nogil:
    """1 for every id that goes on a legal step, 0 for all others."""
    cdef int i, next
    memset(mask, 0, N_IDS)
    if x.n == 0:
        for i in range(n):
            mask[first_id(steps[i])] = 1
        return
    for i in range(n):
        next = id_after(x, steps[i], rank)
        if next >= 0:
            mask[next] = 1
