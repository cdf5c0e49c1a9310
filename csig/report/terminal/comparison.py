"""What ``csig compare`` prints of two systems."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, TextIO

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from csig import wording
from csig.comparison import Comparison
from csig.readers.description import Description
from csig.readers.source import Input, TableInput
from csig.report.summary import Summary
from csig.report.systems import Systems
from csig.report.verdict import CHECK_LEVEL, pvalue_text, verdict
from csig.results import RandomizationResult

if TYPE_CHECKING:
    from csig.breakdowns import Breakdown

__all__ = [
    "make_console",
    "paragraphs",
    "plain_table",
    "print_cautions",
    "print_description",
    "print_summary",
    "print_systems",
    "printed",
]

#: Columns when the output goes to a file or a pipe and nobody said how many.
PIPED_WIDTH = 100

#: From this width on the method is spelt out in every row.
WIDE = 100

#: Columns of statistics whose sums are shown, where they are not those of responses.
SHOWN_COLUMNS = 6

#: Files of a table that are named; --json has them all.
SHOWN_FILES = 3

#: Labels that a description lists; --json has them all.
SHOWN_LABELS = 40

#: Between two columns of a table.
GAP = 2

#: The line under the headers where the output may end up in any file or mail.
_PLAIN = box.Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)

_STYLES = {"significant": "bold green", "not significant": "", "undecided": "bold yellow"}


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the program what its status is when the reader has gone; rich says 1."""
        raise


def make_console(file: TextIO) -> Console:
    """A console for a stream: as wide as the terminal, 100 columns for a file or pipe."""
    terminal = file.isatty()
    given = os.environ.get("COLUMNS", "").isdigit()
    console = _Console(
        file=file,
        width=None if terminal or given else PIPED_WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
    )
    if console.width < 20:  # COLUMNS=0 and the like
        console.width = 80
    return console


def _name(name: str) -> Text:
    return Text(wording.clean(name))


# ---- what was compared -----------------------------------------------------------------


def _source(source: Input) -> str:
    """The format, the size and the files."""
    if source.table is not None:
        return _table_source(source.format, source.table)
    files = _few_files(source.files.values())
    if "b" not in source.files and source.systems:
        files = _few_files(dict.fromkeys([*source.files.values(), *source.systems]))
    if source.format == "counts":
        return f"counts ({files})"
    sizes = [
        wording.counted(n, noun)
        for noun, n in (
            ("document", source.n_documents),
            ("sentence", source.n_sentences),
            ("token", source.n_tokens),
        )
        if n is not None
    ]
    what = {
        "labels": "labels of tokens",
        "responses": "responses, one a line",
        "spans": "spans",
        "statistics": "a statistics table, one row a response",
        "tags": "tags",
    }[source.format]
    if source.documents:
        what += ", the first field a document id"
    if source.format == "tags":
        what += (
            " read by strict rules" if source.rules == "strict" else " read by conlleval's rules"
        )
        what += "" if source.scheme is None else f" ({wording.clean(source.scheme)})"
    if source.columns is not None:
        names = (source.columns.gold, source.columns.a, source.columns.b)
        files = f"columns {', '.join(map(wording.clean, names))} of {files}"
    return f"{', '.join([what, *sizes])} ({files})"


def _few_files(paths: Iterable[str]) -> str:
    return wording.few([wording.clean(path) for path in paths], SHOWN_FILES, "file")


_FORMAT_TITLES = {
    "counts": "a table of counts",
    "labels": "a table of labels",
    "lm-eval": "samples of lm-evaluation-harness",
    "scores": "a table of scores",
}


def _table_source(format_: str, table: TableInput) -> str:
    """A table's format, size and files."""
    size = wording.counted(table.n_units, "unit")
    if table.n_clusters is not None:
        size += f" in {wording.counted(table.n_clusters, 'cluster')}"
        if table.cluster_column is not None:
            size += f" by {wording.clean(table.cluster_column)}"
    files = _few_files(table.files)
    title = _FORMAT_TITLES[format_]
    if format_ == "labels" and table.gold_column is None:  # the gold has a file of its own
        title = "labels, one a line"
    return f"{title}, {size} ({files})"


