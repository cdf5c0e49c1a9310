"""A gate that is looked at every night: evidence that may be stopped at any time.

A ledger keeps, for a grid of stakes L, the product over all items of all nights of

    1 + L (d + M)    against "the system is worse by the margin M or more",
    1 - L d          against "the system is not worse",

d being the difference of an item, from -1 to 1. Where the items are drawn afresh each factor has an
expectation of at most 1 given the past. Where the items stay and answers are drawn, a night's
product has: the factors of its items are independent, and the product of their expectations is at
most the power of their mean. So the mean of the products over the grid is a test martingale: the
probability that it is ever 1/alpha is at most alpha (Ville 1939), however often somebody looks.
"""

from __future__ import annotations

import base64
import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from csig.base import wording
from csig.base.disk import BUSY, lock, sync_folder
from csig.base.errors import InputError
from csig.base.shown import ShownRows
from csig.base.validation import between
from csig.data.comparison import Comparison
from csig.data.digests import data_digest
from csig.data.metrics import Metric
from csig.margins.testing import Unit
from csig.report.document import Document, plain, table
from csig.report.records import sha256, when_and_where
from csig.report.shown import document_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

Random = Literal["items", "answers"]

#: Stakes, as shares of the largest that loses no more than there is.
SHARES = tuple(0.01 * 95 ** (i / 11) for i in range(12))

#: Bytes that are kept of an item's digest: two of a billion items have the same once in 37 ledgers.
OF_ITEM = 8

