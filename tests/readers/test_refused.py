"""What readers refuse, to the last word, and the options that they offer: rows of refused.txt."""

import json
import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from places import EXAMPLES
from printed import expected, printed, rewrite
from written import read_samples, refusal, text_file

import csig
from csig.base.errors import InputError, Refusal
from csig.readers import forms, read_tags, responses
from csig.readers.counts import read_counts
from csig.readers.data import ResponseData
from csig.readers.lines import json_values, lines_of
from csig.readers.objects import of_comparisons, of_scores
from csig.readers.request import Request
from csig.readers.responses import kind_of_lines, read_labels, read_responses, read_spans
from csig.readers.statistics import read_statistics
from csig.readers.tables.files import read_sheet
from csig.readers.tables.sheets import Dialect
from csig.readers.tags import read as reading
from csig.training.distribution import read_cells

PRINTED = Path(__file__).with_name("refused.txt")
DIGITS = [EXAMPLES / "digits" / f"{name}.tsv" for name in
          ("gold", "logistic-regression", "nearest-centroid")]  # fmt: skip


def told(call: Callable[[], Any], goes_on: Callable[[tuple[str, ...]], Any]) -> str:
    """The line of a refusal, and below it options; it goes on with each of them."""
    with pytest.raises(InputError) as caught:
        call()
    error = caught.value
    ways = [own.options for own in error.remedies] if isinstance(error, Refusal) else []
    ways = [way for way in ways if way[0] != "--scheme" or len(ways) == 1]
    for way in ways:
        goes_on(way)
    return "\n".join([str(error), *map(shlex.join, ways)])


def short(*given: Any) -> str:
    """Without what Python says of JSON and TOML, in other words in every version."""
    python = r"(?!a field|brackets).*?( on line \d+)?\)?$"
    return re.sub(rf"(?<=not )(JSON \(|JSON: |TOML[^:]*: ){python}", r"\1...\2", refusal(*given))


# ---- tables and JSON -----------------------------------------------------------------------------
def sheet(text: str) -> str:
    path = text_file(text)

    def goes_on(way: tuple[str, ...]) -> None:
        """It is read, or refused for another reason."""
        name, *value = (word.removeprefix("--") for word in way)
        options = {"header": name == "header"} if name.endswith("header") else {name: value[0]}
        try:
            found = read_sheet(path, Dialect(**options))
            assert found.place(len(found) - 1).startswith("line ")
            for name in found.names:
                assert len(found.texts(name)) == len(found.numbers(name).values) == len(found)
        except InputError as error:
            assert str(error) != refusal(read_sheet, path)  # noqa: PT017

    return told(lambda: read_sheet(path), goes_on)


def json_table(value: Any) -> Any:
    text = value if isinstance(value, str) else json.dumps(value)
    return read_sheet(text_file(text, "new.json"))


def values(text: str) -> str:
    return short(json_values, text_file(text, "t.json"))


# ---- responses, spans, labels, counts ------------------------------------------------------------
YES, TOML = "x\ny\nx\ny\n", "gold = 9\nonly_a_correct = 4\nonly_b_correct = 1\n"
responses_in, statistics_in = read_responses, read_statistics


def files(texts: Sequence[str]) -> list[str]:
    return [text_file(text, f"{name}.txt") for name, text in zip("gabc", texts, strict=False)]


def of_lines(texts: Sequence[str], **options: Any) -> Any:
    return responses.of_lines(Request(tuple(files(texts)), **options), ())


def spans(name: str, line: str) -> str:
    return short(read_spans, text_file(f"\n{line}\n", name))


def labels_in(texts: Sequence[str]) -> Any:
    return read_labels(*files(texts))


def kinds(texts: Sequence[str]) -> str:
    """What lines may be is not known; what is offered reads them, or says more."""
    readers = {"labels": responses.of_labels, "tags": reading.read, "responses": responses.of_lines}
    paths = tuple(files(texts))

    def goes_on(way: tuple[str, ...]) -> None:
        given = {way[0][2:]: way[1]}
        try:
            assert readers[given.get("format", "tags")](Request(paths, **given), ())
        except Refusal as again:
            assert again.remedies  # noqa: PT017

    return told(lambda: kind_of_lines(paths, [lines_of(text) for text in texts]), goes_on)


JSON = json.dumps({"gold": 9, "only_a_correct": 4, "only_b_correct": 1})


def fields(**more: str) -> str:
    """JSON with a field a line, as it is written."""
    written = {"gold": "9", "only_a_correct": 4, "only_b_correct": 1, **more}.items()
    return "{" + ",\n".join(f'"{name}": {value}' for name, value in written) + "}"


def counts_in(name: str, text: str) -> str:
    return short(read_counts, text_file(text, name))