def _grid() -> Table:
    grid = Table.grid(padding=(0, GAP, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    return grid


def _of_each(summary: Summary, say: Callable[[Comparison], str]) -> str:
    """What is to be said of the comparison, or of every metric's, with its name."""
    if not summary.comparisons:
        return say(summary.comparison)
    found = {name: say(own) for name, own in summary.comparisons.items()}
    if len(set(found.values())) == 1:
        return next(iter(found.values()))
    return "; ".join(f"{wording.metric_title(name)}: {line}" for name, line in found.items())


def _systems(summary: Summary) -> Table:
    comparison = summary.comparison
    grid = _grid()
    grid.add_row(Text("Input"), Text(_source(summary.input)))
    of_responses = {"tp", "predicted", "gold"} <= set(comparison.columns)
    for letter, name, system in zip("AB", comparison.names, "ab", strict=True):
        sums = comparison.sums(system)
        own = "" if wording.clean(name) == letter else f"{wording.clean(name)}: "
        line = Text(own, style="bold")
        said = _of_each(summary, partial(_sums_of, system=system))
        line.append(said, style="not bold")
        grid.add_row(Text(letter, style="bold"), line)
    if of_responses:
        grid.add_row(Text("Gold"), Text(wording.counted(sums["gold"], "response")))
    what = _exchanged(comparison)[0]
    grid.add_row(Text(what), Text(_of_each(summary, lambda own: _exchanged(own)[1])))
    return grid


def _sums_of(comparison: Comparison, system: str) -> str:
    sums = comparison.sums(system)
    return _responses(sums) if {"tp", "predicted", "gold"} <= set(sums) else _sums(sums)


def _responses(sums: Mapping[str, int]) -> str:
    spurious = sums["predicted"] - sums["tp"]
    responses = wording.counted(sums["predicted"], "response")
    return f"{responses}, {wording.count(sums['tp'])} correct, {wording.count(spurious)} spurious"


def _sums(sums: Mapping[str, int | Fraction]) -> str:
    """Other statistics: the first few columns and their sums."""
    if {"correct", "items"} <= set(sums):
        items = sums["items"]
        noun = wording.noun("unit", int(items))
        return f"{wording.amount(sums['correct'])} of {wording.amount(items)} {noun} correct"
    if list(sums) == ["score", "n"]:
        noun = wording.noun("unit", int(sums["n"]))
        return (
            f"scores of {wording.amount(sums['n'])} {noun}, in all {wording.amount(sums['score'])}"
        )
    shown = [f"{wording.clean(column)} {wording.amount(total)}" for column, total in sums.items()]
    return wording.few(shown, SHOWN_COLUMNS, "column")


def _exchanged(comparison: Comparison) -> tuple[str, str]:
    """What the test exchanges, and how much of it there is."""
    n = comparison.n_units
    if comparison.units is None:
        if n == 0:
            return "Unique", "none, the systems are identical"
        correct, spurious = comparison.responses
        return "Unique", (
            f"{wording.count(n)} responses of one system only "
            f"({wording.count(correct.size)} correct, {wording.count(spurious.size)} spurious): "
            f"these are exchanged"
        )
    total = comparison.units.n_total
    if total == 0:
        return "Units", f"there are no {wording.noun(comparison.unit, 0)}"
    counted = f"of {wording.counted(total, comparison.unit)}"
    if n == 0:
        return "Units", f"none {counted} differs"
    differ = "differs: this is" if n == 1 else "differ: these are"
    return "Units", f"{wording.count(n)} {counted} {differ} exchanged"


# ---- the table -------------------------------------------------------------------------


def _method_lines(result: RandomizationResult, wide: bool, mixed: bool) -> list[str]:
    if result.n_hits is None or result.n_resamples is None:
        n = result.n_units
        return [f"exact, all 2^{n} shuffles" if n else "exact"]
    hits = f"{wording.count(result.n_hits)} hits of {wording.count(result.n_resamples)}"
    low, high = (wording.pvalue(end) for end in result.pvalue_interval)
    interval = f"{low} to {high}"
    if wide:
        level = wording.decimal(100 * result.confidence_level)
        return [f"approximate: {hits}", f"{level}% interval of p: {interval}"]
    return [*(["approximate"] if mixed else []), hits, interval]


def _method_header(results: Iterable[RandomizationResult], wide: bool) -> str:
    results = list(results)
    shuffled = [r for r in results if r.n_hits is not None]
    if wide or not shuffled:
        return "Method"
    level = wording.decimal(100 * shuffled[0].confidence_level)
    kind = "Method" if len(shuffled) < len(results) else "Approximate"
    return f"{kind}: hits,\n{level}% interval of p"


def _headers(names: Iterable[str], room: int) -> list[str]:
    """The systems' names over their columns, or A and B where both together have no room."""
    cleaned = [wording.clean(name) for name in names]
    # A name may take two lines: the width it needs is that of its longest word.
    needed = [max(cell_len(name) / 2, *map(cell_len, name.split())) for name in cleaned]
    return cleaned if sum(max(6, width) for width in needed) <= room else ["A", "B"]


def _widest(lines: Iterable[str]) -> int:
    return max(len(part) for line in lines for part in line.split("\n"))


def plain_table() -> Table:
    """A table that may end up in any file or mail."""
    return Table(box=_PLAIN, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))


def _table(console: Console) -> Table:
    plain = not console.is_terminal or console.options.ascii_only
    style = _PLAIN if plain else box.SIMPLE_HEAD
    return Table(box=style, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))


