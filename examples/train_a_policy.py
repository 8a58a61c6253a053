"""Train a policy that beats `greedy`, in minutes on two cores: cross-entropy search over a linear score of actions.

Every legal number gets a score, a weighted sum of what it is (a draw, a discard, a meld ...) and of what the
observation says about it; the highest is chosen. Weights are searched for: draw some from a normal distribution, play
the same deals with each against `greedy`, and move the distribution to those that won most.

`python examples/train_a_policy.py [--generations 30] [--pairs 300]`
"""

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import sitoumus as sit
from sitoumus import actions, envs

PART = {part.name: part for part in envs.layout()}
WILD_CARDS = {"2c", "2d", "2h", "2s", "JK"}
NAMES = [actions.name(number) for number in range(actions.N)]
#: What a number is, by the first word of its name; melds are told apart below.
KINDS = ["pass", "double", "done", "draw", "extra", "ask", "yes", "no", "end", "buy", "card", "merge", "new", "slot"]
MELDS = ["sequence", "natural set", "mixed set", "wild cards", "black threes"]
TAKES = ["top alone", "with naturals", "with a wild card"]
HELD = [
    "same rank",
    "next to it",
    "two away",
    "wild",
    "points",
    "rank of ours",
    "rank of theirs",
    "suit of our sequence",
]
NOW = ["hand", "stock", "opened", "complete melds", "few cards"]
COLUMNS = [
    *KINDS,
    *MELDS,
    *TAKES,
    "locks",
    *("bid", "level of the bid", "wild cards when bidding", "sequences when bidding"),
    *(f"discard: {name}" for name in HELD),
    *(f"add: {name}" for name in HELD),
    *(f"lay: {name}" for name in NOW),
    *(f"take: {name}" for name in NOW),
]


def meld_kind(cards):
    ranks = {card[0] for card in cards}
    if set(cards) <= WILD_CARDS:
        return "wild cards"
    if ranks == {"3"}:
        return "black threes"
    if len(ranks) == 3 and "JK" not in cards:
        return "sequence"
    return "mixed set" if set(cards) & WILD_CARDS else "natural set"


def what_numbers_are():
    """Columns that depend on the number alone; the card that it names, 53 for none; and three groups."""
    fixed = np.zeros((actions.N, len(COLUMNS)), np.float32)
    card, group = np.full(actions.N, 53), np.zeros((actions.N, 4), bool)
    order = {NAMES[130 + place].split()[1]: place for place in range(53)}
    at = {name: k for k, name in enumerate(COLUMNS)}
    for number, (verb, *words) in enumerate(name.split() for name in NAMES):
        if verb[0].isdigit():
            fixed[number, at["bid"]] = 1
            fixed[number, at["level of the bid"]] = int(verb.rstrip("CDHSANEU"))
            group[number, 3] = True
        elif verb == "meld":
            fixed[number, at[meld_kind(words)]] = 1
            group[number, 1] = True
        elif verb == "take":
            kind = "with a wild card" if set(words) & WILD_CARDS else "with naturals"
            fixed[number, at[kind if words else "top alone"]] = 1
            group[number, 2] = True
        elif verb == "locks":
            fixed[number, at["locks"]] = int(words[0])
        elif verb != "fail" and verb != "discard":
            fixed[number, at[verb]] = 1
        if verb in ("discard", "card"):
            card[number] = order[words[0]]
            group[number, 0] = verb == "discard"
            group[number, 1] = verb == "card"
    return fixed, card, group


FIXED, CARD, GROUP = what_numbers_are()
POINTS = np.array([sit.Hand(NAMES[130 + place].split()[1]).points / 50 for place in range(53)], np.float32)
WILD = np.array([NAMES[130 + place].split()[1] in WILD_CARDS for place in range(53)], np.float32)
START = {name: COLUMNS.index(name) for name in ("discard: same rank", "add: same rank", "lay: hand", "take: hand")}


def part(seen, name):
    return seen[:, PART[name].slice].reshape(len(seen), *PART[name].shape)


