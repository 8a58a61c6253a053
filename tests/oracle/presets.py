"""The rule sets as plain data, written a second time by hand (presets as differences).

Extra fields that the table has no name for:

- ``opening.pair_counts``: the hand cards of the take count toward the opening (B14, F5)
- ``set.closed_natural``: a natural complete set takes no more cards (R18.5)
- ``set.open_min``: deuces that a deuce set of an opening must hold: (declarer, others)
- ``out.role``: the conditions for going out depend on the contract (R28)
- ``buy``: card class that buys a stock card, and what it costs (R21.3)
"""

from copy import deepcopy

INF = float("inf")

POINTS = {"JK": 50, "2": 20, "A": 20, "3b": 5, "3r": 0}
POINTS.update(dict.fromkeys("89TJQK", 10))
POINTS.update(dict.fromkeys("4567", 5))


def kind(id, shape, ranks, **fields):
    k = {
        "id": id,
        "shape": shape,
        "ranks": ranks,
        "cyclic": False,
        "min": 3,
        "max": None,
        "min_natural": 2,
        "max_wild": 0,
        "wild_with": [],
        "majority": False,
        "full": 7,
        "add_full": {"natural": "always", "wild": "never"},
        "closed_natural": False,
        "per_rank": "one",
        "merge": False,
        "when": "any",
        "open_min": None,
        "bonus": {"natural": 0, "mixed": 0},
        "short": None,
    }
    for name, value in fields.items():
        if name not in k:
            raise KeyError(name)
        k[name] = value
    return k


def black(most):
    return kind("black", "set", ["3b"], max=most, min_natural=3, full=None, when="going_out")


CLOSED = {"natural": "never", "wild": "never"}

FINNISH = {
    "pack": {"suits": 4, "copies": 2, "jokers": 4},
    "table": {"seats": ["N", "E", "S", "W"], "sides": [["N", "S"], ["E", "W"]]},
    "deal": {
        "hand": 11,
        "first_extra": 0,
        "turn_up": "after_deal",
        "cover": ["JK", "2", "3r", "3b"],
        "first_turn": "full",
    },
    "draw": {"stock": 1, "after_pile": 0},
    "points": POINTS,
    "hand_points": {},
    "bonus": {"cards": ["3r"], "table": [0, 100, 200, 300, 400], "needs": ["melds", 1], "laid": "at_deal"},
    "pile": {
        "freeze": ["JK", "2", "3r"],
        "dead_top": ["JK", "2", "3b", "3r"],
        "run_only_top": [],
        "take": {
            "open": ["pair", "natural+wild", "fit_set", "fit_full"],
            "frozen": ["pair"],
            "unopened": ["pair"],
        },
        "extent": "whole",
        "new_set_from": None,
        "single_bar": True,
    },
    "opening": {
        "bands": [[0, 15, "none"], [1500, 50, "none"], [3000, 90, "none"], [INF, 120, "none"]],
        "top_counts": True,
        "pair_counts": True,
        "bonus_counts": False,
        "waive": "concealed_from_stock",
    },
    "melds": [
        kind(
            "set",
            "set",
            list("A456789TJQK"),
            max_wild=3,
            wild_with=["JK", "2"],
            bonus={"natural": 500, "mixed": 300},
        ),
        black(4),
    ],
    "out": {
        "needs": [["canasta", 1]],
        "role": False,
        "discard": "optional",
        "bonus": 100,
        "concealed": "side",
        "concealed_total": 200,
        "ask": "optional",
        "ask_when": "after_stock",
        "yes_binds": True,
        "ask_fail": 100,
    },
    "stock": {"last_bonus": "end_now", "empty": "forced_fit"},
    "match": {"end": 5000, "tie": "draw", "settle": "totals"},
    "buy": None,
    "contract": None,
}


def change(rules, changes):
    """A copy of the rules in which the fields under the dotted names have new values."""
    rules = deepcopy(rules)
    for name, value in changes.items():
        here, parts = rules, name.split(".")
        while parts:
            part = parts.pop(0)
            if isinstance(here, list):
                found = [k for k in here if k["id"] == part]
                if not found:
                    raise ValueError(f"no such option: {name}")
                here = found[0]
            elif not parts:
                if part not in here and here is not rules["points"] and here is not rules["hand_points"]:
                    raise ValueError(f"no such option: {name}")
                here[part] = deepcopy(value)
            elif part in here:
                here = here[part]
            else:
                raise ValueError(f"no such option: {name}")
    return rules


def with_melds(rules, *kinds):
    rules = deepcopy(rules)
    rules["melds"] = rules["melds"] + [deepcopy(k) for k in kinds]
    return rules


