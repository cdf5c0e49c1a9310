"""``csig.read``: what ``csig compare`` reads, for a script."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, Unpack

from csig.base.errors import InputError, argument, in_python, naming
from csig.base.shown import Shown
from csig.base.validation import no_argument, one_of
from csig.base.wording import clean, first_few, perhaps
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.readers import forms
from csig.readers.data import Data, Group, one_group
from csig.readers.lines import StrPath
from csig.readers.request import CHOICES, Delimiter, Input, OptionError, Request
from csig.readers.tables.sheets import is_frame

if TYPE_CHECKING:
    from csig.readers.describe import Description
    from csig.readers.tables.matching import Table

#: Metrics, and the comparison that they need.
Tests: TypeAlias = tuple[list[str | Metric], Comparison]


def check_two(data: Data) -> None:
    """Refuse a single system: there is nothing to compare."""
    if len(data.names) == 1:
        more = data.source.table.files if data.source.table is not None else data.source.systems
        raise InputError(
            f"{first_few(more)}: found one system only, {data.names[0]!r}, expected two or more"
            + "".join(f"; {caution}" for caution in data.source.cautions)
        )


def baseline_of(names: Sequence[str], baseline: str) -> int:
    """The place of the system that is to be the baseline, as it is written or as it is printed."""
    for known in (names, [clean(name) for name in names]):
        if known.count(baseline) == 1:
            return known.index(baseline)
    raise OptionError(
        f"{argument('baseline')}: no system {baseline!r}{perhaps(baseline, names)}; there are "
        f"{first_few(names, 12)}"
    )


@dataclass(frozen=True, repr=False)
class Reading(Shown, report="csig.comparing.described"):
    """Systems on the same test data, as files have them and options choose them."""

    #: What was read.
    data: Data
    #: The unit that is swapped; None for the largest known unit.
    unit: str | None = None
    #: The metrics that were asked for; none for those that suit the data.
    metric: tuple[str | Metric, ...] = ()
    #: Whether lower scores were said to be better.
    lower_is_better: bool | None = None
    #: What tells parts of the data apart.
    by: str | None = None
    #: The system that the others are compared with; None for the first.
    baseline: str | None = None
    #: Messages name arguments as they did where this was made.
    _named: Callable[[], AbstractContextManager[None]] = field(
        default_factory=naming, compare=False
    )
    _tests: dict[tuple[int, int], list[Tests]] = field(
        default_factory=dict, init=False, compare=False
    )

    def __repr__(self) -> str:
        return f"<Reading {self.source.format}: {first_few(self.names, 4)}>"

    @property
    def names(self) -> tuple[str, ...]:
        """The systems, in the order of the files or columns; the first is the baseline."""
        return self.data.names

    @property
    def source(self) -> Input:
        """The format, the files and what else was found out about them."""
        return self.data.source

    @property
    def notes(self) -> tuple[str, ...]:
        """What reading the files brought to light."""
        return self.source.notes

    @property
    def cautions(self) -> tuple[str, ...]:
        """What looks wrong, or could have been read in another way."""
        return self.source.cautions

    @cached_property
    def groups(self) -> list[Group]:
        """Metrics with the data that each needs: one group, but for several columns of scores."""
        names = [metric for metric in self.metric if isinstance(metric, str)]
        with self._named():
            if len(names) == len(self.metric):
                return self.data.by_metric(names, self.lower_is_better)
            if self.lower_is_better:
                raise OptionError(
                    f"{argument('lower_is_better')} is for metrics by name; a csig.Metric says it"
                )
            groups = self.data.by_metric(names) if names else [([], self.data)]
            if len(groups) > 1:
                raise OptionError(
                    f"{argument('metric')}: columns of scores and a csig.Metric do not go together"
                )
        ((known, data),) = groups
        own = iter(known)
        return [([next(own) if isinstance(m, str) else m for m in self.metric], data)]

    @property
    def metrics(self) -> list[str | Metric]:
        """What :func:`csig.randomization_test` tests."""
        return [metric for own, _ in self.groups for metric in own]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs to compare, A and B: each system and the baseline, two systems or ten."""
        check_two(self.data)
        first = 0 if self.baseline is None else baseline_of(self.names, self.baseline)
        return [(i, first) for i in range(len(self.names)) if i != first]

    def _place(self, system: str | int) -> int:
        place = self.names.index(system) if system in self.names else system
        if not isinstance(place, int) or not 0 <= place < len(self.names):
            raise InputError(
                f"no system {system!r}{perhaps(system, self.names)}; there are "
                f"{first_few(self.names, 12)}"
            )
        return place

    def tests(self, a: str | int = 0, b: str | int = 1) -> list[Tests]:
        """Two systems, by every group of metrics with the comparison that it needs."""
        check_two(self.data)
        pair = self._place(a), self._place(b)
        if pair not in self._tests:
            with self._named():
                self._tests[pair] = [(own, data.at(*pair, self.unit)) for own, data in self.groups]
        return self._tests[pair]

    def comparison(self, a: str | int = 0, b: str | int = 1) -> Comparison:
        """Two systems, by their names or places; a difference is A minus B.

        The command line has the later system as A and the first as B: ``comparison(1, 0)``, or one
        of :attr:`comparisons`. Where files have several columns of scores, see :meth:`tests`.
        """
        with self._named():
            one_group(self.groups)
        return self.tests(a, b)[0][1]

    @property
    def comparisons(self) -> dict[tuple[str, str], Comparison]:
        """What ``csig compare`` tests, by the names of A and B: each system and the baseline."""
        return {(self.names[a], self.names[b]): self.comparison(a, b) for a, b in self.pairs}

    @property
    def parts(self) -> dict[Hashable, Comparison]:
        """The first two systems on every part, for :func:`csig.effects.breakdown`; A is the
        first.
        """
        return self.parts_of(0, 1)

    def parts_of(self, a: str | int, b: str | int) -> dict[Hashable, Comparison]:
        """Two systems, by their names or places, on every part that `by` tells apart."""
        if self.by is None:
            return {}
        _, data = one_group(self.groups)
        whole = self.comparison(a, b)
        pair = self._place(a), self._place(b)
        with self._named():
            parts = {key: own.at(*pair, whole.unit) for key, own in data.parts(self.by).items()}
        conflicts = whole.unit == "conflict"
        return {key: own.part_of(whole) if conflicts else own for key, own in parts.items()}

    def describe(self) -> Description:
        """Units, systems, labels, and what looks wrong: ``csig describe``."""
        from csig.readers.describe import describe

        return describe(self.data, lower=self.lower_is_better)


