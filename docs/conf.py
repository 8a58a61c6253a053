"""Sphinx configuration; ``make docs`` builds with warnings as errors."""

import re
from importlib.metadata import version as installed_version
from pathlib import Path

from docutils import nodes

project = "sitoumus"
author = "the sitoumus contributors"
version = release = installed_version("sitoumus")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"sitoumus {release}"

myst_heading_anchors = 3
napoleon_google_docstring = False
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings give shapes and units, the types alone do not

GAMES = Path(__file__).parent / "games"
RULE_NUMBER = re.compile(r"[RBCDF]\d+(\.\d+)?[a-z]?")


def write_games(app):
    """A page for each preset, made from its values; what has not changed is left alone."""
    from sitoumus.rules import PRESETS

    GAMES.mkdir(exist_ok=True)
    for name, rules in PRESETS.items():
        page, text = GAMES / f"{name}.md", rules.describe() + "\n"
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def mark_rules(app, doctree):
    """Every rule number in bold is an anchor of its own: rules.html#R24.2."""
    for strong in doctree.findall(nodes.strong):
        if RULE_NUMBER.fullmatch(strong.astext()):
            strong["ids"].append(strong.astext())


def setup(app):
    app.connect("builder-inited", write_games)
    app.connect("doctree-read", mark_rules)
