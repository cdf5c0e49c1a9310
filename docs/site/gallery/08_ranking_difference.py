"""Where one ranking method is better

The difference of their precision over n.
"""

import numpy as np

import csig

rng = np.random.default_rng(1)
true = rng.random(600) < 0.3
table = {"true": true, "MI": true + rng.normal(0, 0.5, 600), "freq": true + rng.normal(0, 1.5, 600)}
found = csig.rank_methods(table, ["MI", "freq"], range(10, 301, 10), true="true", rng=1)
axes = found.plot("ranking_difference")
