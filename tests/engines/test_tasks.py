"""Options, the choice of an engine, and counts of the same shuffles whoever asks."""

import math
import re

import numpy as np
import pytest
from brute import PAPER

from csig import Comparison, InputError, Metric
from csig.comparing.randomization import randomization_test
from csig.data import metrics
from csig.engines import certified, fourier
from csig.engines.base import Unfit
from csig.engines.certified import better_than_shuffles
from csig.engines.exact import exactly, result_of
from csig.engines.tasks import Task, make_task
from csig.probability.binomial import Rule
from csig.results.randomization import Certificate

OPTIONS = {"rng": 1, "threads": 2}


def task(comparison=None, **options) -> Task:
    """By default of the paper's example."""
    comparison = comparison or Comparison.from_counts(**PAPER)
    return make_task(comparison, **(OPTIONS | options))


def exact(comparison, metric=metrics.mean, **options):
    """The answer to a question, of a mean by default."""
    asked = task(comparison, **options)
    return exactly(asked, asked.question(metric))


def sentences(n, entities=1.5, spurious=0.3):
    """Sentences, or documents; the two systems are as good as each other."""
    rng = np.random.Generator(np.random.PCG64(n))
    gold = rng.poisson(entities, n) + 1
    units = []
    for _ in "ab":
        tp = rng.binomial(gold, 0.7)
        units.append(np.stack([tp, tp + rng.poisson(spurious, n), gold], axis=1))
    return Comparison.from_statistics(*units, ("tp", "predicted", "gold"))


def means(n, largest):
    """Scores that differ, integers."""
    rng = np.random.Generator(np.random.PCG64(n))
    return Comparison.from_scores(*rng.integers(0, largest, (2, n)))


def reals(n):
    rng = np.random.default_rng(n)
    return Comparison.from_scores(rng.normal(size=n), rng.normal(0.05, 1, size=n))


#: 1,000 documents are 32 million steps. 2^20 shuffles of them draw 16 million words, 2^32 more; but
#: with a rule these are a limit only.
MORE, RULE = {"exact_budget": 1, "n_resamples": 2**32}, Rule(0.05, 1e-6, 100)

#: What "auto" takes, and what it took by the rule of the first edition of records.
CHOICES = [
    (sentences, (1_000,), "f1", {}, "lattice", "lattice"),
    (sentences, (20_000,), "f1", {}, "lattice", "shuffle"),
    (sentences, (20_000,), "f1", {"method": "approximate"}, "shuffle", "shuffle"),
    (sentences, (20_000,), "f1", {"exact_budget": 1}, "lattice", "shuffle"),
    (sentences, (20_000,), "f1", {"exact_budget": 1, "n_resamples": 999}, "shuffle", "shuffle"),
    (sentences, (40_000,), "precision", {}, "lattice", "shuffle"),
    (sentences, (100_000,), "recall", {}, "lattice", "lattice"),
    (sentences, (1_000, 12, 4), "f1", {"exact_budget": 1}, "shuffle", "shuffle"),
    (sentences, (1_000, 12, 4), "f1", MORE, "lattice", "shuffle"),
    (sentences, (1_000, 12, 4), "f1", MORE | {"rule": RULE}, "shuffle", "shuffle"),
    (means, (30, 2**40), "mean", {}, "meet in the middle", "meet in the middle"),
    (means, (300, 2**40), "mean", {}, "shuffle", "shuffle"),
    (means, (300, 2**10), "mean", {}, "lattice", "lattice"),
    (means, (20_000, 2**10), "mean", {}, "lattice", "shuffle"),
]


#: Of these means "auto" takes proven bounds, since an edition: of the first, as shuffles were all
#: there was; of the second, whose cells are many, as their frequencies are fewer.
BOUNDED = {(300, 2**40): 3, (20_000, 2**10): 4}


@pytest.mark.parametrize(("make", "sizes", "name", "options", "engine", "first"), CHOICES)
def test_auto_is_exact_wherever_that_is_cheaper(make, sizes, name, options, engine, first):
    comparison = make(*sizes)
    metric = metrics.get(name, comparison.columns)
    since = BOUNDED.get(sizes, 9) if name == "mean" else 9
    for edition in range(4, 0, -1):
        expected = "fourier" if edition >= since else engine if edition > 1 else first
        assert exact(comparison, metric, **options, edition=edition).engine == expected, edition