# ---- tags ----------------------------------------------------------------------------------------
ROWS = "w gold x y", "Eve B-PER O B-PER", "ran O O O", "", "Rome B-LOC B-LOC O"
HIPE = "TOKEN\tLIT\tFINE\tMISC", "a\tB-X\tB-Y\t_", "b\tO\tO\tEndOfLine"
THREE = "a O\n\nb O\n\nc O\n"
TWO = "Ada\tB-PER\nwas\tO\n\nin\tO\nParis\tB-LOC\n"
GOLD = '# newdoc id = x\nHe\tO\nsaid\tO\n"\tO\n\nAda\tB-P\nB.\tI-P\n\n# newdoc id = y\nYes\tO\n'


def tags(text: str, names: str, **options: Any) -> Any:
    path = text_file(text, "x.conll")
    return read_tags(*([(path, name) for name in names.split()] or [path]), **options)


def tags_with(header: str, rows: str, names: str, **options: Any) -> str:
    """A mistake on one of the first lines, as if it were far down."""
    many = (rows.split("\n")[0] + "\n") * 300
    found = refusal(tags, header + rows, names, **options)
    line = int(re.match(r"x\.conll line (\d+): ", found)[1])  # type: ignore[index]
    below = refusal(tags, header + many + rows, names, **options)
    assert below == found.replace(f" {line}: ", f" {line + 300}: ", 1)
    return found


def lacking(rows: Sequence[str], n: int, **given: Any) -> str:
    """Columns that must be named, and names with which the tags are read."""
    text = "".join(f"{row}\n" for row in rows)
    names = [text_file(text, f"{name}.txt") for name in "gabc"[:n]]

    def goes_on(way: tuple[str, ...]) -> None:
        options = dict(given)
        if {*way[::2]} == {"--system"} and n == 4:
            options.pop("system")
        for option, value in zip(way[::2], way[1::2], strict=True):
            name = option[2:].replace("-", "_")
            options[name] = (*options.get(name, ()), value) if name == "system" else value
        assert isinstance(reading.read(Request(tuple(names), **options), ()), ResponseData)

    return told(lambda: reading.read(Request(tuple(names), **given), ()), goes_on)


def documents(text: str, lines: str) -> list[str] | None:
    path, file = text_file(text, "x.conll"), text_file(lines, "d.txt")
    return read_tags((path, "g") if "g" in text else path, documents=file).documents


def differ(one: str, other: str, **options: Any) -> Any:
    gold, a = text_file(one, "x.conll"), text_file(other, "y.conll")
    return read_tags(gold, gold, a, **options)


# ---- scores in memory, options -------------------------------------------------------------------
NEW = {"q1": 0.5, "q2": 0.75}
in_memory, comparisons, ones = of_scores, of_comparisons, np.ones


def of(system: str, *, base: str = "base") -> csig.Comparison:
    return csig.Comparison.from_scores(NEW, {"q1": 0.25, "q2": 0.5}, names=(system, base))


def read(files: Sequence[Any] = DIGITS, **options: Any) -> Any:
    return csig.read(*files, **options)


def asked(names: str, **options: Any) -> Any:
    text_file("id,a,b\n1,0.5,1\n2,1,0\n", "table")
    return forms.read(Request(tuple(names.split()), **options))


# ---- other forms ---------------------------------------------------------------------------------
MATRIX = ["1,a,t,0.5", "1,b,t,0.5", "2,a,t,0.5", "2,b,t,0.25"]
HEAD, ITEMS = "replicate,system,test_set,score", "run,system,item,score"


def cells(header: str, rows: Sequence[str], **roles: str) -> Any:
    return read_cells(text_file("\n".join([header, *rows]) + "\n"), **roles)


ONE = json.dumps({"doc_id": 0, "acc": 1})
ODD = json.dumps({"doc_id": 0, "doc_hash": "h0", "acc": 1.0, "bleu": ["x", "y"], "bypass": None,
                  "metrics": ["acc", "bleu", "bypass"]})  # fmt: skip
HASHED = [json.dumps({"doc_id": i, "doc_hash": f"h{i}", "acc": 1.0}) for i in range(2)]


def samples(a: str, b: str, **options: Any) -> Any:
    return read_samples([text_file(a, "a.jsonl"), text_file(b, "b.jsonl")], **options)


CELLS = [{"id": "q1", "a": "0.5"}, {"id": "q2", "a": "1"}]
FORMS = {
    "CSV": "id,a\nq1,0.5\nq2,1\n", "JSON": json.dumps(CELLS),
    "Markdown table": "| id | a |\n|:--|-:|\n| q1 | 0.5 |\n| q2 | 1 |\n",
}  # fmt: skip


def other_form(form: str, **options: Any) -> Any:
    path = text_file(FORMS.get(form, ""), "t.txt")
    if form == "Parquet":
        pandas.DataFrame(CELLS).to_parquet(path)
    return read_sheet(path, Dialect(**options))


@pytest.mark.parametrize(("expression", "text"), expected(PRINTED))
def test_what_is_refused(expression: str, text: str) -> None:
    assert printed(expression, globals()) == text


if __name__ == "__main__":
    rewrite(PRINTED, globals(), folder=True)
