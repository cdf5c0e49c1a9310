"""``csig rank`` without the command: a file, its options, and what is said of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from written import file_of, refusal, shares

import csig
from csig.rankings.command import Ranked, ranked_from
from csig.readers.request import Request

COLUMNS: dict[str, list[Any]] = {
    "ok": [int(i % 3 == 0) for i in range(60)],
    "part": ["ab"[i % 2] for i in range(60)],
    "x": [own + (i % 3 == 0) / 3 for i, own in enumerate(shares(60))],
    "y": shares(60, seed=2),
}
FEW: dict[str, Any] = {"n_resamples": 999, "rng": 1}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file_of(**COLUMNS)


def ranked(*given: Any, **options: Any) -> Ranked:
    return ranked_from(Request(files=("t.csv",)), *given, **options)


def test_the_numbers_are_those_of_python() -> None:
    found = ranked("ok", ["x,y"], [5, 20], **FEW)
    own = csig.rank_methods(COLUMNS, ["x", "y"], [5, 20], true="ok", **FEW)
    assert (found.result.pairs[0].adjusted_pvalues == own.pairs[0].adjusted_pvalues).all()
    assert found.result.digest == own.digest
    assert found.document.record()["input"] == {
        "file": "t.csv", "true_column": "ok", "methods_chosen": True, "sample_column": None,
        "unused_columns": ["part"],
    }  # fmt: skip


def test_what_was_chosen_is_said() -> None:
    found = ranked("ok", **FEW)
    notes = " ".join(found.document.notes)
    assert "Read as 60 candidates (t.csv); true: ok." in notes
    assert "Methods: all other columns of numbers (x, y); --methods names some." in notes
    assert "By default n is 1, 2, 5, 10 and 20; --n takes others." in notes
    assert "Columns that were not used: 'part'." in notes
    plain = " ".join(ranked("ok", ["x"], [5]).document.notes)
    assert "Methods" not in plain
    assert "By default" not in plain


def test_lower_is_better_in_one_text() -> None:
    assert ranked("ok", ["x", "y"], [5], lower_is_better=["x,y"]).result.lower_is_better == (
        "x", "y",
    )  # fmt: skip


def test_samples() -> None:
    found = ranked("ok", ["x", "y"], [20], sample="part")
    own = csig.rankings.sample_precision(COLUMNS, ["x", "y"], sample="part", total=20, true="ok")
    record = found.document.record()["samples"]
    assert [m["true_positives"] for m in record["methods"]] == own.true_positives.tolist()
    found = ranked("ok", ["x", "y"], sample="part", sample_n=5, **FEW)
    own = csig.rankings.sample_precision(COLUMNS, ["x", "y"], sample="part", n=5, true="ok")
    record = found.document.record()["samples"]
    assert [m["true_positives"] for m in record["methods"]] == own.true_positives.tolist()
    said = refusal(ranked, "ok", ["x"], [5, 20], sample="part")
    assert said.startswith("--sample: which candidates of every sample? Give --sample-n")
    assert refusal(ranked, "ok", ["x"], sample_n=5) == "--sample-n goes with --sample COLUMN"
    said = refusal(ranked, "ok", ["x"], sample="part", sample_n=31)
    assert said.endswith("give a smaller --sample-n, or one --n instead")
    said = refusal(ranked, "ok", ["x"], [61], sample="part")
    assert said == "n = 61, but the table has 60 candidates"
    said = refusal(ranked, "ok", ["part"], [5], sample="part")
    assert said == "--methods and --sample name the same column, 'part'"


def test_samples_that_say_nothing_are_refused_before_the_tests() -> None:
    file_of(**{**COLUMNS, "y": COLUMNS["ok"]})
    said = refusal(ranked, "ok", ["x", "y"], sample="part", sample_n=5, **FEW)
    assert said.startswith("y: every one of ")


def test_a_picture_has_every_length() -> None:
    pytest.importorskip("matplotlib")
    found = ranked("ok", ["x", "y"], [20])
    (line, *_) = found.figure().axes[0].lines
    assert line.get_xdata()[-1] == 20
    assert len(line.get_xdata()) > 10
