"""Questions as plain data: made again from them, they count the same."""

from __future__ import annotations

import pickle
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from brute import PAPER
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import SeedSequence

from csig import Comparison, Metric, metrics
from csig.engines.packing import (
    packed_question,
    packed_source,
    packed_swapped,
    question_of,
    source_of,
    swapped_from,
)
from csig.engines.questions import make_question
from csig.engines.shuffle import Joint, Run, make_exchange, swapped_of
from csig.streams import make_source

TP, EXTRA = np.random.default_rng(5).integers(0, 4, size=(2, 2, 40))
GOLD = np.full((2, 40), 5)


def units() -> Comparison:
    rows = np.stack([TP, TP + EXTRA, GOLD, EXTRA * TP], axis=2)
    return Comparison.from_statistics(*rows, columns=("tp", "predicted", "gold", "more"))


def cells() -> Comparison:
    rows = np.stack([TP, EXTRA, GOLD - TP, GOLD - EXTRA], axis=2)
    return Comparison.from_statistics(*rows, columns=("tp", "fp", "fn", "tn"))


def scores() -> Comparison:
    return Comparison.from_scores(TP[0] / 7, TP[1] / 7 + 0.01)


def labels() -> Comparison:
    drawn = np.random.default_rng(1).integers(0, 3, size=(3, 60)).tolist()
    return Comparison.from_labels(*drawn)


SHARE = Metric("share", ("tp",), function=partial(np.mean, axis=1))
HEAVY = Metric("heavy", ("tp", "gold"), numerator=(Fraction(1, 3), -1), denominator=(0, 1))
QUESTIONS = [
    (Comparison.from_counts(**PAPER), metrics.f1),
    (Comparison.from_counts(**PAPER), HEAVY),
    (Comparison.from_counts(**PAPER), SHARE),
    (units(), metrics.f_beta(2)),
    (units(), metrics.recall),
    (units(), SHARE),
    (scores(), metrics.get("mean")),
    (cells(), metrics.mcc()),
    (labels(), metrics.get("macro_f1", labels().columns)),
]


def hits(questions: list[Any], swapped: Any, source: Any = None) -> list[Any]:
    run = Run(source or make_source(3), 0, questions, 3000, 1, exchange=make_exchange(swapped))
    run()
    return [run.hits, run.near, run.undefined]


@pytest.mark.parametrize(("comparison", "metric"), QUESTIONS)
@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_a_question_made_again_counts_the_same(
    comparison: Comparison, metric: Metric, alternative: Any
) -> None:
    question = make_question(comparison, metric, alternative, 1)
    asked = [question, question.one_tail(upper=True), question.one_tail(upper=False)]
    swapped = swapped_of(comparison, asked)
    packed = pickle.dumps([[packed_question(own) for own in asked], packed_swapped(swapped)])
    if metric is not SHARE:
        assert b"csig" not in packed  # nothing of csig's, no function: plain data
    again, table = pickle.loads(packed)
    found = hits([question_of(own) for own in again], swapped_from(table))
    assert found == hits(asked, swapped)
    assert sum(found[0]) > 0


@pytest.mark.parametrize("comparison", [Comparison.from_counts(**PAPER), units()])
def test_a_studentised_question_made_again_counts_the_same(comparison: Comparison) -> None:
    asked = [
        make_question(comparison, metric, "two-sided", 0, "studentized")
        for metric in (metrics.precision, metrics.f1)
    ]
    asked.append(make_question(comparison, metrics.f1, "two-sided", 0))
    swapped = swapped_of(comparison, asked)
    packed = pickle.dumps([[packed_question(own) for own in asked], packed_swapped(swapped)])
    assert b"csig" not in packed
    again, table = pickle.loads(packed)
    found = hits([question_of(own) for own in again], swapped_from(table))
    assert found == hits(asked, swapped)
    assert found[0][1] > 0


@pytest.mark.parametrize("name", ["PCG64DXSM", "Philox", "SFC64", "MT19937", "randu"])
@pytest.mark.parametrize("seed", [5, (1, 2**70), SeedSequence((3, 4), spawn_key=(7,))])
def test_a_seed_made_again_gives_the_same_words(name: str, seed: Any) -> None:
    source = make_source(seed, name, allow_bad=True)
    packed = pickle.dumps(packed_source(source))
    assert b"csig" not in packed
    again = source_of(pickle.loads(packed))
    assert (again.name, again.entropy, again.spawn_key) == (name, source.entropy, source.spawn_key)
    question = make_question(Comparison.from_counts(**PAPER), metrics.f1, "two-sided", 0)
    assert hits([question], (34, 52), again) == hits([question], (34, 52), source)


def test_a_generator_of_ones_own_travels_as_it_is() -> None:
    randomgen = pytest.importorskip("randomgen")
    source = make_source(4, randomgen.Xoshiro256)
    again = source_of(pickle.loads(pickle.dumps(packed_source(source))))
    assert (again.name, again.factory) == (source.name, randomgen.Xoshiro256)


def test_a_function_of_csigs_own_under_another_name_travels_too() -> None:
    own = Metric("mine", ("tp", "fp", "fn", "tn"), function=metrics.mcc().function)
    question = make_question(cells(), own, "two-sided", 0)
    packed = packed_question(question)
    assert packed["function"] is own.function
    assert question_of(packed).metric.function is own.function


@examples(200)
@given(
    st.lists(st.integers(-(2**62), 2**62) | st.integers(-130, 130), min_size=2, max_size=40),
    st.sampled_from([1, 2]),
)
def test_a_table_takes_no_more_bytes_than_its_numbers_need(numbers: list[int], k: int) -> None:
    table = np.array(numbers[: len(numbers) // k * k], dtype=np.int64).reshape(-1, k)
    packed = packed_swapped(Joint(table, [[*range(k)], [k - 1]], [k - 1]))
    again = swapped_from(packed)
    assert isinstance(again, Joint)
    assert again.table.dtype == np.int64
    assert again.table.tolist() == table.tolist()
    assert list(again.views) == [[*range(k)], [k - 1]]
    assert list(again.alone) == [k - 1]
    largest = max(max(numbers[: table.size]), -min(numbers[: table.size]) - 1)
    needed = next(n for n in (1, 2, 4, 8) if largest < 2 ** (8 * n - 1))
    assert len(packed["table"][2]) <= needed * table.size
