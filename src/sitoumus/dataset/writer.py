"""A run that is written into a folder, part by part, whatever happens to it."""

from __future__ import annotations

import bisect
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor
from functools import partial
from typing import Any

from ..errors import DatasetError, StudyInterrupted
from ..far import played_far
from ..rules import RuleSet
from ..run import Run, digest_of
from ..schedule import completed, progress_bar, thread_count, threads_executor
from .folder import EARLIER, FORMAT, MANIFEST, SUCCESS, Folder, gaps, part_name, part_range, read_manifest
from .opened import Dataset
from .parts import Hashes, read_part, rows_of, table_of, write_part

#: Rows of a part: about 32 parts, of not fewer and not more rows than this.
PART = (10_000, 100_000)
#: Seconds between two writings of the manifest while a run goes on.
MANIFEST_EVERY = 10.0


# Writing


def write_dataset(
    run: Run,
    start: int,
    stop: int,
    out: Any,
    resume: bool = False,
    threads: int | None = None,
    chunk: int | None = None,
    executor: Executor | None = None,
    progress: bool = True,
) -> Dataset:
    """Play deals start .. stop - 1 into a folder; what `simulate` with ``out=`` does."""
    folder = Folder(out)
    with folder.locked():
        return Writer(folder, run, start, stop, resume, chunk).write(threads, executor, progress)


