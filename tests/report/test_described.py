"""What was read, in words, and descriptions of data as documents."""

from dataclasses import replace

import pytest

from csig.comparing.described import SHOWN_LABELS, document_of_description, read_as, source_line
from csig.readers.describe import Description, LabelRow, SystemRow
from csig.readers.request import Input, TableInput
from csig.report.rendering import Rendering, render


def labelled(number: int) -> Description:
    names = [f"L{i}" for i in range(number)]
    return Description(
        input=Input("tags", {"gold": "g", "a": "a", "b": "b"}),
        units={"sentence": 1200},
        systems=[SystemRow(name, {"found": 8}, {"recall": 0.5}) for name in ("a", "b\x1b")],
        labels=[LabelRow(name, 4, {"a": 2, "b\x1b": 0}, {"a": 1, "b\x1b": 0}) for name in names],
        gold=4,
        notes=["A note."],
        suspicious=["A doubt."],
    )


LABELLED = r"""
Read as tags read by conlleval's rules (g, a, b): 1,200 sentences, 4 in the gold.

Caution: A doubt.

               Recall
System  Found       %
a           8   50.00
b\x1b       8   50.00

Labels; recall R, precision P and F1 in percent

                 a                    a  b\x1b           b\x1b
Label  Gold  found      R      P     F1  found     R  P     F1
L0        4      2  25.00  50.00  33.33      0  0.00  -   0.00
L1        4      2  25.00  50.00  33.33      0  0.00  -   0.00

A note.
"""


def test_systems_and_labels_with_what_is_doubted() -> None:
    text = render(document_of_description(labelled(2)), "text", Rendering())
    assert text == LABELLED.removeprefix("\n")


def test_many_labels_are_all_in_the_rows() -> None:
    document = document_of_description(labelled(SHOWN_LABELS + 2))
    assert len(document.tables[1].rows) == SHOWN_LABELS
    assert document.notes[0] == "2 more labels are in the record (--json)."
    assert len(document.rows) == 2 + 2 * (SHOWN_LABELS + 2)
    assert len({tuple(row) for row in document.rows}) == 1
    assert document.rows[2]["label_correct"] == 1
    row = LabelRow("L", 4, dict.fromkeys("abc", 2), dict.fromkeys("abc", 1))
    systems = [SystemRow(name, {}, {"f1": 0.5}) for name in "abc"]
    three = replace(labelled(1), systems=systems, labels=[row])
    headers = [column.header for column in document_of_description(three).tables[1].columns]
    assert headers == ["Label", "Gold", "a\nF1", "b\nF1", "c\nF1"]


TABLE = TableInput(("t.csv",), ("a", "b"), 3)


@pytest.mark.parametrize(("source", "said"), [
    (Input("responses", {"gold": "g", "a": "x", "b": "y"}), ""),  # which the test swaps
    (Input("responses", {"gold": "g", "a": "x", "b": "y"}, documents=True), "Read as responses."),
    (Input("counts", {"counts": "c.toml"}), ""),
    (Input("scores", {}, table=TABLE), "Read as a table of scores."),
    (Input("scores", {}, table=replace(TABLE, files=())), ""),
])  # fmt: skip
def test_what_files_were_taken_for(source: Input, said: str) -> None:
    assert read_as(source) == said
    assert source_line(Input("counts", {"counts": "c.toml"})) == "counts (c.toml)"
    tags = Input("tags", {"gold": "g", "a": "x", "b": "y"}, n_sentences=3, n_tokens=1000)
    parts = ("tags", "3 sentences", "1,000 tokens", "g, x, y")
    assert all(part in source_line(tags) for part in parts)
