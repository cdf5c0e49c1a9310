"""Statistics of HELM: ``per_instance_stats.json``, what was counted of every instance.

The folder of a file is called by its run, "mmlu:subject=law,model=gpt2": its model is the system,
the rest the task. Instances are matched by ``instance_id`` and swapped with their train trials,
which are runs. Their texts are in ``scenario_state.json``, which is not read. Of perturbed
instances, whose form is known from HELM's source only, those of one name are read where
``--filter`` names it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import few, first_few
from csig.readers.data import Data
from csig.readers.lines import StrPath, is_text, json_values
from csig.readers.request import Request
from csig.readers.samples import (
    Kind,
    Place,
    Samples,
    by_model,
    files_in,
    id_of,
    of_samples,
    table_of,
)

PATTERN = "per_instance_stats.json"
KIND = Kind("helm", "instance", "instance_id", "train_trial_index")

_MODEL = re.compile(r"[:,-]model=([^,]+)")
_DEPLOYMENT = re.compile(r"[:,-]model(_deployment)?=[^,]+")

#: What HELM counts beside the metrics: of the prompt, the answer's form and cost.
_ABOUT = re.compile(
    "(num|training|inference|finish_reason)_.*|batch_size|prompt_truncated|predicted_index|"
    "max_prob|logprob"
)
_UNCHECKED = (
    "The files hold no texts of instances, so csig assumes that those with one id are the same."
)


def is_stats(record: object) -> bool:
    """Whether a record has the statistics of an instance."""
    if not isinstance(record, dict) or "instance_id" not in record:
        return False
    return isinstance(record.get("stats"), list)


@dataclass
class _Stats:
    """What to take of files, and what was left out."""

    wanted: Sequence[str]
    perturbation: str | None
    perturbed: Counter[str] = field(default_factory=Counter)
    about: dict[str, None] = field(default_factory=dict)

    def read(self, paths: Sequence[StrPath]) -> Mapping[str, Samples]:
        """The instances of a file by train trial."""
        path = paths[0]
        if len(paths) > 1:
            files = few(list(map(str, paths)), 5)
            raise InputError(
                f"found {len(paths)} files of one task: {files}; give those of one run"
            )
        values, at = json_values(path)
        trials: dict[str, Samples] = {}
        for i, record in enumerate(values):
            where = Place(path, at, i)
            if not is_stats(record):
                raise InputError(f"{where}: expected an object with 'instance_id' and 'stats'")
            name = record.get("perturbation")
            name = name.get("name") if isinstance(name, dict) else name
            trial = record.get("train_trial_index", 0)
            if not (name is None or is_text(name)) or type(trial) is not int:
                raise InputError(f"{where}: found a perturbation without a name, or no whole trial")
            if name is not None:
                self.perturbed[name] += 1
            if name == self.perturbation:
                samples = trials.setdefault(str(trial), Samples(path, KIND.noun))
                self._add(samples, record, where)
        if not trials:
            of = "without" if self.perturbation is None else f"with {self.perturbation!r} as"
            there = f", only with {first_few(self.perturbed)}" if self.perturbed else ""
            ways = [Remedy(("--filter", name), without=("--filter",)) for name in self.perturbed]
            raise Refusal(f"{path}: no instances {of} perturbation{there}", *ways[:3])
        return dict(sorted(trials.items(), key=lambda item: int(item[0])))

    def _add(self, samples: Samples, record: dict[str, Any], where: Place) -> None:
        instance = id_of(record["instance_id"], where, "instance_id")
        samples.hashes[instance] = None
        for stat in record["stats"]:
            called: Any = stat.get("name") if isinstance(stat, dict) else None
            name: Any = called.get("name") if isinstance(called, dict) else None
            if not is_text(name) or not name.strip():
                raise InputError(f"{where}: found a statistic without a name")
            if not self.wanted and _ABOUT.fullmatch(name):
                self.about[name] = None
                continue
            scores = samples.scores.setdefault((name, "none"), {})
            if self.wanted and name not in self.wanted:
                continue
            if instance in scores:
                raise InputError(
                    f"{where}: found {name!r} of {instance!r} again, expected it once a trial"
                )
            if "mean" in stat or stat.get("count"):  # else nothing was counted
                samples.add((name, "none"), instance, stat.get("mean"), where)

    def notes(self) -> list[str]:
        """What is said of what was left out."""
        found = []
        left = {name: n for name, n in self.perturbed.items() if name != self.perturbation}
        if left and self.perturbation is None:
            each = [f"{name} {number:,}" for name, number in left.items()]
            found.append(
                f"Perturbed instances are left out ({few(each, 5)}); {argument('filter')} names "
                "those to compare."
            )
        if self.about:
            found.append(
                f"No metrics unless {argument('metric')} names them: {few(list(self.about), 5)}."
            )
        return found


def _files(paths: Sequence[StrPath]) -> dict[str, dict[str, list[StrPath]]]:
    found: list[tuple[StrPath, str, str, StrPath]] = []
    for path, file in files_in(paths, PATTERN):
        run = Path(file).resolve().parent.name
        model = _MODEL.search(run)
        task = _DEPLOYMENT.sub("", run) if model else ""
        found.append((path, model[1] if model else "", task, file))
    return by_model(found)


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The metrics of every system that are there, or asked for."""
    stats = _Stats(metrics, request.filter)
    files = _files(request.files)
    asked = replace(request, filter=None)
    table, _ = table_of(asked, KIND, files, stats.read, metrics, _UNCHECKED)
    return of_samples(request, replace(table, notes=(*table.notes, *stats.notes())))
