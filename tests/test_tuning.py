"""Tuning: the same players in every run, also of a search that was broken off; what is refused; the command."""

import csv
import json
import re
import sys

import numpy as np
import pytest

import sitoumus as sit
from sitoumus import cli
from sitoumus.policies import PARAMETERS, policy
from sitoumus.tuning import Settings, search
from sitoumus.tuning.space import BOUNDS, Space, chosen

cma = pytest.importorskip("cma")

HOUSE = sit.SITOUMUSSAMBA.replace(void_cost=(0, 100))
TINY = {
    "start": "racer@15",
    "parameters": ["bid_*", "double_level"],
    "rounds": 2,
    "generations": 2,
    "population": 4,
    "pairs": 8,
    "test_pairs": 120,
    "seed": 3,
    "threads": 1,
    "progress": False,
}


def tuned(folder=None, resume=False, **more):
    kept = {} if folder is None else {"state": folder / "s.json", "log": folder / "log.csv", "resume": resume}
    return sit.tune(HOUSE, **TINY | kept | more)


def left(found):
    """All that a search has found, as plain values."""
    pool = [(name, each.weights) for name, each in found.pool.items()]
    return found.name, found.policy.weights, pool, found.gains.tolist(), (found.gain, found.low, found.high)


def shown(capsys):
    return capsys.readouterr().out.partition("\n")[2]


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    folder = tmp_path_factory.mktemp("straight")
    return folder, tuned(folder)


def test_a_search_finds_a_player_that_gains_on_where_it_set_out(straight):
    _, found = straight
    assert found.name != "start"
    assert found.low > 0
    assert next(iter(found.pool)) == "start"
    assert found.policy == found.pool[found.name]
    others = [name for name in found.pool if name != found.name]
    worst = {name: min(found.gains[i, np.arange(len(found.pool)) != i]) for i, name in enumerate(found.pool)}
    assert all(worst[found.name] >= worst[name] for name in others)
    changed = {name for name, value in found.policy.params.items() if value != policy("racer@15").params[name]}
    assert changed <= set(chosen(TINY["parameters"], policy("racer@15"), HOUSE))
    assert changed & {"bid_stop", "double_level"}


def test_it_finds_the_same_with_any_number_of_threads(straight):
    assert left(tuned(threads=2)) == left(straight[1])


def test_the_stream_of_random_numbers_of_the_process_stays_as_it_is(straight):
    np.random.seed(5)  # noqa: NPY002
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    assert left(tuned()) == left(straight[1])
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


@pytest.mark.parametrize("games", [0, 60, 138])
def test_a_search_that_was_broken_off_and_goes_on_ends_as_one_that_was_not(straight, tmp_path, monkeypatch, games):
    left_over = [games]
    play = search.compare

    def broken_off(*args, **keywords):
        if not left_over[0]:
            raise KeyboardInterrupt
        left_over[0] -= 1
        return play(*args, **keywords)

    monkeypatch.setattr(search, "compare", broken_off)
    with pytest.raises(KeyboardInterrupt):
        tuned(tmp_path)
    monkeypatch.setattr(search, "compare", play)
    state = tmp_path / "s.json"
    played = len(json.loads(state.read_text())["steps"]) if state.exists() else 0
    assert bool(played) is bool(games)
    folder, found = straight
    assert left(tuned(tmp_path, resume=True)) == left(found)
    for name in ("s.json", "log.csv"):
        assert (tmp_path / name).read_text() == (folder / name).read_text()
    assert played < len(json.loads(state.read_text())["steps"])


def test_a_search_that_has_ended_plays_nothing_when_it_goes_on(straight, monkeypatch):
    folder, found = straight
    monkeypatch.setattr(search, "compare", None)
    assert left(tuned(folder, resume=True)) == left(found)


def test_the_log_has_a_row_for_every_step(straight):
    folder, found = straight
    with (folder / "log.csv").open() as file:
        rows = [(row["round"], row["what"]) for row in csv.DictReader(file)]
    begin = [name for name in found.pool if not name.startswith("round")]
    expected = [("0", "grid")] * 15 + [("0", "payoff")] * sum(range(len(begin)))
    assert len(begin) >= 2
    for number in ("1", "2"):
        expected += [(number, what) for what in ("levels", "generation", "generation", "test")]
        if f"round {number}" not in found.pool:
            break
        expected += [(number, "payoff")] * list(found.pool).index(f"round {number}")
    assert rows == [*expected, (number, "end")]


