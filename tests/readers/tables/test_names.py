"""The words that csig knows: of columns, rows, metrics and directions."""

import pytest
from written import text_file

import csig
from csig.base.errors import Refusal
from csig.readers.tables import names

PROPERTIES = (
    "length", "Length", "n_tokens", "num words", "DocLen", "docLength", "N", "fold", "seed", "year",
    "sent_id", "uid", "latency", "start", "no", "doc_size", "", "topic", "speaker", "idx",
)  # fmt: skip

METRICS = (
    "accuracy", "ACC", "f1", "F1-score", "macro f1", "bleu", "BLEU", "chrF++", "map", "P_10", "p@5",
    "ndcg_cut_10", "ndcg@20", "err@20", "recall_5", "wer", "RMSE", "exact_match", "bits_per_byte",
)  # fmt: skip

STATISTICS = (
    "mean", "Avg", "Avg.", "diff", "delta", "p", "P-value", "p_value", "rank", "mean rank", "#",
    "n", "std", "pval", "gain", "margin", "std_err", "standard_error",
)  # fmt: skip

COUNTS = ("fp_base", "base.TP", "FN")

PLAIN = (
    "bert", "bert-large", "gpt_4", "run_1", "system_b", "bleu_base", "TextRank", "lossy",
    "ICT-TIME-and-Querit", "base.2", "meaning", "rank1bot", "p1", "R1", "tpu",
)  # fmt: skip


def test_names_of_columns():
    for name in (*PROPERTIES, *METRICS, *STATISTICS, *COUNTS, *PLAIN):
        kinds = (
            name in PROPERTIES or name in ("n", "rank"),
            name in (*METRICS, "mean"),
            name in COUNTS,
            name in STATISTICS or name == "N",
        )
        known = (names.is_property, names.is_metric, names.is_count, names.is_statistic)
        assert (name, *(is_one(name) for is_one in known)) == (name, *kinds)
    assert [*map(names.metric_in, ("bleu_base", "base_ter", "base"))] == ["bleu", "ter", ""]


SUMS = (
    "ALL", "Avg.", "avg. rank", "mean_rank", "Std", "median", "Wins", "overall", "Grand total",
    "macro-avg", "macro average", "Average score", "sum of ranks", "Std. dev.", "# wins",
    "Average (all)", "Wins/ties/losses", "geo. mean", "Geometric mean", "Count of wins", "min",
    "max", "p-value", "Gesamt",
)  # fmt: skip


def test_rows_that_sum_up_others():
    assert [cell for cell in SUMS if not names.is_summary(cell)] == []
    others = ("", "all you need", "overalls", "sum-1", "q1", "meaning", "average joe", "of")
    assert [cell for cell in others if names.is_summary(cell)] == []


# ---- directions ----------------------------------------------------------------------------------
def lower(*files: str, **options: object) -> bool | str:
    """Whether less is better; or that it is asked for."""
    try:
        (metric,) = csig.read(*files, **options).metrics
    except Refusal as error:
        return "asked" if "says whether lower or higher is better" in error.found else error.found
    return not getattr(metric, "greater_is_better", True)


WIDE = "id,{},{}\n" + "".join(f"q{i},0.{i}5,0.{9 - i}\n" for i in range(9))


@pytest.mark.parametrize(("systems", "expected"), [
    (("baseline_wer", "new_wer"), True), (("A_WER", "B_WER"), True),
    (("baseLoss", "newLoss"), True), (("base error rate", "new error rate"), True),
    (("ppl.base", "ppl.new"), True),
    (("base_bits_per_byte", "new_bits_per_byte"), True),
    (("wer1", "wer2"), True), (("errors_a", "errors_b"), True), (("x_err@20", "y_err@20"), False),
    (("base_rmse", "new"), False),  # no part is in both
    (("base", "new"), False), (("loss-free", "new"), False),
    (("ICT-TIME-and-Querit", "TextRank"), False), (("base_f1", "new_f1"), False),
    (("base_latency_x", "new_latency_x"), "asked"), (("cost of a", "cost of b"), "asked"),
    (("wer_time_a", "wer_time_b"), True),
])  # fmt: skip
def test_words_that_all_systems_share(systems, expected):
    text_file(WIDE.format(*systems))
    assert lower("t.csv") == expected
    assert lower("t.csv", lower_is_better=True) is True
    assert lower("t.csv", higher_is_better=True) is False


LONG = "system,id,{}\n" + "".join(f"{s},q{i},0.{i}5\n" for s in "ab" for i in range(9))


@pytest.mark.parametrize(("stem", "column", "expected"), [
    ("loss", "score", True), ("dev.perplexity", "score", True), ("scores", "wer", True),
    ("scores", "TER", True), ("scores", "bleu", False), ("wers", "score", False),
    ("loss", "bleu", False),  # the column says more than the file
    ("runtime_seconds", "score", "asked"), ("scores", "latency", "asked"),
])  # fmt: skip
def test_words_of_files_and_columns_of_scores(stem, column, expected):
    path = text_file(LONG.format(column), f"{stem}.csv")
    assert lower(path, score_column=column) == expected
    assert column != "score" or lower(path) == expected
    if (stem, column) == ("loss", "score"):
        assert lower(text_file(WIDE.format("base", "new"), "loss.csv")) is True


def test_files_of_one_system_each_that_share_a_word():
    a, b, other = (text_file("0.5\n0.25\n0.75\n", f"{own}.txt") for own in ("a.loss", "loss", "c"))
    assert lower(a, b) is True
    assert lower(other, b) is False
    columns = (text_file(f"id,perplexity\nx,{own}\n", f"{own}.csv") for own in ("0.5", "0.25"))
    assert lower(*columns) is True


LOWER = ("err", "abs_err", "cross_entropy", "crossentropy", "xent", "eer", "der", "hter", "mape",
         "smape", "mase", "fpr", "fnr", "mean_err")  # fmt: skip
EITHER = ("regret", "hallucinations", "violations", "runtime", "deviation", "edits", "toxicity")


def test_what_is_better_when_lower():
    for name in LOWER + EITHER:
        expected = name, "asked" if name in EITHER else True
        found = lower(text_file(LONG.format(name)), score_column=name)
        assert (name, found) == expected
        assert (name, lower(text_file(WIDE.format(f"x_{name}", f"y_{name}")))) == expected
