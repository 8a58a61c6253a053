"""The referee beside whole deals: legal records are clean, an illegal act is found, and rulings change nothing else."""

import json
import random
from collections import Counter

import pytest

import sitoumus as sit
from sitoumus.director.judging import first_moment
from sitoumus.director.penalties import ACT_MOMENTS
from sitoumus.director.referee import Referee
from sitoumus.record import Game

GAMES = list(sit.PRESETS)


def played(name, number, policies="random"):
    rules = sit.PRESETS[name]
    return sit.play(
        sit.Deal(seed=5, number=number, rules=rules), policies=policies, totals=(0,) * len(rules.table.sides)
    )


@pytest.mark.parametrize("name", GAMES)
def test_a_legal_record_has_no_infraction_and_stays_the_same_game(name):
    for number, policies in ((1, "random"), (2, "greedy"), (3, "heuristic")):
        game = played(name, number, policies)
        report = sit.referee(game.to_dict())
        assert report.clean
        assert report.game == game
        assert report.game.to_dict() == game.to_dict()
        assert len(report.frame) == 0


# --- One illegal act put into a legal record.


def no_meld(rng, table, seat):
    """Three cards of a hand that make no meld and go on no meld."""
    cards = table.hand(seat).cards
    for _ in range(40):
        if len(cards) < 4:
            return None
        chosen = rng.sample(cards, 3)
        try:
            sit.Meld(chosen, table.rules)
        except sit.InvalidMeldError:
            return f"meld {' '.join(chosen)}"
    return None


def acts(rng, table):
    """(kind, entry of the log) of illegal acts that can be done now."""
    player, phase = table.turn, table.phase
    if phase == "auction":
        other = rng.choice([seat for seat in table.hands if seat != player])
        yield "call_out_of_turn", f"{other}: 20DEU"
        if table.contract != "none" and table.contract.split()[0] != "1C":
            yield "insufficient_bid", f"{player}: 1C"
    elif phase in ("draw", "meld"):
        other = rng.choice([seat for seat in table.hands if seat != player])
        yield "draw_out_of_turn", f"{other}: draw"
        if len(table.hand(other)) > 2:
            yield "discard_out_of_turn", f"{other}: discard {table.hand(other).cards[0]}"
            yield "meld_out_of_turn", f"{other}: meld {' '.join(table.hand(other).cards[:3])}"
        bad = no_meld(rng, table, player)
        if bad and phase == "meld" and not table._turn_fields()["discard_only"]:
            yield "illegal_meld", f"{player}: {bad}"
        if phase == "meld" and not table._turn_fields()["discard_only"]:
            yield "excess_draw", f"{player}: draw"
            if len(table.hand(player)) > 3:
                yield "double_discard", f"{player}: discard {' '.join(table.hand(player).cards[:2])}"
            if table.pile:
                yield "illegal_take", f"{player}: take {' '.join(table.hand(player).cards[:2])}"


def with_act(game, rng):
    """A record with one illegal act, claimed at once, and its kind; what is left of the game follows it."""
    tables = list(game.tables())[:-1]
    for _ in range(50):
        place = rng.randrange(len(tables))
        found = list(acts(rng, tables[place]))
        if found:
            kind, entry = rng.choice(found)
            log = [f"{table.turn}: {action}" for table, action in zip(tables, game.actions, strict=True)]
            return kind, place, [*log[:place], entry, "claim", *log[place:]]
    return None


#: Kinds whose ruling leaves a duty or plays a card, so that the rest of the record may not be lawful any more.
BINDING = {"double_discard", "discard_out_of_turn", "illegal_take"}


