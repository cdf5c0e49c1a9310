"""``csig compare --by``: one row a part, from the same shuffles, with Holm's correction."""

import random
import statistics
from collections import Counter

from commands import record, words, write

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


def test_labels_of_spans():
    by_file = spans()
    given = (*written(by_file), "--unit", "document")
    found = record("compare", *given)["breakdown"]
    counts = Counter(r[2] for by in by_file.values() for own in by.values() for r in own)
    order = sorted(LABELS, key=lambda label: (-counts[label], label))
    assert [row["label"] for row in found["parts"]] == order
    for row in found["parts"]:
        of_label = (
            {d: [r for r in own if r[2] == row["label"]] for d, own in by.items()}
            for by in by_file.values()
        )
        comparison = csig.Comparison.from_responses(
            *of_label, unit="key", conflict=csig.metrics.spans
        )
        assert row["r12"] == csig.classical.correlation(comparison)
        for result in row["results"]:
            alone = csig.randomization_test(comparison, result["metric"], statistic="studentized")
            assert result["pvalue"] == alone.pvalue
    middle = statistics.median(row["r12"] for row in found["parts"])
    assert f"is {middle:.3f}; 0 means" in words("compare", *given, "--explain")
