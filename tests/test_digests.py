"""The digest of the data: the same where, and only where, everything that is read of them is."""

from typing import Any

import numpy as np
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

import csig
from csig import Comparison
from csig.comparing.breakdowns import joint_places
from csig.data.digests import data_digest, joint_digest, systems_digest
from csig.data.metrics import get, ratio
from csig.data.several import several
from csig.data.units import numbered

SMALL = st.integers(-3, 3)


def scores(values: list[tuple[int, int]], **options: Any) -> Comparison:
    return Comparison.from_scores(*np.array(values, dtype=np.int64).reshape(-1, 2).T, **options)


def read(comparison: Comparison) -> tuple[object, ...]:
    """All that tests, intervals and effects read of a comparison of scores."""
    own = comparison.rows()
    units = comparison.units
    assert units is not None
    finest = comparison.at("unit").rows()
    return (
        comparison.scale, comparison.tau, own.a.tolist(), own.b.tolist(), units.n_total,
        units.differences.tolist(), finest.a.tolist(), finest.b.tolist(),
    )  # fmt: skip


PAIRS = st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=4)
LABELS = st.lists(st.sampled_from("xyz"), min_size=4, max_size=4)


@given(PAIRS, PAIRS, LABELS, LABELS, st.booleans(), st.booleans())
@examples(600)
def test_digests_are_the_same_when_the_data_are(one, other, first, second, same, grouped):
    found, parts = [], []
    for values, labels in ((one, first), (one if same else other, second)):
        clusters = labels[: len(values)] if grouped else None
        found.append(scores(values, cluster=clusters))
        parts.append(clusters and numbered(clusters)[0].tolist())
    data = [(read(comparison), part) for comparison, part in zip(found, parts, strict=True)]
    digests = [data_digest(comparison) for comparison in found]
    assert (data[0] == data[1]) == (digests[0] == digests[1])


@given(PAIRS, st.randoms())
@examples(300)
def test_ids_count_by_their_order_only(values, rng):
    order = rng.sample(range(len(values)), len(values))
    mixed = scores([values[i] for i in order], id=[f"q{i}" for i in order])
    assert data_digest(scores(values)) == data_digest(mixed)


def test_a_change_of_the_data_is_one_of_the_digest():
    given = {"a": [1, 0, 1], "b": [0.5, 0, 0.25]}
    changes = [
        {},
        {"a": [1, 0, 1.5]},
        {"b": [0, 0, 0.25]},
        {"a": [0.5, 0, 0.25], "b": [1, 0, 1]},  # A and B trade places
        {"a": [0, 1, 1], "b": [0, 0.5, 0.25]},  # units do
        {"cluster": ["x", "y", "y"]},
        {"a": [[1, 0, 1], [1, 0, 1]], "b": [[0.5, 0, 0.25]] * 2, "id": [1, 2, 3]},
        # Other runs with the same sums; the same integers in another scale.
        {"a": [[1, 2, 3], [3, 2, 1]], "b": [[1, 2, 4], [0, 1, 1]], "id": [*"xyz"]},
        {"a": [[2, 2, 2], [2, 2, 2]], "b": [[1, 2, 4], [0, 1, 1]], "id": [*"xyz"]},
        {"a": [1, 2, 1], "b": [2, 2, 1]},
        {"a": [0.5, 1, 0.5], "b": [1, 1, 0.5]},
    ]
    found = {data_digest(Comparison.from_scores(**(given | change))) for change in changes}
    assert len(found) == len(changes)


def test_numbers_of_any_size_are_told_apart():
    """At the ends of what narrow integers hold."""
    numbers = [
        sign * (2**bits + more) for bits in (7, 8, 15, 16, 31, 32, 40) for sign in (1, -1)
        for more in (-1, 0, 1)
    ]  # fmt: skip
    assert len({data_digest(scores([(x, 0), (0, 0)])) for x in numbers}) == len(numbers)


def test_the_digest_of_records_to_come_is_that_of_today():
    """Fixed: a signature of one version is compared with one of another machine."""
    known = data_digest(scores([(1, 1), (0, 1), (1, 0)]))
    assert known == "b264c1a8432c89042207a507509fe23fec8fc474e904498f88eaaeb75bb06a4c"
    known = data_digest(scores([(-128, 0), (127, 0)]))  # what a byte holds
    assert known == "38048af17e16f805fbd34acfc3e187f6b3232763e6ff7f4a0290f09f7f3b3c3b"


GOLD = {"d1": [(0, 1, "X"), (4, 5, "Y")], "d2": [(0, 2, "Z")], "d3": []}
A = {"d1": [(0, 1, "X"), (4, 6, "Y")], "d2": [(0, 2, "Z")], "d3": []}
B = {"d1": [(0, 1, "Y"), (4, 5, "Y")], "d2": [], "d3": [(1, 2, "X")]}
CLUSTERS = {"d1": "x", "d2": "y", "d3": "y"}