#: Options that are one path, that are on or off, and that are one text or several.
_PATHS = ("counts", "statistics", "document_file", "qrels", "instances")
_FLAGS = ("lower_is_better", "higher_is_better", "documents", "spans", "header")
#: What says what to read: the options, two of which have other names in Python.
_DEFAULTS = {
    {"gold_column": "gold", "system": "systems"}.get(name, name): plain
    for name, plain in vars(Request()).items()
}
_SEVERAL = ("metric", *(name for name, plain in _DEFAULTS.items() if plain == ()))

#: Options that say how files are written, or of which form.
_OF_FILES = (
    *_PATHS, "documents", "spans", "field", "sentence_column", "document_column", "rules",
    "scheme", "match", "quoting", "decimal", "delimiter", "header", "filter",
)  # fmt: skip


def _path(name: str, value: object) -> str:
    path = os.fspath(value) if isinstance(value, str | os.PathLike) else value
    if not isinstance(path, str):
        raise InputError(f"{name}: found {value!r}, expected a path as a str or a path-like object")
    return path


def _checked(options: dict[str, Any], files: Sequence[object]) -> dict[str, Any]:
    """The options as a command has them: paths, texts, one or several, and flags."""
    options = {**_DEFAULTS, **options, "files": ()}
    if isinstance(options["field"], Mapping):
        options["field"] = [f"{name}={own}" for name, own in options["field"].items()]
    if isinstance(options["allow_missing"], bool):
        options["allow_missing"] = "intersection" if options["allow_missing"] else None
    for name, value in options.items():
        if name in _SEVERAL:
            several = isinstance(value, Iterable) and not isinstance(value, str)
            options[name] = tuple(value) if several else () if value is None else (value,)
            if not all(isinstance(text, str) for text in options[name]):
                raise InputError(f"{name}: found {value!r}, expected strings")
        elif value is not None and name in _PATHS:
            options[name] = _path(name, value)
        elif value is not None and not isinstance(value, bool if name in _FLAGS else str):
            expected = "True or False" if name in _FLAGS else "a text"
            raise InputError(f"{name}: found {value!r}, expected {expected}")
    higher = options.pop("higher_is_better", False)
    options["lower_is_better"] = direction_said(options.get("lower_is_better"), higher)
    for name, possible in CHOICES.items():
        if options.get(name) != getattr(Request, name, None):
            one_of(name, options[name], possible)
    called = {"gold_column": options["gold"], "system": options["systems"]}
    return {**options, **called, "files": tuple(_path("files", file) for file in files)}


