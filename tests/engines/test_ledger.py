"""Ledgers: a run that was stopped anywhere goes on and ends with the same hits, or is refused."""

from __future__ import annotations

import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from brute import PAPER
from children import needs_posix, python
from drawn import examples
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from workers import Failing, Killing, Wire
from written import refusal

from csig import Comparison, InputError, Metric, randomization_test
from csig.engines import dealing
from csig.engines.ledger import contents, is_ledger
from csig.streams import CHUNK

NAMES = ["recall", "f1"]
N = 9 * CHUNK + 77


def paper() -> Comparison:
    return Comparison.from_counts(**PAPER)


def small() -> Comparison:
    return Comparison.from_counts(gold=9, only_a_correct=6, only_b_correct=2, only_a_spurious=3)


def draw(comparison: Comparison | None = None, **options: Any) -> Any:
    chosen = {"method": "approximate", "n_resamples": N, "rng": 7} | options
    return randomization_test(comparison or paper(), NAMES, **chosen)


def lines(path: str = "run.jsonl") -> list[str]:
    return Path(path).read_text("utf-8").splitlines(keepends=True)


def write(found: list[str], path: str = "run.jsonl") -> None:
    Path(path).write_text("".join(found), "utf-8")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(dealing, "FIRST_WORDS", 2 * 86 * 1024)  # blocks of a chunk or two
    monkeypatch.setattr(dealing, "TARGET", 1e-3)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Any]:
    """A complete ledger of a small question, in four blocks, and the result."""
    path = tmp_path_factory.mktemp("whole") / "run.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dealing, "FIRST_WORDS", 2 * 11 * 1024)
        for n in (2, 3, 5):
            draw(small(), ledger=path, n_resamples=n * CHUNK, threads=1)
        found = draw(small(), ledger=path, n_resamples=5 * CHUNK + 9, threads=1)
    return path.read_bytes(), found


# ---- stopped and continued -----------------------------------------------------------------


@pytest.mark.parametrize("numbers", [(N, N), (CHUNK, N), (N, 3 * N + 5), (N, 4 * CHUNK), (5, 6, N)])
def test_other_numbers_of_shuffles_go_on_from_there(numbers: tuple[int, ...]) -> None:
    for n in numbers:
        assert draw(ledger="run.jsonl", n_resamples=n) == draw(n_resamples=n)
    wire = Wire()
    assert draw(ledger="run.jsonl", n_resamples=max(numbers), executor=wire) == draw(
        n_resamples=max(numbers)
    )
    assert wire.blocks == []


def test_fewer_shuffles_than_a_block_has_leave_it_as_it_is(monkeypatch: Any) -> None:
    monkeypatch.setattr(dealing, "FIRST_WORDS", 2**40)
    draw(ledger="run.jsonl", n_resamples=9 * CHUNK)
    before = lines()
    assert len(before) == 2
    assert draw(ledger="run.jsonl", n_resamples=4 * CHUNK) == draw(n_resamples=4 * CHUNK)
    assert lines() == before
    assert draw(ledger="run.jsonl", n_resamples=12 * CHUNK) == draw(n_resamples=12 * CHUNK)
    assert lines()[:2] == before


def test_what_is_in_the_ledger_is_not_drawn_again() -> None:
    draw(ledger="run.jsonl")
    found = lines()
    write([*found[:2], *found[4:]])
    lost = [(own["first"], own["chunks"]) for own in map(json.loads, found[2:4])]
    wire = Wire()
    assert draw(ledger="run.jsonl", executor=wire) == draw()
    chunks = {chunk for block in wire.blocks for chunk in range(block[1], block[1] + block[2])}
    assert chunks == {chunk for first, n in lost for chunk in range(first, first + n)}
    write([lines()[0], *reversed(lines()[1:])])
    assert draw(ledger="run.jsonl", executor=Failing({0: OSError()})) == draw()


