"""What fuzzing asks of every reader: an InputError of one line, or a result that is sound."""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from click.testing import CliRunner

import csig
from csig import readers
from csig.base.errors import InputError
from csig.cli.app import program
from csig.readers import counts
from csig.readers.data import ResponseData, TableData
from csig.readers.forms import FORMS, form_of
from csig.readers.lines import read_lines
from csig.readers.request import Request
from csig.readers.responses import kind_of_lines
from csig.readers.tags.read import column_remedies, tagged

ROOT = Path(__file__).resolve().parents[2]

#: What keeps a test short and the same every time.
_ARGUMENTS = ("--resamples", "64", "--seed", "1", "--threads", "1")


def _one_line(error: Exception) -> None:
    message = str(error)
    assert message, "an error without a message"
    assert len(message.splitlines()) == 1, f"not one line: {message!r}"
    message.encode()  # a message that cannot be printed is none


def _looks(paths: Sequence[str], variant: int) -> None:
    assert tagged(paths[0]) in (True, False)
    assert isinstance(column_remedies(paths), tuple)
    assert form_of(Request(tuple(paths))) in FORMS
    lines = [read_lines(path) for path in paths]
    try:
        assert kind_of_lines(paths, lines) in ("labels", "responses")
    except InputError as error:
        _one_line(error)


def _counts(paths: Sequence[str], variant: int) -> None:
    path = Path(paths[0]).with_suffix((".toml", ".json", ".txt")[variant % 3])
    path.write_bytes(Path(paths[0]).read_bytes())
    found, _ = counts.read_counts(path)
    assert all(type(count) is int and count >= 0 for count in found.values())
    assert len(found) == 7
    _check(csig.read(counts=path))


def _brat(paths: Sequence[str], variant: int) -> None:
    """The files as those of one document, in a folder for each system."""
    folders = [Path(f"{path}.folder") for path in paths]
    for folder, path in zip(folders, paths, strict=True):
        folder.mkdir(exist_ok=True)
        (folder / "d.ann").write_bytes(Path(path).read_bytes())
    _check(csig.read(*folders))


def _runs(paths: Sequence[str], variant: int) -> None:
    """The files as runs, as qrels, or as what trec_eval prints."""
    if variant == 2:
        return _check(csig.read(*paths[:2], format="trec-eval"))
    Path(paths[2]).write_bytes(_RUNS[1 - variant])
    *runs, qrels = (paths[2], paths[2], paths[0]) if variant else paths
    return _check(csig.read(*runs, qrels=qrels))


def _instances(paths: Sequence[str], variant: int) -> None:
    """Reports of SWE-bench with all instances, or one of them as these."""
    Path(paths[2]).write_bytes(b"x__x-1\nx__x-2\n")
    _check(csig.read(*paths[:2], instances=paths[2 * variant]))


def _transcripts(paths: Sequence[str], variant: int) -> None:
    """The files as transcripts, by their names."""
    named = [Path(path).rename(f"{path}.trn") for path in paths]
    _check(csig.read(*named, cluster=(None, "speaker")[variant]))


def _check(reading: csig.readers.Reading) -> None:
    """What was read is sound, and fit for a comparison, or is refused as an input."""
    data = reading.data
    if isinstance(data, ResponseData):
        _check_responses(data)
    try:
        if isinstance(data, TableData):
            _check_table(data.table)
        reading.describe()
        last = len(reading.names) - 1
        comparisons = [group.comparison(0, last) for _, group in reading.groups]
    except InputError as error:
        _one_line(error)
        return
    for own in comparisons:
        assert np.isfinite([float(x) for x in (*own.sums_a, *own.sums_b)]).all()


def _check_responses(data: ResponseData) -> None:
    table = data.table
    assert (table.key_name is None) == ({*table.gold} == {None})
    for own in (table.gold, *table.systems.values()):
        assert own.keys() == table.gold.keys()
        for key, responses in own.items():
            assert len(set(responses)) == len(responses)
            for span in responses if table.spans else ():
                assert table.key_name is None or span.document == key
                assert 0 <= span.start < span.end


