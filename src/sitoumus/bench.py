"""The behaviour number, and the speeds of this machine beside the bars that the project sets itself.

The yardstick is a row: the time in which NumPy shuffles the 162 cards of one deal, measured in the same process. Times
on one thread are times of the processor, so that a busy machine changes them little; with several threads it is the
time of the clock.
"""

from __future__ import annotations

import platform
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, _testing, checks
from .errors import StudyError
from .hands import random_hands
from .policies import NAMED, compiled
from .position import layout_of
from .rules import PRESETS, preset
from .run import Run, names_of
from .schedule import DEALS_A_TASK, chunks, progress_bar, thread_count, threads_executor
from .simulate import play_into, play_part, simulate
from .study import plain, text_table
from .version import RESULT_VERSION, __version__

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Figure", "Speeds", "bench", "speeds"]


def bench() -> int:
    """The behaviour number: one number over the rows of fixed deals, which changes when a row does.

    Every compiled policy with a name plays every game, Sitoumussamba also with forced contracts.

    Examples
    --------
    >>> bench() == bench()
    True
    """
    number = 0
    for policies in _compiled():
        for contract in (None, "3H by E", "5CAN by S doubled"):
            number = _checksum(Run.of(policies=policies, contract=contract, dealer="rotate"), 200, number)
        for name in PRESETS:
            number = _checksum(Run.of(policies=policies, rules=preset(name), dealer="rotate"), 20, number)
    return number


def _checksum(run: Run, deals: int, number: int) -> int:
    for values in play_part(run, 0, deals).values():
        number = zlib.crc32(values.astype("<i8").tobytes(), number)
    return number


def _compiled() -> list[str]:
    return [name for name, policy in NAMED.items() if compiled(policy) is not None]


@dataclass(frozen=True)
class Figure:
    """One measured figure.

    Attributes
    ----------
    name : str
    value : float
        nan if it cannot be measured here; `note` says why.
    unit : str
        ``rows``, ``times``, ``ms`` or ``MB``; of ``times`` faster, more is better, else less.
    bar, aim : float or None
        What is demanded and what is wished for.
    facts : dict
        What a rate depends on: mean ``turns``, ``takes``, ``melds`` (complete, both sides), share ``passed_out``.
    note : str
    """

    name: str
    value: float
    unit: str = "rows"
    bar: float | None = None
    aim: float | None = None
    facts: dict[str, float] = field(default_factory=dict)
    note: str = ""

    @property
    def verdict(self) -> str:
        """``aim``, ``bar`` or ``missed``: what was met; empty where nothing is demanded or nothing was measured."""
        if self.bar is None or self.value != self.value:
            return ""
        sign = -1 if self.unit == "times faster" else 1
        if self.aim is not None and sign * self.value <= sign * self.aim:
            return "aim"
        return "bar" if sign * self.value <= sign * self.bar else "missed"


