"""Many machines: a run to Parquet on a dask cluster, of which a worker dies in the middle.

Here the cluster is some worker processes on this machine. With machines of your own, give the address of your
scheduler, and a folder that all of them reach (a shared disk, or a URL such as s3://bucket/deals):

    python examples/cluster_dask.py --deals 1000000000 --out s3://bucket/deals --scheduler tcp://head:8786

Run it again after whatever happened: it goes on with what is missing.
"""

import argparse
import os
import signal
import tempfile
import threading
import time

from distributed import Client, LocalCluster

import sitoumus as sit


def kill_one_worker(cluster, path):
    """Wait until two parts are there, then kill a worker process."""
    while len([name for name in os.listdir(path) if name.startswith("part-")]) < 2:
        time.sleep(0.05)
    worker = next(iter(cluster.workers.values()))
    os.kill(worker.pid, signal.SIGKILL)
    print(f"killed worker process {worker.pid}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--chunk", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--policies", default="heuristic")
    parser.add_argument("--workers", type=int, default=3, help="processes of the cluster on this machine")
    parser.add_argument("--out", help="folder or URL that all workers reach")
    parser.add_argument("--scheduler", help="address of a cluster that is running")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.out or os.path.join(folder, "deals")
        if options.scheduler:
            with Client(options.scheduler) as client:
                run(options, path, client)
            return
        os.makedirs(path, exist_ok=True)
        with LocalCluster(options.workers, threads_per_worker=1, dashboard_address=None) as cluster:
            with Client(cluster) as client:
                threading.Thread(target=kill_one_worker, args=(cluster, path), daemon=True).start()
                run(options, path, client)


def run(options, path, client):
    begin = time.monotonic()
    dataset = sit.simulate(
        options.deals,
        seed=options.seed,
        policies=options.policies,
        out=path,
        resume=True,
        chunk=options.chunk,
        executor=client.get_executor(),
    )
    print(f"{dataset} after {time.monotonic() - begin:.1f} s")
    print(f"{dataset.verify(share=0.001, progress=False)} deals played again here: equal")


if __name__ == "__main__":
    main()
