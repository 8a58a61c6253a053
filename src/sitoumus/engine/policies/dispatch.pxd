# The next step of a compiled policy without look-ahead: one entry a policy.
#
# A policy decides with integers and is deterministic given (seed, deal, turn): its random numbers come from a stream
# addressed by the turn and the seat, so one number more or less in a turn never shifts a later one.
from libc.stdint cimport uint32_t
from sitoumus.engine.cards cimport CHand
from sitoumus.engine.tables cimport CRules
from sitoumus.engine.state cimport CPublic, PHASE_AUCTION, PHASE_REPLY, V_PASS
from sitoumus.engine.binding cimport goes_on_out
from sitoumus.engine.policies.mind cimport CMind, CPolicy, POLICY_GREEDY, POLICY_RANDOM
from sitoumus.engine.policies.drafts cimport any_step
from sitoumus.engine.policies.random cimport random_call, random_step
from sitoumus.engine.policies.heuristic.turn cimport heuristic_plan
from sitoumus.engine.policies.greedy cimport greedy_call, greedy_plan

cdef inline uint32_t decide_free(const CRules* r, const CPolicy* policy, const CPublic* p,
                                 const CHand* own, CMind* m) noexcept nogil:
    """The next single step of a policy that does not know what a yes binds to."""
    if policy.kind == POLICY_RANDOM and p.phase != PHASE_AUCTION:
        return random_step(r, p, own, &m.stream)
    if m.at < m.n_plan:
        m.at += 1
        return m.plan[m.at - 1]
    if p.phase == PHASE_AUCTION:
        if policy.passes:
            return V_PASS
        if policy.kind == POLICY_RANDOM:
            return random_call(r, p, &m.stream)
        if policy.kind == POLICY_GREEDY:
            return greedy_call(r, p, own)
    if policy.kind == POLICY_GREEDY:
        greedy_plan(r, p, own, m)
    else:
        heuristic_plan(r, policy.w, p, own, m)
    if m.n_plan == 0:
        return any_step(r, p, own)
    m.at = 1
    return m.plan[0]


cdef inline uint32_t decide(const CRules* r, const CPolicy* policy, const CPublic* p, const CHand* own,
                            CMind* m) noexcept nogil:
    """The next single step of the seat to act. own is the hand of p.turn; open_mind was called before."""
    cdef uint32_t a = decide_free(r, policy, p, own, m)
    if policy.kind == POLICY_RANDOM:            # chosen from the list of steps that were checked
        return a
    if p.bound and p.phase != PHASE_REPLY and not goes_on_out(r, p, own, a):
        m.n_plan = 0                            # the plan would keep a card, but partner has said yes
        m.at = 0
        a = any_step(r, p, own)
    return a
