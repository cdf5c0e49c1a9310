"""Read candidates, rank methods, and make a document: ``csig rank``."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from csig.base import wording
from csig.base.defaults import FLIPS
from csig.base.errors import Refusal, Remedy
from csig.base.progress import ProgressBar, announce
from csig.base.wording import counted, first_few, perhaps
from csig.engines.flips import nested_seconds
from csig.engines.pool import default_threads
from csig.rankings.methods import RankedMethods, default_lengths, rank_methods
from csig.rankings.nbest import nbest_precision
from csig.rankings.report import document_of_methods
from csig.rankings.samples import sample_precision
from csig.readers.lines import StrPath
from csig.readers.request import OptionError, Request, option, shown
from csig.readers.tables.files import read_sheet
from csig.readers.tables.names import ID_NAMES, is_property, is_statistic
from csig.readers.tables.reader import dialect_of
from csig.readers.tables.rules import bad_cell, check_names, kind_of, refused, scores
from csig.readers.tables.sheets import Dialect, Sheet
from csig.report.document import Document

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

#: What may be drawn.
Drawn: TypeAlias = Literal["precision", "difference", "samples"]


class Ranked(NamedTuple):
    """What was found, its report, and the picture that was asked for."""

    result: RankedMethods
    document: Document
    figure: Callable[[], Figure]


def ranked_from(
    request: Request,
    true: str | None,
    methods: Sequence[str] = (),
    n: Sequence[int] | None = None,
    *,
    lower_is_better: Sequence[str] = (),
    sample: str | None = None,
    sample_n: int | None = None,
    picture: Drawn = "precision",
    **options: Any,
) -> Ranked:
    """Read, compare, and say what was found; `options` are those of :func:`csig.rank_methods`."""
    (path,) = request.files
    total = None  # the length of the whole table's list, which is divided among the samples
    if sample is None and sample_n is not None:
        raise OptionError("--sample-n goes with --sample COLUMN")
    if sample is not None and sample_n is None:
        if n is None or len(set(n)) != 1:
            raise OptionError(
                "--sample: which candidates of every sample? Give --sample-n with how many are the "
                "best of each, or one --n, whose list is divided among the samples"
            )
        total = n[0]
    table = read_candidates(
        path, true, methods, lower_is_better, sample=sample, dialect=dialect_of(request)
    )
    number = len(table.methods)
    n_pairs = math.comb(number, 2) if options.get("baseline") is None else number - 1
    if picture == "samples" and sample is None:
        raise OptionError("--plot-kind samples goes with --sample COLUMN")
    if picture == "difference":
        if n is not None and len(set(n)) == 1:
            raise OptionError(
                f"--plot-kind difference: several lengths are needed, as --n 10:{max(20, n[0])}:10"
            )
        if n_pairs != 1:
            raise OptionError(
                "--plot-kind difference: two methods are needed, found "
                f"{wording.counted(number, 'method')}; --methods names two"
            )
    samples = None
    if sample is not None:  # before the tests, which can take long: it may be refused
        known = {key: options[key] for key in ("ties", "confidence_level") if key in options}
        samples = sample_precision(
            {**table.columns, sample: table.sheet.texts(sample).tolist()}, table.methods,
            sample=sample, n=sample_n, total=total, true=table.true, lower_is_better=table.lower,
            **known,
        )  # fmt: skip
    size = len(next(iter(table.columns.values())))
    lengths = default_lengths(size) if n is None else n
    with ProgressBar("Testing") as bar:
        if sample is None and len(lengths) > 1:
            trials = options.get("n_resamples") or FLIPS
            threads = options.get("threads") or default_threads()
            announce(
                f"{wording.counted(trials, 'flip')} of {wording.counted(n_pairs, 'pair')} at "
                f"{wording.counted(len(lengths), 'length')}",
                n_pairs * nested_seconds(size, len(lengths), trials, threads),
                "fewer lengths (--n 100:2000:100), flips (--resamples) or pairs (--baseline) take "
                "less",
            )
        result = rank_methods(
            table.columns, table.methods, n, true=table.true, lower_is_better=table.lower,
            progress=bar if bar.wanted else None, **options,
        )  # fmt: skip
    read = f"Read as {wording.counted(size, 'candidate')} ({wording.clean(shown(path))})"
    notes = [f"{read}; true: {wording.clean(table.true)}."]
    if not table.chosen:
        names = wording.few([wording.clean(name) for name in table.methods], 20)
        said = f"Methods: all other columns of numbers ({names})"
        notes.append(wording.Line(f"{said}; --methods names some.", f"{said}."))
    if n is None:
        listed = wording.listed([wording.count(own) for own in lengths])
        said = f"By default n is {listed}"
        notes.append(wording.Line(f"{said}; --n takes others.", f"{said}."))
    if table.unused and not table.chosen:
        notes.append(f"Columns that were not used: {wording.first_few(table.unused, 12)}.")
    document = document_of_methods(
        result,
        doubts=table.sheet.cautions,
        notes=[*notes, *table.sheet.notes],
        source={
            "file": shown(path),
            "true_column": table.true,
            "methods_chosen": table.chosen,
            "sample_column": sample,
            "unused_columns": list(table.unused),
        },
        samples=samples,
    )

    def figure() -> Figure:
        from csig.rankings import pictures  # for those who draw

        if picture == "samples" and samples is not None:
            return pictures.histograms(samples)
        if picture == "difference":
            axes: Any = pictures.ranking_difference(result)
        else:
            precision = nbest_precision(
                table.columns, table.methods, range(1, int(result.n[-1]) + 1), true=table.true,
                lower_is_better=table.lower, ties=result.ties, interval=result.precision.interval,
                confidence_level=result.precision.confidence_level,
            )  # fmt: skip
            axes = pictures.nbest_curves(precision)
        drawn: Figure = axes.figure
        return drawn

    return Ranked(result, document, figure)


#: How true and false are spelt: all cells in one way.
_YES_NO = {"yes", "no"}
_SPELLINGS = ({"1", "0", "1.0", "0.0"}, {"true", "false"}, _YES_NO)
_EXPECTED = "True or False, 1 or 0, or yes or no"

#: Why a column cannot be a method, whatever it is called.
_CELLS = "has cells that are no numbers"

#: Properties of candidates that rank them.
_FREQUENCIES = ("freq", "frequency")


class CandidateTable(NamedTuple):
    """Candidates, as they were read."""

    #: Which candidates are true, and the scores of every method, by column.
    columns: dict[str, Any]
    true: str
    methods: tuple[str, ...]
    lower: tuple[str, ...]  #: Those whose small scores are the best.
    #: Whether the methods were named; else they are all columns of numbers.
    chosen: bool
    unused: tuple[str, ...]
    sheet: Sheet


def read_candidates(
    path: StrPath,
    true: str | None,
    methods: Sequence[str] = (),
    lower_is_better: Sequence[str] = (),
    *,
    sample: str | None = None,
    dialect: Dialect,
) -> CandidateTable:
    """Read candidates from CSV, TSV, JSON or Parquet."""
    sheet = read_sheet(path, dialect)
    if true is None:
        some = [name for name in sheet.names if _truth(sheet, name) is not None]
        have = "has" if len(some) == 1 else "have"
        there = f"; {first_few(some, 12)} {have} nothing but true and false"
        if not some:
            there = f" ({_EXPECTED}); {path} has none such, its columns are "
            there += first_few(sheet.names, 20)
        raise refused(
            f"give --true COLUMN, the column that says which candidates are true{there}",
            [Remedy(("--true", name)) for name in some[:3]],
        )
    roles = {true: "--true"} if sample is None else {true: "--true", sample: "--sample"}
    check_names(sheet, [*roles])
    columns: dict[str, Any] = {true: _truth(sheet, true)}
    if columns[true] is None:
        cells = [cell.casefold() for cell in sheet.texts(true)]
        kind = next((own for own in _SPELLINGS if cells[0] in own), set())
        odd = sheet.numbers(true).odd  # spelt like the rest, but with a decimal point for a comma
        unread = 0 if odd is None else int(np.argmax(odd))
        row = next((i for i, cell in enumerate(cells) if cell not in kind), unread)
        missing = "; candidates that nobody judged are neither: leave them out"
        raise bad_cell(sheet, true, row, f"{_EXPECTED}, all of one kind{missing}")
    names = _split(sheet, methods, "--methods")
    lower = _split(sheet, lower_is_better, "--lower")
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise OptionError(f"--methods: {twice[0]!r} is given twice")
    for column, role in roles.items():
        if column in names:
            raise OptionError(f"--methods and {role} name the same column, {column!r}")
    chosen = bool(names)
    names = names or _all_numbers(sheet, [*roles], lower)
    for name in lower:
        if name not in names:
            there = f"; there are {first_few(names, 12)}" if chosen else ""
            what = "none of the methods" if chosen else "no column of numbers"
            raise OptionError(f"--lower: {name!r} is {what}{perhaps(name, names)}{there}")
    check_names(sheet, names)
    for name in names:
        try:
            columns[name] = scores(sheet, name)
        except Refusal as error:  # of the options that read others there is --decimal only
            ways = [own for own in error.remedies if "--decimal" in own.options]
            raise refused(error.found, ways) from None
    unused = tuple(own for own in sheet.names if own not in columns and own not in roles)
    small = tuple(name for name in names if name in lower)
    return CandidateTable(columns, true, tuple(names), small, chosen, unused, sheet)


def _split(sheet: Sheet, given: Sequence[str], option: str) -> list[str]:
    """Names of columns; a text that is none may be several."""
    names: list[str] = []
    for text in given:
        names += [text] if text in sheet.names else filter(None, map(str.strip, text.split(",")))
    if given and not names:
        raise OptionError(f"{option}: found no name of a column")
    return names


def _truth(sheet: Sheet, name: str) -> NDArray[np.bool_] | None:
    """Where a column says true; None if it has anything but true and false."""
    kind = kind_of(sheet, name)
    if kind == "0/1" and sheet.numbers(name).missing is None:
        return np.asarray(sheet.numbers(name).values != 0)
    texts = sheet.texts(name)
    # Most columns end at a look at the first.
    if kind != "text" or not _YES_NO.issuperset(map(str.casefold, texts[:1000])):
        return None
    codes, different = texts.codes()
    cells = [cell.casefold() for cell in different]
    if not _YES_NO.issuperset(cells):
        return None
    return np.array([cell == "yes" for cell in cells])[codes]


def _all_numbers(sheet: Sheet, taken: Sequence[str], lower: Sequence[str]) -> list[str]:
    """All columns of numbers, if each can only be a method of which more is better."""
    others = [name for name in sheet.names if name not in taken]
    numbers = [name for name in others if kind_of(sheet, name) not in ("text", "empty")]
    if not numbers:
        raise OptionError(
            f"{sheet.header}: no column of numbers beside {taken[0]!r}, so there are no methods; "
            f"the columns are {first_few(sheet.names, 20)}"
        )
    odd = {name: why for name in numbers if (why := _doubtful(sheet, name, lower))}
    if not odd:
        return numbers

    def methods(names: Sequence[str]) -> tuple[str, ...]:
        apart = any("," in name for name in names)
        return option("methods", *names) if apart else ("--methods", ",".join(names))

    good = [name for name in numbers if name not in odd]
    plain = [name for name in numbers if odd.get(name) != _CELLS]
    low = [name for name in plain if is_statistic(name)]
    remedies = [Remedy(methods(good), "the others")] if good else []
    if plain != good:
        every = methods(plain) + option("lower", *low)
        remedies.append(Remedy(every, "if all are" + ", and low is best there" * bool(low)))
    name, why = next(iter(odd.items()))
    raise Refusal(f"{sheet.header}: column {name!r} {why}, and may be no method", *remedies)


def _doubtful(sheet: Sheet, name: str, lower: Sequence[str]) -> str:
    """Why a column of numbers may be no method of which more is better."""
    if name.casefold() in ID_NAMES:
        return "is named like an id"
    if is_statistic(name) and name not in lower:
        return "is called like a rank, a p-value or another statistic"
    if is_property(name) and name not in lower and name.casefold() not in _FREQUENCIES:
        return "is called like a property of candidates"
    column = sheet.numbers(name)
    if column.odd is not None or column.missing is not None:
        return _CELLS
    if _truth(sheet, name) is not None:
        return "has nothing but 1 and 0"
    if len(column.values) > 2 and bool((np.diff(column.values) == 1).all()):
        return f"counts {counted(len(column.values), 'row')}"
    return ""
