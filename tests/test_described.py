"""The three lines of a comparison."""

import csig
from csig.shown import WIDTH

GOLD = {"s1": [(0, 2, "PER"), (5, 6, "LOC")], "s2": [(3, 4, "PER"), (7, 9, "LOC")]}
A = {"s1": [(0, 2, "PER"), (5, 6, "LOC")], "s2": [(3, 4, "PER")]}
B = {"s1": [(0, 1, "PER"), (5, 6, "ORG")], "s2": [(3, 4, "PER"), (7, 9, "LOC")]}


def test_three_lines_of_responses_units_and_runs():
    by_key = csig.Comparison.from_responses(GOLD, A, B, conflict=csig.spans, names=("new", "base"))
    assert repr(by_key).splitlines() == [
        "<Comparison new / base: tp 3 / 2, predicted 3 / 4, gold 4",
        " swaps keys: 2 of 2 differ",
        " with ids, other units: responses, conflict groups>",
    ]
    assert repr(by_key.at("response")).splitlines()[1:] == [
        " swaps responses: 5 only one system has",
        " other units: conflict groups, keys>",
    ]
    runs = csig.Comparison.from_scores([[1, 0.5, 0]] * 2, [[0, 0.5, 1]] * 2)
    assert repr(runs).splitlines() == [
        "<Comparison A / B: score 3, n 6",
        " swaps items: 2 of 3 differ",
        " without ids, no other unit known, 2 runs of each system>",
    ]


def test_many_columns_and_long_names_stay_within_the_lines():
    columns = [f"count_{i}" for i in range(9)]
    names = ("a\n" * 100, "\x1b[31mb")
    wide = csig.Comparison.from_statistics([[1] * 9], [[0] * 9], columns, names=names)
    lines = repr(wide).split("\n")
    assert len(lines) == 3
    assert all(line.isprintable() and len(line) <= WIDTH for line in lines)
    short = csig.Comparison.from_statistics([[1] * 9], [[0] * 9], columns)
    assert "count_4 1 / 0, ...\n" in repr(short)
