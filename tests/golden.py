"""What the tables of commands beside these tests are written in."""

import re
from collections.abc import Iterator

from places import ROOT


def table(name: str, folder: str = "cli") -> list[str]:
    """The lines of a file beside the tests that say something."""
    text = (ROOT / "tests" / folder / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line]


def lines_of(text: str) -> Iterator[str]:
    """The lines of a file: `⏎` ends one, `⇥` is a tab, and `×9 q{i}` are nine."""
    for line in text.replace("⇥", "\t").split("⏎") if text else ():
        times, form = re.fullmatch(r"(?:×(\d+) )?(.*)", line).groups()  # type: ignore[union-attr]
        for i in range(int(times or 1)):
            # Only what reckons with i; the forms stand in the file beside this one.
            parts = re.split(r"(\{[^{}\"]*\bi\b[^{}\"]*\})", form) if times else [form]
            parts[1::2] = (eval(f'f"{own}"', {"i": i}) for own in parts[1::2])
            yield "".join(parts)


def file_in(line: str) -> tuple[str, str]:
    """A file's name and text, of a line that has both."""
    name, _, text = line.partition(": ")
    return name, "".join(f"{own}\n" for own in lines_of(text))
