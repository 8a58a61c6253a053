# Stock or pile: what a take is worth to the heuristic.
from libc.stdint cimport uint32_t, uint64_t, int32_t
from sitoumus.engine.cards cimport card_bit, card_rank, CHand, DEUCE, hand_count, JOKER
from sitoumus.engine.tables cimport CRules, NONE
from sitoumus.engine.state cimport CPublic, MAX_ACTIONS
from sitoumus.engine.actions cimport act_locks, act_suits, act_wilds, wild_count
from sitoumus.engine.going_out cimport may_go_out
from sitoumus.engine.taking cimport freezers_in_a_row, least_locks, list_takes, pile_top
from sitoumus.engine.scoring cimport reached
from sitoumus.engine.policies.heuristic.sight cimport (
    CSight, judge, look_at_own, P_KEEP_RUN4, P_KEEP_RUN5, P_RACE_TAKE, P_TAKE_CARD, P_TAKE_LEAST, P_TAKE_RED_THREE,
    P_TAKE_TIME, P_TAKE_WILD, races,
)

cdef inline int pile_card_worth(const CRules* r, const int32_t* w, const CSight* s, uint64_t windows,
                                int card) noexcept nogil:
    """What a card of the pile is worth in hand."""
    if card == JOKER or card_rank(card) == DEUCE:
        return w[P_TAKE_WILD]
    if r.hand_points[card] >= 500:
        return -w[P_TAKE_RED_THREE]
    return w[P_TAKE_CARD] + (w[P_KEEP_RUN4] if windows & card_bit(card) else 0)


cdef inline int wants_time(const CRules* r, const CPublic* p) noexcept nogil:
    """1 for the declaring side while its melds do not reach the contract; -1 if besides the opponents may go out by
    their melds, where void costs less than failed (R9.11, R9.13, D26)."""
    cdef int side
    if p.contract == NONE or r.side_of[p.declarer] != r.side_of[p.player]:
        return 0
    side = r.side_of[p.player]
    if reached(p, &p.tally[side]):
        return 0
    if r.void_cost[p.doubled] < 100 and may_go_out(r, p, p.player + 1 if p.player + 1 < r.seats else 0):
        return -1
    return 1


cdef inline uint32_t choose_take(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h,
                                 int ways) noexcept nogil:
    """The best take by these ways, or 0 (which is no take) if the stock is better."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef CSight s
    cdef int n, i, k, value, best = 0, depth, least, suit, used, card
    cdef uint32_t choice = 0
    cdef uint64_t windows
    cdef int time
    if r.contract:
        time = wants_time(r, p) * w[P_TAKE_TIME]
        if races(r, w, p):
            time += w[P_RACE_TAKE]
    else:             # the top card stands for one of the stock; the others would be worth more than cards thrown away
        time = -4 * w[P_TAKE_CARD] * (r.draw_stock - 1)
    n = list_takes(r, p, h, ways, steps)
    if n == 0:
        return 0
    look_at_own(r, p, &s)
    s.run3 = 0               # judge() sets both, which compilers do not see
    s.own4 = 0
    judge(r, p, h, &s)
    windows = s.run3 | s.fits_us | s.own4
    freezers_in_a_row(r, p, &depth)
    least = least_locks(r, p)
    for i in range(n):
        value = time
        for k in range(1, depth + (act_locks(steps[i]) - least if act_locks(steps[i]) else 0)):
            value += pile_card_worth(r, w, &s, windows, p.pile[p.pile_n - 1 - k])
        for suit in range(4):
            used = (steps[i] >> (5 + 2 * suit)) & 3
            card = 16 * suit + card_rank(pile_top(p))
            if used:
                if (s.run5 | s.own5) & card_bit(card) and hand_count(h, card) == used:
                    value -= w[P_KEEP_RUN5]
        if act_suits(steps[i]) == 0:
            value += w[P_KEEP_RUN5]
        value -= wild_count(act_wilds(steps[i])) * w[P_TAKE_WILD]
        if value > best or choice == 0:
            best = value
            choice = steps[i]
    return choice if best >= w[P_TAKE_LEAST] or p.stock_n == 0 else 0
