"""Results of tau-bench and tau2-bench: the reward of every task in every trial."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from csig.base.errors import InputError
from csig.base.wording import counted, first_few
from csig.readers.data import Data
from csig.readers.lines import json_values
from csig.readers.records import read_sheets, sheet_of
from csig.readers.request import Request
from csig.readers.tables.sheets import Sheet


def is_results(record: dict[str, Any]) -> bool:
    """Whether a record is a trajectory of tau-bench, or the results of tau2-bench."""
    if isinstance(simulations := record.get("simulations"), list):
        return all(isinstance(own, dict) and "task_id" in own for own in simulations[:1])
    return {"task_id", "reward", "traj"} <= record.keys()


def _sheet(request: Request, path: str) -> Sheet:
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
    return sheet_of(
        request, path, columns, lambda row: "fields" if row < 0 else at(row),
        cautions=said if failed else (),
    )  # fmt: skip


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The rewards of every system, one file each: tasks are units, trials are runs."""
    sheets = [_sheet(request, path) for path in request.files]
    return read_sheets(request, metrics, "tau-bench", sheets, scores=["reward"], id="task_id")
