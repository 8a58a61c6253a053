"""Datasets: equal to the frame in memory, and never lost: killed, interrupted, out of room, damaged, run twice."""

import errno
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest

pytest.importorskip("pyarrow")

import fsspec
import pyarrow.parquet
from fsspec.implementations.memory import MemoryFileSystem

import sitoumus as sit
from sitoumus.bench import parquet_memory
from sitoumus.dataset.folder import MANIFEST, Folder, gaps, part_name
from sitoumus.dataset.parts import write_part
from sitoumus.far import play_far
from sitoumus.run import Run
from sitoumus.simulate import simulate as many_deals

N = 900
USUAL = {"seed": 7, "policies": "greedy", "dealer": "rotate", "progress": False}


def simulate(n=N, **keywords):
    return sit.simulate(n, **(USUAL | keywords))


def same(dataset, frame):
    """The dataset is that of an undisturbed run."""
    assert dataset.complete
    back = dataset.to_pandas()
    pd.testing.assert_frame_equal(back, frame, check_exact=True)
    assert back.attrs == frame.attrs
    assert not [name for name in dataset._folder.names() if name.endswith(".tmp")]


@pytest.fixture(scope="module")
def frame():
    return simulate()


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "deals")


@pytest.fixture
def url():
    yield f"memory://{os.urandom(8).hex()}/deals"
    MemoryFileSystem.store.clear()


# What a dataset is


def test_it_equals_the_frame_in_memory(frame, folder, url):
    for out in (folder, url):
        dataset = simulate(out=out, chunk=400, threads=2)
        same(dataset, frame)
        assert dataset.parts == [(0, 400), (400, 800), (800, 900)]
        assert (len(dataset), dataset.columns) == (N, tuple(frame.columns))
        assert repr(dataset).endswith(f"{N} deals from 0 in 3 parts, 50 columns, complete>")


def test_columns_and_rows_can_be_chosen(frame, folder):
    dataset = simulate(out=folder, chunk=400)
    names = ["score_ns", "declarer", "deal"]
    pd.testing.assert_frame_equal(dataset.to_pandas(names), frame[names], check_exact=True)
    query = "score_ns > 1000 and declarer == 'E'"
    pd.testing.assert_frame_equal(dataset.to_pandas(where=query), frame.query(query), check_exact=True)
    few = dataset.to_pandas(["deal"], where=lambda rows: rows["turns"] > 40)
    pd.testing.assert_frame_equal(few, frame.loc[frame["turns"] > 40, ["deal"]], check_exact=True)
    with pytest.raises(sit.DatasetError, match="has no column 'fly': its columns are deal, "):
        dataset.to_pandas(["fly"])


def test_cards_and_other_games(url):
    rules = sit.FINNISH_CANASTA_3P
    expected = simulate(60, cards=True, rules=rules)
    same(simulate(60, cards=True, rules=rules, out=url, chunk=25), expected)


def test_arrow_tables_and_scans(frame, folder):
    dataset = simulate(out=folder, chunk=400)
    table = dataset.to_arrow(["deal", "result"])
    assert table.column_names == ["deal", "result"]
    assert table["deal"].to_pylist() == list(range(N))
    assert table["result"].to_pylist() == list(frame["result"])
    import pyarrow.compute as pc

    made = dataset.scan().to_table(columns=["deal"], filter=pc.field("result") == "made")
    assert sorted(made["deal"].to_pylist()) == list(frame.loc[frame["result"] == "made", "deal"])
    assert len(pd.read_parquet(folder + "/" + part_name(0, 400))) == 400


def test_duckdb_reads_a_scan(frame, folder):
    duckdb = pytest.importorskip("duckdb")
    scanned = simulate(out=folder, chunk=400).scan()
    found = duckdb.sql("select deal from scanned where result = 'made'").df()
    assert sorted(found["deal"]) == list(frame.loc[frame["result"] == "made", "deal"])
    del scanned


def test_polars_reads_a_scan(frame, folder):
    polars = pytest.importorskip("polars")
    lazy = polars.scan_pyarrow_dataset(simulate(out=folder, chunk=400).scan())
    found = lazy.filter(polars.col("turns") > 40).select("deal").collect()
    assert sorted(found["deal"]) == list(frame.loc[frame["turns"] > 40, "deal"])


def test_a_row_replays(frame, folder):
    dataset = simulate(out=folder)
    assert sit.replay(dataset, 17).score.ns == frame["score_ns"][17]


