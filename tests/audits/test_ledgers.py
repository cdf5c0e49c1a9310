"""Ledgers that are drawn again: what differs is found, and what is not looked at is said."""

from __future__ import annotations

import json
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
from signed import signed
from written import refusal

from csig import Comparison, InputError, Metric, randomization_test, verify, verify_ledger
from csig.audits import forms
from csig.engines import dealing
from csig.streams import CHUNK


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(dealing, "FIRST_WORDS", 1)  # blocks of one chunk, then of several
    monkeypatch.setattr(dealing, "TARGET", 2e-3)


def ledger(
    comparison: Comparison | None = None, metric: Any = ("f1", "recall"), **more: Any
) -> str:
    options = {"method": "approximate", "n_resamples": 4 * CHUNK + 9, "rng": 7} | more
    compared = comparison or Comparison.from_counts(**PAPER)
    randomization_test(compared, metric, ledger="run.jsonl", **options)
    return "run.jsonl"


SHARE = Metric("share", ("x", "y"), function=partial(np.max, axis=1))
RNG = np.random.default_rng(1)
KINDS: dict[str, Any] = {
    "responses": {},
    "less": {"alternative": "less", "zero_division": 1, "bit_generator": "Philox"},
    "seeds": {"rng": (3, 2**70), "bit_generator": "SFC64"},
    "yeh2000": {"method": "yeh2000", "n_resamples": None},
    "units": {
        "comparison": Comparison.from_statistics(
            *RNG.integers(0, 9, (2, 40, 2)), columns=("x", "y")
        ),
        "metric": [Metric("ratio", ("x", "y"), numerator=("1/3", 1), denominator=(0, 1))],
    },
    "scores": {
        "comparison": Comparison.from_scores(*RNG.random((2, 50))),
        "metric": "mean",
        "n_resamples": 3000,
    },
    "labels": {
        "comparison": Comparison.from_labels(*RNG.integers(0, 3, (3, 60)).tolist()),
        "metric": ["macro_f1", "accuracy"],
        "n_resamples": 3000,
    },
    "studentised": {"statistic": "studentized", "metric": ("f1", "recall", "precision")},
    "studentised units": {
        "comparison": Comparison.from_statistics(
            *RNG.integers(0, 9, (2, 40, 2)), columns=("x", "y")
        ),
        "metric": [Metric("ratio", ("x", "y"), numerator=("1/3", 1), denominator=(0, 1))],
        "statistic": "studentized",
        "alternative": "greater",
    },
    "studentised units with large counts": {
        "comparison": Comparison.from_statistics(
            *RNG.integers(0, 2**40, (2, 40, 2)), columns=("x", "y")
        ),
        "metric": [Metric("ratio", ("x", "y"), numerator=(1, 0), denominator=(0, 1))],
        "statistic": "studentized",
    },
    "randu": {"bit_generator": "randu", "allow_bad_generator": True},
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_ledger_verifies(kind: str) -> None:
    found = verify_ledger(ledger(**KINDS[kind]), sample=99 if kind != "yeh2000" else 3)
    assert found.ok
    assert found.blocks >= len(found.redrawn) >= 1
    assert all(own.first <= own.chunk < own.first + own.chunks for own in found.redrawn)
    assert all(0 < own.replayed <= CHUNK for own in found.redrawn)


def test_what_is_drawn_again_is_told() -> None:
    result = randomization_test(
        Comparison.from_counts(**PAPER), "f1", method="approximate", rng=1,
        n_resamples=12 * CHUNK + 5, ledger="run.jsonl",
    )  # fmt: skip
    found = verify_ledger("run.jsonl", sample=2)
    assert found.trials == {0: 12 * CHUNK + 5}
    assert found.hits == {0: {"f1": result.n_hits}}
    assert len(found.redrawn) == 2
    assert found.redrawn[-1].line == found.blocks + 1  # the last one
    assert found.trust[1] == f"the hits of the other {found.blocks - 2} blocks"
    assert len(verify_ledger("run.jsonl", sample=99).trust) == 1
    document = json.loads(json.dumps(found.as_dict()))
    assert document["redrawn"][1]["replayed"] == 5
    assert document["runs"] == [
        {"run": 0, "n_resamples": 12 * CHUNK + 5, "hits": {"f1": result.n_hits}}
    ]


def one_hit(question: dict[str, Any], blocks: list[dict[str, Any]]) -> None:
    blocks[1]["hits"][1] += 1


def one_tie(question: dict[str, Any], blocks: list[dict[str, Any]]) -> None:
    blocks[1]["near"][1] += 1


def undefined(question: dict[str, Any], blocks: list[dict[str, Any]]) -> None:
    blocks[1]["undefined"][0] = True


def moved(question: dict[str, Any], blocks: list[dict[str, Any]]) -> None:
    blocks[0]["first"] += 1000


def seed(question: dict[str, Any], blocks: list[dict[str, Any]]) -> None:
    question["entropy"] = ["8"]


def data(question: dict[str, Any], blocks: list[dict[str, Any]]) -> None:
    question["comparison"]["sums_a"][0] = "46"
    question["comparison"]["classes"][0] = [27, 7]
    question["comparison"]["sums_b"][0] = "26"
    question["comparison"]["sums_a"][1] = "94"
    question["comparison"]["sums_b"][1] = "40"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (one_hit, "signed.jsonl line 3: recall: "),
        (one_tie, "signed.jsonl line 3: recall: 1 ties in the ledger, 0 now"),
        (undefined, "signed.jsonl line 3: undefined: other scores are undefined now"),
        (moved, "signed.jsonl line 2: f1: "),
        (seed, "signed.jsonl line 2: f1: "),
        (data, "signed.jsonl line 2: f1: "),
    ],
)
def test_a_ledger_that_was_changed_and_signed_is_found_out(change: Any, said: str) -> None:
    found = verify_ledger(signed(ledger(), change), sample=99)
    assert not found.ok
    assert found.differences[0].startswith(said)