def columns(seen, rows, numbers):
    """The columns of some numbers, each in its row of observations: an array of shape (len(numbers), len(COLUMNS))."""
    n = len(seen)
    hand, sides, melds = part(seen, "hand"), part(seen, "sides"), part(seen, "melds")
    grid = hand[:, :52].reshape(n, 13, 4)
    here = (grid > 0).astype(np.float32)
    held = np.zeros((n, 54, len(HELD)), np.float32)
    natural = held[:, :52].reshape(n, 13, 4, len(HELD))
    natural[..., 0] = grid.sum(axis=2, keepdims=True)
    natural[..., 1] = np.roll(here, 1, 1) + np.roll(here, -1, 1)
    natural[..., 2] = np.roll(here, 2, 1) + np.roll(here, -2, 1)
    held[:, :53, 3], held[:, :53, 4] = WILD, POINTS
    for side, column in ((0, 5), (1, 6)):
        row, slot = (melds[:, side, :, 0] == 1).nonzero()
        natural[row, melds[row, side, slot, 1].astype(int) - 1, :, column] = 1
    row, slot = (melds[:, 0, :, 0] == 2).nonzero()
    natural[row, :, melds[row, 0, slot, 1].astype(int) - 1, 7] = 1
    size = hand.sum(axis=1)
    now = np.stack(
        [size / 15, part(seen, "counts")[:, 0] / 100, sides[:, 0, 4], sides[:, 0, 11] / 3, size <= 4], axis=1
    ).astype(np.float32)
    found = FIXED[numbers]
    for group, first, values in (
        (0, "discard: same rank", None),
        (1, "lay: hand", now),
        (2, "take: hand", now),
    ):
        chosen = GROUP[numbers, group].nonzero()[0]
        block = held[rows[chosen], CARD[numbers[chosen]]] if values is None else values[rows[chosen]]
        found[chosen, START[first] : START[first] + block.shape[1]] = block
    adds = (GROUP[numbers, 1] & (CARD[numbers] < 53)).nonzero()[0]
    first = START["add: same rank"]
    found[adds, first : first + len(HELD)] = held[rows[adds], CARD[numbers[adds]]]
    bids = GROUP[numbers, 3].nonzero()[0]
    if len(bids):
        three = here * np.roll(here, 1, 1) * np.roll(here, 2, 1)
        found[bids, COLUMNS.index("wild cards when bidding")] = (hand @ WILD)[rows[bids]] / 3
        found[bids, COLUMNS.index("sequences when bidding")] = three.sum(axis=(1, 2))[rows[bids]]
    return found


def choose(weights, seen, masks):
    """The number with the highest score in every row; 0 where none is allowed."""
    rows, numbers = masks.view(bool).nonzero()
    scores = columns(seen, rows, numbers) @ weights
    best = np.zeros(len(seen), np.int64)
    order = np.lexsort((scores, rows))
    last = np.r_[rows[order][1:] != rows[order][:-1], True] if len(rows) else []
    best[rows[order][last]] = numbers[order][last]
    return best


def margin(weights, start, deals):
    """Mean points a deal, own less opponents', of a side with these weights against `greedy`, in thousands."""
    total = 0.0
    for side in (("N", "S"), ("E", "W")):
        tables = envs.VectorTable(deals, seed=2024, learners=side, policies="greedy", start=start)
        place = tables.learners_places[0]
        waiting = np.ones(deals, bool)
        while waiting.any():
            tables.step(choose(weights, tables.observations, tables.masks))
            ended = tables.terminals.astype(bool) & waiting
            total += float(tables.rewards[ended, place].sum())
            waiting &= ~ended
    return total / (2 * deals)


def train(generations=30, candidates=48, deals=32, seed=1, say=print):
    """Cross-entropy search; returns the weights."""
    rng = np.random.default_rng(seed)
    mean, spread = np.zeros(len(COLUMNS)), np.ones(len(COLUMNS))
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for generation in range(generations):
            drawn = (mean + spread * rng.standard_normal((candidates, len(COLUMNS)))).astype(np.float32)
            starts, sizes = [generation * deals] * candidates, [deals] * candidates
            margins = np.array(list(pool.map(margin, drawn, starts, sizes, chunksize=4)))
            chosen = drawn[np.argsort(-margins)[: max(2, candidates // 4)]]
            mean, spread = chosen.mean(axis=0), 0.9 * chosen.std(axis=0) + 0.1 * spread
            say(f"generation {generation + 1:2}: mean {1000 * margins.mean():+6.0f}, best {1000 * margins.max():+6.0f}")
    return mean.astype(np.float32)


def policy(weights):
    """The weights as a policy for the whole library."""
    return envs.as_policy(lambda seen, mask: int(choose(weights, seen[None], mask[None])[0]), name="linear")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--generations", type=int, default=30)
    parser.add_argument("--candidates", type=int, default=48)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    begin = time.perf_counter()
    weights = train(given.generations, given.candidates, seed=given.seed)
    print(f"trained in {time.perf_counter() - begin:.0f} s")
    for name, weight in sorted(zip(COLUMNS, weights, strict=True), key=lambda pair: -abs(pair[1]))[:12]:
        print(f"{weight:+6.2f}  {name}")
    print(sit.compare(policy(weights), "greedy", pairs=given.pairs, seed=99, progress=False))
