"""Documents of several ranking methods: what the verdict claims, the tables, rows and records."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hostile import NAMES

import csig
from csig.report.document import Section, Table
from csig.report.ranked_methods import MOST_PAIRS, document_of_methods
from csig.report.shown import document_of

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


def verdict(*methods: str, n: Any = 50, table: Any = TABLE, **options: Any) -> str:
    found = csig.rank_methods(table, methods, n, **{**FEW, **options})
    return " ".join(document_of(found).verdict)


def test_many_methods() -> None:
    found = csig.rank_methods(TABLE, METHODS, 50)
    n = sum(bool(pair.regions) for pair in found.pairs)
    average = found.precision["good"].average_precision
    assert verdict(*METHODS) == (
        f"good has the best average precision, {100 * average:.2f}%, of 4 methods; {n} of 6 pairs "
        "differ significantly at n = 50 (0.05, Fisher's exact test, Holm-adjusted). good is "
        "significantly better than ties and poor; not shown to differ from fair."
    )
    said = verdict(*METHODS, n=[20, 50])
    assert "differ significantly at some of 2 lengths from 20 to 50 (0.05, all pairs and " in said


def test_two_methods() -> None:
    assert verdict("good", "poor") == (
        "good is significantly better than poor at n = 50 (0.05, Fisher's exact test)."
    )
    assert verdict("good", "poor", n=[20, 40, 60]) == (
        "good is significantly better than poor from n = 20 to 60 of the lengths tested (0.05, "
        "all lengths together)."
    )
    assert verdict("good", "fair").startswith(
        "No significant difference between good and fair at n = 50: p = "
    )
    assert "poor at any of 2 lengths from 1 to 2: p = " in verdict("ties", "poor", n=[1, 2])


def test_a_baseline() -> None:
    assert verdict(*METHODS, baseline="ties") == (
        "good and fair are significantly better than ties (0.05, Fisher's exact test, "
        "Holm-adjusted)."
    )
    assert verdict("good", "poor", "fair", baseline="good", n=[49, 50]) == (
        "poor is significantly worse than good at some n (0.05, all pairs and lengths together)."
    )
    assert verdict("ties", "poor", "good", baseline="poor", n=1).startswith(
        "No method differs significantly from poor at n = 1 (0.05"
    )


def test_methods_that_cross() -> None:
    table = crossed()
    assert verdict("early", "late", n=[40, 120], table=table) == (
        "early is significantly better than late at n = 40; late is significantly better than "
        "early at n = 120 (0.05, all lengths together)."
    )
    found = csig.rank_methods(table, ["early", "late"], [40, 120], **FEW)
    assert found.pairs[0].better is None
    cells = [cell.text for cell in document_of(found).tables[1].rows[0]]
    assert cells[2:] == ["* depends on n", "40 (early); 120 (late)"]
    table["noise"] = np.random.default_rng(1).random(240)
    assert verdict("early", "late", "noise", n=[40, 120], table=table).endswith(
        "early is significantly better or worse than late and noise, depending on n."
    )
    assert "early and noise are significantly both better and worse than late at some n" in verdict(
        "early", "late", "noise", n=[40, 120], table=table, baseline="late"
    )


def test_one_method() -> None:
    found = csig.rank_methods(TABLE, "good", 50)
    document = document_of(found)
    assert [table.name for table in document.tables] == ["precision"]
    assert "are true." in document.verdict[0]
    assert found.to_dict()["pairs"] == []
    assert found.to_dict()["test"] is None


def test_tables_of_one_length_and_of_several() -> None:
    one = document_of(csig.rank_methods(TABLE, METHODS, 50))
    assert one.tables[0].rows[0][0].text == "good"
    assert len(one.tables[0].columns) == 6
    assert len(one.tables[1].rows) == 6
    many = document_of(csig.rank_methods(TABLE, METHODS, range(10, 101), **FEW))
    assert len(many.tables[0].columns) <= 8
    assert "All 91 lengths are in -f csv and -f json." in many.notes


def test_lists_that_are_longer() -> None:
    found = csig.rank_methods(TABLE, ["good", "ties"], 50)
    size = int(found.precision["ties"].size[0])
    assert size > 50
    assert f" of {size}" in found.summary()


def test_many_pairs_are_not_printed() -> None:
    table = {"true": TRUE, **{f"m{i}": np.random.default_rng(i).random(200) for i in range(11)}}
    found = csig.rank_methods(table, [f"m{i}" for i in range(11)], 50)
    assert len(found.pairs) > MOST_PAIRS
    document = document_of(found)
    assert [own.name for own in document.tables] == ["precision"]
    assert "All 55 pairs are in -f csv and -f json." in document.notes
    assert len(document.rows) == 55


def test_rows_and_record_have_the_numbers() -> None:
    found = csig.rank_methods(TABLE, METHODS, [20, 50], baseline="poor", **FEW)
    rows = list(csv.DictReader(io.StringIO(found.summary("csv"))))
    assert len(rows) == 6
    record = json.loads(found.summary("json"))
    assert record["baseline"] == "poor"
    for i, row in enumerate(rows):
        pair, k = found.pairs[i // 2], i % 2
        assert (row["a"], row["b"]) == pair.names
        assert float(row["adjusted_pvalue"]) == pair.adjusted[k]
        assert float(row["precision_a"]) - float(row["precision_b"]) == pair.difference[k]
        own = record["pairs"][i // 2]
        assert own["adjusted_pvalues"][k] == pair.adjusted[k]
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


@pytest.mark.parametrize("name", NAMES[:6])
@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "csv", "json"])
def test_names_of_all_kinds(name: str, format: Any) -> None:
    table = {"true": TRUE, name: TABLE["good"], "poor": TABLE["poor"]}
    assert csig.rank_methods(table, [name, "poor"], 50).summary(format, explain=True)


def test_samples_stand_beside() -> None:
    table = {**TABLE, "part": [f"p{i % 4}" for i in range(200)]}
    found = csig.rank_methods(TABLE, METHODS, 120)
    samples = csig.sample_precision(table, METHODS, sample="part", total=120)
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
    assert "At n: the widest ranges; all of them are in --explain and -f json." in one.notes
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
