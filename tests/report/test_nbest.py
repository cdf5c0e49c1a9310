"""The n best of ranking methods, and two of them, as documents."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

import csig
from csig.report.nbest import MOST_LENGTHS
from csig.report.shown import document_of
from csig.shown import FORMATS
from csig.wording import pvalue

RNG = np.random.default_rng(5)
TRUE = RNG.random(300) < 0.3
TABLE = {
    "true": TRUE,
    "M&I": (RNG.random(300) + 0.5 * TRUE).round(2),
    "freq": RNG.integers(1, 20, 300),
}
FOUND = csig.nbest_precision(TABLE, ["M&I", "freq"])
PAIR = csig.compare_rankings(TABLE, "M&I", "freq", n=60)


def cells(table):
    return [[cell.text for cell in row] for row in table.rows]


def test_a_line_says_what_was_found():
    best = FOUND["M&I"].average_precision
    assert repr(FOUND).startswith(f"<NBestResult 2 methods, 300 candidates, {TRUE.sum()} true; ")
    assert f"{best:.4f}" in repr(FOUND)
    only_a, only_b = (f"{own[0]} of {sum(own)}" for own in (PAIR.only_a, PAIR.only_b))
    assert repr(PAIR) == (  # the numbers that Fisher's p-value is about
        f"<RankingComparison p = {pvalue(PAIR.pvalue)} (Fisher): true are {only_a} of only M&I, "
        f"{only_b} of only freq>"
    )


def test_round_lengths_of_many():
    document = document_of(FOUND)
    first, second = document.tables
    assert [row[0] for row in cells(first)] == ["10", "20", "50", "100", "200", "300"]
    assert first.title.startswith("M&I: average precision")
    own = FOUND["freq"]
    (row,) = (row for row in cells(second) if row[0] == "50")
    assert float(row[1]) == pytest.approx(own.true_positives[49], rel=1e-5)
    assert row[2] == f"{100 * own.precision[49]:.2f}"
    assert row[4] == f"{100 * own.band_low[49]:.2f} to {100 * own.band_high[49]:.2f}"
    assert row[6] == str(own.tied[49])
    assert "All 300 lengths are in CSV, JSON and data frames." in document.notes


def test_a_few_lengths_are_all_printed():
    lengths = list(range(1, MOST_LENGTHS + 1))
    few = csig.nbest_precision(TABLE, "freq", lengths, ties="all")
    (table,) = document_of(few).tables
    assert len(table.rows) == MOST_LENGTHS
    size = few["freq"].size[4]
    assert cells(table)[4][0] == f"5 ({size})"
    assert "longer than n" in few.summary()


def test_programs_have_every_length():
    rows = list(csv.DictReader(io.StringIO(FOUND.summary("csv"))))
    assert len(rows) == 600
    assert [row["method"] for row in rows[299:301]] == ["M&I", "freq"]
    assert float(rows[42]["band_high"]) == pytest.approx(FOUND["M&I"].band_high[42], rel=1e-9)
    (record,) = json.loads(FOUND.summary("json"))["results"]
    assert record["kind"] == "NBestResult"
    curve = record["curves"][1]
    assert curve["name"] == "freq"
    assert curve["precision"] == FOUND["freq"].precision.tolist()
    assert FOUND.to_frame("pandas").shape == (600, 13)


def test_the_verdict_is_of_the_candidates_of_one_only():
    document = document_of(PAIR)
    assert PAIR.pvalue < 0.05
    a, b = PAIR.shares
    (said,) = document.verdict
    assert said.startswith("M&I is significantly better (p = ")
    assert f"{100 * a:.2f}% are true" in said
    assert said.endswith(f"of those that only freq accepts {100 * b:.2f}%.")
    lists, tests = document.tables
    assert cells(lists)[0][1:3] == [str(PAIR.sizes[0]), str(PAIR.true_positives[0])]
    assert cells(tests)[0][0] == "Fisher's exact test"
    assert document.doubts == PAIR.doubts != ()


def test_without_a_difference():
    same = csig.compare_rankings(TABLE | {"other": TABLE["freq"]}, "freq", "other", n=60)
    text = same.summary()
    assert "No significant difference between freq and other (p = 1, Fisher's exact test)." in text
    assert "undefined" in text
    (record,) = same.to_dict()["results"]
    assert record["chi_square"] is None
    assert (record["pvalue"], record["n"], record["only_a_true"]) == (1, 60, 0)
    assert same.to_frame("pandas")["randomization_pvalue"].tolist() == [1]


def test_where_the_other_is_better():
    turned = csig.compare_rankings(TABLE, "freq", "M&I", threshold=(10, 1))
    assert "M&I is significantly better" in turned.summary()
    assert "freq and M&I: thresholds" in document_of(turned).title


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("result", [FOUND, PAIR], ids=["n best", "pair"])
def test_every_format(result, format):
    text = result.summary(format)
    wanted = {"latex": r"M\&I", "html": "M&amp;I", "markdown": "M&amp;I"}.get(format, "M&I")
    assert wanted in text


SAMPLES = [(20, 100), (35, 100), (24, 100), (41, 100), (15, 100), (27, 100)]


def test_samples_that_vary_too_much_are_said_so():
    found = csig.validate_binomial(SAMPLES, 0.3)
    assert repr(found) == (
        "<BinomialValidation 6 samples, precision 27.00%, observed / expected sd = 2.17, "
        "p = 0.000278>"
    )
    document = document_of(found)
    (verdict,) = document.verdict
    assert verdict.startswith("The samples vary significantly more than the binomial model says")
    numbers, tests = map(cells, document.tables)
    assert ["Precision, %", "27.00"] in numbers
    assert ["Standard deviation, observed, %", "9.61"] in numbers
    assert ["95% intervals that miss", "3 of 6", "0.00223"] in tests
    assert ["Precision is 30.00%, corrected", "", "0.492"] in tests
    for format in FORMATS:
        assert "0.492" in found.summary(format) or "0.4922" in found.summary(format)


def test_samples_that_do_not_and_their_record():
    found = csig.validate_binomial([(20, 100), (25, 80), (24, 90)], confidence_level=0.9)
    (verdict,) = document_of(found).verdict
    assert verdict.startswith("No significant sign that the samples vary more than the binomial")
    assert "80 to 100 candidates" in str(found)
    (record,) = json.loads(found.summary("json"))["results"]
    assert record["kind"] == "BinomialValidation"
    assert record["true_positives"] == [20, 25, 24]
    assert record["edges"][:2] == [None, -4]
    assert record["pvalue"] is None
    assert record["ratio_interval_low"] == found.ratio_interval[0]
    assert record["ratio_bound"] == found.ratio_bound
    assert f"at least {found.ratio_bound:.3f} one-sided (p = " in " ".join(str(found).split())
    (row,) = csv.DictReader(io.StringIO(found.summary("csv")))
    assert float(row["ratio_bound"]) == pytest.approx(found.ratio_bound)
    assert float(row["dispersion_pvalue"]) == pytest.approx(found.dispersion_pvalue)
    assert "80 to 100" in csig.validate_binomial([(1, 80), (3, 100)]).summary()


def test_lengths_of_which_none_is_round():
    lengths = range(103, 300, 4)
    (table,) = document_of(csig.nbest_precision(TABLE, "freq", lengths)).tables
    shown = [int(row[0]) for row in cells(table)]
    assert (len(shown), shown[0], shown[-1]) == (MOST_LENGTHS // 2, 103, 299)
    curves = csig.compare_ranking_curves(TABLE, "M&I", "freq", lengths, n_resamples=99, rng=1)
    assert "All 50 lengths are in CSV, JSON and data frames." in document_of(curves).notes


def test_lists_that_differ_the_other_way_than_their_own_candidates():
    """Of 2,000 accepted by x 300 are true, of 1,100 by y 60; y's own are better."""
    table = {
        "true": [0] * 1000 + [1] * 300 + [0] * 700 + [1] * 60 + [0] * 40,
        "x": [1] * 2000 + [0] * 100,
        "y": [1] * 1000 + [0] * 1000 + [1] * 100,
    }
    found = csig.compare_rankings(table, "x", "y", threshold=1)
    (verdict,) = document_of(found).verdict
    assert verdict.startswith("Neither is better in both ways: of the candidates that only y acc")
    assert verdict.endswith(", but the precision of the whole list is higher for x.")
    assert found.doubts[0].endswith("lists of such different lengths show no better method.")


def test_labels_in_latex_differ():
    latex = FOUND.summary("latex")
    assert latex.count(r"\label{tab:csig-curve}") == latex.count(r"\label{tab:csig-curve-2}") == 1
