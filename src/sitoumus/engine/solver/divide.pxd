# How a hand falls into melds: a solution of the search written down, and the division that is worth most.
from libc.stdint cimport uint8_t, uint32_t, uint64_t, int32_t
from libc.string cimport memset
from sitoumus.engine.cards cimport CHand, ctz64, DEUCE, hand_has, hand_remove, popcount64
from sitoumus.engine.tables cimport CKind, CMeld, CRules, RANK_AFTER_COMPLETE, RANK_ONE
from sitoumus.engine.melds cimport hand_less, meld_bonus, meld_points, start_run
from sitoumus.engine.solver.tables cimport COpening, CPart, MAX_PARTITION, ROW
from sitoumus.engine.solver.runs cimport before, cover, hand_runs
from sitoumus.engine.solver.groups cimport CGroups, CSolve, group_table, most_bonus
from sitoumus.engine.solver.search cimport search_hand
from sitoumus.engine.solver.setup cimport all_points, solve_cards

cdef inline void write_meld(const CRules* r, CPart* out, CHand* h, const CMeld* m) noexcept nogil:
    """Put a meld down and take its cards from the hand."""
    out.melds[out.n] = m[0]
    out.n += 1
    out.points += meld_points(r, m)
    out.bonus += meld_bonus(r, m)
    hand_less(r, h, m)


cdef inline void write_runs(const CRules* r, CPart* out, CHand* h, const uint64_t* runs) noexcept nogil:
    """Cut cards that can all stand in runs (planes of places) into runs, long ones where that works."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef uint64_t q[3]
    cdef uint64_t b[3]
    cdef uint64_t c[3]
    cdef uint64_t starts, bit
    cdef int size, i, at, full = r.kind[r.run_kind].full if o.runs else 0
    cdef bint fits
    cdef CMeld m
    q[0] = runs[0]
    q[1] = runs[1]
    q[2] = runs[2]
    while q[0]:
        # a place with more cards than the one before it: a run starts there; on a full circle anywhere
        starts = (q[0] & ~before(o, q[0], 1)) | (q[1] & ~before(o, q[1], 1)) | (q[2] & ~before(o, q[2], 1))
        if starts == 0:
            starts = q[0]
        at = ctz64(starts)
        for size in range(full if full else 13, 2, -1):
            b[0] = q[0]
            b[1] = q[1]
            b[2] = q[2]
            fits = True
            for i in range(size):
                if o.circle:
                    bit = <uint64_t>1 << ((at & 48) + ((at & 15) + i) % 13)
                elif (at & 15) + i < o.places:
                    bit = <uint64_t>1 << (at + i)
                else:
                    bit = 0
                if not (b[0] & bit):
                    fits = False
                    break
                if b[2] & bit:
                    b[2] ^= bit
                elif b[1] & bit:
                    b[1] ^= bit
                else:
                    b[0] ^= bit
            if not fits or not (r.run_len[(o.low + (at & 15)) % 13] >> size) & 1:
                continue
            cover(o, b[0], b[1], b[2], c)
            if c[0] == b[0] and c[1] == b[1] and c[2] == b[2]:
                break
        else:
            return                             # cannot be: the cards could all stand in runs
        start_run(r, &m, at >> 4, (o.low + (at & 15)) % 13, size)
        write_meld(r, out, h, &m)
        q[0] = b[0]
        q[1] = b[1]
        q[2] = b[2]


cdef inline int take_by_suit(CHand* g, int rank, int n) noexcept nogil:
    """Take n cards of a rank from a hand; returns them by suit."""
    cdef int suit, out = 0
    for suit in range(4):
        while n and hand_has(g, 16 * suit + rank):
            hand_remove(g, 16 * suit + rank)
            out += 1 << (2 * suit)
            n -= 1
    return out


cdef inline void write_sets(const CRules* r, CPart* out, CHand* h, int kind, int rank, int n, int jokers, int deuces,
                            int least) noexcept nogil:
    """Cut n naturals and so many wild cards into sets, for the most bonus."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CKind* k = &r.kind[kind]
    cdef const uint32_t* rows = &o.rows[0][kind][0]
    cdef const int32_t* best = &o.bonus[kind][0][0]
    cdef int w = jokers + deuces, i, v
    cdef CMeld m
    cdef CHand g
    cdef bint found
    if rank == DEUCE:
        rows = &o.deuce_rows[least][0]
        best = &o.deuce_bonus[least][0][0]
    while n:
        found = False
        for i in range(n, 0, -1):
            for v in range(3 if w > 3 else w, -1, -1):
                if not k.ok[i][v] or i < least or not (rows[n - i] >> (w - v)) & 1:
                    continue
                if i + v < n + w and (k.per_rank == RANK_ONE or (
                        k.per_rank == RANK_AFTER_COMPLETE and not (k.full and i + v >= k.full))):
                    continue
                if k.bonus[i][v] + best[(n - i) * ROW + w - v] < best[n * ROW + w]:
                    continue
                found = True
                break
            if found:
                break
        if not found:
            return
        memset(&m, 0, sizeof(CMeld))
        m.kind = <uint8_t>kind
        m.key = <uint8_t>rank
        m.size = <uint8_t>(i + v)
        m.wilds = <uint8_t>v
        g = h[0]
        m.nat = <uint8_t>take_by_suit(&g, rank, i)
        m.jokers = <uint8_t>(v if v < jokers else jokers)
        m.deuces = <uint8_t>take_by_suit(&g, DEUCE, v - m.jokers)
        jokers -= m.jokers
        deuces -= v - m.jokers
        write_meld(r, out, h, &m)
        n -= i
        w -= v


