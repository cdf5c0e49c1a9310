"""Training runs: on any executor, killed anywhere, the same table byte for byte."""

import json
import random
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from children import needs_posix, python
from drawn import several
from printed import expected, printed, rewrite
from trained import SYSTEMS, TESTS, ending_worker, failing, lines_in, train_and_score
from written import refusal

from csig.training import resample_training, training_distribution
from csig.training.running import reply_of, scores_of

PRINTED = Path(__file__).with_name("refused.txt")
CORPUS = [1, 2, 2, 3, 5, 8, 13, 21, 4, 4, 6, 7]
TESTS_FOLDER = Path(__file__).parents[1]


def trained(function=train_and_score, corpus=CORPUS, tests=TESTS, **options):
    return training_distribution(
        function, corpus, tests, **{"systems": SYSTEMS, "n_samples": 30, "rng": 1, **options}
    )


def processes(number):
    """Started anew, as everywhere but in older Pythons on Linux."""
    return ProcessPoolExecutor(number, mp_context=get_context("spawn"))


def same(one, other):
    return (one.table(), one.to_csv(), one.to_dict()) == (
        other.table(), other.to_csv(), other.to_dict()
    )  # fmt: skip


def test_every_sample_is_scored():
    found = trained(instances=[1, 2] * 6, size=9)
    assert found.scores.shape == (30, 2, 2)
    samples = resample_training(CORPUS, 9, instances=[1, 2] * 6, n_samples=30, rng=1)
    for own, sample in zip(found.scores, samples, strict=True):
        expected = train_and_score([CORPUS[i] for i in sample.indices], TESTS)
        assert own.tolist() == [list(expected[name].values()) for name in SYSTEMS]
    assert (found.method, found.independent) == ("bootstrap", True)
    assert found.seed is not None
    assert found.seed.entropy == 1


def test_what_the_function_is_given():
    pandas, sparse = pytest.importorskip("pandas"), pytest.importorskip("scipy.sparse")
    kinds = {
        "list": (CORPUS, lambda x: x),
        "array": (np.array(CORPUS), lambda x: x.tolist()),
        "series": (pandas.Series(CORPUS, index=range(50, 62)), lambda x: x.tolist()),
        "matrix": (sparse.csr_matrix(np.array([CORPUS]).T), lambda x: x.toarray()[:, 0].tolist()),
        "number": (len(CORPUS), lambda x: [CORPUS[i] for i in x]),
        "numpy's": (np.int64(len(CORPUS)), lambda x: [CORPUS[i] for i in x]),
    }
    expected = trained()
    for corpus, plain in kinds.values():
        found = trained(lambda training, tests, plain=plain:
                        train_and_score(plain(training), tests), corpus)  # fmt: skip
        assert same(found, expected)


def test_what_is_held_out_is_another_test_set():
    seen = []

    def function(training, tests):
        seen.append((sorted(training), sorted(tests["held out"])))
        return train_and_score(training, tests)

    found = trained(function, method="kfold", k=4, n_samples=8, held_out="held out")
    assert found.test_sets == ("near", "far", "held out")
    assert found.independent is False
    assert all(sorted(training + out) == sorted(CORPUS) for training, out in seen)
    alone = trained(method="kfold", k=3, n_samples=3, tests=[], held_out="rest")
    assert alone.test_sets == ("rest",)
    found = trained(lambda training, tests: train_and_score(training, {t: TESTS[t] for t in tests}),
                    tests=list(TESTS))  # fmt: skip
    assert same(found, trained())  # test sets may be names


def test_no_executor_changes_a_byte():
    expected = trained(method="subsample", size=6, disjoint=False)
    for kind, number in ((ThreadPoolExecutor, 2), (processes, 1)):
        with kind(number) as executor:
            found = trained(method="subsample", size=6, disjoint=False, executor=executor,
                            ledger=f"{kind.__name__}.jsonl")  # fmt: skip
            assert same(found, expected)
            assert lines_in(f"{kind.__name__}.jsonl") == 31


# ---- stopped runs ------------------------------------------------------------------------------


@needs_posix
@pytest.mark.parametrize(("after", "executor"), [(17, None), (5, "ThreadPoolExecutor(2)")])
def test_a_run_that_was_killed_goes_on(after, executor):
    """SIGKILL from inside the training function, as soon as the ledger has so many results."""
    code = f"""
import sys
from concurrent.futures import ThreadPoolExecutor
import csig, trained
csig.training.training_distribution(
    trained.dying("l.jsonl", {after}), {CORPUS}, trained.TESTS, systems=trained.SYSTEMS,
    n_samples=30, rng=1, ledger="l.jsonl", executor={executor})
"""
    done = python(code, paths=[str(TESTS_FOLDER)])
    assert (done.returncode, done.stdout) == (-9, "")
    kept = lines_in("l.jsonl") - 1
    assert after <= kept < 30
    calls = []
    found = trained(lambda *given: calls.append(1) or train_and_score(*given), ledger="l.jsonl")
    assert len(calls) == 30 - kept
    assert same(found, trained())


