"""Cochran's Q beside all permutations, McNemar's test, statsmodels, mlxtend and papers."""

import csv
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import csig
from csig import Comparison, InputError


def of(rows, **options):
    """Of one row per item."""
    columns = list(zip(*rows, strict=True))
    return csig.cochran_q_test({f"s{j}": own for j, own in enumerate(columns)}, **options)


def q_of(rows):
    """As Cochran has it, in fractions."""
    k, whole = len(rows[0]), sum(map(sum, rows))
    below = k * whole - sum(sum(row) ** 2 for row in rows)
    squares = sum(sum(own) ** 2 for own in zip(*rows, strict=True))
    return Fraction((k - 1) * (k * squares - whole**2), below) if below else Fraction(0)


def by_all_permutations(rows):
    """The share of all permutations within items with a Q as large."""
    choices = [sorted(set(itertools.permutations(row))) for row in rows]
    found = [q_of(own) for own in itertools.product(*choices)]
    return Fraction(sum(q >= q_of(rows) for q in found), len(found))


@given(
    st.integers(2, 4).flatmap(
        lambda k: st.lists(st.tuples(*[st.integers(0, 1)] * k), min_size=1, max_size=5)
    )
)
@examples(150)
def test_exact_against_all_permutations(rows):
    found = of(rows)
    assert found.statistic == pytest.approx(float(q_of(rows)), rel=1e-14)
    assert found.exact_pvalue == found.pvalue == pytest.approx(float(by_all_permutations(rows)))
    assert (found.method, found.degrees_of_freedom, found.n_units) == (
        "exact",
        len(rows[0]) - 1,
        len(rows),
    )
    assert found.n_informative == sum(0 < sum(row) < len(row) for row in rows)
    assert found.right == tuple(map(sum, zip(*rows, strict=True)))


@given(st.lists(st.tuples(*[st.integers(0, 1)] * 2), min_size=1, max_size=60))
def test_with_two_systems_it_is_mcnemars_test(rows):
    found = of(rows)
    c = Comparison.from_scores(*zip(*rows, strict=True))
    assert found.pvalue == pytest.approx(csig.mcnemar_test(c).pvalue, rel=1e-12)
    plain = csig.mcnemar_test(c, method="asymptotic")
    assert found.statistic == pytest.approx(plain.statistic)
    assert found.asymptotic_pvalue == pytest.approx(plain.pvalue, rel=1e-9)


@pytest.mark.parametrize(("k", "n"), [(3, 60), (4, 25), (5, 12), (6, 9)])
def test_more_systems_against_random_permutations(k, n):
    """Within 5 standard errors of 20,000 permutations of numpy's."""
    rng = np.random.default_rng(k)
    rows = (rng.random((n, k)) < np.linspace(0.35, 0.65, k)).astype(int)
    found = of(rows.tolist())
    assert found.method == "exact"
    shuffled = rng.permuted(np.broadcast_to(rows, (20_000, n, k)), axis=2).sum(axis=1)
    observed = (rows.sum(axis=0) ** 2).sum()
    share = ((shuffled**2).sum(axis=1) >= observed).mean()
    assert abs(share - found.pvalue) < 5 * math.sqrt(max(share * (1 - share), 1e-4) / 20_000)


#: Rows of three systems, or four; Q and p by statsmodels.stats.contingency_tables.cochrans_q,
#: printed by tests/reference/statsmodels_cochran.py.
JUDGED = [
    (1, 12, 3, 0.2, 0.9048374180359595),
    (2, 40, 3, 3.769230769230769, 0.15188746645291878),
    (3, 25, 4, 1.4210526315789473, 0.70060738237263),
    (4, 300, 6, 7.059991177767976, 0.2162167878287749),
    (5, 9, 5, 2.72, 0.6057194336103917),
    (6, 2000, 10, 7.530350584307179, 0.5820771127919416),
]


@pytest.mark.parametrize(("seed", "n", "k", "q", "p"), JUDGED)
def test_statsmodels_has_the_same(seed, n, k, q, p):
    rows = np.random.default_rng(seed).integers(0, 2, (n, k)).tolist()
    found = of(rows, method="asymptotic")
    assert (found.statistic, found.pvalue) == pytest.approx((q, p), rel=1e-11)
    assert found.exact_pvalue is None


def test_the_example_of_mlxtend(shared_data):
    """mlxtend, test_cochran_q.py: Q = 7.529, p = 0.023; 7.5294117647 and 0.0231744272."""
    path = shared_data("mlxtend_cochran_q") / "predictions.csv"
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    right = {
        name: [int(row[name] == row["y_true"]) for row in rows] for name in ("clf1", "clf2", "clf3")
    }
    found = csig.cochran_q_test(right)
    assert found.right == (84, 92, 92)
    assert found.statistic == pytest.approx(7.5294117647, abs=5e-11)
    assert found.asymptotic_pvalue == pytest.approx(0.0231744272, abs=5e-11)
    assert (found.method, found.n_informative) == ("exact", 17)
    assert found.pvalue == pytest.approx(0.02418781212162478, rel=1e-12)  # in integers


