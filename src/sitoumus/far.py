"""Ranges of a run played elsewhere: by the workers of any executor, which may differ, fail and be lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor
from typing import Any

from .errors import DatasetError, PolicyError, SitoumusError
from .policies import policy_hash
from .run import Run, digest_of, hashes_of
from .schedule import completed
from .version import RESULT_VERSION, __version__

__all__ = ["handshake", "play_far", "played_far", "workers_of"]

#: How often the range of a worker that was lost is tried.
TRIES = 3


def played_far(
    executor: Executor, run: Run, todo: Iterable[tuple[int, int]], task: Callable[[Run, int, int], Any]
) -> Iterator[tuple[tuple[int, int], Any]]:
    """As `_played_far`, and where the workers could not load a policy the error says so."""
    try:
        yield from _played_far(executor, run, todo, task)
    except BrokenExecutor as error:
        for policy in run.policies:
            if type(policy).__module__ == "__main__":
                raise PolicyError(
                    f"{type(policy).__qualname__} stands in __main__ of this process, and the workers of the executor "
                    "broke down, which cannot load it from there: put it into a module that they import"
                ) from error
        raise


def _played_far(
    executor: Executor, run: Run, todo: Iterable[tuple[int, int]], task: Callable[[Run, int, int], Any]
) -> Iterator[tuple[tuple[int, int], Any]]:
    """Ranges of deals and what ``task(run, start, stop)`` gave for them on a worker, as they complete.

    The range of a worker that was lost is given out again.

    Raises
    ------
    BrokenExecutor
        If the executor cannot go on.
    DatasetError
        If a worker does not play as this process does, or a range fails again and again.
    """
    expected = handshake(run)
    window = 4 * workers_of(executor)
    failures: dict[tuple[int, int], int] = {}
    while True:
        lost = []
        tasks = ((task, run, expected, failures.get(part, 0), *part) for part in todo)
        for (*_, first, last), future in completed(executor, play_far, tasks, window):
            try:
                found = future.result()
            except (SitoumusError, BrokenExecutor):
                raise
            except Exception as error:
                failures[first, last] = failures.get((first, last), 0) + 1
                if failures[first, last] == TRIES:
                    raise DatasetError(f"deals {first} to {last - 1} failed {TRIES} times: {error!r}") from error
                lost.append((first, last))
            else:
                yield (first, last), found
        if not lost:
            return
        todo = lost


def workers_of(executor: Executor) -> int:
    """How many tasks an executor runs at a time, as far as it says; many otherwise."""
    client: Any = getattr(executor, "_client", None)  # dask's executor knows its cluster, which may still grow
    if callable(getattr(client, "nthreads", None)):
        return max(16, sum(client.nthreads().values()))
    for name in ("_max_workers", "num_workers"):  # those of Python; mpi4py's
        found = getattr(executor, name, None)
        if isinstance(found, int) and found > 0:
            return found
    return 64


def handshake(run: Run) -> tuple[Any, ...]:
    """What a worker must agree on before it plays: versions, rules, policies, and the rows of sixteen deals."""
    arrays = run.allocate(16)
    run.fill(arrays, 0, 16)
    policies = tuple(policy_hash(policy) for policy in run.policies)
    return __version__, RESULT_VERSION, run.rules.hash, policies, digest_of(0, 16, hashes_of(arrays, 0))


#: Handshakes that this process has agreed to, so that each worker checks once.
_AGREED: set[tuple[Any, ...]] = set()


def play_far(
    task: Callable[[Run, int, int], Any], run: Run, expected: tuple[Any, ...], failures: int, start: int, stop: int
) -> Any:
    """The task of an executor's worker; executors that know equal tasks again see by `failures` that it is another try.

    Raises
    ------
    DatasetError
        If this worker does not play as the process that sent it.
    """
    if expected not in _AGREED:
        names = ("version", "result version", "rules", "policies", "rows of the first deals")
        for name, here, there in zip(names, handshake(run), expected, strict=True):
            if here != there:
                raise DatasetError(
                    f"a worker differs from the process that started the run: its {name} is {here!r}, not {there!r}"
                )
        _AGREED.add(expected)
    return task(run, start, stop)
