"""What the engine calls things: every list that C and Python share, written once, tied by C's own constants."""
from sitoumus.engine.cards cimport CHand
from sitoumus.engine.conditions cimport (
    COUNT_CARD, COUNT_RANK, COUNT_SUIT, MAX_PROGRAM_STEPS, MAX_QUANTITIES, STEP_AND, STEP_CONSTANT, STEP_EQ, STEP_GE,
    STEP_GT, STEP_LE, STEP_LT, STEP_NE, STEP_NOT, STEP_OR, STEP_PLUS, STEP_QUANTITY, STEP_TIMES,
)
from sitoumus.engine.exact cimport CCell, CClass, CNode, COption, CTake
from sitoumus.engine.features cimport (
    F_ACES, F_BEST_OPENING, F_BEST_OPENING_DECLARER, F_BLACK_THREES, F_BONUS_POTENTIAL, F_CAN_OPEN, F_CARD_POINTS,
    F_DEUCES, F_FOURS, F_HAND_MINUS, F_JOKERS, F_LONGEST_RUN, F_PAIRS, F_RED_THREES, F_RUN, F_RUN_CARDS, F_TRIPLES,
    N_FEATURES, N_MINIMA, opening_step,
)
from sitoumus.engine.melds cimport CMeld, CTally
from sitoumus.engine.policies.mind cimport (
    CChoice, CPast, POLICY_GREEDY, POLICY_HEURISTIC, POLICY_RANDOM, POLICY_ROLLOUT,
)
from sitoumus.engine.rng cimport (
    PURPOSE_AUCTION, PURPOSE_BOOTSTRAP, PURPOSE_CONDITION, PURPOSE_DEAL, PURPOSE_FIXED, PURPOSE_HANDS, PURPOSE_POLICY,
    PURPOSE_START, PURPOSE_WORLD,
)
from sitoumus.engine.scoring cimport RESULT_FAILED, RESULT_MADE, RESULT_NONE, RESULT_VOID
from sitoumus.engine.state cimport (
    CHidden, CPublic, N_VERBS, PHASE_AUCTION, PHASE_DRAW, PHASE_MELD, PHASE_OPENING, PHASE_OVER, PHASE_REPLY,
    PHASE_TAKEN, V_ADD, V_ASK,
    V_BID, V_BUY, V_DISCARD, V_DONE, V_DOUBLE, V_DRAW, V_END, V_EXTRA, V_FAIL, V_MELD, V_MERGE, V_NO, V_PASS, V_TAKE,
    V_YES,
)

from hashlib import blake2b


def _in_order(dict named, int n):
    """The names by their numbers, which are 0 to n - 1."""
    if sorted(named) != list(range(n)):
        raise AssertionError(f"the engine numbers {sorted(named)} where 0 to {n - 1} are named")
    return tuple(named[i] for i in range(n))


#: Phases of a deal, by their numbers in the engine.
PHASES = _in_order({
    PHASE_AUCTION: "auction", PHASE_OPENING: "opening", PHASE_DRAW: "draw", PHASE_TAKEN: "taken", PHASE_MELD: "meld",
    PHASE_REPLY: "reply", PHASE_OVER: "over",
}, 7)

#: Verbs of actions.
VERBS = _in_order({
    V_PASS: "pass", V_BID: "bid", V_DOUBLE: "double", V_FAIL: "fail", V_DONE: "done", V_DRAW: "draw", V_TAKE: "take",
    V_EXTRA: "extra", V_MELD: "meld", V_ADD: "add", V_MERGE: "merge", V_BUY: "buy", V_ASK: "ask", V_YES: "yes",
    V_NO: "no", V_DISCARD: "discard", V_END: "end",
}, N_VERBS)

#: What became of a contract.
RESULTS = _in_order({RESULT_NONE: "none", RESULT_MADE: "made", RESULT_FAILED: "failed", RESULT_VOID: "void"}, 4)

#: Features of a hand; a run stands once a suit, an opening once a minimum.
FEATURES = _in_order({
    F_CARD_POINTS: "card_points", F_JOKERS: "jokers", F_DEUCES: "deuces", F_ACES: "aces",
    F_BLACK_THREES: "black_threes", F_RED_THREES: "red_threes", F_LONGEST_RUN: "longest_run",
    F_RUN_CARDS: "run_cards", F_PAIRS: "pairs", F_TRIPLES: "triples", F_FOURS: "fours",
    F_BEST_OPENING: "best_opening", F_BEST_OPENING_DECLARER: "best_opening_declarer",
    F_BONUS_POTENTIAL: "bonus_potential", F_HAND_MINUS: "hand_minus",
} | {
    F_RUN + i: "run_" + suit for i, suit in enumerate("cdhs")
} | {
    F_CAN_OPEN + i: f"can_open_{opening_step(i)}" for i in range(N_MINIMA)
}, N_FEATURES)

