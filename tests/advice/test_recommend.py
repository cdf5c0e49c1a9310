"""What the data are, what is recommended on them, and p-values of all tests."""

import math
import re
from types import SimpleNamespace

import numpy as np
import pytest
from advised import CASES, binary, clustered, paper, real, skewed, three_documents
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import csig
from csig.advice.advising import Recommendation, all_tests_of
from csig.advice.base import SOURCES, VERDICTS, Drawing, publications, refusal
from csig.advice.pairs import facts_of
from csig.classical.paired import differences_of

# ---- what the data are ---------------------------------------------------------------------------


def labels() -> csig.Comparison:
    return csig.Comparison.from_labels(list("xyxy"), list("xxxy"), list("yyxy"))


def flat() -> csig.Comparison:
    return csig.Comparison.from_scores([1, 1], [0, 0])


def one_item_a_cluster() -> csig.Comparison:
    return csig.Comparison.from_scores([1, 0], [0, 0], cluster=["x", "y"])


def many_labels() -> csig.Comparison:
    rng = np.random.default_rng(1)
    return csig.Comparison.from_labels(*(rng.integers(0, 3, 300).astype(str) for _ in range(3)))


OWN = csig.Metric("f1", ("tp", "predicted"), numerator=(1, 0), denominator=(0, 1))


@pytest.mark.parametrize(("make", "metric", "expected"), [
    (paper, "recall", {"kind": "sum", "engine": "staircase"}),
    (paper, "precision", {"kind": "ratio", "item_metric": "recall", "n_items": 103}),
    (paper, "f1", {"kind": "ratio", "engine": "enumeration", "named": '"f1"'}),
    (paper, csig.metrics.f1, {"named": '"f1"'}),
    (paper, OWN, {"named": "metric"}),
    (labels, "accuracy", {"kind": "sum"}),
    (labels, "mcc", {"kind": "function"}),
    (labels, "macro_f1", {"named": '"macro_f1"'}),
    (many_labels, "kappa", {"engine": None}),
    (three_documents, "f1", {"unit": "document", "n_units": 3, "n_differ": 3,
                             "finer": ("response",)}),
    (clustered, "mean", {"unit": "story", "n_units": 20, "finer": ("unit",), "binary": "unit"}),
    (lambda: clustered().at("unit"), "mean", {"asked": "unit", "unit": "story"}),
    (one_item_a_cluster, "mean", {"finer": ()}),
    (lambda: binary(100, (14, 6)), "mean", {"binary": "unit", "discordant": (14, 6)}),
    (real, None, {"binary": None}),
    (paper, None, {"named": '"f1"'}),
    (labels, None, {"named": '"accuracy"'}),
    (flat, None, {"r12": None, "cost": None}),
    (paper, "precision", {"r12": csig.classical.correlation(paper()),
                          "cost": csig.classical.independence_cost(paper())}),
])  # fmt: skip
def test_facts_of_the_data(make, metric, expected) -> None:
    found = facts_of(make(), metric)
    assert {name: getattr(found, name) for name in expected} == expected


def test_skewness_against_scipy() -> None:
    rng = np.random.default_rng(2)
    for make in (lambda: rng.normal(size=31), lambda: rng.exponential(size=50).round(1),
                 lambda: rng.integers(0, 2, 40), lambda: 9 * rng.normal(60, size=20)):  # fmt: skip
        a, b = make(), make() / 9
        own = differences_of(csig.Comparison.from_scores(a, b), None)
        expected = stats.skew(np.asarray(a, float) - b)
        assert own.skewness == pytest.approx(expected, rel=1e-6, abs=1e-9)
    for nothing in (binary(10, (0, 0)), csig.Comparison.from_scores([2, 3], [1, 2])):
        assert differences_of(nothing, None).skewness is None
    assert differences_of(skewed(), None).skewness == pytest.approx(6.1, abs=0.1)


# ---- verdicts, their order, sources --------------------------------------------------------------


def test_what_cannot_be_run_is_told_by_trying() -> None:
    def refuses() -> None:
        raise csig.InputError("two are needed")

    assert refusal(refuses) == "two are needed"
    assert refusal(lambda: SimpleNamespace(pvalue=0.5, statistic=1.0)) is None
    for p, t in ((math.nan, 0.0), (0.0, math.inf)):
        why = refusal(lambda p=p, t=t: SimpleNamespace(pvalue=p, statistic=t))
        assert why == "nothing varies: each system has the same result on all items"