def _results(summary: Summary, console: Console) -> Table:
    results = list(summary.results.values())
    alpha = summary.options.alpha
    width = console.width
    wide = width >= WIDE
    mixed = len({r.method for r in results}) > 1
    titles = [wording.metric_title(r.metric) for r in results]
    shares = [wording.in_percent(r.score_a, r.score_b) for r in results]
    differences = [
        wording.score_difference(r.statistic, share, sign=True)
        for r, share in zip(results, shares, strict=True)
    ]
    pvalues = [pvalue_text(r, alpha) for r in results]
    methods = [_method_lines(r, wide, mixed) for r in results]
    kind = {"two-sided": "two-sided", "greater": "A > B", "less": "A < B"}[results[0].alternative]
    # Where all are shares the header says so; else each that is one.
    below, beside = ("\n%", "") if all(shares) else ("", "%")
    headers = ["Metric", f"Difference{below}", f"p\n{kind}", _method_header(results, wide)]
    columns = (titles, differences, pvalues, [line for cell in methods for line in cell])
    used = sum(_widest([h, *cells]) for h, cells in zip(headers, columns, strict=True))
    names = _headers(summary.comparison.names, width - used - 5 * GAP)

    table = _table(console)
    table.add_column(Text(headers[0]), vertical="top", overflow="fold")
    for name in names:
        table.add_column(Text(f"{name}{below}"), justify="right", vertical="top", min_width=6)
    table.add_column(Text(headers[1]), justify="right", vertical="top")
    table.add_column(Text(headers[2]), justify="right", vertical="top", overflow="fold")
    table.add_column(Text(headers[3]), vertical="top", overflow="fold")
    for i, result in enumerate(results):
        table.add_row(
            Text(titles[i], style="bold"),
            *(
                wording.score(value, shares[i]) + beside * shares[i]
                for value in (result.score_a, result.score_b)
            ),
            differences[i] + beside * shares[i],
            Text(pvalues[i], style=_STYLES[verdict(result, alpha)]),
            Text("\n".join(methods[i])),
        )
    return table


def _checks(results: Iterable[RandomizationResult], console: Console) -> Table | None:
    """The checks of Yeh (2000): two runs, and recall against the sign test."""
    checked = [(r, r.checks) for r in results if r.checks is not None]
    if not checked:
        return None
    table = _table(console)
    table.add_column(Text("Checks of Yeh (2000)"))
    for header in ("First", "Second", "p if they agree"):
        table.add_column(Text(header), justify="right")

    def row(title: str, first: str, second: str, agreement: float) -> None:
        style = "bold red" if agreement < CHECK_LEVEL else ""
        table.add_row(Text(title), first, second, Text(wording.pvalue(agreement), style=style))

    for result, checks in checked:
        row(
            f"{wording.metric_title(result.metric)}: run 1 and run 2",
            f"{wording.count(result.n_hits or 0)} hits",
            f"{wording.count(checks.second_run.n_hits)} hits",
            checks.second_run.agreement_pvalue,
        )
    sign = checked[0][1].sign_test
    row(
        "Recall: shuffles and sign test",
        f"p = {wording.pvalue(sign.pvalue)}",
        f"p = {wording.pvalue(sign.sign_pvalue)}",
        sign.agreement_pvalue,
    )
    return table


