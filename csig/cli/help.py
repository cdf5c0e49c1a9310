"""Help in two steps: ``--help`` has examples and what most people need, ``--help-all`` the rest.

`LAYOUT` says in which group each option of a command stands, and `BASIC` which of them ``--help``
shows. A new option needs its place in `LAYOUT`; ``--help-all`` shows one that has none at its end.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from csig.wording import perhaps

__all__ = ["BASIC", "LAYOUT", "Choice", "Command", "examples_of", "folded", "listing"]

_READ = {
    "Input": (
        "--format --system --baseline --gold-column --id --cluster --run --counts --statistics "
        "--name-a --name-b --allow-missing --max-size"
    ),
    "Tables": (
        "--ignore --system-column --score-column --drop-row --keep-row --missing --percent "
        "--positive --quoting --decimal --delimiter --header --field --filter"
    ),
    "Responses, tags and spans": (
        "--documents --spans --sentence-column --document-column --document-file --rules --scheme "
        "--match"
    ),
}

#: The groups of every command, and their options; an option may be missing from some commands.
_COMMON = {
    **_READ,
    "Test": (
        "--metric --unit --by --alternative --method --correction --statistic --resamples "
        "--seed --alpha --lower-is-better --zero-division --sensitivity --decide --risk "
        "--confidence --bit-generator --allow-bad-generator --claims --rows --folds --test-share "
        "--dataset "
        "--all-tests"
    ),
    "Intervals": "--interval --level --interval-level --paired-runs",
    "Output": (
        "--output-format --output --record --table --html --markdown --worst --letters "
        "--plot --explain --cite --verbose --json --strict"
    ),
    "Running": "--progress --threads --scheduler",
    "Help": "--help --help-all",
}

#: Options by command and group, in the order in which help shows them.
LAYOUT: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(
        ("compare", "interval", "describe", "convert", "audit", "systems", "recommend"), _COMMON
    ),
    "datasets": {
        "Input": (
            "--dataset --id --system --baseline --ignore --gold-column --system-column "
            "--score-column --drop-row --keep-row --missing --percent --format --allow-missing "
            "--quoting --decimal --delimiter --header --field --max-size"
        ),
        "Test": (
            "--pairs --zero-method --correction --alpha --lower-is-better --metric --resamples "
            "--seed --bit-generator"
        ),
        "Output": ("--output-format --all-tests --explain --plot --plot-by --json --strict"),
        "Running": "--progress --threads",
        "Help": "--help --help-all",
    },
    "rank": {
        "Input": (
            "--true --methods --lower --sample --sample-n --quoting --decimal --delimiter --header "
            "--field --max-size"
        ),
        "Test": (
            "--n --baseline --ties --alpha --interval --level --resamples --seed --bit-generator"
        ),
        "Output": "--output-format --explain --cite --plot --plot-kind --json --strict",
        "Running": "--progress --threads",
        "Help": "--help --help-all",
    },
    "train": {
        "Input": (
            "--method --replicate-column --system-column --test-set-column --item-column "
            "--score-column --quoting --decimal --max-size"
        ),
        "Systems": "--a --b --baseline --confidence",
        "Output": "--output-format --output --plot --json",
        "Running": "--progress",
        "Help": "--help --help-all",
    },
    "verify": {
        "Input": "--inputs --max-size",
        "Verification": "--independent --threads",
        "Output": "--output-format --json",
        "Help": "--help --help-all",
    },
}

#: The options that --help shows; of a command that is not here, all.
BASIC: Mapping[str, str] = {
    "compare": (
        "--system --gold-column --id --cluster --metric --unit --by --alternative --method --seed "
        "--alpha --output-format --json --worst --plot --explain --strict"
    ),
    "interval": (
        "--system --gold-column --id --cluster --metric --unit --method --level --seed "
        "--output-format --json --strict"
    ),
    "systems": (
        "--system --baseline --id --cluster --metric --unit --correction --seed --alpha "
        "--output-format --letters --json --strict"
    ),
    "recommend": (
        "--system --gold-column --id --cluster --metric --unit --rows --folds --all-tests --seed "
        "--output-format --explain --json --strict"
    ),
    "datasets": (
        "--dataset --id --system --baseline --pairs --correction --alpha --lower-is-better "
        "--output-format --all-tests --explain --plot --json --strict"
    ),
    "rank": (
        "--true --methods --lower --sample --n --baseline --ties --alpha --seed "
        "--output-format --explain --plot --json --strict"
    ),
    "describe": (
        "--system --gold-column --id --cluster --ignore --format --output-format --json --strict"
    ),
    "convert": "--output --unit --system --gold-column --id --cluster --strict",
    "audit": (
        "--system --gold-column --id --cluster --metric --unit --seed --alpha --claims --record "
        "--html --output-format --verbose --strict"
    ),
}

#: Where the explanations of options begin, and how wide the names before them may be.
_INDENT = 24

#: How many examples --help shows; the most common ones come first.
SHOWN = 5

#: What stands behind an argument's name, or that of a command and its argument.
_ARGUMENTS = {
    "files": [
        ("GOLD A B", "The gold and the systems: responses, tags, labels or spans."),
        ("FILE...", "Or a table, one row per unit and one column per system; or one file each."),
    ],
    "datasets files": [
        ("TABLE", "One row per data set and one column per system; or one file per system."),
    ],
    "rank table": [
        ("TABLE", "One row per candidate: whether it is true, and one score per method."),
    ],
    "table": [("TABLE", "One row per training sample, system and test set, with the score.")],
    "record": [("RECORD", "A record of csig audit.")],
}

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:  # not generic before click 8.2
    _Choice = click.Choice


class Choice(_Choice):
    """One of several words; what may have been meant is said of any other."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The word."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            message = error.message.removesuffix(".") + perhaps(value, self.choices)
            raise click.BadParameter(message, ctx, param) from None


