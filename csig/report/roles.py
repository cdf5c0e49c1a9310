"""What :mod:`csig.readers.roles` was called before."""

from csig.readers.roles import agreement_cautions, role_cautions

__all__ = ["agreement_cautions", "role_cautions"]
