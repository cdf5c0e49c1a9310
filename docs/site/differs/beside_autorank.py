"""Four learners on nine data sets."""

import contextlib
import io
import warnings
from importlib.metadata import version

import pandas
from autorank import autorank

import csig

warnings.simplefilter("ignore")
path = "examples/datasets/accuracy.csv"
print("autorank", version("autorank"))
with contextlib.redirect_stdout(io.StringIO()):
    peer = autorank(pandas.read_csv(path, index_col=0))
print(f"autorank, {peer.omnibus}: p = {peer.pvalue:.6f}")
print(f"autorank, {peer.posthoc}: ranks differ from {peer.cd:.3f} on")
found = csig.compare_datasets(path)
tests = {test.name: test.pvalue for test in found.overall}
print(f"csig, Friedman with ties: p = {tests['friedman-ties']:.6f}")
print(f"csig, Nemenyi: ranks differ from {found.critical_difference():.3f} on")
print(f"csig, Iman-Davenport with ties: p = {tests['iman-davenport-ties']:.6f}")
print(found.summary().split("\n\n")[0])
