"""scipy, Wilcoxon's test of scores with two decimals."""

from fractions import Fraction
from itertools import product

import scipy

import csig

a = [0.50, 0.56, 0.54, 0.36, 0.32, 0.39, 0.53, 0.82, 0.33, 0.85]
b = [0.46, 0.58, 0.52, 0.33, 0.30, 0.37, 0.49, 0.84, 0.35, 0.83]
print("scipy", scipy.__version__)
print(f"scipy, wilcoxon(a, b): p = {scipy.stats.wilcoxon(a, b).pvalue:.4f}")
hundredths = [round(100 * x) - round(100 * y) for x, y in zip(a, b, strict=True)]
print(
    f"scipy, wilcoxon of the same in hundredths: p = {scipy.stats.wilcoxon(hundredths).pvalue:.4f}"
)
sizes = sorted(map(abs, hundredths))
middle = {own: Fraction(2 * sizes.index(own) + sizes.count(own) + 1, 2) for own in set(sizes)}
signed = [middle[abs(own)] * (1 if own > 0 else -1) for own in hundredths]
sums = [
    sum(own * sign for own, sign in zip(signed, signs, strict=True))
    for signs in product((1, -1), repeat=10)
]
exact = Fraction(sum(abs(own) >= abs(sum(signed)) for own in sums), len(sums))
print(f"exact: p = {exact} = {float(exact):.4f}")
test = csig.classical.wilcoxon_test(csig.Comparison.from_scores(a, b), "mean")
print(f"csig: p = {test.pvalue:.4f}")