def _check_table(table: readers.Table) -> None:
    for metric in table.metrics:
        _check_table(table.of_metric(metric))
    if table.metrics:
        return
    assert table.systems
    n = table.n_units
    assert n > 0
    for values in table.systems.values():
        assert len(values) == n
        if isinstance(values, np.ndarray):
            assert np.isfinite(values).all()
    for of_units in (table.ids, table.clusters, table.gold, *table.others.values()):
        assert of_units is None or len(of_units) == n
    assert table.ids is None or len(set(table.ids)) == n


#: What keywords of csig.read a form is read with, and how many files; one a variant.
_TAG_OPTIONS: list[dict[str, Any]] = [
    {}, {"scheme": "plain"}, {"scheme": "IOB2"}, {"rules": "strict", "scheme": "IOBES"},
    {"rules": "strict", "scheme": "IOE1"}, {"match": "position"}, {"sentence_column": "1"},
    {"document_column": "1"}, {"sentence_column": "2", "document_column": "1"},
    {"document_file": "2"},
]  # fmt: skip
_COLUMN_OPTIONS: list[dict[str, Any]] = [
    {"gold": gold, "systems": systems, **more}
    for gold, *systems in (("gold", "a", "b"), ("2", "3", "4"), ("1", "2", "3"), ("-1", "2"))
    for more in ({}, {"sentence_column": "1"}, {"document_column": "doc"}, {"scheme": "plain"})
]
_TABLE_OPTIONS: list[dict[str, Any]] = [
    {}, {"format": "scores"}, {"format": "counts"}, {"format": "labels"}, {"allow_missing": True},
    {"id": "id", "cluster": "doc"}, {"gold": "gold", "systems": ("a", "b")},
    {"quoting": "none", "decimal": ",", "header": False, "delimiter": "semicolon"},
    {"quoting": "csv", "header": True, "systems": ("a", "b")},
    {"header": False, "id": "1", "systems": ("2", "3")},
    {"field": {"a": "x.a"}, "allow_missing": True},
]  # fmt: skip
_SAMPLE_OPTIONS: list[dict[str, Any]] = [
    {}, {"metric": "acc"}, {"filter": "none"}, {"allow_missing": True}, {"systems": ("1", "0")},
]  # fmt: skip
_STAT_OPTIONS: list[dict[str, Any]] = [{}, {"filter": "x"}, {"allow_missing": True}]
_SPAN_OPTIONS: list[dict[str, Any]] = [
    {}, {"field": {"document": "doc"}}, {"field": {"start": "begin", "label": "type"}},
]  # fmt: skip

#: The forms of records: with the same files, and an option that only one of them has.
_RECORDS = ("promptfoo", "swe-bench", "tau-bench", "openai-evals", "sclite")
_RECORD_OPTIONS: list[dict[str, Any]] = [
    {}, {"allow_missing": True}, {"run": "repeat"}, {"run": "trial", "allow_missing": True},
    {"cluster": "speaker"}, {"cluster": "repo"}, {"metric": "ser"}, {"metric": "tone"},
]  # fmt: skip


Read = Callable[[Sequence[str], int], None]


def _read(files: int, options: list[dict[str, Any]], form: str = "auto") -> Read:
    """A form by csig.read, with these options."""

    def read(paths: Sequence[str], variant: int) -> None:
        own = dict(options[variant % len(options)])
        if "document_file" in own:
            own["document_file"] = paths[int(own["document_file"])]
        _check(csig.read(*paths[:files], **{"format": form, **own}))

    return read


