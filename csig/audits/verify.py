"""Verifying a record: the same audit is run again, and every number is compared.

Verifying reads numbers and strings from a record, and nothing else: no name in it is imported,
no path in it is opened, no text in it is run.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from csig._version import __version__
from csig.audits.audit import audit_of_edition
from csig.audits.checks import SINGLE, Questions, ask, between_pvalue, of_single, replayed
from csig.audits.outcome import Audit, AuditRun, named
from csig.audits.records import (
    check_record,
    comparison_digest,
    misnamed,
    parse_record,
    read_bytes,
    rebuilt,
    record_of,
    recorded_metrics,
    same_function,
    seed_of,
)
from csig.audits.trust import CLOSE as SAME
from csig.audits.trust import Case, Trusted, compared, same_double, trusted, with_larger_units
from csig.base import wording
from csig.base.errors import InputError, argument, in_python
from csig.base.shown import Shown
from csig.base.validation import instance, public
from csig.base.wording import counted, first_few
from csig.data import metrics as metrics_module
from csig.data.comparison import Comparison
from csig.data.metrics import Metric, get_all
from csig.engines.base import EDITION
from csig.engines.certified import CLOSE, better_than_shuffles, tail_of
from csig.engines.questions import Question, make_question
from csig.engines.tails import claimed_tail
from csig.engines.tasks import make_task
from csig.margins.gate import SCHEMA as GATE
from csig.margins.gate import gate, record_of_gate
from csig.report.document import Document, Scalar, Text, head, picked, plain, table
from csig.report.records import both_digests
from csig.report.shown import document_of
from csig.results.randomization import Certificate
from csig.streams import CHUNK
from csig.systems.report import SCHEMA as BOARD
from csig.systems.report import ranked_again, result_of

#: Below this doubles lose digits, and the logarithms count.
SMALLEST = 1e-290

#: Logarithms of bounds are rounded this much, relatively.
OF_LOGS = 1e-12

#: The first version of records whose bounds may stay farther apart than `CLOSE`, if shuffles
#: would say less.
WIDE = 6

#: What is left of a p-value that is almost no double.
TINY = 1e-322

#: What is taken on trust of the record of many systems.
OF_BOARDS = (
    Trusted(("inputs", "command"), "which files the numbers of the systems were read from"),
    Trusted(("systems[].name", "unit"), "what the systems and the units are called"),
    Trusted(
        ("metric.name", "metric.greater_is_better"),
        "what scores are called, and which are better; of counts csig knows it",
    ),
    Trusted(("date", "environment"), "when and where the systems were compared"),
)

#: And of that of a gate.
OF_GATES: tuple[Trusted, ...] = (
    Trusted(("inputs.*",), "which files the data were read from"),
    Trusted(("request.*", "baseline"), "options that give the same data from these files"),
    Trusted(("date", "environment.*"), "when and where the gate was asked"),
    Trusted(
        ("test.*", "design.*", "pvalue_equal"), "digits of doubles beyond the ninth",
        overlooks=same_double,
    ),
)  # fmt: skip

#: The fields of a gate that are computed.
_GATE = ("digest", "verdict", "test", "pvalue_equal", "design")

#: What to add where an old record and its files disagree.
READ_OTHERWISE = (
    "the csig that wrote the record read some files differently (CHANGELOG, Results that change)"
)


@dataclass(frozen=True, repr=False)
class Verification(Shown, report="csig.audits.verify"):
    """Whether all recomputed values match a record."""

    #: One line for every value that does not match and every sign of tampering; empty if there is
    #: none.
    differences: tuple[str, ...]
    compared: int  #: Numbers and words that were recomputed and compared.
    independent: bool  #: Whether the hits were also counted in pure numpy.
    record_sha256: str  #: The SHA-256 of the record in its canonical form.
    #: What was taken on trust: ``fields``, paths in the record, and ``what`` they describe.
    trust: tuple[Trusted, ...] = ()
    #: A sentence for every certified p-value of the record whose bounds, and those that were
    #: computed now, hold the same p.
    bounds: tuple[str, ...] = ()

    def _line(self) -> str:
        if self.ok:
            return f"all {counted(self.compared, 'recomputed value')} match the record"
        return f"{counted(len(self.differences), 'difference')} from the record"

    @property
    def ok(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    @property
    def unverified(self) -> tuple[str, ...]:
        """The fields that were taken on trust, wholly or in part."""
        return tuple(field for own in self.trust for field in own.fields)


@dataclass(frozen=True)
class Given:
    """What else a record is compared with."""

    comparison: Comparison | None = None  #: The data, read again.
    metrics: Iterable[str | Metric] | str | Metric | None = None  #: The metrics, given again.
    #: The files that the data were read from, as records describe them.
    inputs: Sequence[Mapping[str, Any]] | None = None


@public("csig")
def verify(
    record: Mapping[str, Any] | Audit | str | os.PathLike[str],
    *,
    comparison: Comparison | None = None,
    metric: str | Metric | Iterable[str | Metric] | None = None,
    independent: bool = False,
    threads: int | None = None,
) -> Verification:
    """Recompute an audit from its record, and compare every number.

    Parameters
    ----------
    record : mapping, Audit or path
        A record, what :func:`csig.audit` gave, or the path of a record's file.
    comparison : Comparison, optional
        The data, read again; needed if the record keeps only their digest, as that of a gate.
        Otherwise they are compared with those in the record, including the names of the systems.
    metric : str, Metric, or several of them, optional
        To be compared with those in the record. Needed for functions of your own,
        which a record does not hold.
    independent : bool
        Also count all hits with :mod:`csig.replay`, and bound all certified p-values with
        :mod:`csig.engines.tails`, in pure numpy: slow, but without any compiled code of csig.
    threads : int, optional
        Default: all processors.

    Returns
    -------
    Verification
        With all differences, and what was taken on trust.

    Raises
    ------
    InputError
        If this is not a record, or cannot be recomputed.

    Examples
    --------
    >>> import csig
    >>> comparison = csig.Comparison.from_counts(gold=10, only_a_correct=6, only_b_correct=1)
    >>> record = csig.audit(comparison, "recall", n_resamples=4096, rng=1).record
    >>> csig.verify(record).ok
    True
    >>> csig.verify({**record, "passed": False}).differences[0]
    'sha256: the record was changed after it was written'
    """
    where = "record"
    if comparison is not None:
        instance("comparison", comparison, Comparison)
    record = getattr(record, "record", record)  # of an audit
    if isinstance(record, Mapping):
        try:
            plain = json.loads(json.dumps(record, sort_keys=True, allow_nan=False))
        except (TypeError, ValueError, RecursionError) as error:
            raise InputError(f"record: cannot be written as JSON ({str(error)[:80]})") from None
        checked = check_record(plain)
    elif not isinstance(record, (str, os.PathLike)):
        raise InputError(
            f"record: found {type(record).__name__}, expected a record, an audit or a path"
        )
    else:
        where = os.fspath(record)
        checked = parse_record(read_bytes(where), where)
    given = Given(comparison, metric)
    with in_python(inputs="comparison=csig.read(...)"):
        return verify_checked(checked, where, given, independent=independent, threads=threads)


def verify_checked(
    record: dict[str, Any],
    where: str,
    given: Given,
    *,
    independent: bool = False,
    threads: int | None = None,
) -> Verification:
    """The same for a record that was already read, with everything that may be given with it."""
    differences = []
    digest, of_file = both_digests(record)
    if digest != record["sha256"]:
        differences.append("sha256: the record was changed after it was written")
    if record["schema"] == BOARD:
        if given.comparison is not None or given.metrics is not None or independent:
            raise InputError(f"{where}: the record of many systems has all that is compared again")
        lines, count = _board(record, where, threads)
        return Verification((*differences, *lines), count, False, of_file, OF_BOARDS)
    if record["schema"] == GATE:
        if independent:
            raise InputError(f"{where}: a gate is not computed in another way")
        lines, count = _gate(record, where, given)
        known = given.inputs is not None
        return Verification((*differences, *lines), count, False, of_file, OF_GATES[known:])
    data, version = record["comparison"], record["schema_version"]
    options = _options_of(record)
    comparison, known = rebuilt(record, where), False
    if given.comparison is not None:
        known = comparison_digest(given.comparison) == data["digest"]
        comparison = given.comparison if known or comparison is None else comparison
        if not known:
            old = given.inputs is not None and version == 1
            differences.append(
                "inputs: the data read from them are not those of the record (different digest)"
                + f"; {READ_OTHERWISE}" * old
            )
    if comparison is None:
        raise _no_data(record, where)
    if given.metrics is None:
        metrics = recorded_metrics(record, where)
        differences += misnamed(metrics, data["columns"])
    else:
        metrics = get_all(given.metrics, comparison.columns)
    case = Case(
        record, metrics, data=known, files=known and given.inputs is not None,
        asked=given.metrics is not None,
        today=record["environment"]["csig"] == __version__ and version == EDITION,
    )  # fmt: skip
    trust = trusted(case)
    again = audit_of_edition(
        version, comparison, metrics, **options, rng=seed_of(record["runs"][0]),
        bit_generator=record["runs"][0]["bit_generator"], threads=threads,
    )  # fmt: skip
    made = record_of(again, version, given.inputs or (), table=data["differences"] is not None)
    mine: dict[str, Any] = json.loads(json.dumps(made))
    mine["checks"] = with_larger_units(mine["checks"], case)
    theirs = {key: value for key, value in record.items() if key != "sha256"}
    apart, said = settled(mine, theirs, case.today)
    lines, count = compared(mine, theirs, trust)
    lines += apart
    if independent:
        lines += _other_hits(comparison, record, metrics)
        count += sum(len(own["hits"]) for own in record["runs"])
        side, zero = options["alternative"], options["zero_division"]
        questions = {own.name: make_question(comparison, own, side, zero) for own in metrics}
        apart, more = bounded(record["results"], questions)
        lines, said, count = lines + apart, said + more, count + len(apart + more)
    return Verification(
        (*differences, *lines), count, independent, of_file, trust, tuple(said)
    )  # fmt: skip


def _board(record: Mapping[str, Any], where: str, threads: int | None) -> tuple[list[str], int]:
    """What differs from the record of many systems, and how many fields were computed."""
    columns = record["columns"] or ["score", "n"]
    whole = {"comparison": {"columns": columns}, "metrics": [record["metric"]]}
    (metric,) = recorded_metrics(whole, where)
    try:
        metric.check_columns(columns)
        again = ranked_again(record, metric, seed_of(record["options"]["seed"]), threads)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    mine = json.loads(json.dumps(result_of(again)))
    lines, count = compared({"result": mine}, {"result": record["result"]}, ())
    wrong = [*misnamed([metric], columns)]
    if record["columns"] is None and metric.name in ("accuracy", "error_rate"):
        usual = metrics_module.ratio(metric.name, "score", "n")
        numbers = {number for own in record["systems"] for number in own["numbers"]}
        if not same_function(metric, usual) or numbers - {0, 1, None}:
            wrong.append(f"metric: these numbers have no {metric.name} with these weights")
    return [*wrong, *lines], count


def _gate(record: Mapping[str, Any], where: str, given: Given) -> tuple[list[str], int]:
    """What differs from the record of a gate, and how many fields were computed."""
    comparison, test = given.comparison, record["test"]
    if comparison is None:
        raise _no_data(record, where)
    (metric,) = get_all(given.metrics or test["metric"], comparison.columns)[:1]
    how = {name: test[name] for name in ("margin", "margin_kind", "alpha")}
    try:
        again = gate(comparison, metric, **how, rng=int(record["seed"]))
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    mine = json.loads(json.dumps(record_of_gate(again)))
    now, then = ({name: own[name] for name in _GATE} for own in (mine, record))
    lines, count = compared(now, then, OF_GATES)
    files = 0 if given.inputs is None else len(given.inputs)
    return lines, count + files


def _no_data(record: Mapping[str, Any], where: str) -> InputError:
    """The refusal of a record that needs its inputs."""
    paths = [file["path"] for file in record["inputs"]]
    remedy = "give its inputs as comparison="
    if paths:
        way = argument("inputs")
        each = "once for each of" if way.startswith("--") else "of"
        remedy = f"give its inputs: {way} {each} {first_few(paths, 4)}"
    return InputError(f"{where}: has only the digest of the data; {remedy}")


def holds_data(record: Mapping[str, Any]) -> bool:
    """Whether a record can be recomputed without its inputs."""
    data = record.get("comparison", {})
    return record["schema"] == BOARD or any(
        data.get(name) is not None for name in ("classes", "differences")
    )


def _options_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a record as the arguments of today."""
    options = dict(record["options"])
    options["pvalue_confidence"] = options.pop("confidence_level")
    return options


