"""What a record says was read: its files, and the request as it may be read again."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import NoneType, UnionType
from typing import Any, get_args, get_type_hints

from csig._version import __version__
from csig.audits.records import SCHEMA as AUDIT
from csig.base.errors import InputError
from csig.base.wording import first_few
from csig.engines.base import EDITION
from csig.readers import limits
from csig.readers.lines import STDIN, read_stdin
from csig.readers.request import Request


def described(path: str) -> dict[str, Any]:
    """A file's name, size and SHA-256; of a folder, those of its files together."""
    if path == STDIN:
        data = read_stdin(sys.stdin)
        return {"path": "-", "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    digest, size = hashlib.sha256(), 0
    names = [path]
    if os.path.isdir(path):
        names = sorted(os.path.join(path, name) for name in os.listdir(path))
        names = [name for name in names if os.path.isfile(name)]
    try:
        for name in names:
            if name != path:  # a folder: which file has what
                head = f"{os.path.basename(name)}\0{os.path.getsize(name)}\0"
                digest.update(head.encode("utf-8", "surrogatepass"))
            limits.check_size(name, os.path.getsize(name))
            with open(name, "rb") as file:
                before = size
                while block := file.read(2**20):
                    digest.update(block)
                    size += len(block)
                    if size - before > limits.largest():  # of a device, say
                        raise limits.refuse_longer(name)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    shown = path.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return {"path": shown, "bytes": size, "sha256": digest.hexdigest()}


#: What records of versions 1 to 3 call the columns of two systems.
_PAIR = ("a_column", "b_column")


@dataclass(frozen=True)
class Asked:
    """What a record says was asked for."""

    request: Request
    unit: str | None
    metrics: tuple[str, ...]
    #: None where the record does not say, as those of version 1.
    lower_is_better: bool | None


def asked_of(record: Mapping[str, Any], inputs: tuple[str, ...], where: str) -> Asked:
    """What to read, by the record: only names of columns and the like, and the paths given now."""
    given = dict(record["request"])
    own: dict[str, Any] = {"unit": str | None}
    version = record["schema_version"] if record["schema"] == AUDIT else EDITION
    if version > 1:
        own |= {"metric": tuple[str, ...], "lower_is_better": bool | None}
    then = {} if version > 3 else dict.fromkeys(_PAIR, str | None)
    kinds = get_type_hints(Request) | own | then
    lacking = [name for name in own if name not in given]
    if lacking:
        raise InputError(f"{where}: request: no option {first_few(lacking)}")
    for name, value in given.items():
        at = f"{where}: request.{name}"
        if name not in kinds:
            raise InputError(f"{at}: this csig ({__version__}) has no such option")
        possible = [KINDS[own] for own in kinds_of(kinds[name])]
        if not any(fits(value) for _, fits in possible):
            expected = " or ".join(word for word, _ in possible)
            raise InputError(f"{at}: found {json.dumps(value)[:40]}, expected {expected}")
    names = tuple(metric["name"] for metric in record.get("metrics", ()))
    chosen = {name: given.pop(name) for name in own}
    pair = [column for name in _PAIR if (column := given.pop(name, None)) is not None]
    if pair:
        given["system"] = pair
    options: Any = {n: tuple(v) if isinstance(v, list) else v for n, v in given.items()}
    request = Request(**options)
    # With the paths that were given now; nothing is opened that was not named.
    places = {file["path"]: path for file, path in zip(record["inputs"], inputs, strict=True)}
    unknown = [path for path in request.paths if path not in places]
    if unknown:
        raise InputError(f"{where}: request names {unknown[0]!r}, which is not among its inputs")
    unused = [path for path in places if path not in request.paths]
    if unused:
        raise InputError(f"{where}: request does not name {unused[0]!r}, one of its inputs")
    now: dict[str, Any] = {
        name: places.get(getattr(request, name))
        for name in ("counts", "statistics", "document_file", "qrels", "instances")
    }
    request = replace(request, files=tuple(places[path] for path in request.files), **now)
    lower = chosen.get("lower_is_better")
    if version <= 3:  # their metrics say which scores are better
        lower = lower or None
    return Asked(request, chosen["unit"], tuple(chosen.get("metric", names)), lower)


#: The types that options have, and how JSON has them.
KINDS: dict[Any, tuple[str, Callable[[Any], bool]]] = {
    NoneType: ("null", lambda value: value is None),
    str: ("a text", lambda value: isinstance(value, str)),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    int: ("a whole number", lambda value: type(value) is int),
    tuple[str, ...]: (
        "a list of texts",
        lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
    ),
}


def kinds_of(kind: Any) -> tuple[Any, ...]:
    """The types of which a value may have one."""
    return get_args(kind) if isinstance(kind, UnionType) else (kind,)
