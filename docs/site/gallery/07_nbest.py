"""Precision of the n best candidates

Two ranking methods over the same 600 candidates.
"""

import numpy as np

import csig

rng = np.random.default_rng(1)
true = rng.random(600) < 0.3
table = {"true": true, "MI": true + rng.normal(0, 0.5, 600), "freq": true + rng.normal(0, 1.5, 600)}
axes = csig.rankings.nbest_precision(table, ["MI", "freq"], true="true").plot()
