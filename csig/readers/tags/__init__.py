"""Tokens with tags in columns.

``file`` reads one file, ``schemes`` finds the entities, ``read`` is the public reader of several,
``reader`` the format in the registry, which knows such files and their columns.
"""
