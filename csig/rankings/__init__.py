"""Ranking methods: how good their n best candidates are, and which methods differ (Evert 2004).

A ranking method gives every candidate a score: collocations, keyphrases, links, answers. The n best
are looked at, and the true ones among them counted.
"""
