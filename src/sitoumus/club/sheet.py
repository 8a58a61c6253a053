"""The match sheet: a column for each side, for each deal its score, its rulings and the new total; with corrections."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _core
from ..errors import SitoumusError, StudyError
from ..play import settlement
from ..position import layout_of
from ..rules import RuleSet, as_rules
from ..score import Score

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MatchSheet", "SheetEntry"]


@dataclass(frozen=True)
class SheetEntry:
    """One deal on a sheet.

    Attributes
    ----------
    deal : int
        Number of the deal, from 1.
    scores : dict of int
        By side, rulings included.
    rulings : dict of int
        Points of rulings by side; empty where the deal has none.
    note : str
        How it came: a contract, a file.
    corrects : bool
        Whether it takes the place of an earlier entry of the same deal.
    """

    deal: int
    scores: dict[str, int]
    rulings: dict[str, int]
    note: str = ""
    corrects: bool = False


class MatchSheet:
    """The score sheet of a match, from deals that were played or typed in.

    Parameters
    ----------
    rules : RuleSet or str, optional
        Sitoumussamba if left out.
    names : mapping of side to str, optional
        Who plays.
    totals : mapping of side to int, optional
        Totals when the sheet begins.
    date, place : str, optional
        Printed at the top.

    Examples
    --------
    >>> sheet = MatchSheet("samba", names={"NS": "Aino and Eero", "EW": "Helmi and Otto"})
    >>> sheet.add({"NS": 1250, "EW": -85}), sheet.add({"NS": 300, "EW": 2100})
    (1, 2)
    >>> sheet.correct(1, {"NS": 1350, "EW": -85})
    >>> sheet.totals, sheet.winner
    ({'NS': 1650, 'EW': 2015}, 'none')
    """

    def __init__(
        self,
        rules: RuleSet | str | None = None,
        names: Mapping[str, str] | None = None,
        totals: Mapping[str, int] | None = None,
        date: str = "",
        place: str = "",
    ) -> None:
        self.rules = as_rules(rules)
        self.sides = layout_of(self.rules).sides
        self.names = {side: str((names or {}).get(side, side)) for side in self.sides}
        self.date, self.place = str(date), str(place)
        for key, given in (("names", names), ("totals", totals)):
            for side in given or {}:
                if side not in self.sides:
                    raise StudyError(f"{key} names {side!r}: the sides of this game are {', '.join(self.sides)}")
        self.start = self._numbers("totals", {**dict.fromkeys(self.sides, 0), **(totals or {})})
        #: Every entry in the order of writing, corrected ones too.
        self.entries: list[SheetEntry] = []
        #: The side that lost the match by a ruling.
        self.forfeited: str | None = None

    # -- writing

    def add(self, score: Score | Mapping[str, int], note: str = "") -> int:
        """Write a deal down; its number on the sheet.

        Parameters
        ----------
        score : Score or mapping of side to int
        note : str, optional

        Raises
        ------
        StudyError
            If the match is over, or a number is missing.
        """
        if self.winner != "none":
            raise StudyError(f"the match is over, {self.winner} has won it: no deal is added (R1)")
        number = len(self.deals) + 1
        self._write(number, score, note, False)
        return number

    def correct(self, number: int, score: Score | Mapping[str, int], note: str = "") -> None:
        """Write a deal again; the old line stays, struck out.

        Raises
        ------
        StudyError
            If the sheet has no such deal.
        """
        if number not in self.deals:
            raise StudyError(f"deal {number} cannot be corrected: the sheet has {len(self.deals)} deals")
        self._write(number, score, note, True)

    def _write(self, number: int, score: Score | Mapping[str, int], note: str, corrects: bool) -> None:
        rulings: dict[str, int] = {}
        if isinstance(score, Score):
            scores = dict(score.sides)
            if any("rulings" in parts for parts in score.components.values()):
                rulings = {side: parts["rulings"] for side, parts in score.components.items()}
            words = score.ended.split()
            if words[0] == "forfeit":
                self.forfeited = words[1]
        else:
            scores = dict(score)
        self.entries.append(SheetEntry(number, self._numbers("score", scores), rulings, str(note), corrects))

    def _numbers(self, what: str, given: Mapping[str, Any]) -> dict[str, int]:
        if set(given) != set(self.sides):
            raise StudyError(f"{what} is {dict(given)!r}: give a whole number for each of {', '.join(self.sides)}")
        for side, points in given.items():
            if isinstance(points, bool) or not isinstance(points, int):
                raise StudyError(f"{what} of {side} is {points!r}: it must be a whole number")
        return {side: int(given[side]) for side in self.sides}

    # -- reading

    @property
    def deals(self) -> dict[int, SheetEntry]:
        """The entries that count, by number."""
        return {entry.deal: entry for entry in self.entries}

    @property
    def totals(self) -> dict[str, int]:
        """Points of each side so far."""
        return {
            side: self.start[side] + sum(entry.scores[side] for entry in self.deals.values()) for side in self.sides
        }

    @property
    def winner(self) -> str:
        """The side that has won, ``"draw"``, or ``"none"`` while the match goes on; rulings count (R1, I14.3)."""
        if self.forfeited is not None:
            return next(side for side in self.sides if side != self.forfeited)
        if not self.entries:
            return "none"
        return _core.match_won(self.rules, list(self.totals.values()), len(self.deals))

    def settlement(self) -> dict[str, int]:
        """What the match settles by side: totals, difference or rounded difference (``match.settle``)."""
        return settlement(self.rules, self.totals)

    def _lines(self) -> list[tuple[int, str, dict[str, int]]]:
        """(deal, line, numbers): score, rulings where there are any, total."""
        lines: list[tuple[int, str, dict[str, int]]] = []
        totals = dict(self.start)
        for number, entry in sorted(self.deals.items()):
            played = {side: entry.scores[side] - entry.rulings.get(side, 0) for side in self.sides}
            lines.append((number, "score", played))
            if entry.rulings:
                lines.append((number, "rulings", {side: entry.rulings.get(side, 0) for side in self.sides}))
            totals = {side: totals[side] + entry.scores[side] for side in self.sides}
            lines.append((number, "total", dict(totals)))
        return lines

    @property
    def frame(self) -> pd.DataFrame:
        """The sheet as a frame: index deal and line (score, rulings where there are any, total), a column a side."""
        import pandas as pd

        lines = self._lines()
        index = pd.MultiIndex.from_tuples([line[:2] for line in lines], names=["deal", "line"])
        return pd.DataFrame([list(line[2].values()) for line in lines], index=index, columns=list(self.sides))

    def __len__(self) -> int:
        return len(self.deals)

    def __str__(self) -> str:
        width = max(9, *(len(name) for name in self.names.values()))
        lines = [" ".join(filter(None, (self.rules.name.replace("_", " "), self.date, self.place)))]
        lines.append(f"{'deal':>4}  {'line':<8}" + "".join(f"{self.names[side]:>{width + 2}}" for side in self.sides))
        for number, line, numbers in self._lines():
            shown = "".join(f"{numbers[side]:>{width + 2}}" for side in self.sides)
            lines.append(f"{number if line == 'score' else '':>4}  {line:<8}{shown}")
        for entry in self.struck():
            shown = "".join(f"{entry.scores[side]:>{width + 2}}" for side in self.sides)
            lines.append(f"{entry.deal:>4}  {'struck':<8}{shown}")
        lines.append(self._outcome())
        return "\n".join(lines)

    def struck(self) -> list[SheetEntry]:
        """Entries that a correction has taken the place of."""
        valid = list(self.deals.values())
        return [entry for entry in self.entries if not any(entry is other for other in valid)]

    def _outcome(self) -> str:
        winner = self.winner
        if winner == "none":
            return "the match goes on"
        settled = ", ".join(f"{self.names[side]} {points}" for side, points in self.settlement().items())
        how = "the match is a draw" if winner == "draw" else f"{self.names[winner]} wins"
        return f"{how}; settled: {settled}"

    def to_html(self) -> str:
        """A page that prints on A4: names, every line, struck ones too, and the outcome."""
        head = " · ".join(filter(None, (self.rules.name.replace("_", " "), self.date, self.place)))
        cells = "".join(f'<th scope="col">{html.escape(self.names[side])}</th>' for side in self.sides)
        rows = []
        struck: dict[int, list[SheetEntry]] = {}
        for entry in self.struck():
            struck.setdefault(entry.deal, []).append(entry)
        for number, line, numbers in self._lines():
            for old in struck.pop(number, []) if line == "score" else []:
                shown = "".join(f"<td><s>{old.scores[side]}</s></td>" for side in self.sides)
                rows.append(f'<tr class="struck"><th scope="row"><s>{number}</s></th><td>corrected</td>{shown}</tr>')
            shown = "".join(f"<td>{numbers[side]}</td>" for side in self.sides)
            name = number if line == "score" else ""
            rows.append(f'<tr class="{line}"><th scope="row">{name}</th><td>{line}</td>{shown}</tr>')
        return _PAGE.format(
            title=html.escape(head), names=cells, rows="\n".join(rows), outcome=html.escape(self._outcome())
        )

    def _repr_html_(self) -> str:
        from ..notebook import html_table

        rows = [[number if line == "score" else "", line, *numbers.values()] for number, line, numbers in self._lines()]
        return html_table(["deal", "line", *self.names.values()], rows, [self._outcome()])

    # -- files

    def to_dict(self) -> dict[str, Any]:
        """The sheet as plain values."""
        plain: dict[str, Any] = {"rules": self.rules.to_dict()}
        if any(self.names[side] != side for side in self.sides):
            plain["names"] = dict(self.names)
        plain |= {key: value for key, value in (("date", self.date), ("place", self.place)) if value}
        if any(self.start.values()):
            plain["totals"] = dict(self.start)
        if self.forfeited:
            plain["forfeited"] = self.forfeited
        entries = []
        for entry in self.entries:
            written: dict[str, Any] = {"deal": entry.deal, "scores": dict(entry.scores)}
            if entry.rulings:
                written["rulings"] = dict(entry.rulings)
            if entry.note:
                written["note"] = entry.note
            entries.append(written)
        return plain | {"deals": entries}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any], folder: Path | None = None) -> MatchSheet:
        """A sheet from plain values.

        Each of ``deals`` has its ``scores`` (and ``rulings``), or a ``form`` of a typed deal, or a ``game``, the file
        of a record. ``deal`` is its number; one that has stood before is a correction.

        Raises
        ------
        StudyError
            If it is written wrongly; the message names the place in ``deals``, from 1.
        """
        known = ("rules", "names", "date", "place", "totals", "forfeited", "deals")
        for key in plain:
            if key not in known:
                raise StudyError(f"unknown key {key!r}: a sheet has {', '.join(known)}")
        rules = plain.get("rules")
        found = RuleSet.from_dict(rules) if isinstance(rules, Mapping) else as_rules(rules)
        sheet = cls(found, plain.get("names"), plain.get("totals"), plain.get("date", ""), plain.get("place", ""))
        deals = plain.get("deals", [])
        if not isinstance(deals, Sequence) or isinstance(deals, str):
            raise StudyError("deals must be a list of tables, [[deals]] in TOML")
        for place, item in enumerate(deals, 1):
            try:
                sheet._read(item, folder)
            except SitoumusError as error:
                raise StudyError(f"deals {place}: {error}") from None
        if plain.get("forfeited") is not None:
            if plain["forfeited"] not in sheet.sides:
                raise StudyError(f"forfeited is {plain['forfeited']!r}: it must be one of {', '.join(sheet.sides)}")
            sheet.forfeited = plain["forfeited"]
        return sheet

    def _read(self, item: Any, folder: Path | None) -> None:
        from ..record import load_game
        from .form import read_form

        if not isinstance(item, Mapping) or len({"scores", "form", "game"} & set(item)) != 1:
            raise StudyError(f"{item!r} must be a table with one of scores, form and game")
        number = item.get("deal", len(self.deals) + 1)
        score: Score | Mapping[str, int]
        if "form" in item:
            deal = read_form(item["form"], self.rules)
            if not deal.totals:
                deal.totals = dict(self.totals)
            score = deal.score()
        elif "game" in item:
            score = load_game((folder or Path()) / item["game"]).score
        else:
            score = item["scores"]
        note = str(item.get("note", ""))
        if number in self.deals:
            self.correct(number, score, note)
        elif number != len(self.deals) + 1:
            raise StudyError(f"deal is {number!r}: the next deal is {len(self.deals) + 1}")
        else:
            self.add(score, note)
        if "rulings" in item:
            entry = self.entries.pop()
            rulings = self._numbers("rulings", {**dict.fromkeys(self.sides, 0), **item["rulings"]})
            self.entries.append(SheetEntry(entry.deal, entry.scores, rulings, entry.note, entry.corrects))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the sheet as TOML; `load` reads it."""
        import tomli_w

        from ..rules import _toml

        Path(path).write_text(tomli_w.dumps(_toml(self.to_dict())), encoding="utf-8")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> MatchSheet:
        """Read a sheet from a TOML file.

        Raises
        ------
        StudyError
            If it cannot be read.
        """
        import tomllib

        path = Path(path)
        try:
            plain = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise StudyError(f"{path} cannot be read: {error}") from None
        try:
            return cls.from_dict(plain, path.parent)
        except SitoumusError as error:
            raise StudyError(f"{path}: {error}") from None


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
@page {{ size: A4; margin: 20mm }}
body {{ font-family: sans-serif; max-width: 170mm; margin: 1em auto }}
table {{ border-collapse: collapse; width: 100% }}
th, td {{ padding: 0.15em 0.6em; text-align: right }}
tr.total td {{ border-bottom: 1px solid; font-weight: bold }}
tr.struck {{ opacity: 0.6 }}
</style>
</head>
<body>
<h1>{title}</h1>
<table>
<thead><tr><th scope="col">deal</th><th scope="col">line</th>{names}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
<p>{outcome}</p>
</body>
</html>
"""