def test_cells_that_do_not_fit_are_exact_since_the_second_edition():
    """Records of the first one hold no exact p-value of such a table, and are verified as such."""
    steps = np.repeat([[3, 40], [0, 1], [1, 1]], [3_000, 30_000, 30_000], axis=0)
    turned = np.random.default_rng(1).random(len(steps)) < 0.5
    units = np.stack([steps, np.zeros_like(steps)]) + np.array([2, 50])
    units[:, turned] = units[::-1, turned]
    comparison = Comparison.from_statistics(*units, ("x", "n"))
    metric = metrics.ratio("share", "x", "n")
    for method in ("auto", "exact"):
        found = exact(comparison, metric, method=method)
        assert found.engine == "lattice"
        assert found.found is not None
    assert exact(comparison, metric, edition=1).engine == "shuffle"


def test_the_same_data_take_the_same_engine_whatever_the_threads():
    comparison = sentences(20_000)
    answers = [exact(comparison, metrics.f1, threads=threads) for threads in (1, 3)]
    ((engine, reason, value, exponent, error),) = {
        (own.engine, own.reason, *own.found[:3]) for own in answers
    }
    assert engine == "lattice"
    assert re.fullmatch(r"\d+ steps, within the budget of 67108864", reason)
    p = value * 2.0**exponent
    assert p == pytest.approx(0.9364487291347454, rel=1e-13)
    assert error < 1e-11
    # Before, these data took the default shuffles, whose hits are the same for ever.
    asked = task(comparison)
    question = asked.question(metrics.f1)
    hits = asked.draw(0, [question]).counts[question].hits
    assert hits == 981_989
    assert abs(hits - 2**20 * p) < 9 * np.sqrt(2**20 * p * (1 - p))


def test_what_is_certain_is_not_computed():
    same = Comparison.from_counts(gold=9, only_a_correct=2, only_b_correct=2)
    found = exact(same, metrics.recall).found
    assert (found.value, found.exponent, found.error_bound) == (1.0, 0, 0.0)
    assert found.counter() == 2**4


ONE, ALL = {"exact_budget": 1}, "within the budget of 67108864"


@pytest.mark.parametrize(("n", "options", "engine", "reason"), [
    (None, {}, "staircase", f"88 steps, {ALL}"),
    (None, {"exact_budget": 87}, "staircase", "88 steps, fewer than the 1409024 random words"),
    (None, {"exact_budget": 87, "n_resamples": 64}, "shuffle",
     "exact would take 88 steps, budget 87"),
    (None, {"method": "approximate"}, "shuffle", "asked for"),
    (None, {"method": "exact"} | ONE, "staircase", "asked for"),
    (None, {"method": "yeh2000"}, "shuffle", "86 unique responses: more than the 20"),
    (2000, {}, "fourier", rf"\d+ factors, {ALL}"),
    (2000, ONE, "fourier", r"\d+ factors, fewer than the \d+ random"),
    (44, {}, "meet in the middle", r"\d+ steps, within the budget"),
    (2000, {"method": "approximate"}, "shuffle", "asked for"),
    (60, {"n_resamples": 999} | ONE, "shuffle",
     r"exact would take \d+ steps, budget 1; proven bounds \d+ factors"),
])  # fmt: skip
def test_who_answers_and_why(n, options, engine, reason):
    """The paper's example; so many real scores."""
    found = exact(reals(n), **options) if n else exact(None, metrics.f1, **options)
    assert found.engine == engine
    assert re.match(reason, found.reason)
    assert (found.found is None) == (engine == "shuffle")
    assert engine != "fourier" or found.found.error_bound <= 1e-4


@pytest.fixture
def enclosed(monkeypatch):
    """Give a function that sets what bounds are found, whatever is asked."""

    def put(*ends, lattice=False, note="a sum is s"):
        wide = fourier.Enclosure(*ends, lattice, 1.0, 1.0, 9, 9, 9, note)
        monkeypatch.setattr(fourier.Prepared, "enclose", lambda *_, **__: wide)

    return put


