"""Tails, intervals and corrections."""
