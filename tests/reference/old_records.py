"""Records of every form of input, as a csig of their time made them: ``python old_records.py DIR``.

``csig verify --inputs`` must read the files of old records with the roles of then, whatever rules
csig has by now. So for each form, and for each thing that was guessed, there is a record: of the
audit of a small file of ``old_inputs.py``. The records are made by whatever csig is imported here,
and are never made again by a later one. Those that are kept are by

* version 1: the last csig before version 2 (commit 57279d8), and, of names that begin with
  ``early``, by one that took few values for clusters (b33b5ef);
* version 2: the last csig before version 3 (13fa55e), and, of names that begin with ``early``, by
  one in whose records the first system is A (da3bcf0);
* version 3: commit 851fd2e.

``--all`` makes records of all cases, not only of those that are kept for the version at hand,
``--early`` those whose names begin so, ``--packed`` packs records by gzip. ``--expect`` makes none,
but writes into the index with which status the csig at hand verifies each. Inputs that are there
already stay as they are. The environment of a record names no machine.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from old_inputs import all_files

from csig.audits.records import canonical, record_digest
from csig.engines.base import EDITION as SCHEMA_VERSION

SHUFFLES = ("--seed", "1", "--resamples", "4096")
SAMPLES = "2026-01-02T03-04-05.000001.jsonl"

#: A name, the versions of which a record is kept, and files and options of ``csig audit``, with
#: braces as in a shell; below, what nobody had said and csig read all the same.
CASES = """
counts-toml [3]: --counts counts/some.toml --metric recall
    # the names, from the file
counts-json: --counts counts/some.json --metric recall --name-a x
responses [3]: responses/{gold,base,new}.txt --metric recall
    # responses, as the files are nothing else
responses-metrics: responses/{gold,base,new}.txt
    # responses, as the files are nothing else; recall, precision and F1
responses-many: responses/many-{gold,base,new}.txt --metric recall
    # responses in any order, though all files have as many lines: a caution
responses-numbers [3]: responses/numbers-{gold,base,new}.txt --metric recall
    # responses and no scores, as no whole number comes twice
responses-documents [3]: responses/spans-{gold,base,new}.tsv --documents --metric recall
    # the unit, documents
responses-spans [3]: responses/spans-{gold,base,new}.tsv --spans --documents --metric recall
responses-bare: responses/bare-{gold,base,new}.tsv --spans --metric recall
responses-unit: responses/spans-{gold,base,new}.tsv --spans --documents --unit conflict
    --metric recall
responses-format: responses/many-{gold,base,new}.txt --format responses --metric recall

tags-files [3]: tags/{gold,base,new}.conll --metric recall
    # tags, by the O; they are in the last column
tags-docstart [3]: tags/docs-{gold,base,new}.conll --metric recall --table
    # documents, from -DOCSTART-
tags-marked: tags/marked-{gold,base,new}.conll --metric recall
    # documents, from comments
tags-columns [123]: tags/columns.tsv --gold-column gold --a-column base --b-column new
    --metric recall
    # tags, by their cells; sentences, from the column sentence_id
tags-columns-system: tags/columns.tsv --gold-column gold --system new --system base
    --sentence-column sentence_id --document-column doc --metric recall
tags-columns-numbers [3]: tags/numbers.conll --gold-column 2 --a-column 3 --b-column 4
    --metric recall
    # no header, as every row has a tag
tags-columns-header: tags/columns.tsv --gold-column 4 --a-column 5 --b-column 6 --metric recall
    # a header, as its cells are no tags
tags-files-columns: tags/four-{gold,base,new}.conll --gold-column 3 --a-column 3 --b-column 4
    --metric recall
tags-document-file: tags/{gold,base,new}.conll --document-file tags/documents.txt
    --metric recall
tags-strict: tags/{gold,base,new}.conll --rules strict --scheme IOB2 --metric recall
tags-position: tags/spelt-{gold,base,new}.conll --match position --metric recall
tags-alone: tags/alone-{gold,base,new}.txt --format tags --metric recall
tags-plain [3]: tags/plain-{gold,base,new}.tsv --scheme plain --metric accuracy
    # sentences, swapped whole
