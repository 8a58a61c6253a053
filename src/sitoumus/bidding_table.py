"""The player's sheet: for each strain and level the hand from which the bid pays, at each opening minimum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from . import _core, checks
from .errors import StudyError, StudyInterrupted
from .hand_differences import Pairs, check_feature, check_numbers, differences
from .notation import STRAINS, parse_contract
from .policies import DEFAULT, by_seat, specs
from .position import layout_of
from .rules import SITOUMUSSAMBA, RuleSet, as_rules
from .schedule import progress_bar, thread_count
from .stats import LEVEL
from .study import WIDTH, Study, asks, plain, records, text_table
from .threshold_parts import Part, frames_of, holm
from .version import RESULT_VERSION, __version__
from .worlds import FLOOR

#: What the hands of a strain are told apart by in the bidding table: of these the one that serves best is taken.
TABLE_FEATURES: dict[str, tuple[str, ...]] = {
    "C": ("run_c", "run_cards", "best_opening_declarer"),
    "D": ("run_d", "run_cards", "best_opening_declarer"),
    "H": ("run_h", "run_cards", "best_opening_declarer"),
    "S": ("run_s", "run_cards", "best_opening_declarer"),
    "CAN": ("triples", "run_cards", "best_opening_declarer"),
    "DEU": ("deuces", "run_cards", "best_opening_declarer"),
}

#: Short names of features, for the sheet.
SHORT = {
    "best_opening_declarer": "opening",
    "best_opening": "opening",
    "run_cards": "in runs",
    "longest_run": "run",
    "run_c": "run",
    "run_d": "run",
    "run_h": "run",
    "run_s": "run",
    "bonus_potential": "bonus",
}


class BiddingTable(Study):
    """The hand from which every bid pays, at each opening minimum.

    Attributes
    ----------
    frame : DataFrame
        One row for each minimum and contract: ``minimum, total, contract, level, strain``, and the columns of
        `Thresholds.summary` for the feature chosen; ``p_holm`` is adjusted over the whole table.
    sheet : DataFrame
        The player's sheet: a row a contract, a column a minimum, such as ``opening 50+`` (pays from 50 on), ``run 2-``
        (up to 2), ``always``, ``never``. A hand is named only where bidding with the others is certain to lose; a
        question mark stands where the gain is not certain at 95 % on the half that reports.
    """

    def __init__(
        self,
        parts: Mapping[int, Sequence[Part]],
        totals: Mapping[int, int],
        provenance: dict[Any, Any],
        asked: dict[str, Any],
        shown: Sequence[str],
    ):
        import pandas as pd

        self._asked = asked
        self._shown = list(shown)
        self._parts = dict(parts)
        frames = []
        for minimum, found in parts.items():
            _, summary = frames_of(found)
            head = pd.DataFrame(
                {
                    "minimum": minimum,
                    "total": totals[minimum],
                    "contract": summary["contract"],
                    "level": [int(part.contract.split()[0][: -len(_strain(part.contract))]) for part in found],
                    "strain": [_strain(part.contract) for part in found],
                }
            )
            frames.append(pd.concat([head, summary.drop(columns=["contract", "p_holm"])], axis=1))
        self.frame = pd.concat(frames, ignore_index=True)
        self.frame["p_holm"] = holm(self.frame["p"].to_numpy())
        words = [_cell(row) for row in records(self.frame)]
        cells = self.frame.assign(cell=words).pivot(index="contract", columns="minimum", values="cell")
        order = list(dict.fromkeys(self.frame["contract"]))
        self.sheet = cells.loc[order, list(parts)]
        self.sheet.columns.name = "minimum"
        self.provenance = provenance | {"totals": {str(minimum): totals[minimum] for minimum in parts}}
        self.frame.attrs = self.provenance

    def heading(self) -> list[str]:
        """What was asked."""
        return self._shown

    def table(self) -> str:
        """The sheet for the terminal, some minima beside each other."""
        blocks = []
        for start in range(0, len(self.sheet.columns), 4):
            part = self.sheet.iloc[:, start : start + 4]
            rows = [[str(name), *row] for name, row in zip(part.index, part.to_numpy(), strict=True)]
            blocks.append(text_table(["minimum", *map(str, part.columns)], rows))
        return "\n\n".join(blocks)

    def _draw(self, ax: Any) -> Any:
        """The sheet as a picture: what the bid brings where it pays, and from where on; the axes."""
        from .plots import plot_bidding_table

        return plot_bidding_table(self, ax)

    def to_dict(self) -> dict[str, Any]:
        """Plain values: what was asked, the sheet, and the rows of the frame."""
        return {
            **self._asked,
            "version": __version__,
            "result_version": RESULT_VERSION,
            "sheet": {str(minimum): self.sheet[minimum].to_dict() for minimum in self.sheet.columns},
            "rows": records(self.frame, plain),
        }


def _strain(contract: str) -> str:
    _, strain, _, _ = parse_contract(contract, "N")  # type: ignore[misc]
    return STRAINS[strain]


def _cell(row: Mapping[str, Any]) -> str:
    """A place of the sheet."""
    if row["threshold"] != row["threshold"]:
        word = "always" if row["share"] == 1 else "never"
    else:
        word = f"{SHORT.get(row['feature'], row['feature'])} {row['threshold']:g}{'+' if row['rising'] else '-'}"
    return word if word == "never" or row["p_holm"] < 1 - LEVEL else f"{word} ?"


def _heard_lines(minimum: int, asked: Pairs) -> list[str]:
    """How the calls before the seat weigh the deals of a minimum, for the terminal; nothing where it calls first."""
    said = " ".join(line.strip() for line in asked.lines)
    return wrap(f"minimum {minimum}: {said}", WIDTH, subsequent_indent="  ") if said else []


def _heard_values(values: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    """The same as plain values, by minimum."""
    found = {str(minimum): each["heard"] for minimum, each in values.items() if each}
    return {"heard": found} if found else {}


@asks
def bidding_table(
    minima: Sequence[int] | int | None = None,
    levels: Sequence[int] = (1, 2, 3, 4, 5),
    strains: Sequence[str] = STRAINS,
    features: Mapping[str, Sequence[str]] | Sequence[str] | None = None,
    hands: int = 20_000,
    seat: str = "E",
    dealer: str = "N",
    seed: int = 0,
    policies: Any = DEFAULT,
    rules: RuleSet | str = SITOUMUSSAMBA,
    draws: int = 500,
    policy_seed: int | None = None,
    against: str = "pass",
    contested: bool = False,
    auction: Sequence[str] = (),
    floor: float | None = FLOOR,
    threads: int | None = None,
    progress: bool = True,
) -> BiddingTable:
    """The club player's sheet: for each strain and level the hand from which the bid pays, at each opening minimum.

    Parameters
    ----------
    minima : int or sequence of int, optional
        Opening minima (R13.1); all of the rules if left out. Both sides' totals are the least that have the minimum.
    levels, strains : sequences
        Which bids.
    features : mapping or sequence of str, optional
        Features, by strain or for all; for each bid the one is taken by which hands are told apart best, on the half
        of the hands that selects. See `TABLE_FEATURES`.
    hands, seat, dealer, seed, policies, rules, draws : as for `thresholds`
        The study.
    policy_seed, against, contested, auction, floor, threads, progress : as for `thresholds`
        The play and the run.

    Returns
    -------
    BiddingTable

    Raises
    ------
    StudyInterrupted
        On ctrl-C; its `result` holds the minima played so far.

    Examples
    --------
    >>> table = bidding_table(50, levels=[2], strains=["H"], hands=400, progress=False)
    >>> table.sheet.index.tolist(), table.sheet.columns.tolist()
    (['2H'], [50])
    """
    rules = as_rules(rules)
    layout = layout_of(rules)
    if not layout.max_level:
        raise StudyError(f"{rules.name} has no auction")
    checks.choice("seat", seat, layout.seats)
    bands = {points: below for below, points, _ in rules.opening.bands}
    chosen = list(bands) if minima is None else _each("minima", minima, int)
    for minimum in chosen:
        if minimum not in bands:
            known = ", ".join(map(str, bands))
            raise StudyError(f"{checks.quoted(minimum)} is no opening minimum of {rules.name}: they are {known}")
    levels = [checks.whole("a level", level, 1, layout.max_level) for level in _each("levels", levels, int)]
    strains = _each("strains", strains, str)
    given = TABLE_FEATURES if features is None else features
    if isinstance(given, Mapping):
        by_strain = {strain: checks.one_or_more(f"features of {strain}", each) for strain, each in given.items()}
    else:
        by_strain = dict.fromkeys(strains, checks.one_or_more("features", given))
    for strain in strains:
        checks.choice("a strain", strain, STRAINS)
        for name in by_strain.get(strain, ()):
            check_feature(name)
        if not by_strain.get(strain):
            raise StudyError(f"there are no features for strain {strain!r}")
    check_numbers(hands=hands, draws=draws)
    seed = checks.whole("seed", seed, 0, _core.MOST_SEED)
    contracts = [f"{level}{strain}" for level in levels for strain in strains]
    ends = [below for below in bands.values() if below is not None]
    least = dict(zip(bands, [ends[0] - 5, *ends], strict=True))
    parts: dict[int, list[Part]] = {}
    heard: dict[int, Pairs] = {}
    with progress_bar(0, "deals", progress) as bar:
        for minimum in chosen:
            common: dict[str, Any] = {
                "rules": rules,
                "seed": seed,
                "policies": by_seat(policies, rules),
                "dealer": dealer,
                "totals": (least[minimum],) * len(layout.sides),
                "policy_seed": policy_seed,
            }
            playing = Pairs.of(common, contracts, seat, against, contested, auction, floor, threads)
            heard[minimum] = playing
            bar.total = hands * len(playing.runs) * len(chosen)
            try:
                values, points, complete = differences(playing, seat, hands, 1, thread_count(threads), bar.update)
            except KeyboardInterrupt:
                if not parts:
                    raise
                complete = False
                break
            if not complete and parts:
                break
            hands = len(values)
            parts[minimum] = [
                Part.best(contract, by_strain[_strain(contract)], values, points[i], seed, draws)
                for i, contract in enumerate(contracts)
            ]
            if not complete:
                break
    run = playing.runs[-1]
    players = specs(run.policies)
    who = f"{players[0]} at all seats" if len(players) == 1 else " ".join(map(str, players))
    shown = [
        f"from which hand on it pays: {playing.words}, at {seat}, dealer {dealer}",
        f"policies: {who}; {hands:,} random hands for each minimum, a deal each, seed {run.seed}",
        *(line for minimum in parts for line in _heard_lines(minimum, heard[minimum])),
        "run: longest run of the suit; in runs: cards in runs of three or more; opening: best opening",
        "as declarer; 3+: from 3 on, 3-: up to 3, told where the other hands are certain to lose;",
        "?: on the other half of the hands the gain is not certain (Holm, 95 %)",
    ]
    asked = {
        "minima": list(parts),
        "levels": levels,
        "strains": strains,
        "hands": hands,
        "seat": seat,
        "dealer": dealer,
        "against": against,
        "contested": contested,
        **_heard_values({minimum: heard[minimum].heard for minimum in parts}),
        "seed": run.seed,
        "policies": players,
        "rules_hash": rules.hash,
    }
    found = BiddingTable(parts, least, run.provenance() | asked, asked, shown)
    if not complete:
        raise StudyInterrupted(found)
    return found


def _each(name: str, given: Any, kind: type) -> list[Any]:
    """Single things once each, in the order given; one alone stands for itself."""
    if isinstance(given, kind) or checks.index(given) is not None:
        given = [given]
    try:
        found = list(dict.fromkeys(given))
    except TypeError:
        found = []
    if not found:
        raise StudyError(f"{name} is {checks.quoted(given)}: it must be one, or a list of some")
    return found
