"""Tokens with tags in columns.

``file`` reads one file, ``schemes`` finds the entities, ``read`` is the public reader of several;
``recognition`` knows such files and their columns, ``reader`` is the format in the registry.
"""