def test_what_stands_beside_another_draws_less_of_many_units() -> None:
    drawing = Drawing(1)
    assert drawing.beside(10) == drawing.n_resamples == 2**20
    assert drawing.beside(10**6) == 2**16
    assert drawing.resampled(100) == drawing.bootstrap_resamples == 100_000
    assert (drawing.resampled(10**5), drawing.resampled(10**7)) == (2**29 // 10**5, 999)
    few = Drawing(1, n_resamples=9, bootstrap_resamples=7)
    assert (few.beside(10**6), few.resampled(10**6)) == (9, 7)


def test_every_reference_is_a_publication_or_a_page() -> None:
    """No test refers to what is not on the list, and nothing on the list is without a test."""
    rng = np.random.default_rng(1)
    found = [csig.recommend(make(), metric) for make, metric in CASES.values()]
    found.append(csig.recommend({name: rng.random(9) for name in "abc"}))
    found.append(csig.recommend({"a": [1, 0, 1], "b": [0, 0, 1], "c": [1, 1, 1]}))
    for folds in (None, 2):
        scores = {"a": rng.random(10), "b": rng.random(10)}
        found.append(csig.recommend(scores, rows="folds", folds=folds))
    for k in (2, 4):
        table = {f"s{i}": rng.random(12) for i in range(k)}
        found.append(csig.recommend(table, rows="datasets"))
    references = {own.source for one in found for own in one.tests}
    named = {part.strip() for own in references for part in own.split(";")}
    assert {own for own in named if not publications([own])} == {"docs/bootstrap.md"}
    assert {own.verdict for one in found for own in one.tests} == set(VERDICTS)
    used = set(publications(references))
    assert [key for key, text in SOURCES.items() if text not in used] == []
    for key, text in SOURCES.items():  # author and year
        assert f"({key[-4:]})" in text
        assert text.startswith(key.split()[0])
    said = publications(["Yeh 2000, section 2.1; Noreen 1989", "docs/bootstrap.md"])
    assert [text.partition(" (")[0] for text in said] == ["Noreen, E.", "Yeh, A."]
    assert publications(["Smith 1900"]) == []


# ---- what is recommended, whatever the data ------------------------------------------------------

FEW = {"n_resamples": 499, "bootstrap_resamples": 199, "rng": 1}


def check(comparison: csig.Comparison, metric: str) -> Recommendation:
    """The recommended test runs and gives a p, and what is said does not depend on running."""
    said = csig.recommend(comparison, metric)
    found = csig.advice.all_tests(comparison, metric, **FEW)
    assert 0 <= found.test.pvalue <= 1
    limited = any(f"{metric.capitalize()} rests on few" in text for text in said.doubts)
    limited |= "Cochran's rule" in said.test.reason
    assert limited or not any("are skewed" in text for text in said.doubts)
    assert found.test.verdict == ("approximate" if limited else "sound")
    assert found.test.unit == comparison.levels[-1]
    order = [VERDICTS.index(own.verdict) for own in said.tests[1:]]
    assert order == sorted(order)
    for before, own in zip(said.tests, found.tests, strict=True):
        assert (before.test, before.verdict, before.reason) == (own.test, own.verdict, own.reason)
        assert before.pvalue is None
        if own.verdict == "does not apply" or own.test.startswith("interval"):
            assert own.pvalue is None
        else:
            assert 0 <= own.pvalue <= 1
            assert math.isfinite(own.statistic)
    return found


@pytest.mark.parametrize("name", CASES)
def test_the_recommended_test_runs(name: str) -> None:
    make, metric = CASES[name]
    found = check(make(), metric)
    alone = csig.randomization_test(
        make().at(make().levels[-1]), metric, rng=1, n_resamples=499, statistic="auto"
    )
    assert found.test.pvalue == alone.pvalue


scores = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=9)


