"""The options that the commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

import click

from csig.cli import completion
from csig.cli.help import Choice
from csig.defaults import GENERATORS, INTERVALS, NO_INTERVAL, YEH_RESAMPLES
from csig.progress import asked
from csig.readers import limits
from csig.readers.forms import FORMATS
from csig.readers.request import CHOICES, UNITS, OptionError

__all__ = [
    "BASELINE",
    "BASELINE_OF_PAIRS",
    "CELLS",
    "CITE",
    "DOUBTFUL",
    "EXPLAIN",
    "INPUT",
    "INTERVAL",
    "LOWER_IS_BETTER",
    "MAX_SIZE",
    "METRICS",
    "PROGRESS",
    "RUNS",
    "STRICT",
    "TABLES",
    "decorated",
    "end",
    "json_option",
    "metric_names",
    "output_option",
    "path_option",
    "seeded",
    "share",
    "share_option",
    "shuffles",
    "threads_option",
    "unit_option",
    "verdicts",
    "whole",
]

_F = TypeVar("_F", bound=Callable[..., Any])


def _with_hints(command: _F) -> _F:
    """A command that says where to look after a mistake in what is to be read."""

    @wraps(command)
    def hinting(**options: Any) -> Any:
        try:
            return command(**options)
        except OptionError as error:
            raise click.UsageError(str(error)) from None

    return hinting  # type: ignore[return-value]


def decorated(*groups: Sequence[Callable[[_F], _F]]) -> Callable[[_F], _F]:
    """Decorate with options in the order in which they are listed, as --help shows them."""

    def decorate(function: _F) -> _F:
        function = _with_hints(function)
        for option in reversed([option for group in groups for option in group]):
            function = option(function)
        return function

    return decorate


# Types are functions because click.ParamType is generic in new versions of click only.


def whole(least: int, most: int | None = None) -> Callable[[object], int]:
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


def share(value: object) -> float:
    """A number strictly between 0 and 1."""
    try:
        number = float(str(value))
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        raise click.BadParameter(f"expected a number between 0 and 1, found {str(value)!r}")
    return number


def _size(value: object) -> int:
    """A number of bytes, as 2G or 500 MB."""
    size = limits.size_of(str(value))
    if not size:
        shown = str(value)[:40]
        raise click.BadParameter(f"expected a size such as 500M, 2G or 1073741824, found {shown!r}")
    return size


def _set_max_size(context: click.Context, _: click.Parameter, value: int | None) -> None:
    """For this command; what it calls need not hand it on."""
    if value is not None:
        context.with_resource(limits.max_size(value))


def path_option(*names: str, metavar: str = "FILE", **keywords: Any) -> Callable[[_F], _F]:
    """An option that names a file."""
    return click.option(*names, metavar=metavar, type=click.Path(), **keywords)


def output_option(*names: str, **keywords: Any) -> Callable[[_F], _F]:
    """An option that names a file to be written, or ``-`` for standard output."""
    return path_option(*names, metavar="FILE|-", **keywords)


def json_option(help: str) -> Callable[[_F], _F]:
    """The option of what is written as JSON."""
    return output_option(
        "--json", "json_path", help=f"{help} as JSON as well; - prints nothing but JSON."
    )


#: The long report.
EXPLAIN = click.option(
    "--explain",
    is_flag=True,
    help="Say as well what was read, what is swapped, what p and the interval mean, and on how "
    "many units each system is better.",
)


#: What a paper says.
CITE = click.option(
    "--cite",
    is_flag=True,
    help="Print as well a sentence for the methods section, and the references for what was done, "
    "as text and as BibTeX.",
)


def unit_option(help: str) -> Callable[[_F], _F]:
    """The option of the unit."""
    return click.option("--unit", type=Choice(UNITS), help=help)


def threads_option(default: str) -> Callable[[_F], _F]:
    """The option of how many processors work."""
    return click.option(
        "--threads",
        type=whole(1, 1024),
        metavar="N",
        help=f"Number of threads; never changes a result.  [default: {default}]",
    )


def share_option(name: str, default: float, help: str) -> Callable[[_F], _F]:
    """An option that is a number between 0 and 1."""
    return click.option(
        name, type=share, metavar="SHARE", default=default, show_default=True, help=help
    )


#: Which of two scores is better.
LOWER_IS_BETTER = click.option(
    "--lower-is-better/--higher-is-better",
    default=None,
    help="Which scores are better; tables of scores only.  [default: lower where a name says wer, "
    "loss, perplexity or the like, else higher; asked for where it says time or cost]",
)


def _set_progress(context: click.Context, _: click.Parameter, value: bool | None) -> None:
    """For this command, as `_set_max_size`."""
    if not context.resilient_parsing:
        context.with_resource(asked(value))


#: Whether to say how far a long run is.
PROGRESS = [
    click.option(
        "--progress/--no-progress",
        default=None,
        expose_value=False,
        callback=_set_progress,
        help="Say on standard error how far a long run is: a bar on a terminal, else a line every "
        "10 seconds.  [default: on a terminal only]",
    )
]


#: How much is read of a file.
MAX_SIZE = click.option(
    "--max-size",
    type=_size,
    metavar="SIZE",
    expose_value=False,
    callback=_set_max_size,
    help="Refuse files that hold more, unpacked: 500M, 2G, ... Beyond "
    f"{limits.size_text(limits.FREE)} a packed file may hold at most "
    f"{limits.MOST_TIMES} times its size.  "
    f"[default: {limits.size_text(limits.MAX_SIZE)}]",
)


# ---- what to read: options of tables, which several commands share -----------------------------

_FORMAT = click.option(
    "--format",
    type=Choice(["auto", *FORMATS]),
    default="auto",
    show_default=True,
    help="Format of the files; the output names the one that was detected.",
)

_FIELD = click.option(
    "--field",
    multiple=True,
    metavar="NAME=OWN",
    help="JSON: what a column is called there, or its path in objects (acc=scores.acc); of "
    "spans document, start, end and label.",
)

_GOLD_COLUMN = click.option(
    "--gold-column",
    shell_complete=completion.columns,
    metavar="NAME",
    help="Column of the gold's tags or labels.",
)

_SYSTEM = click.option(
    "--system",
    shell_complete=completion.columns,
    multiple=True,
    metavar="NAME",
    help="System (column) to compare; repeatable; other columns that have no reserved name are "
    "ignored.  [default: all of a table]",
)

_SCORE_COLUMNS = [
    click.option(
        "--system-column",
        shell_complete=completion.columns,
        metavar="NAME",
        help="Column of a table that says whose row it is.  [default: system or model]",
    ),
    click.option(
        "--score-column",
        shell_complete=completion.columns,
        multiple=True,
        metavar="NAME",
        help="Column of scores where every row names its system; of several each is a metric.  "
        "[default: score or value]",
    ),
]

_ID = click.option(
    "--id",
    shell_complete=completion.columns,
    metavar="NAME",
    help="Column of a table: what identifies the units.",
)

_IGNORE = click.option(
    "--ignore",
    shell_complete=completion.columns,
    multiple=True,
    metavar="COLUMN",
    help="Column of a table that is neither a system nor ids, clusters or gold, whatever it "
    "looks like; repeatable.",
)

_ROWS = [
    click.option(
        "--drop-row",
        multiple=True,
        metavar="NAME",
        help="Row of a table that is no unit, by its name: all, mean, ...; repeatable.",
    ),
    click.option(
        "--keep-row",
        multiple=True,
        metavar="NAME",
        help="Row of a table that is a unit, though its name is all, mean or the like; repeatable.",
    ),
    click.option(
        "--missing",
        multiple=True,
        metavar="VALUE",
        help="Cell of a table that stands for a missing number or label, such as -1; repeatable.  "
        "[of numbers always: empty, NA, N/A, NaN, None, null, -]",
    ),
    click.option(
        "--percent",
        multiple=True,
        metavar="NAME",
        help="Column, or system's file, of a table that is in percent, beside others that are not; "
        "repeatable.",
    ),
]

_ALLOW_MISSING = click.option(
    "--allow-missing",
    type=Choice(CHOICES["allow_missing"]),
    metavar="intersection",
    help="Compare only the units (tables) or documents (spans) that every system has.",
)

_QUOTING = click.option(
    "--quoting",
    type=Choice(CHOICES["quoting"]),
    help="Tables: quotation marks are text (none), or enclose cells (csv).  [default: csv; "
    "for TSV none]",
)

_DELIMITER = click.option(
    "--delimiter",
    type=Choice(CHOICES["delimiter"]),
    help="Tables: what separates cells.  [default: what gives every row as many as the header]",
)

_DECIMAL = click.option(
    "--decimal",
    type=Choice(CHOICES["decimal"]),
    default=".",
    show_default=True,
    help="Tables: the decimal mark.",
)

_HEADER = click.option(
    "--header/--no-header",
    default=None,
    help="Tables: whether the first row has the names of the columns; without names they are "
    "numbered from 1.  [default: names, refused if they look like data]",
)


#: What to read.
INPUT = [
    click.argument("files", nargs=-1, metavar="[GOLD A B | FILE...]", type=click.Path()),
    path_option(
        "--counts",
        help="TOML or JSON file with gold, both_correct, only_a_correct, only_b_correct, "
        "both_spurious, only_a_spurious, only_b_spurious, and name_a, name_b.",
    ),
    path_option(
        "--statistics",
        help="A table that csig convert wrote.",
    ),
    _FORMAT,
    click.option(
        "--documents", is_flag=True, help="The first field of every response is a document id."
    ),
    click.option(
        "--spans",
        is_flag=True,
        help="Responses are start, end (not included) and label: overlaps are counted.",
    ),
    _FIELD,
    _GOLD_COLUMN,
    _SYSTEM,
    *_SCORE_COLUMNS,
    _ID,
    click.option(
        "--cluster",
        shell_complete=completion.columns,
        metavar="NAME",
        help="Column of a table: units with the same label are swapped together.",
    ),
    click.option(
        "--run",
        shell_complete=completion.columns,
        metavar="NAME",
        help="Column of a table of scores or counts that tells runs of each system apart (seeds, "
        "prompts, samples): a unit is swapped with all its runs.",
    ),
    _IGNORE,
    *_ROWS,
    click.option(
        "--filter",
        metavar="NAME",
        help="Which filter of lm-evaluation-harness, where samples have several.",
    ),
    _ALLOW_MISSING,
    click.option(
        "--positive",
        metavar="LABEL",
        help="Positive class: report its recall, precision and F (labels in a table, one per line, "
        "or with --scheme plain).",
    ),
    _QUOTING,
    _DECIMAL,
    _DELIMITER,
    _HEADER,
    click.option(
        "--sentence-column",
        metavar="NAME",
        help="Tags: column that changes where a sentence starts (blank lines do it too).",
    ),
    click.option(
        "--document-column", metavar="NAME", help="Tags: column with every token's document."
    ),
    path_option(
        "--document-file",
        help="Tags: a file with every sentence's document, one per line.",
    ),
    click.option(
        "--rules",
        type=Choice(CHOICES["rules"]),
        help="Tags: how entities are found.  [default: conlleval]",
    ),
    click.option(
        "--scheme",
        metavar="NAME",
        help="Tags: IOB1, IOB2, IOE1, IOE2, IOBES, BILOU; or plain, labels that are no entities.",
    ),
    click.option(
        "--match",
        type=Choice(CHOICES["match"]),
        help="Tags in several files: compare tokens, which must be the same, or only the lengths "
        "of sentences (position), if tokens are spelt differently.  [default: token]",
    ),
    click.option(
        "--name-a", metavar="NAME", help="Name of A, the first system.  [default: the file's]"
    ),
    click.option("--name-b", metavar="NAME", help="Name of B, the second.  [default: the file's]"),
    MAX_SIZE,
]

#: What to read where there are tables only, but for systems and ids.
TABLES = [
    click.argument("files", nargs=-1, metavar="TABLE", type=click.Path()),
    _FORMAT,
    _FIELD,
    _GOLD_COLUMN,
    *_SCORE_COLUMNS,
    _IGNORE,
    *_ROWS,
    _ALLOW_MISSING,
    _QUOTING,
    _DECIMAL,
    _DELIMITER,
    _HEADER,
    MAX_SIZE,
]


#: How a table is read, whatever its columns are.
CELLS = [_FIELD, _QUOTING, _DECIMAL, _DELIMITER, _HEADER, MAX_SIZE]


#: What the others are compared with.
BASELINE = [
    click.option(
        "--baseline",
        shell_complete=completion.columns,
        metavar="NAME",
        help="The system that the others are compared with, by its name as it is printed; a "
        "difference is another one's score minus this one's.  [default: the first]",
    )
]


#: The same where all pairs are compared without it.
BASELINE_OF_PAIRS = [
    click.option(
        "--baseline",
        shell_complete=completion.columns,
        metavar="NAME",
        help="Compare the others with this system only, which is fewer tests.  [default: all "
        "pairs]",
    )
]


def metric_names(values: Sequence[str]) -> tuple[str, ...]:
    """The metrics of several options, each of which may hold several."""
    return tuple(name.strip() for value in values for name in value.split(","))


#: The exit status of a doubt, where doubts count.
DOUBTFUL = 3

#: Whether doubts count.
STRICT = [
    click.option(
        "--strict",
        is_flag=True,
        help=f"End with status {DOUBTFUL} if there is a caution, after everything is printed and "
        "written.",
    )
]


def end(strict: bool, cautions: Sequence[str]) -> None:
    """End with a status of its own if there is a doubt and doubts count.

    Raises
    ------
    click.exceptions.Exit
        With `DOUBTFUL`.
    """
    if strict and cautions:
        raise click.exceptions.Exit(DOUBTFUL)


#: What is tested.
METRICS = [
    click.option(
        "--metric",
        "metrics",
        multiple=True,
        shell_complete=completion.metrics,
        metavar="NAME,...",
        help="recall, precision, f1, f0.5, f2, ..., jaccard; for tables also accuracy, mean, "
        "macro_f1, mcc, kappa, ...; or a column of scores that several files share; repeatable."
        "  [default: recall,precision,f1; for tables by their format]",
    ),
    LOWER_IS_BETTER,
    click.option(
        "--alternative",
        type=Choice(["two-sided", "less", "greater"]),
        default="two-sided",
        show_default=True,
        help="Whether a system differs from the baseline (the first), is worse (less), is better "
        "(greater); better is lower where lower scores are.",
    ),
]


def seeded(generators: Sequence[str] = GENERATORS) -> list[Callable[..., object]]:
    """Which random words are drawn, and by how many threads."""
    return [
        click.option(
            "--seed",
            type=whole(0),
            metavar="N",
            help="Random seed: any non-negative integer.  [default: fresh]",
        ),
        click.option(
            "--bit-generator",
            type=Choice(generators, case_sensitive=False),
            metavar="NAME",
            help=f"{', '.join(generators)}.  [default: {GENERATORS[0]}]",
        ),
        threads_option("all processors"),
    ]


def shuffles(generators: Sequence[str] = GENERATORS) -> list[Callable[..., object]]:
    """What is drawn, and how."""
    return [
        click.option(
            "--resamples",
            type=whole(1, 2**48),
            metavar="N",
            help=f"Shuffles of an approximate test.  [default: {YEH_RESAMPLES:,}]",
        ),
        *seeded(generators),
        click.option(
            "--zero-division",
            type=Choice(["0", "1"]),
            default="0",
            show_default=True,
            help="The score where the denominator is zero.",
        ),
    ]


#: Which interval of a difference is shown.
INTERVAL = [
    click.option(
        "--interval",
        type=Choice([*INTERVALS, NO_INTERVAL]),
        default=INTERVALS[0],
        show_default=True,
        help="The interval of every difference: the shifts that the randomization test does not "
        "reject for means of scores (inverted) and from the standard error over units for the rest "
        "(linearized), which is auto; by the bootstrap; or none.",
    ),
    share_option(
        "--interval-level",
        0.95,
        help="Nominal coverage: the share of test sets whose interval contains the true "
        "difference.",
    ),
]


#: What runs of two systems have to do with each other.
RUNS = [
    click.option(
        "--paired-runs",
        is_flag=True,
        help="With --run: runs of the same name belong together in all systems, such as prompts; "
        "the interval then takes them in pairs.",
    ),
]


def verdicts() -> list[Callable[..., object]]:
    """What p-values are compared with."""
    return [
        share_option(
            "--alpha",
            0.05,
            help="Level of significance for the verdicts.",
        ),
        share_option(
            "--confidence",
            0.99,
            help="Level of the interval around an approximate p-value.",
        ),
    ]
