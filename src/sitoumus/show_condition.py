"""What a condition really asks for: its probability, sample hands and histograms, so that a wrong condition is seen."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from fractions import Fraction
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, checks
from .conditions import PreparedCondition, Where, as_condition, prepare
from .errors import StudyError
from .position import layout_of
from .rules import SITOUMUSSAMBA, RuleSet, as_rules
from .study import WIDTH, Study, asks, plain
from .version import RESULT_VERSION, __version__

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["ConditionView", "show_condition"]

SHOWN_HANDS = 20
#: Features that are shown besides those that the condition speaks of, until there are six.
_USUAL = ("longest_run", "jokers", "deuces", "best_opening", "card_points", "pairs")
_PANELS = 6
_BINS = 8


class ConditionView(Study):
    """A condition shown.

    Attributes
    ----------
    condition : Condition
    probability : float
    interval : tuple of float
        95 % interval of the probability; the point itself where it is exact.
    exact : bool
        Whether the probability is exact, and every deal dealt without trying.
    fraction : Fraction or None
        The probability as a fraction, if it is exact.
    tried, kept : int
        Deals tried and kept for the sample.
    seat : str
        Whose hands are shown.
    hands : list of Hand
        The first twenty hands of that seat.
    deals : list of Deal
        The deals that they come from: numbers 0 to 19 of the seed under this condition.
    frame : DataFrame
        One row a deal of the sample: ``deal``, ``tries``, and the features of the hands that the condition speaks of
        (of all hands where it speaks of none), with the suffixes ``_n _e _s _w``.
    """

    def __init__(
        self,
        prepared: PreparedCondition,
        seed: int,
        known: Mapping[str, Any],
        seat: str | None,
        n: int,
        estimated_from: int,
    ) -> None:
        self.condition = prepared.condition
        self.exact = prepared.exact
        self.fraction: Fraction | None = prepared.chance if prepared.exact else None
        self._prepared = prepared
        self._estimated_from = estimated_from
        self.probability, self.interval = prepared.probability(estimated_from, seed)
        counts, tries = prepared.sample(n, seed)
        self.tried, self.kept = int(tries.sum()), n
        seats = prepared.dealer.rules.seats
        spoken = prepared.condition.seats or seats
        self.seat = seat or prepared.exact_seat or spoken[0]
        sample = np.ascontiguousarray(counts[:SHOWN_HANDS, seats.index(self.seat)])
        self.hands = [_core.Hand(text) for text in _core.hand_texts(sample)]
        self.deals = [
            _core.Deal(seed, number, hands=known, rules=prepared.rules, where=prepared.condition)
            for number in range(len(self.hands))
        ]
        self.frame = _frame(counts, tries, seats, spoken, prepared.rules)
        self.provenance = {
            "version": __version__,
            "result_version": RESULT_VERSION,
            "rules_hash": prepared.rules.hash,
            "seed": seed,
            "where": str(prepared.condition),
            "where_hash": prepared.condition.hash,
            "hands": {name: str(_core.Hand(cards)) for name, cards in known.items()},
            "deals": n,
        }
        self.frame.attrs |= self.provenance

    @property
    def shown(self) -> list[str]:
        """Columns of the frame that `print` and `plot` show: those the condition speaks of, then usual ones."""
        suffix = f"_{self.seat.lower()}"
        asked = [
            f"{_core.FEATURES[q.what]}_{seat.lower()}"
            for seat in self.condition.seats
            for q in self.condition._quantities()
            if q.what < len(_core.FEATURES) and q.seat == {"N": "north", "E": "east", "S": "south", "W": "west"}[seat]
        ]
        usual = [name + suffix for name in _USUAL if name + suffix in self.frame]
        return list(dict.fromkeys([*asked, *usual]))[:_PANELS]

    def heading(self) -> list[str]:
        """The condition, its probability and how it is dealt."""
        p, (low, high) = self.probability, self.interval
        if self.exact:
            chance = f"probability {_number(p)} exactly" + (f": 1 deal in {1 / p:,.0f}" if p < 0.1 else "")
        else:
            chance = (
                f"probability {_number(p)} (95 % {_number(low)} to {_number(high)}), "
                f"estimated from {self._estimated_from:,} deals"
            )
        part = self._prepared
        if part.exact_part is None:
            how = "dealt by trying whole deals"
        elif part.rest is None:
            how = f"dealt exactly at {part.exact_seat}, nothing is tried in vain"
        else:
            how = f"{part.exact_part} dealt exactly, the rest by trying whole deals"
        lines = [f"condition: {self.condition}", chance, f"{how}; {self.tried:,} deals tried, {self.kept:,} kept"]
        return [part for line in lines for part in textwrap.wrap(line, WIDTH, subsequent_indent="  ")]

    def table(self) -> str:
        """Sample hands and small histograms."""
        lines = [f"hands of {self.seat}"]
        lines += [f"{number:4}  {hand}" for number, hand in enumerate(self.hands)]
        panels = [_panel(name, self.frame[name].to_numpy()) for name in self.shown]
        for i in range(0, len(panels), 3):
            row = panels[i : i + 3]
            height = max(map(len, row))
            padded = [[*panel, *[""] * (height - len(panel))] for panel in row]
            lines += ["", *("  ".join(f"{cell:<32}" for cell in cells).rstrip() for cells in zip(*padded, strict=True))]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from .notebook import html_table

        hands = [[str(number), str(hand)] for number, hand in enumerate(self.hands)]
        bins = [
            [name, label, f"{100 * share:.1f} %"]
            for name in self.shown
            for label, share in _histogram(self.frame[name].to_numpy().astype(int))
        ]
        return "\n".join(
            [
                html_table(["number", "hand"], hands, [*self.heading(), f"hands of {self.seat}"]),
                html_table(["feature", "value", "share"], bins),
            ]
        )

    def plot(
        self, ax: Axes | None = None, path: str | PathLike[str] | None = None, feature: str | None = None
    ) -> Any:
        """Histograms of the features shown, or of one column of the frame.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw one histogram.
        path : str or path, optional
            A file to write, whose ending says the format.
        feature : str, optional
            A column of the frame, such as ``"run_h_e"``; the first of those shown if only `ax` is given.

        Returns
        -------
        Axes, or list of Axes
        """
        from .plots import check_file, plot_histograms, save

        if feature is not None and feature not in self.frame:
            raise StudyError(f"feature is {feature!r}: columns of the frame are {', '.join(self.frame.columns)}")
        names = [feature] if feature is not None else self.shown[: 1 if ax is not None else _PANELS]
        if path is not None:
            check_file(fspath(path))
        drawn = plot_histograms(self.frame, names, ax)
        if path is not None:
            save(drawn, fspath(path))
        return drawn

    def to_dict(self) -> dict[str, Any]:
        """Plain values: the probability, how it was found, the sample hands."""
        return {
            **self.provenance,
            "probability": plain(self.probability),
            "probability_low": plain(self.interval[0]),
            "probability_high": plain(self.interval[1]),
            "exact": self.exact,
            "tried": self.tried,
            "kept": self.kept,
            "seat": self.seat,
            "sample": [str(hand) for hand in self.hands],
        }


@asks
def show_condition(
    where: Where,
    seed: int = 0,
    hands: Mapping[str, Any] | None = None,
    rules: RuleSet | str = SITOUMUSSAMBA,
    seat: str | None = None,
    deals: int = 1_000,
    tries: int = 100_000,
) -> ConditionView:
    """Show what a condition asks for, before it is used.

    Parameters
    ----------
    where : Condition, str or callable
    seed : int
    hands : mapping of seat to Hand or str, optional
        Known cards.
    rules : RuleSet
    seat : str, optional
        Whose hands are shown; a seat the condition speaks of if left out. If the condition speaks of ``me``,
        ``partner`` and so on, the seat from whom these are counted, even if it speaks only of others.
    deals : int
        Size of the sample behind the histograms.
    tries : int
        Deals tried to estimate the probability, where it is not exact.

    Returns
    -------
    ConditionView

    Raises
    ------
    StudyError
        If it is no condition, or an empty one.

    Examples
    --------
    >>> import sitoumus as sit
    >>> shown = sit.show_condition((sit.east.run_h >= 5) & (sit.east.jokers == 2), deals=100)
    >>> print(f"{shown.probability:.4e}", shown.exact, len(shown.hands))
    3.1072e-04 True 20
    """
    rules = as_rules(rules)
    if hands is not None:
        checks.an("hands", hands, Mapping, "a mapping such as {'N': '9c 9d'}")
    if seat is not None:
        checks.choice("seat", seat, layout_of(rules).seats)
    for name, value in (("deals", deals), ("tries", tries)):
        checks.whole(name, value, 1, checks.MOST_DEALS)
    relative = [each for each in getattr(as_condition(where), "seats", ()) if each in ("me", "lho", "partner", "rho")]
    if seat is None and relative:
        raise StudyError(
            f"{where} speaks of {relative[0]}: say from which seat, as in seat='S' or at the command line --seat S"
        )
    prepared = prepare(where, hands, rules, seat)
    known = {name: hand for name, hand in _core.known_cards(hands or {}, rules).items() if len(hand)}
    if seat not in prepared.condition.seats and str(prepared.condition) != str(as_condition(where)):
        seat = None  # only said from whom to count
    return ConditionView(prepared, seed, known, seat, int(deals), int(tries))


def _frame(
    counts: np.ndarray, tries: np.ndarray, seats: Sequence[str], spoken: Sequence[str], rules: RuleSet
) -> pd.DataFrame:
    import pandas as pd

    columns: dict[str, np.ndarray] = {"deal": np.arange(len(tries)), "tries": tries}
    for seat in spoken:
        table = _core.features(np.ascontiguousarray(counts[:, seats.index(seat)]), rules)
        columns |= {f"{name}_{seat.lower()}": table[name] for name in _core.FEATURES}
    return pd.DataFrame(columns)


def _number(p: float) -> str:
    return f"{p:.4f}" if p >= 0.01 or p == 0 else f"{p:.3e}"


def bins_of(values: np.ndarray) -> list[tuple[int, int]]:
    """At most eight bins of whole numbers, (first, last), of a round width."""
    low, high = int(values.min()), int(values.max())
    width = next(w for w in _widths() if high // w - low // w < _BINS)
    return [(w * width, w * width + width - 1) for w in range(low // width, high // width + 1)]


def _widths() -> Any:
    scale = 1
    while True:
        yield from (scale, 2 * scale, 5 * scale)
        scale *= 10


def _histogram(values: np.ndarray) -> list[tuple[str, float]]:
    """The bins of whole numbers as labels, each with its share."""
    return [
        (str(low) if low == high else f"{low}-{high}", float(((low <= values) & (values <= high)).mean()))
        for low, high in bins_of(values)
    ]


def _panel(name: str, values: np.ndarray) -> list[str]:
    """A histogram as text, 32 columns wide."""
    values = values.astype(int)
    bins = _histogram(values)
    most = max(share for _, share in bins)
    lines = [f"{name}, mean {values.mean():.2f}"]
    for label, share in bins:
        lines.append(f"{label:>9} {'█' * round(14 * share / most):<14} {100 * share:4.1f} %")
    return lines
