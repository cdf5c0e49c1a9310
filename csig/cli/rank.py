"""``csig rank``: how good are the n best of ranking methods, and which methods differ?"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from csig.cli import completion
from csig.cli.help import Choice, Command
from csig.cli.lazily import imported
from csig.cli.options import (
    CELLS,
    CITE,
    PROGRESS,
    STRICT,
    decorated,
    end,
    json_option,
    seeded,
    share_option,
    whole,
)
from csig.cli.picture import picture_at, plot_option
from csig.cli.printing import format_option, print_and_write
from csig.cli.sink import distinct
from csig.defaults import FLIPS
from csig.readers.request import OptionError, Request
from csig.report.rendering import Format

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from csig.rankings.command import Drawn, Ranked
    from csig.report.document import Document

__all__ = ["lengths", "rank"]

#: Lengths of lists that --n may ask for.
MOST_LENGTHS = 2**20

_EXPECTED = (
    "expected lengths of lists, as 500, or 100,200,500, or 100:2000:10 for every tenth from 100 to "
    "2000"
)


def lengths(value: object) -> list[int]:
    """Lengths of lists: numbers with commas between them, and ranges that include their ends."""
    found: list[int] = []
    for part in str(value).split(","):
        numbers = re.fullmatch(r"\s*(\d{1,15})(?::(\d{1,15})(?::(\d{1,15}))?)?\s*", part, re.ASCII)
        if numbers is None:
            raise click.BadParameter(f"{_EXPECTED}; found {part.strip()[:40]!r}")
        if part.strip() == "000":
            raise click.BadParameter(f"{_EXPECTED}; write a thousand as 1000")
        first, last, step = (None if own is None else int(own) for own in numbers.groups())
        assert first is not None
        own = range(first, (first if last is None else last) + 1, 1 if step is None else step or -1)
        if not own or own.step < 1 or first < 1:
            raise click.BadParameter(f"{_EXPECTED}; {part.strip()!r} has none")
        if len(own) + len(found) > MOST_LENGTHS:
            raise click.BadParameter(f"{part.strip()!r} are {len(own):,} lengths; give fewer")
        found += own
    return found


_READ: list[Callable[..., object]] = [
    click.argument("table", metavar="TABLE", type=click.Path()),
    click.option(
        "--true",
        shell_complete=completion.columns,
        metavar="COLUMN",
        help="The column that says which candidates are true: True and False, 1 and 0, or yes and "
        "no.",
    ),
    click.option(
        "--methods",
        shell_complete=completion.columns,
        multiple=True,
        metavar="NAME,...",
        help="The columns of scores; repeatable.  [default: all columns of numbers, if each can "
        "only be a method]",
    ),
    click.option(
        "--lower",
        "lower_is_better",
        shell_complete=completion.columns,
        multiple=True,
        metavar="NAME,...",
        help="Those of the methods whose small scores are the best, as p-values; repeatable.",
    ),
    click.option(
        "--sample",
        shell_complete=completion.columns,
        metavar="COLUMN",
        help="The column with every candidate's sample, as the part of the corpus: say as well "
        "whether precision varies between samples as the tests assume.",
    ),
    click.option(
        "--sample-n",
        type=whole(1, 2**53),
        metavar="N",
        help="With --sample: take the N best of every sample.  [default: the list of the whole "
        "table, divided among the samples]",
    ),
    *CELLS,
]

_TEST: list[Callable[..., object]] = [
    click.option(
        "--n",
        type=lengths,
        metavar="N",
        help="How many candidates a list has: 500, or several with one error rate, 100,200,500 or "
        "100:2000:10.  [default: 100,200,500,1000,2000, fewer of small tables]",
    ),
    click.option(
        "--baseline",
        shell_complete=completion.columns,
        metavar="NAME",
        help="Compare the others with this method only, which is fewer tests.  [default: all "
        "pairs]",
    ),
    click.option(
        "--ties",
        type=Choice(("all", "first")),
        default="all",
        show_default=True,
        help="Of candidates with the same score of which only some fit into a list: take all, or "
        "those that come first in the table.",
    ),
    share_option("--alpha", 0.05, help="Significance level of all claims together."),
    click.option(
        "--interval",
        type=Choice(("clopper-pearson", "wilson")),
        default="clopper-pearson",
        show_default=True,
        help="The interval of a precision.",
    ),
    share_option("--level", 0.95, help="Confidence level of intervals and bands."),
    click.option(
        "--resamples",
        type=whole(1, 2**40),
        metavar="N",
        help=f"Flips of every pair, where there are several n.  [default: {FLIPS:,}]",
    ),
    *seeded(),
]

_OUTPUT: list[Callable[..., object]] = [
    format_option("What the report is printed as."),
    click.option(
        "--explain",
        is_flag=True,
        help="Say as well what p means, every method's intervals and bands, and every pair at "
        "every n.",
    ),
    CITE,
    plot_option("the precision at every n up to the longest list, or what --plot-kind says"),
    click.option(
        "--plot-kind",
        type=Choice(("precision", "difference", "samples")),
        help="What --plot draws: the precision; of two methods, their difference over several n "
        "and where it is significant; with --sample, a histogram of the samples for each method.  "
        "[default: precision]",
    ),
    json_option("Write everything"),
]


@click.command(
    cls=Command,
    short_help="Compare ranking methods by their n best.",
    epilog="""\b
