# The table: one deal in progress as a plain struct without pointers, its public and its hidden part apart.
#
# A copy is an assignment, undo is a copy back. A compiled policy gets the public part and its own hand only.
# Piles and stock are stored BOTTOM FIRST, so that taking from the top is taking from the end.
from libc.stdint cimport uint8_t, uint64_t, int16_t, int32_t
from sitoumus.engine.cards cimport CHand
from sitoumus.engine.tables cimport CMeld, CRules, MAX_PACK, MAX_SEATS, MAX_SIDES, minimum_for
from sitoumus.engine.melds cimport CTally

cdef enum:
    MAX_MELDS = 56        # 162 cards make at most 54 melds
    MAX_BIDS = 120        # 20 levels of six strains
    MAX_CALLS = 488       # of an auction: passes too
    MAX_LAYS = 2048       # bounds of list_starts() with list_adds() and list_black(), and
    MAX_ACTIONS = 12800   # of generate(); see its docstring
    MAX_CHOICES = 4       # last discards of a seat by which worlds are weighed
    # phases; _names.pyx gives the names of these and of the verbs
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
    int16_t raised[MAX_SIDES]     # of the opening minimum in this deal, by rulings
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
    uint8_t bound             # he said yes, and the player can go out in this turn: so he must
    uint8_t laid              # something was laid, joined or merged in this turn
    uint8_t opening           # an opening has begun in this turn and is not complete
    uint8_t first_turn        # the declarer's first turn: transfer or stock (R23.1)
    uint8_t discard_only      # the starter's first turn where it only discards
    uint8_t must_out          # black threes were laid, or a full run grew: this turn goes out
    uint8_t start_melds       # own melds when the turn began
    uint8_t touched           # a card was put on a meld that lay there when the turn began
    uint8_t transfer_to       # transfer begun onto this meld (number), 0 none (D18)
    uint8_t clean             # bit by seat: has laid nothing in an earlier turn
    uint8_t waiting           # bit by seat: has had no turn yet, so dealt bonus cards may be in its hand (F24)
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


cdef inline int side_minimum(const CRules* r, const CPublic* p, int side, uint8_t* needs) noexcept nogil:
    """Opening minimum of a side now: by its total (R13.1), raised by rulings; needs gets NEEDS_*."""
    return minimum_for(r, p.totals[side], needs) + p.raised[side]
