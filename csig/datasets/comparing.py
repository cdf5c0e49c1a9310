"""Many systems over many data sets: which differ, by tests that do not assume normal scores.

First how they are read, from files, data frames and scores.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from csig import streams
from csig.base import wording
from csig.base.defaults import DATASET_CORRECTIONS, DATASET_TESTS, YEH_RESAMPLES, ZERO_METHODS
from csig.base.errors import InputError, Refusal, Remedy, argument, in_python, warn
from csig.base.progress import shown
from csig.base.shown import ShownArrays, ShownRows, ShownTuple
from csig.base.validation import between, one_of, positive
from csig.base.wording import clean, counted
from csig.classical.paired import ZeroMethod
from csig.data.comparison import Comparison
from csig.data.digests import datasets_digest
from csig.data.metrics import Metric
from csig.data.several import DatasetTable, dataset_table
from csig.data.units import labels_of
from csig.datasets.pairs import (
    OF_ONE_TEST,
    DatasetsCorrection,
    DatasetTest,
    OverallTest,
    Shuffles,
    adjusted_by,
    advice_on,
    check_correction,
    critical_difference,
    doubts,
    overall_doubts,
    overall_tests,
    pair_table,
)
from csig.probability.tables import letter_groups, midranks
from csig.readers.data import Data, TableData, less_by_name, one_group, one_metric
from csig.readers.forms import form_of, read
from csig.readers.objects import check_reading, data_of, named, several
from csig.readers.reading import (
    Reading,
    ReadOptions,
    baseline_of,
    check_no_files,
    check_two,
    request_of,
)
from csig.readers.request import Input, OptionError, Request
from csig.readers.tables.files import read_sheet
from csig.readers.tables.names import known_name, shared_parts, system_column
from csig.readers.tables.reader import data_of as data_of_table
from csig.readers.tables.reader import dialect_of, leaderboard, of_frame
from csig.readers.tables.rules import by_name, refused
from csig.readers.tables.sheets import FRAME, Sheet, frame_sheet, is_frame
from csig.results.randomization import Seed
from csig.systems.reading import right_and_wrong, several_runs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.readers.request import Input

#: Names of the column with the data sets; the first that is there is taken.
DATASET_NAMES = (
    "dataset", "data_set", "data set", "data-set", "dataset_name", "corpus", "benchmark",
    "collection", "domain", "problem", "task",
)  # fmt: skip


def named_by(
    request: Request, datasets: object = None, metrics: Sequence[str] = (), frame: object = None
) -> tuple[Data, Sequence[Hashable]]:
    """The systems in files or a data frame, and the name of every row's data set."""
    if isinstance(datasets, str):
        request = replace(request, cluster=datasets)
    elif datasets is None and (
        frame is not None or (len(request.files) == 1 and form_of(request) == "table")
    ):
        dialect = dialect_of(request)
        sheet = (
            read_sheet(request.files[0], dialect) if frame is None else frame_sheet(frame, dialect)
        )
        index = getattr(getattr(frame, "index", None), "names", ())
        names = [name for name in (str(own or "") for own in index) if name in sheet.names]
        if len(names) == 1 and request.id is None:
            request = replace(request, id=names[0])
        if (across := leaderboard(sheet, by_name(sheet, request))) is not None:
            files = request.files or [FRAME]
            return data_of_table(request, across, files), tuple(map(str, across.ids or ()))
        request = _with_names(request, sheet)
    try:
        found = read(request, metrics) if frame is None else of_frame(frame, request, metrics)
    except Refusal as error:  # in its remedies groups of rows are the data sets of units
        remedies = []
        for own in error.remedies:
            if {"--unit", "--run"}.isdisjoint(own.options):
                words = ["--dataset" if word == "--cluster" else word for word in own.options]
                why = "one row per unit of a data set" if "--cluster" in own.options else ""
                verb = None if own.verb == "datasets" else own.verb
                remedies.append(replace(own, options=tuple(words), why=why, verb=verb))
        raise refused(error.found, remedies) from None
    if not isinstance(found, TableData):
        raise OptionError(
            f"csig datasets reads a table with one row per data set, found {found.source.format}"
        )
    table = found.table
    if table.runs:
        raise several_runs()
    if isinstance(datasets, str):
        if table.clusters is None:
            raise OptionError(
                f"{argument('dataset', datasets)}: no column says which data set a row is of"
            )
        return found, tuple(map(str, table.clusters))
    if datasets is not None:
        return found, labels_of("datasets", datasets, table.n_units)
    ids = range(1, table.n_units + 1) if table.ids is None else table.ids
    return found, tuple(str(own[-1]) if isinstance(own, tuple) else str(own) for own in ids)


