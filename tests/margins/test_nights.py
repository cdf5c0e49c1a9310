"""Gates that are looked at every night: the evidence, the ledger, and how often it errs."""

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from children import needs_posix, python
from commands import refused, run, words, write
from simulated import simulation

from csig.base.disk import lock
from csig.base.errors import InputError
from csig.margins.nights import SHARES, Nights, Terms, append, evidence, products, read_ledger

margins = simulation("margins")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def night(name: str, first: int, n: int = 100, lost: int = 3) -> str:
    """A night with fresh items, of which some are lost and as many are gained."""
    rows = (f"q{first + i},{i < lost or i >= 2 * lost:d},{i >= lost:d}" for i in range(n))
    return write(name, "id,base,new", *rows)


def test_evidence_is_the_mean_of_products_over_all_items():
    values = np.array([1.0, -1.0, 0.0, 0.0, 1.0])
    up, down = products(values, 0.1)
    expected = [0.0, 0.0]
    for share in SHARES:
        stake = share / 0.9
        expected[0] += math.prod(1 + stake * (d + 0.1) for d in values) / len(SHARES)
        expected[1] += math.prod(1 - share * d for d in values) / len(SHARES)
    assert (evidence(up), evidence(down)) == pytest.approx(expected)
    assert evidence(up + down * 0 + 400) == pytest.approx(expected[0] * math.exp(400))


@pytest.mark.parametrize("kinds", [[(0.1, 0.4)], [(0.0, 0.4), (0.2, 0.4)], [(0.5, 0.5), (0, 0.6)]])
def test_no_night_is_expected_to_raise_evidence_that_the_null_hypothesis_denies(kinds):
    """Exactly, in fractions: for items that differ in how likely they are, as their product is."""
    rates = [tuple(Fraction(own).limit_denominator(100) for own in kind) for kind in kinds]
    mean = sum(a - b for a, b in rates) / len(rates)
    for share in map(Fraction, (0.01, 0.3, 0.95)):
        margin = -mean
        stake = share / (1 - margin)
        up = math.prod(
            a * (1 + stake * (1 + margin)) + b * (1 + stake * (margin - 1))
            + (1 - a - b) * (1 + stake * margin)
            for a, b in rates
        )  # fmt: skip
        assert up <= 1
        down = math.prod(b * (1 - share) + a * (1 + share) + 1 - a - b for a, b in rates)
        assert down <= 1  # b in favour and a against: not worse on the whole, mirrored


