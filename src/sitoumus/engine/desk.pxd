# A table that learners play by numbers: compiled policies play the other seats, and it stands still where a learner
# has a choice. No Python object is touched and nothing is allocated.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t, int32_t
from libc.string cimport memcpy, memset
from sitoumus.engine.cards cimport BYTES, card_rank, CHand
from sitoumus.engine.rng cimport bounded, Stream
from sitoumus.engine.tables cimport CRules, MAX_SEATS, MAX_SIDES, NONE
from sitoumus.engine.state cimport CState, MAX_ACTIONS, PHASE_OVER
from sitoumus.engine.taking cimport pile_top
from sitoumus.engine.binding cimport generate
from sitoumus.engine.apply cimport apply, apply_checked
from sitoumus.engine.dealing cimport begin_deal, clear_state, deal_cards, start_extra
from sitoumus.engine.scoring cimport CScore, score_deal
from sitoumus.engine.numbering cimport CPrefix, first_id, follow, N_IDS, write_mask
from sitoumus.engine.observation cimport write_observation
from sitoumus.engine.policies.mind cimport CMind, CPolicy, open_mind
from sitoumus.engine.policies.dispatch cimport decide

cdef enum:
    STEPS_KEPT = 384      # of a position; longer lists are made again when they are asked for

cdef struct CHouse:           # what all tables of an environment share
    const CRules* r
    CHand pack
    uint64_t key[2]           # of the deals
    uint64_t noise[2]         # of the policies
    int32_t totals[MAX_SIDES]
    int32_t dealer            # NONE: deal number modulo seats
    uint8_t learns[MAX_SEATS]
    uint8_t skip_forced       # a learner's only legal step is played for it
    CPolicy policies[MAX_SEATS]

cdef struct CDesk:
    CState s
    CPrefix x
    uint64_t deal
    int32_t n                 # legal steps of the seat to act, 0 when the deal is over
    uint8_t seat              # learner to act, or the last that did
    uint8_t illegal           # the deal was ended by an illegal number
    uint32_t last             # the last step of a learner
    CMind minds[MAX_SEATS]
    uint32_t steps[STEPS_KEPT]
    uint16_t first[STEPS_KEPT]     # the first number of each


cdef inline int top_rank(const CState* s) noexcept nogil:
    return card_rank(pile_top(&s.p)) if s.p.pile_n else 0


