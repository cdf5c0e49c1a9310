"""Which files hold the samples of lm-evaluation-harness, of which system and task."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from csig.errors import InputError, Refusal, Remedy
from csig.readers.lines import STDIN, StrPath, stem, stems
from csig.wording import few, first_few

__all__ = ["common_tasks", "files_by_task", "in_folder"]

#: The name of a file: the task, and the time of the run.
_NAME = re.compile(r"samples_(.+?)_(\d{4}-\d\d-\d\dT[\d.:-]+)\.jsonl?(\..+)?")


def in_folder(folder: StrPath) -> list[Path]:
    """The files of samples in a folder, at any depth."""
    return sorted(path for path in Path(folder).rglob("samples_*.json*") if path.is_file())


def _task(path: StrPath) -> str:
    """The task in the file's name, without the time of the run.

    >>> _task("m/samples_arc_easy_2024-05-01T10-00-00.123456.jsonl.gz")
    'arc_easy'
    """
    name = _NAME.fullmatch(Path(path).name)
    return name[1] if name else stem(path).removeprefix("samples_")


def _folders(paths: Sequence[StrPath]) -> dict[Path, list[StrPath]]:
    """The files by folder; a folder that was given has all that lie in it."""
    found: dict[Path, list[StrPath]] = {}
    for path in paths:
        if not os.path.isdir(path):
            found.setdefault(Path(path).parent, []).append(path)
            continue
        if not (files := in_folder(path)):
            raise InputError(f"{path}: found a folder without samples_*.jsonl, expected samples")
        if Path(path) in found:
            raise InputError(f"{path}: given twice, expected a folder for each system")
        models = list(dict.fromkeys(file.parent for file in files))
        if len(paths) == 1 and len(models) > 1:
            return _folders(files)
        if len({folder.name for folder in models}) > 1:
            raise InputError(
                f"{path}: found samples of {len(models)} models, in "
                f"{few(list(map(str, models)), 5)}; give the folder of one"
            )
        found[Path(path)] = [*files]
    return found


def _names(folders: Sequence[Path]) -> list[str]:
    """Names of systems: where the paths of their folders differ, nearest to the files."""
    parts = [reversed(Path(os.path.abspath(folder)).parts) for folder in folders]
    ways = map(list, zip(*parts, strict=False))
    return next((names for names in ways if len({*names}) == len(names)), list(map(str, folders)))


def files_by_task(paths: Sequence[StrPath]) -> dict[str, dict[str, StrPath]]:
    """{system: {task: file}}: a folder is a system; in one folder every file is."""
    folders = _folders(paths)
    if not any(map(os.path.isdir, paths)) and (len(folders) == 1 or STDIN in paths):
        tasks = {_task(path) for path in paths}
        if len(tasks) > 1 and all(_NAME.fullmatch(Path(path).name) for path in paths):
            raise InputError(
                f"{paths[0]}: files in one folder are systems, but these are of {len(tasks)} "
                f"tasks: {first_few(sorted(tasks))}; give every system a folder of its own"
            )
        task = tasks.pop() if len(tasks) == 1 else ""
        return {name: {task: path} for name, path in zip(stems(paths), paths, strict=True)}
    systems: dict[str, dict[str, StrPath]] = {}
    for name, files in zip(_names(list(folders)), folders.values(), strict=True):
        of_files = [_task(path) for path in files]
        task, times = Counter(of_files).most_common(1)[0]
        if times > 1:
            same = [Path(path) for path, own in zip(files, of_files, strict=True) if own == task]
            run = _NAME.fullmatch(same[-1].name)
            way = f", as {same[-1].parent}/samples_*_{run[2]}*" if run else ""
            raise InputError(
                f"{name}: found {times} files of the task {task!r}: "
                f"{few(list(map(str, same)), 5)}; give the files of one run by name{way}"
            )
        systems[name] = dict(zip(of_files, files, strict=True))
    return systems


def common_tasks(
    files: Mapping[str, Mapping[str, StrPath]], allow_missing: bool
) -> tuple[list[str], list[str]]:
    """The tasks that all systems have, and what is said of others; refused unless allowed."""
    every = list(dict.fromkeys(task for own in files.values() for task in own))
    common = [task for task in every if all(task in own for own in files.values())]
    left = [task for task in every if task not in common]
    if not left:
        return common, []
    if allow_missing and common:
        return common, [f"Tasks that not every system has were left out: {few(left, 12)}."]
    lacks = next(name for name in files if left[0] not in files[name])
    has = next(name for name in files if left[0] in files[name])
    missing = [task for task in left if task in files[has] and task not in files[lacks]]
    remedy = Remedy(("--allow-missing", "intersection"), f"compares only {few(common, 5)}")
    raise Refusal(
        f"{lacks} has no samples of {first_few(missing)}, which {has} has; expected the same tasks "
        "for every system",
        *([remedy] if common else []),
    )
