"""The table from Python: pushing and taking back, refusals in words, what is printed, scores, values."""

import random
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from walks import RULES, fresh_table, late_table, states, walk

from sitoumus import _core
from sitoumus._core import Deal, Table
from sitoumus.errors import IllegalActionError, InvalidActionError
from sitoumus.rules import PRESETS, SITOUMUSSAMBA

HAND = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"
OPENING = {"phase": "opening", "contract": "1H by E", "hands": {"E": HAND}}
OPEN = {"EW": ["Kc Kd Kh"]}  # East and West have opened


def east(phase="draw", hand="4h 5s 6c 8c", **more):
    """East to act in a deal without contract."""
    return {"phase": phase, "turn": "E", "hands": {"E": hand}, **more}


def table_of(position):
    """A table from a position; `rules`, `options` and the actions in `play` come first."""
    position = dict(position)
    play = position.pop("play", ())
    return Table.from_position(position).after(*play)


#: (what, position, action, rule that its refusal names)
REFUSALS = [
    # auction
    ("a lower bid", {"phase": "auction", "auction": ["2H"]}, "1S", "R9.3"),
    ("the same bid", {"phase": "auction", "auction": ["2H"]}, "2H", "R9.3"),
    ("a lower strain", {"phase": "auction", "auction": ["2DEU"]}, "2CAN", "R9.3"),
    ("a level too high", {"phase": "auction"}, "21C", "B2"),
    ("a double before any bid", {"phase": "auction"}, "double", "R9.6"),
    ("a double of the partner's bid", {"phase": "auction", "auction": ["2H", "pass"]}, "double", "B5"),
    ("a draw before the auction is over", {"phase": "auction"}, "draw", "R9.1"),
    ("a pass after the auction", east(), "pass", "R9.5"),
    ("a bid after the auction", OPENING, "2H", "R9.5"),
    ("a double after the auction", east(), "double", "R9.5"),
    # the declarer's opening
    ("a draw instead of the opening", OPENING, "draw", "R14.1"),
    ("a discard instead of the opening", OPENING, "discard 9s", "R14.1"),
    ("done before anything is laid", OPENING, "done", "R14.2"),
    ("fail though an opening exists", OPENING, "fail", "B6"),
    ("fail after a meld", {**OPENING, "play": ["meld 7s 7d 7c"]}, "fail", "B6"),
    ("done below the minimum", {**OPENING, "play": ["meld 7s 7d 7c"]}, "done", "R14.2"),
    (
        "a meld no opening holds",
        {**OPENING, "hands": {"E": "7s 7d 7c 9h 9s 4d 9d 2c 2d 2h 2s 5h 6h 8c Jc"}, "totals": {"NS": 0, "EW": 7000}},
        "meld 7s 7d 7c",
        "R13.1",
    ),
    (
        "an opening with three deuces",
        {**OPENING, "hands": {"E": "2c 2d 2h Ah Kh Qh 9s 9d 4c 4d 5h 3s 8c 8d Tc"}, "totals": {"EW": 0}},
        "meld 2c 2d 2h",
        "R14.3",
    ),
    (
        "an opening that keeps no card",
        {**OPENING, "hands": {"E": "9c 9d 9h"}, "totals": {"EW": -5}},
        "meld 9c 9d 9h",
        "D1",
    ),
    # the draw
    ("a discard before the draw", east(), "discard 4h", "R9.15"),
    ("a meld before the draw", east(hand="9c 9d 9h 4s 5s", melds=OPEN), "meld 9c 9d 9h", "R9.15"),
    ("an addition before the draw", east(hand="Ks 9d 4s", melds=OPEN), "add Ks > 1", "R9.15"),
    ("a red three before the draw", east(hand="3h 9d 4s", melds=OPEN), "buy 3h", "R21.3"),
    ("the question before the draw", east(melds=OPEN), "ask", "R27.1"),
    ("an extra card without a take", east(melds=OPEN), "extra", "R10.2"),
    ("an end with cards in the stock", east(melds=OPEN), "end", "C37"),
    ("a draw from an empty stock", east(melds=OPEN, stock=""), "draw", "C37"),
    ("an end where a transfer must be made", east(melds={"EW": ["4c 5c 6c"]}, pile="7c 9d", stock=""), "end", "D11"),
    ("an answer to no question", east(), "yes", "R27.1"),
    ("done in play", east(), "done", "R14.1"),
    # the pile
    ("a take with one card", east(hand="9c 4h 5s", melds=OPEN, pile="9h 4s"), "take 9c", "R24.2"),
    ("a take with three cards", east(hand="9c 9d 9s 4h 5s", melds=OPEN, pile="9h 4s"), "take 9c 9d 9s", "R24.2"),
    ("a take with another rank", east(hand="8c 8d 4h 5s", melds=OPEN, pile="9h 4s"), "take 8c 8d", "R24.2"),
    ("a take with a wild card", east(hand="9c 2d 4h 5s", melds=OPEN, pile="9h 4s"), "take 9c 2d", "R24.2"),
    ("a frozen pile with two cards", east(hand="9c 9d 4h 5s", melds=OPEN, pile="9h JK 4s"), "take 9c 9d", "R25.3"),
    ("a joker on top", east(hand="JK JK 4h 5s", melds=OPEN, pile="JK 4s"), "take JK JK", "R24.3"),
    ("a deuce on top with deuces", east(hand="2c 2d 2s 5s", melds=OPEN, pile="2h 4s"), "take 2c 2d 2s", "R24.4"),
    ("a red three on top with threes", east(hand="3c 3d 3s 5s", melds=OPEN, pile="3h 4s"), "take 3c 3d 3s", "R24.4"),
    ("a black three on top with threes", east(hand="3c 3d 5s", melds=OPEN, pile="3s 4s"), "take 3c 3d", "R20.1"),
    ("one card against one card", east(hand="8c", melds={"EW": ["4c 5c 6c"]}, pile="7c"), "take > 1", "R17.4"),
    (
        "a transfer onto a complete sequence",
        east(melds={"EW": ["4c 5c 6c 7c 8c 9c Tc"]}, pile="Jc 4s"),
        "take > 1",
        "R24.5",
    ),
    ("a transfer onto a set", east(melds=OPEN, pile="Ks 4s"), "take > 1", "R24.6"),
    ("a transfer that leaves a gap", east(melds={"EW": ["4c 5c 6c"]}, pile="8c 4s"), "take > 1", "R25.2"),
    ("a transfer of another suit", east(melds={"EW": ["4c 5c 6c"]}, pile="7d 4s"), "take > 1", "R25.2"),
    (
        "joining a set of four",
        east(hand="Kh Ks 4h 5s", melds={"EW": ["Kc Kd Kh Ks"]}, pile="Kc 4s"),
        "take Kh Ks > 1",
        "R24.6",
    ),
    ("joining another rank", east(hand="9c 9d 4h 5s", melds=OPEN, pile="9h 4s"), "take 9c 9d > 1", "R24.6"),
    ("a meld that is not there", east(melds=OPEN, pile="9h 4s"), "take > 2", "R11.12"),
    ("too many lock cards", east(hand="9c 9d 9s 5s", melds=OPEN, pile="9h JK 4s"), "take 9c 9d 9s locks=2", "R25.1"),
    ("lock cards of an unlocked pile", east(hand="9c 9d 5s", melds=OPEN, pile="9h 4s"), "take 9c 9d locks=2", "R25.1"),
    ("a take without an opening", east(hand="9c 9d 4h 5s", pile="9h 4s"), "take 9c 9d", "R24.1"),
    (
        "the pair of the take in the opening",
        east(hand="9c 9d 9s Ac Ad 4h 5s", totals={"EW": 500}, pile="9h 4s"),
        "meld 9c 9d 9s",
        "R23.3",
    ),
    (
        "a draw after an opening for the pile",
        east(hand="9c 9d Ac Ad Ah 4h 5s 6c", pile="9h 4s", totals={"EW": 0}, play=["meld Ac Ad Ah"]),
        "draw",
        "D3",
    ),
    (
        "the declarer's first turn with a pair",
        east(hand="9c 9d 4h 5s", melds=OPEN, pile="9h", contract="1H by E", first_turn=True),
        "take 9c 9d",
        "B18",
    ),
    # after the draw
    ("a second draw", east("meld", melds=OPEN), "draw", "R10.1"),
    ("a take after the draw", east("meld", hand="9c 9d 4h 5s", melds=OPEN, pile="9h 4s"), "take 9c 9d", "R10.1"),
    ("an extra card after a draw", east("meld", melds=OPEN), "extra", "R10.2"),
    ("a draw after a take", east("taken", melds=OPEN), "draw", "R10.1"),
    ("the question after a take", east("taken", melds=OPEN), "ask", "R27.1"),
    ("an extra card of an empty stock", east("taken", melds=OPEN, stock=""), "extra", "C37"),
    ("a second question", east("meld", melds=OPEN, play=["ask", "yes"]), "ask", "D20"),
    ("a question after a meld", east("meld", hand="9c 9d 9h 4h 5s", melds=OPEN, play=["meld 9c 9d 9h"]), "ask", "B40"),
    ("a question where there is none", {**east("meld", melds=OPEN), "options": {"permission": False}}, "ask", "B40"),
    ("a draw while an answer is due", east("meld", melds=OPEN, play=["ask"]), "draw", "R27.1"),
    ("buying with a black three", east("meld", hand="3c 4h 5s", melds=OPEN), "buy 3c", "R21.3"),
    ("buying from an empty stock", east("meld", hand="3h 4h 5s", melds=OPEN, stock=""), "buy 3h", "C37"),
    # melds
    ("two naturals of two ranks", east("meld", hand="9c 8d JK 4h 5s", melds=OPEN), "meld 9c 8d JK", "R11.1"),
    ("a joker in a sequence", east("meld", hand="9c Tc JK 4h 5s", melds=OPEN), "meld 9c Tc JK", "R11.2"),
    ("one natural card", east("meld", hand="9c JK JK 4h 5s", melds=OPEN), "meld 9c JK JK", "R11.4"),
    ("three wild cards", east("meld", hand="9c 9d JK JK 2c 4h 5s", melds=OPEN), "meld 9c 9d JK JK 2c", "R11.4"),
    ("a deuce for another card", east("meld", hand="9c Tc 2c 4h 5s", melds=OPEN), "meld 9c Tc 2c", "R18.3"),
    ("jokers alone", east("meld", hand="JK JK JK 4h 5s", melds=OPEN), "meld JK JK JK", "R18.6"),
    ("a set of red threes", east("meld", hand="3d 3h 3h 4h 5s", melds=OPEN), "meld 3d 3h 3h", "R21.5"),
    ("black threes without going out", east("meld", hand="3c 3c 3s 4h 5s 6s", melds=OPEN), "meld 3c 3c 3s", "R20.2"),
    ("a meld of cards not there", east("meld", hand="9c 9d 4h 5s", melds=OPEN), "meld 9c 9d 9h", "R9.15"),
    ("a meld that leaves one card", east("meld", hand="9c 9d 9h 4h", melds=OPEN), "meld 9c 9d 9h", "R19.1"),
    ("a meld that leaves no card", east("meld", hand="9c 9d 9h", melds=OPEN), "meld 9c 9d 9h", "R28"),
    (
        "a second set before the first is complete",
        {**east("meld", hand="Ks Kh Kd 4h 5s", melds=OPEN), "options": {"second_set": "after_complete"}},
        "meld Kd Kh Ks",
        "B23",
    ),
    ("merging", east("meld", melds={"EW": ["Kc Kd Kh", "Kc Kd Ks"]}), "merge 2 > 1", "B24"),
    (
        "an addition to a natural canasta",
        east("meld", hand="Ks 4h 5s", melds={"EW": ["Kc Kc Kd Kd Kh Kh Ks"]}),
        "add Ks > 1",
        "R18.5",
    ),
    (
        "an addition to a complete sequence",
        east("meld", hand="Jc 4h 5s", melds={"EW": ["4c 5c 6c 7c 8c 9c Tc"]}),
        "add Jc > 1",
        "R18.8",
    ),
    (
        "a wild card onto a mixed canasta",
        east("meld", hand="JK 4h 5s", melds={"EW": ["Kc Kc Kd Kd Kh Kh JK"]}),
        "add JK > 1",
        "B21",
    ),
    ("a third wild card", east("meld", hand="JK 4h 5s", melds={"EW": ["Kc Kd 2c JK"]}), "add JK > 1", "R11.4"),
    ("a joker onto a sequence", east("meld", hand="JK 4h 5s", melds={"EW": ["4c 5c 6c"]}), "add JK > 1", "R11"),
    ("a card that leaves a gap", east("meld", hand="8c 4h 5s", melds={"EW": ["4c 5c 6c"]}), "add 8c > 1", "R11.1"),
    ("an addition to a meld that is not there", east("meld", hand="Ks 4h 5s", melds=OPEN), "add Ks > 2", "R11.7"),
    ("an addition that leaves one card", east("meld", hand="Kh 4h", melds=OPEN), "add Kh > 1", "R19.1"),
    # openings in play
    ("an opening below the minimum", east("meld", hand="4c 4d 4h 5s 6s", totals={"EW": 0}), "meld 4c 4d 4h", "R13.1"),
    (
        "an opening with four deuces",
        east("meld", hand="2c 2d 2h 2s 5s 6s 8d", totals={"EW": 0}),
        "meld 2c 2d 2h",
        "R15.2",
    ),
    (
        "a discard in the middle of an opening",
        east("meld", hand="4c 4d 4h Ac Ad Ah 5s 6s 8d", totals={"EW": 0}, play=["meld 4c 4d 4h"]),
        "discard 5s",
        "R13.2",
    ),
    (
        "buying in the middle of an opening",
        east("meld", hand="4c 4d 4h Ac Ad Ah 3h 6s 8d", totals={"EW": 0}, play=["meld 4c 4d 4h"]),
        "buy 3h",
        "R13.2",
    ),
    # the end
    (
        "the last card without the right to go out",
        east(hand="9c 9d 4h", melds=OPEN, pile="9h", play=["take 9c 9d"]),
        "discard 4h",
        "R28.3",
    ),
    ("a draw when the deal is over", {"phase": "over", "ended": "stock"}, "draw", "R28.1"),
    ("a discard of a card not there", east("meld", melds=OPEN), "discard Kc", "R9.15"),
    # other games
    (
        "two melds of a rank",
        east("meld", hand="Kc Kd Ks 4h 5s 6s", melds={"EW": ["Kc Kd Kh"]}, rules="finnish_canasta"),
        "meld Kc Kd Ks",
        "F23",
    ),
    (
        "merging the earlier meld",
        east("meld", hand="4h 5s 6s 8c", melds={"EW": ["Kc Kd Kh", "Kc Kd Ks"]}, rules="samba"),
        "merge 1 > 2",
        "F14",
    ),
]


