"""What is compared field by field, and what is taken on trust."""

import itertools
import json
import random
import re
from collections import Counter
from functools import partial

import pytest
from brute import PAPER
from drawn import several
from forged import COLUMNS, COMPARISONS, GOLDEN, made, put, signed, statistics
from fuzz.fuzz_records import Known, at, made_now, other, outcome, places, with_data
from places import DOCS, REFERENCE

from csig import Comparison, InputError, Metric, audit, verify
from csig.audits import trust
from csig.audits.records import make_record
from csig.audits.trust import Trusted, compared
from csig.engines.base import EDITION
from csig.report.records import canonical

#: The same audit is not run again for every forged record.
pytestmark = pytest.mark.usefixtures("repeated")


def unlike(value, own):
    """Whether it is so unlike a value that its type or sign betrays it."""
    return type(own) is not type(value) or (isinstance(value, float) and own * value < 0)


def forged_everywhere(known, every, seen):
    """What became of the first field of every name that was not seen, and of every so manyth,
    changed and now and then left out; none is missed.
    """
    counts = Counter()
    for number, path in enumerate(places(known.record)):
        name = tuple("*" if isinstance(key, int) else key for key in path)
        if name[:2] == ("checks", "*"):
            name = (at(known.record, path[:2])["name"].partition(":")[0], *name[2:])
        if path[:1] in ((), ("sha256",)) or (number % every and name in seen):
            continue
        rng, value = random.Random(repr(path)), at(known.record, path)
        values = [other(rng, value) for _ in range(6)]
        if name not in seen:
            values.sort(key=partial(unlike, value))
        seen.add(name)
        changes = [put(known.record, path, values[0])]
        if isinstance(path[-1], str) and rng.random() < 1 / 7:
            parent = at(known.record, path[:-1])
            rest = {key: own for key, own in parent.items() if key != path[-1]}
            changes.append(put(known.record, path[:-1], rest))
        for forged in changes:
            result, left = outcome(known, forged)
            assert result != "MISSED", left
            counts[result] += 1
    return counts


def test_every_field():
    counts, seen, seen_with_data = Counter(), set(), set()
    for kind in ("counts", "keys", "clusters", "labels", "scores", "same"):
        known = made_now(kind, EDITION)
        assert known.verify(known.record).ok
        counts += forged_everywhere(known, several(40, 1), seen)
        if kind in ("keys", "clusters", "scores"):
            counts += forged_everywhere(with_data(known, kind), several(40, 1), seen_with_data)
    known = Known("old", json.loads(GOLDEN.read_text()))
    counts += forged_everywhere(known, several(17, 1), set() if several(0, 1) else seen)
    assert counts.keys() == {"refused", "found", "listed"}
    assert counts.total() > 300


# ---- ways to cheat -----------------------------------------------------------------------------


def exchanged(record, *words):
    """The same with two words exchanged wherever they stand, as a cheat would."""
    first, second = words
    text = json.dumps(record).replace(first, "\0").replace(second, first).replace("\0", second)
    return json.loads(text)


@pytest.mark.parametrize(("version", "independent"), [(1, False), (2, True)])
def test_names_of_metrics_that_are_exchanged(version, independent):
    """F1 of 0.475 against 0.352 would become precision, which is 0.495 against 0.641."""
    record = json.loads(GOLDEN.read_text())
    if version == 2:
        metrics = ["recall", "precision", "f1"]
        record = audit(Comparison.from_counts(**PAPER), metrics, n_resamples=64, rng=1).record
    forged = exchanged(record, '"precision', '"f1')
    forged = exchanged(forged, ": precision", ": f1")
    lines = verify(signed(forged), independent=independent).differences
    assert lines[:2] == (
        "metrics[f1]: its weights are not those of csig's own f1",
        "metrics[precision]: its weights are not those of csig's own precision",
    )


@pytest.mark.parametrize("name", ["Recall", "f0.5", "mcc"])
def test_a_known_name_has_the_known_weights(name):
    comparison, _ = COMPARISONS["clusters"]()
    mine = Metric("mine", COLUMNS, numerator=(1, 0, 0), denominator=(0, 2, 1))
    record = audit(comparison, mine, n_resamples=64, rng=1).record
    forged = signed(json.loads(json.dumps(record).replace("mine", name)))
    lines = verify(forged).differences
    if name == "mcc":  # which csig cannot compute from these columns
        assert lines == ()
        assert "metrics[mcc].name" in verify(forged).unverified
    else:
        assert lines[0].startswith(f"metrics[{name}]: its weights are not those of csig's own ")


