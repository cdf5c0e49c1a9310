"""Shuffles drawn by executors: the hits of one thread, whatever the workers do."""

import gc
import inspect
import multiprocessing
import pickle
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
from dataclasses import replace
from fractions import Fraction
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from brute import PAPER
from children import needs_posix
from numpy.random import SeedSequence
from places import DOCS
from workers import Backwards, Failing, Wire

import csig
from csig import Comparison, InputError, Metric, randomization_test, replay
from csig.data import metrics
from csig.engines import remote
from csig.engines.base import Block
from csig.engines.questions import make_question
from csig.engines.remote import Job, draw_on
from csig.engines.shuffle import draw_shuffles, swapped_of
from csig.engines.tasks import make_task
from csig.streams import CHUNK, make_source

NAMES = ["recall", "precision", "f1"]
N = 30 * CHUNK + 77


def paper() -> Comparison:
    return Comparison.from_counts(**PAPER)


def table(n: int = 300) -> Comparison:
    rows = np.random.default_rng(2).integers(0, 99, (2, n, 2))
    return Comparison.from_statistics(*rows, columns=("x", "y"))


def drawn(metric: Any, executor: Any = None, n_resamples: int = 999, n: int = 300) -> Any:
    """The result of shuffles of a table."""
    options: Any = {"method": "approximate", "n_resamples": n_resamples, "rng": 1, "threads": 1}
    return randomization_test(table(n), metric, executor=executor, **options)


def own(function: Any) -> Metric:
    return Metric("mine", ("x", "y"), function=function)


def hits(executor: Executor | None = None, **options: Any) -> list[int | None]:
    given = {"method": "approximate", "n_resamples": N, "rng": 7, "threads": 1} | options
    found = randomization_test(paper(), NAMES, executor=executor, **given)
    return [result.n_hits for result in found.values()]