# ---- all of it -------------------------------------------------------------------------


def paragraphs(console: Console, bullet: str, lines: Iterable[str], style: str = "") -> None:
    """Lines that are folded beside their bullet."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for line in lines:
        grid.add_row(Text(bullet, style=style), Text(line))
    if grid.row_count:
        console.print(grid)


def _range(numbers: Iterable[int]) -> str:
    low, *more = sorted(set(numbers))
    return f"{wording.count(low)} to {wording.count(more[-1])}" if more else wording.count(low)


def _sensitivity(summary: Summary, console: Console) -> Table:
    """The p-values with every unit that is known."""
    alpha = summary.options.alpha
    table = _table(console)
    table.add_column(Text("Exchanged"), vertical="top")
    table.add_column(Text("Units that\ndiffer"), justify="right", vertical="top")
    table.add_column(Text("of"), justify="right", vertical="top")
    for result in summary.results.values():
        header = Text(f"{wording.metric_title(result.metric)}\np")
        table.add_column(header, justify="right", vertical="top", overflow="fold")
    for unit, results in summary.sensitivity.items():
        at = summary.comparison.at(unit)
        own = unit == summary.comparison.unit
        table.add_row(
            Text(wording.noun(unit, 2), style="bold" if own else ""),
            _range(result.n_units for result in results.values())
            if summary.comparisons
            else wording.count(at.n_units),
            "" if at.units is None else wording.count(at.units.n_total),
            *(
                Text(pvalue_text(result, alpha), style=_STYLES[verdict(result, alpha)])
                for result in results.values()
            ),
        )
    return table


def _breakdown(summary: Summary, breakdown: Breakdown, metric: str, console: Console) -> Table:
    """Every part by a metric."""
    found = breakdown.corrected(metric, summary.options.alpha)
    share = all(wording.in_percent(row.result.score_a, row.result.score_b) for row in found)
    below = "\n%" * share
    table = _table(console)
    table.add_column(Text(wording.clean(summary.options.by or "")), vertical="top", overflow="fold")
    title = wording.metric_title(metric)
    names = _headers(summary.comparison.names, console.width // 3)
    headers = ["Units that\ndiffer", *(f"{title}\n{name}" for name in names)]
    headers += [f"Difference{below}", "r12", "p", "p\nHolm"]
    for header in headers:
        table.add_column(Text(header), justify="right", vertical="top", overflow="fold")
    for part, row in zip(breakdown.parts, found, strict=True):
        result, r12 = row.result, part.r12
        adjusted = wording.pvalue(row.adjusted, row.log_adjusted, summary.options.alpha)
        table.add_row(
            Text(wording.clean(str(part.label)), style="bold"),
            wording.count(part.n_units),
            *(wording.score(value, share) for value in (result.score_a, result.score_b)),
            wording.score_difference(result.statistic, share, sign=True),
            "-" if math.isnan(r12) else f"{r12:.3f}",
            pvalue_text(result),
            Text(adjusted, style=_STYLES[row.verdict]),
        )
    return table


def _print_breakdown(summary: Summary, breakdown: Breakdown, console: Console) -> None:
    for metric in breakdown.metrics:
        console.print()
        console.print(_breakdown(summary, breakdown, metric, console))
    if not math.isnan(breakdown.median_r12):
        console.print()
        console.print(
            Text(
                f"The median of r12, the correlation between the two systems' results, is "
                f"{breakdown.median_r12:.3f}; systems that err independently have 0."
            )
        )


def print_cautions(cautions: Sequence[str], console: Console) -> None:
    """Print what is doubtful: before everything else, so that nobody reads a number without it.

    Parameters
    ----------
    cautions : sequence of str
        One paragraph each; without any nothing is printed.
    console : rich.console.Console
        Where to.
    """
    paragraphs(console, "Caution:", cautions, "bold yellow")
    if cautions:
        console.print()


def _print(summary: Summary, console: Console) -> None:
    print_cautions(summary.cautions, console)
    console.print(_systems(summary))
    console.print()
    console.print(_results(summary, console))
    checks = _checks(summary.results.values(), console)
    if checks is not None:
        console.print()
        console.print(checks)
    if summary.sensitivity:
        console.print()
        console.print(_sensitivity(summary, console))
        console.print()
        console.print(Text(summary.trust or "", overflow="fold"))
    if summary.breakdown is not None:
        _print_breakdown(summary, summary.breakdown, console)
    _print_words(summary, console)


def _print_words(summary: Summary | Systems, console: Console) -> None:
    console.print()
    paragraphs(console, "-", summary.sentences)
    if summary.notes:
        console.print()
    paragraphs(console, "Note:", summary.notes)
    console.print()
    # One line however long: it is there to be copied.
    console.print(Text(summary.signature), soft_wrap=True)


def _systems_table(systems: Systems, metric: str, console: Console) -> Table:
    """A metric's scores: the baseline, and below it every system beside it."""
    rows = systems.rows(metric)
    first = rows[0].result
    alpha, wide = systems.options.alpha, console.width >= WIDE
    share = all(wording.in_percent(row.result.score_a, row.result.score_b) for row in rows)
    kind = {"two-sided": "two-sided", "greater": "> baseline", "less": "< baseline"}
    mixed = len({row.result.method for row in rows}) > 1
    below = "\n%" * share
    table = _table(console)
    table.add_column(Text("System"), vertical="top", overflow="fold")
    for header in (
        f"{wording.metric_title(metric)}{below}",
        f"Difference{below}",
        f"p\n{kind[first.alternative]}",
        "p\nHolm",
    ):
        table.add_column(Text(header), justify="right", vertical="top", overflow="fold")
    table.add_column(
        Text(_method_header([row.result for row in rows], wide)), vertical="top", overflow="fold"
    )
    table.add_row(
        _name(systems.baseline), wording.score(first.score_b, share), "", "", "", "baseline"
    )
    for row in rows:
        result = row.result
        table.add_row(
            Text(wording.clean(str(row.name)), style="bold"),
            wording.score(result.score_a, share),
            wording.score_difference(result.statistic, share, sign=True),
            pvalue_text(result),
            Text(wording.pvalue(row.adjusted, row.log_adjusted, alpha), style=_STYLES[row.verdict]),
            Text("\n".join(_method_lines(result, wide, mixed))),
        )
    return table


