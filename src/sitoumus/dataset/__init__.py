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

from .opened import Dataset, open_dataset
from .writer import write_dataset

__all__ = ["Dataset", "open_dataset", "write_dataset"]
