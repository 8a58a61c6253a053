"""From an incident to its ruling: the row of the code is looked up, the time compared, the consequences named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import RulingError
from ..notation import parse_cards
from . import words
from .editing import NO, YES, Edit, side_of
from .finding import Finding, card_class, find, opening_points
from .incidents import Incident, Ruling
from .penalties import ACT_MOMENTS, ALWAYS, DEAL_MOMENTS, Article, Duty, Irregularity, Remedy

if TYPE_CHECKING:
    from .._core import Table
    from .referee import Referee

__all__ = ["go_out_table", "judge", "judge_freely", "may_still_draw", "resolved", "stay_in_table"]

_I = Irregularity
_OF_THE_DEAL = frozenset(
    (_I.DEAL_OUT_OF_TURN, _I.UNCUT_PACK, _I.WRONG_HAND, _I.FACED_CARD, _I.FOREIGN_CARD),
)
_OF_THE_TURN = (Duty.STOCK_ONLY, Duty.GO_OUT, Duty.STAY_IN)


def first_moment(what: Irregularity | None) -> str:
    """When an irregularity counts as noticed where nobody says."""
    if what == _I.DEAL_OUT_OF_TURN:
        return "before_play"
    return "deal" if what in _OF_THE_DEAL else "at_once"


def resolved(referee: Referee, incident: Incident) -> tuple[Incident, Finding]:
    """The incident with its kind filled in, and what was found in its act."""
    seats = referee.seats
    if incident.seat not in seats:
        raise RulingError(f"seat is {incident.seat!r}: it must be one of {', '.join(seats)}")
    if incident.by not in (None, "director", *seats):
        raise RulingError(f"by is {incident.by!r}: it must be one of {', '.join(seats)}, or director")
    if incident.noticed not in (*DEAL_MOMENTS, *ACT_MOMENTS):
        raise RulingError(
            f"noticed is {incident.noticed!r}: it must be one of {', '.join((*ACT_MOMENTS, *DEAL_MOMENTS))}"
        )
    found = Finding(incident.what)
    if incident.what is None:
        if not incident.act:
            raise RulingError("an incident without a kind needs its act, so that the referee can find what it was")
        found = find(referee, incident.seat, incident.steps, incident.noticed)
    elif incident.what == _I.SHORT_OPENING and incident.act:
        points, minimum = opening_points(referee, incident.seat, incident.steps)
        found.facts |= {"points": points, "minimum": minimum}
    elif incident.what == _I.EXCESS_WILD and incident.act:
        played = find(referee, incident.seat, incident.steps, incident.noticed)
        found.facts |= played.facts if played.what == _I.EXCESS_WILD else {}
    return replace(incident, what=found.what), found


def judge(referee: Referee, incident: Incident, discretionary: bool = False) -> Ruling:
    """The ruling that the code of the table's rule set gives; nothing is changed."""
    incident, found = resolved(referee, incident)
    code, what = referee.table.rules.penalty, incident.what
    if what is None:
        return _worded(referee, Ruling(incident, False, rule="I1.4"), found, "lawful")
    if code.enforcement == "software" and what not in code:
        refused = incident.act and find(referee, incident.seat, incident.steps, incident.noticed).what is not None
        if refused:
            return _worded(referee, Ruling(incident, True, Remedy.TAKE_BACK, rule="I1.5"), found, "refused")
        return _worded(referee, Ruling(incident, False, rule="I1.5"), found, "unknown")
    if what not in code:
        return _worded(referee, Ruling(incident, False, rule="I1.4"), found, "unknown")
    article, side = code[what], side_of(referee.table, incident.seat)
    if article.by == "opponents" and incident.by in referee.seats and side_of(referee.table, incident.by) == side:
        return _worded(referee, Ruling(incident, False, rule="I1.4"), found, "not_heard")
    ruling = _Judgement(referee, incident, found, article, discretionary).ruling()
    return _worded(referee, ruling, found, "upheld")


