"""The errors that csig raises."""

from __future__ import annotations

import re
import shlex
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from types import FrameType

#: The most characters of a cell or line that a message quotes.
LONGEST_QUOTE = 200

#: The longest message, whatever is in it: a system's name may be a megabyte too.
LONGEST = 2_000

#: Where something quoted may begin, rather than end; and up to where it ends.
_OPENING = re.compile(r"""(?:^|(?<=[\s(\[{,=:]))['"]""")
_CLOSING = {
    mark: re.compile(rf"[^{mark}\\]*(?:\\.[^{mark}\\]*)*{mark}", re.DOTALL) for mark in "'\""
}

#: What messages call arguments in Python; None where they name the command line's options.
_called: ContextVar[Mapping[str, str] | None] = ContextVar("_called", default=None)

#: What options of the command line are called in Python, where the name is another.
_CALLED = {
    "allow_missing": "allow_missing=True",
    "confidence": "confidence_level",
    "dataset": "datasets",
    "gold_column": "gold",
    "no_header": "header=False",
    "resamples": "n_resamples",
    "seed": "rng",
    "system": "systems",
}


@contextmanager
def in_python(**called: str) -> Iterator[None]:
    """Name arguments in here as csig.compare has them in Python, but for some."""
    token = _called.set(_CALLED | called)
    try:
        yield
    finally:
        _called.reset(token)


def naming() -> Callable[[], AbstractContextManager[None]]:
    """What makes a context in which messages name arguments as they do now."""
    called = _called.get()
    return nullcontext if called is None else partial(in_python, **called)


def argument(name: str, *values: str) -> str:
    """An argument, with the values that it might be given, as a message names it."""
    names = _called.get()
    if names is None:
        short = (v if len(v) <= LONGEST_QUOTE else f"{v[:LONGEST_QUOTE]}..." for v in values)
        return " ".join([f"--{name.replace('_', '-')}", *short])
    called = names.get(name, name)
    if "=" in called and values in ((), ("intersection",)):
        return called
    called = called.partition("=")[0]
    if not values:
        return f"{called}="
    return f"{called}={values[0]!r}" if len(values) == 1 else f"{called}={list(values)}"


class InputError(ValueError):
    """An input that csig cannot use.

    The message is one line: the file and line, or the argument and index, what was
    found there and what was expected. The command line prints it and exits with
    status 2. What it quotes is cut at 200 characters.
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(shortened(clean(str(message))))


@dataclass(frozen=True)
class Remedy:
    """Options with which an input is read that is refused without them."""

    #: As the command line has them: ``("--cluster", "repo")``.
    options: tuple[str, ...] = ()
    #: What they do, where there is a choice.
    why: str = ""
    #: The command that can read it, if it is another one: ``"datasets"``.
    verb: str | None = None
    #: Given options that these take the place of.
    without: tuple[str, ...] = ()

    def __str__(self) -> str:
        way = pasteable(self.options)
        if _called.get() is not None:
            given: dict[str, list[str]] = {}
            name = ""
            for word in self.options:
                if word.startswith("--"):
                    name = word.removeprefix("--").replace("-", "_")
                    given.setdefault(name, [])
                else:
                    given[name].append(word)
            way = ", ".join(
                argument(name, *values) if values or name in _CALLED else f"{name}=True"
                for name, values in given.items()
            )
        verb = f"csig {self.verb}" if self.verb else ""
        why = f"({self.why})" if self.why else ""
        return " ".join(filter(None, [verb, way, why]))


class Refusal(InputError):
    """An input that can be read once somebody says how."""

    # The command line prints what was found, and for each remedy the whole command to paste; the
    # text of the error names the options.

    def __init__(self, found: str, *remedies: Remedy) -> None:
        # What is cut cannot be pasted: such a remedy helps nobody.
        remedies = tuple(
            replace(remedy, why=clean(remedy.why))
            for remedy in remedies
            if all(len(word) <= LONGEST_QUOTE for word in remedy.options)
        )
        self.found, self.remedies = shortened(clean(found)), remedies
        ways = " or ".join(map(str, remedies))
        super().__init__(f"{found}; give {ways}" if ways else found)


class DataWarning(UserWarning):
    """A doubt about data that :func:`csig.compare` was given.

    The result has all of them, as `doubts`; to make an error of them:
    ``warnings.simplefilter("error", csig.DataWarning)``.
    """


def warn(message: str, category: type[Warning] = DataWarning) -> None:
    """Warn whoever called csig, however many functions lie between."""
    frame: FrameType | None = sys._getframe()
    level = 0
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "csig":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level + 1)


class NoInterval(InputError):
    """The data are sound, but an interval of this kind cannot be given for them.

    The message says why. Reports print it where the interval would stand; `why` is it without the
    remedy.
    """

    def __init__(self, message: object = "", remedy: str = "") -> None:
        super().__init__(f"{message}; {remedy}" if remedy else message)
        self.why = shortened(clean(str(message)))


def clean(name: str) -> str:
    """A name without anything that could move a cursor or break a line."""
    if name.isprintable():
        return name
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name
    )


def pasteable(words: Iterable[str]) -> str:
    """Words as a shell takes them; in $'...', and as bytes, what does not print."""
    return " ".join(
        shlex.quote(word)
        if word.isprintable()
        else "$'" + "".join(map(_in_bytes, word)).replace("'", r"\'") + "'"
        for word in words
    )


def _in_bytes(letter: str) -> str:
    if letter.isprintable() and letter != "\\":
        return letter
    undecoded = "\udc80" <= letter <= "\udcff"  # a byte of a file's name that is no UTF-8
    encoded = letter.encode("utf-8", "surrogateescape" if undecoded else "surrogatepass")
    return "".join(f"\\x{byte:02x}" for byte in encoded)


def shortened(message: str) -> str:
    """A message in which nothing quoted is longer than 200 characters, and that is short itself."""
    if len(message) <= LONGEST_QUOTE:
        return message
    parts, done, at = [], 0, 0
    while (opening := _OPENING.search(message, at)) is not None:
        at = opening.end()
        closing = _CLOSING[message[at - 1]].match(message, at)
        # What was cut before stays as it is.
        if closing is not None and closing.end() - 1 - at > LONGEST_QUOTE + len("..."):
            kept = message[done : at + LONGEST_QUOTE].rstrip("\\")  # no half of an escape
            size = closing.end() - 1 - at
            parts += [kept, "...", message[at - 1], f" ({size:,} characters)"]
            at = done = closing.end()
    text = "".join([*parts, message[done:]])
    if len(text) <= LONGEST:
        return text
    head, tail = LONGEST * 3 // 4, LONGEST // 4  # the way out is at the end
    return f"{text[:head]} ... ({len(text) - LONGEST:,} characters more) ... {text[-tail:]}"