_COMMANDS = [
    "0 1 2", "0", "0 1", "--counts 0", "0 1 2 --format tags",
    "0 1 2 --format tags --unit document", "0 1 2 --format responses",
    "0 1 2 --documents --spans --unit conflict", "0 1 2 --spans",
    "0 1 2 --documents --unit document", "0 --gold-column gold --system a --system b",
    "0 --format scores --cluster doc", "0 --format counts", "0 --format labels",
    "0 1 --format lm-eval", "0 1 2 --format scores --allow-missing intersection",
    "0 --format scores --no-header --quoting none",
    "0 --format scores --field a=x.a --decimal ,",
]  # fmt: skip


def _command(paths: Sequence[str], variant: int) -> None:
    """Status 0 or 2, and nothing on stderr, or one line and commands."""
    command = _COMMANDS[variant % len(_COMMANDS)]
    arguments = [paths[int(word)] if word.isdigit() else word for word in command.split()]
    as_json = variant // len(_COMMANDS) % 2
    arguments += ["--json", "-"] * as_json
    result = CliRunner().invoke(program, ["compare", *arguments, *_ARGUMENTS])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in (0, 2), result.exit_code
    if result.exit_code:
        said, *ways = result.stderr.removesuffix("\n").splitlines()
        assert said.startswith("csig: "), result.stderr
        assert all(way.startswith("  csig ") for way in ways), result.stderr
    else:
        assert not result.stderr
        assert result.stdout
        if as_json:
            json.loads(result.stdout, parse_constant=lambda text: 1 / 0)


@dataclass(frozen=True)
class Target:
    """A reader, the number of its variants, and whether its errors must name a file."""

    read: Read
    variants: int
    names_file: bool = True


TARGETS: dict[str, Target] = {
    "tags": Target(_read(3, _TAG_OPTIONS, "tags"), len(_TAG_OPTIONS)),
    "tag columns": Target(_read(1, _COLUMN_OPTIONS, "tags"), len(_COLUMN_OPTIONS)),
    "looks": Target(_looks, 1),
    "responses": Target(_read(3, [{}, {"documents": True}], "responses"), 2),
    "labels": Target(_read(3, [{}, {"allow_missing": True}], "labels"), 2, names_file=False),
    "counts": Target(_counts, 3),
    "spans": Target(_read(3, _SPAN_OPTIONS, "spans"), len(_SPAN_OPTIONS)),
    "brat": Target(_brat, 1),
    # Ids that do not fit are named with the systems.
    "table": Target(_read(1, _TABLE_OPTIONS), len(_TABLE_OPTIONS), names_file=False),
    "tables": Target(_read(3, _TABLE_OPTIONS), len(_TABLE_OPTIONS), names_file=False),
    "samples": Target(_read(3, _SAMPLE_OPTIONS, "lm-eval"), 5, names_file=False),
    "logs": Target(_read(3, [{}, {"allow_missing": True}], "inspect"), 2, names_file=False),
    "stats": Target(_read(3, _STAT_OPTIONS, "helm"), 3, names_file=False),
    "details": Target(_read(3, [{}, {"allow_missing": True}], "lighteval"), 2, names_file=False),
    "evaluations": Target(_read(3, _STAT_OPTIONS, "every-eval-ever"), 3, names_file=False),
    "runs": Target(_runs, 3),
    **{
        form: Target(_read(2, _RECORD_OPTIONS, form), len(_RECORD_OPTIONS), names_file=False)
        for form in _RECORDS
    },
    "instances": Target(_instances, 2, names_file=False),
    "transcripts": Target(_transcripts, 2, names_file=False),
    "command": Target(_command, 36, names_file=False),
}


def attempt(name: str, variant: int, contents: Sequence[bytes], folder: Path) -> bool:
    """Read files with these contents; whether they were taken, else refused in one line."""
    target = TARGETS[name]
    paths = [folder / str(i) for i in range(3)]
    for i, path in enumerate(paths):
        path.write_bytes(contents[i] if i < len(contents) else contents[0])
    try:
        target.read(list(map(str, paths)), variant % target.variants)
    except InputError as error:
        refused = error
    else:
        return True
    _one_line(refused)
    assert not target.names_file or str(folder) in str(refused), f"names no file: {refused}"
    return False


