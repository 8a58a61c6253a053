# Playing deals out, and deciding by playing out: worlds that agree with a view, and the policy that tries its plans there.  # no-cython-lint
#
# A world is a table in which the hidden cards are dealt anew among the places the view leaves them: own hand, public
# cards and the cards known to lie in other hands stay, all divisions of the rest are equally likely. What the other
# seats have done weighs worlds: the hands as dealt are drawn from what each seat holds and has played, and asked what
# they would have called; the hands that the last discards have left are asked what they would have discarded.
#
# In reading order: the past, what agrees with it, worlds, playing out, candidates, the rollout policy, decide_any,
# play_out.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t, int32_t, int64_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort
from libc.string cimport memset, memcpy
from sitoumus._cards cimport *
from sitoumus._rng cimport *
from sitoumus._rules cimport *
from sitoumus._melds cimport *
from sitoumus._state cimport *
from sitoumus._auction cimport *
from sitoumus._moves cimport *
from sitoumus._scoring cimport *
from sitoumus._plans cimport *
from sitoumus._policies cimport decide, greedy_plan

cdef extern from "<time.h>" nogil:
    const int TIME_UTC
    cdef struct timespec:
        long long tv_sec
        long tv_nsec
    int timespec_get(timespec*, int)

cdef extern from *:
    const bint SITOUMUS_CHECKED

cdef enum:
    MAX_TRIED = 32        # candidates of a decision of the rollout policy
    MAX_STEPS = MAX_PLAN  # steps of a candidate
    LEAST_WORLDS = 8      # however short the time
    TRIES_TO_FIT = 64     # hands dealt for one that agrees with what its seat has done

cdef struct CTried:           # a candidate of a decision
    int32_t n
    uint32_t steps[MAX_STEPS]


# ---- the past --------------------------------------------------------------------------------------------------------

cdef inline void begin_past(CPast* past, bint from_deal) noexcept nogil:
    """Nothing is known of what came before."""
    memset(past, 0, sizeof(CPast))
    past.from_deal = from_deal


cdef inline void note_gone(CPast* past, int seat, int card) noexcept nogil:
    hand_add(&past.gone[seat], card)
    hand_add(&past.laid[seat], card)


cdef inline void note_past(CPast* past, const CState* before, const CState* after, uint32_t a) noexcept nogil:
    """Note what the seat to act has done: its discard, and cards it played that were not known to be in its hand."""
    cdef int seat = before.p.turn, code, n
    cdef const CHand* h = &before.h.hand[seat]
    cdef CChoice* c
    cdef uint64_t left = h.p1
    if verb_of(a) == V_BUY:                     # the card drawn for it may be another copy
        if not hand_has(&before.p.known[seat], act_first(a)):
            note_gone(past, seat, act_first(a))
        return
    while left:
        code = ctz64(left)
        left &= left - 1
        n = hand_count(h, code) - hand_count(&before.p.known[seat], code)
        n -= hand_count(&after.h.hand[seat], code) - hand_count(&after.p.known[seat], code)
        while n > 0:
            note_gone(past, seat, code)
            n -= 1
    n = h.jokers - before.p.known[seat].jokers - after.h.hand[seat].jokers + after.p.known[seat].jokers
    while n > 0:
        note_gone(past, seat, JOKER)
        n -= 1
    if verb_of(a) == V_DISCARD:
        c = &past.choices[seat][past.n_choices[seat] % MAX_CHOICES]
        past.n_choices[seat] += 1
        c.p = before.p
        c.card = <uint8_t>act_first(a)
        c.laid = past.laid[seat]
        if not hand_has(&before.p.known[seat], c.card):
            hand_remove(&c.laid, c.card)
        hand_clear(&past.laid[seat])


cdef inline const CChoice* choice_before(const CPast* past, int seat, int k) noexcept nogil:
    """The discard of a seat that was its last but k; NULL if it is not noted."""
    if k >= MAX_CHOICES or k >= past.n_choices[seat]:
        return NULL
    return &past.choices[seat][(past.n_choices[seat] - 1 - k) % MAX_CHOICES]


cdef inline bint some_of(const CHand* pool, int k, Stream* stream, CHand* some) noexcept nogil:
    """Any k of these cards, all equally likely; False if they are fewer."""
    cdef uint8_t cards[MAX_PACK]
    cdef uint64_t left = pool.p1
    cdef int n = 0, i, code
    while left:
        code = ctz64(left)
        left &= left - 1
        for i in range(hand_count(pool, code)):
            cards[n + i] = <uint8_t>code
        n += hand_count(pool, code)
    memset(cards + n, JOKER, pool.jokers)
    n += pool.jokers
    hand_clear(some)
    if k > n:
        return False
    for i in range(k):
        code = i + <int>bounded(stream, <uint32_t>(n - i))
        hand_add(some, cards[code])
        cards[code] = cards[i]
    return True


