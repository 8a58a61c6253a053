"""Rule sets in words: the rules of one game, and how two of them differ.

`describe` makes rules text from the values of the fields alone; whatever has no effect in a game stands at the end.
"""

from __future__ import annotations

import itertools
import os
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .director.code_text import code_lines
from .errors import RuleSetError
from .rules import CLASSES, PRESETS, Contract, MeldKind, RuleSet, preset

__all__ = ["describe", "diff_text", "load_rules", "presets_text", "rules_text"]

_WIDTH = 100
_SEATS = {2: "NS", 3: "NES", 4: "NESW"}
_NAMES = {"JK": "jokers", "2": "deuces", "3r": "red threes", "3b": "black threes", "3": "threes", "A": "aces"}
_NAMES |= {"4": "fours", "5": "fives", "6": "sixes", "7": "sevens", "8": "eights", "9": "nines", "T": "tens"}
_NAMES |= {"J": "jacks", "Q": "queens", "K": "kings"}
_ORDINARY = CLASSES[4:]
# What a band of `opening.bands` demands besides points.
OPENING_NEEDS = {"canasta": "a complete meld", "natural_canasta": "a complete natural meld"}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")


# --- Words.


def _list(words: Iterable[str], last: str = "and") -> str:
    words = list(words)
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _cards(classes: Iterable[str], last: str = "and") -> str:
    """Card classes as words, neighbours among the ordinary ranks as a range; `nothing` for none."""
    found = [name for name in CLASSES if name in set(classes)]
    words: list[str] = []
    while found:
        row = 1
        while row < len(found) and found[0] in _ORDINARY and CLASSES.index(found[row]) == CLASSES.index(found[0]) + row:
            row += 1
        if row > 2:
            words.append(f"{_NAMES[found[0]]} to {_NAMES[found[row - 1]]}")
        else:
            words += [_NAMES[name] for name in found[:row]]
        found = found[row:]
    return _list(words, last) or "nothing"


def _number(n: int) -> str:
    return _NUMBERS[n] if n < len(_NUMBERS) else str(n)


def _count(n: int, word: str) -> str:
    return f"{_number(n)} {word}{'' if n == 1 else 's'}"


def _yes(value: bool, yes: str, no: str) -> str:
    return yes if value else no


# --- The sections of the rules: each gives its sentences.


def _pack(rules: RuleSet) -> list[str]:
    pack, table = rules.pack, rules.table
    seats = _SEATS[table.seats]
    sides = _list(" with ".join(seats[seat] for seat in side) for side in table.sides)
    alone = all(len(side) == 1 for side in table.sides)
    return [
        f"The pack has {pack.cards} cards: {_number(pack.copies)} copies of each of {pack.suits} times 13 cards, and "
        f"{_count(pack.jokers, 'joker')}.",
        f"{_number(table.seats).capitalize()} players, {' '.join(seats)} in the order of play; "
        + ("each plays alone." if alone else f"sides: {sides}. A side shares its melds and its score."),
    ]


def _deal(rules: RuleSet) -> list[str]:
    deal = rules.deal
    extra = f", the player who starts {deal.first_extra} more" if deal.first_extra else ""
    turn_up = {
        "none": "No card is turned: the discard pile starts empty.",
        "after_deal": "After the deal the top card of the stock is turned to start the discard pile.",
        "after_auction": "After the auction and the declarer's opening the top card of the stock is turned to start "
        "the discard pile.",
    }[deal.turn_up]
    starts = "" if rules.contract else " The player after the dealer in this order starts."
    lines = [
        "The first dealer is drawn or agreed on; after each deal the next player in the order of play deals." + starts,
        f"Each player is dealt {deal.hand} cards{extra}. The rest is the stock.",
        turn_up,
    ]
    if deal.turn_up != "none":
        lines.append(
            f"These stay, but get another card turned on them, and so on: {_cards(deal.cover)}."
            if deal.cover
            else "Whatever is turned is not covered."
        )
    if rules.bonus.cards:
        cards = _cards(rules.bonus.cards)
        lines.append(
            {
                "at_deal": f"Then every player, the one who starts first, lays out and replaces {cards}.",
                "first_turn": f"{cards.capitalize()} that are dealt stay in hand until their owner's first turn "
                "begins; then he lays them out and replaces them.",
            }[rules.bonus.laid]
        )
    lines.append(_first_turn(rules))
    return lines