tags-plain-positive: tags/plain-{gold,base,new}.tsv --scheme plain --positive N --unit token
    --metric f1
tags-plain-columns: tags/plain.tsv --scheme plain --gold-column gold --a-column base
    --b-column new --metric accuracy

spans-lines [3]: spans/{gold,base,new}.jsonl --metric recall
    # spans, by the names of fields
spans-field: spans/short-{gold,base,new}.jsonl --field document=doc --field start=from
    --field end=to --metric recall
spans-files: spans/{gold,base,new}/d1.ann --metric recall
spans-folders [3]: spans/{gold,base,new} --allow-missing intersection --metric recall
    # documents, from the names of files

table-counts [3]: counts/wide.csv --metric f1
    # counts, by the names of columns; ids in the column doc
table-counts-cluster [3]: counts/cluster.csv --metric recall
    # clusters, in the column document; a length unused
table-counts-three: counts/three.csv --metric f1
    # tp, fp and fn, with the system's name before them
table-counts-half [3]: counts/half.csv
    # scores, as tp alone is no counts
table-counts-right: counts/right.csv
    # correct and n, which is one for both
table-counts-long [3]: counts/long.csv --metric f1
    # a row for every unit and system
table-counts-files: counts/{base,new}.csv --metric f1
    # systems named by files
table-counts-columns: counts/wide.csv --a-column new --b-column base --metric f1

scores [12]: scores/ids.csv
    # ids, and two systems
scores-table [3]: scores/ids.csv --table --name-a x --name-b y
    # ids, and two systems
scores-no-ids: scores/no-ids.csv
    # no ids
scores-bits [3]: scores/bits.csv
    # the accuracy, as all are 0 or 1
scores-whole: scores/whole.csv
    # scores that are whole numbers
scores-cluster [3]: scores/story.csv --cluster story
    # ids, and two systems
scores-cluster-unit: scores/story.csv --cluster story --unit unit
scores-story [3]: scores/story.csv
    # no clusters, though a column groups the rows: a caution
scores-document [3]: scores/document.csv
    # clusters, by their name
scores-topic: scores/topic.csv
    # ids, in a column called like clusters
scores-question: scores/question.csv
    # ids, in the column Question
scores-task [13]: scores/task.csv
    # no clusters in the column task, as there are two: a caution
scores-task-given: scores/task.csv --cluster task
scores-length [13]: scores/length.csv
    # a column left out by its name: a caution
scores-lots [3]: scores/lots.csv
    # a column left out, as its numbers are all different: a caution
scores-constant: scores/constant.csv
    # a column left out, as it has one number: a caution
scores-same: scores/same.csv
    # a column left out, as its numbers are those of clusters: a caution
scores-seed: scores/seed.csv
    # a column left out that may be runs: a caution
scores-size [3]: scores/size.csv
    # a system that is called like a property: a caution
scores-text [3]: scores/text.csv
    # a text that is not used
scores-words [3]: scores/words.csv
    # a column that is not used, as less than half of its cells are numbers
scores-truth [3]: scores/truth.csv
    # True and False left out: a caution
scores-share: scores/share.csv
    # percentages left out: a caution
scores-uid [3]: scores/uid.csv
    # no ids, as the name of their column is not known
scores-two-ids: scores/two-ids.csv --id uid
scores-unnamed [3]: scores/unnamed.csv
    # ids, in a first column without a name
scores-unnamed-0: scores/unnamed-0.csv
    # ids, in the column Unnamed: 0
scores-gold: scores/gold.csv --format scores
    # a system called gold
scores-inner [3]: scores/inner.csv
    # ids that are unique within clusters, which are known by their name
scores-inner-few [3]: scores/inner-few.csv
    # ids that are unique within a column of too few values for clusters
scores-real: scores/real.csv
    # scores with decimals
scores-spelt [3]: scores/spelt.csv
    # numbers in several spellings, some with spaces
scores-total: scores/total.csv
    # a row of totals as a unit: a caution
scores-gaps: scores/gaps.csv
    # blank lines ignored: a caution