def _with_names(request: Request, sheet: Sheet) -> Request:
    """The request with the column that names the data sets, if one is called so."""
    if request.id is None:
        known = known_name([n for n in sheet.names if n not in request.ignore], DATASET_NAMES)
        request = request if known is None else replace(request, id=known)
    column = by_name(sheet, request).id
    if column is None or column not in sheet.names or system_column(sheet.names):
        return request
    texts = sheet.texts(column)
    if not texts.distinct() and not request.drop_row:
        codes, different = texts.codes()
        sizes = np.bincount(codes)
        most = int(np.argmax(sizes))
        if 2 * int((sizes > 1).sum()) < len(different):  # a mistake; of units most would repeat
            first, second = np.flatnonzero(codes == most)[:2].tolist()
            raise InputError(
                f"{sheet.path}: column {column!r}: found data set {different[most]!r} on "
                f"{sheet.place(first)} and again on {sheet.place(second)}"
            )
        raise Refusal(
            f"{sheet.path}: column {column!r} has {different[most]!r} in "
            f"{int((codes == most).sum()):,} rows, expected one row per data set",
            Remedy(("--dataset", column), "one row per unit of a data set", without=("--id",)),
        )
    return request


def check_units(labels: Sequence[Hashable], dataset: str, way_out: str) -> None:
    """Refuse a column of data sets in which no name repeats; `way_out` is for whole data sets."""
    if len(set(labels)) == len(labels):
        raise OptionError(
            f"{argument('dataset', dataset)}: every row has a data set of its own; for one row per "
            f"data set give {way_out}"
        )


def table_of(
    inputs: Sequence[object], given: Mapping[str, Any], reading: ReadOptions
) -> tuple[DatasetTable, bool | None, Input | None]:
    """What `csig.compare_datasets` was given, whether lower is better, and what was read."""
    datasets, metric = given["datasets"], given["metric"]
    systems = several("systems", given["systems"], (str,), "names")
    metrics = several("metric", metric, (str,), "a name")
    if not inputs:
        raise InputError("nothing to compare: give files, a data frame or scores")
    if any(isinstance(own, Comparison) for own in inputs):
        raise InputError(
            "inputs: a csig.Comparison is of one data set; give the score of every system on each"
        )
    if any(isinstance(own, Reading) for own in inputs):
        raise InputError(
            "inputs: what csig.read gives is of one data set; give the files or the frame itself"
        )
    frame = next(filter(is_frame, inputs), None)
    if frame is not None or all(isinstance(own, (str, os.PathLike)) for own in inputs):
        request, _ = request_of(
            inputs,
            {name: given[name] for name in ("id", "gold", "positive", "lower_is_better")}
            | {"systems": systems, "metric": metrics, **reading},
        )
        if frame is None and not isinstance(datasets, str | None):
            raise InputError(
                f"datasets: found {type(datasets).__name__}, expected the name of a column; "
                "names go with scores"
            )
        return table_read(request, datasets, metrics, given["lower_is_better"], frame)
    of_units = isinstance(datasets, Mapping) or any(
        given[name] is not None for name in ("gold", "id", "positive")
    )
    check_no_files(inputs[0], reading, "allow_missing")
    if not of_units and not reading.get("allow_missing"):
        if len(metrics) > 1:
            raise one_metric(metrics)
        if metrics and metrics[0] not in ("mean", "accuracy"):
            raise InputError(f"metric: scores are taken as they are, found {metrics[0]!r}")
        table, lower = dataset_table(named(inputs, systems), datasets), given["lower_is_better"]
        if lower is None:
            lower = less_by_name("", " ".join(shared_parts(table.names)))
        return table, lower, None
    with in_python(cluster="datasets"):
        data = data_of(inputs, metrics, {**given, "cluster": datasets}, reading)
    assert isinstance(data, TableData)
    labels = data.table.ids if datasets is None else data.table.clusters
    return *_scores(data, metrics, given["lower_is_better"], labels), None


