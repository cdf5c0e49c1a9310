"""What is chosen unless somebody says otherwise, and the names to choose from.

Plain constants, so that a command can list its options without what they are for.
"""

from __future__ import annotations

#: Yeh (2000): at most this many shuffles are enumerated, else this many are drawn.
YEH_RESAMPLES = 1_048_576

#: The probability of a wrong verdict that ``decide_at`` allows, and its maximum number of shuffles.
RISK, MOST_RESAMPLES = 1e-6, 2**32

#: Generators known by name; the first is the default.
GENERATORS = ("PCG64DXSM", "PCG64", "Philox", "SFC64", "MT19937")

#: Bad ones, for teaching: Yeh's example of a generator that gives wrong results.
BAD_GENERATORS = ("randu", "randu-top")

#: How intervals are made, by default the first: inverted for differences of means of scores, else
#: linearized. Those before "bca" draw nothing.
INTERVALS = ("auto", "inverted", "linearized", "bca", "percentile", "basic", "studentized")
UNDRAWN_INTERVALS = INTERVALS[:3]

#: Instead of a method.
NO_INTERVAL = "none"

#: How tokens of several files of tags are matched.
MATCHES = ("token", "position")

#: A scheme of tags: labels of tokens that are no entities.
PLAIN = "plain"

#: Metrics known by name; beside these f0.5, f2, ...
METRICS = (
    "recall", "precision", "f1", "jaccard", "accuracy", "error_rate", "specificity", "wer", "mean",
    "macro_f1", "weighted_f1", "balanced_accuracy", "mcc", "kappa",
)  # fmt: skip

#: Resamples of the bootstrap.
RESAMPLES = 100_000

#: Sign flips of many systems that are drawn.
FLIPS = 2**16 - 1

#: How p-values of many systems are adjusted, and what flips compare.
CORRECTIONS = ("holm", "bonferroni", "shaffer", "bh", "by", "holm-directions", "flips")
STATISTICS = ("studentized", "difference")

#: What many systems are ranked by.
RANKED_BY = ("mean", "borda", "win-rate")

#: How two systems are compared over data sets, and how their p-values are adjusted.
DATASET_TESTS = ("wilcoxon", "sign", "t", "randomization", "within", "ranks", "anova")
DATASET_CORRECTIONS = (
    "holm", "bonferroni", "shaffer", "bergmann-hommel", "bh", "by", "nemenyi", "tukey", "dunnett",
)  # fmt: skip

#: How samples of the training data may be drawn.
RESAMPLINGS = ("bootstrap", "kfold", "subsample")

#: What Wilcoxon's test does with zero differences.
ZERO_METHODS = ("zsplit", "pratt", "wilcox")
