# The heuristic policy: named integer parameters, one plan a turn.
#
# Values are points of the final score, as far as a parameter can say so. policies.py names the parameters, their
# meaning, unit and default, in the order of the enum below.
#
# Where rules have no contract: sets open at once, sets of five take wild cards unless those have melds of their own,
# all is laid once an opponent could go out, and a discard that fits a set of the opponents counts as taken.
from libc.stdint cimport uint64_t, int16_t, int32_t
from sitoumus.engine.cards cimport carry_back, carry_on, CHand, ctz64, hand_merge, LANES
from sitoumus.engine.tables cimport ALWAYS, CMeld, CRules, NONE
from sitoumus.engine.melds cimport run_ends
from sitoumus.engine.state cimport CPublic, MAX_MELDS
from sitoumus.engine.auction cimport bid_level
from sitoumus.engine.scoring cimport reached

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
    P_BID_STOP
    P_DOUBLE_LEVEL
    # what a take brings, and the end
    P_LOCK_DEPTH
    P_SHED_STOCK
    # the race: going out before the opponents make their contract
    P_RACE_LEVEL
    P_RACE_OPEN
    P_RACE_SET
    P_RACE_WILD
    P_RACE_KEEP
    P_RACE_PAIR
    P_RACE_TAKE
    # bids by the chance to make them
    P_BID_FLOOR
    P_MADE_1
    P_MADE_2
    P_MADE_3
    P_MADE_4
    P_MADE_5
    P_MADE_6
    P_MADE_7
    P_MADE_8
    P_MADE_RUN_CARD
    P_MADE_LONGEST
    P_MADE_CARD_POINTS
    P_MADE_JOKER
    P_MADE_ACE
    P_MADE_TRIPLE
    P_MADE_PARTNER
    P_MADE_PARTNER_LEVEL
    P_MADE_AGAINST
    P_MADE_AGAINST_LEVEL
    N_PARAMS


cdef inline bint no_contract(const CRules* r) noexcept nogil:
    """The rules have no contract. The other case is the one that must be fast."""
    return unlikely(r.contract == 0)


cdef inline bint races(const CRules* r, const int32_t* w, const CPublic* p) noexcept nogil:
    """The player's side wants to go out before the opponents have made their contract."""
    return (p.contract != NONE and bid_level(p.contract) >= w[P_RACE_LEVEL]
            and r.side_of[p.declarer] != r.side_of[p.player]
            and not reached(p, &p.tally[r.side_of[p.declarer]]))


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
