"""What tests and benchmarks ask of the engine: counts of positions, streams, openings, operations repeated."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t, int32_t, int64_t
from libc.string cimport memset, memcpy
from cpython.bytearray cimport PyByteArray_AS_STRING
from sitoumus.engine.cards cimport CHand, hand_clear, hand_of_counts
from sitoumus.engine.rng cimport PURPOSE_DEAL, shuffle, Stream, stream_open
from sitoumus.engine.tables cimport (
    CMeld, CRules, MAX_PACK, MAX_SEATS, MAX_SIDES, NEEDS_CANASTA, NEEDS_NATURAL, NEEDS_NONE, NONE, OUT_CANASTA,
    OUT_NATURAL_SET, OUT_RUN, OUT_SET,
)
from sitoumus.engine.goals cimport CNeed, COut
from sitoumus.engine.state cimport (
    CPublic, CState, MAX_ACTIONS, MAX_MELDS, PHASE_MELD, PHASE_OVER, V_ADD, V_DISCARD, V_DRAW, V_MELD,
)
from sitoumus.engine.actions cimport verb_of
from sitoumus.engine.solver.tables cimport COpening, CPart
from sitoumus.engine.solver.runs cimport run_starts
from sitoumus.engine.opening cimport best_opening, best_partition, can_lay_out, can_open, open_points
from sitoumus.engine.generate cimport list_starts
from sitoumus.engine.binding cimport generate
from sitoumus.engine.apply cimport apply
from sitoumus.engine.dealing cimport begin_deal, clear_state, deal_cards, new_pack, start_extra
from sitoumus.engine.scoring cimport CScore, score_deal
from sitoumus.engine.features cimport hand_features, N_FEATURES
from sitoumus.engine.policies.mind cimport CMind, CPolicy, open_mind, POLICY_RANDOM
from sitoumus.engine.policies.dispatch cimport decide
from sitoumus.engine.policies.rollout cimport beats_base
from sitoumus._compile cimport _rules, Rules
from sitoumus._core cimport _action_text, _key, _policies, _totals, Hand, Meld, Table

from sitoumus import checks
from sitoumus.errors import SitoumusError, StudyError
from sitoumus._core import _counts


def gain_stands_out(int64_t total, double squares, int64_t caution):
    """Whether a rollout policy leaves its base's choice for a gain of this sum and sum of squares."""
    return bool(beats_base(total, squares, caution))


#: Actions for which a list has room.
LONGEST_LIST = <int>MAX_ACTIONS


# ---- perft -----------------------------------------------------------------------------------------------------------

cdef int64_t _perft(const CRules* r, const CState* s, int depth) noexcept nogil:
    cdef uint32_t steps[MAX_ACTIONS]
    cdef CState t
    cdef int i, n
    cdef int64_t total = 0
    if s.p.phase == PHASE_OVER:
        return 0
    n = generate(r, &s.p, &s.h.hand[s.p.player], steps)
    if depth <= 1:
        return n
    for i in range(n):
        t = s[0]
        apply(r, &t, steps[i])
        total += _perft(r, &t, depth - 1)
    return total


def perft(table, depth):
    """Count the rows of `depth` single steps from a position.

    A count for testers: it changes when the list of legal actions does. Stock cards are drawn as they lie.

    Examples
    --------
    >>> perft(Table(Deal(seed=7, number=42)), 1)
    121
    """
    cdef int64_t total
    if not isinstance(table, Table):
        raise SitoumusError(f"table is {checks.quoted(table)}: it must be a Table")
    cdef Table here = table
    cdef int steps = checks.whole("depth", depth, 0, 100, SitoumusError)
    if steps == 0:
        return 1
    with nogil:
        total = _perft(&here.compiled.r, &here.s, steps)
    return total


# ---- the answers about openings, for testers -------------------------------------------------------------------------

cdef int _laid(Rules rules, laid, CMeld* melds) except -1:
    cdef int n = 0
    for meld in laid:
        if n == MAX_MELDS:
            raise SitoumusError(f"laid has more than {MAX_MELDS} melds")
        melds[n] = (<Meld>meld).m
        n += 1
    return n


