"""A policy of one's own: sequences before all, sets only near the end. `python examples/own_policy.py [--pairs 500]`"""

import argparse

import sitoumus as sit

RANKS = "A23456789TJQK"


class RunBuilder(sit.Policy):
    """Lays sequences and deuces, and throws what is far from the own sequences."""

    def act(self, view, legal):
        if view.phase == "auction":
            hand = view.hand.features()
            opens = hand["longest_run"] >= 3 and hand["best_opening_declarer"] >= view.minimum(view.side)
            return "3C" if opens and "3C" in legal else "pass"
        by_verb = {}
        for action in legal:
            by_verb.setdefault(action.split()[0], []).append(action)
        for verb in ("done", "take", "extra", "draw", "yes"):
            if verb in by_verb:
                return by_verb[verb][-1]
        lays = [action for verb in ("add", "meld") for action in by_verb.get(verb, []) if self.wanted(view, action)]
        if lays or "discard" not in by_verb:
            return (lays or legal)[0]
        return min(by_verb["discard"], key=lambda action: self.use(view, action.split()[1]))

    def wanted(self, view, action):
        """In an opening and near the end all; else what makes or continues a sequence, completes a set, and deuces."""
        if not view.opened(view.side) or view.stock_size < 12:
            return True
        if action.startswith("add"):
            onto = view.melds(view.side)[int(action.split("> ")[1]) - 1]
            return onto.kind in ("run", "deuce") or len(onto.cards) == 6
        return sit.Meld(action.removeprefix("meld ")).kind in ("run", "deuce")

    def use(self, view, card):
        """Neighbours of a card in hand and in own sequences, and what the opponents could do with it."""
        if card == "JK" or card[0] == "2":
            return 100
        near = {RANKS[(RANKS.index(card[0]) + step) % 13] + card[1] for step in (-3, -2, -1, 1, 2, 3)}
        us, them = ("NS", "EW") if view.side == "NS" else ("EW", "NS")
        ours = set(view.hand) | {c for meld in view.melds(us) if meld.kind == "run" for c in meld.cards}
        theirs = {c for meld in view.melds(them) if meld.kind == "run" for c in meld.cards}
        return 10 * len(near & ours) + 6 * len(near & theirs) - sit.Hand(card).points / 5


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=500)
    given = parser.parse_args()
    print(sit.compare(RunBuilder(), "greedy", pairs=given.pairs, seed=11, progress=False))