def _first_turn(rules: RuleSet) -> str:
    if rules.deal.first_turn == "discard_only":
        return "In the first turn of the deal the player who starts only discards."
    if rules.contract is None or rules.contract.first_player != "committer":
        return "The first turn is like any other."
    if "fit_run" not in rules.pile.take.open | rules.pile.take.frozen:
        return "In his first turn an undoubled declarer cannot take the pile."
    return (
        "In his first turn an undoubled declarer takes the pile only by putting the top card onto a run of his "
        "opening; all other first turns are like any other."
    )


def _turn(rules: RuleSet) -> list[str]:
    draw = rules.draw
    return [
        f"A turn is a draw, melds if wanted, and one discard. The draw: {_count(draw.stock, 'card')} from the stock (a "
        "stock with fewer gives what it has), or the discard pile.",
        f"After taking the pile {_count(draw.after_pile, 'card')} may be drawn from the stock as well."
        if draw.after_pile
        else "After taking the pile no card is drawn.",
    ]


def _unopened(rules: RuleSet) -> frozenset[str]:
    """The ways that a side that has not opened can ever use: it has no run but one laid in the same turn (F2)."""
    take = rules.pile.take
    return take.unopened & (take.open | take.frozen) - (frozenset() if rules.pile.fit_new_run else {"fit_run"})


def _pile(rules: RuleSet) -> list[str]:
    pile = rules.pile
    ways = {
        "pair": "two natural cards of the top card's rank from hand",
        "triple": "three natural cards of the top card's rank from hand",
        "natural+wild": "one natural card of the top card's rank and one wild card from hand",
        "fit_set": "putting the top card onto an own incomplete set",
        "fit_full": "putting the top card onto an own complete set",
        "fit_run": "putting the top card onto an own incomplete run",
    }

    unopened = _unopened(rules)

    def by(names: frozenset[str]) -> str:
        return "; or ".join(text for name, text in ways.items() if name in names) or "there is no way"

    lines = [
        f"The pile is frozen while one of these lies in it: {_cards(pile.freeze)}."
        if pile.freeze
        else "Nothing freezes the pile.",
        f"Taking an unfrozen pile: {by(pile.take.open)}.",
        f"Taking a frozen pile: {by(pile.take.frozen)}.",
        "A side that has not opened takes it in opening, and of the ways that the state of the pile allows has only "
        f"these: {by(unopened)}."
        if unopened
        else "A side that has not opened may not take the pile.",
    ]
    if pile.dead_top:
        lines.append(f"Never taken when on top: {_cards(pile.dead_top)}.")
    if pile.run_only_top:
        lines.append(f"On top, {_cards(pile.run_only_top)} can only be put onto a run.")
    lines.append(
        {
            "whole": "The whole pile is taken.",
            "to_freezer": "An unfrozen pile is taken whole; a frozen one down to its first freezing card, that card "
            "included (if it lies on top, alone), and further ones directly below it as the player likes.",
            "to_next_freezer": "An unfrozen pile is taken whole; a frozen one down to its first freezing card, that "
            "card included; a freezing card on top does not count, the pile is taken to the next one.",
        }[pile.extent]
    )
    if pile.new_set_from:
        lines.append(f"If the own set of the rank has {pile.new_set_from} or more cards, the hand cards start another.")
    lines.append(
        _yes(
            pile.single_bar,
            "A player with one card in hand may not take a pile of one card.",
            "A player with one card in hand may take a pile of one card.",
        )
    )
    if any(kind.shape == "run" for kind in rules.melds):
        before = ", in a declarer's first turn onto one of his opening" if rules.contract else ""
        lines.append(
            _yes(
                pile.fit_new_run,
                "The top card goes also onto a run laid or lengthened in the same turn.",
                f"The top card goes only onto a run that lay there, so long as it is, when the turn began{before}.",
            )
        )
    return lines


