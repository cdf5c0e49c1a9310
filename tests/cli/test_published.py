"""Published outputs by the command line, counted and tested here once more."""

import csv
import itertools
import math
import re
from collections import Counter
from fractions import Fraction

import pytest
from commands import record, refused, run, words
from scipy import stats


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def scores(found):
    return {own["name"]: own["score"] for own in found["systems"]}


def pvalue(found, one, other):
    """Of a pair of csig systems."""
    (own,) = (own for own in found["pairs"] if {own["system"], own["other"]} == {one, other})
    return own["pvalue"]


def mcnemar(ahead, behind):
    """Two-sided, exact."""
    n, least = ahead + behind, min(ahead, behind)
    tail = sum(math.comb(n, k) for k in range(least + 1))
    return float(min(Fraction(1), Fraction(2 * tail, 2**n)))


def by_signs(steps):
    """Two-sided, over all signs of these whole numbers."""
    sums = {0: 1}
    for step in steps:
        after: Counter[int] = Counter()
        for total, n in sums.items():
            after[total + step] += n
            after[total - step] += n
        sums = after
    hits = sum(n for total, n in sums.items() if abs(total) >= abs(sum(steps)))
    return float(Fraction(hits, 2 ** len(steps)))


def close(value):
    return pytest.approx(value, rel=1e-10)


def test_grade_school_math(shared_data):
    path = shared_data("llm_gsm8k_four_systems") / "correct.csv"
    table = rows(path)
    names = list(table[0])[1:]
    right = {name: sum(row[name] == "1" for row in table) for name in names}
    assert list(right.items()) == [
        ("6b_finetuning", 286), ("6b_verification", 515), ("175b_finetuning", 458),
        ("175b_verification", 742),
    ]  # fmt: skip
    found = record("systems", path)
    assert found["n_units"] == len(table) == 1319
    assert scores(found) == close({name: n / 1319 for name, n in right.items()})
    for one, other in itertools.combinations(names, 2):
        seen = Counter((row[one], row[other]) for row in table)
        assert pvalue(found, one, other) == close(mcnemar(seen["1", "0"], seen["0", "1"]))
    assert pvalue(found, *names[1:3]) == pytest.approx(0.00315066, rel=1e-6)
    ranks = [(own["rank_low"], own["rank_high"]) for own in found["systems"]]
    assert ranks == [(1, 1), (2, 2), (3, 3), (4, 4)]
    pair = record("compare", path, "--system", names[1], "--system", names[2])
    assert pair["comparison"]["baseline_sums"] == ["515", "1319"]
    assert pair["comparison"]["sums"] == ["458", "1319"]
    (result,) = pair["results"]
    assert (result["metric"], result["n_units"]) == ("accuracy", 209 + 152)
    assert result["pvalue"] == close(mcnemar(209, 152)) == pvalue(found, *names[1:3])
    output = run("compare", path, "--explain")
    for name, count in right.items():
        assert re.search(rf"^{name} +{count} of 1,319 items correct", output, re.MULTILINE)
    said = words("recommend", path)
    assert "all pairs, Holm" in said
    assert "6 pairs of 4 systems" in said


def test_big_bench_hard_over_its_tasks(shared_data):
    """Direct answers against chains of thought: a task is a cluster, or a data set."""
    path = shared_data("llm_bbh_codex") / "correct.csv"
    table = rows(path)
    published = {row["task"]: row for row in rows(path.parent / "published_accuracy.csv")}
    ahead: Counter[str] = Counter()
    for row in table:
        ahead[row["task"]] += int(row["cot"]) - int(row["direct"])
    p = by_signs(ahead.values())
    assert (len(table), len(ahead)) == (2437, 10)
    compared = record("compare", path)
    read = [compared["input"]["table"][key] for key in ("id", "cluster", "n_units", "n_clusters")]
    assert read == ["item", "task", 2437, 10]
    (result,) = compared["results"]
    assert (result["unit"], result["n_units"], result["pvalue"]) == ("task", 10, close(p))
    (items,) = record("compare", path, "--unit", "unit")["results"]
    assert (items["unit"], items["baseline_score"]) == ("unit", result["baseline_score"])
    assert items["pvalue"] < result["pvalue"]
    found = record("systems", path, "--cluster", "task")
    assert (found["unit"], found["n_units"]) == ("task", 10)
    assert pvalue(found, "direct", "cot") == close(p)
    for name in ("direct", "cot"):
        total = sum(float(own[name]) / 100 * int(own["n"]) for own in published.values())
        assert scores(found)[name] * len(table) == pytest.approx(total, abs=1e-6)
    assert "--dataset task  # one row per unit of a data set" in refused("datasets", path)
    found = record("datasets", path, "--dataset", "task")
    assert len(found["datasets"]) == len(published)
    for own in found["datasets"]:
        row = published[own["name"]]
        assert own["n_units"] == int(row["n"])
        assert {name: 100 * score for name, score in own["scores"].items()} == pytest.approx(
            {name: float(row[name]) for name in own["scores"]}
        )
    differences = [own["scores"]["cot"] - own["scores"]["direct"] for own in found["datasets"]]
    (pair,) = found["pairs"]
    assert (pair["wins"], pair["better"]) == (sum(d > 0 for d in differences), "cot")
    exact = stats.wilcoxon(differences, method="exact")
    assert pair["pvalue"] == pytest.approx(exact.pvalue)


