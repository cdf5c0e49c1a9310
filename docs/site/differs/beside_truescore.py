"""The same ten scores; then two learners on 3,136 items of nine data sets, which are clusters."""

import csv
from importlib.metadata import version
from pathlib import Path

from truescore.compare import mcnemar, paired_bootstrap, paired_permutation

import csig

a = [0.41, 0.52, 0.63, 0.38, 0.71, 0.55, 0.47, 0.68, 0.59, 0.44]
b = [0.39, 0.48, 0.64, 0.30, 0.66, 0.55, 0.41, 0.60, 0.51, 0.45]
print("truescore", version("truescore"))
print(f"truescore, paired_permutation:   p = {paired_permutation(a, b).p_value:.6f}")
print(f"csig, randomization_test:        p = {csig.randomization_test(a, b).pvalue:.6f}")

path = Path("examples/datasets/correct.csv")
with path.open(encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
a, b = ([int(row[name]) for row in rows] for name in ("logistic", "tree"))
clusters = [row["dataset"] for row in rows]
items = csig.Comparison.from_scores(a, b)
datasets = csig.read(path, systems=["logistic", "tree"], cluster="dataset").comparison()
print(f"truescore, mcnemar (mid-p):      p = {mcnemar(a, b).p_value:.4g}")
csigs = csig.classical.mcnemar_test(items, method="mid-p").pvalue
print(f"csig, mcnemar_test (mid-p):      p = {csigs:.4g}")
peer = paired_bootstrap(a, b, clusters=clusters)
print(f"truescore, clusters resampled:   p = {peer.p_value:.4g}")
csigs = csig.randomization_test(datasets, "accuracy").pvalue
print(f"csig, clusters swapped, exactly: p = {csigs:.4g}")
