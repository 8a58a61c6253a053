# The pack of a rule set, and what is left of it.
from libc.stdint cimport uint8_t, uint64_t, int32_t
from libc.string cimport memset, memcpy
from sitoumus.engine.cards cimport CHand, ctz64, hand_add, hand_clear, hand_has, hand_merge, hand_remove
from sitoumus.engine.rng cimport PURPOSE_DEAL, PURPOSE_FIXED, shuffle, Stream, stream_open
from sitoumus.engine.tables cimport CRules, MAX_PACK, MAX_SIDES, NONE, TURN_UP_AFTER_DEAL
from sitoumus.engine.state cimport CPublic, CState, MAX_BIDS, PHASE_AUCTION, PHASE_MELD, V_BID, V_DOUBLE, V_PASS
from sitoumus.engine.actions cimport act_card
from sitoumus.engine.apply cimport apply, begin_turn, stock_pop, turn_up


cdef inline int new_pack(const CRules* r, const CHand* without, uint8_t* pack) noexcept nogil:
    """The pack in canonical order, cards in `without` left out; the number of cards."""
    cdef int i, n = 0
    cdef CHand left
    if without.n == 0:
        memcpy(pack, r.pack, r.n_cards)
        return r.n_cards
    left = without[0]
    for i in range(r.n_cards):
        if hand_has(&left, r.pack[i]):
            hand_remove(&left, r.pack[i])
        else:
            pack[n] = r.pack[i]
            n += 1
    return n


cdef inline void deal_cards(const CRules* r, CState* s, const uint64_t* key, uint64_t number,
                            const CHand* fixed) noexcept nogil:
    """Shuffle and deal: `fixed` (by seat, or NULL) lies in the hands already, the rest is dealt from what is left,
    seat by seat, then the stock."""
    cdef Stream stream
    cdef CHand known
    cdef uint8_t pack[MAX_PACK]
    cdef int seat, i, n, at = 0
    hand_clear(&known)
    if fixed != NULL:
        for seat in range(r.seats):
            hand_merge(&known, &fixed[seat])
    n = new_pack(r, &known, pack)
    stream_open(&stream, key, 0, PURPOSE_DEAL if fixed == NULL else PURPOSE_FIXED, number, 0)
    shuffle(&stream, pack, n)
    for seat in range(r.seats):
        if fixed != NULL:
            s.h.hand[seat] = fixed[seat]
        else:
            hand_clear(&s.h.hand[seat])
        while s.h.hand[seat].n < r.hand_size:
            hand_add(&s.h.hand[seat], pack[at])
            at += 1
    s.p.stock_n = <uint8_t>(n - at)
    for i in range(n - at):
        s.h.stock[n - at - 1 - i] = pack[at + i]


cdef inline void clear_state(const CRules* r, CState* s, int dealer, const int32_t* totals) noexcept nogil:
    """An empty table before the first call."""
    cdef int i
    memset(&s.p, 0, sizeof(CPublic))
    s.p.dealer = <uint8_t>dealer
    s.p.turn = <uint8_t>((dealer + 1) % r.seats)
    s.p.player = s.p.turn
    s.p.last_bid = NONE
    s.p.contract = NONE
    s.p.declarer = NONE
    s.p.out_seat = NONE
    s.p.reached_turn = -1
    s.p.stock_out_turn = -1
    s.p.clean = 255
    memset(s.p.bidder, NONE, MAX_BIDS)
    for i in range(MAX_SIDES):
        s.p.totals[i] = totals[i]
        s.p.opened_turn[i] = -1


cdef inline void begin_deal(const CRules* r, CState* s) noexcept nogil:
    """Cards are dealt: the first call, or the first turn with the turn-up and the bonus cards laid (F1)."""
    cdef int seat, i, first = (s.p.dealer + 1) % r.seats, code
    for seat in range(r.seats):
        s.p.hand_n[seat] = s.h.hand[seat].n
    if r.contract:
        s.p.phase = PHASE_AUCTION
        return
    if r.turn_up == TURN_UP_AFTER_DEAL:
        turn_up(r, s)
    if r.bonus_first_turn:
        s.p.waiting = <uint8_t>((1 << r.seats) - 1)
    for i in range(1 if r.bonus_first_turn else r.seats):
        seat = (first + i) % r.seats
        while s.h.hand[seat].p1 & r.bonus_cards:
            code = ctz64(s.h.hand[seat].p1 & r.bonus_cards)
            hand_remove(&s.h.hand[seat], code)
            s.p.hand_n[seat] -= 1
            hand_add(&s.p.bonus[r.side_of[seat]], code)
            if s.p.stock_n:
                draw_raw(s, seat)
    begin_turn(r, &s.p, first)
    if r.discard_only_first:
        s.p.phase = PHASE_MELD
        s.p.discard_only = 1


cdef inline void draw_raw(CState* s, int seat) noexcept nogil:
    hand_add(&s.h.hand[seat], stock_pop(s))
    s.p.hand_n[seat] += 1
    s.p.stock_out_turn = -1


cdef inline void start_extra(const CRules* r, CState* s) noexcept nogil:
    """The player who starts gets his extra cards (tile game)."""
    cdef int _
    for _ in range(r.first_extra):
        draw_raw(s, (s.p.dealer + 1) % r.seats)


cdef inline void set_contract(const CRules* r, CState* s, const uint8_t* bids, int n, int doubler) noexcept nogil:
    """A forced auction: passes and the given (bid, seat) pairs, which rise, then three passes or the double."""
    cdef int i, _
    s.p.forced = 1
    for i in range(n):
        while s.p.turn != bids[2 * i + 1]:
            apply(r, s, V_PASS)
        apply(r, s, act_card(V_BID, bids[2 * i]))
    if doubler != NONE:
        while s.p.turn != doubler:
            apply(r, s, V_PASS)
        apply(r, s, V_DOUBLE)
        return
    for _ in range(r.seats if n == 0 else r.seats - 1):
        apply(r, s, V_PASS)
