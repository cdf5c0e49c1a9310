"""Differences with their intervals

A filled square is significant, an open circle is not: logistic regression finds more of the 8s, and
no difference in precision shows.
"""

import csig

names = "gold", "nearest-centroid", "logistic-regression"
found = csig.compare(*(f"examples/digits/{name}.tsv" for name in names))
axes = found.plot("forest")
