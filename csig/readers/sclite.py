"""Alignments of sclite, ``.sgml``, ``.pra`` and ``.prf``; ``.trn`` is aligned with a reference.

An utterance's statistics are its errors and the words of its reference, so that a rate is a ratio
of sums, as sclite prints it. Words of ``.trn`` are aligned as sclite does without options: at the
least cost, with 4 for a substitution and 3 for an insertion or deletion, whatever their case. Of
alignments that cost the same the one with fewest errors counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from csig.base.errors import InputError, argument
from csig.base.wording import clean, counted, first_few
from csig.readers.data import Data
from csig.readers.lines import read_lines, read_start
from csig.readers.records import read_sheets, sheet_of
from csig.readers.request import OptionError, Request, gold_and_systems
from csig.readers.tables.matching import MEAN

#: What sclite's files begin with, and how that of a reference ends.
_STARTS = re.compile(
    r"\s*(<SYSTEM\s|(NIST_TEXT_ALIGNMENT\s+VERSION \S+\s+)?DUMP OF SYSTEM ALIGNMENT STRUCTURE)"
)
_UTTERANCE = re.compile(r"(.*?)\s*\(([^()\s]+)\)\s*")

_ATTRIBUTE = re.compile(r'\s(\w+)="([^"]*)"')
#: A token of .sgml: how it is aligned, the reference's word and the system's, and their times.
_TOKEN = re.compile(r'([CSDI]),(?:"([^"]*)")?,(?:"([^"]*)")?(?:,[^":]*)*(?::|$)')

_SCORES = re.compile(r"Scores: \(#C #S #D #I\)((?:\s+\d{1,9}){4})\s*")
_SPEAKER = re.compile(r"Speaker sentences\s+\d+:\s+(\S.*?)\s+(#utts:|utt# ).*")

#: How a file of the reference's transcripts is called.
_REFERENCE = re.compile(r"(?<![a-z])(ref|refs|reference|references)(?![a-z])", re.IGNORECASE)

#: What separates a speaker from an utterance in an id, as sclite's -i spu_id has it.
_SIGNS = re.compile(r"[-_]")


class _Utterance(NamedTuple):
    """Its place in a file, and what is counted."""

    where: str
    id: str
    speaker: str
    errors: int
    words: int


def is_alignment(path: str) -> bool:
    """Whether a file is one of sclite's, or has the ending of transcripts."""
    if re.search(r"\.trn(\.(gz|bz2|xz|zst))?$", path):
        return True
    return bool(_STARTS.match(read_start(path, 256).tobytes().decode(errors="ignore")))


def _of_sgml(path: str, lines: Sequence[str]) -> Iterator[_Utterance]:
    speaker = utterance = None
    for i, line in enumerate(lines, start=1):
        where = f"line {i}"
        tag = line.strip()
        if tag.startswith("<SPEAKER"):
            speaker = dict(_ATTRIBUTE.findall(tag)).get("id")
        elif tag.startswith("<PATH"):
            utterance, place, tokens = dict(_ATTRIBUTE.findall(tag)).get("id"), where, ""
            if not utterance or speaker is None:
                raise InputError(f"{path} {where}: found a PATH without an id, or no SPEAKER")
        elif tag == "</PATH>" and utterance:
            kinds = [own[1] for own in _TOKEN.finditer(tokens)]
            if _TOKEN.sub("", tokens):
                raise InputError(f"{path} {place}: found {_TOKEN.sub('', tokens)!r}, no alignment")
            wrong, words = len(kinds) - kinds.count("C"), len(kinds) - kinds.count("I")
            yield _Utterance(place, utterance.strip("()"), str(speaker), wrong, words)
            utterance = None
        elif utterance:
            tokens += tag
    end = lines[-1].strip() if lines else ""
    if utterance or end != "</SYSTEM>":
        within = repr(utterance) if utterance else "the system"
        raise InputError(f"{path}: ends within {within}; is the file complete?")


def _of_pra(path: str, lines: Sequence[str]) -> Iterator[_Utterance]:
    speaker, utterance = "", ""
    for i, line in enumerate(lines, start=1):
        if found := _SPEAKER.fullmatch(line):
            speaker = found[1]
        elif line.startswith("id: "):
            if utterance:
                break
            utterance, place = line[4:].strip().strip("()"), f"line {i}"
        elif utterance and (scores := _SCORES.fullmatch(line)):
            right, *wrong = map(int, scores[1].split())
            yield _Utterance(place, utterance, speaker, sum(wrong), right + sum(wrong[:2]))
            utterance = ""
    if utterance:
        raise InputError(f"{path} {place}: found no scores of {utterance!r}")