def manifest_file(run: Run, manifest: Mapping[str, Any]) -> Any:
    """A Parquet file without rows whose schema carries the manifest."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = table_of(run, run.allocate(0))
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata({"sitoumus_manifest": json.dumps(manifest)}), sink)
    return sink.getvalue()


class Writer:
    """One run into one folder."""

    def __init__(self, folder: Folder, run: Run, start: int, stop: int, resume: bool, chunk: int | None) -> None:
        self.folder = folder
        self.run = run
        self.start = start
        self.stop = stop
        self.chunk = chunk or min(max(PART[0], (stop - start) // 32), PART[1])
        self.digests: dict[tuple[int, int], str] = {}
        self.totals = dict.fromkeys((name for name, _ in run.columns), 0)
        self.written = time.monotonic()
        self._compare(resume)

    def _compare(self, resume: bool) -> None:
        """Refuse a folder that holds something else."""
        manifest = read_manifest(self.folder)
        if not resume:
            if manifest is not None or any(part_range(name) for name in self.folder.names()):
                raise DatasetError(
                    f"{self.folder.url} holds a run already: resume=True goes on with it, another folder starts anew"
                )
            return
        if manifest is None:
            return
        there, mine = manifest["provenance"], self.run.provenance(self.start, self.stop)
        for name, value in rows_of(mine).items():
            if there.get(name) != value:
                if name == "rules_hash":
                    fields = self.run.rules.diff(RuleSet.from_dict(there["rules"]))
                    names = ", ".join(field for field, _, _ in fields[:5])
                    raise DatasetError(f"{self.folder.url} holds another run: its rules differ in {names}")
                raise DatasetError(
                    f"{self.folder.url} holds another run: its {name.replace('_', ' ')} is {there.get(name)!r}, "
                    f"not {value!r}"
                )
        if there["stop"] > self.stop:
            raise DatasetError(
                f"{self.folder.url} holds deals to {there['stop'] - 1}, more than the "
                f"{self.stop - self.start} asked for"
            )

    def write(self, threads: int | None, executor: Executor | None, progress: bool) -> Dataset:
        """Play what is missing."""
        count = thread_count(threads) if self.run.plays_compiled else 1
        with progress_bar(self.stop - self.start, "deals", progress) as bar:
            self._examine(count, bar.update)
            todo = [part for gap in gaps(self.digests, self.start, self.stop) for part in self._aligned(*gap)]
            manifest = read_manifest(self.folder)
            if not todo and manifest is not None and manifest["hashes"] and self.folder.read(SUCCESS) is not None:
                return Dataset(self.folder.url)
            self.folder.remove(SUCCESS)
            self._write_manifest()
            try:
                if executor is None:
                    self._play_in_threads(todo, count, bar.update)
                else:
                    self._play_on(executor, todo, bar.update)
            except KeyboardInterrupt:
                self._write_manifest()
                raise StudyInterrupted(Dataset(self.folder.url)) from None
        self._write_manifest(complete=True)
        self.folder.write(SUCCESS, b"")
        return Dataset(self.folder.url)

    def _aligned(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """A gap cut where an undisturbed run is cut."""
        while first < last:
            stop = min(last, self.start + ((first - self.start) // self.chunk + 1) * self.chunk)
            yield first, stop
            first = stop

    def _examine(self, threads: int, update: Callable[[int], Any]) -> None:
        """Count the parts that are there and whole; remove what is not."""
        parts = []
        for name in self.folder.names():
            part = part_range(name)
            if name.endswith(".tmp"):
                self.folder.remove(name)
            elif part is not None:
                parts.append(part)

        mine = rows_of(self.run.provenance())

        def task(first: int, last: int) -> Hashes | None:
            try:
                return read_part(
                    self.folder, self.run, first, last, is_it=lambda footer: rows_of(footer["provenance"]) == mine
                )[1]
            except DatasetError:
                return None

        kept: list[tuple[int, int]] = []
        with threads_executor(threads) as executor:
            for part, future in completed(executor, task, sorted(parts), 2 * threads):
                hashes = future.result()
                place = bisect.bisect(kept, part)
                beside = kept[max(place - 1, 0) : place + 1]
                overlaps = any(part[0] < last and first < part[1] for first, last in beside)
                if hashes is None or overlaps or not self.start <= part[0] < part[1] <= self.stop:
                    self.folder.remove(part_name(*part))
                else:
                    kept.insert(place, part)
                    self._count(part, hashes)
                    update(part[1] - part[0])

    def _count(self, part: tuple[int, int], hashes: Hashes) -> None:
        """A part is finished."""
        digest = digest_of(*part, hashes)
        if part in self.digests:
            if self.digests[part] != digest:
                raise DatasetError(
                    f"deals {part[0]} to {part[1] - 1} came twice with different rows: "
                    "a worker does not play as the others do"
                )
            return
        self.digests[part] = digest
        for name, value in hashes.items():
            self.totals[name] = (self.totals[name] + value) % 2**64
        if time.monotonic() - self.written > MANIFEST_EVERY:
            self._write_manifest()

    def _write_manifest(self, complete: bool = False) -> None:
        self.written = time.monotonic()
        manifest = {
            "format": FORMAT,
            "provenance": self.run.provenance(self.start, self.stop),
            "columns": [list(each) for each in self.run.columns],
            "complete": complete,
            "parts": [[*part, self.digests[part]] for part in sorted(self.digests)],
            "hashes": {name: f"{value:016x}" for name, value in self.totals.items()} if complete else None,
        }
        self.folder.write(MANIFEST, manifest_file(self.run, manifest))
        self.folder.remove(EARLIER)

    def _play_in_threads(self, todo: list[tuple[int, int]], threads: int, update: Callable[[int], Any]) -> None:
        stopping = threading.Event()

        def task(first: int, last: int) -> Hashes:
            return write_part(self.folder, self.run, first, last, stopping)

        with threads_executor(threads) as executor:
            try:
                for part, future in completed(executor, task, todo, 2 * threads):
                    self._count(part, future.result())
                    update(part[1] - part[0])
            finally:
                stopping.set()

    def _play_on(self, executor: Executor, todo: list[tuple[int, int]], update: Callable[[int], Any]) -> None:
        """Have an executor's workers write the parts."""
        try:
            for part, hashes in played_far(executor, self.run, todo, partial(write_far, self.folder.url)):
                self._count(part, hashes)
                update(part[1] - part[0])
        except BrokenExecutor as error:
            self._write_manifest()
            raise DatasetError(
                f"the executor has broken down ({error}); finished parts are kept, resume=True goes on"
            ) from error


def write_far(url: str, run: Run, start: int, stop: int) -> Hashes:
    """What a worker does for a part."""
    return write_part(Folder(url), run, start, stop)
