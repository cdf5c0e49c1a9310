"""The program and its way of failing: one line on stderr, never a traceback."""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from csig._version import __version__
from csig.base.errors import InputError, Refusal, Remedy, pasteable, shortened
from csig.base.wording import clean, perhaps
from csig.cli import signals
from csig.cli.help import examples_of, folded, listing

#: The shell's status for a program whose reader has gone: 1 means that something differs or fails.
CLOSED = 128 + 13


class _Failure(click.ClickException):
    """What is wrong with the input or the output, and the commands to paste that read it."""

    def __init__(self, error: object, status: int = 2) -> None:
        super().__init__(error.found if isinstance(error, Refusal) else str(error))
        self.status = status
        self.remedies = error.remedies if isinstance(error, Refusal) else ()


def _unwritten(error: OSError) -> click.ClickException | click.exceptions.Exit:
    """How to end when standard output takes no more."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # the interpreter's last flush
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if error.errno == errno.EPIPE:  # the reader, "head" say, has seen enough
        return click.exceptions.Exit(CLOSED)
    return _Failure(f"the output cannot be written ({error.strerror})")


def _with_remedy(given: Sequence[str], remedy: Remedy) -> str:
    """The command that was given, with the options of a remedy."""
    verb, *words = given
    kept: list[str] = []
    if verb not in COMMANDS:  # what was given begins with a file
        kept += given
    elif remedy.verb is not None and (verb, remedy.verb) != ("describe", "compare"):
        # Another command has other options: only the files are the same.
        command = program.get_command(click.Context(program), verb)
        assert command is not None
        values, *_ = command.make_parser(click.Context(command)).parse_args(words)
        for argument in command.params:
            if isinstance(argument, click.Argument):
                files = values[argument.name or ""]
                kept += [files] if argument.nargs == 1 else files
    else:
        for word in words:
            if kept and kept[-1] in remedy.without:
                kept.pop()
            elif word.partition("=")[0] not in remedy.without or "=" not in word:
                kept.append(word)
    end = kept.index("--") if "--" in kept else len(kept)  # beyond it all words are files
    return pasteable(("csig", remedy.verb or verb, *kept[:end], *remedy.options, *kept[end:]))


#: The commands and what they do.
COMMANDS = {
    "compare": "Test whether systems differ on some metric.",
    "interval": "Intervals for scores and their differences.",
    "systems": "Rank many systems and test all pairs.",
    "datasets": "Compare systems over many data sets.",
    "rank": "Compare ranking methods by their n best.",
    "recommend": "Say which test is sound, and which are not.",
    "plan": "Power, or the items that an evaluation needs.",
    "train": "How much scores depend on the training data.",
    "describe": "Say what files hold and how csig reads them.",
    "convert": "Write the statistics of units as a table.",
    "gate": "Pass a system that is not worse by a margin.",
    "audit": "Check a comparison and record it.",
    "verify": "Reproduce an audit from its record.",
    "demo": "Compare two systems on bundled files.",
}

#: The modules of commands that are not called the same; each is imported when it is called for.
_MODULES = {"interval": "compare", "describe": "files", "convert": "files", "demo": "files"}
_MODULES |= {"audit": "audits", "verify": "audits"}


#: What options of earlier versions are called.
_CALLED = {
    "--confidence": ("--pvalue-confidence", "--confidence-level"),
    "--interval-level": ("--confidence-level",),
    "--level": ("--confidence-level",),
}


class Program(click.Group):
    """A group of commands whose every error is one line, and below it commands to paste."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in the order in which one needs them."""
        return list(COMMANDS)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One screen, for which no command is imported."""
        width = formatter.width
        said = (self.help or "").split("\n\n")
        blocks = [["Usage: csig COMMAND [OPTIONS] [FILES]"]]
        blocks += [folded(" ".join(part.split()), width) for part in said]
        blocks.append(examples_of(self, width))
        blocks.append(["Commands:", *listing([*COMMANDS.items()], width, 13)])
        blocks.append(folded("csig COMMAND --help shows examples and options.", width))
        formatter.write("\n\n".join("\n".join(lines) for lines in blocks) + "\n")

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called for; what may have been meant, where there is none."""
        name = args[0]
        if name == "help":  # "csig help compare" is "csig compare --help"
            args = [*args[1:2], "--help"]
            if len(args) == 1:
                return name, self, args
            name = args[0]
        if name not in COMMANDS and not ctx.resilient_parsing and not name.startswith("-"):
            if os.path.isfile(name):
                raise _Failure(Refusal(f"no command before {name!r}", Remedy(verb="compare")))
            raise click.UsageError(f"No such command {name!r}{perhaps(name, COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands, without importing them, and the options before them."""
        found = [
            CompletionItem(name, help=text)
            for name, text in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        """Read the options; --help and --version print at once."""
        try:
            return super().make_context(*args, **options)
        except OSError as error:
            raise _unwritten(error) from None

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        try:
            module = importlib.import_module(f"csig.cli.{_MODULES.get(cmd_name, cmd_name)}")
        except (ImportError, KeyboardInterrupt) as error:
            raise self._failed(error) from None
        command: click.Command = getattr(module, cmd_name)
        return command

    def _failed(self, error: BaseException) -> click.ClickException:
        """An error as a message; an import that a signal ended may seem to have failed."""
        status = signals.end_of(error)
        return _Failure(error) if status is None else _Failure("interrupted", status)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; turn what can go wrong into a message."""
        try:
            result = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()
        except (InputError, ImportError, KeyboardInterrupt) as error:
            # To import fails where CSIG_ISA is not here, or sources are not compiled.
            raise self._failed(error) from None
        except MemoryError:
            raise _Failure("not enough memory for this comparison") from None
        except OSError as error:
            raise _unwritten(error) from None
        return result

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Parse, run and exit."""
        for stream in (sys.stdout, sys.stderr):  # what an encoding lacks must not end a run
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")

        def run() -> Any:
            return super(Program, self).main(
                args, prog_name or "csig", complete_var, standalone_mode=False, **extra
            )

        if not standalone_mode:
            return run()
        try:
            status = run()
        except click.ClickException as error:
            with contextlib.suppress(OSError, ValueError, AttributeError):
                sys.stdout.flush()  # what was printed comes first
            # On one line; after a mistake in the options, with where to look.
            message = error.format_message()
            context = error.ctx if isinstance(error, click.UsageError) else None
            if isinstance(error, click.NoSuchOption) and context is not None:
                options = context.command.get_params(context)
                known = [name for own in options for name in (*own.opts, *own.secondary_opts)]
                likely = [name for name in _CALLED.get(error.option_name, ()) if name in known]
                hint = perhaps(error.option_name, known, quote=False)
                if likely:
                    hint = f" (did you mean {' or '.join(likely)}?)"
                message = f"No such option {error.option_name!r}{hint}"
            if context is not None:
                message = f"{message.removesuffix('.')}; try '{context.command_path} --help'"
            message = clean(shortened(" ".join(message.split())))
            click.echo(f"{self.name}: {message}", err=True)
            remedies = getattr(error, "remedies", ())
            given = list(sys.argv[1:] if args is None else args)
            lines = [(_with_remedy(given, remedy), remedy.why) for remedy in remedies]
            width = max((len(words) for words, _ in lines), default=0)
            for words, why in lines:
                aligned = width if why and width + len(why) < 110 else 0
                click.echo(f"  {words:{aligned}}" + (f"  # {why}" if why else ""), err=True)
            status = getattr(error, "status", error.exit_code)
        except click.Abort as error:
            click.echo(f"{self.name}: interrupted", err=True)
            status = signals.end_of(error.__cause__) or 130
        except Exception:  # Python would end with 1, which is what a check that fails says
            traceback.print_exc()
            click.echo(f"{self.name}: this is a mistake in csig; please report it", err=True)
            status = 2
        sys.exit(status if isinstance(status, int) else 0)


@click.group(
    cls=Program,
    name="csig",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: csig compare scores.csv --system base --system new --cluster task",
)
@click.version_option(__version__, "--version", prog_name="csig", message="%(prog)s %(version)s")
@click.pass_context
def program(ctx: click.Context) -> None:
    """Is the difference between two systems real? Tests by randomization (Yeh 2000)."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
