"""ranx, Fisher's randomization test over 24 topics (average precision in thousandths)."""

from collections import Counter
from fractions import Fraction
from importlib.metadata import version

import numpy as np
from ranx.statistical_tests import fisher_randomization_test

import csig

pircs = [169, 132, 433, 51, 100, 12, 142, 267, 129, 371, 60, 94, 71, 16, 345, 234, 171, 372, 76,
         353, 157, 279, 21, 216]  # fmt: skip
rutcor = [82, 14, 70, 16, 40, 6, 10, 5, 3, 33, 0, 0, 0, 17, 4, 6, 2, 58, 0, 25, 0, 5, 37, 32]
uic = [199, 369, 217, 41, 234, 265, 505, 155, 33, 455, 77, 116, 25, 47, 115, 271, 219, 254, 48,
       235, 23, 99, 69, 341]  # fmt: skip
print("ranx", version("ranx"))
a, b, c = (np.array(own) / 1000 for own in (pircs, rutcor, uic))
p, significant = fisher_randomization_test(a, b, n_permutations=1000, random_seed=42)
print(f"ranx, 1,000 permutations: p = {p}")
ways = Counter({0: 1})  # how many swaps give this sum of differences
for a_score, b_score in zip(pircs, rutcor, strict=True):
    swapped = Counter()
    for total, count in ways.items():
        swapped[total + a_score - b_score] += count
        swapped[total - a_score + b_score] += count
    ways = swapped
observed = abs(sum(pircs) - sum(rutcor))
exact = Fraction(sum(n for own, n in ways.items() if abs(own) >= observed), 2 ** len(pircs))
print(f"exact: p = {exact} = {float(exact):.2g}")
print(f"csig: p = {csig.randomization_test(a, b).pvalue:.2g}")
repeated = {fisher_randomization_test(a, c, random_seed=42)[0] for _ in range(10)}
print("ten calls with the same seed give the same p:", len(repeated) == 1)