def test_a_state_is_refused_where_it_is_not_that_of_the_search(straight, tmp_path):
    folder, _ = straight
    with pytest.raises(sit.StudyError, match="holds a search already: go on with it"):
        tuned(folder)
    with pytest.raises(sit.StudyError, match=r"is the state of another search: its pairs is 8, not 5"):
        tuned(folder, resume=True, pairs=5)
    with pytest.raises(sit.StudyError, match="another search: its rules is"):
        sit.tune("sitoumussamba", **TINY, state=folder / "s.json", resume=True)
    given = json.loads((folder / "s.json").read_text())
    for name, change, words in (
        ("part", None, "cannot be read as the state of a search"),
        ("other", {"format": "mine"}, "is no state of a search"),
        ("old", {"result_version": 3}, "was played with result version 3"),
        ("changed", {"steps": [{**given["steps"][0], "players": "0" * 12}]}, "step 0 was another one"),
    ):
        text = json.dumps(given | change) if change else json.dumps(given)[:-30]
        (tmp_path / name).write_text(text)
        with pytest.raises(sit.StudyError, match=words):
            sit.tune(HOUSE, **TINY, state=tmp_path / name, resume=True)
    with pytest.raises(sit.StudyError, match="is no directory"):
        sit.tune(HOUSE, **TINY, state=tmp_path / "none" / "s.json")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"start": "greedy"}, "start is 'greedy': it must be a heuristic policy"),
        ({"start": "best"}, "unknown policy 'best'"),
        ({"against": [sit.Policy()]}, "opponents of a search are compiled policies"),
        ({"parameters": ["bids_*"]}, r"parameters: 'bids_\*' fits no parameter"),
        ({"parameters": ["bid_run5", "-bid_*"]}, "leave none that counts"),
        ({"rules": "samba", "parameters": ["bid_*"]}, "leave none that counts under these rules"),
        ({"rules": "sambo"}, "unknown preset"),
        ({"population": 3}, "population is 3: it must be a whole number from 4 to 1000"),
        ({"generations": 0}, "generations is 0"),
        ({"rounds": 1.5}, "rounds is 1.5"),
        ({"pairs": True}, "pairs is True"),
        ({"seed": -1}, "seed is -1"),
        ({"sigma": 0}, "sigma is 0: it must be a number above 0"),
        ({"sigma": float("nan")}, "sigma is nan"),
    ],
)
def test_settings_that_cannot_be_are_refused(given, words):
    with pytest.raises(sit.SitoumusError, match=words):
        Settings(**given)


def test_without_the_package_cma_an_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "cma", None)
    with pytest.raises(sit.StudyError, match=r"tuning needs the package cma: pip install 'sitoumus\[tune\]'"):
        tuned()


def test_a_game_without_an_auction_is_tuned_by_what_counts_in_it():
    names = chosen(["*"], policy("heuristic"), sit.SAMBA)
    assert "take_card" in names
    assert not [name for name in names if name.startswith(("bid_", "made_", "race_"))]
    found = sit.tune("samba", **TINY | {"start": "heuristic", "parameters": ["take_*"], "rounds": 1, "test_pairs": 4})
    assert set(found.pool) <= {"start", "round 1"}


def test_points_of_the_space_are_whole_numbers_within_the_bounds():
    start = policy("racer@15")
    space = Space(chosen(["*"], start, HOUSE), start)
    assert space.player(np.zeros(len(space.names))) == start
    far = 1000 * np.random.default_rng(1).standard_normal((20, len(space.names)))
    for x in far:
        params = space.player(x).params
        for name in space.names:
            low, high = BOUNDS.get(name, (0, 20_000))
            assert min(low, start.params[name]) <= params[name] <= max(high, start.params[name])
            assert isinstance(params[name], int)


def test_every_parameter_has_a_step():
    assert all(Space.scale(parameter.name) > 0 for parameter in PARAMETERS)


def test_the_command_writes_a_player_that_every_policies_option_reads(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.toml").write_text("void_cost = [0, 100]\n")
    command = "tune --rules house.toml --out mine.json --start racer@15 --parameters bid_* --parameters double_level"
    command += " --rounds 1 --generations 1 --population 4 --pairs 4 --test-pairs 30 --seed 3"
    command = command.split()
    assert cli.run(command) == 0
    assert re.search(r"^ *start +\d+ % +\+0 .*\n\n(\S+: [+-]\d+ points a deal|start: nothing)", shown(capsys), re.S)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "house.toml",
        "mine.json",
        "mine.log.csv",
        "mine.state.json",
    ]
    found = policy("mine.json")
    assert found == sit.HeuristicPolicy.from_dict(json.loads((tmp_path / "mine.json").read_text()))
    assert sit.play(sit.Deal(seed=7, number=1), policies="mine.json") == sit.play(
        sit.Deal(seed=7, number=1), policies=found
    )
    assert cli.run(["simulate", "20", "--policies", "mine.json,racer@15", "--rules", "house.toml"]) == 0
    assert cli.run(command) == 2
    assert "go on with it (resume)" in capsys.readouterr().err
    assert cli.run([*command, "--resume", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["player"] == found.to_dict()
    assert cli.run(["tune", "--out", "mine.txt"]) == 2
    assert "must end with .json" in capsys.readouterr().err


def test_ctrl_c_ends_the_command_with_what_was_played_in_its_state(tmp_path, monkeypatch, capsys):
    def stop(*args, **keywords):
        raise KeyboardInterrupt

    play, played = search.compare, iter([False] * 3 + [True])
    monkeypatch.setattr(search, "compare", lambda *a, **k: stop() if next(played) else play(*a, **k))
    out = tmp_path / "mine.json"
    assert cli.run(["tune", "--out", str(out), "--start", "racer@15", "--pairs", "2", "--test-pairs", "4"]) == 130
    said = capsys.readouterr().err
    assert re.search(r"ctrl-C: what was played stands in .*mine\.state\.json, and --resume goes on", said)
    assert len(json.loads((tmp_path / "mine.state.json").read_text())["steps"]) == 2
    assert not out.exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [("{", "cannot be read"), ("[]", "holds no policy"), ('{"bid_frist": 3}', "'bid_frist' is no parameter")],
)
def test_files_that_hold_no_policy_are_refused(tmp_path, text, words):
    path = tmp_path / "player.json"
    path.write_text(text)
    with pytest.raises(sit.PolicyError, match=words):
        policy(str(path))
    with pytest.raises(sit.PolicyError, match=r"none\.json cannot be read"):
        policy(str(tmp_path / "none.json"))
