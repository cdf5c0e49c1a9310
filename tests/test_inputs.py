"""What functions are given: one meaning in every form, and nothing that is left unsaid."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from commands import refused
from printed import otherwise, rewrite, sections

import csig
from csig import InputError
from csig.answers.compare import Compared
from csig.data.comparison import Comparison
from csig.systems.ranking import SystemsResult

pytestmark = pytest.mark.usefixtures("remembered")
PRINTED = Path(__file__).with_name("inputs.txt")

IDS = [f"u{i}" for i in range(10)]
HALF = {key: int(i < 5) for i, key in enumerate(IDS)}
NONE = dict.fromkeys(reversed(IDS), 0)
LABELS = [0, 0, 0, 0, 1, 2, 3, 4, 5, 6]
BY_ID = dict(zip(IDS, LABELS, strict=True))

SCORES = {"base": [0.2, 0.5, 0.5, 0.2, 0.5, 0.7, 0.5], "new": [0.4, 0.7, 0.7, 0.4, 0.5, 0.9, 0.7]}
FRAME = pandas.DataFrame(SCORES)
RIGHT = {"base": [1, 0, 1, 1, 0, 0, 1], "new": [1, 1, 1, 1, 0, 1, 1]}
TAGS = {"a": ["x", "y", "x", "y"], "b": ["x", "x", "x", "x"]}
GOLD = ["x", "y", "x", "y"]
COUNTS = {"a": [[1, 2], [2, 2]], "b": [[2, 2], [2, 2]]}
OF_COUNTS: dict[str, Any] = {"columns": ("correct", "items"), "metric": "accuracy"}


def compared(scores: dict[str, Any]) -> Comparison:
    """The second system and the first, the baseline."""
    base, new = scores
    return Comparison.from_scores(scores[new], scores[base], names=(new, base))


PAIR, BINARY = compared(SCORES), compared(RIGHT)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A file with the scores."""
    path = tmp_path / "scores.csv"
    FRAME.to_csv(path, index=False)
    return path


def pvalue(found: Any) -> float:
    """Of a result with one p-value, that of the exact test."""
    if isinstance(found, SystemsResult):
        (own,) = found.pairs
    else:
        (own,) = (found if isinstance(found, Compared) else found.exact).values()
    return float(own.pvalue)


FUNCTIONS = [csig.compare, csig.audit, csig.compare_systems]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.filterwarnings("ignore::csig.DataWarning")  # few clusters
def test_labels_by_id_have_one_meaning_in_any_order(function: Any) -> None:
    """The order in which mappings list units, or systems, is no matter."""
    expected = csig.randomization_test(Comparison.from_scores(HALF, NONE, cluster=BY_ID), "mean")
    for systems, labels in (
        ({"z": HALF, "y": NONE}, BY_ID),
        ({"y": NONE, "z": HALF}, pandas.Series(LABELS, index=IDS)),
    ):
        assert pvalue(function(systems, cluster=labels, rng=1)) == expected.pvalue


WER = {"a_wer": [0.2, 0.5, 0.5, 0.2, 0.5, 0.7, 0.5], "b_wer": [0.4, 0.6, 0.7, 0.4, 0.5, 0.9, 0.3]}
NAMELESS = {name[0]: own for name, own in WER.items()}


@pytest.mark.parametrize("function", [csig.compare, csig.audit])
def test_names_say_which_scores_are_better_in_every_form(function: Any, tmp_path: Path) -> None:
    """A mapping, a frame, a file, what csig.read gives, sequences with names, a comparison."""
    file = tmp_path / "t.csv"
    pandas.DataFrame(WER).to_csv(file, index=False)
    forms: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((WER,), {}),
        ((pandas.DataFrame(WER),), {}),
        ((file,), {}),
        ((csig.read(file),), {}),
        (tuple(WER.values()), {"systems": list(WER)}),
        ((compared(WER),), {}),
        ((NAMELESS,), {"lower_is_better": True}),
        ((compared(NAMELESS),), {"lower_is_better": True}),
    ]
    if function is csig.audit:  # which reads as csig.compare does
        forms = forms[::3]
    found = {pvalue(function(*own, alternative="greater", rng=1, **more)) for own, more in forms}
    assert found == {csig.randomization_test(compared(WER), "mean", alternative="less").pvalue}
    turned = pvalue(function(WER, alternative="greater", higher_is_better=True))
    assert turned == pvalue(function(NAMELESS, alternative="greater"))
    assert turned not in found


