"""What the engine calls things: every list that C and Python share, written once, tied by C's own constants."""
from sitoumus.engine.conditions cimport (
    COUNT_CARD, COUNT_RANK, COUNT_SUIT, MAX_PROGRAM_STEPS, MAX_QUANTITIES, STEP_AND, STEP_CONSTANT, STEP_EQ, STEP_GE,
    STEP_GT, STEP_LE, STEP_LT, STEP_NE, STEP_NOT, STEP_OR, STEP_PLUS, STEP_QUANTITY, STEP_TIMES,
)
from sitoumus.engine.features cimport (
    F_ACES, F_BEST_OPENING, F_BEST_OPENING_DECLARER, F_BLACK_THREES, F_BONUS_POTENTIAL, F_CAN_OPEN, F_CARD_POINTS,
    F_DEUCES, F_FOURS, F_HAND_MINUS, F_JOKERS, F_LONGEST_RUN, F_PAIRS, F_RED_THREES, F_RUN, F_RUN_CARDS, F_TRIPLES,
    N_FEATURES, N_MINIMA, opening_step,
)
from sitoumus.engine.policies.mind cimport POLICY_GREEDY, POLICY_HEURISTIC, POLICY_RANDOM, POLICY_ROLLOUT
from sitoumus.engine.rng cimport (
    PURPOSE_AUCTION, PURPOSE_BOOTSTRAP, PURPOSE_CONDITION, PURPOSE_DEAL, PURPOSE_FIXED, PURPOSE_HANDS, PURPOSE_POLICY,
    PURPOSE_START, PURPOSE_WORLD,
)
from sitoumus.engine.scoring cimport RESULT_FAILED, RESULT_MADE, RESULT_NONE, RESULT_VOID
from sitoumus.engine.state cimport (
    N_VERBS, PHASE_AUCTION, PHASE_DRAW, PHASE_MELD, PHASE_OPENING, PHASE_OVER, PHASE_REPLY, PHASE_TAKEN, V_ADD, V_ASK,
    V_BID, V_BUY, V_DISCARD, V_DONE, V_DOUBLE, V_DRAW, V_END, V_EXTRA, V_FAIL, V_MELD, V_MERGE, V_NO, V_PASS, V_TAKE,
    V_YES,
)


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
