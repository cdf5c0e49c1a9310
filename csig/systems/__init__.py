"""Many systems over the same units."""
