"""``csig gate``: may a system take the baseline's place?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import click

from csig.base.errors import InputError
from csig.cli.options import INPUT, command, one_metric
from csig.cli.output import Output, OutputFile, distinct, print_document, write_stdout
from csig.readers.request import Request
from csig.report.rendering import of_latex, render

if TYPE_CHECKING:
    from csig.audits.verify import Verification
    from csig.margins.gate import GateResult
    from csig.margins.nights import Random
    from csig.margins.sides import MarginKind
    from csig.report.document import Document


@command(
    "--margin --metric --system --gold-column --id --cluster --alpha --seed --design --items "
    "--differ --ledger --random --output-format --record --json",
    f"{INPUT}--reset --margin-kind --unit --baseline --lower-is-better --progress --caption "
    "--label",
)
def gate(
    metrics: tuple[str, ...],
    margin: float,
    margin_kind: MarginKind,
    alpha: float,
    design: bool,
    items: int | None,
    differ: float | None,
    ledger: str | None,
    random: Random | None,
    reset: bool,
    record_path: str | None,
    **given: Any,
) -> None:
    """Pass a system that is not worse than the baseline by more than a margin.

    FILES are those of csig compare: the baseline, then the system. Exit status 0 is PASS (not worse
    by more than the margin), 1 is FAIL (worse), 3 is INCONCLUSIVE: these data show neither; 2 is
    anything else.

    With --design, before the first run: how often a system that is worse by the margin passes, and
    an equal one, and how many items it takes. A gate that cannot see the margin says so.

    With --ledger the same gate is asked every night: what it has seen adds up.

    Examples:
      csig gate --design --items 200 --margin 3
      csig gate answers.csv --margin 3
      csig gate base.csv new.csv --metric accuracy --margin 1 -f markdown
      csig gate answers.csv --margin 3 --record gate.json
      csig gate tonight.csv --margin 3 --ledger nights.jsonl --random items
    """
    names = one_metric(metrics, "a gate has one")
    output = Output.taken(given)
    request = Request.taken(given)
    named = of_latex(output.output_format, output.caption, output.label)
    if (items is not None or differ is not None) and not design:
        raise click.UsageError("--items and --differ go with --design")
    if ledger is not None:
        if random is None:
            raise click.UsageError("--ledger: give --random items, or --random answers")
        if design or record_path is not None or margin_kind != "points":
            raise click.UsageError(
                "--ledger: no --design, --record or relative margin goes with it"
            )
        state = _tonight(request, names, ledger, random, reset, (margin, alpha), given)
        output.give(lambda: (None, state[1]), (*request.paths, ledger))
        raise click.exceptions.Exit(state[0])
    if random is not None or reset:
        raise click.UsageError("--random and --reset go with --ledger")
    if design and not request.paths:
        document = _planned(items, margin, margin_kind, differ, alpha)
        form: Any = "json" if output.json_path == "-" else output.output_format
        print_document(document, form, named)
        return
    if items is not None:
        raise click.UsageError("--items: the files have their own")
    outputs = {"--record": record_path, "--json": output.json_path}
    distinct(outputs)
    with ExitStack() as stack:
        files = {
            option: stack.enter_context(OutputFile(path, request.paths, "record"))
            for option, path in outputs.items()
            if path not in (None, "-")
        }
        found, record, document = gated(request, names, margin, margin_kind, alpha, given, design)
        makers = {"--record": lambda: record, "--json": lambda: render(document, "json")}
        if "-" in outputs.values():
            option = next(name for name, path in outputs.items() if path == "-")
            write_stdout(makers[option]().encode())
        else:
            print_document(document, output.output_format, named)
        for option, file in files.items():
            file.write(makers[option]().encode())
    if not design:
        raise click.exceptions.Exit(found.status)


def _tonight(
    request: Request,
    names: tuple[str, ...],
    ledger: str,
    random: Random,
    reset: bool,
    asked: tuple[float, float],
    how: Mapping[str, Any],
) -> tuple[int, Document]:
    """The status and the document after this night."""
    from csig.margins.command import read_pair
    from csig.margins.gate import STATUS
    from csig.margins.nights import Terms, append, document_of_nights, read_ledger

    own = {name: how[name] for name in ("unit", "lower_is_better", "baseline", "seed")}
    read = read_pair(request, names, **own)
    metric, comparison = read.tests[0]
    margin, alpha = asked
    terms = Terms(
        metric=metric.name,
        names=comparison.names,
        margin=margin,
        alpha=alpha,
        random=random,
        greater_is_better=metric.greater_is_better,
    )
    state, size = read_ledger(ledger, terms)
    begun = {"reset": state.reset()} if reset else {}
    found = begun.get("reset", state).after(comparison, metric)
    append(ledger, begun | {"night": found}, size)
    return STATUS[found.verdict], document_of_nights(found, read.source.notes, read.source.cautions)


def _planned(
    items: int | None, margin: float, kind: MarginKind, differ: float | None, alpha: float
) -> Document:
    """The design of a gate that has no data yet."""
    from csig.margins.gate import SHARES, design_of_items, document_of_designs

    if items is None:
        raise click.UsageError("--design: give the files, or --items N")
    if kind == "relative":
        raise click.UsageError("--margin-kind relative: --design needs the files")
    shares = [differ] if differ else [own for own in SHARES if own > margin / 100]
    if not shares:
        raise click.UsageError("--margin: give --differ, the share of items that differ, above it")
    return document_of_designs([design_of_items(items, margin, own, alpha) for own in shares])


def gated(
    request: Request,
    names: tuple[str, ...],
    margin: float,
    kind: MarginKind,
    alpha: float,
    how: Mapping[str, Any],
    design: bool = False,
) -> tuple[GateResult, str, Document]:
    """The verdict, its record, and what is printed."""
    from csig.cli.recorded import described
    from csig.margins.command import read_pair
    from csig.margins.gate import document_of_designs, document_of_gate, record_of_gate
    from csig.margins.gate import gate as decide
    from csig.report.records import canonical, record_digest, when_and_where

    own = {name: how[name] for name in ("unit", "lower_is_better", "baseline", "seed")}
    read = read_pair(request, names, **own)
    if len(read.tests) > 1:
        raise InputError(
            "a gate has one metric; choose with --metric: "
            + ", ".join(metric.name for metric, _ in read.tests)
        )
    ((metric, comparison),) = read.tests
    seed = 0 if read.seed is None else read.seed
    found = decide(comparison, metric, margin, margin_kind=kind, alpha=alpha, rng=seed)
    asked = {"unit": comparison.unit, "metric": names, "lower_is_better": own["lower_is_better"]}
    record = record_of_gate(
        found, inputs=[described(path) for path in request.paths],
        request=asdict(request) | asked, baseline=own["baseline"], seed=seed,
    )  # fmt: skip
    if design:
        if found.design is None:
            raise InputError("these units show no spread: nothing is known of what a gate sees")
        return found, "", document_of_designs([found.design])
    document = document_of_gate(found, read.source.notes, read.source.cautions)
    record |= when_and_where()
    record |= {"sha256": record_digest(record)}
    return found, canonical(record), replace(document, record=lambda: record)


def gate_record(data: bytes, where: str) -> dict[str, Any] | None:
    """The record of a gate; None where it is another one's, or none."""
    if b'"csig.gate"' not in data:
        return None
    try:
        record: dict[str, Any] = json.loads(data)
        if record["schema"] != "csig.gate":
            return None
        test, _ = record["test"], [own["sha256"] for own in record["inputs"]]
        numbers = [test["margin"], test["alpha"], record["schema_version"]]
        kinds = [type(own) in (int, float) for own in numbers]
        made = record["environment"]
        texts = [record["date"], made["csig"], made["platform"], test["margin_kind"]]
        texts += [*record["request"]["metric"], *test["names"]]
        lacking = {"verdict", "digest", "pvalue_equal", "design", "seed", "baseline"} - {*record}
        if lacking or not all(kinds) or not all(isinstance(own, str) for own in texts):
            raise TypeError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{where}: this is no complete record of a gate") from None
    if record["schema_version"] != 1:
        raise InputError(f"{where}: schema_version: found {record['schema_version']}, expected 1")
    return record


