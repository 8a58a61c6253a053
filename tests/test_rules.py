"""Rule sets: the tree, its presets, options, texts and refusals."""

import functools
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitoumus import rules as module
from sitoumus.rules import (
    CLASSES,
    FINNISH_CANASTA,
    FINNISH_CANASTA_2P,
    FINNISH_CANASTA_3P,
    PRESETS,
    RANKS,
    SAMBA,
    SITOUMUSSAMBA,
    TILE_CANASTA,
    WAYS,
    Contract,
    MeldKind,
    RuleSet,
    RuleSetError,
    preset,
)
from sitoumus.rules_text import describe, diff_text, load_rules, presets_text, rules_text

# docs/rules.md, Options: name, default, other values.
OPTIONS = {
    "opening_bands": (
        [[0, 15], [1500, 50], [3000, 90], [7000, 120], [10000, 150], [None, 200]],
        [[0, 15], [None, 50]],
    ),
    "target": (20000, 10000),
    "max_level": (20, 6),
    "cyclic_sequences": (True, False),
    "mixed_growth": ("natural", "natural_and_wild", "none"),
    "second_set": ("always", "after_complete"),
    "deuce_set_min_after_open": (2, 3),
    "pair_counts_for_opening": (False, True),
    "unlocked_take_cards": (2, 3),
    "lock_top_take": ("itself", "next_lock"),
    "transfer_to_new_sequence": (False, True),
    "first_player": ("committer", "dealer_left"),
    "failed_open_next": ("next_bid", "next_player"),
    "all_bluff_penalty": ("per_bid", "per_bidder"),
    "strain_must_be_made": (False, True),
    "out_bonus_in_gate": (False, True),
    "out_bonus_in_result": (True, False),
    "hand_minus_at_5plus": (True, False),
    "void_rule": ("last_card_drawn", "deal_end"),
    "failed_side_keeps_card_points": (True, False),
    "void_cost": ([0, 0], [0, 100], [50, 100]),
    "no_commitment_goout": ("defenders", "none"),
    "stock_end": ("play_on", "immediate"),
    "permission": (True, False),
    "yes_binds": (True, False),
}
EVERY_PRESET = pytest.mark.parametrize("rules", PRESETS.values(), ids=str)
EVERY_OPTION = pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, (_, *others) in OPTIONS.items() for value in others]
)


def leaves(rules):
    """Every field by dotted name, those of the penalty code apart, which has tests of its own."""
    return {
        name: value for name, value in module._flat(rules._plain()).items() if not name.startswith("penalty.")
    }


# --- Presets.


def test_presets_are_named_as_documented():
    assert tuple(PRESETS) == module._PRESET_NAMES
    for name, rules in PRESETS.items():
        assert rules.name == name
        assert getattr(module, name.upper()) is rules
        assert rules.options == {}
        assert repr(rules) == f"RuleSet({name!r})"


def test_preset_by_name_whatever_the_capitals():
    assert preset("Finnish-Canasta 2P") is FINNISH_CANASTA_2P
    with pytest.raises(RuleSetError, match="did you mean 'bolivia'"):
        preset("bolivai")
    with pytest.raises(RuleSetError, match="unknown preset 7"):
        preset(7)


@pytest.mark.parametrize(
    ("name", "cards", "wild", "stock"),
    [  # the stock after the turn-up, before any replacement
        ("sitoumussamba", 162, 18, 101),
        ("finnish_canasta", 108, 12, 63),
        ("finnish_canasta_2p", 108, 12, 77),
        ("finnish_canasta_3p", 108, 12, 68),
        ("american_canasta", 108, 12, 63),
        ("russian_canasta", 108, 12, 63),
        ("tile_canasta", 106, 10, 49),
        ("samba", 162, 18, 101),
        ("bolivia", 162, 18, 101),
        ("brazilian_canasta", 162, 18, 101),
    ],
)
def test_pack_and_deal(name, cards, wild, stock):
    rules = preset(name)
    dealt = rules.table.seats * rules.deal.hand + rules.deal.first_extra + (rules.deal.turn_up != "none")
    assert rules.pack.cards == rules.pack.count(CLASSES) == cards
    assert rules.pack.count(("JK", "2")) == wild
    assert cards - dealt == stock


@EVERY_PRESET
def test_every_card_class_of_a_meld_has_points_in_steps_of_five(rules):
    assert list(rules.points) == list(CLASSES)
    assert all(points % 5 == 0 for points in (*rules.points.values(), *rules.hand_points.values(), *rules.bonus.table))


def test_card_values_r12_and_tile_values():
    assert SITOUMUSSAMBA.points == {
        "JK": 50, "2": 20, "3r": 5, "3b": 5, "4": 5, "5": 5, "6": 5, "7": 5,
        "8": 10, "9": 10, "T": 10, "J": 10, "Q": 10, "K": 10, "A": 20,
    }  # fmt: skip
    assert SITOUMUSSAMBA.hand_points == {"3r": 500, "3b": 100}
    assert [TILE_CANASTA.points[name] for name in ("JK", "2", "A", "T", "9", "4", "3b")] == [50, 20, 25, 10, 5, 5, 0]


