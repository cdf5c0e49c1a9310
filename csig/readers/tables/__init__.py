"""Tables of units.

``forms`` opens a file and chooses its parser (``delimited``, ``records`` for JSON, ``parquet``);
``frames`` does the same for data frames; ``sheets`` has what they give, ``lists`` numbers without
anything else. ``columns``, ``kinds``, ``groups`` and
``spelling`` say what the columns are, ``layouts`` and ``several`` how files become one table,
``matching`` puts rows together; ``read`` is the public reader, ``reader`` the formats in the
registry.
"""
