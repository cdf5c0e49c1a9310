"""Executors of the tests' own: what is sent to workers, in which order, and what goes wrong."""

import pickle
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class Wire(Executor):
    """Runs at once what it is given, after a way through pickle; keeps what was sent."""

    _max_workers = 2

    def __init__(self) -> None:
        self.sent: list[int] = []
        self.blocks: list[tuple[int, ...]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            data = pickle.dumps((fn, args))
            self.sent.append(len(data))
            self.blocks.append(args[2])
            future.set_result(pickle.loads(pickle.dumps(self.run(*pickle.loads(data)))))
        except Exception as error:
            future.set_exception(error)
        return future

    def run(self, fn: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        return fn(*args)


class Backwards(Wire):
    """Runs the newest first, as soon as three are under way or all chunks were given."""

    _max_workers = 1

    def __init__(self, chunks: int) -> None:
        super().__init__()
        self.chunks = chunks
        self.waiting: list[tuple[Future[Any], Any, Any]] = []
        self.order: list[int] = []
        self.running = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.waiting.append((future, fn, args))
        self.chunks -= args[2][2]
        while self.waiting and (len(self.waiting) == 3 or not self.chunks or self.running):
            self.running = True
            own, fn, args = self.waiting.pop()
            self.order.append(args[2][1])
            own.set_result(fn(*args))
        self.running = False
        return future


class Failing(Wire):
    """Fails at some submissions, by their numbers from 0."""

    def __init__(self, errors: dict[int, Exception]) -> None:
        super().__init__()
        self.errors = errors
        self.calls = 0

    def run(self, fn: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        self.calls += 1
        if self.calls - 1 in self.errors:
            raise self.errors[self.calls - 1]
        return fn(*args)
