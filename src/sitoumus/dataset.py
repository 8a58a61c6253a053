"""Datasets: runs of any length as Parquet parts in a folder, which survive whatever happens to the run.

A folder holds::

    _manifest.parquet                                provenance, columns, what is finished
    part-000000000000-000000100000.parquet ...       the rows of deals 0 .. 99999, with the hashes of their columns
    _SUCCESS                                         written last

A part is written under another name and then renamed, so a part that is there is whole. The range in its name is its
identity: equal runs write equal parts, so one that comes twice does no harm. Every part carries the hashes of its
columns, by which a damaged one is found and played again. Paths are fsspec URLs.

For every reader of Parquet the folder is one table: the other files are empty, or begin with ``_``, or are, as the
manifest, Parquet files of the same columns without rows. What the manifest says stands in the metadata of its schema.
"""

from __future__ import annotations

import ast
import bisect
import json
import os
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from . import checks
from .errors import DatasetError, StudyError, StudyInterrupted
from .far import played_far
from .rules import RuleSet
from .run import Run, digest_of, hashes_of, names_of, never
from .schedule import Pace, completed, progress_bar, thread_count, threads_executor
from .simulate import CHUNK, frame_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Dataset", "open_dataset", "write_dataset"]

FORMAT = "sitoumus-dataset-1"
MANIFEST = "_manifest.parquet"
#: As it was called in earlier versions, a JSON file; such folders are read.
EARLIER = "manifest.json"
SUCCESS = "_SUCCESS"

#: Rows of a part: about 32 parts, of not fewer and not more rows than this.
PART = (10_000, 100_000)
#: Seconds between two writings of the manifest while a run goes on.
MANIFEST_EVERY = 10.0

Hashes = dict[str, int]


# Files


class Folder:
    """The files of one dataset, on any filesystem that fsspec knows."""

    def __init__(self, path: Any) -> None:
        try:
            import fsspec
            import pyarrow  # noqa: F401
        except ImportError:
            raise StudyError("datasets need pyarrow and fsspec: pip install 'sitoumus[parquet]'") from None
        self.url = os.fspath(path)
        self.fs, root = fsspec.core.url_to_fs(self.url)
        self.root = root.rstrip("/")
        self.local = "file" in np.atleast_1d(self.fs.protocol)

    def path(self, name: str) -> str:
        """Path of a file."""
        return f"{self.root}/{name}"

    def names(self) -> list[str]:
        """Names of the files that are there."""
        self.fs.invalidate_cache()
        if not self.fs.exists(self.root):
            return []
        return sorted(entry.rsplit("/", 1)[-1] for entry in self.fs.ls(self.root, detail=False))

    def read(self, name: str) -> bytes | None:
        """What a file holds, None if there is none."""
        try:
            return self.fs.cat_file(self.path(name))
        except FileNotFoundError:
            return None

    def write(self, name: str, data: Any) -> None:
        """Write a file so that it is there whole or not at all.

        Raises
        ------
        DatasetError
            If there is no room, or it cannot be written for another reason.
        """
        temporary = self.path(f"_{name}.{uuid.uuid4().hex}.tmp")
        try:
            with self.fs.open(temporary, "wb") as file:
                file.write(data)
                if self.local:
                    file.flush()
                    os.fsync(file.fileno())
            if self.local:
                os.replace(temporary, self.path(name))
            else:
                self.fs.mv(temporary, self.path(name))
        except OSError as error:
            self.remove(temporary.rsplit("/", 1)[-1])
            raise DatasetError(
                f"{self.path(name)} cannot be written: {error}; finished parts are kept, resume=True goes on"
            ) from error

    def remove(self, name: str) -> None:
        """Remove a file, if it can be done."""
        try:
            self.fs.rm_file(self.path(name))
        except (OSError, KeyError):
            pass

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep a second run out of a folder of this machine; the lock goes with the process that holds it.

        Elsewhere no lock is needed for safety: runs that are equal write equal parts, others are refused.
        """
        try:
            self.fs.makedirs(self.root, exist_ok=True)
        except OSError as error:
            raise DatasetError(f"{self.url} cannot be made: {error}") from None
        try:
            import fcntl
        except ImportError:
            fcntl = None  # type: ignore[assignment]
        if not self.local or fcntl is None:
            yield
            return
        with open(self.path("_LOCK"), "w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise DatasetError(f"another run is writing to {self.url}") from None
            yield


def part_name(start: int, stop: int) -> str:
    """Name of the part with the rows of deals start .. stop - 1."""
    return f"part-{start:012d}-{stop:012d}.parquet"


def part_range(name: str) -> tuple[int, int] | None:
    """The range of a part's name, None if it is no part."""
    if not (name.startswith("part-") and name.endswith(".parquet")):
        return None
    try:
        start, stop = map(int, name[5:-8].split("-"))
    except ValueError:
        return None
    return (start, stop) if 0 <= start < stop else None


