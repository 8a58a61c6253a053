"""Actions as numbers and observations as arrays: what a learning program sees and says of a table."""
cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t, int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from sitoumus.engine.cards cimport CHand, N_TYPES, write_counts
from sitoumus.engine.rng cimport bounded, PURPOSE_POLICY, Stream, stream_open
from sitoumus.engine.tables cimport EXTENT_WHOLE, is_freezing, MAX_SEATS, NONE
from sitoumus.engine.state cimport CState, MAX_ACTIONS, MAX_BIDS, MAX_MELDS, PHASE_OVER
from sitoumus.engine.binding cimport generate
from sitoumus.engine.apply cimport apply
from sitoumus.engine.dealing cimport begin_deal, clear_state, deal_cards, start_extra
from sitoumus.engine.numbering cimport (
    CPrefix, follow, ID_BID, ID_BLACK, ID_BUY, ID_CARD, ID_DISCARD, ID_LOCKS, ID_MERGE, ID_ONE_WILD, ID_PAIR, ID_RUN,
    ID_SET, ID_SLOT, ID_TAKE, ID_TRIPLE, ID_WILD, MAX_PATH, N_IDS, path_of, write_mask,
)
from sitoumus.engine.observation cimport (
    FLAGS, MELD_FIELDS, N_PHASES, O_ACTING, O_BIDS, O_BROUGHT, O_CONTRACT, O_COUNTS, O_DEALER, O_DECLARER, O_FLAGS,
    O_HAND, O_KNOWN, O_MELDS, O_PHASE, O_PILE, O_PLAYER, O_PREFIX, O_PREFIX_CARDS, O_SIDES, O_SIZES, O_TOP, O_UNSEEN,
    OBSERVATION, SEATS_SEEN, SIDE_FIELDS, SIDES_SEEN, whole_pack, write_observation,
)
from sitoumus.engine.policies.mind cimport POLICY_RANDOM, POLICY_ROLLOUT
from sitoumus.engine.desk cimport (
    CDesk, CHouse, choose, deal_at, mask_of, random_of, seen_by, sit_down, top_rank, write_returns,
)
from sitoumus._compile cimport _rules, Rules
from sitoumus._core cimport _action_text, _key, _policies, _seat, _totals, Table, View

from sitoumus import _names
from sitoumus.errors import IllegalActionError, PolicyError, RuleSetError

#: How many numbers of actions there are.
N = <int>N_IDS

#: Length of an observation, in bytes.
LENGTH = <int>OBSERVATION

#: The first number of each kind of choice.
FIRST = {
    "bid": <int>ID_BID, "discard": <int>ID_DISCARD, "buy": <int>ID_BUY, "card": <int>ID_CARD, "merge": <int>ID_MERGE,
    "run": <int>ID_RUN, "set": <int>ID_SET, "wild": <int>ID_WILD, "black": <int>ID_BLACK, "take": <int>ID_TAKE,
    "pair": <int>ID_PAIR, "triple": <int>ID_TRIPLE, "one_wild": <int>ID_ONE_WILD, "slot": <int>ID_SLOT,
    "locks": <int>ID_LOCKS,
}

cdef str _COUNTS = "copies of each card, in canonical order: A 2 ... K by suit c d h s, jokers last"
cdef str _SEATS = "me, left, partner, right (of two players: me, left; of three: me, left, right)"