def test_signing_without_a_change_changes_nothing() -> None:
    assert verify_ledger(signed(ledger(), lambda question, blocks: None)).ok


def test_a_function_of_ones_own_is_given() -> None:
    units = KINDS["units"]["comparison"]
    path = ledger(units, SHARE, n_resamples=CHUNK)
    assert "metric 'share' is a function unknown to csig" in refusal(verify_ledger, path)
    assert verify_ledger(path, metrics=SHARE).ok
    other = Metric("share", ("x", "y"), function=partial(np.min, axis=1))
    found = verify_ledger(path, metrics=other)
    assert found.differences[0] == "run.jsonl line 1: share: other scores than observed now"


def large(question: dict[str, Any], blocks: list[dict[str, Any]]) -> None:
    blocks[0] |= {"first": 5, "chunks": 2**31, "trials": 2**47}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (large, "line 2: a block of 189,115,999,977,472 random words, more than"),
        (lambda q, b: q.update(bit_generator="mine.Own"), "bit_generator 'mine.Own' is unknown"),
        (lambda q, b: q.update(entropy=[]), "entropy: found no numbers"),
        (lambda q, b: q.update(entropy=[[]]), "the seed cannot be made"),
        (lambda q, b: q.update(engine="resample"), "engine, streams: found others"),
        (lambda q, b: q.update(alternative="both"), "alternative, zero_division: found values"),
        (lambda q, b: q["comparison"].update(classes=None), "line 1: the question is none of csig"),
        (lambda q, b: q["comparison"].update(more=1), "comparison: unknown fields 'more'"),
        (lambda q, b: q["metrics"][0].pop("name"), "line 1: the question is none of csig's"),
        (lambda q, b: q.pop("alternative"), "line 1: the question was changed after it was"),
    ],
)
def test_questions_that_are_none(change: Any, said: str) -> None:
    assert said in refusal(verify_ledger, signed(ledger(), change), sample=99)


def test_files_that_are_none() -> None:
    Path("empty").write_bytes(b"")
    assert refusal(verify_ledger, "empty") == "empty: the ledger ends before its first line does"
    Path("other").write_bytes(b"id,a,b\n")
    assert refusal(verify_ledger, "other").startswith("other: not a ledger of csig.ledger")
    assert refusal(verify_ledger, "none").startswith("none: cannot be read")
    assert refusal(verify_ledger, ledger(), sample=0).startswith("sample must be an integer")


@examples(100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_value_anywhere_in_a_question_is_refused_or_found_out(choice: st.DataObject) -> None:
    """No traceback, and nothing else than what was drawn verifies."""

    def change(question: dict[str, Any], blocks: list[dict[str, Any]]) -> None:
        place: Any = question
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = choice.draw(st.sampled_from(keys))
            if not isinstance(place[key], (dict, list)) or not place[key]:
                break
            place = place[key]
        put = st.none() | st.text(max_size=3) | st.integers(-3, 2**70) | st.just([]) | st.just({})
        place[key] = choice.draw(put)

    if not Path("run.jsonl").exists():
        counts = Comparison.from_counts(
            gold=9, only_a_correct=6, only_b_correct=1, only_a_spurious=4
        )
        ledger(counts, n_resamples=300, statistic="studentized")
    try:
        found = verify_ledger(signed("run.jsonl", change), sample=1)
        said = str(found.redrawn)
    except InputError as error:
        said = str(error)
    assert said
    assert "\n" not in said


# ---- files that are large, or open -----------------------------------------------------------


def test_a_ledger_is_verified_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cut at the most that is read is not taken for half a line of a crash."""
    blocks = verify_ledger(ledger()).blocks
    size = len(Path("run.jsonl").read_bytes())
    monkeypatch.setattr(forms, "MOST_BYTES", size - 20)  # of records
    assert verify_ledger("run.jsonl").blocks == blocks
    monkeypatch.setattr("csig.ledger.MOST_BYTES", size - 20)
    said = f"run.jsonl: a ledger of {size:,} bytes, expected at most {size - 20:,}"
    assert refusal(verify_ledger, "run.jsonl") == said


@needs_posix
def test_verifying_an_open_ledger_does_not_unlock_it() -> None:
    code = f"""
from csig import Comparison, randomization_test
randomization_test(Comparison.from_counts(**{PAPER}), ["f1", "recall"], method="approximate",
                   n_resamples=1, rng=7, ledger="run.jsonl")
"""
    found, others = [], []

    def meanwhile(done: int, total: int) -> None:
        if not found:
            found.append(verify_ledger("run.jsonl"))
            refusal(verify, "run.jsonl")  # which is no record
            others.append(python(code).stderr)

    ledger(progress=meanwhile)
    assert found[0].ok
    assert "run.jsonl: another process writes this ledger; wait for it, or end it" in others[0]
