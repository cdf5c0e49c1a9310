"""Files of tags, written from what they mean, in any layout; and the entities, token by token."""

import random
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from written import text_file

from csig.data.responses import Span

# endOfChunk and startOfChunk of conlleval.pl as tables of (tag before, tag), with S added.
ENDS = {"BB", "BS", "BO", "IB", "IS", "IO"} | {before + tag for before in "ES" for tag in "BIESO"}
STARTS = {before + tag for before in "BIESO" for tag in "BS"} | {
    *("EE", "EI", "SE", "SI", "OE", "OI")
}

TAGS = [*["O"] * 6, "B-X", "I-X", "I-X", "B-Y", "I-Y", "E-X", "S-Y", "B", "I", "B-X-Y", "B-é"]
TAGS += [f"{kind}-{'long-label' * 3}" for kind in "BI"] + ["S-" + "z" * 40]
TOKENS = ["a", "Paris", "#", "#x", "I", "O", "-", "w" * 9, "w" * 70, "東京", "\u00a0x", "1",
          "\u3000", "\u00a0", "\u2028", "\x0b", "\x85"]  # fmt: skip


def conlleval(tags: list[str]) -> list[tuple[int, int, str]]:
    """Two passes over the tables: where chunks end, where they start; then pair them."""
    pairs = [(tag[0], tag[2:]) for tag in ["O", *tags, "O"]]
    ends, starts = [], []
    for index, ((before, label_before), (tag, label)) in enumerate(pairwise(pairs)):
        differs = label != label_before
        if before + tag in ENDS or (before != "O" and differs):
            ends.append((index, label_before))
        if before + tag in STARTS or (tag != "O" and differs):
            starts.append(index)
    return [(start, end, label) for start, (end, label) in zip(starts, ends, strict=True)]


@dataclass
class Written:
    """What :func:`csig.readers.read_tags` is given, and what it should find."""

    sources: list[Any]
    options: dict[str, Any]
    #: The sentences: document, tokens, and the tags of the gold and of every system.
    sentences: list[tuple[str | None, list[str], list[list[str]]]]
    #: The columns of every file, and its lines with tokens, but the first and -DOCSTART-.
    files: dict[Path, tuple[list[str], list[int]]] = field(default_factory=dict)

    def spans(self, which: int) -> list[Span]:
        """The entities of the gold, 0, or of a system."""
        return [
            Span(i, *own)
            for i, (_, _, tags) in enumerate(self.sentences)
            for own in conlleval(tags[which])
        ]


def written(rng: random.Random) -> Written:
    """Some sentences in some layout."""
    n_systems = rng.choice([0, 1, 1, 2, 3])
    one_file, with_names = rng.random() < 0.5, rng.random() < 0.5
    marks = rng.choice(["none", "docstart", "comment", "column", "file"])
    by_column = marks not in ("docstart", "comment") and rng.random() < 0.4
    if marks == "column" or by_column or one_file:
        # Names of columns, or their numbers; else the last column.
        chosen = "names" if with_names else "numbers"
    else:
        chosen = rng.choice(["last", "last", "names", "numbers"])
    separator = rng.choice(["\t", "\t", " ", "   "])
    sentences: list[tuple[str | None, list[str], list[list[str]]]] = []
    for number in range(1, rng.choice([1, 2, 4]) + 1):
        document = None if marks == "none" else str(number) if marks == "docstart" else f"d{number}"
        if marks == "docstart":
            sentences.append((document, ["-DOCSTART-"], [["O"]] * (n_systems + 1)))
        for _ in range(rng.choice([1, 3, 60])):
            n = rng.randint(1, 5)
            tags = [rng.choices(TAGS, k=n) for _ in range(n_systems + 1)]
            sentences.append((document, rng.choices(TOKENS, k=n), tags))
    documents = [document for document, _, _ in sentences]
    first_of = {document: documents.index(document) for document in documents}
    case = Written([], {}, sentences)
    names = ["gold", *(f"x{i}" for i in range(n_systems))]
    in_files = [list(range(n_systems + 1))] if one_file else [[i] for i in range(n_systems + 1)]
    # The first column is the token, unless it is one of the others.
    with_token = marks == "docstart" or rng.random() < 0.8
    extra = ["e0"] if with_token else []
    for number, own in enumerate(in_files):
        # The columns of the file, by their names.
        if with_token and (not by_column or chosen == "names"):  # else its number is for all files
            extra = [f"e{i}" for i in range(rng.randint(0, 2))]
        columns = [*(["token"] if with_token else []), *extra]
        columns += ["sent_id"] if by_column else []
        columns += ["doc"] if marks == "column" else []
        tagged = columns + [names[i] for i in own]
        if one_file and chosen == "names" and marks != "docstart":
            rng.shuffle(tagged)
        order = list(range(len(sentences)))
        # Each sentence has an id of its own, or one in its document.
        own_ids = marks != "column" or not one_file
        if number and by_column and chosen == "names" and own_ids:
            rng.shuffle(order)
        lines = [separator.join(["#" + tagged[0], *tagged[1:]])] if chosen == "names" else []
        places: list[int] = []
        before = None
        for i in order:
            document, tokens, tags = sentences[i]
            if marks == "comment" and document != before:
                lines += ["", f"# {rng.choice(['newdoc id', 'x:document_id'])} = {document}"]
            before = document
            for j, token in enumerate(tokens):
                cells = {"token": token, "doc": str(document)}
                cells["sent_id"] = f"s{i if own_ids else i - first_of[document]}"
                cells |= {name: rng.choice(["x", "NN", "1"]) for name in extra}
                cells |= {names[k]: tags[k][j] for k in own}
                lines.append(separator.join(cells[name] for name in tagged))
                if token != "-DOCSTART-":
                    places.append(len(lines))
            if not by_column:
                lines += [""] * rng.choice([1, 1, 2])
        end = rng.choice(["\n", "\r\n"])
        mark = rng.choice(["", "", "\ufeff"])
        path = Path(text_file(mark + end.join(lines) + end, f"{number or 'gold'}.tags"))
        case.files[path] = tagged, places[1:]
        for k in own:
            at = tagged.index(names[k])
            case.sources.append(
                path if chosen == "last" else (path, names[k] if chosen == "names" else at + 1)
            )
        if by_column and chosen != "names":
            case.options["sentence"] = 1 + tagged.index("sent_id")
        if marks == "column" and not number:
            case.options["document"] = "doc" if chosen == "names" else 1 + tagged.index("doc")
    if marks == "file":
        rows = [str(document) for document, _, _ in sentences]
        if rng.random() < 0.5:
            ids = [f"s{i}" if by_column else str(i) for i in range(len(rows))]
            rows = [f"{i}\t{document}" for i, document in zip(ids, rows, strict=True)]
            rng.shuffle(rows)
        case.options["documents"] = text_file("\n".join(rows), "documents.txt")
    return case
