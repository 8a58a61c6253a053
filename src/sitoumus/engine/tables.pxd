# A rule set as tables: what rules.RuleSet compiles to, once, when the rule set is made.
#
# Nothing here names a game. Hot questions (may this card join, what is the bonus, does it freeze) are a look-up;
# what is asked once a deal (auction, settlement, the end of the stock) is a plain field.
from libc.stdint cimport uint8_t, uint16_t, uint64_t, int16_t, int32_t
from sitoumus.engine.cards cimport card_bit, CHand, JOKER, N_CODES

cdef enum:
    MAX_PACK = 164
    MAX_SEATS = 4
    MAX_SIDES = 4
    MAX_KINDS = 8
    MAX_BANDS = 16
    NONE = 255
    # shapes of melds
    SHAPE_SET = 0
    SHAPE_RUN = 1
    SHAPE_WILD = 2
    # melds of one rank
    RANK_ONE = 0
    RANK_MANY = 1
    RANK_AFTER_COMPLETE = 2
    # when a step is allowed
    NEVER = 0
    ALWAYS = 1
    GOING_OUT = 2
    # cards that may join a meld
    JOINS_NATURAL = 1     # those of its rank
    JOINS_WILD = 2        # deuces and jokers
    JOINS_SOME_WILD = 4   # either of them
    # ways to take the pile
    WAY_PAIR = 1
    WAY_TRIPLE = 2
    WAY_NATURAL_WILD = 4
    WAY_FIT_SET = 8       # the top card onto an own incomplete set
    WAY_FIT_FULL = 16     # ... onto an own complete set
    WAY_FIT_RUN = 32      # ... onto an own incomplete sequence (the transfer)
    # how much of the pile comes
    EXTENT_WHOLE = 0
    EXTENT_TO_FREEZER = 1         # down to the first freezing card, that card included
    EXTENT_TO_NEXT_FREEZER = 2    # the top card itself does not count as the first (B16)
    # what an opening must hold besides points
    NEEDS_NONE = 0
    NEEDS_CANASTA = 1
    NEEDS_NATURAL = 2
    # the empty stock
    EMPTY_END_AFTER_TURN = 0      # the turn of the last draw is the last
    EMPTY_FORCED_FIT = 1          # a fitting top must be taken, else the deal ends
    EMPTY_FORCED_MAY = 2          # as before if it is not frozen; other lawful takes are allowed
    EMPTY_MAY_FIT = 3
    EMPTY_MAY_TAKE = 4
    # asking the partner
    ASK_NONE = 0
    ASK_OPTIONAL = 1
    ASK_REQUIRED = 2
    # whose clean record makes a going out concealed
    CONCEALED_NONE = 0
    CONCEALED_SIDE = 1
    CONCEALED_PLAYER = 2
    # start of the discard pile
    TURN_UP_NONE = 0
    TURN_UP_AFTER_DEAL = 1
    TURN_UP_AFTER_AUCTION = 2
    # predicates on complete melds, for going out; all are counts in CTally
    OUT_CANASTA = 0
    OUT_RUN = 1
    OUT_SET = 2
    OUT_NATURAL_SET = 3
    OUT_NATURAL = 4       # a natural set or a run
    OUT_WILD = 5
    OUT_MIXED_SET = 6
    N_OUT = 7
    # strains
    STRAIN_CAN = 4
    STRAIN_DEU = 5

cdef struct CMeld:        # 8 bytes; size = naturals + wilds
    uint8_t kind          # index into CRules.kind
    uint8_t key           # rank of a set, suit of a run, 0 for a wild meld
    uint8_t start         # lowest rank of a run (the run may turn over the king), else 0
    uint8_t size
    uint8_t nat           # naturals of a set by suit, two bits each; of a wild meld the deuces
    uint8_t deuces        # wild deuces by suit, two bits each
    uint8_t jokers        # jokers, wild or (in a wild meld) natural
    uint8_t wilds         # wild cards in a set; 0 in runs and wild melds

cdef struct CKind:
    uint8_t shape
    uint8_t min_size
    uint8_t full              # size at which it is complete; 0 never
    uint8_t per_rank          # RANK_*
    uint8_t merge
    uint8_t when              # ALWAYS or GOING_OUT (black threes)
    uint8_t wild_jokers       # jokers may stand in as wild cards
    uint8_t wild_deuces
    uint8_t grow_out          # runs: may exceed full when going out
    int16_t short_below       # runs of fewer cards cost short_points at the end
    int16_t short_points
    # sets and wild melds, by (naturals, wilds):
    uint8_t ok[13][4]         # such a meld can exist
    uint8_t add_natural[13][4]
    uint8_t add_wild[13][4]   # may be added to it
    uint8_t joins[13][4]      # JOINS_*: both in short
    int16_t bonus[13][4]      # runs: bonus[size][0]