def test_a_ledger_adds_nights_up_until_it_knows():
    verdicts = []
    for i in range(8):
        night("tonight.csv", 1000 * i)
        asked = ("gate", "tonight.csv", "--margin", 3, "--ledger", "n.jsonl", "--random", "items")
        verdicts.append(run(*asked, status=None).partition(":")[0])
    assert verdicts[0] == "INCONCLUSIVE"
    assert verdicts[-1] == "PASS"
    assert verdicts == sorted(verdicts)
    lines = Path("n.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["state"]["nights"] for line in lines] == [*range(1, 9)]
    # It stays decided, and says what it has seen.
    night("tonight.csv", 9000, lost=20)
    found = words(*asked)
    assert "PASS: new is not worse than base by more than 3 points, after 9 nights" in found
    assert "errs in at most 5% of cases" in found


def test_a_worse_system_fails():
    for i in range(3):
        rows = (f"q{1000 * i + j},1,{j > 40:d}" for j in range(200))
        write("t.csv", "id,base,new", *rows)
        asked = ("gate", "t.csv", "--margin", 1, "--ledger", "n.jsonl", "--random", "items")
        found = run(*asked, status=None)
    assert found.startswith("FAIL: new is worse than base")


def test_resets_are_recorded_and_cost():
    night("a.csv", 0)
    run("gate", "a.csv", "--margin", 3, "--ledger", "n", "--random", "items", status=3)
    night("b.csv", 1000)
    asked = ("gate", "b.csv", "--margin", 3, "--ledger", "n", "--random", "items", "--reset")
    found = words(*asked, status=3)
    assert "after 1 night with 100 items" in found
    assert "The ledger with 1 reset errs in at most 10%" in found
    events = [json.loads(line)["event"] for line in Path("n").read_text("utf-8").splitlines()]
    assert events == ["night", "reset", "night"]


def test_what_is_no_new_night_is_refused():
    night("a.csv", 0)
    items = ("--margin", 3, "--ledger", "n", "--random", "items")
    run("gate", "a.csv", *items, status=3)
    before = Path("n").read_bytes()
    assert "in the ledger already: nothing new was drawn" in refused("gate", "a.csv", *items)
    night("b.csv", 0, lost=5)
    assert "100 of the 100 items of night 2 were in night 1 (" in refused("gate", "b.csv", *items)
    night("c.csv", 500)
    other = ("gate", "c.csv", "--margin", 2, "--ledger", "n", "--random", "items")
    assert "this ledger has another margin" in refused(*other)
    rows = (f"x{i},{i * 7 % 11 + 20},{i * 5 % 13 + 20}" for i in range(20))
    write("low.csv", "id,base,new", *rows)
    assert "have to lie from 0 to 1" in refused(
        "gate", "low.csv", "--margin", 3, "--ledger", "m", "--random", "items"
    )
    assert "give --random items, or --random answers" in refused(
        "gate", "a.csv", "--margin", 3, "--ledger", "n"
    )
    assert Path("n").read_bytes() == before
    assert not Path("m").exists()
    assert "another margin (3.0)" in refused(*other)
    other = ("gate", "c.csv", "--margin", 100, "--ledger", "m", "--random", "items")
    assert "lies between 0 and 100 points, found 100" in refused(*other)
    assert "alpha must lie" in refused("gate", "a.csv", *items, "--alpha", 0.6)
    graded = ("--margin", 3, "--ledger", "g", "--random", "items")
    for name in "de":
        rows = (f"{name}{i},{i % 5 / 4},{i % 3 / 2}" for i in range(20))
        write(f"{name}.csv", "id,base,new", *rows)
    run("gate", "d.csv", *graded, status=3)
    turned = refused("gate", "e.csv", *graded, "--lower-is-better")
    assert "another --lower-is-better (no)" in turned
    (line,) = before.splitlines()
    wrong = {"passing": [0.0], "largest": [None, 1.0], "nights": "x", "resets": -1, "n_items": 99}
    for name, value in (wrong | {"failing": ["a"] * 12, "total": math.nan}).items():
        doctored = json.loads(line)
        doctored["state"][name] = value
        write("n", json.dumps(doctored))
        assert "n line 1: not what csig gate wrote" in refused("gate", "c.csv", *items)
    for data in (b"{}\n", b"\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n"):
        Path("n").write_bytes(data)
        assert "n line 1: not what csig gate wrote" in refused("gate", "c.csv", *items)
    Path("folder").mkdir()
    assert "folder: the ledger cannot be read" in refused(
        "gate", "c.csv", "--margin", 3, "--ledger", "folder", "--random", "items"
    )


def test_items_that_an_earlier_night_had_are_no_fresh_ones():
    items = ("--margin", 3, "--ledger", "n", "--random", "items")
    night("a.csv", 0)
    run("gate", "a.csv", *items, status=3)
    night("b.csv", 1000)
    run("gate", "b.csv", *items, "--reset", status=3)
    before = Path("n").read_bytes()
    date = json.loads(before.splitlines()[0])["night"]["date"]
    night("c.csv", 88)
    assert f"12 of the 100 items of night 3 were in night 1 ({date}) already; --random" in refused(
        "gate", "c.csv", *items
    )
    night("c.csv", 1060, n=941)
    night("d.csv", 950)
    assert "50 of the 100 items of night 3 were in night 2 (" in refused("gate", "d.csv", *items)
    rows = (f"q{own},1,1" for own in [*range(95, 100), *range(1000, 1007)])
    write("e.csv", "id,base,new", *rows)
    assert "7 of the 12 items of night 3 were in night 2 (" in (
        found := refused("gate", "e.csv", *items)
    )
    assert "already, some in 1 other night; --random items is for fresh ones" in found
    assert Path("n").read_bytes() == before
    night("f.csv", 1100)
    run("gate", "f.csv", *items, status=None)
    assert len(Path("n").read_bytes()) > len(before)


def test_a_ledger_grows_by_its_items_alone():
    """Eight bytes of every item in base 64, and less than 2 kB for a night."""
    items = ("--margin", 3, "--ledger", "n", "--random", "items")
    sizes = [0]
    for i in range(4):
        night("t.csv", 1000 * i)
        run("gate", "t.csv", *items, status=None)
        sizes.append(len(Path("n").read_bytes()))
    assert max(np.diff(sizes)) < 100 * 8 * 4 / 3 + 2000
    assert abs(np.diff(sizes, 2)[1:]).max() < 60


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_half_a_line_is_never_left(monkeypatch: pytest.MonkeyPatch, error: BaseException):
    terms = Terms(metric="mean", names=("new", "base"), margin=3, alpha=0.05, random="items")
    first = Nights(terms=terms).reset()
    append("n", {"reset": first}, 0)
    before = Path("n").read_bytes()

    def full(file: int) -> None:
        assert len(Path("n").read_bytes()) > len(before)
        raise error

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises((InputError, KeyboardInterrupt)):
        append("n", {"reset": first.reset()}, len(before))
    assert Path("n").read_bytes() == before
    assert read_ledger("n", terms) == (first, len(before))


def test_lines_that_are_gone_or_not_complete():
    items = ("--margin", 3, "--ledger", "n", "--random", "items")
    for i in range(3):
        night("t.csv", 1000 * i)
        run("gate", "t.csv", *items, status=None)
    lines = Path("n").read_bytes().splitlines(keepends=True)
    night("t.csv", 9000)
    Path("n").write_bytes(b"".join(lines)[:-9])
    found = refused("gate", "t.csv", *items)
    assert "n line 3: not complete, so that its night does not count; delete this line" in found
    Path("n").write_bytes(b"".join(lines[::2]))
    assert "n line 2: not what csig gate wrote there, or a line before it" in refused(
        "gate", "t.csv", *items
    )
    Path("n").write_bytes(b"")  # as mktemp makes it
    assert "after 1 night with" in run("gate", "t.csv", *items, status=3)


@pytest.mark.parametrize(("place", "value"), [
    (("verdict",), "PASS"), (("state", "largest"), [1e6, 1.0]), (("state", "largest"), [1.0, -1.0]),
    (("state", "passing"), [50.0] * 12), (("state", "failing"), [-500.0] * 12),
    (("state", "total"), 1e5),
])  # fmt: skip
def test_evidence_that_no_night_could_leave(place, value):
    items = ("--margin", 3, "--ledger", "n", "--random", "items")
    for i in range(2):
        night("t.csv", 1000 * i)
        run("gate", "t.csv", *items, status=3)
    first, last = Path("n").read_text(encoding="utf-8").splitlines()
    changed = json.loads(last)
    *folders, name = place
    where = changed[folders[0]] if folders else changed
    assert where[name] != value
    where[name] = value
    write("n", first, json.dumps(changed))
    night("t.csv", 9000)
    assert "n line 2: not what csig gate wrote there" in refused("gate", "t.csv", *items)


@needs_posix
def test_a_ledger_that_another_process_writes_now():
    terms = Terms(metric="mean", names=("new", "base"), margin=3, alpha=0.05, random="items")
    state = Nights(terms=terms).reset()
    append("n", {"reset": state}, 0)
    before = Path("n").read_bytes()
    code = (
        "from csig.base.errors import InputError\n"
        "from csig.margins.nights import Terms, append, read_ledger\n"
        "try:\n"
        f"    state, size = read_ledger('n', {terms})\n"
        "    append('n', {'reset': state.reset()}, size)\n"
        "except InputError as error:\n"
        "    print(error)\n"
    )
    with open("n", "ab") as file:
        lock(file.fileno())
        done = python(code)
    expected = "n: the ledger was written meanwhile; run the gate again\n"
    assert (done.stdout, done.stderr) == (expected, "")
    assert Path("n").read_bytes() == before
    state, size = read_ledger("n", terms)
    append("n", {"reset": state.reset()}, size)


def test_items_have_ids():
    write("bare.csv", "base,new", *(f"{i % 2},{i % 3 > 0:d}" for i in range(20)))
    for random in ("items", "answers"):
        assert "items have ids, by which they are known" in refused(
            "gate", "bare.csv", "--margin", 3, "--ledger", "n", "--random", random
        )


def test_a_ledger_is_for_one_metric_and_says_what_looks_wrong():
    write("b.csv", "id,right", *(f"q{i},{i % 2}" for i in range(40)))
    said = words("gate", "b.csv", "b.csv", "--margin", 3, "--ledger", "n", "--random", "items",
                 status=3)  # fmt: skip
    assert "b.csv was given twice" in said
    rows = (f"q{i},{s},{i % 5 / 5},{i % 7 / 7}" for i in range(9) for s in "ab")
    write("x.csv", "id,system,bleu,chrf", *rows)
    both = "--score-column", "bleu", "--score-column", "chrf"
    for ledger in ((), ("--ledger", "m", "--random", "items")):
        found = refused("gate", "x.csv", *both, "--margin", 3, *ledger)
        assert "a gate has one metric, found 2" in found
        assert "--metric 'mean bleu'" in found


def test_a_ledger_that_another_run_wrote_meanwhile_is_not_written(tmp_path: Path):
    terms = Terms(metric="mean", names=("new", "base"), margin=3, alpha=0.05, random="items")
    state, size = read_ledger("n", terms)
    state = state.reset()
    append("n", {"reset": state}, size)
    before = Path("n").read_bytes()
    with pytest.raises(InputError, match="was written meanwhile; run the gate again"):
        append("n", {"reset": state.reset()}, size)
    assert Path("n").read_bytes() == before
    assert read_ledger("n", terms) == (state, len(before))


def test_a_pass_that_later_nights_contradict_is_doubted():
    asked = ("gate", "t.csv", "--margin", 3, "--ledger", "n", "--random", "items")
    for i in range(8):
        night("t.csv", 1000 * i)
        run(*asked, status=None)
    write("t.csv", "id,base,new", *(f"q{9000 + i},1,{i > 60:d}" for i in range(200)))
    found = words(*asked)
    assert "PASS: new is not worse than base by more than 3 points; it is worse" in found
    assert "a system may have changed" in found
    assert "(was " in found
    assert "begin again with --reset after a change" in found


def test_answers_are_those_to_the_same_items():
    answers = ("--margin", 3, "--ledger", "n", "--random", "answers")
    night("a.csv", 0)
    run("gate", "a.csv", *answers, status=3)
    night("b.csv", 0, lost=5)
    run("gate", "b.csv", *answers, status=3)
    night("c.csv", 7)
    found = refused("gate", "c.csv", *answers)
    assert "night 3 lacks 7 of the 100 items of night 1 (" in found
    assert ") and has 7 others" in found


def test_answers_that_come_again_only_lower_the_evidence():
    """Were such nights left out, a system at the margin would pass in most years."""
    answers = ("--margin", 10, "--ledger", "n", "--random", "answers")
    rows = (f"q{i},1,{i >= 2:d}" for i in range(20))
    write("mean.csv", "id,base,new", *rows)
    rows = (f"q{i},1,{i >= 1:d}" for i in range(20))
    write("rare.csv", "id,base,new", *rows)
    states = []
    for name in ("mean.csv", "rare.csv", "rare.csv", "mean.csv"):
        said = words("gate", name, *answers, status=3)
        assert ("they can only lower the evidence" in said) == (len(states) > 1)
        states.append(json.loads(Path("n").read_text("utf-8").splitlines()[-1])["state"])
    first, second, third, last = (np.array(own["passing"]) for own in states)
    assert (first < 0).all()  # of a mean at the margin
    assert (second > first).any()
    assert (third <= second).all()
    assert last == pytest.approx(third + first)
    assert [own["nights"] for own in states] == [1, 2, 3, 4]


def test_a_year_of_looks_errs_no_more_often_than_it_may():
    kept = {row["items"]: row for row in json.loads(margins.RESULTS.read_text("utf-8"))["nights"]}
    se = math.sqrt(0.05 * 0.95 / margins.LEDGERS)
    for kind, word in (("alike", "passed"), ("some items always lost", "passed"),
                       ("equal systems", "failed")):  # fmt: skip
        assert kept[kind][word] <= 0.05 + 2 * se
    assert kept["equal systems"]["passed"] > 0.99
    again = margins.nights("alike", 2000, 120)
    assert again["passed"] <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 2000)
