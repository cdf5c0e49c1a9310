"""How a p-value is computed.

The questions: ``questions``, of two kinds (``weights``, ``functions``), counted by ``judges``.
The choice: ``tasks``, from the exact engines in ``exact``. The engines: ``staircase``, ``lattice``,
``meet_in_the_middle``, ``enumeration``, ``shuffle`` and, for verdicts that no seed changes,
``until_decided``; ``pool`` has their threads. The results: ``base``, ``answers``,
``exact_null``.
"""