# ---- what agrees with the past ---------------------------------------------------------------------------------------

cdef inline bint same_call(uint32_t a, uint32_t b) noexcept nogil:
    """Whether two calls say the same of the hand: at levels 1 to 3 the strain of a bid says nothing (R14.2)."""
    if a == b:
        return True
    return (verb_of(a) == V_BID and verb_of(b) == V_BID and act_first(a) < 18
            and bid_level(act_first(a)) == bid_level(act_first(b)))


cdef inline int calls_apart(const CRules* r, CState* s, const CPolicy* policies, const uint32_t* calls, int n,
                            int seats, const uint64_t* key, uint64_t deal, uint64_t world,
                            CMind* minds) noexcept nogil:
    """Make the calls but the last; of those by some seats (bit by seat), the number that their policies would not have
    made."""
    cdef int i, turn, apart = 0
    for i in range(MAX_SEATS):
        minds[i].address = -1
    for i in range(n):
        turn = s.p.turn
        if seats >> turn & 1:
            open_mind(&minds[turn], &s.p, key, deal, world)
            apart += not same_call(calls[i], decide(r, &policies[turn], &s.p, &s.h.hand[turn], &minds[turn]))
        if i + 1 < n:
            apply(r, s, calls[i])
    return apart


cdef struct CFit:             # what worlds shall agree with
    const CPast* past
    CPolicy policies[MAX_SEATS]            # by which the seats are taken to play
    uint64_t floor            # weight of a call or discard that its policy would not have made, in 2^-32
    int32_t n_calls           # that tell of the hands
    uint32_t calls[MAX_CALLS]
    CPublic begun             # the table before the first of them


cdef inline void begin_fit(const CRules* r, const CPublic* p, const CPast* past, uint64_t floor,
                           CFit* f) noexcept nogil:
    """Find what worlds shall agree with; the policies are filled in by the caller.

    Forced calls tell nothing, and calls tell nothing where it is not known what was played since the deal."""
    cdef int n = 0, bid, seat = (p.dealer + 1) % r.seats
    f.past = past
    f.floor = floor
    f.n_calls = 0
    if p.forced or not past.from_deal:
        return
    for bid in range(MAX_BIDS):
        if p.bidder[bid] == NONE:
            continue
        while seat != p.bidder[bid]:
            f.calls[n] = V_PASS
            n += 1
            seat = (seat + 1) % r.seats
        f.calls[n] = act_card(V_BID, bid)
        n += 1
        seat = (seat + 1) % r.seats
    while n < p.calls:
        f.calls[n] = V_PASS
        n += 1
    if p.doubled:
        f.calls[n - 1] = V_DOUBLE
    f.n_calls = n
    f.begun = p[0]
    memset(f.begun.bidder, NONE, MAX_BIDS)
    f.begun.last_bid = NONE
    f.begun.contract = NONE
    f.begun.declarer = NONE
    f.begun.calls = 0
    f.begun.passes = 0
    f.begun.doubled = 0
    f.begun.phase = PHASE_AUCTION
    f.begun.turn = <uint8_t>((p.dealer + 1) % r.seats)
    memset(f.begun.hand_n, r.hand_size, MAX_SEATS)


cdef inline int discards_apart(const CRules* r, const CFit* f, const CHand* hand, int seat, int most, Stream* stream,
                               const uint64_t* key, uint64_t deal, uint64_t world, CMind* m) noexcept nogil:
    """Of the last discards of a seat, the number that its policy would not have made, counted until it is above `most`.

    What it holds after a discard it holds until it is to play again. Before, of the cards that it held then and has
    played since, without those known to be from the pile, any as many as it had are equally likely to be those it had.
    """
    cdef const CChoice* c = choice_before(f.past, seat, 0)
    cdef CHand h = hand[0], pool, known
    cdef int k = 0, apart = 0
    while c != NULL:
        hand_add(&h, c.card)
        m.address = -1
        open_mind(m, &c.p, key, deal, world)
        apart += decide(r, &f.policies[seat], &c.p, &h, m) != act_card(V_DISCARD, c.card)
        if apart > most:
            return apart
        pool = h
        hand_part(&pool, &c.p.known[seat])
        hand_merge(&pool, &c.laid)
        k += 1
        c = choice_before(f.past, seat, k)
        if c != NULL:
            known = c.p.known[seat]
            hand_drop(&known, c.card)
            if not some_of(&pool, c.p.hand_n[seat] - 1 - known.n, stream, &h):
                return apart
            hand_merge(&h, &known)
    return apart


