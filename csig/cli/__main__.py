"""``python -m csig.cli`` is ``csig``."""

from csig.cli import main

if __name__ == "__main__":
    main()
