"""Documents on standard output, in the format that was asked for; files beside it, and inputs."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click
from click.core import ParameterSource

from csig.base.disk import sync_folder
from csig.base.errors import InputError
from csig.base.wording import clean
from csig.cli.options import end, metric_names
from csig.comparing.options import Options
from csig.report.document import Document
from csig.report.rendering import Format, Rendering, of_latex, render

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from matplotlib.figure import Figure


_T = TypeVar("_T")

#: Columns when the output goes to a file or a pipe and nobody said how many.
PIPED_WIDTH = 100

#: A terminal that says it has fewer columns does not know.
_FEWEST = 20


def width_of(file: TextIO) -> int:
    """The columns of a terminal, 100 for a file or a pipe; COLUMNS decides for both."""
    given = os.environ.get("COLUMNS", "")
    if not file.isatty() and not given.isdigit():
        return PIPED_WIDTH
    try:
        found = int(given) if given.isdigit() else os.get_terminal_size(file.fileno()).columns
    except (OSError, ValueError, AttributeError):  # a stream that stands for a terminal
        found = 80
    return found if found >= _FEWEST else 80


def colourful(file: TextIO) -> bool:
    """Whether a stream shows colours: a terminal, unless NO_COLOR is set or TERM is dumb."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return file.isatty() and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")


def said_beside(cautions: Iterable[str], notes: Iterable[str]) -> None:
    """What a table has no place for, on standard error: one line each."""
    for word, lines in (("caution", cautions), ("note", notes)):
        for line in lines:
            click.echo(f"csig: {word}: {clean(line)}", err=True)


def print_document(
    document: Document, format: Format = "text", options: Rendering | None = None
) -> None:
    """Print a document; nothing where standard output is closed.

    Text is as wide as the terminal, with colours if it has some; everything else is UTF-8, the same
    wherever it goes. With CSV, which is a table alone, doubts and notes go to standard error.
    """
    file = sys.stdout
    if file is None:
        return
    options = options or Rendering()
    if format != "text":
        write_stdout(render(document, format, options).encode("utf-8", "replace"))
        if format == "csv":
            said_beside(document.doubts, document.notes)
        return
    colour = colourful(file)
    options = replace(options, width=width_of(file), colour=colour)
    try:
        options.between.encode(file.encoding or "utf-8")
    except UnicodeEncodeError:
        options = replace(options, between=" | ")
    click.echo(render(document, "text", options), nl=False, color=colour)


def asked_to_draw(**given: object) -> list[str]:
    """The options of what is drawn that somebody gave: their names."""
    return [f"--{name.replace('_', '-')}" for name, value in given.items() if value is not None]


def check_given(known: set[str], option: str) -> None:
    """Refuse what was given and does not go with an option."""
    context = click.get_current_context()
    for own in context.command.get_params(context):
        name = own.name or ""
        asked = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        # No files at all are given, say old versions.
        if asked and context.params.get(name) != () and name not in known:
            is_argument = isinstance(own, click.Argument)
            word = own.human_readable_name if is_argument else max(own.opts, key=len)
            raise click.UsageError(f"{word} does not go with {option}")


def options_of(options: dict[str, Any], **own: Any) -> Options:
    """What was asked of a test or an interval, taken out of a command's options."""
    given = {f.name: options.pop(f.name) for f in fields(Options) if f.name in options}
    given["metrics"] = metric_names(given["metrics"])
    given["zero_division"] = int(given["zero_division"])
    return Options(**{"alternative": "two-sided", "method": "auto"} | given | own)


