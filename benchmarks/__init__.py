"""Benchmarks: csig beside its peers, in the same run."""
