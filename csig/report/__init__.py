"""What people and programs read: sentences, tables on a terminal, JSON.

:mod:`~csig.report.verdict` says in words what may be concluded, :mod:`~csig.report.documents`
makes the JSON record and :mod:`~csig.report.terminal`, which needs rich, the tables. All
three read one :class:`~csig.report.summary.Summary`.
"""
