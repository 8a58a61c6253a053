"""The behaviour number, repeated operations, and what the speeds show."""

import json
from importlib import import_module

import numpy as np
import pytest

import sitoumus as sit
from sitoumus import _testing, cli
from sitoumus.bench import Figure, facts_of, push_seconds, sample_tables, whole_deals
from sitoumus.policies import NAMED
from sitoumus.rules import PRESETS
from sitoumus.run import Run


@pytest.fixture(scope="module")
def number():
    return sit.bench()


def test_the_behaviour_number_is_the_same_in_every_run(number):
    assert number == sit.bench()
    assert 0 <= number < 1 << 32


@pytest.mark.parametrize("name", list(NAMED))
def test_the_behaviour_number_changes_when_a_policy_does(number, name, monkeypatch):
    other = sit.HeuristicPolicy(keep_joker=77) if name == "heuristic" else NAMED["heuristic"]
    monkeypatch.setitem(NAMED, name, other)
    assert sit.bench() != number


def test_the_behaviour_number_changes_when_another_game_does(number, monkeypatch):
    monkeypatch.setitem(PRESETS, "samba", PRESETS["bolivia"])
    assert sit.bench() != number


# ---- repeated operations


def test_repeated_operations_on_hands_find_what_the_library_finds():
    hands = sit.random_hands(300, seed=3)
    table = sit.features(hands)
    assert _testing.repeat("points", 300, hands=hands) == sit.best_opening(hands).sum()
    assert _testing.repeat("points", 600, hands=hands) == 2 * sit.best_opening(hands).sum()
    # What may open keeps a card back, which the feature does not ask for.
    assert 0 < _testing.repeat("can_open", 300, hands=hands) <= table["can_open_90"].sum()
    assert _testing.repeat("can_open", 300, hands=hands, minimum=50) > _testing.repeat("can_open", 300, hands=hands)
    assert _testing.repeat("features", 300, hands=hands) == table["card_points"].sum()
    longest = np.max([table[f"run_{suit}"] for suit in "cdhs"], axis=0)
    assert _testing.repeat("runs", 300, hands=hands) == (longest >= 3).sum()
    # A set of three sevens and a sequence; no more with one wild card, for which two of a rank are enough.
    assert _testing.repeat("starts", 1, hands=["7c 7d 7h 8h 9h"]) == 2
    assert _testing.repeat("divide", 1, hands=["7c 7d 7h 8h 9h"]) == 25
    assert _testing.repeat("opening", 1, hands=["7c 7d 7h Ah Ac As"]) == 60


