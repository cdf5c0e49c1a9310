"""Tables over data sets: systems in rows or in columns, and what is no data set among them."""

import shlex
from typing import Any

import numpy as np
import pytest
from cases import check_refused
from commands import followed, record, refused, run, write
from written import text_file

from csig.base.errors import InputError, Refusal
from csig.readers.request import Request, option
from csig.readers.tables.files import read_sheet
from csig.readers.tables.reader import leaderboard

SCORES = np.round(np.random.default_rng(1).random((4, 6)), 3)
NAMES = ("big", "mid", "small", "tiny")
TASKS = ("STS", "NLI", "QA", "NER", "MT", "sum")


def board(first: str = "model", **more: list[Any]) -> str:
    rows = [[name, *SCORES[i, :5], *(own[i] for own in more.values())]
            for i, name in enumerate(NAMES)]  # fmt: skip
    return "".join(",".join(map(str, row)) + "\n" for row in [[first, *TASKS[:5], *more], *rows])


def transposed(text: str) -> str:
    rows = [line.split(",") for line in text.splitlines()]
    return "".join(",".join(row) + "\n" for row in zip(*rows, strict=True))


def of(text: str, **options: Any) -> Any:
    return leaderboard(read_sheet(text_file(text)), Request(**options))


@pytest.mark.parametrize("first", ["model", "System", "model_name"])
def test_systems_in_rows(first):
    found = of(board(first))
    assert list(found.ids) == list(TASKS[:5])
    for name, own in zip(NAMES, SCORES, strict=True):
        assert found.systems[name].tolist() == own[:5].tolist()
    assert f"Systems are in rows ({first})" in found.notes[0]
    chosen = of(board("who"), system_column="who", system=("tiny", "big"))
    assert set(chosen.systems) == {"tiny", "big"}
    # Columns that are declared are data sets.
    assert list(of(board(mean=SCORES[:, 5]), score_column=("mean", "QA")).ids) == ["mean", "QA"]


@pytest.mark.parametrize(("text", "options"), [
    (board("id"), {}), (board().replace("mid", "big"), {}), (board(), {"ignore": ("model",)}),
])  # fmt: skip
def test_other_tables_are_none(text, options):
    assert of(text, **options) is None


def test_a_first_column_without_a_name():
    """It may name systems or data sets: somebody must say."""
    path = text_file(board(""))
    assert "the first column has no name, and may name systems or data sets" in (
        refused("datasets", path)
    )
    assert followed("datasets", path) == 2
    named = record("datasets", text_file(board(), "named.csv"))
    assert record("datasets", path, "--system-column", "1")["pairs"] == named["pairs"]
    down = record("datasets", text_file(transposed(board("")), "columns.csv"), "--id", "1")
    assert down["pairs"] == named["pairs"]
    assert "Systems are in rows (the first column)" in of(board(""), system_column="").notes[0]


@pytest.mark.parametrize(("more", "words", "ways"), [
    ({"lang": list("abcd")}, "column 'lang' holds texts, and each column of a leaderboard is",
     ["--ignore lang"]),
    ({"Avg.": SCORES[:, 5], "Rank": [1, 2, 3, 4]},
     "column 'Rank' is called like a statistic or a property", ["--ignore Avg. --ignore Rank"]),
    ({"Avg. WER": SCORES[:, 5], "coraal_avg": SCORES[:, 5], "Model size (B)": [1, 2, 7, 70]},
     "column 'Avg. WER' is called like a statistic or a property, column 'coraal_avg'",
     ["--ignore 'Avg. WER' --ignore coraal_avg --ignore 'Model size (B)'"]),
    ({"Arena Elo": [1200, 1100, 99, 950]}, "column 'Arena Elo' goes up to 1,200, others stay",
     ["--ignore 'Arena Elo'"]),
])  # fmt: skip
def test_columns_that_are_no_data_sets(more, words, ways):
    with pytest.raises(Refusal) as caught:
        of(board(**more))
    assert words in str(caught.value)
    every = [*TASKS[:5], *(name for name in more if name != "lang")]
    declared = [shlex.join(option("score-column", *every))] * ("lang" not in more)
    assert [shlex.join(own.options) for own in caught.value.remedies] == ways + declared
    assert followed("datasets", "t.csv") == 1 + len(declared)


def test_commas_that_may_separate_thousands():
    """In other tables they were refused before."""
    write("t.csv", "model;d1;d2", "x;1,234;2,345", "y;1,334;2,545")
    said = refused("datasets", "t.csv", "--decimal", ",")
    assert "every comma stands before exactly three digits, as in '1,234'" in said
    write("t.csv", "model;d1;d2", "x;1,234;2,345", "y;1,334;2,5")
    run("datasets", "t.csv", "--decimal", ",")


def test_data_sets_that_all_have_an_error_rate_and_percentages():
    text = board().replace("STS,NLI,QA,NER,MT", "AMI WER,TED WER,a wer,b_wer,WER c")
    assert "lower is" in run("datasets", text_file(text))
    assert "higher is" in run("datasets", text_file(board()))
    said = refused("datasets", text_file("model,a,b\nx,1.5%,2 %\ny,2%,3.5 %\n"))
    assert "column 'a' holds percentages, such as '1.5%'" in said
    assert "csig datasets t.csv --percent a --percent b" in said


@pytest.mark.parametrize(
    ("text", "words"),
    [(board(), "no system 'x'; there are 'big', 'mid'"), (board().replace("0.", "x."), "texts")],
)
def test_what_cannot_be_read(text, words):
    with pytest.raises(InputError, match=words):
        of(text, system=("big", "x"))


def test_a_gap_leaves_a_data_set_out():
    lines = board().splitlines()
    lines[2] = lines[2].replace(str(SCORES[1, 2]), "")
    text = "\n".join(lines)
    check_refused(text, {}, "a leaderboard, and one score of a system is no test", "csig datasets")
    with pytest.raises(InputError, match="column 'QA': the cell is empty"):
        of(text)
    found = of(text, allow_missing="intersection")
    assert list(found.ids) == ["STS", "NLI", "NER", "MT"]
    assert found.cautions == (
        "1 of 5 data sets are left out, as not every system has a score there: 'QA'.",
    )


def test_rows_that_sum_up_data_sets():
    name = "avg. rank"
    text = transposed(board("dataset")) + f"{name},1,2,3,4\n"
    said = refused("datasets", text_file(text))
    assert f"line 7: {name!r} names a row that sums up others" in said
    assert followed("datasets", "t.csv")
    kept = record("datasets", "t.csv", "--drop-row", name)
    assert kept["systems"] == record("datasets", text_file(transposed(board("dataset"))))["systems"]
    assert "names a row" in refused("datasets", text_file(board() + f"{name},1,2,3,4,5\n"))
