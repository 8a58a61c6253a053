# Carrying out a step: what it changes at the table.
from libc.stdint cimport uint8_t, uint32_t, int16_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort
from sitoumus.engine.cards cimport card_bit, CHand, ctz64, hand_add, hand_remove, JOKER
from sitoumus.engine.tables cimport CONCEALED_PLAYER, CONCEALED_SIDE, CRules, EMPTY_END_AFTER_TURN, is_freezing, NONE
from sitoumus.engine.melds cimport CTally, meld_complete
from sitoumus.engine.state cimport (
    ASKED_NO, ASKED_NOT, ASKED_YES, CPublic, CState, ENDED_OUT, ENDED_STOCK, PHASE_DRAW, PHASE_MELD, PHASE_OPENING,
    PHASE_OVER, PHASE_REPLY, PHASE_TAKEN, V_ADD, V_ASK, V_BUY, V_DISCARD, V_DONE, V_DOUBLE, V_DRAW, V_END, V_EXTRA,
    V_FAIL, V_MELD, V_MERGE, V_NO, V_TAKE, V_YES,
)
from sitoumus.engine.actions cimport act_first, act_target, verb_of
from sitoumus.engine.auction cimport auction_call, bid_level, charge_bluffs, next_declarer
from sitoumus.engine.laying cimport lay_step, play_card
from sitoumus.engine.first_melds cimport note_opened, settle_opening
from sitoumus.engine.taking cimport apply_take, take_points
from sitoumus.engine.binding cimport bind, is_legal

cdef inline void pile_push(const CRules* r, CPublic* p, int card) noexcept nogil:
    p.pile[p.pile_n] = <uint8_t>card
    p.pile_n += 1
    hand_add(&p.in_pile, card)
    p.freezers += is_freezing(r, card)


cdef inline int stock_pop(CState* s) noexcept nogil:
    s.p.stock_n -= 1
    if s.p.stock_n == 0:
        s.p.stock_out_turn = s.p.turns + 1
    return s.h.stock[s.p.stock_n]


cdef inline void turn_up(const CRules* r, CState* s) noexcept nogil:
    """Turn the first card of the pile, and cover it where the rules say so."""
    cdef int card
    while s.p.stock_n:
        card = stock_pop(s)
        pile_push(r, &s.p, card)
        if card == JOKER:
            if not r.cover_joker:
                return
        elif not (r.cover & card_bit(card)):
            return


cdef inline void deal_ends(CState* s, int how, int seat) noexcept nogil:
    s.p.phase = PHASE_OVER
    s.p.ended = <uint8_t>how
    s.p.out_seat = <uint8_t>seat
    s.p.turn = s.p.player


cdef inline void draw_one(const CRules* r, CState* s, int seat) noexcept nogil:
    """One stock card into a hand; bonus cards are laid and replaced; the deal may end (F3)."""
    cdef int card, side = r.side_of[seat]
    while s.p.stock_n:
        card = stock_pop(s)
        if r.bonus_cards & card_bit(card):
            hand_add(&s.p.bonus[side], card)
            if s.p.stock_n == 0 and r.stock_end_now:
                deal_ends(s, ENDED_STOCK, NONE)
                return
            continue
        hand_add(&s.h.hand[seat], card)
        s.p.hand_n[seat] += 1
        return


cdef inline void lay_dealt(const CRules* r, CState* s, int seat) noexcept nogil:
    """Bonus cards that were dealt to a player are laid and replaced when his first turn begins (F24)."""
    cdef CHand* h = &s.h.hand[seat]
    cdef int card
    while h.p1 & r.bonus_cards and s.p.phase != PHASE_OVER:
        card = ctz64(h.p1 & r.bonus_cards)
        hand_remove(h, card)
        s.p.hand_n[seat] -= 1
        hand_add(&s.p.bonus[r.side_of[seat]], card)
        draw_one(r, s, seat)