class Speeds:
    """The figures of one run on one machine.

    Attributes
    ----------
    number : int
        The behaviour number.
    row : float
        Seconds of a row.
    figures : list of Figure
        Those for which there is a bar, and whole deals under every policy.
    parts : list of Figure
        Single operations of the core.
    """

    def __init__(self, number: int, row: float, figures: Sequence[Figure], parts: Sequence[Figure]):
        self.number = number
        self.row = row
        self.figures = list(figures)
        self.parts = list(parts)

    @property
    def frame(self) -> pd.DataFrame:
        """One row a figure."""
        import pandas as pd

        return pd.DataFrame([self._plain(figure) for figure in (*self.figures, *self.parts)])

    def _plain(self, figure: Figure) -> dict[str, Any]:
        found = asdict(figure)
        facts = found.pop("facts")
        found["seconds"] = figure.value * self.row if figure.unit == "rows" else None
        return {name: plain(value) for name, value in (found | {"verdict": figure.verdict} | facts).items()}

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "bench": self.number,
            "result_version": RESULT_VERSION,
            "version": __version__,
            "machine": machine(),
            "row_us": round(self.row * 1e6, 3),
            "figures": [self._plain(figure) for figure in self.figures],
            "parts": [self._plain(figure) for figure in self.parts],
        }

    def __str__(self) -> str:
        rates = [figure for figure in self.figures if figure.facts]
        facts = list(rates[0].facts) if rates else []
        lines = [
            f"Bench: {self.number}  (result version {RESULT_VERSION}, sitoumus {__version__})",
            f"{machine()}; a row is {self.row * 1e6:.2f} us",
            "",
            text_table(
                ["figure", "measured", "bar", "aim", "met"],
                [[f.name, _value(f), _number(f.bar), _number(f.aim), f.verdict or "-"] for f in self.figures],
            ),
            *(f"{f.name}: {f.note}" for f in self.figures if f.note),
            "",
            text_table(
                ["one thread", "rows", "deals/s", "turns/s", *(name.replace("_", " ") for name in facts)],
                [self._rate(figure) for figure in rates],
            ),
        ]
        if self.parts:
            timed = [(f.name, f.value, f.value * self.row) for f in self.parts]
            rows = [[name, f"{1e9 * t:,.0f}", f"{value:.4f}", f"{1 / t:,.0f}"] for name, value, t in timed]
            lines += ["", text_table(["operation", "ns", "rows", "per second"], rows)]
        return "\n".join(lines)

    def _rate(self, figure: Figure) -> list[str]:
        seconds = figure.value * self.row
        rates = [f"{figure.value:.2f}", f"{1 / seconds:,.0f}", f"{figure.facts['turns'] / seconds:,.0f}"]
        return [
            figure.name.removeprefix("whole deal, "),
            *rates,
            *(f"{value:.{3 if name == 'passed_out' else 2}f}" for name, value in figure.facts.items()),
        ]

    def __repr__(self) -> str:
        return f"<Speeds: bench {self.number}, {len(self.figures)} figures, {len(self.parts)} operations>"


def machine() -> str:
    """Processor, cores, Python and NumPy, in a line."""
    found = platform.processor() or platform.machine()
    return f"{found}, {thread_count(None)} cores, Python {platform.python_version()}, NumPy {np.__version__}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def _value(figure: Figure) -> str:
    if figure.value != figure.value:
        return "-"
    digits = 1 if figure.unit in ("MB", "ms") else 3 if figure.value < 1 or figure.unit == "times" else 2
    return f"{figure.value:.{digits}f} {figure.unit}"


# Measuring.


def _best(task: Callable[[], Any], repeats: int = 3, clock: Callable[[], float] = time.process_time) -> float:
    """Seconds of the fastest of some runs."""
    found = []
    for _ in range(repeats):
        begin = clock()
        task()
        found.append(clock() - begin)
    return min(found)


def _alternating(
    tasks: Sequence[Callable[[], Any]], repeats: int, clock: Callable[[], float] = time.process_time
) -> list[list[float]]:
    """Seconds of each run of several tasks that take turns."""
    return [
        list(times) for times in zip(*([_best(task, 1, clock) for task in tasks] for _ in range(repeats)), strict=True)
    ]


def _yardstick(rows: int) -> Callable[[], Any]:
    """A task that shuffles so many rows."""
    packs = np.tile(np.arange(162, dtype=np.uint8), (rows, 1))
    out = np.empty_like(packs)
    generator = np.random.Generator(np.random.Philox(1))
    return lambda: generator.permuted(packs, axis=1, out=out)


def row_seconds(rows: int = 100_000) -> float:
    """Seconds of a row: the yardstick."""
    return _best(_yardstick(rows)) / rows


def in_rows(task: Callable[[], Any], n: int, before: Callable[[], Any] = lambda: None, repeats: int = 25) -> float:
    """Time of one of the n things that a task does, without what comes before them, in rows.

    Yardstick, task and what comes before take turns, and the least time of each counts: the speed of a machine that is
    not alone changes from second to second.
    """
    rows = 10_000
    row, whole, start = (min(times) for times in _alternating([_yardstick(rows), task, before], repeats))
    return (whole - start) / n / (row / rows)


def operation_seconds(operation: str, **given: Any) -> float:
    """Seconds of an operation of `_testing.repeat`; what comes before its loop is not counted."""
    n = 1000
    while True:
        whole = _best(partial(_testing.repeat, operation, n, **given))
        before = _best(partial(_testing.repeat, operation, 0, **given))
        if whole - before > 0.05 or n > 10**8:
            return (whole - before) / n
        n *= 4


