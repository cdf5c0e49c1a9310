"""What findings say: numbers, chances and lists in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from csig.claims.model import CONFIRMED, CONTRADICTED
from csig.claims.printed import Printed

__all__ = ["LIMITS", "exact_text", "few", "numbers", "p_text", "share_text", "stands_for"]

#: For findings with a probability.
LIMITS = (
    f"confirmed if the probability is at least {CONFIRMED:g}, contradicted below {CONTRADICTED:g}"
)


def few(names: Sequence[str], limit: int = 3) -> str:
    """A list in words."""
    if len(names) > limit:
        return ", ".join(names[:limit]) + f" and {len(names) - limit:,} more"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def p_text(pvalue: float, log_pvalue: float) -> str:
    if log_pvalue < math.log(1e-4):
        power = log_pvalue / math.log(10)
        return f"10^{power:.1f}" if math.isfinite(power) else "0"
    return f"{pvalue:.2g}"


def exact_text(pvalue: float, log_pvalue: float, printed: Printed | None) -> str:
    if pvalue < 1e-300:
        return f"10^{log_pvalue / math.log(10):.1f}"
    percent = printed is not None and printed.percent
    return f"{100 * pvalue:.5g}%" if percent else f"{pvalue:.5g}"


def stands_for(*printed: Printed | None) -> str:
    said = [p for p in printed if p is not None]
    return "; ".join(f"{p.text} stands for {p.meaning}" for p in said)


def share_text(p: Fraction, printed: Printed) -> str:
    return f"{float(100 * p):.4g}%" if printed.percent else f"{float(p):.4g}"


def numbers(printed: Printed) -> dict[str, Any]:
    """The fields of a finding that describe a printed number."""
    return {
        "printed": None if printed.value is None else float(printed.value),
        "interval": printed.interval.floats(),
        "limits": stands_for(printed),
    }
