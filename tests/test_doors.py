"""Values that must not get in: each is refused in one sentence that names it, or taken for what it is."""

import json
import pickle
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sitoumus as sit
from sitoumus import _core, _names, cases, checks, exact_dealing, stats
from sitoumus._core import best_openings
from sitoumus.notation import bid_number

HAND = "2c 2d 2h 2s Ah Kh Qh 9c 9d"
REPLY = {"phase": "reply", "turn": "W", "dealer": "N", "hands": {"E": "9c 9d Kc Kd"}}


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3), np.array(3)])
def test_a_whole_number_of_any_kind_is_taken_as_an_int(value):
    assert checks.whole("pairs", value, 2, 5) == 3
    assert type(checks.whole("pairs", value, 2, 5)) is int


@pytest.mark.parametrize(
    "value", [True, np.True_, 3.0, np.float64(3), "3", None, [3], np.array([3]), 1, 6, -(10**4000)]
)
def test_what_is_no_whole_number_in_bounds_is_refused(value):
    with pytest.raises(sit.SitoumusError, match=r"^pairs is .*: it must be a whole number from 2 to 5$"):
        checks.whole("pairs", value, 2, 5)


def test_a_choice_names_the_nearest_and_a_share_has_no_ends():
    with pytest.raises(sit.SitoumusError, match=r"must be one of greedy, random \(did you mean 'greedy'\?\)"):
        checks.choice("policy", "gredy", ["greedy", "random"])
    for value in (0, 1, "x", float("nan"), True, None, 10**400):
        with pytest.raises(sit.SitoumusError, match=r"^level is .*: it must be a number above 0 and below 1$"):
            checks.share("level", value)


@pytest.mark.parametrize("deuces", [-1, -100_000, 1, 3, 6, 2**40, 4.0, True, None])
def test_a_least_number_of_deuces_other_than_four_or_five_is_refused(deuces):
    for ask in (lambda: sit.Hand(HAND).best_opening(deuces=deuces), lambda: best_openings([HAND], deuces=deuces)):
        with pytest.raises(sit.SitoumusError, match=r"deuces is .*: it must be a whole number from 4 to 5"):
            ask()


@pytest.mark.parametrize("minimum", [10**12, -1, 165.9, True, "50"])
def test_an_opening_minimum_that_is_no_whole_number_in_range_is_refused(minimum):
    with pytest.raises(sit.SitoumusError, match=r"minimum is .*: it must be a whole number from 0 to 2147483647"):
        sit.Hand(HAND).best_opening(minimum=minimum)


@pytest.mark.parametrize("phase", [0, 1, 5, 6, 7, 255])
def test_an_answer_leads_back_only_to_a_phase_in_which_one_asks(phase):
    with pytest.raises(sit.InvalidPositionError, match=rf"turn_state\.ask_phase is {phase}: it must be"):
        sit.Table.from_position({**REPLY, "turn_state": {"ask_phase": phase}})


def test_an_answer_is_given_by_the_partner_of_the_player_who_asked():
    table = sit.Table.from_position(REPLY)
    table.push("yes")
    assert (table.turn, table.phase) == ("E", "meld")
    with pytest.raises(sit.InvalidPositionError, match=r"turn_state\.player is 0: it must be the partner"):
        sit.Table.from_position({**REPLY, "turn_state": {"player": 0}})


def test_calls_and_places_are_written_in_ascii_digits():
    for text in ("١C", "١٢H"):
        with pytest.raises(sit.InvalidActionError):
            bid_number(text)
    table = sit.Table.from_position(
        {"phase": "meld", "turn": "E", "hands": {"E": "9s Kc Kd 4d"}, "melds": {"EW": ["9c 9d 9h"]}}
    )
    for text in ("add 9s > ١", "merge ١ > 2", "take 9s 9c locks=١"):
        with pytest.raises(sit.InvalidActionError):
            table.push(text)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    return sit.simulate(60, seed=3, policies="greedy", out=tmp_path_factory.mktemp("door") / "deals")


