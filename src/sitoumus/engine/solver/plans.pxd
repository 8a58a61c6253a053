# Complete melds first, laid card by card, then the rest is judged: openings and ways out that must hold some.
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset, memcpy
from sitoumus.engine.cards cimport CHand, DEUCE, hand_has, hand_remove, next_rank, popcount64, rank_count, THREE
from sitoumus.engine.tables cimport (
    ALWAYS, CKind, CMeld, CRules, NEEDS_CANASTA, NEEDS_NATURAL, NEEDS_NONE, NEVER, NONE, OUT_CANASTA, OUT_MIXED_SET,
    OUT_NATURAL, OUT_NATURAL_SET, OUT_RUN, OUT_SET, OUT_WILD, SHAPE_RUN, SHAPE_SET, SHAPE_WILD,
)
from sitoumus.engine.melds cimport (
    CTally, hand_less, meld_complete, start_run, tally_clear, tally_complete, tally_meld, two_bit_count,
    two_bit_sum,
)
from sitoumus.engine.goals cimport CNeed, COut, out_ok
from sitoumus.engine.solver.tables cimport BLACK_NIBBLE, COpening, MAX_LAID, MAX_WILDS
from sitoumus.engine.solver.runs cimport cover, hand_runs, run_cards_of, run_places
from sitoumus.engine.solver.groups cimport CSolve
from sitoumus.engine.solver.search cimport search_extensions
from sitoumus.engine.solver.setup cimport all_points, check_plain, solve_cards, solve_laid, split_threes
from sitoumus.engine.solver.complete cimport may_start, points_reach, suit_counts, suits_within

cdef struct CPlan:            # some complete melds are wanted: they are laid card by card, then the rest is judged
    const CRules* r
    const CNeed* need         # an opening, or NULL
    const COut* out           # ... or going out
    int minimum, needs        # what the melds of a going out have to reach as an opening
    int left                  # cards that may stay in hand when going out


cdef inline bint natural_spoils(const CRules* r, const CMeld* m) noexcept nogil:
    """A complete set without wild cards that may still take one."""
    return (r.kind[m.kind].shape == SHAPE_SET and m.wilds == 0 and meld_complete(r, m)
            and r.kind[m.kind].add_wild[m.size][0] != NEVER)


cdef inline bint needs_met(const CRules* r, const CMeld* laid, int n_laid, int needs) noexcept nogil:
    cdef int i
    if needs == NEEDS_NONE:
        return True
    for i in range(n_laid):
        if meld_complete(r, &laid[i]) and (needs == NEEDS_CANASTA or (
                r.kind[laid[i].kind].shape != SHAPE_WILD and laid[i].wilds == 0)):
            return True
    return False


