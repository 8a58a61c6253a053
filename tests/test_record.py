"""Game records: they replay, round-trip, and refuse what does not replay with the number of the action."""

import copy
import json
import random

import pytest

pytest.importorskip("sitoumus._core")

import sitoumus as sit
from sitoumus.errors import RecordError
from sitoumus.record import KEYS, OPTIONAL, Game, load_game, load_games, save_games

PRESETS = ["sitoumussamba", "finnish_canasta", "finnish_canasta_2p", "finnish_canasta_3p", "tile_canasta", "samba"]


def played(preset="sitoumussamba", number=0, dealer="N", most=2000, **options):
    """A deal played at random, verb by verb so that it gets somewhere."""
    rules = sit.preset(preset).replace(**options)
    deal = sit.Deal(seed=7, number=number, rules=rules)
    totals = (1500, -5, 0)[: len(sit.Table(deal, rules=rules).penalties)]
    table = sit.Table(deal, rules=rules, dealer=dealer, totals=totals)
    chance = random.Random(number)
    actions = []
    while table.phase != "over" and len(actions) < most:
        legal = [str(action) for action in table.legal_actions]
        verb = chance.choice(sorted({action.split()[0] for action in legal}))
        actions.append(chance.choice([action for action in legal if action.split()[0] == verb]))
        table.push(actions[-1])
    return Game(deal, table, tuple(actions), dealer=dealer, totals=totals, policies=("by hand",))


@pytest.fixture(scope="module")
def record():
    return json.loads(json.dumps(played().to_dict()))


def refusal(record, /, **changes):
    record = copy.deepcopy(record) | changes
    with pytest.raises(RecordError) as caught:
        Game.from_dict(record)
    return str(caught.value)


def test_a_record_has_the_keys_of_the_format_in_order(record):
    assert tuple(record) == tuple(key for key in KEYS if key not in OPTIONAL)
    assert record["format"] == "sitoumus-game-1"
    assert record["rules"] == {"preset": "sitoumussamba", "options": {}}
    assert (record["seed"], record["number"], record["policy_seed"]) == (7, 0, None)
    assert (record["dealer"], record["totals"], record["contract"]) == ("N", {"NS": 1500, "EW": -5}, None)
    assert set(record["cards"]["hands"]) == set("NESW")
    assert len(record["cards"]["stock"].split()) == 102
    assert set(record["scores"]) == set(record["components"]) == {"NS", "EW"}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("dealer", ["N", "S"])
def test_a_game_replays_from_its_record(preset, dealer):
    game = played(preset, number=3, dealer=dealer)
    again = Game.from_dict(json.loads(json.dumps(game.to_dict())))
    assert again.to_dict() == game.to_dict()
    assert again.table == game.table
    if not game.rules.deal.first_extra:  # the starter's hand does not tell which of its cards was the extra one
        assert again.deal == game.deal


def test_options_that_differ_stand_in_the_record():
    game = played(target=10000, permission=False)
    assert game.to_dict()["rules"]["options"] == {"target": 10000, "permission": False}
    assert Game.from_dict(game.to_dict()).rules == game.rules


def test_a_game_that_goes_on_has_no_result():
    game = played(most=30)
    record = game.to_dict()
    assert not game.over
    with pytest.raises(sit.RecordError, match="the deal is not over"):
        game.score  # noqa: B018
    assert record["result"] is record["ended"] is record["scores"] is record["components"] is None
    assert Game.from_dict(record).table == game.table


def test_the_table_after_some_actions():
    game = played()
    assert game.at(0).phase == "auction"
    assert game.at(len(game.actions)) == game.table
    assert game.at(-1).after(game.actions[-1]) == game.table
    with pytest.raises(RecordError, match="there is no action 10000"):
        game.at(10000)


def test_the_transcript_names_every_action_once():
    game = played()
    assert sum(line.count(";") + 1 for line in game.transcript().splitlines()) == len(game.actions)
    assert game.transcript().startswith(f"calls: E {game.actions[0]}")


def test_saving_and_loading(tmp_path):
    game = played()
    game.save(tmp_path / "42.json")
    assert load_game(tmp_path / "42.json").to_dict() == game.to_dict()
    lines = tmp_path / "games.jsonl"
    save_games([played(number=n) for n in range(3)], lines)
    game.save(lines)
    assert len(lines.read_text().splitlines()) == 4
    assert [found.deal.number for found in load_games(lines)] == [0, 1, 2, 0]
    assert load_game(lines, 2).deal.number == 2
    with pytest.raises(RecordError, match=r"holds 4 games: say which, from 0 to 3"):
        load_game(lines)
    with pytest.raises(RecordError, match=r"has no game 4: it holds 4"):
        load_game(lines, 4)


def test_cards_given_by_hand_have_no_seed():
    deal = sit.Deal(seed=7, number=1)
    hands = {seat: str(hand) for seat, hand in deal.hands.items()}
    given = sit.Deal.from_cards(hands, " ".join(deal.stock), sit.SITOUMUSSAMBA)
    record = Game(given, sit.Table(given), ()).to_dict()
    assert record["seed"] is record["number"] is None
    assert Game.from_dict(record).to_dict() == record


def test_files_that_cannot_be_read_are_refused(tmp_path):
    path = tmp_path / "x.json"
    with pytest.raises(RecordError, match=r"x\.json cannot be read"):
        load_game(path)
    path.write_text("{")
    with pytest.raises(RecordError, match=r"x\.json is no JSON: .* line 1"):
        load_game(path)
    path.write_text("[]")
    with pytest.raises(RecordError, match=r"x\.json: a record is a JSON object, not list"):
        load_game(path)
    lines = tmp_path / "x.jsonl"
    lines.write_text("\n{}\n")
    with pytest.raises(RecordError, match=r"x\.jsonl line 2: format is None"):
        load_game(lines)


def test_the_action_that_fails_is_numbered(record):
    actions = record["actions"]
    message = refusal(record, actions=[*actions[:4], "fly", *actions[5:]])
    assert message.startswith("action 5 ('fly') fails: ")
    message = refusal(record, actions=[*actions, "draw"])
    assert message.startswith(f"action {len(actions) + 1} ('draw') fails: ")
    assert refusal(record, actions=["pass", 5]) == "actions 2 is 5: it must be a text"


def test_a_record_that_ends_otherwise_is_refused(record):
    assert refusal(record, result="won").startswith("result is 'won', but the replay gives ")
    assert refusal(record, ended="never").startswith("ended is 'never', but the replay gives ")
    assert refusal(record, scores={"NS": 1, "EW": 2}).startswith("scores is {'NS': 1, 'EW': 2}, but the replay gives ")
    assert refusal(record, components={}).startswith("components is {}, but the replay gives ")
    assert refusal(record, actions=record["actions"][:-1]).endswith("but the replay gives None")