@pytest.mark.parametrize(("position", "action", "rule"), [r[1:] for r in REFUSALS], ids=[r[0] for r in REFUSALS])
def test_a_refusal_gives_the_reason_the_rule_and_the_position_and_changes_nothing(position, action, rule):
    table = table_of(position)
    before, text, done = table.copy(), table.to_position(), table.actions
    assert action not in table.legal_actions
    with pytest.raises(IllegalActionError) as caught:
        table.push(action)
    reason, where = str(caught.value).split(". Position: ")
    assert reason.startswith(f"{action!r} is not legal: ")
    assert rule in re.search(r"\(([^()]*)\)$", reason)[1]
    assert where.startswith(f"{table.turn} to act in phase {table.phase}")
    assert "\n" not in str(caught.value)
    if table.phase not in ("auction", "over"):
        assert f"hand {table.hand(table.turn)}" in where
    assert table == before
    assert table.to_position() == text
    assert table.actions == done
    assert list(table.legal_actions) == list(before.legal_actions)


def reason_of(position, action, rules=None):
    """The reason of a refusal, without the action and the position."""
    table = Table.from_position(position, rules=rules)
    with pytest.raises(IllegalActionError) as caught:
        table.push(action)
    return str(caught.value).split(". Position: ")[0].split(" is not legal: ")[1]


