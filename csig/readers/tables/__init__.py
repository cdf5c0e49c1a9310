"""Tables of units.

``sheets`` opens a file and chooses its parser (``delimited``, ``records`` for JSON, ``arrow``
for Parquet); ``grids`` and ``cells`` are what they give. ``columns``, ``kinds``, ``groups`` and
``spelling`` say what the columns are, ``layouts`` and ``several`` how files become one table,
``matching`` puts rows together; ``read`` is the public reader, ``reader`` the formats in the
registry.
"""