#: The parts of an observation: name, start, shape, meaning.
LAYOUT = (
    ("hand", <int>O_HAND, (N_TYPES,), f"own cards: {_COUNTS}"),
    ("known", <int>O_KNOWN, (3, N_TYPES), "cards from the pile, known to be in the hands of left, partner and right"),
    ("unseen", <int>O_UNSEEN, (N_TYPES,), "cards that may lie anywhere: in the other hands or the stock"),
    ("pile", <int>O_PILE, (N_TYPES,), "the discard pile, its top card included"),
    ("top", <int>O_TOP, (N_TYPES,), "its top card"),
    ("brought", <int>O_BROUGHT, (N_TYPES,), "cards below the top that the shortest take would bring"),
    ("chosen_cards", <int>O_PREFIX_CARDS, (N_TYPES,), "of an action chosen in part: the cards named one by one"),
    ("chosen", <int>O_PREFIX, (5,), "of an action chosen in part: addition, merge, take; its slot, and one more; of a "
     "take the number of its first choice, less that of the top card alone"),
    ("phase", <int>O_PHASE, (N_PHASES,), f"one of {', '.join(_names.PHASES)}"),
    ("acting", <int>O_ACTING, (SEATS_SEEN,), f"who is to act: {_SEATS}"),
    ("player", <int>O_PLAYER, (SEATS_SEEN,), "whose turn it is, also while the partner is asked"),
    ("dealer", <int>O_DEALER, (SEATS_SEEN,), "who dealt"),
    ("contract", <int>O_CONTRACT, (8,), "level; C, D, H, S, CAN, DEU; doubled: in the auction of the last bid"),
    ("declarer", <int>O_DECLARER, (SEATS_SEEN,), "who bid it"),
    ("sizes", <int>O_SIZES, (SEATS_SEEN,), "cards in each hand"),
    ("counts", <int>O_COUNTS, (4,), "cards in the stock, in the pile, freezing cards in it, turns completed"),
    ("flags", <int>O_FLAGS, (FLAGS,), "of the turn: drew, took, partner said yes, said no, bound to go out (own turn "
     "only), laid, opening begun, declarer's first turn, only a discard, must go out, an older meld has grown, "
     "transfer onto the meld of that number, passes in a row, declarers who could not open, own melds when the turn "
     "began; nothing laid by me in earlier turns"),
    ("sides", <int>O_SIDES, (SIDES_SEEN, SIDE_FIELDS), "ours, theirs (of three players: mine, left's, right's): match "
     "total in 50s, the same below 0, opening minimum in 5s, what it needs besides, opened, melds, card points in 50s, "
     "bonus in 100s, bonus cards, cards bought with, penalties in 100s, complete melds: all, sequences, sets, natural "
     "sets, natural melds, wild melds, mixed sets"),
    ("bids", <int>O_BIDS, (MAX_BIDS, SEATS_SEEN), "who has made each bid, six strains a level"),
    ("melds", <int>O_MELDS, (SIDES_SEEN, MAX_MELDS, MELD_FIELDS), "by side and slot less one: shape (1 set, 2 "
     "sequence, 3 wild), rank of a set or suit of a sequence plus one, lowest rank of a sequence, cards, cards that "
     "complete it, complete, jokers, wild cards"),
)


def check(rules=None):
    """The compiled form of a rule set, all of whose actions have numbers.

    Raises
    ------
    RuleSetError
        If more than 30 cards freeze the pile, so that the number of those that come along might have no number.
    """
    cdef Rules c = _rules(rules)
    cdef int i, n = 0
    for i in range(c.r.n_cards):
        n += is_freezing(&c.r, c.r.pack[i])
    if n > 30 and c.r.extent != EXTENT_WHOLE:
        raise RuleSetError(f"{n} cards of the pack freeze the pile (pile.freeze): numbered actions know 30 at most")
    return c


cdef int _begin(Table table, prefix, uint32_t* steps, CPrefix* x, uint32_t* found) except -1:
    """List the legal steps and follow the choices made; how many steps are left."""
    cdef int n = generate(&table.compiled.r, &table.s.p, &table.s.h.hand[table.s.p.player], steps), left = n
    cdef int rank = top_rank(&table.s), place = 0, chosen
    memset(x, 0, sizeof(CPrefix))
    for each in prefix:
        chosen = each if isinstance(each, int) and not isinstance(each, bool) and 0 <= each < N_IDS else -1
        left = 0 if place and x.n == 0 else follow(x, steps, n, rank, chosen, found)
        if left == 0:
            raise IllegalActionError(f"number {each} is not legal as choice {place + 1} of {tuple(prefix)}: ask ids() "
                                     "for those that are")
        place += 1
    return 1 if place and x.n == 0 else 0 if place == 0 else left


def mask(Table table, prefix=(), uint8_t[::1] out=None):
    """Which numbers may be chosen next, written into an array of `N` bytes; returns it."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef uint32_t found = 0
    cdef CPrefix x
    cdef int n
    if out.shape[0] != N_IDS:
        raise ValueError(f"out has {out.shape[0]} bytes: a mask has {N_IDS}")
    n = _begin(table, prefix, steps, &x, &found)
    if n == 1:
        memset(&out[0], 0, N_IDS)
        return
    n = generate(&table.compiled.r, &table.s.p, &table.s.h.hand[table.s.p.player], steps)
    write_mask(&x, steps, n, top_rank(&table.s), &out[0])


def decode(Table table, ids):
    """The text of the action that some numbers stand for."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef uint32_t found = 0
    cdef CPrefix x
    if _begin(table, ids, steps, &x, &found) != 1:
        raise IllegalActionError(f"{tuple(ids)} is not a whole action: one more choice is needed")
    return _action_text(&table.compiled.r, &table.s.p, found)