def table_read(
    request: Request,
    datasets: object = None,
    metrics: Sequence[str] = (),
    lower_is_better: bool | None = None,
    frame: object = None,
) -> tuple[DatasetTable, bool | None, Input]:
    """The same of files, or of a data frame."""
    data, labels = named_by(request, datasets, metrics, frame)
    check_two(data)
    if len(set(labels)) < 2:
        raise InputError(
            f"{[*request.files, FRAME][0]}: found one data set only, expected two or more; csig "
            "systems compares systems on the units of one data set"
        )
    if isinstance(datasets, str):
        check_units(labels, datasets, argument("id", datasets))
    return *_scores(data, metrics, lower_is_better, labels), data.source


def _scores(
    data: Data, metrics: Sequence[str], lower_is_better: bool | None, labels: object
) -> tuple[DatasetTable, bool | None]:
    """The scores of a table by a metric, and whether lower is better."""
    if len(metrics) > 1:  # systems over data sets are ranked by one
        raise one_metric(metrics)
    (metric, *_), chosen = one_group(data.by_metric(metrics, lower_is_better))
    assert isinstance(chosen, TableData)
    table, systems = chosen.table, dict(zip(chosen.names, chosen.systems, strict=True))
    labelled = table.format == "labels"
    if isinstance(metric, Metric):
        lower_is_better = not metric.greater_is_better
    elif metrics and metrics[0] not in (("accuracy",) if labelled else ("accuracy", "mean")):
        what = "labels are compared by accuracy" if labelled else "scores are taken as they are"
        raise OptionError(
            f"{argument('metric', metrics[0])}: {what}; there is no other metric in this table"
        )
    if table.format == "counts":
        raise OptionError(
            "counts: csig datasets takes scores; give one column of scores per system, such as F1"
        )
    right = right_and_wrong(chosen) if labelled else systems
    return dataset_table(right, labels), lower_is_better


#: Pairs that are compared; 200 systems have 19,900.
MOST_PAIRS = 20_000


@dataclass(frozen=True)
class DatasetSystem(ShownRows):
    """A system among the others."""

    name: str  #: The system.
    average_rank: float  #: Over the data sets; 1 is the best.
    mean: float  #: Of its scores, which may not be comparable over data sets.
    #: wins, ties, losses: other systems on data sets: those that it beats, ties with, loses to.
    wins: int
    ties: int
    losses: int
    #: better_than, worse_than: other systems that are significantly worse, significantly better.
    better_than: int
    worse_than: int


