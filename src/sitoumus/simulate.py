"""Many deals: a range of deals or of matches played into a DataFrame, and the game behind a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from itertools import pairwise
from os import PathLike
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from . import _core, checks
from .errors import DatasetError, StudyError, StudyInterrupted
from .far import played_far
from .frames import frame_of
from .play import LONGEST_MATCH, first_dealer, play_match, settlement, still_going
from .policies import DEFAULT
from .position import layout_of
from .rules import SITOUMUSSAMBA, RuleSet, as_rules
from .run import Run, names_of
from .schedule import DEALS_A_TASK, Pace, chunks, completed, progress_bar, thread_count, threads_executor

if TYPE_CHECKING:
    import pandas as pd

    from .dataset import Dataset
    from .record import Game

__all__ = ["concat", "replay", "simulate", "simulate_matches"]

#: Deals of a task elsewhere, where sending it costs more.
FAR_CHUNK = 10_000
#: Matches of a task in a thread.
MATCHES = 500


@overload
def simulate(
    n: int,
    seed: int = ...,
    rules: RuleSet | str = ...,
    policies: Any = ...,
    dealer: str = ...,
    totals: Sequence[int] | None = None,
    contract: str | None = None,
    hands: Mapping[str, Any] | None = None,
    where: Any = None,
    features: bool = ...,
    cards: bool = ...,
    start: int = ...,
    threads: int | None = None,
    chunk: int | None = None,
    executor: Executor | None = None,
    out: None = None,
    resume: bool = ...,
    progress: bool = ...,
    below: Sequence[str] = ...,
    policy_seed: int | None = None,
) -> pd.DataFrame: ...


@overload
def simulate(
    n: int,
    seed: int = ...,
    rules: RuleSet | str = ...,
    policies: Any = ...,
    dealer: str = ...,
    totals: Sequence[int] | None = None,
    contract: str | None = None,
    hands: Mapping[str, Any] | None = None,
    where: Any = None,
    features: bool = ...,
    cards: bool = ...,
    start: int = ...,
    threads: int | None = None,
    chunk: int | None = None,
    executor: Executor | None = None,
    *,
    out: str | PathLike[str],
    resume: bool = ...,
    progress: bool = ...,
    below: Sequence[str] = ...,
    policy_seed: int | None = None,
) -> Dataset: ...


def simulate(
    n: int,
    seed: int = 0,
    rules: RuleSet | str = SITOUMUSSAMBA,
    policies: Any = DEFAULT,
    dealer: str = "N",
    totals: Sequence[int] | None = None,
    contract: str | None = None,
    hands: Mapping[str, Any] | None = None,
    where: Any = None,
    features: bool = False,
    cards: bool = False,
    start: int = 0,
    threads: int | None = None,
    chunk: int | None = None,
    executor: Executor | None = None,
    out: Any = None,
    resume: bool = False,
    progress: bool = True,
    below: Sequence[str] = (),
    policy_seed: int | None = None,
) -> pd.DataFrame | Dataset:
    """Play deals number start .. start + n - 1: one row a deal.

    Parameters
    ----------
    n : int
        How many deals.
    seed : int
        Equal seeds give equal deals, for ever.
    rules : RuleSet
    policies : str, policy, or sequence of them
        One for all, one for each side, or one for each seat. Compiled policies play on all cores; policies written in
        Python play one deal after the other, unless an executor spreads them over processes.
    dealer : str
        A seat, or ``"rotate"``: seat number deal % seats.
    totals : sequence of int, optional
        Match totals of the sides at the start of every deal, 0 if left out; they set the opening minimum (R13.1).
    contract : str, optional
        A forced contract, as for `play`.
    hands : mapping of seat to Hand or str, optional
        Known cards; the rest is dealt from what is left.
    where : condition, optional
        Only deals of which it holds.
    features, cards : bool
        Add the features and the cards of the dealt hands.
    start : int
        Number of the first deal.
    threads : int, optional
        All cores if left out.
    chunk : int, optional
        Deals of one task, and rows of one part of a dataset.
    executor : concurrent.futures.Executor, optional
        Where to play instead of in threads: a process pool, dask's ``Client.get_executor()``, mpi4py's
        ``MPIPoolExecutor``.
    out : str or path, optional
        Directory, or fsspec URL, of a dataset of Parquet parts; memory stays flat.
    resume : bool
        Go on with the dataset that is there.
    progress : bool
        Show a bar on standard error.
    below : sequence of str, optional
        Bids beneath the forced contract, as for `play`.
    policy_seed : int, optional
        Seed of the policies' random numbers; that of the cards if left out.

    Returns
    -------
    DataFrame or Dataset
        The rows, with their provenance in ``attrs``; with `out`, the dataset. Rows do not depend on `threads`, `chunk`
        or `executor`.

    Raises
    ------
    StudyInterrupted
        On ctrl-C; its `result` holds the rows of the first deals that had been played by then.

    Examples
    --------
    >>> df = simulate(100, seed=7, policies="random", progress=False)
    >>> len(df), list(df.columns[:4]), df.attrs["seed"]
    (100, ['deal', 'dealer', 'declarer', 'level'], 7)
    """
    rules = as_rules(rules)
    n = checks.whole("n", n, 1, checks.MOST_DEALS)
    start = checks.whole("start", start, 0, _core.MOST_NUMBER - n)
    if chunk is not None:
        chunk = checks.whole("chunk", chunk, 1, checks.MOST_DEALS)
    if out is not None and not str(out).strip():
        raise StudyError(f"out is {out!r}: it must be the name of a folder, or None for a frame")
    run = Run.of(
        rules=rules,
        seed=seed,
        policies=policies,
        dealer=dealer,
        totals=totals,
        contract=contract,
        hands=hands,
        where=where,
        features=features,
        cards=cards,
        below=below,
        policy_seed=policy_seed,
    )
    if out is not None:
        from .dataset import write_dataset

        return write_dataset(
            run,
            start,
            start + n,
            out,
            resume=resume,
            threads=threads,
            chunk=chunk,
            executor=executor,
            progress=progress,
        )
    if resume:
        raise StudyError("resume=True goes with out=: there is no dataset to go on with")
    arrays, done = run.allocate(n), np.zeros(n, bool)
    try:
        with progress_bar(n, "deals", progress) as bar:
            if executor is None:
                play_into(run, arrays, done, start, thread_count(threads), chunk or DEALS_A_TASK, bar.update)
            else:
                todo = chunks(start, start + n, chunk or FAR_CHUNK)
                for (first, stop), found in played_far(executor, run, todo, play_part):
                    rows = slice(first - start, stop - start)
                    for name, values in found.items():
                        arrays[name][rows] = values
                    done[rows] = True
                    bar.update(stop - first)
    except KeyboardInterrupt:
        known = n if done.all() else int(done.argmin())
        if not known:
            raise
        arrays = {name: values[:known] for name, values in arrays.items()}
        raise StudyInterrupted(frame_of(run, arrays, start, start + known)) from None
    return frame_of(run, arrays, start, start + n)


def play_into(
    run: Run, arrays: Mapping[str, np.ndarray], done: np.ndarray, start: int, threads: int, chunk: int, update: Any
) -> None:
    """Play deals from `start` on into arrays, in threads.

    `done` marks the rows that are filled, and `update` is called with their number.
    """
    pace = Pace(chunk if run.plays_compiled else 1)

    def task(first: int, stop: int) -> None:
        with pace.timed(stop - first):
            run.fill(arrays, start + first, start + stop, first)
        done[first:stop] = True

    if not run.plays_compiled:
        for first, stop in pace.ranges(0, len(done)):
            task(first, stop)
            update(stop - first)
        return
    # Even one thread is a thread of its own: while the core plays, this one receives ctrl-C.
    with threads_executor(threads) as executor:
        for (first, stop), future in completed(executor, task, pace.ranges(0, len(done)), 2 * threads):
            future.result()
            update(stop - first)


def play_part(run: Run, start: int, stop: int) -> dict[str, np.ndarray]:
    """The columns of a range of deals: the task that executors are given."""
    arrays = run.allocate(stop - start)
    run.fill(arrays, start, stop)
    return arrays


def concat(frames: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Put frames of one run together, with the provenance that `replay` and `rescore` ask for.

    ``pandas.concat`` joins the rows as well, but drops where they come from.

    Parameters
    ----------
    frames : iterable of DataFrame
        Rows of `simulate` or `simulate_matches`, made with the same arguments and other ranges of deals.

    Returns
    -------
    DataFrame
        All rows, by number of their first deals, with a new index.

    Raises
    ------
    DatasetError
        If a frame does not tell where it comes from, comes from another run, or has deals that another has too.

    Examples
    --------
    >>> halves = [simulate(5, seed=7, start=start, policies="random", progress=False) for start in (0, 5)]
    >>> rows = concat(halves)
    >>> len(rows), rows.attrs["start"], rows.attrs["stop"]
    (10, 0, 10)
    """
    import pandas as pd

    given = checks.listed("frames", frames, "data frames", DatasetError)
    if not given:
        raise DatasetError("there are no frames to put together: give at least one")
    for frame in given:
        if not isinstance(frame, pd.DataFrame) or not {"seed", "start", "stop"} <= set(frame.attrs):
            raise DatasetError("a frame does not tell where its rows come from: its attrs have no seed, start and stop")
    given.sort(key=lambda frame: frame.attrs["start"])
    first = given[0]
    for before, frame in pairwise(given):
        for name, value in first.attrs.items():
            other = frame.attrs.get(name)
            if name not in ("start", "stop") and other != value:
                raise DatasetError(f"these frames are not of one run: {name} is {value!r} and {other!r}")
        if list(frame.columns) != list(first.columns):
            raise DatasetError("these frames have other columns: take the same columns of each")
        if frame.attrs["start"] < before.attrs["stop"]:
            raise DatasetError(f"deal {frame.attrs['start']} is in two frames: ranges of deals must not overlap")
    found = pd.concat(given, ignore_index=True)
    found.attrs = dict(first.attrs) | {"stop": given[-1].attrs["stop"]}
    return found


