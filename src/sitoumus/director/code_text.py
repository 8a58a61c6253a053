"""The penalty code of a rule set in words and as a table; made from the rows, so nothing here can differ from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .penalties import ALWAYS, Article, Duty, Irregularity, PenaltyCode, Remedy

if TYPE_CHECKING:
    from ..rules import RuleSet

__all__ = ["COLUMNS", "article_words", "code_lines", "code_rows"]

_UNTIL = {
    "deal": "while the cards are dealt",
    "before_play": "before play begins",
    "first_round": "in the first round of play",
    "later": "at any time in the deal",
    "at_once": "until another player draws, takes or calls",
    "next_player": "until the deal is over",
    "deal_over": "until the next deal begins",
    "next_deal": "also in a later deal",
    ALWAYS: "at any time",
}
_REMEDY = {
    Remedy.STAND: "it stands",
    Remedy.TAKE_BACK: "it is taken back",
    Remedy.CORRECT: "it is put right",
    Remedy.REDEAL: "a new deal",
    Remedy.FORFEIT: "the match is lost and the deal is not scored",
}
_DUTY = {
    Duty.NONE: "",
    Duty.PENALTY_CARDS: "the shown cards are penalty cards",
    Duty.OWE: "the surplus is a debt",
    Duty.STOCK_ONLY: "no take in this turn",
    Duty.GO_OUT: "he must go out in this turn",
    Duty.STAY_IN: "he keeps a card in this turn",
}
_CHOICE = {
    "correct": "put right",
    "rearrange": "put right with shown cards taken back",
    "take_back": "taken back",
    "go_out": "he must go out",
    "stay_in": "he must play on",
}
_PER = {"act": "", "card": " a card", "value": " a card, its own value where it is known which"}
_NEEDS = {
    "none": "",
    "partners": "where there are partners",
    "auction": "where there is an auction",
    "duty_to_ask": "where asking is a duty",
}


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _in_time(article: Article) -> list[str]:
    parts = [_REMEDY[Remedy(article.remedy)]]
    if article.if_possible != "none":
        parts.append(f"or, where a lawful act of the kind exists, {_REMEDY[Remedy(article.if_possible)]}")
        parts[-1] += f" ({article.possible_rule})" if article.possible_rule else ""
    if article.choice:
        rules = article.choice_rules or ("",) * len(article.choice)
        words = [f"{_CHOICE[c]}{f' ({rule})' if rule else ''}" for c, rule in zip(article.choice, rules, strict=True)]
        parts.append(f"may be chosen: {', '.join(words)}")
    if article.points:
        parts.append(f"{article.points} points{_PER[article.per]}")
    elif article.per != "act":
        parts.append(f"counted{_PER[article.per]}")
    if article.rearrange_points:
        parts.append(f"{article.rearrange_points} points where shown cards are taken back")
    if article.unable:
        parts.append(f"{article.unable} points where he cannot go out")
    if article.award:
        parts.append(f"{article.award} points to the other side")
    if article.minimum_raise:
        parts.append(f"minimum of the side {article.minimum_raise} higher in this deal")
    parts.append(_DUTY[Duty(article.duty)])
    parts.append({"no": "", "first": "the first time in a match a warning", "always": "a warning"}[article.warn])
    if article.counts_as != "none":
        parts.append(f"warning, points and award as for {_plain(article.counts_as)}")
    return [part for part in parts if part]


def _late(article: Article) -> list[str]:
    parts = [_REMEDY[Remedy(article.late)]]
    if article.late_points:
        parts.append(f"{article.late_points} points{_PER[article.per]}")
    parts.append(_DUTY[Duty(article.late_duty)])
    if article.excuse:
        parts.append(f"{article.excuse} points a card where the player never had a turn and his side has no meld")
    return [part for part in parts if part]


def article_words(what: str, article: Article) -> str:
    """A row as a sentence or two."""
    by = " on a claim of an opponent" if article.by == "opponents" else ""
    needs = f" {_NEEDS[article.needs]}" if article.needs != "none" else ""
    name = _plain(what)
    text = f"{name[0].upper()}{name[1:]}{needs}: {_UNTIL[article.until]}{by}, {', '.join(_in_time(article))}"
    text += f" ({article.rule})." if article.rule else "."
    if article.until == ALWAYS:
        return text
    late = f"{', '.join(_late(article))}{f' ({article.late_rule})' if article.late_rule else ''}"
    return f"{text} Later: {late}."


def code_lines(rules: RuleSet) -> list[str]:
    """The code of a rule set in words, a line a row."""
    code = rules.penalty
    if code.enforcement == "software":
        lines = ["A program holds the table: an illegal act is refused and has not happened (I1.5)."]
    else:
        lines = ["What this list does not hold is no irregularity. Points are lost by the side and go to nobody."]
    lines += [article_words(what, code[what]) for what in code]
    out = [_plain(what) for what in Irregularity if what not in code]
    if code.enforcement == "table" and out:
        lines.append(f"Not in this code: {', '.join(out)}.")
    return lines


COLUMNS = ("irregularity", "rule", "in time", "until", "later")


def code_rows(code: PenaltyCode) -> list[tuple[str, ...]]:
    """The code as rows of a table with `COLUMNS`."""
    rows: list[tuple[str, ...]] = []
    for what, article in code.items():
        by = "; an opponent claims" if article.by == "opponents" else ""
        later = "" if article.until == ALWAYS else ", ".join(_late(article))
        rule = article.rule if article.late_rule in ("", article.rule) else f"{article.rule}, {article.late_rule}"
        rows.append((what, rule, ", ".join(_in_time(article)) + by, _UNTIL[article.until], later))
    return rows
