"""Every statement about irregularities has a case or a test: the table director_statements.toml, checked."""

import re
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "irregularities.md").read_text(encoding="utf-8")
TABLE = tomllib.loads((TESTS / "director_statements.toml").read_text(encoding="utf-8"))


def cases_by_rule():
    found = defaultdict(list)
    for path in sorted((TESTS / "cases" / "director").glob("*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            found[case["rule"]].append(case["id"])
    return found


def test_the_table_has_every_statement_of_the_page_in_order():
    assert list(TABLE) == re.findall(r"\*\*(I\d+\.\d+)\*\*", PAGE)


def test_the_table_lists_every_case_under_its_statement():
    assert {rule: row["cases"] for rule, row in TABLE.items() if row["cases"]} == cases_by_rule()


def test_ids_of_cases_are_distinct():
    ids = [name for names in cases_by_rule().values() for name in names]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("rule", TABLE)
def test_each_statement_is_shown_by_a_case_or_a_test_that_exists(rule):
    row = TABLE[rule]
    assert row["cases"] or row["tests"]
    for name in row.get("tests", []):
        file, _, function = name.partition("::")
        assert re.search(rf"^def {function}\(", (TESTS / file).read_text(encoding="utf-8"), re.MULTILINE), name
