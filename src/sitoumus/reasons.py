"""Why an action is not legal now: the reason in words, with the number of its rule and the position.

Legality itself is decided by the compiled core. Here the refusal is explained, from the first rule that the action
breaks to the last; nothing depends on these sentences.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from .errors import IllegalActionError, InvalidMeldError
from .notation import bid_text, card_text, cards_text
from .rules import WAYS
from .rules_text import OPENING_NEEDS

if TYPE_CHECKING:
    from ._core import Meld, Table, View
    from .rules import MeldKind

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

_WAY_WORDS = {
    "pair": "with two natural cards of the top card's rank from hand",
    "triple": "with three natural cards of the top card's rank from hand",
    "natural+wild": "with one natural card of its rank and a wild card",
    "fit_set": "onto an own incomplete set",
    "fit_full": "onto an own complete set",
    "fit_run": "onto an own sequence that it continues",
}
_FITS = {"fit_set", "fit_full", "fit_run"}


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
    lacking = _not_in_this_game(table, verb)
    if lacking:
        return lacking
    if table._turn_fields()["discard_only"] and verb != "discard":
        return "the first turn of the deal is a discard only (F20)"
    if verb not in _WHERE[phase]:
        return _wrong_phase(table, verb)
    side = next(name for name in table.compiled.sides if table.turn in name)
    if verb in ("meld", "add", "take", "buy", "discard"):
        missing = Counter(action.cards) - Counter(table.hand(table.turn).codes)
        if missing:
            return f"{table.turn} does not hold {cards_text(missing.elements())} (R9.15)"
    if _only_bound(table, action.text):
        return (
            f"partner has said yes and {table.turn} can go out in this turn, so he must; after this step it would not "
            "be certain any more (R27.1, D20, F10)"
        )
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


def _only_bound(table: Table, text: str) -> bool:
    """Whether nothing but the partner's yes forbids an action."""
    if not table._bound():
        return False
    free = type(table)._from_state(table._to_state(), table.rules.replace(**{"out.yes_binds": False}))
    try:
        free.push(text)
    except IllegalActionError:
        return False
    return True


def _class(card: str) -> str:
    """The card class of a card, as rule sets have it."""
    return {"3c": "3b", "3s": "3b", "3d": "3r", "3h": "3r"}.get(card, card if card == "JK" else card[0])


def _not_in_this_game(table: Table, verb: str) -> str | None:
    rules = table.rules
    if verb in ("pass", "bid", "double") and rules.contract is None:
        return "this game has no auction"
    if verb == "extra" and not rules.draw.after_pile:
        return "there is no extra card in this game"
    if verb == "buy" and rules.buy is None:
        return "nothing is bought in this game"
    if verb == "merge" and not any(kind.merge for kind in rules.melds):
        return "melds are not joined in this game (B24)"
    if verb == "ask" and rules.out.ask == "none":
        return "there is no question in this game (B40)"
    return None


def _wrong_phase(table: Table, verb: str) -> str:
    phase = table.phase
    if verb in ("pass", "bid", "double"):
        return "the auction is over (R9.5)"
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


def _ways(table: Table, side: str) -> tuple[frozenset[str], str, str]:
    """The ways of taking the pile that the rules leave now, for whom or when they are so few, and the rules."""
    take, empty = table.rules.pile.take, table.rules.stock.empty
    ways, whose, rule = take.frozen if table.frozen else take.open, "", "R24.2, R24.6, R25.3, D5"
    if not table.opened(side):
        fits = _FITS - {"fit_run"} if table.rules.pile.fit_new_run else _FITS
        ways, whose, rule = ways & take.unopened - fits, " by a side that has not opened", "R24.1, B19, F2"
    if table._turn_fields()["first_turn"]:
        ways, whose, rule = ways & {"fit_run"}, " in the declarer's first turn", "R23.1, B18"
    if not table.stock_size and empty in ("end_after_turn", "forced_fit", "may_fit"):
        ways = ways & _FITS if empty != "end_after_turn" else frozenset()
        whose, rule = " when the stock is empty", "C37, F19"
    return ways, whose, rule


