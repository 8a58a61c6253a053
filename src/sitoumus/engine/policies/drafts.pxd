# Plans: a turn thought through on a draft of the table, for the compiled policies.
#
# A draft is a copy of the public part and of the own hand. Steps are carried out on it as they are put into the plan of
# the seat's CMind, so every plan is made of lawful steps: each uses the tables that generate() uses, keeps the cards
# that must stay, and an opening begins only in a plan that completes it.
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy
from sitoumus.engine.cards cimport (
    at_least_three, at_least_two, CHand, ctz64, DEUCE, hand_count, JOKER, next_rank, NO_CARD, prev_rank, rank_count,
    rank_mask,
)
from sitoumus.engine.tables cimport ALWAYS, CMeld, CRules, NONE, SHAPE_SET
from sitoumus.engine.melds cimport can_add, in_rows, meld_complete, meld_points, starts_of_three
from sitoumus.engine.goals cimport CNeed, COut, out_ok
from sitoumus.engine.state cimport (
    CPublic, MAX_ACTIONS, V_ADD, V_DISCARD, V_DONE, V_DRAW, V_END, V_EXTRA, V_MELD, V_TAKE, V_YES,
)
from sitoumus.engine.actions cimport act_add, act_card, act_first, meld_action, verb_of
from sitoumus.engine.going_out cimport only_card, out_terms
from sitoumus.engine.laying cimport lay_step, meld_of_action
from sitoumus.engine.first_melds cimport opening_suffices
from sitoumus.engine.generate cimport list_black, rank_is_free
from sitoumus.engine.binding cimport generate
from sitoumus.engine.policies.mind cimport CMind, MAX_PLAN

cdef struct CDraft:
    CPublic p                 # without the melds of the others
    CHand h
    CMind* mind               # whose plan is written
    int side
    int floor                 # cards that stay in hand
    int run_least             # cards of the shortest new sequence
    uint64_t keep             # cards of which one copy is kept for runs


# ---- drafts ----------------------------------------------------------------------------------------------------------

cdef inline void draft_begin(const CRules* r, CDraft* d, const CPublic* p, const CHand* h, CMind* m,
                             int floor) noexcept nogil:
    cdef int side = r.side_of[p.player]
    memcpy(&d.p, p, <const char*>&p.melds[0][0] - <const char*>p)      # of the melds, most of it, the own ones
    memcpy(&d.p.melds[side][0], &p.melds[side][0], p.n_melds[side] * sizeof(CMeld))
    d.h = h[0]
    d.mind = m
    d.side = side
    d.floor = floor
    d.run_least = 3
    d.keep = 0


cdef inline bint note_step(CMind* m, uint32_t a) noexcept nogil:
    """Put a step into the plan; False if it is full. The last place is left to a discard."""
    if m.n_plan >= MAX_PLAN - (verb_of(a) != V_DISCARD):
        return False
    m.plan[m.n_plan] = a
    m.n_plan += 1
    return True


cdef inline bint draft_step(const CRules* r, CDraft* d, uint32_t a) noexcept nogil:
    """Plan a meld, add or merge, and carry it out on the draft; False when the plan is full."""
    if not note_step(d.mind, a):
        return False
    lay_step(r, &d.p, &d.h, a)
    return True


cdef inline int room(const CDraft* d) noexcept nogil:
    """Cards that may still be laid."""
    return d.h.n - d.floor


# ---- runs ------------------------------------------------------------------------------------------------------------

cdef inline void extend_run(const CRules* r, CDraft* d, int i) noexcept nogil:
    """Put all cards that continue own run i onto it, until it is complete."""
    cdef const CMeld* m = &d.p.melds[d.side][i]
    cdef int suit = 16 * m.key, low, high
    cdef bint below, above
    while m.size < r.kind[m.kind].full and room(d) > 0:
        low = prev_rank(m.start)
        high = (m.start + m.size) % 13
        below = (d.h.p1 >> (suit + low)) & 1 and (r.run_len[low] >> (m.size + 1)) & 1
        above = (d.h.p1 >> (suit + high)) & 1 and (r.run_len[m.start] >> (m.size + 1)) & 1
        if below and above:
            above = (d.h.p1 >> (suit + next_rank(high))) & 1      # the end that goes on
        if not (below or above):
            return
        if not draft_step(r, d, act_add(suit + (high if above else low), i + 1)):
            return


cdef inline void extend_runs(const CRules* r, CDraft* d) noexcept nogil:
    """Put all cards that fit onto own runs, the long ones first."""
    cdef int i, least
    cdef uint64_t left
    cdef const CMeld* m
    if r.run_kind == NONE:
        return
    for least in range(5, -1, -5):
        left = d.p.running[d.side]
        while left:
            i = ctz64(left)
            left &= left - 1
            m = &d.p.melds[d.side][i]
            if m.size >= least:
                extend_run(r, d, i)