@pytest.mark.parametrize("name", GAMES)
def test_an_illegal_act_in_a_legal_record_is_found_named_and_ruled_on(name):
    rng = random.Random(name)
    seen = Counter()
    for number in range(12):
        game = played(name, number)
        kind, place, log = with_act(game, rng)
        seen[kind] += 1
        record = {**game.to_dict(), "actions": log[: place + 2]}
        report = sit.referee(record)
        assert [str(ruling.what) for ruling in report.rulings] == [kind], log[place]
        (ruling,) = report.rulings
        assert ruling.upheld
        assert ruling.rule.startswith("I")
        assert str(ruling).endswith(f"({ruling.rule}).")
        if kind in BINDING or ruling.duty != "none":
            continue
        report = sit.referee({**record, "actions": log})
        assert [str(ruling.what) for ruling in report.rulings] == [kind], log[place]
        assert report.game.actions == game.actions
        score, core = report.game.score, game.score
        assert score.result == core.result
        for side, parts in score.components.items():
            ruled = parts.pop("rulings")
            assert parts == core.components[side]
            assert score[side] == core[side] + ruled
            assert ruled == ruling.points.get(side, 0)
        again = Game.from_dict(json.loads(json.dumps(report.game.to_dict())))
        assert again == report.game
        assert again.to_dict() == report.game.to_dict()
        assert sit.referee(report.game.to_dict()).rulings == report.rulings
    assert len(seen) > 2


# --- Rulings at random in random play.

OF_THE_DEAL = {"uncut_pack", "wrong_hand", "faced_card", "foreign_card", "wrong_score"}
WORDS = {"talk", "forbidden_reminder", "false_answer"}


def incident(rng, referee, what):
    """What is to be told of an incident of this kind now; None where it cannot happen."""
    table, seat = referee.table, rng.choice(referee.seats)
    if what in ("late_question", "question_breach", "meld_after_no", "unasked_going_out", "excess_draw"):
        seat = referee.player
    if what == "double_discard":
        seat = table.turn
    hand = table.hand(seat).cards
    if len(hand) < 4:
        return None
    some = " ".join(rng.sample(hand, 2))
    told = {"seat": seat}
    if what in ("exposed_card", "penalty_card_help", "illegal_discard", "retraction", "excess_wild"):
        told["cards"] = some
    elif what == "hidden_bonus_card":
        told |= {"cards": "3d", "noticed": rng.choice(ACT_MOMENTS)}
    elif what == "short_take":
        told["cards"] = table.pile[-1] if table.pile else ""
    elif what == "deal_out_of_turn":
        told |= {"right_dealer": referee.table.dealer, "noticed": "first_round"}
    elif what == "meld_out_of_turn":
        told["act"] = [f"meld {' '.join(rng.sample(hand, 3))}"]
    elif what in ("draw_out_of_turn", "excess_draw"):
        told["act"] = ["draw"]
    elif what == "discard_out_of_turn":
        told["act"] = [f"discard {hand[0]}"]
    elif what == "double_discard":
        told["act"] = [f"discard {some}"] if table.phase == "meld" else None
    elif what == "illegal_take":
        told["act"] = [f"take {some}"] if table.pile else None
    if "act" in told and told["act"] is None:
        return None
    if rng.random() < 0.4 and "noticed" not in told and first_moment(what) == "at_once":
        told["noticed"] = "next_player"
    return told


def all_cards(referee):
    state = referee.table._to_state()
    groups = [*state["hands"], *state["bought"], *state["bonus"], state["pile"], state["stock"]]
    return Counter(code for cards in [*groups, *(meld for melds in state["melds"] for meld in melds)] for code in cards)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("number", range(3))
def test_deals_with_rulings_end_keep_their_cards_and_round_trip(name, number):
    rules, rng = sit.PRESETS[name], random.Random(f"{name} {number}")
    deal = sit.Deal(seed=9, number=number, rules=rules)
    referee = Referee(sit.Table(deal, rules=rules))
    pack, ruled = all_cards(referee), 0
    kinds = [what for what in rules.penalty if what not in OF_THE_DEAL | WORDS | {"excess_wild"}]
    while not referee.over:
        if kinds and rng.random() < 0.06:
            what = rng.choice(kinds)
            told = incident(rng, referee, what)
            before = referee.to_position()
            if told is not None:
                try:
                    ruling = referee.judge(what, **told)
                    assert referee.to_position() == before
                    referee.apply(ruling)
                except sit.RulingError:
                    assert referee.to_position() == before
                else:
                    ruled += ruling.upheld
                    assert sit.Ruling.from_dict(ruling.to_dict()) == ruling
                assert all_cards(referee) == pack
                position = referee.to_position()
                assert Referee.from_position(position).to_position() == position
        referee.push(rng.choice(list(referee.legal_actions)))
    assert all_cards(referee) == pack
    assert ruled or not kinds or name == "tile_canasta"
    game = Game(
        deal,
        referee.table,
        tuple(referee.actions),
        totals=tuple(referee.table.totals.values()),
        incidents=tuple(referee.entries),
    )
    again = Game.from_dict(json.loads(json.dumps(game.to_dict())))
    assert again == game
    assert again.to_dict() == game.to_dict()
    assert list(again.tables())[-1] == game.table
    score = again.score
    explained = score.explain()
    for side in score.sides:
        assert explained[explained.side == side].points.sum() == score[side]
    while referee._undo:
        referee.pop()
    assert referee.table == sit.Table(deal, rules=rules)


