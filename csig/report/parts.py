"""The rows of ``csig compare --by``: every part of the data, with Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from csig import wording

if TYPE_CHECKING:
    from csig.breakdowns import Breakdown
    from csig.report.options import Options

__all__ = ["cautions", "sentences"]


def _listed(names: Sequence[str]) -> str:
    return wording.listed([wording.clean(name) for name in names])


def sentences(breakdown: Breakdown, names: Sequence[str], options: Options) -> list[str]:
    """What may be concluded of the parts, one sentence a metric."""
    found = []
    by, n = options.by or "", len(breakdown.parts)
    part = "part" if by.isdigit() else by
    one_sided = "" if options.alternative == "two-sided" else "one-sided, "
    corrected = f"{one_sided}Holm-corrected over {wording.counted(n, part)}"
    at = f"({wording.decimal(options.alpha)}, {corrected})"
    for metric in breakdown.metrics:
        kinds: dict[str, list[str]] = {}
        for row in breakdown.corrected(metric, options.alpha):
            up = (row.result.statistic > 0) == row.result.greater_is_better
            kind = row.verdict
            if kind == "significant":
                kind = names[0] if up else names[1]
            kinds.setdefault(kind, []).append(str(row.name))
        parts = [
            f"{wording.clean(name)} is significantly better in {_listed(kinds[name])} {at}"
            for name in names
            if name in kinds
        ]
        if "undecided" in kinds:
            parts.append(f"undecided in {_listed(kinds['undecided'])} (more shuffles would tell)")
        if not parts:
            parts.append(f"no {wording.noun(part)} shows a significant difference {at}")
        found.append(f"{wording.metric_title(metric)} by {wording.clean(by)}: {'; '.join(parts)}.")
    return found


def cautions(breakdown: Breakdown, options: Options) -> list[str]:
    """Where the parts are too small to tell anything."""
    two_sided = options.alternative == "two-sided"
    moving = {p.label: max(r.n_moving for r in p.results.values()) for p in breakdown.parts}
    least = {label: 2.0 ** min(0, two_sided - n) for label, n in moving.items()}
    small = [str(label) for label, pvalue in least.items() if pvalue > options.alpha]
    if not small:
        return []
    unit = next(iter(breakdown.parts[0].results.values())).unit
    which = "every part" if len(small) == len(breakdown.parts) else _listed(small[:5])
    more = len(small) - 5
    if more > 0 and len(small) < len(breakdown.parts):
        which += f" ({wording.count(more)} more)"
    return [
        f"By {wording.clean(options.by or '')}: so few {wording.noun(unit, 2)} differ in {which} "
        f"that no difference there could be significant at {wording.decimal(options.alpha)}, even "
        f"without correction."
    ]
