"""From the tags of tokens to entities: what a tag is, and the rules.

The tags of all sentences are laid out in one array with an O before each sentence and one
at the end, so that no entity reaches into the next sentence. Three questions are asked of
every pair of neighbouring tags, from a small table: does an entity *go on* here, may one
*start* here, may the one before *end* here? docs/tags.md has the tables in words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from csig.errors import InputError
from csig.wording import perhaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Rules", "Tags", "chunks", "entities", "find_rules", "is_tag"]

_TAG = re.compile(r"[O_]|([BIESLUM])(?:-(.+))?", re.DOTALL)
_KINDS = "OBIES"
#: The letters of BILOU, and of BMES.
_KIND = {"L": "E", "U": "S", "M": "I"}

_LETTERS = {
    "IOB1": "BI", "IOB2": "BI", "BIO": "BI", "IOE1": "IE", "IOE2": "IE",
    "IOBES": "BIES", "BIOES": "BIES", "BILOU": "BILU",
}  # fmt: skip
_SAME_AS = {"BIO": "IOB2", "BIOES": "IOBES", "BILOU": "IOBES"}

# "IB>O I>I!" reads: from I or B to O, and from I to I if the labels differ; "=": are equal.
_PATTERNS = {
    # goes on, starts, ends
    "conlleval": ("BI>IE=", "OBIES>BIES", "OBIES>OBIES"),
    "IOB1": ("BI>I=", "O>I I>I! B>I I>B= B>B=", "I>I! I>O I>B B>O B>I! B>B="),
    "IOB2": ("BI>I=", "OBI>B", "BI>O BI>I! BI>B"),
    "IOE1": ("I>IE=", "O>I I>I! E>I E>E=", "I>I! I>O I>E! E>I= E>E="),
    "IOE2": ("I>IE=", "OE>IE I>IE!", "E>OIE"),
    "IOBES": ("BI>IE=", "OBIES>BS", "ES>OBIES"),
}


def _table(patterns: str) -> NDArray[np.bool_]:
    """Whether a pair of tags fits: by (kind before, kind, labels are equal), made flat."""
    table = np.zeros((len(_KINDS), len(_KINDS), 2), dtype=bool)
    for pattern in patterns.split():
        before, after = pattern.rstrip("=!").split(">")
        labels = {"=": [1], "!": [0]}.get(pattern[-1], [0, 1])
        for first in before:
            for second in after:
                table[_KINDS.index(first), _KINDS.index(second), labels] = True
    return table.ravel()


@dataclass(frozen=True)
class Rules:
    """How tags are read: the letters beside O, and whether a pair of tags fits a question."""

    letters: str
    goes_on: NDArray[np.bool_]
    starts: NDArray[np.bool_]
    ends: NDArray[np.bool_]


def find_rules(rules: str = "conlleval", scheme: str | None = None) -> Rules:
    """The rules by their name, for a scheme; the strict ones need one."""
    if rules not in ("conlleval", "strict"):
        hint = perhaps(rules, ("conlleval", "strict"))
        raise InputError(f"rules: found {rules!r}{hint}, expected 'conlleval' or 'strict'")
    if scheme is not None and scheme not in _LETTERS:
        raise InputError(
            f"scheme: found {scheme!r}{perhaps(scheme, _LETTERS)}, expected one of "
            f"{', '.join(_LETTERS)}"
        )
    if rules == "strict" and scheme is None:
        raise InputError(
            f"scheme: the strict rules need the name of one, expected {', '.join(_LETTERS)}"
        )
    letters = "BIESLUM" if scheme is None else _LETTERS[scheme]
    name = rules if rules == "conlleval" else _SAME_AS.get(str(scheme), str(scheme))
    return Rules(letters, *map(_table, _PATTERNS[name]))


def is_tag(text: str) -> bool:
    """Whether this is O or _, or a letter of a scheme with or without a label.

    >>> is_tag("B-PER"), is_tag("NNP")
    (True, False)
    """
    return _TAG.fullmatch(text) is not None


class Tags:
    """The different tags of some files, by number; 0 is O. Each is parsed once."""

    def __init__(self, rules: Rules | None) -> None:
        self.letters = "" if rules is None else rules.letters
        self.plain = rules is None
        self.numbers: dict[str, int] = {}
        self.kinds: list[int] = [] if self.plain else [0]
        self.labels: list[str] = [] if self.plain else [""]

    def number(self, text: str) -> int | None:
        """The number of a tag, None if it is none."""
        number = self.numbers.get(text)
        if number is None:
            kind, label = "O", text
            if not self.plain and text in ("O", "_"):
                self.numbers[text] = 0
                return 0
            if not self.plain:
                match = _TAG.fullmatch(text)
                if match is None or match[1] not in self.letters:
                    return None
                kind, label = _KIND.get(match[1], match[1]), match[2] or ""
            number = self.numbers[text] = len(self.kinds)
            self.kinds.append(_KINDS.index(kind))
            self.labels.append(label)
        return number

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Whether a tag, by its number, is one of a later token: I or E."""
        return np.isin(self.kinds, [_KINDS.index("I"), _KINDS.index("E")])

    @property
    def expected(self) -> str:
        """What a tag is, for a message."""
        return (
            f"expected O, or one of {', '.join(self.letters)} with or without a label, as in "
            f"{self.letters[0]}-PER"
        )


