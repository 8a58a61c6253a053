"""Pictures of results, with matplotlib: colours that colour-blind readers tell apart, and that print well."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import StudyError
from .notebook import in_kernel

if TYPE_CHECKING:
    import pandas as pd

    from .advice import Advice
    from .bidding_table import BiddingTable
    from .compare import Comparison
    from .ladder import Ladder, Panel
    from .odds import ContractOdds
    from .threshold_parts import Part
    from .thresholds import Thresholds

__all__ = [
    "COLOURS",
    "plot_advice",
    "plot_bidding_table",
    "plot_comparison",
    "plot_histograms",
    "plot_ladder",
    "plot_odds",
    "plot_panel",
    "plot_rows",
    "plot_thresholds",
]

#: Okabe and Ito's colours; made, failed and void first.
COLOURS = ("#0072B2", "#D55E00", "#999999", "#009E73", "#E69F00", "#56B4E9", "#CC79A7", "#000000")


def axes(ax: Any = None) -> Any:
    """The axes to draw on: those given, or new ones.

    In a notebook they belong to pyplot, by which the notebook shows them and lets them go; elsewhere to no window and
    to nobody who would keep them.
    """
    if ax is not None:
        return ax
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise StudyError("pictures need matplotlib: pip install 'sitoumus[plot]'") from None
    if not in_kernel():
        return Figure(figsize=(8, 4.5), layout="constrained").subplots()
    from matplotlib import pyplot

    with warnings.catch_warnings():  # of many figures in one cell; rc_context would take the backend's settings back
        warnings.simplefilter("ignore", RuntimeWarning)
        return pyplot.figure(figsize=(8, 4.5), layout="constrained").subplots()


def check_file(path: str) -> None:
    """Refuse the name of a picture that cannot be written."""
    try:
        from matplotlib.backend_bases import FigureCanvasBase
    except ImportError:
        raise StudyError("pictures need matplotlib: pip install 'sitoumus[plot]'") from None
    known = FigureCanvasBase.get_supported_filetypes()
    kind = Path(path).suffix.removeprefix(".").lower()
    if kind not in known:
        raise StudyError(f"picture {path!r}: its name must end in one of {', '.join(sorted(known))}, such as odds.png")
    if not Path(path).parent.is_dir():
        raise StudyError(f"picture {path!r}: there is no directory {str(Path(path).parent)!r}")


def save(drawn: Any, path: str) -> None:
    """Write the picture that these axes belong to.

    Raises
    ------
    StudyError
        If it cannot be written.
    """
    figure = (drawn[0] if isinstance(drawn, list) else drawn).figure
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise StudyError(f"picture {path!r} cannot be written: {error}") from None


def _legend(ax: Any) -> None:
    """The legend, beside the axes, where it hides nothing."""
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize="small", frameon=False)


def _grow(ax: Any, rows: int) -> None:
    """Make the figure high enough for so many rows of text."""
    ax.figure.set_figheight(max(ax.figure.get_figheight(), 0.25 * rows + 1))


def _title(ax: Any, lines: Sequence[str]) -> None:
    ax.set_title("\n".join(lines), fontsize="small")


def plot_odds(odds: ContractOdds, ax: Any = None) -> Any:
    """Shares of made, failed and void by contract, with their intervals; beside them the ranges that were asked."""
    ax = axes(ax)
    frame = odds.frame
    for i, name in enumerate(("made", "failed", "void")):
        places = [place + 0.27 * (i - 1) for place in range(len(frame))]
        low, high = frame[name] - frame[f"{name}_low"], frame[f"{name}_high"] - frame[name]
        ax.bar(places, frame[name], 0.25, yerr=[low, high], capsize=3, label=name, color=COLOURS[i])
    for kind, shift, colour in (("policies", -0.35, COLOURS[7]), ("rules", -0.19, COLOURS[4])):
        if f"made_{kind}_least" in frame:
            places = [place + shift for place in range(len(frame))]
            ends = frame[f"made_{kind}_least"], frame[f"made_{kind}_most"]
            ax.vlines(places, *ends, color=colour, linewidth=3, label=f"made, range over {kind}")
    ax.set_xticks(range(len(frame)), frame["contract"])
    ax.set_ylim(0, 1)
    ax.set_ylabel("share of all deals")
    _title(ax, odds.heading()[:-1])
    _legend(ax)
    return ax


def plot_rows(rows: pd.DataFrame, ax: Any = None) -> Any:
    """How the deals of `simulate` went: their shares by level and result, or by how they ended without an auction."""
    ax = axes(ax)
    contracts = "level" in rows
    by = "level" if contracts else "ended"
    parts = rows["result"].astype(str) if contracts else np.full(len(rows), "ended")
    shares = rows.groupby([rows[by], parts], observed=True).size().unstack(fill_value=0) / len(rows)
    below, results = np.zeros(len(shares)), ("made", "failed", "void", "none", "ended")
    for name in (each for each in results if each in shares):
        colour = COLOURS[results.index(name) % 4]
        ax.bar(range(len(shares)), shares[name], 0.8, below, label=name, color=colour)
        below += shares[name].to_numpy()
    ax.set_xticks(range(len(shares)), [str(value) for value in shares.index])
    ax.set_xlabel("level of the contract, 0 for none" if contracts else "how the deal ended")
    ax.set_ylabel("share of all deals")
    _title(ax, [f"{len(rows):,} deals"])
    if contracts:
        _legend(ax)
    return ax


def plot_comparison(comparison: Comparison, ax: Any = None) -> Any:
    """Difference of two policies by component of the score, with intervals."""
    ax = axes(ax)
    frame = comparison.frame[comparison.frame["contract"] == comparison.frame["contract"].iloc[-1]]
    components, sides = list(frame["component"].unique()), list(frame["side"].unique())
    for i, side in enumerate(sides):
        rows = frame[frame["side"] == side].set_index("component")
        places = [components.index(name) + 0.2 * (i - (len(sides) - 1) / 2) for name in rows.index]
        _points(ax, rows, places, COLOURS[i], side)
    ax.set_xticks(range(len(components)), [name.replace("_", " ") for name in components], rotation=20)
    ax.axhline(0, color="#000000", linewidth=0.8)
    ax.set_ylabel(f"points a deal, {comparison.a} over {comparison.b}")
    _title(ax, comparison.heading()[:1])
    if len(sides) > 1:
        _legend(ax)
    return ax


def plot_ladder(ladder: Ladder, ax: Any = None) -> Any:
    """Points of every policy against every other, with intervals."""
    ax = axes(ax)
    for i, against in enumerate(ladder.names):
        rows = ladder.frame[ladder.frame["against"] == against]
        shift = 0.6 * (i / max(len(ladder.names) - 1, 1) - 0.5)
        places = [ladder.names.index(name) + shift for name in rows["policy"]]
        _points(ax, rows, places, COLOURS[i % len(COLOURS)], f"against {against}")
    ax.set_xticks(range(len(ladder.names)), ladder.names, rotation=20)
    ax.axhline(0, color="#000000", linewidth=0.8)
    ax.set_ylabel("points a deal, own minus opponents'")
    _title(ax, ladder.heading()[:1])
    _legend(ax)
    return ax


def plot_panel(panel: Panel, ax: Any = None) -> Any:
    """Shares made under every pair of policies, with their intervals."""
    ax = axes(ax)
    asked = list(panel.ranges[["hand", "contract"]].itertuples(index=False, name=None))
    for i, name in enumerate(panel.names):
        for j, against in enumerate(panel.names):
            rows = panel.frame[(panel.frame["policy"] == name) & (panel.frame["against"] == against)]
            shift = 0.7 * ((i * len(panel.names) + j + 0.5) / len(panel.names) ** 2 - 0.5)
            places = [asked.index(each) + shift for each in zip(rows["hand"], rows["contract"], strict=True)]
            marker = "os^Dv<>P"[j % 8]
            _points(ax, rows, places, COLOURS[i % len(COLOURS)], f"{name} against {against}", "made", marker)
    several = len({hand for hand, _ in asked}) > 1
    labels = [f"{contract}\n{hand[:20]}" if several else contract for hand, contract in asked]
    ax.set_xticks(range(len(asked)), labels)
    ax.set_ylim(0, 1)
    ax.set_ylabel("share made of all deals")
    _title(ax, panel.heading()[:-1])
    _legend(ax)
    return ax


def _points(
    ax: Any,
    rows: pd.DataFrame,
    places: list[float],
    colour: str,
    label: str | None = None,
    what: str = "points",
    marker: str = "o",
) -> None:
    errors = [rows[what] - rows[f"{what}_low"], rows[f"{what}_high"] - rows[what]]
    ax.errorbar(places, rows[what], yerr=errors, fmt=marker, capsize=3, color=colour, label=label)


def plot_histograms(frame: pd.DataFrame, names: Sequence[str], ax: Any = None) -> Any:
    """Histograms of columns of whole numbers: one on the axes given, or several in a figure of three columns."""
    from .show_condition import bins_of

    if len(names) == 1:
        panels = [axes(ax)]
    else:
        first = axes()
        figure = first.figure
        first.remove()
        panels = [figure.add_subplot((len(names) + 2) // 3, 3, i + 1) for i in range(len(names))]
    for panel, name in zip(panels, names, strict=True):
        values = frame[name].to_numpy().astype(int)
        bins = bins_of(values)
        shares = [((low <= values) & (values <= high)).mean() for low, high in bins]
        panel.bar(range(len(bins)), shares, 0.9, color=COLOURS[0])
        labels = [str(low) if low == high else f"{low}-{high}" for low, high in bins]
        panel.set_xticks(range(len(bins)), labels, fontsize="x-small", rotation=45 if len(labels[-1]) > 3 else 0)
        panel.set_title(name, fontsize="small")
        panel.set_ylabel("share of deals", fontsize="x-small")
    return panels[0] if len(names) == 1 else panels


def plot_advice(advice: Advice, ax: Any = None) -> Any:
    """How far each candidate is from the best, with intervals; the excluded ones in grey."""
    ax = axes(ax)
    frame = advice.frame.iloc[::-1].reset_index(drop=True)
    for excluded, colour, label in ((False, COLOURS[0], "not excluded"), (True, COLOURS[2], "excluded")):
        rows = frame[frame["excluded"] == excluded]
        if len(rows):
            widths = [rows["vs_best"] - rows["vs_best_low"], rows["vs_best_high"] - rows["vs_best"]]
            ax.errorbar(rows["vs_best"], rows.index, xerr=widths, fmt="o", capsize=3, color=colour, label=label)
    ax.axvline(0, color=COLOURS[7], linewidth=0.8)
    ax.set_yticks(range(len(frame)), frame[advice.kind])
    unit = "chance to win the match" if advice.utility.of_match else "points a deal"
    ax.set_xlabel(f"{unit}, less those of {advice.best} on the same deals")
    _title(ax, [line for line in advice.heading() if "±" not in line])
    _legend(ax)
    _grow(ax, len(frame))
    return ax


def plot_thresholds(thresholds: Thresholds, ax: Any = None) -> Any:
    """The curve of each contract with band and threshold, the means of the other half with intervals; by feature."""
    features = list(dict.fromkeys(part.feature for part in thresholds.parts))
    if len(features) == 1:
        panels = [axes(ax)]
    elif ax is not None:
        raise StudyError(f"these are {len(features)} features, and each has axes of its own: leave ax out")
    else:
        first = axes()
        figure = first.figure
        first.remove()
        figure.set_figheight(3.2 * len(features) + 1)
        panels = [figure.add_subplot(len(features), 1, i + 1) for i in range(len(features))]
    for panel, feature in zip(panels, features, strict=True):
        for i, part in enumerate(each for each in thresholds.parts if each.feature == feature):
            frame = thresholds.frame
            rows = frame[(frame["contract"] == part.contract) & (frame["feature"] == feature)]
            _curve(panel, part, rows, COLOURS[i % len(COLOURS)])
        panel.axhline(0, color=COLOURS[7], linewidth=0.8)
        panel.set_xlabel(feature)
        panel.set_ylabel("points a deal more")
        _legend(panel)
    _title(panels[0], [*thresholds.heading()[:-1], "curve and band: one half of the hands; points: the other"])
    return panels[0] if len(panels) == 1 else panels


def _curve(ax: Any, part: Part, rows: pd.DataFrame, colour: str) -> None:
    # a group of values is as wide as it is, from half below its first to half below the next
    values = rows["value"].to_numpy()
    steps = np.diff(values)
    edges = np.append(values, values[-1] + (int(np.median(steps)) if len(steps) else 1)) - 0.5
    ax.stairs(rows["fit"], edges, baseline=None, color=colour, linewidth=2, label=f"{part.contract} {part.text}")
    ends = [np.append(rows[name], rows[name].iloc[-1]) for name in ("fit_low", "fit_high")]
    ax.fill_between(edges, *ends, step="post", color=colour, alpha=0.2, linewidth=0)
    _points(ax, rows, list((edges[:-1] + edges[1:]) / 2), colour)
    if part.threshold is not None:
        beside = part.threshold + (-0.5 if part.fit.rising else 0.5)
        ax.axvline(beside, color=colour, linestyle="--", linewidth=0.8)


def plot_bidding_table(table: BiddingTable, ax: Any = None) -> Any:
    """The sheet: what each bid brings where it pays, in shades of grey, with the hand from which it pays."""
    ax = axes(ax)
    frame = table.frame
    gains = frame.pivot(index="contract", columns="minimum", values="gain").loc[table.sheet.index, table.sheet.columns]
    ax.imshow(gains.to_numpy(float), cmap="Greys", aspect="auto", alpha=0.5)
    for i, row in enumerate(table.sheet.to_numpy()):
        for j, cell in enumerate(row):
            ax.text(j, i, cell, ha="center", va="center", fontsize="x-small")
    ax.set_xticks(range(len(table.sheet.columns)), [str(minimum) for minimum in table.sheet.columns])
    ax.set_yticks(range(len(table.sheet.index)), list(table.sheet.index))
    ax.set_xlabel("opening minimum")
    _title(ax, [*table.heading(), "the darker, the more it brings there"])
    _grow(ax, len(table.sheet.index))
    return ax
