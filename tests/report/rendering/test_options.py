"""How documents are rendered unless somebody says otherwise."""

from csig.report.rendering.options import PROSE, Rendering


def test_nothing_more_than_the_answer_by_default():
    options = Rendering()
    assert (options.width, options.colour, options.explain, options.cite) == (
        PROSE, False, False, False,
    )  # fmt: skip