cdef struct CRules:
    # the pack and the table
    uint8_t copies, jokers, seats, sides
    int16_t n_cards
    uint8_t pack[MAX_PACK]           # in canonical order: by rank, by suit, jokers last
    uint8_t side_of[MAX_SEATS]
    uint8_t partner[MAX_SEATS]        # NONE without one
    # the deal
    uint8_t hand_size, first_extra, turn_up, discard_only_first
    uint64_t cover                    # turn-ups that get another card on top
    uint8_t cover_joker
    uint8_t draw_stock, draw_after
    # points by card code
    int16_t points[N_CODES]
    int16_t hand_points[N_CODES]
    # bonus cards
    uint64_t bonus_cards
    int16_t bonus_table[8]            # by number laid
    uint8_t bonus_first_turn          # those dealt are laid when their owner's first turn begins (F24)
    uint8_t bonus_needs_canastas      # 1: count complete melds, 0: count melds
    uint8_t bonus_needs
    # the pile
    uint64_t freeze
    uint8_t freeze_joker
    uint64_t dead_top
    uint8_t dead_top_joker
    uint64_t run_only_top
    uint8_t ways_open, ways_frozen, ways_unopened   # WAY_* bits
    uint8_t extent, new_set_from, single_bar
    uint8_t transfer_new              # a transfer onto a sequence of the same turn (B19 option)
    # opening
    uint8_t n_bands
    int32_t band_below[MAX_BANDS]
    int16_t band_points[MAX_BANDS]
    uint8_t band_needs[MAX_BANDS]
    uint8_t top_counts                # the taken card counts toward it
    uint8_t pair_counts               # the hand cards of the take count
    uint8_t bonus_counts              # a complete meld always opens (R13.3)
    uint8_t waive                     # waived by a concealed going out with a stock draw
    uint8_t deuces_declarer, deuces_others  # least deuces of a deuce set in an opening; 0: no rule
    # melds
    uint8_t n_kinds
    uint8_t merges                    # sets of some kind can be joined
    uint8_t runs_grow                 # complete runs may grow when going out
    CKind kind[MAX_KINDS]
    uint8_t set_kind[13]              # kind of an ordinary set by rank, NONE without one
    uint64_t set_cards                # cards that are naturals of those sets
    uint8_t run_kind, wild_kind, black_kind, deuce_kind   # NONE without one
    uint64_t black_cards              # naturals of black_kind
    uint8_t black_max
    uint64_t wild_deuces              # the deuces where some kind takes them as wild cards
    uint16_t run_len[13]              # by lowest rank: bit n, a run of n cards may lie there
    uint16_t run_ends[13][14]         # by lowest rank and number of cards: bit r, rank r continues the run
    uint64_t run3                     # lanes: lowest ranks of runs of three
    uint64_t run7                     # lanes: lowest ranks of windows of seven that begin and end with a run of three
    uint64_t run_cards                # cards that may stand in a run
    # going out
    uint8_t out_need[N_OUT]
    uint8_t out_discard               # 1: the last card must be discarded
    int16_t out_bonus, out_concealed_total
    uint8_t out_concealed, ask, ask_any
    uint8_t yes_binds                 # after yes the asker must go out in the turn if he can (D20, F10)
    int16_t ask_fail
    # the stock
    uint8_t stock_empty, stock_end_now
    # buying with a red three
    uint64_t buy
    int16_t buy_price
    # the match
    int32_t target
    int16_t deals                     # 0: play to the target
    uint8_t tie_extra
    # the contract
    uint8_t contract
    uint8_t max_level, first_left, next_player, per_bidder
    uint8_t strain_made, gate_bonus, result_bonus, minus_at_5, void_deal_end, failed_keeps, free_out
    uint8_t void_cost[2]              # percent of a failed contract's cost, undoubled and doubled (D26)
    const void* opening               # COpening of the solver, filled by opening_prepare


cdef inline bint is_freezing(const CRules* r, int code) noexcept nogil:
    if code == JOKER:
        return r.freeze_joker
    return (r.freeze & card_bit(code)) != 0


cdef inline int hand_total(const CRules* r, const CHand* h) noexcept nogil:
    """Card points of a hand at their melded values."""
    cdef int rank, suit, total = h.jokers * r.points[JOKER]
    cdef uint64_t rc = h.rc
    for rank in range(13):
        if rank != 2:
            total += <int>((rc >> (4 * rank)) & 15) * r.points[rank]
    for suit in range(4):
        total += r.points[16 * suit + 2] * (((h.p1 >> (16 * suit + 2)) & 1)
                                            + ((h.p2 >> (16 * suit + 2)) & 1)
                                            + ((h.p3 >> (16 * suit + 2)) & 1))
    return total


cdef inline int minimum_for(const CRules* r, int32_t total, uint8_t* needs) noexcept nogil:
    """Opening minimum of a side with that match total (R13.1, C34); needs gets NEEDS_*."""
    cdef int i = 0
    while i < r.n_bands - 1 and total >= r.band_below[i]:
        i += 1
    needs[0] = r.band_needs[i]
    return r.band_points[i]
