"""Benchmarks of the parts: ``python -m pytest benchmarks``; they are no part of the tests.

``--benchmark-save=NAME`` and ``--benchmark-compare`` keep and compare runs; `sitoumus bench` prints the figures that
have bars. An operation of the core is repeated without the GIL: the table shows the time of so many operations as
``extra_info`` says.
"""

import pytest

from sitoumus import _testing
from sitoumus.bench import sample_tables


@pytest.fixture
def repeat(benchmark):
    """Time an operation of the core; the setup of a round, in which hands are unpacked, is kept small beside it."""

    def timed(operation, times=10_000, **given):
        benchmark.extra_info["operations"] = times
        return benchmark(_testing.repeat, operation, times, **given)

    return timed


@pytest.fixture(scope="session")
def tables():
    """Tables in the middle of deals."""
    return sample_tables(500)


@pytest.fixture(scope="session")
def finished():
    """Tables of deals that are over."""
    return sample_tables(200, over=True)