cdef dict _NEEDS = {"none": NEEDS_NONE, "canasta": NEEDS_CANASTA, "natural_canasta": NEEDS_NATURAL}


def opening_exists(Hand hand, laid, need, rules=None):
    """Whether a hand can make an opening, or complete the one of which these melds are laid already.

    `need` has what an opening must reach: minimum, needs (a band's: none, canasta, natural_canasta), complete_opens,
    deuce_min, bid_suits (bits), bid_four, bid_deuces, keep (cards that stay) and extra_points (counted besides).
    """
    cdef Rules c = _rules(rules)
    cdef CMeld melds[MAX_MELDS]
    cdef CNeed asked
    cdef int n = _laid(c, laid, melds)
    memset(&asked, 0, sizeof(CNeed))
    asked.minimum = need.minimum
    asked.needs = _NEEDS[need.needs]
    asked.complete_opens = need.complete_opens
    asked.deuce_min = need.deuce_min
    asked.bid_suits = need.bid_suits
    asked.bid_four = need.bid_four
    asked.bid_deuces = need.bid_deuces
    asked.keep = need.keep
    asked.extra_points = need.extra_points
    return can_open(&c.r, &hand.h, melds, n, &asked)


def lay_out_exists(Hand hand, laid, terms, rules=None):
    """Whether a hand can be laid out, but for the discard, so that a side with these melds may go out (merging apart).

    `terms` has what going out needs: canasta, run, set, natural_set (complete melds), or a sum, with_points and a
    strain or None; and minimum and needs over all melds, as an opening has them.
    """
    cdef Rules c = _rules(rules)
    cdef CMeld melds[MAX_MELDS]
    cdef COut out
    cdef int n = _laid(c, laid, melds)
    memset(&out, 0, sizeof(COut))
    out.need[OUT_CANASTA] = terms.canasta
    out.need[OUT_RUN] = terms.run
    out.need[OUT_SET] = terms.set
    out.need[OUT_NATURAL_SET] = terms.natural_set
    out.sum = terms.sum
    out.with_points = terms.with_points
    out.strain = NONE if terms.strain is None else terms.strain
    return can_lay_out(&c.r, &hand.h, melds, n, &out, terms.minimum, _NEEDS[terms.needs])


def choices(Table table, policy, int64_t n, seed=0):
    """What a policy does at a table, over the streams of n deal numbers: a dict of actions and how often.

    Parameters
    ----------
    table : Table
    policy : tuple
        Kind and parameters, of a policy that does not play out.
    n, seed : int
    """
    cdef CPolicy players[MAX_SEATS]
    cdef CMind mind
    cdef uint64_t key[2]
    cdef const CPublic* p = &table.s.p
    cdef int64_t i
    cdef dict found = {}
    _policies(table.compiled, [(*policy, 0)] * table.compiled.r.seats, players)
    _key(seed, key)
    for i in range(n):
        mind.address = -1
        open_mind(&mind, p, key, <uint64_t>i, 0)
        a = decide(&table.compiled.r, &players[p.turn], p, &table.s.h.hand[p.turn], &mind)
        found[a] = found.get(a, 0) + 1
    return {_action_text(&table.compiled.r, p, a): count for a, count in found.items()}


# ---- operations repeated, for benchmarks -----------------------------------------------------------------------------

cdef enum:
    # of a deal number
    DO_SHUFFLE = 0
    DO_DEAL
    # of a hand
    DO_RUNS
    DO_STARTS
    DO_CAN_OPEN
    DO_POINTS
    DO_OPENING
    DO_DIVIDE
    DO_FEATURES
    # of a table
    DO_COPY
    DO_GENERATE
    DO_APPLY
    DO_TURN
    DO_SCORE
    DO_DECIDE

#: What `repeat` repeats.
OPERATIONS = ("shuffle", "deal", "runs", "starts", "can_open", "points", "opening", "divide", "features", "copy",
              "generate", "apply", "turn", "score", "decide")