def renamed(rules, **names):
    """The rules with some kinds of melds under other names."""
    kinds = {name: rules.kind(name)._plain() for name in names}
    old = {f"melds.{name}": None for name in names}
    return rules.replace(**old, **{f"melds.{new}": kinds[name] for name, new in names.items()})


def test_refusals_do_not_depend_on_what_a_meld_kind_is_called():
    finnish = PRESETS["finnish_canasta"]
    other = renamed(finnish, set="numbers", black="last")
    pair = east(hand="Ks Kd 5h 6h", melds=OPEN, pile="Ks")
    black = east("meld", hand="3c 3c 3s 4h 5s 6s", melds=OPEN)
    for position, action in ((pair, "take Kd Ks"), (black, "meld 3c 3c 3s")):
        assert reason_of(position, action, other) == reason_of(position, action, finnish)
    assert reason_of(pair, "take Kd Ks", other) == "the side has a meld of this rank: it must be named (F23)"
    assert "laid last, when going out" in reason_of(black, "meld 3c 3c 3s", other)


@pytest.mark.parametrize(
    ("total", "demand"),
    [(3000, "minimum 120"), (7000, "it must hold a complete meld"), (9000, "it must hold a complete natural meld")],
)
def test_a_refused_opening_names_what_the_band_of_the_total_demands(total, demand):
    position = east("meld", hand="4c 4d 4h 5s 6s", totals={"EW": total}, rules="brazilian_canasta")
    assert f"can be completed with it: {demand} (" in reason_of(position, "meld 4c 4d 4h")
    assert "minimum 0" not in reason_of(position, "meld 4c 4d 4h")


