"""Tails, intervals and corrections that know nothing of systems.

``binomial`` has tails, tests and Clopper-Pearson's interval, ``sequential`` the confidence
sequence, ``holm`` the correction for several tests, ``distributions`` what null distributions
are made of.
"""
