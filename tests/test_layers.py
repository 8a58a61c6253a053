"""The floor plan: every file imports only from files below it, and nothing is imported wholesale."""

import re
from pathlib import Path

import pytest

import sitoumus

SRC = Path(sitoumus.__file__).parent

#: The rooms of the engine from the ground up; names on one line stand on one floor and may use those to their left.
ENGINE = """
cards rng
tables
melds
goals
state
actions
auction
solver.tables
solver.runs
solver.prepare
solver.groups
solver.search
solver.setup
solver.complete
solver.plans
solver.divide
opening
going_out
laying
first_melds
taking
opening_takes
generate
binding
apply
numbering
observation
dealing
scoring
features
conditions
exact
row
policies.mind
policies.drafts
policies.random
policies.heuristic.sight
policies.heuristic.bids
policies.heuristic.chances
policies.heuristic.pile
policies.heuristic.discards
policies.heuristic.turn
policies.greedy
policies.dispatch
policies.past
policies.worlds
policies.rollout
play
desk
""".split()
COMPILED = ["_names", "_compile", "_core", "_envs", "_testing"]
LONGEST = {".pxd": 700, ".pyx": 700}
CORE_LINES = 2900


def rooms():
    files = {f"engine.{name}": SRC / "engine" / f"{name.replace('.', '/')}.pxd" for name in ENGINE}
    return files | {name: SRC / f"{name}.pyx" for name in COMPILED}


def cimports(path):
    text = path.read_text(encoding="utf-8")
    return re.findall(r"^from sitoumus\.(\S+) cimport", text, re.M)


def test_every_room_of_the_engine_has_its_floor():
    paths = (path.relative_to(SRC / "engine").with_suffix("") for path in SRC.glob("engine/**/*.p[xy][dx]"))
    found = {".".join(path.parts) for path in paths}
    assert found == set(ENGINE)


@pytest.mark.parametrize("name", rooms())
def test_a_room_uses_only_rooms_below_it(name):
    order = list(rooms())
    above = set(order[order.index(name) :])
    path = rooms()[name]
    for file in {path, path.with_suffix(".pyx"), path.with_suffix(".pxd")}:
        if file.exists():
            used = set(cimports(file)) - {name}
            assert not used & above


def test_nothing_is_cimported_wholesale():
    for path in SRC.glob("**/*.p[xy][dx]"):
        assert "cimport *" not in path.read_text(encoding="utf-8"), path


def test_a_file_of_the_engine_can_be_read_at_one_sitting():
    for path in SRC.glob("**/*.p[xy][dx]"):
        most = CORE_LINES if path.name == "_core.pyx" else LONGEST[path.suffix]
        assert path.read_text(encoding="utf-8").count("\n") <= most, path


def test_the_engine_holds_no_python_object():
    for path in SRC.glob("engine/**/*.p[xy][dx]"):
        assert not re.search(r"^\s*(def|class|import|cpdef) ", path.read_text(encoding="utf-8"), re.M), path