def _take(table: Table, action: Any, side: str) -> str:
    if not table.pile:
        return "the pile is empty (R10.1)"
    rules, top = table.rules, table.pile[0]
    name, cards, target = _class(top), [card_text(code) for code in action.cards], None
    if action.target:
        if action.target > len(table.melds(side)):
            return f"{side} has no meld {action.target} (R11.12)"
        target = table.melds(side)[action.target - 1]
    if name in rules.pile.dead_top:
        return "a joker on top stops the taking (R24.3)" if top == "JK" else f"{top} on top is never taken (R24.4)"
    if rules.pile.single_bar and len(table.pile) == 1 and len(table.hand(table.turn)) == 1:
        return "a player with one card may not take a pile of one card (R17.4)"
    if name in rules.pile.run_only_top and cards:
        return f"{top} on top is taken only onto an own sequence that it continues (R20.1, R24.4)"
    bound = table._turn_fields()["transfer_to"]
    if bound and bound != action.target:
        return f"the top card goes onto meld {bound}, which was laid for it (D18)"
    if cards:
        fault = _hand_take(table, cards, action.target, side)
    else:
        assert target is not None
        fault = _fit(table, target, action.target, side)
    if fault is None and not table.opened(side):
        fault = _too_little(table, cards, side)
    if fault is not None:
        return fault
    if action.locks > 1:
        return "so many lock cards do not lie directly one upon another (R25.1, B17)"
    return (
        "fewer than two cards would stay, one to discard and one to keep, and the turn could not end by going out "
        "(R19.1, B19c, F4)"
    )


def _way_closed(table: Table, way: str, side: str) -> str | None:
    ways, whose, rule = _ways(table, side)
    if way in ways:
        return None
    state = "frozen" if table.frozen else "unfrozen"
    words = ", or ".join(_WAY_WORDS[name] for name in WAYS if name in ways)
    only = f"only {words}" if words else ""
    return f"the {state} pile may {'' if words else 'not '}be taken{whose} {only}".rstrip() + f" ({rule})"


def _hand_take(table: Table, cards: list[str], target: int, side: str) -> str | None:
    """What is wrong with hand cards for the pile, or with the meld that they are to join."""
    rules, top = table.rules, table.pile[0]
    kind = next((kind for kind in rules.melds if kind.shape == "set" and _class(top) in kind.ranks), None)
    if kind is None or kind.when != "any":
        return f"no set of this game holds {top}, so no hand cards take it (R24.4)"
    wrong = [card for card in cards if _class(card) not in {_class(top), *kind.wild_with}]
    if wrong:
        return f"{' '.join(wrong)} has not the rank of the top card {top} (R24.2)"
    naturals = sum(_class(card) == _class(top) for card in cards)
    held = (naturals, len(cards) - naturals)
    shapes = {"pair": (2, 0), "triple": (3, 0), "natural+wild": (1, 1)}
    if rules.opening.top_counts and not table.opened(side):  # F5: these cards, and more
        ways = [way for way, least in shapes.items() if held >= least and held[1] >= least[1]]
    else:
        ways = [way for way, exact in shapes.items() if held == exact]
    closed = [_way_closed(table, way, side) for way in ways or [""]]
    if all(closed):
        return closed[0]
    own = [meld.kind == kind.id and meld.cards[0][0] == top[0] for meld in table.melds(side)]
    if target == 0:
        if any(own) and kind.per_rank == "one":
            return "the side has a meld of this rank: it must be named (F23)"
        return _no_meld(table, [*cards, top])
    meld, most = table.melds(side)[target - 1], rules.pile.new_set_from
    if not own[target - 1]:
        return f"meld {target} is no set of the top card's rank (R24.6, R25.3)"
    if most and len(meld) >= most:
        return f"a set of {most} cards and more is not joined: the cards make a new set (R24.6, R25.3)"
    if not _joins(table, meld, [*cards, top]):
        return f"meld {target} takes no such cards any more (R18.5, R18.7, F7)"
    return None