def test_bonuses_r31():
    kinds = {kind.id: (kind.bonus.natural, kind.bonus.mixed) for kind in SITOUMUSSAMBA.melds}
    assert kinds == {"set": (500, 300), "ace": (1000, 500), "deuce": (3000, 2000), "run": (1500, 0), "black": (0, 0)}


def test_opening_bands_of_the_brazilian_game():
    assert preset("brazilian_canasta").opening.bands[4:] == (
        (8000, 0, "canasta"),
        (9000, 200, "canasta"),
        (None, 0, "natural_canasta"),
    )


# --- A value: equality, hashes, pickles.


@EVERY_PRESET
def test_a_rule_set_is_a_value(rules):
    again = RuleSet(**{name: getattr(rules, name) for name in rules.__dataclass_fields__})
    assert again == rules
    assert hash(again) == hash(rules)
    assert again.hash == rules.hash
    copy = pickle.loads(pickle.dumps(rules))
    assert (copy, hash(copy), copy.hash, copy.name) == (rules, hash(rules), rules.hash, rules.name)
    assert len({other.hash for other in PRESETS.values()}) == len(PRESETS)
    with pytest.raises(AttributeError):
        rules.name = "samba"
    with pytest.raises(AttributeError):
        rules.pile.extent = "whole"
    with pytest.raises(TypeError):
        rules.points["A"] = 5


def test_equality_goes_by_content_not_by_name():
    changes = FINNISH_CANASTA_2P.diff(FINNISH_CANASTA)
    made = FINNISH_CANASTA.replace(**{name: value for name, value, _ in changes})
    assert made == FINNISH_CANASTA_2P
    assert made.hash == FINNISH_CANASTA_2P.hash
    assert made.name != FINNISH_CANASTA_2P.name
    assert PRESETS["samba"].replace(target=5000) != SAMBA


def test_order_of_kinds_and_of_classes_does_not_matter():
    kinds = tuple(reversed(SITOUMUSSAMBA.melds))
    assert SITOUMUSSAMBA.replace(melds=kinds) == SITOUMUSSAMBA
    assert SITOUMUSSAMBA.replace(**{"pile.freeze": ["3r", "JK", "2"]}).hash == SITOUMUSSAMBA.hash
    assert SITOUMUSSAMBA.replace(**{"melds.set.ranks": list("KQJT987654")}) == SITOUMUSSAMBA


def in_new_process(code, **environment):
    path = str(Path(module.__file__).parents[1])
    environment |= {"PYTHONPATH": path}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return run.stdout


def test_hash_is_the_same_in_every_process():
    code = "from sitoumus.rules import PRESETS; print(*(rules.hash for rules in PRESETS.values()))"
    for seed in ("1", "2"):
        assert in_new_process(code, PYTHONHASHSEED=seed).split() == [rules.hash for rules in PRESETS.values()]
    assert all(re.fullmatch("[0-9a-f]{12}", rules.hash) for rules in PRESETS.values())


def test_importing_rules_imports_nothing_that_only_texts_and_errors_need():
    code = "import sys, sitoumus.rules; print(*({'pandas', 'tomli_w', 'tomllib', 'difflib'} & {*sys.modules}))"
    assert in_new_process(code).split() == []


# --- Options.


def test_options_of_the_rules_are_the_public_names():
    assert set(module._OPTIONS) == set(OPTIONS)
    plain = SITOUMUSSAMBA._plain()
    for name, (default, *_) in OPTIONS.items():
        assert module._OPTIONS[name].get(plain) == default, name


@EVERY_OPTION
def test_option_round_trip(name, value):
    rules = SITOUMUSSAMBA.replace(**{name: value})
    assert rules != SITOUMUSSAMBA
    assert rules.options == {name: value}
    assert rules.replace(**{name: OPTIONS[name][0]}) == SITOUMUSSAMBA
    assert RuleSet.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert RuleSet.from_toml(rules.to_toml()) == rules


def test_all_options_at_once():
    changes = {name: values[-1] for name, values in OPTIONS.items()}
    rules = SITOUMUSSAMBA.replace(**changes)
    assert rules.options == changes
    assert SITOUMUSSAMBA.replace(**dict(reversed(changes.items()))) == rules


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("mixed_growth", "melds.ace.add_full.wild", "always"),
        ("second_set", "melds.set.per_rank", "one"),
        ("cyclic_sequences", "melds.run.ranks", list("23456789TJQKA")),
    ],
)
def test_what_no_option_says_goes_by_its_dotted_name(name, field, value):
    changes = {field: value} | ({"melds.run.cyclic": False} if name == "cyclic_sequences" else {})
    rules = SITOUMUSSAMBA.replace(**changes)
    assert rules.options == changes
    assert SITOUMUSSAMBA.replace(**rules.options) == rules


