"""The mean over tasks beside the mean over all documents, from the same swaps.

It is tested wherever tasks are known, and printed as a row where it leads to another verdict.
"""

from __future__ import annotations

from collections.abc import Sequence

from csig.base import wording
from csig.comparing import verdict
from csig.comparing.baseline import Systems
from csig.comparing.conclusions import outcome
from csig.comparing.summary import Summary


def apart(found: Summary | Systems) -> list[str]:
    """The metrics for which both means do not lead to the same."""
    summaries = _summaries(found)
    return [
        metric
        for metric, own in summaries[0].over_tasks.items()
        if _outcomes(found, metric) != _outcomes(found, own.result.metric)
    ]


def shown(found: Summary | Systems) -> list[str]:
    """The names of all results that have a row, in their order."""
    first, differ = _summaries(found)[0], apart(found)
    names = []
    for metric in first.results:
        names += [metric]
        if metric in differ:
            names.append(first.over_tasks[metric].result.metric)
    return names


def said(found: Summary | Systems) -> str:
    """What the mean over tasks is, and that it agrees, where it does."""
    first, differ = _summaries(found)[0], apart(found)
    if not first.over_tasks:
        return ""
    n = max(own.n_tasks for own in first.over_tasks.values())
    same = [metric for metric in first.over_tasks if metric not in differ]
    if not differ:
        verdicts = "verdict" if len(same) == len(_summaries(found)) == 1 else "verdicts"
        own = first.over_tasks[same[0]]
        p = "" if verdicts == "verdicts" else f" (p = {verdict.pvalue_text(own.result)})"
        return f"The mean over the {n} tasks, each counted alike, gives the same {verdicts}{p}."
    names = wording.listed(list(map(wording.metric_name, same))) if same else ""
    agrees = f" On {names} it gives the same verdicts." if same else ""
    return f"The mean over tasks counts each of the {n} tasks alike.{agrees}"


def _summaries(found: Summary | Systems) -> Sequence[Summary]:
    return found.summaries if isinstance(found, Systems) else (found,)


def _outcomes(found: Summary | Systems, name: str) -> list[str]:
    """What is found of each system by a metric, or by its mean over tasks."""
    summaries = _summaries(found)
    alpha = summaries[0].options.alpha
    if isinstance(found, Systems):
        return [outcome(row.result, row.verdict) for row in found.rows(name)]
    result = summaries[0].every[name]
    return [outcome(result, verdict.verdict(result, alpha))]
