# Complete melds and melds that a bid names: can the hand make one, and what do its cards reach in points?
from libc.stdint cimport uint64_t
from sitoumus.engine.cards cimport (
    at_least_one, at_least_three, at_least_two, CHand, ctz64, DEUCE, hand_count, hand_has, hand_remove, N_CODES,
    next_rank, nibble_bits, nibble_sum, rank_count, rank_mask,
)
from sitoumus.engine.tables cimport (
    ALWAYS, CKind, CMeld, CRules, NONE, RANK_MANY, RANK_ONE, SHAPE_RUN, SHAPE_SET, SHAPE_WILD,
)
from sitoumus.engine.melds cimport meld_complete, meld_naturals, meld_points
from sitoumus.engine.goals cimport CNeed
from sitoumus.engine.solver.tables cimport COpening, IMPOSSIBLE
from sitoumus.engine.solver.runs cimport hand_runs
from sitoumus.engine.solver.groups cimport CGroups, CSolve, group_table
from sitoumus.engine.solver.search cimport search_extensions
from sitoumus.engine.solver.setup cimport all_points, solve_cards, solve_laid

cdef inline bint may_start(const CRules* r, int kind, int key, const CMeld* laid, int n_laid) noexcept nogil:
    """A new set of the kind and rank may be laid beside the laid ones (R11.6, B23)."""
    cdef int i
    if r.kind[kind].per_rank == RANK_MANY:
        return True
    for i in range(n_laid):
        if laid[i].kind == kind and laid[i].key == key and (
                r.kind[kind].per_rank == RANK_ONE or not meld_complete(r, &laid[i])):
            return False
    return True


cdef inline int deuces_owed(const CRules* r, const CMeld* laid, int n_laid, int deuce_min) noexcept nogil:
    """Deuces that the laid deuce sets still need; more than there are if one can never have enough."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef int i, owed = 0, short
    if r.deuce_kind == NONE:
        return 0
    for i in range(n_laid):
        if laid[i].kind != r.deuce_kind:
            continue
        short = deuce_min - meld_naturals(&laid[i])
        if short <= 0:
            continue
        if short > 12 or not o.grow[0][laid[i].kind][meld_naturals(&laid[i])][laid[i].wilds][short] & 1:
            return 99
        owed += short
    return owed


cdef inline bint run_completed(const CRules* r, const CHand* h, const CMeld* m, int room, int spare) noexcept nogil:
    """A laid run is complete, or becomes so with hand cards below and above it, at most `spare` of them deuces."""
    cdef int full = r.kind[m.kind].full, short = full - m.size, below, i, low, at, used
    cdef bint fits
    if short <= 0:
        return True
    if room < short:
        return False
    for below in range(short + 1):
        low = (m.start - below + 13) % 13
        if not (r.run_len[low] >> full) & 1:
            continue
        fits = True
        used = 0
        at = low
        for i in range(full):
            if i < below or i >= below + m.size:
                if not (h.p1 >> (16 * m.key + at)) & 1:
                    fits = False
                    break
                used += at == DEUCE
            at = next_rank(at)
        if fits and used <= spare:
            return True
    return False


cdef inline bint set_completed(const CRules* r, const CHand* h, const CMeld* m, int room, int spare,
                               int owes) noexcept nogil:
    """A laid set is complete, or becomes so; of a deuce set, `owes` deuces are owed to it."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CKind* k = &r.kind[m.kind]
    cdef int short = k.full - m.size, wilds = (h.jokers if k.wild_jokers else 0) + (spare if k.wild_deuces else 0), d, w
    if short <= 0:
        if owes <= 0:
            return True
        short = 0                              # complete, but of too few deuces: they are owed
    if owes < 0:
        owes = 0
    for d in range(owes, (rank_count(h, m.key) if m.key != DEUCE else spare + owes) + 1):
        w = short - d
        if w < 0:
            w = 0
            if d > owes:
                break
        if w > 3 or d > 12 or not (o.grow[0][m.kind][meld_naturals(m)][m.wilds][d] >> w) & 1:
            continue
        if d + w - owes <= room and w <= wilds:
            return True
    return False


