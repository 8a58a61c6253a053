"""What one other call gains on the true deal: a lower bound of a player's exploitability in the auction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import checks
from .._core import Deal, Table
from ..errors import StudyError
from ..notation import STRAINS, bid_text, parse_bid
from ..play import finish
from ..policies import by_seat
from ..position import layout_of
from ..rules import RuleSet, as_rules
from ..stats import Sums, mean_interval, with_interval
from ..study import text_table

__all__ = ["Deviations", "one_other_call"]

#: Kinds of another call, in the order in which they are tried.
KINDS = ("pass", "double", "less", "more", "two more")
#: Standard errors by which a kind has to gain in one half of the decisions to be made in the other.
CAUTION = 1.0
#: First word of the key of the stream that draws a decision of a deal; the second is the deal's number.
PURPOSE = 0x6F74686572


@dataclass(frozen=True)
class Deviations:
    """Gains of one other call at one random decision of each auction that a player has with itself.

    Attributes
    ----------
    kinds : dict of str to Sums
        By kind, the gains of this call over the decisions where it is legal and differs from the player's own.
    response : Sums
        Gains of the local best response over all decisions; 0 where it leaves the call as it is.
    seed, decisions : int
        The deals 0 to `decisions` - 1 of this seed were played.
    """

    kinds: Mapping[str, Sums]
    response: Sums
    seed: int
    decisions: int

    @property
    def gain(self) -> float:
        """Mean gain of the local best response, in points a call."""
        return self.response.mean

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of `gain`."""
        return mean_interval(self.response)

    def __str__(self) -> str:
        rows = [
            [kind, f"{sums.n:,}", with_interval(sums.mean, *mean_interval(sums)) if sums.n > 1 else "-"]
            for kind, sums in self.kinds.items()
        ]
        rows.append(["local best response", f"{self.decisions:,}", with_interval(self.gain, *self.interval)])
        return text_table(["other call", "decisions", "points a call"], rows)


def one_other_call(
    player: Any, decisions: int = 5000, seed: int = 1, rules: RuleSet | str = "sitoumussamba"
) -> Deviations:
    """Measure what one other call gains on the true deal.

    In each deal that a player plays with itself, one call of the auction is drawn, all with the same chance. Each kind
    of another call is made in its place, and the deal is played to its end by the same players with the same cards. The
    gain is the difference in points, own minus opponents', to the deal as it went.

    The kinds are ``pass``; ``double``; ``less`` and ``more``, the same strain one level lower or higher; ``two more``.
    In place of a pass or double, ``more`` is the lowest bid in the strain of the side's last bid (of the seat's longest
    suit if it has made none), ``two more`` a level above that.

    The local best response makes one kind in each context: what the player called, the level and side of the last bid,
    and whether it is doubled. Which, it learns from one half of the deals, and it is measured on the other half, both
    ways round. So luck in the choice does not count as gain, and its mean is a lower bound of what a player who knows
    only the context gains by one call; it looks at no hidden card.

    Parameters
    ----------
    player : policy
        At all seats.
    decisions : int
        Deals, one decision of each; at least 4.
    seed : int
    rules : RuleSet or str
        A game with an auction.

    Returns
    -------
    Deviations

    Raises
    ------
    StudyError
        If the game has no auction, or `decisions` is not a whole number of at least 4.
    PolicyError, RuleSetError
        If the policy or rule set cannot be.
    """
    game = as_rules(rules)
    if not game.contract:
        raise StudyError(f"rules {game.name!r} have no auction: there is no other call to try")
    decisions = checks.whole("decisions", decisions, 4)
    seated = by_seat(player, game)
    gains = np.zeros((decisions, len(KINDS)), np.int64)
    tried = np.zeros((decisions, len(KINDS)), bool)
    contexts = []
    for number in range(decisions):
        context, found = _tried(seated, game, seed, number)
        contexts.append(context)
        for kind, gain in found.items():
            gains[number, KINDS.index(kind)], tried[number, KINDS.index(kind)] = gain, True
    _, context_of = np.unique(np.array(contexts), axis=0, return_inverse=True)
    kinds = {kind: Sums.of(gains[tried[:, i], i]) for i, kind in enumerate(KINDS)}
    return Deviations(kinds, Sums.of(_response(gains, tried, context_of.ravel())), seed, decisions)


