# Scores of a deal: components of each side, made / failed / void, the match.
from libc.stdint cimport uint8_t, uint64_t, int32_t
from libc.string cimport memset
from sitoumus.engine.cards cimport card_bit, CHand, hand_count, JOKER, THREE
from sitoumus.engine.tables cimport CMeld, CRules, MAX_SIDES, NONE, OUT_CANASTA
from sitoumus.engine.melds cimport CTally
from sitoumus.engine.goals cimport strain_is_made
from sitoumus.engine.state cimport CPublic, ENDED_OUT
from sitoumus.engine.auction cimport bid_level, bid_strain

cdef enum:
    RESULT_NONE = 0
    RESULT_MADE = 1
    RESULT_FAILED = 2
    RESULT_VOID = 3
    # winner of the match, besides a side number
    WINNER_NONE = 254
    WINNER_DRAW = 253

cdef struct CScore:              # by side, points
    int32_t bonus[MAX_SIDES]         # complete melds and going out
    int32_t bonus_cards[MAX_SIDES]   # signed
    int32_t card_points[MAX_SIDES]
    int32_t hand_minus[MAX_SIDES]
    int32_t penalties[MAX_SIDES]     # bought threes and short sequences included
    int32_t contract[MAX_SIDES]
    int32_t score[MAX_SIDES]
    uint8_t result                   # RESULT_*


cdef inline int hand_minus(const CRules* r, const CHand* h) noexcept nogil:
    """Points lost for the cards left in a hand (R12.3); bonus cards in it are no such cards (F24)."""
    cdef int total = h.jokers * r.hand_points[JOKER], rank, suit
    cdef uint64_t rc = h.rc
    for rank in range(13):
        if rank != THREE:
            total += <int>((rc >> (4 * rank)) & 15) * r.hand_points[rank]
    if (rc >> (4 * THREE)) & 15:
        for suit in range(4):
            if not r.bonus_cards & card_bit(16 * suit + THREE):
                total += hand_count(h, 16 * suit + THREE) * r.hand_points[16 * suit + THREE]
    return total


cdef inline bint bonus_is_lost(const CRules* r, const CPublic* p, int side) noexcept nogil:
    """The side has too few melds for its bonus cards."""
    return (p.tally[side].count[OUT_CANASTA] if r.bonus_needs_canastas else p.n_melds[side]) < r.bonus_needs


cdef inline int bonus_in_hands(const CRules* r, const CPublic* p, const CHand* hands, int side) noexcept nogil:
    """Points of bonus cards that players who had no turn still hold: each costs as one does, or nothing (F24)."""
    cdef int seat, suit, n = 0
    if not (r.bonus_first_turn and bonus_is_lost(r, p, side)):
        return 0
    for seat in range(r.seats):
        if r.side_of[seat] == side:
            for suit in range(4):
                if r.bonus_cards & card_bit(16 * suit + THREE):
                    n += hand_count(&hands[seat], 16 * suit + THREE)
    return -n * r.bonus_table[1]


cdef inline int out_points(const CRules* r, const CPublic* p) noexcept nogil:
    """Bonus of the side that went out."""
    return r.out_concealed_total if p.concealed else r.out_bonus


cdef inline bint attained(const CRules* r, const CPublic* p, int bonus, int points, int minus) noexcept nogil:
    """The declaring side reached its contract (C35): bonus without the going-out bonus, card points, hand minus."""
    cdef int level = bid_level(p.contract), side = r.side_of[p.declarer], sum = bonus
    if p.ended == ENDED_OUT and r.side_of[p.out_seat] == side and r.result_bonus:
        sum += out_points(r, p)                               # B28
    if level >= 5:
        sum += points
        if r.minus_at_5:
            sum -= minus                                      # B30
    else:
        sum -= minus                                          # R29.2
    if r.strain_made and not strain_is_made(&p.tally[side], bid_strain(p.contract)):
        return False                                          # B27
    return sum >= 1000 * level


cdef inline void score_deal(const CRules* r, const CPublic* p, const CHand* hands, CScore* c) noexcept nogil:
    """Score a deal that is over (docs/rules.md, "The score in one place"; F21)."""
    cdef int side, seat, i, n, level
    cdef const CMeld* m
    memset(c, 0, sizeof(CScore))
    for seat in range(r.seats):
        c.hand_minus[r.side_of[seat]] += hand_minus(r, &hands[seat])
    for side in range(r.sides):
        c.bonus[side] = p.tally[side].bonus
        c.card_points[side] = p.tally[side].points
        c.penalties[side] = p.penalties[side] + p.bought[side].n * r.buy_price
        if r.run_kind != NONE and r.kind[r.run_kind].short_below:
            for i in range(p.n_melds[side]):
                m = &p.melds[side][i]
                if m.kind == r.run_kind and m.size < r.kind[r.run_kind].short_below:
                    c.penalties[side] += r.kind[r.run_kind].short_points
        n = p.bonus[side].n
        if n:
            c.bonus_cards[side] = r.bonus_table[n if n < 8 else 7]
            if bonus_is_lost(r, p, side):
                c.bonus_cards[side] = -c.bonus_cards[side]
        c.bonus_cards[side] += bonus_in_hands(r, p, hands, side)
    if p.contract != NONE:
        side = r.side_of[p.declarer]
        level = bid_level(p.contract)
        if attained(r, p, c.bonus[side], c.card_points[side], c.hand_minus[side]):
            c.result = RESULT_MADE
            c.contract[side] = 1000 * level if p.doubled else 500 * level              # R9.9, R9.10
        elif p.ended == ENDED_OUT and (r.void_deal_end or p.stock_n > 0):
            c.result = RESULT_FAILED
            c.contract[1 - side] = 2000 * level if p.doubled else 1000 * level         # R9.11, R9.12
            if level <= 4 and not r.failed_keeps:
                c.card_points[side] = 0                                                # B34, D13
        else:
            c.result = RESULT_VOID                                                     # R9.13, B33
            c.contract[1 - side] = (20 if p.doubled else 10) * level * r.void_cost[p.doubled]      # D26
    if p.ended == ENDED_OUT:
        c.bonus[r.side_of[p.out_seat]] += out_points(r, p)
    for side in range(r.sides):
        c.score[side] = (c.bonus[side] + c.bonus_cards[side] + c.card_points[side] - c.hand_minus[side]
                         - c.penalties[side] + c.contract[side])


cdef inline int match_winner(const CRules* r, const int32_t* totals, int deals) noexcept nogil:
    """Side that has won with these totals after so many deals, WINNER_DRAW or WINNER_NONE (R1, F22)."""
    cdef int side, best = 0
    cdef bint over = False, tie = False
    for side in range(r.sides):
        if r.deals == 0 and totals[side] >= r.target:
            over = True
        if totals[side] > totals[best]:
            best = side
    if r.deals and deals >= r.deals:
        over = True
    if not over:
        return WINNER_NONE
    for side in range(r.sides):
        if side != best and totals[side] == totals[best]:
            tie = True
    if tie:
        return WINNER_NONE if r.tie_extra else WINNER_DRAW
    return best


cdef inline bint reached(const CPublic* p, const CTally* t) noexcept nogil:
    """The melds of the declaring side reach the contract."""
    return t.bonus + (t.points if bid_level(p.contract) >= 5 else 0) >= 1000 * bid_level(p.contract)
