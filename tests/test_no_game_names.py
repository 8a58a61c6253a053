"""No code asks for a game by name: what differs between games stands in the fields of a rule set."""

import ast
import re
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "src" / "sitoumus"
NAMES = {
    "sitoumussamba",
    "finnish_canasta",
    "finnish_canasta_2p",
    "finnish_canasta_3p",
    "american_canasta",
    "russian_canasta",
    "tile_canasta",
    "samba",
    "bolivia",
    "brazilian_canasta",
}


def named_game(node):
    text = {ast.Constant: "value", ast.Name: "id", ast.Attribute: "attr"}.get(type(node))
    value = getattr(node, text) if text else None
    return value if isinstance(value, str) and value.lower() in NAMES else None


def games_asked_for(tree):
    """Names of games that stand in a comparison or in a case of a match statement."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare | ast.match_case):
            inside = node if isinstance(node, ast.Compare) else node.pattern
            yield from filter(None, map(named_game, ast.walk(inside)))


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.py")), ids=lambda path: path.name)
def test_python_files_ask_for_no_game_by_name(path):
    assert list(games_asked_for(ast.parse(path.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.p[yx][xd]")), ids=lambda path: path.name)
def test_core_asks_for_no_game_by_name(path):
    game = rf"""["']?\b({"|".join(NAMES)})\b["']?"""
    asked = re.compile(rf"(==|!=|\bis\b|\bis not\b|\bin\b)\s*{game}|{game}\s*(==|!=)|\bcase\s+{game}", re.IGNORECASE)
    code = re.sub(r'""".*?"""|#[^\n]*', "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert [match[0] for match in asked.finditer(code)] == []


def test_a_name_that_is_asked_for_is_found():
    tree = ast.parse("if rules.name == 'samba' or rules is sit.BOLIVIA: pass")
    assert list(games_asked_for(tree)) == ["samba", "BOLIVIA"]
