# The table: one deal in progress as a plain struct without pointers, its public and its hidden part apart.
#
# A copy is an assignment, undo is a copy back. A compiled policy gets the public part and its own hand only.
# Piles and stock are stored BOTTOM FIRST, so that taking from the top is taking from the end.
#
# In reading order: phases and verbs, CPublic, CHidden, CState, the 32-bit codes of actions.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t, int32_t, int64_t
from sitoumus._cards cimport CHand
from sitoumus._rules cimport MAX_PACK, MAX_SEATS, MAX_SIDES, CMeld
from sitoumus._melds cimport CTally

cdef enum:
    MAX_MELDS = 56        # 162 cards make at most 54 melds
    MAX_BIDS = 120        # 20 levels of six strains
    MAX_CALLS = 488       # of an auction: passes too
    MAX_ACTIONS = 2048    # bound of generate(); see its docstring
    MAX_CHOICES = 4       # last discards of a seat by which worlds are weighed
    # phases
    PHASE_AUCTION = 0
    PHASE_OPENING = 1
    PHASE_DRAW = 2
    PHASE_TAKEN = 3
    PHASE_MELD = 4
    PHASE_REPLY = 5
    PHASE_OVER = 6
    # verbs of actions
    V_PASS = 0
    V_BID = 1
    V_DOUBLE = 2
    V_FAIL = 3
    V_DONE = 4
    V_DRAW = 5
    V_TAKE = 6
    V_EXTRA = 7
    V_MELD = 8
    V_ADD = 9
    V_MERGE = 10
    V_BUY = 11
    V_ASK = 12
    V_YES = 13
    V_NO = 14
    V_DISCARD = 15
    V_END = 16
    N_VERBS = 17
    # the question to the partner
    ASKED_NOT = 0
    ASKED_YES = 1
    ASKED_NO = 2
    # how a deal ended
    ENDED_NOT = 0
    ENDED_OUT = 1
    ENDED_STOCK = 2

cdef struct CPublic:
    uint8_t phase             # PHASE_*
    uint8_t turn              # seat to act (in REPLY the partner who answers)
    uint8_t dealer
    uint8_t player            # seat whose turn it is, also while the partner answers
    # auction and contract
    uint8_t last_bid          # bid number, NONE before the first
    uint8_t passes            # in a row, since the last bid
    uint8_t contract          # bid number of the contract, NONE without one
    uint8_t declarer          # seat, NONE without one
    uint8_t doubled
    uint8_t failed_seats      # bit by seat: could not open as declarer
    uint8_t failed_bids       # declarers who could not open
    int16_t calls
    uint8_t forced            # the calls were forced: they say nothing of the hands
    # sides
    int32_t totals[MAX_SIDES]     # of the match, when the deal began
    int32_t penalties[MAX_SIDES]  # points lost, bought threes apart
    uint8_t opened[MAX_SIDES]
    uint8_t n_melds[MAX_SIDES]
    CTally tally[MAX_SIDES]
    uint64_t growing[MAX_SIDES]   # bit by meld: not complete
    uint64_t running[MAX_SIDES]   # ... and a sequence
    uint64_t young[MAX_SIDES]     # nibble by rank: sets that are not complete
    uint64_t old[MAX_SIDES]       # ... complete sets
    # pile, stock, hands as far as all can see
    uint8_t pile_n
    uint8_t freezers          # freezing cards in the pile
    uint8_t stock_n
    uint8_t hand_n[MAX_SEATS]
    CHand known[MAX_SEATS]    # cards all know to be in a hand: taken from the pile and not yet played
    CHand in_melds            # cards face up: all melds
    CHand in_pile             # ... the pile
    # this turn
    uint8_t drew              # from the stock
    uint8_t took              # the pile
    uint8_t asked             # ASKED_*
    uint8_t ask_phase         # phase the answer leads back to
    uint8_t laid              # something was laid, joined or merged in this turn
    uint8_t opening           # an opening has begun in this turn and is not complete
    uint8_t first_turn        # the declarer's first turn: transfer or stock (R23.1)
    uint8_t discard_only      # the starter's first turn where it only discards
    uint8_t must_out          # black threes were laid, or a full run grew: this turn goes out
    uint8_t start_melds       # own melds when the turn began
    uint8_t touched           # a card was put on a meld that lay there when the turn began
    uint8_t transfer_to       # transfer begun onto this meld (number), 0 none (D18)
    uint8_t clean             # bit by seat: has laid nothing in an earlier turn
    # the end
    uint8_t ended             # ENDED_*
    uint8_t out_seat
    uint8_t concealed
    # counters
    int16_t turns             # completed turns
    int16_t actions
    int16_t opened_turn[MAX_SIDES]     # 0: before play, -1 never
    int16_t opening_points[MAX_SIDES]
    int16_t takes[MAX_SIDES]
    int16_t buys[MAX_SIDES]
    int16_t reached_turn      # turn after which the declaring side's melds reached the contract, -1 never
    int16_t stock_out_turn    # turn in which the last stock card was drawn, -1 never
    # from here on a draft of a turn copies its own melds alone
    CMeld melds[MAX_SIDES][MAX_MELDS]
    uint8_t pile[MAX_PACK]    # bottom first
    uint8_t bidder[MAX_BIDS]  # seat by bid number, NONE where not bid; bids rise, so this is the auction
    CHand bought[MAX_SIDES]   # cards laid to buy
    CHand bonus[MAX_SIDES]    # bonus cards laid

