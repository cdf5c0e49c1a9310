"""``csig compare``: is the difference between two systems real?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from csig.cli.help import Choice, Command
from csig.cli.lazily import imported
from csig.cli.options import (
    BASELINE,
    CITE,
    EXPLAIN,
    INPUT,
    INTERVAL,
    METRICS,
    PROGRESS,
    RUNS,
    STRICT,
    decorated,
    end,
    json_option,
    metric_names,
    share,
    shuffles,
    unit_option,
    verdicts,
    whole,
)
from csig.cli.picture import PLOT, picture_at
from csig.cli.printing import format_option, print_document
from csig.cli.sink import Failures, OutputFile, distinct, write_stdout
from csig.cli.workers import SCHEDULER, executor_at
from csig.defaults import MOST_RESAMPLES, RISK, YEH_RESAMPLES
from csig.readers.request import Request
from csig.report.options import Options
from csig.report.rendering import Format
from csig.validation import METHODS, Method

if TYPE_CHECKING:
    from csig.report.summary import Summary
    from csig.report.systems import Systems

__all__ = ["compare"]

_UNIT = [
    unit_option(
        "What is swapped: single responses; groups of responses that exclude each other "
        "(tags, spans); single tokens (--scheme plain); whole sentences (tags); whole documents, "
        "where they are known; units or clusters of a table.  [default: the largest known]",
    ),
    click.option(
        "--by",
        metavar="NAME",
        help="Break results down: one row per label (of spans or tags), per value of response "
        "field number NAME, or per value of table column NAME.",
    ),
    click.option(
        "--sensitivity/--no-sensitivity",
        default=True,
        show_default=True,
        help="Repeat the test for every available unit to show how much the choice matters (with "
        "fewer shuffles where that would be slow).",
    ),
]

_METHOD = [
    click.option(
        "--method",
        type=Choice(METHODS),
        default="auto",
        show_default=True,
        help="auto is exact wherever that can be computed; certified encloses the p of a mean or "
        "another sum, whatever its numbers, between two proven bounds, without shuffles; yeh2000 "
        "is the paper's procedure with its checks.",
    ),
    click.option(
        "--statistic",
        type=Choice(("auto", "difference", "studentized")),
        default="auto",
        show_default=True,
        help="studentized asks whether the metric itself differs: the difference of a ratio such "
        "as precision is divided by its standard error. difference asks whether the systems are "
        "interchangeable, as the paper does. auto is studentized, but with --method yeh2000.",
    ),
    click.option(
        "--decide",
        is_flag=True,
        help="Keep shuffling until p is clearly above or below --alpha, for any seed; --resamples "
        f"then sets the limit (default {MOST_RESAMPLES:,}).",
    ),
    click.option(
        "--risk",
        type=share,
        metavar="SHARE",
        help=f"With --decide: the probability of a wrong verdict.  [default: {RISK}]",
    ),
]

#: Options that a test has by the same name.
_SAME = (
    "alternative", "seed", "bit_generator", "threads", "alpha", "lower_is_better", "interval",
    "interval_level", "paired_runs", "worst", "baseline", "all_tests",
    "statistic",
)  # fmt: skip

_OUTPUT = [
    format_option("What the report is printed as."),
    EXPLAIN,
    CITE,
    click.option(
        "--worst",
        type=whole(1, 10_000),
        metavar="N",
        help="Show which units make each difference: the N that raise it most and the N that "
        "lower it most, by id.",
    ),
    click.option(
        "--all-tests",
        is_flag=True,
        help="Show as well the p-values of all other tests that apply, the unsound ones marked: "
        "see csig recommend.",
    ),
    json_option("Write everything"),
    PLOT,
]


@click.command(
    cls=Command,
    short_help="Test whether two systems differ in recall, precision, F, ...",
    epilog="""\b
