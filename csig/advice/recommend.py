"""Which test is sound on these data, which are not and why: ``csig.recommend``."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from csig import streams
from csig.advice.base import Drawing
from csig.advice.facts import facts_of
from csig.advice.others import of_folds, of_sets, of_systems
from csig.advice.outcome import (
    Recommendation,
    advised,
    advised_of_folds,
    advised_of_sets,
    advised_of_systems,
    drawing_of,
)
from csig.advice.report import document_of_advice
from csig.base.defaults import RESAMPLES, YEH_RESAMPLES
from csig.base.errors import DataWarning, InputError
from csig.base.progress import ProgressBar, shown
from csig.base.validation import Alternative, check_zero_division, one_of
from csig.base.wording import first_few, perhaps
from csig.comparing.described import source_line
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.datasets.command import check_units, named_by
from csig.readers.data import Data, ResponseData, TableData, one_group, one_metric
from csig.readers.forms import read
from csig.readers.objects import of_scores
from csig.readers.reading import Reading, baseline_of, check_two
from csig.readers.request import OptionError, Request
from csig.report.document import Document
from csig.results.randomization import Seed
from csig.systems.command import taken

if TYPE_CHECKING:
    from concurrent.futures import Executor

#: What a row of the data is.
Rows: TypeAlias = Literal["items", "folds", "datasets"]
ROWS: tuple[Rows, ...] = get_args(Rows)


def recommend(
    comparison: Comparison | Reading | Mapping[str, Any],
    metric: str | Metric | None = None,
    *,
    rows: Rows = "items",
    folds: int | None = None,
    test_share: float | None = None,
    datasets: str | Sequence[Hashable] | None = None,
    ids: Sequence[Hashable] | None = None,
    clusters: Sequence[Hashable] | Mapping[Hashable, Hashable] | None = None,
    zero_division: int = 0,
) -> Recommendation:
    """Which test is sound on these data, which are not, and why; nothing is tested.

    Parameters
    ----------
    comparison : Comparison, Reading or mapping {name: scores}
        Two systems, or with :func:`csig.read` or a mapping more, on the same test data.
    metric : str or Metric, optional
        What is compared. By default F1 of responses, the accuracy of labels and of scores that
        are all 0 or 1, the mean of other scores.
    rows : {"items", "folds", "datasets"}
        What a row of scores is: an item of one test set; a fold of a cross-validation (or a
        random split) on which both systems were trained and scored; or a whole data set.
    folds : int, optional
        With ``rows="folds"``: the folds of each cross-validation, in the order of the rows. By
        default there is one cross-validation; 10 rows with ``folds=2`` are five.
    test_share : float, optional
        With ``rows="folds"``, for random splits instead: the share of the data that is tested.
    datasets : str or sequence, optional
        What data set each item is of: with a mapping one label per item, with a table that
        :func:`csig.read` read the name of a column. Tests over data sets are then recommended.
    ids, clusters : sequence or mapping, optional
        With a mapping: one id, and one label, per unit; units with the same label are swapped
        together.
    zero_division : {0, 1}
        The score where the denominator is zero.

    Returns
    -------
    Recommendation
        `test` is the recommended one, `tests` has all with their verdicts, reasons and sources,
        `facts` what the data are.

    Raises
    ------
    InputError
        For anything that cannot be used, in one line with the way out.

    See Also
    --------
    all_tests : the same with all p-values side by side.

    Notes
    -----
    The rules and their sources are in docs/recommend.md. They look at the data's form: what the
    metric is, which units are known, whether scores are binary or skewed, how the systems'
    results correlate. They never look at a p-value, so that to follow them is no choice of
    a test by its result.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> found = csig.recommend(c, "precision")
    >>> found.test.call
    'csig.randomization_test(comparison, "precision", statistic="studentized")'
    >>> found["chi-square test (two-sided)"].verdict, round(found.r12, 2)
    ('unsound', 0.35)
    """
    zero = check_zero_division(zero_division)
    given = _Given(rows, folds, test_share, datasets, ids, clusters, zero)
    return given.advised(comparison, metric, None, None)


def all_tests(
    comparison: Comparison | Reading | Mapping[str, Any],
    metric: str | Metric | None = None,
    *,
    rows: Rows = "items",
    folds: int | None = None,
    test_share: float | None = None,
    datasets: str | Sequence[Hashable] | None = None,
    ids: Sequence[Hashable] | None = None,
    clusters: Sequence[Hashable] | Mapping[Hashable, Hashable] | None = None,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = None,
    bootstrap_resamples: int = RESAMPLES,
    rng: streams.Seed = None,
    bit_generator: str | streams.Factory | None = None,
    threads: int | None = None,
    zero_division: int = 0,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | bool | None = None,
) -> Recommendation:
    """Run all tests that can be run on the data: their p-values side by side, unsound ones marked.

    Parameters
    ----------
    comparison, metric, rows, folds, test_share, datasets, ids, clusters, zero_division
        As for :func:`recommend`.
    alternative : {"two-sided", "less", "greater"}
        Of A minus B, for two systems. Chi-square and F tests are always two-sided.
    n_resamples : int, optional
        Shuffles of a randomization test that is not exact, by default 1,048,576. Beside an exact
        one, of many units, at most so many are drawn as take a few seconds.
    bootstrap_resamples : int
        Resamples of each bootstrap test, at most; fewer, but 999, of more than some 5,000 units.
    rng, bit_generator, threads, executor, progress
        As for :func:`csig.randomization_test`. Every test that draws has the p-value that its
        own function gives with the same seed.

    Returns
    -------
    Recommendation
        As from :func:`recommend`, with `statistic` and `pvalue` in every one of `tests` that
        gives some. Of many systems the p-value is the smallest of all pairs.

    Raises
    ------
    InputError
        For anything that cannot be used.

    Notes
    -----
    Twenty p-values are not twenty chances: the one to report is that of the recommended test,
    which is chosen by the form of the data. The others show what a paper with another test
    would have found.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> found = csig.advice.all_tests(
    ...     c, "precision", rng=1, n_resamples=9999, bootstrap_resamples=999)
    >>> round(found.test.pvalue, 6), round(found["chi-square test (two-sided)"].pvalue, 6)
    (0.058011, 0.122892)
    """
    zero = check_zero_division(zero_division)
    given = _Given(rows, folds, test_share, datasets, ids, clusters, zero)
    drawing, seed = drawing_of(
        rng, bit_generator, n_resamples=YEH_RESAMPLES if n_resamples is None else n_resamples,
        bootstrap_resamples=bootstrap_resamples, threads=threads,
        zero_division=given.zero_division, alternative=alternative, executor=executor,
    )  # fmt: skip
    with shown(progress) as notify:
        return given.advised(comparison, metric, replace(drawing, progress=notify), seed)


def advice_of(
    request: Request,
    metrics: tuple[str, ...],
    others: str,
    *,
    all_tests: bool = False,
    unit: str | None = None,
    baseline: str | None = None,
    lower_is_better: bool | None = None,
    rows: Rows = "items",
    folds: int | None = None,
    test_share: float | None = None,
    resamples: int | None = None,
    seed: int | None = None,
    bit_generator: str | None = None,
    threads: int | None = None,
    zero_division: str = "0",
    dataset: str | None = None,
) -> Document:
    """Read, and say what is recommended: ``csig recommend``.

    Of `metrics` there is none or one; the recommended command is given `others` beside it.
    """
    for name, value in (("--folds", folds), ("--test-share", test_share)):
        if value is not None and rows != "folds":
            raise OptionError(f"{name} goes with --rows folds")
    if dataset is not None and rows == "folds":
        raise OptionError("--dataset goes with --rows items, found --rows folds")
    if rows == "datasets" and dataset is None:  # each has a name, once
        data, _ = named_by(request, None, list(metrics))
    else:
        data = read(request if dataset is None else replace(request, by=dataset), list(metrics))
    reading = Reading(data, unit, metrics, lower_is_better, baseline=baseline)
    if baseline is not None:
        baseline_of(reading.names, baseline)  # says which systems there are
    own: dict[str, Any] = {"rows": rows, "folds": folds, "test_share": test_share}
    own |= {"zero_division": int(zero_division), "datasets": dataset}
    if all_tests:
        with ProgressBar("Testing") as bar, warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)  # they are in the reasons
            found = _run(
                reading, n_resamples=resamples or YEH_RESAMPLES, rng=seed, threads=threads,
                bit_generator=bit_generator, progress=bar if bar.wanted else None, **own,
            )  # fmt: skip
    else:
        found = recommend(reading, **own)
    command = None
    if rows == "items":
        verb = "compare" if len(reading.names) == 2 else "systems"
        command = f"csig {verb} {others} --metric {shlex.quote(found.metric)}"
    if found.rows == "datasets":
        command = f"csig datasets {others}"
    return document_of_advice(
        found,
        command=command,
        notes=[f"Read as {source_line(reading.source, _ROW[rows])}.", *reading.notes],
        doubts=reading.cautions,
    )


#: What one row of a table is called.
_ROW = {"items": "unit", "folds": "fold", "datasets": "data set"}

#: By another name, where there is a flag of the first.
_run = all_tests


@dataclass(frozen=True)
class _Given:
    """What the data are said to be."""

    rows: Rows
    folds: int | None
    test_share: float | None
    datasets: Any
    ids: Any
    clusters: Any
    zero_division: int

    def __post_init__(self) -> None:
        one_of("rows", self.rows, ROWS)
        for name in ("folds", "test_share"):
            if self.rows != "folds" and getattr(self, name) is not None:
                raise InputError(f"{name} goes with rows='folds'")
        if self.datasets is not None and self.rows == "folds":
            raise InputError("datasets goes with rows='items'")

    def advised(
        self, given: Any, metric: str | Metric | None, drawing: Drawing | None, seed: Seed | None
    ) -> Recommendation:
        """What is recommended, whatever the data come as."""
        if not isinstance(given, Mapping) and (self.ids is not None or self.clusters is not None):
            name = "ids" if self.ids is not None else "clusters"
            raise InputError(f"{name}: only a mapping {{name: scores}} goes with them")
        if isinstance(given, Comparison):
            return self._of_comparison(given, metric, drawing, seed)
        if isinstance(given, Mapping):
            data = of_scores([given], ids=self.ids, clusters=self.clusters)
            given = Reading(data, metric=() if metric is None else (metric,))
        elif isinstance(given, Reading):
            if metric is not None:
                given = Reading(given.data, given.unit, (metric,), given.lower_is_better,
                                baseline=given.baseline)  # fmt: skip
        else:
            raise InputError(
                f"comparison: found {type(given).__name__}, expected a csig.Comparison, what "
                "csig.read gives, or a mapping {name: scores}"
            )
        return self._of_reading(given, drawing, seed)

    def _of_comparison(
        self,
        given: Comparison,
        metric: str | Metric | None,
        drawing: Drawing | None,
        seed: Seed | None,
    ) -> Recommendation:
        if self.rows == "datasets" or self.datasets is not None:
            raise InputError("datasets: give a mapping {name: scores}, or what csig.read gives")
        if self.rows == "folds":
            a, b = _scores_of(given, self.folds)
            found = of_folds(a, b, self.folds, self.test_share, given.names)
            return advised_of_folds(found, drawing, seed)
        facts = facts_of(given, metric, self.zero_division)
        return advised(facts, drawing, seed)

    def _of_reading(
        self, reading: Reading, drawing: Drawing | None, seed: Seed | None
    ) -> Recommendation:
        check_two(reading.data)
        metrics, data = one_group(reading.groups)
        if reading.metric and len(metrics) > 1:
            raise one_metric(metrics)
        # F1 of responses, or the first that suits.
        last = not reading.metric and (isinstance(data, ResponseData) or "f1" in metrics)
        metric = metrics[-1 if last else 0]
        if self.rows == "folds":
            first, second, names = _columns_of(data, reading)
            found = of_folds(first, second, self.folds, self.test_share, names)
            return advised_of_folds(found, drawing, seed)
        if self.rows == "datasets" or self.datasets is not None:
            if drawing is not None and drawing.alternative != "two-sided":
                raise InputError("alternative: tests over data sets are two-sided")
            return advised_of_sets(of_sets(_table_of(data, metric, self.datasets)), drawing, seed)
        if len(data.names) > 2:
            given = dict(taken(data, metric, reading.unit))
            if reading.baseline is not None:
                given["baseline"] = reading.names[baseline_of(reading.names, reading.baseline)]
            if drawing is not None and drawing.alternative != "two-sided":
                raise InputError("alternative: pairs of many systems are tested two-sided")
            return advised_of_systems(of_systems(given, self.zero_division), drawing, seed)
        ((a, b),) = reading.pairs
        comparison = data.at(a, b, reading.unit)
        return self._of_comparison(comparison, metric, drawing, seed)


def _scores_of(comparison: Comparison, folds: int | None) -> tuple[list[float], list[float]]:
    """The scores of both systems, in the order of the rows."""
    if "score" not in comparison.columns:
        raise InputError("rows: folds need one score of each system per fold")
    found, ids, _ = comparison.at(comparison.levels[0]).labelled_rows()
    if folds is not None and folds < found.n and ids is not None:
        raise InputError(
            "folds: the rows of a comparison with ids have no order; give a mapping {name: scores}"
        )
    place = comparison.columns.index("score")
    scale = float(comparison.scale[place])
    return _numbers(found.a[:, place] * scale), _numbers(found.b[:, place] * scale)


def _columns_of(
    data: Data, reading: Reading
) -> tuple[Sequence[float], Sequence[float], tuple[str, str]]:
    """The scores of two systems in the order of the rows, A the later one."""
    if not isinstance(data, TableData) or data.table.format != "scores" or data.table.runs:
        raise InputError("--rows folds: give a table of scores, one row per fold")
    if len(data.names) != 2:
        raise InputError(
            f"--rows folds is for two systems, found {len(data.names)}; give two, or choose them "
            "with --system"
        )
    ((a, b),) = reading.pairs
    first, second = (_numbers(data.systems[i]) for i in (a, b))
    return first, second, (data.names[a], data.names[b])


def _table_of(data: Data, metric: str | Metric, datasets: Any) -> dict[str, Any]:
    """What `compare_datasets` takes."""
    if not isinstance(data, TableData) or data.table.format != "scores" or data.table.runs:
        raise InputError("--rows datasets: give a table of scores, one column per system")
    table = data.table
    labels: Any = datasets
    if isinstance(datasets, str):
        columns: dict[str, Sequence[Hashable]] = dict(table.others)
        if table.clusters is not None:
            columns[table.cluster_column or "cluster"] = table.clusters
        if table.ids is not None and table.id_column is not None:
            columns[table.id_column] = table.ids
        if datasets not in columns:
            raise InputError(
                f"--dataset: no column {datasets!r}{perhaps(datasets, columns)}; there are "
                f"{first_few(columns, 12) or 'none'}"
            )
        labels = list(columns[datasets])
        check_units(labels, datasets, "--rows datasets")
    systems = dict(zip(data.names, data.systems, strict=True))
    if labels is None and table.ids is not None:
        labels = list(table.ids)
    less = isinstance(metric, Metric) and not metric.greater_is_better
    return {"table": systems, "datasets": labels, "lower_is_better": less}


def _numbers(values: Iterable[Any]) -> list[float]:
    return [float(own) for own in values]