def test_a_ledger_cut_anywhere_ends_with_the_same_table():
    expected = trained(ledger="whole.jsonl")
    whole = Path("whole.jsonl").read_bytes()
    for end in random.Random(1).sample(range(len(whole)), several(4, 100)):
        Path("l.jsonl").write_bytes(whole[:end])
        assert same(trained(ledger="l.jsonl"), expected)
        assert Path("l.jsonl").read_bytes() == whole


def test_ctrl_c_keeps_what_is_done():
    def function(training, tests):
        if lines_in("l.jsonl") == 8:
            raise KeyboardInterrupt
        return train_and_score(training, tests)

    with pytest.raises(KeyboardInterrupt):
        trained(function, ledger="l.jsonl")
    assert lines_in("l.jsonl") == 8
    assert same(trained(ledger="l.jsonl"), trained())


@needs_posix
def test_a_full_disk_is_one_line_and_loses_nothing():
    """A file may have 1,000 bytes: half a line is written, and then nothing more."""
    code = f"""
import resource, signal
import csig, trained
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    csig.training.training_distribution(
        trained.train_and_score, {CORPUS}, trained.TESTS, systems=trained.SYSTEMS, n_samples=30,
        rng=1, ledger="l.jsonl")
except csig.InputError as error:
    print(error)
"""
    done = python(code, paths=[str(TESTS_FOLDER)])
    assert done.stdout == "l.jsonl: the ledger cannot be written (File too large)\n"
    assert Path("l.jsonl").stat().st_size == 1000
    assert 2 < lines_in("l.jsonl") < 30
    assert same(trained(ledger="l.jsonl"), trained())


def test_without_a_seed_the_ledger_has_it():
    calls = []
    first = trained(rng=None, ledger="l.jsonl", progress=lambda *done: calls.append(done))
    assert calls == [(i, 30) for i in range(1, 31)]
    calls.clear()
    again = trained(
        rng=None, ledger="l.jsonl", n_samples=40, progress=lambda *done: calls.append(done)
    )
    assert calls == [(i, 40) for i in range(31, 41)]
    assert again.seed == first.seed
    assert (again.scores[:30] == first.scores).all()
    assert trained(rng=None).seed != first.seed


def unchanged(before: bytes, **options):
    """Why a call is refused, which leaves the ledger as it is."""
    message = refusal(trained, ledger="l.jsonl", **options)
    assert Path("l.jsonl").read_bytes() == before
    return message


def another(**options):
    """Another question of a ledger."""
    Path("l.jsonl").unlink(missing_ok=True)
    trained(ledger="l.jsonl")
    return unchanged(Path("l.jsonl").read_bytes(), **options)


def with_line(line):
    """A ledger with a line that somebody else wrote."""
    Path("l.jsonl").unlink(missing_ok=True)
    trained(ledger="l.jsonl")
    return with_file(Path("l.jsonl").read_text("utf-8") + json.dumps(line) + "\n")


def with_file(content):
    Path("l.jsonl").write_text(content, "utf-8", newline="")
    return unchanged(content.encode())


def mistaken(**options):
    """An argument that makes no ledger."""
    message = refusal(trained, **{"ledger": "new.jsonl", **options})
    assert not Path("new.jsonl").exists()
    return message


KNOWN = '{"schema": "csig.training.ledger", "schema_version": '


@pytest.mark.parametrize(("expression", "text"), expected(PRINTED))
def test_what_is_refused(expression, text):
    assert printed(expression, globals()) == text