@needs_posix
@pytest.mark.parametrize(("after", "kept"), [(1, 1), (4, 3)])  # the folder is flushed, too
def test_a_killed_client_goes_on_with_the_same_hits(after: int, kept: int) -> None:
    """It kills itself where it flushes: what was flushed is there."""
    killed = python(
        f"""
import os, signal
from csig import Comparison, randomization_test
from csig.engines import dealing
dealing.FIRST_WORDS, dealing.TARGET = 2 * 86 * 1024, 1e-3
flush, calls = os.fsync, []
def fsync(file):
    flush(file)
    calls.append(file)
    if len(calls) == {after}:
        os.kill(os.getpid(), signal.SIGKILL)
os.fsync = fsync
randomization_test(Comparison.from_counts(**{PAPER}), {NAMES}, method="approximate",
                   n_resamples=2**40, rng=7, ledger="run.jsonl")
"""
    )
    assert killed.returncode == -9
    assert len(lines()) == kept
    assert draw(ledger="run.jsonl") == draw()


@needs_posix
def test_a_killed_worker_loses_nothing_that_was_drawn() -> None:
    pool = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))
    with pool:
        said = refusal(draw, ledger="run.jsonl", n_resamples=2**40, executor=Killing(pool, 5))
    assert said.startswith("executor: it failed after ")
    assert "BrokenProcessPool" in said
    assert "they are in run.jsonl, and the same call goes on from there" in said
    kept = len(lines())
    assert draw(ledger="run.jsonl") == draw()
    assert len(lines()) >= kept


def test_progress_begins_where_the_ledger_ends() -> None:
    draw(ledger="run.jsonl", n_resamples=8 * CHUNK)
    seen: list[tuple[int, int]] = []
    draw(ledger="run.jsonl", n_resamples=9 * CHUNK, progress=lambda *own: seen.append(own))
    assert seen == [(9 * CHUNK, 9 * CHUNK)]


@examples(300)
@given(st.data())
def test_a_file_cut_at_any_byte_goes_on(whole: tuple[bytes, Any], data: st.DataObject) -> None:
    complete, expected = whole
    Path("cut.jsonl").write_bytes(complete[: data.draw(st.integers(0, len(complete)))])
    assert draw(small(), ledger="cut.jsonl", n_resamples=5 * CHUNK + 9) == expected
    again = contents(Path("cut.jsonl").read_bytes(), "cut.jsonl")
    assert again is not None
    assert sum(own.trials for own in again.entries) == 5 * CHUNK + 9


@examples(500, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_file_is_refused_or_does_not_matter(
    whole: tuple[bytes, Any], data: st.DataObject
) -> None:
    complete, expected = whole
    place = data.draw(st.integers(0, len(complete) - 1))
    put = data.draw(st.binary(max_size=3) | st.sampled_from([b"0", b"1", b"9", b"\n", b" "]))
    Path("bad.jsonl").write_bytes(complete[:place] + put + complete[place + 1 :])
    said = "bad.jsonl"
    try:
        found = draw(small(), ledger="bad.jsonl", n_resamples=5 * CHUNK + 9)
    except InputError as error:
        found, said = expected, str(error)
    assert found == expected
    assert "bad.jsonl" in said
    assert "\n" not in said


# ---- refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rng": 8}, "seed is 7 there, 8 here"),
        ({"rng": (7, 1)}, "seed is 7 there, (7, 1) here"),
        ({"alternative": "less"}, "alternative is two-sided there, less here"),
        ({"bit_generator": "SFC64"}, "bit generator is PCG64DXSM there, SFC64 here"),
        ({"zero_division": 1}, "zero_division is 0 there, 1 here"),
        ({"comparison": small()}, "the data are others"),
        (
            {"method": "yeh2000", "n_resamples": None},
            "metrics are (recall, f1) there, (recall, f1, ",
        ),
    ],
)
def test_another_question_is_refused(options: Any, said: str) -> None:
    draw(ledger="run.jsonl")
    before = lines()
    assert refusal(draw, ledger="run.jsonl", **options).startswith(
        f"run.jsonl: a ledger of another question: {said}"
    )
    assert lines() == before


def test_other_weights_under_the_same_name_are_another_question() -> None:
    def tested(weight: int) -> Any:
        metric = Metric("m", ("tp", "gold"), numerator=(weight, 1), denominator=(0, 1))
        return randomization_test(paper(), metric, method="approximate", ledger="m.jsonl", rng=1)

    assert tested(1) == tested(1)
    assert ": m: another metric of the name; give" in refusal(tested, 3)


