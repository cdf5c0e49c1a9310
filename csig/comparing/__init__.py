"""Two systems over the same units."""