def _baseline_and_systems(systems: Systems) -> Table:
    """What was read, and how much of it the tests exchange."""
    grid = _grid()
    grid.add_row(Text("Input"), Text(_source(systems.input)))
    line = Text(f"{wording.clean(systems.baseline)}: ", style="bold")
    said = _of_each(systems.summaries[0], lambda own: _sums_of(own, "b"))
    grid.add_row(Text("Baseline"), line.append(said, style="not bold"))
    for summary in systems.summaries:
        line = Text(f"{wording.clean(summary.comparison.names[0])}: ", style="bold")
        said = _of_each(summary, lambda own: f"{_sums_of(own, 'a')}; {_exchanged(own)[1]}")
        line.append(said, style="not bold")
        grid.add_row(Text("System"), line)
    return grid


def _systems_sensitivity(systems: Systems, metric: str, console: Console) -> Table:
    """Every system's p-value, not corrected, with every unit that is known."""
    alpha = systems.options.alpha
    table = _table(console)
    table.add_column(Text("System"), vertical="top", overflow="fold")
    for unit in systems.summaries[0].sensitivity:
        own = unit == systems.summaries[0].comparison.unit
        header = Text(
            f"{wording.metric_title(metric)}, p by\n{wording.noun(unit, 2)} (that differ)"
        )
        table.add_column(header, justify="right", vertical="top", style="bold" if own else "")
    for summary in systems.summaries:
        pvalues = []
        for results in summary.sensitivity.values():
            result = results[metric]
            cell = Text(pvalue_text(result, alpha), style=_STYLES[verdict(result, alpha)])
            pvalues.append(cell.append(f" ({wording.count(result.n_units)})", style="not bold"))
        table.add_row(_name(summary.comparison.names[0]), *pvalues)
    return table


def _print_systems(systems: Systems, console: Console) -> None:
    print_cautions(systems.cautions, console)
    console.print(_baseline_and_systems(systems))
    for metric in systems.metrics:
        console.print()
        console.print(_systems_table(systems, metric, console))
    first = systems.summaries[0]
    if first.sensitivity:
        for metric in systems.metrics:
            console.print()
            console.print(_systems_sensitivity(systems, metric, console))
        console.print()
        console.print(Text(first.trust or "", overflow="fold"))
    _print_words(systems, console)