def judge_freely(referee: Referee, ruling: Ruling, changes: Mapping[str, Any], text: str | None) -> Ruling:
    """A discretionary ruling: the consequences that the director names instead (I1.8)."""
    sides = referee.sides
    side = side_of(referee.table, ruling.incident.seat)
    values: dict[str, Any] = {"upheld": True, "discretionary": True, "rule": "I1.8"}
    for name, value in changes.items():
        if value is None:
            continue
        if name == "remedy":
            values[name] = _member(Remedy, value, name)
        elif name == "duty":
            values[name] = _member(Duty, value, name)
        elif name == "warning":
            values[name] = bool(value)
        else:
            points = {side: -value if name == "points" else value} if isinstance(value, int) else dict(value)
            if not all(key in sides and isinstance(number, int) for key, number in points.items()):
                raise RulingError(f"{name} is {value!r}: it must be whole numbers for {', '.join(sides)}")
            if name == "minimum_raise" and min(points.values(), default=0) < 0:
                raise RulingError(f"minimum_raise is {value!r}: a minimum is raised, never lowered")
            values[name] = {key: number for key, number in points.items() if number}
    free = replace(ruling, **values)
    worded = _worded(referee, free, resolved(referee, ruling.incident)[1], "upheld")
    return worded if text is None else replace(worded, text=text.rstrip("."))


def _member(of: Any, value: Any, name: str) -> Any:
    try:
        return of(value)
    except ValueError:
        raise RulingError(f"{name} is {value!r}: it must be one of {', '.join(of)}") from None


def _worded(referee: Referee, ruling: Ruling, found: Finding, outcome: str) -> Ruling:
    text, brief = words.sentence(referee, ruling, found.facts, outcome)
    return replace(ruling, text=text, brief=brief)


def go_out_table(table: Table) -> Table | None:
    """The table where the player must go out in this turn; None if he cannot, or has not drawn yet."""
    if table.phase not in ("taken", "meld"):
        return None
    edit = Edit(table)
    edit.turn |= {"asked": YES, "must_out": 1}
    bound = edit.done()
    return bound if any(action not in ("ask", "extra") for action in bound.legal_actions) else None


def may_still_draw(table: Table) -> bool:
    """Whether the player gets cards yet in this turn: only then it shows whether he can go out."""
    return table.phase == "draw" or (table.phase == "taken" and "extra" in table.legal_actions)


def stay_in_table(table: Table) -> Table:
    """The table where a card of the player stays in this turn, as after a no."""
    edit = Edit(table)
    edit.turn["asked"] = NO
    return edit.done()