def test_repeated_operations_on_tables_find_what_the_table_finds():
    tables = sample_tables(40)
    assert _testing.repeat("generate", 40, tables=tables) == sum(len(table.legal_actions) for table in tables)
    assert _testing.repeat("copy", 40, tables=tables) == sum("NESW".index(table.turn) for table in tables)
    middle = [table.legal_actions[len(table.legal_actions) // 2] for table in tables]
    after = [table.after(action) for table, action in zip(tables, middle, strict=True)]
    assert _testing.repeat("apply", 40, tables=tables) == sum("NESW".index(table.turn) for table in after if table.turn)
    over = sample_tables(10, over=True)
    assert _testing.repeat("score", 10, tables=over) == sum(table.score().ns for table in over)
    assert {table.phase for table in over} == {"over"}
    assert _testing.repeat("decide", 20, tables=tables, policy=(1, ())) > 0
    assert all(table.phase != "over" for table in sample_tables(40, begun=True))


def test_a_repeated_turn_draws_lays_once_and_discards():
    tables = [table for table in sample_tables(60, begun=True) if table.phase == "draw" and table.stock_size > 2]
    steps = 0
    for table in tables:
        table = table.after("draw")
        lays = [action for action in table.legal_actions if action.startswith(("meld", "add"))]
        table = table.after(*lays[:1])
        discards = [action for action in table.legal_actions if action.startswith("discard")]
        steps += 3 if lays and discards else 2 if discards else 0
        if not discards:  # an opening goes on until it is complete
            steps += _testing.repeat("turn", 1, tables=[table]) + 2
    assert _testing.repeat("turn", len(tables), tables=tables) == steps


def test_dealing_is_repeated_over_deal_numbers():
    jokers = sum(sit.Deal(number=number).hands["N"].count("JK") for number in range(50))
    assert _testing.repeat("deal", 50) == jokers
    assert _testing.repeat("shuffle", 0) == 0


@pytest.mark.parametrize(
    ("operation", "given", "complaint"),
    [
        ("juggle", {}, "operations are shuffle"),
        ("points", {}, "needs hands"),
        ("points", {"hands": []}, "needs hands"),
        ("copy", {"tables": []}, "needs tables"),
        ("score", {"tables": [sit.Table(sit.Deal())]}, "phase auction"),
    ],
)
def test_what_cannot_be_repeated_is_refused(operation, given, complaint):
    with pytest.raises(sit.StudyError, match=complaint):
        _testing.repeat(operation, 5, **given)


# ---- speeds


def test_the_facts_beside_a_rate_are_those_of_the_rows():
    rows, facts = whole_deals("greedy", 100)
    frame = sit.simulate(100, policies="greedy", progress=False)
    assert rows > 0
    assert facts["turns"] == pytest.approx(frame["turns"].mean())
    assert facts["takes"] == pytest.approx((frame["takes_ns"] + frame["takes_ew"]).mean())
    assert facts["passed_out"] == (frame["declarer"] == "none").mean()
    kinds = ("sequences", "natural", "mixed", "ace_natural", "ace_mixed", "deuce_natural", "deuce_mixed")
    melds = sum(frame[f"{kind}_{side}"] for kind in kinds for side in ("ns", "ew"))
    assert facts["melds"] == pytest.approx(melds.mean())
    run = Run.of(rules=sit.BOLIVIA, policies="greedy")
    rows = run.allocate(20)
    run.fill(rows, 0, 20)
    assert set(facts_of(run, rows)) == {"turns", "takes", "melds"}


def test_a_figure_meets_its_bar_or_its_aim():
    assert [Figure("x", value, bar=10, aim=6).verdict for value in (5, 6, 8, 11)] == ["aim", "aim", "bar", "missed"]
    gain = [Figure("x", value, "times faster", 1.8, 1.95).verdict for value in (2, 1.9, 1.7)]
    assert gain == ["aim", "bar", "missed"]
    assert Figure("x", 5).verdict == Figure("x", float("nan"), bar=1).verdict == ""


def test_pushes_are_timed():
    known, whole = push_seconds(sample_tables(20))
    assert 0 < known < whole


@pytest.fixture
def quick(monkeypatch):
    """Measure almost nothing."""
    file = import_module("sitoumus.bench")  # the function of the same name stands before it at the desk
    monkeypatch.setattr(file, "row_seconds", lambda: 4e-6)
    monkeypatch.setattr(file, "operation_seconds", lambda operation, **given: 1.234e-3)
    monkeypatch.setattr(file, "parquet_memory", lambda deals: 399.94)
    monkeypatch.setattr(file, "PAIRS", 2)
    monkeypatch.setattr(file, "MOST_PAIRS", 2)
    monkeypatch.setattr(file, "import_seconds", lambda: (0.0299, 0.2))
    monkeypatch.setattr(file, "push_seconds", lambda tables: (1.5e-7, 1.2e-5))


@pytest.mark.usefixtures("quick")
@pytest.mark.slow
def test_speeds_show_all_bars_in_100_columns(number):
    found = sit.speeds(deals=40, progress=False)
    lines = str(found).splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[0].startswith(f"Bench: {number} ")
    names = [figure.name for figure in found.figures if figure.bar is not None]
    assert len(names) == 10
    assert {figure.name for figure in found.figures if figure.facts} == {f"whole deal, {name}" for name in NAMED}
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["bench"] == number
    assert len(found.frame) == len(found.figures) + len(found.parts)
    assert repr(found).startswith("<Speeds: bench ")
    with pytest.raises(sit.StudyError, match="deals is 0"):
        sit.speeds(0)


@pytest.mark.usefixtures("quick")
@pytest.mark.slow
def test_the_bench_command(number, capsys, tmp_path):
    path = tmp_path / "speeds.json"
    assert cli.run(["bench", "--deals", "20", "--no-progress", "--save", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"Bench: {number} ")
    assert json.loads(path.read_text())["bench"] == number
    assert cli.run(["bench", "--number"]) == 0
    assert capsys.readouterr().out == f"{number}\n"
    assert cli.run(["bench", "--deals", "20", "--no-progress", "--save", str(tmp_path)]) == 2
