"""Aggregates of every-eval-ever: the block ``uncertainty`` of every score, from its samples."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import numpy as np

from csig._version import __version__
from csig.base.errors import InputError, NoInterval
from csig.base.validation import between, public
from csig.base.wording import counted, documented, first_few
from csig.comparing.intervals import linearized_interval
from csig.data.comparison import Comparison
from csig.readers import every_eval_ever
from csig.readers.lines import read_text
from csig.readers.samples import Samples, files_in
from csig.report.document import Document
from csig.results.randomization import Interval


@public("csig.intervals")
@documented
def fill_uncertainty(
    aggregate: str | os.PathLike[str],
    *files: str | os.PathLike[str],
    confidence_level: float = 0.95,
) -> dict[str, Any]:
    """Fill the uncertainty of an aggregate of every-eval-ever, from its samples.

    Parameters
    ----------
    aggregate : path
        The JSON of one model's evaluations, by the schema 0.2 or 0.3; it is not changed.
    *files : path
        The samples (``*_samples.jsonl``) of these evaluations, or folders with them.
    %(level)s

    Returns
    -------
    dict
        The aggregate, where ``score_details`` of every result has in ``uncertainty`` the
        ``confidence_interval``, the ``standard_error`` and ``num_samples`` of
        :func:`linearized_interval` for the mean of its samples' scores, times 100 where the
        metric's unit is percent. What the block had besides is kept.

    Raises
    ------
    InputError
        A result has no samples: of the model ``model_info.id``, its ``evaluation_name`` and, if
        samples have one, its ``evaluation_result_id``. Or their mean is not the score that it has,
        beyond two decimals, or what rounding to its decimals changes.
    NoInterval
        There are fewer than two samples.

    Notes
    -----
    Samples are taken as independent. Of two models on the same samples :func:`csig.compare` says
    more than two such intervals: they leave out that the models answered the same questions.

    Examples
    --------
    >>> csig.intervals.fill_uncertainty("model.json", "model_samples.jsonl")  # doctest: +SKIP
    """
    level = between("confidence_level", confidence_level)
    filled: dict[str, Any] = deepcopy(_read(aggregate))
    samples: dict[tuple[str, str], Samples] = {}
    for _, file in files_in(files, every_eval_ever.PATTERN):
        for (model, name, _), own in every_eval_ever.read_samples(file).items():
            if (first := samples.setdefault((model, name), own)) is not own:
                raise InputError(
                    f"{file}: found several epochs of {name!r}, whose samples are not independent"
                    if first.path == own.path
                    else f"{first.path} and {file} have samples of {name!r}; give one"
                )
    for where, result in _results(aggregate, filled):
        key = filled["model_info"]["id"], result["evaluation_name"]
        if key not in samples:
            raise InputError(
                f"{where}: no samples of {key[1]!r} of {key[0]!r}; there are those of "
                f"{first_few(list(map(' of '.join, (own[::-1] for own in samples))))}"
            )
        result["score_details"].setdefault("uncertainty", {}).update(
            _block(where, result, samples[key], level)
        )
    return filled


def _read(path: str | os.PathLike[str]) -> dict[str, Any]:
    text = read_text(path)
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error})") from None
    model = found.get("model_info") if isinstance(found, dict) else None
    if not isinstance(model, dict) or not isinstance(model.get("id"), str):
        raise InputError(f"{path}: expected an aggregate of every-eval-ever, with 'model_info'")
    return {**found}


def _results(path: str | os.PathLike[str], filled: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The results of an aggregate, each with its place."""
    results = filled.get("evaluation_results")
    for i, own in enumerate(results if isinstance(results, list) and results else [None], 1):
        where = f"{path}: result {i}"
        details = own.get("score_details") if isinstance(own, dict) else None
        score = details.get("score") if isinstance(details, dict) else None
        named = isinstance(own, dict) and isinstance(own.get("evaluation_name"), str)
        if not named or type(score) not in (int, float) or not math.isfinite(score or 0):
            raise InputError(
                f"{where}: expected 'evaluation_name' and 'score_details' with a score"
            )
        yield where, own


def _block(where: str, result: Any, samples: Samples, level: float) -> dict[str, Any]:
    """The uncertainty of one result."""
    name = result["evaluation_name"]
    known = {own for _, own in samples.scores}
    own = result.get("evaluation_result_id")
    key = ("score", "none" if known == {"none"} else own)
    if key not in samples.scores:
        raise InputError(
            f"{where}: no samples of the result {own!r}; there are {first_few(sorted(known))}"
        )
    if key in samples.odd:
        raise InputError(f"{samples.odd[key]}, expected a finite number for every sample")
    scores = np.fromiter(samples.scores[key].values(), dtype=np.float64)
    config = result.get("metric_config")
    config = config if isinstance(config, dict) else {}
    percent = config.get("metric_unit") == "percent" or config.get("max_score") == 100
    times = 100 if percent and np.abs(scores).max(initial=0) <= 1 else 1
    score, mean = result["score_details"]["score"], times * float(scores.mean())
    decimals = len(repr(float(score)).partition(".")[2]) if score == round(score, 12) else 12
    if abs(score - mean) > min(0.005 * times, 0.5 * 10**-decimals) + 1e-9:
        raise InputError(
            f"{where}: the score of {name!r} is {score}, but the mean of "
            f"{counted(len(scores), 'sample')} in {samples.path} is {mean:.6g}"
        )
    whole = bool(((scores == 0) | (scores == 1)).all())
    rows = np.stack([scores.astype(int), np.ones(len(scores), int)], axis=-1)
    comparison = (
        Comparison.from_statistics(rows, rows, ("correct", "items"))
        if whole
        else Comparison.from_scores(scores, scores)
    )
    metric = "accuracy" if whole else "mean"
    try:
        found = linearized_interval(comparison, metric, "a", confidence_level=level)
    except NoInterval as error:
        raise NoInterval(f"{where}: an interval of {name!r} cannot be given: {error}") from None
    return _as_schema(found, times, len(scores))


def _as_schema(found: Interval, times: int, n_samples: int) -> dict[str, Any]:
    """An interval as the schema has it."""
    block: dict[str, Any] = {
        "confidence_interval": {
            "lower": times * found.low,
            "upper": times * found.high,
            "confidence_level": found.confidence_level,
            "method": f"{found.method} (csig {__version__})",
        },
        "num_samples": n_samples,
    }
    if found.standard_error is not None:  # else the samples show no spread
        block["standard_error"] = {"value": times * found.standard_error, "method": "analytic"}
    return block


def document(filled: dict[str, Any]) -> Document:
    """What was filled in, a line each; the record is the aggregate."""
    lines, rows = [], []
    for result in filled["evaluation_results"]:
        details = result["score_details"]
        block = details["uncertainty"]
        interval, n = block["confidence_interval"], block["num_samples"]
        level = f"{100 * interval['confidence_level']:g}%"
        ends = f"{interval['lower']:.4g} to {interval['upper']:.4g}"
        score, name = details["score"], result["evaluation_name"]
        lines.append(f"{name}: {score:.4g}, {level} interval {ends} ({counted(n, 'sample')}).")
        error = block.get("standard_error", {}).get("value")
        rows.append(
            {"evaluation": name, "score": score, **interval, "standard_error": error, "n": n}
        )
    title = f"Uncertainty of {filled['model_info']['id']}"
    return Document(title=title, verdict=lines, rows=rows, record=lambda: filled)
