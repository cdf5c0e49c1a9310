"""Tokens with tags in columns.

``file`` reads one file and finds its entities, ``read`` several, and knows such files and columns.
"""
