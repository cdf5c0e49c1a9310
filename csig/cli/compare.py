"""``csig compare``: is the difference between two systems real?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import click
from numpy.random import SeedSequence

from csig._version import __version__
from csig.cli.inputs import UNITS, Request, read
from csig.cli.sink import JsonFile, write_stdout
from csig.cli.tables import FORMATS, TableComparisons, is_table, read_tables
from csig.comparison import Comparison
from csig.metrics import Metric
from csig.progress import ProgressBar
from csig.randomization import METHODS, YEH_RESAMPLES, randomization_test
from csig.report.summary import Options, Summary
from csig.report.systems import Systems
from csig.results import RandomizationResult
from csig.streams import NAMED

__all__ = ["compare"]

_F = TypeVar("_F", bound=Callable[..., Any])


# Types are functions because click.ParamType is generic in new versions of click only.


def _whole(least: int, most: int | None = None) -> Callable[[object], int]:
    """A whole number, of any size up to `most`; 1_048_576 and 1,048,576 are read too."""

    def convert(value: object) -> int:
        given = str(value).strip()
        digits = given.replace("_", "").replace(",", "")
        # isdigit() alone takes superscripts; int() refuses more than 4300 digits.
        number = -1
        if digits.isascii() and digits.isdigit() and len(digits) <= 4000:
            number = int(digits)
        if number < least or (most is not None and number > most):
            bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
            shown = given if len(given) <= 40 else given[:40] + "..."
            raise click.BadParameter(f"expected a whole number {bounds}, found {shown!r}")
        return number

    return convert


def _share(value: object) -> float:
    """A number strictly between 0 and 1."""
    try:
        number = float(str(value))
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        raise click.BadParameter(f"expected a number between 0 and 1, found {str(value)!r}")
    return number


def _metrics(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(name.strip() for value in values for name in value.split(","))


def _options(*groups: Sequence[Callable[[_F], _F]]) -> Callable[[_F], _F]:
    """Decorate with options in the order in which they are listed, as --help shows them."""

    def decorate(function: _F) -> _F:
        for option in reversed([option for group in groups for option in group]):
            function = option(function)
        return function

    return decorate


_INPUT = [
    click.argument("files", nargs=-1, metavar="[GOLD A B | FILE...]", type=click.Path()),
    click.option(
        "--counts",
        metavar="FILE",
        type=click.Path(),
        help="TOML or JSON file with gold, both_correct, only_a_correct, only_b_correct, "
        "both_spurious, only_a_spurious, only_b_spurious, and name_a, name_b.",
    ),
    click.option(
        "--format",
        "format_",
        type=click.Choice(["auto", "responses", "tags", *FORMATS]),
        default="auto",
        show_default=True,
        help="What the files hold; the output says what was recognised.",
    ),
    click.option(
        "--documents", is_flag=True, help="The first field of every response is a document id."
    ),
    click.option(
        "--spans",
        is_flag=True,
        help="Responses are start, end (not included) and label: overlaps are counted.",
    ),
    click.option("--gold-column", metavar="NAME", help="Column of FILE: the gold tags or labels."),
    click.option("--a-column", metavar="NAME", help="Column of FILE, or system: A."),
    click.option("--b-column", metavar="NAME", help="Column of FILE, or system: B."),
    click.option(
        "--system",
        "systems",
        multiple=True,
        metavar="NAME",
        help="A system of a table; given several times, the first is the baseline.  [default: all]",
    ),
    click.option(
        "--id", "id_column", metavar="NAME", help="Column of a table: what identifies the units."
    ),
    click.option(
        "--cluster",
        metavar="NAME",
        help="Column of a table: units with the same label are exchanged together.",
    ),
    click.option(
        "--filter",
        "filter_",
        metavar="NAME",
        help="Which filter of lm-evaluation-harness, where samples have several.",
    ),
    click.option(
        "--allow-missing",
        type=click.Choice(["intersection"]),
        metavar="intersection",
        help="Go on with the units that every system of a table has.",
    ),
    click.option(
        "--sentence-column",
        metavar="NAME",
        help="Column of FILE that changes where a sentence starts (blank lines do it too).",
    ),
    click.option(
        "--unit",
        type=click.Choice(UNITS),
        help="What is exchanged: single responses; groups of responses that exclude each other "
        "(tags, or --spans); whole sentences (tags); whole documents (--documents, or tags with "
        "comments or -DOCSTART- lines that mark them); units or clusters of a table.  "
        "[default: response; of a table the largest]",
    ),
    click.option("--name-a", metavar="NAME", help="Name of A.  [default: the file's]"),
    click.option("--name-b", metavar="NAME", help="Name of B.  [default: the file's]"),
]

_TEST = [
    click.option(
        "--metric",
        "metrics",
        multiple=True,
        metavar="NAME,...",
        help="recall, precision, f1, f0.5, f2, ..., jaccard; of tables also accuracy, mean, "
        "macro_f1, mcc, kappa, ...; can be given several times."
        "  [default: recall,precision,f1; of tables by their format]",
    ),
    click.option(
        "--alternative",
        type=click.Choice(["two-sided", "less", "greater"]),
        default="two-sided",
        show_default=True,
        help="A differs from B, is less, is greater.",
    ),
    click.option(
        "--method",
        type=click.Choice(METHODS),
        default="auto",
        show_default=True,
        help="auto is exact wherever that can be computed; yeh2000 is the paper's "
        "procedure with its checks.",
    ),
    click.option(
        "--resamples",
        type=_whole(1, 2**48),
        metavar="N",
        default=YEH_RESAMPLES,
        show_default=True,
        help="Shuffles of an approximate test.",
    ),
    click.option(
        "--seed",
        type=_whole(0),
        metavar="N",
        help="Seed of the shuffles, of any size.  [default: fresh]",
    ),
    click.option(
        "--bit-generator",
        type=click.Choice(NAMED, case_sensitive=False),
        metavar="NAME",
        help=f"{', '.join(NAMED)}.  [default: {NAMED[0]}]",
    ),
    click.option(
        "--threads",
        type=_whole(1, 1024),
        metavar="N",
        help="Never changes a result.  [default: all processors]",
    ),
    click.option(
        "--zero-division",
        type=click.Choice(["0", "1"]),
        default="0",
        show_default=True,
        help="The score where the denominator is zero.",
    ),
]

_OUTPUT = [
    click.option(
        "--alpha",
        type=_share,
        metavar="SHARE",
        default=0.05,
        show_default=True,
        help="Level of significance for the verdicts.",
    ),
    click.option(
        "--confidence",
        type=_share,
        metavar="SHARE",
        default=0.99,
        show_default=True,
        help="Level of the interval around an approximate p-value.",
    ),
    click.option(
        "--json",
        "json_path",
        metavar="FILE|-",
        type=click.Path(),
        help="Write everything as JSON as well; - prints nothing but JSON.",
    ),
]


@click.command(
    short_help="Test whether two systems differ in recall, precision, F, ...",
    epilog="""\b
