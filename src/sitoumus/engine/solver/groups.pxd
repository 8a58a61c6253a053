# What the cards outside runs lose: sets, deuce sets and wild melds by closed forms or a small table by rank.
from libc.stdint cimport uint8_t, uint32_t, uint64_t, int32_t
from libc.string cimport memset
from sitoumus.engine.cards cimport (
    at_least_one, at_least_three, at_least_two, BYTES, ctz64, DEUCE, LOW4, nibble_bits, nibble_sum, NIBBLES,
)
from sitoumus.engine.tables cimport CRules
from sitoumus.engine.solver.tables cimport BLACK_NIBBLE, COpening, CPrices, IMPOSSIBLE, MAX_LAID, MAX_WILDS, ROW

cdef struct CGroups:          # how the cards outside runs are laid, by rank
    uint8_t naturals[13]
    uint8_t jokers[13]
    uint8_t deuces[13]
    uint8_t set_deuces, set_jokers      # in deuce sets
    uint8_t wild_deuces, wild_jokers    # in wild melds

cdef struct CExtension:       # a laid run that the hand can lengthen
    uint8_t suit, start, size, most
    uint8_t below, above      # cards added, in the solution

cdef struct CSolve:
    const CRules* r
    const COpening* o
    const CPrices* price
    # free cards
    uint64_t p1, p2, p3       # by rank
    uint64_t rc               # nibbles by rank; black threes apart where `split`
    int jokers
    bint out                  # going out
    bint split
    bint black_set            # going out: three and more black threes form a set
    # ranks
    uint64_t plain            # one natural is lost, two need a wild card, and so on
    uint64_t special          # ranks with laid sets: any number may lie, up to hold wild cards
    uint64_t dead_cards       # all bits of the nibbles of ranks without sets
    bint by_table             # some rank is neither: use group_table
    bint with_bonus
    uint32_t rows[13][13]     # of the special ranks
    uint8_t hold[13][13]
    # deuce sets and wild melds
    const uint32_t* deuce_rows
    uint32_t own_deuce_rows[13]
    const int32_t* deuce_bonus
    uint32_t wild_sizes
    bint must_deuce           # laid deuce sets need more deuces
    int least_deuces          # a deuce set can take deuces or jokers once so many deuces are free
    # laid runs
    int n_extensions
    CExtension extension[MAX_LAID]
    # the search
    int best                  # loss to be beaten; at the end the least one found
    int stop                  # a loss that is good enough
    bint done
    int nodes
    int limit                 # nodes, 0: as many as it takes
    uint64_t best_runs[3]     # places in runs, of the best solution
    uint64_t best_rc          # cards outside runs
    int black_max


cdef inline int cost_of(const CPrices* p, uint64_t ranks) noexcept nogil:
    """One card of each of these ranks (lowest bits of nibbles)."""
    cdef uint64_t y
    cdef int total = 0
    if p.unit:
        y = (ranks * 15) & p.weight
        return p.unit * <int>((((y & LOW4) + ((y >> 4) & LOW4)) * BYTES) >> 56)
    while ranks:
        total += p.cost[ctz64(ranks) >> 2]
        ranks &= ranks - 1
    return total


cdef inline int cost_of_all(const CPrices* p, uint64_t n) noexcept nogil:
    """All cards of nibbles n."""
    cdef int total = 0, i
    while n:
        i = ctz64(n) >> 2
        total += <int>((n >> (4 * i)) & 15) * p.cost[i]
        n &= ~(<uint64_t>15 << (4 * i))
    return total


cdef inline int pairs_cost(const CPrices* p, uint64_t pairs, int k) noexcept nogil:
    """The k cheapest of these pairs."""
    cdef int i, n, total = 0
    for i in range(p.n_classes):
        n = nibble_bits(pairs & p.class_ranks[i])
        if n >= k:
            return total + 2 * k * p.class_cost[i]
        total += 2 * n * p.class_cost[i]
        k -= n
    return total


cdef inline int drop_cost(const CPrices* p, int k, int jokers, int deuces) noexcept nogil:
    """The k cheapest of these wild cards."""
    cdef int first = jokers if p.joker < p.deuce else deuces
    cdef int cost = p.joker if p.joker < p.deuce else p.deuce
    if k <= first:
        return k * cost
    return first * cost + (k - first) * (p.deuce if p.joker < p.deuce else p.joker)


cdef inline int capacity(const CSolve* s, uint64_t n) noexcept nogil:
    """Wild cards that the sets of n (nibbles, set ranks) can hold."""
    cdef const COpening* o = s.o
    cdef uint64_t m
    cdef int cap = 0, rank
    m = n & (s.plain * 15)
    if o.pairs_hold:
        cap = 2 * nibble_sum((m >> 1) & (7 * NIBBLES))
    else:
        while m:
            rank = ctz64(m) >> 2
            cap += o.hold[s.r.set_kind[rank]][(m >> (4 * rank)) & 15]
            m &= ~(<uint64_t>15 << (4 * rank))
    m = s.special
    while m:
        rank = ctz64(m) >> 2
        cap += s.hold[rank][(n >> (4 * rank)) & 15]
        m &= m - 1
    return cap


