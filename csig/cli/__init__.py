"""The command line, ``csig``: an optional extra, because it needs click."""

from __future__ import annotations

import gc
import sys

from csig.cli import signals

__all__ = ["main"]


def main() -> None:
    """Run ``csig``; exit with 0, with 2 after an error, with 130 after Ctrl-C."""
    gc.set_threshold(100_000)  # to look for garbage takes a tenth of the time of all imports
    signals.listen()
    try:
        from csig.cli.app import program
    except (ImportError, KeyboardInterrupt) as error:
        status, message = signals.end_of(error), str(error)
        if status is not None:
            message = "interrupted"
        elif getattr(error, "name", None) == "click":
            message = "the command line needs click: pip install 'csig-stats[cli]'"
        print(f"csig: {message}", file=sys.stderr)
        sys.exit(status or 2)
    program()
