"""A dataset that is opened: its rows, as frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DatasetError
from ..frames import frame_of
from ..rules import RuleSet
from ..run import Run
from ..schedule import progress_bar

if TYPE_CHECKING:
    import pandas as pd
from .folder import MANIFEST, SUCCESS, Folder, gaps, part_name, part_range, read_manifest
from .parts import read_part, table_of
from .where import mask_of, names_in

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
            frames.append(frame[mask_of(frame, where) if isinstance(where, str) else where(frame)][wanted])
        frame = frame_of(shape, arrays) if where is None else pd.concat(frames)
        frame.attrs = dict(self.provenance)
        return frame[wanted] if where is None and columns is not None else frame

    def _named(self, wanted: Sequence[str], where: Any) -> list[str]:
        """The columns wanted and those that a condition on the rows names."""
        if not isinstance(where, str):
            return list(self.columns)
        words = names_in(where, self.columns)
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