class _Judgement:
    """One application of one row, in the order of its columns."""

    def __init__(
        self, referee: Referee, incident: Incident, found: Finding, article: Article, discretionary: bool
    ) -> None:
        self.referee, self.incident, self.found, self.article = referee, incident, found, article
        self.discretionary = discretionary
        self.details = incident.details
        self.side = side_of(referee.table, incident.seat)
        self.late = self.is_late()
        self.remedy = Remedy(article.late if self.late else article.remedy)
        self.points = article.late_points if self.late else article.points
        self.award, self.warning = article.award, False
        self.raised = 0 if self.late else article.minimum_raise
        self.duty = Duty(article.late_duty if self.late else article.duty)
        self.rule = article.late_rule if self.late else article.rule

    def is_late(self) -> bool:
        until, noticed = self.article.until, self.incident.noticed
        if until == ALWAYS:
            return False
        scale = DEAL_MOMENTS if until in DEAL_MOMENTS else ACT_MOMENTS
        if noticed not in scale:
            raise RulingError(f"noticed is {noticed!r}: for {self.incident.what} it must be one of {', '.join(scale)}")
        return scale.index(noticed) > scale.index(until)

    def ruling(self) -> Ruling:
        if self.incident.what == _I.WRONG_SCORE:
            return self.wrong_score()
        shared = self.share()
        self.warn(shared)
        self.where_possible()
        self.choose()
        self.multiply()
        self.excuse()
        self.bind()
        self.name_points()
        points = {self.side: -self.points} if self.points else {}
        if self.award:
            points |= {other: self.award for other in self.referee.sides if other != self.side}
        return Ruling(
            self.incident,
            True,
            self.remedy,
            points,
            {self.side: self.raised} if self.raised else {},
            self.duty,
            self.warning,
            self.discretionary,
            self.rule,
        )

    def share(self) -> Article:
        """The row whose warning, points and award count."""
        if self.article.counts_as == "none":
            return self.article
        shared = self.referee.table.rules.penalty.get(self.article.counts_as)
        if shared is None:
            return self.article
        self.points, self.award = shared.points, shared.award
        if shared.remedy == Remedy.FORFEIT:
            self.own_remedy, self.remedy = self.remedy, Remedy.FORFEIT
        return shared

    def warn(self, shared: Article) -> None:
        first = shared.warn == "first" and not self.referee.warned.get(self.side)
        if shared.warn == "always" or (first and "points" not in self.details):
            self.warning = True
            self.points = self.award = 0
            if self.remedy == Remedy.FORFEIT:
                self.remedy = getattr(self, "own_remedy", Remedy.STAND)

    def where_possible(self) -> None:
        """The remedy that takes the place of the other where the core finds a lawful act of the kind (R13.5)."""
        if self.late or self.article.if_possible == "none":
            return
        if any(action.startswith("meld") for action in self.referee.table.legal_actions):
            self.remedy, self.raised = Remedy(self.article.if_possible), 0
            self.rule = self.article.possible_rule or self.rule

    def choose(self) -> None:
        choice = self.incident.choice
        if choice is None:
            return
        open_choices = [] if self.late else list(self.article.choice)
        if open_choices and self.article.remedy == Remedy.TAKE_BACK:
            open_choices.append("take_back")
        if choice not in open_choices:
            said = f"open are {', '.join(open_choices)}" if open_choices else "no choice is open here"
            raise RulingError(f"choice is {choice!r}: {said} for {self.incident.what} in this code")
        if choice in self.article.choice:
            place = self.article.choice.index(choice)
            self.rule = self.article.choice_rules[place] if self.article.choice_rules else self.rule
        if choice in ("correct", "rearrange"):
            self.remedy, self.raised = Remedy.CORRECT, 0
            if choice == "rearrange":
                self.points = self.article.rearrange_points
        elif choice in ("go_out", "stay_in"):
            self.duty = Duty(choice)

    def cards(self) -> list[int]:
        cards = list(self.found.facts.get("surplus", [])) or parse_cards(self.incident.cards)
        if not cards:
            raise RulingError(f"cards is missing: {self.incident.what} is counted by the card, so name the cards")
        return cards

    def multiply(self) -> None:
        per = self.article.per
        if per == "act" or self.warning:
            return
        cards = self.cards()
        if per == "value" and self.details.get("known", True):
            worth = self.referee.table.rules.points
            self.points = sum(worth[card_class(code)] for code in cards) if self.points else 0
            self.rule = "I6.6"
        else:
            self.points *= len(cards)
            self.rule = "I6.6" if per == "value" else self.rule

    def excuse(self) -> None:
        """A player who never had a turn: points only if his side has no meld (I12.2)."""
        if not (self.article.excuse and self.late and self.details.get("had_turn", True) is False):
            return
        bare = not self.referee.table.melds(self.side)
        self.points = min(self.article.excuse, self.article.late_points) * len(self.cards()) if bare else 0
        self.rule = "I12.2"

    def bind(self) -> None:
        """Duties of a turn bind only the player in turn; one to go out that cannot be done is void."""
        table = self.referee.table
        if self.duty not in _OF_THE_TURN:
            return
        in_turn = self.referee.player == self.incident.seat and table.phase in ("draw", "taken", "meld")
        able = in_turn and (may_still_draw(table) or go_out_table(table) is not None)
        if self.duty == Duty.GO_OUT and not able:
            self.duty = Duty.NONE
            self.points += self.article.unable
        elif not in_turn:
            self.duty = Duty.NONE

    def name_points(self) -> None:
        """Points that the director names: at most those of the code, unless he departs from it."""
        if "points" not in self.details:
            return
        named = self.details["points"]
        if not self.discretionary and named > self.points:
            raise RulingError(
                f"points is {named}: this code has up to {self.points} for {self.incident.what}; "
                "a director who departs from it says discretionary=True"
            )
        self.points = named

    def wrong_score(self) -> Ruling:
        """In time the right score goes into the sheet; later the written one stands (I14.1)."""
        points: dict[str, int] = {}
        if self.late:
            written = self.details.get("written")
            table = self.referee.table
            if not isinstance(written, Mapping) or not set(written) <= set(self.referee.sides):
                raise RulingError(f"written is {written!r}: name the written score of {', '.join(self.referee.sides)}")
            if table.phase != "over":
                raise RulingError(f"wrong_score: in phase {table.phase} the deal is not over, so no score is written")
            right = self.referee.score().sides
            points = {side: number - right[side] for side, number in written.items() if number != right[side]}
        return Ruling(self.incident, True, self.remedy, points, rule=self.rule)
