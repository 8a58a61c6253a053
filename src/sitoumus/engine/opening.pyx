# The opening solver: can this hand open, can it be laid out, how does it fall into melds. Exact, never capped.
#
# What is decided is how the cards divide between runs and the rest. The search looks at what stays in hand, the
# LOSS, in points. A decision ("is the loss at most so much?") stops at the first solution and prunes by the bound.
from libc.stdint cimport uint64_t
from libc.string cimport memset
from sitoumus.engine.cards cimport (
    at_least_three, CHand, ctz64, DEUCE, hand_has, hand_remove, N_CODES, rank_count, THREE,
)
from sitoumus.engine.tables cimport CKind, CMeld, CRules, NEEDS_NONE, NONE
from sitoumus.engine.melds cimport meld_points
from sitoumus.engine.goals cimport CNeed, COut
from sitoumus.engine.solver.tables cimport COpening, CPart, MAX_MINIMUM_DEUCES
from sitoumus.engine.solver.runs cimport after, run_places
from sitoumus.engine.solver.prepare cimport prepare_all
from sitoumus.engine.solver.groups cimport CSolve
from sitoumus.engine.solver.search cimport search_hand
from sitoumus.engine.solver.setup cimport all_points, solve_cards
from sitoumus.engine.solver.complete cimport bid_meld, complete_meld, deuces_owed, points_reach
from sitoumus.engine.solver.plans cimport CPlan, plan_complete, WANT_NOTHING
from sitoumus.engine.solver.divide cimport CPartSearch, part_hand, square_share, write_solution


cdef bint opening_prepare(COpening* o, const CRules* r) noexcept nogil:
    """Fill the tables. False if the runs of the rule set stand neither on a circle nor on one line of ranks (of at most
    16 places), or if their greatest length is 4 or less on a longer line: no opening can be judged then."""
    return prepare_all(o, r)


cdef int open_points(const CRules* r, const CHand* h, int deuce_min) noexcept nogil:
    """Most card points that can be laid from a hand, with deuce sets of at least deuce_min deuces."""
    cdef CSolve s
    solve_cards(&s, r, h, deuce_min)
    search_hand(&s)
    return all_points(r, h) - s.best


cdef bint can_open(const CRules* r, const CHand* h, const CMeld* laid, int n_laid,
                   const CNeed* need) noexcept nogil:
    """The opening that these laid melds began (none: that could begin) can be completed from the hand: new melds,
    additions to the laid ones, `need.keep` cards staying in hand (R13-R15, D1-D3). Steps that only going out allows
    do not count."""
    cdef CPlan p
    cdef int owed = deuces_owed(r, laid, n_laid, need.deuce_min) if n_laid else 0, have = need.extra_points, i
    if owed > rank_count(h, DEUCE) or h.n < need.keep + owed:
        return False
    if n_laid and owed == 0 and need.needs == NEEDS_NONE:
        for i in range(n_laid):
            have += meld_points(r, &laid[i])
        if have >= need.minimum:
            return True
    if need.complete_opens and complete_meld(r, h, laid, n_laid, need, owed):
        return True
    if (need.bid_suits or need.bid_four or need.bid_deuces) and bid_meld(r, h, laid, n_laid, need, owed):
        return True
    if need.needs == NEEDS_NONE:
        return points_reach(r, h, laid, n_laid, need, need.keep, 0, 0)
    p.r = r
    p.need = need
    p.out = NULL
    p.left = 0
    return plan_complete(&p, h, laid, n_laid, 0, WANT_NOTHING)


cdef bint can_lay_all(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, const COut* out,
                      int minimum, int needs, int left) noexcept nogil:
    """The whole hand but `left` cards (whose points are not looked at) can be laid so that the side may go out (F4,
    F11, F17): steps that only going out allows and a set of black threes included. laid: all melds of the side; all
    of them together must have `minimum` card points and meet `needs` (0 and NEEDS_NONE: the side is open, or nothing
    is asked). Merging sets is not considered, see can_lay_out_merging."""
    cdef CPlan p
    p.r = r
    p.need = NULL
    p.out = out
    p.minimum = minimum
    p.needs = needs
    p.left = left
    return not out.forbidden and plan_complete(&p, h, laid, n_laid, 0, WANT_NOTHING)


cdef bint can_lay_out(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, const COut* out,
                      int minimum, int needs) noexcept nogil:
    """can_lay_all, one card left to be discarded (or none, where no discard is needed)."""
    cdef CHand g
    cdef int i
    if not can_lay_all(r, h, laid, n_laid, out, minimum, needs, 1):
        return False
    # with some card left; which one decides about points, and a discard may have to be left
    if not r.out_discard and can_lay_all(r, h, laid, n_laid, out, minimum, needs, 0):
        return True
    for i in range(N_CODES):
        if (i & 15) > 12 or not hand_has(h, i):
            continue
        g = h[0]
        hand_remove(&g, i)
        if can_lay_all(r, &g, laid, n_laid, out, minimum, needs, 0):
            return True
    return False