cdef struct CHidden:
    CHand hand[MAX_SEATS]
    uint8_t stock[MAX_PACK]   # bottom first; the next card is stock[stock_n - 1]

cdef struct CState:
    CPublic p
    CHidden h

cdef struct CChoice:          # of a discard
    CPublic p                 # the table
    CHand laid                # what its seat had played since its discard before, of cards not known to be in its hand
    uint8_t card

cdef struct CPast:            # public, but kept only where a policy that plays out asks
    CHand gone[MAX_SEATS]     # cards a seat has played that were not known to be in its hand: dealt to it, or drawn
    CHand laid[MAX_SEATS]     # ... since its last discard
    uint8_t from_deal         # nothing is missing since the cards were dealt
    int32_t n_choices[MAX_SEATS]
    CChoice choices[MAX_SEATS][MAX_CHOICES]    # the last discards: number k in place k modulo MAX_CHOICES

# Codes of actions: verb in bits 0-4, then
#   bid                 5-11 bid number
#   discard, buy        5-11 card
#   add                 5-11 card, 20-25 number of the meld (from 1)
#   merge               14-19 number of the meld that goes, 20-25 of the one it joins
#   meld                5-11, 12-18, 19-25 the three cards in canonical order; or bit 31 and
#                       5-12 the copies by suit (two bits each) of a set of black threes
#   take                5-12 hand cards of the top's rank by suit, 13-15 wild card (0 none, 1-4 deuce by suit, 5 joker),
#                       20-25 number of the meld joined (0: a new set), 26-30 freezing cards that come along (0: the whole pile)  # no-cython-lint

cdef inline int verb_of(uint32_t a) noexcept nogil:
    return a & 31

cdef inline uint32_t act_card(int verb, int card) noexcept nogil:
    return <uint32_t>verb | (<uint32_t>card << 5)

cdef inline uint32_t act_add(int card, int target) noexcept nogil:
    return <uint32_t>V_ADD | (<uint32_t>card << 5) | (<uint32_t>target << 20)

cdef inline uint32_t act_merge(int source, int target) noexcept nogil:
    return <uint32_t>V_MERGE | (<uint32_t>source << 14) | (<uint32_t>target << 20)

cdef inline uint32_t act_meld(int a, int b, int c) noexcept nogil:
    return <uint32_t>V_MELD | (<uint32_t>a << 5) | (<uint32_t>b << 12) | (<uint32_t>c << 19)

cdef inline uint32_t act_black(int suits) noexcept nogil:
    return <uint32_t>V_MELD | (<uint32_t>suits << 5) | (<uint32_t>1 << 31)

cdef inline uint32_t act_take(int suits, int wild, int target, int locks) noexcept nogil:
    return (<uint32_t>V_TAKE | (<uint32_t>suits << 5) | (<uint32_t>wild << 13) | (<uint32_t>target << 20)
            | (<uint32_t>locks << 26))

cdef inline int act_first(uint32_t a) noexcept nogil:
    """Bid number or card of an action that has one."""
    return (a >> 5) & 127

cdef inline int act_target(uint32_t a) noexcept nogil:
    return (a >> 20) & 63

cdef inline int act_source(uint32_t a) noexcept nogil:
    return (a >> 14) & 63

cdef inline int act_suits(uint32_t a) noexcept nogil:
    return (a >> 5) & 255

cdef inline int act_wild(uint32_t a) noexcept nogil:
    """Card code of the wild card in a take, 255 if none."""
    cdef int w = (a >> 13) & 7
    if w == 0:
        return 255
    return 64 if w == 5 else 16 * (w - 1) + 1

cdef inline int act_locks(uint32_t a) noexcept nogil:
    return (a >> 26) & 31
