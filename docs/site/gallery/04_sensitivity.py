"""What the swapped unit does to p

Items of one data set resemble each other: report the row at the bottom.
"""

import csig

systems = ["logistic", "tree"]
reading = csig.read("examples/datasets/correct.csv", systems=systems, cluster="dataset")
axes = csig.effects.sensitivity(reading.comparison(), "accuracy").plot()
