"""``csig verify``: can an audit be reproduced from its record?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click

from csig.audits.records import (
    comparison_digest,
    file_digest,
    ids_digest,
    known_metric,
    parse_record,
    read_bytes,
)
from csig.audits.verify import (
    READ_OTHERWISE,
    Given,
    Verification,
    holds_data,
    verification_document,
    verify_checked,
)
from csig.base.errors import InputError, Refusal
from csig.base.wording import first_few
from csig.cli.options import command
from csig.cli.printing import print_document
from csig.cli.recorded import Asked, asked_of, described
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.readers.data import Data, TableData
from csig.readers.forms import read
from csig.readers.request import OptionError
from csig.readers.then import requests_of_then
from csig.report.rendering import Format

#: The last version of records whose files were read by rules that are not those of today.
LAST_BY_RULES_OF_THEN = 3


@command("--inputs --independent --threads --max-size --output-format --json")
def verify(
    record: str,
    inputs: tuple[str, ...],
    independent: bool,
    threads: int | None,
    output_format: Format,
    json_path: bool,
) -> None:
    """Recompute the audit of RECORD, and compare every number.

    What it cannot recompute it lists: that is taken on trust.

    Exit status 0 if every number matches, 1 if a field differs, so that something was
    tampered with; 2 for anything else, such as a record that cannot be used; 130 after
    Ctrl-C.

    Examples:
      csig verify record.json
      csig verify record.json --independent
      csig verify record.json --inputs gold.conll --inputs tagger1.conll --inputs tagger2.conll
    """
    data = read_bytes(record)
    checked = parse_record(data, record)
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
    document = verification_document(found, checked)
    print_document(document, "json" if json_path else output_format)
    if not found.ok:
        raise click.exceptions.Exit(1)


def _given(
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
    if differences or record["request"] is None:
        return Given(), differences
    asked = asked_of(record, inputs, where)
    try:
        data, comparison = _read_again(asked, record)
        metrics = _metrics(data, asked, record)
    except OptionError as error:
        raise InputError(f"{where}: request: {error}") from None
    lacking = [m for m in metrics if isinstance(m, str) and not known_metric(m, comparison.columns)]
    if lacking:
        return Given(comparison, None, found), [
            f"metrics: these inputs give no {first_few(lacking)}"
        ]
    return Given(comparison, metrics, found), []


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
    recorded, unit = record["comparison"], asked.unit
    if record["schema_version"] > LAST_BY_RULES_OF_THEN:
        try:
            return _as_read(asked, record)
        except Refusal as error:  # whose remedies are no options of csig verify
            raise InputError(error.found) from None
    found: tuple[Data, Comparison] | None = None
    other: tuple[Data, Comparison] | None = None
    for request, only_ids in dict.fromkeys(requests_of_then(asked.request, recorded["names"])):
        try:
            data = read(request, asked.metrics)
            if only_ids and isinstance(data, TableData):
                data = replace(data, table=replace(data.table, clusters=None, cluster_column=None))
            comparison = _as_recorded(data, unit, record)
            names = [getattr(own, "name", own) for own in _metrics(data, asked, record)]
        except InputError:
            continue
        digests = comparison_digest(comparison), ids_digest(comparison)
        if digests[0] != recorded["digest"]:
            other = other or (data, comparison)
            continue
        found = found or (data, comparison)
        checked = any(own["name"].startswith("dependence: ") for own in record["checks"])
        coarser = len(recorded["levels"]) > 1 if "levels" in recorded else checked
        same = digests[1] == recorded["ids_digest"] and (len(comparison.levels) > 1) == coarser
        if same and names == [own["name"] for own in record["metrics"]]:
            return data, comparison
    if (result := found or other) is not None:
        return result
    try:
        return _as_read(asked, record)
    except InputError as error:
        said = error.found if isinstance(error, Refusal) else error
        raise InputError(f"{said}; {READ_OTHERWISE}") from None


def _as_read(asked: Asked, record: Mapping[str, Any]) -> tuple[Data, Comparison]:
    """What today's rules read."""
    data = read(asked.request, asked.metrics)
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
