"""What other packages find for tables with ties: ``python datasets_peers.py > FILE``.

scipy, statsmodels and scikit-posthocs judge csig.compare_datasets in tests; they need not be
installed for that. Scores are whole numbers, because with others they may break real ties.
"""

from __future__ import annotations

import json
import random
import warnings

import numpy as np
import pandas as pd
import scikit_posthocs
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.anova import AnovaRM

warnings.simplefilter("ignore")


def pairs(frame: pd.DataFrame) -> list[float]:
    """What is above the diagonal."""
    found: list[float] = frame.to_numpy()[np.triu_indices(len(frame), 1)].tolist()
    return found


def of(table: list[list[int]]) -> dict[str, object]:
    """All tests of one table, one row per data set."""
    x = np.array(table, dtype=float)
    n, k = x.shape
    long = pd.DataFrame(
        [(i, j, x[i, j]) for i in range(n) for j in range(k)], columns=["data", "system", "y"]
    )
    anova = AnovaRM(long, "y", "data", within=["system"]).fit().anova_table.iloc[0]
    upper = np.triu_indices(k, 1)

    found = {
        "table": table,
        "anova": [float(anova["F Value"]), float(anova["Pr > F"])],
        "nemenyi": pairs(scikit_posthocs.posthoc_nemenyi_friedman(x)),
        "ranks": pairs(scikit_posthocs.posthoc_siegel_friedman(x)),
        "ranks-holm": pairs(scikit_posthocs.posthoc_siegel_friedman(x, p_adjust="holm")),
        "conover": pairs(scikit_posthocs.posthoc_conover_friedman(x)),
        "quade": pairs(scikit_posthocs.posthoc_quade(x)),
        "t": [float(stats.ttest_rel(x[:, i], x[:, j]).pvalue) for i, j in zip(*upper, strict=True)],
        "ranges": [
            [q, k, df, float(stats.studentized_range.sf(q, k, float(df)))]
            for q in (0.5, 2.0, 3.5, 6.0)
            for df in (3, (k - 1) * (n - 1), "inf")
        ],
    }
    if k > 2:
        found["friedman-ties"] = [float(own) for own in stats.friedmanchisquare(*x.T)]
    return found


def main() -> None:
    rng = random.Random(2006)
    tables = []
    for n, k, high in ((6, 3, 4), (9, 4, 6), (14, 5, 30), (5, 6, 3), (12, 2, 5)):
        tables.append([[rng.randrange(high) + j // 2 for j in range(k)] for _ in range(n)])
    # Ranges of tenths that are tied, and not as doubles: 0.3 - 0.1 and 0.6 - 0.4.
    whole = np.array([[1, 3, 2], [4, 5, 6], [2, 5, 9], [4, 2, 2]])
    quade = {
        "table": whole.tolist(),
        "whole": pairs(scikit_posthocs.posthoc_quade(whole.astype(float))),
        "tenths": pairs(scikit_posthocs.posthoc_quade(whole / 10)),
    }
    versions = {own.__name__: own.__version__ for own in (scipy, statsmodels, scikit_posthocs)}
    lines = ",\n".join(json.dumps(of(own)) for own in tables)
    print(f'{{"versions": {json.dumps(versions)},\n"quade": {json.dumps(quade)},')
    print(f'"tables": [\n{lines}\n]}}')


if __name__ == "__main__":
    main()
