"""Many systems as a document, what --explain says of them, and what of a table is taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import write

import csig
from csig.readers.forms import read
from csig.readers.request import OptionError, Request
from csig.report.rendering import render
from csig.systems.reading import taken
from csig.systems.report import (
    MOST_PAIRS,
    as_record,
    document_of_systems,
    systems_document,
)


def found(shares: list[float], **options: Any) -> csig.systems.SystemsResult:
    rng = np.random.default_rng(1)
    systems = {f"s{i}": (rng.random(100) < share).astype(int) for i, share in enumerate(shares)}
    return csig.compare_systems(systems, **options)


@pytest.mark.parametrize(("shares", "options", "said"), [
    ([0.1, 0.9], {}, "s1 is significantly better than s0 at 0.05."),
    ([0.1, 0.9, 0.9], {}, "s1 or s2 may be the best of 3 systems; 2 of 3 pairs differ"),
    ([0.5, 0.5], {}, "s1 and s0 do not differ significantly at 0.05."),
    ([0.5] * 3, {}, "Any of the 3 systems may be the best; 0 of 3 pairs differ"),
    ([0.8] * 8 + [0.1], {}, "8 of 9 systems may be the best"),
    ([0.1, 0.9], {"baseline": "s0"}, "s1 is significantly better than s0 at 0.05."),
    ([0.1, 0.9, 0.1], {"baseline": "s0"}, "s1 is significantly better than s0 at 0.05 (Holm"),
    ([0.9, 0.1, 0.1], {"baseline": "s0"}, "are significantly worse than s0 at 0.05"),
    ([0.5, 0.5], {"baseline": "s0"}, "No system differs significantly from s0 at 0.05"),
    ([0.1, 0.9, 0.1], {"alpha": 0.01, "correction": "bh"},
     "at 0.01 (false discovery rate, Benj"),
])  # fmt: skip
def test_verdict(shares: list[float], options: Any, said: str) -> None:
    assert said in " ".join(str(found(shares, **options)).split())


def test_tables() -> None:
    document = document_of_systems(found([0.1, 0.9, 0.5]), letters=True)
    assert [table.name for table in document.tables] == ["ranks", "letters", "pairs"]
    first = [cell.text for cell in document.tables[0].rows[0]]
    assert first == ["s1", "90.00", "1", "2/0/0", "2/0/0"]
    assert document.tables[2].rows[0][-1].text == "* s1 better"
    assert any("a letter is no group of equals" in note for note in document.notes)


def test_many_pairs_are_not_printed() -> None:
    ten, eleven = (document_of_systems(found([0.5] * n)) for n in (10, 11))
    assert len(ten.tables[1].rows) == MOST_PAIRS == 45
    assert len(eleven.tables) == 1
    assert "All 55 pairs are in -f csv and -f json." in eleven.notes
    assert len(eleven.rows) == len(render(eleven, "csv").splitlines()) - 1 == 55


def test_record_and_rows() -> None:
    result = found([0.2, 0.8, 0.8], correction="flips", rng=9, n_resamples=99)
    record = as_record(result)
    assert (record["seed"]["entropy"], record["n_resamples"]) == (["9"], 99)
    assert [own["rank_low"] for own in record["systems"]] == [1, 1, 3]
    row = document_of_systems(result).rows[0]
    assert row["adjusted_pvalue"] == record["pairs"][0]["adjusted_pvalue"]
    assert result.to_dict() == record
    assert len(result.to_frame()) == 3
    assert list(result.ranks_frame()["low"]) == [1, 1, 3]


# ---- --explain -----------------------------------------------------------------------------------

RNG = np.random.default_rng(1)
SHARES = {"a": 0.2, "b": 0.5, "c": 0.9}
BINARY = {name: (RNG.random(60) < share).astype(int) for name, share in SHARES.items()}
REAL = {name: RNG.standard_normal(100) for name in "abc"}
TWO = {name: REAL[name] for name in "ab"}
FLIPS = {"correction": "flips", "n_resamples": 99, "rng": 1}


def words(systems: dict[str, Any] = BINARY, **options: Any) -> str:
    explained = csig.compare_systems(systems, **options).summary(explain=True)
    return " ".join(explained.split())


@pytest.mark.parametrize(("systems", "options", "said"), [
    (BINARY, {}, ["All shuffles are counted: p is exact", "A system ranks below",
                  "with a probability of at least 95% no claim is false among all pairs"]),
    (BINARY, {"correction": "bh", "alpha": 0.1}, ["at most 10% are expected to be false claims"]),
    (BINARY, {"lower_is_better": True}, ["with a higher score, the same and a lower"]),
    (BINARY, FLIPS, ["Each of 99 flips swaps the same", "at most 0.05. With flips that holds if "
                     "the differences of equal systems are jointly"]),
    (REAL, {}, ["or lies between two proven bounds within a relative 1e-4"]),
    (TWO, {}, ["or lies between two proven bounds within a relative 1e-4", "|certified|"]),
])  # fmt: skip
def test_words(systems: dict[str, Any], options: dict[str, Any], said: list[str]) -> None:
    text = words(systems, **options)
    assert not [part for part in said if part not in text]


def test_flips_that_all_pairs_share_and_shuffles_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("csig.systems.ranking.BOUND_WORDS", 0)  # there is no time for bounds
    said = words(REAL, n_resamples=99, rng=1)
    assert "not counted exactly: 99 were drawn, the same for all pairs" in said
    assert "and none of them can be below 0.01" in said
    monkeypatch.setattr("csig.engines.certified.by_itself", lambda *_: None)  # as where none close
    assert "For 1 pair, 99 shuffles were drawn" in words(TWO, n_resamples=99, rng=1)


# ---- from what was read to what `compare_systems` takes ------------------------------------------


def test_what_is_taken_of_a_table(tmp_path: Path) -> None:
    rows = [f"q{i},c{i // 2},{i % 2},1,0" for i in range(12)]
    path = write(f"{tmp_path}/t.csv", "id,story,a,b,c", *rows)
    data = read(Request(files=(path,), id="id", cluster="story"), [])
    given = taken(data, data.metrics(())[0], None)
    assert (given["unit_name"], len(given["clusters"])) == ("story", 12)
    assert list(given["systems"]) == ["a", "b", "c"]
    assert "clusters" not in taken(data, "accuracy", "unit")
    with pytest.raises(OptionError, match="--unit sentence is not possible"):
        taken(data, "accuracy", "sentence")
    request = Request(files=(path,), id="id", ignore=("story",))
    result, document = systems_document(request, (), correction="holm", baseline="c")
    assert result.baseline == document.record()["baseline"] == "c"
    assert [own.name for own in document.tables] == ["ranks", "pairs"]
