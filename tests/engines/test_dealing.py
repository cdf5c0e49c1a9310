"""Shuffles drawn by executors: the hits of one thread, whatever the workers do."""

from __future__ import annotations

import gc
import inspect
import multiprocessing
import re
import threading
import weakref
from collections.abc import Iterator
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any

import numpy as np
import pytest
from brute import PAPER
from children import needs_posix
from places import DOCS
from workers import Backwards, Failing, Wire

import csig
from csig import Comparison, InputError, Metric, audit, breakdown, metrics, randomization_test
from csig.engines import dealing
from csig.engines.dealing import ShuffleDealer
from csig.engines.questions import make_question
from csig.engines.shuffle import swapped_of
from csig.streams import CHUNK, make_source

NAMES = ["recall", "precision", "f1"]
N = 30 * CHUNK + 77


def paper() -> Comparison:
    return Comparison.from_counts(**PAPER)


def table(n: int = 300) -> Comparison:
    rows = np.random.default_rng(2).integers(0, 99, (2, n, 2))
    return Comparison.from_statistics(*rows, columns=("x", "y"))


def hits(executor: Executor | None = None, **options: Any) -> list[int | None]:
    given = {"method": "approximate", "n_resamples": N, "rng": 7, "threads": 1} | options
    found = randomization_test(paper(), NAMES, executor=executor, **given)
    return [result.n_hits for result in found.values()]


@pytest.fixture(scope="module")
def spawned() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as found:
        yield found


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few chunks, whatever they take."""
    monkeypatch.setattr(dealing, "FIRST_WORDS", 3 * 86 * 1024)
    monkeypatch.setattr(dealing, "TARGET", 1e-3)
    monkeypatch.setattr(dealing, "SMALL", 1000)


@pytest.mark.parametrize("generator", ["PCG64DXSM", "Philox", "SFC64"])
def test_processes_give_the_hits_of_one_thread(spawned: Executor, generator: str) -> None:
    assert hits(spawned, bit_generator=generator) == hits(bit_generator=generator)


@needs_posix
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_forked_processes_give_the_hits_of_one_thread() -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        assert hits(pool) == hits()
        assert hits(pool, threads=2) == hits()


def test_threads_of_an_executor_give_the_hits_of_one_thread() -> None:
    with ThreadPoolExecutor(3) as pool:
        assert hits(pool) == hits()


@pytest.mark.usefixtures("small_blocks")
def test_blocks_may_come_back_in_any_order() -> None:
    backwards = Backwards(30)
    found = hits(backwards, n_resamples=30 * CHUNK)
    assert found == hits(n_resamples=30 * CHUNK)
    assert backwards.order != sorted(backwards.order)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("error", [RuntimeError("lost"), OSError(5, "gone"), EOFError()])
def test_a_block_that_fails_is_given_once_more(error: Exception) -> None:
    failing = Failing({1: error, 4: error, 5: error})
    assert hits(failing) == hits()
    assert failing.calls == 3 + len(set(failing.blocks))


def test_a_block_that_fails_again_and_again_ends_the_run() -> None:
    with pytest.raises(RuntimeError, match="always") as caught:
        hits(Failing({i: RuntimeError("always") for i in range(99)}))
    (note,) = caught.value.__notes__
    assert note == "csig: raised after 0 of 1,966,157 shuffles"


def test_a_lost_executor_is_one_line_that_says_how_far_it_got(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dealing, "FIRST_WORDS", 86 * 1024)
    with pytest.raises(InputError) as caught:
        hits(Failing({i: BrokenProcessPool("a process ended\nand more") for i in range(6, 99)}))
    assert str(caught.value) == (
        "executor: it failed after 393,216 of 1,966,157 shuffles (BrokenProcessPool: a process "
        "ended)"
    )
    with pytest.raises(InputError, match="CancelledError"):
        hits(Failing({0: CancelledError()}))


def test_an_executor_that_was_shut_down_is_refused() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(InputError, match="cannot schedule new futures after shutdown"):
        hits(pool)


def test_another_version_on_a_worker_is_refused() -> None:
    class Older(Wire):
        def run(self, fn: Any, args: Any) -> Any:
            return fn(*args) | {"found": "another", "csig": ("0.1.0", 1)}

    with pytest.raises(InputError, match=r"has csig 0\.1\.0 \(streams contract 1\), and this is"):
        hits(Older())


def test_a_worker_without_csig_is_refused() -> None:
    with pytest.raises(InputError, match=r"a worker cannot import csig .* install csig-stats"):
        hits(Failing({0: ModuleNotFoundError("No module named 'csig'")}))


class Submits:
    """As dask's Client: it has `submit`, and is no executor."""

    def submit(self, *given: Any) -> None:
        raise AssertionError("is not called")

    def get_executor(self) -> None:
        raise AssertionError("is not called")


