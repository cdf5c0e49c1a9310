"""``csig recommend``: which test is sound on these data, which are not, and why?"""

from __future__ import annotations

import shlex
from typing import Any

import click
from click.core import ParameterSource

from csig.cli import completion
from csig.cli.help import Choice, Command
from csig.cli.lazily import imported
from csig.cli.options import (
    BASELINE_OF_PAIRS,
    INPUT,
    LOWER_IS_BETTER,
    PROGRESS,
    STRICT,
    decorated,
    end,
    json_option,
    metric_names,
    share,
    shuffles,
    unit_option,
    whole,
)
from csig.cli.printing import format_option, print_and_write
from csig.readers.request import Request
from csig.report.document import Document
from csig.report.rendering import Format

__all__ = ["recommend"]

_DATA = [
    click.option("--metric", "metrics", multiple=True, metavar="NAME", help="One that the data "
                 "have; by default F1 of responses, the accuracy or the mean of scores."),
    LOWER_IS_BETTER,
    unit_option("What somebody wants to swap; the largest known unit is recommended all the same."),
    click.option(
        "--rows",
        type=Choice(("items", "folds", "datasets")),
        default="items",
        show_default=True,
        help="What a row of a table is: an item of one test set, a fold on which both systems were "
        "trained and scored, or a data set.",
    ),
    click.option(
        "--folds",
        type=whole(2, 10_000),
        metavar="N",
        help="With --rows folds: the folds of each cross-validation, in the order of the rows.  "
        "[default: there is one]",
    ),
    click.option(
        "--test-share",
        type=share,
        metavar="SHARE",
        help="With --rows folds, for random splits: the share of the data that is tested.",
    ),
    click.option(
        "--dataset",
        shell_complete=completion.columns,
        metavar="COLUMN",
        help="The column of a table with every item's data set, where there are many.",
    ),
    click.option(
        "--all-tests",
        is_flag=True,
        help="Run all tests that apply, and show their p-values side by side.",
    ),
]  # fmt: skip

_OUTPUT = [
    format_option("What the report is printed as."),
    click.option(
        "--explain",
        is_flag=True,
        help="Say as well what the verdicts mean, how Python runs each test, and who says so.",
    ),
    json_option("Write everything"),
]


@click.command(
    cls=Command,
    short_help="Which test is sound on these data, and which are not.",
    epilog="""\b
Examples:
  csig recommend gold.conll tagger1.conll tagger2.conll
  csig recommend scores.csv --system base --system new --cluster task
  csig recommend scores.csv --all-tests --seed 1
  csig recommend folds.csv --rows folds
  csig recommend runs.csv --rows folds --folds 2 --all-tests
  csig recommend corpora.csv --rows datasets""",
)
@decorated(INPUT, BASELINE_OF_PAIRS, _DATA, shuffles(), PROGRESS, STRICT, _OUTPUT)
def recommend(
    metrics: tuple[str, ...],
    strict: bool,
    output_format: Format,
    json_path: str | None,
    explain: bool,
    **options: Any,
) -> None:
    """Say which test is sound on these data, which are not, and why.

    FILES are those of csig compare. The recommendation looks at the form of the data, never at a
    p-value: what the metric is, which units are known, whether scores are right or wrong, how the
    systems' results are correlated, how many systems there are.

    With --all-tests every test that applies is run, and unsound ones are marked.
    """
    names = metric_names(metrics)
    if len(names) > 1:
        raise click.UsageError("--metric: give one metric; each may have another test")
    given = _given()
    request = Request.taken(options)
    advice_of = imported("csig.recommendations", "advice_of")

    def made() -> tuple[None, Document]:
        return None, advice_of(request, names, _others(given), **options)

    _, found = print_and_write(made, json_path, request.paths, output_format, explain=explain)
    end(strict, found.doubts)


def _given() -> dict[str, list[str]]:
    """What was given on the command line, as it is written there, by parameter."""
    context = click.get_current_context()
    found: dict[str, list[str]] = {}
    for own in context.command.get_params(context):
        name = own.name or ""
        if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        value = context.params.get(name)
        if isinstance(own, click.Argument):
            found[name] = [str(part) for part in value or ()]
        elif isinstance(own, click.Option) and own.is_flag:
            found[name] = [own.opts[0] if value else own.secondary_opts[0]]
        elif isinstance(value, tuple):
            found[name] = [text for part in value for text in (own.opts[-1], str(part))]
        else:
            found[name] = [own.opts[-1], str(value)]
    return found


#: What the recommended command does not take, or is told otherwise.
_OWN = {
    "rows", "folds", "test_share", "all_tests", "metrics", "unit", "resamples", "seed",
    "bit_generator", "threads", "strict", "output_format", "json_path", "explain", "max_size",
}  # fmt: skip


def _others(given: dict[str, list[str]]) -> str:
    """What the recommended command is given as well, as a shell reads it."""
    return shlex.join([text for name, own in given.items() if name not in _OWN for text in own])
