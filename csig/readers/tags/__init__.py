"""Tokens with tags in columns."""