def test_a_function_is_known_by_its_scores() -> None:
    def tested(power: int) -> Any:
        metric = Metric("f", ("tp", "gold"), function=lambda s: (s[:, 0] / s[:, 1]) ** power)
        return randomization_test(
            paper(), metric, method="approximate", ledger="f.jsonl", rng=1, n_resamples=CHUNK
        )

    assert tested(1) == tested(1)
    assert ": f: another metric of the name; give" in refusal(tested, 2)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda f: [f[0], f[1].replace('"first": 0', '"first": 1'), *f[2:]],
         "run.jsonl line 2: its checksum does not fit; if you delete the line, its shuffles are"),
        (lambda f: [*f[:2], "nonsense\n", *f[2:]], "run.jsonl line 3: it is not JSON"),
        (lambda f: [*f[:2], "[1]\n", *f[2:]], "run.jsonl line 3: expected the fields question"),
        (lambda f: [*f, f[1]],
         "line 6: some of its shuffles are those of line 2; delete one of them"),
        (lambda f: [*f, f[-1]], "line 6: some of its shuffles are those of line 5"),
        (lambda f: [*f, *f], "line 6: expected the fields"),
        (lambda f: [f[0].replace('"entropy": ["7"]', '"entropy": ["8"]'), *f[1:]],
         "run.jsonl line 1: the question was changed after it was written"),
        (lambda f: [f[0].replace('"schema_version": 1', '"schema_version": 2'), *f[1:]],
         "found version 2 of ledgers, this csig"),
        (lambda f: ['{"schema": "csig.ledger"}\n'], "line 1: this is no first line of a ledger"),
        (lambda f: ["id,a,b\n"], "run.jsonl: not a ledger of csig.ledger; give a file that is"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(whole: Any, change: Any, said: str) -> None:
    Path("run.jsonl").write_bytes(whole[0])
    assert len(lines()) == 5
    write(change(lines()))
    before = lines()
    assert said in refusal(draw, small(), ledger="run.jsonl")
    assert lines() == before


@pytest.mark.parametrize("rest", [b"\0\0\0\n", b'{"question": "\n', b"[1]\n"])
def test_what_a_crash_left_of_the_last_line_is_drawn_again(whole: Any, rest: bytes) -> None:
    Path("run.jsonl").write_bytes(whole[0] + rest)
    found = draw(small(), ledger="run.jsonl", n_resamples=5 * CHUNK + 9, rng=None)
    assert found == whole[1]
    assert Path("run.jsonl").read_bytes() == whole[0]
    assert "line 6: " in refusal(contents, whole[0] + rest, "run.jsonl")  # to verify is stricter


def test_a_line_of_another_ledger_is_refused() -> None:
    draw(ledger="one.jsonl")
    draw(ledger="two.jsonl", rng=8)
    write([*lines("one.jsonl")[:2], lines("two.jsonl")[2]], "one.jsonl")
    assert "one.jsonl line 3: it belongs to another question" in refusal(draw, ledger="one.jsonl")


@pytest.mark.parametrize("path", [3, "", b"", "."])
def test_only_regular_files_are_ledgers(path: Any) -> None:
    assert refusal(draw, ledger=path).startswith("ledger")


@pytest.mark.parametrize("rng", [1, None])
def test_a_path_with_a_nul(rng: int | None) -> None:
    assert "the ledger cannot be written" in refusal(draw, ledger="a\0b", rng=rng)


def test_a_folder_that_is_not_there() -> None:
    said = refusal(draw, ledger="no/run.jsonl")
    assert said == "no/run.jsonl: the ledger cannot be written (No such file or directory)"


def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    said = "run.jsonl: the ledger cannot be written (No space left on device)"
    assert refusal(draw, ledger="run.jsonl") == said


def test_two_at_once_are_refused() -> None:
    found: list[str] = []

    def meanwhile(done: int, total: int) -> None:
        found.append(refusal(draw, ledger="run.jsonl"))

    expected = draw()
    assert draw(ledger="run.jsonl", progress=meanwhile) == expected
    assert set(found) == {"run.jsonl: this process writes this ledger already"}
    elsewhere: list[str] = []

    def other(done: int, total: int) -> None:
        code = f"""
from csig import Comparison, randomization_test
randomization_test(Comparison.from_counts(**{PAPER}), {NAMES}, method="approximate",
                   n_resamples={N}, rng=7, ledger="run.jsonl")
"""
        elsewhere.append(python(code).stderr)

    Path("run.jsonl").unlink()
    assert draw(ledger="run.jsonl", n_resamples=1, progress=other)["f1"].n_resamples == 1
    assert len(elsewhere) == 1
    assert "run.jsonl: another process writes this ledger; wait for it, or end it" in elsewhere[0]


def test_differences_are_not_kept() -> None:
    assert refusal(draw, ledger="run.jsonl", keep_null=True).startswith("keep_null does not go")
    assert not Path("run.jsonl").exists()


@pytest.mark.parametrize(
    "options", [{"executor": 3}, {"progress": 3}, {"n_resamples": -1}, {"ledger": "new.jsonl/"}]
)
def test_a_refused_call_leaves_no_ledger(options: Any) -> None:
    refusal(draw, **{"ledger": "new.jsonl"} | options)
    assert list(Path().iterdir()) == []


# ---- seeds, methods, data ----------------------------------------------------------------------


def test_without_a_seed_that_of_the_ledger_is_used() -> None:
    first = draw(ledger="run.jsonl", rng=None)
    again = draw(ledger="run.jsonl", rng=None, n_resamples=2 * N)
    assert again["f1"].seed == first["f1"].seed
    assert again == draw(rng=first["f1"].seed.entropy, n_resamples=2 * N)


def test_an_exact_test_writes_nothing() -> None:
    assert draw(ledger="run.jsonl", method="auto")["f1"].method == "exact"
    assert not Path("run.jsonl").exists()


def test_the_papers_procedure() -> None:
    chosen = {"method": "yeh2000", "n_resamples": None, "ledger": "run.jsonl"}
    expected = draw(method="yeh2000", n_resamples=None)
    for _ in range(2):
        assert draw(**chosen) == expected
        found = lines()
        assert {json.loads(line)["run"] for line in found[1:]} == {0, 1}
        write(found[: len(found) // 2])


def test_decisions() -> None:
    chosen = {"n_resamples": None, "decide_at": 0.029}
    expected = draw(**chosen)
    for _ in range(2):
        assert draw(ledger="run.jsonl", **chosen) == expected
        write(lines()[:-3])
    assert draw(ledger="run.jsonl") == draw()  # chunk by chunk serves every number
    draw(ledger="plain.jsonl", n_resamples=90 * CHUNK)
    assert "plain.jsonl: has blocks of several chunks, and with decide_at" in refusal(
        draw, ledger="plain.jsonl", **chosen
    )


def test_units_scores_and_labels() -> None:
    rng = np.random.default_rng(1)
    table = rng.integers(0, 9, (2, 40, 2))
    labels = rng.integers(0, 3, size=(3, 60)).tolist()
    compared = {
        "units": (Comparison.from_statistics(*table, columns=("x", "y")), "share"),
        "scores": (Comparison.from_scores(*rng.random((2, 50))), "mean"),
        "labels": (Comparison.from_labels(*labels), "macro_f1"),
    }
    share = Metric("share", ("x", "y"), function=partial(np.max, axis=1))
    for name, (comparison, metric) in compared.items():
        tested = share if metric == "share" else metric
        chosen: Any = {"method": "approximate", "n_resamples": CHUNK + 5, "rng": 3}
        expected = randomization_test(comparison, tested, **chosen)
        for _ in range(2):
            assert randomization_test(comparison, tested, ledger=f"{name}.l", **chosen) == expected


def test_a_ledger_is_known_by_its_beginning() -> None:
    draw(ledger="run.jsonl")
    assert is_ledger(Path("run.jsonl").read_bytes()[:100])
    assert not is_ledger(b'{\n "schema": "csig.audit"')