def test_a_band_may_demand_a_complete_meld_and_points():
    position = east("meld", hand="4c 4d 4h 5s 6s", totals={"EW": 8000}, rules="brazilian_canasta")
    assert "it must hold a complete meld, minimum 200 (R13.1, F16" in reason_of(position, "meld 4c 4d 4h")


TWO = "with two natural cards of the top card's rank from hand"


@pytest.mark.parametrize(
    ("position", "action", "reason"),
    [
        pytest.param(
            east(hand="9c 9d 2d 4h 5s", melds=OPEN, pile="9h JK 4s", rules="finnish_canasta"),
            "take 9c 2d",
            f"the frozen pile may be taken only {TWO} (",
            id="a frozen pile needs a natural pair",
        ),
        pytest.param(
            east(hand="Jc Jd JK 4h 5s", melds=OPEN, pile="Jh 2d 4s", rules="finnish_canasta"),
            "take Jc JK",
            f"the frozen pile may be taken only {TWO} (",
            id="a joker is no jack",
        ),
        pytest.param(
            east(hand="9c 4h 5s", melds={"EW": ["9d 9h 9s"]}, pile="9c JK 4s", rules="finnish_canasta"),
            "take > 1",
            f"the frozen pile may be taken only {TWO} (",
            id="a frozen pile is not taken by a fit",
        ),
        pytest.param(
            east(hand="8c 8d", melds=OPEN, pile="8h", rules="tile_canasta"),
            "take 8c 8d",
            "fewer than two cards would stay, one to discard and one to keep, ",
            id="a card must stay for the discard (P11)",
        ),
        pytest.param(
            east(hand="8c 8d 4h", melds=OPEN, pile="8h", stock="", rules="tile_canasta"),
            "take 8c 8d",
            "the unfrozen pile may not be taken when the stock is empty (C37, F19)",
            id="nobody takes the pile after the last tile",
        ),
        pytest.param(
            east(hand="9c 9d 2d Ah Ac As 4h 5s", pile="9h 4s", rules="finnish_canasta"),
            "take 9c 2d",
            f"the unfrozen pile may be taken by a side that has not opened only {TWO} (",
            id="an unopened side needs a natural pair (P3)",
        ),
        pytest.param(
            east(hand="Ac Ad 4h 5s 6c", pile="Ah 4s Ac", totals={"EW": 1500}, rules="finnish_canasta"),
            "take Ac Ad",
            "the side has not opened: opening and take make 60 points, minimum 90 (",
            id="the take counts for the minimum where the top card does (O11)",
        ),
        pytest.param(
            east(hand="Ac Ad 4h 5s 6c", pile="Ah 4s Ac", totals={"EW": 1500}),
            "take Ac Ad",
            "the side has not opened: the opening beside the cards of the take makes 0 points, minimum 90 (",
            id="the take does not count where it is to be left over",
        ),
        pytest.param(
            east(hand="9c 9d Ah Ac As 4h 5s", pile="9h 4s", rules="brazilian_canasta"),
            "take 9c 9d",
            "the unfrozen pile may not be taken by a side that has not opened (",
            id="no way of taking is left to an unopened side (F2)",
        ),
        pytest.param(
            east(hand="9c 9d Ah Ac As 4h 5s", pile="9h 4s", rules="brazilian_canasta"),
            "meld Ac Ah As",
            "melds come after the draw: the pile may not be taken by a side that has not opened (",
            id="nothing is laid for a take that cannot be (F2)",
        ),
        pytest.param(
            east("meld", hand="Jc 4h 5s 6s", melds={"EW": ["4c 5c 6c 7c 8c 9c Tc"]}, rules="brazilian_canasta"),
            "add Jc > 1",
            "a complete sequence grows only in going out, and the side cannot go out without the partner's yes (F17)",
            id="a full run grows only in going out (F17)",
        ),
        pytest.param(
            east("meld", hand="Qd 4h 5s 6s", melds={"EW": ["4c 5c 6c 7c 8c 9c Tc"]}, rules="brazilian_canasta"),
            "add Qd > 1",
            "meld 1 is complete and takes no such card (",
            id="a full run takes no card that does not continue it",
        ),
        pytest.param(
            east("meld", hand="Ks 4h", melds={"EW": ["Kc Kd Kh Kc Kd Kh 2c"]}, rules="samba"),
            "add Ks > 1",
            "1 card would stay and the side may not go out (",
            id="a complete set that grows is not called closed",
        ),
        pytest.param(
            east("meld", hand="Ac Ad Ah 4h 5s", rules="tile_canasta", first_turn=True),
            "meld Ac Ad Ah",
            "the first turn of the deal is a discard only (F20)",
            id="the first turn of the tile game only discards",
        ),
        pytest.param(
            east("meld", melds=OPEN, rules="tile_canasta", pile="9h"),
            "extra",
            "there is no extra card in this game",
            id="no extra card where the rules have none",
        ),
    ],
)
def test_refusals_give_the_reason_of_the_game_that_is_played(position, action, reason):
    assert reason_of(position, action).startswith(reason)