def encode(Table table, text):
    """Numbers of the single steps that a text stands for, one after another."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef uint16_t path[MAX_PATH]
    cdef uint32_t found = 0
    cdef CPrefix x
    cdef CState s = table.s
    cdef int n, rank
    codes = table._find(text)
    if codes is None:
        raise IllegalActionError(table._why_not(text))
    ids = []
    for code in codes:
        n = generate(&table.compiled.r, &s.p, &s.h.hand[s.p.player], steps)
        rank = top_rank(&s)
        path_of(<uint32_t>code, rank, path)
        memset(&x, 0, sizeof(CPrefix))
        while True:
            ids.append(path[x.n])
            if follow(&x, steps, n, rank, path[x.n], &found) <= 1:
                break
        apply(&table.compiled.r, &s, <uint32_t>code)
    return tuple(ids)


def observe(Table table, seat, prefix=(), uint8_t[::1] out=None):
    """Write what a seat knows into an array of `LENGTH` bytes."""
    cdef uint32_t steps[MAX_ACTIONS]
    cdef uint32_t found = 0
    cdef CPrefix x
    cdef CHand pack
    cdef int place = _seat(table.compiled, seat)
    if out.shape[0] != OBSERVATION:
        raise ValueError(f"out has {out.shape[0]} bytes: an observation has {OBSERVATION}")
    _begin(table, prefix, steps, &x, &found)
    whole_pack(&table.compiled.r, &pack)
    memset(&out[0], 0, OBSERVATION)
    write_observation(&table.compiled.r, &table.s.p, &table.s.h.hand[place], place, &pack, &x, &out[0])


def table_of(View view):
    """A table with the public part of a view and its seat's hand; other hands and the stock are empty."""
    cdef Table table = Table.__new__(Table)
    table.compiled = view.compiled
    memset(&table.s, 0, sizeof(CState))
    table.s.p = view.p
    table.s.h.hand[_seat(view.compiled, view.seat)] = view.own
    table._undo = []
    return table


# ---- tables played by numbers ----------------------------------------------------------------------------------------

cdef int _furnish(CHouse* house, Rules rules, seed, policies, learners, bint skip_forced, dealer, totals,
                  policy_seed) except -1:
    """Fill what the tables of an environment share."""
    cdef int seat
    memset(house, 0, sizeof(CHouse))
    house.r = &rules.r
    whole_pack(house.r, &house.pack)
    _key(seed, house.key)
    _key(policy_seed, house.noise)
    _totals(rules, totals, house.totals)
    house.dealer = NONE if dealer is None else _seat(rules, dealer)
    house.skip_forced = skip_forced
    for name in learners:
        house.learns[_seat(rules, name)] = 1
    _policies(rules, [policy or (POLICY_RANDOM, (), 0) for policy in policies], house.policies)
    for seat in range(rules.r.seats):
        if not house.learns[seat] and (policies[seat] is None or house.policies[seat].kind == POLICY_ROLLOUT):
            raise PolicyError(f"seat {rules.seats[seat]} is played in the core: its policy must be a compiled one that "
                              "does not play out (not a rollout policy, none in Python)")
    return 0


