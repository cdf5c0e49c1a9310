"""``csig compare --by``: one row a part, from the same shuffles, with Holm's correction."""

from __future__ import annotations

import random
import statistics

import pytest
from brute import textbook_holm
from commands import record, run, write

import csig

SPANS = {}
for _name, _seed in (("gold", 1), ("x", 2), ("y", 3)):
    _rng = random.Random(_seed)
    SPANS[_name] = {
        f"d{d}": [(i, i + 1, _rng.choice(["PER", "LOC", "ORG"])) for i in range(0, 30, 2)
                  if _rng.random() < 0.6]
        for d in range(12)
    }  # fmt: skip


def span_files():
    files = []
    for name, by_document in SPANS.items():
        lines = [f"{d}\t{s}\t{e}\t{label}" for d, own in by_document.items() for s, e, label in own]
        files.append(write(f"{name}.tsv", *lines))
    return (*files, "--documents", "--spans")


def part(label, unit):
    """The comparison of one label, made by hand."""
    return csig.Comparison.from_responses(
        *({d: [r for r in own if r[2] == label] for d, own in by.items()} for by in SPANS.values()),
        unit=unit, conflict=csig.metrics.spans,
    )  # fmt: skip


@pytest.mark.parametrize(("unit", "level"), [("document", "key"), ("response", "response")])
def test_labels_of_spans(unit, level):
    found = record("compare", *span_files(), "--by", "label", "--unit", unit)["breakdown"]
    counts = {
        label: sum(r[2] == label for by in SPANS.values() for own in by.values() for r in own)
        for label in ("PER", "LOC", "ORG")
    }
    order = sorted(counts, key=lambda label: (-counts[label], label))
    assert [row["label"] for row in found["parts"]] == order
    by_metric = {}
    for row in found["parts"]:
        comparison = part(row["label"], level)
        assert row["r12"] == csig.classical.correlation(comparison)
        assert row["n_units"] == comparison.n_units
        for result in row["results"]:
            alone = csig.randomization_test(comparison, result["metric"], statistic="studentized")
            assert result["pvalue"] == alone.pvalue
            assert (result["baseline_score"], result["score"]) == (alone.score_a, alone.score_b)
            by_metric.setdefault(result["metric"], []).append(result)
    for results in by_metric.values():
        adjusted = [r["adjusted_pvalue"] for r in results]
        assert adjusted == pytest.approx(textbook_holm([r["pvalue"] for r in results]))
    assert found["median_r12"] == statistics.median(row["r12"] for row in found["parts"])
    out = run("compare", *span_files(), "--by", "label", "--unit", unit, "--explain")
    assert f"is {found['median_r12']:.3f}; 0 means" in " ".join(out.split())
    for row in found["parts"]:
        assert f"\n{row['label']} " in out


def test_the_shuffles_are_those_of_the_whole():
    """A single label is the whole: its hits are those of the comparison itself."""
    files = []
    for name, seed in (("gold", 5), ("x", 6), ("y", 7)):
        rng = random.Random(seed)
        lines = [f"d{i // 9}\t{i}\t{i + 1}\tPER" for i in range(90) if rng.random() < 0.6]
        files.append(write(f"{name}.tsv", *lines))
    for unit in ("response", "document"):
        found = record(
            "compare", *files, "--documents", "--spans", "--by", "label", "--unit", unit,
            "--method", "approximate", "--resamples", "5000", "--seed", "3",
        )  # fmt: skip
        (row,) = found["breakdown"]["parts"]
        assert [r["n_hits"] for r in row["results"]] == [r["n_hits"] for r in found["results"]]


def table():
    rng = random.Random(4)
    rows = [
        f"{i},{rng.choice(['easy', 'hard', 'odd'])},t{i % 9},{rng.randrange(2)},{rng.randrange(2)}"
        for i in range(120)
    ]
    return write("t.csv", "id,kind,task,x,y", *rows), [row.split(",") for row in rows]


def test_columns_of_a_table():
    path, rows = table()
    found = record("compare", path, "--by", "kind", "--unit", "unit")["breakdown"]
    assert sum(row["n_total"] for row in found["parts"]) == 120
    for row in found["parts"]:
        own = [cells for cells in rows if cells[1] == row["label"]]
        comparison = csig.Comparison.from_scores(
            {cells[0]: int(cells[3]) for cells in own}, {cells[0]: int(cells[4]) for cells in own}
        )
        result = csig.randomization_test(comparison, "mean")
        assert row["results"][0]["pvalue"] == pytest.approx(result.pvalue, rel=1e-14)
        assert row["r12"] == pytest.approx(csig.classical.correlation(comparison), rel=1e-12)


def test_clusters_that_reach_over_parts_are_swapped_at_once():
    path, _ = table()
    options = ("--method", "approximate", "--resamples", "4000", "--seed", "8")
    found = record("compare", path, "--by", "kind", *options)
    assert found["comparison"]["unit"] == "task"
    again = record("compare", path, "--by", "kind", *options, "--threads", "1")
    assert again["breakdown"] == found["breakdown"]
