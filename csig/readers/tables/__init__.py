"""Tables of units.

``files`` makes a sheet of a file, ``sheets`` of a data frame. ``rules`` say what its columns are,
by the ``names`` that csig knows and by the cells; ``reader`` makes systems of them, whose units
``matching`` puts together.
"""
