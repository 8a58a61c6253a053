# One row a deal: the columns and their values, in one order.
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t
from libc.string cimport memset
from sitoumus.engine.tables cimport CMeld, CRules, MAX_KINDS, NONE, SHAPE_SET, SHAPE_WILD
from sitoumus.engine.melds cimport meld_complete
from sitoumus.engine.state cimport CState, ENDED_OUT
from sitoumus.engine.auction cimport bid_level, bid_strain
from sitoumus.engine.scoring cimport CScore, score_deal


cdef enum:
    MAX_COLUMNS = 128

cdef struct CColumn:
    char* data
    int size       # bytes of an element, 0: not wanted


cdef inline int row_values(const CRules* r, const CState* s, int64_t deal, int64_t* out) noexcept nogil:
    """The values of a deal that is over, in the order of columns(); their number.

    Seats, strains and results are the places of their names among all names of the column, "none" last.
    """
    cdef CScore c
    cdef int n = 0, side, i, k
    cdef int natural[MAX_KINDS]
    cdef int mixed[MAX_KINDS]
    cdef const CMeld* m
    cdef bint bid = s.p.contract != NONE
    score_deal(r, &s.p, s.h.hand, &c)
    out[0] = deal
    out[1] = s.p.dealer
    n = 2
    if r.contract:
        out[n] = s.p.declarer if bid else r.seats
        out[n + 1] = bid_level(s.p.contract) if bid else 0
        out[n + 2] = bid_strain(s.p.contract) if bid else 6
        out[n + 3] = s.p.doubled
        out[n + 4] = s.p.calls
        out[n + 5] = s.p.failed_bids
        out[n + 6] = (c.result + 3) % 4
        n += 7
    out[n] = s.p.ended - 1
    out[n + 1] = s.p.out_seat if s.p.ended == ENDED_OUT else r.seats
    out[n + 2] = s.p.turns
    out[n + 3] = s.p.actions
    n += 4
    if r.contract:
        out[n] = s.p.reached_turn
        n += 1
    out[n] = s.p.stock_out_turn
    n += 1
    for side in range(r.sides):
        out[n] = s.p.opened_turn[side]
        out[n + 1] = s.p.opening_points[side]
        out[n + 2] = s.p.takes[side]
        n += 3
        if r.buy:
            out[n] = s.p.buys[side]
            n += 1
        memset(natural, 0, sizeof(natural))
        memset(mixed, 0, sizeof(mixed))
        for i in range(s.p.n_melds[side]):
            m = &s.p.melds[side][i]
            if meld_complete(r, m):
                if m.wilds:
                    mixed[m.kind] += 1
                else:
                    natural[m.kind] += 1
        if r.run_kind != NONE:
            out[n] = natural[r.run_kind]
            n += 1
        for k in range(r.n_kinds):
            if r.kind[k].shape == SHAPE_SET and r.kind[k].full:
                out[n] = natural[k]
                out[n + 1] = mixed[k]
                n += 2
            elif r.kind[k].shape == SHAPE_WILD:
                out[n] = natural[k]
                n += 1
        out[n] = c.bonus[side]
        n += 1
        if r.bonus_cards:
            out[n] = c.bonus_cards[side]
            n += 1
        out[n] = c.card_points[side]
        out[n + 1] = c.hand_minus[side]
        out[n + 2] = c.penalties[side]
        n += 3
        if r.contract:
            out[n] = c.contract[side]
            n += 1
        out[n] = c.score[side]
        n += 1
    out[n] = s.p.stock_n
    return n + 1


cdef inline void write_row(const CColumn* columns, int n, int64_t row, const int64_t* values) noexcept nogil:
    cdef int i
    for i in range(n):
        if columns[i].size == 1:
            (<int8_t*>columns[i].data)[row] = <int8_t>values[i]
        elif columns[i].size == 2:
            (<int16_t*>columns[i].data)[row] = <int16_t>values[i]
        elif columns[i].size == 4:
            (<int32_t*>columns[i].data)[row] = <int32_t>values[i]
        elif columns[i].size == 8:
            (<int64_t*>columns[i].data)[row] = values[i]