@pytest.mark.parametrize("wrong", [3, "pool", object(), Submits()])
def test_only_executors_are_taken(wrong: Any) -> None:
    with pytest.raises(InputError, match=r"executor must be a concurrent\.futures\.Executor"):
        hits(wrong)
    with pytest.raises(InputError, match="keep_null does not go with executor"):
        hits(Wire(), keep_null=True)


def test_the_page_says_what_takes_executors_and_what_does_not() -> None:
    page = (DOCS / "many-machines.md").read_text("utf-8").split("\n\n")[1]
    takes, draws_here = page.split("`training_distribution`, which", 1)
    options = {
        name: inspect.signature(value).parameters
        for name in csig.__all__
        if inspect.isfunction(value := getattr(csig, name))
    }
    named = set(re.findall(r"`(\w+)`", takes)) | {"training_distribution"}
    assert named >= {name for name, known in options.items() if "executor" in known}
    here = {n for n, known in options.items() if "threads" in known and "rng" in known} - named
    rankings = {
        "compare_rankings", "compare_ranking_curves", "compare_ranking_samples", "rank_methods",
    }  # fmt: skip
    assert here == {"crossed_interval", "compare_over_datasets", *rankings}
    assert all(f"`{name}`" in draws_here for name in here)


# ---- what is sent ------------------------------------------------------------------------------


def test_little_is_sent_for_responses() -> None:
    wire = Wire()
    hits(wire)
    assert max(wire.sent) < 1500


@pytest.mark.usefixtures("small_blocks")
def test_a_large_table_is_sent_once_to_each_worker() -> None:
    comparison, wire = table(2000), Wire()
    given: Any = {"method": "approximate", "n_resamples": 9 * CHUNK, "rng": 1}
    expected = randomization_test(comparison, RATIO, **given)
    assert randomization_test(comparison, RATIO, executor=wire, **given) == expected
    large = [size for size in wire.sent if size > 4000]
    assert len(large) == wire.jobs == 2
    assert max(large) < 2 * 2000 + 1500  # a byte each
    assert max(size for size in wire.sent if size < 4000) < 400


@pytest.mark.usefixtures("small_blocks")
def test_a_worker_that_does_not_know_the_table_gets_it() -> None:
    class Forgetful(Wire):
        """As if every fourth block met a new worker."""

        def run(self, fn: Any, args: Any) -> Any:
            if args[2] is None and len(self.sent) % 4 == 0:
                args = (args[0], "nobody knows it", *args[2:])
            return fn(*args)

    wire = Forgetful()
    given: Any = {"method": "approximate", "n_resamples": 20 * CHUNK, "rng": 1}
    expected = randomization_test(table(1000), RATIO, **given)
    assert randomization_test(table(1000), RATIO, executor=wire, **given) == expected
    assert wire.jobs > 2


RATIO = Metric("ratio", ("x", "y"), numerator=(1, 0), denominator=(0, 1))


def test_few_blocks_are_under_way_whatever_the_number_of_shuffles() -> None:
    futures: list[Future[Any]] = []

    class Never(Executor):
        _max_workers = 5

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            futures.append(Future())
            return futures[-1]

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hits(Never(), n_resamples=2**40, progress=stop)
    assert len(futures) == 15
    assert all(future.cancelled() for future in futures)


def test_blocks_grow_to_about_the_target() -> None:
    wire = Wire()
    question = make_question(paper(), metrics.f1, "two-sided", 0)
    dealer = ShuffleDealer(wire, 1, make_source(1), [question], swapped_of(paper(), [question]))
    dealer.deal(0, 2**20)
    dealer.dealer.seconds = dealing.TARGET / 100  # a chunk takes a hundredth of it
    wire.blocks.clear()
    dealer.deal(0, 800 * CHUNK + 1)
    assert wire.blocks[0][2] == 100
    chunks = [block[2] for block in wire.blocks]
    assert sum(chunks) == 801
    assert chunks[:6] == [100] * 5 + [76]  # given before the first one came back


# ---- everything that draws ---------------------------------------------------------------------


def test_yeh2000_and_decisions(spawned: Executor) -> None:
    for options in ({"method": "yeh2000"}, {"method": "approximate", "decide_at": 0.03}):
        given: Any = {"rng": 3} | options
        expected = randomization_test(paper(), NAMES, **given)
        assert randomization_test(paper(), NAMES, executor=spawned, **given) == expected


def test_an_exact_test_gives_workers_nothing() -> None:
    wire = Wire()
    assert randomization_test(paper(), "f1", executor=wire).method == "exact"
    assert wire.sent == []