@cython.final
cdef class Desk:
    """One table that is played by numbers.

    Parameters
    ----------
    rules : RuleSet
    seed : int
    policies : sequence
        (kind, parameters, passes) by seat; None for a learner's.
    learners : sequence of str
        Seats that are played by numbers.
    skip_forced : bool
        Whether a learner's only legal action is played for it.
    dealer : str or None
        None: the deal's number modulo the seats.
    totals : as for `Table`
    policy_seed : int
    """

    cdef CHouse house
    cdef CDesk d
    cdef readonly Rules rules
    cdef readonly tuple made        # the arguments

    def __init__(self, rules, seed, policies, learners, skip_forced, dealer, totals, policy_seed):
        self.rules = check(rules)
        self.made = (self.rules.source, seed, policies, learners, skip_forced, dealer, totals, policy_seed)
        memset(&self.d, 0, sizeof(CDesk))
        _furnish(&self.house, self.rules, seed, policies, learners, skip_forced, dealer, totals, policy_seed)

    def deal(self, uint64_t number):
        """Deal a number and play to the first choice of a learner."""
        with nogil:
            deal_at(&self.house, &self.d, number)

    def deal_of_match(self, uint64_t number, dealer, totals):
        """The same with another dealer and other totals, which stay."""
        self.house.dealer = _seat(self.rules, dealer)
        _totals(self.rules, totals, self.house.totals)
        self.made = (*self.made[:5], dealer, totals, self.made[7])
        self.deal(number)

    def begin(self, Table table):
        """Go on from a table."""
        if table.compiled is not self.rules:
            raise RuleSetError(f"the table has the rules {table.rules.name}, the environment {self.rules.source.name}")
        self.d.s = table.s
        self.d.deal = table.number or 0
        sit_down(&self.house, &self.d)

    @property
    def seat(self):
        """Place of the learner to act, or of the last that did."""
        return self.d.seat

    @property
    def over(self):
        """Whether the deal is over."""
        return self.d.s.p.phase == PHASE_OVER

    @property
    def number(self):
        """Number of the deal."""
        return self.d.deal

    @property
    def actions(self):
        """Single steps since the cards were dealt, those of the other seats too."""
        return self.d.s.p.actions

    @property
    def prefix(self):
        """Choices of an action that is not whole, those that were not asked included."""
        return tuple([self.d.x.ids[i] for i in range(self.d.x.n)])

    def mask(self, uint8_t[::1] out not None):
        """Write 1 for every number that may be chosen."""
        if out.shape[0] != N_IDS:
            raise ValueError(f"out has {out.shape[0]} bytes: a mask has {N_IDS}")
        mask_of(&self.house, &self.d, &out[0])

    def ids(self):
        """The numbers that may be chosen, in ascending order."""
        cdef uint8_t mask[N_IDS]
        cdef int i, k
        cdef list found = []
        mask_of(&self.house, &self.d, mask)
        for i in range(0, N_IDS, 2):
            if mask[i] or mask[i + 1]:
                for k in range(i, i + 2):
                    if mask[k]:
                        found.append(k)
        return found

    def observe(self, int seat, uint8_t[::1] out not None):
        """Write what a seat, by its place, knows."""
        if out.shape[0] != OBSERVATION or not 0 <= seat < self.rules.r.seats:
            raise ValueError(f"out has {out.shape[0]} bytes, seat is {seat}: an observation has {OBSERVATION} bytes, "
                             f"seats are 0 to {self.rules.r.seats - 1}")
        memset(&out[0], 0, OBSERVATION)
        seen_by(&self.house, &self.d, seat, &out[0])

    def step(self, chosen):
        """Choose a number; whether it was legal. If not, nothing changes."""
        cdef int64_t number = chosen
        return 0 <= number < N_IDS and choose(&self.house, &self.d, <int>number)

    def tell(self, chosen):
        """Choose a number, and say the text of the action that it makes whole; None while it is not, or if illegal."""
        cdef CState before = self.d.s
        if not self.step(chosen) or self.d.x.n:
            return None
        return _action_text(&self.rules.r, &before.p, self.d.last)

    def returns(self):
        """By seat: own points less the mean of the other sides', in thousands; of a deal that is over."""
        cdef float out[MAX_SEATS]
        if self.d.s.p.phase != PHASE_OVER:
            raise IllegalActionError("the deal is not over: it has no score yet")
        write_returns(&self.house, &self.d, out)
        return [out[i] for i in range(self.rules.r.seats)]

    def table(self):
        """A table in this position, without its history."""
        cdef Table table = Table.__new__(Table)
        table.s = self.d.s
        table.compiled = self.rules
        table.seed = self.made[1]
        table.number = self.d.deal
        table._undo = []
        return table

    def copy(self):
        """An independent copy, an action chosen in part included."""
        cdef Desk other = Desk.__new__(Desk)
        other.rules = self.rules
        other.made = self.made
        other.house = self.house
        other.d = self.d
        return other

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return _restore_desk, (self.made, PyBytes_FromStringAndSize(<char*>&self.d, sizeof(CDesk)))


