"""--scheduler: the same output from other workers."""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest
from children import needs_posix, python
from commands import refused, run, write
from workers import Wire

pytestmark = pytest.mark.usefixtures("small_files")

FEW = ("--counts", "yeh.toml", "--method", "approximate", "--resamples", 2**17)
AT = ("--scheduler", "tcp://here:8786")


class Client:
    """dask's, as far as csig uses it."""

    made: list[Client]
    threads = 1

    def __init__(self, address: str, **options: Any):
        if "nowhere" in address:
            raise OSError(f"Timed out trying to connect to {address}\nafter 10 s")
        self.address, self.wire, self.closed = address, Wire(), False
        self.made.append(self)

    def nthreads(self) -> dict[str, int]:
        return {"worker": self.threads} if self.threads else {}

    def get_executor(self) -> Wire:
        return self.wire

    def close(self):
        self.closed = True


@pytest.fixture
def dask(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Client]]:
    found = types.ModuleType("distributed")
    found.Client = Client  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "distributed", found)
    Client.made = []
    yield Client
    assert all(client.closed for client in Client.made)


@pytest.mark.parametrize(
    ("command", "blocks"),
    [
        ("compare --counts yeh.toml --method approximate --resamples 131072", 1),
        ("systems t.csv --ignore kind --ignore story --correction flips --threads 2", 1),
        # Of parts and of units.
        ("compare t.csv --system a --system b --by kind --cluster story --method approximate", 3),
        ("audit --counts yeh.toml --resamples 131072 --metric f1 --record -", 3),
    ],
)
def test_a_scheduler_draws_the_same(dask: type[Client], command: str, blocks: int):
    rows = (f"q{i},{i % 3},{i % 5},{i % 7},{'xyz'[i % 3]},d{i // 4}" for i in range(40))
    write("t.csv", "id,a,b,c,kind,story", *rows)
    given = [*command.split(), *["--json", "-"] * ("audit" not in command), "--seed", 3]
    one, other = (json.loads(run(*given, *more)) for more in (AT, ()))
    changing = {"date", "command", "sha256"}
    assert {k: v for k, v in one.items() if k not in changing} == {
        k: v for k, v in other.items() if k not in changing
    }
    (client,) = dask.made
    assert client.address == "tcp://here:8786"
    assert len(client.wire.blocks) >= blocks
    if "audit" in command:
        assert {block[0] for block in client.wire.blocks} == {0, 1, 2}


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("tcp://nowhere:1", "tcp://nowhere:1 cannot be reached (Timed out trying to connect to"),
        ("nowhere", "expected tcp://HOST:PORT, found 'nowhere'"),
        ("http://here:80", "expected tcp://HOST:PORT, found 'http://here:80'"),
    ],
)
def test_a_scheduler_that_cannot_be_reached(dask: type[Client], address: str, said: str):
    assert f"--scheduler: {said}" in refused("compare", *FEW, "--scheduler", address)


def test_a_scheduler_without_workers_and_without_dask(
    dask: type[Client], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(Client, "threads", 0)
    assert "has no workers; start some" in refused("compare", *FEW, *AT)
    monkeypatch.setitem(sys.modules, "distributed", None)
    said = refused("compare", *FEW, *AT)
    assert said == "csig: --scheduler needs dask: pip install 'csig-stats[dask]'\n"


@needs_posix
@pytest.mark.slow
@pytest.mark.skipif(find_spec("distributed") is None, reason="needs dask: csig-stats[dask]")
def test_a_local_cluster_of_which_a_worker_is_killed():
    """Two worker processes, one killed in the middle: the hits of one thread."""
    ended = python(
        """
import os, signal
from distributed import Client, LocalCluster
from csig import Comparison, randomization_test
from csig.engines import remote

if __name__ == "__main__":
    remote.BATCH = 0.002
    comparison = Comparison.from_counts(gold=99, only_a_correct=28, only_b_correct=6)
    given = {"method": "approximate", "n_resamples": 2**24 + 5, "rng": 7}
    quiet = {"silence_logs": 50, "dashboard_address": None}
    with LocalCluster(n_workers=2, threads_per_worker=1, **quiet) as cluster:
        with Client(cluster) as client:
            first, second = client.run(os.getpid).values()
            killed = []
            def progress(done, total):
                if done > total // 4 and not killed:
                    killed.append(done)
                    os.kill(first, signal.SIGKILL)
            found = randomization_test(comparison, "recall", executor=client.get_executor(),
                                       progress=progress, **given)
            assert 0 < killed[0] < 2**24
    assert found == randomization_test(comparison, "recall", threads=1, **given)
    print("the same")
"""
    )
    assert ended.stdout == "the same\n", ended.stderr
