"""The list of formats: what it offers, and that a format more is one class and one line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import run, write
from places import DOCS

import csig
from csig.readers import recognise, registry
from csig.readers.base import Reader, files_alone, names_of, roles_of
from csig.readers.data import ResponseData
from csig.readers.lines import read_lines
from csig.readers.request import stem
from csig.readers.source import Input, ResponseTable
from csig.readers.tables.base import OF_TABLES


def test_every_format_has_a_reader_that_can_be_asked():
    for reader in registry.readers():
        assert isinstance(reader.name, str)
        assert callable(reader.sniff)
        assert callable(reader.read)
    found = [*registry.readers()]
    found.reverse()
    found.sort(key=lambda own: own.kind == OF_TABLES)
    named = [name for reader in found for name in reader.formats]
    assert tuple(dict.fromkeys(named)) == registry.FORMATS


def test_the_docs_and_the_help_list_the_formats():
    text = (DOCS / "formats.md").read_text(encoding="utf-8")
    section = text[text.index("\n## All formats") :].split("\n## ")[1]
    assert tuple(re.findall(r"^\| `([a-z][a-z-]*)` \|", section, re.MULTILINE)) == registry.FORMATS
    offered = f"[auto|{'|'.join(registry.FORMATS)}]"
    assert offered in run("compare", "--help-all").replace("\n", "").replace(" ", "")


def test_the_example_of_the_docs_runs(capsys, monkeypatch):
    monkeypatch.chdir(DOCS.parent)
    text = (DOCS / "formats.md").read_text(encoding="utf-8")
    section = text[text.index("\n## All formats") :]
    (code,) = re.findall(r"```python\n(.*?)```", section.split("\n## ")[1], re.DOTALL)
    exec(code, {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("responses ('logistic-regression', 'nearest-centroid')")
    assert lines[1] == "recall: nearest-centroid - logistic-regression = -0.1364, p = 0.00183"


class RunReader(Reader):
    """Rankings as trec_eval reads them: topic, Q0, document, rank, score, run."""

    name = "runs"
    formats = ("trec",)

    def sniff(self, request):
        return " Q0 " in Path(request.files[0]).read_text().split("\n")[0]

    def read(self, request, metrics):
        gold, systems = files_alone(request, self.name)
        found = [
            {topic: [own.split()[2] for own in read_lines(path) if own.startswith(topic)]
             for topic in ("t1", "t2")}
            for path in (gold, *systems)
        ]  # fmt: skip
        names = names_of(request, list(map(stem, systems)))
        source = Input("trec", roles_of(gold, systems))
        table = ResponseTable(found[0], dict(zip(names, found[1:], strict=True)), key_name="topic")
        return ResponseData(source, names, table)


@pytest.fixture
def _with_runs(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    known = (RunReader(), *registry.readers())
    monkeypatch.setattr(recognise, "readers", lambda: known)
    write("g.txt", "t1 Q0 d1 1 1 g", "t2 Q0 d2 1 1 g", "t2 Q0 d3 2 1 g")
    write("a.txt", "t1 Q0 d1 1 1 a", "t2 Q0 d2 1 1 a")
    write("b.txt", "t1 Q0 d4 1 1 b", "t2 Q0 d3 1 1 b")


@pytest.mark.usefixtures("_with_runs")
def test_a_new_format_is_recognised_read_and_compared():
    reading = csig.read("g.txt", "a.txt", "b.txt")
    assert reading.source.format == "trec"
    assert reading.comparison().sums("a") == {"tp": 2, "predicted": 2, "gold": 3}
    assert reading.comparison().unit == "topic"
    with pytest.raises(csig.InputError, match="--system does not go with runs"):
        csig.read("g.txt", "a.txt", "b.txt", system="a")
    said = " ".join(run("compare", "g.txt", "a.txt", "b.txt", "--explain").split())
    assert "Input trec (g.txt, a.txt, b.txt)" in said


@pytest.mark.usefixtures("_with_runs")
def test_other_formats_are_what_they_were():
    files = [write(f"{name}.tsv", "fox", name) for name in ("gold", "x", "y")]
    assert csig.read(*files).source.format == "responses"
    assert csig.read("g.txt", "a.txt", "b.txt", format="responses").source.format == "responses"
