"""The command line in tests: run it, and read what it prints."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from csig.cli.app import program


def run(*arguments: object, status: int | None = 0, stdin: bytes | None = None) -> str:
    """What a command prints; its status may be any if none is expected."""
    result = CliRunner().invoke(program, list(map(str, arguments)), input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "Traceback" not in result.output
    assert status in (None, result.exit_code), result.output
    return result.output


def both(*arguments: object, status: int = 0) -> tuple[str, str]:
    """What a command prints on standard output, and on standard error."""
    # Until click 8.2 a runner mixes them unless it is told not to.
    separate: dict[str, Any] = {"mix_stderr": False}
    known = "mix_stderr" in inspect.signature(CliRunner).parameters
    result = CliRunner(**separate if known else {}).invoke(program, list(map(str, arguments)))
    assert result.exit_code == status, result.output
    return result.stdout, result.stderr


def words(*arguments: object, **options: Any) -> str:
    """The same on one line, as lines may be broken anywhere."""
    return " ".join(run(*arguments, **options).split())


def record(*arguments: object, **options: Any) -> dict[str, Any]:
    """What a command writes as JSON."""
    found = json.loads(run(*arguments, "--json", "-", **options))
    assert isinstance(found, dict)
    return found


def refused(*arguments: object, **options: Any) -> str:
    """The one line that an error prints."""
    output = run(*arguments, status=2, **options)
    assert output.startswith("csig: ")
    assert output.count("\n") == 1
    return output


def write(name: str, *lines: str) -> str:
    """A file of these lines."""
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return name
