"""The words that csig knows: the only names of columns, rows and scores that mean anything to it.

``docs/formats.md`` has the same table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from csig.base.defaults import METRICS


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: The ids of the units; the first that is there is taken. pandas and R write theirs without a name.
ID_NAMES = (*_names("""
    id item item_id doc_id example_id sample_id instance_id question_id query_id topic_id qid
    sentence_id sent_id sid segment_id seg_id index idx example question sentence segment query
    topic document doc rownames
"""), "unnamed: 0", "")  # fmt: skip

#: The clusters, which are swapped whole.
CLUSTER_NAMES = _names("""
    cluster cluster_id group group_id task task_id pair pair_id document document_id doc passage
    passage_id topic session dialogue speaker
""")

#: Ids of which each may have several of the clusters, where both repeat.
QUERY_NAMES = _names("query query_id qid topic topic_id question question_id")
DOCUMENT_NAMES = _names("document document_id doc passage passage_id")

#: The gold labels, and columns that may be the gold: an option must say so.
GOLD_NAMES = _names("gold gold_label label true_label y_true target truth ground_truth")
PERHAPS_GOLD = _words("y class answer relevant relevance reference ref actual expected")

#: Whose row it is.
SYSTEM_NAMES = _names("""
    system model system_id model_id system_name model_name method algorithm classifier sys sys_id
    team approach submission llm framework detector run_name
""")

#: As the first column, another text in every row: systems or units, nobody knows.
PERHAPS_SYSTEM = _words("name participant entry")

SCORE_NAMES = ("score", "value")

#: What is no score where nothing says which are right.
PREDICTIONS = _words("prediction predicted pred y_pred")

#: What may tell runs of a system apart, once ``--run`` says so.
RUN_NAMES = _names("run run_id seed seed_id random_seed trial replicate repetition repeat fold")

#: Counts by the names they have in files.
COUNTS = {
    **{name: name for name in _names("tp predicted gold fp fn correct items errors words")},
    "pred": "predicted", "total": "items", "n": "items",
}  # fmt: skip

#: What a system needs, the first that is complete.
COUNT_SETS = tuple(map(_names, ("tp predicted gold", "tp fp fn", "correct items", "errors words")))

#: Counts that say the same of every system, so that one column may serve them all.
_SHARED_COUNTS = ("gold", "items", "words")

#: All names of columns that have a role.
RESERVED = frozenset((*ID_NAMES, *CLUSTER_NAMES, *GOLD_NAMES, *SYSTEM_NAMES, *SCORE_NAMES)) - {""}

#: Properties of units: whole names, with * also the last part of one, with ° the first.
_PROPERTIES = _words("""
    n° nr no num° number° count* size* length* len* fold* seed* year* month day split epoch step
    run trial round rank position* pos line row turn level hop hops age freq frequency time*
    duration seconds* ms* latency* runtime temperature cost price weight difficulty tokens*
    words* chars* characters* sentences width height distance depth offset* start end id* uid
    uuid key idx* index* timestamp sub del ins
""")
PROPERTY_NAMES = frozenset(name.rstrip("*°") for name in _PROPERTIES)
LAST_PARTS = frozenset(name[:-1] for name in _PROPERTIES if name.endswith("*"))
FIRST_PARTS = frozenset(name[:-1] for name in _PROPERTIES if name.endswith("°"))

#: Metrics: columns of these names hold scores of one system, none of several.
METRIC_NAMES = _words("""
    acc acc_norm f f1_score f0.5 f2 fscore f_score macro_f1 micro_f1 map mrr ndcg auc roc_auc
    bleu sacrebleu chrf chrf++ comet ter cer meteor rouge rougel rouge_l bertscore bleurt em
    exact_match perplexity ppl loss nll rmse mae mse brier brier_score error_rate ap rr rprec
    bpref recip_rank gm_map infap dice iou sensitivity npv ppv auroc auprc pearson spearman hits
    success
