"""Compare the compiled core with the oracle, state by state.

One comparison is a whole deal: before every step the lists of legal actions must be equal, a few texts that are not in
them must be refused by both, and after every step everything that a player sees must be equal; at the end scores and
components too. Options are varied, deals are driven by random and greedy play and by forced contracts, and late
positions are made up, so that every verb, phase, result, ending and option value occurs.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from sitoumus._core import Deal, Table, play_actions
from sitoumus.errors import IllegalActionError, InvalidActionError, InvalidPositionError
from sitoumus.policies import NAMED, compiled
from sitoumus.rules import preset

from .batches import in_batches
from .options import BANDS, OPTIONS, pick_options
from .oracle import STRAINS, Oracle

#: Where a complete run may grow to go out, the oracle lays out whole hands at every turn; some are of 70 cards.
LARGEST_HAND = 36
#: After a yes it lays out the whole hand at every step.
LARGEST_BOUND_HAND = 32


class Difference(AssertionError):
    """Core and oracle disagree; the message holds the position."""


def fail(table: Table, trail: list[str], what: str) -> None:
    raise Difference(f"{what}\noptions {table.rules.options}\nactions {trail}\nposition {table.to_position()}\n{table}")


def compare_state(table: Table, oracle: Oracle, trail: list[str], rng: random.Random, seen: Counter) -> list[str]:
    """Check one state; the legal steps."""
    mine, theirs = list(table.legal_actions), oracle.legal()
    if set(mine) != theirs or len(mine) != len(set(mine)):
        fail(table, trail, f"legal: only core {sorted(set(mine) - theirs)}, only oracle {sorted(theirs - set(mine))}")
    sides = table.compiled.sides
    pairs = {
        "phase": (table.phase, oracle.phase),
        "turn": (table.turn, oracle.turn),
        "hands": ({s: str(h) for s, h in table.hands.items()}, oracle.hands),
        "melds": (
            {s: [sorted(m.cards) for m in table.melds(s)] for s in sides},
            {s: [sorted(m.split()) for m in ms] for s, ms in oracle.melds.items()},
        ),
        "pile": (" ".join(table.pile), oracle.pile),
        "stock": (table.stock_size, oracle.stock_size),
        "frozen": (table.frozen, oracle.frozen),
        "minimum": ({s: table.minimum(s) for s in sides}, oracle.minimum),
        "penalties": (table.penalties, oracle.penalties),
        "bought": ({s: len(table.bought(s)) for s in sides}, oracle.bought),
        "bonus cards": (
            {s: sorted(table.bonus(s)) for s in sides},
            {s: sorted(b.split()) for s, b in oracle.bonus.items()},
        ),
    }
    if table.phase != "auction":
        pairs["contract"] = (table.contract, oracle.contract_text)
    for name, (a, b) in pairs.items():
        if a != b:
            fail(table, trail, f"{name}: core {a}, oracle {b}")
    for text in _others(table, mine, rng):
        ours, other = _allows(table, text), _allows(oracle, text)
        seen["refusals" if not other else "rows of steps"] += 1
        if ours != other:
            fail(table, trail, f"{text!r}: core {'allows' if ours else 'refuses'}, oracle does not agree")
    seen[f"phase {table.phase}"] += 1
    return mine


def _allows(who: Table | Oracle, text: str) -> bool:
    copy = who.copy()
    try:
        copy.push(text)
    except (IllegalActionError, InvalidActionError, ValueError):
        return False
    return True


def _others(table: Table, legal: list[str], rng: random.Random) -> list[str]:
    """A few texts beside the single steps: rows of steps, and what is probably refused."""
    if table.phase == "over" or rng.random() < 0.6:
        return []
    hand = table.hand(table.turn).cards
    side = next(s for s in table.compiled.sides if table.turn in s)
    texts = [rng.choice(["draw", "end", "extra", "ask", "done", "fail", "pass", "double", "yes"])]
    if len(hand) >= 4:
        texts.append("meld " + " ".join(rng.sample(hand, 3)))
    if hand:
        card = rng.choice(hand)
        same = [c for c in hand if c[0] == card[0]]
        texts += [f"discard {card}", f"buy {card}"]
        if len(same) >= 3:
            wild = [c for c in hand if c == "JK" or c[0] == "2"][: rng.randint(0, 2)]
            texts.append("meld " + " ".join(same + (wild if card[0] != "2" else [])))
        suit = sorted(
            (c for c in set(hand) if c[-1] == card[-1] and c != "JK"), key=lambda c: "A23456789TJQK".index(c[0])
        )
        at = rng.randrange(len(suit)) if suit else 0
        if len(suit[at : at + 5]) >= 3:
            texts.append("meld " + " ".join(suit[at : at + rng.choice([3, 4, 5])]))
        if table.melds(side):
            number = rng.randint(1, len(table.melds(side)))
            meld = table.melds(side)[number - 1]
            fitting = [
                c for c in hand if c[0] == meld.cards[0][0] or c == "JK" or c[0] == "2" or c[-1] == meld.cards[0][-1]
            ]
            texts.append(f"add {' '.join(fitting[: rng.randint(1, 3)] or [card])} > {number}")
            texts.append(f"take > {number}")
    if table.pile and table.phase == "draw":
        same = [c for c in hand if c[0] == table.pile[0][0]]
        texts.append("take " + " ".join(same[: rng.choice([2, 2, 3])] or ["9c", "9d"]))
        texts.append("take " + " ".join(same[:2] or ["9c", "9d"]) + f" > 1 locks={rng.randint(1, 3)}")
    return texts


def compare_end(table: Table, oracle: Oracle, trail: list[str], seen: Counter) -> None:
    score = table.score()
    pairs = {
        "result": (score.result, oracle.result),
        "ended": (score.ended, oracle.ended),
        "scores": (score.sides, oracle.scores),
        "winner": (table.winner, oracle.winner),
        "turns": (table.turns, oracle.turns),
    }
    if table.seed is not None:
        pairs["opened turns"] = (table.opened_turn, oracle.opened)
    for name, (a, b) in pairs.items():
        if a != b:
            fail(table, trail, f"{name}: core {a}, oracle {b}")
    for side, parts in score.components.items():
        for name, points in parts.items():
            if oracle.components[side].get(name, 0) != points:
                fail(table, trail, f"{name} of {side}: core {points}, oracle {oracle.components[side]}")
        if sum(score.explain().query("side == @side").points) != score[side]:
            fail(table, trail, f"explain() of {side} adds up to something else than {score[side]}")
    level = "contract" if table.contract != "none" else "no contract"
    seen[f"result {score.result}"] += 1
    seen[f"ended {score.ended.split()[0]}"] += 1
    if score.ended.startswith("out"):
        declarer = table.declarer
        if declarer is not None:
            out = score.ended.split()[1]
            same = next(s for s in table.compiled.sides if out in s) == next(
                s for s in table.compiled.sides if declarer in s
            )
            seen["out by the declaring side" if same else "out by the defenders"] += 1
        else:
            seen["out without a contract"] += 1
    seen[level] += 1


def policy_steps(table: Table, policy: str, seed: int) -> list[str]:
    """The single steps by which a compiled policy at all seats plays on to the end."""
    played = table.copy()
    play_actions(played, [(*compiled(NAMED[policy]), 0)] * len(table.compiled.seats), seed)
    return played.actions[len(table.actions) :]


def drive(
    table: Table, oracle: Oracle, rng: random.Random, policy: str, seen: Counter, calls: Sequence[str] = ()
) -> None:
    """Play both to the end: these calls first, then what a compiled policy does."""
    trail: list[str] = []
    steps, planned = list(calls), False
    grows_out = any(kind.add_full.natural == "going_out" for kind in table.rules.melds)
    while True:
        largest = LARGEST_HAND if grows_out else LARGEST_BOUND_HAND if oracle.asked == "yes" else None
        if largest and table.phase != "over" and len(table.hand(table.turn)) > largest:
            seen["deals left at a hand too large for the oracle"] += 1
            return
        legal = compare_state(table, oracle, trail, rng, seen)
        if table.phase == "over":
            break
        if not legal:
            fail(table, trail, "no legal action")
        if not steps and not planned:
            steps, planned = policy_steps(table, policy, rng.getrandbits(32)), True
        text = steps.pop(0)
        if text not in legal:
            fail(table, trail, f"{policy} takes {text}, which is not legal")
        verb = "bid" if text[0].isdigit() else text.split()[0]
        seen[f"verb {verb}"] += 1
        if verb == "meld" and {"3c", "3s"} >= set(text.split()[1:]):
            seen["set of black threes"] += 1
        table.push(text)
        oracle.push(text)
        trail.append(text)
    seen[f"played by {policy}"] += 1
    compare_end(table, oracle, trail, seen)


def whole_deal(number: int, seed: int, seen: Counter, rules: str) -> None:
    """Compare one deal from the first call on."""
    rng = random.Random(f"{rules} {seed} {number}")
    options = pick_options(rng, number, rules)
    ruleset = preset(rules).replace(**options)
    deal = Deal(seed=seed, number=number, rules=ruleset)
    seats, sides = _names(ruleset)
    dealer = seats[number % len(seats)]
    totals = {side: rng.choice(BANDS) + rng.choice([0, 5, 500]) for side in sides}
    for total in totals.values():
        seen[f"total from {max(band for band in BANDS if band <= total)}"] += 1
    table = Table(deal, rules=ruleset, dealer=dealer, totals=totals)
    hands = {seat: hand.cards for seat, hand in deal.hands.items()}
    stock = deal.stock
    extra = ruleset.deal.first_extra
    if extra:
        starter = seats[(seats.index(dealer) + 1) % len(seats)]
        hands[starter] = hands[starter] + stock[:extra]
        stock = stock[extra:]
    oracle = Oracle.deal(hands, stock, rules, options, dealer, totals)
    for name, value in options.items():
        seen[f"option {name}={value}"] += 1
    calls = _forced(rng, ruleset) if ruleset.contract and number % 4 == 3 else ()
    if calls:
        bid = next(call for call in calls if call != "pass")
        seen[f"forced level {bid[0]}"] += 1
        seen[f"forced strain {bid[1:]}"] += 1
        seen["forced, doubled" if "double" in calls else "forced, not doubled"] += 1
    # half by random and a quarter by greedy; the rest are forced contracts, played by either
    drive(table, oracle, rng, "random" if number % 8 in (0, 2, 3, 4, 6) else "greedy", seen, calls)


def _names(ruleset) -> tuple[tuple[str, ...], tuple[str, ...]]:
    seats = {2: ("N", "S"), 3: ("N", "E", "S"), 4: ("N", "E", "S", "W")}[ruleset.table.seats]
    return seats, tuple("".join(seats[i] for i in side) for side in ruleset.table.sides)


def _forced(rng: random.Random, ruleset) -> list[str]:
    level = rng.randint(1, min(6, ruleset.contract.max_level))
    bid = f"{level}{rng.choice(STRAINS)}"
    return ["pass"] * rng.randint(0, 3) + [bid] + (["double"] if rng.random() < 0.4 else ["pass", "pass", "pass"])


def late_position(number: int, seed: int, seen: Counter, rules: str) -> None:
    """Compare play from a made-up late position: melds near completion, small hands, little stock."""
    rng = random.Random(f"late {rules} {seed} {number}")
    options = pick_options(rng, number, rules)
    ruleset = preset(rules).replace(**options)
    seats, sides = _names(ruleset)
    position = make_late(rng, ruleset, seats, sides)
    if number % 3 == 0:
        if rules == "sitoumussamba" and rng.random() < 0.6:
            options["no_commitment_goout"] = "none"
            ruleset = preset(rules).replace(**options)
        make_ready(rng, ruleset, seats, sides, position)
    try:
        table = Table.from_position(position, rules=ruleset)
    except InvalidPositionError:
        seen["late positions refused"] += 1
        return
    oracle = Oracle(position, rules, options)
    if not table.legal_actions:
        if oracle.legal():
            fail(table, [], "no legal action in the core alone")
        return
    for name, value in options.items():
        seen[f"option {name}={value}"] += 1
    seen["late positions"] += 1
    drive(table, oracle, rng, "greedy" if number % 2 else "random", seen)


def make_late(rng: random.Random, ruleset, seats, sides) -> dict:
    copies, jokers = ruleset.pack.copies, ruleset.pack.jokers
    pack = [r + s for r in "A23456789TJQK" for s in "cdhs"] * copies + ["JK"] * jokers
    bonus = ["3h", "3d"] if ruleset.bonus.cards else []
    pack = [c for c in pack if c not in bonus]
    rng.shuffle(pack)
    left = Counter(pack)

    def grab(cards):
        need = Counter(cards)
        if any(left[c] < n for c, n in need.items()):
            return None
        left.subtract(need)
        return cards

    melds = {}
    ready = rng.choice([*sides, None])  # a side that may go out, or nearly
    has_runs = any(kind.shape == "run" for kind in ruleset.melds)
    max_wild = min(ruleset.kind("set").max_wild, 2)
    for side in sides:
        mine, ranks = [], set()
        if side == ready:
            for rank, wild in ((rng.choice("9TJ"), 0), (rng.choice("QKA"), 2)):
                have = [c for c in left.elements() if c[0] == rank and c != "JK"][: 7 - wild]
                mine.append(" ".join(grab(have + [c for c in left.elements() if c == "JK" or c[0] == "2"][:wild])))
                ranks.add(rank)
            if has_runs:
                suit = rng.choice("cdhs")
                mine.append(" ".join(grab([at + suit for at in "456789T"]) or []) or mine.pop())
        for _ in range(rng.choice([0, 2, 4, 6, 8])):
            if has_runs and rng.random() < 0.45:
                suit, start, size = rng.choice("cdhs"), rng.randrange(3, 7), rng.choice([3, 5, 6, 6, 7, 7])
                cards = grab(["A23456789TJQK"[start + i] + suit for i in range(size)])
            else:
                rank = rng.choice("A456789TJQK")
                if ruleset.kind("set").per_rank != "many" and rank in ranks:
                    continue
                size, wild = rng.choice([3, 4, 5, 6, 6, 7, 7]), rng.choice([0, 0, 1, 2])
                wild = min(wild, size - 2, max_wild, (size - 1) // 2)
                have = [c for c in left.elements() if c[0] == rank and c != "JK"][: size - wild]
                wilds = [c for c in left.elements() if c == "JK" or c[0] == "2"][:wild]
                if len(have) < size - wild or len(wilds) < wild:
                    continue
                cards = grab(have + wilds)
                ranks.add(rank)
            if cards:
                mine.append(" ".join(cards))
        melds[side] = mine
    rest = list(left.elements())
    rng.shuffle(rest)
    hands = {}
    for seat in seats:
        n = rng.choice([1, 2, 3, 4, 4, 5, 7])
        if n == 4 and rng.random() < 0.7:
            black = [c for c in rest if c in ("3c", "3s")][: rng.choice([3, 4])]
            for card in black:
                rest.remove(card)
            rest = black + rest
            n = max(n, len(black))
        hands[seat] = " ".join(rest[:n])
        rest = rest[n:]
    pile_n, stock_n = rng.choice([1, 1, 2, 5, 9]), rng.choice([0, 0, 1, 2, 3, 8, 15])
    pile, rest = rest[:pile_n], rest[pile_n:]
    stock = rest[:stock_n]
    turn = rng.choice(seats)
    # a turn reaches phase meld with two cards at least: one was kept, one was drawn
    phase = "draw" if len(hands[turn].split()) < 2 else rng.choice(["draw", "draw", "meld"])
    position = {
        "dealer": rng.choice(seats),
        "phase": phase,
        "turn": turn,
        "hands": hands,
        "melds": melds,
        "pile": " ".join(pile),
        "stock": " ".join(stock),
        "totals": {side: rng.choice(BANDS) for side in sides},
    }
    if ruleset.contract:
        level = rng.randint(1, min(6, ruleset.contract.max_level))
        contract = f"{level}{rng.choice(STRAINS)} by {rng.choice(seats)}"
        position["contract"] = rng.choice(["none", contract, contract, contract + " doubled"])
        position["first_turn"] = False
    return position


def make_ready(rng: random.Random, ruleset, seats, sides, position: dict) -> None:
    """Change a made-up position: the side to act has laid nothing, and most of the hand of its player can be laid at
    once, so that it may open and go out in one turn."""
    turn = position["turn"]
    side = next(side for side in sides if turn in side)
    left = Counter([r + s for r in "A23456789TJQK" for s in "cdhs"] * ruleset.pack.copies)
    left["JK"] = ruleset.pack.jokers
    others = [hand for seat, hand in position["hands"].items() if seat != turn]
    melds = [meld for name in sides if name != side for meld in position["melds"][name]]
    for text in (*others, *melds, position["pile"], position["stock"]):
        left.subtract(text.split())
    if ruleset.bonus.cards:
        left["3h"] = left["3d"] = 0
    hand = []
    for _ in range(rng.choice([1, 2, 3, 3, 4])):
        if any(kind.shape == "run" for kind in ruleset.melds) and rng.random() < 0.4:
            suit, start, size = rng.choice("cdhs"), rng.randrange(3, 9), rng.choice([3, 4, 5])
            cards = [at + suit for at in "A23456789TJQK"[start : start + size]]
        else:
            rank, wild = rng.choice("AA456789TJQK"), rng.choice([0, 0, 1])
            naturals = [card for card in left.elements() if card[0] == rank and card != "JK"]
            wilds = [card for card in left.elements() if card == "JK" or card[0] == "2"]
            rng.shuffle(naturals)
            rng.shuffle(wilds)
            cards = naturals[: rng.choice([2, 3, 3, 4]) if wild else 3] + wilds[:wild]
        if all(left[card] >= n for card, n in Counter(cards).items()):
            left.subtract(cards)
            hand += cards
    rest = list(left.elements())
    rng.shuffle(rest)
    hand += rest[: rng.choice([0, 1, 1, 2, 3])]
    position["hands"][turn] = " ".join(hand) or position["hands"][turn]
    position["melds"][side] = []
    position["phase"] = "draw" if len(hand) < 2 else rng.choice(["draw", "meld", "meld"])
    if ruleset.contract and rng.random() < 0.6:
        position["contract"] = "none"


def batch(numbers: range, rules: str, seed: int, beside: int) -> tuple[Counter, list[str]]:
    """The deals of these numbers from the first call, and so many late positions beside each."""
    seen: Counter = Counter()
    differences = []
    for number in numbers:
        try:
            whole_deal(number, seed, seen, rules)
            for late in range(beside * number, beside * (number + 1)):
                late_position(late, seed, seen, rules)
            seen["deals"] += 1
        except Difference as error:
            differences.append(f"{rules} seed {seed} number {number}: {error}")
    return seen, differences


def compare_deals(rules: str, deals: int, late: int, seed: int = 1, processes: int = 2) -> tuple[Counter, list[str]]:
    """Compare so many deals of a game; what occurred, and the differences."""
    return in_batches(batch, deals, 5, processes, rules, seed, late)


def needed() -> list[str]:
    """What must have occurred in a run of the main game."""
    verbs = "pass bid double fail done draw take extra meld add buy ask yes no discard end".split()
    return [
        *(f"verb {verb}" for verb in verbs),
        *(f"phase {phase}" for phase in "auction opening draw taken meld reply over".split()),
        *(f"result {result}" for result in "made failed void none".split()),
        "ended out",
        "ended stock",
        "out by the declaring side",
        "out by the defenders",
        "set of black threes",
        "forced, doubled",
        "forced, not doubled",
        *(f"forced level {level}" for level in range(1, 7)),
        *(f"forced strain {strain}" for strain in STRAINS),
        *(f"total from {band}" for band in BANDS),
        *(f"option {name}={value}" for name, values in OPTIONS.items() for value in values),
    ]
