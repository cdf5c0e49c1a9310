"""NIST's sc_stats, McNemar's test with 22 sentences that one system only has right."""

import csv
import os
import re
from fractions import Fraction
from math import comb
from pathlib import Path

import csig

data = Path(os.environ["CSIG_TEST_DATA"], "asr_sctk")
print("SCTK 9688a26")
report = (data / "four.stats.unified").read_text("utf-8").splitlines()
row = next(line for line in report if re.match(r"\|\s+MN\s.*sys2\.ctm", line))
print("sc_stats, sys2 and sys3:", row.split("sys2.ctm")[1].split()[0])

wrong = {}  # by system and utterance: substituted, deleted or inserted words
for row in csv.DictReader((data / "utterances.csv").open(encoding="utf-8")):
    errors = sum(int(row[kind]) for kind in ("substituted", "deleted", "inserted"))
    wrong[row["system"], row["speaker"], row["utterance"]] = errors > 0
pairs = [(wrong["sys2", *key], own) for (system, *key), own in wrong.items() if system == "sys3"]
b, c = pairs.count((False, True)), pairs.count((True, False))
n = b + c
exact = 2 * Fraction(sum(comb(n, i) for i in range(min(b, c) + 1)), 2**n)
print(f"only one of them right: {b} and {c} sentences; exact p = {exact} = {float(exact):.3f}")
a, b = zip(*pairs, strict=True)
comparison = csig.Comparison.from_scores([1 - own for own in a], [1 - own for own in b])
print(f"csig: p = {csig.classical.mcnemar_test(comparison).pvalue:.3f}")
