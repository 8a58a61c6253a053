"""Pictures of results, with matplotlib: colours that colour-blind readers tell apart, and that print well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import StudyError

if TYPE_CHECKING:
    from .odds import ContractOdds

__all__ = ["COLOURS", "plot_odds"]

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
    """Shares of made, failed and void by contract, with their intervals."""
    ax = axes(ax)
    frame = odds.frame
    for i, name in enumerate(("made", "failed", "void")):
        places = [place + 0.27 * (i - 1) for place in range(len(frame))]
        low, high = frame[name] - frame[f"{name}_low"], frame[f"{name}_high"] - frame[name]
        ax.bar(places, frame[name], 0.25, yerr=[low, high], capsize=3, label=name, color=COLOURS[i])
    ax.set_xticks(range(len(frame)), frame["contract"])
    ax.set_ylim(0, 1)
    ax.set_ylabel("share of all deals")
    ax.set_title("\n".join(odds.heading()[:2]), fontsize="small")
    ax.legend()
    return ax