def replay(
    source: pd.DataFrame | Dataset,
    number: int,
    policies: Any = None,
    *,
    seed: int | None = None,
    rules: RuleSet | str | None = None,
) -> Game:
    """Play the game behind a row again, from the provenance of the rows.

    Parameters
    ----------
    source : DataFrame or Dataset
        As `simulate` or `simulate_matches` returned it.
    number : int
        Its number in the column ``deal``.
    policies : str, policy, or sequence of them, optional
        The policies, where their names do not tell which they are.
    seed, rules : int, RuleSet or str, optional
        For rows that have lost their provenance: the seed they were played with, the rules (Sitoumussamba if left out),
        and in `policies` who played (``heuristic`` if left out). The game must then give the row again.

    Raises
    ------
    DatasetError
        If the rows do not tell where they come from, come from another version, or are not those of the seed given.

    Examples
    --------
    >>> df = simulate(10, seed=7, policies="random", progress=False)
    >>> replay(df, 4).score.ns == df["score_ns"][4]
    np.True_
    """
    found: Any = getattr(source, "provenance", None)
    if found is None:
        import pandas as pd

        found = checks.an("source", source, pd.DataFrame, "a frame of simulate or a dataset", DatasetError).attrs
    if seed is not None:
        if found:
            raise DatasetError("these rows tell where they come from: leave seed= and rules= out")
        return _found_again(source, number, Run.of(rules=rules, seed=seed, policies=policies or DEFAULT))
    if not found:
        raise DatasetError(
            "these rows do not tell where they come from: sit.concat keeps what pandas.concat drops, or give seed=, "
            "rules= and policies="
        )
    run = Run.from_provenance(found, policies)
    start, stop = found["start"], found["stop"]
    place = checks.index(number)
    if place is None or not start <= place < stop:
        raise DatasetError(f"there is no row of deal {checks.quoted(number)}: these are deals {start} to {stop - 1}")
    number = place
    if "draw_for_dealer" not in found:
        return run.game(number)
    match = play_match(
        run.seed,
        number // 1000,
        run.policies,
        run.rules,
        found["draw_for_dealer"],
        policy_seed=run.policy_seed,
        totals=run.totals,
    )
    if number % 1000 >= len(match.games):
        raise DatasetError(f"there is no row of deal {number}: match {number // 1000} has {len(match.games)} deals")
    return match.games[number % 1000]


