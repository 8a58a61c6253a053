# Bids by the chance to make them: the estimate of a contract, and the call of a player who bids what he holds.
#
# The estimate is a sum of thousandths of log-odds: of the level, of the hand, of what the others have bid. Its figures
# are parameters; tools/fit_steady.py finds them from the contracts of such players.
from libc.stdint cimport int16_t, int32_t, uint32_t
from sitoumus.engine.cards cimport CHand
from sitoumus.engine.tables cimport CRules, NONE
from sitoumus.engine.features cimport (
    F_ACES, F_CARD_POINTS, F_JOKERS, F_LONGEST_RUN, F_RUN_CARDS, F_TRIPLES, feature_value,
)
from sitoumus.engine.state cimport CPublic, V_BID, V_DOUBLE, V_PASS
from sitoumus.engine.actions cimport act_card
from sitoumus.engine.auction cimport bid_level
from sitoumus.engine.policies.heuristic.bids cimport (
    doubles, hand_worth, opens_as_declarer, own_strain, with_partner,
)
from sitoumus.engine.policies.heuristic.sight cimport (
    P_BID_FLOOR, P_BID_STOP, P_MADE_1, P_MADE_ACE, P_MADE_AGAINST, P_MADE_AGAINST_LEVEL, P_MADE_CARD_POINTS,
    P_MADE_JOKER, P_MADE_LONGEST, P_MADE_PARTNER, P_MADE_PARTNER_LEVEL, P_MADE_RUN_CARD, P_MADE_TRIPLE,
)

cdef enum:
    LEVELS_ESTIMATED = 8      # no higher contract is estimated

cdef extern from *:
    """
    static const short sit_log_odds[101] = {
        -9999, -4595, -3891, -3476, -3178, -2944, -2751, -2586, -2442, -2313, -2197, -2090, -1992, -1900, -1815,
        -1734, -1658, -1585, -1516, -1450, -1386, -1324, -1265, -1208, -1152, -1098, -1045, -994, -944, -895, -847,
        -800, -753, -708, -663, -619, -575, -532, -489, -447, -405, -363, -322, -281, -241, -200, -160, -120, -80,
        -40, 0, 41, 81, 121, 161, 201, 242, 282, 323, 364, 406, 448, 490, 533, 576, 620, 664, 709, 754, 801, 848,
        896, 945, 995, 1046, 1099, 1153, 1209, 1266, 1325, 1387, 1451, 1517, 1586, 1659, 1735, 1816, 1901, 1993,
        2091, 2198, 2314, 2443, 2587, 2752, 2945, 3179, 3477, 3892, 4596, 9999};
    """
    const int16_t* LOG_ODDS "sit_log_odds"       # of a chance in percent, thousandths, rounded up


cdef inline int hand_log_odds(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h) noexcept nogil:
    """What hand and auction say of the contracts of the player to call, the level apart, in thousandths of log-odds."""
    cdef int bid, mine = 0, theirs = 0, sum
    sum = (w[P_MADE_RUN_CARD] * feature_value(r, h, F_RUN_CARDS)
           + w[P_MADE_LONGEST] * feature_value(r, h, F_LONGEST_RUN)
           + w[P_MADE_CARD_POINTS] * feature_value(r, h, F_CARD_POINTS) // 10
           + w[P_MADE_JOKER] * feature_value(r, h, F_JOKERS) + w[P_MADE_ACE] * feature_value(r, h, F_ACES)
           + w[P_MADE_TRIPLE] * feature_value(r, h, F_TRIPLES))
    if p.last_bid == NONE:
        return sum
    for bid in range(p.last_bid + 1):
        if p.bidder[bid] == NONE or p.bidder[bid] == p.turn:
            continue
        if r.side_of[p.bidder[bid]] == r.side_of[p.turn]:
            mine = bid_level(bid)
        else:
            theirs = bid_level(bid)
    if mine:
        sum += w[P_MADE_PARTNER] + w[P_MADE_PARTNER_LEVEL] * mine
    if theirs:
        sum += w[P_MADE_AGAINST] + w[P_MADE_AGAINST_LEVEL] * theirs
    return sum


cdef inline int made_log_odds(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h,
                              int level) noexcept nogil:
    """How the player to call sees his chance to make a contract of this level, in thousandths of log-odds."""
    if level > LEVELS_ESTIMATED:
        return LOG_ODDS[0]
    return hand_log_odds(r, w, p, h) + w[P_MADE_1 + level - 1]


cdef inline uint32_t call_by_chance(const CRules* r, const int32_t* w, const CPublic* p,
                                    const CHand* h) noexcept nogil:
    """The highest contract that is made often enough, in the hand's own strain; double what is too high."""
    cdef int bid, level, lowest = 1, least = 0, worth, floor = LOG_ODDS[min(max(w[P_BID_FLOOR], 0), 100)]
    cdef int highest = min(min(w[P_BID_STOP], r.max_level), <int>LEVELS_ESTIMATED)
    if p.last_bid != NONE:
        if doubles(r, w, p, with_partner(r, w, p, hand_worth(r, w, h))):
            return V_DOUBLE
        least = p.last_bid + 1
        lowest = bid_level(p.last_bid) + 1 if r.side_of[p.bidder[p.last_bid]] == r.side_of[p.turn] else bid_level(least)
    worth = hand_log_odds(r, w, p, h)
    for level in range(highest, lowest - 1, -1):
        if worth + w[P_MADE_1 + level - 1] < floor:
            continue
        bid = max(6 * (level - 1) + own_strain(r, h), least)
        while bid_level(bid) == level:
            if opens_as_declarer(r, p, h, bid):
                return act_card(V_BID, bid)
            if level < 4:
                return V_PASS                  # a lower level asks for no less
            bid += 1
    return V_PASS
