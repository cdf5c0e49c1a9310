"""Several answers to a question: brute force in Fractions, and what other programs print."""

import csv
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

import csig
from csig import Comparison
from csig.data.repeats import most_frequent, text_of
from csig.intervals import NoInterval, answer_variance, linearized_interval

METRICS = ("mean", "majority", "pass@1", "pass@2", "pass@3", "pass^1", "pass^2", "pass^3")
RIGHT = st.lists(st.integers(0, 1), min_size=3, max_size=6)
SYSTEMS = st.lists(st.tuples(RIGHT, RIGHT), min_size=1, max_size=7)


def by_subsets(answers, metric):
    """The share of subsets of a question's answers with a right one, or of right ones alone."""
    if metric == "mean":
        return Fraction(sum(answers), len(answers))
    if metric == "majority":
        return Fraction(1 + np.sign(2 * sum(answers) - len(answers)).item(), 2)
    found = [
        max(own) if "@" in metric else min(own)
        for own in itertools.combinations(answers, int(metric[5:]))
    ]
    return Fraction(sum(found), len(found))


def by_swaps(scores):
    """The p-value over all swaps of whole questions."""
    differences = [a - b for a, b in scores]
    observed = abs(sum(differences))
    signs = itertools.product((1, -1), repeat=len(differences))
    sums = [abs(sum(s * d for s, d in zip(own, differences, strict=True))) for own in signs]
    return sum(own >= observed for own in sums) / len(sums)


@examples(60)
@given(SYSTEMS, st.sampled_from(METRICS))
def test_scores_and_p_are_those_of_all_subsets_and_all_swaps(answers, metric):
    scores = [tuple(by_subsets(own, metric) for own in pair) for pair in answers]
    a, b = zip(*answers, strict=True)
    comparison = Comparison.from_answers(a, b, metric)
    assert comparison.tau == 0
    for system, own in zip("ab", zip(*scores, strict=True), strict=True):
        assert comparison.sums(system) == {"score": sum(own), "n": len(own)}
    found = csig.randomization_test(comparison, "mean")
    assert found.pvalue == pytest.approx(by_swaps(scores), rel=1e-12)


PAIRS = st.lists(
    st.tuples(st.sampled_from(["7", " 7 ", 7, "x", None, ""]), st.integers(0, 1)),
    min_size=1, max_size=6,
)  # fmt: skip


def by_votes(answers):
    """The expected score of a text drawn from the most frequent ones; one without is its own."""
    texts = [str(text or "").strip() or i for i, (text, _) in enumerate(answers)]
    most = max(map(texts.count, texts))
    winners = {text for text in texts if texts.count(text) == most}
    scores = [
        Fraction(sum(s for t, (_, s) in zip(texts, answers, strict=True) if t == own), most)
        for own in winners
    ]
    return sum(scores) / len(winners)


@examples(60)
@given(st.lists(st.tuples(PAIRS, PAIRS), min_size=1, max_size=7))
def test_the_plurality_is_the_expected_score_of_the_most_frequent_text(answers):
    scores = [tuple(map(by_votes, pair)) for pair in answers]
    a, b = zip(*answers, strict=True)
    comparison = Comparison.from_answers(dict(enumerate(a)), dict(enumerate(b)), "Plurality")
    for system, own in zip("ab", zip(*scores, strict=True), strict=True):
        assert comparison.sums(system) == {"score": sum(own), "n": len(own)}
    found = csig.randomization_test(comparison, "mean")
    assert found.pvalue == pytest.approx(by_swaps(scores), rel=1e-12)


def test_texts_may_be_numbers_of_numpy():
    kinds = [np.int64, np.float32, np.bool_, int]
    found = [most_frequent([text_of(kind(own)) for own in (1, 1, 0)]) for kind in kinds]
    assert found == [[True, True, False]] * 4
    assert text_of(np.float32("nan")) is None


def test_the_plurality_needs_texts():
    with pytest.raises(csig.InputError, match=r"a: plurality expects a pair of each answer, \(tex"):
        Comparison.from_answers([[1, 0]], [[1, 0]], "plurality")


