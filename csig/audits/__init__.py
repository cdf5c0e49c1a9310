"""Is a p-value right, and can others reproduce it?

:func:`csig.audits.audit.audit` makes a context (runs, questions, answers) and goes through its list
of checks, which are in ``checks`` and ``generator``; ``outcome`` has what it gives, ``records`` the
record of it, ``report`` shows it. ``verify`` audits again, compares by ``trust``, and shows that.
"""
