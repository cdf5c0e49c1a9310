"""Verifying a record: the same audit is run again, and every number is compared.

Verifying reads numbers and strings from a record, and nothing else: no name in it is imported,
no path in it is opened, no text in it is run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from csig import metrics as metrics_module
from csig._version import __version__
from csig.audits import bounds
from csig.audits.audit import audit_of_edition
from csig.audits.comparing import compared, with_larger_units
from csig.audits.digests import both_digests, comparison_digest
from csig.audits.forms import SCHEMA_VERSION, check_record, parse_record, read_bytes
from csig.audits.rebuilding import misnamed, rebuilt, recorded_metrics, seed_of
from csig.audits.records import record_of
from csig.audits.repeats import replayed
from csig.audits.runs import SINGLE, AuditRun, Questions, ask, of_single
from csig.audits.trust import Case, Trusted, trusted
from csig.comparison import Comparison
from csig.engines.questions import Question, make_question
from csig.engines.tasks import make_task
from csig.errors import InputError
from csig.metrics import Metric, get_all
from csig.shown import Shown
from csig.streams import CHUNK
from csig.wording import counted, first_few

__all__ = ["READ_OTHERWISE", "Given", "Verification", "holds_data", "verify", "verify_checked"]

#: What to add where an old record and its files disagree.
READ_OTHERWISE = (
    "the csig that wrote the record read some files differently (CHANGELOG, Results that change)"
)


@dataclass(frozen=True, repr=False)
class Verification(Shown):
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

    def as_dict(self) -> dict[str, Any]:
        """As Python objects for JSON; ``docs/audit.md`` lists the fields."""
        return {
            "schema": "csig.verify",
            "schema_version": 1,
            "csig_version": __version__,
            "ok": self.ok,
            "compared": self.compared,
            "independent": self.independent,
            "record_sha256": self.record_sha256,
            "differences": list(self.differences),
            "bounds": list(self.bounds),
            "unverified": list(self.unverified),
            "trust": [{"fields": list(own.fields), "what": own.what} for own in self.trust],
        }


@dataclass(frozen=True)
class Given:
    """What else a record is compared with."""

    comparison: Comparison | None = None  #: The data, read again.
    metrics: Iterable[str | Metric] | str | Metric | None = None  #: The metrics, given again.
    #: The files that the data were read from, as records describe them.
    inputs: Sequence[Mapping[str, Any]] | None = None


def verify(
    record: Mapping[str, Any] | str,
    *,
    comparison: Comparison | None = None,
    metrics: Iterable[str | Metric] | str | Metric | None = None,
    independent: bool = False,
    threads: int | None = None,
) -> Verification:
    """Recompute an audit from its record, and compare every number.

    Parameters
    ----------
    record : mapping or path
        A record, or the path of its file.
    comparison : Comparison, optional
        The data, read again; needed if the record keeps only their digest. Otherwise they are
        compared with those in the record, including the names of the systems.
    metrics : str, Metric, or several of them, optional
        The metrics, to be compared with those in the record. Needed for functions of your own,
        which a record does not hold.
    independent : bool
        Also count all hits with :mod:`csig.replay`, and bound all certified p-values with
        :mod:`csig.tails`, in pure numpy: slow, but without any compiled code of csig.
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
    if isinstance(record, Mapping):
        try:
            plain = json.loads(json.dumps(record, sort_keys=True, allow_nan=False))
        except (TypeError, ValueError, RecursionError) as error:
            raise InputError(f"record: cannot be written as JSON ({str(error)[:80]})") from None
        checked = check_record(plain)
    else:
        where = str(record)
        checked = parse_record(read_bytes(where), where)
    given = Given(comparison, metrics)
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
    comparison, known = _data(record, where, given.comparison)
    if given.comparison is not None and not known:
        old = given.inputs is not None and record["schema_version"] == 1
        differences.append(
            "inputs: the data read from them are not those of the record (different digest)"
            + f"; {READ_OTHERWISE}" * old
        )
    columns = record["comparison"]["columns"]
    if given.metrics is None:
        metrics = recorded_metrics(record, where)
        differences += misnamed(metrics, columns)
    else:
        metrics = get_all(given.metrics, comparison.columns)
    case = Case(
        record, metrics, data=known, files=known and given.inputs is not None,
        asked=given.metrics is not None,
        words=record["environment"]["csig"] == __version__
        and record["schema_version"] == SCHEMA_VERSION,
    )  # fmt: skip
    trust = trusted(case)
    mine = _again(record, comparison, metrics, given.inputs or (), threads)
    mine["checks"] = with_larger_units(mine["checks"], case)
    theirs = {key: value for key, value in record.items() if key != "sha256"}
    mine["results"], apart, said = bounds.settled(mine["results"], theirs["results"])
    lines, count = compared(mine, theirs, trust)
    lines += apart
    if independent:
        lines += _independently(comparison, record, metrics)
        count += sum(len(own["hits"]) for own in record["runs"])
        apart, more = bounds.independently(record["results"], _asked(comparison, record, metrics))
        lines, said, count = lines + apart, said + more, count + len(apart + more)
    return Verification(
        (*differences, *lines), count, independent, of_file, trust, tuple(said)
    )  # fmt: skip


