"""Documents of ranking methods: what the verdict claims, the tables, rows, records, pictures."""

import base64
import csv
import io
import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import csig
from csig import InputError
from csig.base.shown import FORMATS
from csig.rankings.report import MOST_LENGTHS, MOST_PAIRS, document_of_methods
from csig.report import shown as shown_module
from csig.report.document import Picture, Section, Table
from csig.report.shown import document_of, picture_of

RNG = np.random.default_rng(3)
TRUE = RNG.random(200) < 0.4
TABLE: dict[str, Any] = {
    "true": TRUE,
    "good": RNG.random(200) + TRUE,
    "fair": RNG.random(200) + 0.9 * TRUE,
    "ties": RNG.integers(0, 8, 200),
    "poor": RNG.random(200),
}


def crossed() -> dict[str, Any]:
    """One method is better in short lists, the other in long ones."""
    blocks = {"A": (40, 1), "B": (40, 0), "C": (80, 1), "D": (80, 0)}
    rows = [(block, true, i) for block, (size, true) in blocks.items() for i in range(size)]
    return {
        "true": [true for _, true, _ in rows],
        "early": [1000 * "BCDA".index(block) + i for block, _, i in rows],
        "late": [1000 * "DACB".index(block) + i for block, _, i in rows],
    }


METHODS = ["poor", "ties", "good", "fair"]
FEW = {"n_resamples": 1999, "rng": 5, "threads": 1}