def verified_gate(record: Mapping[str, Any], inputs: tuple[str, ...], where: str) -> Verification:
    """What differs when a gate is run again on the inputs."""
    from csig.audits.verify import Verification
    from csig.cli.recorded import asked_of, described
    from csig.report.records import file_digest, record_digest

    if len(inputs) != len(record["inputs"]):
        raise InputError(
            f"{where}: the record of a gate holds no data; give its files with --inputs, found "
            f"{len(inputs)} of {len(record['inputs'])}"
        )
    test = record["test"]
    names = [{"name": name} for name in record["request"]["metric"]]
    again = asked_of({**record, "metrics": names, "schema_version": 4}, inputs, where)
    how = {"unit": again.unit, "lower_is_better": again.lower_is_better}
    how |= {"baseline": record["baseline"], "seed": record["seed"]}
    _, text, _ = gated(
        again.request, again.metrics, test["margin"], test["margin_kind"], test["alpha"], how
    )
    now = json.loads(text)
    found = [
        f"inputs: {path} is not {known['path']} of the record (SHA-256)"
        for path, known in zip(inputs, record["inputs"], strict=True)
        if described(path)["sha256"] != known["sha256"]
    ]
    if record.get("sha256") != record_digest(record):
        found.append("sha256: the record was changed after it was written")
    compared = len(inputs) + 1
    for name in ("verdict", "digest", "pvalue_equal", "test", "design"):
        fields = list(_fields(record[name], now[name], name))
        compared += len(fields)
        found += [field for field in fields if field]
    return Verification(tuple(found), compared, False, file_digest(record))


def _fields(then: Any, now: Any, path: str) -> Iterator[str]:
    """Every field: what differs in it, if anything; numbers to a relative 1e-9."""
    if isinstance(then, dict) and isinstance(now, dict):
        for name in dict.fromkeys([*then, *now]):
            yield from _fields(then.get(name), now.get(name), f"{path}.{name}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for i, two in enumerate(zip(then, now, strict=True)):
            yield from _fields(*two, f"{path}[{i}]")
    elif isinstance(then, float) and isinstance(now, float):
        same = abs(then - now) <= 1e-9 * max(abs(then), abs(now))
        yield "" if same else f"{path}: recorded {then!r}, recomputed {now!r}"
    else:
        same = type(then) is type(now) and then == now
        yield "" if same else f"{path}: recorded {str(then)[:60]!r}, recomputed {str(now)[:60]!r}"