cdef inline bint new_complete(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, int room, int spare,
                              int deuce_min) noexcept nogil:
    """The hand makes a complete meld by itself."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CKind* k
    cdef uint64_t q
    cdef int rank, kind, wilds, d, w
    if o.runs and r.kind[r.run_kind].full and room >= r.kind[r.run_kind].full:
        if hand_runs(o, h.p1 if spare else h.p1 & ~rank_mask(DEUCE), r.kind[r.run_kind].full):
            return True
    q = at_least_two(h.rc) & o.set_ranks
    if o.complete_least >= 4:
        q &= (h.rc >> 2) | (h.rc >> 3)
    while q:
        rank = ctz64(q) >> 2
        q &= q - 1
        kind = r.set_kind[rank]
        k = &r.kind[kind]
        wilds = (h.jokers if k.wild_jokers else 0) + (spare if k.wild_deuces else 0)
        if o.complete_with[kind][rank_count(h, rank)] <= wilds and room >= k.full and may_start(
                r, kind, rank, laid, n_laid):
            return True
    if r.deuce_kind != NONE:
        k = &r.kind[r.deuce_kind]
        if k.full and spare + h.jokers >= k.full and room >= k.full and may_start(
                r, r.deuce_kind, DEUCE, laid, n_laid):
            for d in range(deuce_min if deuce_min > 1 else 1, spare + 1):
                w = k.full - d
                if 0 <= w <= 3 and w <= h.jokers and k.ok[d][w]:
                    return True
    elif r.wild_kind != NONE:
        k = &r.kind[r.wild_kind]
        return k.full and k.ok[k.full][0] and rank_count(h, DEUCE) + h.jokers >= k.full and room >= k.full
    return False


cdef inline bint complete_meld(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, const CNeed* need,
                               int owed) noexcept nogil:
    """Some meld of the opening is complete, or can be made so from the hand while the deuces owed are paid and enough
    cards stay."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CMeld* m
    cdef int spare = rank_count(h, DEUCE) - owed, room = h.n - need.keep - owed, i, short
    if room < 0 or spare < 0:
        return False
    for i in range(n_laid):
        m = &laid[i]
        if r.kind[m.kind].full == 0:
            continue
        if r.kind[m.kind].shape == SHAPE_RUN:
            if run_completed(r, h, m, room, spare):
                return True
        elif r.kind[m.kind].shape == SHAPE_WILD:
            short = r.kind[m.kind].full - m.size
            if short <= 0 or (room >= short and spare + h.jokers >= short and o.grow[0][m.kind][m.size][0][short] & 1):
                return True
        elif set_completed(r, h, m, room, spare, need.deuce_min - meld_naturals(m) if m.kind == r.deuce_kind else 0):
            return True
    return new_complete(r, h, laid, n_laid, room, spare, need.deuce_min)


