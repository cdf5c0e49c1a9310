"""Is the difference between two systems real?

csig tests differences in recall, precision, F and other metrics by randomization
(Yeh 2000): exactly where that can be computed, by reproducible shuffles otherwise.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from csig._version import __version__

if TYPE_CHECKING:
    from csig import metrics, plots, replay
    from csig._config import show_config
    from csig.advice.base import Advice
    from csig.advice.outcome import Recommendation
    from csig.audits.audit import audit
    from csig.audits.verify import verify
    from csig.bootstrap import bootstrap_interval, bootstrap_test
    from csig.breakdowns import Breakdown, breakdown
    from csig.compared import Compared, ComparedResult
    from csig.comparing import compare
    from csig.comparison import Comparison
    from csig.contingency import (
        AgreementTable,
        ConfusionTable,
        agreement_table,
        cochran_q_test,
        confusion_table,
    )
    from csig.contributions import UnitContributions, unit_contributions
    from csig.data.conflicts import Span, spans
    from csig.datasets import DatasetPair, DatasetsResult, OverallTest, compare_over_datasets
    from csig.effects import Effect, effect
    from csig.errors import DataWarning, InputError, NoInterval
    from csig.folds import (
        cv52_f_test,
        cv52_t_test,
        kfold_t_test,
        resampled_t_test,
    )
    from csig.independent import (
        CorrelationInterval,
        chi_square_test,
        correlation,
        correlation_interval,
        independence_cost,
        independent_t_test,
        proportions_test,
    )
    from csig.intervals import linearized_interval
    from csig.inverted import inverted_interval
    from csig.metrics import Metric
    from csig.null import NullDistribution
    from csig.paired import (
        mcnemar_test,
        paired_t_test,
        sign_test,
        sign_test_critical,
        wilcoxon_test,
    )
    from csig.probability.corrections import Corrected, holm
    from csig.randomization import SlowMetricWarning, randomization_test
    from csig.rankings.methods import MethodPair, RankedMethods, rank_methods
    from csig.rankings.nbest import NBestCurve, NBestResult, nbest_precision
    from csig.rankings.samples import (
        BinomialValidation,
        SamplePrecision,
        sample_precision,
        validate_binomial,
    )
    from csig.readers.reading import Reading, read
    from csig.recommendations import all_tests, recommend
    from csig.results import BootstrapResult, Interval, RandomizationResult, Results
    from csig.runs import RunVariance, crossed_interval, run_variance
    from csig.sensitivities import Sensitivity, sensitivity
    from csig.systems import SystemPair, SystemRank, SystemsResult, compare_systems
    from csig.tested import TestResult
    from csig.training.distribution import TrainingDistribution
    from csig.training.running import training_distribution
    from csig.training.sampling import resample_training

__all__ = [
    "Advice",
    "AgreementTable",
    "BinomialValidation",
    "BootstrapResult",
    "Breakdown",
    "Compared",
    "ComparedResult",
    "Comparison",
    "ConfusionTable",
    "Corrected",
    "CorrelationInterval",
    "DataWarning",
    "DatasetPair",
    "DatasetsResult",
    "Effect",
    "InputError",
    "Interval",
    "MethodPair",
    "Metric",
    "NBestCurve",
    "NBestResult",
    "NoInterval",
    "NullDistribution",
    "OverallTest",
    "RandomizationResult",
    "RankedMethods",
    "Reading",
    "Recommendation",
    "Results",
    "RunVariance",
    "SamplePrecision",
    "Sensitivity",
    "SlowMetricWarning",
    "Span",
    "SystemPair",
    "SystemRank",
    "SystemsResult",
    "TestResult",
    "TrainingDistribution",
    "UnitContributions",
    "__version__",
    "agreement_table",
    "all_tests",
    "audit",
    "bootstrap_interval",
    "bootstrap_test",
    "breakdown",
    "chi_square_test",
    "cochran_q_test",
    "compare",
    "compare_over_datasets",
    "compare_systems",
    "confusion_table",
    "correlation",
    "correlation_interval",
    "crossed_interval",
    "cv52_f_test",
    "cv52_t_test",
    "effect",
    "holm",
    "independence_cost",
    "independent_t_test",
    "inverted_interval",
    "kfold_t_test",
    "linearized_interval",
    "mcnemar_test",
    "metrics",
    "nbest_precision",
    "paired_t_test",
    "plots",
    "proportions_test",
    "randomization_test",
    "rank_methods",
    "read",
    "recommend",
    "replay",
    "resample_training",
    "resampled_t_test",
    "run_variance",
    "sample_precision",
    "sensitivity",
    "show_config",
    "sign_test",
    "sign_test_critical",
    "spans",
    "training_distribution",
    "unit_contributions",
    "validate_binomial",
    "verify",
    "wilcoxon_test",
]

# Where each public name lives. They are imported when first used: a script that wants
# one of them does not wait for all, and `import csig` costs next to nothing.
_HOMES = {
    "Advice": "csig.advice.base",
    "AgreementTable": "csig.contingency",
    "BinomialValidation": "csig.rankings.samples",
    "BootstrapResult": "csig.results",
    "Breakdown": "csig.breakdowns",
    "Compared": "csig.compared",
    "ComparedResult": "csig.compared",
    "Comparison": "csig.comparison",
    "ConfusionTable": "csig.contingency",
    "Corrected": "csig.probability.corrections",
    "CorrelationInterval": "csig.independent",
    "DataWarning": "csig.errors",
    "DatasetPair": "csig.datasets",
    "DatasetsResult": "csig.datasets",
    "Effect": "csig.effects",
    "InputError": "csig.errors",
    "Interval": "csig.results",
    "McNemarResult": "csig.paired",
    "MethodPair": "csig.rankings.methods",
    "Metric": "csig.metrics",
    "NBestCurve": "csig.rankings.nbest",
    "NBestResult": "csig.rankings.nbest",
    "NoInterval": "csig.errors",
    "NullDistribution": "csig.null",
    "OverallTest": "csig.datasets",
    "RandomizationResult": "csig.results",
    "RankedMethods": "csig.rankings.methods",
    "Reading": "csig.readers.reading",
    "Recommendation": "csig.advice.outcome",
    "Results": "csig.results",
    "RunVariance": "csig.runs",
    "SamplePrecision": "csig.rankings.samples",
    "Sensitivity": "csig.sensitivities",
    "SlowMetricWarning": "csig.randomization",
    "Span": "csig.data.conflicts",
    "SystemPair": "csig.systems",
    "SystemRank": "csig.systems",
    "SystemsResult": "csig.systems",
    "TestResult": "csig.tested",
    "TrainingDistribution": "csig.training.distribution",
    "UnitContributions": "csig.contributions",
    "agreement_table": "csig.contingency",
    "all_tests": "csig.recommendations",
    "audit": "csig.audits.audit",
    "bootstrap_interval": "csig.bootstrap",
    "bootstrap_test": "csig.bootstrap",
    "breakdown": "csig.breakdowns",
    "chi_square_test": "csig.independent",
    "cochran_q_test": "csig.contingency",
    "compare": "csig.comparing",
    "compare_over_datasets": "csig.datasets",
    "compare_systems": "csig.systems",
    "confusion_table": "csig.contingency",
    "correlation": "csig.independent",
    "correlation_interval": "csig.independent",
    "crossed_interval": "csig.runs",
    "cv52_f_test": "csig.folds",
    "cv52_t_test": "csig.folds",
    "effect": "csig.effects",
    "holm": "csig.probability.corrections",
    "independence_cost": "csig.independent",
    "independent_t_test": "csig.independent",
    "kfold_t_test": "csig.folds",
    "linearized_interval": "csig.intervals",
    "inverted_interval": "csig.inverted",
    "mcnemar_test": "csig.paired",
    "metrics": "csig",
    "nbest_precision": "csig.rankings.nbest",
    "paired_t_test": "csig.paired",
    "plots": "csig",
    "proportions_test": "csig.independent",
    "randomization_test": "csig.randomization",
    "rank_methods": "csig.rankings.methods",
    "read": "csig.readers.reading",
    "recommend": "csig.recommendations",
    "replay": "csig",
    "resample_training": "csig.training.sampling",
    "resampled_t_test": "csig.folds",
    "run_variance": "csig.runs",
    "sample_precision": "csig.rankings.samples",
    "sensitivity": "csig.sensitivities",
    "show_config": "csig._config",
    "sign_test": "csig.paired",
    "sign_test_critical": "csig.paired",
    "spans": "csig.data.conflicts",
    "training_distribution": "csig.training.running",
    "unit_contributions": "csig.contributions",
    "validate_binomial": "csig.rankings.samples",
    "verify": "csig.audits.verify",
    "wilcoxon_test": "csig.paired",
}


if not TYPE_CHECKING:  # which would believe in every name

    def __getattr__(name: str) -> object:
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module 'csig' has no attribute {name!r}")
        if home == "csig":
            value: object = importlib.import_module(f"csig.{name}")
        else:
            value = getattr(importlib.import_module(home), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
