"""Actions as numbers and observations as arrays: what a learning program sees and says of a table."""
cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memset
from sitoumus.engine.cards cimport card_bit, card_rank, CHand, JOKER, N_TYPES, THREE
from sitoumus.engine.tables cimport CRules, EXTENT_WHOLE, is_freezing, NONE
from sitoumus.engine.state cimport CState, MAX_ACTIONS, MAX_BIDS, MAX_MELDS, PHASE_OVER
from sitoumus.engine.taking cimport pile_top
from sitoumus.engine.binding cimport generate
from sitoumus.engine.apply cimport apply
from sitoumus.engine.numbering cimport (
    CPrefix, follow, ID_BID, ID_BLACK, ID_BUY, ID_CARD, ID_DISCARD, ID_LOCKS, ID_MERGE, ID_ONE_WILD, ID_PAIR, ID_RUN,
    ID_SET, ID_SLOT, ID_TAKE, ID_TRIPLE, ID_WILD, MAX_PATH, N_IDS, path_of, write_mask,
)
from sitoumus.engine.observation cimport (
    FLAGS, MELD_FIELDS, N_PHASES, O_ACTING, O_BIDS, O_BROUGHT, O_CONTRACT, O_COUNTS, O_DEALER, O_DECLARER, O_FLAGS,
    O_HAND, O_KNOWN, O_MELDS, O_PHASE, O_PILE, O_PLAYER, O_PREFIX, O_PREFIX_CARDS, O_SIDES, O_SIZES, O_TOP, O_UNSEEN,
    OBSERVATION, SEATS_SEEN, SIDE_FIELDS, SIDES_SEEN, whole_pack, write_observation,
)
from sitoumus._compile cimport _rules, Rules
from sitoumus._core cimport _action_text, _seat, Table

from sitoumus._names import PHASES
from sitoumus.errors import IllegalActionError, RuleSetError

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
    ("known", <int>O_KNOWN, (3, N_TYPES), "cards all know to be in the hands of left, partner and right: from the pile"),
    ("unseen", <int>O_UNSEEN, (N_TYPES,), "cards that may lie anywhere: in the other hands or the stock"),
    ("pile", <int>O_PILE, (N_TYPES,), "the discard pile, its top card included"),
    ("top", <int>O_TOP, (N_TYPES,), "its top card"),
    ("brought", <int>O_BROUGHT, (N_TYPES,), "cards below the top that the shortest take would bring"),
    ("chosen_cards", <int>O_PREFIX_CARDS, (N_TYPES,), "of an action chosen in part: the cards named one by one"),
    ("chosen", <int>O_PREFIX, (5,), "of an action chosen in part: addition, merge, take; its slot, and one more; of a "
     "take the number of its first choice, less that of the top card alone"),
    ("phase", <int>O_PHASE, (N_PHASES,), f"one of {', '.join(PHASES)}"),
    ("acting", <int>O_ACTING, (SEATS_SEEN,), f"who is to act: {_SEATS}"),
    ("player", <int>O_PLAYER, (SEATS_SEEN,), "whose turn it is, also while the partner is asked"),
    ("dealer", <int>O_DEALER, (SEATS_SEEN,), "who dealt"),
    ("contract", <int>O_CONTRACT, (8,), "level; C, D, H, S, CAN, DEU; doubled: in the auction of the last bid"),
    ("declarer", <int>O_DECLARER, (SEATS_SEEN,), "who bid it"),
    ("sizes", <int>O_SIZES, (SEATS_SEEN,), "cards in each hand"),
    ("counts", <int>O_COUNTS, (4,), "cards in the stock, in the pile, freezing cards in it, turns completed"),
    ("flags", <int>O_FLAGS, (FLAGS,), "of the turn: drew, took, partner said yes, said no, bound to go out (own turn "
     "only), laid, opening begun, declarer's first turn, only a discard, must go out, an older meld has grown, transfer "
     "onto the meld of that number, passes in a row, declarers who could not open, own melds when the turn began; "
     "nothing laid by me in earlier turns"),
    ("sides", <int>O_SIDES, (SIDES_SEEN, SIDE_FIELDS), "ours, theirs (of three players: mine, left's, right's): match "
     "total in 50s, the same below 0, opening minimum in 5s, what it needs besides, opened, melds, card points in 50s, "
     "bonus in 100s, bonus cards, cards bought with, penalties in 100s, complete melds: all, sequences, sets, natural "
     "sets, natural melds, wild melds, mixed sets"),
    ("bids", <int>O_BIDS, (MAX_BIDS, SEATS_SEEN), "who has made each bid, six strains a level"),
    ("melds", <int>O_MELDS, (SIDES_SEEN, MAX_MELDS, MELD_FIELDS), "by side and slot less one: shape (1 set, 2 sequence, "
     "3 wild), rank of a set or suit of a sequence plus one, lowest rank of a sequence, cards, wild cards, jokers, "
     "complete, cards that complete it, card points in 5s, bonus in 100s"),
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


cdef int _top_rank(const CState* s) noexcept nogil:
    return card_rank(pile_top(&s.p)) if s.p.pile_n else 0


cdef int _begin(Table table, prefix, uint32_t* steps, CPrefix* x, uint32_t* found) except -1:
    """List the legal steps and follow the choices made; how many steps are left."""
    cdef int n = generate(&table.compiled.r, &table.s.p, &table.s.h.hand[table.s.p.player], steps), left = n
    cdef int rank = _top_rank(&table.s), place = 0, chosen
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
    write_mask(&x, steps, n, _top_rank(&table.s), &out[0])


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
        rank = _top_rank(&s)
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
    write_observation(&table.compiled.r, &table.s.p, &table.s.h.hand[place], place, &pack, &x, &out[0])