cdef inline int wilds_loss(const CSolve* s, uint64_t pairs, int np, int cap, int deuces) noexcept nogil:
    """Least loss of pairs and wild cards when deuce sets and wild melds take part. Wild cards go where points do not
    differ, so only how many stay in hand counts."""
    cdef int x, y, t, j, d, w, loss, best = IMPOSSIBLE
    cdef uint32_t ys, ts
    for x in range(deuces + 1):
        ys = s.deuce_rows[x]
        while ys:
            y = ctz64(ys)
            ys &= ys - 1
            if y > s.jokers:
                break
            j = s.jokers - y
            d = deuces - x
            ts = s.wild_sizes
            while ts:
                t = ctz64(ts)
                ts &= ts - 1
                w = j + d - t
                if w < 0:
                    break
                loss = pairs_cost(s.price, pairs, np - w) if w < np else 0
                if w > cap:
                    loss += drop_cost(s.price, w - cap, j, d)
                if loss < best:
                    best = loss
    return best


cdef inline int black_loss(const CSolve* s, int n) noexcept nogil:
    if n < 3:
        return n
    return n - s.black_max if n > s.black_max else 0


cdef struct CView:            # cards outside runs, by what ranks of the plain kind have
    uint64_t one              # one or more
    uint64_t single           # one
    uint64_t pairs            # two
    int n_pairs
    int wilds                 # jokers and deuces outside runs
    bint idle                 # some wild card found no place


cdef inline void look_at(const CSolve* s, uint64_t a, CView* v) noexcept nogil:
    """View of cards a (nibbles; deuces are nibble 1) and the jokers."""
    cdef uint64_t n = a & (s.plain * 15), two = at_least_two(n)
    v.one = at_least_one(n)
    v.single = v.one & ~two
    v.pairs = two & ~at_least_three(n)
    v.n_pairs = nibble_bits(v.pairs)
    v.wilds = s.jokers + <int>((a >> (4 * DEUCE)) & 15)
    v.idle = False


cdef inline int group_loss(const CSolve* s, uint64_t a, CView* v) noexcept nogil:
    """Least loss of the cards outside runs and the jokers."""
    cdef uint64_t m
    cdef int loss, cap, d
    if s.by_table:
        return group_table(s, a, NULL)
    loss = cost_of(s.price, v.single)
    m = a & s.dead_cards
    if m:
        loss += cost_of_all(s.price, m)
    if s.black_set:
        loss += black_loss(s, <int>((a >> (4 * BLACK_NIBBLE)) & 15))
    d = v.wilds - s.jokers
    if s.must_deuce:
        return loss + wilds_loss(s, v.pairs, v.n_pairs, capacity(s, a), d)
    if v.wilds <= v.n_pairs:
        return loss + (pairs_cost(s.price, v.pairs, v.n_pairs - v.wilds) if v.wilds < v.n_pairs else 0)
    cap = capacity(s, a)
    if v.wilds > cap:
        v.idle = True
        loss += wilds_loss(s, v.pairs, v.n_pairs, cap, d)
    return loss


cdef struct CGroupTable:      # the division of wild cards among the ranks, rank by rank
    int steps                 # ranks gone through
    int ranks[13]
    int most                  # wild cards that matter
    int top_j, top_d          # bounds of jokers and deuces; where they are not told apart, all count as jokers
    int lost[14][ROW][13]     # after so many ranks, with so many jokers and deuces in sets
    uint8_t how[13][ROW][13][3]      # naturals, jokers (or all wild cards), deuces of the rank
    # the best end
    int best
    int set_j, set_d          # jokers and deuces in sets
    int deuces, jokers        # in deuce sets
    int wild                  # cards of wild melds


cdef inline void rank_costs(const CSolve* s, int rank, int n, int most, int* cost, int* take) noexcept nogil:
    """Least loss of a rank of which n naturals are free, by the wild cards its set takes, and the naturals laid."""
    cdef int kind = s.r.set_kind[rank], w, i, loss
    cdef const uint32_t* rows = &s.o.rows[s.out][kind][0]
    if (s.special >> (4 * rank)) & 1:
        rows = &s.rows[rank][0]
    for w in range(most + 1):
        cost[w] = IMPOSSIBLE
        for i in range(n + 1):
            if (rows[i] >> w) & 1:
                loss = (n - i) * s.price.cost[rank] - (s.o.bonus[kind][i][w] if s.with_bonus else 0)
                if loss < cost[w]:
                    cost[w] = loss
                    take[w] = i


