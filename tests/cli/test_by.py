"""``csig compare --by``: one row a part, from the same shuffles, with Holm's correction."""

import random
import statistics

import pytest
from brute import textbook_holm
from commands import record, run, write

import csig

LABELS = ["PER", "LOC", "ORG"]


def spans():
    """By file, spans by document."""
    found = {}
    for name, seed in (("gold", 1), ("x", 2), ("y", 3)):
        rng = random.Random(seed)
        found[name] = {
            f"d{d}": [(i, i + 1, rng.choice(LABELS)) for i in range(0, 30, 2) if rng.random() < 0.6]
            for d in range(12)
        }
    return found


def written(by_file):
    """The arguments that read spans from files."""
    files = []
    for name, by_document in by_file.items():
        every = [(d, *span) for d, own in by_document.items() for span in own]
        files.append(write(f"{name}.tsv", *("\t".join(map(str, own)) for own in every)))
    return (*files, "--documents", "--spans", "--by", "label")


@pytest.mark.parametrize(("unit", "level"), [("document", "key"), ("response", "response")])
def test_labels_of_spans(unit, level):
    by_file = spans()
    given = (*written(by_file), "--unit", unit)
    found = record("compare", *given)["breakdown"]
    counts = {
        label: sum(r[2] == label for by in by_file.values() for own in by.values() for r in own)
        for label in LABELS
    }
    order = sorted(counts, key=lambda label: (-counts[label], label))
    assert [row["label"] for row in found["parts"]] == order
    by_metric = {}
    for row in found["parts"]:
        of_label = (
            {d: [r for r in own if r[2] == row["label"]] for d, own in by.items()}
            for by in by_file.values()
        )
        comparison = csig.Comparison.from_responses(
            *of_label, unit=level, conflict=csig.metrics.spans
        )
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
    out = run("compare", *given, "--explain")
    assert f"is {found['median_r12']:.3f}; 0 means" in " ".join(out.split())
    for row in found["parts"]:
        assert f"\n{row['label']} " in out


def test_columns_of_a_table():
    rng = random.Random(4)
    rows = [
        f"{i},{rng.choice(['easy', 'hard', 'odd'])},{rng.randrange(2)},{rng.randrange(2)}"
        for i in range(120)
    ]
    path = write("t.csv", "id,kind,x,y", *rows)
    found = record("compare", path, "--by", "kind")["breakdown"]
    assert sum(row["n_total"] for row in found["parts"]) == 120
    for row in found["parts"]:
        own = [cells for cells in (line.split(",") for line in rows) if cells[1] == row["label"]]
        comparison = csig.Comparison.from_scores(
            *([int(cells[i]) for cells in own] for i in (2, 3))
        )
        result = csig.randomization_test(comparison, "mean")
        assert row["results"][0]["pvalue"] == pytest.approx(result.pvalue, rel=1e-14)
        assert row["r12"] == pytest.approx(csig.classical.correlation(comparison), rel=1e-12)