@settings(max_examples=several(10, 25), deadline=None)
@given(scores, st.booleans(), st.booleans())
def test_whatever_the_scores(rows: list[tuple[int, int]], binary: bool, clusters: bool) -> None:
    a, b = ([min(row[i], 1) if binary else row[i] for row in rows] for i in (0, 1))
    labels = [i // 2 for i in range(len(rows))] if clusters else None
    check(csig.Comparison.from_scores(a, b, cluster=labels), "mean")


counts = st.integers(0, 6)


@settings(max_examples=several(10, 25), deadline=None)
@given(counts, counts, counts, counts, counts, st.sampled_from(["recall", "precision", "f1"]))
def test_whatever_the_counts(
    both: int, only_a: int, only_b: int, wrong_a: int, wrong_b: int, metric: str
) -> None:
    comparison = csig.Comparison.from_counts(
        gold=20, both_correct=both, only_a_correct=only_a, only_b_correct=only_b,
        only_a_spurious=wrong_a, only_b_spurious=wrong_b,
    )  # fmt: skip
    check(comparison, metric)


def test_doubts_and_facts() -> None:
    few = csig.recommend(three_documents(), "f1")
    assert "no p-value can be below 0.25" in few.doubts[0]
    assert few.least_pvalue == 0.25
    of_paper = csig.recommend(paper(), "f1")
    assert "Single responses are swapped" in " ".join(of_paper.facts)
    assert "r12 = 0.35" in " ".join(of_paper.facts)
    make, metric = CASES["runs"]
    assert any("2 runs of each system" in own for own in csig.recommend(make(), metric).facts)
    plain = csig.recommend(real())
    assert plain.doubts == ()
    assert "Nothing larger than items is known." in plain.facts
    facts = " ".join(csig.recommend(clustered(), "mean").facts)
    assert "Stories are the largest unit that is known; items within them" in facts


@pytest.mark.parametrize("data", ["few", "whole", "reals", "ratio"])
def test_how_p_is_found_is_what_the_run_says(data: str) -> None:
    rng = np.random.default_rng(3)
    counts = rng.integers(1, 5, (2, 90, 3))
    counts[1, :, 2] = counts[0, :, 2]  # one gold
    counts[..., 0] = counts.min(axis=2)
    comparison = {
        "few": lambda: csig.Comparison.from_scores(*rng.normal(size=(2, 12))),
        "whole": lambda: csig.Comparison.from_scores(*rng.integers(0, 9, (2, 400))),
        "reals": lambda: csig.Comparison.from_scores(*rng.normal(size=(2, 300))),
        "ratio": lambda: csig.Comparison.from_statistics(
            *counts, columns=("tp", "predicted", "gold")
        ),
    }[data]()
    metric = "precision" if data == "ratio" else "mean"
    method = csig.randomization_test(comparison, metric, statistic="auto", n_resamples=99).method
    test = csig.recommend(comparison, metric).test
    assert test.test == "randomization test"
    said = re.search("p is exact( or lies between two proven bounds)?|by shuffles", test.reason)
    assert said is not None
    assert {"exact": "p is exact", "approximate": "by shuffles"}.get(method, said[0]) == said[0]
    assert (method == "certified") == (said[1] is not None)


def test_looking_up_a_test() -> None:
    found = csig.recommend(paper(), "recall")
    assert found["sign test"].verdict == "sound"
    with pytest.raises(csig.InputError, match=r"did you mean 'sign test'"):
        found["sing test"]
    assert repr(found) == ("<Recommendation recall: randomization test; 8 of 25 tests unsound>")
    assert {own.test for own in found.unsound} == {
        "bootstrap test, Berg-Kirkpatrick", "bootstrap test, Koehn", "independent t test",
        "Welch's t test", "independent proportions, pooled", "independent proportions, unpooled",
        "chi-square test (two-sided)", "chi-square with Yates (two-sided)",
    }  # fmt: skip


# ---- every test that draws has the p-value of its own function with the same seed ----------------

B = {"n_resamples": 999, "rng": 5}


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_pvalues_of_all_functions(alternative: str) -> None:
    c, one = binary(100, (14, 6)), {"alternative": alternative}
    found = csig.advice.all_tests(c, "mean", bootstrap_resamples=999, **one, **B)
    bootstrap, classical = csig.intervals.bootstrap_test, csig.classical
    expected = {
        "randomization test": csig.randomization_test(c, "mean", **one),
        "randomization test, shuffles": csig.randomization_test(
            c, "mean", method="approximate", **one, **B
        ),
        "bootstrap test, shift": bootstrap(c, "mean", **one, **B),
        "bootstrap test, Berg-Kirkpatrick": bootstrap(
            c, "mean", method="berg-kirkpatrick", **one, **B
        ),
        "bootstrap test, Koehn": bootstrap(c, "mean", method="koehn", **one, **B),
        "sign test": classical.sign_test(c, **one),
        "Wilcoxon test": classical.wilcoxon_test(c, **one),
        "paired t test": classical.paired_t_test(c, **one),
        "McNemar, exact": classical.mcnemar_test(c, **one),
        "McNemar, mid-p": classical.mcnemar_test(c, method="mid-p", **one),
        "McNemar, chi-square": classical.mcnemar_test(c, method="asymptotic", **one),
        "independent t test": classical.independent_t_test(c, **one),
        "Welch's t test": classical.independent_t_test(c, equal_variances=False, **one),
    }
    for name, own in expected.items():
        assert (found[name].pvalue, found[name].statistic) == (own.pvalue, own.statistic), name
    others = {own.test for own in found.tests if own.pvalue is not None} - set(expected)
    assert all("independent" in own or "Welch" in own for own in others)


def test_seeds_and_threads() -> None:
    many = {"n_resamples": 2**16 + 9, "bootstrap_resamples": 2**14}
    told: list[tuple[int, int]] = []
    one = csig.advice.all_tests(real(), rng=3, threads=1, **many)
    two = all_tests_of(
        real(), "mean", rng=3, bit_generator=None, threads=2, **many,
        notify=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert one.tests == two.tests
    assert told
    assert one.seed.entropy == 3
    few = {"n_resamples": 99, "bootstrap_resamples": 99}
    fresh = csig.advice.all_tests(real(), **few)
    seed = np.random.SeedSequence(fresh.seed.entropy)
    assert fresh.tests == csig.advice.all_tests(real(), rng=seed, **few).tests
    for options in ({"n_resamples": 0}, {"alternative": "bigger"}):
        with pytest.raises(csig.InputError, match=next(iter(options))):
            csig.advice.all_tests(real(), **options)  # type: ignore[arg-type]
