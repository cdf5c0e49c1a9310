"""Average ranks over data sets

Bars connect learners that do not differ significantly.
"""

import csig

axes = csig.compare_datasets("examples/datasets/accuracy.csv").plot("critical_difference")
