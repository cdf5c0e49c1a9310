"""Which form files have, by their syntax: what may be read as what, never what is plausible.

``docs/formats.md`` has the rules; to add a form, write its reader and name it here.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import counted, first_few, perhaps
from csig.readers.request import FIELDS, PAIRWISE, SIGNS, OptionError, Request, looks_gold, shown

if TYPE_CHECKING:
    from csig.readers.data import Data


class Form(NamedTuple):
    """A form of files; functions and names are those of ``csig.readers``, imported when needed."""

    #: What messages call such files.
    name: str
    #: The function that reads them.
    home: str
    #: The fields of a request that are for such files.
    options: tuple[str, ...] = ()
    #: The function that says whether the first record of JSON is theirs.
    record: str = ""
    #: What such files are called in a folder.
    pattern: str = ""


_CELLS = ("quoting", "decimal", "delimiter", "header", "missing", "percent")
_COLUMNS = (
    "id", "cluster", "run", "answer_column", "ignore", "gold_column", "system", "system_column",
    "score_column", "drop_row", "keep_row",
)  # fmt: skip
_RECORDS = ("system", "cluster", "run", "percent", "allow_missing")
_SAMPLES = ("system", "cluster", "allow_missing")
_TAGS = ("sentence_column", "document_column", "document_file", "rules", "scheme", "match")

FORMS = {
    "counts file": Form("a file of counts", "counts.read", ("counts",)),
    "statistics": Form("statistics", "statistics.read", ("statistics", "quoting", "system")),
    "spans": Form("spans", "responses.of_spans", ("field", "allow_missing")),
    "lm-eval": Form(
        "samples of lm-evaluation-harness", "harness.read", ("filter", *_SAMPLES),
        "harness.is_sample", "harness.PATTERN",
    ),
    "inspect": Form("logs of Inspect", "inspect.read", _SAMPLES),
    "helm": Form(
        "statistics of HELM", "helm.read", ("filter", *_SAMPLES), "helm.is_stats", "helm.PATTERN"
    ),
    "lighteval": Form(
        "details of lighteval", "lighteval.read", _SAMPLES, pattern="lighteval.PATTERN"
    ),
    "every-eval-ever": Form(
        "samples of every-eval-ever", "every_eval_ever.read", ("filter", *_SAMPLES),
        "every_eval_ever.is_sample", "every_eval_ever.PATTERN",
    ),
    "promptfoo": Form(
        "results of promptfoo", "promptfoo.read", _RECORDS, "promptfoo.is_results"
    ),
    "swe-bench": Form(
        "reports of SWE-bench", "swebench.read", (*_RECORDS, "instances"), "swebench.is_report",
        "swebench.PATTERN",
    ),
    "tau-bench": Form(
        "results of tau-bench", "records.read_tau_bench", _RECORDS, "records.is_tau_bench"
    ),
    "openai-evals": Form(
        "logs of OpenAI's evals", "records.read_evals", _RECORDS, "records.is_events"
    ),
    "sclite": Form("alignments of sclite", "sclite.read", _RECORDS),
    "timings": Form(
        "timings of independent runs", "timings.read", record="timings.writer_of"
    ),
    "trec": Form("runs of TREC", "trec.read", ("qrels", "system")),
    "trec-eval": Form("output of trec_eval", "trec.read_printed", ("system", "allow_missing")),
    "tags": Form("tags", "tags.read.read", (*_TAGS, "gold_column", "system", "positive")),
    "labels": Form(
        "labels, one per line", "responses.of_labels", ("positive", "allow_missing", "header")
    ),
    "table": Form(
        "tables of scores, counts or labels", "tables.reader.read",
        (*_CELLS, *_COLUMNS, "field", "positive", "allow_missing"),
    ),
    "responses": Form("responses", "responses.of_lines", ("documents", "spans", "header")),
}  # fmt: skip

#: What ``--format`` takes.
FORMATS = (
    "responses", "tags", "spans", "statistics", "scores", "counts", "labels", "lm-eval", "inspect",
    "helm", "lighteval", "every-eval-ever", "trec", "trec-eval", "promptfoo", "swe-bench",
    "tau-bench", "openai-evals", "sclite",
)  # fmt: skip

#: How a line of ``trec_eval -q`` begins: a measure, filled up to 22 characters, and a topic.
_PRINTED = re.compile(r"(?=[^\t]{22,}\t)[A-Za-z0-9]\S* *\t\S+\t")

#: What every form takes.
_ALWAYS = ("files", "format", "name_a", "name_b", "by")

_RESPONSES = Remedy(("--format", "responses"), "the first has the gold; lines are responses")


def _of_readers(home: str) -> Any:
    module, name = home.rsplit(".", 1)
    return getattr(import_module(f"csig.readers.{module}"), name)


def read(request: Request, metrics: Sequence[str] = ()) -> Data:
    """What the files hold that were asked for."""
    from csig.readers.lines import read_once

    for name in ("name_a", "name_b"):
        if getattr(request, name) is not None and not getattr(request, name).strip():
            raise OptionError(f"{argument(name)} must not be empty")
    with read_once():
        form = FORMS[form_of(request)]
        ours = (*_ALWAYS, *form.options)
        if odd := request.given(*(name for name in vars(request) if name not in ours)):
            raise OptionError(f"{odd[0]} does not go with {form.name}")
        if request.allow_missing == PAIRWISE and form is not FORMS["table"]:
            raise OptionError(f"{argument('allow_missing', PAIRWISE)} does not go with {form.name}")
        found: Data = _of_readers(form.home)(request, metrics)
        return found


def form_of(request: Request) -> str:
    """The form of the files: by the options, by ``--format``, by their syntax."""
    files = request.files
    whole = [name for name in ("counts", "statistics") if getattr(request, name) is not None]
    if whole and files:
        were = "were" if len(files) > 1 else "was"
        raise OptionError(
            f"{argument(whole[0])} replaces GOLD A B, but {counted(len(files), 'more file')} "
            f"{were} given: {first_few(map(shown, files))}"
        )
    if len(whole) > 1 or (whole and request.format != "auto"):
        raise OptionError(
            f"{argument(whole[0])} does not go with {argument([*whole, 'format'][1])}"
        )
    if whole:
        return "counts file" if whole == ["counts"] else "statistics"
    if not files:
        raise OptionError("no input files: give the gold's and two systems', or one table")
    if request.format not in ("auto", *FORMATS):
        raise OptionError(
            f"{argument('format')}: found {request.format!r}{perhaps(request.format, FORMATS)}, "
            f"expected auto, {', '.join(FORMATS)}"
        )
    if request.format == "labels" and len(files) > 1 and request.gold_column is None:
        from csig.readers.lines import first_line

        lines = list(map(first_line, files))
        if all(line and line[0] not in "{[" and {*SIGNS, "|"}.isdisjoint(line) for line in lines):
            return "labels"  # one cell a line is no table
    if request.format in ("scores", "counts", "labels"):
        return "table"
    if request.format != "auto":
        return request.format
    if request.qrels is not None:
        return "trec"
    if request.instances is not None:
        return "swe-bench"
    if request.given(*_TAGS):
        return "tags"
    if request.documents or request.spans:
        return "responses"
    form = by_syntax(request)
    return form if request.filter is None or "filter" in FORMS[form].options else "lm-eval"


def by_syntax(request: Request) -> str:
    """Which form files have by what they hold."""
    from csig.readers.lines import first_line, is_parquet, read_start
    from csig.readers.responses import is_standoff

    files = request.files
    if folders := list(filter(os.path.isdir, files)):
        from csig.readers import inspect
        from csig.readers.samples import in_folder

        patterns = {name: _of_readers(own.pattern) for name, own in FORMS.items() if own.pattern}
        for folder in folders:
            if any(map(is_standoff, os.listdir(folder))):
                return "spans"
            own = [form for form, name in patterns.items() if in_folder(folder, name)]
            own += ["inspect"] if inspect.in_folder(folder) else []
            if len(own) > 1:
                found = first_few([FORMS[form].name for form in own])
                ways = [Remedy(("--format", form)) for form in own]
                raise Refusal(f"{folder}: found a folder with {found}; one is read", *ways)
            if own:
                return own[0]
        raise InputError(
            f"{folders[0]}: found a folder without .ann files (brat), samples_*.jsonl "
            f"(lm-evaluation-harness --log_samples), {patterns['helm']} (HELM), "
            f"{patterns['lighteval']} (lighteval), {patterns['every-eval-ever']} "
            f"(every-eval-ever), {patterns['swe-bench']} (SWE-bench) and logs of Inspect"
        )
    if any(map(is_standoff, files)):
        return "spans"
    from csig.readers.sclite import is_alignment

    if is_alignment(files[0]):
        return "sclite"
    firsts = [*map(first_line, files)]
    tables = {*_CELLS, *_COLUMNS} - {"system"}
    if _PRINTED.match(firsts[0]) and not request.given(*tables):
        return "trec-eval"
    starts = [line.lstrip()[:1] for line in firsts]
    if starts[0] in ("{", "["):
        return _of_json(request)
    if starts[0][:1] == "P":
        from csig.readers.inspect import is_log

        if is_log(files[0]):
            return "inspect"
    if not {"{", "["}.isdisjoint(starts) or any(is_parquet(read_start(own, 4)) for own in files):
        from csig.readers.lighteval import is_details

        return "lighteval" if is_details(files[0]) else "table"
    if len(files) > 1:
        return _of_texts(request)
    from csig.readers.statistics import looks_like_statistics
    from csig.readers.tags.read import columns_are_tags, tag_columns

    if _may_have_tags(files[0]):
        if request.gold_column is None and len(tag_columns(files[0])) > 1:
            return "tags"
        if request.gold_column is not None and columns_are_tags(request):
            return "tags"
    return "statistics" if looks_like_statistics(files[0]) else "table"


def _of_json(request: Request) -> str:
    from csig.readers.harness import has_scores_alone
    from csig.readers.inspect import is_log
    from csig.readers.lines import starts
    from csig.readers.responses import is_span

    if is_log(request.files[0]):
        return "inspect"
    record: Any = {}  # the first object of the file, or of the array that it begins with
    for start in starts(request.files[0]):  # until it is there as a whole
        text = start.decode("utf-8", "ignore").lstrip("\ufeff \t\r\n")
        with suppress(ValueError, RecursionError):
            record, _ = json.JSONDecoder().raw_decode(text.removeprefix("[").lstrip())
            break
    record = record if isinstance(record, dict) else {}
    for form, own in FORMS.items():
        if own.record and _of_readers(own.record)(record):
            return form
    if len(request.files) > 1:
        named = request.fields and request.fields.keys() <= FIELDS.keys()
        if has_scores_alone(record):
            return "lm-eval"
        if is_span(record) or (named and not request.given(*_COLUMNS)):
            return "spans"
    return "table"


def _may_have_tags(path: str) -> bool:
    """Whether some column of the first lines, below a header, has tags only."""
    from csig.readers.lines import lines_of, read_start
    from csig.readers.tags.file import is_tag

    lines = lines_of(read_start(path, 2**13).tobytes().decode(errors="ignore"))[1:-1]
    rows = [line.split("\t" if "\t" in line else None) for line in lines if line.strip()]
    columns = zip(*(row for row in rows if row[0][:1] != "#"), strict=False)
    return any(all(map(is_tag, column)) for column in columns) or len(rows) < 2


def _of_texts(request: Request) -> str:
    """Two or more files of text."""
    from csig.readers.lines import read_lines
    from csig.readers.responses import kind_of_lines
    from csig.readers.tables.files import begins_with_numbers, header_of
    from csig.readers.tables.names import RESERVED
    from csig.readers.tags.read import column_remedies, columns_are_tags, tagged

    files = request.files
    if request.gold_column is not None:
        return "tags" if columns_are_tags(request) else "table"
    tags = [tagged(path) for path in files]
    if all(tags):
        return "tags"
    if any(tags) and len(files) > 2:
        yes, no = files[tags.index(True)], files[tags.index(False)]
        raise Refusal(
            f"{yes} has a tag at the end of every line, {no} has not",
            Remedy(("--format", "tags"), "reads all as tags"),
            Remedy(("--format", "responses"), "reads lines as responses"),
        )
    numbers = [begins_with_numbers(path) for path in files]
    if all(numbers):
        return _of_numbers(files, "real" in numbers)
    if len(files) == 2 or request.given(*_COLUMNS, *_CELLS):
        return "table"
    headers = [[name.casefold() for name in header_of(path)] for path in files]
    if all(own[1:] and (own[0] == "" or not RESERVED.isdisjoint(own)) for own in headers):
        return "table"
    lines = [read_lines(path) for path in files]
    counts = [
        [{line.count(sign) for line in own if line.strip()} for sign in SIGNS if sign != "\t"]
        for own in lines
    ]
    cut = (any(len(some) == 1 and 0 not in some for some in own) for own in counts)
    if all(own and own[0] == lines[0][0] for own in lines) and all(cut):
        raise Refusal(
            f"{first_few(map(shown, files), 3)}: all begin with {lines[0][0]!r}, as tables with a "
            "header do",
            Remedy(("--format", "scores"), "each file is a system's table"),
            _RESPONSES,
        )
    try:
        return kind_of_lines(files, lines)
    except InputError:
        if lines[0] and lines[0][0].split()[1:] and (ways := column_remedies(files)):
            found = f"{files[0]}: found columns with tags, but not as the last one"
            raise Refusal(found, *ways) from None
        raise


def _of_numbers(files: Sequence[str], fractions: bool) -> str:
    """One number a line: scores, unless they may be labels beside a gold, or responses."""
    gold = next((path for path in files if looks_gold((path, None))), None)
    if gold is None and (len(files) == 2 or fractions):
        return "table"
    found = f"{gold}: a gold among files with one number per line"
    if gold is None:
        found = f"{files[0]}: each of {len(files)} files has one whole number a line"
    raise Refusal(
        found,
        Remedy(("--format", "scores"), "each file is a system, with one score a line"),
        Remedy(("--format", "labels"), "the first has the right labels, one a line"),
        _RESPONSES,
    )