# ---- files that are right, to start from ----------------------------------------------------

_TAGGED = [
    b"Ada B-PER\nwas O\n\nin O\nParis B-LOC\n",
    b"Ada\tB-PER\nwas\tO\n\nin\tO\nParis\tS-LOC\n",
    b"-DOCSTART- -X- O\n\nAda NN I-PER\nwas VB _\n\n-DOCSTART- -X- O\n\nin IN O\n",
    b"# newdoc id = x\n# text = Ada was\nAda\tB-PER\n#was\tO\n\n# newdoc id = y\nin\tO\n",
    b"\xef\xbb\xbf#begin document (d1); part 0\r\nAda\tE-PER\r\n\r\n#end document\r\n",
]
_COLUMNS = [
    b"token\tgold\ta\tb\nAda\tB-PER\tO\tI-PER\nwas\tO\tO\tO\n",
    b"sent_id\tgold\ta\tb\tdoc\n0\tB-PER\tO\tI-PER\tx\n1\tO\tO\tO\ty\n",
    b"# token gold a b\nAda B-PER O I-PER\n\nwas O O O\n",
]
_RESPONSES = [
    b"d1\t0\t2\tPER\nd1\t4\t5\tLOC\nd2\t1\t2\tPER\n",
    b"image-0913\nimage-0920\n",
    b"0\t2\tPER\r\n4\t5\tLOC",
]
_LABELS = [b"x\ny\nx\nx\n", b"label\r\nnot x\r\n\r\nx", b"\nO\n\nB-X\n\n"]
_COUNTS = [
    b'gold = 9\nonly_a_correct = 4\nonly_b_correct = 1\nname_a = "I"\n',
    b'{"gold": 9, "only_a_correct": 4, "only_b_correct": 1, "both_correct": 2,\n "name_b": "II"}\n',
]
_SPANS = [
    b'{"document": "d1", "start": 0, "end": 12, "label": "PER"}\n{"document": "d2"}\n'
    b'{"document": "d1", "start": 3, "end": 14, "label": "LOC"}\n',
    b'{"doc": "d1", "start": 0, "end": 12, "label": "PER"}\n{"doc": 7}\n',
]
_BRAT = [b"T1\tPER 0 12\tAda Lovelace\nT2\tLOC 3 14\tPa\nR1\tx Arg1:T1 Arg2:T2\n#1\tnote\n"]
_NUMBERS = b"0.5\n1\n0.25\n"
_TABLES = [
    b"id,doc,a,b\nq1,x,0.5,0.75\nq2,x,1,0.5\nq3,y,0,0\n",
    b"id,gold,a,b\nq1,x,x,y\nq2,y,y,y\nq3,x,y,x\n",
    b'"id";"a;x";"b"\n1;"2.5";"1.5"\n2;"3";"2"\n',
    b"doc\tgold\ttp_a\tpredicted_a\ttp_b\tpredicted_b\nd1\t6\t3\t5\t4\t5\nd2\t3\t2\t2\t2\t3\n",
    b"system,id,score\na,q1,0.5\na,q2,0.25\nb,q2,0.5\nb,q1,0.75\n",
    _NUMBERS,
    b"id,correct_a,total_a,correct_b,total_b\n1,2,3,1,3\n2,1,1,0,1\n",
    b"q1;0,5;1\nq2;1;0,25\nq3;1;,5\n",
    b'token\tgold\ta\tb\n"\tO\tO\tO\n""\tX\tO\tX\n"\tX\tX\tX\n',
    b'id,text,a,b\n1,"x\ny",0.5,1\n2,5" z,1,0.25\n',
    b'[{"id": "q1", "a": 0.5, "b": true, "x": {"a": 0.5}}, {"id": 2, "a": null, "b": 0}]',
    b'{"id": 7, "a": 0.5, "b": 1}\n\n{"id": "y", "a": 1, "b": 0, "x": {"a": 2}, "c": [1]}\n',
]
_SAMPLES = [
    b'{"doc_id": 0, "acc": 1.0, "doc_hash": "x"}\n{"doc_id": 1, "acc": 0.0, "doc_hash": "y"}\n',
    b'{"doc_id": 1, "doc": {"q": [1, "\\ud83d\\ude00"]}, "filter": "none", "metrics": ["acc"], '
    b'"acc": true}\n',
]


