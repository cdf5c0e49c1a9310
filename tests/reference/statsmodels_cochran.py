"""The Q that tests/test_contingency.py quotes, by statsmodels (not a dependency of csig).

python tests/reference/statsmodels_cochran.py
"""

from __future__ import annotations

import numpy as np
import statsmodels
from statsmodels.stats.contingency_tables import cochrans_q


def main() -> None:
    """Print a row for every table: seed, items, systems, Q and p."""
    print(f"# statsmodels {statsmodels.__version__}")
    for seed, n, k in ((1, 12, 3), (2, 40, 3), (3, 25, 4), (4, 300, 6), (5, 9, 5), (6, 2000, 10)):
        rows = np.random.default_rng(seed).integers(0, 2, (n, k))
        found = cochrans_q(rows)
        print(f"    ({seed}, {n}, {k}, {float(found.statistic)!r}, {float(found.pvalue)!r}),")


if __name__ == "__main__":
    main()
