"""Which test is sound on these data, which are not and why: ``csig.recommend``."""

from __future__ import annotations

import math
import shlex
import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from csig import streams
from csig.advice import pairs
from csig.advice.base import ALPHA, Candidate, Drawing, Recommendation, in_order
from csig.advice.others import Folds, Many, Sets, of_folds, of_sets, of_systems
from csig.advice.pairs import Facts, facts_of
from csig.advice.report import document_of_advice
from csig.base.defaults import RESAMPLES
from csig.base.errors import DataWarning, InputError, argument, in_python
from csig.base.progress import ProgressBar, shown
from csig.base.shown import ShownTuple
from csig.base.validation import (
    Alternative,
    check_zero_division,
    one_of,
    public,
)
from csig.base.wording import (
    clean,
    coded,
    count,
    counted,
    few,
    first_few,
    metric_title,
    noun,
    perhaps,
    pvalue,
)
from csig.classical.paired import skewed
from csig.comparing import verdict
from csig.comparing.described import source_line
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.datasets.comparing import check_units, named_by
from csig.readers.data import Data, ResponseData, TableData, one_group, one_metric
from csig.readers.forms import read
from csig.readers.objects import of_scores
from csig.readers.reading import Reading, baseline_of, check_two
from csig.readers.request import OptionError, Request
from csig.report.document import Document
from csig.results.randomization import Seed
from csig.systems.ranking import skewed_pairs
from csig.systems.reading import taken

if TYPE_CHECKING:
    from concurrent.futures import Executor


def _recommended(
    tests: Sequence[Candidate], drawing: Drawing | None, **fields: Any
) -> Recommendation:
    """All that is said, with the p-values if they were asked for."""
    said = ShownTuple(own.advice(drawing) for own in in_order(tests))
    source = None if drawing is None else drawing.source
    seed = None if source is None else Seed(source.name, source.entropy, source.spawn_key, 0)
    return Recommendation(tests=said, seed=seed, **fields)


def _least(n_differ: int) -> tuple[float, str]:
    """The smallest two-sided p that swapping so many units can give, and in words."""
    exponent = min(0, 1 - n_differ)
    least = math.ldexp(1.0, exponent)
    return least, pvalue(least, exponent * math.log(2))


# ---- two systems -------------------------------------------------------------------------------


def _facts(f: Facts) -> list[str]:
    units, title = noun(f.unit, 2), metric_title(f.metric.name)
    own = f"Units: {f.units}"
    if f.comparison.units is not None or f.n_differ != f.n_units:
        own += f", of which {count(f.n_differ)} can change {f.title}"
    found = [f"{own}.", f"Nothing larger than {units} is known."]
    if f.finer:
        smaller = few([noun(unit, 2) for unit in f.finer], 4)
        found[1] = (
            f"{units.capitalize()} are the largest unit that is known; {smaller} within them are "
            "not independent."
        )
    kinds = {
        "sum": f"a mean over {units} or what they hold: its difference is a sum",
        "ratio": "a ratio whose denominator differs between the systems: it has to be computed "
        f"from the counts of all {units}",
        "function": f"a function of the counts of all {units}",
    }
    found.append(f"{title} is {kinds[f.kind]}.")
    if f.binary is not None:
        a, b = map(clean, f.comparison.names)
        found.append(
            f"Each {noun(f.binary)} is right or wrong: {count(f.discordant[0])} are right only in "
            f"{a}, {count(f.discordant[1])} only in {b}."
        )
    elif f.skewness is not None:
        found.append(f"The {units}' differences have a skewness of {f.skewness:.2g}.")
        if f.kind == "sum" and skewed(f.n, f.skewness):
            found.append(
                f"With so few {units} tests of the mean may reject too often, the randomization "
                f"test as much as t: more {units} help, so does the studentized bootstrap, and "
                "ranks (Wilcoxon) if they are the question."
            )
    if f.r12 is not None:
        said = (
            f"The systems' results on {count(f.n_items)} single items have the correlation "
            f"r12 = {f.r12:.2f}"
        )
        if not f.r12_is_of_metric:
            said += f" ({f.item_metric})"
        elif f.cost is not None and math.isfinite(f.cost):
            said += (
                f": tests of independent samples assume the difference to vary {f.cost:.2f} times "
                "as much as it does"
            )
        found.append(f"{said}.")
    if f.unit == "response":
        found.append(
            "Single responses are swapped, as if they were independent; those of one sentence or "
            "document seldom are. If sentences or documents are known, name them."
        )
    if f.n_runs > 1:
        found.append(
            f"There are {count(f.n_runs)} runs of each system. A unit is swapped with all its "
            "runs, so p says nothing of other runs; csig.intervals.crossed_interval does."
        )
    least = _least(f.n_differ)[1]
    found.append(f"The smallest two-sided p that swapping can give here is {least}.")
    return found


