"""Tokens of several files: the same sentences and tokens, or the same positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from csig.errors import InputError
from csig.readers.tags.endings import MASKS
from csig.readers.tags.file import TagFile
from csig.wording import counted, lacks_and_has

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "check_same_tokens",
    "match_positions",
    "match_sentences",
]

# Tokens that are compared together, and the words of them before single slices are quicker.
_COMPARED = 1 << 15
_COMPARED_WORDS = 8

#: Where this share of tokens is spelt differently, they may be of another text.
_OTHER_TEXT = 0.5


def _same_texts(x: TagFile, y: TagFile) -> bool:
    """Whether two files have the same tokens; looked at as words of eight bytes."""
    assert x.tokens is not None
    assert y.tokens is not None
    if not np.array_equal(x.tokens[1], y.tokens[1]):
        return False
    for i in range(0, len(x.lines), _COMPARED):
        mine, others, length = (
            of_tokens[i : i + _COMPARED].astype(np.intp)
            for of_tokens in (x.tokens[0], y.tokens[0], x.tokens[1])
        )
        for _ in range(_COMPARED_WORDS):
            differ = (x.view[mine] ^ y.view[others]) & MASKS.take(np.minimum(length, 8))
            if differ.any():
                return False
            longer = np.flatnonzero(length > 8)
            mine, others, length = mine[longer] + 8, others[longer] + 8, length[longer] - 8
            if not len(longer):
                break
        rest = zip(mine.tolist(), others.tolist(), length.tolist(), strict=True)
        if any(x.data[a : a + n] != y.data[b : b + n] for a, b, n in rest):
            return False
    return True


def match_sentences(x: TagFile, y: TagFile) -> None:
    """Bring the sentences of y in the order of x, where both have ids of their own for them."""
    mine, others = x.sentence_ids, y.sentence_ids
    if mine is None or others is None or mine == others:
        return
    place = {sentence: i for i, sentence in enumerate(others)}
    known = set(mine)
    if len(place) < len(others) or len(known) < len(mine):
        return  # ids that start again in every document: matched by position
    missing = [sentence for sentence in mine if sentence not in place]
    extra = [sentence for sentence in others if sentence not in known]
    if missing or extra:
        raise InputError(f"{y.path}: {lacks_and_has(missing, extra, x.path, 'sentence')}")
    y.reorder([place[sentence] for sentence in mine])


def check_same_tokens(x: TagFile, y: TagFile) -> None:
    """Refuse two files that are not over the same sentences and tokens."""
    with_text = x.tokens is not None and y.tokens is not None
    if (
        len(x.lines) == len(y.lines)
        and np.array_equal(x.starts, y.starts)
        and (not with_text or _same_texts(x, y))
    ):
        return
    lengths_agree = len(x.lines) == len(y.lines) and np.array_equal(x.starts, y.starts)
    hint = "; if it is only spelt differently, give --match position" if lengths_agree else ""
    texts_x, texts_y = (file.texts() if with_text else [] for file in (x, y))
    pairs = zip(x.sentences(), y.sentences(), strict=False)
    for number, ((first_x, last_x), (first_y, last_y)) in enumerate(pairs, start=1):
        if with_text:
            for i, j in zip(range(first_x, last_x), range(first_y, last_y), strict=False):
                if texts_x[i] != texts_y[j]:
                    raise InputError(
                        f"{x.path} line {x.lines[i]}: {texts_x[i].decode()!r}, "
                        f"{y.path} line {y.lines[j]}: {texts_y[j].decode()!r}; "
                        f"expected the same token{hint}"
                    )
        if last_x - first_x != last_y - first_y:
            raise InputError(
                f"{x.path} line {x.lines[first_x]}: sentence {number} has "
                f"{counted(last_x - first_x, 'token')}, but {last_y - first_y} in {y.path} (line "
                f"{y.lines[first_y]}); expected the same number"
            )
    longer, shorter = (x, y) if len(x.starts) > len(y.starts) else (y, x)
    line = longer.lines[longer.starts[len(shorter.starts)]]
    raise InputError(
        f"{x.path}: {len(x.starts)} sentences, but {len(y.starts)} in {y.path}; expected the same "
        f"number ({longer.path} goes on at line {line})"
    )


class _Words(NamedTuple):
    """The tokens of a file but -DOCSTART-, and its sentences that have any."""

    places: NDArray[np.intp]  # of the tokens, among all
    lengths: NDArray[np.intp]  # of the sentences
    lines: NDArray[np.int32]  # on which they begin


def _words(file: TagFile) -> _Words:
    words = file.words()
    lengths = np.add.reduceat(words, file.starts, dtype=np.intp)
    lines = file.lines[file.starts]
    return _Words(np.flatnonzero(words), lengths[lengths > 0], lines[lengths > 0])


def match_positions(x: TagFile, y: TagFile) -> tuple[list[str], list[str]]:
    """Put the tags of y at the tokens of x, whatever their spelling and the lines between.

    The sentences must have the same lengths, unless y does not mark any: then those of x are
    taken, and there must be as many tokens.

    Returns
    -------
    notes, cautions : list of str
        What is to be said of tokens that differ.

    Raises
    ------
    InputError
        If the lengths differ.
    """
    mine, others = _words(x), _words(y)
    unmarked = len(others.lengths) == 1 and len(mine.places) == len(others.places)
    if not unmarked and not np.array_equal(mine.lengths, others.lengths):
        _refuse_lengths(x, y, mine, others)
    notes, cautions = _spelt_differently(x, y, mine.places, others.places)
    if unmarked and len(mine.lengths) > 1:
        notes.append(f"{y.path} marks no sentences: those of {x.path} are used.")
    for i, column in enumerate(y.columns):
        placed = np.zeros(len(x.lines), dtype=column.dtype)
        placed[mine.places] = column[others.places]
        y.columns[i] = placed
    y.lines, y.starts, y.marks, y.document_starts = x.lines, x.starts, [], []
    return notes, cautions


def _refuse_lengths(x: TagFile, y: TagFile, mine: _Words, others: _Words) -> None:
    """Say where the sentences of two files begin to have different lengths."""
    n = min(len(mine.lengths), len(others.lengths))
    differ = np.flatnonzero(mine.lengths[:n] != others.lengths[:n])
    if not len(differ) or len(others.lengths) == 1:
        of_x, of_y = (
            f"{counted(len(words.lengths), 'sentence')} and {counted(len(words.places), 'token')}"
            for words in (mine, others)
        )
        raise InputError(
            f"{x.path}: {of_x}, but {of_y} in {y.path}; expected the same numbers, to match by "
            "position"
        )
    at = int(differ[0])
    raise InputError(
        f"{x.path} line {mine.lines[at]}: sentence {at + 1} has "
        f"{counted(mine.lengths[at], 'token')}, but {others.lengths[at]} in {y.path} (line "
        f"{others.lines[at]}); expected the same number, to match by position"
    )


def _spelt_differently(
    x: TagFile, y: TagFile, of_x: NDArray[np.intp], of_y: NDArray[np.intp]
) -> tuple[list[str], list[str]]:
    if x.tokens is None or y.tokens is None:
        return [], []
    mine, others = x.texts(), y.texts()
    pairs = zip(of_x.tolist(), of_y.tolist(), strict=True)
    differ = [(i, j) for i, j in pairs if mine[i] != others[j]]
    if not differ:
        return [], []
    i, j = differ[0]
    share = f"{len(differ):,} of {len(of_x):,} tokens"
    note = (
        f"{share} are spelt differently in {x.path} and {y.path}, the first {mine[i].decode()!r} "
        f"(line {x.lines[i]}) and {others[j].decode()!r} (line {y.lines[j]}); they are matched by "
        f"position."
    )
    if len(differ) < _OTHER_TEXT * len(of_x):
        return [note], []
    return [note], [f"{share} differ in {x.path} and {y.path}. Is it the same text?"]
