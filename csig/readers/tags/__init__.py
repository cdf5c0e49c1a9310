"""Tokens with tags in columns.

``cells`` finds the cells of many lines at once, ``file`` reads one file, ``matching`` puts several
together, ``schemes`` finds the entities; ``read`` is the public reader, ``recognition`` knows such
files and their columns, ``reader`` is the format in the registry.
"""
