"""Settings that all tests share."""

import os
import signal

import pytest
from hypothesis import settings

from sitoumus import cli

os.environ.setdefault("MPLBACKEND", "Agg")

# No deadlines: machines are shared, and time is measured by the benchmarks. In CI the same examples every time.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_configure():
    """Hear ctrl-C even where the shell that runs the tests in the background has it ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def sitoumus(capsys):
    """Run a command; its exit status, standard output and standard error."""

    def run(*arguments):
        status = cli.run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def pytest_addoption(parser):
    """Let pictures be written anew when they are meant to change."""
    parser.addoption("--update-pictures", action="store_true", help="write the pinned pictures anew")


@pytest.fixture(scope="session")
def update_pictures(request):
    return request.config.getoption("--update-pictures")