def test_hashes_of_columns_do_not_depend_on_the_parts(folder, url):
    a, b = simulate(out=folder, chunk=400), simulate(out=url, chunk=333, threads=3)
    assert a.hashes == b.hashes
    assert set(a.hashes) == set(a.columns)
    assert simulate(out=folder + "2", seed=8).hashes["deal"] == a.hashes["deal"]
    assert sit.open_dataset(folder + "2").hashes["score_ns"] != a.hashes["score_ns"]


def test_a_share_is_played_again(folder):
    dataset = simulate(200, out=folder, chunk=100)
    assert dataset.verify(0.1, progress=False) == 20
    with pytest.raises(sit.DatasetError, match="share is 0"):
        dataset.verify(0)


def test_verify_names_the_first_deal_that_differs(folder):
    run = Run.of(seed=7, policies="greedy", dealer="rotate")
    dataset = simulate(200, out=folder, chunk=100)
    dataset._folder.remove(part_name(100, 200))
    lie = Run.of(seed=8, policies="greedy", dealer="rotate")
    object.__setattr__(lie, "provenance", run.provenance)
    write_part(dataset._folder, lie, 100, 200)
    dataset._digests.clear()
    with pytest.raises(sit.DatasetError, match=r"deal 1\d\d: column .* holds .*, playing it again gives"):
        dataset.verify(1, progress=False)


