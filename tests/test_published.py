"""Printed numbers of tests on right and wrong answers, each with the place where it is printed.

They are read from worked_examples.json, and skipped without it. Others of that file are tested
where their functions are: Wilcoxon's and the depression scores in test_paired.py, the
bootstrap's in test_bootstrap.py and probability/test_probability.py.
"""

import json
import math
from fractions import Fraction

import numpy as np
import pytest

import csig
from csig import Comparison


@pytest.fixture(scope="module")
def known(shared_data):
    path = shared_data("worked_examples") / "worked_examples.json"
    return json.loads(path.read_text(encoding="utf-8"))


def digits(value):
    """Half a unit of the last digit that is printed."""
    mantissa, _, exponent = repr(value).partition("e")
    places = len(mantissa.partition(".")[2]) - int(exponent or 0)
    return 0.5000001 * 10.0**-places


def as_printed(value, printed):
    assert value == pytest.approx(printed, rel=0, abs=digits(printed))


def test_mcnemar(known):
    """Agresti (2002), p. 409; StatXact 6, p. 306; R's mcnemar.test in statsmodels' tests."""
    cases = known["mcnemar"]["cases"]
    assert len(cases) == 6
    for case in cases:
        b, c = case["b"], case["c"]
        own = Comparison.from_counts(gold=b + c, only_a_correct=b, only_b_correct=c)
        as_printed(csig.classical.mcnemar_test(own).pvalue, case["exact_p"])
        plain = csig.classical.mcnemar_test(own, method="asymptotic")
        corrected = csig.classical.mcnemar_test(own, method="asymptotic", continuity=True)
        values = {
            "chi2_no_correction": plain.statistic, "chi2_uncorrected": plain.statistic,
            "p": plain.pvalue, "p_uncorrected": plain.pvalue, "p_corrected": corrected.pvalue,
            "chi2_corrected": corrected.statistic, "sqrt_chi2": math.sqrt(plain.statistic),
        }  # fmt: skip
        for name in values.keys() & case.keys():
            as_printed(values[name], case[name])


def patterns(text):
    """(1,0,1)x4 (0,0,0)x2 as rows."""
    rows = []
    for part in text.split():
        pattern, _, times = part.partition("x")
        rows += [[int(digit) for digit in pattern if digit.isdigit()]] * int(times or 1)
    return rows


def test_cochran(known):
    """Cochran (1950), p. 260, as in R's coin; Conover (1999), p. 253, as in statsmodels' tests."""
    first, second = known["cochran_q"]["cases"]
    rows = patterns(first["source"].partition("patterns ")[2])
    assert len(rows) == 69
    others = patterns(second["source"].partition("rows ")[2])
    assert len(others) == 12
    for case, own in ((first, rows), (second, others)):
        columns = np.array(own).T.tolist()
        systems = {f"s{j}": column for j, column in enumerate(columns)}
        found = csig.classical.cochran_q_test(systems, method="asymptotic")
        as_printed(found.statistic, case["Q"])
        as_printed(found.pvalue, case["p"])
        assert found.degrees_of_freedom == case.get("df", len(columns) - 1)
        exact = csig.classical.cochran_q_test(systems, method="exact").pvalue
        assert found.pvalue / 2 < exact < 2 * found.pvalue


def test_darwins_maize(known):
    """Fisher (1935), section 21: 863 of 32768 on one side; ties with the observed sum count."""
    own = known["fisher_darwin_zea_mays"]
    d = own["inputs"]["diff_eighths_of_inch"]
    c = Comparison.from_scores(d, [0] * 15)
    assert sum(d) == own["printed"]["sum"]
    one = csig.randomization_test(c, "mean", alternative="greater", method="exact")
    assert one.pvalue * 2**15 == own["printed"]["one_sided_count"]
    both = csig.randomization_test(c, "mean", method="exact")
    assert Fraction(both.pvalue) == Fraction(own["printed"]["two_sided"])
    strict = own["computed_here"]["strictly_greater_counts"]
    assert one.null.midp("greater") * 2**15 == (863 + strict["one_sided"]) / 2
    ranked = csig.classical.wilcoxon_test(c)
    assert not ranked.ties
    assert ranked.pvalue == own["computed_here"]["wilcoxon_exact_ignoring_ties_p"]
    assert csig.classical.paired_t_test(c).pvalue == pytest.approx(
        own["computed_here"]["paired_t_p"]
    )


def test_friedman_of_two_samples_is_mcnemar_of_their_signs(known):
    """R's coin on the depression scores: 2.7778 = (7 - 2)^2 / 9."""
    own = known["hamilton_depression"]
    x, y = (np.array(own["inputs"][name]) for name in "xy")
    signs = {"x": (x > y).astype(int), "y": (y > x).astype(int)}
    c = Comparison.from_scores(signs["x"], signs["y"])
    for found in (
        csig.classical.cochran_q_test(signs, method="asymptotic"),
        csig.classical.mcnemar_test(c, method="asymptotic"),
    ):
        as_printed(found.statistic, own["printed"]["friedman_chi2_2_samples"])