def test_weights_of_metrics_of_ones_own():
    comparison, _ = COMPARISONS["clusters"]()

    def audited(name, columns, numerator, denominator):
        own = Metric(name, columns, numerator=numerator, denominator=denominator)
        return audit(comparison, own, n_resamples=64, rng=1)

    with pytest.raises(InputError, match="not those of csig's own recall; give the met"):
        audited("recall", ("tp", "predicted"), (1, 0), (0, 1)).record  # noqa: B018
    same = audited("f1", COLUMNS[::-1], (0, 0, "2/3"), ("1/3", "1/3", 0))
    assert verify(same.record).ok
    # Columns without a weight are left out.
    forged = json.loads(canonical(audited("mine", COLUMNS, (1, 0, 0), (0, 0, 1)).record))
    assert forged["metrics"][0]["columns"] == ["tp", "gold"]
    forged["metrics"][0] |= {
        "columns": COLUMNS, "numerator": ["1", "0", "0"], "denominator": ["0", "0", "1"]
    }  # fmt: skip
    assert verify(signed(forged)).differences[0].startswith("metrics[mine].columns: 3 in the rec")


def test_directions_and_names_that_are_turned():
    a, b = statistics(30)
    counts = Comparison.from_statistics(a[:, 1:], b[:, 1:], ["errors", "words"])
    record = audit(counts, "wer", n_resamples=64, rng=1).record
    assert record["metrics"][0]["greater_is_better"] is False
    lines = verify(signed(put(record, ("metrics", 0, "greater_is_better"), True))).differences
    assert lines == (
        "metrics[wer].greater_is_better: True in the record, False for csig's own wer",
    )
    record = made("scores", n=64).record
    forged = signed(put(record, ("comparison", "names"), ["B", "A"]))
    assert verify(forged).ok
    assert len(verify(forged, comparison=COMPARISONS["scores"]()[0]).differences) == 2


def test_metrics_made_anew():
    """A function of one's own needs them; others are compared, their names and directions too."""
    comparison, _ = COMPARISONS["labels"]()
    own = Metric("mine", comparison.columns[:2], function=lambda sums: sums[:, 0] / sums[:, 1])
    record = audit(comparison, own, n_resamples=64, rng=1).record
    assert verify(record, metric=own).ok
    scores, _ = COMPARISONS["scores"]()
    record = audit(scores, "mean", n_resamples=64, rng=1).record
    forged = signed(put(record, ("metrics", 0, "greater_is_better"), False))
    assert verify(forged).ok
    assert "metrics[mean].greater_is_better" in verify(forged).unverified
    assert verify(forged, metric="mean").differences == (
        "metrics[mean].greater_is_better: False in the record, True now",
    )
    with pytest.raises(InputError, match="metric 'mine' reads 'correct', 'items'"):
        verify(record, metric=["mean", own])


def test_responses_that_contradict_the_sums():
    record = made("keys", n=64).record
    responses = record["comparison"]["responses"]
    for wrong in ([[9, 9], [9, 9]], [responses[0], [0, 0]], [responses[1], responses[0]]):
        with pytest.raises(InputError, match=r"responses and comparison\.sums contradict"):
            verify(signed(put(record, ("comparison", "responses"), wrong)))
    counts = made("counts", n=64).record
    with pytest.raises(InputError, match=r"responses and comparison\.classes contradict"):
        verify(signed(put(counts, ("comparison", "responses"), None)))


# ---- the list ----------------------------------------------------------------------------------


def test_the_docs_have_the_list():
    """Made from the one in the code; ``as_markdown`` writes it anew."""
    text = (DOCS / "audit.md").read_text(encoding="utf-8")
    begin = "<!-- taken on trust: begin (made by csig.audits.trust.as_markdown) -->\n"
    own = text.partition(begin)[2].partition("<!-- taken on trust: end -->")[0]
    assert own == trust.as_markdown()
    assert len(re.findall("^- ", own, re.MULTILINE)) == len(trust.TRUST)