def test_a_record_without_incidents_has_no_key_for_them_and_one_with_a_wrong_ruling_is_refused():
    game = played("finnish_canasta", 1)
    assert "incidents" not in game.to_dict()
    table = next(iter(game.tables()))
    referee = Referee(table)
    referee.report("exposed_card", seat="E", cards=table.hand("E").cards[0])
    judged = Game(game.deal, referee.table, (), incidents=tuple(referee.entries)).to_dict()
    assert Game.from_dict(judged).incidents == tuple(referee.entries)
    judged["incidents"][0]["ruling"]["points"] = {"EW": -300}
    with pytest.raises(sit.RecordError, match="incident 1: the ruling is"):
        Game.from_dict(judged)
    judged["incidents"][0]["after"] = 5
    with pytest.raises(sit.RecordError, match="incident 1 stands after action 5"):
        Game.from_dict(judged)


def test_a_new_deal_and_a_lost_match_end_a_record_with_the_rulings_alone():
    rules = sit.SITOUMUSSAMBA
    deal = sit.Deal(seed=9, number=1)
    referee = Referee(sit.Table(deal, rules=rules, totals=(1000, 15000)))
    referee.report("talk", seat="E", by="N")
    referee.report("talk", seat="W", by="S")
    with pytest.raises(sit.IllegalActionError, match="forfeit"):
        referee.push("pass")
    game = Game(deal, referee.table, (), totals=(1000, 15000), incidents=tuple(referee.entries))
    record = game.to_dict()
    assert (record["result"], record["ended"]) == (None, "forfeit EW")
    assert record["scores"] == {"NS": 8000, "EW": 0}
    assert Game.from_dict(record) == game
    referee = Referee(sit.Table(deal, rules=rules))
    referee.report("exposed_card", seat="E", cards=deal.hands["E"].cards[0])
    referee.report("uncut_pack", seat="N")
    assert (referee.state, referee.next_dealer, referee.penalty_cards) == ("redeal", "N", {})
    record = Game(deal, referee.table, (), incidents=tuple(referee.entries)).to_dict()
    assert (record["ended"], record["scores"]) == ("redeal", {"NS": 0, "EW": 0})
    assert Game.from_dict(record).over


def test_a_director_departs_from_the_code_and_the_record_keeps_his_words():
    game = played("finnish_canasta", 1)
    referee = Referee(next(iter(game.tables())))
    card = referee.table.hand("E").cards[0]
    ruling = referee.judge("exposed_card", seat="E", cards=card)
    free = referee.overrule(ruling, duty="none", points=50, text="the card was seen by nobody")
    assert (free.discretionary, free.rule, free.points, free.duty) == (True, "I1.8", {"EW": -50}, "none")
    assert str(free) == "the card was seen by nobody (I1.8)."
    judged = Game(game.deal, referee.table, (), incidents=tuple(referee.entries))
    assert Game.from_dict(json.loads(json.dumps(judged.to_dict()))) == judged
    with pytest.raises(sit.RulingError, match="up to 0"):
        referee.judge("exposed_card", seat="E", cards=card, points=50)
    assert referee.judge("exposed_card", seat="E", cards=card, points=50, discretionary=True).points == {"EW": -50}
