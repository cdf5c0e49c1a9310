"""Corpus BLEU of ten sentences."""

from importlib.metadata import version

import numpy as np
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

import csig

references = [
    "the committee met on monday to discuss the new budget",
    "she left the house before the rain began to fall",
    "prices rose by two percent in the first quarter",
    "the train to the coast was late again this morning",
    "he has never read the letter that she wrote to him",
    "the museum will be closed until the end of march",
    "a small group of students waited outside the hall",
    "the river flooded two villages in the north",
    "nobody knows why the old bridge was never repaired",
    "they sold the farm and moved back to the city",
]
old = [line.replace("the ", "a ").replace("was ", "is ") for line in references]
new = [line.replace("to ", "for ") for line in references]
new[1], new[6] = "she left house before rain fell", "one group of small students waited by the hall"
print("sacrebleu", version("sacrebleu"))

for test in ("ar", "bs"):
    systems = [("old", old), ("new", new)]
    _, scores = PairedTest(systems, {"BLEU": BLEU()}, [references], test)()
    print(f"sacrebleu --paired-{test}: p = {scores['BLEU'][1].p_value:.4f}")


def statistics(system):
    pairs = zip(system, references, strict=True)
    scores = [BLEU(effective_order=True).sentence_score(line, [own]) for line, own in pairs]
    return [[own.sys_len, own.ref_len, *own.counts, *own.totals] for own in scores]


def bleu(sums):
    counts = np.rint(sums).astype(int).tolist()
    return np.array([BLEU.compute_bleu(own[2:6], own[6:], *own[:2]).score for own in counts])


columns = ["sys_len", "ref_len", "c1", "c2", "c3", "c4", "t1", "t2", "t3", "t4"]
pair = csig.Comparison.from_statistics(a=statistics(new), b=statistics(old), columns=columns)
metric = csig.Metric("bleu", tuple(columns), function=bleu)
print(f"csig: p = {csig.randomization_test(pair, metric).pvalue:.4f}, of every way to swap")
