"""Commands that play many deals."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import StudyError, StudyInterrupted
from ..policies import DEFAULT
from .complaints import Part, say_stopped
from .options import (
    ContractsOption,
    CsvOption,
    DealerOption,
    JsonOption,
    OptionOption,
    PairsOption,
    PlotOption,
    PoliciesOption,
    ProgressOption,
    RulesOption,
    SeedOption,
    ThreadsOption,
    TotalsOption,
    WhereOption,
)
from .printing import draw_plot, print_study, print_summary, ready_to_write, show_study
from .program import app
from .reading import fraction, read_named_policies, read_policies, read_policy, read_rules, read_totals, whole


@app.command(epilog="Examples: sitoumus simulate 100000 --seed 7; sitoumus simulate 1000000000 --out deals/ --resume")
def simulate(
    deals: Annotated[int, typer.Argument(metavar="DEALS", parser=whole(1), help="How many deals.")],
    seed: SeedOption = 0,
    start: Annotated[int, typer.Option("--start", metavar="N", parser=whole(0), help="Number of the first deal.")] = 0,
    policies: PoliciesOption = DEFAULT,
    dealer: Annotated[str, typer.Option("--dealer", metavar="SEAT", help="N, E, S, W or rotate.")] = "N",
    totals: TotalsOption = "0,0",
    contract: Annotated[
        str | None, typer.Option("--contract", metavar="TEXT", help='A forced contract, such as "3H by E doubled".')
    ] = None,
    rules: RulesOption = "sitoumussamba",
    option: OptionOption = None,
    where: WhereOption = None,
    features: Annotated[bool, typer.Option("--features", help="Add the features of the dealt hands.")] = False,
    cards: Annotated[bool, typer.Option("--cards", help="Add the dealt hands.")] = False,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="Write a dataset of Parquet parts here.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a dataset that was broken off.")] = False,
    threads: ThreadsOption = None,
    plot: PlotOption = None,
    progress: ProgressOption = True,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Play many deals: one row a deal as CSV or a Parquet dataset, or a summary."""
    import sitoumus as sit

    ruleset = read_rules(rules, option)
    ready_to_write(as_json, as_csv, plot)
    if out is not None and as_csv:
        raise StudyError("--out writes a dataset and --csv the rows to standard output: give one of the two")
    status = 0
    result: Any
    try:
        result = sit.simulate(
            deals,
            seed=seed,
            start=start,
            policies=read_policies(policies),
            dealer=dealer,
            totals=read_totals(totals, ruleset),
            contract=contract,
            rules=ruleset,
            where=where,
            features=features,
            cards=cards,
            out=out,
            resume=resume,
            threads=threads,
            progress=progress,
        )
    except StudyInterrupted as stopped:
        result, status = stopped.result, 130
        part: Any = result
        there = len(part) - (0 if out is None else sum(last - first for first, last in part.missing))
        say_stopped(f"{deals:,} deals", f"{there:,} of them{'' if out is None else ', and --resume goes on'}")
    if plot is not None:
        from ..plots import plot_rows

        drawn = [name for name in ("level", "result", "ended") if name in result.columns]
        if out is None or not status:  # a dataset is read when it is complete
            draw_plot(plot_rows(result[drawn] if out is None else result.to_pandas(columns=drawn)), plot)
    if out is not None:
        print(result)
    elif as_csv:
        result.to_csv(sys.stdout, index=False)
    elif as_json:
        result.to_json(sys.stdout, orient="records", lines=True)
    else:
        print(print_summary(result))
    if status:
        raise Part


@app.command(epilog="Examples: sitoumus compare heuristic greedy; sitoumus compare mine.json heuristic --contract 3H")
def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="A policy: a name, rollout:WORLDS[:BASE], or a JSON file.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The policy to compare it with.")],
    pairs: PairsOption = 20_000,
    contract: ContractsOption = None,
    until_decided: Annotated[
        bool, typer.Option("--until-decided", help="Stop as soon as a sequential test decides.")
    ] = False,
    effect: Annotated[
        float,
        typer.Option(
            "--effect", metavar="X", parser=fraction, help="Effect that the test tells from none, in sd of a pair."
        ),
    ] = 0.02,
    matches: Annotated[
        int, typer.Option("--matches", metavar="N", parser=whole(0), help="Also play so many pairs of matches.")
    ] = 0,
    seed: SeedOption = 0,
    start: Annotated[int, typer.Option("--start", metavar="N", parser=whole(0), help="Number of the first pair.")] = 0,
    dealer: DealerOption = "N",
    totals: TotalsOption = "0,0",
    rules: RulesOption = "sitoumussamba",
    option: OptionOption = None,
    threads: ThreadsOption = None,
    plot: Annotated[str | None, typer.Option("--plot", metavar="FILE", help="Draw it into a picture.")] = None,
    progress: ProgressOption = True,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Compare two policies on duplicate deals: the same cards, the policies changing sides."""
    import sitoumus as sit

    ruleset = read_rules(rules, option)
    show_study(
        lambda: sit.compare(
            read_policy(a),
            read_policy(b),
            pairs=pairs,
            seed=seed,
            rules=ruleset,
            dealer=dealer,
            totals=read_totals(totals, ruleset),
            contract=contract or None,
            matches=matches,
            until=sit.SequentialTest(h1=effect) if until_decided else None,
            start=start,
            threads=threads,
            progress=progress,
        ),
        as_json,
        as_csv,
        plot,
    )


@app.command(epilog="Examples: sitoumus ladder; sitoumus ladder greedy heuristic mine.json --pairs 100000")
def ladder(
    policies: Annotated[
        list[str] | None,
        typer.Argument(metavar="[POLICY...]", help="Names, rollout:WORLDS[:BASE], JSON files; left out: all names."),
    ] = None,
    pairs: PairsOption = 20_000,
    contract: ContractsOption = None,
    seed: SeedOption = 0,
    dealer: DealerOption = "N",
    totals: TotalsOption = "0,0",
    rules: RulesOption = "sitoumussamba",
    option: OptionOption = None,
    threads: ThreadsOption = None,
    plot: Annotated[str | None, typer.Option("--plot", metavar="FILE", help="Draw it into a picture.")] = None,
    progress: ProgressOption = True,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Compare every policy with every other: the cross table of points a deal."""
    import sitoumus as sit

    ruleset = read_rules(rules, option)
    show_study(
        lambda: sit.ladder(
            read_named_policies(policies) if policies else None,
            pairs=pairs,
            seed=seed,
            rules=ruleset,
            dealer=dealer,
            totals=read_totals(totals, ruleset),
            contract=contract or None,
            threads=threads,
            progress=progress,
        ),
        as_json,
        as_csv,
        plot,
    )


@app.command(epilog="Examples: sitoumus bench; sitoumus bench --number")
def bench(
    deals: Annotated[
        int, typer.Option("--deals", metavar="N", parser=whole(1), help="Deals for each speed.")
    ] = 20_000,
    number: Annotated[bool, typer.Option("--number", help="Only the behaviour number, which takes a second.")] = False,
    save: Annotated[str | None, typer.Option("--save", metavar="FILE", help="Also write JSON into this file.")] = None,
    progress: ProgressOption = True,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Print the behaviour number, and the speeds of this machine beside their bars."""
    import sitoumus as sit

    ready_to_write(as_json, as_csv)
    if number:
        print(sit.bench())
        return
    found = sit.speeds(deals, progress=progress)
    if save is not None:
        try:
            Path(save).write_text(json.dumps(found.to_dict(), indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise StudyError(f"--save {save}: {error}") from None
    print_study(found, as_json, as_csv, None)
