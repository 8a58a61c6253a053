"""Every rule number that a message, a comment, a test or a case cites stands in the documentation, once."""

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = {"R": "rules.md", "B": "rules.md", "C": "rules.md", "D": "rules.md", "F": "family.md", "I": "irregularities.md"}

#: R24.2, B19b, D3, ranges such as R14.4-14.6; not the numbers of worked examples such as FI4-D4.
CITED = re.compile(r"(?<![\w.-])(?:(?:R\d+|I\d{1,2})(?:\.\d+)?(?:-\d+(?:\.\d+)?)?|[BCDF]\d+[a-z]?)(?![\w])")
DEFINED = re.compile(r"\*\*([RBCDFI]\d+(?:\.\d+)?[a-z]?)\*\*")

SOURCES = sorted(
    path
    for pattern in (
        *("src/sitoumus/**/*.py", "src/sitoumus/**/*.py[xi]", "src/sitoumus/**/*.pxd"),
        *("tests/*.py", "tests/oracle/*.py", "tests/cases/**/*.toml", "docs/*.md"),
    )
    for path in ROOT.glob(pattern)
)


def defined(page):
    return Counter(DEFINED.findall((ROOT / "docs" / page).read_text(encoding="utf-8")))


def ends(number):
    """The numbers that a citation names: both ends of a range, each in full (R14.8-9 is R14.8 and R14.9)."""
    first, _, last = number.partition("-")
    if not last:
        return [first]
    return [first, f"{first[0]}{last}" if "." in last or "." not in first else f"{first.split('.')[0]}.{last}"]


def test_every_number_is_defined_once():
    for page in set(PAGES.values()):
        twice = [number for number, times in defined(page).items() if times > 1]
        assert not twice, f"docs/{page} defines {', '.join(twice)} more than once"
        astray = [number for number in defined(page) if PAGES[number[0]] != page]
        assert not astray, f"docs/{page} defines {', '.join(astray)}"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_every_number_cited_is_documented(source):
    known = {number for page in set(PAGES.values()) for number in defined(page)}
    known |= {number.split(".")[0] for number in known}  # a whole section, such as R15
    text = re.sub(r"# noqa.*", "", source.read_text(encoding="utf-8"))
    cited = {end for number in CITED.findall(text) for end in ends(number)}
    assert not cited - known, f"the pages of the rules lack {', '.join(sorted(cited - known))}"