""") | {*METRICS}

#: Metrics with a number: p@20, ndcg_cut_10.
_NUMBERED = re.compile(
    r"(map|mrr|ndcg|rr|recall|precision|err|f1|hit|hits|success|rouge|bleu)(@|_|_cut_)?\d+"
    r"|(pass|acc|accuracy)@\d+|[pr][@_]\d+|iprec_at_recall_\d\.\d+"
)

#: Statistics of other columns.
STATISTIC_NAMES = _words("""
    mean avg average median diff difference delta gain margin p pvalue p_value p-value p.value
    pval p-val rank # n count std sd stdev se stderr std_err standard_error var variance min max
    sum total ci ci_low ci_high lower upper
""")

#: Statistics that longer names have too: acc_stderr.
_ERRORS = re.compile("(.+_)?(stderr|std_err|standard_error)(_.+)?")

#: Parts of a leaderboard's columns that are no data sets.
NO_DATASETS = _words("""
    avg average mean overall median total rank std stderr size params parameters speed length
    date license price time latency cost
""")

#: Words of rows that sum up others; several of a row are joined by "_". Nothing else may stand
#: with such a word but these.
_SUMMARIES = _words("""
    avg average averages mean means amean gmean geomean median std sd stdev total totals sum all
    overall rank ranks wins micro macro min max gesamt p_value w_t_l
""")
_BESIDE_SUMMARIES = _words("grand weighted of score scores dev geo geometric count ties losses")

#: The bytes with which the name of such a row begins.
SUMMARY_STARTS = tuple({
    ord(sign) for word in _SUMMARIES | _BESIDE_SUMMARIES for sign in (word[0], word[0].upper())
} | {ord("#")})  # fmt: skip

#: Words of scores of which less is better; several parts are joined by "_".
LOWER_WORDS = _words("""
    wer cer ter per loss perplexity ppl nll rmse mae mse brier fid error errors logloss
    bits_per_byte err eer der hter mape smape mase xent cross_entropy crossentropy fpr fnr
""")

#: Those that count only at the end of a name: "scores per topic", and ERR@20 is no error.
_AT_THE_END = _words("per err")

#: Those that go beyond 1 without being in percent.
_LOSSES = _words("loss logloss nll xent cross_entropy crossentropy perplexity ppl rmse mae mse fid")

#: Words of quantities of which somebody must say whether less is better.
EITHER_WORDS = _words("""
    time latency seconds ms cost distance runtime regret deviation edits toxicity hallucinations
    violations
""")


def known_name(names: Sequence[str], known: Sequence[str], exact: bool = False) -> str | None:
    """The first of the known names that the file has, in any case and, unless exact, any signs."""
    there = {name.casefold(): name for name in reversed(names)}
    if not exact and there.keys().isdisjoint(known):
        there = {"_".join(parts): name for name in reversed(names) if (parts := parts_of(name))}
    return next((there[name] for name in known if name in there), None)


def system_column(names: Sequence[str]) -> str | None:
    """The column that is called like whose row it is, by one reserved name or several together."""
    known = {*SYSTEM_NAMES, "name"}
    together = (name for name in names if {"name"} < {*parts_of(name), "name"} <= known)
    return known_name(names, SYSTEM_NAMES) or next(together, None)


def parts_of(name: str) -> list[str]:
    """The parts of a name, in small letters: split at signs, blanks, and where capitals begin."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return [part.casefold() for part in re.split(r"[\W_]+", apart) if part]


def is_property(name: str) -> bool:
    """Whether a column has a name that ids, groups or properties of units have, not systems."""
    parts, small = parts_of(name), name.casefold()
    if small in ID_NAMES or small in CLUSTER_NAMES:
        return True
    if len(parts) < 2:
        return small in PROPERTY_NAMES
    return not is_metric(name) and (parts[-1] in LAST_PARTS or parts[0] in FIRST_PARTS)  # nDCG@10


def is_number_of(name: str) -> bool:
    """Whether a column is called like the numbers of something: original_id."""
    return parts_of(name)[-1:] in (["id"], ["idx"], ["index"])