def _doubts(f: Facts) -> list[str]:
    moving = {f.metric.name: f.n_differ}
    found = verdict.of_data(f.comparison, moving, alpha=ALPHA)
    title = metric_title(f.metric.name)
    found += coded("few-counts", verdict.sparse(title, f.unit, f.grounds))
    return found


def advised(f: Facts, drawing: Drawing | None = None) -> Recommendation:
    """What is recommended for two systems; with a drawing all tests are run."""
    return _recommended(
        pairs.candidates(f),
        drawing,
        metric=f.metric.name,
        names=f.comparison.names,
        rows="items",
        unit=f.unit,
        n_units=f.n_units,
        n_differ=f.n_differ,
        least_pvalue=_least(f.n_differ)[0],
        r12=f.r12,
        independence_cost=f.cost,
        skewness=f.skewness,
        facts=tuple(_facts(f)),
        doubts=tuple(_doubts(f)),
    )


def all_tests_of(comparison: Comparison, metric: str | Metric, **options: Any) -> Recommendation:
    """All tests of two systems by a metric; `options` are those of `Drawing`."""
    drawing = Drawing(**options)
    return advised(facts_of(comparison, metric, drawing.zero_division), drawing)


# ---- other data --------------------------------------------------------------------------------


def advised_of_folds(f: Folds, drawing: Drawing | None) -> Recommendation:
    """What is recommended for scores on folds."""
    return _recommended(
        f.candidates(),
        drawing,
        metric="mean",
        names=f.comparison.names,
        rows="folds",
        unit="fold",
        n_units=f.n,
        n_differ=f.comparison.n_units,
        facts=(
            f"Rows: {f.what}; each tests {100 * float(f.test_share):.3g}% of the data.",
            "Tests on folds ask about the procedures that train the systems. Folds share "
            "training items, and nothing estimates from one cross-validation what that does to "
            "the variance (Nadeau and Bengio 2003).",
        ),
        doubts=(
            "The recommended test is a heuristic: with one test set that no fold trains on, "
            "there are exact tests of two trained systems.",
        ),
    )


def advised_of_systems(m: Many, drawing: Drawing | None) -> Recommendation:
    """What is recommended for three systems or more."""
    table = m.table
    kind = "counts units that are right" if table.binary else "is a sum over units"
    if table.values is None:
        kind = "is not a sum over units"
    return _recommended(
        m.candidates(),
        drawing,
        metric=table.metric.name,
        names=m.names,
        rows="items",
        unit=table.unit,
        n_units=table.n_units,
        facts=(
            f"{counted(len(m.names), 'system')}, {counted(m.pairs, 'pair')}, "
            f"{counted(table.n_units, table.unit)}.",
            f"{metric_title(table.metric.name)} {kind}.",
            "p is the smallest of the pairs, after the correction that the test names.",
        ),
        doubts=tuple(skewed_pairs(table, m.places)),
    )


def advised_of_sets(s: Sets, drawing: Drawing | None) -> Recommendation:
    """What is recommended for systems on many data sets."""
    least = math.ldexp(1.0, 1 - s.n)
    doubts = []
    if least * s.pairs > ALPHA:
        among = f" among {counted(s.pairs, 'pair')}" if s.pairs > 1 else ""
        doubts.append(
            f"With {s.what} no two-sided p of a pair can be below {pvalue(least)}: too few for "
            f"significance at {ALPHA}{among}."
        )
    units = ", one score each"
    if s.table.units is not None:
        total = count(int(s.table.sizes.sum()))
        units = f", {total} units; a data set's score is their mean"
    facts = [
        f"{counted(s.k, 'system')} on {s.what}{units}.",
        "Tests over data sets ask whether a difference would hold on other data sets like these.",
    ]
    if s.k > 2:
        facts.append("p of pairs is the smallest of all, after the correction that is named.")
    return _recommended(
        s.candidates(),
        drawing,
        metric="mean",
        names=s.table.names,
        rows="datasets",
        unit="data set",
        n_units=s.n,
        least_pvalue=least,
        facts=tuple(facts),
        doubts=tuple(doubts),
    )


