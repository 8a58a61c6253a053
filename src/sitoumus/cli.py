"""The command line: ``sitoumus COMMAND ...`` or ``python -m sitoumus COMMAND ...``.

Results go to standard output, progress and complaints to standard error. Bad input is one sentence
and exit status 2; ctrl-C ends with 130. What a command needs is imported when it runs.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .errors import (
    CaseFileError,
    InvalidPositionError,
    PolicyError,
    RuleSetError,
    SitoumusError,
    StudyError,
    StudyInterrupted,
)

if TYPE_CHECKING:
    import pandas as pd

    from .record import Game
    from .rules import RuleSet

__all__ = ["app", "main"]

# Typer carries its own copy of Click since 0.22, so its exceptions are found through what Typer shows.
_UsageError: Any = typer.BadParameter.__mro__[1]
_ClickException: Any = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="sitoumus",
    help="Sitoumussamba and the Canasta family, simulated exactly: odds of contracts, worth of bids, single deals.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(asked: bool) -> None:
    if asked:
        from .version import RESULT_VERSION, __version__

        print(f"sitoumus {__version__}, result version {RESULT_VERSION}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version, and that of the results."),
    ] = False,
) -> None:
    """What stands before a command."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str
        Without the name of the program.

    Returns
    -------
    int
        The exit status: 0, 1 if something checked has failed, 2 for bad input, 130 after ctrl-C.
    """
    if sys.stdout is None:
        return _complain("standard output is closed: there is nowhere to write")
    try:
        status = app(args=list(arguments) or ["--help"], prog_name="sitoumus", standalone_mode=False)
        sys.stdout.flush()
        return _nothing_known(arguments) if status == 130 else status if isinstance(status, int) else 0
    except _Part:
        return 130
    except _UsageError as error:
        command = error.ctx.command_path if error.ctx else "sitoumus"
        return _complain(f"{error.format_message().rstrip('.')} (see {command} --help)")
    except _ClickException as error:
        return _complain(error.format_message())
    except SitoumusError as error:
        return _complain(str(error))
    except UnicodeEncodeError as error:
        wrong = error.object[error.start : error.end]
        return _complain(
            f"{wrong!r} cannot be written in the encoding {error.encoding} of standard output: "
            "set PYTHONIOENCODING=utf-8"
        )
    except (KeyboardInterrupt, typer.Abort):
        return _nothing_known(arguments)
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        _give_up_output()
        return 1
    except OSError as error:
        _give_up_output()
        return _complain(f"the output cannot be written: {error}")


class _Part(Exception):
    """Ctrl-C after which a part of the answer was printed."""


def _nothing_known(arguments: Sequence[str]) -> int:
    """What is said of a command that ctrl-C stopped before it printed anything: Typer makes it a status of 130."""
    asked = shlex.join(["sitoumus", *arguments])
    _complain(f"stopped by ctrl-C before anything was known of what was asked: {asked}")
    return 130


def _give_up_output() -> None:
    """Let what is still to be written go nowhere; without this Python complains when it closes standard output."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        pass  # it is no file


def _complain(message: str) -> int:
    if sys.stderr is not None:
        text = f"sitoumus: {' '.join(message.split())}"
        encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
        print(text.encode(encoding, "backslashreplace").decode(encoding), file=sys.stderr)
    return 2


def _stopped(asked: str, came: str) -> None:
    """Say on standard error that what was printed is a part, and of what."""
    _complain(f"stopped by ctrl-C: {asked} were asked for, this is {came}")


def _whole(least: int) -> Callable[[str], int]:
    """Reader of a whole number that quotes what is none."""

    def whole(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise typer.BadParameter(f"{text!r} is no whole number from {least} up")
        return number

    return whole


def _fraction(text: str) -> float:
    """A number, quoted if it is none."""
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no number") from None


# Options that several commands share.


def _presets(incomplete: str) -> list[str]:
    """Names that complete what the user began."""
    from .rules import PRESETS

    return [name for name in PRESETS if name.startswith(incomplete)]


def _policy_names(incomplete: str) -> list[str]:
    """The same of policies, after the last comma."""
    from .policies import NAMED

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in (*NAMED, "rollout:64") if name.startswith(last)]


RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar="PRESET",
        help="Preset, or a TOML file with a rule set.",
        show_default=True,
        autocompletion=_presets,
    ),
]
OptionOption = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule that differs, such as -o target=10000."),
]
SeedOption = Annotated[
    int, typer.Option("--seed", metavar="N", parser=_whole(0), help="Seed; equal seeds give equal deals for ever.")
]
DealerOption = Annotated[str, typer.Option("--dealer", metavar="SEAT", help="Seat of the dealer: N, E, S or W.")]
TotalsOption = Annotated[
    str, typer.Option("--totals", metavar="NS,EW", help="Match totals at the start of the deal, such as 1500,0.")
]
PoliciesOption = Annotated[
    str,
    typer.Option(
        "--policies",
        metavar="NAMES",
        help="One for all, two (NS,EW) or one a seat: names or JSON files.",
        autocompletion=_policy_names,
    ),
]
ThreadsOption = Annotated[
    int | None, typer.Option("--threads", metavar="N", parser=_whole(1), help="Threads; all cores if left out.")
]
WhereOption = Annotated[
    str | None,
    typer.Option("--where", metavar="TEXT", help='Only deals of which this holds, such as "north.jokers >= 1".'),
]
KnownOption = Annotated[
    list[str] | None,
    typer.Option(
        "--known", metavar="SEAT=CARDS", help='Cards known to lie at a seat, as in "W=JK 2d"; may be repeated.'
    ),
]
SaveStudyOption = Annotated[
    str | None, typer.Option("--save", metavar="FILE", help="Write the question as TOML here, for sitoumus run.")
]
PairsOption = Annotated[
    int, typer.Option("--pairs", metavar="N", parser=_whole(2), help="Pairs of deals, for each two policies.")
]
ContractsOption = Annotated[
    list[str] | None,
    typer.Option("--contract", "-c", metavar="TEXT", help='A forced contract: 3H (by each in turn) or "3H by E".'),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON to standard output and nothing else.")]
CsvOption = Annotated[bool, typer.Option("--csv", help="Write CSV to standard output and nothing else.")]
ProgressOption = Annotated[bool, typer.Option("--progress/--no-progress", help="Show progress on standard error.")]


# The commands, in the order in which help lists them.


@app.command(epilog="Example: sitoumus cases tests/cases/*.toml")
def cases(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="TOML files of rule cases.")],
    as_json: JsonOption = False,
) -> None:
    """Check rule cases: positions, what is legal in them, and what must follow.

    Prints a line for each case that fails, then how many passed and failed. Exit status 1 if a case
    failed, 2 if a file cannot be read.
    """
    from .cases import check

    results, unreadable = [], False
    for file in files:
        try:
            results += [(file, result) for result in check(file)]
        except CaseFileError as error:
            unreadable = True
            _complain(str(error))
    failed = [(file, result) for file, result in results if not result.passed]
    if as_json:
        failures = [
            {
                "file": file,
                "id": result.id,
                "rule": result.rule,
                "failures": [{"what": f.what, "expected": f.expected, "got": f.got} for f in result.failures],
            }
            for file, result in failed
        ]
        _print_json({"passed": len(results) - len(failed), "failed": len(failed), "cases": failures})
    else:
        for _, result in failed:
            print(result)
        print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    if failed or unreadable:
        raise typer.Exit(2 if unreadable else 1)


