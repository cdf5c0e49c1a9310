"""The tests of 2 x 2 tables that tests/test_independent.py quotes, by statsmodels and scipy.

And what docs/classical.md says of McNemar's test in statsmodels, which is no dependency of csig.

python tests/reference/statsmodels_tables.py
"""

from __future__ import annotations

import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportions_ztest
from statsmodels.stats.proportion import test_proportions_2indep as two_proportions


def main() -> None:
    """Print a row for every table."""
    print(f"# statsmodels {statsmodels.__version__}, scipy {scipy.__version__}")
    rng = np.random.default_rng(2000)
    tables = [((47, 103), (25, 103))]
    for _ in range(7):
        sizes = rng.integers(3, 400, 2)
        right = rng.integers(1, sizes)
        tables.append(tuple((int(r), int(n)) for r, n in zip(right, sizes, strict=True)))
    for (right_a, all_a), (right_b, all_b) in tables:
        z, p = proportions_ztest([right_a, right_b], [all_a, all_b])
        wald = two_proportions(
            right_a, all_a, right_b, all_b, method="wald", compare="diff", correction=False
        )
        rows = [[right_a, all_a - right_a], [right_b, all_b - right_b]]
        yates = stats.chi2_contingency(rows, correction=True)
        numbers = (z, p), (wald.statistic, wald.pvalue), (yates.statistic, yates.pvalue)
        shown = ", ".join(f"({float(x)!r}, {float(y)!r})" for x, y in numbers)
        print(f"    (({right_a}, {all_a}), ({right_b}, {all_b}), {shown}),")
    for b, c in ((10, 10), (0, 0)):
        found = mcnemar([[3, b], [c, 4]], exact=False)
        print(f"# corrected McNemar, {b} and {c}: {found.statistic}, {found.pvalue:.6f}")


if __name__ == "__main__":
    main()