def _restore_desk(made, state):
    cdef Desk desk = Desk(*made)
    if len(state) != sizeof(CDesk):
        raise ValueError("this pickle of an environment was made by another version of the library")
    memcpy(&desk.d, PyBytes_AS_STRING(state), sizeof(CDesk))
    for seat in range(MAX_SEATS):
        desk.d.minds[seat].past = NULL
    return desk


@cython.final
cdef class Desks:
    """Many tables that are stepped together, a range at a time, without the GIL; arrays are written in place.

    Parameters
    ----------
    n : int
    rules, seed, policies, learners, skip_forced, dealer, totals, policy_seed
        As for `Desk`.
    start : int
        Table k is dealt the numbers start + k, start + k + n, ...
    same_step : bool
        Whether the next deal follows in the step that ends one; else in the step after.
    arrays : dict
        observations (n, LENGTH), masks (n, N), terminals, truncations, seat (n,) of uint8; rewards (n, seats) of
        float32; deal (n,) of int64; final_observations as observations, or None.
    """

    cdef CHouse house
    cdef CDesk* desks
    cdef Stream* streams
    cdef readonly Rules rules
    cdef readonly int64_t n, start
    cdef bint same_step, finals
    cdef uint8_t[:, ::1] observations, masks, final_observations
    cdef uint8_t[::1] terminals, truncations, seat
    cdef float[:, ::1] rewards
    cdef int64_t[::1] deal

    def __init__(self, int64_t n, rules, seed, policies, learners, skip_forced, dealer, totals, policy_seed,
                 int64_t start, bint same_step, arrays):
        cdef int64_t i
        self.rules = check(rules)
        _furnish(&self.house, self.rules, seed, policies, learners, skip_forced, dealer, totals, policy_seed)
        self.n = n
        self.start = start
        self.same_step = same_step
        self.observations = arrays["observations"]
        self.masks = arrays["masks"]
        self.terminals = arrays["terminals"]
        self.truncations = arrays["truncations"]
        self.seat = arrays["seat"]
        self.rewards = arrays["rewards"]
        self.deal = arrays["deal"]
        self.finals = arrays.get("final_observations") is not None
        if self.finals:
            self.final_observations = arrays["final_observations"]
        for i in range(n):
            memset(&self.observations[i, 0], 0, OBSERVATION)
            if self.finals:
                memset(&self.final_observations[i, 0], 0, OBSERVATION)
        self.desks = <CDesk*>calloc(n, sizeof(CDesk))
        self.streams = <Stream*>calloc(n, sizeof(Stream))
        if self.desks == NULL or self.streams == NULL:
            raise MemoryError(f"{n} tables need {n * sizeof(CDesk)} bytes")
        for i in range(n):
            stream_open(&self.streams[i], self.house.noise, 0, PURPOSE_POLICY, <uint64_t>i, <uint64_t>1 << 63)

    def __dealloc__(self):
        free(self.desks)
        free(self.streams)

    cdef void _show(self, int64_t i) noexcept nogil:
        cdef CDesk* d = &self.desks[i]
        seen_by(&self.house, d, d.seat, &self.observations[i, 0])
        mask_of(&self.house, d, &self.masks[i, 0])
        self.seat[i] = d.seat
        self.deal[i] = <int64_t>d.deal

    cdef void _ends(self, int64_t i) noexcept nogil:
        """The deal of a table is over: rewards, and the next deal where it follows at once."""
        cdef CDesk* d = &self.desks[i]
        self.terminals[i] = 1
        if not d.illegal:
            write_returns(&self.house, d, &self.rewards[i, 0])
        if self.same_step:
            if self.finals:
                seen_by(&self.house, d, d.seat, &self.final_observations[i, 0])
            deal_at(&self.house, d, d.deal + <uint64_t>self.n)

    def reset(self, int64_t first, int64_t stop, int64_t start):
        """Deal tables first .. stop - 1 their first numbers, counted from `start`."""
        cdef int64_t i
        self.start = start
        with nogil:
            for i in range(first, stop):
                deal_at(&self.house, &self.desks[i], <uint64_t>(start + i))
                self.terminals[i] = 0
                self.truncations[i] = 0
                memset(&self.rewards[i, 0], 0, self.house.r.seats * sizeof(float))
                self._show(i)

    def illegal(self, const int64_t[::1] ids not None):
        """The first table for which the number is not legal, -1 if all are."""
        cdef int64_t i, found = -1
        with nogil:
            for i in range(self.n):
                if self.desks[i].s.p.phase != PHASE_OVER and not self.desks[i].illegal and not (
                        0 <= ids[i] < N_IDS and self.masks[i, ids[i]]):
                    found = i
                    break
        return found

    def step(self, const int64_t[::1] ids not None, int64_t first, int64_t stop, float penalty):
        """Step tables first .. stop - 1. An illegal number ends the deal, and costs its seat the penalty."""
        cdef int64_t i
        cdef CDesk* d
        with nogil:
            for i in range(first, stop):
                d = &self.desks[i]
                self.terminals[i] = 0
                memset(&self.rewards[i, 0], 0, self.house.r.seats * sizeof(float))
                if d.s.p.phase == PHASE_OVER or d.illegal:
                    deal_at(&self.house, d, d.deal + <uint64_t>self.n)
                    if d.s.p.phase == PHASE_OVER:      # before a learner had a choice
                        self._ends(i)
                elif not (0 <= ids[i] < N_IDS and choose(&self.house, d, <int>ids[i])):
                    d.illegal = 1
                    d.n = 0
                    self.rewards[i, d.seat] = -penalty
                    self._ends(i)
                elif d.s.p.phase == PHASE_OVER:
                    self._ends(i)
                self._show(i)

    def sample(self, int64_t[::1] out not None, int64_t first, int64_t stop):
        """A legal number for each table, each with the same chance; 0 where the deal is over."""
        cdef int64_t i
        with nogil:
            for i in range(first, stop):
                out[i] = random_of(&self.masks[i, 0], &self.streams[i])

    def hidden(self, uint8_t[:, :, ::1] out not None):
        """Write the hands of all tables, (n, 4, 53), from the place of the seat to act on: for training alone."""
        cdef int64_t i
        cdef int seat, seats = self.house.r.seats
        with nogil:
            for i in range(self.n):
                memset(&out[i, 0, 0], 0, 4 * N_TYPES)
                for seat in range(seats):
                    write_counts(&self.desks[i].s.h.hand[(self.desks[i].seat + seat) % seats], &out[i, seat, 0])

    def table(self, int64_t i):
        """Table number i in its position, without its history."""
        cdef Table table = Table.__new__(Table)
        if not 0 <= i < self.n:
            raise IndexError(f"table {i}: there are {self.n}")
        table.s = self.desks[i].s
        table.compiled = self.rules
        table.number = self.desks[i].deal
        table._undo = []
        return table