@pytest.mark.parametrize("metric", ["pass@90", "pass^90"])
def test_fractions_that_do_not_fit_an_integer_count_ties_and_never_make_p_too_small(metric):
    rng = np.random.default_rng(3)
    a, b = (rng.random((9, 200)) < rng.random((9, 1)) for _ in "ab")
    comparison = Comparison.from_answers(a.tolist(), b.tolist(), metric)
    drawn = np.concatenate([a, b] if "^" in metric else [~a, ~b]).sum(axis=1).tolist()
    right = [Fraction(math.comb(n, 90), math.comb(200, 90)) for n in drawn]
    expected = [sum(right[:9]) / 9, sum(right[9:]) / 9]
    if "@" in metric:
        expected = [1 - own for own in expected]
    assert comparison.scores("mean") == pytest.approx([*map(float, expected)], rel=1e-13)
    p = csig.randomization_test(comparison, "mean").pvalue
    assert comparison.tau > 0
    assert p >= by_swaps([*zip(right[:9], right[9:], strict=True)])


def test_real_scores_have_a_mean_and_nothing_else():
    a, b = [[0.5, 1], [0.1, 0.2, 0.3]], [[0.25], [0.3, 0.1]]
    comparison = Comparison.from_answers(a, b)
    assert comparison.sums("a")["score"] == Fraction(3, 4) + Fraction(1, 5)
    assert comparison.sums("b")["score"] == Fraction(1, 4) + Fraction(1, 5)
    pi = Comparison.from_answers([[math.pi, 1.0]] * 9, [[math.e] * 3] * 9)
    assert pi.scores("mean") == pytest.approx([(math.pi + 1) / 2, math.e])
    with pytest.raises(csig.InputError, match=r"pass@1 counts .*; a has 0.5 in question 0, 1; ask"):
        Comparison.from_answers(a, b, "pass@1")


def test_what_is_no_answer_or_too_few():
    few = {"q1": [1, 0], "q2": [1], "q3": [0, 1]}
    with pytest.raises(
        csig.InputError,
        match=r"pass\^2 needs 2 answers to each question, a has fewer in 1 question: 'q2' "
        r"\(1 answer at least\)",
    ):
        Comparison.from_answers(few, few, "pass^2")
    with pytest.raises(csig.InputError, match="found 'pass@0', expected 'mean', 'majority'"):
        Comparison.from_answers(few, few, "pass@0")
    with pytest.raises(csig.InputError, match="expected several answers to each question"):
        Comparison.from_answers([1, 0], [0, 1], "pass@1")
    with pytest.raises(csig.InputError, match="expected several answers to each question"):
        Comparison.from_answers(3, [[1, 0]])
    with pytest.raises(csig.InputError, match="b: unit 'q3': expected a finite number, found nan"):
        Comparison.from_answers(few, {**few, "q3": [1, math.nan]})
    with pytest.raises(csig.InputError, match="a: expected numbers, found <U21"):
        Comparison.from_answers([[1, 0], [0, "x"]], [[1], [0]])
    with pytest.raises(csig.InputError, match=r"a: integers of 2\^53 or more"):
        Comparison.from_answers([[2**53, 0]], [[1]])
    with pytest.raises(csig.InputError, match="needs 1 answer to each question, a has fewer"):
        Comparison.from_answers([[], [1]], [[1], [0]])
    with pytest.raises(csig.InputError, match="is of several answers to each question"):
        csig.randomization_test(Comparison.from_scores([1, 0], [0, 1]), "pass@2")


# ---- what others print ---------------------------------------------------------------------------


def test_tau_bench(shared_data):
    answers = {}
    text = (shared_data("tau_bench_airline") / "gpt-4o-airline.csv").read_text()
    for row in csv.DictReader(text.splitlines()):
        answers.setdefault(row["task_id"], []).append(int(float(row["reward"])))

    def scores(kind):
        found = (Comparison.from_answers(answers, answers, f"{kind}{k}") for k in range(1, 5))
        return [own.scores("mean")[0] for own in found]

    assert scores("pass^") == [0.42, 0.2733333333333333, 0.22, 0.2]
    assert scores("pass@") == [0.42, 0.5666666666666667, 0.66, 0.72]


def test_inspect(shared_data):
    folder = shared_data("inspect_logs")
    reading = csig.read(
        *(folder / name for name in ("own.json", "own_zstd.eval")),
        metric=["match", "mean", "pass@2"],
    )
    found = []
    for (metric,), comparison in reading.tests(0, 1):
        error = linearized_interval(comparison, metric, "a").standard_error
        found.append((metric.name, comparison.scores(metric)[0], error))
    assert found == [
        ("match", 0.4375, pytest.approx(0.12173310319177118)),
        ("pass@2", pytest.approx(0.6666666666666666), pytest.approx(0.1543033499620919)),
    ]
    data = reading.groups[0][1]
    # Its standard error is that of the means, whatever is of the answers.
    errors = [answer_variance([row[~np.isnan(row)] for row in own]).standard_error
              for own in data.answers.values()]  # fmt: skip
    assert errors == pytest.approx([0.12173310319177118] * 2)


