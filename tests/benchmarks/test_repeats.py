"""The simulation of several answers: its p-values are those of csig, of both ways to swap."""

import numpy as np
import pytest
from simulated import simulation

import csig

repeats = simulation("repeats")


@pytest.mark.parametrize("cell", list(repeats.cells()), ids=str)
def test_both_pvalues_are_those_of_csig(cell):
    a, b = repeats.draw(cell, 3)
    assert a.shape == (3, repeats.QUESTIONS, cell.answers)
    single = repeats.flip_pvalues((a - b).reshape(3, -1))
    whole = repeats.flip_pvalues((a - b).sum(axis=2))
    for i in range(3):
        own = csig.randomization_test(a[i].ravel(), b[i].ravel())
        assert own.pvalue == pytest.approx(single[i])
        questions = csig.Comparison.from_answers(a[i].tolist(), b[i].tolist())
        assert csig.randomization_test(questions, "mean").pvalue == pytest.approx(whole[i])


def test_the_systems_are_equally_good():
    a, b = repeats.draw(repeats.Cell(10, 2.0), 400)
    assert abs(np.mean(a) - np.mean(b)) < 0.01