def _opening(rules: RuleSet) -> list[str]:
    opening = rules.opening
    wild = " (a wild meld does not count)" if any(kind.shape == "wild" and kind.full for kind in rules.melds) else ""
    needs = OPENING_NEEDS | {"natural_canasta": OPENING_NEEDS["natural_canasta"] + wild}
    demands = any(need != "none" for _, _, need in opening.bands)
    asked = _yes(demands, "Neither a minimum nor a complete meld", "No minimum")
    rows = []
    for below, minimum, need in opening.bands:
        bound = f"below {below}" if below is not None else "otherwise" if len(opening.bands) > 1 else "at any total"
        rows.append(f"{bound}: {minimum} points" + (f" and {needs[need]}" if need in needs else ""))
    waive = {
        "never": "The minimum is never waived.",
        "concealed_from_stock": f"{asked} is asked of a player who goes out in the turn of his side's first meld after "
        "drawing from the stock.",
    }
    lines = [
        "The first melds of a side, laid in one turn, need a minimum by its total at the start of the deal: "
        f"{'; '.join(rows)}.",
        _yes(
            opening.bonus_counts,
            "The cards count at their values, bonuses of complete melds count, and a complete meld always opens.",
            "The cards count at their values; bonuses do not count.",
        ),
    ]
    unopened = _unopened(rules)
    if unopened:
        top = _yes(opening.top_counts, " and the top card", ", not the top card")
        lines.append(
            "An opening with the pile must suffice when the pile is taken. What was laid before counts, and of the "
            "take " + _yes(opening.pair_counts, f"the hand cards{top}", "nothing") + "; cards laid later do not count."
        )
        if opening.top_counts and unopened - {"fit_run"}:
            lines.append(
                "The take names all the hand cards of its set that are to count: those that the pile needs, and as "
                "many further natural and wild cards as the set allows."
            )
    return [*lines, waive[opening.waive]]


def _kind(kind: MeldKind) -> str:
    """One kind of meld, in one paragraph."""
    what = {
        "set": f"a set of one rank ({_cards(kind.ranks)})",
        "run": f"a run in one suit, in the order {' '.join(kind.ranks)}, " + _yes(kind.cyclic, "a circle", "a line"),
        "wild": f"a wild meld ({_cards(kind.ranks)})",
    }[kind.shape]
    least, most = kind.size
    parts = [f"{kind.id}: {what}", f"{least} to {most} cards" if most else f"{least} cards or more"]
    if kind.max_wild:
        majority = _yes(kind.majority, ", always fewer than natural ones", "")
        parts.append(
            f"at least {_count(kind.min_natural, 'natural card')} and at most {_count(kind.max_wild, 'wild card')} "
            f"({_cards(kind.wild_with, 'or')}){majority}"
        )
    else:
        parts.append("no card stands in for another")
    if kind.full:
        grow = {"never": "takes no", "always": "takes more", "going_out": "takes, in going out only,"}
        closed = "with wild cards " if kind.natural_closed else ""
        parts.append(f"complete (a canasta) with {kind.full} cards")
        parts.append(f"a complete one {closed}{grow[kind.add_full.natural]} natural cards")
        if kind.max_wild:
            parts[-1] += f" and {grow[kind.add_full.wild]} wild cards"
        if kind.natural_closed:
            parts[-1] += ", one without takes none"
        bonus = f"bonus {kind.bonus.natural}"
        parts.append(bonus + (f" natural, {kind.bonus.mixed} with wild cards" if kind.max_wild else ""))
    else:
        parts.append("never complete, no bonus")
    if kind.when == "going_out":
        parts.append("laid only in going out, as the last meld")
    of = {"set": " of a rank", "run": " of a suit", "wild": ""}[kind.shape]
    many = {
        "one": f"a side has one{of}",
        "many": f"a side may have several{of}",
        "after_complete": f"a side may start another{of} when the first is complete",
    }
    parts.append(many[kind.per_rank])
    if kind.merge:
        parts.append("two incomplete ones of a rank may be joined")
    if kind.open_min:
        parts.append(f"in an opening with at least {_count(kind.open_min, 'natural card')}")
    if kind.short:
        parts.append(f"each one that stays below {kind.short[0]} cards costs {kind.short[1]} points")
    return "; ".join(parts) + "."