def _log(form: str) -> bytes:
    """A log of Inspect: JSON, or an archive."""
    start = {"version": 2, "status": "success", "eval": {"model": form, "task": "t"}}
    samples = [
        {"id": name, "epoch": epoch, "input": "a", "scores": {"f": {"value": value}}}
        for name, epoch, value in ((1, 1, "C"), ("q/1", 1, 0.5), ("q/1", 2, {"a": 1, "b": None}))
    ]
    if form == "json":
        return json.dumps({**start, "samples": samples}).encode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(start))
        archive.writestr("summaries.json", json.dumps(samples))
    return file.getvalue()


def _details(column: str) -> bytes:
    """Details of lighteval, whose metrics are in this column."""
    import pyarrow
    from pyarrow import parquet

    rows = [
        {"doc": {"id": str(i), "query": f"q{i}"}, "example": f"q{i}",
         column: {"acc": i / 2, "l": [1.0], "em": None if i else 1}}
        for i in range(3)
    ]  # fmt: skip
    names = ["example", column] if column == "metrics" else ["doc", column]
    sink = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows).select(names), sink)
    return sink.getvalue()


_STATS = [
    b'[{"instance_id": "id1", "train_trial_index": 0, "stats": [{"name": {"name": "em", "split": '
    b'"test"}, "count": 1, "sum": 1, "mean": 1.0}]},\n {"instance_id": "id2", "stats": [{"name": '
    b'{"name": "em"}, "count": 1, "mean": 0.5}]}]',
    b'[{"instance_id": 1, "train_trial_index": 1, "stats": [{"name": {"name": "f1"}, "mean": 1}]},'
    b' {"instance_id": 1, "perturbation": {"name": "x"}, "stats": [{"name": {"name": "f1"}, '
    b'"mean": 0}]}]',
]
_EVALUATIONS = [
    b'{"model_id": "m", "evaluation_name": "e", "sample_id": "1", "sample_hash": "h", "evaluation":'
    b' {"score": 1.0, "is_correct": true}}\n{"model_id": "m", "evaluation_name": "e", "sample_id":'
    b' "2", "evaluation": {"score": 0.5, "is_correct": false}}\n',
    b'{"model_id": "m", "evaluation_name": "e", "evaluation_result_id": "x", "sample_id": 1, '
    b'"sample_hash": null, "evaluation": {"score": 1, "is_correct": true}}\n',
]


_RUNS = [
    b"1 Q0 a 1 2.5 t\n1 Q0 b 2 1e3 t\n2 Q0 c 1 -1 t\n",
    b"1 0 a 1\n1 0 b -1\n2\t0\tc\t2\r\n3 0 c 0\n",
    b"map                   \t1\t0.5\nmap                   \t2\t0.25\nmap  \tall\t0.375\n",
]