cdef inline void add_rank(const CSolve* s, CGroupTable* g, int rank, const int* cost, const int* take) noexcept nogil:
    """Let one more rank have its share of the jokers and deuces, in every way."""
    cdef int kind = s.r.set_kind[rank], step = g.steps, w, vj, vd, j, d, loss
    cdef bint mixed = s.o.mixed_wild
    for j in range(g.top_j + 1):
        for d in range(g.top_d + 1):
            g.lost[step + 1][j][d] = IMPOSSIBLE
    for w in range(g.most + 1):
        if cost[w] == IMPOSSIBLE:
            continue
        for vj in range(w if not mixed else 0, w + 1):
            vd = w - vj
            if mixed and ((vj and not s.r.kind[kind].wild_jokers) or (vd and not s.r.kind[kind].wild_deuces)):
                continue
            for j in range(g.top_j - vj + 1):
                for d in range(g.top_d - vd + 1):
                    if g.lost[step][j][d] == IMPOSSIBLE:
                        continue
                    loss = g.lost[step][j][d] + cost[w]
                    if loss < g.lost[step + 1][j + vj][d + vd]:
                        g.lost[step + 1][j + vj][d + vd] = loss
                        g.how[step][j + vj][d + vd][0] = <uint8_t>take[w]
                        g.how[step][j + vj][d + vd][1] = <uint8_t>vj
                        g.how[step][j + vj][d + vd][2] = <uint8_t>vd
    g.ranks[step] = rank
    g.steps = step + 1


cdef inline void end_with_wilds(const CSolve* s, CGroupTable* g, int jokers, int deuces, int x, int y) noexcept nogil:
    """x deuces and y jokers lie in deuce sets: the best division of the others among sets, wild melds and hand."""
    cdef int j, d, t, rest, loss
    cdef uint32_t ts
    for j in range(g.top_j + 1):
        for d in range(g.top_d + 1):
            rest = jokers + deuces - x - y - j - d
            if g.lost[g.steps][j][d] == IMPOSSIBLE or rest < 0 or (
                    s.o.mixed_wild and (j + y > jokers or d + x > deuces)):
                continue
            ts = s.wild_sizes
            while ts:
                t = ctz64(ts)
                ts &= ts - 1
                if t > rest:
                    break
                loss = g.lost[g.steps][j][d]
                if s.o.mixed_wild:
                    loss += drop_cost(s.price, rest - t, jokers - j - y, deuces - d - x)
                else:
                    loss += drop_cost(s.price, rest - t, jokers - y, deuces - x)
                if s.with_bonus:
                    loss -= s.deuce_bonus[x * ROW + y] + s.o.wild_bonus[t]
                if loss < g.best:
                    g.best = loss
                    g.set_j = j
                    g.set_d = d
                    g.deuces = x
                    g.jokers = y
                    g.wild = t


cdef inline void write_groups(const CSolve* s, const CGroupTable* g, int jokers, int deuces,
                              CGroups* out) noexcept nogil:
    """How the best end is laid: the table walked back, rank by rank."""
    cdef int j = g.set_j, d = g.set_d, step = g.steps, rank, vj, vd, i, k
    memset(out, 0, sizeof(CGroups))
    out.set_deuces = <uint8_t>g.deuces
    out.set_jokers = <uint8_t>g.jokers
    # jokers and deuces that are neither in deuce sets nor, told apart, in sets
    jokers -= g.jokers
    deuces -= g.deuces
    if s.o.mixed_wild:
        jokers -= j
        deuces -= d
    # those that stay: the cheaper first; then the wild melds, deuces first
    k = jokers + deuces - g.wild - (0 if s.o.mixed_wild else j)
    if s.price.joker < s.price.deuce:
        i = k if k < jokers else jokers
        jokers -= i
        deuces -= k - i
    else:
        i = k if k < deuces else deuces
        deuces -= i
        jokers -= k - i
    out.wild_deuces = <uint8_t>(g.wild if g.wild < deuces else deuces)
    out.wild_jokers = <uint8_t>(g.wild - out.wild_deuces)
    jokers -= out.wild_jokers
    while step:
        step -= 1
        rank = g.ranks[step]
        out.naturals[rank] = g.how[step][j][d][0]
        vj = g.how[step][j][d][1]
        vd = g.how[step][j][d][2]
        j -= vj
        d -= vd
        if not s.o.mixed_wild:
            vd = vj
            vj = vd if vd < jokers else jokers
            vd -= vj
            jokers -= vj
        out.jokers[rank] = <uint8_t>vj
        out.deuces[rank] = <uint8_t>vd


