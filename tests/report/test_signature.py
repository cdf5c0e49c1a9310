"""The line that identifies a result, written and read back."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

import csig
from csig import Comparison, InputError, Metric
from csig.comparing.options import Options, digits_of, record_of_seed, unneeded
from csig.comparing.signature import digest_of_systems, line, of_results, of_systems, parse
from csig.comparing.summary import Summary
from csig.readers.request import Input
from csig.results.randomization import Seed

#: Any characters, half surrogate pairs too.
TEXTS = st.text(st.characters(), max_size=20) | st.sampled_from(
    ["", "|", ":", ",", "%", "%41", "exact", "two-sided", " ", "\n", "\udc80", "csig", "\u202e"]
)
KEYS = st.from_regex("[a-z][a-z0-9-]*", fullmatch=True) | st.sampled_from(["method", "alternative"])
FIELDS = st.dictionaries(KEYS, st.lists(TEXTS, min_size=1, max_size=4).map(tuple), max_size=8)


@given(FIELDS)
@examples(500)
def test_whatever_the_values_are_the_line_reads_back(fields: dict[str, tuple[str, ...]]) -> None:
    text = line(fields)
    assert text.isascii()
    assert text.isprintable()
    assert " " not in text
    assert parse(text) == fields
    assert line(parse(text)) == text


@given(FIELDS, FIELDS)
@examples(200)
def test_other_fields_are_another_line(
    one: dict[str, tuple[str, ...]], other: dict[str, tuple[str, ...]]
) -> None:
    assert (list(one.items()) == list(other.items())) == (line(one) == line(other))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "begins with 'csig|'"),
        ("sacrebleu|v:2", "begins with 'csig|'"),
        ("csig|exakt", "expected key:value, found 'exakt'"),
        ("csig|V:1", "expected key:value"),
        ("csig|v:1|v:2", "v is given twice"),
        ("csig|exact|method:a,b", "method is given twice"),
        ("csig|v:%4", "'%4' is not percent-encoded UTF-8"),
        ("csig|v:%FF", "'%FF' is not percent-encoded UTF-8"),
    ],
)
def test_what_is_no_signature_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("|", r"\|")):
        parse(text)


def test_a_number_is_no_signature() -> None:
    with pytest.raises(InputError, match="found int"):
        parse(7)  # type: ignore[arg-type]


def test_what_could_not_be_read_back_is_not_written() -> None:
    with pytest.raises(ValueError, match="Key"):
        line({"Key": ["x"]})
    assert line({"v": ["1"], "lower": []}) == "csig|v:1"


# ---- metrics of a user's own -------------------------------------------------------------

STATISTICS = Comparison.from_statistics(
    [[3, 4, 5], [2, 2, 2], [0, 1, 1]], [[2, 4, 5], [2, 2, 2], [1, 1, 1]],
    ("tp", "predicted", "gold"),
)  # fmt: skip


def summary(*metrics: str | Metric, comparison: Comparison = STATISTICS) -> Summary:
    results = csig.randomization_test(comparison, metrics)
    options = Options(tuple(results), "two-sided", "auto", 99, 1, None, None, 0, 0.99, 0.05)
    return Summary("1.2.3", Input("statistics", {}), comparison, options, results, metrics=metrics)


def own(above: tuple[int, ...], **options: bool) -> Metric:
    return Metric("own", ("tp", "gold"), numerator=above, denominator=(0, 1), **options)


def halves(sums):
    return sums[:, 0] / 2


def thirds(sums):
    return sums[:, 0] / 3


def test_metrics_of_csig_are_their_names_in_any_order() -> None:
    one, other = summary("recall", "f1"), summary(csig.data.metrics.f1, csig.metrics.recall)
    assert one.signature == other.signature
    assert parse(one.signature)["metrics"] == ("f1", "recall")
    assert "own" not in parse(one.signature)


def test_metrics_of_a_user_are_their_formula() -> None:
    found = [own((1, 0)), own((2, 0)), own((1, -1)), own((1, 0), greater_is_better=False)]
    found += [Metric("own", ("tp",), function=halves), Metric("own", ("tp",), function=thirds)]
    found += [Metric("own", ("tp",), function=halves, tolerance=1e-9)]
    found += [Metric("own", ("tp", "gold"), function=halves)]
    assert len({summary(metric).signature for metric in found}) == len(found)
    assert parse(summary(own((1, -1))).signature)["own"] == ("own", "(+1*tp-1*gold)/(+1*gold)")
    named = parse(summary(Metric("x", ("tp",), function=partial(halves))).signature)["own"]
    assert named == ("x", f"{__name__}.halves(tp)~1e-12")


def test_weights_are_a_metric_whatever_they_are_multiplied_with() -> None:
    one, other = (Metric("own", ("tp", "gold"), numerator=(k, 0), denominator=(0, k)) for k in "23")
    assert summary(one).signature == summary(other).signature


def test_a_name_of_csig_with_other_weights_is_told_apart() -> None:
    mine = Metric("recall", ("tp", "gold"), numerator=(2, 0), denominator=(0, 1))
    assert summary(mine).signature != summary("recall").signature


def test_less_is_better_is_said() -> None:
    assert parse(summary(own((1, 0), greater_is_better=False)).signature)["lower"] == ("own",)


# ---- results -----------------------------------------------------------------------------


def drawn(seed: Seed) -> Summary:
    found = summary("recall", "f1")
    recall = replace(
        found.results["recall"], method="approximate", n_resamples=9, n_hits=3, seed=seed
    )
    return replace(found, results={**found.results, "recall": recall})


def test_a_seed_of_several_numbers_and_a_spawn_key() -> None:
    known = parse(drawn(Seed("mine.Own", (1, 2), (3, 0), 0)).signature)
    assert known["seed"] == ("1+2",)
    assert known["spawn"] == ("3+0",)
    assert known["gen"] == ("mine.Own",)
    assert known["shuffles"] == ("9",)


def test_what_decides_verdicts_with_other_units_is_in_it() -> None:
    found, other = summary("recall", "f1"), drawn(Seed("PCG64", 1, (), 0)).results
    assert "confidence" not in parse(found.signature)
    beside = replace(found, sensitivity={"response": other, found.comparison.unit: found.results})
    assert parse(beside.signature)["confidence"] == (repr(found.options.pvalue_confidence),)


def test_the_alternative_is_the_question_that_was_asked() -> None:
    c = Comparison.from_statistics([[1, 5], [3, 5]], [[4, 5], [3, 5]], ("errors", "items"))
    found = summary("error_rate", comparison=c)
    less = csig.randomization_test(c, "error_rate", alternative="less")
    asked = replace(
        found, results={"error_rate": less}, options=replace(found.options, alternative="greater")
    )
    assert parse(asked.signature)["alternative"] == ("greater",)


def test_methods_are_those_of_the_metrics() -> None:
    known = parse(drawn(Seed("PCG64", 1, (), 0)).signature)
    assert dict(zip(known["metrics"], known["method"], strict=True)) == {
        "f1": "exact", "recall": "approximate"
    }  # fmt: skip
    assert "spawn" not in known


def test_scores_of_their_own_belong_to_their_metric() -> None:
    found = summary("recall", "f1")
    other = Comparison.from_statistics([[1, 4, 5]], [[2, 4, 5]], ("tp", "predicted", "gold"))
    one, two = (
        replace(found, comparisons=dict(zip(("recall", "f1"), pair, strict=True)))
        for pair in ((STATISTICS, other), (other, STATISTICS))
    )
    assert one.signature != two.signature


@given(st.permutations(range(3)))
def test_systems_in_any_order_are_the_same(order: list[int]) -> None:
    made = [
        summary("recall", comparison=Comparison.from_statistics(
            [[i, 4, 5], [2, 2, 2]], [[2, 4, 5], [1, 2, 2]], ("tp", "predicted", "gold")))
        for i in range(3)
    ]  # fmt: skip
    some = [made[i] for i in order]
    expected = of_systems(made, digest_of_systems(made))
    assert of_systems(some, digest_of_systems(some)) == expected
    assert "|holm:3|" in expected
    assert of_systems(made[:2], digest_of_systems(made[:2])) != expected


def test_a_result_that_does_not_know_its_data_says_what_it_knows() -> None:
    found = csig.randomization_test(
        STATISTICS, ["recall", "f1"], method="approximate", n_resamples=99, rng=[1, 2]
    )
    known = parse(of_results(list(found.values()), "1"))
    assert known["metrics"] == ("f1", "recall")
    assert (known["shuffles"], known["seed"], known["confidence"]) == (("99",), ("1+2",), ("0.99",))
    assert "data" not in known
    decided = csig.randomization_test(STATISTICS, "f1", method="approximate", decide_at=0.01, rng=1)
    assert parse(of_results([decided], "1"))["decide"] == ("0.01", "1e-06")


def test_seeds() -> None:
    assert record_of_seed(None) is None
    assert record_of_seed(Seed("PCG64", (2**70, 3), (4,), 5)) == {
        "bit_generator": "PCG64",
        "entropy": ["1180591620717411303424", "3"],
        "spawn_key": [4],
        "run": 5,
    }
    assert digits_of(Seed("PCG64", 7, (), 0)) == ["7"]


def test_options_without_effect_are_named() -> None:
    assert unneeded(["--seed"]) == "--seed: no effect, as no shuffles were needed."
