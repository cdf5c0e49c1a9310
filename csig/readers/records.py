"""Records of a form that names its columns: each file's become a sheet, and are read as one.

Those of OpenAI's evals and of tau-bench are read here; larger forms have modules of their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from csig.base.errors import InputError, argument
from csig.base.wording import clean, counted, first_few
from csig.readers.data import Data
from csig.readers.lines import StrPath, is_text, json_values
from csig.readers.request import Request
from csig.readers.tables.matching import MEAN, check_there
from csig.readers.tables.reader import data_of, dialect_of, of_sheets, table_alone
from csig.readers.tables.sheets import Sheet


def sheet_of(
    request: Request,
    path: StrPath,
    columns: Mapping[str, Sequence[Any]],
    where: Callable[[int], str],
    notes: tuple[str, ...] = (),
    cautions: tuple[str, ...] = (),
) -> Sheet:
    """A sheet with these columns; `where` says the place of a row."""
    cells = {name: list(own) for name, own in columns.items()}

    def place(row: int) -> str:
        return "fields" if row < 0 else where(row)

    return Sheet.of(path, cells, "JSON", place, dialect_of(request), notes=notes, cautions=cautions)


def read_sheets(
    request: Request,
    metrics: Sequence[str],
    form: str,
    sheets: Sequence[Sheet],
    *,
    scores: Sequence[str] = (),
    lower: bool | None = None,
    **declared: Any,
) -> Data:
    """The data of sheets with one system each, or of one whose rows name their systems."""
    plain = replace(
        request, format="scores" if scores else "counts", score_column=tuple(scores), **declared
    )
    if plain.system_column is None:
        table = of_sheets(plain, sheets, metrics)
    else:
        table = table_alone(sheets[0], plain, metrics)
    if len(scores) == 1:
        table = replace(table, metric=MEAN + scores[0], less_is_better=lower)
    data = data_of(request, table, request.files)
    return replace(data, source=replace(data.source, format=form))


def is_tau_bench(record: dict[str, Any]) -> bool:
    """Whether a record is a trajectory of tau-bench, or the results of tau2-bench."""
    if isinstance(simulations := record.get("simulations"), list):
        return all(isinstance(own, dict) and "task_id" in own for own in simulations[:1])
    return {"task_id", "reward", "traj"} <= record.keys()


def _of_tau_bench(request: Request, path: str) -> Sheet:
    records, at = json_values(path)
    whole = records[0] if len(records) == 1 else None
    if isinstance(whole, dict) and isinstance(whole.get("simulations"), list):
        records, at = whole["simulations"], lambda i: f"simulation {i + 1}"
    rows = []
    failed = []
    for i, record in enumerate(records):
        if not isinstance(record, dict) or not {"reward", "reward_info"} & record.keys():
            raise InputError(f"{path} {at(i)}: found no reward, expected a task's trajectory")
        rewarded = record["reward_info"] or {} if "reward_info" in record else record
        reward = rewarded.get("reward") if isinstance(rewarded, dict) else rewarded
        rows.append((record.get("task_id"), record.get("trial", 0), reward))
        info = record.get("info")
        if isinstance(info, dict) and "error" in info:
            failed.append(str(record.get("task_id")))
    if not rows:
        raise InputError(f"{path}: found no trajectories")
    of_all = counted(len(rows), "result")
    said = (
        f"{path}: {len(failed):,} of {of_all} ended in "
        f"an error of the program, which tau-bench gives the reward 0: tasks {first_few(failed)}.",
    )
    columns = dict(zip(("task_id", "trial", "reward"), zip(*rows, strict=True), strict=True))
    return sheet_of(request, path, columns, at, cautions=said if failed else ())


def read_tau_bench(request: Request, metrics: Sequence[str]) -> Data:
    """The rewards of every system, one file each: tasks are units, trials are runs."""
    sheets = [_of_tau_bench(request, path) for path in request.files]
    return read_sheets(request, metrics, "tau-bench", sheets, scores=["reward"], id="task_id")


def is_events(record: dict[str, Any]) -> bool:
    """Whether the first record of a file is the specification of a run, or an event."""
    spec = record.get("spec")
    if isinstance(spec, dict):
        return not {"eval_name", "completion_fns"}.isdisjoint(spec)
    return {"run_id", "event_id", "type", "data"} <= record.keys()


class _Log:
    """The numbers of every sample, by the names that the events' data have."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.samples: dict[str, dict[str, Any]] = {}
        self.report: dict[str, Any] = {}
        #: The first event of every sample; and where events are, which is slow to say.
        self.firsts: list[int] = []
        values, self.at = json_values(path)
        for i, event in enumerate(values):
            if not isinstance(event, dict):
                raise InputError(f"{path} {self.at(i)}: expected a JSON object, an event")
            if isinstance(event.get("final_report"), dict):
                self.report = event["final_report"]
            if (sample := event.get("sample_id")) is None:
                continue
            if not is_text(sample):
                raise InputError(f"{path} {self.at(i)}: found the sample_id {sample!r}, no text")
            data = event.get("data") if event.get("type") != "sampling" else None
            self._add(str(sample), data if isinstance(data, dict) else {}, i)
        if not any(self.samples.values()):
            raise InputError(f"{path}: found no event with a sample's 'correct' or another number")

    def _add(self, sample: str, data: dict[str, Any], event: int) -> None:
        if sample not in self.samples:
            self.firsts.append(event)
        own = self.samples.setdefault(sample, {})
        for name, value in data.items():
            if not isinstance(value, (bool, int, float)) or not is_text(name):
                continue
            if name in own:
                raise InputError(
                    f"{self.path} {self.at(event)}: found {name!r} of the sample {sample!r} again, "
                    "expected one event with it"
                )
            own[name] = value

    def caution(self) -> tuple[str, ...]:
        """A doubt where the run's own accuracy is another."""
        values = [own.get("correct") for own in self.samples.values()]
        theirs = self.report.get("accuracy")
        if None in values or not isinstance(theirs, (int, float)):
            return ()
        ours = sum(values) / len(values)  # type: ignore[arg-type]
        if math.isclose(ours, theirs, abs_tol=1e-6):
            return ()
        return (
            f"{clean(self.path)}: its final report has the accuracy {theirs:g}, but the mean of "
            f"its samples is {ours:g}.",
        )


def read_evals(request: Request, metrics: Sequence[str]) -> Data:
    """Whether every sample is correct, or the numbers that were asked for; one file a system."""
    logs = [_Log(path) for path in request.files]
    names = dict.fromkeys(name for log in logs for own in log.samples.values() for name in own)
    wanted = [name.removeprefix(MEAN) for name in metrics]
    wanted = ["correct" if name == "accuracy" else name for name in wanted]
    check_there(wanted, names, logs[0].path, f"{argument('metric')}: no number")
    chosen = wanted or [name for name in names if name == "correct"] or [*names]
    others = [name for name in names if name not in chosen]
    notes = (f"The events have more numbers, {first_few(others, 12)}, for {argument('metric')}.",)

    def sheet(log: _Log) -> Sheet:
        columns = {name: [own.get(name) for own in log.samples.values()] for name in chosen}
        return sheet_of(
            request, log.path, {"sample_id": [*log.samples], **columns},
            lambda row: log.at(log.firsts[row]),
            cautions=log.caution(), notes=notes if others else (),
        )  # fmt: skip

    sheets = list(map(sheet, logs))
    return read_sheets(request, metrics, "openai-evals", sheets, scores=chosen, id="sample_id")