SCHEMA = "csig.gate.nights"


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What a ledger is about: the same every night."""

    metric: str
    names: tuple[str, str]
    margin: float  #: In points.
    alpha: float
    random: Random  #: Whether each night has fresh items, or the same items sampled answers.
    greater_is_better: bool = True

    def __post_init__(self) -> None:
        if not 0 < self.margin < 100:
            raise InputError(
                f"margin: a ledger's lies between 0 and 100 points, found {self.margin:g}"
            )


class Night(NamedTuple):
    """What a ledger keeps of the data of a night."""

    date: str
    digest: str  #: Of the data and the ids.
    items: str  #: The first bytes of the digest of every id, in their order, in base 64.

    @property
    def digests(self) -> NDArray[np.uint64]:
        """A number for every item."""
        return np.frombuffer(base64.b64decode(self.items, validate=True), ">u8")


@dataclass(frozen=True, kw_only=True, repr=False)
class Nights(ShownRows, report="csig.margins.nights"):
    """The evidence after some nights."""

    terms: Terms
    nights: int = 0  #: Since the last reset.
    n_items: int = 0
    total: float = 0.0  #: Of all differences.
    #: Logarithms of the products, a stake each.
    passing: tuple[float, ...] = (0.0,) * len(SHARES)
    failing: tuple[float, ...] = (0.0,) * len(SHARES)
    largest: tuple[float, float] = (1.0, 1.0)  #: The most evidence so far, to pass and to fail.
    resets: int = 0
    seen: tuple[Night, ...] = field(default=(), repr=False)  #: All nights, before resets as well.

    @property
    def verdict(self) -> str:
        """That of the gate; evidence that was there once counts."""
        enough = 1 / self.terms.alpha
        if self.largest[0] >= enough:
            return "PASS"
        return "FAIL" if self.largest[1] >= enough else "INCONCLUSIVE"

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        a, b = map(wording.clean, self.terms.names)
        margin = Unit("points", True).margin(self.terms.margin)
        said = {
            "PASS": f"{a} is not worse than {b} by more than {margin}",
            "FAIL": f"{a} is worse than {b}",
            "INCONCLUSIVE": "neither is shown yet",
        }[self.verdict]
        if self.verdict == "PASS" and self.largest[1] >= 1 / self.terms.alpha:
            said += "; it is worse, by less than that"
        nights = wording.counted(self.nights, "night")
        return f"{self.verdict}: {said}, after {nights} with {self.n_items:,} items."

    def after(self, comparison: Comparison, metric: Metric) -> Nights:
        """With one more night."""
        values, night = _of_night(comparison, metric)
        repeated = night.digest in (own.digest for own in self.seen)
        if repeated and self.terms.random == "items":
            raise InputError(
                "this night's data are in the ledger already: nothing new was drawn; its verdict "
                f"is {self.verdict}"
            )
        self._check_items(night)
        passing, failing = products(values[None], self.terms.margin / 100)
        if repeated:  # nothing new may have been drawn; left out, rare answers alone would count
            passing, failing = np.minimum(passing, 0), np.minimum(failing, 0)
        found = replace(
            self, nights=self.nights + 1, n_items=self.n_items + len(values),
            total=self.total + float(values.sum()),
            passing=tuple(np.add(self.passing, passing[0]).tolist()),
            failing=tuple(np.add(self.failing, failing[0]).tolist()),
            seen=(*self.seen, night),
        )  # fmt: skip
        now = evidence(np.array(found.passing)), evidence(np.array(found.failing))
        first, second = (max(two) for two in zip(found.largest, now, strict=True))
        return replace(found, largest=(first, second))

    def _check_items(self, night: Night) -> None:
        """Refuse items that were there before, or that were not."""
        now, number = night.digests, len(self.seen) + 1
        if self.terms.random == "answers":
            first = self.seen[0].digests if self.seen else now
            lacking, others = np.setdiff1d(first, now).size, np.setdiff1d(now, first).size
            if lacking or others:
                raise InputError(
                    f"--random answers: night {number} lacks {lacking:,} of the {first.size:,} "
                    f"items of night 1 ({self.seen[0].date}) and has {others:,} others"
                )
            return
        common = [np.intersect1d(now, own.digests, assume_unique=True).size for own in self.seen]
        if any(common):
            most = int(np.argmax(common))
            more = sum(own > 0 for own in common) - 1
            raise InputError(
                f"{common[most]:,} of the {now.size:,} items of night {number} were in night "
                f"{most + 1} ({self.seen[most].date}) already"
                + f", some in {wording.counted(more, 'other night')}"
                * (more > 0)
                + "; --random items is for fresh ones each night, --random answers for the same "
                "items with sampled answers"
            )

    def reset(self) -> Nights:
        """Begin again; what was seen stays known, and every reset may err once more."""
        return Nights(terms=self.terms, resets=self.resets + 1, seen=self.seen)


def products(values: Any, margin: float) -> tuple[Any, Any]:
    """The logarithms of a night's products: of rows of differences, a column a stake."""
    stakes = np.array(SHARES)
    up = np.log1p(stakes / (1 - margin) * (values[..., None] + margin)).sum(axis=-2)
    down = np.log1p(-stakes * values[..., None]).sum(axis=-2)
    return up, down


def evidence(logs: Any) -> float:
    """The mean of the products."""
    top = float(logs.max())
    return math.exp(min(700.0, top + math.log(float(np.exp(logs - top).mean()))))


def _of_night(comparison: Comparison, metric: Metric) -> tuple[Any, Night]:
    """The differences of the items, better above 0, and what the ledger keeps of them."""
    if comparison.columns not in (("score", "n"), ("correct", "items")) or metric.name not in (
        "mean", "accuracy",
    ):  # fmt: skip
        raise InputError("--ledger: expected scores of items from 0 to 1, or right and wrong ones")
    if len(comparison.levels) > 1 or comparison.runs is not None:
        raise InputError("--ledger: items in clusters, or several runs, are not independent")
    rows, ids, _ = comparison.labelled_rows()
    if ids is None:
        raise InputError("--ledger: items have ids, by which they are known; name them with --id")
    scale = float(comparison.scale[0])
    a, b = (own[:, 0] * scale for own in rows)
    if min(a.min(initial=0), b.min(initial=0)) < 0 or max(a.max(initial=0), b.max(initial=0)) > 1:
        raise InputError("--ledger: scores have to lie from 0 to 1, or the evidence has no bound")
    values = (a - b) * (1 if metric.greater_is_better else -1)
    own = b"".join(sorted(bytes.fromhex(sha256(str(key))[: 2 * OF_ITEM]) for key in ids))
    items = base64.b64encode(own).decode()
    date = str(when_and_where()["date"])
    return values, Night(date, sha256(f"{data_digest(comparison)} {items}"), items)