@app.command(epilog="Examples: sitoumus rules samba; sitoumus rules --diff samba bolivia")
def rules(
    preset: Annotated[
        str | None,
        typer.Argument(
            metavar="[PRESET]", help="Preset or TOML file; left out, the presets are listed.", autocompletion=_presets
        ),
    ] = None,
    option: OptionOption = None,
    diff: Annotated[
        tuple[str, str] | None, typer.Option("--diff", metavar="A B", help="The fields in which two rule sets differ.")
    ] = None,
    toml: Annotated[bool, typer.Option("--toml", help="Write every field as TOML.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print the rules of a game in words, or the fields in which two games differ."""
    from .rules import PRESETS

    if diff is not None:
        differences = _ruleset(diff[0]).diff(_ruleset(diff[1]))
        if as_json:
            _print_json([{"field": field, diff[0]: a, diff[1]: b} for field, a, b in differences])
        elif not differences:
            print(f"{diff[0]} and {diff[1]} have the same rules")
        else:
            _print_table(["field", *diff], [[field, _plain(a), _plain(b)] for field, a, b in differences])
    elif preset is None:
        if as_json:
            _print_json(list(PRESETS))
        else:
            print("\n".join(PRESETS))
    else:
        ruleset = _ruleset(preset, option)
        if as_json:
            _print_json(ruleset.to_dict(full=True))
        elif toml:
            print(ruleset.to_toml(full=True), end="")
        else:
            print(ruleset.describe())


@app.command(epilog="Example: sitoumus score finished.toml")
def score(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A finished position (TOML) or a game record (JSON).")],
    rules: Annotated[
        str | None, typer.Option("--rules", metavar="PRESET", help="Preset or TOML file; left out, what the file says.")
    ] = None,
    option: OptionOption = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Explain the score of a finished deal, point by point, each with its rule."""
    from ._core import Table

    _ready_to_write(as_json, as_csv)
    if Path(file).suffix in (".json", ".jsonl"):
        if rules is not None or option:
            raise StudyError(f"{file} is a game record, which names its own rules: leave --rules and --option out")
        from .record import load_game

        table = load_game(file).table
    else:
        ruleset = None if rules is None else _ruleset(rules)
        try:
            table = Table.from_position(Path(file), rules=ruleset, options=_options(option) or None)
        except InvalidPositionError as error:
            raise InvalidPositionError(f"{file}: {error}") from None
    if table.phase != "over":
        raise StudyError(f"{file}: the deal is not over (phase {table.phase}), so it has no score yet")
    _print_score(table.score(), table, as_json, as_csv)


@app.command(epilog='Example: sitoumus play --seed 7 --number 42 --contract "3H by E" --save 42.json')
def play(
    seed: SeedOption = 0,
    number: Annotated[int, typer.Option("--number", metavar="N", parser=_whole(0), help="Number of the deal.")] = 0,
    policies: PoliciesOption = "heuristic",
    dealer: DealerOption = "N",
    totals: TotalsOption = "0,0",
    contract: Annotated[
        str | None, typer.Option("--contract", metavar="TEXT", help='A forced contract, such as "3H by E doubled".')
    ] = None,
    rules: RulesOption = "sitoumussamba",
    option: OptionOption = None,
    save: Annotated[str | None, typer.Option("--save", metavar="FILE", help="Write the game record here.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Play one deal and print it: the calls, every turn, and the score."""
    import sitoumus as sit

    ruleset = _ruleset(rules, option)
    game = sit.play(
        sit.Deal(seed=seed, number=number, rules=ruleset),
        policies=_policies(policies),
        rules=ruleset,
        dealer=dealer,
        totals=_totals(totals, ruleset),
        contract=contract,
    )
    if save is not None:
        _write(game, save)
    if as_json:
        _print_json(game.to_dict())
    else:
        _print_game(game)


@app.command(epilog="Examples: sitoumus replay 42.json --at 57; sitoumus replay deals/ 42")
def replay(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="A game record (.json, .jsonl) or a dataset.")],
    number: Annotated[
        int | None,
        typer.Argument(metavar="[NUMBER]", parser=_whole(0), help="Game of a .jsonl file (from 0), deal of a dataset."),
    ] = None,
    at: Annotated[
        int | None, typer.Option("--at", metavar="K", parser=_whole(0), help="Show the table after K actions.")
    ] = None,
    save: Annotated[str | None, typer.Option("--save", metavar="FILE", help="Write the game record here.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Play a recorded deal again, checking every action, and print it card by card."""
    if Path(source).suffix in (".json", ".jsonl"):
        from .record import load_game

        game = load_game(source, number)
    else:
        import sitoumus as sit

        if number is None:
            raise StudyError(f"{source} is a dataset: say which deal, as in sitoumus replay {source} 42")
        game = sit.replay(sit.open_dataset(source), number)
    if save is not None:
        _write(game, save)
    if as_json:
        _print_json(game.to_dict() if at is None else game.at(at).to_position())
    elif at is not None:
        print(game.at(at))
    else:
        _print_game(game)


@app.command(
    epilog='Example: sitoumus odds "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s" --contract 2H --contract 3H --json'
)
def odds(
    hand: Annotated[list[str], typer.Argument(metavar="HAND", help="The hand, such as 'Ah Kh Qh ...'.")],
    contract: Annotated[
        list[str], typer.Option("--contract", "-c", metavar="TEXT", help='A contract, such as 3H or "4CAN doubled".')
    ],
    seat: Annotated[str, typer.Option("--seat", metavar="SEAT", help="Who holds the hand and declares.")] = "E",
    dealer: DealerOption = "N",
    totals: TotalsOption = "0,0",
    auction: Annotated[
        str, typer.Option("--auction", metavar="CALLS", help='The calls so far, such as "pass 1H".')
    ] = "",
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals", metavar="N", parser=_whole(1), help="Deals, the same for all; 20000. With --precision the most."
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision", metavar="X", parser=_fraction, help="Stop when every share is known within X, such as 0.01."
        ),
    ] = None,
    seed: SeedOption = 0,
    policies: PoliciesOption = "heuristic",
    panel: Annotated[
        str | None,
        typer.Option("--panel", metavar="NAMES", help="Also play each of these policies against each."),
    ] = None,
    rules_panel: Annotated[
        bool, typer.Option("--rules-panel", help="Also settle or play the deals by other readings of open rules.")
    ] = False,
    reading: Annotated[
        list[str] | None,
        typer.Option("--reading", metavar="RULE", help="Only readings of this rule, such as B33; may be repeated."),
    ] = None,
    spread: Annotated[bool, typer.Option("--spread", help="Add deviation and quantiles of the points.")] = False,
    break_even: Annotated[
        bool, typer.Option("--break-even", help="Add the share of made at which bidding brings as much as passing.")
    ] = False,
    vs_best: Annotated[bool, typer.Option("--vs-best", help="Add the difference to the best contract.")] = False,
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="NAME", help="Tell deals apart, by such as ended or partner.jokers."),
    ] = None,
    below: Annotated[
        list[str] | None,
        typer.Option("--below", metavar="TEXT", help='A bid beneath, such as "2S by S"; may be repeated.'),
    ] = None,
    known: KnownOption = None,
    where: WhereOption = None,
    threads: ThreadsOption = None,
    rules: RulesOption = "sitoumussamba",
    option: OptionOption = None,
    plot: Annotated[str | None, typer.Option("--plot", metavar="FILE", help="Draw the odds into a picture.")] = None,
    save: SaveStudyOption = None,
    progress: ProgressOption = True,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Odds of contracts with a hand: how often each is made, failed or void, and what it is worth."""
    import sitoumus as sit

    ruleset = _ruleset(rules, option)
    _study(
        lambda: sit.contract_odds(
            sit.Hand(" ".join(hand)),
            contracts=contract,
            seat=seat,
            dealer=dealer,
            totals=_totals(totals, ruleset),
            auction=tuple(auction.replace(",", " ").split()),
            deals=deals,
            precision=precision,
            seed=seed,
            policies=_policies(policies),
            panel=None if panel is None else _named_policies(panel.split(",")),
            rules_panel=reading or rules_panel,
            spread=spread,
            break_even=break_even,
            vs_best=vs_best,
            by=by,
            below=below or (),
            hands=_known(known),
            where=where,
            rules=ruleset,
            threads=threads,
            progress=progress,
        ),
        as_json,
        as_csv,
        plot,
        save,
    )


SeatOption = Annotated[str, typer.Option("--seat", metavar="SEAT", help="Who holds the hand and is to call.")]
PlotOption = Annotated[str | None, typer.Option("--plot", metavar="FILE", help="Draw it into a picture.")]


@app.command(
    "best-bid", epilog='Example: sitoumus best-bid "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s" --totals 1500,3000'
)
def best_bid(
    hand: Annotated[list[str], typer.Argument(metavar="HAND", help="The hand, such as 'Ah Kh Qh ...'.")],
    seat: SeatOption = "E",
    dealer: DealerOption = "N",
    totals: TotalsOption = "0,0",
    auction: Annotated[
        str, typer.Option("--auction", metavar="CALLS", help='The calls so far, such as "pass 1H".')
    ] = "",
    max_level: Annotated[
        int, typer.Option("--max-level", metavar="N", parser=_whole(0), help="Highest level that is tried.")
    ] = 5,
    eps: Annotated[
        float | None,
        typer.Option(
            "--eps",
            metavar="X",
            parser=_fraction,
            help="Difference that does not matter; 25 points, or 0.002 of a match.",
        ),
    ] = None,
    deals: Annotated[
        int, typer.Option("--deals", metavar="N", parser=_whole(1), help="At most so many deals for each call.")
    ] = 20_000,
    utility: Annotated[
        str, typer.Option("--utility", metavar="NAME", help="points, or match: the chance to win the match.")
    ] = "points",
    call: Annotated[
        list[str] | None,
        typer.Option("--call", metavar="CALL", help="Only this call and such others; may be repeated."),
    ] = None,
    known: KnownOption = None,
    where: WhereOption = None,
    seed: SeedOption = 0,
    policies: PoliciesOption = "heuristic",
    threads: ThreadsOption = None,
    rules: RulesOption = "sitoumussamba",
    option: OptionOption = None,
    plot: PlotOption = None,
    save: SaveStudyOption = None,
    progress: ProgressOption = True,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Find the best call with a hand: all calls on the same deals, the worse ones dropped when that is certain."""
    import sitoumus as sit

    ruleset = _ruleset(rules, option)
    _study(
        lambda: sit.best_bid(
            sit.Hand(" ".join(hand)),
            seat=seat,
            dealer=dealer,
            totals=_totals(totals, ruleset),
            auction=tuple(auction.replace(",", " ").split()),
            max_level=max_level,
            eps=eps,
            deals=deals,
            seed=seed,
            policies=_policies(policies),
            utility=utility,
            calls=call or None,
            hands=_known(known),
            where=where,
            rules=ruleset,
            threads=threads,
            progress=progress,
        ),
        as_json,
        as_csv,
        plot,
        save,
    )


AgainstOption = Annotated[
    str,
    typer.Option("--against", metavar="WHAT", help="Compare with pass, below (one level lower), or a contract."),
]
ContestedOption = Annotated[
    bool, typer.Option("--contested", help="Ask of bids: the auction goes on after them, instead of forced contracts.")
]

HandsOption = Annotated[int, typer.Option("--hands", metavar="N", parser=_whole(200), help="Random hands.")]


@app.command(epilog="Example: sitoumus thresholds --contract 3H --contract 4H --feature run_h")
def thresholds(
    contract: Annotated[
        list[str], typer.Option("--contract", "-c", metavar="TEXT", help='A contract, such as 3H or "4CAN doubled".')
    ],
    feature: Annotated[
        list[str], typer.Option("--feature", "-f", metavar="NAME", help="A feature of the hand, such as run_h.")
    ],
    hands: HandsOption = 20_000,
    repeats: Annotated[int, typer.Option("--repeats", metavar="N", parser=_whole(1), help="Deals of each hand.")] = 1,
    seat: SeatOption = "E",
    dealer: DealerOption = "N",
    totals: TotalsOption = "0,0",
    against: AgainstOption = "pass",
    contested: ContestedOption = False,
    where: WhereOption = None,
    seed: SeedOption = 0,
    policies: PoliciesOption = "heuristic",
    threads: ThreadsOption = None,
    rules: RulesOption = "sitoumussamba",
    option: OptionOption = None,
    plot: PlotOption = None,
    save: SaveStudyOption = None,
    progress: ProgressOption = True,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Find from which hand on a bid pays, by a feature of the hand."""
    import sitoumus as sit

    ruleset = _ruleset(rules, option)
    _study(
        lambda: sit.thresholds(
            contract,
            feature,
            hands=hands,
            repeats=repeats,
            seat=seat,
            dealer=dealer,
            totals=_totals(totals, ruleset),
            seed=seed,
            policies=_policies(policies),
            against=against,
            contested=contested,
            where=where,
            rules=ruleset,
            threads=threads,
            progress=progress,
        ),
        as_json,
        as_csv,
        plot,
        save,
    )


@app.command("bidding-table", epilog="Example: sitoumus bidding-table --minimum 50 --minimum 90 --plot sheet.png")
def bidding_table(
    minimum: Annotated[
        list[int] | None,
        typer.Option(
            "--minimum", metavar="N", parser=_whole(0), help="Opening minimum; may be repeated, all if left out."
        ),
    ] = None,
    level: Annotated[
        list[int] | None,
        typer.Option("--level", metavar="N", parser=_whole(1), help="Level; may be repeated, 1 to 5 if left out."),
    ] = None,
    strain: Annotated[
        list[str] | None, typer.Option("--strain", metavar="NAME", help="C, D, H, S, CAN or DEU; may be repeated.")
    ] = None,
    hands: HandsOption = 20_000,
    seat: SeatOption = "E",
    dealer: DealerOption = "N",
    against: AgainstOption = "pass",
    contested: ContestedOption = False,
    seed: SeedOption = 0,
    policies: PoliciesOption = "heuristic",
    threads: ThreadsOption = None,
    rules: RulesOption = "sitoumussamba",
    option: OptionOption = None,
    plot: PlotOption = None,
    save: SaveStudyOption = None,
    progress: ProgressOption = True,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Make the player's sheet: for each bid the hand from which it pays, at each opening minimum."""
    import sitoumus as sit

    from .notation import STRAINS

    _study(
        lambda: sit.bidding_table(
            minimum or None,
            levels=level or (1, 2, 3, 4, 5),
            strains=[name.upper() for name in strain] if strain else STRAINS,
            hands=hands,
            seat=seat,
            dealer=dealer,
            seed=seed,
            policies=_policies(policies),
            against=against,
            contested=contested,
            rules=_ruleset(rules, option),
            threads=threads,
            progress=progress,
        ),
        as_json,
        as_csv,
        plot,
        save,
    )


@app.command("condition", epilog='Example: sitoumus condition "(west.run_h >= 3) | (west.jokers >= 2)"')
def show_condition(
    where: Annotated[str, typer.Argument(metavar="TEXT", help='A condition, such as "north.jokers >= 1".')],
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="SEAT", help="Whose hands are shown, and from whom partner counts.")
    ] = None,
    known: KnownOption = None,
    deals: Annotated[
        int, typer.Option("--deals", metavar="N", parser=_whole(1), help="Deals behind the histograms.")
    ] = 1_000,
    seed: SeedOption = 0,
    rules: RulesOption = "sitoumussamba",
    option: OptionOption = None,
    plot: PlotOption = None,
    save: SaveStudyOption = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Show what a condition asks for: its probability, sample hands and histograms."""
    import sitoumus as sit

    ruleset = _ruleset(rules, option)
    _study(
        lambda: sit.show_condition(where, seed=seed, hands=_known(known), rules=ruleset, seat=seat, deals=deals),
        as_json,
        as_csv,
        plot,
        save,
    )


@app.command("run", epilog="Example: sitoumus run study.toml --json")
def run_study(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A study as TOML, as to_toml() of a result writes it.")],
    threads: ThreadsOption = None,
    plot: PlotOption = None,
    progress: ProgressOption = True,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Ask the question of a study file again."""
    import sitoumus as sit

    _study(lambda: sit.run_study(file, threads=threads, progress=progress), as_json, as_csv, plot)


@app.command(epilog="Examples: sitoumus simulate 100000 --seed 7; sitoumus simulate 1000000000 --out deals/ --resume")
def simulate(
    deals: Annotated[int, typer.Argument(metavar="DEALS", parser=_whole(1), help="How many deals.")],
    seed: SeedOption = 0,
    start: Annotated[int, typer.Option("--start", metavar="N", parser=_whole(0), help="Number of the first deal.")] = 0,
    policies: PoliciesOption = "heuristic",
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

    ruleset = _ruleset(rules, option)
    _ready_to_write(as_json, as_csv, plot)
    if out is not None and as_csv:
        raise StudyError("--out writes a dataset and --csv the rows to standard output: give one of the two")
    status = 0
    result: Any
    try:
        result = sit.simulate(
            deals,
            seed=seed,
            start=start,
            policies=_policies(policies),
            dealer=dealer,
            totals=_totals(totals, ruleset),
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
        _stopped(f"{deals:,} deals", f"{there:,} of them{'' if out is None else ', and --resume goes on'}")
    if plot is not None:
        from .plots import plot_rows

        drawn = [name for name in ("level", "result", "ended") if name in result.columns]
        if out is None or not status:  # a dataset is read when it is complete
            _draw(plot_rows(result[drawn] if out is None else result.to_pandas(columns=drawn)), plot)
    if out is not None:
        print(result)
    elif as_csv:
        result.to_csv(sys.stdout, index=False)
    elif as_json:
        result.to_json(sys.stdout, orient="records", lines=True)
    else:
        print(_summary(result))
    if status:
        raise _Part


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
            "--effect", metavar="X", parser=_fraction, help="Effect that the test tells from none, in sd of a pair."
        ),
    ] = 0.02,
    matches: Annotated[
        int, typer.Option("--matches", metavar="N", parser=_whole(0), help="Also play so many pairs of matches.")
    ] = 0,
    seed: SeedOption = 0,
    start: Annotated[int, typer.Option("--start", metavar="N", parser=_whole(0), help="Number of the first pair.")] = 0,
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

    ruleset = _ruleset(rules, option)
    _study(
        lambda: sit.compare(
            _policy(a),
            _policy(b),
            pairs=pairs,
            seed=seed,
            rules=ruleset,
            dealer=dealer,
            totals=_totals(totals, ruleset),
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

    ruleset = _ruleset(rules, option)
    _study(
        lambda: sit.ladder(
            _named_policies(policies) if policies else None,
            pairs=pairs,
            seed=seed,
            rules=ruleset,
            dealer=dealer,
            totals=_totals(totals, ruleset),
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
        int, typer.Option("--deals", metavar="N", parser=_whole(1), help="Deals for each speed.")
    ] = 20_000,
    number: Annotated[bool, typer.Option("--number", help="Only the behaviour number, which takes a second.")] = False,
    save: Annotated[str | None, typer.Option("--save", metavar="FILE", help="Also write JSON into this file.")] = None,
    progress: ProgressOption = True,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Print the behaviour number, and the speeds of this machine beside their bars."""
    import sitoumus as sit

    _ready_to_write(as_json, as_csv)
    if number:
        print(sit.bench())
        return
    found = sit.speeds(deals, progress=progress)
    if save is not None:
        try:
            Path(save).write_text(json.dumps(found.to_dict(), indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise StudyError(f"--save {save}: {error}") from None
    _print_study(found, as_json, as_csv, None)


# What the user wrote, made into what the library takes.


def _ruleset(name: str, option: Sequence[str] | None = None) -> RuleSet:
    from .rules import RuleSet, preset

    if name.endswith(".toml"):
        try:
            ruleset = RuleSet.from_toml(Path(name).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise RuleSetError(f"{name} cannot be read: {error}") from None
        except RuleSetError as error:
            raise RuleSetError(f"{name}: {error}") from None
    else:
        ruleset = preset(name)
    return ruleset.replace(**_options(option))


def _options(option: Sequence[str] | None) -> dict[str, Any]:
    """Rule-set fields from NAME=VALUE texts; a value is TOML, or else the word itself."""
    options: dict[str, Any] = {}
    for text in option or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise RuleSetError(f"option {text!r} must be NAME=VALUE, such as target=10000")
        try:
            options[name.strip()] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            options[name.strip()] = value.strip()
    return options


def _policies(text: str) -> Any:
    found = tuple(_policy(each.strip()) for each in text.split(","))
    return found[0] if len(found) == 1 else found


def _policy(text: str) -> Any:
    """A policy: a name, ``rollout[:WORLDS[:BASE]]``, or a JSON file of a ``to_dict()`` or of parameters alone."""
    if not text.endswith(".json"):
        return text
    from .policies import policy

    try:
        found = json.loads(Path(text).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PolicyError(f"{text} cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise PolicyError(f"{text} holds no policy: it must be an object of parameters")
    try:
        return policy(found if "policy" in found else {"policy": "heuristic", "params": found})
    except PolicyError as error:
        raise PolicyError(f"{text}: {error}") from None


def _named_policies(texts: Sequence[str]) -> dict[str, Any]:
    """Policies by what the user called them, files by their names without the directory."""
    return {Path(text.strip()).stem: _policy(text.strip()) for text in texts}


def _known(texts: Sequence[str] | None) -> dict[str, str] | None:
    """Known cards by seat from SEAT=CARDS texts."""
    known: dict[str, str] = {}
    for text in texts or ():
        seat, equals, cards = text.partition("=")
        if not equals or not cards.strip():
            raise StudyError(f'--known {text!r}: it must be SEAT=CARDS, such as "W=JK 2d"')
        if seat in known:
            raise StudyError(f"--known {text!r}: cards of {seat} are given twice")
        known[seat.strip()] = cards
    return known or None


def _totals(text: str, ruleset: RuleSet) -> tuple[int, ...]:
    from .position import layout_of

    sides = layout_of(ruleset).sides
    words = text.replace(",", " ").split()
    if text == "0,0":
        return (0,) * len(sides)
    try:
        totals = tuple(map(int, words))
    except ValueError:
        totals = ()
    if len(totals) != len(sides):
        raise StudyError(f"--totals {text!r}: it must be whole numbers for {', '.join(sides)}, such as 1500,0")
    return totals


def _write(game: Game, path: str) -> None:
    try:
        game.save(path)
    except OSError as error:
        raise StudyError(f"{path} cannot be written: {error}") from None


# What the library gave, made into text.


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False))


def _print_table(head: list[str], rows: list[list[str]]) -> None:
    """Columns side by side, numbers to the right; as wide as they need."""
    columns = list(zip(head, *rows, strict=True))
    for row in (head, *rows):
        cells = []
        for cell, column in zip(row, columns, strict=True):
            number = all(_is_number(value) for value in column[1:])
            cells.append((cell.rjust if number else cell.ljust)(max(map(len, column))))
        print("  ".join(cells).rstrip())


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdigit()


def _plain(value: Any) -> str:
    if value is None:
        return "-"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)


def _print_score(score: Any, table: Any, as_json: bool = False, as_csv: bool = False) -> None:
    explained: pd.DataFrame = score.explain()
    if as_json:
        from .position import layout_of

        sides = layout_of(table.rules).sides
        _print_json(
            {
                "contract": table.contract,
                "result": score.result,
                "ended": score.ended,
                "scores": {side: score[side] for side in sides},
                "explain": explained.to_dict("records"),
            }
        )
    elif as_csv:
        explained.to_csv(sys.stdout, index=False)
    else:
        if table.rules.contract:
            print(f"Contract {table.contract}: {score.result}")
        print(f"The deal ended: {score.ended}")
        rows = [[str(value) for value in row] for row in explained.itertuples(index=False)]
        rows += [[side, "", "score", str(points)] for side, points in score.sides.items()]
        _print_table(list(explained.columns), rows)


def _print_game(game: Game) -> None:
    print(game)
    print(f"Dealer {game.dealer}, dealt:")
    for seat, hand in game.deal.hands.items():
        print(f"  {seat}: {hand}")
    print()
    print(game.transcript())
    print()
    if not game.over:
        print(f"The deal goes on: {game.table.turn} is to act in phase {game.table.phase}")
    else:
        _print_score(game.score, game.table)


def _study(ask: Callable[[], Any], as_json: bool, as_csv: bool, plot: str | None, save: str | None = None) -> None:
    """Print a study; after ctrl-C what is known so far, with status 130."""
    _ready_to_write(as_json, as_csv, plot)
    status = 0
    try:
        result = ask()
    except StudyInterrupted as stopped:
        result, status = stopped.result, 130
        _stopped(*_asked_and_came(result))
    if save is not None:
        try:
            Path(save).write_text(result.to_toml(), encoding="utf-8")
        except OSError as error:
            raise StudyError(f"--save {save}: {error}") from None
    _print_study(result, as_json, as_csv, plot)
    if status:
        raise _Part


def _asked_and_came(result: Any) -> tuple[str, str]:
    """Of a study that was stopped, how much was asked for and how much it is the answer of."""
    question = getattr(result, "question", None) or {}
    for name in ("pairs", "hands", "deals"):
        asked, came = question.get(name), getattr(result, name, None)
        if isinstance(asked, int):
            return f"{asked:,} {name}", f"the answer of {came:,} of them" if isinstance(came, int) else "a part of it"
    came = getattr(result, "deals", None)
    return "all deals of the study", f"the answer of {came:,} of them" if isinstance(came, int) else "a part of it"


def _ready_to_write(as_json: bool, as_csv: bool, plot: str | None = None) -> None:
    """Refuse output that cannot be written, before anything is played for it."""
    if as_json and as_csv:
        raise StudyError("--json and --csv both write to standard output: give one of the two")
    if plot is not None:
        from .plots import check_file

        check_file(plot)


def _draw(axes: Any, plot: str) -> None:
    from .plots import save

    save(axes, plot)


def _print_study(result: Any, as_json: bool, as_csv: bool, plot: str | None) -> None:
    if plot is not None:
        _draw(result.plot(), plot)
    if as_json:
        _print_json(result.to_dict())
    elif as_csv:
        result.frame.to_csv(sys.stdout, index=False)
    else:
        print(result)


def _summary(frame: pd.DataFrame) -> str:
    """The rows of a run in a few lines: how deals ended, and the mean of every number."""
    lines = [f"{len(frame)} deals"]
    for column in ("result", "ended"):
        if column not in frame:
            continue  # games without contracts have no result
        shares = frame[column].value_counts(normalize=True, sort=False)
        lines.append(f"{column}: " + ", ".join(f"{name} {share:.4f}" for name, share in shares.items() if share))
    numbers = frame.drop(columns="deal").select_dtypes("number")
    described = numbers.agg(["mean", "std", "min", "max"]).T
    lines.append(described.to_string(float_format=lambda value: f"{value:.2f}"))
    return "\n".join(lines)
