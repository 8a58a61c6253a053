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
RULE_NUMBER = re.compile(r"[RBCDFI]\d+(\.\d+)?[a-z]?")


def write(page, text):
    """A page that is made; one that has not changed is left alone."""
    page.parent.mkdir(exist_ok=True)
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def code_page(presets):
    """The penalty code of every preset as a table."""
    from sitoumus.director.code_text import COLUMNS, code_lines, code_rows

    parts = []
    for name, rules in presets.items():
        table = (COLUMNS, ("---",) * len(COLUMNS), *code_rows(rules.penalty))
        rows = ["| " + " | ".join(cells) + " |" for cells in table]
        parts += [f"## {name.replace('_', ' ').capitalize()}", code_lines(rules)[0], "\n".join(rows)]
    return "\n\n".join(parts) + "\n"


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
    write(DOCS / "_made" / "penalty_code.md", code_page(PRESETS))
    make_pictures()


def make_pictures():
    """The pictures of pictures.md."""
    import sitoumus as sit

    write(DOCS / "_made" / "hand.svg", sit.svg.hand("Ah Kh Qh Jh 7s 7d 7c 2c JK", suits="four", size=240))
    melds = ["Kc Kc Kd Kd Kh Kh Ks", "9c 9c 9d 9d 9h 9h", "4c 5c 6c"]
    hand, pile = "Ah Kh Qh 7s 7d 7c 2c JK", "4s 3h Jc JK 8d 3c 9d"
    position = {"phase": "meld", "turn": "E", "contract": "2H by W", "pile": pile}
    table = sit.Table.from_position({**position, "melds": {"EW": melds}, "hands": {"E": hand}})
    write(DOCS / "_made" / "table.svg", sit.svg.table(table, view="E", orientation="E", size=760))


def make_replay(app, exception):
    """The page that pictures.md shows in a frame."""
    import sitoumus as sit

    if exception is None and app.builder.format == "html":
        sit.play(sit.Deal(seed=7, number=42)).to_html(Path(app.outdir) / "replay.html", start=57)


def mark_rules(app, doctree):
    """Every rule number in bold is an anchor of its own: rules.html#R24.2."""
    for strong in doctree.findall(nodes.strong):
        if RULE_NUMBER.fullmatch(strong.astext()):
            strong["ids"].append(strong.astext())


def setup(app):
    app.connect("builder-inited", make_pages)
    app.connect("doctree-read", mark_rules)
    app.connect("build-finished", make_replay)
