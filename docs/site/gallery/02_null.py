"""The null distribution of a difference

What swapping the systems' responses gives; the dark, hatched tails make p.
"""

import csig

names = "gold", "nearest-centroid", "logistic-regression"
reading = csig.read(*(f"examples/digits/{name}.tsv" for name in names))
axes = csig.randomization_test(reading.comparison(), "f1").plot("null")