def spans(**change):
    given = {"gold": GOLD, "a": A, "b": B, "cluster": CLUSTERS, "conflict": csig.metrics.spans}
    return Comparison.from_responses(**given | change)


def test_every_unit_has_its_digest_and_those_beside_it_count():
    levels = spans().levels
    alone = {data_digest(spans().at(level)) for level in levels}
    assert len(alone) == len(levels) == 4
    beside = {data_digest(spans(), [level]) for level in levels[:-1]}
    assert len(beside | alone) == 7


def test_what_is_beside_counts_only_where_it_is_asked_for():
    """Other conflicts, the same documents."""
    moved = {**B, "d1": [(0, 1, "Y"), (4, 5, "Y")], "d3": [(7, 9, "X")]}
    longer = spans(a={**A, "d1": [(0, 1, "X"), (8, 9, "Y")]})
    for own in (spans(b=moved), longer):
        assert data_digest(own.at("key")) == data_digest(spans().at("key"))
    assert data_digest(longer, ["conflict"]) != data_digest(spans(), ["conflict"])


def test_what_both_have_counts_for_intervals_and_not_for_parts():
    both = (8, 9, "Q")
    more = spans(a={**A, "d3": [both]}, b={**B, "d3": [*B["d3"], both]}).at("key")
    moved = spans(a={**A, "d2": [*A["d2"], both]}, b={**B, "d2": [both]}).at("key")
    assert more.sums_a == moved.sums_a
    assert data_digest(more) != data_digest(moved)
    assert data_digest(more, rows=False) == data_digest(moved, rows=False)


def test_counts_have_a_digest_of_their_own():
    counts = {"gold": 9, "both_correct": 3, "only_a_correct": 2, "only_b_correct": 1}
    found = {data_digest(Comparison.from_counts(**{**counts, name: counts[name] - 1}))
             for name in counts}  # fmt: skip
    assert len(found) == len(counts)


def test_parts_count_by_their_units_alone_where_shuffles_are_shared():
    """In any order and under any label."""

    def parts(a, b):
        return {key: scores([(3, 0), (1, 0)], id=own) for key, own in (("a", a), ("b", b))}

    shared, apart = parts(["q1", "q2"], ["q2", "q3"]), parts(["q1", "q2"], ["q3", "q4"])
    renamed = {"z": shared["b"], "y": shared["a"]}
    one, same, other = (joint_digest(own, joint_places(own)) for own in (shared, renamed, apart))
    assert one == same != other
    assert joint_digest(shared, None) == joint_digest(apart, None)


def test_many_systems() -> None:
    """In any order of units with ids and of systems; not another number, partition or metric."""
    mean = ratio("mean", "score", "n")
    numbers = {"a": [1, 0, 2, 5], "b": [0.5, 1, 0, 1], "c": [1, 1, 0, 1]}
    ids, clusters = ["w", "x", "y", "z"], [1, 1, 2, 2]

    def digest(systems=numbers, metric=mean, baseline=None, ids=ids, clusters=clusters, **more):
        return systems_digest(
            several(systems, ids=ids, clusters=clusters, **more), metric, baseline
        )

    turned = {name: own[::-1] for name, own in reversed(numbers.items())}
    assert digest() == digest(turned, ids=ids[::-1], clusters=clusters[::-1])
    assert digest() == digest({f"{name}!": own for name, own in numbers.items()})
    assert digest(clusters=[5, 5, 7, 7]) == digest()
    other_order = {"ids": ids[::-1], "clusters": [2, 2, 1, 1], "baseline": "a"}
    assert digest(baseline="a") == digest(turned, **other_order)
    columns = {name: [[x] for x in own] for name, own in numbers.items() if name != "b"}
    found = [
        digest(),
        digest(turned),
        digest(clusters=None),
        digest(clusters=[1, 2, 1, 2]),
        digest(clusters=[2, 2, 1, 1]),
        digest(baseline="a"),
        digest(baseline="b"),
        digest({**numbers, "b": [0.5, 1, 0, 1 + 2**-50]}),
        digest({**numbers, "d": numbers["c"]}),
        digest({**numbers, "b": np.array(numbers["b"], dtype=np.float32)}),
        digest(metric=csig.Metric("mean", ("score", "n"), numerator=(2, 0), denominator=(0, 1))),
        digest(columns, columns=["score"]),
        digest(metric=get("macro_f1", ("tp", "fp", "fn", "tn"))),
    ]
    assert len(set(found)) == len(found)
