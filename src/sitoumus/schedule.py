"""Work in chunks: a bounded number of tasks at a time, in threads or on any executor, and a progress bar."""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from . import checks
from .errors import StudyError
from .notebook import in_kernel

__all__ = ["DEALS_A_TASK", "Pace", "chunks", "completed", "progress_bar", "thread_count", "threads_executor"]

#: Deals of a task in a thread: short enough that ctrl-C is felt, long enough that the task costs nothing.
DEALS_A_TASK = 2_000
#: Seconds that a range of deals is to take at most, and that one waits at ctrl-C for what is under way.
SECONDS = 0.2
PATIENCE = 1.0


def thread_count(threads: int | None) -> int:
    """Threads to use: all cores that this process may use if None."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return checks.whole("threads", threads, 1, 1024)


def chunks(start: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
    """Ranges of at most `size` numbers that together are start .. stop - 1."""
    for first in range(start, stop, size):
        yield first, min(first + size, stop)


class Pace:
    """Lengths of ranges, by the time that earlier ones took: ctrl-C is felt between two ranges, whatever a deal costs.

    Parameters
    ----------
    most : int
        The longest.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.length = 1

    def ranges(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Ranges that together are start .. stop - 1."""
        while start < stop:
            last = min(start + self.length, stop)
            yield start, last
            start = last

    @contextmanager
    def timed(self, deals: int) -> Iterator[None]:
        """Play so many deals, and learn from it how long the next ranges may be."""
        begin = time.perf_counter()
        yield
        seconds = max(time.perf_counter() - begin, 1e-9)
        self.length = max(1, min(self.most, int(SECONDS * deals / seconds)))


@contextmanager
def threads_executor(threads: int) -> Iterator[Executor]:
    """A thread pool that drops what has not begun when it is left by an error or ctrl-C.

    After ctrl-C what is under way is not waited for longer than `PATIENCE`; its thread ends by itself.
    """
    pool = ThreadPoolExecutor(threads, thread_name_prefix="sitoumus")
    patience = None
    try:
        yield pool
    except KeyboardInterrupt:
        patience = PATIENCE
        raise
    finally:
        end = Thread(target=pool.shutdown, kwargs={"cancel_futures": True}, daemon=True)
        end.start()
        end.join(patience)


def completed(
    executor: Executor, task: Callable[..., Any], arguments: Iterable[tuple[Any, ...]], window: int
) -> Iterator[tuple[tuple[Any, ...], Future[Any]]]:
    """Submit a task for each of the arguments and give them back as they complete.

    At most `window` are under way at a time. When the caller stops listening, those not begun are cancelled.
    """
    todo = iter(arguments)
    under_way: dict[Future[Any], tuple[Any, ...]] = {}
    done: SimpleQueue[Future[Any]] = SimpleQueue()  # waiting for thousands of futures costs more the more there are
    try:
        while True:
            while len(under_way) < window:
                each = next(todo, None)
                if each is None:
                    break
                future = executor.submit(task, *each)
                under_way[future] = each
                future.add_done_callback(done.put)
            if not under_way:
                return
            try:
                # A wait without a limit would keep ctrl-C from the main thread on some platforms.
                future = done.get(timeout=0.5)
            except Empty:
                continue
            yield under_way.pop(future), future
    finally:
        for future in under_way:
            future.cancel()


def progress_bar(total: int, unit: str, progress: bool) -> Any:
    """A bar that shows itself after a second: in a notebook, or on standard error where that is a terminal."""
    if type(progress).__name__ not in ("bool", "bool_"):
        raise StudyError(f"progress is {checks.quoted(progress)}: it must be True or False")
    notebook = in_kernel()
    with warnings.catch_warnings():  # without ipywidgets the bar is text, which needs no warning
        warnings.simplefilter("ignore")
        bar: Any = import_module("tqdm.auto" if notebook else "tqdm").tqdm
    seen = notebook or (sys.stderr is not None and sys.stderr.isatty())
    return bar(
        total=total,
        unit=f" {unit}",
        unit_scale=total > 10_000,
        disable=not (progress and seen),
        file=sys.stderr,
        delay=1,
        leave=False,
    )
