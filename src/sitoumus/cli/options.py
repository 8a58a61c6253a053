"""The options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from .reading import complete_policies, complete_presets, whole

RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar="PRESET",
        help="Preset, or a TOML file with a rule set.",
        show_default=True,
        autocompletion=complete_presets,
    ),
]
OptionOption = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule that differs, such as -o target=10000."),
]
SeedOption = Annotated[
    int, typer.Option("--seed", metavar="N", parser=whole(0), help="Seed; equal seeds give equal deals for ever.")
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
        autocompletion=complete_policies,
    ),
]
ThreadsOption = Annotated[
    int | None, typer.Option("--threads", metavar="N", parser=whole(1), help="Threads; all cores if left out.")
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
    int, typer.Option("--pairs", metavar="N", parser=whole(2), help="Pairs of deals, for each two policies.")
]
ContractsOption = Annotated[
    list[str] | None,
    typer.Option("--contract", "-c", metavar="TEXT", help='A forced contract: 3H (by each in turn) or "3H by E".'),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON to standard output and nothing else.")]
CsvOption = Annotated[bool, typer.Option("--csv", help="Write CSV to standard output and nothing else.")]
ProgressOption = Annotated[bool, typer.Option("--progress/--no-progress", help="Show progress on standard error.")]


SeatOption = Annotated[str, typer.Option("--seat", metavar="SEAT", help="Who holds the hand and is to call.")]
PlotOption = Annotated[str | None, typer.Option("--plot", metavar="FILE", help="Draw it into a picture.")]


AgainstOption = Annotated[
    str,
    typer.Option("--against", metavar="WHAT", help="Compare with pass, below (one level lower), or a contract."),
]
ContestedOption = Annotated[
    bool, typer.Option("--contested", help="Ask of bids: the auction goes on after them, instead of forced contracts.")
]

AuctionOption = Annotated[
    str, typer.Option("--auction", metavar="CALLS", help='The calls so far, such as "pass 1H".')
]

HandsOption = Annotated[int, typer.Option("--hands", metavar="N", parser=whole(200), help="Random hands.")]
