"""Cards as numbers in canonical order: rank * 4 + suit, jokers last (index 52)."""

from itertools import combinations_with_replacement

RANKS = "A23456789TJQK"
SUITS = "cdhs"
JOKER = 52
NUM = 53
TEXT = [r + s for r in RANKS for s in SUITS] + ["JK"]
INDEX = {t: i for i, t in enumerate(TEXT)}
CLASS = [("3b" if s in "cs" else "3r") if r == "3" else r for r in RANKS for s in SUITS] + ["JK"]
EMPTY = (0,) * NUM
ACE, DEUCE, THREE = 0, 1, 2


def card(text):
    if text not in INDEX:
        raise ValueError(f"no such card: {text!r}")
    return INDEX[text]


def cards(text):
    return [card(t) for t in text.split()]


def show(items):
    return " ".join(TEXT[i] for i in sorted(items))


def counts(items):
    hand = [0] * NUM
    for i in items:
        hand[i] += 1
    return tuple(hand)


def listed(hand):
    return [i for i in range(NUM) for _ in range(hand[i])]


def has(hand, items):
    return all(hand[i] >= items.count(i) for i in set(items))


def minus(hand, items):
    h = list(hand)
    for i in items:
        h[i] -= 1
        if h[i] < 0:
            raise ValueError(f"surplus: {TEXT[i]} is not there")
    return tuple(h)


def plus(hand, items):
    h = list(hand)
    for i in items:
        h[i] += 1
    return tuple(h)


def choose(hand, candidates, k):
    """All distinct multisets of k cards of the hand among the candidates."""
    there = [i for i in candidates if hand[i]]
    return [c for c in combinations_with_replacement(there, k) if all(hand[i] >= c.count(i) for i in c)]