#: Features that are yes or no: 1 or 0.
YES_NO_FEATURES = tuple(FEATURES[F_CAN_OPEN + i] for i in range(N_MINIMA))

#: Compiled policies.
POLICIES = {
    "random": POLICY_RANDOM, "greedy": POLICY_GREEDY, "heuristic": POLICY_HEURISTIC, "rollout": POLICY_ROLLOUT,
}

#: What a stream of random numbers is for: the second word of its address. A number is never used again.
PURPOSES = {
    "deal": PURPOSE_DEAL, "policy": PURPOSE_POLICY, "fixed": PURPOSE_FIXED, "world": PURPOSE_WORLD,
    "bootstrap": PURPOSE_BOOTSTRAP, "hands": PURPOSE_HANDS, "start": PURPOSE_START, "condition": PURPOSE_CONDITION,
    "auction": PURPOSE_AUCTION,
}

#: Steps of the program of a condition; the comparisons by their sign.
STEPS = {
    "constant": STEP_CONSTANT, "quantity": STEP_QUANTITY, "times": STEP_TIMES, "plus": STEP_PLUS, "not": STEP_NOT,
    "and": STEP_AND, "or": STEP_OR,
    "<": STEP_LT, "<=": STEP_LE, "==": STEP_EQ, "!=": STEP_NE, ">=": STEP_GE, ">": STEP_GT,
}

#: Counts of cards that a condition may ask for besides the features.
COUNTS = {"rank": COUNT_RANK, "suit": COUNT_SUIT, "card": COUNT_CARD}

if min(COUNTS.values()) < N_FEATURES:
    raise AssertionError("the numbers of counts of cards and of features overlap")

#: Limits of the program of a condition.
MOST_STEPS = MAX_PROGRAM_STEPS
MOST_QUANTITIES = MAX_QUANTITIES


