"""Several files: the same sentences and tokens, or the same positions; and their documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from csig.errors import InputError, Refusal, Remedy
from csig.readers.lines import StrPath, read_lines
from csig.readers.tags.file import TagFile
from csig.wording import counted, first_few, lacks_and_has

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.integer[Any]]

__all__ = ["match_documents", "match_sentences", "match_tokens", "read_document_file"]

#: Where this share of tokens is spelt differently, they may be of another text.
_OTHER_TEXT = 0.5


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


def _words(file: TagFile, by_position: bool) -> tuple[Numbers, Numbers, Numbers]:
    """Where tokens are among all; of the sentences that have any, the lengths and first lines."""
    words = file.words | (not by_position)
    lengths = np.add.reduceat(words, file.starts, dtype=np.intp)
    return np.flatnonzero(words), lengths[lengths > 0], file.lines[file.starts][lengths > 0]


def match_tokens(x: TagFile, y: TagFile, by_position: bool) -> tuple[list[str], list[str]]:
    """Refuse other tokens; by position put the tags of y at those of x: notes, and cautions."""
    mine, lengths, lines = _words(x, by_position)
    others, other_lengths, other_lines = _words(y, by_position)
    # By position the sentences of x are taken if y marks none.
    unmarked = len(other_lengths) == 1 and len(mine) == len(others)
    if not (unmarked and by_position) and not np.array_equal(lengths, other_lengths):
        n = min(len(lengths), len(other_lengths))
        differ = np.flatnonzero(lengths[:n] != other_lengths[:n])
        if len(differ) and len(other_lengths) > 1:
            at = int(differ[0])
            raise InputError(
                f"{x.path} line {lines[at]}: sentence {at + 1} has "
                f"{counted(lengths[at], 'token')}, but {other_lengths[at]} in {y.path} (line "
                f"{other_lines[at]}); expected the same number"
            )
        way = Remedy(("--match", "position"), "to take the sentences of the gold")
        raise Refusal(
            f"{x.path}: {counted(len(lengths), 'sentence')} and {counted(len(mine), 'token')}, "
            f"but {counted(len(other_lengths), 'sentence')} and {counted(len(others), 'token')} "
            f"in {y.path}; expected the same numbers",
            *[way] * unmarked,
        )
    notes, cautions = _spelt_differently(x, y, mine, others, by_position)
    if by_position:
        if unmarked and len(lengths) > 1:
            notes.append(f"{y.path} marks no sentences: those of {x.path} are used.")
        placed = np.zeros((len(y.columns), len(x.lines)), dtype=np.int32)
        placed[:, mine] = y.columns.take(others, axis=1)
        y.columns, y.lines, y.starts = placed, x.lines, x.starts
    return notes, cautions


def _spelt_differently(
    x: TagFile, y: TagFile, of_x: Numbers, of_y: Numbers, allowed: bool
) -> tuple[list[str], list[str]]:
    """A note on tokens that differ, and a caution if they are many; or a refusal."""
    if x.tokens is None or y.tokens is None:
        return [], []
    (mine, sizes), (others, of_others) = x.tokens, y.tokens
    if allowed:
        mine, sizes, others, of_others = mine[of_x], sizes[of_x], others[of_y], of_others[of_y]
    same = x.text.same(mine, y.text, others, np.minimum(sizes, of_others))
    differ = np.flatnonzero(~same | (sizes != of_others))
    if not len(differ):
        return [], []
    i = differ[0]
    (at_one, one), (at_other, other) = (
        (f"line {file.lines[places[i]]}", file.text.decoded(begin[i], begin[i] + size[i]))
        for file, places, begin, size in ((x, of_x, mine, sizes), (y, of_y, others, of_others))
    )
    if not allowed:
        raise Refusal(
            f"{x.path} {at_one}: {one!r}, {y.path} {at_other}: {other!r}; expected the same token",
            Remedy(("--match", "position"), "if it is only spelt differently"),
        )
    share = f"{len(differ):,} of {len(of_x):,} tokens"
    note = (
        f"{share} are spelt differently in {x.path} and {y.path}, the first {one!r} ({at_one}) and "
        f"{other!r} ({at_other}); they are matched by position."
    )
    many = len(differ) >= _OTHER_TEXT * len(of_x)
    return [note], [f"{share} differ in {x.path} and {y.path}. Is it the same text?"] * many


def match_documents(gold: TagFile, system: TagFile, same: bool) -> list[str]:
    """A doubt where only a system marks documents; refuse others if they must be the same."""
    documents = gold.documents()
    if documents is None and (system.marks or system.document_starts or system.document_cells):
        return [
            f"{system.path} marks documents, the gold ({gold.path}) does not: these marks are "
            "ignored. Is it the gold?"
        ]
    others = system.documents() if same and documents else None
    for i, (one, other) in enumerate(zip(documents or (), others or (), strict=False)):
        if one != other:
            raise InputError(
                f"{gold.path} line {gold.lines[gold.starts[i]]}: document {one!r}, {system.path} "
                f"line {system.lines[system.starts[i]]}: document {other!r}; expected the same "
                "document"
            )
    return []


def read_document_file(path: StrPath, gold: TagFile) -> list[str]:
    """The document of every sentence by a file of its own."""
    document_of: dict[str, str] = {}
    width = 0
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        width = width or len(cells)
        if len(cells) != width or width > 2 or not all(cells):
            raise InputError(
                f"{path} line {number}: found {counted(len(cells), 'field')}, expected the "
                f"document of a sentence, or a sentence, a tab and its document, on every line"
            )
        own, document = cells[0] if width == 2 else str(len(document_of)), cells[-1]
        if document_of.setdefault(own, document) != document:
            raise InputError(
                f"{path} line {number}: found the sentence {own!r} in the document "
                f"{document!r}, but in {document_of[own]!r} above"
            )
    sentences = [str(number) for number in range(len(gold.starts))]
    if width == 2:
        sentences = gold.sentence_ids or sentences
    known = dict.fromkeys(sentences)
    missing = [own for own in known if own not in document_of]
    extra = [own for own in document_of if own not in known]
    if missing or extra:
        what, names = ("no document for", missing) if missing else ("unknown", extra)
        raise InputError(
            f"{path}: found {what} {counted(len(names), 'sentence')} of {gold.path}: "
            f"{first_few(names)}"
        )
    return [document_of[own] for own in sentences]
