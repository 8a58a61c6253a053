"""Rows of the core as frames: names for codes, missing values for what never happened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .run import Run, names_of, never

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["frame_of", "wide"]


def frame_of(
    run: Run, arrays: Mapping[str, np.ndarray], start: int | None = None, stop: int | None = None
) -> pd.DataFrame:
    """The DataFrame of those columns of a run that are given; wide ones are not copied."""
    import pandas as pd

    kinds: dict[str, Any] = {}
    columns: dict[str, Any] = {}
    for name, kind in run.columns:
        if name not in arrays:
            continue
        names = names_of(kind, run.rules)
        if names is None:
            columns[name] = wide(name, kind, arrays[name])
        else:
            if kind not in kinds:
                kinds[kind] = pd.CategoricalDtype(list(names))
            columns[name] = pd.Categorical.from_codes(arrays[name], dtype=kinds[kind], validate=False)
    frame = pd.DataFrame(columns, copy=False)
    frame.attrs = run.provenance(start, stop)
    return frame


def wide(name: str, kind: str, values: np.ndarray) -> Any:
    """A column of numbers as frames have it: no narrower than int32, what never happened is missing."""
    import pandas as pd

    if never(name):
        return pd.arrays.IntegerArray(values.astype(np.int32), values < 0)
    return values.astype(np.int32) if kind in ("int8", "int16") else values