@pytest.mark.parametrize("function", [csig.compare_systems, csig.compare_datasets])
def test_names_say_which_systems_are_the_best(function: Any) -> None:
    forms: list[Any] = [WER, pandas.DataFrame(WER)]
    if function is csig.compare_systems:
        forms.append(compared(WER))
    for own in forms:
        assert not function(own).greater_is_better
        assert function(own, higher_is_better=True).greater_is_better
    assert function(NAMELESS).greater_is_better


@pytest.mark.parametrize("function", [*FUNCTIONS, csig.compare_datasets])
def test_names_that_may_say_either_are_asked_about(function: Any) -> None:
    times = {f"{name}_seconds": own for name, own in NAMELESS.items()}
    with pytest.raises(InputError, match=r"nothing says whether .* lower_is_better=True or higher"):
        function(times)
    assert function(times, higher_is_better=True)
    assert csig.recommend(times).metric == "mean"  # two-sided: nothing to ask


def test_what_was_read_is_taken_as_it_is(table: Path) -> None:
    expected = csig.compare(table)["mean"].pvalue
    for function in FUNCTIONS:
        assert pvalue(function(csig.read(table), rng=1)) == expected
        assert pvalue(function(csig.read(table), metric="mean", unit="unit", rng=1)) == expected
    read = csig.read(table)
    assert csig.compare(read, baseline="new").baseline == "new"
    less = csig.compare(csig.read(table, lower_is_better=True), alternative="less")
    assert less["mean"].pvalue == csig.compare(read, alternative="greater")["mean"].pvalue


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_metric_may_follow_a_comparison(function: Any) -> None:
    assert pvalue(function(PAIR, "mean", rng=1)) == pvalue(function(PAIR, metric="mean", rng=1))
    with pytest.raises(TypeError, match=r"\(\) got two values for the argument 'metric'"):
        function(PAIR, "mean", metric="mean")


def test_whole_numbers_are_the_same_data_in_any_type() -> None:
    """The digest of many systems is as that of two: of the numbers, not of how they are stored."""
    kinds = ["i8", "f2", "f4", "f8"]
    rows = [{name: np.array(own, kind) for name, own in RIGHT.items()} for kind in kinds]
    assert len({csig.compare_systems(own).digest for own in rows}) == 1
    tenths = [{name: np.array(own, kind) for name, own in SCORES.items()} for kind in kinds[2:]]
    assert len({csig.compare_systems(own).digest for own in tenths}) == 2


def test_a_system_may_be_called_gold() -> None:
    found = csig.compare_systems({"gold": TAGS["a"], "b": TAGS["b"]}, gold=TAGS["b"])
    assert found.scores == (0.5, 1.0)