def tonight(
    comparison: Comparison,
    metric: Metric,
    margin: float,
    *,
    ledger: str,
    random: Random,
    alpha: float = 0.05,
    reset: bool = False,
) -> Nights:
    """The evidence with this night, which is in the ledger then."""
    between("alpha", alpha, 0, 0.5)
    terms = Terms(
        metric=metric.name, names=comparison.names, margin=margin, alpha=alpha, random=random,
        greater_is_better=metric.greater_is_better,
    )  # fmt: skip
    state, size = read_ledger(ledger, terms)
    events = {"reset": state.reset()} if reset else {}
    found = events.get("reset", state).after(comparison, metric)
    append(ledger, events | {"night": found}, size)
    return found


def read_ledger(path: str, terms: Terms) -> tuple[Nights, int]:
    """The last state of a ledger, and its size; a new one where there is nothing."""
    if not os.path.exists(path):
        return Nights(terms=terms), 0
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise InputError(f"{path}: the ledger cannot be read ({error.strerror})") from None
    found = Nights(terms=terms)
    *lines, torn = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        try:
            found = _after_line(found, line)
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InputError(
                f"{path} line {number}: not what csig gate wrote there, or a line before it is gone"
            ) from None
    if torn:
        raise InputError(
            f"{path} line {len(lines) + 1}: not complete, so that its night does not count; delete "
            "this line, and run the gate again"
        )
    if found.terms != terms:
        differing = [
            f"{_OPTIONS.get(name, name)} ({_shown(own)})"
            for name, own in vars(found.terms).items() if own != vars(terms)[name]
        ]  # fmt: skip
        raise InputError(
            f"{path}: this ledger has another {wording.listed(differing)}; begin a new one"
        )
    return found, len(data)


def _after_line(before: Nights, line: bytes) -> Nights:
    """The state that a line has; an error where it does not follow from the one before."""
    kept = json.loads(line)
    if (kept["schema"], kept["schema_version"]) != (SCHEMA, 1):
        raise ValueError
    state: dict[str, Any] = dict(kept["state"])
    state["terms"] = Terms(**state["terms"] | {"names": tuple(state["terms"]["names"])})
    lists = {name: tuple(own) for name, own in state.items() if isinstance(own, list)}
    reset = kept["event"] == "reset"
    night = () if reset else (Night(**kept["night"]),)
    found = Nights(**(state | lists), seen=before.seen + night)
    if before.seen and found.terms != before.terms:
        raise ValueError
    if reset:
        follows = found == replace(before, terms=found.terms).reset()
    else:
        follows = _is_next(before, found, sum(len(own.digests) for own in night))
    if not follows or kept["verdict"] != found.verdict:
        raise ValueError
    return found


def _is_next(before: Nights, found: Nights, n: int) -> bool:
    """Whether a night of n items can leave this, the products rising no more than they can."""
    counts = before.nights + 1, before.n_items + n, before.resets
    if (found.nights, found.n_items, found.resets) != counts:
        return False
    up, down = products(np.array([[-1.0], [1.0]]), found.terms.margin / 100)
    now, then = ([own.passing, own.failing, [own.total] * len(SHARES)] for own in (found, before))
    least, most = (np.array([up[i], down[1 - i], [d] * len(SHARES)]) for i, d in ((0, -1), (1, 1)))
    rises, rounded = np.subtract(now, then), 1e-9 * (n + 1)
    own = map(evidence, map(np.array, (found.passing, found.failing)))
    largest = [*map(max, before.largest, own)]
    return bool(
        ((n * least - rounded <= rises) & (rises <= n * most + rounded)).all()
        and np.allclose(found.largest, largest, rtol=1e-9)
    )


#: What terms are called in options.
_OPTIONS = {
    "names": "pair of systems", "random": "--random", "greater_is_better": "--lower-is-better",
}  # fmt: skip


