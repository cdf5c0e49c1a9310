"""The line that identifies a result, in full and as a report ends in it.

The full one is in ASCII: keys and values, in which all but plain characters are percent-encoded.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote, unquote_to_bytes

from csig.base import wording
from csig.base.errors import InputError
from csig.report.document import Rendering

#: Values that stand without their key.
_BARE = {
    **dict.fromkeys(("exact", "certified", "approximate", "yeh2000"), "method"),
    **dict.fromkeys(("two-sided", "less", "greater"), "alternative"),
}

_SAFE = "*/()+=~"  # beside letters, digits, _ . and -

Fields = dict[str, tuple[str, ...]]


def line(fields: Mapping[str, Sequence[str]]) -> str:
    """Keys and values as one line of ASCII without spaces; of a key without values nothing.

    >>> line({"v": ["0.2.0"], "method": ["exact"], "metrics": ["f1", "my own, |x|"]})
    'csig|v:0.2.0|exact|metrics:f1,my%20own%2C%20%7Cx%7C'
    """
    parts = ["csig"]
    for key, values in fields.items():
        if not re.fullmatch("[a-z][a-z0-9-]*", key):
            raise ValueError(f"{key!r}: {values!r}")
        if len(values) == 1 and _BARE.get(values[0]) == key:
            parts.append(values[0])
        elif values:
            parts.append(f"{key}:{','.join(quoted(text, _SAFE) for text in values)}")
    return "|".join(parts)


def quoted(text: str, safe: str = "") -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe=safe)


def parse(line: str) -> dict[str, tuple[str, ...]]:
    """The keys and values of a signature, the line that identifies a result.

    Examples
    --------
    >>> parse("csig|v:0.2.0|test:randomization|unit:document|n:19/20|exact|two-sided")["n"]
    ('19/20',)
    >>> parse("csig|v:0.2.0|exact|metrics:f1,my%20own")["metrics"]
    ('f1', 'my own')
    """
    if not isinstance(line, str):
        raise InputError(f"a signature is a text, found {type(line).__name__}")
    start, *parts = line.strip().split("|")
    if start != "csig":
        raise InputError(f"a signature begins with 'csig|', found {line[:40]!r}")
    found: Fields = {}
    for part in parts:
        key, sign, text = part.partition(":")
        if not sign and part in _BARE:
            key, text = _BARE[part], part
        elif not sign or not re.fullmatch("[a-z][a-z0-9-]*", key):
            raise InputError(f"signature: expected key:value, found {part[:40]!r}")
        if key in found:
            raise InputError(f"signature: {key} is given twice")
        values = []
        for value in text.split(","):
            try:
                if re.search("%(?![0-9A-Fa-f]{2})", value):
                    raise ValueError
                plain = unquote_to_bytes(value.encode("utf-8", "surrogatepass"))
                values.append(plain.decode("utf-8", "surrogatepass"))
            except ValueError:
                raise InputError(
                    f"signature: {value[:40]!r} is not percent-encoded UTF-8"
                ) from None
        found[key] = tuple(values)
    return found


#: Digits of the hash in a short line.
SHORT = 10


def _engine(fields: Fields) -> str:
    """How the numbers were computed, in words; all ways where metrics or systems differ in it."""
    ways = [
        word
        for word in ("exact", "certified")
        if any(word in method for method in fields.get("method", ()))
    ]
    for key, word in (("shuffles", "shuffled "), ("flips", "flipped ")):
        numbers = re.findall(r"\d+$|\d+(?=\+)", fields.get(key, ("",))[0])
        if numbers:
            twice = "2 x " if fields.get("method") == ("yeh2000",) else ""
            ways.append(word + twice + " or ".join(wording.count(int(n)) for n in numbers))
    if fields.get("test") == ("datasets",):
        ways.insert(0, fields["pairs"][0])
    if not ways and "interval" in fields:  # of intervals without a test
        method, _, *drawn = fields["interval"]
        ways = method.split("+")
        if drawn:
            ways = [f"resampled {wording.listed([wording.count(int(n)) for n in drawn], 'or')}"]
    audited = fields.get("test") == ("audit",)
    return ", ".join(filter(None, ["audited" * audited, " and ".join(ways)]))


def short_line(signature: str, between: str = Rendering.between) -> str:
    """A signature as a report ends in it: version, engine, unit, first digits of its SHA-256.

    >>> short_line("csig|v:0.2.0|test:randomization|unit:sentence|n:19/20|exact|two-sided", " | ")
    'csig 0.2.0 | exact | sentences | 0d27332c7c'
    """
    fields = parse(signature)
    units = [wording.noun(unit, 2) for unit in fields.get("unit", ())]
    digits = hashlib.sha256(signature.encode()).hexdigest()[:SHORT]
    parts = [f"csig {fields['v'][0]}", _engine(fields), *units, digits]
    return between.join(filter(None, parts))


def last_lines(signature: str, options: Rendering) -> list[str]:
    """What a report ends in: its signature, short, after the full one where all is explained.

    A line that is no signature is a command to paste, and stands as it is.
    """
    if not signature.startswith("csig|"):
        return [wording.clean(signature)] if signature else []
    return [*[signature] * options.explain, short_line(signature, options.between)]
