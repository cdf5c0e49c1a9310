"""``csig audit`` and ``csig verify``: every check, and the record that anybody can re-run."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from types import NoneType, UnionType
from typing import Any, get_args, get_type_hints

import click
from click.core import ParameterSource

from csig._version import __version__
from csig.audits.audit import audit
from csig.audits.digests import canonical, file_digest
from csig.audits.forms import SCHEMA_VERSION, parse_record, read_bytes
from csig.audits.outcome import Audit
from csig.audits.rebuilding import known_metric
from csig.audits.records import check_names, make_record
from csig.audits.verify import READ_OTHERWISE, Given, Verification, holds_data, verify_checked
from csig.cli.compare import at
from csig.cli.options import (
    INPUT,
    MAX_SIZE,
    METRICS,
    STRICT,
    decorated,
    end,
    metric_names,
    shuffles,
    verdicts,
    whole,
)
from csig.cli.sink import Failures, OutputFile, distinct, write_stdout
from csig.errors import InputError
from csig.metrics import Metric, get_all
from csig.progress import ProgressBar
from csig.randomization import YEH_RESAMPLES
from csig.readers import limits
from csig.readers.data import Data, TableData
from csig.readers.lines import STDIN, read_stdin
from csig.readers.recognise import read
from csig.readers.request import UNITS, OptionError, Request
from csig.readers.tables.columns import CLUSTER_NAMES
from csig.report.verdict import Said, cautions
from csig.streams import BAD, NAMED
from csig.wording import first_few

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
    click.option("--html", metavar="FILE|-", type=click.Path(), help="Write a page as HTML."),
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
    and what it means.

    Exit status 0 if no check fails, 1 if one does, or if a claim is contradicted,
    inconsistent or impossible; 3 with --strict where there are cautions; 2 for anything
    else, 130 after Ctrl-C.
    """
    request = Request.taken(inputs)
    if claims is not None:
        _refuse_beside_claims(click.get_current_context())
        _audit_claims(claims, record_path)
        return
    if sys.stdout is None and record_path in (None, "-"):
        raise click.UsageError("standard output is closed; give --record FILE")
    wanted = metric_names(metrics)
    if html is not None:
        from csig.report.plots import need_matplotlib

        need_matplotlib()
    outputs = {"--record": record_path, "--html": html, "--markdown": markdown}
    distinct(outputs)
    with ExitStack() as stack:
        files = {
            option: stack.enter_context(OutputFile(path, request.paths, what))
            for option, what, path in zip(outputs, _WHAT, outputs.values(), strict=True)
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
        check_names(get_all(chosen, comparison.columns), comparison.columns)
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
            request={
                **asdict(request),
                "unit": comparison.unit,
                "metric": wanted,
                "lower_is_better": lower_is_better,
            },
            table=table,
        )
        doubts = [
            *data.source.cautions, *cautions(comparison, found.best.values(), found.alpha)
        ]  # fmt: skip
        said = Said(tuple(doubts), data.source.notes)
        _write(found, record, said, files, outputs)
    if not found.passed:
        raise click.exceptions.Exit(1)
    end(strict, doubts)


#: What the outputs are, for messages.
_WHAT = ("record", "page", "page")


def _write(
    found: Audit,
    record: Mapping[str, Any],
    said: Said,
    files: Mapping[str, OutputFile],
    outputs: Mapping[str, str | None],
) -> None:
    def write(option: str, made: Callable[[], str]) -> None:
        """A disk that is full now does not take the results along."""
        with failures:
            if outputs[option] == "-":
                write_stdout(made().encode("utf-8", "replace"))
            elif option in files:
                files[option].write(made().encode("utf-8", "replace"))

    from csig.report import audits, pages, terminal

    failures = Failures()
    write("--record", lambda: canonical(record))
    write("--html", lambda: pages.as_html(found, record, said))
    write("--markdown", lambda: pages.as_markdown(found, record, said))
    if sys.stdout is not None and "-" not in outputs.values():
        audits.print_audit(found, record, terminal.make_console(sys.stdout), said)
    failures.end()


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