def test_many_items_are_asymptotic_unless_asked_for():
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 2, (2000, 3))
    found = of(rows.tolist())
    assert (found.method, found.exact_pvalue) == ("asymptotic", None)
    assert found.pvalue == found.asymptotic_pvalue
    assert found.pvalue == pytest.approx(stats.chi2.sf(found.statistic, 2), rel=1e-10)
    assert found.assumes.endswith("enough informative items for chi-square.")
    with pytest.raises(InputError, match="3 systems and 1,494 informative items is too large"):
        of(rows.tolist(), method="exact")


def test_chi_square_of_few_items_is_said_to_be_rough():
    few = of([(1, 0, 0, 1, 0, 1)] * 3, method="asymptotic")
    assert few.assumes.endswith("here are 3, so the p-value is rough.")
    assert of([(1, 0)] * 11, method="asymptotic").assumes.endswith("rough.")
    assert of([(1, 0)] * 12, method="asymptotic").assumes.endswith("items for chi-square.")
    many = csig.cochran_q_test({f"s{j}": [j % 2, 1 - j % 2, j % 3 == 0] for j in range(1000)})
    assert many.method == "asymptotic"
    assert "rough" in many.assumes


def test_the_exact_test_is_near_chi_square_for_many_items():
    rng = np.random.default_rng(4)
    rows = (rng.random((150, 3)) < (0.5, 0.55, 0.62)).astype(int)
    found = of(rows.tolist())
    assert found.method == "exact"
    assert found.exact_pvalue == pytest.approx(found.asymptotic_pvalue, rel=0.1)


def test_nothing_differs():
    for rows in ([(1, 1, 1), (0, 0, 0)], [(0, 0)], [(1, 1, 1, 1)]):
        for method in ("auto", "exact", "asymptotic"):
            found = of(rows, method=method)
            assert (found.statistic, found.pvalue, found.n_informative) == (0.0, 1.0, 0)


@pytest.mark.parametrize(("k", "n"), [(3, 300), (4, 60), (6, 12)])
def test_the_most_extreme_outcome(k, n):
    """One system right on all items and no other on any: k of k^n outcomes."""
    found = of([(1, *[0] * (k - 1))] * n)
    assert found.pvalue == pytest.approx(k * float(k) ** -n, rel=1e-12)
    assert found.statistic == pytest.approx(n * (k - 1))


def test_ids_booleans_and_order():
    rows = [(1, 0, 0), (1, 1, 0), (0, 1, 0), (1, 1, 0)]
    plain = of(rows)
    columns = {f"s{j}": own for j, own in enumerate(zip(*rows, strict=True))}
    by_id = {
        name: {f"item {i}": bool(x) for i, x in reversed(list(enumerate(own)))}
        for name, own in columns.items()
    }
    assert csig.cochran_q_test(by_id).pvalue == plain.pvalue
    assert of(rows[::-1]).pvalue == of([row[::-1] for row in rows]).pvalue == plain.pvalue
    turned = of([tuple(1 - x for x in row) for row in rows])
    assert turned.pvalue == pytest.approx(plain.pvalue, rel=1e-12)
    assert turned.statistic == pytest.approx(plain.statistic)


@pytest.mark.parametrize(
    ("systems", "options", "message"),
    [
        ({"a": [1, 0], "b": [1, 2]}, {}, r"b\[1\]: Cochran's test takes 1 or 0, .* found 2"),
        ({"a": [1, 0], "b": [1, 0.5]}, {}, r"b\[1\]: .* found 0.5"),
        ({"a": {"x": 3}, "b": {"x": 1}}, {}, "a, item 'x': Cochran's test takes 1 or 0"),
        ({"a": [1, 0], "b": [1]}, {}, "b has 1 item, a has 2"),
        ({"a": [1, 0], "b": [1, math.nan]}, {}, "b.*nan"),
        ({"a": [1, 0]}, {}, "found 1 system, expected two or more"),
        ([[1, 0], [0, 1]], {}, "systems must be a mapping"),
        ({"a": [], "b": []}, {}, "found no units"),
        ({"a": [1, 0], "b": [1, 0]}, {"method": "exac"}, "method must be one of .*exact"),
    ],
)
def test_what_is_refused(systems, options, message):
    with pytest.raises(InputError, match=message):
        csig.cochran_q_test(systems, **options)