def facts_of(run: Run, rows: dict[str, np.ndarray]) -> dict[str, float]:
    """What a rate of deals depends on, from their rows."""
    sides = [side.lower() for side in layout_of(run.rules).sides]
    complete = ("sequences", "natural", "mixed", "wild")
    melds = [name for name in rows if name.rpartition("_")[0].rpartition("_")[2] in complete]
    found = {
        "turns": float(rows["turns"].mean()),
        "takes": sum(float(rows[f"takes_{side}"].mean()) for side in sides),
        "melds": sum(float(rows[name].mean()) for name in melds),
    }
    if "declarer" in rows:
        none = len(names_of("seat", run.rules) or ()) - 1
        found["passed_out"] = float((rows["declarer"] == none).mean())
    return found


def whole_deals(policies: str, deals: int) -> tuple[float, dict[str, float]]:
    """Rows that a deal takes in the bare loop of the core on one thread, and what that depends on."""
    run = Run.of(policies=policies)
    rows = run.allocate(deals)
    return in_rows(lambda: run.fill(rows, 0, deals), deals), facts_of(run, rows)


def sample_tables(n: int, policies: str = "heuristic", over: bool = False, begun: bool = False) -> list[Any]:
    """Tables from deals played by a policy: in mid-deal; or over; or only where a turn, or its laying, begins."""
    codes = [(*compiled(NAMED[policies]), 0)] * 4  # type: ignore[misc]
    tables: list[Any] = []
    number = 0
    while len(tables) < n:
        table = _core.Table(_core.Deal(seed=1, number=number))
        number += 1
        _core.play_actions(table, codes)
        if over:
            tables.append(table)
            continue
        actions = table.actions
        for at in range(len(actions) - 1, -1, -1):
            table.pop()
            decides = table.phase in ("auction", "draw") or (at > 0 and actions[at - 1].startswith(("draw", "take")))
            if (decides or not begun) and (number + at) % 7 == 0:
                tables.append(table.copy())
    return tables[:n]


#: Pairs of runs of which the costs of `simulate` are the best: fewer miss the quiet moments of a busy machine.
PAIRS, MOST_PAIRS = 20, 60


def threads_gain(deals: int, policies: str = "heuristic") -> float:
    """How many times faster two threads are than one: the best of five pairs of runs that alternate."""
    run = Run.of(policies=policies)
    rows, done = run.allocate(deals), np.zeros(deals, bool)
    return _gain(lambda threads: play_into(run, rows, done, 0, threads, DEALS_A_TASK, lambda _: None))


def rows_gain(rows: int = 20_000) -> float:
    """The same of the yardstick, as two threads share nothing there: what the machine gives at best."""
    packs = np.tile(np.arange(162, dtype=np.uint8), (rows, 1))
    outs = [np.empty_like(packs) for _ in range(2)]
    generators = [np.random.Generator(np.random.Philox(seed)) for seed in range(2)]

    def shuffle(place: int) -> None:
        for _ in range(4):
            generators[place].permuted(packs, axis=1, out=outs[place])

    def both(threads: int) -> None:
        with threads_executor(threads) as executor:
            list(executor.map(shuffle, range(2)))

    return _gain(both)


def _gain(task: Callable[[int], Any]) -> float:
    if thread_count(None) < 2:
        return float("nan")
    one, two = _alternating([partial(task, 1), partial(task, 2)], 5, time.perf_counter)
    return max(a / b for a, b in zip(one, two, strict=True))


def frame_cost(deals: int, policies: str = "heuristic") -> tuple[float, str]:
    """Time of `simulate` to a DataFrame over that of the bare loop, and how it scatters."""
    run = Run.of(policies=policies)
    rows = run.allocate(deals)
    keywords: dict[str, Any] = {"policies": policies, "threads": 1, "progress": False}
    return _cost(lambda: run.fill(rows, 0, deals), lambda: simulate(deals, **keywords))


def parquet_cost(deals: int, policies: str = "heuristic") -> tuple[float, str]:
    """Time of `simulate` to a dataset over that to a DataFrame, and how it scatters."""
    keywords: dict[str, Any] = {"policies": policies, "threads": 1, "progress": False}
    with tempfile.TemporaryDirectory() as directory:
        names = iter(range(1000))
        return _cost(
            lambda: simulate(deals, **keywords),
            lambda: simulate(deals, out=f"{directory}/{next(names)}", **keywords),
        )


