"""The line that identifies a result, the methods sentence, and the references in BibTeX."""

import re
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

import csig
from csig import Comparison, Metric
from csig.comparing import signature
from csig.comparing.options import Options, digits_of, record_of_seed, unneeded
from csig.comparing.signature import (
    cited_systems,
    line,
    of_results,
    parse,
)
from csig.comparing.summary import Summary, Systems
from csig.readers.request import Input
from csig.report.document import Citation
from csig.results.randomization import Seed
from csig.systems.report import citation_of_ranked

#: Any characters, half surrogate pairs too.
TEXTS = st.text(st.characters(), max_size=20) | st.sampled_from(
    ["", "|", ":", ",", "%", "%41", "exact", "two-sided", " ", "\n", "\udc80", "csig", "\u202e"]
)
KEYS = st.from_regex("[a-z][a-z0-9-]*", fullmatch=True) | st.sampled_from(["method", "alternative"])
FIELDS = st.dictionaries(KEYS, st.lists(TEXTS, min_size=1, max_size=4).map(tuple), max_size=8)


@given(FIELDS)
@examples(500)
def test_whatever_the_values_are_the_line_reads_back(fields: dict[str, tuple[str, ...]]) -> None:
    text = line(fields)
    assert text.isascii()
    assert text.isprintable()
    assert " " not in text
    assert parse(text) == fields
    assert line(parse(text)) == text


@given(FIELDS, FIELDS)
@examples(200)
def test_other_fields_are_another_line(one, other):
    assert (list(one.items()) == list(other.items())) == (line(one) == line(other))


def test_what_could_not_be_read_back_is_not_written() -> None:
    with pytest.raises(ValueError, match="Key"):
        line({"Key": ["x"]})
    assert line({"v": ["1"], "lower": []}) == "csig|v:1"


# ---- metrics of a user's own -------------------------------------------------------------

COLUMNS = ("tp", "predicted", "gold")
STATISTICS = Comparison.from_statistics(
    [[3, 4, 5], [2, 2, 2], [0, 1, 1]], [[2, 4, 5], [2, 2, 2], [1, 1, 1]], COLUMNS
)
OPTIONS = Options((), "two-sided", "auto", 99, 1, None, None, 0, 0.99, 0.05)


def summary(*metrics: str | Metric, comparison: Comparison = STATISTICS, **asked: Any) -> Summary:
    results = csig.randomization_test(comparison, metrics, **asked)
    options = replace(OPTIONS, metrics=tuple(results))
    source = Input("statistics", {})
    return Summary("1.2.3", source, comparison, options, results, metrics=metrics)


def known(*metrics: str | Metric) -> dict[str, tuple[str, ...]]:
    return parse(summary(*metrics).signature)


def own(above: tuple[int, ...], **options: bool) -> Metric:
    return Metric("own", ("tp", "gold"), numerator=above, denominator=(0, 1), **options)


def halves(sums):
    return sums[:, 0] / 2


def thirds(sums):
    return sums[:, 0] / 3


def test_metrics_are_their_names_or_their_formula() -> None:
    one, other = summary("recall", "f1"), summary(csig.data.metrics.f1, csig.metrics.recall)
    assert one.signature == other.signature
    assert known("recall", "f1")["metrics"] == ("f1", "recall")
    assert "own" not in known("recall", "f1")
    found = [own((1, 0)), own((2, 0)), own((1, -1)), own((1, 0), greater_is_better=False)]
    found += [Metric("own", ("tp",), function=halves), Metric("own", ("tp",), function=thirds)]
    found += [Metric("own", ("tp",), function=halves, tolerance=1e-9)]
    found += [Metric("own", ("tp", "gold"), function=halves)]
    assert len({summary(metric).signature for metric in found}) == len(found)
    assert known(own((1, -1)))["own"] == ("own", "(+1*tp-1*gold)/(+1*gold)")
    named = known(Metric("x", ("tp",), function=partial(halves)))["own"]
    assert named == ("x", f"{__name__}.halves(tp)~1e-12")
    assert known(own((1, 0), greater_is_better=False))["lower"] == ("own",)
    mine = Metric("mine", ("score", "n"), numerator=(1, 0), denominator=(0, 1))
    of_scores = Comparison.from_scores([1, 0.5], [0, 0.25])
    assert "own" not in parse(summary(mine, comparison=of_scores).signature)  # the mean of scores
    # Weights are a metric whatever they are multiplied with; a name of csig is told apart.
    one, other = (Metric("own", ("tp", "gold"), numerator=(k, 0), denominator=(0, k)) for k in "23")
    assert summary(one).signature == summary(other).signature
    mine = Metric("recall", ("tp", "gold"), numerator=(2, 0), denominator=(0, 1))
    assert summary(mine).signature != summary("recall").signature


