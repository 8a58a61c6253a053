"""Whole deals: the bare loop under each policy, other games, features, Python policies, single tables."""

import pytest

import sitoumus as sit
from sitoumus.policies import NAMED, compiled
from sitoumus.run import Run

POLICIES = [name for name, policy in NAMED.items() if compiled(policy) is not None]
DEALS = 500


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("contract", [None, "3H by E"])
def test_whole_deals(benchmark, policy, contract):
    run = Run.of(policies=policy, contract=contract)
    rows = run.allocate(DEALS)
    benchmark.extra_info["deals"] = DEALS
    benchmark(run.fill, rows, 0, DEALS)


@pytest.mark.parametrize("name", list(sit.PRESETS))
def test_other_games(benchmark, name):
    run = Run.of(rules=sit.preset(name))
    rows = run.allocate(DEALS)
    benchmark(run.fill, rows, 0, DEALS)


@pytest.mark.parametrize("more", [{}, {"features": True}, {"cards": True}], ids=["rows", "features", "cards"])
def test_simulate(benchmark, more):
    benchmark(sit.simulate, DEALS, threads=1, progress=False, **more)


class First(sit.Policy):
    """The first legal action."""

    def act(self, view, legal):
        return legal[0]


def test_a_python_policy_at_one_seat(benchmark):
    benchmark(sit.simulate, 20, policies=[First(), "heuristic", "heuristic", "heuristic"], progress=False)


def test_one_game(benchmark):
    benchmark(lambda: sit.play(sit.Deal(seed=7, number=42)).score)


def test_push_and_pop(benchmark, tables):
    some = [(table, table.legal_actions[0]) for table in tables[:100]]

    def there_and_back():
        for table, action in some:
            table.push(action)
            table.pop()

    benchmark(there_and_back)


def test_legal_actions_of_a_copy(benchmark, tables):
    benchmark(lambda: [len(table.copy().legal_actions) for table in tables[:100]])
