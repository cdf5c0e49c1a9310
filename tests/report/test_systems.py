"""Many systems as a record, what --explain says of shuffles, and what of a table is taken."""

from pathlib import Path

import numpy as np
import pytest
from commands import write

import csig
from csig.readers.forms import read
from csig.readers.request import OptionError, Request
from csig.systems.reading import taken
from csig.systems.report import (
    as_record,
    document_of_systems,
    systems_document,
)


def test_record_and_rows() -> None:
    rng = np.random.default_rng(1)
    own = {
        f"s{i}": (rng.random(100) < share).astype(int) for i, share in enumerate((0.2, 0.8, 0.8))
    }
    result = csig.compare_systems(own, correction="flips", rng=9, n_resamples=99)
    record = as_record(result)
    assert (record["seed"]["entropy"], record["n_resamples"]) == (["9"], 99)
    assert [own["rank_low"] for own in record["systems"]] == [1, 1, 3]
    row = document_of_systems(result).rows[0]
    assert row["adjusted_pvalue"] == record["pairs"][0]["adjusted_pvalue"]
    assert result.to_dict() == record
    assert len(result.to_frame()) == 3
    assert list(result.systems.to_frame()["low"]) == [1, 1, 3]


def test_flips_that_all_pairs_share_and_shuffles_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    real = {name: rng.standard_normal(100) for name in "abc"}

    def words(names: str) -> str:
        own = {name: real[name] for name in names}
        found = csig.compare_systems(own, n_resamples=99, rng=1)
        return " ".join(found.summary(explain=True).split())

    monkeypatch.setattr("csig.systems.ranking.BOUND_WORDS", 0)  # there is no time for bounds
    said = words("abc")
    assert "not counted exactly: 99 were drawn, the same for all pairs" in said
    assert "and none of them can be below 0.01" in said
    monkeypatch.setattr("csig.engines.certified.by_itself", lambda *_: None)  # as where none close
    assert "For 1 pair, 99 shuffles were drawn" in words("ab")


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
