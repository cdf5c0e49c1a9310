"""Files of expressions and of what they print, beside the tests that have their names.

An expression stands behind ``>>> ``, what it prints below it; lines that begin with ``# `` are
headings. Escapes of colours are written ⟨1;32⟩, the version of csig is VERSION, and
the hash of a signature with it HASH. ``PYTHONPATH=.:tests python`` and the file of a test write its
own anew: read the difference.
"""

import re
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import csig
from csig.base.errors import InputError
from csig.report.document import Document
from csig.report.rendering import Rendering, render


def expected(path: Path) -> list[Any]:
    """Expressions and what they print, as cases of a test."""
    text = re.sub(r"^# .*\n", "", path.read_text("utf-8"), flags=re.MULTILINE)
    pairs = (own.partition("\n") for own in text.split(">>> ")[1:])
    return [pytest.param(own, printed.strip("\n"), id=own) for own, _, printed in pairs]


def sections(path: Path) -> list[Any]:
    """The same by headings: one case has all pairs below one."""
    parts = re.split(r"(?m)^# (.*)\n", f"# all\n{path.read_text('utf-8')}")[1:]
    found = {
        heading: [
            (own, text.strip("\n"))
            for own, _, text in (part.partition("\n") for part in below.split(">>> ")[1:])
        ]
        for heading, below in zip(parts[::2], parts[1::2], strict=True)
    }
    return [pytest.param(cases, id=heading) for heading, cases in found.items() if cases]


def otherwise(cases: list[tuple[str, str]], names: Mapping[str, Any]) -> list[str]:
    """Expressions that print something else than is expected, each with what."""
    found = ((own, text, printed(own, names)) for own, text in cases)
    return [f">>> {own}\n{other}" for own, text, other in found if other != text]


def printed(expression: str, names: Mapping[str, Any]) -> str:
    """Texts and documents as they are, lists line by line, else ``repr``; or why it is refused."""
    try:
        found = eval(expression, dict(names))
    except InputError as error:
        found = f"{type(error).__name__}: {error}"
        assert "\n" not in found
    if isinstance(found, Document):
        found = render(found, "text", Rendering())
    elif isinstance(found, list):
        found = "\n".join(map(str, found))
    elif not isinstance(found, str):
        found = str(found) if repr(found) == str(found) else f"{found!r}\n{found}"
    text = re.sub("\x1b\\[([0-9;]*)m", r"⟨\1⟩", found).strip("\n")
    text = text.replace(csig.__version__, "VERSION")
    return re.sub("^(csig VERSION · .*)[0-9a-f]{10}$", r"\1HASH", text, flags=re.MULTILINE)


def rewrite(path: Path, names: Mapping[str, Any], folder: bool = False) -> None:
    """Write it anew, with the same expressions, in a folder of their own if they write files."""
    path, parts = path.resolve(), []
    with TemporaryDirectory() as own, chdir(own if folder else "."):
        for line in path.read_text("utf-8").splitlines():
            if line.startswith(">>> "):
                parts.append(f"{line}\n{printed(line[4:], names)}")
            elif line.startswith("# "):
                parts.append(line)
    path.write_text("\n\n".join(parts) + "\n", "utf-8")
