"""Documents of sentences: those of a file of their own, and whether two files mark the same."""

from __future__ import annotations

from csig.errors import InputError
from csig.readers.lines import StrPath, read_lines
from csig.readers.tags.file import TagFile
from csig.wording import counted, first_few

__all__ = ["check_same_documents", "lost_documents", "read_document_file"]


def lost_documents(gold: TagFile, system: TagFile, documents: StrPath | None) -> list[str]:
    """A system's file that marks documents where the gold's does not."""
    if documents is not None or gold.documents() is not None or system.documents() is None:
        return []
    return [
        f"{system.path} marks documents, the gold ({gold.path}) does not: these marks are "
        "ignored. Is it the gold?"
    ]


def check_same_documents(x: TagFile, y: TagFile) -> None:
    """Refuse two files that both mark documents, but not the same."""
    mine, others = x.documents(), y.documents()
    if mine is None or others is None or mine == others:
        return
    for i, (one, other) in enumerate(zip(mine, others, strict=True)):
        if one != other:
            raise InputError(
                f"{x.path} line {x.lines[x.starts[i]]}: document {one!r}, "
                f"{y.path} line {y.lines[y.starts[i]]}: document {other!r}; "
                f"expected the same document"
            )


def read_document_file(path: StrPath, gold: TagFile) -> list[str]:
    """The document of every sentence by a file of its own."""
    rows = [
        (number, [cell.strip() for cell in line.split("\t")])
        for number, line in enumerate(read_lines(path), start=1)
        if line.strip()
    ]
    width = len(rows[0][1]) if rows else 0
    for number, cells in rows:
        if len(cells) != width or width > 2 or not all(cells):
            raise InputError(
                f"{path} line {number}: found {counted(len(cells), 'field')}, expected the "
                f"document of a sentence, or a sentence, a tab and its document, on every line"
            )
    n_sentences = len(gold.starts)
    if width == 2:
        sentences = gold.sentence_ids or [str(number) for number in range(n_sentences)]
        document_of: dict[str, str] = {}
        for number, (sentence, document) in rows:
            if document_of.setdefault(sentence, document) != document:
                raise InputError(
                    f"{path} line {number}: found the sentence {sentence!r} in the document "
                    f"{document!r}, but in {document_of[sentence]!r} above"
                )
        missing = [s for s in dict.fromkeys(sentences) if s not in document_of]
        extra = [s for s in document_of if s not in set(sentences)] if not missing else []
        if missing or extra:
            what, names = ("no document for", missing) if missing else ("unknown", extra)
            raise InputError(
                f"{path}: found {what} {counted(len(names), 'sentence')} of {gold.path}: "
                f"{first_few(names)}"
            )
        return [document_of[sentence] for sentence in sentences]
    if len(rows) != n_sentences:
        raise InputError(
            f"{path}: found {counted(len(rows), 'line')}, expected {n_sentences}, one for each "
            f"sentence of {gold.path}"
        )
    return [cells[0] for _, cells in rows]
