"""The methods sentence and the references: of what was done, and in BibTeX that parses."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from brute import PAPER

import csig
from csig import Comparison
from csig.comparing import signature
from csig.comparing.options import Options
from csig.comparing.summary import Summary, Systems
from csig.readers.request import Input
from csig.report.document import Citation
from csig.systems.report import citation_of_ranked

OPTIONS = Options((), "two-sided", "auto", 99, 1, None, None, 0, 0.99, 0.05)


def summary(*metrics: str, comparison: Comparison | None = None, **options: object) -> Summary:
    comparison = comparison or Comparison.from_counts(**PAPER, names=("method II", "method I"))
    results = csig.randomization_test(comparison, metrics, **options)  # type: ignore[call-overload]
    return Summary("1.2.3", Input("counts", {}), comparison, OPTIONS, results)


def keys(found: Citation) -> list[str]:
    return [parsed(own.bibtex)[1] for own in found.references]


def parsed(text: str) -> tuple[str, str, dict[str, str]]:
    """Kind, key and fields of one entry: braces that match, no character with a meaning."""
    head = re.match(r"@([a-z]+)\{([a-z0-9]+),\n", text)
    assert head is not None
    assert text.isascii()
    fields: dict[str, str] = {}
    rest = text[head.end() :]
    while rest != "}":
        name = re.match(r"  ([a-z]+) = \{", rest)
        assert name is not None, rest
        depth, at = 1, name.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(rest[at], 0)
            at += 1
        value = rest[name.end() : at - 1]
        assert not re.search(r"(?<!\\)[&%$#_~^]", value)
        assert name[1] not in fields
        fields[name[1]] = value
        assert rest[at : at + 2] == ",\n"
        rest = rest[at + 2 :]
    return head[1], head[2], fields


#: What BibTeX's standard styles need of an entry.
REQUIRED = {
    "article": {"author", "title", "journal", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "book": {"author", "title", "publisher", "year"},
    "techreport": {"author", "title", "institution", "year"},
    "misc": {"author", "title", "howpublished"},
}


@pytest.mark.parametrize("key", signature.references())
def test_every_reference_is_bibtex_and_a_text(key: str) -> None:
    found = signature.reference(key)
    kind, own, fields = parsed(found.bibtex)
    assert own == key
    assert set(fields) >= REQUIRED[kind]
    assert "\n" not in found.text
    assert "{" not in found.text
    assert fields["title"].strip("{}") in found.text
    assert fields.get("year", "") in key + found.text
    if kind == "article":
        assert set(fields) >= {"volume", "pages"}


def test_ampersands_are_escaped_in_bibtex_only() -> None:
    found = signature.reference("noreen1989")
    assert r"John Wiley \& Sons" in found.bibtex
    assert "John Wiley & Sons" in found.text


def test_a_system_may_be_called_after_csig() -> None:
    comparison = Comparison.from_counts(**PAPER, names=("mine (csig)", "base"))
    said = signature.cited_systems([summary("f1", comparison=comparison)]).methods
    assert said.startswith("The differences between mine (csig) and base in f1 were tested")


def test_an_exact_test_cites_neither_shuffles_nor_a_generator() -> None:
    found = signature.cited_systems([summary("recall", "f1")])
    assert keys(found) == ["yeh2000", "csig"]
    assert found.methods == (
        "The differences between method II and method I in recall and f1 were tested by "
        "randomization (Yeh 2000), two-sided, swapping responses between the systems; 86 differ. "
        f"The p-values are exact. Computed with csig {csig.__version__}."
    )


@pytest.mark.parametrize(
    ("generator", "key"),
    [("PCG64DXSM", "oneill2014"), ("Philox", "salmon2011"), ("MT19937", "matsumoto1998"),
     ("SFC64", None)],
)  # fmt: skip
def test_shuffles_cite_noreen_and_the_generator(generator: str, key: str | None) -> None:
    own = {"method": "approximate", "n_resamples": 2000, "rng": 7, "bit_generator": generator}
    found = signature.cited_systems([summary("f1", **own)])
    assert keys(found) == ["yeh2000", "noreen1989", *([key] if key else []), "csig"]
    assert "of 2,000 shuffles" in found.methods
    assert f"({generator}" in found.methods
    assert "seed 7)" in found.methods
    assert found.methods.count("(") == found.methods.count(")")


def test_shuffles_until_decided_cite_what_bounds_them() -> None:
    found = summary("f1", method="approximate", decide_at=0.05, rng=1)
    assert "darling1967" in keys(signature.cited_systems([found]))


def test_shuffles_that_decided_nothing_do_not_say_so() -> None:
    exact = summary("f1").results["f1"].pvalue
    found = summary("f1", method="approximate", decide_at=exact, max_resamples=2**16, rng=1)
    said = signature.cited_systems([found]).methods
    assert "until" not in said
    assert re.search(r"drawn to decide p at 0\.[0-9]+ with a risk of .*, which left f1 undec", said)


def test_pvalues_of_parts_are_not_exact_where_shuffles_were_drawn() -> None:
    found = summary("f1")
    own = {"method": "approximate", "n_resamples": 99, "rng": 1}
    for options, made in (({}, "exact"), (own, "(hits + 1) / (shuffles + 1) (Noreen 1989) of 99")):
        parts = csig.effects.breakdown({"x": found.comparison}, "f1", **options)  # type: ignore[arg-type]
        said = signature.cited_systems([replace(found, breakdown=parts)]).methods
        assert f"The p-values are exact; those of 1 part are {made}" in said
    drawn = replace(summary("f1", **own), breakdown=parts)
    said = signature.cited_systems([drawn]).methods
    assert "those of 1 part are of 99 shuffles, and Holm-adjusted over the parts" in said
    assert said.count("Noreen") == 1


def test_one_side_and_mixed_methods_are_said() -> None:
    found = summary("recall", alternative="greater")
    other = summary("f1", alternative="greater", method="approximate", n_resamples=9, rng=1)
    mixed = replace(found, results={**found.results, **other.results})
    said = signature.cited_systems([mixed]).methods
    assert "two-sided" in said  # what was asked, not how a metric's scores differ
    asked = replace(mixed, options=replace(OPTIONS, alternative="greater"))
    assert "one-sided (better than method I)" in signature.cited_systems([asked]).methods
    assert "are exact, but for f1, where some are (hits + 1)" in said


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("bca", ["efron1987", "oneill2014"]),
        ("percentile", ["efron1979", "oneill2014"]),
        ("basic", ["davison1997", "oneill2014"]),
        ("studentized", ["hall1988", "oneill2014"]),
        ("linearized", ["liang1986", "miller2024"]),
    ],
)
def test_intervals_cite_who_made_them(method: str, expected: list[str]) -> None:
    found = summary("f1")
    if method == "linearized":
        interval = csig.intervals.linearized_interval(found.comparison, "f1")
    else:
        interval = csig.intervals.bootstrap_interval(
            found.comparison,
            "f1",
            method=method,
            rng=1,
            n_resamples=999,  # type: ignore[arg-type]
        )
    own = signature.cited_systems([replace(found, intervals={"f1": interval})])
    assert keys(own) == ["yeh2000", *expected, "csig"]
    assert "95% confidence intervals are from" in own.methods


def test_no_interval_is_not_cited() -> None:
    own = signature.cited_systems([replace(summary("f1"), intervals={"f1": "a reason"})])
    assert keys(own) == ["yeh2000", "csig"]


def test_several_systems_cite_holm(systems: Systems) -> None:
    found = signature.cited_systems(systems.summaries)
    assert "holm1979" in keys(found)
    assert "Holm-adjusted (Holm 1979) for 2 comparisons in every metric" in found.methods
    assert "The differences between x and y and base in mean" in found.methods


def test_names_of_systems_stay_names() -> None:
    comparison = Comparison.from_counts(**PAPER, names=("a\n\x1b[31m", "\\b%"))
    own = signature.cited_systems([summary("f1", comparison=comparison)])
    assert "\n" not in own.methods
    assert "\x1b" not in own.methods
    assert "\\b%" in own.methods


def many(correction: str = "holm", **options: object) -> Citation:
    scores = {"a": [1, 0, 1, 1, 0] * 2, "b": [0, 0, 1, 0, 0] * 2, "c": [1] * 10}
    found = csig.compare_systems(scores, correction=correction, **options)  # type: ignore[arg-type]
    return citation_of_ranked(found)


@pytest.mark.parametrize(
    ("correction", "cited"),
    [
        ("holm", ["holm1979", "mogstad2024"]),
        ("bonferroni", ["holm1979", "mogstad2024"]),
        ("shaffer", ["shaffer1986", "holm1979", "mogstad2024"]),
        ("bh", ["benjamini1995", "holm1979", "mogstad2024"]),
        ("by", ["benjamini2001", "holm1979", "mogstad2024"]),
        ("flips", ["romano2005", "oneill2014", "mogstad2024"]),
    ],
)
def test_many_systems_cite_their_correction(correction: str, cited: list[str]) -> None:
    found = many(correction, rng=1, n_resamples=99)
    assert keys(found) == ["yeh2000", *cited, "csig"]
    assert "All 3 pairs of 3 systems were compared in accuracy" in found.methods
    assert ("99 sign flips" in found.methods) == (correction == "flips")
    assert "Intervals of ranks hold jointly at 95%" in found.methods


def test_beside_a_baseline_there_are_no_ranks_to_cite() -> None:
    found = many(baseline="b")
    assert keys(found) == ["yeh2000", "holm1979", "csig"]
    assert "The scores of 2 systems were compared with those of b in accuracy" in found.methods


def test_pairs_that_share_flips_cite_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    systems = {name: rng.standard_normal(200) for name in "abc"}
    three = citation_of_ranked(csig.compare_systems(systems))
    assert "certified, upper bounds within 1e-4 (Graham and Vaaler 1981)" in three.methods
    monkeypatch.setattr("csig.systems.ranking.BOUND_WORDS", 0)  # there is no time for bounds
    found = citation_of_ranked(csig.compare_systems(systems, rng=1, n_resamples=99))
    assert keys(found)[:3] == ["yeh2000", "noreen1989", "oneill2014"]
    assert "of 99 sign flips that all pairs share" in found.methods
    two = csig.compare_systems(dict(list(systems.items())[:2]))
    cited = citation_of_ranked(two)
    assert "certified, upper bounds within 1e-4 (Graham and Vaaler 1981)" in cited.methods
    monkeypatch.setattr("csig.engines.certified.by_itself", lambda _: None)  # as where none close
    two = csig.compare_systems(dict(list(systems.items())[:2]), rng=1, n_resamples=99)
    assert "of 99 shuffles" in citation_of_ranked(two).methods