def cells(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


AVERAGE = csig.rankings.nbest_precision(TABLE, "good", 50, ties="all")["good"].average_precision
CROSSED = {**crossed(), "noise": np.random.default_rng(1).random(240)}


@pytest.mark.parametrize(("methods", "options", "text"), [
    ("poor ties good fair", {},
     f"good has the best average precision, {100 * AVERAGE:.2f}%, of 4 methods; 4 of 6 pairs "
     "differ significantly at n = 50 (0.05, Fisher's exact test, Holm-adjusted). good is "
     "significantly better than ties and poor; not shown to differ from fair."),
    ("poor ties good fair", {"n": [20, 50]},
     "differ significantly at some of 2 lengths from 20 to 50 (0.05, all pairs and "),
    ("good poor", {},
     "good is significantly better than poor at n = 50 (0.05, Fisher's exact test)."),
    ("good poor", {"n": [20, 40, 60]},
     "good is significantly better than poor from n = 20 to 60 of the lengths tested (0.05, "
     "all lengths together)."),
    ("good fair", {}, "No significant difference between good and fair at n = 50: p = "),
    ("ties poor", {"n": [1, 2]}, "poor at any of 2 lengths from 1 to 2: p = "),
    ("poor ties good fair", {"baseline": "ties"},
     "good and fair are significantly better than ties (0.05, Fisher's exact test, "
     "Holm-adjusted)."),
    ("good poor fair", {"baseline": "good", "n": [49, 50]},
     "poor is significantly worse than good at some n (0.05, all pairs and lengths together)."),
    ("ties poor good", {"baseline": "poor", "n": 1},
     "No method differs significantly from poor at n = 1 (0.05"),
    ("early late", {"n": [40, 120]},
     "early is significantly better than late at n = 40; late is significantly better than "
     "early at n = 120 (0.05, all lengths together)."),
    ("early late noise", {"n": [40, 120]},
     "early is significantly better or worse than late and noise, depending on n."),
    ("early late noise", {"n": [40, 120], "baseline": "late"},
     "early and noise are significantly both better and worse than late at some n"),
    ("good poor", {"threshold": 0.5, "n": None},
     "good is significantly better than poor with these thresholds (0.05, Fisher's exact "),
])  # fmt: skip
def test_verdicts(methods: str, options: dict[str, Any], text: str) -> None:
    table = CROSSED if "early" in methods else TABLE
    drawn = {} if "threshold" in options else FEW
    found = csig.rank_methods(table, methods.split(), **{"n": 50, **drawn, **options})
    verdict = " ".join(document_of(found).verdict)
    assert verdict == text if text.endswith(").") else text in verdict


def test_methods_that_cross() -> None:
    found = csig.rank_methods(CROSSED, ["early", "late"], [40, 120], **FEW)
    assert found.pairs[0].better is None
    row = cells(document_of(found).tables[1])[0]
    assert row[2:] == ["* depends on n", "40 (early); 120 (late)"]


def test_tables_of_one_method_of_one_length_and_of_many() -> None:
    alone = document_of(csig.rank_methods(TABLE, "good", 50))
    assert [table.name for table in alone.tables] == ["precision"]
    assert "are true." in alone.verdict[0]
    one = document_of(csig.rank_methods(TABLE, METHODS, 50))
    assert one.tables[0].rows[0][0].text == "good"
    assert [len(one.tables[0].columns), len(one.tables[1].rows)] == [6, 6]
    many = document_of(csig.rank_methods(TABLE, METHODS, range(10, 101), **FEW))
    assert len(many.tables[0].columns) <= 8
    assert "All 91 lengths are in CSV and JSON output." in many.notes
    longer = csig.rank_methods(TABLE, ["good", "ties"], 50)
    size = int(longer.precision["ties"].size[0])
    assert size > 50
    assert f" of {size}" in longer.summary()
    methods = {f"m{i}": np.random.default_rng(i).random(200) for i in range(11)}
    found = csig.rank_methods({"true": TRUE, **methods}, list(methods), 50)
    document = document_of(found)  # more pairs than are printed
    assert len(found.pairs) == len(document.rows) == 55 > MOST_PAIRS
    assert [own.name for own in document.tables] == ["precision"]
    assert "All 55 pairs are in CSV and JSON output." in document.notes


def test_rows_and_record_have_the_numbers() -> None:
    found = csig.rank_methods(TABLE, METHODS, [20, 50], baseline="poor", **FEW)
    rows = list(csv.DictReader(io.StringIO(found.summary("csv"))))
    assert len(rows) == 6
    record = json.loads(found.summary("json"))
    assert record["baseline"] == "poor"
    for i, row in enumerate(rows):
        pair, k = found.pairs[i // 2], i % 2
        assert (row["a"], row["b"]) == pair.names
        assert float(row["adjusted_pvalue"]) == pair.adjusted_pvalues[k]
        assert float(row["precision_a"]) - float(row["precision_b"]) == pair.difference[k]
        own = record["pairs"][i // 2]
        assert own["adjusted_pvalues"][k] == pair.adjusted_pvalues[k]
        assert own["only_b_false"][k] == int(row["only_b_false"]) == pair.only_b[k, 1]
        better = pair.names[0] if pair.a_better[k] else pair.names[1] if pair.b_better[k] else ""
        assert row["better"] == better


def test_what_is_explained_and_cited() -> None:
    found = csig.rank_methods(TABLE, METHODS, [20, 50], **FEW)
    said = " ".join(found.summary(explain=True, cite=True).split())
    for text in (
        "What was tested", "Every pair begins with the same seed", "95%, all n",
        "The n best of every method, with intervals", "(Evert 2004)", "(Holm 1979)",
        "All 6 pairs of methods were compared on the candidates", "(Romano and Wolf 2005)",
        "over the pairs (Holm 1979), each a family of lengths that is done where all differ.",
    ):  # fmt: skip
        assert text in said
    one = csig.rank_methods(TABLE, METHODS, 50, baseline="poor").summary(explain=True, cite=True)
    said = " ".join(one.split())
    assert "All other methods were compared with poor, by Fisher's exact test" in said
    assert "The correction for 3 pairs is Holm's. With" in said


def test_signatures() -> None:
    found = csig.rank_methods(TABLE, METHODS, [20, 50], **FEW)
    line = document_of(found).signature
    assert "|test:rank|unit:candidate|n:200|methods:4,all|lengths:20,50|ties:all|" in line
    renamed = {f"the {name}" if name != "true" else name: own for name, own in TABLE.items()}
    names = [f"the {name}" for name in METHODS[::-1]]
    same = csig.rank_methods(renamed, names, [50, 20], **FEW)
    assert document_of(same).signature == line
    for change in (
        {"n": [20, 51]}, {"rng": 6}, {"ties": "first"}, {"alpha": 0.1}, {"baseline": "poor"},
        {"n_resamples": 99}, {"interval": "wilson"}, {"lower_is_better": "poor"},
    ):  # fmt: skip
        options: Any = {"n": [20, 50], **FEW, **change}
        other = csig.rank_methods(TABLE, METHODS, **options)
        assert document_of(other).signature != line
    ranges = csig.rank_methods(TABLE, METHODS, range(20, 61, 10), **FEW)
    assert "|lengths:20-60,10|" in document_of(ranges).signature


def test_samples_stand_beside() -> None:
    table = {**TABLE, "part": [f"p{i % 4}" for i in range(200)]}
    found = csig.rank_methods(TABLE, METHODS, 120)
    samples = csig.rankings.sample_precision(table, METHODS, sample="part", total=120)
    document = document_of_methods(found, samples=samples)
    assert [own.name for own in document.tables] == ["precision", "pairs", "samples"]
    record = document.record()["samples"]
    assert record["names"] == ["p0", "p1", "p2", "p3"]
    assert [sum(own["accepted"]) for own in record["methods"]] == [
        int(found.precision[name].size[0]) for name in METHODS
    ]
    assert "|samples:4,total=120," in document.signature


def test_many_ranges_are_shortened() -> None:
    a, n = np.zeros(40, dtype=bool), np.arange(1, 41)
    a[[0, 2, 4, 6, 7, 9, 20, 21, 22]] = True
    b = np.zeros(40, dtype=bool)
    b[[30, 31, 33, 35, 37]] = True
    found = csig.rank_methods(TABLE, ["good", "poor"], n.tolist(), **FEW)

    def changed(**own: Any) -> Any:
        return replace(found, pairs=(replace(found.pairs[0], names=("good", "poor"), **own),))

    one = document_of(changed(a_better=a, b_better=np.zeros(40, dtype=bool)))
    assert one.verdict[0].startswith(
        "good is significantly better than poor at n = 1, from n = 7 to 8, from n = 21 to 23 and "
        "in 3 more ranges (0.05"
    )
    assert one.tables[1].rows[0][-1].text == "1; 7 to 8; 21 to 23; 3 more"
    assert "At n: the widest ranges; JSON output has all." in one.notes
    both = document_of(changed(a_better=a, b_better=b))
    assert both.tables[1].rows[0][-1].text == (
        "7 to 8 (good); 21 to 23 (good); 31 to 32 (poor); 34 (poor); 6 more"
    )
    tests = both.explanation[0]
    assert isinstance(tests, Section)
    (ranges,) = (own for own in tests.blocks if isinstance(own, Table) and own.name == "ranges")
    assert len(ranges.rows) == 10 == len(both.record()["pairs"][0]["regions"])
    assert [cell.text for cell in ranges.rows[-1]] == ["good - poor", "38", "poor better"]
    few = document_of(changed(a_better=a & (n > 7), b_better=a & (n < 0)))
    assert few.tables[1].rows[0][-1].text == "8; 10; 21 to 23"
    assert "widest" not in " ".join(few.notes)


# ---- the n best, and samples of one method -------------------------------------------------------

BEST_RNG = np.random.default_rng(5)
BEST_TRUE = BEST_RNG.random(300) < 0.3
BEST_TABLE = {
    "true": BEST_TRUE,
    "M&I": (BEST_RNG.random(300) + 0.5 * BEST_TRUE).round(2),
    "freq": BEST_RNG.integers(1, 20, 300),
}
FOUND = csig.rankings.nbest_precision(BEST_TABLE, ["M&I", "freq"])


def test_round_lengths_of_many() -> None:
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


def test_a_few_lengths_are_all_printed_of_many_every_other() -> None:
    lengths = list(range(1, MOST_LENGTHS + 1))
    few = csig.rankings.nbest_precision(BEST_TABLE, "freq", lengths, ties="all")
    (table,) = document_of(few).tables
    assert len(table.rows) == MOST_LENGTHS
    size = few["freq"].size[4]
    assert cells(table)[4][0] == f"5 ({size})"
    assert "longer than n" in few.summary()
    lengths = list(range(103, 300, 4))  # none of them round
    (table,) = document_of(csig.rankings.nbest_precision(BEST_TABLE, "freq", lengths)).tables
    shown = [int(row[0]) for row in cells(table)]
    assert (len(shown), shown[0], shown[-1]) == (MOST_LENGTHS // 2, 103, 299)


def test_programs_have_every_length() -> None:
    best = FOUND["M&I"].average_precision
    assert repr(FOUND) == (
        f"<NBestResult 2 methods, 300 candidates, {BEST_TRUE.sum()} true; the best average "
        f"precision is {best:.4f} (M&I)>"
    )
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
    latex = FOUND.summary("latex")
    assert latex.count(r"\label{tab:csig-curve}") == latex.count(r"\label{tab:csig-curve-2}") == 1


SAMPLES = [(20, 100), (35, 100), (24, 100), (41, 100), (15, 100), (27, 100)]


def test_samples_that_vary_too_much_are_said_so() -> None:
    found = csig.rankings.validate_binomial(SAMPLES, 0.3)
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


def test_samples_that_do_not_and_their_record() -> None:
    found = csig.rankings.validate_binomial([(20, 100), (25, 80), (24, 90)], confidence_level=0.9)
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
    assert "80 to 100" in csig.rankings.validate_binomial([(1, 80), (3, 100)]).summary()


# ---- several samples in one table ----------------------------------------------------------------

PART_RNG = np.random.default_rng(1)
PART = np.repeat(np.arange(20), 60)
PART_TRUE = PART_RNG.random(1200) < PART_RNG.beta(4, 8, 20)[PART]
PART_TABLE = {
    "part": PART,
    "true": PART_TRUE,
    "MI": 0.8 * PART_TRUE + PART_RNG.normal(size=1200),
    "freq": 0.3 * PART_TRUE + PART_RNG.normal(size=1200),
}


def test_precision_in_samples() -> None:
    found = csig.rankings.sample_precision(PART_TABLE, ["MI", "freq"], sample="part", n=20)
    text = found.summary()
    assert "more between samples than the binomial model says: MI." in text
    assert "Accepted: the 20 best of every sample; all candidates tied" in text
    assert repr(found).startswith("<SamplePrecision 20 samples, 2 methods; more variation than")
    (record,) = json.loads(found.summary("json"))["results"]
    assert record["kind"] == "SamplePrecision"
    assert record["methods"][0]["ratio"] == found["MI"].ratio
    assert record["methods"][1]["true_positives"] == found.true_positives[1].tolist()
    rows = document_of(found).rows
    assert (len(rows), rows[20]["method"]) == (40, "freq")
    assert rows[3]["precision"] == found.true_positives[0, 3] / 20


@pytest.mark.parametrize(("options", "rule"), [
    ({"threshold": (0.8, 0.5)}, "Accepted: candidates with these scores or better: MI 0.8, fr"),
    ({"total": 300, "ties": "first"}, "those among the 300 best of the whole table; of candid"),
])  # fmt: skip
def test_what_is_accepted_is_said(options: dict[str, Any], rule: str) -> None:
    for found in (
        csig.rankings.sample_precision(PART_TABLE, ["MI", "freq"], sample="part", **options),
        csig.rank_methods(PART_TABLE, ["MI", "freq"], sample="part", **options),
    ):
        assert rule in found.summary(width=200)


def test_two_methods_in_samples() -> None:
    found = csig.rank_methods(PART_TABLE, ["MI", "freq"], 20, sample="part")
    text = " ".join(found.summary(explain=True).split())
    (pair,) = found.pairs
    own = pair.by_sample
    assert own is not None
    assert pair.pvalue < 0.001
    assert (
        "MI is significantly better than freq with the 20 best of every sample (0.05, whole "
        "samples swapped)." in text
    )
    assert "Whole samples are swapped, 20 of them. Candidates of a sample may depend" in text
    assert "A fair coin for every sample trades all that the two methods accept in it." in text
    table = document_of(found).tables[2]
    assert [cell.text for cell in table.rows[0]][3:5] == [f"{own.ratio:.2f}", str(own.swapped)]
    (record,) = json.loads(found.summary("json"))["results"]
    assert (record["kind"], record["accepted"], len(record["samples"])) == (
        "RankedMethods", "sample", 20,
    )  # fmt: skip
    numbers = record["pairs"][0]
    assert numbers["corrected_pvalue"] == own.corrected_pvalue
    assert numbers["interval_low"] == own.interval[0]
    assert sum(row[0] for row in numbers["only_by_sample_a"]) == numbers["only_a_true"][0]
    assert found.to_frame("pandas")["fisher_pvalue"].tolist() == [own.fisher_pvalue]
    drawn = csig.rank_methods(
        PART_TABLE, ["MI", "freq"], 20, sample="part", method="approximate", n_resamples=99, rng=4
    )
    assert "20 of them, 99 shuffles, seed 4." in drawn.summary(width=200)
    table = PART_TABLE | {"w": PART_TABLE["MI"]}
    same = csig.rank_methods(table, ["MI", "w"], 9, sample="part", baseline="w")
    said = "No significant difference between MI and w with the 9 best of every sample: p = 1 "
    assert said in same.summary(width=200)
    with pytest.raises(InputError, match="is of one pair of methods at several lengths"):
        same.plot("ranking_difference")


def test_thresholds_and_one_side() -> None:
    found = csig.rank_methods(TABLE, ["good", "poor"], threshold=0.5)
    assert "Accepted: candidates with these scores or better: good 0.5, poor 0.5." in str(found)
    assert (found.to_dict()["schema"], document_of(found).signature) == (
        "csig.results",
        "",
    )
    with pytest.raises(InputError, match="lists of the same lengths; these have their own"):
        found.plot()
    less = csig.rank_methods(TABLE, ["good", "poor"], 50, baseline="poor", alternative="less")
    assert less.pairs[0].better is None
    assert "Less, one-sided: first minus second." in str(less)


# ---- pictures: where somebody asks for more, in formats that have some ---------------------------

SMALL = {"true": [1, 0, 1, 0, 1, 0] * 5, "x<": range(30), "y": [3, 1, 2, 5, 0, 4] * 5}

RESULTS = {
    "precision": csig.rankings.nbest_precision(SMALL, ["x<", "y"]),
    "histogram": csig.rankings.validate_binomial([(3, 9), (2, 9)]),
}


@pytest.mark.parametrize("name", RESULTS)
def test_an_explained_page_has_the_picture_other_formats_have_none(name: str) -> None:
    pytest.importorskip("matplotlib")
    result = RESULTS[name]
    (picture,) = document_of(result).explanation
    assert isinstance(picture, Picture)
    assert picture.name == name
    page = result.summary("html", explain=True)
    (data,) = re.findall(r"data:image/svg\+xml;base64,([^\"]+)", page)
    assert base64.b64decode(data).startswith(b"<svg")
    (alt,) = re.findall(r'alt="([^"]+)"', page)
    assert alt.endswith(".")
    assert not re.search("<|  ", alt)
    assert "image/svg" not in result.summary("html")
    for format in {*FORMATS} - {"html"}:
        assert result.summary(format, explain=True) == result.summary(format)
    if name == "precision":
        assert picture.alt == "Precision of the n best over n, up to 30: x<, y."


def test_nothing_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_module, "find_spec", lambda _: None)
    assert picture_of(RESULTS["precision"], "precision", "Lines.") == []


# ---- the smallest p ------------------------------------------------------------------------------


def least_of_fisher(sizes: tuple[int, int], right: int, alternative: str) -> dict[int, Fraction]:
    """The p-value of every table with these margins, by how many of the first are true."""
    counts = range(max(0, right - sizes[1]), min(right, sizes[0]) + 1)
    weights = {k: math.comb(sizes[0], k) * math.comb(sizes[1], right - k) for k in counts}
    total = sum(weights.values())

    def counted(k: int) -> Fraction:
        as_extreme = {
            "greater": [own for i, own in weights.items() if i >= k],
            "less": [own for i, own in weights.items() if i <= k],
            "two-sided": [own for own in weights.values() if own <= weights[k]],
        }[alternative]
        return Fraction(sum(as_extreme), total)

    return {k: counted(k) for k in counts}


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize(
    ("sizes", "right"),
    [((3, 3), 3), ((4, 4), 5), ((2, 2), 2), ((3, 3), 6), ((2, 5), 3), ((5, 2), 2)],
)
def test_the_smallest_p_of_candidates(sizes: tuple[int, int], right: int, alternative: Any) -> None:
    """Of as many candidates of one method only, whichever of them are true."""
    pvalues = least_of_fisher(sizes, right, alternative)
    size, other = sizes
    for k, p in pvalues.items():
        true = [1] * k + [0] * (size - k) + [1] * (right - k) + [0] * (other - right + k)
        first, second = [1] * size + [0] * other, [0] * size + [1] * other
        table = {"true": [*true, 1], "x": [*first, 0], "y": [*second, 0]}
        options: dict[str, Any] = {"baseline": "y", "alternative": alternative}
        found = csig.rank_methods(table, ["x", "y"], threshold=1, **options)
        assert found.pairs[0].pvalue == pytest.approx(float(p), rel=1e-12)
        said = "p is the smallest that these candidates can give." in document_of(found).notes
        assert said is (p == min(pvalues.values()) < 1)


def notes(table: Any, methods: str, n: Any, **options: Any) -> list[str]:
    document = document_of(csig.rank_methods(table, [*methods], n, rng=1, **options))
    return [own for own in document.notes if "smallest" in own]


def test_the_smallest_p_of_flips_and_of_samples() -> None:
    table = {"true": [1] * 20 + [0] * 20, "x": range(40, 0, -1), "y": range(40), "z": [1, 2] * 20}
    said = "p is the smallest that 99 flips can give"
    assert notes(table, "xy", [5, 10], n_resamples=99) == [f"{said}."]
    assert notes(table, "xyz", [5, 10], n_resamples=99) == [f"{said}: x - y."]
    assert notes(table, "xz", [2, 3], n_resamples=99) == []
    # In every one of six samples x is better; then in five of them.
    table = {"part": [*range(6)] * 4, "true": [1] * 12 + [0] * 12, "x": [2] * 12 + [0] * 12,
             "y": [0] * 12 + [2] * 12}  # fmt: skip
    said = "p is the smallest that these samples can give."
    for alternative, p in (("two-sided", 2 / 2**6), ("greater", 1 / 2**6), ("less", 1)):
        options: dict[str, Any] = {"sample": "part", "baseline": "y", "alternative": alternative}
        found = csig.rank_methods(table, ["x", "y"], 2, **options)
        assert found.pairs[0].pvalue == p
        assert notes(table, "xy", 2, **options) == [said] * (p < 1)
    options = {"sample": "part", "method": "approximate", "n_resamples": 9}
    assert notes(table, "xy", 2, **options) == ["p is the smallest that 9 shuffles can give."]
    table["true"][0] = table["true"][6] = 0
    table["true"][12] = table["true"][18] = 1
    assert notes(table, "xy", 2, sample="part") == []
    # x is better by two in one sample, worse by one in the other: p = 2/4 one-sided.
    table = {"part": [0] * 4 + [1] * 4, "true": [1, 1, 0, 0, 0, 0, 1, 0],
             "x": [2, 2, 0, 0] * 2, "y": [0, 0, 2, 2] * 2}  # fmt: skip
    options = {"sample": "part", "baseline": "y", "alternative": "greater"}
    assert csig.rank_methods(table, ["x", "y"], 2, **options).pairs[0].pvalue == 0.5
    assert notes(table, "xy", 2, **options) == []


def test_captions_in_papers_say_which_table_is_which() -> None:
    rng = np.random.default_rng(1)
    table = {"t": rng.integers(0, 2, 60).astype(bool), **{m: rng.random(60) for m in "abc"}}
    latex = csig.rank_methods(table, ["a", "b", "c"], true="t", n=[10, 20], rng=1).summary("latex")
    captions = re.findall(r"\\caption\{(.*)\}", latex)
    assert len(captions) == len(set(captions)) >= 2
    assert captions[-1].endswith(": pairs")
    assert "output" not in latex
