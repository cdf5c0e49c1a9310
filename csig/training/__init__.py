"""What chance in the training data does to scores (Krymolowski 2001).

``sampling`` draws training samples, ``running`` trains and scores on each of them and keeps the
results in a ``ledger``; ``distribution`` is what comes out, with its ``moments`` and ``tables``;
``reading`` reads scores that somebody else made.
"""