# ---- results -----------------------------------------------------------------------------


def drawn(seed: Seed) -> Summary:
    found = summary("recall", "f1")
    changes = {"method": "approximate", "n_resamples": 9, "n_hits": 3, "seed": seed}
    recall = replace(found.results["recall"], **changes)
    return replace(found, results={**found.results, "recall": recall})


def test_seeds() -> None:
    """Of several numbers, with a spawn key, and beside metrics that are exact."""
    found = parse(drawn(Seed("mine.Own", (1, 2), (3, 0), 0)).signature)
    expected = {"seed": "1+2", "spawn": "3+0", "gen": "mine.Own", "shuffles": "9"}
    assert {name: found[name] for name in expected} == {k: (v,) for k, v in expected.items()}
    found = parse(drawn(Seed("PCG64", 1, (), 0)).signature)
    methods = dict(zip(found["metrics"], found["method"], strict=True))
    assert methods == {"f1": "exact", "recall": "approximate"}
    assert "spawn" not in found
    assert record_of_seed(None) is None
    assert record_of_seed(Seed("PCG64", (2**70, 3), (4,), 5)) == {
        "bit_generator": "PCG64", "entropy": ["1180591620717411303424", "3"], "spawn_key": [4],
        "run": 5,
    }  # fmt: skip
    assert digits_of(Seed("PCG64", 7, (), 0)) == ["7"]
    assert unneeded(["--seed"]) == "--seed: no effect, as no shuffles were needed."


def test_all_that_decides_verdicts_is_in_it() -> None:
    found, other = summary("recall", "f1"), drawn(Seed("PCG64", 1, (), 0)).results
    assert "confidence" not in parse(found.signature)
    beside = replace(found, sensitivity={"response": other, found.comparison.unit: found.results})
    assert parse(beside.signature)["confidence"] == (repr(found.options.pvalue_confidence),)
    c = Comparison.from_statistics([[1, 5], [3, 5]], [[4, 5], [3, 5]], ("errors", "items"))
    less = summary("error_rate", comparison=c, alternative="less")
    asked = replace(less, options=replace(less.options, alternative="greater"))
    assert parse(asked.signature)["alternative"] == ("greater",)  # the question that was asked
    other = Comparison.from_statistics([[1, 4, 5]], [[2, 4, 5]], COLUMNS)
    one, two = (  # scores of their own belong to their metric
        replace(found, comparisons=dict(zip(("recall", "f1"), pair, strict=True)))
        for pair in ((STATISTICS, other), (other, STATISTICS))
    )
    assert one.signature != two.signature


def test_a_result_that_does_not_know_its_data_says_what_it_knows() -> None:
    options = {"method": "approximate", "n_resamples": 99, "rng": [1, 2]}
    found = csig.randomization_test(STATISTICS, ["recall", "f1"], **options)
    said = parse(of_results(list(found.values()), "1"))
    assert said["metrics"] == ("f1", "recall")
    assert (said["shuffles"], said["seed"], said["confidence"]) == (("99",), ("1+2",), ("0.99",))
    assert "data" not in said
    decided = csig.randomization_test(STATISTICS, "f1", method="approximate", decide_at=0.01, rng=1)
    assert parse(of_results([decided], "1"))["decide"] == ("0.01", "1e-06")


