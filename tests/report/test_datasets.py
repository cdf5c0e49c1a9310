"""Systems over data sets as a document: what it says is what was found."""

from __future__ import annotations

import json
import math
import re

import pytest
from hostile import NAMES

import csig
from csig.datasets.report import MOST_PAIRS, as_record, document_of_datasets
from csig.report.rendering import FORMATS, Rendering, render

#: On every data set a is ahead of b, and b of c.
CLEAR = {
    "a": [0.9, 0.8, 0.7, 0.95, 0.6, 0.85, 0.75, 0.99],
    "b": [0.8, 0.7, 0.6, 0.88, 0.5, 0.75, 0.65, 0.89],
    "c": [0.5, 0.4, 0.3, 0.55, 0.2, 0.45, 0.25, 0.59],
}
UNCLEAR = {"a": [0.9, 0.4, 0.7, 0.5], "b": [0.8, 0.7, 0.6, 0.85], "c": [0.5, 0.9, 0.3, 0.85]}


def said(result, **options):
    """A document's verdict, and its tables by name as texts."""
    document = document_of_datasets(result, **options)
    tables = {
        own.name: [[cell.text for cell in row] for row in own.rows] for own in document.tables
    }
    return document.verdict[0], tables


def test_the_verdict_names_few_pairs():
    found = csig.compare_datasets(CLEAR)
    assert said(found)[0] == (
        "a has the best average rank, 1.00, of 3 systems on 8 data sets; 3 of 3 pairs differ "
        "significantly at 0.05 (Wilcoxon signed-rank test, Holm-adjusted): a beats b, a beats c "
        "and b beats c."
    )


def test_no_pair_differs():
    verdict, tables = said(csig.compare_datasets(UNCLEAR))
    assert verdict.endswith("no pair differs significantly at 0.05 (Wilcoxon signed-rank test, "
                            "Holm-adjusted).")  # fmt: skip
    assert {row[-1] for row in tables["pairs"]} == {"no evidence"}


def test_a_shared_best_rank():
    table = {"a": [1, 2, 1, 2], "b": [2, 1, 2, 1], "c": [0, 0, 0, 0]}
    assert said(csig.compare_datasets(table))[0].startswith("a, b have the best average rank")


@pytest.mark.parametrize(
    ("baseline", "verdict"),
    [
        ("a", "b and c are significantly worse than a at 0.05"),
        ("b", "a is significantly better; c is significantly worse than b at 0.05"),
        ("c", "a and b are significantly better than c at 0.05"),
    ],
)
def test_beside_a_baseline(baseline, verdict):
    found = csig.compare_datasets(CLEAR, baseline=baseline)
    assert said(found)[0].startswith(verdict)
    none = csig.compare_datasets(UNCLEAR, baseline=baseline)
    assert said(none)[0].startswith(f"No system differs significantly from {baseline} at 0.05")


def test_two_systems():
    found = csig.compare_datasets({name: CLEAR[name] for name in "cb"})
    verdict, tables = said(found)
    assert verdict == (
        "b is significantly better than c at 0.05 (Wilcoxon signed-rank test): p = 0.00781. Of 8 "
        "data sets b wins 8 and c 0."
    )
    assert "pairs" not in tables
    assert [row[0] for row in tables["overall"]] == [
        "Wilcoxon", "Sign", "Paired t", "Randomization of data sets",
    ]  # fmt: skip
    same = csig.compare_datasets({"x": [1, 2, 3, 4], "y": [1, 2, 4, 3]})
    assert said(same)[0].endswith("x wins 1 and y 1, 2 tied.")
    assert said(same)[0].startswith("No significant difference between x and y at 0.05")


def test_cells_are_the_results_numbers():
    found = csig.compare_datasets(CLEAR)
    _, tables = said(found)
    for own, row in zip(found.systems, tables["systems"], strict=True):
        mean = sum(CLEAR[own.name]) / 8
        assert row == [
            own.name, f"{own.average_rank:.2f}", f"{100 * mean:.2f}",
            f"{own.wins}/{own.ties}/{own.losses}",
            f"{own.better_than}/{2 - own.better_than - own.worse_than}/{own.worse_than}",
        ]  # fmt: skip
    for pair, row in zip(found.pairs, tables["pairs"], strict=True):
        assert row[0] == f"{pair.system} - {pair.other}"
        assert float(row[1]) == pytest.approx(pair.rank_difference, abs=5e-3)
        assert float(row[3]) == pytest.approx(pair.pvalue, rel=2e-2)
        assert float(row[4]) == pytest.approx(pair.adjusted_pvalue, rel=2e-2)


