"""What a text prints about two systems, and whether it can be."""
