"""Processes of their own, which find the same csig."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import csig

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and pipes")

#: What ends as the command line does.
MAIN = "\nfrom csig.cli import main\nmain()"


def python(
    code: str,
    *arguments: object,
    flags: Sequence[str] = (),
    paths: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    **options: Any,
) -> subprocess.CompletedProcess[str]:
    """Run some lines of Python; folders may go before all others where modules are looked for."""
    found = [*paths, str(Path(csig.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    python_path = {"PYTHONPATH": os.pathsep.join(filter(None, found)), "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, "-P", *flags, "-c", code, *map(str, arguments)],
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, **python_path, **(env or {})},
        check=False,
        timeout=300,
        **options,
    )


def command_line(code: str, *arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run these lines, and then the command line."""
    return python(code + MAIN, *arguments, **options)
