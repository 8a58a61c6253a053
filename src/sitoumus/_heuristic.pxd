# The heuristic policy: named integer parameters, one plan a turn.
#
# Values are points of the final score, as far as a parameter can say so. policies.py names the parameters, their
# meaning, unit and default, in the order of the enum below.
#
# Where rules have no contract: sets open at once, sets of five take wild cards unless those have melds of their own,
# all is laid once an opponent could go out, and a discard that fits a set of the opponents counts as taken.
#
# In reading order: parameters; what a seat sees; bids; stock or pile; laying; discards; the turn.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t, int32_t, int64_t
from libc.string cimport memset, memcpy
from sitoumus._cards cimport *
from sitoumus._rules cimport *
from sitoumus._melds cimport *
from sitoumus._opening cimport *
from sitoumus._state cimport *
from sitoumus._auction cimport *
from sitoumus._moves cimport *
from sitoumus._plans cimport *

cdef extern from *:
    """
    /* 1024 * P(at least none, one, two, three) of a Poisson number of mean i / 8, i = 0 .. 39 */
    static const short sit_at_least[160] = {
        1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024,
        1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024,
        1024, 1024, 1024, 1024,
        0, 120, 227, 320, 403, 476, 540, 597, 647, 692, 731, 765, 796, 822, 846, 867, 885, 902, 916, 929, 940, 950, 959,
        966, 973, 979, 984, 989, 993, 997, 1000, 1003, 1005, 1007, 1009, 1011, 1013, 1014, 1015, 1016,
        0, 7, 27, 56, 92, 133, 178, 224, 271, 317, 364, 409, 453, 495, 535, 573, 608, 642, 673, 702, 730, 755, 778, 799,
        819, 838, 854, 870, 884, 896, 908, 919, 928, 937, 945, 952, 958, 964, 969, 974,
        0, 0, 2, 7, 15, 26, 41, 60, 82, 108, 135, 166, 196, 228, 261, 296, 331, 366, 400, 434, 467, 499, 531, 561,
        591, 618, 645, 671, 695, 718, 740, 761, 780, 798, 815, 832, 847, 861, 874, 886};
    """
    const int16_t AT_LEAST "sit_at_least"[160]
    bint unlikely(bint) noexcept nogil        # Cython's own macro

cdef enum:
    # cards in hand
    P_KEEP_RUN3 = 0
    P_KEEP_RUN4
    P_KEEP_RUN5
    P_KEEP_OWN4
    P_KEEP_OWN5
    P_KEEP_TRIPLE
    P_KEEP_FOR_PILE
    P_KEEP_SET
    P_KEEP_JOKER
    P_KEEP_DEUCE
    P_SHED_RED_THREE
    P_SHED_BLACK_THREE
    # discards
    P_FEED_RUN
    P_PILE_CARD
    P_UNOPENED_RISK
    P_FREEZE_CARD
    # the pile
    P_TAKE_LEAST
    P_TAKE_CARD
    P_TAKE_WILD
    P_TAKE_RED_THREE
    P_TAKE_TIME
    # laying
    P_OPEN_TURN
    P_LATE_STOCK
    P_HOLD_RUN
    P_SET_LEAST
    P_DEUCES_LEAST
    P_STOP_STOCK
    P_STOP_SET
    # going out
    P_OUT_CARD
    # bids
    P_BID_RUN5
    P_BID_RUN6
    P_BID_THREE
    P_BID_WILD
    P_BID_FIRST
    P_BID_GAP
    P_BID_FOURTH
    P_BID_STEP
    P_BID_PARTNER
    P_BID_COMPETE
    P_BID_DOUBLE
    N_PARAMS


cdef inline bint no_contract(const CRules* r) noexcept nogil:
    """The rules have no contract. The other case is the one that must be fast."""
    return unlikely(r.contract == 0)


# ---- what a seat sees ------------------------------------------------------------------------------------------------

cdef struct CSight:
    uint64_t run3, run4, run5  # own cards in a window of seven of which so many are in hand
    uint64_t own4, own5        # ... in a window around an own run, its cards counted
    uint64_t fits_us          # cards that continue an own run
    uint64_t fits_them        # cards that continue a run of the opponents
    uint64_t our_sets         # lowest bits of nibbles: rank of an own incomplete set
    int wild_set              # own incomplete deuce set or wild meld, -1 if none
    # own incomplete runs: their cards (of one a suit, and the others), the windows that hold one whole
    uint64_t runs, around
    int n_more
    const CMeld* more[MAX_MELDS]
    bint judged               # judge() has seen the hand as it is