_RESULT = {
    "testIdx": 0,
    "promptIdx": 0,
    "success": True,
    "score": 1,
    "failureReason": 0,
    "provider": {"id": "x"},
    "namedScores": {"tone": 0.5},
    "vars": {"q": [1, "\ud83d"]},
}
_REPORT = {"resolved_ids": ["x__x-1"], "unresolved_ids": ["x__x-2"], "error_ids": []}
_PROMPTFOO = [json.dumps(own).encode() for own in (
    {"results": {"version": 3, "results": [
        {**_RESULT, "testIdx": i, "vars": {"q": i}, "promptIdx": p}
        for i in range(2) for p in range(2)
    ]}},
    [{**_RESULT, "testIdx": i, "promptIdx": p, "testCase": {"description": "t"}}
     for i in range(3) for p in range(2)],
)]  # fmt: skip
_SWE = [json.dumps(own).encode() for own in (
    _REPORT, {"x__x-1": {"resolved": True}, "x__x-2": {"resolved": False}},
)]  # fmt: skip
_TAU = [json.dumps(own).encode() for own in (
    [{"task_id": i, "reward": 1.0, "traj": [], "info": {}, "trial": 0} for i in range(2)],
    {"simulations": [{"task_id": "a", "trial": i, "reward_info": {"reward": 0.5}} for i in (0, 1)]},
)]  # fmt: skip
_EVENTS = [
    b'{"spec": {"eval_name": "e"}}\n{"final_report": {"accuracy": 1}}\n'
    b'{"run_id": "r", "event_id": 0, "sample_id": "e.1", "type": "match", '
    b'"data": {"correct": true, "tone": 0.5}}\n',
]
_ALIGNED = [
    b'<SYSTEM title="x">\n<SPEAKER id="s">\n<PATH id="(s-1)" word_cnt="2">\n'
    b'C,"a","a",0.1+0.2:D,"b",,:I,,"c",0.3+0.4\n</PATH>\n</SPEAKER>\n</SYSTEM>\n',
    b"\n\t\tDUMP OF SYSTEM ALIGNMENT STRUCTURE\n\nSpeaker sentences   0:  s   #utts: 1\nid: (s-1)\n"
    b"Scores: (#C #S #D #I) 1 0 1 1\nREF:  a B *\n",
]
_TRANSCRIPTS = [b";; x\na b (s-1)\n(s_2)\n", b"a (s-1)\r\nb a b (s_2)\r\n"]

#: For every target contents that it takes in some variant.
VALID: dict[str, list[bytes]] = {
    "tags": _TAGGED + _COLUMNS, "tag columns": _COLUMNS, "looks": _TAGGED + _COLUMNS + _SAMPLES,
    "responses": _RESPONSES, "labels": _LABELS, "counts": _COUNTS, "spans": _SPANS, "brat": _BRAT,
    "table": [contents for contents in _TABLES if contents is not _NUMBERS], "tables": _TABLES,
    "samples": _SAMPLES, "logs": [_log("json"), _log("eval")], "runs": _RUNS,
    "stats": _STATS, "details": [_details("metric"), _details("metrics")],
    "evaluations": _EVALUATIONS,
    "promptfoo": _PROMPTFOO, "swe-bench": _SWE, "tau-bench": _TAU, "openai-evals": _EVENTS,
    "sclite": _ALIGNED, "instances": _SWE, "transcripts": _TRANSCRIPTS,
    "command": [
        *_TAGGED, *_COLUMNS, *_RESPONSES, *_COUNTS, *_TABLES, *_SAMPLES, *_PROMPTFOO, *_SWE, *_TAU,
        *_EVENTS, *_ALIGNED,
    ],
}  # fmt: skip

