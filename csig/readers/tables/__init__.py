"""Tables of units.

``forms`` opens a file and chooses its parser; ``sheets`` has what parsers give. ``rules`` say what
the columns are, by the ``names`` that csig knows and what ``rows`` finds in the cells; ``table``
makes systems of them, whose units ``matching`` puts together; ``reader`` is the form.
"""