# ---- variance of questions and answers -----------------------------------------------------------


def test_variances_are_the_mean_squares_of_the_analysis_of_variance():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(30, 1)) + rng.normal(size=(30, 4))
    found = answer_variance(x.tolist())
    between = 4 * x.mean(axis=1).var(ddof=1)
    within = x.var(axis=1, ddof=1).mean()
    assert found.standard_error**2 == pytest.approx(between / 120)
    assert found.within**2 == pytest.approx(within)
    assert found.error_answers**2 == pytest.approx(within / 120)
    assert found.between**2 == pytest.approx((between - within) / 4)
    assert (found.fewest_answers, found.most_answers, found.n_questions) == (4, 4, 30)


def test_variances_are_not_biased_with_other_numbers_of_answers():
    """All outcomes of three questions, each easy or hard, with 2, 3 and 1 answers."""
    sizes, easy = (2, 3, 1), (Fraction(1, 5), Fraction(4, 5))
    mean = square = estimate = Fraction(0)
    for kinds in itertools.product(easy, repeat=3):
        for right in itertools.product((0, 1), repeat=6):
            groups = [right[:2], right[2:5], right[5:]]
            chance = Fraction(1, 8)
            for p, own in zip(kinds, groups, strict=True):
                chance *= p ** sum(own) * (1 - p) ** (len(own) - sum(own))
            score = sum(Fraction(sum(own), n) for own, n in zip(groups, sizes, strict=True)) / 3
            mean += chance * score
            square += chance * score**2
            try:
                found = answer_variance(groups)
            except NoInterval:  # the means are the same: an estimate of 0
                continue
            estimate += chance * Fraction(found.standard_error**2)
    assert float(estimate) == pytest.approx(float(square - mean**2), rel=1e-12)


def test_the_part_of_the_answers_is_the_formula_and_a_difference_adds_both():
    rng = np.random.default_rng(6)
    systems = [[rng.integers(0, 2, rng.integers(2, 6)).tolist() for _ in range(20)] for _ in "ab"]

    def part(answers):
        exact = Fraction(0)
        for own in answers:
            m = Fraction(sum(own), len(own))
            exact += sum((x - m) ** 2 for x in own) / Fraction(len(own) - 1) / len(own)
        return exact / 400

    alone, both = answer_variance(systems[0]), answer_variance(*systems)
    assert alone.error_answers**2 == pytest.approx(float(part(systems[0])))
    assert both.error_answers**2 == pytest.approx(float(sum(map(part, systems))))
    d = [np.mean(a) - np.mean(b) for a, b in zip(*systems, strict=True)]
    assert both.standard_error == pytest.approx(np.std(d, ddof=1) / math.sqrt(20))
    assert both.difference
    assert not alone.difference


def test_what_more_would_do_is_what_more_does():
    """Twice the answers, and twice the questions, of a model whose variances are known."""
    rng = np.random.default_rng(7)

    def spread(questions, answers):
        p = rng.choice([0.3, 0.7], (4000, questions, 1))
        return (rng.random((4000, questions, answers)) < p).mean(axis=(1, 2)).std()

    once = spread(25, 4)
    p = rng.choice([0.3, 0.7], (4000, 1))
    found = answer_variance((rng.random((4000, 4)) < p).tolist())
    assert found.narrower(answers=2) == pytest.approx(1 - spread(25, 8) / once, abs=0.04)
    assert found.narrower(questions=2) == pytest.approx(1 - spread(50, 4) / once, abs=0.04)
    assert found.narrower(questions=2) == pytest.approx(1 - math.sqrt(1 / 2))
    assert found.halving_answers == math.inf
    noisy = answer_variance([[0, 1, 0, 1], [1, 0, 1, 0, 1], [1, 0]])
    assert noisy.share_of_answers == 1
    assert noisy.narrower(answers=noisy.halving_answers) == pytest.approx(1 / 2)
    assert "so would 4 times the answers" in noisy.sentences


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ([[1, 0]], "found 1 question, expected two or more"),
        ([[1], [0]], "no question has two answers"),
        ([[1, 0], [0, 1]], "all questions have the same mean"),
    ],
)
def test_no_variances(answers, why):
    with pytest.raises(NoInterval, match=why):
        answer_variance(answers)
