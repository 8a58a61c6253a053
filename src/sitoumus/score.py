"""The score of a deal, taken apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Score"]

#: The rules by which contract points are given, by result: undoubled, doubled.
CONTRACT_RULES = {"made": ("R9.9", "R9.10"), "failed": ("R9.11", "R9.12"), "void": ("D26", "D26")}


class Score:
    """Points of a deal by side, with everything they are made of.

    Made by `Table.score` and found as `Game.score`.

    Attributes
    ----------
    result : {"made", "failed", "void", "none"}
        Of the contract; none without one.
    ended : str
        ``"stock"``, or ``"out N"`` with the seat that went out.
    components : dict of dict
        By side: ``bonus`` (complete melds and going out), ``card_points``, ``hand_minus``, ``penalties`` (bought threes
        included), ``contract_points`` in bidding games, ``bonus_cards`` (signed) where cards are laid out.
        ``rulings`` (signed) where the deal has irregularities.
        score = bonus + bonus_cards + card_points - hand_minus - penalties + contract_points + rulings.
    doubts : tuple of str
        What is doubtful in a deal that was typed in, each a sentence with its rule.
    sides : dict of int
        Score by side; ``score["NS"]`` and, where sides have these names, ``score.ns`` and ``score.ew`` read it.
    """

    __slots__ = ("_lines", "components", "doubts", "ended", "result", "sides")

    def __init__(
        self,
        result: str,
        ended: str,
        components: dict[str, dict[str, int]],
        sides: dict[str, int],
        lines: list[tuple[str, str, str, int]],
        doubts: tuple[str, ...] = (),
    ) -> None:
        self.result = result
        self.ended = ended
        self.components = components
        self.sides = sides
        self._lines = lines
        self.doubts = doubts

    def __getitem__(self, side: str) -> int:
        try:
            return self.sides[side]
        except KeyError:
            raise KeyError(f"{side!r} is no side: sides are {' '.join(self.sides)}") from None

    @property
    def ns(self) -> int:
        """Score of North and South."""
        return self["NS"]

    @property
    def ew(self) -> int:
        """Score of East and West."""
        return self["EW"]

    def explain(self) -> pd.DataFrame:
        """A line for everything that counts: side, rule, what, points. The points of a side add up to its score."""
        import pandas as pd

        return pd.DataFrame(self._lines, columns=["side", "rule", "what", "points"])

    def to_dict(self) -> dict[str, Any]:
        """Result, ending, scores and components as plain values."""
        return {
            "result": self.result,
            "ended": self.ended,
            "scores": dict(self.sides),
            "components": {side: dict(parts) for side, parts in self.components.items()},
        }

    def _repr_html_(self) -> str:
        from .notebook import html_table

        rows = [[str(each) for each in line] for line in self._lines]
        rows += [[side, "", "score", str(points)] for side, points in self.sides.items()]
        return html_table(["side", "rule", "what", "points"], rows, [f"{self.result}, ended by {self.ended}"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.result, self.ended, tuple(self.sides.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return Score, (self.result, self.ended, self.components, self.sides, self._lines, self.doubts)

    def __repr__(self) -> str:
        scores = ", ".join(f"{side} {points:+d}" for side, points in self.sides.items())
        return f"<Score {scores}; {self.result}, ended by {self.ended}>"
