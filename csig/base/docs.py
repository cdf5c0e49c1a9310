"""What the docstrings of many functions share, said once: ``%(alternative)s`` among Parameters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])

SHARED = {
    "comparison": """comparison : Comparison
    Both systems on the same test data.""",
    "items": """comparison : Comparison
    Both systems on the same test data, with the results on single items known (see
    :func:`csig.classical.correlation`).""",
    "yeh": """>>> import csig
>>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)""",
    "pair_metric": """metric : str or Metric, optional
    One whose denominator is the same for both systems in every unit: recall, accuracy, a
    mean, the error rate. The default is recall, accuracy or the mean, whichever the
    comparison has the columns for.""",
    "alternative": """alternative : {"two-sided", "less", "greater"}
    What counts as extreme: A differs from B, is less, is greater.""",
    "own_alternative": """alternative : {"two-sided", "less", "greater"}, optional
    The test's own by default.""",
    "confidence_level": """confidence_level : float
    Of the interval, which is two-sided whatever the alternative.""",
    "table": """table : mapping {column: values}, or data frame
    One row per candidate.""",
    "true": """true : str
    The column that says which candidates are true: True and False, or 1 and 0.
lower_is_better : sequence of str
    Those of the methods whose small scores are the best, as p-values.""",
    "ties": """ties : {"all", "first"}
    Of candidates with the same score of which only some fit into a list, all, or those that
    come first in the table. Lists of "all" may be longer than n, and do not depend on the order
    of the table; precision takes their lengths into account.""",
    "two_methods": """a, b : str
    The columns of the methods' scores.""",
    "options": """**options
    ``method``, ``n_resamples``, ``rng``, ``threads`` and others of
    :func:`csig.randomization_test`.""",
    "samples": """n : int, optional
    A method accepts the n best of every sample. Give this, `threshold` or `total`.
threshold : float, sequence of float, or mapping {method: float}, optional
    A method accepts the candidates with this score or a better one, in every sample the same.
total : int, optional
    A method accepts the `total` best of the whole table; a sample has those that are its own.""",
    "continuity": """continuity : bool
    Whether "asymptotic" is corrected for continuity, as R and statsmodels do by default.""",
    "names": """names : pair of str
    The systems' names in reports.""",
    "ids": """ids : sequence, optional
    One per unit, all different; hits then do not depend on the order of the rows. Without ids
    or an index rows are matched by position.
clusters : sequence or mapping {id: label}, optional
    One label per unit. Units with the same label are swapped together; ``at("unit")`` gives the
    comparison without clusters.""",
    "unit_names": """unit_name, cluster_name : str
    Names of units and clusters in reports and in `levels`.""",
    "metric": """metric : str or Metric
    A name that :func:`csig.metrics.get` knows, or your own.""",
    "metrics": """metric : str, Metric, or several of them
    As for :func:`csig.randomization_test`; several share what is drawn.""",
    "zero_division": """zero_division : {0, 1}
    The score where the denominator is zero.""",
    "what": """what : {"difference", "a", "b"}
    The difference, A's score minus B's, or one system's score.""",
    "level": """confidence_level : float
    The share of test sets whose interval should hold the true value.""",
    "drawing": """rng, bit_generator, threads, executor, progress
    As for :func:`csig.randomization_test`. Nothing depends on the threads.""",
    "folds": """a, b : array_like, (splits,)
    Both systems' scores on the test part of every split; or the differences alone, as `a`.""",
    "replications": """a, b : array_like, (5, 2)
    Both systems' scores, one row per replication; or the differences alone, as `a`.""",
}


def documented(function: F) -> F:
    """A function whose docstring has the shared parts in the place of their names."""
    if function.__doc__:  # none with python -OO
        function.__doc__ = re.sub(
            r"^( *)%\((\w+)\)s$",
            lambda found: "\n".join(found[1] + line for line in SHARED[found[2]].split("\n")),
            function.__doc__,
            flags=re.MULTILINE,
        )
    return function
