"""The same rows whatever runs them: threads, chunks, executors, order, ranges, processes, hash seeds."""

import json
import multiprocessing
import subprocess
import sys
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import pandas as pd
import pytest
from golden import make_rows

import sitoumus as sit
from sitoumus.far import workers_of

N = 1_200


def simulate(n=N, **keywords):
    usual = {"seed": 7, "policies": ("random", "greedy"), "dealer": "rotate", "progress": False, "threads": 1}
    return sit.simulate(n, **(usual | keywords))


@pytest.fixture(scope="module")
def frame():
    return simulate()


class Backwards(Executor):
    """Runs what it is given when it has four tasks, the last one first."""

    def __init__(self):
        self.waiting = []

    def submit(self, function, /, *arguments):
        future = Future()
        self.waiting.append((future, function, arguments))
        if len(self.waiting) == 4:
            self.run()
        return future

    def run(self):
        while self.waiting:
            future, function, arguments = self.waiting.pop()
            future.set_result(function(*arguments))


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("chunk", [10, 997, 100_000])
def test_threads_and_chunks(frame, threads, chunk):
    pd.testing.assert_frame_equal(simulate(threads=threads, chunk=chunk), frame, check_exact=True)


def test_chunks_of_one_deal(frame):
    pd.testing.assert_frame_equal(simulate(200, threads=3, chunk=1), frame[:200], check_exact=True)


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_a_process_pool(frame, method):
    with ProcessPoolExecutor(2, multiprocessing.get_context(method)) as executor:
        pd.testing.assert_frame_equal(simulate(executor=executor, chunk=100), frame, check_exact=True)


def test_a_thread_pool_of_the_user(frame):
    with ThreadPoolExecutor(3) as executor:
        pd.testing.assert_frame_equal(simulate(executor=executor, chunk=100), frame, check_exact=True)


def test_reversed_completion(frame):
    class Four(Backwards):
        num_workers = 1  # four tasks under way at a time

    pd.testing.assert_frame_equal(simulate(executor=Four(), chunk=N // 8), frame, check_exact=True)


class Unreliable(Executor):
    """Does what `run_one` does with every task, at once."""

    def __init__(self, run_one):
        self.run_one = run_one

    def submit(self, function, /, *arguments):
        future = Future()
        try:
            future.set_result(self.run_one(function, *arguments))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.mark.parametrize(("workers", "window"), [(1, 4), (3, 12)])
def test_no_more_than_four_tasks_a_worker_are_under_way(frame, workers, window):
    class Counting(Backwards):
        num_workers = workers
        most = 0

        def submit(self, function, /, *arguments):
            self.waiting.append((future := Future(), function, arguments))
            self.most = max(self.most, len(self.waiting))
            if len(self.waiting) == window:
                self.run()
            return future

    executor = Counting()
    pd.testing.assert_frame_equal(simulate(executor=executor, chunk=50), frame, check_exact=True)
    assert executor.most == window


def test_the_range_of_a_lost_worker_is_played_again(frame):
    lost = []

    def every_third(function, *arguments):
        lost.append(arguments)
        if len(lost) % 3 == 0:
            raise RuntimeError("worker lost")
        return function(*arguments)

    pd.testing.assert_frame_equal(simulate(executor=Unreliable(every_third), chunk=100), frame, check_exact=True)
    assert len(lost) > N // 100


def test_a_worker_that_plays_otherwise_is_refused():
    def other(function, task, run, expected, *part):
        return function(task, run, (*expected[:-1], "other"), *part)

    with pytest.raises(sit.DatasetError, match=r"its rows of the first deals is .*, not 'other'"):
        simulate(executor=Unreliable(other))


@pytest.mark.parametrize("middle", [1, 500, N - 1])
def test_split_ranges(frame, middle):
    parts = [simulate(middle), simulate(N - middle, start=middle)]
    pd.testing.assert_frame_equal(pd.concat(parts, ignore_index=True), frame, check_exact=True)


def test_another_process_with_another_hash_seed(frame):
    script = (
        "import sitoumus as sit, pandas as pd, sys\n"
        "df = sit.simulate(300, seed=7, policies=('random', 'greedy'), dealer='rotate', progress=False)\n"
        "print(int(pd.util.hash_pandas_object(df.astype(str)).sum()))\n"
    )
    expected = int(pd.util.hash_pandas_object(frame[:300].astype(str)).sum())
    for seed in ("0", "1234"):
        run = subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        )
        assert int(run.stdout) == expected


def test_changing_a_policy_never_changes_the_cards():
    a = simulate(20, policies="random", cards=True)
    b = simulate(20, policies="greedy", cards=True, contract="3H by E")
    for seat in "nesw":
        assert (a[f"hand_{seat}"] == b[f"hand_{seat}"]).all()


def test_matches_do_not_depend_on_threads():
    rules = sit.SITOUMUSSAMBA.replace(**{"match.end": ["deals", 2]})
    one, three = (
        sit.simulate_matches(20, seed=7, policies="random", rules=rules, threads=threads, deals=True, progress=False)
        for threads in (1, 3)
    )
    pd.testing.assert_frame_equal(one, three, check_exact=True)


@pytest.mark.parametrize("name", make_rows.BLOCKS)
def test_ten_thousand_golden_rows(name):
    golden = json.loads(make_rows.FILE.read_text())
    found, expected = make_rows.hashes(*make_rows.BLOCKS[name]), golden["blocks"][name]
    changed = [column for column in expected if found.get(column) != expected[column]]
    assert not changed, (
        f"rows have changed in {', '.join(changed)}: if that is meant, raise RESULT_VERSION "
        "and run tests/golden/make_rows.py"
    )
    assert list(found) == list(expected)
    assert golden["result_version"] == sit.RESULT_VERSION
    assert sum(n for n, _ in make_rows.BLOCKS.values()) == 10_000


def test_executors_say_how_many_tasks_they_run_at_a_time():
    class Client:
        def nthreads(self):
            return {"tcp://a": 30, "tcp://b": 20}

    class Cluster(Executor):
        _client = Client()

    assert workers_of(Cluster()) == 50
    assert workers_of(Executor()) == 64
    with ThreadPoolExecutor(3) as executor:
        assert workers_of(executor) == 3
