# The rollout policy: it tries its plans in worlds that agree with what it has seen, and plays each to the end.
from libc.stdint cimport uint32_t, uint64_t, int32_t, int64_t
from libc.string cimport memset, memcpy
from sitoumus.engine.cards cimport CHand
from sitoumus.engine.rng cimport PURPOSE_WORLD, Stream, stream_open
from sitoumus.engine.tables cimport CRules, MAX_SEATS, NONE
from sitoumus.engine.state cimport (
    CPublic, CState, MAX_ACTIONS, PHASE_AUCTION, PHASE_DRAW, PHASE_MELD, PHASE_OVER, V_ADD, V_BID, V_BUY, V_DISCARD,
    V_DOUBLE, V_DRAW, V_MELD, V_MERGE, V_PASS, V_TAKE,
)
from sitoumus.engine.actions cimport act_card, verb_of
from sitoumus.engine.auction cimport bid_level, may_double
from sitoumus.engine.laying cimport lay_step
from sitoumus.engine.generate cimport list_discards
from sitoumus.engine.binding cimport generate
from sitoumus.engine.apply cimport apply, apply_checked
from sitoumus.engine.scoring cimport CScore, score_deal
from sitoumus.engine.policies.mind cimport CMind, CPolicy, open_mind
from sitoumus.engine.policies.greedy cimport greedy_plan
from sitoumus.engine.policies.dispatch cimport decide
from sitoumus.engine.policies.past cimport begin_fit, CFit
from sitoumus.engine.policies.worlds cimport (
    CUnseen, LEAST_WORLDS, MAX_PLAN_STEPS, MAX_TRIED, sample_world, see_unseen,
)

cdef extern from "<time.h>" nogil:
    const int TIME_UTC
    cdef struct timespec:
        long long tv_sec
        long tv_nsec
    int timespec_get(timespec*, int)

cdef struct CTried:           # a candidate of a decision
    int32_t n
    uint32_t steps[MAX_PLAN_STEPS]


cdef inline void play_base(const CRules* r, CState* s, const CPolicy* policies, const uint64_t* key, uint64_t deal,
                           uint64_t world, CMind* minds) noexcept nogil:
    """Play a deal from where it stands to its end by policies that do not play out themselves."""
    cdef int seat
    for seat in range(MAX_SEATS):
        minds[seat].address = -1
    while s.p.phase != PHASE_OVER:
        seat = s.p.turn
        open_mind(&minds[seat], &s.p, key, deal, world)
        apply_checked(r, s, decide(r, &policies[seat], &s.p, &s.h.hand[seat], &minds[seat]))


cdef inline int32_t side_points(const CRules* r, const CState* s, int side) noexcept nogil:
    """Own score less the best of the others."""
    cdef CScore c
    cdef int i
    cdef int32_t best = 0
    cdef bint any = False
    score_deal(r, &s.p, s.h.hand, &c)
    for i in range(r.sides):
        if i != side and (not any or c.score[i] > best):
            best = c.score[i]
            any = True
    return c.score[side] - best


# ---- the rollout policy ----------------------------------------------------------------------------------------------

cdef inline void bare_policy(const CPolicy* policy, CPolicy* base) noexcept nogil:
    """The policy by which a rollout policy plays out."""
    base[0] = policy[0]
    base.kind = policy.base


cdef inline int note_tried(CTried* tried, int n, const uint32_t* steps, int n_steps) noexcept nogil:
    """Note a candidate, unless it is there or there are too many; their number."""
    cdef int i, k
    if n >= MAX_TRIED or n_steps == 0:
        return n
    for i in range(n):
        if tried[i].n == n_steps:
            k = 0
            while k < n_steps and tried[i].steps[k] == steps[k]:
                k += 1
            if k == n_steps:
                return n
    tried[n].n = n_steps
    memcpy(tried[n].steps, steps, n_steps * sizeof(uint32_t))
    return n + 1


