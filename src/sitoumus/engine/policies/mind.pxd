# What a compiled policy carries: its kind and parameters (CPolicy), its plan (CMind), the address of a turn's numbers.
from libc.stdint cimport uint8_t, uint32_t, uint64_t, int32_t, int64_t
from sitoumus.engine.cards cimport CHand
from sitoumus.engine.rng cimport PURPOSE_POLICY, Stream, stream_open
from sitoumus.engine.tables cimport MAX_SEATS
from sitoumus.engine.state cimport CPublic, MAX_CHOICES, PHASE_AUCTION, PHASE_OPENING

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

cdef enum:
    POLICY_RANDOM = 0
    POLICY_GREEDY = 1
    POLICY_HEURISTIC = 2
    POLICY_ROLLOUT = 3
    MAX_PARAMS = 96
    MAX_PLAN = 64

cdef struct CPolicy:
    int32_t kind              # POLICY_*
    int32_t passes            # passes in every auction, whatever it holds
    int32_t base              # of a rollout policy: POLICY_* that plays out
    int32_t worlds            # ... on so many worlds at most
    int32_t milliseconds      # ... and for so long, 0 for no limit; then not repeatable
    int32_t caution           # ... hundredths of a standard error by which a plan must beat the base's
    int32_t floor             # ... millionths that a call or discard weighs that the base would not have made, -1 for 1
    int32_t w[MAX_PARAMS]     # parameters of the heuristic, or of the heuristic that plays out

cdef struct CMind:            # a seat's thoughts within one turn
    int64_t address           # of the turn they belong to, -1 none
    const CPast* past         # for playing out: what the seats have done
    Stream stream
    uint32_t plan[MAX_PLAN]
    int32_t n_plan
    int32_t at                # next step of the plan


cdef inline int64_t turn_address(const CPublic* p) noexcept nogil:
    """Number of the decision's turn: calls of the auction, then openings before play, then turns."""
    if p.phase == PHASE_AUCTION:
        return p.calls
    if p.phase == PHASE_OPENING:
        return 1024 + p.failed_bids
    return 2048 + p.turns


cdef inline int64_t seat_address(const CPublic* p, int seat) noexcept nogil:
    """... and of what a seat thinks in it."""
    return turn_address(p) * 4 + seat


cdef inline void open_mind(CMind* m, const CPublic* p, const uint64_t* key, uint64_t deal,
                           uint64_t world) noexcept nogil:
    """Start the thoughts of the seat to act if its turn is a new one."""
    cdef int64_t address = seat_address(p, p.turn)
    if m.address == address:
        return
    m.address = address
    m.n_plan = 0
    m.at = 0
    stream_open(&m.stream, key, <uint64_t>address << 32, PURPOSE_POLICY, deal, world)