cdef inline void list_steps(const CHouse* house, CDesk* d) noexcept nogil:
    """List the steps of the seat to act."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef int i
    d.n = generate(house.r, &d.s.p, &d.s.h.hand[d.s.p.player], steps)
    if d.n <= STEPS_KEPT:
        for i in range(d.n):
            d.steps[i] = steps[i]
            d.first[i] = <uint16_t>first_id(steps[i])
    else:
        d.steps[0] = steps[0]


cdef inline void play_on(const CHouse* house, CDesk* d) noexcept nogil:
    """Play on until a learner has a choice or the deal is over."""
    cdef int seat
    while d.s.p.phase != PHASE_OVER:
        seat = d.s.p.turn
        if house.learns[seat]:
            d.seat = <uint8_t>seat
            list_steps(house, d)
            if d.n != 1 or not house.skip_forced:
                return
            apply(house.r, &d.s, d.steps[0])
            continue
        open_mind(&d.minds[seat], &d.s.p, house.noise, d.deal, 0)
        apply_checked(house.r, &d.s, decide(house.r, &house.policies[seat], &d.s.p, &d.s.h.hand[seat], &d.minds[seat]))
    d.n = 0


cdef inline void sit_down(const CHouse* house, CDesk* d) noexcept nogil:
    """Play on from the position that is there."""
    cdef int seat
    d.x.n = 0
    d.illegal = 0
    for seat in range(MAX_SEATS):
        d.minds[seat].address = -1
    for seat in range(house.r.seats):
        if house.learns[seat]:
            d.seat = <uint8_t>seat
            break
    play_on(house, d)


cdef inline void deal_at(const CHouse* house, CDesk* d, uint64_t number) noexcept nogil:
    """Deal a number, and play to the first choice of a learner."""
    clear_state(house.r, &d.s, <int>(number % house.r.seats) if house.dealer == NONE else house.dealer, house.totals)
    d.deal = number
    deal_cards(house.r, &d.s, house.key, number, NULL)
    start_extra(house.r, &d.s)
    begin_deal(house.r, &d.s)
    sit_down(house, d)


cdef inline int choose_long(const CHouse* house, CDesk* d, int chosen, uint32_t* found) noexcept nogil:
    cdef uint32_t steps[MAX_ACTIONS]
    cdef int n = generate(house.r, &d.s.p, &d.s.h.hand[d.s.p.player], steps)
    return follow(&d.x, steps, n, top_rank(&d.s), chosen, found)


cdef inline bint choose(const CHouse* house, CDesk* d, int chosen) noexcept nogil:
    """The learner chooses a number; False and nothing changed if it is not legal."""
    cdef uint32_t found = 0
    cdef int left = 0, i
    if d.n <= STEPS_KEPT and d.x.n == 0:
        for i in range(d.n):
            if d.first[i] == chosen:
                found = d.steps[i]
                left += 1
    if left == 1 or left == 0 and d.n <= STEPS_KEPT and d.x.n == 0:
        pass
    elif d.n <= STEPS_KEPT:
        left = follow(&d.x, d.steps, d.n, top_rank(&d.s), chosen, &found)
    else:
        left = choose_long(house, d, chosen, &found)
    if left == 1:
        d.last = found
        apply(house.r, &d.s, found)
        play_on(house, d)
    return left > 0


cdef inline void mask_long(const CHouse* house, const CDesk* d, uint8_t* mask) noexcept nogil:
    cdef uint32_t steps[MAX_ACTIONS]
    cdef int n = generate(house.r, &d.s.p, &d.s.h.hand[d.s.p.player], steps)
    write_mask(&d.x, steps, n, top_rank(&d.s), mask)


cdef inline void mask_of(const CHouse* house, const CDesk* d, uint8_t* mask) noexcept nogil:
    """Which numbers the learner may choose; none when the deal is over."""
    cdef int i
    if d.n <= STEPS_KEPT and d.x.n == 0:
        memset(mask, 0, N_IDS)
        for i in range(d.n):
            mask[d.first[i]] = 1
    elif d.n <= STEPS_KEPT:
        write_mask(&d.x, d.steps, d.n, top_rank(&d.s), mask)
    else:
        mask_long(house, d, mask)


cdef inline void seen_by(const CHouse* house, const CDesk* d, int seat, uint8_t* out) noexcept nogil:
    """What a seat knows."""
    write_observation(house.r, &d.s.p, &d.s.h.hand[seat], seat, &house.pack, &d.x, out)


cdef inline void write_returns(const CHouse* house, const CDesk* d, float* out) noexcept nogil:
    """By seat, when the deal is over: own points less the mean of the other sides', in thousands."""
    cdef CScore score
    cdef int seat, side, sum = 0
    cdef const CRules* r = house.r
    score_deal(r, &d.s.p, d.s.h.hand, &score)
    for side in range(r.sides):
        sum += score.score[side]
    for seat in range(r.seats):
        side = r.side_of[seat]
        out[seat] = <float>((<double>score.score[side] - <double>(sum - score.score[side]) / (r.sides - 1)) / 1000)


cdef inline int random_of(const uint8_t* mask, Stream* stream) noexcept nogil:
    """One of the numbers that a mask allows, each with the same chance; 0 if it allows none."""
    cdef uint64_t word
    cdef int i = 0, n = 0, k
    for i in range(0, N_IDS - 7, 8):
        memcpy(&word, mask + i, 8)
        n += <int>((word * BYTES) >> 56)
    for i in range(N_IDS - N_IDS % 8, N_IDS):
        n += mask[i]
    if n == 0:
        return 0
    k = <int>bounded(stream, <uint32_t>n)
    i = 0
    while True:                              # the k-th of them
        memcpy(&word, mask + i, 8)
        n = <int>((word * BYTES) >> 56)
        if n > k or i + 16 > N_IDS:
            break
        k -= n
        i += 8
    while True:
        k -= mask[i]
        if k < 0:
            return i
        i += 1
