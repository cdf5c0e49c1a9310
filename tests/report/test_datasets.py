"""Systems over data sets: the document says what was found, and which data sets a table has."""

import json
import math
import re

import pytest
from commands import write
from written import refusal

import csig
from csig.base.defaults import DATASET_CORRECTIONS
from csig.datasets.comparing import DATASET_NAMES, named_by
from csig.datasets.report import (
    OVERALL,
    adjusted_title,
    as_record,
    document_of_datasets,
    doubt_of,
    over_datasets,
    procedures,
    short_title,
    title,
)
from csig.readers.request import Request

#: On every data set a is ahead of b, and b of c.
CLEAR = {
    "a": [0.9, 0.8, 0.7, 0.95, 0.6, 0.85, 0.75, 0.99],
    "b": [0.8, 0.7, 0.6, 0.88, 0.5, 0.75, 0.65, 0.89],
    "c": [0.5, 0.4, 0.3, 0.55, 0.2, 0.45, 0.25, 0.59],
}
UNCLEAR = {"a": [0.9, 0.4, 0.7, 0.5], "b": [0.8, 0.7, 0.6, 0.85], "c": [0.5, 0.9, 0.3, 0.85]}
FOUND = csig.compare_datasets(CLEAR)


def test_records():
    """Friedman's chi-square is no doubt about the verdict; what is infinite is null."""
    found = as_record(FOUND)
    assert found["trusted"] == "iman-davenport"
    (doubt,) = FOUND.overall_doubts
    assert "chi-square is a rough" in doubt
    assert not FOUND.doubts
    assert not document_of_datasets(FOUND).doubts
    assert len(found["doubts"]) == 1
    assert math.isinf(next(o.statistic for o in FOUND.overall if o.name == "iman-davenport"))
    json.dumps(found, allow_nan=False)
    table = {f"s{i:02d}": [(i * j) % 11 + i for j in range(1, 9)] for i in range(11)}
    many = csig.compare_datasets(table)
    assert len(document_of_datasets(many).rows) == len(as_record(many)["pairs"]) == 55
    for pair, row in zip(FOUND.pairs, document_of_datasets(FOUND).rows, strict=True):
        assert (row["pvalue"], row["adjusted_pvalue"]) == (pair.pvalue, pair.adjusted_pvalue)


def test_every_procedure_with_its_doubt():
    document = document_of_datasets(FOUND, all_tests=True)
    parts = [own for own in document.tables if own.name.startswith("procedures")]
    shown = {
        column.header: [row[i].text for row in own.rows]
        for own in parts for i, column in enumerate(own.columns) if i
    }  # fmt: skip
    assert {"t?", "Nemenyi?", "Tukey?"} <= set(shown)
    for header, name in (("Wilcoxon", "wilcoxon"), ("Nemenyi?", "nemenyi"), ("Tukey?", "tukey")):
        for pair, text in zip(FOUND.pairs, shown[header], strict=True):
            p = pair.adjusted_by[name]
            assert text.endswith("*") == (p <= 0.05)
            assert float(text.removesuffix("*").replace("< ", "")) == pytest.approx(p, rel=2e-2)
    assert all(len(own.columns) <= 8 for own in parts)


def test_pages_have_the_diagram():
    pytest.importorskip("matplotlib")
    found = csig.compare_datasets(UNCLEAR)
    page = found.summary("html", explain=True)
    (alt,) = re.findall(r'alt="(Critical-difference diagram[^"]*)"', page)
    assert alt.startswith("Critical-difference diagram; average ranks: ")
    assert all(f"{own.name} {own.average_rank:.2f}" in alt for own in found.systems)
    assert page.count("data:image/svg+xml") == 1
    assert "data:image" not in found.summary("html")
    two = csig.compare_datasets({name: CLEAR[name] for name in "ab"})
    assert "data:image" not in two.summary("html", explain=True)


# ---- what the tests are called -------------------------------------------------------------------

SCORES = {
    "a": [0.9, 0.8, 0.7, 0.9, 0.6, 0.8], "b": [0.8, 0.8, 0.6, 0.7, 0.5, 0.9],
    "c": [0.5, 0.4, 0.6, 0.3, 0.2, 0.1], "d": [0.6, 0.7, 0.5, 0.4, 0.1, 0.3],
}  # fmt: skip
SETS = list("xxyyzz")