# ---- for benchmarks --------------------------------------------------------------------------------------------------

def walk(rules, seed, int64_t steps):
    """Play so many uniformly random legal numbers by listing and carrying out alone; how many deals it took."""
    cdef CHouse house
    cdef CState s
    cdef Stream stream
    cdef Rules c = check(rules)
    cdef uint32_t codes[MAX_ACTIONS]
    cdef uint64_t deal = 0
    cdef int64_t _
    cdef int n
    _furnish(&house, c, seed, [None] * c.r.seats, c.seats, False, None, None, 0)
    memset(&s, 0, sizeof(CState))
    s.p.phase = PHASE_OVER
    with nogil:
        stream_open(&stream, house.noise, 0, PURPOSE_POLICY, 0, <uint64_t>1 << 63)
        for _ in range(steps):
            if s.p.phase == PHASE_OVER:
                clear_state(house.r, &s, <int>(deal % house.r.seats), house.totals)
                deal_cards(house.r, &s, house.key, deal, NULL)
                start_extra(house.r, &s)
                begin_deal(house.r, &s)
                deal += 1
            n = generate(house.r, &s.p, &s.h.hand[s.p.player], codes)
            apply(house.r, &s, codes[bounded(&stream, <uint32_t>n)])
    return deal


def sums(rules=None):
    """What a pack is worth: card points of all cards when melded, and what they cost when they are left in hands."""
    cdef Rules c = check(rules)
    cdef int i, melded = 0, left = 0
    for i in range(c.r.n_cards):
        melded += c.r.points[c.r.pack[i]]
        left += c.r.hand_points[c.r.pack[i]]
    return melded, left
