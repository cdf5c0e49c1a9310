"""What people and programs read: sentences, tables on a terminal, pages, JSON.

:mod:`~csig.report.gathering` reads, tests and gathers one :class:`~csig.report.summary.Summary`, or
:class:`~csig.report.systems.Systems` of several. :mod:`~csig.report.verdict` says in words what
may be concluded, :mod:`~csig.report.records` makes JSON, :mod:`~csig.report.terminal`, which
needs rich, the tables, :mod:`~csig.report.pages` the pages of audits with their plots.
"""
