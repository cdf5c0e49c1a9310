"""Chance in the training data

Scores of two learners, trained on many samples of the same data.
"""

import csig

path = "examples/training/bootstrap.csv"
axes = csig.training.TrainingDistribution.from_table(path, method="bootstrap").plot("histogram")
