"""``csig.read``: what ``csig compare`` reads, for a script."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from csig.comparison import Comparison
from csig.errors import InputError
from csig.metrics import Metric
from csig.readers import forms
from csig.readers.data import Data, one_group
from csig.readers.lines import StrPath
from csig.readers.request import CHOICES, OptionError, Request
from csig.readers.source import Input
from csig.readers.tables.frames import is_frame
from csig.wording import clean, first_few, perhaps

if TYPE_CHECKING:
    from csig.readers.describe import Description
    from csig.readers.tables.matching import Table

__all__ = ["Reading", "baseline_of", "check_two", "read", "read_table"]


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
    shown = [clean(name) for name in names]
    for known in (list(names), shown):
        if known.count(baseline) == 1:
            return known.index(baseline)
    raise OptionError(
        f"--baseline: no system {clean(baseline)!r}{perhaps(clean(baseline), shown)}; there are "
        f"{first_few(shown, 12)}"
    )


@dataclass(frozen=True, repr=False)
class Reading:
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
    _tests: dict[tuple[int, int], list[tuple[list[str | Metric], Comparison]]] = field(
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
    def groups(self) -> list[tuple[list[str | Metric], Data]]:
        """Metrics with the data that each needs: one group, but for several columns of scores."""
        names = [metric for metric in self.metric if isinstance(metric, str)]
        if len(names) == len(self.metric):
            return self.data.by_metric(names, self.lower_is_better)
        if self.lower_is_better:
            raise OptionError("--lower-is-better is for metrics by name; a csig.Metric says it")
        groups = self.data.by_metric(names) if names else [([], self.data)]
        if len(groups) > 1:
            raise OptionError("--metric: columns of scores and a csig.Metric do not go together")
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

    def tests(
        self, a: str | int = 0, b: str | int = 1
    ) -> list[tuple[list[str | Metric], Comparison]]:
        """Two systems, by every group of metrics with the comparison that it needs."""
        check_two(self.data)
        pair = self._place(a), self._place(b)
        if pair not in self._tests:
            self._tests[pair] = [(own, data.at(*pair, self.unit)) for own, data in self.groups]
        return self._tests[pair]

    def comparison(self, a: str | int = 0, b: str | int = 1) -> Comparison:
        """Two systems, by their names or places; a difference is A minus B.

        The command line has the later system as A and the first as B: ``comparison(1, 0)``, or one
        of :attr:`comparisons`. Where files have several columns of scores, see :meth:`tests`.
        """
        one_group(self.groups)
        return self.tests(a, b)[0][1]

    @property
    def comparisons(self) -> dict[tuple[str, str], Comparison]:
        """What ``csig compare`` tests, by the names of A and B: each system and the baseline."""
        return {(self.names[a], self.names[b]): self.comparison(a, b) for a, b in self.pairs}

    @property
    def parts(self) -> dict[Hashable, Comparison]:
        """The first two systems on every part, for :func:`csig.breakdown`; A is the first."""
        return self.parts_of(0, 1)

    def parts_of(self, a: str | int, b: str | int) -> dict[Hashable, Comparison]:
        """Two systems, by their names or places, on every part that `by` tells apart."""
        if self.by is None:
            return {}
        _, data = one_group(self.groups)
        ((_, whole),) = self.tests(a, b)
        found: dict[Hashable, Comparison] = {}
        for label, own in data.parts(self.by).items():
            part = own.at(self._place(a), self._place(b), whole.unit)
            found[label] = part.part_of(whole) if whole.unit == "conflict" else part
        return found

    def describe(self) -> Description:
        """Units, systems, labels, and what looks wrong: ``csig describe``."""
        from csig.readers.describe import describe

        return describe(self.data, lower=self.lower_is_better)


def _texts(name: str, value: str | Sequence[str]) -> tuple[str, ...]:
    """One text or several."""
    found = (value,) if isinstance(value, str) or not isinstance(value, Iterable) else tuple(value)
    if not all(isinstance(text, str) for text in found):
        raise InputError(f"{name}: found {value!r}, expected strings")
    return found


def _path(name: str, value: object) -> str:
    """The name of a file, as text."""
    path = os.fspath(value) if isinstance(value, str | os.PathLike) else value
    if not isinstance(path, str):
        raise InputError(f"{name}: found {value!r}, expected a path as a str or a path-like object")
    return path


#: Options that are either on or off.
_FLAGS = ("lower_is_better", "higher_is_better", "documents", "spans", "header")

#: Options that take one text or several.
_SEVERAL = (
    "system", "ignore", "metric", "score_column", "drop_row", "keep_row", "missing", "percent",
)  # fmt: skip

#: Options that say how files are written, or of which form.
_OF_FILES = (
    "counts", "statistics", "documents", "spans", "field", "sentence_column", "document_column",
    "document_file", "rules", "scheme", "match", "quoting", "decimal", "delimiter", "header",
    "filter",
)  # fmt: skip


def _checked(options: dict[str, Any]) -> dict[str, Any]:
    """The options as a command has them: texts, one or several, and flags."""
    for name in _SEVERAL:
        options[name] = _texts(name, options[name])
    if options.pop("higher_is_better"):
        if options["lower_is_better"]:
            raise InputError("lower_is_better and higher_is_better: expected one of them")
        options["lower_is_better"] = False
    if isinstance(options["field"], Mapping):
        options["field"] = tuple(f"{name}={own}" for name, own in options["field"].items())
    options["field"] = _texts("field", options["field"])
    if isinstance(options["allow_missing"], bool):
        options["allow_missing"] = "intersection" if options["allow_missing"] else None
    for name in ("counts", "statistics", "document_file"):
        if options[name] is not None:
            options[name] = _path(name, options[name])
    for name, value in options.items():
        kinds, expected = (bool, "True or False") if name in _FLAGS else ((str, tuple), "a text")
        if value is not None and not isinstance(value, kinds):
            raise InputError(f"{name}: found {value!r}, expected {expected}")
    for name, possible in CHOICES.items():
        if options[name] not in (getattr(Request, name, None), *possible):
            hint = perhaps(options[name], possible)
            raise InputError(
                f"{name}: found {options[name]!r}{hint}, expected {first_few(possible, 12)}"
            )
    return options


def read(
    *files: object,
    counts: StrPath | None = None,
    statistics: StrPath | None = None,
    format: str = "auto",
    unit: str | None = None,
    by: str | None = None,
    metric: str | Sequence[str] = (),
    lower_is_better: bool | None = None,
    higher_is_better: bool = False,
    documents: bool = False,
    spans: bool = False,
    field: Mapping[str, str] | Sequence[str] = (),
    gold_column: str | None = None,
    system: str | Sequence[str] = (),
    system_column: str | None = None,
    score_column: str | Sequence[str] = (),
    id: str | None = None,
    cluster: str | None = None,
    run: str | None = None,
    ignore: str | Sequence[str] = (),
    drop_row: str | Sequence[str] = (),
    keep_row: str | Sequence[str] = (),
    missing: str | Sequence[str] = (),
    percent: str | Sequence[str] = (),
    filter: str | None = None,
    allow_missing: bool | Literal["intersection"] = False,
    positive: str | None = None,
    quoting: Literal["none", "csv"] | None = None,
    decimal: Literal[".", ","] = ".",
    delimiter: Literal["tab", "comma", "semicolon", "space"] | None = None,
    header: bool | None = None,
    sentence_column: str | None = None,
    document_column: str | None = None,
    document_file: StrPath | None = None,
    rules: Literal["conlleval", "strict"] | None = None,
    scheme: str | None = None,
    match: Literal["token", "position"] | None = None,
    name_a: str | None = None,
    name_b: str | None = None,
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
    format : str
        "responses", "tags", "spans", "statistics", "scores", "counts", "labels" or "lm-eval"; by
        default recognised.
    unit : str, optional
        The unit to swap: "response", "conflict", "token", "sentence", "document", "unit" or
        "cluster"; by default the largest known.
    by : str, optional
        A label, field or column that divides the data into :attr:`Reading.parts`.
    metric : str or sequence of str
        By default those that suit the data.
    lower_is_better, higher_is_better : bool
        Which scores are better. By default lower where a name says so (wer, loss, perplexity, ...),
        asked for where it says time or cost, else higher.
    documents, spans : bool
        For responses: the first field is a document; the others are start, end and label.
    field : mapping {name: own}
        For JSON: the names of the columns there, or their paths in objects.
    system : str or sequence of str
        Columns, or systems of a table, by name; by default all. With it every other column without
        a reserved name is ignored.
    system_column, score_column : str or sequence of str, optional
        Where every row names its system: the column that does, and those of the scores.
    gold_column, id, cluster, run : str, optional
        Columns: the gold's tags or labels, the ids of the units, the clusters that are swapped
        whole, and what tells several runs of each system apart.
    ignore : str or sequence of str
        Columns of a table to leave out.
    drop_row, keep_row : str or sequence of str
        Rows that are no units, and rows that are, though they are called "all", "mean", ...
    missing : str or sequence of str
        Cells that stand for a missing number, such as "-1".
    percent : str or sequence of str
        Columns, or files, whose numbers are in percent.
    filter : str, optional
        Which filter of lm-evaluation-harness.
    allow_missing : bool
        Compare only the units, or documents, that every system has.
    positive : str, optional
        The positive class, for labels.
    quoting : {"none", "csv"}, optional
        Whether quotation marks are text, or enclose cells, as in CSV by default.
    decimal : {".", ","}
        What stands before decimals.
    delimiter : {"tab", "comma", "semicolon", "space"}, optional
        What separates cells; by default what gives every row as many as the header.
    header : bool, optional
        Whether the first row has the names of the columns; else they are numbered from 1.
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
        With the message of the command line and its names of options: ``--no-header`` is
        ``header=False``, and ``--allow-missing intersection`` is ``allow_missing=True``.

    Examples
    --------
    >>> import csig
    >>> reading = csig.read(
    ...     "examples/digits/gold.tsv",
    ...     "examples/digits/logistic-regression.tsv",
    ...     "examples/digits/nearest-centroid.tsv",
    ... )
    >>> reading.names, reading.source.format, reading.cautions
    (('logistic-regression', 'nearest-centroid'), 'responses', ())
    >>> comparison = reading.comparison()
    >>> for name, result in csig.randomization_test(comparison, reading.metrics).items():
    ...     print(name, f"{result.pvalue:.3g}")
    recall 0.00183
    precision 0.798
    f1 0.0203
    """
    options = _checked({**locals()})  # every parameter is an option
    chosen = {name: options[name] for name in ("unit", "metric", "lower_is_better", "by")}
    if not any(map(is_frame, files)):
        request = Request.taken({**options, "files": tuple(_path("files", own) for own in files)})
        return Reading(forms.read(request, chosen["metric"]), **chosen)
    from csig.readers.objects import of_frame  # for those who have one

    if len(files) > 1:
        raise InputError(
            f"found {len(files)} inputs with a data frame among them; give one frame with a column "
            "for each system"
        )
    request = Request.taken({**options, "files": ()})
    others = request.given(*_OF_FILES)
    if others:
        raise OptionError(f"{others[0]} is for files, not for a data frame")
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

    Raises
    ------
    Refusal
        If a column or row is neither declared nor accounted for by a rule.
    InputError
        If a cell is no number, an id comes twice, or a file is no table.

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

    plain = vars(Request())
    unknown = [name for name in options if name not in plain]
    if unknown:
        raise TypeError(f"read_table() has no argument {unknown[0]!r}{perhaps(unknown[0], plain)}")
    paths = tuple(_path("files", file) for file in files)
    checked = _checked({"metric": (), "lower_is_better": None, "higher_is_better": False,
                        "unit": None, **plain, **options, "files": paths})  # fmt: skip
    return read_tables(Request.taken(checked), tuple(metrics))