cdef inline void lay_runs(const CRules* r, CDraft* d, uint64_t hold) noexcept nogil:
    """Lay new runs, each as long as the hand has it; starts in hold are left."""
    cdef uint64_t starts
    cdef int low, suit, n, next_, _
    if r.run_kind == NONE:
        return
    while room(d) >= d.run_least:
        starts = starts_of_three(r, d.h.p1) & ~hold
        if d.run_least > 3:
            starts &= in_rows(r, d.h.p1, d.run_least)
        if starts == 0:
            return
        low = ctz64(starts)
        suit = low & 48
        low &= 15
        for _ in range(12):                     # down to the lowest card of the row
            n = prev_rank(low)
            if not (starts >> (suit + n)) & 1:
                break
            low = n
        next_ = next_rank(next_rank(low))
        if not draft_step(r, d, meld_action(suit + low, suit + next_rank(low), suit + next_)):
            return
        n = 3
        while room(d) > 0 and n < r.kind[r.run_kind].full:
            next_ = next_rank(next_)
            if not ((d.h.p1 >> (suit + next_)) & 1 and (r.run_len[low] >> (n + 1)) & 1):
                break
            if not draft_step(r, d, act_add(suit + next_, d.p.n_melds[d.side])):
                return
            n += 1


# ---- sets ------------------------------------------------------------------------------------------------------------

cdef inline int free_of_rank(const CDraft* d, int rank, uint8_t* out) noexcept nogil:
    """The cards of a rank that are not kept for runs; their number."""
    cdef int suit, card, n = 0, k
    for suit in range(4):
        card = 16 * suit + rank
        k = hand_count(&d.h, card) - <int>((d.keep >> card) & 1)
        while k > 0:
            out[n] = <uint8_t>card
            n += 1
            k -= 1
    return n


cdef inline bint rank_opens_set(const CRules* r, const CDraft* d, int rank) noexcept nogil:
    """A new ordinary set of the rank may be laid."""
    return r.set_kind[rank] != NONE and rank_is_free(r, &d.p, d.side, r.set_kind[rank], rank)


cdef inline void add_naturals(const CRules* r, CDraft* d, int i, int least) noexcept nogil:
    """Add naturals to own set i if the hand has at least `least` free ones."""
    cdef const CMeld* m = &d.p.melds[d.side][i]
    cdef uint8_t cards[16]
    cdef int n, k
    if not (d.h.rc >> (4 * m.key)) & 15:
        return
    n = free_of_rank(d, m.key, cards)
    if n < least:
        return
    for k in range(n):
        if room(d) <= 0 or can_add(r, m, cards[k]) != ALWAYS or not draft_step(r, d, act_add(cards[k], i + 1)):
            return


cdef inline void lay_set(const CRules* r, CDraft* d, const uint8_t* cards, int n) noexcept nogil:
    """Lay a new set of these n >= 3 naturals, up to a complete one."""
    cdef int k, target
    if room(d) < 3 or not draft_step(r, d, meld_action(cards[0], cards[1], cards[2])):
        return
    target = d.p.n_melds[d.side]
    for k in range(3, n):
        if (room(d) <= 0 or meld_complete(r, &d.p.melds[d.side][target - 1])
                or can_add(r, &d.p.melds[d.side][target - 1], cards[k]) != ALWAYS
                or not draft_step(r, d, act_add(cards[k], target))):
            return


cdef inline void lay_sets(const CRules* r, CDraft* d, int least) noexcept nogil:
    """Lay a new set of every rank (not deuces) of which `least` >= 3 free naturals are in hand."""
    cdef uint64_t ranks = at_least_three(d.h.rc)
    cdef uint8_t cards[16]
    cdef int rank, n
    while ranks:
        rank = ctz64(ranks) >> 2
        ranks &= ranks - 1
        if rank == DEUCE or not rank_opens_set(r, d, rank) or not r.kind[r.set_kind[rank]].ok[3][0]:
            continue
        n = free_of_rank(d, rank, cards)
        if n >= least:
            lay_set(r, d, cards, n)


cdef inline int next_wild(const CRules* r, const CDraft* d, int kind, bint deuces) noexcept nogil:
    """A wild card for melds of that kind, jokers first; deuces only if told so; NO_CARD if none."""
    cdef uint64_t two = d.h.p1 & rank_mask(DEUCE)
    if d.h.jokers and r.kind[kind].wild_jokers:
        return JOKER
    if two & ~d.keep:
        two &= ~d.keep
    if two and deuces and r.kind[kind].wild_deuces:
        return ctz64(two)
    return NO_CARD