# Rows as Arrow and Parquet


def table_of(run: Run, arrays: Mapping[str, np.ndarray]) -> Any:
    """The Arrow table of those columns of a run that are given; names are dictionaries that hold every value."""
    import pyarrow as pa

    columns = {}
    for name, kind in run.columns:
        if name not in arrays:
            continue
        names = names_of(kind, run.rules)
        if names is None:
            values = arrays[name]
            if never(name):
                columns[name] = pa.array(values.astype(np.int32), mask=values < 0)
            elif kind in ("int8", "int16"):
                columns[name] = pa.array(values.astype(np.int32))
            else:
                columns[name] = pa.array(values, pa.string() if kind == "text" else None)
        else:
            columns[name] = pa.DictionaryArray.from_arrays(arrays[name], list(names))
    return pa.table(columns)


def arrays_of(run: Run, table: Any) -> dict[str, np.ndarray]:
    """Columns of an Arrow table as `Run.allocate` has them."""
    kinds = dict(run.columns)
    found = {}
    for name in table.column_names:
        names = names_of(kinds[name], run.rules)
        column = table[name].combine_chunks()
        if names is None:
            if never(name):
                column = column.fill_null(-1)
            values = column.to_numpy(zero_copy_only=False)
            found[name] = values.astype(kinds[name]) if kinds[name] in ("int8", "int16") else values
            continue
        if not hasattr(column, "dictionary"):
            column = column.dictionary_encode()
        places = np.array([names.index(value) for value in column.dictionary.to_pylist()] or [0], np.int8)
        found[name] = places[column.indices.to_numpy(zero_copy_only=False)]
    return found


def write_part(folder: Folder, run: Run, start: int, stop: int, stopping: threading.Event | None = None) -> Hashes:
    """Play a range and write its part; the hashes of its columns.

    Raises
    ------
    DatasetError
        As `store_part`.
    InterruptedError
        If `stopping` was set meanwhile.
    """
    arrays = run.allocate(stop - start)
    pace = Pace(CHUNK if run.plays_compiled else 1)
    for first, last in pace.ranges(start, stop):
        with pace.timed(last - first):
            run.fill(arrays, first, last, first - start)
        if stopping is not None and stopping.is_set():
            raise InterruptedError
    return store_part(folder, run, start, stop, arrays)