cdef inline void write_wilds(const CRules* r, CPart* out, CHand* h, int deuces, int jokers) noexcept nogil:
    """Cut wild cards into wild melds, for the most bonus."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CKind* k
    cdef int t = deuces + jokers, i
    cdef CMeld m
    cdef CHand g
    while t:
        k = &r.kind[r.wild_kind]
        for i in range(12 if t > 12 else t, 2, -1):
            if k.ok[i][0] and (o.wild_sizes >> (t - i)) & 1 and o.wild_bonus[t - i] + k.bonus[i][0] >= o.wild_bonus[t]:
                break
        else:
            return
        memset(&m, 0, sizeof(CMeld))
        m.kind = r.wild_kind
        m.size = <uint8_t>i
        m.jokers = <uint8_t>(i if i < jokers else jokers)
        g = h[0]
        m.nat = <uint8_t>take_by_suit(&g, DEUCE, i - m.jokers)
        deuces -= i - m.jokers
        jokers -= m.jokers
        write_meld(r, out, h, &m)
        t -= i


cdef inline void write_solution(CSolve* s, CHand* h, int deuce_min, CPart* out) noexcept nogil:
    """Put the best solution of a search (of hand h, nothing laid) down meld by meld; h keeps the cards left."""
    cdef CGroups g
    cdef int rank
    write_runs(s.r, out, h, s.best_runs)
    group_table(s, s.best_rc, &g)
    if g.set_deuces:
        write_sets(s.r, out, h, s.r.deuce_kind, DEUCE, g.set_deuces, g.set_jokers, 0, deuce_min)
    for rank in range(13):
        if g.naturals[rank]:
            write_sets(s.r, out, h, s.r.set_kind[rank], rank, g.naturals[rank], g.jokers[rank], g.deuces[rank], 0)
    write_wilds(s.r, out, h, g.wild_deuces, g.wild_jokers)


cdef struct CPartSearch:
    const CRules* r
    int deuce_min
    int best                  # points and bonus of the best division so far
    int nodes, limit
    CMeld runs[MAX_PARTITION]
    int n_runs
    CPart* out


cdef inline void part_hand(CPartSearch* p, const CHand* h, int from_, int gained) noexcept nogil:
    """Every choice of complete runs from (suit, start) number from_ on, the rest of the hand divided for the most
    points and bonus of sets; gained is what the runs chosen so far are worth."""
    cdef const CRules* r = p.r
    cdef const COpening* o = <const COpening*>r.opening
    cdef CSolve s
    cdef CHand g
    cdef CMeld m
    cdef uint64_t starts
    cdef int i, suit, full, most, all_ = all_points(r, h), bonus
    solve_cards(&s, r, h, p.deuce_min)
    most = most_bonus(&s, s.rc)
    if o.full_starts:
        full = r.kind[r.run_kind].full
        bonus = r.kind[r.run_kind].bonus[7][0]
        starts = hand_runs(o, h.p1, full) & o.full_starts
        if starts:
            i = 0
            for suit in range(4):
                if (starts >> (16 * suit)) & 0xFFFF:
                    i += (popcount64((h.p1 >> (16 * suit)) & 0x1FFF) + popcount64((h.p2 >> (16 * suit)) & 0x1FFF)
                          + popcount64((h.p3 >> (16 * suit)) & 0x1FFF)) // full
            if gained + all_ + most + bonus * i <= p.best:
                return
            for i in range(from_, 64):
                if not (starts >> i) & 1:
                    continue
                start_run(r, &m, i >> 4, (o.low + (i & 15)) % 13, full)
                g = h[0]
                hand_less(r, &g, &m)
                p.runs[p.n_runs] = m
                p.n_runs += 1
                part_hand(p, &g, i, gained + meld_points(r, &m) + bonus)
                p.n_runs -= 1
    if gained + all_ + most <= p.best or (p.limit and p.nodes >= p.limit):
        return
    s.with_bonus = most > 0
    s.by_table |= s.with_bonus
    s.best = gained + all_ - p.best
    s.stop = -most
    if p.limit:
        s.limit = p.limit - p.nodes
    search_hand(&s)
    p.nodes += s.nodes
    if s.best < gained + all_ - p.best:
        p.best = gained + all_ - s.best
        p.out.n = 0
        p.out.points = 0
        p.out.bonus = 0
        g = h[0]
        for i in range(p.n_runs):
            # its cards are gone from the hand already
            p.out.melds[i] = p.runs[i]
            p.out.n += 1
            p.out.points += meld_points(r, &p.runs[i])
            p.out.bonus += meld_bonus(r, &p.runs[i])
        write_solution(&s, &g, p.deuce_min, p.out)


cdef inline int square_share(int bonus, int n, int full) noexcept nogil:
    """A bonus times the square of n / full, without a division by a variable in the usual case."""
    return bonus * n * n // 49 if full == 7 else bonus * n * n // (full * full)
