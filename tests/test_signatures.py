"""Every argument of every public function means one thing, and has one default."""

from __future__ import annotations

import importlib
import inspect
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import csig

ROOMS = (
    "classical", "intervals", "effects", "rankings", "training", "datasets", "metrics", "claims",
    "plots", "replay", "advice",
)  # fmt: skip

#: Stands for no default: the argument has to be given.
GIVEN = inspect.Parameter.empty

#: What an argument is called, what it means, and the defaults that it may have besides none; of
#: several, why they are several. None is what nobody gave: the function's own choice.
ARGUMENTS: list[tuple[str, str, tuple[object, ...], str]] = [
    # ---- what is compared
    ("comparison", "Two systems on the same test data, or what says as much.", (None,), ""),
    ("a", "System A: its scores, its responses, or its name.", (None,), ""),
    ("b", "System B, the baseline of A: the same.", (None,), ""),
    ("gold", "What is right: responses, labels, how many there are, or their column.", (None,), ""),
    ("systems", "Scores of several systems, or the names of those to take.", (None,), ""),
    ("system", "One system, by its name or letter; of files those to take.", (None,), ""),
    ("datasets", "Which data set every unit or score is of.", (None,), ""),
    ("table", "Rows of a file or frame, or its path.", (), ""),
    ("path", "The file that is read.", (), ""),
    ("*files", "Files as the command line takes them.", (), ""),
    ("*inputs", "Files, a frame, scores or comparisons.", (), ""),
    ("parts", "The comparison on every part of the data, by the part.", (), ""),
    ("predicted", "The labels that a system gives.", (), ""),
    ("both_correct", "Responses that both systems get right.", (0,), ""),
    ("only_a_correct", "Responses that A alone gets right.", (), ""),
    ("only_b_correct", "Responses that B alone gets right.", (), ""),
    ("both_spurious", "Wrong responses of both systems.", (0,), ""),
    ("only_a_spurious", "Wrong responses of A alone.", (0,), ""),
    ("only_b_spurious", "Wrong responses of B alone.", (0,), ""),
    ("exclusions", "Responses that are known to exclude each other.", (None,), ""),
    ("names", "What the two systems are called.", (("A", "B"), None),
     "data without names are A and B; a comparison, or what is drawn, has its own"),
    ("name_a", "What system A is called.", (None,), ""),
    ("name_b", "What system B is called.", (None,), ""),
    ("name", "What one system, method or metric is called; how many points have their names.",
     ("predicted", "", 5), "a table names its system, a title no method; a picture names a few"),
    ("record", "What `audit` wrote.", (), ""),
    ("tests", "Results of tests, or their p-values.", (), ""),
    ("pvalue", "The p-value of one test.", (), ""),
    ("claims", "Published numbers.", (), ""),
    ("result", "What a function of csig gave.", (), ""),
    ("results", "What functions of csig gave, by name.", (), ""),
    ("ranks", "Average ranks by system, or what has them.", (), ""),
    ("validation", "What `validate_binomial` gave.", (), ""),
    # ---- units
    ("unit", "What is swapped: the name of a level of the data.", (None,), ""),
    ("unit_name", "What one unit is called.", ("unit", None),
     "a comparison has no other name for it; many systems have that of what they are read from"),
    ("ids", "What identifies every unit.", (None,), ""),
    ("id", "The column of the ids, or the ids.", (None,), ""),
    ("clusters", "The cluster of every unit.", (None,), ""),
    ("cluster", "The column of the clusters, or the cluster of every unit.", (None,), ""),
    ("cluster_name", "What one cluster is called.", ("cluster",), ""),
    ("conflict", "Whether two responses exclude each other.", (None,), ""),
    ("key_name", "What the units of responses are called.", ("key",), ""),
    ("columns", "The columns of statistics, by name.", (None,), ""),
    ("runs", "The names of the runs of each system.", (None,), ""),
    ("by", "What divides data into parts, or systems into groups.", (None,), ""),
    ("label", "One class of a table.", (), ""),
    ("whole", "The comparison that this one is a part of.", (), ""),
    ("rows", "What a row is of: an item, a fold or a data set; of a replay the statistics.",
     ("items",), ""),
    ("folds", "The folds of each cross-validation.", (None,), ""),
    ("test_share", "The share of the data that is tested in a random split.", (None,), ""),
    ("n_train", "The size of the training part, or its share.", (), ""),
    ("n_test", "The size of the test part, or its share.", (), ""),
    # ---- metrics
    ("metric", "The metric, or several, by name or as a Metric.", (None, "precision", "recall"),
     "tests of one kind of share have the one that they are for"),
    ("numerator", "Weights of the sums above the line.", (), ""),
    ("denominator", "Weights of the sums below the line.", (), ""),
    ("greater_is_better", "Whether more of a metric is better.", (True,), ""),
    ("lower_is_better", "Whether lower scores are better; of methods those whose are.", (None,),
     ""),
    ("zero_division", "The score where the denominator is zero.", (0,), ""),
    ("beta", "How much recall counts beside precision.", (), ""),
    ("classes", "The classes that count; all by default.", (None,), ""),
    ("positive", "The positive class.", (None,), ""),
    ("response", "A span: its start, its end and its label.", (), ""),
    ("sums", "The statistics of a whole, column by column.", (), ""),
    ("what", "Of what the interval is: the difference, or one system's score.",
     ("difference",), ""),
    # ---- the test
    ("alternative", "Which differences count against the null hypothesis.", ("two-sided",), ""),
    ("method", "How it is computed, or how samples are drawn.",
     ("auto", "exact", "bca", "shift", "components", "bootstrap", None),
     "each function has methods of its own; None takes them from a table"),
    ("statistic", "Whether the metric itself differs, or whether systems are interchangeable.",
     ("auto", "difference"), "a test of one comparison asks what the paper asks"),
    ("alpha", "The level of all verdicts together.", (0.05, None),
     "a result that has a level keeps it"),
    ("n_resamples", "How many shuffles, flips or resamples are drawn.", (None,), ""),
    ("bootstrap_resamples", "How many resamples each bootstrap test draws.", (100_000,), ""),
    ("max_resamples", "How many shuffles at most are drawn to decide.", (2**32,), ""),
    ("decide", "Whether to draw until the verdict is settled.", (False,), ""),
    ("decide_at", "The level at which it is to be settled.", (None,), ""),
    ("risk", "The probability of a wrong verdict by deciding.", (None,), ""),
    ("exact_budget", "Steps that an exact test may take.", (2**26,), ""),
    ("keep_null", "Whether the differences of all shuffles are kept.", (False,), ""),
    ("rng", "The seed.", (None,), ""),
    ("bit_generator", "The generator of random words.", (None, np.random.PCG64DXSM),
     "None is that of the seed where it brings one; a replay's seed is a number"),
    ("allow_bad_generator", "Whether RANDU may draw.", (False,), ""),
    ("sensitivity", "Whether to test every unit that is known.", (True,), ""),
    ("correction", "What is done for the number of tests.", ("holm",), ""),
    ("continuity", "Whether to correct for continuity.", (False,), ""),
    ("pairs", "Which test compares two systems over data sets.", ("wilcoxon",), ""),
    ("zero_method", "What the test does with differences of zero.", ("zsplit", "wilcox"),
     "scipy's default for one pair; over data sets Demsar's, which keeps the zeros"),
    ("pooled", "Whether both shares have one variance.", (True,), ""),
    ("equal_variances", "Whether both samples have one variance.", (True,), ""),
    ("sd_a", "The standard deviation of A's scores, or what is proportional to it.", (None,), ""),
    ("sd_b", "The same of B's scores.", (None,), ""),
    ("baseline", "The system or method that all others are compared with.", (None,), ""),
    ("procedure", "Which critical difference of average ranks.", (None,), ""),
    ("independent", "Whether hits are counted again without compiled code.", (False,), ""),
    # ---- intervals
    ("interval", "How an interval is made.", ("auto", "clopper-pearson"),
     "a difference has another interval than a precision"),
    ("intervals", "An interval for every row.", (None,), ""),
    ("confidence_level", "The share of intervals that hold the true value.", (0.95,), ""),
    ("pvalue_confidence", "The same of the interval around a drawn p-value.", (0.99,), ""),
    ("paired", "Whether runs of the same name belong together.", (False,), ""),
    ("paired_runs", "The same, where there are arguments of other kinds beside it.", (False,), ""),
    # ---- rankings
    ("methods", "The columns of scores of ranking methods.", (None,), ""),
    ("true", "The column that says which candidates are true.", ("true",), ""),
    ("n", "How many: candidates in a list, units, words of a stream.", (None,), ""),
    ("threshold", "The score from which on a method accepts candidates.", (None,), ""),
    ("total", "How many candidates of the whole table are accepted.", (None,), ""),
    ("ties", "What becomes of equal scores at the end of a list.", ("all", "expected"),
     "a list that is tested has whole candidates; a precision alone may be a mean"),
    ("sample", "The sample: its column, or its number.", (None, 0),
     "a replay counts samples from the first"),
    ("samples", "Of every sample how many candidates are true, and how many there are.", (), ""),
    ("size", "How many instances or candidates a sample holds, or their column.", ("size", None),
     "a table has the column; a number is by default that of the corpus"),
    ("precision", "The true precision.", (None,), ""),
    # ---- training
    ("corpus", "The training data, unit by unit.", (), ""),
    ("units", "The units of the training data, or how many there are.", (), ""),
    ("instances", "How many instances every unit holds.", (None,), ""),
    ("n_samples", "How many training samples are drawn.", (None,), ""),
    ("k", "The parts of a k-fold split.", (None,), ""),
    ("disjoint", "Whether subsamples have no unit in common.", (True,), ""),
    ("train_and_score", "Trains a system on a sample, and scores it.", (), ""),
    ("test_sets", "The test sets, by name.", (), ""),
    ("test_set", "One test set, by name; in a table its column.", (None,), ""),
    ("held_out", "The name of the units that are not in a sample, as a test set.", (None,), ""),
    ("ledger", "The file that keeps what was trained.", (None,), ""),
    ("note", "What else the ledger's question is about.", ("",), ""),
    ("replicate", "The column of the training samples.", (None,), ""),
    ("item", "The column of the items.", (None,), ""),
    ("score", "The column of the scores.", (None,), ""),
    ("first", "The first of two test sets; the shortest list that is shown.", (None,), ""),
    ("second", "The second of two test sets.", (), ""),
    # ---- reading
    ("gold_column", "The column of the gold.", (None,), ""),
    ("quoting", "Whether quotation marks enclose cells.", (None,), ""),
    ("decimal", "The decimal mark.", (".",), ""),
    ("**reading", "How files are read.", (), ""),
    # ---- running
    ("threads", "How many threads; changes no result.", (None,), ""),
    ("executor", "What runs parts elsewhere; changes no result.", (None,), ""),
    ("progress", "What is told how far it is; True shows a bar.", (None,), ""),
    # ---- showing
    ("format", "What the text is: text, Markdown, LaTeX, ...", ("text",), ""),
    ("explain", "Whether the explanation is there.", (False,), ""),
    ("cite", "Whether the sentence for a paper is there.", (False,), ""),
    ("library", "Which data frame: pandas or polars.", (None,), ""),
    ("kind", "Which picture; by default the first that suits.", (None,), ""),
    ("ax", "The axes to draw on; new ones by default.", (None,), ""),
    ("width", "How wide: columns of text, or inches of a picture.", (None, 6.4, 4.2),
     "text has its own width; a square picture is narrower than a page"),
    ("most", "How many systems at most are drawn.", (100,), ""),
    ("band", "Which bands are drawn; of a replay what counts as a tie.", ("both", 0),
     "a picture has bands, a sum in fixed point a tolerance"),
    ("pair", "The two methods that are drawn.", (None,), ""),
    ("cd", "The critical difference of average ranks.", (None,), ""),
    ("groups", "Which systems a bar connects.", (None,), ""),
    ("best", "The side of rank 1.", ("left",), ""),
    ("**options", "What the function takes that this one calls.", (), ""),
    # ---- replays
    ("counts", "The counts of responses, as `Comparison.from_counts` takes them.", (), ""),
    ("values", "The score of every unit and system.", (), ""),
    ("differences", "The difference of every unit and column.", (), ""),
    ("n_trials", "How many trials the run had.", (), ""),
    ("n_correct", "Responses of one system that are right.", (), ""),
    ("n_spurious", "Responses of one system that are wrong.", (), ""),
    ("entropy", "The seed, as an integer.", (), ""),
    ("spawn_key", "What tells streams of one seed apart.", ((),), ""),
    ("engine", "The number of the engine that draws.", (0, 2), "flips have a stream of their own"),
    ("run", "The number of the run.", (0,), ""),
    ("chunk", "The number of the chunk.", (0,), ""),
    ("first_chunk", "The chunk with which it begins.", (0,), ""),
    ("alone", "Whether each pair is by itself, without steps.", (False,), ""),
    ("studentized", "Whether differences are divided by their errors.", (True,), ""),
    ("two_sided", "Whether the two directions of a pair are one hypothesis.", (False,), ""),
    ("**stream", "Where the words come from: seed, generator, run.", (), ""),
]  # fmt: skip


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Public functions, and the public methods and constructors of public classes, each once."""
    seen: set[object] = set()
    for home in ("csig", *(f"csig.{room}" for room in ROOMS)):
        module = importlib.import_module(home)
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value):
                candidates = [(f"{home}.{name}", value)]
            elif inspect.isclass(value):
                candidates = [
                    (f"{home}.{name}.{method}", getattr(value, method))
                    for base in value.__mro__
                    if base.__module__.startswith("csig")
                    for method, own in vars(base).items()
                    if not method.startswith("_")
                    and (isinstance(own, classmethod | staticmethod) or inspect.isfunction(own))
                ]
            else:  # a module, a Metric, a number
                continue
            for where, function in candidates:
                key = getattr(function, "__func__", function)
                if key not in seen:
                    seen.add(key)
                    yield where, function


def used() -> dict[str, dict[str, list[str]]]:
    """By the name of an argument its defaults, as they are written, and who has each."""
    found: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    for where, function in functions():
        for name, argument in inspect.signature(function).parameters.items():
            if name != "self":
                default = argument.default
                found[stars.get(argument.kind, "") + name][written(default)].append(where)
    return found


def written(default: object) -> str:
    return default.__name__ if isinstance(default, type) else repr(default)


USED = used()


def test_every_argument_has_a_row_and_every_row_an_argument() -> None:
    names = [name for name, *_ in ARGUMENTS]
    assert len(set(names)) == len(names)
    assert sorted(names) == sorted(USED), {n: USED[n] for n in set(USED) - set(names)}


@pytest.mark.parametrize("row", ARGUMENTS, ids=lambda row: row[0])
def test_defaults_are_those_of_the_row(row: tuple[str, str, tuple[object, ...], str]) -> None:
    name, meaning, defaults, why = row
    allowed = {written(own) for own in defaults}
    assert USED[name].keys() - {written(GIVEN)} == allowed, USED[name]
    assert meaning.endswith(".")
    assert len(meaning) < 90
    assert bool(why) == (len(defaults) > 1)


def test_an_argument_that_is_not_given_is_none() -> None:
    """Never an empty list, which could as well be what somebody gave."""
    empty = {name for name, own in USED.items() if {"()", "[]", "{}"} & own.keys()}
    assert empty == {"spawn_key"}  # of a seed that spawned nothing, as numpy has it
    assert csig.randomization_test.__kwdefaults__["n_resamples"] is None
