"""``csig audit``: every check, and the record that anybody can re-run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import click
from click.core import ParameterSource

from csig.audits.audit import audit
from csig.audits.outcome import Audit
from csig.audits.records import canonical, check_names, make_record
from csig.audits.report import audit_document
from csig.cli.help import Command
from csig.cli.options import (
    BASELINE,
    CITE,
    INPUT,
    METRICS,
    PROGRESS,
    STRICT,
    decorated,
    end,
    metric_names,
    output_option,
    path_option,
    shuffles,
    unit_option,
    verdicts,
)
from csig.cli.printing import format_option, print_document
from csig.cli.recorded import described, request_of
from csig.cli.sink import Failures, OutputFile, distinct, write_stdout
from csig.cli.workers import SCHEDULER, executor_at
from csig.defaults import GENERATORS, YEH_RESAMPLES
from csig.errors import InputError
from csig.metrics import get_all
from csig.progress import ProgressBar
from csig.readers.forms import read
from csig.readers.reading import Reading
from csig.readers.request import OptionError, Request
from csig.report.document import Document
from csig.report.gathering import directions
from csig.report.pages import page
from csig.report.records import dumps
from csig.report.rendering import Format, Rendering, render
from csig.report.verdict import Said
from csig.streams import BAD
from csig.validation import Alternative

__all__ = ["audit_command"]

_UNIT = [
    unit_option("What is swapped, as for csig compare.  [default: the largest known]"),
    click.option(
        "--allow-bad-generator",
        is_flag=True,
        help=f"For teaching: audit {' or '.join(BAD)}, the paper's example of a bad generator.",
    ),
    path_option(
        "--claims",
        help="Check the published numbers in this TOML file instead: are they possible, "
        "consistent, correct?",
    ),
]

_OUTPUT = [
    output_option(
        "--record",
        "record_path",
        help="Write all that csig verify repeats the audit from; - prints nothing else.",
    ),
    click.option(
        "--table/--no-table",
        default=True,
        show_default=True,
        help="Whether the record holds the statistics of the units that differ, or only their "
        "SHA-256; then csig verify needs the inputs.",
    ),
    output_option("--html", help="Write a page as HTML."),
    output_option("--markdown", help="Write all as Markdown."),
    format_option("What is printed; json is the record, html the page."),
    CITE,
    click.option("--verbose", is_flag=True, help="Print every check, not one line per family."),
]


@dataclass(frozen=True)
class _Options:
    """What was asked for, beside what to read."""

    unit: str | None
    allow_bad_generator: bool
    claims: str | None
    metrics: tuple[str, ...]
    lower_is_better: bool | None
    alternative: Alternative
    resamples: int | None
    seed: int | None
    bit_generator: str | None
    threads: int | None
    scheduler: str | None
    zero_division: str
    alpha: float
    confidence: float
    strict: bool
    baseline: str | None
    record_path: str | None
    table: bool
    html: str | None
    markdown: str | None
    output_format: Format
    cite: bool
    verbose: bool

    @property
    def outputs(self) -> dict[str, str | None]:
        """The paths to write to, by option."""
        return {"--record": self.record_path, "--html": self.html, "--markdown": self.markdown}


#: What the outputs are, for messages.
_WHAT = ("record", "page", "page")


@click.command(
    "audit",
    cls=Command,
    short_help="Run every check on a comparison, and write a record of it.",
    epilog="""\b
