"""Mistakes in Python: the message names the function that was called, and what to write."""

import re

import pytest

import csig

SCORES = {"a": [1, 2, 3.0], "b": [1, 1, 2.0], "c": [0, 1, 1.0]}
PAIR = csig.Comparison.from_scores([1, 1, 1, 0, 1], [0, 1, 0, 0, 0])
FOUND = csig.compare([1, 2, 3, 4, 5, 6, 9, 9, 8], [0, 1, 4, 2, 5, 1, 2, 3, 1])


@pytest.mark.parametrize(("call", "said"), [
    (lambda: csig.randomization_test(PAIR),
     "csig.randomization_test() lacks 'metric': call it as csig.randomization_test(comparison, "
     "metric)"),
    (lambda: csig.effects.breakdown(metric="f1"), "csig.effects.breakdown() lacks 'parts'"),
    (lambda: csig.randomization_test(PAIR, "mean", resamples=9),
     "csig.randomization_test() has no argument 'resamples' (did you mean 'n_resamples'?)"),
    (lambda: csig.intervals.bootstrap_interval(PAIR, "mean", level=0.9),
     "csig.intervals.bootstrap_interval() has no argument 'level' (did you mean "
     "'confidence_level'?)"),
    (lambda: csig.compare(*SCORES.values(), metrics="mean"),
     "csig.compare() has no argument 'metrics' (did you mean 'metric'?)"),
    (lambda: csig.compare_systems(SCORES, base="a"),
     "csig.compare_systems() has no argument 'base' (did you mean 'baseline'?)"),
    (lambda: csig.audit(PAIR, ["mean"], n_resample=9),
     "csig.audit() has no argument 'n_resample' (did you mean 'n_resamples'?)"),
    (lambda: csig.recommend(SCORES, metrik="mean"),
     "csig.recommend() has no argument 'metrik' (did you mean 'metric'?)"),
    (lambda: csig.read("x.csv", sistems=["a"]),
     "csig.read() has no argument 'sistems' (did you mean 'systems'?)"),
    (lambda: csig.audit(FOUND), "found Compared, which is a result; give what it was made of"),
    (lambda: csig.plots.null(PAIR), "csig.plots.null draws what csig.compare or "
     "csig.randomization_test gives, found Comparison; of that there is found.plot('units')"),
    (lambda: FOUND.plot("nul"), "found 'nul' (did you mean 'null'?)"),
    (lambda: FOUND.plot("null"), "kind: 'null' is a picture of one result, such as "
     "found['mean'].plot('null')"),
])  # fmt: skip
def test_what_is_said(call, said):
    with pytest.raises((TypeError, csig.InputError), match=re.escape(said)):
        call()