@dataclass(frozen=True)
class DatasetPair(ShownRows):
    """Two systems: of all pairs the better in rank first, beside a baseline the baseline second."""

    system: str  #: system, other: their names.
    other: str
    difference: float  #: The first one's mean score minus the second one's.
    rank_difference: float  #: The same of their average ranks; negative if the first is better.
    wins: int  #: wins, ties, losses: data sets on which the first is better, equal, worse.
    ties: int
    losses: int
    pvalue: float  #: Two-sided, of the chosen test, of this pair alone.
    adjusted_pvalue: float  #: By the chosen correction: what may be compared with alpha.
    better: str | None  #: The system that is significantly better by that.
    #: Of this pair alone, by every test: "wilcoxon", "sign", "t", "randomization", "within" (units
    #: within data sets), "ranks" and "ranks-ties" (average ranks among all systems; the second with
    #: the variance of tied ranks), "conover" and "quade" (t on ranks), "anova". A test that says
    #: nothing of these data is absent. Those of "conover" are too small where other systems differ
    #: clearly.
    pvalues: Mapping[str, float]
    #: By every procedure: each of these tests with the chosen correction, or Holm's where that does
    #: not go with it; and "nemenyi", "nemenyi-ties", "ranks-holm", "ranks-shaffer",
    #: "ranks-bergmann-hommel", "tukey"; beside a baseline "bonferroni-dunn", "ranks-holm" and
    #: "dunnett".
    adjusted_by: Mapping[str, float]


