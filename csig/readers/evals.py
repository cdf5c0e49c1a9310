"""Logs of OpenAI's evals: one event a line, of which a sample has one with its verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from csig.base.errors import InputError, argument
from csig.base.wording import clean, first_few
from csig.readers.data import Data
from csig.readers.lines import is_text, json_values
from csig.readers.records import read_sheets, sheet_of
from csig.readers.request import Request
from csig.readers.tables.matching import MEAN, check_there
from csig.readers.tables.sheets import Sheet


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


def read(request: Request, metrics: Sequence[str]) -> Data:
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
            lambda row: "fields" if row < 0 else log.at(log.firsts[row]),
            cautions=log.caution(), notes=notes if others else (),
        )  # fmt: skip

    sheets = list(map(sheet, logs))
    return read_sheets(request, metrics, "openai-evals", sheets, scores=chosen, id="sample_id")