@pytest.mark.parametrize(
    "where",
    [
        "@os.getcwd()", "@print('x')", "deal.max() > 1", "__import__('os')",
        "level == [x for x in [1]]",
        "(lambda: 1)()", "deal[0] == 1", "deal ** 9 > 1", "nope == 1", "levl == 1", "deal = 1", "", "deal", "1",
        "deal <",
        "result < 3", "deal == 1j", "f'{deal}' == '1'", "deal == b'1'", "`deal` == 1", "deal == 1\x00", "(" * 900,
        "deal == 1; deal == 2", "not " * 600 + "deal == 1",
    ],
)  # fmt: skip
def test_a_condition_on_rows_that_does_more_than_compare_is_refused(dataset, where):
    with pytest.raises(sit.DatasetError, match=r"^(where|a name in where) (is|has) .*: it "):
        dataset.to_pandas(where=where)


@pytest.mark.parametrize(
    "where",
    ["deal < 9 and not declarer == 'N'", "declarer in ['N', 'E']", "(turns > 20) & ~(turns > 30)", "2 * deal - 1 > 60"],
)
def test_a_condition_on_rows_keeps_what_pandas_keeps(dataset, where):
    frame = dataset.to_pandas()
    kept = dataset.to_pandas(where=where)
    assert 0 < len(kept) < len(frame)
    assert list(kept["deal"]) == list(frame.query(where)["deal"])


@pytest.mark.parametrize(("count", "n"), [(0, -1), (5, 3), (-1, 3), (float("nan"), 3), ([1, 5], 3)])
def test_a_share_of_more_than_all_has_no_interval(count, n):
    for interval in (stats.wilson, stats.proportion_sequence):
        with pytest.raises(sit.SitoumusError, match=r"^count is .*: it must be from 0 to n$"):
            interval(count, n)


# Whole numbers of NumPy and pandas go through every door, and come out as Python's.


def test_seeds_of_numpy_are_written_by_parquet_records_and_json(tmp_path):
    frame = sit.simulate(2, seed=np.int64(3), policy_seed=np.int64(4), policies="greedy", progress=False)
    frame.to_parquet(tmp_path / "rows.parquet")
    assert (frame.attrs["seed"], frame.attrs["policy_seed"]) == (3, 4)
    game = sit.play(sit.Deal(np.int64(3), np.uint8(1)), policies="greedy", policy_seed=np.int64(4))
    game.save(tmp_path / "game.json")
    assert sit.load_game(tmp_path / "game.json") == game
    odds = sit.contract_odds(sit.Deal(3).hands["N"], ["3H"], deals=np.int32(20), seed=np.int64(3), progress=False)
    assert json.loads(json.dumps(odds.to_dict()))["seed"] == 3


@pytest.mark.parametrize(
    "totals",
    [
        np.array([1500, 40], np.int32),
        pd.Series([1500, 40]),
        [np.int8(20), np.int64(30)],
        pd.Series({"total_ns": 1500, "total_ew": 40}),
        pd.Series({"EW": 40, "NS": 1500}),
    ],
)
def test_totals_come_as_arrays_and_series(totals):
    table = sit.Table(sit.Deal(3), totals=totals)
    assert tuple(table.totals.values()) in ((1500, 40), (20, 30))
    run = sit.simulate(2, totals=totals, policies="random", progress=False, threads=np.int64(2)).attrs
    assert tuple(run["totals"]) == tuple(table.totals.values())
    assert all(type(total) is int for total in run["totals"])


@pytest.mark.parametrize(
    "totals",
    [
        3,
        "15",
        [1],
        [1, 2, 3],
        [1.5, 0],
        {"NE": 3},
        [True, 0],
        [10**8, 0],
        [[1, 2]],
        np.array([[1, 2], [3, 4]]),
        np.array(3),
        pd.Series([1.5, 2]),
        {},
        [None, 0],
    ],
)
def test_totals_that_are_no_whole_numbers_by_side_are_refused(totals):
    if isinstance(totals, dict) and not totals:
        assert sit.Table(sit.Deal(3), totals=totals).totals == {"NS": 0, "EW": 0}
        return
    with pytest.raises(sit.SitoumusError, match=r"^(totals (is|of NS is) .*: it must be|'NE' is no side)"):
        sit.Table(sit.Deal(3), totals=totals)


def test_numbers_of_rules_and_policies_come_from_numpy():
    rules = sit.SITOUMUSSAMBA.replace(target=np.int64(1500))
    assert (rules.match.end, type(rules.match.end[1])) == (("target", 1500), int)
    assert sit.HeuristicPolicy(bid_first=np.int32(2000)) == sit.HeuristicPolicy(bid_first=2000)
    assert type(sit.RolloutPolicy(worlds=np.int64(8)).worlds) is int