@pytest.mark.parametrize(("table", "trusted"), [
    (CLEAR, "Iman-Davenport"),
    ({**CLEAR, "d": CLEAR["c"]}, "Iman-Davenport, tied ranks"),
    ({name: CLEAR[name] for name in "ab"}, "Wilcoxon"),
])  # fmt: skip
def test_one_test_is_to_be_trusted(table, trusted):
    found = csig.compare_datasets(table)
    _, tables = said(found)
    marked = [row[0] for row in tables["overall"] if row[-1] == "trust this one"]
    assert marked == [trusted]
    record = as_record(found)
    assert record["trusted"] in [own["name"] for own in record["overall"]]
    own = next(own for own in found.overall if own.name == record["trusted"])
    (row,) = [row for row in tables["overall"] if row[0] == trusted]
    assert float(row[2]) == pytest.approx(own.pvalue, rel=2e-2)


def test_an_infinite_statistic_is_a_word_and_null():
    found = csig.compare_datasets(CLEAR)
    assert math.isinf(next(o.statistic for o in found.overall if o.name == "iman-davenport"))
    _, tables = said(found)
    assert "infinite" in next(row[1] for row in tables["overall"] if row[0] == "Iman-Davenport")
    json.dumps(as_record(found), allow_nan=False)


def test_every_procedure_with_its_doubt():
    found = csig.compare_datasets(CLEAR)
    document = document_of_datasets(found, all_tests=True)
    parts = [own for own in document.tables if own.name.startswith("procedures")]
    shown = {}
    for own in parts:
        for i, column in enumerate(own.columns[1:], 1):
            shown[column.header] = [row[i].text for row in own.rows]
    assert "Wilcoxon" in shown
    assert {"t?", "Nemenyi?", "Tukey?"} <= set(shown)
    for header, name in (("Wilcoxon", "wilcoxon"), ("Nemenyi?", "nemenyi"), ("Tukey?", "tukey")):
        for pair, text in zip(found.pairs, shown[header], strict=True):
            p = pair.adjusted_by[name]
            assert text.endswith("*") == (p <= 0.05)
            assert float(text.removesuffix("*").replace("< ", "")) == pytest.approx(p, rel=2e-2)
    assert all(len(own.columns) <= 8 for own in parts)


def test_many_pairs_are_for_programs():
    table = {f"s{i:02d}": [(i * j) % 11 + i for j in range(1, 9)] for i in range(11)}
    found = csig.compare_datasets(table)
    assert len(found.pairs) == 55 > MOST_PAIRS
    document = document_of_datasets(found, all_tests=True)
    assert [own.name for own in document.tables] == ["systems", "overall"]
    assert any("All 55 pairs are in -f csv and -f json." in note for note in document.notes)
    assert len(document.rows) == len(as_record(found)["pairs"]) == 55


def test_rows_have_every_p():
    found = csig.compare_datasets(CLEAR, baseline="c")
    rows = document_of_datasets(found).rows
    assert len({tuple(row) for row in rows}) == 1
    for pair, row in zip(found.pairs, rows, strict=True):
        assert row["adjusted_dunnett"] == pair.adjusted_by["dunnett"]
        assert row["pvalue_sign"] == pair.pvalues["sign"]
        assert row["better"] == pair.better


def test_friedmans_chi_square_is_no_doubt_about_the_verdict():
    found = csig.compare_datasets(CLEAR)
    document = document_of_datasets(found)
    assert any("chi-square is a rough" in own for own in found.overall_doubts)
    assert found.doubts == ()
    assert len(as_record(found)["doubts"]) == len(found.overall_doubts) == 1
    assert not any("chi-square is a rough" in own for own in document.doubts)
    assert "chi-square is a rough" in found.summary(explain=True).replace("\n", " ")


def test_a_share_of_false_claims_is_said():
    found = csig.compare_datasets(CLEAR, correction="bh")
    notes = " ".join(document_of_datasets(found).notes)
    assert "At most 5% of the significant pairs are expected to be false claims" in notes


@pytest.mark.parametrize("form", FORMATS)
def test_any_name_in_any_format(form):
    names = list(dict.fromkeys(name for name in NAMES if len(name) < 200))[:40:4]
    table = {name: [(i * j) % 7 for j in range(1, 6)] for i, name in enumerate(names)}
    found = csig.compare_datasets(table)
    document = document_of_datasets(found, all_tests=True)
    text = render(document, form, Rendering(explain=True))
    assert text
    if form == "json":
        back = {own["name"] for own in json.loads(text)["systems"]}
        assert len(back) == len(names)


def test_pages_have_the_diagram():
    pytest.importorskip("matplotlib")
    found = csig.compare_datasets(UNCLEAR)
    page = found.summary("html", explain=True)
    (alt,) = re.findall(r'alt="(Critical-difference diagram[^"]*)"', page)
    assert alt.startswith("Critical-difference diagram; average ranks: ")
    assert all(f"{own.name} {own.average_rank:.2f}" in alt for own in found.systems)
    assert page.count("data:image/svg+xml") == 1
    assert "data:image" not in found.summary("html")
    two = csig.compare_datasets({name: CLEAR[name] for name in "ab"})
    assert "data:image" not in two.summary("html", explain=True)


def test_a_result_shows_itself():
    found = csig.compare_datasets(CLEAR)
    assert str(found).startswith("a has the best average rank")
    assert found.to_dict()["schema"] == "csig.datasets"
    assert "<table" in found._repr_html_()