def _transcripts(path: str) -> dict[str, tuple[str, list[str]]]:
    """The place and the words of every utterance."""
    found: dict[str, tuple[str, list[str]]] = {}
    for i, line in enumerate(read_lines(path), start=1):
        if not line.strip() or line.startswith(";;"):
            continue
        where = f"line {i}"
        utterance = _UTTERANCE.fullmatch(line)
        if utterance is None:
            raise InputError(
                f"{path} {where}: expected words and an utterance's id, (ID), at the end"
            )
        words, name = utterance[1].lower().split(), utterance[2]
        if not {"{", "}", "@"}.isdisjoint(words):
            raise InputError(
                f"{path} {where}: found alternatives, which only sclite aligns; give its output: "
                "sclite -r REF trn -h HYP trn -i spu_id -o sgml"
            )
        if name in found:
            raise InputError(f"{path}: found {name!r} on {found[name][0]} and again on {where}")
        found[name] = where, words
    if not found:
        raise InputError(f"{path}: found no utterances")
    return found


def count_errors(reference: Sequence[str], found: Sequence[str]) -> int:
    """The errors of the cheapest alignment, as sclite weighs them; of several the fewest."""
    from rapidfuzz.distance import Levenshtein

    # Of 4 S + 3 (I + D), so many times that their own number S + I + D can be added: errors.
    times = len(reference) + len(found) + 1
    one, other = 3 * times + 1, 4 * times + 1
    cost: int = Levenshtein.distance(reference, found, weights=(one, one, other))
    return cost % times


def _aligned(request: Request) -> dict[str, list[_Utterance]]:
    """Every system's transcripts, aligned with the reference's."""
    gold, systems = gold_and_systems(request, "transcripts (.trn)")
    called = [own for own in (gold, *systems) if _REFERENCE.search(PurePath(own).name)]
    if called and gold not in called:
        raise InputError(
            f"{gold}: taken as the reference, which comes first, but {called[0]} is called so"
        )
    try:
        import rapidfuzz  # noqa: F401
    except ImportError:
        raise InputError(
            f"{gold}: to align words needs a package: pip install 'csig-stats[text]'"
        ) from None
    reference = _transcripts(gold)
    found = {}
    for path in systems:
        own = _transcripts(path)
        if extra := [name for name in own if name not in reference]:
            raise InputError(f"{path}: found utterances that {gold} has not: {first_few(extra)}")
        found[path] = [
            _Utterance(
                where, name, _SIGNS.split(name)[0], count_errors(reference[name][1], words),
                len(reference[name][1]),
            )
            for name, (where, words) in own.items()
        ]  # fmt: skip
    return found


def _read(path: str) -> list[_Utterance]:
    if re.search(r"\.trn(\.\w+)?$", path):
        raise InputError(f"{path}: found transcripts among alignments, expected one form")
    lines = read_lines(path)
    form = _of_sgml if lines and lines[0].lstrip().startswith("<SYSTEM") else _of_pra
    if not (found := list(form(path, lines))):
        raise InputError(f"{path}: found no utterances, expected sclite's .sgml, .pra or .trn")
    return found


def read(request: Request, metrics: Sequence[str]) -> Data:
    """Errors and words of every utterance; by the metric ser, whether it has errors."""
    names = [name.removeprefix(MEAN) for name in metrics]
    if odd := [name for name in names if name not in ("wer", "ser")]:
        raise OptionError(f"{argument('metric', odd[0])}: alignments have wer and ser")
    if len(names) > 1:
        raise OptionError(f"{argument('metric')}: give one of wer and ser")
    texts = _STARTS.match(read_start(request.files[0], 256).tobytes().decode(errors="ignore"))
    found = {path: _read(path) for path in request.files} if texts else _aligned(request)
    by_sentence = names == ["ser"]
    sheets = []
    for path, utterances in found.items():
        where, ids, speakers, errors, words = zip(*utterances, strict=True)
        columns: dict[str, Sequence[Any]] = {"utterance": ids, "speaker": speakers}
        if by_sentence:
            columns["ser"] = [int(number > 0) for number in errors]
        else:
            columns |= {"errors": errors, "words": words}
        empty = words.count(0)
        note = (
            f"{clean(path)}: {counted(empty, 'utterance')} without reference words, all inserted."
        )
        notes = (note,) if empty else ()
        sheets.append(sheet_of(request, path, columns, where.__getitem__, notes=notes))
    plain = [] if request.cluster == "speaker" else ["speaker"]
    return read_sheets(
        request, metrics, "sclite", sheets, scores=["ser"] * by_sentence, lower=True,
        id="utterance", ignore=tuple(plain), files=tuple(found),
    )  # fmt: skip