def _melds(rules: RuleSet) -> list[str]:
    return [
        "A side lays new melds and adds to its own. A card laid stays where it is.",
        *(_kind(kind) for kind in rules.melds),
    ]


def _bonus_cards(rules: RuleSet) -> list[str]:
    bonus = rules.bonus
    if not bonus.cards:
        return []
    kind, n = bonus.needs
    waits = bonus.laid == "first_turn"
    came, what_melds = "that are drawn " if waits else "", "meld" if kind == "melds" else "complete meld"
    what = f"{_cards(bonus.cards).capitalize()} {came}are laid out at once and replaced from the stock"
    held = "One in the hand of a player who had no turn costs "
    held += f"{bonus.table[1]} points if his side has fewer than {_count(n, what_melds)}, and " if n else ""
    return [
        f"{what} (those that come with the pile are not replaced), and are never discarded.",
        *([f"{held}nothing{' otherwise' if n else ''}."] if waits else []),
        f"Points for none, one, two and so on: {', '.join(map(str, bonus.table))}. "
        + (
            f"A side with fewer than {_count(n, what_melds)} loses as many."
            if n
            else f"They are never lost, whatever {kind} the side has."
        ),
        "A bonus card that is laid and leaves the stock empty ends the deal at once.",
    ]


def _buying(rules: RuleSet) -> list[str]:
    if rules.buy is None:
        return ["No card is bought."]
    return [
        f"Each of the {_NAMES[rules.buy.card]} in hand may be laid in a turn, after the draw, to take one card from "
        f"the stock; each costs {rules.buy.price} points."
    ]


def _out(rules: RuleSet) -> list[str]:
    out, needs = rules.out, rules.out.needs
    asked = {
        "complete meld": needs.canasta,
        "complete run": needs.run,
        "complete set": needs.set,
        "natural complete set": needs.natural_set,
    }
    need = [_count(n, word) for word, n in asked.items() if n]
    who = "A defender" if rules.contract else "A player"
    if need:
        several = " (one meld may count for several of these)" if len(need) > 1 else ""
        who += f" may do so if his side has {_list(need)}{several}, what is laid in this turn included"
    else:
        who += " may always do so"
    lines = [
        f"A player goes out by getting rid of his last card. {who}; whoever may not keeps a card after his discard.",
        {
            "optional": "The last card may be melded or discarded.",
            "required": "The last card must be discarded.",
        }[out.discard],
        f"Going out earns {out.bonus} points.",
    ]
    if out.concealed != "none":
        clean = {
            "side": "whose side had melded nothing before this turn",
            "player": "who had melded nothing before, touches no meld that lay there, and lays a complete one himself",
        }
        lines.append(f"Concealed: a player {clean[out.concealed]} earns {out.concealed_total} points instead.")
    if out.ask == "none":
        lines.append("The partner is not asked.")
    else:
        must = _yes(out.ask == "required", "must ask his partner before he goes out", "may ask his partner")
        when = {"after_stock": "after drawing from the stock", "any": "before or after the draw"}[out.ask_when]
        lines.append(
            f"A player {must}, {when} and before he melds, whether he may go out. After a no he may not go out in this "
            "turn. "
            + _yes(
                out.yes_binds,
                "After a yes he must go out in this turn if he can: while he can, nothing may be done after which he "
                "could not. ",
                "After a yes nothing is forced. ",
            )
            + f"A yes without going out costs {out.ask_fail} points."
        )
    return lines


def _fits(ways: frozenset[str]) -> str:
    """The melds onto which these ways let the top card go."""
    melds = {"fit_set": "incomplete set", "fit_full": "complete set", "fit_run": "incomplete run"}
    return _list((meld for name, meld in melds.items() if name in ways), "or")


