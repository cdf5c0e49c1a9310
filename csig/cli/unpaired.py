"""``--unpaired`` of ``csig compare`` and ``csig systems``: timings of independent runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from csig.cli.options import one_metric
from csig.cli.output import Output, check_given
from csig.readers.request import Request

if TYPE_CHECKING:
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