def test_what_is_no_dataset_is_refused(tmp_path):
    with pytest.raises(sit.DatasetError, match=r"is no dataset: it has no _manifest\.parquet"):
        sit.open_dataset(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": "other"}')
    with pytest.raises(sit.DatasetError, match=r"manifest\.json cannot be read: format is 'other'"):
        sit.open_dataset(tmp_path)
    (tmp_path / "_manifest.parquet").write_text("{}")
    with pytest.raises(sit.DatasetError, match=r"_manifest\.parquet cannot be read: "):
        sit.open_dataset(tmp_path)


@pytest.fixture(scope="module")
def folder_of_400(tmp_path_factory):
    """A finished dataset of four parts, and its frame in memory."""
    folder = tmp_path_factory.mktemp("deals") / "deals"
    given = {"n": 400, "seed": 7, "policies": "random", "progress": False}
    sit.simulate(**given, out=folder, chunk=100)
    return folder, sit.simulate(**given)


def test_other_libraries_read_the_folder_as_one_table(folder_of_400):
    import pyarrow.dataset

    folder, frame = folder_of_400
    for rows in (pd.read_parquet(folder), pyarrow.dataset.dataset(folder, format="parquet").to_table().to_pandas()):
        assert rows["score_ns"].tolist() == frame["score_ns"].tolist()
        assert rows["reached_turn"].mean() == pytest.approx(frame["reached_turn"].mean())
        assert (rows["result"].astype(str) == frame["result"].astype(str)).all()


def test_polars_reads_the_folder_as_one_table(folder_of_400):
    polars = pytest.importorskip("polars")
    folder, frame = folder_of_400
    rows = polars.scan_parquet(folder).collect().sort("deal")
    assert rows["score_ns"].to_list() == frame["score_ns"].tolist()
    assert rows["reached_turn"].mean() == pytest.approx(frame["reached_turn"].mean())


def test_duckdb_reads_the_folder_as_one_table(folder_of_400):
    duckdb = pytest.importorskip("duckdb")
    folder, frame = folder_of_400
    found = duckdb.sql(f"select count(*), sum(score_ns), avg(reached_turn) from '{folder}/*.parquet'").fetchall()[0]
    assert found[:2] == (400, frame["score_ns"].sum())
    assert found[2] == pytest.approx(frame["reached_turn"].mean())


def test_a_folder_of_an_earlier_version_opens_and_goes_on(folder_of_400, tmp_path):
    folder, frame = folder_of_400
    shutil.copytree(folder, tmp_path / "old")
    new = tmp_path / "old" / MANIFEST
    text = pyarrow.parquet.read_schema(new).metadata[b"sitoumus_manifest"]
    new.unlink()
    (tmp_path / "old" / "manifest.json").write_bytes(text)
    pd.testing.assert_frame_equal(sit.open_dataset(tmp_path / "old").to_pandas(), frame)
    sit.simulate(500, seed=7, policies="random", out=tmp_path / "old", resume=True, progress=False)
    assert new.exists()
    assert not (tmp_path / "old" / "manifest.json").exists()


def test_only_the_columns_asked_for_and_named_are_read(folder_of_400, monkeypatch):
    folder, frame = folder_of_400
    dataset = sit.open_dataset(folder)
    read = []
    kept = type(dataset)._read
    monkeypatch.setattr(
        type(dataset),
        "_read",
        lambda self, shape, a, b, columns=None: read.append(columns) or kept(self, shape, a, b, columns),
    )
    found = dataset.to_pandas(columns=["deal", "score_ns"], where="level == 1 and result == 'made'")
    wanted = frame[(frame["level"] == 1) & (frame["result"] == "made")]
    assert found["deal"].tolist() == wanted["deal"].tolist()
    assert list(found.columns) == ["deal", "score_ns"]
    assert all(set(columns) == {"deal", "score_ns", "level", "result"} for columns in read)


@pytest.mark.parametrize(("ranges", "missing"), [([], [(0, 9)]), ([(0, 9)], []), ([(2, 4), (4, 5)], [(0, 2), (5, 9)])])
def test_gaps(ranges, missing):
    assert gaps(ranges, 0, 9) == missing


# Going on


def test_a_folder_that_holds_a_run_is_refused_unless_it_is_to_go_on(frame, folder):
    simulate(out=folder)
    with pytest.raises(sit.DatasetError, match="holds a run already: resume=True goes on with it"):
        simulate(out=folder)
    before = {entry.name: entry.stat().st_mtime_ns for entry in os.scandir(folder)}
    same(simulate(out=folder, resume=True), frame)
    assert {name: time for name, time in before.items() if name != "_LOCK"} == {
        entry.name: entry.stat().st_mtime_ns for entry in os.scandir(folder) if entry.name != "_LOCK"
    }


def test_resume_plays_only_what_is_missing_also_when_n_has_grown(frame, folder):
    dataset = simulate(500, out=folder, chunk=100)
    kept = os.stat(dataset._folder.path(part_name(0, 100))).st_mtime_ns
    dataset._folder.remove(part_name(200, 300))
    assert (dataset.complete, dataset.missing) == (False, [(200, 300)])
    dataset = simulate(out=folder, chunk=150, resume=True)
    assert os.stat(dataset._folder.path(part_name(0, 100))).st_mtime_ns == kept
    same(dataset, frame)
    with pytest.raises(sit.DatasetError, match="holds deals to 899, more than the 500 asked for"):
        simulate(500, out=folder, resume=True)


def test_resume_keeps_one_of_parts_that_overlap(frame, folder):
    dataset = simulate(out=folder, chunk=100)
    run = Run.of(seed=7, policies="greedy", dealer="rotate")
    for part in ((150, 250), (0, 900), (850, 900), (890, 1000)):
        write_part(dataset._folder, run, *part)
    same(simulate(out=folder, chunk=100, resume=True, threads=1), frame)
    parts = sit.open_dataset(folder).parts
    assert all(first[1] == second[0] for first, second in pairwise(parts))


def test_resume_into_an_empty_folder_is_a_run(frame, folder):
    same(simulate(out=folder, resume=True), frame)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"seed": 8}, "its seed is 7, not 8"),
        ({"policies": "random"}, r"its policies is \['greedy'\], not \['random'\]"),
        ({"rules": sit.SITOUMUSSAMBA.replace(target=10000)}, "its rules differ in match.end"),
        ({"dealer": "N"}, "its dealer is 'rotate', not 'N'"),
        ({"contract": "3H by E"}, "its contract is None, not '3H by E'"),
        ({"start": 10}, "its start is 0, not 10"),
        ({"cards": True}, "its cards is False, not True"),
    ],
)
def test_another_run_is_refused_naming_what_differs(folder, keywords, message):
    simulate(100, out=folder)
    with pytest.raises(sit.DatasetError, match=message):
        simulate(100, out=folder, resume=True, **keywords)


def test_another_result_version_is_refused(folder, monkeypatch):
    simulate(100, out=folder)
    monkeypatch.setattr("sitoumus.run.RESULT_VERSION", -1)
    with pytest.raises(sit.DatasetError, match=r"its result version is .*, not -1"):
        simulate(100, out=folder, resume=True)


