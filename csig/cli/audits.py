"""``csig audit`` makes a record that anybody can re-run; ``csig verify`` re-runs it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_type_hints

import click

from csig._version import __version__
from csig.audits.records import SCHEMA as AUDIT
from csig.audits.records import (
    check_names,
    comparison_digest,
    ids_digest,
    known_metric,
    make_record,
    parse_record,
    read_bytes,
)
from csig.audits.verify import (
    READ_OTHERWISE,
    Given,
    Verification,
    holds_data,
    verification_document,
    verifications_document,
    verify_checked,
)
from csig.base.defaults import YEH_RESAMPLES
from csig.base.errors import InputError, Refusal, shortened
from csig.base.progress import ProgressBar, asked
from csig.base.wording import clean, first_few
from csig.cli.options import INPUT, SEEDED, command, end
from csig.cli.output import Output, check_given, described, executor_at, options_of, print_document
from csig.data.comparison import Comparison
from csig.data.metrics import Metric, get_all
from csig.margins.gate import SCHEMA as GATE
from csig.margins.gate import read_pair
from csig.readers.data import Data, TableData, one_group
from csig.readers.forms import read
from csig.readers.request import OptionError, Request
from csig.readers.then import called_then, requests_of_then
from csig.report.document import Document, dumps
from csig.report.records import canonical, file_digest
from csig.report.rendering import Format, Rendering, render

if TYPE_CHECKING:
    from csig.claims.model import ClaimsReport

#: Options that the audit has by the same names.
_AS_ASKED = (
    "n_resamples", "bit_generator", "threads", "zero_division", "pvalue_confidence", "alpha",
)  # fmt: skip


@command(
    "--system --gold-column --id --cluster --metric --unit --seed --alpha --claims --record --html "
    "--output-format --verbose --strict",
    f"{INPUT}{SEEDED}--baseline --allow-bad-generator --lower-is-better --alternative --resamples "
    "--zero-division --scheduler --pvalue-confidence --progress --table --markdown --cite "
    "--signature",
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
    signature: bool,
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
    if html is not None or output_format == "html":
        from csig.report.style import need_matplotlib

        need_matplotlib()
    from csig.audits.audit import audit_of_edition  # for those who audit
    from csig.audits.report import audit_document
    from csig.comparing.options import direction
    from csig.comparing.verdict import Said
    from csig.engines.base import EDITION
    from csig.readers.reading import Reading
    from csig.report.rendering.html import page

    request = Request.taken(given)
    options = options_of(given, n_resamples=resamples or YEH_RESAMPLES)

    def made() -> tuple[_Audited, Document]:
        wanted = [name for name in options.metrics if isinstance(name, str)]
        inputs = [described(path) for path in request.paths]
        data = read(request, wanted)
        if len(data.names) != 2:
            raise InputError(
                f"an audit is of two systems, found {len(data.names)}; choose them with --system"
            )
        chosen, data = one_group(data.by_metric(wanted, options.lower_is_better))
        reading = Reading(data, options.unit, baseline=options.baseline)
        comparison = data.at(*reading.pairs[0], options.unit)
        alternative = direction(comparison, chosen, options.alternative)
        check_names(get_all(chosen, comparison.columns), comparison.columns)
        with executor_at(scheduler) as executor, ProgressBar("Auditing") as bar:
            found = audit_of_edition(
                EDITION,
                comparison,
                chosen,
                alternative=alternative,
                rng=options.seed,
                **{name: getattr(options, name) for name in _AS_ASKED},
                allow_bad_generator=allow_bad_generator,
                executor=executor,
                progress=bar if bar.wanted else None,
            )
        # What was asked for: what to read, and what to ask of it.
        lower = options.lower_is_better
        asked = {"unit": comparison.unit, "metric": options.metrics, "lower_is_better": lower}
        record = make_record(
            found,
            inputs=inputs,
            command=["csig", *sys.argv[1:]],
            request=asdict(request) | asked,
            cautions=data.source.cautions,
            table=table,
        )
        said = Said(tuple(data.source.cautions), tuple(data.source.notes))
        document = audit_document(found, record, said)
        return _Audited(record, document), document

    # The SHA-256 of the JSON is that of the record's file.
    makers: dict[str, tuple[str, Callable[[_Audited], str]]] = {
        "--record": ("record", lambda own: canonical(own.record)),
        "--html": ("page", lambda own: page(own.document, failed=not own.record["passed"])),
        "--markdown": (
            "page", lambda own: render(own.document, "markdown", Rendering(explain=True)),
        ),
    }  # fmt: skip
    paths = {"--record": record_path, "--html": html, "--markdown": markdown}
    beside = {option: (path, *makers[option]) for option, path in paths.items()}
    whole = {"json": "--record", "html": "--html"}.get(output_format)
    if whole is not None and not signature and "-" not in paths.values():
        beside["-f"] = ("-", *makers[whole])
    output = Output(output_format=output_format, explain=verbose, cite=cite, signature=signature)
    audited, document = output.give(made, request.paths, beside=beside)
    if not audited.record["passed"]:
        raise click.exceptions.Exit(1)
    end(strict, document.doubts)


class _Audited(NamedTuple):
    """What is written of an audit."""

    record: Mapping[str, Any]
    document: Document


def _audit_claims(path: str, record_path: str | None, output_format: Format) -> None:
    """Check published numbers, which are neither read from data nor shuffled."""
    check_given({"claims", "record_path", "output_format"}, "--claims")
    from csig.claims.checker import check_claims, claims_document
    from csig.claims.file import read_claims

    def made() -> tuple[ClaimsReport, Document]:
        found = check_claims(read_claims(path))
        return found, claims_document(found)

    record = (record_path, "record", lambda found: dumps(found.to_dict()))
    output = Output(output_format=output_format)
    found, _ = output.give(made, [path], beside={"--record": record})
    if not found.passed:
        raise click.exceptions.Exit(1)


#: The last version of records whose files were read by rules that are not those of today.
LAST_BY_RULES_OF_THEN = 3


@command("--inputs --independent --threads --max-size --output-format --json")
def verify(
    records: tuple[str, ...],
    inputs: tuple[str, ...],
    independent: bool,
    threads: int | None,
    output_format: Format,
    json_path: bool,
) -> None:
    """Recompute the audit, or the gate, of every RECORD, and compare every number.

    It lists what it cannot recompute, which is taken on trust.

    Exit status 0 if every number matches, 1 if a field differs, so that something was
    tampered with; 2 for anything else, such as a record that cannot be used; 130 after
    Ctrl-C.

    Examples:
      csig verify record.json
      csig verify record.json --independent
      csig verify records/*.json
      csig verify record.json --inputs gold.conll --inputs tagger1.conll --inputs tagger2.conll
    """
    form: Format = "json" if json_path else output_format
    if len(records) == 1:
        verified, record = _verified(records[0], inputs, independent, threads)
        print_document(verification_document(verified, record), form)
        if not verified.ok:
            raise click.exceptions.Exit(1)
        return
    if inputs:
        raise click.UsageError(f"--inputs goes with one record, found {len(records)}")
    found: list[tuple[str, tuple[Verification, Mapping[str, Any]] | str]] = []
    for path in records:  # one that cannot be used does not take the others along
        try:
            found.append((path, _verified(path, inputs, independent, threads)))
        except InputError as error:
            why = " ".join(str(error).split()).removeprefix(f"{path}: ")
            found.append((path, clean(shortened(why))))
    print_document(verifications_document(found), form)
    if any(not isinstance(own, str) and not own[0].ok for _, own in found):
        raise click.exceptions.Exit(1)
    if any(isinstance(own, str) for _, own in found):
        raise click.exceptions.Exit(2)


def _verified(
    record: str, inputs: tuple[str, ...], independent: bool, threads: int | None
) -> tuple[Verification, Mapping[str, Any]]:
    """What comes of one record, and the record."""
    checked = parse_record(read_bytes(record), record)
    given, differences = given_of(checked, inputs, record) if inputs else (Given(), [])
    if differences and not holds_data(checked):  # without these inputs nothing can be repeated
        verified = Verification((), 0, independent, file_digest(checked))
    else:
        with asked(None):  # what will take long says so
            verified = verify_checked(
                checked, record, given, independent=independent, threads=threads
            )
    verified = replace(
        verified,
        differences=(*differences, *verified.differences),
        compared=verified.compared + len(differences),
    )
    return verified, checked


def given_of(
    record: Mapping[str, Any], inputs: tuple[str, ...], where: str
) -> tuple[Given, list[str]]:
    """What the inputs give when they are read as the record says, and which files differ."""
    files = record["inputs"]
    if len(inputs) != len(files):
        raise InputError(f"--inputs: found {len(inputs)} files, {where} names {len(files)}")
    found = [described(path) for path in inputs]
    differences = [
        f"inputs: {path} is not {known['path']} of the record (SHA-256)"
        for path, own, known in zip(inputs, found, files, strict=True)
        if own["sha256"] != known["sha256"]
    ]
    if differences or record.get("request") is None:
        return Given(), differences
    wanted = asked_of(record, inputs, where)
    if record["schema"] == GATE:
        again = read_pair(
            wanted.request, wanted.metrics, unit=wanted.unit,
            lower_is_better=wanted.lower_is_better, baseline=record["baseline"],
        )  # fmt: skip
        return Given(again.comparison, again.metric, found), []
    request = called_then(wanted.request, record["comparison"]["names"])
    wanted = replace(wanted, request=request)
    try:
        data, comparison = _read_again(wanted, record)
        metrics = _metrics(data, wanted, record)
    except OptionError as error:
        raise InputError(f"{where}: request: {error}") from None
    lacking = [m for m in metrics if isinstance(m, str) and not known_metric(m, comparison.columns)]
    if lacking:
        return Given(comparison, None, found), [
            f"metrics: these inputs give no {first_few(lacking)}"
        ]
    return Given(comparison, metrics, found), []


#: What records of versions 1 to 3 call the columns of two systems.
_PAIR = ("a_column", "b_column")


@dataclass(frozen=True)
class Asked:
    """What a record says was asked for."""

    request: Request
    unit: str | None
    metrics: tuple[str, ...]
    #: None where the record does not say, as those of version 1.
    lower_is_better: bool | None


def asked_of(record: Mapping[str, Any], inputs: tuple[str, ...], where: str) -> Asked:
    """What to read, by the record: only names of columns and the like, and the paths given now."""
    from csig.engines.base import EDITION

    given = dict(record["request"])
    own: dict[str, Any] = {"unit": str | None}
    version = record["schema_version"] if record["schema"] == AUDIT else EDITION
    if version > 1:
        own |= {"metric": tuple[str, ...], "lower_is_better": bool | None}
    then = {} if version > 3 else dict.fromkeys(_PAIR, str | None)
    kinds = get_type_hints(Request) | own | then
    lacking = [name for name in own if name not in given]
    if lacking:
        raise InputError(f"{where}: request: no option {first_few(lacking)}")
    for name, value in given.items():
        at = f"{where}: request.{name}"
        if name not in kinds:
            raise InputError(f"{at}: this csig ({__version__}) has no such option")
        possible = [KINDS[own] for own in kinds_of(kinds[name])]
        if not any(fits(value) for _, fits in possible):
            expected = " or ".join(word for word, _ in possible)
            raise InputError(f"{at}: found {json.dumps(value)[:40]}, expected {expected}")
    names = tuple(metric["name"] for metric in record.get("metrics", ()))
    chosen = {name: given.pop(name) for name in own}
    pair = [column for name in _PAIR if (column := given.pop(name, None)) is not None]
    if pair:
        given["system"] = pair
    options: Any = {n: tuple(v) if isinstance(v, list) else v for n, v in given.items()}
    request = Request(**options)
    # With the paths that were given now; nothing is opened that was not named.
    places = {file["path"]: path for file, path in zip(record["inputs"], inputs, strict=True)}
    unknown = [path for path in request.paths if path not in places]
    if unknown:
        raise InputError(f"{where}: request names {unknown[0]!r}, which is not among its inputs")
    unused = [path for path in places if path not in request.paths]
    if unused:
        raise InputError(f"{where}: request does not name {unused[0]!r}, one of its inputs")
    now: dict[str, Any] = {
        name: places.get(getattr(request, name))
        for name in ("counts", "statistics", "document_file", "qrels", "instances")
    }
    request = replace(request, files=tuple(places[path] for path in request.files), **now)
    lower = chosen.get("lower_is_better")
    if version <= 3:  # their metrics say which scores are better
        lower = lower or None
    return Asked(request, chosen["unit"], tuple(chosen.get("metric", names)), lower)


#: The types that options have, and how JSON has them.
KINDS: dict[Any, tuple[str, Callable[[Any], bool]]] = {
    NoneType: ("null", lambda value: value is None),
    str: ("a text", lambda value: isinstance(value, str)),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    int: ("a whole number", lambda value: type(value) is int),
    tuple[str, ...]: (
        "a list of texts",
        lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
    ),
}


def kinds_of(kind: Any) -> tuple[Any, ...]:
    """The types of which a value may have one."""
    return get_args(kind) if isinstance(kind, UnionType) else (kind,)


def _as_recorded(data: Data, unit: str | None, record: Mapping[str, Any]) -> Comparison:
    """The comparison of a record: A is the later system, but the first in those of csig 0.1.0."""
    if len(data.names) != 2:
        raise InputError(f"request: found {len(data.names)} systems, expected 2")
    pairs = ((0, 1), (1, 0)) if record["schema_version"] == 1 else ((1, 0), (0, 1))
    expected, *other = (data.at(a, b, unit) for a, b in pairs)
    digest, names = record["comparison"]["digest"], tuple(record["comparison"]["names"])
    same = [own for own in (expected, *other) if comparison_digest(own) == digest]
    return next((own for own in same if own.names == names), (*same, expected)[0])


def _read_again(asked: Asked, record: Mapping[str, Any]) -> tuple[Data, Comparison]:
    """What the csig that wrote the record read: declared then, or one of the ways of its time."""
    recorded = record["comparison"]
    if record["schema_version"] > LAST_BY_RULES_OF_THEN:
        try:
            return _as_read(asked, record)
        except Refusal as error:  # whose remedies are no options of csig verify
            raise InputError(error.found) from None
    same_data, other_data = None, None
    checked = any(own["name"].startswith("dependence: ") for own in record["checks"])
    coarser = len(recorded["levels"]) > 1 if "levels" in recorded else checked
    tried = set()
    for way in requests_of_then(asked.request, recorded["names"]):
        if way in tried:
            continue
        tried.add(way)
        request, only_ids = way
        try:
            data = read(request, asked.metrics)
            if only_ids and isinstance(data, TableData):
                data = replace(data, table=replace(data.table, clusters=None, cluster_column=None))
            comparison = _as_recorded(data, asked.unit, record)
            names = [getattr(own, "name", own) for own in _metrics(data, asked, record)]
        except InputError:
            continue
        if comparison_digest(comparison) != recorded["digest"]:
            other_data = other_data or (data, comparison)
            continue
        same_data = same_data or (data, comparison)
        ids, has_coarser = ids_digest(comparison), len(comparison.levels) > 1
        if (ids, has_coarser) == (recorded["ids_digest"], coarser) and names == [
            own["name"] for own in record["metrics"]
        ]:
            return data, comparison
    if (nearest := same_data or other_data) is not None:
        return nearest
    try:
        return _as_read(asked, record)
    except InputError as error:
        why = error.found if isinstance(error, Refusal) else error
        raise InputError(f"{why}; {READ_OTHERWISE}") from None


def _as_read(asked: Asked, record: Mapping[str, Any]) -> tuple[Data, Comparison]:
    """What today's rules read."""
    data = read(asked.request, asked.metrics)
    _, data = one_group(data.by_metric(asked.metrics, asked.lower_is_better))
    return data, _as_recorded(data, asked.unit, record)


def _metrics(data: Data, asked: Asked, record: Mapping[str, Any]) -> list[str | Metric]:
    """The metrics that the data have for what was asked."""
    if asked.lower_is_better is not None or record["schema_version"] > LAST_BY_RULES_OF_THEN:
        return data.metrics(asked.metrics, asked.lower_is_better)
    names = [own["name"] for own in record["metrics"]]
    less = not all(own["greater_is_better"] for own in record["metrics"])
    try:
        found = data.metrics(names, less)
    except OptionError:  # less is better by the metric itself
        found = data.metrics(names)
    if asked.request.filter is None or record["schema_version"] > LAST_BY_RULES_OF_THEN:
        return found
    # Metrics of the harness did not have the filter in their names.
    filtered = {own.name: own for own in data.metrics(()) if isinstance(own, Metric)}
    called = {name: f"{name} ({asked.request.filter})" for name in names}
    return [
        replace(filtered[called[own]], name=own)
        if isinstance(own, str) and called.get(own) in filtered
        else own
        for own in found
    ]