cdef inline int group_table(const CSolve* s, uint64_t a, CGroups* out) noexcept nogil:
    """The same for any tables, by going through the ranks: what is lost (less what bonus is earned) when exactly so
    many wild cards are in sets. With `out`, also how it is done. Where every kind takes both jokers and deuces as wild
    cards they need not be told apart until the end."""
    cdef CGroupTable g
    cdef int cost[ROW]
    cdef int take[ROW]
    cdef int rank, n, x, y, j, d
    cdef int jokers = s.jokers, deuces = <int>((a >> (4 * DEUCE)) & 15)
    cdef int base = cost_of_all(s.price, a & s.dead_cards)
    cdef uint32_t ys
    if s.black_set:
        base += black_loss(s, <int>((a >> (4 * BLACK_NIBBLE)) & 15))
    g.steps = 0
    g.best = IMPOSSIBLE
    g.most = jokers + deuces if jokers + deuces < MAX_WILDS else MAX_WILDS
    g.top_j = jokers if s.o.mixed_wild else g.most
    g.top_d = deuces if s.o.mixed_wild else 0
    for j in range(g.top_j + 1):
        for d in range(g.top_d + 1):
            g.lost[0][j][d] = IMPOSSIBLE
    g.lost[0][0][0] = 0
    for rank in range(13):
        n = <int>((a >> (4 * rank)) & 15)
        if (s.o.set_ranks >> (4 * rank)) & 1 and (n or (s.special >> (4 * rank)) & 1):
            rank_costs(s, rank, n, g.most, cost, take)
            add_rank(s, &g, rank, cost, take)
    for x in range(deuces + 1):
        ys = s.deuce_rows[x]
        while ys:
            y = ctz64(ys)
            ys &= ys - 1
            if y > jokers:
                break
            end_with_wilds(s, &g, jokers, deuces, x, y)
    if g.best >= IMPOSSIBLE:
        return IMPOSSIBLE
    if out != NULL:
        write_groups(s, &g, jokers, deuces, out)
    return base + g.best


cdef inline int most_bonus(const CSolve* s, uint64_t e) noexcept nogil:
    """No more bonus than this from sets of these cards, all wild cards shared out at their best."""
    cdef const COpening* o = s.o
    cdef const int32_t* rank_bonus
    cdef uint64_t m = at_least_three(e) & o.set_ranks
    cdef int most[ROW]                  # with up to so many wild cards
    cdef int rank, i, v, best, d = <int>((e >> (4 * DEUCE)) & 15), w = s.jokers + d
    if w > MAX_WILDS:
        w = MAX_WILDS
    for i in range(w + 1):
        most[i] = o.most_deuce_bonus[i if i < d else d][i if i < s.jokers else s.jokers] + o.most_wild_bonus[i]
    while m:
        rank = ctz64(m) >> 2
        m &= m - 1
        rank_bonus = &o.most_bonus[s.r.set_kind[rank]][(e >> (4 * rank)) & 15][0]
        if rank_bonus[w] == 0:
            continue
        for i in range(w, -1, -1):
            best = most[i] + rank_bonus[0]
            for v in range(1, i + 1):
                if most[i - v] + rank_bonus[v] > best:
                    best = most[i - v] + rank_bonus[v]
            most[i] = best
    return most[w]


cdef inline int least_loss(const CSolve* s, uint64_t a, uint64_t f, const CView* v) noexcept nogil:
    """No solution loses less: cards a (seen as v) are outside runs, each card of f goes where it is wanted."""
    cdef uint64_t e = a + f, n = e & (s.plain * 15), two = at_least_two(n), pairs, m
    cdef int loss, np, fd, k, cap, b
    pairs = two & ~at_least_three(n) & v.one
    loss = cost_of(s.price, v.one & ~two)
    m = a & s.dead_cards
    if m:
        loss += cost_of_all(s.price, m)
    if s.black_set:
        k = <int>((a >> (4 * BLACK_NIBBLE)) & 15)
        b = <int>((e >> (4 * BLACK_NIBBLE)) & 15)
        if k:
            loss += black_loss(s, k if b < 3 or k > 3 else 3)
    fd = <int>((f >> (4 * DEUCE)) & 15)
    np = nibble_bits(pairs)
    if np > v.wilds + fd:
        k = pairs_cost(s.price, pairs, np - v.wilds - fd)
        loss += k if (pairs & at_least_one(f)) == 0 else k // 2    # one of such a pair could stay in a run
    elif v.wilds > np and not s.by_table and v.wilds - s.jokers + fd < s.least_deuces and s.wild_sizes == 1:
        cap = capacity(s, e)
        if v.wilds > cap:
            loss += drop_cost(s.price, v.wilds - cap, s.jokers, v.wilds - s.jokers)
    if s.with_bonus:
        loss -= most_bonus(s, e)
    return loss
