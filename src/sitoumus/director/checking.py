"""A record checked by the referee: every infraction with its ruling, and the game as it stands after them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import RulingError
from ..record import Game, read_start, records_of
from .editing import side_of
from .incidents import Ruling
from .logs import judge_log
from .referee import Referee

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RefereeReport", "referee"]

#: The columns of `RefereeReport.frame`.
COLUMNS = ("deal", "after", "seat", "what", "noticed", "remedy", "side", "points", "rule", "text")


@dataclass(frozen=True, eq=False)
class RefereeReport:
    """What the referee found in a record.

    Attributes
    ----------
    game : Game
        The judged game: its actions are the legal ones, its incidents the irregular ones with their rulings.
    rulings : tuple of Ruling
        On every irregular act in order, also those that the code does not know.
    """

    game: Game
    rulings: tuple[Ruling, ...]

    @property
    def clean(self) -> bool:
        """Whether nothing irregular was found."""
        return not self.rulings

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each ruling and side that it gives points to, one for the offender's side where it gives none.

        Columns: deal, after, seat, what, noticed, remedy, side, points, rule, text.
        """
        import pandas as pd

        rows = []
        for after, ruling in self.game.incidents:
            incident = ruling.incident
            points = dict(ruling.points) or {side_of(self.game.table, incident.seat): 0}
            for side, number in points.items():
                start = (self.game.deal.number, after, incident.seat, str(ruling.what), incident.noticed)
                rows.append((*start, str(ruling.remedy), side, number, ruling.rule, str(ruling)))
        return pd.DataFrame(rows, columns=list(COLUMNS))

    def lines(self) -> list[str]:
        """A line an infraction, then how many there are and the score."""
        lines = []
        for after, ruling in self.game.incidents:
            what = str(ruling.what).replace("_", " ")
            moment = ruling.incident.noticed.replace("_", " ")
            lines.append(f"{after:>5}  {ruling.incident.seat}  {what:<20}{moment:<13}{ruling}")
        number = len(self.game.incidents)
        count = f"{number or 'no'} infraction{'' if number == 1 else 's'}"
        if not self.game.over:
            return [*lines, f"{count}; the deal goes on"]
        score = self.game.score
        ruled = {side: parts.get("rulings", 0) for side, parts in score.components.items()}
        said = ", ".join(f"{side} {points:+d}" for side, points in ruled.items() if points)
        scores = ", ".join(f"{side} {points}" for side, points in score.sides.items())
        return [*lines, f"{count}; {scores}{f' (rulings: {said})' if said else ''}"]

    def __str__(self) -> str:
        return "\n".join(self.lines())


def referee(
    source: str | os.PathLike[str] | Mapping[str, Any] | Game, number: int | None = None, noticed: str | None = None
) -> RefereeReport:
    """Check a record that may hold illegal acts.

    Parameters
    ----------
    source : path, mapping or Game
        A record. Its actions may be illegal, may start with their seat (``"W: draw"``), and ``"claim S"`` says when
        somebody pointed something out. A record that has been judged gives its incidents.
    number : int, optional
        Which record of a ``.jsonl`` file, from 0.
    noticed : str, optional
        When every irregularity counts as noticed, instead of what the claims say.

    Returns
    -------
    RefereeReport

    Raises
    ------
    RecordError, RulingError
        If the record cannot be read, or an act in it cannot be ruled on.

    Examples
    --------
    >>> from sitoumus import Deal, play
    >>> referee(play(Deal(seed=7, number=42), policies="random")).clean
    True
    """
    if isinstance(source, Game):
        return RefereeReport(source, tuple(ruling for _, ruling in source.incidents))
    record = source if isinstance(source, Mapping) else records_of(Path(source), number)
    if record.get("incidents"):
        game = Game.from_dict(record)
        return RefereeReport(game, tuple(ruling for _, ruling in game.incidents))
    start, log = read_start(record)
    director = Referee(start.table)
    try:
        rulings = judge_log(director, log, noticed)
    except RulingError as error:
        raise RulingError(f"{'' if isinstance(source, Mapping) else f'{source}: '}{error}") from None
    game = replace(start, table=director.table, actions=tuple(director.actions), incidents=tuple(director.entries))
    return RefereeReport(game, tuple(rulings))
