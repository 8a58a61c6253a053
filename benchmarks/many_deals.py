"""Runs of many deals: seconds to pandas and to Parquet, memory over time, and what a task costs beside its deals.

    python benchmarks/many_deals.py speed --deals 1000000
    python benchmarks/many_deals.py memory --deals 10000000
    python benchmarks/many_deals.py tasks

`speed` and `memory` need an idle machine, `--folder` says where their datasets are written for the time of the run.
"""

from __future__ import annotations

import argparse
import os
import pickle
import statistics
import tempfile
import threading
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import sitoumus as sit
from sitoumus.dataset.folder import MANIFEST, Folder, part_name
from sitoumus.dataset.parts import store_part
from sitoumus.dataset.writer import Writer
from sitoumus.far import handshake, play_far
from sitoumus.run import Run
from sitoumus.schedule import completed, thread_count


def megabytes(folder: str) -> float:
    return sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6


def speed(folder: str, deals: int, threads: int) -> None:
    """The same deals to pandas and to Parquet: seconds of the clock, and of the processor divided by the threads."""

    def timed(what: str, **keywords: str) -> object:
        clock, processor = time.perf_counter(), time.process_time()
        found = sit.simulate(deals, seed=1, threads=threads, progress=False, **keywords)
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
        print(f"{deals:,} deals to {what:8} {clock:8.2f} s {processor / threads:8.2f} s / thread", end="", flush=True)
        return found

    sit.simulate(1000, progress=False, out=f"{folder}/first")
    frame = timed("pandas")
    print(f"{frame.memory_usage().sum() / 1e6:8.1f} MB in memory")
    del frame
    timed("Parquet", out=f"{folder}/deals")
    print(f"{megabytes(f'{folder}/deals'):8.1f} MB on disk")


def memory(folder: str, deals: int, threads: int) -> None:
    """Memory of this process while it writes a dataset, at twelve moments."""
    page, found, over = os.sysconf("SC_PAGE_SIZE") / 1e6, [], threading.Event()

    def watch() -> None:
        begin = time.monotonic()
        while not over.wait(0.25):
            resident = int(Path("/proc/self/statm").read_text().split()[1]) * page
            found.append((time.monotonic() - begin, resident))

    watcher = threading.Thread(target=watch)
    watcher.start()
    dataset = sit.simulate(deals, seed=1, threads=threads, progress=False, out=f"{folder}/deals")
    over.set()
    watcher.join()
    print(f"{dataset!r}: {megabytes(f'{folder}/deals'):.1f} MB on disk")
    for second, resident in found[:: max(1, len(found) // 12)]:
        print(f"{second:8.1f} s {resident:6.0f} MB")
    print(f"      most {max(resident for _, resident in found):6.0f} MB")


def nothing(run: Run, start: int, stop: int) -> None:
    """A task without deals."""


def send(executor: Executor, run: Run, expected: tuple, to: str) -> None:
    """Time of a task without deals to workers and back."""

    def times(n: int, window: int) -> str:
        clock, processor = time.perf_counter(), time.process_time()
        for _, future in completed(
            executor, play_far, ((nothing, run, expected, 0, k, k + 1) for k in range(n)), window
        ):
            future.result()
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
        return f"{1e3 * clock / n:.2f} ms ({1e3 * processor / n:.2f} of this process)"

    times(20, 4)  # workers start, and shake hands
    print(f"a task to {to} and back: alone {times(200, 1)}, of many {times(1000, 400)}")


def tasks(folder: str, deals: int, threads: int) -> None:
    """What a part costs beside its deals by its length, what a task costs to be sent, and the manifest by its parts."""
    run = Run.of(seed=1)
    clock = time.process_time()
    rows = run.allocate(100_000)
    run.fill(rows, 0, 100_000)
    play = (time.process_time() - clock) / 100_000
    print(f"a deal takes {1e6 * play:.1f} us to play")
    print(f"{'rows of a part':>14}{'cpu ms':>9}{'clock ms':>10}{'us / row':>10}{'bytes / row':>13}{'of the deals':>14}")
    where = Folder(f"{folder}/parts")
    where.fs.makedirs(where.root)
    for length in (100, 1_000, 10_000, 100_000):
        part = {name: values[:length] for name, values in rows.items()}
        processor, clocks = [], []
        for _ in range(7):
            where.remove(part_name(0, length))
            times = time.process_time(), time.perf_counter()
            store_part(where, run, 0, length, part)
            processor.append(time.process_time() - times[0])
            clocks.append(time.perf_counter() - times[1])
        cost, clock = min(processor), statistics.median(clocks)
        size = os.path.getsize(where.path(part_name(0, length))) / length
        share = cost / length / play
        print(f"{length:14,}{1e3 * cost:9.2f}{1e3 * clock:10.2f}{1e6 * cost / length:10.2f}{size:13.1f}{share:14.1%}")

    expected = handshake(run)
    sent = len(pickle.dumps((play_far, nothing, run, expected, 0, 0, 1)))
    back = len(pickle.dumps(dict.fromkeys(rows, 2**63)))
    print(f"a task is {sent:,} bytes to a worker and {back:,} back")
    with ProcessPoolExecutor(2, get_context("forkserver")) as executor:
        send(executor, run, expected, "two processes")
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        print("dask is not installed")
    else:
        with LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            client.upload_file(__file__)
            send(client.get_executor(), run, expected, "dask, two workers")

    for parts in (1_000, 10_000, 100_000):
        where = Folder(f"{folder}/manifest{parts}")
        where.fs.makedirs(where.root)
        writer = Writer(where, run, 0, parts * 100_000, False, 100_000)
        writer.digests = {(100_000 * k, 100_000 * (k + 1)): f"{k:016x}" for k in range(parts)}
        clock = time.perf_counter()
        writer._write_manifest()
        size = os.path.getsize(where.path(MANIFEST))
        print(f"manifest of {parts:7,} parts: {size / 1e6:6.2f} MB in {time.perf_counter() - clock:.3f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["speed", "memory", "tasks"])
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=thread_count(None))
    parser.add_argument("--folder", help="where to write; the system's temporary folder if left out")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        {"speed": speed, "memory": memory, "tasks": tasks}[given.what](folder, given.deals, given.threads)


if __name__ == "__main__":
    main()