FINNISH_2P = change(
    FINNISH,
    {
        "table.seats": ["N", "S"],
        "table.sides": [["N"], ["S"]],
        "deal.hand": 15,
        "draw.stock": 2,
        "out.needs": [["canasta", 2]],
        "out.ask": "none",
    },
)
FINNISH_3P = change(
    FINNISH,
    {
        "table.seats": ["N", "E", "S"],
        "table.sides": [["N"], ["E"], ["S"]],
        "deal.hand": 13,
        "out.ask": "none",
    },
)
AMERICAN = change(
    FINNISH,
    {"melds.set.add_full.wild": "always", "bonus.table": [0, 100, 200, 300, 800]},
)
RUSSIAN = change(
    FINNISH,
    {
        "melds.set.add_full.wild": "always",
        "out.concealed": "player",
        "bonus.laid": "first_turn",
        "out.ask": "required",
        "out.ask_when": "any",
        "out.yes_binds": False,
        "stock.empty": "may_fit",
        "match.settle": "rounded_100",
    },
)

TILE_POINTS = {"JK": 50, "2": 20, "A": 25, "3b": 0, "3r": 0}
TILE_POINTS.update(dict.fromkeys("TJQK", 10))
TILE_POINTS.update(dict.fromkeys("456789", 5))
TILE = change(
    FINNISH,
    {
        "pack.jokers": 2,
        "deal.hand": 14,
        "deal.first_extra": 1,
        "deal.turn_up": "none",
        "deal.cover": [],
        "deal.first_turn": "discard_only",
        "points": TILE_POINTS,
        "hand_points": {"3b": 100},
        "pile.freeze": [],
        "pile.dead_top": ["JK", "2", "3b"],
        "pile.take.open": ["pair"],
        "pile.take.frozen": ["pair"],
        "pile.take.unopened": ["pair"],
        "pile.single_bar": False,
        "opening.bands": [
            [0, 15, "none"],
            [1500, 50, "none"],
            [3000, 90, "none"],
            [7000, 120, "none"],
            [INF, 150, "none"],
        ],
        "opening.waive": "never",
        "melds": [
            kind(
                "set",
                "set",
                list("A456789TJQK"),
                max_wild=3,
                wild_with=["JK", "2"],
                majority=True,
                add_full={"natural": "always", "wild": "always"},
                bonus={"natural": 500, "mixed": 300},
            ),
            kind(
                "deuce",
                "set",
                ["2"],
                max_wild=2,
                wild_with=["JK"],
                majority=True,
                add_full={"natural": "always", "wild": "always"},
                bonus={"natural": 1000, "mixed": 700},
            ),
        ],
        "out.discard": "required",
        "out.concealed": "none",
        "out.ask": "none",
        "stock.empty": "end_after_turn",
        "match.end": 10000,
        "match.tie": "extra_deal",
    },
)

SAMBA = change(
    FINNISH,
    {
        "pack.copies": 3,
        "pack.jokers": 6,
        "deal.hand": 15,
        "draw.stock": 2,
        "bonus.table": [0, 100, 200, 300, 400, 500, 1000],
        "bonus.needs": ["canastas", 2],
        "pile.take.open": ["pair", "fit_set", "fit_run"],
        "opening.bands": [
            [0, 15, "none"],
            [1500, 50, "none"],
            [3000, 90, "none"],
            [7000, 120, "none"],
            [INF, 150, "none"],
        ],
        "melds": [
            kind(
                "set",
                "set",
                list("A456789TJQK"),
                max_wild=2,
                wild_with=["JK", "2"],
                per_rank="many",
                merge=True,
                bonus={"natural": 500, "mixed": 300},
            ),
            kind(
                "run",
                "run",
                list("456789TJQKA"),
                add_full=CLOSED,
                per_rank="many",
                bonus={"natural": 1500, "mixed": 0},
            ),
            black(6),
        ],
        "out.needs": [["canasta", 2]],
        "out.bonus": 200,
        "out.concealed": "none",
        "match.end": 10000,
    },
)
BOLIVIA = change(
    with_melds(
        SAMBA,
        kind(
            "wild",
            "wild",
            ["JK", "2"],
            max=7,
            min_natural=3,
            add_full=CLOSED,
            per_rank="many",
            bonus={"natural": 2500, "mixed": 0},
        ),
    ),
    {
        "out.needs": [["canasta", 2], ["run", 1]],
        "hand_points": {"3b": 100},
        "match.end": 15000,
    },
)
BRAZILIAN = change(
    BOLIVIA,
    {
        "out.needs": [["canasta", 2]],
        "pile.take.unopened": [],
        "opening.bands": [
            [0, 15, "none"],
            [1500, 50, "none"],
            [3000, 90, "none"],
            [7000, 120, "none"],
            [8000, 0, "canasta"],
            [9000, 200, "canasta"],
            [INF, 0, "natural canasta"],
        ],
        "melds.run.short": [5, 1000],
        "melds.run.add_full": {"natural": "going_out", "wild": "never"},
        "melds.wild.bonus": {"natural": 2000, "mixed": 0},
        "bonus.table": [0, 100, 200, 300, 400, 1000, 1200],
        "bonus.needs": ["canastas", 1],
        "out.ask": "required",
        "match.end": 10000,
    },
)

