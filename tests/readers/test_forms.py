"""Forms of files: by options, by ``--format``, by syntax; and a form more is one module."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from commands import run, write

import csig
from csig.base.errors import Refusal
from csig.readers import forms
from csig.readers.data import ResponseData
from csig.readers.forms import FORMATS, FORMS, Form, form_of, read
from csig.readers.lines import read_lines, stem
from csig.readers.request import (
    OptionError,
    Request,
    ResponseTable,
    beside_gold,
    gold_and_systems,
    names_of,
)

FILES = {
    "tags": "Eve B-PER\nran O\n",
    "column": "gold\tx\ty\nB-PER\tO\tO\nO\tO\tB-PER\n",
    "label": "yes\nno\nyes\nno\n", "response": "fox\ncow\n", "table": "id,a,b\n1,0.5,1\n2,1,0\n",
    "whole": "1\n0\n1\n", "real": "1\n0.5\n1\n",
    "statistics": "response,gold,tp_x,predicted_x\nfox,1,1,1\n",
    "samples": '{"doc_id": 0, "acc": 1}\n',
    "spans": '{"document": "d", "start": 0, "end": 3, "label": "PER"}\n',
    "records": '[{"id": 1, "x": 0.5, "y": 1}]',
    "counts": "gold = 9\nonly_a_correct = 3\nonly_b_correct = 1\n",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _files(_folder):
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    Path("folder").mkdir()


def request(names: str, **options) -> Request:
    return Request(tuple(names.split()), **options)


def test_every_form_has_a_reader_and_options_that_exist():
    for form in FORMS.values():
        home, function = form.home.rsplit(".", 1)
        assert callable(getattr(import_module(f"csig.readers.{home}"), function))
        assert set(form.options) <= set(vars(Request()))
    for name in FORMATS:
        assert form_of(request("table", format=name)) in FORMS


def test_the_help_lists_the_formats():
    offered = f"[auto|{'|'.join(FORMATS)}]"
    assert offered in run("compare", "--help-all").replace("\n", "").replace(" ", "")


@pytest.mark.parametrize(("names", "options", "expected"), [
    ("samples spans", {}, "lm-eval"), ("spans samples", {}, "spans"), ("spans", {}, "table"),
    ("records spans", {}, "table"), ("statistics", {}, "statistics"),
    ("statistics statistics", {}, "table"), ("tags tags tags", {}, "tags"),
    ("column", {"gold_column": "gold"}, "tags"), ("table", {"gold_column": "a"}, "table"),
    ("label label label", {}, "labels"), ("table table", {"format": "labels"}, "table"),
    ("label label", {"format": "labels"}, "labels"),
    ("real real real", {}, "table"), ("whole whole", {}, "table"),
    ("response response response", {}, "responses"),
    ("response response", {}, "table"),
    ("response response", {"documents": True}, "responses"),
    ("response response", {"scheme": "plain"}, "tags"),
    ("table table table", {"id": "x"}, "table"), ("", {"counts": "counts"}, "counts file"),
    ("", {"statistics": "table"}, "statistics"),
])  # fmt: skip
def test_the_form_of_files(names, options, expected):
    assert form_of(request(names, **options)) == expected


@pytest.mark.parametrize(("names", "options", "message"), [
    ("", {}, "no input files"),
    ("table", {"counts": "counts"}, "--counts replaces GOLD A B, but 1 more file was given"),
    ("", {"counts": "counts", "statistics": "s"}, "--counts does not go with --statistics"),
    ("", {"counts": "counts", "system": ("x",)}, "--system does not go with a file of counts"),
    ("", {"statistics": "s", "gold_column": "x"}, "--gold-column does not go with statistics"),
    ("table", {"format": "xml"}, "--format: found 'xml', expected auto, responses, tags"),
    ("table", {"id": "x", "format": "tags"}, "--id does not go with tags"),
    ("table", {"id": "x", "rules": "strict"}, "--id does not go with tags"),
    ("table", {"name_a": " "}, "--name-a must not be empty"),
])  # fmt: skip
def test_options_that_do_not_go_together(names, options, message):
    with pytest.raises(OptionError) as error:
        read(request(names, **options))
    assert message in str(error.value)


@pytest.mark.parametrize(("names", "message"), [
    ("tags response tags", "tags has a tag at the end of every line, response has not"),
    ("whole whole whole", "each of 3 files has one whole number a line"),
])  # fmt: skip
def test_what_could_be_two_forms_is_refused(names, message):
    with pytest.raises(Refusal, match=message) as error:
        form_of(request(names))
    for remedy in error.value.remedies:
        assert form_of(request(names, format=remedy.options[1])) in FORMS


# ---- a form more ---------------------------------------------------------------------------------
def read_runs(asked, metrics):
    """Rankings as trec_eval reads them: topic, Q0, document, rank, score, run."""
    gold, systems = gold_and_systems(asked, "runs")
    found = [
        {topic: [own.split()[2] for own in read_lines(path) if own.startswith(topic)]
         for topic in ("t1", "t2")}
        for path in (gold, *systems)
    ]  # fmt: skip
    names = names_of(asked, list(map(stem, systems)))
    table = ResponseTable(found[0], dict(zip(names, found[1:], strict=True)), key_name="topic")
    return ResponseData(beside_gold("trec", gold, systems), names, table)


def test_a_new_form_is_recognised_read_and_compared(monkeypatch):
    module = ModuleType("csig.readers.trec")
    module.read = read_runs  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(FORMS, "trec", Form("runs", "trec.read"))
    monkeypatch.setattr(forms, "by_syntax", lambda own: "trec")
    write("g.txt", "t1 Q0 d1 1 1 g", "t2 Q0 d2 1 1 g", "t2 Q0 d3 2 1 g")
    write("a.txt", "t1 Q0 d1 1 1 a", "t2 Q0 d2 1 1 a")
    write("b.txt", "t1 Q0 d4 1 1 b", "t2 Q0 d3 1 1 b")
    reading = csig.read("g.txt", "a.txt", "b.txt")
    assert (reading.source.format, reading.comparison().unit) == ("trec", "topic")
    assert reading.comparison().sums("a") == {"tp": 2, "predicted": 2, "gold": 3}
    with pytest.raises(csig.InputError, match="system= does not go with runs"):
        csig.read("g.txt", "a.txt", "b.txt", system="a")
    said = " ".join(run("compare", "g.txt", "a.txt", "b.txt", "--explain").split())
    assert "Input trec (g.txt, a.txt, b.txt)" in said
