"""sacreBLEU where systems hardly differ."""

from importlib.metadata import version
from itertools import product

from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

reference = [
    "the committee met on monday to discuss the new budget",
    "she left the house before the rain began to fall",
    "prices rose by two percent in the first quarter",
    "the train to the coast was late again this morning",
    "he has never read the letter that she wrote to him",
    "the museum will be closed until the end of march",
]
old = [line.replace("the ", "a ", 1) for line in reference]
print("sacrebleu", version("sacrebleu"))
for changed in range(4):
    new = reference[:changed] + old[changed:]  # this many sentences are better, no other differs
    shown = []
    for test in ("ar", "bs"):
        metrics = {"BLEU": BLEU()}
        _, scores = PairedTest([("old", old), ("new", new)], metrics, [reference], test)()
        shown.append(f"{test} p = {scores['BLEU'][1].p_value:.4f}")

    # Every way to swap the sentences that differ, scored by sacreBLEU itself.
    differences = []
    for swaps in product((False, True), repeat=changed):
        a, b = list(old), list(new)
        for i, swap in enumerate(swaps):
            if swap:
                a[i], b[i] = b[i], a[i]
        scores_ab = [BLEU().corpus_score(side, [reference]).score for side in (a, b)]
        differences.append(abs(scores_ab[0] - scores_ab[1]))
    hits = sum(own >= differences[0] for own in differences)
    print(f"{changed} sentences differ: {', '.join(shown)}; exact p = {hits}/{2**changed}")