@pytest.mark.parametrize(("number", "scores"), [(2, None), (35, [[1.0, 1.0], [1.0, 1.0]])])
def test_second_scores_of_a_sample_are_refused(number, scores):
    trained(ledger="l.jsonl", n_samples=40)
    lines = Path("l.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    again = json.loads(lines[number + 1])
    again["scores"] = scores or again["scores"]
    before = "".join([*lines, json.dumps(again) + "\n"])
    Path("l.jsonl").write_text(before, encoding="utf-8", newline="")
    assert refusal(trained, ledger="l.jsonl") == (
        f"l.jsonl line 42: second scores of sample {number}, whose first are on line {number + 2}; "
        "take one of the lines out, or give another file"
    )
    assert Path("l.jsonl").read_text(encoding="utf-8") == before


# ---- calls that fail ---------------------------------------------------------------------------


def test_a_failing_call_does_not_end_the_rest():
    with pytest.warns(RuntimeWarning, match=r"of 30 training samples failed and are left out; "):
        found = trained(failing, ledger="l.jsonl")
    assert 0 < len(found.failures) < 30
    assert found.n_samples == 30 - len(found.failures)
    own = found.failures[0]
    assert own.error.startswith("ValueError: there is a 13 (trained.py line ")
    assert f"sample {own.sample}: ValueError: there is a 13" in found.table()
    samples = resample_training(CORPUS, n_samples=30, rng=1)
    assert [f.sample for f in found.failures] == [
        s.number for s in samples if 13 in {CORPUS[i] for i in s.indices}
    ]
    with ThreadPoolExecutor(2) as executor, pytest.warns(RuntimeWarning):
        assert same(trained(failing, executor=executor), found)
    calls = []
    again = trained(lambda *given: calls.append(1) or train_and_score(*given), ledger="l.jsonl")
    assert len(calls) == len(found.failures)  # they are tried again
    assert same(again, trained())


def test_when_all_fail_or_all_but_two():
    calls = iter(range(3))
    with pytest.warns(RuntimeWarning, match="1 of 3 training samples failed"):
        found = trained(lambda *own: train_and_score(*own) if next(calls) else None, n_samples=3)
    assert found.n_samples == 2
    assert refusal(trained, lambda *_: None) == (
        "30 of 30 training samples failed; sample 0: train_and_score must return {system: "
        "{test set: score}}, found None"
    )


@needs_posix
def test_executors_that_fail_are_said():
    with processes(1) as executor:
        message = refusal(trained, lambda *_: None, executor=executor)
        assert message.startswith("train_and_score cannot be sent to the executor's processes (")
        message = refusal(trained, ending_worker, executor=executor, ledger="l.jsonl")
    assert message.startswith("executor: it failed after ")
    assert " of 30 samples (BrokenProcessPool: " in message
    assert message.endswith("; they are in l.jsonl, and the same call goes on from there")
    assert same(trained(ledger="l.jsonl"), trained())
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    assert refusal(trained, executor=executor) == (
        "executor: it failed after 0 of 30 samples (RuntimeError: cannot schedule new futures "
        "after shutdown); with ledger=FILE they would be kept"
    )


class KilledWorker(Exception):
    """As dask's, which is no BrokenExecutor."""

    __module__ = "distributed.scheduler"


class Losing(Executor):
    """Does what it is given at once, but the fifth: that one is lost, or was cancelled."""

    def __init__(self, error):
        self.error, self.calls = error, 0

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        self.calls += 1
        if self.calls != 5:
            future.set_result(fn(*args))
        elif self.error is None:
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_exception(self.error)
        return future


@pytest.mark.parametrize("error", [None, KilledWorker("t"), OSError("gone")])
def test_what_is_done_is_kept_before_an_executor_is_said_to_be_lost(error):
    message = refusal(trained, executor=Losing(error), ledger="l.jsonl")
    kept = lines_in("l.jsonl") - 1
    assert kept == 29  # all the others were done
    assert message.startswith(f"executor: it failed after {kept} of 30 samples (")
    assert same(trained(ledger="l.jsonl"), trained())


GOOD = {"a": {"t": 1, "u": np.float32(0.5)}, "b": {"t": [True, False, 1], "u": Fraction(1, 4)}}


def test_numbers_and_scores_of_items():
    assert scores_of(GOOD, ("b", "a"), ("u", "t")) == [[0.25, 2 / 3], [0.5, 1.0]]
    assert scores_of({"a": {"t": np.array([[0.1] * 10])}}, ["a"], ["t"]) == [[0.1]]
    assert reply_of(lambda: {}, [], {}, ("a",))[1].startswith("TypeError: ")  # type: ignore


@pytest.mark.parametrize(("found", "words"), [
    (None, "train_and_score must return {system: {test set: score}}, found None"),
    (0.5, "found float"), ({**GOOD, "c": {}}, "for 'a', 'b', found 'a', 'b', 'c'"),
    ({**GOOD, "b": None}, "system 'b' must have {test set: score}, found None"),
    ({**GOOD, "b": {"t": 1}}, "system 'b' must have {test set: score} for 't', 'u', found 't'"),
    ({**GOOD, "b": {"t": 1, "u": float("nan")}}, "system 'b' on test set 'u': found nan, exp"),
    ({**GOOD, "b": {"t": 1, "u": [1, float("inf")]}}, "found a score that is not finite"),
    ({**GOOD, "b": {"t": 1, "u": "good"}}, "expected a number, found 'good'"),
    ({**GOOD, "b": {"t": 1, "u": []}}, "found no score of any item"),
    ({**GOOD, "b": {"t": 1, "u": None}}, "test set 'u': "),
    (ValueError("no\n data "), "ValueError: no data (test_running.py line "),
    (KeyError(), "KeyError (test_running.py line "),
    (SystemExit(3), "SystemExit: 3 (test_running.py line "),
    (RecursionError("\x1b[31m"), "RecursionError: \\x1b[31m (test"),
])  # fmt: skip
def test_other_replies(found, words):
    def function(training, tests):
        if isinstance(found, BaseException):
            raise found
        return found

    scores, said = reply_of(function, [], {"t": 0, "u": 0}, ("a", "b"))
    assert scores is None
    assert words in said
    assert "\n" not in said


if __name__ == "__main__":
    rewrite(PRINTED, globals(), folder=True)
