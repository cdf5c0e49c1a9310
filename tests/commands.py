"""The command line in tests: run it, and read what it prints."""

import inspect
import json
import shlex
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
    assert status in (None, result.exit_code), f"{shlex.join(map(str, arguments))}: {result.output}"
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


def said_beside(*arguments: object, status: int = 0) -> dict[str, list[str]]:
    """The cautions and notes of a report, a line each."""
    found: dict[str, list[str]] = {"cautions": [], "notes": []}
    for line in both(*arguments, "-f", "csv", status=status)[1].splitlines():
        for word, lines in found.items():
            head = f"csig: {word[:-1]}: "
            lines += [line.removeprefix(head)] if line.startswith(head) else []
    return found


def refused(*arguments: object, **options: Any) -> str:
    """What an error prints: one line, and below it the commands that read the input."""
    output = run(*arguments, status=2, **options)
    first, *commands = output.splitlines()
    assert first.startswith("csig: ")
    assert all(command.startswith("  csig ") for command in commands), output
    return output


def printed(output: str) -> list[tuple[str, ...]]:
    """The commands below the line of an error, as arguments."""
    return [tuple(shlex.split(line, comments=True)[1:]) for line in output.splitlines()[1:]]


def followed(*arguments: object, most: int = 3) -> int:
    """Run a command, and every command that its refusal prints: each is accepted, or refused again.

    How many are accepted. At most `most` refusals come one after the other, and each has commands.
    """
    waiting = [tuple(map(str, arguments))]
    seen, accepted = set(waiting), 0
    for _ in range(most + 1):
        more = []
        for words in waiting:
            output = run(*words, status=None)
            if not output.startswith("csig: "):
                accepted += 1
                continue
            own = [command for command in printed(output) if command not in seen]
            assert printed(output), f"{shlex.join(words)}: {output}"
            seen.update(own)
            more += own
        waiting = more
    assert not waiting, f"more than {most} refusals: {waiting}"
    return accepted


def options_of(keywords: dict[str, Any]) -> list[str]:
    """Keywords of csig.read as options of a command."""
    found = []
    called = {"systems": "system", "gold": "gold-column"}
    for name, value in keywords.items():
        option = f"--{called.get(name, name).replace('_', '-')}"
        if name == "field":
            value = [f"{column}={own}" for column, own in value.items()]
        if name == "allow_missing":
            value = "intersection"
        if name == "header":
            found.append("--header" if value else "--no-header")
        elif value is True:
            found.append(option)
        else:
            several = value if isinstance(value, (list, tuple)) else [value]
            found += [str(part) for one in several for part in (option, one)]
    return found


def write(name: str, *lines: str) -> str:
    """A file of these lines."""
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return name