def _fit(table: Table, meld: Meld, number: int, side: str) -> str | None:
    """What is wrong with the top card alone going onto an own meld."""
    top, kind = table.pile[0], table.rules.kind(meld.kind)
    if kind.shape == "set":
        closed = _way_closed(table, "fit_full" if meld.complete else "fit_set", side)
        if closed is None and not _joins(table, meld, [top]):
            return f"meld {number} does not take the top card {top} (R24.6)"
        return closed
    if kind.shape == "wild":
        return "nothing of the pile is added to a meld of wild cards (R24.6)"
    if meld.complete:
        return "nothing of the pile is added to a complete sequence (R24.5, F17)"
    if not _joins(table, meld, [top]):
        return "the top card does not continue that sequence as it lay at the start of the turn (R25.2, B19)"
    return _way_closed(table, "fit_run", side)


def _too_little(table: Table, cards: list[str], side: str) -> str | None:
    """What an opening with this take lacks."""
    rules, melds, (minimum, needs) = table.rules, table.melds(side), opening_demand(table, side)
    for meld in melds:
        kind = rules.kind(meld.kind)
        if sum(_class(card) in kind.ranks for card in meld) < kind.open_min:
            return f"an opening holds no set of fewer than {kind.open_min} deuces (R15.2)"
    complete = [meld for meld in melds if meld.complete]
    if complete and rules.opening.bonus_counts:
        return None
    if needs == "natural_canasta":
        complete = [meld for meld in complete if meld.natural and rules.kind(meld.kind).shape != "wild"]
    if needs in OPENING_NEEDS and not complete:
        return f"the side has not opened, and its opening must hold {OPENING_NEEDS[needs]} (R13.1, F16)"
    top, pair = rules.opening.top_counts, rules.opening.pair_counts
    counted = (cards if top or pair else []) + ([table.pile[0]] if top else [])
    points = sum(meld.points for meld in melds) + sum(rules.points[_class(card)] for card in counted)
    if points >= minimum:
        return None
    what = "opening and take make" if counted else "the opening beside the cards of the take makes"
    return f"the side has not opened: {what} {points} points, minimum {minimum} (R13.1, R23.2, R24.1, D3, F5)"


def opening_demand(table: Table | View, side: str) -> tuple[int, str]:
    """Points that the opening of a side needs now, and what it must hold."""
    return table.minimum(side), table.rules.opening.demand(table.totals[side])[1]


def _demand_words(table: Table, side: str) -> tuple[str, str]:
    """What the opening of a side needs, and the rule."""
    minimum, needs = opening_demand(table, side)
    if needs not in OPENING_NEEDS:
        return f"minimum {minimum}", "R13.1"
    return f"it must hold {OPENING_NEEDS[needs]}" + (f", minimum {minimum}" if minimum else ""), "R13.1, F16"


def _no_meld(table: Table, cards: list[str]) -> str | None:
    """Why cards are no meld, None if they are one."""
    from ._core import Meld

    try:
        Meld(cards, table.rules)
    except InvalidMeldError as error:
        return str(error).split(": ", 1)[1]
    return None


def _meld(table: Table, action: Any, side: str) -> str:
    from ._core import Meld

    cards = [card_text(code) for code in action.cards]
    fault = _no_meld(table, cards)
    if fault:
        return fault
    meld, opened = Meld(cards, table.rules), table.opened(side)
    left = len(table.hand(table.turn)) - len(cards)
    if table.phase == "draw" and opened:
        return "melds come after the draw (R9.15)"
    kind = table.rules.kind(meld.kind)
    if kind.when == "going_out":
        return "black threes are laid last, when going out (R20.2, D8)"
    same = [own for own in table.melds(side) if own.kind == meld.kind and own.cards[0][0] == meld.cards[0][0]]
    if same and kind.per_rank == "one":
        return "the side has a meld of this rank: add to it (F23)"
    if same and kind.per_rank == "after_complete" and any(not own.complete for own in same):
        return "a second set of a rank needs the first complete (B23, D16)"
    if not opened:
        if table.phase == "draw":
            ways, whose, rule = _ways(table, side)
            if not ways:
                return f"melds come after the draw: the pile may not be taken{whose} ({rule})"
            return "no opening and take can be completed with it (R10.3, R23.3, R24.1)"
        needed, rule = _demand_words(table, side)
        if table.phase == "opening":
            return f"no opening that keeps a card can be completed with it: {needed} ({rule}, R14.2, R14.3, D1)"
        return f"no opening after which the turn can end can be completed with it: {needed} ({rule}, R15.2, D2)"
    if left < 2:
        return _no_way_to_end(table, left)
    if _outgrown(kind, len(meld)):
        return f"a sequence has more than {kind.full} cards only in going out, and the side cannot{_bar(table)} (F17)"
    return "it may not be laid in this turn any more (R20.2)"