def layouts():
    """Fields of the structs that leave the core as bytes, by struct: (name, offset, size) of each, and at last the size
    of the whole as (None, 0, size).
    """
    cdef CHand hand_
    cdef CMeld meld_
    cdef CTally tally_
    cdef CPublic public_
    cdef CHidden hidden_
    cdef CChoice choice_
    cdef CPast past_
    cdef CNode node_
    cdef COption option_
    cdef CClass class_
    cdef CCell cell_
    cdef CTake take_
    cdef dict found = {}
    at = <size_t>&hand_
    found["CHand"] = [
        ("p1", <size_t>&hand_.p1 - at, sizeof(hand_.p1)),
        ("p2", <size_t>&hand_.p2 - at, sizeof(hand_.p2)),
        ("p3", <size_t>&hand_.p3 - at, sizeof(hand_.p3)),
        ("rc", <size_t>&hand_.rc - at, sizeof(hand_.rc)),
        ("jokers", <size_t>&hand_.jokers - at, sizeof(hand_.jokers)),
        ("n", <size_t>&hand_.n - at, sizeof(hand_.n)),
        (None, 0, sizeof(CHand)),
    ]
    at = <size_t>&meld_
    found["CMeld"] = [
        ("kind", <size_t>&meld_.kind - at, sizeof(meld_.kind)),
        ("key", <size_t>&meld_.key - at, sizeof(meld_.key)),
        ("start", <size_t>&meld_.start - at, sizeof(meld_.start)),
        ("size", <size_t>&meld_.size - at, sizeof(meld_.size)),
        ("nat", <size_t>&meld_.nat - at, sizeof(meld_.nat)),
        ("deuces", <size_t>&meld_.deuces - at, sizeof(meld_.deuces)),
        ("jokers", <size_t>&meld_.jokers - at, sizeof(meld_.jokers)),
        ("wilds", <size_t>&meld_.wilds - at, sizeof(meld_.wilds)),
        (None, 0, sizeof(CMeld)),
    ]
    at = <size_t>&tally_
    found["CTally"] = [
        ("count", <size_t>&tally_.count - at, sizeof(tally_.count)),
        ("runs", <size_t>&tally_.runs - at, sizeof(tally_.runs)),
        ("deuce_sets", <size_t>&tally_.deuce_sets - at, sizeof(tally_.deuce_sets)),
        ("bonus", <size_t>&tally_.bonus - at, sizeof(tally_.bonus)),
        ("points", <size_t>&tally_.points - at, sizeof(tally_.points)),
        (None, 0, sizeof(CTally)),
    ]
    at = <size_t>&public_
    found["CPublic"] = [
        ("phase", <size_t>&public_.phase - at, sizeof(public_.phase)),
        ("turn", <size_t>&public_.turn - at, sizeof(public_.turn)),
        ("dealer", <size_t>&public_.dealer - at, sizeof(public_.dealer)),
        ("player", <size_t>&public_.player - at, sizeof(public_.player)),
        ("last_bid", <size_t>&public_.last_bid - at, sizeof(public_.last_bid)),
        ("passes", <size_t>&public_.passes - at, sizeof(public_.passes)),
        ("contract", <size_t>&public_.contract - at, sizeof(public_.contract)),
        ("declarer", <size_t>&public_.declarer - at, sizeof(public_.declarer)),
        ("doubled", <size_t>&public_.doubled - at, sizeof(public_.doubled)),
        ("failed_seats", <size_t>&public_.failed_seats - at, sizeof(public_.failed_seats)),
        ("failed_bids", <size_t>&public_.failed_bids - at, sizeof(public_.failed_bids)),
        ("calls", <size_t>&public_.calls - at, sizeof(public_.calls)),
        ("forced", <size_t>&public_.forced - at, sizeof(public_.forced)),
        ("totals", <size_t>&public_.totals - at, sizeof(public_.totals)),
        ("penalties", <size_t>&public_.penalties - at, sizeof(public_.penalties)),
        ("raised", <size_t>&public_.raised - at, sizeof(public_.raised)),
        ("opened", <size_t>&public_.opened - at, sizeof(public_.opened)),
        ("n_melds", <size_t>&public_.n_melds - at, sizeof(public_.n_melds)),
        ("tally", <size_t>&public_.tally - at, sizeof(public_.tally)),
        ("growing", <size_t>&public_.growing - at, sizeof(public_.growing)),
        ("running", <size_t>&public_.running - at, sizeof(public_.running)),
        ("young", <size_t>&public_.young - at, sizeof(public_.young)),
        ("old", <size_t>&public_.old - at, sizeof(public_.old)),
        ("pile_n", <size_t>&public_.pile_n - at, sizeof(public_.pile_n)),
        ("freezers", <size_t>&public_.freezers - at, sizeof(public_.freezers)),
        ("stock_n", <size_t>&public_.stock_n - at, sizeof(public_.stock_n)),
        ("hand_n", <size_t>&public_.hand_n - at, sizeof(public_.hand_n)),
        ("known", <size_t>&public_.known - at, sizeof(public_.known)),
        ("in_melds", <size_t>&public_.in_melds - at, sizeof(public_.in_melds)),
        ("in_pile", <size_t>&public_.in_pile - at, sizeof(public_.in_pile)),
        ("drew", <size_t>&public_.drew - at, sizeof(public_.drew)),
        ("took", <size_t>&public_.took - at, sizeof(public_.took)),
        ("asked", <size_t>&public_.asked - at, sizeof(public_.asked)),
        ("ask_phase", <size_t>&public_.ask_phase - at, sizeof(public_.ask_phase)),
        ("bound", <size_t>&public_.bound - at, sizeof(public_.bound)),
        ("laid", <size_t>&public_.laid - at, sizeof(public_.laid)),
        ("opening", <size_t>&public_.opening - at, sizeof(public_.opening)),
        ("first_turn", <size_t>&public_.first_turn - at, sizeof(public_.first_turn)),
        ("discard_only", <size_t>&public_.discard_only - at, sizeof(public_.discard_only)),
        ("must_out", <size_t>&public_.must_out - at, sizeof(public_.must_out)),
        ("start_melds", <size_t>&public_.start_melds - at, sizeof(public_.start_melds)),
        ("touched", <size_t>&public_.touched - at, sizeof(public_.touched)),
        ("transfer_to", <size_t>&public_.transfer_to - at, sizeof(public_.transfer_to)),
        ("clean", <size_t>&public_.clean - at, sizeof(public_.clean)),
        ("waiting", <size_t>&public_.waiting - at, sizeof(public_.waiting)),
        ("ended", <size_t>&public_.ended - at, sizeof(public_.ended)),
        ("out_seat", <size_t>&public_.out_seat - at, sizeof(public_.out_seat)),
        ("concealed", <size_t>&public_.concealed - at, sizeof(public_.concealed)),
        ("turns", <size_t>&public_.turns - at, sizeof(public_.turns)),
        ("actions", <size_t>&public_.actions - at, sizeof(public_.actions)),
        ("opened_turn", <size_t>&public_.opened_turn - at, sizeof(public_.opened_turn)),
        ("opening_points", <size_t>&public_.opening_points - at, sizeof(public_.opening_points)),
        ("takes", <size_t>&public_.takes - at, sizeof(public_.takes)),
        ("buys", <size_t>&public_.buys - at, sizeof(public_.buys)),
        ("reached_turn", <size_t>&public_.reached_turn - at, sizeof(public_.reached_turn)),
        ("stock_out_turn", <size_t>&public_.stock_out_turn - at, sizeof(public_.stock_out_turn)),
        ("melds", <size_t>&public_.melds - at, sizeof(public_.melds)),
        ("pile", <size_t>&public_.pile - at, sizeof(public_.pile)),
        ("bidder", <size_t>&public_.bidder - at, sizeof(public_.bidder)),
        ("bought", <size_t>&public_.bought - at, sizeof(public_.bought)),
        ("bonus", <size_t>&public_.bonus - at, sizeof(public_.bonus)),
        (None, 0, sizeof(CPublic)),
    ]
    at = <size_t>&hidden_
    found["CHidden"] = [
        ("hand", <size_t>&hidden_.hand - at, sizeof(hidden_.hand)),
        ("stock", <size_t>&hidden_.stock - at, sizeof(hidden_.stock)),
        (None, 0, sizeof(CHidden)),
    ]
    at = <size_t>&choice_
    found["CChoice"] = [
        ("p", <size_t>&choice_.p - at, sizeof(choice_.p)),
        ("laid", <size_t>&choice_.laid - at, sizeof(choice_.laid)),
        ("card", <size_t>&choice_.card - at, sizeof(choice_.card)),
        (None, 0, sizeof(CChoice)),
    ]
    at = <size_t>&past_
    found["CPast"] = [
        ("gone", <size_t>&past_.gone - at, sizeof(past_.gone)),
        ("laid", <size_t>&past_.laid - at, sizeof(past_.laid)),
        ("from_deal", <size_t>&past_.from_deal - at, sizeof(past_.from_deal)),
        ("n_choices", <size_t>&past_.n_choices - at, sizeof(past_.n_choices)),
        ("choices", <size_t>&past_.choices - at, sizeof(past_.choices)),
        (None, 0, sizeof(CPast)),
    ]
    at = <size_t>&node_
    found["CNode"] = [
        ("high", <size_t>&node_.high - at, sizeof(node_.high)),
        ("low", <size_t>&node_.low - at, sizeof(node_.low)),
        ("first", <size_t>&node_.first - at, sizeof(node_.first)),
        ("n", <size_t>&node_.n - at, sizeof(node_.n)),
        (None, 0, sizeof(CNode)),
    ]
    at = <size_t>&option_
    found["COption"] = [
        ("high", <size_t>&option_.high - at, sizeof(option_.high)),
        ("low", <size_t>&option_.low - at, sizeof(option_.low)),
        ("klass", <size_t>&option_.klass - at, sizeof(option_.klass)),
        ("node", <size_t>&option_.node - at, sizeof(option_.node)),
        (None, 0, sizeof(COption)),
    ]
    at = <size_t>&class_
    found["CClass"] = [
        ("ways", <size_t>&class_.ways - at, sizeof(class_.ways)),
        ("first", <size_t>&class_.first - at, sizeof(class_.first)),
        ("n", <size_t>&class_.n - at, sizeof(class_.n)),
        (None, 0, sizeof(CClass)),
    ]
    at = <size_t>&cell_
    found["CCell"] = [
        ("ways", <size_t>&cell_.ways - at, sizeof(cell_.ways)),
        ("each", <size_t>&cell_.each - at, sizeof(cell_.each)),
        ("mask", <size_t>&cell_.mask - at, sizeof(cell_.mask)),
        ("n_masks", <size_t>&cell_.n_masks - at, sizeof(cell_.n_masks)),
        ("first", <size_t>&cell_.first - at, sizeof(cell_.first)),
        ("n", <size_t>&cell_.n - at, sizeof(cell_.n)),
        (None, 0, sizeof(CCell)),
    ]
    at = <size_t>&take_
    found["CTake"] = [
        ("cards", <size_t>&take_.cards - at, sizeof(take_.cards)),
        ("ways", <size_t>&take_.ways - at, sizeof(take_.ways)),
        ("bag", <size_t>&take_.bag - at, sizeof(take_.bag)),
        ("size", <size_t>&take_.size - at, sizeof(take_.size)),
        ("take", <size_t>&take_.take - at, sizeof(take_.take)),
        (None, 0, sizeof(CTake)),
    ]
    return found


#: Stamp of pickles of tables and views: they hold structs as bytes, which another layout would read as nonsense.
LAYOUT = blake2b(repr((sorted(layouts().items()), PHASES, VERBS)).encode(), digest_size=8).hexdigest()
