"""Boards of systems: Borda scores and win rates, systems with other units, cards and records."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from commands import refused, run
from hypothesis import given
from hypothesis import strategies as st

import csig
from csig.report.records import record_digest
from csig.systems.cards import runs


def borda(board: list[list[int]], lower: bool) -> list[Fraction]:
    """The mean number of systems that each beats, from its definition."""
    sign = -1 if lower else 1
    total = [Fraction(0)] * len(board[0])
    for row in board:
        for j, own in enumerate(row):
            for k, other in enumerate(row):
                if j != k:
                    total[j] += Fraction(1 + np.sign(sign * (own - other)).item(), 2)
    return [own / len(board) for own in total]


boards = st.integers(2, 4).flatmap(
    lambda systems: st.lists(
        st.lists(st.integers(0, 3), min_size=systems, max_size=systems), min_size=2, max_size=6
    )
)


@given(boards, st.booleans())
def test_borda_over_all_swaps_of_a_board(board: list[list[int]], lower: bool) -> None:
    names = [f"s{j}" for j in range(len(board[0]))]
    columns = dict(zip(names, map(list, zip(*board, strict=True)), strict=True))
    found = csig.compare_systems(columns, rank_by="borda", lower_is_better=lower)
    observed = borda(board, lower)
    assert found.scores == pytest.approx([float(own) for own in observed])
    for j, k in zip(*np.triu_indices(len(names), 1), strict=True):
        hits = 0
        for swapped in product((False, True), repeat=len(board)):
            rows = [list(row) for row in board]
            for row, swap in zip(rows, swapped, strict=True):
                if swap:
                    row[j], row[k] = row[k], row[j]
            trial = borda(rows, lower)
            hits += abs(trial[j] - trial[k]) >= abs(observed[j] - observed[k])
        assert found.pvalues[j, k] == hits / 2 ** len(board)
    rates = csig.compare_systems(columns, rank_by="win-rate", lower_is_better=lower)
    assert np.array_equal(rates.pvalues, found.pvalues)
    assert rates.ranks == found.ranks
    assert rates.scores == pytest.approx(np.array(found.scores) / (len(names) - 1))


def test_borda_of_two_systems_is_the_sign_test() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 50)).round(1)
    found = csig.compare_systems({"a": a, "b": b}, rank_by="borda")
    test = csig.classical.sign_test(csig.Comparison.from_scores(a, b))
    assert found.pvalues[0, 1] == pytest.approx(test.pvalue, rel=1e-12)


def test_borda_does_not_see_the_scale_of_an_item() -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(4, 30))
    names = ("a", "b", "c", "d")
    one = csig.compare_systems(dict(zip(names, scores, strict=True)), rank_by="borda")
    scaled = scores * rng.uniform(0.01, 100, size=30)
    other = csig.compare_systems(dict(zip(names, scaled, strict=True)), rank_by="borda")
    assert np.array_equal(one.pvalues, other.pvalues)


# ---- systems that lack units ---------------------------------------------------------------------


def with_gaps(seed: int, binary: bool) -> dict[str, dict[str, float]]:
    rng = np.random.default_rng(seed)
    found = {}
    for name, share in zip("abcd", (0.9, 0.8, 0.5, 0.45), strict=True):
        scores = rng.random(40) < share if binary else rng.normal(share, 0.2, 40).round(2)
        kept = np.flatnonzero(rng.random(40) < 0.8)
        found[name] = {f"q{i}": float(scores[i]) for i in kept}
    return found


@pytest.mark.parametrize("binary", [True, False])
def test_pairs_are_compared_on_the_units_that_both_have(binary: bool) -> None:
    data = with_gaps(5, binary)
    with pytest.warns(csig.DataWarning, match=r"different \w+: each pair is compared on those"):
        found = csig.compare_systems(data, allow_missing="pairwise")
    for j, k in zip(*np.triu_indices(4, 1), strict=True):
        one, other = "abcd"[j], "abcd"[k]
        both = sorted(data[one].keys() & data[other].keys())
        a, b = ([data[name][key] for key in both] for name in (one, other))
        alone = csig.randomization_test(a, b)
        assert found.pvalues[j, k] == pytest.approx(alone.pvalue, rel=1e-12)
        assert found.differences[j, k] == pytest.approx(np.mean(a) - np.mean(b), abs=1e-12)
    assert found.scores == pytest.approx([np.mean([*own.values()]) for own in data.values()])


def test_who_is_better_is_said_by_the_common_units() -> None:
    # a has the easy units alone: its mean is higher, but on the common ones b is better.
    easy, hard = [f"e{i}" for i in range(60)], [f"h{i}" for i in range(20)]
    a = dict.fromkeys(easy, 1) | dict.fromkeys(hard, 0)
    b = dict.fromkeys(hard, 1)
    with pytest.warns(csig.DataWarning):
        found = csig.compare_systems({"a": a, "b": b}, allow_missing="pairwise")
    (pair,) = found.pairs
    assert pair.better == "b"
    assert found.ranks == {"b": (1, 1), "a": (2, 2)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rank_by": "borda"}, "needs every system's score of every unit"),
        ({"correction": "flips"}, "needs all units of every system"),
    ],
)
def test_what_needs_all_units(options: dict[str, str], message: str) -> None:
    with pytest.raises(csig.InputError, match=message):
        csig.compare_systems(with_gaps(5, True), allow_missing="pairwise", **options)


def test_two_systems_without_a_common_unit() -> None:
    with pytest.raises(csig.InputError, match="a and c have no unit in common"):
        csig.compare_systems(
            {"a": {"x": 1, "y": 0}, "b": {"x": 1, "z": 0}, "c": {"z": 1}}, allow_missing="pairwise"
        )


def test_pairwise_is_for_many_systems() -> None:
    with pytest.raises(csig.InputError, match="is for csig systems"):
        csig.compare(with_gaps(5, True), allow_missing="pairwise")


# ---- records -------------------------------------------------------------------------------------

COUNTS = {
    "a": [[3, 4, 5], [2, 2, 4], [0, 1, 2], [4, 5, 5]],
    "b": [[2, 4, 5], [1, 3, 4], [1, 1, 2], [3, 5, 5]],
    "c": [[1, 4, 5], [0, 3, 4], [0, 2, 2], [3, 6, 5]],
}
SCORES = np.random.default_rng(4).normal(size=(3, 20)).round(2)
FEW = dict(zip("abc", SCORES, strict=True))


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (FEW, {}),
        (FEW, {"rank_by": "borda", "lower_is_better": True}),
        (FEW, {"rank_by": "win-rate", "baseline": "b"}),
        (FEW, {"cluster": [i // 4 for i in range(20)]}),
        (FEW, {"correction": "flips", "rng": 7, "n_resamples": 999}),
        ({name: own.astype(np.float32) / 3 for name, own in FEW.items()}, {}),
        (COUNTS, {"columns": ("tp", "predicted", "gold"), "metric": "f1"}),
        (COUNTS, {"columns": ("tp", "predicted", "gold"), "metric": "recall"}),
        (with_gaps(6, True), {"allow_missing": "pairwise"}),
    ],
)
@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_a_record_is_run_again(data: object, options: dict[str, object]) -> None:
    found = csig.compare_systems(data, **options)  # type: ignore[arg-type]
    record = json.loads(json.dumps(found.record))
    verified = csig.verify(record)
    assert verified.ok
    assert verified.compared > 20


def doctored(**changes: object) -> dict[str, object]:
    """A record with other fields, and the digest that goes with them."""
    record = json.loads(json.dumps(csig.compare_systems(FEW, rng=1).record))
    for path, value in changes.items():
        *above, last = path.split("__")
        place = record
        for step in above:
            place = place[int(step) if step.isdigit() else step]
        place[int(last) if last.isdigit() else last] = value
    record["sha256"] = record_digest(record)
    return record  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "changes",
    [
        {"systems__0__numbers__0": 9.0},
        {"options__rank_by": "borda"},
        {"metric__greater_is_better": False},
        {"result__pairs__0__pvalue": 1e-9},
        {"result__systems__0__rank_high": 1},
        {"result__possibly_best": ["c"]},
        {"result__extra": 1},
    ],
)
def test_a_record_that_was_changed_and_sealed_again(changes: dict[str, object]) -> None:
    verified = csig.verify(doctored(**changes))
    assert not verified.ok
    assert all(line.startswith("result") for line in verified.differences)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"systems__0__numbers": [1, 2]}, "as many units"),
        ({"systems__0__numbers__3": "x"}, "no table"),
        ({"systems__0__numbers__3": [1]}, "no table"),
        ({"systems__1__name": "a"}, "same name"),
        ({"systems__0__type": "object"}, "one of"),
        ({"clusters": [0]}, "one cluster each"),
        ({"options__n_resamples": 2**50}, "n_resamples"),
        ({"metric__numerator": None}, "differs from csig's own"),
        ({"schema_version": 2}, "knows only versions 1 to 1"),
        ({"extra": 1}, "unknown fields"),
    ],
)
def test_records_that_cannot_be_used(changes: dict[str, object], message: str) -> None:
    with pytest.raises(csig.InputError, match=message):
        csig.verify(doctored(**changes))


def test_a_record_that_was_changed() -> None:
    record = csig.compare_systems(FEW).record
    assert csig.verify({**record, "unit": "song"}).differences == (
        "sha256: the record was changed after it was written",
    )


# ---- the command ---------------------------------------------------------------------------------


def test_numbers_in_a_row() -> None:
    assert runs([1, 2, 3, 5, 7, 8]) == "1 to 3, 5, 7, 8"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [",".join(["id", *"abcd"])]
    data = with_gaps(8, True)
    for i in range(40):
        rows.append(",".join([f"q{i}", *(f"{own.get(f'q{i}', '')}" for own in data.values())]))
    (tmp_path / "t.csv").write_text("\n".join([*rows, "q40,,,,", ""]))
    return tmp_path


def test_a_card_and_a_record(table: Path) -> None:
    files = ("--card", "c.md", "--record", "r.json")
    said = run("systems", "t.csv", "--allow-missing", "pairwise", *files)
    assert "1 of 41 items is left out" in said
    head = "| Row | System | Accuracy, % | Interval, 95% | Ranks, 95% | Group | Better than |"
    assert head in (table / "c.md").read_text()
    record = json.loads((table / "r.json").read_text())
    assert [file["path"] for file in record["inputs"]] == ["t.csv"]
    run("verify", "r.json")
    run("verify", "r.json", "--inputs", "t.csv")
    assert run("verify", "r.json", "r.json").startswith("2 of 2 records verified.")
    (table / "t.csv").write_text("id,a,b\nq,1,0\n")
    run("verify", "r.json", "--inputs", "t.csv", status=1)
    assert "has all that is compared again" in refused("verify", "r.json", "--independent")


def test_a_card_as_a_page_and_as_a_picture(table: Path) -> None:
    pytest.importorskip("matplotlib")
    for name in ("c.html", "c.svg"):
        options = ("--allow-missing", "intersection", "--rank-by", "borda", "--card", name)
        run("systems", "t.csv", *options)
        assert "Borda score" in (table / name).read_text()
    assert "a card is .html, .md or .svg" in refused("systems", "t.csv", "--card", "c.txt")