def _bar(table: Table) -> str:
    """How the question stands in the way of going out."""
    asked = table._turn_fields()["asked"]
    if asked == 2:
        return " after the partner's no"
    return " without the partner's yes" if table.rules.out.ask == "required" and not asked else ""


def _no_way_to_end(table: Table, left: int) -> str:
    if left >= 2:
        return "this turn has to go out (F12, F17)"
    cards = f"{left} card{'' if left == 1 else 's'}"
    return f"{cards} would stay and the side may not go out{_bar(table)} (R19.1, R28, B19c)"


def _outgrown(kind: MeldKind, size: int) -> bool:
    """Whether a meld of this kind has this size only in going out."""
    return kind.full is not None and kind.add_full.natural == "going_out" and size > kind.full


def _add(table: Table, action: Any, side: str) -> str:
    melds, cards = table.melds(side), [card_text(code) for code in action.cards]
    if action.target > len(melds):
        return f"{side} has no meld {action.target} (R11.7, R11.12)"
    meld = melds[action.target - 1]
    if table.phase == "draw" and table.opened(side):
        return "additions come after the draw (R9.15, B19)"
    kind = table.rules.kind(meld.kind)
    if kind.when == "going_out":
        return "nothing is added to black threes (D8)"
    if not _joins(table, meld, cards):
        if meld.complete:
            return f"meld {action.target} is complete and takes no such card (R18.5, R18.8, B21)"
        return f"{' '.join(cards)} cannot join {meld} (R11.1, R11.4)"
    if _outgrown(kind, len(meld) + len(cards)):
        return f"a complete sequence grows only in going out, and the side cannot go out{_bar(table)} (F17)"
    if not table.opened(side):
        return "the opening could not be completed then (D2)"
    return _no_way_to_end(table, len(table.hand(table.turn)) - len(cards))


def _joins(table: Table, meld: Meld, cards: list[str]) -> bool:
    """Whether a meld takes these cards, in going out at least."""
    kind = table.rules.kind(meld.kind)
    if meld.complete:
        grow = kind.add_full
        wild = [_class(card) in kind.wild_with for card in cards]
        if (kind.natural_closed and meld.natural) or "never" in {grow.wild if w else grow.natural for w in wild}:
            return False
    return _no_meld(table, [*meld.cards, *cards]) is None


def _merge(table: Table, action: Any, side: str) -> str:
    melds = table.melds(side)
    if max(action.source, action.target) > len(melds):
        return f"{side} has {len(melds)} melds (R11.12)"
    if action.source <= action.target:
        return "the later meld joins the earlier one (F14)"
    return "only two incomplete sets of one rank are joined, within the limit of wild cards (F14)"


def _buy(table: Table, action: Any, side: str) -> str:
    begun = _begun(table, side)
    if begun:
        return begun
    if table.stock_size == 0:
        return "the stock is empty (C37)"
    assert table.rules.buy is not None
    if _class(card_text(action.cards[0])) != table.rules.buy.card:
        return f"only a {'red' if table.rules.buy.card == '3r' else 'black'} three buys (R21.3)"
    return _no_way_to_end(table, 1)


def _ask(table: Table, action: Any, side: str) -> str:
    begun = _begun(table, side)
    if begun:
        return begun
    return "one question a turn, after a draw from the stock and before anything is laid or taken (R27.1, B40, D20, F9)"


def _extra(table: Table, action: Any, side: str) -> str:
    return "the stock is empty (C37)"


def _discard(table: Table, action: Any, side: str) -> str:
    begun = _begun(table, side)
    if begun:
        return begun
    if len(table.hand(table.turn)) == 1:
        return f"it is the last card and the side may not go out{_bar(table)} (R19.1, R28.2, R28.3)"
    return "this turn has to go out (F12, F17)"