cdef inline int seat_apart(const CRules* r, const CFit* f, const CPublic* p, const CHand* hand, int seat, int most,
                           Stream* stream, const uint64_t* key, uint64_t deal, uint64_t world,
                           CMind* minds) noexcept nogil:
    """What a seat has done that its policy would not have done with a hand, calls and last discards, counted until it
    is above `most`.

    The hand it was dealt: of the cards that it holds and has played, without those known to be from the pile, any as
    many as were dealt are equally likely. A seat that has asked is in mid-turn, and its discards are not looked at.
    """
    cdef CState s
    cdef CHand pool
    cdef int apart = 0
    if seat != p.player:
        apart = discards_apart(r, f, hand, seat, most, stream, key, deal, world, &minds[seat])
    if apart <= most and (seat + r.seats - 1 - p.dealer) % r.seats < f.n_calls:                  # it has called
        pool = hand[0]
        hand_part(&pool, &p.known[seat])
        hand_merge(&pool, &f.past.gone[seat])
        s.p = f.begun
        if some_of(&pool, r.hand_size, stream, &s.h.hand[seat]):
            apart += calls_apart(r, &s, f.policies, f.calls, f.n_calls, 1 << seat, key, deal, world, minds)
    return apart


# ---- worlds ----------------------------------------------------------------------------------------------------------

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


cdef struct CUnseen:          # what a view leaves open
    int32_t seat
    int32_t n
    int32_t n_free            # the first so many may lie in hands; cards laid as soon as they are drawn (F18) may not
    uint8_t pack[MAX_PACK]    # cards whose place the seat does not know


cdef inline void see_unseen(const CRules* r, const CPublic* p, const CHand* own, int seat, CUnseen* u) noexcept nogil:
    """Find the cards whose place the seat does not know."""
    cdef CHand seen = own[0]
    cdef int i
    hand_merge(&seen, &p.in_melds)
    hand_merge(&seen, &p.in_pile)
    for i in range(r.sides):
        hand_merge(&seen, &p.bought[i])
        hand_merge(&seen, &p.bonus[i])
    for i in range(r.seats):
        if i != seat:
            hand_merge(&seen, &p.known[i])
    u.seat = seat
    u.n = new_pack(r, &seen, u.pack)
    u.n_free = 0
    for i in range(u.n):
        if not r.bonus_cards & card_bit(u.pack[i]):
            swap_bytes(u.pack, i, u.n_free)
            u.n_free += 1


cdef inline int sample_world(const CRules* r, const CPublic* p, const CHand* own, const CUnseen* u, const CFit* f,
                             Stream* stream, const uint64_t* key, uint64_t deal, uint64_t world, CMind* minds,
                             CState* s) noexcept nogil:
    """A table that agrees with the view; every division of the unseen cards is equally likely.

    With a fit, the hand of each of the other seats is dealt again, from what the seats before it have left, until it
    agrees with all that the seat has done, or its weight keeps it; after some times the nearest is taken. Returns
    how many calls and discards do not agree.
    """
    cdef uint8_t pack[MAX_PACK]
    cdef uint8_t nearest[MAX_PACK]
    cdef CHand hand
    cdef int i, j, k, _, at = 0, need, kept, most, apart, least, total = 0
    cdef uint64_t chance, drawn
    memcpy(pack, u.pack, MAX_PACK)
    s.p = p[0]
    for j in range(1, r.seats):
        i = (u.seat + j) % r.seats
        need = p.hand_n[i] - p.known[i].n
        if need > u.n_free - at:
            need = u.n_free - at
        least = MAX_CHOICES + MAX_CALLS
        for _ in range(1 if f == NULL else TRIES_TO_FIT):
            s.h.hand[i] = p.known[i]
            for k in range(at, at + need):
                swap_bytes(pack, k, k + <int>bounded(stream, <uint32_t>(u.n_free - k)))
                hand_add(&s.h.hand[i], pack[k])
            if f == NULL:
                break
            drawn = next32(stream)                      # it is kept if so few do not agree
            chance = f.floor
            kept = 0
            while drawn < chance and kept < MAX_CHOICES + MAX_CALLS:
                chance = chance * f.floor >> 32
                kept += 1
            most = least - 1 if least > kept else kept  # others are of no use
            apart = seat_apart(r, f, p, &s.h.hand[i], i, most, stream, key, deal, world, minds)
            if apart <= most:
                least = apart
                hand = s.h.hand[i]
                memcpy(nearest, pack, MAX_PACK)
            if apart <= kept:
                break
        if f != NULL:
            total += least
            s.h.hand[i] = hand
            memcpy(pack, nearest, MAX_PACK)
        at += need
    s.h.hand[u.seat] = own[0]
    memcpy(s.h.stock, pack + at, p.stock_n)
    shuffle(stream, s.h.stock, p.stock_n)
    return total