@pytest.fixture(scope="module")
def spawned() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as found:
        yield found


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Single chunks, whatever they take."""
    monkeypatch.setattr(remote, "BATCH", 0.0)


def shut_down() -> Executor:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    return pool


def test_executors_give_the_hits_of_one_thread(spawned: Executor) -> None:
    with ThreadPoolExecutor(3) as threads:
        one, *others = (hits(own, n_resamples=5 * CHUNK + 77) for own in (None, spawned, threads))
    assert others == [one, one]
    for options in ({"method": "yeh2000"}, {"decide_at": 0.03}):
        assert hits(spawned, n_resamples=None, **options) == hits(n_resamples=None, **options)
    asked = [own(partial(np.max, axis=1)), RATIO]
    assert drawn(asked, spawned, 2**17) == drawn(asked, None, 2**17)
    wire = Wire()
    assert randomization_test(paper(), "f1", executor=wire).method == "exact"
    assert wire.sent == []
    hits(wire)
    assert max(wire.sent) < 1500


@needs_posix
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_forked_processes_give_the_hits_of_one_thread() -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        one, *others = (
            hits(own, n_resamples=5 * CHUNK + 77, threads=threads)
            for own, threads in ((None, 1), (pool, 1), (pool, 2))
        )
    assert others == [one, one]


@pytest.mark.parametrize(("name", "seed"), [
    ("PCG64DXSM", 5), ("Philox", (1, 2**70)), ("SFC64", SeedSequence((3, 4), spawn_key=(7,))),
    ("MT19937", 5), ("randu", (1, 2**70)), (np.random.SFC64, 5),
])  # fmt: skip
def test_seeds_in_another_process(name: Any, seed: Any) -> None:
    given: Any = {"bit_generator": name, "rng": seed, "allow_bad_generator": True}
    assert hits(Wire(), n_resamples=3000, **given) == hits(n_resamples=3000, **given)


def test_another_process_keeps_few_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "kept", {})
    for seed in range(remote.KEPT + 3):
        assert hits(Wire(), rng=seed, n_resamples=64) == hits(rng=seed, n_resamples=64)
    assert len(remote.kept) == remote.KEPT


@pytest.mark.usefixtures("small_batches")
def test_blocks_may_come_back_in_any_order() -> None:
    backwards = Backwards(30)
    found = hits(backwards, n_resamples=30 * CHUNK)
    assert found == hits(n_resamples=30 * CHUNK)
    assert backwards.order != sorted(backwards.order)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(("executor", "message"), [
    (Failing({i: BrokenProcessPool("a process ended\nand more") for i in range(6, 99)}),
     r"executor: it failed after 393,216 of 1,966,157 shuffles \(BrokenProcessPool: a process "
     r"ended\)$"),
    (Failing({0: CancelledError()}), "executor: it failed after .* shuffles .CancelledError"),
    (shut_down(), "executor: it failed .* cannot schedule new futures after shutdown"),
    (Failing({0: ModuleNotFoundError("No module named 'csig'")}),
     "executor: a worker cannot import csig .* install csig-stats"),
])  # fmt: skip
def test_a_lost_executor_is_one_line_that_says_how_far_it_got(
    executor: Executor, message: str
) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        hits(executor)


@pytest.mark.parametrize("other", [("0.1.0", 1), (remote.HERE[0], remote.HERE[1] + 1)])
def test_another_version_on_a_worker_is_refused(other: tuple[str, int]) -> None:
    class Older(Wire):
        """What it is sent it cannot read."""

        def run(self, fn: Any, args: Any) -> Any:
            assert isinstance(args[1], tuple)
            assert b"csig" not in args[1][1]
            return fn(other, (args[1][0], b"damaged", []), *args[2:])

    version, contract = map(re.escape, map(str, other))
    own = re.escape(remote.HERE[0])
    said = rf"the worker on .* has csig {own} \(.*\), and this is csig {version} .* {contract}\)"
    with pytest.raises(InputError, match=said):
        hits(Older())


#: As dask's Client: it has `submit`, and is no executor.
CLIENT = SimpleNamespace(submit=pytest.fail, get_executor=pytest.fail)


@pytest.mark.parametrize("wrong", ["pool", CLIENT])
def test_only_executors_are_taken(wrong: Any) -> None:
    with pytest.raises(InputError, match=r"executor must be a concurrent\.futures\.Executor"):
        hits(wrong)
    with pytest.raises(InputError, match="keep_null does not go with executor"):
        hits(Wire(), keep_null=True)


def test_the_page_says_what_takes_executors_and_what_does_not() -> None:
    page = (DOCS / "many-machines.md").read_text("utf-8").split("\n\n")[1]
    takes, draws_here = page.split("`training_distribution`, which", 1)
    spaces = [csig, *(own for name in csig.__all__ if inspect.ismodule(own := getattr(csig, name)))]
    options = {
        name: inspect.signature(value).parameters
        for space in spaces
        if space is not csig.replay
        for name in space.__all__
        if inspect.isfunction(value := getattr(space, name))
    }
    named = set(re.findall(r"`(\w+)`", takes)) | {"training_distribution"}
    assert named >= {name for name, known in options.items() if "executor" in known}
    here = {n for n, known in options.items() if "threads" in known and "rng" in known} - named
    assert here == {"compare_datasets", "rank_methods"}
    assert all(f"`{name}`" in draws_here for name in here)


# ---- what is sent ------------------------------------------------------------------------------


RATIO = metrics.ratio("ratio", "x", "y")


@pytest.mark.usefixtures("small_batches")
def test_a_table_takes_few_bytes_and_is_unpickled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    class Kept(dict[str, Job]):
        def __setitem__(self, key: str, job: Job) -> None:
            opened.append(key)
            super().__setitem__(key, job)

    monkeypatch.setattr(remote, "kept", Kept())
    wire = Wire()
    assert drawn(RATIO, wire, 9 * CHUNK, 2000) == drawn(RATIO, None, 9 * CHUNK, 2000)
    assert len(wire.blocks) == 9
    assert len(opened) == 1
    assert max(wire.sent) < 9000  # of 32,000 bytes


def test_few_batches_are_under_way_whatever_the_number_of_shuffles() -> None:
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
    assert len(futures) == 5 * remote.PER_WORKER
    assert all(future.cancelled() for future in futures)


# ---- functions of a user's own -------------------------------------------------------------------


def test_what_cannot_be_pickled_is_named(spawned: Executor) -> None:
    said = "^metric 'mine': its function must be defined at the top level of a module, or use thre"
    for executor in (Wire(), spawned):
        with pytest.raises(InputError, match=said):
            drawn(own(lambda sums: sums[:, 0]), executor)
    with pytest.raises(InputError, match=r"bit_generator '.*lambda.*': it must be defined at"):
        hits(Wire(), bit_generator=lambda seed: np.random.SFC64(seed))


def test_functions_are_seen_by_the_executors_own_pickler() -> None:
    """cloudpickle, of dask and loky, sends lambdas."""

    class Cloud(Wire):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            csig, job, *rest = args
            make, arguments = job.__reduce__()
            future: Future[Any] = Future()
            future.set_result(fn(csig, make(*arguments), *rest))
            return future

    metric = own(lambda sums: sums[:, 0])
    assert drawn(metric, Cloud()) == drawn(metric)


def test_functions_never_run_in_two_threads_at_once(watched: Any) -> None:
    share, most = watched
    with ThreadPoolExecutor(4) as pool:
        assert drawn(own(share), pool, 2 * CHUNK) == drawn(own(share), None, 2 * CHUNK)
    assert most == [1]


def test_an_error_in_a_function_reaches_the_caller() -> None:
    def wrong(sums: Any) -> Any:
        if len(sums) > 100:
            raise ZeroDivisionError("by nothing")
        return sums[:, 0]

    with ThreadPoolExecutor(2) as pool:
        for executor in (None, pool):
            with pytest.raises(ZeroDivisionError, match="by nothing"):
                drawn(own(wrong), executor, 2**20)
    with pytest.raises(RuntimeError, match="wrong") as caught:
        hits(Failing({i: RuntimeError("wrong") for i in range(99)}))
    assert caught.value.__notes__ == ["csig: raised after 0 of 1,966,157 shuffles"]


def test_this_process_keeps_no_job() -> None:
    def share(sums: Any) -> Any:
        return sums[..., 0] / (1 + sums[..., 1])

    known = weakref.ref(share)
    with ThreadPoolExecutor(2) as pool:
        drawn(own(share), pool, 2 * CHUNK)
    del share
    gc.collect()
    assert known() is None


def test_a_function_may_ask_csig_in_turn() -> None:
    """Its first call is made where a worker makes the job ready."""
    given: Any = {"method": "approximate", "n_resamples": CHUNK, "rng": 1}
    asked: list[Any] = [None]  # not here

    def share(sums: Any) -> Any:
        if not asked:
            with ThreadPoolExecutor(1) as inner:
                asked.append(randomization_test(paper(), "f1", executor=inner, **given))
        return sums[..., 0] / (1 + sums[..., 1])

    metric = own(share)
    question = make_question(table(), metric, "two-sided", 0)
    arguments = make_source(1), [question], swapped_of(table(), [question])
    job = Job("shuffles", draw_shuffles, arguments, [metric])
    asked.clear()
    found: list[Any] = []

    def run() -> None:
        with ThreadPoolExecutor(1) as pool:
            whole = Block(0, 0, 1, CHUNK)
            draw_on(pool, job, whole, lambda *own: found.append(own), seconds=1, threads=1)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)  # a lock would be held for ever
    assert [len(asked), len(found)] == [1, 1]
    assert asked[0] == randomization_test(paper(), "f1", **given)


# ---- jobs --------------------------------------------------------------------------------------

TP, EXTRA = np.random.default_rng(5).integers(0, 4, size=(2, 2, 40))
GOLD = np.full((2, 40), 5)
UNITS = Comparison.from_statistics(
    *np.stack([TP, TP + EXTRA, GOLD, EXTRA * TP], axis=2),
    columns=("tp", "predicted", "gold", "more"),
)
LARGEST = Metric("largest", ("tp",), function=partial(np.mean, axis=1))
CELLS = Comparison.from_statistics(
    *np.stack([TP, EXTRA, GOLD - TP, GOLD - EXTRA], axis=2), columns=("tp", "fp", "fn", "tn")
)
LABELS = Comparison.from_labels(*np.random.default_rng(1).integers(0, 3, size=(3, 60)).tolist())
HEAVY = Metric("heavy", ("tp", "gold"), numerator=(Fraction(1, 3), -1), denominator=(0, 1))
OWN = Metric("mine", ("tp", "fp", "fn", "tn"), function=metrics.mcc().function)
#: One system has all of the denominator in one of two exchanges.
HALF = Comparison.from_statistics([[1, 1], [0, 0]], [[0, 0], [1, 2]], ("x", "y"))


def quotient(sums: Any) -> Any:
    return sums[:, 0] / sums[:, 1]


QUOTIENT = Metric("quotient", ("x", "y"), function=quotient)
QUESTIONS = [
    *((paper(), metric) for metric in (HEAVY, LARGEST)),
    *((UNITS, metric) for metric in (metrics.f_beta(2), metrics.recall, LARGEST)),
    (Comparison.from_scores(TP[0] / 7, TP[1] / 7 + 0.01), metrics.get("mean")),
    *((CELLS, metric) for metric in (metrics.mcc(), OWN)),
    (LABELS, metrics.get("macro_f1", LABELS.columns)),
    (HALF, QUOTIENT),
]


@pytest.mark.parametrize(("comparison", "metric"), QUESTIONS)
@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_a_question_in_another_process_counts_the_same(
    comparison: Comparison, metric: Metric, alternative: Any
) -> None:
    question = make_question(comparison, metric, alternative, 1)
    asked = [question, question.one_tail(upper=True), question.one_tail(upper=False)]
    task = make_task(
        comparison, alternative=alternative, method="approximate", n_resamples=3000, rng=3,
        bit_generator="Philox", threads=1, zero_division=1,
    )  # fmt: skip
    one, other = (own.draw(2, asked) for own in (task, replace(task, executor=Wire())))
    assert one.counts == other.counts
    assert [one.hits, one.near, one.undefined] == [other.hits, other.near, other.undefined]
    assert sum(one.hits) > 0
    assert any(one.undefined) == (metric is QUOTIENT)


def test_a_batch_has_the_hits_of_the_contract() -> None:
    question = make_question(paper(), metrics.recall, "two-sided", 0)
    job = Job("shuffles", draw_shuffles, (make_source(1), [question], (34, 52)))
    x, _ = replay.class_counts(34, 52, 2 * CHUNK + 9, entropy=1, run=2)
    hits = np.abs(2 * x - 34) >= 28 - 6  # unique correct responses of A, less those of B
    upto = [int(hits[:n].sum()) for n in (CHUNK, 2 * CHUNK, 2 * CHUNK + 9)]
    sealed = pickle.loads(pickle.dumps(job))
    each = {1: [upto[1] - upto[0]], 2: [upto[2] - upto[1]]}
    for by_chunk, expected in ((True, each), (False, {})):
        batch = (2, 1, 2, 2 * CHUNK + 9)
        drawn, _, _, chunks = remote.draw(remote.HERE, sealed, batch, by_chunk, 2)
        assert drawn == [upto[2] - upto[0]]
        assert {chunk: own for chunk, (own, _, _) in chunks.items()} == expected
