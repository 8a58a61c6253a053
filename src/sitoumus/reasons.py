"""Why an action is not legal now: the reason in words, with the number of its rule and the position.

Legality itself is decided by the compiled core. Here the refusal is explained, from the first rule that the action
breaks to the last; nothing depends on these sentences.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from .errors import InvalidMeldError
from .notation import JOKER, RANKS, bid_text, card_text, cards_text

if TYPE_CHECKING:
    from ._core import Table

__all__ = ["why_not"]

_WHERE = {
    "auction": ("pass", "bid", "double"),
    "opening": ("meld", "add", "done", "fail"),
    "draw": ("draw", "take", "end", "meld", "add", "ask"),
    "taken": ("extra", "meld", "add", "merge", "buy", "discard"),
    "meld": ("meld", "add", "merge", "buy", "ask", "discard"),
    "reply": ("yes", "no"),
    "over": (),
}


def why_not(table: Table, action: Any) -> str:
    """The sentence for `IllegalActionError`; `action` is the text taken apart by the core."""
    return f"{action.text!r} is not legal: {_reason(table, action)}. Position: {_position(table)}"


def _position(table: Table) -> str:
    parts = [f"{table.turn} to act in phase {table.phase}", f"contract {table.contract}"]
    if table.phase not in ("auction", "over"):
        parts.append(f"hand {table.hand(table.turn)}")
    if table.phase in ("draw", "taken", "meld"):
        parts.append(f"pile {' '.join(table.pile[:6]) or 'empty'}{' ...' if len(table.pile) > 6 else ''}")
        parts.append(f"stock {table.stock_size}")
    return ", ".join(parts)


def _reason(table: Table, action: Any) -> str:
    phase, verb = table.phase, action.verb
    if phase == "over":
        return "the deal is over (R28.1, C37)"
    if verb not in _WHERE[phase]:
        return _wrong_phase(table, verb)
    side = next(name for name in table.compiled.sides if table.turn in name)
    if verb in ("meld", "add", "take", "buy", "discard"):
        missing = Counter(action.cards) - Counter(table.hand(table.turn).codes)
        if missing:
            return f"{table.turn} does not hold {cards_text(missing.elements())} (R9.15)"
    explain = {
        "bid": _bid,
        "double": _double,
        "done": _done,
        "fail": _fail,
        "draw": _draw,
        "end": _end,
        "take": _take,
        "meld": _meld,
        "add": _add,
        "merge": _merge,
        "buy": _buy,
        "ask": _ask,
        "extra": _extra,
        "discard": _discard,
    }[verb]
    return explain(table, action, side)


def _wrong_phase(table: Table, verb: str) -> str:
    phase = table.phase
    if verb in ("pass", "bid", "double"):
        return "the auction is over (R9.5)" if table.rules.contract else "this game has no auction"
    if phase == "auction":
        return "the auction is not over (R9.1)"
    if phase == "opening":
        return "the declarer opens before play (R14.1)"
    if phase == "reply":
        return f"{table.turn} has to answer yes or no (R27.1)"
    if verb in ("done", "fail"):
        return "there is no opening before play now (R14.1)"
    if verb in ("yes", "no"):
        return "nothing has been asked (R27.1)"
    if verb == "extra":
        return "an extra card comes directly after taking the pile only (R10.2)"
    if verb in ("draw", "take", "end"):
        return "the draw of this turn is over (R9.15, R10.1)"
    if verb == "discard":
        return "a turn begins with the stock or the pile (R9.15)"
    if verb == "buy":
        return "a red three buys after the draw and before the discard (R21.3, B19d)"
    if verb == "merge":
        return "sets are joined after the draw (F14)"
    if verb == "ask":
        return "the question comes after a draw from the stock (R27.1, B40)"
    return "this is not the time for it (R9.15)"


def _bid(table: Table, action: Any, side: str) -> str:
    assert table.rules.contract is not None
    cap = table.rules.contract.max_level
    if action.bid >= 6 * cap:
        return f"the highest level is {cap} (B2)"
    return f"{bid_text(action.bid)} does not outbid {table.contract.split()[0]} (R9.3, B1)"


def _double(table: Table, action: Any, side: str) -> str:
    if table.contract == "none":
        return "there is no bid to double (R9.6, B5)"
    return "only a bid of the opponents may be doubled (R9.6, B5)"


def _done(table: Table, action: Any, side: str) -> str:
    if not table.melds(side):
        return "the declarer has laid nothing yet (R14.2)"
    return "what is laid is no opening yet (R14.2, R14.3)"


def _fail(table: Table, action: Any, side: str) -> str:
    if table.melds(side):
        return "an opening has begun (B6)"
    return "an opening exists and must be made (R13.5, B6)"


def _begun(table: Table, side: str) -> str | None:
    if table.melds(side) and not table.opened(side):
        return "an opening has begun and comes first (R13.2, D2, D3)"
    return None


def _draw(table: Table, action: Any, side: str) -> str:
    if table.stock_size == 0:
        return "the stock is empty (C37)"
    return _begun(table, side) or "a meld laid in order to take the pile binds to it (R10.3, D3, D18)"


def _end(table: Table, action: Any, side: str) -> str:
    if table.stock_size:
        return "the deal ends like that with an empty stock only (C37)"
    return _begun(table, side) or "the top card fits an own meld and must be taken (C37, D11)"


def _take(table: Table, action: Any, side: str) -> str:
    if not table.pile:
        return "the pile is empty (R10.1)"
    rules, top, hand = table.rules, table.pile[0], table.hand(table.turn)
    target = None
    if action.target:
        if action.target > len(table.melds(side)):
            return f"{side} has no meld {action.target} (R11.12)"
        target = table.melds(side)[action.target - 1]
    if top == "JK" and "JK" in rules.pile.dead_top:
        return "a joker on top stops the taking (R24.3)"
    rank = top[0]
    name = {"3": "3r" if top[1] in "hd" else "3b"}.get(rank, rank)
    if name in rules.pile.dead_top:
        return f"{top} on top is never taken (R24.4)"
    if rules.pile.single_bar and len(table.pile) == 1 and len(hand) == 1:
        return "a player with one card may not take a pile of one card (R17.4)"
    if name in rules.pile.run_only_top and action.cards:
        return f"{top} on top is taken only onto an own sequence that it continues (R20.1, R24.4)"
    if target is not None and not action.cards:
        if target.complete:
            return "nothing is added to a complete meld (R24.5)"
        if target.kind != "run":
            return "the top card alone does not join a set in this game, or not in this state of the pile (R24.6)"
        return "the top card does not continue that sequence as it lay at the start of the turn (R25.2, B19)"
    wrong = [code for code in action.cards if code != JOKER and RANKS[code & 15] not in (rank, "2")]
    if wrong:
        return f"{cards_text(wrong)} has not the rank of the top card {top} (R24.2)"
    need = 3 if "triple" in (rules.pile.take.frozen if table.frozen else rules.pile.take.open) else 2
    naturals = [code for code in action.cards if code != JOKER and RANKS[code & 15] == rank]
    if len(naturals) < len(action.cards) and "natural+wild" not in rules.pile.take.open:
        return "wild cards do not take the pile (R24.2)"
    if len(action.cards) != need:
        state = "frozen" if table.frozen else "unfrozen"
        return f"the {state} pile takes exactly {need} cards of the top card's rank from hand (R24.2, R25.3, D5)"
    if action.locks > 1:
        return "so many lock cards do not lie directly one upon another (R25.1, B17)"
    if target is not None:
        return "that meld cannot be joined: other rank, or four cards and more, or closed (R24.6, R25.3)"
    if not table.opened(side):
        return "the side has not opened, and no opening beside the cards of the take is laid (R23.2, R24.1, D3)"
    if any(meld.cards[0][0] == rank for meld in table.melds(side)) and rules.kind("set").per_rank == "one":
        return "the side has a meld of this rank: it must be named (F23)"
    return "the turn could not be ended after it, or the declarer's first turn allows a transfer only (B18, B19c)"


def _meld(table: Table, action: Any, side: str) -> str:
    from ._core import Meld

    try:
        meld = Meld([card_text(code) for code in action.cards], table.rules)
    except InvalidMeldError as error:
        return str(error).split(": ", 1)[1]
    hand, opened = table.hand(table.turn), table.opened(side)
    left = len(hand) - len(action.cards)
    if table.phase == "draw" and opened:
        return "melds come after the draw (R9.15)"
    if meld.kind == "black":
        return "black threes are laid last, when going out (R20.2, D8)"
    kind = table.rules.kind(meld.kind)
    same = [own for own in table.melds(side) if own.kind == meld.kind and own.cards[0][0] == meld.cards[0][0]]
    if same and kind.per_rank == "one":
        return "the side has a meld of this rank: add to it (F23)"
    if same and kind.per_rank == "after_complete" and any(not own.complete for own in same):
        return "a second set of a rank needs the first complete (B23, D16)"
    if not opened:
        if table.phase == "draw":
            return "no opening and take can be completed with it (R10.3, R23.3, R24.1)"
        needed = f"minimum {table.minimum(side)}"
        if table.phase == "opening":
            return f"no opening that keeps a card can be completed with it: {needed} (R13.1, R14.2, R14.3, D1)"
        return f"no opening after which the turn can end can be completed with it: {needed} (R13.1, R15.2, D2)"
    if left < 2:
        return _no_way_to_end(left)
    return "it may not be laid in this turn any more (R20.2)"


def _no_way_to_end(left: int) -> str:
    return f"{left} card{'' if left == 1 else 's'} would stay and the side may not go out (R19.1, R28, B19c)"


def _add(table: Table, action: Any, side: str) -> str:
    melds = table.melds(side)
    if action.target > len(melds):
        return f"{side} has no meld {action.target} (R11.7, R11.12)"
    meld = melds[action.target - 1]
    if table.phase == "draw" and table.opened(side):
        return "additions come after the draw (R9.15, B19)"
    if meld.complete:
        return f"meld {action.target} is complete and takes no such card (R18.5, R18.8, B21)"
    left = len(table.hand(table.turn)) - len(action.cards)
    for _ in action.cards:
        if not _fits(table, meld, action.cards):
            return f"{cards_text(action.cards)} cannot join {meld} (R11.1, R11.4)"
    if not table.opened(side):
        return "the opening could not be completed then (D2)"
    return _no_way_to_end(left)


def _fits(table: Table, meld: Any, cards: list[int]) -> bool:
    from ._core import Meld

    try:
        Meld([*meld.cards, *(card_text(code) for code in cards)], table.rules)
    except InvalidMeldError:
        return False
    return True


def _merge(table: Table, action: Any, side: str) -> str:
    melds = table.melds(side)
    if max(action.source, action.target) > len(melds):
        return f"{side} has {len(melds)} melds (R11.12)"
    if not any(kind.merge for kind in table.rules.melds):
        return "melds are not joined in this game (B24)"
    if action.source <= action.target:
        return "the later meld joins the earlier one (F14)"
    return "only two incomplete sets of one rank are joined, within the limit of wild cards (F14)"


def _buy(table: Table, action: Any, side: str) -> str:
    if table.rules.buy is None:
        return "nothing is bought in this game"
    begun = _begun(table, side)
    if begun:
        return begun
    if table.stock_size == 0:
        return "the stock is empty (C37)"
    if card_text(action.cards[0]) not in ("3d", "3h"):
        return "only a red three buys (R21.3)"
    return _no_way_to_end(1)


def _ask(table: Table, action: Any, side: str) -> str:
    if table.rules.out.ask == "none":
        return "there is no question in this game (B40)"
    begun = _begun(table, side)
    if begun:
        return begun
    return (
        "one question a turn, after a draw from the stock and before anything is laid or taken (R27.1, B40, D20, F9)"
    )


def _extra(table: Table, action: Any, side: str) -> str:
    return "the stock is empty (C37)" if table.stock_size == 0 else "there is no extra card in this game"


def _discard(table: Table, action: Any, side: str) -> str:
    begun = _begun(table, side)
    if begun:
        return begun
    if len(table.hand(table.turn)) == 1:
        return "it is the last card and the side may not go out (R19.1, R28.2, R28.3)"
    return "this turn has to go out (F12, F17)"
