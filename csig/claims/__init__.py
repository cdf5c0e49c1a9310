"""What a text prints about two systems, and whether it is possible."""

from typing import TYPE_CHECKING

from csig.claims import model
from csig.claims.model import *  # noqa: F403

if TYPE_CHECKING:
    from csig.claims.checker import check_claims

__all__ = ["check_claims"]
__all__ += model.__all__


def __getattr__(name: str) -> object:
    if name != "check_claims":
        raise AttributeError(f"module 'csig.claims' has no attribute {name!r}")
    # Reading a file need not wait for the engines.
    from csig.claims.checker import check_claims

    globals()[name] = check_claims
    return check_claims


def __dir__() -> list[str]:
    return sorted(__all__)
