"""A deal between people and the computer."""

import os
import random
import select
import subprocess
import sys
import time

import pytest

import sitoumus as sit
from sitoumus.session import Session


def play_on(session, limit=2000):
    """Play a session to its end by the middle one of the choices."""
    while not session.over and limit:
        limit -= 1
        session.say("" if session.covered else str((len(session.table.legal_actions) + 1) // 2))
    return session


@pytest.mark.parametrize("name", list(sit.PRESETS))
def test_a_deal_of_each_game_is_played_by_numbers_to_its_score(name):
    session = Session(sit.Deal(seed=5, number=1, rules=name), ["N"], "greedy", name)
    session.start()
    play_on(session)
    assert session.table.phase == "over"
    assert sit.Game.from_dict(session.game.to_dict()) == session.game


def test_nothing_that_is_typed_raises_or_changes_the_table_unless_it_is_legal():
    session = Session(sit.Deal(seed=1, number=3), ["S"], "greedy")
    session.start()
    words = [
        "meld",
        "m",
        "d",
        "0",
        "-1",
        "٣",
        "99999999999999999999999",
        "why",
        "why 3",
        "bid",
        "7H",
        "take",
        "\x00",
        "legal x",
        "Ac",
        "2c",
        "JK",
        "",
        "say_",
        "add",
        "help",
        "board",
        "history",
        "say",
        "save \x00",
    ]
    draw = random.Random(1)
    for _ in range(2000):
        text = " ".join(draw.choice(words) for _ in range(draw.randint(0, 4)))
        before = session.table.copy()
        legal = before.legal_actions
        assert all(isinstance(line, str) for line in session.say(text))
        if session.over:
            break
        if session.table != before:
            assert session.table.actions[len(before.actions)] in legal


def test_a_refusal_says_its_reason_with_the_rule_and_keeps_the_table():
    session = Session(sit.Deal(seed=1, number=3), ["S"], "greedy")
    session.start()
    before = session.table.copy()
    lines = session.say("d 3c")
    assert "is not legal" in lines[0]
    assert lines == session.say("why discard 3c")
    assert session.table == before


def test_lines_hold_no_card_of_another_hand():
    session = Session(sit.Deal(seed=1, number=3), ["S"], "greedy")
    shown = session.start()
    rows = [line for line in shown if line[:2] in ("N ", "E ", "W ") and "?" in line]
    assert [row.split()[1] for row in rows] == ["?15"] * 3


def test_a_hint_is_the_same_when_hidden_cards_are_exchanged():
    table = sit.Table(sit.Deal(seed=1, number=3))
    position = table.to_position()
    hints = []
    for swap in (False, True):
        given = {**position, "hands": dict(position["hands"])}
        if swap:
            given["hands"]["N"], given["hands"]["W"] = given["hands"]["W"], given["hands"]["N"]
        other = sit.Table.from_position(given)
        session = Session(sit.Deal(seed=1, number=3), ["E"], "greedy")
        session.table = other
        session._seen = other.turn
        hints.append(session.say("hint"))
    assert "worlds tried" in hints[0][0]
    assert hints[0] == hints[1]


def test_a_hand_is_covered_until_the_next_person_sits_down():
    session = Session(sit.Deal(seed=1, number=3), ["E", "S"], "greedy")
    hand = str(session.table.hand("E"))
    assert session.covered
    assert hand not in "\n".join(session.start())
    assert hand in "\n".join(session.say(""))
    assert str(session.table.hand("S")) not in "\n".join(session.say("pass"))


def test_a_saved_game_goes_on_to_the_same_end(tmp_path):
    path = tmp_path / "game.json"
    session = Session(sit.Deal(seed=4, number=2), ["S"], "greedy", save=path)
    session.start()
    for _ in range(6):
        session.say(str((len(session.table.legal_actions) + 1) // 2))
    again = Session.resume(sit.load_game(path))
    assert again.table == session.table
    again.start()
    assert play_on(again).table.actions == play_on(session).table.actions
    assert sit.load_game(path) == session.game
    with pytest.raises(sit.StudyError, match="is over"):
        Session.resume(sit.load_game(path))


def test_the_list_of_actions_is_at_most_80_columns_wide_and_numbers_all_of_them():
    session = Session(sit.Deal(seed=1, number=3), ["S"], "greedy")
    session.start()
    lines = session.say("legal")
    legal = list(session.table.legal_actions)
    assert max(map(len, lines)) <= 80
    words = " ".join(lines).split()
    assert words == [word for n, action in enumerate(legal, 1) for word in (str(n), *action.split())]


def test_who_has_not_sat_down_yet_may_leave():
    session = Session(sit.Deal(seed=1, number=3), ["E", "S"], "greedy")
    session.start()
    assert session.covered
    assert session.say("quit") == ["You have left the table."]
    assert session.over


def test_the_record_is_whole_after_every_action_so_that_a_kill_loses_nothing(tmp_path):
    path = tmp_path / "game.json"
    session = Session(sit.Deal(seed=4, number=2), ["S"], "greedy", save=path)
    session.start()
    for _ in range(30):
        assert list(sit.load_game(path).actions) == session.table.actions
        assert [file.name for file in tmp_path.iterdir()] == ["game.json"]
        session.say("1")


def test_a_record_that_can_no_longer_be_written_does_not_end_the_game(tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()
    session = Session(sit.Deal(seed=1, number=3), ["S"], "greedy", save=folder / "game.json")
    session.start()
    (folder / "game.json").unlink()
    folder.rmdir()
    before = len(session.table.actions)
    assert "cannot be written" in session.say("1")[0]
    assert len(session.table.actions) > before
    assert "no longer written" not in "".join(session.say("1"))


@pytest.mark.parametrize("name", list(sit.PRESETS))
def test_a_record_of_each_game_goes_on_with_the_same_people_and_policies(name):
    session = Session(sit.Deal(seed=2, number=1, rules=name), ["N"], "tuned", name)
    session.start()
    again = Session.resume(sit.Game.from_dict(session.game.to_dict()))
    assert (again.people, again.policies, again.table) == (session.people, session.policies, session.table)


def test_what_begins_so_is_completed_but_not_for_a_hand_that_is_covered():
    session = Session(sit.Deal(seed=1, number=3), ["S"], "greedy")
    session.start()
    assert session.completions("7") == [f"7{strain}" for strain in ("C", "D", "H", "S", "CAN", "DEU")]
    assert session.completions("hi") == ["hint", "history"]
    covered = Session(sit.Deal(seed=1, number=3), ["E", "S"], "greedy")
    covered.start()
    assert covered.completions("") == []


def test_hand_and_pile_are_shown_alone_and_an_empty_line_asks():
    session = Session(sit.Deal(seed=1, number=3), ["S"], "greedy")
    session.start()
    assert session.say("hand") == [
        "3c 4c 5c 5h 6d 6s 6s 7h 8c 8s 9h Th Js Kc JK",
        f"15 cards, {session.table.hand('S').points} points",
    ]
    assert session.say("pile") == ["pile    empty", "stock   102"]
    assert session.say(" ") == ["S is to act in phase auction: type an action, legal, or help."]


def test_a_seat_that_is_not_there_is_refused():
    with pytest.raises(sit.StudyError, match="a seat for a person is 'X'"):
        Session(sit.Deal(seed=1), ["X"])


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_the_command_plays_at_a_terminal_and_its_record_replays(tmp_path):
    import pty

    path = tmp_path / "game.json"
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "sitoumus", "play-against", "greedy", "--seed", "5", "--save", str(path)]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True)
    os.close(theirs)
    said, end, asked = b"", time.monotonic() + 60, 0
    try:
        while time.monotonic() < end:
            if not select.select([ours], [], [], 1)[0]:
                if process.poll() is not None:
                    break
                continue
            try:
                piece = os.read(ours, 65536)
            except OSError:
                break
            if not piece:
                break
            said += piece
            if said.count(b"S> ") > asked:
                asked = said.count(b"S> ")
                os.write(ours, b"help\n" if asked == 1 else b"1\n")
    finally:
        os.close(ours)
        if process.poll() is None and time.monotonic() >= end:
            process.kill()
    assert process.wait(timeout=10) == 0, said[-2000:]
    assert b"Short forms" in said
    game = sit.load_game(path)
    assert game.over
    assert str(game.score["NS"]).encode() in said