def folded(text: str, width: int, indent: str = "", more: str = "") -> list[str]:
    """Lines that are broken at spaces only; words that are longer stay whole.

    >>> folded("one two three", 8, "  ")
    ['  one', '  two', '  three']
    """
    return textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=more or indent,
        break_long_words=False, break_on_hyphens=False,
    ) or [""]  # fmt: skip


def listing(rows: Sequence[tuple[str, str]], width: int, indent: int = _INDENT) -> Iterator[str]:
    """Names with what they are; a name that is too long has a line of its own.

    >>> list(listing([("-a", "one two"), ("--long NAME", "three")], 14, 8))
    ['  -a    one', '        two', '  --long NAME', '        three']
    """
    for name, text in rows:
        lines = folded(text, width, " " * indent)
        if len(name) + 4 <= indent:
            yield f"  {name}".ljust(indent) + lines[0].lstrip()
            yield from lines[1:]
        else:
            yield from _broken(f"  {name}", width)
            yield from lines


def _broken(text: str, width: int) -> Iterator[str]:
    """Words with | between them, broken there."""
    while len(text) > width and "|" in text[:width]:
        at = text.rindex("|", 0, width) + 1
        yield text[:at]
        text = f"      {text[at:]}"
    yield text


def examples_of(command: click.Command, width: int, most: int | None = None) -> list[list[str]]:
    """The examples; a long one goes on in the next line, as a shell reads it."""
    head, *examples = (command.epilog or "").replace("\b", "").strip().splitlines() or [""]
    lines = [head]
    for line in examples[:most]:
        parts = folded(line.strip(), width - 2, "  ", "      ")
        lines += [*(f"{part} \\" for part in parts[:-1]), parts[-1]]
    return [lines] if examples else []


class Command(click.Command):
    """A command with help in two steps."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        everything = click.Option(
            ["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_all,
            help="Show all options and exit.",
        )
        self.params.append(everything)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What most people need."""
        self.write_help(ctx, formatter, everything=False)

    def write_help(
        self, ctx: click.Context, formatter: click.HelpFormatter, everything: bool
    ) -> None:
        """The page, in whole or in short."""
        width = formatter.width
        said = [part for part in (self.help or "").split("\n\n") if part.strip()]
        usage = " ".join(self.collect_usage_pieces(ctx))
        blocks = [folded(f"Usage: {ctx.command_path} {usage}", width, "", "  ")]
        said = said if everything else said[:1]
        blocks += [folded(" ".join(part.split()), width) for part in said]
        blocks += examples_of(self, width, None if everything else SHOWN)
        for group, rows in self._groups(ctx, everything):
            blocks.append([f"{group}:", *listing(rows, width)])
        hidden = sum(isinstance(own, click.Option) for own in self.get_params(ctx))
        if not everything and self.name in BASIC:
            more = f"{ctx.command_path} --help-all shows all {hidden} options."
            blocks.append(folded(more, width))
        formatter.write("\n\n".join("\n".join(lines) for lines in blocks) + "\n")

    def _groups(
        self, ctx: click.Context, everything: bool
    ) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """The rows of every group that has any."""
        name = self.name or ""
        layout = LAYOUT.get(name, _COMMON)
        shown = None if everything or name not in BASIC else BASIC[name].split()
        records: dict[str, tuple[str, str]] = {}
        arguments: list[tuple[str, str]] = []
        for own in self.get_params(ctx):
            record = own.get_help_record(ctx)
            if isinstance(own, click.Argument):
                general = _ARGUMENTS.get(own.name or "", [])
                arguments += _ARGUMENTS.get(f"{name} {own.name}", general)
            elif record is not None:
                long = next((name for name in own.opts if name[:2] == "--"), own.opts[0])
                records[long] = record
        for group, options in layout.items():
            rows = [(o, records.pop(o)) for o in options.split() if o in records]
            found = [row for option, row in rows if shown is None or option in shown]
            found = [*arguments, *found] if group == "Input" else found
            if found:
                yield group, found
        if records and shown is None:
            yield "Other", list(records.values())


def _show_all(context: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or context.resilient_parsing:
        return
    formatter = context.make_formatter()
    command = context.command
    assert isinstance(command, Command)
    command.write_help(context, formatter, everything=True)
    click.echo(formatter.getvalue().rstrip("\n"), color=context.color)
    context.exit()
