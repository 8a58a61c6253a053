"""What to call or play: all candidates tried on the same worlds, the worse ones dropped as soon as that is certain.

The difference of two candidates on common worlds is known far better than either alone. After each round, of lengths
fixed in advance, a candidate is dropped if an interval shows it below the leader; the intervals hold at every planned
look, and at once for all candidates (Bonferroni), so the best candidate is dropped with a chance of at most 5 %.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, checks
from .errors import StudyError, StudyInterrupted
from .notation import bid_number
from .odds import condition_of, held, known_cards, known_lines, known_values, points_of
from .play import still_going
from .policies import DEFAULT, by_seat, compiled, specs
from .position import layout_of
from .rules import SITOUMUSSAMBA, RuleSet, as_rules
from .run import Run, play_runs
from .schedule import chunks, completed, progress_bar, thread_count, threads_executor
from .stats import LEVEL, REACH, Sums, looks, planned_interval, with_interval
from .study import Study, asks, interval_of, plain, records, text_table
from .version import RESULT_VERSION, __version__
from .worlds import FLOOR, AuctionWorlds, checked_floor

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Advice", "PairedRace", "advise", "best_bid"]


@dataclass
class PairedRace:
    """Candidates compared on common worlds, the worse ones dropped.

    Attributes
    ----------
    arms : int
        Number of candidates.
    eps : float
        The race ends when no candidate left can be better than the leader by more than this.
    level : float
        Chance that the best candidate is never dropped.
    live : list of int
        Candidates not dropped.
    open : list of int
        Those of them that may be better than the leader by more than `eps`, and the leader: the others wait.
    best : int
        The leader.
    n : int
        Worlds the leader was tried on.
    values : list of array
        Values of each candidate, on as many of the first worlds as it was tried on; whole numbers.
    settled : bool
        Whether the race ended because of `eps`, or with one candidate left.
    reach : float
        Largest difference of two candidates on a world that is reckoned with though none came up.
    planned : tuple of int
        Numbers of worlds at all looks that the race may take; those of the first `run` if left out.
    """

    arms: int
    eps: float
    level: float = LEVEL
    reach: float = REACH
    planned: tuple[int, ...] = ()
    live: list[int] = field(default_factory=list)
    open: list[int] = field(default_factory=list)
    best: int = 0
    n: int = 0
    values: list[np.ndarray] = field(default_factory=list)
    settled: bool = False

    def __post_init__(self) -> None:
        self.live = list(range(self.arms))
        self.open = list(self.live)
        self.values = [np.empty(0, np.int64)] * self.arms

    def run(self, play: Callable[[Sequence[int], int, int], Sequence[np.ndarray]], rounds: Sequence[int]) -> None:
        """Go through the rounds; ``play(arms, start, stop)`` gives the values of some candidates on more worlds."""
        self.planned = self.planned or tuple(rounds)
        for stop in rounds:
            for start in sorted({len(self.values[arm]) for arm in self.open}):
                arms = [arm for arm in self.open if len(self.values[arm]) == start]
                for arm, values in zip(arms, play(arms, start, stop), strict=True):
                    self.values[arm] = np.concatenate([self.values[arm], values])
            self.n = stop
            totals = [int(self.values[arm].sum()) for arm in self.open]
            self.best = self.open[totals.index(max(totals))]
            better = {arm: self.interval(arm, self.best) for arm in self.live}
            self.live = [arm for arm in self.live if better[arm][1] >= 0]
            self.open = [arm for arm in self.live if arm == self.best or better[arm][1] > self.eps]
            self.settled = len(self.open) == 1
            if self.settled:
                return

    def difference(self, arm: int, other: int) -> Sums:
        """Sums of the difference of two candidates on the worlds both were tried on."""
        n = min(len(self.values[arm]), len(self.values[other]))
        return Sums.of(self.values[arm][:n] - self.values[other][:n])

    def interval(self, arm: int, other: int) -> tuple[float, float]:
        """Interval of the mean difference that holds at every planned look, and for all candidates at once."""
        if arm == other:
            return 0.0, 0.0
        level = 1 - (1 - self.level) / max(self.arms - 1, 1)
        return planned_interval(self.difference(arm, other), self.planned, level, self.reach)

    def mean(self, sums: Sums, reach: float) -> tuple[float, float]:
        """Interval of a mean over the worlds of a candidate that holds at every planned look."""
        return planned_interval(sums, self.planned, self.level, reach)


class Advice(Study):
    """What to call or to play.

    Attributes
    ----------
    best : str
        The candidate with the highest mean.
    not_excluded : list of str
        Candidates that may be the best one at 95 %, the best first.
    settled : bool
        Whether none of them can be better than the best by more than `eps`.
    frame : DataFrame
        One row a candidate, the best first: ``call`` (or ``action``), ``deals`` it was tried on, ``points`` (us minus
        them), ``win`` (only with ``utility="match"``: the chance to win the match), ``vs_best`` (points, or chance,
        less those of the best on the same deals), of calls ``declared`` and ``made`` (shares of the deals in which
        the own side declares, and makes its contract), ``excluded``; means are followed by ``_low`` and ``_high``.
    """

    def __init__(
        self,
        kind: str,
        names: Sequence[str],
        race: PairedRace,
        tried: Sequence[Tried],
        utility: Utility,
        about: Sequence[str],
        asked: dict[str, Any],
        provenance: dict[Any, Any],
    ):
        self.kind = kind
        self.race = race
        self.utility = utility
        self.deals = race.n
        self.settled = race.settled
        self._about = list(about)
        self._asked = asked
        self.frame = _frame(kind, names, race, tried, utility)
        self.best = names[race.best]
        self.not_excluded = list(self.frame.loc[~self.frame["excluded"], kind])
        self.provenance: dict[Any, Any] = provenance | {"deals": race.n, "plays": sum(map(len, race.values))}
        self.frame.attrs = self.provenance

    def heading(self) -> list[str]:
        """What was asked, and the answer."""
        eps = self.utility.shown(self.race.eps)
        if len(self.frame) == 1:
            answer = f"best {self.kind}: {self.best}; no other was tried"
        elif len(self.not_excluded) == 1:
            answer = f"best {self.kind}: {self.best}; every other is excluded at 95 %"
        else:
            answer = f"best {self.kind}: {self.best}; not excluded at 95 %: {', '.join(self.not_excluded)}"
        if len(answer) > 95:
            answer = f"best {self.kind}: {self.best}; {len(self.not_excluded)} {self.kind}s are not excluded at 95 %"
        if len(self.not_excluded) > 1:
            answer += f"\n{'none' if self.settled else 'some'} of them can be better by more than {eps}"
        return [*self._about, *answer.split("\n")]

    def table(self) -> str:
        """The candidates for the terminal."""
        match = self.utility.of_match
        shares = [name for name in ("declared", "made") if name in self.frame]
        head = [self.kind, "deals", "points", *(["win"] if match else []), "vs best", *shares, ""]
        rows = []
        for row in records(self.frame):
            against = "-"
            if row[self.kind] != self.best:
                against = with_interval(*interval_of(row, "vs_best"), 4 if match else 0)
            rows.append(
                [
                    row[self.kind],
                    f"{row['deals']:,}",
                    with_interval(*interval_of(row, "points")),
                    *([f"{row['win']:.4f}"] if match else []),
                    against,
                    *(f"{100 * row[name]:.1f}" for name in shares),
                    "excluded" if row["excluded"] else "",
                ]
            )
        return text_table(head, rows)

    def _draw(self, ax: Any) -> Any:
        """Points by candidate, as differences to the best with their intervals; the axes."""
        from .plots import plot_advice

        return plot_advice(self, ax)

    def to_dict(self) -> dict[str, Any]:
        """Plain values: what was asked, the answer, and the rows of the frame."""
        return {
            **self._asked,
            "best": self.best,
            "not_excluded": self.not_excluded,
            "settled": self.settled,
            "deals": self.deals,
            "eps": self.utility.scale * self.race.eps,
            "version": __version__,
            "result_version": RESULT_VERSION,
            "rows": records(self.frame, plain),
        }


@dataclass(frozen=True)
class Utility:
    """What a deal is worth: its points, or the chance to win the match that it leaves.

    Attributes
    ----------
    name : str
        ``"points"`` or ``"match"``.
    scale : float
        What one unit of the whole numbers that are compared is worth: chances are counted in millionths.
    """

    name: str
    scale: float
    eps: float
    table: Any = None

    @classmethod
    def of(cls, name: str, eps: float | None, rules: RuleSet, totals: Sequence[int]) -> Utility:
        """The utility of a name in a deal that begins with these totals; `eps` None is its usual one."""
        checks.choice("utility", name, ("points", "match"))
        eps = None if eps is None else checks.number("eps", eps, 0)
        if name == "points":
            found = cls(name, 1.0, 25.0 if eps is None else eps)
        else:
            from .match_value import MatchValue

            found = cls(name, 1e-6, 2_000.0 if eps is None else eps * 1e6, MatchValue.load(rules))
            still_going(rules, totals)
        return found

    @property
    def of_match(self) -> bool:
        """Whether it is the chance to win the match."""
        return self.table is not None

    def values(self, scores: np.ndarray, totals: Sequence[int], us: int) -> np.ndarray:
        """Worth of deals whose scores are given by deal and side, as whole numbers."""
        if self.table is None:
            return points_of(scores, us)["points"]
        return np.rint(1e6 * self.table.win(np.asarray(totals) + scores, us)).astype(np.int64)

    @property
    def reach(self) -> float:
        """Largest difference of two plays of a deal that is reckoned with; a chance cannot differ by more than 1."""
        return 1e6 if self.of_match else REACH

    def shown(self, value: float) -> str:
        """A worth as text, given in the whole numbers that are compared."""
        return f"{value * self.scale:.4f}" if self.of_match else f"{value:.0f}"


@dataclass
class Tried:
    """What a candidate came to, besides its value: points, and how many deals had what (its side declared)."""

    points: Sums = field(default_factory=Sums)
    counts: dict[str, int] = field(default_factory=dict)

    def count(self, **those: np.ndarray) -> None:
        """Count the deals marked."""
        for name, marks in those.items():
            self.counts[name] = self.counts.get(name, 0) + int(marks.sum())


@asks
def best_bid(
    hand: Any,
    seat: str = "E",
    dealer: str = "N",
    totals: Sequence[int] | None = None,
    auction: Sequence[str] = (),
    max_level: int = 5,
    eps: float | None = None,
    deals: int = 20_000,
    seed: int = 0,
    policies: Any = DEFAULT,
    utility: str = "points",
    calls: Sequence[str] | None = None,
    floor: float | None = FLOOR,
    rules: RuleSet | str = SITOUMUSSAMBA,
    policy_seed: int | None = None,
    hands: Mapping[str, Any] | None = None,
    where: Any = None,
    threads: int | None = None,
    progress: bool = True,
) -> Advice:
    """Which call is best: all of them tried on the same deals, the auction continued by the policies.

    Parameters
    ----------
    hand : Hand or str
        The cards at the seat; the other cards are dealt anew in every deal.
    seat : str
        Who holds the hand and is to call.
    dealer : str
    totals : sequence of int, optional
        Match totals of the sides, 0 if left out; they set the opening minimum (R13.1).
    auction : sequence of str
        Calls so far, from the dealer's left. They weigh the deals: see Notes.
    max_level : int
        Bids above this level are not tried.
    eps : float, optional
        Points (with ``utility="match"``: chance to win) that do not matter: the study ends when no call left can be
        better than the best by more. 25 points, or 0.002, if left out.
    deals : int
        At most so many deals for each call.
    seed : int
    policies : str, policy, or sequence of them
        One for all, one for each side, or one for each seat.
    utility : str
        ``"points"``, us minus them, or ``"match"``, the chance to win the match from these totals.
    calls : sequence of str, optional
        Only these calls.
    floor : float or None
        Chance that a seat makes any legal call, and not that of its policy: see `sitoumus.worlds`. None takes all deals
        as equally likely.
    rules : RuleSet
    policy_seed : int, optional
        Seed of the policies' random numbers; that of the cards if left out.
    hands, where
        What else is known of the cards, as for `contract_odds`.
    threads : int, optional
        All cores if left out.
    progress : bool
        Show a bar on standard error.

    Returns
    -------
    Advice

    Raises
    ------
    StudyError
        If the seat is not to call, or too few deals fit the auction.
    StudyInterrupted
        On ctrl-C; its `result` holds what the rounds played so far say.

    Notes
    -----
    The deals are those that fit the auction so far, of numbers 0, 1, 2 ... of the seed with this hand: see
    `sitoumus.worlds`. The looks are planned, and the intervals hold at all of them (`stats.planned_interval`); there is
    none before 100 deals. Calls that come to the same in all deals so far are told apart by less than `eps` only after
    so many deals that a rare large difference would have come up (`stats.unseen`). After the call
    all seats go on by their policies, so the advice is advice among players of this kind.

    Examples
    --------
    >>> advice = best_bid("Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s", max_level=2, deals=200, progress=False)
    >>> advice.best in advice.not_excluded, len(advice.frame)
    (True, 13)
    """
    rules = as_rules(rules)
    hand = held(hand, seat, rules)
    layout = layout_of(rules)
    deals = checks.whole("deals", deals, 1, checks.MOST_DEALS)
    run = Run.of(
        rules=rules,
        seed=seed,
        policies=by_seat(policies, rules),
        dealer=dealer,
        totals=totals,
        auction=auction,
        policy_seed=policy_seed,
        **known_cards(hand, seat, hands, where, rules),
    )
    worth = Utility.of(utility, eps, rules, run.totals)
    names = _calls(run, seat, max_level, calls)
    worlds = AuctionWorlds(run, seat, floor, threads)
    runs = [replace(run, auction=(*run.auction, name)) for name in names]
    us = layout.side_of[layout.seats.index(seat)]
    tried = [Tried() for _ in names]
    rounds = looks(deals)
    race = PairedRace(len(names), worth.eps, reach=worth.reach, planned=tuple(rounds))

    def advice() -> Advice:
        players = specs(run.policies)
        sums = ", ".join(f"{side} {n}" for side, n in zip(layout.sides, run.totals, strict=True))
        about = [str(hand), f"at {seat}, dealer {run.dealer}, totals {sums}"]
        about += worlds.lines
        condition = condition_of(run, race.n)
        who = f"{players[0]} at all seats" if len(players) == 1 else " ".join(map(str, players))
        about.append(f"{race.n:,} deals, the same for each call, seed {run.seed}; policies: {who}")
        about += known_lines(run, seat, condition)
        about.append("declared and made in % of the deals; ± is half of an interval that holds at every look")
        asked = {
            "hand": str(hand),
            "seat": seat,
            "dealer": run.dealer,
            "totals": list(run.totals),
            "auction": list(run.auction),
            **worlds.values,
            **known_values(run, seat, condition),
            "max_level": max_level,
            "utility": utility,
            "floor": worlds.floor,
            "seed": run.seed,
            "policies": players,
            "rules_hash": run.rules.hash,
        }
        provenance = run.provenance() | {"seat": seat, "calls": names, "floor": worlds.floor, "worlds": worlds.account}
        return Advice("call", names, race, tried, worth, about, asked, provenance)

    def play(live: Sequence[int], start: int, stop: int) -> list[np.ndarray]:
        numbers = worlds.numbers(stop)
        wanted = [f"score_{side.lower()}" for side in layout.sides]
        needed = ("declarer", "result", *wanted)
        rows = [
            {name: values for name, values in runs[arm].allocate(stop - start).items() if name in needed}
            for arm in live
        ]
        play_runs([runs[arm] for arm in live], rows, start, stop, thread_count(threads), numbers=numbers)
        found = []
        for arm, each in zip(live, rows, strict=True):
            scores = np.stack([each[name] for name in wanted], axis=1).astype(np.int64)
            own = np.isin(each["declarer"], [i for i, side in enumerate(layout.side_of) if side == us])
            tried[arm].points += Sums.of(points_of(scores, us)["points"])
            tried[arm].count(declared=own, made=own & (each["result"] == 0))
            found.append(worth.values(scores, run.totals, us))
        return found

    return _run(race, play, worlds if worlds.others else None, rounds, advice, progress)


_Play = Callable[[Sequence[int], int, int], Sequence[np.ndarray]]


def _run(
    race: PairedRace,
    play: _Play,
    worlds: AuctionWorlds | None,
    rounds: Sequence[int],
    advice: Callable[[], Advice],
    progress: bool,
) -> Advice:
    """Go through the rounds of a race, as far as there are worlds, with a bar; ctrl-C gives the advice so far."""
    try:
        with progress_bar(len(rounds), "rounds", progress) as bar:
            for stop in rounds:
                there = len(worlds.numbers(stop)) if worlds else stop
                if there <= race.n:
                    break
                race.run(play, [there])
                bar.update()
                if race.settled:
                    break
    except KeyboardInterrupt:
        if not race.n:
            raise
        raise StudyInterrupted(advice()) from None
    return advice()


def _calls(run: Run, seat: str, max_level: int, calls: Sequence[str] | None) -> list[str]:
    """The calls to try, from pass up; refused if the seat is not to call."""
    if not layout_of(run.rules).max_level:
        raise StudyError(f"{run.rules.name} has no auction")
    if run.dealer == "rotate":
        raise StudyError("dealer is 'rotate': a call is made with one dealer")
    max_level = checks.whole("max_level", max_level)
    table = _core.Table(run.deal(0), rules=run.rules, dealer=run.dealer, totals=run.totals)
    run.open(table)
    if table.turn != seat:
        after = f"after {' '.join(run.auction)}" if run.auction else "with no calls so far"
        raise StudyError(
            f"{seat} is not to call: dealer {run.dealer}, {after}, it is the turn of {table.turn}; give the calls "
            f"before {seat}'s as auction"
        )
    legal = list(table.legal_actions)
    if calls is None:
        return [call for call in legal if call in ("pass", "double") or bid_number(call) < 6 * max_level]
    names = list(dict.fromkeys(checks.one_or_more("calls", calls)))
    if len(names) < 2:
        raise StudyError(f"calls are {checks.quoted(names)}: give at least two to choose from")
    for name in names:
        if name not in legal:
            so_far = f" after {' '.join(run.auction)}" if run.auction else ""
            raise StudyError(f"call {checks.quoted(name)}: {seat} cannot call it{so_far} (R9.3)")
    return names


def _frame(kind: str, names: Sequence[str], race: PairedRace, tried: Sequence[Tried], utility: Utility) -> pd.DataFrame:
    """One row a candidate, the best first."""
    import pandas as pd

    rows: list[dict[str, Any]] = []
    for arm, (name, each) in enumerate(zip(names, tried, strict=True)):
        n = len(race.values[arm])
        low, high = race.mean(each.points, REACH / 2)
        record: dict[str, Any] = {
            kind: name,
            "deals": n,
            "points": each.points.mean,
            "points_low": low,
            "points_high": high,
        }
        if utility.of_match:
            sums = Sums.of(race.values[arm])
            low, high = race.mean(sums, utility.reach)
            record |= {"win": 1e-6 * sums.mean, "win_low": max(1e-6 * low, 0.0), "win_high": min(1e-6 * high, 1.0)}
        low, high = race.interval(arm, race.best)
        record |= {
            "vs_best": utility.scale * (0.0 if arm == race.best else race.difference(arm, race.best).mean),
            "vs_best_low": utility.scale * low,
            "vs_best_high": utility.scale * high,
            **{name: count / n for name, count in each.counts.items()},
            "excluded": arm not in race.live,
        }
        rows.append(record)
    frame = pd.DataFrame(rows)
    order = sorted(range(len(frame)), key=lambda i: (i != race.best, rows[i]["excluded"], -rows[i]["vs_best"]))
    return frame.iloc[order].reset_index(drop=True)


#: Worlds of a task of `advise`.
CHUNK = 50


def advise(
    table: _core.Table,
    deals: int = 2_000,
    eps: float | None = None,
    seed: int = 0,
    policies: Any = DEFAULT,
    utility: str = "points",
    max_level: int = 5,
    actions: Sequence[str] | None = None,
    floor: float | None = FLOOR,
    threads: int | None = None,
    progress: bool = True,
) -> Advice:
    """What the seat to act should do: every legal action tried on common worlds, the rest of the deal played out.

    Parameters
    ----------
    table : Table
        Of which only the view of the seat to act is used.
    deals : int
        At most so many worlds for each action.
    eps, seed, policies, utility, floor, threads, progress
        As for `best_bid`.
    max_level : int
        In the auction, bids above this level are not tried.
    actions : sequence of str, optional
        Only these actions; longer ``meld`` and ``add`` texts are allowed.

    Returns
    -------
    Advice

    Raises
    ------
    StudyError
        If the deal is over, or a policy is written in Python.

    Notes
    -----
    In the auction this is `best_bid`, with the calls so far. Afterwards a world is the table with the hidden cards
    dealt anew: own hand, public cards, and the cards known to lie in other hands stay. Each of the other hands is dealt
    until its weight by the calls and the last discards of its seat keeps it (see `floor`); after 64 times the one of
    the greatest weight is taken. Forced calls, and
    those of a table that was set up in mid-play, tell nothing.

    Examples
    --------
    >>> from sitoumus import Deal, Table
    >>> table = Table(Deal(seed=7, number=42)).after("2H", "pass", "pass", "pass")
    >>> advise(table, deals=20, progress=False).best in table.legal_actions
    True
    """
    rules, seat = table.rules, table.turn
    if table.phase == "over":
        raise StudyError("the deal is over: there is nothing to advise")
    deals = checks.whole("deals", deals, 1, checks.MOST_DEALS)
    if table.phase == "auction":
        return best_bid(
            table.hand(seat),
            seat=seat,
            dealer=table.dealer,
            totals=tuple(table.totals.values()),
            auction=table.calls,
            max_level=max_level,
            eps=eps,
            deals=deals,
            seed=seed,
            policies=policies,
            utility=utility,
            calls=actions,
            floor=floor,
            rules=rules,
            threads=threads,
            progress=progress,
        )
    seated = by_seat(policies, rules)
    codes = [compiled(policy) for policy in seated]
    if None in codes:
        raise StudyError("advice is worked out with compiled policies; best_bid takes policies written in Python too")
    names = list(table.legal_actions) if actions is None else list(dict.fromkeys(actions))
    layout = layout_of(rules)
    us = layout.side_of[layout.seats.index(seat)]
    totals = tuple(table.totals.values())
    worth = Utility.of(utility, eps, rules, totals)
    tried = [Tried() for _ in names]
    rounds = looks(deals, 100)
    race = PairedRace(len(names), worth.eps, reach=worth.reach, planned=tuple(rounds))
    workers = thread_count(threads)
    players = [(*code, 0) for code in codes if code is not None]
    hand = str(table.hand(seat))
    floor = checked_floor(floor)
    told = 0 if floor is None else _core.told(table)
    apart = np.zeros(deals, np.int16)

    def play(live: Sequence[int], start: int, stop: int) -> list[np.ndarray]:
        texts = [names[arm] for arm in live]
        scores = np.empty((len(live), stop - start, len(layout.sides)), np.int32)

        def task(first: int, last: int) -> None:
            part = np.empty((len(live), last - first, len(layout.sides)), np.int32)
            _core.rollouts(table, texts, players, seed, first, last, part, floor if told else None, apart[first:last])
            scores[:, first - start : last - start] = part

        with threads_executor(workers) as executor:
            for _, future in completed(executor, task, chunks(start, stop, CHUNK), 2 * workers):
                future.result()
        for arm, each in zip(live, scores.astype(np.int64), strict=True):
            tried[arm].points += Sums.of(points_of(each, us)["points"])
        return [worth.values(each, totals, us) for each in scores.astype(np.int64)]

    def agreeing() -> float:
        return 1 - float(apart[: race.n].mean()) / told

    def agreement() -> str:
        share = f"{100 * agreeing():.0f} % of {told} calls and last discards of the others"
        return f"worlds agree with {share}; floor {floor:g}"

    def advice() -> Advice:
        shown = specs(seated)
        where = f"{seat} to act in phase {table.phase}, turn {table.turns + 1}"
        if rules.contract:
            where += f", contract {table.contract}"
        who = f"{shown[0]} at all seats" if len(shown) == 1 else " ".join(map(str, shown))
        about = [
            hand,
            f"{where}, stock {table.stock_size}, pile {' '.join([*table.pile[:3], *('...' for _ in table.pile[3:4])])}",
            f"{race.n:,} worlds, the same for each action, seed {seed}; policies: {who}",
            *([agreement()] if told else []),
            "± is half of an interval that holds at every look",
        ]
        asked = {
            "seat": seat,
            "hand": hand,
            "phase": table.phase,
            "turns": table.turns,
            "totals": list(totals),
            "utility": utility,
            "floor": floor,
            "seed": seed,
            "policies": shown,
            "rules_hash": rules.hash,
        }
        if told:
            asked["worlds"] = {"told": told, "agreeing": agreeing()}
        provenance = asked | {"actions": list(table.actions), "rules": rules.to_dict(), "version": __version__}
        return Advice("action", names, race, tried, worth, about, asked, provenance)

    return _run(race, play, None, rounds, advice, progress)
