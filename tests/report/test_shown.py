"""Where results meet reports."""

import importlib

import pytest

import csig
from csig.base.shown import Shown
from csig.report.document import Document
from csig.report.shown import document_of, notebook, plotted, rendered


class Own(Shown):
    def _line(self) -> str:
        return "own"


def test_what_has_no_builder_is_refused():
    with pytest.raises(csig.InputError, match="there is no report of Own"):
        document_of(Own())
    with pytest.raises(csig.InputError, match="there is no picture of Own"):
        plotted(Own(), None, ax=None)


def test_what_is_registered_is_shown():
    class Other(Own):
        pass

    document_of.register(Other, lambda own: Document(title="t", verdict=["It is so."]))
    assert str(Other()) == "It is so."
    assert rendered(Other(), "text", explain=False, cite=False, width=None) == "It is so.\n"


REPORT = """
from csig.report.document import Document
from csig.report.shown import document_of
from csig.base.shown import Shown
class Roomy(Shown, report="a_room.report"):
    pass
class Bare(Shown, report="a_room.report"):
    pass
@document_of.register
def _(result: Roomy) -> Document:
    return Document(title="t", verdict=["It has a room."])
"""


def test_the_room_of_a_class_has_its_report_and_its_pictures(tmp_path, monkeypatch):
    """csig.report knows neither the topic nor its classes."""
    room = tmp_path / "a_room"
    room.mkdir()
    (room / "report.py").write_text(REPORT)
    (room / "pictures.py").write_text(
        "from a_room.report import Roomy\nKINDS = {Roomy: {'dots': lambda own, ax: 'drawn'}}\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    report = importlib.import_module("a_room.report")
    assert str(report.Roomy()) == "It has a room."
    assert report.Roomy().plot() == "drawn"
    with pytest.raises(csig.InputError, match="there is no report of Bare"):
        str(report.Bare())
    with pytest.raises(csig.InputError, match="there is 'dots'"):
        report.Roomy().plot("lines")


def test_in_a_notebook_it_is_a_part_of_the_page():
    comparison = csig.Comparison.from_scores([1, 1, 1, 0], [0, 1, 0, 0])
    result = csig.randomization_test(comparison, "mean")
    part = result._repr_html_()
    assert part == notebook(result)
    assert part.startswith('<div class="csig">')
    assert part.strip() in rendered(result, "html", explain=False, cite=False, width=None)
