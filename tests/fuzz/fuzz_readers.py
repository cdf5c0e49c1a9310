"""Fuzz the readers and the command line with atheris.

    python tests/fuzz/fuzz_readers.py -max_total_time=600

Options are libFuzzer's. The first byte of an input chooses the reader, the second one its
options; the rest are the contents of one to three files, cut at two NULs. The seeds are made
from the docs and the examples each time; name a folder to keep what the fuzzer finds.
An input that fails is written to a file, whose name runs it again.

Ten minutes on a processor with other work were 77,000 inputs and 182 MB, on a less busy one
314,000. What they found was mended; the last run found nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import atheris
import click.utils

with atheris.instrument_imports(include=["csig.claims", "csig.readers", "csig.cli"]):
    from targets import TARGETS, attempt, seeds

_CUT = b"\0\0"
_NAMES = list(TARGETS)
#: Memory in MB, seconds and bytes for one input, where the command line gives no others.
_LIMITS = ("-rss_limit_mb=1024", "-timeout=10", "-max_len=8192")
_FOLDER = "CSIG_FUZZ_FOLDER"


def encode(name: str, variant: int, contents: list[bytes]) -> bytes:
    return bytes([_NAMES.index(name), variant]) + _CUT.join(contents)


def fuzz(folder: Path) -> None:
    def one_input(data: bytes) -> None:
        if len(data) >= 2:
            name = _NAMES[data[0] % len(_NAMES)]
            attempt(name, data[1], data[2:].split(_CUT, 2), folder)

    arguments = sys.argv[1:]
    given = {argument.split("=")[0] for argument in arguments}
    arguments += [limit for limit in _LIMITS if limit.split("=")[0] not in given]
    # A single file is an input to run again, and needs no corpus.
    if not any(Path(argument).is_file() for argument in arguments):
        corpus = folder / "seeds"
        corpus.mkdir()
        for i, seed in enumerate(seeds()):
            (corpus / str(i)).write_bytes(encode(*seed))
        arguments.append(str(corpus))
    warnings.simplefilter("error")
    # click keeps every stream that it wrote to, 3 KB a run, until memory is used up.
    vars(click.utils).update(
        _default_text_stdout=lambda: sys.stdout, _default_text_stderr=lambda: sys.stderr
    )
    atheris.Setup([sys.argv[0], *arguments], one_input)
    atheris.Fuzz()


def main() -> None:
    """Fuzz in a process of its own: libFuzzer ends it at once, and the folder would stay."""
    if _FOLDER in os.environ:
        fuzz(Path(os.environ[_FOLDER]))
    with tempfile.TemporaryDirectory() as folder:
        own = {**os.environ, _FOLDER: folder}
        sys.exit(subprocess.call([sys.executable, *sys.argv], env=own))


if __name__ == "__main__":
    main()
