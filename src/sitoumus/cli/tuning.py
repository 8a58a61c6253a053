"""The command that tunes players for a rule set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ..errors import StudyError
from .complaints import Part, complain
from .options import JsonOption, OptionOption, ProgressOption, RulesOption, SeedOption, ThreadsOption
from .program import app
from .reading import fraction, read_policy, read_rules, whole


@app.command(
    epilog="Examples: sitoumus tune --rules house.toml --out mine.json; sitoumus tune -o 'void_cost=[0,100]' --resume"
)
def tune(
    rules: RulesOption = "sitoumussamba",
    option: OptionOption = None,
    out: Annotated[
        str, typer.Option("--out", metavar="FILE", help="The player, as JSON that --policies reads; beside it its log.")
    ] = "player.json",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a search that was broken off.")] = False,
    start: Annotated[
        str, typer.Option("--start", metavar="POLICY", help="From where it sets out: a heuristic policy.")
    ] = "tuned",
    against: Annotated[
        list[str] | None,
        typer.Option("--against", metavar="POLICY", help="Another player of the pool; may be repeated."),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--parameters", metavar="PATTERN", help="Those that are searched, as bid_* or -race_*."),
    ] = None,
    rounds: Annotated[
        int, typer.Option("--rounds", metavar="N", parser=whole(1), help="Best responses searched for, at most.")
    ] = 4,
    generations: Annotated[
        int, typer.Option("--generations", metavar="N", parser=whole(1), help="Generations of each.")
    ] = 60,
    population: Annotated[
        int, typer.Option("--population", metavar="N", parser=whole(4), help="Candidates of a generation.")
    ] = 16,
    pairs: Annotated[
        int, typer.Option("--pairs", metavar="N", parser=whole(2), help="Pairs of deals of each candidate.")
    ] = 400,
    test_pairs: Annotated[
        int, typer.Option("--test-pairs", metavar="N", parser=whole(2), help="Pairs of deals of each test.")
    ] = 4000,
    sigma: Annotated[
        float, typer.Option("--sigma", metavar="X", parser=fraction, help="First step, in units of a parameter's.")
    ] = 0.2,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    progress: ProgressOption = True,
    as_json: JsonOption = False,
) -> None:
    """Tune the parameters of the heuristic for a rule set: best responses to a growing pool.

    FILE gets the player. Beside it stand FILE's name with .state.json, written whole after every generation, and with
    .log.csv, a row for every step.
    """
    import sitoumus as sit

    path = Path(out)
    if path.suffix != ".json":
        raise StudyError(f"--out {out}: the player is written as JSON, so the name must end with .json")
    state = path.with_suffix(".state.json")
    try:
        found = sit.tune(
            read_rules(rules, option),
            start=read_policy(start),
            against=[read_policy(each) for each in against or ()],
            parameters=parameters or ("*",),
            rounds=rounds,
            generations=generations,
            population=population,
            pairs=pairs,
            test_pairs=test_pairs,
            sigma=sigma,
            seed=seed,
            state=state,
            resume=resume,
            log=path.with_suffix(".log.csv"),
            threads=threads,
            progress=progress,
        )
    except KeyboardInterrupt:
        complain(f"stopped by ctrl-C: what was played stands in {state}, and --resume goes on")
        raise Part from None
    found.save(path)
    if as_json:
        print(
            json.dumps(
                {
                    "name": found.name,
                    "player": found.policy.to_dict(),
                    "gain": found.gain,
                    "low": found.low,
                    "high": found.high,
                    "pool": list(found.pool),
                    "gains": found.gains.tolist(),
                    "mixture": found.mixture.tolist(),
                }
            )
        )
    else:
        print(found)
