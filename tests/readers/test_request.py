"""What can be asked for, by which form files are read, and what is doubtful of it."""

import itertools
import random
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest
from commands import run
from hypothesis import given
from hypothesis import strategies as st

import csig
from csig.base.errors import Refusal
from csig.cli.files import convert
from csig.data.comparison import Comparison
from csig.readers import read_table, read_tags
from csig.readers.forms import FORMATS, FORMS, form_of
from csig.readers.request import (
    CHOICES,
    OptionError,
    Request,
    gold_and_systems,
    names_of,
    role_cautions,
    same_files,
    shown,
)

TEXTS = {
    "tags": "Eve B-PER\nran O\n",
    "column": "gold\tx\ty\nB-PER\tO\tO\nO\tO\tB-PER\n",
    "label": "yes\nno\nyes\nno\n", "response": "fox\ncow\n", "table": "id,a,b\n1,0.5,1\n2,1,0\n",
    "whole": "1\n0\n1\n", "real": "1\n0.5\n1\n",
    "statistics": "response,gold,tp_x,predicted_x\nfox,1,1,1\n",
    "samples": '{"doc_id": 0, "acc": 1}\n',
    "spans": '{"document": "d", "start": 0, "end": 3, "label": "PER"}\n',
    "records": '[{"id": 1, "x": 0.5, "y": 1}]',
    "counts": "gold = 9\nonly_a_correct = 3\nonly_b_correct = 1\n",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _examples(_folder):
    for name, text in TEXTS.items():
        Path(name).write_text(text, encoding="utf-8")
    Path("folder").mkdir()


def asked_for(names: str, **options) -> Request:
    return Request(tuple(names.split()), **options)


def test_every_form_has_a_reader_and_options_that_exist():
    for form in FORMS.values():
        home, function = form.home.rsplit(".", 1)
        assert callable(getattr(import_module(f"csig.readers.{home}"), function))
        assert set(form.options) <= set(vars(Request()))
    for name in FORMATS:
        assert form_of(asked_for("table", format=name)) in FORMS
    offered = f"[auto|{'|'.join(FORMATS)}]"
    assert offered in run("compare", "--help-all").replace("\n", "").replace(" ", "")


@pytest.mark.parametrize(("names", "options", "expected"), [
    ("samples spans", {}, "lm-eval"), ("spans samples", {}, "spans"), ("spans", {}, "table"),
    ("records spans", {}, "table"), ("statistics", {}, "statistics"),
    ("statistics statistics", {}, "table"), ("tags tags tags", {}, "tags"),
    ("column", {"gold_column": "gold"}, "tags"), ("table", {"gold_column": "a"}, "table"),
    ("label label label", {}, "labels"), ("table table", {"format": "labels"}, "table"),
    ("label label", {"format": "labels"}, "labels"),
    ("real real real", {}, "table"), ("whole whole", {}, "table"),
    ("response response response", {}, "responses"),
    ("response response", {}, "table"),
    ("response response", {"documents": True}, "responses"),
    ("response response", {"scheme": "plain"}, "tags"),
    ("table table table", {"id": "x"}, "table"), ("", {"counts": "counts"}, "counts file"),
    ("", {"statistics": "table"}, "statistics"),
])  # fmt: skip
def test_the_form_of_files(names, options, expected):
    assert form_of(asked_for(names, **options)) == expected


def test_what_could_be_two_forms_is_refused():
    for names, message in (
        ("tags response tags", "tags has a tag at the end of every line, response has not"),
        ("whole whole whole", "each of 3 files has one whole number a line"),
    ):
        with pytest.raises(Refusal, match=message) as error:
            form_of(asked_for(names))
        for remedy in error.value.remedies:
            assert form_of(asked_for(names, format=remedy.options[1])) in FORMS


def test_requests():
    """They have what the command line asks for, take their options out of others, and say them."""
    asked = {own.name for own in convert.params if own.expose_value}
    others = {"output", "unit", "metrics", "lower_is_better", "strict"}
    assert (asked - others) | {"by"} == {own.name for own in fields(Request)}
    options = {"files": ("x",), "rules": "strict", "seed": 1}
    assert Request.taken(options) == Request(("x",), rules="strict")
    assert options == {"seed": 1}
    given = Request(header=False, gold_column="x", positive="p", id="i", decimal=".")
    assert given.given("header", "gold_column", "run") == ["--no-header", "--gold-column"]
    request = Request(("a b", "c"), system=("x", "y"), header=False, documents=True, id="i")
    assert request.words() == [
        "a b", "c", "--documents", "--system", "x", "--system", "y", "--id", "i", "--no-header",
    ]  # fmt: skip
    assert Request(("c",)).words() == ["c"]
    assert all(CHOICES[name] for name in ("unit", "match", "rules", "quoting", "decimal"))
    assert "all" not in CHOICES["allow_missing"]
    assert shown("a\udcff.csv") == "a\ufffd\ufffd\ufffd.csv"


@pytest.mark.parametrize("wrong", ["x", "=x", "x=", "x=1 x=2"])
def test_fields_that_name_nothing(wrong):
    with pytest.raises(OptionError, match="--field"):
        _ = Request(field=tuple(wrong.split())).fields


NAMES = st.lists(st.sampled_from(["a", "b", "a (2)", "a (3)", "c\ud800"]), min_size=1, max_size=6)


@given(NAMES)
def test_systems_have_different_names_that_can_be_written(systems):
    found = names_of(Request(), systems)
    assert len(found) == len({*found}) == len(systems)
    for name, own in zip(found, systems, strict=True):
        name.encode()
        assert own.startswith("c") or own in name


def test_names_that_were_given():
    assert names_of(Request(name_b="new"), ["x", "y"]) == ("x", "new")
    assert names_of(Request(name_a="y"), ["x", "y"]) == ("A (y)", "B (y)")
    with pytest.raises(OptionError, match="for two systems"):
        names_of(Request(name_a="y"), ["x", "y", "z"])


def test_files(tmp_path):
    with pytest.raises(OptionError, match="tags need a file for the gold"):
        gold_and_systems(Request(("gold.txt",)), "tags")
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("x")
    other.symlink_to(one)
    assert same_files([str(one), str(other)]) == [f"{one} and {other} are the same file."]
    assert same_files(["x", "y", "x"]) == ["x was given twice."]
    assert same_files(["x", "y"]) == same_files([str(one), "none"]) == []


OF_ROLES = ("I", "II")


def of_responses(*sides):
    return role_cautions(Comparison.from_responses(*sides, names=OF_ROLES))


def of_labels(*sides, **options):
    return role_cautions(Comparison.from_labels(*sides, names=OF_ROLES, **options))


def test_real_systems_raise_no_doubt(shared_data):
    wnut, conll = shared_data("wnut17_ner"), shared_data("conll03_ner_tags")
    names = ("gold.emerging.test.annotated.conll", "spinningbytes.conll", "uh_ritual.conll")
    for own in (
        read_tags(*(wnut / name for name in names)),
        read_tags(*((conll / "conll03_test_tags.tsv", own) for own in ("gold", "elmo", "flair"))),
    ):
        a, b = own.systems
        assert of_responses(own.gold, a, b) == of_responses(own.gold, b, a) == []
    # Models with questions of two answers agree where both are right or both are wrong.
    models = shared_data("cls_figqa_sst2_outputs")
    correct = read_table(models / "figqa_correct.csv", id="item", cluster="pair").systems
    figqa = {
        name: [str((i + int(x)) % 2) for i, x in enumerate(own)] for name, own in correct.items()
    }
    tables = [(figqa, [str((i + 1) % 2) for i in range(len(next(iter(figqa.values()))))])]
    for path in (
        models / "sst2_labels.csv", shared_data("mlxtend_cochran_q") / "predictions.csv",
    ):  # fmt: skip
        table = read_table(path)
        tables.append((table.systems, table.gold))
    for systems, gold in tables:
        for a, b in itertools.permutations(systems.values(), 2):
            for positive in (None, *set(gold)):
                assert of_labels(gold, a, b, positive=positive) == []


def test_real_gold_given_as_a_system(shared_data):
    """Systems whose errors are their own: in the wrong order the gold stands between them."""
    conll = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    gold = read_tags((conll, "gold"), (conll, "gold")).gold
    rng = random.Random(1)
    one, two = (
        [s._replace(label=s.label + "?") if rng.random() < share else s for s in gold]
        for share in (0.12, 0.1)
    )
    assert of_responses(gold, one, two) == []
    (said,) = of_responses(one, gold, two)
    assert said.startswith("Is I the gold? It agrees with the gold (F1 ")
    (said,) = of_responses(one, two, gold)
    right = len(set(gold))
    f1 = [f"{100 * len({*x} & {*y}) / right:.1f}%" for x, y in
          ((one, gold), (two, gold), (one, two))]  # fmt: skip
    alone = [len({*x} - {*y} - {*z}) + len(({*y} & {*z}) - {*x}) for x, y, z in
             ((one, two, gold), (two, one, gold), (gold, one, two))]  # fmt: skip
    assert said == (
        f"Is II the gold? It agrees with the gold (F1 {f1[0]}) and with I ({f1[1]}) far more than "
        f"these two with each other ({f1[2]}); the gold is alone against the other two in "
        f"{alone[0]:,} responses, I in {alone[1]:,}, II in only {alone[2]:,}."
    )


@pytest.mark.parametrize(
    ("own", "others", "other", "doubt"),
    [(10, 40, 40, True), (11, 40, 40, False), (5, 20, 20, True), (1, 19, 19, False),
     (5, 40, 19, False)],
)  # fmt: skip
def test_how_often_the_others_stand_alone(own, others, other, doubt):
    """Four times as often, and twenty times at least; of responses, and of labels."""
    places = "g" * others + "a" * own + "b" * other + "x" * 500
    responses = [{i for i, who in enumerate(places) if who in (name, "x")} for name in "gab"]
    assert bool(of_responses(*responses)) is doubt
    said = of_labels(*([("y" if who == name else "x") for who in places] for name in "gab"))
    assert bool(said) is doubt
    alone = f"in {others} items, II in {others}, I in only {own}."
    assert not doubt or said[0].endswith(f"the gold is alone against the other two {alone}")


NONE = "None of the responses of {} is in the gold. Is it the right file?"
EXACTLY = "The responses of I are exactly the gold: all are correct, none is missing. Is it a syste"
EMPTY = "{} has no responses. Is the file complete?"

NO_LABEL = "No label of I or II is that of the gold, on 3 items: is it the right gold, written in t"


@pytest.mark.parametrize(("sides", "doubts"), [
    ((["x"], ["1", "2"], ["1"]), [NONE.format("I"), NONE.format("II")]),
    ((["1"], ["1", "2"], ["x"]), [NONE.format("II")]),
    (([], ["1"], ["2"]), ["The gold is empty: no response can be correct."]),
    ((["1"], ["1", "2"], []), [EMPTY.format("II")]),
    ((["1", "2"], ["1", "2"], ["1"]), [EXACTLY]),
    ((list("xyz"), list("XYZ"), list("XYY")), [NO_LABEL]),
    ((list("xyz"), list("XYZ"), list("xYY")), []),
])  # fmt: skip
def test_nothing_in_common_or_everything(sides, doubts):
    said = (of_labels if len(sides[0]) == 3 else of_responses)(*sides)
    assert len(said) == len(doubts)
    assert all(own.startswith(doubt) for own, doubt in zip(said, doubts, strict=True))


def test_nothing_is_known_of_scores_and_counts():
    for rows, columns in (([[0, 2, 3], [0, 1, 4]], ("tp", "predicted", "gold")),
                          ([[0, 9], [0, 4]], ("correct", "items")),
                          ([[3, 1, 0, 0], [0, 0, 1, 1]], ("tp", "fp", "fn", "tn"))):  # fmt: skip
        assert role_cautions(Comparison.from_statistics(rows, rows, columns)) == []
    assert role_cautions(csig.Comparison.from_scores([0, 0, 1], [1, 0, 0])) == []