cdef inline bint bid_meld(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, const CNeed* need,
                          int owed) noexcept nogil:
    """A meld that the bid lets open (R14.4-14.6) lies there or can be made from the hand."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CMeld* m
    cdef int spare = rank_count(h, DEUCE) - owed, room = h.n - need.keep - owed, i, n, short, suit, owes, kind, rank
    cdef uint64_t q
    if room < 0 or spare < 0:
        return False
    if need.bid_suits:
        for i in range(n_laid):
            if r.kind[laid[i].kind].shape == SHAPE_RUN and (need.bid_suits >> laid[i].key) & 1:
                return True
        if room >= 3:
            q = hand_runs(o, h.p1 if spare else h.p1 & ~rank_mask(DEUCE), 3)
            for suit in range(4):
                if (need.bid_suits >> suit) & 1 and (q >> (16 * suit)) & 0xFFFF:
                    return True
    if not (need.bid_four or need.bid_deuces):
        return False
    for i in range(n_laid):
        m = &laid[i]
        if r.kind[m.kind].shape != SHAPE_SET or r.kind[m.kind].when != ALWAYS:
            continue
        if m.kind != r.deuce_kind and not need.bid_four:
            continue
        n = meld_naturals(m)
        owes = need.deuce_min - n if m.kind == r.deuce_kind and need.deuce_min > n else 0
        short = 4 - n if n + owes < 4 else owes
        if short <= 0:
            return True
        if short - owes > room or not o.grow[0][m.kind][n][m.wilds][short] & 1:
            continue
        if short <= (spare + owes if m.kind == r.deuce_kind else rank_count(h, m.key)):
            return True
    if need.bid_four and room >= 4:
        q = at_least_two(h.rc) & ((h.rc >> 2) | (h.rc >> 3)) & o.set_ranks
        while q:
            rank = ctz64(q) >> 2
            q &= q - 1
            kind = r.set_kind[rank]
            if r.kind[kind].ok[4][0] and may_start(r, kind, rank, laid, n_laid):
                return True
    if r.deuce_kind != NONE and may_start(r, r.deuce_kind, DEUCE, laid, n_laid):
        n = need.deuce_min if need.deuce_min > 4 else 4
        if n <= 12 and spare >= n and room >= n and r.kind[r.deuce_kind].ok[n][0]:
            return True
    return False


# ---- points ----------------------------------------------------------------------------------------------------------

cdef inline int surely_left(const CSolve* s) noexcept nogil:
    """Cards that stay in hand in the best solution (or fewer, where that is quicker to see and two or more)."""
    cdef uint64_t a = s.best_rc, n = a & (s.plain * 15), two = at_least_two(n), pairs = two & ~at_least_three(n)
    cdef CGroups g
    cdef int left = 0, w = s.jokers + <int>((a >> (4 * DEUCE)) & 15), np = nibble_bits(pairs), i
    if not s.by_table and not s.black_set:
        left = nibble_bits(at_least_one(n) & ~two) + nibble_sum(a & s.dead_cards)
        if np > w:
            left += 2 * (np - w)
        if left >= 2:
            return left
    if group_table(s, a, &g) >= IMPOSSIBLE:
        return 0
    left = nibble_sum(a) + s.jokers - g.set_deuces - g.set_jokers - g.wild_deuces - g.wild_jokers
    for i in range(13):
        left -= g.naturals[i] + g.jokers[i] + g.deuces[i]
    return left


cdef inline bint points_reach(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, const CNeed* need,
                              int keep, int first, uint64_t protect) noexcept nogil:
    """Melds and additions from the hand bring the laid melds to the minimum, and `keep` cards stay. Cards that stay
    are tried from code `first` on; protect as in laid_rows."""
    cdef CSolve s
    cdef CHand g
    cdef int i, allowed, minimum = need.minimum, have = need.extra_points
    if h.n < keep:
        return False
    if n_laid == 0 and have == 0 and minimum < 1:
        minimum = 1                    # an opening is a meld at least
    for i in range(n_laid):
        have += meld_points(r, &laid[i])
    allowed = have + all_points(r, h) - minimum
    if allowed < 0:
        return False
    solve_cards(&s, r, h, need.deuce_min)
    if n_laid and not solve_laid(&s, laid, n_laid, need.deuce_min, protect):
        return False
    if have >= minimum and not s.must_deuce:
        return True
    s.best = allowed + 1
    s.stop = allowed
    search_extensions(&s, 0)
    if not s.done:
        return False
    if keep == 0 or surely_left(&s) >= keep:
        return True
    # too few stay: try every card that could
    for i in range(first, N_CODES):
        if (i & 15) > 12 or not hand_has(h, i):
            continue
        g = h[0]
        hand_remove(&g, i)
        if points_reach(r, &g, laid, n_laid, need, keep - 1, i, protect):
            return True
    return False


cdef inline int suit_counts(const CHand* h, int rank) noexcept nogil:
    """Cards of a rank by suit, two bits each."""
    cdef int suit, out = 0
    for suit in range(4):
        out |= hand_count(h, 16 * suit + rank) << (2 * suit)
    return out


cdef inline bint suits_within(int some, int all_) noexcept nogil:
    return ((some & 3) <= (all_ & 3) and (some & 12) <= (all_ & 12) and (some & 48) <= (all_ & 48)
            and (some & 192) <= (all_ & 192))
