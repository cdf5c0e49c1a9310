"""Is a p-value right, and can others reproduce it?

:func:`csig.audits.audit.audit` makes a context (``context``: runs, questions, answers) and goes
through its list of checks, which are in ``checks`` and ``generator`` (with ``words`` below it);
``outcome`` has what it gives, ``records`` the record of it. ``verify`` audits again, and compares
by ``trust``. ``report`` and ``verified`` show both.
"""
