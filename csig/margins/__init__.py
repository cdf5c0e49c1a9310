"""Are two systems equally good, within a margin? Tests, and the gate that is built on them."""
