"""autorank, two learners on ten data sets."""

import contextlib
import io
import warnings
from fractions import Fraction
from importlib.metadata import version
from itertools import product

import pandas
from autorank import autorank

import csig

old = [0.988, 0.981, 0.990, 0.979, 0.972, 0.985, 0.969, 0.974, 0.611, 0.978]
thousandths = [6, -1, -2, 8, 11, -3, 13, 17, 22, -4]
new = [round(a + d / 1000, 3) for a, d in zip(old, thousandths, strict=True)]

warnings.simplefilter("ignore")
with contextlib.redirect_stdout(io.StringIO()) as said:
    found = autorank(pandas.DataFrame({"old": old, "new": new}), alpha=0.05, verbose=True)
print("autorank", version("autorank"))
lines = said.getvalue().splitlines()
print(*(line for line in lines if "Wilcoxon" in line or "distributions" in line), sep="\n")
ranks = sorted(map(abs, thousandths))
signed = [(ranks.index(abs(d)) + 1) * (1 if d > 0 else -1) for d in thousandths]
sums = [sum(map(int.__mul__, signs, signed)) for signs in product((1, -1), repeat=10)]
exact = Fraction(sum(abs(own) >= abs(sum(signed)) for own in sums), len(sums))
print(f"exact, two-sided: p = {exact} = {float(exact):.4f}")
test = csig.classical.wilcoxon_test(csig.Comparison.from_scores(new, old), "mean")
print(f"csig: p = {test.pvalue:.4f}")
