"""Commands about single deals: rules, cases, scores, games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import CaseFileError, InvalidPositionError, StudyError
from ..policies import DEFAULT
from .complaints import complain
from .options import (
    CsvOption,
    DealerOption,
    JsonOption,
    OptionOption,
    PoliciesOption,
    RulesOption,
    SeedOption,
    TotalsOption,
)
from .printing import (
    draw_table,
    plain_text,
    print_game,
    print_json,
    print_score,
    print_table,
    print_typed,
    ready_to_write,
    save_game,
)
from .program import app
from .reading import ask_line, complete_presets, read_options, read_policies, read_rules, read_totals, whole

if TYPE_CHECKING:
    from ..club.typed import TypedDeal

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
    from ..cases import check

    results, unreadable = [], False
    for file in files:
        try:
            results += [(file, result) for result in check(file)]
        except CaseFileError as error:
            unreadable = True
            complain(str(error))
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
        print_json({"passed": len(results) - len(failed), "failed": len(failed), "cases": failures})
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
            metavar="[PRESET]",
            help="Preset or TOML file; left out, the presets are listed.",
            autocompletion=complete_presets,
        ),
    ] = None,
    option: OptionOption = None,
    diff: Annotated[
        tuple[str, str] | None, typer.Option("--diff", metavar="A B", help="The fields in which two rule sets differ.")
    ] = None,
    toml: Annotated[bool, typer.Option("--toml", help="Write every field as TOML.")] = False,
    penalties: Annotated[bool, typer.Option("--penalties", help="The code of irregularities, as a table.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print the rules of a game in words, or the fields in which two games differ."""
    from ..rules import PRESETS

    if diff is not None:
        differences = read_rules(diff[0]).diff(read_rules(diff[1]))
        if as_json:
            print_json([{"field": field, diff[0]: a, diff[1]: b} for field, a, b in differences])
        elif not differences:
            print(f"{diff[0]} and {diff[1]} have the same rules")
        else:
            print_table(["field", *diff], [[field, plain_text(a), plain_text(b)] for field, a, b in differences])
    elif preset is None:
        if as_json:
            print_json(list(PRESETS))
        else:
            print("\n".join(PRESETS))
    else:
        ruleset = read_rules(preset, option)
        if penalties:
            from ..director.code_text import COLUMNS, code_rows

            rows = code_rows(ruleset.penalty)
            if as_json:
                print_json([dict(zip(COLUMNS, row, strict=True)) for row in rows])
            else:
                print_table(list(COLUMNS), [list(row) for row in rows])
        elif as_json:
            print_json(ruleset.to_dict(full=True))
        elif toml:
            print(ruleset.to_toml(full=True), end="")
        else:
            print(ruleset.describe())


@app.command(epilog="Examples: sitoumus score finished.toml; sitoumus score deal.txt; sitoumus score --ask")
def score(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]", help="A finished position (TOML), a game record (JSON), or the form of a typed deal."
        ),
    ] = None,
    rules: Annotated[
        str | None, typer.Option("--rules", metavar="PRESET", help="Preset or TOML file; left out, what the file says.")
    ] = None,
    option: OptionOption = None,
    ask: Annotated[bool, typer.Option("--ask", help="Ask for the deal instead of reading a file.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse a typed deal with doubts.")] = False,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Explain the score of a finished deal, point by point, each with its rule."""
    from .._core import Table

    ready_to_write(as_json, as_csv)
    if ask is (file is not None):
        raise StudyError("name the file of a finished deal, or give --ask to be asked for it")
    typed = _typed_form(file, rules, option)
    if typed is not None:
        print_typed(typed, strict, as_json, as_csv)
        return
    assert file is not None
    if Path(file).suffix in (".json", ".jsonl"):
        if rules is not None or option:
            raise StudyError(f"{file} is a game record, which names its own rules: leave --rules and --option out")
        from ..record import load_game

        game = load_game(file)
        if game.over:
            print_score(game.score, game.table, as_json, as_csv)
            return
        table = game.table
    else:
        ruleset = None if rules is None else read_rules(rules)
        try:
            table = Table.from_position(Path(file), rules=ruleset, options=read_options(option) or None)
        except InvalidPositionError as error:
            raise InvalidPositionError(f"{file}: {error}") from None
    if table.phase != "over":
        raise StudyError(f"{file}: the deal is not over (phase {table.phase}), so it has no score yet")
    print_score(table.score(), table, as_json, as_csv)


def _typed_form(file: str | None, rules: str | None, option: list[str] | None) -> TypedDeal | None:
    """The deal of a form, read or asked; None where the file is a record or a position."""
    from ..club.form import ask_form, is_form, read_form

    ruleset = None if rules is None and not option else read_rules(rules or "sitoumussamba", option)
    if file is None:
        text = ask_form(ask_line, lambda sentence: typer.echo(sentence, err=True), ruleset)
        return read_form(text, ruleset)
    if Path(file).suffix in (".json", ".jsonl"):
        return None
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None  # what reads positions says why
    if not is_form(text):
        return None
    try:
        return read_form(text, ruleset)
    except StudyError as error:
        raise StudyError(f"{file}: {error}") from None


@app.command(epilog='Example: sitoumus play --seed 7 --number 42 --contract "3H by E" --save 42.json')
def play(
    seed: SeedOption = 0,
    number: Annotated[int, typer.Option("--number", metavar="N", parser=whole(0), help="Number of the deal.")] = 0,
    policies: PoliciesOption = DEFAULT,
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

    ruleset = read_rules(rules, option)
    game = sit.play(
        sit.Deal(seed=seed, number=number, rules=ruleset),
        policies=read_policies(policies),
        rules=ruleset,
        dealer=dealer,
        totals=read_totals(totals, ruleset),
        contract=contract,
    )
    if save is not None:
        save_game(game, save)
    if as_json:
        print_json(game.to_dict())
    else:
        print_game(game)


@app.command(epilog="Examples: sitoumus replay 42.json --at 57; sitoumus replay deals/ 42")
def replay(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="A game record (.json, .jsonl) or a dataset.")],
    number: Annotated[
        int | None,
        typer.Argument(metavar="[NUMBER]", parser=whole(0), help="Game of a .jsonl file (from 0), deal of a dataset."),
    ] = None,
    at: Annotated[
        int | None, typer.Option("--at", metavar="K", parser=whole(0), help="Show the table after K actions.")
    ] = None,
    save: Annotated[str | None, typer.Option("--save", metavar="FILE", help="Write the game record here.")] = None,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Draw the table, at its end or after --at, here.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play a recorded deal again, checking every action, and print it card by card."""
    if Path(source).suffix in (".json", ".jsonl"):
        from ..record import load_game

        game = load_game(source, number)
    else:
        import sitoumus as sit

        if number is None:
            raise StudyError(f"{source} is a dataset: say which deal, as in sitoumus replay {source} 42")
        game = sit.replay(sit.open_dataset(source), number)
    if save is not None:
        save_game(game, save)
    if svg is not None:
        draw_table(game.table if at is None else game.at(at), svg)
    if as_json:
        print_json(game.to_dict() if at is None else game.at(at).to_position())
    elif at is not None:
        print(game.at(at))
    else:
        print_game(game)
