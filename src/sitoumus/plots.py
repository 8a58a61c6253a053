"""Pictures of results, with matplotlib: colours that colour-blind readers tell apart, and that print well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .errors import StudyError

if TYPE_CHECKING:
    import pandas as pd

    from .advice import Advice
    from .compare import Comparison
    from .ladder import Ladder, Panel
    from .odds import ContractOdds
    from .thresholds import BiddingTable, Thresholds

__all__ = [
    "COLOURS",
    "plot_advice",
    "plot_bidding_table",
    "plot_comparison",
    "plot_histograms",
    "plot_ladder",
    "plot_odds",
    "plot_panel",
    "plot_thresholds",
]

#: Okabe and Ito's colours; made, failed and void first.
COLOURS = ("#0072B2", "#D55E00", "#999999", "#009E73", "#E69F00", "#56B4E9", "#CC79A7", "#000000")


def axes(ax: Any = None) -> Any:
    """The axes to draw on: those given, or new ones that belong to no window."""
    if ax is not None:
        return ax
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise StudyError("pictures need matplotlib: pip install 'sitoumus[plot]'") from None
    return Figure(figsize=(8, 4.5), layout="constrained").subplots()


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
    ax.set_title("\n".join(odds.heading()[:2]), fontsize="small")
    ax.legend()
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
    ax.set_title(comparison.heading()[0], fontsize="small")
    if len(sides) > 1:
        ax.legend()
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
    ax.set_title(ladder.heading()[0], fontsize="small")
    ax.legend(fontsize="small")
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
    ax.set_title("\n".join(panel.heading()[:-1]), fontsize="small")
    ax.legend(fontsize="x-small")
    return ax


def _points(
    ax: Any, rows: pd.DataFrame, places: list[float], colour: str, label: str, what: str = "points", marker: str = "o"
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
    ax.set_title("\n".join(advice.heading()[:2]), fontsize="small")
    ax.legend()
    return ax


def plot_thresholds(thresholds: Thresholds, ax: Any = None) -> Any:
    """The curve of each contract and feature with its band and threshold; the means of the other half as points."""
    ax = axes(ax)
    features = list(dict.fromkeys(part.feature for part in thresholds.parts))
    for i, part in enumerate(thresholds.parts):
        colour = COLOURS[i % len(COLOURS)]
        rows = thresholds.frame[
            (thresholds.frame["contract"] == part.contract) & (thresholds.frame["feature"] == part.feature)
        ]
        label = part.contract if len(features) == 1 else f"{part.contract} by {part.feature}"
        ax.step(rows["value"], rows["fit"], where="post", color=colour, label=f"{label}: {part.fit.verdict}")
        ax.fill_between(rows["value"], rows["fit_low"], rows["fit_high"], step="post", color=colour, alpha=0.2)
        ax.plot(rows["value"], rows["points"], "o", color=colour, markersize=4)
        if part.fit.threshold is not None:
            ax.axvline(part.fit.threshold, color=colour, linestyle="--", linewidth=0.8)
    ax.axhline(0, color=COLOURS[7], linewidth=0.8)
    ax.set_xlabel(" or ".join(features))
    ax.set_ylabel("points a deal more than what it is compared with")
    ax.set_title("\n".join(thresholds.heading()[:2]), fontsize="small")
    ax.legend(fontsize="small")
    return ax


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
    ax.set_title("From which hand on a bid pays; the darker, the more it brings there", fontsize="small")
    if ax.figure.get_figheight() < 0.25 * len(table.sheet.index) + 1:
        ax.figure.set_figheight(0.25 * len(table.sheet.index) + 1)
    return ax
