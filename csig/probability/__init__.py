"""Tails, intervals, tests and corrections that know nothing of systems."""
