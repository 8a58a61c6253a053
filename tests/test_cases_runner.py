"""The runner of rule cases: what passes, what fails and with which words, on a table that is not the real one."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from sitoumus.cases import CaseResult, check, check_case
from sitoumus.errors import CaseFileError, IllegalActionError, InvalidActionError, InvalidPositionError

CASE_FILES = sorted((Path(__file__).parent / "cases").glob("*.toml"))


class PaperTable:
    """Answers from a script: ``draw`` and ``take 9c 9d`` are legal, ``draw`` leads on, all else is refused."""

    played: tuple[str, ...] = ()
    legal_actions = ("draw", "take 9c 9d", "3H")
    phase, turn, stock_size, frozen, contract, winner = "draw", "E", 40, False, "4H by S doubled", "none"
    pile = ("9h", "4s")

    @classmethod
    def from_position(cls, position, rules):
        if position.get("phase") == "wrong":
            raise InvalidPositionError("surplus 9c: a fourth one")
        return cls()

    def to_position(self):
        return {"hands": {"E": "", "N": ""}, "played": self.played}

    @property
    def penalties(self):
        return {"NS": 0, "EW": 100}

    def push(self, action):
        if action == "silent":
            raise IllegalActionError
        if action == "unstable":
            self.played = (*self.played, action)
            raise IllegalActionError("no, but it stays")
        if action not in (*self.legal_actions, "end"):
            raise InvalidActionError(f"no action {action}\nin this position")
        self.played = (*self.played, action)
        self.phase = "meld"

    def pop(self):
        self.played = self.played[:-1]
        self.phase = "draw"

    def hand(self, seat):
        return SimpleNamespace(cards=["Kh", "9d", "9c"])

    def melds(self, side):
        return () if side == "NS" else (SimpleNamespace(cards=["Kc", "Kd", "Kh"]),)

    def bonus(self, side):
        return ("3h", "3d")

    def minimum(self, side):
        return 50

    def score(self):
        return PaperScore()


class PaperScore(dict):
    result = "made"

    def __missing__(self, side):
        return {"NS": 2705, "EW": -600}[side]


@pytest.fixture(autouse=True)
def paper_table(request, monkeypatch):
    if "real_table" in request.fixturenames:
        return
    core = ModuleType("sitoumus._core")
    core.Table = PaperTable
    monkeypatch.setitem(sys.modules, "sitoumus._core", core)


def failures(expect, /, **case):
    return [str(failure) for failure in check_case({"id": "x", "expect": expect, **case}).failures]


RIGHT = {
    "legal": ["draw"],
    "illegal": ["take 9c"],
    "count": {"take": 1, "bid": 1, "draw": 1, "meld": 0},
    "hands": {"E": "9c Kh 9d"},
    "pile": "9h 4S",
    "stock": 40,
    "frozen": False,
    "melds": {"EW": ["Kh Kd Kc"], "NS": []},
    "turn": "E",
    "phase": "draw",
    "minimum": {"NS": 50},
    "contract": "4h by s doubled",
    "penalties": {"EW": 100},
    "bonus": {"NS": "3d 3h"},
    "result": "made",
    "scores": {"NS": 2705, "EW": -600},
    "winner": "none",
}
WRONG = {
    "legal": (["draw", "fly"], "legal: expected 'fly' to be legal, got the refusal: no action fly in this position"),
    "illegal": (["draw"], "illegal: expected 'draw' to be refused, got a legal action"),
    "count": ({"take": 2}, "count.take: expected 2, got 1"),
    "hands": ({"E": "9c 9c Kh"}, "hands.E: expected '9c 9c Kh', got '9c 9d Kh'"),
    "pile": ("4s 9h", "pile: expected '4s 9h', got '9h 4s'"),
    "stock": (41, "stock: expected 41, got 40"),
    "frozen": (0, "frozen: expected 0, got False"),
    "melds": ({"EW": []}, "melds.EW: expected [], got ['Kc Kd Kh']"),
    "turn": ("S", "turn: expected 'S', got 'E'"),
    "phase": ("meld", "phase: expected 'meld', got 'draw'"),
    "minimum": ({"EW": 90}, "minimum.EW: expected 90, got 50"),
    "contract": ("4H by S", "contract: expected '4H by S', got '4H by S doubled'"),
    "penalties": ({"NS": 100}, "penalties.NS: expected 100, got 0"),
    "bonus": ({"NS": "3d"}, "bonus.NS: expected '3d', got '3d 3h'"),
    "result": ("void", "result: expected 'void', got 'made'"),
    "scores": ({"NS": 0}, "scores.NS: expected 0, got 2705"),
    "winner": ("NS", "winner: expected 'NS', got 'none'"),
}
MISWRITTEN = {
    "legal": ("draw", "legal: expected a list of texts, got 'draw'"),
    "illegal": ([1], "illegal: expected a list of texts, got [1]"),
    "count": ({"takes": 1}, "count: expected keys out of pass, bid, double"),
    "hands": ({"X": ""}, "hands: expected keys out of E, N, got 'X'"),
    "pile": (["9h"], "pile: expected a text, got ['9h']"),
    "melds": ({"EW": "Kc Kd Kh"}, "melds: expected a list of texts, got 'Kc Kd Kh'"),
    "minimum": ({"SN": 50}, "minimum: expected keys out of NS, EW, got 'SN'"),
    "contract": (4, "contract: expected a text, got 4"),
    "bonus": ({"NS": "3x"}, "bonus: expected {'NS': '3x'}, got the refusal: '3x' (card 1) is no card"),
    "scores": (5, "scores: expected a table, got 5"),
    "play": ("draw", "play: expected a list of texts, got 'draw'"),
    "error": (["surplus"], "error: expected a text, got ['surplus']"),
}


def test_a_case_passes_where_every_answer_is_the_expected_one():
    assert failures(RIGHT) == []
    assert check_case({"id": "x", "rule": "R1.1", "note": "n", "expect": RIGHT}) == CaseResult("x", "R1.1")


@pytest.mark.parametrize("key", sorted(RIGHT))
def test_each_key_is_checked(key):
    assert failures({key: RIGHT[key]}) == []
    expected, message = WRONG[key]
    assert failures({key: expected}) == [message]


@pytest.mark.parametrize("key", sorted(MISWRITTEN))
def test_a_key_that_cannot_be_checked_fails_with_what_would_be_right(key):
    expected, message = MISWRITTEN[key]
    (failure,) = failures({key: expected})
    assert failure.startswith(message)


def test_the_other_keys_speak_of_the_position_after_the_last_action_played():
    assert failures({"play": ["draw"], "phase": "meld"}) == []
    assert failures({"play": ["draw", "fly"], "phase": "meld"}) == [
        "play 2: expected 'fly' to be legal, got the refusal: no action fly in this position"
    ]


def test_a_refusal_has_a_reason_and_changes_nothing():
    assert failures({"illegal": ["silent"]}) == [
        "illegal: expected a reason for refusing 'silent', got an error without words"
    ]
    (failure,) = failures({"illegal": ["unstable", "draw"]})
    assert failure.startswith("illegal: expected 'unstable' to change nothing, got {'hands'")


def test_what_can_be_played_but_is_not_listed_fails_either_way():
    assert failures({"legal": ["end"]}) == [
        "legal: expected 'end' in the legal actions, got a table that plays it all the same"
    ]
    assert failures({"illegal": ["end"]}) == ["illegal: expected 'end' to be refused, got a table that plays it"]


def test_an_expected_error_is_the_only_key_and_its_word_occurs():
    wrong = {"phase": "wrong"}
    assert failures({"error": "surplus"}, position=wrong) == []
    assert failures({"error": "bonus"}, position=wrong) == [
        "position: expected an error with 'bonus', got the refusal: surplus 9c: a fourth one"
    ]
    assert failures({"error": "surplus"}) == ["position: expected an error with 'surplus', got a position"]
    assert failures({"phase": "draw"}, position=wrong) == [
        "position: expected a position, got the refusal: surplus 9c: a fourth one"
    ]
    assert failures({"error": "surplus", "phase": "draw"})[0].startswith("expect: expected at least one key, and error")


def test_unknown_keys_and_rules_fail_the_case():
    assert failures({"phase": "draw"}, rool="R1")[0].startswith("case: expected keys out of id, rule, note")
    assert failures({"phaze": "draw"})[0].startswith("expect: expected keys out of play, phase, turn")
    assert failures({})[0].startswith("expect: expected at least one key")
    assert failures({"phase": "draw"}, rules="whist")[0].startswith("rules: expected a rule set, got the refusal:")
    assert "unknown option 'no_such'" in failures({"phase": "draw"}, options={"no_such": 1})[0]
    assert failures({"phase": "draw"}, position={"rules": "samba"}) == [
        "position: expected rules beside the position, not in it, got 'rules'"
    ]


def test_a_failed_case_is_one_line_with_id_and_rule(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        '[[case]]\nid = "first"\nrule = "R24.2"\n[case.expect]\nphase = "over"\nturn = "W"\n'
        '[[case]]\nwhat = 1\n[[case]]\nid = "third"\n[case.expect]\nphase = "draw"\n'
    )
    first, second, third = check(path)
    assert str(first) == "first (R24.2): phase: expected 'over', got 'draw'; turn: expected 'W', got 'E'"
    assert (second.id, second.passed) == ("case 2", False)
    assert third.passed
    assert str(third) == "third: passed"


def test_a_file_that_cannot_be_read_is_an_error(tmp_path):
    path = tmp_path / "mine.toml"
    with pytest.raises(CaseFileError, match="cannot be read"):
        check(path)
    for text, message in {
        "[[case]\n": "cannot be read",
        "": r"holds no \[\[case\]\] tables",
        "case = 5": r"holds no \[\[case\]\] tables",
        "cases = []": "unknown key 'cases'",
    }.items():
        path.write_text(text)
        with pytest.raises(CaseFileError, match=message):
            check(path)


@pytest.mark.parametrize("path", CASE_FILES, ids=lambda path: path.stem)
@pytest.mark.usefixtures("real_table")
def test_every_case_of_the_project_passes(path):
    failed = [str(result) for result in check(path) if not result.passed]
    assert not failed, "\n".join(failed)


@pytest.fixture
def real_table():
    pytest.importorskip("sitoumus._core")