def test_an_incomplete_dataset_opens_and_names_what_is_missing(folder):
    simulate(500, out=folder, chunk=100)
    os.remove(f"{folder}/{part_name(200, 300)}")
    dataset = sit.open_dataset(folder)
    assert not dataset.complete
    assert "100 deals missing" in repr(dataset)
    for read in (dataset.to_pandas, dataset.to_arrow, dataset.scan):
        with pytest.raises(sit.DatasetError, match="is incomplete: deals missing are 200 to 299, or"):
            read()
    assert dataset.verify(0.1, progress=False) == 40


@pytest.mark.slow
def test_memory_is_flat():
    few, many = (parquet_memory(deals, "random") for deals in (20_000, 80_000))
    assert many < 400
    assert many - few < 50


# Faults


@pytest.mark.slow
def test_killed_at_random_moments_and_resumed(folder):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["sitoumus.dataset", "fsspec", "pyarrow.parquet", "tqdm"])
    chance = random.Random(1)
    n, kills, growing = 2_000, 0, 0
    settings = USUAL | {"out": folder, "chunk": 20, "threads": 2, "resume": True}

    def parts():
        return len(sit.open_dataset(folder).parts) if os.path.exists(f"{folder}/{MANIFEST}") else 0

    while kills < 20:
        # At once, or some parts later: the moment hits reading, playing, writing, renaming.
        until = parts() + chance.randint(-1, 6)
        process = context.Process(target=many_deals, args=(n,), kwargs=settings)
        process.start()
        while process.is_alive() and parts() < until:
            time.sleep(0.001)
        process.join(chance.uniform(0, 0.03))
        kills += process.exitcode is None
        process.kill()
        process.join()
        process.close()
        growing += 0 < parts() < n // 20
        n += 1_000 * (parts() == n // 20)
    assert growing >= 5
    same(simulate(n, out=folder, resume=True, chunk=20), simulate(n))


def test_ctrl_c_returns_at_once_with_finished_parts_intact(folder):
    pressed = []

    def press():
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(1.0, press)
    timer.start()
    try:
        with pytest.raises(sit.StudyInterrupted) as caught:
            simulate(5_000_000, out=folder, chunk=500)
    finally:
        timer.cancel()
    assert time.monotonic() - pressed[0] < 2
    dataset = caught.value.result
    assert dataset.parts
    assert not dataset.complete
    assert dataset.verify(0.01, progress=False) > 0


def test_ctrl_c_is_heard_while_slow_policies_play(folder):
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    try:
        with pytest.raises(sit.StudyInterrupted):
            simulate(100_000, out=folder, policies=sit.RolloutPolicy(worlds=8), threads=2)
    finally:
        timer.cancel()
    assert time.monotonic() - begin < 3


FILL = """
import subprocess, sys, sitoumus as sit
keywords = {"seed": 7, "policies": "greedy", "dealer": "rotate", "progress": False, "threads": 2, "chunk": 500}
try:
    sit.simulate(50_000, out=sys.argv[1] + "/deals", **keywords)
except sit.DatasetError as error:
    print(error)
dataset = sit.open_dataset(sys.argv[1] + "/deals")
finished = dataset.parts
print(len(finished), dataset.complete, dataset.verify(0.001, progress=False))
assert subprocess.call(["mount", "-o", "remount,size=64m", sys.argv[1]]) == 0
dataset = sit.simulate(50_000, out=sys.argv[1] + "/deals", resume=True, **keywords)
assert set(finished) <= set(dataset.parts)
print(dataset.complete, dataset.hashes["score_ns"], len([name for name in dataset._folder.names() if ".tmp" in name]))
"""


@pytest.mark.slow
def test_a_real_disk_that_is_full(tmp_path):
    """1 MB, in a name space of its own, where that is allowed; else the filesystem of the next test stands for it."""
    mount = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    fill = 'mount -t tmpfs -o size=1m none "$0" && exec "$1" -c "$2" "$0"'
    try:
        allowed = subprocess.run([*mount, 'mount -t tmpfs -o size=1m none "$0"', tmp_path], capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no unshare")
    if allowed.returncode:
        pytest.skip("mounting is not allowed")
    run = subprocess.run([*mount, fill, tmp_path, sys.executable, FILL], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    error, kept, completed = run.stdout.splitlines()
    assert "No space left on device; finished parts are kept, resume=True goes on" in error
    parts, complete, played = kept.split()
    assert 0 < int(parts) < 100
    assert (complete, played) == ("False", parts)
    undisturbed = simulate(50_000, out=str(tmp_path / "undisturbed"))
    assert completed == f"True {undisturbed.hashes['score_ns']} 0"


class FullFileSystem(MemoryFileSystem):
    """A disk with room for so many bytes."""

    protocol = "full"
    room = 0

    def _open(self, path, mode="rb", **keywords):
        file = super()._open(path, mode, **keywords)
        if "w" in mode:
            write = file.write

            def write_some(data):
                FullFileSystem.room -= len(data)
                if FullFileSystem.room < 0:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                return write(data)

            file.write = write_some
        return file


def test_a_full_disk_keeps_what_was_finished(frame, url):
    fsspec.register_implementation("full", FullFileSystem, clobber=True)
    url = url.replace("memory:", "full:")
    FullFileSystem.room = 200_000
    with pytest.raises(
        sit.DatasetError, match=r"cannot be written: .*No space left on device; finished parts are kept"
    ):
        simulate(out=url, chunk=100)
    dataset = sit.open_dataset(url)
    finished = dataset.parts
    assert 0 < len(finished) < 9
    assert not dataset.complete
    FullFileSystem.room = 10**9
    dataset = simulate(out=url, chunk=100, resume=True)
    assert set(finished) <= set(dataset.parts)
    same(dataset, frame)


@pytest.mark.parametrize("damage", ["truncated", "emptied", "altered", "of another run"])
def test_a_damaged_part_is_found_and_played_again(frame, folder, damage):
    dataset = simulate(out=folder, chunk=300)
    path = f"{folder}/{part_name(300, 600)}"
    data = Path(path).read_bytes()
    if damage == "truncated":
        data = data[: len(data) // 2]
    elif damage == "emptied":
        data = b""
    elif damage == "altered":
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pq.read_table(path)
        scores = table["score_ns"].to_numpy().copy()
        scores[7] += 5
        place = table.column_names.index("score_ns")
        changed = table.set_column(place, "score_ns", pa.array(scores))
        pq.write_table(changed, path)
        data = Path(path).read_bytes()
    else:
        other = Folder(folder + "2")
        other.fs.makedirs(other.root)
        write_part(other, Run.of(seed=8, policies="greedy", dealer="rotate"), 300, 600)
        data = Path(other.path(part_name(300, 600))).read_bytes()
    Path(path).write_bytes(data)
    with pytest.raises(sit.DatasetError, match=r"part-000000000300-000000000600\.parquet is not the part that was"):
        dataset.to_pandas(["score_ns"])
    same(simulate(out=folder, chunk=300, resume=True), frame)


def test_a_second_run_on_the_folder_is_refused_while_the_first_goes_on(frame, folder):
    with ThreadPoolExecutor(1) as other:
        holding = Folder(folder)
        with holding.locked(), pytest.raises(sit.DatasetError, match="another run is writing to"):
            other.submit(simulate, out=folder).result()
    same(simulate(out=folder), frame)


@pytest.mark.slow
def test_two_processes_on_the_folder_at_once(frame, folder):
    script = (
        "import sys, sitoumus as sit\n"
        "try:\n"
        "    sit.simulate(900, seed=7, policies='greedy', dealer='rotate', out=sys.argv[1], chunk=10,\n"
        "        resume=True, progress=False)\n"
        "except sit.DatasetError as error:\n"
        "    sys.exit(str(error))"
    )
    runs = [subprocess.Popen([sys.executable, "-c", script, folder], stderr=subprocess.PIPE) for _ in range(3)]
    errors = [run.communicate(timeout=60)[1].decode() for run in runs]
    assert "" in errors
    assert all(error == "" or "another run is writing to" in error for error in errors)
    same(sit.open_dataset(folder), frame)


def test_two_equal_runs_where_there_are_no_locks_do_no_harm(frame, url):
    with ThreadPoolExecutor(2) as both:
        runs = [both.submit(simulate, out=url, chunk=50, resume=True, threads=2) for _ in range(2)]
        for run in runs:
            run.result()
    same(sit.open_dataset(url), frame)


# Executors


def test_a_process_pool_writes_the_parts(frame, folder):
    with ProcessPoolExecutor(2, multiprocessing.get_context("forkserver")) as executor:
        same(simulate(out=folder, chunk=100, executor=executor), frame)


class Now(Executor):
    """Runs every task at once; subclasses make it unreliable."""

    def submit(self, function, /, *arguments):
        future = Future()
        try:
            future.set_result(self.run(function, *arguments))
        except Exception as error:
            future.set_exception(error)
        return future

    def run(self, function, *arguments):
        return function(*arguments)


def test_a_part_that_comes_twice_is_ignored(frame, url):
    class Twice(Now):
        def run(self, function, *arguments):
            function(*arguments)
            return function(*arguments)

    same(simulate(out=url, chunk=100, executor=Twice()), frame)


def test_a_part_that_comes_twice_and_differs_is_an_error(url):
    class Wrong(Now):
        def run(self, function, *arguments):
            start, stop = arguments[-2:]
            if start == 200:
                write_part(Folder(url), Run.of(seed=8, policies="greedy", dealer="rotate"), start, stop)
            return function(*arguments)

    with pytest.raises(sit.DatasetError, match="deals 200 to 299 came twice with different rows"):
        simulate(out=url, chunk=100, executor=Wrong())


def test_the_range_of_a_lost_worker_is_given_out_again(frame, url):
    class Losing(Now):
        lost = 0

        def run(self, function, *arguments):
            self.lost += 1
            if self.lost % 3 == 0:
                raise RuntimeError("worker lost")
            return function(*arguments)

    same(simulate(out=url, chunk=100, executor=Losing()), frame)


def test_a_range_that_always_fails_ends_the_run(url):
    class Failing(Now):
        def run(self, function, *arguments):
            if arguments[-2] == 300:
                raise RuntimeError("worker lost")
            return function(*arguments)

    with pytest.raises(sit.DatasetError, match=r"deals 300 to 399 failed 3 times: RuntimeError\('worker lost'\)"):
        simulate(out=url, chunk=100, executor=Failing())
    assert sit.open_dataset(url).missing == [(300, 400)]


def test_a_worker_of_another_version_or_with_other_rows_is_refused(url):
    class Older(Now):
        def run(self, function, *arguments):
            expected = list(arguments[2])
            expected[self.place] = "other"
            return function(*arguments[:2], tuple(expected), *arguments[3:])

    names = ("version", "result version", "rules", "policies", "rows of the first deals")
    for Older.place, name in enumerate(names):
        with pytest.raises(sit.DatasetError, match=f"differs from the process that started the run: its {name} is"):
            simulate(out=url, chunk=100, executor=Older(), resume=True)


def _kill_one(*arguments):
    if arguments[-2] == 300:
        os.kill(os.getpid(), signal.SIGKILL)
    return play_far(*arguments)


def test_a_process_that_dies_breaks_the_pool_and_another_pool_goes_on(frame, folder, monkeypatch):
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(2, context) as executor, monkeypatch.context() as patch:
        patch.setattr("sitoumus.far.play_far", _kill_one)
        with pytest.raises(sit.DatasetError, match=r"the executor has broken down .*resume=True goes on"):
            simulate(out=folder, chunk=100, executor=executor)
    with ProcessPoolExecutor(2, context) as executor:
        same(simulate(out=folder, chunk=100, executor=executor, resume=True), frame)


@pytest.mark.slow
def test_a_dask_cluster_of_which_a_worker_is_killed(folder):
    pytest.importorskip("distributed")
    example = Path(__file__).parents[1] / "examples" / "cluster_dask.py"
    options = ["--deals", "3000", "--chunk", "200", "--policies", "greedy", "--workers", "2", "--out", folder]
    run = subprocess.run([sys.executable, example, *options], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("killed worker process ")
    assert "15 parts, 50 columns, complete> after" in run.stdout
    same(sit.open_dataset(folder), simulate(3000, dealer="N"))


def test_mpi(frame, folder):
    pytest.importorskip("mpi4py")
    if not shutil.which("mpiexec"):
        pytest.skip("there is no mpiexec")
    script = (
        "import sys, sitoumus as sit\n"
        "from mpi4py.futures import MPIPoolExecutor\n"
        "if __name__ == '__main__':\n"
        "    with MPIPoolExecutor() as executor:\n"
        "        sit.simulate(900, seed=7, policies='greedy', dealer='rotate', out=sys.argv[1], chunk=100,\n"
        "            executor=executor, progress=False)\n"
    )
    Path(folder + ".py").write_text(script)
    command = ["mpiexec", "-n", "3", sys.executable, "-m", "mpi4py.futures", folder + ".py", folder]
    subprocess.run(command, check=True, timeout=120)
    same(sit.open_dataset(folder), frame)