def _stock(rules: RuleSet) -> list[str]:
    pile, empty = rules.pile, rules.stock.empty
    fits = {"an unfrozen pile": _fits(pile.take.open), "a frozen pile": _fits(pile.take.frozen)}
    if empty == "forced_fit_may_take":
        del fits["a frozen pile"]
    if not pile.freeze or fits["an unfrozen pile"] == fits.get("a frozen pile"):
        fits = {"a pile": fits["an unfrozen pile"]}
    fitting = ", or ".join(
        f"{which} whose top card can be put onto an own {melds}" for which, melds in fits.items() if melds
    )
    if not fitting and empty in ("forced_fit", "may_fit"):
        return ["With the stock empty the pile cannot be taken: the deal ends."]
    if not fitting and empty == "forced_fit_may_take":
        empty = "may_take"
    return [
        {
            "end_after_turn": "The deal ends after the turn in which the last card leaves the stock.",
            "forced_fit": f"With the stock empty a player must take {fitting}, and takes it in no other way; otherwise "
            "the deal ends.",
            "forced_fit_may_take": f"With the stock empty a player must take {fitting}, and may take the pile in any "
            "other lawful way; otherwise the deal ends.",
            "may_fit": f"With the stock empty a player may take {fitting}, and takes it in no other way; if he cannot "
            "or will not, the deal ends.",
            "may_take": "With the stock empty a player may take the pile in any lawful way; if he cannot or will not, "
            "the deal ends.",
        }[empty]
    ]


def _scores(rules: RuleSet) -> list[str]:
    by_points: dict[int, list[str]] = {}
    for name, points in rules.points.items():
        by_points.setdefault(points, []).append(name)
    values = "; ".join(f"{points}: {_cards(by_points[points])}" for points in sorted(by_points, reverse=True))
    hand = _list(f"{points} for {_cards([name])}" for name, points in rules.hand_points.items())
    return [
        f"Card values: {values}.",
        "A side scores its melded cards and its bonuses; cards left in its hands are deducted at the same values"
        + (f", but {hand}." if hand else "."),
    ]


def _contract(contract: Contract | None) -> list[str]:
    """The auction and what follows from it (R9, R14, R29)."""
    if contract is None:
        return []
    at_five = _yes(contract.hand_minus_at_5plus, "less the cards left in its hands", "without deducting the hands")
    both = "counts toward the sum in the result"
    return [
        "Left of the dealer begins the auction. A bid is a level and a strain, in the order clubs, diamonds, hearts, "
        f"spades, canasta, deuce canasta; it must exceed the last one; the highest level is {contract.max_level}. "
        "Three passes after a bid, or a double by an opponent, end the auction. The sum is 1000 a level.",
        "An undoubled declarer opens at once, before a card is turned: with the minimum, or from level 4 with a run of "
        "three in the bid suit, or with four natural cards of a rank (canasta) or four deuces (deuce canasta). A set "
        f"of deuces in this opening has at least {_count(contract.open_min, 'deuce')}. A doubled declarer opens as all "
        "others do, in turn.",
        "If he cannot open, his side loses 1000 and "
        + {
            "next_bid": "the contract passes to the next lower bid.",
            "next_player": "the contract passes to the highest bid of a player who has not failed yet.",
        }[contract.failed_open_next]
        + " If nobody can open, there is no contract, and the loss is 1000 "
        + {"per_bid": "for each bid.", "per_bidder": "for each player who bid."}[contract.all_bluff_penalty],
        {
            "committer": "The declarer plays first; without a contract left of the dealer does.",
            "dealer_left": "Left of the dealer plays first (the declarer, if doubled).",
        }[contract.first_player],
        "Up to level 4 the declaring side must reach the sum with bonuses, less the cards left in its hands; from "
        f"level 5 with bonuses and melded cards, {at_five}. The strain "
        + _yes(contract.strain_must_be_made, "must be made too, by a complete meld of it.", "need not be made."),
        "The declaring side may go out when its melds reach the sum; the points for going out "
        + _yes(contract.out_bonus_in_gate, "count toward this right.", "do not count toward this right."),
        f"Going out {_yes(contract.out_bonus_in_result, both, both.replace('counts', 'does not count'))}.",
        "Without a contract "
        + {"defenders": "both sides go out as defenders do.", "none": "going out needs nothing."}[
            contract.no_commitment_goout
        ],
        "Made: half the sum more, doubled the whole sum. Failed: the sum to the opponents, doubled twice the sum. "
        f"Void{', with neither,' if not any(contract.void_cost) else ''} when the sum is not reached and "
        + {
            "last_card_drawn": "the stock has run out, whoever goes out after that.",
            "deal_end": "the deal ends without anyone going out.",
        }[contract.void_rule]
        + _void_cost(*contract.void_cost),
        "A declaring side that failed up to level 4 "
        + _yes(contract.failed_side_keeps_card_points, "keeps its card points.", "loses its card points."),
    ]