@pytest.mark.parametrize("name", [name for name in PRESETS if PRESETS[name].contract is None])
def test_refusals_speak_of_a_declarer_in_games_with_an_auction_only(name):
    tables = states(name, 5, 150)
    for table in tables:
        for text in {*(f"take > {n}" for n in (1, 2, 3)), "take 8c 8d", "take Kc Kd", "take Ac 2d", "extra", "pass"}:
            if text not in table.legal_actions:
                assert "declarer" not in table._why_not(text)


def test_refusals_cover_many_rules():
    assert len(REFUSALS) >= 90
    assert len({rule for *_, rule in REFUSALS}) >= 35


NO_ACTIONS = """jump / 1X / 0H / discard / discard 9c 9d / discard 9x / buy / meld 9c 9d / add 9c / add > 1 / take
    / add 9c > 0 / take 9c 9d > 1 locks=0 / draw 9c / merge 1 / discard 9c > 1 / meld 9c 9d 9h > 1"""


@pytest.mark.parametrize("text", [*map(str.strip, NO_ACTIONS.split("/")), "", None, 7])
def test_what_is_no_action_at_all_is_another_error(text):
    table = table_of(east("meld", melds=OPEN))
    before = table.copy()
    assert text not in table.legal_actions
    with pytest.raises(InvalidActionError) as caught:
        table.push(text)
    assert repr(text) in str(caught.value)
    assert table == before