scores-missing [3]: scores/missing.csv --allow-missing intersection
scores-system: scores/three.csv --system other --system base
scores-system-number [3]: scores/three.csv --system 4 --system 2
scores-columns [3]: scores/three.csv --a-column new --b-column other
scores-baseline [3]: scores/ids.csv --baseline new
scores-baseline-three: scores/three.csv --system base --system other --baseline other
scores-ignore [3]: scores/three.csv --ignore new
scores-lower [3]: scores/ids.csv --lower-is-better
scores-bare [3]: scores/bare.csv --no-header --id 1 --system 2 --system 3
scores-bare-guess [3]: scores/bare-words.csv --no-header
    # no ids without a header; the systems, 2 and 3
scores-header: scores/names.csv --header
    # numbers as names of systems
scores-semicolon: scores/semicolon.csv
    # semicolons between cells
scores-decimal [3]: scores/comma.csv --decimal ,
    # semicolons between cells
scores-decimal-marks: scores/comma-marks.csv --decimal ,
scores-windows: scores/windows.csv
scores-gz [3]: scores/ids.csv.gz
    # a packed file, by its bytes
scores-quoted: scores/quoted.csv
    # quoted cells in CSV
scores-quoted-tsv [3]: scores/quoted.tsv --quoting csv
scores-marks [3]: scores/marks.tsv
    # quotation marks as text in TSV
scores-marks-some: scores/marks-some.tsv
    # quotation marks as text in TSV, though a cell looks quoted: a caution
scores-marks-none: scores/marks.csv --quoting none
scores-broken: scores/broken.csv
    # a quoted cell of two lines: a caution

long [3]: long/score.csv
    # a row for every unit and system
long-value [3]: long/value.csv
    # systems in the column model; scores in the only one with numbers
long-length: long/length.csv
    # scores by their name; a length not used
long-run [3]: long/run.csv --run run
long-missing: long/missing.csv --allow-missing intersection
long-three: long/three.csv --a-column other --b-column base

files [13]: several/ids-{base,new}.csv
    # systems named by files; a column that differs between them not used
files-metric [3]: several/metrics-{base,new}.csv --metric f1
    # columns that all files have are metrics
files-uid [13]: several/uid-{base,new}.csv
    # rows matched by a column of words that has no name of ids
files-key: several/key-{base,new}.csv
    # rows matched by a column of numbers that has no name of ids
files-folders [3]: several/{base,new}/scores.csv
    # rows matched by a column of numbers that has no name of ids; systems named by paths
files-order [3]: several/order-{base,new}.csv
    # rows matched by their order, as a column is the same row by row
files-bare [3]: several/bare-{base,new}.csv --metric map
    # rows matched by their order, as there is nothing else
files-run: several/run-{base,new}.csv
    # rows matched by their order, though they differ in a column: it has one value in a file
files-output [3]: several/output-{base,new}.csv --ignore output
    # rows matched by their order, as they differ in an ignored column only
files-missing [3]: several/missing-{base,new}.csv --allow-missing intersection
    # rows matched by their order, left out of all files
files-some: several/some-{base,new}.csv --allow-missing intersection
files-named: several/named-{base,new}.csv
    # systems named by columns
files-wer [3]: several/wer-{base,new}.csv
    # less is better, by the name of the column
files-length [3]: several/length-{base,new}.csv
    # a column left out, the same in every file: a caution
files-columns: several/metrics-{base,new}.csv --system 'metrics-base: f1'
    --system 'metrics-new: em'
files-three: several/ids-{base,new,other}.csv --system ids-other --system ids-base
    # tables and no responses, by their header
numbers: numbers/{base,new}.txt
    # scores, one per line
numbers-named [3]: numbers/named-{base,new}.txt
    # scores, one per line, below a name
numbers-gaps: numbers/gaps-{base,new}.txt --allow-missing intersection
numbers-few [3]: numbers/few-{base,new,other}.txt --system few-new --system few-other
    # scores and no labels: a caution

labels [3]: labels/wide.csv --metric accuracy
    # the gold and the systems; a text not used
labels-metrics: labels/wide.csv
    # the gold, the systems and the metrics; a text not used