def _void_cost(undoubled: int, doubled: int) -> str:
    """What a void contract gives the opponents (D26); nothing to say where it gives nothing."""
    if not undoubled and not doubled:
        return ""
    percents = [f"{percent} %" if percent else "nothing" for percent in (undoubled, doubled)]
    return (
        f" Of what they would score had the contract failed, the opponents get {percents[0]} when it ends void "
        f"undoubled, and {percents[1]} when it ends void doubled."
    )


def _match(rules: RuleSet) -> list[str]:
    kind, n = rules.match.end
    sides = "pair" if rules.table.seats == 4 else "player"
    return [
        f"The match ends with the deal in which a {sides} reaches {n} points; the highest total wins."
        if kind == "target"
        else f"The match has {_count(n, 'deal')}; the highest total wins.",
        {
            "draw": "Equal totals are a draw.",
            "extra_deal": "Equal totals are decided by another deal, as often as needed.",
        }[rules.match.tie],
        {
            "totals": "The sheet shows the totals.",
            "difference": "The sheet settles the difference of the totals.",
            "rounded_100": "The sheet settles the difference of the totals rounded to hundreds, 50 up.",
        }[rules.match.settle],
    ]


def _unused(rules: RuleSet) -> list[str]:
    """Values without effect, for completeness."""
    out = rules.out
    found: dict[str, Any] = {}
    if out.concealed == "none":
        found["out.concealed_total"] = out.concealed_total
    if out.ask == "none":
        found |= {"out.ask_when": out.ask_when, "out.yes_binds": out.yes_binds, "out.ask_fail": out.ask_fail}
    if not rules.bonus.cards:
        found |= {"bonus.needs": rules.bonus.needs, "bonus.laid": rules.bonus.laid}
        found["stock.last_bonus"] = rules.stock.last_bonus
    if not any(kind.shape == "run" for kind in rules.melds):
        found["pile.fit_new_run"] = rules.pile.fit_new_run
    idle = rules.pile.take.unopened - _unopened(rules)
    if idle:
        found["pile.take.unopened"] = tuple(sorted(idle))
    if not _unopened(rules):
        found |= {f"opening.{name}": getattr(rules.opening, name) for name in ("top_counts", "pair_counts")}
    return [f"{name} = {_value(value)}." for name, value in found.items()]


def describe(rules: RuleSet) -> str:
    """The rules as text, headings and paragraphs of at most 100 columns.

    Examples
    --------
    >>> from sitoumus.rules import SAMBA
    >>> print(describe(SAMBA)[:120])
    # Rules: samba
    <BLANKLINE>
    ## Pack and players
    <BLANKLINE>
    The pack has 162 cards: three copies of each of 4 times 13 cards, and six jokers.
    """
    sections = {
        "Pack and players": _pack(rules),
        "Deal": _deal(rules),
        "Auction and contract": _contract(rules.contract),
        "Turn": _turn(rules),
        "Discard pile": _pile(rules),
        "Opening": _opening(rules),
        "Melds": _melds(rules),
        "Bonus cards": _bonus_cards(rules),
        "Buying": _buying(rules),
        "Going out": _out(rules),
        "End of the stock": _stock(rules),
        "Scores": _scores(rules),
        "Match": _match(rules),
        "Irregularities and penalties": code_lines(rules),
        "Fields without effect here": _unused(rules),
    }
    blocks = [f"# Rules: {rules.name.replace('_', ' ')}"]
    for heading, lines in sections.items():
        if lines:
            blocks += [f"## {heading}", *(textwrap.fill(line, _WIDTH) for line in lines)]
    return "\n\n".join(blocks) + "\n"


