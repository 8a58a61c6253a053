# Features of a hand: the numbers that conditions, thresholds and result columns speak of.
from libc.stdint cimport uint32_t, uint64_t, int16_t, int32_t
from sitoumus.engine.cards cimport ACE, CHand, DEUCE, hand_count, popcount64, rank_count, turn_down
from sitoumus.engine.tables cimport CRules, hand_total
from sitoumus.engine.melds cimport in_rows
from sitoumus.engine.opening cimport bonus_potential, complete_opens, open_points
from sitoumus.engine.scoring cimport hand_minus

cdef enum:            # _names.pyx gives their names
    F_CARD_POINTS = 0
    F_JOKERS = 1
    F_DEUCES = 2
    F_ACES = 3
    F_BLACK_THREES = 4
    F_RED_THREES = 5
    F_RUN = 6             # four of them: c d h s
    F_LONGEST_RUN = 10
    F_RUN_CARDS = 11
    F_PAIRS = 12
    F_TRIPLES = 13
    F_FOURS = 14
    F_BEST_OPENING = 15
    F_BEST_OPENING_DECLARER = 16
    F_CAN_OPEN = 17       # six of them: 15 50 90 120 150 200
    N_MINIMA = 6
    F_BONUS_POTENTIAL = 23
    F_HAND_MINUS = 24
    N_FEATURES = 25


cdef inline int longest_row(uint32_t lane, bint circle) noexcept nogil:
    """Longest row of set bits among 13, on a circle or a line."""
    cdef int n = 0
    cdef uint32_t full = 0x1FFF
    if lane == full:
        return 13
    while lane:
        n += 1
        lane &= (((lane >> 1) | (lane << 12)) if circle else (lane >> 1)) & full
    return n


cdef extern from *:
    """
    static const short sit_minima[6] = {15, 50, 90, 120, 150, 200};
    """
    const int16_t* MINIMA "sit_minima"      # that the can_open features speak of


cdef inline int opening_step(int i) noexcept nogil:
    """Minimum that can_open feature number i speaks of."""
    return MINIMA[i]


cdef inline int ranks_with(const CHand* h, int n) noexcept nogil:
    """Ranks of which a hand holds n or more cards (2 .. 8); deuces and threes do not count."""
    return popcount64((((h.rc & 0x7777777777777ULL) + <uint64_t>(8 - n) * 0x1111111111111ULL) | h.rc)
                      & 0x8888888888008ULL)


cdef inline void hand_features(const CRules* r, const CHand* h, int32_t* out) noexcept nogil:
    """All features of a hand; minima and runs are those of the rule set given."""
    cdef int suit, n, own, declarer, i, three
    cdef uint64_t row
    cdef bint complete
    out[F_CARD_POINTS] = hand_total(r, h)
    out[F_JOKERS] = h.jokers
    out[F_DEUCES] = rank_count(h, DEUCE)
    out[F_ACES] = rank_count(h, ACE)
    out[F_BLACK_THREES] = hand_count(h, 2) + hand_count(h, 50)
    out[F_RED_THREES] = hand_count(h, 18) + hand_count(h, 34)
    for suit in range(4):
        out[F_RUN + suit] = 0
    row = h.p1
    n = 0
    while row and n < 13:                                       # starts of rows of n + 1, in all suits at once
        n += 1
        for suit in range(4):
            out[F_RUN + suit] += ((row >> (16 * suit)) & 0x1FFF) != 0
        row &= turn_down(h.p1, n)
    out[F_LONGEST_RUN] = n
    out[F_RUN_CARDS] = popcount64(in_rows(r, h.p1, 3))
    three = ranks_with(h, 3)
    out[F_FOURS] = ranks_with(h, 4)
    out[F_PAIRS] = ranks_with(h, 2) - three
    out[F_TRIPLES] = three - out[F_FOURS]
    own = open_points(r, h, r.deuces_others)
    declarer = own
    if r.deuces_declarer != r.deuces_others and rank_count(h, DEUCE) >= min(r.deuces_declarer, r.deuces_others):
        declarer = open_points(r, h, r.deuces_declarer)         # R14.3, R15.2: matters with so many deuces only
    complete = complete_opens(r, h)
    out[F_BEST_OPENING] = own
    out[F_BEST_OPENING_DECLARER] = declarer
    for i in range(6):
        out[F_CAN_OPEN + i] = complete or own >= opening_step(i)
    out[F_BONUS_POTENTIAL] = bonus_potential(r, h)
    out[F_HAND_MINUS] = hand_minus(r, h)


cdef inline int32_t feature_value(const CRules* r, const CHand* h, int feature) noexcept nogil:
    """One feature alone: what hand_features writes into its place."""
    if feature == F_CARD_POINTS:
        return hand_total(r, h)
    if feature == F_JOKERS:
        return h.jokers
    if feature == F_DEUCES:
        return rank_count(h, DEUCE)
    if feature == F_ACES:
        return rank_count(h, ACE)
    if feature == F_BLACK_THREES:
        return hand_count(h, 2) + hand_count(h, 50)
    if feature == F_RED_THREES:
        return hand_count(h, 18) + hand_count(h, 34)
    if feature < F_LONGEST_RUN:
        return longest_row(<uint32_t>(h.p1 >> (16 * (feature - F_RUN))) & 0x1FFF, True)
    if feature == F_LONGEST_RUN:
        return max(max(longest_row(<uint32_t>h.p1 & 0x1FFF, True), longest_row(<uint32_t>(h.p1 >> 16) & 0x1FFF, True)),
                   max(longest_row(<uint32_t>(h.p1 >> 32) & 0x1FFF, True), longest_row(<uint32_t>(h.p1 >> 48), True)))
    if feature == F_RUN_CARDS:
        return popcount64(in_rows(r, h.p1, 3))
    if feature == F_PAIRS:
        return ranks_with(h, 2) - ranks_with(h, 3)
    if feature == F_TRIPLES:
        return ranks_with(h, 3) - ranks_with(h, 4)
    if feature == F_FOURS:
        return ranks_with(h, 4)
    if feature == F_BEST_OPENING:
        return open_points(r, h, r.deuces_others)
    if feature == F_BEST_OPENING_DECLARER:
        return open_points(r, h, r.deuces_declarer)
    if feature < F_BONUS_POTENTIAL:
        return complete_opens(r, h) or open_points(r, h, r.deuces_others) >= opening_step(feature - F_CAN_OPEN)
    if feature == F_BONUS_POTENTIAL:
        return bonus_potential(r, h)
    return hand_minus(r, h)