def direction_said(lower: bool | None, higher: bool | None) -> bool | None:
    """Whether lower scores were said to be better."""
    if lower and higher:
        raise InputError("lower_is_better and higher_is_better: expected one of them")
    return False if higher else lower


def request_of(
    files: Sequence[object], options: Mapping[str, Any]
) -> tuple[Request, dict[str, Any]]:
    """What to read of files or a frame by the keywords of :func:`read`, and what is chosen."""
    frames = any(map(is_frame, files))
    if frames and len(files) > 1:
        raise InputError(
            f"found {len(files)} inputs with a data frame among them; give one frame with a column "
            "for each system"
        )
    plain = {"higher_is_better": False, "unit": None, "metric": (), "lower_is_better": None}
    found = _checked({**plain, **options}, () if frames else files)
    chosen = {name: found[name] for name in ("unit", "metric", "lower_is_better", "by")}
    request = Request.taken(found)
    if frames and (others := request.given(*_OF_FILES)):
        raise OptionError(f"{others[0]} is for files, not for a data frame")
    return request, chosen


def check_no_files(found: object, reading: Mapping[str, Any], *known: str) -> None:
    """Refuse keywords that say how files are read, beside something else; but the `known`."""
    request, _ = request_of((), reading)
    for name in reading:
        if name not in known and getattr(request, name) != _DEFAULTS[name]:
            raise OptionError(f"{name}: is for files, found {type(found).__name__}")


class ReadOptions(TypedDict, total=False):
    """How files, and some also data frames, are read."""

    higher_is_better: bool
    counts: StrPath | None
    statistics: StrPath | None
    format: str
    documents: bool
    spans: bool
    field: Mapping[str, str] | Sequence[str] | None
    run: str | None
    answer_column: str | None
    system_column: str | None
    score_column: str | Sequence[str] | None
    ignore: str | Sequence[str] | None
    drop_row: str | Sequence[str] | None
    keep_row: str | Sequence[str] | None
    missing: str | Sequence[str] | None
    percent: str | Sequence[str] | None
    filter: str | None
    allow_missing: bool | Literal["intersection", "pairwise"]
    quoting: Literal["none", "csv"] | None
    decimal: Literal[".", ","]
    delimiter: Delimiter | None
    header: bool | None
    sentence_column: str | None
    document_column: str | None
    document_file: StrPath | None
    qrels: StrPath | None
    instances: StrPath | None
    rules: Literal["conlleval", "strict"] | None
    scheme: str | None
    match: Literal["token", "position"] | None