def store_part(folder: Folder, run: Run, start: int, stop: int, arrays: Mapping[str, np.ndarray]) -> Hashes:
    """Write the rows of a range as a part; the hashes of its columns.

    A part that is there already is left as it is, if it is the same.

    Raises
    ------
    DatasetError
        If it cannot be written, or the one that is there has other rows.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    hashes = hashes_of(arrays, start)
    if folder.fs.exists(folder.path(part_name(start, stop))):
        with opened_part(folder, start, stop) as (_, footer):
            digest = footer["digest"]
        if digest != digest_of(start, stop, hashes):
            raise DatasetError(
                f"deals {start} to {stop - 1} came twice with different rows: a worker does not play as the others do"
            )
        return hashes
    footer = {
        "start": start,
        "stop": stop,
        "digest": digest_of(start, stop, hashes),
        "hashes": {name: f"{value:016x}" for name, value in hashes.items()},
        "provenance": run.provenance(),
    }
    table = table_of(run, arrays).replace_schema_metadata({"sitoumus": json.dumps(footer)})
    sink = pa.BufferOutputStream()
    # Numbers of deals never repeat: as differences they take next to nothing, in a dictionary more than they are.
    others = [name for name in table.column_names if name != "deal"]
    pq.write_table(
        table, sink, compression="zstd", use_dictionary=others, column_encoding={"deal": "DELTA_BINARY_PACKED"}
    )
    folder.write(part_name(start, stop), sink.getvalue())
    return hashes


@contextmanager
def opened_part(folder: Folder, start: int, stop: int) -> Iterator[tuple[Any, dict[str, Any]]]:
    """A part's Parquet file and what the part says about itself.

    Raises
    ------
    DatasetError
        If the part is missing or something in it cannot be read.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder.path(part_name(start, stop))
    try:
        with folder.fs.open(path, "rb") as file:
            parquet = pq.ParquetFile(file)
            footer = json.loads(parquet.schema_arrow.metadata[b"sitoumus"])
            if (footer["start"], footer["stop"]) != (start, stop):
                raise ValueError("it holds other deals")
            yield parquet, footer
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError) as error:
        raise DatasetError(f"{path} is not the part that was written: {error}; resume=True plays it again") from error


def read_part(
    folder: Folder,
    run: Run,
    start: int,
    stop: int,
    columns: Sequence[str] | None = None,
    is_it: Callable[[dict[str, Any]], bool] = lambda footer: True,
) -> tuple[dict[str, np.ndarray], Hashes]:
    """Columns of a part and their hashes, which are those that the part was written with.

    `is_it` tells from what the part says about itself whether it belongs here.

    Raises
    ------
    DatasetError
        If the part is missing, cannot be read, or has changed since it was written.
    """
    with opened_part(folder, start, stop) as (parquet, footer):
        if not is_it(footer):
            raise ValueError("it comes from another run")
        arrays = arrays_of(run, parquet.read(columns, use_threads=False))
        hashes = hashes_of(arrays, start)
        wrong = [column for column, value in hashes.items() if footer["hashes"][column] != f"{value:016x}"]
        if wrong:
            raise ValueError(f"its column {', '.join(wrong)} has changed")
    return arrays, hashes


# The manifest


