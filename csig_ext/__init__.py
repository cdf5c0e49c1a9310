"""The compiled engines: integers in, counts out. Private to csig."""