#: What tends to go wrong: deep nesting, numbers too long for int() or float(), halves of a
#: surrogate pair, long lines. The fuzzer would not come by them in a short time.
_DEEP = b"[" * 900 + b"]" * 900
EXTREMES: dict[str, list[bytes]] = {
    "tags": [b"a " * 5000 + b"O\n", b"a B-" + b"x" * 70_000 + b"\n"],
    "responses": [b"1" * 5000 + b"\t2\tPER\n", b"0\t99999999999999999999\tPER\n"],
    "counts": [
        *(b'{"gold": %s, "only_a_correct": 0, "only_b_correct": 1}' % number
          for number in (b"1" * 5000, b"1" * 4000, b"1e400", b"NaN", _DEEP)),
        b"gold = " + b"9" * 5000, b"x = " + _DEEP, b"gold = " + b"9" * 25,
    ],
    "spans": [
        *(b'{"document": %s, "start": 0, "end": 1, "label": "x"}\n' % value
          for value in (b'"\\ud800"', _DEEP, b"1" * 4000, b"NaN")),
        *(b'{"document": "d", "start": 0, "end": %s, "label": "\\udc00"}\n' % value
          for value in (b"1" * 4000, b"1" * 5000, b"9223372036854775807", b"1e999", b"1.0")),
        b"[" * 100_000,
    ],
    "brat": [
        b"T1\tPER 0 " + b"1" * 5000 + b"\n",
        b"T1\tPER 0 9223372036854775807\nT2\tX 9223372036854775806 9223372036854775807\n",
    ],
    "table": [
        *(b"id,a,b\n1,%s,0\n2,0,1\n" % value
          for value in (b"1" * 5000, b"1e308", b"1e309", b"5e-324", b"9007199254740993", b"1_0")),
        b"id,a,b\n" + b"x" * 200_000 + b",1,2\ny,1,0\n", b"a," * 5000 + b"b\n",
    ],
    "samples": [
        *(b'{"doc_id": %s, "acc": %s, "doc": %s}\n' % values for values in (
            (b"0", b"1" * 400, b"0"), (b"0", b"1" * 5000, b"0"), (b"0", b"NaN", b"0"),
            (b"0", b"1", _DEEP), (_DEEP, b"1", b"0"), (b'"\\ud800"', b"1", b'"\\ud800"'),
            (b"1" * 4000, b"1", b"0"), (b"0", b"1e308", b"-Infinity"))),
        b"[" * 100_000, b'{"doc_id": 0, "\\ud800": 1}\n', b'{"doc_id": 0, "filter": [[0]]}\n',
    ],
}  # fmt: skip
_VALUES = (b"1" * 400, b"1" * 5000, b"NaN", b"null", b"-Infinity", b'"\\ud800"', _DEEP, b"[1]")
EXTREMES["stats"] = [
    *(
        b'[{"instance_id": %s, "stats": [{"name": {"name": "em"}, "mean": 1}]}]' % own
        for own in _VALUES
    ),
    *(
        b'[{"instance_id": 1, "stats": [{"name": {"name": "em"}, "mean": %s}]}]' % own
        for own in _VALUES
    ),
    *(b'[{"instance_id": 1, "train_trial_index": %s, "stats": []}]' % own for own in _VALUES),
    *(b'[{"instance_id": 1, "perturbation": %s, "stats": []}]' % own for own in _VALUES),
    *(b'[{"instance_id": 1, "stats": %s}]' % own for own in _VALUES),
    b"[" * 100_000,
    b"[]",
    b"{}",
]
_EVALUATION = (
    b'{"model_id": %s, "evaluation_name": %s, "sample_id": %s, "sample_hash": %s, '
    b'"evaluation_result_id": %s, "evaluation": {"score": %s}}'
)
EXTREMES["evaluations"] = [
    _EVALUATION % tuple(own if i == place else b'"a"' if i < 5 else b"1" for i in range(6))
    for own in _VALUES
    for place in range(6)
]
EXTREMES["details"] = [b"PAR1", VALID["details"][0][:200], VALID["details"][0][200:]]
EXTREMES["runs"] = [
    *(b"1 Q0 a 1 %s t\n" % value for value in (b"1" * 5000, b"1e999", b"nan", b"1_0", b"0x1")),
    *(b"1 0 a %s\n" % value for value in (b"1" * 5000, b"-9223372036854775808", b"1e3", b"9" * 25)),
    b"1 Q0 " + b"a" * 70_000 + b" 1 2 t\n",
    b"#\n" * 1000,
    b"map 1 " + b"1" * 400 + b"\n",
]
_DEEPER = [_DEEP, b"[" * 100_000, b"{}", b"[]", b"null", b'{"results": {"results": [[]]}}']
EXTREMES["promptfoo"] = [
    *_DEEPER, *(json.dumps([{**_RESULT, **own}]).encode() for own in (
        {"score": None}, {"score": 10**400}, {"success": None}, {"testIdx": 1e999}, {"vars": 3},
        {"provider": {"label": "\ud800"}}, {"namedScores": {"": 1, "a": [1]}}, {"error": {}},
    )),
]  # fmt: skip
EXTREMES["swe-bench"] = [*_DEEPER, *(json.dumps(own).encode() for own in (
    {"resolved_ids": None}, {"resolved_ids": [""]}, {"resolved": ["\ud800"]},
    {"x": {"resolved": 1}},
))]  # fmt: skip
EXTREMES["tau-bench"] = [*_DEEPER, *(
    b'[{"task_id": %s, "reward": %s, "traj": []}]' % own for own in (
        (b"NaN", b"1"), (b"0", b"1e999"), (b"[1]", b'"x"'), (b"1" * 4000, b"null"), (b"{}", b"{}"),
    )
)]  # fmt: skip
EXTREMES["openai-evals"] = [*_DEEPER, *(
    b'{"sample_id": %s, "type": "match", "data": {"correct": %s}}\n' % own for own in (
        (b'"a"', b"NaN"), (b'"\\ud800"', b"1"), (b"1", b"1"), (b'""', b"1"), (b'"a"', b"1e999"),
    )
)]  # fmt: skip
EXTREMES["sclite"] = [
    b"<SYSTEM >\n" * 1000,
    b'<SYSTEM >\n<SPEAKER id="s">\n<PATH id="a">\n' + b'C,"' * 50_000,
    b"DUMP OF SYSTEM ALIGNMENT STRUCTURE\nid: (a)\nScores: (#C #S #D #I) " + b"9 " * 5000 + b"\n",
    b"DUMP OF SYSTEM ALIGNMENT STRUCTURE\nid: (a)\nScores: (#C #S #D #I) 999999999 1 1 999999999\n",
]
EXTREMES["transcripts"] = [b"(" * 100_000, b"a " * 10_000 + b"(x)\n", b"(" * 50_000 + b"x)\n"]
for _target, _kinds in {
    "looks": ("tags", "samples", "spans"),
    "command": ("tags", "responses", "counts", "table", "samples"),
}.items():
    EXTREMES[_target] = [contents for kind in _kinds for contents in EXTREMES[kind]]