cdef inline bint all_lies(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, uint64_t protect,
                          int left) noexcept nogil:
    """Every card of the hand but `left` can be laid when going out."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef CSolve s
    cdef int i
    if h.n <= left:
        return True
    solve_cards(&s, r, h, 0)
    s.price = &o.cards
    s.out = True
    s.deuce_rows = &o.deuce_rows_out[0]
    if o.out_differs:
        s.by_table = True
        check_plain(&s)
    if r.black_kind != NONE:
        s.black_set = True
        s.black_max = r.black_max
        for i in range(n_laid):
            if laid[i].kind == r.black_kind:
                s.black_max = 0
        if s.black_max == 0:
            s.black_set = False
        elif not s.split:
            split_threes(&s)
        if s.black_set:
            s.dead_cards &= ~(<uint64_t>15 << (4 * BLACK_NIBBLE))
    if n_laid and not solve_laid(&s, laid, n_laid, 0, protect):
        return False
    s.best = left + 1
    s.stop = left
    search_extensions(&s, 0)
    return s.done


cdef enum:                    # what the next complete meld of a plan must be
    WANT_NOTHING = 0
    WANT_RUN = 1
    WANT_WILD = 2
    WANT_NATURAL_SET = 3
    WANT_NATURAL = 4          # a set without wild cards, or a run
    WANT_MIXED_SET = 5
    WANT_SET = 6
    WANT_ANY = 7


cdef inline int wanted_meld(const COut* o, const CTally* t, int needs) noexcept nogil:
    """What is missing; every plan that succeeds has such a meld more."""
    if o != NULL and o.sum == 0:
        if t.count[OUT_RUN] < o.need[OUT_RUN]:
            return WANT_RUN
        if t.count[OUT_WILD] < o.need[OUT_WILD]:
            return WANT_WILD
        if t.count[OUT_NATURAL_SET] < o.need[OUT_NATURAL_SET]:
            return WANT_NATURAL_SET
        if t.count[OUT_NATURAL] < o.need[OUT_NATURAL]:
            return WANT_NATURAL
        if t.count[OUT_MIXED_SET] < o.need[OUT_MIXED_SET]:
            return WANT_MIXED_SET
        if t.count[OUT_SET] < o.need[OUT_SET]:
            return WANT_SET
    if needs == NEEDS_NATURAL and t.count[OUT_NATURAL] == 0:
        return WANT_NATURAL
    return WANT_ANY


cdef inline bint run_completes(const CRules* r, const CMeld* m, int below, CHand* h) noexcept nogil:
    """Complete an incomplete run with cards of the hand, `below` of them at its lower end; False (and some cards gone)
    if they are not there."""
    cdef int full = r.kind[m.kind].full, low = (m.start - below + 13) % 13, at = low, w
    if not (r.run_len[low] >> full) & 1:
        return False
    for w in range(full):
        if w < below or w >= below + m.size:
            if not hand_has(h, 16 * m.key + at):
                return False
            hand_remove(h, 16 * m.key + at)
        at = next_rank(at)
    return True


cdef inline void most_of_rank(const CRules* r, CTally* t, int kind, int n, int w) noexcept nogil:
    """Add what n naturals of a rank and w wild cards could become at most."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CKind* k = &r.kind[kind]
    cdef int sets
    if k.full == 0:
        return
    if w > MAX_WILDS:
        w = MAX_WILDS
    sets = (n + w) // k.full
    if sets > n // (k.full - 3):
        sets = n // (k.full - 3)
    t.count[OUT_SET] += <uint8_t>sets
    t.count[OUT_NATURAL_SET] += <uint8_t>(n // k.full)
    t.bonus += o.most_deuce_bonus[n][w] if kind == r.deuce_kind else o.most_bonus[kind][n][w]
    if kind == r.deuce_kind:
        t.deuce_sets += <uint8_t>sets


cdef inline void most_tally(const CRules* r, const CHand* h, const CMeld* laid, int n_laid, CTally* t) noexcept nogil:
    """No side has more than this after laying cards of the hand, whatever it lays."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CKind* k
    cdef const CMeld* m
    cdef uint64_t a = h.p1, starts
    cdef CHand g
    cdef int i, d, n, w, suit, full, wilds = h.jokers + rank_count(h, DEUCE), rank, gain
    tally_clear(t)
    for i in range(n_laid):
        m = &laid[i]
        k = &r.kind[m.kind]
        tally_meld(r, t, m)
        if k.full == 0 or m.size >= k.full:
            continue
        if k.shape == SHAPE_RUN:
            for d in range(k.full - m.size + 1):
                g = h[0]
                if run_completes(r, m, d, &g):
                    t.count[OUT_RUN] += 1
                    t.runs |= <uint8_t>(1 << m.key)
                    t.bonus += k.bonus[7][0]
                    break
        elif k.shape == SHAPE_WILD:
            if m.size + wilds >= k.full:
                t.count[OUT_WILD] += 1
                t.bonus += k.bonus[k.full][0]
        else:
            n = rank_count(h, m.key)
            if m.size + n + wilds >= k.full:
                t.count[OUT_SET] += 1
                t.deuce_sets += m.key == DEUCE
                gain = 0
                for d in range(13):
                    for w in range(4):
                        if k.bonus[d][w] > gain:
                            gain = k.bonus[d][w]
                t.bonus += gain
                if m.wilds == 0 and m.size + n >= k.full:
                    t.count[OUT_NATURAL_SET] += 1
    if o.full_starts:
        k = &r.kind[r.run_kind]
        full = k.full
        starts = hand_runs(o, a, full) & o.full_starts
        for suit in range(4):
            if starts and (starts >> (16 * suit)) & 0xFFFF:
                n = (popcount64((a >> (16 * suit)) & 0x1FFF) + popcount64((h.p2 >> (16 * suit)) & 0x1FFF)
                     + popcount64((h.p3 >> (16 * suit)) & 0x1FFF)) // full
                t.count[OUT_RUN] += <uint8_t>n
                t.runs |= <uint8_t>(1 << suit)
                t.bonus += n * k.bonus[7][0]
    for rank in range(13):
        if (o.set_ranks >> (4 * rank)) & 1:
            most_of_rank(r, t, r.set_kind[rank], rank_count(h, rank), wilds)
    if r.deuce_kind != NONE:
        most_of_rank(r, t, r.deuce_kind, rank_count(h, DEUCE), h.jokers)
    elif r.wild_kind != NONE and r.kind[r.wild_kind].full:
        k = &r.kind[r.wild_kind]
        t.count[OUT_WILD] += <uint8_t>(wilds // k.full)
        t.bonus += o.most_wild_bonus[wilds if wilds < MAX_WILDS else MAX_WILDS]
    t.count[OUT_MIXED_SET] = t.count[OUT_SET]
    t.count[OUT_NATURAL] = t.count[OUT_NATURAL_SET] + t.count[OUT_RUN]
    t.count[OUT_CANASTA] = t.count[OUT_SET] + t.count[OUT_RUN] + t.count[OUT_WILD]
    t.points += all_points(r, h)


cdef inline bint plan_judged(const CPlan* p, const CHand* h, const CMeld* laid, int n_laid, int* want) noexcept nogil:
    """The plan succeeds as it stands. want: what complete meld could change the answer, if any."""
    cdef const CRules* r = p.r
    cdef CTally t, u
    cdef uint64_t spoil = 0, protect
    cdef int i, needs = p.needs if p.need == NULL else p.need.needs
    cdef CMeld m
    want[0] = WANT_NOTHING
    if p.need != NULL and not points_reach(r, h, laid, n_laid, p.need, p.need.keep, 0, 0):
        return False
    most_tally(r, h, laid, n_laid, &u)
    if (needs != NEEDS_NONE and u.count[OUT_CANASTA if needs == NEEDS_CANASTA else OUT_NATURAL] == 0) or (
            p.need == NULL and not out_ok(p.out, &u)):
        return False
    tally_clear(&t)
    for i in range(n_laid):
        tally_meld(r, &t, &laid[i])
        if natural_spoils(r, &laid[i]):
            spoil |= <uint64_t>1 << i
    if p.need != NULL:
        want[0] = wanted_meld(NULL, &t, needs)
        if not needs_met(r, laid, n_laid, needs):
            return False
        if needs != NEEDS_NATURAL:
            return True
        for i in range(n_laid):
            if not needs_met(r, &laid[i], 1, NEEDS_NATURAL):
                continue
            protect = <uint64_t>1 << i if natural_spoils(r, &laid[i]) else 0
            if points_reach(r, h, laid, n_laid, p.need, p.need.keep, 0, protect):
                return True
        return False
    t.points += all_points(r, h)
    if t.points < p.minimum or not all_lies(r, h, laid, n_laid, 0, p.left):
        return False
    want[0] = wanted_meld(p.out, &t, needs)
    if not needs_met(r, laid, n_laid, p.needs) or not out_ok(p.out, &t):
        return False
    # sets without wild cards that might have to take one: those that must stay natural are protected
    protect = spoil
    while True:
        u = t
        for i in range(n_laid):
            if ((spoil & ~protect) >> i) & 1:
                m = laid[i]
                tally_complete(r, &u, &m, -1)
                m.wilds = 1
                m.size += 1
                tally_complete(r, &u, &m, 1)
        if out_ok(p.out, &u) and (p.needs != NEEDS_NATURAL or u.count[OUT_NATURAL]) and all_lies(
                r, h, laid, n_laid, protect, p.left):
            return True
        if protect == 0:
            return False
        protect = (protect - 1) & spoil


cdef inline bint plan_complete(const CPlan* p, const CHand* h, const CMeld* laid, int n_laid, int from_,
                               int wanted) noexcept nogil:
    """The plan succeeds, perhaps after more melds have been completed. The next one is of the sort that is missing;
    melds of one sort are completed in order: laid ones by index, runs (64 + place), sets (128 + rank), wild melds
    (141), and from_ says where to go on if `wanted` is still missing."""
    cdef const CRules* r = p.r
    cdef const COpening* o = <const COpening*>r.opening
    cdef CMeld melds[MAX_LAID + 1]
    cdef CHand g
    cdef const CKind* k
    cdef uint64_t starts
    cdef int i, d, kind, rank, want
    cdef bint runs, sets
    if plan_judged(p, h, laid, n_laid, &want):
        return True
    if want == WANT_NOTHING or n_laid >= MAX_LAID:
        return False
    if want != wanted:
        from_ = 0
    runs = want == WANT_RUN or want == WANT_NATURAL or want == WANT_ANY
    sets = want != WANT_RUN and want != WANT_WILD
    memcpy(melds, laid, n_laid * sizeof(CMeld))
    for i in range(from_, n_laid):
        k = &r.kind[laid[i].kind]
        if k.full == 0 or laid[i].size >= k.full or h.n < k.full - laid[i].size:
            continue
        if k.shape != SHAPE_RUN:
            if (sets if k.shape == SHAPE_SET else want == WANT_WILD or want == WANT_ANY) and plan_set(
                    p, h, melds, n_laid, i, laid[i].kind, laid[i].key, i + 1, want):
                return True
            continue
        if not runs:
            continue
        for d in range(k.full - laid[i].size + 1):
            g = h[0]
            if run_completes(r, &laid[i], d, &g):
                start_run(r, &melds[i], laid[i].key, (laid[i].start - d + 13) % 13, k.full)
                if plan_complete(p, &g, melds, n_laid, i + 1, want):
                    return True
                melds[i] = laid[i]
    if runs and o.full_starts:
        k = &r.kind[r.run_kind]
        starts = hand_runs(o, h.p1, k.full) & o.full_starts
        for i in range(from_ - 64 if from_ > 64 else 0, 64):
            if not (starts >> i) & 1:
                continue
            start_run(r, &melds[n_laid], i >> 4, (o.low + (i & 15)) % 13, k.full)
            g = h[0]
            hand_less(r, &g, &melds[n_laid])
            if plan_complete(p, &g, melds, n_laid + 1, 64 + i, want):
                return True
    for rank in range(from_ - 128 if from_ > 128 else 0, 14):
        if rank < 13:
            kind = r.deuce_kind if rank == DEUCE else r.set_kind[rank]
            if not sets or rank == THREE or kind == NONE or r.kind[kind].when != ALWAYS or not may_start(
                    r, kind, rank, laid, n_laid):
                continue
        else:
            kind = r.wild_kind
            if kind == NONE or r.deuce_kind != NONE or (want != WANT_WILD and want != WANT_ANY):
                continue
        if r.kind[kind].full == 0 or h.n < r.kind[kind].full:
            continue
        memset(&melds[n_laid], 0, sizeof(CMeld))
        melds[n_laid].kind = <uint8_t>kind
        melds[n_laid].key = <uint8_t>(rank if rank < 13 else 0)
        if plan_set(p, h, melds, n_laid + 1, n_laid, kind, rank, 128 + rank, want):
            return True
    return False


cdef inline int loose_suits(const CRules* r, const CHand* h, const CMeld* melds, int n, int rank) noexcept nogil:
    """Cards of a rank that no run can take, by suit, two bits each (some of them, at least)."""
    cdef const COpening* o = <const COpening*>r.opening
    cdef uint64_t q[3]
    cdef uint64_t some, runs
    cdef int i, out = suit_counts(h, rank)
    if not o.runs:
        return out
    for i in range(n):
        if r.kind[melds[i].kind].shape == SHAPE_RUN:
            out &= ~(3 << (2 * melds[i].key))       # a laid run of the suit could
    cover(o, run_places(o, h.p1), run_places(o, h.p2), run_places(o, h.p3), q)
    runs = run_cards_of(o, q[0])
    for i in range(4):
        some = (runs >> (16 * i + rank)) & 1
        if some:
            out &= ~(3 << (2 * i))
    return out


cdef inline bint plan_set(const CPlan* p, const CHand* h, CMeld* melds, int n, int i, int kind, int rank,
                          int from_, int want) noexcept nogil:
    """Complete melds[i], a set (or wild meld) that may be empty, in every way that matters; put it back in the end.
    Cards that no run can take go first: another card of the rank can do whatever they can."""
    cdef const CRules* r = p.r
    cdef const COpening* o = <const COpening*>r.opening
    cdef const CKind* k = &r.kind[kind]
    cdef CMeld was = melds[i]
    cdef CHand g
    cdef CMeld add
    cdef bint wild_meld = k.shape == SHAPE_WILD
    cdef int naturals = was.size - was.wilds, short = k.full - was.size
    cdef int held, loose, deuces = suit_counts(h, DEUCE), loose_deuces = loose_suits(r, h, melds, n, DEUCE)
    cdef int d, w, some, others, jokers, most
    held = deuces if wild_meld else suit_counts(h, rank)
    most = h.jokers if wild_meld or k.wild_jokers else 0
    if k.wild_deuces:
        most += two_bit_sum(<uint8_t>deuces)
    loose = loose_deuces if wild_meld else loose_suits(r, h, melds, n, rank)
    for d in range(short + 1):
        w = short - d
        if d > two_bit_sum(<uint8_t>held) or w > most:
            continue
        if wild_meld:
            # d deuces and w jokers, all of them natural
            if w > h.jokers or (was.size and not o.grow[1][kind][was.size][0][short] & 1) or not k.ok[k.full][0]:
                continue
        elif w > 3 or naturals + d > 12:
            continue
        elif was.size and not (o.grow[1][kind][naturals][was.wilds][d] >> w) & 1:
            continue
        elif was.size == 0 and not k.ok[d][w]:
            continue
        if (want == WANT_NATURAL_SET or want == WANT_NATURAL) and was.wilds + w:
            continue
        if want == WANT_MIXED_SET and was.wilds + w == 0:
            continue
        for some in range(256):
            if two_bit_sum(some) != d or not suits_within(some, held) or not loose_first(some, d, loose):
                continue
            for jokers in range(w, -1, -1):
                if jokers > h.jokers or (jokers and not wild_meld and not k.wild_jokers):
                    continue
                if jokers < w and (wild_meld or not k.wild_deuces):
                    break
                for others in range(1 if w == jokers else 256):
                    if two_bit_sum(others) != w - jokers or not suits_within(others, deuces) or not loose_first(
                            others, w - jokers, loose_deuces):
                        continue
                    memset(&add, 0, sizeof(CMeld))
                    add.kind = <uint8_t>kind
                    add.key = was.key
                    add.nat = <uint8_t>some
                    add.jokers = <uint8_t>jokers
                    add.deuces = <uint8_t>others
                    g = h[0]
                    hand_less(r, &g, &add)
                    melds[i] = was
                    melds[i].size += <uint8_t>short
                    melds[i].wilds += <uint8_t>(0 if wild_meld else w)
                    melds[i].jokers += <uint8_t>jokers
                    # copies of a card in a meld fit its two bits: there are three of each at most
                    melds[i].nat += <uint8_t>some
                    melds[i].deuces += <uint8_t>others
                    if plan_complete(p, &g, melds, n, from_, want):
                        melds[i] = was
                        return True
    melds[i] = was
    return False


cdef inline bint loose_first(int some, int n, int loose) noexcept nogil:
    """Of n cards, chosen by suit, the loose ones come first, in the order of suits."""
    cdef int suit, have, k
    for suit in range(4):
        have = two_bit_count(<uint8_t>loose, suit)
        k = n if n < have else have
        if k > two_bit_count(<uint8_t>some, suit) or (have and k == n and two_bit_count(<uint8_t>some, suit) > k):
            return False
        n -= k
    return True
