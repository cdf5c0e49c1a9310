"""What is compared: the input of every kind, aligned by unit, as tables of integers.

``units`` aligns; ``responses``, ``conflicts``, ``labels``, ``labelled`` and ``items`` are kinds
of input, ``columns`` says what their columns mean. ``fixed_point`` makes integers of scores,
``settling`` of the scores of classes; ``classes`` counts interchangeable units, ``strings``
holds columns of text.
"""
