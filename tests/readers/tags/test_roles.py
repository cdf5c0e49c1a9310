"""Which file is the gold: by what files call themselves, and by mistakes that taggers make."""

from __future__ import annotations

from written import refusal

from csig.readers import read_tag_files, read_tags


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


def test_a_gold_with_late_begins(write):
    fine = "x B-X\ny O\n\nu B-X\nv I-X\nw B-Y\n\nx B-X\n\nx B-X\n\nx O\n"
    gold, a = write("b.txt", fine), write("a.txt", fine.replace("x O", "x I-X"))
    assert read_tags(gold, a).cautions == read_tags(gold, a, a).cautions == ()
    assert read_tags(a, gold, gold).cautions == (
        f"In the gold ({a}), 1 of 6 entities begin with the tag of a later token, I or E, the "
        "first on line 12; no system has any. Taggers make such mistakes: is it the gold?",
    )
    assert read_tags(a, a, gold).cautions == ()  # a system has them too
    iob1 = write("iob1.txt", fine.replace("B-", "I-"))
    assert read_tags(iob1, gold, gold).cautions == ()  # most begin so: another scheme


def test_published_files_in_the_wrong_order(shared_data):
    folder = shared_data("wnut17_ner")
    gold, a, b = (
        folder / name
        for name in ("gold.emerging.test.annotated.conll", "spinningbytes.conll", "uh_ritual.conll")
    )
    assert read_tags(gold, a, b).cautions == read_tags(gold, b, a).cautions == ()


def test_published_files_renamed(shared_data, write):
    """A tagger's 34 entities that begin with I give it away, wherever the true gold stands."""
    folder = shared_data("wnut17_ner")
    names = ("gold.emerging.test.annotated.conll", "spinningbytes.conll", "uh_ritual.conll")
    texts = [(folder / name).read_text(encoding="utf-8").replace("\r", "") for name in names]
    one, two, three = (write(f"{i}.conll", text) for i, text in enumerate(texts))
    late = sum(
        tag.startswith("I-") and before[2:] != tag[2:]
        for sentence in texts[1].split("\n\n")
        for before, tag in _pairs([line.split("\t")[-1] for line in sentence.split("\n")])
    )
    assert late == 34
    for order in ((two, one, three), (two, three, one)):
        (said,) = read_tags(*order).cautions
        assert said.startswith(f"In the gold ({two}), 34 of 824 entities begin with the tag")


def _pairs(tags):
    return zip(["O", *tags], tags, strict=False)
