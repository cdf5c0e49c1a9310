"""What a text prints about two systems, and whether it is possible."""

import importlib
from typing import TYPE_CHECKING

from csig.claims import model
from csig.claims.model import *  # noqa: F403

if TYPE_CHECKING:
    from csig.claims.checker import check_claims
    from csig.claims.file import read_claims

__all__ = ["check_claims", "read_claims"]
__all__ += model.__all__


# Claims can be made without a file, and a file be read without the engines.
_HOMES = {"check_claims": "csig.claims.checker", "read_claims": "csig.claims.file"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'csig.claims' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