# Pushing and taking back


def test_after_leaves_the_table_as_it_is():
    table = Table(Deal(seed=7, number=42))
    before = table.copy()
    other = table.after("1C", "pass", "pass", "double")
    assert table == before
    assert table.actions == []
    assert other.actions == ["1C", "pass", "pass", "double"]
    assert other.contract == "1C by E doubled"


def test_after_stops_at_a_refusal_and_leaves_the_table():
    table = Table(Deal(seed=7, number=42))
    with pytest.raises(IllegalActionError, match="'1C' is not legal"):
        table.after("1D", "1C")
    assert table.actions == []


def test_there_must_be_something_to_take_back():
    table = Table(Deal(seed=7, number=42))
    table.push("pass")
    table.pop()
    with pytest.raises(IllegalActionError, match="nothing to take back"):
        table.pop()


def test_a_refused_action_leaves_the_legal_actions_usable():
    table = table_of(east("meld", melds=OPEN))
    legal = table.legal_actions
    for _ in range(3):
        with pytest.raises(IllegalActionError):
            table.push("discard Kc")
        assert table.legal_actions == legal
    table.push(legal[0])


LONG = "4c 5c 6c 7c 8c 9c Tc 4s 4h 4d JK 2s 8d Kd"


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("meld 4c 5c 6c 7c 8c 9c Tc", 5),
        ("meld Tc 9c 8c 7c 6c 5c 4c", 5),
        ("meld 5c 6c 7c 8c", 2),
        ("meld 4d 4h 4s JK", 2),
        ("meld JK 2s 4d 4h 4s", 3),
        ("add Kd > 1", 1),
        ("meld 4c 4d 4h 4s 2s JK", 4),
    ],
)
def test_a_longer_text_stands_for_steps_in_a_row_and_is_one_push(text, steps):
    table = table_of(east("meld", hand=LONG, melds=OPEN))
    before = table.copy()
    assert text in table.legal_actions
    assert (text in list(table.legal_actions)) == (steps == 1)
    table.push(text)
    assert len(table.actions) == steps
    laid = Counter(text.split(" > ")[0].split()[1:])
    assert Counter(card for meld in table.melds("EW") for card in meld) == laid + Counter(["Kc", "Kd", "Kh"])
    assert len(table.hand("E")) == 14 - laid.total()
    # one by one the same steps lead to the same place
    assert before.after(*table.actions) == table
    table.pop()
    assert table == before
    assert table.actions == []


def test_a_longer_addition_joins_at_both_ends():
    table = table_of(east("meld", hand="4c 5c 9c Tc 4s 8d", melds={"EW": ["6c 7c 8c"]}))
    table.push("add Tc 4c 9c 5c > 1")
    assert str(table.melds("EW")[0]) == "4c 5c 6c 7c 8c 9c Tc"
    assert len(table.actions) == 4
    table.pop()
    assert str(table.melds("EW")[0]) == "6c 7c 8c"


def test_a_longer_text_needs_an_order_in_which_every_step_is_legal():
    eight = "9c 9c 9d 9d 9h 9h 9s 9s"
    table = table_of(east("meld", hand=f"{eight} JK 4h 5s", melds=OPEN))
    assert f"meld {eight}" not in table.legal_actions  # R18.5: seven naturals take no more
    assert f"meld {eight} JK" in table.legal_actions  # the joker comes before the seventh card
    with pytest.raises(IllegalActionError):
        table.push(f"meld {eight}")
    assert table.actions == []
    table.push(f"meld {eight} JK")
    assert len(table.actions) == 7
    assert table.melds("EW")[1].complete


def test_a_longer_text_is_done_whole_or_not_at_all():
    table = table_of(east("meld", hand="9c 9d 9h 9s 4h", melds=OPEN))
    before = table.copy()
    assert "meld 9c 9d 9h" in table.legal_actions
    with pytest.raises(IllegalActionError):
        table.push("meld 9c 9d 9h 9s")  # one card would stay
    assert table == before