cdef inline void lay_pairs(const CRules* r, CDraft* d, bint deuces) noexcept nogil:
    """Lay pairs with a wild card each, dear ranks first (aces, then from the king down)."""
    cdef uint8_t cards[16]
    cdef int k, rank, wild
    cdef uint64_t pairs = at_least_two(d.h.rc)
    if pairs == 0:
        return
    for k in range(13):
        rank = (13 - k) % 13
        if rank == DEUCE or not (pairs >> (4 * rank)) & 1 or room(d) < 3 or not rank_opens_set(r, d, rank):
            continue
        if not r.kind[r.set_kind[rank]].ok[2][1] or free_of_rank(d, rank, cards) < 2:
            continue
        wild = next_wild(r, d, r.set_kind[rank], deuces)
        if wild == NO_CARD:
            continue
        if not draft_step(r, d, meld_action(cards[0], cards[1], wild)):
            return


cdef inline void add_wild(const CRules* r, CDraft* d, int i, bint deuces) noexcept nogil:
    """Add wild cards to own set i as long as it takes them."""
    cdef const CMeld* m = &d.p.melds[d.side][i]
    cdef int wild
    while room(d) > 0:
        wild = next_wild(r, d, m.kind, deuces)
        if wild == NO_CARD or can_add(r, m, wild) != ALWAYS or not draft_step(r, d, act_add(wild, i + 1)):
            return


# ---- deuces and wild cards among themselves --------------------------------------------------------------------------

cdef inline void add_to_deuces(const CRules* r, CDraft* d) noexcept nogil:
    """Put deuces and jokers onto own incomplete deuce sets and wild melds."""
    cdef int i, k
    cdef uint8_t cards[16]
    cdef const CMeld* m
    cdef int n
    for i in range(d.p.n_melds[d.side]):
        m = &d.p.melds[d.side][i]
        if not ((m.kind == r.deuce_kind or m.kind == r.wild_kind) and not meld_complete(r, m)):
            continue
        n = free_of_rank(d, DEUCE, cards)
        for k in range(n):
            if room(d) <= 0 or meld_complete(r, m) or can_add(r, m, cards[k]) != ALWAYS:
                break
            draft_step(r, d, act_add(cards[k], i + 1))
        while d.h.jokers and room(d) > 0 and not meld_complete(r, m) and can_add(r, m, JOKER) == ALWAYS:
            if not draft_step(r, d, act_add(JOKER, i + 1)):
                return


cdef inline void lay_deuces(const CRules* r, CDraft* d, int least) noexcept nogil:
    """Start a deuce set or a wild meld of at least `least` cards, of them as many deuces as there are."""
    cdef uint8_t cards[20]
    cdef int n, k, target, naturals, jokers = d.h.jokers, _
    if r.deuce_kind == NONE and r.wild_kind == NONE:
        return
    n = free_of_rank(d, DEUCE, cards)
    naturals = n
    if r.deuce_kind != NONE:
        if not rank_opens_set(r, d, DEUCE) or n < 2:
            return
        if jokers > 2:
            jokers = 2
    if n + jokers < least or n + jokers < 3 or room(d) < 3:
        return
    for _ in range(jokers):
        cards[n] = JOKER
        n += 1
    if n > 7:
        n = 7
    if naturals > 3:
        naturals = 3
    if r.deuce_kind != NONE and not r.kind[r.deuce_kind].ok[naturals][3 - naturals]:
        return
    if not draft_step(r, d, meld_action(cards[0], cards[1], cards[2])):
        return
    target = d.p.n_melds[d.side]
    for k in range(3, n):
        if room(d) <= 0 or can_add(r, &d.p.melds[d.side][target - 1], cards[k]) != ALWAYS:
            return
        if not draft_step(r, d, act_add(cards[k], target)):
            return


# ---- all -------------------------------------------------------------------------------------------------------------

cdef inline bint is_plain_set(const CRules* r, const CMeld* m) noexcept nogil:
    """An own set of a rank that grows card by card (no black threes)."""
    return r.kind[m.kind].shape == SHAPE_SET and r.kind[m.kind].when == ALWAYS


cdef inline void complete_sets(const CRules* r, CDraft* d) noexcept nogil:
    """Put wild cards onto own sets that are nearly complete."""
    cdef int i
    for i in range(d.p.n_melds[d.side]):
        if is_plain_set(r, &d.p.melds[d.side][i]) and 5 <= d.p.melds[d.side][i].size < 7:
            add_wild(r, d, i, True)


