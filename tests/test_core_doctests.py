"""The examples in the docstrings of the compiled core; pytest itself finds those of the Python files."""

import doctest

import pytest

import sitoumus
from sitoumus import _compile, _core, _envs, _testing

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def examples():
    """Each example once: Cython lists some in ``__test__`` that doctest also finds by itself."""
    found = [test for module in (_compile, _core, _envs, _testing)
             for test in doctest.DocTestFinder().find(module, globs={**vars(sitoumus._core), **vars(module)})]
    return {tuple((step.source, step.want) for step in test.examples): test for test in found if test.examples}.values()


@pytest.mark.parametrize("test", examples(), ids=lambda test: test.name)
def test_example_in_the_core(test):
    output = []
    doctest.DocTestRunner(verbose=False, optionflags=FLAGS).run(test, out=output.append)
    assert not output, "".join(output)
