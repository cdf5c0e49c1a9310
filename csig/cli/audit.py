"""``csig audit`` and ``csig verify``: every check, and the record that anybody can re-run."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict
from typing import Any

import click

from csig._version import __version__
from csig.auditing import Audit, audit
from csig.cli.compare import at
from csig.cli.inputs import read
from csig.cli.options import MAX_SIZE, METRICS, STRICT, end, metric_names, shuffles, verdicts, whole
from csig.cli.request import INPUT, UNITS, Request, decorated
from csig.cli.sink import OutputFile, write_stdout
from csig.comparison import Comparison
from csig.errors import InputError
from csig.progress import ProgressBar
from csig.randomization import YEH_RESAMPLES
from csig.readers import limits
from csig.readers.lines import STDIN, read_stdin
from csig.records import Verification, canonical, make_record, parse_record, verify
from csig.report.verdict import Said, cautions
from csig.streams import BAD, NAMED

__all__ = ["audit_command", "verify_command"]

_UNIT = [
    click.option(
        "--unit",
        type=click.Choice(UNITS),
        help="What is exchanged, as for csig compare.  [default: the largest that is known]",
    ),
    click.option(
        "--allow-bad-generator",
        is_flag=True,
        help=f"For teaching: audit {' or '.join(BAD)}, the paper's example of a bad generator.",
    ),
    click.option(
        "--claims",
        metavar="FILE",
        type=click.Path(),
        help="Instead: a TOML file of published numbers; are they possible, consistent, right?",
    ),
]

_OUTPUT = [
    click.option(
        "--record",
        "record_path",
        metavar="FILE|-",
        type=click.Path(),
        help="Write all that csig verify repeats the audit from; - prints nothing else.",
    ),
    click.option(
        "--table/--no-table",
        default=True,
        show_default=True,
        help="Whether the record holds the statistics of the units that differ, or only their "
        "SHA-256; then csig verify needs the inputs.",
    ),
    click.option("--html", metavar="FILE", type=click.Path(), help="Write a page as HTML."),
    click.option(
        "--markdown", metavar="FILE|-", type=click.Path(), help="Write a page as Markdown."
    ),
]


@click.command(
    "audit",
    short_help="Check a comparison in every way, and write a record of it.",
    epilog="""\b
