"""Arguments that several functions check."""

from __future__ import annotations

import numbers
import operator
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeVar, get_args

from csig.base.errors import InputError
from csig.base.wording import first_few, listed, perhaps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from concurrent.futures import Executor

T = TypeVar("T")
F = TypeVar("F", bound="Callable[..., object]")

#: scipy's words, of A minus B.
Alternative = Literal["two-sided", "less", "greater"]
ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)

#: How a randomization test finds its p-value.
Method = Literal["auto", "exact", "certified", "approximate", "yeh2000"]
METHODS: tuple[Method, ...] = get_args(Method)

#: What a randomization test compares with that of its shuffles.
Statistic = Literal["difference", "studentized", "auto"]
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)


def as_integer(value: object) -> int | None:
    """The value of anything that is an integer, numpy's included; None for the rest."""
    if type(value) is int:  # at once: a look at a protocol takes ten times as long
        return value
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return operator.index(value)
    except TypeError:  # an array of several numbers has __index__, but no value
        return None


def shown(value: object) -> str:
    """A value as it is written, but for integers of more digits than Python writes."""
    try:
        return repr(value)
    except ValueError:
        return "one of too many digits"


def positive(name: str, value: object, limit: int = 2**62) -> int:
    """An integer from 1."""
    number = as_integer(value)
    if number is None or not 1 <= number <= limit:
        raise InputError(f"{name} must be an integer from 1 to {limit}, found {shown(value)}")
    return number


def between(name: str, value: float, low: float = 0, high: float = 1) -> float:
    """A number that lies between two others and is neither."""
    within = isinstance(value, numbers.Real) and low < value < high
    if not within or not low < float(value) < high:  # as a double it may be one of the ends
        raise InputError(f"{name} must lie between {low} and {high}, found {shown(value)}")
    return float(value)


def one_of(name: str, value: object, possible: Sequence[str]) -> None:
    """One of some words."""
    if not isinstance(value, str) or value not in possible:
        raise InputError(
            f"{name} must be one of {first_few(possible, 12)}, found {shown(value)}"
            f"{perhaps(value, possible)}"
        )


def check_alternative(alternative: object) -> Alternative:
    """One of scipy's three words."""
    if not isinstance(alternative, str) or alternative not in ALTERNATIVES:
        raise InputError(
            f"alternative must be 'two-sided', 'less' or 'greater', found {alternative!r}"
            f"{perhaps(alternative, ALTERNATIVES)}"
        )
    return alternative


def checked(
    alternative: object = "two-sided",
    confidence_level: Any = 0.95,
    method: str = "",
    continuity: object = False,
    **others: Any,
) -> None:
    """The options that tests have in common; others are (word, possible words) or flags."""
    check_alternative(alternative)
    between("confidence_level", confidence_level)
    for name, value in (others | {"continuity": continuity}).items():
        if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], tuple):
            one_of(name, *value)
        elif type(value).__name__ not in ("bool", "bool_"):  # Python's, and numpy's
            raise InputError(f"{name} must be True or False, found {shown(value)}")
    if continuity and method != "asymptotic":
        raise InputError("continuity: only method='asymptotic' is corrected for continuity")


def check_zero_division(value: object) -> int:
    """The score where a denominator is zero."""
    number = as_integer(value)
    if number not in (0, 1):
        raise InputError(f"zero_division must be 0 or 1, found {shown(value)}")
    return number


def instance(name: str, value: object, kind: type[T]) -> T:
    """An object of one of csig's classes."""
    if not isinstance(value, kind):
        way = "; make one with csig.Comparison.from_scores(a, b)" if name == "comparison" else ""
        raise InputError(
            f"{name} must be a csig.{kind.__name__}, found {type(value).__name__}{way}"
        )
    return value


def check_executor(executor: object) -> Executor | None:
    """None, or what is an executor."""
    if executor is None:
        return None
    from concurrent.futures import Executor  # not for everybody who imports csig

    if isinstance(executor, Executor):
        return executor
    way = "; give client.get_executor()" if hasattr(executor, "get_executor") else ""  # dask's
    raise InputError(
        f"executor must be a concurrent.futures.Executor, found {type(executor).__name__}{way}"
    )


#: What arguments are called elsewhere, and here.
MEANT = {
    "seed": "rng", "resamples": "n_resamples", "gold_column": "gold", "system": "systems",
    "ids": "id", "clusters": "cluster", "dataset": "datasets", "cluster": "datasets",
    "level": "confidence_level", "confidence": "confidence_level",
}  # fmt: skip


def no_argument(function: str, name: str, known: Iterable[str]) -> TypeError:
    """What to say of an argument that there is not."""
    known, word = list(known), MEANT.get(name)
    while word is not None and word not in known:  # what it is called here
        word = MEANT.get(word)
    hint = perhaps(name, known) if word is None else f" (did you mean {word!r}?)"
    return TypeError(f"{function}() has no argument {name!r}{hint}")


def public(space: str) -> Callable[[F], F]:
    """A function that is called in this space, and says so of arguments that it does not have, and
    of those that it lacks.
    """

    def checking(function: F) -> F:
        code = function.__code__
        known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        optional = len(getattr(function, "__defaults__", None) or ())
        needed = known[: code.co_argcount - optional]
        called = f"{space}.{function.__name__}"

        @wraps(function)
        def call(*arguments: object, **options: object) -> object:
            for name in options:
                if name not in known:
                    raise no_argument(called, name, known)
            missing = [name for name in needed[len(arguments) :] if name not in options]
            if missing:
                raise TypeError(
                    f"{called}() lacks {listed([repr(name) for name in missing])}: call it as "
                    f"{called}({', '.join(needed)})"
                )
            return function(*arguments, **options)

        return call  # type: ignore[return-value]

    return checking