def _cost(plain: Callable[[], Any], more: Callable[[], Any]) -> tuple[float, str]:
    """Time of a task over that of a plainer one, each the best of runs that alternate; and the same of each half.

    Where the halves disagree the machine was busy: there are more runs then.
    """
    _alternating([plain, more], 1)  # what is loaded once is no part of it
    times: list[list[float]] = [[], []]
    while len(times[0]) < MOST_PAIRS:
        for found, fresh in zip(times, _alternating([plain, more], PAIRS), strict=True):
            found += fresh
        half = len(times[0]) // 2
        first, second = (min(b) / min(a) for a, b in ([t[:half] for t in times], [t[half:] for t in times]))
        if abs(first - second) < 0.01:
            break
    note = f"best of {len(times[0])} alternating pairs; {first:.3f}, {second:.3f} of halves"
    return min(times[1]) / min(times[0]), note


def _python(code: str) -> list[float]:
    """The numbers that a fresh interpreter prints."""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return [float(word) for word in run.stdout.split()]


def parquet_memory(deals: int, policies: str = "greedy") -> float:
    """Most memory, in MB, of a fresh interpreter that writes so many deals to a dataset."""
    with tempfile.TemporaryDirectory() as directory:
        (peak,) = _python(
            "import resource, sys, sitoumus as sit;"
            f"sit.simulate({deals}, policies={policies!r}, out={directory + '/deals'!r}, progress=False);"
            # On Linux the other count begins with the memory of the process that started this one.
            "found = [line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')]"
            " if sys.platform == 'linux' else [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss];"
            "print(*found)"
        )
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def import_seconds() -> tuple[float, float]:
    """Seconds of `import sitoumus` above `import numpy`, and of the first hand after it; best of five."""
    code = (
        "import numpy, time; a = time.perf_counter(); import sitoumus; b = time.perf_counter();"
        "sitoumus.Hand('Ah'); print(b - a, time.perf_counter() - b)"
    )
    found = [_python(code) for _ in range(5)]
    return min(a for a, _ in found), min(b for _, b in found)


