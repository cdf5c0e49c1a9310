"""The units that make the difference

The accuracy of two learners on each data set; those that contribute most are named.
"""

import csig

systems = ["logistic", "tree"]
reading = csig.read("examples/datasets/correct.csv", systems=systems, cluster="dataset")
axes = csig.effects.unit_contributions(reading.comparison(), "accuracy").plot()