def loser(pair: DatasetPair) -> str | None:
    """The system that is significantly worse."""
    if pair.better is None:
        return None
    return pair.other if pair.better == pair.system else pair.system


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class DatasetsResult(ShownArrays):
    """What can be said of systems over data sets: see :func:`compare_datasets`.

    Arrays have the data sets and systems in the order of `datasets` and `names`.
    """

    names: tuple[str, ...]  #: The systems.
    datasets: tuple[str, ...]  #: The data sets.
    scores: NDArray[np.float64]  #: One score each; of units their mean.
    #: Units of every data set; None where one score per data set was given.
    sizes: tuple[int, ...] | None
    greater_is_better: bool  #: False for errors and losses.
    #: Within every data set; 1 is the best, ties share the mean of their ranks.
    ranks: NDArray[np.float64]
    baseline: str | None  #: The system that all others are compared with; None where all pairs are.
    #: How pairs are compared: "wilcoxon", "sign", "t", "randomization", "within", "ranks", "anova".
    test: DatasetTest
    correction: DatasetsCorrection  #: How p-values are adjusted.
    zero_method: ZeroMethod  #: What the Wilcoxon test does with data sets without a difference.
    alpha: float  #: The level of all claims together.
    overall: ShownTuple[OverallTest]  #: Tests of all systems at once, or of two.
    #: The least difference of two average ranks that is significant at alpha: "nemenyi" of all
    #: pairs, "bonferroni-dunn" beside one system.
    critical_differences: Mapping[str, float]
    pairs: ShownTuple[DatasetPair]  #: The pairs, the best systems first.
    n_resamples: int | None  #: Shuffles of randomization tests that are not exact; None if all are.
    seed: Seed | None  #: What reproduces them.
    digest: str  #: The SHA-256 of the scores, or of the units' scores, that the numbers depend on.
    doubts: tuple[str, ...] = ()  #: What to know before believing the verdicts.
    #: What to know of `overall`; no verdict on a pair rests on it.
    overall_doubts: tuple[str, ...] = ()
    source: Input | None = None  #: What was read, if files were.
    #: Whether all units' scores lie from 0 to 1; None where units are not known.
    _shares: bool | None = field(default=None, repr=False)

    @property
    def in_percent(self) -> bool:
        """Whether its scores are shares, which are printed in percent."""
        return wording.in_percent(self.scores.flat, shares=self._shares)

    def _line(self) -> str:
        differ = sum(pair.better is not None for pair in self.pairs)
        first = self.names[self.order[0]]
        ranks = self.average_ranks
        over = f"{counted(len(self.names), 'system')}, {counted(len(self.datasets), 'data set')}"
        best = f"best rank {min(ranks):.4g}, {clean(first)}"
        return f"{over}: {best}; {differ:,} of {len(self.pairs):,} pairs differ"

    @property
    def average_ranks(self) -> tuple[float, ...]:
        """Of every system over the data sets."""
        return tuple((self.ranks.sum(axis=0) / len(self.ranks)).tolist())

    @property
    def means(self) -> tuple[float, ...]:
        """Of every system's scores; meaningless where scores of data sets are not comparable."""
        return tuple(self.scores.mean(axis=0).tolist())

    @property
    def order(self) -> list[int]:
        """The systems' places, the best average rank first."""
        ranks = self.ranks.sum(axis=0)
        return sorted(range(len(self.names)), key=lambda i: float(ranks[i]))

    @property
    def wins(self) -> NDArray[np.int64]:
        """``wins[j, k]``: data sets on which system j is better than k; ``wins.T`` has losses."""
        return _counted(np.less, self.ranks)

    @property
    def ties(self) -> NDArray[np.int64]:
        """``ties[j, k]``: data sets on which two systems have the same score."""
        return _counted(np.equal, self.ranks)

    @property
    def systems(self) -> ShownTuple[DatasetSystem]:
        """Every system among the others, the best average rank first."""
        wins, ties, ranks, means = self.wins, self.ties, self.average_ranks, self.means
        better, worse = Counter(pair.better for pair in self.pairs), Counter(map(loser, self.pairs))
        n = len(self.datasets)  # on which every system ties with itself
        return ShownTuple(
            DatasetSystem(
                name := self.names[i], ranks[i], means[i],
                wins=int(wins[i].sum()), ties=int(ties[i].sum()) - n, losses=int(wins[:, i].sum()),
                better_than=better[name], worse_than=worse[name],
            )
            for i in self.order
        )  # fmt: skip

    def groups(self, by: str | None = None) -> tuple[tuple[str, ...], ...]:
        """The largest groups of systems that cannot be told apart, as a diagram draws them.

        Parameters
        ----------
        by : str, optional
            A procedure of `DatasetPair.adjusted_by`: "nemenyi" gives the bars of the critical
            difference. By default the verdicts on pairs.

        Returns
        -------
        tuple of tuple of str
            Two or more systems each, the best average rank first. Two systems can be in one group
            although the first and the last of a third group between them are not. Beside a baseline
            it is one group: the baseline and what cannot be told from it.

        Raises
        ------
        InputError
            If there is no such procedure, or more than 26 groups.
        """
        apart = np.zeros((len(self.names),) * 2, dtype=bool)
        for pair in self.pairs:
            j, k = self.names.index(pair.system), self.names.index(pair.other)
            differ = pair.better is not None
            if by is not None:
                one_of("by", by, list(pair.adjusted_by))
                differ = pair.adjusted_by[by] <= self.alpha
            apart[j, k] = apart[k, j] = differ
        if self.baseline is not None:
            base = self.names.index(self.baseline)
            groups = [[i for i in self.order if not apart[i, base]]]
        else:
            groups = letter_groups(apart, self.order)
        return tuple(tuple(self.names[i] for i in own) for own in groups if len(own) > 1)

    def critical_difference(
        self, procedure: str | None = None, alpha: float | None = None
    ) -> float:
        """The least difference of two average ranks that is significant.

        Parameters
        ----------
        procedure : {"nemenyi", "bonferroni-dunn", "dunnett"}, optional
            By default the first of all pairs, and the second beside a baseline. "dunnett" uses
            that the others have the baseline in common, and is less than the second.
        alpha : float, optional
            By default the result's.
        """
        if procedure is None:
            procedure = "nemenyi" if self.baseline is None else "bonferroni-dunn"
        one_of("procedure", procedure, ("nemenyi", "bonferroni-dunn", "dunnett"))
        level = self.alpha if alpha is None else between("alpha", alpha)
        return critical_difference(procedure, level, len(self.names), len(self.datasets))

    @property
    def advice(self) -> tuple[str, ...]:
        """Which of these tests to trust, and why."""
        return advice_on(len(self.names), len(self.datasets), self.sizes is not None)


