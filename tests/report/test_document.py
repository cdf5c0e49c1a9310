"""The parts of a document."""

import pytest

from csig.report.document import PROSE, Cell, Column, Document, Rendering, Table


def test_a_row_has_a_cell_for_every_column():
    with pytest.raises(ValueError, match="1 cells under 2 columns"):
        Table(name="results", columns=[Column("Metric"), Column("p")], rows=[[Cell("F1")]])


def test_a_document_may_have_nothing_but_a_title():
    document = Document(title="new against base")
    assert document.record() == {}
    assert (*document.doubts, *document.tables, *document.rows) == ()


def test_nothing_more_than_the_answer_by_default():
    options = Rendering()
    assert (options.width, options.colour, options.explain, options.cite) == (
        PROSE, False, False, False,
    )  # fmt: skip