cdef inline int64_t repeat_of_deals(const CRules* r, int what, int64_t n, const uint64_t* key, CState* s) noexcept nogil:  # no-cython-lint
    """Shuffle, or deal, deals number 0 .. n - 1."""
    cdef uint8_t pack[MAX_PACK]
    cdef uint8_t full[MAX_PACK]
    cdef CHand none
    cdef Stream stream
    cdef int64_t i, total = 0
    cdef int size
    hand_clear(&none)
    size = new_pack(r, &none, full)
    for i in range(n):
        if what == DO_SHUFFLE:
            memcpy(pack, full, size)
            stream_open(&stream, key, 0, PURPOSE_DEAL, <uint64_t>i, 0)
            shuffle(&stream, pack, size)
            total += pack[0]
        else:
            clear_state(r, s, 0, s.p.totals)
            deal_cards(r, s, key, <uint64_t>i, NULL)
            start_extra(r, s)
            begin_deal(r, s)
            total += s.h.hand[0].jokers
    return total


cdef inline int64_t repeat_of_hands(const CRules* r, int what, int64_t n, const CHand* hands, int64_t m, CState* s,
                                    const CNeed* need) noexcept nogil:
    """An operation on hands, at an empty table where it needs one."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef int32_t values[N_FEATURES]
    cdef CPart part
    cdef int64_t _, at = 0, total = 0
    cdef const CHand* h
    for _ in range(n):
        h = &hands[at]
        at = at + 1 if at + 1 < m else 0
        if what == DO_RUNS:
            total += run_starts(<const COpening*>r.opening, h.p1) != 0
        elif what == DO_STARTS:
            total += list_starts(r, &s.p, h, steps)
        elif what == DO_CAN_OPEN:
            total += can_open(r, h, NULL, 0, need)
        elif what == DO_POINTS:
            total += open_points(r, h, need.deuce_min)
        elif what == DO_OPENING:
            best_opening(r, h, need.deuce_min, need.keep, &part)
            total += part.points
        elif what == DO_DIVIDE:
            best_partition(r, h, 0, 1000000, &part)
            total += part.points
        else:
            hand_features(r, h, values)
            total += values[0]
    return total


cdef inline int play_turn(const CRules* r, CState* s, uint32_t* steps) noexcept nogil:
    """Play the turn at hand: draw, lay the first meld or card that may be laid, discard; the number of steps."""
    cdef int n, i, verb, at, done = 0, turns = s.p.turns
    cdef bint laid = False
    while s.p.turns == turns and s.p.phase != PHASE_OVER:
        n = generate(r, &s.p, &s.h.hand[s.p.turn], steps)
        at = n - 1
        for i in range(n):
            verb = verb_of(steps[i])
            if verb == V_DRAW or not laid and (verb == V_MELD or verb == V_ADD):
                at = i
                break
            if verb == V_DISCARD:
                at = i
        laid |= verb_of(steps[at]) != V_DRAW
        apply(r, s, steps[at])
        done += 1
    return done


cdef inline int64_t repeat_of_tables(const CRules* r, int what, int64_t n, const CState* tables, int64_t m,
                                     const uint32_t* next, const CPolicy* policy, const uint64_t* key, CMind* mind,
                                     CState* s) noexcept nogil:
    """An operation on tables; `apply` and `turn` work on a copy."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef CScore score
    cdef int64_t _, at = 0, total = 0
    for _ in range(n):
        if what == DO_COPY:
            s[0] = tables[at]
            total += s.p.turn
        elif what == DO_GENERATE:
            total += generate(r, &tables[at].p, &tables[at].h.hand[tables[at].p.turn], steps)
        elif what == DO_APPLY:
            s[0] = tables[at]
            apply(r, s, next[at])
            total += s.p.turn
        elif what == DO_TURN:
            s[0] = tables[at]
            total += play_turn(r, s, steps)
        elif what == DO_SCORE:
            score_deal(r, &tables[at].p, tables[at].h.hand, &score)
            total += score.score[0]
        else:
            mind.address = -1
            open_mind(mind, &tables[at].p, key, <uint64_t>at, 0)
            total += decide(r, policy, &tables[at].p, &tables[at].h.hand[tables[at].p.turn], mind)
        at = at + 1 if at + 1 < m else 0
    return total


