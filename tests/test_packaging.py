"""What an install and a package page need: a compiler or one sentence, absolute links, metadata."""

import os
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(not (ROOT / "setup.py").is_file(), reason="needs the repository")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.skipif(os.name != "posix", reason="setuptools looks for the compiler itself")
@pytest.mark.parametrize("command", ["build_ext", "egg_info", "bdist_wheel"])
def test_without_a_compiler_an_install_ends_at_once_with_one_sentence(command):
    run = subprocess.run(
        [sys.executable, "setup.py", "--quiet", command],
        cwd=ROOT,
        env=os.environ | {"CC": "no-such-compiler -pthread"},
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )
    assert run.returncode == 1
    assert run.stderr.startswith("sitoumus needs a C compiler, and there is no 'no-such-compiler': install one")
    assert run.stderr.count("\n") == 1
    assert run.stdout == ""


def test_the_build_needs_no_numpy():
    assert not any(name.startswith("numpy") for name in PROJECT["build-system"]["requires"])
    sources = [path for kind in ("*.pyx", "*.pxd") for path in (ROOT / "src").rglob(kind)]
    assert sources
    assert not any("cimport numpy" in path.read_text(encoding="utf-8") for path in sources)


def test_the_package_page_has_no_relative_link():
    text = runpy.run_path(str(ROOT / "setup.py"))["readme"]()
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links
    assert all(link.startswith(("https://", "#")) for link in links)


def test_the_package_says_who_made_it_and_where_it_lives():
    project = PROJECT["project"]
    assert project["authors"] == [{"name": "the sitoumus developers"}]
    assert {"Homepage", "Documentation", "Source", "Changelog", "Issues"} <= set(project["urls"])
    assert "Programming Language :: Python :: 3.11" in project["classifiers"]


def test_odds_and_best_bids_need_no_extra():
    script = (
        "import sys\n"
        "for name in ('sklearn', 'statsmodels', 'pyarrow', 'fsspec', 'matplotlib', 'cma'): sys.modules[name] = None\n"
        "import sitoumus as sit\n"
        "hand = 'Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s'\n"
        "print(sit.contract_odds(hand, ['3H'], deals=20, progress=False))\n"
        "print(sit.best_bid(hand, calls=['pass', '1H'], deals=20, progress=False))\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