def _other_hits(
    comparison: Comparison, record: Mapping[str, Any], metrics: Sequence[Metric]
) -> list[str]:
    """Count the hits of all runs in pure numpy, and say where they differ."""
    options = {name: value for name, value in _options_of(record).items() if name != "alpha"}
    found = []
    for run in record["runs"]:
        task = make_task(
            comparison, method="approximate", rng=seed_of(run), bit_generator=run["bit_generator"],
            threads=1, **options | {"n_resamples": run["n_resamples"]},
        )  # fmt: skip
        made = AuditRun(run["run"], task.source, run["n_resamples"], {}, {})
        asked = {metric.name: metric for metric in metrics}
        if any(own["metric"] == "recall" for own in run["hits"]):
            asked.setdefault("recall", metrics_module.get("recall", comparison.columns))
        questions: Questions = ask(task, list(asked.values()))
        responses = comparison.by_response()
        if run["run"] == SINGLE and responses is not None:
            task, questions = of_single(task, responses)
        hits = dict.fromkeys(questions, 0)
        names = dict.fromkeys(name for name, _ in questions)
        for start in range(0, run["n_resamples"], CHUNK):
            n = min(CHUNK, run["n_resamples"] - start)
            chunk = replayed(task.comparison, made, start // CHUNK, n)
            slow = {name: chunk(questions[name, "two-sided"]) for name in names}
            for name, tail in hits:
                hits[name, tail] += slow[name][tail]
        for own in run["hits"]:
            number = hits.get((own["metric"], own["tail"]))
            if number != own["hits"]:
                found.append(
                    f"run {run['run']}, {own['metric']} ({own['tail']}): {own['hits']} hits in the "
                    f"record, {number} in pure numpy"
                )
    return found


# ---- certified p-values ------------------------------------------------------------------------
#
# Two proven enclosures of one p-value need not be the same: another instruction set may round
# otherwise. What counts is that both hold it, so that they have numbers in common.


def certificate_of(result: Mapping[str, Any]) -> Certificate | None:
    """That of a result in a record, where it has one."""
    own = result.get("certificate")
    return None if own is None else Certificate(**own)


def _amiss(result: Mapping[str, Any], own: Certificate, version: int) -> str:
    """What is wrong with a certificate in itself, if anything is."""
    if not (own.low <= own.high and own.log_low <= own.log_high):
        return "its lower bound is above the upper one"
    if result["exact_pvalue"] != own.high or result["exact_log_pvalue"] != own.log_high:
        return "its upper bound is not the exact_pvalue"
    slack = OF_LOGS * max(1.0, abs(own.log_high))
    gap = math.expm1(min(own.log_high - own.log_low, 700.0))
    slack *= 1 + gap
    too_wide = own.width > CLOSE and (
        version < WIDE or not better_than_shuffles(own, result["n_resamples"])
    )
    if too_wide:
        return "its bounds say less than shuffles would"
    if not math.isclose(own.width, gap, rel_tol=SAME, abs_tol=slack):
        return "its width is not that of its bounds"
    for end, log in ((own.low, own.log_low), (own.high, own.log_high)):
        if not math.isclose(end, math.exp(log), rel_tol=SAME, abs_tol=TINY):
            return "its bounds are not those of their logarithms"
    return ""


def settled(
    mine: dict[str, Any], theirs: Mapping[str, Any], today: bool
) -> tuple[list[str], list[str]]:
    """Compare the certificates of a record computed now with those of a record, which this csig
    wrote or another version: what differs, and what is said.
    """
    # Other versions may have searched otherwise: `mine` gets their bounds where these hold the
    # same p, and what follows from them.
    known = {own["metric"]: own for own in theirs["results"]}
    differences, said = [], []
    for own in mine["results"]:
        other = known.get(own["metric"], {})
        now, then = certificate_of(own), certificate_of(other)
        if now is None or then is None:
            continue
        where = f"results[{own['metric']}].certificate"
        if amiss := _amiss(other, then, theirs["schema_version"]):
            differences.append(f"{where}: {amiss}")
            continue
        both = f"the bounds of the record, {then.text}, and those computed now, {now.text},"
        if not now.overlaps(then):
            differences.append(f"{where}: {both} hold no common p")
            continue
        again = f"the bounds of the record, {then.text}, were computed again to the last bit."
        said.append(f"{own['metric']}: {again if now == then else f'{both} hold the same p.'}")
        if not today:
            own |= {name: other[name] for name in ("exact_pvalue", "exact_log_pvalue")}
            own["certificate"] = other["certificate"]
            for check in mine["checks"]:
                if check["name"] == f"exact: {own['metric']}":
                    hits, n = own["n_hits"], own["n_resamples"]
                    check["pvalue"] = between_pvalue(hits, n, then.low, then.high)
    return differences, said


def bounded(
    results: Sequence[Mapping[str, Any]], questions: Mapping[str, Question]
) -> tuple[list[str], list[str]]:
    """Compare certificates with bounds in pure numpy."""
    differences, said = [], []
    for result in results:
        own, question = certificate_of(result), questions[result["metric"]].weighted
        line = None if question is None else question.line
        if own is None or question is None or question.steps is None or line is None:
            continue
        tail = tail_of(line)
        where = f"results[{result['metric']}].certificate"
        if tail is None:  # every shuffle is a hit
            differences.append(f"{where}: p is 1")
            continue
        values = np.ascontiguousarray(question.steps[:, 0])
        if own.log_high < -(len(values) + 1) * math.log(2):
            differences.append(f"{where}: {own.text} is less than the share of one shuffle")
            continue
        # What the certificate says about P(S >= s), times a power of two.
        if tail.rest:
            low, high = float(1 - Fraction(own.high)), float(1 - Fraction(own.low))
            low, high, exponent = math.nextafter(low, -1), math.nextafter(high, 2), 0
        elif own.low > SMALLEST:
            low, high, exponent = own.low, own.high, -1 if tail.doubled else 0
        else:
            power = math.floor(own.log_high / math.log(2))
            slack = OF_LOGS * max(1.0, abs(own.log_high))
            low = math.exp(own.log_low - power * math.log(2)) * (1 - slack)
            high = math.exp(own.log_high - power * math.log(2)) * (1 + slack)
            exponent = power - tail.doubled
        verdict, found = claimed_tail(values, tail.s, low, high, exponent)
        if verdict == "outside":
            differences.append(f"{where}: {own.text} does not hold p by bounds in pure numpy")
            continue
        how = "lie within them" if verdict == "inside" else "hold the same p"
        said.append(
            f"{result['metric']}: bounds in pure numpy, {100 * found.width:.2g}% apart, {how}."
        )
    return differences, said


#: More differences than this are counted, more fields of one reason too.
MOST, MOST_FIELDS = 40, 8


def _fields(own: Trusted) -> str:
    """The first fields that were taken on trust."""
    shown, before = [], ""
    for field in own.fields[:MOST_FIELDS]:
        place, dot, _ = field.rpartition(".")
        shown.append(field.removeprefix(place) if dot and place == before else field)
        before = place
    more = len(own.fields) - len(shown)
    return f"{', '.join(shown)}{f' and {more} more' if more > 0 else ''}"


def _parted(line: str) -> tuple[str, str]:
    """A field that differs, whose name may have a colon in brackets, and how."""
    depth = 0
    for i, character in enumerate(line):
        depth += (character == "[") - (character == "]")
        if depth == 0 and line.startswith(": ", i):
            return line[:i], line[i + 2 :]
    field, _, how = line.partition(": ")
    return field, how


def _as_dict(found: Verification) -> dict[str, Any]:
    fields = "ok compared independent record_sha256 differences bounds unverified"
    trust = [picked(own, "fields what") for own in found.trust]
    made: dict[str, Any] = plain({**head("csig.verify"), **picked(found, fields), "trust": trust})
    return made


def verification_document(found: Verification, record: Mapping[str, Any] | None = None) -> Document:
    """A verification of a record; with the record it says who wrote it."""
    n = len(found.differences)
    if found.ok:
        how = ", by the compiled engine and in pure numpy" if found.independent else ""
        line = f"Verified: all {found.compared:,} recomputed values match the record{how}."
    else:
        line = f"NOT verified: {n} of {found.compared:,} fields differ."
    written = f"The record's SHA-256 is {found.record_sha256}."
    if record is not None:
        made = record["environment"]
        written = (
            f"The record was written by csig {made['csig']} on {record['date']} "
            f"({made['platform']}); its SHA-256 is {found.record_sha256}."
        )
    lines = _shown(found, record or {})
    tables = []
    if lines:
        tables.append(table("differences", "t", ("What differs",), [[own] for own in lines]))
    if found.trust:
        title = "Taken on trust, because this verification cannot recompute it:"
        trust = [(_fields(own), own.what) for own in found.trust]
        tables.append(table("trust", "tt", ("Fields", "What they are"), trust, title))
    return Document(
        title="Verification of a record",
        verdict=[line],
        tables=tables,
        notes=[*([" ".join(found.bounds)] if found.bounds else []), written],
        rows=_rows(found, line),
        record=partial(_as_dict, found),
    )


def _shown(found: Verification, record: Mapping[str, Any]) -> list[str]:
    """The first differences, with the systems' names where the record is of two."""
    names = record["comparison"]["names"] if "comparison" in record else ("A", "B")
    lines = [
        named(own, names) if own.startswith(("checks[symmetry", "checks[generator")) else own
        for own in found.differences[:MOST]
    ]
    more = len(found.differences) - MOST
    return [*lines, f"and {wording.count(more)} more"] if more > 0 else lines


def _rows(found: Verification, line: str) -> list[dict[str, Scalar]]:
    rows = [("verified" if found.ok else "not verified", "", line)]
    rows += [("differs", *_parted(own)) for own in found.differences]
    rows += [("on trust", " ".join(own.fields), own.what) for own in found.trust]
    return [dict(zip(("outcome", "fields", "what"), row, strict=True)) for row in rows]


def verifications_document(
    found: Sequence[tuple[str, tuple[Verification, Mapping[str, Any]] | str]],
) -> Document:
    """Verifications of several records: of each its file, and both, or why it cannot be used."""
    outcomes: list[list[Text]] = []
    lines: list[list[Text]] = []
    rows: list[dict[str, Scalar]] = []
    records: list[dict[str, Any]] = []
    for path, own in found:
        known = {"path": path, "refusal": None, "verification": None}
        if isinstance(own, str):
            outcomes.append([path, ("CANNOT BE USED", "worse"), "-"])
            lines.append([path, own])
            rows.append({"record": path, "outcome": "cannot be used", "fields": "", "what": own})
            records.append(known | {"refusal": own})
            continue
        verified, record = own
        state: Text = ("verified", "better") if verified.ok else ("NOT verified", "worse")
        outcomes.append([path, state, wording.count(verified.compared)])
        lines += [[path, line] for line in _shown(verified, record)]
        (line,) = verification_document(verified, record).verdict
        rows += [{"record": path, **row} for row in _rows(verified, line)]
        records.append(known | {"verification": _as_dict(verified)})
    good = sum(own["verification"] is not None and own["verification"]["ok"] for own in records)
    tables = [table("records", "nv#", ("Record", "Outcome", "Values compared"), outcomes)]
    if lines:
        tables.append(table("differences", "nt", ("Record", "What is wrong"), lines))
    return Document(
        title="Verification of records",
        verdict=[f"{good} of {counted(len(found), 'record')} verified."],
        tables=tables,
        notes=["csig verify of one record also lists what it takes on trust."],
        rows=rows,
        record=lambda: head("csig.verify.records") | {"ok": good == len(found), "records": records},
    )


@document_of.register
def _of_verification(found: Verification) -> Document:
    return verification_document(found)
