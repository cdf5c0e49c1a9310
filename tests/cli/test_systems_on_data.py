"""``csig systems`` on published outputs, counted and tested here once more."""

from __future__ import annotations

import csv
import itertools
import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from commands import record

Folder = Callable[[str], Path]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def scores(found: Any) -> dict[str, float]:
    return {own["name"]: own["score"] for own in found["systems"]}


def pair(found: Any, one: str, other: str) -> Any:
    return next(own for own in found["pairs"] if {own["system"], own["other"]} == {one, other})


def mcnemar(ahead: int, behind: int) -> Fraction:
    """Two-sided, exact."""
    n, least = ahead + behind, min(ahead, behind)
    tail = sum(math.comb(n, k) for k in range(least + 1))
    return min(Fraction(1), Fraction(2 * tail, 2**n))


def test_grade_school_math(shared_data: Folder):
    path = shared_data("llm_gsm8k_four_systems") / "correct.csv"
    found = record("systems", path)
    table = rows(path)
    names = list(table[0])[1:]
    assert found["n_units"] == len(table) == 1319
    right = {name: sum(row[name] == "1" for row in table) for name in names}
    assert sorted(right.values()) == [286, 458, 515, 742]
    assert scores(found) == pytest.approx({name: n / 1319 for name, n in right.items()})
    for one, other in itertools.combinations(names, 2):
        seen = Counter((row[one], row[other]) for row in table)
        p = mcnemar(seen["1", "0"], seen["0", "1"])
        assert pair(found, one, other)["pvalue"] == pytest.approx(float(p), rel=1e-12)
    given = pair(found, "175b_finetuning", "6b_verification")
    assert given["pvalue"] == pytest.approx(0.00315066, rel=1e-6)
    assert [own["rank_low"] for own in found["systems"]] == [1, 2, 3, 4]
    assert [own["rank_high"] for own in found["systems"]] == [1, 2, 3, 4]


def test_tasks_are_clusters(shared_data: Folder):
    folder = shared_data("llm_bbh_codex")
    found = record("systems", folder / "correct.csv", "--cluster", "task")
    table = rows(folder / "correct.csv")
    published = rows(folder / "published_accuracy.csv")
    ahead: Counter[str] = Counter()
    for row in table:
        ahead[row["task"]] += int(row["cot"]) - int(row["direct"])
    assert (found["unit"], found["n_units"]) == ("task", len(ahead))
    for name in ("direct", "cot"):
        total = sum(float(own[name]) / 100 * int(own["n"]) for own in published)
        assert scores(found)[name] * len(table) == pytest.approx(total, abs=1e-6)
    observed = abs(sum(ahead.values()))
    signs = itertools.product((1, -1), repeat=len(ahead))
    sums = [abs(sum(s * d for s, d in zip(own, ahead.values(), strict=True))) for own in signs]
    p = sum(total >= observed for total in sums) / len(sums)
    assert found["pairs"][0]["pvalue"] == pytest.approx(p, rel=1e-12)


def test_pairs_of_metaphors(shared_data: Folder):
    path = shared_data("cls_figqa_sst2_outputs") / "figqa_correct.csv"
    found = record("systems", path, "--cluster", "pair")
    assert (found["unit"], found["n_units"]) == ("pair", 547)
    expected = {"bert": 0.8364, "gpt2": 0.5430, "gpt3": 0.6508, "gptneo": 0.5722, "roberta": 0.8949}
    assert scores(found) == pytest.approx(expected, abs=5e-5)
    table = rows(path)
    for one, other in itertools.pairwise(expected):
        steps: Counter[str] = Counter()
        for row in table:
            steps[row["pair"]] += int(row[one]) - int(row[other])
        sums = {0: 1}
        for step in steps.values():
            after: Counter[int] = Counter()
            for total, n in sums.items():
                after[total + step] += n
                after[total - step] += n
            sums = after
        observed = abs(sum(steps.values()))
        hits = sum(n for total, n in sums.items() if abs(total) >= observed)
        p = float(Fraction(hits, 2 ** len(steps)))
        assert pair(found, one, other)["pvalue"] == pytest.approx(p, rel=1e-10)


def test_labels(shared_data: Folder):
    path = shared_data("cls_figqa_sst2_outputs") / "sst2_labels.csv"
    found = record("systems", path)
    assert scores(found) == pytest.approx({"cnn": 0.8572, "lstm": 0.8803}, abs=5e-5)
    assert found["pairs"][0]["pvalue"] == pytest.approx(float(mcnemar(59, 101)), rel=1e-12)


def test_entities_by_sentence(shared_data: Folder):
    folder = shared_data("wnut17_ner")
    files = [folder / name for name in ("gold.emerging.test.annotated.conll",
             "spinningbytes.conll", "uh_ritual.conll")]  # fmt: skip
    found = record("systems", *files, "--seed", 1)
    assert (found["unit"], found["n_units"], found["method"]) == ("sentence", 1287, "shuffles")
    assert found["statistic"] == "studentized"
    expected = {"spinningbytes": 2 * 388 / (824 + 1079), "uh_ritual": 2 * 355 / (617 + 1079)}
    assert scores(found) == pytest.approx(expected, rel=1e-12)
    assert {name: round(100 * own, 2) for name, own in scores(found).items()} == {
        "spinningbytes": 40.78, "uh_ritual": 41.86,
    }  # fmt: skip
    compared = record(
        "compare", *files, "--metric", "f1", "--unit", "sentence", "--seed", 1, status=None
    )
    assert found["pairs"][0]["pvalue"] == compared["results"][0]["pvalue"]