def _shown(term: object) -> str:
    if isinstance(term, bool):  # of what is better
        return "no" if term else "yes"
    return ", ".join(map(wording.clean, term)) if isinstance(term, tuple) else str(term)


def append(path: str, states: Mapping[str, Nights], size: int) -> None:
    """A line for each event, on the disk before anything is said, after those that were read."""
    lines = [
        {"schema": SCHEMA, "schema_version": 1, "event": event, "verdict": state.verdict,
         **when_and_where(), "state": record_of(state)}
        | ({"night": state.seen[-1]._asdict()} if event == "night" else {})
        for event, state in states.items()
    ]  # fmt: skip
    left = memoryview("".join(json.dumps(line, sort_keys=True) + "\n" for line in lines).encode())
    meanwhile = InputError(f"{path}: the ledger was written meanwhile; run the gate again")
    try:
        with open(path, "ab", buffering=0) as file:
            try:
                lock(file.fileno())
            except OSError as error:
                if error.errno in BUSY:
                    raise meanwhile from None  # elsewhere there are file systems without locks
            if os.fstat(file.fileno()).st_size != size:
                raise meanwhile
            try:
                while left:
                    left = left[file.write(left) :]
                os.fsync(file.fileno())
            except BaseException:  # a full disk, or Ctrl-C: half a line is none
                os.ftruncate(file.fileno(), size)
                raise
        sync_folder(os.path.dirname(path))
    except OSError as error:
        raise InputError(f"{path}: the ledger cannot be written ({error.strerror})") from None


def record_of(found: Nights) -> dict[str, Any]:
    """The evidence, without the items."""
    return {name: plain(own) for name, own in asdict(found).items() if name != "seen"}


def document_of_nights(
    found: Nights, notes: Sequence[str] = (), doubts: Sequence[str] = ()
) -> Document:
    """What the ledger says now."""
    terms = found.terms
    mean = f"{100 * found.total / found.n_items:+.2f}" if found.n_items else "-"
    what = {
        "items": "The items are fresh every night: the claim is about the items they come from.",
        "answers": "The items stay and the answers are sampled: the claim is about these items, "
        "and about the answers of a system that are not sampled again.",
    }[terms.random]
    what += " It is about systems that stay as they are: begin again with --reset after a change."
    times = f" with {wording.counted(found.resets, 'reset')}" if found.resets else ""
    level = f"{100 * min(1.0, terms.alpha * (1 + found.resets)):.3g}%"
    risk = f"The ledger{times} errs in at most {level} of cases, whenever one stops."
    if found.seen and found.seen[-1].digest in (own.digest for own in found.seen[:-1]):
        doubts = [
            "This night's data were in the ledger already: they can only lower the evidence.",
            *doubts,
        ]
    if found.verdict == "PASS" and found.total < -terms.margin / 100 * found.n_items:
        doubts = [
            "The difference so far is below the margin, though the evidence was there before: a "
            "system may have changed.",
            *doubts,
        ]
    passing, failing = (
        f"{now:.3g}" if now >= most else f"{now:.3g} (was {most:.3g})"
        for now, most in zip(
            (evidence(np.array(own)) for own in (found.passing, found.failing)),
            found.largest, strict=True,
        )
    )  # fmt: skip
    rows = [
        ("Difference so far", mean),
        ("Margin", Unit("points", True).margin(terms.margin)),
        ("Evidence to pass", passing),
        ("Evidence that it is worse", failing),
        ("Needed", f"{1 / terms.alpha:.3g}"),
    ]
    flat: Mapping[str, Any] = {"verdict": found.verdict, "nights": found.nights,
                               "n_items": found.n_items, "resets": found.resets}  # fmt: skip
    return Document(
        title="Gate, night by night", verdict=[found.sentence], doubts=doubts,
        tables=[table("nights", "n#", ("", ""), rows)], notes=[what, risk, *notes],
        rows=[flat],
        record=lambda: {"schema": SCHEMA, "schema_version": 1, "verdict": found.verdict,
                        "state": record_of(found)},
    )  # fmt: skip


@document_of.register
def _(found: Nights) -> Document:
    return document_of_nights(found)
