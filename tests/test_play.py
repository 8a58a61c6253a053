"""Single deals and matches: forced contracts, policies in Python, the score sheet."""

import pytest

import sitoumus as sit
from sitoumus.play import LONGEST_MATCH, finish, first_dealer, settlement
from sitoumus.policies import policy as as_policy


class Chance(sit.Policy):
    """A random single step."""

    def act(self, view, legal):
        return legal[int(self.rng(view).integers(len(legal)))]


class Mute:
    """Always the same answer."""

    def __init__(self, answer):
        self.answer = answer

    def act(self, view, legal):
        return self.answer


DEAL = sit.Deal(seed=7, number=42)


def test_a_game_replays_and_repeats():
    game = sit.play(DEAL, policies="random", totals=(1500, -5), dealer="W")
    assert game.table.phase == "over"
    assert sit.Game.from_dict(game.to_dict()).score == game.score
    assert sit.play(DEAL, policies="random", totals=(1500, -5), dealer="W").actions == game.actions
    assert sit.play(DEAL, policies="random", policy_seed=8).actions != sit.play(DEAL, policies="random").actions


@pytest.mark.parametrize(
    ("contract", "calls"),
    [
        ("3H by E", "3H pass pass pass"),
        ("3H by N", "pass pass pass 3H pass pass pass"),
        ("4CAN by S doubled", "pass 4CAN double"),
        ("none", "pass pass pass pass"),
    ],
)
def test_a_forced_contract_is_passes_the_bid_and_passes_or_the_next_opponents_double(contract, calls):
    game = sit.play(DEAL, policies="random", contract=contract)
    assert game.table.calls == tuple(calls.split())
    assert game.actions[: len(calls.split())] == tuple(calls.split())
    assert game.contract == (None if contract == "none" else contract)
    assert sit.Game.from_dict(game.to_dict()).actions == game.actions


def test_bids_beneath_stand_in_the_auction():
    game = sit.play(DEAL, policies="random", contract="3H by E", below=("2S by S", "2CAN by N"))
    assert game.actions[:9] == ("pass", "2S", "pass", "2CAN", "3H", "pass", "pass", "pass", game.actions[8])


@pytest.mark.parametrize(
    ("contract", "below", "message"),
    [
        ("3X by E", (), "'3X by E' is no contract"),
        ("21C by E", (), "the highest level is 20"),
        ("3H by E", ("3S by S",), "'3H by E' does not outbid 3S"),
        ("3H by E", ("2S by E",), "after three passes E cannot bid over the own bid"),
        ("3H by E", ("2S by S doubled",), "only the last bid can be doubled"),
        ("none", ("2S by S",), "give one of the two"),
        (None, ("2S by S",), "bids beneath go with a forced contract"),
    ],
)
def test_contracts_that_cannot_be_are_refused(contract, below, message):
    with pytest.raises(sit.SitoumusError, match=message):
        sit.play(DEAL, policies="random", contract=contract, below=below)


def test_a_game_without_an_auction_has_no_contract():
    with pytest.raises(sit.StudyError, match="samba has no auction"):
        sit.play(sit.Deal(rules=sit.SAMBA), policies="random", contract="3H by E")


def test_policies_are_one_for_all_by_side_or_by_seat():
    same = sit.play(DEAL, policies=("random",) * 4)
    assert same.actions == sit.play(DEAL, policies="random").actions == sit.play(DEAL, policies=["random"] * 2).actions
    assert same.policies == ("random",)
    with pytest.raises(sit.PolicyError, match="unknown policy 'wise': known names are random, "):
        sit.play(DEAL, policies="wise")
    with pytest.raises(sit.PolicyError, match="policies are 3: give one for all, one for each of NS, EW, or "):
        sit.play(DEAL, policies=("random",) * 3)
    with pytest.raises(sit.PolicyError, match="5 is no policy"):
        sit.play(DEAL, policies=5)


def test_policies_written_in_python_sit_beside_compiled_ones():
    game = sit.play(DEAL, policies=("random", Chance()), contract="2C by E")
    assert game.table.phase == "over"
    assert game.actions == sit.play(DEAL, policies=("random", Chance()), contract="2C by E").actions
    assert game.policies[1].endswith("Chance")


def test_random_numbers_of_a_python_policy_have_the_address_of_the_decision():
    first, *_ = {str(Chance().rng(sit.Table(DEAL).view("E")).random()) for _ in range(5)}
    table = sit.Table(DEAL)
    other = Chance().rng(table.after("pass").view("S")).random()
    assert first != str(other)
    hidden = sit.Table(sit.Deal(seed=7, number=43)).view("E")
    assert Chance().rng(hidden).random() != float(first)


def test_the_steps_of_a_turn_have_random_numbers_of_their_own():
    game = sit.play(DEAL, policies="random", contract="none")
    table = sit.Table(DEAL).after("pass", "pass", "pass", "pass")
    steps = []
    for action in game.actions[4:12]:
        steps.append((table.turn, table.view(table.turn).step))
        table.push(action)
    assert len(set(steps)) == len(steps)
    assert steps[0] == ("E", 0)