def _counted(holds: np.ufunc, ranks: NDArray[np.float64]) -> NDArray[np.int64]:
    """On how many data sets something holds of two systems' ranks."""
    counts = np.zeros((ranks.shape[1],) * 2, dtype=np.int64)
    for row in ranks:
        counts += holds.outer(row, row)
    return counts


def compare_datasets(
    *inputs: object,
    systems: str | Sequence[str] | None = None,
    metric: str | None = None,
    datasets: object = None,
    baseline: str | None = None,
    id: object = None,
    gold: object = None,
    positive: str | None = None,
    lower_is_better: bool | None = None,
    correction: DatasetsCorrection = "holm",
    pairs: DatasetTest = "wilcoxon",
    zero_method: ZeroMethod = "zsplit",
    alpha: float = 0.05,
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    bit_generator: str | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], object] | bool | None = None,
    **reading: Unpack[ReadOptions],
) -> DatasetsResult:
    """Compare many systems over many data sets.

    Parameters
    ----------
    *inputs
        Files, as ``csig datasets`` takes them, one table or one file per system; a data frame with
        one row per data set, or unit, and one column per system; a mapping {system: scores}, or the
        scores of each system. These are one per data set, {data set: score}, or {data set: one
        score per unit}.
    systems, gold, positive
        As for :func:`csig.compare`; labels are compared by their accuracy.
    metric : str, optional
        Of several columns of scores, or files with several, which to take.
    datasets : str or sequence, optional
        The column that says which data set a unit is of; or, beside scores, the data set of each.
        Where names repeat the scores are those of units: a data set's score is their mean, and the
        units can be swapped within their data set.
    id : str or sequence, optional
        The column with the ids of units, or with the names of data sets where there is one row for
        each, which is the index of a frame that has one; or, beside scores, the ids or names.
    baseline : str, optional
        Compare all others with this system only, which is fewer tests. By default all pairs.
    lower_is_better : bool, optional
        For error rates, perplexities. By default only where a name says so.
    correction : str
        How p-values of pairs are adjusted. Any test has "holm", the default, "bonferroni",
        "bh" and "by"; of all pairs "shaffer" and "bergmann-hommel" (up to 9 systems), which take
        from "j is equal to k, and k to l" that j is equal to l. "nemenyi" goes with "ranks",
        "tukey" (all pairs) and "dunnett" (a baseline) with "anova".
    pairs : str
        How two systems are compared: "wilcoxon", the default, exact with its ties; "sign"; "t";
        "randomization", where whole data sets are swapped; "within", where units are swapped
        within their data sets; "ranks", by average ranks among all systems; "anova", by the
        variance that all systems share. The others are in the result beside it.
    zero_method : {"zsplit", "pratt", "wilcox"}
        What "wilcoxon" does with data sets without a difference: see
        :func:`csig.classical.wilcoxon_test`.
    alpha : float
        The significance level of all claims together.
    n_resamples : int, optional
        Shuffles of randomization tests that are not exact, by default 2^20.
    rng, bit_generator, threads, progress
        As for :func:`csig.randomization_test`.
    **reading
        How files are read: the other keywords of :func:`csig.read`.

    Returns
    -------
    DatasetsResult
        With `average_ranks`, `overall`, `pairs`, `critical_differences`, `groups()`, `advice`.

    Warns
    -----
    DataWarning
        For what looks wrong in files.

    Raises
    ------
    InputError
        For anything that cannot be used, in one line with the way out.

    Notes
    -----
    Ranks, tests and their mathematics are in docs/theory.md, *Systems over data sets*. A test asks
    whether a difference would hold on other data sets like these, which are taken to be
    independent; only "within" keeps the data sets and asks about further units of them.

    The default compares two systems by their own scores, because a verdict that comes from
    average ranks can change with the other systems (Benavoli, Corani and Mangili 2016). Exact
    p-values of the Wilcoxon test are conditional on the ranks that were found, ties and zeros
    included; it assumes that the differences of equal systems are symmetric around zero. Tests
    beside the chosen one that would take long are left out: of more than 105 pairs the
    randomization tests, of more than 50 systems Tukey and Dunnett.

    References
    ----------
    Demsar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of
    Machine Learning Research 7.

    Garcia, S. and Herrera, F. (2008). An extension on "Statistical comparisons of classifiers over
    multiple data sets" for all pairwise comparisons. Journal of Machine Learning Research 9.

    Benavoli, A., Corani, G. and Mangili, F. (2016). Should we really use post-hoc tests based on
    mean-ranks? Journal of Machine Learning Research 17.

    Examples
    --------
    Four variants of C4.5 on 14 data sets (Demsar 2006, table 6), by their AUC:

    >>> import csig
    >>> auc = {
    ...     "C4.5": [763, 599, 954, 628, 882, 936, 661, 583, 775, 1000, 940, 619, 972, 957],
    ...     "C4.5+m": [768, 591, 971, 661, 888, 931, 668, 583, 838, 1000, 962, 666, 981, 978],
    ...     "C4.5+cf": [771, 590, 968, 654, 886, 916, 609, 563, 866, 1000, 965, 614, 975, 946],
    ...     "C4.5+m+cf": [798, 569, 967, 657, 898, 931, 685, 625, 875, 1000, 962, 669, 975, 970],
    ... }
    >>> found = csig.compare_datasets(auc, baseline="C4.5")
    >>> found
    <DatasetsResult 4 systems, 14 data sets: best rank 1.929, C4.5+m+cf; 2 of 3 pairs differ>
    >>> [(pair.system, round(pair.adjusted_pvalue, 4), pair.better) for pair in found.pairs]
    [('C4.5+m+cf', 0.0249, 'C4.5+m+cf'), ('C4.5+m', 0.0234, 'C4.5+m'), ('C4.5+cf', 0.8779, None)]
    >>> [round(value, 2) for value in found.critical_differences.values()]
    [1.25, 1.17]
    """
    given = {**locals()}  # every parameter
    inputs = check_reading("csig.compare_datasets", inputs, given, reading)
    with in_python():
        table, lower, read = table_of(inputs, given, reading)
        result = rank_datasets(
            table, baseline=baseline, lower_is_better=bool(lower), correction=correction,
            pairs=pairs, zero_method=zero_method, alpha=alpha, n_resamples=n_resamples, rng=rng,
            bit_generator=bit_generator, threads=threads, progress=progress, read=read,
        )  # fmt: skip
    for caution in () if read is None else read.cautions:
        warn(caution)
    return result


