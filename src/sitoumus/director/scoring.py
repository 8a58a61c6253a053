"""The score of a deal with its rulings: a signed component of their own, beside what the rules of play give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..score import Score

if TYPE_CHECKING:
    from .incidents import Ruling
    from .referee import Referee

__all__ = ["add_rulings", "score_with_rulings"]

Line = tuple[str, str, str, int]


def add_rulings(score: Score, points: Mapping[str, int], lines: Sequence[Line]) -> Score:
    """A score with the points of rulings by side; `lines` are (side, rule, what, points)."""
    components = {side: {**parts, "rulings": points[side]} for side, parts in score.components.items()}
    sides = {side: total + points[side] for side, total in score.sides.items()}
    return Score(score.result, score.ended, components, sides, [*score._lines, *lines])


def ruling_lines(rulings: Sequence[Ruling], sides: Sequence[str], side_of: Mapping[str, str]) -> list[Line]:
    """A line a ruling and side; a ruling without points has one for the offender's side."""
    lines: list[Line] = []
    for ruling in rulings:
        mine = side_of[ruling.incident.seat]
        for side in sides:
            if side in ruling.points or (side == mine and not ruling.points):
                lines.append((side, ruling.rule, ruling.brief, ruling.points.get(side, 0)))
    return lines


def score_with_rulings(referee: Referee) -> Score:
    """See `Referee.score`."""
    if referee.state == "play":
        score = referee.table.score()
        if not referee.entries and not referee.before:
            return score
    else:
        score = Score(
            "none",
            str(referee.ended),
            {side: dict.fromkeys(_parts(referee), 0) for side in referee.sides},
            dict.fromkeys(referee.sides, 0),
            [],
        )
    lines = [(side, "I1.3", "rulings before this position", points) for side, points in referee.before.items()]
    sides_of = {seat: referee.side_of(seat) for seat in referee.seats}
    return add_rulings(score, referee.points, lines + ruling_lines(referee.rulings, referee.sides, sides_of))


def _parts(referee: Referee) -> list[str]:
    rules = referee.table.rules
    parts = ["bonus", "card_points", "hand_minus", "penalties"]
    if rules.bonus.cards:
        parts.append("bonus_cards")
    if rules.contract is not None:
        parts.append("contract_points")
    return parts