# ---- playing out -----------------------------------------------------------------------------------------------------

cdef inline void apply_checked(const CRules* r, CState* s, uint32_t a) noexcept nogil:
    """apply(); the checked build first looks the step up among the legal ones, and stops at one that is not there."""
    if SITOUMUS_CHECKED and not is_legal(r, s, a):
        fprintf(stderr, "illegal step %x of seat %d in turn %d\n", a, <int>s.p.turn, <int>s.p.turns)
        abort()
    apply(r, s, a)


cdef inline void play_base(const CRules* r, CState* s, const CPolicy* policies, const uint64_t* key, uint64_t deal,
                           uint64_t world, CMind* minds) noexcept nogil:
    """Play a deal from where it stands to its end by policies that do not play out themselves."""
    cdef int seat
    for seat in range(MAX_SEATS):
        minds[seat].address = -1
    while s.p.phase != PHASE_OVER:
        seat = s.p.turn
        open_mind(&minds[seat], &s.p, key, deal, world)
        apply_checked(r, s, decide(r, &policies[seat], &s.p, &s.h.hand[seat], &minds[seat]))


cdef inline int32_t side_points(const CRules* r, const CState* s, int side) noexcept nogil:
    """Own score less the best of the others."""
    cdef CScore c
    cdef int i
    cdef int32_t best = 0
    cdef bint any = False
    score_deal(r, &s.p, s.h.hand, &c)
    for i in range(r.sides):
        if i != side and (not any or c.score[i] > best):
            best = c.score[i]
            any = True
    return c.score[side] - best


# ---- the rollout policy ----------------------------------------------------------------------------------------------

cdef inline void bare_policy(const CPolicy* policy, CPolicy* base) noexcept nogil:
    """The policy by which a rollout policy plays out."""
    base[0] = policy[0]
    base.kind = policy.base


cdef inline int note_tried(CTried* tried, int n, const uint32_t* steps, int n_steps) noexcept nogil:
    """Note a candidate, unless it is there or there are too many; their number."""
    cdef int i, k
    if n >= MAX_TRIED or n_steps == 0:
        return n
    for i in range(n):
        if tried[i].n == n_steps:
            k = 0
            while k < n_steps and tried[i].steps[k] == steps[k]:
                k += 1
            if k == n_steps:
                return n
    tried[n].n = n_steps
    memcpy(tried[n].steps, steps, n_steps * sizeof(uint32_t))
    return n + 1