cdef inline uint64_t spread7(uint64_t starts) noexcept nogil:
    """The cards of windows of seven from their lowest ranks."""
    starts |= starts << 1
    starts = carry_back(starts | starts << 2)
    return carry_back(starts | starts << 3)


cdef inline uint64_t windows_with(uint64_t p) noexcept nogil:
    """Lowest ranks of the windows of seven that hold a card of p."""
    p = carry_on(p)
    p |= p >> 1
    p = carry_on((p | p >> 2) & LANES)
    return (p | p >> 3) & LANES


cdef struct CCounts:  # windows of seven by their lowest ranks: at least so many cards
    uint64_t three, four, five, six


cdef inline void count_windows(uint64_t p, CCounts* c) noexcept nogil:
    """Count cards p in all windows of seven at once, bit by bit."""
    cdef uint64_t a = carry_on(p), a1 = a >> 1, a2 = a >> 2, a3 = a >> 3
    cdef uint64_t b = carry_on(a3 & LANES), a4 = b >> 1, a5 = b >> 2, a6 = b >> 3
    cdef uint64_t x, one, c1, c2, c3, two, four
    x = p ^ a1
    c1 = (p & a1) | (x & a2)
    x ^= a2
    one = a3 ^ a4
    c2 = (a3 & a4) | (one & a5)
    one ^= a5
    c3 = (x & one) | ((x ^ one) & a6)
    one ^= x ^ a6
    two = (c1 ^ c2 ^ c3) & LANES
    four = ((c1 & c2) | (c1 & c3) | (c2 & c3)) & LANES
    c.three = four | (two & one)
    c.four = four
    c.five = four & (one | two)
    c.six = four & two


cdef inline void see_windows(uint64_t p, uint64_t windows, CSight* s) noexcept nogil:
    """Mark the cards of a hand in good windows."""
    cdef CCounts c
    count_windows(p, &c)
    c.four &= windows
    s.run3 = p & spread7(c.three & windows)
    s.run4 = p & spread7(c.four) if c.four else 0
    s.run5 = p & spread7(c.five & windows) if c.five & windows else 0


cdef inline uint64_t run_mask(int start, int size) noexcept nogil:
    """Ranks of a run, 13 bits."""
    cdef uint64_t m = ((<uint64_t>1 << size) - 1) << start
    return (m | (m >> 13)) & 0x1FFF


cdef inline void see_own_runs(uint64_t p, uint64_t runs, uint64_t around, CSight* s) noexcept nogil:
    """Mark the cards of a hand in the windows (lowest ranks: around) that hold an own run whole; at most one a suit."""
    cdef CCounts c
    count_windows(p | runs, &c)
    p &= ~runs
    s.own4 |= p & spread7(c.four & around)
    if c.five & around:
        s.own5 |= p & spread7(c.five & around)


cdef inline uint64_t windows_around(const CMeld* m) noexcept nogil:
    """Lowest ranks of the windows of seven that hold a run whole."""
    cdef int low = m.start + m.size + 6
    return run_mask(low - 13 if low >= 13 else low, 8 - m.size) << (16 * m.key)


cdef inline void look_at_own(const CRules* r, const CPublic* p, CSight* s) noexcept nogil:
    """See the melds of the own side, and forget what the hand was good for."""
    cdef int i, own = r.side_of[p.player]
    cdef const CMeld* m
    cdef uint64_t left = p.running[own], lane
    s.fits_us = 0
    s.our_sets = 0
    s.wild_set = -1
    s.runs = 0
    s.around = 0
    s.n_more = 0
    s.judged = False
    while left:
        m = &p.melds[own][ctz64(left)]
        left &= left - 1
        s.fits_us |= run_ends(r, m)
        lane = <uint64_t>0x1FFF << (16 * m.key)
        if s.runs & lane:
            s.more[s.n_more] = m
            s.n_more += 1
        else:
            s.runs |= run_mask(m.start, m.size) << (16 * m.key)
            s.around |= windows_around(m)
    left = p.growing[own] & ~p.running[own]
    while left:
        i = ctz64(left)
        left &= left - 1
        m = &p.melds[own][i]
        if m.kind == r.deuce_kind or m.kind == r.wild_kind:
            s.wild_set = i
        elif r.kind[m.kind].when == ALWAYS:
            s.our_sets |= <uint64_t>1 << (4 * m.key)


