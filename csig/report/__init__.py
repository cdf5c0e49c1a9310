"""What people and programs read: one model of a report, and a renderer for every format.

:mod:`~csig.answers.gathering` reads, tests and gathers one
:class:`~csig.comparing.summary.Summary`, or :class:`~csig.comparing.summary.Systems` of several.
:mod:`~csig.comparing.verdict` says in words what may be concluded; :mod:`~csig.answers.answer`
makes a :class:`~csig.report.document.Document` of it, with what :mod:`~csig.comparing.conclusions`
explains, for :mod:`~csig.report.rendering` to print. :mod:`~csig.answers.records` makes JSON,
:mod:`~csig.report.pages` the pages of audits with their plots.
"""
