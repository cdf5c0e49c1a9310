"""What a text prints about two systems, and whether it is possible."""

from csig.claims import model
from csig.claims.checker import check_claims
from csig.claims.file import read_claims
from csig.claims.model import *  # noqa: F403

__all__ = ["check_claims", "read_claims"]
__all__ += model.__all__


def __dir__() -> list[str]:
    return sorted(__all__)
