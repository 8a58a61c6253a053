"""The tables of the documentation say what the library does."""

import re
from pathlib import Path

import pytest

from sitoumus import PRESETS, RuleSet, Table, _compile, _core, contract_odds, preset
from sitoumus.errors import InvalidPositionError
from sitoumus.position import KEYS as POSITION_KEYS
from sitoumus.position import layout_of
from sitoumus.record import KEYS as RECORD_KEYS
from sitoumus.rules import _OPTIONS, SITOUMUSSAMBA
from sitoumus.run import never

DOCS = Path(__file__).parents[1] / "docs"


def rows(page, heading):
    """Cells of the tables under a heading, without their first row; back-quotes taken off."""
    text = (DOCS / page).read_text(encoding="utf-8")
    section = re.search(rf"^##+ {re.escape(heading)}\n(.*?)(?=^##? |\Z)", text, re.MULTILINE | re.DOTALL)
    assert section, f"docs/{page} has no heading {heading!r}"
    lines = [line.strip() for line in section[1].splitlines() if line.strip().startswith("|")]
    head = [i for i, line in enumerate(lines) if set(line) <= set("|- ")]
    lines = [line for i, line in enumerate(lines) if i not in head and i + 1 not in head]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]


def documented(heading):
    return {name.strip(): dtype for names, dtype, _ in rows("columns.md", heading) for name in names.split("`, `")}


@pytest.mark.parametrize("rules", PRESETS.values(), ids=lambda rules: rules.name)
def test_every_column_is_documented(rules):
    suffixes = tuple(f"_{side.lower()}" for side in layout_of(rules).sides)
    deal, side = documented("The deal"), documented("Each side")
    for name, dtype in _compile.columns(rules):
        base = next((name.removesuffix(suffix) for suffix in suffixes if name.endswith(suffix)), None)
        found = side.get(base) if base is not None and name not in deal else deal.get(name)
        dtype = "Int32" if never(name) else "int32" if dtype in ("int8", "int16") else dtype
        assert found == dtype, f"docs/columns.md has {found} for {name}, rows have {dtype}"


def test_no_column_is_documented_that_does_not_exist():
    names = {name for rules in PRESETS.values() for name, _ in _compile.columns(rules)}
    assert set(documented("The deal")) <= names
    assert {f"{name}_ns" for name in documented("Each side")} <= names


def test_every_feature_is_documented():
    found = documented("The hands as dealt")
    assert found.pop("hand") == "text"
    assert list(found) == list(_core.FEATURES)
    assert all((dtype == "bool") == name.startswith("can_open") for name, dtype in found.items())


def test_every_column_of_contract_odds_is_documented():
    hand = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"
    frame = contract_odds(hand, ["1H"], deals=20, policies="random", progress=False).frame
    found = [name for name, _ in rows("studies.md", "Contract odds")]
    assert [name for name in frame.columns if not name.endswith(("_low", "_high"))] == found
    assert {name.removesuffix("_low") for name in frame.columns if name.endswith("_low")} == set(found[2:])


def test_every_option_is_documented_with_its_default_first():
    found = {name: values for name, values, _ in rows("rules.md", "Options")}
    assert list(found) == list(_OPTIONS)
    for name, option in _OPTIONS.items():
        default = option.get(SITOUMUSSAMBA._plain())
        values = [value.strip() for value in re.split(r",(?![^\[]*\])", found[name])]
        if name == "opening_bands":
            continue
        assert values[0] == str(default).lower(), name
        if option.words is not None:
            assert sorted(values) == sorted(str(word).lower() for word in option.words), name


def test_the_opening_bands_are_those_of_the_preset():
    text = (DOCS / "rules.md").read_text(encoding="utf-8")
    section = text[text.index("**C34**") : text.index("**C35**")]
    found = [int(cells[1]) for cells in re.findall(r"^  \| (.+) \| (\d+) \|$", section, re.MULTILINE)]
    assert found == [points for _, points, _ in SITOUMUSSAMBA.opening.bands]


SHORT = {
    "FI4": "finnish_canasta",
    "FI2": "finnish_canasta_2p",
    "FI3": "finnish_canasta_3p",
    "US": "american_canasta",
    "RU": "russian_canasta",
    "TR": "tile_canasta",
    "SA": "samba",
    "BO": "bolivia",
    "BR": "brazilian_canasta",
}


def kind_bonus(rules, kind):
    return next((found.bonus.natural for found in rules.melds if found.id == kind), "-")


def minimum(rules, total):
    return next(points for below, points, _ in rules.opening.bands if below is None or total < below)


FAMILY = {
    "players": lambda r: r.table.seats,
    "cards in the pack": lambda r: r.pack.cards,
    "jokers among them": lambda r: r.pack.jokers,
    "cards dealt": lambda r: r.deal.hand,
    "cards drawn in a turn": lambda r: r.draw.stock,
    "wild cards in a set, at most": lambda r: r.kind("set").max_wild,
    "natural canasta": lambda r: r.kind("set").bonus.natural,
    "mixed canasta": lambda r: r.kind("set").bonus.mixed,
    "sequence of seven": lambda r: kind_bonus(r, "run"),
    "wild meld of seven": lambda r: kind_bonus(r, "wild"),
    "complete melds to go out": lambda r: r.out.needs.canasta,
    "sequences among them": lambda r: r.out.needs.run,
    "going out": lambda r: r.out.bonus,
    "going out concealed": lambda r: "-" if r.out.concealed == "none" else r.out.concealed_total,
    "minimum at 0": lambda r: minimum(r, 0),
    "minimum at 3000": lambda r: minimum(r, 3000),
    "highest minimum": lambda r: max(points for _, points, _ in r.opening.bands),
    "one red three": lambda r: r.bonus.table[1],
    "all red threes": lambda r: r.bonus.table[-1],
    "match": lambda r: r.match.end[1],
}


def test_the_table_of_the_family_is_that_of_the_presets():
    found = {label: values for label, *values in rows("family.md", "At a glance")}
    assert list(found) == list(FAMILY)
    for label, value in FAMILY.items():
        assert found[label] == [str(value(preset(name))) for name in SHORT.values()], label


def test_every_preset_of_the_family_is_introduced():
    text = (DOCS / "family.md").read_text(encoding="utf-8")
    for short, name in SHORT.items():
        assert f"| `{name}` | {short} |" in text
    assert set(SHORT.values()) | {"sitoumussamba"} == set(PRESETS)


def test_every_key_of_a_position_is_documented():
    assert [key for key, *_ in rows("notation.md", "Positions")] == list(POSITION_KEYS)


def test_every_key_of_the_turn_state_is_documented():
    with pytest.raises(InvalidPositionError) as caught:
        Table.from_position({"turn_state": {"unknown": 1}})
    known = re.search(r"known keys are ([a-z_, ]+), each", str(caught.value))[1].split(", ")
    assert [key for key, _ in rows("notation.md", "In mid-turn")] == known


def test_every_key_of_a_record_is_documented():
    assert [key for key, *_ in rows("notation.md", "Game records")] == list(RECORD_KEYS)


def test_the_fields_of_the_family_page_can_be_replaced():
    for name in re.findall(r"`([a-z]+(?:\.[a-z_]+)+)(?: = [^`]*)?`", (DOCS / "family.md").read_text(encoding="utf-8")):
        tree = SITOUMUSSAMBA.to_dict(full=True)
        for part in name.split("."):
            assert part in tree, name
            tree = tree[part]
    assert isinstance(SITOUMUSSAMBA, RuleSet)
