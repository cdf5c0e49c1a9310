"""How a p-value is computed.

What is asked: ``questions``, of two kinds (``weights``, ``functions``), counted by ``judges``.
Which engine: ``tasks``, from those in ``exact``. The engines: ``staircase``, ``lattice``,
``meet_in_the_middle``, ``enumeration``, ``shuffle`` and, for verdicts that no seed changes,
``until_decided``; ``pool`` has their threads. What comes out: ``base``, ``answers``,
``exact_null``.
"""
