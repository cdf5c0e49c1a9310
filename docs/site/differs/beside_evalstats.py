"""The same ten scores."""

from importlib.metadata import version

import numpy as np
from evalstats import pairwise_differences

import csig

a = np.array([0.41, 0.52, 0.63, 0.38, 0.71, 0.55, 0.47, 0.68, 0.59, 0.44])
b = np.array([0.39, 0.48, 0.64, 0.30, 0.66, 0.55, 0.41, 0.60, 0.51, 0.45])
print("evalstats", version("evalstats"))
for method in ("auto", "permutation"):
    for seed in (1, 2):
        rng = np.random.default_rng(seed)
        found = pairwise_differences(np.array([a, b]), 0, 1, method=method, rng=rng)
        print(f"evalstats, {method}, seed {seed}: p = {found.p_value:.6f}")
print(f"csig, any seed: p = {csig.randomization_test(a, b).pvalue:.6f}")
