"""Parts: the rows of a range of deals as one Parquet file, with the hashes of its columns."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..errors import DatasetError
from ..run import Run, digest_of, hashes_of, names_of, never
from ..schedule import DEALS_A_TASK, Pace
from .folder import Folder, part_name

Hashes = dict[str, int]


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
    pace = Pace(DEALS_A_TASK if run.plays_compiled else 1)
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


def rows_of(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a provenance that fixes the rows."""
    return {name: value for name, value in provenance.items() if name not in ("version", "stop", "rules")}
