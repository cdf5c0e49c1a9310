"""Certified means of real scores, from published outputs to the verified record.

F1 of a question by its words, as for SQuAD; average precision of a topic, as of trec_eval; BLEU of
a segment, smoothed (Lin and Och 2004). Every score is a ratio of its own denominator.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

import bleu
import commands
import pytest
from children import command_line
from commands import write

import csig
from csig.data.metrics import mean
from csig.engines.certified import tail_of
from csig.engines.questions import make_question
from csig.engines.tails import certified_tail

Folder = Callable[[str], Path]
Scores = tuple[list[float], list[float]]

#: Of three differences.
SIGNS = list(itertools.product((1, -1), repeat=3))


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def by_words(found: str, right: str) -> float:
    """F1 of two bags of words."""
    own, gold = Counter(found.split()), Counter(right.split())
    common = (own & gold).total()
    return 2 * common / (own.total() + gold.total())


def f1_of_questions(shared_data: Folder) -> Scores:
    folder = shared_data("mt_comparemt_ted")
    right = lines(folder / "ted.ref.eng")
    own = (lines(folder / f"ted.sys{i}.eng") for i in (1, 2))
    base, new = ([*map(by_words, texts, right)] for texts in own)
    return base, new


def average_precision(ranked: Iterable[bool], relevant: int) -> float:
    found, total = 0, 0.0
    for rank, is_relevant in enumerate(ranked, 1):
        found += is_relevant
        total += found / rank if is_relevant else 0.0
    return total / relevant


def ap_of_topics(shared_data: Folder) -> Scores:
    """A topic is a verb, its documents are the nouns it is seen with, in the order of a score."""
    path = shared_data("krenn_ppv_ranking") / "KrennPPV.csv"
    topics: dict[str, list[dict[str, str]]] = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            topics[row["verb"]].append(row)
    made: tuple[list[float], list[float]] = ([], [])
    for rows in topics.values():
        relevant = sum(row["is.colloc"] == "1" for row in rows)
        if 0 < relevant < len(rows):
            for own, name in zip(made, ("MI", "t.score"), strict=True):
                ranked = sorted(rows, key=lambda row: -float(row[name]))
                own.append(average_precision((r["is.colloc"] == "1" for r in ranked), relevant))
    return made


def bleu_of_segments(shared_data: Folder) -> Scores:
    folder = shared_data("mt_multeval_example")
    right = bleu.sentences(folder / "refs.test2010.lc.tok.en.0.xz")
    made = []
    for name in ("baseline", "sys1"):
        rows = bleu.counts(bleu.sentences(folder / f"hyps.lc.tok.en.{name}.opt0.xz"), right) + 0.0
        rows[:, :8] += 1
        made.append(bleu.score(rows).tolist())
    return made[0], made[1]


SCORES: dict[str, Callable[[Folder], Scores]] = {
    "f1": f1_of_questions,
    "ap": ap_of_topics,
    "bleu": bleu_of_segments,
}


def test_average_precision_is_that_of_trec_eval(shared_data: Folder):
    folder = shared_data("ir_trec_eval_test")
    relevant: dict[str, set[str]] = defaultdict(set)
    for topic, _, document, grade in map(str.split, lines(folder / "qrels.test")):
        if grade != "0":
            relevant[topic].add(document)
    table: dict[str, list[float]] = {topic: [] for topic in relevant}
    for run, printed in (("results.test", "out.test.aq"), ("results.trunc", "out.test.aqc")):
        ranked: dict[str, list[tuple[float, str]]] = {topic: [] for topic in relevant}
        for topic, _, document, _, score, *_ in map(str.split, lines(folder / run)):
            ranked[topic].append((float(score), document))
        known = (row.split() for row in lines(folder / printed))
        expected = {row[1]: float(row[2]) for row in known if row[0] == "map"}
        for topic, documents in ranked.items():
            order = (name in relevant[topic] for _, name in sorted(documents, reverse=True))
            table[topic].append(average_precision(order, len(relevant[topic])))
            assert table[topic][-1] == pytest.approx(expected[topic], abs=5.1e-5)
    write("ap.csv", "topic,full,short", *(f"{t},{a!r},{b!r}" for t, (a, b) in table.items()))
    (own,) = commands.record("compare", "ap.csv", "--method", "certified")["results"]
    differences = [b - a for a, b in table.values()]
    sums = [sum(map(math.prod, zip(s, differences, strict=True))) for s in SIGNS]
    exact = sum(abs(x) >= abs(sum(differences)) - 1e-12 for x in sums) / 8
    assert own["pvalue"] == own["certificate"]["low"] == exact


@pytest.mark.parametrize("kind", SCORES)
def test_bounds_of_real_scores_verify_everywhere(kind: str, shared_data: Folder):
    base, new = SCORES[kind](shared_data)
    pairs = zip(base, new, strict=True)
    write("s.csv", "id,base,new", *(f"{i},{a!r},{b!r}" for i, (a, b) in enumerate(pairs)))
    (own,) = commands.record("compare", "s.csv", "--method", "certified")["results"]
    proof = own["certificate"]
    assert own["method"] == "certified"
    assert 0 < proof["width"] < 2e-5
    # The slow twin, which shares no code with the engine.
    whole = make_question(csig.Comparison.from_scores(new, base), mean, "two-sided", 0).weighted
    assert whole is not None
    assert whole.line is not None
    assert whole.steps is not None
    tail = tail_of(whole.line)
    assert tail is not None
    low, high = certified_tail(whole.steps[:, 0], tail.s, tolerance=1e-2).bounds
    assert 2 * low <= proof["high"]
    assert proof["low"] <= 2 * high
    if kind != "f1":
        return
    # The record, here, with other instructions, and in numpy alone.
    commands.run("audit", "s.csv", "--seed", "1", "--resamples", "4096", "--record", "r.json")
    made = json.loads(Path("r.json").read_text(encoding="utf-8"))["results"][0]["certificate"]
    assert made["low"] <= proof["high"]
    assert proof["low"] <= made["high"]
    said = commands.words("verify", "r.json", "--independent")
    there = command_line("", "verify", "r.json", env={"CSIG_ISA": "base"})
    assert there.returncode == 0, there.stderr
    for text in (said, " ".join(there.stdout.split())):
        assert "were computed again to the last bit" in text
