"""Many systems as a document."""

from typing import Any

import numpy as np
import pytest

import csig
from csig.report.rendering import render
from csig.systems.report import MOST_PAIRS, as_record, document_of_systems


def found(shares: list[float], n: int = 100, **options: Any) -> csig.systems.SystemsResult:
    rng = np.random.default_rng(1)
    systems = {f"s{i}": (rng.random(n) < share).astype(int) for i, share in enumerate(shares)}
    return csig.compare_systems(systems, **options)


@pytest.mark.parametrize(
    ("shares", "options", "said"),
    [
        ([0.1, 0.9], {}, "s1 is significantly better than s0 at 0.05."),
        ([0.1, 0.9, 0.9], {}, "s1 or s2 may be the best of 3 systems; 2 of 3 pairs differ"),
        ([0.5, 0.5], {}, "s1 and s0 do not differ significantly at 0.05."),
        ([0.5] * 3, {}, "Any of the 3 systems may be the best; 0 of 3 pairs differ"),
        ([0.8] * 8 + [0.1], {}, "8 of 9 systems may be the best"),
        ([0.1, 0.9], {"baseline": "s0"}, "s1 is significantly better than s0 at 0.05."),
        ([0.1, 0.9, 0.1], {"baseline": "s0"}, "s1 is significantly better than s0 at 0.05 (Holm"),
        ([0.9, 0.1, 0.1], {"baseline": "s0"}, "are significantly worse than s0 at 0.05"),
        ([0.5, 0.5], {"baseline": "s0"}, "No system differs significantly from s0 at 0.05"),
        (
            [0.1, 0.9, 0.1],
            {"alpha": 0.01, "correction": "bh"},
            "at 0.01 (false discovery rate, Benj",
        ),
    ],
)
def test_verdict(shares: list[float], options: Any, said: str) -> None:
    assert said in " ".join(str(found(shares, **options)).split())


def test_tables() -> None:
    document = document_of_systems(found([0.1, 0.9, 0.5]), letters=True)
    assert [table.name for table in document.tables] == ["ranks", "letters", "pairs"]
    assert [cell.text for cell in document.tables[0].rows[0]] == [
        "s1", "90.00", "1", "2/0/0", "2/0/0",
    ]  # fmt: skip
    assert document.tables[2].rows[0][-1].text == "* s1 better"
    assert any("a letter is no group of equals" in note for note in document.notes)


def test_many_pairs_are_not_printed() -> None:
    ten, eleven = (document_of_systems(found([0.5] * n)) for n in (10, 11))
    assert len(ten.tables[1].rows) == MOST_PAIRS == 45
    assert len(eleven.tables) == 1
    assert "All 55 pairs are in -f csv and -f json." in eleven.notes
    assert len(eleven.rows) == 55
    assert len(render(eleven, "csv").splitlines()) == 56


def test_record_and_rows() -> None:
    result = found([0.2, 0.8, 0.8], correction="flips", rng=9, n_resamples=99)
    record = as_record(result)
    assert record["seed"]["entropy"] == ["9"]
    assert record["n_resamples"] == 99
    assert [own["rank_low"] for own in record["systems"]] == [1, 1, 3]
    row = document_of_systems(result).rows[0]
    assert row["adjusted_pvalue"] == record["pairs"][0]["adjusted_pvalue"]
    assert result.to_dict() == record
    assert len(result.to_frame()) == 3
    assert list(result.ranks_frame()["low"]) == [1, 1, 3]


def test_names_are_escaped() -> None:
    result = csig.compare_systems({"<b>&": [1, 0, 1], "a_b": [0, 0, 1]})
    assert "<b>&" not in result.summary("html")
    assert r"a\_b" in result.summary("latex")
