"""Functions that train and score, which other processes find too."""

import os
import signal
from pathlib import Path
from typing import Any

SYSTEMS = ("mean", "median")
TESTS = {"near": [3.0, 4.0, 5.0, 6.0], "far": [9.0, 14.0]}


def train_and_score(training: Any, tests: dict[str, Any]) -> dict[str, dict[str, float]]:
    """How far two estimates of the middle of some numbers are from others."""
    numbers = sorted(float(x) for x in training)
    models = {"mean": sum(numbers) / len(numbers), "median": numbers[len(numbers) // 2]}
    return {
        name: {test: -sum(abs(x - model) for x in data) for test, data in tests.items()}
        for name, model in models.items()
    }


def failing(training: Any, tests: dict[str, Any]) -> dict[str, dict[str, float]]:
    """The same, but for samples with a certain number."""
    if 13 in list(training):
        raise ValueError("there is\na 13")
    return train_and_score(training, tests)


def lines_in(path: str) -> int:
    return Path(path).read_bytes().count(b"\n") if os.path.exists(path) else 0


def dying(ledger: str, after: int) -> Any:
    """The same, in a process that is killed as soon as the ledger has so many results."""

    def function(training: Any, tests: dict[str, Any]) -> dict[str, dict[str, float]]:
        if lines_in(ledger) > after:
            os.kill(os.getpid(), signal.SIGKILL)
        return train_and_score(training, tests)

    return function


def ending_worker(training: Any, tests: dict[str, Any]) -> dict[str, dict[str, float]]:
    """The same in a worker that is killed at a certain number."""
    if 13 in list(training):
        os.kill(os.getpid(), signal.SIGKILL)
    return train_and_score(training, tests)
