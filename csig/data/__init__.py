"""What is compared: the input of every kind, aligned by unit, as tables of integers.

``units`` aligns and counts interchangeable units; ``responses``, ``labels`` and ``tables`` are
kinds of input of two systems, ``several`` those of many. ``fixed_point`` makes integers of scores,
``settling`` of the scores of classes; ``strings`` holds columns of text.
"""
