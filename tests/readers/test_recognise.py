"""Which format files have; another test walks through the table of it in docs/formats.md."""

from __future__ import annotations

import pytest

from csig.errors import InputError
from csig.readers.recognise import read, reader_of
from csig.readers.request import OptionError, Request

FILES = {
    "tags": "Eve B-PER\nran O\n",
    "column": "gold\tx\ty\nB-PER\tO\tO\nO\tO\tO\n",
    "label": "yes\nno\nyes\nno\n",
    "response": "fox\ncow\n",
    "table": "id,a,b\n1,0.5,1\n2,1,0\n",
    "statistics": "response,gold,tp_x,predicted_x\nfox,1,1,1\n",
    "samples": '{"doc_id": 0, "document": "d", "acc": 1}\n',
    "spans": '{"document": "d", "start": 0, "end": 3, "label": "PER"}\n',
    "records": '[{"id": 1, "x": 0.5, "y": 1}]',
    "counts": "gold = 9\nonly_a_correct = 3\nonly_b_correct = 1\n",
}


@pytest.fixture
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "folder").mkdir()


def files(names: str) -> tuple[str, ...]:
    return tuple(names.split())


@pytest.mark.usefixtures("_files")
@pytest.mark.parametrize(
    ("names", "options", "expected"),
    [
        ("folder folder", {}, "spans"),
        ("samples spans", {}, "samples of a harness"),
        ("spans samples", {}, "spans"),
        ("spans", {}, "tables"),
        ("records spans", {}, "tables"),
        ("statistics", {}, "statistics"),
        ("statistics statistics", {}, "tables"),
        ("statistics", {"quoting": "csv"}, "statistics"),
        ("statistics", {"id": "response"}, "tables"),
        ("table", {"quoting": "csv"}, "tables"),
        ("tags tags tags", {}, "tags"),
        ("tags tags tags", {"cluster": "x"}, "tables"),
        ("column", {"gold_column": "gold"}, "tags"),
        ("label", {"gold_column": "gold"}, "tags"),
        ("table", {"gold_column": "a"}, "tables"),
        ("label label label", {}, "labels, one per line"),
        ("label label", {"positive": "yes"}, "labels, one per line"),
        ("table table", {"format": "labels"}, "tables"),
        ("label label", {"format": "labels"}, "labels, one per line"),
        ("response response response", {}, "responses"),
        ("response response", {}, "tables"),
        ("response response", {"documents": True}, "responses"),
        ("response response", {"field": ("label=l",)}, "spans"),
        ("response response", {"field": ("score=l",)}, "tables"),
        ("", {"counts": "counts"}, "counts file"),
        ("", {"statistics": "table", "quoting": "csv"}, "statistics"),
    ],
)
def test_the_first_reader_that_knows_the_files(names, options, expected):
    assert reader_of(Request(files(names), **options)).name == expected


@pytest.mark.usefixtures("_files")
@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        ("", {}, "no input files"),
        ("table", {"counts": "counts"}, "--counts replaces GOLD A B, but 1 more"),
        ("", {"counts": "counts", "statistics": "s"}, "--counts does not go with --statistics"),
        ("", {"counts": "counts", "system": ("x",)}, "--counts does not go with --system"),
        ("", {"statistics": "s", "gold_column": "x"}, "--statistics does not go with --gold"),
        ("table", {"format": "xml"}, "--format: found 'xml', expected auto, responses, tags"),
        ("table", {"id": "x", "format": "tags"}, "--id is for tables of scores, counts or labels"),
        ("table", {"id": "x", "rules": "strict"}, "--rules is for tags, --id is for tables"),
        ("table", {"name_a": " "}, "--name-a must not be empty"),
    ],
)  # fmt: skip
def test_options_that_do_not_go_together(names, options, message):
    with pytest.raises(OptionError) as error:
        reader_of(Request(files(names), **options))
    assert message in str(error.value)


@pytest.mark.usefixtures("_files")
def test_what_could_be_two_formats_is_refused():
    with pytest.raises(InputError, match="tags looks like tokens with tags, response does not"):
        reader_of(Request(files("tags response tags")))
    with pytest.raises(OptionError, match="for tables and spans, not for tags"):
        read(Request(files("tags tags tags"), allow_missing="intersection"))