def print_systems(systems: Systems, console: Console) -> None:
    """Print the report of ``csig compare`` on more than two systems.

    Parameters
    ----------
    systems : Systems
        The comparisons with the baseline.
    console : rich.console.Console
        Where to; see :func:`make_console`.
    """
    printed(partial(_print_systems, systems), console)


def print_summary(summary: Summary, console: Console) -> None:
    """Print the report of ``csig compare``.

    Parameters
    ----------
    summary : Summary
        A comparison and its results.
    console : rich.console.Console
        Where to; see :func:`make_console`.
    """
    printed(partial(_print, summary), console)


def _counted(description: Description, console: Console) -> Table:
    """Every system's sums and scores."""
    rows = description.systems
    table = _table(console)
    table.add_column(Text("System"), vertical="top", overflow="fold")
    counts = list(rows[0].counts)
    for name in counts:
        table.add_column(Text(wording.clean(name.capitalize())), justify="right", vertical="top")
    shares = {
        name: all(wording.in_percent(row.scores[name], row.scores[name]) for row in rows)
        for name in rows[0].scores
    }
    for name, share in shares.items():
        header = Text(wording.metric_title(name) + "\n%" * share)
        table.add_column(header, justify="right", vertical="top")
    for row in rows:
        table.add_row(
            Text(wording.clean(row.system), style="bold"),
            *(wording.count(row.counts[name]) for name in counts),
            *(wording.score(row.scores[name], share) for name, share in shares.items()),
        )
    return table


def _label_table(description: Description, console: Console) -> Table:
    """How often each label is in the gold, what each system makes of it, and its F1."""
    names = [row.system for row in description.systems]
    table = _table(console)
    table.add_column(Text("Label"), vertical="top", overflow="fold")
    table.add_column(Text("Gold"), justify="right", vertical="top")
    for name in names:
        for below in ("found", "R", "P", "F1") if len(names) <= 2 else ("F1",):
            header = Text(
                f"{wording.clean(name)}\n{below}" if below in ("found", "F1") else f"\n{below}"
            )
            table.add_column(header, justify="right", vertical="top", overflow="fold")
    for row in description.labels[:SHOWN_LABELS]:
        cells = []
        for name in names:
            right, said = row.correct[name], row.predicted[name]
            shares = [
                wording.percent(right / below) if below else "-"
                for below in (row.gold, said, (row.gold + said) / 2)
            ]
            cells += [wording.count(said), *shares] if len(names) <= 2 else shares[2:]
        table.add_row(Text(wording.clean(row.label), style="bold"), wording.count(row.gold), *cells)
    return table


def _print_description(description: Description, console: Console) -> None:
    print_cautions(description.suspicious, console)
    grid = _grid()
    grid.add_row(Text("Input"), Text(_source(description.input)))
    for unit, count in description.units.items():
        name = wording.noun(unit, 2)
        grid.add_row(Text(f"{name[:1].upper()}{name[1:]}"), wording.count(count))
    if description.gold is not None:
        grid.add_row(Text("Gold"), wording.count(description.gold))
    console.print(grid)
    console.print()
    console.print(_counted(description, console))
    if description.labels:
        console.print()
        console.print(_label_table(description, console))
        more = len(description.labels) - SHOWN_LABELS
        if more > 0:
            console.print(Text(f"and {wording.count(more)} more labels (--json has all)"))
    if description.notes:
        console.print()
    paragraphs(console, "Note:", description.notes)


def print_description(description: Description, console: Console) -> None:
    """Print what ``csig convert --describe`` found.

    Parameters
    ----------
    description : Description
        What is in the data.
    console : rich.console.Console
        Where to; see :func:`make_console`.
    """
    printed(partial(_print_description, description), console)


def printed(show: Callable[[Console], None], console: Console) -> None:
    """Show something, without spaces at the ends of lines where it goes to a file."""
    if console.is_terminal:
        show(console)
        return
    # rich fills lines up with spaces, which nobody wants in a file.
    with console.capture() as captured:
        show(console)
    console.file.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))