cdef inline void lay_all(const CRules* r, CDraft* d) noexcept nogil:
    """Lay everything that can be laid, long melds before short ones."""
    cdef int i
    extend_runs(r, d)
    lay_runs(r, d, 0)
    for i in range(d.p.n_melds[d.side]):
        if is_plain_set(r, &d.p.melds[d.side][i]):
            add_naturals(r, d, i, 1)
    add_to_deuces(r, d)
    lay_sets(r, d, 3)
    if d.h.jokers or rank_count(&d.h, DEUCE):
        complete_sets(r, d)
        lay_deuces(r, d, 3)
        lay_pairs(r, d, True)
        for i in range(d.p.n_melds[d.side]):
            if is_plain_set(r, &d.p.melds[d.side][i]):
                add_wild(r, d, i, True)


cdef inline void lay_black(const CRules* r, CDraft* d) noexcept nogil:
    """Lay the set of black threes that leaves one card, if nothing else is left (R20.2)."""
    cdef uint32_t steps[256]
    if d.h.n >= 3 and list_black(r, &d.p, &d.h, steps):
        if note_step(d.mind, steps[0]):
            lay_step(r, &d.p, &d.h, steps[0])


cdef inline bint plan_out(const CRules* r, CDraft* d, const CPublic* p, const CHand* h, CMind* m,
                          bint permitted) noexcept nogil:
    """Plan to lay all but one card and to go out with it; False, and no plan, if this way does not lead there.
    permitted: as if partner had said yes."""
    cdef COut o
    cdef int n = m.n_plan
    out_terms(r, p, p.player, &o)
    if permitted:
        o.forbidden = 0
    if o.forbidden:
        return False
    draft_begin(r, d, p, h, m, 1)
    lay_all(r, d)
    lay_black(r, d)
    if d.h.n == 1 and out_ok(&o, &d.p.tally[d.side]) and note_step(m, act_card(V_DISCARD, only_card(&d.h))):
        return True
    m.n_plan = n
    return False


# ---- openings --------------------------------------------------------------------------------------------------------

cdef inline bint suffices(const CRules* r, const CDraft* d, const CNeed* need) noexcept nogil:
    return (d.p.n_melds[d.side] > 0 and d.h.n >= need.keep
            and opening_suffices(r, d.p.melds[d.side], d.p.n_melds[d.side], need, need.extra_points))


cdef inline bint build_opening(const CRules* r, CDraft* d, const CNeed* need, bint wilds, bint sets) noexcept nogil:
    """Plan an opening: runs, then sets, then sets with jokers, at last with deuces; True once it suffices. It may fail
    where another division of the cards would do."""
    cdef int i, rank, n
    cdef uint8_t cards[16]
    d.floor = need.keep
    extend_runs(r, d)
    lay_runs(r, d, 0)
    if suffices(r, d, need):
        return True
    if not sets:
        return False
    for i in range(13):
        rank = (13 - i) % 13
        if rank == DEUCE or rank_count(&d.h, rank) < 3 or not rank_opens_set(r, d, rank):
            continue
        n = free_of_rank(d, rank, cards)
        if n >= 3 and r.kind[r.set_kind[rank]].ok[3][0]:
            lay_set(r, d, cards, n)
            if suffices(r, d, need):
                return True
    if need.deuce_min and rank_count(&d.h, DEUCE) >= need.deuce_min:
        n = free_of_rank(d, DEUCE, cards)
        lay_set(r, d, cards, n)
        if suffices(r, d, need):
            return True
    if not wilds:
        return False
    for n in range(2):                       # jokers alone, then deuces too
        for i in range(d.p.n_melds[d.side]):
            if is_plain_set(r, &d.p.melds[d.side][i]) and d.p.melds[d.side][i].kind != r.deuce_kind:
                add_wild(r, d, i, n)
                if suffices(r, d, need):
                    return True
        lay_pairs(r, d, n)
        if suffices(r, d, need):
            return True
    return False


# ---- the step to fall back on ----------------------------------------------------------------------------------------

cdef inline uint32_t any_step(const CRules* r, const CPublic* p, const CHand* h) noexcept nogil:
    """A legal step where no plan applies: what ends the phase soonest, else the dearest meld."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef uint8_t cards[8]
    cdef CMeld m
    cdef int n = generate(r, p, h, steps), i, value, most = -1, verb
    cdef uint32_t best = steps[0]
    for i in range(n):
        verb = verb_of(steps[i])
        if verb == V_DONE or verb == V_DRAW or verb == V_EXTRA or verb == V_YES:
            value = 5000
        elif verb == V_DISCARD:
            value = 1000 + r.hand_points[act_first(steps[i])]
        elif verb == V_TAKE:
            value = 900
        elif verb == V_END:
            value = 800
        elif verb == V_MELD:
            value = 100
            if meld_of_action(r, steps[i], cards, &m):
                value += meld_points(r, &m)
        elif verb == V_ADD:
            value = 50 + r.points[act_first(steps[i])]
        else:
            value = 0
        if value > most:
            most = value
            best = steps[i]
    return best