cdef bint complete_opens(const CRules* r, const CHand* h) noexcept nogil:
    """A complete meld can be made from the hand alone, and opens by itself (R13.3)."""
    cdef CNeed need
    memset(&need, 0, sizeof(CNeed))
    return r.bonus_counts and complete_meld(r, h, NULL, 0, &need, 0)


cdef void best_opening(const CRules* r, const CHand* h, int deuce_min, int keep, CPart* out) noexcept nogil:
    """Melds with the most card points that the hand can lay while `keep` cards stay; deuce sets have at least deuce_min
    deuces. No melds if so few cards cannot stay."""
    cdef CSolve s
    cdef CHand g
    cdef CPart other
    cdef int i
    memset(out, 0, sizeof(CPart))
    out.exact = True
    if h.n < keep:
        return
    solve_cards(&s, r, h, deuce_min)
    search_hand(&s)
    g = h[0]
    write_solution(&s, &g, deuce_min, out)
    if g.n >= keep:
        return
    memset(out, 0, sizeof(CPart))
    out.exact = True
    for i in range(N_CODES):
        if (i & 15) > 12 or not hand_has(h, i):
            continue
        g = h[0]
        hand_remove(&g, i)
        if all_points(r, &g) <= out.points:
            continue
        best_opening(r, &g, deuce_min, keep - 1, &other)
        if other.points > out.points:
            out[0] = other


cdef void best_partition(const CRules* r, const CHand* h, int deuce_min, int limit, CPart* out) noexcept nogil:
    """Melds of the hand with the most card points and bonus points together, keeping nothing back. limit: nodes of the
    search (0: none); out.exact is False where it was reached."""
    cdef CPartSearch p
    memset(out, 0, sizeof(CPart))
    p.r = r
    p.deuce_min = deuce_min if deuce_min < MAX_MINIMUM_DEUCES else MAX_MINIMUM_DEUCES - 1
    p.best = -1
    p.nodes = 0
    p.limit = limit
    p.n_runs = 0
    p.out = out
    part_hand(&p, h, 0, 0)
    out.exact = limit == 0 or p.nodes < limit
    out.nodes = p.nodes


cdef int bonus_potential(const CRules* r, const CHand* h) noexcept nogil:
    """How far the hand is on the way to bonuses, in points: for every rank with three or more naturals and for the best
    place of a complete run in every suit, if it holds three or more of its cards, the bonus (of a natural meld) times
    the square of the share of its cards that are there. Wild cards do not count but for wild melds."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef uint64_t m = at_least_three(h.rc), a, x, s0, s1, s2, c, d, t, u
    cdef const CKind* k
    cdef int rank, kind, n, full, total = 0, suit, i
    while m:
        rank = ctz64(m) >> 2
        m &= m - 1
        kind = r.deuce_kind if rank == DEUCE else r.set_kind[rank]
        if rank == THREE or kind == NONE or r.kind[kind].full == 0:
            continue
        k = &r.kind[kind]
        n = rank_count(h, rank)
        if n > k.full:
            n = k.full
        total += square_share(k.bonus[k.full][0], n, k.full)
    if r.deuce_kind == NONE and r.wild_kind != NONE and r.kind[r.wild_kind].full:
        k = &r.kind[r.wild_kind]
        n = h.jokers + rank_count(h, DEUCE)
        if n > k.full:
            n = k.full
        if n >= 3:
            total += square_share(k.bonus[k.full][0], n, k.full)
    if o.full_starts:
        full = r.kind[r.run_kind].full
        a = run_places(o, h.p1)
        s0 = a                                  # cards within `full` places from here, as three bits; more than 7 do
        s1 = 0                                  # not occur, complete runs have seven cards
        s2 = 0
        for i in range(1, full):
            x = after(o, a, i)
            c = s0 & x
            s0 ^= x
            d = s1 & c
            s1 ^= c
            s2 |= d
        s0 &= o.full_starts
        s1 &= o.full_starts
        s2 &= o.full_starts
        for suit in range(4):
            t = s2 >> (16 * suit) & 0xFFFF
            n = 0
            u = 0xFFFF
            if t:
                n = 4
                u = t
            t = (s1 >> (16 * suit)) & u
            if t:
                n += 2
                u = t
            if (s0 >> (16 * suit)) & u:
                n += 1
            if n >= 3:
                total += square_share(r.kind[r.run_kind].bonus[7][0], n, full)
    return total