@pytest.mark.parametrize(("method", "n", "share", "engine", "reason"), [
    ("auto", 2000, 0.5, "shuffle", "proven bounds stay apart by 50% of p: a sum is s$"),
    ("auto", 2000, 0.015, "fourier", "closer than shuffles would be; proven .* 1.5% of p: a"),
    ("certified", 40, 0.5, "meet in the middle", r"\d+ steps, .* by 50% of p: a sum is s$"),
    ("certified", 40, 1e-3, "meet in the middle", r"\d+ steps, where .* by 0\.1% of p: a sum"),
    ("certified", 2000, 1e-3, "fourier", "asked for; a sum is s$"),
    ("auto", 2000, 9e-5, "fourier", r"\d+ factors, within the budget of \d+; a sum is s$"),
])  # fmt: skip
def test_bounds_that_do_not_close_leave_it_to_others(enclosed, method, n, share, engine, reason):
    enclosed(0.25, 0.25 * (1 + share), -4)
    found = exact(reals(n), method=method)
    assert found.engine == engine
    assert re.match(reason, found.reason)


def shifted(n, mu):
    """Differences around `mu`, in units of their standard deviation."""
    values = np.random.default_rng(n).normal(0, 1, n) + mu
    return Comparison.from_scores(values, np.zeros(n))


@pytest.mark.parametrize(("n", "mu"), [(300, 1.6), (1_000, 2.0), (10_000, 3.0), (60, 1.0)])
def test_no_shuffles_are_drawn_where_bounds_say_more(n, mu):
    """Before, bounds that were not within 1e-4 left it to shuffles, whose least p is 9.5e-07."""
    comparison = shifted(n, mu)
    found = randomization_test(comparison, "mean")
    assert (found.engine, found.method) == ("fourier", "certified")
    if n == 60:
        return
    assert exact(comparison, edition=5).engine == "shuffle"
    closer = randomization_test(comparison, "mean", method="certified", exact_budget=2**27)
    assert closer.certificate.width < found.certificate.width
    assert closer.certificate.log_low <= found.log_pvalue
    assert found.certificate.log_low <= closer.log_pvalue


@pytest.mark.parametrize("n", [100, 20_000])
def test_p_falls_while_the_effect_rises(n):
    logs = [randomization_test(shifted(n, mu), "mean").log_pvalue for mu in np.arange(0, 4, 0.7)]
    assert logs == sorted(logs, reverse=True)
    assert logs[-1] <= -0.9 * n * np.log(2)


@pytest.mark.parametrize("hits", [0, 3, 100, 2**19])
def test_bounds_are_taken_where_they_are_closer_than_an_interval_around_the_shares_of_shuffles(
    hits,
):
    n = 2**20
    p = (hits or 0.01) / n
    relative = 2 * 1.96 * math.sqrt((1 - p) / (p * n))  # of the normal approximation
    for width, taken in ((0.99 * relative, True), (1.01 * relative, False)):
        proof = Certificate(
            low=p / (1 + width), high=p, log_low=math.log(p / (1 + width)), log_high=math.log(p),
            width=width, lattice=False, theta=0, step=0, nodes=0, evaluated=0, factors=0,
        )  # fmt: skip
        assert better_than_shuffles(proof, n) is taken


def test_an_exact_p_value_has_no_note_on_its_bounds(enclosed):
    """A p-value next to 1 is exact where what is missing is not known well."""
    enclosed(0.5, 1.0, -40)
    rng = np.random.default_rng(1)
    comparison = Comparison.from_scores(rng.normal(1, 1, 2000), rng.normal(0, 1, 2000))
    asked = task(comparison, alternative="less")
    question = asked.question(metrics.mean)
    answer = exactly(asked, question)
    assert re.match(r"\d+ factors, within the budget of 67108864$", answer.reason)
    assert result_of(asked, question, answer).method == "exact"


def test_a_lattice_that_was_not_offered_answers_where_bounds_do_not_close(enclosed):
    assert exact(means(20_000, 2**10)).engine == "fourier"
    enclosed(0.25, 0.5, -4, lattice=True)
    found = exact(means(20_000, 2**10))
    assert found.engine == "lattice"
    assert re.match(r"\d+ steps, where proven bounds stay apart by 1e\+02% of p: a", found.reason)


