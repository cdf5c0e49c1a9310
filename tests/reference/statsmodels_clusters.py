"""The regressions that tests/test_intervals.py quotes, with statsmodels (not a dependency of csig).

python tests/reference/statsmodels_clusters.py
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import statsmodels
import statsmodels.api as sm

sys.path.insert(0, str(Path(__file__).parents[1]))

from test_intervals import regression_data


def fitted(model: Any, groups: Any) -> tuple[float, float]:
    """The coefficient and its cluster-robust standard error."""
    found = model.fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    return float(found.params[0]), float(found.bse[0])


def main() -> None:
    """Print the figures."""
    data = regression_data()
    groups, ones = data["groups"], np.ones(60)
    words = data["words"].astype(float)
    print(statsmodels.__version__)
    print("difference", fitted(sm.OLS(data["a"] - data["b"], ones), groups))
    print("a", fitted(sm.OLS(data["a"], ones), groups))
    print("wer", fitted(sm.WLS(data["errors"], words, weights=1 / words), groups))


if __name__ == "__main__":
    main()
