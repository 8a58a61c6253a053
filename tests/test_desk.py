"""The desk: what the package shows, and what importing it costs."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import sitoumus as sit

ROOT = Path(__file__).parents[1]


def test_every_name_is_there_and_the_stub_names_the_same():
    for name in sit.__all__:
        assert getattr(sit, name) is not None
    stub = ast.parse((ROOT / "src/sitoumus/__init__.pyi").read_text(encoding="utf-8"))
    shown = [alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert sorted(shown) == sorted(sit.__all__)
    assert set(sit.__all__) <= set(dir(sit))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"^module 'sitoumus' has no attribute 'fly'$"):
        _ = sit.fly


def test_a_function_goes_before_the_file_of_the_same_name_whatever_was_imported_first():
    script = "import sitoumus.play, sitoumus as sit; assert callable(sit.play); from sitoumus.play import Match"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_nothing_heavy_is_imported_before_it_is_used():
    script = (
        "import sys, sitoumus\n"
        "heavy = {'numpy', 'pandas', 'scipy', 'tqdm', 'sitoumus._core', 'sitoumus.rules'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_the_version_is_that_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert sit.__version__ == project["version"]
    assert isinstance(sit.RESULT_VERSION, int)