def rank_datasets(
    given: DatasetTable,
    *,
    baseline: str | None = None,
    lower_is_better: bool = False,
    correction: DatasetsCorrection = "holm",
    pairs: DatasetTest = "wilcoxon",
    zero_method: ZeroMethod = "zsplit",
    alpha: float = 0.05,
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    bit_generator: str | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], object] | bool | None = None,
    read: Input | None = None,
) -> DatasetsResult:
    """What :func:`compare_datasets` finds of a table, which may have been read."""
    alpha = between("alpha", alpha)
    one_of("pairs", pairs, DATASET_TESTS)
    one_of("correction", correction, DATASET_CORRECTIONS)
    one_of("zero_method", zero_method, ZERO_METHODS)
    names = given.names
    if baseline is not None:
        baseline = names[baseline_of(names, baseline)]
    check_correction(correction, pairs, len(names), baseline)
    n_pairs = math.comb(len(names), 2)
    if baseline is None and n_pairs > MOST_PAIRS:
        raise InputError(
            f"{counted(len(names), 'system')} have {n_pairs:,} pairs, more than "
            f"{MOST_PAIRS:,}; compare with a baseline, or give fewer systems"
        )
    if pairs == "within" and given.units is None:
        raise InputError(
            f"{argument('pairs', 'within')} swaps units within data sets, and there is one score "
            f"per data set; give one row per unit, and with {argument('dataset')} the data set of "
            "each"
        )
    n = YEH_RESAMPLES if n_resamples is None else n_resamples
    n_resamples = positive("n_resamples", n, 2**48)
    threads = None if threads is None else positive("threads", threads, 1024)
    source = streams.make_source(rng, bit_generator)
    shuffles = Shuffles({
        "n_resamples": n_resamples,
        "rng": np.random.SeedSequence(source.entropy, spawn_key=source.spawn_key),
        "bit_generator": source.factory,
        "threads": threads,
    })  # fmt: skip
    sign = -1 if lower_is_better else 1
    ranks = midranks(-sign * given.ordered)
    # The pairs in the order of `numpy.triu_indices`, the best average rank first.
    k, n = len(names), len(given.datasets)
    means, sums = given.scores.mean(axis=0), ranks.sum(axis=0)
    order = np.argsort(sums, kind="stable").tolist()
    places = [(j, i) for place, j in enumerate(order) for i in order[place + 1 :]]
    if baseline is not None:
        base = names.index(baseline)
        places = [(j, base) for j in order if j != base]
    with shown(progress) as notify:
        tested = pair_table(
            given, ranks, places, pairs, sign=sign,
            zero_method=zero_method, shuffles=shuffles, notify=notify,
        )  # fmt: skip
    by_procedure = adjusted_by(tested, correction, k, n, all_pairs=baseline is None)
    chosen = by_procedure[correction if correction in OF_ONE_TEST else pairs]
    compared, n_against = [], 0
    for place, (i, j) in enumerate(tested.places):
        ahead, p = float(tested.ahead[pairs][place]), float(chosen[place])
        best = None if p > alpha or ahead == 0 else i if ahead > 0 else j
        difference = float(means[i] - means[j])
        # Whether the better system has the worse mean score.
        n_against += best == (j if sign * difference > 0 else i) and difference != 0
        compared.append(
            DatasetPair(
                names[i],
                names[j],
                difference,
                float(sums[i] - sums[j]) / n,
                int((ranks[:, i] < ranks[:, j]).sum()),
                int((ranks[:, i] == ranks[:, j]).sum()),
                int((ranks[:, i] > ranks[:, j]).sum()),
                float(tested.pvalues[pairs][place]),
                p,
                None if best is None else names[best],
                {name: float(own[place]) for name, own in tested.pvalues.items()},
                {name: float(own[place]) for name, own in by_procedure.items()},
            )
        )
    overall = overall_tests(given, ranks)
    for test, single in tested.single.items():  # of two systems also what is known of the pair
        df = (float(n - 1),) if test == "t" else ()
        overall.append(OverallTest(test, single.statistic, df, single.pvalue, single.said))
    for values in (given.scores, ranks):
        values.setflags(write=False)
    return DatasetsResult(
        names=names,
        datasets=given.datasets,
        scores=given.scores,
        _shares=given.shares,
        sizes=None if given.units is None else tuple(given.sizes.tolist()),
        greater_is_better=not lower_is_better,
        ranks=ranks,
        baseline=baseline,
        test=pairs,
        correction=correction,
        zero_method=zero_method,
        alpha=alpha,
        overall=ShownTuple(overall),
        critical_differences={
            name: critical_difference(name, alpha, k, n) for name in ("nemenyi", "bonferroni-dunn")
        },
        pairs=ShownTuple(compared),
        n_resamples=n_resamples if shuffles.used else None,
        seed=Seed(source.name, source.entropy, source.spawn_key, 0) if shuffles.used else None,
        digest=datasets_digest(given, baseline),
        doubts=(
            *(() if read is None else read.cautions),
            *doubts(
                given, pairs, correction, alpha, n_pairs=len(compared), n_shuffled=shuffles.used,
                n_against=n_against,
            ),
        ),
        overall_doubts=overall_doubts(k, n),
        source=read,
    )  # fmt: skip