@dataclass(frozen=True, kw_only=True)
class Output:
    """What is printed, written and drawn."""

    output_format: Format = "text"
    explain: bool = False
    cite: bool = False
    signature: bool = False
    caption: str | None = None
    label: str | None = None
    json_path: str | None = None
    plot_path: str | None = None
    plot_kind: str | None = None
    strict: bool = False

    @classmethod
    def taken(cls, options: dict[str, Any]) -> Output:
        """From a command's options, which are taken out of them."""
        own = cls(**{f.name: options.pop(f.name) for f in fields(cls) if f.name in options})
        if own.plot_kind is not None and own.plot_path is None:
            raise click.UsageError("--plot-kind goes with --plot FILE")
        return own

    def give(
        self,
        make: Callable[[], tuple[_T, Document]],
        inputs: Iterable[str],
        figure_of: Callable[[_T], Figure] | None = None,
        beside: Mapping[str, tuple[str | None, str, Callable[[_T], str]]] | None = None,
    ) -> tuple[_T, Document]:
        """Make a result and its document, print, write and draw them; end with a status of doubts.

        `beside` has further outputs, by their options: the path, what errors call it, and what
        makes the text; one on standard output is all that is printed.
        """
        others = {name: own for name, own in (beside or {}).items() if own[0] is not None}
        paths = {name: path for name, (path, *_) in others.items()}
        distinct({"--json": self.json_path, "--plot": self.plot_path, **paths})
        printed = next((text_of for path, _, text_of in others.values() if path == "-"), None)
        named = of_latex(self.output_format, self.caption, self.label)
        options = replace(named, explain=self.explain, cite=self.cite)
        with ExitStack() as stack:
            picture = record = None
            if self.plot_path is not None and figure_of is not None:
                from csig.report.style import kind_of, need_matplotlib

                kind = kind_of(self.plot_path)
                need_matplotlib()
                picture = stack.enter_context(OutputFile(self.plot_path, inputs, "picture"))
            written = {"--json": self.json_path, **paths}
            option = next((name for name, path in written.items() if path == "-"), "--json")
            if self.signature and written[option] == "-":
                raise click.UsageError(f"--signature prints one line alone; give {option} FILE")
            if sys.stdout is None and {*written.values()} <= {None, "-"}:
                raise click.UsageError(f"standard output is closed; give {option} FILE")
            if self.json_path not in (None, "-"):
                record = stack.enter_context(OutputFile(self.json_path, inputs))
            files = [
                (stack.enter_context(OutputFile(str(path), inputs, what)), text_of)
                for path, what, text_of in others.values()
                if path != "-"
            ]
            found, document = make()
            failures = Failures()
            for file, text_of in files:
                with failures:
                    file.write(text_of(found).encode("utf-8", "replace"))
            if record is not None:
                with failures:  # a disk that is full now does not take the results along
                    record.write(render(document, "json").encode())
            form = "json" if self.json_path == "-" else self.output_format
            if printed is not None:
                with failures:
                    write_stdout(printed(found).encode("utf-8", "replace"))
            elif self.signature:
                click.echo(document.signature)
            else:
                print_document(document, form, options)
            failures.end()
            if picture is not None and figure_of is not None:
                picture.write(picture_of(figure_of(found), kind))
        end(self.strict, document.doubts)
        return found, document


def picture_of(figure: Figure, kind: str) -> bytes:
    """A figure as "png", "svg" or "pdf"; what is to say of it goes to standard error."""
    from csig.report.style import bytes_of

    with warnings.catch_warnings(record=True) as caught:
        data = bytes_of(figure, kind)
    said_beside((), [str(own.message) for own in caught])
    return data


def write_stdout(data: bytes) -> None:
    """Write bytes to stdout, whatever encoding its text has."""
    if sys.stdout is None:
        return
    sys.stdout.flush()
    left = memoryview(data)
    while left:  # unbuffered (PYTHONUNBUFFERED), a part may be written and no error raised
        left = left[sys.stdout.buffer.write(left) :]
    sys.stdout.buffer.flush()


def _is_one_of(path: str, others: Iterable[str]) -> bool:
    for other in others:
        with contextlib.suppress(OSError):
            if os.path.samefile(path, other):
                return True
    return False


def distinct(outputs: Mapping[str, str | None]) -> None:
    """Refuse two options that write one file, which need not be there yet; a device takes both."""
    given = [(option, path) for option, path in outputs.items() if path is not None]
    for (other, taken), (option, path) in combinations(given, 2):
        if path == taken == "-":
            raise InputError(f"{other} - and {option} -: only one can be on standard output")
        same = os.path.realpath(path) == os.path.realpath(taken) or _is_one_of(path, [taken])
        regular = not os.path.exists(path) or stat.S_ISREG(os.stat(path).st_mode)
        if "-" not in (path, taken) and same and regular:
            raise InputError(f"{other} {taken} and {option} {path} are one file; give two")


class Failures:
    """``with failures:`` around each write keeps its error, ``failures.end()`` raises the first."""

    def __init__(self) -> None:
        self.first: InputError | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, traceback: object) -> bool:
        if isinstance(error, InputError):
            self.first = self.first or error
        return isinstance(error, InputError)

    def end(self) -> None:
        """Raise the first error, if there was one."""
        if self.first is not None:
            raise self.first from None