cdef inline int list_tried(const CRules* r, const CPolicy* base, const CPublic* p, const CHand* own, CMind* m,
                           CTried* tried) noexcept nogil:
    """The candidates of a decision; what the base policy would do comes first."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef uint32_t plan[MAX_PLAN_STEPS]
    cdef CMind mind
    cdef CPublic q
    cdef CHand h
    cdef int n = 0, i, k, laid, level
    cdef uint32_t last
    mind = m[0]
    mind.n_plan = 0
    mind.at = 0
    plan[0] = decide(r, base, p, own, &mind)
    k = 1
    if p.bound:
        n = note_tried(tried, n, plan, 1)
        k = generate(r, p, own, steps)
        for i in range(k):
            n = note_tried(tried, n, &steps[i], 1)
        return n
    while mind.at < mind.n_plan and k < MAX_PLAN_STEPS:
        plan[k] = mind.plan[mind.at]
        mind.at += 1
        k += 1
    n = note_tried(tried, n, plan, k)
    if p.phase == PHASE_AUCTION:
        steps[0] = V_PASS
        n = note_tried(tried, n, steps, 1)
        if may_double(r, p):
            steps[0] = V_DOUBLE
            n = note_tried(tried, n, steps, 1)
        i = 0 if p.last_bid == NONE else p.last_bid + 1
        level = bid_level(i)
        for k in range(3):                      # the lowest bid of this level and of the next two
            if i < 6 * r.max_level and level + k <= 6:
                steps[0] = act_card(V_BID, i)
                n = note_tried(tried, n, steps, 1)
            i = 6 * (level + k)
        return n
    if p.phase == PHASE_DRAW:
        k = generate(r, p, own, steps)
        for i in range(k):
            if verb_of(steps[i]) == V_DRAW or verb_of(steps[i]) == V_TAKE:
                n = note_tried(tried, n, &steps[i], 1)
        return n
    if p.phase != PHASE_MELD:
        return n
    laid = k - 1
    last = plan[laid]
    if verb_of(last) != V_DISCARD:
        return n
    q = p[0]
    h = own[0]
    for i in range(laid):                       # the base's melds with every other discard
        if verb_of(plan[i]) != V_MELD and verb_of(plan[i]) != V_ADD and verb_of(plan[i]) != V_MERGE:
            return n
        lay_step(r, &q, &h, plan[i])
    if p.opened[r.side_of[p.player]] and h.n > 1:
        k = list_discards(r, &q, &h, steps)
        for i in range(k):
            plan[laid] = steps[i]
            n = note_tried(tried, n, plan, laid + 1)
        if laid:                                # nothing laid
            k = generate(r, p, own, steps)
            for i in range(k):
                if steps[i] == last:
                    n = note_tried(tried, n, &last, 1)
    elif laid == 0:
        k = list_discards(r, &q, &h, steps)
        for i in range(k):
            n = note_tried(tried, n, &steps[i], 1)
    mind.n_plan = 0                             # everything laid
    mind.at = 0
    greedy_plan(r, p, own, &mind)
    if mind.n_plan:
        n = note_tried(tried, n, mind.plan, mind.n_plan)
    k = generate(r, p, own, steps)
    for i in range(k):
        if verb_of(steps[i]) == V_BUY:
            n = note_tried(tried, n, &steps[i], 1)
    return n


cdef inline bint beats_base(int64_t total, double squares, int64_t caution) noexcept nogil:
    """The mean gain is above `caution` hundredths of its standard error: total^2 * 10^4 > caution^2 * squares, total > 0."""  # no-cython-lint
    cdef int64_t mean
    if total <= 0:
        return False
    # whole numbers up to 2^53 stand in a double exactly; what would not fit into 64 bits is compared in doubles
    if total >= <int64_t>1 << 35 or squares >= 9e15 or <double>(caution * caution) * squares >= 2e21:
        return <double>total * <double>total * 1e4 > <double>(caution * caution) * squares
    mean = total // 16                          # keeps the products within 64 bits
    return mean * mean // 100 > caution * caution * (<int64_t>squares // 256) // 1000000


cdef inline double now() noexcept nogil:
    """Nanoseconds on the clock of the wall."""
    cdef timespec t
    timespec_get(&t, TIME_UTC)
    return 1e9 * <double>t.tv_sec + <double>t.tv_nsec


cdef inline int best_tried(const CRules* r, const CPolicy* policy, const CPublic* p, const CHand* own, CMind* m,
                           const CTried* tried, int n) noexcept nogil:
    """The best candidate on common worlds: after 1/8, 1/4 and 1/2 of the worlds the worse half is dropped, the base's
    choice never; it is left only for one whose gain stands out of the noise."""
    cdef CMind minds[MAX_SEATS]
    cdef CUnseen u
    cdef CFit f
    cdef CState world, s
    cdef Stream stream
    cdef uint64_t key[2]
    cdef uint64_t deal = m.stream.counter[2]
    cdef int64_t total[MAX_TRIED]
    cdef double squares[MAX_TRIED]              # a gain may take 32 bits: its square would not fit into 64
    cdef int order[MAX_TRIED]
    cdef int seat = p.turn, side = r.side_of[seat], live = n, i, k, w = 0, cut, base, x
    cdef int64_t gain
    cdef double began = now() if policy.milliseconds else 0
    key[0] = m.stream.key0
    key[1] = m.stream.key1
    if policy.floor >= 0:
        begin_fit(r, p, m.past, (<uint64_t>policy.floor << 32) // 1000000, &f)
    for i in range(MAX_SEATS):
        bare_policy(policy, &f.policies[i])
        f.policies[i].passes = 0
    memset(total, 0, sizeof(total))
    memset(squares, 0, sizeof(squares))
    for i in range(n):
        order[i] = i
    see_unseen(r, p, own, seat, &u)
    for cut in range(3, -1, -1):
        while w < policy.worlds >> cut:
            if policy.milliseconds and w >= LEAST_WORLDS and now() - began >= 1e6 * (policy.milliseconds >> cut):
                break
            # the address of the decision: its turn and seat; the step of the turn shows in the cards held
            stream_open(&stream, key, (<uint64_t>m.address << 32) + (<uint64_t>own.n << 24), PURPOSE_WORLD, deal,
                        <uint64_t>w + 1)
            sample_world(r, p, own, &u, &f if policy.floor >= 0 else NULL, &stream, key, deal, <uint64_t>w + 1, minds,
                         &world)
            base = 0
            for i in range(live):
                s = world
                x = order[i]
                for k in range(tried[x].n):
                    apply(r, &s, tried[x].steps[k])
                play_base(r, &s, f.policies, key, deal, <uint64_t>w + 1, minds)
                if x == 0:
                    base = side_points(r, &s, side)
                else:
                    gain = side_points(r, &s, side) - base
                    total[x] += gain
                    squares[x] += <double>gain * <double>gain
            w += 1
        if cut and live > 2:
            for i in range(2, live):            # best gains first; the base stays in front
                x = order[i]
                k = i
                while k > 1 and total[order[k - 1]] < total[x]:
                    order[k] = order[k - 1]
                    k -= 1
                order[k] = x
            live = 1 + live // 2
    x = 0
    for i in range(1, live):
        if total[order[i]] > total[x] and beats_base(total[order[i]], squares[order[i]], policy.caution):
            x = order[i]
    return x


cdef inline uint32_t rollout_step(const CRules* r, const CPolicy* policy, const CPublic* p, const CHand* own,
                                  CMind* m) noexcept nogil:
    """The next step of a rollout policy: a plan is chosen by playing out, then followed."""
    cdef CTried tried[MAX_TRIED]
    cdef CPolicy base
    cdef int n, x = 0
    if m.at < m.n_plan:
        m.at += 1
        return m.plan[m.at - 1]
    if p.phase == PHASE_AUCTION and policy.passes:
        return V_PASS
    bare_policy(policy, &base)
    n = list_tried(r, &base, p, own, m, tried)
    if n > 1:
        x = best_tried(r, policy, p, own, m, tried, n)
    memcpy(m.plan, tried[x].steps, tried[x].n * sizeof(uint32_t))
    m.n_plan = tried[x].n
    m.at = 1
    return m.plan[0]