@pytest.mark.parametrize("policy", ["random", Chance()])
def test_a_seat_may_pass_in_the_auction_whatever_it_holds(policy):
    calls = []
    for number in range(8):
        table = sit.Table(sit.Deal(seed=7, number=number))
        finish(table, [as_policy(policy)] * 4, passes=("E",))
        assert set(table.calls[::4]) == {"pass"}
        calls += table.calls
    assert set(calls) != {"pass"}


@pytest.mark.parametrize("answer", ["fly", "double", "discard 9c", 5])
def test_an_action_that_is_not_legal_raises_with_the_view(answer):
    with pytest.raises(sit.PolicyError, match=r"Mute returned .*<View of E: auction, E to act"):
        sit.play(DEAL, policies=Mute(answer))


def test_deals_of_a_match_have_numbers_from_1000_m_and_the_dealer_moves_left():
    match = sit.play_match(seed=7, number=3, policies="random", rules=sit.SITOUMUSSAMBA.replace(target=500))
    assert [game.deal.number for game in match.games] == [3000 + k for k in range(len(match.games))]
    assert "".join(game.dealer for game in match.games) == ("NESW" * 200)[: len(match.games)]


def test_totals_carry_over_and_the_sheet_adds_up():
    match = sit.play_match(seed=7, number=0, policies="random", rules=sit.SITOUMUSSAMBA.replace(target=500))
    sheet = match.sheet
    assert list(sheet.columns) == ["NS", "EW"]
    scores, totals = sheet.xs("score", level="line"), sheet.xs("total", level="line")
    assert (scores.cumsum() == totals).all(axis=None)
    for k, game in enumerate(match.games[1:], 1):
        assert game.totals == tuple(totals.loc[k])
    assert match.totals == dict(totals.iloc[-1])


def test_the_higher_total_wins_and_a_match_without_end_has_no_winner():
    low = sit.SITOUMUSSAMBA.replace(target=5)
    for number in range(5):
        match = sit.play_match(seed=7, number=number, policies="random", rules=low)
        if match.winner in ("NS", "EW"):
            assert match.totals[match.winner] == max(match.totals.values()) >= 5
            assert all(max(game.totals) < 5 for game in match.games)
        else:
            assert len(match.games) == LONGEST_MATCH
            assert match.winner == "none"


@pytest.mark.parametrize(
    ("settle", "ns", "ew", "expected"),
    [
        ("rounded_100", 5245, 3150, 2000),  # X4: 5,200 and 3,200
        ("rounded_100", 5250, 0, 5300),
        ("rounded_100", -350, 0, -300),  # halves up, also below zero
        ("rounded_100", -355, 0, -400),
        ("difference", 5245, 3150, 2095),
    ],
)
def test_the_sheet_settles_the_difference_between_two_sides(settle, ns, ew, expected):
    rules = sit.FINNISH_CANASTA.replace(**{"match.settle": settle})
    assert settlement(rules, {"NS": ns, "EW": ew}) == {"NS": expected, "EW": -expected}
    assert settlement(rules, {"NS": ew, "EW": ns}) == {"NS": -expected, "EW": expected}


def test_the_sheet_settles_the_totals_where_no_difference_is_asked_for():
    assert settlement(sit.FINNISH_CANASTA_3P, {"N": 5010, "E": 15, "S": -30}) == {"N": 5010, "E": 15, "S": -30}


def test_a_match_is_settled_by_its_rules_and_won_by_its_totals():
    totals = {}
    for settle in ("totals", "difference", "rounded_100"):
        rules = sit.RUSSIAN_CANASTA.replace(**{"match.settle": settle})
        match = sit.play_match(seed=3, rules=rules)
        totals[settle] = match.totals, match.winner
        assert match.settlement == settlement(rules, match.totals)
        frame = sit.simulate_matches(3, seed=3, rules=rules, progress=False)
        settled = [name for name in frame.columns if name.startswith("settled")]
        assert settled == ([] if settle == "totals" else ["settled_ns", "settled_ew"])
        if settled:
            assert frame[settled].iloc[0].tolist() == list(match.settlement.values())
            assert (frame["settled_ns"] == -frame["settled_ew"]).all()
    assert len({str(value) for value in totals.values()}) == 1


def test_the_first_dealer_sits_to_the_right_of_the_highest_card_drawn():
    dealers = [first_dealer(sit.SITOUMUSSAMBA, 7, m) for m in range(4000)]
    assert all(900 < dealers.count(seat) < 1100 for seat in range(4))
    low = sit.SITOUMUSSAMBA.replace(**{"match.end": ["deals", 1]})
    match = sit.play_match(seed=7, number=5, policies="random", rules=low, draw_for_dealer=True)
    assert match.games[0].dealer == "NESW"[dealers[5]]
    assert len(match.games) == 1


def test_pick_and_rng_are_the_same_for_the_same_decision_and_fair():
    views = [sit.Table(sit.Deal(seed=3, number=number)).view("E") for number in range(600)]
    policy = sit.Policy()
    picked = [policy.pick(view, "abc") for view in views]
    assert picked == [policy.pick(view, "abc") for view in views]
    assert all(150 < picked.count(letter) < 250 for letter in "abc")
    assert policy.rng(views[0]).integers(1 << 40) == policy.rng(views[0]).integers(1 << 40)
    assert policy.rng(views[0]).integers(1 << 40) != policy.rng(views[1]).integers(1 << 40)