def test_an_opening_of_several_melds_is_a_row_of_pushes():
    table = table_of(east("meld", hand="4c 4d 4h Ac Ad Ah 5s 6s 8d", totals={"EW": 0}))
    table.push("meld 4c 4d 4h")
    assert not table.opened("EW")
    assert {text.split()[0] for text in table.legal_actions} == {"meld"}
    table.push("meld Ac Ad Ah")
    assert table.opened("EW")
    assert "discard 5s" in table.legal_actions
    table.pop()
    table.pop()
    assert table.melds("EW") == ()


# The collection of legal actions


def test_legal_actions_are_a_collection_of_texts():
    table = Table(Deal(seed=7, number=42))
    legal = table.legal_actions
    assert (len(legal), legal[0], legal[-1]) == (121, "pass", "20DEU")
    assert legal[:3] == ("pass", "1C", "1D")
    assert list(legal) == [legal[i] for i in range(len(legal))]
    assert (legal.count(), legal.count("bid"), legal.count("pass"), legal.count("draw")) == (121, 120, 1, 0)
    assert "1c" in legal
    assert "21C" not in legal
    assert repr(legal).startswith("<LegalActions 121: pass, 1C, 1D, ")
    assert repr(legal).endswith(", ...>")
    assert legal == Table(Deal(seed=1, number=1)).legal_actions
    assert legal != table.after("1C").legal_actions


def test_legal_actions_stay_as_they_were_asked_for():
    table = Table(Deal(seed=7, number=42))
    legal = table.legal_actions
    table.push("2H")
    assert "1C" in legal
    assert len(legal) == 121
    assert "1C" not in table.legal_actions


# What is printed


@pytest.mark.parametrize("name", RULES)
def test_a_table_prints_in_100_columns(name):
    for table in states(name, "print", 40):
        lines = str(table).splitlines()
        assert max(map(len, lines)) <= 100
        assert f"{table.turn} to act" in lines[0]
        words = Counter(word.strip("[]") for word in str(table).split())
        for hand in table.hands.values():
            for card, n in Counter(hand).items():
                assert words[card] >= n
        assert f"stock   {table.stock_size}" in lines
        picture = ElementTree.fromstring(table._repr_html_())
        assert picture.find("{http://www.w3.org/2000/svg}desc").text == str(table)


def test_rule_11_14_the_sixth_card_lies_crosswise():
    table = table_of(east(melds={"EW": ["Kc Kc Kd Kd Kh", "9c 9c 9d 9d 9h 9h", "4c 5c 6c 7c 8c 9c"]}))
    text = str(table)
    assert "  1   Kc Kc Kd Kd Kh\n" in text
    assert "  2   9c 9c 9d 9d 9h [9h]\n" in text
    assert "  3   4c 5c 6c 7c 8c [9c]\n" in text


def test_complete_melds_show_their_kind_and_bonus():
    melds = ["Kc Kc Kd Kd Kh Kh Ks", "Ac Ac Ad Ad Ah Ah JK", "4c 5c 6c 7c 8c 9c Tc", "2c 2c 2d 2d 2h 2h JK"]
    text = str(table_of(east(melds={"EW": melds})))
    assert "  1   Kc Kc Kd Kd Kh Kh Ks  = natural, 500\n" in text
    assert "  2   Ac Ac Ad Ad Ah Ah JK  = mixed, 500\n" in text
    assert "  3   4c 5c 6c 7c 8c 9c Tc  = sequence, 1500\n" in text
    assert "  4   2c 2c 2d 2d 2h 2h JK  = mixed, 2000\n" in text


def test_a_complete_wild_meld_is_shown_as_one_and_not_as_natural():
    position = east(melds={"EW": ["2c 2c 2d 2d JK JK JK"]}, hand="4h 5s 6c 8c")
    text = str(Table.from_position(position, rules="brazilian_canasta"))
    assert "  1   2c 2c 2d 2d JK JK JK  = wild meld, 2000\n" in text
    score = Table.from_position(position | {"phase": "over", "ended": "stock"}, rules="brazilian_canasta").score()
    assert "bonus: wild 2c 2c 2d 2d JK JK JK" in list(score.explain()["what"])


@pytest.mark.parametrize(
    ("total", "minimum"),
    [
        (6995, "minimum 120"),
        (7000, "minimum 0 and a complete meld"),
        (8000, "minimum 200 and a complete meld"),
        (9000, "minimum 0 and a complete natural meld"),
    ],
)
def test_the_table_shows_with_the_minimum_what_its_band_demands_besides(total, minimum):
    text = str(Table.from_position(east(totals={"EW": total}), rules="brazilian_canasta"))
    assert f"EW      total {total}, {minimum}\n" in text


def test_rule_16_1_lock_cards_lie_crosswise_and_the_pile_is_frozen():
    table = table_of(east(pile="9h 3s JK 3d 2c 4s"))
    assert table.frozen
    assert "pile    9h 3s [JK] [3d] [2c] 4s  (frozen)\n" in str(table)
    table = table_of(east(pile="9h 3s 4s"))
    assert not table.frozen  # R16.2
    assert "pile    9h 3s 4s\n" in str(table)