def _asked(
    comparison: Comparison, record: Mapping[str, Any], metrics: Sequence[Metric]
) -> dict[str, Question]:
    """The tests of a record, by metric."""
    options = record["options"]
    return {
        metric.name: make_question(
            comparison, metric, options["alternative"], options["zero_division"]
        )
        for metric in metrics
    }


def _data(
    record: Mapping[str, Any], where: str, given: Comparison | None
) -> tuple[Comparison, bool]:
    """The comparison to test, and whether it is the one that was given."""
    found = rebuilt(record, where)
    if given is None:
        if found is None:
            raise InputError(f"{where}: has only the digest of the data; {_way_out(record)}")
        return found, False
    known = comparison_digest(given) == record["comparison"]["digest"]
    return given if known or found is None else found, known


def holds_data(record: Mapping[str, Any]) -> bool:
    """Whether a record can be recomputed without its inputs."""
    return any(record["comparison"][name] is not None for name in ("classes", "differences"))


def _way_out(record: Mapping[str, Any]) -> str:
    paths = [file["path"] for file in record["inputs"]]
    if not paths:
        return "give its inputs as comparison="
    return f"give its inputs: --inputs once for each of {first_few(paths, 4)}"


def _again(
    record: Mapping[str, Any],
    comparison: Comparison,
    metrics: Sequence[Metric],
    inputs: Sequence[Mapping[str, Any]],
    threads: int | None,
) -> dict[str, Any]:
    """The record of the same audit, made now."""
    version, run = record["schema_version"], record["runs"][0]
    again = audit_of_edition(
        version, comparison, metrics, **record["options"], rng=seed_of(run),
        bit_generator=run["bit_generator"], threads=threads,
    )  # fmt: skip
    table = record["comparison"]["differences"] is not None
    made: dict[str, Any] = json.loads(json.dumps(record_of(again, version, inputs, table=table)))
    return made


def _independently(
    comparison: Comparison, record: Mapping[str, Any], metrics: Sequence[Metric]
) -> list[str]:
    """Count the hits of all runs in pure numpy, and say where they differ."""
    options = {name: value for name, value in record["options"].items() if name != "alpha"}
    found = []
    for run in record["runs"]:
        task = make_task(
            comparison, method="approximate", rng=seed_of(run), bit_generator=run["bit_generator"],
            threads=1, **options | {"n_resamples": run["n_resamples"]},
        )  # fmt: skip
        made = AuditRun(run["run"], task.source, run["n_resamples"], {}, {})
        asked = {m.name: m for m in metrics}
        if any(own["metric"] == "recall" for own in run["hits"]):
            asked.setdefault("recall", metrics_module.get("recall", comparison.columns))
        questions: Questions = ask(task, list(asked.values()))
        responses = comparison.by_response()
        if run["run"] == SINGLE and responses is not None:
            task, questions = of_single(task, responses)
            asked = {"recall": metrics_module.recall}
        hits = dict.fromkeys(questions, 0)
        for start in range(0, run["n_resamples"], CHUNK):
            n = min(CHUNK, run["n_resamples"] - start)
            chunk = replayed(task.comparison, made, start // CHUNK, n)
            for name in asked:
                slow = chunk(questions[name, "two-sided"])
                for key in hits:
                    if key[0] == name:
                        hits[key] += slow[key[1]]
        for own in run["hits"]:
            number = hits.get((own["metric"], own["tail"]))
            if number != own["hits"]:
                found.append(
                    f"run {run['run']}, {own['metric']} ({own['tail']}): {own['hits']} hits in the "
                    f"record, {number} in pure numpy"
                )
    return found
