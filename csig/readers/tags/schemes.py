"""From the tags of tokens to entities: what a tag is, and the rules.

The tags of all sentences are laid out in one array with an O before each sentence and one
at the end, so that no entity reaches into the next sentence. Three questions are asked of
every pair of neighbouring tags, from a small table: does an entity *go on* here, may one
*start* here, may the one before *end* here? docs/tags.md has the tables in words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from csig.base.defaults import PLAIN
from csig.base.errors import InputError
from csig.base.wording import perhaps

if TYPE_CHECKING:
    from numpy.typing import NDArray


_TAG = re.compile(r"[O_]|([BIESLUM])(?:-(.+))?", re.DOTALL)
#: The kinds of tags by their letters, those of BILOU and BMES, too.
_KINDS = {"O": 0, "B": 1, "I": 2, "M": 2, "E": 3, "L": 3, "S": 4, "U": 4}

#: Of every scheme the letters, and whose rules it has.
_SCHEMES = {
    "IOB1": ("BI", "IOB1"), "IOB2": ("BI", "IOB2"), "BIO": ("BI", "IOB2"),
    "IOE1": ("IE", "IOE1"), "IOE2": ("IE", "IOE2"),
    "IOBES": ("BIES", "IOBES"), "BIOES": ("BIES", "IOBES"), "BILOU": ("BILU", "IOBES"),
}  # fmt: skip

#: Where an entity goes on, starts and ends. "IB>O I>I!" reads: from I or B to O, and from I to I
#: if the labels differ; "=": are equal.
_PATTERNS = {
    "conlleval": ("BI>IE=", "OBIES>BIES", "OBIES>OBIES"),
    "IOB1": ("BI>I=", "O>I I>I! B>I I>B= B>B=", "I>I! I>O I>B B>O B>I! B>B="),
    "IOB2": ("BI>I=", "OBI>B", "BI>O BI>I! BI>B"),
    "IOE1": ("I>IE=", "O>I I>I! E>I E>E=", "I>I! I>O I>E! E>I= E>E="),
    "IOE2": ("I>IE=", "OE>IE I>IE!", "E>OIE"),
    "IOBES": ("BI>IE=", "OBIES>BS", "ES>OBIES"),
}


def _table(patterns: str) -> NDArray[np.bool_]:
    """Whether a pair of tags fits: by 10 * kind before + 2 * kind + whether labels are equal."""
    table = np.zeros((5, 5, 2), dtype=np.bool_)
    for pattern in patterns.split():
        before, after = (
            [_KINDS[letter] for letter in own if letter in _KINDS] for own in pattern.split(">")
        )
        labels = {"=": [1], "!": [0]}.get(pattern[-1], [0, 1])
        table[np.ix_(before, after, labels)] = True
    return table.ravel()


def is_tag(text: str) -> bool:
    """Whether this is O or _, or a letter of a scheme with or without a label."""
    return _TAG.fullmatch(text) is not None


class Tags:
    """Rules, and the different tags of some files by number; 0 is O unless any label is one."""

    def __init__(self, rules: str = "conlleval", scheme: str | None = None) -> None:
        self.plain = scheme == PLAIN
        if self.plain and rules != "conlleval":
            raise InputError(f"rules: found {rules!r} with plain labels, which have no rules")
        if rules not in ("conlleval", "strict"):
            raise InputError(f"rules: found {rules!r}, expected 'conlleval' or 'strict'")
        names = ", ".join(_SCHEMES)
        if scheme not in (None, PLAIN, *_SCHEMES):
            hint = perhaps(scheme, _SCHEMES)
            raise InputError(f"scheme: found {scheme!r}{hint}, expected one of {names}")
        if rules == "strict" and scheme is None:
            raise InputError(f"scheme: the strict rules need the name of one, expected {names}")
        self.letters, strict = _SCHEMES.get(scheme or "", ("BIESLUM", ""))
        self._patterns = _PATTERNS[strict if rules == "strict" else rules]
        self.numbers: dict[str, int] = {}
        #: The numbers of labels, and of kinds with the number of a label: O and _ are the same.
        self._labels: dict[str, int] = {}
        self._parsed: dict[tuple[int, int], int] = {}
        if not self.plain:
            self.number("O")
            self.numbers.clear()

    def number(self, text: str) -> int | None:
        """The number of a tag, None if it is none."""
        if text not in self.numbers:
            letter, label = "O", text
            if not self.plain:
                match = _TAG.fullmatch(text)
                if match is None or (match[1] or "") not in self.letters:
                    return None
                letter, label = match[1] or "O", match[2] or ""
            own = _KINDS[letter], self._labels.setdefault(label, len(self._labels))
            self.numbers[text] = self._parsed.setdefault(own, len(self._parsed))
        return self.numbers[text]

    @property
    def labels(self) -> list[str]:
        """The labels of all tags."""
        names = list(self._labels)
        return [names[label] for _, label in self._parsed]

    def chunks(
        self, numbers: NDArray[np.int32]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], list[str], NDArray[np.bool_]]:
        """Where entities begin and end, their labels, and if they begin with a later tag, I or E.

        `numbers` are those of tags with O's between.
        """
        kind_of, label_of = np.array(list(zip(*self._parsed, strict=True)), dtype=np.intp)
        # Between two O's, which most pairs are, nothing can happen.
        at = np.flatnonzero(numbers[1:] | numbers[:-1])
        before, after = numbers[at], numbers[at + 1]
        pairs = 10 * kind_of[before] + 2 * kind_of[after] + (label_of[before] == label_of[after])
        goes_on, starts, ends = map(_table, self._patterns)
        # Where nothing goes on, a stretch begins; it lasts until the next one. An entity is a
        # stretch from the first place where one may start, if it may end where the stretch does.
        begins, start = np.flatnonzero(~goes_on[pairs]), np.flatnonzero(starts[pairs])
        stretch = np.searchsorted(begins, start, side="right")
        first = np.diff(stretch, prepend=-1) > 0
        start, end = start[first], begins[stretch[first]]
        allowed = ends[pairs[end]]
        start, end = start[allowed], end[allowed]
        own = after[start]
        labels = list(map(list(self._labels).__getitem__, label_of[own].tolist()))
        late = np.isin(kind_of[own], [_KINDS["I"], _KINDS["E"]])
        return at[start] + 1, at[end] + 1, labels, late  # a pair has the number of its first
