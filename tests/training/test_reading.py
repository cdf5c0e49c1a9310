"""Finished matrices of scores as tables: what is read, and what is refused in one line."""

import itertools
import random

import numpy as np
from written import text_file

from csig.training.distribution import read_cells


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