cdef inline void look(const CRules* r, const CPublic* p, CSight* s) noexcept nogil:
    """See the melds as the player to act."""
    cdef int side, own = r.side_of[p.player]
    cdef uint64_t left
    look_at_own(r, p, s)
    s.fits_them = 0
    for side in range(r.sides):
        left = 0 if side == own else p.running[side]
        while left:
            s.fits_them |= run_ends(r, &p.melds[side][ctz64(left)])
            left &= left - 1


cdef inline void judge(const CRules* r, const CPublic* p, const CHand* h, CSight* s) noexcept nogil:
    """See what the cards of the hand are good for; look() was called before."""
    cdef uint64_t windows, gone, run
    cdef CHand shown
    cdef int i
    if s.judged:
        return
    s.judged = True
    s.own4 = 0
    s.own5 = 0
    if r.run_kind == NONE:
        s.run3 = 0
        s.run4 = 0
        s.run5 = 0
        return
    windows = r.run7
    shown = p.in_melds
    hand_merge(&shown, &p.in_pile)
    gone = (shown.p3 if r.copies == 3 else shown.p2 if r.copies == 2 else 0) & ~h.p1
    if s.runs:
        see_own_runs(h.p1, s.runs, s.around & windows & ~windows_with(gone & ~s.runs), s)
        for i in range(s.n_more):
            run = run_mask(s.more[i].start, s.more[i].size) << (16 * s.more[i].key)
            see_own_runs(h.p1 & (<uint64_t>0x1FFF << (16 * s.more[i].key)), run,
                         windows_around(s.more[i]) & windows & ~windows_with(gone & ~run), s)
    see_windows(h.p1, windows & ~windows_with(gone), s)


