"""What the data sets of a table are, and where that is not clear."""

from __future__ import annotations

import pytest
from commands import write
from written import refusal

from csig.datasets.reading import DATASET_NAMES, named_by
from csig.datasets.report import over_datasets
from csig.readers.request import Request


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def names_in(*lines, dataset=None, **options):
    """The data sets of a table."""
    return named_by(Request(files=(write("t.csv", *lines),), **options), dataset)[1]


@pytest.mark.parametrize("name", DATASET_NAMES)
def test_columns_that_are_called_like_data_sets(name):
    rows = [f"k{i},{name[0]}{i},{i % 4 / 4},{i % 3 / 3}" for i in range(6)]
    found = names_in(f"kind,{name.title()},a,b", *rows, ignore=("kind",))
    assert found == tuple(f"{name[0]}{i}" for i in range(6))


def test_else_ids_else_the_column_that_is_declared():
    rows = [f"{'xy'[i % 2]},n{i},{i % 4 / 4},{i % 3 / 3}" for i in range(6)]
    ignored = {"ignore": ("kind",)}
    assert names_in("kind,id,a,b", *rows, **ignored) == tuple(f"n{i}" for i in range(6))
    assert names_in("kind,it,a,b", *rows, id="it", **ignored) == tuple(f"n{i}" for i in range(6))
    said = refusal(names_in, "kind,label of it,a,b", *rows)
    assert "column 'label of it' has another text in every row" in said
    assert "--id 'label of it'" in said


def test_numbers_are_no_names():
    rows = [f"{10 + i},s{i},{i % 4 / 4},{i % 3 / 3}" for i in range(6)]
    assert names_in("size,name,a,b", *rows, ignore=("size",), id="name") == tuple(
        f"s{i}" for i in range(6)
    )


def test_units_have_the_data_set_that_is_asked_for():
    rows = [f"{'xyz'[i // 4]},{i % 4},{i % 2},{i % 3}" for i in range(12)]
    found = names_in("part,no,a,b", *rows, dataset="part", id="no", system=("a", "b"))
    assert sorted(found) == sorted("xyz"[i // 4] for i in range(12))


def test_a_data_set_twice_is_another_mistake_than_units():
    rows = ["x,1,0.5", "y,0,1", "z,0.25,0.5", "y,1,0"]
    assert "found data set 'y' on line 3 and again on line 5" in refusal(
        names_in, "dataset,a,b", *rows
    )
    rows = ["x,1,0.5", "y,0,1", "x,0.25,0.5", "y,1,0"]
    message = refusal(names_in, "dataset,a,b", *rows)
    assert "'x' in 2 rows" in message
    assert "--dataset dataset" in message


def test_several_files_of_one_system_each():
    for name in ("one", "two"):
        write(f"{name}.csv", "dataset,score", *(f"d{i},{len(name) * i % 5 / 5}" for i in range(7)))
    result, document = over_datasets(Request(files=("one.csv", "two.csv")))
    assert result.names == ("one", "two")
    assert result.datasets == tuple(f"d{i}" for i in range(7))
    assert "one.csv" in " ".join(document.notes)


def test_columns_that_several_files_share_are_metrics():
    for name in ("one", "two"):
        rows = [f"d{i},{len(name) * i % 5},{i % 4}" for i in range(1, 8)]
        write(f"{name}.csv", "id,bleu,ter", *rows)
    request = Request(files=("one.csv", "two.csv"))
    assert "found several metrics, 'bleu', 'ter', expected one; give --metric bleu or" in refusal(
        over_datasets, request
    )
    result, _ = over_datasets(request, metrics=("ter",))
    assert result.scores[:, 0].tolist() == [i % 4 for i in range(1, 8)]
    assert not result.greater_is_better  # as the name says
