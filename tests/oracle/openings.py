"""Compare the core's answers about openings with brute force: ``python -m oracle.openings [HANDS]``.

Of each hand of 15 to 28 cards: the most points that can be laid; whether it can open, with melds of the opening laid
already, under every kind of minimum, bid and band; and whether a smaller hand can be laid out to go out.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from functools import cache
from types import SimpleNamespace

import numpy as np
from brute_opening import Game, brute_best_points, brute_can_open, brute_lay_outs, card_points

from sitoumus._core import Hand, Meld, best_openings
from sitoumus._testing import lay_out_exists, opening_exists
from sitoumus.rules import PRESETS, SITOUMUSSAMBA

from .batches import in_batches, report
from .cards import TEXT

MAIN = {
    "sitoumussamba": SITOUMUSSAMBA,
    "line": SITOUMUSSAMBA.replace(cyclic_sequences=False),
    "after_complete": SITOUMUSSAMBA.replace(second_set="after_complete", mixed_growth="none"),
    "deuces": SITOUMUSSAMBA.replace(deuce_set_min_after_open=3, mixed_growth="natural_and_wild"),
}
RULES = MAIN | {name: rules for name, rules in PRESETS.items() if name != "sitoumussamba"}
#: Half of the hands are of the main game, the rest go round.
TURNS = [name for other in list(RULES)[1:] for name in ("sitoumussamba", other)]

game = cache(lambda name: Game(RULES[name]))


def some_cards(rules, size: int, rng: random.Random) -> list[int]:
    """Cards of a pack; every other hand is skewed: few ranks, two suits, many wild cards, five ranks in a row."""
    pack = [card for card in range(52) for _ in range(rules.pack.copies)] + [52] * rules.pack.jokers
    among = pack
    if rng.random() < 0.5:
        ranks, suits, low = rng.sample(range(13), 6), rng.sample(range(4), 2), rng.randrange(13)
        among = rng.choice(
            [
                [card for card in pack if card // 4 in ranks],
                [card for card in pack if card % 4 in suits and card < 52],
                [card for card in pack if card == 52 or card // 4 == 1] + rng.sample(pack, 12),
                [card for card in pack if (card // 4 - low) % 13 < 5],
            ]
        )
    for cards in (among, pack):
        for _ in range(20):
            if len(cards) >= size:
                chosen = rng.sample(cards, size)
                if Counter(chosen) <= Counter(pack):
                    return chosen
    raise AssertionError("a plain hand is always possible")


def lay_some(name: str, cards: list[int], most: int, rng: random.Random) -> list[tuple]:
    """Take random melds out of the cards; laid melds as brute force has them."""
    laid: list[tuple] = []
    about = game(name)
    for _ in range(most):
        melds = [
            (meld, said)
            for meld, _, said in about.new_melds(cards)
            if said.kind is not about.black
            and (
                said.kind.shape != "set"
                or said.kind.per_rank == "many"
                or (said.kind.id, said.key) not in {(kind, key) for kind, key, _ in laid}
            )
        ]
        if not melds:
            break
        meld, said = rng.choice(melds) if rng.random() < 0.5 else max(rng.sample(melds, min(5, len(melds))), key=_size)
        laid.append((said.kind.id, said.key, list(meld)))
        for card in meld:
            cards.remove(card)
    return laid


def _size(meld) -> int:
    return len(meld[0])


def counts(cards: list[int]) -> np.ndarray:
    return np.bincount(np.array(cards, int), minlength=53).astype(np.uint8)


def texts(cards) -> str:
    return " ".join(TEXT[card] for card in cards)


def melds_of(laid, rules) -> list[Meld]:
    return [Meld(texts(cards), rules) for _, _, cards in laid]


def compare_hand(number: int, seed: int, seen: Counter) -> list[str]:
    """The differences of one hand; what was asked and answered is counted in seen."""
    rng = random.Random(f"openings {seed} {number}")
    name = TURNS[number % len(TURNS)]
    rules = RULES[name]
    cards = some_cards(rules, rng.choice([15, 15, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28]), rng)
    seen["hands"] += 1
    seen[f"hands of {'15' if len(cards) == 15 else '16 to 20' if len(cards) <= 20 else '21 to 28'} cards"] += 1
    differences = best_points(name, cards, rng, seen)
    laid = lay_some(name, cards, rng.choice([0, 0, 1, 1, 2, 3]), rng)
    for _ in range(2):
        differences += opening(name, cards, laid, rng, seen)
    return differences + lay_out(name, rng, seen)


def best_points(name, cards, rng, seen) -> list[str]:
    rules, deuces = RULES[name], rng.choice([4, 5])
    theirs = brute_best_points(counts(cards), deuces if game(name).deuce is not None else 0, rules)
    mine = int(best_openings(counts(cards)[None], deuces=deuces, rules=rules)[0])
    seen["best points"] += 1
    return [] if mine == theirs else [f"{name}: {texts(cards)}, {deuces} deuces: core {mine}, brute force {theirs}"]


def opening(name, cards, laid, rng, seen) -> list[str]:
    rules, about = RULES[name], game(name)
    deuces = rng.choice([0, 4, 5]) if about.deuce is not None else 0
    keep = rng.choice([0, 1, 2, 2])
    base = sum(card_points(rules, card) for _, _, meld in laid for card in meld)
    best = base + (brute_best_points(counts(cards), deuces, rules, laid, keep) or 0)
    need = SimpleNamespace(
        minimum=rng.choice([15, 50, 90, 120, 150, 200, best, best, best + 5]),
        needs=rng.choice(["none", "none", "none", "none", "canasta", "natural_canasta"]),
        complete_opens=rng.random() < 0.4,
        deuce_min=deuces,
        bid_suits=rng.choice([0, 0, 0, 1, 2, 4, 8]),
        bid_four=rng.random() < 0.1,
        bid_deuces=rng.random() < 0.1,
        keep=keep,
        extra_points=rng.choice([0, 0, 0, 5, 30]),
    )
    theirs = bool(brute_can_open(counts(cards), laid, rules, need))
    mine = opening_exists(Hand(texts(cards)), melds_of(laid, rules), need, rules)
    seen[f"opening exists {theirs}"] += 1
    where = f"{name}: {texts(cards)}; laid {[texts(meld) for _, _, meld in laid]}; {need}"
    return [] if mine == theirs else [f"{where}: core {mine}, brute force {theirs}"]


def lay_out(name, rng, seen) -> list[str]:
    """A hand of at most eleven cards, made of melds, of cards that join laid ones, and of a few others."""
    rules, about = RULES[name], game(name)
    cards = some_cards(rules, rng.choice([15, 22, 28]), rng)
    laid = lay_some(name, cards, rng.choice([1, 2, 3, 4]), rng)
    held: list[int] = []
    for _ in range(rng.choice([1, 2, 3])):
        parts = [part for meld in laid for part, _ in about.growths(meld, cards, 0, True) if part]
        parts += [meld for meld, _, _ in about.new_melds(cards, 0, True)]
        parts = [part for part in parts if len(held) + len(part) <= 10]
        if parts:
            part = rng.choice(parts)
            held += part
            for card in part:
                cards.remove(card)
    held += rng.sample(cards, min(len(cards), rng.choice([0, 1, 1, 1, 2])))
    ends = brute_lay_outs(counts(held), laid, rules)
    base = sum(card_points(rules, card) for _, _, meld in laid for card in meld)
    differences = []
    for _ in range(3):
        by_sum = name in MAIN and rng.random() < 0.5
        terms = SimpleNamespace(
            canasta=rng.choice([0, 0, 1, 2]),
            run=rng.choice([0, 0, 0, 1]),
            set=rng.choice([0, 0, 0, 1, 2]),
            natural_set=rng.choice([0, 0, 0, 1]),
            sum=rng.choice([300, 300, 500, 1000, 1500, 2000]) if by_sum else 0,
            with_points=rng.random() < 0.5,
            strain=rng.choice([None, None, None, *range(6)]),
            minimum=rng.choice([0, 0, 0, 50, 120, base + 100]),
            needs=rng.choice(["none", "none", "none", "none", "canasta", "natural_canasta"]),
        )
        theirs = any(suffices(rules, terms, base, end) for end in ends)
        mine = lay_out_exists(Hand(texts(held)), melds_of(laid, rules), terms, rules)
        seen[f"lay-out exists {theirs}"] += 1
        if mine != theirs:
            where = f"{name}: {texts(held)}; laid {[texts(meld) for _, _, meld in laid]}; {terms}"
            differences.append(f"{where}: core {mine}, brute force {theirs}")
    return differences


def suffices(rules, terms, base: int, end) -> bool:
    """Whether this end of laying out is a going out under these terms."""
    left, points, bonus, complete, runs, sets, natural, _, _, suits, deuces = end
    if left == 0 and rules.out.discard == "required":
        return False
    if base + points < terms.minimum:
        return False
    if (terms.needs == "canasta" and not complete) or (terms.needs == "natural_canasta" and not runs + natural):
        return False
    if terms.sum:
        if bonus + (base + points if terms.with_points else 0) < terms.sum:
            return False
        made = {None: True, 4: sets > 0, 5: deuces > 0}
        return made[terms.strain] if terms.strain in made else bool(suits >> terms.strain & 1)
    return complete >= terms.canasta and runs >= terms.run and sets >= terms.set and natural >= terms.natural_set


def batch(numbers: range, seed: int) -> tuple[Counter, list[str]]:
    """The hands of these numbers."""
    seen: Counter = Counter()
    return seen, [line for number in numbers for line in compare_hand(number, seed, seen)]


def compare_hands(hands: int, seed: int = 1, processes: int = 2) -> tuple[Counter, list[str]]:
    """Compare so many hands; what occurred, and the differences."""
    return in_batches(batch, hands, 50, processes, seed)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m oracle.openings")
    parser.add_argument("hands", nargs="?", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    began = time.perf_counter()
    seen, differences = compare_hands(options.hands, options.seed, options.processes)
    report(f"openings: {seen['hands']} hands", seen, differences, time.perf_counter() - began)
    return bool(differences)


if __name__ == "__main__":
    raise SystemExit(main())