def read(
    *files: object,
    unit: str | None = None,
    by: str | None = None,
    metric: str | Sequence[str] | None = None,
    lower_is_better: bool | None = None,
    gold: str | None = None,
    systems: str | Sequence[str] | None = None,
    id: str | None = None,
    cluster: str | None = None,
    positive: str | None = None,
    name_a: str | None = None,
    name_b: str | None = None,
    **options: Unpack[ReadOptions],
) -> Reading:
    """Read what ``csig compare`` reads, with its options as keywords.

    Parameters
    ----------
    *files : str or path-like, or one data frame
        The gold and the systems, or one table, or one file per system; ``-`` is standard input.
        A data frame (pandas, polars, pyarrow and others) is a table; the index of pandas is a
        column, unless it is the default range.
    counts, statistics : str or path-like, optional
        Instead: a file of counts, or a table that ``csig convert`` wrote.
    qrels, instances : str or path-like, optional
        The judgements for runs of TREC, which the files are; all instances of SWE-bench, of which
        those that a report lacks count as unresolved.
    format, unit : str, optional
        "responses", "tags", "spans", "statistics", "scores", "counts", "labels", "lm-eval",
        "inspect", "helm", "lighteval", "every-eval-ever", "trec", "trec-eval", "promptfoo",
        "swe-bench", "tau-bench", "openai-evals" or "sclite", by default recognised; and the unit
        to swap, by default the largest known.
    metric, by : str, optional
        One or several, by default those that suit the data; and a label, field or column that
        divides the data into :attr:`Reading.parts`.
    lower_is_better, higher_is_better : bool
        By default lower is better where a name says so (wer, loss, perplexity, ...), asked for
        where it says time or cost, else higher.
    systems : str or sequence of str
        By default all; with it every other column without a reserved name is ignored.
    gold, id, cluster, run, answer_column, system_column, score_column, ignore : optional
        Columns: the gold's tags or labels, ids of units, clusters that are swapped whole, what
        tells runs apart, the texts of answers, which system a row is of, its scores, and what is
        left out.
    drop_row, keep_row, missing, percent : str or sequence of str
        Rows that are no units, and that are, though they are called "all", "mean", ...; cells that
        stand for a missing number; columns, or files, with numbers in percent.
    allow_missing : bool or "pairwise"
        Compare only the units, or documents, that every system has; of many systems with
        "pairwise" every two on the units that both have.
    quoting, decimal, delimiter, header, field : optional
        How cells are written, as ``csig compare --help`` has it; of JSON {name: own name or path}.
    documents, spans, filter, positive : optional
        Of responses, whether the first field is a document and the others start, end and label;
        which filter of lm-evaluation-harness, perturbation of HELM or result of every-eval-ever;
        the positive class, for labels.
    sentence_column, document_column, document_file, rules, scheme, match
        For tags: as for :func:`csig.readers.read_tags`.
    name_a, name_b : str, optional
        Names of two systems; by default those of their files or columns.

    Returns
    -------
    Reading
        Names, comparisons and metrics of the systems, with notes and cautions about the files.

    Raises
    ------
    InputError
        With what was found, where, and the keywords with which it can be read.

    Examples
    --------
    >>> import csig
    >>> files = ("gold", "logistic-regression", "nearest-centroid")
    >>> reading = csig.read(*(f"examples/digits/{name}.tsv" for name in files))
    >>> reading.names, reading.source.format, reading.cautions
    (('logistic-regression', 'nearest-centroid'), 'responses', ())
    >>> found = csig.randomization_test(reading.comparison(), reading.metrics)
    >>> {name: round(own.pvalue, 3) for name, own in found.items()}
    {'recall': 0.002, 'precision': 0.798, 'f1': 0.02}
    """
    given: dict[str, Any] = {**locals()}  # every parameter but these is an option
    for name in options:
        if name not in ReadOptions.__annotations__:
            raise no_argument("csig.read", name, [*given, *ReadOptions.__annotations__])
    del given["files"], given["options"]
    with in_python():
        return reading_of(files, {**given, **options})


def reading_of(files: Sequence[object], options: Mapping[str, Any]) -> Reading:
    """What files hold, or a data frame, by the options of :func:`read`."""
    request, chosen = request_of(files, options)
    if not any(map(is_frame, files)):
        return Reading(forms.read(request, chosen["metric"]), **chosen)
    from csig.readers.tables.reader import of_frame  # for those who have one

    return Reading(of_frame(files[0], request, chosen["metric"]), **chosen)


def read_table(*files: StrPath, metrics: Sequence[str] = (), **options: Any) -> Table:
    r"""Read a table of scores, counts or labels of several systems, or one from several files.

    Parameters
    ----------
    *files : str or path-like
        CSV, TSV, JSON, Parquet or Markdown; ``-`` is standard input.
    metrics : sequence of str
        Of several files the columns that are read, by default all.
    **options
        What :func:`csig.read` takes for tables.

    Returns
    -------
    Table

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "scores.csv")
    ...     _ = file.write_text("id,base,new\nq1,0.5,0.75\nq2,1,0.5\n")
    ...     table = read_table(file)
    >>> table.format, table.ids, table.systems["new"].tolist()
    ('scores', ['q1', 'q2'], [0.75, 0.5])
    """
    from csig.readers.tables.reader import read_tables  # for those who want one

    if unknown := [name for name in options if name not in _DEFAULTS]:
        raise no_argument("read_table", unknown[0], _DEFAULTS)
    return read_tables(Request.taken(_checked(options, files)), tuple(metrics))
