"""The same ten scores."""

from importlib.metadata import version

import numpy as np
from ranx.statistical_tests import fisher_randomization_test, paired_student_t_test

import csig

a = np.array([0.41, 0.52, 0.63, 0.38, 0.71, 0.55, 0.47, 0.68, 0.59, 0.44])
b = np.array([0.39, 0.48, 0.64, 0.30, 0.66, 0.55, 0.41, 0.60, 0.51, 0.45])
print("ranx", version("ranx"))
p, _ = fisher_randomization_test(a, b, n_permutations=1_000_000)
print(f"ranx, fisher, a million permutations: p = {p:.2f}")
print(f"ranx, student:                        p = {paired_student_t_test(a, b)[0]:.6f}")
pair = csig.Comparison.from_scores(a, b)
print(f"csig, paired_t_test:                  p = {csig.classical.paired_t_test(pair).pvalue:.6f}")
print(f"csig, randomization_test:             p = {csig.randomization_test(a, b).pvalue:.6f}")
