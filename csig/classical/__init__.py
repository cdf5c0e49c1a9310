"""Classical tests of two systems or more, and what they rest on.

The same units: `sign_test` and `mcnemar_test` for right or wrong, `paired_t_test` and
`wilcoxon_test` for scores, `cochran_q_test` for more than two systems. Splits into training and
test data: `cv52_f_test`, `cv52_t_test`, `kfold_t_test`, `resampled_t_test`. As if the systems were
tested on different units: `chi_square_test`, `independent_t_test`, `proportions_test`;
`correlation`, `correlation_interval` and `independence_cost` say what that costs. Independent runs,
as timings: `unpaired_tests`. Tables of counts from labels: `agreement_table`, `confusion_table`.
`holm` adjusts p-values for their number.
"""

from csig.classical.contingency import (
    AgreementTable,
    ConfusionTable,
    agreement_table,
    cochran_q_test,
    confusion_table,
)
from csig.classical.independent import (
    CorrelationInterval,
    chi_square_test,
    correlation,
    correlation_interval,
    independence_cost,
    independent_t_test,
    proportions_test,
)
from csig.classical.paired import (
    TestResult,
    cv52_f_test,
    cv52_t_test,
    kfold_t_test,
    mcnemar_test,
    paired_t_test,
    resampled_t_test,
    sign_test,
    sign_test_critical,
    wilcoxon_test,
)
from csig.classical.unpaired import UnpairedTest, UnpairedTests, unpaired_systems, unpaired_tests
from csig.probability.corrections import Corrected, holm

__all__ = [
    "AgreementTable",
    "ConfusionTable",
    "Corrected",
    "CorrelationInterval",
    "TestResult",
    "UnpairedTest",
    "UnpairedTests",
    "agreement_table",
    "chi_square_test",
    "cochran_q_test",
    "confusion_table",
    "correlation",
    "correlation_interval",
    "cv52_f_test",
    "cv52_t_test",
    "holm",
    "independence_cost",
    "independent_t_test",
    "kfold_t_test",
    "mcnemar_test",
    "paired_t_test",
    "proportions_test",
    "resampled_t_test",
    "sign_test",
    "sign_test_critical",
    "unpaired_systems",
    "unpaired_tests",
    "wilcoxon_test",
]


def __dir__() -> list[str]:
    return __all__
