"""Imports that help and completion do without: what a command works with, when it works."""

from __future__ import annotations

import gc
from importlib import import_module
from typing import Any

from csig.cli import signals
from csig.errors import InputError

__all__ = ["imported"]


def imported(module: str, name: str) -> Any:
    """A name of a module, imported now: before any file is open, as a signal ends csig at once.

    Raises
    ------
    InputError
        In one line, if it cannot be imported: CSIG_ISA that is not here, sources not compiled.
    """
    collecting = gc.isenabled()
    gc.disable()  # what is imported stays: to look for garbage in it takes time
    try:
        with signals.at_once():
            return getattr(import_module(module), name)
    except ImportError as error:
        raise InputError(str(error)) from None
    finally:
        if collecting:
            gc.enable()
