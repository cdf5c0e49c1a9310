"""What a critical-difference diagram shows of a result, and the words below it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from csig.errors import InputError
from csig.report.plots.diagrams import Best, Diagram, arranged
from csig.wording import clean, decimal, few, first_few, perhaps

if TYPE_CHECKING:
    from csig.datasets import DatasetsResult

__all__ = ["diagram_of"]

#: Procedures that a critical difference of average ranks stands for.
_CRITICAL = ("nemenyi", "bonferroni-dunn")

#: What every key begins with.
_FIRST = "Average ranks, 1 is the best. "

#: Pairs that are named below a diagram.
NAMED = 6


def diagram_of(
    ranks: DatasetsResult | Mapping[str, float],
    *,
    by: str | None = None,
    cd: float | None = None,
    groups: Iterable[Iterable[str]] | None = None,
    baseline: str | None = None,
    best: Best = "left",
) -> tuple[Diagram, str]:
    """The diagram, and what its marks mean: see :func:`csig.plots.critical_difference`."""
    if isinstance(ranks, Mapping):
        if by is not None:
            raise InputError("by= chooses a test of a result; average ranks take cd= or groups=")
        return _of_ranks(ranks, cd, groups, baseline, best)
    from csig.datasets import DatasetsResult  # numbers do without it

    if not isinstance(ranks, DatasetsResult):
        raise InputError(
            "ranks: expected what csig.compare_over_datasets gives, or {name: average rank}, found "
            f"{type(ranks).__name__}"
        )
    if not (cd is None and groups is None and baseline is None):
        raise InputError("cd=, groups= and baseline= are for average ranks; a result has its own")
    return _of_result(ranks, by, best)


def _of_result(result: DatasetsResult, by: str | None, best: Best) -> tuple[Diagram, str]:
    """What was tested: by the verdicts, or by one of the procedures beside them."""
    from csig.report.procedures import adjusted_title, title

    ranks = dict(zip(result.names, result.average_ranks, strict=True))
    known = result.pairs[0].adjusted_by
    if by is not None and by not in known:
        raise InputError(
            f"by: expected one of {first_few(known, 20)}, found {by!r:.40}{perhaps(by, known)}"
        )
    at = f"at {decimal(result.alpha)} ({title(result)})"
    if by is not None:
        at = f"at {decimal(result.alpha)} ({adjusted_title(by, result.correction)})"
    if by in _CRITICAL:
        critical = result.critical_differences[by]
        found = arranged(ranks, critical=critical, control=result.baseline, best=best)
        if result.baseline is None:
            return found, f"{_FIRST}Bars connect systems without a significant difference {at}."
        name = clean(result.baseline)
        return found, f"{_FIRST}{name} differs significantly {at} from systems outside the band."
    same, marked = [], []
    for pair in result.pairs:
        differs = pair.better is not None if by is None else pair.adjusted_by[by] <= result.alpha
        if differs:
            marked.append(pair.system)  # beside a baseline the other one is that
        else:
            same.append((pair.system, pair.other))
    if result.baseline is not None:
        found = arranged(ranks, control=result.baseline, marked=marked, best=best)
        return found, f"{_FIRST}* differs significantly from {clean(result.baseline)} {at}."
    found = arranged(ranks, same=same, best=best)
    key = f"{_FIRST}Bars connect systems without a significant difference {at}."
    return found, key + _unlinked(found)


def _unlinked(diagram: Diagram) -> str:
    """The pairs that bars cannot connect."""
    if not diagram.unlinked:
        return ""
    pairs = [f"{clean(a)} - {clean(b)}" for a, b in diagram.unlinked]
    return f" No significant difference either: {few(pairs, NAMED, 'pair')}."


def _of_ranks(
    ranks: Mapping[str, float],
    cd: float | None,
    groups: Iterable[Iterable[str]] | None,
    baseline: str | None,
    best: Best,
) -> tuple[Diagram, str]:
    """Numbers that somebody else computed."""
    if cd is None and groups is None:
        raise InputError("give cd=, the critical difference, or groups=, what the bars connect")
    if groups is not None and (cd is not None or baseline is not None):
        raise InputError("groups= does not go with cd= and baseline=")
    found = arranged(ranks, critical=cd, groups=groups, control=baseline, best=best)
    if groups is not None:
        return found, _FIRST + "Bars connect systems without a significant difference."
    if baseline is not None:
        return found, (
            f"{_FIRST}The band holds the ranks that differ from {clean(baseline)}'s by less than "
            f"CD = {cd:.3g}."
        )
    return found, f"{_FIRST}Bars connect systems whose ranks differ by less than CD = {cd:.3g}."
