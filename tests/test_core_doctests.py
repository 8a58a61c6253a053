"""The examples in the docstrings of the compiled core; pytest itself finds those of the Python files."""

import doctest

import pytest

from sitoumus import _core

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def examples():
    """Each example once: Cython lists some in ``__test__`` that doctest also finds by itself."""
    found = doctest.DocTestFinder().find(_core, "sitoumus._core")
    return {tuple((step.source, step.want) for step in test.examples): test for test in found if test.examples}.values()


@pytest.mark.parametrize("test", examples(), ids=lambda test: test.name)
def test_example_in_the_core(test):
    output = []
    doctest.DocTestRunner(verbose=False, optionflags=FLAGS).run(test, out=output.append)
    assert not output, "".join(output)
