"""How a p-value is computed.

The questions: ``questions``, of two kinds (``weights``, ``functions``), counted by ``judges``.
The choice: ``tasks``, from the exact engines in ``exact``. The engines: ``staircase``, ``lattice``,
``meet_in_the_middle``, ``enumeration``, ``shuffle``; ``pool`` has their threads, ``remote`` the
workers of executors. The results: ``base``, ``answers``, ``exact_null``.
"""
