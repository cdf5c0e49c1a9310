"""Scores of systems

Intervals of single scores, which do not say whether two systems differ; the tests of pairs do.
"""

import csig

axes = csig.compare_systems("examples/datasets/correct.csv", cluster="dataset").plot("scores")
