"""The errors that csig raises."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace

__all__ = ["DataWarning", "InputError", "NoInterval", "Refusal", "Remedy", "clean", "shortened"]

#: The most characters of a cell or line that a message quotes.
LONGEST_QUOTE = 200

#: The longest message, whatever is in it: a system's name may be a megabyte too.
LONGEST = 2_000

#: Where something quoted may begin, rather than end; and up to where it ends.
_OPENING = re.compile(r"""(?:^|(?<=[\s(\[{,=:]))['"]""")
_CLOSING = {
    mark: re.compile(rf"[^{mark}\\]*(?:\\.[^{mark}\\]*)*{mark}", re.DOTALL) for mark in "'\""
}


class InputError(ValueError):
    """An input that csig cannot use.

    The message is one line: the file and line, or the argument and index, what was
    found there and what was expected. The command line prints it and exits with
    status 2. What it quotes is cut at 200 characters.
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(shortened(str(message)))


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


class Refusal(InputError):
    """An input that can be read once somebody says how.

    The command line prints what was found, and for each remedy the whole command to paste; the
    text of the error names the options.
    """

    def __init__(self, found: str, *remedies: Remedy) -> None:
        # What is cut cannot be pasted: such a remedy helps nobody.
        remedies = tuple(
            replace(own, why=clean(own.why))
            for own in remedies
            if all(len(word) <= LONGEST_QUOTE for word in own.options)
        )
        self.found, self.remedies = shortened(found), remedies
        ways = [
            " ".join(
                filter(None, [own.verb and f"csig {own.verb}", shlex.join(map(clean, own.options))])
            )
            + (f" ({own.why})" if own.why else "")
            for own in remedies
        ]
        super().__init__(f"{found}; give {' or '.join(ways)}" if ways else found)


class DataWarning(UserWarning):
    """A doubt about data that :func:`csig.compare` was given.

    The result has all of them, as `doubts`; to make an error of them:
    ``warnings.simplefilter("error", csig.DataWarning)``.
    """


class NoInterval(InputError):
    """The data are sound, but an interval of this kind cannot be given for them.

    The message says why. Reports print it where the interval would stand.
    """


def clean(name: str) -> str:
    r"""A name without anything that could move a cursor or break a line.

    >>> clean("two\nlines \x1b[31m")
    'two\\nlines \\x1b[31m'
    """
    if name.isprintable():
        return name
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name
    )


def shortened(message: str) -> str:
    """A message in which nothing quoted is longer than 200 characters, and that is short itself.

    >>> shortened(f"found {'x' * 1000!r}, expected a label")[-50:]
    "xxxxxxx...' (1,000 characters), expected a label"
    """
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
    found = "".join([*parts, message[done:]])
    if len(found) <= LONGEST:
        return found
    head, tail = LONGEST * 3 // 4, LONGEST // 4  # the way out is at the end
    return f"{found[:head]} ... ({len(found) - LONGEST:,} characters more) ... {found[-tail:]}"
