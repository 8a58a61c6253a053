# What runs can cover, in all four suits at once: the algebra of lanes.
#
# Cards of one suit, u[k] of rank k, can all stand in runs if and only if u[k] <= u[k+1] + u[k-1],
# u[k] <= u[k+2] + u[k-1] and u[k] <= u[k+1] + u[k-2] for every k. Vectors that satisfy this are closed under the larger
# of each, so every stock of cards has ONE largest part that runs can cover: cover().
from libc.stdint cimport uint32_t, uint64_t
from sitoumus.engine.cards cimport LANES, ONES, turn_down
from sitoumus.engine.solver.tables cimport COpening

cdef inline uint64_t run_places(const COpening* o, uint64_t p) noexcept nogil:
    """Cards by rank to places in runs."""
    if o.circle:
        return p
    if not o.runs:
        return 0
    if o.low:
        p = turn_down(p, o.low)
    return (p | ((p & o.twice_mask) << 13)) & o.places_mask


cdef inline uint64_t run_cards_of(const COpening* o, uint64_t p) noexcept nogil:
    """Places in runs to cards by rank."""
    if o.circle:
        return p
    p = (p & LANES) | ((p >> 13) & o.twice_mask)
    return turn_down(p, 13 - o.low) if o.low else p


cdef inline uint64_t after(const COpening* o, uint64_t p, int k) noexcept nogil:
    """Bit i of the result is bit i + k of p: on the circle, or on the line."""
    if o.circle:
        return turn_down(p, k)
    return (p >> k) & (ONES * ((<uint64_t>1 << (16 - k)) - 1))


cdef inline uint64_t before(const COpening* o, uint64_t p, int k) noexcept nogil:
    """Bit i of the result is bit i - k of p."""
    if o.circle:
        return turn_down(p, 13 - k)
    return (p << k) & (ONES * ((<uint64_t>0xFFFF << k) & 0xFFFF))


cdef inline uint64_t run_starts(const COpening* o, uint64_t p) noexcept nogil:
    """Lowest places of three in a row."""
    if o.circle:
        p |= (p & (3 * ONES)) << 13
    return p & (p >> 1) & (p >> 2) & o.starts_mask


cdef inline uint64_t covered(const COpening* o, uint64_t starts) noexcept nogil:
    """The places of those threes."""
    cdef uint64_t c = starts | (starts << 1) | (starts << 2)
    if o.circle:
        c = (c | ((c >> 13) & (3 * ONES))) & LANES
    return c


cdef inline void cover(const COpening* o, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t* q) noexcept nogil:
    """The largest part of these cards (unary planes, by place) that can all stand in runs."""
    cdef uint64_t q1, q2, q3, x1, y1, z1, w1, x2, y2, z2, w2, n, x, y, z, w
    q1 = run_starts(o, a1)
    if q1:
        q1 = covered(o, q1)
    q[0] = q1
    q[1] = 0
    q[2] = 0
    q2 = a2 & q1
    if q2 == 0:
        return
    x1 = after(o, q1, 1)
    y1 = after(o, q1, 2)
    z1 = before(o, q1, 1)
    w1 = before(o, q1, 2)
    while True:
        x2 = after(o, q2, 1)
        y2 = after(o, q2, 2)
        z2 = before(o, q2, 1)
        w2 = before(o, q2, 2)
        n = q2 & (x2 | z2 | (x1 & z1)) & (y2 | z2 | (y1 & z1)) & (x2 | w2 | (x1 & w1))
        if n == q2:
            break
        q2 = n
    q[1] = q2
    q3 = a3 & q2
    while q3:
        x = after(o, q3, 1)
        y = after(o, q3, 2)
        z = before(o, q3, 1)
        w = before(o, q3, 2)
        n = (q3 & (x | z | (x2 & z1) | (x1 & z2)) & (y | z | (y2 & z1) | (y1 & z2))
             & (x | w | (x2 & w1) | (x1 & w2)))
        if n == q3:
            break
        q3 = n
    q[2] = q3


cdef inline uint64_t spread_lane(const COpening* o, uint32_t lane) noexcept nogil:
    return <uint64_t>o.spread[lane & 127] | (<uint64_t>o.spread[(lane >> 7) & 63] << 28)


cdef inline uint64_t lane_nibbles(const COpening* o, uint64_t q) noexcept nogil:
    """Cards of a plane by rank: the sum of the lanes, bit i to nibble i, for 13 places."""
    cdef uint32_t low = <uint32_t>q, high = <uint32_t>(q >> 32), s = low ^ high, c = low & high, k, t
    cdef uint64_t out
    k = s & (s >> 16) & 0x1FFF
    out = spread_lane(o, (s ^ (s >> 16)) & 0x1FFF)
    if c | k:
        t = c ^ (c >> 16)
        out += spread_lane(o, (t ^ k) & 0x1FFF) << 1
        out += spread_lane(o, ((c & (c >> 16)) | (k & t)) & 0x1FFF) << 2
    return out


cdef inline uint64_t place_nibbles(const COpening* o, uint64_t q) noexcept nogil:
    """Cards of a plane of places, by rank."""
    cdef uint64_t out
    if q == 0:
        return 0
    out = lane_nibbles(o, q & LANES)
    if o.circle:
        return out
    if o.twice:
        out += lane_nibbles(o, (q >> 13) & o.twice_mask)
    if o.low:
        out = ((out << (4 * o.low)) | (out >> (52 - 4 * o.low))) & (((<uint64_t>1) << 52) - 1)
    return out


# ---- complete melds and bids -----------------------------------------------------------------------------------------

cdef inline uint64_t hand_runs(const COpening* o, uint64_t p, int size) noexcept nogil:
    """Lowest places of runs of `size` cards among cards p (by rank)."""
    cdef uint64_t a, w
    cdef int k
    if not o.runs:
        return 0
    a = run_places(o, p)
    w = run_starts(o, a)
    for k in range(3, size):
        if w == 0:
            break
        w &= after(o, a, k)
    return w
