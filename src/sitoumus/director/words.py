"""What a director says: one sentence for the players, and a few words for the score sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..notation import card_text, cards_text, parse_cards
from .penalties import Duty, Irregularity, Remedy

if TYPE_CHECKING:
    from .incidents import Ruling
    from .referee import Referee

__all__ = ["name_of", "sentence"]

_I = Irregularity
_NAMES = {"N": "North", "E": "East", "S": "South", "W": "West"}

#: What happened: the sentence's beginning, and the words of the sheet.
_SAID: dict[Irregularity, tuple[str, str]] = {
    _I.DEAL_OUT_OF_TURN: ("{who} dealt out of turn", "dealt out of turn"),
    _I.UNCUT_PACK: ("the pack was not cut", "pack not cut"),
    _I.WRONG_HAND: ("{who} was dealt a wrong number of cards", "wrong number of cards"),
    _I.FACED_CARD: ("a card lay face up in the stock", "card face up in the stock"),
    _I.FOREIGN_CARD: ("a card of another pack was found", "card of another pack"),
    _I.INSUFFICIENT_BID: ("{who}'s call{act} is not sufficient", "insufficient bid"),
    _I.CALL_OUT_OF_TURN: ("{who} called out of turn", "call out of turn"),
    _I.FALSE_FAIL: ("{who} says that he cannot open, and he can", "false fail"),
    _I.EXCESS_DRAW: ("{who} drew too many cards", "too many cards drawn"),
    _I.EXCESS_IN_HAND: ("{who} has too many cards in hand", "too many cards in hand"),
    _I.SHORT_DRAW: ("{who} drew too few cards", "too few cards drawn"),
    _I.DRAW_OUT_OF_TURN: ("{who} drew out of turn", "draw out of turn"),
    _I.ILLEGAL_TAKE: ("{who} took the pile without the right", "illegal take"),
    _I.SHORT_TAKE: ("{who} took only a part of the pile", "rest of the pile forgotten"),
    _I.PILE_LOOK: ("{who} looked through the pile when it may not be done", "look through the pile"),
    _I.ILLEGAL_MELD: ("{who} melded {cards}, which may not be melded", "illegal meld {cards}"),
    _I.EXCESS_WILD: ("{who}'s meld holds too many wild cards ({cards})", "surplus wild card {cards}"),
    _I.SHORT_OPENING: ("{who}'s opening makes {points} of {minimum}", "opening {points} of {minimum}"),
    _I.MELD_OUT_OF_TURN: ("{who} melded out of turn", "meld out of turn"),
    _I.RETRACTION: ("{who} took back {cards}", "card taken back"),
    _I.DOUBLE_DISCARD: ("{who} discarded {cards} at once", "{number} cards discarded"),
    _I.ILLEGAL_DISCARD: ("{who} discarded {cards}, which may not be discarded", "illegal discard {cards}"),
    _I.DISCARD_OUT_OF_TURN: ("{who} discarded out of turn", "discard out of turn"),
    _I.MISSING_DISCARD: ("{who} ended the turn without a discard", "no discard"),
    _I.EXPOSED_CARD: ("{who} showed {cards}", "shown card {cards}"),
    _I.DUTY_BREACH: ("{who}'s play breaks a duty", "breach of a duty"),
    _I.PENALTY_CARD_HELP: ("{who} helped the partner to play penalty cards", "help with penalty cards"),
    _I.FALSE_GOING_OUT: ("{who} went out without the right", "going out without the right"),
    _I.FAILED_GOING_OUT: ("{who} did not go out after a yes", "failed going out"),
    _I.MELD_AFTER_NO: ("{who} melded in order to go out after a no", "melds after a no"),
    _I.LATE_QUESTION: ("{who} asked too late", "late question"),
    _I.QUESTION_BREACH: ("{who} broke the order of the question", "breach of the question"),
    _I.UNASKED_GOING_OUT: ("{who} went out without having asked", "going out unasked"),
    _I.HIDDEN_BONUS_CARD: ("{who} did not lay out {cards}", "hidden {cards}"),
    _I.TALK: ("{who} talked about the game", "talk"),
    _I.FORBIDDEN_REMINDER: ("{who} reminded the partner of what may not be said", "forbidden reminder"),
    _I.FALSE_ANSWER: ("{who} answered untruly", "false answer"),
    _I.WRONG_SCORE: ("the written score is wrong", "wrong score"),
    _I.PROCEDURE: ("{who} did not keep to the procedure", "procedure"),
}

_REMEDIES: dict[Remedy, str] = {
    Remedy.STAND: "it stands",
    Remedy.TAKE_BACK: "it is taken back",
    Remedy.CORRECT: "it is put right",
    Remedy.REDEAL: "the cards are dealt again by the same dealer",
    Remedy.FORFEIT: "the game is lost and the deal is not scored",
}
_REMEDIES_OF: dict[tuple[Irregularity, Remedy], str] = {
    (_I.DEAL_OUT_OF_TURN, Remedy.CORRECT): "there is no new deal, and the player whose turn it is by right begins",
    (_I.DEAL_OUT_OF_TURN, Remedy.STAND): "play goes on, and the next deal is that of the left neighbour",
    (_I.INSUFFICIENT_BID, Remedy.TAKE_BACK): "it is withdrawn with all calls after it, and {who} calls again",
    (_I.CALL_OUT_OF_TURN, Remedy.TAKE_BACK): "it is withdrawn, and the right player calls",
    (_I.FALSE_FAIL, Remedy.TAKE_BACK): "the opening must be made",
    (_I.EXCESS_DRAW, Remedy.CORRECT): "the surplus is shown and put back on top of the stock",
    (_I.SHORT_DRAW, Remedy.CORRECT): "the rest is drawn now",
    (_I.DRAW_OUT_OF_TURN, Remedy.TAKE_BACK): "the card goes back on top of the stock, shown",
    (_I.ILLEGAL_TAKE, Remedy.TAKE_BACK): "the pile is restored, and the opponents may look at the whole hand",
    (_I.SHORT_TAKE, Remedy.CORRECT): "the rest joins the hand",
    (_I.SHORT_TAKE, Remedy.STAND): "the rest is the new pile",
    (_I.ILLEGAL_MELD, Remedy.TAKE_BACK): "the cards go back into the hand",
    (_I.ILLEGAL_MELD, Remedy.CORRECT): "the cards are moved to where they are lawful",
    (_I.EXCESS_WILD, Remedy.STAND): "the meld stands, and the surplus counts against the side",
    (_I.SHORT_OPENING, Remedy.TAKE_BACK): "all cards go back",
    (_I.SHORT_OPENING, Remedy.CORRECT): "it is made good",
    (_I.SHORT_OPENING, Remedy.STAND): "it stands as sufficient",
    (_I.MELD_OUT_OF_TURN, Remedy.TAKE_BACK): "the cards go back into the hand",
    (_I.RETRACTION, Remedy.CORRECT): "the card lies again where it lay",
    (_I.DOUBLE_DISCARD, Remedy.CORRECT): "one card stays on the pile",
    (_I.DOUBLE_DISCARD, Remedy.STAND): "all stay on the pile",
    (_I.ILLEGAL_DISCARD, Remedy.TAKE_BACK): "the card comes back, and another one is thrown",
    (_I.DISCARD_OUT_OF_TURN, Remedy.TAKE_BACK): "the card comes back",
    (_I.MISSING_DISCARD, Remedy.CORRECT): "the discard is made now",
    (_I.EXPOSED_CARD, Remedy.STAND): "the card stays in the hand",
    (_I.PENALTY_CARD_HELP, Remedy.STAND): "play goes on",
    (_I.FAILED_GOING_OUT, Remedy.STAND): "play goes on",
    (_I.FALSE_GOING_OUT, Remedy.TAKE_BACK): "the cards go back, and at least one is kept after the discard",
    (_I.MELD_AFTER_NO, Remedy.TAKE_BACK): "the cards go back",
    (_I.MELD_AFTER_NO, Remedy.STAND): "the melds stand",
    (_I.UNASKED_GOING_OUT, Remedy.TAKE_BACK): "the cards go back",
    (_I.HIDDEN_BONUS_CARD, Remedy.CORRECT): "it is laid out now and replaced",
    (_I.HIDDEN_BONUS_CARD, Remedy.STAND): "it counts neither plus nor minus",
    (_I.FALSE_ANSWER, Remedy.CORRECT): "the answer is corrected",
    (_I.WRONG_SCORE, Remedy.CORRECT): "the score that is counted goes into the sheet",
    (_I.WRONG_SCORE, Remedy.STAND): "the written score stands",
}

_DUTIES: dict[Duty, str] = {
    Duty.NONE: "",
    Duty.PENALTY_CARDS: "the shown cards lie open as penalty cards, to be discarded first",
    Duty.OWE: "{who}'s next draws are shorter by the surplus, and he lays nothing before the hand is right",
    Duty.STOCK_ONLY: "{who} draws from the stock in this turn",
    Duty.GO_OUT: "{who} must go out in this turn",
    Duty.STAY_IN: "{who} keeps a card in this turn",
}


def name_of(seat: str) -> str:
    """A seat in words."""
    return _NAMES[seat]


def _cards_of(ruling: Ruling, facts: dict[str, Any]) -> str:
    incident = ruling.incident
    if facts.get("surplus"):
        return " ".join(map(card_text, facts["surplus"]))
    if incident.cards:
        return " ".join(map(card_text, parse_cards(incident.cards)))
    cards = [code for step in incident.steps if step.verb in ("meld", "add", "discard") for code in step.cards]
    return cards_text(cards) if cards else "cards"


def sentence(referee: Referee, ruling: Ruling, facts: dict[str, Any], outcome: str) -> tuple[str, str]:
    """The sentence without its number, and the words of the sheet."""
    incident, what = ruling.incident, ruling.what
    who = name_of(incident.seat)
    if what is None:
        return f"{who}'s play is lawful, and the deal goes on", "lawful"
    said, brief = _SAID[what]
    act = f" {incident.act[0]}" if incident.act else ""
    cards = _cards_of(ruling, facts)
    values: dict[str, Any] = {"who": who, "cards": cards, "act": act, "points": "too little", "minimum": "its minimum"}
    values |= {"number": len(cards.split())} | facts
    said, brief = said.format(**values), brief.format(**values)
    said = said[0].upper() + said[1:]
    if outcome == "unknown":
        return f"{said}: this code knows no such irregularity, so play goes on", brief
    if outcome == "not_heard":
        return f"{said}: only an opponent may claim that, so play goes on", brief
    if outcome == "refused":
        return f"{said}: the program refuses it, and it has not happened", brief
    parts = [_REMEDIES_OF.get((what, ruling.remedy), _REMEDIES[ruling.remedy]).format(**values)]
    parts += [
        f"{side} {'loses' if points < 0 else 'gets'} {abs(points)} points" for side, points in ruling.points.items()
    ]
    for side, more in ruling.minimum_raise.items():
        parts.append(f"the minimum of {side} is {referee.table.minimum(side) + more} for this deal")
    if ruling.warning:
        parts.append(f"{referee.side_of(incident.seat)} is warned")
    if ruling.duty != Duty.NONE:
        parts.append(_DUTIES[ruling.duty].format(**values))
    return f"{said}: {', '.join(parts[:-1])}{', and ' if parts[1:] else ''}{parts[-1]}", brief