def _refuse_beside_claims(context: click.Context) -> None:
    """Published numbers are neither read from data nor shuffled: other options would do nothing."""
    for option in context.command.params:
        name = option.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        given &= context.params.get(name) != ()  # no files at all, which old versions say are given
        if given and name not in ("claims", "record_path"):
            written = "/".join([*option.opts, *option.secondary_opts])
            if isinstance(option, click.Argument):
                written = option.human_readable_name
            raise click.UsageError(f"--claims goes with --record only; {written} does nothing here")


def _audit_claims(path: str, record_path: str | None) -> None:
    from csig.claims.checker import check_claims
    from csig.claims.file import read_claims

    found = check_claims(read_claims(path))
    failures = Failures()
    if record_path is not None:
        text = json.dumps(found.as_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        if record_path == "-":
            write_stdout(text.encode())
        else:
            with failures, OutputFile(record_path, [path], "record") as file:
                file.write(text.encode())
    if sys.stdout is not None and record_path != "-":
        from csig.report.audits import print_claims
        from csig.report.terminal import make_console

        print_claims(found, make_console(sys.stdout))
    failures.end()
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

    What it cannot compute it lists: that is taken on trust.

    Exit status 0 if all comes out again, 1 if a field differs, so that something was
    tampered with; 2 for anything else, such as a record that cannot be used; 130 after
    Ctrl-C.
    """
    checked = parse_record(read_bytes(record), record)
    given, differences = _given(checked, inputs, record) if inputs else (Given(), [])
    if differences and not holds_data(checked):  # without these inputs nothing can be repeated
        found = Verification((), 0, independent, file_digest(checked))
    else:
        found = verify_checked(checked, record, given, independent=independent, threads=threads)
    found = replace(
        found,
        differences=(*differences, *found.differences),
        compared=found.compared + len(differences),
    )
    _say(found, checked, as_json)
    if not found.ok:
        raise click.exceptions.Exit(1)


def _given(
    record: Mapping[str, Any], inputs: tuple[str, ...], where: str
) -> tuple[Given, list[str]]:
    """What the inputs give when they are read as the record says, and which files differ."""
    files = record["inputs"]
    if len(inputs) != len(files):
        raise InputError(f"--inputs: found {len(inputs)} files, {where} names {len(files)}")
    described = [_described(path) for path in inputs]
    differences = [
        f"inputs: {path} is not {known['path']} of the record (SHA-256)"
        for path, own, known in zip(inputs, described, files, strict=True)
        if own["sha256"] != known["sha256"]
    ]
    if differences or record["request"] is None:
        return Given(), differences
    asked = _asked(record, inputs, where)
    try:
        data = _read_again(asked, record)
        if len(data.names) != 2:
            raise InputError(f"{where}: request: found {len(data.names)} systems, expected 2")
        comparison = at(data, 0, 1, asked.unit)
        metrics = _metrics(data, asked, record)
    except OptionError as error:
        raise InputError(f"{where}: request: {error}") from None
    lacking = [m for m in metrics if isinstance(m, str) and not known_metric(m, comparison.columns)]
    if lacking:
        return Given(comparison, None, described), [
            f"metrics: these inputs give no {first_few(lacking)}"
        ]
    return Given(comparison, metrics, described), []


def _read_again(asked: _Asked, record: Mapping[str, Any]) -> Data:
    """The data as the csig that wrote the record read them, as far as this one can."""
    old = record["schema_version"] < SCHEMA_VERSION
    try:
        data = read(asked.request, asked.metrics)
    except OptionError:
        raise
    except InputError as error:
        raise InputError(f"{error}; {READ_OTHERWISE}" if old else str(error)) from None
    if not old or not isinstance(data, TableData) or asked.request.cluster is not None:
        return data
    # Once a column was taken for clusters because of its name, however few they were.
    for column in data.table.others:
        if column.lower() in CLUSTER_NAMES and asked.unit not in data.comparison(0, 1).levels:
            return read(replace(asked.request, cluster=column), asked.metrics)
    return data


@dataclass(frozen=True)
class _Asked:
    """What a record says was asked for."""

    request: Request
    unit: str | None
    metrics: tuple[str, ...]
    #: None where the record does not say, as those of version 1.
    lower_is_better: bool | None


def _metrics(data: Data, asked: _Asked, record: Mapping[str, Any]) -> list[str | Metric]:
    """The metrics that the data have for what was asked."""
    if asked.lower_is_better is not None:
        return data.metrics(asked.metrics, asked.lower_is_better)
    names = [own["name"] for own in record["metrics"]]
    less = not all(own["greater_is_better"] for own in record["metrics"])
    try:
        return data.metrics(names, less)
    except OptionError:  # less is better by the metric itself
        return data.metrics(names)


def _asked(record: Mapping[str, Any], inputs: tuple[str, ...], where: str) -> _Asked:
    """What to read, by the record: only names of columns and the like, and the paths given now."""
    given = dict(record["request"])
    own: dict[str, Any] = {"unit": str | None}
    if record["schema_version"] > 1:
        own |= {"metric": tuple[str, ...], "lower_is_better": bool}
    kinds = get_type_hints(Request) | own
    lacking = [name for name in own if name not in given]
    if lacking:
        raise InputError(f"{where}: request: no option {first_few(lacking)}")
    for name, value in given.items():
        _check_kind(value, kinds.get(name), f"{where}: request.{name}")
    names = tuple(metric["name"] for metric in record["metrics"])
    chosen = {name: given.pop(name) for name in own}
    request = _with_paths(given, record["inputs"], inputs, where)
    return _Asked(
        request, chosen["unit"], tuple(chosen.get("metric", names)), chosen.get("lower_is_better")
    )


#: The types that options have, and how JSON has them.
_KINDS: dict[Any, tuple[str, Callable[[Any], bool]]] = {
    NoneType: ("null", lambda value: value is None),
    str: ("a text", lambda value: isinstance(value, str)),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    int: ("a whole number", lambda value: type(value) is int),
    tuple[str, ...]: (
        "a list of texts",
        lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
    ),
}


def _kinds(kind: Any) -> tuple[Any, ...]:
    """The types of which a value may have one."""
    return get_args(kind) if isinstance(kind, UnionType) else (kind,)


def _check_kind(value: Any, kind: Any, where: str) -> None:
    """Refuse what an option cannot be, and an option that this csig does not have."""
    if kind is None:
        raise InputError(f"{where}: this csig ({__version__}) has no such option")
    possible = [_KINDS[own] for own in _kinds(kind)]
    if not any(fits(value) for _, fits in possible):
        expected = " or ".join(name for name, _ in possible)
        raise InputError(f"{where}: found {json.dumps(value)[:40]}, expected {expected}")


def _with_paths(
    chosen: dict[str, Any],
    files: list[Mapping[str, Any]],
    inputs: tuple[str, ...],
    where: str,
) -> Request:
    """The request with the paths that were given now; nothing is opened that was not named."""
    places = {file["path"]: path for file, path in zip(files, inputs, strict=True)}
    names = ("counts", "statistics", "document_file")
    options: Any = {n: tuple(v) if isinstance(v, list) else v for n, v in chosen.items()}
    request = Request(**options)
    unknown = [path for path in request.paths if path not in places]
    if unknown:
        raise InputError(f"{where}: request names {unknown[0]!r}, which is not among its inputs")
    unused = [path for path in places if path not in request.paths]
    if unused:
        raise InputError(f"{where}: request does not name {unused[0]!r}, one of its inputs")
    now: dict[str, Any] = {name: places.get(getattr(request, name)) for name in names}
    return replace(request, files=tuple(places[path] for path in request.files), **now)


def _say(found: Verification, record: Mapping[str, Any], as_json: bool) -> None:
    if as_json:
        document = {
            "schema": "csig.verify", "schema_version": 1, "csig_version": __version__,
            "ok": found.ok, "compared": found.compared, "independent": found.independent,
            "record_sha256": found.record_sha256, "differences": list(found.differences),
            "unverified": list(found.unverified),
            "trust": [{"fields": list(own.fields), "what": own.what} for own in found.trust],
        }  # fmt: skip
        write_stdout((json.dumps(document, indent=2) + "\n").encode())
        return
    if sys.stdout is None:
        return
    from csig.report.audits import print_verification
    from csig.report.terminal import make_console

    print_verification(found, record, make_console(sys.stdout))