labels-system: labels/three.csv --system new --system other --metric accuracy
    # the gold
labels-target [3]: labels/target.csv --metric accuracy
    # the gold, in the column target; spaces are no part of labels
labels-answer [3]: labels/answer.csv --gold-column answer --metric kappa
    # labels and no tags, by the cells; the systems
labels-mood [3]: labels/mood.csv --metric accuracy
    # a column left out, of as many values as the gold: a caution
labels-fold [3]: labels/fold.csv --metric accuracy
    # a column left out by its name, right by chance: a caution
labels-stories: labels/stories.csv --metric accuracy
    # clusters, by their name
labels-sentences [123]: labels/sentences.csv --metric accuracy
    # sentences, from blank lines; the gold, in the column gold_label
labels-token: labels/sentences.csv --unit token --metric accuracy
labels-positive: labels/wide.csv --positive pos --metric f1
labels-bare [3]: labels/bare.tsv --no-header --gold-column 1 --system 2 --system 3
    --metric accuracy
labels-lines [3]: labels/{gold,base,new}.txt --metric accuracy
    # labels and no responses, as they come twice
labels-lines-named: labels/named-{gold,base,new}.txt --metric accuracy
    # names in the first lines
labels-lines-positive: labels/{gold,base,new}.txt --positive neu --metric f1
labels-lines-gaps: labels/gaps-{gold,base,new}.txt --format labels --allow-missing intersection
    --metric accuracy
labels-lines-numbers: labels/numbers-{gold,base,new}.txt --format labels --metric accuracy
labels-files: labels/of-{base,new}.csv --metric accuracy
    # the gold, in each file; systems named by files
labels-files-order [3]: labels/order-{base,new}.csv --metric accuracy
    # rows matched by their order, as the gold is the same row by row

samples [3]: samples/{base,new}/samples_sums_SAMPLES
    # systems named by folders
samples-tasks [3]: samples/{base,new}/samples_{sums,riddles,rhymes}_SAMPLES
    # tasks as clusters, by the names of files
samples-filter [3]: samples/{base,new}-filters.jsonl --filter strict
    # systems named by files
samples-metric: samples/{base,new}-metrics.jsonl --metric acc_norm
parquet [3]: parquet/scores.parquet
    # a length left out: a caution
parquet-index [3]: parquet/index.parquet
    # ids, in the index; true and false are numbers
parquet-labels: parquet/labels.parquet --metric accuracy
    # no ids
parquet-files: parquet/{base,new}.parquet
    # systems named by files
json-array [3]: json/array.json
    # a table, by its first bytes
json-field [3]: json/lines.jsonl --field topic=meta.topic --cluster topic
    # fields that hold lists not used
json-inside: json/inside.jsonl --system scores.base --system scores.new
json-truth: json/truth.json
    # true and false are numbers
json-holes: json/holes.jsonl --allow-missing intersection
    # null and a field that is not there are empty cells
json-files: json/{base,new}.jsonl
    # systems named by files
statistics-responses: --statistics statistics/responses.csv --metric recall
statistics-guess [3]: statistics/responses.csv --metric recall
    # a table of statistics, by its columns
statistics-quoted: --statistics statistics/quoted.tsv --metric recall
    # quoted cells in TSV
statistics-counts: --statistics statistics/counts.csv --metric f1
statistics-scores [3]: --statistics statistics/scores.csv
    # the metric, from a column
statistics-losses: --statistics statistics/losses.csv
    # less is better
statistics-labels: --statistics statistics/labels.csv --metric accuracy

early-task [1]: scores/task.csv
    # two clusters, by their name
early-inner-few [1]: scores/inner-few.csv
    # two clusters, by their name
early-scores [2]: scores/ids.csv
    # the first system is A
