"""Sphinx configuration; ``make docs`` builds with warnings as errors."""

import re
from importlib.metadata import version as installed_version
from pathlib import Path

from docutils import nodes

project = "sitoumus"
author = "the sitoumus contributors"
version = release = installed_version("sitoumus")

myst_enable_extensions = ["deflist"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build", "_made"]
html_theme = "furo"
html_title = f"sitoumus {release}"

myst_heading_anchors = 3
napoleon_google_docstring = False
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings give shapes and units, the types alone do not

DOCS = Path(__file__).parent
RULE_NUMBER = re.compile(r"[RBCDF]\d+(\.\d+)?[a-z]?")


def write(page, text):
    """A page that is made; one that has not changed is left alone."""
    page.parent.mkdir(exist_ok=True)
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def make_pages(app):
    """What the library itself says best: the rules of each preset, the parameters of the heuristic policy."""
    from sitoumus.policies import NAMED, PARAMETERS
    from sitoumus.rules import PRESETS

    for name, rules in PRESETS.items():
        write(DOCS / "games" / f"{name}.md", rules.describe() + "\n")
    tuned = NAMED["tuned"].params
    lines = ["| parameter | default | `tuned` | unit | meaning |", "| --- | --- | --- | --- | --- |"]
    lines += [f"| `{p.name}` | {p.default} | {tuned[p.name]} | {p.unit} | {p.meaning} |" for p in PARAMETERS]
    write(DOCS / "_made" / "parameters.md", "\n".join(lines) + "\n")


def mark_rules(app, doctree):
    """Every rule number in bold is an anchor of its own: rules.html#R24.2."""
    for strong in doctree.findall(nodes.strong):
        if RULE_NUMBER.fullmatch(strong.astext()):
            strong["ids"].append(strong.astext())


def setup(app):
    app.connect("builder-inited", make_pages)
    app.connect("doctree-read", mark_rules)
