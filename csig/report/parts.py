"""The parts of the data, ``csig compare --by``: which are too small to tell anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from csig import wording
from csig.report import verdict

if TYPE_CHECKING:
    from csig.breakdowns import Breakdown
    from csig.report.options import Options

__all__ = ["cautions"]


def _listed(names: Sequence[str]) -> str:
    return wording.listed([wording.clean(name) for name in names])


def cautions(breakdown: Breakdown, options: Options) -> list[str]:
    """Where the parts are too small to tell anything, or another question is asked of them."""
    two_sided = options.alternative == "two-sided"
    moving = {p.label: max(r.n_moving for r in p.results.values()) for p in breakdown.parts}
    least = {label: 2.0 ** min(0, two_sided - n) for label, n in moving.items()}
    small = [str(label) for label, pvalue in least.items() if pvalue > options.alpha]
    asked = verdict.not_studentized(r for p in breakdown.parts for r in p.results.values())
    by = f"By {wording.clean(options.by or '')}: "
    found = wording.coded(
        "not-studentized", [f"{by}{line[:1].lower()}{line[1:]}" for line in asked]
    )
    if not small:
        return found
    unit = next(iter(breakdown.parts[0].results.values())).unit
    which = "every part" if len(small) == len(breakdown.parts) else _listed(small[:5])
    more = len(small) - 5
    if more > 0 and len(small) < len(breakdown.parts):
        which += f" ({wording.count(more)} more)"
    return [
        *found,
        f"{by}so few {wording.noun(unit, 2)} differ in {which} "
        f"that no difference there could be significant at {wording.decimal(options.alpha)}, even "
        f"without correction.",
    ]