def test_pairs_of_metaphors(shared_data):
    path = shared_data("cls_figqa_sst2_outputs") / "figqa_correct.csv"
    found = record("systems", path, "--cluster", "pair")
    assert (found["unit"], found["n_units"]) == ("pair", 547)
    expected = {"bert": 0.8364, "gpt2": 0.5430, "gpt3": 0.6508, "gptneo": 0.5722, "roberta": 0.8949}
    assert scores(found) == pytest.approx(expected, abs=5e-5)
    assert "1,094 items in 547 pairs" in run("compare", path, "--explain")
    for one, other in itertools.pairwise(expected):
        steps: Counter[str] = Counter()
        for row in rows(path):
            steps[row["pair"]] += int(row[one]) - int(row[other])
        assert pvalue(found, one, other) == close(by_signs(steps.values()))


def test_labels_of_sentiment(shared_data):
    path = shared_data("cls_figqa_sst2_outputs") / "sst2_labels.csv"
    found = record("systems", path)
    assert scores(found) == pytest.approx({"cnn": 0.8572, "lstm": 0.8803}, abs=5e-5)
    assert pvalue(found, "cnn", "lstm") == close(mcnemar(59, 101))
    pair = record("compare", path, "--metric", "accuracy")
    assert pair["input"]["format"] == "labels"
    (own,) = pair["results"]
    assert [round(own[score], 4) for score in ("baseline_score", "score")] == [0.8572, 0.8803]
    assert (own["n_units"], own["pvalue"]) == (59 + 101, close(mcnemar(59, 101)))


def test_published_taggers(shared_data):
    path = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    given = (path, "--gold-column", "gold", "--system", "elmo", "--system", "flair")
    found = record("describe", *given)
    assert (found["units"]["sentence"], found["input"]["n_tokens"]) == (3453, 46435)
    assert found["gold"] == 5648
    counts = [(s["counts"]["correct"], s["counts"]["responses"]) for s in found["systems"]]
    assert counts == [(5213, 5658), (5270, 5682)]
    assert [round(100 * s["scores"]["f1"], 4) for s in found["systems"]] == [92.2165, 93.0274]
    output = run("compare", *given, "--seed", 1)
    assert output.startswith(
        "flair beats elmo on recall by 1.01, precision by 0.61 and F1 by 0.81 points.\n"
    )
    assert re.search(r"^F1 +92\.22 +93\.03 +\+0\.81 .* 0\.0005\d\d  \* flair better$", output, re.M)
    # The page says in at most a hundred words what it has to say.
    assert len([word for word in output.split() if re.search("[A-Za-z]", word)]) <= 100
    turned = (*given[:3], "--system", "flair", "--system", "elmo")
    found = record("compare", *turned, "--by", "label", "--metric", "f1")["breakdown"]
    assert [row["label"] for row in found["parts"]] == ["ORG", "LOC", "PER", "MISC"]
    assert found["parts"][3]["results"][0]["verdict"] == "significant"


def test_german_verb_pairs(shared_data):
    path = shared_data("krenn_ppv_ranking") / "KrennPPV.csv"
    asked = ("rank", path, "--true", "is.colloc")
    methods = ("--methods", "freq,MI,t.score,chisq,log.like", "--ties", "first")
    found = record(*asked, *methods, "--seed", 1, "--resamples", 999)
    assert found["lengths"] == [100, 200, 500, 1000, 2000]
    precision = {own["name"]: [100 * p for p in own["precision"]] for own in found["methods"]}
    assert precision == {  # of SOURCE.md
        "log.like": pytest.approx([42.0, 37.5, 30.4, 27.1, 23.35]),
        "t.score": pytest.approx([38.0, 35.0, 30.2, 28.1, 21.95]),
        "freq": pytest.approx([27.0, 26.0, 22.8, 19.2, 16.2]),
        "MI": pytest.approx([19.0, 16.5, 18.0, 21.6, 23.1]),
        "chisq": pytest.approx([25.0, 23.5, 24.6, 23.9, 23.3]),
    }
    said = refused(*asked)
    assert "'is.SVC' has nothing but 1 and 0" in said
    assert "--methods freq,MI,Dice,z.score,t.score,chisq,chisq.corr,log.like,Fisher  # " in said
