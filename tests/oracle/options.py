"""What the comparison varies: options of the main game by public name, fields of the others by dotted name."""

from __future__ import annotations

import random

from sitoumus.errors import RuleSetError
from sitoumus.rules import RuleSet, preset

BANDS = [-100, 0, 1500, 3000, 7000, 10000]
SHORT_BANDS = [[0, 15], [2000, 60], [None, 120]]

#: Option values other than the default, all of the table in docs/rules.md.
OPTIONS = {
    "opening_bands": [SHORT_BANDS],
    "target": [5000],
    "max_level": [3],
    "cyclic_sequences": [False],
    "mixed_growth": ["natural_and_wild", "none"],
    "second_set": ["after_complete"],
    "deuce_set_min_after_open": [3],
    "pair_counts_for_opening": [True],
    "unlocked_take_cards": [3],
    "lock_top_take": ["next_lock"],
    "transfer_to_new_sequence": [True],
    "first_player": ["dealer_left"],
    "failed_open_next": ["next_player"],
    "all_bluff_penalty": ["per_bidder"],
    "strain_must_be_made": [True],
    "out_bonus_in_gate": [True],
    "out_bonus_in_result": [False],
    "hand_minus_at_5plus": [False],
    "void_rule": ["deal_end"],
    "failed_side_keeps_card_points": [False],
    "void_cost": [[0, 100], [50, 100], [100, 100], [37, 0]],
    "no_commitment_goout": ["none"],
    "stock_end": ["immediate"],
    "permission": [False],
    "yes_binds": [False],
}

#: Field values of the other games. Tried one at a time where a game can have them; see `pick_fields`.
FIELDS = {
    "pack.copies": [3],
    "pack.jokers": [2, 3, 6],
    "deal.hand": [9, 12],
    "deal.first_extra": [0, 1],
    "deal.turn_up": ["none", "after_deal"],
    "deal.cover": [[], ["JK", "2"]],
    "deal.first_turn": ["full"],
    "draw.stock": [1, 2, 3],
    "draw.after_pile": [1],
    "points": [{"A": 15, "3b": 0}, {"K": 5, "2": 25}],
    "hand_points": [{"3b": 100}, {"JK": 100, "A": 5}],
    "bonus.cards": [[]],
    "bonus.table": [[0, 50, 150, 250, 500], [0, 50, 150, 250, 500, 600, 1000]],
    "bonus.laid": ["first_turn", "at_deal"],
    "bonus.needs": [["melds", 0], ["melds", 2], ["canastas", 1]],
    "pile.freeze": [[], ["JK", "2"], ["JK", "2", "3r", "3b"]],
    "pile.dead_top": [["JK", "2", "3r", "3b", "4"], ["JK", "3r", "3b"]],
    "pile.run_only_top": [["4"], ["A", "K"]],
    "pile.take.open": [["pair"], ["pair", "fit_set"], ["pair", "natural+wild"], ["triple", "fit_full"], ["fit_set"]],
    "pile.take.frozen": [[], ["triple"], ["pair", "fit_set"], ["pair", "natural+wild"]],
    "pile.take.unopened": [[], ["triple"], ["pair", "natural+wild"]],
    "pile.extent": ["to_freezer", "to_next_freezer"],
    "pile.new_set_from": [4, 5],
    "pile.single_bar": [False, True],
    "opening.bands": [[[0, 0], [1500, 0, "canasta"], [None, 90, "natural_canasta"]], [[0, 40], [None, 70]]],
    "opening.top_counts": [False],
    "opening.pair_counts": [False],
    "opening.bonus_counts": [True],
    "opening.waive": ["never", "concealed_from_stock"],
    "melds.set.min_natural": [3],
    "melds.set.max_wild": [1, 2, 3],
    "melds.set.wild_with": [["JK"], ["2"]],
    "melds.set.majority": [True, False],
    "melds.set.natural_closed": [True],
    "melds.set.add_full.natural": ["never"],
    "melds.set.add_full.wild": ["never", "always"],
    "melds.set.per_rank": ["one", "many", "after_complete"],
    "melds.set.merge": [True, False],
    "melds.set.bonus.natural": [450],
    "melds.set.bonus.mixed": [250],
    "melds.deuce.max_wild": [1],
    "melds.deuce.min_natural": [3],
    "melds.deuce.majority": [False],
    "melds.deuce.add_full.wild": ["never"],
    "melds.deuce.bonus.natural": [1500],
    "melds.deuce.open_min": [4],
    "melds.run.cyclic": [True],
    "melds.run.ranks": [list("3456789TJQK"), list("A23456789TJQKA")],
    "melds.run.add_full.natural": ["never", "going_out"],
    "melds.run.bonus.natural": [1200],
    "melds.run.short": [None, [4, 300]],
    "melds.wild.bonus.natural": [1000],
    "melds.black.size": [[3, 3], [3, 5]],
    "out.needs.canasta": [0, 1, 2],
    "out.needs.run": [0, 1],
    "out.needs.set": [1],
    "out.needs.natural_set": [1],
    "out.discard": ["optional", "required"],
    "out.bonus": [250],
    "out.concealed": ["none", "side", "player"],
    "out.concealed_total": [450],
    "out.ask": ["none", "optional", "required"],
    "out.ask_when": ["after_stock", "any"],
    "out.yes_binds": [False, True],
    "out.ask_fail": [50],
    "stock.empty": ["end_after_turn", "forced_fit", "forced_fit_may_take", "may_fit", "may_take"],
    "match.end": [["target", 3000]],
    "match.tie": ["draw", "extra_deal"],
    "match.settle": ["totals", "difference"],
}

#: What must change with a field, where the field alone cannot be combined.
ALONG = {
    "pack.copies": {"bonus.table": [0, 50, 150, 250, 500, 600, 1000]},
    "bonus.cards": {"bonus.table": []},
    "deal.turn_up": {"deal.cover": []},
    "opening.bands": {"opening.top_counts": False},
    "pile.extent": {"opening.top_counts": False},
    "opening.bonus_counts": {"opening.top_counts": False},
    "opening.pair_counts": {"opening.top_counts": False},
}


def pick_options(rng: random.Random, number: int, rules: str = "sitoumussamba") -> dict:
    """None in every fourth deal; else mostly one to three off their defaults, so that each value comes round."""
    if number % 4 == 0:
        return {}
    if rules != "sitoumussamba":
        return pick_fields(rng, number, preset(rules))
    names = sorted(OPTIONS)
    chosen = [names[number % len(names)], *rng.sample(names, rng.randint(1, 3))]
    if number % 5 == 0:
        chosen.append("mixed_growth")  # the one with two values
    return {name: rng.choice(OPTIONS[name]) for name in chosen}


def pick_fields(rng: random.Random, number: int, rules: RuleSet) -> dict:
    """One to three fields that this game can have so, all together."""
    names = sorted(FIELDS)
    wanted, fields = rng.randint(1, 3), {}
    for name in [names[number % len(names)], *rng.sample(names, 12)]:
        more = {name: rng.choice(FIELDS[name])} | ALONG.get(name, {})
        try:
            if rules.replace(**fields | more) != rules.replace(**fields):
                fields |= more
                wanted -= 1
        except RuleSetError:
            continue
        if not wanted:
            break
    return fields