def read_manifest(folder: Folder) -> dict[str, Any] | None:
    """The manifest, None if there is none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    name = MANIFEST
    data = folder.read(name)
    if data is None:
        name = EARLIER
        data = folder.read(name)
    if data is None:
        return None
    try:
        if name == MANIFEST:
            data = pq.read_schema(pa.BufferReader(data)).metadata[b"sitoumus_manifest"]
        found = json.loads(data)
        if found["format"] != FORMAT:
            raise ValueError(f"format is {found['format']!r}, this library reads {FORMAT!r}")
        return found
    except (OSError, pa.ArrowException, ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"{folder.path(name)} cannot be read: {error}") from None


def gaps(ranges: Iterable[tuple[int, int]], start: int, stop: int) -> list[tuple[int, int]]:
    """What is missing of start .. stop - 1.

    Examples
    --------
    >>> gaps([(10, 20), (30, 40)], 0, 50)
    [(0, 10), (20, 30), (40, 50)]
    """
    found, at = [], start
    for first, last in sorted(ranges):
        if first > at:
            found.append((at, min(first, stop)))
        at = max(at, last)
    if at < stop:
        found.append((at, stop))
    return [(first, last) for first, last in found if first < last]


# Datasets


class Dataset:
    """Rows of a run in a folder; made by `simulate` with ``out=``, opened by `open_dataset`.

    Attributes
    ----------
    path : str
    provenance : dict
        As in the ``attrs`` of a frame.
    start, stop : int
        Deals start .. stop - 1 are asked for.
    columns : tuple of str
    """

    def __init__(self, path: Any) -> None:
        self._folder = Folder(path)
        manifest = read_manifest(self._folder)
        if manifest is None:
            raise DatasetError(f"{self._folder.url} is no dataset: it has no {MANIFEST}")
        self.path = self._folder.url
        self.provenance: dict[Any, Any] = manifest["provenance"]
        self.start, self.stop = self.provenance["start"], self.provenance["stop"]
        self._kinds = [tuple(each) for each in manifest["columns"]]
        self.columns = tuple(name for name, _ in self._kinds)
        self.hashes: dict[str, str] = manifest["hashes"] or {}
        self._digests = {(start, stop): digest for start, stop, digest in manifest["parts"]}

    @property
    def parts(self) -> list[tuple[int, int]]:
        """Ranges of the parts that are there, in order."""
        ranges = (part_range(name) for name in self._folder.names())
        return sorted(each for each in ranges if each is not None)

    @property
    def missing(self) -> list[tuple[int, int]]:
        """Ranges (start, stop) of deals that no part holds."""
        return gaps(self.parts, self.start, self.stop)

    @property
    def complete(self) -> bool:
        """Whether the run has ended and all its parts are there."""
        return self._folder.read(SUCCESS) is not None and not self.missing

    def _ready(self) -> list[tuple[int, int]]:
        """The parts of a complete dataset."""
        parts = self.parts
        missing = gaps(parts, self.start, self.stop)
        if missing or self._folder.read(SUCCESS) is None:
            deals = ", ".join(f"{first} to {last - 1}" for first, last in missing[:5]) or "none"
            more = f" and {len(missing) - 5} more ranges" if len(missing) > 5 else ""
            raise DatasetError(
                f"{self.path} is incomplete: deals missing are {deals}{more}, or the run has not ended; "
                "simulate(..., out=, resume=True) completes it"
            )
        return parts

    def _run(self, policies: Any = None) -> Run:
        return Run.from_provenance(self.provenance, policies)

    @cached_property
    def _shape(self) -> Run:
        """What reading needs of a run; it does not ask who played."""
        shape = Run(RuleSet.from_dict(self.provenance["rules"]))
        shape.__dict__["columns"] = tuple(self._kinds)
        return shape

    def __len__(self) -> int:
        return self.stop - self.start

    def to_pandas(
        self, columns: Sequence[str] | None = None, where: str | Callable[[pd.DataFrame], Any] | None = None
    ) -> pd.DataFrame:
        """The rows as `simulate` without ``out=`` returns them, sorted by deal.

        Parameters
        ----------
        columns : sequence of str, optional
            All if left out.
        where : str or callable, optional
            Rows to keep: an expression as in ``DataFrame.query``, or a function from a frame to a mask. An expression
            may hold columns, comparisons, ``and``, ``or``, ``not``, sums, numbers and texts, and runs no code. It
            is applied part by part, so the result alone must fit into memory. Of the columns those are
            read that are asked for and those that the expression names; a function may ask for any, so it is given all.

        Raises
        ------
        DatasetError
            If the dataset is incomplete, or a part has changed since it was written.
        """
        import pandas as pd

        parts = self._ready()
        shape = self._shape
        wanted = self._wanted(columns)
        names = wanted if where is None else self._named(wanted, where)
        frames: list[pd.DataFrame] = []
        arrays: dict[str, np.ndarray] = {}
        for start, stop in parts:
            found = self._read(shape, start, stop, names)
            if where is None:
                if not arrays:
                    arrays = {name: np.empty(len(self), values.dtype) for name, values in found.items()}
                for name, values in found.items():
                    arrays[name][start - self.start : stop - self.start] = values
                continue
            frame = frame_of(shape, found)
            frame.index = pd.RangeIndex(start - self.start, stop - self.start)
            frames.append(frame[_mask(frame, where) if isinstance(where, str) else where(frame)][wanted])
        frame = frame_of(shape, arrays) if where is None else pd.concat(frames)
        frame.attrs = dict(self.provenance)
        return frame[wanted] if where is None and columns is not None else frame

    def _named(self, wanted: Sequence[str], where: Any) -> list[str]:
        """The columns wanted and those that a condition on the rows names."""
        if not isinstance(where, str):
            return list(self.columns)
        words = _names_in(where, self.columns)
        return [name for name in self.columns if name in wanted or name in words]

    def _read(self, shape: Run, start: int, stop: int, columns: Sequence[str] | None = None) -> dict[str, np.ndarray]:
        digest = self._digests.get((start, stop))
        return read_part(self._folder, shape, start, stop, columns, lambda footer: digest in (None, footer["digest"]))[
            0
        ]

    def _wanted(self, columns: Sequence[str] | None) -> list[str]:
        wanted = list(self.columns if columns is None else columns)
        for name in wanted:
            if name not in self.columns:
                raise DatasetError(f"{self.path} has no column {name!r}: its columns are {', '.join(self.columns)}")
        return wanted

    def to_arrow(self, columns: Sequence[str] | None = None) -> Any:
        """The rows as a pyarrow Table, sorted by deal."""
        import pyarrow as pa

        shape, wanted = self._shape, self._wanted(columns)
        tables = []
        for start, stop in self._ready():
            tables.append(table_of(shape, self._read(shape, start, stop, wanted)))
        return pa.concat_tables(tables).select(wanted)

    def scan(self) -> Any:
        """The parts as a pyarrow Dataset, for engines that read no more than they need.

        ``duckdb.sql("select ... from scanned")`` finds it by its variable's name,
        ``polars.scan_pyarrow_dataset(scanned)`` takes it. Those libraries read the folder itself as well.
        """
        import pyarrow.dataset as pads

        files = [self._folder.path(part_name(*part)) for part in self._ready()]
        return pads.dataset(files, filesystem=self._folder.fs, format="parquet")

    def verify(self, share: float = 0.01, seed: int = 0, policies: Any = None, progress: bool = True) -> int:
        """Play a share of the deals again and compare every column.

        Parameters
        ----------
        share : float
            Of the deals that are there, above 0 and at most 1; at least one deal of each part.
        seed : int
            Which ones.
        policies : str, policy, or sequence of them, optional
            The policies, where their names do not tell which they are.
        progress : bool
            Show a bar on standard error.

        Returns
        -------
        int
            How many deals were played again.

        Raises
        ------
        DatasetError
            Naming the first deal and the first column that differ.
        """
        if not 0 < share <= 1:
            raise DatasetError(f"share is {share!r}: it must be above 0 and at most 1")
        run = self._run(policies)
        generator = np.random.default_rng(seed)
        checked = 0
        with progress_bar(len(self), "deals", progress) as bar:
            for start, stop in self.parts:
                arrays = self._read(run, start, stop)
                n = min(stop - start, max(1, round((stop - start) * share)))
                deals = start + np.sort(generator.permutation(stop - start)[:n])
                for deal in deals.tolist():
                    again = run.allocate(1)
                    run.fill(again, deal, deal + 1)
                    for name, values in again.items():
                        if values[0] != arrays[name][deal - start]:
                            stored = arrays[name][deal - start]
                            raise DatasetError(
                                f"deal {deal}: column {name} holds {stored}, playing it again gives {values[0]}"
                            )
                checked += n
                bar.update(stop - start)
        return checked

    def __repr__(self) -> str:
        missing = sum(stop - start for start, stop in self.missing)
        state = f"{missing:,} deals missing" if missing else "complete" if self.complete else "not ended"
        parts = f"{len(self.parts)} part{'s' * (len(self.parts) != 1)}"
        return (
            f"<Dataset {self.path}: {len(self):,} deals from {self.start} in {parts}, "
            f"{len(self.columns)} columns, {state}>"
        )


def open_dataset(path: Any) -> Dataset:
    """Open a dataset, complete or not.

    Parameters
    ----------
    path : str or path
        Its folder, or an fsspec URL.

    Raises
    ------
    DatasetError
        If there is none.
    """
    return Dataset(path)


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
        return _Writer(folder, run, start, stop, resume, chunk).write(threads, executor, progress)


def _manifest_file(run: Run, manifest: Mapping[str, Any]) -> Any:
    """A Parquet file without rows whose schema carries the manifest."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = table_of(run, run.allocate(0))
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata({"sitoumus_manifest": json.dumps(manifest)}), sink)
    return sink.getvalue()