@pytest.mark.parametrize("cases", sections(PRINTED))
def test_what_cannot_be_meant_is_refused_in_one_line(cases: list[tuple[str, str]]) -> None:
    assert otherwise(cases, globals()) == []
    assert [text for _, text in cases if "--" in text] == []


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        *((own, {name: value}, f"^{name}: what csig.read gives has its own already")
          for own, name, value in zip(FUNCTIONS, ("id", "cluster", "header"), ("x", "x", True),
                                      strict=True)),
        (csig.compare_datasets, {}, r"^inputs: what csig\.read gives is of one data set; gi"),
        (csig.audit, {"by": "topic"}, r"^by: the parts of data are for csig\.compare"),
        (csig.compare_systems, {"by": "topic"}, r"^by: the parts of data are for csig\.compare"),
    ],
)  # fmt: skip
def test_what_was_read_has_its_own_options(
    tmp_path: Path, function: Any, options: dict[str, Any], message: str
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("topic,base,new\nx,0.5,0.25\ny,0.25,0.75\n")
    read = csig.read(table, by="topic") if "by" in options else csig.read(table, ignore="topic")
    with pytest.raises(InputError, match=message):
        function(read, **({} if "by" in options else options))


@pytest.mark.parametrize("verb", ["compare", "datasets"])
def test_both_directions_are_refused_at_the_command_line(table: Path, verb: str) -> None:
    flags = ["--lower-is-better", "--higher-is-better"]
    said = f"{' and '.join(flags)}: expected one of them"
    assert said in refused(verb, str(table), *flags)
    assert said in refused(verb, str(table), *reversed(flags))


@pytest.mark.parametrize(
    ("function", "name", "hint"),
    [
        (csig.compare, "clusters", "'cluster'"),
        (csig.compare, "seed", "'rng'"),
        (csig.compare_systems, "ids", "'id'"),
        (csig.compare_systems, "clusters", "'cluster'"),
        (csig.compare_systems, "by", None),
        (csig.compare_datasets, "clusters", "'datasets'"),
        (csig.compare_datasets, "dataset", "'datasets'"),
        (csig.compare, "dataset", None),  # which it does not have
    ],
)
def test_a_name_from_elsewhere_is_hinted_at_by_the_name_of_here(function, name, hint):
    with pytest.raises(TypeError, match=f"has no argument '{name}'") as caught:
        function({"a": [1, 0, 1], "b": [0, 1, 1]}, **{name: "x"})
    assert f"did you mean {hint}" in str(caught.value) if hint else "'datasets'" not in str(caught)


def test_scores_and_data_sets_belong_together_by_their_index():
    """Whatever has an index is in the order of the first that has one, as in csig.compare."""
    x = pandas.Series([0.1, 0.2, 0.3, 0.9], index=[*"abcd"])
    y = pandas.Series([0.1, 0.4, 0.5, 0.7], index=[*"dcba"])
    sets = pandas.Series([*"QQPP"], index=[*"dcab"])
    found = csig.compare_datasets({"x": x, "y": y}, datasets=sets)
    p, q = ("ab", "cd")
    expected = [[own[[*which]].mean() for own in (x, y)] for which in (p, q)]
    assert found.datasets == ("P", "Q")
    assert found.scores.tolist() == pytest.approx(np.array(expected))
    by_name = {"a": "P", "b": "P", "c": "Q", "d": "Q"}
    again = csig.compare_datasets({"x": x, "y": y}, datasets=by_name)
    assert again.scores.tolist() == found.scores.tolist()
    with pytest.raises(InputError, match=r"have theirs in different orders; give datasets=, or dr"):
        csig.compare_datasets({"x": x, "y": y}, datasets=[*"PPQQ"])
    with pytest.raises(InputError, match=r"^datasets: no label for unit 'd'"):
        csig.compare_datasets({"x": x, "y": y}, datasets={"a": "P", "b": "P", "c": "Q"})


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_a_metric_that_is_asked_for_has_its_own_direction():
    losses = {"bert_focal_loss": [1, 0, 0, 0], "gpt_focal_loss": [1, 1, 1, 0]}
    for metric in ("accuracy", "error_rate"):
        assert csig.compare(losses, metric=metric)[metric].pvalue == 0.5
    times = {"time_aware_a": [1, 0, 0, 0], "time_aware_b": [1, 1, 1, 0]}
    assert csig.compare(times, metric="accuracy")["accuracy"].pvalue == 0.5
    with pytest.raises(InputError, match="nothing says whether lower or higher is better"):
        csig.compare(times)
    comparison = Comparison.from_scores([3, 1, 2.5], [2, 2, 2], names=("b_time", "a_time"))
    assert csig.audit(comparison, "mean", n_resamples=1024, rng=1).passed


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_a_metric_after_a_comparison_may_be_all_that_a_metric_may_be():
    comparison = Comparison.from_scores([3, 1, 2.5], [2, 2, 2])
    for metric in (None, {"mean"}, {"mean": 1}.keys(), ["mean"], "mean"):
        assert csig.compare(comparison, metric).metrics == ("mean",)
    with pytest.raises(InputError, match=r"^inputs\[1\] must be a csig.Comparison"):
        csig.compare(comparison, 3)


if __name__ == "__main__":
    rewrite(PRINTED, globals())