cdef inline void begin_turn(const CRules* r, CPublic* p, int seat) noexcept nogil:
    p.phase = PHASE_DRAW
    p.waiting &= <uint8_t>~(1 << seat)
    p.turn = <uint8_t>seat
    p.player = <uint8_t>seat
    p.drew = 0
    p.took = 0
    p.asked = ASKED_NOT
    p.bound = 0
    p.laid = 0
    p.opening = 0
    p.first_turn = 0
    p.discard_only = 0
    p.must_out = 0
    p.touched = 0
    p.transfer_to = 0
    p.start_melds = p.n_melds[r.side_of[seat]]


cdef inline void begin_play(const CRules* r, CState* s) noexcept nogil:
    """The auction and the opening before play are over: the first card is turned, the first turn begins (R6.2, R9.7,
    R14.9, B3)."""
    cdef int seat = (s.p.dealer + 1) % r.seats
    if s.p.contract != NONE and (s.p.doubled or not r.first_left):
        seat = s.p.declarer
    turn_up(r, s)
    begin_turn(r, &s.p, seat)
    s.p.first_turn = s.p.contract != NONE and not s.p.doubled and not r.first_left


cdef inline void contract_for(const CRules* r, CState* s, int bid) noexcept nogil:
    """The maker of `bid` must open, or nobody declares."""
    s.p.contract = <uint8_t>bid
    if bid == NONE:
        s.p.declarer = NONE
        begin_play(r, s)
        return
    s.p.declarer = s.p.bidder[bid]
    if s.p.doubled:
        begin_play(r, s)
        return
    s.p.phase = PHASE_OPENING
    s.p.turn = s.p.declarer
    s.p.player = s.p.declarer
    s.p.start_melds = 0


cdef inline bint went_out_concealed(const CRules* r, const CPublic* p) noexcept nogil:
    """F13."""
    cdef int i, side = r.side_of[p.player]
    if r.out_concealed == CONCEALED_SIDE:
        return p.start_melds == 0 and not p.touched
    if r.out_concealed == CONCEALED_PLAYER:
        if not (p.clean >> p.player) & 1 or p.touched:
            return False
        for i in range(p.start_melds, p.n_melds[side]):
            if meld_complete(r, &p.melds[side][i]):
                return True
    return False


cdef inline void goes_out(const CRules* r, CState* s) noexcept nogil:
    if not s.p.opened[r.side_of[s.p.player]]:
        note_opened(r, &s.p, r.side_of[s.p.player], s.p.turns + 1, 0)     # by the waiver
    s.p.turns += 1
    s.p.concealed = went_out_concealed(r, &s.p)
    deal_ends(s, ENDED_OUT, s.p.player)
    note_reached(r, &s.p)


cdef inline void note_reached(const CRules* r, CPublic* p) noexcept nogil:
    """Remember the turn after which the declaring side's melds were worth the contract, hands apart."""
    cdef const CTally* t
    if p.contract == NONE or p.reached_turn >= 0:
        return
    t = &p.tally[r.side_of[p.declarer]]
    if t.bonus + (t.points if bid_level(p.contract) >= 5 else 0) >= 1000 * bid_level(p.contract):
        p.reached_turn = p.turns


cdef inline void end_turn(const CRules* r, CState* s) noexcept nogil:
    s.p.turns += 1
    if s.p.laid:
        s.p.clean &= <uint8_t>~(1 << s.p.player)
    if s.p.asked == ASKED_YES:
        s.p.penalties[r.side_of[s.p.player]] += r.ask_fail         # R27.2, F10
    note_reached(r, &s.p)
    if s.p.stock_n == 0 and r.stock_empty == EMPTY_END_AFTER_TURN:
        deal_ends(s, ENDED_STOCK, NONE)
        return
    begin_turn(r, &s.p, (s.p.player + 1) % r.seats)
    if r.bonus_first_turn:
        lay_dealt(r, s, s.p.player)