SET_SITOUMUS = {
    "max_wild": 2,
    "wild_with": ["JK", "2"],
    "closed_natural": True,
    "per_rank": "many",
}
SITOUMUSSAMBA = change(
    SAMBA,
    {
        "deal.turn_up": "after_auction",
        "deal.cover": [],
        "draw.after_pile": 1,
        "points": {**POINTS, "3r": 5},
        "hand_points": {"3b": 100, "3r": 500},
        "bonus.cards": [],
        "bonus.table": [0],
        "bonus.needs": ["melds", 0],
        "pile.dead_top": ["JK"],
        "pile.run_only_top": ["2", "3r", "3b"],
        "pile.take.open": ["pair", "fit_run"],
        "pile.take.frozen": ["triple", "fit_run"],
        "pile.take.unopened": ["pair", "triple"],
        "pile.extent": "to_freezer",
        "pile.new_set_from": 4,
        "opening.bands": [
            [0, 15, "none"],
            [1500, 50, "none"],
            [3000, 90, "none"],
            [7000, 120, "none"],
            [10000, 150, "none"],
            [INF, 200, "none"],
        ],
        "opening.top_counts": False,
        "opening.pair_counts": False,
        "opening.bonus_counts": True,
        "opening.waive": "never",
        "melds": [
            kind(
                "set",
                "set",
                list("456789TJQK"),
                bonus={"natural": 500, "mixed": 300},
                **SET_SITOUMUS,
            ),
            kind("ace", "set", ["A"], bonus={"natural": 1000, "mixed": 500}, **SET_SITOUMUS),
            kind(
                "deuce",
                "set",
                ["2"],
                bonus={"natural": 3000, "mixed": 2000},
                open_min=[4, 5],
                **{**SET_SITOUMUS, "wild_with": ["JK"]},
            ),
            kind(
                "run",
                "run",
                list("A23456789TJQK"),
                cyclic=True,
                add_full=CLOSED,
                per_rank="many",
                bonus={"natural": 1500, "mixed": 0},
            ),
            black(6),
        ],
        "out.needs": [["run", 1], ["set", 2], ["natural set", 1]],
        "out.role": True,
        "out.discard": "required",
        "out.bonus": 300,
        "out.ask_when": "after_stock",
        "stock.last_bonus": "end_now",
        "stock.empty": "forced_fit_may_take",
        "match.end": 20000,
        "buy": {"class": "3r", "points": 300},
        "contract": {
            "max_level": 20,
            "first_player": "committer",
            "failed_open_next": "next_bid",
            "all_bluff_penalty": "per_bid",
            "strain_must_be_made": False,
            "out_bonus_in_gate": False,
            "out_bonus_in_result": True,
            "hand_minus_at_5plus": True,
            "void_rule": "last_card_drawn",
            "failed_side_keeps_card_points": True,
            "void_cost": [0, 0],
            "no_commitment_goout": "defenders",
            "transfer_to_new_sequence": False,
        },
    },
)

PRESETS = {
    "sitoumussamba": SITOUMUSSAMBA,
    "finnish_canasta": FINNISH,
    "finnish_canasta_2p": FINNISH_2P,
    "finnish_canasta_3p": FINNISH_3P,
    "american_canasta": AMERICAN,
    "russian_canasta": RUSSIAN,
    "tile_canasta": TILE,
    "samba": SAMBA,
    "bolivia": BOLIVIA,
    "brazilian_canasta": BRAZILIAN,
}

# docs/rules.md, Options: public name -> value -> the fields that it sets.
SET_KINDS = ("set", "ace", "deuce")


def _growth(value):
    fields = {
        "natural": {"natural": "always", "wild": "never"},
        "natural_and_wild": {"natural": "always", "wild": "always"},
        "none": CLOSED,
    }[value]
    return {f"melds.{k}.add_full": fields for k in SET_KINDS}


