"""What a user's training function gives back: scores, or what is wrong with them in one line."""

from __future__ import annotations

import numbers
import os
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from csig.errors import InputError, shortened
from csig.training.moments import mean
from csig.wording import clean, first_few

__all__ = ["Reply", "TrainAndScore", "reply_of", "scores_of"]

#: Called with a sample's training data and {test set: data}; gives {system: {test set: score}}.
TrainAndScore = Callable[[Any, dict[str, Any]], Mapping[str, Mapping[str, Any]]]

#: Scores by system and test set, or why there are none.
Reply = tuple[list[list[float]] | None, str]


def reply_of(
    train_and_score: TrainAndScore,
    training: Any,
    tests: dict[str, Any],
    systems: Sequence[str],
) -> Reply:
    """Call the function, here or in a worker; whatever it does is a reply.

    Ctrl-C is none.
    """
    try:
        found = train_and_score(training, tests)
    except (Exception, SystemExit) as error:
        return None, _line(error)
    try:
        return scores_of(found, systems, tuple(tests)), ""
    except InputError as error:
        return None, str(error)


def _line(error: BaseException) -> str:
    """An error in one line, with where it happened."""
    frames = traceback.extract_tb(error.__traceback__)[1:]  # the first is the call above
    where = f" ({os.path.basename(frames[-1].filename)} line {frames[-1].lineno})" if frames else ""
    words = " ".join(str(error).split())
    return clean(shortened(f"{type(error).__name__}: {words}{where}" if words
                           else f"{type(error).__name__}{where}"))  # fmt: skip


def scores_of(found: object, systems: Sequence[str], test_sets: Sequence[str]) -> list[list[float]]:
    """The scores by system and test set.

    Parameters
    ----------
    found : mapping {system: {test set: score}}
        A score is a number, or an array of one number per item, which are averaged.
    systems, test_sets : sequence of str
        Those that must be there, and no others.

    Raises
    ------
    InputError
        For anything else.

    Examples
    --------
    >>> scores_of({"b": {"t": 1}, "a": {"t": [0, 0.5]}}, ["a", "b"], ["t"])
    [[0.25], [1.0]]
    """
    scores = []
    rows = _named(found, systems, "train_and_score must return {system: {test set: score}}")
    for system, row in zip(systems, rows, strict=True):
        cells = _named(row, test_sets, f"system {system!r} must have {{test set: score}}")
        scores.append(
            [
                _score(cell, f"system {system!r} on test set {name!r}")
                for name, cell in zip(test_sets, cells, strict=True)
            ]
        )
    return scores


def _named(found: object, names: Sequence[str], expected: str) -> list[Any]:
    if not isinstance(found, Mapping):
        kind = "None" if found is None else f"{type(found).__name__}"
        raise InputError(f"{expected}, found {kind}")
    if set(found) != set(names):
        raise InputError(f"{expected} for {first_few(names)}, found {first_few(found)}")
    return [found[name] for name in names]


def _score(value: object, what: str) -> float:
    if isinstance(value, numbers.Real):
        score = float(value)
    else:
        try:
            array = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{what}: expected a number, found {shortened(repr(value))}") from None
        if not array.size:
            raise InputError(f"{what}: found no score of any item")
        if not np.isfinite(array).all():
            raise InputError(f"{what}: found a score that is not finite")
        score = mean(array.ravel().tolist())
    if not np.isfinite(score):
        raise InputError(f"{what}: found {score}, expected a finite number")
    return score
