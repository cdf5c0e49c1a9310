"""Certified means of real scores, from published outputs to the verified record.

F1 of a question by its words, as for SQuAD; average precision of a topic, as trec_eval prints it;
BLEU of a segment, smoothed (Lin and Och 2004). Every score is a ratio of its own denominator.
"""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Callable
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


def bleu_of_segments(shared_data: Folder) -> Scores:
    folder = shared_data("mt_multeval_example")
    right = bleu.sentences(folder / "refs.test2010.lc.tok.en.0.xz")
    made = []
    for name in ("baseline", "sys1"):
        rows = bleu.counts(bleu.sentences(folder / f"hyps.lc.tok.en.{name}.opt0.xz"), right) + 0.0
        rows[:, :8] += 1
        made.append(bleu.score(rows).tolist())
    return made[0], made[1]


def test_average_precision_of_two_runs_by_all_signs(shared_data: Folder):
    folder = shared_data("ir_trec_eval_test")
    full, short = (
        {row[1]: float(row[2]) for row in map(str.split, lines(folder / name)) if row[0] == "map"}
        for name in ("out.test.aq", "out.test.aqc")
    )
    topics = [topic for topic in full if topic != "all"]
    write("ap.csv", "topic,full,short", *(f"{t},{full[t]!r},{short[t]!r}" for t in topics))
    (own,) = commands.record("compare", "ap.csv", "--method", "certified")["results"]
    differences = [short[t] - full[t] for t in topics]
    sums = [
        sum(map(math.prod, zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(topics))
    ]
    exact = sum(abs(x) >= abs(sum(differences)) - 1e-12 for x in sums) / len(sums)
    assert own["pvalue"] == own["certificate"]["low"] == exact


@pytest.mark.parametrize("scores", [f1_of_questions, bleu_of_segments])
def test_bounds_of_real_scores_verify_everywhere(
    scores: Callable[[Folder], Scores], shared_data: Folder
):
    base, new = scores(shared_data)
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
    if scores is not f1_of_questions:
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