def test_option_homes():
    changed = SITOUMUSSAMBA.replace(unlocked_take_cards=3, lock_top_take="next_lock", stock_end="immediate")
    assert changed.pile.take.open == {"triple", "fit_run"}
    assert changed.pile.extent == "to_next_freezer"
    assert changed.stock.empty == "end_after_turn"
    assert SITOUMUSSAMBA.replace(permission=False).out.ask == "none"
    line = SITOUMUSSAMBA.replace(cyclic_sequences=False).kind("run")
    assert line.ranks == (*RANKS[1:], "A", "2", "3")
    assert not line.cyclic


def test_options_of_the_other_games():
    assert FINNISH_CANASTA.replace(target=7500).options == {"target": 7500}
    assert FINNISH_CANASTA.replace(permission=False).out.ask == "none"
    assert TILE_CANASTA.replace(**{"match.end": ["deals", 3]}).options == {"match.end": ["deals", 3]}
    with pytest.raises(RuleSetError, match="option max_level: these rules have nothing to choose there"):
        SAMBA.replace(max_level=7)
    with pytest.raises(RuleSetError, match="option mixed_growth"):
        SAMBA.replace(mixed_growth="none")


# --- replace and the texts.


def test_replace_by_dotted_names_and_tables():
    rules = SITOUMUSSAMBA.replace(**{"draw.stock": 3, "melds.set.max_wild": 3, "pile": {"take": {"open": ["pair"]}}})
    assert rules.draw.stock == 3
    assert rules.kind("set").max_wild == 3
    assert rules.pile.take.open == {"pair"}
    assert rules.pile.take.frozen == SITOUMUSSAMBA.pile.take.frozen
    assert rules.options == {"draw.stock": 3, "melds.set.max_wild": 3, "pile.take.open": ["pair"]}


def test_kinds_come_and_go():
    house = FINNISH_CANASTA.replace(**{"melds.run": SAMBA.kind("run"), "melds.black": None})
    assert [kind.id for kind in house.melds] == ["set", "run"]
    assert RuleSet.from_toml(house.to_toml()) == house
    assert RuleSet.from_toml(house.to_toml(full=True)) == house
    by_table = FINNISH_CANASTA.replace(melds={"run": {"shape": "run", "ranks": list("456"), "per_rank": "many"}})
    assert by_table.kind("run") == MeldKind("run", "run", ("4", "5", "6"), per_rank="many")
    with pytest.raises(RuleSetError, match="the kind given here has the id 'run'"):
        FINNISH_CANASTA.replace(**{"melds.row": SAMBA.kind("run")})
    with pytest.raises(RuleSetError, match=r"unknown meld kind 'rum' \(did you mean 'run'\?\)"):
        SAMBA.kind("rum")


def test_whole_tables_come_and_go():
    free = SITOUMUSSAMBA.replace(buy=None)
    assert free.options == {"buy": None}
    assert RuleSet.from_toml(free.to_toml()) == free
    assert free.replace(buy={"card": "3r", "price": 300}) == SITOUMUSSAMBA
    with pytest.raises(RuleSetError, match="buy is none here, so give the whole table"):
        free.replace(**{"buy.price": 300})


@EVERY_PRESET
def test_text_round_trips(rules):
    for full in (False, True):
        assert RuleSet.from_dict(rules.to_dict(full)) == rules
        assert RuleSet.from_dict(json.loads(json.dumps(rules.to_dict(full)))) == rules
        again = RuleSet.from_toml(rules.to_toml(full))
        assert again == rules
        assert again.name == rules.name
    assert set(rules.to_dict(full=True)) == {"preset", *rules.__dataclass_fields__} - {"name"}


def test_toml_as_users_write_it():
    rules = RuleSet.from_toml(
        """
        preset = "sitoumussamba"
        [options]
        target = 10000
        opening_bands = [[0, 15], [1500, 50], [inf, 90]]
        draw.stock = 3
        "pile.single_bar" = false
        [melds.set]
        max_wild = 1
        """
    )
    assert rules.opening.bands == ((0, 15, "none"), (1500, 50, "none"), (None, 90, "none"))
    assert (rules.draw.stock, rules.pile.single_bar, rules.kind("set").max_wild) == (3, False, 1)
    assert RuleSet.from_toml("") == SITOUMUSSAMBA
    with pytest.raises(RuleSetError, match=r"not TOML: .*line 1"):
        RuleSet.from_toml("target = = 3")
    with pytest.raises(RuleSetError, match="options is 3: must be a table"):
        RuleSet.from_dict({"options": 3})
    with pytest.raises(RuleSetError, match="rules is 'samba'"):
        RuleSet.from_dict("samba")