# ---- references --------------------------------------------------------------------------


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


#: What BibTeX's standard styles need of an entry, beside author and title.
REQUIRED = {
    "article": {"journal", "year", "volume", "pages"},
    "inproceedings": {"booktitle", "year"},
    "book": {"publisher", "year"},
    "techreport": {"institution", "year"},
    "misc": {"howpublished"},
}


@pytest.mark.parametrize("key", signature.references())
def test_every_reference_is_bibtex_and_a_text(key: str) -> None:
    found = signature.reference(key)
    kind, name, fields = parsed(found.bibtex)
    assert name == key
    assert set(fields) >= {"author", "title"} | REQUIRED[kind]
    assert "\n" not in found.text
    assert "{" not in found.text
    assert fields["title"].strip("{}") in found.text
    assert fields.get("year", "") in key + found.text
    if key == "noreen1989":  # an ampersand is escaped in BibTeX only
        assert r"John Wiley \& Sons" in found.bibtex
        assert "John Wiley & Sons" in found.text


def keys(found: Citation) -> list[str]:
    return [parsed(own.bibtex)[1] for own in found.references]


# ---- what is cited -----------------------------------------------------------------------


MANY = {"a": [1, 0, 1, 1, 0] * 2, "b": [0, 0, 1, 0, 0] * 2, "c": [1] * 10}


@pytest.mark.parametrize(("correction", "cited"), [
    ("holm", ["holm1979", "mogstad2024"]),
    ("bonferroni", ["holm1979", "mogstad2024"]),
    ("shaffer", ["shaffer1986", "holm1979", "mogstad2024"]),
    ("bh", ["benjamini1995", "holm1979", "mogstad2024"]),
    ("by", ["benjamini2001", "holm1979", "mogstad2024"]),
    ("flips", ["romano2005", "oneill2014", "mogstad2024"]),
])  # fmt: skip
def test_many_systems_cite_their_correction(correction: Any, cited: list[str]) -> None:
    result = csig.compare_systems(MANY, correction=correction, rng=1, n_resamples=99)
    found = citation_of_ranked(result)
    assert keys(found) == ["yeh2000", *cited, "csig"]
    assert "All 3 pairs of 3 systems were compared in accuracy" in found.methods
    assert ("99 sign flips" in found.methods) == (correction == "flips")
    assert "Intervals of ranks hold jointly at 95%" in found.methods


def test_several_systems_cite_holm_and_pairs_the_flips_that_they_share(
    systems: Systems, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = cited_systems(systems.summaries)
    assert "holm1979" in keys(found)
    assert "Holm-adjusted (Holm 1979) for 2 comparisons in every metric" in found.methods
    assert "The differences between x and y and base in mean" in found.methods
    found = citation_of_ranked(csig.compare_systems(MANY, baseline="b"))
    assert keys(found) == ["yeh2000", "holm1979", "csig"]  # there are no ranks
    assert "The scores of 2 systems were compared with those of b in accuracy" in found.methods
    rng = np.random.default_rng(1)
    three = {name: rng.standard_normal(200) for name in "abc"}
    two = {name: three[name] for name in "ab"}
    few = {"rng": 1, "n_resamples": 99}
    certified = "certified, upper bounds within 1e-4 (Graham and Vaaler 1981)"
    assert certified in citation_of_ranked(csig.compare_systems(three)).methods
    monkeypatch.setattr("csig.systems.ranking.BOUND_WORDS", 0)  # there is no time for bounds
    found = citation_of_ranked(csig.compare_systems(three, **few))
    assert keys(found)[:3] == ["yeh2000", "noreen1989", "oneill2014"]
    assert "of 99 sign flips that all pairs share" in found.methods
    assert certified in citation_of_ranked(csig.compare_systems(two)).methods
    monkeypatch.setattr("csig.engines.certified.by_itself", lambda *_: None)  # as where none close
    assert "of 99 shuffles" in citation_of_ranked(csig.compare_systems(two, **few)).methods
