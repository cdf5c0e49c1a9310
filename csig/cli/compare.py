"""``csig compare`` and ``csig interval``: is a difference real, and how well is it known?

``--unpaired`` of ``csig systems``, timings of independent runs, is here, too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from csig.base.defaults import MOST_RESAMPLES, RESAMPLES, RISK, UNDRAWN_INTERVALS, YEH_RESAMPLES
from csig.cli.options import INPUT, SEEDED, command, metric_names, one_metric
from csig.cli.output import Output, asked_to_draw, check_given, executor_at, options_of
from csig.readers.request import Request

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from csig.comparing.estimates import Estimates
    from csig.comparing.summary import Summary, Systems
    from csig.report.document import Document

#: What goes with --unpaired.
_KNOWN = {
    "files", "unpaired", "allow_missing", "metrics", "baseline", "alternative", "correction",
    "alpha", "confidence_level", "resamples", "seed", "output_format", "json_path", "explain",
    "strict", "caption", "label",
}  # fmt: skip


def give_unpaired(resamples: int | None, given: dict[str, Any], *, all_pairs: bool = False) -> None:
    """A row for each benchmark and each pair of systems."""
    check_given(_KNOWN, "--unpaired")
    names = one_metric(given["metrics"], "runs are compared by one at a time")
    output, request = Output.taken(given), Request.taken(given)
    how = {name: own for name, own in given.items() if name in _KNOWN - {"metrics"}}

    def made() -> tuple[None, Document]:
        from csig.classical.report import document_of_files

        return None, document_of_files(
            request, metric=names[0] if names else "mean", n_resamples=resamples,
            rng=how.pop("seed"), all_pairs=all_pairs, **how,
        )  # fmt: skip

    output.give(made, request.paths)


@command(
    "--system --gold-column --id --cluster --metric --unit --by --alternative --method --seed "
    "--alpha --margin --output-format --json --worst --plot --explain --strict",
    f"{INPUT}{SEEDED}--baseline --margin-kind --sensitivity --lower-is-better --statistic --decide "
    "--risk --resamples --zero-division --scheduler --pvalue-confidence --interval "
    "--confidence-level --paired-runs --unpaired --progress --cite --signature --all-tests "
    "--caption --label",
)
def compare(
    decide: bool,
    risk: float | None,
    resamples: int | None,
    scheduler: str | None,
    margin: float | None,
    margin_kind: Any,
    unpaired: bool,
    **given: Any,
) -> None:
    """Test whether system B differs from system A, by randomization (Yeh 2000).

    GOLD, A and B are files of responses, one per line, fields separated by tabs; of tokens
    with tags (BIO, IOB1, IOE, IOBES) in the last column; of labels, one per line; or of
    spans, as JSON Lines or brat's standoff. One FILE may hold the tags of all as columns,
    and --counts takes a file of counts.

    Or FILE is a table with one row per unit and one column per system: of scores, of counts
    (tp_NAME, predicted_NAME, gold), of labels. A system may have a FILE of its own: a
    table, one number per line, a log of Inspect, lm-evaluation-harness, HELM, lighteval or
    every-eval-ever, a run of TREC (--qrels), results of promptfoo, SWE-bench (--instances),
    tau-bench or OpenAI's evals, an alignment of sclite.

    The first system is the baseline, of two or of ten: every difference is the score of
    another one minus the baseline's.

    Examples:
      csig compare gold.tsv method1.tsv method2.tsv
      csig compare --documents --metric f1,f0.5 gold.tsv a.tsv b.tsv
      csig compare gold.conll tagger1.conll tagger2.conll
      csig compare tags.tsv --gold-column gold --system crf --system bert
      csig compare --unit response gold.conll tagger1.conll tagger2.conll
      csig compare --by label gold.jsonl a.jsonl b.jsonl
      csig compare scores.csv --system base --system new --cluster task
      csig compare labels.tsv --gold-column gold --metric macro_f1,mcc
      csig compare gold.txt a.txt b.txt --format labels --positive spam
      csig compare model1/samples_*.jsonl model2/samples_*.jsonl --metric exact_match
      csig compare bm25.run dense.run --qrels qrels.txt --metric AP,nDCG@10
      csig compare --unpaired base.json new.json
      csig compare --counts yeh.toml --method yeh2000 --seed 1 --json record.json
      csig compare answers.csv --margin 1
    """
    if margin is None and margin_kind != "points":
        raise click.UsageError("--margin-kind goes with --margin")
    if unpaired and margin is not None:
        raise click.UsageError("--margin does not go with --unpaired")
    if margin is not None:
        _compare_at_margin(margin, margin_kind, given)
        return
    if unpaired:
        give_unpaired(resamples, given)
        return
    asked = asked_to_draw(
        seed=given["seed"],
        bit_generator=given["bit_generator"],
        resamples=resamples,
        decide=decide or None,
    )
    papers = given["method"] == "yeh2000"
    if risk is not None and not decide:
        raise click.UsageError("--risk goes with --decide")
    if decide and papers:
        raise click.UsageError(
            f"--decide: method yeh2000 always draws {YEH_RESAMPLES} shuffles; use another method"
        )
    if papers and resamples not in (None, YEH_RESAMPLES):
        raise click.UsageError(f"--resamples: method yeh2000 always draws {YEH_RESAMPLES} shuffles")
    if papers and given["unit"] not in (None, "response"):
        raise click.UsageError(
            f"--unit {given['unit']}: method yeh2000 is the paper's, for responses"
        )
    given["sensitivity"] = given["sensitivity"] and not papers
    output, by = Output.taken(given), given["by"]  # asked of the test, and of what is read
    options = options_of(
        given,
        n_resamples=resamples or (MOST_RESAMPLES if decide else YEH_RESAMPLES),
        risk=(risk or RISK) if decide else None,
    )
    request = Request.taken({**given, "by": by})

    def made() -> tuple[Summary | Systems, Document]:
        from csig.answers.answer import HINT, document
        from csig.answers.gathering import gathered

        with executor_at(scheduler) as executor:
            summary = gathered(request, options, executor=executor)
        short = output.output_format == "text" and not output.explain
        found = document(summary, HINT if short else "")
        if asked and not summary.draws:
            from csig.comparing.options import unneeded  # for those who asked in vain

            found = replace(found, notes=(unneeded(asked), *found.notes))
        return summary, found

    def page(found: Summary | Systems) -> Figure:
        from csig.comparing import pictures_pages  # for those who draw

        return pictures_pages.page(found)

    output.give(made, request.paths, page)


#: What goes with --margin, beside what is read.
_OF_MARGINS = {
    "margin", "margin_kind", "metrics", "unit", "alpha", "seed", "lower_is_better", "baseline",
    "threads", "progress", "output_format", "caption", "label", "json_path", "strict",
    *(name for name in Request.__dataclass_fields__ if name != "by"),
}  # fmt: skip


def _compare_at_margin(margin: float, kind: Any, given: dict[str, Any]) -> None:
    """Is the system as good as the baseline, within a margin?"""
    check_given(_OF_MARGINS, "--margin")
    output, request = Output.taken(given), Request.taken(given)

    def made() -> tuple[None, Document]:
        from csig.margins.gate import document_of_files

        names = ("alpha", "seed", "unit", "lower_is_better", "baseline")
        how = {name: given[name] for name in names}
        return None, document_of_files(request, metric_names(given["metrics"]), margin, kind, **how)

    output.give(made, request.paths)


@command(
    "--system --gold-column --id --cluster --metric --unit --method --confidence-level --seed "
    "--output-format --json --plot --strict",
    f"{INPUT}{SEEDED}--baseline --lower-is-better --resamples --paired-runs --zero-division "
    "--progress --cite --signature --plot-kind --caption --label --fill",
)
def interval(
    method: str, confidence_level: float, resamples: int | None, fill: str | None, **given: Any
) -> None:
    """Give intervals for the scores of the systems and for their differences.

    An interval says how far the value may be from the printed one on other test data of this
    kind: on other documents, questions, clusters. GOLD, A and B, or FILE, are as for csig compare;
    a difference is the score of a system minus that of the first one, the baseline.

    Examples:
      csig interval gold.tsv method1.tsv method2.tsv
      csig interval scores.csv --cluster task --confidence-level 0.9
      csig interval gold.conll a.conll b.conll --metric f1 --method bca --seed 1
      csig interval --counts yeh.toml -f latex
      csig interval scores.csv --plot scores.pdf --plot-kind scores
      csig interval x_samples.jsonl --fill x.json --json filled.json
    """
    asked = asked_to_draw(
        resamples=resamples, seed=given["seed"], bit_generator=given["bit_generator"]
    )
    if method in UNDRAWN_INTERVALS and asked:
        raise click.UsageError(
            f"{asked[0]}: method {method} draws nothing; choose another --method"
        )
    output, request = Output.taken(given), Request.taken(given)
    if fill is not None:
        _fill(fill, request, output, confidence_level, method)
        return
    options = options_of(
        given,
        n_resamples=resamples or RESAMPLES,
        pvalue_confidence=confidence_level,
        alpha=1 - confidence_level,
        interval=method,
        confidence_level=confidence_level,
    )

    def made() -> tuple[Estimates, Document]:
        from csig.answers.answer import document_of_estimates
        from csig.comparing.estimates import estimated

        found = estimated(request, options, resamples)
        return found, document_of_estimates(found)

    def page(found: Estimates) -> Figure:
        from csig.comparing import pictures_pages  # for those who draw

        return pictures_pages.page_of_estimates(found, output.plot_kind or "differences")

    output.give(made, request.paths, page)


def _fill(path: str, request: Request, output: Output, level: float, method: str) -> None:
    """Print and write an aggregate of every-eval-ever with the intervals of its scores."""
    if method not in ("auto", "linearized") or output.plot_path is not None:
        raise click.UsageError("--fill takes linearized intervals, and draws nothing")
    own = {"fill", "files", "method", "confidence_level", "max_size"}
    check_given(own | vars(output).keys(), "--fill")
    if not request.files:
        raise click.UsageError("--fill: give the aggregate's samples as FILES")
    from csig.comparing.aggregates import document, fill_uncertainty

    def made() -> tuple[None, Document]:
        return None, document(fill_uncertainty(path, *request.files, confidence_level=level))

    output.give(made, [path, *request.paths])
