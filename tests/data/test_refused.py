"""What data are refused, and the one line that says why: the expressions of refused.txt."""

from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas
import polars
import pytest
from brute import PAPER
from printed import otherwise, rewrite, sections
from written import refusal

from csig import Comparison, InputError
from csig.data.several import dataset_table, several
from csig.metrics import Span, spans

PRINTED = Path(__file__).with_name("refused.txt")
NAN, NAT = float("nan"), np.datetime64("NaT")
ONE = pandas.Series([1, 0])
MISSING = pandas.DataFrame({"x": pandas.array([1, None], dtype="Int64")})
scores, statistics, labels, responses = (
    Comparison.from_scores, Comparison.from_statistics, Comparison.from_labels,
    Comparison.from_responses,
)  # fmt: skip

ROWS_A = {"d10": [3, 4, 5], "d9": [2, 2, 2], "é": [0, 1, 1], "d1": [4, 4, 6]}
ROWS_B = {"é": [1, 1, 1], "d1": [3, 5, 6], "d9": [2, 2, 2], "d10": [2, 4, 5]}
RUNS = np.ones((2, 3, 3), int)
NAMES = ("tp", "predicted", "gold")
MANY = [f"l{k}" for k in range(8000)]


def series(labels, start=1):
    return pandas.Series(range(start, start + len(labels)), index=labels)


UV, VU = series(["u", "v"]), series(["v", "u"])
FOUND = responses({"d": ["x"]}, {"d": ["x"]}, {"d": ["y"]}, conflict=lambda r: 1)
PERSONS = [(0, 1, "P"), (2, 3, "P")]
PART = responses([], PERSONS, [], conflict=spans).part_of(
    responses([(0, 4, "LOC")], PERSONS, [(0, 4, "LOC")], conflict=spans)
)
OTHER = responses(["x"], ["x"], ["y"], conflict=lambda r: 1)


def scored(own):
    return scores(**({"a": [1, 2], "b": [2, 2]} | own))


def counted(own):
    return statistics(**({"a": ROWS_A, "b": ROWS_B, "columns": NAMES} | own))


def column(own):
    return statistics(own, own // 2 if np.ndim(own) == 3 else [1, 2], ["x"])


def of_columns(rows, columns):
    return statistics(rows, rows, columns, id=["u"])


def of_ids(ids):
    return statistics([[1], [2]], [[2], [2]], ["x"], id=ids)


def indexed(rows, clusters):
    return scores(*rows, cluster=clusters)


def of_units(own):
    return responses({"d": ["x"]}, {"d": ["x"]}, {"d": ["y"]}, **own)


def of_counts(own):
    return Comparison.from_counts(**(PAPER | own))


def systems(table, own):
    return several(table, **own)


def with_keys(gold, unit, cluster):
    other = {k: [] for k in gold} if isinstance(gold, dict) else []
    return responses(gold, gold, other, unit=unit, cluster=cluster)


TABLES = {**globals(), "Decimal": Decimal, "Span": Span, "dataset_table": dataset_table}


@pytest.mark.parametrize("cases", sections(PRINTED))
def test_what_is_refused(cases):
    assert otherwise(cases, TABLES) == []


def check(call, message):
    with pytest.raises(InputError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("call", "message"), [
    (lambda: scored({"names": {"A", "B"}}), "names must be a pair of names"),
    (lambda: PART.part_of(OTHER), r"response \(0, 1, 'P'\) is not part of the whole"),
    (lambda: of_ids([object(), 1]), "cannot be ordered: its text is its address in memory"),
    (lambda: column(MISSING), r"a: unit 1, column 'x': expected an integer, found (<NA>|nan)"),
    (lambda: of_ids(MISSING["x"]), r"id\[1\]: (<NA>|nan) is not a label"),
    (lambda: indexed([series(["u", None])] * 2, None), r"id\[1\]: (None|nan) is not a label"),
    (lambda: indexed((MISSING["x"], [1, 2]), None), "a: unit 1: .*number, found (<NA>|nan)"),
])  # fmt: skip
def test_what_is_said_otherwise_by_others(call, message):
    """By another pandas, or another run of Python."""
    check(call, message)


@pytest.mark.parametrize("library", [pandas, polars])
def test_columns_of_frames(library):
    some, frame = library.Series(["x", None, "y"]), library.DataFrame({"x": [1, None, 3]})
    number = "a: unit 1: expected a (finite )?number, found"
    check(lambda: scores(library.Series([0.5, None, 2.5]), [1, 2, 3]), number)
    check(lambda: scores([1, 2, 3], [1, 2, 3], id=some), r"id\[1\]: (None|nan) is not a label")
    check(lambda: statistics(frame, frame, ["x"]), "a: unit 1, column 'x': expected an .*found nan")
    check(lambda: statistics(frame, frame, ["x", "fp"]), "a: no column 'fp'; the frame has 'x'")
    check(lambda: scores(frame, frame), "a: expected one number per unit, found shape")
    notes = library.DataFrame({"note": ["x"]})
    check(lambda: statistics(notes, notes, ["note"]), r"a: (expected numbers|unit 0, .*: expected)")
    check(lambda: responses(["x"], some, ["y"]), r"a, response 1: (None|nan) is not a (resp|fin)")
    check(lambda: responses(frame, frame, frame), "gold: found a DataFrame, expected responses; gi")


def test_the_gold_is_of_both_and_other_columns_are_nobodys():
    a, b = [[1, 5], [2, 6]], [[1, 5], [0, 7]]
    check(lambda: statistics(a, b, ("gold", "x"), id=["p", "q"]),
          "^unit 'q': gold is 2 for a and 0 for b, but both were")  # fmt: skip
    assert statistics(a, b, ("x", "y")).n_units == 1
    assert statistics([[-1, -1]], [[-3, -2]], ("some", "other")).n_units == 1


def test_responses_without_a_text_of_their_own():
    thing = type("Thing", (), {})
    same = type("Same", (), {"__str__": lambda self: "same"})
    for kind, message in (
        (thing, "cannot be ordered: its text is its address in memory"),
        (same, "have the same text, by which conflict groups are"),
    ):
        one, other = kind(), kind()
        made = responses([one, other], [one], [other], conflict=id, unit="response")
        check(lambda made=made: made.at("conflict"), message)


if __name__ == "__main__":
    rewrite(PRINTED, TABLES)


def test_what_is_no_part_of_the_whole_is_named_in_every_run():
    """Strings have another hash in every process, and so would the first of a set."""
    found = [(i, i + 1, name) for i in range(9) for name in ("PER", "LOC", "ORG")]
    part = Comparison.from_responses([], found, [], conflict=spans)
    whole = Comparison.from_responses([], [(90, 91, "PER")], [], conflict=spans)
    assert refusal(part.part_of, whole) == "response (0, 1, 'LOC') is not part of the whole"
