"""How a p-value is computed.

The questions, and what counts their hits: ``questions``. The choice: ``tasks``, from the exact
engines in ``exact``. The engines: ``lattice``, ``fourier`` (with ``certified``, and ``tails``, its
slow twin), ``meet_in_the_middle``, ``enumeration``, ``shuffle``, ``flips``, ``resample``; ``pool``
has their threads, ``remote`` the workers of executors. The results: ``base``, ``exact``,
``pair_tests``.
"""