def test_a_lattice_answers_where_a_period_was_to_be_exact_and_is_not(monkeypatch):
    """More peaks than expected; bounds without a period close, but are no exact p."""
    rng = np.random.default_rng(0)
    sizes = rng.integers(1, 10**6, 10)
    differences = rng.choice(sizes, 2000) * rng.choice([-1, 1], 2000)
    comparison = Comparison.from_scores(differences, np.zeros(2000, int))
    old, new = (exact(comparison, edition=edition) for edition in (3, 4))
    assert old.engine == new.engine == "lattice"
    assert new.found == old.found
    assert re.match(r"\d+ steps, where proven bounds stay apart by 0\.0\d+% of p$", new.reason)

    def no_room(*_, **__):
        raise MemoryError

    monkeypatch.setattr("csig.engines.lattice.tail", no_room)
    bounds = exact(comparison)
    assert bounds.engine == "fourier"
    assert 1e-9 < bounds.found.error_bound <= 1e-4
    assert bounds.reason.endswith("within the budget of 67108864")


def test_bounds_answer_where_a_lattice_within_the_budget_does_not_fit():
    """Small integers and a huge one: few updates are expected, of cells that nothing can hold."""
    values = np.append(np.random.default_rng(200).integers(-1000, 1001, 200), 10**12)
    found = exact(Comparison.from_scores(values, np.zeros_like(values)))
    assert found.engine == "fourier"
    assert found.found.error_bound < 1e-9
    assert re.match(r"\d+ factors, where the lattice of an exact test does not", found.reason)
    p = found.found.value * 2.0**found.found.exponent
    assert p == pytest.approx(0.4331584371813486, rel=1e-9)  # by meeting in the middle


def test_a_period_may_take_more_than_was_estimated(monkeypatch):
    """It is all or nothing, and heavy tails or few different sizes have more peaks."""
    asked = []
    wide = fourier.Enclosure(0.25, 0.5, -4, True, 1.0, 1.0, 9, 9, 9, "a test")
    monkeypatch.setattr(fourier.Prepared, "enclose", lambda _, n, **__: asked.append(n) or wide)
    for comparison in (means(2_000, 2**10), reals(2_000)):
        with pytest.raises(Unfit):
            certified.by_itself(task(comparison).question(metrics.mean)).engine.run(1, None)
    assert asked == [2**26, 2**24]


def test_integers_with_an_outlier_have_the_bounds_that_were_estimated():
    rng = np.random.default_rng(4)
    for _ in range(20):
        n = int(rng.integers(300, 1500))
        values = np.rint(rng.normal(0, 10.0 ** rng.integers(0, 5), n)).astype(int)
        values[0] *= int(np.exp(rng.uniform(0, 8)))
        shift = int(rng.uniform(0, 8) * np.sqrt(np.square(values.astype(float)).sum()) / n)
        comparison = Comparison.from_scores(values, np.full(n, shift))
        bounds = certified.by_itself(task(comparison).question(metrics.mean))
        if bounds.engine.cost < 2**23:
            assert bounds.engine.run(1, None).error_bound <= 1e-4


@pytest.mark.parametrize("edition", [3, 4])
@pytest.mark.parametrize("largest", [2, 6, 101])
def test_nobody_asks_what_bounds_take_where_a_lattice_has_few_cells(monkeypatch, largest, edition):
    monkeypatch.setattr("csig.engines.certified.by_itself", lambda *_: pytest.fail("asked"))
    assert exact(means(500, largest), edition=edition).engine == "lattice"


@pytest.mark.parametrize("metric", ["f1", "function"])
def test_more_units_than_a_double_or_a_text_can_count_the_swaps_of(metric):
    """2^16000 steps are beyond a double, and beyond the digits that Python turns into text."""
    a, b = np.random.default_rng(1).integers(1, 10**5, (2, 16_000, 3)).cumsum(axis=2)
    a[:, 2] = b[:, 2] = 10**6
    comparison = Comparison.from_statistics(a, b, columns=("tp", "predicted", "gold"))
    asked = metrics.f1
    if metric == "function":
        asked = Metric("own", ("tp",), function=lambda sums: sums[..., 0] / 1e9)
    options = {"statistic": "studentized", "n_resamples": 64, "rng": 1}
    found = randomization_test(comparison, asked, **options)
    assert re.fullmatch(r"exact would take 10\^4\d{3} steps, budget \d+", found.reason)
    with pytest.raises(InputError, match=r"the exact test would take 10\^4\d{3} steps"):
        randomization_test(comparison, asked, method="exact", **options)