Examples:
  csig compare gold.tsv method1.tsv method2.tsv
  csig compare --documents --metric f1,f0.5 gold.tsv a.tsv b.tsv
  csig compare gold.conll tagger1.conll tagger2.conll
  csig compare tags.tsv --gold-column gold --a-column crf --b-column bert
  csig compare --unit sentence gold.conll tagger1.conll tagger2.conll
  csig compare scores.csv --system base --system new --cluster task
  csig compare labels.tsv --gold-column gold --metric macro_f1,mcc
  csig compare model1/samples_*.jsonl model2/samples_*.jsonl --metric exact_match
  csig compare --counts yeh.toml --method yeh2000 --seed 1 --json record.json""",
)
@_options(_INPUT, _TEST, _OUTPUT)
def compare(
    files: tuple[str, ...],
    counts: str | None,
    format_: str,
    documents: bool,
    spans: bool,
    gold_column: str | None,
    a_column: str | None,
    b_column: str | None,
    systems: tuple[str, ...],
    id_column: str | None,
    cluster: str | None,
    filter_: str | None,
    allow_missing: str | None,
    sentence_column: str | None,
    unit: str | None,
    name_a: str | None,
    name_b: str | None,
    metrics: tuple[str, ...],
    alternative: str,
    method: str,
    resamples: int,
    seed: int | None,
    bit_generator: str | None,
    threads: int | None,
    zero_division: str,
    alpha: float,
    confidence: float,
    json_path: str | None,
) -> None:
    """Test whether system A and system B differ, by randomization (Yeh 2000).

    GOLD, A and B are files of responses, one a line, fields separated by tabs; or of
    tokens with tags (BIO, IOB1, IOE, IOBES) in the last column. One FILE may hold all
    three as columns, and --counts takes a file of counts.

    Or FILE is a table with a row a unit and a column a system: of scores, of counts
    (tp_NAME, predicted_NAME, gold), of labels. A system may have a FILE of its own: a
    table, one number a line, samples of lm-evaluation-harness. Of more than two systems
    the first is the baseline.
    """
    if method == "yeh2000" and resamples != YEH_RESAMPLES:
        raise click.UsageError(f"--resamples: method yeh2000 always draws {YEH_RESAMPLES} shuffles")
    if method == "yeh2000" and unit not in (None, "response"):
        raise click.UsageError(f"--unit {unit}: method yeh2000 is the paper's, for responses")
    if sys.stdout is None and json_path in (None, "-"):  # before the work, not after it
        raise click.UsageError("standard output is closed; give --json FILE")
    request = Request(
        files,
        counts,
        format_,
        documents,
        spans,
        gold_column,
        a_column,
        b_column,
        sentence_column,
        name_a,
        name_b,
        unit,
        systems,
        id_column,
        cluster,
        filter_,
        allow_missing is not None,
    )
    options = Options(
        metrics=_metrics(metrics),
        alternative=alternative,
        method=method,
        n_resamples=resamples,
        seed=seed,
        bit_generator=bit_generator,
        threads=threads,
        zero_division=int(zero_division),
        confidence_level=confidence,
        alpha=alpha,
        unit=unit or "response",
    )
    if json_path is None or json_path == "-":
        summary = _run(request, options)
        if json_path is None:
            _print(summary)
        else:
            write_stdout(_as_json(summary))
        return
    with JsonFile(json_path, request.paths) as file:
        summary = _run(request, options)
        try:
            file.write(_as_json(summary))
        finally:  # a disk that is full now does not take the results along
            _print(summary)


def _run(request: Request, options: Options) -> Summary | Systems:
    if is_table(request):
        if options.method == "yeh2000":
            raise click.UsageError("--method yeh2000 is the paper's, for responses, not for tables")
        found = read_tables(request, options.metrics)
        names = [m if isinstance(m, str) else m.name for m in found.metrics]
        options = replace(options, metrics=tuple(names), unit=found.comparisons[0].unit)
        if len(found.comparisons) > 1:
            return _systems(found, options)
        comparison, source = found.comparisons[0], found.source
        results = _test(comparison, found.metrics, options)
    else:
        options = replace(options, metrics=options.metrics or ("recall", "precision", "f1"))
        comparison, source = read(request)
        results = _test(comparison, options.metrics, options)
    return Summary(__version__, source, comparison, options, results)


def _test(
    comparison: Comparison,
    metrics: Sequence[str | Metric],
    options: Options,
    seed: int | None = None,
) -> dict[str, RandomizationResult]:
    with ProgressBar() as bar:
        return randomization_test(
            comparison,
            metrics,
            alternative=options.alternative,
            method=options.method,
            n_resamples=options.n_resamples,
            rng=options.seed if seed is None else seed,
            bit_generator=options.bit_generator,
            threads=options.threads,
            zero_division=options.zero_division,
            confidence_level=options.confidence_level,
            progress=bar if bar.wanted else None,
        )


def _systems(found: TableComparisons, options: Options) -> Systems:
    """Every system with the baseline, by the same seed."""
    seed = options.seed
    if seed is None:
        entropy = SeedSequence().entropy
        assert isinstance(entropy, int)
        seed = entropy
    summaries = []
    for comparison in found.comparisons:
        results = _test(comparison, found.metrics, options, seed)
        summaries.append(Summary(__version__, found.source, comparison, options, results))
    return Systems(summaries)


def _as_json(summary: Summary | Systems) -> str:
    from csig.report import record

    if isinstance(summary, Systems):
        return record.systems_as_json(summary)
    return record.as_json(summary)


def _print(summary: Summary | Systems) -> None:
    if sys.stdout is None:  # closed by the caller, who wants the file only
        return
    from csig.report.terminal import make_console, print_summary, print_systems

    console = make_console(sys.stdout)
    if isinstance(summary, Systems):
        print_systems(summary, console)
    else:
        print_summary(summary, console)
