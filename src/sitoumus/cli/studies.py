"""Commands that ask a study."""

from __future__ import annotations

from typing import Annotated

import typer

from ..policies import DEFAULT
from .options import (
    AgainstOption,
    AuctionOption,
    ContestedOption,
    CsvOption,
    DealerOption,
    HandsOption,
    JsonOption,
    KnownOption,
    OptionOption,
    PlotOption,
    PoliciesOption,
    ProgressOption,
    RulesOption,
    SaveStudyOption,
    SeatOption,
    SeedOption,
    ThreadsOption,
    TotalsOption,
    WhereOption,
)
from .printing import show_study
from .program import app
from .reading import fraction, read_known, read_named_policies, read_policies, read_rules, read_totals, whole


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
    auction: AuctionOption = "",
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals", metavar="N", parser=whole(1), help="Deals, the same for all; 20000. With --precision the most."
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision", metavar="X", parser=fraction, help="Stop when every share is known within X, such as 0.01."
        ),
    ] = None,
    seed: SeedOption = 0,
    policies: PoliciesOption = DEFAULT,
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

    ruleset = read_rules(rules, option)
    show_study(
        lambda: sit.contract_odds(
            sit.Hand(" ".join(hand)),
            contracts=contract,
            seat=seat,
            dealer=dealer,
            totals=read_totals(totals, ruleset),
            auction=tuple(auction.replace(",", " ").split()),
            deals=deals,
            precision=precision,
            seed=seed,
            policies=read_policies(policies),
            panel=None if panel is None else read_named_policies(panel.split(",")),
            rules_panel=reading or rules_panel,
            spread=spread,
            break_even=break_even,
            vs_best=vs_best,
            by=by,
            below=below or (),
            hands=read_known(known),
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


@app.command(
    "best-bid", epilog='Example: sitoumus best-bid "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s" --totals 1500,3000'
)
def best_bid(
    hand: Annotated[list[str], typer.Argument(metavar="HAND", help="The hand, such as 'Ah Kh Qh ...'.")],
    seat: SeatOption = "E",
    dealer: DealerOption = "N",
    totals: TotalsOption = "0,0",
    auction: AuctionOption = "",
    max_level: Annotated[
        int, typer.Option("--max-level", metavar="N", parser=whole(0), help="Highest level that is tried.")
    ] = 5,
    eps: Annotated[
        float | None,
        typer.Option(
            "--eps",
            metavar="X",
            parser=fraction,
            help="Difference that does not matter; 25 points, or 0.002 of a match.",
        ),
    ] = None,
    deals: Annotated[
        int, typer.Option("--deals", metavar="N", parser=whole(1), help="At most so many deals for each call.")
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
    policies: PoliciesOption = DEFAULT,
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

    ruleset = read_rules(rules, option)
    show_study(
        lambda: sit.best_bid(
            sit.Hand(" ".join(hand)),
            seat=seat,
            dealer=dealer,
            totals=read_totals(totals, ruleset),
            auction=tuple(auction.replace(",", " ").split()),
            max_level=max_level,
            eps=eps,
            deals=deals,
            seed=seed,
            policies=read_policies(policies),
            utility=utility,
            calls=call or None,
            hands=read_known(known),
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


@app.command(epilog="Example: sitoumus thresholds --contract 3H --contract 4H --feature run_h")
def thresholds(
    contract: Annotated[
        list[str], typer.Option("--contract", "-c", metavar="TEXT", help='A contract, such as 3H or "4CAN doubled".')
    ],
    feature: Annotated[
        list[str], typer.Option("--feature", "-f", metavar="NAME", help="A feature of the hand, such as run_h.")
    ],
    hands: HandsOption = 20_000,
    repeats: Annotated[int, typer.Option("--repeats", metavar="N", parser=whole(1), help="Deals of each hand.")] = 1,
    seat: SeatOption = "E",
    dealer: DealerOption = "N",
    totals: TotalsOption = "0,0",
    against: AgainstOption = "pass",
    contested: ContestedOption = False,
    auction: AuctionOption = "",
    where: WhereOption = None,
    seed: SeedOption = 0,
    policies: PoliciesOption = DEFAULT,
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

    ruleset = read_rules(rules, option)
    show_study(
        lambda: sit.thresholds(
            contract,
            feature,
            hands=hands,
            repeats=repeats,
            seat=seat,
            dealer=dealer,
            totals=read_totals(totals, ruleset),
            seed=seed,
            policies=read_policies(policies),
            against=against,
            contested=contested,
            auction=tuple(auction.replace(",", " ").split()),
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
            "--minimum", metavar="N", parser=whole(0), help="Opening minimum; may be repeated, all if left out."
        ),
    ] = None,
    level: Annotated[
        list[int] | None,
        typer.Option("--level", metavar="N", parser=whole(1), help="Level; may be repeated, 1 to 5 if left out."),
    ] = None,
    strain: Annotated[
        list[str] | None, typer.Option("--strain", metavar="NAME", help="C, D, H, S, CAN or DEU; may be repeated.")
    ] = None,
    hands: HandsOption = 20_000,
    seat: SeatOption = "E",
    dealer: DealerOption = "N",
    against: AgainstOption = "pass",
    contested: ContestedOption = False,
    auction: AuctionOption = "",
    seed: SeedOption = 0,
    policies: PoliciesOption = DEFAULT,
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

    from ..notation import STRAINS

    show_study(
        lambda: sit.bidding_table(
            minimum or None,
            levels=level or (1, 2, 3, 4, 5),
            strains=[name.upper() for name in strain] if strain else STRAINS,
            hands=hands,
            seat=seat,
            dealer=dealer,
            seed=seed,
            policies=read_policies(policies),
            against=against,
            contested=contested,
            auction=tuple(auction.replace(",", " ").split()),
            rules=read_rules(rules, option),
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
        int, typer.Option("--deals", metavar="N", parser=whole(1), help="Deals behind the histograms.")
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

    ruleset = read_rules(rules, option)
    show_study(
        lambda: sit.show_condition(where, seed=seed, hands=read_known(known), rules=ruleset, seat=seat, deals=deals),
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

    show_study(lambda: sit.run_study(file, threads=threads, progress=progress), as_json, as_csv, plot)