Examples:
  csig audit gold.conll tagger1.conll tagger2.conll --record record.json
  csig audit scores.csv --cluster story --html page.html
  csig audit --claims examples/yeh2000-claims.toml
  csig verify record.json""",
)
@decorated(
    INPUT,
    BASELINE,
    _UNIT,
    METRICS,
    shuffles((*GENERATORS, *BAD)),
    SCHEDULER,
    verdicts(),
    PROGRESS,
    STRICT,
    _OUTPUT,
)
def audit_command(**given: Any) -> None:
    """Check whether a comparison's p-values are right and can be reproduced.

    Reads what csig compare reads. A second and a third run, the sign test, exact p-values,
    symmetry, the generator, a replay by another program, what the systems' dependence
    costs, and whether the verdict is decided: each check says what was done, what was seen
    and what it means.

    Exit status 0 if no check fails, 1 if one does, or if a claim is contradicted,
    inconsistent or impossible; 3 with --strict where there are cautions; 2 for anything
    else, 130 after Ctrl-C.
    """
    request, options = Request.taken(given), _Options(**given)
    if options.claims is not None:
        _refuse_beside_claims(click.get_current_context())
        _audit_claims(options.claims, options.record_path, options.output_format)
        return
    if options.cite and options.output_format in ("json", "html"):
        raise click.UsageError(
            f"--cite does nothing with -f {options.output_format}, which is the "
            f"{'record' if options.output_format == 'json' else 'page'} alone; use -f text, "
            "markdown or latex"
        )
    if sys.stdout is None and options.record_path in (None, "-"):
        raise click.UsageError("standard output is closed; give --record FILE")
    if options.html is not None or options.output_format == "html":
        from csig.pictures import need_matplotlib

        need_matplotlib()
    outputs = options.outputs
    distinct(outputs)
    with ExitStack() as stack:
        files = {
            option: stack.enter_context(OutputFile(path, request.paths, what))
            for option, what, path in zip(outputs, _WHAT, outputs.values(), strict=True)
            if path is not None and path != "-"
        }
        found, record, said = _audited(request, options)
        document = audit_document(found, record, said)
        _write(document, record, options, files)
    if not found.passed:
        raise click.exceptions.Exit(1)
    end(options.strict, document.doubts)


def _audited(request: Request, options: _Options) -> tuple[Audit, dict[str, Any], Said]:
    """The audit, its record, and what is to be said beside them."""
    files = [described(path) for path in request.paths]
    wanted = metric_names(options.metrics)
    data = read(request, wanted)
    if len(data.names) != 2:
        raise InputError(
            f"an audit is of two systems, found {len(data.names)}; choose them with --system"
        )
    chosen = data.metrics(wanted, options.lower_is_better)
    reading = Reading(data, options.unit, baseline=options.baseline)
    comparison = data.at(*reading.pairs[0], options.unit)
    asked = directions(comparison, chosen, options.alternative)
    if len(asked) > 1:
        raise OptionError(
            f"--alternative {options.alternative} asks for more by some of these metrics and for "
            "less by others; audit metrics of one kind, chosen with --metric"
        )
    check_names(get_all(chosen, comparison.columns), comparison.columns)
    with executor_at(options.scheduler) as executor, ProgressBar("Auditing") as bar:
        found = audit(
            comparison,
            chosen,
            alternative=next(iter(asked)),
            n_resamples=YEH_RESAMPLES if options.resamples is None else options.resamples,
            rng=options.seed,
            bit_generator=options.bit_generator,
            threads=options.threads,
            zero_division=int(options.zero_division),
            confidence_level=options.confidence,
            alpha=options.alpha,
            allow_bad_generator=options.allow_bad_generator,
            executor=executor,
            progress=bar if bar.wanted else None,
        )
    record = make_record(
        found,
        inputs=files,
        command=["csig", *sys.argv[1:]],
        request=request_of(request, comparison.unit, wanted, options.lower_is_better),
        cautions=data.source.cautions,
        table=options.table,
    )
    return found, record, Said(tuple(data.source.cautions), tuple(data.source.notes))


def _write(
    document: Document,
    record: Mapping[str, Any],
    options: _Options,
    files: Mapping[str, OutputFile],
) -> None:
    def write(option: str, made: Callable[[], str]) -> None:
        """A disk that is full now does not take the results along."""
        with failures:
            if options.outputs[option] == "-":
                write_stdout(made().encode("utf-8", "replace"))
            elif option in files:
                files[option].write(made().encode("utf-8", "replace"))

    def shown() -> str:
        return page(document, failed=not record["passed"])

    def whole() -> str:
        return render(document, "markdown", Rendering(explain=True))

    failures = Failures()
    write("--record", lambda: canonical(record))
    write("--html", shown)
    write("--markdown", whole)
    if "-" in options.outputs.values():
        pass
    elif options.output_format == "json":  # its SHA-256 is that of the record's file
        write_stdout(canonical(record).encode())
    elif options.output_format == "html":
        write_stdout(shown().encode("utf-8", "replace"))
    else:
        print_document(document, options.output_format, explain=options.verbose, cite=options.cite)
    failures.end()


def _refuse_beside_claims(context: click.Context) -> None:
    """Published numbers are neither read from data nor shuffled: other options would do nothing."""
    for option in context.command.params:
        name = option.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        given &= context.params.get(name) != ()  # no files at all, which old versions say are given
        if given and name not in ("claims", "record_path", "output_format"):
            written = "/".join([*option.opts, *option.secondary_opts])
            if isinstance(option, click.Argument):
                written = option.human_readable_name
            raise click.UsageError(
                f"--claims goes with --record and -f only; {written} does nothing here"
            )


def _audit_claims(path: str, record_path: str | None, output_format: Format) -> None:
    from csig.claims.checker import check_claims
    from csig.claims.file import read_claims

    found = check_claims(read_claims(path))
    failures = Failures()
    if record_path is not None:
        text = dumps(found.as_dict())
        if record_path == "-":
            write_stdout(text.encode())
        else:
            with failures, OutputFile(record_path, [path], "record") as file:
                file.write(text.encode())
    if record_path != "-":
        from csig.report.claims import claims_document

        print_document(claims_document(found), output_format)
    failures.end()
    if not found.passed:
        raise click.exceptions.Exit(1)
