"""``csig gate``: may a system take the baseline's place?"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import click

from csig.base.errors import InputError
from csig.cli.options import INPUT, command, one_metric
from csig.cli.output import Output, described
from csig.readers.request import Request
from csig.report.records import canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

    from csig.margins.nights import Random
    from csig.margins.testing import MarginKind
    from csig.report.document import Document


@command(
    "--margin --metric --system --gold-column --id --cluster --alpha --seed --design --items "
    "--discordance --ledger --random --output-format --record --json",
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
    discordance: float | None,
    ledger: str | None,
    random: Random | None,
    reset: bool,
    record_path: str | None,
    seed: int | None,
    unit: str | None,
    baseline: str | None,
    lower_is_better: bool | None,
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
    if (items is not None or discordance is not None) and not design:
        raise click.UsageError("--items and --discordance go with --design")
    if design and record_path is not None:
        raise click.UsageError("--record: --design has no verdict to record")
    if ledger is not None and (design or record_path is not None or margin_kind != "points"):
        raise click.UsageError("--ledger: no --design, --record or relative margin goes with it")
    if ledger is not None and random is None:
        raise click.UsageError("--ledger: give --random items, or --random answers")
    if ledger is None and (random is not None or reset):
        raise click.UsageError("--random and --reset go with --ledger")
    if request.paths and (items is not None or discordance is not None):
        raise click.UsageError("--items and --discordance: the files have their own")
    from csig.margins.gate import (
        SHARES,
        STATUS,
        design_of_items,
        document_of_designs,
        document_of_gate,
        read_pair,
        record_of_gate,
    )  # fmt: skip
    from csig.margins.gate import gate as decide
    from csig.margins.nights import document_of_nights, tonight

    how: dict[str, Any] = {"alpha": alpha}
    status = 0

    def made() -> tuple[Mapping[str, Any], Document]:
        """The record, if there is one, and the document."""
        nonlocal status
        if design and not request.paths:
            if margin_kind == "relative":
                raise InputError("--margin-kind relative: --design needs the files")
            request.check_unread(
                "files: without them a gate is of right and wrong items",
                metric=names or None, unit=unit, baseline=baseline, lower_is_better=lower_is_better,
            )  # fmt: skip
            likely = [own for own in SHARES if own > margin / 100] or [1.0]
            shares = likely if discordance is None else [discordance]
            designs = [design_of_items(items, margin, own, alpha) for own in shares]
            return {}, document_of_designs(designs)
        read = read_pair(
            request, names, unit=unit, lower_is_better=lower_is_better, baseline=baseline
        )
        comparison, said = read.comparison, (read.source.notes, read.source.cautions)
        if ledger is not None and random is not None:
            how.update(ledger=ledger, random=random, reset=reset)
            night = tonight(comparison, read.metric, margin, **how)
            status = STATUS[night.verdict]
            return {}, document_of_nights(night, *said)
        how.update(margin_kind=margin_kind, rng=seed or 0)
        found = decide(comparison, read.metric, margin, **how)
        if design and found.design is None:
            raise InputError("hardly a unit differs more than others: no gate is known to see")
        if design and found.design is not None:
            return {}, document_of_designs([found.design])
        status = found.status
        asked = {"unit": comparison.unit, "metric": names, "lower_is_better": lower_is_better}
        record = record_of_gate(
            found, inputs=[described(path) for path in request.paths],
            request=asdict(request) | asked, baseline=baseline,
        )  # fmt: skip
        return record, replace(document_of_gate(found, *said), record=lambda: record)

    inputs = [*request.paths, *([] if ledger is None else [ledger])]
    output.give(made, inputs, beside={"--record": (record_path, "record", canonical)})
    raise click.exceptions.Exit(status)