#: The test that a correction goes with, where it is not any.
ONLY = {"nemenyi": "ranks", "tukey": "anova", "dunnett": "anova"}


@pytest.mark.parametrize("correction", DATASET_CORRECTIONS)
def test_all_have_a_name(correction):
    for sets in (None, SETS):
        found = csig.compare_datasets(
            SCORES, datasets=sets, correction=correction, pairs=ONLY.get(correction, "wilcoxon"),
            baseline="a" if correction == "dunnett" else None,
        )  # fmt: skip
        names = [*found.pairs[0].adjusted_by]
        assert len({short_title(name) for name in names}) == len(names)
        assert len({adjusted_title(name, correction) for name in names}) >= len(names) - 1
        assert all(own.name in OVERALL for own in found.overall)
        assert title(found)


def test_what_is_doubtful():
    """Ties have rows of their own only where there are some."""
    tied = csig.compare_datasets(SCORES)
    trusted = [name for name in tied.pairs[0].adjusted_by if not doubt_of(name)]
    assert trusted == ["wilcoxon", "sign", "randomization"]
    assert "normal" in doubt_of("tukey")
    assert "other systems" in doubt_of("nemenyi-ties")
    plain = csig.compare_datasets({**SCORES, "b": [0.81, 0.82, 0.61, 0.71, 0.51, 0.91]})
    assert "nemenyi-ties" in procedures(tied)
    assert not {"nemenyi-ties", "ranks-holm"} & set(procedures(plain))  # "ranks" is the latter
    assert "ranks-holm" in procedures(csig.compare_datasets(SCORES, correction="bonferroni"))


# ---- what the data sets of a table are -----------------------------------------------------------


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def names_in(*lines, dataset=None, **options):
    """The data sets of a table."""
    return named_by(Request(files=(write("t.csv", *lines),), **options), dataset)[1]


ROWS = [f"{i % 4 / 4},{i % 3 / 3}" for i in range(6)]
NUMBERED = [f"n{i}" for i in range(6)]
KINDS = [f"{'xy'[i % 2]},n{i},{row}" for i, row in enumerate(ROWS)]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("lines", "options", "expected"), [
    *(([f"kind,{name.title()},a,b", *KINDS], {"ignore": ("kind",)}, NUMBERED)
      for name in DATASET_NAMES),
    (["kind,id,a,b", *KINDS], {"ignore": ("kind",)}, NUMBERED),
    (["kind,it,a,b", *KINDS], {"ignore": ("kind",), "id": "it"}, NUMBERED),
    (["size,name,a,b", *(f"{10 + i},s{i},{r}" for i, r in enumerate(ROWS))],
     {"ignore": ("size",), "id": "name"}, [f"s{i}" for i in range(6)]),
])  # fmt: skip
def test_columns_that_name_data_sets(lines, options, expected):
    assert names_in(*lines, **options) == tuple(expected)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("lines", "messages"), [
    (["kind,label of it,a,b", *KINDS],
     ["column 'label of it' has another text in every row", "--id 'label of it'"]),
    (["dataset,a,b", "x,1,0.5", "y,0,1", "z,0.25,0.5", "y,1,0"],
     ["found data set 'y' on line 3 and again on line 5"]),
    (["dataset,a,b", "x,1,0.5", "y,0,1", "x,0.25,0.5", "y,1,0"],
     ["'x' in 2 rows", "--dataset dataset"]),
])  # fmt: skip
def test_a_data_set_twice_is_another_mistake_than_units(lines, messages):
    message = refusal(names_in, *lines)
    assert all(own in message for own in messages)


@pytest.mark.usefixtures("here")
def test_several_files_of_one_system_each():
    """Columns that they share are metrics."""
    files = ("one.csv", "two.csv")
    for name in files:
        write(name, "id,bleu,ter", *(f"d{i},{3 * i % 5},{i % 4}" for i in range(1, 8)))
    message = refusal(over_datasets, Request(files=files))
    assert "found several metrics, 'bleu', 'ter', expected one; give --metric bleu or" in message
    result, document = over_datasets(Request(files=files), metrics=("ter",))
    assert (result.names, len(result.datasets)) == (("one", "two"), 7)
    assert "one.csv" in " ".join(document.notes)
    assert result.scores[:, 0].tolist() == [i % 4 for i in range(1, 8)]
    assert not result.greater_is_better  # as the name says
