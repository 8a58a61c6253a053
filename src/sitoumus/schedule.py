"""Work in chunks: a bounded number of tasks at a time, in threads or on any executor, and a progress bar."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

from .errors import StudyError

__all__ = ["chunks", "completed", "progress_bar", "thread_count", "threads_executor"]


def thread_count(threads: int | None) -> int:
    """Threads to use: all cores that this process may use if None."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise StudyError(f"threads is {threads!r}: it must be a whole number from 1 up")
    return threads


def chunks(start: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
    """Ranges of at most `size` numbers that together are start .. stop - 1."""
    for first in range(start, stop, size):
        yield first, min(first + size, stop)


@contextmanager
def threads_executor(threads: int) -> Iterator[Executor]:
    """A thread pool that drops what has not begun when it is left by an error or ctrl-C."""
    pool = ThreadPoolExecutor(threads, thread_name_prefix="sitoumus")
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def completed(
    executor: Executor, task: Callable[..., Any], arguments: Iterable[tuple[Any, ...]], window: int
) -> Iterator[tuple[tuple[Any, ...], Future[Any]]]:
    """Submit a task for each of the arguments and give them back as they complete.

    At most `window` are under way at a time. When the caller stops listening, those not begun are cancelled.
    """
    todo = iter(arguments)
    under_way: dict[Future[Any], tuple[Any, ...]] = {}
    try:
        while True:
            while len(under_way) < window:
                each = next(todo, None)
                if each is None:
                    break
                under_way[executor.submit(task, *each)] = each
            if not under_way:
                return
            # A wait without a limit would keep ctrl-C from the main thread on some platforms.
            done, _ = wait(under_way, timeout=0.5, return_when=FIRST_COMPLETED)
            for future in done:
                yield under_way.pop(future), future
    finally:
        for future in under_way:
            future.cancel()


def progress_bar(total: int, unit: str, progress: bool) -> Any:
    """A bar on standard error that shows itself after a second."""
    from tqdm import tqdm

    return tqdm(
        total=total,
        unit=f" {unit}",
        unit_scale=total > 10_000,
        disable=not progress,
        file=sys.stderr,
        delay=1,
        leave=False,
    )