#: What a row of the data is.
Rows: TypeAlias = Literal["items", "folds", "datasets"]
ROWS: tuple[Rows, ...] = get_args(Rows)

#: What one row of a table is, where the table does not say it.
_ROW = {"folds": "fold", "datasets": "data set"}


@public("csig")
def recommend(
    comparison: Comparison | Reading | Mapping[str, Any],
    metric: str | Metric | None = None,
    *,
    rows: Rows = "items",
    folds: int | None = None,
    test_share: float | None = None,
    datasets: str | Sequence[Hashable] | None = None,
    id: Sequence[Hashable] | None = None,
    cluster: Sequence[Hashable] | Mapping[Hashable, Hashable] | None = None,
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
    id, cluster : sequence or mapping, optional
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
    with in_python():
        given = _Given(rows, folds, test_share, datasets, id, cluster, zero_division)
        return given.advised(comparison, metric)


@public("csig.advice")
def all_tests(
    comparison: Comparison | Reading | Mapping[str, Any],
    metric: str | Metric | None = None,
    *,
    rows: Rows = "items",
    folds: int | None = None,
    test_share: float | None = None,
    datasets: str | Sequence[Hashable] | None = None,
    id: Sequence[Hashable] | None = None,
    cluster: Sequence[Hashable] | Mapping[Hashable, Hashable] | None = None,
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
    comparison, metric, rows, folds, test_share, datasets, id, cluster, zero_division
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
    with in_python(), shown(progress) as notify:
        given = _Given(rows, folds, test_share, datasets, id, cluster, zero_division)
        drawing = Drawing(
            rng, bit_generator, n_resamples=n_resamples, bootstrap_resamples=bootstrap_resamples,
            threads=threads, zero_division=zero_division, alternative=alternative,
            executor=executor, notify=notify,
        )  # fmt: skip
        return given.advised(comparison, metric, drawing)


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
    """Read, and say what is recommended: ``csig recommend``."""
    given = _Given(rows, folds, test_share, dataset, None, None, int(zero_division))
    if rows == "datasets" and dataset is None:  # each has a name, once
        data, _ = named_by(request, None, list(metrics))
    else:
        data = read(request if dataset is None else replace(request, by=dataset), list(metrics))
    reading = Reading(data, unit, metrics, lower_is_better, baseline=baseline)
    if baseline is not None:
        baseline_of(reading.names, baseline)  # says which systems there are
    with ProgressBar("Testing") as bar, warnings.catch_warnings():
        drawing = None
        if all_tests:
            warnings.simplefilter("ignore", DataWarning)  # they are in the reasons
            drawing = Drawing(
                seed, bit_generator, n_resamples=resamples, threads=threads,
                zero_division=int(zero_division), notify=bar if bar.wanted else None,
            )  # fmt: skip
        found = given.advised(reading, None, drawing)
    command = None
    if rows == "items":
        verb = "compare" if len(reading.names) == 2 else "systems"
        command = f"csig {verb} {others} --metric {shlex.quote(found.metric)}"
    if found.rows == "datasets":
        command = f"csig datasets {others}"
    return document_of_advice(
        found,
        command=command,
        notes=[f"Read as {source_line(reading.source, _ROW.get(rows))}.", *reading.notes],
        doubts=reading.cautions,
    )


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
        check_zero_division(self.zero_division)
        one_of("rows", self.rows, ROWS)
        for name in ("folds", "test_share"):
            if self.rows != "folds" and getattr(self, name) is not None:
                raise OptionError(f"{argument(name)} goes with {argument('rows', 'folds')}")
        if self.datasets is not None and self.rows == "folds":
            raise OptionError(f"{argument('dataset')} goes with {argument('rows', 'items')}")
        if self.clusters is not None and (self.rows != "items" or self.datasets is not None):
            other = argument("rows", self.rows) if self.rows != "items" else argument("dataset")
            raise InputError(f"cluster: does not go with {other}, where nothing is swapped")

    def advised(
        self, given: Any, metric: str | Metric | None, drawing: Drawing | None = None
    ) -> Recommendation:
        """What is recommended, whatever the data come as."""
        if not isinstance(given, Mapping) and (self.ids is not None or self.clusters is not None):
            name = "id" if self.ids is not None else "cluster"
            raise InputError(f"{name}: only a mapping {{name: scores}} goes with it")
        if isinstance(given, Comparison):
            return self._of_comparison(given, metric, drawing)
        if isinstance(given, Mapping):
            data = of_scores([given], ids=self.ids, clusters=self.clusters)
            # Which scores are better is no matter: tests are two-sided, or of A minus B.
            metrics = () if metric is None else (metric,)
            given = Reading(data, metric=metrics, lower_is_better=False)
        elif isinstance(given, Reading):
            if metric is not None:
                given = Reading(given.data, given.unit, (metric,), given.lower_is_better,
                                baseline=given.baseline)  # fmt: skip
        else:
            raise InputError(
                f"comparison: found {type(given).__name__}, expected a csig.Comparison, what "
                "csig.read gives, or a mapping {name: scores}"
            )
        return self._of_reading(given, drawing)

    def _of_comparison(
        self, given: Comparison, metric: str | Metric | None, drawing: Drawing | None
    ) -> Recommendation:
        if self.rows == "datasets" or self.datasets is not None:
            raise InputError("datasets: give a mapping {name: scores}, or what csig.read gives")
        if self.rows == "folds":
            if "score" not in given.columns:
                raise InputError("rows: folds need one score of each system per fold")
            found, ids, _ = given.at(given.levels[0]).labelled_rows()
            if self.folds is not None and self.folds < found.n and ids is not None:
                raise InputError(
                    "folds: the rows of a comparison with ids have no order; give a mapping "
                    "{name: scores}"
                )
            place = given.columns.index("score")
            a, b = (own[:, place] * float(given.scale[place]) for own in (found.a, found.b))
            folds = of_folds(a, b, self.folds, self.test_share, given.names)
            return advised_of_folds(folds, drawing)
        return advised(facts_of(given, metric, self.zero_division), drawing)

    def _of_reading(self, reading: Reading, drawing: Drawing | None) -> Recommendation:
        check_two(reading.data)
        metrics, data = one_group(reading.groups)
        if reading.metric and len(metrics) > 1:
            raise one_metric(metrics)
        # F1 of responses, or the first that suits.
        last = not reading.metric and (isinstance(data, ResponseData) or "f1" in metrics)
        metric = metrics[-1 if last else 0]
        if self.rows == "folds":
            data = _scores(data, "folds", "one row per fold")
            if len(data.names) != 2:
                raise InputError(
                    f"{argument('rows', 'folds')} is for two systems, found {len(data.names)}; "
                    "choose two of them"
                )
            ((a, b),) = reading.pairs
            names = data.names[a], data.names[b]
            scores = data.systems[a], data.systems[b]
            return advised_of_folds(of_folds(*scores, self.folds, self.test_share, names), drawing)
        if self.rows == "datasets" or self.datasets is not None:
            if drawing is not None and drawing.alternative != "two-sided":
                raise InputError("alternative: tests over data sets are two-sided")
            return advised_of_sets(of_sets(_table_of(data, metric, self.datasets)), drawing)
        if len(data.names) > 2:
            given = dict(taken(data, metric, reading.unit))
            if reading.baseline is not None:
                given["baseline"] = reading.names[baseline_of(reading.names, reading.baseline)]
            if drawing is not None and drawing.alternative != "two-sided":
                raise InputError("alternative: pairs of many systems are tested two-sided")
            return advised_of_systems(of_systems(given, self.zero_division), drawing)
        ((a, b),) = reading.pairs
        return self._of_comparison(data.at(a, b, reading.unit), metric, drawing)


def _scores(data: Data, rows: Rows, what: str) -> TableData:
    if isinstance(data, TableData) and data.table.format == "scores" and not data.table.runs:
        return data
    raise InputError(f"{argument('rows', rows)}: give a table of scores, {what}")


def _table_of(data: Data, metric: str | Metric, datasets: Any) -> dict[str, Any]:
    """What `compare_datasets` takes."""
    data = _scores(data, "datasets", "one column per system")
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
                f"{argument('dataset')}: no column {datasets!r}{perhaps(datasets, columns)}; there "
                f"are {first_few(columns, 12) or 'none'}"
            )
        labels = list(columns[datasets])
        check_units(labels, datasets, argument("rows", "datasets"))
    systems = dict(zip(data.names, data.systems, strict=True))
    if labels is None and table.ids is not None:
        labels = list(table.ids)
    less = isinstance(metric, Metric) and not metric.greater_is_better
    return {"table": systems, "datasets": labels, "lower_is_better": less}