@pytest.mark.usefixtures("small_blocks")
def test_audits_breakdowns_and_sensitivities() -> None:
    given: Any = {"rng": 1, "n_resamples": 2**17 + 5}
    wire = Wire()
    one, other = (audit(paper(), "f1", executor=own, **given) for own in (None, wire))
    assert one.runs == other.runs
    assert one.checks == other.checks
    assert {block[0] for block in wire.blocks} == {0, 1, 2}
    parts = {"x": paper(), "y": Comparison.from_counts(gold=9, only_a_correct=5, only_b_correct=1)}
    given["method"] = "approximate"
    found = [breakdown(parts, "f1", executor=own, **given) for own in (None, Wire())]
    assert found[0]["x"] == found[1]["x"]
    clustered = Comparison.from_scores(
        np.arange(50) % 7, np.arange(50) % 5, clusters=(np.arange(50) // 3).tolist()
    )
    sensible = [csig.sensitivity(clustered, "mean", executor=own, **given) for own in (None, wire)]
    assert sensible[0] == sensible[1]


# ---- functions of a user's own -------------------------------------------------------------------

SHARE = Metric("share", ("x", "y"), function=partial(np.max, axis=1))


def test_functions_that_can_be_pickled_are_sent(spawned: Executor) -> None:
    given: Any = {"method": "approximate", "n_resamples": 2**17, "rng": 1}
    expected = randomization_test(table(), [SHARE, RATIO], **given)
    assert randomization_test(table(), [SHARE, RATIO], executor=spawned, **given) == expected


@pytest.mark.parametrize("make", [Wire, None])
def test_functions_that_cannot_be_pickled_are_named(spawned: Executor, make: Any) -> None:
    metric = Metric("mine", ("x", "y"), function=lambda sums: sums[:, 0])
    with pytest.raises(InputError) as caught:
        randomization_test(
            table(), metric, method="approximate", executor=make() if make else spawned
        )
    assert str(caught.value).startswith(
        "metric 'mine': its function must be defined at the top level of a module, or use threads"
    )


def test_generators_that_cannot_be_pickled_are_named() -> None:
    with pytest.raises(InputError, match=r"bit_generator '.*lambda.*': it must be defined at"):
        hits(Wire(), bit_generator=lambda seed: np.random.SFC64(seed))


def test_functions_never_run_in_two_threads_at_once() -> None:
    lock, inside, most = threading.Lock(), [0], [0]
    numbers = np.random.default_rng(1).random(10_000)

    def share(sums: Any) -> Any:
        with lock:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
        np.sort(numbers)  # lets other threads run
        with lock:
            inside[0] -= 1
        return sums[..., 0] / (1 + sums[..., 1])

    metric = Metric("mine", ("x", "y"), function=share)
    given: Any = {"method": "approximate", "n_resamples": 4 * CHUNK, "rng": 1}
    expected = randomization_test(table(), metric, threads=1, **given)
    with ThreadPoolExecutor(4) as pool:
        assert randomization_test(table(), metric, executor=pool, **given) == expected
    assert most == [1]


def test_an_error_in_a_function_reaches_the_caller() -> None:
    def wrong(sums: Any) -> Any:
        if len(sums) > 100:
            raise ZeroDivisionError("by nothing")
        return sums[:, 0]

    with ThreadPoolExecutor(2) as pool, pytest.raises(ZeroDivisionError, match="by nothing"):
        randomization_test(
            table(), Metric("mine", ("x", "y"), function=wrong), method="approximate",
            executor=pool, rng=1,
        )  # fmt: skip


def test_this_process_keeps_no_job() -> None:
    def share(sums: Any) -> Any:
        return sums[..., 0] / (1 + sums[..., 1])

    known = weakref.ref(share)
    metric = Metric("mine", ("x", "y"), function=share)
    given: Any = {"method": "approximate", "n_resamples": 2 * CHUNK, "rng": 1}
    with ThreadPoolExecutor(2) as pool:
        randomization_test(table(), metric, executor=pool, **given)
    del share, metric
    gc.collect()
    assert known() is None


def test_a_function_may_ask_csig_in_turn() -> None:
    """Its first call is made where a worker makes the job ready."""
    given: Any = {"method": "approximate", "n_resamples": CHUNK, "rng": 1}
    asked = []

    def share(sums: Any) -> Any:
        if not asked:
            with ThreadPoolExecutor(1) as inner:
                asked.append(randomization_test(paper(), "f1", executor=inner, **given))
        return sums[..., 0] / (1 + sums[..., 1])

    def run() -> None:
        with ThreadPoolExecutor(1) as pool:
            found.append(ShuffleDealer(pool, 1, make_source(1), [question], swapped).deal(0, CHUNK))

    found: list[Any] = []
    metric = Metric("mine", ("x", "y"), function=share)
    asked.append(None)  # not here
    question = make_question(table(), metric, "two-sided", 0)
    swapped = swapped_of(table(), [question])
    asked.clear()
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)  # a lock would be held for ever
    assert [len(asked), len(found)] == [1, 1]
    assert asked[0] == randomization_test(paper(), "f1", **given)