# Numbers that are too large.


@pytest.mark.parametrize(("ask", "wrong"), [
    (lambda: sit.simulate(3, start=2**63 - 2), "start is 9223372036854775806: it must be a whole number from 0 to"),
    (lambda: sit.simulate(999_999_999_999), "n is 999999999999: it must be a whole number from 1 to 10000000000"),
    (lambda: sit.simulate_matches(1, start=2**60, deals=True), "start is 1152921504606846976: it must be a whole"),
    (lambda: sit.compare("greedy", "random", pairs=2, start=2**60), "start is 1152921504606846976: it must be a whole"),
    (lambda: sit.Deal(2**256), "it must be a whole number from 0 to 115792089237316195423"),
    (lambda: sit.Deal(0, 2**63), "number is 9223372036854775808: it must be a whole number from 0 to"),
    (lambda: sit.Table(sit.Deal(3)).push("2147483648C"), "'2147483648C' is no action: a number in it has more than"),
    (lambda: bid_number("9" * 5000 + "C"), "is no bid"),
    (lambda: sit.Table.from_position({"totals": {"NS": 2**31}}), "totals.NS = 2147483648: it must be a whole number, "),
    (lambda: sit.Table.from_position({"penalties": {"NS": 2**31 - 1}, "bought": {"NS": 1}}), "penalties.NS = 21474836"),
    (lambda: sit.Table.from_position({"minimum_raise": {"NS": 2**15}}), "minimum_raise.NS = 32768: it must be a whole"),
    (lambda: sit.Table.from_position({"hands": {"N": "?" + "9" * 5000}}), "must be ? and a number"),
    (lambda: sit.Hand("9c") and sit.random_hands(1.5), "n is 1.5: it must be a whole number from 0 to"),
    (lambda: sit.random_hands(2, cards=163), "cards is 163: it must be a whole number from 0 to 162"),
    (lambda: sit.perft(sit.Table(sit.Deal(3)), 1.5), "depth is 1.5: it must be a whole number from 0 to 100"),
    (lambda: sit.simulate(1, threads=1.5), "threads is 1.5: it must be a whole number from 1 to 1024"),
    (lambda: sit.simulate(1, out=""), "out is '': it must be the name of a folder"),
])  # fmt: skip
def test_a_number_beyond_its_bounds_is_refused_with_them(ask, wrong):
    with pytest.raises(sit.SitoumusError, match=re.escape(wrong)):
        ask()


def test_a_case_with_huge_penalties_fails_alone(tmp_path):
    path = tmp_path / "cases.toml"
    path.write_text("""
        [[case]]
        position = { penalties = { NS = 1000000000000 } }
        expect = { phase = "draw" }
        [[case]]
        expect = { phase = "draw" }
    """)
    first, second = cases.check(path)
    assert "smaller than 100000000" in str(first)
    assert not first.passed
    assert second.passed


@pytest.mark.parametrize(("seed", "number"), [(1.5, 0), ("x", 0), (-1, 0), (5, 2**70), (None, 3), (5, "x"), (True, 0)])
def test_given_cards_take_a_seed_and_a_number_that_a_deal_can_have(seed, number):
    deal = sit.Deal(3)
    with pytest.raises(sit.SitoumusError, match=r"^(seed|number) is "):
        sit.Deal.from_cards(deal.hands, deal.stock, seed=seed, number=number)


def test_given_cards_with_a_seed_alone_are_played_saved_and_loaded(tmp_path):
    cards = sit.Deal(3)
    deal = sit.Deal.from_cards(cards.hands, cards.stock, seed=5)
    game = sit.play(deal, policies="greedy")
    game.save(tmp_path / "game.json")
    assert sit.load_game(tmp_path / "game.json") == game
    assert (deal.seed, deal.number) == (5, 0)