cdef inline int list_tried(const CRules* r, const CPolicy* base, const CPublic* p, const CHand* own, CMind* m,
                           CTried* tried) noexcept nogil:
    """The candidates of a decision; what the base policy would do comes first."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef uint32_t plan[MAX_STEPS]
    cdef CMind mind
    cdef CPublic q
    cdef CHand h
    cdef int n = 0, i, k, laid, level
    cdef uint32_t last
    mind = m[0]
    mind.n_plan = 0
    mind.at = 0
    plan[0] = decide(r, base, p, own, &mind)
    k = 1
    while mind.at < mind.n_plan and k < MAX_STEPS:
        plan[k] = mind.plan[mind.at]
        mind.at += 1
        k += 1
    n = note_tried(tried, n, plan, k)
    if p.phase == PHASE_AUCTION:
        steps[0] = V_PASS
        n = note_tried(tried, n, steps, 1)
        if may_double(r, p):
            steps[0] = V_DOUBLE
            n = note_tried(tried, n, steps, 1)
        i = 0 if p.last_bid == NONE else p.last_bid + 1
        level = bid_level(i)
        for k in range(3):                      # the lowest bid of this level and of the next two
            if i < 6 * r.max_level and level + k <= 6:
                steps[0] = act_card(V_BID, i)
                n = note_tried(tried, n, steps, 1)
            i = 6 * (level + k)
        return n
    if p.phase == PHASE_DRAW:
        k = generate(r, p, own, steps)
        for i in range(k):
            if verb_of(steps[i]) == V_DRAW or verb_of(steps[i]) == V_TAKE:
                n = note_tried(tried, n, &steps[i], 1)
        return n
    if p.phase != PHASE_MELD:
        return n
    laid = k - 1
    last = plan[laid]
    if verb_of(last) != V_DISCARD:
        return n
    q = p[0]
    h = own[0]
    for i in range(laid):                       # the base's melds with every other discard
        if verb_of(plan[i]) != V_MELD and verb_of(plan[i]) != V_ADD and verb_of(plan[i]) != V_MERGE:
            return n
        lay_step(r, &q, &h, plan[i])
    if p.opened[r.side_of[p.player]] and h.n > 1:
        k = list_discards(r, &q, &h, steps)
        for i in range(k):
            plan[laid] = steps[i]
            n = note_tried(tried, n, plan, laid + 1)
        if laid:                                # nothing laid
            k = generate(r, p, own, steps)
            for i in range(k):
                if steps[i] == last:
                    n = note_tried(tried, n, &last, 1)
    elif laid == 0:
        k = list_discards(r, &q, &h, steps)
        for i in range(k):
            n = note_tried(tried, n, &steps[i], 1)
    mind.n_plan = 0                             # everything laid
    mind.at = 0
    greedy_plan(r, p, own, &mind)
    if mind.n_plan:
        n = note_tried(tried, n, mind.plan, mind.n_plan)
    k = generate(r, p, own, steps)
    for i in range(k):
        if verb_of(steps[i]) == V_BUY:
            n = note_tried(tried, n, &steps[i], 1)
    return n


cdef inline bint beats_base(int64_t total, int64_t squares, int64_t n, int64_t caution) noexcept nogil:
    """The mean gain is above `caution` hundredths of its standard error: total^2 * 10^4 > caution^2 * squares, total > 0."""  # no-cython-lint
    cdef int64_t mean
    if total <= 0:
        return False
    mean = total // 16                          # keeps the products within 64 bits
    return mean * mean // 100 > caution * caution * (squares // 256) // 1000000


cdef inline double now() noexcept nogil:
    """Nanoseconds on the clock of the wall."""
    cdef timespec t
    timespec_get(&t, TIME_UTC)
    return 1e9 * <double>t.tv_sec + <double>t.tv_nsec


cdef inline int best_tried(const CRules* r, const CPolicy* policy, const CPublic* p, const CHand* own, CMind* m,
                           const CTried* tried, int n) noexcept nogil:
    """The best candidate on common worlds: after 1/8, 1/4 and 1/2 of the worlds the worse half is dropped, the base's
    choice never; it is left only for one whose gain stands out of the noise."""
    cdef CMind minds[MAX_SEATS]
    cdef CUnseen u
    cdef CFit f
    cdef CState world, s
    cdef Stream stream
    cdef uint64_t key[2]
    cdef uint64_t deal = m.stream.counter[2]
    cdef int64_t total[MAX_TRIED]
    cdef int64_t squares[MAX_TRIED]
    cdef int order[MAX_TRIED]
    cdef int seat = p.turn, side = r.side_of[seat], live = n, i, k, w = 0, cut, base, x
    cdef int64_t gain
    cdef double began = now() if policy.milliseconds else 0
    key[0] = m.stream.key0
    key[1] = m.stream.key1
    if policy.floor >= 0:
        begin_fit(r, p, m.past, (<uint64_t>policy.floor << 32) // 1000000, &f)
    for i in range(MAX_SEATS):
        bare_policy(policy, &f.policies[i])
        f.policies[i].passes = 0
    memset(total, 0, sizeof(total))
    memset(squares, 0, sizeof(squares))
    for i in range(n):
        order[i] = i
    see_unseen(r, p, own, seat, &u)
    for cut in range(3, -1, -1):
        while w < policy.worlds >> cut:
            if policy.milliseconds and w >= LEAST_WORLDS and now() - began >= 1e6 * (policy.milliseconds >> cut):
                break
            # the address of the decision: its turn and seat; the step of the turn shows in the cards held
            stream_open(&stream, key, (<uint64_t>m.address << 32) + (<uint64_t>own.n << 24), PURPOSE_WORLD, deal,
                        <uint64_t>w + 1)
            sample_world(r, p, own, &u, &f if policy.floor >= 0 else NULL, &stream, key, deal, <uint64_t>w + 1, minds,
                         &world)
            base = 0
            for i in range(live):
                s = world
                x = order[i]
                for k in range(tried[x].n):
                    apply(r, &s, tried[x].steps[k])
                play_base(r, &s, f.policies, key, deal, <uint64_t>w + 1, minds)
                if x == 0:
                    base = side_points(r, &s, side)
                else:
                    gain = side_points(r, &s, side) - base
                    total[x] += gain
                    squares[x] += gain * gain
            w += 1
        if cut and live > 2:
            for i in range(2, live):            # best gains first; the base stays in front
                x = order[i]
                k = i
                while k > 1 and total[order[k - 1]] < total[x]:
                    order[k] = order[k - 1]
                    k -= 1
                order[k] = x
            live = 1 + live // 2
    x = 0
    for i in range(1, live):
        if total[order[i]] > total[x] and beats_base(total[order[i]], squares[order[i]], w, policy.caution):
            x = order[i]
    return x


cdef inline uint32_t rollout_step(const CRules* r, const CPolicy* policy, const CPublic* p, const CHand* own,
                                  CMind* m) noexcept nogil:
    """The next step of a rollout policy: a plan is chosen by playing out, then followed."""
    cdef CTried tried[MAX_TRIED]
    cdef CPolicy base
    cdef int n, x = 0
    if m.at < m.n_plan:
        m.at += 1
        return m.plan[m.at - 1]
    if p.phase == PHASE_AUCTION and policy.passes:
        return V_PASS
    bare_policy(policy, &base)
    n = list_tried(r, &base, p, own, m, tried)
    if n > 1:
        x = best_tried(r, policy, p, own, m, tried, n)
    memcpy(m.plan, tried[x].steps, tried[x].n * sizeof(uint32_t))
    m.n_plan = tried[x].n
    m.at = 1
    return m.plan[0]


# ---- all policies ----------------------------------------------------------------------------------------------------

cdef inline uint32_t decide_any(const CRules* r, const CPolicy* policy, const CPublic* p, const CHand* own,
                                CMind* m) noexcept nogil:
    """The next single step of the seat to act, rollout policies included; open_mind was called before."""
    if policy.kind == POLICY_ROLLOUT:
        return rollout_step(r, policy, p, own, m)
    return decide(r, policy, p, own, m)


cdef inline void call_out(const CRules* r, CState* s, const CPolicy* policies, const uint64_t* key, uint64_t deal,
                          CMind* minds) noexcept nogil:
    """Call an auction to its end by policies that do not play out themselves."""
    cdef int seat
    for seat in range(MAX_SEATS):
        minds[seat].address = -1
    while s.p.phase == PHASE_AUCTION:
        seat = s.p.turn
        open_mind(&minds[seat], &s.p, key, deal, 0)
        apply_checked(r, s, decide(r, &policies[seat], &s.p, &s.h.hand[seat], &minds[seat]))


cdef inline uint64_t auction_course(const CPublic* p) noexcept nogil:
    """A number for the course of an auction that is over; the strains of bids at levels 1 to 3 do not change it."""
    cdef uint64_t course = <uint64_t>p.calls * 2 + p.doubled
    cdef int bid
    for bid in range(MAX_BIDS):
        if p.bidder[bid] != NONE:
            course ^= 1 + <uint64_t>(100 * (bid_level(bid) if bid < 18 else bid) + p.bidder[bid])
            course *= 0x9E3779B97F4A7C15ULL
            course ^= course >> 29
    return course


cdef inline void play_out(const CRules* r, CState* s, const CPolicy* policies, const uint64_t* key, uint64_t deal,
                          uint64_t world, CMind* minds) noexcept nogil:
    """Play a deal from where it stands to its end. policies and minds are by seat."""
    cdef int seat
    cdef bint follow = False
    cdef CPast past
    cdef CState before
    cdef uint32_t a
    for seat in range(MAX_SEATS):
        minds[seat].address = -1
        minds[seat].past = &past
    for seat in range(r.seats):
        follow |= policies[seat].kind == POLICY_ROLLOUT
    if follow:
        begin_past(&past, s.p.phase == PHASE_AUCTION)
    while s.p.phase != PHASE_OVER:
        seat = s.p.turn
        open_mind(&minds[seat], &s.p, key, deal, world)
        a = decide_any(r, &policies[seat], &s.p, &s.h.hand[seat], &minds[seat])
        if follow:
            before = s[0]
        apply_checked(r, s, a)
        if follow:
            note_past(&past, &before, s, a)
