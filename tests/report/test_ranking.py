"""From what was read to what `compare_systems` takes."""

from pathlib import Path

import pytest

from csig.readers.forms import read
from csig.readers.request import OptionError, Request
from csig.systems.reading import taken
from csig.systems.report import systems_document


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "t.csv"
    rows = [f"q{i},c{i // 2},{i % 2},1,0" for i in range(12)]
    path.write_text("\n".join(["id,story,a,b,c", *rows, ""]), encoding="utf-8")
    return str(path)


def test_scores_with_clusters(table: str) -> None:
    data = read(Request(files=(table,), id="id", cluster="story"), [])
    given = taken(data, data.metrics(())[0], None)
    assert given["unit_name"] == "story"
    assert len(given["clusters"]) == 12
    assert list(given["systems"]) == ["a", "b", "c"]
    assert "clusters" not in taken(data, "accuracy", "unit")
    with pytest.raises(OptionError, match="--unit sentence is not possible"):
        taken(data, "accuracy", "sentence")


def test_a_document(table: str) -> None:
    request = Request(files=(table,), id="id", ignore=("story",))
    result, document = systems_document(request, (), correction="holm", baseline="c")
    assert result.baseline == "c"
    assert [own.name for own in document.tables] == ["ranks", "pairs"]
    assert document.record()["baseline"] == "c"