def _documented() -> list[bytes]:
    """The files that the docs show, and those of the examples."""
    found = []
    for page in ("docs/formats.md", "docs/tags.md", "README.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for block in re.findall(r"^`[^`\n]+`:\n\n((?: {4}.*\n)+)", text, re.MULTILINE):
            found.append(re.sub("^ {4}", "", block, flags=re.MULTILINE).encode())
    files = sorted(path for path in (ROOT / "examples").rglob("*") if path.is_file())
    return found + [path.read_bytes()[:4096] for path in files]


def seeds() -> list[tuple[str, int, list[bytes]]]:
    """Inputs to start from: target, variant, contents."""
    documented = _documented()
    assert documented
    found = []
    for name, target in TARGETS.items():
        for contents in VALID[name] + EXTREMES.get(name, []):
            found += [(name, variant, [contents]) for variant in range(min(target.variants, 16))]
        # The fuzzer finds the other variants; CI's twenty seconds should not pass with seeds.
        found += [(name, i % target.variants, [own]) for i, own in enumerate(documented)]
        found.append((name, 0, [gzip.compress(VALID[name][0], mtime=0)]))
    pair = [_NUMBERS, b"0.25\n1\n0.75\n"]
    found += [("tables", 0, pair), ("command", 2, pair), ("tags", 0, [_TAGGED[0], _TAGGED[1]])]
    return found