def chunks(
    numbers: NDArray[np.int32], tags: Tags, rules: Rules
) -> tuple[NDArray[np.intp], NDArray[np.intp], list[str]]:
    """Where entities begin and end, and their labels, by the numbers of tags with O's between."""
    names = list(dict.fromkeys(tags.labels))
    number_of = {name: number for number, name in enumerate(names)}
    label_of = np.array([number_of[name] for name in tags.labels], dtype=np.int32)
    kind_of = np.array(tags.kinds, dtype=np.uint8)
    # Between two O's, which most pairs are, nothing can happen.
    at = np.flatnonzero(numbers[1:] | numbers[:-1])
    before, after = numbers[at], numbers[at + 1]
    pairs = kind_of[before] * np.uint8(2 * len(_KINDS))
    pairs += kind_of[after] * np.uint8(2)
    pairs += label_of[before] == label_of[after]
    # Where nothing goes on, a stretch begins; it lasts until the next one. An entity is a
    # stretch from the first place where one may start, if it may end where the stretch does.
    begins = np.flatnonzero(~rules.goes_on[pairs])
    start = np.flatnonzero(rules.starts[pairs])
    stretch = np.searchsorted(begins, start, side="right")
    first = np.ones(len(start), dtype=bool)
    first[1:] = stretch[1:] != stretch[:-1]
    start, end = start[first], begins[stretch[first]]
    allowed = rules.ends[pairs[end]]
    start, end = start[allowed], end[allowed]
    labels = list(map(names.__getitem__, label_of[after[start]].tolist()))
    return at[start] + 1, at[end] + 1, labels  # a pair has the number of its first


def entities(
    tags: Sequence[str], *, rules: str = "conlleval", scheme: str | None = None
) -> list[tuple[int, int, str]]:
    """The entities in the tags of one sentence, as (start, end, label); `end` is exclusive.

    >>> entities(["B-PER", "I-PER", "O", "B-geo-loc", "B-geo-loc"])
    [(0, 2, 'PER'), (3, 4, 'geo-loc'), (4, 5, 'geo-loc')]
    >>> entities(["I-PER", "B-PER", "I-PER"], rules="strict", scheme="IOB2")
    [(1, 3, 'PER')]
    """
    chosen = find_rules(rules, scheme)
    known = Tags(chosen)
    numbers = np.zeros(len(tags) + 2, dtype=np.int32)
    for index, tag in enumerate(tags):
        number = known.number(tag)
        if number is None:
            raise InputError(f"tags[{index}]: found {tag!r}, {known.expected}")
        numbers[index + 1] = number
    start, end, labels = chunks(numbers, known, chosen)
    return list(zip((start - 1).tolist(), (end - 1).tolist(), labels, strict=True))
