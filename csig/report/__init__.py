"""What people and programs read: one model of a report, and a renderer for every format.

:mod:`~csig.report.gathering` reads, tests and gathers one :class:`~csig.report.summary.Summary`, or
:class:`~csig.report.systems.Systems` of several. :mod:`~csig.report.verdict` says in words what
may be concluded; :mod:`~csig.report.answer` makes a :class:`~csig.report.document.Document` of it,
with what :mod:`~csig.report.explained` explains, for :mod:`~csig.report.rendering` to print.
:mod:`~csig.report.records` makes JSON, :mod:`~csig.report.pages` the pages of audits with their
plots.
"""