def test_diff():
    assert SAMBA.diff(SAMBA) == []
    assert preset("american_canasta").diff(FINNISH_CANASTA) == [
        ("bonus.table", [0, 100, 200, 300, 800], [0, 100, 200, 300, 400]),
        ("melds.set.add_full.wild", "always", "never"),
    ]
    assert ("hand_points.3b", None, 100) in FINNISH_CANASTA.diff(TILE_CANASTA)


# --- Every field: other values are accepted somewhere, and change the hash, the options and the text.

BARE = SAMBA.replace(**{"melds.run.bonus.natural": 0, "deal.cover": [], "melds.deuces": MeldKind(
    "deuces", "set", ("2",), per_rank="many", full=None)})  # fmt: skip
CONTEXTS = {rules.name: rules for rules in (SITOUMUSSAMBA, FINNISH_CANASTA, TILE_CANASTA, PRESETS["brazilian_canasta"])}
CONTEXTS["bare"] = BARE
# One value exists, or the field changes only together with another one (the presets differ in it).
ALONE = {"pack.suits", "stock.last_bonus", "table.seats", "table.sides", "contract", "melds.*.when"}


def other_values(rules, name, value):
    """Some values of the same type; the words of a choice are read from the refusal of another word."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1, value + 5, value - 5, None]
    if isinstance(value, str):
        with pytest.raises(RuleSetError) as refusal:
            rules.replace(**{name: "?"})
        return [word for word in re.findall(r"'([^']+)'", str(refusal.value).partition(": ")[2]) if word != value]
    if value is None:
        return [7, [5, 1000], {"card": "3b", "price": 100}]
    found = [value[:-1], value[1:], [*value[:-1], None], [[0, 15], [None, 50]], ["3b"], ["deals", 3], ["melds", 1]]
    found += [[*value[:-1], value[-1] + step] for step in (5, 100) if value and isinstance(value[-1], int)]
    found += [[*value, word] for word in ("JK", "4", "A", "pair", "triple", "fit_run") if word not in value]
    return [item for item in found if item != value]


@functools.cache
def changed(context):
    """(field, rules with another value in it), at most two for each field."""
    rules = CONTEXTS[context]
    found = []
    for name, value in leaves(rules).items():
        accepted = 0
        for other in other_values(rules, name, value):
            try:
                found.append((name, rules.replace(**{name: other})))
            except RuleSetError:
                continue
            accepted += 1
            if accepted == 2:
                break
    return found


@pytest.mark.parametrize("context", CONTEXTS)
def test_each_field_shows_in_the_text_the_hash_and_the_options(context):
    rules = CONTEXTS[context]
    text = describe(rules)
    for name, other in changed(context):
        assert other != rules, name
        assert other.hash != rules.hash, name
        assert describe(other) != text, name
        assert any(field == name or field.startswith(f"{name}.") for field, _, _ in other.diff(rules)), name
        assert preset(other.name).replace(**other.options) == other, name
        assert RuleSet.from_toml(other.to_toml()) == other, name


def test_each_field_can_be_changed_somewhere():
    def general(name):
        return re.sub(r"^melds\.\w+", "melds.*", name)

    every = {general(name) for rules in CONTEXTS.values() for name in leaves(rules)}
    assert every - {general(name) for context in CONTEXTS for name, _ in changed(context)} == ALONE


def test_texts_of_all_presets_differ_and_are_readable():
    texts = {name: describe(rules) for name, rules in PRESETS.items()}
    assert len(set(texts.values())) == len(PRESETS)
    for name, text in texts.items():
        assert text == rules_text(name) == PRESETS[name].describe()
        assert max(map(len, text.splitlines())) <= 100
        assert not re.search(r"None|frozenset|[{}\[\]_]", text.partition("## Fields without effect here")[0]), name
        assert "  " not in text.replace("\n", " ").replace("  ", " ", text.count("\n\n"))


def words(rules):
    return " ".join(describe(rules).split())


@pytest.mark.parametrize("name", PRESETS)
def test_the_text_says_who_deals_who_starts_and_how_the_deal_passes(name):
    text = words(PRESETS[name])
    assert "The first dealer is drawn or agreed on; after each deal the next player in the order of play deals." in text
    starts = (
        "Left of the dealer begins the auction." if PRESETS[name].contract else "The player after the dealer in this"
    )
    assert starts in text


@pytest.mark.parametrize("name", PRESETS)
def test_the_text_says_when_the_starter_only_discards(name):
    only = "In the first turn of the deal the player who starts only discards."
    assert (only in words(PRESETS[name])) == (PRESETS[name].deal.first_turn == "discard_only")


def test_the_text_of_the_empty_stock_names_the_melds_that_the_ways_leave_open():
    def text(rules, **changes):
        return words(rules.replace(**changes)).partition("## End of the stock ")[2].partition(" ##")[0]

    must = "With the stock empty a player must take an unfrozen pile whose top card can be put onto an own "
    way = ", and takes it in no other way; otherwise the deal ends."
    fits = "incomplete set or incomplete run"
    for name in ("samba", "bolivia", "brazilian_canasta"):
        assert text(PRESETS[name]) == must + fits + way
    assert text(PRESETS["finnish_canasta"]) == must + "incomplete set or complete set" + way
    frozen = {"pile.take.frozen": ["pair", "fit_run"]}
    assert text(SAMBA, **frozen) == (
        f"{must}{fits}, or a frozen pile whose top card can be put onto an own incomplete run{way}"
    )
    both = {"pile.take.frozen": ["pair", "fit_set", "fit_run"]}
    assert text(SAMBA, **both) == must.replace("an unfrozen", "a") + fits + way
    none = {"pile.take.open": ["pair"]}
    assert text(SAMBA, **none) == "With the stock empty the pile cannot be taken: the deal ends."
    either = {"stock.empty": "forced_fit_may_take"}
    assert text(SAMBA, **either).startswith(f"{must}{fits}, and may take the pile in any other lawful way")
    assert text(SAMBA, **none, **either).startswith("With the stock empty a player may take the pile in any lawful way")


def test_the_text_of_the_empty_stock_says_that_the_pile_must_be_unfrozen():
    end = "may take an unfrozen pile whose top card can be put onto an own incomplete set or complete set, and takes"
    assert end in words(PRESETS["russian_canasta"])
    everything = PRESETS["russian_canasta"].replace(**{"pile.freeze": []})
    assert end.replace("an unfrozen", "a") in words(everything)


def test_the_text_of_a_band_says_that_a_wild_meld_is_no_natural_one():
    brazilian = PRESETS["brazilian_canasta"]
    assert "0 points and a complete natural meld (a wild meld does not count)." in words(brazilian)
    bands = [[None, 0, "natural_canasta"]]
    text = words(SAMBA.replace(**{"opening.bands": bands, "pile.take.unopened": []}))
    assert "0 points and a complete natural meld. The cards" in text
    assert "Neither a minimum nor a complete meld is asked of a player who goes out" in text


def test_the_text_says_that_a_side_may_have_several_sequences_of_a_suit_and_several_wild_melds():
    for name, rules in PRESETS.items():
        text = words(rules)
        for kind in rules.melds:
            paragraph = text.partition(f" {kind.id}: a ")[2].partition(". ")[0]
            assert ("a side may have several of a suit" in paragraph) == (kind.shape == "run"), name
            if kind.shape == "wild":
                assert paragraph.endswith("a side may have several"), name


def test_the_text_says_what_counts_to_an_opening_with_the_pile():
    begins = "What was laid before counts, and of the take "
    later = "; cards laid later do not count."
    finnish = PRESETS["finnish_canasta"]
    assert f"{begins}the hand cards and the top card{later}" in words(finnish)
    pair = finnish.replace(**{"opening.top_counts": False})
    assert f"{begins}the hand cards, not the top card{later}" in words(pair)
    assert f"{begins}nothing{later}" in words(SITOUMUSSAMBA)
    brazilian = words(PRESETS["brazilian_canasta"])
    assert begins not in brazilian
    assert "A side that has not opened may not take the pile." in brazilian


def test_texts_of_the_command_line(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text(SAMBA.replace(target=5000).to_toml())
    assert load_rules(path) == SAMBA.replace(target=5000)
    assert load_rules(SAMBA) is SAMBA
    assert [line.split()[0] for line in presets_text().splitlines()] == list(PRESETS)
    assert diff_text("samba", SAMBA) == "no difference\n"
    text = diff_text(SAMBA.replace(target=5000), "samba")
    assert text.split() == "field samba samba match.end target 5000 target 10000".split()
    assert "house.toml" in diff_text(str(path), "samba")
    for name in PRESETS:
        assert max(map(len, diff_text(name, "sitoumussamba").splitlines())) <= 100
    with pytest.raises(RuleSetError, match=r"cannot be read"):
        load_rules(tmp_path / "missing.toml")
    with pytest.raises(RuleSetError, match="unknown preset"):
        rules_text("rummy")


# --- Refusals: the message names the field, what is wrong and what would be right.


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"targt": 5}, r"unknown option 'targt' \(did you mean 'target'\?\); options are opening_bands, target"),
        ({"draw.stok": 5}, r"draw.stok: unknown field of draw 'stok' \(did you mean 'stock'\?\)"),
        ({"pile.take.opne": []}, r"pile.take.opne: unknown field of pile.take 'opne'"),
        ({"draw.stock.more": 5}, r"draw.stock.more: draw.stock is 2 here, which has no fields"),
        ({"draw": 3}, r"draw is 3: must be a table of stock, after_pile"),
        ({"draw.stock": "two"}, r"draw.stock is 'two': must be a whole number from 1 to 4"),
        ({"draw.stock": True}, r"draw.stock is True: must be a whole number"),
        ({"draw.stock": 0}, r"draw.stock is 0: must be a whole number from 1 to 4"),
        ({"out.bonus": 42}, r"out.bonus is 42: must be a multiple of 5 from 0"),
        ({"points.A": 7}, r"points.A is 7: must be a multiple of 5"),
        ({"points.3": 5}, r"points.3: unknown field of points '3'"),
        ({"hand_points.10": 5}, r"hand_points: unknown card class '10'"),
        ({"pile.freeze": ["JK", "10"]}, r"pile.freeze: unknown card class '10'.*known are JK, 2, 3r, 3b, 4"),
        ({"pile.freeze": "JK"}, r"pile.freeze is 'JK': must be a list, such as \['JK', '2'\]"),
        ({"pile.take.open": ["pear"]}, r"pile.take.open: unknown way to take 'pear' \(did you mean 'pair'\?\)"),
        ({"pile.extent": "half"}, r"pile.extent is 'half': must be 'whole' or 'to_freezer' or 'to_next_freezer'"),
        ({"pile.single_bar": 1}, r"pile.single_bar is 1: must be true or false"),
        ({"mixed_growth": "wild"}, r"option mixed_growth is 'wild': must be 'natural' or 'natural_and_wild' or 'none'"),
        ({"permission": 1}, r"option permission is 1: must be True or False"),
        ({"max_level": 21}, r"contract.max_level is 21: must be a whole number from 1 to 20"),
        ({"target": 12}, r"match.end: a target must be a multiple of 5, as all scores are; 12 is not"),
        ({"match.end": ["deals", 501]}, r"match.end: a match has at most 500 deals"),
        ({"match.end": 5000}, r"match.end is 5000: must be a pair \[target, points\] or \[deals, number\]"),
        ({"opening_bands": []}, r"opening.bands is \[\]: must have 1 to 16 rows"),
        ({"opening_bands": [[0, 15]]}, r"opening.bands\[0\] is .*the last row, and no other, has no upper bound"),
        ({"opening_bands": [[None, 15], [None, 50]]}, r"opening.bands\[0\] .* the last row, and no other"),
        (
            {"opening_bands": [[0, 15], [0, 20], [None, 50]]},
            r"opening.bands\[1\] is \[0, 20\]: its score below must exceed 0",
        ),
        ({"opening_bands": [[3, 15], [None, 50]]}, r"opening.bands\[0\] is .*must be a multiple of 5"),
        ({"opening_bands": [[0, 17], [None, 50]]}, r"opening.bands\[0\], minimum is 17: must be a multiple of 5"),
        ({"opening_bands": [[None, 15, "run"]]}, r"opening.bands\[0\], needs is 'run': must be 'none' or 'canasta'"),
        ({"opening_bands": [[None]]}, r"opening.bands\[0\] is \[None\]: must be one of the rows"),
        ({"table.sides": [[0, 2], [1]]}, r"table.sides: every seat from 0 to 3 must belong to exactly one side"),
        ({"table.sides": [[0, 1], [2, 3]]}, r"table.sides: four players sit in two pairs, partners opposite"),
        ({"table.sides": ["NS", "EW"]}, r"table.sides is 'NS': must be a list of sides"),
        ({"deal.hand": 31}, r"deal.hand is 31: must be a whole number from 3 to 30"),
        ({"deal.turn_up": "after_deal"}, r"deal.turn_up: with a contract .* after_auction"),
        ({"contract": None}, r"deal.turn_up: without a contract there is no auction"),
        ({"deal.first_extra": 1}, r"deal.first_extra: with a contract the declarer starts"),
        ({"opening.waive": "concealed_from_stock"}, r"opening: with a contract"),
        ({"melds.deuce": None}, r"melds: the strains of an auction need a kind of run, sets, and a set of deuces"),
        (
            {"table": {"seats": 3, "sides": [[0], [1], [2]]}, "out.ask": "none"},
            r"contract: an auction needs four seats in two sides",
        ),
        ({"melds.run": None, "out.needs.run": 0}, r"pile: fit_run, run_only_top and fit_new_run need a kind of run"),
        ({"melds.set.ranks": ["4", "A"]}, r"melds.ace.ranks: A is natural in set too"),
        ({"melds.set.ranks": ["4", "JK"]}, r"melds.set.ranks: jokers have no rank"),
        ({"melds.set.ranks": ["4", "3b"]}, r"melds.set.ranks: of threes only black ones make a set"),
        ({"melds.set.ranks": ["4", "3"]}, r"melds.set.ranks: each card class once, and threes by colour"),
        (
            {"melds.run.ranks": ["4", "6", "5"]},
            r"melds.run.ranks: the ranks of a run are 3 to 19 that follow each other",
        ),
        ({"melds.run.ranks": ["2", "3r", "4"]}, r"melds.run.ranks: a run goes by rank, 3 for both colours"),
        ({"melds.run.ranks": list("23456")}, r"melds.run.cyclic: a circle names each of the 13 ranks once"),
        ({"melds.run.add_full.natural": "always"}, r"melds.run.add_full: a meld that ends at its full size"),
        ({"melds.set.size": [3, 6]}, r"melds.set.size: at most 6 cards never make a complete meld of 7"),
        ({"melds.set.size": [4, None]}, r"melds.set.size is 4: must be 3"),
        ({"melds.set.wild_with": []}, r"melds.set.max_wild: max_wild and wild_with go together"),
        ({"melds.deuce.wild_with": ["2"]}, r"melds.deuce.wild_with: 2 cannot be natural and wild in one meld"),
        ({"melds.set.wild_with": ["3b"]}, r"melds.set.wild_with: only jokers and deuces"),
        ({"melds.set.min_natural": 0}, r"melds.set.min_natural: 2 or 3 where wild cards may stand in"),
        ({"melds.set.min_natural": 1}, r"melds.set.min_natural: 2 or 3 where wild cards may stand in"),
        ({"melds.set.short": [4, 100]}, r"melds.set.short: only runs lose points for being short"),
        ({"melds.set.full": None}, r"melds.set.add_full: a meld that ends at its full size, or has none"),
        ({"melds.run.full": None}, r"melds.run.bonus: a meld that is never complete has no bonus"),
        ({"melds.run.bonus.mixed": 300}, r"melds.run.bonus: no wild card may stand in here"),
        ({"melds.run.max_wild": 1}, r"melds.run.wild_with: no card stands in for another in a run"),
        ({"melds.run.per_rank": "one"}, r"melds.run.per_rank: a side may always have many"),
        ({"melds.set.open_min": 4}, r"melds.set.open_min: can be asked of a set of deuces only"),
        ({"melds.set.when": "going_out"}, r"melds.set.when: only black threes"),
        ({"melds.black.merge": True}, r"melds.black.merge"),
        (
            {"melds.row": {"shape": "run", "ranks": list("456"), "per_rank": "many"}},
            r"melds.*one kind of run in a game",
        ),
        ({"melds.Row": {"shape": "run", "ranks": list("456")}}, r"melds is 'Row': the id of a meld kind must be"),
        ({"melds.row": {"ranks": list("456")}}, r"melds.row.shape is missing"),
        (
            {"melds.row": {"shape": "run", "rank": list("456")}},
            r"melds.row: unknown field 'rank' \(did you mean 'ranks'",
        ),
        ({"melds": []}, r"melds is .*: must be 1 to 8 MeldKinds"),
        ({"bonus.cards": ["3r"]}, r"bonus.table: the pack has 6 bonus cards"),
        (
            {"bonus": {"cards": ["3r"], "table": [0] * 7}},
            r"bonus.cards: 3r cannot be laid out at once and be melded",
        ),
        ({"pile.dead_top": ["2"]}, r"pile.run_only_top: 2 is in pile.dead_top too"),
        ({"pile.freeze": []}, r"pile.extent: nothing freezes the pile"),
        (
            {"pile.take": {"open": ["pair"], "frozen": ["triple"], "unopened": ["pair"]}},
            r"pile.take: run_only_top and fit_new_run need fit_run",
        ),
        ({"opening.top_counts": True}, r"opening.top_counts: the top card is melded with hand cards"),
        ({"buy.card": "10"}, r"buy.card is '10': must be '3r' or '3b'"),
        ({"bonus.cards": ["JK"]}, r"bonus.cards: unknown class of bonus cards 'JK'"),
        ({"bonus": {"cards": ["3r", "3b"], "table": [0] * 13}}, r"bonus.cards: threes of one colour only"),
        ({"pile.run_only_top": ["JK"], "pile.dead_top": []}, r"pile.run_only_top: a joker has no place in a run"),
    ],
    ids=lambda value: str(value)[:60] if isinstance(value, dict) else "",
)
def test_refusals_in_sitoumussamba(changes, message):
    with pytest.raises(RuleSetError, match=message):
        SITOUMUSSAMBA.replace(**changes)


@pytest.mark.parametrize(
    ("rules", "changes", "message"),
    [
        (FINNISH_CANASTA_2P, {"out.ask": "optional"}, r"out.ask: there is no partner to ask"),
        (
            FINNISH_CANASTA_3P,
            {"match.settle": "difference"},
            r"match.settle: a difference is settled between two sides",
        ),
        (FINNISH_CANASTA_3P, {"table.sides": [[0, 1], [2]]}, r"table.sides: 3 players play each alone"),
        (
            FINNISH_CANASTA,
            {"contract": {}},
            r"deal.turn_up: with a contract the declarer opens before a card is turned",
        ),
        (FINNISH_CANASTA, {"contract": {}, "deal.turn_up": "after_auction"}, r"melds: the strains of an auction"),
        (FINNISH_CANASTA, {"contract": Contract(max_level=7)}, r"deal.turn_up"),
        (FINNISH_CANASTA, {"pile.take.open": ["fit_run"]}, r"pile: fit_run, .* need a kind of run"),
        (FINNISH_CANASTA, {"pile.new_set_from": 4}, r"pile.new_set_from: no rank may be melded twice"),
        (FINNISH_CANASTA, {"out.needs.run": 1}, r"out.needs.run: no kind of meld can fulfil this"),
        (FINNISH_CANASTA, {"deal.hand": 22}, r"deal.hand: 88 cards dealt of 108 leave too few"),
        (FINNISH_CANASTA, {"pack.copies": 3}, r"bonus.table: the pack has 6 bonus cards"),
        (FINNISH_CANASTA, {"buy": {"card": "3r", "price": 300}}, r"buy.card: 3r is a bonus card"),
        (FINNISH_CANASTA, {"opening.bonus_counts": True}, r"opening.top_counts: where a complete meld opens"),
        (SAMBA, {"opening.bands": [[None, 0, "canasta"]]}, r"opening.top_counts: where a complete meld opens"),
        (FINNISH_CANASTA, {"melds.set": {"max_wild": 0, "wild_with": []}}, r"melds.set.min_natural: .* else 0"),
        (FINNISH_CANASTA, {"melds.set.merge": True}, r"melds.set.merge: only where a side may have several"),
        (
            FINNISH_CANASTA,
            {"melds.set.add_full.natural": "going_out"},
            r"melds.set.add_full: going_out is a choice for",
        ),
        (FINNISH_CANASTA, {"melds.set.add_full.natural": "never"}, r"pile.take: fit_full needs a set that takes"),
        (TILE_CANASTA, {"deal.first_extra": 0}, r"deal.first_turn: a starter who only discards has a card more"),
        (TILE_CANASTA, {"deal.cover": ["JK"]}, r"deal.cover: no card is turned"),
        (TILE_CANASTA, {"melds.wild": PRESETS["bolivia"].kind("wild")}, r"melds.wild.ranks: 2 is natural in deuce too"),
        (PRESETS["bolivia"], {"melds.wild.ranks": ["2", "4"]}, r"melds.wild.ranks: a wild meld is made of jokers"),
        (
            PRESETS["bolivia"],
            {"melds.wild.size": [3, None], "melds.wild.add_full.natural": "always"},
            r"is closed when",
        ),
        (
            PRESETS["brazilian_canasta"],
            {"melds.run.add_full.natural": "always"},
            r"melds.run.add_full: a run is closed",
        ),
    ],
)
def test_refusals_in_other_games(rules, changes, message):
    with pytest.raises(RuleSetError, match=message):
        rules.replace(**changes)


def test_a_refused_change_changes_nothing():
    before = SITOUMUSSAMBA._plain()
    with pytest.raises(RuleSetError):
        SITOUMUSSAMBA.replace(target=10000, **{"draw.stock": 0})
    assert SITOUMUSSAMBA._plain() == before


def test_missing_points_are_named():
    tree = SITOUMUSSAMBA._plain()
    del tree["points"]["K"]
    with pytest.raises(RuleSetError, match="points has no points for K: every card class needs a value"):
        RuleSet(**tree)


def test_no_code_asks_for_a_game_by_name():
    """Names of games stand in the list of presets, in texts for readers, and nowhere in a comparison."""
    names = "|".join(sorted(PRESETS, key=len, reverse=True))
    asked = re.compile(rf"""(==|!=|\bin\b|\bis\b)\s*[(\[{{]*["']({names})["']""")
    for path in Path(module.__file__).parent.glob("*.p[yx]*"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert not asked.search(line), f"{path.name}:{number}"


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-10, 200)
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from([*CLASSES, *WAYS]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*CLASSES, "id", "natural"]), inner, max_size=2)
    ),
    max_leaves=4,
)
NAMES = [*OPTIONS, *SITOUMUSSAMBA._plain(), *leaves(SITOUMUSSAMBA), "melds.set", "melds.x", "pile.take", "x", "x.y", ""]


@given(st.sampled_from([*PRESETS.values()]), st.dictionaries(st.sampled_from(NAMES), JUNK, max_size=3))
@pytest.mark.slow
def test_any_change_is_made_or_refused(rules, changes):
    try:
        changed = rules.replace(**changes)
    except RuleSetError:
        return
    assert rules.replace(**changed.options) == changed == RuleSet.from_toml(changed.to_toml(full=True))
    assert describe(changed)