def push_seconds(tables: Sequence[Any]) -> tuple[float, float]:
    """Seconds of a push of an action that was generated before, and of generating and pushing one."""
    known, whole = 0.0, 0.0
    for some in (tables[first:stop] for first, stop in chunks(0, len(tables), 50)):
        times = []
        for _ in range(10):
            fresh = [table.copy() for table in some]
            pushes = [(table.push, table.legal_actions[len(table.legal_actions) // 2]) for table in fresh]
            again = [table.copy() for table in some]
            times.append((_best(partial(_push_each, pushes), 1), _best(partial(_generate_and_push_each, again), 1)))
        known += min(a for a, _ in times)
        whole += min(b for _, b in times)
    return known / len(tables), whole / len(tables)


def _push_each(pushes: Sequence[tuple[Any, str]]) -> None:
    for push, action in pushes:
        push(action)


def _generate_and_push_each(tables: Sequence[Any]) -> None:
    for table in tables:
        table.push(table.legal_actions[0])


def speeds(deals: int = 20_000, progress: bool = True) -> Speeds:
    """Measure everything for which the project has a bar, and the parts of the core.

    Parameters
    ----------
    deals : int
        Deals for each speed.
    progress : bool
        Show a bar on standard error.

    Returns
    -------
    Speeds
        ``print`` shows its tables.
    """
    deals = checks.whole("deals", deals, 1, checks.MOST_DEALS)
    row = row_seconds()
    figures: list[Figure] = []
    parts: list[Figure] = []
    steps = [*_figures(deals, row, figures), *_parts(row, parts)]
    with progress_bar(len(steps) + 1, "figures", progress) as bar:
        number = bench()
        bar.update()
        for step in steps:
            step()
            bar.update()
    return Speeds(number, row, figures, parts)


def _figures(deals: int, row: float, out: list[Figure]) -> Iterator[Callable[[], None]]:
    """The steps that measure the figures with bars."""

    def add(name: str, value: float, unit: str = "rows", bar: Any = None, aim: Any = None, **more: Any) -> None:
        out.append(Figure(name, value, unit, bar, aim, **more))

    def deal(policies: str) -> None:
        rows, facts = whole_deals(policies, max(deals // 4, 1))
        bar, aim = {"heuristic": (10, 6), "random": (6, 2.5)}.get(policies, (None, None))
        add(f"whole deal, {policies}", rows, bar=bar, aim=aim, facts=facts)

    def opening(cards: int, bar: float, aim: float) -> None:
        hands = random_hands(20_000, seed=1, cards=cards)
        points, n = partial(_testing.repeat, "points", hands=hands), 100_000
        add(f"best opening of {cards} random cards", in_rows(lambda: points(n), n, lambda: points(0)), bar=bar, aim=aim)

    def threads() -> None:
        gain = threads_gain(deals)
        note = f"the yardstick itself gains {rows_gain():.2f}" if gain == gain else "needs two cores"
        add("two threads against one", gain, "times faster", 1.8, 1.95, note=note)

    def frame() -> None:
        value, note = frame_cost(max(deals // 2, 1))
        add("simulate to a DataFrame against the bare loop", value, "times", 1.03, note=note)

    def parquet() -> None:
        measures: list[tuple[str, Callable[[], tuple[float, str]], str, float]] = [
            ("simulate to Parquet against the DataFrame", lambda: parquet_cost(max(deals // 2, 1)), "times", 1.10),
            ("memory of a run to Parquet", memory, "MB", 400),
        ]
        for name, measure, unit, bar in measures:
            try:
                value, note = measure()
            except (ImportError, StudyError, subprocess.CalledProcessError) as error:
                add(name, float("nan"), unit, bar, note=str(error).splitlines()[0][:60])
                continue
            add(name, value, unit, bar, note=note)

    def memory() -> tuple[float, str]:
        few, many = parquet_memory(2 * deals), parquet_memory(8 * deals)
        return max(few, many), f"{few:.0f} of {2 * deals:,} deals, {many:.0f} of {8 * deals:,}"

    def imports() -> None:
        package, core = import_seconds()
        add("import sitoumus above NumPy's", 1e3 * package, "ms", 80, 30, note=f"first hand {1e3 * core:.0f} ms more")

    def push() -> None:
        known, whole = push_seconds(sample_tables(500))
        note = f"{1e9 * whole:.0f} ns with generating"
        add("push of a generated action", known / row_seconds(), bar=0.08, aim=0.03, note=note)

    for policies in _compiled():
        yield partial(deal, policies)
    yield lambda: opening(15, 0.03, 0.02)
    yield lambda: opening(25, 0.16, 0.12)
    yield threads
    yield frame
    yield parquet
    yield imports
    yield push


def _parts(row: float, out: list[Figure]) -> Iterator[Callable[[], None]]:
    """The steps that measure single operations."""

    def add(name: str, operation: str, **given: Any) -> None:
        out.append(Figure(name, operation_seconds(operation, **given) / row))

    def of_hands(cards: int) -> None:
        hands = random_hands(20_000, seed=1, cards=cards)
        for name, operation in _OF_HANDS.items():
            add(f"{name}, {cards} cards", operation, hands=hands)

    def of_tables() -> None:
        tables = sample_tables(2000)
        add("copy a table", "copy", tables=tables)
        add("copy a table and apply an action", "apply", tables=tables)
        add("generate all actions", "generate", tables=tables)
        add("score a deal", "score", tables=sample_tables(500, over=True))

    def decide(policies: str) -> None:
        tables = sample_tables(2000, policies, begun=True)
        code = compiled(NAMED[policies])
        add(f"decision, {policies}, a turn or its laying begins", "decide", tables=tables, policy=code)

    yield partial(add, "shuffle 162 cards", "shuffle")
    yield partial(add, "shuffle and deal", "deal")
    for cards in (15, 20, 25, 28):
        yield partial(of_hands, cards)
    yield of_tables
    for policies in _compiled():
        yield partial(decide, policies)


#: Operations on hands that are timed, by what they are called.
_OF_HANDS = {
    "list melds to start": "starts",
    "can open with 90": "can_open",
    "points of the best opening": "points",
    "best opening, melds too": "opening",
    "best division": "divide",
    "features": "features",
}
