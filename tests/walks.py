"""Random walks through deals, over every rule set: what the tests of the engine share."""

import random

from oracle.compare import make_late
from oracle.options import OPTIONS

from sitoumus._compile import compiled
from sitoumus._core import Deal, Table
from sitoumus.errors import InvalidPositionError
from sitoumus.rules import PRESETS, SITOUMUSSAMBA, preset

#: Every preset, and the main game under each option value that is not its default.
RULES = {name: preset(name) for name in PRESETS} | {
    f"{name}={value if name != 'opening_bands' else 'short'}": SITOUMUSSAMBA.replace(**{name: value})
    for name, values in OPTIONS.items()
    for value in values
}
STYLES = ("random", "eager")


def choose(table: Table, legal: list[str], rng: random.Random, style: str) -> str:
    """random: a verb, then one of its actions; eager: lays and takes when it can."""
    by_verb: dict[str, list[str]] = {}
    for text in legal:
        by_verb.setdefault("bid" if text[0].isdigit() else text.split()[0], []).append(text)
    if table.phase == "auction":
        x = rng.random()
        if x < 0.55 or "bid" not in by_verb:
            return "pass"
        if x < 0.65 and "double" in by_verb:
            return "double"
        return by_verb["bid"][min(int(rng.expovariate(0.6)), len(by_verb["bid"]) - 1)]
    black = [text for text in by_verb.get("meld", ()) if {"3c", "3s"} >= set(text.split()[1:])]
    if black:
        return rng.choice(black)
    if style == "eager":
        for verb in ("add", "meld", "take", "merge", "done"):
            if verb in by_verb and rng.random() < 0.9:
                if verb == "meld" and rng.random() < 0.3:
                    return max(by_verb[verb], key=len)
                return rng.choice(by_verb[verb])
        if "discard" in by_verb and rng.random() < 0.9:
            return rng.choice(by_verb["discard"])
    return rng.choice(by_verb[rng.choice(sorted(by_verb))])


def fresh_table(rules, rng):
    """A table before its first step; in half of the games with an auction a contract is forced."""
    names = compiled(rules)
    totals = {side: rng.choice([-100, 0, 1500, 3000, 7000, 10000]) for side in names.sides}
    deal = Deal(seed=rng.randrange(2**32), number=rng.randrange(2**40), rules=rules)
    table = Table(deal, dealer=rng.choice(names.seats), totals=totals)
    if rules.contract and rng.random() < 0.5:
        bid = f"{rng.randint(1, min(6, rules.contract.max_level))}{rng.choice(['C', 'D', 'H', 'S', 'CAN', 'DEU'])}"
        end = ["double"] if rng.random() < 0.3 else ["pass"] * 3
        table = table.after(*["pass"] * rng.randrange(4), bid, *end)
    return table


def late_table(rules, rng):
    """A made-up position near the end of a deal, where much goes on in a turn."""
    names = compiled(rules)
    while True:
        try:
            table = Table.from_position(make_late(rng, rules, names.seats, names.sides), rules=rules)
        except InvalidPositionError:
            continue
        if table.legal_actions:
            return table


def some_table(rules, rng):
    return late_table(rules, rng) if rng.random() < 0.6 else fresh_table(rules, rng)


def walk(table, rng, style=None):
    """Yield the table at every state from here to the end of the deal; it is pushed in place."""
    style = style or rng.choice(STYLES)
    while True:
        yield table
        if table.phase == "over":
            return
        table.push(choose(table, list(table.legal_actions), rng, style))


def states(name, seed, n):
    """n tables of a rule set in all phases, from the walks of some deals; each is independent."""
    rng = random.Random(f"{name} {seed}")
    found = []
    while len(found) < n:
        found += [table.copy() for table in walk(some_table(RULES[name], rng), rng) if rng.random() < 0.25]
    return found[:n]


def cards_by_place(table):
    """Codes of all cards, hidden ones too, by place."""
    state = table._to_state()
    return {
        "hands": [code for cards in state["hands"] for code in cards],
        "melds": [code for melds in state["melds"] for cards in melds for code in cards],
        "bought": [code for cards in state["bought"] for code in cards],
        "bonus": [code for cards in state["bonus"] for code in cards],
        "pile": state["pile"],
        "stock": state["stock"],
    }


def all_cards(places):
    """The cards of all places, in order."""
    return sorted(code for cards in places.values() for code in cards)
