"""A system that calls itself gold."""

from __future__ import annotations

from written import refusal

from csig.readers.tags.read import read_tag_files, read_tags


def test_gold_swapped_with_a_system(write):
    path = write("tags.tsv", "gold\tx\nO\tO\n")
    assert refusal(read_tags, (path, "x"), (path, "gold")) == (
        f"systems: found '{path}, column gold' as a system and '{path}, column x' as the gold; "
        "are they swapped?"
    )
    gold, a = write("test.gold.conll", "a O\n"), write("a.conll", "a O\n")
    assert refusal(read_tag_files, a, a, gold) == (
        f"systems: found '{gold}' as a system and '{a}' as the gold; are they swapped?"
    )
    assert read_tags(gold, gold).n_tokens == 1