def _found_again(rows: Any, number: int, run: Run) -> Game:
    """The game of a row whose run was told by the user; the row says whether it is the right one."""
    if "match" in rows or "deal" not in rows:
        raise DatasetError("a row is found by its column deal, and rows of matches by their provenance alone")
    row = rows[rows["deal"] == number]
    if len(row) != 1:
        raise DatasetError(f"there are {len(row)} rows of deal {number!r}: there must be one")
    if "dealer" in row:
        run = replace(run, dealer=str(row["dealer"].iloc[0]))
    game = run.game(int(number))
    for side, points in game.score.sides.items():
        column = f"score_{side.lower()}"
        if column in row and row[column].iloc[0] != points:
            raise DatasetError(
                f"deal {number} of seed {run.seed} gives {side} {points} points, the row has {row[column].iloc[0]}: "
                "these rows come from another seed, other rules, policies or totals"
            )
    return game


def simulate_matches(
    n: int,
    seed: int = 0,
    rules: RuleSet | str = SITOUMUSSAMBA,
    policies: Any = DEFAULT,
    draw_for_dealer: bool = False,
    deals: bool = False,
    start: int = 0,
    threads: int | None = None,
    progress: bool = True,
    policy_seed: int | None = None,
    totals: Sequence[int] | None = None,
) -> pd.DataFrame:
    """Play whole matches, number start .. start + n - 1: one row a match, or one a deal.

    Parameters
    ----------
    n, seed, rules, policies, start, threads, progress, policy_seed
        As for `simulate`. Deal k of match m is deal number 1000 m + k.
    draw_for_dealer : bool
        Draw for the first dealer, as for `play_match`.
    deals : bool
        One row a deal: the columns of `simulate`, after the match and its totals at the start of the deal.
    totals : sequence of int, optional
        Points that the sides have when a match goes on from here, 0 if left out. The shares of the winners are then the
        odds of winning from these totals. A match of a number of deals has all of them to come.

    Returns
    -------
    DataFrame
        By match: ``match``, ``deals``, ``dealer`` (of the first deal), ``winner`` (a side, ``draw`` or ``none``), the
        points of each side, and where the sheet settles something else than the points, what each side gets.

    Raises
    ------
    StudyError
        If the match is over with these totals.
    StudyInterrupted
        On ctrl-C; its `result` holds the rows of the first matches that had been played by then.

    Examples
    --------
    >>> df = simulate_matches(2, seed=7, policies="random", rules=SITOUMUSSAMBA.replace(target=500), progress=False)
    >>> list(df.columns)
    ['match', 'deals', 'dealer', 'winner', 'total_ns', 'total_ew']
    """
    rules = as_rules(rules)
    n = checks.whole("n", n, 1, checks.MOST_DEALS)
    start = checks.whole("start", start, 0, _core.MOST_NUMBER // 1000 - n)
    run = Run.of(rules=rules, seed=seed, policies=policies, totals=totals, policy_seed=policy_seed)
    still_going(run.rules, run.totals)
    pace = Pace(MATCHES)

    def task(first: int, stop: int) -> dict[str, Any]:
        with pace.timed(stop - first):
            return _play_matches(run, first, stop, draw_for_dealer, deals)

    found: dict[int, dict[str, Any]] = {}
    threads = thread_count(threads)
    try:
        with progress_bar(n, "matches", progress) as bar, threads_executor(threads) as executor:
            for (first, stop), future in completed(executor, task, pace.ranges(start, start + n), 2 * threads):
                found[first] = future.result()
                bar.update(stop - first)
    except KeyboardInterrupt:
        known, blocks = start, []
        while known in found:
            blocks.append(found[known])
            known += len(blocks[-1]["deals"])
        if not blocks:
            raise
        raise StudyInterrupted(_frame_of_matches(run, blocks, start, draw_for_dealer, deals)) from None
    return _frame_of_matches(run, [found[first] for first in sorted(found)], start, draw_for_dealer, deals)


def _frame_of_matches(
    run: Run, blocks: Sequence[dict[str, Any]], start: int, draw_for_dealer: bool, deals: bool
) -> pd.DataFrame:
    """One row a match, or a deal, of blocks of matches that follow each other."""
    import pandas as pd

    sides = layout_of(run.rules).sides
    columns = [f"total_{side.lower()}" for side in sides]
    whole = {
        name: np.concatenate([block[name] for block in blocks]) for name in ("deals", "dealer", "winner", "totals")
    }
    stop = start + len(whole["deals"])
    if deals:
        arrays = {name: np.concatenate([block["rows"][name] for block in blocks]) for name in blocks[0]["rows"]}
        frame = frame_of(run, arrays)
        for place, name in enumerate(columns):
            frame.insert(place, name, arrays[name])
        frame.insert(0, "match", frame["deal"] // 1000)
    else:
        frame = pd.DataFrame({"match": np.arange(start, stop)})
        frame["deals"] = whole["deals"].astype(np.int32)
        seats = pd.CategoricalDtype(list(names_of("seat", run.rules) or ()))
        frame["dealer"] = pd.Categorical.from_codes(whole["dealer"], dtype=seats)
        frame["winner"] = pd.Categorical(whole["winner"], [*sides, "draw", "none"])
        for place, name in enumerate(columns):
            frame[name] = whole["totals"][:, place]
        if run.rules.match.settle != "totals":
            for side, points in settlement(run.rules, {side: frame[f"total_{side.lower()}"] for side in sides}).items():
                frame[f"settled_{side.lower()}"] = points
    frame.attrs = run.provenance(1000 * start, 1000 * stop) | {"draw_for_dealer": draw_for_dealer}
    return frame


def _play_matches(run: Run, start: int, stop: int, draw_for_dealer: bool, deals: bool) -> dict[str, Any]:
    """Matches start .. stop - 1, one deal of each that is not over at a time: what the rows hold, by their columns."""
    layout = layout_of(run.rules)
    sides = [side.lower() for side in layout.sides]
    n = stop - start
    dealer = np.zeros(n, np.int8)
    if draw_for_dealer:
        dealer[:] = [first_dealer(run.rules, run.seed, match) for match in range(start, stop)]
    totals = np.tile(np.array(run.totals, np.int32), (n, 1))
    winner = np.full(n, "none", object)
    played = np.zeros(n, np.int16)
    rounds: list[dict[str, np.ndarray]] = []
    going, k = np.arange(n), 0
    while len(going) and k < LONGEST_MATCH:
        before = totals[going]
        rows = run.allocate(len(going))
        dealers = (dealer[going] + k % len(layout.seats)) % len(layout.seats)
        run.fill_each(rows, 1000 * (start + going) + k, dealers, before)
        if deals:
            rounds.append(rows | {f"total_{side}": before[:, place] for place, side in enumerate(sides)})
        totals[going] += np.stack([rows[f"score_{side}"] for side in sides], axis=1)
        k += 1
        played[going] = k
        winner[going] = [_core.match_won(run.rules, each, k) for each in totals[going].tolist()]
        going = going[winner[going] == "none"]
    found = {"deals": played, "dealer": dealer, "winner": winner, "totals": totals}
    if deals:
        order = np.argsort(np.concatenate([rows["deal"] for rows in rounds]))
        found["rows"] = {name: np.concatenate([rows[name] for rows in rounds])[order] for name in rounds[0]}
    return found
