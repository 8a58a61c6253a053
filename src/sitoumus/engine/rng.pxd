# Random numbers: Philox4x64-10 streams addressed by (key; block, purpose, deal, world).
#
# The raw words equal numpy.random.Philox(key=key, counter=[block, purpose, deal, world]).random_raw(): like NumPy, the
# counter is raised by one BEFORE each block of four words. A stream belongs to one purpose and one deal, so the numbers
# of a deal never depend on how many were used for another.
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from sitoumus.engine.cards cimport clz64

cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static __inline unsigned long long sit_mulhi64(unsigned long long a, unsigned long long b) {
        return __umulh(a, b); }
    #else
    static inline unsigned long long sit_mulhi64(unsigned long long a, unsigned long long b) {
        return (unsigned long long)(((unsigned __int128)a * b) >> 64); }
    #endif
    """
    uint64_t mulhi64 "sit_mulhi64"(uint64_t a, uint64_t b) noexcept nogil

cdef enum:            # what a stream is for; numbers are never used twice
    PURPOSE_DEAL = 0      # the shuffle of a deal
    PURPOSE_POLICY = 1    # noise of the policies
    PURPOSE_FIXED = 2     # the rest of a deal with known cards
    PURPOSE_WORLD = 3     # worlds consistent with a view
    PURPOSE_BOOTSTRAP = 4
    PURPOSE_HANDS = 5     # random_hands
    PURPOSE_START = 6     # draw for the first dealer (R3)
    PURPOSE_CONDITION = 7 # deals under conditions  # no-cython-lint
    PURPOSE_AUCTION = 8   # keeping deals that fit an auction (worlds.py)

cdef struct Stream:
    uint64_t key0
    uint64_t key1
    uint64_t counter[4]   # block, purpose, deal, world; of the block in buffer
    uint64_t buffer[4]
    int used              # words of buffer given out
    int half              # 1: the high half of spare is still to come
    uint64_t spare
    uint64_t quarters     # of a word, still to be given out
    int n_quarters


cdef inline void philox_block(Stream* s) noexcept nogil:
    cdef uint64_t c0, c1, c2, c3, k0, k1, hi0, lo0, hi1, lo1
    cdef int _
    s.counter[0] += 1
    if s.counter[0] == 0:
        s.counter[1] += 1
        if s.counter[1] == 0:
            s.counter[2] += 1
            if s.counter[2] == 0:
                s.counter[3] += 1
    c0 = s.counter[0]
    c1 = s.counter[1]
    c2 = s.counter[2]
    c3 = s.counter[3]
    k0 = s.key0
    k1 = s.key1
    for _ in range(10):
        hi0 = mulhi64(0xD2E7470EE14C6C93ULL, c0)
        lo0 = 0xD2E7470EE14C6C93ULL * c0
        hi1 = mulhi64(0xCA5A826395121157ULL, c2)
        lo1 = 0xCA5A826395121157ULL * c2
        c0 = hi1 ^ c1 ^ k0
        c1 = lo1
        c2 = hi0 ^ c3 ^ k1
        c3 = lo0
        k0 += 0x9E3779B97F4A7C15ULL
        k1 += 0xBB67AE8584CAA73BULL
    s.buffer[0] = c0
    s.buffer[1] = c1
    s.buffer[2] = c2
    s.buffer[3] = c3
    s.used = 0


cdef inline void stream_open(Stream* s, const uint64_t* key, uint64_t block, uint64_t purpose,
                             uint64_t deal, uint64_t world) noexcept nogil:
    s.key0 = key[0]
    s.key1 = key[1]
    s.counter[0] = block
    s.counter[1] = purpose
    s.counter[2] = deal
    s.counter[3] = world
    s.used = 4
    s.half = 0
    s.n_quarters = 0


cdef inline uint64_t next64(Stream* s) noexcept nogil:
    if s.used == 4:
        philox_block(s)
    s.used += 1
    return s.buffer[s.used - 1]


cdef inline uint32_t next32(Stream* s) noexcept nogil:
    """Half a word, the low half first."""
    if s.half:
        s.half = 0
        return <uint32_t>(s.spare >> 32)
    s.spare = next64(s)
    s.half = 1
    return <uint32_t>s.spare


cdef inline uint32_t bounded(Stream* s, uint32_t n) noexcept nogil:
    """Uniform on 0 .. n-1 (Lemire's multiply and reject on 32-bit words); n >= 1."""
    cdef uint64_t m = <uint64_t>next32(s) * n
    cdef uint32_t low = <uint32_t>m
    cdef uint32_t threshold
    if low < n:
        threshold = (0 - n) % n
        while low < threshold:
            m = <uint64_t>next32(s) * n
            low = <uint32_t>m
    return <uint32_t>(m >> 32)


cdef inline uint32_t small(Stream* s, uint32_t n) noexcept nogil:
    """The same for n below 2^16 on quarter words, the lowest first."""
    cdef uint32_t m = 0
    while True:
        if s.n_quarters == 0:
            s.quarters = next64(s)
            s.n_quarters = 4
        m = <uint32_t>(s.quarters & 65535) * n
        s.quarters >>= 16
        s.n_quarters -= 1
        if m & 65535 >= n or m & 65535 >= 65536 % n:
            return m >> 16


cdef inline void swap_bytes(uint8_t* x, int i, int j) noexcept nogil:
    cdef uint8_t t = x[i]
    x[i] = x[j]
    x[j] = t


cdef inline void shuffle(Stream* s, uint8_t* x, int n) noexcept nogil:
    """Fisher and Yates from the top: for i = n-1 .. 1 swap x[i] with x[bounded(i + 1)]."""
    cdef int i = n - 1
    cdef uint64_t word, m
    while i > 0:
        if s.half or i == 1:
            swap_bytes(x, i, <int>bounded(s, <uint32_t>(i + 1)))
            i -= 1
            continue
        # both halves of a word; where one would be drawn again, bounded does it from the start
        if s.used == 4:
            philox_block(s)
        word = s.buffer[s.used]
        m = <uint64_t><uint32_t>word * <uint64_t>(i + 1)
        if <uint32_t>m <= <uint32_t>i:
            swap_bytes(x, i, <int>bounded(s, <uint32_t>(i + 1)))
            i -= 1
            continue
        s.used += 1
        swap_bytes(x, i, <int>(m >> 32))
        i -= 1
        m = (word >> 32) * <uint64_t>(i + 1)
        if <uint32_t>m <= <uint32_t>i:
            s.spare = word
            s.half = 1
            continue
        swap_bytes(x, i, <int>(m >> 32))
        i -= 1


cdef inline uint64_t below64(Stream* s, uint64_t n) noexcept nogil:
    """Uniform on 0 .. n-1 (multiply and reject on 64-bit words); n >= 1."""
    cdef uint64_t x = next64(s)
    cdef uint64_t low = x * n
    cdef uint64_t threshold
    if low < n:
        threshold = (0 - n) % n
        while low < threshold:
            x = next64(s)
            low = x * n
    return mulhi64(x, n)


cdef inline void below128(Stream* s, uint64_t high, uint64_t low, uint64_t* x) noexcept nogil:
    """Uniform below high * 2**64 + low, high word first: x[0] takes the bits that `high` has, x[1] a whole word; what
    is too large is drawn again. high >= 1."""
    cdef int spare = clz64(high)
    while True:
        x[0] = next64(s) << spare >> spare
        x[1] = next64(s)
        if x[0] < high or (x[0] == high and x[1] < low):
            return
