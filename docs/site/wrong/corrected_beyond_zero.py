"""statsmodels, McNemar's corrected test of systems that are alike."""

import warnings
from fractions import Fraction
from math import comb

import statsmodels
from statsmodels.stats.contingency_tables import mcnemar

import csig

warnings.simplefilter("ignore")  # it divides by zero
print("statsmodels", statsmodels.__version__)
for alone in (0, 10):  # right in one system only, as many in the other
    peer = mcnemar([[30, alone], [alone, 5]], exact=False).pvalue
    both = 2 * Fraction(sum(comb(2 * alone, i) for i in range(alone + 1)), 4**alone)
    a = [1] * 30 + [1] * alone + [0] * alone + [0] * 5
    b = [1] * 30 + [0] * alone + [1] * alone + [0] * 5
    comparison = csig.Comparison.from_scores(a, b)
    csigs = csig.classical.mcnemar_test(comparison, method="asymptotic", continuity=True).pvalue
    print(f"{alone} and {alone}: statsmodels p = {peer:.2f}", end=", ")
    print(f"exact p = {min(both, 1)}, csig p = {csigs:.2f}")
