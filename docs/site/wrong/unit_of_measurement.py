"""mlxtend, ten times in nanoseconds and the same ten in seconds."""

from fractions import Fraction
from importlib.metadata import version
from itertools import product

import numpy as np
from mlxtend.evaluate import permutation_test

import csig

old = [51, 72, 63, 84, 95, 71, 66, 82, 77, 91]
new = [50, 70, 62, 83, 93, 70, 63, 81, 76, 89]
print("mlxtend", version("mlxtend"))
for unit, size in ("nanoseconds", 1), ("seconds", 1e-9):
    p = permutation_test(size * np.array(old), size * np.array(new), method="exact", paired=True)
    print(f"mlxtend, in {unit}: p = {p:.4f}")
differences = [a - b for a, b in zip(old, new, strict=True)]
sums = [sum(map(int.__mul__, signs, differences)) for signs in product((1, -1), repeat=10)]
exact = Fraction(sum(abs(own) >= abs(sum(differences)) for own in sums), len(sums))
print(f"exact: p = {exact} = {float(exact):.4f}")
seconds = [[size * own for own in times] for times in (old, new)]
print(f"csig, in seconds: p = {csig.randomization_test(*seconds).pvalue:.4f}")