def _rows_of(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a provenance that fixes the rows."""
    return {name: value for name, value in provenance.items() if name not in ("version", "stop", "rules")}


class _Writer:
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
        for name, value in _rows_of(mine).items():
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

        mine = _rows_of(self.run.provenance())

        def task(first: int, last: int) -> Hashes | None:
            try:
                return read_part(
                    self.folder, self.run, first, last, is_it=lambda footer: _rows_of(footer["provenance"]) == mine
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
        self.folder.write(MANIFEST, _manifest_file(self.run, manifest))
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
            for part, hashes in played_far(executor, self.run, todo, partial(_write_far, self.folder.url)):
                self._count(part, hashes)
                update(part[1] - part[0])
        except BrokenExecutor as error:
            self._write_manifest()
            raise DatasetError(
                f"the executor has broken down ({error}); finished parts are kept, resume=True goes on"
            ) from error


def _write_far(url: str, run: Run, start: int, stop: int) -> Hashes:
    """What a worker does for a part."""
    return write_part(Folder(url), run, start, stop)


_WORDS = (
    ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.Invert, ast.USub, ast.BinOp, ast.BitAnd,
    ast.BitOr, ast.Add, ast.Sub, ast.Mult, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In,
    ast.NotIn, ast.List, ast.Tuple, ast.Load, ast.Name, ast.Constant,
)  # fmt: skip
_LONGEST_WHERE = 2_000  # characters: a longer expression could exhaust the parser's stack


def _names_in(where: str, columns: Sequence[str]) -> set[str]:
    """The columns that an expression names; an error where it holds anything that could run code."""
    may = "it must compare columns with numbers and texts, joined by and, or, not"
    if len(where) > _LONGEST_WHERE:
        raise DatasetError(f"where has {len(where)} characters: it must have at most {_LONGEST_WHERE}")
    try:
        tree = ast.parse(where.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise DatasetError(f"where is {checks.quoted(where)}: {may}") from None
    names = set()
    for node in ast.walk(tree):
        plain = not isinstance(node, ast.Constant) or type(node.value) in (bool, int, float, str)
        if not isinstance(node, _WORDS) or not plain:
            raise DatasetError(f"where is {checks.quoted(where)}: {may}, and {type(node).__name__} is none of these")
        if isinstance(node, ast.Name):
            names.add(checks.choice("a name in where", node.id, columns, DatasetError))
    return names


def _mask(frame: pd.DataFrame, where: str) -> Any:
    """Which rows an expression that `_names_in` has read keeps."""
    try:
        mask = frame.eval(where.strip())
    except Exception as error:  # whatever pandas raises for operands that do not go together
        raise DatasetError(f"where is {checks.quoted(where)}: it cannot be worked out ({error})") from None
    if str(getattr(mask, "dtype", "")) not in ("bool", "boolean"):
        raise DatasetError(f"where is {checks.quoted(where)}: it must be true or false in each row")
    return mask
