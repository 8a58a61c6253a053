"""The folder of a dataset: which files lie in it, how they are named, what is finished."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .. import checks
from ..errors import DatasetError, StudyError

FORMAT = "sitoumus-dataset-1"
MANIFEST = "_manifest.parquet"
#: As it was called in earlier versions, a JSON file; such folders are read.
EARLIER = "manifest.json"
SUCCESS = "_SUCCESS"


# Files


class Folder:
    """The files of one dataset, on any filesystem that fsspec knows."""

    def __init__(self, path: Any) -> None:
        try:
            import fsspec
            import pyarrow  # noqa: F401
        except ImportError:
            raise StudyError("datasets need pyarrow and fsspec: pip install 'sitoumus[parquet]'") from None
        self.url = checks.file_path("path", path, DatasetError)
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
        except (FileNotFoundError, NotADirectoryError):
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
