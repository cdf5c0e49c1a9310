"""Tokens with tags in columns.

``file`` reads one file, ``matching`` and ``documents`` put several together, ``schemes`` finds
the entities; ``read`` is the public reader, ``reader`` the format in the registry.
"""
