"""Where results meet reports."""

import pytest

import csig
from csig.report.document import Document
from csig.report.shown import document_of, notebook, plotted, rendered
from csig.shown import Shown


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


def test_in_a_notebook_it_is_a_part_of_the_page():
    comparison = csig.Comparison.from_scores([1, 1, 1, 0], [0, 1, 0, 0])
    result = csig.randomization_test(comparison, "mean")
    part = result._repr_html_()
    assert part == notebook(result)
    assert part.startswith('<div class="csig">')
    assert part.strip() in rendered(result, "html", explain=False, cite=False, width=None)
