"""``csig audit``: every check, and the record that anybody can re-run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import click
from click.core import ParameterSource

from csig.audits.audit import audit as audited
from csig.audits.audit import direction
from csig.audits.outcome import Audit
from csig.audits.records import canonical, check_names, make_record
from csig.audits.report import audit_document
from csig.base.defaults import YEH_RESAMPLES
from csig.base.errors import InputError
from csig.base.progress import ProgressBar
from csig.cli.options import (
    INPUT,
    SEEDED,
    command,
    end,
)
from csig.cli.printing import options_of, print_document
from csig.cli.recorded import described, request_of
from csig.cli.sink import Failures, OutputFile, distinct, write_stdout
from csig.cli.workers import executor_at
from csig.comparing.options import Options
from csig.comparing.verdict import Said
from csig.data.metrics import get_all
from csig.readers.forms import read
from csig.readers.reading import Reading
from csig.readers.request import Request
from csig.report.forms import dumps
from csig.report.pages import page
from csig.report.rendering import Format, Rendering, render

#: What the outputs are, for messages.
_WHAT = {"--record": "record", "--html": "page", "--markdown": "page"}


@dataclass(frozen=True)
class _Asked:
    """What is audited, and how."""

    request: Request
    options: Options
    bad: bool
    scheduler: str | None
    table: bool


@command(
    "--system --gold-column --id --cluster --metric --unit --seed --alpha --claims --record --html "
    "--output-format --verbose --strict",
    f"{INPUT}{SEEDED}--baseline --allow-bad-generator --lower-is-better --alternative --resamples "
    "--zero-division --scheduler --pvalue-confidence --progress --table --markdown --cite",
)
def audit(
    claims: str | None,
    resamples: int | None,
    allow_bad_generator: bool,
    scheduler: str | None,
    table: bool,
    record_path: str | None,
    html: str | None,
    markdown: str | None,
    output_format: Format,
    cite: bool,
    verbose: bool,
    strict: bool,
    **given: Any,
) -> None:
    """Check whether a comparison's p-values are right and can be reproduced.

    Reads what csig compare reads. A second and a third run, the sign test, exact p-values,
    symmetry, the generator, a replay by another program, what the systems' dependence
    costs, and whether the verdict is decided: each check says what was done, what was seen
    and what it means.

    Exit status 0 if no check fails, 1 if one does, or if a claim is contradicted,
    inconsistent or impossible; 3 with --strict where there are cautions; 2 for anything
    else, 130 after Ctrl-C.

    Examples:
      csig audit gold.conll tagger1.conll tagger2.conll --record record.json
      csig audit scores.csv --cluster story --html page.html
      csig audit --claims examples/yeh2000-claims.toml
      csig verify record.json
    """
    if claims is not None:
        _audit_claims(claims, record_path, output_format)
        return
    if cite and output_format in ("json", "html"):
        raise click.UsageError(
            f"--cite does nothing with -f {output_format}, which is the "
            f"{'record' if output_format == 'json' else 'page'} alone; use -f text, markdown or "
            "latex"
        )
    if sys.stdout is None and record_path in (None, "-"):
        raise click.UsageError("standard output is closed; give --record FILE")
    if html is not None or output_format == "html":
        from csig.report.style import need_matplotlib

        need_matplotlib()
    request = Request.taken(given)
    options = options_of(given, n_resamples=resamples or YEH_RESAMPLES)
    outputs = {"--record": record_path, "--html": html, "--markdown": markdown}
    distinct(outputs)
    with ExitStack() as stack:
        files = {
            option: stack.enter_context(OutputFile(path, request.paths, _WHAT[option]))
            for option, path in outputs.items()
            if path is not None and path != "-"
        }
        found, record, said = _audited(
            _Asked(request, options, allow_bad_generator, scheduler, table)
        )
        document = audit_document(found, record, said)
        failures = Failures()  # a disk that is full now does not take the results along

        def shown() -> str:
            return page(document, failed=not record["passed"])

        makers: dict[str, Callable[[], str]] = {
            "--record": lambda: canonical(record),
            "--html": shown,
            "--markdown": lambda: render(document, "markdown", Rendering(explain=True)),
        }
        for option, make in makers.items():
            with failures:
                if outputs[option] == "-":
                    write_stdout(make().encode("utf-8", "replace"))
                elif option in files:
                    files[option].write(make().encode("utf-8", "replace"))
        if "-" in outputs.values():
            pass
        elif output_format == "json":  # its SHA-256 is that of the record's file
            write_stdout(canonical(record).encode())
        elif output_format == "html":
            write_stdout(shown().encode("utf-8", "replace"))
        else:
            print_document(document, output_format, explain=verbose, cite=cite)
        failures.end()
    if not found.passed:
        raise click.exceptions.Exit(1)
    end(strict, document.doubts)


def _audited(asked: _Asked) -> tuple[Audit, dict[str, Any], Said]:
    """The audit, its record, and what is to be said beside them."""
    request, options = asked.request, asked.options
    wanted = [name for name in options.metrics if isinstance(name, str)]
    files = [described(path) for path in request.paths]
    data = read(request, wanted)
    if len(data.names) != 2:
        raise InputError(
            f"an audit is of two systems, found {len(data.names)}; choose them with --system"
        )
    chosen = data.metrics(wanted, options.lower_is_better)
    reading = Reading(data, options.unit, baseline=options.baseline)
    comparison = data.at(*reading.pairs[0], options.unit)
    alternative = direction(comparison, chosen, options.alternative)
    check_names(get_all(chosen, comparison.columns), comparison.columns)
    with executor_at(asked.scheduler) as executor, ProgressBar("Auditing") as bar:
        found = audited(
            comparison,
            chosen,
            alternative=alternative,
            n_resamples=options.n_resamples,
            rng=options.seed,
            bit_generator=options.bit_generator,
            threads=options.threads,
            zero_division=options.zero_division,
            pvalue_confidence=options.pvalue_confidence,
            alpha=options.alpha,
            allow_bad_generator=asked.bad,
            executor=executor,
            progress=bar if bar.wanted else None,
        )
    record = make_record(
        found,
        inputs=files,
        command=["csig", *sys.argv[1:]],
        request=request_of(request, comparison.unit, options.metrics, options.lower_is_better),
        cautions=data.source.cautions,
        table=asked.table,
    )
    return found, record, Said(tuple(data.source.cautions), tuple(data.source.notes))


def _audit_claims(path: str, record_path: str | None, output_format: Format) -> None:
    """Check published numbers, which are neither read from data nor shuffled."""
    context = click.get_current_context()
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
    from csig.claims.checker import check_claims
    from csig.claims.file import read_claims

    found = check_claims(read_claims(path))
    failures = Failures()
    if record_path == "-":
        write_stdout(dumps(found.as_dict()).encode())
    elif record_path is not None:
        with failures, OutputFile(record_path, [path], "record") as file:
            file.write(dumps(found.as_dict()).encode())
    if record_path != "-":
        from csig.claims.checker import claims_document

        print_document(claims_document(found), output_format)
    failures.end()
    if not found.passed:
        raise click.exceptions.Exit(1)