def may_be_truth(name: str) -> bool:
    """Whether 0 and 1 in a column of this name may say what is true: is_spam, gold_ner."""
    parts = parts_of(name)
    return parts[:1] in (["is"], ["has"]) or not {"gold", "true", "label"}.isdisjoint(parts)


def is_count(name: str) -> bool:
    """Whether a column is called like a count of a system, which is no score by itself."""
    pattern = r"((tp|fp|fn)([_.:/ -].+)?)|(.+[_.:/ -](tp|fp|fn))"
    return re.fullmatch(pattern, name, re.IGNORECASE) is not None


def is_metric(name: str) -> bool:
    """Whether a column is called by the name of a metric, and nothing else."""
    small = re.sub("[ -]", "_", name.casefold())
    return small in METRIC_NAMES or small in LOWER_WORDS or _NUMBERED.fullmatch(small) is not None


def metric_in(name: str) -> str:
    """The metric with which a name ends or begins, beside other parts; nothing if there is none."""
    parts = parts_of(name)
    ends = ["_".join(parts[i:]) for i in range(max(1, len(parts) - 9), len(parts))]
    starts = ["_".join(parts[:i]) for i in range(min(9, len(parts) - 1), 0, -1)]
    return next(filter(is_metric, (*ends, *starts)), "")


def is_statistic(name: str) -> bool:
    """Whether a column is called like a statistic of others."""
    small = name.casefold().strip()
    error = _ERRORS.fullmatch("_".join(parts_of(name))) is not None
    return small in STATISTIC_NAMES or is_summary(name) or error


def is_summary(cell: str) -> bool:
    """Whether a row of this name sums up other rows."""
    words = re.findall(r"[^\W_]+", cell.casefold())
    if "_".join(words) in _SUMMARIES:
        return True
    return not _SUMMARIES.isdisjoint(words) and {*words} <= _SUMMARIES | _BESIDE_SUMMARIES


def shared_parts(names: Sequence[str]) -> list[str]:
    """The parts that all of several names have, in the order of the first; numbers may end them."""
    first, *others = (
        [part.rstrip("0123456789") or part for part in parts_of(name)] for name in names
    )
    return [part for part in first if all(part in other for other in others)]


def direction_of(parts: Sequence[str]) -> Literal["lower", "unknown"] | None:
    """What the words among some parts of a name say of its scores; nothing without such a word."""
    # A phone error rate ends a name: "scores per topic" and "f1 of PER" are none.
    words = _runs_of(parts)
    metrics = (part for part in parts if part not in {*_AT_THE_END, "mean"} and is_metric(part))
    if parts and (parts[-1] not in _AT_THE_END or any(metrics)):
        words -= _AT_THE_END
    if not LOWER_WORDS.isdisjoint(words):
        return "lower"
    return None if EITHER_WORDS.isdisjoint(words) else "unknown"


def is_loss(parts: Sequence[str]) -> bool:
    """Whether some parts of a name say that the scores are no shares."""
    return not _LOSSES.isdisjoint(_runs_of(parts))


def _runs_of(parts: Sequence[str]) -> set[str]:
    """Up to three parts one after another, joined."""
    return {"_".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, i + 4)}


def complete_counts(names: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
    """For every system the columns with its counts: {system: {count: column}}."""
    # The system's name comes before or after the count's; a file of one system has none.
    columns: dict[str, dict[str, str]] = {}
    counts = "|".join(COUNTS)
    pattern = rf"({counts})(?:[_.:/ -](.+))?|(.+)[_.:/ -]({counts})"
    for name in names:
        if fit := re.fullmatch(pattern, name, re.IGNORECASE):
            count = COUNTS[(fit[1] or fit[4]).casefold()]
            columns.setdefault(fit[2] or fit[3] or "", {}).setdefault(count, name)
    every = columns.get("", {})
    shared = {count: every[count] for count in _SHARED_COUNTS if count in every}
    complete = {}
    for system, some in columns.items():
        known = {**shared, **some}
        needs = next((needs for needs in COUNT_SETS if known.keys() >= {*needs}), None)
        if needs is not None:
            complete[system] = {count: known[count] for count in needs}
    return complete
