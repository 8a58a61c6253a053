"""What notebooks need: whether there is one, and tables as HTML that survives every way of exporting a notebook."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from html import escape

__all__ = ["html_lines", "html_table", "in_kernel"]

#: The style of all tables, scoped by one class. Jupyter's own colours come first, then those for a dark page.
STYLE = """<style>
.sitoumus{--sit-fg:var(--jp-content-font-color1,#1a1a1a);--sit-rule:var(--jp-border-color1,#bdbdbd);\
--sit-red:var(--jp-error-color1,#b00020)}
@media (prefers-color-scheme:dark){.sitoumus{--sit-fg:var(--jp-content-font-color1,#e6e6e6);\
--sit-rule:var(--jp-border-color1,#5c5c5c);--sit-red:var(--jp-error-color1,#ff8a80)}}
html[data-theme=dark] .sitoumus,body.vscode-dark .sitoumus{--sit-fg:var(--jp-content-font-color1,#e6e6e6);\
--sit-rule:var(--jp-border-color1,#5c5c5c);--sit-red:var(--jp-error-color1,#ff8a80)}
.sitoumus{color:var(--sit-fg)}
.sitoumus table{border-collapse:collapse;margin:.5em 0}
.sitoumus caption{caption-side:top;text-align:left;color:var(--sit-fg);padding:.3em 0}
.sitoumus th,.sitoumus td{text-align:left;padding:.2em .7em;color:var(--sit-fg);white-space:nowrap}
.sitoumus thead th{border-bottom:1px solid var(--sit-rule)}
.sitoumus th.n,.sitoumus td.n{text-align:right;font-variant-numeric:tabular-nums}
.sitoumus .red{color:var(--sit-red)}
</style>"""

_NUMBER = re.compile(
    r"[-+−]?[\d,.]+( ?(%|±|to) ?[-+−]?[\d,.]*)*(±[\d,.]+)?( \([-+−]?[\d,.]+ to [-+−]?[\d,.]+\))?|-|nan|"
)
_CARD = re.compile(r"(?<![\w>])(\[?)([A23456789TJQK])([cdhs])(\]?)(?!\w)")
_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def in_kernel() -> bool:
    """Whether this runs in the kernel of a notebook; IPython is not imported to find out."""
    found = sys.modules.get("IPython")
    shell = found.get_ipython() if found is not None and hasattr(found, "get_ipython") else None
    return getattr(shell, "kernel", None) is not None


def with_suits(text: str) -> str:
    """A text as HTML; cards in it have symbols for their suits, red ones in red."""

    def card(found: re.Match[str]) -> str:
        left, rank, suit, right = found.groups()
        shown = f"{left}{rank}{_SUITS[suit]}{right}"
        return f'<span class="red">{shown}</span>' if suit in "dh" else shown

    return _CARD.sub(card, escape(text))


def html_table(
    head: Sequence[str], rows: Sequence[Sequence[object]], caption: Sequence[str] = (), notes: Sequence[str] = ()
) -> str:
    """A table as HTML, in an element of the class that the style is scoped by.

    Parameters
    ----------
    head : sequence of str
        The heads of the columns.
    rows : sequence of sequences
        The first cell of each row is its head.
    caption, notes : sequences of str
        Lines above and below.
    """
    texts = [[str(cell) for cell in row] for row in rows]
    right = [bool(texts) and all(_NUMBER.fullmatch(row[place]) for row in texts) for place in range(len(head))]
    marks = [' class="n"' if number else "" for number in right]
    lines = ['<div class="sitoumus">', STYLE, "<table>"]
    if caption:
        lines.append(f"<caption>{'<br>'.join(map(with_suits, caption))}</caption>")
    cells = (f'<th scope="col"{mark}>{escape(name)}</th>' for name, mark in zip(head, marks, strict=True))
    lines += [f"<thead><tr>{''.join(cells)}</tr></thead>", "<tbody>"]
    for row in texts:
        first, *others = (with_suits(cell) for cell in row)
        cells = (f"<td{mark}>{cell}</td>" for cell, mark in zip(others, marks[1:], strict=True))
        lines.append(f'<tr><th scope="row"{marks[0]}>{first}</th>{"".join(cells)}</tr>')
    lines += ["</tbody>", "</table>", *(f"<p>{with_suits(note)}</p>" for note in notes), "</div>"]
    return "\n".join(lines)


def html_lines(head: Sequence[str], lines: Sequence[str], caption: Sequence[str] = ()) -> str:
    """A table of two columns from lines of text whose first word is what they tell about."""
    return html_table(head, [line.split(None, 1) + [""] * (2 - len(line.split(None, 1))) for line in lines], caption)
