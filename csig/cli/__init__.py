"""The command line, ``csig``: an optional extra, because it needs click."""

from __future__ import annotations

import gc
import importlib
import sys

from csig.cli import signals

__all__ = ["main"]

_MISSING = "csig: the command line needs click: pip install 'csig-stats[cli]'"


def main() -> None:
    """Run ``csig``; exit with 0, with 2 after an error, with 130 after Ctrl-C."""
    gc.disable()  # what is imported stays: to look for garbage in it takes a tenth of the time
    signals.listen()
    with signals.at_once():
        try:
            importlib.import_module("click")
        except ImportError:
            print(_MISSING, file=sys.stderr)
            sys.exit(2)
        try:
            from csig.cli.app import program
        except ImportError as error:  # CSIG_ISA that is not here; sources that are not compiled
            print(f"csig: {error}", file=sys.stderr)
            sys.exit(2)
    program()