def test_the_heading_names_contract_totals_minimum_and_penalties():
    table = table_of(
        {
            "contract": "4H by S doubled",
            "totals": {"NS": 1500, "EW": -5},
            "penalties": {"EW": 1000},
            "bought": {"EW": 1},
        }
    )
    lines = str(table).splitlines()
    assert lines[0] == "sitoumussamba: draw, E to act, dealer N, contract 4H by S doubled"
    assert "NS      total 1500, minimum 90" in lines
    assert "EW      total -5, minimum 15, lost 1000, bought with 3d" in lines


def test_a_deal_that_is_over_shows_its_score():
    table = table_of({"phase": "over", "ended": "stock", "hands": dict.fromkeys("NESW", "JK")})
    assert "score   NS -100, EW -100 (none, ended by stock)" in str(table)


def test_a_repr_says_where_the_table_comes_from():
    table = Table(Deal(seed=7, number=42)).after("2H")
    assert repr(table) == "<Table deal 42 of seed 7: auction, S to act, contract 2H by E>"
    assert repr(table_of(east())) == "<Table from a position: draw, E to act, contract none>"


# Scores


@pytest.mark.parametrize("name", RULES)
def test_the_lines_of_a_score_add_up(name):
    rng = random.Random(f"score {name}")
    for _ in range(8):
        table = late_table(RULES[name], rng) if rng.random() < 0.7 else fresh_table(RULES[name], rng)
        for _ in walk(table, rng, "eager"):
            pass
        score = table.score()
        lines = score.explain()
        for side, points in score.sides.items():
            assert lines[lines.side == side].points.sum() == points == score[side]
            parts = Counter(score.components[side])
            minus = parts.pop("hand_minus") + parts.pop("penalties")
            assert parts.total() - minus == points
        assert set(lines.side) <= set(score.sides)
        assert lines.rule.str.fullmatch(r"[RBCDF][\d.]+b?").all()


def test_there_is_no_score_before_the_end():
    table = Table(Deal(seed=7, number=42))
    with pytest.raises(IllegalActionError, match="the deal is not over: E is to act in phase auction"):
        table.score()
    assert (table.ended, table.winner) == (None, "none")


# Values


def test_equal_tables_are_equal_values():
    tables = [Table(Deal(seed=7, number=number % 2), dealer=dealer) for number in range(4) for dealer in "NE"]
    assert len(set(tables)) == 4
    a, b = tables[0].after("1C"), tables[0].after("1C")
    assert a == b
    assert hash(a) == hash(b)
    assert a != tables[0]
    assert a.after("pass") != b
    assert a != "table"
    assert tables[0] != Table(Deal(seed=7), totals=(5, 0))


def test_equality_asks_for_the_same_rules():
    deal = Deal(seed=7, number=42)
    assert Table(deal) == Table(deal, rules=SITOUMUSSAMBA)
    assert Table(deal) != Table(deal, rules=SITOUMUSSAMBA.replace(permission=False))


@pytest.mark.parametrize("name", PRESETS)
def test_a_table_knows_its_deal(name):
    table = Table(Deal(seed=7, number=42, rules=RULES[name]))
    assert table.deal == Deal(seed=7, number=42, rules=RULES[name])
    for state in walk(table, random.Random(name)):
        assert state.deal == Deal(seed=7, number=42, rules=RULES[name])
    assert Table.from_position(table.to_position(), rules=table.rules).deal is None


def test_legal_actions_stay_as_they_are_when_the_table_goes_on():
    table = Table(Deal(seed=7, number=42))
    before = table.legal_actions
    first = before[3]
    table.push(first)
    assert (first in before, "pass" in before, len(before)) == (True, True, 121)
    assert first not in table.legal_actions
    table.pop()
    assert table.legal_actions == before
    assert before[-1] == list(before)[-1] == before[120:][0]
    with pytest.raises(IndexError):
        before[121]


def test_every_single_step_has_a_text_of_its_own():
    for number in range(20):
        table = Table(Deal(seed=12, number=number))
        while table.phase != "over":
            legal = table.legal_actions
            assert len(set(legal)) == len(legal)
            table.push(legal[(7 * number + len(table.actions)) % len(legal)])


def test_classes_that_the_stub_calls_final_cannot_be_subclassed():
    stub = Path(_core.__file__).with_name("_core.pyi").read_text(encoding="utf-8")
    names = re.findall(r"^@final\nclass (\w+)", stub, re.M)
    assert {"View", "Table", "Hand"} <= set(names)
    for name in names:
        with pytest.raises(TypeError, match="not an acceptable base type"):
            type(name, (getattr(_core, name),), {})