Examples:
  csig audit gold.conll tagger1.conll tagger2.conll --record record.json
  csig audit scores.csv --cluster story --html page.html
  csig audit --claims examples/yeh2000-claims.toml
  csig verify record.json""",
)
@decorated(INPUT, _UNIT, METRICS, shuffles((*NAMED, *BAD)), verdicts(), STRICT, _OUTPUT)
def audit_command(
    unit: str | None,
    allow_bad_generator: bool,
    claims: str | None,
    metrics: tuple[str, ...],
    lower_is_better: bool,
    alternative: str,
    resamples: int | None,
    seed: int | None,
    bit_generator: str | None,
    threads: int | None,
    zero_division: str,
    alpha: float,
    confidence: float,
    strict: bool,
    record_path: str | None,
    table: bool,
    html: str | None,
    markdown: str | None,
    **inputs: Any,
) -> None:
    """Check whether a comparison's p-values can be trusted.

    Reads what csig compare reads. A second and a third run, the sign test, exact p-values,
    symmetry, the generator, a replay by another program, what the systems' dependence
    costs, and whether the verdict is decided: each check says what was done, what was seen
    and what it means. Exit status 1 if a check fails, or a claim is contradicted.
    """
    request = Request.taken(inputs)
    if claims is not None:
        other = [unit, *metrics, seed, bit_generator, threads, html, markdown, resamples]
        if request != Request() or any(value is not None for value in other):
            raise click.UsageError("--claims goes with --record only")
        _audit_claims(claims, record_path)
        return
    if sys.stdout is None and record_path in (None, "-"):
        raise click.UsageError("standard output is closed; give --record FILE")
    wanted = metric_names(metrics)
    if html is not None:
        from csig.report.plots import need_matplotlib

        need_matplotlib()
    with ExitStack() as stack:
        paths = [(record_path, "record"), (html, "page"), (markdown, "page")]
        files: dict[str | None, OutputFile] = {
            path: stack.enter_context(OutputFile(path, request.paths, what))
            for path, what in paths
            if path is not None and path != "-"
        }
        described = [_described(path) for path in request.paths]
        data = read(request, wanted)
        if len(data.names) != 2:
            raise InputError(
                f"an audit is of two systems, found {len(data.names)}; choose them with --system"
            )
        chosen = data.metrics(wanted, lower_is_better)
        comparison = at(data, 0, 1, unit)
        with ProgressBar() as bar:
            found = audit(
                comparison,
                chosen,
                alternative=alternative,
                n_resamples=YEH_RESAMPLES if resamples is None else resamples,
                rng=seed,
                bit_generator=bit_generator,
                threads=threads,
                zero_division=int(zero_division),
                confidence_level=confidence,
                alpha=alpha,
                allow_bad_generator=allow_bad_generator,
                progress=bar if bar.wanted else None,
            )
        record = make_record(
            found,
            inputs=described,
            command=["csig", *sys.argv[1:]],
            request={**asdict(request), "unit": comparison.unit},
            table=table,
        )
        doubts = [
            *data.source.cautions, *cautions(comparison, found.best.values(), found.alpha)
        ]  # fmt: skip
        said = Said(tuple(doubts), data.source.notes)
        _write(found, record, said, files, record_path, html, markdown)
    if not found.passed:
        raise click.exceptions.Exit(1)
    end(strict, doubts)


def _write(
    found: Audit,
    record: Mapping[str, Any],
    said: Said,
    files: Mapping[str | None, OutputFile],
    record_path: str | None,
    html: str | None,
    markdown: str | None,
) -> None:
    text = canonical(record)
    if record_path == "-":
        write_stdout(text.encode())
    elif record_path is not None:
        files[record_path].write(text.encode())
    if html is not None:
        from csig.report.pages import as_html

        files[html].write(as_html(found, record, said).encode("utf-8", "replace"))
    if markdown is not None:
        from csig.report.pages import as_markdown

        page = as_markdown(found, record, said).encode("utf-8", "replace")
        if markdown == "-":
            write_stdout(page)
        else:
            files[markdown].write(page)
    if sys.stdout is None or "-" in (record_path, markdown):
        return
    from csig.report.audits import print_audit
    from csig.report.terminal import make_console

    print_audit(found, record, make_console(sys.stdout), said)


def _described(path: str) -> dict[str, Any]:
    """A file's name, size and SHA-256; of a folder, those of its files together."""
    import os

    found = hashlib.sha256()
    size = 0
    if path == STDIN:
        data = read_stdin()
        return {"path": "-", "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    names = [path]
    if os.path.isdir(path):
        names = sorted(os.path.join(path, name) for name in os.listdir(path))
        names = [name for name in names if os.path.isfile(name)]
    try:
        for name in names:
            if name != path:  # a folder: which file has what
                head = f"{os.path.basename(name)}\0{os.path.getsize(name)}\0"
                found.update(head.encode("utf-8", "surrogatepass"))
            limits.check_size(name, os.path.getsize(name))
            with open(name, "rb") as file:
                before = size
                while block := file.read(2**20):
                    found.update(block)
                    size += len(block)
                    if size - before > limits.largest():  # of a device, say
                        raise limits.refuse_longer(name)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    shown = path.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return {"path": shown, "bytes": size, "sha256": found.hexdigest()}


def _audit_claims(path: str, record_path: str | None) -> None:
    from csig.claims import check_claims
    from csig.readers.claims import read_claims

    found = check_claims(read_claims(path))
    if record_path is not None:
        text = json.dumps(found.as_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        if record_path == "-":
            write_stdout(text.encode())
        else:
            with OutputFile(record_path, [path], "record") as file:
                file.write(text.encode())
    if sys.stdout is not None and record_path != "-":
        from csig.report.audits import print_claims
        from csig.report.terminal import make_console

        print_claims(found, make_console(sys.stdout))
    if not found.passed:
        raise click.exceptions.Exit(1)


# ---- verify ------------------------------------------------------------------------------------


@click.command(
    "verify",
    short_help="Repeat an audit from its record and compare every number.",
    epilog="""\b
Examples:
  csig verify record.json
  csig verify record.json --independent
  csig verify record.json --inputs gold.conll --inputs tagger1.conll --inputs tagger2.conll""",
)
@click.argument("record", metavar="RECORD", type=click.Path())
@click.option(
    "--inputs",
    multiple=True,
    metavar="FILE",
    type=click.Path(),
    help="The files, in their order in the record: are they the same, and do they give the "
    "same data?",
)
@click.option(
    "--independent",
    is_flag=True,
    help="Also count all hits in pure numpy, without csig's compiled code: slow.",
)
@click.option(
    "--threads", type=whole(1, 1024), metavar="N", help="Never changes a result.  [default: all]"
)
@MAX_SIZE
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def verify_command(
    record: str, inputs: tuple[str, ...], independent: bool, threads: int | None, as_json: bool
) -> None:
    """Repeat the audit of RECORD, and say whether every number comes out again.

    Exit status 0 if all do, 1 if a number differs or something was tampered with, 2 if the
    record cannot be used.
    """
    from csig.records import read_bytes

    checked = parse_record(read_bytes(record), record)
    differences: list[str] = []
    comparison = None
    if inputs:
        comparison, differences = _again(checked, inputs, record)
    found = verify(checked, comparison=comparison, independent=independent, threads=threads)
    found = Verification(
        (*differences, *found.differences), found.compared + len(inputs), independent,
        found.record_sha256, found.unverified,
    )  # fmt: skip
    _say(found, checked, as_json)
    if not found.ok:
        raise click.exceptions.Exit(1)


def _again(
    record: Mapping[str, Any], inputs: tuple[str, ...], where: str
) -> tuple[Comparison | None, list[str]]:
    """The comparison read from the inputs as the record says, and which files differ."""
    files = record["inputs"]
    if len(inputs) != len(files):
        raise InputError(f"--inputs: found {len(inputs)} files, {where} names {len(files)}")
    differences = []
    for path, known in zip(inputs, files, strict=True):
        if _described(path)["sha256"] != known["sha256"]:
            differences.append(f"inputs: {path} is not {known['path']} of the record (SHA-256)")
    request = _request(record["request"], files, inputs, where)
    if request is None or differences:
        return None, differences
    found, unit = request
    data = read(found)
    comparison = data.comparison(0, 1)
    return (comparison.at(unit) if unit is not None else comparison), differences


def _request(
    given: Mapping[str, Any] | None,
    files: list[Mapping[str, Any]],
    inputs: tuple[str, ...],
    where: str,
) -> tuple[Request, str | None] | None:
    """What to read, by the record: only names of columns and the like, and the paths given now."""
    if given is None:
        return None
    places = {file["path"]: path for file, path in zip(files, inputs, strict=True)}
    plain = asdict(Request())
    chosen: dict[str, Any] = {}
    for name, default in plain.items():
        value = given.get(name, default)
        if isinstance(default, tuple):
            sound = isinstance(value, list) and all(isinstance(v, str) for v in value)
            value = tuple(value) if sound else default
        elif not isinstance(value, (bool, str, type(None))):
            raise InputError(f"{where}: request.{name}: found {type(value).__name__}")
        chosen[name] = value
    paths = ("counts", "statistics", "document_file")
    for name in paths:
        if chosen[name] is not None:
            chosen[name] = places.get(chosen[name], chosen[name])
    chosen["files"] = tuple(places.get(path, path) for path in chosen["files"])
    unknown = [
        path
        for path in [*chosen["files"], *(chosen[name] for name in paths)]
        if path is not None and path not in inputs
    ]
    if unknown:  # nothing is opened that was not named here
        raise InputError(f"{where}: request names {unknown[0]!r}, which is not among its inputs")
    unit = given.get("unit")
    return Request(**chosen), unit if isinstance(unit, str) else None


def _say(found: Verification, record: Mapping[str, Any], as_json: bool) -> None:
    if as_json:
        document = {
            "schema": "csig.verify", "schema_version": 1, "csig_version": __version__,
            "ok": found.ok, "compared": found.compared, "independent": found.independent,
            "record_sha256": found.record_sha256, "differences": list(found.differences),
            "unverified": list(found.unverified),
        }  # fmt: skip
        write_stdout((json.dumps(document, indent=2) + "\n").encode())
        return
    if sys.stdout is None:
        return
    from csig.report.audits import print_verification
    from csig.report.terminal import make_console

    print_verification(found, record, make_console(sys.stdout))