Examples:
  csig compare gold.tsv method1.tsv method2.tsv
  csig compare --documents --metric f1,f0.5 gold.tsv a.tsv b.tsv
  csig compare gold.conll tagger1.conll tagger2.conll
  csig compare tags.tsv --gold-column gold --system crf --system bert
  csig compare --unit response gold.conll tagger1.conll tagger2.conll
  csig compare --by label gold.jsonl a.jsonl b.jsonl
  csig compare scores.csv --system base --system new --cluster task
  csig compare labels.tsv --gold-column gold --metric macro_f1,mcc
  csig compare gold.txt a.txt b.txt --format labels --positive spam
  csig compare model1/samples_*.jsonl model2/samples_*.jsonl --metric exact_match
  csig compare --counts yeh.toml --method yeh2000 --seed 1 --json record.json""",
)
@decorated(
    INPUT,
    BASELINE,
    _UNIT,
    METRICS,
    _METHOD,
    shuffles(),
    SCHEDULER,
    verdicts(),
    INTERVAL,
    RUNS,
    PROGRESS,
    STRICT,
    _OUTPUT,
)
def compare(
    unit: str | None,
    by: str | None,
    sensitivity: bool,
    metrics: tuple[str, ...],
    method: Method,
    resamples: int | None,
    decide: bool,
    risk: float | None,
    zero_division: str,
    confidence: float,
    strict: bool,
    json_path: str | None,
    plot_path: str | None,
    output_format: Format,
    explain: bool,
    cite: bool,
    scheduler: str | None,
    **others: Any,
) -> None:
    """Test whether system B differs from system A, by randomization (Yeh 2000).

    GOLD, A and B are files of responses, one per line, fields separated by tabs; of tokens
    with tags (BIO, IOB1, IOE, IOBES) in the last column; of labels, one per line; or of
    spans, as JSON Lines or brat's standoff. One FILE may hold the tags of all as columns,
    and --counts takes a file of counts.

    Or FILE is a table with one row per unit and one column per system: of scores, of counts
    (tp_NAME, predicted_NAME, gold), of labels. A system may have a FILE of its own: a
    table, one number per line, samples of lm-evaluation-harness.

    The first system is the baseline, of two or of ten: every difference is the score of
    another one minus the baseline's.
    """
    options = Options(
        metrics=metric_names(metrics),
        method=method,
        n_resamples=_resamples(method, unit, resamples, decide, risk),
        zero_division=int(zero_division),
        confidence_level=confidence,
        unit=unit,
        by=by,
        sensitivity=sensitivity and method != "yeh2000",
        risk=(risk or RISK) if decide else None,
        **{name: others.pop(name) for name in _SAME},
    )
    drawn = {
        "--seed": options.seed,
        "--bit-generator": options.bit_generator,
        "--resamples": resamples,
        "--decide": decide or None,
    }
    asked = [name for name, value in drawn.items() if value is not None]
    request = Request.taken({**others, "by": by})
    distinct({"--json": json_path, "--plot": plot_path})
    gathered = imported("csig.report.gathering", "gathered")
    with executor_at(scheduler) as executor, picture_at(plot_path, request.paths) as draw:
        gather = partial(gathered, request, options, executor=executor)
        show = partial(_print, asked=asked, format=output_format, explain=explain, cite=cite)
        end(strict, draw(_shown(gather, request, json_path, show)).cautions)


def _resamples(
    method: Method, unit: str | None, resamples: int | None, decide: bool, risk: float | None
) -> int:
    """How many shuffles to draw; refuses options that do not go together."""
    if risk is not None and not decide:
        raise click.UsageError("--risk goes with --decide")
    if decide and method == "yeh2000":
        raise click.UsageError(
            f"--decide: method yeh2000 always draws {YEH_RESAMPLES} shuffles; use another method"
        )
    if resamples is None:
        resamples = MOST_RESAMPLES if decide else YEH_RESAMPLES
    if method == "yeh2000" and resamples != YEH_RESAMPLES:
        raise click.UsageError(f"--resamples: method yeh2000 always draws {YEH_RESAMPLES} shuffles")
    if method == "yeh2000" and unit not in (None, "response"):
        raise click.UsageError(f"--unit {unit}: method yeh2000 is the paper's, for responses")
    return resamples


def _shown(
    gather: Callable[[], Summary | Systems],
    request: Request,
    json_path: str | None,
    show: Callable[[Summary | Systems], None],
) -> Summary | Systems:
    """Run, print and write what is to be printed and written."""
    if sys.stdout is None and json_path in (None, "-"):  # before the work, not after it
        raise click.UsageError("standard output is closed; give --json FILE")
    if json_path is None or json_path == "-":
        summary = gather()
        if json_path is None:
            show(summary)
        else:
            write_stdout(_json(summary))
        return summary
    with OutputFile(json_path, request.paths) as file:
        summary = gather()
        failures = Failures()
        with failures:  # a disk that is full now does not take the results along
            file.write(_json(summary))
        show(summary)
        failures.end()
    return summary


def _json(summary: Summary | Systems) -> bytes:
    from csig.report.records import as_json  # for those who want it

    return as_json(summary).encode()


def _print(
    summary: Summary | Systems, asked: Sequence[str], format: Format, explain: bool, cite: bool
) -> None:
    from csig.report.answer import HINT, document

    found = document(summary, HINT if format == "text" and not explain else "")
    if asked and not summary.draws:
        from csig.report.seeds import unneeded  # for those who asked in vain

        found = replace(found, notes=(unneeded(asked), *found.notes))
    print_document(found, format, explain=explain, cite=cite)