def repeat(operation, int64_t n, hands=None, tables=None, policy=None, int minimum=90, rules=None):
    """Repeat an operation of the core n times without the GIL, going round what is given: for benchmarks.

    Parameters
    ----------
    operation : str
        One of `OPERATIONS`: ``shuffle`` and ``deal`` need nothing; ``runs`` (is there one), ``starts`` (list the smallest  # no-cython-lint
        melds), ``can_open``, ``points`` (of the best opening), ``opening``, ``divide`` and ``features`` need hands;
        ``copy``, ``generate``, ``apply``, ``turn`` (generate and apply until it has ended), ``score`` (tables that are
        over) and ``decide`` (the first step of a turn) need tables.
    n : int
    hands : array of shape (m, 53), or sequence of Hand or str
    tables : sequence of Table
        All of one rule set.
    policy : tuple
        Kind and parameters of the policy that decides.
    minimum : int
        For ``can_open``.
    rules : RuleSet, optional
        That of the tables, where there are any.

    Returns
    -------
    int
        A sum over what came out, so that no compiler can leave the work out.
    """
    cdef Rules c
    cdef CState s
    cdef CNeed need
    cdef CPolicy players[MAX_SEATS]
    cdef CMind mind
    cdef uint64_t key[2]
    cdef int32_t totals[MAX_SIDES]
    cdef int what
    cdef int64_t i, m = 0, found
    cdef const uint8_t[:, ::1] counts
    cdef uint32_t steps[MAX_ACTIONS]
    cdef Table table
    cdef bytearray held = bytearray(), next_held = bytearray()
    cdef CHand* hand_at = NULL
    cdef CState* table_at = NULL
    cdef uint32_t* next = NULL
    if operation not in OPERATIONS:
        raise StudyError(f"operation {operation!r} is not known: operations are {', '.join(OPERATIONS)}")
    what = OPERATIONS.index(operation)
    given = tables if what >= DO_COPY else hands
    m = 0 if given is None else len(given)
    if n < 0 or what >= DO_RUNS and m == 0:
        raise StudyError(f"{operation} of {n}: it needs {'tables' if what >= DO_COPY else 'hands'}, 0 times or more")
    c = _rules(rules if what < DO_COPY else tables[0].rules)
    _key(0, key)
    _totals(c, None, totals)
    clear_state(&c.r, &s, 0, totals)
    s.p.phase = PHASE_MELD
    memset(&need, 0, sizeof(CNeed))
    need.minimum = minimum
    need.complete_opens = c.r.bonus_counts
    need.deuce_min = c.r.deuces_others
    need.keep = 1
    if what < DO_RUNS:
        with nogil:
            found = repeat_of_deals(&c.r, what, n, key, &s)
    elif what < DO_COPY:
        counts = _counts(hands)
        held = bytearray(m * sizeof(CHand))
        hand_at = <CHand*>PyByteArray_AS_STRING(held)
        for i in range(m):
            hand_of_counts(&hand_at[i], &counts[i, 0])
        with nogil:
            found = repeat_of_hands(&c.r, what, n, hand_at, m, &s, &need)
    else:
        held, next_held = bytearray(m * sizeof(CState)), bytearray(m * sizeof(uint32_t))
        table_at = <CState*>PyByteArray_AS_STRING(held)
        next = <uint32_t*>PyByteArray_AS_STRING(next_held)
        for i in range(m):
            table = tables[i]
            if table.compiled is not c or (table.s.p.phase == PHASE_OVER) != (what == DO_SCORE) and what != DO_COPY:
                raise StudyError(f"{operation}: table {i} has other rules, or is in phase {table.phase}")
            table_at[i] = table.s
            if what == DO_APPLY:
                next[i] = steps[generate(&c.r, &table.s.p, &table.s.h.hand[table.s.p.turn], steps) // 2]
        kind, params = (POLICY_RANDOM, ()) if policy is None else policy
        _policies(c, [(kind, params, 0)] * c.r.seats, players)
        with nogil:
            found = repeat_of_tables(&c.r, what, n, table_at, m, next, &players[0], key, &mind, &s)
    return found
