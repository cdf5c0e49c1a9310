"""Is a p-value right, and can others reproduce it?

:func:`csig.audits.audit.audit` makes a context (``context``: runs, questions, answers) and goes
through its list of checks, which are in ``agreement``, ``assumptions``, ``repeats``,
``generator`` and ``groups`` (with ``words`` and ``coins`` below them); ``checks`` has what a
check is, ``outcome`` what an audit gives. A record: ``records`` makes it, ``forms`` and
``digests`` check it. Verifying: ``verify``, with ``rebuilding``, ``comparing`` and ``trust``.
"""