Examples:
  csig rank pairs.csv --true is_colloc --methods MI,log_like,freq
  csig rank pairs.csv --true is_colloc --methods MI,log_like,freq --n 500
  csig rank pairs.csv --true is_colloc --methods MI,freq --n 100:2000:10 --seed 1
  csig rank pairs.csv --true is_colloc --methods MI,pvalue --lower pvalue
  csig rank pairs.csv --true is_colloc --methods MI,freq --plot curves.pdf
  csig rank pairs.csv --true is_colloc --methods MI,freq --n 100:2000:10 --plot difference.pdf
      --plot-kind difference""",
)
@decorated(_READ, _TEST, PROGRESS, STRICT, _OUTPUT)
def rank(
    table: str,
    true: str | None,
    methods: tuple[str, ...],
    lower_is_better: tuple[str, ...],
    n: list[int] | None,
    level: float,
    resamples: int | None,
    seed: int | None,
    strict: bool,
    output_format: Format,
    explain: bool,
    cite: bool,
    json_path: str | None,
    plot_path: str | None,
    plot_kind: Drawn | None,
    **options: Any,
) -> None:
    """Compare ranking methods: the precision of their n best, and which pairs differ.

    TABLE has one row per candidate, with a column that says whether it is true and a column of
    scores for every method; large scores are the best. A method accepts its n best candidates.

    Pairs are compared on the candidates that only one of the two accepts: by Fisher's exact test
    for a single n, by flips that all n share for several. p-values are adjusted for all pairs and
    n together. A pair without a significant difference is not shown to be equal.
    """
    request = Request.taken({**options, "files": (table,)})
    for name in ("field", "quoting", "decimal", "delimiter", "header"):
        del options[name]
    if plot_kind is not None and plot_path is None:
        raise OptionError("--plot-kind goes with --plot FILE")
    distinct({"--json": json_path, "--plot": plot_path})
    drawn = {
        "--seed": seed,
        "--bit-generator": options.get("bit_generator"),
        "--resamples": resamples,
    }
    asked = [name for name, value in drawn.items() if value is not None]
    ranked_from = imported("csig.rankings.command", "ranked_from")
    with picture_at(plot_path, request.paths, _figure) as draw:

        def found() -> tuple[Ranked, Document]:
            own: Ranked = ranked_from(
                request, true, methods, n, lower_is_better=lower_is_better, confidence_level=level,
                n_resamples=resamples, rng=seed, picture=plot_kind or "precision", **options,
            )  # fmt: skip
            document = own.document
            if asked and own.result.seed is None:
                from csig.report.seeds import unneeded  # for those who asked in vain

                document = replace(document, notes=(*document.notes, unneeded(asked)))
            return own, document

        ranked, document = print_and_write(
            found, json_path, request.paths, output_format, explain=explain, cite=cite
        )
        draw(ranked)
    end(strict, document.doubts)


def _figure(found: Ranked) -> Figure:
    return found.figure()