# --- For the command line.


def load_rules(source: str | os.PathLike[str] | RuleSet) -> RuleSet:
    """A rule set from the name of a preset, the path of a TOML file, or itself."""
    if isinstance(source, RuleSet):
        return source
    if str(source).endswith(".toml"):
        try:
            text = Path(source).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise RuleSetError(f"{source} cannot be read: {error}") from None
        return RuleSet.from_toml(text)
    return preset(str(source))


def rules_text(source: str | os.PathLike[str] | RuleSet) -> str:
    """What ``sitoumus rules PRESET`` prints: `describe` of a preset or a TOML file."""
    return describe(load_rules(source))


def presets_text() -> str:
    """What ``sitoumus rules`` prints: the presets, one a line."""
    lines = []
    for name, rules in PRESETS.items():
        kind, n = rules.match.end
        lines.append(
            f"{name:<20} {rules.table.seats} players  {rules.pack.cards} cards  {rules.deal.hand:>2} dealt  "
            f"{kind} {n:>5}  hash {rules.hash}"
        )
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        nested = any(isinstance(item, (list, tuple)) for item in value)
        return (", " if nested else " ").join(map(_value, value)) or "nothing"
    return "none" if value is None else str(value)


def diff_text(a: str | os.PathLike[str] | RuleSet, b: str | os.PathLike[str] | RuleSet) -> str:
    """What ``sitoumus rules --diff A B`` prints: a line for each field in which two rule sets differ.

    Examples
    --------
    >>> print(diff_text("finnish_canasta", "american_canasta"))
    field                    finnish_canasta    american_canasta
    bonus.table              0 100 200 300 400  0 100 200 300 800
    melds.set.add_full.wild  never              always
    """
    labels = [source.name if isinstance(source, RuleSet) else Path(source).name for source in (a, b)]
    a, b = load_rules(a), load_rules(b)
    one_sided = [name for name in _tables(a, b) if _has(a, name) != _has(b, name)]
    rows: dict[str, tuple[str, str]] = {}
    for name, here, there in a.diff(b):
        table = next((table for table in one_sided if name.startswith(f"{table}.") or name == table), None)
        if table is None:
            rows[name] = (_value(here), _value(there))
        else:
            rows[table] = ("none", _table(b, table)) if _has(b, table) else (_table(a, table), "none")
    if not rows:
        return "no difference\n"
    rows = {"field": (labels[0], labels[1]), **rows}
    first = max(map(len, rows))
    second = min((_WIDTH - first - 4) // 2, max(len(row[0]) for row in rows.values()))
    third = _WIDTH - first - second - 4
    lines = []
    for name, (here, there) in rows.items():
        cells = itertools.zip_longest([name], textwrap.wrap(here, second), textwrap.wrap(there, third), fillvalue="")
        lines += [f"{cell[0]:<{first}}  {cell[1]:<{second}}  {cell[2]}".rstrip() for cell in cells]
    return "\n".join(lines) + "\n"


def _tables(a: RuleSet, b: RuleSet) -> list[str]:
    """Tables that a rule set may lack."""
    return [*dict.fromkeys(f"melds.{kind.id}" for rules in (a, b) for kind in rules.melds), "buy", "contract"]


def _has(rules: RuleSet, table: str) -> bool:
    """Whether a rule set has a table that another may lack."""
    if table.startswith("melds."):
        return any(f"melds.{kind.id}" == table for kind in rules.melds)
    return getattr(rules, table) is not None


def _table(rules: RuleSet, table: str) -> str:
    """What stands for such a table."""
    if table.startswith("melds."):
        return _kind(rules.kind(table.removeprefix("melds."))).partition(": ")[2]
    return f"{rules.buy.card} {rules.buy.price}" if table == "buy" and rules.buy else "auction and contract"