def test_an_action_that_names_a_meld_too_high_is_refused_with_the_number_given():
    table = sit.Table.from_position(
        {"phase": "meld", "turn": "E", "hands": {"E": "9s Kc Kd"}, "melds": {"EW": ["9c 9d 9h"]}}
    )
    with pytest.raises(sit.IllegalActionError, match="meld 257"):
        table.push("add 9s > 257")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("levels", []),
        ("minima", []),
        ("strains", []),
        ("levels", [1.5]),
        ("levels", "x"),
        ("minima", 7),
        ("strains", 3),
    ],
)
def test_a_bidding_table_of_nothing_is_refused(name, value):
    with pytest.raises(sit.StudyError, match=r"(is .*: it must be|is no opening minimum|is no strain)"):
        sit.bidding_table(**{"minima": 50, "levels": [2], "strains": ["H"], "hands": 100} | {name: value})


def test_a_level_asked_twice_stands_once_in_a_bidding_table():
    table = sit.bidding_table(50, levels=[2, np.int64(2)], strains=["H", "H"], hands=400, progress=False)
    assert table.sheet.index.tolist() == ["2H"]


# Structs that leave the core.


def test_the_layout_names_every_field_of_the_structs():
    rooms = Path(_core.__file__).parent / "engine"
    text = "\n".join(path.read_text(encoding="utf-8") for path in rooms.rglob("*.pxd"))
    for struct, (*fields, (_, _, size)) in _names.layouts().items():
        body = re.search(rf"cdef struct {struct}:.*\n((?:    .*\n|\n)*)", text)[1]
        lines = [line.split("#")[0].split(None, 1) for line in body.splitlines() if line.split("#")[0].strip()]
        named = [re.sub(r"\[.*", "", name.strip()) for _, names in lines for name in names.split(",")]
        assert [name for name, _, _ in fields] == named
        assert max(offset + each for _, offset, each in fields) <= size


def test_exact_tables_have_the_dtypes_of_the_core():
    for struct, dtype in {"CNode": exact_dealing.NODE, "CTake": exact_dealing.PART}.items():
        *fields, (_, _, size) = _names.layouts()[struct]
        assert dtype.itemsize == size
        assert [(name, dtype.fields[name][1]) for name in dtype.names] == [(name, at) for name, at, _ in fields]


def test_a_pickle_of_another_layout_is_refused():
    table = sit.Table(sit.Deal(3))
    for thing, word in ((table, "table"), (table.view("E"), "view")):
        assert pickle.loads(pickle.dumps(thing)) == thing
        restore, given = thing.__reduce__()
        for stamp in ((), ("0123456789abcdef",)):
            with pytest.raises(sit.SitoumusError, match=f"this pickle of a {word} was made by another version"):
                restore(*given[:-1], *stamp)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("drew", 2),
        ("player", 4),
        ("asked", 3),
        ("opened", 4),
        ("must_out", 255),
        ("start_melds", 200),
        ("drew", True),
        ("drew", "x"),
        ("drwe", 1),
    ],
)
def test_a_byte_of_turn_state_that_cannot_be_is_refused(key, value):
    position = {"phase": "meld", "turn": "E", "hands": {"E": "9s Kc Kd"}, "turn_state": {key: value}}
    with pytest.raises(
        sit.InvalidPositionError, match=rf"(turn_state.{key} is {value!r}|turn_state.drwe = 1): "
    ):
        sit.Table.from_position(position)


# Studies under rules that hold None or infinity.


@pytest.mark.parametrize("options", [{"opening_bands": [[0, 15], [1500, 55], ["inf", 95]]}, {"buy": None}])
def test_a_study_under_rules_that_hold_none_is_written_and_asked_again(tmp_path, options):
    rules = sit.SITOUMUSSAMBA.replace(**options)
    hand = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"
    odds = sit.contract_odds(hand, ["3H"], deals=20, rules=rules, progress=False)
    path = tmp_path / "study.toml"
    path.write_text(odds.to_toml(), encoding="utf-8")
    assert str(sit.run_study(path, progress=False)) == str(odds)


class OfMain(sit.Policy):
    """A policy whose class stands where a spawned process does not find it."""

    def act(self, view, legal):
        return legal[0]


def test_a_policy_that_a_worker_cannot_load_is_named_with_the_reason(monkeypatch):
    monkeypatch.setattr(OfMain, "__module__", "__main__")
    monkeypatch.setattr(sys.modules["__main__"], "OfMain", OfMain, raising=False)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with pytest.raises(sit.SitoumusError, match=r"^OfMain stands in __main__ .*: put it into a module"):
            sit.simulate(2, policies=OfMain(), executor=pool, progress=False)
