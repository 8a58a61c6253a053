"""Single deals and matches, played by policies."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _core, checks
from .errors import IllegalActionError, InvalidActionError, PolicyError, StudyError
from .notation import bid_text, contract_text, parse_contract
from .policies import DEFAULT, by_seat, compiled, specs
from .position import layout_of
from .record import Game

if TYPE_CHECKING:
    import pandas as pd

    from ._core import Deal, Table
    from .rules import RuleSet

__all__ = ["LONGEST_MATCH", "Match", "play", "play_match", "settlement"]

#: A match that has not ended after so many deals ends without a winner (D24).
LONGEST_MATCH = 500


def play(
    deal: Deal,
    policies: Any = DEFAULT,
    rules: RuleSet | str | None = None,
    dealer: str = "N",
    totals: Sequence[int] | None = None,
    contract: str | None = None,
    policy_seed: int | None = None,
    below: Sequence[str] = (),
) -> Game:
    """Play one deal.

    Parameters
    ----------
    deal : Deal
    policies : str, policy, or sequence of them
        One for all, one for each side, or one for each seat.
    rules : RuleSet or str, optional
        A rule set or a preset's name; those of the deal if left out.
    dealer : str
    totals : sequence of int, optional
        Match totals of the sides when the deal begins; they set the opening minimum (R13.1).
    contract : str, optional
        A forced contract such as ``"3H by E"`` or ``"3H by E doubled"``, or ``"none"``: the auction is passes, that
        bid, then three passes, or the double by the next opponent in turn.
    policy_seed : int, optional
        Seed of the policies' random numbers; that of the deal if left out.
    below : sequence of str, optional
        Bids made beneath the forced contract, lowest first, such as ``("2S by S",)``; the contract passes down to them
        if its declarer cannot open (R14.8).

    Returns
    -------
    Game

    Raises
    ------
    PolicyError
        If a policy is unknown, or a Python policy returns an action that is not legal or raises an exception; the text
        tells seed, number, seat and the actions so far.
    StudyError
        If the contract cannot be.

    Examples
    --------
    >>> from sitoumus import Deal
    >>> game = play(Deal(seed=7, number=42), policies="random", contract="3H by E")
    >>> game.table.calls
    ('3H', 'pass', 'pass', 'pass')
    """
    if policy_seed is not None:
        policy_seed = checks.whole("policy_seed", policy_seed, 0, _core.MOST_SEED)
    table = _core.Table(deal, rules=rules, dealer=dealer, totals=totals)
    below = checks.texts("below", below)
    seated = by_seat(policies, table.rules)
    if contract is not None:
        force(table, contract, below)
    elif below:
        raise StudyError(f"below is {tuple(below)!r} without a contract: bids beneath go with a forced contract")
    finish(table, seated, policy_seed)
    return Game(
        deal,
        table,
        tuple(table.actions),
        dealer=dealer,
        totals=tuple(table.totals.values()),
        contract=None if contract is None else forced_text(contract),
        policies=tuple(specs(seated)),
        policy_seed=policy_seed,
    )


def finish(table: Table, seated: Sequence[Any], policy_seed: int | None = None, passes: Collection[str] = ()) -> None:
    """Play a table on to its end by the policies of its seats; some may pass in the auction whatever they hold."""
    seed = (table.seed or 0) if policy_seed is None else policy_seed
    seats = layout_of(table.rules).seats
    codes = [compiled(policy) for policy in seated]
    passing = [int(seat in passes) for seat in seats]
    players = _core.Players(table.rules, [code and (*code, p) for code, p in zip(codes, passing, strict=True)], seed)
    while True:
        players.play(table)
        if table.phase == "over":
            return
        if table.phase == "auction" and table.turn in passes:
            table.push("pass")
            continue
        policy = seated[seats.index(table.turn)]
        view = _core.policy_view(table, seed)
        try:
            action = policy.act(view, table.legal_actions)
        except Exception as error:
            name = type(policy).__qualname__
            raise PolicyError(f"{name} raised {type(error).__name__}: {error}; {_whereabouts(table)}") from error
        try:
            table.push(action)
        except (InvalidActionError, IllegalActionError) as error:
            name = type(policy).__qualname__
            raise PolicyError(f"{name} returned {action!r}: {error}; {_whereabouts(table)}; {view!r}") from error


def _whereabouts(table: Table) -> str:
    """Where a game was: what makes it again."""
    deal = "cards that were given" if table.seed is None else f"seed {table.seed}, number {table.number}"
    done = "; ".join(table.actions) or "none"
    return f"{deal}, {table.turn} to act in phase {table.phase} after {len(table.actions)} actions: {done}"


def forced_text(contract: str) -> str | None:
    """A forced contract as records have it; None for ``none``."""
    found = parse_contract(contract)
    return None if found is None else contract_text(found)


def forced_bids(rules: RuleSet, contract: str, below: Sequence[str] = ()) -> tuple[list[tuple[int, int]], int]:
    """The bids of a forced auction as (number, seat), and the seat that doubles, -1 for none.

    Raises
    ------
    InvalidActionError
        If a text is no contract.
    StudyError
        If the rules know no such contract, or no auction has these bids.
    """
    layout = layout_of(rules)
    if not layout.max_level:
        raise StudyError(f"contract {checks.quoted(contract)}: {rules.name} has no auction")
    bids: list[tuple[int, int]] = []
    doubled = False
    below = checks.texts("below", below)
    for text in (*below, contract):
        found = parse_contract(text)
        if found is None:
            if below:
                raise StudyError(f"contract {contract!r} with bids beneath it {tuple(below)!r}: give one of the two")
            continue
        level, strain, seat, doubled = found
        bid = (level - 1) * 6 + strain
        if level > layout.max_level:
            raise StudyError(f"contract {text!r}: the highest level is {layout.max_level} (B2)")
        if doubled and text != contract:
            raise StudyError(f"below {text!r}: only the last bid can be doubled (B5)")
        if bids and bid <= bids[-1][0]:
            raise StudyError(f"{text!r} does not outbid {bid_text(bids[-1][0])}: bids rise (R9.3)")
        if bids and seat == bids[-1][1]:
            raise StudyError(f"{text!r}: after three passes {layout.seats[seat]} cannot bid over the own bid (R9.5)")
        bids.append((bid, seat))
    if not doubled:
        return bids, -1
    declarer = bids[-1][1]
    order = [(declarer + i) % len(layout.seats) for i in range(1, len(layout.seats))]
    return bids, next(seat for seat in order if layout.side_of[seat] != layout.side_of[declarer])


def force(table: Table, contract: str, below: Sequence[str] = ()) -> None:
    """Push the calls of a forced contract.

    Raises
    ------
    StudyError
        If the auction so far does not lead to it.
    """
    bids, doubler = forced_bids(table.rules, contract, below)
    seats = layout_of(table.rules).seats
    calls = [(bid_text(bid), seats[seat]) for bid, seat in bids]
    if doubler >= 0:
        calls.append(("double", seats[doubler]))
    so_far = table.calls
    _core.call_by_force(table)
    for call, seat in calls:
        while table.phase == "auction" and table.turn != seat:
            table.push("pass")
        if table.phase != "auction" or call not in table.legal_actions:
            before = f" after {' '.join(so_far)}" if so_far else ""
            raise StudyError(f"contract {contract!r}: {seat} cannot call {call}{before} (R9.3, R9.5)")
        table.push(call)
    while table.phase == "auction":
        table.push("pass")


@dataclass(frozen=True, eq=False)
class Match:
    """A match: deals until a side reaches the target (R1).

    Attributes
    ----------
    games : tuple of Game
        Its deals in order.
    winner : str
        A side, ``"draw"``, or ``"none"`` if the match did not end (D24).
    """

    games: tuple[Game, ...]
    winner: str

    @property
    def totals(self) -> dict[str, int]:
        """Points of each side at the end."""
        return {str(side): int(points) for side, points in self.sheet.iloc[-1].items()}

    @property
    def settlement(self) -> dict[str, int]:
        """What each side gets in the end: its points, or what it has more than the other side (see `settlement`)."""
        return settlement(self.games[0].rules, self.totals)

    @property
    def sheet(self) -> pd.DataFrame:
        """The score sheet: a column for each side, and for each deal the line of its score and of the new total."""
        import pandas as pd

        sides = layout_of(self.games[0].rules).sides
        totals = list(self.games[0].totals)
        lines = []
        for game in self.games:
            scores = [game.table.score()[side] for side in sides]
            totals = [total + score for total, score in zip(totals, scores, strict=True)]
            lines += [scores, totals]
        index = pd.MultiIndex.from_product([range(1, len(self.games) + 1), ("score", "total")], names=["deal", "line"])
        return pd.DataFrame(lines, index=index, columns=list(sides))

    def to_html(
        self,
        path: str | os.PathLike[str] | None = None,
        view: str | None = None,
        start: int = 0,
        lang: str = "en",
        title: str | None = None,
    ) -> str:
        """The deals of the match as a page for a browser, to be stepped through; see `sitoumus.to_html`."""
        from .page import to_html

        return to_html(self.games, path, view, start, lang, title)

    def _repr_html_(self) -> str:
        from .notebook import html_table

        sheet = self.sheet
        rows = [[*map(str, name), *map(str, line)] for name, line in zip(sheet.index, sheet.to_numpy(), strict=True)]
        caption = f"Match of {len(self.games)} deals, winner {self.winner}"
        return html_table(["deal", "line", *map(str, sheet.columns)], rows, [caption])

    def __repr__(self) -> str:
        totals = ", ".join(f"{side} {points}" for side, points in self.totals.items())
        return f"<Match of {len(self.games)} deals: {totals}; winner {self.winner}>"


def play_match(
    seed: int = 0,
    number: int = 0,
    policies: Any = DEFAULT,
    rules: RuleSet | str | None = None,
    draw_for_dealer: bool = False,
    policy_seed: int | None = None,
    totals: Sequence[int] | None = None,
) -> Match:
    """Play a match: deal k of match m is deal number 1000 m + k of the seed.

    Parameters
    ----------
    seed, number : int
        Which match.
    policies : str, policy, or sequence of them
        As for `play`.
    rules : RuleSet or str, optional
        A rule set or a preset's name, Sitoumussamba if left out.
    draw_for_dealer : bool
        Draw cards for the starter of the first deal (R3); otherwise N deals first. The deal moves left (R4.1).
    policy_seed : int, optional
        Seed of the policies' random numbers; that of the cards if left out.
    totals : sequence of int, optional
        Points that the sides have when the match goes on from here, 0 if left out.

    Returns
    -------
    Match

    Raises
    ------
    StudyError
        If the match is over with these totals.

    Examples
    --------
    >>> match = play_match(seed=7, number=0, policies="random")
    >>> len(match.games) == len(match.sheet) // 2, match.games[1].dealer
    (True, 'E')
    """
    from .rules import as_rules

    rules = as_rules(rules)
    number = checks.whole("number", number, 0, _core.MOST_NUMBER // 1000 - 1)
    seats = layout_of(rules).seats
    dealer = first_dealer(rules, seed, number) if draw_for_dealer else 0
    sums = list(_core.Table(_core.Deal(rules=rules), rules=rules, totals=totals).totals.values())
    still_going(rules, sums)
    games: list[Game] = []
    winner = "none"
    while winner == "none" and len(games) < LONGEST_MATCH:
        game = play(
            _core.Deal(seed=seed, number=1000 * number + len(games), rules=rules),
            policies=policies,
            dealer=seats[dealer],
            totals=sums,
            policy_seed=policy_seed,
        )
        games.append(game)
        scores = game.table.score().sides.values()
        sums = [total + score for total, score in zip(sums, scores, strict=True)]
        dealer = (dealer + 1) % len(seats)
        winner = _core.match_won(rules, sums, len(games))
    return Match(tuple(games), winner)


def settlement(rules: RuleSet, totals: Mapping[str, Any]) -> dict[str, Any]:
    """What the match sheet settles, by side (``match.settle``; the winner is found from the totals as they are).

    Parameters
    ----------
    rules : RuleSet
    totals : mapping of str to int or array
        Points of each side at the end.

    Returns
    -------
    dict
        The totals; or, of two sides, what each has more than the other; or the same of totals rounded to the nearest
        hundred, halves up, also below zero.

    Examples
    --------
    >>> from sitoumus import RUSSIAN_CANASTA
    >>> settlement(RUSSIAN_CANASTA, {"NS": 5245, "EW": 3150})
    {'NS': 2000, 'EW': -2000}
    """
    if rules.match.settle == "totals":
        return dict(totals)
    counted = {
        side: (points + 50) // 100 * 100 if rules.match.settle == "rounded_100" else points
        for side, points in totals.items()
    }
    (one, points), (other, against) = counted.items()
    return {one: points - against, other: against - points}


def still_going(rules: RuleSet, totals: Sequence[int]) -> None:
    """Refuse totals with which a match is over."""
    if _core.match_won(rules, totals, 0) != "none":
        raise StudyError(f"totals are {tuple(totals)!r}: with these the match is over")


def first_dealer(rules: RuleSet, seed: int, number: int) -> int:
    """The dealer of a match's first deal: the seat on the right of the one that draws the highest card (R3.1)."""
    seats = layout_of(rules).seats
    return (seats.index(_core.draw_for_start(rules, seed, number)) - 1) % len(seats)
