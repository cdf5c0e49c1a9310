"""Read candidates, rank methods, and make a document: ``csig rank``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from csig.base import wording
from csig.base.errors import InputError
from csig.base.progress import ProgressBar
from csig.rankings.methods import RankedMethods, default_lengths, rank_methods
from csig.rankings.nbest import nbest_precision
from csig.rankings.report import document_of_methods
from csig.rankings.samples import SamplePrecision, sample_precision
from csig.readers.request import OptionError, Request, shown
from csig.readers.tables.candidates import CandidateTable, read_candidates
from csig.readers.tables.reader import dialect_of
from csig.report.document import Document

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What may be drawn.
Drawn: TypeAlias = Literal["precision", "difference", "samples"]


class Ranked(NamedTuple):
    """What was found, its report, and the picture that was asked for."""

    result: RankedMethods
    document: Document
    figure: Callable[[], Figure]


def _figure(
    table: CandidateTable, result: RankedMethods, samples: SamplePrecision | None, picture: Drawn
) -> Figure:
    from csig.rankings import pictures  # for those who draw

    if picture == "samples" and samples is not None:
        return pictures.histograms(samples)
    if picture == "difference":
        axes: Any = pictures.ranking_difference(result)
    else:
        precision = nbest_precision(
            table.columns, table.methods, range(1, int(result.n[-1]) + 1), true=table.true,
            lower_is_better=result.lower_is_better, ties=result.ties,
            interval=result.precision.interval,
            confidence_level=result.precision.confidence_level,
        )  # fmt: skip
        axes = pictures.nbest_curves(precision)
    figure: Figure = axes.figure
    return figure


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
    more = [] if sample is None else [sample]
    table = read_candidates(
        path, true, methods, lower_is_better, more=more, dialect=dialect_of(request)
    )
    if picture == "samples" and sample is None:
        raise OptionError("--plot-kind samples goes with --sample COLUMN")
    if picture == "difference":
        if n is not None and len(set(n)) == 1:
            raise OptionError(
                f"--plot-kind difference: several lengths are needed, as --n 10:{max(20, n[0])}:10"
            )
        number = len(table.methods)
        pairs = math.comb(number, 2) if options.get("baseline") is None else number - 1
        if pairs != 1:
            raise OptionError(
                "--plot-kind difference: two methods are needed, found "
                f"{wording.counted(number, 'method')}; --methods names two"
            )
    lower = [
        name
        for name in table.methods
        if name in lower_is_better
        or any(name in map(str.strip, own.split(",")) for own in lower_is_better)
    ]
    samples = None
    if sample is not None:  # before the tests, which can take long: it may be refused
        known = {key: options[key] for key in ("ties", "confidence_level") if key in options}
        try:
            samples = sample_precision(
                {**table.columns, sample: table.sheet.texts(sample).tolist()}, table.methods,
                sample=sample, n=sample_n, total=total, true=table.true, lower_is_better=lower,
                **known,
            )  # fmt: skip
        except InputError as error:
            message = str(error).replace(
                "; give a smaller n, or threshold or total",
                "; give a smaller --sample-n, or one --n instead",
            )
            raise InputError(re.sub(r"^total = ", "n = ", message)) from None
    with ProgressBar("Testing") as bar:
        result = rank_methods(
            table.columns, table.methods, n, true=table.true, lower_is_better=lower,
            progress=bar if bar.wanted else None, **options,
        )  # fmt: skip
    size = len(next(iter(table.columns.values())))
    read = f"Read as {wording.counted(size, 'candidate')} ({wording.clean(shown(path))})"
    notes = [f"{read}; true: {wording.clean(table.true)}."]
    if not table.chosen:
        names = wording.few([wording.clean(name) for name in table.methods], 20)
        notes.append(f"Methods: all other columns of numbers ({names}); --methods names some.")
    if n is None:
        lengths = [wording.count(own) for own in default_lengths(size)]
        notes.append(f"By default n is {wording.listed(lengths)}; --n takes others.")
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
    return Ranked(result, document, partial(_figure, table, result, samples, picture))