def _same(name):
    return lambda value: {name: value}


def _contract(name, *values):
    def fields(value):
        if value not in values:
            raise ValueError(f"no such value of {name}: {value!r}")
        return {f"contract.{name}": value}

    return fields


def _void_cost(value):
    undoubled, doubled = value
    if not (undoubled in range(101) and doubled in range(101)):
        raise ValueError(f"no such value of void_cost: {value!r}")
    return {"contract.void_cost": [undoubled, doubled]}


LINE = [*list("23456789TJQKA"), "2", "3"]
PUBLIC = {
    "opening_bands": lambda rows: {"opening.bands": [[r[0], r[1], r[2] if len(r) > 2 else "none"] for r in rows]},
    "target": _same("match.end"),
    "max_level": _same("contract.max_level"),
    "cyclic_sequences": lambda v: {} if v else {"melds.run.ranks": LINE, "melds.run.cyclic": False},
    "mixed_growth": _growth,
    "second_set": lambda v: {
        f"melds.{k}.per_rank": {"always": "many", "after_complete": "after_complete"}[v] for k in SET_KINDS
    },
    "deuce_set_min_after_open": lambda v: {"melds.deuce.min_natural": {2: 2, 3: 3}[v]},
    "pair_counts_for_opening": _same("opening.pair_counts"),
    "unlocked_take_cards": lambda v: {"pile.take.open": [{2: "pair", 3: "triple"}[v], "fit_run"]},
    "lock_top_take": lambda v: {"pile.extent": {"itself": "to_freezer", "next_lock": "to_next_freezer"}[v]},
    "transfer_to_new_sequence": lambda v: {
        "contract.transfer_to_new_sequence": v,
        "pile.take.unopened": ["pair", "triple"] + ["fit_run"] * bool(v),
    },
    "first_player": _contract("first_player", "committer", "dealer_left"),
    "failed_open_next": _contract("failed_open_next", "next_bid", "next_player"),
    "all_bluff_penalty": _contract("all_bluff_penalty", "per_bid", "per_bidder"),
    "strain_must_be_made": _contract("strain_must_be_made", False, True),
    "out_bonus_in_gate": _contract("out_bonus_in_gate", False, True),
    "out_bonus_in_result": _contract("out_bonus_in_result", False, True),
    "hand_minus_at_5plus": _contract("hand_minus_at_5plus", False, True),
    "void_rule": _contract("void_rule", "last_card_drawn", "deal_end"),
    "failed_side_keeps_card_points": _contract("failed_side_keeps_card_points", False, True),
    "void_cost": _void_cost,
    "no_commitment_goout": _contract("no_commitment_goout", "defenders", "none"),
    "stock_end": lambda v: {"stock.empty": {"play_on": "forced_fit_may_take", "immediate": "end_after_turn"}[v]},
    "permission": lambda v: {"out.ask": "optional" if v else "none"},
    "yes_binds": _same("out.yes_binds"),
}


def _field(data, name, value):
    """The field of this table, and its value, that a dotted name of the library sets."""
    words = name.split(".")
    if name == "opening.bands":
        return name, [[INF if r[0] is None else r[0], r[1], r[2].replace("_", " ") if r[2:] else "none"] for r in value]
    if words[:2] == ["out", "needs"]:
        what = words[2].replace("_", " ")
        return "out.needs", [need for need in data["out"]["needs"] if need[0] != what] + [[what, value]] * bool(value)
    if name in ("points", "hand_points"):
        return name, data[name] | value
    if name == "match.end":
        return name, value[1]
    if name == "bonus.table":
        return name, value or [0]
    if words[-1] == "natural_closed":
        return f"melds.{words[1]}.closed_natural", value
    if words[-1] == "size":
        return f"melds.{words[1]}.max", value[1]
    if words[-1] == "open_min":
        return name, [value, value]
    return name, value


def build(rules, options):
    """The data of a preset with options: public names (Sitoumussamba) or dotted names."""
    if rules not in PRESETS:
        raise ValueError(f"no such rules: {rules!r}")
    data = PRESETS[rules]
    for name, value in options.items():
        if rules == "sitoumussamba" and name in PUBLIC:
            try:
                data = change(data, PUBLIC[name](value))
            except (KeyError, TypeError, IndexError):
                raise ValueError(f"no such value of {name}: {value!r}") from None
        elif "." in name or name in ("points", "hand_points"):
            data = change(data, dict([_field(data, name, value)]))
        else:
            raise ValueError(f"no such option of {rules}: {name}")
    return data