cdef inline int unseen(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """Cards in the stock and in other hands."""
    cdef int i, n = p.stock_n - h.n
    for i in range(r.seats):
        n += p.hand_n[i]
    return n


# ---- bids ------------------------------------------------------------------------------------------------------------

cdef inline int hand_worth(const CRules* r, const int32_t* w, const CHand* h) noexcept nogil:
    """What the hand adds to the bonus points that a side can hope for."""
    cdef CCounts c
    cdef int suit, worth = w[P_BID_WILD] * (h.jokers + rank_count(h, DEUCE))
    if r.run_kind == NONE:
        return worth
    count_windows(h.p1, &c)
    for suit in range(0, 64, 16):
        if (c.six >> suit) & 0x1FFF:
            worth += w[P_BID_RUN6]
        elif (c.five >> suit) & 0x1FFF:
            worth += w[P_BID_RUN5]
    if starts_of_three(r, h.p1):
        worth += w[P_BID_THREE]
    return worth


cdef inline int level_for(const int32_t* w, int worth) noexcept nogil:
    """The level that a hand of that worth bids."""
    if worth < w[P_BID_FIRST]:
        return 0
    if worth < w[P_BID_FOURTH]:
        worth = 1 + (worth - w[P_BID_FIRST]) // (w[P_BID_GAP] if w[P_BID_GAP] > 0 else 1)
        return worth if worth < 3 else 3
    return 4 + (worth - w[P_BID_FOURTH]) // (w[P_BID_STEP] if w[P_BID_STEP] > 0 else 1)


cdef inline bint opens_as_declarer(const CRules* r, const CPublic* p, const CHand* h, int bid) noexcept nogil:
    """The player to call could open on this bid."""
    cdef CNeed need
    cdef uint8_t needs
    memset(&need, 0, sizeof(CNeed))
    need.minimum = minimum_for(r, p.totals[r.side_of[p.turn]], &needs)
    need.needs = needs
    need.complete_opens = r.bonus_counts
    need.deuce_min = r.deuces_declarer
    need.keep = 1
    if bid_level(bid) >= 4:
        if bid_strain(bid) < STRAIN_CAN:
            need.bid_suits = 1 << bid_strain(bid)
        elif bid_strain(bid) == STRAIN_CAN:
            need.bid_four = 1
        else:
            need.bid_deuces = 1
    return can_open(r, h, NULL, 0, &need)


cdef inline int own_strain(const CRules* r, const CHand* h) noexcept nogil:
    """The strain that the hand speaks for: four deuces, else the suit of its best run, else four of a rank."""
    cdef CCounts c
    cdef uint64_t good, four = (h.rc >> 2) | (h.rc >> 3)
    if rank_count(h, DEUCE) >= 4:
        return STRAIN_DEU
    count_windows(h.p1, &c)
    good = starts_of_three(r, h.p1)
    good = good & c.five if good & c.five else good
    if good:
        return ctz64(good) >> 4
    if four & 0x1111111111011ULL:
        return STRAIN_CAN
    good = c.five if c.five else c.four if c.four else 1
    return ctz64(good) >> 4


cdef inline uint32_t heuristic_call(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h) noexcept nogil:
    """Bid what the side can hope to make and the hand can open; double what the opponents can hardly make."""
    cdef int worth = hand_worth(r, w, h), level, bid, strain, least = 0, side = r.side_of[p.turn]
    cdef bint theirs = False
    if p.last_bid != NONE:
        least = p.last_bid + 1
        theirs = r.side_of[p.bidder[p.last_bid]] != side
        if r.partner[p.turn] != NONE:
            for bid in range(least):
                if p.bidder[bid] == r.partner[p.turn]:
                    worth += w[P_BID_PARTNER]
                    break
    if theirs and worth + 1000 * bid_level(p.last_bid) >= w[P_BID_DOUBLE]:
        return V_DOUBLE
    level = level_for(w, worth)
    if theirs and 4 <= level < bid_level(least) <= level + w[P_BID_COMPETE]:
        level = bid_level(least)                    # higher than it hopes, no higher than it takes
    if level > r.max_level:
        level = r.max_level
    if least >= 6 * level or (p.last_bid != NONE and not theirs and level <= bid_level(p.last_bid)):
        return V_PASS
    strain = own_strain(r, h)
    bid = 6 * (level - 1) + strain
    if bid < least:
        bid = least
    while bid_level(bid) == level:
        if opens_as_declarer(r, p, h, bid):
            return act_card(V_BID, bid)
        if level < 4:
            return V_PASS
        bid += 1
    return V_PASS


# ---- stock or pile ---------------------------------------------------------------------------------------------------

cdef inline int pile_card_worth(const CRules* r, const int32_t* w, const CSight* s, uint64_t windows,
                                int card) noexcept nogil:
    """What a card of the pile is worth in hand."""
    if card == JOKER or card_rank(card) == DEUCE:
        return w[P_TAKE_WILD]
    if r.hand_points[card] >= 500:
        return -w[P_TAKE_RED_THREE]
    return w[P_TAKE_CARD] + (w[P_KEEP_RUN4] if windows & card_bit(card) else 0)


cdef inline bint reached(const CPublic* p, const CTally* t) noexcept nogil:
    """The melds of the declaring side reach the contract."""
    return t.bonus + (t.points if bid_level(p.contract) >= 5 else 0) >= 1000 * bid_level(p.contract)


cdef inline int wants_time(const CRules* r, const CPublic* p) noexcept nogil:
    """1 for the declaring side while its melds do not reach the contract; -1 if besides the opponents may go out by
    their melds, when void is better than failed (R9.11, R9.13)."""
    cdef int side
    if p.contract == NONE or r.side_of[p.declarer] != r.side_of[p.player]:
        return 0
    side = r.side_of[p.player]
    if reached(p, &p.tally[side]):
        return 0
    return -1 if may_go_out(r, p, p.player + 1 if p.player + 1 < r.seats else 0) else 1


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
        if act_wild(steps[i]) != NO_CARD:
            value -= w[P_TAKE_WILD]
        if value > best or choice == 0:
            best = value
            choice = steps[i]
    return choice if best >= w[P_TAKE_LEAST] or p.stock_n == 0 else 0


# ---- discards --------------------------------------------------------------------------------------------------------

cdef inline uint64_t ranks_that_fit(const CRules* r, const CPublic* p, int side) noexcept nogil:
    """Lowest bits of the nibbles of the ranks with which the side could take the pile onto its sets."""
    cdef int ways = r.ways_frozen if p.freezers else r.ways_open
    cdef uint64_t sets = 0          # there are none before it has opened
    if ways & WAY_FIT_SET:
        sets |= p.young[side]
    if ways & WAY_FIT_FULL:
        sets |= p.old[side]
    return at_least_one(sets)


cdef inline int choose_discard(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h, const CSight* s,
                               bint late) noexcept nogil:
    """The card whose loss and danger are least; of equals the lowest code, jokers last. Written without branches
    on cards: guesses that fail cost more than all the sums."""
    cdef uint64_t left, seen = p.in_melds.rc + p.in_pile.rc + h.rc, known, plain
    cdef int64_t best = <int64_t>1 << 62, key
    cdef int32_t mates[16]        # worth of a card by the number of its rank in hand
    cdef int32_t by_rank[13]      # worth and danger of a card by its rank alone
    cdef int32_t by_run[12]       # worth to runs: by hand windows, plus four times by windows around own runs
    cdef int card, value, n, next_ = p.player + 1 if p.player + 1 < r.seats else 0, rank, mean, lack
    cdef int need = 3 if p.freezers else 2, pile = w[P_PILE_CARD] * (p.pile_n + 1), copies = 4 * r.copies, feed
    cdef int freeze = w[P_FREEZE_CARD] * p.pile_n if p.freezers == 0 and p.opened[r.side_of[next_]] else 0
    cdef int scale = pile if p.opened[r.side_of[next_]] else pile * w[P_UNOPENED_RISK] // 100
    cdef int keep_set = w[P_KEEP_SET]
    cdef int red = w[P_SHED_BLACK_THREE] - w[P_SHED_RED_THREE] - freeze
    cdef uint32_t share, safe = <uint32_t>(r.run_only_top | r.dead_top)
    n = unseen(r, p, h)
    share = (<uint32_t>p.hand_n[next_] << 19) // <uint32_t>(n if n > 0 else 1)
    known = p.known[next_].rc
    if no_contract(r):
        if r.ways_frozen & WAY_PAIR:
            need = 2
        known |= 15 * ranks_that_fit(r, p, r.side_of[next_])
    memset(mates, 0, 3 * sizeof(int32_t))
    for n in range(3, 13):
        mates[n] = w[P_KEEP_TRIPLE]
    mates[need] += w[P_KEEP_FOR_PILE] * p.pile_n // 10
    left = at_least_one(h.rc)
    while left:
        n = ctz64(left)
        left &= left - 1
        rank = n >> 2
        mean = <int>((<uint32_t>(copies - (<int>(seen >> n) & 15)) * share) >> 16)
        mean = mean if mean < 39 else 39
        lack = need - (<int>(known >> n) & 15)
        lack = lack if lack > 0 else 0
        value = (scale & (<int>((safe >> rank) & 1) - 1)) * AT_LEAST[40 * lack + mean] >> 10
        by_rank[rank] = value + mates[(h.rc >> n) & 15] + (keep_set & -<int>((s.our_sets >> n) & 1))
    by_rank[DEUCE] = w[P_KEEP_DEUCE] - freeze
    by_rank[THREE] = -w[P_SHED_BLACK_THREE]
    if late:
        left = (h.p1 | h.p1 >> 16 | h.p1 >> 32 | h.p1 >> 48) & 0x1FFF
        while left:
            rank = ctz64(left)
            left &= left - 1
            by_rank[rank] -= r.hand_points[rank]
        red -= r.hand_points[16 + THREE] - r.hand_points[THREE]
    if h.jokers:
        value = w[P_KEEP_JOKER] - freeze - (r.hand_points[JOKER] if late else 0)
        best = (<int64_t>value << 8) + JOKER
    known = r.freeze & rank_mask(THREE)
    plain = h.p1 & ~(s.fits_them | known | (~h.p2 & (s.run3 | s.own4)))     # of two copies one stays
    left = plain
    while left:
        card = ctz64(left)
        left &= left - 1
        key = (<int64_t>by_rank[card & 15] << 8) + card
        best = key if key < best else best
    left = h.p1 & ~plain
    if left:
        feed = w[P_FEED_RUN] + pile
        for n in range(3):
            value = w[P_KEEP_OWN4 + n - 1] if n else 0
            by_run[4 * n] = value
            by_run[4 * n + 1] = value + w[P_KEEP_RUN3]
            by_run[4 * n + 2] = value + w[P_KEEP_RUN4]
            by_run[4 * n + 3] = value + w[P_KEEP_RUN5]
    while left:
        card = ctz64(left)
        left &= left - 1
        value = by_run[((s.run3 >> card) & 1) + ((s.run4 >> card) & 1) + ((s.run5 >> card) & 1)
                       + 4 * (((s.own4 >> card) & 1) + ((s.own5 >> card) & 1))]
        value &= <int>((h.p2 >> card) & 1) - 1
        value += by_rank[card & 15] + (-<int>((s.fits_them >> card) & 1) & feed) + (-<int>((known >> card) & 1) & red)
        key = (<int64_t>value << 8) + card
        best = key if key < best else best
    return <int>(best & 255)


# ---- the turn --------------------------------------------------------------------------------------------------------

cdef inline uint64_t held_runs(const int32_t* w, const CSight* s) noexcept nogil:
    """Cards that wait in hand for a gap before an own run to close, rather than start a run of their own."""
    return s.own4 if w[P_HOLD_RUN] <= 4 else s.own5 if w[P_HOLD_RUN] == 5 else 0


cdef inline uint64_t ranks_of(uint64_t rc, int least) noexcept nogil:
    """Lowest bits of the nibbles of at least `least`; some more where that is below 7."""
    return at_least_three(rc) if least < 7 else ((rc + 0x1111111111111ULL) >> 3) & 0x1111111111111ULL


cdef inline bint stops(const CRules* r, const int32_t* w, const CPublic* p) noexcept nogil:
    """The opponents have a contract that their melds do not reach yet, and the deal is far enough for ending it."""
    return (p.stock_n <= w[P_STOP_STOCK] and p.contract != NONE and r.side_of[p.declarer] != r.side_of[p.player]
            and not reached(p, &p.tally[r.side_of[p.declarer]]))


cdef inline bint lays_something(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h, CSight* s,
                                int set_least) noexcept nogil:
    """lay_wanted would lay a card."""
    if s.fits_us & h.p1 or no_contract(r):                # wild cards may complete a set
        return True
    if starts_of_three(r, h.p1):
        judge(r, p, h, s)
        if starts_of_three(r, h.p1) & ~held_runs(w, s):
            return True
    if h.jokers or (h.rc >> (4 * DEUCE)) & 15:
        if s.wild_set >= 0 or h.jokers + rank_count(h, DEUCE) >= w[P_DEUCES_LEAST]:
            return True
    return ranks_of(h.rc, set_least) or at_least_two(h.rc << 1) & s.our_sets


cdef inline void lay_wanted(const CRules* r, const int32_t* w, CDraft* d, CSight* s, int set_least) noexcept nogil:
    """Lay what helps: runs, deuces, sets; without a contract also wild cards that complete sets, unless they have melds
    of their own. What still has use in hand stays there. s is renewed."""
    cdef int i, n = d.h.n
    if s.fits_us & d.h.p1:
        extend_runs(r, d)
        look_at_own(r, &d.p, s)
        n = d.h.n
    if starts_of_three(r, d.h.p1):
        judge(r, &d.p, &d.h, s)
        if starts_of_three(r, d.h.p1) & ~held_runs(w, s):
            lay_runs(r, d, held_runs(w, s))
            look_at_own(r, &d.p, s)
            n = d.h.n
    if d.h.jokers or d.h.p1 & rank_mask(DEUCE):
        if s.wild_set >= 0 or d.h.jokers + rank_count(&d.h, DEUCE) >= w[P_DEUCES_LEAST]:
            judge(r, &d.p, &d.h, s)
            d.keep = (s.own5 | s.run5) & rank_mask(DEUCE)
            if s.wild_set >= 0:
                add_to_deuces(r, d)
            else:
                lay_deuces(r, d, w[P_DEUCES_LEAST])
    if s.our_sets & at_least_two(d.h.rc << 1) or ranks_of(d.h.rc, set_least):
        judge(r, &d.p, &d.h, s)
        d.keep = s.run5
        for i in range(d.p.n_melds[d.side]):
            if is_plain_set(r, &d.p.melds[d.side][i]):
                add_naturals(r, d, i, 7 - d.p.melds[d.side][i].size if set_least > 6 else 1)
        lay_sets(r, d, set_least)
    if no_contract(r) and r.wild_kind == NONE:
        complete_sets(r, d)
    if d.h.n != n:
        look_at_own(r, &d.p, s)


cdef inline bint plan_opens(const CRules* r, const int32_t* w, const CPublic* p, CDraft* d) noexcept nogil:
    """Plan the opening of a side in its turn; early in the deal with runs alone, without a contract with sets too."""
    cdef CNeed need
    cdef bint all_ = p.turns >= w[P_OPEN_TURN]
    need_for(r, p, &need)
    if not build_opening(r, d, &need, all_, all_ or no_contract(r)):
        return False
    d.p.opened[d.side] = 1
    d.floor = 2
    return True


cdef inline bint out_pays(const CRules* r, const int32_t* w, const CPublic* p, const CTally* t) noexcept nogil:
    """With these melds the contract is reached although partner's cards count against it (R29.2, B29), or there is
    none to reach."""
    cdef COut o
    cdef int partner = r.partner[p.player], points
    out_terms(r, p, p.player, &o)
    if o.sum == 0 or partner == NONE or p.asked == ASKED_YES:
        return True
    points = t.bonus + (t.points if o.with_points else 0) + (r.out_bonus if r.result_bonus else 0)
    return points - w[P_OUT_CARD] * p.hand_n[partner] >= 1000 * bid_level(p.contract)


cdef inline bint goes_out_now(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h, const CDraft* laid,
                              CMind* m, bint late) noexcept nogil:
    """Plan to go out, or to ask for it first, if what this turn lays gives the right to; else the plan stays."""
    cdef CDraft d
    cdef CMind out
    cdef COut o
    cdef bint ask
    out_terms(r, p, p.player, &o)
    ask = o.forbidden and p.asked == ASKED_NOT and may_ask(r, p, h)
    if ask:
        o.forbidden = 0
    if not p.opened[laid.side] or not out_ok(&o, &laid.p.tally[laid.side]):
        return False
    if late and laid.h.n > 2 + (rank_count(&laid.h, THREE) if r.black_kind != NONE else 0):
        return False                                # all that can be laid is
    out.n_plan = 0
    if not plan_out(r, &d, p, h, &out, ask):
        return False
    if not ask and not out_pays(r, w, p, &d.p.tally[d.side]):
        if not may_ask(r, p, h):
            return False
        ask = True
    if ask:
        out.n_plan = 0
        note_step(&out, V_ASK)
    m.n_plan = out.n_plan
    memcpy(m.plan, out.plan, out.n_plan * sizeof(uint32_t))
    return True


cdef inline bint buys(const CRules* r, const CPublic* p, const CHand* h, bint late) noexcept nogil:
    """Late in the deal all red threes but the one to be discarded are better sold (R21.3, R21.4)."""
    cdef uint64_t red = h.p1 & r.buy
    return (late and red and p.stock_n and h.n >= 3 and popcount64(red) + popcount64(h.p2 & r.buy) >= 2
            and r.buy_price < r.hand_points[ctz64(red)])


cdef inline bint ends_soon(const CRules* r, const CPublic* p) noexcept nogil:
    """An opponent with few cards has the melds to go out."""
    cdef int seat
    cdef COut o
    for seat in range(r.seats):
        if r.side_of[seat] != r.side_of[p.player] and p.hand_n[seat] <= 4:
            out_terms(r, p, seat, &o)
            o.forbidden = 0             # partner may say yes
            if out_ok(&o, &p.tally[r.side_of[seat]]):
                return True
    return False


cdef inline void draft_turn(const CRules* r, CDraft* d, const CPublic* p, const CHand* h, CMind* m) noexcept nogil:
    """A draft for the turn; without a contract no sequence is begun that would cost points as it is."""
    draft_begin(r, d, p, h, m, 2)
    if no_contract(r) and r.run_kind != NONE and r.kind[r.run_kind].short_below > 3:
        d.run_least = r.kind[r.run_kind].short_below


cdef inline void plan_turn(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h,
                           CMind* m) noexcept nogil:
    """The phases taken and meld."""
    cdef CDraft d
    cdef CSight s
    cdef int side = r.side_of[p.player], set_least
    cdef bint late = p.stock_n <= w[P_LATE_STOCK] or (no_contract(r) and ends_soon(r, p)), lays = False, draft = False
    if p.phase == PHASE_TAKEN and p.stock_n and r.draw_after:
        note_step(m, V_EXTRA)
        return
    if h.n == 1 or p.must_out:
        return
    look(r, p, &s)
    if not p.discard_only:
        if r.buy and buys(r, p, h, late):
            note_step(m, act_card(V_BUY, ctz64(h.p1 & r.buy)))
            return
        set_least = w[P_STOP_SET] if stops(r, w, p) else w[P_SET_LEAST]
        if not p.opened[side]:
            if p.turns >= w[P_OPEN_TURN] or p.opening or no_contract(r) or starts_of_three(r, h.p1):
                draft_turn(r, &d, p, h, m)
                draft = plan_opens(r, w, p, &d)
            if draft:
                look_at_own(r, &d.p, &s)
                lays = not late and lays_something(r, w, &d.p, &d.h, &s, set_least)
            else:
                m.n_plan = 0
                if p.opening:
                    return
        else:
            lays = not late and lays_something(r, w, p, h, &s, set_least)
            if late or lays or may_go_out(r, p, p.player) or p.asked == ASKED_YES:
                draft_turn(r, &d, p, h, m)
                draft = True
        if draft:
            if late:
                lay_all(r, &d)
                look_at_own(r, &d.p, &s)
            elif lays:
                lay_wanted(r, w, &d, &s, set_least)
            if goes_out_now(r, w, p, h, &d, m, late):
                return
            judge(r, &d.p, &d.h, &s)
            note_step(m, act_card(V_DISCARD, choose_discard(r, w, &d.p, &d.h, &s, late)))
            return
    judge(r, p, h, &s)
    note_step(m, act_card(V_DISCARD, choose_discard(r, w, p, h, &s, late)))


cdef inline bint opens_with_take(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h,
                                 CMind* m) noexcept nogil:
    """Plan an opening together with a take of the pile, the pair (three) kept out of it (R23.2, R23.3, D3)."""
    cdef CDraft d
    cdef CNeed need
    cdef uint8_t cards[16]
    cdef int ways = ways_now(r, p), top, held, k, n, depth
    cdef uint32_t a
    if not ways & (WAY_PAIR | WAY_TRIPLE):
        return False
    top = pile_top(p)
    held = rank_count(h, card_rank(top))
    k = 2 if ways & WAY_PAIR else 3
    if top == JOKER or held < k or r.set_kind[card_rank(top)] == NONE or not (r.set_cards & card_bit(top)):
        return False
    depth = take_depth_most(r, p)
    if (depth - 1) * w[P_TAKE_CARD] < w[P_TAKE_LEAST]:
        return False
    draft_begin(r, &d, p, h, m, 2)
    n = free_of_rank(&d, card_rank(top), cards)
    for n in range(k):
        hand_remove(&d.h, cards[n])
    need_for(r, p, &need)
    need.keep = keep_for_take(r, p, depth)
    if r.pair_counts or r.top_counts:
        for n in range(k):
            need.extra_points += r.points[cards[n]]
        if r.top_counts:
            need.extra_points += r.points[top]
    if build_opening(r, &d, &need, True, True):
        for n in range(k):
            hand_add(&d.h, cards[n])
        memcpy(d.p.pile, p.pile, p.pile_n)
        a = choose_take(r, w, &d.p, &d.h, ways_now(r, &d.p))
        if a and note_step(m, a):
            return True
    m.n_plan = 0
    return False


cdef inline void plan_opening(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h,
                              CMind* m) noexcept nogil:
    """The declarer's opening before play."""
    cdef CDraft d
    cdef CNeed need
    need_for(r, p, &need)
    draft_begin(r, &d, p, h, m, 1)
    if build_opening(r, &d, &need, True, True):
        note_step(m, V_DONE)
    else:
        m.n_plan = 0


cdef inline int hand_minus_of(const CRules* r, const CHand* h) noexcept nogil:
    """Points that the cards of a hand cost at the end."""
    cdef int total = h.jokers * r.hand_points[JOKER], card
    cdef uint64_t left = h.p1
    while left:
        card = ctz64(left)
        left &= left - 1
        total += hand_count(h, card) * r.hand_points[card]
    return total


cdef inline bint says_yes(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """Partner may go out unless the own cards would cost the contract, or more than going out brings."""
    cdef COut o
    cdef int minus = hand_minus_of(r, h)
    out_terms(r, p, p.player, &o)
    if o.sum:
        return minus <= (r.out_bonus if r.result_bonus else 0) + (
            p.tally[r.side_of[p.player]].bonus - o.sum if p.tally[r.side_of[p.player]].bonus > o.sum else 0)
    return minus <= 500 or p.contract != NONE


cdef inline void heuristic_plan(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h,
                                CMind* m) noexcept nogil:
    """Fill the plan of the seat to act; an empty plan means that no special plan applies."""
    cdef uint32_t a = 0
    cdef int ways
    m.n_plan = 0
    m.at = 0
    if p.phase == PHASE_MELD or p.phase == PHASE_TAKEN:
        plan_turn(r, w, p, h, m)
    elif p.phase == PHASE_DRAW:
        if p.opening or p.transfer_to:
            return
        if not p.opened[r.side_of[p.player]]:
            if opens_with_take(r, w, p, h, m):
                return
        else:
            ways = ways_now(r, p)
            if take_in_sight(r, p, h, ways):
                a = choose_take(r, w, p, h, ways)
        if a:
            note_step(m, a)
        elif p.stock_n:
            note_step(m, V_DRAW)
    elif p.phase == PHASE_OPENING:
        plan_opening(r, w, p, h, m)
    elif p.phase == PHASE_AUCTION:
        note_step(m, heuristic_call(r, w, p, h))
    elif p.phase == PHASE_REPLY:
        note_step(m, V_YES if says_yes(r, p, h) else V_NO)