def described(path: str) -> dict[str, Any]:
    """A file's name, size and SHA-256; of a folder, those of its files together."""
    from csig.readers import limits  # for those who record
    from csig.readers.lines import STDIN, read_stdin

    if path == STDIN:
        data = read_stdin(sys.stdin)
        return {"path": "-", "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    digest, size = hashlib.sha256(), 0
    names = [path]
    if os.path.isdir(path):
        names = sorted(os.path.join(path, name) for name in os.listdir(path))
        names = [name for name in names if os.path.isfile(name)]
    try:
        for name in names:
            if name != path:  # a folder: which file has what
                head = f"{os.path.basename(name)}\0{os.path.getsize(name)}\0"
                digest.update(head.encode("utf-8", "surrogatepass"))
            limits.check_size(name, os.path.getsize(name))
            with open(name, "rb") as file:
                before = size
                while block := file.read(2**20):
                    digest.update(block)
                    size += len(block)
                    if size - before > limits.largest():  # of a device, say
                        raise limits.refuse_longer(name)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    shown = path.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return {"path": shown, "bytes": size, "sha256": digest.hexdigest()}


class OutputFile:
    """A file that is opened before the run, over no input, and replaced when its text is complete.

    Its folder gets a temporary file that takes its place in the end; a device or a pipe is written
    directly. Errors call the file `what`.
    """

    def __init__(self, path: str, inputs: Iterable[str] = (), what: str = "JSON record") -> None:
        self.path, self.what = path, what
        self.temporary: str | None = None
        if os.path.isdir(path):
            raise InputError(f"{path}: found a directory, expected a file for the {what}")
        if _is_one_of(path, inputs):
            raise InputError(f"{path}: the {what} would overwrite an input")
        # A symbolic link stays one: its target is replaced.
        self.target = os.path.realpath(path)
        try:
            self.descriptor = self._open()
        except (OSError, ValueError) as error:
            raise self._unwritten(error) from None

    def _unwritten(self, error: OSError | ValueError) -> InputError:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return InputError(f"{self.path}: the {self.what} cannot be written ({reason})")

    def _open(self) -> int:
        if os.path.exists(self.target):
            if not stat.S_ISREG(os.stat(self.target).st_mode):
                return os.open(self.target, os.O_WRONLY)
            if not os.access(self.target, os.W_OK):
                raise PermissionError(13, os.strerror(13))
        folder, name = os.path.split(self.target)
        # By chance: in a container every process has the number 1, and one that was killed may
        # have left its file.
        temporary = os.path.join(folder, f".{name[:100]}.{os.urandom(8).hex()}.tmp")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self.temporary = temporary  # before it is there: a signal may come in between
        return os.open(temporary, flags, 0o666)

    def __enter__(self) -> OutputFile:
        return self

    def __exit__(self, *error: object) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
        if self.temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(self.temporary)
            self.temporary = None

    def write(self, data: bytes) -> None:
        """Write everything and put it in its place."""
        try:
            with open(self.descriptor, "wb") as file:
                self.descriptor = -1  # closed by the file from here on
                file.write(data)
                if self.temporary is None:
                    return
                file.flush()
                os.fsync(file.fileno())  # or a crash may leave an empty file in its place
            if os.path.exists(self.target):
                import shutil  # which loads every way to pack a file

                shutil.copymode(self.target, self.temporary)
            os.replace(self.temporary, self.target)
            self.temporary = None
            sync_folder(os.path.dirname(self.target))
        except OSError as error:
            raise self._unwritten(error) from None


#: Seconds until a scheduler must have answered.
PATIENCE = 10


@contextmanager
def executor_at(address: str | None) -> Iterator[Executor | None]:
    """The workers of a scheduler; None without an address."""
    if address is None:
        yield None
        return
    if not re.fullmatch(r"((tcp|tls|ws|wss|ucx)://)?[^/\s]+:\d+", address):
        raise InputError(f"--scheduler: expected tcp://HOST:PORT, found {address!r}")
    try:
        from distributed import Client
    except ImportError:
        raise InputError("--scheduler needs dask: pip install 'csig-stats[dask]'") from None
    import logging

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors come as one line
    try:
        connect: Any = Client  # whose types not every version has
        client = connect(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        said = str(error).partition("\n")[0]
        raise InputError(f"--scheduler: {address} cannot be reached ({said})") from None
    try:
        if not client.nthreads():
            raise InputError(f"--scheduler: {address} has no workers; start some (dask worker)")
        yield client.get_executor()
    finally:
        client.close()
