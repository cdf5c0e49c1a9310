"""A description as JSON has it."""

from __future__ import annotations

import json
import re

from places import DOCS, EXAMPLES

import csig
from csig.readers.describe import SCHEMA, as_dict


def test_the_docs_list_every_field():
    names = ("gold", "logistic-regression", "nearest-centroid")
    reading = csig.read(*(EXAMPLES / "digits" / f"{name}.tsv" for name in names))
    found = as_dict(reading.describe(), "1.2")
    assert json.loads(json.dumps(found)) == found
    assert (found["schema"], found["csig_version"]) == (SCHEMA, "1.2")
    assert found["input"] == reading.source.as_dict()
    text = (DOCS / "json.md").read_text(encoding="utf-8")
    assert f"`{SCHEMA}`" in text
    for name in found:
        assert re.search(rf"`{name}`", text), name