cdef inline void apply(const CRules* r, CState* s, uint32_t a) noexcept nogil:
    """Carry out a legal single step. Nothing is checked."""
    cdef CPublic* p = &s.p
    cdef int verb = verb_of(a), seat = p.player, side, i, phase, bid
    cdef CHand* h
    p.actions += 1
    if verb <= V_DOUBLE:
        if auction_call(r, p, a):
            contract_for(r, s, p.last_bid)
        else:
            p.player = p.turn
        return
    side = r.side_of[seat]
    h = &s.h.hand[seat]
    if verb == V_DISCARD:
        play_card(p, h, seat, act_first(a))
        pile_push(r, p, act_first(a))
        if h.n == 0:
            goes_out(r, s)
        else:
            end_turn(r, s)
    elif verb == V_DRAW:
        p.drew = 1
        p.phase = PHASE_MELD
        for i in range(r.draw_stock):  # no-cython-lint
            if p.stock_n == 0 or p.phase == PHASE_OVER:
                break
            draw_one(r, s, seat)
        if p.asked == ASKED_YES:
            bind(r, p, h)
    elif verb == V_MELD or verb == V_ADD or verb == V_MERGE:
        phase = p.phase
        lay_step(r, p, h, a)
        if phase == PHASE_OPENING:
            return
        if phase == PHASE_DRAW:
            if p.opened[side]:
                p.transfer_to = <uint8_t>(act_target(a) if verb == V_ADD else p.n_melds[side])
            else:
                p.opening = 1
            return
        p.phase = PHASE_MELD
        if not p.opened[side]:
            settle_opening(r, p, h)
        if h.n == 0:
            goes_out(r, s)
    elif verb == V_TAKE:
        if not p.opened[side]:
            note_opened(r, p, side, p.turns + 1, take_points(r, p, a))
        apply_take(r, p, h, a)
        p.transfer_to = 0
        p.phase = PHASE_TAKEN
        if h.n == 0 and not r.out_discard:
            goes_out(r, s)
        elif p.asked == ASKED_YES:
            bind(r, p, h)
    elif verb == V_EXTRA:
        p.phase = PHASE_MELD
        for i in range(r.draw_after):  # no-cython-lint
            if p.stock_n and p.phase != PHASE_OVER:
                draw_one(r, s, seat)
        if p.asked == ASKED_YES:
            bind(r, p, h)
    elif verb == V_BUY:
        play_card(p, h, seat, act_first(a))
        hand_add(&p.bought[side], act_first(a))
        p.buys[side] += 1
        p.phase = PHASE_MELD
        draw_one(r, s, seat)
        if p.asked == ASKED_YES:
            bind(r, p, h)
    elif verb == V_ASK:
        p.ask_phase = p.phase
        p.phase = PHASE_REPLY
        p.turn = r.partner[seat]
    elif verb == V_YES or verb == V_NO:
        p.asked = ASKED_YES if verb == V_YES else ASKED_NO
        p.phase = p.ask_phase
        p.turn = p.player
        bind(r, p, h)
    elif verb == V_END:
        if p.asked == ASKED_YES:
            p.penalties[side] += r.ask_fail
        deal_ends(s, ENDED_STOCK, NONE)
    elif verb == V_DONE:
        note_opened(r, p, side, 0, 0)
        begin_play(r, s)
    elif verb == V_FAIL:
        bid = p.contract
        p.failed_bids += 1
        p.failed_seats |= <uint8_t>(1 << seat)
        p.penalties[side] += 1000                                     # R14.8, B42
        bid = next_declarer(r, p, bid)
        if bid == NONE:
            charge_bluffs(r, p)
        contract_for(r, s, bid)


cdef extern from *:
    const bint SITOUMUS_CHECKED


# ---- playing out -----------------------------------------------------------------------------------------------------

cdef inline void apply_checked(const CRules* r, CState* s, uint32_t a) noexcept nogil:
    """apply(); the checked build first looks the step up among the legal ones, and stops at one that is not there."""
    if SITOUMUS_CHECKED and not is_legal(r, s, a):
        fprintf(stderr, "illegal step %x of seat %d in turn %d\n", a, <int>s.p.turn, <int>s.p.turns)
        abort()
    apply(r, s, a)