"""


@dataclass(frozen=True)
class Case:
    """A form of input.

    Attributes
    ----------
    name : str
        Of the record's file.
    kept : str
        The versions of which a record is kept, a digit each.
    options : tuple of str
        Files and options of ``csig audit``.
    guess : str
        What nobody had said; empty where nothing was guessed.
    """

    name: str
    kept: str
    options: tuple[str, ...]
    guess: str

    @property
    def early(self) -> bool:
        """Whether its records are by an earlier csig than the last of their version."""
        return self.name.startswith("early")

    def command(self, record: str) -> list[str]:
        """The arguments of csig; without a table it cannot verify without reading the files."""
        table = [] if "--table" in self.options else ["--no-table"]
        return ["audit", *self.options, *table, *SHUFFLES, "--record", record]

    def needs(self, path: str) -> bool:
        """Whether a file is an input, or in a folder that is one."""
        return any(path == own or path.startswith(f"{own}/") for own in self.options)


def expanded(word: str) -> list[str]:
    """A word with every choice of what is in its braces; the first braces change last."""
    parts = [part.split(",") for part in re.split("[{}]", word.replace("SAMPLES", SAMPLES))]
    if len(parts) == 1:  # "--decimal ," has a comma and no braces
        return [word]
    return ["".join(choice) for choice in itertools.product(*parts)]


def cases() -> Iterator[Case]:
    """All of them."""
    for text in re.split(r"\n+(?=\S)", CASES.strip()):
        (head, rest), (said, _, guess) = text.split(": ", 1), text.partition("\n    # ")
        name, _, kept = head.partition(" ")
        words = shlex.split(rest[: len(said) - len(head) - 2])
        options = tuple(own for word in words for own in expanded(word))
        yield Case(name, kept.strip("[]"), options, guess)


def csig(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the csig at hand in a folder."""
    command = [sys.executable, "-m", "csig.cli", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def made(case: Case, folder: Path, packed: bool) -> dict[str, Any] | None:
    """What is to be known of a case's record, which is written; None if csig makes none."""
    first = folder / "record.json"
    done = csig(folder / "inputs", *case.command(str(first)))
    if not first.exists():
        print(f"{case.name}: {(done.stderr or done.stdout).strip()}", file=sys.stderr)
        return None
    record = json.loads(first.read_text(encoding="utf-8"))
    first.unlink()
    record["environment"]["platform"] = "Linux-x86_64"
    record["command"] = ["csig", *case.command("record.json")]
    record["sha256"] = record_digest(record)
    name = f"records/{SCHEMA_VERSION}/{case.name}.json{'.gz' * packed}"
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    data = canonical(record).encode()
    (folder / name).write_bytes(gzip.compress(data, mtime=0) if packed else data)
    return {
        "name": case.name,
        "version": SCHEMA_VERSION,
        "record": name,
        "command": record["command"],
        "inputs": [file["path"] for file in record["inputs"]],
        "guess": case.guess,
        "expected": None,
    }


def status(own: dict[str, Any], folder: Path) -> int:
    """With which status the csig at hand verifies a record with its inputs."""
    data = (folder / own["record"]).read_bytes()
    record = folder / "record.json"
    record.write_bytes(gzip.decompress(data) if own["record"].endswith(".gz") else data)
    given = [word for name in own["inputs"] for word in ("--inputs", name)]
    found = csig(folder / "inputs", "verify", str(record), *given).returncode
    record.unlink()
    return found


def main() -> None:
    """Write inputs, the records of the version at hand, and the index of all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    for name in ("all", "early", "packed", "expect"):
        parser.add_argument(f"--{name}", action="store_true")
    asked = parser.parse_args()
    folder: Path = asked.folder.resolve()
    index = folder / "index.json"
    known = json.loads(index.read_text(encoding="utf-8")) if index.exists() else []
    found = {(own["version"], own["name"]): own for own in known}
    chosen = [
        case
        for case in cases()
        if case.early == asked.early and (asked.all or str(SCHEMA_VERSION) in case.kept)
    ]
    if asked.expect:
        for own in known:
            own["expected"] = status(own, folder)
        chosen = []
    for path, data in all_files().items():
        if any(case.needs(path) for case in chosen) and not (folder / "inputs" / path).exists():
            (folder / "inputs" / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / "inputs" / path).write_bytes(data)
    for case in chosen:
        own = made(case, folder, asked.packed)
        if own is not None:
            found[own["version"], own["name"]] = own
    ordered = [found[key] for key in sorted(found)]
    index.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