def _tried(seated: Sequence[Any], rules: RuleSet, seed: int, number: int) -> tuple[list[int], dict[str, int]]:
    """Context of the drawn decision of a deal, and the gain of each kind of another call."""
    layout = layout_of(rules)
    deal = Deal(seed=seed, number=number, rules=rules)
    begin = Table(deal, rules=rules, dealer=layout.seats[number % len(layout.seats)])
    whole = begin.copy()
    finish(whole, seated)
    stream = np.random.Generator(np.random.Philox(key=np.array([seed ^ PURPOSE, number], np.uint64)))
    at = int(stream.integers(len(whole.calls)))
    before = begin.after(*whole.calls[:at])
    own = whole.calls[at]
    us = layout.side_of[layout.seats.index(before.turn)]
    as_it_went = _points(whole, us)
    found = {}
    for kind, call in _others(before, own).items():
        other = before.after(call)
        finish(other, seated)
        found[kind] = _points(other, us) - as_it_went
    return _context(before, own), found


def _points(table: Table, us: int) -> int:
    """Points of a side minus those of the other sides."""
    scores = list(table.score().sides.values())
    return 2 * scores[us] - sum(scores)


def _last_bids(table: Table) -> tuple[str | None, str | None, bool]:
    """The last bid of all, the last of the side to call, and whether the last of all is this side's."""
    layout = layout_of(table.rules)
    first = layout.seats.index(table.turn) - len(table.calls)
    us = layout.side_of[layout.seats.index(table.turn)]
    last, own, ours = None, None, False
    for i, call in enumerate(table.calls):
        if call not in ("pass", "double"):
            last, ours = call, layout.side_of[(first + i) % len(layout.seats)] == us
            own = call if ours else own
    return last, own, ours


def _context(table: Table, own: str) -> list[int]:
    """Own call (0 pass, 1 double, 2 bid), level of the last bid, whose it is, whether it is doubled."""
    last, _, ours = _last_bids(table)
    verb = {"pass": 0, "double": 1}.get(own, 2)
    return [verb, parse_bid(last)[0] if last else 0, int(ours), int("double" in table.calls)]


def _others(table: Table, own: str) -> dict[str, str]:
    """The other calls by kind, as far as they are legal."""
    legal = set(table.legal_actions)
    wanted = {"pass": "pass", "double": "double"}
    if own in wanted:
        _, bid, _ = _last_bids(table)
        strain = parse_bid(bid)[1] if bid else _longest(table)
        lowest = [call for call in table.legal_actions if call not in wanted and parse_bid(call)[1] == strain]
        bids = dict(zip(("more", "two more"), lowest, strict=False))
    else:
        level, strain = parse_bid(own)
        levels = {"less": level - 1, "more": level + 1, "two more": level + 2}
        bids = {kind: bid_text((at - 1) * len(STRAINS) + strain) for kind, at in levels.items() if at > 0}
    return {kind: call for kind, call in (wanted | bids).items() if call in legal and call != own}


def _longest(table: Table) -> int:
    """The suit of which the seat to call holds most cards, the lowest of several."""
    cards = str(table.hand(table.turn)).split()
    return int(np.argmax([sum(card.endswith(suit) for card in cards) for suit in "cdhs"]))


def _response(gains: np.ndarray, tried: np.ndarray, context_of: np.ndarray) -> np.ndarray:
    """Gains of the local best response by decision, learnt from the other half of the decisions."""
    values = np.zeros(len(gains), np.int64)
    half = np.arange(len(gains)) // 4 % 2  # each half has all dealers
    for context in np.unique(context_of):
        for fold in (0, 1):
            learn = (context_of == context) & (half != fold)
            sure = [_surely(gains[learn & tried[:, kind], kind]) for kind in range(gains.shape[1])]
            best = int(np.argmax(sure))
            if sure[best] > 0:
                there = (context_of == context) & (half == fold)
                values[there] = np.where(tried[there, best], gains[there, best], 0)
    return values


def _surely(gains: np.ndarray) -> float:
    """A mean less its standard errors of caution; 0 of fewer than ten decisions, which say nothing."""
    return float(gains.mean() - CAUTION * gains.std(ddof=1) / np.sqrt(len(gains))) if len(gains) >= 10 else 0.0
