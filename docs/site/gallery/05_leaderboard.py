"""A leaderboard

The ranks that each learner may have, after all pairs were tested.
"""

import csig

axes = csig.compare_systems("examples/datasets/correct.csv", cluster="dataset").plot("leaderboard")
