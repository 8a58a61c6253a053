# Discards of the heuristic: what a card is worth to its own side, and what it gives the next seat.
from libc.stdint cimport uint32_t, uint64_t, int32_t, int64_t
from libc.string cimport memset
from sitoumus.engine.cards cimport at_least_one, CHand, ctz64, DEUCE, JOKER, rank_mask, THREE
from sitoumus.engine.tables cimport CRules, EXTENT_WHOLE, is_freezing, WAY_FIT_FULL, WAY_FIT_SET, WAY_PAIR
from sitoumus.engine.state cimport CPublic
from sitoumus.engine.policies.heuristic.sight cimport (
    AT_LEAST, CSight, no_contract, P_FEED_RUN, P_FREEZE_CARD, P_KEEP_DEUCE, P_KEEP_FOR_PILE, P_KEEP_JOKER,
    P_KEEP_OWN4, P_KEEP_RUN3, P_KEEP_RUN4, P_KEEP_RUN5, P_KEEP_SET, P_KEEP_TRIPLE, P_LOCK_DEPTH, P_PILE_CARD,
    P_RACE_KEEP, P_RACE_PAIR, P_SHED_BLACK_THREE, P_SHED_RED_THREE, P_UNOPENED_RISK, unseen,
)

cdef inline uint64_t ranks_that_fit(const CRules* r, const CPublic* p, int side) noexcept nogil:
    """Lowest bits of the nibbles of the ranks with which the side could take the pile onto its sets."""
    cdef int ways = r.ways_frozen if p.freezers else r.ways_open
    cdef uint64_t sets = 0          # there are none before it has opened
    if ways & WAY_FIT_SET:
        sets |= p.young[side]
    if ways & WAY_FIT_FULL:
        sets |= p.old[side]
    return at_least_one(sets)


cdef inline int cards_in_reach(const CRules* r, const int32_t* w, const CPublic* p) noexcept nogil:
    """Cards of the pile that count for a take: of those beneath the uppermost lock, which a take leaves (R25.1), only
    the share that the policy counts. Reads the pile, which the draft of a turn has not."""
    cdef int i = p.pile_n - 1
    if p.freezers == 0 or w[P_LOCK_DEPTH] == 0 or r.extent == EXTENT_WHOLE:
        return p.pile_n
    while i > 0 and not is_freezing(r, p.pile[i]):
        i -= 1
    return p.pile_n - <int>(<int64_t>i * w[P_LOCK_DEPTH] // 100)


cdef inline int choose_discard(const CRules* r, const int32_t* w, const CPublic* p, const CHand* h, const CSight* s,
                               int reach, bint racing, bint late) noexcept nogil:
    """The card whose loss and danger are least; of equals the lowest code, jokers last. reach: cards_in_reach().
    Written without branches on cards: guesses that fail cost more than all the sums."""
    cdef uint64_t left, seen = p.in_melds.rc + p.in_pile.rc + h.rc, known, plain
    cdef int64_t best = <int64_t>1 << 62, key
    cdef int32_t mates[16]        # worth of a card by the number of its rank in hand
    cdef int32_t by_rank[13]      # worth and danger of a card by its rank alone
    cdef int32_t by_run[12]       # worth to runs: by hand windows, plus four times by windows around own runs
    cdef int card, value, n, next_ = p.player + 1 if p.player + 1 < r.seats else 0, rank, mean, lack
    cdef int need = 3 if p.freezers else 2, pile = w[P_PILE_CARD] * (reach + 1), copies = 4 * r.copies, feed
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
    mates[need] += w[P_KEEP_FOR_PILE] * reach // 10
    if racing:
        keep_set += w[P_RACE_KEEP]
        mates[2] += w[P_RACE_PAIR]
        for n in range(3, 13):
            mates[n] += w[P_RACE_PAIR]
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
