"""Finished matrices of scores as tables: what is read, and what is refused in one line."""

import itertools
import random

import numpy as np
import pytest
from written import refusal, text_file

from csig.training.reading import read_cells


def table(rows, header="replicate,system,test_set,score"):
    return text_file("\n".join([header, *rows]) + "\n")


def matrix():
    """Ten replicates of two systems on two test sets, in random order."""
    rng = random.Random(1)
    rows = []
    for r, s, t in itertools.product(range(10), "ab", ("news", "web")):
        rows.append([str(r), s, t, repr(rng.random())])
    return rows


def test_a_matrix_whatever_the_order_of_its_rows():
    rows = matrix()
    expected = np.array([float(row[-1]) for row in rows]).reshape(10, 2, 2)
    head, rest = rows[:4], rows[4:]
    random.Random(2).shuffle(rest)
    for kept in (rows, head + rest):
        found = read_cells(table(map(",".join, kept)))
        assert (found.scores == expected).all()
        assert found.systems == ("a", "b")
        assert found.test_sets == ("news", "web")
        assert found.replicates == tuple(map(str, range(10)))
        assert found.notes == ()


def test_scores_of_items_are_averaged():
    rows = [[str(r), s, t, i, str(r + len(i) * (s == "a"))] for r, s, t, i in
            itertools.product(range(11), "ab", "tu", ("x", "yy", "zzz"))]  # fmt: skip
    random.Random(3).shuffle(rows)
    found = read_cells(table(map(",".join, rows), "fold,model,dataset,item,value"))
    assert sorted(found.systems) == ["a", "b"]
    a = found.systems.index("a")
    assert found.scores[:, a, 0].tolist() == [r + 2.0 for r in range(11)]
    assert found.scores[:, 1 - a, 1].tolist() == [float(r) for r in range(11)]


def test_columns_by_other_names_and_what_is_not_used():
    text_file("nr;lauf;wer;punkte\n1;1;a;0,5\n2;1;b;0,25\n3;2;a;1\n4;2;b;0\n")
    found = read_cells("t.csv", replicate="lauf", system="wer", score="punkte", decimal=",")
    assert found.scores[:, :, 0].tolist() == [[0.5, 0.25], [1.0, 0.0]]
    assert found.test_sets == ("test",)
    assert found.notes == ("Columns that are not used: 'nr'.",)
    for names, expected in (((10, 9, 2), ("2", "9", "10")), (("x10", "x9"), ("x10", "x9"))):
        read = read_cells(table([f"{r},a,1" for r in names], "run,system,score"))
        assert read.replicates == expected
    text_file('[{"run": 1, "system": "a", "score": 0.5}, {"run": 2, "system": "a", "score": 1}]',
              "t.json")  # fmt: skip
    assert read_cells("t.json").scores.ravel().tolist() == [0.5, 1.0]


ROWS = ["1,a,t,0.5", "1,b,t,0.5", "2,a,t,0.5", "2,b,t,0.25"]
HEAD, ITEMS = "replicate,system,test_set,score", "run,system,item,score"


@pytest.mark.parametrize(
    ("header", "rows", "roles", "words"),
    [
        (HEAD, [*ROWS[:3], "2,b,t,"], {},
         " line 5, column 'score': the cell is empty, expected a fin"),
        (HEAD, [*ROWS[:3], "2,b,t,nan"], {},
         " line 5, column 'score': the cell 'nan' is a missing number, expected a fin"),
        (HEAD, [*ROWS[:3], "2,b,t,good"], {}, "found 'good', expected a finite number"),
        (HEAD, [*ROWS[:3], "2,,t,1"], {},
         " line 5, column 'system': the cell is empty, expected a name"),
        (HEAD, [*ROWS, "1,b,t,0.75"], {},
         " line 6: a second score for replicate '1' of system 'b'; the first is on line 3; if "
         "these are scores of items, --item-column names the column of the items"),
        (HEAD, [*ROWS, "3,a,t,1"], {},
         "system 'a' has 3 replicates, 'b' has 2; it lacks '3'. Every system needs a score"),
        (HEAD, [*ROWS, "1,a,u,1", "2,a,u,1", "1,b,u,1"], {},
         ": no score for replicate '2' of system 'b' on test set 'u'"),
        (HEAD, [], {}, "found a header and no rows"),
        (HEAD, ["1,a,0.5"], {}, "expected 4 as in the header"),
        (ITEMS, ["1,a,x,1", "1,a,y,1", "2,a,x,1"], {},
         "replicate '2' of system 'a' lacks item 'y' of replicate '1' of system 'a'; all need"),
        (ITEMS, ["1,a,x,1", "2,a,x,1", "2,a,y,1"], {},
         "has item 'y', which is not one of replicate '1'"),
        (ITEMS, ["1,a,x,1", "1,a,y,1", "2,a,x,1", "2,a,x,2"], {},
         " line 5: a second score for replicate '2' of system 'a' and item 'x'; the first is on "
         "line 4"),
        # Columns that are not there, or have two roles.
        ("number,system,score", ["1,a,1"], {},
         " line 1: no column with the replicates, such as 'replicate'"),
        ("number,system,score", ["1,a,1"], {}, "--replicate-column names it"),
        ("run,system,recall,f1", ["1,a,1,1"], {},
         "found 'recall', 'f1', expected one column of scores; --score-column names it"),
        (HEAD, ROWS, {"system": "sys"}, "there is no column 'sys'"),
        (HEAD, ROWS, {"item": "test_set"},
         " line 1: column 'test_set' would have two roles, test set and item; --test-set-column "
         "names another one, or give the column another name"),
        (HEAD, ROWS, {"item": "score"}, " line 1: column 'score' would have two roles, item and "
         "score; --score-column names another one"),
        ("run,system,x,score", ["1,a,u,1", "2,a,u,2"], {"item": "x", "test_set": "x"},
         " line 1: column 'x' would have two roles, test set and item; --item-column names another "
         "one"),
    ],
)  # fmt: skip
def test_mistakes_are_one_line(header, rows, roles, words):
    message = refusal(read_cells, table(rows, header), **roles)
    assert message.startswith(f"t.csv{words}" if words[0] in " :" else "t.csv")
    assert words in message
