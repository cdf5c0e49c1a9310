"""Classical tests and tables of counts for programs: records, frames, rows, every format."""

import json

import csig
from csig import Comparison, classical
from csig.report.shown import document_of

NAMES = ("new", "base")
RIGHT = Comparison.from_scores([1, 1, 1, 0, 0], [1, 0, 0, 1, 0], names=NAMES)
SIGN = classical.sign_test(RIGHT)
SAME = classical.independent_t_test(Comparison.from_scores([1, 1], [1, 1]))
GOLD, SAID = list("TFFTFFTTTF"), list("TTTFFFTTTT")
WORDS = classical.confusion_table(GOLD, SAID, positive="T", name="new & old")
SEVERAL = classical.confusion_table(list("xxyyz"), list("xyyyx"), name="new")
PAIR = classical.agreement_table(GOLD, SAID, list("TFFTFTTTTF"), names=NAMES)


def record(result):
    (own,) = result.to_dict()["results"]
    return own


def test_records_and_frames():
    """What is undefined is null."""
    assert record(SIGN) == (
        {"kind": "SignTestResult", "metric": "mean", "unit": "unit", "n_a": 2, "n_b": 1}
        | {"pvalue": 1.0, "alternative": "two-sided", "names": ["new", "base"]}
    )
    frame = SIGN.to_frame("pandas")
    assert [*frame] == ["metric", "unit", "n_a", "n_b", "pvalue", "alternative"]
    assert csig.effects.effect(RIGHT, "mean").to_frame("pandas")["a_better"].tolist() == [2]
    assert record(SAME)["pvalue"] is record(SAME)["statistic"] is None
    labels = Comparison.from_labels(*map(list, ("xxy", "xxx", "xyy")))
    yates = classical.chi_square_test(labels, "accuracy", continuity=True)
    constant = classical.correlation_interval(Comparison.from_scores([1] * 5, [1, 2, 3, 4, 5]))
    assert record(yates)["r12_interval"] is record(constant)["estimate"] is None
    folds = classical.kfold_t_test([0.3, 0.1, 0.2])
    assert (record(folds)["df"], record(folds)["interval"]) == ([2], list(folds.interval))
    systems = classical.cochran_q_test({"a": [1, 0], "b": [0, 1]})
    assert (record(systems)["n_systems"], record(systems)["names"]) == (2, ["a", "b"])
    assert "assumes" not in systems.to_frame("pandas")
    never = classical.confusion_table(["T", "T"], ["F", "F"], positive="T")
    right = classical.confusion_table(["T", "F"], ["T", "F"], positive="T")
    for own, name in ((never, "precision"), (right, "odds_ratio")):
        assert json.loads(own.summary("json"))["results"][0]["measures"][name] is None
    words = record(WORDS)
    assert [words[name] for name in ("tp", "fp", "fn", "tn")] == [4, 3, 1, 2]
    assert words["counts"] == [[2, 3], [1, 4]]
    assert WORDS.to_frame("pandas")["tp"].tolist() == [4]
    rows = SEVERAL.to_frame("pandas").values.tolist()
    assert (len(rows), ["z", "x", 1] in rows) == (9, True)
    assert (record(PAIR)["kind"], record(PAIR)["names"]) == ("AgreementTable", ["new", "base"])


def test_which_labels_are_printed():
    """Up to twelve have a matrix, up to twenty a row each."""
    for n, first, notes in ((12, "counts", 0), (13, "confusions", 0), (20, "confusions", 0),
                            (21, "confusions", 1)):  # fmt: skip
        document = document_of(classical.confusion_table(range(n), [*range(1, n), 0]))
        assert (document.tables[0].name, len(document.notes)) == (first, notes)
        assert len(document.tables[1].rows) == min(n, 20)


def test_every_format_of_every_kind():
    escaped = {"html": "&amp; old", "latex": r"\& old"}
    for form in ("text", "markdown", "latex", "csv", "json", "html"):
        for result in (SIGN, SAME, WORDS, SEVERAL, PAIR):
            assert result.summary(form).endswith("\n")
        assert escaped.get(form, "") in WORDS.summary(form)
