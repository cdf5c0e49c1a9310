"""The compiled engines: integers in, counts and tails out. Private to csig."""

try:
    import csig_ext.dispatch  # noqa: F401 - is it there?
except ModuleNotFoundError as error:
    if error.name != "csig_ext.dispatch":
        raise
    raise ImportError(
        "csig's compiled part is not here: Python imports csig from its source folder. "
        "Work from another folder, or install with: python -m pip install -e ."
    ) from None
