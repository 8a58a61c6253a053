"""Values that must not get in: each is refused in one sentence that names it, or taken for what it is."""

import numpy as np
import pytest

import sitoumus as sit
from sitoumus import checks, stats
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
