"""Every option of the command line, declared once: its group, names, type, default and help.

A command names those that it takes: :func:`command`. Help shows them in the order in which they
stand here, group by group.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

import click

from csig.base import defaults
from csig.base.defaults import FLIPS, GENERATORS, INTERVALS, MOST_RESAMPLES, RISK, YEH_RESAMPLES
from csig.base.progress import asked
from csig.base.validation import ALTERNATIVES, METHODS
from csig.base.validation import STATISTICS as COMPARED
from csig.cli.help import Argument, Choice, Command, Option, complete_columns, complete_metrics
from csig.readers import limits
from csig.readers.forms import FORMATS
from csig.readers.request import CHOICES, UNITS, OptionError
from csig.report.rendering import FORMATS as RENDERED

# Types are functions because click.ParamType is generic in new versions of click only.


def whole(least: int, most: int | None = None) -> Callable[[object], int]:
    """A whole number, of any size up to `most`; 1_048_576 and 1,048,576 are read too."""

    def convert(value: object) -> int:
        given = str(value).strip()
        digits = given.replace("_", "").replace(",", "")
        # isdigit() alone takes superscripts; int() refuses more than 4300 digits.
        number = -1
        if digits.isascii() and digits.isdigit() and len(digits) <= 4000:
            number = int(digits)
        if number < least or (most is not None and number > most):
            bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
            shown = given if len(given) <= 40 else given[:40] + "..."
            raise click.BadParameter(f"expected a whole number {bounds}, found {shown!r}")
        return number

    return convert


def _share(value: object) -> float:
    """A number strictly between 0 and 1, or a percentage."""
    given = str(value).strip()
    try:
        number = float(given.removesuffix("%")) / (100 if given.endswith("%") else 1)
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        meant = f"; write {given}%" if 1 < number < 100 and not given.endswith("%") else ""
        raise click.BadParameter(f"expected a number between 0 and 1, found {str(value)!r}{meant}")
    return number


def _above_zero(value: object) -> float:
    """A finite number above 0."""
    try:
        number = float(str(value))
    except ValueError:
        number = 0.0
    if not 0 < number < math.inf:
        raise click.BadParameter(f"expected a number above 0, found {str(value)!r}")
    return number


def _in_points(value: object) -> float:
    """A finite number above 0, which is no share."""
    if str(value).endswith("%"):
        raise click.BadParameter(
            f"found {str(value)!r}; write {str(value)[:-1]}: where scores are printed in percent "
            "it is in points"
        )
    return _above_zero(value)


def _size(value: object) -> int:
    """A number of bytes, as 2G or 500 MB."""
    size = limits.size_of(str(value))
    if not size:
        shown = str(value)[:40]
        raise click.BadParameter(f"expected a size such as 500M, 2G or 1073741824, found {shown!r}")
    return size


#: Lengths of lists that --n may ask for.
MOST_LENGTHS = 2**20

_EXPECTED = (
    "expected lengths of lists, as 500, or 100,200,500, or 100:2000:10 for every tenth from 100 to "
    "2000"
)


def lengths(value: object) -> list[int]:
    """Lengths of lists: numbers with commas between them, and ranges that include their ends."""
    found: list[int] = []
    for part in str(value).split(","):
        numbers = re.fullmatch(r"\s*(\d{1,15})(?::(\d{1,15})(?::(\d{1,15}))?)?\s*", part, re.ASCII)
        if numbers is None:
            raise click.BadParameter(f"{_EXPECTED}; found {part.strip()[:40]!r}")
        if part.strip() == "000":
            raise click.BadParameter(f"{_EXPECTED}; write a thousand as 1000")
        first = int(numbers[1])
        last, step = int(numbers[2] or first), int(numbers[3] or 1)
        if first < 1 or step < 1 or last < first:
            raise click.BadParameter(f"{_EXPECTED}; {part.strip()!r} has none")
        own = range(first, last + 1, step)
        if len(own) + len(found) > MOST_LENGTHS:
            raise click.BadParameter(f"{part.strip()!r} are {len(own):,} lengths; give fewer")
        found += own
    return found


def metric_names(values: Sequence[str]) -> tuple[str, ...]:
    """The metrics of several options, each of which may hold several."""
    return tuple(name.strip() for value in values for name in value.split(","))


def one_metric(values: Sequence[str], why: str) -> tuple[str, ...]:
    """The same where there may be one only."""
    names = metric_names(values)
    if len(names) > 1:
        raise click.UsageError(f"--metric: give one metric; {why}")
    return names


#: The keywords of a `click.Option`.
Declared = dict[str, Any]

#: Options by names; of one that is another for some commands those of each, "" for the others.
Options = dict[str, Declared | dict[str, Declared]]


def _text(help: str, metavar: str = "NAME", **more: Any) -> Declared:
    return {"help": help, "metavar": metavar, **more}


def _column(help: str, metavar: str = "NAME", **more: Any) -> Declared:
    """The name of a column or system, which a shell may complete."""
    return _text(help, metavar, shell_complete=complete_columns, **more)


def _flag(help: str) -> Declared:
    return {"help": help, "is_flag": True}


def _one_direction(context: click.Context, option: click.Parameter, value: Any) -> bool | None:
    """What a pair of flags says, of which the last would count."""
    if len(set(value)) > 1:
        both = " and ".join((*option.opts, *option.secondary_opts))
        raise click.UsageError(f"{both}: expected one of them")
    return value[-1] if value else None


def _file(help: str, metavar: str = "FILE", **more: Any) -> Declared:
    return _text(help, metavar, type=click.Path(), **more)


def _output(help: str) -> Declared:
    """A file to be written, or ``-`` for standard output."""
    return _file(help, "FILE|-")


def _picture(what: str) -> Declared:
    return _file(f"Draw {what}: a file that ends in .png, .svg or .pdf.")


def _whole(help: str, least: int, most: int | None = None) -> Declared:
    return _text(help, "N", type=whole(least, most))


def _share_of(help: str, default: float | None = None) -> Declared:
    return _text(help, "SHARE", type=_share, default=default, show_default=default is not None)


def _choice(help: str, words: Sequence[str], default: str | None = None) -> Declared:
    shown = default is not None
    return {"help": help, "type": Choice(words), "default": default, "show_default": shown}


def _default(help: str, words: Sequence[str]) -> Declared:
    """A choice whose default is the first."""
    return _choice(help, words, words[0])


def _format(help: str, *names: str) -> Declared:
    return _default(help, RENDERED) | {"names": names}


def _generators(names: Sequence[str]) -> Declared:
    return {
        "help": f"{', '.join(names)}.  [default: {names[0]}]",
        "type": Choice(names, case_sensitive=False),
        "metavar": "NAME",
    }


def _set_max_size(context: click.Context, _: click.Parameter, value: int | None) -> None:
    """For this command; what it calls need not hand it on."""
    if value is not None:
        context.with_resource(limits.max_size(value))


def _set_progress(context: click.Context, _: click.Parameter, value: bool | None) -> None:
    if not context.resilient_parsing:
        context.with_resource(asked(value))


#: The exit status of a doubt, where doubts count.
DOUBTFUL = 3

_FEWER = "Compare the others with this {} only, which is fewer tests."
_QUOTES = "uotation marks are text (none), or enclose cells (csv).  [default: csv; for TSV none]"

_INPUT: Options = {
    "--inputs": _file(
        "The files, in their order in the record: are they the same, and do they give the same "
        "data?",
        multiple=True,
    ),
    "--true": _column(
        "The column that says which candidates are true: True and False, 1 and 0, or yes and no.",
        "COLUMN",
    ),
    "--methods": _column(
        "The columns of scores; repeatable.  [default: all columns of numbers, if each can only be "
        "a method]",
        "NAME,...",
        multiple=True,
    ),
    "--lower lower_is_better": _column(
        "Methods whose smallest scores are the best, such as p-values; repeatable.",
        "NAME,...",
        multiple=True,
    ),
    "--sample": _column(
        "The column with every candidate's sample (part of the corpus): also say whether "
        "precision varies between samples as the tests assume.",
        "COLUMN",
    ),
    "--sample-n": _whole(
        "With --sample: take the N best of every sample.  [default: the list of the whole table, "
        "divided among the samples]",
        1,
        2**53,
    ),
    "--format": _default(
        "Format of the files; the output names the one that was detected.", ["auto", *FORMATS]
    ),
    "--dataset": {
        "datasets": _column(
            "One row per unit instead: the column with the unit's data set.", "COLUMN"
        ),
        "recommend": _column(
            "The column of a table with every item's data set, where there are many.", "COLUMN"
        ),
    },
    "--replicate-column": _text("Column that names the training sample."),
    "--test-set-column": _text("Column of the test sets, if there are several."),
    "--item-column": _text("Column of the items whose scores are averaged, if there are any."),
    "--system": {
        "datasets": _column(
            "System (column) to compare; repeatable.  [default: all of the table]", multiple=True
        ),
        "": _column(
            "System (column) to compare; repeatable; other columns that have no reserved name are "
            "ignored.  [default: all of a table]",
            multiple=True,
        ),
    },
    "--a": _text("With --b: compare these two systems only, A - B."),
    "--b": _text("The other one."),
    "--baseline": {
        "systems recommend": _column(f"{_FEWER.format('system')}  [default: all pairs]"),
        "rank": _column(f"{_FEWER.format('method')}  [default: all pairs]"),
        "datasets": _column(_FEWER.format("system")),
        "train": _text("The system that all others are compared with.  [default: the first]"),
        "": _column(
            "The system that the others are compared with, by its name as it is printed; a "
            "difference is another one's score minus this one's.  [default: the first]"
        ),
    },
    "--gold-column": _column("Column of the gold's tags or labels."),
    "--id": {
        "datasets": _column(
            "The column with the names of the data sets (with --dataset, the ids of the units).  "
            "[default: one called dataset, corpus, task or the like, else the first of texts]",
            "COLUMN",
        ),
        "": _column("Column of a table that identifies the units."),
    },
    "--cluster": _column("Column of a table: units with the same label are swapped together."),
    "--run": _column(
        "Column of a table of scores or counts that tells runs of each system apart (seeds, "
        "prompts), or the answers to a question: a unit is swapped with all its runs."
    ),
    "--answer-column": _column(
        "Column with the text of each answer, for the metric plurality: is the most frequent right?"
    ),
    "--counts": _file(
        "TOML or JSON file with gold, both_correct, only_a_correct, only_b_correct, both_spurious, "
        "only_a_spurious, only_b_spurious, and name_a, name_b."
    ),
    "--statistics": _file("A table that csig convert wrote."),
    "--qrels": _file("The relevance judgements (qrels): the files are runs of TREC."),
    "--instances": _file(
        "All instances of SWE-bench that systems were to resolve (one id a line, or a report): "
        "those that a report lacks count as unresolved."
    ),
    "--name-a": _text("Name of A, the first system.  [default: the file's]"),
    "--name-b": _text("Name of B, the second.  [default: the file's]"),
    "--allow-missing": {
        "systems": _choice(
            "Compare only the units (tables) or documents (spans) that every system has, or every "
            "two systems on the units that both have.",
            CHOICES["allow_missing"],
        ),
        "": _choice(
            "Compare only the units (tables) or documents (spans) that every system has.",
            CHOICES["allow_missing"][:1],
        )
        | {"metavar": "intersection"},
    },
    "--max-size": _text(
        "Refuse files that hold more, unpacked: 500M, 2G, ... Beyond "
        f"{limits.size_text(limits.FREE)} a packed file may hold at most {limits.MOST_TIMES} times "
        f"its size.  [default: {limits.size_text(limits.MAX_SIZE)}]",
        "SIZE",
        type=_size,
        expose_value=False,
        callback=_set_max_size,
    ),
}

_TABLE: Options = {
    "--ignore": _column(
        "Column of a table that is neither a system nor ids, clusters or gold, whatever it looks "
        "like; repeatable.",
        "COLUMN",
        multiple=True,
    ),
    "--system-column": {
        "train": _text("Column of the systems."),
        "": _column("Column of a table that names each row's system.  [default: system or model]"),
    },
    "--score-column": {
        "train": _text("Column of the scores."),
        "": _column(
            "Column of scores where every row names its system; each of several is a metric.  "
            "[default: score or value]",
            multiple=True,
        ),
    },
    "--drop-row": _text(
        "Row of a table that is not a unit, by its name: all, mean, ...; repeatable.", multiple=True
    ),
    "--keep-row": _text(
        "Row of a table that is a unit, though its name is all, mean or the like; repeatable.",
        multiple=True,
    ),
    "--missing": _text(
        "Cell of a table that stands for a missing number or label, such as -1; repeatable.  [of "
        "numbers always: empty, NA, N/A, NaN, None, null, -]",
        "VALUE",
        multiple=True,
    ),
    "--percent": _text(
        "Column, or system's file, of a table that is in percent, beside others that are not; "
        "repeatable.",
        multiple=True,
    ),
    "--positive": _text(
        "Positive class: report its recall, precision and F (labels in a table, one per line, or "
        "with --scheme plain).",
        "LABEL",
    ),
    "--quoting": {
        "train": _choice(f"Q{_QUOTES}", CHOICES["quoting"]),
        "": _choice(f"Tables: q{_QUOTES}", CHOICES["quoting"]),
    },
    "--decimal": {
        "train": _default("The decimal mark.", CHOICES["decimal"]),
        "": _default("Tables: the decimal mark.", CHOICES["decimal"]),
    },
    "--delimiter": _choice(
        "Tables: the separator of cells.  [default: what fits all rows to the header]",
        CHOICES["delimiter"],
    ),
    "--header/--no-header": {
        "help": "Tables: whether the first row has the names of the columns; without names they "
        "are numbered from 1.  [default: names, refused if they look like data]",
        "default": None,
    },
    "--field": _text(
        "JSON: what a column is called there, or its path in objects (acc=scores.acc); of spans "
        "document, start, end and label.",
        "NAME=OWN",
        multiple=True,
    ),
    "--filter": _text(
        "Which filter of lm-evaluation-harness, perturbation of HELM or result of every-eval-ever, "
        "where samples have several."
    ),
}

_RESPONSES: Options = {
    "--documents": _flag("The first field of every response is a document id."),
    "--spans": _flag("Responses are start, end (not included) and label: overlaps are counted."),
    "--sentence-column": _text(
        "Tags: column that changes where a sentence starts (blank lines do it too)."
    ),
    "--document-column": _text("Tags: column with every token's document."),
    "--document-file": _file("Tags: a file with every sentence's document, one per line."),
    "--rules": _choice("Tags: how entities are found.  [default: conlleval]", CHOICES["rules"]),
    "--scheme": _text(
        "Tags: IOB1, IOB2, IOE1, IOE2, IOBES, BILOU; or plain, labels that are not entities."
    ),
    "--match": _choice(
        "Tags in several files: compare tokens, which must be the same, or only the lengths of "
        "sentences (position), if tokens are spelt differently.  [default: token]",
        CHOICES["match"],
    ),
}

_TEST: Options = {
    "--n": _text(
        "How many candidates a list has: 500, or several with one error rate, 100,200,500 or "
        "100:2000:10.  [default: 100,200,500,1000,2000, fewer of small tables]",
        "N",
        type=lengths,
    ),
    "--metric -m metrics": {
        "systems": _text(
            "One that the data have; by default the accuracy or the mean of scores, F1 of "
            "responses.",
            multiple=True,
        ),
        "recommend plan": _text(
            "One that the data have; by default F1 of responses, the accuracy or the mean of "
            "scores.",
            multiple=True,
        ),
        "datasets": _text(
            "One of several columns of scores that files of one system each share.", multiple=True
        ),
        "convert": _text(
            "Which of the metrics in logs of evaluation harnesses, or of the columns "
            "of scores that several files have."
        ),
        "": _text(
            "recall, precision, f1, f0.5, f2, ..., jaccard; for tables also accuracy, mean, "
            "macro_f1, mcc, kappa, ...; with several answers to a question pass@2, pass^2, ..., "
            "majority, plurality; or a column of scores that several files share; repeatable.  "
            "[default: recall,precision,f1; for tables by their format]",
            "NAME,...",
            multiple=True,
            shell_complete=complete_metrics,
        ),
    },
    "--unit": {
        "compare": _choice(
            "What is swapped: single responses; groups of responses that exclude each other (tags, "
            "spans); single tokens (--scheme plain); whole sentences (tags); whole documents, "
            "where they are known; units or clusters of a table.  [default: the largest known]",
            UNITS,
        ),
        "interval": _choice(
            "What the test data are a sample of: responses, sentences, documents, ...  [default: "
            "the largest known]",
            UNITS,
        ),
        "systems": _choice(
            "What is swapped: units or clusters of a table, sentences, documents.  [default: the "
            "largest known]",
            UNITS,
        ),
        "recommend": _choice(
            "What somebody wants to swap; the largest known unit is recommended all the same.",
            UNITS,
        ),
        "plan": _choice(
            "What the test will swap, and --items counts.  [default: the largest known]", UNITS
        ),
        "convert": _choice(
            "One row per unit: responses or, summed, sentences or documents; units of a table.  "
            "[default: the smallest, from which all others are made]",
            UNITS,
        ),
        "audit": _choice(
            "What is swapped, as for csig compare.  [default: the largest known]", UNITS
        ),
        "gate": _choice("What is independent.  [default: the largest known]", UNITS),
    },
    "--items": {
        "gate": _whole(
            "With --design: the right and wrong items of the test set.  [default: as many as are "
            "needed]",
            1,
            10**6,
        ),
        "": _whole(
            "How many items there will be (with a pilot: units, as clusters).  [default: as many "
            "as are needed]",
            1,
            10**6,
        ),
    },
    "--difference": _text(
        "The smallest difference that matters: in points where scores are printed in percent, "
        "else as the scores are.  [default: the smallest that is detected]",
        "N",
        type=_in_points,
    ),
    "--discordance": {
        "gate": _share_of(
            "With --design: the share of items on which one system is right and the other wrong.  "
            "[default: a table of several]"
        ),
        "": _share_of(
            "Without a pilot: the share of items on which one system is right and the other wrong, "
            "as 0.2 or 20%.  [default: a table of several]"
        ),
    },
    "--power": _share_of(
        "How often the difference should be significant.  [default: 0.8, or what follows from "
        "--items and --difference]"
    ),
    "--simulations": _whole(
        "Test sets that are simulated for a power.  [default: 2,000]", 100, 10**6
    ),
    "--by": _text(
        "Break results down: one row per label (of spans or tags), per value of response field "
        "number NAME, or per value of table column NAME."
    ),
    "--alternative": _default(
        "Whether a system differs from the baseline (the first), is worse (less), is better "
        "(greater); better is lower where lower scores are.",
        ALTERNATIVES,
    ),
    "--pairs": _default(
        "How two systems are compared; within swaps the units of every data set.",
        defaults.DATASET_TESTS,
    ),
    "--zero-method": _default(
        "What wilcoxon does with data sets without a difference: share their ranks, rank and then "
        "drop them, or drop them first.",
        defaults.ZERO_METHODS,
    ),
    "--method": {
        "compare": _default(
            "auto is exact wherever that can be computed; certified encloses the p of a mean or "
            "another sum, whatever its numbers, between two proven bounds, without shuffles; "
            "yeh2000 is the paper's procedure with its checks.",
            METHODS,
        ),
        "interval": _default(
            "For differences of means of scores the shifts that the randomization test does not "
            "reject (inverted), for the rest from the standard error over units (linearized): "
            "auto. These have no seed; the others are by the bootstrap.",
            INTERVALS,
        ),
        "train": _choice(
            "How the training samples were drawn; k-fold samples depend on each other, so P(a > b) "
            "has no interval.  [default: not known]",
            defaults.RESAMPLINGS,
        ),
    },
    "--margin": {
        "compare": _text(
            "Test instead whether the system is not worse than the baseline by this much or more, "
            "and whether the two differ by less: in points of metrics in percent, else in the "
            "metric's own unit.",
            "M",
            type=_in_points,
        ),
        "gate": _text(
            "The most by which the system may be worse: in points of metrics in percent, else in "
            "the metric's own unit.",
            "M",
            type=_in_points,
            required=True,
        ),
        "plan": _text(
            "Plan a gate of right and wrong items instead: the most by which the system may be "
            "worse, in points.",
            "M",
            type=_in_points,
        ),
    },
    "--margin-kind": _default(
        "A margin in points, or relative: in percent of the baseline's score.",
        ("points", "relative"),
    ),
    "--design": _flag(
        "Say what the gate can see, and end; without files of --items, or how many it takes."
    ),
    "--ledger": _file(
        "Keep the evidence of all nights here: the verdict holds whenever one looks or stops."
    ),
    "--random": _choice(
        "With --ledger, what is drawn each night: fresh items, or the answers to the same items.",
        ("items", "answers"),
    ),
    "--reset": _flag("With --ledger: begin again, which is recorded; every reset may err again."),
    "--correction": {
        "systems": _default(
            "How p-values are adjusted for the number of pairs; bh and by bound the share of false "
            "claims, the others the probability of any.",
            defaults.CORRECTIONS,
        ),
        "datasets": _default(
            "How p-values are adjusted for the number of pairs; nemenyi goes with --pairs ranks, "
            "tukey and dunnett (beside a baseline) with --pairs anova.",
            defaults.DATASET_CORRECTIONS,
        ),
    },
    "--statistic": {
        "compare": _choice(
            "studentized asks whether the metric itself differs: the difference of a ratio such as "
            "precision is divided by its standard error. difference asks whether the systems are "
            "interchangeable, as the paper does. auto is studentized, but with --method yeh2000.",
            ("auto", *(word for word in COMPARED if word != "auto")),
            "auto",
        ),
        "systems": _choice(
            "What flips compare with --correction flips, and the test of a pair in ratios such as "
            f"precision: see csig compare.  [default: {defaults.STATISTICS[0]}]",
            defaults.STATISTICS,
        ),
    },
    "--resamples": {
        "systems": _whole(
            "Flips of --correction flips, or shuffles of pairs that can be neither exact nor "
            f"certified.  [default: {FLIPS:,} flips; {YEH_RESAMPLES:,} shuffles]",
            1,
            2**40,
        ),
        "datasets": _whole(
            f"Shuffles of randomization tests that cannot be exact.  [default: {YEH_RESAMPLES:,}]",
            1,
            2**40,
        ),
        "rank": _whole(
            f"Flips of every pair, where there are several n.  [default: {FLIPS:,}]", 1, 2**40
        ),
        "interval": _whole(
            f"Resamples of the bootstrap.  [default: {defaults.RESAMPLES:,}]", 1, 2**32
        ),
        "": _whole(f"Shuffles of an approximate test.  [default: {YEH_RESAMPLES:,}]", 1, 2**48),
    },
    "--seed": {
        "gate": _whole("Random seed, so that a gate says the same again.  [default: 0]", 0),
        "": _whole("Random seed: any non-negative integer.  [default: fresh]", 0),
    },
    "--ties": _default(
        "Candidates tied at the end of a list: take all, or only those that come first in the "
        "table.",
        ("all", "first"),
    ),
    "--alpha": {
        "compare audit": _share_of("Level of significance for the verdicts.", 0.05),
        "plan": _share_of("Level of significance of the test, two-sided.", 0.05),
        "systems datasets rank": _share_of("Significance level of all claims together.", 0.05),
        "gate": _share_of(
            "How often a system that is worse by the margin may pass, at most.", 0.05
        ),
    },
    "--lower-is-better/--higher-is-better": {
        "help": "Which scores are better; tables of scores only.  [default: lower where a name "
        "says wer, loss, perplexity or the like, else higher; required if it says time or cost]",
        "default": None,
        "multiple": True,
        "callback": _one_direction,
    },
    "--zero-division": _default("The score where the denominator is zero.", ["0", "1"]),
    "--sensitivity/--no-sensitivity": {
        "help": "Repeat the test for every available unit to show how much the choice matters "
        "(with fewer shuffles where that would be slow).",
        "default": True,
        "show_default": True,
    },
    "--decide": _flag(
        "Keep shuffling until p is clearly above or below --alpha, for any seed; --resamples then "
        f"sets the limit (default {MOST_RESAMPLES:,})."
    ),
    "--risk": _share_of(f"With --decide: the probability of a wrong verdict.  [default: {RISK}]"),
    "--pvalue-confidence": _share_of("Level of the interval around an approximate p-value.", 0.99),
    "--bit-generator": {
        "audit": _generators((*GENERATORS, *defaults.BAD_GENERATORS)),
        "": _generators(GENERATORS),
    },
    "--allow-bad-generator": _flag(
        f"For teaching: audit {' or '.join(defaults.BAD_GENERATORS)}, the paper's example of a bad "
        "generator."
    ),
    "--claims": _file(
        "Check the published numbers in this TOML file instead: are they possible, consistent, "
        "correct?"
    ),
    "--rows": _default(
        "What a row of a table is: an item of one test set, a fold on which both systems were "
        "trained and scored, or a data set.",
        ("items", "folds", "datasets"),
    ),
    "--folds": _whole(
        "With --rows folds: the folds of each cross-validation, in the order of the rows.  "
        "[default: there is one]",
        2,
        10_000,
    ),
    "--test-share": _share_of(
        "With --rows folds, for random splits: the share of the data that is tested."
    ),
    "--independent": _flag(
        "Also count all hits in pure numpy, without csig's compiled code: slow."
    ),
    "--unpaired": _flag(
        "The files are timings of independent runs, base first (pytest-benchmark, hyperfine, "
        "pyperf, asv, google/benchmark; or one number per line): a permutation test for each "
        "benchmark, of the --metric mean, median or trimmed_mean."
    ),
    "--all-tests": {
        "compare": _flag(
            "Also show the p-values of all other tests that apply, with unsound ones marked: see "
            "csig recommend."
        ),
        "datasets": _flag(
            "Add the adjusted p-values of all pairs by every procedure; doubtful ones are marked."
        ),
        "recommend": _flag("Run all tests that apply, and show their p-values side by side."),
    },
}

_INTERVALS: Options = {
    "--interval": {
        "rank": _default("The interval of a precision.", ("clopper-pearson", "wilson")),
        "compare": _default(
            "How intervals of differences are computed. auto: for means of scores inverted (the "
            "shifts that the randomization test does not reject), else linearized (from the "
            "standard error over units). The other four are bootstrap intervals.",
            [*INTERVALS, defaults.NO_INTERVAL],
        ),
    },
    "--confidence-level": {
        "rank": _share_of("Of intervals and bands.", 0.95),
        "train": _share_of("Of the intervals of P(a > b).", 0.95),
        "": _share_of(
            "Of intervals: the share of test sets whose interval contains the true value.", 0.95
        ),
    },
    "--paired-runs": _flag(
        "With --run: runs of the same name belong together in all systems, such as prompts; the "
        "interval then takes them in pairs."
    ),
}

_OUTPUT: Options = {
    "-f --output-format output_format": {
        "interval describe verify": _format("What is printed."),
        "audit": _format("What is printed; json is the record, html the page."),
        "train": _format("What is printed; LaTeX needs the package booktabs.", "--format"),
        "": _format("What the report is printed as."),
    },
    "--caption": _text("With -f latex: the caption of the first table.", "TEXT"),
    "--label": _text("With -f latex: the label of the first table.", "NAME"),
    "--output -o": _output(
        "Write the table here: .csv or .tsv, also with .gz behind it, or .parquet; - prints it as "
        "CSV."
    ),
    "--card": _file(
        "Write a page with scores, intervals, ranks and which pairs differ: .html, .md or .svg."
    ),
    "--record record_path": {
        "systems": _output("Write all that csig verify repeats the comparison from."),
        "gate": _output("Write all that csig verify repeats the gate from."),
        "": _output("Write all that csig verify repeats the audit from; - prints nothing else."),
    },
    "--table/--no-table": {
        "help": "Whether the record holds the statistics of the units that differ, or only their "
        "SHA-256; then csig verify needs the inputs.",
        "default": True,
        "show_default": True,
    },
    "--html": _output("Write a page as HTML."),
    "--markdown": _output("Write all as Markdown."),
    "--worst": _whole(
        "Show which units make each difference: the N that raise it most and the N that lower it "
        "most, by id.",
        1,
        10_000,
    ),
    "--rank-by": _default(
        "What systems are ranked by: the mean of their scores, or of how many (borda) or which "
        "share (win-rate) of the other systems each beats on a unit.",
        defaults.RANKED_BY,
    ),
    "--letters": _flag(
        "Add compact letters: systems that share one have no significant difference."
    ),
    "--plot plot_path": {
        "compare": _picture(
            "the differences with their intervals, and where each lies among those of the shuffles"
        ),
        "interval": _picture("the differences, or the scores, with their intervals"),
        "systems": _picture("the systems with the ranks that each may have"),
        "datasets": _picture(
            "the average ranks, with bars over systems that do not differ (a critical-difference "
            "diagram)"
        ),
        "rank": _picture(
            "the precision at every n up to the longest list, or what --plot-kind says"
        ),
        "plan": _picture("the power with fewer and more items"),
        "train": _picture("histograms and pairs of scores"),
    },
    "--plot-by": _text(
        "What makes the bars: nemenyi draws the critical difference, bonferroni-dunn the band "
        "beside a baseline.  [default: the verdicts]",
        "PROCEDURE",
    ),
    "--fill": _file(
        "Fill the uncertainty of this aggregate of every-eval-ever (JSON), of which the files are "
        "the samples; --json FILE writes it.",
        "AGGREGATE",
    ),
    "--plot-kind": {
        "interval": _choice(
            "What --plot draws.  [default: differences]",
            ("differences", "scores"),
        ),
        "systems": _choice(
            "What --plot draws: the ranks, or the scores with their intervals.  "
            "[default: leaderboard]",
            ("leaderboard", "scores"),
        ),
        "rank": _choice(
            "What --plot draws: the precision; of two methods, their difference over several n and "
            "where it is significant; with --sample, a histogram of the samples for each method.  "
            "[default: precision]",
            ("precision", "difference", "samples"),
        ),
    },
    "--explain": {
        "datasets": _flag("Also say which test to trust, and why, with sources."),
        "rank": _flag(
            "Also say what p means, every method's intervals and bands, and every pair at every n."
        ),
        "plan": _flag("Also say what is assumed, and what the usual formula gives."),
        "recommend": _flag(
            "Also say what the verdicts mean and how Python runs each test, with sources."
        ),
        "": _flag(
            "Also say what was read, what is swapped, what p and the interval mean, and on how "
            "many units each system is better."
        ),
    },
    "--cite": _flag(
        "Also print a sentence for the methods section, and the references for what was done, "
        "as text and as BibTeX."
    ),
    "--signature": _flag(
        "Print the whole signature alone: the line that identifies the result, for scripts."
    ),
    "--verbose": _flag("Print every check, not one line per family."),
    "--json json_path": {
        "verify": _flag("The same as -f json."),
        "": _output("Also write everything as JSON; - prints nothing but JSON."),
    },
    "--strict": _flag(
        f"End with status {DOUBTFUL} if there is a caution, after everything is printed and "
        "written."
    ),
}

_RUNNING: Options = {
    "--progress/--no-progress": {
        "help": "Say on standard error how far a long run is: a bar on a terminal, else a line "
        "every 10 seconds.  [default: on a terminal only]",
        "default": None,
        "expose_value": False,
        "callback": _set_progress,
    },
    "--threads": {
        "verify": _whole("Number of threads; never changes a result.  [default: all]", 1, 1024),
        "": _whole(
            "Number of threads; never changes a result.  [default: all processors]", 1, 1024
        ),
    },
    "--scheduler": _text(
        "Draw the shuffles on the workers of the dask scheduler at this address, such as "
        "tcp://host:8786; never changes a result. --threads is then the number for each.",
        "ADDRESS",
    ),
}

#: By group, in the order of help.
OPTIONS: Mapping[str, Options] = {
    "Input": _INPUT,
    "Tables": _TABLE,
    "Responses, tags and spans": _RESPONSES,
    "Test": _TEST,
    "Intervals": _INTERVALS,
    "Output": _OUTPUT,
    "Running": _RUNNING,
}

#: How a table is read, whatever its columns are.
CELLS = "--field --quoting --decimal --delimiter --header --max-size "

#: What to read where there are tables only, but for systems and ids.
TABLES = (
    f"{CELLS}--format --gold-column --system-column --score-column --ignore --drop-row --keep-row "
    "--missing --percent --allow-missing "
)

#: What to read: a field of `csig.readers.request.Request` each, but for the size.
INPUT = (
    f"{TABLES}--system --id --cluster --counts --statistics --qrels --instances --documents "
    "--spans --run --answer-column --filter --positive --sentence-column --document-column "
    "--document-file --rules --scheme --match --name-a --name-b "
)

#: Which random words are drawn, and by how many threads.
SEEDED = "--seed --bit-generator --threads "

#: The arguments of commands, how they are written, and what they may be.
_ARGUMENTS: Mapping[str, tuple[str, str, str]] = {
    "datasets": (
        "files",
        "TABLE",
        "One row per data set and one column per system; or one file per system.",
    ),
    "rank": (
        "table",
        "TABLE",
        "One row per candidate: whether it is true, and one score per method.",
    ),
    "train": (
        "table",
        "TABLE",
        "One row per training sample, system and test set, with the score.",
    ),
    "verify": ("records", "RECORD...", "Records that csig audit, gate or systems writes."),
    "demo": ("folder", "[FOLDER]", "Where its files go.  [default: csig-demo]"),
}
_FILES = [
    ("GOLD A B", "The gold and the systems: responses, tags, labels or spans."),
    ("FILE...", "Or a table, one row per unit and one column per system; or one file each."),
]


def _params(verb: str, basic: str, more: str) -> list[click.Parameter]:
    """The argument and options of a command, in the order of help."""
    name, metavar, what = _ARGUMENTS.get(verb, ("files", "[GOLD A B | FILE...]", ""))
    params: list[click.Parameter] = [
        Argument(
            [name],
            metavar=metavar,
            nargs=-1 if name in ("files", "records") else 1,
            type=click.Path(),
            rows=[(metavar, what)] if what else _FILES,
        )
    ]
    shown, wanted = set(basic.split()), {*basic.split(), *more.split()}
    for group, options in OPTIONS.items():
        for names, declared in options.items():
            long = next(word for word in names.split() if word.startswith("--")).split("/")[0]
            if long not in wanted:
                continue
            wanted.remove(long)
            if "help" not in declared:
                declared = next(
                    own for verbs, own in declared.items() if verb in verbs.split() or not verbs
                )
            keywords = dict(declared)
            words = [*names.split(), *keywords.pop("names", ())]
            brief = not more or long in shown
            params.append(Option(words, group=group, brief=brief, **keywords))
    assert not wanted, wanted
    return params


def command(basic: str, more: str = "") -> Callable[[Callable[..., Any]], Command]:
    """A command with these options: ``--help`` shows the basic ones, without more all.

    Its help is the function's docstring, of which the last part has the examples. After a mistake
    in what is to be read it says where to look.
    """

    def decorate(function: Callable[..., Any]) -> Command:
        @wraps(function)
        def hinting(**options: Any) -> Any:
            try:
                return function(**options)
            except OptionError as error:
                raise click.UsageError(str(error)) from None

        verb = function.__name__
        help, _, examples = inspect.cleandoc(function.__doc__ or "").partition("\n\nExamples:\n")
        return Command(
            verb,
            params=_params(verb, basic, more),
            callback=hinting,
            help=help,
            epilog=f"Examples:\n{examples}",
        )

    return decorate


def end(strict: bool, cautions: Sequence[str]) -> None:
    """End with a status of its own if there is a doubt and doubts count."""
    if strict and cautions:
        raise click.exceptions.Exit(DOUBTFUL)