def test_all_of_the_list_applies_somewhere():
    """No entry is there for nothing."""
    said = set()
    for kind, given in itertools.product(COMPARISONS, (False, True)):
        again = {"comparison": COMPARISONS[kind]()[0]} if given else {}
        record = made_now(kind, EDITION).record
        record["environment"]["csig"] = "0.0.9"
        said |= {own.what for own in verify(signed(record), **again).trust}
    said |= {own.what for own in verify(json.loads(GOLDEN.read_text())).trust}
    weights = {"numerator": (1, 0, 0), "denominator": (0, 0, 1)}
    mine = [Metric(name, COLUMNS, **weights) for name in ("mine", "mcc")]
    record = audit(COMPARISONS["clusters"]()[0], mine, n_resamples=64, rng=1).record
    said |= {own.what for own in verify(record).trust}
    proven = json.loads((REFERENCE / "audit-3.json").read_text())
    said |= {own.what for own in verify(proven).trust}
    bare = make_record(made("scores", n=64), table=False)
    said |= {own.what for own in verify(bare, comparison=COMPARISONS["scores"]()[0]).trust}
    of_files = ("are compared", "se files", "file says")
    files = {own.what for own in trust.TRUST if own.what.endswith(of_files)}
    assert said | files == {own.what for own in trust.TRUST}


def test_what_is_covered():
    pattern = trust.Trusted(("checks[].what", "inputs.*", "metrics[a[1]].name"), "")
    for path in ("checks[runs: f1]].what", "inputs", "inputs[0].path", "metrics[a[1]].name"):
        assert pattern.covers(path)
    for path in ("checks[x].whatever", "checks.what", "inputs2", "metrics[a[2]].name"):
        assert not pattern.covers(path)


# ---- records compared field by field ------------------------------------------------------------


ONE, TWO = {"name": "one", "passed": True}, {"name": "two", "passed": True}
TRUST = Trusted(("date", "inputs.*"), "when, and of what")
CLOSE = Trusted(("p",), "digits", overlooks=lambda one, other: abs(one - other) < 1e-9)


@pytest.mark.parametrize(
    ("mine", "theirs", "trust", "found", "count"),
    [
        # Types, and signs of zero.
        ({"a": 1, "b": [0.0]}, {"a": 1, "b": [0.0]}, (), [], 2),
        ({"a": 1}, {"a": 1.0}, (), ["a: 1.0 in the record, 1 now"], 1),
        ({"a": 0.0}, {"a": -0.0}, (), ["a: -0.0 in the record, 0.0 now"], 1),
        ({"a": True}, {"a": 1}, (), ["a: 1 in the record, True now"], 1),
        # Fields that only one has, and lists of other lengths.
        ({"a": {"b": 1}, "c": [1]}, {"a": {"d": 1}, "c": [1, 2]}, (),
         ["a.b: only now", "a.d: only in the record", "c: 2 in the record, 1 now"], 0),
        # Items are called by their names; checks have an order as well.
        ({"metrics": [{"name": "f1", "x": 1}], "results": [{"metric": "f1", "x": 1}], "r": [1]},
         {"metrics": [{"name": "f1", "x": 2}], "results": [{"metric": "f1", "x": 2}], "r": [2]}, (),
         ["metrics[f1].x: 2 in the record, 1 now", "r[0]: 2 in the record, 1 now",
          "results[f1].x: 2 in the record, 1 now"], None),
        ({"checks": [ONE, TWO]}, {"checks": [ONE, TWO]}, (), [], 4),
        ({"checks": [ONE, TWO]}, {"checks": [TWO, ONE]}, (),
         ["checks: 2 in the record, 2 now, or in another order"], None),
        ({"checks": [ONE]}, {"checks": [TWO]}, (),
         ["checks[one]: not in the record", "checks[two]: only in the record"], None),
        # What is taken on trust is neither counted nor compared.
        ({"date": "now", "inputs": [{"path": "a"}], "passed": True},
         {"date": "then", "inputs": [{"path": "b"}], "passed": True}, (TRUST,), [], 1),
        ({"p": 0.5}, {"p": 0.5 + 1e-12}, (CLOSE,), [], 1),
        ({"p": 0.5}, {"p": 0.6}, (CLOSE,), ["p: 0.6 in the record, 0.5 now"], 1),
        # Long values are cut.
        ({"a": "x" * 500}, {"a": "y"}, (), [f"a: 'y' in the record, '{'x' * 99}... now"], 1),
    ],
)  # fmt: skip
def test_what_differs(mine, theirs, trust, found, count):
    lines, number = compared(mine, theirs, trust)
    assert lines == found
    assert count in (None, number)
