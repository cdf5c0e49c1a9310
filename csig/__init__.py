"""Is the difference between two systems real?

csig tests differences in recall, precision, F, accuracy, BLEU and other metrics by randomization
(Yeh 2000): exactly where that can be computed, by reproducible shuffles otherwise.

Which to use when
-----------------
Files, data frames or arrays of systems over the same test data
    `compare`: the differences, their intervals and p-values, what to be careful about.
The same, with the seed and everything else that it takes to repeat it
    `audit`, and `verify` for what `audit` wrote.
Many systems, all against all
    `compare_systems`; over many data sets `compare_datasets`, with `datasets`.
Which methods put the best candidates first
    `rank_methods`; more in `rankings`.
One number in a script
    ``statistic, pvalue = csig.randomization_test(system, baseline)``.
Is it as good as the baseline, within a margin?
    `noninferiority_test`; `gate` makes a verdict of it; `equivalence_test` for neither worse nor
    better.
What test suits these data?
    `recommend`; all of them at once with their p-values are in `advice`.
Something else: the other tests
    `classical`: sign, McNemar, t, Wilcoxon, Cochran, folds, tables of counts.
How many items do I need?
    `plan`, in `planning`: power, before anything is run.
How large is it?
    `intervals`: of scores and differences. `effects`: on how many units, in which parts, by which.
Does it depend on the training data?
    `training`.
Can a published number be what it says?
    `claims`.

`read` reads files, of which any two systems are a `Comparison`; its constructors make one of
arrays. A `Metric` is given by its name or by `metrics`. `plots` draws results, `replay` draws the
random numbers again in plain numpy, `show_config` says how csig was built. What goes wrong with
data is an `InputError`; what should be looked at is a `DataWarning`.
"""

import importlib
import sys

if sys.maxsize < 2**32:
    raise ImportError("csig needs a 64-bit Python: sums of 32 bits would overflow without a word")

# Names are imported when first used: a script that wants one of them does not wait for all. Type
# checkers read __init__.pyi.

#: Namespaces, and what of each is here, too.
_SPACES = {
    "advice": ("recommend",),
    "claims": (),
    "classical": (),
    "datasets": ("compare_datasets",),
    "effects": (),
    "intervals": (),
    "metrics": (),
    "planning": ("plan",),
    "plots": (),
    "rankings": ("rank_methods",),
    "replay": (),
    "training": (),
}

#: Where the other names live.
_HOMES = {
    "Comparison": "csig.data.comparison",
    "DataWarning": "csig.base.errors",
    "InputError": "csig.base.errors",
    "Metric": "csig.data.metrics",
    "audit": "csig.audits.audit",
    "compare": "csig.answers.compare",
    "compare_systems": "csig.systems.ranking",
    "equivalence_test": "csig.margins.testing",
    "gate": "csig.margins.gate",
    "noninferiority_test": "csig.margins.testing",
    "randomization_test": "csig.comparing.randomization",
    "read": "csig.readers.reading",
    "show_config": "csig.base.config",
    "verify": "csig.audits.verify",
}
_HOMES |= {name: f"csig.{space}" for space, names in _SPACES.items() for name in names}

__all__ = sorted([*_HOMES, *_SPACES, "__version__"])


def __getattr__(name: str) -> object:
    if name == "__version__":
        return importlib.import_module("csig._version").__version__
    if name in _SPACES:
        return importlib.import_module(f"csig.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'csig' has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
