"""``csig recommend``: which test is sound on these data, which are not, and why?"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from csig.cli.options import INPUT, SEEDED, command, one_metric
from csig.cli.output import Output
from csig.readers.request import Request

if TYPE_CHECKING:
    from csig.report.document import Document

#: What the recommended command does not take, or is told otherwise.
_OWN = {
    "rows", "folds", "test_share", "all_tests", "metrics", "unit", "resamples", "seed",
    "bit_generator", "threads", "strict", "output_format", "json_path", "explain", "max_size",
    "caption", "label",
}  # fmt: skip


@command(
    "--system --gold-column --id --cluster --metric --unit --rows --folds --all-tests --seed "
    "--output-format --explain --json --strict",
    f"{INPUT}{SEEDED}--baseline --lower-is-better --test-share --dataset --resamples "
    "--zero-division --progress --caption --label",
)
def recommend(metrics: tuple[str, ...], **given: Any) -> None:
    """Say which test is sound on these data, which are not, and why.

    FILES are those of csig compare. The recommendation looks at the form of the data, never at a
    p-value: what the metric is, which units are known, whether scores are right or wrong, how the
    systems' results are correlated, how many systems there are.

    With --all-tests every test that applies is run, and unsound ones are marked.

    Examples:
      csig recommend gold.conll tagger1.conll tagger2.conll
      csig recommend scores.csv --system base --system new --cluster task
      csig recommend scores.csv --all-tests --seed 1
      csig recommend folds.csv --rows folds
      csig recommend runs.csv --rows folds --folds 2 --all-tests
      csig recommend corpora.csv --rows datasets
    """
    names = one_metric(metrics, "each may have another test")
    others = _others(click.get_current_context())
    output, request = Output.taken(given), Request.taken(given)

    def made() -> tuple[None, Document]:
        from csig.advice.advising import advice_of

        return None, advice_of(request, names, others, **given)

    output.give(made, request.paths)


def _others(context: click.Context) -> str:
    """What the recommended command is given as well, as a shell reads it."""
    words: list[str] = []
    for own in context.command.get_params(context):
        name = own.name or ""
        value = context.params.get(name)
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if name in _OWN or not given:
            continue
        if isinstance(own, click.Argument):
            words += map(str, value or ())
        elif isinstance(own, click.Option) and own.is_flag:
            words.append(own.opts[0] if value else own.secondary_opts[0])
        else:
            for part in value if isinstance(value, tuple) else (value,):
                words += own.opts[-1], str(part)
    return shlex.join(words)
