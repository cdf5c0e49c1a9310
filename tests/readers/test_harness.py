"""Samples of lm-evaluation-harness: tasks, metrics, filters, and documents that differ."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from written import text_file

from csig.errors import InputError
from csig.readers import looks_like_samples, read_samples


def samples(*rows: dict, name: str) -> str:
    return text_file("".join(json.dumps(row) + "\n" for row in rows), name)


def sample(doc: int, score: float, **more) -> dict:
    return {"doc_id": doc, "doc_hash": f"h{doc}", "acc": score, "target": "x", **more}


def test_samples_of_two_models_and_two_tasks():
    for model, flip in (("m1", 0), ("m2", 1)):
        for task in ("arc_easy", "boolq"):
            samples(
                sample(1, flip),
                sample(0, 1.0),
                name=f"{model}/samples_{task}_2024-05-01T10-00-0{flip}.123456.jsonl",
            )
    paths = sorted(str(path) for path in Path().glob("*/*.jsonl"))
    assert looks_like_samples(paths[0])
    table = read_samples(paths)
    assert (table.format, table.columns) == ("lm-eval", ("acc",))
    assert table.clusters == ["arc_easy", "arc_easy", "boolq", "boolq"]
    assert table.ids == [("arc_easy", 1), ("arc_easy", 0), ("boolq", 1), ("boolq", 0)]
    assert {name: scores.tolist() for name, scores in table.systems.items()} == {
        "m1": [0, 1, 0, 1],
        "m2": [1, 1, 1, 1],
    }
    assert list(read_samples(paths, systems=["m2", "m1"]).systems) == ["m2", "m1"]
    os.remove(paths[-1])
    with pytest.raises(InputError, match="m2 has no samples of 'boolq', which m1 has"):
        read_samples(paths[:-1])


def test_one_of_several_metrics_and_filters():
    rows = [
        sample(i, i, em=1 - i, filter=name, metrics=["acc", "em"])
        for name in ("strict", "flexible")
        for i in (0, 1)
    ]
    paths = [samples(*rows, name="a.jsonl"), samples(*rows, name="b.jsonl")]
    with pytest.raises(InputError, match="several metrics; there are 'acc', 'em'; choose with --m"):
        read_samples(paths)
    with pytest.raises(InputError, match="several filters; there are 'strict', 'flexible'; choo"):
        read_samples(paths, metric="em")
    with pytest.raises(InputError, match="no metric 'f1'; there are 'acc', 'em'"):
        read_samples(paths, metric="f1")
    assert read_samples(paths, metric="em", filter="strict").systems["b"].tolist() == [1, 0]


def test_documents_that_differ_under_the_same_id():
    one = samples(sample(0, 1), sample(1, 1), name="a.jsonl")
    two = samples(sample(0, 1), sample(1, 1, doc_hash="other"), name="b.jsonl")
    with pytest.raises(
        InputError, match=r"b.jsonl: 1 of 2 documents differ from those of a.jsonl.*: 1"
    ):
        read_samples([one, two])
    rows = [{"doc_id": 0, "acc": 1}, {"doc_id": 1, "acc": 0, "doc": {"q": "x"}}]
    paths = [samples(*rows, name="a.jsonl"), samples(*rows, name="b.jsonl")]
    assert "csig assumes that the documents agree" in read_samples(paths).notes[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "b.jsonl: found an empty file, expected samples"),
        ("{", "b.jsonl line 1: not JSON"),
        ('{"doc_id": 0, "acc": 1}\n[]\n', "b.jsonl line 2: expected a JSON object with 'doc_id'"),
        ('{"doc_id": null, "acc": 1}\n', "line 1: doc_id is None, expected a number or a string"),
        ('{"doc_id": 0, "acc": NaN}\n', "line 1: acc is nan, expected a finite number"),
        ('{"doc_id": 0, "acc": "1"}\n', "line 1: acc is '1', expected a finite number"),
        ('{"doc_id": 0, "em": 1}\n', "line 1: acc is None, expected a finite number"),
        ('{"doc_id": 1, "acc": 1}\n', "b lacks 1 id that a has: 0 and has 1 id that a lacks: 1"),
        (
            '{"doc_id": 0, "acc": 1}\n\n{"doc_id": 0, "acc": 1}\n',
            "found the doc_id 0 on line 1 and again on line 3, expected each only once; 1 repeated",
        ),
    ],
)
def test_mistakes_in_samples(text, expected):
    one = samples({"doc_id": 0, "acc": 1}, name="a.jsonl")
    with pytest.raises(InputError) as caught:
        read_samples([one, text_file(text, "b.jsonl")])
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_samples_that_do_not_fit_together():
    one = samples(sample(0, 1), name="a.jsonl")
    with pytest.raises(InputError, match="no system 'z'; there are 'a', 'b'"):
        read_samples([one, samples(sample(0, 1), name="b.jsonl")], systems=["a", "z"])
    paths = [samples(sample(0, 1), name=f"{m}/samples_t{x}.jsonl") for m in "ab" for x in ("", "")]
    with pytest.raises(InputError, match="a already has a file for task 't'"):
        read_samples(paths)


def test_what_is_no_sample():
    assert not looks_like_samples(text_file("id,a\n"))
    assert not looks_like_samples(text_file("{broken"))
    assert not looks_like_samples(text_file('{"id": 1}'))
    assert not looks_like_samples(text_file(""))
