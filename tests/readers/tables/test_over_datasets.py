"""Which columns of a table over data sets are systems, and which one names the rows."""

import pytest

from csig import InputError
from csig.readers.tables.frames import frame_grid
from csig.readers.tables.over_datasets import dataset_columns


class Frame:
    """The least that a data frame is."""

    def __init__(self, **columns):
        self.own = columns
        self.columns = list(columns)

    def __getitem__(self, name):
        return self.own[name]


SCORES = {"a": [0.1, 0.2], "b": [1, 2]}


def of(datasets=None, labels=(), **columns):
    systems, names = dataset_columns(frame_grid(Frame(**columns)), datasets, labels)
    return {name: list(own) for name, own in systems.items()}, names


def test_the_column_of_texts_names_the_data_sets():
    assert of(**SCORES) == (SCORES, None)
    assert of(name=["x", "y"], **SCORES) == (SCORES, ["x", "y"])
    assert of(name=["x", "y"], other=["p", "q"], datasets="name", **SCORES) == (SCORES, ["x", "y"])
    assert of(name=["x", "y"], datasets=["p", "q"], **SCORES) == (SCORES, ["p", "q"])


def test_a_column_of_numbers_can_be_named():
    assert of(year=[2001, 2002], datasets="year", **SCORES) == (SCORES, ["2001", "2002"])
    assert of(year=[2001, 2002], labels=["year"], **SCORES) == (SCORES, ["2001", "2002"])


def test_ids_are_no_systems():
    """They name the rows, or, beside names, they are the units' own."""
    assert of(id=[7, 8], **SCORES) == (SCORES, ["7", "8"])
    assert of(item=[0, 1], task=["x", "x"], **SCORES) == (SCORES, ["x", "x"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"p": ["x", "y"], "q": ["x", "y"]}, "columns 'p', 'q' have texts: datasets= must say"),
        ({"datasets": "B"}, "datasets= no column 'B'"),
        ({"fold": [1, 2]}, "column 'fold' has numbers, but the name of no system; drop it"),
        ({"c": [0.5, None]}, r"row 1 \(from 0\): c: expected a number, found an empty cell"),
        ({"c": ["0.5", "n/a"]}, "c: expected a number, found 'n/a'"),
        ({"c": [0.5, float("inf")]}, "c: expected a number, found 'inf'"),
    ],
)
def test_refused(options, message):
    with pytest.raises(InputError, match=message):
        of(**options, **SCORES)
